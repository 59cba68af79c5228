//! The command line of `textcodec git-filter`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use textcodec_convert::SourceEncoding;

use crate::label;

/// Let git store text in UTF-8 and check it out in another encoding
///
/// clean and smudge convert standard input to standard output. git calls clean when a file is added, and smudge when it
/// is checked out. A file that would not come back byte for byte is refused: it has malformed bytes, or bytes that the
/// encoding would write in another way, or it is UTF-8 already. A stored file that is no UTF-8, for example in old
/// commits, is checked out as it is, with a warning. A character that the encoding does not have is an error when a
/// file is checked out.
///
/// textconv prints FILE in UTF-8, so that git diff and git log show text. It only shows: malformed bytes are printed as
/// \xE9, and a file whose encoding is not found is printed as it is.
///
/// The whole file is kept in memory. Line endings do not change; git has eol and core.autocrlf for them.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GitFilter {
    /// What git asks for
    #[arg(value_name = "ACTION", value_enum)]
    pub(crate) action: Action,

    /// The encoding of the checked-out files; for textconv, also "auto", which is the default
    ///
    /// utf-16le-bom and utf-16be-bom are UTF-16 with a byte order mark. Without a byte order mark they are utf-16le and
    /// utf-16be.
    #[arg(short = 'f', long, visible_alias = "from", value_name = "LABEL", default_value = "auto", value_parser = label::source_or_auto)]
    pub(crate) encoding: SourceEncoding,

    /// The file to print; for clean and smudge, its name in messages (%f)
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// What git asks for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Convert a file of the working tree to UTF-8
    Clean,
    /// Convert a stored file from UTF-8
    Smudge,
    /// Print a file in UTF-8
    Textconv,
}

impl GitFilter {
    /// A sentence about arguments that contradict each other, if there are any.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        match (self.action, self.encoding) {
            (Action::Textconv, _) if self.file.is_none() => Some("textconv needs a FILE"),
            (Action::Textconv, _) => None,
            (_, SourceEncoding::Auto) => {
                Some("clean and smudge need --encoding, because a stored file does not tell it")
            }
            (_, SourceEncoding::Label(charset)) if !charset.is_writable() => {
                Some("clean and smudge need an encoding in which text can be written")
            }
            _ => None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  git config filter.sjis.clean 'textcodec git-filter clean --encoding shift_jis %f'
  git config filter.sjis.smudge 'textcodec git-filter smudge --encoding shift_jis %f'
  git config filter.sjis.required true
  echo '*.txt filter=sjis' >> .gitattributes
      Store .txt files in UTF-8, and check them out in Shift_JIS.
  git add --renormalize .
      Convert the files that are stored already.
  git config diff.text.textconv 'textcodec git-filter textconv'
  echo '*.rc diff=text' >> .gitattributes
      Show changes of .rc files as text, whatever encoding they are stored in.

Exit status:
  0  the text is written
  1  the file would not come back byte for byte, or could not be read or written; with filter.NAME.required, git stops
  2  the arguments are wrong";
