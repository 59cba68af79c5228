//! The character sets of DICOM with its escapes, as its parts PS3.3 C.12.1.1.2 and PS3.5 6.1 have them: ISO 2022 with a
//! set for the bytes 21 to 7E (G0), and another one for the bytes A0 to FF (G1).
//!
//! A file lists its sets, and the first one of the list is in use where a text begins. Escapes bring others into use,
//! whether the list has them or not. The first sets come back at the delimiters:
//!
//! * after a tab, a line feed, a form feed and a carriage return;
//! * after `\`, `^` and `=`, which divide values and the names of persons, if the first set has upper bytes. If it has
//!   none, a text without names of persons can have these characters between upper bytes, and no byte has two meanings.
//!
//! An encoder designates a set for G0 or G1 where it needs it, and the first set of G0 before each delimiter and at the
//! end. After a delimiter, it takes no set of G1 but the first one to be in use.

use core::marker::PhantomData;

#[cfg(feature = "encode")]
use textcodec_core::EncoderHalf;
#[cfg(feature = "encode")]
use textcodec_core::handler::{EncoderHandler, MaxBytes};
use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
    index::NULL,
};
use textcodec_kernels::blocks::skip;
#[cfg(feature = "encode")]
use textcodec_kernels::blocks::skip_mut;

use super::table::{Character, Table};
use crate::{
    Charset,
    generated::{iso, pairs},
    pending,
};

/// The numbers of the sets for G0.
pub(crate) mod g0 {
    /// ISO-IR 6: ASCII.
    pub(crate) const ASCII: u8 = 0;
    /// ISO-IR 14: the Latin part of JIS X 0201.
    pub(crate) const ROMAN: u8 = 1;
    /// ISO-IR 87: JIS X 0208.
    pub(crate) const JIS_X_0208: u8 = 2;
    /// ISO-IR 159: JIS X 0212.
    pub(crate) const JIS_X_0212: u8 = 3;
    pub(crate) const COUNT: u8 = 4;
}

/// The numbers of the sets for G1. Those below [`KATAKANA`](g1::KATAKANA) are parts of ISO 8859.
pub(crate) mod g1 {
    pub(crate) const ISO_8859_1: u8 = 0;
    pub(crate) const ISO_8859_2: u8 = 1;
    pub(crate) const ISO_8859_3: u8 = 2;
    pub(crate) const ISO_8859_4: u8 = 3;
    pub(crate) const ISO_8859_5: u8 = 4;
    pub(crate) const ISO_8859_6: u8 = 5;
    pub(crate) const ISO_8859_7: u8 = 6;
    pub(crate) const ISO_8859_8: u8 = 7;
    pub(crate) const ISO_8859_9: u8 = 8;
    pub(crate) const ISO_8859_11: u8 = 9;
    pub(crate) const ISO_8859_15: u8 = 10;
    /// ISO-IR 13: the Katakana of JIS X 0201.
    pub(crate) const KATAKANA: u8 = 11;
    /// ISO-IR 58: GB 2312.
    pub(crate) const GB_2312: u8 = 12;
    /// ISO-IR 149: KS X 1001.
    pub(crate) const KS_X_1001: u8 = 13;
    /// No set: the bytes are errors.
    pub(crate) const NONE: u8 = 14;
    pub(crate) const COUNT: u8 = 15;
}

/// The code units of the bytes A0 to FF in a part of ISO 8859.
const fn upper(charset: Charset) -> [u16; 0x60] {
    let (mut upper, mut byte) = ([NULL; 0x60], 0);
    if let Some(pages) = charset.codec().pages() {
        let units = pages.units(0);
        while byte < upper.len() {
            upper[byte] = units[0xA0 + byte];
            byte += 1;
        }
    }
    upper
}

