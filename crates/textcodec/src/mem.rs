//! Text in memory that is UTF-8, UTF-16 or Latin-1: checks and conversions for programs with strings of several kinds.
//!
//! Latin-1 in this module is *isomorphic*: a byte is the code point of equal value, as in the strings of JavaScript
//! engines. It is not the encoding of the label `latin1`, which is windows-1252.
//!
//! A conversion writes whole characters to the front of its destination and returns `(read, written)`, in units of the
//! source and of the destination. It never panics: if the destination is too small, the conversion stops early. Bytes
//! of the destination after the converted text may be overwritten.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;

use textcodec_kernels::{ascii, latin1, unshifted, utf8, utf16};
use textcodec_utf8::memory;

/// Whether all bytes are ASCII.
#[must_use]
pub fn is_ascii(bytes: &[u8]) -> bool {
    ascii_up_to(bytes) == bytes.len()
}

/// Whether all code units are ASCII.
#[doc(alias = "is_basic_latin")]
#[must_use]
pub fn is_utf16_ascii(text: &[u16]) -> bool {
    utf16_ascii_up_to(text) == text.len()
}

/// Whether `bytes` are UTF-8 whose code points are at most U+00FF.
#[doc(alias = "is_str_latin1")]
#[must_use]
pub fn is_utf8_latin1(bytes: &[u8]) -> bool {
    utf8_latin1_up_to(bytes) == bytes.len()
}

/// Whether all code units are at most 0xFF.
#[must_use]
pub fn is_utf16_latin1(text: &[u16]) -> bool {
    utf16_latin1_up_to(text) == text.len()
}

/// The length of the longest prefix that is ASCII, in bytes.
#[doc(alias = "ascii_valid_up_to")]
#[must_use]
pub fn ascii_up_to(bytes: &[u8]) -> usize {
    ascii::prefix_length(bytes)
}

/// The length of the longest prefix that is ASCII, in code units.
#[must_use]
pub fn utf16_ascii_up_to(text: &[u16]) -> usize {
    ascii::prefix_length_utf16(text)
}

/// The length in bytes of the longest prefix that ISO-2022-JP, in its initial state, decodes as the same ASCII: ASCII
/// without 0x0E, 0x0F and 0x1B.
#[doc(alias = "iso_2022_jp_ascii_valid_up_to")]
#[must_use]
pub fn iso_2022_jp_ascii_up_to(bytes: &[u8]) -> usize {
    unshifted::prefix_length(bytes)
}

/// The length of the longest prefix that is well-formed UTF-8, in bytes.
#[must_use]
pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
    utf8::valid_up_to(bytes)
}

/// The length of the longest prefix without an unpaired surrogate, in code units.
#[must_use]
pub fn utf16_valid_up_to(text: &[u16]) -> usize {
    utf16::valid_up_to(text)
}

/// The length in bytes of the longest prefix that is UTF-8 whose code points are at most U+00FF.
#[doc(alias = "str_latin1_up_to")]
#[must_use]
pub fn utf8_latin1_up_to(bytes: &[u8]) -> usize {
    latin1::prefix_length_utf8(bytes)
}

/// The length of the longest prefix whose code units are at most 0xFF, in code units.
#[must_use]
pub fn utf16_latin1_up_to(text: &[u16]) -> usize {
    latin1::prefix_length_utf16(text)
}

/// Replaces every unpaired surrogate by U+FFFD.
///
/// ```
/// let mut text = [0x61, 0xD800, 0xD83D, 0xDCA9];
/// textcodec::mem::ensure_utf16_validity(&mut text);
/// assert_eq!(text, [0x61, 0xFFFD, 0xD83D, 0xDCA9]);
/// ```
pub fn ensure_utf16_validity(text: &mut [u16]) {
    utf16::ensure_validity(text);
}

/// Converts UTF-8 to UTF-16. Malformed sequences become U+FFFD, one for each maximal subpart. A destination of as many
/// code units as `bytes` has bytes is always large enough.
///
/// ```
/// let mut text = [0; 8];
/// let (read, written) = textcodec::mem::utf8_to_utf16(b"a\xFF\xF0\x9F\x92\xA9", &mut text);
/// assert_eq!((read, &text[..written]), (6, &[0x61, 0xFFFD, 0xD83D, 0xDCA9][..]));
/// ```
#[doc(alias = "convert_utf8_to_utf16")]
pub fn utf8_to_utf16(bytes: &[u8], text: &mut [u16]) -> (usize, usize) {
    memory::utf8_to_utf16(bytes, text)
}

