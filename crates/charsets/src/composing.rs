//! Single-byte charsets whose decoder composes a letter and the mark after it, as that of glibc does: Vietnamese and
//! Hebrew. Encoders write composed characters that have no byte as a letter and a mark.

use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
    index::{Characters, Page, index_code_point},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::EncoderHandler,
    index::{ByteTable, PageBytes},
};

/// A letter, a mark, and the character that they compose.
pub(crate) type Composition = (u16, u16, u16);

/// The compositions of a charset.
pub(crate) trait Compositions: Copy {
    /// By letter and mark.
    const LIST: &'static [Composition];
    /// The places in `LIST`, by the composed character.
    #[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders ask"))]
    const BY_COMPOSED: &'static [u8];
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
    index: Option<&'static Characters>,
    page: Option<&'static Page>,
    /// The bytes of the character that is held.
    held: [u8; LONGEST],
    length: u8,
    compositions: core::marker::PhantomData<C>,
}

impl<C: Compositions> ComposingDecoder<C> {
    /// The character of a byte.
    fn code_point(&self, byte: u8) -> Option<char> {
        match (self.page, self.index) {
            (Some(page), _) => page.code_point(byte),
            (None, _) if byte.is_ascii() => Some(byte.into()),
            (None, index) => index_code_point(usize::from(byte - 0x80), index?.as_slice()),
        }
    }

    /// The code unit of a byte. `None` if it has no character.
    fn unit(&self, byte: u8) -> Option<u16> {
        self.code_point(byte).map(|code_point| u32::from(code_point) as u16)
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
                if is_letter::<C>(composed) && length < LONGEST {
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
        // A forged state can hold bytes that compose nothing.
        self.length = 0;
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
            let before = written.checked_sub(1).and_then(|place| destination.get_mut(place));
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
            Some(last) if is_letter::<C>(destination[last]) => (start, last),
            _ => (read, written),
        }
    }

    /// Bits 0 to 7: the number of bytes, in bits 8 to 15. The bytes follow.
    fn pack(self) -> u64 {
        let bytes = self.held[..usize::from(self.length).min(LONGEST)].iter().rev();
        u64::from(self.length) << 8 | bytes.fold(0, |word, byte| word << 8 | u64::from(*byte)) << 16
    }

    fn unpack(codec: &'static Codec, word: u64) -> Self {
        ComposingDecoder {
            index: codec.index(),
            page: codec.page(),
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

/// The composed character at `place` of `list`.
#[cfg(feature = "encode")]
fn composed(list: &[Composition], place: u8) -> u16 {
    list.get(usize::from(place)).map_or(0, |composition| composition.2)
}

/// The encoder.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComposingEncoder<C> {
    index: Option<&'static ByteTable>,
    page: Option<&'static PageBytes>,
    compositions: core::marker::PhantomData<C>,
}

#[cfg(feature = "encode")]
impl<C: Compositions> ComposingEncoder<C> {
    /// The byte of a character.
    fn byte(&self, code_point: char) -> Option<u8> {
        match (self.page, self.index) {
            (Some(page), _) => page.byte(code_point),
            (None, _) if code_point.is_ascii() => Some(code_point as u8),
            (None, index) => index?.byte(code_point),
        }
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

    fn unpack(half: &'static EncoderHalf, _: u16) -> Self {
        ComposingEncoder { index: half.index(), page: half.page(), compositions: core::marker::PhantomData }
    }
}

/// The codec called `$name` of the charset whose tables `$with` takes from `$of`.
macro_rules! composing {
    ($(#[$doc:meta])* $name:ident, $type:ident, $list:expr, $by_composed:expr, $unchanged:ident, $has_ascii:literal, $with:ident, $decoding:expr, $encoding:expr) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $type;

        impl crate::composing::Compositions for $type {
            const LIST: &'static [crate::composing::Composition] = &$list;
            const BY_COMPOSED: &'static [u8] = &$by_composed;
            const UNCHANGED: textcodec_core::handler::Unchanged = textcodec_core::handler::Unchanged::$unchanged;
            const HAS_ASCII: bool = $has_ascii;
        }

        $(#[$doc])*
        pub(crate) static $name: textcodec_core::Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<crate::composing::ComposingDecoder<$type>>();
            let codec = textcodec_core::Codec::new(&DECODER).$with($decoding);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<crate::composing::ComposingEncoder<$type>>().$with($encoding);
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

pub(crate) use composing;
