//! Decoding of single bytes: every level against the scalar body.

use super::{scalar, *};
use crate::{
    level::at_every_level,
    testing::{Function, Functions, Random, battery, moving},
};

const FUNCTIONS: Functions = Functions {
    bytes_to_units: &[moving!(to_private_use, 1)],
    units_to_bytes: &[moving!(from_private_use, 1)],
    ..Functions::NONE
};

battery!();

/// The tables of an encoding like windows-1251, with some characters of three bytes in UTF-8, and bytes without a
/// character.
struct Tables(Characters, ByteTable<[u8; 1000]>);

impl Tables {
    /// `last` is the code point of byte 0xFF, and the bytes before it have the code points before `last`. Instead,
    /// every fifth byte has a code point above `scattered`, outside of the first two windows, and the byte 0xA5 has
    /// none.
    fn new(last: u16, scattered: u16) -> Self {
        let code_points: [u16; 128] = std::array::from_fn(|at| match at {
            0x25 => NULL,
            _ if at % 5 == 0 => scattered + 4 * at as u16,
            _ => last - 127 + at as u16,
        });
        let window = |unit| (unit / 128) as u8;
        Tables::of(code_points, [window(last), window(last) - 1, 1, window(scattered)])
    }

    /// The tables of an encoding like windows-1252: the bytes from 0xA0 on are the code points of equal value.
    fn near_latin1() -> Self {
        let code_points = std::array::from_fn(|at| if at < 0x20 { 0x2010 + 3 * at as u16 } else { 0x80 + at as u16 });
        Tables::of(code_points, [1, 0x40, 2, 3])
    }

    fn of(code_points: [u16; 128], windows: [u8; WINDOWS]) -> Self {
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

    fn units(&self, bytes: &[u8]) -> Vec<u16> {
        let unit = |&byte: &u8| match byte {
            0x80.. => self.code_points()[usize::from(byte - 0x80)],
            _ => byte.into(),
        };
        bytes.iter().map(unit).collect()
    }

    fn code_points(&self) -> &Characters {
        &self.0
    }

    fn by_code_point(&self) -> ByCodePoint<'_> {
        let bytes: &ByteTable = &self.1;
        bytes.by_code_point()
    }
}

