//! What has become of the files of a run.

use std::collections::BTreeMap;

use crate::selection::{Files, Skipped};

/// What has become of one file.
pub(crate) enum Outcome {
    /// The name is that of the encoding of the old file.
    Converted(&'static str),
    /// The bytes in the target encoding are those that were there already.
    Same(&'static str),
    Skipped(Skipped),
    Failed(anyhow::Error),
}

impl Outcome {
    pub(crate) fn describe(&self, dry: bool) -> String {
        match self {
            Outcome::Converted(from) if dry => format!("would be converted from {from}"),
            Outcome::Converted(from) => format!("converted from {from}"),
            Outcome::Same(to) => format!("already {to}"),
            Outcome::Skipped(reason) => format!("skipped: {}", reason.describe(1)),
            Outcome::Failed(_) => "failed".to_owned(),
        }
    }
}

/// The number of files by what has become of them.
pub(crate) struct Tally {
    converted: usize,
    same: usize,
    pub(crate) skipped: BTreeMap<Skipped, usize>,
    pub(crate) failed: usize,
}

impl Tally {
    /// The files that are no files of the run.
    pub(crate) fn new(files: &Files) -> Self {
        let mut tally = Tally { converted: 0, same: 0, skipped: BTreeMap::new(), failed: 0 };
        files.skipped.iter().for_each(|(_, reason)| *tally.skipped.entry(*reason).or_default() += 1);
        tally
    }

    pub(crate) fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Converted(_) => self.converted += 1,
            Outcome::Same(_) => self.same += 1,
            Outcome::Skipped(reason) => *self.skipped.entry(*reason).or_default() += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    pub(crate) fn describe(&self, dry: bool, to: &str) -> String {
        let skipped: usize = self.skipped.values().sum();
        let reasons: Vec<_> =
            self.skipped.iter().map(|(reason, &number)| format!("{number} {}", reason.describe(number))).collect();
        let reasons = if skipped > 0 { format!(" ({})", reasons.join(", ")) } else { String::new() };
        format!(
            "{}{} converted, {} already {to}, {skipped} skipped{reasons}, {} failed",
            if dry { "nothing is written; " } else { "" },
            self.converted,
            self.same,
            self.failed
        )
    }
}
