//! What went wrong, and where.

use core::{error::Error, fmt};

use crate::{Name, handler::Bytes};

/// Why a label gives no encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LabelError {
    /// The Standard has no such label.
    Unknown,
    /// The label is one of this encoding, which the program was built without.
    NotLinked(Name),
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelError::Unknown => f.write_str("unknown encoding label"),
            LabelError::NotLinked(name) => write!(f, "the encoding {name} is not part of this program"),
        }
    }
}

impl Error for LabelError {}

/// A sequence of bytes that the encoding gives no meaning: an [error](https://encoding.spec.whatwg.org/#error) of a decoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Where the sequence starts, in bytes from the start of the stream, a byte order mark counted.
    pub offset: u64,
    bytes: Bytes,
}

impl Malformed {
    /// The error for `bytes`, the first of which is at `offset`.
    #[must_use]
    pub const fn new(offset: u64, bytes: Bytes) -> Self {
        Malformed { offset, bytes }
    }

    /// The same error in a stream with `length` bytes more at the front.
    #[must_use]
    pub const fn after(self, length: usize) -> Self {
        Malformed { offset: self.offset + length as u64, bytes: self.bytes }
    }

    /// The bytes of the sequence, one to four: those that the decoder took for this error and will not read again.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed bytes")?;
        for byte in self.bytes() {
            write!(f, " {byte:02X}")?;
        }
        write!(f, " at offset {}", self.offset)
    }
}

impl Error for Malformed {}

/// A scalar value that the encoding has no bytes for: an [error](https://encoding.spec.whatwg.org/#error) of an encoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unmappable {
    /// Where it starts, in units of the source (bytes of UTF-8 or code units of UTF-16) from the start of the stream.
    pub offset: u64,
    /// The code point that the Standard gives with the error: the scalar value itself, but U+FFFD when ISO-2022-JP
    /// is asked for U+000E, U+000F or U+001B.
    pub code_point: char,
}

impl Unmappable {
    /// The error for `code_point` at `offset`.
    #[must_use]
    pub const fn new(offset: u64, code_point: char) -> Self {
        Unmappable { offset, code_point }
    }
}

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X} cannot be encoded, at offset {}", u32::from(self.code_point), self.offset)
    }
}

impl Error for Unmappable {}

/// The encoding with this name has no encoder: UTF-16BE, UTF-16LE or replacement. Text that is to be read back with one of
/// them is encoded into its [output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding), UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoEncoder(pub Name);

impl fmt::Display for NoEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the encoding {} has no encoder; its output encoding is {}", self.0, self.0.output())
    }
}

impl Error for NoEncoder {}
