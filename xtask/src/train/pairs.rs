//! How often each class of characters follows each other class in a language.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;

use super::{
    Language,
    symbols::{CAPITAL, FIRST_SIGN, SIGNS, Script, Symbols},
    texts::Texts,
    vietnamese,
};

/// Classes of ASCII that are no letters: white space, digits, stops, quotation marks, hyphens, and all others.
const ASCII_SIGNS: usize = 6;
/// A letter is in the table of a language if it makes up at least this part of the text.
const LEAST_SHARE: f64 = 1.5e-5;
/// The greatest number of letters in the table of a language, letters of ASCII not included.
const MOST_LETTERS: usize = 72;
/// The same for Latin script, whose languages have the letters of each other in names.
const MOST_LATIN_LETTERS: usize = 22;
/// A pair is counted this many times more, in the proportions of its second class alone.
const SMOOTHING: f64 = 20.0;
/// The part of the probability of a sign that does not depend on the character before it.
const GENERAL_SIGNS: f64 = 0.2;
/// The counts of a language are scaled to this sum.
const SUM: f64 = 1e6;

/// The least share of each class of signs, first those of ASCII.
const LEAST_SIGNS: [f64; ASCII_SIGNS + SIGNS] =
    [0.15, 0.01, 0.02, 0.004, 0.003, 0.004, 3e-4, 7e-4, 7e-4, 5e-4, 3e-4, 5e-4, 4e-4];
/// The price of one character of a class of signs, in nats, because the class has several.
const WITHIN: [f64; ASCII_SIGNS + SIGNS] = [0.0, 2.3, 1.2, 0.7, 0.0, 2.5, 0.0, 1.2, 0.7, 0.7, 0.9, 0.0, 2.5];
/// The price of one letter of ASCII in a text of another script.
const WITHIN_ASCII_LETTERS: f64 = 3.0;

/// The weights of pairs of characters.
pub(super) type Counts = BTreeMap<(char, char), f64>;

/// The table of a language.
pub(super) struct Table {
    /// The symbols of its letters beyond ASCII. Their classes ascend in this order.
    pub(super) letters: Vec<u8>,
    /// The prices of all pairs of which at least one character is not ASCII, in nats; see [`Table::order`].
    pub(super) prices: Vec<f64>,
}

/// Counts the pairs of characters of all texts. The weight of each kind of text is the same however long it is.
pub(super) fn count(language: &Language, all: &[Texts]) -> Counts {
    let mut counts = Counts::new();
    for texts in all {
        let mut pairs: HashMap<(char, char), u64> = HashMap::new();
        let mut add = |line: &str| {
            let mut last = ' ';
            for character in line.chars().chain([' ']) {
                let character = if character.is_whitespace() && character != '\u{A0}' { ' ' } else { character };
                *pairs.entry((last, character)).or_default() += 1;
                last = character;
            }
        };
        for line in &texts.lines {
            if language.code == "vi" {
                add(&vietnamese::as_typed(line, false));
                add(&vietnamese::as_typed(line, true));
            } else {
                add(line);
            }
        }
        let sum: u64 = pairs.values().sum();
        let pairs: BTreeMap<(char, char), u64> = pairs.into_iter().collect();
        for (pair, number) in pairs {
            *counts.entry(pair).or_default() += number as f64 * texts.weight / sum as f64;
        }
    }
    add_typography(&mut counts);
    let sum: f64 = counts.values().sum();
    counts.values_mut().for_each(|count| *count *= SUM / sum);
    counts
}

