//! [UTF-16BE](https://encoding.spec.whatwg.org/#utf-16be) and [UTF-16LE](https://encoding.spec.whatwg.org/#utf-16le).

use textcodec_core::{
    Bom, Codec, CutRule, DecodeErrorMode, DecoderFunctions, Encoding, Name,
    handler::{
        Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, Utf8Space, Utf8Written,
        scalar_value_from_surrogates,
    },
};
use textcodec_kernels::utf16;

/// [UTF-16BE](https://encoding.spec.whatwg.org/#utf-16be).
pub static UTF_16BE: Encoding = Codec::without_encoder(&DECODER)
    .with_bom(Bom::Utf16Be)
    .with_cut_rule(CutRule::AfterCodeUnit { is_big_endian: true })
    .named(Name::Utf16Be);

/// [UTF-16LE](https://encoding.spec.whatwg.org/#utf-16le).
pub static UTF_16LE: Encoding = Codec::without_encoder(&DECODER)
    .with_bom(Bom::Utf16Le)
    .with_cut_rule(CutRule::AfterCodeUnit { is_big_endian: false })
    .named(Name::Utf16Le);

static DECODER: DecoderFunctions = DecoderFunctions::of::<Utf16Decoder>();

/// The [shared UTF-16 decoder](https://encoding.spec.whatwg.org/#shared-utf-16-decoder).
#[derive(Clone, Copy, Debug)]
struct Utf16Decoder {
    /// UTF-16 leading byte
    leading_byte: Option<u8>,
    /// UTF-16 leading surrogate
    leading_surrogate: Option<u16>,
    /// is UTF-16BE decoder
    is_utf_16be_decoder: bool,
}

impl DecoderHandler for Utf16Decoder {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const STATE_BITS: u8 = 63;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            if self.leading_byte.is_some() || self.leading_surrogate.is_some() {
                (self.leading_byte, self.leading_surrogate) = (None, None);
                return HandlerResult::Error(());
            }
            return HandlerResult::Finished;
        };

        let Some(leading_byte) = self.leading_byte.take() else {
            self.leading_byte = Some(byte);
            return HandlerResult::Continue;
        };
        let code_unit = if self.is_utf_16be_decoder {
            u16::from(leading_byte) << 8 | u16::from(byte)
        } else {
            u16::from(byte) << 8 | u16::from(leading_byte)
        };

        if let Some(leading_surrogate) = self.leading_surrogate.take() {
            if let 0xDC00..=0xDFFF = code_unit {
                return HandlerResult::Items(scalar_value_from_surrogates(leading_surrogate, code_unit).into());
            }
            // The Standard restores the two bytes of the code unit in the encoding's byte order, which are these.
            io_queue.restore(&[leading_byte, byte]);
            return HandlerResult::Error(());
        }

        if let 0xD800..=0xDBFF = code_unit {
            self.leading_surrogate = Some(code_unit);
            return HandlerResult::Continue;
        }
        match char::from_u32(u32::from(code_unit)) {
            Some(code_point) => HandlerResult::Items(code_point.into()),
            // The code unit is a trailing surrogate.
            None => HandlerResult::Error(()),
        }
    }

    fn pending(&self) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        if let Some(surrogate) = self.leading_surrogate {
            let surrogate = if self.is_utf_16be_decoder { surrogate.to_be_bytes() } else { surrogate.to_le_bytes() };
            bytes = surrogate.into();
        }
        if let Some(byte) = self.leading_byte {
            bytes.push(byte);
        }
        bytes
    }

    fn can_convert(&self) -> bool {
        self.leading_byte.is_none() && self.leading_surrogate.is_none()
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let from_bytes = match (self.is_utf_16be_decoder, mode) {
            (true, DecodeErrorMode::Fatal) => utf16::from_be_bytes,
            (true, DecodeErrorMode::Replacement) => utf16::from_be_bytes_replacing,
            (false, DecodeErrorMode::Fatal) => utf16::from_le_bytes,
            (false, DecodeErrorMode::Replacement) => utf16::from_le_bytes_replacing,
        };
        let length = from_bytes(source, destination);
        (2 * length, length)
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        match (self.is_utf_16be_decoder, mode) {
            (true, DecodeErrorMode::Fatal) => destination.utf16_be(source),
            (true, DecodeErrorMode::Replacement) => destination.utf16_be_replacing(source),
            (false, DecodeErrorMode::Fatal) => destination.utf16_le(source),
            (false, DecodeErrorMode::Replacement) => destination.utf16_le_replacing(source),
        }
    }

    /// Bits 0 to 7: the leading byte; bit 8: whether there is a leading byte; bits 16 to 31: the leading surrogate.
    fn pack(self) -> u64 {
        self.leading_byte.map_or(0, |byte| 0x100 | u64::from(byte))
            | u64::from(self.leading_surrogate.unwrap_or(0)) << 16
    }

    fn unpack(codec: &'static Codec, word: u64) -> Self {
        let surrogate = (word >> 16) as u16;
        Utf16Decoder {
            leading_byte: (word & 0x100 != 0).then_some(word as u8),
            leading_surrogate: (surrogate != 0).then_some(surrogate),
            is_utf_16be_decoder: codec.bom() == Some(Bom::Utf16Be),
        }
    }
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    #[test]
    fn utf_16_passes_the_battery_in_both_byte_orders() {
        battery(&UTF_16BE, b"\0a\xD8\xDB\xDC\xDF\xFF", "");
        battery(&UTF_16LE, b"\0a\xD8\xDB\xDC\xDF\xFF", "");
    }

    #[test]
    fn bulk_conversion_leaves_no_character_to_the_handler() {
        let units: Vec<u16> = "aé€💩\0".repeat(200).encode_utf16().collect();
        for (encoding, is_big_endian) in [(&UTF_16BE, true), (&UTF_16LE, false)] {
            let to_bytes = |unit: &u16| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let bytes: Vec<u8> = units.iter().flat_map(to_bytes).collect();
            for mode in [DecodeErrorMode::Fatal, DecodeErrorMode::Replacement] {
                let mut decoded = vec![0; units.len()];
                let done = encoding.codec().decoder_convert(&mut 0, &bytes, &mut decoded, mode);
                assert_eq!((done, &decoded), ((bytes.len(), units.len()), &units), "{encoding}, {mode:?}");
            }
        }
    }
}
