//! [Unicode normalization forms](https://www.unicode.org/reports/tr15/).

use alloc::string::String;

use unicode_normalization::{
    IsNormalized, UnicodeNormalization, char::canonical_combining_class, char::decompose_canonical, is_nfc_quick,
    is_nfd_quick,
};

/// The form of characters that can be written in several ways.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Normalization {
    /// A letter and its marks as one character where there is one (NFC), as nearly all text is written.
    Nfc,
    /// A letter and its marks apart (NFD), as in file names of macOS.
    Nfd,
    /// As they are in the input.
    #[default]
    Keep,
}

/// The number of bytes of a letter and its marks that are kept for the next piece. A letter with more marks is
/// normalized in parts; no language has such letters.
const LONGEST: usize = 64 * 1024;

/// Normalizes text in pieces.
#[derive(Clone, Debug)]
pub struct Normalizer {
    form: Form,
    /// The end of the text before, which the next characters can change.
    kept: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Nfc,
    Nfd,
}

impl Normalizer {
    /// `None` if the characters stay.
    #[must_use]
    pub fn new(normalization: Normalization) -> Option<Self> {
        let form = match normalization {
            Normalization::Nfc => Form::Nfc,
            Normalization::Nfd => Form::Nfd,
            Normalization::Keep => return None,
        };
        Some(Normalizer { form, kept: String::new() })
    }

    /// Whether no text is kept.
    #[cfg(feature = "std")]
    pub(super) fn is_at_rest(&self) -> bool {
        self.kept.is_empty()
    }

    /// Appends the normalized `text` to `destination`. `last` says that the stream ends with `text`.
    pub fn apply(&mut self, text: &str, last: bool, destination: &mut String) {
        // The text up to `end` does not depend on the text after it.
        // No character is put together with the end of a line.
        let end = if last || text.ends_with(['\n', '\u{85}']) { text.len() } else { self.last_boundary(text) };
        let (now, later) = text.split_at(end);
        if !self.kept.is_empty() && (end > 0 || last || self.kept.len() > LONGEST) {
            // The kept text ends at the first boundary of `now`.
            let first = if last { self.first_boundary(now) } else { self.first_boundary(now).min(end) };
            self.kept.push_str(&now[..first]);
            let kept = core::mem::take(&mut self.kept);
            self.normalize(&kept, destination);
            self.normalize(&now[first..], destination);
        } else {
            self.normalize(now, destination);
        }
        self.kept.push_str(later);
    }

    fn normalize(&self, text: &str, destination: &mut String) {
        let quick = match self.form {
            Form::Nfc => is_nfc_quick(text.chars()),
            Form::Nfd => is_nfd_quick(text.chars()),
        };
        match (quick, self.form) {
            (IsNormalized::Yes, _) => destination.push_str(text),
            (_, Form::Nfc) => destination.extend(text.nfc()),
            (_, Form::Nfd) => destination.extend(text.nfd()),
        }
    }

    /// The offset of the last character of `text` that nothing before it changes; 0 if there is none, or only the
    /// first.
    fn last_boundary(&self, text: &str) -> usize {
        text.char_indices().rev().find(|&(_, character)| self.is_boundary(character)).map_or(0, |(at, _)| at)
    }

    /// The offset of the first such character; the length of `text` if there is none.
    fn first_boundary(&self, text: &str) -> usize {
        text.char_indices().find(|&(_, character)| self.is_boundary(character)).map_or(text.len(), |(at, _)| at)
    }

    /// Whether no character before `character` changes with it.
    fn is_boundary(&self, character: char) -> bool {
        if character.is_ascii() {
            return true;
        }
        match self.form {
            Form::Nfc => is_boundary_of_nfc(character),
            Form::Nfd => {
                let mut first = None;
                decompose_canonical(character, |part| first = first.or(Some(part)));
                first.is_none_or(|first| canonical_combining_class(first) == 0)
            }
        }
    }
}

/// Whether no character before `character` is put together with it.
pub(super) fn is_boundary_of_nfc(character: char) -> bool {
    character.is_ascii()
        || canonical_combining_class(character) == 0 && is_nfc_quick(core::iter::once(character)) == IsNormalized::Yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_any_size_give_the_same_as_the_whole() {
        let text = "a\u{301}\u{F73}e\u{301}a\u{327}\u{301}\u{301}\u{1EA5}가\u{1100}\u{1161}\u{11A8}\u{AC00}\u{11A8}\u{0F73}\u{0F71}\
                    \u{344}ABC\u{212B}\u{2126}\u{9C7}\u{9BE}\u{301}\u{327}x\u{FB01}\u{1D15E}\u{0344}q\u{307}\u{323}";
        let characters: Vec<_> = text.chars().collect();
        for (normalization, expected) in
            [(Normalization::Nfc, text.nfc().collect::<String>()), (Normalization::Nfd, text.nfd().collect())]
        {
            for length in 1..=characters.len() {
                let mut normalizer = Normalizer::new(normalization).unwrap();
                let mut normalized = String::new();
                for piece in characters.chunks(length) {
                    normalizer.apply(&piece.iter().collect::<String>(), false, &mut normalized);
                }
                normalizer.apply("", true, &mut normalized);
                assert_eq!(normalized, expected, "{normalization:?} {length}");
            }
        }
    }

    #[test]
    fn endless_marks_need_bounded_memory() {
        let mut normalizer = Normalizer::new(Normalization::Nfc).unwrap();
        let marks = "\u{301}".repeat(10_000);
        let mut normalized = String::new();
        for _ in 0..100 {
            normalizer.apply(&marks, false, &mut normalized);
            assert!(normalizer.kept.len() <= LONGEST + 2 * marks.len());
        }
        normalizer.apply("", true, &mut normalized);
        assert_eq!(normalized.len(), 100 * marks.len());
    }
}
