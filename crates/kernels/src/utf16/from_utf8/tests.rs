//! UTF-8 to UTF-16, and the copying of UTF-8 beside it: every level against the scalar body, and against `std`.

use super::*;
use crate::{
    level::at_every_level,
    testing::{Function, Functions, battery, converting},
    utf8::{copy, copy_replacing, valid_up_to},
};

const FUNCTIONS: Functions = Functions { bytes_to_units: &[converting!(from_utf8)], ..Functions::NONE };

battery!();

/// Checks all pairs of bytes, and all sequences of four significant bytes, between ASCII and at the very end.
#[test]
fn all_pairs_of_bytes_and_sequences_of_significant_bytes() {
    FUNCTIONS.all_pairs_of_bytes_and_sequences_of_significant_bytes();
}

#[test]
fn every_scalar_value_becomes_its_code_units() {
    at_every_level(|_| {
        let text: String = ('\0'..=char::MAX).collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut destination = vec![0; units.len()];
        assert_eq!(from_utf8(text.as_bytes(), &mut destination), (text.len(), units.len()));
        assert!(destination == units);
    });
}

#[test]
fn utf_16_as_bytes_in_either_order_at_even_and_odd_addresses() {
    at_every_level(|_| {
        for text in ["aé€\u{1F4A9}", "жук ", "\u{1F4A9}", "plain ASCII, and much of it: é"] {
            let text = text.repeat(2000);
            for length in [0, 1, 2, 3, 30, 4095, 4096, 4097, 9000] {
                let length = (0..=length).rfind(|&length| text.is_char_boundary(length)).unwrap();
                let source = &text[..length];
                let little: Vec<u8> = source.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let big: Vec<u8> = source.encode_utf16().flat_map(u16::to_be_bytes).collect();
                for at in 0..2 {
                    for space in [little.len(), little.len() + 5, little.len() / 2, little.len().saturating_sub(1)] {
                        let mut destination = vec![0; at + space];
                        let (read, written) = from_utf8_to_le_bytes(source.as_bytes(), &mut destination[at..]);
                        assert_eq!(destination[at..at + written], little[..written]);
                        assert!(read == source.len() || space - written < 4, "{read} of {length} into {space}");
                        let count = source[..read].encode_utf16().count();
                        assert_eq!(written, 2 * count);
                        let result = from_utf8_to_be_bytes(source.as_bytes(), &mut destination[at..]);
                        assert_eq!((result, &destination[at..at + written]), ((read, written), &big[..written]));
                    }
                }
            }
        }
        // It stops before an error.
        assert_eq!(from_utf8_to_be_bytes(b"ab\xFFc", &mut [0; 8]), (2, 4));
    });
}

#[test]
fn stops_where_std_stops_on_every_sequence_of_three_bytes_and_many_of_four() {
    at_every_level(|_| {
        let bytes = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4,
            0xF5, 0xFF,
        ];
        let check = |source: &[u8]| {
            let valid = valid_up_to(source);
            let mut destination = [0; 8];
            let (read, written) = from_utf8(source, &mut destination);
            assert_eq!(read, valid, "{source:02X?}");
            let text = core::str::from_utf8(&source[..valid]).unwrap();
            assert!(text.encode_utf16().eq(destination[..written].iter().copied()), "{source:02X?}");
        };
        for input in 0..1u32 << 24 {
            if input % 3 == 0 || input >> 16 >= 0xE0 {
                check(&input.to_be_bytes()[1..]);
            }
        }
        for first in bytes {
            for second in bytes {
                for third in bytes {
                    for fourth in bytes {
                        check(&[b'a', first, second, third, fourth]);
                    }
                }
            }
        }
    });
}

#[test]
fn characters_alone_between_runs_of_ascii_stop_at_errors_and_full_destinations() {
    at_every_level(|_| {
        let characters: [&[u8]; 8] = [
            "é".as_bytes(),
            "€".as_bytes(),
            "\u{1F4A9}".as_bytes(),
            b"\xC3a",
            b"\xE2\x82a",
            b"\xE0\x80\x80",
            b"\xED\xA0\x80",
            b"\x80",
        ];
        for first in characters {
            // A malformed byte may stand alone, or before a character.
            for second in ["”".as_bytes(), "ß".as_bytes(), b"\xFF", b"\x80", b"\xC3\xC3\xA9"] {
                // The second run reaches every place of a block of 64 bytes after a longer run of ASCII.
                for length in (0..=70).chain(100..=170) {
                    let run = |length| vec![b'a'; length];
                    let source = [&run(420)[..], first, &run(length), second, &run(150)].concat();
                    let valid = core::str::from_utf8(&source).map_or_else(|error| error.valid_up_to(), str::len);
                    let text = core::str::from_utf8(&source[..valid]).unwrap();
                    let units: Vec<u16> = text.encode_utf16().collect();
                    for room in [units.len() + 100, units.len(), 418 + length / 2, 420, 421, 422] {
                        let mut destination = vec![0; room];
                        let (read, written) = from_utf8(&source, &mut destination);
                        assert!(text[..read].encode_utf16().eq(destination[..written].iter().copied()));
                        let next = text[read..].chars().next().map_or(usize::MAX, char::len_utf16);
                        assert!(read == valid || room - written < next, "{read} of {valid} into {room}");
                    }
                }
            }
        }
    });
}