/// The last but one has Latin letters. In the last one, the code point of byte 0xFF is not the last one of its
/// window, as in Greek code pages.
const fn tables() -> [(u16, u16); 5] {
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

#[test]
fn from_private_use_reverses_to_private_use_up_to_another_code_unit() {
    at_every_level(|_| {
        let mut random = Random(13);
        for length in 0..=300 {
            let source: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            let (mut units, mut bytes) = (vec![0; length], vec![0; length]);
            to_private_use(&source, &mut units);
            assert_eq!(from_private_use(&units, &mut bytes), length);
            assert_eq!(bytes, source);
            for room in [length / 2, length.saturating_sub(1)] {
                assert_eq!(from_private_use(&units, &mut bytes[..room]), room);
            }
            for other in [0x80, 0xFF, 0x141, 0xF741, 0xF77F, 0xF800, 0xF680, 0x7780] {
                let at = random.below(length + 1);
                let mut units = units.clone();
                units[at..].iter_mut().take(1).for_each(|unit| *unit = other);
                assert_eq!(from_private_use(&units, &mut bytes), at, "{units:04X?}");
                assert_eq!(bytes[..at], source[..at]);
            }
        }
    });
}

#[test]
fn every_code_point_has_its_byte() {
    for (last, scattered) in tables() {
        let tables = Tables::new(last, scattered);
        for code_point in 0x80..=0x10_FFFF_u32 {
            let place = tables.code_points().iter().position(|&unit| u32::from(unit) == code_point && unit != NULL);
            let byte = place.map(|place| 0x80 + place as u8);
            assert_eq!(tables.by_code_point().byte(code_point), byte, "{code_point:04X}");
        }
    }
}

/// Bytes in which runs of ASCII and runs of other bytes alternate.
fn text(length: usize, seed: usize) -> Vec<u8> {
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

/// Plants code units that have no byte, or that are outside of all windows, at every place.
#[test]
fn every_level_stops_before_a_code_unit_without_a_byte() {
    at_every_level(|_| {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            // The last but one would be the code unit of byte 0xA5, which has none.
            let planted = [0x80, scattered, last, last + 1, last - 127 + 0x25, 0xFFFF];
            for length in [1, 15, 31, 32, 33, 63, 64, 65, 100, 128, 150] {
                let bytes = text(length, length);
                let mut units = tables.units(&bytes);
                for at in 0..length {
                    let before = units[at];
                    for unit in planted {
                        units[at] = unit;
                        let (mut expected, mut bytes) = (vec![0; length], vec![0; length]);
                        let count = scalar::from_utf16(&tables.1, &units, &mut expected);
                        assert_eq!(from_utf16(&tables.1, &units, &mut bytes), count, "{units:04X?}");
                        assert_eq!(bytes[..count], expected[..count], "{units:04X?}");
                    }
                    units[at] = before;
                }
            }
        }
    });
}

#[test]
fn every_code_unit_among_letters_has_its_byte_or_ends_the_run() {
    at_every_level(|_| {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            let letters = [last - 3; 80];
            assert_eq!(from_utf16(&tables.1, &letters, &mut [0; 80]), 80);
            for unit in 0..=0xFFFF {
                let mut units = letters;
                units[70] = unit;
                let (mut expected, mut bytes) = ([0; 80], [0; 80]);
                let count = scalar::from_utf16(&tables.1, &units, &mut expected);
                assert_eq!(from_utf16(&tables.1, &units, &mut bytes), count, "{unit:04X}");
                assert_eq!(bytes[..count], expected[..count], "{unit:04X}");
            }
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

fn check_encoding(tables: &Tables, source: &[u8], room: usize) {
    let mut units = tables.units(source);
    let (mut expected, mut bytes) = (vec![0; room], vec![0; room]);
    let length = scalar::from_utf16(&tables.1, &units, &mut expected);
    assert_eq!(from_utf16(&tables.1, &units, &mut bytes), length);
    assert_eq!(bytes[..length], expected[..length]);
    // The code unit 0xFFFF is in no block at all.
    if let Some(unit) = units.get_mut(source.len() / 3) {
        *unit = 0xFFFF;
        let length = scalar::from_utf16(&tables.1, &units, &mut expected);
        assert_eq!(from_utf16(&tables.1, &units, &mut bytes), length);
        assert_eq!(bytes[..length], expected[..length]);
    }
}

/// The bytes that UTF-8 becomes, up to the first character without a byte, each with the place where its character
/// ends.
fn encoded(tables: &Tables, source: &[u8]) -> Vec<(u8, usize)> {
    let valid = match core::str::from_utf8(source) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&source[..error.valid_up_to()]).unwrap(),
    };
    let byte = |character: char| match character {
        '\0'..='\x7F' => Some(character as u8),
        _ => tables.by_code_point().byte(character),
    };
    let ends = |(at, character): (usize, char)| Some((byte(character)?, at + character.len_utf8()));
    valid.char_indices().map_while(ends).collect()
}

/// Compares [`from_utf8`] with [`encoded`], with destinations of several lengths.
fn check_utf8(tables: &Tables, source: &[u8]) {
    let expected = encoded(tables, source);
    let whole = expected.len();
    for room in [0, 1, whole / 2, whole.saturating_sub(1), whole, whole + 1, whole + 63, whole + 64, whole + 200] {
        let written = whole.min(room);
        let read = written.checked_sub(1).map_or(0, |last| expected[last].1);
        let mut bytes = vec![0xAA; room];
        let counts = from_utf8(&tables.1, source, &mut bytes);
        assert_eq!(counts, (read, written), "{source:02X?} into {room}");
        assert!(bytes.iter().zip(&expected[..written]).all(|(byte, expected)| *byte == expected.0), "{source:02X?}");
    }
}

/// Characters in which runs of ASCII and runs of other characters alternate.
fn characters(tables: &Tables, length: usize, seed: usize) -> Vec<char> {
    String::from_utf16(&tables.units(&text(length, seed))).unwrap().chars().collect()
}

#[test]
fn every_level_encodes_utf8_that_ends_within_a_character() {
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

/// Plants characters without a byte, outside of all windows, and of every length in UTF-8, at every place of texts
/// with few and with many characters that are not ASCII.
#[test]
fn every_level_stops_before_a_character_without_a_byte() {
    at_every_level(|_| {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            let unit = |unit: u16| char::from_u32(unit.into()).unwrap();
            let planted = [0x80, scattered, last, last + 1, last - 127 + 0x25, last + 0x1000, 0xFFFD, 0xFFFF].map(unit);
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

/// Plants characters without a byte in a text that is longer than a block on the way to single bytes.
#[test]
fn every_level_stops_in_long_text_before_a_character_without_a_byte() {
    at_every_level(|_| {
        for (last, scattered) in tables() {
            let tables = Tables::new(last, scattered);
            let mut text = characters(&tables, 1500, 0);
            text.retain(|character| !character.is_ascii());
            text.extend_from_within(..);
            for at in (0..text.len()).step_by(59) {
                for planted in ['一', '\u{10400}', 'a'] {
                    let before = std::mem::replace(&mut text[at], planted);
                    check_utf8(&tables, text.iter().collect::<String>().as_bytes());
                    text[at] = before;
                }
            }
        }
    });
}

/// The output for malformed UTF-8 is unspecified, but the function must stay inside of its slices and end.
#[test]
fn every_level_survives_malformed_utf8() {
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
            let byte = |_| if random() % 13 < ascii { b'a' } else { BYTES[random() % [1, 4, 12][round % 3] * 5 % 12] };
            let source: Vec<u8> = (0..length).map(byte).collect();
            for room in [length / 2, length, length + 200] {
                let (read, written) = from_utf8(&tables.1, &source, &mut vec![0; room]);
                assert!(read <= length && written <= room, "{source:02X?}");
            }
        }
    });
}
