//! The problems that a check finds.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use crate::{
    damage::{Damage, Damaged},
    declarations::Distrusted,
    position::Position,
};

/// The rule that a text violates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// Bytes are malformed.
    Malformed,
    /// The target charset does not have a character.
    Unmappable,
    /// The byte order mark is that of another charset than the expected one.
    OtherBom,
    /// Nothing tells the charset.
    UnknownEncoding,
    /// UTF-8 with a few malformed sequences.
    Damaged,
    /// A part is UTF-16 and a part is not.
    MixedEncodings,
    /// The text starts with a byte order mark.
    Bom,
    /// Lines end in different ways.
    MixedNewlines,
    /// The text has characters U+0000.
    Nul,
    /// The text looks as if it was decoded in windows-1252 once, and was in UTF-8.
    DoubleEncoding,
    /// The text looks as if it was decoded in another charset once, and was in UTF-8.
    Mojibake,
    /// The text has characters U+FFFD.
    ReplacementCharacter,
    /// The text has control characters that texts do not have.
    Control,
    /// The text has byte order marks that are not at its start.
    InnerBom,
    /// The text ends with the character U+001A, which U+0000 can follow.
    TrailingBytes,
}

/// How bad a problem is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Severity {
    /// It can be intended.
    Note,
    /// It is probably not intended.
    Warning,
    /// The text is wrong.
    Error,
}

impl Severity {
    /// The name: "note", "warning" or "error".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Rule {
    /// The name, for example "mixed-newlines". It is part of the stable interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// How bad a violation is. It is part of the stable interface.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.facts().1
    }

    /// All rules.
    pub const ALL: [Rule; 15] = [
        Rule::Malformed,
        Rule::Unmappable,
        Rule::OtherBom,
        Rule::UnknownEncoding,
        Rule::Damaged,
        Rule::MixedEncodings,
        Rule::Bom,
        Rule::MixedNewlines,
        Rule::Nul,
        Rule::DoubleEncoding,
        Rule::Mojibake,
        Rule::ReplacementCharacter,
        Rule::Control,
        Rule::InnerBom,
        Rule::TrailingBytes,
    ];

    /// The rules that a user means by this name: one rule, or "all"; "mojibake" includes "double-encoding", and
    /// "control" includes "nul". `None` if there is no such rule.
    #[must_use]
    pub fn for_name(name: &str) -> Option<&'static [Rule]> {
        match name {
            "all" => Some(&Self::ALL),
            "mojibake" => Some(&[Rule::Mojibake, Rule::DoubleEncoding]),
            "control" => Some(&[Rule::Control, Rule::Nul]),
            _ => Self::ALL.iter().position(|rule| rule.name() == name).map(|place| &Self::ALL[place..=place]),
        }
    }

    /// A sentence about the rule.
    #[must_use]
    pub const fn description(self) -> &'static str {
        self.facts().2
    }

    const fn facts(self) -> (&'static str, Severity, &'static str) {
        use Severity::{Error, Note, Warning};

        match self {
            Rule::Malformed => ("malformed", Error, "Bytes are malformed in the encoding of the file."),
            Rule::Unmappable => ("unmappable", Error, "The encoding of --to does not have a character."),
            Rule::OtherBom => ("other-bom", Error, "The byte order mark is that of another encoding."),
            Rule::UnknownEncoding => ("unknown-encoding", Error, "Nothing in the file tells its encoding."),
            Rule::Damaged => ("damaged", Error, "The file is UTF-8 with a few malformed sequences."),
            Rule::MixedEncodings => ("mixed-encodings", Error, "A part of the file is UTF-16 and a part is not."),
            Rule::Bom => ("bom", Note, "The file starts with a byte order mark."),
            Rule::MixedNewlines => ("mixed-newlines", Warning, "Lines end in different ways."),
            Rule::Nul => ("nul", Warning, "The text contains U+0000."),
            Rule::DoubleEncoding => ("double-encoding", Warning, "UTF-8 was read as windows-1252."),
            Rule::Mojibake => ("mojibake", Warning, "UTF-8 was read as another encoding."),
            Rule::ReplacementCharacter => {
                ("replacement-character", Warning, "U+FFFD stands for a character that was lost.")
            }
            Rule::Control => ("control", Warning, "The text has control characters that texts do not have."),
            Rule::InnerBom => ("inner-bom", Warning, "A byte order mark stands inside the text."),
            Rule::TrailingBytes => {
                ("trailing-bytes", Warning, "U+001A, the end of a file in DOS, stands after the text.")
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A problem at a place of a text. It is displayed as a clause without its place.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The rule.
    pub rule: Rule,
    /// The place in the text.
    pub position: Position,
    /// The place in bytes from the start of the stream, if it is known.
    pub offset: Option<u64>,
    /// The name of the charset of the stream; of an unmappable character, that of the target.
    pub encoding: Option<&'static str>,
    /// The malformed bytes, or those of the byte order mark.
    pub bytes: Vec<u8>,
    /// The character that the target does not have.
    pub character: Option<char>,
    /// How often this occurs, for problems that are told once for a text.
    pub count: Option<u64>,
    message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Problem {
    pub(super) fn new(rule: Rule, position: Position, message: String) -> Self {
        let (offset, encoding, bytes, character, count) = (None, None, Vec::new(), None, None);
        Problem { rule, position, offset, encoding, bytes, character, count, message }
    }

    /// The problem, which occurs so often in the text.
    pub(super) fn times(mut self, count: u64) -> Self {
        self.count = Some(count);
        self
    }

    /// The problem of a text that is damaged.
    #[must_use]
    pub fn damaged(damaged: &Damaged) -> Self {
        let is_mixed = matches!(damaged.damage, Damage::Mixed { .. });
        let rule = if is_mixed { Rule::MixedEncodings } else { Rule::Damaged };
        let mut problem = Problem::new(rule, damaged.position, damaged.summary().to_string());
        problem.offset = Some(damaged.offset);
        if !is_mixed {
            (problem.encoding, problem.count) = (Some(textcodec::UTF_8.name()), Some(damaged.malformed));
        }
        problem
    }

    /// The problem of a text whose declaration is not believed.
    #[must_use]
    pub fn distrusted(distrusted: &Distrusted) -> Self {
        Problem::new(Rule::UnknownEncoding, Position::default(), distrusted.to_string())
    }

    /// The problem of a text whose charset nothing tells.
    #[must_use]
    pub fn unknown_encoding() -> Self {
        let message = format!("nothing in the file tells its encoding, and it is not {}", textcodec::UTF_8.name());
        Problem::new(Rule::UnknownEncoding, Position::default(), message)
    }
}
