//! Loads and stores of vectors. Each function takes an array as long as its vector. The only other `unsafe` code of
//! this level is in calls of functions that need processor features, and in lookups in tables.

use core::arch::x86_64::*;

/// Loads 32 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: `from` is an array of 32 bytes, the length of the vector. The load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Stores 32 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store(vector: __m256i, to: &mut [u8; 32]) {
    // SAFETY: `to` is an array of 32 bytes, the length of the vector. The store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_half(from: &[u8; 16]) -> __m128i {
    // SAFETY: `from` is an array of 16 bytes, the length of the vector.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_half(vector: __m128i, to: &mut [u8; 16]) {
    // SAFETY: `to` is an array of 16 bytes, the length of the vector.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) }
}

/// Loads eight code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_half_units(from: &[u16; 8]) -> __m128i {
    // SAFETY: `from` is an array of eight code units, which are the 16 bytes of the vector.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Stores eight code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_half_units(vector: __m128i, to: &mut [u16; 8]) {
    // SAFETY: `to` is an array of eight code units, which are the 16 bytes of the vector.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) }
}

/// Loads 16 code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_sixteen_units(from: &[u16; 16]) -> __m256i {
    // SAFETY: `from` is an array of 16 code units, which are the 32 bytes of the vector.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Stores 16 code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_sixteen_units(vector: __m256i, to: &mut [u16; 16]) {
    // SAFETY: `to` is an array of 16 code units, which are the 32 bytes of the vector.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
}

/// Loads 32 code units into two vectors of 16.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_units(from: &[u16; 32]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: `from` is an array of 32 code units: the first vector takes units 0 to 15, the second units 16 to 31.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())] }
}

/// Stores 32 code units from two vectors of 16.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_units([first, second]: [__m256i; 2], to: &mut [u16; 32]) {
    let to = to.as_mut_ptr();
    // SAFETY: `to` is an array of 32 code units: the first vector fills units 0 to 15, the second units 16 to 31.
    unsafe {
        _mm256_storeu_si256(to.cast(), first);
        _mm256_storeu_si256(to.add(16).cast(), second);
    }
}

/// The bytes of code units as they lie in memory.
pub(super) fn as_pairs(units: &[u16]) -> &[[u8; 2]] {
    // SAFETY: a `u16` has two bytes, which are initialized, and an array of bytes may lie at any address. So the slice
    // is as long as `units` in bytes, and it borrows `units`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// Loads 32 pairs of bytes into two vectors of 16 code units, as UTF-16LE.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_pairs(from: &[[u8; 2]; 32]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: `from` is an array of 32 pairs: the first vector takes pairs 0 to 15, the second pairs 16 to 31.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())] }
}
