//! Writes docs/missing.md: for each encoding of the Standard, the letters, the punctuation and the currency signs that
//! it does not have, and what `--transliterate` writes in their place. `cargo xtask missing` runs it.
//!
//! The languages and their letters are those of indexes/exemplars.tsv.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf};

use textcodec::Encoding;
use textcodec_convert::{Charset, charset::EncodeStatus, text::transliterate};
use unicode_normalization::UnicodeNormalization;

/// The greatest number of characters of a language that the page lists one by one.
const LISTED: usize = 40;

fn main() {
    fs::write(path("docs/missing.md"), page()).expect("docs/missing.md can be written");
}

fn path(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", file].iter().collect()
}

/// A language, or the currency signs.
struct Exemplars {
    name: String,
    letters: Vec<char>,
    punctuation: Vec<char>,
}

/// The lines of indexes/exemplars.tsv.
fn exemplars() -> Vec<Exemplars> {
    let text = fs::read_to_string(path("indexes/exemplars.tsv")).expect("indexes/exemplars.tsv is there");
    let line = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, name, letters, punctuation] = *columns else { panic!("a line has other columns: {line}") };
        let mut all = expand(letters);
        // A letter in lower case has one in upper case.
        let upper: Vec<char> = all.iter().flat_map(|letter| letter.to_uppercase()).collect();
        all.extend(upper);
        all.sort_unstable();
        all.dedup();
        Exemplars { name: name.to_owned(), letters: all, punctuation: expand(punctuation) }
    };
    text.lines().filter(|text| !text.starts_with('#')).map(line).collect()
}

/// The characters of a list with ranges such as "a-z".
fn expand(list: &str) -> Vec<char> {
    let (mut found, mut characters) = (Vec::new(), list.chars());
    while let Some(character) = characters.next() {
        match (character, found.last().copied()) {
            ('-', Some(first)) => found.extend((first..=characters.next().expect("a range has an end")).skip(1)),
            _ => found.push(character),
        }
    }
    found
}

/// What an encoding does with a character.
enum Written {
    /// It has the character, or writes the same text as a letter and marks, or as a twin.
    Exactly,
    /// `--transliterate` writes this text.
    As(String),
    /// It cannot be written.
    Not,
}

/// Whether the charset has all characters of the text.
fn has(text: &str, charset: Charset) -> bool {
    let mut encoder = charset.new_encoder().expect("text can be written in it");
    encoder.encode(text, &mut [0; 64], true).status == EncodeStatus::InputEmpty
}

fn has_letter(letter: char, charset: Charset) -> bool {
    has(letter.encode_utf8(&mut [0; 4]), charset)
}

fn written(character: char, charset: Charset) -> Written {
    if has_letter(character, charset) {
        return Written::Exactly;
    }
    let likeness = transliterate(&character.to_string(), charset).text;
    match likeness {
        likeness if !has(&likeness, charset) => Written::Not,
        likeness if likeness.nfc().eq([character]) => Written::Exactly,
        likeness => Written::As(likeness),
    }
}

/// Whether the charset may have half of the letters, as far as some of them tell.
fn may_be_written_in(letters: &[char], charset: Charset) -> bool {
    let sample = || letters.iter().step_by(1 + letters.len() / 100);
    let base = |letter: char| letter.nfd().next().unwrap_or(letter);
    let found = sample().filter(|&&letter| has_letter(letter, charset) || has_letter(base(letter), charset)).count();
    found * 3 >= sample().count()
}

/// The characters that the encoding does not have, with what takes their place: first those with a likeness.
fn missing(characters: &[char], charset: Charset) -> (usize, Vec<String>) {
    let (mut alike, mut lost) = (Vec::new(), Vec::new());
    for &character in characters {
        match written(character, charset) {
            Written::Exactly => {}
            Written::As(text) => alike.push(format!("{} {}", shown(character), cell(&text))),
            Written::Not => lost.push(shown(character)),
        }
    }
    let number = alike.len() + lost.len();
    let rest = (alike.len() + lost.len()).saturating_sub(LISTED);
    let mut listed: Vec<String> = Vec::new();
    lost.truncate(LISTED.saturating_sub(alike.len()));
    alike.truncate(LISTED);
    listed.extend(alike);
    if !lost.is_empty() {
        listed.push(format!("not {}", lost.join(" ")));
    }
    if rest > 0 {
        listed.push(format!("and {rest} more"));
    }
    (number, listed)
}

