//! Encoding to single bytes: every level against the scalar body. The tables are those of the tests of decoding.

use super::*;
use crate::{
    level::at_every_level,
    single_byte::{
        NULL,
        tests::{Tables, tables, text},
        to_private_use,
    },
    testing::{Function, Functions, Random, battery, moving},
};

const FUNCTIONS: Functions = Functions { units_to_bytes: &[moving!(from_private_use, 1)], ..Functions::NONE };

battery!();

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

pub(crate) fn check_encoding(tables: &Tables, source: &[u8], room: usize) {
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
pub(crate) fn check_utf8(tables: &Tables, source: &[u8]) {
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
        // Among letters that have a byte.
        let letters = "\u{4FF}".repeat(100);
        for (at, byte) in (0..70).flat_map(|at| BYTES.map(|byte| (at, byte))) {
            let mut source = letters.clone().into_bytes();
            source[at] = byte;
            let (read, written) = from_utf8(&tables.1, &source, &mut [0; 200]);
            assert!(read <= 200 && written <= 200, "{source:02X?}");
        }
    });
}
