//! The price of a text in each encoding and language. A price is the negative logarithm of a probability, so the lowest
//! price wins.

use alloc::{vec, vec::Vec};

use textcodec_core::Name;

use crate::{
    candidates::{self, LanguageSet, SINGLE_BYTE},
    classes::{self, BOX, CONTROL, Case, FIRST_LETTER, RARE, Symbol, UNDEFINED},
    east_asian,
    languages::{FIRST_OTHER, Language, OTHER, OTHER_SCRIPT, Script},
    model::{self, LANGUAGES},
    neighbourhoods::{Neighbourhoods, PLAIN_CLASSES},
    options::Options,
    pairs::Pair,
};

/// 32nds of a nat, the unit of all prices.
pub(crate) const NAT: i64 = 32;

/// The price of a byte without a character, and of other characters that the tables do not have.
const UNDEFINED_PRICE: i64 = 16 * NAT;
const CONTROL_PRICE: i64 = 15 * NAT;
const RARE_PRICE: i64 = 15 * NAT;
const BOX_PRICE: i64 = 11 * NAT;
/// The price of a piece of a box after the same one, and after another one.
const SAME_BOX_PRICE: i64 = 3 * NAT / 2;
const BOX_AFTER_BOX_PRICE: i64 = 6 * NAT;
/// The price of a letter that the language does not have.
const FOREIGN_PRICE: i64 = 11 * NAT;
/// The price of a letter of another script than that of the language.
const OTHER_SCRIPT_PRICE: i64 = 15 * NAT;
/// The price of a character after one that the tables do not have.
const AFTER_OTHER_PRICE: i64 = 7 * NAT / 2;
/// The price of a letter without a language.
const FLAT_PRICE: i64 = 5 * NAT;

/// The number of pairs, and of bytes, that decide which languages are looked at in full.
const FREQUENT_PAIRS: usize = 32;
const FREQUENT_BYTES: usize = 12;

/// The price of a pair of letters of ASCII in a text of another script, and the most that a text pays for such pairs.
const PLAIN_WORDS_PRICE: i64 = NAT / 4;
const MOST_PLAIN_WORDS_PRICE: i64 = 5 * NAT;

/// A difference to the lowest price that no other evidence makes up for: a part for each byte beyond ASCII, and a part
/// for the whole text.
const HOPELESS_PER_BYTE: i64 = 3 * NAT / 2;
const HOPELESS: i64 = 24 * NAT;

/// An encoding with the price of the text in it.
#[derive(Clone, Debug)]
pub(crate) struct Scored {
    pub(crate) name: &'static str,
    pub(crate) encoding: Option<Name>,
    pub(crate) language: Option<&'static str>,
    pub(crate) price: i64,
}

/// Encodings that give the same text, the best first.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) members: Vec<Scored>,
    /// The reading and the language that the price of the first member is from, if its encoding is a single-byte one.
    source: Option<(usize, usize)>,
}

impl Text {
    pub(crate) fn of(member: Scored) -> Self {
        Text { members: vec![member], source: None }
    }

    /// The lowest price.
    pub(crate) fn price(&self) -> i64 {
        self.members.first().map_or(i64::MAX, |member| member.price)
    }
}

/// All that is needed to compare the texts that a stream can be.
pub(crate) struct Scores {
    pairs: Vec<Pair>,
    readings: Vec<Reading>,
    pub(crate) texts: Vec<Text>,
    /// The number of bytes beyond ASCII that were scored.
    pub(crate) high: u32,
}

/// What the bytes mean in one or more encodings that agree about them.
struct Reading {
    code_points: &'static [u16],
    /// The numbers of the encodings, and all their languages.
    members: Vec<usize>,
    languages: LanguageSet,
    /// By byte. Only the bytes that the text has are filled in.
    symbols: [Symbol; 128],
    cases: [Case; 256],
}

/// A byte beyond ASCII, and how often it was scored.
#[derive(Clone, Copy)]
struct Byte {
    byte: u8,
    count: u32,
}

/// The bytes as the classes of a language.
type Classes = [u8; 256];

