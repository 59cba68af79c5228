//! Charsets of seven bits with pairs between escapes: HZ, as RFC 1843 has it, and ISO-2022-KR, as RFC 1557 and glibc
//! have it.
//!
//! Pairs are those of an EUC charset without the highest bits. Outside of pairs, bytes are ASCII.

#[cfg(feature = "encode")]
use super::pairs::SchemeBytes;
use super::{
    pairs::{Of as OfPairs, Run},
    table::Character,
};
use crate::{
    east_asian_codecs::{EucCn, EucKr},
    pending,
};
use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf, convert,
    handler::{EncoderHandler, MaxBytes},
};
use textcodec_kernels::blocks::{skip, skip_mut};

/// What a byte, or an escape that begins with it, means between characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// Pairs begin or end; also the escapes that change nothing.
    Shift(bool),
    /// A character.
    Character(u8),
    /// An escape has begun, or a pair.
    More,
    /// An error. If this is an escape, the bytes after the first one are read again.
    Malformed,
    /// An escape that is none: its first byte is a character, and the bytes after it are read again.
    First,
}

/// A charset with escapes, as a type.
pub(crate) trait Of: Copy {
    /// The EUC charset.
    type Euc: OfPairs;
    /// The ASCII bytes that a new decoder leaves as they are.
    const UNCHANGED: Unchanged;
    /// The bytes before a text that is not empty.
    #[cfg(feature = "encode")]
    const HEADER: &'static [u8];
    /// The bytes that begin pairs, and those that end them.
    #[cfg(feature = "encode")]
    const SHIFTS: [&'static [u8]; 2];

    /// The meaning of bytes that are not the beginning of a pair; at most four.
    fn meaning(is_shifted: bool, bytes: &[u8]) -> Meaning;

    /// The bytes of an ASCII character outside of pairs; `None` for a character that would be an escape.
    #[cfg(feature = "encode")]
    fn ascii(byte: u8) -> Option<Bytes>;
}

/// HZ: `~{` begins pairs, and `~}` ends them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hz;

impl Of for Hz {
    type Euc = EucCn;
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    #[cfg(feature = "encode")]
    const HEADER: &'static [u8] = b"";
    #[cfg(feature = "encode")]
    const SHIFTS: [&'static [u8]; 2] = [b"~{", b"~}"];

    fn meaning(is_shifted: bool, bytes: &[u8]) -> Meaning {
        match *bytes {
            [b'~'] => Meaning::More,
            // No pair goes on in the next line.
            [b'\n'] => Meaning::Character(b'\n'),
            [byte @ 0x00..=0x7F] if !is_shifted => Meaning::Character(byte),
            [b'~', b'{'] if !is_shifted => Meaning::Shift(true),
            [b'~', b'}'] if is_shifted => Meaning::Shift(false),
            [b'~', b'~'] if !is_shifted => Meaning::Character(b'~'),
            // A line that the next one continues.
            [b'~', b'\n'] if !is_shifted => Meaning::Shift(false),
            _ => Meaning::Malformed,
        }
    }

    #[cfg(feature = "encode")]
    fn ascii(byte: u8) -> Option<Bytes> {
        Some(if byte == b'~' { [b'~', b'~'].into() } else { byte.into() })
    }
}

/// ISO-2022-KR: after a header, 0E begins pairs, and 0F ends them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso2022Kr;

/// The header, which a decoder does not need and takes anywhere, as glibc does.
const HEADER: [u8; 4] = *b"\x1B$)C";

impl Of for Iso2022Kr {
    type Euc = EucKr;
    const UNCHANGED: Unchanged = Unchanged::UnshiftedAscii;
    #[cfg(feature = "encode")]
    const HEADER: &'static [u8] = &HEADER;
    #[cfg(feature = "encode")]
    const SHIFTS: [&'static [u8]; 2] = [b"\x0E", b"\x0F"];

    fn meaning(is_shifted: bool, bytes: &[u8]) -> Meaning {
        match *bytes {
            [0x0E] => Meaning::Shift(true),
            [0x0F] => Meaning::Shift(false),
            [byte @ 0x00..=0x7F] if !is_shifted && byte != HEADER[0] => Meaning::Character(byte),
            _ if bytes == HEADER => Meaning::Shift(is_shifted),
            _ if HEADER.starts_with(bytes) => Meaning::More,
            [first, _, ..] if first == HEADER[0] && !is_shifted => Meaning::First,
            _ => Meaning::Malformed,
        }
    }

    #[cfg(feature = "encode")]
    fn ascii(byte: u8) -> Option<Bytes> {
        if matches!(byte, 0x0E | 0x0F | 0x1B) { None } else { Some(byte.into()) }
    }
}

/// Whether a byte begins a pair. No charset has a pair that begins with 7E, which is an escape in HZ.
fn is_lead(byte: u8) -> bool {
    matches!(byte, 0x21..=0x7D)
}

/// The character of a pair. Trailing bytes from 80 on are none.
fn character<S: Of>(lead: u8, trail: u8) -> Option<char> {
    match S::Euc::SCHEME.table.pair_character(0, lead | 0x80, trail | 0x80) {
        Some(Character::One(code_point)) if trail < 0x80 => Some(code_point),
        _ => None,
    }
}

/// The greatest number of bytes of an escape or a pair that has begun.
const LONGEST: usize = 3;

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EscapeDecoder<S> {
    /// Whether pairs have begun.
    is_shifted: bool,
    /// The bytes of an escape or of a pair.
    pending: Bytes,
    charset: core::marker::PhantomData<S>,
}

impl<S: Of> DecoderHandler for EscapeDecoder<S> {
    const UNCHANGED: Unchanged = S::UNCHANGED;
    const STATES_BETWEEN: u8 = 2;
    const STATE_BITS: u8 = 1;
    /// Pairs need no end.
    const BEGUN: u64 = 0x7FFF_FF00;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let mut bytes = core::mem::take(&mut self.pending);
        let Item::Value(byte) = byte else {
            if !bytes.is_empty() {
                return HandlerResult::Error(());
            }
            self.is_shifted = false;
            return HandlerResult::Finished;
        };
        bytes.push(byte);
        if self.is_shifted && is_lead(bytes[0]) {
            let [lead, trail] = *bytes else {
                self.pending = bytes;
                return HandlerResult::Continue;
            };
            let character = character::<S>(lead, trail);
            if character.is_none() && (trail < 0x21 || trail == 0x7E) {
                // A control character, a space or perhaps an escape is read again.
                io_queue.restore(&[trail]);
            }
            return character.map_or(HandlerResult::Error(()), |character| HandlerResult::Items(character.into()));
        }
        match S::meaning(self.is_shifted, &bytes) {
            Meaning::More => {
                self.pending = bytes;
                HandlerResult::Continue
            }
            Meaning::Shift(is_shifted) => {
                self.is_shifted = is_shifted;
                HandlerResult::Continue
            }
            Meaning::Character(byte) => {
                self.is_shifted = false;
                HandlerResult::Items(char::from(byte).into())
            }
            Meaning::Malformed => {
                io_queue.restore(&bytes[1..]);
                HandlerResult::Error(())
            }
            Meaning::First => {
                io_queue.restore(&bytes[1..]);
                HandlerResult::Items(char::from(bytes[0]).into())
            }
        }
    }