/// Converts a string to UTF-16. A destination of as many code units as `string` has bytes is always large enough.
#[doc(alias("convert_str_to_utf16", "convert_utf8_to_utf16_without_replacement"))]
pub fn str_to_utf16(string: &str, text: &mut [u16]) -> (usize, usize) {
    utf16::from_utf8(string.as_bytes(), text)
}

/// Converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD. A destination of three bytes for each code unit is
/// always large enough.
///
/// This function returns the same numbers as `TextEncoder`'s `encodeInto`, but may overwrite bytes after the text,
/// which a script would see. For scripts, use `api::TextEncoder::encode_into`.
///
/// ```
/// let mut bytes = [0; 6];
/// let (read, written) = textcodec::mem::utf16_to_utf8(&[0x61, 0xD800, 0xD83D, 0xDCA9], &mut bytes);
/// assert_eq!((read, &bytes[..written]), (2, "a\u{FFFD}".as_bytes()));
/// ```
#[doc(alias("convert_utf16_to_utf8", "convert_utf16_to_utf8_partial"))]
pub fn utf16_to_utf8(text: &[u16], bytes: &mut [u8]) -> (usize, usize) {
    memory::utf16_to_utf8(text, bytes)
}

/// Converts UTF-16 into the front of a string. Apart from this, the function works like [`utf16_to_utf8`].
///
/// Some bytes after the text become 0. They end at most where the longest possible result for `text.len()` code units
/// would end, or at the end of the character of the old string at that place. The others stay as they were.
#[doc(alias("convert_utf16_to_str", "convert_utf16_to_str_partial"))]
pub fn utf16_to_str(text: &[u16], string: &mut str) -> (usize, usize) {
    memory::utf16_to_str(text, string)
}

/// Converts Latin-1 to UTF-8. A destination of two bytes for each byte is always large enough.
#[doc(alias("convert_latin1_to_utf8", "convert_latin1_to_utf8_partial"))]
pub fn latin1_to_utf8(latin1: &[u8], bytes: &mut [u8]) -> (usize, usize) {
    latin1::to_utf8(latin1, bytes)
}

/// Converts Latin-1 into the front of a string. Apart from this, the function works like [`latin1_to_utf8`].
///
/// Some bytes after the text become 0. They end at most where the longest possible result for `latin1.len()` bytes
/// would end, or at the end of the character of the old string at that place. The others stay as they were.
#[doc(alias("convert_latin1_to_str", "convert_latin1_to_str_partial"))]
pub fn latin1_to_str(latin1: &[u8], string: &mut str) -> (usize, usize) {
    memory::latin1_to_str(latin1, string)
}

/// Converts Latin-1 to UTF-16: widens as many bytes as fit.
#[doc(alias = "convert_latin1_to_utf16")]
pub fn latin1_to_utf16(latin1: &[u8], text: &mut [u16]) -> (usize, usize) {
    let length = latin1::to_utf16(latin1, text);
    (length, length)
}

/// Converts UTF-8 to Latin-1. Stops before the first code point above U+00FF and before the first malformed sequence.
#[doc(alias = "convert_utf8_to_latin1_lossy")]
pub fn utf8_to_latin1(bytes: &[u8], latin1: &mut [u8]) -> (usize, usize) {
    latin1::from_utf8(bytes, latin1)
}

/// Converts UTF-16 to Latin-1. Stops before the first code unit above 0xFF.
#[doc(alias = "convert_utf16_to_latin1_lossy")]
pub fn utf16_to_latin1(text: &[u16], latin1: &mut [u8]) -> (usize, usize) {
    let length = latin1::from_utf16(text, latin1);
    (length, length)
}

/// Copies the longest prefix that is ASCII, as far as it fits, and returns its length.
#[doc(alias = "copy_ascii_to_ascii")]
pub fn copy_ascii(source: &[u8], destination: &mut [u8]) -> usize {
    ascii::copy(source, destination)
}

/// Copies the longest prefix that is ASCII to UTF-16, as far as it fits, and returns its length.
#[doc(alias = "copy_ascii_to_basic_latin")]
pub fn copy_ascii_to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    ascii::widen(source, destination)
}

/// Copies the longest prefix of UTF-16 that is ASCII to bytes, as far as it fits, and returns its length.
#[doc(alias = "copy_basic_latin_to_ascii")]
pub fn copy_utf16_to_ascii(source: &[u16], destination: &mut [u8]) -> usize {
    ascii::narrow(source, destination)
}

