//! Charsets of telematic services, such as Teletex and Videotex, in which an accent comes before its letter: ISO 6937,
//! T.61 and ANSI X3.110, as glibc has them. An accent and a letter become one composed character.

use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
    index::{NULL, PageUnits},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};
use textcodec_kernels::blocks::skip;

/// The entry for a byte without a character.
const NONE: char = char::REPLACEMENT_CHARACTER;

/// The characters of the bytes A0 to FF in ISO 6937. The bytes C1 to CF are accents.
#[rustfmt::skip]
const UPPER: [char; 0x60] = [
    '\u{A0}', '¡', '¢', '£', NONE, '¥', NONE, '§', '¤', '‘', '“', '«', '←', '↑', '→', '↓',
    '°', '±', '²', '³', '×', 'µ', '¶', '·', '÷', '’', '”', '»', '¼', '½', '¾', '¿',
    NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
    '—', '¹', '®', '©', '™', '♪', '¬', '¦', NONE, NONE, NONE, NONE, '⅛', '⅜', '⅝', '⅞',
    '\u{2126}', 'Æ', 'Ð', 'ª', 'Ħ', NONE, 'Ĳ', 'Ŀ', 'Ł', 'Ø', 'Œ', 'º', 'Þ', 'Ŧ', 'Ŋ', 'ŉ',
    'ĸ', 'æ', 'đ', 'ð', 'ħ', 'ı', 'ĳ', 'ŀ', 'ł', 'ø', 'œ', 'ß', 'þ', 'ŧ', 'ŋ', '\u{AD}',
];

