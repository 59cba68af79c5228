//! [GBK](https://encoding.spec.whatwg.org/#gbk) and [gb18030](https://encoding.spec.whatwg.org/#gb18030): one decoder,
//! and one encoder, which for GBK never writes four bytes.

use textcodec_core::{
    Codec, CutRule, DecoderFunctions, Encoding, Name,
    convert::Pairs,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore},
    index::{Characters, NULL},
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, convert, handler::EncoderHandler, index::PointerTable};
use textcodec_kernels::double_byte::{self, CALLERS, DoubleByte, Rules};
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::{Divisor, Part, ToDoubleByte};

mod ranges;

#[cfg(feature = "encode")]
use self::ranges::Range;
pub(crate) use self::ranges::last_to_pointer;
use crate::generated::gb18030;

/// [GBK](https://encoding.spec.whatwg.org/#gbk): gb18030's decoder, and an encoder that never writes four bytes.
pub static GBK: Encoding = {
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x30));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Gb18030Encoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::Gbk)
};

/// [gb18030](https://encoding.spec.whatwg.org/#gb18030) in its edition of 2022.
pub static GB18030: Encoding = {
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x30));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Gb18030Encoder>().with_four_bytes();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::Gb18030)
};

static DECODER: DecoderFunctions = DecoderFunctions::of::<Gb18030Decoder>();

/// [gb18030's decoder](https://encoding.spec.whatwg.org/#gb18030-decoder).
#[derive(Clone, Copy, Debug)]
struct Gb18030Decoder {
    /// gb18030 first
    first: u8,
    /// gb18030 second
    second: u8,
    /// gb18030 third
    third: u8,
}

impl DecoderHandler for Gb18030Decoder {
    const PAIRS: Option<&'static Pairs> = Some(&PAIRS);
    /// Three bytes of a sequence of four.
    const STATE_BITS: u8 = 24;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            if (self.first, self.second, self.third) == (0x00, 0x00, 0x00) {
                return HandlerResult::Finished;
            }
            (self.first, self.second, self.third) = (0x00, 0x00, 0x00);
            return HandlerResult::Error(());
        };

        if self.third != 0x00 {
            if !matches!(byte, 0x30..=0x39) {
                io_queue.restore(&[self.second, self.third, byte]);
                (self.first, self.second, self.third) = (0x00, 0x00, 0x00);
                return HandlerResult::Error(());
            }
            let pointer = (u32::from(self.first) - 0x81) * (10 * 126 * 10)
                + (u32::from(self.second) - 0x30) * (10 * 126)
                + (u32::from(self.third) - 0x81) * 10
                + (u32::from(byte) - 0x30);
            (self.first, self.second, self.third) = (0x00, 0x00, 0x00);
            return match index_gb18030_ranges_code_point(pointer) {
                None => HandlerResult::Error(()),
                Some(code_point) => HandlerResult::Items(code_point.into()),
            };
        }

        if self.second != 0x00 {
            if let 0x81..=0xFE = byte {
                self.third = byte;
                return HandlerResult::Continue;
            }
            io_queue.restore(&[self.second, byte]);
            (self.first, self.second) = (0x00, 0x00);
            return HandlerResult::Error(());
        }

        if self.first != 0x00 {
            if let 0x30..=0x39 = byte {
                self.second = byte;
                return HandlerResult::Continue;
            }
            let leading = usize::from(self.first);
            self.first = 0x00;
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            let pointer = match byte {
                0x40..=0x7E | 0x80..=0xFE => Some((leading - 0x81) * 190 + usize::from(byte) - offset),
                _ => None,
            };
            let code_point = pointer.and_then(|pointer| gb18030::INDEX.index_code_point(pointer));
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
            0x80 => HandlerResult::Items('\u{20AC}'.into()),
            0x81..=0xFE => {
                self.first = byte;
                HandlerResult::Continue
            }
            0xFF => HandlerResult::Error(()),
        }
    }

    fn pending(&self) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        [self.first, self.second, self.third]
            .into_iter()
            .filter(|&byte| byte != 0x00)
            .for_each(|byte| bytes.push(byte));
        bytes
    }

    fn pack(self) -> u64 {
        u64::from(self.first) | u64::from(self.second) << 8 | u64::from(self.third) << 16
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        Gb18030Decoder { first: word as u8, second: (word >> 8) as u8, third: (word >> 16) as u8 }
    }
}

/// The pairs of bytes, for the kernel. Its table has the pairs of GB 2312, and [`RULES`] give most of the others.
pub(crate) static PAIRS: Pairs = Pairs {
    table: DoubleByte::new(gb18030::INDEX.square, 94, ROWS, &SINGLES, &double_byte::EUC, outside_square)
        .with_rules(&RULES),
    beyond: ranges::decode,
    four_bytes: ranges::HANGUL,
};

