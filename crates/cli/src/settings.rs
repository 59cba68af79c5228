//! The settings of a conversion, wherever they come from: options of `convert`, or those of a command that converts in another way.

use textcodec::Encoding;

use crate::{converter::Errors, declarations::Declarations, label::SourceEncoding};

/// How the bytes of one file become the bytes of another. The settings are the same for all files of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// The encoding to decode from.
    pub(crate) from: SourceEncoding,
    /// Whether a byte order mark is text, and does not decide the encoding.
    pub(crate) ignore_bom: bool,
    /// The encoding of a file whose encoding is not found.
    pub(crate) fallback: Option<Encoding>,
    /// The encoding to encode to. It has an encoder or is UTF-16.
    pub(crate) to: Encoding,
    /// Whether the output starts with a byte order mark.
    pub(crate) bom: bool,
    pub(crate) errors: Errors,
    /// The treatment of declarations that contradict the output. For `None` it depends on the output.
    pub(crate) declarations: Option<Declarations>,
    /// Whether files that look binary are converted.
    pub(crate) force: bool,
}
