//! The command line of `textcodec repair`.

use std::path::PathBuf;

use clap::Args;
use textcodec::WINDOWS_1252;
use textcodec_convert::{Charset, Repair as Repairs};

use crate::label;

/// Repair text that was decoded in a wrong encoding and saved as UTF-8
///
/// In such text "é" has become "Ã©", "’" has become "â€™", or, with --encoding windows-1251, "П" has become "Рџ".
/// textcodec looks at each line alone. It encodes the line in windows-1252, or in the encodings of --encoding. If the
/// bytes are UTF-8, and the line has a clear sign of a wrong decoding, the text that these bytes encode takes the place
/// of the line. This is repeated while it helps, because some text was decoded wrongly several times.
///
/// Control characters U+0080 to U+009F become the characters that windows-1252 has for these bytes. CESU-8, in which
/// each half of a surrogate pair has three bytes, becomes UTF-8. With --was, --read-as or --guess, text that was in
/// other encodings is repaired.
///
/// The input and the output are in UTF-8. A line that can also be right as it is, for example "SÓ…", does not change.
/// The last line on standard error says how many such lines there are; see --ambiguous. Line endings stay as they are.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Repair {
    /// The encodings in which the text may have been decoded, separated by commas [default: windows-1252]
    ///
    /// windows-1252 stands for ISO-8859-1, too. If two encodings lead to different texts, the line is ambiguous.
    #[arg(short, long = "encoding", value_name = "LABEL", value_delimiter = ',', value_parser = label::source)]
    encodings: Vec<Charset>,

    /// The encoding that the text was in before it was decoded wrongly [default: utf-8]
    ///
    /// With --read-as, lines that look less odd in this encoding are repaired. Without --read-as, the encoding in which
    /// the text was decoded is found: the first 64 KiB of each file decide.
    #[arg(long, value_name = "LABEL", value_parser = label::source, conflicts_with_all = ["encodings", "mixed"])]
    was: Option<Charset>,

    /// The encoding in which the text was decoded wrongly
    ///
    /// Without --was, the encoding that the text was in is guessed from the bytes, as with sniff --guess.
    #[arg(long, value_name = "LABEL", value_parser = label::source, conflicts_with_all = ["encodings", "mixed"])]
    read_as: Option<Charset>,

    /// Find the encoding that the text was in and the one in which it was decoded
    ///
    /// The usual encodings of Windows, DOS, the Macintosh and East Asia are tried. A message names what was found. If
    /// nothing is found that all lines of a file share, its lines are repaired as without this option.
    #[arg(long, conflicts_with_all = ["encodings", "mixed", "was", "read_as"])]
    pub(crate) guess: bool,

    /// Repair ambiguous lines, and parts of lines, too
    ///
    /// If only a part of a line was decoded wrongly, the line as a whole cannot be repaired. With this option, each
    /// part with a clear sign of a wrong decoding is repaired on its own.
    #[arg(long)]
    pub(crate) ambiguous: bool,

    /// The encodings of a file that is in several encodings, separated by commas
    ///
    /// Each line is decoded in the first of these encodings in which it is well-formed. If UTF-8 is among them, parts
    /// of a line that are UTF-8 stay, and its malformed parts are decoded in another of the encodings. Text that was
    /// decoded wrongly is repaired only if --encoding is given, too.
    #[arg(long, value_name = "LABEL", value_delimiter = ',', value_parser = mixed)]
    pub(crate) mixed: Vec<Charset>,

    /// Replace each file by its repaired text
    #[arg(short, long, conflicts_with = "output", requires = "files")]
    pub(crate) in_place: bool,

    /// Print the lines that would change before and after, and how sure each change is; write nothing else
    #[arg(short = 'n', long, visible_alias = "diff")]
    pub(crate) dry_run: bool,

    /// Write to this file instead of standard output
    ///
    /// The file appears or changes only when all text is repaired. It can be the file that is read.
    #[arg(short, long, value_name = "OUT", conflicts_with = "dry_run")]
    pub(crate) output: Option<PathBuf>,

    /// The files, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// The wrong decodings to undo.
pub(crate) enum Wanted {
    Known(Repairs),
    /// Each file tells them, beside what is known.
    Searched {
        was: Option<Charset>,
        read_as: Option<Charset>,
    },
}

impl Repair {
    /// The wrong decodings to undo. It is an error if text cannot be decoded wrongly in an encoding of --encoding.
    pub(crate) fn repairs(&self) -> Result<Wanted, String> {
        match (self.was, self.read_as) {
            (Some(was), Some(read_as)) => {
                return Repairs::of_pair(was, read_as)
                    .map(Wanted::Known)
                    .map_err(|error| format!("--was {was} --read-as {error}"));
            }
            (None, None) if !self.guess => {}
            (was, read_as) => return Ok(Wanted::Searched { was, read_as }),
        }
        let default: &[Charset] = if self.mixed.is_empty() { &[WINDOWS_1252.into()] } else { &[] };
        let encodings = if self.encodings.is_empty() { default } else { &self.encodings };
        let repairs = Repairs::new(encodings.iter().copied());
        repairs.map(Wanted::Known).map_err(|error| format!("--encoding {error}"))
    }
}

/// Parses a label of --mixed.
fn mixed(label: &str) -> Result<Charset, String> {
    let charset = label::source(label)?;
    if charset.is_wide() || charset.is_ebcdic() {
        return Err(format!("lines of a file cannot be in {charset}, because its line feed is not the byte 0A"));
    }
    Ok(charset)
}

const EXAMPLES: &str = "\
Examples:
  textcodec repair --dry-run notes.txt
      Print the lines that would change.
  textcodec repair --in-place notes.txt
      Repair a file.
  textcodec repair --encoding windows-1251,koi8-r letters.txt -o repaired.txt
      Repair Russian text that was decoded in one of two encodings.
  textcodec repair --was shift_jis --read-as cp437 names.txt
      Repair text in Shift_JIS that was read as cp437; with --guess, both are found.
  textcodec repair --mixed utf-8,windows-1251 server.log
      Decode a file that is partly in UTF-8 and partly in windows-1251.

Exit status:
  0  the text is written, or the lines that would change are printed
  1  a file could not be read, is not UTF-8, or could not be written
  2  the arguments are wrong";