/// The row of each leading byte in the table.
const ROWS: [u8; 128] = gb18030::INDEX.kernel_rows();

/// The code units of single bytes: the euro sign.
static SINGLES: Characters = {
    let mut singles = [NULL; 128];
    singles[0x00] = 0x20AC;
    Characters::new(singles)
};

/// The rules for the pairs of GBK that are not in GB 2312. No pair decodes to U+E5E5.
static RULES: Rules<'static> =
    Rules::new(&gb18030::INDEX.rules, 0x40, [(0x7F, 1), (0xFF, 0)], 0xE5E5, &gb18030::INDEX.unlisted);

/// The code unit of a pair that is not in the table; [`CALLERS`] for bytes that may start a sequence of four.
fn outside_square(bytes: &[u8]) -> u16 {
    let [leading, trailing, rest @ ..] = bytes else { return NULL };
    let column = match (trailing, rest) {
        (0x40..=0x7E, _) => trailing - 0x40,
        (0x80..=0xFE, _) => trailing - 0x80 + 63,
        (0x30..=0x39, [] | [0x81..=0xFE] | [0x81..=0xFE, 0x30..=0x39, ..]) => return CALLERS,
        _ => return NULL,
    };
    gb18030::INDEX.outside_square((leading - 0x81).into(), column.into())
}

/// [gb18030's encoder](https://encoding.spec.whatwg.org/#gb18030-encoder).
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct Gb18030Encoder {
    /// is GBK
    is_gbk: bool,
}

#[cfg(feature = "encode")]
impl EncoderHandler for Gb18030Encoder {
    const PAIRS: Option<&'static ToDoubleByte<'static>> = Some(&PAIRS_AND_ASCII);

