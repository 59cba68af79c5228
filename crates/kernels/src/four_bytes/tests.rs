//! Sequences of four bytes: every pointer and code unit of a range, between ASCII and other text.

use super::*;
use crate::{level::at_every_level, testing::Random};

const RANGES: [Range; 3] = [
    Range { pointer: 0, unit: 0x80, length: 39_420 },
    Range { pointer: 1234, unit: 0xAC00, length: 2345 },
    Range { pointer: 1261, unit: 0x80, length: 1 },
];

#[test]
fn pointer_of_bytes_of_a_pointer_is_that_pointer() {
    for number in 0..126 * 10 * 126 * 10 {
        assert_eq!(pointer(&bytes(number)), Some(number));
    }
}

/// The characters of `source` before the first one that does not belong to the range. Each item is the offset at
/// which the character ends, and the code unit of the character.
fn characters<'a>(range: &'a Range, source: &'a [u8]) -> impl Iterator<Item = (usize, u16)> {
    let mut read = 0;
    core::iter::from_fn(move || {
        let rest = &source[read..];
        let (unit, length) = match rest.first()? {
            byte @ 0x00..=0x7F => (u16::from(*byte), 1),
            _ => (range.unit(pointer(rest)?)?, 4),
        };
        read += length;
        Some((read, unit))
    })
}

fn check_decoding(range: &Range, source: &[u8], room: usize) {
    let mut units = vec![0; room];
    let (read, written) = to_utf16(range, source, &mut units);
    let (ends, expected): (Vec<_>, Vec<_>) = characters(range, source).take(written).unzip();
    assert_eq!(units[..written], expected, "{range:?} {source:02X?}");
    assert_eq!(read, ends.last().copied().unwrap_or(0), "{range:?} {source:02X?}");
    // The function may only stop before a run of ASCII, or because the destination is full.
    if let Some((_, unit)) = characters(range, &source[read..]).next() {
        let is_run = unit < 0x80 && source.get(read + 1).is_none_or(u8::is_ascii);
        assert!(is_run || written == room, "{range:?} {read} of {source:02X?} into {room}");
    }
}

fn check_encoding(range: &Range, source: &[u16], room: usize) {
    let mut text = [0; 1000];
    let (read, written) = from_utf16(range, source, &mut text[..room]);
    let expected = source[..read].iter().flat_map(|&unit| bytes_of(range, unit));
    assert!(expected.eq(text[..written].iter().copied()), "{range:?} {source:04X?}: {:02X?}", &text[..written]);
    if let Some(&unit) = source.get(read) {
        let is_run = unit < 0x80 && source.get(read + 1).is_none_or(|&unit| unit < 0x80);
        let is_in_range = u32::from(unit.wrapping_sub(range.unit)) < range.length;
        let is_right = unit < 0x80 || is_in_range;
        assert!(!is_right || is_run || room - written < 4, "{range:?} {read} of {source:04X?} into {room}");
    }
}

/// Words with ASCII between them.
fn text(range: &Range, length: usize, random: &mut Random) -> Vec<u16> {
    let mut text = vec![];
    while text.len() < length {
        let word = 1 + random.below(9);
        text.extend((0..word).map(|_| range.unit + random.below(range.length as usize) as u16));
        let between = if random.below(9) == 0 { 90 } else { 3 };
        text.extend((0..random.below(between)).map(|_| b"0 a9"[random.below(4)] as u16));
    }
    text.truncate(length);
    text
}

/// The byte or the four bytes of a code unit.
fn bytes_of(range: &Range, unit: u16) -> impl Iterator<Item = u8> {
    let (bytes, length) = match unit {
        0x00..=0x7F => ([unit as u8; 4], 1),
        _ => (bytes(range.pointer + u32::from(unit.wrapping_sub(range.unit))), 4),
    };
    bytes.into_iter().take(length)
}

fn encoded(range: &Range, text: &[u16]) -> Vec<u8> {
    text.iter().flat_map(|&unit| bytes_of(range, unit)).collect()
}

#[test]
fn every_code_unit_of_a_range_is_decoded_and_encoded() {
    at_every_level(|_| {
        for range in &RANGES {
            let text: Vec<_> = (0..range.length).map(|place| range.unit + place as u16).collect();
            let source = encoded(range, &text);
            let (mut units, mut bytes) = (vec![0; text.len()], vec![0; source.len()]);
            assert_eq!(to_utf16(range, &source, &mut units), (source.len(), text.len()));
            assert_eq!(from_utf16(range, &text, &mut bytes), (text.len(), source.len()));
            assert!(units == text && bytes == source);
        }
    });
}

#[test]
fn texts_of_every_length_with_other_bytes_at_any_place() {
    at_every_level(|_| {
        let mut random = Random(1);
        for range in &RANGES {
            for length in 0..150 {
                let mut text = text(range, length, &mut random);
                let mut source = encoded(range, &text);
                for room in [0, length / 2, length, length + 100] {
                    check_decoding(range, &source, room);
                    check_encoding(range, &text, 4 * room);
                }
                for _ in 0..50.min(10 * length) {
                    let (at, byte) = (random.below(source.len()), random.below(256) as u8);
                    let before = core::mem::replace(&mut source[at], byte);
                    check_decoding(range, &source, length + 300);
                    check_decoding(range, &source[..at], length + 300);
                    source[at] = before;
                    let (at, unit) = (random.below(length), random.below(0x1_0000) as u16);
                    let before = core::mem::replace(&mut text[at], unit);
                    check_encoding(range, &text, 4 * length + 100);
                    text[at] = before;
                }
            }
        }
    });
}

/// Checks every byte in each of the four places of a sequence, and the pointers at the limits of a range, at every
/// place of a block.
#[test]
fn stops_before_bytes_that_are_no_sequence_of_the_range() {
    at_every_level(|_| {
        let range = &RANGES[1];
        for before in 0..70 {
            let place = range.pointer + before as u32 % range.length;
            let mut source = [vec![b'7'; before % 5], bytes(place).repeat(40)].concat();
            let at = before % 5 + 4 * (before / 5);
            for part in 0..4 {
                for byte in 0..=255 {
                    source[at + part] = byte;
                    check_decoding(range, &source, 300);
                }
                source[at + part] = bytes(place)[part];
            }
            for pointer in
                [range.pointer - 1, range.pointer, range.pointer + range.length - 1, range.pointer + range.length]
            {
                source[at..at + 4].copy_from_slice(&bytes(pointer));
                check_decoding(range, &source, 300);
            }
        }
        for at in 0..20 {
            for unit in 0..=0xFFFF {
                let mut units = [range.unit; 20];
                units[at] = unit;
                check_encoding(range, &units, 100);
            }
        }
    });
}
