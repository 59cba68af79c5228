//! Encodings of one byte per character: a table of 128 code units, and ASCII below it.
//!
//! Only code points up to U+FFFF other than surrogates occur, so that a character is a code unit.

use crate::level::dispatch;

/// What stands in a table of code points where a byte has no character. No encoding has U+FFFD.
pub const NULL: u16 = 0xFFFD;
/// What stands in no table, because it is no code point of a character.
pub const NEVER: u16 = 0xD800;

/// The way back from code points to bytes.
#[derive(Clone, Copy, Debug)]
pub struct ByCodePoint<'a> {
    /// For each block of [`BLOCK`] code points from U+0000 on, where it starts in `bytes`, divided by [`ALIGN`].
    pub blocks: &'a [u8],
    /// Bytes by code point within a block; 0 where there is none.
    pub bytes: &'a [u8],
    /// The numbers of the four blocks that hold most.
    pub windows: &'a [u16; 4],
}

/// Code points in a block.
pub const BLOCK: usize = 128;
/// Blocks start at multiples of this.
pub const ALIGN: usize = 8;

impl ByCodePoint<'_> {
    /// The block with this number; `None` if there is nothing in it.
    pub(crate) fn block(&self, number: u16) -> Option<&[u8; BLOCK]> {
        let start = usize::from(*self.blocks.get(usize::from(number))?) * ALIGN;
        self.bytes[start..].first_chunk()
    }

    /// The byte for a code unit that is not ASCII; `None` if there is none.
    pub(crate) fn byte(&self, unit: u16) -> Option<u8> {
        match self.block(unit / BLOCK as u16)?[usize::from(unit) % BLOCK] {
            0 => None,
            byte => Some(byte),
        }
    }
}

/// Converts bytes to UTF-16, as many as fit, and stops before one whose code unit is `end`: [`NULL`] to stop before what
/// has no character, [`NEVER`] to put U+FFFD there, which is what stands in the table. Returns how many.
pub fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(single_byte::to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize)
}

