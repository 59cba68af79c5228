//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use textcodec::Encoding;

use crate::label;

/// Converts text between the encodings of the web: every encoding and every label of the Encoding Standard.
#[derive(Parser, Debug)]
#[command(name = "textcodec", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Convert(Convert),
    /// Print the name of each encoding, and its labels
    ///
    /// One encoding a line: its name, then its labels. --from and --to of `textcodec convert` take any label, in upper
    /// or lower case. UTF-16BE, UTF-16LE and replacement can be converted from, not to.
    List,
}

/// Convert files, or standard input, from one encoding to another
///
/// Files of any size are converted in constant memory. The text of several files is put together in their order.
///
/// A byte order mark at the start of a file wins over --from and is not part of the text. No byte order mark is written.
#[derive(Args, Debug)]
#[command(after_long_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The encoding of the files, if they do not start with a byte order mark
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = label::source)]
    pub(crate) from: Encoding,

    /// The encoding of the output
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = label::target)]
    pub(crate) to: Encoding,

    /// What to do about malformed input, and about characters that the output encoding lacks
    ///
    /// Whatever is replaced is summed up in one line on standard error.
    #[arg(short, long, value_name = "MODE", value_enum, default_value_t = Errors::Fatal)]
    pub(crate) errors: Errors,

    /// Write to this file instead of standard output
    ///
    /// It appears, or changes, only once everything is converted, and can be one of the files that are read.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The files to convert, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// What to do about what cannot be converted. The Standard has two modes for each direction; these are the combinations
/// of use to someone who converts files.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Errors {
    /// Stop, and say where; exit with 1
    Fatal,
    /// Write U+FFFD (�) for malformed input, and "?" for a character that the output encoding lacks, U+FFFD too
    Replacement,
    /// Write U+FFFD (�) for malformed input, and a character reference such as &#9731; for a character that the output
    /// encoding lacks, U+FFFD too
    Html,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  textcodec convert --from shift_jis in.txt -o out.txt
      Shift_JIS to UTF-8.
  textcodec convert --to windows-1252 --errors html page.html -o page.html
      UTF-8 to windows-1252 in place; what windows-1252 lacks becomes a character reference.
  curl https://example.com | textcodec convert --from gbk | less
      A stream, as it arrives.

Exit status:
  0  everything is converted, or whoever reads the output has stopped reading
  1  something could not be read, converted or written; OUT is as it was before
  2  the command line makes no sense";
