//! [`AsyncRead`], [`AsyncBufRead`] and [`AsyncWrite`].

use core::{
    pin::Pin,
    task::{Context, Poll},
};
use std::io;

use ::tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, ReadBuf};
use pin_project_lite::pin_project;

use super::{
    convert::{Convert, Decode, Encode},
    pump::{ReadPump, WritePump},
};
use crate::{Decoder, DecoderErrorMode, Encoder, EncoderErrorMode, Encoding};

pin_project! {
    /// [`DecodingReader`](super::DecodingReader) for `tokio`: reads bytes of an encoding from `R` and is read as UTF-8.
    ///
    /// ```
    /// use textcodec::{SHIFT_JIS, io::AsyncDecodingReader};
    /// use tokio::io::AsyncReadExt;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let mut reader = AsyncDecodingReader::new(&b"\x83\x65\x83\x4C"[..], SHIFT_JIS);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text).await?;
    /// assert_eq!(text, "テキ");
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Debug)]
    pub struct AsyncDecodingReader<R> {
        #[pin]
        inner: R,
        pump: ReadPump<Decode>,
    }
}

impl<R> AsyncDecodingReader<R> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text, without one
    /// it is `fallback`; malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: R, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecoderErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which says what a byte order mark is taken for.
    pub fn with_decoder(inner: R, decoder: Decoder, mode: DecoderErrorMode) -> Self {
        AsyncDecodingReader { inner, pump: ReadPump::new(Decode::new(decoder, mode)) }
    }

    /// The encoding that is decoded: from the first text, or the end, on the one that the byte order mark decided.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }

    /// Whether a malformed sequence was decoded, whether or not the text before it is taken.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pump.convert().had_errors()
    }

    /// How many bytes of the stream are decoded, whether or not their text is taken.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pump.convert().position()
    }

    /// The inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it directly is missing in the text.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What was read from it and not taken as text is lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: AsyncRead> AsyncRead for AsyncDecodingReader<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        destination: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        poll(read(this.pump, this.inner, context, destination))
    }
}

impl<R: AsyncRead> AsyncBufRead for AsyncDecodingReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        poll(this.pump.fill(reading(this.inner, context)))
    }

    fn consume(self: Pin<&mut Self>, count: usize) {
        self.project().pump.consume(count);
    }
}

pin_project! {
    /// [`EncodingReader`](super::EncodingReader) for `tokio`: reads UTF-8 from `R` and is read as bytes of an encoding.
    ///
    /// ```
    /// use textcodec::{SHIFT_JIS, io::AsyncEncodingReader};
    /// use tokio::io::AsyncReadExt;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let mut bytes = Vec::new();
    /// AsyncEncodingReader::new("テキ".as_bytes(), SHIFT_JIS).read_to_end(&mut bytes).await?;
    /// assert_eq!(bytes, b"\x83\x65\x83\x4C");
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Debug)]
    pub struct AsyncEncodingReader<R> {
        #[pin]
        inner: R,
        pump: ReadPump<Encode>,
    }
}

impl<R> AsyncEncodingReader<R> {
    /// Encodes as [`Encoding::encode`] does: into the [output encoding](Encoding::output_encoding); what it lacks becomes a
    /// decimal character reference.
    pub fn new(inner: R, encoding: Encoding) -> Self {
        Self::with_encoder(inner, encoding.new_encoder(), EncoderErrorMode::Html)
    }

    /// Encodes with `encoder`.
    pub fn with_encoder(inner: R, encoder: Encoder, mode: EncoderErrorMode) -> Self {
        AsyncEncodingReader { inner, pump: ReadPump::new(Encode::new(encoder, mode)) }
    }

    /// The encoding that is encoded into.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }

    /// Whether a code point was met that the encoding lacks, or bytes that are not UTF-8.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pump.convert().had_errors()
    }

    /// How many bytes of UTF-8 are encoded, whether or not the outcome is taken.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pump.convert().position()
    }

    /// The inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it directly is not encoded.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What was read from it and not taken as bytes is lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: AsyncRead> AsyncRead for AsyncEncodingReader<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        destination: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        poll(read(this.pump, this.inner, context, destination))
    }
}

impl<R: AsyncRead> AsyncBufRead for AsyncEncodingReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        poll(this.pump.fill(reading(this.inner, context)))
    }

    fn consume(self: Pin<&mut Self>, count: usize) {
        self.project().pump.consume(count);
    }
}

pin_project! {
    /// [`DecodingWriter`](super::DecodingWriter) for `tokio`: is written bytes of an encoding and writes UTF-8 to `W`.
    ///
    /// Shutting it down ends the text and shuts down `W`; without that the end, and what is kept, is lost. Errors in the text
    /// come with the next write, flush or shutdown.
    ///
    /// ```
    /// use textcodec::{SHIFT_JIS, io::AsyncDecodingWriter};
    /// use tokio::io::AsyncWriteExt;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let mut writer = AsyncDecodingWriter::new(Vec::new(), SHIFT_JIS);
    /// writer.write_all(b"\x83\x65\x83").await?;
    /// writer.shutdown().await?;
    /// assert_eq!(writer.into_inner(), "テ\u{FFFD}".as_bytes());
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Debug)]
    pub struct AsyncDecodingWriter<W> {
        #[pin]
        inner: W,
        pump: WritePump<Decode>,
    }
}

