//! [`Read`] and [`BufRead`].

use alloc::{string::String, vec::Vec};
use core::str;
use std::io::{self, BufRead, Read};

#[cfg(feature = "encode")]
use super::convert::{Encode, Replacing};
use super::{
    convert::{Decode, Direction},
    pump::ReadPump,
};
use crate::{DecodeErrorMode, Decoder, Encoding};
#[cfg(feature = "encode")]
use crate::{EncodeErrorMode, Encoder, Unmappable};

/// Reads bytes from `R` and converts them: in the direction `D`, [`Decode`] or [`Encode`] or, with the feature `sniff`,
/// `Sniff`. Its uses have names: [`DecodingReader`], [`EncodingReader`], `SniffingReader`.
#[cfg(not(feature = "tokio"))]
#[derive(Debug)]
pub struct Reader<R, D> {
    inner: R,
    pump: ReadPump<D>,
}

#[cfg(feature = "tokio")]
pin_project_lite::pin_project! {
    /// Reads bytes from `R` and converts them: in the direction `D`, [`Decode`] or [`Encode`] or, with the feature
    /// `sniff`, `Sniff`. Its uses have names: [`DecodingReader`], [`EncodingReader`], `SniffingReader`.
    ///
    /// If `R` is a [`std::io::Read`], the reader is one as well; if `R` is a [`tokio::io::AsyncRead`], the reader is
    /// also an `AsyncRead`.
    #[derive(Debug)]
    pub struct Reader<R, D> {
        #[pin]
        pub(super) inner: R,
        pub(super) pump: ReadPump<D>,
    }
}

/// Reads bytes of an encoding from `R` and is read as UTF-8.
///
/// [`BufRead::fill_buf`] ends between code points. [`Read::read`] fills the whole destination and may end inside a code
/// point. The first end of `R` is the end of the text, even if `R` would return more bytes later.
///
/// ```
/// use std::io::{BufRead, Read};
/// use textcodec::{SHIFT_JIS, UTF_16LE, io::DecodingReader};
///
/// let mut lines = DecodingReader::new(&b"\x83\x65\n\x83\x4C\n"[..], SHIFT_JIS).lines();
/// assert_eq!(lines.next().unwrap()?, "テ");
/// assert_eq!(lines.next().unwrap()?, "キ");
///
/// // The encoding is known before any of the text is taken.
/// let mut reader = DecodingReader::new(&b"\xFF\xFE\xC6\x30"[..], SHIFT_JIS);
/// reader.fill_buf()?;
/// assert_eq!(reader.encoding(), UTF_16LE);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "テ");
/// # Ok::<(), std::io::Error>(())
/// ```
pub type DecodingReader<R> = Reader<R, Decode>;

/// Reads UTF-8 from `R` and is read as bytes of an encoding.
///
/// ```
/// use std::io::Read;
/// use textcodec::{ISO_2022_JP, io::EncodingReader};
///
/// let mut bytes = Vec::new();
/// EncodingReader::new("テ!".as_bytes(), ISO_2022_JP).read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"\x1B$B%F\x1B(B!");
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "encode")]
pub type EncodingReader<R> = Reader<R, Encode>;

impl<R> Reader<R, Decode> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text;
    /// without a byte order mark the encoding is `fallback`. Malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: R, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecodeErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which determines how a byte order mark is treated.
    pub fn with_decoder(inner: R, decoder: Decoder, mode: DecodeErrorMode) -> Self {
        Self::in_direction(inner, Decode::new(decoder, mode))
    }

    /// The encoding of the bytes. If a byte order mark decides the encoding, that encoding is returned from the first
    /// text or the end of the stream on.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }
}

#[cfg(feature = "encode")]
impl<R> Reader<R, Encode> {
    /// Encodes into the [output encoding](crate::Name::output). An unmappable character is an error. For UTF-16BE
    /// and UTF-16LE the output encoding is UTF-8; the module `textcodec::utf16` writes UTF-16.
    ///
    /// [`replacing`](Self::replacing) encodes another text in place of unmappable characters. With the mode
    /// [`EncodeErrorMode::Html`], [`with_encoder`](Self::with_encoder) writes decimal character references such as
    /// `&#9731;`, which only HTML and XML can read.
    pub fn new(inner: R, encoding: Encoding) -> Self {
        Self::with_encoder(inner, encoding.new_encoder(), EncodeErrorMode::Fatal)
    }

