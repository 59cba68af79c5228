//! Loads and stores of arrays: with the processor's features, all `unsafe` there is.

use core::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store(vector: __m256i, to: &mut [u8; 32]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_half(from: &[u8; 16]) -> __m128i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_half(vector: __m128i, to: &mut [u8; 16]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) }
}

/// The lower half of 16 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_eight(vector: __m128i, to: &mut [u8; 8]) {
    // SAFETY: the array is as long as half of the vector.
    unsafe { _mm_storel_epi64(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_half_units(from: &[u16; 8]) -> __m128i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_half_units(vector: __m128i, to: &mut [u16; 8]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_sixteen_units(from: &[u16; 16]) -> __m256i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_sixteen_units(vector: __m256i, to: &mut [u16; 16]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

/// 32 code units, in two vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_units(from: &[u16; 32]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: the array is as long as two vectors of 16.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())] }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_units([first, second]: [__m256i; 2], to: &mut [u16; 32]) {
    let to = to.as_mut_ptr();
    // SAFETY: the array is as long as two vectors of 16.
    unsafe {
        _mm256_storeu_si256(to.cast(), first);
        _mm256_storeu_si256(to.add(16).cast(), second);
    }
}

/// 32 pairs of bytes, as code units, in two vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_pairs(from: &[[u8; 2]; 32]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: the array is as long as two vectors of 16.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())] }
}
