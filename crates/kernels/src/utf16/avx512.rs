//! UTF-16: validation and byte order, 64 code units a step. The length in UTF-8 is counted by AVX2's body.
//!
//! As with AVX2, a mask of leading surrogates, moved up by one, must be the mask of trailing ones, and the bit that
//! moves out is due in the next step. The lowest bit in which the two masks differ is the place of the error, so that
//! no other body has to search for it. The last code units are loaded under a mask; lanes after the end hold 0, which
//! is no surrogate.

use super::{avx2::few_from_bytes, scalar};
use crate::{base::*, vector::avx512::*};

pub(crate) use crate::utf8::from_utf16::avx512::bytes_to_utf8;

/// The body of [`crate::utf16::valid_up_to`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    validate(source, &mut nowhere(), |from, _| load_units(from), |from, _| load_units_up_to(from))
}

/// The body of `from_bytes` in [`crate::utf16`]: copies UTF-16 up to an unpaired surrogate, and rotates each unit by
/// `rotation` bits: by 0 bits for UTF-16LE, by 8 bits for UTF-16BE.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    few_from_bytes(source, destination, rotation).unwrap_or_else(|| more_from_bytes(source, destination, rotation))
}

/// As [`from_bytes`], for all but a few units without surrogates. A step loads 64 pairs of bytes as code units, rotates
/// the two bytes of each, and stores them before [`validate`] asks whether they are surrogates. The last pairs are
/// loaded and stored under a mask.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let rotation = _mm512_set1_epi16(rotation as i16);
    let rotated = |units: [__m512i; 2]| units.each(|units| _mm512_shldv_epi16(units, units, rotation));
    validate(
        pairs,
        destination,
        |from, to| {
            let units = rotated(load_pairs(from));
            store_units(units, to);
            units
        },
        |from, to| {
            let units = rotated(load_pairs_up_to(from));
            store_units_up_to(units, to);
            units
        },
    )
}

/// Returns the length of the longest prefix of `source` that has no unpaired surrogate and fits in `destination`.
/// `step` loads 64 code units and may store them; `last` does the same for at most 63 units at the end.
///
/// Invariant of the loop: the first `done` units are valid, but the last one may be a leading surrogate; `trailing_due`
/// is 1 if it is, and 0 otherwise.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn validate<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 64], &mut [D; 64]) -> [__m512i; 2],
    last: impl Fn(&[S], &mut [D]) -> [__m512i; 2],
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let constants = Constants::new();
    let mut done = 0;
    let mut trailing_due = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let units = step(from, to);
        let surrogates = surrogates(constants, units);
        if surrogates | trailing_due != 0 {
            match pair_up(constants, units, surrogates, trailing_due) {
                Ok(due) => trailing_due = due,
                Err(valid) => return done.wrapping_add_signed(valid),
            }
        }
        done += 64;
    }
    // Lanes after the end hold 0, which is no trailing surrogate.
    let units = last(skip(source, done), skip_mut(destination, done));
    match pair_up(constants, units, surrogates(constants, units), trailing_due) {
        Ok(_) => length,
        Err(valid) => done.wrapping_add_signed(valid),
    }
}

/// Checks that `surrogates`, a mask of the surrogates among 64 units, form pairs. Bit 0 of `trailing_due` says that the
/// first unit must be a trailing surrogate. Returns the `trailing_due` of the next units. The error is the index of the
/// first unpaired surrogate; it is -1 if the unit before these 64 is an unpaired leading surrogate.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn pair_up(constants: Constants, units: [__m512i; 2], surrogates: u64, trailing_due: u64) -> Result<u64, isize> {
    let bits = constants.units(0xFC00);
    let leading = equal(units.each(|units| _mm512_and_si512(units, bits)), constants.units(0xD800));
    let trailing = surrogates & !leading;
    // A trailing surrogate must stand exactly after each leading one. The lowest bit of `unpaired` is an unpaired
    // trailing surrogate, or the unit after an unpaired leading one.
    let unpaired = (leading << 1 | trailing_due) ^ trailing;
    if unpaired == 0 {
        return Ok(leading >> 63);
    }
    let at = unpaired.trailing_zeros();
    let is_trailing = trailing >> at & 1;
    Err(at as isize - (1 - is_trailing as isize))
}

/// The body of [`crate::utf16::swap_bytes`]: rotates each unit by 8 bits.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    let (blocks, rest) = units.as_chunks_mut();
    for block in blocks {
        store_units(load_units(block).each(|units| _mm512_shldi_epi16::<8>(units, units)), block);
    }
    scalar::swap_bytes(rest);
}
