//! What a conversion has written in the place of something else.

use alloc::{format, string::String, vec, vec::Vec};
use core::fmt;

use crate::{
    charset::{Charset, Malformed},
    options::{Errors, Options},
    position::Position,
    visible::{self, Character},
};

/// A replacement that a converter makes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replacement<'a> {
    /// What is replaced.
    pub what: What<'a>,
    /// The text in its place, which can be empty.
    pub text: &'a str,
    /// The place in the text of the stream.
    pub position: Position,
}

/// What a converter replaces.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum What<'a> {
    /// A malformed sequence of a stream in this charset.
    Malformed(&'a Malformed, Charset),
    /// A character that this charset does not have.
    Unmappable(char, Charset),
}

impl fmt::Display for Replacement<'_> {
    /// A clause: "byte offset 3: not UTF-8: FF; left out".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::Malformed(malformed, charset) => {
                write!(f, "byte offset {}: not {charset}:", malformed.offset)?;
                malformed.bytes.iter().try_for_each(|byte| write!(f, " {byte:02X}"))?;
            }
            What::Unmappable(character, charset) => write!(f, "{charset} cannot encode {}", Character(character))?,
        }
        match self.text {
            "" => f.write_str("; left out"),
            text => write!(f, "; written: {}", visible::excerpt(text)),
        }
    }
}

/// The number of replacements in all streams of a converter, and the first of them. It is displayed as a sentence
/// without its full stop; it is empty if [nothing](Self::is_nothing) was replaced.
#[derive(Clone, Debug)]
pub struct Replaced {
    to: Charset,
    malformed_errors: Errors,
    unmappable_errors: Errors,
    replacement: Option<String>,
    pub(super) malformed: Places,
    pub(super) is_cut_off: bool,
    pub(super) unmappable: Places,
    pub(super) transliterated: Places,
}

/// The number of places, and the first of them.
#[derive(Clone, Default, Debug)]
pub(super) struct Places {
    pub(super) number: u64,
    first: Option<First>,
}

/// The first place of a kind.
#[derive(Clone, Debug)]
pub(super) struct First {
    pub(super) subject: Subject,
    /// The name of the stream.
    pub(super) name: String,
    pub(super) position: Position,
}

/// What was replaced at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// The sequence at this offset in the stream, in bytes.
    Sequence(u64),
    Character(char),
}

impl fmt::Display for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let First { subject, name, position } = self;
        match subject {
            Subject::Sequence(offset) => write!(f, "{name}, byte offset {offset}, {position}"),
            Subject::Character(character) => write!(f, "{}, {name}, {position}", Character(*character)),
        }
    }
}

impl Places {
    /// Keeps `place` if it is the first.
    pub(super) fn first(&mut self, place: impl FnOnce() -> First) {
        if self.number == 0 {
            self.first = Some(place());
        }
    }

    /// Adds the places of a part of a stream that begins at `offset` and at `position`. `name` is the name of the
    /// stream.
    #[cfg(feature = "std")]
    fn add(&mut self, part: Places, name: &str, offset: u64, position: Position) {
        if let Some(first) = part.first {
            self.first(|| First {
                subject: match first.subject {
                    Subject::Sequence(start) => Subject::Sequence(offset + start),
                    character @ Subject::Character(_) => character,
                },
                name: name.into(),
                position: position.then(first.position),
            });
        }
        self.number += part.number;
    }

    /// The number of `thing`s, their `treatment` and the place of the first, in words, after the verb if there is one.
    /// `None` if the number is 0.
    fn describe(&self, verb: &str, thing: &str, treatment: &str) -> Option<String> {
        let first = self.first.as_ref()?;
        let blank = if verb.is_empty() { "" } else { " " };
        Some(match self.number {
            1 => format!("{verb}{blank}1 {thing}{treatment} ({first})"),
            number => format!("{verb}{blank}{number} {thing}s{treatment} (the first: {first})"),
        })
    }
}

