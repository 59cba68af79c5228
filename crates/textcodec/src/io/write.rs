//! [`Write`].

use std::io::{self, Write};

#[cfg(feature = "encode")]
use super::convert::{Encode, Replacing};
use super::{
    convert::{Decode, Direction},
    pump::WritePump,
};
use crate::{DecodeErrorMode, Decoder, Encoding};
#[cfg(feature = "encode")]
use crate::{EncodeErrorMode, Encoder, Unmappable};

/// Takes bytes, converts them in the direction `D`, [`Decode`] or [`Encode`], and writes the output to `W`. Its uses
/// have names: [`DecodingWriter`], [`EncodingWriter`], `Utf16Writer`.
#[cfg(not(feature = "tokio"))]
#[derive(Debug)]
pub struct Writer<W, D> {
    inner: W,
    pump: WritePump<D>,
}

#[cfg(feature = "tokio")]
pin_project_lite::pin_project! {
    /// Takes bytes, converts them in the direction `D`, [`Decode`] or [`Encode`], and writes the output to `W`. Its
    /// uses have names: [`DecodingWriter`], [`EncodingWriter`], `Utf16Writer`.
    ///
    /// If `W` is a [`std::io::Write`], the writer is one as well; if `W` is a [`tokio::io::AsyncWrite`], the writer is
    /// also an `AsyncWrite`.
    #[derive(Debug)]
    pub struct Writer<W, D> {
        #[pin]
        pub(super) inner: W,
        pub(super) pump: WritePump<D>,
    }
}

/// Takes bytes of an encoding and writes UTF-8 to `W`.
///
/// The writer keeps text until its buffer is full, until [`flush`](Write::flush), or until [`finish`](Self::finish).
/// Only `finish` says that the text ends, and decodes an incomplete sequence at the end. Without `finish`, the text
/// that is kept and the incomplete sequence are lost.
///
/// In the error mode fatal, a write that ends in a malformed sequence takes the sequence, and the next write, flush or
/// finish fails: it writes the text before the sequence to `W` and takes nothing else. A further call goes on after the
/// sequence.
///
/// ```
/// use std::io::Write;
/// use textcodec::{SHIFT_JIS, io::DecodingWriter};
///
/// let mut writer = DecodingWriter::new(Vec::new(), SHIFT_JIS);
/// writer.write_all(b"\x83")?;
/// writer.write_all(b"\x65\x83")?;
/// assert_eq!(writer.finish()?, "テ\u{FFFD}".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
pub type DecodingWriter<W> = Writer<W, Decode>;

/// Takes UTF-8 and writes bytes of an encoding to `W`. A code point may be split between two writes.
///
/// The writer keeps bytes until its buffer is full, until [`flush`](Write::flush), or until [`finish`](Self::finish).
/// Only `finish` says that the text ends, and writes the escape sequence by which ISO-2022-JP returns to ASCII. Without
/// `finish`, the bytes that are kept and the escape sequence are lost.
///
/// A write that ends in bytes that are not UTF-8 or, in the error mode fatal, in an unmappable character, takes them,
/// and the next write, flush or finish fails: it writes the bytes before the error to `W` and takes nothing else. A
/// further call goes on after the error.
///
/// ```
/// use std::io::Write;
/// use textcodec::{EncodeErrorMode, ISO_2022_JP, io::{EncodingWriter, unmappable}};
///
/// let mut writer = EncodingWriter::new(Vec::new(), ISO_2022_JP);
/// write!(writer, "{}!", "テ")?;
/// writer.write_str("キ")?;
/// assert_eq!(writer.finish()?, b"\x1B$B%F\x1B(B!\x1B$B%-\x1B(B");
///
/// let mut writer = EncodingWriter::new(Vec::new(), ISO_2022_JP);
/// let error = writer.write_str("テ☃キ").unwrap_err();
/// let unmappable = unmappable(&error).unwrap();
/// assert_eq!((unmappable.offset, unmappable.code_point), (3, '☃'));
///
/// let mut html = EncodingWriter::with_encoder(Vec::new(), ISO_2022_JP.new_encoder(), EncodeErrorMode::Html);
/// html.write_str("テ☃")?;
/// assert_eq!(html.finish()?, b"\x1B$B%F\x1B(B&#9731;");
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "encode")]
pub type EncodingWriter<W> = Writer<W, Encode>;

impl<W> Writer<W, Decode> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text;
    /// without a byte order mark the encoding is `fallback`. Malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: W, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecodeErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which determines how a byte order mark is treated.
    pub fn with_decoder(inner: W, decoder: Decoder, mode: DecodeErrorMode) -> Self {
        Self::in_direction(inner, Decode::new(decoder, mode))
    }

    /// The encoding of the bytes. After a byte order mark, this is the encoding of the byte order mark.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }
}

