//! How sure a repair is, and what it has changed.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use crate::charset::Charset;

/// One change of a repair. It is displayed as a clause: "UTF-8 that was read as windows-1252".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Text in the charset `was` was decoded in the charset `read_as`.
    #[non_exhaustive]
    Decoding {
        /// The charset of the text.
        was: Charset,
        /// The charset in which the text was decoded.
        read_as: Charset,
    },
    /// A part of the line was decoded so, and the rest was not.
    #[non_exhaustive]
    Part {
        /// The charset of the part.
        was: Charset,
        /// The charset in which the part was decoded.
        read_as: Charset,
    },
    /// Control characters U+0080 to U+009F stood for the characters that windows-1252 has for these bytes.
    Controls,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Decoding { was, read_as } => write!(f, "{was} that was read as {read_as}"),
            Step::Part { was, read_as } => write!(f, "a part in {was} that was read as {read_as}"),
            Step::Controls => f.write_str("control characters for characters of windows-1252"),
        }
    }
}

/// How sure a repair is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// The line may be right as it is.
    Ambiguous,
    /// The repaired line looks more like text than the line.
    Likely,
    /// The line has a sign of a wrong decoding that no text has.
    Certain,
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Certainty::Ambiguous => "ambiguous",
            Certainty::Likely => "likely",
            Certainty::Certain => "certain",
        })
    }
}

/// A line as it was meant, and how it became what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explained {
    /// The repaired line.
    pub text: String,
    /// The changes, in the order in which they were made.
    pub steps: Vec<Step>,
    /// How sure this is.
    pub certainty: Certainty,
}

impl Explained {
    /// How sure the repair is, and the changes, in words: "certain: UTF-8 that was read as windows-1252, 2 times".
    #[must_use]
    pub fn describe(&self) -> String {
        let mut words = format!("{}: ", self.certainty);
        let mut steps = &*self.steps;
        while let [step, ..] = steps {
            let times = steps.iter().take_while(|other| *other == step).count();
            words += &match times {
                1 => format!("{step}, "),
                times => format!("{step}, {times} times, "),
            };
            steps = &steps[times..];
        }
        words.truncate(words.len() - 2);
        words
    }
}
