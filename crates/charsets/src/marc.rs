//! MARC-8, the character sets of MARC 21 for catalogues of libraries: ISO 2022 with a set for the bytes 21 to 7E (G0),
//! and another one for the bytes A1 to FE (G1). A text begins with ASCII and ANSEL. A mark stands before its letter.
//!
//! EACC, the set of Chinese, Japanese and Korean, has three bytes for a character, and no marks: see `eacc.rs`. Spaces
//! and control characters are single bytes in all sets.

use textcodec_core::{
    Codec, DecodeErrorMode, DecoderFunctions,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
    index::NULL,
};
use textcodec_kernels::blocks::{skip, skip_mut};

use crate::{
    eacc,
    libraries_codecs::{RIGHT_HALVES, is_of_gedcom, letter, mark},
    pending,
};

/// MARC-8.
pub(crate) static MARC_8: Codec = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<MarcDecoder>();
    let codec = Codec::new(&DECODER);
    #[cfg(feature = "encode")]
    let codec = codec.with_encoder(&crate::marc_encoder::MARC_8);
    codec
};

/// The numbers of the sets. Those below [`G1_COUNT`](set::G1_COUNT) can be G1, too.
pub(crate) mod set {
    pub(crate) const ASCII: u8 = 0;
    pub(crate) const ANSEL: u8 = 1;
    /// Chinese, Japanese and Korean, with three bytes for a character.
    pub(crate) const EACC: u8 = 2;
    pub(crate) const HEBREW: u8 = 3;
    pub(crate) const ARABIC: u8 = 4;
    pub(crate) const EXTENDED_ARABIC: u8 = 5;
    pub(crate) const CYRILLIC: u8 = 6;
    pub(crate) const EXTENDED_CYRILLIC: u8 = 7;
    pub(crate) const GREEK: u8 = 8;
    pub(crate) const G1_COUNT: u8 = 9;
    pub(crate) const GREEK_SYMBOLS: u8 = 9;
    pub(crate) const SUBSCRIPT: u8 = 10;
    pub(crate) const SUPERSCRIPT: u8 = 11;
    pub(crate) const COUNT: u8 = 12;
    /// The first set of [`TABLES`](super::TABLES).
    pub(crate) const FIRST_TABLE: u8 = HEBREW;
}

/// The number of bytes of a set, from 20 to 7F, without their highest bit.
pub(crate) const BYTES: usize = 0x60;