impl Replaced {
    pub(super) fn new(options: &Options) -> Self {
        Replaced {
            to: options.to,
            malformed_errors: options.malformed,
            unmappable_errors: options.unmappable,
            is_cut_off: false,
            replacement: options.replacement.clone(),
            malformed: Places::default(),
            unmappable: Places::default(),
            transliterated: Places::default(),
        }
    }

    /// Adds what a part of the stream `name` replaces. The part begins at `offset` in the bytes of the stream, at
    /// `decoded` in its text, and at `changed` in the text for the encoder.
    #[cfg(feature = "std")]
    pub(super) fn add(&mut self, part: Replaced, name: &str, offset: u64, decoded: Position, changed: Position) {
        self.malformed.add(part.malformed, name, offset, decoded);
        self.unmappable.add(part.unmappable, name, offset, changed);
        self.transliterated.add(part.transliterated, name, offset, changed);
    }

    /// The number of malformed sequences.
    #[must_use]
    pub const fn malformed(&self) -> u64 {
        self.malformed.number
    }

    /// The number of characters that the charset does not have and that were not transliterated.
    #[must_use]
    pub const fn unmappable(&self) -> u64 {
        self.unmappable.number
    }

    /// The number of characters in whose place others like them were written.
    #[must_use]
    pub const fn transliterated(&self) -> u64 {
        self.transliterated.number
    }

    /// Whether bytes or characters were left out.
    #[must_use]
    pub fn has_left_out(&self) -> bool {
        let is_out = |errors, places: &Places| errors == Errors::Ignore && places.number > 0;
        is_out(self.malformed_errors, &self.malformed) || is_out(self.unmappable_errors, &self.unmappable)
    }

    /// Whether the end of an input has cut off its last sequence of bytes.
    #[must_use]
    pub const fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Whether nothing was replaced.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.malformed.number + self.unmappable.number + self.transliterated.number == 0
    }
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What was done, and what stands in the place, in the error mode replacement and in the error mode HTML.
        let treatment = |errors: Errors, [usual, html]: [&str; 2]| match errors {
            Errors::Fatal | Errors::Replacement => match &self.replacement {
                Some(text) => ("replaced", format!(" by {}", visible::excerpt(text))),
                None => ("replaced", format!(" by {usual}")),
            },
            Errors::Html => ("replaced", format!(" by {html}")),
            Errors::Ignore => ("left out", String::new()),
            Errors::Escape => ("escaped", String::new()),
        };
        let to = self.to;
        let (verb, by) = treatment(self.malformed_errors, ["U+FFFD"; 2]);
        let malformed = self.malformed.describe(verb, "malformed sequence", &by);
        let (verb_of_unmappable, by) = treatment(self.unmappable_errors, ["?", "a character reference"]);
        let is_said = malformed.is_some() && verb_of_unmappable == verb;
        let unmappable = format!(" that {to} cannot encode{by}");
        let unmappable =
            self.unmappable.describe(if is_said { "" } else { verb_of_unmappable }, "character", &unmappable);
        let likeness = format!(" that {to} cannot encode by others like it");
        let transliterated = self.transliterated.describe("transliterated", "character", &likeness);
        let parts: Vec<_> = malformed.into_iter().chain(unmappable).collect();
        let mut sentences = vec![parts.join(" and ")];
        sentences.extend(transliterated);
        sentences.retain(|sentence| !sentence.is_empty());
        f.write_str(&sentences.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replacement_tells_what_is_written_and_only_of_nothing_that_it_is_left_out() {
        let malformed = Malformed::new(3, vec![0xFF, 0x0A]);
        for (text, end) in [("", "left out"), (" ", "written:  "), ("?", "written: ?"), ("\n", "written: \\n")] {
            let display = |what| Replacement { what, text, position: Position::default() }.to_string();
            let bytes = display(What::Malformed(&malformed, Charset::UTF_8));
            assert_eq!(bytes, format!("byte offset 3: not UTF-8: FF 0A; {end}"));
            let character = display(What::Unmappable('é', textcodec::BIG5.into()));
            assert_eq!(character, format!("Big5 cannot encode U+00E9 (é); {end}"));
        }
    }
}
