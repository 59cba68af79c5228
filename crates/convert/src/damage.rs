//! Damaged texts: UTF-8 with a few malformed sequences, and streams of which a part is UTF-16 and a part is not. Such a
//! text is never converted as something else, unless the caller asks for it.

use core::{error::Error, fmt, ops::ControlFlow};

pub use textcodec::sniff::structure::{Damage, Examination, Findings};

use crate::{
    buffers,
    charset::{Charset, Status},
    position::Position,
};

/// The damage of a text, and its place. As an error, it says why no encoding was chosen for the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Damaged {
    /// The kind of the damage.
    pub damage: Damage,
    /// The number of malformed sequences of UTF-8.
    pub malformed: u64,
    /// The offset in bytes of the first malformed sequence, or of the first change between two encodings.
    pub offset: u64,
    /// The place of the first malformed sequence; the start of the text if there is a change between two encodings.
    pub position: Position,
}

impl Damaged {
    /// The damage that `findings` tell. `place` finds the place of the first malformed sequence.
    ///
    /// # Errors
    /// The error of `place`, which may have to read the text again.
    pub fn at<E>(findings: &Findings, place: impl FnOnce() -> Result<Position, E>) -> Result<Option<Self>, E> {
        let Some(damage) = findings.damage else { return Ok(None) };
        let (offset, position) = match (damage, findings.first_malformed) {
            (Damage::Mixed { offset, .. }, _) => (offset, Position::default()),
            (_, first) => (first.unwrap_or(0), place()?),
        };
        Ok(Some(Damaged { damage, malformed: findings.malformed, offset, position }))
    }

    /// The damage that `findings` tell about a text, of which `start` has the bytes up to the first malformed sequence.
    #[must_use]
    pub fn in_start(findings: &Findings, start: &[u8]) -> Option<Self> {
        let place = || {
            let offset = usize::try_from(findings.first_malformed.unwrap_or(0)).unwrap_or(usize::MAX);
            let mut place = Place::new();
            place.advance(start.get(..offset).unwrap_or(start));
            Ok::<_, core::convert::Infallible>(place.position())
        };
        Self::at(findings, place).ok().flatten()
    }

    /// The damage of a whole text.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let mut examination = Examination::new();
        examination.feed(bytes);
        Self::in_start(&examination.findings(true), bytes)
    }

    /// The damage without its place.
    #[must_use]
    pub const fn summary(&self) -> Summary<'_> {
        Summary(self)
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)?;
        if matches!(self.damage, Damage::Mixed { .. }) {
            return Ok(());
        }
        let first = if self.malformed == 1 { "" } else { "the first " };
        write!(f, ", {first}at {} (byte offset {})", self.position.for_editors(), self.offset)
    }
}

impl Error for Damaged {}

/// The damage of a text without its place, in words.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a>(&'a Damaged);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damaged { damage, malformed, offset, .. } = self.0;
        match damage {
            Damage::Mixed { is_utf_16_first, .. } => {
                let (before, after) = if *is_utf_16_first { ("", " not") } else { (" not", "") };
                write!(
                    f,
                    "a part is UTF-16 and a part is not: the first {offset} bytes are{before} UTF-16, and the bytes \
                     after them are{after}"
                )
            }
            _ => {
                let s = if *malformed == 1 { "" } else { "s" };
                write!(f, "damaged UTF-8: {malformed} malformed sequence{s}")
            }
        }
    }
}

/// Whether a stream starts with a byte order mark of UTF-16.
#[must_use]
pub fn has_mark_of_utf_16(start: &[u8]) -> bool {
    start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF")
}

/// Finds the place after the first bytes of a text in UTF-8, which come piece by piece.
#[derive(Debug)]
pub struct Place {
    decoder: crate::charset::Decoder,
    position: Position,
}

impl Place {
    /// The start of a text.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a place is the start of a search")]
    pub fn new() -> Self {
        Place { decoder: Charset::UTF_8.new_decoder(false), position: Position::default() }
    }

    /// Reads the next bytes.
    pub fn advance(&mut self, piece: &[u8]) {
        let position = &mut self.position;
        let mut text = buffers::Text::new();
        let _ = self.decoder.decode_pieces(piece, &mut text, false, |_, text, decoded| {
            // The text before a malformed sequence that nobody has asked for has no replacement here.
            debug_assert!(
                !matches!(decoded.status, Status::Malformed(_)),
                "the first malformed sequence ends the bytes"
            );
            *position = position.after(text);
            text.clear();
            ControlFlow::<()>::Continue(())
        });
    }

    /// The place after the bytes that were read.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_utf_8_has_the_number_and_the_place_of_its_malformed_sequences() {
        let text = ["Grüße\n".repeat(20).as_bytes(), b"caf\xE9 ", "Grüße\n".repeat(20).as_bytes(), b"\xE9 e"].concat();
        let damaged = Damaged::of(&text).unwrap();
        assert_eq!((damaged.damage, damaged.malformed, damaged.offset), (Damage::Utf8, 2, 163));
        assert_eq!(damaged.to_string(), "damaged UTF-8: 2 malformed sequences, the first at 21:4 (byte offset 163)");
        assert_eq!(Damaged::of("Grüße".as_bytes()), None);
    }

    #[test]
    fn a_mixture_has_its_place_at_the_start_whatever_is_malformed() {
        let utf_16: Vec<u8> = "und mehr\n".repeat(30).encode_utf16().flat_map(u16::to_le_bytes).collect();
        for line in [&b"one line\r\n"[..], b"one line\r\ncaf\xE9\r\n"] {
            let start = line.repeat(9);
            let damaged = Damaged::of(&[&start[..], &utf_16].concat()).unwrap();
            let Damage::Mixed { offset, is_utf_16_first: false } = damaged.damage else { panic!("{damaged:?}") };
            assert_eq!((offset, damaged.offset), (start.len() as u64, start.len() as u64));
            assert_eq!(damaged.position, Position::default());
        }
    }

    #[test]
    fn the_place_in_a_text_does_not_depend_on_the_pieces() {
        let text = "\u{FEFF}Grüße\r\naus ☃\n\n𝄞 und mehr";
        let expected = Position::default().after(text.trim_start_matches('\u{FEFF}'));
        for length in 1..=text.len() {
            let mut place = Place::new();
            text.as_bytes().chunks(length).for_each(|piece| place.advance(piece));
            assert_eq!(place.position(), expected, "pieces of {length}");
        }
    }

    #[test]
    fn both_byte_order_marks_of_utf_16_are_known() {
        for (start, expected) in [
            (&b"\xFF\xFEa\0"[..], true),
            (b"\xFE\xFF\0a", true),
            (b"\xFF\xFE", true),
            (b"\xFF", false),
            (b"\xEF\xBB\xBFa", false),
            (b"a\xFF\xFE", false),
            (b"", false),
        ] {
            assert_eq!(has_mark_of_utf_16(start), expected, "{start:X?}");
        }
    }
}
