//! The settings of a conversion, wherever they come from: options of `convert`, or those of a command that converts in
//! another way.

use std::sync::Arc;

use clap::ValueEnum;

use crate::{
    charset::Charset,
    converter::Errors,
    declarations::Declarations,
    guess::Hints,
    label::SourceEncoding,
    report::Report,
    text::{newlines::Newlines, normalization::Normalization},
};

/// The byte order mark of the output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Default, Debug)]
pub(crate) enum BomAction {
    /// Write a byte order mark
    Add,
    /// Write a byte order mark if the first file has one and the output encoding has one
    Keep,
    /// Write no byte order mark
    #[default]
    Strip,
}

/// How the bytes of one file become the bytes of another. The settings are the same for all files of a run.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The encoding to decode from.
    pub(crate) from: SourceEncoding,
    /// Whether a byte order mark is text, and does not decide the encoding.
    pub(crate) ignore_bom: bool,
    /// The encoding of a file whose encoding is not found.
    pub(crate) fallback: Option<Charset>,
    /// What is known for a guess at the encoding of a file that declares nothing. `None` if nothing is guessed.
    pub(crate) guess: Option<Hints>,
    /// The encoding to encode to. It has an encoder.
    pub(crate) to: Charset,
    /// The byte order mark of the output.
    pub(crate) bom: BomAction,
    /// The treatment of malformed input.
    pub(crate) errors: Errors,
    /// The treatment of characters that cannot be encoded.
    pub(crate) unmappable: Errors,
    /// The text in the place of everything that is replaced in the error mode replacement, if the user has chosen one.
    pub(crate) replacement: Option<String>,
    /// Whether other characters take the place of unmappable characters, where there are any.
    pub(crate) transliterate: bool,
    /// The list of all replacements.
    pub(crate) report: Option<Arc<Report>>,
    pub(crate) newlines: Newlines,
    pub(crate) normalization: Normalization,
    /// The treatment of declarations that contradict the output. For `None` it depends on the output.
    pub(crate) declarations: Option<Declarations>,
    /// Whether files that look binary are converted.
    pub(crate) force: bool,
}
