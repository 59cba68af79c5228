//! TSCII, Tamil as it is written: glyphs in the order of the eye, as glibc decodes and encodes them.
//!
//! A byte can be several characters: a consonant and its vowel sign. The signs [`PREFIX_SIGNS`] stand before their
//! consonant, but Unicode has them after it, where some of them join another sign.

use textcodec_core::{
    Codec, DecodeErrorMode, DecoderFunctions,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore},
    index::NULL,
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};
use textcodec_kernels::blocks::{skip, skip_mut};

use crate::pending;

/// TSCII 1.7.
pub(crate) static TSCII: Codec = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<TsciiDecoder>();
    let codec = Codec::new(&DECODER);
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<TsciiEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec
};

/// The greatest number of characters of a byte.
const MOST: usize = 4;

/// The sign that takes the vowel from a consonant.
const VIRAMA: u16 = 0xBCD;
const SIGN_U: u16 = 0xBC1;
const SIGN_UU: u16 = 0xBC2;
/// The consonants Ka, Ja, Ssa, Sa, Ha, Ra and Tta, and the vowel signs I and II.
const KA: u16 = 0xB95;
const JA: u16 = 0xB9C;
const SSA: u16 = 0xBB7;
const SA: u16 = 0xBB8;
const HA: u16 = 0xBB9;
const RA: u16 = 0xBB0;
const TTA: u16 = 0xB9F;
const SIGN_I: u16 = 0xBBF;
const SIGN_II: u16 = 0xBC0;

/// The consonants of the bytes from B8 on.
#[rustfmt::skip]
const CONSONANTS: [u16; 18] = [
    KA, 0xB99, 0xB9A, 0xB9E, TTA, 0xBA3, 0xBA4, 0xBA8, 0xBAA, 0xBAE, 0xBAF, RA, 0xBB2, 0xBB5, 0xBB4, 0xBB3, 0xBB1,
    0xBA9,
];
const FIRST_CONSONANT: u8 = 0xB8;
const LAST_CONSONANT: u8 = 0xC9;

/// The consonants of the bytes from 83 on, which Tamil has from Sanskrit.
const GRANTHA: [u16; 4] = [JA, SSA, SA, HA];
const FIRST_GRANTHA: u8 = 0x83;

/// The bytes of the vowel signs E, EE and AI, which stand before their consonant.
const PREFIX_SIGNS: core::ops::RangeInclusive<u8> = 0xA6..=0xA8;

/// The bytes of the consonants Sa and Ha with a virama, which U and UU take the place of.
const JOINING: core::ops::RangeInclusive<u8> = 0x8A..=0x8B;

/// The bytes that are one character, except consonants. Those of one line follow each other.
#[rustfmt::skip]
const SINGLES: [(u8, &[u16]); 9] = [
    (0x80, &[0xBE6, 0xBE7]),
    (0x8D, &[0xBE8, 0xBE9, 0xBEA, 0xBEB, 0x2018, 0x2019, 0x201C, 0x201D, 0xBEC, 0xBED, 0xBEE, 0xBEF]),
    (0x9D, &[0xBF0, 0xBF1, 0xBF2]),
    (0xA1, &[0xBBE, SIGN_I, SIGN_II, SIGN_U, SIGN_UU]),
    (0xA6, &[0xBC6, 0xBC7, 0xBC8, 0xA9, 0xBD7]),
    (0xAB, &[0xB85, 0xB86, 0xB87, 0xB88, 0xB89, 0xB8A]),
    (0xB1, &[0xB8E, 0xB8F, 0xB90, 0xB92, 0xB93, 0xB94]),
    (0xB7, &[0xB83]),
    // A second byte of the letter I. Encoders write this one.
    (0xFE, &[0xB87]),
];

/// The byte of the consonant at `place` of [`CONSONANTS`] with the vowel sign U; UU follows 16 bytes later, and two
/// bytes later for the two consonants whose bytes are in another part.
const fn with_u(place: u8) -> u8 {
    match place {
        0 => 0xCC,
        1 => 0x99,
        2 => 0xCD,
        3 => 0x9A,
        _ => 0xCA + place,
    }
}

