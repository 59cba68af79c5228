//! [TextEncoderStream](https://encoding.spec.whatwg.org/#interface-textencoderstream).

use alloc::vec::Vec;
use core::convert::Infallible;

use super::{EncoderInput, Transform, text_encoder};
use crate::{Encoder, UTF_8};

/// The transform of a [TextEncoderStream](https://encoding.spec.whatwg.org/#textencoderstream). The queues of its two
/// sides are not part of it: `Readable` and `Writable` are the two sides for `futures`.
///
/// Chunks are strings as scripts have them: a surrogate pair may be split between two chunks.
///
/// ```
/// use textcodec::api::TextEncoderStream;
///
/// let mut stream = TextEncoderStream::new();
/// assert_eq!(stream.encode_and_enqueue(&[0x61, 0xD83D][..]).as_deref(), Some(&b"a"[..]));
/// assert_eq!(stream.encode_and_enqueue(&[0xDCA9, 0xD83D][..]).as_deref(), Some("💩".as_bytes()));
/// assert_eq!(stream.encode_and_flush().as_deref(), Some("\u{FFFD}".as_bytes()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextEncoderStream {
    /// The encoder of UTF-8, which also keeps the leading surrogate.
    encoder: Encoder,
}

impl TextEncoderStream {
    /// [The constructor](https://encoding.spec.whatwg.org/#dom-textencoderstream).
    #[must_use]
    pub fn new() -> Self {
        TextEncoderStream { encoder: UTF_8.new_encoder() }
    }

    /// The attribute [encoding](https://encoding.spec.whatwg.org/#dom-textencoder-encoding): `"utf-8"`.
    #[must_use]
    pub const fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// [Encode and enqueue a chunk](https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk). Returns the chunk to
    /// enqueue.
    #[must_use]
    pub fn encode_and_enqueue<'a>(&mut self, chunk: impl Into<EncoderInput<'a>>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let chunk = chunk.into();
        if !matches!(chunk, EncoderInput::Utf16(_) | EncoderInput::Str("") | EncoderInput::Latin1([])) {
            // The chunk has no surrogates, so a pending leading surrogate is unpaired.
            self.end(&mut bytes);
        }
        text_encoder::append(&mut bytes, &mut self.encoder, chunk, false);
        (!bytes.is_empty()).then_some(bytes)
    }

    /// [Encode and flush](https://encoding.spec.whatwg.org/#encode-and-flush). Returns the chunk to enqueue at the end.
    #[must_use]
    pub fn encode_and_flush(&mut self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.end(&mut bytes);
        (!bytes.is_empty()).then_some(bytes)
    }

    /// Encodes a pending leading surrogate as U+FFFD.
    fn end(&mut self, bytes: &mut Vec<u8>) {
        text_encoder::append(bytes, &mut self.encoder, EncoderInput::Utf16(&[]), true);
    }
}

impl Default for TextEncoderStream {
    fn default() -> Self {
        Self::new()
    }
}

impl Transform for TextEncoderStream {
    type Chunk = [u16];
    type Output = Vec<u8>;
    type Error = Infallible;

    fn transform(&mut self, chunk: &[u16]) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(self.encode_and_enqueue(chunk))
    }

    fn flush(&mut self) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(self.encode_and_flush())
    }
}