/// The characters of the sets from Hebrew to superscripts. A row is a byte, the code unit of its character, and how
/// many bytes go on with the next code units.
#[rustfmt::skip]
const RUNS: [&[(u8, u16, u8)]; 9] = [
    // Hebrew.
    &[
        (0x21, 0x21, 1), (0x22, 0x5F4, 1), (0x23, 0x23, 4), (0x27, 0x5F3, 1), (0x28, 0x28, 5), (0x2D, 0x5BE, 1),
        (0x2E, 0x2E, 18), (0x40, 0x5B7, 2), (0x42, 0x5B6, 1), (0x43, 0x5B5, 1), (0x44, 0x5B4, 1), (0x45, 0x5B9, 1),
        (0x46, 0x5BB, 1), (0x47, 0x5B0, 1), (0x48, 0x5B2, 2), (0x4A, 0x5B1, 1), (0x4B, 0x5BC, 1), (0x4C, 0x5BF, 1),
        (0x4D, 0x5C1, 1), (0x4E, 0xFB1E, 1), (0x5B, 0x5B, 1), (0x5D, 0x5D, 1), (0x60, 0x5D0, 27), (0x7B, 0x5F0, 3),
    ],
    // Arabic.
    &[
        (0x21, 0x21, 4), (0x25, 0x66A, 1), (0x26, 0x26, 4), (0x2A, 0x66D, 1), (0x2B, 0x2B, 1), (0x2C, 0x60C, 1),
        (0x2D, 0x2D, 3), (0x30, 0x660, 10), (0x3A, 0x3A, 1), (0x3B, 0x61B, 1), (0x3C, 0x3C, 3), (0x3F, 0x61F, 1),
        (0x41, 0x621, 26), (0x5B, 0x5B, 1), (0x5D, 0x5D, 1), (0x60, 0x640, 19), (0x73, 0x671, 1), (0x74, 0x670, 1),
        (0x78, 0x66C, 1), (0x79, 0x201D, 1), (0x7A, 0x201C, 1),
    ],
    // Other letters of Arabic.
    &[
        (0x21, 0x6FD, 1), (0x22, 0x672, 2), (0x24, 0x679, 14), (0x32, 0x6BF, 1), (0x33, 0x687, 22), (0x49, 0x6FA, 1),
        (0x4A, 0x69D, 2), (0x4C, 0x6FB, 1), (0x4D, 0x69F, 2), (0x4F, 0x6FC, 1), (0x50, 0x6A1, 24), (0x68, 0x6BA, 4),
        (0x6C, 0x6B9, 1), (0x6D, 0x6BE, 1), (0x6E, 0x6C0, 1), (0x6F, 0x6C4, 3), (0x72, 0x6CA, 2), (0x74, 0x6CD, 2),
        (0x76, 0x6D0, 1), (0x77, 0x6D2, 2), (0x7D, 0x306, 1), (0x7E, 0x30C, 1),
    ],
    // Cyrillic.
    &[
        (0x21, 0x21, 31), (0x40, 0x44E, 1), (0x41, 0x430, 2), (0x43, 0x446, 1), (0x44, 0x434, 2), (0x46, 0x444, 1),
        (0x47, 0x433, 1), (0x48, 0x445, 1), (0x49, 0x438, 8), (0x51, 0x44F, 1), (0x52, 0x440, 4), (0x56, 0x436, 1),
        (0x57, 0x432, 1), (0x58, 0x44C, 1), (0x59, 0x44B, 1), (0x5A, 0x437, 1), (0x5B, 0x448, 1), (0x5C, 0x44D, 1),
        (0x5D, 0x449, 1), (0x5E, 0x447, 1), (0x5F, 0x44A, 1), (0x60, 0x42E, 1), (0x61, 0x410, 2), (0x63, 0x426, 1),
        (0x64, 0x414, 2), (0x66, 0x424, 1), (0x67, 0x413, 1), (0x68, 0x425, 1), (0x69, 0x418, 8), (0x71, 0x42F, 1),
        (0x72, 0x420, 4), (0x76, 0x416, 1), (0x77, 0x412, 1), (0x78, 0x42C, 1), (0x79, 0x42B, 1), (0x7A, 0x417, 1),
        (0x7B, 0x428, 1), (0x7C, 0x42D, 1), (0x7D, 0x429, 1), (0x7E, 0x427, 1),
    ],
    // Other letters of Cyrillic.
    &[
        (0x40, 0x491, 1), (0x41, 0x452, 3), (0x44, 0x451, 1), (0x45, 0x455, 8), (0x4D, 0x45E, 2), (0x50, 0x463, 1),
        (0x51, 0x473, 1), (0x52, 0x475, 1), (0x53, 0x46B, 1), (0x5B, 0x5B, 1), (0x5D, 0x5D, 1), (0x5F, 0x5F, 1),
        (0x60, 0x490, 1), (0x61, 0x402, 3), (0x64, 0x401, 1), (0x65, 0x405, 8), (0x6D, 0x40E, 2), (0x6F, 0x42A, 1),
        (0x70, 0x462, 1), (0x71, 0x472, 1), (0x72, 0x474, 1), (0x73, 0x46A, 1),
    ],
    // Greek.
    &[
        (0x21, 0x300, 2), (0x23, 0x308, 1), (0x24, 0x342, 1), (0x25, 0x313, 2), (0x27, 0x345, 1), (0x30, 0xAB, 1),
        (0x31, 0xBB, 1), (0x32, 0x201C, 2), (0x34, 0x374, 2), (0x3B, 0x387, 1), (0x3F, 0x37E, 1), (0x41, 0x391, 2),
        (0x44, 0x393, 3), (0x47, 0x3DA, 1), (0x48, 0x3DC, 1), (0x49, 0x396, 11), (0x54, 0x3DE, 1), (0x55, 0x3A1, 1),
        (0x56, 0x3A3, 1), (0x58, 0x3A4, 6), (0x5E, 0x3E0, 1), (0x61, 0x3B1, 2), (0x63, 0x3D0, 1), (0x64, 0x3B3, 3),
        (0x67, 0x3DB, 1), (0x68, 0x3DD, 1), (0x69, 0x3B6, 11), (0x74, 0x3DF, 1), (0x75, 0x3C1, 1), (0x76, 0x3C3, 1),
        (0x77, 0x3C2, 1), (0x78, 0x3C4, 6), (0x7E, 0x3E1, 1),
    ],
    // Three letters of Greek.
    &[
        (0x61, 0x3B1, 3),
    ],
    // Subscripts.
    &[
        (0x28, 0x208D, 2), (0x2B, 0x208A, 1), (0x2D, 0x208B, 1), (0x30, 0x2080, 10),
    ],
    // Superscripts.
    &[
        (0x28, 0x207D, 2), (0x2B, 0x207A, 1), (0x2D, 0x207B, 1), (0x30, 0x2070, 1), (0x31, 0xB9, 1), (0x32, 0xB2, 2),
        (0x34, 0x2074, 6),
    ],
];

