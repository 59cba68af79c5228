//! Whole texts in memory. If the bytes and the text are the same in UTF-8, the result borrows them.

#[cfg(feature = "encode")]
use alloc::vec::Vec;
use alloc::{borrow::Cow, string::String};
#[cfg(feature = "encode")]
use core::mem::MaybeUninit;

use textcodec_core::handler::Unchanged;
use textcodec_kernels::string;

#[cfg(feature = "utf16")]
use crate::Bom;
use crate::{BomHandling, DecodeErrorMode, DecodeStatus, Decoder, Encoding, Malformed};
#[cfg(feature = "encode")]
use crate::{EncodeErrorMode, EncodeStatus, Unmappable};

/// The result of decoding a whole text, from [`Encoding::decode`] and its relatives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Decoded<'b> {
    /// The text. It borrows the bytes if they are the same in UTF-8.
    pub text: Cow<'b, str>,
    /// The encoding of the bytes: the one of the byte order mark, or else the one that was asked for.
    pub encoding: Encoding,
    /// Whether U+FFFD replaced a malformed sequence.
    pub had_errors: bool,
}

/// The result of encoding a whole text, from [`Encoding::encode`].
#[cfg(feature = "encode")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Encoded<'t> {
    /// The bytes. They borrow the text if they are the same in UTF-8.
    pub bytes: Cow<'t, [u8]>,
    /// The encoding of the bytes: the [output encoding](crate::Name::output) of the one that was asked for.
    pub encoding: Encoding,
    /// Whether a character reference replaced an unmappable character.
    pub had_errors: bool,
}

/// The greatest length, in bytes, of a text that is encoded in a buffer on the stack. The set-up for longer texts takes
/// longer than encoding a text of this length.
#[cfg(feature = "encode")]
const SHORT: usize = 128;