impl<W> AsyncDecodingWriter<W> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text, without one
    /// it is `fallback`; malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: W, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecoderErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which says what a byte order mark is taken for.
    pub fn with_decoder(inner: W, decoder: Decoder, mode: DecoderErrorMode) -> Self {
        AsyncDecodingWriter { inner, pump: WritePump::new(Decode::new(decoder, mode)) }
    }

    /// The encoding that is decoded: that of the byte order mark once one was met.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }

    /// Whether a malformed sequence was met.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pump.convert().had_errors()
    }

    /// How many bytes were taken.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pump.convert().position()
    }

    /// The inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it directly comes before the text that is kept.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer. What was not written to it is lost: nothing, after shutting down.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: AsyncWrite> AsyncWrite for AsyncDecodingWriter<W> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, source: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.project();
        poll(this.pump.write(source, writing(this.inner, context)))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        poll(flush(this.pump, this.inner, context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        poll(shut_down(this.pump, this.inner, context))
    }
}

pin_project! {
    /// [`EncodingWriter`](super::EncodingWriter) for `tokio`: is written UTF-8 and writes bytes of an encoding to `W`.
    ///
    /// Shutting it down ends the text, which for ISO-2022-JP returns to ASCII, and shuts down `W`; without that the end, and
    /// what is kept, is lost. Errors in the text come with the next write, flush or shutdown.
    ///
    /// ```
    /// use textcodec::{ISO_2022_JP, io::AsyncEncodingWriter};
    /// use tokio::io::AsyncWriteExt;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let mut writer = AsyncEncodingWriter::new(Vec::new(), ISO_2022_JP);
    /// writer.write_all("テ".as_bytes()).await?;
    /// writer.shutdown().await?;
    /// assert_eq!(writer.into_inner(), b"\x1B$B%F\x1B(B");
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Debug)]
    pub struct AsyncEncodingWriter<W> {
        #[pin]
        inner: W,
        pump: WritePump<Encode>,
    }
}

impl<W> AsyncEncodingWriter<W> {
    /// Encodes as [`Encoding::encode`] does: into the [output encoding](Encoding::output_encoding); what it lacks becomes a
    /// decimal character reference.
    pub fn new(inner: W, encoding: Encoding) -> Self {
        Self::with_encoder(inner, encoding.new_encoder(), EncoderErrorMode::Html)
    }

    /// Encodes with `encoder`.
    pub fn with_encoder(inner: W, encoder: Encoder, mode: EncoderErrorMode) -> Self {
        AsyncEncodingWriter { inner, pump: WritePump::new(Encode::new(encoder, mode)) }
    }

    /// The encoding that is encoded into.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }

    /// Whether a code point was met that the encoding lacks, or bytes that are not UTF-8.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pump.convert().had_errors()
    }

    /// How many bytes of UTF-8 were taken.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pump.convert().position()
    }

    /// The inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it directly comes before the bytes that are kept.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer. What was not written to it is lost: nothing, after shutting down.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: AsyncWrite> AsyncWrite for AsyncEncodingWriter<W> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, source: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.project();
        poll(this.pump.write(source, writing(this.inner, context)))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        poll(flush(this.pump, this.inner, context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.project();
        poll(shut_down(this.pump, this.inner, context))
    }
}

/// Why a pump's closure does not go on.
enum Stop {
    Pending,
    Failed(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Failed(error)
    }
}

fn poll<T>(result: Result<T, Stop>) -> Poll<io::Result<T>> {
    match result {
        Ok(value) => Poll::Ready(Ok(value)),
        Err(Stop::Pending) => Poll::Pending,
        Err(Stop::Failed(error)) => Poll::Ready(Err(error)),
    }
}

/// The inverse of [`poll`].
fn ready<T>(poll: Poll<io::Result<T>>) -> Result<T, Stop> {
    match poll {
        Poll::Ready(result) => Ok(result?),
        Poll::Pending => Err(Stop::Pending),
    }
}

fn reading<R: AsyncRead>(
    mut inner: Pin<&mut R>,
    context: &mut Context<'_>,
) -> impl FnMut(&mut [u8]) -> Result<usize, Stop> {
    move |room| {
        let mut room = ReadBuf::new(room);
        ready(inner.as_mut().poll_read(context, &mut room))?;
        Ok(room.filled().len())
    }
}

fn writing<W: AsyncWrite>(
    mut inner: Pin<&mut W>,
    context: &mut Context<'_>,
) -> impl FnMut(&[u8]) -> Result<usize, Stop> {
    move |bytes| ready(inner.as_mut().poll_write(context, bytes))
}

fn read<C: Convert, R: AsyncRead>(
    pump: &mut ReadPump<C>,
    inner: Pin<&mut R>,
    context: &mut Context<'_>,
    destination: &mut ReadBuf<'_>,
) -> Result<(), Stop> {
    if destination.remaining() == 0 {
        return Ok(());
    }
    let filled = pump.fill(reading(inner, context))?;
    let count = filled.len().min(destination.remaining());
    destination.put_slice(&filled[..count]);
    pump.consume(count);
    Ok(())
}

fn flush<C: Convert, W: AsyncWrite>(
    pump: &mut WritePump<C>,
    mut inner: Pin<&mut W>,
    context: &mut Context<'_>,
) -> Result<(), Stop> {
    pump.flush(writing(inner.as_mut(), context))?;
    ready(inner.poll_flush(context))
}

fn shut_down<C: Convert, W: AsyncWrite>(
    pump: &mut WritePump<C>,
    mut inner: Pin<&mut W>,
    context: &mut Context<'_>,
) -> Result<(), Stop> {
    pump.finish(writing(inner.as_mut(), context))?;
    ready(inner.poll_shutdown(context))
}