impl Reading {
    fn new(member: usize, code_points: &'static [u16], bytes: &[Byte]) -> Self {
        let mut symbols = [Symbol { value: UNDEFINED, case: Case::None, script: None }; 128];
        let mut cases = ASCII_CASES;
        for &Byte { byte, .. } in bytes {
            let symbol = classes::symbol(code_points[usize::from(byte - 0x80)]);
            symbols[usize::from(byte - 0x80)] = symbol;
            cases[usize::from(byte)] = symbol.case;
        }
        Reading { code_points, members: vec![member], languages: SINGLE_BYTE[member].languages, symbols, cases }
    }

    /// The price of a byte that is in no class of a language.
    #[cold]
    fn price_of_other(&self, before: u8, byte: u8) -> i64 {
        if byte.is_ascii() {
            return CONTROL_PRICE;
        }
        match self.symbols[usize::from(byte - 0x80)].value {
            UNDEFINED => UNDEFINED_PRICE,
            CONTROL => CONTROL_PRICE,
            BOX if before == byte => SAME_BOX_PRICE,
            BOX if !before.is_ascii() && self.symbols[usize::from(before - 0x80)].value == BOX => BOX_AFTER_BOX_PRICE,
            BOX => BOX_PRICE,
            value if value < FIRST_LETTER => RARE_PRICE,
            _ => FOREIGN_PRICE,
        }
    }

    /// The price of the bytes that no language has, without what follows from the bytes before them.
    fn rough_price(&self, bytes: &[Byte]) -> i64 {
        let price = |byte: &Byte| match self.symbols[usize::from(byte.byte - 0x80)].value {
            UNDEFINED | CONTROL | RARE => self.price_of_other(0, byte.byte) * i64::from(byte.count),
            _ => 0,
        };
        bytes.iter().map(price).sum()
    }

    /// Whether a language lacks so many of these bytes that the text cannot be in it.
    fn is_foreign(&self, language: usize, frequent: &[Byte]) -> bool {
        let (mut foreign, mut all) = (0, 0);
        for &Byte { byte, count } in frequent {
            let symbol = self.symbols[usize::from(byte - 0x80)];
            let is_other = LANGUAGES[language].class(language, symbol) >= FIRST_OTHER;
            foreign += if is_other && symbol.value >= FIRST_LETTER { count } else { 0 };
            all += count;
        }
        foreign > 4 && foreign * 5 > all * 2
    }

    /// The classes of the bytes in a language.
    fn classes(&self, language: usize, bytes: &[Byte]) -> Classes {
        let of = &LANGUAGES[language];
        let mut classes = if of.script == Script::Latin { LATIN_ASCII } else { OTHER_ASCII };
        for &Byte { byte, .. } in bytes {
            classes[usize::from(byte)] = of.class(language, self.symbols[usize::from(byte - 0x80)]);
        }
        classes
    }

    /// The price of some pairs in a language. It is not inlined, because that would double the largest loop.
    #[inline(never)]
    fn sum(&self, language: &Language, classes: &Classes, pairs: &[Pair]) -> i64 {
        pairs.iter().map(|pair| self.price(language, classes, pair)).sum()
    }

    /// The price of a pair in a language.
    #[inline(always)]
    fn price(&self, language: &Language, classes: &Classes, pair: &Pair) -> i64 {
        let [first, second] = pair.bytes.map(usize::from);
        let price = match (classes[first], classes[second]) {
            (_, OTHER_SCRIPT) => OTHER_SCRIPT_PRICE,
            (_, OTHER) => self.price_of_other(pair.bytes[0], pair.bytes[1]),
            (FIRST_OTHER.., _) => AFTER_OTHER_PRICE,
            (first, second) => language.price(first, second),
        };
        (price + case_price(self.cases[first], self.cases[second])) * i64::from(pair.count)
    }

    /// The price without a language: only errors, control characters, rare characters and capitals differ.
    fn flat_price(&self, pairs: &[Pair]) -> i64 {
        let price = |pair: &Pair| {
            let [first, second] = pair.bytes;
            let is_known = second.is_ascii() || self.symbols[usize::from(second - 0x80)].value >= classes::FIRST_SIGN;
            let price = if is_known { FLAT_PRICE } else { self.price_of_other(first, second) };
            (price + case_price(self.cases[usize::from(first)], self.cases[usize::from(second)]))
                * i64::from(pair.count)
        };
        pairs.iter().map(price).sum()
    }
}

