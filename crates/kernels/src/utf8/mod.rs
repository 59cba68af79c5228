//! UTF-8: validating and copying it, and converting it to UTF-16.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod from_utf16;
pub(crate) mod malformed;
pub(crate) mod scalar;
#[cfg(vectors)]
pub(crate) mod shuffles;
#[cfg(vectors)]
pub(crate) mod tables;
#[cfg(vectors = "v128")]
pub(crate) mod v128;
mod validation;

use crate::{
    base::{
        backports::chunks_mut,
        blocks::{skip, skip_mut, up_to},
    },
    level::{dispatch, return_at},
    utf8::malformed::{alternately, utf8_with_few_errors},
    utf16,
};

/// The length in bytes of the longest prefix of `source` that is well-formed UTF-8.
#[inline]
#[must_use]
pub fn valid_up_to(source: &[u8]) -> usize {
    dispatch!(valid_up_to(source: &[u8]) -> usize)
}

/// Copies the well-formed prefix of `source`, or as many whole characters of it as fit, and returns the number of
/// bytes.
#[inline]
pub fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    dispatch!(copy(source: &[u8], destination: &mut [u8]) -> usize)
}

/// Converts the well-formed prefix of `source` to UTF-16. Returns `(read, written)`.
#[inline]
pub fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    dispatch!(to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize))
}

/// Converts the prefix of `source` that is UTF-8 to UTF-16LE. Returns `(read, written)`, both in bytes.
pub fn to_utf16_le_bytes(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    to_utf16_bytes(source, destination, cfg!(target_endian = "big"))
}

/// Converts the prefix of `source` that is UTF-8 to UTF-16BE. Returns `(read, written)`, both in bytes.
pub fn to_utf16_be_bytes(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    to_utf16_bytes(source, destination, cfg!(target_endian = "little"))
}

/// The number of bytes of UTF-8 that are converted before the second pass over their code units. The code units, at
/// most 8 KiB, are then still in the first-level cache.
const BYTES_PER_PASS: usize = 4096;

/// Converts to UTF-16 in the byte order of this machine, or in the other byte order if `swaps`. An aligned destination
/// is written directly, and byte-swapped block by block in a second pass. A destination at an odd address is written by
/// way of a block of code units.
fn to_utf16_bytes(source: &[u8], destination: &mut [u8], swaps: bool) -> (usize, usize) {
    if let Some(units) = utf16::as_units_mut(destination) {
        if !swaps {
            let (read, written) = to_utf16(source, units);
            return (read, 2 * written);
        }
        return by_passes(source, |piece, done| {
            let units = skip_mut(units, done);
            let (read, written) = to_utf16(piece, units);
            utf16::swap_bytes(units.get_mut(..written).unwrap_or_default());
            (read, written)
        });
    }
    let mut block = [0; BYTES_PER_PASS / 4];
    by_passes(source, |piece, done| {
        let space = chunks_mut(skip_mut(destination, 2 * done));
        let limit = block.len().min(space.len());
        let (read, written) = to_utf16(piece, block.get_mut(..limit).unwrap_or_default());
        if swaps {
            utf16::swap_bytes(block.get_mut(..written).unwrap_or_default());
        }
        space.iter_mut().zip(up_to(&block, written)).for_each(|(to, unit)| *to = unit.to_ne_bytes());
        (read, written)
    })
}

/// Calls `convert` for pieces of `source` with the number of code units so far, until a call reads nothing. `convert`
/// returns how many bytes it read and code units it wrote. Returns `(read, written)`, both in bytes.
fn by_passes(source: &[u8], mut convert: impl FnMut(&[u8], usize) -> (usize, usize)) -> (usize, usize) {
    let (mut read, mut units) = (0, 0);
    loop {
        let (more_read, more_units) = convert(up_to(skip(source, read), BYTES_PER_PASS), units);
        (read, units) = (read + more_read, units + more_units);
        if more_read == 0 || read == source.len() {
            return (read, 2 * units);
        }
    }
}

/// Decodes UTF-8 to UTF-16, with U+FFFD for each error as the Standard's decoder counts errors. Leaves up to a few
/// bytes unread at the end of `source`, where a sequence may be incomplete, and when `destination` is nearly full. How
/// many bytes it leaves differs between levels. Returns `(read, written)`.
pub fn to_utf16_replacing(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    return_at!(avx512::to_utf16_replacing(source, destination));
    let kernel =
        |source: &[u8], destination: &mut [u16]| utf8_with_few_errors(source, destination, &[0xFFFD], &to_utf16);
    alternately(source, destination, &kernel, &malformed::utf8_to_utf16)
}