    /// Encodes with `encoder`.
    pub fn with_encoder(inner: R, encoder: Encoder, mode: EncodeErrorMode) -> Self {
        Self::in_direction(inner, Encode::new(encoder, mode))
    }

    /// Encodes with `encoder`. In place of each unmappable character it encodes the text that `on_error` returns. This
    /// encoder encodes that text, too, so that it is correct in every state of ISO-2022-JP. It is an error if the text
    /// has an unmappable character; the error has that character, and the offset of the character that `on_error` was
    /// called for.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{ISO_2022_JP, io::EncodingReader};
    ///
    /// let mut bytes = Vec::new();
    /// EncodingReader::replacing("テ☃".as_bytes(), ISO_2022_JP.new_encoder(), |_| "〓").read_to_end(&mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$B%F\".\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn replacing<F, T>(inner: R, encoder: Encoder, on_error: F) -> Reader<R, Encode<Replacing<F>>>
    where
        F: FnMut(Unmappable) -> T,
        T: AsRef<str>,
    {
        Reader::in_direction(inner, Encode::replacing(encoder, on_error))
    }

    /// The encoding of the bytes that are read from this reader.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }
}

#[cfg(feature = "encode")]
impl<R, F> Reader<R, Encode<Replacing<F>>>
where
    Encode<Replacing<F>>: Direction,
{
    /// The encoding of the bytes that are read from this reader.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.pump.convert().encoding()
    }
}

impl<R, D: Direction> Reader<R, D> {
    pub(super) fn in_direction(inner: R, direction: D) -> Self {
        Reader { inner, pump: ReadPump::new(direction) }
    }

    #[cfg(feature = "sniff")]
    pub(super) fn direction(&self) -> &D {
        self.pump.convert()
    }

    #[cfg(feature = "sniff")]
    pub(super) fn direction_mut(&mut self) -> &mut D {
        self.pump.convert_mut()
    }

    /// Whether the bytes that were read so far contain an error: a malformed sequence, or an unmappable character. The
    /// output before the error may not have been taken yet.
    #[must_use]
    pub fn had_errors(&self) -> bool {
        self.pump.convert().had_errors()
    }

    /// The number of bytes of the inner reader that were converted. Their output may not have been taken yet.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.pump.convert().position()
    }

    /// The inner reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Bytes that are read from it directly are missing from the output.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. Bytes that were read from it, and whose output was not taken, are lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read, D: Direction> Read for Reader<R, D> {
    fn read(&mut self, destination: &mut [u8]) -> io::Result<usize> {
        if destination.is_empty() {
            return Ok(0);
        }
        let count = self.fill_buf()?.read(destination)?;
        self.consume(count);
        Ok(count)
    }

    /// Appends the output up to the end to `destination`. A reader that decodes appends the text up to an error.
    ///
    /// # Errors
    /// The errors of [`Read::read`]; [`io::ErrorKind::InvalidData`], and nothing is appended, if the output is not
    /// UTF-8: after an earlier read that ended inside a code point, or for the bytes of an encoding.
    fn read_to_string(&mut self, destination: &mut String) -> io::Result<usize> {
        let length = destination.len();
        if !D::TO_TEXT {
            let mut bytes = Vec::new();
            self.read_to_end(&mut bytes)?;
            destination.push_str(str::from_utf8(&bytes).map_err(not_utf_8)?);
            return Ok(destination.len() - length);
        }
        loop {
            let bytes = match self.fill_buf() {
                Ok([]) => return Ok(destination.len() - length),
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let text = str::from_utf8(bytes).map_err(not_utf_8)?;
            destination.push_str(text);
            let taken = text.len();
            self.consume(taken);
        }
    }
}

impl<R: Read, D: Direction> BufRead for Reader<R, D> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.pump.fill(|space| self.inner.read(space))
    }

    fn consume(&mut self, count: usize) {
        self.pump.consume(count);
    }
}

fn not_utf_8(error: str::Utf8Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
