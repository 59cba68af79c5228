//! Loads and stores of slices and arrays that are already cut to length: with the processor's features, all `unsafe` there is. And
//! what vectors are made of.

use core::arch::x86_64::*;

/// Where to load from with a mask. Not from where no memory is, as that of an empty slice may be: even if no lane is read there, to
/// find that out takes the processor as long as a hundred loads.
#[inline(always)]
fn somewhere<T, U>(slice: &[T]) -> *const U {
    static SOMEWHERE: u64 = 0;
    if slice.is_empty() { (&raw const SOMEWHERE).cast() } else { slice.as_ptr().cast() }
}

/// The lowest `count` bits of a mask; all for 64 and more.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn lowest(count: usize) -> u64 {
    _bzhi_u64(!0, count.min(64) as u32)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load(from: &[u8; 64]) -> __m512i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store(vector: __m512i, to: &mut [u8; 64]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
}

/// 64 code units, in two vectors.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_units(from: &[u16; 64]) -> [__m512i; 2] {
    let from = from.as_ptr();
    // SAFETY: the array is as long as two vectors of 32.
    unsafe { [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(32).cast())] }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_units([first, second]: [__m512i; 2], to: &mut [u16; 64]) {
    let to = to.as_mut_ptr();
    // SAFETY: the array is as long as two vectors of 32.
    unsafe {
        _mm512_storeu_si512(to.cast(), first);
        _mm512_storeu_si512(to.add(32).cast(), second);
    }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_thirty_two(from: &[u16; 32]) -> __m512i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_thirty_two(units: __m512i, to: &mut [u16; 32]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), units) }
}

/// The first 32 code units; 0 in the lanes for which there is none.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_thirty_two_up_to(from: &[u16]) -> __m512i {
    // SAFETY: only the lanes in the mask are read, which has as many as the slice, at most.
    unsafe { _mm512_maskz_loadu_epi16(lowest(from.len()) as u32, somewhere(from)) }
}

/// The first 64 bytes; 0 in the lanes for which there is none.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_up_to(from: &[u8]) -> __m512i {
    // SAFETY: only the lanes in the mask are read, which has as many as the slice, at most.
    unsafe { _mm512_maskz_loadu_epi8(lowest(from.len()), somewhere(from)) }
}

/// The first 64 bytes of the vector, as many as there is room for.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_up_to(vector: __m512i, to: &mut [u8]) {
    // SAFETY: only the lanes in the mask are written, which has as many as the slice, at most.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), lowest(to.len()), vector) }
}

/// The first 64 code units in two vectors; 0 in the lanes for which there is none.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_units_up_to(from: &[u16]) -> [__m512i; 2] {
    let (first, second) = from.split_at(from.len().min(32));
    // SAFETY: only the lanes in the mask are read, which has as many as the slice, at most.
    let load = |from: &[u16]| unsafe { _mm512_maskz_loadu_epi16(lowest(from.len()) as u32, somewhere(from)) };
    [load(first), load(second)]
}

/// The 64 code units of two vectors, as many as there is room for.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_units_up_to(vectors: [__m512i; 2], to: &mut [u16]) {
    let (first, second) = to.split_at_mut(to.len().min(32));
    for (vector, to) in vectors.into_iter().zip([first, second]) {
        // SAFETY: only the lanes in the mask are written, which has as many as the slice, at most.
        unsafe { _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), lowest(to.len()) as u32, vector) }
    }
}

/// 64 pairs of bytes, as code units, in two vectors.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_pairs(from: &[[u8; 2]; 64]) -> [__m512i; 2] {
    let from = from.as_ptr();
    // SAFETY: the array is as long as two vectors of 32.
    unsafe { [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(32).cast())] }
}

/// The first 64 pairs of bytes, as code units, in two vectors; 0 in the lanes for which there is none.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_pairs_up_to(from: &[[u8; 2]]) -> [__m512i; 2] {
    let (first, second) = from.split_at(from.len().min(32));
    // SAFETY: only the lanes in the mask are read, which has as many as the slice, at most.
    let load = |from: &[[u8; 2]]| unsafe { _mm512_maskz_loadu_epi16(lowest(from.len()) as u32, somewhere(from)) };
    [load(first), load(second)]
}

/// The first 16 pairs of bytes, as code units; 0 in the lanes for which there is none. And how many there are.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_sixteen_pairs_up_to(from: &[[u8; 2]]) -> (__m256i, usize) {
    let count = from.len().min(16);
    // SAFETY: only the lanes in the mask are read, which has as many as the slice, at most.
    (unsafe { _mm256_maskz_loadu_epi16(lowest(count) as u16, somewhere(from)) }, count)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_sixteen(units: &[u16; 16]) -> __m256i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_sixteen(units: __m256i, room: &mut [u16; 16]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), units) }
}

/// Code units as pairs of bytes.
pub(super) fn as_pairs(units: &[u16]) -> &[[u8; 2]] {
    // SAFETY: a pair is as long as a unit, may stand anywhere, and may have any bits.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load_quarter(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// 16 bytes, four times.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn table(entries: &[u8; 16]) -> __m512i {
    // SAFETY: the array is as long as the vector.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(entries.as_ptr().cast()) })
}

/// A vector of two of half the length.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn both_halves(lower: __m256i, upper: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper)
}

/// The way back.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn halves(vector: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector)]
}

/// The same for half a vector.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn quarters(half: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)]
}

/// 0, 1, 2 and so on to 63.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn numbered() -> __m512i {
    const NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut lane = 0;
        while lane < 64 {
            numbers[lane] = lane as u8;
            lane += 1;
        }
        numbers
    };
    load(&NUMBERS)
}
