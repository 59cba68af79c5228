//! The price of a text in each encoding and language. A price is the negative logarithm of a probability, so the lowest
//! price wins.

use alloc::{vec, vec::Vec};

use textcodec_core::Name;

use crate::{
    candidates::{self, LanguageSet, Member, Members},
    classes::{self, BOX, CONTROL, Case, FOREIGN_SMALL, FOREIGN_UNICASE, RARE, Symbol, UNDEFINED},
    east_asian::{self, Encoding},
    languages::{Classes, FIRST_OTHER, LANGUAGES, OTHER, OTHER_SCRIPT, Script, TABLES, Table},
    model,
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
/// The number of pairs in which all languages are compared.
const FIRST_PAIRS: usize = 8;

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
    /// The unit and the language that the price of the first member is from, if its encoding is a single-byte one.
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
    members: Members,
    pairs: Vec<Pair>,
    readings: Vec<Reading>,
    units: Vec<Unit>,
    pub(crate) texts: Vec<Text>,
    /// The number of bytes beyond ASCII that were scored.
    pub(crate) high: u32,
    /// The evidence of the pairs of ASCII for the language that fits them best.
    pub(crate) plain: i64,
}

/// The encodings that agree about the bytes.
struct Reading {
    /// The numbers of the encodings.
    members: Vec<usize>,
    /// The price of the bytes that no language has, without what follows from the bytes before them.
    rough: i64,
}

/// A reading in the languages of one script.
struct Unit {
    reading: usize,
    /// The encoding whose symbols the unit has.
    member: usize,
    languages: LanguageSet,
    /// The first pairs. The others follow if a language may win.
    slots: Vec<Slots>,
}

impl Unit {
    /// Adds the slots of pairs up to `end`.
    #[inline]
    fn add_slots(&mut self, symbols: Symbols<'_>, pairs: &[Pair], end: usize) {
        if self.slots.len() < end {
            let start = self.slots.len();
            symbols.add(&mut self.slots, &pairs[start..end]);
        }
    }
}

/// A pair as the languages of a unit see it.
#[derive(Clone, Copy)]
pub(crate) struct Slots {
    /// The places of both characters in the [`Classes`] of a language.
    pub(crate) first: u8,
    pub(crate) second: u8,
    /// The price of the case of the second character after that of the first.
    pub(crate) case: i16,
    /// The price of the second character in a language that does not have it.
    pub(crate) other: i16,
    count: u32,
}

/// A byte beyond ASCII, and how often it was scored.
#[derive(Clone, Copy)]
struct Byte {
    byte: u8,
    count: u32,
}

/// The symbols of an encoding, and whether the script of its languages has no capitals.
#[derive(Clone, Copy)]
struct Symbols<'a> {
    symbols: &'a [Symbol; 128],
    is_unicase: bool,
    #[cfg(feature = "charsets")]
    toned: Option<&'a crate::vietnamese::Toned>,
}

impl<'a> Symbols<'a> {
    /// The symbols of an encoding.
    fn of(member: Member<'a>) -> Self {
        Symbols {
            symbols: member.symbols,
            is_unicase: member.script.is_unicase(),
            #[cfg(feature = "charsets")]
            toned: member.toned,
        }
    }

    /// The symbol of a byte that is not ASCII.
    #[inline(always)]
    fn symbol(self, byte: u8) -> Symbol {
        self.symbols[usize::from(byte & 0x7F)]
    }

    /// The place of a byte in [`Classes`].
    #[inline(always)]
    fn slot(self, byte: u8) -> u8 {
        if byte.is_ascii() { byte } else { 0x80 | self.symbol(byte).value() }
    }

    #[inline(always)]
    fn case(self, byte: u8) -> Case {
        if byte.is_ascii() { ASCII_CASES[usize::from(byte)] } else { self.symbol(byte).case(self.is_unicase) }
    }

