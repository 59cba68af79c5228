//! Letters with marks in the form that a charset has: as one character ("é"), or as several ("ê" and an acute accent in
//! windows-1258). The forms are canonically equivalent, so nothing is lost.

use alloc::{string::String, vec::Vec};

use unicode_normalization::UnicodeNormalization;

use super::normalization::is_boundary_of_nfc;
use crate::charset::{Charset, Encoder};

/// The number of bytes of a letter and its marks that are kept for the next piece.
const LONGEST: usize = 64 * 1024;

/// The greatest number of marks of a letter for which each choice of marks to put together with the letter is tried.
const MARKS: usize = 4;

/// Rewrites letters with marks in text that comes in pieces, where a charset has only another form of them.
#[derive(Debug)]
pub(super) struct Recomposer {
    charset: Charset,
    encoder: Encoder,
    /// The end of the text before, to which marks can follow.
    kept: String,
}

impl Recomposer {
    /// `None` if the charset has every form, or no text can be written in it.
    pub(super) fn new(charset: Charset) -> Option<Self> {
        // One letter and one mark of each kind that only charsets with all characters have.
        let has_all = charset.can_encode("\u{1EBF}\u{304}\u{5B0}\u{1161}");
        let encoder = charset.new_encoder().filter(|_| !has_all)?;
        Some(Recomposer { charset, encoder, kept: String::new() })
    }

    /// Whether no text is kept.
    #[cfg(feature = "std")]
    pub(super) fn is_at_rest(&self) -> bool {
        self.kept.is_empty()
    }

    /// Appends the rewritten `text` to `destination`. `last` says that the stream ends with `text`.
    pub(super) fn apply(&mut self, text: &str, last: bool, destination: &mut String) {
        let mut whole = core::mem::take(&mut self.kept);
        let text = match whole.is_empty() {
            true => text,
            false => {
                whole.push_str(text);
                &whole
            }
        };
        // No mark is put together with the end of a line.
        let is_all = last || text.ends_with(['\n', '\u{85}']) || text.len() > LONGEST && is_one(text);
        let end = if is_all { text.len() } else { last_boundary(text) };
        let (now, later) = text.split_at(end);
        if now.is_ascii() || self.charset.can_encode(now) {
            destination.push_str(now);
        } else {
            self.rewrite(now, destination);
        }
        self.kept = String::from(later);
    }

    fn rewrite(&mut self, text: &str, destination: &mut String) {
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let end = rest.char_indices().skip(1).find(|&(_, character)| is_boundary_of_nfc(character));
            let letter = &rest[..end.map_or(rest.len(), |(at, _)| at)];
            start += letter.len();
            if letter.is_ascii() || self.can_encode(letter) {
                destination.push_str(letter);
                continue;
            }
            match self.recompose(letter) {
                Some(form) => destination.push_str(&form),
                // A letter without its marks is looked for in what stands here.
                None => destination.extend(letter.nfc()),
            }
        }
    }

    /// The form of `letter`, a letter with its marks, that the charset has.
    fn recompose(&mut self, letter: &str) -> Option<String> {
        let composed: String = letter.nfc().collect();
        if self.can_encode(&composed) {
            return Some(composed);
        }
        let decomposed: Vec<char> = letter.nfd().collect();
        let (&base, marks) = decomposed.split_first()?;
        if marks.is_empty() || marks.len() > MARKS {
            return None;
        }
        // Each set of marks is put together with the letter; the others follow in their order.
        (0..1_u32 << marks.len()).rev().find_map(|set| {
            let is_in = |number: usize| set >> number & 1 == 1;
            let chosen = |wanted: bool| {
                marks.iter().enumerate().filter(move |&(number, _)| is_in(number) == wanted).map(|(_, &mark)| mark)
            };
            let form: String = core::iter::once(base).chain(chosen(true)).nfc().chain(chosen(false)).collect();
            let is_same = form.nfd().eq(decomposed.iter().copied());
            (is_same && self.can_encode(&form)).then_some(form)
        })
    }

    fn can_encode(&mut self, text: &str) -> bool {
        text.chars().all(|character| self.encoder.can_encode(character))
    }
}

/// Whether `text` is one letter with its marks.
fn is_one(text: &str) -> bool {
    last_boundary(text) == 0
}

/// The offset of the last character of `text` that is no mark; 0 if there is none.
fn last_boundary(text: &str) -> usize {
    text.char_indices().rev().find(|&(_, character)| is_boundary_of_nfc(character)).map_or(0, |(at, _)| at)
}