impl Encoding {
    /// [*Decode*](https://encoding.spec.whatwg.org/#decode) with this encoding as the fallback: a byte order mark
    /// decides the encoding and is not part of the text. Malformed sequences become U+FFFD.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252};
    ///
    /// assert_eq!(WINDOWS_1252.decode(b"caf\xE9").text, "café");
    /// let decoded = WINDOWS_1252.decode(b"\xEF\xBB\xBFcaf\xC3");
    /// assert_eq!((&*decoded.text, decoded.encoding, decoded.had_errors), ("caf\u{FFFD}", UTF_8, true));
    /// ```
    #[cfg(feature = "utf16")]
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        let (encoding, bytes, _) = self.sniff(bytes);
        let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
        Decoded { text, encoding, had_errors }
    }

    /// As [`Encoding::decode`], in the error mode fatal.
    ///
    /// # Errors
    /// The first malformed sequence: its offset and its bytes.
    ///
    /// ```
    /// use textcodec::SHIFT_JIS;
    ///
    /// let error = SHIFT_JIS.decode_or_fail(b"abc\x82\xFFdef").unwrap_err();
    /// assert_eq!((error.offset, error.bytes()), (3, &b"\x82\xFF"[..]));
    /// ```
    #[cfg(feature = "utf16")]
    pub fn decode_or_fail(self, bytes: &[u8]) -> Result<Decoded<'_>, Malformed> {
        self.decode_with(bytes, BomHandling::Sniff, DecodeErrorMode::Fatal)
    }

    /// Decodes `bytes` with this treatment of a byte order mark and of malformed sequences.
    ///
    /// # Errors
    /// The first malformed sequence, in the error mode fatal. The error mode replacement never fails.
    ///
    /// ```
    /// use textcodec::{BomHandling, DecodeErrorMode, UTF_8};
    ///
    /// let decoded = UTF_8.decode_with(b"\xEF\xBB\xBFa\xFF", BomHandling::Keep, DecodeErrorMode::Replacement)?;
    /// assert_eq!(decoded.text, "\u{FEFF}a\u{FFFD}");
    /// let error = UTF_8.decode_with(b"\xEF\xBB\xBFa\xFF", BomHandling::Remove, DecodeErrorMode::Fatal).unwrap_err();
    /// assert_eq!(error.offset, 4);
    /// # Ok::<(), textcodec::Malformed>(())
    /// ```
    #[doc(alias("decode_with_bom_removal", "decode_without_bom_handling"))]
    #[doc(alias = "decode_without_bom_handling_and_without_replacement")]
    #[inline]
    pub fn decode_with(
        self,
        bytes: &[u8],
        bom_handling: BomHandling,
        mode: DecodeErrorMode,
    ) -> Result<Decoded<'_>, Malformed> {
        let (encoding, rest, bom) = match bom_handling {
            #[cfg(feature = "utf16")]
            BomHandling::Sniff => self.sniff(bytes),
            BomHandling::Remove => {
                let rest = self.without_bom(bytes);
                (self, rest, bytes.len() - rest.len())
            }
            BomHandling::Keep => (self, bytes, 0),
        };
        match encoding.decode_with_mode(rest, mode) {
            Ok((text, had_errors)) => Ok(Decoded { text, encoding, had_errors }),
            Err(malformed) => Err(malformed.after(bom)),
        }
    }

    /// Removes one byte order mark if it belongs to this encoding, and decodes the rest. Malformed sequences become
    /// U+FFFD. Returns the text and whether there were malformed sequences.
    #[doc(hidden)]
    #[must_use]
    pub fn decode_with_bom_removal(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        self.decode_without_bom_handling(self.without_bom(bytes))
    }

    /// Decodes `bytes`; a byte order mark becomes U+FEFF. Malformed sequences become U+FFFD.
    /// Returns the text and whether there were malformed sequences.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn decode_without_bom_handling(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        match self.decode_with_mode(bytes, DecodeErrorMode::Replacement) {
            Ok(decoded) => decoded,
            Err(_) => unreachable!("the error mode replacement never fails"),
        }
    }

    /// Decodes `bytes` in the error mode fatal; a byte order mark becomes U+FEFF.
    ///
    /// # Errors
    /// The first malformed sequence: its offset and its bytes.
    #[doc(hidden)]
    #[inline]
    pub fn decode_without_bom_handling_or_fail(self, bytes: &[u8]) -> Result<Cow<'_, str>, Malformed> {
        self.decode_with_mode(bytes, DecodeErrorMode::Fatal).map(|(text, _)| text)
    }

    /// [*Encode*](https://encoding.spec.whatwg.org/#encode) into the [output encoding](crate::Name::output), in the
    /// error mode html: unmappable characters become decimal character references.
    ///
    /// ```
    /// use textcodec::{BIG5, UTF_16LE, UTF_8};
    ///
    /// assert_eq!(BIG5.encode("中☃").bytes, &b"\xA4\xA4&#9731;"[..]);
    /// let encoded = UTF_16LE.encode("中");
    /// assert_eq!((&*encoded.bytes, encoded.encoding, encoded.had_errors), ("中".as_bytes(), UTF_8, false));
    /// ```
    #[cfg(feature = "encode")]
    #[inline]
    #[must_use]
    pub fn encode(self, text: &str) -> Encoded<'_> {
        let encoding = self.output_encoding();
        match encoding.encode_with_mode(text, EncodeErrorMode::Html) {
            Ok((bytes, had_errors)) => Encoded { bytes, encoding, had_errors },
            Err(_) => unreachable!("the error mode html never fails"),
        }
    }

    /// As [`Encoding::encode`], in the error mode fatal.
    ///
    /// # Errors
    /// The first unmappable character, and its offset in bytes of `text`.
    #[cfg(feature = "encode")]
    #[inline]
    pub fn encode_or_fail(self, text: &str) -> Result<Cow<'_, [u8]>, Unmappable> {
        self.output_encoding().encode_with_mode(text, EncodeErrorMode::Fatal).map(|(bytes, _)| bytes)
    }

    /// `bytes` without the byte order mark of this encoding.
    fn without_bom(self, bytes: &[u8]) -> &[u8] {
        self.bom().and_then(|bom| bytes.strip_prefix(bom.bytes())).unwrap_or(bytes)
    }

    /// The encoding that *decode* uses, and `bytes` without the byte order mark, whose length is the third value.
    #[cfg(feature = "utf16")]
    fn sniff(self, bytes: &[u8]) -> (Encoding, &[u8], usize) {
        let encoding = match Bom::sniff(bytes) {
            Some(Bom::Utf8) => crate::UTF_8,
            Some(Bom::Utf16Be) => crate::UTF_16BE,
            Some(Bom::Utf16Le) => crate::UTF_16LE,
            None => return (self, bytes, 0),
        };
        let length = if encoding == crate::UTF_8 { 3 } else { 2 };
        (encoding, &bytes[length..], length)
    }

    /// Inlined: a text that can be borrowed is returned without a call, whose result would go through memory.
    #[inline]
    fn decode_with_mode(self, bytes: &[u8], mode: DecodeErrorMode) -> Result<(Cow<'_, str>, bool), Malformed> {
        match self.same_in_utf8(bytes) {
            Some(text) => Ok((text.into(), false)),
            None => self.decode_all(bytes, mode).map(|(text, had_errors)| (text.into(), had_errors)),
        }
    }

    #[inline(never)]
    fn decode_all(self, bytes: &[u8], mode: DecodeErrorMode) -> Result<(String, bool), Malformed> {
        let mut decoder: Decoder = self.new_decoder_without_bom_handling();
        let mut string = String::new();
        let result = decoder.decode_to_string(bytes, &mut string, true, mode);
        match result.status {
            DecodeStatus::Malformed(malformed) => Err(malformed),
            _ => Ok((string, result.had_errors)),
        }
    }

    #[cfg(feature = "encode")]
    #[inline]
    fn encode_with_mode(self, text: &str, mode: EncodeErrorMode) -> Result<(Cow<'_, [u8]>, bool), Unmappable> {
        if self == crate::UTF_8 || self.same_in_utf8(text.as_bytes()).is_some() {
            return Ok((text.as_bytes().into(), false));
        }
        self.encode_all(text, mode).map(|(bytes, had_errors)| (bytes.into(), had_errors))
    }

    #[cfg(feature = "encode")]
    #[inline(never)]
    fn encode_all(self, text: &str, mode: EncodeErrorMode) -> Result<(Vec<u8>, bool), Unmappable> {
        if text.len() <= SHORT {
            let mut memory = [MaybeUninit::uninit(); SHORT + SHORT / 2];
            let (result, bytes) = self.new_encoder().encode_str_uninit(text, &mut memory, true, mode);
            match result.status {
                EncodeStatus::InputEmpty => return Ok((Vec::from(bytes), result.had_errors)),
                EncodeStatus::Unmappable(unmappable) => return Err(unmappable),
                // The text has escape sequences or character references, and is encoded again below.
                EncodeStatus::OutputFull => {}
            }
        }
        let mut bytes = Vec::with_capacity(text.len() + 4);
        let result = self.new_encoder().encode_str_to_vec(text, &mut bytes, true, mode);
        match result.status {
            EncodeStatus::Unmappable(unmappable) => Err(unmappable),
            _ => Ok((bytes, result.had_errors)),
        }
    }

    /// `bytes` as a string if they mean the same text in this encoding and in UTF-8. An empty slice is the empty text
    /// in every encoding.
    fn same_in_utf8(self, bytes: &[u8]) -> Option<&str> {
        let is_same = match self.unchanged() {
            Unchanged::Utf8 => return string::as_utf8(bytes),
            Unchanged::Ascii => true,
            unchanged => unchanged.ascii_up_to(bytes).unwrap_or(0) == bytes.len(),
        };
        if is_same { string::as_ascii(bytes) } else { None }
    }
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use super::*;

    /// Tests all lengths around [`SHORT`], with and without errors.
    #[test]
    fn a_whole_text_is_converted_as_a_stream_is() {
        let parts: [&[u8]; 5] = [b"a", b"\xE9", b"\x88\xA0", b"\x1B$B0!", b"\xB0\xA1b"];
        for encoding in Encoding::all() {
            for part in parts {
                let bytes = [b"ab".as_slice(), &part.repeat(160)].concat();
                for length in 0..=160 {
                    let bytes = &bytes[..length];
                    let mut text = String::new();
                    let mut decoder: Decoder = encoding.new_decoder_without_bom_handling();
                    let result = decoder.decode_to_string(bytes, &mut text, true, DecodeErrorMode::Replacement);
                    let decoded = encoding.decode_without_bom_handling(bytes);
                    assert_eq!(decoded, (text.as_str().into(), result.had_errors), "{encoding} {bytes:02X?}");

                    decoder.reset();
                    let status =
                        decoder.decode_to_string(bytes, &mut String::new(), true, DecodeErrorMode::Fatal).status;
                    let error = encoding.decode_without_bom_handling_or_fail(bytes).err();
                    assert_eq!(error.map_or(DecodeStatus::InputEmpty, DecodeStatus::Malformed), status);

                    let mut encoded = Vec::new();
                    let mut encoder = encoding.new_encoder();
                    let result = encoder.encode_str_to_vec(&text, &mut encoded, true, EncodeErrorMode::Html);
                    let (output, had_errors) = (encoding.output_encoding(), result.had_errors);
                    let expected = Encoded { bytes: encoded.into(), encoding: output, had_errors };
                    assert_eq!(encoding.encode(&text), expected, "{encoding} {text}");

                    encoder.reset();
                    let status = encoder.encode_str_to_vec(&text, &mut Vec::new(), true, EncodeErrorMode::Fatal).status;
                    let error = encoding.encode_or_fail(&text).err();
                    assert_eq!(error.map_or(EncodeStatus::InputEmpty, EncodeStatus::Unmappable), status);

                    // The first error at the end, behind escape sequences and what needs more bytes than expected.
                    let text = text.replace('\u{FFFD}', "あa") + "\u{10FFFD}";
                    encoder.reset();
                    let status = encoder.encode_str_to_vec(&text, &mut Vec::new(), true, EncodeErrorMode::Fatal).status;
                    let error = encoding.encode_or_fail(&text).err();
                    assert_eq!(error.map_or(EncodeStatus::InputEmpty, EncodeStatus::Unmappable), status);
                }
            }
        }
    }
}
