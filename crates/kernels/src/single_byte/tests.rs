//! Decoding of single bytes: every level against the scalar body.

use super::{scalar, *};
use crate::{
    level::at_every_level,
    testing::{Function, Functions, Random, battery, moving},
    to_single_byte::{
        ALIGN, BLOCK, ByCodePoint, ByteTable, WINDOWS,
        tests::{check_encoding, check_utf8},
    },
};

const FUNCTIONS: Functions = Functions { bytes_to_units: &[moving!(to_private_use, 1)], ..Functions::NONE };

battery!();

/// The tables of an encoding like windows-1251, with some characters of three bytes in UTF-8, and bytes without a
/// character.
pub(crate) struct Tables(pub(crate) Characters, pub(crate) ByteTable<[u8; 1000]>);

impl Tables {
    /// `last` is the code point of byte 0xFF, and the bytes before it have the code points before `last`. Instead,
    /// every fifth byte has a code point above `scattered`, outside of the first two windows, and the byte 0xA5 has
    /// none.
    pub(crate) fn new(last: u16, scattered: u16) -> Self {
        let code_points: [u16; 128] = std::array::from_fn(|at| match at {
            0x25 => NULL,
            _ if at % 5 == 0 => scattered + 4 * at as u16,
            _ => last - 127 + at as u16,
        });
        let window = |unit| (unit / 128) as u8;
        Tables::of(code_points, [window(last), window(last) - 1, 1, window(scattered)])
    }

    /// The tables of an encoding like windows-1252: the bytes from 0xA0 on are the code points of equal value.
    pub(crate) fn near_latin1() -> Self {
        let code_points = std::array::from_fn(|at| if at < 0x20 { 0x2010 + 3 * at as u16 } else { 0x80 + at as u16 });
        Tables::of(code_points, [1, 0x40, 2, 3])
    }

    pub(crate) fn of(code_points: [u16; 128], windows: [u8; WINDOWS]) -> Self {
        let highest = code_points.iter().filter(|&&unit| unit != NULL).max().unwrap();
        let mut blocks = vec![0; usize::from(*highest) / BLOCK + 1];
        let mut bytes = vec![0; BLOCK];
        for (at, &unit) in code_points.iter().enumerate().filter(|&(_, &unit)| unit != NULL) {
            let block = &mut blocks[usize::from(unit) / BLOCK];
            if *block == 0 {
                *block = u8::try_from(bytes.len() / ALIGN).unwrap();
                bytes.resize(bytes.len() + BLOCK, 0);
            }
            bytes[usize::from(*block) * ALIGN + usize::from(unit) % BLOCK] = 0x80 + at as u8;
        }
        let count = blocks.len().try_into().unwrap();
        blocks.extend(bytes);
        blocks.resize(1000, 0);
        let code_points = Characters::new(code_points);
        let bytes = ByteTable::new(&code_points, windows, count, 0, blocks.try_into().unwrap());
        Tables(code_points, bytes)
    }

    pub(crate) fn units(&self, bytes: &[u8]) -> Vec<u16> {
        let unit = |&byte: &u8| match byte {
            0x80.. => self.code_points()[usize::from(byte - 0x80)],
            _ => byte.into(),
        };
        bytes.iter().map(unit).collect()
    }

    pub(crate) fn code_points(&self) -> &Characters {
        &self.0
    }

    pub(crate) fn by_code_point(&self) -> ByCodePoint<'_> {
        let bytes: &ByteTable = &self.1;
        bytes.by_code_point()
    }
}

/// The last but one has Latin letters. In the last one, the code point of byte 0xFF is not the last one of its
/// window, as in Greek code pages.
pub(crate) const fn tables() -> [(u16, u16); 5] {
    [(0x04FF, 0x0500), (0x2BFF, 0x00A0), (0x07FF, 0x0100), (0x017F, 0x2000), (0x03CF, 0x0500)]
}

