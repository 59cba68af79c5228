//! [Big5](https://encoding.spec.whatwg.org/#big5).

use textcodec_core::{
    Codec, CutRule, DecodeErrorMode, DecoderFunctions, Encoding, Name,
    convert::{self, Kept, Pairs},
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore},
    index::{Characters, NULL},
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, handler::EncoderHandler, index::PointerTable};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::{self, Divisor, Part, ToDoubleByte};
use textcodec_kernels::{
    blocks::{skip, skip_mut},
    double_byte::{self, Columns, DoubleByte, NO_ROW, Trailing},
    four_bytes::Range,
    utf16::surrogates,
};

use crate::generated::big5;

/// [Big5](https://encoding.spec.whatwg.org/#big5) with the Hong Kong supplementary characters.
pub static BIG5: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<Big5Decoder>();
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x40));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Big5Encoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::Big5)
};

/// [Big5's decoder](https://encoding.spec.whatwg.org/#big5-decoder).
#[derive(Clone, Copy, Debug)]
struct Big5Decoder {
    /// Big5 leading byte
    leading: u8,
}

impl DecoderHandler for Big5Decoder {
    const PAIRS: Option<&'static Pairs> = Some(&PAIRS);

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            if self.leading != 0x00 {
                self.leading = 0x00;
                return HandlerResult::Error(());
            }
            return HandlerResult::Finished;
        };

        if self.leading != 0x00 {
            let leading = usize::from(self.leading);
            self.leading = 0x00;
            let offset = if byte < 0x7F { 0x40 } else { 0x62 };
            let pointer = match byte {
                0x40..=0x7E | 0xA1..=0xFE => Some((leading - 0x81) * 157 + usize::from(byte) - offset),
                _ => None,
            };
            let two = |first, second| HandlerResult::Items(CodePoints { first, second: Some(second) });
            match pointer {
                Some(1133) => return two('\u{00CA}', '\u{0304}'),
                Some(1135) => return two('\u{00CA}', '\u{030C}'),
                Some(1164) => return two('\u{00EA}', '\u{0304}'),
                Some(1166) => return two('\u{00EA}', '\u{030C}'),
                _ => {}
            }
            if let Some(code_point) = pointer.and_then(index_big5_code_point) {
                return HandlerResult::Items(code_point.into());
            }
            if byte.is_ascii() {
                io_queue.restore(&[byte]);
            }
            return HandlerResult::Error(());
        }

        match byte {
            0x00..=0x7F => HandlerResult::Items(char::from(byte).into()),
            0x81..=0xFE => {
                self.leading = byte;
                HandlerResult::Continue
            }
            _ => HandlerResult::Error(()),
        }
    }

    fn pending(&self) -> Bytes {
        if self.leading == 0x00 { Bytes::EMPTY } else { self.leading.into() }
    }

    fn pack(self) -> u64 {
        self.leading.into()
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        Big5Decoder { leading: word as u8 }
    }
}

/// Decodes a run of pairs that the kernel cannot decode, and characters between them.
fn beyond_pairs(kept: &mut Kept, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
    let run = letters_with_marks(source, destination);
    let (rest, space) = (skip(source, run), skip_mut(destination, run));
    let (read, written) = convert::decode(&PAIRS.table, kept, rest, space, mode, next_beyond_pairs);
    (run + read, run + written)
}

/// Decodes a run of the four pairs that have two code points each, and returns the number of bytes, which is also the
/// number of code units. A call of [`next_beyond_pairs`] for each pair takes longer than this loop.
fn letters_with_marks(source: &[u8], destination: &mut [u16]) -> usize {
    let mut at = 0;
    while let (&[0x88, trailing, ..], [letter, mark, ..]) = (skip(source, at), skip_mut(destination, at)) {
        [*letter, *mark] = match trailing {
            0x62 => [0x00CA, 0x0304],
            0x64 => [0x00CA, 0x030C],
            0xA3 => [0x00EA, 0x0304],
            0xA5 => [0x00EA, 0x030C],
            _ => break,
        };
        at += 2;
    }
    at
}

/// The code units and the length of a pair for a character of plane 2 or for a letter with a combining mark.
fn next_beyond_pairs(next: &[u8], _: DecodeErrorMode) -> (u32, usize) {
    let (leading, column) = match *next {
        [0x88, 0x62, ..] => return (0x0304_00CA, 2),
        [0x88, 0x64, ..] => return (0x030C_00CA, 2),
        [0x88, 0xA3, ..] => return (0x0304_00EA, 2),
        [0x88, 0xA5, ..] => return (0x030C_00EA, 2),
        [leading @ 0x87..=0xFE, trailing @ 0x40..=0x7E, ..] => (leading, trailing - 0x40),
        [leading @ 0x87..=0xFE, trailing @ 0xA1..=0xFE, ..] => (leading, trailing - 0xA1 + 63),
        _ => return (0, 0),
    };
    let number = big5::CODE_POINTS[usize::from(leading - 0x87) * 157 + usize::from(column)].wrapping_sub(0xD800);
    match plane_2(number).map(surrogates) {
        Some([first, second]) => (u32::from(second) << 16 | u32::from(first), 2),
        None => (0, 0),
    }
}

