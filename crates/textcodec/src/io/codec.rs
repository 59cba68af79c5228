//! `tokio_util::codec`.

use alloc::string::String;
use std::io;

use tokio_util::{
    bytes::{Buf, BytesMut},
    codec,
};

use super::convert::{Convert, Decode, EncodeText, Problem, Replacing};
use crate::{DecodeErrorMode, Decoder, EncodeErrorMode, EncodeStatus, Encoder, Encoding, Unmappable};

/// Decodes bytes into pieces of text and encodes pieces of text, for `FramedRead`, `FramedWrite` and `Framed`.
///
/// A piece is as long as the bytes that have arrived. The places at which pieces are cut have no meaning, and no piece
/// is empty. In the error mode fatal, the text before a malformed sequence is a piece of its own; then comes the error,
/// and reading can go on.
///
/// A codec does not learn which piece is the last one that is written: send [`EndOfStream`] after it. ISO-2022-JP needs
/// this item; for other encodings it changes nothing.
///
/// ```
/// use futures_util::{SinkExt, StreamExt};
/// use textcodec::{ISO_2022_JP, io::{EndOfStream, TextCodec}};
/// use tokio_util::codec::{FramedRead, FramedWrite};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let mut written = FramedWrite::new(Vec::new(), TextCodec::new(ISO_2022_JP));
/// written.send("テ").await?;
/// written.send(String::from("キ!")).await?;
/// written.send(EndOfStream).await?;
/// let bytes = written.into_inner();
/// assert_eq!(bytes, b"\x1B$B%F%-\x1B(B!");
///
/// let mut pieces = FramedRead::new(&*bytes, TextCodec::new(ISO_2022_JP));
/// assert_eq!(pieces.next().await.unwrap()?, "テキ!");
/// assert!(pieces.next().await.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TextCodec<E = Encoder> {
    decode: Decode,
    /// The problem after the piece that was decoded last.
    problem: Option<Problem>,
    encoder: E,
    encoder_mode: EncodeErrorMode,
}

/// An item to send after the last piece of text. It writes the end of the text: ISO-2022-JP's return to ASCII.
///
/// ```
/// use textcodec::{ISO_2022_JP, io::{EndOfStream, TextCodec}};
/// use tokio_util::{bytes::BytesMut, codec::Encoder};
///
/// let (mut codec, mut bytes) = (TextCodec::new(ISO_2022_JP), BytesMut::new());
/// codec.encode("テ", &mut bytes)?;
/// assert_eq!(bytes, b"\x1B$B%F"[..]);
/// codec.encode(EndOfStream, &mut bytes)?;
/// assert_eq!(bytes, b"\x1B$B%F\x1B(B"[..]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EndOfStream;

impl TextCodec {
    /// Decodes as [`Encoding::decode`] does, with `encoding` as the fallback, and encodes into the [output
    /// encoding](crate::Name::output). An unmappable character is an error.
    ///
    /// [`replacing`](Self::replacing) encodes another text in place of unmappable characters. With the mode
    /// [`EncodeErrorMode::Html`], [`with_coders`](Self::with_coders) writes decimal character references such as
    /// `&#9731;`, which only HTML and XML can read.
    #[cfg(feature = "utf16")]
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        let (decoder, encoder) = (encoding.new_decoder(), encoding.new_encoder());
        Self::with_coders(decoder, DecodeErrorMode::Replacement, encoder, EncodeErrorMode::Fatal)
    }

    /// Decodes with `decoder`, which determines how a byte order mark is treated, and encodes with `encoder`.
    #[must_use]
    pub fn with_coders(
        decoder: Decoder,
        decoder_mode: DecodeErrorMode,
        encoder: Encoder,
        encoder_mode: EncodeErrorMode,
    ) -> Self {
        TextCodec { decode: Decode::new(decoder, decoder_mode), problem: None, encoder, encoder_mode }
    }

    /// Decodes with `decoder`, and encodes with `encoder`. In place of each unmappable character it encodes the text
    /// that `on_error` returns. It is an error if that text has an unmappable character.
    ///
    /// ```
    /// use textcodec::{DecodeErrorMode, SHIFT_JIS, io::TextCodec};
    /// use tokio_util::{bytes::BytesMut, codec::Encoder};
    ///
    /// let (decoder, encoder) = (SHIFT_JIS.new_decoder(), SHIFT_JIS.new_encoder());
    /// let mut codec = TextCodec::replacing(decoder, DecodeErrorMode::Fatal, encoder, |_| "〓");
    /// let mut bytes = BytesMut::new();
    /// codec.encode("テ☃", &mut bytes)?;
    /// assert_eq!(bytes, b"\x83\x65\x81\xAC"[..]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn replacing<F, T>(
        decoder: Decoder,
        decoder_mode: DecodeErrorMode,
        encoder: Encoder,
        on_error: F,
    ) -> TextCodec<Replacing<F>>
    where
        F: FnMut(Unmappable) -> T,
        T: AsRef<str>,
    {
        let (decode, encoder) = (Decode::new(decoder, decoder_mode), Replacing::new(encoder, on_error));
        TextCodec { decode, problem: None, encoder, encoder_mode: EncodeErrorMode::Fatal }
    }
}

