//! Places in the text of a file.

use std::fmt;

use textcodec::LineColumn;

/// A place in the text of a file. The text is in UTF-8, whatever the encoding of the file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Position {
    /// The number of bytes before the place.
    pub(crate) offset: u64,
    place: LineColumn,
}

impl Position {
    /// The place after `text`, if `text` starts at this place.
    pub(crate) fn after(self, text: &str) -> Self {
        Position { offset: self.offset + text.len() as u64, place: self.place.after(text) }
    }

    pub(crate) fn line_and_column(self) -> (u64, u64) {
        (self.place.line, self.place.column)
    }

    /// The line and the column in the form that editors and other programs read: "3:14".
    pub(crate) fn for_editors(self) -> String {
        format!("{}:{}", self.place.line, self.place.column)
    }
}

impl fmt::Display for Position {
    /// Line and column as editors number them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_bytes_lines_and_characters_over_several_pieces() {
        let text = "erste Zeile\nzweite Zeile mit ☃\n\ndritte: 𝄞".repeat(100);
        let mut pieces = Position::default();
        for (at, character) in text.char_indices() {
            assert_eq!(Position::default().after(&text[..at]), pieces);
            pieces = pieces.after(character.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(pieces.to_string(), "line 301, column 10");
        assert_eq!(pieces.offset, text.len() as u64);
    }
}
