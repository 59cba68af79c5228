//! Compression: moving the selected lanes of a vector together, and finding where a compressed lane came from.

use core::arch::x86_64::*;

use crate::base::opaque::opaque;

/// Moves the bytes of the lanes whose bits are set in `kept` to the front, in their order, and fills the remaining
/// lanes with 0.
///
/// ```text
/// bytes    a  b  c  d  e  f
/// kept     1  .  .  1  .  1
/// result   a  d  f  0  0  0
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn compress(bytes: __m512i, kept: u64) -> __m512i {
    _mm512_maskz_compress_epi8(kept, bytes)
}

/// Finds the origin of item `number` in a list that was compressed from several steps. `steps` has one mask for each
/// step, with one bit for each item of that step; the masks together have more than `number` bits. Returns the index of
/// the step and the position of the item's bit in the mask of that step.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn origin_of(steps: &[u64], mut number: usize) -> (usize, usize) {
    // `opaque` hides from the compiler that there are eight steps. The compiler would otherwise unroll the loop,
    // which makes the program larger and no faster: this function is cold.
    for (step, &bits) in opaque(steps).iter().enumerate() {
        let count = bits.count_ones() as usize;
        if number < count {
            // `pdep` moves bit `number` to the position of the set bit of `bits` that has `number` set bits below it.
            return (step, _pdep_u64(1 << number, bits).trailing_zeros() as usize);
        }
        number -= count;
    }
    (steps.len(), 0)
}
