//! The encoder of ISO-2022-JP and its extensions.

use textcodec_core::{
    EncoderHalf, convert,
    handler::{Bytes, EncoderHandler, HandlerResult, Item, MaxBytes, Restore},
};
use textcodec_kernels::{
    ascii::unshifted,
    blocks::{skip, skip_mut},
};

use super::{ESC, Of, greek};
use crate::{
    generated::pairs::{EUC_CN_BYTES, EUC_JISX0213_BYTES, EUC_JP_BYTES, EUC_KR_BYTES},
    pair_codecs::{
        pairs::SchemeBytes,
        table::{Table, is_mark},
    },
};

/// How a set encodes.
#[derive(Clone, Copy)]
enum Coded {
    /// US-ASCII.
    Ascii,
    /// JIS X 0201 Roman.
    Roman,
    /// JIS X 0201 Katakana.
    Katakana,
    /// The pairs of an EUC charset.
    Pairs(&'static SchemeBytes),
    /// The pairs of an EUC charset after the byte 8F.
    PairsAfter8F(&'static SchemeBytes),
    /// JIS X 0213, plane 1, without the characters of 2004.
    Jisx0213Of2000(&'static SchemeBytes),
}

/// A set of G0, and the escape that designates it.
#[derive(Clone, Copy)]
struct Target(Coded, &'static [u8]);

const ASCII: Target = Target(Coded::Ascii, b"\x1B(B");
const ROMAN: Target = Target(Coded::Roman, b"\x1B(J");
const KATAKANA: Target = Target(Coded::Katakana, b"\x1B(I");
const JISX0208: Target = Target(Coded::Pairs(&EUC_JP_BYTES), b"\x1B$B");
const JISX0212: Target = Target(Coded::PairsAfter8F(&EUC_JP_BYTES), b"\x1B$(D");
const GB2312: Target = Target(Coded::Pairs(&EUC_CN_BYTES), b"\x1B$A");
const KSX1001: Target = Target(Coded::Pairs(&EUC_KR_BYTES), b"\x1B$(C");
const JISX0213_OF_2000: Target = Target(Coded::Jisx0213Of2000(&EUC_JISX0213_BYTES), b"\x1B$(O");
const JISX0213_1: Target = Target(Coded::Pairs(&EUC_JISX0213_BYTES), b"\x1B$(Q");
const JISX0213_2: Target = Target(Coded::PairsAfter8F(&EUC_JISX0213_BYTES), b"\x1B$(P");

/// What an encoder knows. A character that is not in the set in use is encoded in the first set that has it.
pub(crate) struct Targets {
    /// The sets of G0. The first one is ASCII.
    sets: &'static [Target],
    /// The number of sets that come before ISO 8859-1 and ISO 8859-7, which are sets of G2; `None` without them.
    before_g2: Option<usize>,
    /// The table with the sequences of two code points.
    doubles: Option<&'static SchemeBytes>,
}

/// The sets of ISO-2022-JP.
pub(super) static JP: Targets = Targets { sets: &[ASCII, ROMAN, JISX0208], before_g2: None, doubles: None };

/// The sets of ISO-2022-JP-1.
pub(super) static JP_1: Targets = Targets { sets: &[ASCII, ROMAN, JISX0208, JISX0212], before_g2: None, doubles: None };

/// The sets of ISO-2022-JP-2.
pub(super) static JP_2: Targets =
    Targets { sets: &[ASCII, ROMAN, JISX0208, JISX0212, GB2312, KSX1001, KATAKANA], before_g2: Some(4), doubles: None };

/// The sets of ISO-2022-JP-3.
pub(super) static JP_3: Targets = Targets {
    sets: &[ASCII, ROMAN, JISX0208, JISX0213_OF_2000, JISX0213_1, JISX0213_2, KATAKANA],
    before_g2: None,
    doubles: Some(&EUC_JISX0213_BYTES),
};

/// The number of the set of JIS X 0213 in [`JP_3`] to which sequences of two code points switch, and the one after it,
/// which also has them.
const SETS_OF_DOUBLES: [u16; 2] = [3, 4];

/// The numbers of ISO 8859-1 and ISO 8859-7 in G2.
const LATIN_1: u16 = 1;
const GREEK: u16 = 2;

/// The pairs that JIS X 0213 has since 2004.
#[rustfmt::skip]
const ADDED_IN_2004: [[u8; 2]; 10] = [
    [0x2E, 0x21], [0x2F, 0x7E], [0x4F, 0x54], [0x4F, 0x7E], [0x74, 0x27],
    [0x7E, 0x7A], [0x7E, 0x7B], [0x7E, 0x7C], [0x7E, 0x7D], [0x7E, 0x7E],
];

/// A pair of seven bits each.
fn pair(lead: u8, trail: u8) -> Option<Bytes> {
    // Bytes below A1 are those of katakana in EUC.
    if lead >= 0xA1 { Some([lead & 0x7F, trail & 0x7F].into()) } else { None }
}

impl Coded {
    fn bytes(self, code_point: char) -> Option<Bytes> {
        let number = u32::from(code_point);
        match self {
            Coded::Ascii => u8::try_from(code_point).ok().filter(u8::is_ascii).map(Bytes::from),
            Coded::Roman => match code_point {
                '¥' => Some(0x5C.into()),
                '‾' => Some(0x7E.into()),
                '!'..='}' if code_point != '\\' => Some((number as u8).into()),
                _ => None,
            },
            Coded::Katakana => match code_point {
                '｡'..='ﾟ' => Some(((number - 0xFF40) as u8).into()),
                _ => None,
            },
            Coded::Pairs(bytes) => match *bytes.bytes(code_point)? {
                [lead, trail] => pair(lead, trail),
                _ => None,
            },
            Coded::PairsAfter8F(bytes) => match *bytes.bytes(code_point)? {
                [0x8F, lead, trail] => pair(lead, trail),
                _ => None,
            },
            Coded::Jisx0213Of2000(bytes) => {
                let bytes = Coded::Pairs(bytes).bytes(code_point)?;
                if ADDED_IN_2004.iter().any(|added| *added == *bytes) { None } else { Some(bytes) }
            }
        }
    }
}

/// The byte of a character in a set of G2.
fn byte_of_g2(set: u16, code_point: char) -> Option<u8> {
    match set {
        LATIN_1 => u8::try_from(code_point).ok().filter(|byte| !byte.is_ascii()),
        GREEK => (0xA0..=0xFF).find(|byte| greek(*byte) == Some(code_point)),
        _ => None,
    }
}

/// The state of an encoder.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The number of the set in use.
    set: u16,
    /// The set of G2; 0 for none.
    g2: u16,
    /// The character that may begin a sequence of two code points; see [`Table::held`].
    held: u16,
}

impl Targets {
    fn table(&self) -> Option<&'static Table> {
        self.doubles.map(|bytes| bytes.places.table)
    }

    /// The number of values of [`State::g2`].
    const fn values_of_g2(&self) -> u16 {
        if self.before_g2.is_some() { 3 } else { 1 }
    }

    /// The number of values of [`State::held`].
    const fn values_of_held(&self) -> u16 {
        match self.doubles {
            Some(bytes) => 1 + bytes.places.table.firsts.len() as u16,
            None => 1,
        }
    }

    fn bytes(&self, set: u16, code_point: char) -> Option<Bytes> {
        self.sets.get(usize::from(set))?.0.bytes(code_point)
    }

    /// The number that [`State::held`] has for a character, 0 for none.
    fn held(&self, code_point: char) -> u16 {
        self.table().map_or(0, |table| table.held(code_point))
    }
}

/// What [`State::bytes`] returns.
enum Written {
    /// The bytes of a character.
    Character(Bytes),
    /// An escape that the character needs. The character is read again: with its escape, it would be longer than the
    /// destination that every encoder makes progress with.
    Escape(Bytes),
}

impl State {
    /// The bytes of a character in a set, or the escape that makes the set the one in use.
    fn in_set(&mut self, targets: &Targets, set: u16, bytes: Bytes) -> Written {
        if self.set == set {
            return Written::Character(bytes);
        }
        self.set = set;
        Written::Escape(targets.sets.get(usize::from(set)).map_or(Bytes::EMPTY, |target| target.1.into()))
    }

    /// The bytes of a character of G2, or the escape that designates its set.
    fn in_g2(&mut self, set: u16, byte: u8) -> Written {
        if self.g2 == set {
            return Written::Character([ESC, b'N', byte & 0x7F].into());
        }
        self.g2 = set;
        Written::Escape([ESC, b'.', if set == LATIN_1 { b'A' } else { b'F' }].into())
    }

    /// The bytes of a character, or the escape that it needs.
    fn bytes(&mut self, targets: &Targets, code_point: char) -> Option<Written> {
        if matches!(code_point, '\u{E}' | '\u{F}' | '\u{1B}') {
            return None;
        }
        // G2 has no set at the beginning of a line, which is in ASCII.
        if code_point == '\n' {
            self.g2 = 0;
        }
        if let Some(bytes) = targets.bytes(self.set, code_point) {
            return Some(Written::Character(bytes));
        }
        if let Some(byte) = byte_of_g2(self.g2, code_point) {
            return Some(self.in_g2(self.g2, byte));
        }
        if code_point.is_ascii() {
            return Some(self.in_set(targets, 0, Bytes::EMPTY));
        }
        for (number, target) in (1..).zip(targets.sets.get(1..)?) {
            if targets.before_g2 == Some(usize::from(number)) {
                for set in [LATIN_1, GREEK] {
                    if let Some(byte) = byte_of_g2(set, code_point) {
                        return Some(self.in_g2(set, byte));
                    }
                }
            }
            if let Some(bytes) = target.0.bytes(code_point) {
                return Some(self.in_set(targets, number, bytes));
            }
        }
        None
    }

    /// The bytes of a sequence of two code points, the first of which is held, or the escape that it needs.
    fn double(&mut self, targets: &Targets, first: char, second: char) -> Option<Written> {
        let bytes = match *targets.doubles?.double(first, second)? {
            [lead, trail] => pair(lead, trail)?,
            _ => return None,
        };
        let set = if SETS_OF_DOUBLES.contains(&self.set) { self.set } else { SETS_OF_DOUBLES[0] };
        Some(self.in_set(targets, set, bytes))
    }

    /// Takes a character. Returns whether it is read again, too.
    fn handler(&mut self, targets: &Targets, code_point: Item<char>) -> (HandlerResult<Bytes, char>, bool) {
        let number = core::mem::take(&mut self.held);
        if let Some(held) = targets.table().and_then(|table| table.held_code_point(number)) {
            let double = match code_point {
                Item::Value(code_point) => self.double(targets, held, code_point),
                Item::EndOfQueue => None,
            };
            let is_double = double.is_some();
            return match double.or_else(|| self.bytes(targets, held)) {
                Some(Written::Escape(escape)) => {
                    self.held = number;
                    (HandlerResult::Items(escape), true)
                }
                Some(Written::Character(bytes)) => (HandlerResult::Items(bytes), !is_double),
                None => (HandlerResult::Error(held), true),
            };
        }
        let Item::Value(code_point) = code_point else {
            self.g2 = 0;
            return match self.in_set(targets, 0, Bytes::EMPTY) {
                Written::Escape(escape) => (HandlerResult::Items(escape), false),
                Written::Character(_) => (HandlerResult::Finished, false),
            };
        };
        self.held = targets.held(code_point);
        if self.held != 0 {
            return (HandlerResult::Continue, false);
        }
        let written = self.bytes(targets, code_point);
        match written {
            Some(Written::Character(bytes)) => (HandlerResult::Items(bytes), false),
            Some(Written::Escape(escape)) => (HandlerResult::Items(escape), true),
            // A character reference has the same bytes in ASCII and in JIS X 0201 Roman.
            None if matches!(targets.sets.get(usize::from(self.set)), Some(Target(Coded::Roman, _))) => {
                (HandlerResult::Error(code_point), false)
            }
            None => match self.in_set(targets, 0, Bytes::EMPTY) {
                Written::Escape(escape) => (HandlerResult::Items(escape), true),
                Written::Character(_) => (HandlerResult::Error(code_point), false),
            },
        }
    }

    fn convert(&mut self, targets: &Targets, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        if self.held != 0 {
            return (0, 0);
        }
        while let Some((code_point, length)) = convert::first_scalar_value(skip(source, read)) {
            if self.set == 0 && code_point.is_ascii() {
                let run = unshifted::narrow_blocks(skip(source, read), skip_mut(destination, written));
                if run > 0 {
                    if source[read..read + run].contains(&0x0A) {
                        self.g2 = 0;
                    }
                    (read, written) = (read + run, written + run);
                    continue;
                }
                if let (' '..='~', Some(to)) = (code_point, destination.get_mut(written)) {
                    *to = code_point as u8;
                    (read, written) = (read + 1, written + 1);
                    continue;
                }
            }
            if let Some(Target(Coded::Pairs(bytes) | Coded::Jisx0213Of2000(bytes), _)) =
                targets.sets.get(usize::from(self.set))
            {
                let (rest, space) = (skip(source, read), skip_mut(destination, written));
                let (units, length) = bytes.seven_bits(rest, space, targets.doubles.is_some());
                (read, written) = (read + units, written + length);
                if units > 0 {
                    continue;
                }
            }
            // Only a mark continues a sequence, and the last code unit of the source may have one after it.
            let may_continue = source.get(read + length).is_none_or(|&unit| is_mark(unit));
            if may_continue && targets.held(code_point) != 0 {
                break;
            }
            let before = *self;
            let (bytes, length) = match self.bytes(targets, code_point) {
                Some(Written::Character(bytes)) => (bytes, length),
                Some(Written::Escape(escape)) => (escape, 0),
                None => break,
            };
            let Some(to) = destination.get_mut(written..written + bytes.len()) else {
                *self = before;
                break;
            };
            to.copy_from_slice(&bytes);
            (read, written) = (read + length, written + to.len());
        }
        (read, written)
    }
}

/// The encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso2022JpEncoder<S> {
    state: State,
    charset: core::marker::PhantomData<S>,
}

impl<S: Of> Iso2022JpEncoder<S> {
    const SETS: u16 = S::TARGETS.sets.len() as u16;
    /// The bytes of a character that is held.
    const HELD: u8 = if S::TARGETS.doubles.is_some() { 6 } else { 0 };
}

impl<S: Of> EncoderHandler for Iso2022JpEncoder<S> {
    const STATES: u16 = Self::SETS * S::TARGETS.values_of_g2() * S::TARGETS.values_of_held();
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    /// An escape to ASCII, and `&#27;` for one byte of UTF-8 or `&#65535;`.
    const MAX_BYTES_HTML: MaxBytes =
        MaxBytes { per_utf8_byte: 3 + 5 + Self::HELD, per_code_unit: 3 + 8 + Self::HELD, at_end: 3 + Self::HELD };
    /// An escape to ASCII and a byte, or the escape and the single shift of a character of G2.
    const MAX_BYTES_FATAL: MaxBytes =
        MaxBytes { per_utf8_byte: 3 + 1 + Self::HELD, per_code_unit: 3 + 3 + Self::HELD, at_end: 3 + Self::HELD };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let (result, is_restored) = self.state.handler(S::TARGETS, code_point);
        if let (true, Item::Value(code_point)) = (is_restored, code_point) {
            io_queue.restore(&[code_point]);
        }
        result
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        self.state.convert(S::TARGETS, source, destination)
    }

    fn pack(self) -> u16 {
        let State { set, g2, held } = self.state;
        (held * S::TARGETS.values_of_g2() + g2) * Self::SETS + set
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        let (set, word) = (word % Self::SETS, word / Self::SETS);
        let values = S::TARGETS.values_of_g2();
        let state = State { set, g2: word % values, held: word / values };
        Iso2022JpEncoder { state, charset: core::marker::PhantomData }
    }
}
