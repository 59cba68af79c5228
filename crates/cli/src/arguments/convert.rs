//! The command line of `textcodec convert`.

use std::{
    io::{self, IsTerminal},
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
};

use clap::{ArgGroup, Args, builder::ArgPredicate};

use textcodec_convert::{Charset, Fallback, Options, SourceEncoding, files};

use super::{
    guess::Guess,
    places::Places,
    selection::Selection,
    values::{BomAction, Declarations, Errors, Newlines, Normalization},
};
use crate::{
    label::{self, TargetEncoding},
    report::Report,
    settings::Settings,
};

/// The options without which `--from auto` has a meaning, and which have none without it.
const IMPLY_AUTO: [&str; 6] = ["fallback", "guess", "languages", "tld", "among", "tiers"];

/// The options with which each file is converted on its own. A dry run shows by itself what --in-place would do.
fn many() -> ArgGroup {
    ArgGroup::new("many").args(["in_place", "output_dir", "dry_run", "diff"]).multiple(true)
}

/// Convert files or standard input from one encoding to another
///
/// The text of several files is written one after the other. Files of any size are converted in constant memory. The
/// first error stops the conversion, unless --errors says otherwise.
///
/// A byte order mark at the start of a file decides the encoding of the file, even if --from names another one, and is
/// not written. See --ignore-bom and --bom.
///
/// With --from auto, textcodec finds the encoding of each file: by the byte order mark; else by the declaration in
/// HTML, XML or CSS; else by the structure of the first 64 KiB, if this is UTF-8 with characters other than ASCII,
/// ISO-2022-JP with escape sequences, or UTF-16; else by a meta element after the first 1024 bytes of a page. A file
/// that starts with 64 KiB of ASCII is read as UTF-8. If nothing tells the encoding, the file is an error, unless
/// --fallback names an encoding. XML and CSS without a declaration are UTF-8, but --guess and --fallback apply to
/// malformed ones. Without --guess, textcodec never guesses by statistics of languages.
///
/// UTF-8 with a few malformed sequences, and a file of which a part is UTF-16 and a part is not, are errors: neither
/// --fallback nor --guess applies to them.
///
/// With --fallback or --guess, a file that starts with 64 KiB of ASCII is read to its end before it is converted, so
/// that all of it decides. A pipe cannot be read twice: its ASCII is passed on, and the 64 KiB from the first byte that
/// is not ASCII decide about the rest.
///
/// A file that cannot be read is reported, and the other files are still written to standard output. With --output,
/// nothing is written in this case.
///
/// With --in-place or --output-dir, each file is converted on its own.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES, group = many())]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) conversion: Conversion,

    /// Write to this file instead of standard output
    ///
    /// The file appears or changes only when all text is converted. It can be one of the files that are read; then it
    /// keeps its permissions and extended attributes, and text that is in UTF-8 already stays as with --in-place.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) places: Places,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// The files to convert, "-" for standard input [default: -]; with --recursive, also directories
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// The options that say how the bytes of one file become the bytes of another.
#[derive(Args, Debug)]
pub(crate) struct Conversion {
    /// The encoding of the files, or "auto" to find the encoding of each file
    ///
    /// With --fallback, --guess, and options that imply --guess, the default is "auto".
    #[arg(
        short,
        long,
        value_name = "LABEL",
        default_value = "utf-8",
        default_value_ifs = IMPLY_AUTO.map(|option| (option, ArgPredicate::IsPresent, "auto")),
        value_parser = label::source_or_auto
    )]
    pub(crate) from: SourceEncoding,

    /// Treat a byte order mark as text; --from alone decides the encoding
    ///
    /// The byte order mark of the encoding of --from becomes the character U+FEFF in the text.
    #[arg(long, visible_alias = "no-bom-sniffing")]
    pub(crate) ignore_bom: bool,

    /// The encoding of a file whose encoding --from auto cannot find
    ///
    /// A line on standard error names each file that is read in this encoding, up to 20 of them (see --verbose). The
    /// last line counts these files.
    #[arg(long, value_name = "LABEL", value_parser = label::source)]
    pub(crate) fallback: Option<Charset>,

    /// Take the encoding of --fallback even if the text fits another encoding
    ///
    /// Without this option, a file is an error if another encoding gives another text, with a probability of at least
    /// 0.95, or if odd characters stand side by side in the text. No text contradicts an encoding without statistics,
    /// such as those of DOS.
    #[arg(long)]
    pub(crate) trust_fallback: bool,

    #[command(flatten)]
    pub(crate) guess: Guess,

    /// The least probability of a guess with which a file is converted, from 0 to 1 [default: 0.95]
    ///
    /// With --in-place and --output-dir, a file whose guess is less probable, or of unknown probability, is not
    /// converted. The last lines name these files, and the exit status is 1. With 0, every guess is taken. A conversion
    /// to standard output or with --output is made in any case; a warning tells that the guess is less probable.
    #[arg(long, value_name = "NUMBER", value_parser = probability)]
    pub(crate) min_probability: Option<f32>,

    /// The encoding of the output
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = label::target)]
    pub(crate) to: TargetEncoding,

    /// The byte order mark at the start of the output; --bom alone means add
    ///
    /// Only utf-8, utf-16le and utf-16be have one. A reader of UTF-16 without a byte order mark must know the byte
    /// order. Many programs on Windows expect a byte order mark in UTF-8, too. utf-16-bom and utf-32 always start with
    /// one.
    #[arg(
        long,
        visible_alias = "write-bom",
        value_name = "ACTION",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "add",
        default_value_t = BomAction::Strip
    )]
    pub(crate) bom: BomAction,

    /// How to treat malformed input, and characters that the output encoding cannot encode
    ///
    /// One line on standard error tells the number of replacements and the place of the first; --report lists all. The
    /// default is fatal, or with --replacement, replacement.
    #[arg(short, long, value_name = "MODE", value_enum)]
    pub(crate) errors: Option<Errors>,

    /// The text that takes the place of malformed input, and of each character that the output encoding cannot encode
    #[arg(long, value_name = "TEXT")]
    pub(crate) replacement: Option<String>,

    /// Write other characters for those that the output encoding cannot encode
    ///
    /// The same sign in another form comes first: "〜" (U+301C) becomes "～" (U+FF5E) in Shift_JIS, and "ế" becomes "ê"
    /// and an accent in windows-1258. Then "…" becomes "...", "–" becomes "-", "ﬁ" becomes "fi", and "é" becomes "e". A
    /// character is changed only if the output encoding does not have it. Letters of other scripts are not turned into
    /// Latin letters. For characters without such a likeness, --errors decides. One line on standard error tells the
    /// number of characters that were changed.
    #[arg(long)]
    pub(crate) transliterate: bool,

    /// Write a list of everything that is replaced, left out or transliterated to this file
    ///
    /// Each line has the form file:line:column: what is wrong; what is written.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// The ends of lines in the output
    ///
    /// CR LF, a single CR and a single LF end a line; in EBCDIC also U+0085.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Newlines::Keep)]
    pub(crate) newlines: Newlines,

    /// The number of bytes of a record, for files of mainframes without line ends
    ///
    /// Each record of a file in EBCDIC becomes a line, and each line, whatever ends it, becomes a record of an output
    /// in EBCDIC: spaces fill it up. A last record that is cut off and a line that is longer than a record are errors.
    #[arg(long, value_name = "BYTES")]
    pub(crate) record_length: Option<NonZeroUsize>,

    /// The Unicode normalization form of the output
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Normalization::Keep)]
    pub(crate) normalize: Normalization,

    /// How to treat a declaration in a file that names another encoding than that of the output
    ///
    /// A meta element in HTML, an XML declaration and @charset in CSS declare the encoding of a file; in other text a
    /// comment "coding: latin-1" of Python, Ruby and Emacs, a modeline of Vim, the Content-Type of a .po file and of
    /// a mail of one part, inputenc and "% !TEX encoding" of LaTeX, #pragma code_page and Perl's "use encoding".
    /// After a conversion they are wrong, and readers that believe them misread the file. Without this option, a
    /// wrong declaration is an error if the output is a file, and a warning if the output is a pipe, a terminal or a
    /// device.
    ///
    /// The name of a .properties file is a declaration, too: Java reads such a file as ISO-8859-1. So "update" writes
    /// escapes such as \u20AC for the characters that Java would misread in the output, and "keep" writes them as they
    /// are. Since Java 9, ResourceBundle reads UTF-8, but Properties.load does not.
    ///
    /// Declarations are looked for in the first 64 KiB of a file, and in source code in the first 8 KiB. No declaration
    /// is added. A page in UTF-16 cannot declare its encoding, so there a meta element and @charset stay as they are;
    /// an XML declaration gets the name UTF-16LE or UTF-16BE, or with --bom the name UTF-16.
    #[arg(short, long, value_name = "ACTION", value_enum)]
    pub(crate) declarations: Option<Declarations>,

    /// Convert files that look binary
    ///
    /// A file looks binary if its text has the character U+0000 or, at the start, many other control characters.
    /// Without this option, such a file is an error with --from auto, and if the output takes its place; with
    /// --in-place, it is skipped, and with --output-dir copied unchanged.
    ///
    /// With --in-place and --output-dir, files that are in UTF-8 already, and files in UTF-8 with a few malformed
    /// sequences, are decoded as --from says, too. Elsewhere, no warning tells that a file is in UTF-8 already.
    #[arg(long)]
    pub(crate) force: bool,
}

