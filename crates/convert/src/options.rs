//! What a caller can choose about a conversion.

use alloc::string::String;
use core::num::NonZeroUsize;

use crate::{
    charset::Charset,
    text::{Newlines, Normalization},
};

/// The treatment of malformed input and of characters that the output's charset does not have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Errors {
    /// The conversion stops with an error.
    #[default]
    Fatal,
    /// U+FFFD is written for malformed input, and a question mark for each unmappable character; or the text of
    /// [`Options::replacement`] for both.
    Replacement,
    /// U+FFFD is written for malformed input, and a character reference such as `&#9731;` for an unmappable character.
    Html,
    /// Malformed input and unmappable characters are left out.
    Ignore,
    /// `\xE9` is written for a malformed byte, and `\u{2603}` for an unmappable character.
    Escape,
}

/// The byte order mark of the output.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BomAction {
    /// A byte order mark is written.
    Add,
    /// A byte order mark is written if the first input has one and the output's charset has one.
    Keep,
    /// No byte order mark is written.
    #[default]
    Strip,
}

/// How the text of a stream becomes the bytes of the output. The options are the same for all streams of one output.
///
/// Start from [`Options::to`] and set the fields.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The charset of the output. It has an encoder.
    pub to: Charset,
    /// The byte order mark of the output.
    pub bom: BomAction,
    /// The treatment of malformed input.
    pub malformed: Errors,
    /// The treatment of characters that cannot be encoded.
    pub unmappable: Errors,
    /// The text in the place of everything that is replaced in the error mode replacement, in place of U+FFFD and "?".
    /// The output's charset has all its characters.
    pub replacement: Option<String>,
    /// Whether other characters take the place of unmappable characters, where there are any. Letters and marks are
    /// written in the form that the charset has.
    pub transliterate: bool,
    /// Whether [twins](crate::text::twin) take the place of unmappable characters. They are not counted. Beside
    /// `transliterate`, this changes nothing but the count.
    pub twins: bool,
    /// The ends of lines.
    pub newlines: Newlines,
    /// The form of characters that can be written in several ways.
    pub normalization: Normalization,
    /// The number of bytes of a record, for files of mainframes that have no line ends: each record of an input in
    /// EBCDIC becomes a line, and each line, whatever ends it, becomes a record of an output in EBCDIC, which spaces
    /// fill up. From EBCDIC to EBCDIC, a record stays one.
    pub record_length: Option<NonZeroUsize>,
}

impl Options {
    /// Text in this charset without any change.
    #[must_use]
    pub const fn to(to: Charset) -> Self {
        Options {
            to,
            bom: BomAction::Strip,
            malformed: Errors::Fatal,
            unmappable: Errors::Fatal,
            replacement: None,
            transliterate: false,
            twins: false,
            newlines: Newlines::Keep,
            normalization: Normalization::Keep,
            record_length: None,
        }
    }
}
