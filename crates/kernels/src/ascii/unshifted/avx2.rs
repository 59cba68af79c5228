//! Runs of ASCII without shifts, in blocks of 64 units.

use crate::ascii::avx2::{beyond_ascii, copy_32, mask, narrow_32, run_of_64s, widen_64s};
use crate::{base::*, vector::avx2::*};

/// Copies ASCII without shifts, in whole blocks, and returns the number of bytes.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    run_of_64s(source, destination, |from, to| marked(copy_32(from, to)), |bytes| beyond_ascii(bytes))
}

/// Copies ASCII without shifts to code units, in whole blocks, and returns their number.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen_blocks(source: &[u8], destination: &mut [u16]) -> usize {
    let ends = |from: &[u8; 64]| {
        let ([first, second], _) = from.as_chunks() else { unreachable!("64 is twice 32") };
        beyond_ascii(_mm256_or_si256(marked(load(first)), marked(load(second)))) != 0
    };
    widen_64s(source, destination, ends, |half| _mm256_cvtepu8_epi16(load_half(half)))
}

/// Copies code units that are ASCII without shifts to bytes, in whole blocks, and returns their number.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow_blocks(source: &[u16], destination: &mut [u8]) -> usize {
    run_of_64s(source, destination, |from, to| marked(narrow_32(from, to)), |bytes| beyond_ascii(bytes))
}

/// The body of [`crate::ascii::unshifted::masks`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn masks(block: &[u8; 64]) -> (u64, u64) {
    let ([first, second], _) = block.as_chunks() else { unreachable!("64 is twice 32") };
    let bytes = [load(first), load(second)];
    let beyond_ascii = mask(bytes);
    (beyond_ascii, mask(bytes.each(|bytes| marked(bytes))) & !beyond_ascii)
}

/// A vector in which the highest bit is set in the bytes that are not ASCII and in the shifts.
///
/// `vpshufb` looks up the lower four bits of each byte of ASCII. It finds a shift with these bits, or a number that is
/// no byte of ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn marked(bytes: __m256i) -> __m256i {
    const NO_SHIFT: i8 = -1;
    let shifts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT, NO_SHIFT,
        0x1B, NO_SHIFT, NO_SHIFT, 0x0E, 0x0F,
    ));
    _mm256_or_si256(bytes, _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(shifts, bytes)))
}