/// The cases of the bytes of ASCII.
const ASCII_CASES: [Case; 256] = {
    let mut cases = [Case::None; 256];
    let mut byte = 0;
    while byte < 0x80 {
        cases[byte] = classes::ascii_case(byte as u8);
        byte += 1;
    }
    cases
};

/// The classes of the bytes of ASCII in languages of Latin script, and in other languages.
const LATIN_ASCII: Classes = ascii_classes(true);
const OTHER_ASCII: Classes = ascii_classes(false);

const fn ascii_classes(is_latin: bool) -> Classes {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 0x80 {
        if let Some(class) = classes::ascii_class(byte as u8, is_latin) {
            classes[byte] = class;
        }
        byte += 1;
    }
    classes
}

/// The price of a letter with this case after a character with the case `before`.
#[inline(always)]
fn case_price(before: Case, case: Case) -> i64 {
    match (before, case) {
        (Case::None, Case::Small) => 9,
        (Case::None, Case::Capital) => 44,
        (Case::Small, Case::Capital) => 6 * NAT,
        (Case::Capital, Case::Small) => 7,
        (Case::Capital, Case::Capital) => 32,
        _ => 0,
    }
}

/// Scores the neighbourhoods in all encodings that compete, except UTF-16.
pub(crate) fn score(neighbourhoods: &Neighbourhoods, options: &Options, ends_mid_stream: bool) -> Scores {
    let pairs = neighbourhoods.pairs.all(FREQUENT_PAIRS);
    let mut counts = [0; 256];
    for pair in &pairs {
        counts[usize::from(pair.bytes[1])] += pair.count;
    }
    let high = counts[0x80..].iter().sum();
    let mut scores = Scores { pairs, readings: Vec::new(), texts: Vec::new(), high };
    scores.add_single_byte(neighbourhoods, &counts, options);
    scores.add_east_asian(neighbourhoods, options, ends_mid_stream);
    if options.among.is_some() && options.allows(Name::XUserDefined) {
        let (name, encoding) = (Name::XUserDefined.as_str(), Some(Name::XUserDefined));
        let price = RARE_PRICE * i64::from(high);
        scores.texts.push(Text::of(Scored { name, encoding, language: None, price }));
    }
    scores
}

/// The price of words in ASCII for languages of other scripts.
fn price_of_plain_words(counts: &[u32]) -> i64 {
    let pairs: u32 = counts.chunks(PLAIN_CLASSES).skip(1).flat_map(|row| &row[1..]).sum();
    (i64::from(pairs) * PLAIN_WORDS_PRICE).min(MOST_PLAIN_WORDS_PRICE)
}

/// A reading in a language, with the price of the most frequent pairs, or of all pairs.
struct Attempt {
    reading: usize,
    language: usize,
    price: i64,
}

impl Scores {
    pub(crate) fn sort(&mut self) {
        sort(&mut self.texts, Text::price);
    }

    /// Forgets texts that are much dearer than the first one, which must be the cheapest.
    pub(crate) fn forget_hopeless(&mut self) {
        let bound = self.texts.first().map_or(i64::MAX, |text| text.price() + HOPELESS);
        self.texts.retain(|text| text.price() <= bound);
    }

    fn add_single_byte(&mut self, neighbourhoods: &Neighbourhoods, counts: &[u32; 256], options: &Options) {
        let mut bytes: Vec<Byte> =
            neighbourhoods.high.iter().map(|byte| Byte { byte, count: counts[usize::from(byte)] }).collect();
        sort(&mut bytes, |byte| -i64::from(byte.count));
        for (number, member) in SINGLE_BYTE.iter().enumerate() {
            if !options.allows(member.name) {
                continue;
            }
            let index = member.index.as_slice();
            let is_same = |reading: &&mut Reading| {
                bytes.iter().map(|byte| usize::from(byte.byte - 0x80)).all(|at| reading.code_points[at] == index[at])
            };
            match self.readings.iter_mut().find(is_same) {
                Some(reading) => {
                    reading.members.push(number);
                    reading.languages |= member.languages;
                }
                None => self.readings.push(Reading::new(number, index, &bytes)),
            }
        }
        let attempts = self.attempts(neighbourhoods, &bytes, options);
        for reading in 0..self.readings.len() {
            let text = self.text(reading, &attempts, options);
            self.texts.extend(text);
        }
    }