/// Adds typographic signs where the texts have those of typewriters, because many programs replace these while
/// somebody types.
fn add_typography(counts: &mut Counts) {
    let mut added = Vec::new();
    for (&(first, second), &count) in counts.iter() {
        let is_letter = |character: char| character.is_alphabetic();
        let replaced = |sign: char, before: bool| match sign {
            '\'' => Some(('’', 0.4)),
            '"' if before => Some(('“', 0.2)),
            '"' => Some(('”', 0.2)),
            '-' if first == ' ' || second == ' ' => Some(('–', 0.2)),
            _ => None,
        };
        if let Some((sign, part)) = replaced(second, !is_letter(first)) {
            added.push(((first, sign), count * part));
        }
        if let Some((sign, part)) = replaced(first, is_letter(second)) {
            added.push(((sign, second), count * part));
        }
    }
    for (pair, count) in added {
        *counts.entry(pair).or_default() += count;
    }
}

/// The classes of a language.
pub(super) struct Classes<'a> {
    symbols: &'a Symbols,
    script: Script,
    letters: Vec<u8>,
}

impl Classes<'_> {
    /// The number of classes of ASCII.
    fn ascii(&self) -> usize {
        ASCII_SIGNS + if self.script == Script::Latin { 26 } else { 1 }
    }

    fn len(&self) -> usize {
        self.ascii() + SIGNS + self.letters.len()
    }

    /// The class of a character; `None` if it is in no class.
    fn of(&self, character: char) -> Option<usize> {
        if character.is_ascii() {
            return Some(match character {
                '\0'..=' ' => 0,
                '0'..='9' => 1,
                '.' | ',' | ';' | ':' | '!' | '?' => 2,
                '"' | '\'' => 3,
                '-' => 4,
                'A'..='Z' | 'a'..='z' if self.script == Script::Latin => {
                    ASCII_SIGNS + usize::from(character.to_ascii_lowercase() as u8 - b'a')
                }
                'A'..='Z' | 'a'..='z' => ASCII_SIGNS,
                _ => 5,
            });
        }
        let symbol = self.symbols.of(character);
        match symbol.script {
            Some(script) if script == self.script => {
                let place = self.letters.iter().position(|&letter| letter == symbol.value & !CAPITAL)?;
                Some(self.ascii() + SIGNS + place)
            }
            Some(_) => None,
            None if (FIRST_SIGN..FIRST_SIGN + SIGNS as u8).contains(&symbol.value) => {
                Some(self.ascii() + usize::from(symbol.value - FIRST_SIGN))
            }
            None => None,
        }
    }
}

/// The letters of a language beyond ASCII, the most frequent first.
fn letters(counts: &Counts, script: Script, symbols: &Symbols) -> Vec<u8> {
    let mut weights: BTreeMap<u8, f64> = BTreeMap::new();
    for (&(_, character), count) in counts {
        let symbol = if character.is_ascii() { continue } else { symbols.of(character) };
        if symbol.script == Some(script) {
            *weights.entry(symbol.value & !CAPITAL).or_default() += count;
        }
    }
    let mut letters: Vec<(u8, f64)> = weights.into_iter().filter(|(_, weight)| *weight > LEAST_SHARE * SUM).collect();
    letters.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    letters.truncate(if script == Script::Latin { MOST_LATIN_LETTERS } else { MOST_LETTERS });
    letters.into_iter().map(|(letter, _)| letter).collect()
}

impl Table {
    /// The table of a language.
    pub(super) fn new(language: &Language, counts: &Counts, symbols: &Symbols) -> Result<Table> {
        let script = language.script()?;
        let letters = letters(counts, script, symbols);
        let classes = Classes { symbols, script, letters };
        let (ascii, number) = (classes.ascii(), classes.len());
        let mut matrix = vec![vec![0.0; number]; number];
        for (&(first, second), count) in counts {
            if let (Some(first), Some(second)) = (classes.of(first), classes.of(second)) {
                matrix[first][second] += count;
            }
        }
        let least = |class: usize| match class {
            0..ASCII_SIGNS => LEAST_SIGNS[class],
            _ if class < ascii => 3e-4,
            _ if class < ascii + SIGNS => LEAST_SIGNS[ASCII_SIGNS + class - ascii],
            _ => 3e-6,
        };
        let within = |class: usize| match class {
            0..ASCII_SIGNS => WITHIN[class],
            _ if class < ascii && script == Script::Latin => 0.0,
            _ if class < ascii => WITHIN_ASCII_LETTERS,
            _ if class < ascii + SIGNS => WITHIN[ASCII_SIGNS + class - ascii],
            _ => 0.0,
        };
        let mut shares: Vec<f64> = (0..number)
            .map(|class| {
                let share = matrix.iter().map(|row| row[class]).sum::<f64>() / SUM;
                share.max(least(class))
            })
            .collect();
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);

