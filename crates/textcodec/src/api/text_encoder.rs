//! [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder).

use alloc::vec::Vec;

use textcodec_kernels::{ascii, string, utf16};

use super::EncoderInput;
use crate::{EncodeErrorMode, EncodeStatus, Encoder, UTF_8, mem};

/// A [TextEncoder](https://encoding.spec.whatwg.org/#textencoder), which encodes strings to UTF-8. It never writes a
/// byte order mark.
///
/// ```
/// use textcodec::api::{EncodeIntoResult, TextEncoder};
///
/// let encoder = TextEncoder::new();
/// assert_eq!(encoder.encode("é"), b"\xC3\xA9");
/// assert_eq!(encoder.encode(&[0xD83D][..]), b"\xEF\xBF\xBD", "an unpaired surrogate");
///
/// let mut destination = [0; 6];
/// assert_eq!(encoder.encode_into("a💩é", &mut destination), EncodeIntoResult { read: 3, written: 5 });
/// assert_eq!(destination, *b"a\xF0\x9F\x92\xA9\0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct TextEncoder;

/// [TextEncoderEncodeIntoResult](https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct EncodeIntoResult {
    /// The number of code units that were read, counted in UTF-16 whatever the form of the source is.
    pub read: usize,
    /// The number of bytes that were written.
    pub written: usize,
}

impl EncodeIntoResult {
    /// The result for the same text with `length` ASCII code units before it.
    fn after(self, length: usize) -> Self {
        EncodeIntoResult { read: self.read + length, written: self.written + length }
    }
}

/// The size in bytes of the block in which [`TextEncoder::encode_into`] converts before it copies the result.
const BLOCK: usize = 1024;

impl TextEncoder {
    /// [The constructor](https://encoding.spec.whatwg.org/#dom-textencoder).
    #[must_use]
    pub const fn new() -> Self {
        TextEncoder
    }

    /// The attribute [encoding](https://encoding.spec.whatwg.org/#dom-textencoder-encoding): `"utf-8"`.
    #[must_use]
    pub const fn encoding(self) -> &'static str {
        "utf-8"
    }

    /// [encode(input)](https://encoding.spec.whatwg.org/#dom-textencoder-encode). The Standard's default input is the
    /// empty string.
    #[must_use]
    pub fn encode<'a>(self, input: impl Into<EncoderInput<'a>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        append(&mut bytes, &mut UTF_8.new_encoder(), input.into(), true);
        bytes
    }

    /// The length in bytes of the result of [`TextEncoder::encode`] for `input`.
    #[must_use]
    pub fn encoded_length<'a>(self, input: impl Into<EncoderInput<'a>>) -> usize {
        match input.into() {
            EncoderInput::Str(string) => string.len(),
            EncoderInput::Utf16(mut units) => {
                let mut length = 0;
                loop {
                    let valid = utf16::valid_up_to(units);
                    length += utf16::utf8_length(&units[..valid]);
                    // An unpaired surrogate becomes U+FFFD.
                    let Some(rest) = units.get(valid + 1..) else { return length };
                    length += "\u{FFFD}".len();
                    units = rest;
                }
            }
            EncoderInput::Latin1(latin1) => latin1.len() + latin1.iter().filter(|byte| !byte.is_ascii()).count(),
        }
    }

    /// [encodeInto(source, destination)](https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto): writes whole
    /// characters to the front of `destination`, up to the first character that does not fit. The bytes after them do
    /// not change.
    pub fn encode_into<'a>(self, source: impl Into<EncoderInput<'a>>, destination: &mut [u8]) -> EncodeIntoResult {
        match source.into() {
            EncoderInput::Str(string) => {
                let mut written = string.len().min(destination.len());
                while !string.is_char_boundary(written) {
                    written -= 1;
                }
                let bytes = &string.as_bytes()[..written];
                destination[..written].copy_from_slice(bytes);
                EncodeIntoResult { read: bytes.iter().map(|&byte| utf16_length(byte)).sum(), written }
            }
            EncoderInput::Utf16(units) => {
                let length = units.len().min(destination.len());
                let ascii = if destination.len() / 3 >= units.len() {
                    // The whole text fits, and each code unit becomes at least one byte. `narrow` may overwrite bytes
                    // after the ASCII prefix; the text that follows the prefix overwrites all of them.
                    ascii::narrow(units, &mut destination[..length])
                } else {
                    let ascii = ascii::prefix_length_utf16(&units[..length]);
                    ascii::narrow(units, &mut destination[..ascii])
                };
                by_blocks(&units[ascii..], &mut destination[ascii..], mem::utf16_to_utf8).after(ascii)
            }
            EncoderInput::Latin1(latin1) => {
                let length = latin1.len().min(destination.len());
                let ascii = ascii::prefix_length(&latin1[..length]);
                let (destination, rest) = destination.split_at_mut(ascii);
                destination.copy_from_slice(&latin1[..ascii]);
                by_blocks(&latin1[ascii..], rest, mem::latin1_to_utf8).after(ascii)
            }
        }
    }
}

/// Encodes `source` with `encoder`, an encoder of UTF-8. `last` says that the string ends with `source`.
pub(super) fn append(bytes: &mut Vec<u8>, encoder: &mut Encoder, source: EncoderInput<'_>, last: bool) {
    let mode = EncodeErrorMode::Fatal;
    let result = match source {
        EncoderInput::Str(string) => encoder.encode_str_to_vec(string, bytes, last, mode),
        EncoderInput::Utf16(units) => encoder.encode_utf16_to_vec(units, bytes, last, mode),
        // Each byte is a code point, so there is no state for an encoder to keep.
        EncoderInput::Latin1(latin1) => {
            bytes.reserve(2 * latin1.len());
            string::append_units(bytes, usize::MAX, |to| mem::latin1_to_utf8(latin1, to));
            return;
        }
    };
    debug_assert_eq!(result.status, EncodeStatus::InputEmpty, "UTF-8 can encode every scalar value");
}

/// The number of code units of a character for its first byte in UTF-8, and 0 for its other bytes.
fn utf16_length(byte: u8) -> usize {
    usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)
}

/// Converts into a block on the stack and copies the result, because a conversion may overwrite bytes after its result.
/// The block is small for a short source, because clearing it takes time.
fn by_blocks<T>(
    source: &[T],
    destination: &mut [u8],
    convert: impl Fn(&[T], &mut [u8]) -> (usize, usize),
) -> EncodeIntoResult {
    if source.len() < BLOCK / 8 {
        by_blocks_of(&mut [0; BLOCK / 8], source, destination, convert)
    } else {
        by_blocks_of(&mut [0; BLOCK], source, destination, convert)
    }
}

fn by_blocks_of<T>(
    block: &mut [u8],
    source: &[T],
    destination: &mut [u8],
    convert: impl Fn(&[T], &mut [u8]) -> (usize, usize),
) -> EncodeIntoResult {
    if source.is_empty() {
        return EncodeIntoResult::default();
    }
    let (mut read, mut written) = (0, 0);
    loop {
        let space = &mut destination[written..];
        let length = space.len().min(block.len());
        let (units, bytes) = convert(&source[read..], &mut block[..length]);
        space[..bytes].copy_from_slice(&block[..bytes]);
        read += units;
        written += bytes;
        if bytes == 0 {
            return EncodeIntoResult { read, written };
        }
    }
}