/// Converts bytes to UTF-8, as many whole characters as fit. Stops as [`to_utf16`] does. Returns `(read, written)`.
pub fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(single_byte::to_utf8(
        code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// Converts UTF-16 to bytes, as many as fit, and stops before a code unit that has no byte. Returns how many.
pub fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    dispatch!(single_byte::from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        level::{force, levels},
        scalar::single_byte as scalar,
    };

    /// A table like Russian's, with three-byte characters and holes, and the way back.
    struct Tables {
        code_points: [u16; 128],
        blocks: Vec<u8>,
        bytes: Vec<u8>,
        windows: [u16; 4],
    }

    impl Tables {
        /// `last` is the code point of 0xFF, those of the bytes before go down from it; every fifth is instead beyond the
        /// windows, and the byte 0xA5 has none.
        fn new(last: u16, scattered: u16) -> Self {
            let code_points: [u16; 128] = std::array::from_fn(|at| match at {
                0x25 => NULL,
                _ if at % 5 == 0 => scattered + 130 * (at as u16),
                _ => last - 127 + at as u16,
            });
            let highest = code_points.iter().filter(|&&unit| unit != NULL).max().unwrap();
            let mut blocks = vec![0; usize::from(highest / 128) + 1];
            let mut bytes = vec![0; BLOCK];
            for (at, &unit) in code_points.iter().enumerate().filter(|&(_, &unit)| unit != NULL) {
                let block = &mut blocks[usize::from(unit / 128)];
                if *block == 0 {
                    *block = (bytes.len() / ALIGN) as u8;
                    bytes.resize(bytes.len() + BLOCK, 0);
                }
                bytes[usize::from(*block) * ALIGN + usize::from(unit % 128)] = 0x80 + at as u8;
            }
            Tables { code_points, blocks, bytes, windows: [last / 128, last / 128 - 1, 1, scattered / 128] }
        }

        fn by_code_point(&self) -> ByCodePoint<'_> {
            ByCodePoint { blocks: &self.blocks, bytes: &self.bytes, windows: &self.windows }
        }
    }

    const fn tables() -> [(u16, u16); 3] {
        [(0x04FF, 0x0500), (0x2BFF, 0x00A0), (0x07FF, 0x0100)]
    }

    /// Bytes in which runs of ASCII and others take turns.
    fn text(length: usize, seed: usize) -> Vec<u8> {
        (0..length)
            .map(|at| {
                if (at / (1 + seed % 37)).is_multiple_of(2) {
                    b'a' + (at % 26) as u8
                } else {
                    0xA6 + (at * 7 + seed) as u8 % 0x5A
                }
            })
            .collect()
    }

    #[test]
    fn every_level_does_as_the_scalar_one() {
        for level in levels() {
            force(Some(level));
            every_text();
        }
        force(None);
    }

    fn every_text() {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            for length in 0..=200 {
                let mut source = text(length, length);
                for hole in (0..length).rev().step_by(3).map(Some).chain([None]) {
                    let before = hole.map(|at| std::mem::replace(&mut source[at], 0xA5));
                    for room in [length, length + 1, length / 2, 3 * length, 3 * length + 200] {
                        check(&tables, &source, room);
                    }
                    if let (Some(at), Some(before)) = (hole, before) {
                        source[at] = before;
                    }
                }
            }
        }
    }

    /// Code units that have no byte, or that are outside of all windows, at every place.
    #[test]
    fn every_level_stops_before_what_has_no_byte() {
        for level in levels() {
            force(Some(level));
            for (last, scattered) in tables() {
                let tables = Tables::new(last, scattered);
                // The byte 0xA5 would have the second but last of these.
                let planted = [0x80, scattered, last, last + 1, last - 127 + 0x25, 0xFFFF];
                for length in [1, 15, 31, 32, 33, 63, 64, 65, 100, 128, 150] {
                    let bytes = text(length, length);
                    let units = bytes.iter().map(|&byte| match byte {
                        0x80.. => tables.code_points[usize::from(byte - 0x80)],
                        _ => byte.into(),
                    });
                    let mut units: Vec<u16> = units.collect();
                    for at in 0..length {
                        let before = units[at];
                        for unit in planted {
                            units[at] = unit;
                            let (mut expected, mut bytes) = (vec![0; length], vec![0; length]);
                            let count = scalar::from_utf16(tables.by_code_point(), &units, &mut expected);
                            assert_eq!(from_utf16(tables.by_code_point(), &units, &mut bytes), count, "{units:04X?}");
                            assert_eq!(bytes[..count], expected[..count], "{units:04X?}");
                        }
                        units[at] = before;
                    }
                }
            }
        }
        force(None);
    }

    fn check(tables: &Tables, source: &[u8], room: usize) {
        for end in [NULL, NEVER] {
            check_decoding(tables, end, source, room);
        }
        check_encoding(tables, source, room);
    }

    fn check_decoding(tables: &Tables, end: u16, source: &[u8], room: usize) {
        let (mut expected, mut units) = (vec![0; room], vec![0; room]);
        let length = scalar::to_utf16(&tables.code_points, end, source, &mut expected);
        assert_eq!(to_utf16(&tables.code_points, end, source, &mut units), length);
        assert_eq!(units[..length], expected[..length]);

        let (mut expected, mut text) = (vec![0; room], vec![0; room]);
        let (read, written) = scalar::to_utf8(&tables.code_points, end, source, &mut expected);
        assert_eq!(to_utf8(&tables.code_points, end, source, &mut text), (read, written), "{source:02X?} into {room}");
        assert_eq!(text[..written], expected[..written]);
    }

    fn check_encoding(tables: &Tables, source: &[u8], room: usize) {
        let mut units: Vec<u16> = source
            .iter()
            .map(|&byte| if byte < 0x80 { byte.into() } else { tables.code_points[usize::from(byte - 0x80)] })
            .collect();
        let (mut expected, mut bytes) = (vec![0; room], vec![0; room]);
        let length = scalar::from_utf16(tables.by_code_point(), &units, &mut expected);
        assert_eq!(from_utf16(tables.by_code_point(), &units, &mut bytes), length);
        assert_eq!(bytes[..length], expected[..length]);
        // A code unit that is in no block at all.
        if let Some(unit) = units.get_mut(source.len() / 3) {
            *unit = 0xFFFF;
            let length = scalar::from_utf16(tables.by_code_point(), &units, &mut expected);
            assert_eq!(from_utf16(tables.by_code_point(), &units, &mut bytes), length);
            assert_eq!(bytes[..length], expected[..length]);
        }
    }
}
