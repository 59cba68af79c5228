//! Changes to the text between decoding and encoding. Each takes the text in pieces and keeps a bounded part of it.

mod newlines;
mod normalization;
mod recomposition;
mod transliteration;

use alloc::string::String;

use self::recomposition::Recomposer;
pub use self::{
    newlines::{LineEndings, Newlines},
    normalization::{Normalization, Normalizer},
    transliteration::{Transliterated, transliterate, transliterate_character, twin},
};
use crate::charset::Charset;

/// The steps for one stream.
#[derive(Debug)]
pub(crate) struct Steps {
    line_endings: Option<LineEndings>,
    normalizer: Option<Normalizer>,
    recomposer: Option<Recomposer>,
    /// The text between two steps, and a second one.
    between: [String; 2],
}

impl Steps {
    /// `None` if no step changes anything. `is_ebcdic` says whether U+0085 ends a line of the input. Letters and marks
    /// get the form that the charset `for_charset` has.
    pub(crate) fn new(
        newlines: Newlines,
        normalization: Normalization,
        is_ebcdic: bool,
        for_charset: Option<Charset>,
    ) -> Option<Self> {
        let line_endings = LineEndings::new(newlines, is_ebcdic);
        let normalizer = Normalizer::new(normalization);
        let recomposer = for_charset.and_then(Recomposer::new);
        let is_any = line_endings.is_some() || normalizer.is_some() || recomposer.is_some();
        is_any.then(|| Steps { line_endings, normalizer, recomposer, between: [String::new(), String::new()] })
    }

    /// Whether no step waits for the text that follows, so that the text after this place is changed as at the start of
    /// a stream.
    #[cfg(feature = "std")]
    pub(crate) fn is_at_rest(&self) -> bool {
        self.line_endings.as_ref().is_none_or(LineEndings::is_at_rest)
            && self.normalizer.as_ref().is_none_or(Normalizer::is_at_rest)
            && self.recomposer.as_ref().is_none_or(Recomposer::is_at_rest)
    }

    /// Appends the changed `text` to `destination`. `last` says that the stream ends with `text`.
    pub(crate) fn apply(&mut self, text: &str, last: bool, destination: &mut String) {
        let Steps { line_endings, normalizer, recomposer, between: [first, second] } = self;
        first.clear();
        second.clear();
        let mut text = text;
        if let Some(line_endings) = line_endings {
            if normalizer.is_none() && recomposer.is_none() {
                return line_endings.apply(text, last, destination);
            }
            line_endings.apply(text, last, first);
            text = first;
        }
        if let Some(normalizer) = normalizer {
            if recomposer.is_none() {
                return normalizer.apply(text, last, destination);
            }
            normalizer.apply(text, last, second);
            text = second;
        }
        match recomposer {
            Some(recomposer) => recomposer.apply(text, last, destination),
            None => destination.push_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_each_other_at_every_boundary() {
        let text = "e\u{301}\r\nA\u{30A}\re\n\u{301}\r\n";
        for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            let mut steps = Steps::new(Newlines::Lf, Normalization::Nfc, false, None).unwrap();
            let mut changed = String::new();
            steps.apply(&text[..cut], false, &mut changed);
            steps.apply(&text[cut..], true, &mut changed);
            assert_eq!(changed, "é\nÅ\ne\n\u{301}\n", "{cut}");
        }
        let mut steps = Steps::new(Newlines::Lf, Normalization::Nfd, false, None).unwrap();
        for (text, is_at_rest) in [("", true), ("a", false), ("\n", true), ("\r", false), ("\n", true), ("é", false)] {
            steps.apply(text, false, &mut String::new());
            assert_eq!(steps.is_at_rest(), is_at_rest, "{text:?}");
        }
        let vietnamese = Some(textcodec::WINDOWS_1258.into());
        for (newlines, normalization, charset, waiting) in [
            (Newlines::Crlf, Normalization::Keep, None, "\r"),
            (Newlines::Keep, Normalization::Nfc, None, "e"),
            (Newlines::Keep, Normalization::Keep, vietnamese, "e"),
        ] {
            let mut steps = Steps::new(newlines, normalization, false, charset).unwrap();
            for (text, is_at_rest) in [("a\n", true), (waiting, false), ("b\n", true)] {
                steps.apply(text, false, &mut String::new());
                assert_eq!(steps.is_at_rest(), is_at_rest, "{newlines:?} {normalization:?} {text:?}");
            }
        }
        let steps = |charset| Steps::new(Newlines::Keep, Normalization::Keep, true, charset);
        assert!(steps(None).is_none() && steps(Some(Charset::UTF_8)).is_none());
        let for_vietnamese = Some(textcodec::WINDOWS_1258.into());
        for (normalization, text) in [(Normalization::Nfd, "ệ\r"), (Normalization::Nfc, "e\u{302}\r\u{323}")] {
            let mut steps = Steps::new(Newlines::Lf, normalization, false, for_vietnamese).unwrap();
            let mut changed = String::new();
            steps.apply(text, true, &mut changed);
            assert!(changed.starts_with("ê\u{323}\n") || changed == "ê\n\u{323}", "{changed:?}");
        }
    }

    #[test]
    fn all_steps_together_do_not_depend_on_the_pieces() {
        let text = "Vie\u{302}\u{323}t\r\nĐà Nẵng\re\u{301}\n ở\u{301}\r\n";
        for (newlines, normalization) in [
            (Newlines::Crlf, Normalization::Nfd),
            (Newlines::Lf, Normalization::Nfc),
            (Newlines::Keep, Normalization::Nfd),
            (Newlines::Nel, Normalization::Keep),
        ] {
            let change = |length: usize| {
                let charset = Some(textcodec::WINDOWS_1258.into());
                let mut steps = Steps::new(newlines, normalization, false, charset).unwrap();
                let mut changed = String::new();
                let characters: alloc::vec::Vec<char> = text.chars().collect();
                for piece in characters.chunks(length) {
                    steps.apply(&String::from_iter(piece), false, &mut changed);
                }
                steps.apply("", true, &mut changed);
                changed
            };
            let whole = change(text.len());
            assert!(Charset::from(textcodec::WINDOWS_1258).can_encode(&whole.replace('\u{85}', "")), "{whole:?}");
            for length in 1..=8 {
                assert_eq!(change(length), whole, "{newlines:?} {normalization:?} {length}");
            }
        }
    }
}
