//! [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp).

use textcodec_core::{
    Codec, CutRule, DecodeErrorMode, DecoderFunctions, Encoding, Name,
    convert::{self, Kept, Pairs},
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore},
    index::{Characters, NULL},
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, handler::EncoderHandler};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::{Divisor, Part, ToDoubleByte};
use textcodec_kernels::{
    double_byte::{self, CALLERS, DoubleByte, NO_ROW},
    four_bytes::Range,
};

use crate::{
    generated::{jis0208, jis0212},
    index_jis0208_code_point,
};
#[cfg(feature = "encode")]
use crate::{index_jis0208_pointer, lower_pointer};

/// [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp). It decodes JIS X 0212, but does not encode it.
pub static EUC_JP: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<EucJpDecoder>();
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x80));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<EucJpEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::EucJp)
};

/// [EUC-JP's decoder](https://encoding.spec.whatwg.org/#euc-jp-decoder).
#[derive(Clone, Copy, Debug)]
struct EucJpDecoder {
    /// EUC-JP jis0212
    jis0212: bool,
    /// EUC-JP leading byte
    leading: u8,
}

impl DecoderHandler for EucJpDecoder {
    const PAIRS: Option<&'static Pairs> = Some(&PAIRS);

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            if self.leading != 0x00 {
                self.leading = 0x00;
                // The Standard does not clear the flag, because its decoders decode one stream only. This decoder may
                // decode another stream.
                self.jis0212 = false;
                return HandlerResult::Error(());
            }
            return HandlerResult::Finished;
        };

        if self.leading == 0x8E && matches!(byte, 0xA1..=0xDF) {
            self.leading = 0x00;
            let code_point = 0xFF61 - 0xA1 + u32::from(byte);
            let code_point = char::from_u32(code_point).expect("U+FF61 to U+FF9F are no surrogates");
            return HandlerResult::Items(code_point.into());
        }

        if self.leading == 0x8F && matches!(byte, 0xA1..=0xFE) {
            self.jis0212 = true;
            self.leading = byte;
            return HandlerResult::Continue;
        }

        if self.leading != 0x00 {
            let leading = self.leading;
            self.leading = 0x00;
            let mut code_point = None;
            if let (0xA1..=0xFE, 0xA1..=0xFE) = (leading, byte) {
                let pointer = (usize::from(leading) - 0xA1) * 94 + usize::from(byte) - 0xA1;
                code_point =
                    if self.jis0212 { index_jis0212_code_point(pointer) } else { index_jis0208_code_point(pointer) };
            }
            self.jis0212 = false;
            if let Some(code_point) = code_point {
                return HandlerResult::Items(code_point.into());
            }
            if byte.is_ascii() {
                io_queue.restore(&[byte]);
            }
            return HandlerResult::Error(());
        }

        match byte {
            0x00..=0x7F => HandlerResult::Items(char::from(byte).into()),
            0x8E | 0x8F | 0xA1..=0xFE => {
                self.leading = byte;
                HandlerResult::Continue
            }
            _ => HandlerResult::Error(()),
        }
    }

    fn pending(&self) -> Bytes {
        match (self.jis0212, self.leading) {
            (_, 0x00) => Bytes::EMPTY,
            (false, leading) => leading.into(),
            (true, leading) => [0x8F, leading].into(),
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.leading) | u64::from(self.jis0212) << 8
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        EucJpDecoder { jis0212: word & 0x100 != 0, leading: word as u8 }
    }
}

/// Decodes a run of sequences that the kernel cannot decode, which are those of three bytes, and characters between
/// them.
fn beyond_pairs(kept: &mut Kept, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
    convert::decode(&PAIRS.table, kept, source, destination, mode, next_beyond_pairs)
}

/// The code unit and the length of a sequence of three bytes. As `mode` says, a malformed one becomes U+FFFD; its third
/// byte is read again if it is ASCII.
fn next_beyond_pairs(next: &[u8], mode: DecodeErrorMode) -> (u32, usize) {
    let [0x8F, row @ 0xA1..=0xFE, cell, ..] = *next else { return (0, 0) };
    let code_point = match cell {
        0xA1..=0xFE => index_jis0212_code_point(usize::from(row - 0xA1) * 94 + usize::from(cell - 0xA1)),
        _ => None,
    };
    match code_point {
        Some(code_point) => (code_point.into(), 3),
        None if mode == DecodeErrorMode::Replacement => (NULL.into(), if cell.is_ascii() { 2 } else { 3 }),
        None => (0, 0),
    }
}