    /// The price of a byte that a language does not have.
    #[inline]
    fn price_of_other(self, before: u8, byte: u8) -> i64 {
        if byte.is_ascii() {
            return CONTROL_PRICE;
        }
        match self.symbol(byte).value() {
            UNDEFINED => UNDEFINED_PRICE,
            CONTROL => CONTROL_PRICE,
            BOX if before == byte => SAME_BOX_PRICE,
            BOX if !before.is_ascii() && self.symbol(before).value() == BOX => BOX_AFTER_BOX_PRICE,
            BOX => BOX_PRICE,
            value if value < FOREIGN_SMALL => RARE_PRICE,
            _ => FOREIGN_PRICE,
        }
    }

    /// Adds pairs to those that a unit has.
    #[inline(never)]
    fn add(self, slots: &mut Vec<Slots>, pairs: &[Pair]) {
        slots.extend(pairs.iter().map(|&Pair { bytes: [first, second], count, .. }| Slots {
            first: self.slot(first),
            second: self.slot(second),
            case: case_price(self.case(first), self.case(second)) as i16,
            other: self.price_of_other(first, second) as i16,
            count,
        }));
        #[cfg(feature = "charsets")]
        if let Some(toned) = self.toned {
            let added = slots.len() - pairs.len();
            slots[added..].iter_mut().zip(pairs).for_each(|(slots, pair)| toned.split(slots, pair.bytes));
        }
    }

    /// The price of bytes that no language has. Adding ends where the price is above `most`, because the first bytes
    /// are the most frequent ones.
    fn rough_price(self, bytes: &[Byte], most: i64) -> i64 {
        let mut price = 0;
        for &Byte { byte, count } in bytes {
            if matches!(self.symbol(byte).value(), UNDEFINED | CONTROL | RARE) {
                price += self.price_of_other(0, byte) * i64::from(count);
                if price > most {
                    break;
                }
            }
        }
        price
    }

    /// The price without a language: only errors, control characters, rare characters and capitals differ.
    fn flat_price(self, pairs: &[Pair]) -> i64 {
        let price = |pair: &Pair| {
            let [first, second] = pair.bytes;
            let is_known = second.is_ascii() || self.symbol(second).value() >= classes::FIRST_SIGN;
            let price = if is_known { FLAT_PRICE } else { self.price_of_other(first, second) };
            (price + case_price(self.case(first), self.case(second))) * i64::from(pair.count)
        };
        pairs.iter().map(price).sum()
    }
}

/// The cases of the bytes of ASCII.
static ASCII_CASES: [Case; 128] = {
    let mut cases = [Case::None; 128];
    let mut byte = 0;
    while byte < cases.len() {
        cases[byte] = classes::ascii_case(byte as u8);
        byte += 1;
    }
    cases
};

/// The price of some pairs in a language. It is not inlined, because that would double the largest loop.
#[inline(never)]
fn sum(table: &Table, classes: &Classes, slots: &[Slots]) -> i64 {
    slots.iter().map(|slots| price(table, classes, slots)).sum()
}

/// The price of a pair in a language.
#[inline(always)]
fn price(table: &Table, classes: &Classes, slots: &Slots) -> i64 {
    let price = match (classes[usize::from(slots.first)], classes[usize::from(slots.second)]) {
        (_, OTHER_SCRIPT) => OTHER_SCRIPT_PRICE as i32,
        (_, OTHER) => i32::from(slots.other),
        (FIRST_OTHER.., _) => AFTER_OTHER_PRICE as i32,
        (first, second) => table.price(first, second),
    };
    i64::from(price + i32::from(slots.case)) * i64::from(slots.count)
}

/// The price of a letter with this case after a character with the case `before`.
#[inline(always)]
fn case_price(before: Case, case: Case) -> i64 {
    // The rows and columns are in the order of the cases: none, small, capital, unicase.
    const PRICES: [[u8; 4]; 4] = [[0, 9, 44, 0], [0, 0, 6 * NAT as u8, 0], [0, 7, 32, 0], [0; 4]];
    i64::from(PRICES[before as usize][case as usize])
}