    /// The prices of the readings in their languages. What cannot win any more is left out: first readings with bytes
    /// that no text has, then languages without most of the letters, then those for which the most frequent pairs are
    /// too dear.
    fn attempts(&self, neighbourhoods: &Neighbourhoods, bytes: &[Byte], options: &Options) -> Vec<Attempt> {
        let prunes = options.among.is_none();
        let rough: Vec<i64> = self.readings.iter().map(|reading| reading.rough_price(bytes)).collect();
        let bound = HOPELESS + HOPELESS_PER_BYTE * i64::from(self.high);
        let bound = bound + rough.iter().min().copied().unwrap_or(0);
        let (frequent, rare) = self.pairs.split_at(self.pairs.len().min(FREQUENT_PAIRS));
        let frequent_bytes = &bytes[..bytes.len().min(FREQUENT_BYTES)];
        let plain = plain_evidence(&neighbourhoods.plain);
        let plain_words = price_of_plain_words(&neighbourhoods.plain);

        let mut attempts = Vec::new();
        let mut lowest = i64::MAX;
        let bound_for = |lowest: i64| lowest.saturating_add(lowest.max(0) / 4 + HOPELESS);
        for (number, reading) in self.readings.iter().enumerate() {
            if prunes && rough[number] > bound {
                continue;
            }
            let mut languages = reading.languages;
            'languages: while languages != 0 {
                let language = languages.trailing_zeros() as usize;
                languages &= languages - 1;
                if prunes && reading.is_foreign(language, frequent_bytes) {
                    continue;
                }
                let classes = reading.classes(language, bytes);
                let of = &LANGUAGES[language];
                let evidence = plain.get(language).copied().unwrap_or(-plain_words);
                let evidence = evidence + candidates::language_evidence(options, language);
                let mut price = -evidence;
                for part in frequent.chunks(8) {
                    price += reading.sum(of, &classes, part);
                    if prunes && price > bound_for(lowest) {
                        continue 'languages;
                    }
                }
                attempts.push(Attempt { reading: number, language, price });
                lowest = lowest.min(price);
            }
        }
        if prunes {
            attempts.retain(|attempt| attempt.price <= bound_for(lowest));
        }
        sort(&mut attempts, |attempt| attempt.price);
        let mut best = i64::MAX;
        for attempt in &mut attempts {
            let reading = &self.readings[attempt.reading];
            let (of, classes) = (&LANGUAGES[attempt.language], reading.classes(attempt.language, bytes));
            for part in rare.chunks(64) {
                attempt.price += reading.sum(of, &classes, part);
                if prunes && attempt.price > best.saturating_add(HOPELESS) {
                    break;
                }
            }
            best = best.min(attempt.price);
        }
        if prunes {
            attempts.retain(|attempt| attempt.price <= best + HOPELESS);
        }
        attempts
    }

    /// The text of a reading: its encodings, each in its best language. `None` if there was no attempt at it.
    fn text(&self, number: usize, attempts: &[Attempt], options: &Options) -> Option<Text> {
        let reading = &self.readings[number];
        let mut best: Option<(i64, Option<usize>)> = None;
        let mut members = Vec::new();
        for &member in &reading.members {
            let is_own = |attempt: &&Attempt| {
                attempt.reading == number && SINGLE_BYTE[member].languages >> attempt.language & 1 == 1
            };
            let own = attempts.iter().filter(is_own).min_by_key(|attempt| attempt.price);
            let mut choice = own.map(|attempt| (attempt.price, Some(attempt.language)));
            if options.among.is_some() {
                let flat = reading.flat_price(&self.pairs);
                choice = choice.filter(|&(price, _)| price <= flat).or(Some((flat, None)));
            }
            let Some((price, language)) = choice else { continue };
            let encoding = &SINGLE_BYTE[member];
            let name = encoding.name;
            let price = price + i64::from(encoding.price) * NAT / 4 - candidates::evidence(options, name);
            let code = language.map(|language| LANGUAGES[language].code);
            members.push(Scored { name: name.as_str(), encoding: Some(name), language: code, price });
            if best.is_none_or(|(lowest, _)| price < lowest) {
                best = Some((price, language));
            }
        }
        sort(&mut members, |member| member.price);
        let source = best?.1.map(|language| (number, language));
        Some(Text { members, source })
    }

    fn add_east_asian(&mut self, neighbourhoods: &Neighbourhoods, options: &Options, ends_mid_stream: bool) {
        let plain_words = price_of_plain_words(&neighbourhoods.plain);
        for encoding in east_asian::ENCODINGS {
            let results = neighbourhoods.east_asian.results(options.among.is_some(), ends_mid_stream);
            let price = results.filter(|(name, _)| *name == encoding).map(|(_, price)| price).min();
            let Some(price) = price else { continue };
            let language = LANGUAGES.len() + east_asian::language(encoding);
            let price = price + plain_words - candidates::language_evidence(options, language);
            let names: &[Name] = if encoding == Name::Gbk { &[Name::Gbk, Name::Gb18030] } else { &[encoding] };
            let mut members: Vec<Scored> = names
                .iter()
                .filter(|&&name| options.allows(name))
                .enumerate()
                .map(|(rank, &name)| {
                    let own = i64::from(candidates::east_asian_price(encoding)) * NAT / 4 + rank as i64 * NAT;
                    let price = price + own - candidates::evidence(options, name);
                    Scored {
                        name: name.as_str(),
                        encoding: Some(name),
                        language: Some(candidates::code(language)),
                        price,
                    }
                })
                .collect();
            sort(&mut members, |member| member.price);
            if !members.is_empty() {
                self.texts.push(Text { members, source: None });
            }
        }
    }

    /// The offsets of the bytes that speak most for the first text and against the second one.
    pub(crate) fn evidence(&self) -> Vec<u64> {
        const MOST: usize = 8;
        let bytes: Vec<Byte> = (0x80..=0xFF).map(|byte| Byte { byte, count: 0 }).collect();
        let prices = |text: Option<&Text>| -> Vec<i64> {
            match text.and_then(|text| text.source) {
                Some((number, language)) => {
                    let reading = &self.readings[number];
                    let classes = reading.classes(language, &bytes);
                    let price = |pair| reading.sum(&LANGUAGES[language], &classes, pair);
                    self.pairs.chunks(1).map(price).collect()
                }
                None => vec![0; self.pairs.len()],
            }
        };
        let (first, second) = (prices(self.texts.first()), prices(self.texts.get(1)));
        // The least differences so far, ascending.
        let mut least: Vec<(i64, u64)> = Vec::with_capacity(MOST + 1);
        for ((first, second), pair) in first.iter().zip(&second).zip(&self.pairs) {
            let difference = (first - second, pair.first);
            let place = least.iter().rposition(|other| *other <= difference).map_or(0, |place| place + 1);
            if least.iter().all(|(_, offset)| *offset != pair.first) {
                least.insert(place, difference);
                least.truncate(MOST);
            }
        }
        least.into_iter().map(|(_, offset)| offset).collect()
    }
}

