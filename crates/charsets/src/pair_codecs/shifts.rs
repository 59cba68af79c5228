//! Code pages of mainframes with pairs of bytes: 0E begins pairs, and 0F ends them.

#[cfg(feature = "encode")]
use super::table::{Place, Places, is_mark};
use super::{
    pairs::{Run, Singles, marks, second, two},
    table::{Character, Table},
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

/// The byte that begins pairs, shift out, and the byte that ends them, shift in.
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;
/// The code unit of a byte that is no character.
const NULL: u16 = 0xFFFD;

/// A code page with shifts, as a type.
pub(crate) trait Of: Copy {
    const SINGLES: &'static Singles;
    const TABLE: &'static Table;
    #[cfg(feature = "encode")]
    const PLACES: &'static Places;
    /// The bytes of ASCII characters; 0 for none.
    #[cfg(feature = "encode")]
    const LOW: &'static [u8; 128];
}

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShiftDecoder<S> {
    is_shifted: bool,
    /// The first byte of a pair that has begun; 0 for none.
    leading: u8,
    /// The mark that is to be written; see [`two`]. The last byte of its pair is restored.
    mark: u8,
    page: core::marker::PhantomData<S>,
}

impl<S: Of> DecoderHandler for ShiftDecoder<S> {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const STATES_BETWEEN: u8 = 1 + marks(S::TABLE.doubles);
    const STATE_BITS: u8 = 1;
    /// A shift needs no end.
    const BEGUN: u64 = 0xFF00;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let (leading, mark) = (core::mem::take(&mut self.leading), core::mem::take(&mut self.mark));
        let Item::Value(byte) = byte else {
            if leading != 0 {
                return HandlerResult::Error(());
            }
            self.is_shifted = false;
            return HandlerResult::Finished;
        };
        if mark != 0 {
            return second(S::TABLE.doubles, mark);
        }
        if leading != 0 {
            let character = S::TABLE.pair_character(0, leading, byte);
            return match character {
                Some(Character::One(code_point)) => HandlerResult::Items(code_point.into()),
                Some(Character::Two(number)) => {
                    let (result, mark) = two(S::TABLE.doubles, number);
                    if mark != 0 {
                        self.mark = mark;
                        io_queue.restore(&[byte]);
                    }
                    result
                }
                None => {
                    // A shift is read again.
                    if matches!(byte, SHIFT_OUT | SHIFT_IN) {
                        io_queue.restore(&[byte]);
                    }
                    HandlerResult::Error(())
                }
            };
        }
        match byte {
            // As in glibc, a shift to the same state changes nothing.
            SHIFT_OUT | SHIFT_IN => {
                self.is_shifted = byte == SHIFT_OUT;
                HandlerResult::Continue
            }
            _ if self.is_shifted => {
                if S::TABLE.row(byte).is_none() {
                    return HandlerResult::Error(());
                }
                self.leading = byte;
                HandlerResult::Continue
            }
            _ => match char::from_u32(S::SINGLES[usize::from(byte)].into()) {
                Some(char::REPLACEMENT_CHARACTER) | None => HandlerResult::Error(()),
                Some(code_point) => HandlerResult::Items(code_point.into()),
            },
        }
    }

    fn pending(&self) -> Bytes {
        if self.leading == 0 { Bytes::EMPTY } else { self.leading.into() }
    }

    fn can_convert(&self) -> bool {
        self.leading == 0 && self.mark == 0
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written, run) = (0, 0, Run::of_table(S::TABLE));
        loop {
            if self.is_shifted {
                let (bytes, units) = run.decode(skip(source, read), skip_mut(destination, written));
                (read, written) = (read + bytes, written + units);
            } else {
                let run = decode_singles(S::SINGLES, skip(source, read), skip_mut(destination, written));
                (read, written) = (read + run, written + run);
            }
            match source.get(read) {
                Some(&byte @ (SHIFT_OUT | SHIFT_IN)) => self.is_shifted = byte == SHIFT_OUT,
                _ => return (read, written),
            }
            read += 1;
        }
    }

    /// The lowest byte is 0, or after a shift 1 plus the mark. The leading byte follows.
    fn pack(self) -> u64 {
        (u64::from(self.is_shifted) + u64::from(self.mark)) | u64::from(self.leading) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let mark = (word as u8).saturating_sub(1);
        ShiftDecoder {
            is_shifted: word as u8 != 0,
            leading: (word >> 8) as u8,
            mark: if mark < marks(S::TABLE.doubles) { mark } else { 0 },
            page: core::marker::PhantomData,
        }
    }
}

