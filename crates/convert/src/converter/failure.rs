//! The reasons why a conversion stops.

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt};

use crate::{
    charset::Charset, damage::Damaged, guess::Objection, position::Position, source::Refusal, visible::Character,
};

/// The reason why a conversion has stopped: the text, or the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure<E> {
    /// The text cannot be converted.
    Text(TextError),
    /// The output cannot be written.
    Output(E),
}

impl<E> From<TextError> for Failure<E> {
    fn from(error: TextError) -> Self {
        Failure::Text(error)
    }
}

/// The reason why a text cannot be converted. The text before it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextError {
    /// The input is malformed in its charset. Other error modes than fatal go on; or the input is in another charset.
    #[non_exhaustive]
    Malformed {
        /// The charset of the input.
        charset: Charset,
        /// Whether a byte order mark has decided the charset.
        by_mark: bool,
        /// The offset of the malformed sequence in the input, in bytes.
        offset: u64,
        /// The malformed sequence.
        bytes: Vec<u8>,
        /// The place in the text.
        position: Position,
    },
    /// The output's charset has no such character. Another error mode than fatal goes on; UTF-8 has every character.
    #[non_exhaustive]
    Unmappable {
        /// The charset of the output.
        charset: Charset,
        /// The character.
        character: char,
        /// The code point that the error mode HTML writes as a reference: U+FFFD for some characters in ISO-2022-JP.
        code_point: char,
        /// The place in the text.
        position: Position,
    },
    /// The output's charset has no such character, and not all characters of the text that the error mode writes in its
    /// place: `BS_4730` has no number sign for a character reference.
    #[non_exhaustive]
    Irreplaceable {
        /// The charset of the output.
        charset: Charset,
        /// The character.
        character: char,
        /// The text in the place of the character.
        replacement: String,
        /// The place in the text.
        position: Position,
    },
    /// The input is damaged, and its charset would be a guess or a fallback. Name the charset of the input.
    Damaged(Damaged),
    /// The input does not fit the fallback. Name its charset, or trust the fallback.
    Fallback(Objection),
    /// The input does not look like text. [`Plan::refuse_binary`](super::Plan::refuse_binary) makes this an error.
    #[non_exhaustive]
    Binary {
        /// The place of the first control character.
        position: Position,
    },
    /// The input has the first bytes of a format that is no text, and no control characters.
    NotText,
    /// The last record of the input is shorter than [`Options::record_length`](crate::Options::record_length).
    #[non_exhaustive]
    CutOffRecord {
        /// The number of bytes of a record.
        length: usize,
        /// The number of bytes of the last record.
        bytes: usize,
    },
    /// A line is longer than a record of the output.
    #[non_exhaustive]
    LongLine {
        /// The number of bytes of a record.
        length: usize,
        /// The number of the line, from 1.
        line: u64,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Malformed { charset, .. } if *charset == textcodec::REPLACEMENT.into() => {
                f.write_str("the Encoding Standard knows the label of this encoding, but decodes nothing in it")
            }
            TextError::Malformed { charset, offset, bytes, position, .. } => {
                write!(f, "not {charset} at byte offset {offset} ({position}):")?;
                bytes.iter().try_for_each(|byte| write!(f, " {byte:02X}"))
            }
            TextError::Unmappable { charset, character, position, .. } => {
                let character = Character(*character);
                write!(f, "{charset} cannot encode {character}, at {position}, byte offset {}", position.offset())?;
                f.write_str(" of the text in UTF-8")
            }
            TextError::Irreplaceable { charset, character, replacement, position } => {
                let character = Character(*character);
                write!(f, "{charset} can encode neither {character} nor its replacement {replacement}, at {position}")
            }
            TextError::Damaged(damaged) => damaged.fmt(f),
            TextError::Fallback(objection) => objection.fmt(f),
            TextError::Binary { position } => {
                write!(f, "the file looks binary: it has control characters, the first at {position}")
            }
            TextError::NotText => {
                f.write_str("the file looks binary: its first bytes are those of a format that is not text")
            }
            TextError::CutOffRecord { length, bytes } => {
                let s = if *bytes == 1 { "" } else { "s" };
                write!(f, "the last record has {bytes} byte{s}, but a record has {length}")
            }
            TextError::LongLine { length, line } => {
                write!(f, "line {line} is longer than a record of {length} bytes")
            }
        }
    }
}

impl Error for TextError {}

impl From<Refusal> for TextError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Damaged(damaged) => TextError::Damaged(damaged),
            Refusal::Fallback(objection) => TextError::Fallback(objection),
        }
    }
}