#[cfg(feature = "encode")]
impl<W> Writer<W, Encode> {
    /// Encodes into the [output encoding](crate::Name::output). An unmappable character is an error. For UTF-16BE
    /// and UTF-16LE the output encoding is UTF-8; `utf16::Utf16Writer` writes UTF-16.
    ///
    /// [`replacing`](Self::replacing) encodes another text in place of unmappable characters. With the mode
    /// [`EncodeErrorMode::Html`], [`with_encoder`](Self::with_encoder) writes decimal character references such as
    /// `&#9731;`, which only HTML and XML can read.
    pub fn new(inner: W, encoding: Encoding) -> Self {
        Self::with_encoder(inner, encoding.new_encoder(), EncodeErrorMode::Fatal)
    }

    /// Encodes with `encoder`.
    pub fn with_encoder(inner: W, encoder: Encoder, mode: EncodeErrorMode) -> Self {
        Self::in_direction(inner, Encode::new(encoder, mode))
    }

    /// Encodes with `encoder`. In place of each unmappable character it encodes the text that `on_error` returns. This
    /// encoder encodes that text, too, so that it is correct in every state of ISO-2022-JP. It is an error if the text
    /// has an unmappable character; the error has that character, and the offset of the character that `on_error` was
    /// called for.
    ///
    /// ```
    /// use textcodec::{KOI8_R, io::EncodingWriter};
    ///
    /// let mut csv = EncodingWriter::replacing(Vec::new(), KOI8_R.new_encoder(), |unmappable| {
    ///     if unmappable.code_point == '–' { "-" } else { "?" }
    /// });
    /// csv.write_str("да – ☃")?;
    /// assert!(csv.had_errors());
    /// assert_eq!(csv.finish()?, b"\xC4\xC1 - ?");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn replacing<F, T>(inner: W, encoder: Encoder, on_error: F) -> Writer<W, Encode<Replacing<F>>>
    where
        F: FnMut(Unmappable) -> T,
        T: AsRef<str>,
    {
        Writer::in_direction(inner, Encode::replacing(encoder, on_error))
    }

    /// The encoding of the bytes that are written to the inner writer.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }
}

#[cfg(feature = "encode")]
impl<W, F> Writer<W, Encode<Replacing<F>>>
where
    Encode<Replacing<F>>: Direction,
{
    /// The encoding of the bytes that are written to the inner writer.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }
}

impl<W, D: Direction> Writer<W, D> {
    pub(super) fn in_direction(inner: W, direction: D) -> Self {
        Writer { inner, pump: WritePump::new(direction) }
    }

    /// Whether the bytes so far contain an error: a malformed sequence, or an unmappable character.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pump.convert().had_errors()
    }

    /// The number of bytes that were written to this writer and converted.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pump.convert().position()
    }

    /// The inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. Bytes that are written to it directly come before the output that this writer keeps.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer. Output that was not written to it is lost. After [`try_finish`](Self::try_finish) or, with
    /// `tokio`, after shutting down, there is no such output.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write, D: Direction> Writer<W, D> {
    /// Ends the text, writes the rest of the output to the inner writer, and returns the inner writer.
    ///
    /// # Errors
    /// As [`try_finish`](Self::try_finish), which leaves the writer in place for another try.
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.inner)
    }

    /// Ends the text and writes the rest of the output to the inner writer, which is not flushed. Any later write fails
    /// with [`io::ErrorKind::BrokenPipe`].
    ///
    /// # Errors
    /// The errors of the inner writer; [`io::ErrorKind::InvalidData`] for an error at the end of the bytes that were
    /// written, such as an incomplete sequence. Another call goes on from there.
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.pump.finish(writing(&mut self.inner))
    }
}

#[cfg(feature = "encode")]
impl<W: Write, E> Writer<W, Encode<E>>
where
    Encode<E>: Direction,
{
    /// Writes all of `text`, as [`Write::write_all`] does.
    ///
    /// # Errors
    /// The errors of the inner writer; [`io::ErrorKind::InvalidData`] for earlier bytes that were not UTF-8 and, in the
    /// error mode fatal, for an unmappable character. [`position`](Self::position) tells how much of `text` was taken.
    pub fn write_str(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes())
    }
}

impl<W: Write, D: Direction> Write for Writer<W, D> {
    fn write(&mut self, source: &[u8]) -> io::Result<usize> {
        self.pump.write(source, writing(&mut self.inner))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pump.flush(writing(&mut self.inner))?;
        self.inner.flush()
    }
}

/// A function that writes to `inner`, and tries again when the write is interrupted.
fn writing(inner: &mut impl Write) -> impl FnMut(&[u8]) -> io::Result<usize> {
    move |bytes| loop {
        match inner.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
