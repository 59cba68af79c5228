//! The options for a guess at the encoding of a file.

use clap::{Args, ValueEnum};
use textcodec_convert::{
    Charset,
    guess::{self, Hints},
};

use crate::label;

/// Whether and how to guess.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub(crate) struct Guess {
    /// Guess the encoding of files that declare nothing, by statistics of 47 languages
    ///
    /// A guess can be wrong, and the result does not show it. So each message about such a file says that the encoding
    /// is a guess, and how probable it is.
    #[arg(long)]
    pub(crate) guess: bool,

    /// The languages of the files, for example ja,zh-TW; this implies --guess
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = language)]
    languages: Vec<String>,

    /// The top-level domain from which the files come, for example jp; this implies --guess
    #[arg(long, value_name = "DOMAIN", value_delimiter = ',', value_parser = domain)]
    tld: Vec<String>,

    /// Guess among these encodings only; this implies --guess
    ///
    /// A file is decoded in each of these encodings. Those in which it has errors are out. If several are left,
    /// statistics of languages decide. An encoding without statistics, for example hp-roman8, wins only if the file has
    /// fewer control characters in it; beside such an encoding, the probability of a guess is unknown.
    #[arg(long, value_name = "LABEL", value_delimiter = ',', value_parser = label::source)]
    among: Vec<Charset>,

    /// Guess also among old encodings of these systems; this implies --guess
    ///
    /// Without this option or --among, only encodings of the Encoding Standard are guessed.
    #[arg(long, value_name = "SYSTEM", value_delimiter = ',', value_enum)]
    tiers: Vec<Tier>,
}

/// Encodings beyond the Standard.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Tier {
    /// Code pages of DOS: cp437, cp737, cp850, cp852, cp855 and others
    Dos,
    /// The classic Mac OS: Central European, Greek, Turkish, Croatian and others
    Mac,
    /// Mainframes: cp037, cp273, cp500, cp870, cp1047 and others
    Ebcdic,
    /// Johab, an encoding of Korean under DOS
    Johab,
    /// VISCII and TCVN 5712, encodings of Vietnamese
    Vietnamese,
}

impl Guess {
    /// What is known for a guess; `None` if none is wanted.
    pub(crate) fn hints(&self) -> Option<Hints> {
        let has_hints =
            !(self.languages.is_empty() && self.tld.is_empty() && self.among.is_empty() && self.tiers.is_empty());
        (self.guess || has_hints).then(|| {
            let mut hints = Hints::new();
            (hints.languages, hints.domains) = (self.languages.clone(), self.tld.clone());
            hints.among = self.among.clone();
            let tier = |tier: &Tier| match tier {
                Tier::Dos => guess::Tier::Dos,
                Tier::Mac => guess::Tier::Mac,
                Tier::Ebcdic => guess::Tier::Ebcdic,
                Tier::Johab => guess::Tier::Johab,
                Tier::Vietnamese => guess::Tier::Vietnamese,
            };
            hints.tiers = self.tiers.iter().map(tier).collect();
            hints
        })
    }
}

/// Parses the domains of --tld.
fn domain(text: &str) -> Result<String, &'static str> {
    guess::domain(text).ok_or("a top-level domain has ASCII letters only, for example jp")
}

/// Parses the tags of --languages.
fn language(text: &str) -> Result<String, &'static str> {
    guess::language(text).ok_or("there are no statistics of this language")
}
