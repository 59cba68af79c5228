//! The command line of `textcodec sniff`.

use std::path::PathBuf;

use clap::Args;

use textcodec_convert::guess::Hints;

use super::{guess::Guess, values::Kind};

/// Find the encoding of files or standard input as browsers do
///
/// Prints a line for each file: the name, the encoding, the confidence and the reason. A name with control characters,
/// or with bytes that are not UTF-8, is printed in quotes and with escapes.
///
/// The confidence is "certain" if nothing in the file can change the encoding. It is "tentative" if a later declaration
/// can change the encoding, or if the encoding is a guess. The encoding is "unknown" if nothing tells it and the file
/// is malformed in the default.
///
/// Only the first MiB of a file is looked at, except for damage: UTF-8 with a few malformed sequences, and a part in
/// UTF-16. Unlike browsers, textcodec looks at the structure of the bytes before it
/// takes the default, because the files are local ones: it finds UTF-8, ISO-2022-JP and UTF-16. The default of HTML and
/// text is UTF-8 for ASCII, and otherwise windows-1252 as in most browsers; convert --from auto does not take
/// windows-1252. With --guess, a guess by statistics of languages takes the place of windows-1252; its language and its
/// probability take the place of the confidence in the line.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Sniff {
    /// The kind of the files [default: by the ending of the name, else by the first characters]
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub(crate) kind: Option<Kind>,

    /// The charset in the HTTP header that came with the files; an unknown label is ignored
    #[arg(long, value_name = "LABEL")]
    pub(crate) http_charset: Option<String>,

    #[command(flatten)]
    pub(crate) guess: Guess,

    /// After the line of each file whose encoding is a guess, print the encodings that the file can be in
    ///
    /// This implies --guess. There is a line for each different text, the most probable first, with its encoding, its
    /// language and its probability. The line also names all other encodings that give the same text.
    #[arg(long)]
    pub(crate) candidates: bool,

    /// Print a JSON object for each file
    ///
    /// The members are "file", "kind", "encoding", "confidence", "rung", "reason" and "malformed_at". "rung" is a name
    /// for the step of the search that found the encoding, for example "bom", "meta", "declaration" (in other text than
    /// HTML, XML and CSS), "guess", "damaged" or "default"; "reason" says the same in a sentence. "malformed_at" is the
    /// offset of the first bytes that are malformed in the encoding, or null. "encoding" and "confidence" are null if
    /// the encoding is unknown. If the name of a file is not UTF-8, "file" has U+FFFD in the place of the malformed
    /// bytes, and "file_bytes" is an array of all bytes of the name.
    ///
    /// With --guess, there are two more members. "probability" is the probability of the guess, or null. "candidates"
    /// is an array of objects, the most probable first, with the members "encoding", "language" (a code such as "ru",
    /// or null), "probability" (or null) and "group": candidates with the same number give the same text. "kind" is
    /// "binary" if the file is no text.
    #[arg(long)]
    pub(crate) json: bool,

    /// The files, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl Sniff {
    /// What is known for a guess; `None` if none is wanted.
    pub(crate) fn hints(&self) -> Option<Hints> {
        self.guess.hints().or_else(|| self.candidates.then(Hints::new))
    }
}

const EXAMPLES: &str = "\
Examples:
  textcodec sniff *.html
      Print the encoding of each page.
  curl https://example.com | textcodec sniff --as html --http-charset gbk
      Print the encoding of a page that came with a charset in its HTTP header.
  textcodec sniff --guess --among windows-1251,koi8-r,ibm866 *.txt
      Guess which of three encodings each file is in.
  textcodec sniff --guess --candidates letter.txt
      Guess the encoding of a file, and print the others that it can be in.
  textcodec sniff --json legacy.txt
      {\"file\":\"legacy.txt\",\"kind\":\"text\",\"encoding\":\"UTF-8\",\"confidence\":\"tentative\",...}

Exit status:
  0  every file has its line
  1  a file could not be read, or standard output could not be written
  2  the arguments are wrong";
