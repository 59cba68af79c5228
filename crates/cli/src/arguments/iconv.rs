//! The command line of `iconv`.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser};

/// Convert text as iconv does
///
/// This command takes the arguments of glibc's iconv and exits with its status: 0; 1 after an error of the conversion,
/// or if //IGNORE has left something out; and 64 if the arguments are wrong. It also runs if the program is called by a
/// link with the name iconv.
///
/// An encoding has the names that glibc gives it, as far as textcodec has the encoding: ISO-8859-1 is the encoding of
/// ISO, not windows-1252. The encodings of East Asia are those of the Encoding Standard, which have more characters
/// than those of glibc under the same names; a line on standard error says so, unless -s is given. A byte order mark is
/// a character, except in UTF-16 and UTF-32, which start with one. //TRANSLIT writes other characters for those that
/// the output encoding does not have, or a question mark. Without //TRANSLIT, //IGNORE and -c leave such characters
/// out. //IGNORE and -c also leave out malformed input.
///
/// Unlike glibc's iconv, textcodec changes an output file only when all text is converted.
#[derive(Args, Debug)]
#[command(
    after_long_help = "Examples:\n  textcodec iconv -f LATIN1 -t UTF-8 old.txt -o new.txt\n      Convert a file."
)]
#[command(version, disable_help_flag = true, infer_long_args = true)]
pub(crate) struct Iconv {
    /// The encoding of the input; the encoding of the locale if it is missing
    #[arg(short, long = "from-code", value_name = "NAME", default_value = "")]
    pub(crate) from: String,

    /// The encoding of the output, with //TRANSLIT or //IGNORE if wanted; the encoding of the locale if it is missing
    #[arg(short, long = "to-code", value_name = "NAME", default_value = "")]
    pub(crate) to: String,

    /// Leave out malformed input and characters that the output encoding does not have
    #[arg(short = 'c')]
    pub(crate) leave_out: bool,

    /// Print no notes about encodings that differ from those of glibc
    #[arg(short, long)]
    pub(crate) silent: bool,

    /// Print the names of all encodings
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace each file by the converted text; iconv itself has no such option
    #[arg(short, long, conflicts_with = "output", requires = "files")]
    pub(crate) in_place: bool,

    /// Changes nothing; glibc's iconv prints the name of each file
    #[arg(long)]
    pub(crate) verbose: bool,

    /// Print a short help
    #[arg(long, action = ArgAction::HelpShort)]
    pub(crate) usage: Option<bool>,

    /// Print this help
    #[arg(short = '?', long, action = ArgAction::Help)]
    pub(crate) help: Option<bool>,

    /// The files, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// The command line of a link with the name iconv.
#[derive(Parser, Debug)]
#[command(name = "iconv")]
pub(crate) struct IconvProgram {
    #[command(flatten)]
    pub(crate) iconv: Iconv,
}
