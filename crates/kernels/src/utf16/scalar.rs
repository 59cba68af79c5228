//! UTF-16, without vector instructions.

use crate::{ascii::scalar as ascii, base::*};

pub(crate) use super::bytes_to_utf8_by_units as bytes_to_utf8;

/// The length in code units of the longest prefix of `source` without an unpaired surrogate.
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    let has_none =
        |block: &[u16; ascii::BLOCK_UNITS]| block.iter().fold(0, |any, &unit| any | u16::from(is_surrogate(unit))) == 0;
    let mut length = 0;
    loop {
        let rest = after(source, length);
        length += match rest {
            _ if rest.first_chunk().is_some_and(has_none) => ascii::BLOCK_UNITS,
            [0xD800..=0xDBFF, 0xDC00..=0xDFFF, ..] => 2,
            [0..=0xD7FF | 0xE000..=0xFFFF, ..] => 1,
            _ => return length,
        };
    }
}

/// Byte-swaps each of `units`. The compiler makes vectors of this loop, with the instructions of the level that inlines
/// it.
#[inline(always)]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    units.iter_mut().for_each(|unit| *unit = unit.swap_bytes());
}

/// The number of bytes of the UTF-8 for well-formed UTF-16.
#[inline(never)]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    source
        .iter()
        .map(|&unit| match unit {
            0x0000..=0x007F => 1,
            // A surrogate is half of a pair, which becomes four bytes.
            0x0080..=0x07FF | 0xD800..=0xDFFF => 2,
            _ => 3,
        })
        .sum()
}

/// Reads the well-formed prefix of UTF-16LE if `rotation` is 0, or of UTF-16BE if `rotation` is 8, as much as fits.
/// Returns the number of code units.
#[inline(never)]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let length = (source.len() / 2).min(destination.len());
    // Each block is validated right after it was copied, while it is in the first-level cache. The first blocks are
    // small, because the next error may be near.
    let (mut done, mut size) = (0, 32);
    while done < length {
        let end = length.min(done + size);
        size = 2048.min(2 * size);
        let Some(block) = destination.get_mut(done..end) else { break };
        read_units(after(source, 2 * done), block, rotation);
        let valid = done + valid_up_to(block);
        if valid + 1 < end || (valid < end && end == length) {
            return valid;
        }
        done = valid;
    }
    done
}

/// [`from_bytes`] for UTF-16LE, which tests compare other levels with.
#[cfg(test)]
pub(crate) fn from_le_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 0)
}

/// [`from_bytes`] for UTF-16BE, which tests compare other levels with.
#[cfg(test)]
pub(crate) fn from_be_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 8)
}
