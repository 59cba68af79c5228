//! Single-byte charsets whose decoder composes a letter and the mark after it, as that of glibc does: Vietnamese and
//! Hebrew. Encoders write composed characters that have no byte as a letter and a mark.

use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
    index::{NULL, PageUnits},
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, handler::EncoderHandler};

/// A letter, a mark, and the character that they compose.
pub(crate) type Composition = (u16, u16, u16);

/// The compositions of a charset.
pub(crate) trait Compositions: Copy {
    /// The code unit of each byte.
    const UNITS: &'static PageUnits;
    /// The byte of each code unit.
    #[cfg(feature = "encode")]
    const BYTES: &'static ByUnit;
    /// By letter and mark.
    const LIST: &'static [Composition];
    /// The places in `LIST`, by the composed character.
    #[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders ask"))]
    const BY_COMPOSED: &'static [u8];
    /// The greatest number of marks that a letter is composed with. glibc composes two in Hebrew only.
    const MARKS: usize;
    /// The bytes that a decoder leaves as they are: none if a mark after an ASCII letter changes the letter.
    const UNCHANGED: Unchanged;
    /// Whether ASCII is at its usual bytes.
    #[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders ask"))]
    const HAS_ASCII: bool;
}

/// The composition of a letter and a mark.
fn compose<C: Compositions>(letter: u16, mark: u16) -> Option<u16> {
    // Few code units are marks.
    if !matches!(mark, 0x300..=0x36F | 0x5B0..=0x5C7) {
        return None;
    }
    let place = C::LIST.binary_search_by_key(&(letter, mark), |&(letter, mark, _)| (letter, mark)).ok()?;
    C::LIST.get(place).map(|composition| composition.2)
}

/// Whether a mark can follow the character.
fn is_letter<C: Compositions>(unit: u16) -> bool {
    let place = C::LIST.partition_point(|composition| composition.0 < unit);
    C::LIST.get(place).is_some_and(|composition| composition.0 == unit)
}

/// The greatest number of bytes that compose a character: a letter and two marks.
const LONGEST: usize = 3;

/// The decoder. It holds a letter until it knows the next byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComposingDecoder<C> {
    /// The bytes of the character that is held.
    held: [u8; LONGEST],
    length: u8,
    compositions: core::marker::PhantomData<C>,
}

impl<C: Compositions> ComposingDecoder<C> {
    /// The code unit of a byte. `None` if it has no character.
    fn unit(&self, byte: u8) -> Option<u16> {
        Some(C::UNITS[usize::from(byte)]).filter(|&unit| unit != NULL)
    }

    /// The code unit of the character that is held.
    fn held(&self) -> Option<u16> {
        let (first, marks) = self.held[..usize::from(self.length).min(LONGEST)].split_first()?;
        marks.iter().try_fold(self.unit(*first)?, |letter, mark| compose::<C>(letter, self.unit(*mark)?))
    }
}