/// The code units of the bytes 20 to 7F of each set in [`RUNS`].
pub(crate) static TABLES: [[u16; BYTES]; RUNS.len()] = {
    let (mut tables, mut number) = ([[NULL; BYTES]; RUNS.len()], 0);
    while number < RUNS.len() {
        let (runs, mut place) = (RUNS[number], 0);
        while place < runs.len() {
            let (byte, unit, count) = runs[place];
            let mut step = 0;
            while step < count {
                tables[number][(byte + step) as usize - 0x20] = unit + step as u16;
                step += 1;
            }
            place += 1;
        }
        number += 1;
    }
    tables
};

/// The final bytes of the escapes that designate a set. Those of EACC should have a dollar sign before them, but YAZ,
/// Perl and pymarc also read them without it.
static FINALS: [(u8, u8); 8] = [
    (b'B', set::ASCII),
    (b'1', set::EACC),
    (b'2', set::HEBREW),
    (b'3', set::ARABIC),
    (b'4', set::EXTENDED_ARABIC),
    (b'N', set::CYRILLIC),
    (b'Q', set::EXTENDED_CYRILLIC),
    (b'S', set::GREEK),
];

/// The byte that begins an escape.
const ESCAPE: u8 = 0x1B;

/// What the bytes of an escape mean.
enum Escape {
    More,
    G0(u8),
    G1(u8),
    Malformed,
}

/// The meaning of the bytes after the byte ESC.
fn escape(rest: &[u8]) -> Escape {
    match *rest {
        [] | [b'(' | b',' | b')' | b'-' | b'$'] | [b'(' | b',' | b')' | b'-', b'!'] => Escape::More,
        [b'$', b'(' | b',' | b')' | b'-'] => Escape::More,
        [b's'] => Escape::G0(set::ASCII),
        [b'g'] => Escape::G0(set::GREEK_SYMBOLS),
        [b'b'] => Escape::G0(set::SUBSCRIPT),
        [b'p'] => Escape::G0(set::SUPERSCRIPT),
        [b'$', b'1'] | [b'$', b'(' | b',', b'1'] => Escape::G0(set::EACC),
        [b'$', b')' | b'-', b'1'] => Escape::G1(set::EACC),
        [b'(' | b',', b'!', b'E'] => Escape::G0(set::ANSEL),
        [b')' | b'-', b'!', b'E'] => Escape::G1(set::ANSEL),
        [into @ (b'(' | b',' | b')' | b'-'), end] => match FINALS.iter().find(|entry| entry.0 == end) {
            Some(&(_, set)) if matches!(into, b'(' | b',') => Escape::G0(set),
            Some(&(_, set)) => Escape::G1(set),
            None => Escape::Malformed,
        },
        _ => Escape::Malformed,
    }
}

/// Whether a character of a set is a mark over or under the letter after it.
pub(crate) const fn is_mark(unit: u16) -> bool {
    matches!(unit, 0x300..=0x36F | 0x5B0..=0x5BD | 0x5BF | 0x5C1 | 0x64B..=0x652 | 0xFB1E)
}

/// The sets that are in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sets {
    g0: u8,
    g1: u8,
}

impl Sets {
    const FIRST: Self = Sets { g0: set::ASCII, g1: set::ANSEL };

    fn designate(&mut self, escape: Escape) {
        match escape {
            Escape::G0(set) => self.g0 = set,
            Escape::G1(set) => self.g1 = set,
            Escape::More | Escape::Malformed => {}
        }
    }

    /// Whether the byte begins a character of EACC.
    fn is_eacc(self, byte: u8) -> bool {
        match byte {
            0x21..=0x7E => self.g0 == set::EACC,
            0xA1..=0xFE => self.g1 == set::EACC,
            _ => false,
        }
    }