/// The bytes of an accent and of a letter or a space, in ascending order, and what they compose. All charsets of this
/// module have these pairs.
#[rustfmt::skip]
static PAIRS: [(u8, u8, char); 165] = [
    (0xC1, b'A', 'À'), (0xC1, b'E', 'È'), (0xC1, b'I', 'Ì'), (0xC1, b'O', 'Ò'), (0xC1, b'U', 'Ù'), (0xC1, b'a', 'à'),
    (0xC1, b'e', 'è'), (0xC1, b'i', 'ì'), (0xC1, b'o', 'ò'), (0xC1, b'u', 'ù'), (0xC2, b' ', '´'), (0xC2, b'A', 'Á'),
    (0xC2, b'C', 'Ć'), (0xC2, b'E', 'É'), (0xC2, b'I', 'Í'), (0xC2, b'L', 'Ĺ'), (0xC2, b'N', 'Ń'), (0xC2, b'O', 'Ó'),
    (0xC2, b'R', 'Ŕ'), (0xC2, b'S', 'Ś'), (0xC2, b'U', 'Ú'), (0xC2, b'Y', 'Ý'), (0xC2, b'Z', 'Ź'), (0xC2, b'a', 'á'),
    (0xC2, b'c', 'ć'), (0xC2, b'e', 'é'), (0xC2, b'i', 'í'), (0xC2, b'l', 'ĺ'), (0xC2, b'n', 'ń'), (0xC2, b'o', 'ó'),
    (0xC2, b'r', 'ŕ'), (0xC2, b's', 'ś'), (0xC2, b'u', 'ú'), (0xC2, b'y', 'ý'), (0xC2, b'z', 'ź'), (0xC3, b'A', 'Â'),
    (0xC3, b'C', 'Ĉ'), (0xC3, b'E', 'Ê'), (0xC3, b'G', 'Ĝ'), (0xC3, b'H', 'Ĥ'), (0xC3, b'I', 'Î'), (0xC3, b'J', 'Ĵ'),
    (0xC3, b'O', 'Ô'), (0xC3, b'S', 'Ŝ'), (0xC3, b'U', 'Û'), (0xC3, b'W', 'Ŵ'), (0xC3, b'Y', 'Ŷ'), (0xC3, b'a', 'â'),
    (0xC3, b'c', 'ĉ'), (0xC3, b'e', 'ê'), (0xC3, b'g', 'ĝ'), (0xC3, b'h', 'ĥ'), (0xC3, b'i', 'î'), (0xC3, b'j', 'ĵ'),
    (0xC3, b'o', 'ô'), (0xC3, b's', 'ŝ'), (0xC3, b'u', 'û'), (0xC3, b'w', 'ŵ'), (0xC3, b'y', 'ŷ'), (0xC4, b'A', 'Ã'),
    (0xC4, b'I', 'Ĩ'), (0xC4, b'N', 'Ñ'), (0xC4, b'O', 'Õ'), (0xC4, b'U', 'Ũ'), (0xC4, b'a', 'ã'), (0xC4, b'i', 'ĩ'),
    (0xC4, b'n', 'ñ'), (0xC4, b'o', 'õ'), (0xC4, b'u', 'ũ'), (0xC5, b' ', '¯'), (0xC5, b'A', 'Ā'), (0xC5, b'E', 'Ē'),
    (0xC5, b'I', 'Ī'), (0xC5, b'O', 'Ō'), (0xC5, b'U', 'Ū'), (0xC5, b'a', 'ā'), (0xC5, b'e', 'ē'), (0xC5, b'i', 'ī'),
    (0xC5, b'o', 'ō'), (0xC5, b'u', 'ū'), (0xC6, b' ', '˘'), (0xC6, b'A', 'Ă'), (0xC6, b'G', 'Ğ'), (0xC6, b'U', 'Ŭ'),
    (0xC6, b'a', 'ă'), (0xC6, b'g', 'ğ'), (0xC6, b'u', 'ŭ'), (0xC7, b' ', '˙'), (0xC7, b'C', 'Ċ'), (0xC7, b'E', 'Ė'),
    (0xC7, b'G', 'Ġ'), (0xC7, b'I', 'İ'), (0xC7, b'Z', 'Ż'), (0xC7, b'c', 'ċ'), (0xC7, b'e', 'ė'), (0xC7, b'g', 'ġ'),
    (0xC7, b'z', 'ż'), (0xC8, b' ', '¨'), (0xC8, b'A', 'Ä'), (0xC8, b'E', 'Ë'), (0xC8, b'I', 'Ï'), (0xC8, b'O', 'Ö'),
    (0xC8, b'U', 'Ü'), (0xC8, b'Y', 'Ÿ'), (0xC8, b'a', 'ä'), (0xC8, b'e', 'ë'), (0xC8, b'i', 'ï'), (0xC8, b'o', 'ö'),
    (0xC8, b'u', 'ü'), (0xC8, b'y', 'ÿ'), (0xCA, b' ', '˚'), (0xCA, b'A', 'Å'), (0xCA, b'U', 'Ů'), (0xCA, b'a', 'å'),
    (0xCA, b'u', 'ů'), (0xCB, b' ', '¸'), (0xCB, b'C', 'Ç'), (0xCB, b'G', 'Ģ'), (0xCB, b'K', 'Ķ'), (0xCB, b'L', 'Ļ'),
    (0xCB, b'N', 'Ņ'), (0xCB, b'R', 'Ŗ'), (0xCB, b'S', 'Ş'), (0xCB, b'T', 'Ţ'), (0xCB, b'c', 'ç'), (0xCB, b'g', 'ģ'),
    (0xCB, b'k', 'ķ'), (0xCB, b'l', 'ļ'), (0xCB, b'n', 'ņ'), (0xCB, b'r', 'ŗ'), (0xCB, b's', 'ş'), (0xCB, b't', 'ţ'),
    (0xCD, b' ', '˝'), (0xCD, b'O', 'Ő'), (0xCD, b'U', 'Ű'), (0xCD, b'o', 'ő'), (0xCD, b'u', 'ű'), (0xCE, b' ', '˛'),
    (0xCE, b'A', 'Ą'), (0xCE, b'E', 'Ę'), (0xCE, b'I', 'Į'), (0xCE, b'U', 'Ų'), (0xCE, b'a', 'ą'), (0xCE, b'e', 'ę'),
    (0xCE, b'i', 'į'), (0xCE, b'u', 'ų'), (0xCF, b' ', 'ˇ'), (0xCF, b'C', 'Č'), (0xCF, b'D', 'Ď'), (0xCF, b'E', 'Ě'),
    (0xCF, b'L', 'Ľ'), (0xCF, b'N', 'Ň'), (0xCF, b'R', 'Ř'), (0xCF, b'S', 'Š'), (0xCF, b'T', 'Ť'), (0xCF, b'Z', 'Ž'),
    (0xCF, b'c', 'č'), (0xCF, b'd', 'ď'), (0xCF, b'e', 'ě'), (0xCF, b'l', 'ľ'), (0xCF, b'n', 'ň'), (0xCF, b'r', 'ř'),
    (0xCF, b's', 'š'), (0xCF, b't', 'ť'), (0xCF, b'z', 'ž'),
];

/// The code unit of a character of this module, which is below U+10000.
const fn unit_of(character: char) -> u16 {
    if character as u32 == NONE as u32 { NULL } else { character as u16 }
}

/// The code unit of each byte: ASCII, the control characters from 80 on, ISO 6937 from A0 on, and then `changes`.
const fn units(changes: &[(u8, char)]) -> PageUnits {
    let (mut units, mut byte) = ([NULL; 256], 0);
    while byte < units.len() {
        units[byte] = if byte < 0xA0 { byte as u16 } else { unit_of(UPPER[byte - 0xA0]) };
        byte += 1;
    }
    let mut change = 0;
    while change < changes.len() {
        units[changes[change].0 as usize] = unit_of(changes[change].1);
        change += 1;
    }
    units
}

