//! How often Chinese, Japanese and Korean texts have each character of the national character sets.

use std::{collections::HashMap, path::Path};

use anyhow::{Context, Result};

use super::{
    Language,
    texts::{self, Texts},
};
use crate::index_file::Index;

/// The national character sets: the code of the language, the name of the index, the pointer of the first row, the
/// pointers in a row, the first column, the number of columns, and the number of rows.
const SETS: [Set; 4] = [
    Set { language: "zh-Hans", index: "gb18030", start: 32 * 190 + 96, width: 190, columns: 94, rows: 94 },
    Set { language: "zh-Hant", index: "big5", start: 32 * 157, width: 157, columns: 157, rows: 89 },
    Set { language: "ja", index: "jis0208", start: 0, width: 94, columns: 94, rows: 94 },
    Set { language: "ko", index: "euc-kr", start: 32 * 190 + 96, width: 190, columns: 94, rows: 94 },
];

/// The square of an index that has the frequent characters.
pub(super) struct Set {
    pub(super) language: &'static str,
    index: &'static str,
    start: usize,
    width: usize,
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// The price of the character in each cell of a set, in nats; `None` if the cell has no character.
pub(super) type SetPrices = (&'static Set, Vec<Option<f64>>);

/// The price of a character that the texts do not have, in nats.
const UNSEEN: f64 = 13.5;

/// The price of a sign or a letter of a foreign script that the texts do not have, in nats. There are few of them, and
/// which of them a text has depends on its subject.
const UNSEEN_SIGN: f64 = 9.0;

/// Whether a character is a Chinese character or a Korean syllable.
fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..)
}

/// The prices of the characters of all sets.
pub(super) fn prices(indexes: &[Index], texts: &[(&Language, Vec<Texts>)], folder: &Path) -> Result<Vec<SetPrices>> {
    SETS.iter()
        .map(|set| {
            let index = indexes.iter().find(|index| index.name == set.index).context(set.index)?;
            let (_, all) = texts.iter().find(|(language, _)| language.code == set.language).context(set.language)?;
            let mut shares: Vec<(f64, HashMap<char, f64>)> =
                all.iter().map(|texts| (texts.weight, of_lines(texts))).collect();
            match set.language {
                "ja" => shares.push((0.4, of_words(&texts::japanese_words(folder)?))),
                "zh-Hans" => shares.push((1.5, of_words(&texts::chinese_words(folder)?))),
                "zh-Hant" => {
                    let map = texts::traditional(folder)?;
                    let words: Vec<(String, f64)> = texts::chinese_words(folder)?
                        .into_iter()
                        .map(|(word, count)| (word.chars().map(|c| *map.get(&c).unwrap_or(&c)).collect(), count))
                        .collect();
                    shares.push((1.0, of_words(&words)));
                    // The sentences of this crate are Chinese of all countries in simplified characters.
                    let (_, simplified) =
                        texts.iter().find(|(language, _)| language.code == "zh-Hans").context("zh")?;
                    let converted: Vec<String> = simplified[0]
                        .lines
                        .iter()
                        .map(|line| line.chars().map(|c| *map.get(&c).unwrap_or(&c)).collect())
                        .collect();
                    shares.push((0.7, of_lines(&Texts { weight: 1.0, lines: converted })));
                }
                _ => {}
            }
            Ok((set, set.prices(index, &shares)))
        })
        .collect()
}

impl Set {
    fn prices(&self, index: &Index, shares: &[(f64, HashMap<char, f64>)]) -> Vec<Option<f64>> {
        let code_points = index.code_points();
        let whole: f64 = shares.iter().map(|(weight, _)| weight).sum();
        (0..self.rows * self.columns)
            .map(|cell| {
                let pointer = self.start + cell / self.columns * self.width + cell % self.columns;
                let character = char::from_u32((*code_points.get(pointer)?)?)?;
                let parts = shares.iter().map(|(weight, of)| weight / whole * of.get(&character).unwrap_or(&0.0));
                let share: f64 = parts.sum();
                let highest = if is_ideograph(character) { UNSEEN } else { UNSEEN_SIGN };
                Some(if share > 0.0 { (-share.ln()).min(highest) } else { highest })
            })
            .collect()
    }
}

/// The share of each character beyond ASCII in the lines.
fn of_lines(texts: &Texts) -> HashMap<char, f64> {
    let mut counts: HashMap<char, u64> = HashMap::new();
    let mut sum = 0;
    for character in texts.lines.iter().flat_map(|line| line.chars()).filter(|character| !character.is_ascii()) {
        *counts.entry(character).or_default() += 1;
        sum += 1;
    }
    counts.into_iter().map(|(character, count)| (character, count as f64 / f64::from(sum))).collect()
}

/// The share of each character beyond ASCII in words with frequencies.
fn of_words(words: &[(String, f64)]) -> HashMap<char, f64> {
    let mut counts: HashMap<char, f64> = HashMap::new();
    let mut sum = 0.0;
    for (word, count) in words {
        for character in word.chars().filter(|character| !character.is_ascii()) {
            *counts.entry(character).or_default() += count;
            sum += count;
        }
    }
    counts.into_iter().map(|(character, count)| (character, count / sum)).collect()
}
