//! The interpreter of the state tables of decoders.

use std::{collections::VecDeque, fmt, rc::Rc};

use super::{
    Outcome,
    index::{self, Indexes},
    table::{self, Table, decimal, hex, range, state_number},
};

/// A state table. The states are numbers; the first state is 0.
pub(super) struct DecoderTable {
    pub(super) names: Vec<String>,
    states: Vec<State>,
}

struct State {
    /// What follows each byte, and then the end of the queue.
    actions: Vec<Option<Rc<Action>>>,
}

/// The position of the end of the queue among the actions of a state.
const END: usize = 0x100;

struct Action {
    answer: Answer,
    next: usize,
}

enum Answer {
    /// The byte is held.
    To,
    /// What is held is dropped.
    Go,
    Finish,
    Emit(Vec<Linear>),
    Index {
        pairs: Rc<Vec<(u32, char)>>,
        is_ranges: bool,
        pointer: Linear,
        restored: usize,
    },
    Error {
        restored: usize,
        held: usize,
    },
}

/// A constant and multiples of bytes of the sequence.
struct Linear {
    constant: i64,
    /// For each of the four bytes.
    factors: [i64; 4],
}

impl Linear {
    /// Reads for example `U+E000 + 188(1-F0) + (2-40)`. `itself` is the last byte of a sequence of one.
    fn parse(words: &[&str]) -> Self {
        let mut linear = Linear { constant: 0, factors: [0; 4] };
        for term in words.iter().filter(|&&word| word != "+") {
            match (term.strip_prefix("U+"), term.split_once('(')) {
                (Some(constant), _) => linear.constant += i64::from(hex(constant)),
                (_, Some((factor, rest))) => {
                    let factor = if factor.is_empty() { 1 } else { i64::from(decimal(factor)) };
                    let (place, subtracted) = rest.trim_end_matches(')').split_once('-').expect("(place-number)");
                    linear.factors[decimal(place) as usize - 1] += factor;
                    linear.constant -= factor * i64::from(hex(subtracted));
                }
                _ if *term == "itself" => linear.factors[0] += 1,
                _ => panic!("{term} is no term"),
            }
        }
        linear
    }

    fn of(&self, sequence: &[u8]) -> u32 {
        let terms = sequence.iter().zip(self.factors).map(|(&byte, factor)| factor * i64::from(byte));
        (self.constant + terms.sum::<i64>()).try_into().expect("the tables give no negative number")
    }
}

/// At most three bytes of a sequence.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Held {
    bytes: [u8; 3],
    length: usize,
}

impl Held {
    fn new(slice: &[u8]) -> Self {
        let mut bytes = [0; 3];
        bytes[..slice.len()].copy_from_slice(slice);
        Held { bytes, length: slice.len() }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X?}", self.as_slice())
    }
}

/// An instance of a decoder: its state, and the bytes that it holds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Decoder {
    pub(super) state: usize,
    pub(super) held: Held,
}

/// The decoders of all encodings, in the order of the file.
pub(super) fn decoders() -> Vec<(&'static str, DecoderTable)> {
    let mut indexes = Indexes::default();
    let tables = table::read(include_str!("decoders.txt"), "decoder");
    tables.into_iter().map(|table| (table.name, DecoderTable::new(&table, &mut indexes))).collect()
}

impl DecoderTable {
    fn new(table: &Table, indexes: &mut Indexes) -> Self {
        let (mut names, mut states) = (Vec::new(), Vec::<State>::new());
        for line in &table.lines {
            let words: Vec<&str> = line.iter().map(String::as_str).collect();
            let is_action = |word: &&str| ["to", "go", "emit", "index", "error", "finish"].contains(word);
            let at = words.iter().position(is_action).unwrap_or_else(|| panic!("{words:?} has no action"));
            let state = state_number(&mut names, words[0]);
            let action = Rc::new(action(&words[at..], table.own_index, &mut names, indexes));
            states.resize_with(names.len(), || State { actions: vec![None; END + 1] });
            for item in &words[1..at] {
                let places = match *item {
                    "end" => END as u32..=END as u32,
                    "other" => 0..=0xFF,
                    bytes => range(bytes, hex),
                };
                for place in places {
                    states[state].actions[place as usize].get_or_insert_with(|| action.clone());
                }
            }
        }
        states.resize_with(names.len(), || State { actions: vec![None; END + 1] });
        for (name, state) in names.iter().zip(&states) {
            let missing = state.actions.iter().position(Option::is_none);
            assert_eq!(missing, None, "{}: a line of the state {name} is missing", table.name);
        }
        DecoderTable { names, states }
    }

