//! What has become of the files of a run.

use std::collections::BTreeMap;

use textcodec_convert::{
    Charset,
    files::{Files, Skipped},
    guess::Reason,
};

use crate::explanation;

/// The encoding of an old file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Source {
    pub(crate) charset: Charset,
    /// Whether it is the encoding of --fallback, because nothing in the file tells its encoding.
    pub(crate) is_fallback: bool,
    /// How it was guessed, if it was.
    pub(crate) reason: Option<Reason>,
    /// What tells the encoding.
    pub(crate) evidence: Evidence,
}

/// What tells the encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evidence {
    /// The user, with --from.
    Option,
    /// The user, with --fallback.
    Fallback,
    Guess,
    ByteOrderMark,
    Declaration,
    /// The default of XML and CSS.
    Default,
    /// The definition of .properties files.
    Definition,
    Structure,
}

impl Evidence {
    /// The name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Evidence::Option => "option",
            Evidence::Fallback => "fallback",
            Evidence::Guess => "guess",
            Evidence::ByteOrderMark => "bom",
            Evidence::Declaration => "declaration",
            Evidence::Default => "default",
            Evidence::Definition => "definition",
            Evidence::Structure => "structure",
        }
    }
}

/// What has become of one file.
pub(crate) enum Outcome {
    Converted(Source),
    /// The bytes in the target encoding, which has this name, are those that were there already.
    Same(Source, &'static str),
    Skipped(Skipped),
    /// The output directory gets the bytes of the file as they are.
    Copied(Skipped),
    /// The guess at the encoding is not probable enough. The line names the file and the guess.
    Doubtful(Source, String),
    Failed(anyhow::Error),
}

impl Outcome {
    pub(crate) fn describe(&self, dry: bool) -> String {
        match self {
            Outcome::Converted(Source { charset, is_fallback, .. }) => {
                let verb = if dry { "would be converted" } else { "converted" };
                let fallback = if *is_fallback { ", the fallback" } else { "" };
                format!("{verb} from {charset}{fallback}")
            }
            Outcome::Same(_, to) => format!("already {to}"),
            Outcome::Skipped(reason) => format!("skipped: {}", reason.describe(1)),
            Outcome::Copied(reason) => {
                let verb = if dry { "would be copied" } else { "copied" };
                format!("{verb} unchanged: {}", reason.describe(1))
            }
            Outcome::Doubtful(..) => "not converted: the encoding cannot be guessed with certainty".to_owned(),
            Outcome::Failed(_) => "failed".to_owned(),
        }
    }

    /// The word in JSON.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Outcome::Converted(_) => "converted",
            Outcome::Same(..) => "same",
            Outcome::Skipped(_) => "skipped",
            Outcome::Copied(_) => "copied",
            Outcome::Doubtful(..) => "uncertain",
            Outcome::Failed(_) => "failed",
        }
    }

    /// The encoding of the file, if it is known.
    pub(crate) const fn source(&self) -> Option<Source> {
        match self {
            Outcome::Converted(from) | Outcome::Same(from, _) | Outcome::Doubtful(from, _) => Some(*from),
            Outcome::Skipped(_) | Outcome::Copied(_) | Outcome::Failed(_) => None,
        }
    }
}

/// The number of files by what has become of them.
pub(crate) struct Tally {
    converted: usize,
    /// The number of converted files whose encoding is that of --fallback.
    by_fallback: usize,
    pub(crate) same: usize,
    pub(crate) skipped: BTreeMap<Skipped, usize>,
    pub(crate) copied: usize,
    pub(crate) failed: usize,
    /// A line for each file whose guess is not probable enough. These files count as failed, too.
    doubtful: Vec<String>,
}

impl Tally {
    /// The files that are no files of the run.
    pub(crate) fn new(files: &Files) -> Self {
        let mut tally = Tally {
            converted: 0,
            by_fallback: 0,
            same: 0,
            skipped: BTreeMap::new(),
            copied: 0,
            failed: 0,
            doubtful: Vec::new(),
        };
        files.skipped.iter().for_each(|(_, reason)| *tally.skipped.entry(*reason).or_default() += 1);
        tally
    }

    pub(crate) fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Converted(from) => {
                self.converted += 1;
                self.by_fallback += usize::from(from.is_fallback);
            }
            Outcome::Same(..) => self.same += 1,
            Outcome::Copied(_) => self.copied += 1,
            Outcome::Skipped(reason) => *self.skipped.entry(*reason).or_default() += 1,
            Outcome::Doubtful(_, line) => {
                self.failed += 1;
                self.doubtful.push(line.clone());
            }
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    /// The list of the files whose guesses have a probability below `least`. `None` if there is none.
    pub(crate) fn list_doubtful(&mut self, least: f32) -> Option<String> {
        // The jobs end in any order.
        self.doubtful.sort();
        let (number, lines) = (self.doubtful.len(), self.doubtful.join("\n  "));
        let files = if number == 1 { "1 file is".to_owned() } else { format!("{number} files are") };
        (number > 0).then(|| {
            format!(
                "{files} not converted, because no guess has a probability of at least {least}:\n  {lines}\n  \
                 Name the encoding with --from, or take less probable guesses with --min-probability. `textcodec \
                 sniff --candidates` shows the encodings that a file can be in."
            )
        })
    }

    /// The last line of a run. `output` is the name of the output directory, if there is one.
    pub(crate) fn describe(&self, dry: bool, to: &str, output: Option<&str>) -> String {
        // Only an output directory gets copies.
        let copied = match self.copied {
            0 => String::new(),
            number => format!(", {number} {} unchanged (binary)", if dry { "to copy" } else { "copied" }),
        };
        let missing = output.filter(|_| self.failed > 0).map(|output| format!(" and not in {output}"));
        let skipped: usize = self.skipped.values().sum();
        let reasons = explanation::skipped(&self.skipped, 0);
        let by_fallback =
            if self.by_fallback > 0 { format!(" ({} by fallback)", self.by_fallback) } else { String::new() };
        format!(
            "{}{by_fallback}, {} already {to}{copied}, {skipped} skipped{reasons}, {} failed{}",
            match dry {
                true => format!("nothing is written; {} to convert", self.converted),
                false => format!("{} converted", self.converted),
            },
            self.same,
            self.failed,
            missing.unwrap_or_default()
        )
    }
}