const fn with_uu(place: u8) -> u8 {
    if matches!(place, 1 | 3) { with_u(place) + 2 } else { with_u(place) + 0x10 }
}

const fn with_virama(place: u8) -> u8 {
    0xEC + place
}

/// The characters of each byte from 80 on, in their order. The rest of an entry is [`NULL`].
static CHARACTERS: [[u16; MOST]; 0x80] = {
    let mut all = [[NULL; MOST]; 0x80];
    let mut line = 0;
    while line < SINGLES.len() {
        let (first, units) = SINGLES[line];
        let mut place = 0;
        while place < units.len() {
            all[first as usize - 0x80 + place][0] = units[place];
            place += 1;
        }
        line += 1;
    }
    let mut place = 0;
    while place < CONSONANTS.len() {
        let (consonant, number) = (CONSONANTS[place], place as u8);
        all[FIRST_CONSONANT as usize - 0x80 + place][0] = consonant;
        all[with_u(number) as usize - 0x80] = [consonant, SIGN_U, NULL, NULL];
        all[with_uu(number) as usize - 0x80] = [consonant, SIGN_UU, NULL, NULL];
        all[with_virama(number) as usize - 0x80] = [consonant, VIRAMA, NULL, NULL];
        place += 1;
    }
    let mut place = 0;
    while place < GRANTHA.len() {
        all[FIRST_GRANTHA as usize - 0x80 + place][0] = GRANTHA[place];
        all[0x08 + place] = [GRANTHA[place], VIRAMA, NULL, NULL];
        place += 1;
    }
    all[0xCA - 0x80] = [TTA, SIGN_I, NULL, NULL];
    all[0xCB - 0x80] = [TTA, SIGN_II, NULL, NULL];
    all[0x02] = [SA, VIRAMA, RA, SIGN_II];
    all[0x07] = [KA, VIRAMA, SSA, NULL];
    all[0x0C] = [KA, VIRAMA, SSA, VIRAMA];
    all
};

/// The characters of a byte: none, or up to four.
fn characters(byte: u8) -> [u16; MOST] {
    match byte {
        0..0x80 => [byte.into(), NULL, NULL, NULL],
        _ => CHARACTERS[usize::from(byte - 0x80)],
    }
}

/// The character of a byte that is one.
fn character(byte: u8) -> u16 {
    characters(byte)[0]
}

/// The sign of a vowel around its consonant: `before` is a byte of [`PREFIX_SIGNS`], and `after` the byte after the
/// consonant.
fn joined(before: u8, after: u8) -> Option<u16> {
    match (before, after) {
        (0xA6, 0xA1) => Some(0xBCA),
        (0xA7, 0xA1) => Some(0xBCB),
        (0xA7, 0xAA) => Some(0xBCC),
        _ => None,
    }
}

/// The greatest number of bytes that wait for the next one: a sign and its consonant.
const LONGEST: usize = 2;

/// What bytes mean.
enum Meaning {
    /// More bytes have to come.
    More,
    /// The characters of the first bytes, so many. The others are read again.
    Characters([u16; MOST], usize),
}

