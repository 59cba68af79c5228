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

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(outcomes: &[Outcome]) -> Tally {
        let (converted, by_fallback, same, copied, failed) = (0, 0, 0, 0, 0);
        let (skipped, doubtful) = (BTreeMap::new(), Vec::new());
        let mut tally = Tally { converted, by_fallback, same, skipped, copied, failed, doubtful };
        outcomes.iter().for_each(|outcome| tally.add(outcome));
        tally
    }

    fn source(is_fallback: bool) -> Source {
        let charset = Charset::for_label("sjis").unwrap();
        Source { charset, is_fallback, reason: None, evidence: Evidence::Fallback }
    }

    #[test]
    fn the_last_line_counts_each_outcome_and_says_what_an_output_directory_lacks() {
        let failed = || Outcome::Failed(anyhow::anyhow!("no"));
        let doubtful = || Outcome::Doubtful(source(false), "a: perhaps".to_owned());
        let same = || Outcome::Same(source(true), "UTF-8");
        let converted = |is_fallback| Outcome::Converted(source(is_fallback));
        let copied = || Outcome::Copied(Skipped::Binary);
        let skipped = || Outcome::Skipped(Skipped::Binary);
        for (outcomes, expected, planned, in_directory) in [
            (
                vec![],
                "0 converted, 0 already UTF-8, 0 skipped, 0 failed",
                "nothing is written; 0 to convert, 0 already UTF-8, 0 skipped, 0 failed",
                "0 converted, 0 already UTF-8, 0 skipped, 0 failed",
            ),
            (
                vec![failed()],
                "0 converted, 0 already UTF-8, 0 skipped, 1 failed",
                "nothing is written; 0 to convert, 0 already UTF-8, 0 skipped, 1 failed",
                "0 converted, 0 already UTF-8, 0 skipped, 1 failed and not in out",
            ),
            (
                vec![failed(), doubtful(), same(), converted(false)],
                "1 converted, 1 already UTF-8, 0 skipped, 2 failed",
                "nothing is written; 1 to convert, 1 already UTF-8, 0 skipped, 2 failed",
                "1 converted, 1 already UTF-8, 0 skipped, 2 failed and not in out",
            ),
            (
                vec![converted(true), converted(false), converted(true), same(), same(), copied(), copied()],
                "3 converted (2 by fallback), 2 already UTF-8, 2 copied unchanged (binary), 0 skipped, 0 failed",
                "nothing is written; 3 to convert (2 by fallback), 2 already UTF-8, \
                 2 to copy unchanged (binary), 0 skipped, 0 failed",
                "3 converted (2 by fallback), 2 already UTF-8, 2 copied unchanged (binary), 0 skipped, 0 failed",
            ),
            (
                vec![converted(true), copied(), skipped(), skipped()],
                "1 converted (1 by fallback), 0 already UTF-8, 1 copied unchanged (binary), 2 skipped (2 binary), 0 failed",
                "nothing is written; 1 to convert (1 by fallback), 0 already UTF-8, \
                 1 to copy unchanged (binary), 2 skipped (2 binary), 0 failed",
                "1 converted (1 by fallback), 0 already UTF-8, 1 copied unchanged (binary), 2 skipped (2 binary), 0 failed",
            ),
        ] {
            let tally = tally(&outcomes);
            assert_eq!(tally.describe(false, "UTF-8", None), expected);
            assert_eq!(tally.describe(true, "UTF-8", None), planned);
            assert_eq!(tally.describe(false, "UTF-8", Some("out")), in_directory);
        }
    }

    #[test]
    fn the_list_of_doubtful_files_is_in_order_and_says_what_to_do() {
        assert_eq!(tally(&[Outcome::Same(source(false), "UTF-8")]).list_doubtful(0.9), None);
        let advice = "\n  Name the encoding with --from, or take less probable guesses with --min-probability. \
                      `textcodec sniff --candidates` shows the encodings that a file can be in.";
        let doubtful = |line: &str| Outcome::Doubtful(source(false), line.to_owned());
        let one = "1 file is not converted, because no guess has a probability of at least 0.5:\n  b";
        let failed = || Outcome::Failed(anyhow::anyhow!("no"));
        assert_eq!(tally(&[failed(), doubtful("b"), failed()]).list_doubtful(0.5), Some(format!("{one}{advice}")));
        let two = "2 files are not converted, because no guess has a probability of at least 0.9:\n  a\n  b";
        assert_eq!(tally(&[doubtful("b"), doubtful("a")]).list_doubtful(0.9), Some(format!("{two}{advice}")));
    }
}
