//! Leaving lanes out.

use core::arch::x86_64::*;

/// The bytes of the lanes in `kept`, moved together; 0 behind them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn compress(bytes: __m512i, kept: u64) -> __m512i {
    _mm512_maskz_compress_epi8(kept, bytes)
}
