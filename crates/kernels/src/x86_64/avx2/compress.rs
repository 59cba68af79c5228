//! Compression: moving the selected lanes of a vector together, by a shuffle from the table [`KEPT`].

use crate::blocks::Each;
use core::arch::x86_64::*;

use crate::kept::KEPT;

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
pub(super) fn compress_units(units: __m128i, kept: u8) -> __m128i {
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
pub(super) fn compress_halves(bytes: __m128i, kept: [u8; 2]) -> __m128i {
    let [lower, upper] = kept.each(|kept| numbers(kept));
    let places = _mm_unpacklo_epi64(lower, upper);
    _mm_shuffle_epi8(bytes, _mm_or_si128(places, _mm_set_epi64x(0x0808_0808_0808_0808, 0)))
}

/// The numbers of the lanes in `kept`, one byte each, followed by 7. The bit of lane 7 makes no difference: lane 7
/// always comes last, and if it is not kept it does not count.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn numbers(kept: u8) -> __m128i {
    _mm_cvtsi64_si128(KEPT[usize::from(kept & 0x7F)] as i64)
}
