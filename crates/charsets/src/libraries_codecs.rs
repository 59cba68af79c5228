//! Character sets of libraries, of genealogy, and of short messages.

use textcodec_core::{
    Codec, DecodeErrorMode, DecoderFunctions,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};

pub(crate) use crate::marc::MARC_8;

/// ANSEL, Z39.47: ASCII and Latin letters for catalogues of libraries and GEDCOM. A mark stands before its letter.
pub(crate) static ANSEL: Codec = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<AnselDecoder>();
    let codec = Codec::new(&DECODER);
    #[cfg(feature = "encode")]
    let codec = codec.with_encoder(&crate::marc_encoder::ANSEL);
    codec
};

/// The alphabet of short messages, GSM 03.38, with a byte for each septet.
pub(crate) static GSM_03_38: Codec = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<GsmDecoder>();
    let codec = Codec::new(&DECODER);
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<GsmEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec
};

/// The entry for a byte without a character.
const NONE: char = char::REPLACEMENT_CHARACTER;

/// The characters of the bytes A1 to CF in ANSEL. BE, BF, CD, CE and CF are from GEDCOM; C7 and C8 are from MARC 21.
#[rustfmt::skip]
pub(crate) const LETTERS: [char; 0x2F] = [
    'Ł', 'Ø', 'Đ', 'Þ', 'Æ', 'Œ', 'ʹ', '·', '♭', '®', '±', 'Ơ', 'Ư', 'ʼ', NONE, 'ʻ', 'ł', 'ø', 'đ', 'þ', 'æ', 'œ', 'ʺ',
    'ı', '£', 'ð', NONE, 'ơ', 'ư', '□', '■', '°', 'ℓ', '℗', '©', '♯', '¿', '¡', 'ß', '€', NONE, NONE, NONE, NONE, 'e',
    'o', 'ß',
];

/// The bytes of marks, and the marks. FC is from GEDCOM. The right halves of two marks over two letters are nothing:
/// the left half is the whole mark.
#[rustfmt::skip]
pub(crate) const MARKS: [(u8, char); 28] = [
    (0xE0, '\u{309}'), (0xE1, '\u{300}'), (0xE2, '\u{301}'), (0xE3, '\u{302}'), (0xE4, '\u{303}'), (0xE5, '\u{304}'),
    (0xE6, '\u{306}'), (0xE7, '\u{307}'), (0xE8, '\u{308}'), (0xE9, '\u{30C}'), (0xEA, '\u{30A}'), (0xEB, '\u{361}'),
    (0xED, '\u{315}'), (0xEE, '\u{30B}'), (0xEF, '\u{310}'), (0xF0, '\u{327}'), (0xF1, '\u{328}'), (0xF2, '\u{323}'),
    (0xF3, '\u{324}'), (0xF4, '\u{325}'), (0xF5, '\u{333}'), (0xF6, '\u{332}'), (0xF7, '\u{326}'), (0xF8, '\u{31C}'),
    (0xF9, '\u{32E}'), (0xFA, '\u{360}'), (0xFC, '\u{338}'), (0xFE, '\u{313}'),
];

/// The right halves of marks.
pub(crate) const RIGHT_HALVES: [u8; 2] = [0xEC, 0xFB];

/// The greatest number of marks of a letter.
const MOST_MARKS: usize = 2;

/// The number of the mark of a byte: its place plus 1.
fn number(byte: u8) -> Option<u64> {
    MARKS.iter().zip(1..).find(|(entry, _)| entry.0 == byte).map(|(_, number)| number)
}

/// Whether a byte has a meaning only in GEDCOM, not in the catalogues of libraries.
pub(crate) const fn is_of_gedcom(byte: u8) -> bool {
    matches!(byte, 0xBE | 0xBF | 0xCD..=0xCF | 0xFC)
}

/// The mark of a byte.
pub(crate) fn mark(byte: u8) -> Option<char> {
    MARKS.iter().find(|entry| entry.0 == byte).map(|entry| entry.1)
}

/// The character of a byte that is no mark.
pub(crate) fn letter(byte: u8) -> Option<char> {
    match byte {
        0..0x80 => Some(byte.into()),
        // Signs for words that sorting skips, and joiners.
        0x88 => Some('\u{98}'),
        0x89 => Some('\u{9C}'),
        0x8D => Some('\u{200D}'),
        0x8E => Some('\u{200C}'),
        _ => LETTERS.get(usize::from(byte.checked_sub(0xA1)?)).copied().filter(|&letter| letter != NONE),
    }
}

/// Whether a mark can stand before the character. Signs with three bytes of UTF-8 have no marks: a handler returns at
/// most four bytes of UTF-8 at once.
fn takes_marks(letter: char) -> bool {
    letter.len_utf8() <= 2
}

