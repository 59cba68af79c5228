//! Writing UTF-16, for files and protocols outside the web. The Encoding Standard has no encoder for it: its
//! [*encode*](https://encoding.spec.whatwg.org/#encode) uses the output encoding, which is UTF-8.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The text as UTF-16BE, without a byte order mark.
///
/// ```
/// assert_eq!(textcodec_utf16::encode_be("é💩"), b"\x00\xE9\xD8\x3D\xDC\xA9");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// The text as UTF-16BE, with the byte order mark FE FF before it.
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_be_with_bom(text: &str) -> Vec<u8> {
    with_bom(text, u16::to_be_bytes)
}

/// The text as UTF-16LE, without a byte order mark.
///
/// ```
/// assert_eq!(textcodec_utf16::encode_le("é💩"), b"\xE9\x00\x3D\xD8\xA9\xDC");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The text as UTF-16LE, with the byte order mark FF FE before it.
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_le_with_bom(text: &str) -> Vec<u8> {
    with_bom(text, u16::to_le_bytes)
}

#[cfg(feature = "alloc")]
fn with_bom(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    core::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// Writes the text as UTF-16BE to the front of `destination`, as many whole characters as fit, without a byte order mark.
/// Returns how many bytes of `text` were read and how many of `destination` were written.
///
/// ```
/// let mut room = [0; 5];
/// assert_eq!(textcodec_utf16::encode_be_into("aé💩", &mut room), (3, 4));
/// assert_eq!(room[..4], *b"\x00a\x00\xE9");
/// ```
pub fn encode_be_into(text: &str, destination: &mut [u8]) -> (usize, usize) {
    encode_into(text, destination, u16::to_be_bytes)
}

/// Writes the text as UTF-16LE to the front of `destination`, as many whole characters as fit, without a byte order mark.
/// Returns how many bytes of `text` were read and how many of `destination` were written.
pub fn encode_le_into(text: &str, destination: &mut [u8]) -> (usize, usize) {
    encode_into(text, destination, u16::to_le_bytes)
}

fn encode_into(text: &str, destination: &mut [u8], bytes: fn(u16) -> [u8; 2]) -> (usize, usize) {
    let mut written = 0;
    for (read, character) in text.char_indices() {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units);
        let Some(room) = destination.get_mut(written..written + 2 * units.len()) else { return (read, written) };
        for (to, &unit) in room.as_chunks_mut().0.iter_mut().zip(&*units) {
            *to = bytes(unit);
        }
        written += room.len();
    }
    (text.len(), written)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    #[test]
    fn either_order_with_and_without_a_mark() {
        assert_eq!(encode_be_with_bom("a"), b"\xFE\xFF\x00a");
        assert_eq!(encode_le_with_bom("a"), b"\xFF\xFEa\x00");
        assert_eq!(encode_le_with_bom(""), b"\xFF\xFE");
        assert_eq!(encode_be("\u{FEFF}"), b"\xFE\xFF", "no mark is added and none is removed");
    }

    #[test]
    fn whole_characters_into_every_room() {
        let text = "aé💩€";
        for room in 0..=12 {
            let (mut big, mut little) = ([0; 12], [0; 12]);
            let (read, written) = encode_be_into(text, &mut big[..room]);
            assert_eq!(encode_le_into(text, &mut little[..room]), (read, written));
            assert_eq!(big[..written], encode_be(&text[..read]));
            assert_eq!(little[..written], encode_le(&text[..read]));
            assert!(room - written < 4);
        }
    }
}
