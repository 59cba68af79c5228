//! [TextDecoderStream](https://encoding.spec.whatwg.org/#interface-textdecoderstream).

use alloc::{string::String, vec::Vec};

use super::{
    JsString, RangeError, TextDecoderOptions, Transform, TypeError,
    common::{Common, Text},
};
use crate::{DecodeErrorMode, Encoding};

/// The transform of a [TextDecoderStream](https://encoding.spec.whatwg.org/#textdecoderstream). The transform does not
/// contain the queues of the stream's two sides; the types `Readable` and `Writable` are these two sides for `futures`.
///
/// After an error the stream is errored: every later call returns the same error.
///
/// ```
/// use textcodec::api::{TextDecoderOptions, TextDecoderStream};
///
/// let mut stream = TextDecoderStream::new("utf-8", TextDecoderOptions::default())?;
/// assert_eq!(stream.decode_and_enqueue(b"a\xE2\x82")?.as_deref(), Some("a"));
/// assert_eq!(stream.decode_and_enqueue(b"\xAC")?.as_deref(), Some("€"));
/// assert_eq!(stream.decode_and_enqueue(b"\xE2")?, None, "nothing to enqueue");
/// assert_eq!(stream.flush_and_enqueue()?.as_deref(), Some("\u{FFFD}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextDecoderStream {
    common: Common,
    errored: Option<TypeError>,
}

impl TextDecoderStream {
    /// [The constructor](https://encoding.spec.whatwg.org/#dom-textdecoderstream). The Standard's default label is
    /// `"utf-8"`.
    ///
    /// # Errors
    /// [`RangeError`] if the label is unknown, names replacement, or names an encoding that is not enabled.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(TextDecoderStream { common: Common::new(label, options)?, errored: None })
    }

    /// *Set up* a text decoder stream, an algorithm for other standards. Its defaults are UTF-8, replacement and
    /// `false`.
    ///
    /// # Errors
    /// [`RangeError::Replacement`] for the replacement encoding, which the Standard excludes by an assertion.
    pub fn set_up(encoding: Encoding, error_mode: DecodeErrorMode, ignore_bom: bool) -> Result<Self, RangeError> {
        let options = TextDecoderOptions { fatal: error_mode == DecodeErrorMode::Fatal, ignore_bom };
        Ok(TextDecoderStream { common: Common::with_encoding(encoding, options)?, errored: None })
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

    /// [Decode and enqueue a chunk](https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk). Returns the chunk to
    /// enqueue.
    ///
    /// # Errors
    /// [`TypeError`] if the chunk is malformed and the error mode is fatal.
    pub fn decode_and_enqueue(&mut self, chunk: &[u8]) -> Result<Option<String>, TypeError> {
        self.run(chunk, false)
    }

    /// [`TextDecoderStream::decode_and_enqueue`], to UTF-16.
    ///
    /// # Errors
    /// As [`decode_and_enqueue`](Self::decode_and_enqueue).
    pub fn decode_and_enqueue_utf16(&mut self, chunk: &[u8]) -> Result<Option<Vec<u16>>, TypeError> {
        self.run(chunk, false)
    }

    /// [`TextDecoderStream::decode_and_enqueue`], to Latin-1 if all code units are at most 0xFF, otherwise to UTF-16.
    ///
    /// # Errors
    /// As [`decode_and_enqueue`](Self::decode_and_enqueue).
    pub fn decode_and_enqueue_js_string<'a>(&mut self, chunk: &'a [u8]) -> Result<Option<JsString<'a>>, TypeError> {
        self.guard(|common| common.decode_to_js_string(chunk, false), JsString::is_empty)
    }

    /// [Flush and enqueue](https://encoding.spec.whatwg.org/#flush-and-enqueue). Returns the chunk to enqueue at the
    /// end.
    ///
    /// # Errors
    /// [`TypeError`] if the stream ends inside a sequence and the error mode is fatal.
    pub fn flush_and_enqueue(&mut self) -> Result<Option<String>, TypeError> {
        self.run(&[], true)
    }

    /// [`TextDecoderStream::flush_and_enqueue`], to UTF-16.
    ///
    /// # Errors
    /// As [`flush_and_enqueue`](Self::flush_and_enqueue).
    pub fn flush_and_enqueue_utf16(&mut self) -> Result<Option<Vec<u16>>, TypeError> {
        self.run(&[], true)
    }

    /// [`TextDecoderStream::flush_and_enqueue`], to Latin-1 if all code units are at most 0xFF, otherwise to UTF-16.
    ///
    /// # Errors
    /// As [`flush_and_enqueue`](Self::flush_and_enqueue).
    pub fn flush_and_enqueue_js_string(&mut self) -> Result<Option<JsString<'static>>, TypeError> {
        self.guard(|common| common.decode_to_js_string(&[], true), JsString::is_empty)
    }

    fn run<T: Text + Default>(&mut self, chunk: &[u8], last: bool) -> Result<Option<T>, TypeError> {
        self.guard(|common| common.decode(chunk, last), |text: &T| text.length() == 0)
    }

    fn guard<T>(
        &mut self,
        decode: impl FnOnce(&mut Common) -> Result<T, TypeError>,
        is_empty: impl FnOnce(&T) -> bool,
    ) -> Result<Option<T>, TypeError> {
        if let Some(error) = self.errored {
            return Err(error);
        }
        match decode(&mut self.common) {
            Ok(text) if is_empty(&text) => Ok(None),
            Ok(text) => Ok(Some(text)),
            Err(error) => {
                self.errored = Some(error);
                Err(error)
            }
        }
    }
}

impl Default for TextDecoderStream {
    /// UTF-8 with the default options.
    fn default() -> Self {
        match TextDecoderStream::new("utf-8", TextDecoderOptions::default()) {
            Ok(stream) => stream,
            Err(_) => unreachable!("UTF-8 is always enabled"),
        }
    }
}

impl Transform for TextDecoderStream {
    type Chunk = [u8];
    type Output = String;
    type Error = TypeError;

    fn transform(&mut self, chunk: &[u8]) -> Result<Option<String>, TypeError> {
        self.decode_and_enqueue(chunk)
    }

    fn flush(&mut self) -> Result<Option<String>, TypeError> {
        self.flush_and_enqueue()
    }
}
