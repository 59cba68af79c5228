//! UTF-8: validation, and copying while validating, in vectors of 16 bytes.
//!
//! A step reads 64 bytes in four vectors. Each vector is compared with itself moved by one, two and three bytes, into
//! which the last bytes of the vector before move in. The result is 0 in every lane of well-formed text, so that one
//! branch decides about 64 bytes ([`errors_of_neighbours`] has the arithmetic):
//!
//! ```text
//! vector before     .. .. .. E2 │ 82 AC 61 62 ..      bytes
//!                   .. .. ..    │ E2 82 AC 61 ..      moved by one
//!                   .. ..       │ .. E2 82 AC ..      moved by two
//! ```
//!
//! The greatest byte of the step chooses how much has to be asked: ASCII nothing, and text below U+0800 only whether
//! leading and continuation bytes take turns. SSE4.1 loads the moved vectors from memory; the others shift registers.
//!
//! At the first step with an error, and for the last bytes of the source, single vectors are asked; the scalar body
//! finds the place of the error, or ends the text.

use super::{scalar, tables as pairs};
use crate::{base::*, vector::v128::*};

/// Validates with vectors up to the first block with an error, and then without.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    let done = validate(source, &mut nowhere(), |from, _| load(from));
    done + scalar::valid_up_to(&source[done..])
}

/// As [`valid_up_to`], while copying.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let done = validate(source, destination, |from, to| {
        let bytes = load(from);
        store(bytes, to);
        bytes
    });
    done + scalar::copy(&source[done..], &mut destination[done..])
}

/// The length of a well-formed prefix of `source`. After this prefix, fewer than 16 bytes are left, or the next block
/// has an error, or the prefix ends within a block at a character that the block cuts off.
///
/// `step` loads 16 bytes and may store them. It is called for all blocks of the prefix in order, and possibly for some
/// blocks after it. The first loop checks 64 bytes for each branch, and the second one 16. Where no character has more
/// than two bytes, a check takes half as many instructions.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn validate<D>(source: &[u8], destination: &mut [D], step: impl Fn(&[u8; 16], &mut [D; 16]) -> uint8x16_t) -> usize {
    let mut done = 0;
    let mut before = vdupq_n_u8(0);
    for (from, to) in source.as_chunks::<64>().0.iter().zip(destination.as_chunks_mut::<64>().0) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        let [a, b, c, d] = [step(a, to_a), step(b, to_b), step(c, to_c), step(d, to_d)];
        let greatest = Greatest::of(vmaxq_u8(vmaxq_u8(vmaxq_u8(a, b), vmaxq_u8(c, d)), before));
        if !greatest.is_below(0x80) {
            let [e, f, g, h] = if greatest.is_below(0xE0) {
                [[before, a], [a, b], [b, c], [c, d]].each(|[before, bytes]| errors_below_800(before, bytes))
            } else {
                // With NEON, loads would take more instructions than shifts.
                #[cfg(target_arch = "x86_64")]
                let [f, g, h] = [16, 32, 48].each(|at| errors_in(from, at));
                #[cfg(not(target_arch = "x86_64"))]
                let [f, g, h] = [[a, b], [b, c], [c, d]].each(|[before, bytes]| errors(before, bytes));
                [errors(before, a), f, g, h]
            };
            if any(vorrq_u8(vorrq_u8(e, f), vorrq_u8(g, h))) {
                break;
            }
        }
        before = d;
        done += 64;
    }
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let bytes = step(from, to);
        if any(errors(before, bytes)) {
            break;
        }
        before = bytes;
        done += 16;
    }
    done - scalar::begun(&source[..done])
}

/// Compares each byte with the three bytes before it: see [`errors_of_neighbours`]. `before` has the 16 bytes before
/// `bytes`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn errors(before: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let by_one = vextq_u8::<15>(before, bytes);
    let by_two = vextq_u8::<14>(before, bytes);
    let by_three = vextq_u8::<13>(before, bytes);
    errors_of_neighbours(by_three, by_two, by_one, bytes)
}

/// As [`errors`], for the 16 bytes from `at` on. Four loads take less time than one load and three instructions that
/// shift.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn errors_in(source: &[u8; 64], at: usize) -> uint8x16_t {
    let load_at = |at| load(block(source, at).expect("16 bytes from `at` on"));
    errors_of_neighbours(load_at(at - 3), load_at(at - 2), load_at(at - 1), load_at(at))
}

/// Compares each byte with the three bytes before it, which are in the same lanes of the other vectors: the byte one,
/// two and three positions before. A lane of the result is 0 if the byte may stand there.
///
/// Three tables give the errors of each pair of adjacent bytes, as [`utf8_pairs`](crate::utf8::tables) explains. In the
/// result for a pair, the highest bit says that both bytes are continuation bytes. A second continuation byte is
/// well-formed exactly where the byte two places before leads three or four bytes, or the byte three places before
/// leads four. So the highest bit is compared with the result of these two tests.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn errors_of_neighbours(by_three: uint8x16_t, by_two: uint8x16_t, by_one: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let by_first_upper = bytes_at(load(&pairs::BY_FIRST_UPPER), vshrq_n_u8::<4>(by_one));
    let by_first_lower = bytes_at(load(&pairs::BY_FIRST_LOWER), vandq_u8(by_one, vdupq_n_u8(0xF)));
    let by_second_upper = bytes_at(load(&pairs::BY_SECOND_UPPER), vshrq_n_u8::<4>(bytes));
    let of_pair = vandq_u8(vandq_u8(by_first_upper, by_first_lower), by_second_upper);

    #[cfg(target_arch = "x86_64")]
    let [third, fourth] = [vqsubq_u8(by_two, vdupq_n_u8(0xE0 - 0x80)), vqsubq_u8(by_three, vdupq_n_u8(0xF0 - 0x80))];
    #[cfg(not(target_arch = "x86_64"))]
    let [third, fourth] = [vcgeq_u8(by_two, vdupq_n_u8(0xE0)), vcgeq_u8(by_three, vdupq_n_u8(0xF0))];
    veorq_u8(of_pair, vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)))
}

/// As [`errors`], if all bytes are below 0xE0: each continuation byte follows a leading byte, and each leading byte is
/// followed by a continuation byte. 0xC0 and 0xC1 lead nothing.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn errors_below_800(before: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let leading = vcgeq_u8(vextq_u8::<15>(before, bytes), vdupq_n_u8(0xC2));
    let continuation = vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xC0_u8 as i8));
    let never = vceqq_u8(vandq_u8(bytes, vdupq_n_u8(0xFE)), vdupq_n_u8(0xC0));
    vorrq_u8(veorq_u8(leading, continuation), never)
}
