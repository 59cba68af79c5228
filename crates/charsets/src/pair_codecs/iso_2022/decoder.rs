//! The decoder of ISO 2022.

use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
};
use textcodec_kernels::{
    ascii::unshifted,
    blocks::{skip, skip_mut, up_to},
};

use super::{ESC, Of, Rules, SI, SO, Set, greek, roman};
use crate::{
    pair_codecs::{
        pairs::{Run, marks, second, two},
        table::Character,
    },
    pending,
};

/// The greatest number of bytes of an escape or a sequence that has begun.
const LONGEST: usize = 3;

/// The number of bytes of ASCII that are converted one by one where there is no whole block.
const BYTES_WITHOUT_BLOCK: usize = 32;

/// The sets that are designated and the one that is in use. They are a state between sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Selected {
    /// The numbers of G0 to G3 in [`Rules::sets`].
    sets: [u8; 4],
    /// Whether bytes are characters of G1.
    is_shifted: bool,
}

impl Rules {
    /// The number of values that one of G0 to G3 has in the number of a state. G1 has those where it is in use, too.
    const fn values(&self, place: usize) -> u8 {
        let sets = self.sets[place];
        let count = if sets.is_empty() { 1 } else { sets.len() as u8 };
        if place == 1 && self.has_shifts { count + count - self.undesignated() } else { count }
    }

    /// 1 if G1 can be without a set. It is then not in use.
    const fn undesignated(&self) -> u8 {
        match self.sets[1] {
            [Set::None, ..] => 1,
            _ => 0,
        }
    }

    /// The number of states without marks.
    const fn states(&self) -> u8 {
        self.values(0) * self.values(1) * self.values(2) * self.values(3)
    }

    fn number(&self, selected: Selected) -> u8 {
        let mut sets = selected.sets;
        if selected.is_shifted {
            sets[1] = (sets[1] + self.sets[1].len() as u8).saturating_sub(self.undesignated());
        }
        (0..4).rev().fold(0, |number, place| number * self.values(place) + sets[place])
    }

    fn selected(&self, mut number: u8) -> Selected {
        let mut sets = [0; 4];
        for (place, set) in sets.iter_mut().enumerate() {
            let values = self.values(place).max(1);
            (*set, number) = (number % values, number / values);
        }
        let is_shifted = self.has_shifts && usize::from(sets[1]) >= self.sets[1].len();
        if is_shifted {
            sets[1] = (sets[1] - self.sets[1].len() as u8).saturating_add(self.undesignated());
        }
        Selected { sets, is_shifted }
    }

    fn set(&self, selected: Selected, place: usize) -> Set {
        self.sets[place].get(usize::from(selected.sets[place])).copied().unwrap_or(Set::None)
    }

    /// The set that bytes are characters of.
    fn in_use(&self, selected: Selected) -> Set {
        self.set(selected, selected.is_shifted.into())
    }
}

/// The character of a pair of seven bits each.
fn pair(set: Set, lead: u8, trail: u8) -> Option<Character> {
    if !is_graphic(lead) || !is_graphic(trail) {
        return None;
    }
    let [lead, trail] = [lead | 0x80, trail | 0x80];
    match set {
        Set::Pairs(scheme, &[], _) => scheme.character(&[lead, trail]),
        Set::Pairs(scheme, &[first], _) => scheme.character(&[first, lead, trail]),
        Set::Pairs(scheme, &[first, second], _) => scheme.character(&[first, second, lead, trail]),
        _ => None,
    }
}

fn is_graphic(byte: u8) -> bool {
    matches!(byte, 0x21..=0x7E)
}

/// What bytes mean.
enum Meaning {
    More,
    /// An escape, which has changed the state.
    Escape,
    /// A character of the first bytes, so many. The others are read again.
    Character(Character, usize),
    /// An error of the first bytes, so many. The others are read again.
    Malformed(usize),
}

