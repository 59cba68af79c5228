//! Encodings of one byte per character: a table of 128 code units, and ASCII below it.
//!
//! Only code points up to U+FFFF other than surrogates occur, so that a character is a code unit.

use crate::{blocks::block, level::dispatch};

/// What stands in a table of code points where a byte has no character. No encoding has U+FFFD.
pub const NULL: u16 = 0xFFFD;
/// What stands in no table, because it is no code point of a character.
pub const NEVER: u16 = 0xD800;

/// The way back from code points to bytes.
#[derive(Clone, Copy, Debug)]
pub struct ByCodePoint<'a> {
    /// For each block of [`BLOCK`] code points from U+0000 on, where it starts in `bytes`, divided by [`ALIGN`]; [`NO_BLOCK`] if it
    /// has no bytes. The first block is ASCII's. It is any, so that to look ASCII up in vain costs no branch.
    pub blocks: &'a [u8],
    /// Bytes by code point within a block, at most as many as are before [`NO_BLOCK`]; 0 where there is none.
    pub bytes: &'a [u8],
    /// The numbers of the blocks that texts need most, in that order.
    pub windows: &'a [u16; WINDOWS],
}

/// Code points in a block.
pub const BLOCK: usize = 128;
/// In so many blocks vectors look code points up.
pub const WINDOWS: usize = 4;
/// Blocks start at multiples of this.
pub const ALIGN: usize = 8;
/// Where a block starts that is nowhere.
pub const NO_BLOCK: u8 = 0xFF;

impl ByCodePoint<'_> {
    /// The block with this number; `None` if there is nothing in it.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors have windows"))]
    pub(crate) fn block(&self, number: u16) -> Option<&[u8; BLOCK]> {
        let start = usize::from(*self.blocks.get(usize::from(number))?) * ALIGN;
        block(self.bytes, start)
    }

    /// The windows. A function of its own, as the next, for size.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    pub(crate) fn windows(&self) -> [Window<'_>; WINDOWS] {
        self.windows.map(|number| self.window(number))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    pub(crate) fn window(&self, number: u16) -> Window<'_> {
        let (first_of_three, last_but_one) = match u32::from(number) {
            number @ 0..16 => (0, 0xC1 | number << 1),
            number => (0xE0 | number >> 5, 0x81 | number << 1 & 0x3F),
        };
        Window {
            first_of_three: first_of_three * 0x0101_0101,
            last_but_one: last_but_one * 0x0101_0101,
            bytes: self.block(number).unwrap_or(&[0; BLOCK]),
        }
    }

    /// The byte for a code point that is not ASCII; `None` if there is none.
    #[must_use]
    pub fn byte(&self, code_point: impl Into<u32>) -> Option<u8> {
        let code_point = code_point.into() as usize;
        let start = usize::from(*self.blocks.get(code_point / BLOCK)?) * ALIGN;
        match *self.bytes.get(start + code_point % BLOCK)? {
            0 => None,
            byte => Some(byte),
        }
    }
}

/// A window, and by what its characters are known in UTF-8, each byte four times.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Window<'a> {
    /// The first of three bytes; 0 if they have two.
    pub first_of_three: u32,
    /// The last byte but one; its lowest bit, which selects within the window, is 1.
    pub last_but_one: u32,
    pub bytes: &'a [u8; BLOCK],
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

