//! The settings of a conversion, wherever they come from: options of `convert`, or those of a command that converts in
//! another way.

use std::sync::Arc;

use textcodec_convert::files;

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
}