impl Rules {
    /// The meaning of an escape, of `ESC N` or `ESC O` and their character, or of something else that begins with ESC.
    fn after_escape(&self, selected: &mut Selected, bytes: &[u8]) -> Meaning {
        if let Some(&(_, place, set)) = self.escapes.iter().find(|(escape, ..)| *escape == bytes) {
            selected.sets[usize::from(place)] = set;
            return Meaning::Escape;
        }
        if self.escapes.iter().any(|(escape, ..)| escape.starts_with(bytes)) {
            return Meaning::More;
        }
        let (place, rest) = match *bytes {
            [_, b'N', ref rest @ ..] => (2, rest),
            [_, b'O', ref rest @ ..] => (3, rest),
            _ => (0, bytes),
        };
        let set = self.set(*selected, place);
        if place == 0 || self.sets[place].is_empty() {
            // Another escape is a character, but not among those of G1.
            let is_character = !selected.is_shifted;
            return if is_character { one(ESC.into(), 1) } else { Meaning::Malformed(1) };
        }
        match (set, rest) {
            (Set::None, _) => Meaning::Malformed(if self.has_shifts { 2 } else { 1 }),
            (_, []) => Meaning::More,
            (Set::Latin1, &[byte, ..]) => one((byte | 0x80).into(), 3),
            (Set::Greek, &[byte @ 0x20..=0x7F, ..]) => match greek(byte | 0x80) {
                Some(code_point) => one(code_point, 3),
                None => Meaning::Malformed(3),
            },
            (Set::Greek, _) => Meaning::Malformed(1),
            (_, &[lead]) if is_graphic(lead) => Meaning::More,
            (set, &[lead, trail]) => match pair(set, lead, trail) {
                Some(character) => Meaning::Character(character, 4),
                None => Meaning::Malformed(2),
            },
            _ => Meaning::Malformed(2),
        }
    }

    /// The meaning of bytes that no sequence has before them; at most four.
    fn meaning(&self, selected: &mut Selected, bytes: &[u8]) -> Meaning {
        let Some(&first) = bytes.first() else { return Meaning::More };
        if first == ESC {
            return self.after_escape(selected, bytes);
        }
        if first >= 0x80 {
            return Meaning::Malformed(1);
        }
        if self.has_shifts && matches!(first, SO | SI) {
            if first == SO && matches!(self.set(*selected, 1), Set::None) {
                return Meaning::Malformed(1);
            }
            selected.is_shifted = first == SO;
            return Meaning::Escape;
        }
        match self.in_use(*selected) {
            Set::Ascii => one(first.into(), 1),
            _ if !self.has_shifts && !is_graphic(first) => one(first.into(), 1),
            Set::Roman => one(roman(first), 1),
            Set::Katakana if first < 0x60 => match char::from_u32(u32::from(first) - 0x21 + 0xFF61) {
                Some(code_point) => one(code_point, 1),
                None => Meaning::Malformed(1),
            },
            set @ Set::Pairs(..) if is_graphic(first) => match *bytes {
                [lead, trail] => match pair(set, lead, trail) {
                    Some(character) => Meaning::Character(character, 2),
                    None => Meaning::Malformed(1),
                },
                _ => Meaning::More,
            },
            _ => Meaning::Malformed(1),
        }
    }
}

fn one(code_point: char, length: usize) -> Meaning {
    Meaning::Character(Character::One(code_point), length)
}

/// The state of a decoder.
#[derive(Clone, Copy, Debug)]
struct State {
    selected: Selected,
    /// The mark that is to be written; see [`two`]. The last byte of its pair is restored.
    mark: u8,
    /// The bytes of an escape or a sequence that has begun. None of them is 00.
    pending: Bytes,
}

impl State {
    /// Takes a byte. Returns the bytes that are read again, too.
    fn handler(&mut self, rules: &Rules, byte: Item<u8>) -> (HandlerResult<CodePoints, ()>, Bytes) {
        let mut bytes = core::mem::take(&mut self.pending);
        let mark = core::mem::take(&mut self.mark);
        let Item::Value(byte) = byte else {
            if !bytes.is_empty() {
                return (HandlerResult::Error(()), Bytes::EMPTY);
            }
            self.selected = Selected { sets: [0; 4], is_shifted: false };
            return (HandlerResult::Finished, Bytes::EMPTY);
        };
        if mark != 0 {
            return (second(rules.doubles, mark), Bytes::EMPTY);
        }
        bytes.push(byte);
        match rules.meaning(&mut self.selected, &bytes) {
            Meaning::More => {
                self.pending = bytes;
                (HandlerResult::Continue, Bytes::EMPTY)
            }
            Meaning::Escape => (HandlerResult::Continue, Bytes::EMPTY),
            Meaning::Character(Character::One(code_point), length) => {
                (HandlerResult::Items(code_point.into()), skip(&bytes, length).into())
            }
            Meaning::Character(Character::Two(number), _) => {
                let (result, mark) = two(rules.doubles, number);
                self.mark = mark;
                (result, if mark == 0 { Bytes::EMPTY } else { byte.into() })
            }
            Meaning::Malformed(length) => (HandlerResult::Error(()), skip(&bytes, length).into()),
        }
    }

