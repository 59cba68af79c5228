//! Sequences of four bytes whose consecutive pointers have consecutive code points, as in
//! [index gb18030 ranges](https://encoding.spec.whatwg.org/#index-gb18030-ranges).
//!
//! The first and the third byte of a sequence are 0x81 to 0xFE, and the second and the fourth are 0x30 to 0x39. A
//! sequence is a number with four digits: its pointer.

#[cfg(vectors = "x86_64")]
mod avx2;
#[cfg(test)]
mod tests;

use crate::{base::*, level::at_level};

/// Consecutive pointers that have consecutive code points. All code points are code units, and none is ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first pointer.
    pub pointer: u32,
    /// The code unit of the first pointer.
    pub unit: u16,
    /// The number of pointers. The last pointer and the last code unit are at most 0xFFFF.
    pub length: u32,
}

impl Range {
    /// No pointers.
    pub const NONE: Self = Range { pointer: 0, unit: 0, length: 0 };

    /// The code unit of `pointer`; `None` if the range does not contain it.
    #[inline(always)]
    #[must_use]
    pub fn unit(&self, pointer: u32) -> Option<u16> {
        let place = pointer.wrapping_sub(self.pointer);
        (place < self.length).then(|| self.unit.wrapping_add(place as u16))
    }
}

/// The pointer of the four-byte sequence that `bytes` starts with; `None` if `bytes` starts with anything else.
#[inline(always)]
#[must_use]
pub fn pointer(bytes: &[u8]) -> Option<u32> {
    let &[first, second, third, fourth] = bytes.first_chunk()?;
    // In 32 bits, no digit has to be cut to a byte after its subtraction.
    let digit = |byte: u8, zero: u32| u32::from(byte).wrapping_sub(zero);
    let [a, b, c, d] = [digit(first, 0x81), digit(second, 0x30), digit(third, 0x81), digit(fourth, 0x30)];
    let is_one = (a < 126) & (b < 10) & (c < 126) & (d < 10);
    is_one.then(|| ((a * 10 + b) * 126 + c) * 10 + d)
}

/// The four-byte sequence of `pointer`.
#[inline(always)]
#[must_use]
pub fn bytes(pointer: u32) -> [u8; 4] {
    let [upper, lower] = [pointer / 1260, pointer % 1260];
    [0x81 + (upper / 10) as u8, 0x30 + (upper % 10) as u8, 0x81 + (lower / 10) as u8, 0x30 + (lower % 10) as u8]
}

/// The number of sequences that are converted one by one before vectors are tried. Many texts have only a few such
/// sequences in a row, and a vector body returns without work for fewer than 64 bytes or 8 code units. See
/// `docs/experiments.md#sequences-of-four-bytes`.
const VECTORS_FROM_SEQUENCES: u32 = 2;

/// Decodes sequences of the range, and single ASCII bytes between them, to UTF-16. Stops before any other byte, before
/// a sequence that the end of `source` cuts off, before two ASCII bytes in a row, and when `destination` is full.
/// Returns `(read, written)`.
///
/// A level may decode ASCII runs that another level stops before.
pub fn to_utf16(range: &Range, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written, mut sequences) = (0, 0, 0);
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if sequences >= VECTORS_FROM_SEQUENCES && rest.len() > 64 {
            sequences = 0;
            let (bytes, units): (usize, usize) = at_level!(from avx2: to_utf16(range, rest, room)).unwrap_or_default();
            (read, written) = (read + bytes, written + units);
            continue;
        }
        let Some(room) = room.first_mut() else { break };
        if let Some(unit) = pointer(rest).and_then(|pointer| range.unit(pointer)) {
            *room = unit;
            (read, sequences) = (read + 4, sequences + 1);
        } else if let &[byte @ 0x00..=0x7F, 0x80..=0xFF, ..] = rest {
            *room = byte.into();
            read += 1;
        } else {
            break;
        }
        written += 1;
    }
    (read, written)
}

/// Encodes code units of the range, and single ASCII code units between them. Stops before any other code unit, before
/// two ASCII code units in a row, and when fewer than four bytes of `destination` are left. Returns `(read, written)`.
///
/// A level may encode ASCII runs that another level stops before.
pub fn from_utf16(range: &Range, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written, mut sequences) = (0, 0, 0);
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if sequences >= VECTORS_FROM_SEQUENCES && rest.len() >= 8 {
            sequences = 0;
            let (units, bytes): (usize, usize) =
                at_level!(from avx2: from_utf16(range, rest, room)).unwrap_or_default();
            (read, written) = (read + units, written + bytes);
            continue;
        }
        let (Some(&unit), Some(room)) = (rest.first(), room.first_chunk_mut::<4>()) else { break };
        let place = u32::from(unit.wrapping_sub(range.unit));
        if place < range.length {
            *room = bytes(range.pointer + place);
            written += 4;
            sequences += 1;
        } else if let [0x00..=0x7F, 0x80..=0xFFFF, ..] = rest {
            room[0] = unit as u8;
            written += 1;
        } else {
            break;
        }
        read += 1;
    }
    (read, written)
}