/// The parts of ISO 8859, in the order of their numbers.
static UPPER: [[u16; 0x60]; g1::KATAKANA as usize] = [
    upper(iso::ISO_8859_1),
    upper(iso::ISO_8859_2),
    upper(iso::ISO_8859_3),
    upper(iso::ISO_8859_4),
    upper(iso::ISO_8859_5),
    upper(iso::ISO_8859_6),
    upper(iso::ISO_8859_7),
    upper(iso::ISO_8859_8),
    upper(iso::ISO_8859_9),
    upper(iso::ISO_8859_11),
    upper(iso::ISO_8859_15),
];

/// What a sequence of escape brings into use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Designation {
    G0(u8),
    G1(u8),
}

/// The byte that begins an escape.
const ESCAPE: u8 = 0x1B;

/// The escapes without their first byte.
static ESCAPES: [(&[u8], Designation); 18] = [
    (b"(B", Designation::G0(g0::ASCII)),
    (b"(J", Designation::G0(g0::ROMAN)),
    (b"$B", Designation::G0(g0::JIS_X_0208)),
    (b"$(D", Designation::G0(g0::JIS_X_0212)),
    (b"-A", Designation::G1(g1::ISO_8859_1)),
    (b"-B", Designation::G1(g1::ISO_8859_2)),
    (b"-C", Designation::G1(g1::ISO_8859_3)),
    (b"-D", Designation::G1(g1::ISO_8859_4)),
    (b"-L", Designation::G1(g1::ISO_8859_5)),
    (b"-G", Designation::G1(g1::ISO_8859_6)),
    (b"-F", Designation::G1(g1::ISO_8859_7)),
    (b"-H", Designation::G1(g1::ISO_8859_8)),
    (b"-M", Designation::G1(g1::ISO_8859_9)),
    (b"-T", Designation::G1(g1::ISO_8859_11)),
    (b"-b", Designation::G1(g1::ISO_8859_15)),
    (b")I", Designation::G1(g1::KATAKANA)),
    (b"$)A", Designation::G1(g1::GB_2312)),
    (b"$)C", Designation::G1(g1::KS_X_1001)),
];

/// The sets that are in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sets {
    g0: u8,
    g1: u8,
}

impl Sets {
    pub(crate) const fn new(g0: u8, g1: u8) -> Self {
        Sets { g0, g1 }
    }

    fn designate(&mut self, designation: Designation) {
        match designation {
            Designation::G0(set) => self.g0 = set,
            Designation::G1(set) => self.g1 = set,
        }
    }

    /// Whether the byte is the first one of a pair.
    fn is_lead(self, byte: u8) -> bool {
        match byte {
            0x21..=0x7E => self.g0 >= g0::JIS_X_0208,
            0xA1..=0xFE => matches!(self.g1, g1::GB_2312 | g1::KS_X_1001),
            _ => false,
        }
    }

    /// The code unit of a byte that begins no pair and no escape.
    fn single(self, byte: u8) -> Option<u16> {
        let unit = match byte {
            0x5C if self.g0 == g0::ROMAN => 0xA5,
            0x7E if self.g0 == g0::ROMAN => 0x203E,
            0x00..=0x7F => byte.into(),
            0x80..=0x9F => NULL,
            0xA1..=0xDF if self.g1 == g1::KATAKANA => 0xFF61 + u16::from(byte - 0xA1),
            _ => UPPER.get(usize::from(self.g1)).map_or(NULL, |upper| upper[usize::from(byte - 0xA0)]),
        };
        Some(unit).filter(|&unit| unit != NULL)
    }

    /// The code unit of a pair.
    fn pair(self, lead: u8, trail: u8) -> Option<u16> {
        let table: &Table = match (lead < 0x80, self) {
            (true, Sets { g0: g0::JIS_X_0208, .. }) => &pairs::EUC_JP,
            (true, _) => &pairs::EUC_JP_8F,
            (false, Sets { g1: g1::GB_2312, .. }) => &pairs::EUC_CN,
            (false, _) => &pairs::EUC_KR,
        };
        // The bytes of a pair are in the same half.
        if (lead ^ trail) & 0x80 != 0 {
            return None;
        }
        match table.place(0, lead | 0x80, trail | 0x80).and_then(|place| table.character(place)) {
            Some(Character::One(character)) => u16::try_from(u32::from(character)).ok(),
            _ => None,
        }
    }

