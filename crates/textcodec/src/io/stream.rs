//! [`Stream`].

use alloc::{string::String, vec::Vec};
use core::{
    convert::Infallible,
    error::Error,
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::convert::{Convert, Decode};
use crate::{DecodeErrorMode, Decoder, Encoding, Malformed};

/// The reason why a [`TryDecodingStream`] returns no piece of text.
///
/// ```
/// use std::io;
/// use textcodec::io::StreamError;
///
/// fn into_io_error(error: StreamError<io::Error>) -> io::Error {
///     match error {
///         StreamError::Malformed(malformed) => io::Error::new(io::ErrorKind::InvalidData, malformed),
///         StreamError::Stream(error) => error,
///     }
/// }
/// # let malformed = textcodec::UTF_8.decode_or_fail(b"a\xFF").unwrap_err();
/// # assert_eq!(into_io_error(StreamError::Malformed(malformed)).to_string(), "malformed bytes FF at offset 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StreamError<E> {
    /// A malformed sequence, in the error mode fatal. The next piece goes on after the malformed sequence.
    Malformed(Malformed),
    /// The error of the inner stream.
    Stream(E),
}

impl<E: fmt::Display> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Malformed(malformed) => malformed.fmt(f),
            StreamError::Stream(error) => error.fmt(f),
        }
    }
}

impl<E: Error> Error for StreamError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StreamError::Malformed(malformed) => malformed.source(),
            StreamError::Stream(error) => error.source(),
        }
    }
}

pin_project! {
    /// A stream of pieces of text, made from a stream of pieces of bytes. Its two kinds have names: [`DecodingStream`]
    /// and [`TryDecodingStream`].
    #[derive(Debug)]
    pub struct TextStream<S, K> {
        #[pin]
        inner: S,
        pieces: Pieces,
        kind: PhantomData<K>,
    }
}

/// A stream of pieces of text, made from a stream of pieces of bytes, of any type that is `AsRef<[u8]>`.
///
/// The places at which the pieces are cut have no meaning, and no piece is empty. In the error mode replacement there
/// are no errors. In the error mode fatal, the text before a malformed sequence is a piece of its own; then come the
/// error and the text after it.
///
/// ```
/// use futures_util::{StreamExt, stream};
/// use textcodec::{SHIFT_JIS, io::DecodingStream};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), textcodec::Malformed> {
/// let bytes = stream::iter([&b"a\x83"[..], b"\x65\x83\x4C", b"\x83"]);
/// let mut text = DecodingStream::new(bytes, SHIFT_JIS);
/// assert_eq!(text.next().await.unwrap()?, "a");
/// assert_eq!(text.next().await.unwrap()?, "テキ");
/// assert_eq!(text.next().await.unwrap()?, "\u{FFFD}");
/// assert!(text.next().await.is_none());
/// # Ok(())
/// # }
/// ```
pub type DecodingStream<S> = TextStream<S, Infallible>;

/// [`DecodingStream`] for a stream that can fail: its items are `Result<B, E>`, where `B` is any type that is
/// `AsRef<[u8]>`.
///
/// Errors of the inner stream are returned unchanged, after the text before them. The next piece goes on after them.
///
/// ```
/// use futures_util::{StreamExt, stream};
/// use textcodec::{SHIFT_JIS, io::{StreamError, TryDecodingStream}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StreamError<&'static str>> {
/// let bytes = stream::iter([Ok(&b"a\x83"[..]), Err("timeout"), Ok(b"\x65")]);
/// let mut text = TryDecodingStream::new(bytes, SHIFT_JIS);
/// assert_eq!(text.next().await.unwrap()?, "a");
/// assert_eq!(text.next().await.unwrap(), Err(StreamError::Stream("timeout")));
/// assert_eq!(text.next().await.unwrap()?, "テ");
/// assert!(text.next().await.is_none());
/// # Ok(())
/// # }
/// ```
pub type TryDecodingStream<S> = TextStream<S, Fallible>;

/// The kind of a [`TextStream`] whose inner stream can fail.
#[derive(Debug)]
pub enum Fallible {}