    /// None of the characters from U+A000 to U+DFFF is in the index.
    const PAIRS_HAVE_HANGUL: bool = false;

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        if code_point == '\u{E5E5}' {
            return HandlerResult::Error(code_point);
        }
        if self.is_gbk && code_point == '\u{20AC}' {
            return HandlerResult::Items(Bytes::from(0x80));
        }
        if let Some(bytes) = side_table(code_point) {
            return HandlerResult::Items(bytes.into());
        }
        if let Some(pointer) = gb18030::POINTERS.index_pointer(code_point) {
            let leading = pointer / 190 + 0x81;
            let trailing = pointer % 190;
            let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
            return HandlerResult::Items(Bytes::from([leading as u8, (trailing + offset) as u8]));
        }
        if self.is_gbk {
            return HandlerResult::Error(code_point);
        }
        let mut pointer = index_gb18030_ranges_pointer(code_point);
        let byte_1 = pointer / (10 * 126 * 10);
        pointer %= 10 * 126 * 10;
        let byte_2 = pointer / (10 * 126);
        pointer %= 10 * 126;
        let byte_3 = pointer / 10;
        let byte_4 = pointer % 10;
        HandlerResult::Items(Bytes::from([
            byte_1 as u8 + 0x81,
            byte_2 as u8 + 0x30,
            byte_3 as u8 + 0x81,
            byte_4 as u8 + 0x30,
        ]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let is_gbk = self.is_gbk;
        let mut range = if is_gbk { Range::NONE } else { Range::HANGUL };
        let begins_beyond = !is_gbk && matches!(source, [0xA000..=0xD7FF, ..]);
        convert::encode_double_byte(&PAIRS_AND_ASCII, begins_beyond, source, destination, &mut |source, destination| {
            match (source, &mut *destination) {
                ([0x20AC, ..], [to, ..]) if is_gbk => {
                    *to = 0x80;
                    (1, 1)
                }
                ([0x20AC, ..], [first, second, ..]) => {
                    (*first, *second) = (0xA2, 0xE3);
                    (1, 2)
                }
                _ => range.encode(source, destination, is_gbk),
            }
        })
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(half: &'static EncoderHalf, _: u16) -> Self {
        Gb18030Encoder { is_gbk: !half.has_four_bytes() }
    }
}

/// ASCII and the characters of the index except U+20AC, which GBK encodes in another way, for the kernel.
#[cfg(feature = "encode")]
pub(crate) static PAIRS_AND_ASCII: ToDoubleByte<'static> = ToDoubleByte::new(
    &gb18030::POINTERS.listed,
    PointerTable::NULL,
    Divisor::new(190),
    Part::from(0x81),
    Part::new(0x40, 0x80 - 63, 63),
    |unit| match unit {
        0x20AC => PointerTable::NULL,
        _ => gb18030::POINTERS.pointer_by_rule(unit).unwrap_or(PointerTable::NULL),
    },
);

/// The bytes of some private-use code points. The edition of 2022 gave the pointers of these code points to other
/// characters, but text of the older edition is still encoded to the same bytes. The decoder decodes these bytes to the
/// new characters.
#[inline(never)]
#[cfg(feature = "encode")]
fn side_table(code_point: char) -> Option<[u8; 2]> {
    static ENTRIES: [(u16, [u8; 2]); 18] = [
        (0xE78D, [0xA6, 0xD9]),
        (0xE78E, [0xA6, 0xDA]),
        (0xE78F, [0xA6, 0xDB]),
        (0xE790, [0xA6, 0xDC]),
        (0xE791, [0xA6, 0xDD]),
        (0xE792, [0xA6, 0xDE]),
        (0xE793, [0xA6, 0xDF]),
        (0xE794, [0xA6, 0xEC]),
        (0xE795, [0xA6, 0xED]),
        (0xE796, [0xA6, 0xF3]),
        (0xE81E, [0xFE, 0x59]),
        (0xE826, [0xFE, 0x61]),
        (0xE82B, [0xFE, 0x66]),
        (0xE82C, [0xFE, 0x67]),
        (0xE832, [0xFE, 0x6D]),
        (0xE843, [0xFE, 0x7E]),
        (0xE854, [0xFE, 0x90]),
        (0xE864, [0xFE, 0xA0]),
    ];
    let place = ENTRIES.binary_search_by_key(&u32::from(code_point), |&(unit, _)| unit.into()).ok()?;
    ENTRIES.get(place).map(|&(_, bytes)| bytes)
}

/// [Index gb18030 ranges code point](https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point) for `pointer`.
#[inline(never)]
pub fn index_gb18030_ranges_code_point(pointer: u32) -> Option<char> {
    if (pointer > 39419 && pointer < 189_000) || pointer > 1_237_575 {
        return None;
    }
    if pointer == 7457 {
        return Some('\u{E7C7}');
    }
    let (offset, code_point_offset) = last_to_pointer(pointer);
    char::from_u32(code_point_offset + pointer - offset)
}

/// [Index gb18030 ranges pointer](https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer) for `code_point`,
/// which is not ASCII and not in index gb18030.
#[inline(never)]
#[cfg(feature = "encode")]
pub fn index_gb18030_ranges_pointer(code_point: char) -> u32 {
    if code_point == '\u{E7C7}' {
        return 7457;
    }
    let code_point = u32::from(code_point);
    let (pointer_offset, offset) = ranges::last_to_code_point(code_point);
    pointer_offset + code_point - offset
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::{battery, check_bytes, check_texts};

    use super::*;

    #[test]
    fn gb18030_and_gbk_pass_the_battery() {
        let significant = b"a09\x80\x81\xA3\xFE\xFF@";
        let text = "aé€中丂\u{80}\u{1E3F}\u{3000}갂힣\u{E000}\u{E7C7}\u{E81E}\u{FE10}ｱ\u{20021}\u{10000}";
        battery(&GB18030, significant, text);
        battery(&GBK, significant, text);
    }

    /// Each step of [the decoder](https://encoding.spec.whatwg.org/#gb18030-decoder), in the Standard's order.
    #[test]
    fn each_branch_of_the_decoder_is_as_the_standard_says() {
        let streams: [(&[u8], &str); 38] = [
            (b"", ""),
            (b"\x81", "\u{FFFD}"),
            (b"\x81\x30", "\u{FFFD}"),
            (b"\x81\x30\x81", "\u{FFFD}"),
            // three bytes pending
            (b"\x81\x30\x81\x2F", "\u{FFFD}0\u{FFFD}/"),
            (b"\x81\x30\x81\x3A", "\u{FFFD}0\u{FFFD}:"),
            (b"\x81\x30\x81\x40", "\u{FFFD}0丂"),
            (b"\x81\x30\x81\x81\x40", "\u{FFFD}0亖@"),
            (b"\x81\x30\x81\xFF", "\u{FFFD}0\u{FFFD}"),
            (b"\x81\x39\x81\x80", "\u{FFFD}9亐"),
            (b"\x81\x30\x81\x30", "\u{80}"),
            (b"\x81\x30\x81\x39\x81\x30\x82\x30", "\u{89}\u{8A}"),
            (b"\x81\x30\xFE\x39\x81\x31\x81\x30", "\u{609}\u{60A}"),
            (b"\x81\x39\x81\x30\x82\x30\x81\x30", "⺑㒣"),
            (b"\x84\x31\xA4\x39\x90\x30\x81\x30\xE3\x32\x9A\x35", "\u{FFFF}\u{10000}\u{10FFFF}"),
            (b"\x84\x31\xA5\x30a\x8F\x39\xFE\x39b", "\u{FFFD}a\u{FFFD}b"),
            (b"\xE3\x32\x9A\x36a\xFE\x39\xFE\x39", "\u{FFFD}a\u{FFFD}"),
            (b"\x84\x31\xA5\x30\xB0\xA1", "\u{FFFD}啊"),
            (b"\x81\x35\xF4\x37", "\u{E7C7}"),
            // two bytes pending
            (b"\x81\x30\x80", "\u{FFFD}0€"),
            (b"\x81\x30\xFF", "\u{FFFD}0\u{FFFD}"),
            (b"\x81\x30\x41", "\u{FFFD}0A"),
            (b"\x81\x39\x39\xB0\xA1", "\u{FFFD}99啊"),
            // one byte pending
            (b"\x81\x2F\x81\x3A\x82\x3F", "\u{FFFD}/\u{FFFD}:\u{FFFD}?"),
            (b"\x81\x39\x81\x39", "⺛"),
            (b"\x81\x40\x81\x7E", "丂亊"),
            (b"\x81\x7F", "\u{FFFD}\u{7F}"),
            (b"\x81\x80\x81\xFE", "亐侢"),
            (b"\x81\xFF\xB0\xA1", "\u{FFFD}啊"),
            (b"\xFE\x40\xFE\xFE", "\u{FA0C}\u{E4C5}"),
            (b"\x81\0a", "\u{FFFD}\0a"),
            (b"\xA2\xE3\xA3\xA0\xA6\xD9", "€\u{3000}\u{FE10}"),
            // first bytes
            (b"\x00A\x7F", "\0A\u{7F}"),
            (b"\x80", "€"),
            (b"\x80A", "€A"),
            (b"\xFF", "\u{FFFD}"),
            (b"\xFFA\xFF\x81\x40", "\u{FFFD}A\u{FFFD}丂"),
            (b"\xFE", "\u{FFFD}"),
        ];
        check_texts(&GB18030, &streams);
        check_texts(&GBK, &streams);
    }

    /// Each step of [the encoder](https://encoding.spec.whatwg.org/#gb18030-encoder), in the Standard's order.
    #[test]
    fn each_branch_of_the_encoder_is_as_the_standard_says() {
        let of_both: [(&str, &[u8]); 7] = [
            ("", b""),
            ("\0a\u{7F}", b"\0a\x7F"),
            ("\u{E5E5}", b"&#58853;"),
            (
                "\u{E78D}\u{E78E}\u{E78F}\u{E790}\u{E791}\u{E792}\u{E793}\u{E794}\u{E795}\u{E796}",
                b"\xA6\xD9\xA6\xDA\xA6\xDB\xA6\xDC\xA6\xDD\xA6\xDE\xA6\xDF\xA6\xEC\xA6\xED\xA6\xF3",
            ),
            (
                "\u{E81E}\u{E826}\u{E82B}\u{E82C}\u{E832}\u{E843}\u{E854}\u{E864}",
                b"\xFE\x59\xFE\x61\xFE\x66\xFE\x67\xFE\x6D\xFE\x7E\xFE\x90\xFE\xA0",
            ),
            ("丂亊亐侢啊", b"\x81\x40\x81\x7E\x81\x80\x81\xFE\xB0\xA1"),
            ("\u{FA0C}\u{E4C5}\u{3000}\u{FE10}", b"\xFE\x40\xFE\xFE\xA1\xA1\xA6\xD9"),
        ];
        check_bytes(&GB18030, &of_both);
        check_bytes(&GBK, &of_both);
        check_bytes(
            &GB18030,
            &[
                ("€", b"\xA2\xE3"),
                ("\u{80}\u{89}\u{8A}", b"\x81\x30\x81\x30\x81\x30\x81\x39\x81\x30\x82\x30"),
                ("\u{609}\u{60A}⺑㒣", b"\x81\x30\xFE\x39\x81\x31\x81\x30\x81\x39\x81\x30\x82\x30\x81\x30"),
                ("\u{E7C7}", b"\x81\x35\xF4\x37"),
                ("\u{FFFF}\u{10000}", b"\x84\x31\xA4\x39\x90\x30\x81\x30"),
                ("\u{10FFFF}", b"\xE3\x32\x9A\x35"),
            ],
        );
        check_bytes(&GBK, &[("€", b"\x80"), ("\u{80}\u{E7C7}\u{10000}", b"&#128;&#59335;&#65536;")]);
    }
}
