//! The four-byte sequences of [gb18030](https://encoding.spec.whatwg.org/#gb18030), where consecutive pointers have
//! consecutive code points.
//!
//! The first and the third byte of a sequence are 0x81 to 0xFE, and the second and the fourth are 0x30 to 0x39. A
//! sequence is a number with four digits: its pointer.

#[cfg(vectors = "x86_64")]
mod avx2;

use crate::{
    base::blocks::{after, after_mut},
    level::with_avx2,
};

/// Consecutive pointers that have consecutive code points. All code points are code units, and none is ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first pointer.
    pub pointer: u32,
    /// The code unit of the first pointer.
    pub unit: u16,
    /// The number of pointers, at least 1. The last pointer and the last code unit are at most 0xFFFF.
    pub length: u32,
}

impl Range {
    /// The range with Hangul, the most frequent characters of four bytes.
    pub const HANGUL: Self = Range { pointer: 19_065, unit: 0x9FBC, length: 0xD800 - 0x9FBC };

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
            let (bytes, units) = with_avx2!(to_utf16(range, rest, room)).unwrap_or_default();
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
            let (units, bytes) = with_avx2!(from_utf16(range, rest, room)).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::at_every_level, tests::Random};

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
        let mut text = vec![0; room];
        let (read, written) = from_utf16(range, source, &mut text);
        assert_eq!(text[..written], encoded(range, &source[..read]), "{range:?} {source:04X?}");
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

    fn encoded(range: &Range, text: &[u16]) -> Vec<u8> {
        let bytes_of = |unit: &u16| match unit {
            0x00..=0x7F => vec![*unit as u8],
            _ => bytes(range.pointer + u32::from(unit.wrapping_sub(range.unit))).to_vec(),
        };
        text.iter().flat_map(bytes_of).collect()
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
                let source = [vec![b'7'; before % 5], bytes(place).repeat(40)].concat();
                let at = before % 5 + 4 * (before / 5);
                for part in 0..4 {
                    for byte in 0..=255 {
                        let mut source = source.clone();
                        source[at + part] = byte;
                        check_decoding(range, &source, 300);
                    }
                }
                for pointer in
                    [range.pointer - 1, range.pointer, range.pointer + range.length - 1, range.pointer + range.length]
                {
                    let mut source = source.clone();
                    source[at..at + 4].copy_from_slice(&bytes(pointer));
                    check_decoding(range, &source, 300);
                }
            }
            let units = vec![range.unit; 20];
            for at in 0..20 {
                for unit in 0..=0xFFFF {
                    let mut units = units.clone();
                    units[at] = unit;
                    check_encoding(range, &units, 100);
                }
            }
        });
    }
}