#[test]
fn to_private_use_adds_0xf700_to_bytes_beyond_ascii() {
    at_every_level(|_| {
        for length in 0..=600 {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 7) as u8).collect();
            for room in [length, length / 2, length + 9] {
                // The destination begins at every address.
                let start = length % 37;
                let mut units = vec![0; start + room];
                let units = &mut units[start..];
                let written = to_private_use(&bytes, units);
                assert_eq!(written, room.min(length));
                for (&unit, &byte) in units[..written].iter().zip(&bytes) {
                    assert_eq!(unit, if byte < 0x80 { byte.into() } else { 0xF700 + u16::from(byte) });
                }
            }
        }
    });
}

/// Bytes in which runs of ASCII and runs of other bytes alternate.
pub(crate) fn text(length: usize, seed: usize) -> Vec<u8> {
    (0..length)
        .map(
            |at| {
                if (at / (1 + seed % 37)) % 2 == 0 {
                    b'a' + (at % 26) as u8
                } else {
                    0xA6 + (at * 7 + seed) as u8 % 0x5A
                }
            },
        )
        .collect()
}

#[test]
fn every_level_equals_the_scalar_one() {
    at_every_level(|_| {
        every_text();
    });
}

pub(crate) fn every_text() {
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

/// Loops for few and for many characters beyond ASCII take turns, so their shares change in the middle of the
/// texts.
#[test]
fn every_level_equals_the_scalar_one_for_every_share_of_ascii() {
    // One byte in each of these numbers of bytes is beyond ASCII.
    const SHARES: [usize; 8] = [1, 2, 4, 6, 13, 31, 70, 1000];
    at_every_level(|_| {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            for (first, second) in SHARES.iter().flat_map(|first| SHARES.iter().map(move |second| (first, second))) {
                let byte = |at: usize| match at {
                    ..311 if at % first == 0 => 0xA6 + (at * 7) as u8 % 0x5A,
                    311.. if at % second == 0 => 0xA6 + (at * 11) as u8 % 0x5A,
                    _ => b'a' + (at % 26) as u8,
                };
                let mut source: Vec<u8> = (0..640).map(byte).collect();
                for hole in [None, Some(0), Some(63), Some(64), Some(300), Some(311), Some(450), Some(639)] {
                    let before = hole.map(|at| std::mem::replace(&mut source[at], 0xA5));
                    for room in [300, 640, 700, 1000, 3 * 640, 3 * 640 + 200] {
                        for end in [NULL, NEVER] {
                            check_decoding(tables.code_points(), end, &source, room);
                        }
                    }
                    if let (Some(at), Some(before)) = (hole, before) {
                        source[at] = before;
                    }
                }
            }
        }
    });
}

#[test]
fn converts_long_text_of_changing_kinds() {
    at_every_level(|_| {
        let (last, scattered) = tables()[0];
        let tables = Tables::new(last, scattered);
        let mut random = Random(11);
        for round in 0..300 {
            let mut source = Vec::new();
            let length = random.below(9000);
            while source.len() < length {
                // One in so many bytes is not ASCII.
                let one_in = [1, 2, 6, 12, 40, 100_000][random.below(6)];
                for _ in 0..random.below(1500) {
                    let byte = random.below(0x5A) as u8;
                    source.push(if random.below(one_in) == 0 { byte + 0xA6 } else { byte });
                }
            }
            if round % 2 == 0 && !source.is_empty() {
                let at = random.below(source.len());
                source[at] = 0xA5;
            }
            let room = if round % 3 == 0 { random.below(source.len() + 1) } else { 3 * source.len() };
            check(&tables, &source, room);
        }
    });
}

