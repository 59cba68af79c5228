//! A repaired text, and the number of its lines that were repaired or can be right as they are.

use alloc::{string::String, vec::Vec};

use super::certainty::{Certainty, Explained, Step};

/// A repaired text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// The text.
    pub text: String,
    /// What was found.
    pub counts: Counts,
    /// The kinds of changes, in the order in which they were first made.
    pub steps: Vec<Step>,
    /// The lines that were repaired, and those that may be right as they are, in the order of the text.
    pub changes: Vec<Change>,
}

/// A line that was repaired, or that may be right as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The number of the line, from 1.
    pub line: u64,
    /// The line without its end.
    pub before: String,
    /// The line as it was meant, and how sure that is.
    pub explained: Explained,
    /// Whether the repaired text has the line as it was meant.
    pub is_made: bool,
}

/// The lines of a text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// The number of all lines.
    pub lines: u64,
    /// The lines that were repaired.
    pub repaired: Lines,
    /// The lines that can be right as they are, and have stayed.
    pub ambiguous: Lines,
    /// The number of U+FFFD in repaired lines: characters that an earlier conversion has lost.
    pub lost: u64,
}

impl Counts {
    /// Counts a line, and returns what takes its place. `None` if the line stays. `ambiguous` says that ambiguous lines
    /// change, too.
    pub fn count(&mut self, explained: Option<Explained>, ambiguous: bool) -> Option<Explained> {
        self.lines += 1;
        let explained = explained?;
        if explained.certainty == Certainty::Ambiguous && !ambiguous {
            self.ambiguous.add(self.lines);
            return None;
        }
        self.repaired.add(self.lines);
        self.lost += explained.text.matches('\u{FFFD}').count() as u64;
        Some(explained)
    }
}

/// The number of some lines, and the first of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Lines {
    /// The number of the lines.
    pub number: u64,
    /// The first of the lines, counted from 1.
    pub first: Option<u64>,
}

impl Lines {
    /// Counts the line with this number.
    pub fn add(&mut self, line: u64) {
        self.first.get_or_insert(line);
        self.number += 1;
    }
}