    /// The sets after a byte that is a character of its own.
    fn after(self, byte: u8, first: Sets) -> Sets {
        match byte {
            0x09 | 0x0A | 0x0C | 0x0D => first,
            b'\\' | b'^' | b'=' if first.g1 != g1::NONE => first,
            _ => self,
        }
    }
}

/// The greatest number of bytes of an escape or a pair that has begun.
const LONGEST: usize = 3;

/// The state of a decoder. One type for all first sets, so that a program has one copy of the functions.
#[derive(Clone, Copy, Debug)]
struct State {
    sets: Sets,
    /// The bytes of an escape or a pair.
    pending: Bytes,
}

impl State {
    /// Keeps the bytes until the next byte comes.
    fn wait(&mut self, bytes: &[u8]) -> HandlerResult<CodePoints, ()> {
        self.pending = bytes.into();
        HandlerResult::Continue
    }

    /// Bits 0 to 7: the number of the sets, counted from the first ones. Bits 8 to 31: the bytes, the first one lowest.
    fn pack(self, first: Sets) -> u64 {
        let g0 = (self.sets.g0 + g0::COUNT - first.g0) % g0::COUNT;
        let g1 = (self.sets.g1 + g1::COUNT - first.g1) % g1::COUNT;
        u64::from(g0 * g1::COUNT + g1) | pending::pack(&self.pending) << 8
    }

    fn unpack(word: u64, first: Sets) -> Self {
        let number = word as u8;
        let sets = Sets {
            g0: (number / g1::COUNT % g0::COUNT + first.g0) % g0::COUNT,
            g1: (number % g1::COUNT + first.g1) % g1::COUNT,
        };
        State { sets, pending: pending::unpack(word >> 8, LONGEST) }
    }

    /// The handler of all decoders. Returns the number of bytes at the end of `bytes` that are read again: the bytes
    /// that were pending, and the last one.
    fn step(&mut self, first: Sets, bytes: &[u8]) -> (HandlerResult<CodePoints, ()>, usize) {
        let (result, restored) = match *bytes {
            [ESCAPE] => return (self.wait(bytes), 0),
            [ESCAPE, ref rest @ ..] => {
                if let Some((_, designation)) = ESCAPES.iter().find(|(escape, _)| *escape == rest) {
                    self.sets.designate(*designation);
                    return (HandlerResult::Continue, 0);
                }
                if ESCAPES.iter().any(|(escape, _)| escape.starts_with(rest)) {
                    return (self.wait(bytes), 0);
                }
                (None, rest.len())
            }
            [byte] if self.sets.is_lead(byte) => return (self.wait(bytes), 0),
            [byte] => {
                let unit = self.sets.single(byte);
                self.sets = self.sets.after(byte, first);
                (unit, 0)
            }
            [lead, trail] => {
                let unit = self.sets.pair(lead, trail);
                // A byte that no pair has is read again: a control character, a space, an escape, another set's byte.
                let is_trail = matches!(trail & 0x7F, 0x21..=0x7E) && (lead ^ trail) & 0x80 == 0;
                (unit, usize::from(unit.is_none() && !is_trail))
            }
            _ => (None, 0),
        };
        let character = unit_to_character(result);
        (character.map_or(HandlerResult::Error(()), |character| HandlerResult::Items(character.into())), restored)
    }

