//! Encodings of one and two bytes per character.

use core::arch::x86_64::*;

use super::{ascii, memory::load_units};
use crate::{
    double_byte::ToDoubleByte,
    pointers::{self, Vectors},
};

pub(crate) use crate::scalar::double_byte::to_utf16;

/// Converts from UTF-16 by chunks.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let less = |units: &[u16; 64], limit: u16| {
        let (halves, _) = units.as_chunks();
        let [first, second] = [&halves[0], &halves[1]].map(|units| less_than(load_units(units), limit));
        u64::from(first) | u64::from(second) << 32
    };
    let narrow = |from: &[u16], to: &mut [u8]| ascii::narrow(from, to);
    let vectors = Vectors { less, pointers: pointers::pointers, narrow, write: pointers::write };
    pointers::from_utf16(encoding, source, destination, vectors)
}

/// Which of 32 code units are less than `limit`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn less_than(units: [__m256i; 2], limit: u16) -> u32 {
    // Nothing is left of those that are less than the limit, if the limit less one is subtracted and saturated.
    let most = _mm256_set1_epi16(limit.wrapping_sub(1) as i16);
    let [first, second] = units.map(|units| {
        let over = _mm256_subs_epu16(units, most);
        _mm256_cmpeq_epi16(over, _mm256_setzero_si256())
    });
    // Packing works within halves of vectors.
    let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(first, second));
    let mask = _mm256_movemask_epi8(packed) as u32;
    if limit == 0 { 0 } else { mask }
}
