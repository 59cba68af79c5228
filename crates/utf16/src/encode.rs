//! Writing UTF-16, for files and protocols outside the web. The Encoding Standard has no encoder for it: its
//! [*encode*](https://encoding.spec.whatwg.org/#encode) uses the output encoding, which is UTF-8.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use textcodec_kernels::utf16;

/// `text` as UTF-16BE, without a byte order mark.
///
/// ```
/// assert_eq!(textcodec_utf16::encode_be("é💩"), b"\x00\xE9\xD8\x3D\xDC\xA9");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_be(text: &str) -> Vec<u8> {
    encode(b"", text, encode_be_into)
}

/// `text` as UTF-16BE, after the byte order mark FE FF.
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_be_with_bom(text: &str) -> Vec<u8> {
    encode(b"\xFE\xFF", text, encode_be_into)
}

/// `text` as UTF-16LE, without a byte order mark.
///
/// ```
/// assert_eq!(textcodec_utf16::encode_le("é💩"), b"\xE9\x00\x3D\xD8\xA9\xDC");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_le(text: &str) -> Vec<u8> {
    encode(b"", text, encode_le_into)
}

/// `text` as UTF-16LE, after the byte order mark FF FE.
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_le_with_bom(text: &str) -> Vec<u8> {
    encode(b"\xFF\xFE", text, encode_le_into)
}

/// The bytes of `bom` and `text`, in a vector of exactly that length.
#[cfg(feature = "alloc")]
fn encode(bom: &[u8], text: &str, encode_into: fn(&str, &mut [u8]) -> (usize, usize)) -> Vec<u8> {
    let mut bytes = vec![0; bom.len() + 2 * utf16_length(text)];
    let (start, rest) = bytes.split_at_mut(bom.len());
    start.copy_from_slice(bom);
    encode_into(text, rest);
    bytes
}

/// The number of code units that `text` has in UTF-16: one for the first byte of each character, and a second one if
/// that byte begins a character of four bytes.
#[cfg(feature = "alloc")]
fn utf16_length(text: &str) -> usize {
    let count = |byte: &u8| u8::from(*byte & 0xC0 != 0x80) + u8::from(*byte >= 0xF0);
    // The sum of 127 bytes fits into a byte, so the compiler can add 16 or more bytes at a time.
    text.as_bytes().chunks(127).map(|chunk| usize::from(chunk.iter().map(count).sum::<u8>())).sum()
}

/// Writes `text` as UTF-16BE to the front of `destination`, as many whole characters as fit, without a byte order mark.
/// Returns how many bytes of `text` were read and how many bytes of `destination` were written. An even address of
/// `destination` is faster than an odd one.
///
/// ```
/// let mut destination = [0; 5];
/// assert_eq!(textcodec_utf16::encode_be_into("aé💩", &mut destination), (3, 4));
/// assert_eq!(destination[..4], *b"\x00a\x00\xE9");
/// ```
pub fn encode_be_into(text: &str, destination: &mut [u8]) -> (usize, usize) {
    utf16::from_utf8_to_be_bytes(text.as_bytes(), destination)
}

/// Writes `text` as UTF-16LE to the front of `destination`, as many whole characters as fit, without a byte order mark.
/// Returns how many bytes of `text` were read and how many bytes of `destination` were written. An even address of
/// `destination` is faster than an odd one.
pub fn encode_le_into(text: &str, destination: &mut [u8]) -> (usize, usize) {
    utf16::from_utf8_to_le_bytes(text.as_bytes(), destination)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    #[test]
    fn either_byte_order_with_and_without_a_byte_order_mark() {
        assert_eq!(encode_be_with_bom("a"), b"\xFE\xFF\x00a");
        assert_eq!(encode_le_with_bom("a"), b"\xFF\xFEa\x00");
        assert_eq!(encode_le_with_bom(""), b"\xFF\xFE");
        assert_eq!(encode_be("\u{FEFF}"), b"\xFE\xFF", "no byte order mark is added and none is removed");
    }

    #[test]
    fn whole_characters_into_destinations_of_every_length() {
        let text = "aé💩€".repeat(40);
        for length in 0..=400 {
            for start in 0..2 {
                let (mut big, mut little) = ([0; 402], [0; 402]);
                let (read, written) = encode_be_into(&text, &mut big[start..start + length]);
                assert_eq!(encode_le_into(&text, &mut little[start..start + length]), (read, written));
                let units = || text[..read].encode_utf16();
                assert!(units().flat_map(u16::to_be_bytes).eq(big[start..start + written].iter().copied()));
                assert!(units().flat_map(u16::to_le_bytes).eq(little[start..start + written].iter().copied()));
                assert!(read == text.len() || length - written < 4);
            }
        }
    }

    #[test]
    fn vectors_are_as_long_as_the_text() {
        for text in ["", "a", "é", "€", "💩", "aé€💩"] {
            for times in [1, 31, 127, 128, 1000] {
                let text = text.repeat(times);
                assert_eq!(encode_be(&text), text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
                assert_eq!(encode_le(&text), text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
            }
        }
    }
}