/// Decodes single bytes up to a shift or an error.
fn decode_singles(singles: &Singles, source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    for (byte, to) in source.iter().zip(destination) {
        let unit = singles[usize::from(*byte)];
        if unit == NULL {
            break;
        }
        *to = unit;
        done += 1;
    }
    done
}

/// The encoder. It holds a character until it knows the next one, if a sequence of two code points begins with it.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShiftEncoder<S> {
    is_shifted: bool,
    /// See [`Table::held`].
    held: u16,
    page: core::marker::PhantomData<S>,
}

/// What a character becomes.
#[cfg(feature = "encode")]
fn place<S: Of>(code_point: char) -> Option<Place> {
    if code_point == '\0' {
        return Some(Place::Byte(0));
    }
    // The shifts are no characters.
    match S::LOW.get(code_point as usize) {
        Some(byte @ 1..) => Some(Place::Byte(*byte)),
        _ => S::PLACES.place(code_point),
    }
}

#[cfg(feature = "encode")]
fn pair<S: Of>(place: u16) -> [u8; 2] {
    let (row, trail) = S::TABLE.pair(place);
    [S::TABLE.lead(row), trail]
}

#[cfg(feature = "encode")]
impl<S: Of> ShiftEncoder<S> {
    /// The place of a sequence of two code points.
    fn double(first: char, second: char) -> Option<Place> {
        let is = |double: &[u16; 2]| double.map(u32::from) == [first.into(), second.into()];
        S::PLACES.doubles.get(S::TABLE.doubles.iter().position(is)?).map(|place| Place::Pair(*place))
    }

    /// The bytes at a place, with a shift if there must be one.
    fn write(&mut self, place: Place) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        let is_pair = matches!(place, Place::Pair(_));
        if is_pair != self.is_shifted {
            bytes.push(if is_pair { SHIFT_OUT } else { SHIFT_IN });
            self.is_shifted = is_pair;
        }
        match place {
            Place::Byte(byte) => bytes.push(byte),
            Place::Pair(place) => pair::<S>(place).into_iter().for_each(|byte| bytes.push(byte)),
        }
        bytes
    }
}

#[cfg(feature = "encode")]
impl<S: Of> EncoderHandler for ShiftEncoder<S> {
    const STATES: u16 = 2 * (1 + S::TABLE.firsts.len() as u16);
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 7, per_code_unit: 12, at_end: 4 };
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 5, per_code_unit: 6, at_end: 4 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        if let Some(first) = S::TABLE.held_code_point(core::mem::take(&mut self.held)) {
            if let Item::Value(code_point) = code_point {
                if let Some(place) = Self::double(first, code_point) {
                    return HandlerResult::Items(self.write(place));
                }
                io_queue.restore(&[code_point]);
            }
            return match place::<S>(first) {
                Some(place) => HandlerResult::Items(self.write(place)),
                None => HandlerResult::Error(first),
            };
        }
        let Item::Value(code_point) = code_point else {
            if self.is_shifted {
                self.is_shifted = false;
                return HandlerResult::Items(SHIFT_IN.into());
            }
            return HandlerResult::Finished;
        };
        self.held = S::TABLE.held(code_point);
        if self.held != 0 {
            return HandlerResult::Continue;
        }
        match place::<S>(code_point) {
            Some(place) => HandlerResult::Items(self.write(place)),
            None if self.is_shifted => {
                // A character reference is single bytes.
                self.is_shifted = false;
                io_queue.restore(&[code_point]);
                HandlerResult::Items(SHIFT_IN.into())
            }
            None => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        if self.held != 0 {
            return (0, 0);
        }
        while let Some((code_point, length)) = convert::first_scalar_value(skip(source, read)) {
            // Only a mark continues a sequence, and the last code unit of the source may have one after it.
            let may_continue = source.get(read + length).is_none_or(|&unit| is_mark(unit));
            if may_continue && S::TABLE.held(code_point) != 0 {
                break;
            }
            let Some(place) = place::<S>(code_point) else { break };
            let before = *self;
            let bytes = self.write(place);
            let Some(to) = destination.get_mut(written..written + bytes.len()) else {
                *self = before;
                break;
            };
            to.copy_from_slice(&bytes);
            (read, written) = (read + length, written + to.len());
        }
        (read, written)
    }

    fn pack(self) -> u16 {
        u16::from(self.is_shifted) | self.held << 1
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        ShiftEncoder { is_shifted: word & 1 != 0, held: word >> 1, page: core::marker::PhantomData }
    }
}
