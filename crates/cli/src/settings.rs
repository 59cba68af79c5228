//! The settings of a conversion, wherever they come from: options of `convert`, or those of a command that converts in
//! another way.

use std::sync::Arc;

use textcodec_convert::{Charset, Options, SourceEncoding, guess::Hints};

use crate::{job::Declarations, report::Report};

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
    /// How text becomes bytes.
    pub(crate) options: Options,
    /// The list of all replacements.
    pub(crate) report: Option<Arc<Report>>,
    /// The treatment of declarations that contradict the output. For `None` it depends on the output.
    pub(crate) declarations: Option<Declarations>,
    /// Whether files that look binary are converted.
    pub(crate) force: bool,
}