/// A charset with accents, as a type.
pub(crate) trait Of: Copy {
    /// The code unit of each byte that is no accent.
    const UNITS: &'static PageUnits;
    /// A pair that no other charset has.
    const OWN_PAIR: Option<(u8, u8, char)> = None;
    /// Whether ASCII is at its usual bytes.
    const HAS_ASCII: bool = false;
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso6937;

impl Of for Iso6937 {
    const UNITS: &'static PageUnits = {
        static UNITS: PageUnits = units(&[]);
        &UNITS
    };
    const HAS_ASCII: bool = true;
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso6937Of1983;

impl Of for Iso6937Of1983 {
    const UNITS: &'static PageUnits = {
        static UNITS: PageUnits =
            units(&[(0x24, '¤'), (0xA0, NONE), (0xA4, '$'), (0xA6, '#'), (0xD6, NONE), (0xD7, NONE), (0xFF, NONE)]);
        &UNITS
    };
    const OWN_PAIR: Option<(u8, u8, char)> = Some((0xC4, b' ', '~'));
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct T61;

impl Of for T61 {
    const UNITS: &'static PageUnits = {
        #[rustfmt::skip]
        static UNITS: PageUnits = units(&[
            (0x23, NONE), (0x24, NONE), (0x5C, NONE), (0x5E, NONE), (0x60, NONE), (0x7B, NONE), (0x7D, NONE),
            (0x7E, NONE), (0xA0, NONE), (0xA4, '$'), (0xA6, '#'), (0xA9, NONE), (0xAA, NONE), (0xAC, NONE),
            (0xAD, NONE), (0xAE, NONE), (0xAF, NONE), (0xB9, NONE), (0xBA, NONE), (0xD0, NONE), (0xD1, NONE),
            (0xD2, NONE), (0xD3, NONE), (0xD4, NONE), (0xD5, NONE), (0xD6, NONE), (0xD7, NONE), (0xDC, NONE),
            (0xDD, NONE), (0xDE, NONE), (0xDF, NONE), (0xFF, NONE),
        ]);
        &UNITS
    };
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AnsiX3110;

impl Of for AnsiX3110 {
    const UNITS: &'static PageUnits = {
        #[rustfmt::skip]
        static UNITS: PageUnits = units(&[
            (0x23, NONE), (0x24, NONE), (0xA0, NONE), (0xA4, '$'), (0xA6, '#'), (0xD6, '─'), (0xD7, '│'), (0xD8, '╱'),
            (0xD9, '╲'), (0xDA, '◢'), (0xDB, '◣'), (0xE5, '┼'), (0xFF, NONE),
        ]);
        &UNITS
    };
}

/// Whether a byte is an accent.
fn is_accent(byte: u8) -> bool {
    matches!(byte, 0xC1..=0xCF)
}

/// The code unit of a byte that is no accent. `None` if it has no character.
fn single<S: Of>(byte: u8) -> Option<u16> {
    Some(S::UNITS[usize::from(byte)]).filter(|&unit| unit != NULL)
}

/// The code unit of an accent and a letter.
fn pair<S: Of>(accent: u8, letter: u8) -> Option<u16> {
    let character = match PAIRS.binary_search_by_key(&(accent, letter), |entry| (entry.0, entry.1)) {
        Ok(place) => PAIRS.get(place).map(|entry| entry.2),
        Err(_) => S::OWN_PAIR.filter(|entry| (entry.0, entry.1) == (accent, letter)).map(|entry| entry.2),
    };
    character.map(unit_of)
}

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccentDecoder<S> {
    /// The byte of an accent, or 0.
    accent: u8,
    charset: core::marker::PhantomData<S>,
}