/// The text with letters and marks in the form that `charset` has.
pub(super) fn recompose(text: &str, charset: Charset) -> Option<String> {
    let mut recomposer = Recomposer::new(charset)?;
    let mut recomposed = String::with_capacity(text.len());
    recomposer.apply(text, true, &mut recomposed);
    Some(recomposed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{BIG5, EUC_KR, GBK, UTF_8, WINDOWS_1252, WINDOWS_1258};

    #[test]
    fn a_letter_with_marks_gets_the_form_that_the_charset_has() {
        for (charset, text, expected) in [
            (WINDOWS_1258, "Tiếng Việt", "Tiê\u{301}ng Viê\u{323}t"),
            (WINDOWS_1258, "ở Đà Nẵng, ữ", "ơ\u{309} Đà Nă\u{303}ng, ư\u{303}"),
            (WINDOWS_1252, "e\u{301} n\u{303} a\u{30A}", "é ñ å"),
            // What the charset has stays as it is.
            (WINDOWS_1258, "e\u{301} \u{ea}\u{301} é", "e\u{301} ê\u{301} é"),
            // What it has in no form becomes one character.
            (WINDOWS_1252, "e\u{302}\u{301} \u{301}", "ế \u{301}"),
            (EUC_KR, "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"),
            (GBK, "u\u{308}\u{304}", "ǖ"),
            (BIG5, "plain", "plain"),
        ] {
            for form in [text.chars().collect(), text.nfd().collect::<String>()] {
                // The charset has both forms of some letters.
                if form == text || charset != WINDOWS_1258 || !form.contains(['\u{300}', '\u{301}']) {
                    assert_eq!(recompose(&form, charset.into()).as_deref(), Some(expected), "{form}");
                }
                let whole = recompose(&form, charset.into()).unwrap();
                assert!(whole.nfd().eq(text.nfd()), "{form}");
                for length in 1..4 {
                    let mut recomposer = Recomposer::new(charset.into()).unwrap();
                    let mut pieces = String::new();
                    for piece in form.chars().collect::<Vec<_>>().chunks(length) {
                        recomposer.apply(&piece.iter().collect::<String>(), false, &mut pieces);
                    }
                    recomposer.apply("", true, &mut pieces);
                    assert_eq!(pieces, whole, "{form} in pieces of {length}");
                }
            }
        }
        // A charset with the letters that have two marks.
        for (text, expected) in [("ê\u{301}", "ế"), ("e\u{302}\u{301} o\u{31B}\u{323}", "ế ợ"), ("Viê\u{323}t", "Việt")]
        {
            let viscii = Charset::for_label("viscii").unwrap();
            assert_eq!(recompose(text, viscii).as_deref(), Some(expected), "{text}");
        }
        for label in ["utf-8", "utf-16le", "gb18030", "utf-32"] {
            assert_eq!(recompose("é", Charset::for_label(label).unwrap()), None, "{label}");
        }
        assert!(Recomposer::new(UTF_8.into()).is_none());
    }

    #[test]
    fn endless_marks_need_bounded_memory() {
        let mut recomposer = Recomposer::new(WINDOWS_1252.into()).unwrap();
        let marks = "\u{301}".repeat(10_000);
        let mut recomposed = String::new();
        for _ in 0..20 {
            recomposer.apply(&marks, false, &mut recomposed);
            assert!(recomposer.kept.len() <= LONGEST + marks.len());
        }
        recomposer.apply("", true, &mut recomposed);
        assert_eq!(recomposed.len(), 20 * marks.len());
    }

    #[test]
    fn up_to_four_marks_are_put_together_with_a_letter_in_each_way() {
        let vietnamese = Charset::from(WINDOWS_1258);
        for (letter, expected) in [
            // The first mark that composes with the letter does, and the others stay in their order.
            ("ọ\u{301}", "ó\u{323}"),
            ("ṍ", "o\u{303}\u{301}"),
            ("ệ\u{301}\u{309}", "ê\u{323}\u{301}\u{309}"),
            ("ệ\u{301}\u{309}\u{300}", "ệ\u{301}\u{309}\u{300}"),
        ] {
            let found = recompose(letter, vietnamese).unwrap();
            assert_eq!(found, expected, "{letter}");
            let is_possible = letter.nfd().count() <= 1 + MARKS;
            assert_eq!(vietnamese.can_encode(&found), is_possible, "{letter}");
        }
        // Every other charset has all characters.
        for charset in Charset::all().filter(|charset| charset.is_writable() && Recomposer::new(*charset).is_none()) {
            assert!(charset.can_encode("\u{E01}\u{5B0}\u{1161}\u{93C}\u{1EB7}\u{323}日"), "{charset}");
        }
    }
}
