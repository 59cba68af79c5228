//! Code points up to U+00FF.

use super::{
    ascii::{in_order, run, widened},
    memory::{load, load_units, store, store_units},
};
use crate::{blocks::nowhere, scalar::latin1 as scalar};
use core::arch::x86_64::*;

pub(crate) use scalar::{from_utf8, prefix_length_utf8, to_utf8};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        store_units(widened(load(from)), to);
        _mm256_setzero_si256()
    };
    run(source, destination, step, |_| 0, scalar::to_utf16)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let units = load_units(from);
        store(lower_bytes(units), to);
        upper_bytes(units)
    };
    run(source, destination, step, |upper| other_than_0(upper), scalar::from_utf16)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let step = |from: &_, _: &mut _| upper_bytes(load_units(from));
    run(source, &mut nowhere(), step, |upper| other_than_0(upper), |from, _| scalar::prefix_length_utf16(from))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lower_bytes(units: [__m256i; 2]) -> __m256i {
    let [first, second] = units.map(|units| _mm256_and_si256(units, _mm256_set1_epi16(0xFF)));
    in_order(_mm256_packus_epi16(first, second))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn upper_bytes(units: [__m256i; 2]) -> __m256i {
    let [first, second] = units.map(|units| _mm256_srli_epi16::<8>(units));
    in_order(_mm256_packus_epi16(first, second))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn other_than_0(bytes: __m256i) -> u32 {
    !_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}