/// The meaning of bytes that begin a sequence, at most three. `is_end` is true if no other bytes follow.
fn meaning(bytes: &[u8], is_end: bool) -> Meaning {
    let two = |first, second, length| Meaning::Characters([first, second, NULL, NULL], length);
    let one = |unit, length| two(unit, NULL, length);
    match *bytes {
        [sign] if PREFIX_SIGNS.contains(&sign) && !is_end => Meaning::More,
        [sign, after] if joined(sign, after).is_some() => one(joined(sign, after).unwrap_or(NULL), 2),
        [sign, FIRST_CONSONANT..=LAST_CONSONANT] if PREFIX_SIGNS.contains(&sign) && !is_end => Meaning::More,
        [sign, consonant] if PREFIX_SIGNS.contains(&sign) && is_end => two(character(consonant), character(sign), 2),
        [sign, consonant, after] => match joined(sign, after) {
            Some(joined) => two(character(consonant), joined, 3),
            None => two(character(consonant), character(sign), 2),
        },
        [joining] if JOINING.contains(&joining) && !is_end => Meaning::More,
        [joining, vowel @ 0xA4..=0xA5] if JOINING.contains(&joining) => two(character(joining), character(vowel), 2),
        [first, ..] => Meaning::Characters(characters(first), 1),
        [] => Meaning::Characters([NULL; MOST], 0),
    }
}

/// The decoder. It writes one character at a time, because handlers write at most four bytes of UTF-8 at once.
#[derive(Clone, Copy, Debug)]
struct TsciiDecoder {
    /// How many characters of the sequence were written. The last byte of the sequence, or the byte after it, is
    /// restored.
    written: u8,
    /// The bytes of a sequence that has begun.
    pending: Bytes,
}

impl TsciiDecoder {
    const NEW: Self = TsciiDecoder { written: 0, pending: Bytes::EMPTY };
}

impl DecoderHandler for TsciiDecoder {
    const MAX_UNITS_PER_BYTE: u8 = MOST as u8;
    const STATES_BETWEEN: u8 = MOST as u8;
    const STATE_BITS: u8 = 0;
    /// The bits of the bytes.
    const BEGUN: u64 = !0xFF;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let (mut bytes, written) = (self.pending, usize::from(self.written));
        if let Item::Value(byte) = byte {
            bytes.push(byte);
        } else if bytes.is_empty() {
            *self = Self::NEW;
            return HandlerResult::Finished;
        }
        let (units, length) = match meaning(&bytes, byte == Item::EndOfQueue) {
            Meaning::More => {
                self.pending = bytes;
                return HandlerResult::Continue;
            }
            Meaning::Characters(units, length) => (units, length),
        };
        let is_last = units.get(written + 1).is_none_or(|&next| next == NULL);
        if is_last {
            *self = Self::NEW;
            io_queue.restore(skip(&bytes, length));
        } else {
            self.written += 1;
            if let Item::Value(byte) = byte {
                io_queue.restore(&[byte]);
            }
        }
        let unit = units.get(written).copied().filter(|&unit| unit != NULL);
        let character = unit.and_then(|unit| char::from_u32(unit.into()));
        character.map_or(HandlerResult::Error(()), |character| HandlerResult::Items(character.into()))
    }

    fn pending(&self) -> Bytes {
        self.pending
    }

    fn can_convert(&self) -> bool {
        self.written == 0 && self.pending.is_empty()
    }

    /// Stops before an error, and before a sequence that the end of the source could cut off.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some((&first, after)) = skip(source, read).split_first() {
            let (units, length) = if PREFIX_SIGNS.contains(&first) {
                match *after {
                    [consonant @ FIRST_CONSONANT..=LAST_CONSONANT, after, ..] => {
                        let sign = joined(first, after);
                        let units = [character(consonant), sign.unwrap_or(character(first)), NULL, NULL];
                        (units, 2 + usize::from(sign.is_some()))
                    }
                    [FIRST_CONSONANT..=LAST_CONSONANT] | [] => break,
                    [after, ..] => match joined(first, after) {
                        Some(sign) => ([sign, NULL, NULL, NULL], 2),
                        None => (characters(first), 1),
                    },
                }
            } else if JOINING.contains(&first) {
                match *after {
                    [] => break,
                    [vowel @ 0xA4..=0xA5, ..] => ([character(first), character(vowel), NULL, NULL], 2),
                    _ => (characters(first), 1),
                }
            } else {
                (characters(first), 1)
            };
            let count = units.iter().take_while(|&&unit| unit != NULL).count();
            let (Some(to), true) = (skip_mut(destination, written).get_mut(..count), count > 0) else { break };
            to.copy_from_slice(&units[..count]);
            (read, written) = (read + length, written + count);
        }
        (read, written)
    }

    /// Bits 0 and 1: the number of characters that were written; from bit 8 on, the bytes, the first one lowest.
    fn pack(self) -> u64 {
        u64::from(self.written) | pending::pack(&self.pending) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        TsciiDecoder { written: word as u8 & 3, pending: pending::unpack(word >> 8, LONGEST) }
    }
}