/// The pairs of bytes, for the kernel. The pairs of leading bytes below 0x87 have no code points, and no place in the
/// table. The four pointers that have two code points each have a surrogate in the table, as those of plane 2 have.
pub(crate) static PAIRS: Pairs = Pairs {
    table: DoubleByte::new(&big5::CODE_POINTS, 157, ROWS, &Characters::NONE, &TRAILING, double_byte::no_others),
    beyond: beyond_pairs,
    four_bytes: Range::NONE,
};

/// The row of each leading byte in the table.
const ROWS: [u8; 128] = double_byte::rows(&[(0x81..=0x86, NO_ROW), (0x87..=0xFE, 0)]);

/// The columns of trailing bytes.
static TRAILING: Columns =
    Columns::new([Trailing { first: 0x40, last: 0x7E, column: 0 }, Trailing { first: 0xA1, last: 0xFE, column: 63 }]);

/// [Big5's encoder](https://encoding.spec.whatwg.org/#big5-encoder). It has no state.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct Big5Encoder;

#[cfg(feature = "encode")]
impl EncoderHandler for Big5Encoder {
    const PAIRS: Option<&'static ToDoubleByte<'static>> = Some(&CHARACTERS);

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        // The generated table has the pointers of index Big5 pointer.
        let Some(pointer) = big5::POINTERS.index_pointer(code_point) else {
            return HandlerResult::Error(code_point);
        };
        let leading = pointer / 157 + 0x81;
        let trailing = pointer % 157;
        let offset = if trailing < 0x3F { 0x40 } else { 0x62 };
        HandlerResult::Items(Bytes::from([leading as u8, (trailing + offset) as u8]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        convert::encode_double_byte(&CHARACTERS, false, source, destination, &mut |source, destination| {
            convert::encode(source, destination, &mut |code_point| {
                if code_point < '\u{10000}' {
                    return None;
                }
                let pointer = big5::POINTERS.index_pointer(code_point)?;
                let (row, column) = (pointer / 157, pointer % 157);
                Some([0x81 + row as u8, (if column < 63 { 0x40 } else { 0xA1 - 63 } + column) as u8].into())
            })
        })
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        Big5Encoder
    }
}

/// The characters of plane 0, for the kernel.
#[cfg(feature = "encode")]
pub(crate) static CHARACTERS: ToDoubleByte<'static> = ToDoubleByte::new(
    &big5::POINTERS.listed,
    PointerTable::NULL,
    Divisor::new(157),
    Part::from(0x81),
    Part::new(0x40, 0xA1 - 63, 63),
    to_double_byte::no_other_pointers,
);

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index Big5, whose code
/// points are in the planes 0 and 2. A surrogate in the table is the number of a code point of plane 2. The four
/// pointers that the decoder's handler treats itself have a number without a code point.
pub(crate) fn index_big5_code_point(pointer: usize) -> Option<char> {
    let code_point = match *big5::CODE_POINTS.get(pointer.checked_sub(6 * 157)?)? {
        NULL => return None,
        number @ 0xD800..=0xDFFF => plane_2(number - 0xD800)?,
        code_point => code_point.into(),
    };
    char::from_u32(code_point)
}

/// The code point of plane 2 with `number`; `None` if the number is too great.
fn plane_2(number: u16) -> Option<u32> {
    let lower = *big5::PLANE_2.get(usize::from(number))?;
    // The group of 256 code points is the last one whose first number is not greater. The first group begins with
    // number 0.
    let [start, end] = *skip(&GROUPS, usize::from(number / 32)).first_chunk()?;
    let near = big5::PLANE_2_FIRSTS.get(usize::from(start)..usize::from(end))?;
    let groups = u32::from(start) + near.partition_point(|&first| first <= number) as u32;
    Some(0x20000 + (groups - 1) * 256 + u32::from(lower))
}

/// For each 32 numbers of code points of plane 2, and for the numbers after the last one, how many groups begin before
/// them. There are eight groups for 32 numbers, so that a search among these is short.
static GROUPS: [u8; big5::PLANE_2.len().div_ceil(32) + 1] = {
    let mut groups = [0; big5::PLANE_2.len().div_ceil(32) + 1];
    let (mut at, mut group) = (0, 0);
    while at < groups.len() {
        while group < big5::PLANE_2_FIRSTS.len() && (big5::PLANE_2_FIRSTS[group] as usize) < 32 * at {
            group += 1;
        }
        groups[at] = group as u8;
        at += 1;
    }
    groups
};

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn big5_passes_the_battery() {
        let text = "aé\u{80}中═十㇀\u{2626B}\u{20021}\u{CA}\u{304}あ갂\u{E000}\u{10000}";
        battery(&BIG5, b"a@\x7F\x80\x87\x88\xA3\xA5bd", text);
    }
}
