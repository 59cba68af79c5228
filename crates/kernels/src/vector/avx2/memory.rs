//! Loads and stores of vectors. Each but [`load_up_to`] takes an array as long as its vector or vectors. The only other
//! `unsafe` code of this level is in `accesses.rs`, in calls of functions that need processor features, and in lookups
//! in tables.

use core::arch::x86_64::*;

use crate::base::blocks::{block_mut, up_to};
pub(crate) use crate::vector::accesses::as_pairs;
use crate::vector::accesses::{loads, stores};

loads! {
    [cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt"))]

    /// Loads 32 bytes.
    load: [u8; 32] => __m256i = _mm256_loadu_si256;

    /// Loads 16 bytes.
    load_half: [u8; 16] => __m128i = _mm_loadu_si128;

    /// Loads eight code units.
    load_half_units: [u16; 8] => __m128i = _mm_loadu_si128;

    /// Loads 16 code units.
    load_sixteen_units: [u16; 16] => __m256i = _mm256_loadu_si256;

    /// Loads 16 pairs of bytes as code units of UTF-16LE.
    load_sixteen_pairs: [[u8; 2]; 16] => __m256i = _mm256_loadu_si256;
}

stores! {
    [cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt"))]

    /// Stores 32 bytes.
    store: __m256i => [u8; 32] = _mm256_storeu_si256;

    /// Stores 16 bytes.
    store_half: __m128i => [u8; 16] = _mm_storeu_si128;

    /// Stores eight code units.
    store_half_units: __m128i => [u16; 8] = _mm_storeu_si128;

    /// Stores 16 code units.
    store_sixteen_units: __m256i => [u16; 16] = _mm256_storeu_si256;
}

/// Loads the first 32 bytes of `from`. Lanes after the end of a shorter slice are 0. `None` for fewer than four bytes.
///
/// AVX2 has masks for lanes of four bytes. The bytes after the last whole lane are cut from the last four bytes of the
/// slice:
///
/// ```text
/// slice      a b c d  e f g h  i j
/// whole      a b c d  e f g h  0 0 0 0  0 …
/// last four                g h i j
/// rest                         i j 0 0         (shifted, and only in the lane after the whole ones)
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_up_to(from: &[u8]) -> Option<__m256i> {
    let from = up_to(from, 32);
    let [.., a, b, c, d] = *from else { return None };
    // As the lower half of 64 bits, the last four bytes are shifted until the upper half has the rest.
    let rest = u64::from(u32::from_le_bytes([a, b, c, d])) << (8 * (from.len() % 4)) >> 32;
    let numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let whole = _mm256_set1_epi32((from.len() / 4) as i32);
    // SAFETY: the load reads only the lanes of the mask. Their numbers are less than a quarter of the length, so that
    // all four bytes of such a lane are in `from`.
    let lanes = unsafe { _mm256_maskload_epi32(from.as_ptr().cast(), _mm256_cmpgt_epi32(whole, numbers)) };
    let rest = _mm256_and_si256(_mm256_set1_epi32(rest as i32), _mm256_cmpeq_epi32(whole, numbers));
    Some(_mm256_or_si256(lanes, rest))
}

/// Copies 32 to 64 bytes to the front of `to`, by two copies of 32 bytes, which overlap. Copies nothing if `from` is
/// shorter or `to` has no space. A call of `memcpy` takes longer where the length is hard to predict.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_32_to_64(from: &[u8], to: &mut [u8]) {
    let (Some(first), Some(last)) = (from.first_chunk(), from.last_chunk()) else { return };
    for (bytes, at) in [(first, 0), (last, from.len() - 32)] {
        if let Some(to) = block_mut(to, at) {
            store(load(bytes), to);
        }
    }
}

/// Loads 32 code units into two vectors of 16.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_units(from: &[u16; 32]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: `from` is an array of 32 code units: the first vector takes units 0 to 15, the second units 16 to 31.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())] }
}

/// Stores 32 code units from two vectors of 16.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_units([first, second]: [__m256i; 2], to: &mut [u16; 32]) {
    let to = to.as_mut_ptr();
    // SAFETY: `to` is an array of 32 code units: the first vector fills units 0 to 15, the second units 16 to 31.
    unsafe {
        _mm256_storeu_si256(to.cast(), first);
        _mm256_storeu_si256(to.add(16).cast(), second);
    }
}

/// Loads 32 pairs of bytes into two vectors of 16 code units, as UTF-16LE.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_pairs(from: &[[u8; 2]; 32]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: `from` is an array of 32 pairs: the first vector takes pairs 0 to 15, the second pairs 16 to 31.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(16).cast())] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{Level, levels};

    #[test]
    fn up_to_32_bytes_are_loaded_and_the_lanes_after_them_are_0() {
        if levels().all(|level| level < Level::Avx2) {
            return;
        }
        for length in 0..=40_usize {
            // The slice ends where the allocation ends.
            let bytes: Vec<u8> = (0..length as u8).map(|byte| !byte).collect();
            let mut expected = [0; 32];
            expected.iter_mut().zip(&bytes).for_each(|(to, byte)| *to = *byte);
            // SAFETY: the function is unsafe to call only because it needs the features of AVX2's level, which this
            // processor has by the check above.
            let loaded = unsafe { loaded(&bytes) };
            assert_eq!(loaded, (length >= 4).then_some(expected), "{length}");
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn loaded(from: &[u8]) -> Option<[u8; 32]> {
        let mut bytes = [0xAA; 32];
        store(load_up_to(from)?, &mut bytes);
        Some(bytes)
    }
}
