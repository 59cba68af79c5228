//! UTF-8.

use super::memory::{load, store};
use crate::{
    blocks::{block, block_mut, nowhere},
    scalar::utf8 as scalar,
    utf8_pairs as pairs,
};
use core::arch::aarch64::*;

pub(crate) use scalar::to_utf16;

#[target_feature(enable = "neon")]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    let done = validate(source, &mut nowhere(), |from, _| load(from));
    done + scalar::valid_up_to(&source[done..])
}

#[target_feature(enable = "neon")]
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

/// The length of a prefix of `source` that is well-formed; what is behind it is short or starts with a block that is not.
/// `step` loads 16 bytes and may put them down; it is handed all blocks of that prefix in order, and possibly some more.
///
/// 64 bytes are checked a branch, and then 16.
#[inline]
#[target_feature(enable = "neon")]
fn validate<D>(source: &[u8], destination: &mut [D], step: impl Fn(&[u8; 16], &mut [D; 16]) -> uint8x16_t) -> usize {
    let mut done = 0;
    let mut before = vdupq_n_u8(0);
    while let (Some(from), Some(to)) = (block::<_, 64>(source, done), block_mut::<_, 64>(destination, done)) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        let [a, b, c, d] = [step(a, to_a), step(b, to_b), step(c, to_c), step(d, to_d)];
        let all = vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d));
        if vmaxvq_u8(vorrq_u8(all, before)) >= 0x80 {
            let wrong = vorrq_u8(vorrq_u8(errors(before, a), errors(a, b)), vorrq_u8(errors(b, c), errors(c, d)));
            if vmaxvq_u8(wrong) != 0 {
                break;
            }
        }
        before = d;
        done += 64;
    }
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let bytes = step(from, to);
        if vmaxvq_u8(errors(before, bytes)) != 0 {
            break;
        }
        before = bytes;
        done += 16;
    }
    done - scalar::begun(&source[..done])
}

/// Which bytes cannot follow those before them: other than 0. `before` are the 16 bytes before.
///
/// Any two bytes that follow one another rule errors out, by three tables of 16 entries: for the upper half and the lower half
/// of the one, and the upper half of the other. An error is what all three agree on. What two bytes cannot tell is whether the
/// second of two continuation bytes belongs to a character of three or four: that is the highest bit, and it is compared with
/// the bytes two and three before.
#[inline]
#[target_feature(enable = "neon")]
fn errors(before: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let first = vextq_u8::<15>(before, bytes);
    let by_two = vextq_u8::<14>(before, bytes);
    let by_three = vextq_u8::<13>(before, bytes);

    let by_first_upper = vqtbl1q_u8(load(&pairs::BY_FIRST_UPPER), vshrq_n_u8::<4>(first));
    let by_first_lower = vqtbl1q_u8(load(&pairs::BY_FIRST_LOWER), vandq_u8(first, vdupq_n_u8(0xF)));
    let by_second_upper = vqtbl1q_u8(load(&pairs::BY_SECOND_UPPER), vshrq_n_u8::<4>(bytes));
    let of_pair = vandq_u8(vandq_u8(by_first_upper, by_first_lower), by_second_upper);

    let third = vcgeq_u8(by_two, vdupq_n_u8(0xE0));
    let fourth = vcgeq_u8(by_three, vdupq_n_u8(0xF0));
    veorq_u8(of_pair, vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)))
}