/// The bytes that an encoder holds because the next character can change them: none, a consonant, or consonants with a
/// virama. The place of an entry is the state of the encoder.
#[cfg(feature = "encode")]
static HELD: [&[u8]; 27] = [
    &[],
    &[0xB8],
    &[0xB9],
    &[0xBA],
    &[0xBB],
    &[0xBC],
    &[0xBD],
    &[0xBE],
    &[0xBF],
    &[0xC0],
    &[0xC1],
    &[0xC2],
    &[0xC3],
    &[0xC4],
    &[0xC5],
    &[0xC6],
    &[0xC7],
    &[0xC8],
    &[0xC9],
    &[0x83],
    &[0x84],
    &[0x85],
    &[0x86],
    &[0xEC],
    &[0x8A],
    &[0x87],
    &[0x8A, 0xC3],
];

/// The states that hold Ka with a virama, Sa with a virama, both consonants of Kssa, and Sa with a virama and Ra.
#[cfg(feature = "encode")]
mod held {
    pub(super) const FIRST_GRANTHA: u8 = 19;
    pub(super) const KA_VIRAMA: u8 = 23;
    pub(super) const SA_VIRAMA: u8 = 24;
    pub(super) const KSSA: u8 = 25;
    pub(super) const SA_VIRAMA_RA: u8 = 26;
}

/// The encoder, whose state is the number of an entry of [`HELD`].
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct TsciiEncoder {
    held: u8,
}

#[cfg(feature = "encode")]
impl TsciiEncoder {
    fn held(self) -> &'static [u8] {
        HELD.get(usize::from(self.held)).copied().unwrap_or_default()
    }

    /// Joins the character to what is held. Returns the bytes that are complete; `None` if the character does not join.
    fn join(&mut self, unit: u16) -> Option<Bytes> {
        let (bytes, held): (Bytes, u8) = match (self.held, unit) {
            (1, VIRAMA) => (Bytes::EMPTY, held::KA_VIRAMA),
            (5, SIGN_I | SIGN_II) => ((0xCA + (unit - SIGN_I) as u8).into(), 0),
            (place @ 1..=18, _) => {
                let (place, byte) = (place - 1, FIRST_CONSONANT + place - 1);
                let bytes = match unit {
                    SIGN_U => with_u(place).into(),
                    SIGN_UU => with_uu(place).into(),
                    VIRAMA => with_virama(place).into(),
                    0xBC6..=0xBC8 => [0xA6 + (unit - 0xBC6) as u8, byte].into(),
                    0xBCA => [0xA6, byte, 0xA1].into(),
                    0xBCB => [0xA7, byte, 0xA1].into(),
                    0xBCC => [0xA7, byte, 0xAA].into(),
                    _ => return None,
                };
                (bytes, 0)
            }
            // Sa and Ha.
            (place @ 21..=22, SIGN_U | SIGN_UU) => ([place - 21 + 0x8A, 0xA4 + (unit - SIGN_U) as u8].into(), 0),
            (21, VIRAMA) => (Bytes::EMPTY, held::SA_VIRAMA),
            (place @ held::FIRST_GRANTHA..=22, VIRAMA) => ((place - held::FIRST_GRANTHA + 0x88).into(), 0),
            (held::KA_VIRAMA, SSA) => (Bytes::EMPTY, held::KSSA),
            (held::SA_VIRAMA, RA) => (Bytes::EMPTY, held::SA_VIRAMA_RA),
            (held::KSSA, VIRAMA) => (0x8C.into(), 0),
            (held::SA_VIRAMA_RA, SIGN_II) => (0x82.into(), 0),
            _ => return None,
        };
        self.held = held;
        Some(bytes)
    }

    /// Encodes a character while nothing is held. Returns the bytes that are complete; `None` if it has none.
    fn begin(&mut self, unit: u16) -> Option<Bytes> {
        Some(match unit {
            0..0x80 => (unit as u8).into(),
            0xBCA => [0xA6, 0xA1].into(),
            0xBCB => [0xA7, 0xA1].into(),
            0xBCC => [0xA7, 0xAA].into(),
            _ => match byte(unit)? {
                byte @ FIRST_CONSONANT..=LAST_CONSONANT => {
                    self.held = byte - FIRST_CONSONANT + 1;
                    Bytes::EMPTY
                }
                byte @ FIRST_GRANTHA..=0x86 => {
                    self.held = byte - FIRST_GRANTHA + held::FIRST_GRANTHA;
                    Bytes::EMPTY
                }
                byte => byte.into(),
            },
        })
    }
}

