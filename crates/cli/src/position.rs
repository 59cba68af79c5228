//! Where in the text of a file.

use std::fmt;

/// A place in the text of a file, which is taken as UTF-8 whatever encoding it came from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Position {
    /// Bytes before it.
    pub(crate) offset: u64,
    /// Line feeds before it.
    line_feeds: u64,
    /// Characters between the last line feed and it.
    characters: u64,
}

impl Position {
    /// The place that is reached behind `text`.
    pub(crate) fn after(self, text: &str) -> Self {
        let text = text.as_bytes();
        let line_feeds = count(text, |byte| byte == b'\n');
        let (before, line) = match line_feeds {
            0 => (self.characters, text),
            _ => (0, text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()),
        };
        Position {
            offset: self.offset + text.len() as u64,
            line_feeds: self.line_feeds + line_feeds,
            // Each character has one byte that is not a continuation byte.
            characters: before + count(line, |byte| byte & 0xC0 != 0x80),
        }
    }
}

impl fmt::Display for Position {
    /// Line and column as editors number them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line_feeds + 1, self.characters + 1)
    }
}

/// The number of bytes that `is_counted`. Sums of 255 fit into a byte, which lets the compiler count whole vectors.
fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> u64 {
    bytes.chunks(255).map(|chunk| u64::from(chunk.iter().map(|&byte| u8::from(is_counted(byte))).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_over_several_pieces() {
        let text = "erste Zeile\nzweite Zeile mit ☃\n\ndritte: 𝄞".repeat(100);
        let mut pieces = Position::default();
        for (at, character) in text.char_indices() {
            assert_eq!(Position::default().after(&text[..at]), pieces);
            pieces = pieces.after(character.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(pieces.to_string(), "line 301, column 10");
        assert_eq!(pieces.offset, text.len() as u64);
    }

    #[test]
    fn a_text_starts_in_its_first_line_and_column() {
        assert_eq!(Position::default().to_string(), "line 1, column 1");
        assert_eq!(Position::default().after("\n").to_string(), "line 2, column 1");
    }
}