impl Convert {
    /// Whether each file is converted on its own.
    pub(crate) fn is_many(&self) -> bool {
        self.places.in_place || self.places.output_dir.is_some() || self.places.is_dry()
    }

    /// A sentence about options that contradict each other, if there are any.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        let is_many = self.is_many();
        match () {
            _ if self.places.in_place && self.output.is_some() => {
                Some("--in-place and --output name different outputs")
            }
            // clap ignores `requires` if a given option conflicts with the required one.
            _ if !self.places.in_place && self.places.needs_in_place() => {
                Some("--suffix, --yes and --break-hard-links need --in-place")
            }
            _ if is_many && self.files.is_empty() => Some("--in-place, --output-dir, --dry-run and --diff need a FILE"),
            _ if !is_many && self.selection.recursive => Some("--recursive needs --in-place or --output-dir"),
            _ if self.needs_yes() => Some(
                "--in-place with --guess writes the result of a guess; look at it with --dry-run, and then add --suffix, \
                 which keeps the old files, or --yes",
            ),
            _ => self.conversion.conflict(),
        }
    }

    /// Whether somebody must confirm that files are changed by a guess.
    fn needs_yes(&self) -> bool {
        let Places { in_place, yes, .. } = self.places;
        in_place
            && self.conversion.guess.hints().is_some()
            && !yes
            && self.places.suffix.is_none()
            && !self.places.is_dry()
            && io::stderr().is_terminal()
    }
}

