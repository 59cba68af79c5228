//! Changes to the text between decoding and encoding. Each takes the text in pieces and keeps a bounded part of it.

mod newlines;
mod normalization;
mod transliteration;

use alloc::string::String;

pub use self::{
    newlines::{LineEndings, Newlines},
    normalization::{Normalization, Normalizer},
    transliteration::{Transliterated, transliterate, transliterate_character},
};

/// The steps for one stream.
#[derive(Debug)]
pub(crate) struct Steps {
    line_endings: Option<LineEndings>,
    normalizer: Option<Normalizer>,
    /// The text between two steps.
    between: String,
}

impl Steps {
    /// `None` if no step changes anything. `is_ebcdic` says whether U+0085 ends a line of the input.
    pub(crate) fn new(newlines: Newlines, normalization: Normalization, is_ebcdic: bool) -> Option<Self> {
        let line_endings = LineEndings::new(newlines, is_ebcdic);
        let normalizer = Normalizer::new(normalization);
        (line_endings.is_some() || normalizer.is_some()).then(|| Steps {
            line_endings,
            normalizer,
            between: String::new(),
        })
    }

    /// Appends the changed `text` to `destination`. `last` says that the stream ends with `text`.
    pub(crate) fn apply(&mut self, text: &str, last: bool, destination: &mut String) {
        let Steps { line_endings, normalizer, between } = self;
        match (line_endings, normalizer) {
            (None, None) => destination.push_str(text),
            (Some(line_endings), None) => line_endings.apply(text, last, destination),
            (None, Some(normalizer)) => normalizer.apply(text, last, destination),
            (Some(line_endings), Some(normalizer)) => {
                between.clear();
                line_endings.apply(text, last, between);
                normalizer.apply(between, last, destination);
            }
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
            let mut steps = Steps::new(Newlines::Lf, Normalization::Nfc, false).unwrap();
            let mut changed = String::new();
            steps.apply(&text[..cut], false, &mut changed);
            steps.apply(&text[cut..], true, &mut changed);
            assert_eq!(changed, "é\nÅ\ne\n\u{301}\n", "{cut}");
        }
        assert!(Steps::new(Newlines::Keep, Normalization::Keep, true).is_none());
    }
}