/// The pairs of bytes, for the kernel: those of JIS X 0208 are in its table.
pub(crate) static PAIRS: Pairs = Pairs {
    table: DoubleByte::new(&jis0208::CODE_POINTS, 94, ROWS, &Characters::NONE, &double_byte::EUC, katakana_or_caller),
    beyond: beyond_pairs,
    four_bytes: Range::NONE,
};

/// The row of each leading byte in the table. 0x8E and 0x8F have no rows in the table.
const ROWS: [u8; 128] = {
    let mut rows = double_byte::rows(&[(0x8E..=0x8F, NO_ROW), (0xA1..=0xFE, NO_ROW)]);
    let mut row = 0;
    while row < 94 {
        // Two rows are one row of Shift_JIS.
        if jis0208::ROWS[row / 2] != NO_ROW {
            rows[0x21 + row] = jis0208::ROWS[row / 2] * 2 + row as u8 % 2;
        }
        row += 1;
    }
    rows
};

/// The code unit of a pair that is half-width katakana; [`CALLERS`] for the start of a sequence of three bytes, which
/// the caller decodes.
fn katakana_or_caller(bytes: &[u8]) -> u16 {
    match *bytes {
        [0x8E, trailing @ 0xA1..=0xDF, ..] => 0xFEC0 + u16::from(trailing),
        [0x8F, 0xA1..=0xFE, ..] => CALLERS,
        _ => NULL,
    }
}

/// [EUC-JP's encoder](https://encoding.spec.whatwg.org/#euc-jp-encoder). It has no state.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct EucJpEncoder;

