//! [`Write`] to UTF-16, which has no encoder in the Standard.

use std::io::{self, Write};

use textcodec_utf16::{encode_be_into, encode_le_into};

use super::{
    convert::{Encode, EncodeText},
    pump::WritePump,
    write::writing,
};
use crate::{EncodeResult, EncodeStatus, EncoderErrorMode};

/// Is written UTF-8 and writes UTF-16 to `W`, with or without a byte order mark at its start. A code point may be split between
/// two writes; every code point has its place in UTF-16.
///
/// Bytes are kept until there are many, until [`flush`](Write::flush) or until [`finish`](Self::finish). Only the latter
/// says that the text ends here: without it what is kept is lost, and the mark of a text that is empty.
///
/// A write that ends in something that is not UTF-8 takes it, and the next write, flush or finish fails: the bytes before it are
/// written to `W`, nothing else is taken, and another call goes on behind it.
///
/// ```
/// use std::io::Write;
/// use textcodec::utf16::Utf16Writer;
///
/// let mut writer = Utf16Writer::le_with_bom(Vec::new());
/// write!(writer, "{}é", 1)?;
/// writer.write_str("💩")?;
/// assert_eq!(writer.finish()?, b"\xFF\xFE1\0\xE9\0\x3D\xD8\xA9\xDC");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Utf16Writer<W> {
    inner: W,
    pump: WritePump<Encode<Utf16>>,
}

impl<W> Utf16Writer<W> {
    /// Writes UTF-16BE without a byte order mark.
    pub fn be(inner: W) -> Self {
        Self::new(inner, true, false)
    }

    /// Writes UTF-16BE, with the byte order mark FE FF before it.
    pub fn be_with_bom(inner: W) -> Self {
        Self::new(inner, true, true)
    }

    /// Writes UTF-16LE without a byte order mark.
    pub fn le(inner: W) -> Self {
        Self::new(inner, false, false)
    }

    /// Writes UTF-16LE, with the byte order mark FF FE before it.
    pub fn le_with_bom(inner: W) -> Self {
        Self::new(inner, false, true)
    }

    fn new(inner: W, is_big_endian: bool, owes_bom: bool) -> Self {
        Utf16Writer {
            inner,
            pump: WritePump::new(Encode::with(Utf16 { is_big_endian, owes_bom }, EncoderErrorMode::Fatal)),
        }
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

impl<W: Write> Utf16Writer<W> {
    /// Writes all of `text`, as [`Write::write_all`] does.
    ///
    /// # Errors
    /// Those of the inner writer, and [`io::ErrorKind::InvalidData`] for what was written before.
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
    /// Those of the inner writer, and [`io::ErrorKind::InvalidData`] for a code point that lacks its rest at the end of what was
    /// written. Another call goes on from there.
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.pump.finish(writing(&mut self.inner))
    }
}

impl<W: Write> Write for Utf16Writer<W> {
    fn write(&mut self, source: &[u8]) -> io::Result<usize> {
        self.pump.write(source, writing(&mut self.inner))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pump.flush(writing(&mut self.inner))?;
        self.inner.flush()
    }
}

/// Text to UTF-16.
#[derive(Clone, Debug)]
struct Utf16 {
    is_big_endian: bool,
    /// Whether a byte order mark is still to be written.
    owes_bom: bool,
}

impl EncodeText for Utf16 {
    fn encode_from_utf8(&mut self, text: &str, room: &mut [u8], last: bool, _: EncoderErrorMode) -> EncodeResult {
        let encode_into = if self.is_big_endian { encode_be_into } else { encode_le_into };
        let mut bom = 0;
        if self.owes_bom && (last || !text.is_empty()) {
            bom = encode_into("\u{FEFF}", room).1;
            self.owes_bom = bom == 0;
        }
        let (read, written) = if self.owes_bom { (0, 0) } else { encode_into(text, &mut room[bom..]) };
        let is_done = read == text.len() && !(last && self.owes_bom);
        let status = if is_done { EncodeStatus::InputEmpty } else { EncodeStatus::OutputFull };
        EncodeResult::new(status, read, bom + written, false)
    }
}
