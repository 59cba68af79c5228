//! The bytes of x-user-defined.

use super::{
    ascii::run,
    memory::{load_half, store_units},
};
use crate::{
    blocks::{Each, block},
    private_use::BITS,
    scalar::private_use as scalar,
};
use core::arch::x86_64::*;

/// The body of [`crate::private_use::to_utf16`]. No byte ends the run.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &[u8; 32], to: &mut _| {
        let halves = [0, 16].each(|at| load_half(block(from, at).expect("`from` has 32 bytes")));
        store_units(halves.each(|half| code_units(half)), to);
        _mm256_setzero_si256()
    };
    run(source, destination, step, |_| 0, scalar::to_utf16)
}

/// The code units of 16 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn code_units(bytes: __m128i) -> __m256i {
    _mm256_and_si256(_mm256_cvtepi8_epi16(bytes), _mm256_set1_epi16(BITS as i16))
}
