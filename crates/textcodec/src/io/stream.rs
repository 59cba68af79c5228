//! [`Stream`].

use alloc::{string::String, vec::Vec};
use core::{
    convert::Infallible,
    error::Error,
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::convert::Decode;
use crate::{Decoder, DecoderErrorMode, Encoding, Malformed};

/// Why a [`TryDecodingStream`] has no piece of text.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamError<E> {
    /// In the error mode fatal. What follows goes on behind it.
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
    /// A stream of pieces of text, made of a stream of pieces of bytes, which are anything that is `AsRef<[u8]>`.
    ///
    /// Where the pieces are cut means nothing, and none is empty. In the error mode replacement there are no errors; in
    /// fatal the text before a malformed sequence is a piece of its own, then comes the error, then what is behind it.
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
    #[derive(Debug)]
    pub struct DecodingStream<S> {
        #[pin]
        inner: S,
        pieces: Pieces,
    }
}

impl<S> DecodingStream<S> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text, without one
    /// it is `fallback`; malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: S, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecoderErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which says what a byte order mark is taken for.
    pub fn with_decoder(inner: S, decoder: Decoder, mode: DecoderErrorMode) -> Self {
        DecodingStream { inner, pieces: Pieces::new(decoder, mode) }
    }

    /// The encoding that is decoded: that of the byte order mark once one was met.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pieces.decode.encoding()
    }

    /// Whether a malformed sequence was met.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pieces.decode.had_errors()
    }

    /// How many bytes are decoded.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pieces.decode.position()
    }

    /// The inner stream.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The inner stream. What is taken from it directly is missing in the text.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The inner stream. What was taken from it and did not come as text is lost.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: Stream<Item: AsRef<[u8]>>> Stream for DecodingStream<S> {
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

pin_project! {
    /// [`DecodingStream`] for a stream that can fail: its items are `Result<B, E>`, `B` anything that is `AsRef<[u8]>`.
    ///
    /// Errors of the inner stream are passed on, after the text before them; what comes after them goes on from there.
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
    #[derive(Debug)]
    pub struct TryDecodingStream<S> {
        #[pin]
        inner: S,
        pieces: Pieces,
    }
}

impl<S> TryDecodingStream<S> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text, without one
    /// it is `fallback`; malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: S, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecoderErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which says what a byte order mark is taken for.
    pub fn with_decoder(inner: S, decoder: Decoder, mode: DecoderErrorMode) -> Self {
        TryDecodingStream { inner, pieces: Pieces::new(decoder, mode) }
    }

    /// The encoding that is decoded: that of the byte order mark once one was met.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pieces.decode.encoding()
    }

    /// Whether a malformed sequence was met.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pieces.decode.had_errors()
    }

    /// How many bytes are decoded.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pieces.decode.position()
    }

    /// The inner stream.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The inner stream. What is taken from it directly is missing in the text.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The inner stream. What was taken from it and did not come as text is lost.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: Stream<Item = Result<B, E>>, B: AsRef<[u8]>, E> Stream for TryDecodingStream<S> {
    type Item = Result<String, StreamError<E>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.pieces.poll(|| this.inner.as_mut().poll_next(context))
    }
}

/// How many bytes are decoded at once behind an error.
const PIECE: usize = 8 * 1024;

/// What both streams do.
#[derive(Debug)]
struct Pieces {
    decode: Decode,
    /// What comes after the piece that was returned last.
    malformed: Option<Malformed>,
    /// The bytes that are behind an error in the piece that it was in, and how many of them are decoded.
    rest: Option<(Vec<u8>, usize)>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The inner stream goes on.
    Open,
    /// It has ended, and end-of-queue is to be decoded.
    AtEnd,
    /// That is done, too.
    Finished,
}

impl Pieces {
    fn new(decoder: Decoder, mode: DecoderErrorMode) -> Self {
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
                // Not all at once: room for all of it would be made after each error.
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
