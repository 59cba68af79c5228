//! Runs of ASCII.

use super::memory::{load, load_units, store, store_units};
use crate::{
    blocks::{block, block_mut, nowhere},
    scalar::ascii as scalar,
};
use core::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    run(source, &mut nowhere(), |from, _| load(from), 0x80, |from, _| scalar::prefix_length(from))
}

#[target_feature(enable = "neon")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let step = |from: &_, _: &mut _| saturated(load_units(from));
    run(source, &mut nowhere(), step, 0x80, |from, _| scalar::prefix_length_utf16(from))
}

#[target_feature(enable = "neon")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = load(from);
        store(bytes, to);
        bytes
    };
    run(source, destination, step, 0x80, scalar::copy)
}

#[target_feature(enable = "neon")]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = load(from);
        store_units(widened(bytes), to);
        bytes
    };
    run(source, destination, step, 0x80, scalar::widen)
}

#[target_feature(enable = "neon")]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = saturated(load_units(from));
        store(bytes, to);
        bytes
    };
    run(source, destination, step, 0x80, scalar::narrow)
}

/// Moves the prefix of `source` that belongs to a run, as far as it fits, and returns its length.
///
/// `step` moves 16 units whatever they are, and returns a byte for each; the first that is at least `end` ends the run. What was
/// moved behind that is not counted. The last units are moved in a block that overlaps the one before, and by `short` if there
/// are fewer than 16 in all.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn run<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 16], &mut [D; 16]) -> uint8x16_t,
    end: u8,
    short: impl Fn(&[S], &mut [D]) -> usize,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let Some(last) = length.checked_sub(16) else { return short(source, destination) };
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let below = count_below(step(from, to), end);
        if below < 16 {
            return done + below;
        }
        done += 16;
        if done == 32 {
            done += run_of_64s(&source[32..], &mut destination[32..], &step, end);
        }
    }
    let (Some(from), Some(to)) = (block(source, last), block_mut(destination, last)) else { return done };
    last + count_below(step(from, to), end)
}

/// Moves 64 units at once, as long as none of them ends the run, and returns their number.
#[inline]
#[target_feature(enable = "neon")]
fn run_of_64s<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 16], &mut [D; 16]) -> uint8x16_t,
    end: u8,
) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) = (block::<_, 64>(source, done), block_mut::<_, 64>(destination, done)) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        let greatest = vmaxq_u8(vmaxq_u8(step(a, to_a), step(b, to_b)), vmaxq_u8(step(c, to_c), step(d, to_d)));
        if vmaxvq_u8(greatest) >= end {
            break;
        }
        done += 64;
    }
    done
}

/// How many bytes come before the first that is at least `end`.
#[inline]
#[target_feature(enable = "neon")]
fn count_below(bytes: uint8x16_t, end: u8) -> usize {
    four_bits(vcgeq_u8(bytes, vdupq_n_u8(end))).trailing_zeros() as usize / 4
}

/// Four bits per byte of a vector whose bytes are all ones or all zeros.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn four_bits(bytes: uint8x16_t) -> u64 {
    let bits = vshrn_n_u16::<4>(vreinterpretq_u16_u8(bytes));
    vget_lane_u64::<0>(vreinterpret_u64_u8(bits))
}

/// The code units of equal value.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn widened(bytes: uint8x16_t) -> [uint16x8_t; 2] {
    [vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes)]
}

/// The bytes of equal value, 0xFF for code units that are greater.
#[inline]
#[target_feature(enable = "neon")]
fn saturated([first, second]: [uint16x8_t; 2]) -> uint8x16_t {
    vqmovn_high_u16(vqmovn_u16(first), second)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn halves(bytes: &[u8; 32]) -> [uint8x16_t; 2] {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("32 is twice 16") };
    [load(first), load(second)]
}

/// Whether 32 bytes are ASCII.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn are_ascii(bytes: &[u8; 32]) -> bool {
    let [first, second] = halves(bytes);
    vmaxvq_u8(vorrq_u8(first, second)) < 0x80
}
