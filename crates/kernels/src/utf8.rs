//! UTF-8.

use crate::ascii;

/// The length in bytes of the longest prefix of `source` that is UTF-8.
#[must_use]
pub fn valid_up_to(source: &[u8]) -> usize {
    match core::str::from_utf8(source) {
        Ok(_) => source.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Copies the prefix of `source` that is UTF-8, as much of it as fits in whole characters, and returns its length in bytes.
pub fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let source = &source[..source.len().min(destination.len())];
    let length = valid_up_to(source);
    destination[..length].copy_from_slice(&source[..length]);
    length
}

/// Converts the prefix of `source` that is UTF-8 to UTF-16. Returns `(read, written)`.
pub fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if source.get(read).is_some_and(u8::is_ascii) {
            let run = ascii::widen(&source[read..], &mut destination[written..]);
            read += run;
            written += run;
        }
        let Some((code_point, length)) = first_beyond_ascii(&source[read..]) else { return (read, written) };
        let room = &mut destination[written..];
        match u16::try_from(code_point) {
            Ok(unit) if !room.is_empty() => {
                room[0] = unit;
                written += 1;
            }
            Err(_) if room.len() >= 2 => {
                room[0] = 0xD7C0 + (code_point >> 10) as u16;
                room[1] = 0xDC00 | (code_point & 0x3FF) as u16;
                written += 2;
            }
            _ => return (read, written),
        }
        read += length;
    }
}

/// The code point of the well-formed sequence of two to four bytes that `source` starts with, and its length.
#[inline]
fn first_beyond_ascii(source: &[u8]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match *source {
        [first @ 0xC2..=0xDF, second @ 0x80..=0xBF, ..] => Some((u32::from(first & 0x1F) << 6 | bits(second), 2)),
        [first @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..] => {
            let code_point = u32::from(first & 0xF) << 12 | bits(second) << 6 | bits(third);
            (code_point >= 0x800 && code_point & 0xF800 != 0xD800).then_some((code_point, 3))
        }
        [first @ 0xF0..=0xF4, second @ 0x80..=0xBF, third @ 0x80..=0xBF, fourth @ 0x80..=0xBF, ..] => {
            let code_point = u32::from(first & 0x7) << 18 | bits(second) << 12 | bits(third) << 6 | bits(fourth);
            (0x10000..=0x10FFFF).contains(&code_point).then_some((code_point, 4))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scalar_value_becomes_its_code_units() {
        let text: String = ('\0'..=char::MAX).collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut destination = vec![0; units.len()];
        assert_eq!(to_utf16(text.as_bytes(), &mut destination), (text.len(), units.len()));
        assert!(destination == units);
    }

    #[test]
    fn stops_where_std_stops_on_every_sequence_of_three_bytes_and_many_of_four() {
        let bytes = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4,
            0xF5, 0xFF,
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
    }

    #[test]
    fn whole_characters_into_every_room() {
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
    }
}
