//! [`Read`] and [`BufRead`].

use alloc::string::String;
use core::str;
use std::io::{self, BufRead, Read};

use super::{
    convert::{Convert, Decode, Encode},
    pump::ReadPump,
};
use crate::{Decoder, DecoderErrorMode, Encoder, EncoderErrorMode, Encoding};

/// Reads bytes of an encoding from `R` and is read as UTF-8.
///
/// [`BufRead::fill_buf`] ends between code points; [`Read::read`] fills whatever it is given and may end inside of one.
/// The end of `R` is the end of the text, also if `R` would go on later.
///
/// ```
/// use std::io::{BufRead, Read};
/// use textcodec::{SHIFT_JIS, UTF_16LE, io::DecodingReader};
///
/// let mut lines = DecodingReader::new(&b"\x83\x65\n\x83\x4C\n"[..], SHIFT_JIS).lines();
/// assert_eq!(lines.next().unwrap()?, "テ");
/// assert_eq!(lines.next().unwrap()?, "キ");
///
/// // Which encoding it is, before any of the text is taken.
/// let mut reader = DecodingReader::new(&b"\xFF\xFE\xC6\x30"[..], SHIFT_JIS);
/// reader.fill_buf()?;
/// assert_eq!(reader.encoding(), UTF_16LE);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "テ");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct DecodingReader<R> {
    inner: R,
    pump: ReadPump<Decode>,
}

impl<R> DecodingReader<R> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text, without one
    /// it is `fallback`; malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: R, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecoderErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which says what a byte order mark is taken for.
    pub fn with_decoder(inner: R, decoder: Decoder, mode: DecoderErrorMode) -> Self {
        DecodingReader { inner, pump: ReadPump::new(Decode::new(decoder, mode)) }
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

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, destination: &mut [u8]) -> io::Result<usize> {
        read(&mut self.pump, &mut self.inner, destination)
    }

    /// Appends the text up to the end, or up to an error, to `destination`.
    ///
    /// # Errors
    /// Those of [`Read::read`]; [`io::ErrorKind::InvalidData`], and nothing is appended, if an earlier read ended inside of
    /// a code point.
    fn read_to_string(&mut self, destination: &mut String) -> io::Result<usize> {
        let length = destination.len();
        loop {
            let bytes = match self.fill_buf() {
                Ok([]) => return Ok(destination.len() - length),
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let text = str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            destination.push_str(text);
            let taken = text.len();
            self.consume(taken);
        }
    }
}

impl<R: Read> BufRead for DecodingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.pump.fill(|room| self.inner.read(room))
    }

    fn consume(&mut self, count: usize) {
        self.pump.consume(count);
    }
}

/// Reads UTF-8 from `R` and is read as bytes of an encoding.
///
/// ```
/// use std::io::Read;
/// use textcodec::{ISO_2022_JP, io::EncodingReader};
///
/// let mut bytes = Vec::new();
/// EncodingReader::new("テ☃".as_bytes(), ISO_2022_JP).read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"\x1B$B%F\x1B(B&#9731;");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EncodingReader<R> {
    inner: R,
    pump: ReadPump<Encode>,
}

impl<R> EncodingReader<R> {
    /// Encodes as [`Encoding::encode`] does: into the [output encoding](Encoding::output_encoding); what it lacks becomes a
    /// decimal character reference. For UTF-16BE and UTF-16LE that is UTF-8; `textcodec::utf16` writes these.
    pub fn new(inner: R, encoding: Encoding) -> Self {
        Self::with_encoder(inner, encoding.new_encoder(), EncoderErrorMode::Html)
    }

    /// Encodes with `encoder`.
    pub fn with_encoder(inner: R, encoder: Encoder, mode: EncoderErrorMode) -> Self {
        EncodingReader { inner, pump: ReadPump::new(Encode::new(encoder, mode)) }
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

impl<R: Read> Read for EncodingReader<R> {
    fn read(&mut self, destination: &mut [u8]) -> io::Result<usize> {
        read(&mut self.pump, &mut self.inner, destination)
    }
}

impl<R: Read> BufRead for EncodingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.pump.fill(|room| self.inner.read(room))
    }

    fn consume(&mut self, count: usize) {
        self.pump.consume(count);
    }
}

fn read<C: Convert>(pump: &mut ReadPump<C>, inner: &mut impl Read, destination: &mut [u8]) -> io::Result<usize> {
    if destination.is_empty() {
        return Ok(0);
    }
    let count = pump.fill(|room| inner.read(room))?.read(destination)?;
    pump.consume(count);
    Ok(count)
}
