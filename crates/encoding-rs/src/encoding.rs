//! [`Encoding`]: one instance for each encoding, compared by address.

use core::{
    fmt,
    hash::{Hash, Hasher},
};

use textcodec_core::{Bom, Codec, DecodeErrorMode, EncoderHalf, Name, handler::Unchanged};
use textcodec_kernels::{ascii, unshifted, utf8};

use crate::{
    Decoder, Encoder, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE,
    encodings::{ALL, ENCODERS},
    shape::Shape,
};

/// The length of the longest character reference, `&#1114111;`. An encoder that replaces unmappable characters leaves
/// this number of bytes free.
const REFERENCE: u8 = 10;

/// An [encoding](https://encoding.spec.whatwg.org/#encoding) of the Encoding Standard.
///
/// There is one instance of each encoding, a `static` of this crate. [`Encoding::for_label`] finds an encoding by its
/// label. Encodings are compared and hashed by their addresses.
pub struct Encoding {
    /// The engine's encoding, without the encoder.
    decoding: &'static Codec,
    pub(crate) name: Name,
    pub(crate) shape: Shape,
    /// [`Shape::slack`] for UTF-8 and for UTF-16, without and with replacement. As numbers here they need no jump.
    slack: [[u8; 2]; 2],
    /// The bytes that the bulk conversion of an encoder leaves free, besides those for a character reference.
    pub(crate) slack_of_encoder: u8,
    /// The bytes that an encoder keeps free for a character reference.
    pub(crate) reference: u8,
}

impl Encoding {
    /// The instance for `decoding`, whose name is `name`.
    pub(crate) const fn new(decoding: &'static Codec, name: Name) -> Self {
        let shape = Shape::of(name);
        let (fatal, replacement) = (DecodeErrorMode::Fatal, DecodeErrorMode::Replacement);
        Encoding {
            decoding,
            name,
            shape,
            slack: [
                [shape.slack(false, fatal), shape.slack(false, replacement)],
                [shape.slack(true, fatal), shape.slack(true, replacement)],
            ],
            // A character of one byte has the space that it needs, up to the last byte.
            slack_of_encoder: if shape.needed_by_encoder() > 1 { shape.needed_by_encoder() } else { 0 },
            reference: if matches!(shape, Shape::Utf8) { 0 } else { REFERENCE },
        }
    }

