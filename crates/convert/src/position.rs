//! Places in the text of a stream.

use core::fmt;

use textcodec::LineColumn;

/// A place in the text of a stream. The text is in UTF-8, whatever the encoding of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Position {
    offset: u64,
    place: LineColumn,
}

impl Position {
    /// The number of bytes of text before the place.
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// The number of the line, from 1.
    #[must_use]
    pub const fn line(self) -> u64 {
        self.place.line
    }

    /// The number of the column in characters, from 1.
    #[must_use]
    pub const fn column(self) -> u64 {
        self.place.column
    }

    /// The place after `text`, if `text` starts at this place.
    #[must_use]
    pub fn after(self, text: &str) -> Self {
        Position { offset: self.offset + text.len() as u64, place: self.place.after(text) }
    }

    /// The place as far after this one as `distance` is after the start of a text.
    #[cfg(feature = "std")]
    pub(crate) const fn then(self, distance: Self) -> Self {
        let LineColumn { line, column } = self.place;
        let (lines, columns) = (distance.place.line - 1, distance.place.column);
        let column = if lines == 0 { column + columns - 1 } else { columns };
        Position { offset: self.offset + distance.offset, place: LineColumn { line: line + lines, column } }
    }

    /// The line and the column in the form that editors and other programs read: "3:14".
    #[must_use]
    pub const fn for_editors(self) -> ForEditors {
        ForEditors(self)
    }
}

impl fmt::Display for Position {
    /// Line and column as editors number them: "line 3, column 14".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)
    }
}

/// A place in the form "3:14"; see [`Position::for_editors`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForEditors(Position);

impl fmt::Display for ForEditors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0.line(), self.0.column())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_bytes_lines_and_characters_over_several_pieces() {
        let text = "erste Zeile\nzweite Zeile mit ☃\n\ndritte: 𝄞".repeat(100);
        let mut pieces = Position::default();
        let whole = pieces.after(&text);
        for (at, character) in text.char_indices() {
            assert_eq!(Position::default().after(&text[..at]), pieces);
            assert_eq!(pieces.then(Position::default().after(&text[at..])), whole);
            pieces = pieces.after(character.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(pieces.to_string(), "line 301, column 10");
        assert_eq!(pieces.offset, text.len() as u64);
    }
}
