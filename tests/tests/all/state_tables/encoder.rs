//! The interpreter of the tables of encoders.

use std::{ops::RangeInclusive, rc::Rc};

use super::{
    Outcome,
    index::{self, Indexes},
    table::{self, Table, decimal, hex, range, state_number},
};

/// The rules of an encoder. The states are numbers.
pub(super) struct EncoderTable {
    pub(super) first: usize,
    rules: Vec<Rule>,
}

struct Rule {
    /// `None` for every state.
    state: Option<usize>,
    items: Items,
    action: Action,
    /// `None` if the state stays.
    next: Option<usize>,
}

enum Items {
    End,
    Ranges(Vec<RangeInclusive<u32>>),
    /// The code points and their pointers, in ascending order.
    Index(Rc<Vec<(char, u32)>>),
    /// All code points that index gb18030 does not have.
    GbRanges(Rc<Vec<(u32, char)>>),
}

enum Action {
    Itself,
    Bytes(Vec<u8>),
    Restore(Vec<u8>),
    Write(Number, Vec<Digit>),
    Treat(char),
    /// The code point that the index has at the pointer which is the code point minus the number.
    TreatInIndex(u32, Rc<Vec<(u32, char)>>),
    Error(Option<char>),
    Finish,
}

enum Number {
    Pointer,
    CodePointMinus(u32),
}

/// A digit, whose byte is `low` plus the digit below `limit`, and otherwise `high` plus the digit.
struct Digit {
    base: u32,
    low: u32,
    limit: u32,
    high: u32,
}

impl Digit {
    /// Reads for example `157:40/3F:62`.
    fn parse(word: &str) -> Self {
        let (low, high) = word.split_once('/').map_or((word, None), |(low, high)| (low, Some(high)));
        // The first digit has no base.
        let (base, low) = low.split_once(':').map_or((u32::MAX, low), |(base, low)| (decimal(base), low));
        let (limit, high) = high.and_then(|high| high.split_once(':')).unwrap_or(("FFFFFFFF", low));
        Digit { base, low: hex(low), limit: hex(limit), high: hex(high) }
    }
}

/// The encoders of all encodings that have one, in the order of the file.
pub(super) fn encoders() -> Vec<(&'static str, EncoderTable)> {
    let mut indexes = Indexes::default();
    let tables = table::read(include_str!("encoders.txt"), "encoder");
    tables.into_iter().map(|table| (table.name, EncoderTable::new(&table, &mut indexes))).collect()
}

impl EncoderTable {
    fn new(table: &Table, indexes: &mut Indexes) -> Self {
        let (mut names, mut rules) = (Vec::new(), Vec::new());
        for line in &table.lines {
            let words: Vec<&str> = line.iter().map(String::as_str).collect();
            let is_action =
                |word: &&str| ["itself", "bytes", "write", "restore", "treat", "error", "finish"].contains(word);
            let at = words.iter().position(is_action).unwrap_or_else(|| panic!("{words:?} has no action"));
            let state = (words[0] != "*").then(|| state_number(&mut names, words[0]));
            let (action, next) = match &words[at..] {
                [words @ .., "go", next] => (words, Some(state_number(&mut names, next))),
                words => (words, None),
            };
            let items = Items::parse(&words[1..at], table.own_index, indexes);
            rules.push(Rule { state, items, action: Action::parse(action, indexes), next });
        }
        EncoderTable { first: names.iter().position(|name| name == table.name).unwrap_or(0), rules }
    }

    /// The handler: the outcome for a code point, or for the end of the queue, and the code point that is restored.
    pub(super) fn step(&self, state: &mut usize, item: Option<char>) -> (Outcome<Vec<u8>, char>, Option<char>) {
        let read = item;
        let mut item = item;
        for rule in &self.rules {
            let Some(pointer) = rule.pointer(*state, item) else { continue };
            let code_point = item.unwrap_or_default();
            let outcome = match &rule.action {
                Action::Itself => Outcome::Items(vec![u8::try_from(code_point).expect("a code point of a byte")]),
                Action::Bytes(bytes) | Action::Restore(bytes) => Outcome::Items(bytes.clone()),
                Action::Write(number, digits) => Outcome::Items(match number {
                    Number::Pointer => write(pointer, digits),
                    Number::CodePointMinus(number) => write(u32::from(code_point) - number, digits),
                }),
                Action::Treat(other) => {
                    item = Some(*other);
                    continue;
                }
                Action::TreatInIndex(number, pairs) => {
                    item = index::code_point(pairs, u32::from(code_point) - number);
                    continue;
                }
                Action::Error(other) => Outcome::Error(other.unwrap_or(code_point)),
                Action::Finish => Outcome::Finished,
            };
            *state = rule.next.unwrap_or(*state);
            let is_restored = matches!(rule.action, Action::Restore(_));
            return (outcome, read.filter(|_| is_restored));
        }
        panic!("no rule holds for {item:?}");
    }