        let mut prices = Vec::new();
        for (first, second) in Table::order(ascii, number) {
            let row: f64 = matrix[first].iter().sum();
            let mut probability = (matrix[first][second] + SMOOTHING * shares[second]) / (row + SMOOTHING);
            // Which signs a text has depends on its subject more than on its language.
            if (ascii..ascii + SIGNS).contains(&second) {
                probability = (1.0 - GENERAL_SIGNS) * probability + GENERAL_SIGNS * shares[second];
            }
            prices.push(within(second) - probability.ln());
        }
        Ok(Table { letters: classes.letters, prices })
    }

    /// The pairs of classes in the order of the table: for each first class of ASCII the second classes that are not
    /// ASCII, and then for each other first class all second classes.
    fn order(ascii: usize, number: usize) -> Vec<(usize, usize)> {
        let starts = (0..ascii).flat_map(|first| (ascii..number).map(move |second| (first, second)));
        starts.chain((ascii..number).flat_map(|first| (0..number).map(move |second| (first, second)))).collect()
    }
}

/// The letters of ASCII without their case, and everything else of ASCII as one class.
pub(super) const PLAIN_CLASSES: usize = 27;
/// The part of the evidence of pairs of ASCII that counts.
const PLAIN_WEIGHT: f64 = 0.3;

/// The evidence of pairs of ASCII for each of the languages of Latin script, in nats: by how much each pair is more
/// probable in the language than on average.
pub(super) fn plain(all: &[&Counts]) -> Vec<Vec<f64>> {
    let class = |character: char| match character {
        'A'..='Z' | 'a'..='z' => Some(1 + usize::from(character.to_ascii_lowercase() as u8 - b'a')),
        _ if character.is_ascii() => Some(0),
        _ => None,
    };
    let logarithms: Vec<Vec<f64>> = all
        .iter()
        .map(|counts| {
            let mut matrix = vec![0.0; PLAIN_CLASSES * PLAIN_CLASSES];
            let mut second_sums = [0.0; PLAIN_CLASSES];
            for (&(first, second), count) in counts.iter() {
                if let (Some(first), Some(second)) = (class(first), class(second)) {
                    matrix[first * PLAIN_CLASSES + second] += count;
                    second_sums[second] += count;
                }
            }
            let sum: f64 = second_sums.iter().sum();
            (0..matrix.len())
                .map(|pair| {
                    let row = &matrix[pair / PLAIN_CLASSES * PLAIN_CLASSES..][..PLAIN_CLASSES];
                    let share = (second_sums[pair % PLAIN_CLASSES] / sum).max(3e-4);
                    let probability = (matrix[pair] + SMOOTHING * share) / (row.iter().sum::<f64>() + SMOOTHING);
                    probability.ln()
                })
                .collect()
        })
        .collect();
    (0..PLAIN_CLASSES * PLAIN_CLASSES)
        .map(|pair| {
            let mean = logarithms.iter().map(|language| language[pair]).sum::<f64>() / all.len() as f64;
            // Two signs in a row are no words.
            let weight = if pair == 0 { 0.0 } else { PLAIN_WEIGHT };
            logarithms.iter().map(|language| weight * (language[pair] - mean).clamp(-3.0, 3.0)).collect()
        })
        .collect()
}