impl<S: Of> DecoderHandler for AccentDecoder<S> {
    const UNCHANGED: Unchanged = if S::HAS_ASCII { Unchanged::Ascii } else { Unchanged::Nothing };

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let accent = core::mem::take(&mut self.accent);
        let unit = match byte {
            Item::EndOfQueue if accent == 0 => return HandlerResult::Finished,
            Item::EndOfQueue => None,
            Item::Value(byte) if accent != 0 => {
                let unit = pair::<S>(accent, byte);
                if unit.is_none() {
                    io_queue.restore(&[byte]);
                }
                unit
            }
            Item::Value(byte) if is_accent(byte) => {
                self.accent = byte;
                return HandlerResult::Continue;
            }
            Item::Value(byte) => single::<S>(byte),
        };
        let character = unit.and_then(|unit| char::from_u32(unit.into()));
        character.map_or(HandlerResult::Error(()), |character| HandlerResult::Items(character.into()))
    }

    fn pending(&self) -> Bytes {
        if self.accent == 0 { Bytes::EMPTY } else { self.accent.into() }
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (unit, length) = match *skip(source, read) {
                [accent, letter, ..] if is_accent(accent) => (pair::<S>(accent, letter), 2),
                [byte, ..] if !is_accent(byte) => (single::<S>(byte), 1),
                _ => (None, 0),
            };
            let (Some(unit), Some(to)) = (unit, destination.get_mut(written)) else {
                return (read, written);
            };
            *to = unit;
            (read, written) = (read + length, written + 1);
        }
    }

    fn pack(self) -> u64 {
        self.accent.into()
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        AccentDecoder { accent: word as u8, charset: core::marker::PhantomData }
    }
}

/// The bytes of the code units below U+0180 in ISO 6937: one byte, or an accent in the upper half and a letter.
#[cfg(feature = "encode")]
static LOW: [u16; 0x180] = {
    let (units, mut low, mut byte) = (units(&[]), [NOT_LOW; 0x180], 0);
    while byte < units.len() {
        if (units[byte] as usize) < low.len() {
            low[units[byte] as usize] = byte as u16;
        }
        byte += 1;
    }
    let mut place = 0;
    while place < PAIRS.len() {
        let (accent, letter, character) = PAIRS[place];
        if (character as usize) < low.len() {
            low[character as usize] = (accent as u16) << 8 | letter as u16;
        }
        place += 1;
    }
    low
};

/// The entry of [`LOW`] for a code unit without bytes.
#[cfg(feature = "encode")]
const NOT_LOW: u16 = 0xFFFF;

/// The bytes of a code unit.
#[cfg(feature = "encode")]
fn bytes<S: Of>(unit: u16) -> Option<Bytes> {
    // A charset can have these two signs, and the ones of ISO 6937 at the same bytes, twice. glibc writes the upper
    // byte.
    let is_moved = !S::HAS_ASCII && matches!(unit, 0x23 | 0x24);
    match LOW.get(usize::from(unit)).filter(|_| !is_moved).map(|word| word.to_be_bytes()) {
        Some([0, byte]) if S::UNITS[usize::from(byte)] == unit => return Some(byte.into()),
        Some([accent, letter]) if is_accent(accent) => return Some([accent, letter].into()),
        _ => {}
    }
    let is = |&(_, of): &(u8, &u16)| *of == unit && unit != NULL;
    if let Some((byte, _)) = (0xA0..=0xFF).zip(&S::UNITS[0xA0..]).find(is) {
        return Some(byte.into());
    }
    let is = |entry: &&(u8, u8, char)| u32::from(entry.2) == u32::from(unit);
    PAIRS.iter().find(is).map(|&(accent, letter, _)| [accent, letter].into())
}

/// The encoder.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccentEncoder<S> {
    charset: core::marker::PhantomData<S>,
}

#[cfg(feature = "encode")]
impl<S: Of> EncoderHandler for AccentEncoder<S> {
    const HAS_ASCII: bool = S::HAS_ASCII;
    /// Two bytes for one in UTF-8, or `&#123;` for a character of ASCII.
    const MAX_BYTES_HTML: MaxBytes =
        MaxBytes { per_utf8_byte: if S::HAS_ASCII { 4 } else { 6 }, per_code_unit: 8, at_end: 0 };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        let bytes = u16::try_from(u32::from(code_point)).ok().and_then(bytes::<S>);
        bytes.map_or(HandlerResult::Error(code_point), HandlerResult::Items)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(bytes) = source.get(read).and_then(|unit| bytes::<S>(*unit)) {
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
        AccentEncoder { charset: core::marker::PhantomData }
    }
}

/// The codec called `$name` of a charset with accents.
macro_rules! codec_with_accents {
    ($(#[$doc:meta])* $name:ident, $type:ty) => {
        $(#[$doc])*
        pub(crate) static $name: Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<AccentDecoder<$type>>();
            let codec = Codec::new(&DECODER);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: EncoderHalf = EncoderHalf::new::<AccentEncoder<$type>>();
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

codec_with_accents!(
    /// ISO/IEC 6937:1992.
    ISO_6937, Iso6937
);
codec_with_accents!(
    /// ISO 6937-2:1983.
    ISO_6937_2, Iso6937Of1983
);
codec_with_accents!(
    /// T.61, Teletex.
    T_61_8BIT, T61
);
codec_with_accents!(
    /// ANSI X3.110, the North American Presentation Level Protocol Syntax.
    ANSI_X3_110, AnsiX3110
);
