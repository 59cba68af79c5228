//! Code points up to U+00FF: isomorphic strings, as bytes and in UTF-8 and UTF-16.

use crate::level::dispatch;

/// Copies bytes to the code units of equal value, as many as fit, and returns how many.
#[inline]
pub fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(latin1::to_utf16(source: &[u8], destination: &mut [u16]) -> usize)
}

/// Converts bytes to the UTF-8 of the code points of equal value. Returns `(read, written)`.
#[inline]
pub fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(latin1::to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// Copies the prefix of `source`, which is UTF-16, that has no code unit above 0xFF to bytes, as far as it fits, and returns
/// its length.
#[inline]
pub fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    dispatch!(latin1::from_utf16(source: &[u16], destination: &mut [u8]) -> usize)
}

/// Converts the prefix of `source`, which is UTF-8, that has no code point above U+00FF to bytes. Returns `(read, written)`.
#[inline]
pub fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(latin1::from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// The length in bytes of the longest prefix of `source` that is UTF-8 of code points up to U+00FF.
#[inline]
#[must_use]
pub fn prefix_length_utf8(source: &[u8]) -> usize {
    dispatch!(latin1::prefix_length_utf8(source: &[u8]) -> usize)
}

/// The length in code units of the longest prefix of `source` without one above 0xFF.
#[inline]
#[must_use]
pub fn prefix_length_utf16(source: &[u16]) -> usize {
    dispatch!(latin1::prefix_length_utf16(source: &[u16]) -> usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::at_every_level;

    #[test]
    fn all_bytes_there_and_back_into_every_room() {
        at_every_level(|_| {
            let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
            let text: String = bytes.iter().copied().map(char::from).collect();
            for room in 0..=800 {
                let mut utf8 = vec![0; room];
                let (read, written) = to_utf8(&bytes, &mut utf8);
                assert_eq!(&utf8[..written], &text.as_bytes()[..written]);
                assert!(read == bytes.len() || room - written <= 1);
                let mut back = vec![0; read];
                assert_eq!(from_utf8(&utf8[..written], &mut back), (written, read));
                assert_eq!(back, bytes[..read]);
                assert_eq!(prefix_length_utf8(&utf8[..written]), written);

                let mut units = vec![0; room];
                let length = to_utf16(&bytes, &mut units);
                assert_eq!(length, room.min(bytes.len()));
                let mut back = vec![0; length];
                assert_eq!(from_utf16(&units[..length], &mut back), length);
                assert_eq!(back, bytes[..length]);
            }
        });
    }

    #[test]
    fn stops_before_what_is_above_u_00ff() {
        at_every_level(|_| {
            assert_eq!(from_utf8("aéĀ".as_bytes(), &mut [0; 9]), (3, 2));
            assert_eq!(prefix_length_utf8("aéĀ".as_bytes()), 3);
            assert_eq!(from_utf16(&[0x61, 0xFF, 0x100, 0x61], &mut [0; 9]), 2);
            assert_eq!(prefix_length_utf16(&[0x61, 0xFF, 0x100, 0x61]), 2);
        });
    }
}