impl<C: Compositions> DecoderHandler for ComposingDecoder<C> {
    const UNCHANGED: Unchanged = C::UNCHANGED;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        if let Some(letter) = self.held() {
            let composed = match byte {
                Item::Value(byte) => self.unit(byte).and_then(|mark| compose::<C>(letter, mark)),
                Item::EndOfQueue => None,
            };
            let length = usize::from(self.length);
            if let (Some(composed), Item::Value(byte)) = (composed, byte) {
                // The result is held if another mark can follow.
                if is_letter::<C>(composed) && length < C::MARKS {
                    self.held[length] = byte;
                    self.length += 1;
                    return HandlerResult::Continue;
                }
                self.length = 0;
                return items(composed);
            }
            if let Item::Value(byte) = byte {
                io_queue.restore(&[byte]);
            }
            self.length = 0;
            return items(letter);
        }
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        let Some(unit) = self.unit(byte) else { return HandlerResult::Error(()) };
        if is_letter::<C>(unit) {
            self.held[0] = byte;
            self.length = 1;
            return HandlerResult::Continue;
        }
        items(unit)
    }

    fn pending(&self) -> Bytes {
        self.held[..usize::from(self.length).min(LONGEST)].into()
    }

    /// Decodes all characters but the last one, if a mark could follow it.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // The place in the source of the last character.
        let mut start = 0;
        while let (Some(&byte), true) = (source.get(read), written < destination.len()) {
            let unit = match self.unit(byte) {
                Some(unit) => unit,
                None if mode == DecodeErrorMode::Replacement => u32::from(char::REPLACEMENT_CHARACTER) as u16,
                // An error is no mark.
                None => return (read, written),
            };
            // A letter that has all its marks composes with no other one.
            let place = written.checked_sub(1).filter(|_| read - start <= C::MARKS);
            let before = place.and_then(|place| destination.get_mut(place));
            if let Some((before, composed)) = before.and_then(|before| {
                let composed = compose::<C>(*before, unit)?;
                Some((before, composed))
            }) {
                *before = composed;
                read += 1;
                continue;
            }
            start = read;
            destination[written] = unit;
            (read, written) = (read + 1, written + 1);
        }
        match written.checked_sub(1) {
            Some(last) if read - start <= C::MARKS && is_letter::<C>(destination[last]) => (start, last),
            _ => (read, written),
        }
    }

    /// Bits 0 to 7: the number of bytes, in bits 8 to 15. The bytes follow.
    fn pack(self) -> u64 {
        let bytes = self.held[..usize::from(self.length).min(LONGEST)].iter().rev();
        u64::from(self.length) << 8 | bytes.fold(0, |word, byte| word << 8 | u64::from(*byte)) << 16
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        ComposingDecoder {
            held: [(word >> 16) as u8, (word >> 24) as u8, (word >> 32) as u8],
            length: (word >> 8) as u8,
            compositions: core::marker::PhantomData,
        }
    }
}

/// The result with a code unit, which is no surrogate.
fn items(unit: u16) -> HandlerResult<CodePoints, ()> {
    char::from_u32(unit.into()).map_or(HandlerResult::Error(()), |code_point| HandlerResult::Items(code_point.into()))
}

/// The bytes of a charset's characters.
#[cfg(feature = "encode")]
pub(crate) struct ByUnit {
    /// For code units below U+0200, most of a text: the byte, or [`ByUnit::NONE`].
    low: [u16; 0x200],
    /// All code units in ascending order, and their bytes.
    all: [(u16, u8); 256],
}

#[cfg(feature = "encode")]
impl ByUnit {
    const NONE: u16 = 0x100;

    pub(crate) const fn of(units: &PageUnits) -> Self {
        let (mut low, mut all, mut byte) = ([Self::NONE; 0x200], [(NULL, 0); 256], 0);
        while byte < units.len() {
            let unit = units[byte];
            if (unit as usize) < low.len() {
                assert!(low[unit as usize] == Self::NONE, "two bytes have one character");
                low[unit as usize] = byte as u16;
            }
            // All greater code units move up by one place.
            let mut place = byte;
            while place > 0 && all[place - 1].0 > unit {
                all[place] = all[place - 1];
                place -= 1;
            }
            all[place] = (unit, byte as u8);
            byte += 1;
        }
        ByUnit { low, all }
    }

    fn byte(&self, unit: u16) -> Option<u8> {
        if let Some(&byte) = self.low.get(usize::from(unit)) {
            return u8::try_from(byte).ok();
        }
        let place = self.all.binary_search_by_key(&unit, |&(unit, _)| unit).ok()?;
        self.all.get(place).filter(|_| unit != NULL).map(|&(_, byte)| byte)
    }
}

/// The composed character at `place` of `list`.
#[cfg(feature = "encode")]
fn composed(list: &[Composition], place: u8) -> u16 {
    list.get(usize::from(place)).map_or(0, |composition| composition.2)
}

/// The encoder.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComposingEncoder<C> {
    compositions: core::marker::PhantomData<C>,
}

#[cfg(feature = "encode")]
impl<C: Compositions> ComposingEncoder<C> {
    /// The byte of a character.
    fn byte(&self, code_point: char) -> Option<u8> {
        C::BYTES.byte(u16::try_from(u32::from(code_point)).ok()?)
    }

