//! A writer of UTF-16, for which the Standard has no encoder.

use textcodec_utf16::{encode_be_into, encode_le_into};

use super::{
    convert::{Encode, EncodeText},
    write::Writer,
};
use crate::{EncodeErrorMode, EncodeResult, EncodeStatus};

/// Takes UTF-8 and writes UTF-16 to `W`, with or without a byte order mark at its start. A code point may be split
/// between two writes. UTF-16 can represent every code point.
///
/// The writer keeps bytes until its buffer is full, until [`flush`](std::io::Write::flush), or until
/// [`finish`](Self::finish). Only `finish` says that the text ends. Without it, the bytes that are kept are lost, and
/// so is the byte order mark of an empty text.
///
/// A write that ends in bytes that are not UTF-8 takes them, and the next write, flush or finish fails: it writes the
/// bytes before the error to `W` and takes nothing else. A further call goes on after the error.
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
pub type Utf16Writer<W> = Writer<W, Encode<Utf16>>;

impl<W> Writer<W, Encode<Utf16>> {
    /// Writes UTF-16BE without a byte order mark.
    pub fn be(inner: W) -> Self {
        Self::with_order(inner, true, false)
    }

    /// Writes UTF-16BE, with the byte order mark FE FF before it.
    pub fn be_with_bom(inner: W) -> Self {
        Self::with_order(inner, true, true)
    }

    /// Writes UTF-16LE without a byte order mark.
    pub fn le(inner: W) -> Self {
        Self::with_order(inner, false, false)
    }

    /// Writes UTF-16LE, with the byte order mark FF FE before it.
    pub fn le_with_bom(inner: W) -> Self {
        Self::with_order(inner, false, true)
    }

    fn with_order(inner: W, is_big_endian: bool, owes_bom: bool) -> Self {
        Self::in_direction(inner, Encode::with(Utf16 { is_big_endian, owes_bom }, EncodeErrorMode::Fatal))
    }
}

/// Encodes text into UTF-16.
#[derive(Clone, Copy, Debug)]
pub struct Utf16 {
    is_big_endian: bool,
    /// Whether a byte order mark is still to be written.
    owes_bom: bool,
}

impl EncodeText for Utf16 {
    type State = Self;

    fn encode_str(&mut self, text: &str, space: &mut [u8], last: bool, _: EncodeErrorMode, _: u64) -> EncodeResult {
        let encode_into = if self.is_big_endian { encode_be_into } else { encode_le_into };
        let mut bom = 0;
        if self.owes_bom && (last || !text.is_empty()) {
            bom = encode_into("\u{FEFF}", space).1;
            self.owes_bom = bom == 0;
        }
        let (read, written) = if self.owes_bom { (0, 0) } else { encode_into(text, &mut space[bom..]) };
        let is_done = read == text.len() && !(last && self.owes_bom);
        let status = if is_done { EncodeStatus::InputEmpty } else { EncodeStatus::OutputFull };
        EncodeResult::new(status, read, bom + written, false)
    }

    fn state(&self) -> Self {
        *self
    }

    fn set_state(&mut self, state: Self) {
        *self = state;
    }
}