/// The byte of a character beyond ASCII that has a byte of its own.
#[cfg(feature = "encode")]
fn byte(unit: u16) -> Option<u8> {
    /// The bytes of the characters U+0B80 to U+0BFF. 0 is no byte.
    static TAMIL: [u8; 0x80] = {
        let (mut bytes, mut place) = ([0; 0x80], 0);
        while place < CHARACTERS.len() {
            let [first, second, ..] = CHARACTERS[place];
            if first >= 0xB80 && first < 0xC00 && second == NULL {
                bytes[first as usize - 0xB80] = 0x80 + place as u8;
            }
            place += 1;
        }
        bytes
    };
    match unit {
        0xA9 => Some(0xA9),
        0x2018..=0x2019 => Some(0x91 + (unit - 0x2018) as u8),
        0x201C..=0x201D => Some(0x93 + (unit - 0x201C) as u8),
        0xB80..0xC00 => Some(TAMIL[usize::from(unit - 0xB80)]).filter(|&byte| byte != 0),
        _ => None,
    }
}

#[cfg(feature = "encode")]
impl EncoderHandler for TsciiEncoder {
    const STATES: u16 = HELD.len() as u16;
    /// A consonant is written when the next character is known.
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 2 };
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 2, per_code_unit: 4, at_end: 2 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let held = self.held();
        let Item::Value(code_point) = code_point else {
            self.held = 0;
            return if held.is_empty() { HandlerResult::Finished } else { HandlerResult::Items(held.into()) };
        };
        let unit = u16::try_from(u32::from(code_point)).ok();
        let bytes = if held.is_empty() {
            unit.and_then(|unit| self.begin(unit))
        } else {
            let joined = unit.and_then(|unit| self.join(unit));
            if joined.is_none() {
                self.held = 0;
                io_queue.restore(&[code_point]);
                return HandlerResult::Items(held.into());
            }
            joined
        };
        match bytes {
            Some(bytes) if bytes.is_empty() => HandlerResult::Continue,
            Some(bytes) => HandlerResult::Items(bytes),
            None => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(&unit) = source.get(read) {
            let before = *self;
            let (held, bytes) = match self.join(unit) {
                Some(bytes) => (&[][..], bytes),
                None => {
                    self.held = 0;
                    let Some(bytes) = self.begin(unit) else {
                        *self = before;
                        break;
                    };
                    (before.held(), bytes)
                }
            };
            let length = held.len() + bytes.len();
            let Some(to) = skip_mut(destination, written).get_mut(..length) else {
                *self = before;
                break;
            };
            to[..held.len()].copy_from_slice(held);
            to[held.len()..].copy_from_slice(&bytes);
            (read, written) = (read + 1, written + length);
        }
        (read, written)
    }

    fn pack(self) -> u16 {
        self.held.into()
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        TsciiEncoder { held: word as u8 }
    }
}
