//! Compression: moving the selected lanes of a vector together, by a shuffle from the table [`KEPT`].

use core::arch::x86_64::*;

use crate::base::blocks::{Each, block_mut};
use crate::vector::{avx2::lanes::halves, kept::KEPT};

/// Moves the code units of the lanes whose bits are set in `kept` to the front, in their order. The lanes after them
/// have no meaning.
///
/// ```text
/// units    a  b  c  d  e  f  g  h
/// kept     1  .  .  1  .  1  .  .
/// result   a  d  f  h  …                 (the entry always ends with lane 7)
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn compress_units(units: __m128i, kept: u8) -> __m128i {
    let lanes = numbers(kept);
    // The bytes of lane *n* are 2*n* and 2*n* + 1.
    let first = _mm_add_epi8(lanes, lanes);
    let both = _mm_unpacklo_epi8(first, first);
    _mm_shuffle_epi8(units, _mm_or_si128(both, _mm_set1_epi16(0x0100)))
}

/// Moves the bytes whose bits are set in `kept` to the front of each half of the vector, in their order. The bytes
/// after these in each half have no meaning.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn compress_halves(bytes: __m128i, kept: [u8; 2]) -> __m128i {
    let [lower, upper] = kept.each(|kept| numbers(kept));
    let places = _mm_unpacklo_epi64(lower, upper);
    _mm_shuffle_epi8(bytes, _mm_or_si128(places, _mm_set_epi64x(0x0808_0808_0808_0808, 0)))
}

/// Writes the bytes of `lanes` whose bits are set in `kept`, and returns their number. Eight bytes at a time are moved
/// together by a shuffle and stored; the next eight begin after those that count, and overwrite the others. So the
/// stores also overwrite some bytes after the last one that counts.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_bytes(lanes: __m256i, kept: u32, to: &mut [u8; 32]) -> usize {
    let ([lower, upper], [a, b, c, d]) = (halves(lanes), kept.to_le_bytes());
    let (lower, upper) = (compress_halves(lower, [a, b]), compress_halves(upper, [c, d]));
    let quarters = [
        (_mm_cvtsi128_si64(lower), a),
        (_mm_extract_epi64::<1>(lower), b),
        (_mm_cvtsi128_si64(upper), c),
        (_mm_extract_epi64::<1>(upper), d),
    ];
    let mut written = 0;
    for (bytes, kept) in quarters {
        *block_mut(to, written).expect("each quarter before has written at most eight bytes") = bytes.to_le_bytes();
        written += kept.count_ones() as usize;
    }
    written
}

/// The numbers of the lanes in `kept`, one byte each, followed by 7. The bit of lane 7 makes no difference: lane 7
/// always comes last, and if it is not kept it does not count.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn numbers(kept: u8) -> __m128i {
    _mm_cvtsi64_si128(KEPT[usize::from(kept & 0x7F)] as i64)
}
