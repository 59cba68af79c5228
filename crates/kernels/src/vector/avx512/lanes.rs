//! Comparisons of all lanes of a vector, with AVX-512.

use core::arch::x86_64::*;

use super::memory::Constants;
use crate::base::blocks::Each;

/// A mask of the 64 code units that are at least `least`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn at_least(constants: Constants, [first, second]: [__m512i; 2], least: u16) -> u64 {
    let least = constants.units(least);
    let (first, second) = (_mm512_cmpge_epu16_mask(first, least), _mm512_cmpge_epu16_mask(second, least));
    u64::from(second) << 32 | u64::from(first)
}

/// A mask of the 64 code units that are equal to `value`, which is repeated in all lanes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn equal([first, second]: [__m512i; 2], value: __m512i) -> u64 {
    let (first, second) = (_mm512_cmpeq_epi16_mask(first, value), _mm512_cmpeq_epi16_mask(second, value));
    u64::from(second) << 32 | u64::from(first)
}

/// A mask of the surrogates among 64 code units.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn surrogates(constants: Constants, units: [__m512i; 2]) -> u64 {
    let bits = constants.units(0xF800);
    equal(units.each(|units| _mm512_and_si512(units, bits)), constants.units(0xD800))
}

/// The bitwise or of two vectors.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn or(vector: __m512i, other: __m512i) -> __m512i {
    _mm512_or_si512(vector, other)
}

/// The truth table of "b where a is set, otherwise c" for `vpternlog`: 0xF0, 0xCC and 0xAA are the columns of a, b and
/// c.
pub(crate) const CHOOSE: i32 = 0xF0 & 0xCC | !0xF0 & 0xAA;
