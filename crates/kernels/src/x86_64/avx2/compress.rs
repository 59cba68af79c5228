//! Leaving lanes out.

use core::arch::x86_64::*;

use crate::kept::KEPT;

/// The units of the lanes in `kept`, moved together; others behind them.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn compress_units(units: __m128i, kept: u8) -> __m128i {
    let lanes = numbers(kept);
    // The two bytes of lane 3 are 6 and 7.
    let first = _mm_add_epi8(lanes, lanes);
    let both = _mm_unpacklo_epi8(first, first);
    _mm_shuffle_epi8(units, _mm_or_si128(both, _mm_set1_epi16(0x0100)))
}

/// The bytes in `kept`, moved together in each half; others behind them.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn compress_halves(bytes: __m128i, kept: [u8; 2]) -> __m128i {
    let [lower, upper] = kept.map(|kept| numbers(kept));
    let places = _mm_unpacklo_epi64(lower, upper);
    _mm_shuffle_epi8(bytes, _mm_or_si128(places, _mm_set_epi64x(0x0808_0808_0808_0808, 0)))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn numbers(kept: u8) -> __m128i {
    _mm_cvtsi64_si128(KEPT[usize::from(kept & 0x7F)] as i64)
}