/// Sorts a short list by insertion. The sorts of the standard library would make a program 20 KB larger.
fn sort<T>(items: &mut [T], key: impl Fn(&T) -> i64) {
    for end in 1..items.len() {
        let place = items[..end].iter().rposition(|item| key(item) <= key(&items[end])).map_or(0, |place| place + 1);
        items[place..=end].rotate_right(1);
    }
}

/// The number of languages for which pairs of ASCII are evidence. They are the first ones of the model.
const LATIN_LANGUAGES: usize = 32;

/// The evidence of the pairs of ASCII for each language of Latin script, in 32nds of a nat.
fn plain_evidence(counts: &[u32]) -> [i64; LATIN_LANGUAGES] {
    let mut sums = [0_i64; LATIN_LANGUAGES];
    for (row, &count) in model::ASCII.chunks_exact(LATIN_LANGUAGES / 2).zip(counts) {
        if count > 0 {
            for (place, &pair) in row.iter().enumerate() {
                sums[2 * place] += (i64::from(pair & 0xF) - 8) * i64::from(count);
                sums[2 * place + 1] += (i64::from(pair >> 4) - 8) * i64::from(count);
            }
        }
    }
    debug_assert_eq!(counts.len(), PLAIN_CLASSES * PLAIN_CLASSES);
    // A step is an eighth of a nat.
    sums.map(|sum| sum * NAT / 8)
}