    /// `convert` of all decoders.
    #[inline(never)]
    fn convert(&mut self, first: Sets, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (unit, length) = match *skip(source, read) {
                [ESCAPE, ref rest @ ..] => {
                    let Some((escape, designation)) = ESCAPES.iter().find(|(escape, _)| rest.starts_with(escape))
                    else {
                        return (read, written);
                    };
                    self.sets.designate(*designation);
                    read += 1 + escape.len();
                    continue;
                }
                [lead, ref rest @ ..] if self.sets.is_lead(lead) => {
                    (rest.first().and_then(|trail| self.sets.pair(lead, *trail)), 2)
                }
                [byte, ..] => (self.sets.single(byte), 1),
                [] => (None, 0),
            };
            let (Some(unit), Some(to)) = (unit, destination.get_mut(written)) else {
                return (read, written);
            };
            *to = unit;
            if length == 1 {
                self.sets = self.sets.after(source[read], first);
            }
            (read, written) = (read + length, written + 1);
        }
    }
}

/// The character of a code unit, which is no surrogate.
fn unit_to_character(unit: Option<u16>) -> Option<char> {
    char::from_u32(unit?.into())
}

/// The first sets, as a type.
pub(crate) trait First: Copy {
    const SETS: Sets;
}

/// The decoder of texts that begin with the sets of `F`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DicomDecoder<F> {
    state: State,
    first: PhantomData<F>,
}

impl<F: First> DecoderHandler for DicomDecoder<F> {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const STATES_BETWEEN: u8 = g0::COUNT * g1::COUNT;
    /// Escapes need no end.
    const BEGUN: u64 = !0xFF;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let mut bytes = core::mem::take(&mut self.state.pending);
        let Item::Value(byte) = byte else {
            if !bytes.is_empty() {
                return HandlerResult::Error(());
            }
            self.state.sets = F::SETS;
            return HandlerResult::Finished;
        };
        bytes.push(byte);
        let (result, restored) = self.state.step(F::SETS, &bytes);
        if restored > 0 {
            io_queue.restore(skip(&bytes, bytes.len() - restored));
        }
        result
    }

    fn pending(&self) -> Bytes {
        self.state.pending
    }

    /// Stops before an escape that is cut off, and before an error.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        self.state.convert(F::SETS, source, destination)
    }

    fn pack(self) -> u64 {
        self.state.pack(F::SETS)
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        DicomDecoder { state: State::unpack(word, F::SETS), first: PhantomData }
    }
}

/// The sets in which an encoder looks for a character beyond ASCII, in this order, after the sets that are in use and
/// the first ones. A letter of several sets is in the one of more languages.
#[cfg(feature = "encode")]
const ORDER: [Designation; 17] = [
    Designation::G1(g1::ISO_8859_1),
    Designation::G1(g1::ISO_8859_2),
    Designation::G1(g1::ISO_8859_9),
    Designation::G1(g1::ISO_8859_15),
    Designation::G1(g1::ISO_8859_3),
    Designation::G1(g1::ISO_8859_4),
    Designation::G1(g1::ISO_8859_5),
    Designation::G1(g1::ISO_8859_7),
    Designation::G1(g1::ISO_8859_6),
    Designation::G1(g1::ISO_8859_8),
    Designation::G1(g1::ISO_8859_11),
    Designation::G1(g1::KATAKANA),
    Designation::G0(g0::ROMAN),
    Designation::G0(g0::JIS_X_0208),
    Designation::G1(g1::KS_X_1001),
    Designation::G1(g1::GB_2312),
    Designation::G0(g0::JIS_X_0212),
];

