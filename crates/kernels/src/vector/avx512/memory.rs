//! Loads and stores of vectors, and a few helpers that build vectors.
//!
//! Each load or store takes an array as long as its vector, or a slice and a mask that is made from the slice's length.
//! These, the two values that this file hides from the compiler, and `accesses.rs` are the only `unsafe` code of this
//! level but for lookups in tables and calls of functions that need processor features.

use core::arch::{asm, x86_64::*};

pub(crate) use crate::vector::accesses::as_pairs;
use crate::vector::accesses::{loads, stores};

loads! {
    [cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"))]

    /// Loads 64 bytes.
    load: [u8; 64] => __m512i = _mm512_loadu_si512;

    /// Loads 32 code units.
    load_thirty_two: [u16; 32] => __m512i = _mm512_loadu_si512;

    /// Loads 16 code units.
    load_sixteen: [u16; 16] => __m256i = _mm256_loadu_si256;

    /// Loads 16 bytes.
    load_quarter: [u8; 16] => __m128i = _mm_loadu_si128;
}

stores! {
    [cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"))]

    /// Stores 64 bytes.
    store: __m512i => [u8; 64] = _mm512_storeu_si512;

    /// Stores 32 code units.
    store_thirty_two: __m512i => [u16; 32] = _mm512_storeu_si512;

    /// Stores 16 code units.
    store_sixteen: __m256i => [u16; 16] = _mm256_storeu_si256;
}

/// The address for a masked load from `slice`. An empty slice may point to an address without memory. A masked load of
/// no lanes from such an address is allowed, but the processor takes 80 to 170 ns to find out that no lane is read
/// (Sapphire Rapids), as long as about a hundred loads. So an empty slice is replaced by the address of a static.
#[inline(always)]
fn address_of<T, U>(slice: &[T]) -> *const U {
    static MAPPED: u64 = 0;
    if slice.is_empty() { (&raw const MAPPED).cast() } else { slice.as_ptr().cast() }
}

/// A mask of the lowest `count` bits; all 64 bits if `count` is 64 or more.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn lowest(count: usize) -> u64 {
    _bzhi_u64(!0, count.min(64) as u32)
}

/// Loads 64 code units into two vectors of 32.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_units(from: &[u16; 64]) -> [__m512i; 2] {
    let from = from.as_ptr();
    // SAFETY: `from` is an array of 64 code units: the first vector takes units 0 to 31, the second units 32 to 63.
    unsafe { [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(32).cast())] }
}

/// Stores 64 code units from two vectors of 32.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_units([first, second]: [__m512i; 2], to: &mut [u16; 64]) {
    let to = to.as_mut_ptr();
    // SAFETY: `to` is an array of 64 code units: the first vector fills units 0 to 31, the second units 32 to 63.
    unsafe {
        _mm512_storeu_si512(to.cast(), first);
        _mm512_storeu_si512(to.add(32).cast(), second);
    }
}

/// Loads the first 32 code units of `from`. Lanes after the end of a shorter slice are 0.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_thirty_two_up_to(from: &[u16]) -> __m512i {
    // SAFETY: the load reads only the lanes of the mask, and the mask has `from.len()` bits at most. For an empty slice
    // the mask is 0 and nothing is read.
    unsafe { _mm512_maskz_loadu_epi16(lowest(from.len()) as u32, address_of(from)) }
}

/// Loads the first 64 bytes of `from`. Lanes after the end of a shorter slice are 0.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_up_to(from: &[u8]) -> __m512i {
    // SAFETY: the load reads only the lanes of the mask, and the mask has `from.len()` bits at most. For an empty slice
    // the mask is 0 and nothing is read.
    unsafe { _mm512_maskz_loadu_epi8(lowest(from.len()), address_of(from)) }
}

/// Stores the first `to.len()` bytes of the vector; all 64 if `to` is longer.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_up_to(vector: __m512i, to: &mut [u8]) {
    // SAFETY: the store writes only the lanes of the mask, and the mask has `to.len()` bits at most.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), lowest(to.len()), vector) }
}

/// Loads the first 64 code units of `from` into two vectors of 32. Lanes after the end of a shorter slice are 0.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_units_up_to(from: &[u16]) -> [__m512i; 2] {
    let (first, second) = from.split_at(from.len().min(32));
    // SAFETY: the load reads only the lanes of the mask, and the mask has `from.len()` bits at most. For an empty slice
    // the mask is 0 and nothing is read.
    let load = |from: &[u16]| unsafe { _mm512_maskz_loadu_epi16(lowest(from.len()) as u32, address_of(from)) };
    [load(first), load(second)]
}

/// Stores the first `to.len()` code units of two vectors of 32; all 64 if `to` is longer.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_units_up_to(vectors: [__m512i; 2], to: &mut [u16]) {
    let (first, second) = to.split_at_mut(to.len().min(32));
    for (vector, to) in vectors.into_iter().zip([first, second]) {
        // SAFETY: the store writes only the lanes of the mask, and the mask has `to.len()` bits at most. This `to` is
        // one of the two parts of the destination that `split_at_mut` made.
        unsafe { _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), lowest(to.len()) as u32, vector) }
    }
}