    /// The handler: the outcome for a byte, or for the end of the queue, and the bytes that are restored.
    pub(super) fn step(&self, decoder: &mut Decoder, byte: Option<u8>) -> (Outcome<[Option<char>; 2], ()>, Held) {
        let mut sequence = [0; 4];
        let mut length = decoder.held.length;
        sequence[..length].copy_from_slice(decoder.held.as_slice());
        if let Some(byte) = byte {
            sequence[length] = byte;
            length += 1;
        }
        let sequence = &sequence[..length];
        let action = self.action(decoder.state, byte);
        let from_end = |number: usize| Held::new(&sequence[length - number..]);
        let scalar = |number| Some(char::from_u32(number).expect("the tables give scalar values"));
        *decoder = Decoder { state: action.next, held: Held::default() };
        let outcome = match &action.answer {
            Answer::To => {
                decoder.held = Held::new(sequence);
                Outcome::Continue
            }
            Answer::Go => Outcome::Continue,
            Answer::Finish => Outcome::Finished,
            Answer::Emit(code_points) => {
                let emitted = |at: usize| code_points.get(at).and_then(|linear: &Linear| scalar(linear.of(sequence)));
                Outcome::Items([emitted(0), emitted(1)])
            }
            Answer::Index { pairs, is_ranges, pointer, restored } => {
                let find = if *is_ranges { index::code_point_of_ranges } else { index::code_point };
                match find(pairs, pointer.of(sequence)) {
                    Some(code_point) => Outcome::Items([Some(code_point), None]),
                    None => return (Outcome::Error(()), from_end(*restored)),
                }
            }
            Answer::Error { restored, held } => {
                decoder.held = from_end(*held);
                return (Outcome::Error(()), from_end(*restored));
            }
        };
        (outcome, Held::default())
    }

    fn action(&self, state: usize, byte: Option<u8>) -> &Rc<Action> {
        self.states[state].actions[byte.map_or(END, usize::from)].as_ref().expect("`new` checks this")
    }

    /// The first and last bytes of each range of bytes that the state treats alike, and all bytes of ranges of at most
    /// ten bytes.
    pub(super) fn edges(&self, state: usize) -> Vec<u8> {
        let bytes: Vec<u8> = (0..=0xFF).collect();
        let is_alike = |a: &u8, b: &u8| Rc::ptr_eq(self.action(state, Some(*a)), self.action(state, Some(*b)));
        let ranges = bytes.chunk_by(is_alike);
        ranges
            .flat_map(|range| if range.len() > 10 { vec![range[0], range[range.len() - 1]] } else { range.to_vec() })
            .collect()
    }

    /// Decodes `bytes` to their end, with U+FFFD for each error. Returns the text, and whether there was an error.
    pub(super) fn decode(&self, bytes: &[u8]) -> (String, bool) {
        let (mut text, mut has_errors, mut decoder) = (String::new(), false, Decoder::default());
        let (mut rest, mut restored) = (bytes.iter().copied(), VecDeque::new());
        loop {
            let byte = restored.pop_front().or_else(|| rest.next());
            let (outcome, again) = self.step(&mut decoder, byte);
            again.as_slice().iter().rev().for_each(|&byte| restored.push_front(byte));
            match outcome {
                Outcome::Finished => return (text, has_errors),
                Outcome::Items(code_points) => text.extend(code_points.into_iter().flatten()),
                Outcome::Error(()) => {
                    has_errors = true;
                    text.push('\u{FFFD}');
                }
                Outcome::Continue => {}
            }
        }
    }
}

/// Reads an action.
fn action(words: &[&str], own_index: &str, names: &mut Vec<String>, indexes: &mut Indexes) -> Action {
    let (words, otherwise) = match words.iter().position(|&word| word == "else") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let (words, next) = match words {
        [words @ .., "then", next] => (words, state_number(names, next)),
        [word @ ("to" | "go"), next] => (&[*word][..], state_number(names, next)),
        words => (words, 0),
    };
    let restored = |words: &[&str]| match words {
        ["error"] => 0,
        ["error", "restore", number] => decimal(number) as usize,
        _ => panic!("{words:?} is no error"),
    };
    let answer = match words {
        ["to"] => Answer::To,
        ["go"] => Answer::Go,
        ["finish"] => Answer::Finish,
        ["emit", first, second] if *second != "+" => {
            Answer::Emit(vec![Linear::parse(&[*first]), Linear::parse(&[*second])])
        }
        ["emit", code_point @ ..] => Answer::Emit(vec![Linear::parse(code_point)]),
        ["index", name, pointer @ ..] => Answer::Index {
            pairs: indexes.pairs(if *name == "own" { own_index } else { name }),
            is_ranges: *name == index::RANGES,
            pointer: Linear::parse(pointer),
            restored: restored(otherwise),
        },
        ["error", "hold", number] => Answer::Error { restored: 0, held: decimal(number) as usize },
        words => Answer::Error { restored: restored(words), held: 0 },
    };
    Action { answer, next }
}
