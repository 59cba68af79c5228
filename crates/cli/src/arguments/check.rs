//! The command line of `textcodec check`.

use std::{num::NonZero, path::PathBuf};

use clap::Args;
use textcodec_convert::{Rule, SourceEncoding};

use super::selection::{Selection, positive};
use crate::{
    label::{self, TargetEncoding},
    message::excerpt,
};

/// Check that files are well-formed in an encoding, and list every problem
///
/// Prints a line for each problem, in the form that editors and CI read: the file, the line, the column, "error",
/// "warning" or "note", the offset in bytes from the start of the file, a sentence, and the name of the rule. Lines and
/// columns count from 1, columns in characters. No file is changed, unless --fix is given.
///
/// Errors are malformed bytes, characters that the encoding of --to does not have, a byte order mark of another
/// encoding than --encoding, files whose encoding --encoding auto cannot find, and damaged files: UTF-8 with a few
/// malformed sequences, and files of which a part is UTF-16. Warnings are lines that end in
/// different ways, control characters, U+FFFD, a byte order mark inside the text, what follows the end of a text, and
/// text that looks as if it was decoded in a wrong encoding once. A byte order mark at the start is a note. Warnings
/// and notes do not change the exit status, unless --deny makes them errors.
///
/// Files in directories that look binary are skipped. If the command line names a file that looks binary, the check
/// ends at its first malformed bytes. See --force. A pipe can stand in the place of a file.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Check {
    /// The encoding that the files should be in, or "auto" to find the encoding of each file as convert does
    ///
    /// [default: utf-8, or what the configuration file says]
    #[arg(short = 'f', long, visible_alias = "from", value_name = "LABEL", value_parser = label::source_or_auto)]
    pub(crate) encoding: Option<SourceEncoding>,

    /// Also check that this encoding has every character
    #[arg(short, long, value_name = "LABEL", value_parser = label::target)]
    pub(crate) to: Option<TargetEncoding>,

    /// Make violations of these rules errors, separated by commas; "all" for all rules
    ///
    /// The rules are named at the end of each line. "mojibake" includes "double-encoding", and
    /// "control" includes "nul". Beside the errors of every check, there are:
    ///
    /// bom: a byte order mark at the start. inner-bom: one inside the text.
    /// double-encoding, mojibake: lines of UTF-8 that were read as windows-1252, or as cp437,
    ///   cp850, GBK, windows-1251 or macintosh.
    /// replacement-character: U+FFFD. control, nul: control characters that texts do not have.
    /// mixed-newlines: lines that end in different ways.
    /// trailing-bytes: U+001A at the end, the end of a file in DOS.
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rules, verbatim_doc_comment)]
    deny: Vec<Rules>,

    /// Do not report violations of these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rules)]
    allow: Vec<Rules>,

    /// Correct violations of denied rules in files in UTF-8, where a correction is certain
    ///
    /// Byte order marks and what follows the end of a text are removed; lines with a clear sign are repaired as by
    /// textcodec repair; control characters become the characters of windows-1252; and lines get the ending that most
    /// lines have. A line on standard error names what was fixed. The file is checked afterwards.
    #[arg(long)]
    pub(crate) fix: bool,

    /// Print the lines that --fix would change, and change and check nothing
    ///
    /// The exit status is 1 if a file would change. Characters that are not visible are printed as escapes.
    #[arg(long, requires = "fix", conflicts_with_all = ["quiet", "json", "sarif", "limit"])]
    pub(crate) diff: bool,

    /// Read the rules for each kind of file from this file [default: .textcodec-check, if it is there]
    ///
    /// A pattern in brackets starts a section: "[*.txt]" matches names in every directory, "[old/**]" paths below the
    /// directory of this file. The lines of a section are "deny = RULES", "allow = RULES", "encoding = LABEL" and
    /// "skip". A later section comes before an earlier one, and an option before the file.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration file
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,

    /// List at most N problems of each file; the rest of such a file is not checked
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) limit: Option<NonZero<usize>>,

    /// Check files that look binary as if they were text, and list all their problems
    ///
    /// A file looks binary if more than 4 characters of its first 8 KiB, and more than one byte in 32, are control
    /// characters that texts do not have, for example U+0000. A text with a few such characters is checked to its end.
    #[arg(long)]
    pub(crate) force: bool,

    /// Print no problems; the exit status tells whether there are errors
    #[arg(short, long, conflicts_with_all = ["json", "sarif"])]
    pub(crate) quiet: bool,

    /// Print one document in the format SARIF 2.1.0, which code hosts read
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,

    /// Print a JSON object on a line for each problem
    ///
    /// Every object has these members; null stands for a value that a problem of this kind does
    /// not have. Later versions can add members and kinds, and change or remove none.
    ///
    /// "file": the name; U+FFFD stands for bytes that are not UTF-8, and then "file_bytes" is an
    ///   array of all bytes of the name.
    /// "severity": "error", "warning" or "note".
    /// "kind": "malformed", "unmappable", "other-bom", "unknown-encoding", "damaged" for UTF-8 of
    ///   which "count" sequences are malformed, "mixed-encodings" for a file of which a part is
    ///   UTF-16, "bom", "mixed-newlines", "nul", "double-encoding", "mojibake",
    ///   "replacement-character", "control", "inner-bom", "trailing-bytes", "binary" for
    ///   malformed bytes that end the check of a file that looks binary, or "limit" if --limit
    ///   has ended the check.
    /// "line", "column": the place in the text, from 1.
    /// "offset": the place in the file in bytes, from 0.
    /// "encoding": the name of the encoding of the file; for "unmappable", of --to.
    /// "bytes": the malformed bytes, or those of the byte order mark, as hexadecimal numbers with
    ///   spaces between.
    /// "code_point": the number of the unmappable character.
    /// "count": how often this occurs in the file, for a warning that is given once for a file.
    /// "message": the sentence that is printed without --json; it can change.
    #[arg(long, verbatim_doc_comment)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// The files to check, "-" for standard input [default: -]; with --recursive, also directories
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Rules that one name means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules(pub(crate) &'static [Rule]);

/// Parses the name of a rule.
pub(crate) fn rules(name: &str) -> Result<Rules, String> {
    Rule::for_name(name).map(Rules).ok_or_else(|| {
        let names: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        format!("there is no rule \"{}\"; there are all, {}", excerpt(name), names.join(", "))
    })
}

impl Check {
    /// The rules of --deny.
    pub(crate) fn denied(&self) -> Vec<Rule> {
        self.deny.iter().flat_map(|rules| rules.0).copied().collect()
    }

    /// The rules of --allow.
    pub(crate) fn allowed(&self) -> Vec<Rule> {
        self.allow.iter().flat_map(|rules| rules.0).copied().collect()
    }
}

const EXAMPLES: &str = "\
Examples:
  textcodec check --recursive --include '*.txt' .
      Check that all .txt files are in UTF-8.
  textcodec check --encoding windows-1251 --to koi8-r letter.txt
      Check that a file is well-formed in windows-1251, and that KOI8-R has all its characters.
      letter.txt:3:17: error: byte offset 142: KOI8-R has no U+2116 (№) [unmappable]
  textcodec check --recursive --deny all --allow mixed-newlines src/
      Fail if a file has mojibake, U+FFFD, control characters or a byte order mark.
  textcodec check --deny bom,trailing-bytes --fix notes.txt
      Remove a byte order mark and bytes after the end of the text; with --diff, only show what would change.
  textcodec check --encoding auto --json --limit 10 *.html
      Print at most ten problems of each page as JSON.

Exit status:
  0  no file has an error; with --diff, no file would change
  1  a file has an error; with --diff, a file would change
  2  a file could not be read, standard output could not be written, or the arguments are wrong";