    /// The instance with this name.
    pub(crate) fn of(name: Name) -> &'static Self {
        ALL[name as usize]
    }

    /// The instance that a byte order mark stands for.
    pub(crate) fn of_bom(bom: Bom) -> &'static Self {
        match bom {
            Bom::Utf8 => UTF_8,
            Bom::Utf16Be => UTF_16BE,
            Bom::Utf16Le => UTF_16LE,
        }
    }

    /// The units that the bulk conversion of a decoder leaves free; see [`Shape::slack`].
    #[inline(always)]
    pub(crate) fn slack(&self, is_utf16: bool, mode: DecodeErrorMode) -> usize {
        self.slack[usize::from(is_utf16)][usize::from(mode == DecodeErrorMode::Replacement)].into()
    }

    /// The engine's codec, for decoders.
    #[inline(always)]
    pub(crate) const fn for_decoding(&self) -> &'static Codec {
        self.decoding
    }

    /// The engine's encoder. `None` if this is no output encoding.
    #[inline]
    pub(crate) fn for_encoding(&self) -> Option<&'static EncoderHalf> {
        ENCODERS.get(self.name)
    }

    /// The bytes that mean the same in UTF-8.
    pub(crate) const fn unchanged(&self) -> Unchanged {
        self.decoding.unchanged()
    }

    /// The byte order mark of this encoding itself.
    pub(crate) const fn bom(&self) -> Option<Bom> {
        self.decoding.bom()
    }

    /// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from a label. ASCII whitespace around
    /// the label and the case of its ASCII letters do not matter. `None` if the Standard has no such label.
    ///
    /// Some labels stand for [`REPLACEMENT`], so that a fallback for unknown labels does not decode their bytes. A
    /// program that stops at unknown labels can call [`for_label_no_replacement`](Self::for_label_no_replacement).
    ///
    /// ```
    /// use encoding_rs::{Encoding, WINDOWS_1252};
    ///
    /// assert_eq!(Encoding::for_label(b" Latin1 "), Some(WINDOWS_1252));
    /// assert_eq!(Encoding::for_label(b"latin-1"), None);
    /// ```
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        Name::for_label(label).ok().map(Encoding::of)
    }

    /// As [`for_label`](Self::for_label), but `None` for the labels of [`REPLACEMENT`].
    ///
    /// Do not call it where `None` leads to a fallback: bytes that pretend to be in another encoding would be decoded.
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Encoding> {
        Encoding::for_label(label).filter(|&encoding| encoding != REPLACEMENT)
    }

    /// The encoding of the byte order mark at the start of `buffer`, and the length of the byte order mark in bytes.
    /// `buffer` is the whole stream, or at least its first three bytes.
    pub fn for_bom(buffer: &[u8]) -> Option<(&'static Encoding, usize)> {
        Bom::sniff(buffer).map(|bom| (Encoding::of_bom(bom), bom.bytes().len()))
    }

    /// The [name](https://encoding.spec.whatwg.org/#name) as the Standard writes it, for example `"Shift_JIS"`.
    pub fn name(&'static self) -> &'static str {
        self.name.as_str()
    }

    /// Whether the [output encoding](Self::output_encoding) can encode every character: true if it is UTF-8.
    pub fn can_encode_everything(&'static self) -> bool {
        self.output_encoding() == UTF_8
    }

    /// Whether the bytes 00 to 7F always mean the characters U+0000 to U+007F, and these characters always become these
    /// bytes. This is false for UTF-16BE, UTF-16LE, ISO-2022-JP and replacement.
    pub fn is_ascii_compatible(&'static self) -> bool {
        self.unchanged().has_ascii()
    }

    /// Whether each byte is one character of the Basic Multilingual Plane or an error: true of the legacy single-byte
    /// encodings and x-user-defined.
    pub fn is_single_byte(&'static self) -> bool {
        self.decoding.is_single_byte()
    }

    /// [Get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding): UTF-8 for UTF-16BE, UTF-16LE
    /// and replacement, otherwise this encoding.
    pub fn output_encoding(&'static self) -> &'static Encoding {
        if self.decoding.has_encoder() { self } else { UTF_8 }
    }

    /// A decoder that looks for a byte order mark: the byte order mark of UTF-8, UTF-16BE or UTF-16LE is not part of
    /// the text, and the decoder changes to its encoding.
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::sniffing(self)
    }

    /// A decoder that removes a byte order mark of this encoding.
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        Decoder::removing_bom(self)
    }

    /// A decoder for which a byte order mark is text.
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::without_bom_handling(self)
    }

    /// An encoder of the [output encoding](Self::output_encoding).
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self.output_encoding())
    }

    /// The length of the longest prefix that is well-formed UTF-8, in bytes.
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        utf8::valid_up_to(bytes)
    }

    /// The length of the longest prefix that is ASCII, in bytes.
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        ascii::prefix_length(bytes)
    }

    /// The length of the longest prefix that ISO-2022-JP represents by the same bytes in its ASCII state: ASCII without
    /// 0E, 0F and 1B.
    pub fn iso_2022_jp_ascii_valid_up_to(bytes: &[u8]) -> usize {
        unshifted::prefix_length(bytes)
    }
}

impl PartialEq for Encoding {
    #[inline]
    fn eq(&self, other: &Encoding) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::hash(self, state);
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding").field("name", &self.name.as_str()).finish_non_exhaustive()
    }
}