/// The decoder of ANSEL. It holds marks until the letter comes, and writes them after the letter. Marks stay characters
/// of their own.
#[derive(Clone, Copy, Debug)]
struct AnselDecoder {
    /// The byte of the second mark of a letter that is written with its first mark. The byte of the letter is restored.
    rest: u8,
    /// The bytes of the marks that were read.
    marks: [u8; MOST_MARKS],
    length: u8,
}

impl AnselDecoder {
    const NEW: Self = AnselDecoder { rest: 0, marks: [0; MOST_MARKS], length: 0 };

    fn marks(&self) -> &[u8] {
        &self.marks[..usize::from(self.length).min(MOST_MARKS)]
    }
}

impl DecoderHandler for AnselDecoder {
    const STATES_BETWEEN: u8 = MARKS.len() as u8 + 1;
    const STATE_BITS: u8 = 0;
    /// The bits of the marks that were read.
    const BEGUN: u64 = !0x1F;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Self { rest, .. } = *self;
        let has_marks = !self.marks().is_empty();
        let Item::Value(byte) = byte else {
            // Marks without a letter.
            *self = Self::NEW;
            return if has_marks { HandlerResult::Error(()) } else { HandlerResult::Finished };
        };
        if rest != 0 {
            *self = Self::NEW;
            return mark(rest).map_or(HandlerResult::Error(()), |mark| HandlerResult::Items(mark.into()));
        }
        if RIGHT_HALVES.contains(&byte) && !has_marks {
            return HandlerResult::Continue;
        }
        if mark(byte).is_some() && self.marks().len() < MOST_MARKS {
            self.marks[usize::from(self.length)] = byte;
            self.length += 1;
            return HandlerResult::Continue;
        }
        let (marks, length) = (self.marks, self.marks().len());
        *self = Self::NEW;
        match letter(byte).filter(|&letter| !has_marks || takes_marks(letter)) {
            None if has_marks => {
                io_queue.restore(&[byte]);
                HandlerResult::Error(())
            }
            None => HandlerResult::Error(()),
            Some(first) => {
                let second = marks[..length].first().and_then(|&byte| mark(byte));
                if length == MOST_MARKS {
                    self.rest = marks[1];
                    io_queue.restore(&[byte]);
                }
                HandlerResult::Items(CodePoints { first, second })
            }
        }
    }

    fn pending(&self) -> Bytes {
        self.marks().into()
    }

    fn can_convert(&self) -> bool {
        self.rest == 0 && self.length == 0
    }

    /// Decodes letters without marks and with one mark.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (code_points, length) = match source.get(read..) {
                Some([byte, ..]) if letter(*byte).is_some() => (letter(*byte).map(CodePoints::from), 1),
                Some([first, second, ..]) => {
                    let code_points = letter(*second)
                        .filter(|&letter| takes_marks(letter))
                        .and_then(|letter| Some(CodePoints { first: letter, second: Some(mark(*first)?) }));
                    (code_points, 2)
                }
                _ => (None, 0),
            };
            let to = destination.get_mut(written..).unwrap_or_default();
            let Some(units) = code_points.and_then(|code_points| code_points.write_utf16(to)) else {
                return (read, written);
            };
            (read, written) = (read + length, written + units);
        }
    }

    /// Bits 0 to 4: the mark that is to be written; bits 5 to 9 and 10 to 14: the marks that were read. Each is its
    /// number, or 0.
    fn pack(self) -> u64 {
        let number = |byte: u8| number(byte).unwrap_or(0);
        let marks = self.marks().iter().rev().fold(0, |word, &byte| word << 5 | number(byte));
        marks << 5 | number(self.rest)
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let byte = |shift: u32| {
            let place = (word >> shift & 0x1F).checked_sub(1);
            place.and_then(|place| MARKS.get(place as usize)).map_or(0, |entry| entry.0)
        };
        let marks = [byte(5), byte(10)];
        AnselDecoder { rest: byte(0), marks, length: marks.iter().take_while(|&&mark| mark != 0).count() as u8 }
    }
}

/// The characters of the bytes 00 to 1F, 24, 40, 5B to 60 and 7B to 7F in GSM 03.38. All others are ASCII.
#[rustfmt::skip]
const GSM: [(u8, char); 45] = [
    (0x00, '@'), (0x01, '£'), (0x02, '$'), (0x03, '¥'), (0x04, 'è'), (0x05, 'é'), (0x06, 'ù'), (0x07, 'ì'),
    (0x08, 'ò'), (0x09, 'Ç'), (0x0A, '\n'), (0x0B, 'Ø'), (0x0C, 'ø'), (0x0D, '\r'), (0x0E, 'Å'), (0x0F, 'å'),
    (0x10, 'Δ'), (0x11, '_'), (0x12, 'Φ'), (0x13, 'Γ'), (0x14, 'Λ'), (0x15, 'Ω'), (0x16, 'Π'), (0x17, 'Ψ'),
    (0x18, 'Σ'), (0x19, 'Θ'), (0x1A, 'Ξ'), (0x1B, NONE), (0x1C, 'Æ'), (0x1D, 'æ'), (0x1E, 'ß'), (0x1F, 'É'),
    (0x24, '¤'), (0x40, '¡'), (0x5B, 'Ä'), (0x5C, 'Ö'), (0x5D, 'Ñ'), (0x5E, 'Ü'), (0x5F, '§'), (0x60, '¿'),
    (0x7B, 'ä'), (0x7C, 'ö'), (0x7D, 'ñ'), (0x7E, 'ü'), (0x7F, 'à'),
];

