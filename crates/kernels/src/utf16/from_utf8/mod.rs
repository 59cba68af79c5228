//! UTF-8 to UTF-16.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
mod avx512;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
mod v128;

use super::{as_units_mut, swap_bytes};
use crate::base::{malformed::alternately, *};
use crate::level::{at_level, dispatch};
use crate::utf8::malformed::{self, utf8_with_few_errors};

/// Converts the well-formed prefix of `source` to UTF-16. Returns `(read, written)`.
#[inline]
pub fn from_utf8(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    dispatch!(from_utf8(source: &[u8], destination: &mut [u16]) -> (usize, usize))
}

/// Converts the prefix of `source` that is UTF-8 to UTF-16LE. Returns `(read, written)`, both in bytes.
pub fn from_utf8_to_le_bytes(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    from_utf8_to_bytes(source, destination, cfg!(target_endian = "big"))
}

/// Converts the prefix of `source` that is UTF-8 to UTF-16BE. Returns `(read, written)`, both in bytes.
pub fn from_utf8_to_be_bytes(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    from_utf8_to_bytes(source, destination, cfg!(target_endian = "little"))
}

/// The number of bytes of UTF-8 that are converted before the second pass over their code units. The code units, at
/// most 8 KiB, are then still in the first-level cache.
const BYTES_PER_PASS: usize = 4096;

/// Converts to UTF-16 in the byte order of this machine, or in the other byte order if `swaps`. An aligned destination
/// is written directly, and byte-swapped block by block in a second pass. A destination at an odd address is written by
/// way of a block of code units.
fn from_utf8_to_bytes(source: &[u8], destination: &mut [u8], swaps: bool) -> (usize, usize) {
    if let Some(units) = as_units_mut(destination) {
        if !swaps {
            let (read, written) = from_utf8(source, units);
            return (read, 2 * written);
        }
        return by_passes(source, |piece, done| {
            let units = skip_mut(units, done);
            let (read, written) = from_utf8(piece, units);
            swap_bytes(units.get_mut(..written).unwrap_or_default());
            (read, written)
        });
    }
    let mut block = [0; BYTES_PER_PASS / 4];
    by_passes(source, |piece, done| {
        let space = chunks_mut(skip_mut(destination, 2 * done));
        let limit = block.len().min(space.len());
        let (read, written) = from_utf8(piece, block.get_mut(..limit).unwrap_or_default());
        if swaps {
            swap_bytes(block.get_mut(..written).unwrap_or_default());
        }
        space.iter_mut().zip(up_to(&block, written)).for_each(|(to, unit)| *to = unit.to_ne_bytes());
        (read, written)
    })
}

/// Calls `convert` for pieces of `source` with the number of code units so far, until a call reads nothing. `convert`
/// returns how many bytes it read and code units it wrote. Returns `(read, written)`, both in bytes.
fn by_passes(source: &[u8], mut convert: impl FnMut(&[u8], usize) -> (usize, usize)) -> (usize, usize) {
    let (mut read, mut units) = (0, 0);
    loop {
        let (more_read, more_units) = convert(up_to(skip(source, read), BYTES_PER_PASS), units);
        (read, units) = (read + more_read, units + more_units);
        if more_read == 0 || read == source.len() {
            return (read, 2 * units);
        }
    }
}

/// Decodes UTF-8 to UTF-16, with U+FFFD for each error as the Standard's decoder counts errors. Leaves up to a few
/// bytes unread at the end of `source`, where a sequence may be incomplete, and when `destination` is nearly full. How
/// many bytes it leaves differs between levels. Returns `(read, written)`.
pub fn from_utf8_replacing(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if let Some(counts) = at_level!(avx512: from_utf8_replacing(source, destination)) {
        return counts;
    }
    let kernel =
        |source: &[u8], destination: &mut [u16]| utf8_with_few_errors(source, destination, &[0xFFFD], &from_utf8);
    alternately(source, destination, 1, &kernel, &malformed::utf8_to_utf16)
}