    /// The bytes of a character, or of the letter and the marks that compose it.
    fn bytes(&self, code_point: char) -> Option<Bytes> {
        if let Some(byte) = self.byte(code_point) {
            return Some(byte.into());
        }
        let unit = u16::try_from(u32::from(code_point)).ok()?;
        // Where the marks can come in two orders, glibc writes a dagesh first: that composition is the last one.
        let end = C::BY_COMPOSED.partition_point(|&place| composed(C::LIST, place) <= unit);
        let place = *C::BY_COMPOSED.get(end.checked_sub(1)?)?;
        let (letter, mark, _) = C::LIST.get(usize::from(place)).filter(|composition| composition.2 == unit)?;
        let mut bytes = self.bytes(char::from_u32((*letter).into())?)?;
        bytes.push(self.byte(char::from_u32((*mark).into())?)?);
        Some(bytes)
    }
}

#[cfg(feature = "encode")]
impl<C: Compositions> EncoderHandler for ComposingEncoder<C> {
    const HAS_ASCII: bool = C::HAS_ASCII;
    const MAX_BYTES_HTML: textcodec_core::handler::MaxBytes = textcodec_core::handler::MaxBytes {
        per_utf8_byte: if C::HAS_ASCII { 4 } else { 6 },
        per_code_unit: 8,
        at_end: 0,
    };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        self.bytes(code_point).map_or(HandlerResult::Error(code_point), HandlerResult::Items)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let (Some(&unit), Some(to)) = (source.get(read), destination.get_mut(written..)) {
            let Some(code_point) = char::from_u32(unit.into()) else { break };
            let length = if let Some(byte) = self.byte(code_point) {
                let Some(to) = to.first_mut() else { break };
                *to = byte;
                1
            } else {
                let bytes = self.bytes(code_point);
                let Some((bytes, to)) = bytes.and_then(|bytes| Some((bytes, to.get_mut(..bytes.len())?))) else {
                    break;
                };
                to.copy_from_slice(&bytes);
                to.len()
            };
            (read, written) = (read + 1, written + length);
        }
        (read, written)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        ComposingEncoder { compositions: core::marker::PhantomData }
    }
}

/// The codec called `$name` of the charset whose bytes have `$units`.
macro_rules! composing {
    ($(#[$doc:meta])* $name:ident, $type:ident, $units:expr, $list:expr, $by_composed:expr, $marks:literal, $unchanged:ident, $has_ascii:literal) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $type;

        impl crate::composing::Compositions for $type {
            const UNITS: &'static textcodec_core::index::PageUnits = &$units;
            #[cfg(feature = "encode")]
            const BYTES: &'static crate::composing::ByUnit = {
                static BYTES: crate::composing::ByUnit = crate::composing::ByUnit::of(&$units);
                &BYTES
            };
            const LIST: &'static [crate::composing::Composition] = &$list;
            const BY_COMPOSED: &'static [u8] = &$by_composed;
            const MARKS: usize = $marks;
            const UNCHANGED: textcodec_core::handler::Unchanged = textcodec_core::handler::Unchanged::$unchanged;
            const HAS_ASCII: bool = $has_ascii;
        }

        $(#[$doc])*
        pub(crate) static $name: textcodec_core::Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<crate::composing::ComposingDecoder<$type>>();
            let codec = textcodec_core::Codec::new(&DECODER);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<crate::composing::ComposingEncoder<$type>>();
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

pub(crate) use composing;

#[cfg(test)]
mod tests {
    use crate::generated::compositions::*;

    /// No conversion reads some entries, such as places of what composes to a character that has a byte. New mappings
    /// change the digests.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        textcodec_core::testing::check_digests(&[
            (&(CP1255_UNITS, CP1255, CP1255_BY_COMPOSED), 0x57EC_7671_62FF_35C1),
            (&(CP1258_UNITS, CP1258, CP1258_BY_COMPOSED), 0x302B_BD7C_E9C1_4EEB),
            (&(TCVN5712_1_UNITS, TCVN5712_1, TCVN5712_1_BY_COMPOSED), 0x40BB_5200_2D93_BF40),
        ]);
    }
}