/// The characters after an escape.
#[rustfmt::skip]
const GSM_EXTENSION: [(u8, char); 10] = [
    (0x0A, '\u{C}'), (0x14, '^'), (0x28, '{'), (0x29, '}'), (0x2F, '\\'), (0x3C, '['), (0x3D, '~'), (0x3E, ']'),
    (0x40, '|'), (0x65, '€'),
];

/// The byte before those of the extension.
const ESCAPE: u8 = 0x1B;

/// The character of a byte without an escape.
fn gsm(byte: u8) -> Option<char> {
    match GSM.iter().find(|entry| entry.0 == byte) {
        Some(&(_, code_point)) => Some(code_point).filter(|&code_point| code_point != NONE),
        None => Some(char::from(byte)).filter(char::is_ascii),
    }
}

/// The character of a byte after an escape.
fn gsm_extension(byte: u8) -> Option<char> {
    GSM_EXTENSION.iter().find(|entry| entry.0 == byte).map(|entry| entry.1)
}

/// The decoder of GSM 03.38.
#[derive(Clone, Copy, Debug)]
struct GsmDecoder {
    is_escaped: bool,
}

impl DecoderHandler for GsmDecoder {
    const UNCHANGED: Unchanged = Unchanged::Nothing;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let is_escaped = core::mem::take(&mut self.is_escaped);
        let code_point = match (byte, is_escaped) {
            (Item::EndOfQueue, false) => return HandlerResult::Finished,
            (Item::EndOfQueue, true) => None,
            (Item::Value(byte), true) => {
                let code_point = gsm_extension(byte);
                if code_point.is_none() {
                    io_queue.restore(&[byte]);
                }
                code_point
            }
            (Item::Value(ESCAPE), false) => {
                self.is_escaped = true;
                return HandlerResult::Continue;
            }
            (Item::Value(byte), false) => gsm(byte),
        };
        code_point.map_or(HandlerResult::Error(()), |code_point| HandlerResult::Items(code_point.into()))
    }

    fn pending(&self) -> Bytes {
        if self.is_escaped { ESCAPE.into() } else { Bytes::EMPTY }
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (code_point, length) = match source.get(read..) {
                Some([ESCAPE, byte, ..]) => (gsm_extension(*byte), 2),
                Some([byte, ..]) => (gsm(*byte), 1),
                _ => (None, 0),
            };
            let (Some(code_point), Some(to)) = (code_point, destination.get_mut(written)) else {
                return (read, written);
            };
            *to = u32::from(code_point) as u16;
            (read, written) = (read + length, written + 1);
        }
    }

    fn pack(self) -> u64 {
        self.is_escaped.into()
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        GsmDecoder { is_escaped: word != 0 }
    }
}

/// The encoder of GSM 03.38.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct GsmEncoder;

/// The bytes of a character.
#[cfg(feature = "encode")]
fn gsm_bytes(code_point: char) -> Option<Bytes> {
    let is = |entry: &&(u8, char)| entry.1 == code_point && code_point != NONE;
    if let Some(&(byte, _)) = GSM.iter().find(is) {
        return Some(byte.into());
    }
    if let Some(&(byte, _)) = GSM_EXTENSION.iter().find(is) {
        return Some([ESCAPE, byte].into());
    }
    u8::try_from(code_point).ok().filter(|&byte| gsm(byte) == Some(code_point)).map(Bytes::from)
}

#[cfg(feature = "encode")]
impl EncoderHandler for GsmEncoder {
    const HAS_ASCII: bool = false;
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 6, per_code_unit: 8, at_end: 0 };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        gsm_bytes(code_point).map_or(HandlerResult::Error(code_point), HandlerResult::Items)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(&unit) = source.get(read) {
            let Some(bytes) = char::from_u32(unit.into()).and_then(gsm_bytes) else { break };
            let Some(to) = destination.get_mut(written..written + bytes.len()) else { break };
            to.copy_from_slice(&bytes);
            (read, written) = (read + 1, written + bytes.len());
        }
        (read, written)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        GsmEncoder
    }
}