    fn pending(&self) -> Bytes {
        self.pending
    }

    /// Stops before an escape that the end of the source cuts off, and before an error.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let Some(run) = Run::new(S::Euc::SCHEME, b"", Some(S::Euc::PAIRS), true) else { return (0, 0) };
        while let (Some(&first), Some(_)) = (source.get(read), destination.get(written)) {
            if self.is_shifted && is_lead(first) {
                let (bytes, units) = run.decode(skip(source, read), skip_mut(destination, written));
                if bytes == 0 {
                    break;
                }
                (read, written) = (read + bytes, written + units);
                continue;
            }
            let mut length = 1;
            let meaning = loop {
                let Some(bytes) = source.get(read..read + length) else { return (read, written) };
                match S::meaning(self.is_shifted, bytes) {
                    Meaning::More => length += 1,
                    meaning => break meaning,
                }
            };
            match meaning {
                Meaning::Shift(is_shifted) => self.is_shifted = is_shifted,
                Meaning::Character(byte) => {
                    self.is_shifted = false;
                    destination[written] = byte.into();
                    written += 1;
                }
                Meaning::More | Meaning::Malformed | Meaning::First => break,
            }
            read += length;
        }
        (read, written)
    }

    /// Bit 0: whether pairs have begun. Bits 8 to 31: the bytes, the first one lowest.
    fn pack(self) -> u64 {
        u64::from(self.is_shifted) | pending::pack(&self.pending) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let pending = pending::unpack(word >> 8, LONGEST);
        EscapeDecoder { is_shifted: word & 1 != 0, pending, charset: core::marker::PhantomData }
    }
}

/// The encoder.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct EscapeEncoder<S> {
    /// Whether pairs have begun.
    is_shifted: bool,
    /// Whether the header is written, or there is none.
    has_header: bool,
    charset: core::marker::PhantomData<S>,
}