/// Code pages near Latin-1 have loops of their own for text without the bytes 0x80 to 0x9F.
#[test]
fn every_level_equals_the_scalar_one_near_latin1() {
    at_every_level(|_| {
        let tables = Tables::near_latin1();
        let mut random = Random(12);
        for round in 0..6000 {
            // One in so many bytes is 0x80 to 0x9F, and one in so many is 0xA0 or greater.
            let [low, high] = [0, 1].map(|_| [1, 3, 20, 60, 100_000][random.below(5)]);
            let byte = |_| match (random.below(low), random.below(high)) {
                (0, _) => 0x80 + random.below(0x20) as u8,
                (_, 0) => 0xA0 + random.below(0x60) as u8,
                _ => random.below(0x80) as u8,
            };
            let source: Vec<u8> = (0..round % 331).map(byte).collect();
            for room in [source.len() / 2, source.len(), 3 * source.len() + 200] {
                check(&tables, &source, room);
            }
            let mut units = tables.units(&source);
            // A code point without a byte.
            if round % 3 == 0 && !units.is_empty() {
                let at = random.below(units.len());
                units[at] = [0x80, 0x100, 0x500, 0x3000, 0x9000][random.below(5)] + random.below(0x20) as u16;
            }
            check_utf8(&tables, String::from_utf16(&units).unwrap().as_bytes());
        }
    });
}

#[test]
fn finds_the_ends_of_long_runs_of_ascii() {
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

fn check(tables: &Tables, source: &[u8], room: usize) {
    for end in [NULL, NEVER] {
        check_decoding(tables.code_points(), end, source, room);
    }
    check_encoding(tables, source, room);
}

fn check_decoding(code_points: &Characters, end: u16, source: &[u8], room: usize) {
    let (mut expected, mut units) = (vec![0; room], vec![0; room]);
    let length = scalar::to_utf16(code_points, end, source, &mut expected);
    assert_eq!(to_utf16(code_points, end, source, &mut units), length, "{source:02X?} into {room}");
    assert_eq!(units[..length], expected[..length], "{source:02X?} into {room}");

    let (mut expected, mut text) = (vec![0; room], vec![0; room]);
    let (read, written) = scalar::to_utf8(code_points, end, source, &mut expected);
    for to_utf8 in [to_utf8, dense_to_utf8] {
        let done = to_utf8(code_points, end, source, &mut text);
        assert_eq!(done, (read, written), "{source:02X?} into {room}");
        assert_eq!(text[..written], expected[..written]);
    }
}

/// AVX2 looks up what it can by rows of 16 bytes, whose code units mostly follow each other.
#[test]
fn every_level_equals_the_scalar_one_for_tables_with_rows() {
    at_every_level(|_| {
        let mut random = Random(14);
        for round in 0..2000 {
            // One in so many code units is another one than the row gives, and one in so many is missing.
            let [strange, missing] = [0, 1].map(|_| [1, 4, 16, 1000][random.below(4)]);
            let mut units = [NULL; 128];
            for row in units.chunks_exact_mut(16) {
                let first = match random.below(4) {
                    // The low byte overflows within the row.
                    0 => 0x4FF - random.below(16),
                    // The code unit of some place of the row is `NULL` because it follows from the others.
                    1 => usize::from(NULL) - random.below(16),
                    _ => 0x80 + random.below(0x8000),
                };
                for (place, unit) in row.iter_mut().enumerate() {
                    *unit = match (random.below(missing), random.below(strange)) {
                        (0, 1..) => NULL,
                        (_, 0) => 0x80 + random.below(0xD000) as u16,
                        _ => (first + place).min(NULL.into()) as u16,
                    };
                }
            }
            let code_points = Characters::new(units);
            // Text in one row, in four, or in all of them.
            let rows = [1, 4, 8][random.below(3)];
            let length = [random.below(70), random.below(3000)][round % 2];
            let byte = |_| match random.below(8) {
                0 => random.below(0x80) as u8,
                _ => 0x80 | (16 * random.below(rows) + random.below(16)) as u8,
            };
            let source: Vec<u8> = (0..length).map(byte).collect();
            for room in [length, 3 * length, random.below(3 * length + 1)] {
                for end in [NULL, NEVER] {
                    check_decoding(&code_points, end, &source, room);
                }
            }
        }
    });
}