#[cfg(feature = "encode")]
impl EncoderHandler for EucJpEncoder {
    const PAIRS: Option<&'static ToDoubleByte<'static>> = Some(&CHARACTERS);

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(mut code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match code_point {
            '\u{0000}'..='\u{007F}' => return HandlerResult::Items(Bytes::from(code_point as u8)),
            '\u{00A5}' => return HandlerResult::Items(Bytes::from(0x5C)),
            '\u{203E}' => return HandlerResult::Items(Bytes::from(0x7E)),
            '\u{FF61}'..='\u{FF9F}' => {
                let trailing = u32::from(code_point) - 0xFF61 + 0xA1;
                return HandlerResult::Items(Bytes::from([0x8E, trailing as u8]));
            }
            _ => {}
        }
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        let Some(pointer) = index_jis0208_pointer(code_point) else {
            return HandlerResult::Error(code_point);
        };
        let leading = pointer / 94 + 0xA1;
        let trailing = pointer % 94 + 0xA1;
        HandlerResult::Items(Bytes::from([leading as u8, trailing as u8]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        convert::encode_double_byte(&CHARACTERS, false, source, destination, &mut |source, destination| {
            convert::encode(source, destination, &mut |code_point| match code_point {
                '｡'..='ﾟ' => Some([0x8E, (code_point as u32 - 0xFEC0) as u8].into()),
                '¥' => Some(0x5C.into()),
                '‾' => Some(0x7E.into()),
                _ => None,
            })
        })
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        EucJpEncoder
    }
}

/// ASCII and the characters of the index, for the kernel. The pointers that have no rows in EUC-JP, only in Shift_JIS,
/// are not used: [`lower_pointer`] gives another one.
#[cfg(feature = "encode")]
pub(crate) static CHARACTERS: ToDoubleByte<'static> = ToDoubleByte::new(
    &jis0208::POINTERS.listed,
    94 * 94,
    Divisor::new(94),
    Part::from(0xA1),
    Part::from(0xA1),
    lower_pointer,
);

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer`, which is less than 94 × 94, in
/// index jis0212. Not inlined, because it has several callers.
#[inline(never)]
pub(crate) fn index_jis0212_code_point(pointer: usize) -> Option<char> {
    let kanji = jis0212::KANJI.code_point(pointer as u16);
    match if kanji == NULL { jis0212::PIECES.code_point(pointer as u16) } else { kanji } {
        NULL => None,
        code_point => char::from_u32(code_point.into()),
    }
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::{battery, check_bytes, check_texts};

    use super::*;

    #[test]
    fn euc_jp_passes_the_battery() {
        let text = "a\\~é¥‾−ｱﾞあ亜纊丂二\u{E000}\u{80}\u{10000}";
        battery(&EUC_JP, b"a\x8E\x8F\xA0\xA1\xB0\xDF\xFE", text);
    }

    /// Each step of [the decoder](https://encoding.spec.whatwg.org/#euc-jp-decoder), in the Standard's order.
    #[test]
    fn each_branch_of_the_decoder_is_as_the_standard_says() {
        check_texts(
            &EUC_JP,
            &[
                (b"", ""),
                (b"\x8E", "\u{FFFD}"),
                (b"\x8F", "\u{FFFD}"),
                (b"\xB0", "\u{FFFD}"),
                (b"\x8F\xB0", "\u{FFFD}"),
                // Another stream after the flag was set.
                (b"\xB0\xA1", "亜"),
                // half-width katakana
                (b"\x8E\xA1\x8E\xB1\x8E\xDF", "｡ｱﾟ"),
                (b"\x8E\xA0\x8E\xE0\x8E\xFE\x8E\xB0a", "\u{FFFD}\u{FFFD}\u{FFFD}ｰa"),
                (b"\x8E\x8E\xB0\xA1", "\u{FFFD}亜"),
                // JIS X 0212
                (b"\x8F\xA2\xAF\x8F\xB0\xA1\x8F\xED\xE3", "˘丂龥"),
                (b"\x8F\xB0\xA1\xB0\xA1", "丂亜"),
                (b"\x8F\xA1\xA1\xB0\xA1", "\u{FFFD}亜"),
                (b"\x8F\xFE\xFE\xB0\xA1", "\u{FFFD}亜"),
                (b"\x8F\xA0\xB0\xA1", "\u{FFFD}亜"),
                (b"\x8F\xFF\xB0\xA1", "\u{FFFD}亜"),
                (b"\x8F\x8F\xB0\xA1", "\u{FFFD}亜"),
                (b"\x8FA\x8F\xB0A", "\u{FFFD}A\u{FFFD}A"),
                (b"\x8F\xB0A\xB0\xA1", "\u{FFFD}A亜"),
                (b"\x8F\xB0\xFF\xB0\xA1", "\u{FFFD}亜"),
                // JIS X 0208
                (b"\xA1\xA1\xA1\xFE\xF4\xA6\xFC\xFE", "\u{3000}◇熙＂"),
                (b"\xA1\xA0\xA1\xFF\xA1\x80\xB0\xA1", "\u{FFFD}\u{FFFD}\u{FFFD}亜"),
                (b"\xFE\xFE\xB0\xA1", "\u{FFFD}亜"),
                (b"\xB0\0\xB0A\xB0\x7F", "\u{FFFD}\0\u{FFFD}A\u{FFFD}\u{7F}"),
                // first bytes
                (b"\x00A\\~\x7F", "\0A\\~\u{7F}"),
                (b"\xFF\xB0\xA1\xA0\xB0\xA1", "\u{FFFD}亜\u{FFFD}亜"),
                (b"\x80\x8D\x90\xA0\xFF", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
                (b"\x80A\x8DA\x90A\xA0A\xFFA", "\u{FFFD}A\u{FFFD}A\u{FFFD}A\u{FFFD}A\u{FFFD}A"),
            ],
        );
    }

    /// Each step of [the encoder](https://encoding.spec.whatwg.org/#euc-jp-encoder), in the Standard's order.
    #[test]
    fn each_branch_of_the_encoder_is_as_the_standard_says() {
        check_bytes(
            &EUC_JP,
            &[
                ("", b""),
                ("\0a\\~\u{7F}\u{80}", b"\0a\\~\x7F&#128;"),
                ("¥‾", b"\\~"),
                ("｡ｱﾟ\u{FF60}\u{FFA0}", b"\x8E\xA1\x8E\xB1\x8E\xDF&#65376;&#65440;"),
                ("−－", b"\xA1\xDD\xA1\xDD"),
                ("☃丂\u{10FFFF}", b"&#9731;&#19970;&#1114111;"),
                ("\u{3000}◇亜熙＂", b"\xA1\xA1\xA1\xFE\xB0\xA1\xF4\xA6\xFC\xFE"),
            ],
        );
    }
}