impl<S, K> TextStream<S, K> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text;
    /// without a byte order mark the encoding is `fallback`. Malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: S, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecodeErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which determines how a byte order mark is treated.
    pub fn with_decoder(inner: S, decoder: Decoder, mode: DecodeErrorMode) -> Self {
        TextStream { inner, pieces: Pieces::new(decoder, mode), kind: PhantomData }
    }

    /// The encoding of the bytes. After a byte order mark, this is the encoding of the byte order mark.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pieces.decode.encoding()
    }

    /// Whether the bytes so far contain a malformed sequence.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pieces.decode.had_errors()
    }

    /// The number of bytes that were decoded.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pieces.decode.position()
    }

    /// The inner stream.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The inner stream. Bytes that are taken from it directly are missing from the text.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The inner stream. Bytes that were taken from it, and whose text was not returned, are lost.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: Stream<Item: AsRef<[u8]>>> Stream for TextStream<S, Infallible> {
    type Item = Result<String, Malformed>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        let next = || this.inner.as_mut().poll_next(context).map(|bytes| bytes.map(Ok::<_, Infallible>));
        this.pieces.poll(next).map(|piece| {
            piece.map(|piece| {
                piece.map_err(|error| match error {
                    StreamError::Malformed(malformed) => malformed,
                    StreamError::Stream(never) => match never {},
                })
            })
        })
    }
}

impl<S: Stream<Item = Result<B, E>>, B: AsRef<[u8]>, E> Stream for TextStream<S, Fallible> {
    type Item = Result<String, StreamError<E>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.pieces.poll(|| this.inner.as_mut().poll_next(context))
    }
}

/// The number of bytes that are decoded at once after an error.
const PIECE: usize = 8 * 1024;

/// The decoder of both kinds of stream.
#[derive(Debug)]
struct Pieces {
    decode: Decode,
    /// The error after the piece that was returned last.
    malformed: Option<Malformed>,
    /// The bytes after an error in the same piece, and the number of them that are decoded.
    rest: Option<(Vec<u8>, usize)>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The inner stream has not ended.
    Open,
    /// The inner stream has ended, and end-of-queue is to be decoded.
    AtEnd,
    /// End-of-queue is decoded.
    Finished,
}

impl Pieces {
    fn new(decoder: Decoder, mode: DecodeErrorMode) -> Self {
        Pieces { decode: Decode::new(decoder, mode), malformed: None, rest: None, state: State::Open }
    }

    fn poll<B: AsRef<[u8]>, E>(
        &mut self,
        mut next: impl FnMut() -> Poll<Option<Result<B, E>>>,
    ) -> Poll<Option<Result<String, StreamError<E>>>> {
        loop {
            if let Some(malformed) = self.malformed.take() {
                return Poll::Ready(Some(Err(StreamError::Malformed(malformed))));
            }
            let mut text = String::new();
            if let Some((rest, taken)) = &mut self.rest {
                // Only a part of the rest is decoded at once, because after each error the decoder reserves space for
                // all bytes that it is given.
                let piece = &rest[*taken..rest.len().min(*taken + PIECE)];
                let read;
                (read, self.malformed) = self.decode.append(Some(piece), &mut text);
                *taken += read;
                if *taken == rest.len() && self.malformed.is_none() {
                    self.rest = None;
                }
            } else {
                match self.state {
                    State::Open => match ready!(next()) {
                        Some(Ok(bytes)) => {
                            let bytes = bytes.as_ref();
                            let read;
                            (read, self.malformed) = self.decode.append(Some(bytes), &mut text);
                            self.rest = self.malformed.map(|_| (bytes[read..].to_vec(), 0));
                        }
                        Some(Err(error)) => return Poll::Ready(Some(Err(StreamError::Stream(error)))),
                        None => self.state = State::AtEnd,
                    },
                    State::AtEnd => {
                        (_, self.malformed) = self.decode.append(None, &mut text);
                        if self.malformed.is_none() {
                            self.state = State::Finished;
                        }
                    }
                    State::Finished => return Poll::Ready(None),
                }
            }
            if !text.is_empty() {
                return Poll::Ready(Some(Ok(text)));
            }
        }
    }
}
