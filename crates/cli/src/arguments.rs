//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use textcodec::Encoding;

use crate::{
    converter::Errors,
    declarations::Declarations,
    kind::Kind,
    label::{self, SourceEncoding, TargetEncoding},
};

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
    Sniff(Sniff),
    /// Print the name of each encoding, and its labels
    ///
    /// One encoding a line: its name, then its labels. --from and --to of `textcodec convert` take any label, in upper
    /// or lower case. Replacement can be converted from, not to.
    List,
}

/// Convert files, or standard input, from one encoding to another
///
/// Files of any size are converted in constant memory. The text of several files is put together in their order.
///
/// A byte order mark at the start of a file wins over --from and is not part of the text, unless --ignore-bom is given. None
/// is written, unless --bom is given.
///
/// With --from auto the encoding of each file is found out: from a byte order mark; from what HTML, XML or CSS declares in
/// it; or from the structure of its first 64 KiB, if they are UTF-8 beyond ASCII, ISO-2022-JP with its escape sequences or
/// UTF-16. A start in nothing but ASCII is taken for UTF-8. What cannot be found out is an error, unless --fallback names
/// what to take then: no encoding is ever guessed from the frequency of letters.
#[derive(Args, Debug)]
#[command(after_long_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The encoding of the files, if they do not start with a byte order mark; "auto" to find it out
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = label::source_or_auto)]
    pub(crate) from: SourceEncoding,

    /// Do not look for byte order marks: the files are in the encoding of --from, whatever they start with
    ///
    /// What would be a byte order mark is part of the text then, U+FEFF if it is that of the encoding.
    #[arg(long, visible_alias = "no-bom-sniffing")]
    pub(crate) ignore_bom: bool,

    /// With --from auto, the encoding of a file that does not tell its own
    #[arg(long, value_name = "LABEL", value_parser = label::source)]
    pub(crate) fallback: Option<Encoding>,

    /// The encoding of the output
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = label::target)]
    pub(crate) to: TargetEncoding,

    /// Write a byte order mark at the start of the output, which must be utf-8, utf-16le or utf-16be
    ///
    /// Without it, whoever reads UTF-16 has to know the byte order; many programs on Windows want a mark also in UTF-8.
    #[arg(long, visible_alias = "write-bom")]
    pub(crate) bom: bool,

    /// What to do about malformed input, and about characters that the output encoding lacks
    ///
    /// Whatever is replaced is summed up in one line on standard error.
    #[arg(short, long, value_name = "MODE", value_enum, default_value_t = Errors::Fatal)]
    pub(crate) errors: Errors,

    /// What to do about a declaration in a file that will contradict the output: in a meta element, in an XML declaration or in @charset
    ///
    /// Without this option, such a file is an error if the output is a file, and otherwise a warning. A declaration is found in the first 64 KiB
    /// of a file. None is added. A page in UTF-16 cannot declare its encoding: a meta element and @charset stay as they are there, and
    /// an XML declaration names UTF-16LE or UTF-16BE, or UTF-16 with --bom.
    #[arg(short, long, value_name = "ACTION", value_enum)]
    pub(crate) declarations: Option<Declarations>,

    /// Convert files that look binary, too
    ///
    /// A file with U+0000 or many other control characters in its text is an error with --from auto, and whenever its text takes
    /// the place of the file. Other conversions do not look.
    #[arg(long)]
    pub(crate) force: bool,

    /// Write to this file instead of standard output
    ///
    /// It appears, or changes, only once everything is converted, and can be one of the files that are read.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The files to convert, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Find out the encoding of files, or of standard input, as browsers do
///
/// Prints a line for each file: its name, the encoding, the confidence and the reason.
///
/// Confidence is "certain" if nothing in the file could change the encoding, and "tentative" if a declaration further down
/// could, or if it is a guess. Only the first MiB of a file is looked at.
///
/// Files are local ones: where the standards leave it open, what speaks for UTF-8, ISO-2022-JP or UTF-16 in the structure
/// of the bytes is listened to before the default, which is windows-1252 in HTML and text as in most browsers.
#[derive(Args, Debug)]
#[command(after_long_help = SNIFF_EXAMPLES)]
pub(crate) struct Sniff {
    /// What the files are [default: what their names or, without a known ending, their first characters say]
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub(crate) kind: Option<Kind>,

    /// The charset that came with the files in an HTTP header; one that names no encoding counts as none
    #[arg(long, value_name = "LABEL")]
    pub(crate) http_charset: Option<String>,

    /// Print a JSON object for each file
    ///
    /// Its members are "file", "kind", "encoding", "confidence", "rung", "reason" and "malformed_at", the offset of the first bytes that
    /// are malformed in the encoding, or null. "encoding" and "confidence" are null if the encoding is unknown. If the name of the file
    /// is not UTF-8, "file" has U+FFFD for the malformed bytes, and there is "file_bytes", an array of all bytes of the name.
    #[arg(long)]
    pub(crate) json: bool,

    /// The files, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  textcodec convert --from shift_jis in.txt -o out.txt
      Shift_JIS to UTF-8.
  textcodec convert --to windows-1252 --errors html page.html -o page.html
      UTF-8 to windows-1252 in place; what windows-1252 lacks becomes a character reference.
  textcodec convert --to utf-16le --bom in.txt -o out.txt
      UTF-8 to UTF-16LE, with a byte order mark before it.
  curl https://example.com | textcodec convert --from gbk | less
      A stream, as it arrives.
  textcodec convert --from auto --fallback windows-1252 page.html
      Whatever the page says that it is; windows-1252 if it says nothing.

Exit status:
  0  everything is converted, or whoever reads the output has stopped reading
  1  something could not be read, converted or written; OUT is as it was before
  2  the command line makes no sense";

const SNIFF_EXAMPLES: &str = "\
Examples:
  textcodec sniff *.html
      Each page, as a browser would read it from a disk.
  curl https://example.com | textcodec sniff --as html --http-charset gbk
      A page with the charset that its HTTP header names.
  textcodec sniff --json legacy.txt
      {\"file\":\"legacy.txt\",\"kind\":\"text\",\"encoding\":\"UTF-8\",\"confidence\":\"tentative\",...}

Exit status:
  0  every file has its line
  1  something could not be read or written
  2  the command line makes no sense";
