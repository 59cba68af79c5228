//! [`Write`].

use std::io::{self, Write};

use super::{
    convert::{Decode, Encode},
    pump::WritePump,
};
use crate::{Decoder, DecoderErrorMode, Encoder, EncoderErrorMode, Encoding};

/// Is written bytes of an encoding and writes UTF-8 to `W`.
///
/// Text is kept until there is much of it, until [`flush`](Write::flush) or until [`finish`](Self::finish). Only the latter
/// says that the text ends here, and decodes what may be missing its rest: without it that, and what is kept, is lost.
///
/// In the error mode fatal, a write that ends in a malformed sequence takes it, and the next write, flush or finish
/// fails: the text before the sequence is written to `W`, nothing else is taken, and another call goes on behind it.
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
#[derive(Debug)]
pub struct DecodingWriter<W> {
    inner: W,
    pump: WritePump<Decode>,
}

impl<W> DecodingWriter<W> {
    /// Decodes as [`Encoding::decode`] does: a byte order mark decides the encoding and is not part of the text, without one
    /// it is `fallback`; malformed sequences become U+FFFD.
    #[cfg(feature = "utf16")]
    pub fn new(inner: W, fallback: Encoding) -> Self {
        Self::with_decoder(inner, fallback.new_decoder(), DecoderErrorMode::Replacement)
    }

    /// Decodes with `decoder`, which says what a byte order mark is taken for.
    pub fn with_decoder(inner: W, decoder: Decoder, mode: DecoderErrorMode) -> Self {
        DecodingWriter { inner, pump: WritePump::new(Decode::new(decoder, mode)) }
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
}

impl<W: Write> DecodingWriter<W> {
    /// Ends the text, writes what is left of it to the inner writer, and returns that.
    ///
    /// # Errors
    /// As [`try_finish`](Self::try_finish), which leaves the writer there to try again.
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.inner)
    }

    /// Ends the text and writes what is left of it to the inner writer, which is not flushed. After that, nothing can be
    /// written: a write fails with [`io::ErrorKind::BrokenPipe`].
    ///
    /// # Errors
    /// Those of the inner writer, and [`io::ErrorKind::InvalidData`] for a malformed sequence at the end of what was
    /// written. Another call goes on from there.
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.pump.finish(writing(&mut self.inner))
    }
}

impl<W: Write> Write for DecodingWriter<W> {
    fn write(&mut self, source: &[u8]) -> io::Result<usize> {
        self.pump.write(source, writing(&mut self.inner))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pump.flush(writing(&mut self.inner))?;
        self.inner.flush()
    }
}

/// Is written UTF-8 and writes bytes of an encoding to `W`. A code point may be split between two writes.
///
/// Bytes are kept until there are many, until [`flush`](Write::flush) or until [`finish`](Self::finish). Only the latter
/// says that the text ends here, and writes ISO-2022-JP's return to ASCII: without it that, and what is kept, is lost.
///
/// A write that ends in something that is not UTF-8 or, in the error mode fatal, in a code point that the encoding lacks,
/// takes it, and the next write, flush or finish fails: the bytes before it are written to `W`, nothing else is taken, and
/// another call goes on behind it.
///
/// ```
/// use std::io::Write;
/// use textcodec::{EncoderErrorMode, ISO_2022_JP, Unmappable, io::EncodingWriter};
///
/// let mut writer = EncodingWriter::new(Vec::new(), ISO_2022_JP);
/// write!(writer, "{}☃", "テ")?;
/// writer.write_str("キ")?;
/// assert_eq!(writer.finish()?, b"\x1B$B%F\x1B(B&#9731;\x1B$B%-\x1B(B");
///
/// let mut writer = EncodingWriter::with_encoder(Vec::new(), ISO_2022_JP.new_encoder(), EncoderErrorMode::Fatal);
/// let error = writer.write_str("テ☃キ").unwrap_err();
/// let unmappable: Unmappable = error.downcast()?;
/// assert_eq!((unmappable.offset, unmappable.code_point), (3, '☃'));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EncodingWriter<W> {
    inner: W,
    pump: WritePump<Encode>,
}

impl<W> EncodingWriter<W> {
    /// Encodes as [`Encoding::encode`] does: into the [output encoding](Encoding::output_encoding); what it lacks becomes a
    /// decimal character reference. For UTF-16BE and UTF-16LE that is UTF-8; `utf16::Utf16Writer` writes these.
    pub fn new(inner: W, encoding: Encoding) -> Self {
        Self::with_encoder(inner, encoding.new_encoder(), EncoderErrorMode::Html)
    }

    /// Encodes with `encoder`.
    pub fn with_encoder(inner: W, encoder: Encoder, mode: EncoderErrorMode) -> Self {
        EncodingWriter { inner, pump: WritePump::new(Encode::new(encoder, mode)) }
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
}

impl<W: Write> EncodingWriter<W> {
    /// Encodes all of `text`, as [`Write::write_all`] does.
    ///
    /// # Errors
    /// Those of the inner writer, and [`io::ErrorKind::InvalidData`] for what was written before and, in the error mode
    /// fatal, for a code point that the encoding lacks; how much of `text` was taken is what [`position`](Self::position)
    /// went on by.
    pub fn write_str(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes())
    }

    /// Ends the text, writes what is left of it to the inner writer, and returns that.
    ///
    /// # Errors
    /// As [`try_finish`](Self::try_finish), which leaves the writer there to try again.
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.inner)
    }

    /// Ends the text and writes what is left of it to the inner writer, which is not flushed. After that, nothing can be
    /// written: a write fails with [`io::ErrorKind::BrokenPipe`].
    ///
    /// # Errors
    /// Those of the inner writer, and [`io::ErrorKind::InvalidData`] for what was wrong at the end of what was written.
    /// Another call goes on from there.
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.pump.finish(writing(&mut self.inner))
    }
}

impl<W: Write> Write for EncodingWriter<W> {
    fn write(&mut self, source: &[u8]) -> io::Result<usize> {
        self.pump.write(source, writing(&mut self.inner))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pump.flush(writing(&mut self.inner))?;
        self.inner.flush()
    }
}

/// Writes to `inner`, again when it is interrupted.
pub(super) fn writing(inner: &mut impl Write) -> impl FnMut(&[u8]) -> io::Result<usize> {
    move |bytes| loop {
        match inner.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
