//! Places in a text, as editors number them.

use core::fmt;

use crate::{DecodeErrorMode, DecodeStatus, Encoding};

/// A place in a text as editors number it: a line, and a column in that line. Both start at 1.
///
/// A line ends with a line feed (U+000A), so a line that ends with a carriage return and a line feed counts once. A
/// column is one character (scalar value), whatever its width on the screen.
///
/// The errors of this library have an offset in bytes, because a decoder does not know which bytes end a line. This
/// type turns an offset into a line and a column, for whole texts and for texts that arrive in pieces:
///
/// ```
/// use textcodec::{LineColumn, SHIFT_JIS};
///
/// // A whole text.
/// let bytes = b"\x83\x65\n\x83\x4C \xFF!";
/// let malformed = SHIFT_JIS.decode_or_fail(bytes).unwrap_err();
/// assert_eq!(LineColumn::in_bytes(bytes, malformed.offset, SHIFT_JIS), LineColumn { line: 2, column: 3 });
///
/// // A text that arrives in pieces: all text before the error has arrived when the error does.
/// let place = LineColumn::START.after("テ").after("\nキ ");
/// assert_eq!(place.to_string(), "line 2, column 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// The number of line feeds before the place, plus 1.
    pub line: u64,
    /// The number of characters between the last line feed and the place, plus 1.
    pub column: u64,
}

impl LineColumn {
    /// The start of a text: line 1, column 1.
    pub const START: LineColumn = LineColumn { line: 1, column: 1 };

    /// The place after `text`, if `text` starts at this place.
    #[must_use]
    pub fn after(self, text: &str) -> Self {
        self.after_utf8(text.as_bytes())
    }

    /// The place in `text` of the character that starts at `offset`, in bytes of UTF-8: for
    /// [`Unmappable::offset`](crate::Unmappable::offset). An offset beyond the end means the end.
    ///
    /// ```
    /// use textcodec::{LineColumn, SHIFT_JIS};
    ///
    /// let text = "テキスト\n☃";
    /// let unmappable = SHIFT_JIS.encode_or_fail(text).unwrap_err();
    /// assert_eq!(LineColumn::in_text(text, unmappable.offset), LineColumn { line: 2, column: 1 });
    /// ```
    #[must_use]
    pub fn in_text(text: &str, offset: u64) -> Self {
        LineColumn::START.after_utf8(before(text.as_bytes(), offset))
    }

    /// The place in the text of `bytes` of the character that starts at `offset`, in bytes: for
    /// [`Malformed::offset`](crate::Malformed::offset). `encoding` is the encoding of `bytes`, and its byte order mark
    /// is not a part of the text. A malformed sequence before the place counts as one column for each U+FFFD that it
    /// becomes. An offset beyond the end means the end.
    ///
    /// This decodes all bytes before the place, into a small buffer.
    #[must_use]
    pub fn in_bytes(bytes: &[u8], offset: u64, encoding: Encoding) -> Self {
        let mut decoder = encoding.new_decoder_with_bom_removal();
        let (mut rest, mut place, mut buffer) = (before(bytes, offset), LineColumn::START, [0; 1024]);
        loop {
            let result = decoder.decode_to_utf8(rest, &mut buffer, false, DecodeErrorMode::Replacement);
            place = place.after_utf8(&buffer[..result.written]);
            rest = &rest[result.read..];
            if result.status != DecodeStatus::OutputFull {
                return place;
            }
        }
    }

    fn after_utf8(self, text: &[u8]) -> Self {
        let line_feeds = count(text, |byte| byte == b'\n');
        let (line_start, line) = match line_feeds {
            0 => (self.column, text),
            _ => (1, text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()),
        };
        // Each character has exactly one byte that is not a continuation byte.
        LineColumn { line: self.line + line_feeds, column: line_start + count(line, |byte| byte & 0xC0 != 0x80) }
    }
}

impl Default for LineColumn {
    /// [`LineColumn::START`].
    fn default() -> Self {
        LineColumn::START
    }
}

impl fmt::Display for LineColumn {
    /// `line 1, column 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The first `offset` bytes of `bytes`, or all of them.
fn before(bytes: &[u8], offset: u64) -> &[u8] {
    usize::try_from(offset).ok().and_then(|offset| bytes.get(..offset)).unwrap_or(bytes)
}

/// The number of bytes that `is_counted`. Sums of 255 bytes fit into a `u8`, which lets the compiler count whole
/// vectors.
fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> u64 {
    bytes.chunks(255).map(|chunk| u64::from(chunk.iter().map(|&byte| u8::from(is_counted(byte))).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UTF_8;

    #[test]
    fn pieces_and_offsets_lead_to_the_same_place() {
        let text = "erste Zeile\r\nzweite Zeile mit ☃\n\ndritte: 𝄞".repeat(100);
        let mut pieces = LineColumn::START;
        for (at, character) in text.char_indices() {
            assert_eq!(LineColumn::START.after(&text[..at]), pieces);
            if at % 64 == 0 {
                assert_eq!(LineColumn::in_text(&text, at as u64), pieces);
                assert_eq!(LineColumn::in_bytes(text.as_bytes(), at as u64, UTF_8), pieces);
            }
            pieces = pieces.after(character.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(pieces.to_string(), "line 301, column 10");
        assert_eq!(LineColumn::in_text(&text, u64::MAX), pieces);
        assert_eq!(LineColumn::in_bytes(text.as_bytes(), u64::MAX, UTF_8), pieces);
    }

    #[test]
    fn a_text_starts_in_its_first_line_and_column() {
        assert_eq!(LineColumn::default().to_string(), "line 1, column 1");
        assert_eq!(LineColumn::START.after("\n").to_string(), "line 2, column 1");
        assert_eq!(LineColumn::in_bytes(b"\xEF\xBB\xBFa", 3, UTF_8), LineColumn::START, "a byte order mark is no text");
    }

    #[test]
    #[cfg(feature = "utf16")]
    fn an_offset_counts_bytes_of_its_own_encoding() {
        let bytes = b"\xFF\xFEa\0\n\0b\0\0\xD8c\0";
        assert_eq!(LineColumn::in_bytes(bytes, 8, crate::UTF_16LE), LineColumn { line: 2, column: 2 });
        assert_eq!(LineColumn::in_bytes(bytes, 12, crate::UTF_16LE), LineColumn { line: 2, column: 4 });
        // The byte order mark of another encoding is text, or malformed.
        for (bytes, encoding, column) in [
            (&b"\xEF\xBB\xBFa"[..], crate::UTF_8, 1),
            (b"\xEF\xBB\xBFa", crate::REPLACEMENT, 2),
            (b"\xFF\xFEa", crate::UTF_8, 3),
            (b"\xFF\xFEa", crate::UTF_16BE, 2),
            (b"\xFE\xFFa", crate::UTF_16BE, 1),
            (b"\xFE\xFFa", crate::UTF_16LE, 2),
        ] {
            let place = LineColumn::in_bytes(bytes, bytes.len() as u64 - 1, encoding);
            assert_eq!(place, LineColumn { line: 1, column }, "{encoding} {bytes:02X?}");
        }
    }
}
