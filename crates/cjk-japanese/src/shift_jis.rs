//! [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis).

use textcodec_core::{
    Codec, CutRule, DecoderFunctions, Encoding, Name,
    convert::{self, Pairs},
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore},
    index::{Characters, NULL},
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, handler::EncoderHandler, index::PointerTable};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::{self, Divisor, Part, ToDoubleByte};
use textcodec_kernels::{
    double_byte::{self, Columns, DoubleByte, NO_ROW, Trailing},
    four_bytes::Range,
};

use crate::{generated::jis0208, index_jis0208_code_point};

/// [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis), with the extensions of windows-31j.
pub static SHIFT_JIS: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<ShiftJisDecoder>();
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x40));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<ShiftJisEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::ShiftJis)
};

/// [Shift_JIS's decoder](https://encoding.spec.whatwg.org/#shift_jis-decoder).
#[derive(Clone, Copy, Debug)]
struct ShiftJisDecoder {
    /// Shift_JIS leading byte
    leading: u8,
}

impl DecoderHandler for ShiftJisDecoder {
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
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            let leading_offset = if leading < 0xA0 { 0x81 } else { 0xC1 };
            let pointer = match byte {
                0x40..=0x7E | 0x80..=0xFC => Some((leading - leading_offset) * 188 + usize::from(byte) - offset),
                _ => None,
            };
            if let Some(pointer @ 8836..=10715) = pointer {
                let code_point =
                    char::from_u32(0xE000 - 8836 + pointer as u32).expect("U+E000 to U+E757 are no surrogates");
                return HandlerResult::Items(code_point.into());
            }
            let code_point = pointer.and_then(index_jis0208_code_point);
            if let Some(code_point) = code_point {
                return HandlerResult::Items(code_point.into());
            }
            if byte.is_ascii() {
                io_queue.restore(&[byte]);
            }
            return HandlerResult::Error(());
        }

        match byte {
            0x00..=0x80 => HandlerResult::Items(char::from(byte).into()),
            0xA1..=0xDF => {
                let code_point = 0xFF61 - 0xA1 + u32::from(byte);
                let code_point = char::from_u32(code_point).expect("U+FF61 to U+FF9F are no surrogates");
                HandlerResult::Items(code_point.into())
            }
            0x81..=0x9F | 0xE0..=0xFC => {
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
        ShiftJisDecoder { leading: word as u8 }
    }
}

/// The pairs and the half-width characters, for the kernel.
pub(crate) static PAIRS: Pairs = Pairs {
    table: DoubleByte::new(&jis0208::CODE_POINTS, 188, ROWS, &SINGLES, &TRAILING, end_user_defined_character),
    beyond: convert::nothing_beyond,
    four_bytes: Range::NONE,
};

/// The row of each leading byte in the table. The leading bytes 0x81 to 0x9F have the rows 0 to 30 of the index, and
/// those from 0xE0 on have the rows from 31 on. The leading bytes of end-user-defined characters have no rows in the
/// table.
const ROWS: [u8; 128] = {
    let mut rows = double_byte::rows(&[(0x81..=0x9F, NO_ROW), (0xE0..=0xFC, NO_ROW)]);
    let mut row = 0;
    while row < 60 {
        let leading = if row < 31 { 0x81 + row } else { 0xE0 + row - 31 };
        rows[leading - 0x80] = jis0208::ROWS[row];
        row += 1;
    }
    rows
};

/// The code units of single bytes: U+0080 and half-width katakana.
static SINGLES: Characters = {
    let mut singles = [NULL; 128];
    singles[0x00] = 0x0080;
    let mut byte = 0xA1;
    while byte <= 0xDF {
        singles[byte - 0x80] = 0xFF61 - 0xA1 + byte as u16;
        byte += 1;
    }
    Characters::new(singles)
};

/// The columns of trailing bytes.
static TRAILING: Columns =
    Columns::new([Trailing { first: 0x40, last: 0x7E, column: 0 }, Trailing { first: 0x80, last: 0xFC, column: 63 }]);

/// The code unit of a pair that is an end-user-defined character; [`NULL`] for any other pair.
fn end_user_defined_character(bytes: &[u8]) -> u16 {
    let [leading @ 0xF0..=0xF9, trailing, ..] = bytes else { return NULL };
    let column = match trailing {
        0x40..=0x7E => trailing - 0x40,
        0x80..=0xFC => trailing - 0x80 + 63,
        _ => return NULL,
    };
    0xE000 + u16::from(leading - 0xF0) * 188 + u16::from(column)
}

/// [Shift_JIS's encoder](https://encoding.spec.whatwg.org/#shift_jis-encoder). It has no state.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct ShiftJisEncoder;

#[cfg(feature = "encode")]
impl EncoderHandler for ShiftJisEncoder {
    const PAIRS: Option<&'static ToDoubleByte<'static>> = Some(&CHARACTERS);

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(mut code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match code_point {
            '\u{0000}'..='\u{0080}' => return HandlerResult::Items(Bytes::from(code_point as u8)),
            '\u{00A5}' => return HandlerResult::Items(Bytes::from(0x5C)),
            '\u{203E}' => return HandlerResult::Items(Bytes::from(0x7E)),
            '\u{FF61}'..='\u{FF9F}' => {
                let byte = u32::from(code_point) - 0xFF61 + 0xA1;
                return HandlerResult::Items(Bytes::from(byte as u8));
            }
            _ => {}
        }
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        let Some(pointer) = index_shift_jis_pointer(code_point) else {
            return HandlerResult::Error(code_point);
        };
        let leading = pointer / 188;
        let leading_offset = if leading < 0x1F { 0x81 } else { 0xC1 };
        let trailing = pointer % 188;
        let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
        HandlerResult::Items(Bytes::from([(leading + leading_offset) as u8, (trailing + offset) as u8]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        convert::encode_double_byte(&CHARACTERS, false, source, destination, &mut |source, destination| {
            convert::encode(source, destination, &mut |code_point| match code_point {
                '\u{FF61}'..='\u{FF9F}' => Some(((code_point as u32 - 0xFF61) as u8 + 0xA1).into()),
                '\u{80}' => Some(0x80.into()),
                '\u{A5}' => Some(0x5C.into()),
                '\u{203E}' => Some(0x7E.into()),
                '\u{2212}' => Some([0x81, 0x7C].into()),
                _ => None,
            })
        })
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        ShiftJisEncoder
    }
}

/// ASCII and the characters of the index, for the kernel.
#[cfg(feature = "encode")]
pub(crate) static CHARACTERS: ToDoubleByte<'static> = ToDoubleByte::new(
    &jis0208::POINTERS.listed,
    PointerTable::NULL,
    Divisor::new(188),
    Part::new(0x81, 0xE0 - 31, 31),
    Part::new(0x40, 0x80 - 63, 63),
    to_double_byte::no_other_pointers,
);

/// [Index Shift_JIS pointer](https://encoding.spec.whatwg.org/#index-shift_jis-pointer) for `code_point`: its first
/// pointer in index jis0208 without the pointers 8272 to 8835. The generated table has these pointers.
#[cfg(feature = "encode")]
pub(crate) fn index_shift_jis_pointer(code_point: char) -> Option<u16> {
    jis0208::POINTERS.index_pointer(code_point)
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn shift_jis_passes_the_battery() {
        let text = "a\\~é¥‾−ｱﾞあ亜纊丂\u{E000}\u{E757}\u{80}\u{81}\u{10000}";
        battery(&SHIFT_JIS, b"a@\x7F\x80\x82\xA0\xB1\xF0\xFC\xFD", text);
    }
}
