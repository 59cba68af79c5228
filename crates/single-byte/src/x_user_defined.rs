//! [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined).

use textcodec_core::{
    Codec, CutRule, DecodeErrorMode, DecoderFunctions, Encoding, Name,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Utf8Space, Utf8Written},
    index::Characters,
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, handler::EncoderHandler};
use textcodec_kernels::single_byte;
#[cfg(feature = "encode")]
use textcodec_kernels::to_single_byte;

/// [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined): bytes above ASCII are U+F780 to U+F7FF, so that
/// text can carry any bytes.
pub static X_USER_DEFINED: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<XUserDefinedDecoder>();
    let codec = Codec::new(&DECODER).with_cut_rule(CutRule::Anywhere);
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<XUserDefinedEncoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::XUserDefined)
};

/// [x-user-defined's decoder](https://encoding.spec.whatwg.org/#x-user-defined-decoder). It has no state and no errors.
#[derive(Clone, Copy, Debug)]
struct XUserDefinedDecoder;

impl DecoderHandler for XUserDefinedDecoder {
    const IS_SINGLE_BYTE: bool = true;
    const KEEPS_STATE: bool = true;

    fn handler<Q: Restore<u8>>(&mut self, _: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        if byte.is_ascii() {
            return HandlerResult::Items(char::from(byte).into());
        }
        let code_point = char::from_u32(0xF780 + u32::from(byte) - 0x80).expect("U+F780 to U+F7FF are no surrogates");
        HandlerResult::Items(code_point.into())
    }

    fn pending(&self) -> Bytes {
        Bytes::EMPTY
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let length = single_byte::to_private_use(source, destination);
        (length, length)
    }

    /// Converts to UTF-8 with the kernel of the other single-byte encodings.
    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        _: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        destination.dense_single_byte(&CHARACTERS, single_byte::NEVER, source)
    }

    fn pack(self) -> u64 {
        0
    }

    fn unpack(_: &'static Codec, _: u64) -> Self {
        XUserDefinedDecoder
    }
}

/// The code units of the bytes 0x80 to 0xFF.
static CHARACTERS: Characters = {
    let mut units = [0; 128];
    let mut at = 0;
    while at < units.len() {
        units[at] = code_unit(0x80 | at as u8);
        at += 1;
    }
    Characters::new(units)
};

/// The code unit of a byte. Sign extension of 0x80 gives 0xFF80. Clearing bit 11 (0x0800) gives U+F780, the code point
/// of the byte 0x80.
const fn code_unit(byte: u8) -> u16 {
    (byte as i8 as u16) & 0xF7FF
}

/// [x-user-defined's encoder](https://encoding.spec.whatwg.org/#x-user-defined-encoder). It has no state.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct XUserDefinedEncoder;

#[cfg(feature = "encode")]
impl EncoderHandler for XUserDefinedEncoder {
    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match u32::from(code_point) {
            value @ 0x0000..=0x007F => HandlerResult::Items(Bytes::from(value as u8)),
            value @ 0xF780..=0xF7FF => HandlerResult::Items(Bytes::from((value - 0xF780 + 0x80) as u8)),
            _ => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let length = to_single_byte::from_private_use(source, destination);
        (length, length)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        XUserDefinedEncoder
    }
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn x_user_defined_passes_the_battery() {
        battery(&X_USER_DEFINED, b"a\x7F\x80\xAA\xFF", "a\u{7F}\u{80}éあ\u{F77F}\u{F780}\u{F7FF}\u{F800}\u{10000}");
    }
}
