//! Leaving lanes out, and where those that are left came from.

use core::{arch::x86_64::*, hint::black_box};

/// The bytes of the lanes in `kept`, moved together; 0 behind them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn compress(bytes: __m512i, kept: u64) -> __m512i {
    _mm512_maskz_compress_epi8(kept, bytes)
}

/// Of what is moved together from several steps, the step and the place in it that item `number` came from. Each step has a bit for
/// each of its items, which are more than `number` in all.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn came_from(steps: &[u64], mut number: usize) -> (usize, usize) {
    // Not once for each.
    for (step, &bits) in black_box(steps).iter().enumerate() {
        let count = bits.count_ones() as usize;
        if number < count {
            return (step, _pdep_u64(1 << number, bits).trailing_zeros() as usize);
        }
        number -= count;
    }
    (steps.len(), 0)
}