    /// The code unit of a byte; [`NULL`] if it has no character alone.
    fn unit(self, byte: u8) -> u16 {
        let (set, place) = match byte {
            0x00..=0x20 | 0x7F => return byte.into(),
            0x80..=0xA0 | 0xFF if self.g1 == set::ANSEL => (set::ANSEL, byte),
            0x80..=0xA0 | 0xFF => return NULL,
            0x21..=0x7E => (self.g0, byte),
            _ => (self.g1, byte & 0x7F),
        };
        match set {
            set::ASCII => place.into(),
            set::EACC => NULL,
            set::ANSEL => {
                let byte = place | 0x80;
                let character = if is_of_gedcom(byte) { None } else { mark(byte).or_else(|| letter(byte)) };
                character.map_or(NULL, |character| u32::from(character) as u16)
            }
            _ => {
                let table = TABLES.get(usize::from(set - set::FIRST_TABLE));
                table.map_or(NULL, |table| table[usize::from(place) - 0x20])
            }
        }
    }

    /// Whether the byte is the right half of a mark over two letters.
    fn is_right_half(self, byte: u8) -> bool {
        match byte {
            0x80.. => self.g1 == set::ANSEL && RIGHT_HALVES.contains(&byte),
            _ => self.g0 == set::ANSEL && RIGHT_HALVES.contains(&(byte | 0x80)),
        }
    }

    /// The sets after a byte. The first sets come back after a field and after a record.
    fn after(self, byte: u8) -> Self {
        if matches!(byte, 0x1D | 0x1E) { Self::FIRST } else { self }
    }
}

/// The character of a code unit, which is no surrogate.
fn character(unit: u16) -> Option<char> {
    char::from_u32(unit.into()).filter(|_| unit != NULL)
}

/// The length of characters in UTF-8, in bytes.
fn utf8_length(units: &[u16]) -> usize {
    units.iter().filter_map(|&unit| character(unit)).map(char::len_utf8).sum()
}

/// The greatest length in bytes of UTF-8 that a handler returns at once.
const MOST_AT_ONCE: usize = 4;

/// The greatest number of marks of a letter, and of the other bytes that wait for the next one: those of an escape or
/// of a character of EACC.
const LONGEST: usize = 3;

/// The decoder. It holds marks until their letter comes, and writes them after it, two characters at once.
#[derive(Clone, Copy, Debug)]
struct MarcDecoder {
    sets: Sets,
    /// Whether the letter was written, whose byte is restored, and the marks that are pending are to be written.
    is_letter_written: bool,
    /// The bytes of marks, of an escape, or of a character of EACC.
    pending: Bytes,
}

/// The character of three bytes of EACC, all in the same half.
fn eacc_character(bytes: [u8; 3]) -> Option<char> {
    let is_same = |byte: &u8| (byte ^ bytes[0]) & 0x80 == 0;
    if bytes.iter().all(is_same) { eacc::code_point(bytes.map(|byte| byte & 0x7F)) } else { None }
}

impl MarcDecoder {
    /// Reads the last one of `bytes`, which begin a character of EACC.
    fn eacc<Q: Restore<u8>>(&mut self, io_queue: &mut Q, bytes: Bytes) -> HandlerResult<CodePoints, ()> {
        let last = bytes[bytes.len() - 1];
        let is_graphic = (0x21..=0x7E).contains(&(last & 0x7F)) && (last ^ bytes[0]) & 0x80 == 0;
        match *bytes {
            [first, second, third] => {
                if let Some(code_point) = eacc_character([first, second, third]) {
                    return HandlerResult::Items(code_point.into());
                }
            }
            _ if is_graphic => {
                self.pending = bytes;
                return HandlerResult::Continue;
            }
            _ => {}
        }
        if !is_graphic {
            io_queue.restore(&[last]);
        }
        HandlerResult::Error(())
    }
}

/// The result with at most two code units.
fn items(units: &[u16]) -> HandlerResult<CodePoints, ()> {
    let mut characters = units.iter().filter_map(|&unit| character(unit));
    let (first, second) = (characters.next(), characters.next());
    first.map_or(HandlerResult::Error(()), |first| HandlerResult::Items(CodePoints { first, second }))
}

