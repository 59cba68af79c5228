//! Errors, with their positions.

use core::{error::Error, fmt};

use crate::{Name, handler::Bytes};

/// The reason why there is no encoding for a label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LabelError {
    /// The Standard does not have the label.
    Unknown,
    /// The label belongs to this encoding, which is not part of the program.
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

/// A malformed sequence of bytes: an [error](https://encoding.spec.whatwg.org/#error) of a decoder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Malformed {
    /// The offset of the first byte of the sequence, from the start of the stream. A byte order mark counts.
    pub offset: u64,
    bytes: Bytes,
}

impl Malformed {
    /// The error for `bytes`, of which the first is at `offset`.
    #[must_use]
    pub const fn new(offset: u64, bytes: Bytes) -> Self {
        Malformed { offset, bytes }
    }

    /// The same error in a stream with `length` more bytes at its start.
    #[must_use]
    pub const fn after(self, length: usize) -> Self {
        Malformed { offset: self.offset + length as u64, bytes: self.bytes }
    }

    /// The bytes of the sequence: in the encodings of the Standard one to four, in others at most seven. The decoder
    /// does not read them again.
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

/// An unmappable character, which the encoding cannot represent: an [error](https://encoding.spec.whatwg.org/#error) of
/// an encoder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Unmappable {
    /// The offset of the character from the start of the stream, in units of the sources (bytes of UTF-8 or code units
    /// of UTF-16).
    pub offset: u64,
    /// The code point that the Standard returns with the error: the character itself, or U+FFFD if ISO-2022-JP's
    /// encoder gets U+000E, U+000F or U+001B.
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

/// No stream in the encoding has the state that should be resumed. The state comes from a decoder or an encoder for
/// another encoding, from another version of this library, or from nowhere.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct StateError;

impl StateError {
    /// The error, for a crate whose states contain the states of this one.
    #[must_use]
    pub const fn new() -> Self {
        StateError
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no stream in this encoding can have this state")
    }
}

impl Error for StateError {}

/// The encoding with this name has no encoder: it is UTF-16BE, UTF-16LE or replacement. The Standard encodes text for
/// them into their [output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding), UTF-8.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoEncoder(pub Name);

#[cfg(feature = "encode")]
impl fmt::Display for NoEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the encoding {} has no encoder; its output encoding is {}", self.0, self.0.output())
    }
}

#[cfg(feature = "encode")]
impl Error for NoEncoder {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_has_its_name_numbers_and_digits() {
        let malformed = Malformed::new(10, Bytes::from(&[0x0F, 0x00, 0xFF][..]));
        assert_eq!(malformed.to_string(), "malformed bytes 0F 00 FF at offset 10");
        assert_eq!(malformed.after(5).to_string(), "malformed bytes 0F 00 FF at offset 15");
        assert_eq!(Unmappable::new(0, 'é').to_string(), "U+00E9 cannot be encoded, at offset 0");
        assert_eq!(Unmappable::new(12, '\u{10FFFF}').to_string(), "U+10FFFF cannot be encoded, at offset 12");
        assert_eq!(LabelError::Unknown.to_string(), "unknown encoding label");
        let not_linked = LabelError::NotLinked(Name::Big5);
        assert_eq!(not_linked.to_string(), "the encoding Big5 is not part of this program");
        assert_eq!(StateError::new().to_string(), "no stream in this encoding can have this state");
        #[cfg(feature = "encode")]
        assert_eq!(
            NoEncoder(Name::Utf16Le).to_string(),
            "the encoding UTF-16LE has no encoder; its output encoding is UTF-8"
        );
    }
}