/// Scores the neighbourhoods in all encodings that compete, except UTF-16.
pub(crate) fn score(neighbourhoods: &Neighbourhoods, options: &Options, ends_mid_stream: bool) -> Scores {
    let pairs = neighbourhoods.pairs.all(FREQUENT_PAIRS);
    let mut counts = [0; 256];
    for pair in &pairs {
        counts[usize::from(pair.bytes[1])] += pair.count;
    }
    let high = counts[0x80..].iter().sum();
    let mut scores = Scores {
        members: Members::new(options),
        pairs,
        readings: Vec::new(),
        units: Vec::new(),
        texts: Vec::new(),
        high,
        plain: 0,
    };
    scores.add_east_asian(neighbourhoods, options, ends_mid_stream);
    scores.add_single_byte(neighbourhoods, &counts, options);
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

/// A unit in a language, with the price of the first pairs of the text.
struct Attempt {
    unit: usize,
    language: usize,
    price: i64,
}

/// The classes of the languages that are attempted.
struct AllClasses {
    classes: Vec<Classes>,
    /// The place of each language in `classes`.
    places: [u8; LANGUAGES],
}

impl AllClasses {
    const NONE: u8 = 0xFF;

    const fn new() -> Self {
        AllClasses { classes: Vec::new(), places: [Self::NONE; LANGUAGES] }
    }

    #[inline]
    fn of(&mut self, language: usize) -> &Classes {
        if self.places[language] == Self::NONE {
            self.places[language] = self.classes.len() as u8;
            self.classes.push(TABLES[language].classes());
        }
        &self.classes[usize::from(self.places[language])]
    }
}

/// The bound of the prices of the most frequent pairs above which an attempt is hopeless.
fn bound_for(lowest: i64) -> i64 {
    lowest.saturating_add(lowest.max(0) / 16 + HOPELESS)
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

    #[inline(never)]
    fn add_single_byte(&mut self, neighbourhoods: &Neighbourhoods, counts: &[u32; 256], options: &Options) {
        let bytes = bytes(neighbourhoods, counts);
        let prunes = options.among.is_none();
        let most = HOPELESS + HOPELESS_PER_BYTE * i64::from(self.high);
        let mut lowest = if prunes { i64::MAX } else { i64::MIN };
        for number in 0..self.members.len() {
            let member = self.members.get(number);
            // The members beyond the Standard are those that compete.
            if member.encoding.is_some_and(|name| !options.allows(name)) {
                continue;
            }
            let units = member.units;
            let is_same = |reading: &&mut Reading| {
                let others = self.members.get(reading.members[0]).units;
                bytes.iter().map(|byte| usize::from(byte.byte & 0x7F)).all(|at| others[at] == units[at])
            };
            match self.readings.iter_mut().find(is_same) {
                Some(reading) => reading.members.push(number),
                None => {
                    let bound = if prunes { lowest.saturating_add(most) } else { i64::MAX };
                    let rough = Symbols::of(member).rough_price(&bytes, bound);
                    lowest = lowest.min(rough);
                    self.readings.push(Reading { members: vec![number], rough });
                }
            }
        }
        let bound = if prunes { lowest.saturating_add(most) } else { i64::MAX };
        self.add_units(bound);
        let attempts = self.attempts(neighbourhoods, &bytes, options);
        for reading in 0..self.readings.len() {
            let text = self.text(reading, &attempts, options);
            self.texts.extend(text);
        }
    }

    /// Makes the units of the readings whose rough price is at most `bound`.
    fn add_units(&mut self, bound: i64) {
        for (number, reading) in self.readings.iter().enumerate().filter(|(_, reading)| reading.rough <= bound) {
            let mut seen = 0;
            for &member in &reading.members {
                let Member { languages, script, .. } = self.members.get(member);
                let languages = languages & !seen;
                seen |= languages;
                match self.units.last_mut() {
                    Some(last) if last.reading == number && self.members.get(last.member).script == script => {
                        last.languages |= languages;
                    }
                    _ => self.units.push(Unit { reading: number, member, languages, slots: Vec::new() }),
                }
            }
        }
    }

    /// The prices of the units in their languages. What cannot win any more is left out: languages without most of the
    /// letters, then those for which the most frequent pairs are too dear. The prices of pairs are never negative, so
    /// an attempt is given up where the sum of its first pairs is above the bound for all of them.
    #[inline(never)]
    fn attempts(&mut self, neighbourhoods: &Neighbourhoods, bytes: &[Byte], options: &Options) -> Vec<Attempt> {
        let prunes = options.among.is_none();
        let frequent = self.pairs.len().min(FREQUENT_PAIRS);
        let frequent_bytes = &bytes[..bytes.len().min(FREQUENT_BYTES)];
        let all_bytes = frequent_bytes.iter().map(|byte| byte.count).sum();
        // Texts dearer than this are forgotten in the end.
        let of_others = self.texts.iter().map(Text::price).min().unwrap_or(i64::MAX);
        let most = of_others.saturating_add(HOPELESS + candidates::MOST_EVIDENCE);
        // The part of this price that the most frequent pairs would have.
        let counts = |pairs: &[Pair]| pairs.iter().map(|pair| i64::from(pair.count)).sum::<i64>();
        let part = match of_others {
            i64::MAX => i64::MAX,
            price => price / 4 * 5 * counts(&self.pairs[..frequent]) / counts(&self.pairs).max(1),
        };
        let most_of_frequent = part.saturating_add(HOPELESS + candidates::MOST_EVIDENCE).min(most);
        let plain = plain_evidence(&neighbourhoods.plain);
        self.plain = plain.into_iter().fold(0, i64::max);
        let plain_words = price_of_plain_words(&neighbourhoods.plain);
        let mut all = AllClasses::new();

        let mut attempts = Vec::new();
        for (number, unit) in self.units.iter_mut().enumerate() {
            let symbols = Symbols::of(self.members.get(unit.member));
            let mut letters = [(0, 0); FREQUENT_BYTES];
            for (letter, byte) in letters.iter_mut().zip(frequent_bytes) {
                *letter = (symbols.slot(byte.byte), if symbols.symbol(byte.byte).is_letter() { byte.count } else { 0 });
            }
            if prunes && is_foreign(&OTHER_ONLY, &letters, all_bytes) {
                continue;
            }
            let mut languages = unit.languages;
            while languages != 0 {
                let language = languages.trailing_zeros() as usize;
                languages &= languages - 1;
                let classes = all.of(language);
                if prunes && is_foreign(classes, &letters, all_bytes) {
                    continue;
                }
                unit.add_slots(symbols, &self.pairs, frequent.min(FIRST_PAIRS));
                let evidence = plain.get(language).copied().unwrap_or(-plain_words);
                let evidence = evidence + candidates::language_evidence(options, language);
                let price = sum(&TABLES[language], classes, &unit.slots) - evidence;
                attempts.push(Attempt { unit: number, language, price });
            }
        }
        // The attempt with the cheapest first pairs is probably the best one. It gives a low bound for the others.
        let best = (0..attempts.len()).min_by_key(|&number| attempts[number].price).unwrap_or(0);
        let mut lowest = i64::MAX;
        for number in core::iter::once(best).chain(0..attempts.len()) {
            let Some(attempt) = attempts.get_mut(number) else { break };
            if number == best && lowest < i64::MAX {
                continue;
            }
            let unit = &mut self.units[attempt.unit];
            let symbols = Symbols::of(self.members.get(unit.member));
            let mut summed = frequent.min(FIRST_PAIRS);
            while summed < frequent && !(prunes && attempt.price > bound_for(lowest).min(most_of_frequent)) {
                let end = frequent.min(summed + FIRST_PAIRS);
                unit.add_slots(symbols, &self.pairs, end);
                attempt.price += sum(&TABLES[attempt.language], all.of(attempt.language), &unit.slots[summed..end]);
                summed = end;
            }
            lowest = lowest.min(attempt.price);
        }
        if prunes {
            attempts.retain(|attempt| attempt.price <= bound_for(lowest).min(most_of_frequent));
        }
        sort(&mut attempts, |attempt| attempt.price);
        let mut best = i64::MAX;
        for attempt in &mut attempts {
            let unit = &mut self.units[attempt.unit];
            let symbols = Symbols::of(self.members.get(unit.member));
            let mut summed = frequent;
            while summed < self.pairs.len() {
                let end = self.pairs.len().min(summed + FREQUENT_PAIRS);
                unit.add_slots(symbols, &self.pairs, end);
                attempt.price += sum(&TABLES[attempt.language], all.of(attempt.language), &unit.slots[summed..end]);
                if prunes && attempt.price > best.saturating_add(HOPELESS).min(most) {
                    break;
                }
                summed = end;
            }
            best = best.min(attempt.price);
        }
        if prunes {
            attempts.retain(|attempt| attempt.price <= best.saturating_add(HOPELESS).min(most));
        }
        attempts
    }

    /// The text of a reading: its encodings, each in its best language. `None` if there was no attempt at it.
    #[inline(never)]
    fn text(&self, number: usize, attempts: &[Attempt], options: &Options) -> Option<Text> {
        let reading = &self.readings[number];
        let mut best: Option<(i64, Option<(usize, usize)>)> = None;
        let mut members = Vec::new();
        let own: Vec<&Attempt> = attempts.iter().filter(|attempt| self.units[attempt.unit].reading == number).collect();
        if own.is_empty() && options.among.is_none() {
            return None;
        }
        for &member in &reading.members {
            let member = self.members.get(member);
            let is_own = |attempt: &&&Attempt| member.languages >> attempt.language & 1 == 1;
            let own = own.iter().filter(is_own).min_by_key(|attempt| attempt.price);
            let mut choice = own.map(|attempt| (attempt.price, Some((attempt.unit, attempt.language))));
            if options.among.is_some() {
                let flat = Symbols::of(self.members.get(reading.members[0])).flat_price(&self.pairs);
                choice = choice.filter(|&(price, _)| price <= flat).or(Some((flat, None)));
            }
            let Some((price, source)) = choice else { continue };
            let Member { name, encoding, price: own, .. } = member;
            let evidence = encoding.map_or(0, |name| candidates::evidence(options, name));
            let price = price + i64::from(own) * NAT / 4 - evidence;
            let code = source.map(|(_, language)| candidates::code(language));
            members.push(Scored { name, encoding, language: code, price });
            if best.is_none_or(|(lowest, _)| price < lowest) {
                best = Some((price, source));
            }
        }
        sort(&mut members, |member| member.price);
        Some(Text { members, source: best?.1 })
    }

    #[inline(never)]
    fn add_east_asian(&mut self, neighbourhoods: &Neighbourhoods, options: &Options, ends_mid_stream: bool) {
        let plain_words = price_of_plain_words(&neighbourhoods.plain);
        for &encoding in neighbourhoods.east_asian.encodings() {
            let results = neighbourhoods.east_asian.results(ends_mid_stream);
            let price = results.filter(|(other, _)| *other == encoding).map(|(_, price)| price).min();
            let Some(price) = price else { continue };
            let language = LANGUAGES + east_asian::language(encoding);
            let price = price + plain_words - candidates::language_evidence(options, language);
            let own = i64::from(candidates::east_asian_price(encoding)) * NAT / 4;
            let names: &[Name] = match &encoding {
                Encoding::Standard(Name::Gbk) => &[Name::Gbk, Name::Gb18030],
                Encoding::Standard(name) => core::slice::from_ref(name),
                #[cfg(feature = "charsets")]
                Encoding::Johab => {
                    let (name, language) = ("JOHAB", Some(candidates::code(language)));
                    self.texts.push(Text::of(Scored { name, encoding: None, language, price: price + own }));
                    continue;
                }
            };
            let mut members: Vec<Scored> = names
                .iter()
                .filter(|&&name| options.allows(name))
                .enumerate()
                .map(|(rank, &name)| {
                    let price = price + own + rank as i64 * NAT - candidates::evidence(options, name);
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

    /// Whether the pairs of letters in the best text cost no more than in texts of its language. Signs and capitals do
    /// not count, because tables and headings have many of them.
    ///
    /// Texts of at most 2500 characters in 36 languages, prose, capitals and CSV, have 2.5 to 3.7 nats per pair, and
    /// 4.8 in Welsh. Names in other languages have more: Georgian 4.2 to 5.3, Uyghur 5.1, Maltese 5.8, Maori 6.0.
    #[inline(never)]
    pub(crate) fn knows_language(&mut self) -> bool {
        /// What a text may cost beyond the bound, in nats for the square root of the number of pairs: few pairs differ
        /// more from the mean.
        const SPREAD: i64 = 5;

        let Some(text) = self.texts.first() else { return true };
        let (Some((unit, language)), Some(best)) = (text.source, text.members.first()) else { return true };
        let is_western = matches!(best.encoding, Some(Name::Windows1252 | Name::Macintosh));
        let Some(most) = most_per_pair(language, is_western) else { return true };
        let (table, classes) = (&TABLES[language], TABLES[language].classes());
        let unit = &mut self.units[unit];
        unit.add_slots(Symbols::of(self.members.get(unit.member)), &self.pairs, self.pairs.len());
        let is_letter = |slot: u8| match slot {
            0..0x80 => slot.is_ascii_alphabetic(),
            _ => slot >= 0x80 | FOREIGN_SMALL,
        };
        let (mut excess, mut pairs) = (0, 0);
        for slots in unit.slots.iter().filter(|slots| is_letter(slots.first) && is_letter(slots.second)) {
            let count = i64::from(slots.count);
            excess += price(table, &classes, &Slots { case: 0, ..*slots }) - most * count;
            pairs += count;
        }
        // The square of the spread is compared, because `core` has no square root.
        excess <= 0 || excess.saturating_mul(excess) <= (SPREAD * NAT).pow(2) * pairs
    }

    /// The offsets of the bytes that speak most for the first text and against the second one.
    #[inline(never)]
    pub(crate) fn evidence(&mut self) -> Vec<u64> {
        const MOST: usize = 8;
        let mut prices = |number: usize| -> Vec<i64> {
            match self.texts.get(number).and_then(|text| text.source) {
                Some((unit, language)) => {
                    let (table, classes) = (&TABLES[language], TABLES[language].classes());
                    let unit = &mut self.units[unit];
                    unit.add_slots(Symbols::of(self.members.get(unit.member)), &self.pairs, self.pairs.len());
                    unit.slots.chunks(1).map(|slots| sum(table, &classes, slots)).collect()
                }
                None => vec![0; self.pairs.len()],
            }
        };
        let (first, second) = (prices(0), prices(1));
        // The least differences so far, ascending.
        let mut least: Vec<(i64, u64)> = Vec::with_capacity(MOST + 1);
        for ((first, second), pair) in first.iter().zip(&second).zip(&self.pairs) {
            let difference = (first - second, pair.first);
            if least.len() == MOST && least.last() <= Some(&difference) {
                continue;
            }
            let place = least.iter().rposition(|other| *other <= difference).map_or(0, |place| place + 1);
            least.insert(place, difference);
            least.truncate(MOST);
        }
        least.into_iter().map(|(_, offset)| offset).collect()
    }
}

/// The most that pairs of letters in long texts of a language cost on average. `None` if letters beyond ASCII stand in
/// foreign words and names only. Most languages of Latin script without a model are written in windows-1252 and
/// macintosh, so a strange language is no reason to doubt these two.
fn most_per_pair(language: usize, is_western: bool) -> Option<i64> {
    Some(match TABLES[language].script {
        Script::Latin if matches!(candidates::code(language), "en" | "nl" | "it" | "cy") => return None,
        Script::Latin if is_western => 6 * NAT,
        Script::Latin | Script::Hebrew | Script::Thai => 4 * NAT,
        Script::Cyrillic | Script::Greek => 16 * NAT / 5,
        Script::Arabic => 9 * NAT / 2,
    })
}

/// The bytes beyond ASCII, the most frequent ones first: as many as decide which languages are looked at.
fn bytes(neighbourhoods: &Neighbourhoods, counts: &[u32; 256]) -> Vec<Byte> {
    let mut bytes: Vec<Byte> = Vec::with_capacity(128);
    for byte in neighbourhoods.high.iter() {
        let count = counts[usize::from(byte)];
        let frequent = &bytes[..bytes.len().min(FREQUENT_BYTES)];
        let place = frequent.iter().rposition(|other| other.count >= count).map_or(0, |place| place + 1);
        if place < FREQUENT_BYTES {
            bytes.insert(place, Byte { byte, count });
        } else {
            bytes.push(Byte { byte, count });
        }
    }
    bytes
}

/// The classes of a language that has all letters of its script.
static OTHER_ONLY: Classes = {
    let mut classes = [0; 256];
    let mut foreign = FOREIGN_SMALL;
    while foreign <= FOREIGN_UNICASE {
        classes[0x80 + foreign as usize] = OTHER_SCRIPT;
        foreign += 1;
    }
    classes
};

/// Whether a language lacks so many of these letters that the text cannot be in it. The letters are places of
/// [`Classes`] with their counts, and `all` is the number of bytes among which they are.
fn is_foreign(classes: &Classes, letters: &[(u8, u32)], all: u32) -> bool {
    let others = letters.iter().filter(|(slot, _)| classes[usize::from(*slot)] >= FIRST_OTHER);
    let foreign: u32 = others.map(|(_, count)| count).sum();
    foreign > 4 && foreign * 5 > all * 2
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
    const ROW: usize = LATIN_LANGUAGES / 2;
    // The languages with even and with odd numbers apart: these loops become vector code.
    let (mut even, mut odd) = ([0_i32; ROW], [0_i32; ROW]);
    for (row, &count) in model::ASCII.chunks_exact(ROW).zip(counts) {
        let Some(row) = row.first_chunk::<ROW>().filter(|_| count > 0) else { continue };
        for place in 0..ROW {
            even[place] += (i32::from(row[place] & 0xF) - 8) * count as i32;
            odd[place] += (i32::from(row[place] >> 4) - 8) * count as i32;
        }
    }
    debug_assert_eq!(counts.len(), PLAIN_CLASSES * PLAIN_CLASSES);
    // A step is an eighth of a nat.
    core::array::from_fn(|number| i64::from([&even, &odd][number % 2][number / 2]) * NAT / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_a_language_does_not_have_costs_what_its_kind_costs() {
        // No character, a control character, two boxes, and a letter of another script.
        let mut units = [0xFFFD; 128];
        units[..5].copy_from_slice(&[0xFFFD, 0x0081, 0x2500, 0x2502, 0x0416]);
        let symbols = candidates::symbols_of(&units, Script::Latin);
        let symbols = Symbols {
            symbols: &symbols,
            is_unicase: false,
            #[cfg(feature = "charsets")]
            toned: None,
        };
        for (before, byte, expected) in [
            (b' ', b'a', CONTROL_PRICE),
            (b' ', 0x80, UNDEFINED_PRICE),
            (b' ', 0x81, CONTROL_PRICE),
            (b' ', 0x82, BOX_PRICE),
            (0x82, 0x82, SAME_BOX_PRICE),
            (0x82, 0x83, BOX_AFTER_BOX_PRICE),
            (0x84, 0x83, BOX_PRICE),
            (b' ', 0x84, FOREIGN_PRICE),
        ] {
            assert_eq!(symbols.price_of_other(before, byte), expected, "{before:02X} {byte:02X}");
        }
    }

    #[test]
    fn a_text_is_foreign_from_five_foreign_letters_on_that_are_more_than_two_fifths() {
        let is_foreign = |foreign: u32, all| is_foreign(&[OTHER; 256], &[(0x80, foreign - 1), (0x81, 1)], all);
        assert!(!is_foreign(4, 4), "all of four bytes");
        assert!(is_foreign(5, 5), "all of five bytes");
        assert!(is_foreign(5, 12), "more than two fifths");
        assert!(!is_foreign(6, 15), "two fifths");
        assert!(!super::is_foreign(&[0; 256], &[(0x80, 9)], 9), "letters of the language");
    }

    #[test]
    fn the_bound_of_a_known_language_depends_on_its_script_and_on_its_encoding() {
        for (codes, bounds) in [
            ("en nl it cy", [None, None]),
            ("de fr es pt sv da nb fi is ca id ga gl eu et sq", [Some(4 * NAT), Some(6 * NAT)]),
            ("cs pl hu sk sl hr ro lt lv eo tr vi", [Some(4 * NAT), Some(6 * NAT)]),
            ("he th", [Some(4 * NAT); 2]),
            ("ru uk be bg mk sr el", [Some(102); 2]),
            ("ar fa", [Some(144); 2]),
        ] {
            for code in codes.split(' ') {
                let number = candidates::language(code).trailing_zeros() as usize;
                assert_eq!([false, true].map(|is_western| most_per_pair(number, is_western)), bounds, "{code}");
            }
        }
    }
}
