//! The bytes of x-user-defined.

use super::memory::{load, load_up_to, store_units, store_units_up_to};
use crate::{blocks::Each, private_use::BITS};
use core::arch::x86_64::*;

/// The body of [`crate::private_use::to_utf16`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len().min(destination.len());
    let (from, rest) = source[..length].as_chunks();
    let (to, room) = destination[..length].as_chunks_mut();
    for (from, to) in from.iter().zip(to) {
        store_units(code_units(load(from)), to);
    }
    if !rest.is_empty() {
        store_units_up_to(code_units(load_up_to(rest)), room);
    }
    length
}

/// The code units of 64 bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn code_units(bytes: __m512i) -> [__m512i; 2] {
    [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)]
        .each(|half| _mm512_and_si512(_mm512_cvtepi8_epi16(half), _mm512_set1_epi16(BITS as i16)))
}