impl Conversion {
    /// The settings of every job of this command. The file of the report must be writable.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let report = self.report.as_deref().map(Report::create).transpose()?.map(Arc::new);
        let mut options = Options::to(self.to.encoding);
        options.bom = self.bom.into();
        options.malformed = self.errors().into();
        options.unmappable = self.errors().into();
        options.replacement = self.replacement.clone();
        options.transliterate = self.transliterate;
        options.newlines = self.newlines.into();
        options.normalization = self.normalize.into();
        options.record_length = self.record_length;
        let mut job = files::Settings::new(options);
        (job.from, job.ignore_bom) = (self.from, self.ignore_bom);
        job.fallback = self.fallback.map(|charset| Fallback { charset, is_trusted: self.trust_fallback });
        job.guess = self.guess.hints();
        let declarations = self.declarations.map(Into::into);
        let min_probability = self.min_probability.unwrap_or(MIN_PROBABILITY);
        Ok(Settings { job, report, declarations, force: self.force, min_probability })
    }

    /// The treatment of errors; a text for replacements asks for replacements.
    fn errors(&self) -> Errors {
        let default = if self.replacement.is_some() { Errors::Replacement } else { Errors::Fatal };
        self.errors.unwrap_or(default)
    }

    fn conflict(&self) -> Option<&'static str> {
        if self.bom == BomAction::Add && self.to.encoding.bom().is_empty() {
            return Some("--bom needs --to utf-8, utf-16le or utf-16be");
        }
        if let Some(text) = &self.replacement {
            if self.errors() != Errors::Replacement {
                return Some("--replacement needs --errors replacement");
            }
            if !self.to.encoding.can_encode(text) {
                return Some("some characters of --replacement cannot be encoded in the encoding of --to");
            }
        }
        let is_ebcdic = matches!(self.from, SourceEncoding::Label(charset) if charset.is_ebcdic());
        if self.record_length.is_some() && !is_ebcdic && !self.to.encoding.is_ebcdic() {
            return Some("--record-length needs an encoding of EBCDIC after --from or --to");
        }
        match self.from {
            SourceEncoding::Auto if self.ignore_bom => {
                Some("--from auto looks for byte order marks, and --ignore-bom forbids this")
            }
            SourceEncoding::Label(_) if self.fallback.is_some() => Some("--fallback needs --from auto"),
            _ if self.trust_fallback && self.fallback.is_none() => Some("--trust-fallback needs --fallback"),
            SourceEncoding::Label(_) if self.guess.hints().is_some() => Some("--guess needs --from auto"),
            _ if self.min_probability.is_some() && self.guess.hints().is_none() => {
                Some("--min-probability needs --guess")
            }
            _ => None,
        }
    }
}

