//! Conversions between UTF-8, UTF-16 and Latin-1 that need more than one function of the kernels, for the modules `mem`
//! of the crates that have one.
//!
//! A conversion writes whole characters to the front of its destination and returns `(read, written)`. If the
//! destination is too small, the conversion stops early.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

use textcodec_core::{DecodeErrorMode, DecodeStatus, Decoder};
use textcodec_kernels::{
    blocks::{skip, skip_mut, up_to},
    string, utf8, utf16,
};
#[cfg(feature = "alloc")]
use textcodec_kernels::{latin1, short};

use crate::UTF_8;

/// Converts UTF-8 to UTF-16. Malformed sequences become U+FFFD.
pub fn utf8_to_utf16(bytes: &[u8], text: &mut [u16]) -> (usize, usize) {
    // In most calls, this converts the whole text.
    let (read, written) = utf16::from_utf8(bytes, text);
    if read == bytes.len() {
        return (read, written);
    }
    let mut decoder = Decoder::new(&UTF_8);
    let result =
        decoder.decode_to_utf16(skip(bytes, read), skip_mut(text, written), true, DecodeErrorMode::Replacement);
    match result.status {
        DecodeStatus::OutputFull => (read + decoder.sequence_start() as usize, written + result.written),
        _ => (bytes.len(), written + result.written),
    }
}

/// Converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD. Bytes after the text may be overwritten.
pub fn utf16_to_utf8(text: &[u16], bytes: &mut [u8]) -> (usize, usize) {
    // In most calls, this converts the whole text.
    let (mut read, mut written) = utf8::from_utf16(text, bytes);
    // An unpaired surrogate is next, or the end of the destination is near.
    while let Some(next) = char::decode_utf16(skip(text, read).iter().copied()).next() {
        let character = next.unwrap_or(char::REPLACEMENT_CHARACTER);
        let Some(space) = bytes.get_mut(written..written + character.len_utf8()) else { break };
        written += character.encode_utf8(space).len();
        read += character.len_utf16();
        let (units, more) = utf8::from_utf16(skip(text, read), skip_mut(bytes, written));
        (read, written) = (read + units, written + more);
    }
    (read, written)
}

/// Converts UTF-16 into the front of a string. Unpaired surrogates become U+FFFD, and some bytes after the text become
/// 0.
pub fn utf16_to_str(text: &[u16], string: &mut str) -> (usize, usize) {
    match string::write_short_utf16(string, text) {
        Some(result) => result,
        None => long_utf16_to_str(text, string),
    }
}

/// Not inlined, so that a call for short text saves no registers.
#[inline(never)]
fn long_utf16_to_str(text: &[u16], string: &mut str) -> (usize, usize) {
    // A code unit becomes at most three bytes.
    string::write_str(string, text.len().saturating_mul(3), |space, proof| {
        let mut writer = space.writer();
        let mut read = writer.write(|space| space.utf16(text));
        // An unpaired surrogate is next, or the end of the string.
        while text.get(read).is_some_and(|unit| unit & 0xF800 == 0xD800)
            && utf16::valid_up_to(up_to(skip(text, read), 2)) == 0
            && writer.push('\u{FFFD}')
        {
            read += 1;
            read += writer.write(|space| space.utf16(skip(text, read)));
        }
        *proof = writer.finish();
        read
    })
}

/// Converts Latin-1 into the front of a string. Some bytes after the text become 0.
pub fn latin1_to_str(latin1: &[u8], string: &mut str) -> (usize, usize) {
    match string::write_short_latin1(string, latin1) {
        Some(result) => result,
        None => long_latin1_to_str(latin1, string),
    }
}

#[inline(never)]
fn long_latin1_to_str(latin1: &[u8], string: &mut str) -> (usize, usize) {
    // A byte becomes at most two bytes.
    string::write_str(string, latin1.len().saturating_mul(2), |space, proof| {
        let read;
        (read, *proof) = space.latin1(latin1);
        read
    })
}

/// Latin-1 as a string, which borrows the bytes if they are ASCII.
#[cfg(feature = "alloc")]
#[must_use]
pub fn decode_latin1(latin1: &[u8]) -> Cow<'_, str> {
    match string::as_ascii(latin1) {
        Some(ascii) => ascii.into(),
        None => string::from_latin1(latin1).into(),
    }
}

/// A string as Latin-1, which borrows the string if it is ASCII; `None` if the string has a code point above U+00FF.
#[cfg(feature = "alloc")]
#[must_use]
pub fn encode_latin1(text: &str) -> Option<Cow<'_, [u8]>> {
    let text = text.as_bytes();
    let is_ascii = short::any(text, |byte| byte >= 0x80).map_or_else(|| text.is_ascii(), |any| !any);
    if is_ascii {
        return Some(text.into());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let convert = |to: &mut [u8]| {
        if short::has_few_characters(text) { short::utf8_to_latin1(text, to) } else { latin1::from_utf8(text, to) }
    };
    let (read, _) = string::append_units(&mut bytes, text.len(), convert);
    (read == text.len()).then(|| bytes.into())
}
