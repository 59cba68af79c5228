//! UTF-16: validation, byte order and length in UTF-8, 32 code units a step.
//!
//! A step makes a mask of 32 bits that says which code units are surrogates, and for most text this mask is 0.
//! Otherwise it makes the mask of the leading ones: moved up by one, it must be the mask of the trailing ones. The bit
//! that moves out of the mask is `trailing_due`, with which the next step begins:
//!
//! ```text
//! units           a     D83D  DCA9  b     D83D  | DCA9
//! leading         .     1     .     .     1     | .
//! moved up        .     .     1     .     .     | 1        trailing_due
//! trailing        .     .     1     .     .     | 1
//! ```
//!
//! A step that finds an unpaired surrogate, and the last 31 code units, go to the scalar body, which finds the place.
//! [`from_utf16`](crate::utf8::from_utf16()) converts to UTF-8.

use super::scalar;
use crate::{ascii::avx2::in_order, base::*, vector::avx2::*};

pub(crate) use crate::utf8::from_utf16::avx2::bytes_to_utf8;

/// The body of [`crate::utf16::valid_up_to`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    let done = validate(source, &mut nowhere(), |from, _| load_units(from));
    done + scalar::valid_up_to(skip(source, done))
}

/// The body of `from_bytes` in [`crate::utf16`]: copies UTF-16 up to an unpaired surrogate, and rotates each unit by
/// `rotation` bits: by 0 bits for UTF-16LE, by 8 bits for UTF-16BE.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    few_from_bytes(source, destination, rotation).unwrap_or_else(|| more_from_bytes(source, destination, rotation))
}

/// As [`from_bytes`], for 2 to 15 units without surrogates and space for 16 units; otherwise `None`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn few_from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> Option<usize> {
    let pairs = source.as_chunks::<2>().0;
    let (0..16, Some(units), Some(to)) = (pairs.len(), load_up_to(pairs.as_flattened()), destination.first_chunk_mut())
    else {
        return None;
    };
    let units = rotated(units, rotation);
    let surrogates = _mm256_cmpeq_epi16(and(units, 0xF800), set16(0xD800));
    if _mm256_testz_si256(surrogates, surrogates) == 0 {
        clear_upper_halves();
        return None;
    }
    store_sixteen_units(units, to);
    Some(pairs.len())
}

/// As [`from_bytes`], for all but a few units without surrogates.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let done = validate(pairs, destination, |from, to| {
        let units = load_pairs(from).each(|units| rotated(units, rotation));
        store_units(units, to);
        units
    });
    done + scalar::from_bytes(skip(source, 2 * done), skip_mut(destination, done), rotation)
}

/// Rotates each unit by `bits`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rotated(units: __m256i, bits: u16) -> __m256i {
    let [left, right] = [bits, 16 - bits].each(|bits| _mm_set_epi64x(0, bits.into()));
    _mm256_or_si256(_mm256_sll_epi16(units, left), _mm256_srl_epi16(units, right))
}

/// Returns the length of a prefix of `source` that has no unpaired surrogate and fits in `destination`. After the
/// prefix, fewer than 32 units are left, or the next block has an unpaired surrogate, or the next unit is a leading
/// surrogate that the last block cuts off from its pair. `step` loads 32 code units and may store them.
///
/// Invariant of the loop: the first `done` units are valid, but the last one may be a leading surrogate; `trailing_due`
/// is 1 if it is, and 0 otherwise.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn validate<S, D>(source: &[S], destination: &mut [D], step: impl Fn(&[S; 32], &mut [D; 32]) -> [__m256i; 2]) -> usize {
    let mut done = 0;
    let mut trailing_due = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let units = step(from, to);
        let surrogates = equal(units.each(|units| and(units, 0xF800)), 0xD800);
        if surrogates | trailing_due != 0 {
            let leading = equal(units.each(|units| and(units, 0xFC00)), 0xD800);
            let trailing = surrogates & !leading;
            // A trailing surrogate must stand exactly after each leading one.
            if (leading << 1 | trailing_due) != trailing {
                break;
            }
            trailing_due = leading >> 31;
        }
        done += 32;
    }
    done - trailing_due as usize
}

/// The body of [`crate::utf16::swap_bytes`]: rotates each unit by 8 bits.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    let rotated = |units| _mm256_or_si256(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units));
    let (blocks, rest) = units.as_chunks_mut();
    for block in blocks {
        store_units(load_units(block).each(rotated), block);
    }
    scalar::swap_bytes(rest);
}

/// The body of [`crate::utf16::utf8_length`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    let (blocks, rest) = source.as_chunks();
    let mut length = scalar::utf8_length(rest) + 32 * blocks.len();
    for units in blocks.iter().flat_map(|block| load_units(block)) {
        let at_least = |least| _mm256_cmpeq_epi16(units, _mm256_max_epu16(units, set16(least)));
        let surrogates = _mm256_cmpeq_epi16(and(units, 0xF800), set16(0xD800));
        // Every unit has a first byte; units from U+0080 on have a second, and units from U+0800 on a third. Half of a
        // surrogate pair counts as two bytes of the pair's four. The masks have two bits for each unit.
        let two = _mm256_movemask_epi8(at_least(0x80));
        let three = _mm256_movemask_epi8(_mm256_andnot_si256(surrogates, at_least(0x800)));
        length += (two.count_ones() + three.count_ones()) as usize / 2;
    }
    length
}

/// A mask of the units that are equal to `value`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn equal(units: [__m256i; 2], value: u16) -> u32 {
    let [first, second] = units.each(|units| _mm256_cmpeq_epi16(units, set16(value)));
    _mm256_movemask_epi8(in_order(_mm256_packs_epi16(first, second))) as u32
}