/// Long ASCII around a character takes another path than short text.
#[test]
fn stops_where_std_stops_on_sequences_among_ascii() {
    const BYTES: [u8; 12] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC3, 0xE2, 0xFF];
    at_every_level(|_| {
        for first in 0x80..=0xFF {
            for (second, third) in BYTES.iter().flat_map(|second| BYTES.map(|third| (*second, third))) {
                for at in [0, 30, 61, 62, 63] {
                    let mut source = [b'a'; 200];
                    source[3..8].copy_from_slice("é€".as_bytes());
                    source[8 + at..][..3].copy_from_slice(&[first, second, third]);
                    let expected = core::str::from_utf8(&source).map_or_else(|error| error.valid_up_to(), str::len);
                    let text = core::str::from_utf8(&source[..expected]).unwrap();
                    let mut destination = [0; 200];
                    let (read, written) = from_utf8(&source, &mut destination);
                    assert_eq!(read, expected, "{source:02X?}");
                    assert!(text.encode_utf16().eq(destination[..written].iter().copied()), "{source:02X?}");
                }
            }
        }
    });
}

#[test]
fn destinations_of_every_length_get_whole_characters() {
    at_every_level(|_| {
        let text = "aé€\u{1F4A9}".repeat(12);
        let units: Vec<u16> = text.encode_utf16().collect();
        for room in 0..=units.len() + 2 {
            let mut destination = vec![0; room];
            let (read, written) = from_utf8(text.as_bytes(), &mut destination);
            assert!(text[..read].encode_utf16().eq(destination[..written].iter().copied()));
            assert!(read == text.len() || room - written < 2);
        }
        for room in 0..=text.len() + 2 {
            let mut destination = vec![0; room];
            let length = copy(text.as_bytes(), &mut destination);
            assert_eq!(&destination[..length], &text.as_bytes()[..length]);
            assert!(length == text.len() || room - length < 4);
        }
    });
}

/// Checks that the decoded prefix is right, and that at most 20 bytes are left if the destination is ample. The
/// caller would decode these bytes.
fn check_replacing(source: &[u8], room: usize) {
    let expected: String = String::from_utf8_lossy(source).into_owned();
    let (mut units, mut text) = (vec![0; room], vec![0; 3 * room]);
    let (read, written) = from_utf8_replacing(source, &mut units);
    assert!(room < source.len() + 100 || source.len() - read < 20, "{read} of {}: {source:02X?}", source.len());
    let rest = String::from_utf8_lossy(&source[read..]);
    let units = units[..written].iter().copied().chain(rest.encode_utf16());
    assert!(units.eq(expected.encode_utf16()), "{source:02X?} into {room}");

    let (read, written) = copy_replacing(source, &mut text);
    assert!(room < source.len() + 100 || source.len() - read < 20, "{read} of {}: {source:02X?}", source.len());
    let rest = String::from_utf8_lossy(&source[read..]);
    assert_eq!([&text[..written], rest.as_bytes()].concat(), expected.as_bytes(), "{source:02X?} into {room}");
}

#[test]
fn errors_are_replaced_as_std_does() {
    let significant: [&[u8]; 14] = [
        b"a",
        b"\x80",
        b"\x8F",
        b"\x90",
        b"\xA0",
        b"\xBF",
        b"\xC1",
        "é".as_bytes(),
        b"\xE0",
        "€".as_bytes(),
        b"\xED",
        b"\xF0",
        "\u{1F4A9}".as_bytes(),
        b"\xF4",
    ];
    at_every_level(|_| {
        let mut random = 1_u32;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % limit
        };
        for length in 0..=200 {
            for calm in [1, 4, 60] {
                let mut source = Vec::new();
                while source.len() < length {
                    match below(calm) {
                        0 => source.extend(significant[below(14)]),
                        _ => source.extend(["a", "é", "€", "\u{1F4A9}"][below(4)].bytes()),
                    }
                }
                source.truncate(length);
                for room in [length / 2, length, length + 200] {
                    check_replacing(&source, room);
                }
            }
        }
        // Every sequence of four significant parts, also across the end of a block.
        for number in 0..significant.len().pow(4) {
            let sequence = (0..4).flat_map(|place| significant[number / 14_usize.pow(place) % 14]).copied();
            let source: Vec<u8> = "-".repeat(number % 70).into_bytes().into_iter().chain(sequence).collect();
            check_replacing(&source, source.len() + 200);
        }
    });
}
