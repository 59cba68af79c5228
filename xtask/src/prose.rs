//! A sample of the sentences in comments, for readers who judge how clear they are, and how often the noun "what"
//! occurs.
//!
//! The sample is drawn with a fixed seed and by rules that do not depend on the text, so that two versions of the
//! repository can be compared.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};

use crate::files;

/// The crate that is counted on its own, too.
const KERNELS: &str = "crates/kernels/";

/// How sentences are drawn.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The checkout to read; this one by default.
    checkout: Option<PathBuf>,
    /// How many sentences are drawn.
    #[arg(long, default_value_t = 240)]
    count: usize,
    /// Draws from files below this folder only, for example crates/kernels.
    #[arg(long, default_value = "")]
    under: String,
    /// The seed of the draw. The same seed gives the same sentences.
    #[arg(long, default_value_t = 21)]
    seed: u64,
    /// Prints the sentences without file and line, so that a reader cannot look at the code.
    #[arg(long)]
    without_places: bool,
}

/// A sentence, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sentence {
    /// Relative to the checkout.
    path: String,
    /// The number of the line in its file; the first line is 1.
    line: usize,
    text: String,
}

/// Prints a sample of sentences, and the rate of the noun "what" in all comments and in those of the kernels.
pub(crate) fn draw(root: &Path, options: &Options) -> Result<()> {
    let sentences = sentences_in(options.checkout.as_deref().unwrap_or(root))?;
    ensure!(!sentences.is_empty(), "there is no comment in a Rust file");
    let candidates: Vec<&Sentence> =
        sentences.iter().filter(|sentence| sentence.path.starts_with(&options.under)).collect();
    let mut text = String::new();
    for (number, sentence) in sample(&candidates, options.count, options.seed).into_iter().enumerate() {
        let place =
            if options.without_places { String::new() } else { format!("{}:{}: ", sentence.path, sentence.line) };
        text += &format!("{:3}. {place}{}\n", number + 1, sentence.text);
    }
    let kernels = sentences.iter().filter(|sentence| sentence.path.starts_with(KERNELS));
    text += &format!("\nSentences to draw from: {} of {}.\n", candidates.len(), sentences.len());
    text += &format!("The noun \"what\" in 1,000 words: {}.\n", Rate::of(sentences.iter()));
    text += &format!("In the kernels: {}.\n", Rate::of(kernels));
    match io::stdout().write_all(text.as_bytes()) {
        // A reader such as `head` does not want the rest.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// All sentences of the comments in hand-written Rust files, by path and line.
fn sentences_in(checkout: &Path) -> Result<Vec<Sentence>> {
    let mut sentences = Vec::new();
    for path in files::with_extension(checkout, "rs")? {
        let text = files::read(checkout, &path)?;
        if !text.starts_with("// @generated") {
            let of_file = sentences_of(&text);
            sentences.extend(of_file.into_iter().map(|(line, text)| Sentence { path: path.clone(), line, text }));
        }
    }
    Ok(sentences)
}

/// The sentences in the comments of a Rust file, each with the line where it begins.
///
/// A comment is a line that begins with `//`, `///` or `//!`. Lines in a row form paragraphs; an empty comment line, a
/// list item, another kind of comment and code end a paragraph. Headings, tables and blocks of code are left out.
fn sentences_of(text: &str) -> Vec<(usize, String)> {
    let mut sentences = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut is_in_code = false;
    let mut marker_before = "";
    for (number, line) in text.lines().enumerate() {
        let comment = comment_of(line);
        let (marker, content) = comment.unwrap_or_default();
        if comment.is_none() || marker != marker_before {
            is_in_code = false;
            paragraph.end(&mut sentences);
        }
        marker_before = marker;
        if content.starts_with("```") {
            is_in_code = !is_in_code && comment.is_some();
            paragraph.end(&mut sentences);
        } else if is_in_code || content.is_empty() || content.starts_with(['#', '|']) {
            paragraph.end(&mut sentences);
        } else {
            let item = content.strip_prefix("* ").or_else(|| content.strip_prefix("- ")).or_else(|| numbered(content));
            if item.is_some() {
                paragraph.end(&mut sentences);
            }
            paragraph.push(number + 1, item.unwrap_or(content));
        }
    }
    paragraph.end(&mut sentences);
    sentences
}

/// The marker and the trimmed content of a line that is a comment.
fn comment_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let marker = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker))?;
    Some((marker, line[marker.len()..].trim()))
}

/// The text after the number of an item in a list.
fn numbered(content: &str) -> Option<&str> {
    let (number, item) = content.split_once(". ")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(item)
}

/// The words of a paragraph, each with its line.
#[derive(Default)]
struct Paragraph {
    words: Vec<(usize, String)>,
}

impl Paragraph {
    fn push(&mut self, line: usize, content: &str) {
        self.words.extend(content.split_whitespace().map(|word| (line, word.to_owned())));
    }

