//! Code points up to U+00FF, in vectors of 16 bytes.
//!
//! To and from UTF-16, a byte is the lower half of a code unit: widening zips it with zeros, and narrowing takes every
//! other byte. A run ends where an upper half is not 0.
//!
//! To UTF-8, 16 bytes are widened and become lanes of one or two bytes, of which a shuffle drops the byte that ASCII
//! does not have: that is what UTF-16 to UTF-8 does below U+0800. From UTF-8, a byte is computed in every lane as if a
//! character started there, and the lanes in which one does are moved together ([`from_utf8`] has the drawing).
//!
//! Text is mostly ASCII, so a test for it comes before each step, and a loop of its own moves the run. A step needs
//! more space than it fills, so the end of either slice is left to the scalar body.

use super::scalar;
use crate::ascii::v128::{self as ascii, run, widened};
use crate::utf8::from_utf16::v128::{VECTOR_SPACE_BYTES, up_to_two};
use crate::{base::*, vector::v128::*};

/// Widens 16 bytes a step. No byte ends the run, so that the step returns zeros.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        store_units(widened(load(from)), to);
        vdupq_n_u8(0)
    };
    run(source, destination, step, 1, scalar::to_utf16)
}

/// Narrows 16 code units a step. An upper byte other than 0 ends the run.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let units = load_units(from);
        store(lower_bytes(units), to);
        upper_bytes(units)
    };
    run(source, destination, step, 1, scalar::from_utf16)
}

/// As [`from_utf16`], without a destination.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let step = |from: &_, _: &mut _| upper_bytes(load_units(from));
    run(source, &mut nowhere(), step, 1, |from, _| scalar::prefix_length_utf16(from))
}

/// Converts runs of ASCII, and otherwise 16 bytes a step.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block(source, read), block_mut::<_, VECTOR_SPACE_BYTES>(destination, written)) {
        // The test is for 32 bytes, although a step has 16: whether only 16 bytes are ASCII would be hard to predict.
        if block(source, read).is_some_and(|next| ascii::are_ascii(next)) {
            let run = ascii::copy(after(source, read), after_mut(destination, written));
            (read, written) = (read + run, written + run);
            continue;
        }
        let units = widened(load(from));
        written += up_to_two(units, vorrq_u16(units[0], units[1]), to);
        read += 16;
    }
    and_rest((read, written), source, destination, scalar::to_utf8)
}

/// Converts runs of ASCII, and otherwise 32 bytes of UTF-8 a step.
///
/// For each byte, the step computes the byte of the character that would start there: bits 0 to 5 come from the byte
/// after it, and bits 6 and 7 are the lowest two bits of the byte itself. Then the bytes where a character does start
/// are moved together.
///
/// ```text
/// UTF-8         c  a  f  C3 A9 20
/// starts        ^  ^  ^  ^     ^
/// computed      c  a  f  E9 –  20
/// together      c  a  f  E9 20
/// ```
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block(source, read), block_mut::<_, 40>(destination, written)) {
        if ascii::are_ascii(from) {
            let run = ascii::copy(after(source, read), after_mut(destination, written));
            (read, written) = (read + run, written + run);
            continue;
        }
        let bytes = ascii::halves(from);
        let Some(length) = characters(bytes) else { break };
        let continuations = bytes.each(|half| vcltq_s8(vreinterpretq_s8_u8(half), vdupq_n_s8(0xC0_u8 as i8)));
        let (bits, ends) = bits_and_ends(continuations.each(|half| vmvnq_u8(half)));
        let next = [vextq_u8::<1>(bytes[0], bytes[1]), vextq_u8::<1>(bytes[1], bytes[1])];
        let mut start = 0;
        for eight in 0..4 {
            let half = eight / 2;
            let both = vsliq_n_u8::<6>(next[half], bytes[half]);
            let byte = vbslq_u8(vcgeq_u8(bytes[half], vdupq_n_u8(0x80)), both, bytes[half]);
            let byte = if eight % 2 == 0 { vget_low_u8(byte) } else { vget_high_u8(byte) };
            // The mask tells the compiler that the access is in bounds.
            let to = block_mut(to, (start & 0x1F) as usize).expect("31 and 8 are at most 40");
            store_eight(compress_bytes(byte, (bits >> (8 * eight)) as u8), to);
            start = ends >> (8 * eight);
        }
        // A character that the end of the step cuts off is left for the next step.
        read += length;
        written += (ends >> 24) as usize - (32 - length);
    }
    and_rest((read, written), source, destination, scalar::from_utf8)
}

/// Measures runs of ASCII, and otherwise 32 bytes a step.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn prefix_length_utf8(source: &[u8]) -> usize {
    let mut read = 0;
    while let Some(from) = block(source, read) {
        if ascii::are_ascii(from) {
            read += ascii::prefix_length(after(source, read));
            continue;
        }
        let Some(length) = characters(ascii::halves(from)) else { break };
        read += length;
    }
    read + scalar::prefix_length_utf8(after(source, read))
}

/// Checks 32 bytes that start with a character. Returns 32, or 31 if the last byte starts a character; `None` if a
/// character is malformed or above U+00FF.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn characters(bytes: [uint8x16_t; 2]) -> Option<usize> {
    let leading = bytes.each(|half| vcgeq_u8(half, vdupq_n_u8(0xC0)));
    let after_leading = [vextq_u8::<15>(vdupq_n_u8(0), leading[0]), vextq_u8::<15>(leading[0], leading[1])];
    let wrong = |half: usize| {
        let continuation = vcltq_s8(vreinterpretq_s8_u8(bytes[half]), vdupq_n_s8(0xC0_u8 as i8));
        // Only 0xC2 and 0xC3 lead characters up to U+00FF.
        let others = vbicq_u8(leading[half], vceqq_u8(vandq_u8(bytes[half], vdupq_n_u8(0xFE)), vdupq_n_u8(0xC2)));
        vorrq_u8(veorq_u8(continuation, after_leading[half]), others)
    };
    if any(vorrq_u8(wrong(0), wrong(1))) {
        return None;
    }
    Some(32 - usize::from(vgetq_lane_u8::<15>(leading[1]) & 1))
}