#[cfg(feature = "encode")]
impl Designation {
    /// The bytes of a character beyond ASCII in the set.
    fn bytes(self, unit: u16) -> Option<Bytes> {
        let code_point = char::from_u32(unit.into())?;
        let pair = |bytes: Option<Bytes>, mask: u8| match *bytes? {
            // Bytes below A1 are those of control characters and katakana.
            [lead @ 0xA1..=0xFE, trail] => Some([lead & mask, trail & mask].into()),
            _ => None,
        };
        match self {
            Designation::G0(g0::ROMAN) => match code_point {
                '¥' => Some(0x5C.into()),
                '‾' => Some(0x7E.into()),
                _ => None,
            },
            Designation::G0(g0::JIS_X_0208) => pair(pairs::EUC_JP_BYTES.bytes(code_point), 0x7F),
            Designation::G0(g0::JIS_X_0212) => match *pairs::EUC_JP_BYTES.bytes(code_point)? {
                [0x8F, lead, trail] => Some([lead & 0x7F, trail & 0x7F].into()),
                _ => None,
            },
            Designation::G1(g1::KATAKANA) => match code_point {
                '｡'..='ﾟ' => Some(((unit - 0xFF61) as u8 + 0xA1).into()),
                _ => None,
            },
            Designation::G1(g1::GB_2312) => pair(pairs::EUC_CN_BYTES.bytes(code_point), 0xFF),
            Designation::G1(g1::KS_X_1001) => pair(pairs::EUC_KR_BYTES.bytes(code_point), 0xFF),
            Designation::G1(set) => {
                let place = UPPER.get(usize::from(set))?.iter().position(|&known| known == unit && unit != NULL)?;
                Some((0xA0 + place as u8).into())
            }
            Designation::G0(_) => None,
        }
    }

    /// The escape of the set.
    fn escape(self) -> Bytes {
        let mut bytes = Bytes::from(ESCAPE);
        let escape = ESCAPES.iter().find(|(_, designation)| *designation == self).map(|(escape, _)| *escape);
        escape.unwrap_or_default().iter().for_each(|byte| bytes.push(*byte));
        bytes
    }
}

/// The sets of an encoder. One type for all first sets.
#[cfg(feature = "encode")]
impl Sets {
    /// The set that an encoder has to designate for a character, and the character's bytes.
    fn find(self, first: Sets, unit: u16) -> Option<(Option<Designation>, Bytes)> {
        let Some(byte) = u8::try_from(unit).ok().filter(u8::is_ascii) else {
            let in_use = [Designation::G1(self.g1), Designation::G0(self.g0)];
            if let Some(bytes) = in_use.iter().find_map(|set| set.bytes(unit)) {
                return Some((None, bytes));
            }
            let others = core::iter::once(Designation::G1(first.g1)).chain(ORDER);
            return { others }.find_map(|set| Some((Some(set), set.bytes(unit)?)));
        };
        let g0 = match byte {
            ESCAPE => return None,
            b'\\' | b'~' => g0::ASCII,
            _ if is_delimiter(byte) || self.g0 >= g0::JIS_X_0208 => first.g0,
            _ => self.g0,
        };
        Some((if g0 == self.g0 { None } else { Some(Designation::G0(g0)) }, byte.into()))
    }

    /// Encodes a character. Returns its bytes, or an escape and true if the character is to be encoded again; `None` if
    /// it has no bytes.
    fn encode(&mut self, first: Sets, unit: u16) -> Option<(Bytes, bool)> {
        let (designation, bytes) = match self.find(first, unit) {
            Some(found) => found,
            // A character reference is ASCII.
            None if self.g0 >= g0::JIS_X_0208 => (Some(Designation::G0(first.g0)), Bytes::EMPTY),
            None => return None,
        };
        if let Some(designation) = designation {
            self.designate(designation);
            return Some((designation.escape(), true));
        }
        match *bytes {
            // A decoder takes the first sets, or keeps G1. The yen sign is the byte of a delimiter, too.
            [b'\\' | b'^' | b'='] if first.g1 == g1::NONE => self.g1 = g1::NONE,
            [byte] if is_delimiter(byte) => *self = first,
            _ => {}
        }
        Some((bytes, false))
    }
}

/// Whether the first sets are in use at the byte.
#[cfg(feature = "encode")]
fn is_delimiter(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x0A | 0x0C | 0x0D | b'\\' | b'^' | b'=')
}

/// The encoder of texts that begin with the sets of `F`.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct DicomEncoder<F> {
    sets: Sets,
    first: PhantomData<F>,
}

#[cfg(feature = "encode")]
impl<F: First> DicomEncoder<F> {
    /// The number of sets of G1. If the first one is none, it is one of them.
    const G1_COUNT: u8 = if F::SETS.g1 == g1::NONE { g1::COUNT } else { g1::NONE };
}

