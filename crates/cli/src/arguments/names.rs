//! The command line of `textcodec names`.

use std::path::PathBuf;

use clap::Args;
use textcodec_convert::{
    Charset,
    guess::{Hints, Tier},
};

use super::{guess::Guess, values::Normalization};
use crate::label::{self, TargetEncoding};

/// Rename files whose names are in an old encoding
///
/// Prints the names that would change in and below each PATH, and PATH itself, and changes nothing without --apply.
/// Names that are ASCII or UTF-8 already stay. Names that are malformed in the encoding of --from are listed and stay.
/// If a new name is taken, or two files would get one name, nothing is renamed. Symbolic links are renamed and not
/// followed; their targets do not change. The directories of version control are left out.
///
/// Without --from, the encoding is guessed from all names together, also among the code pages of DOS. --apply and
/// --output need a guess with a probability of at least 0.95.
///
/// With --zip, the names in an archive are printed, and --output writes a copy of it with names in UTF-8. The files in
/// it are copied as they are, without compressing them again.
///
/// On Windows names are in Unicode, so there is nothing to decode: --normalize, --read-as and --zip work there.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Names {
    /// The encoding that the names are in; cp932, cp936, cp949 and cp950 are those of Windows
    #[arg(short, long, value_name = "LABEL", value_parser = label::source_of_names)]
    pub(crate) from: Option<Charset>,

    /// The encoding of the new names
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = label::target)]
    pub(crate) to: TargetEncoding,

    /// The encoding in which the names were decoded wrongly before they became UTF-8
    ///
    /// For example, names in Shift_JIS that an unpacker has read as cp437: --from shift_jis --read-as cp437.
    #[arg(long, value_name = "LABEL", value_parser = label::target, requires = "from")]
    pub(crate) read_as: Option<TargetEncoding>,

    /// The form of letters with marks in the new names, also of names that are UTF-8 already
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Normalization::Keep)]
    pub(crate) normalize: Normalization,

    #[command(flatten)]
    guess: Guess,

    /// Rename the files
    #[arg(long, conflicts_with_all = ["zip", "undo"])]
    pub(crate) apply: bool,

    /// Write the list for --undo to this file, which must not exist [default: textcodec-names-1.undo, or the next
    /// number]
    ///
    /// The list is complete before the first file is renamed.
    #[arg(long, value_name = "LIST", requires = "apply")]
    pub(crate) undo_list: Option<PathBuf>,

    /// Give files their old names again, as this list says
    #[arg(long, value_name = "LIST", conflicts_with_all = ["paths", "zip", "from", "read_as", "to", "normalize"])]
    pub(crate) undo: Option<PathBuf>,

    /// Take the names in this ZIP archive
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub(crate) zip: Option<PathBuf>,

    /// Write a copy of the archive with the new names
    #[arg(short, long, value_name = "OUT", requires = "zip")]
    pub(crate) output: Option<PathBuf>,

    /// The files and directories
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

impl Names {
    /// A sentence about arguments that contradict each other, if there are any.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        let is_no_name = |charset: Charset| charset.is_wide() || charset.is_ebcdic();
        let read_as = self.read_as.as_ref().map(|target| target.encoding);
        let is_to_utf_8 = self.to.encoding == Charset::UTF_8;
        match () {
            () if self.paths.is_empty() && self.zip.is_none() && self.undo.is_none() => {
                Some("names needs a PATH, --zip or --undo")
            }
            () if self.output.is_some() && self.zip.is_none() => Some("--output needs --zip"),
            () if self.undo_list.is_some() && !self.apply => Some("--undo-list needs --apply"),
            () if self.undo.is_some() && self.guess.hints().is_some() => {
                Some("--undo takes the names from its list, and guesses nothing")
            }
            () if is_no_name(self.to.encoding) => Some("--to names an encoding in which no file has its name"),
            () if self.from.is_some_and(is_no_name) && read_as.is_none() => {
                Some("--from names an encoding in which no file has its name")
            }
            () if !is_to_utf_8 && self.from.is_none() => Some("--to with another encoding than UTF-8 needs --from"),
            () if !is_to_utf_8 && (self.zip.is_some() || cfg!(not(unix))) => {
                Some("the new names must be in UTF-8 here")
            }
            () if self.from.is_some() && self.guess.hints().is_some() => {
                Some("--from and --guess contradict each other")
            }
            () => None,
        }
    }

    /// What is known for a guess.
    pub(crate) fn hints(&self) -> Hints {
        self.guess.hints().filter(|hints| !hints.tiers.is_empty() || !hints.among.is_empty()).unwrap_or_else(|| {
            let mut hints = self.guess.hints().unwrap_or_else(Hints::new);
            hints.tiers = vec![Tier::Dos];
            hints
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  textcodec names --from cp932 music/
      Print the names in Shift_JIS and the new names in UTF-8.
  textcodec names --from cp932 --apply music/
      Rename the files, and write a list for --undo.
  textcodec names --undo textcodec-names-1.undo
      Give the files their old names again.
  textcodec names --from utf-8 --normalize nfc --apply from-a-mac/
      Write names from macOS with composed letters.
  textcodec names --zip photos.zip
      Print the names in an archive, in the encoding that fits them best.
  textcodec names --zip photos.zip --from cp866 --output photos-utf8.zip
      Write a copy of an archive with names in UTF-8.

Exit status:
  0  all names are UTF-8, would be renamed, or are renamed
  1  a name could not be decoded, is taken, or could not be changed
  2  the arguments are wrong";
