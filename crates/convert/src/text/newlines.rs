//! The ends of lines.

use alloc::string::String;

/// The ends of lines in the output.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Newlines {
    /// Line feed, as on Linux and macOS.
    Lf,
    /// Carriage return and line feed, as on Windows.
    Crlf,
    /// U+0085, as in EBCDIC.
    Nel,
    /// As they are in the input.
    #[default]
    Keep,
}

/// Writes every line ending in one form.
#[derive(Clone, Debug)]
pub struct LineEndings {
    ending: &'static str,
    /// Whether U+0085 is a line ending, as in EBCDIC.
    has_next_line: bool,
    /// Whether the text before ended with a carriage return, whose line ending is written. A line feed after it belongs
    /// to it.
    after_return: bool,
}

impl LineEndings {
    /// `None` if the line endings stay.
    #[must_use]
    pub fn new(newlines: Newlines, has_next_line: bool) -> Option<Self> {
        let ending = match newlines {
            Newlines::Lf => "\n",
            Newlines::Crlf => "\r\n",
            Newlines::Nel => "\u{85}",
            Newlines::Keep => return None,
        };
        Some(LineEndings { ending, has_next_line, after_return: false })
    }

    /// Whether no line feed is waited for.
    #[cfg(feature = "std")]
    pub(super) fn is_at_rest(&self) -> bool {
        !self.after_return
    }

    /// Appends `text` to `destination`. CR LF, a single CR and a single LF end a
    /// line. `last` says that the stream ends with `text`.
    pub fn apply(&mut self, text: &str, last: bool, destination: &mut String) {
        let has_next_line = self.has_next_line;
        let is_ending = |character| matches!(character, '\r' | '\n') || has_next_line && character == '\u{85}';
        let mut rest = text;
        if self.after_return && !rest.is_empty() {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
            self.after_return = false;
        }
        while let Some(at) = rest.find(is_ending) {
            destination.push_str(&rest[..at]);
            destination.push_str(self.ending);
            let is_return = rest[at..].starts_with('\r');
            rest = rest[at..].split_at(if rest.is_char_boundary(at + 1) { 1 } else { 2 }).1;
            if is_return {
                self.after_return = rest.is_empty();
                rest = rest.strip_prefix('\n').unwrap_or(rest);
            }
        }
        destination.push_str(rest);
        if last {
            self.after_return = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_becomes_the_same_in_pieces_of_any_size() {
        let text = "a\r\nb\rc\nd\r\r\n\n\r\u{85}é\r\n\r";
        for (newlines, has_next_line, expected) in [
            (Newlines::Lf, false, "a\nb\nc\nd\n\n\n\n\u{85}é\n\n"),
            (Newlines::Lf, true, "a\nb\nc\nd\n\n\n\n\né\n\n"),
            (Newlines::Nel, false, "a\u{85}b\u{85}c\u{85}d\u{85}\u{85}\u{85}\u{85}\u{85}é\u{85}\u{85}"),
            (Newlines::Nel, true, "a\u{85}b\u{85}c\u{85}d\u{85}\u{85}\u{85}\u{85}\u{85}é\u{85}\u{85}"),
            (Newlines::Crlf, false, "a\r\nb\r\nc\r\nd\r\n\r\n\r\n\r\n\u{85}é\r\n\r\n"),
            (Newlines::Crlf, true, "a\r\nb\r\nc\r\nd\r\n\r\n\r\n\r\n\r\né\r\n\r\n"),
        ] {
            let characters: Vec<_> = text.chars().collect();
            for length in 1..=characters.len() {
                let mut endings = LineEndings::new(newlines, has_next_line).unwrap();
                let mut changed = String::new();
                for piece in characters.chunks(length) {
                    endings.apply(&piece.iter().collect::<String>(), false, &mut changed);
                    endings.apply("", false, &mut changed);
                }
                endings.apply("", true, &mut changed);
                assert_eq!(changed, expected, "{newlines:?} {length}");
                // The text ends with a carriage return. The line feed of another text does not belong to it.
                changed.clear();
                endings.apply("\n", true, &mut changed);
                assert_eq!(changed, endings.ending, "{newlines:?} {length}");
            }
        }
    }
}