    /// Moves the sentences of the paragraph to `sentences`. A line without a letter is not a sentence.
    fn end(&mut self, sentences: &mut Vec<(usize, String)>) {
        let mut sentence: Vec<(usize, String)> = Vec::new();
        for word in self.words.drain(..) {
            let is_last = ends_sentence(&word.1);
            sentence.push(word);
            if is_last {
                end_sentence(&mut sentence, sentences);
            }
        }
        end_sentence(&mut sentence, sentences);
    }
}

fn end_sentence(words: &mut Vec<(usize, String)>, sentences: &mut Vec<(usize, String)>) {
    let text = words.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
    if let Some(&(line, _)) = words.first()
        && text.contains(char::is_alphabetic)
    {
        sentences.push((line, text));
    }
    words.clear();
}

/// Whether a sentence ends with `word`: with a full stop, question mark or exclamation mark, perhaps inside quotes or
/// brackets.
fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches([')', '"', '\'', '`', '*', ']', '”']);
    word.ends_with(['.', '!', '?']) && !["e.g.", "i.e.", "etc."].contains(&word)
}

/// At most `count` of `sentences`, drawn without repetition.
fn sample<'a>(sentences: &[&'a Sentence], count: usize, seed: u64) -> Vec<&'a Sentence> {
    let mut rest = sentences.to_vec();
    let mut random = SplitMix(seed);
    let count = count.min(rest.len());
    (0..count).map(|_| rest.swap_remove((random.next() % rest.len() as u64) as usize)).collect()
}

/// A generator of random numbers that is the same everywhere: [SplitMix64](https://prng.di.unimi.it/splitmix64.c).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    }
}

/// How often the noun "what" occurs among how many words.
struct Rate {
    whats: usize,
    words: usize,
}

impl Rate {
    /// The word "what" counts as a noun wherever it does not stand in a question.
    fn of<'a>(sentences: impl Iterator<Item = &'a Sentence>) -> Self {
        let mut rate = Rate { whats: 0, words: 0 };
        for sentence in sentences {
            let is_question = sentence.text.trim_end_matches(['"', ')', '*']).ends_with('?');
            for word in sentence.text.split(|character: char| !character.is_alphanumeric() && character != '\'') {
                rate.words += usize::from(word.contains(char::is_alphabetic));
                rate.whats += usize::from(!is_question && word.eq_ignore_ascii_case("what"));
            }
        }
        rate
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Rate { whats, words } = *self;
        write!(f, "{:.1} ({whats} in {words} words)", 1000.0 * whats as f64 / words.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        sentences_of(source).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_sentence_goes_on_in_the_next_line_and_ends_with_its_paragraph() {
        let source =
            "//! One sentence\n//! in two lines. Another one\n//!\n//! Not the same.\nfn code() {} // not read\n";
        assert_eq!(
            sentences_of(source),
            [
                (1, "One sentence in two lines.".to_owned()),
                (2, "Another one".to_owned()),
                (4, "Not the same.".to_owned())
            ]
        );
    }

    #[test]
    fn each_kind_of_comment_and_each_item_of_a_list_is_apart() {
        let source = "/// Documentation\n// SAFETY: a proof.\n/// * one\n/// * two\n/// 3. three\n";
        assert_eq!(texts(source), ["Documentation", "SAFETY: a proof.", "one", "two", "three"]);
    }

    #[test]
    fn code_tables_and_headings_are_left_out() {
        let source =
            "/// # Errors\n/// ```\n/// let a = b.c();\n/// ```\n/// | a | b. |\n/// Text.\nlet x = \"http://a.b\";\n";
        assert_eq!(texts(source), ["Text."]);
    }

    #[test]
    fn a_full_stop_inside_a_word_or_an_abbreviation_ends_no_sentence() {
        assert_eq!(
            texts("// See e.g. `a.b` (in 1.5). Then \"this.\" Stop"),
            ["See e.g. `a.b` (in 1.5).", "Then \"this.\"", "Stop"]
        );
    }

    #[test]
    fn what_counts_outside_of_questions() {
        let sentence = |text: &str| Sentence { path: String::new(), line: 1, text: text.to_owned() };
        let sentences = [sentence("What is short is what counts."), sentence("What is it?"), sentence("whatever")];
        let Rate { whats, words } = Rate::of(sentences.iter());
        assert_eq!((whats, words), (2, 10));
    }

    #[test]
    fn the_same_seed_draws_the_same_sentences_and_none_twice() {
        let all: Vec<Sentence> =
            (0..50).map(|line| Sentence { path: String::new(), line, text: line.to_string() }).collect();
        let all: Vec<&Sentence> = all.iter().collect();
        let drawn = sample(&all, 20, 7);
        assert_eq!(drawn, sample(&all, 20, 7));
        assert_ne!(drawn, sample(&all, 20, 8));
        let mut lines: Vec<usize> = sample(&all, 60, 7).iter().map(|sentence| sentence.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, (0..50).collect::<Vec<_>>());
    }
}