impl DecoderHandler for MarcDecoder {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const STATES_BETWEEN: u8 = 2 * set::COUNT * set::G1_COUNT;
    /// Escapes need no end.
    const BEGUN: u64 = !0xFF;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let mut bytes = core::mem::take(&mut self.pending);
        let length = bytes.len();
        let is_letter_written = core::mem::take(&mut self.is_letter_written);
        let Item::Value(byte) = byte else {
            if length > 0 {
                return HandlerResult::Error(());
            }
            self.sets = Sets::FIRST;
            return HandlerResult::Finished;
        };
        bytes.push(byte);
        let marks = &bytes[..length];
        if bytes[0] == ESCAPE {
            match escape(&bytes[1..]) {
                Escape::More => {
                    (self.is_letter_written, self.pending) = (is_letter_written, bytes);
                    return HandlerResult::Continue;
                }
                Escape::Malformed => {
                    io_queue.restore(&bytes[1..]);
                    return HandlerResult::Error(());
                }
                found => self.sets.designate(found),
            }
            return HandlerResult::Continue;
        }
        if self.sets.is_eacc(bytes[0]) {
            return self.eacc(io_queue, bytes);
        }
        let unit = self.sets.unit(byte);
        if marks.is_empty() && self.sets.is_right_half(byte) && !is_letter_written {
            return HandlerResult::Continue;
        }
        if is_mark(unit) && length < LONGEST {
            (self.is_letter_written, self.pending) = (is_letter_written, bytes);
            return HandlerResult::Continue;
        }
        let mut units = [NULL; LONGEST];
        for (to, mark) in units.iter_mut().zip(marks) {
            *to = self.sets.unit(*mark);
        }
        let units = &units[..length];
        if is_letter_written {
            // The marks were tested when the letter was written.
            return items(units);
        }
        // The first mark is written with the letter if both are short.
        let first = [unit, units.first().copied().unwrap_or(NULL)];
        let together = if utf8_length(&first) <= MOST_AT_ONCE { length.min(1) } else { 0 };
        let rest = &units[together..];
        let is_letter = unit != NULL && !is_mark(unit) && (byte >= 0x20 || length == 0);
        // So the rest is at most two marks.
        if !is_letter || utf8_length(rest) > MOST_AT_ONCE {
            if length > 0 {
                io_queue.restore(&[byte]);
            }
            return HandlerResult::Error(());
        }
        self.sets = self.sets.after(byte);
        if !rest.is_empty() {
            self.is_letter_written = true;
            io_queue.restore(&[byte]);
            self.pending = marks[together..].into();
        }
        items(&first[..=together])
    }

    fn pending(&self) -> Bytes {
        self.pending
    }

    /// Decodes letters without marks and with one mark, characters of EACC, and escapes.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some((&first, after)) = skip(source, read).split_first() {
            if first == ESCAPE {
                let lengths = 1..=after.len().min(LONGEST);
                let found = lengths.map(|length| (length, escape(&after[..length])));
                let Some((length, found)) = { found }.find(|(_, found)| !matches!(found, Escape::More)) else { break };
                if matches!(found, Escape::Malformed) {
                    break;
                }
                self.sets.designate(found);
                read += 1 + length;
                continue;
            }
            if self.sets.is_eacc(first) {
                let Some(&[second, third]) = after.first_chunk() else { break };
                let code_point = eacc_character([first, second, third]).map(u32::from);
                // The handler decodes characters above plane 0.
                let Some(unit) = code_point.and_then(|code_point| u16::try_from(code_point).ok()) else { break };
                let Some(to) = skip_mut(destination, written).first_mut() else { break };
                *to = unit;
                (read, written) = (read + 3, written + 1);
                continue;
            }
            let unit = self.sets.unit(first);
            let (units, length) = if self.sets.is_right_half(first) {
                break;
            } else if is_mark(unit) {
                let Some(&second) = after.first() else { break };
                let letter = self.sets.unit(second);
                if second < 0x20 || is_mark(letter) || letter == NULL || self.sets.is_right_half(second) {
                    break;
                }
                ([letter, unit], 2)
            } else {
                ([unit, NULL], 1)
            };
            let (Some(to), true) = (skip_mut(destination, written).get_mut(..length), units[0] != NULL) else { break };
            to.copy_from_slice(&units[..length]);
            self.sets = self.sets.after(first);
            (read, written) = (read + length, written + length);
        }
        (read, written)
    }

    /// Bits 0 to 7: the number of the sets, and whether the letter was written; the first sets are 0. Bits 8 to 31: the
    /// bytes, the first one lowest.
    fn pack(self) -> u64 {
        // ASCII and ANSEL are the sets 0 and 1.
        let sets = self.sets.g0 * set::G1_COUNT + (self.sets.g1 + set::G1_COUNT - 1) % set::G1_COUNT;
        u64::from(2 * sets + u8::from(self.is_letter_written)) | pending::pack(&self.pending) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let sets = word as u8 / 2;
        let sets = Sets { g0: sets / set::G1_COUNT % set::COUNT, g1: (sets % set::G1_COUNT + 1) % set::G1_COUNT };
        MarcDecoder { sets, is_letter_written: word & 1 != 0, pending: pending::unpack(word >> 8, LONGEST) }
    }
}