/// As [`to_utf16_replacing`], to UTF-8.
pub fn copy_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    return_at!(avx512::copy_replacing(source, destination));
    let copy = |source: &[u8], destination: &mut [u8]| {
        let length = copy(source, destination);
        (length, length)
    };
    let kernel =
        |source: &[u8], destination: &mut [u8]| utf8_with_few_errors(source, destination, "\u{FFFD}".as_bytes(), &copy);
    alternately(source, destination, &kernel, &malformed::utf8_to_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::at_every_level;

    #[test]
    fn every_scalar_value_becomes_its_code_units() {
        at_every_level(|_| {
            let text: String = ('\0'..=char::MAX).collect();
            let units: Vec<u16> = text.encode_utf16().collect();
            let mut destination = vec![0; units.len()];
            assert_eq!(to_utf16(text.as_bytes(), &mut destination), (text.len(), units.len()));
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
                        for space in [little.len(), little.len() + 5, little.len() / 2, little.len().saturating_sub(1)]
                        {
                            let mut destination = vec![0; at + space];
                            let (read, written) = to_utf16_le_bytes(source.as_bytes(), &mut destination[at..]);
                            assert_eq!(destination[at..at + written], little[..written]);
                            assert!(read == source.len() || space - written < 4, "{read} of {length} into {space}");
                            let count = source[..read].encode_utf16().count();
                            assert_eq!(written, 2 * count);
                            let result = to_utf16_be_bytes(source.as_bytes(), &mut destination[at..]);
                            assert_eq!((result, &destination[at..at + written]), ((read, written), &big[..written]));
                        }
                    }
                }
            }
            // It stops before an error.
            assert_eq!(to_utf16_be_bytes(b"ab\xFFc", &mut [0; 8]), (2, 4));
        });
    }

    #[test]
    fn stops_where_std_stops_on_every_sequence_of_three_bytes_and_many_of_four() {
        at_every_level(|_| {
            let bytes = [
                0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0,
                0xF4, 0xF5, 0xFF,
            ];
            let check = |source: &[u8]| {
                let valid = valid_up_to(source);
                let mut destination = [0; 8];
                let (read, written) = to_utf16(source, &mut destination);
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
                for second in ["”".as_bytes(), "ß".as_bytes(), b"\xFF"] {
                    // The second run reaches every place of a block of 64 bytes after a longer run of ASCII.
                    for length in (0..=70).chain(100..=170) {
                        let run = |length| vec![b'a'; length];
                        let source = [&run(420)[..], first, &run(length), second, &run(150)].concat();
                        let valid = core::str::from_utf8(&source).map_or_else(|error| error.valid_up_to(), str::len);
                        let text = core::str::from_utf8(&source[..valid]).unwrap();
                        let units: Vec<u16> = text.encode_utf16().collect();
                        for room in [units.len() + 100, units.len(), 418 + length / 2, 420, 421, 422] {
                            let mut destination = vec![0; room];
                            let (read, written) = to_utf16(&source, &mut destination);
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
                        let (read, written) = to_utf16(&source, &mut destination);
                        assert_eq!(read, expected, "{source:02X?}");
                        assert!(text.encode_utf16().eq(destination[..written].iter().copied()), "{source:02X?}");
                    }
                }
            }
        });
    }

    #[test]
    fn finds_an_error_before_a_character_that_the_end_cuts_off() {
        at_every_level(|_| {
            for length in (0..=200).chain([350, 500]) {
                for cut_off in 0..=3 {
                    let mut source: Vec<u8> = (b'!'..b'z').cycle().take(length).collect();
                    source.extend(&[0xF0, 0x9F, 0x92][..cut_off]);
                    for at in 0..=length {
                        let before = source.get(at).copied();
                        source[at..].iter_mut().take(1).for_each(|byte| *byte = 0xFF);
                        let mut destination = vec![0; source.len()];
                        assert_eq!(valid_up_to(&source), at, "{source:02X?}");
                        assert_eq!(copy(&source, &mut destination), at, "{source:02X?}");
                        assert_eq!(destination[..at], source[..at]);
                        source[at..].iter_mut().zip(before).for_each(|(byte, before)| *byte = before);
                    }
                }
            }
        });
    }

    /// Checks errors at the places where a block ends within a character, and where the last block overlaps the block
    /// before.
    #[test]
    fn finds_an_error_at_any_place_in_text_of_every_length() {
        at_every_level(|_| {
            for text in ["aé€\u{1F4A9}", "жук ", "\u{1F4A9}", "語a語", "plain ASCII, and much of it, before: é"]
            {
                let text = text.repeat(80).into_bytes();
                for length in 0..=300 {
                    let mut source = text[..length].to_vec();
                    for at in [length, length / 2, length.saturating_sub(33), length.saturating_sub(3)] {
                        let before = source.get(at).copied();
                        source[at..].iter_mut().take(1).for_each(|byte| *byte = 0xFF);
                        let expected = core::str::from_utf8(&source).map_or_else(|error| error.valid_up_to(), str::len);
                        let mut destination = vec![0; length];
                        assert_eq!(valid_up_to(&source), expected, "{source:02X?}");
                        assert_eq!(copy(&source, &mut destination), expected, "{source:02X?}");
                        assert_eq!(destination[..expected], source[..expected]);
                        source[at..].iter_mut().zip(before).for_each(|(byte, before)| *byte = before);
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
                let (read, written) = to_utf16(text.as_bytes(), &mut destination);
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
        let (read, written) = to_utf16_replacing(source, &mut units);
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
}