/// A character of a table; a combining mark stands on a circle.
fn shown(character: char) -> String {
    let is_mark = unicode_normalization::char::is_combining_mark(character);
    if is_mark { format!("\u{25CC}{character}") } else { cell(&character.to_string()) }
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    match text {
        " " => "space".to_owned(),
        "" => "nothing".to_owned(),
        text => text.chars().fold(String::new(), |cell, character| match character {
            '|' | '`' | '*' | '_' | '<' | '>' | '&' | '[' | ']' | '\\' => cell + "\\" + &character.to_string(),
            character => cell + &character.to_string(),
        }),
    }
}

fn page() -> String {
    let mut page = String::from(
        "<!-- Written by `cargo xtask missing`. -->\n\n\
         # What each encoding cannot write\n\n\
         This page is for users who write text in an old encoding. For each encoding of the Standard, it names the\n\
         languages whose letters the encoding has, and the letters, the punctuation and the currency signs that it does\n\
         not have. \"č c\" says that `--transliterate` writes \"c\" for \"č\"; what stands after *not* is an error, which\n\
         `--errors` treats. Encodings of Unicode and gb18030 have all characters. `textcodec check --to LABEL FILE` lists\n\
         the characters of a file, for other charsets, too.\n\n\
         The letters of languages and their punctuation are the exemplar characters of Unicode's Common Locale Data\n\
         Repository, as in [exemplars.tsv](../indexes/exemplars.tsv). A language is in a table if the encoding has a\n\
         half of its letters at least.\n",
    );
    let (languages, signs): (Vec<_>, Vec<_>) = exemplars().into_iter().partition(|line| !line.letters.is_empty());
    for encoding in Encoding::all() {
        let charset = Charset::from(encoding);
        if !charset.is_writable() || written('\u{1F600}', charset).is_exact() {
            continue;
        }
        let _ = write!(page, "\n## {}\n\n", encoding.name());
        let (mut whole, mut rows) = (Vec::new(), Vec::new());
        let mut punctuation = BTreeMap::new();
        for language in languages.iter().filter(|language| may_be_written_in(&language.letters, charset)) {
            let (number, listed) = missing(&language.letters, charset);
            // Letters of ASCII are in every encoding.
            let own = language.letters.iter().filter(|letter| !letter.is_ascii()).count();
            let is_written = number * 2 <= language.letters.len() && (own == 0 || number < own || number == 0);
            if !is_written {
                continue;
            }
            punctuation.extend(language.punctuation.iter().map(|&mark| (mark, ())));
            match number {
                0 => whole.push(&*language.name),
                _ => rows.push(format!("| {} | {} |\n", language.name, listed.join(", "))),
            }
        }
        page.push_str("| language | characters that are missing |\n| --- | --- |\n");
        let _ = writeln!(page, "| {} | none |", whole.join(", "));
        page.extend(rows);
        let marks: Vec<char> = punctuation.into_keys().collect();
        for (name, characters) in [("punctuation", &marks), ("currency signs", &signs[0].punctuation)] {
            let (number, listed) = missing(characters, charset);
            if number > 0 {
                let _ = writeln!(page, "| *{name}* | {} |", listed.join(", "));
            }
        }
    }
    page
}

impl Written {
    const fn is_exact(&self) -> bool {
        matches!(self, Written::Exactly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_what_the_encodings_and_the_transliteration_do() {
        let (page, path) = (page(), path("docs/missing.md"));
        let written = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(page == written, "docs/missing.md is out of date: run `cargo xtask missing`");
        let section =
            |name: &str| page.split_once(&format!("## {name}\n")).unwrap().1.split("\n## ").next().unwrap().to_owned();
        assert!(section("windows-1252").contains("č c"));
        assert!(section("windows-1258").contains("Vietnamese") && !section("windows-1258").contains("| Vietnamese"));
        assert!(section("Shift_JIS").lines().any(|line| line.ends_with("| none |") && line.contains("Japanese")));
    }
}
