//! [`AsyncRead`], [`AsyncBufRead`] and [`AsyncWrite`] for [`Reader`] and [`Writer`].

use core::{
    pin::Pin,
    task::{Context, Poll},
};
use std::io;

use ::tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, ReadBuf};

#[cfg(feature = "encode")]
use super::convert::Encode;
use super::{
    convert::{Decode, Direction},
    read::Reader,
    write::Writer,
};

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
pub type AsyncDecodingReader<R> = Reader<R, Decode>;

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
#[cfg(feature = "encode")]
pub type AsyncEncodingReader<R> = Reader<R, Encode>;

/// [`SniffingReader`](super::SniffingReader) for `tokio`: reads bytes from `R`, finds out their encoding, and is read
/// as UTF-8.
///
/// ```
/// use textcodec::{io::AsyncSniffingReader, sniff::{Context, Hints}};
/// use tokio::io::AsyncReadExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let page = &b"<meta charset=sjis><p>\x93\xFA\x96\x7B"[..]; // or a response
/// let mut reader = AsyncSniffingReader::new(page, Context::HtmlParser, Hints::default())?;
/// let mut text = String::new();
/// reader.read_to_string(&mut text).await?;
/// assert_eq!(text, "<meta charset=sjis><p>日本");
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "sniff")]
pub type AsyncSniffingReader<'h, R> = Reader<R, super::sniff::Sniff<'h>>;

/// [`DecodingWriter`](super::DecodingWriter) for `tokio`: takes bytes of an encoding and writes UTF-8 to `W`.
///
/// Shutting the writer down ends the text and shuts down `W`. Without that, the end of the text and the text that the
/// writer keeps are lost. Errors in the text come with the next write, flush or shutdown.
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
pub type AsyncDecodingWriter<W> = Writer<W, Decode>;

/// [`EncodingWriter`](super::EncodingWriter) for `tokio`: takes UTF-8 and writes bytes of an encoding to `W`.
///
/// Shutting the writer down ends the text, for ISO-2022-JP with a return to ASCII, and shuts down `W`. Without that,
/// the end of the text and the bytes that the writer keeps are lost. Errors in the text come with the next write, flush
/// or shutdown.
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
#[cfg(feature = "encode")]
pub type AsyncEncodingWriter<W> = Writer<W, Encode>;

impl<R: AsyncRead, D: Direction> AsyncRead for Reader<R, D> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        destination: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if destination.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        let this = self.project();
        let filled = core::task::ready!(poll(this.pump.fill(reading(this.inner, context))))?;
        let count = filled.len().min(destination.remaining());
        destination.put_slice(&filled[..count]);
        this.pump.consume(count);
        Poll::Ready(Ok(()))
    }
}

impl<R: AsyncRead, D: Direction> AsyncBufRead for Reader<R, D> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        poll(this.pump.fill(reading(this.inner, context)))
    }

    fn consume(self: Pin<&mut Self>, count: usize) {
        self.project().pump.consume(count);
    }
}

impl<W: AsyncWrite, D: Direction> AsyncWrite for Writer<W, D> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, source: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.project();
        poll(this.pump.write(source, writing(this.inner, context)))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut this = self.project();
        core::task::ready!(poll(this.pump.flush(writing(this.inner.as_mut(), context))))?;
        this.inner.poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut this = self.project();
        core::task::ready!(poll(this.pump.finish(writing(this.inner.as_mut(), context))))?;
        this.inner.poll_shutdown(context)
    }
}

/// The reason why a closure that reads or writes for a pump has no result.
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
    move |space| {
        let mut space = ReadBuf::new(space);
        ready(inner.as_mut().poll_read(context, &mut space))?;
        Ok(space.filled().len())
    }
}

fn writing<W: AsyncWrite>(
    mut inner: Pin<&mut W>,
    context: &mut Context<'_>,
) -> impl FnMut(&[u8]) -> Result<usize, Stop> {
    move |bytes| ready(inner.as_mut().poll_write(context, bytes))
}