/// The bytes of a character outside of its escapes, and whether it is a pair.
#[cfg(feature = "encode")]
fn bytes<S: Of>(code_point: char) -> Option<(Bytes, bool)> {
    if let Some(byte) = u8::try_from(code_point).ok().filter(u8::is_ascii) {
        return Some((S::ascii(byte)?, false));
    }
    match *euc::<S>().bytes(code_point)? {
        [lead, trail] => Some(([lead & 0x7F, trail & 0x7F].into(), true)),
        _ => None,
    }
}

/// What the encoder of the EUC charset is made of.
#[cfg(feature = "encode")]
fn euc<S: Of>() -> &'static SchemeBytes {
    S::Euc::BYTES
}

#[cfg(feature = "encode")]
impl<S: Of> EscapeEncoder<S> {
    const HAS_NONE: bool = S::HEADER.is_empty();

    /// Changes the state, and returns the bytes that do so.
    fn shift(&mut self, is_shifted: bool) -> &'static [u8] {
        if self.is_shifted == is_shifted {
            return b"";
        }
        self.is_shifted = is_shifted;
        S::SHIFTS[usize::from(!is_shifted)]
    }

    /// Writes the bytes of a character, after the shift that they need.
    fn write(&mut self, bytes: Bytes, is_pair: bool) -> Bytes {
        let mut all = Bytes::from(self.shift(is_pair));
        bytes.iter().for_each(|byte| all.push(*byte));
        all
    }
}

#[cfg(feature = "encode")]
impl<S: Of> EncoderHandler for EscapeEncoder<S> {
    const STATES: u16 = if Self::HAS_NONE { 2 } else { 3 };
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    /// The end of pairs, and `&#27;` for one byte of UTF-8 or `&#65535;`. At the end the header and the end of pairs.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 5 + 1, per_code_unit: 8 + 2, at_end: 6 };
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 4, at_end: 6 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            let end = self.shift(false);
            self.has_header = Self::HAS_NONE;
            return if end.is_empty() { HandlerResult::Finished } else { HandlerResult::Items(end.into()) };
        };
        if !self.has_header {
            self.has_header = true;
            io_queue.restore(&[code_point]);
            return HandlerResult::Items(S::HEADER.into());
        }
        match bytes::<S>(code_point) {
            Some((bytes, is_pair)) => HandlerResult::Items(self.write(bytes, is_pair)),
            None if self.is_shifted => {
                // A character reference is single bytes.
                io_queue.restore(&[code_point]);
                HandlerResult::Items(self.shift(false).into())
            }
            None => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        if !self.has_header {
            return (0, 0);
        }
        while let Some((code_point, length)) = convert::first_scalar_value(skip(source, read)) {
            // The bytes before pairs, and the pairs.
            let shift = if self.is_shifted { b"" } else { S::SHIFTS[0] };
            if let Some((before, to)) = skip_mut(destination, written).split_at_mut_checked(shift.len()) {
                let (units, length) = euc::<S>().seven_bits(skip(source, read), to, false);
                if units > 0 {
                    before.copy_from_slice(shift);
                    self.is_shifted = true;
                    (read, written) = (read + units, written + shift.len() + length);
                    continue;
                }
            }
            let Some((bytes, is_pair)) = bytes::<S>(code_point) else { break };
            let before = *self;
            let bytes = self.write(bytes, is_pair);
            let Some(to) = destination.get_mut(written..written + bytes.len()) else {
                *self = before;
                break;
            };
            to.copy_from_slice(&bytes);
            (read, written) = (read + length, written + to.len());
        }
        (read, written)
    }

    /// 0 for a new encoder, 1 after a shift. With a header, 2 and 1 after it.
    fn pack(self) -> u16 {
        match (self.is_shifted, self.has_header) {
            (true, _) => 1,
            (false, true) if !Self::HAS_NONE => 2,
            (false, _) => 0,
        }
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        let has_header = Self::HAS_NONE || word != 0;
        EscapeEncoder { is_shifted: word == 1, has_header, charset: core::marker::PhantomData }
    }
}

/// The codec called `$name` of a charset with escapes.
macro_rules! codec_of_escapes {
    ($(#[$doc:meta])* $name:ident, $type:ty) => {
        $(#[$doc])*
        pub(crate) static $name: textcodec_core::Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<crate::pair_codecs::escapes::EscapeDecoder<$type>>();
            let codec = textcodec_core::Codec::new(&DECODER);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<crate::pair_codecs::escapes::EscapeEncoder<$type>>();
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

pub(crate) use codec_of_escapes;
