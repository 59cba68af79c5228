//! [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder).

use alloc::{string::String, vec::Vec};

use super::{
    JsString, RangeError, TextDecoderOptions, TypeError,
    common::{Common, Text, Units},
};
use crate::{Encoding, StateError};

/// A [TextDecoder](https://encoding.spec.whatwg.org/#textdecoder). It is small and `Copy`: a copy saves the state of
/// the stream.
///
/// In each `decode…` method, `stream` is the option of that name. If `stream` is true, more bytes of the stream follow,
/// and the next call continues the stream. If `stream` is false, the stream ends, and the next call starts another
/// stream. To end a stream without further bytes, pass an empty slice.
///
/// ```
/// use textcodec::api::{TextDecoder, TextDecoderOptions};
///
/// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions { fatal: true, ..Default::default() })?;
/// assert_eq!(decoder.decode(b"\xEF\xBB\xBFa\xE2\x82", true)?, "a");
/// assert_eq!(decoder.decode(b"\xAC", true)?, "€");
/// assert_eq!(decoder.decode(b"", false)?, "");
/// assert_eq!(decoder.decode(b"a\xFF", false).unwrap_err().0.offset, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextDecoder {
    common: Common,
    do_not_flush: bool,
}

/// The state of a decoder's stream, from [`TextDecoder::state`], for programs that cannot keep a Rust value, for
/// example because the state is in the memory of a scripting language.
///
/// The state converts to four words and back; a new decoder has four zeros. Any four words can become a value of this
/// type, because [`TextDecoder::resume`] checks them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TextDecoderState([u64; 4]);

impl From<[u64; 4]> for TextDecoderState {
    fn from(words: [u64; 4]) -> Self {
        TextDecoderState(words)
    }
}

impl From<TextDecoderState> for [u64; 4] {
    fn from(TextDecoderState(words): TextDecoderState) -> Self {
        words
    }
}