/// Converts UTF-8 to bytes, as many whole characters as fit, and stops before a character that has no byte. Returns
/// `(read, written)`. What is not UTF-8 becomes anything.
pub fn from_utf8(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(utf8_to_single_byte::convert(
        by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::at_every_level, scalar::single_byte as scalar};

    /// A table like Russian's, with three-byte characters and holes, and the way back.
    struct Tables {
        code_points: [u16; 128],
        blocks: Vec<u8>,
        bytes: Vec<u8>,
        windows: [u16; WINDOWS],
    }

    impl Tables {
        /// `last` is the code point of 0xFF, those of the bytes before go down from it; every fifth is instead beyond the
        /// windows, and the byte 0xA5 has none.
        fn new(last: u16, scattered: u16) -> Self {
            let code_points: [u16; 128] = std::array::from_fn(|at| match at {
                0x25 => NULL,
                _ if at % 5 == 0 => scattered + 10 * at as u16,
                _ => last - 127 + at as u16,
            });
            let highest = code_points.iter().filter(|&&unit| unit != NULL).max().unwrap();
            let mut blocks = vec![0; usize::from(highest / 128) + 1];
            let mut bytes = vec![0; BLOCK];
            for (at, &unit) in code_points.iter().enumerate().filter(|&(_, &unit)| unit != NULL) {
                let block = &mut blocks[usize::from(unit / 128)];
                if *block == 0 {
                    *block = u8::try_from(bytes.len() / ALIGN).unwrap();
                    bytes.resize(bytes.len() + BLOCK, 0);
                }
                bytes[usize::from(*block) * ALIGN + usize::from(unit % 128)] = 0x80 + at as u8;
            }
            Tables { code_points, blocks, bytes, windows: [last / 128, last / 128 - 1, 1, scattered / 128] }
        }

        fn units(&self, bytes: &[u8]) -> Vec<u16> {
            let unit = |&byte: &u8| match byte {
                0x80.. => self.code_points[usize::from(byte - 0x80)],
                _ => byte.into(),
            };
            bytes.iter().map(unit).collect()
        }

        fn by_code_point(&self) -> ByCodePoint<'_> {
            ByCodePoint { blocks: &self.blocks, bytes: &self.bytes, windows: &self.windows }
        }
    }

    const fn tables() -> [(u16, u16); 3] {
        [(0x04FF, 0x0500), (0x2BFF, 0x00A0), (0x07FF, 0x0100)]
    }

    #[test]
    fn every_code_point_has_its_byte() {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            for code_point in 0x80..=0x10_FFFF_u32 {
                let place = tables.code_points.iter().position(|&unit| u32::from(unit) == code_point && unit != NULL);
                let byte = place.map(|place| 0x80 + place as u8);
                assert_eq!(tables.by_code_point().byte(code_point), byte, "{code_point:04X}");
            }
        }
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
        at_every_level(|_| {
            every_text();
        });
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

    #[test]
    fn ends_of_long_runs_of_ascii() {
        at_every_level(|_| {
            let (last, scattered) = tables()[0];
            let tables = Tables::new(last, scattered);
            for run in 0..330 {
                let mut source = vec![0xC3; 70];
                source.resize(70 + run, b'a');
                source.extend([0xC4, b'b', 0xC5]);
                source.resize(70 + run + 140, b'c');
                check(&tables, &source, 3 * source.len() + 200);
                check_utf8(&tables, String::from_utf16(&tables.units(&source)).unwrap().as_bytes());
            }
        });
    }

    /// Code units that have no byte, or that are outside of all windows, at every place.
    #[test]
    fn every_level_stops_before_what_has_no_byte() {
        at_every_level(|_| {
            for (last, scattered) in tables() {
                let tables = Tables::new(last, scattered);
                // The byte 0xA5 would have the second but last of these.
                let planted = [0x80, scattered, last, last + 1, last - 127 + 0x25, 0xFFFF];
                for length in [1, 15, 31, 32, 33, 63, 64, 65, 100, 128, 150] {
                    let bytes = text(length, length);
                    let mut units = tables.units(&bytes);
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
        });
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
        let mut units = tables.units(source);
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

    /// What UTF-8 becomes, character by character: the bytes, and for each where its character ends.
    fn encoded(tables: &Tables, source: &[u8]) -> Vec<(u8, usize)> {
        let valid = match str::from_utf8(source) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&source[..error.valid_up_to()]).unwrap(),
        };
        let byte = |character: char| match character {
            '\0'..='\x7F' => Some(character as u8),
            _ => tables.by_code_point().byte(character),
        };
        let ends = |(at, character): (usize, char)| Some((byte(character)?, at + character.len_utf8()));
        valid.char_indices().map_while(ends).collect()
    }

    /// Every level into several rooms.
    fn check_utf8(tables: &Tables, source: &[u8]) {
        let expected = encoded(tables, source);
        let whole = expected.len();
        for room in [0, 1, whole / 2, whole.saturating_sub(1), whole, whole + 1, whole + 63, whole + 64, whole + 200] {
            let written = whole.min(room);
            let read = written.checked_sub(1).map_or(0, |last| expected[last].1);
            let mut bytes = vec![0xAA; room];
            let counts = from_utf8(tables.by_code_point(), source, &mut bytes);
            assert_eq!(counts, (read, written), "{source:02X?} into {room}");
            assert!(
                bytes.iter().zip(&expected[..written]).all(|(byte, expected)| *byte == expected.0),
                "{source:02X?}"
            );
        }
    }

    /// Characters, of which those that are not ASCII stand in runs.
    fn characters(tables: &Tables, length: usize, seed: usize) -> Vec<char> {
        String::from_utf16(&tables.units(&text(length, seed))).unwrap().chars().collect()
    }

    #[test]
    fn every_level_converts_utf8_that_ends_anywhere() {
        at_every_level(|_| {
            for (last, scattered) in tables() {
                let tables = Tables::new(last, scattered);
                for seed in [0, 1, 2, 5, 9, 17, 36] {
                    let text: String = characters(&tables, 250, seed).into_iter().collect();
                    for length in 0..=250 {
                        check_utf8(&tables, &text.as_bytes()[..length]);
                    }
                }
            }
        });
    }

    /// Characters that have no byte, that are outside of all windows or that have two, three or four bytes, at every place of
    /// text with few and with many that are not ASCII.
    #[test]
    fn every_level_stops_before_a_character_without_a_byte() {
        at_every_level(|_| {
            for (last, scattered) in tables() {
                let tables = Tables::new(last, scattered);
                let unit = |unit: u16| char::from_u32(unit.into()).unwrap();
                let planted =
                    [0x80, scattered, last, last + 1, last - 127 + 0x25, last + 0x1000, 0xFFFD, 0xFFFF].map(unit);
                for seed in [0, 3, 36] {
                    for length in [1, 7, 8, 31, 33, 63, 64, 66, 131, 150] {
                        let mut text = characters(&tables, length, seed);
                        for at in 0..length {
                            let before = text[at];
                            for planted in planted.into_iter().chain(['\0', 'é', '\u{10400}', '\u{10FFFF}']) {
                                text[at] = planted;
                                check_utf8(&tables, text.iter().collect::<String>().as_bytes());
                            }
                            text[at] = before;
                        }
                    }
                }
            }
        });
    }

    /// Anything may come out, but nothing is read or written that is not there, and there is an end.
    #[test]
    fn every_level_takes_what_is_not_utf8() {
        const BYTES: [u8; 12] = [b'a', 0x80, 0xBF, 0xC0, 0xC3, 0xD0, 0xDF, 0xE0, 0xE2, 0xF0, 0xF4, 0xFF];
        at_every_level(|_| {
            let tables = Tables::new(0x04FF, 0x0500);
            let mut state = 1_u32;
            let mut random = || {
                state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
                state as usize >> 16
            };
            for round in 0..4000 {
                let (length, ascii) = (random() % 300, random() % 13);
                let byte =
                    |_| if random() % 13 < ascii { b'a' } else { BYTES[random() % [1, 4, 12][round % 3] * 5 % 12] };
                let source: Vec<u8> = (0..length).map(byte).collect();
                for room in [length / 2, length, length + 200] {
                    let (read, written) = from_utf8(tables.by_code_point(), &source, &mut vec![0; room]);
                    assert!(read <= length && written <= room, "{source:02X?}");
                }
            }
        });
    }
}