/// Latin-1 as a string, which borrows the bytes if they are ASCII. This is
/// [*isomorphic decode*](crate::infra::isomorphic_decode).
#[cfg(feature = "alloc")]
#[must_use]
pub fn decode_latin1(latin1: &[u8]) -> Cow<'_, str> {
    memory::decode_latin1(latin1)
}

/// A string as Latin-1, which borrows the string if it is ASCII; `None` if the string has a code point above U+00FF.
/// [*Isomorphic encode*](crate::infra::isomorphic_encode) also returns that code point.
#[doc(alias = "encode_latin1_lossy")]
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_latin1(text: &str) -> Option<Cow<'_, [u8]>> {
    memory::encode_latin1(text)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn conversions_from_utf_8_stop_where_another_call_can_go_on() {
        let bytes = b"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x92\xA9\xFFb\xF0\x9F";
        let text: Vec<u16> = String::from_utf8_lossy(bytes).encode_utf16().collect();
        for space in 0..=text.len() {
            let mut destination = [0; 12];
            let (read, written) = utf8_to_utf16(bytes, &mut destination[..space]);
            assert_eq!(destination[..written], text[..written]);
            let mut rest = [0; 12];
            let (_, more) = utf8_to_utf16(&bytes[read..], &mut rest);
            assert_eq!(rest[..more], text[written..], "after {read} bytes");
        }
    }

    #[test]
    fn conversions_from_utf_16_stop_where_another_call_can_go_on() {
        let text = [0x61, 0xE9, 0xD800, 0x20AC, 0xD83D, 0xDCA9, 0xDC00, 0xD83D];
        let expected = String::from_utf16_lossy(&text);
        for space in 0..=expected.len() {
            let mut bytes = [0; 24];
            let (read, written) = utf16_to_utf8(&text, &mut bytes[..space]);
            assert_eq!(&bytes[..written], &expected.as_bytes()[..written]);
            assert_eq!(String::from_utf16_lossy(&text[read..]), expected[written..]);
            let mut string = "\u{1}".repeat(space);
            assert_eq!(utf16_to_str(&text, &mut string), (read, written));
            assert_eq!(&string[..written], &expected[..written]);
        }
    }

    #[test]
    fn latin1_is_isomorphic() {
        let all: Vec<u8> = (0..=255).collect();
        let text = decode_latin1(&all);
        assert_eq!(text, crate::infra::isomorphic_decode(&all));
        assert_eq!(encode_latin1(&text).as_deref(), Some(&all[..]));
        assert_eq!(encode_latin1("Ā"), None);
        assert!(matches!((decode_latin1(b"a"), encode_latin1("a")), (Cow::Borrowed("a"), Some(Cow::Borrowed(b"a")))));
        assert!(is_utf8_latin1(text.as_bytes()) && !is_utf8_latin1("Ā".as_bytes()) && !is_ascii(text.as_bytes()));
        let mut string = "x".repeat(400);
        assert_eq!(latin1_to_str(&all, &mut string), (256, 384));
        assert_eq!(string[..384], *text);
    }

    #[test]
    fn ascii_is_copied_up_to_another_character_or_the_end_of_the_destination() {
        let (bytes, units) = (b"abc\xE9", [0x61, 0x62, 0x63, 0xE9]);
        for space in 0..=4 {
            let length = space.min(3);
            let (mut to_bytes, mut to_units) = ([0; 4], [0; 4]);
            assert_eq!(copy_ascii(bytes, &mut to_bytes[..space]), length);
            assert_eq!(to_bytes[..length], bytes[..length]);
            assert_eq!(copy_ascii_to_utf16(bytes, &mut to_units[..space]), length);
            assert_eq!(to_units[..length], units[..length]);
            to_bytes.fill(0);
            assert_eq!(copy_utf16_to_ascii(&units, &mut to_bytes[..space]), length);
            assert_eq!(to_bytes[..length], bytes[..length]);
        }
    }

    #[test]
    fn iso_2022_jp_ascii_ends_before_shift_controls() {
        for byte in 0..=0xFF {
            let ends_before = matches!(byte, 0x0E | 0x0F | 0x1B | 0x80..);
            for at in 0..70 {
                let mut bytes = [b'a'; 70];
                bytes[at] = byte;
                let expected = if ends_before { at } else { bytes.len() };
                assert_eq!(iso_2022_jp_ascii_up_to(&bytes), expected, "{byte:02X}");
            }
        }
    }
}
