//! Operations of the [Infra Standard](https://infra.spec.whatwg.org/#byte-sequences) between bytes and strings that
//! need no encoding. They are not windows-1252, in which 0x80 is U+20AC: here 0x80 is U+0080.

use alloc::{string::String, vec::Vec};

use textcodec_kernels::ascii;

use crate::{Malformed, Unmappable};

/// [Isomorphic decode](https://infra.spec.whatwg.org/#isomorphic-decode): the string whose code points have the values
/// of the bytes.
///
/// ```
/// assert_eq!(textcodec::infra::isomorphic_decode(b"\x80\xE9"), "\u{80}é");
/// ```
#[must_use]
pub fn isomorphic_decode(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// [Isomorphic encode](https://infra.spec.whatwg.org/#isomorphic-encode): the bytes with the values of the code points.
///
/// # Errors
/// The first code point above U+00FF and its offset in bytes. The Infra Standard asserts that there is no such code
/// point.
pub fn isomorphic_encode(string: &str) -> Result<Vec<u8>, Unmappable> {
    string
        .char_indices()
        .map(|(offset, code_point)| u8::try_from(code_point).map_err(|_| Unmappable::new(offset as u64, code_point)))
        .collect()
}

/// [ASCII encode](https://infra.spec.whatwg.org/#ascii-encode): the bytes of a string that is ASCII.
///
/// # Errors
/// The first code point above U+007F and its offset in bytes. The Infra Standard asserts that there is no such code
/// point.
pub fn ascii_encode(string: &str) -> Result<&[u8], Unmappable> {
    let offset = ascii::prefix_length(string.as_bytes());
    match string[offset..].chars().next() {
        None => Ok(string.as_bytes()),
        Some(code_point) => Err(Unmappable::new(offset as u64, code_point)),
    }
}

/// [ASCII decode](https://infra.spec.whatwg.org/#ascii-decode): the string of bytes that are ASCII.
///
/// # Errors
/// The first byte above 0x7F and its offset. The Infra Standard asserts that there is no such byte.
pub fn ascii_decode(bytes: &[u8]) -> Result<&str, Malformed> {
    let offset = ascii::prefix_length(bytes);
    match (core::str::from_utf8(bytes), bytes.get(offset)) {
        (Ok(string), None) => Ok(string),
        (_, byte) => Err(Malformed::new(offset as u64, byte.copied().unwrap_or_default().into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isomorphic_is_the_identity_on_all_bytes_and_not_windows_1252() {
        let bytes: Vec<u8> = (0..=0xFF).collect();
        let string = isomorphic_decode(&bytes);
        assert!(string.chars().map(u32::from).eq(0..=0xFF));
        assert_eq!(isomorphic_encode(&string), Ok(bytes));
        assert_eq!(isomorphic_encode("é€"), Err(Unmappable::new(2, '€')));
    }

    #[test]
    fn ascii_stops_at_the_first_that_is_not() {
        assert_eq!(ascii_encode("a\u{7F}"), Ok(&b"a\x7F"[..]));
        assert_eq!(ascii_encode("aé"), Err(Unmappable::new(1, 'é')));
        assert_eq!(ascii_decode(b"a\x7F"), Ok("a\u{7F}"));
        assert_eq!(ascii_decode(b"a\xC3\xA9").unwrap_err(), Malformed::new(1, 0xC3.into()));
        // UTF-8 is no ASCII, also before bytes that are neither.
        assert_eq!(ascii_decode(b"\xC3\xA9\xFF").unwrap_err(), Malformed::new(0, 0xC3.into()));
        assert_eq!(ascii_decode(b"a\xFF\xC3\xA9").unwrap_err(), Malformed::new(1, 0xFF.into()));
    }

    #[test]
    fn the_first_character_that_is_not_ascii_is_reported_at_every_place() {
        for place in (0..70).chain([127, 128, 1000]) {
            let text = "a".repeat(place) + "éa€";
            assert_eq!(ascii_encode(&text), Err(Unmappable::new(place as u64, 'é')), "{place}");
            assert_eq!(ascii_decode(text.as_bytes()), Err(Malformed::new(place as u64, 0xC3.into())), "{place}");
            assert_eq!(isomorphic_encode(&text), Err(Unmappable::new(place as u64 + 3, '€')), "{place}");
            let ascii = &text[..place];
            assert_eq!((ascii_encode(ascii), ascii_decode(ascii.as_bytes())), (Ok(ascii.as_bytes()), Ok(ascii)));
        }
    }
}