/// Loads 64 pairs of bytes into two vectors of 32 code units, as UTF-16LE.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_pairs(from: &[[u8; 2]; 64]) -> [__m512i; 2] {
    let from = from.as_ptr();
    // SAFETY: `from` is an array of 64 pairs: the first vector takes pairs 0 to 31, the second pairs 32 to 63.
    unsafe { [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(32).cast())] }
}

/// Loads the first 64 pairs of bytes into two vectors of 32 code units, as UTF-16LE. Lanes after the end of a shorter
/// slice are 0.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_pairs_up_to(from: &[[u8; 2]]) -> [__m512i; 2] {
    let (first, second) = from.split_at(from.len().min(32));
    // SAFETY: the load reads only the lanes of the mask, and the mask has `from.len()` bits at most. A lane and a pair
    // both have two bytes. For an empty slice the mask is 0 and nothing is read.
    let load = |from: &[[u8; 2]]| unsafe { _mm512_maskz_loadu_epi16(lowest(from.len()) as u32, address_of(from)) };
    [load(first), load(second)]
}

/// Loads the first 16 pairs of bytes as code units in UTF-16LE, and returns them with the number of pairs that were
/// loaded. Lanes after the end of a shorter slice are 0.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_sixteen_pairs_up_to(from: &[[u8; 2]]) -> (__m256i, usize) {
    let count = from.len().min(16);
    // SAFETY: the load reads only the lanes of the mask, and the mask has `count` bits, where `count` ≤ `from.len()` by
    // the `min` above. A lane and a pair both have two bytes.
    (unsafe { _mm256_maskz_loadu_epi16(lowest(count) as u16, address_of(from)) }, count)
}

/// Loads 16 bytes and repeats them in each of the vector's four 128-bit lanes: a table of 16 entries for `vpshufb`,
/// which looks up within 128-bit lanes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn table(entries: &'static [u8; 16]) -> __m512i {
    _mm512_broadcast_i32x4(load_quarter(hidden(entries)))
}

/// Joins two vectors of 256 bits to one of 512.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn join_halves(lower: __m256i, upper: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper)
}

/// Splits a vector of 512 bits into its lower and its upper 256 bits.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn halves(vector: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector)]
}

/// Splits a vector of 256 bits into its lower and its upper 128 bits.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn quarters(half: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half)]
}

/// A vector whose lanes hold their own numbers: the bytes 0 to 63.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn numbered() -> __m512i {
    const LANE_NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut lane = 0;
        while lane < 64 {
            numbers[lane] = lane as u8;
            lane += 1;
        }
        numbers
    };
    load(&LANE_NUMBERS)
}

/// Makes vectors that repeat a constant.
///
/// The compiler writes such a vector into the program as 64 bytes, once for each function that uses it. A constant that
/// the compiler does not know takes two instructions of at most 13 bytes. A value of this type is 0, and hides that
/// from the compiler; a constant plus 0 is then a number that the compiler does not know. The value is made before a
/// loop, so that the compiler can also make the vectors before the loop.
#[derive(Clone, Copy)]
pub(crate) struct Constants(u64);

impl Constants {
    /// The value that is 0.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        let mut zero = 0;
        // SAFETY: the text is a comment, so no instruction is executed, and the register keeps its value.
        unsafe { asm!("/* {0} */", inout(reg) zero, options(pure, nomem, nostack, preserves_flags)) };
        Constants(zero)
    }

    /// A value that does not hide that it is 0. The vectors are the compiler's own, of 64 bytes each, for loops in
    /// which vectors that are made before the loop take longer.
    pub(crate) const KNOWN: Self = Constants(0);

    /// Repeats `byte` in all 64 lanes.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn bytes(self, byte: u8) -> __m512i {
        _mm512_set1_epi32((self.0 as u32).wrapping_add(u32::from(byte) * 0x0101_0101) as i32)
    }

    /// Repeats `unit` in all 32 lanes of 16 bits.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn units(self, unit: u16) -> __m512i {
        _mm512_set1_epi32((self.0 as u32).wrapping_add(u32::from(unit) * 0x0001_0001) as i32)
    }

    /// Repeats `eight_bytes` in all eight lanes of 64 bits.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn eight_bytes(self, eight_bytes: u64) -> __m512i {
        _mm512_set1_epi64(self.0.wrapping_add(eight_bytes) as i64)
    }
}

/// Returns `array`, and hides from the compiler which array it is. The compiler would write the array into the program
/// once for each function that loads it into a vector.
#[inline(always)]
#[expect(clippy::pointers_in_nomem_asm_block, reason = "no instruction accesses memory through the pointer")]
pub(crate) fn hidden<const N: usize>(array: &'static [u8; N]) -> &'static [u8; N] {
    let mut address = array.as_ptr();
    // SAFETY: the text is a comment, so no instruction is executed, and the register keeps its value. So the address is
    // still that of `array`.
    unsafe {
        asm!("/* {0} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        &*address.cast()
    }
}
