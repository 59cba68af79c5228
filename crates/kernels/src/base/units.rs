//! Code units: surrogates, the unit that stands for no character, and reading them from bytes.

use super::backports::chunks;

/// The entry of a table of code units for a byte or pair without a character. No encoding has U+FFFD.
pub const NULL: u16 = 0xFFFD;

/// Whether `unit` is a surrogate. In a table of pairs, a surrogate stands for a pair that the caller decodes.
#[must_use]
pub const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Whether an entry of a table says that there is no single code unit: [`NULL`] or a surrogate.
#[inline(always)]
pub(crate) fn is_missing(unit: u16) -> bool {
    unit == NULL || is_surrogate(unit)
}

/// Reads UTF-16LE if `rotation` is 0, or UTF-16BE if `rotation` is 8, as much as fits, without validation. Returns the
/// number of code units.
#[inline(never)]
pub(crate) fn read_units(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let (pairs, _) = chunks(source);
    let units = destination.iter_mut().zip(pairs);
    // There are two loops, so that the compiler turns the one without a byte-swap into a copy.
    if rotation == 0 {
        units.for_each(|(to, &pair)| *to = u16::from_le_bytes(pair));
    } else {
        units.for_each(|(to, &pair)| *to = u16::from_be_bytes(pair));
    }
    pairs.len().min(destination.len())
}
