//! The settings of a conversion, wherever they come from: options of `convert`, or those of a command that converts in
//! another way.

use std::sync::Arc;

use textcodec_convert::{Choice, files, guess::Reason};

use crate::report::Report;

/// How the bytes of one file become the bytes of another. The settings are the same for all files of a run.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What the library needs.
    pub(crate) job: files::Settings,
    /// The list of all replacements.
    pub(crate) report: Option<Arc<Report>>,
    /// The treatment of declarations that contradict the output. For `None` it depends on the output.
    pub(crate) declarations: Option<files::Declarations>,
    /// Whether files that look binary are converted.
    pub(crate) force: bool,
    /// The least probability of a guess with which a file is converted in place or into a directory.
    pub(crate) min_probability: f32,
}

impl Settings {
    /// Whether the encoding of an input is a guess whose probability is too low, or unknown.
    pub(crate) fn is_doubtful(&self, done: &files::Done) -> bool {
        let probability = done.reason.and_then(Reason::probability).unwrap_or(0.0);
        done.choice == Some(Choice::Guess) && probability < self.min_probability
    }
}
