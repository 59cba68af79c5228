//! Runs of ASCII, in vectors of 16 bytes.
//!
//! All functions for whole runs are [`run`] with a different step. A step reads 16 units, converts and stores them
//! without looking at their values, and returns a vector with one byte for each unit, from which `run` finds the end of
//! the run. Storing before asking needs no test: units after the end of the run are not counted, and the caller
//! overwrites them.
//!
//! Short runs are asked 16 units at a time. After 32 units, [`run_of_64s`] joins the vectors of four steps by their
//! maximum and asks them by one branch. At the end, the last 16 units overlap those before, so that only a slice of
//! fewer than 16 units is left to the scalar body.

use super::scalar;
use crate::{base::*, vector::v128::*};

/// The body of [`crate::ascii::prefix_length`]: a step of [`run`] loads 16 bytes and returns them.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    run(source, &mut nowhere(), |from, _| load(from), 0x80, |from, _| scalar::prefix_length(from))
}

/// The body of [`crate::ascii::prefix_length_utf16`]: a step saturates 16 code units to bytes.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let step = |from: &_, _: &mut _| saturated(load_units(from));
    run(source, &mut nowhere(), step, 0x80, |from, _| scalar::prefix_length_utf16(from))
}

/// The body of [`crate::ascii::copy`]: a step copies 16 bytes and returns them.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    run(source, destination, |from, to| copied(from, to), 0x80, scalar::copy)
}

/// Copies 64 bytes of ASCII in each round, and returns how many bytes were copied. In WebAssembly its callers share one
/// function, which makes the library 0.5 KB smaller; other processors would be slower with a call.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn copy_64s(source: &[u8], destination: &mut [u8]) -> usize {
    run_of_64s(source, destination, |from, to| copied(from, to), 0x80)
}

/// Copies 16 bytes, and returns them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn copied(from: &[u8; 16], to: &mut [u8; 16]) -> uint8x16_t {
    let bytes = load(from);
    store(bytes, to);
    bytes
}

/// The body of [`crate::ascii::widen`]: a step widens 16 bytes, and returns them.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    run(source, destination, |from, to| widen_sixteen(from, to), 0x80, scalar::widen)
}

/// As [`widen`], for the blocks of 64 bytes of which all are ASCII. A function of its own in WebAssembly, as
/// [`copy_64s`].
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn widen_64s(source: &[u8], destination: &mut [u16]) -> usize {
    run_of_64s(source, destination, |from, to| widen_sixteen(from, to), 0x80)
}

/// Widens 16 bytes of any value, and returns them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn widen_sixteen(from: &[u8; 16], to: &mut [u16; 16]) -> uint8x16_t {
    let bytes = load(from);
    store_units(widened(bytes), to);
    bytes
}

/// Widens 64 bytes of any value, and returns them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn widen_64(from: &[u8; 64], to: &mut [u16; 64]) -> [uint8x16_t; 4] {
    let ([a, b, c, d], _) = from.as_chunks() else { unreachable!("64 is four times 16") };
    let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { unreachable!("64 is four times 16") };
    [(a, to_a), (b, to_b), (c, to_c), (d, to_d)].each(|(from, to)| widen_sixteen(from, to))
}

/// The body of [`crate::ascii::narrow`]: a step saturates 16 code units to bytes, stores the bytes, and returns them.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    run(source, destination, |from, to| narrow_sixteen(from, to), 0x80, scalar::narrow)
}

/// Narrows 16 code units, and returns their bytes, as [`saturated`] makes them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn narrow_sixteen(from: &[u16; 16], to: &mut [u8; 16]) -> uint8x16_t {
    let bytes = saturated(load_units(from));
    store(bytes, to);
    bytes
}

/// Converts the longest prefix of `source` that belongs to a run, or as much of it as fits, and returns its length.
///
/// `step` converts 16 units, of any value, and returns a byte for each unit. The first unit whose byte is at least
/// `end` ends the run; units after it are written to `destination`, but not counted.
///
/// 1. Blocks of 16 units are converted until one contains the end of the run. After two blocks, [`run_of_64s`] takes
///    over as long as it can.
/// 2. The rest is shorter than 16 units. It is converted in one block of 16 that overlaps the block before.
/// 3. If there are fewer than 16 units in all, `short` converts them without vectors.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn run<S, D>(
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

/// Converts 64 units in each round while none of them ends the run, and returns how many were converted. The four
/// vectors are joined by their maximum, so that a round has one comparison and one branch: the maximum of bytes is at
/// least `end` exactly where one of the bytes is. A round stores before it asks. The units of a round that ends the run
/// are stored, but not counted, and the caller looks for the end in them 16 units at a time.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn run_of_64s<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 16], &mut [D; 16]) -> uint8x16_t,
    end: u8,
) -> usize {
    let mut done = 0;
    for (from, to) in source.as_chunks::<64>().0.iter().zip(destination.as_chunks_mut::<64>().0) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        let greatest = vmaxq_u8(vmaxq_u8(step(a, to_a), step(b, to_b)), vmaxq_u8(step(c, to_c), step(d, to_d)));
        if !all_below(greatest, end) {
            break;
        }
        done += 64;
    }
    done
}

/// The number of bytes before the first byte that is at least `end`; 16 if there is none.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn count_below(bytes: uint8x16_t, end: u8) -> usize {
    let ends = vcgeq_u8(bytes, vdupq_n_u8(end));
    #[cfg(target_arch = "x86_64")]
    return (0x1_0000 | u32::from(byte_bits(ends))).trailing_zeros() as usize;
    #[cfg(not(target_arch = "x86_64"))]
    return four_bits(ends).trailing_zeros() as usize / 4;
}

/// Four bits for each byte of a vector whose bytes are all ones or all zeros. NEON cannot extract one bit of each byte;
/// shifting each pair of bytes right by four and keeping the lower byte of the result leaves four bits of each.
///
/// ```text
/// bytes         FF 00 FF FF …
/// as u16        00FF FFFF …            (the first byte is the lower one)
/// >> 4, lower   0F FF …
/// ```
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn four_bits(bytes: uint8x16_t) -> u64 {
    let bits = vshrn_n_u16::<4>(vreinterpretq_u16_u8(bytes));
    vget_lane_u64::<0>(vreinterpret_u64_u8(bits))
}

/// The code units of equal value.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn widened(bytes: uint8x16_t) -> [uint16x8_t; 2] {
    [vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes)]
}

/// The bytes of equal value, or 0xFF for code units above 0xFF.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn saturated([first, second]: [uint16x8_t; 2]) -> uint8x16_t {
    vqmovn_high_u16(vqmovn_u16(first), second)
}

/// The two halves of 32 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn halves(bytes: &[u8; 32]) -> [uint8x16_t; 2] {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("32 is twice 16") };
    [load(first), load(second)]
}

/// Whether all of 32 bytes are ASCII.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn are_ascii(bytes: &[u8; 32]) -> bool {
    let [first, second] = halves(bytes);
    all_below(vorrq_u8(first, second), 0x80)
}