impl<E> TextCodec<E> {
    /// The encoding of the bytes that are decoded. After a byte order mark, this is the encoding of the byte order
    /// mark.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.decode.encoding()
    }

    /// Whether the bytes that were decoded contain a malformed sequence.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.decode.had_errors()
    }

    /// The number of bytes that were decoded.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.decode.position()
    }

    /// The text of `source`, `None` for end-of-queue, and the number of bytes that were taken. Fails with the problem
    /// after the last piece.
    fn piece(&mut self, source: Option<&[u8]>) -> io::Result<(Option<String>, usize)> {
        if let Some(problem) = self.problem.take() {
            return Err(problem.into());
        }
        let mut text = String::new();
        let (read, malformed) = self.decode.append(source, &mut text);
        self.problem = malformed.map(Problem::Malformed);
        Ok(((!text.is_empty()).then_some(text), read))
    }
}

impl<E: EncodeText> TextCodec<E> {
    /// Appends the bytes of `text` to `destination`. On failure, `destination` and the encoder are unchanged.
    fn write(&mut self, text: &str, destination: &mut BytesMut, last: bool) -> io::Result<()> {
        let (state, start) = (self.encoder.state(), destination.len());
        let (mut read, mut end) = (0, start);
        loop {
            let rest = &text[read..];
            // The space is four bytes longer than the text, so that every round encodes at least one character.
            destination.resize(end + rest.len() + 4, 0);
            let result = self.encoder.encode_str(rest, &mut destination[end..], last, self.encoder_mode, 0);
            read += result.read;
            end += result.written;
            destination.truncate(end);
            match result.status {
                EncodeStatus::InputEmpty => return Ok(()),
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(unmappable) => {
                    self.encoder.set_state(state);
                    destination.truncate(start);
                    return Err(Problem::Unmappable(unmappable).into());
                }
            }
        }
    }
}

impl<E> codec::Decoder for TextCodec<E> {
    type Item = String;
    type Error = io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> io::Result<Option<String>> {
        loop {
            let (piece, read) = self.piece(Some(source))?;
            source.advance(read);
            if piece.is_some() || self.problem.is_none() {
                return Ok(piece);
            }
        }
    }

    /// The text of `source` and, after it, U+FFFD or an error for an incomplete sequence at the end. Bytes after that
    /// begin another stream.
    fn decode_eof(&mut self, source: &mut BytesMut) -> io::Result<Option<String>> {
        if let Some(piece) = codec::Decoder::decode(self, source)? {
            return Ok(Some(piece));
        }
        loop {
            let (piece, _) = self.piece(None)?;
            if piece.is_some() || self.problem.is_none() {
                return Ok(piece);
            }
        }
    }
}

impl<T: AsRef<str>, E: EncodeText> codec::Encoder<T> for TextCodec<E> {
    type Error = io::Error;

    /// # Errors
    /// In the error mode fatal, the first unmappable character; none of `text` is encoded then.
    fn encode(&mut self, text: T, destination: &mut BytesMut) -> io::Result<()> {
        self.write(text.as_ref(), destination, false)
    }
}

impl<E: EncodeText> codec::Encoder<EndOfStream> for TextCodec<E> {
    type Error = io::Error;

    /// Writes the end of the text. Text after that begins another stream.
    fn encode(&mut self, _: EndOfStream, destination: &mut BytesMut) -> io::Result<()> {
        self.write("", destination, true)
    }
}
