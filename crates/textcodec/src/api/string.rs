//! [DOMString](https://webidl.spec.whatwg.org/#idl-DOMString) in the forms in which JavaScript engines keep it.

use alloc::{borrow::Cow, vec::Vec};

use crate::{Decoder, mem};

/// The length of the prefix of `bytes` in which each byte decodes to the code point of equal value, if `bytes` come
/// next in the stream of `decoder`. An engine can copy that prefix into a Latin-1 string. [`Decoder::latin1_up_to`]
/// says when the result is `None`.
///
/// [`TextDecoder::decode_to_js_string`](super::TextDecoder::decode_to_js_string) decodes a whole text to Latin-1 or
/// UTF-16.
///
/// ```
/// let decoder = textcodec::WINDOWS_1252.new_decoder_with(textcodec::BomHandling::Keep);
/// assert_eq!(textcodec::api::latin1_up_to(&decoder, b"caf\xE9 \x80"), Some(5));
/// ```
#[doc(alias = "latin1_byte_compatible_up_to")]
#[must_use]
pub fn latin1_up_to(decoder: &Decoder, bytes: &[u8]) -> Option<usize> {
    decoder.latin1_up_to(bytes)
}

/// A decoded string in the smaller of the two forms of JavaScript engines. It borrows the bytes if they are ASCII and
/// mean ASCII.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum JsString<'a> {
    /// One byte for each code unit. No code unit is above 0xFF.
    Latin1(Cow<'a, [u8]>),
    /// UTF-16 with at least one code unit above 0xFF.
    Utf16(Vec<u16>),
}

impl JsString<'_> {
    /// The number of code units.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            JsString::Latin1(bytes) => bytes.len(),
            JsString::Utf16(units) => units.len(),
        }
    }

    /// Whether the string is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code units.
    pub fn code_units(&self) -> impl Iterator<Item = u16> {
        let (latin1, utf16) = match self {
            JsString::Latin1(bytes) => (&bytes[..], &[][..]),
            JsString::Utf16(units) => (&[][..], &units[..]),
        };
        latin1.iter().copied().map(u16::from).chain(utf16.iter().copied())
    }
}

impl From<Vec<u16>> for JsString<'_> {
    /// Converts UTF-16 into the smaller form.
    fn from(units: Vec<u16>) -> Self {
        if !mem::is_utf16_latin1(&units) {
            return JsString::Utf16(units);
        }
        let mut latin1 = alloc::vec![0; units.len()];
        mem::utf16_to_latin1(&units, &mut latin1);
        JsString::Latin1(Cow::Owned(latin1))
    }
}

/// A string to encode. Surrogates without a partner, which only UTF-16 can have, become U+FFFD as in the conversion to
/// [USVString](https://webidl.spec.whatwg.org/#idl-USVString).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EncoderInput<'a> {
    /// UTF-8.
    Str(&'a str),
    /// UTF-16.
    Utf16(&'a [u16]),
    /// One byte for each code unit. This is not windows-1252.
    Latin1(&'a [u8]),
}

impl Default for EncoderInput<'_> {
    /// The empty string.
    fn default() -> Self {
        EncoderInput::Str("")
    }
}

impl<'a> From<&'a str> for EncoderInput<'a> {
    fn from(string: &'a str) -> Self {
        EncoderInput::Str(string)
    }
}

impl<'a> From<&'a [u16]> for EncoderInput<'a> {
    fn from(units: &'a [u16]) -> Self {
        EncoderInput::Utf16(units)
    }
}

impl<'a> From<&'a JsString<'_>> for EncoderInput<'a> {
    fn from(string: &'a JsString<'_>) -> Self {
        match string {
            JsString::Latin1(bytes) => EncoderInput::Latin1(bytes),
            JsString::Utf16(units) => EncoderInput::Utf16(units),
        }
    }
}
