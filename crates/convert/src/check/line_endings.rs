//! The ways in which the lines of a text end.

use alloc::{format, string::String, vec::Vec};

use crate::position::Position;

/// The ways in which lines end.
#[derive(Clone, Default, Debug)]
pub(super) struct LineEndings {
    lf: u64,
    crlf: u64,
    cr: u64,
    /// The last character of the text before was a carriage return.
    after_cr: Option<Position>,
    /// The first line ending that is not like the first of the file.
    pub(super) mixed: Option<Position>,
}

impl LineEndings {
    /// Counts the line endings of `text`, which starts at `position`.
    pub(super) fn observe(&mut self, text: &str, position: Position) {
        let bytes = text.as_bytes();
        if !bytes.contains(&b'\r') && self.after_cr.is_none() && self.crlf + self.cr == 0 {
            self.lf += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
            return;
        }
        let mut place = (0, position);
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(before) = self.after_cr.take() {
                if byte == b'\n' {
                    self.add(|endings| &mut endings.crlf, || before);
                    continue;
                }
                self.add(|endings| &mut endings.cr, || before);
            }
            if matches!(byte, b'\n' | b'\r') {
                place = (at, place.1.after(&text[place.0..at]));
                match byte {
                    b'\r' => self.after_cr = Some(place.1),
                    _ => self.add(|endings| &mut endings.lf, || place.1),
                }
            }
        }
    }

    /// Counts a line ending of one kind.
    fn add(&mut self, kind: impl Fn(&mut Self) -> &mut u64, place: impl FnOnce() -> Position) {
        let all = self.number();
        let number = kind(self);
        *number += 1;
        if *number <= all && self.mixed.is_none() {
            self.mixed = Some(place());
        }
    }

    /// Counts a carriage return at the end of the text.
    pub(super) fn end(&mut self) {
        if let Some(before) = self.after_cr.take() {
            self.add(|endings| &mut endings.cr, || before);
        }
    }

    /// The number of all line endings.
    pub(super) const fn number(&self) -> u64 {
        self.lf + self.crlf + self.cr
    }

    /// The sentence that counts them.
    pub(super) fn describe(&self) -> String {
        let kinds = [(self.lf, "LF"), (self.crlf, "CRLF"), (self.cr, "CR")];
        let kinds: Vec<_> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, kind)| format!("{n} {kind}")).collect();
        format!("the lines end in different ways: {}", kinds.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_endings_are_counted_in_pieces_of_any_size() {
        for (text, counts, mixed) in [
            ("", (0, 0, 0), None),
            ("a\nb\n", (2, 0, 0), None),
            ("a\r\nb\r\n", (0, 2, 0), None),
            ("a\rb\r", (0, 0, 2), None),
            ("a\nb\r\nc", (1, 1, 0), Some(3)),
            ("a\r\nb\nc", (1, 1, 0), Some(4)),
            ("a\nb\rc", (1, 0, 1), Some(3)),
            ("a\rb\nc\r\n", (1, 1, 1), Some(3)),
            ("a\nb\nc\r", (2, 0, 1), Some(5)),
            ("\r\r\n", (0, 1, 1), Some(1)),
            ("\n\r", (1, 0, 1), Some(1)),
            ("é\r\né\r", (0, 1, 1), Some(6)),
        ] {
            let pieces: [Vec<&str>; 2] = [Vec::from([text]), text.split_inclusive(|_| true).collect()];
            for pieces in pieces {
                let mut endings = LineEndings::default();
                let mut position = Position::default();
                for piece in pieces {
                    endings.observe(piece, position);
                    position = position.after(piece);
                }
                endings.end();
                assert_eq!((endings.lf, endings.crlf, endings.cr), counts, "{text:?}");
                assert_eq!(endings.mixed.map(Position::offset), mixed, "{text:?}");
                assert_eq!(endings.number(), counts.0 + counts.1 + counts.2, "{text:?}");
            }
        }
        let endings = LineEndings { lf: 1, crlf: 2, cr: 3, ..LineEndings::default() };
        assert_eq!(endings.describe(), "the lines end in different ways: 1 LF, 2 CRLF, 3 CR");
        let endings = LineEndings { lf: 1, cr: 3, ..LineEndings::default() };
        assert_eq!(endings.describe(), "the lines end in different ways: 1 LF, 3 CR");
    }
}