#[cfg(feature = "encode")]
impl<F: First> EncoderHandler for DicomEncoder<F> {
    const STATES: u16 = g0::COUNT as u16 * Self::G1_COUNT as u16;
    /// After pairs, ASCII needs an escape.
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    /// An escape of three bytes and `&#2047;` or `&#65535;`.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 6, per_code_unit: 12, at_end: 4 };
    /// An escape of three bytes and a byte, or an escape of four and a pair.
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 6, at_end: 4 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            let needs_escape = self.sets.g0 != F::SETS.g0;
            self.sets = F::SETS;
            let escape = Designation::G0(F::SETS.g0).escape();
            return if needs_escape { HandlerResult::Items(escape) } else { HandlerResult::Finished };
        };
        match self.sets.encode(F::SETS, u16::try_from(u32::from(code_point)).unwrap_or(NULL)) {
            Some((bytes, false)) => HandlerResult::Items(bytes),
            Some((escape, true)) => {
                io_queue.restore(&[code_point]);
                HandlerResult::Items(escape)
            }
            None => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        convert(&mut self.sets, F::SETS, source, destination)
    }

    /// The number of the sets, counted from the first ones.
    fn pack(self) -> u16 {
        let g0 = (self.sets.g0 + g0::COUNT - F::SETS.g0) % g0::COUNT;
        let g1 = (self.sets.g1 + Self::G1_COUNT - F::SETS.g1) % Self::G1_COUNT;
        (g0 * Self::G1_COUNT + g1).into()
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        let (g0, g1) = (word as u8 / Self::G1_COUNT, word as u8 % Self::G1_COUNT);
        let sets = Sets { g0: (g0 + F::SETS.g0) % g0::COUNT, g1: (g1 + F::SETS.g1) % Self::G1_COUNT };
        DicomEncoder { sets, first: PhantomData }
    }
}

/// `convert` of all encoders. Stops before a character without bytes.
#[cfg(feature = "encode")]
#[inline(never)]
fn convert(sets: &mut Sets, first: Sets, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&unit) = source.get(read) {
        let (before, mut length) = (*sets, 0);
        let is_written = loop {
            let Some((bytes, is_escape)) = sets.encode(first, unit) else { break false };
            let Some(to) = skip_mut(destination, written + length).get_mut(..bytes.len()) else { break false };
            to.copy_from_slice(&bytes);
            length += bytes.len();
            if !is_escape {
                break true;
            }
        };
        if !is_written {
            *sets = before;
            break;
        }
        (read, written) = (read + 1, written + length);
    }
    (read, written)
}

/// The codec called `$name` of the texts that begin with two sets.
macro_rules! codec_of_dicom {
    ($($(#[$doc:meta])* $name:ident, $type:ident, $g0:ident, $g1:ident;)*) => {
        $(
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct $type;

            impl crate::pair_codecs::dicom::First for $type {
                const SETS: crate::pair_codecs::dicom::Sets =
                    crate::pair_codecs::dicom::Sets::new(
                        crate::pair_codecs::dicom::g0::$g0,
                        crate::pair_codecs::dicom::g1::$g1,
                    );
            }

            $(#[$doc])*
            pub(crate) static $name: textcodec_core::Codec = {
                static DECODER: textcodec_core::DecoderFunctions =
                    textcodec_core::DecoderFunctions::of::<crate::pair_codecs::dicom::DicomDecoder<$type>>();
                let codec = textcodec_core::Codec::new(&DECODER);
                #[cfg(feature = "encode")]
                let codec = {
                    static ENCODER: textcodec_core::EncoderHalf =
                        textcodec_core::EncoderHalf::new::<crate::pair_codecs::dicom::DicomEncoder<$type>>();
                    codec.with_encoder(&ENCODER)
                };
                codec
            };
        )*
    };
}

pub(crate) use codec_of_dicom;
