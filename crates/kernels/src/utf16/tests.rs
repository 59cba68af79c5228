//! UTF-16: every level against the scalar body, and against `std`.

use super::*;
use crate::{
    level::at_every_level,
    testing::{Function, Functions, battery, measuring, moving},
};

/// A function that converts UTF-16 from bytes, for which the scalar reference takes two steps.
macro_rules! by_way_of_units {
    ($function:ident, $from_bytes:ident) => {
        Function {
            name: concat!(module_path!(), "::", stringify!($function)),
            dispatched: $function,
            reference: |from, to| {
                let mut units = vec![0; from.len() / 2];
                let valid = scalar::$from_bytes(from, &mut units);
                let (read, written) = utf8::from_utf16::scalar::from_utf16(&units[..valid], to);
                (2 * read, written)
            },
        }
    };
}

const FUNCTIONS: Functions = Functions {
    bytes_to_units: &[moving!(from_le_bytes, 2), moving!(from_be_bytes, 2)],
    units_to_bytes: &[measuring!(valid_up_to), measuring!(utf8_length)],
    utf16_to_bytes: &[
        by_way_of_units!(le_bytes_to_utf8, from_le_bytes),
        by_way_of_units!(be_bytes_to_utf8, from_be_bytes),
    ],
    ..Functions::NONE
};

battery!();

/// Checks all pairs of bytes, and all sequences of four significant bytes, between ASCII and at the very end.
#[test]
fn all_pairs_of_bytes_and_sequences_of_significant_bytes() {
    FUNCTIONS.all_pairs_of_bytes_and_sequences_of_significant_bytes();
}

#[test]
fn every_scalar_value_becomes_its_utf8() {
    at_every_level(|_| {
        let text: String = ('\0'..=char::MAX).collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!((valid_up_to(&units), utf8_length(&units)), (units.len(), text.len()));
        let mut destination = vec![0; text.len()];
        assert_eq!(utf8::from_utf16(&units, &mut destination), (units.len(), text.len()));
        assert!(destination == text.as_bytes());
    });
}

#[test]
fn stops_before_an_unpaired_surrogate_and_repairs_it() {
    at_every_level(|_| {
        let significant = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
        for number in 0..significant.len().pow(5) {
            let text: Vec<u16> = (0..5).map(|place| significant[number / 7usize.pow(place) % 7]).collect();
            let mut valid = 0;
            for character in char::decode_utf16(text.iter().copied()) {
                let Ok(character) = character else { break };
                valid += character.len_utf16();
            }
            assert_eq!(valid_up_to(&text), valid, "{text:04X?}");
            assert_eq!(utf8::from_utf16(&text, &mut [0; 20]).0, valid, "{text:04X?}");
            let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            let mut destination = [0; 5];
            assert_eq!(from_be_bytes(&bytes, &mut destination), valid, "{text:04X?}");
            assert_eq!(destination[..valid], text[..valid]);

            for length in 0..=5 {
                let text = &text[..length];
                let length = length - usize::from(matches!(text, [.., 0xD800..=0xDBFF]));
                let expected: Vec<u16> = String::from_utf16_lossy(&text[..length]).encode_utf16().collect();
                let mut destination = [0; 6];
                assert_eq!(from_be_bytes_replacing(&bytes[..2 * text.len()], &mut destination), length, "{text:04X?}");
                assert_eq!(destination[..length], expected, "{text:04X?}");
            }

            let mut repaired = text.clone();
            ensure_validity(&mut repaired);
            assert_eq!(String::from_utf16(&repaired).unwrap(), String::from_utf16_lossy(&text));
        }
    });
}

#[test]
fn destinations_of_every_length_get_whole_characters() {
    at_every_level(|_| {
        let text = "aé€\u{1F4A9}".repeat(12);
        let units: Vec<u16> = text.encode_utf16().collect();
        for room in 0..=text.len() + 2 {
            let mut destination = vec![0; room];
            let (read, written) = utf8::from_utf16(&units, &mut destination);
            assert_eq!(&destination[..written], &text.as_bytes()[..written]);
            assert_eq!(utf8_length(&units[..read]), written);
            assert!(read == units.len() || room - written < 4);
        }
    });
}

/// Up to eight units of each length of UTF-8 and both kinds of surrogates, in every order, into destinations with as
/// much space as they take, a byte less, and more. A leading surrogate at the end also gets its pair.
#[test]
fn few_units_in_every_order_become_their_utf8() {
    const KINDS: [u16; 5] = [0x61, 0x7FF, 0x800, 0xD83D, 0xDCA9];
    at_every_level(|_| {
        let (mut units, mut text, mut destination) = (Vec::new(), String::new(), [0; 40]);
        // Numbers in which each digit is 1 to 5, so that there is one for each text.
        for number in 0..(KINDS.len().pow(9) - 1) / 4 {
            for paired in [false, true] {
                units.clear();
                let mut rest = number;
                while rest > 0 {
                    units.push(KINDS[(rest - 1) % 5]);
                    rest = (rest - 1) / 5;
                }
                if paired && units.last() != Some(&0xD83D) {
                    continue;
                }
                units.extend(paired.then_some(0xDCA9));
                let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                text.clear();
                text.extend(char::decode_utf16(units.iter().copied()).map_while(Result::ok));
                let read = text.encode_utf16().count();
                for room in [text.len(), 40] {
                    let to = &mut destination[..room];
                    assert_eq!(utf8::from_utf16(&units, to), (read, text.len()), "{units:04X?} into {room}");
                    assert_eq!(to[..text.len()], *text.as_bytes(), "{units:04X?}");
                    to.fill(0);
                    assert_eq!(be_bytes_to_utf8(&bytes, to), (2 * read, text.len()), "{units:04X?} into {room}");
                    assert_eq!(to[..text.len()], *text.as_bytes(), "{units:04X?}");
                }
                if let Some(last) = text.pop() {
                    let room = text.len() + last.len_utf8() - 1;
                    let expected = (read - last.len_utf16(), text.len());
                    assert_eq!(
                        utf8::from_utf16(&units, &mut destination[..room]),
                        expected,
                        "{units:04X?} into {room}"
                    );
                    assert_eq!(destination[..text.len()], *text.as_bytes(), "{units:04X?}");
                }
            }
        }
    });
}

#[test]
fn both_byte_orders_with_surrogate_pairs_across_blocks() {
    at_every_level(|_| {
        for length in [0, 1, 2, 3, 2047, 2048, 2049, 4095, 4097, 6000] {
            for shift in 0..2 {
                let mut text = vec![0x41u16; shift];
                text.extend([0xD83D, 0xDCA9].into_iter().cycle().take(length));
                let little: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let big: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                let expected = text.len() - length % 2;
                for room in [text.len(), text.len() + 1, text.len() / 2, text.len().saturating_sub(1)] {
                    let (mut from_little, mut from_big) = (vec![0; room], vec![0; room]);
                    let valid = from_le_bytes(&little, &mut from_little);
                    assert_eq!(from_be_bytes(&big, &mut from_big), valid);
                    assert_eq!(from_little, from_big);
                    assert_eq!(from_little[..valid], text[..valid]);
                    assert!(
                        valid == expected || (room < expected && valid + 1 >= room),
                        "{valid} of {length} into {room}"
                    );
                }
            }
        }
    });
}
