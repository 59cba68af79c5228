//! [TextDecoder](https://encoding.spec.whatwg.org/#interface-textdecoder).

use alloc::{string::String, vec::Vec};

use super::{
    JsString, RangeError, TextDecoderOptions, TypeError,
    common::{Common, Text, Units},
};
use crate::Encoding;

/// A [TextDecoder](https://encoding.spec.whatwg.org/#textdecoder). It is small and `Copy`: a copy is a snapshot of the stream.
///
/// In each `decode…` method `stream` is the option of that name: more of the stream follows. The call after one with `stream`
/// continues, the one after a call without starts anew. No input is an empty slice: it only ends the stream.
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

impl TextDecoder {
    /// [The constructor](https://encoding.spec.whatwg.org/#dom-textdecoder). The Standard's default label is `"utf-8"`.
    ///
    /// # Errors
    /// [`RangeError`] if the label is none, or one of replacement, or its encoding is not enabled.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(TextDecoder { common: Common::new(label, options)?, do_not_flush: false })
    }

    /// The constructor's steps after *get an encoding*, for programs that keep the encoding and not a label.
    ///
    /// # Errors
    /// [`RangeError::Replacement`] for that encoding.
    pub fn with_encoding(encoding: Encoding, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(TextDecoder { common: Common::with_encoding(encoding, options)?, do_not_flush: false })
    }

    /// The attribute [encoding](https://encoding.spec.whatwg.org/#dom-textdecoder-encoding): the encoding's name in lower case.
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
    /// [`TypeError`] if `input` is malformed and this decoder is fatal. The rest of `input` is then not read by any later call. With
    /// `stream` the decoder keeps the state that it has behind the malformed bytes, else the next call starts anew.
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

    /// [`TextDecoder::decode_to_utf16`], into the front of `units`: for memory that is used again. Returns how many code units
    /// that is. Behind them, and after an error, `units` has anything.
    ///
    /// # Errors
    /// As [`TextDecoder::decode`].
    ///
    /// # Panics
    /// If `units` is too short. [`TextDecoder::ROOM`] more than `input` has bytes are always enough.
    pub fn decode_into_utf16(&mut self, input: &[u8], stream: bool, units: &mut [u16]) -> Result<usize, TypeError> {
        self.begin(stream);
        let mut text = Units { units, length: 0 };
        self.common.append(input, !stream, &mut text)?;
        Ok(text.length)
    }

    /// How many code units [`TextDecoder::decode_into_utf16`] may write beyond one for each byte: for bytes of earlier input.
    pub const ROOM: usize = 4;

    /// [`TextDecoder::decode`], to Latin-1 if that can hold the string, else to UTF-16.
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

    /// The state of the stream as four words, for programs that keep it where no value of Rust can be, such as in memory of a
    /// scripting language. A decoder that has not decoded yet has four zeros.
    ///
    /// ```
    /// use textcodec::api::TextDecoder;
    ///
    /// let mut decoder = TextDecoder::default();
    /// assert_eq!(decoder.decode(b"\xE2\x82", true)?, "");
    /// let mut another = TextDecoder::default();
    /// another.set_state(decoder.state());
    /// assert_eq!(another.decode(b"\xAC", false)?, "€");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> [u64; 4] {
        self.common.state(self.do_not_flush)
    }

    /// Continues the stream that [`TextDecoder::state`] returned `state` for, from a decoder with the same encoding and options.
    ///
    /// # Panics
    /// Later calls may panic if `state` has another origin.
    pub fn set_state(&mut self, state: [u64; 4]) {
        self.do_not_flush = self.common.set_state(state);
    }

    fn decode_to<T: Text + Default>(&mut self, input: &[u8], stream: bool) -> Result<T, TypeError> {
        self.begin(stream);
        self.common.decode(input, !stream)
    }

    /// Steps 1 and 2: what the previous call said decides whether a stream starts here.
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