    /// Encodes `text` to its end, with a character reference for each error. Returns the bytes, and whether there was
    /// an error.
    pub(super) fn encode(&self, text: &str) -> (Vec<u8>, bool) {
        let (mut bytes, mut has_errors, mut state) = (Vec::new(), false, self.first);
        let (mut rest, mut restored) = (text.chars(), None);
        loop {
            let item = restored.take().or_else(|| rest.next());
            let (outcome, again) = self.step(&mut state, item);
            restored = again;
            match outcome {
                Outcome::Finished => return (bytes, has_errors),
                Outcome::Items(items) => bytes.extend(items),
                Outcome::Error(code_point) => {
                    has_errors = true;
                    bytes.extend(format!("&#{};", u32::from(code_point)).bytes());
                }
                Outcome::Continue => {}
            }
        }
    }
}

impl Rule {
    /// The pointer of `item` if the rule holds, 0 where it is of no use. `None` if the rule does not hold.
    fn pointer(&self, state: usize, item: Option<char>) -> Option<u32> {
        if self.state.is_some_and(|of_rule| of_rule != state) {
            return None;
        }
        match (&self.items, item) {
            (Items::End, None) => Some(0),
            (Items::Ranges(ranges), Some(code_point)) => {
                ranges.iter().any(|range| range.contains(&code_point.into())).then_some(0)
            }
            (Items::Index(pointers), Some(code_point)) => {
                pointers.binary_search_by_key(&code_point, |pair| pair.0).ok().map(|at| pointers[at].1)
            }
            (Items::GbRanges(pairs), Some(code_point)) => Some(index::pointer_of_ranges(pairs, code_point)),
            _ => None,
        }
    }
}

impl Items {
    fn parse(words: &[&str], own_index: &str, indexes: &mut Indexes) -> Self {
        match words {
            ["end"] => Items::End,
            ["any"] => Items::Ranges(vec![0..=0x10_FFFF]),
            ["in", index::RANGES] => Items::GbRanges(indexes.pairs(index::RANGES)),
            ["in", words @ ..] => {
                let (words, among) = match words.iter().position(|&word| word == "among") {
                    Some(at) => (&words[..at], words[at + 1..].iter().map(|word| hex(word)).collect()),
                    None => (words, Vec::new()),
                };
                let (is_last, words) = match words {
                    ["last", words @ ..] => (true, words),
                    words => (false, words),
                };
                let ranges: Vec<_> = words[1..].iter().map(|word| range(word, decimal)).collect();
                let pairs = indexes.pairs(if words[0] == "own" { own_index } else { words[0] });
                let is_in = |pointer: u32, code_point: char| {
                    ranges.iter().any(|range| range.contains(&pointer))
                        && (among.is_empty() || among.contains(&code_point.into()))
                };
                Items::Index(Rc::new(index::by_code_point(&pairs, is_in, is_last)))
            }
            words => Items::Ranges(words.iter().map(|word| range(word, hex)).collect()),
        }
    }
}

impl Action {
    fn parse(words: &[&str], indexes: &mut Indexes) -> Self {
        let scalar = |word: &str| char::from_u32(hex(word)).expect("a scalar value");
        let bytes = |words: &[&str]| words.iter().map(|word| hex(word) as u8).collect();
        let minus = |word: &str| hex(word.strip_prefix("c-").expect("c-number"));
        match words {
            ["itself"] => Action::Itself,
            ["bytes", words @ ..] => Action::Bytes(bytes(words)),
            ["restore", "bytes", words @ ..] => Action::Restore(bytes(words)),
            ["write", number, "as", digits @ ..] => {
                let number = if *number == "pointer" { Number::Pointer } else { Number::CodePointMinus(minus(number)) };
                Action::Write(number, digits.iter().map(|word| Digit::parse(word)).collect())
            }
            ["treat", number, "in", name] => Action::TreatInIndex(minus(number), indexes.pairs(name)),
            ["treat", code_point] => Action::Treat(scalar(code_point)),
            ["error"] => Action::Error(None),
            ["error", code_point] => Action::Error(Some(scalar(code_point))),
            ["finish"] => Action::Finish,
            words => panic!("{words:?} is no action"),
        }
    }
}

/// The digits of `number`, from the first on, as bytes.
fn write(mut number: u32, digits: &[Digit]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(digits.len());
    for digit in digits.iter().rev() {
        let value = number % digit.base;
        number /= digit.base;
        let offset = if value < digit.limit { digit.low } else { digit.high };
        bytes.push(u8::try_from(offset + value).expect("a byte"));
    }
    bytes.reverse();
    bytes
}
