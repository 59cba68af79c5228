//! The command line of `textcodec check`.

use std::{num::NonZero, path::PathBuf};

use clap::Args;
use textcodec_convert::SourceEncoding;

use super::selection::{Selection, positive};
use crate::label::{self, TargetEncoding};

/// Check that files are well-formed in an encoding, and list every problem
///
/// Prints a line for each problem, in the form that editors and CI read: the file, the line, the column, "error",
/// "warning" or "note", the offset in bytes from the start of the file, and a sentence. Lines and columns count from 1,
/// columns in characters. No file is changed.
///
/// Errors are malformed bytes, characters that the encoding of --to does not have, a byte order mark of another
/// encoding than --encoding, files whose encoding --encoding auto cannot find, and damaged files: UTF-8 with a few
/// malformed sequences, and files of which a part is UTF-16. Warnings are lines that end in
/// different ways, characters U+0000, and text that looks as if it was decoded in a wrong encoding once. A byte order
/// mark is a note. Warnings and notes do not change the exit status.
///
/// Files in directories that look binary are skipped. If the command line names a file that looks binary, the check
/// ends at its first malformed bytes. See --force. A pipe can stand in the place of a file.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Check {
    /// The encoding that the files should be in, or "auto" to find the encoding of each file as convert does
    #[arg(short = 'f', long, visible_alias = "from", value_name = "LABEL", default_value = "utf-8", value_parser = label::source_or_auto)]
    pub(crate) encoding: SourceEncoding,

    /// Also check that this encoding has every character
    #[arg(short, long, value_name = "LABEL", value_parser = label::target)]
    pub(crate) to: Option<TargetEncoding>,

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
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) quiet: bool,

    /// Print a JSON object on a line for each problem
    ///
    /// Every object has these members; null stands for a value that a problem of this kind does not
    /// have. Later versions can add members and kinds, and change or remove none.
    ///
    /// "file": the name; U+FFFD stands for bytes that are not UTF-8, and then "file_bytes" is an array
    ///   of all bytes of the name.
    /// "severity": "error", "warning" or "note".
    /// "kind": "malformed", "unmappable", "other-bom", "unknown-encoding", "damaged" for UTF-8 of which
    ///   "count" sequences are malformed, "mixed-encodings" for a file of which a part is UTF-16, "bom",
    ///   "mixed-newlines", "nul", "double-encoding", "binary" for malformed bytes that end the check of a file that
    ///   looks binary, or "limit" if --limit has ended the check.
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

const EXAMPLES: &str = "\
Examples:
  textcodec check --recursive --include '*.txt' .
      Check that all .txt files are in UTF-8.
  textcodec check --encoding windows-1251 --to koi8-r letter.txt
      Check that a file is well-formed in windows-1251, and that KOI8-R has all its characters.
      letter.txt:3:17: error: byte offset 142: KOI8-R has no U+2116 (№)
  textcodec check --encoding auto --json --limit 10 *.html
      Print at most ten problems of each page as JSON.

Exit status:
  0  no file has an error
  1  a file has an error
  2  a file could not be read, standard output could not be written, or the arguments are wrong";
