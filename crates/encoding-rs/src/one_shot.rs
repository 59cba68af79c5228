//! Whole texts in memory. If the bytes and the text are the same in UTF-8, the result borrows them.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::mem::MaybeUninit;

use textcodec_core::{
    Bom, DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus, EncoderHalf, Handle, handler::Unchanged,
};
use textcodec_kernels::string;

use crate::{Encoding, UTF_8};

/// The greatest length, in bytes, of a text that is encoded in a buffer on the stack. The set-up for longer texts takes
/// longer than encoding a text of this length.
const SHORT: usize = 128;

impl Encoding {
    /// [*Decode*](https://encoding.spec.whatwg.org/#decode) of a whole text: a byte order mark decides the encoding and
    /// is not part of the text. Malformed sequences become U+FFFD.
    ///
    /// Returns the text, the encoding that was used, and whether there were malformed sequences. The text borrows
    /// `bytes` if they are the same in UTF-8, except in UTF-16 and replacement.
    ///
    /// ```
    /// use encoding_rs::{UTF_8, WINDOWS_1252};
    ///
    /// assert_eq!(WINDOWS_1252.decode(b"caf\xE9"), ("café".into(), WINDOWS_1252, false));
    /// assert_eq!(WINDOWS_1252.decode(b"\xEF\xBB\xBFcaf\xC3"), ("caf\u{FFFD}".into(), UTF_8, true));
    /// ```
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Encoding, bool) {
        let (encoding, rest) = match Encoding::for_bom(bytes) {
            Some((encoding, length)) => (encoding, &bytes[length..]),
            None => (self, bytes),
        };
        let (text, had_errors) = encoding.decode_without_bom_handling(rest);
        (text, encoding, had_errors)
    }

    /// Decodes a whole text after a byte order mark of this encoding. Malformed sequences become U+FFFD. Returns the
    /// text and whether there were malformed sequences. See [`decode`](Self::decode) about borrowing.
    pub fn decode_with_bom_removal<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let rest = self.bom().and_then(|bom| bytes.strip_prefix(bom.bytes())).unwrap_or(bytes);
        self.decode_without_bom_handling(rest)
    }

    /// Decodes a whole text; a byte order mark is text. Malformed sequences become U+FFFD. Returns the text and whether
    /// there were malformed sequences. See [`decode`](Self::decode) about borrowing.
    #[inline]
    pub fn decode_without_bom_handling<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        match self.decode_with_mode(bytes, DecodeErrorMode::Replacement) {
            Some(decoded) => decoded,
            None => unreachable!("malformed sequences are replaced"),
        }
    }

    /// Decodes a whole text; a byte order mark is text. `None` if there is a malformed sequence. See
    /// [`decode`](Self::decode) about borrowing.
    #[inline]
    pub fn decode_without_bom_handling_and_without_replacement<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        self.decode_with_mode(bytes, DecodeErrorMode::Fatal).map(|(text, _)| text)
    }

    /// [*Encode*](https://encoding.spec.whatwg.org/#encode) of a whole text into the
    /// [output encoding](Self::output_encoding). Unmappable characters become decimal character references.
    ///
    /// Returns the bytes, the encoding that was used, and whether there were unmappable characters. The bytes borrow
    /// `string` if they are the same in UTF-8.
    ///
    /// ```
    /// use encoding_rs::{BIG5, UTF_16LE, UTF_8};
    ///
    /// assert_eq!(BIG5.encode("中☃"), (b"\xA4\xA4&#9731;".into(), BIG5, true));
    /// assert_eq!(UTF_16LE.encode("中"), ("中".as_bytes().into(), UTF_8, false));
    /// ```
    #[inline]
    pub fn encode<'a>(&'static self, string: &'a str) -> (Cow<'a, [u8]>, &'static Encoding, bool) {
        let encoding = self.output_encoding();
        if encoding == UTF_8 || encoding.same_in_utf8(string.as_bytes()).is_some() {
            return (string.as_bytes().into(), encoding, false);
        }
        let (bytes, had_errors) = encoding.encode_all(string);
        (bytes.into(), encoding, had_errors)
    }

    /// Inlined: a text that can be borrowed is returned without a call, whose result would go through memory.
    #[inline]
    fn decode_with_mode<'a>(&'static self, bytes: &'a [u8], mode: DecodeErrorMode) -> Option<(Cow<'a, str>, bool)> {
        match self.same_in_utf8(bytes) {
            Some(text) => Some((text.into(), false)),
            None => self.decode_all(bytes, mode).map(|(text, had_errors)| (text.into(), had_errors)),
        }
    }

    #[inline(never)]
    fn decode_all(&'static self, bytes: &[u8], mode: DecodeErrorMode) -> Option<(String, bool)> {
        let mut decoder = textcodec_core::Decoder::new(self.for_decoding());
        let mut string = String::new();
        let result = decoder.decode_to_string(bytes, &mut string, true, mode);
        match result.status {
            DecodeStatus::Malformed(_) => None,
            _ => Some((string, result.had_errors)),
        }
    }

    /// The engine's encoder, whose result for a whole text is that of an [`Encoder`](crate::Encoder). This encoding
    /// must be an output encoding.
    fn engine_encoder(&'static self) -> textcodec_core::Encoder<OutputEncoding> {
        textcodec_core::Encoder::new(OutputEncoding(self)).expect("every output encoding has an encoder")
    }

    #[inline(never)]
    fn encode_all(&'static self, text: &str) -> (Vec<u8>, bool) {
        let mut encoder = self.engine_encoder();
        if text.len() <= SHORT {
            let mut memory = [MaybeUninit::uninit(); SHORT + SHORT / 2];
            let (result, bytes) = encoder.encode_str_uninit(text, &mut memory, true, EncodeErrorMode::Html);
            if result.status == EncodeStatus::InputEmpty {
                return (Vec::from(bytes), result.had_errors);
            }
            // The text has escape sequences or character references, and is encoded again below.
            encoder.reset();
        }
        let mut bytes = Vec::with_capacity(text.len() + 4);
        let result = encoder.encode_str_to_vec(text, &mut bytes, true, EncodeErrorMode::Html);
        (bytes, result.had_errors)
    }

    /// `bytes` as a string if they mean the same text in this encoding and in UTF-8. encoding_rs does not borrow
    /// an empty slice in encodings that leave no bytes as they are, and neither does this.
    fn same_in_utf8<'a>(&self, bytes: &'a [u8]) -> Option<&'a str> {
        let is_same = match self.unchanged() {
            Unchanged::Utf8 => return string::as_utf8(bytes),
            Unchanged::Ascii => true,
            unchanged => unchanged.ascii_up_to(bytes) == Some(bytes.len()),
        };
        if is_same { string::as_ascii(bytes) } else { None }
    }
}

/// An encoding as the engine's encoders know it: not as `impl Handle for &Encoding`, which would be visible to users of
/// this crate.
#[derive(Clone, Copy)]
struct OutputEncoding(&'static Encoding);

impl Handle for OutputEncoding {
    fn codec(self) -> &'static textcodec_core::Codec {
        self.0.for_decoding()
    }

    fn encoder(self) -> Option<&'static EncoderHalf> {
        self.0.for_encoding()
    }

    #[inline]
    fn selector(self) -> u8 {
        0
    }

    fn of_bom(bom: Bom) -> Option<Self> {
        Some(OutputEncoding(Encoding::of_bom(bom)))
    }
}
