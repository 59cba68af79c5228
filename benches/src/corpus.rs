//! Texts for the benchmark.

use std::{env, fs, path::PathBuf};

use crate::{Kind, Language, Random};

/// The environment variable with the folder of real texts.
const VARIABLE: &str = "TEXTCODEC_CORPORA";

/// The least length in bytes of a piece of markup that ends before a tag.
const MARKUP: usize = 256;

/// A source of texts.
///
/// If the environment variable `TEXTCODEC_CORPORA` is set, it names a folder with files such as `ja.txt` and `ja.html`
/// in UTF-8; [`Language::key`] gives their names. Otherwise texts are made up, with the same mixture of characters.
///
/// Branch predictors learn a short text that is converted again and again. So the sentences of a text are put into a
/// random order, with a fixed seed, up to the wanted length; no sentence occurs twice before all have occurred once.
#[derive(Debug)]
pub struct Corpus {
    folder: Option<PathBuf>,
    length: usize,
}

impl Corpus {
    /// Texts of about `length` bytes of UTF-8, from the folder that the environment names, if it names one.
    #[must_use]
    pub fn from_environment(length: usize) -> Self {
        Corpus { folder: env::var_os(VARIABLE).map(PathBuf::from), length }
    }

    /// Made-up texts of about `length` bytes of UTF-8.
    #[must_use]
    pub const fn made_up(length: usize) -> Self {
        Corpus { folder: None, length }
    }

    /// Texts of about `length` bytes of UTF-8 from the same source.
    #[must_use]
    pub fn with_length(&self, length: usize) -> Self {
        Corpus { folder: self.folder.clone(), length }
    }

    /// The approximate length of a text, in bytes of UTF-8.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// A description of the source of the texts.
    #[must_use]
    pub fn origin(&self) -> String {
        match self.folder {
            Some(_) => format!("sentences from the folder of {VARIABLE} in a random order"),
            None => format!("made up ({VARIABLE} is not set)"),
        }
    }

    /// A text or a page in `language`.
    ///
    /// # Panics
    /// If the folder does not contain the file.
    #[must_use]
    pub fn text(&self, language: Language, kind: Kind) -> String {
        let Some(folder) = &self.folder else {
            return match kind {
                Kind::Html => language.make_up_html(self.length),
                _ => language.make_up_text(self.length),
            };
        };
        let extension = if kind == Kind::Html { "html" } else { "txt" };
        let path = folder.join(format!("{}.{extension}", language.key()));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        let sentences = if kind == Kind::Html { pieces_of_markup(&text) } else { sentences(&text) };
        assert!(!sentences.is_empty(), "{} is empty", path.display());
        resample(sentences, self.length)
    }
}

/// `text`, cut after each character that ends a sentence or a line.
fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['\n', '.', '!', '?', '。', '！', '？', '؟', '।']).collect()
}

/// `html`, cut after the ends of lines, and before a tag where a line is long.
fn pieces_of_markup(html: &str) -> Vec<&str> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, _) in html.match_indices(['\n', '<']) {
        let end = if html[at..].starts_with('\n') { at + 1 } else { at };
        let is_piece = end > at || at - start >= MARKUP;
        if is_piece {
            pieces.push(&html[start..end]);
            start = end;
        }
    }
    if start < html.len() {
        pieces.push(&html[start..]);
    }
    pieces
}

/// A text of up to `length` bytes: all of `sentences` in a random order, then all again in another random order, and so
/// on. There must be at least one sentence.
fn resample(mut sentences: Vec<&str>, length: usize) -> String {
    let (mut random, mut text) = (Random::new(0x7E78), String::with_capacity(length + 1024));
    loop {
        random.shuffle(&mut sentences);
        for sentence in &sentences {
            if text.len() >= length {
                return text;
            }
            text.push_str(sentence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_loses_nothing() {
        let text = "Eins. Zwei\nこれは。ペンです！";
        assert_eq!(sentences(text).concat(), text);
        assert_eq!(sentences(text).len(), 4);

        let html = format!("<p>\n{}<b>x</b>", "<i>a</i>".repeat(100));
        let pieces = pieces_of_markup(&html);
        assert_eq!(pieces.concat(), html);
        assert_eq!(pieces[0], "<p>\n");
        assert!(pieces.len() > 3 && pieces[1..].iter().all(|piece| piece.starts_with('<')));
    }

    #[test]
    fn resampling_reaches_the_length_and_uses_every_sentence_before_one_again() {
        let text = resample(vec!["a", "b", "c", "d"], 10);
        assert_eq!(text.len(), 10);
        for round in [&text[..4], &text[4..8]] {
            assert!("abcd".chars().all(|sentence| round.contains(sentence)), "{text}");
        }
    }
}