impl TextDecoder {
    /// [The constructor](https://encoding.spec.whatwg.org/#dom-textdecoder). The Standard's default label is `"utf-8"`.
    ///
    /// # Errors
    /// [`RangeError`] if the label is unknown, names replacement, or names an encoding that is not enabled.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(TextDecoder { common: Common::new(label, options)?, do_not_flush: false })
    }

    /// The steps of the constructor after *get an encoding*, for programs that have an encoding and not a label.
    ///
    /// # Errors
    /// [`RangeError::Replacement`] for the replacement encoding.
    pub fn with_encoding(encoding: Encoding, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(TextDecoder { common: Common::with_encoding(encoding, options)?, do_not_flush: false })
    }

    /// The attribute [encoding](https://encoding.spec.whatwg.org/#dom-textdecoder-encoding): the encoding's name in
    /// lower case.
    #[must_use]
    pub fn encoding(&self) -> String {
        self.common.encoding().name().to_ascii_lowercase()
    }

    /// The encoding.
    #[must_use]
    pub fn as_encoding(&self) -> Encoding {
        self.common.encoding()
    }

    /// The attribute [fatal](https://encoding.spec.whatwg.org/#dom-textdecoder-fatal).
    #[must_use]
    pub fn fatal(&self) -> bool {
        self.common.fatal()
    }

    /// The attribute [ignoreBOM](https://encoding.spec.whatwg.org/#dom-textdecoder-ignorebom).
    #[must_use]
    pub fn ignore_bom(&self) -> bool {
        self.common.ignore_bom()
    }

    /// [decode(input, options)](https://encoding.spec.whatwg.org/#dom-textdecoder-decode), to UTF-8.
    ///
    /// # Errors
    /// [`TypeError`] if `input` is malformed and this decoder is fatal. No later call reads the rest of `input`. With
    /// `stream`, the decoder keeps its state after the malformed bytes; otherwise the next call starts another stream.
    pub fn decode(&mut self, input: &[u8], stream: bool) -> Result<String, TypeError> {
        self.decode_to(input, stream)
    }

    /// [`TextDecoder::decode`], to UTF-16.
    ///
    /// # Errors
    /// As [`TextDecoder::decode`].
    pub fn decode_to_utf16(&mut self, input: &[u8], stream: bool) -> Result<Vec<u16>, TypeError> {
        self.decode_to(input, stream)
    }

    /// [`TextDecoder::decode_to_utf16`] into the front of `units`, for programs that use their memory again. Returns
    /// the number of code units. After the text, and after an error, the contents of `units` are unspecified.
    ///
    /// # Errors
    /// As [`TextDecoder::decode`].
    ///
    /// # Panics
    /// If `units` is too short. A length of the number of bytes in `input` plus [`TextDecoder::ROOM`] is always enough.
    pub fn decode_into_utf16(&mut self, input: &[u8], stream: bool, units: &mut [u16]) -> Result<usize, TypeError> {
        self.begin(stream);
        let mut text = Units { units, length: 0 };
        self.common.append(input, !stream, &mut text)?;
        Ok(text.length)
    }

    /// The number of code units that [`TextDecoder::decode_into_utf16`] may write in addition to one for each byte of
    /// the input, for bytes of earlier input.
    pub const ROOM: usize = 4;

    /// [`TextDecoder::decode`], to Latin-1 if all code units are at most 0xFF, otherwise to UTF-16.
    ///
    /// # Errors
    /// As [`TextDecoder::decode`].
    ///
    /// ```
    /// use textcodec::api::{JsString, TextDecoder, TextDecoderOptions};
    ///
    /// let mut decoder = TextDecoder::new("windows-1252", TextDecoderOptions::default())?;
    /// assert_eq!(decoder.decode_to_js_string(b"caf\xE9", false)?, JsString::Latin1(b"caf\xE9".into()));
    /// assert_eq!(decoder.decode_to_js_string(b"\x80", false)?, JsString::Utf16(vec![0x20AC]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_to_js_string<'a>(&mut self, input: &'a [u8], stream: bool) -> Result<JsString<'a>, TypeError> {
        self.begin(stream);
        self.common.decode_to_js_string(input, !stream)
    }

    /// The state of the stream. A decoder with the same encoding and options continues the stream after
    /// [`resume`](Self::resume).
    ///
    /// ```
    /// use textcodec::api::TextDecoder;
    ///
    /// let mut decoder = TextDecoder::default();
    /// assert_eq!(decoder.decode(b"\xE2\x82", true)?, "");
    /// let mut another = TextDecoder::default();
    /// another.resume(decoder.state())?;
    /// assert_eq!(another.decode(b"\xAC", false)?, "€");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> TextDecoderState {
        TextDecoderState(self.common.state(self.do_not_flush))
    }

    /// Continues the stream that [`TextDecoder::state`] returned `state` for, from a decoder with the same encoding and
    /// options.
    ///
    /// # Errors
    /// [`StateError`] for a state that no such decoder can be in. Then this decoder is unchanged.
    pub fn resume(&mut self, TextDecoderState(state): TextDecoderState) -> Result<(), StateError> {
        self.do_not_flush = self.common.resume(state)?;
        Ok(())
    }

    fn decode_to<T: Text + Default>(&mut self, input: &[u8], stream: bool) -> Result<T, TypeError> {
        self.begin(stream);
        self.common.decode(input, !stream)
    }

    /// Steps 1 and 2: the option of the previous call decides whether a stream starts here.
    fn begin(&mut self, stream: bool) {
        if !self.do_not_flush {
            self.common.start();
        }
        self.do_not_flush = stream;
    }
}

impl Default for TextDecoder {
    /// UTF-8 with the default options.
    fn default() -> Self {
        match TextDecoder::new("utf-8", TextDecoderOptions::default()) {
            Ok(decoder) => decoder,
            Err(_) => unreachable!("UTF-8 is always enabled"),
        }
    }
}
