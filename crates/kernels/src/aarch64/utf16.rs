//! UTF-16, with NEON.
//!
//! # To UTF-8
//!
//! A step separates 16 code units into [planes](super::planes) of bytes and stores their UTF-8 in one of four ways,
//! for: characters of one and two bytes; characters of three bytes only; characters of all lengths without surrogates;
//! and characters with surrogates.

use super::instructions::*;
use super::{
    any::{all_ascii_units, any, any_units},
    ascii::{four_bits, narrow},
    memory::{load_pairs, load_units, store_units},
    planes::{Planes, ROOM},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut, nowhere},
    scalar::utf16 as scalar,
};

/// See [`crate::utf16::valid_up_to`].
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    validate(source, &mut nowhere(), |from, _| load_units(from), |from, _| scalar::valid_up_to(from))
}

/// Reads 16 code units a step, and byte-swaps them if `turn` is 8; see [`crate::utf16::from_le_bytes`].
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], turn: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    // Rotating by `turn` bits is a shift to the left by `turn` and a shift to the right by 16 - `turn`. A shift to the
    // left by a negative number shifts to the right.
    let [left, right] = [turn as i16, turn as i16 - 16].each(|bits| vdupq_n_s16(bits));
    let step = |from: &_, to: &mut _| {
        let units = load_pairs(from).each(|units| vorrq_u16(vshlq_u16(units, left), vshlq_u16(units, right)));
        store_units(units, to);
        units
    };
    validate(pairs, destination, step, |from, to| scalar::from_bytes(from.as_flattened(), to, turn))
}

/// The length of the longest prefix of `source` without an unpaired surrogate, as far as it fits into `destination`.
/// `step` loads 16 code units and may store them. `some` does the same without vectors, for a block with surrogates and
/// for the end.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn validate<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 16], &mut [D; 16]) -> [uint16x8_t; 2],
    some: impl Fn(&[S], &mut [D]) -> usize,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let [first, second] =
            step(from, to).each(|units| vceqq_u16(vandq_u16(units, vdupq_n_u16(0xF800)), vdupq_n_u16(0xD800)));
        if !any_units(vorrq_u16(first, second)) {
            done += 16;
            continue;
        }
        // A surrogate pair that the end of the block cuts off is left for the next block.
        let valid = some(&source[done..done + 16], &mut destination[done..done + 16]);
        done += valid;
        if valid < 15 {
            break;
        }
    }
    done + some(&source[done..], &mut destination[done..])
}

/// The body of [`crate::utf16::swap_bytes`]: the loop of the scalar level, with the vectors of this level.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    scalar::swap_bytes(units);
}

/// Adds up the lengths of 16 code units a step, in lanes of one byte.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    // Each step adds at most 2 to a lane, whose maximum is 255.
    const STEPS: usize = 127;
    let (blocks, rest) = source.as_chunks();
    let mut length = scalar::utf8_length(rest) + 16 * blocks.len();
    for blocks in blocks.chunks(STEPS) {
        let mut more = vdupq_n_u8(0);
        for block in blocks {
            let units = load_units(block);
            let planes = Planes::of(units);
            // Each code unit has at least one byte in UTF-8. Those from 0x80 on have one more, and so have those from
            // 0x800 on except surrogates, of which a pair has four. A comparison that holds gives -1, which is
            // subtracted.
            let three = vbicq_u8(vcgtq_u8(planes.upper, vdupq_n_u8(7)), planes.surrogates());
            let [first, second] = units.each(|units| vcgtq_u16(units, vdupq_n_u16(0x7F)));
            let two = Planes::of([first, second]).lower;
            more = vsubq_u8(vsubq_u8(more, two), three);
        }
        length += usize::from(vaddlvq_u8(more));
    }
    length
}

/// Converts runs of ASCII, and otherwise 16 code units a step.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block(source, read), block_mut::<_, ROOM>(destination, written)) {
        // The test is for 32 code units, although a step has 16: whether only 16 are ASCII would be hard to predict.
        if block(source, read).is_some_and(|next| are_ascii(next)) {
            let run = narrow(after(source, read), after_mut(destination, written));
            read += run;
            written += run;
            continue;
        }
        let units = Planes::of(load_units(from));
        if !any(units.surrogates()) {
            written += units.store(to);
            read += 16;
        } else if let Some((units, bytes)) = pairs_to_utf8(from, to) {
            read += units;
            written += bytes;
        } else {
            break;
        }
    }
    let (more_read, more_written) = scalar::to_utf8(after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Converts 16 code units of which some are surrogates, or 15 if the last one is a leading surrogate. `None` if one is
/// unpaired. Never inlined: the call is rare, and the code is long.
#[inline(never)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn pairs_to_utf8(from: &[u16; 16], to: &mut [u8; ROOM]) -> Option<(usize, usize)> {
    let units = Planes::of(load_units(from));
    let highest_six = vandq_u8(units.upper, vdupq_n_u8(0xFC));
    let [leading, trailing] = [0xD8, 0xDC].each(|six| four_bits(vceqq_u8(highest_six, vdupq_n_u8(six))));
    if leading << 4 != trailing {
        return None;
    }
    let cut = (leading >> 63) as usize;
    Some((16 - cut, units.store_with_pairs(to) - 2 * cut))
}

/// Whether all of 32 code units are ASCII.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn are_ascii(units: &[u16; 32]) -> bool {
    let (halves, _) = units.as_chunks();
    let [[a, b], [c, d]] = [&halves[0], &halves[1]].each(|units| load_units(units));
    all_ascii_units(vorrq_u16(vorrq_u16(a, b), vorrq_u16(c, d)))
}
