//! [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr).

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
    double_byte::{self, DoubleByte, Rules},
    four_bytes::Range,
};

use crate::generated::euc_kr;

/// [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr), with the syllables of windows-949.
pub static EUC_KR: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<EucKrDecoder>();
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x41));
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<EucKrEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::EucKr)
};

/// [EUC-KR's decoder](https://encoding.spec.whatwg.org/#euc-kr-decoder).
#[derive(Clone, Copy, Debug)]
struct EucKrDecoder {
    /// EUC-KR leading byte
    leading: u8,
}

impl DecoderHandler for EucKrDecoder {
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
            let pointer = match byte {
                0x41..=0xFE => Some((leading - 0x81) * 190 + usize::from(byte) - 0x41),
                _ => None,
            };
            let code_point = pointer.and_then(|pointer| euc_kr::INDEX.index_code_point(pointer));
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
        EucKrDecoder { leading: word as u8 }
    }
}

/// The pairs of bytes, for the kernel: those of KS X 1001 are in its table, and the others follow from [`RULES`].
pub(crate) static PAIRS: Pairs = Pairs {
    table: DoubleByte::new(euc_kr::INDEX.square, 94, ROWS, &Characters::NONE, &double_byte::EUC, outside_square)
        .with_rules(&RULES),
    beyond: convert::nothing_beyond,
    four_bytes: Range::NONE,
};

/// The row of each leading byte in the table.
const ROWS: [u8; 128] = euc_kr::INDEX.kernel_rows();

/// The rules for the pairs of windows-949 that are not in KS X 1001.
static RULES: Rules<'static> =
    Rules::new(&euc_kr::INDEX.rules, 0x41, [(0x5B, 6), (0x7B, 6)], NULL, &euc_kr::INDEX.unlisted);

/// The code unit of a pair that is not in the table.
fn outside_square(bytes: &[u8]) -> u16 {
    match *bytes {
        [leading, trailing @ 0x41..=0xFE, ..] => {
            euc_kr::INDEX.outside_square((leading - 0x81).into(), (trailing - 0x41).into())
        }
        _ => NULL,
    }
}

/// [EUC-KR's encoder](https://encoding.spec.whatwg.org/#euc-kr-encoder). It has no state.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct EucKrEncoder;

#[cfg(feature = "encode")]
impl EncoderHandler for EucKrEncoder {
    const PAIRS: Option<&'static ToDoubleByte<'static>> = Some(&CHARACTERS);

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        let Some(pointer) = euc_kr::POINTERS.index_pointer(code_point) else {
            return HandlerResult::Error(code_point);
        };
        let leading = pointer / 190 + 0x81;
        let trailing = pointer % 190 + 0x41;
        HandlerResult::Items(Bytes::from([leading as u8, trailing as u8]))
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        to_double_byte::from_utf16(&CHARACTERS, source, destination)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        EucKrEncoder
    }
}

/// All characters, for the kernel.
#[cfg(feature = "encode")]
pub(crate) static CHARACTERS: ToDoubleByte<'static> = ToDoubleByte::new(
    &euc_kr::POINTERS.listed,
    PointerTable::NULL,
    Divisor::new(190),
    Part::from(0x81),
    Part::from(0x41),
    |unit| euc_kr::POINTERS.pointer_by_rule(unit).unwrap_or(PointerTable::NULL),
);

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn euc_kr_passes_the_battery() {
        let text = "aé\u{80}가갂힣괆詰中あ\u{F9D8}\u{E000}\u{10000}";
        battery(&EUC_KR, b"aA\x80\x81\xA1\xC6\xFE\xFF", text);
    }
}