/// The least probability of a guess, unless the user names another one. Of the answers with at least this probability
/// for pieces of 32 bytes and more, 0.3 % were wrong (docs/detection.md).
pub(crate) const MIN_PROBABILITY: f32 = 0.95;

/// Parses the number of --min-probability.
fn probability(text: &str) -> Result<f32, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or("a probability is a number from 0 to 1, for example 0.9")
}

const EXAMPLES: &str = "\
Examples:
  textcodec convert --from shift_jis in.txt -o out.txt
      Convert Shift_JIS to UTF-8.
  textcodec convert --from auto --declarations update page.html -o page.html
      Convert a page to UTF-8 in place, and make it declare UTF-8.
  textcodec convert --to windows-1252 --errors html --declarations update page.html -o page.html
      Convert a page from UTF-8 to windows-1252 in place, with character references for all other characters.
  textcodec convert --to utf-16le --bom in.txt -o out.txt
      Convert UTF-8 to UTF-16LE with a byte order mark.
  curl https://example.com | textcodec convert --from gbk | less
      Convert a stream while it arrives.
  textcodec convert --from auto --fallback windows-1252 notes.txt
      Find the encoding of a file; if nothing tells it, read windows-1252.
  textcodec convert --from auto --guess --languages ru,uk letter.txt
      Guess the encoding of a file that declares nothing.
  textcodec convert --from cp850 --newlines lf --to utf-8 old.txt -o new.txt
      Convert a text file of DOS.
  textcodec convert --to exact-us-ascii --transliterate --errors escape --report list.txt notes.txt
      Write ASCII, with \"...\" for \"…\" and the like, and list every change.
  textcodec convert --from auto --in-place --recursive --dry-run src
      Print what would happen to each file in a directory.
  textcodec convert --from auto --guess --recursive --dry-run --json src
      Print the same about each file as JSON, with the encoding, the evidence for it and its probability.
  textcodec convert --from gbk --output-dir new --recursive --diff src
      Print all lines that would change.
  textcodec convert --from gbk --in-place --recursive --include '*.txt' --suffix .orig docs
      Convert all .txt files in a directory to UTF-8 in place, and keep the old ones as .txt.orig.
  textcodec convert --from euc-jp --recursive old --output-dir new
      Write a copy of a directory in UTF-8; binary files are copied unchanged.

Exit status:
  0  all files are converted or skipped, or the reader of standard output has stopped reading
  1  a file could not be read, converted or written; this file or OUT is as it was before
  2  the arguments are wrong";
