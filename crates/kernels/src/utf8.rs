//! UTF-8.

use crate::{level::dispatch, scalar};

/// The length in bytes of the longest prefix of `source` that is UTF-8.
#[inline]
#[must_use]
pub fn valid_up_to(source: &[u8]) -> usize {
    dispatch!(utf8::valid_up_to(source: &[u8]) -> usize)
}

/// Copies the prefix of `source` that is UTF-8, as much of it as fits in whole characters, and returns its length in bytes.
#[inline]
pub fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    dispatch!(utf8::copy(source: &[u8], destination: &mut [u8]) -> usize)
}

/// Converts the prefix of `source` that is UTF-8 to UTF-16. Returns `(read, written)`.
#[inline]
pub fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    // It takes longer to choose and to begin than to be done.
    if source.len() < 12 {
        return scalar::utf8::to_utf16(source, destination);
    }
    dispatch!(utf8::to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize))
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