    /// Decodes runs of a set, and escapes. Stops before everything else.
    fn convert(&mut self, rules: &Rules, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        let (mut read, mut written, mut next_block) = (0, 0, 0);
        while let (Some(&first), Some(_)) = (source.get(read), destination.get(written)) {
            if first == ESC {
                let from = skip(source, read);
                if let &[_, shift @ (b'N' | b'O'), ref pair @ ..] = from {
                    // A pair of G2 or G3.
                    let set = rules.set(self.selected, if shift == b'N' { 2 } else { 3 });
                    let Set::Pairs(scheme, after, pairs) = set else { break };
                    let run = Run::new(scheme, after, pairs, true);
                    let space = skip_mut(destination, written);
                    let (bytes, units) = run.map_or((0, 0), |run| run.decode(up_to(pair, 2), space));
                    if bytes == 0 {
                        break;
                    }
                    (read, written) = (read + 2 + bytes, written + units);
                    continue;
                }
                let Some((escape, place, set)) = rules.escapes.iter().find(|(escape, ..)| from.starts_with(escape))
                else {
                    break;
                };
                self.selected.sets[usize::from(*place)] = *set;
                read += escape.len();
                continue;
            }
            if rules.has_shifts && matches!(first, SO | SI) {
                if matches!(rules.set(self.selected, 1), Set::None) {
                    break;
                }
                self.selected.is_shifted = first == SO;
                read += 1;
                continue;
            }
            let set = rules.in_use(self.selected);
            if matches!(set, Set::Ascii) && read >= next_block {
                let run = unshifted::widen_blocks(skip(source, read), skip_mut(destination, written));
                if run > 0 {
                    (read, written) = (read + run, written + run);
                    continue;
                }
                next_block = read + BYTES_WITHOUT_BLOCK;
            }
            if let (Set::Pairs(scheme, after, pairs), true) = (set, is_graphic(first)) {
                let run = Run::new(scheme, after, pairs, true);
                let (rest, space) = (skip(source, read), skip_mut(destination, written));
                let (bytes, units) = run.map_or((0, 0), |run| run.decode(rest, space));
                if bytes == 0 {
                    break;
                }
                (read, written) = (read + bytes, written + units);
                continue;
            }
            let unit = match (set, first) {
                (Set::Ascii, 0..=0x7F) => first.into(),
                (_, 0..=0x20 | 0x7F) if !rules.has_shifts => first.into(),
                (Set::Roman, 0..=0x7F) => u32::from(roman(first)) as u16,
                (Set::Katakana, 0x21..=0x5F) => 0xFF40 + u16::from(first),
                _ => break,
            };
            destination[written] = unit;
            (read, written) = (read + 1, written + 1);
        }
        (read, written)
    }
}

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso2022Decoder<S> {
    state: State,
    charset: core::marker::PhantomData<S>,
}

impl<S: Of> DecoderHandler for Iso2022Decoder<S> {
    /// Without shifts, the bytes 0E and 0F are characters.
    const UNCHANGED: Unchanged = if S::RULES.has_shifts { Unchanged::UnshiftedAscii } else { Unchanged::Nothing };
    const STATES_BETWEEN: u8 = S::RULES.states() + marks(S::RULES.doubles) - 1;
    const STATE_BITS: u8 = if S::RULES.doubles.is_empty() { 8 } else { S::RULES.states().ilog2() as u8 + 1 };
    /// Pairs need no end.
    const BEGUN: u64 = 0x7FFF_FF00;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let (result, restored) = self.state.handler(S::RULES, byte);
        if !restored.is_empty() {
            io_queue.restore(&restored);
        }
        result
    }

    fn pending(&self) -> Bytes {
        self.state.pending
    }

    fn can_convert(&self) -> bool {
        self.state.pending.is_empty() && self.state.mark == 0
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        self.state.convert(S::RULES, source, destination)
    }

    /// Bits 0 to 7: the sets, or a mark; bits 8 to 31: the bytes, the first one lowest.
    fn pack(self) -> u64 {
        let State { selected, mark, .. } = self.state;
        let number = match mark.checked_sub(1) {
            Some(mark) => S::RULES.states() + mark,
            None => S::RULES.number(selected),
        };
        u64::from(number) | pending::pack(&self.state.pending) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let number = word as u8;
        let pending = pending::unpack(word >> 8, LONGEST);
        let mark = number.saturating_add(1).saturating_sub(S::RULES.states());
        let selected = if mark == 0 {
            S::RULES.selected(number)
        } else {
            Selected { sets: [S::RULES.set_of_doubles, 0, 0, 0], is_shifted: false }
        };
        Iso2022Decoder { state: State { selected, mark, pending }, charset: core::marker::PhantomData }
    }
}
