//! Arithmetic on the lanes of a vector, with AVX2.

use core::arch::x86_64::*;

/// Repeats `byte` in each lane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn set8(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte as i8)
}

/// Repeats `value` in each lane of 16 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn set16(value: u16) -> __m256i {
    _mm256_set1_epi16(value as i16)
}

/// The `bits` of each code unit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn and(units: __m256i, bits: u16) -> __m256i {
    _mm256_and_si256(units, set16(bits))
}

/// Splits a vector of 256 bits into its lower and its upper 128 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn halves(vector: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector)]
}
