//! [UTF-8](https://encoding.spec.whatwg.org/#utf-8).

use textcodec_core::{
    Bom, Codec, CutRule, DecodeErrorMode, DecoderFunctions, Encoding, Name,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, Utf8Space, Utf8Written},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};
#[cfg(feature = "encode")]
use textcodec_kernels::utf8;
use textcodec_kernels::utf16;

/// [UTF-8](https://encoding.spec.whatwg.org/#utf-8).
pub static UTF_8: Encoding = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<Utf8Decoder>();
    let codec =
        Codec::new(&DECODER).with_cut_rule(CutRule::AfterByteBelow(0x80)).with_bom(Bom::Utf8).that_encodes_everything();
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Utf8Encoder>();
        codec.with_encoder(&ENCODER)
    };
    codec.named(Name::Utf8)
};

/// [UTF-8's decoder](https://encoding.spec.whatwg.org/#utf-8-decoder).
#[derive(Clone, Copy, Debug)]
struct Utf8Decoder {
    /// UTF-8 code point
    code_point: u32,
    /// UTF-8 bytes seen
    bytes_seen: u8,
    /// UTF-8 bytes needed
    bytes_needed: u8,
    /// UTF-8 lower boundary
    lower_boundary: u8,
    /// UTF-8 upper boundary
    upper_boundary: u8,
}

impl DecoderHandler for Utf8Decoder {
    const UNCHANGED: Unchanged = Unchanged::Utf8;
    const KEEPS_STATE: bool = true;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            if self.bytes_needed != 0 {
                self.bytes_needed = 0;
                return HandlerResult::Error(());
            }
            return HandlerResult::Finished;
        };

        if self.bytes_needed == 0 {
            match byte {
                0x00..=0x7F => return HandlerResult::Items(char::from(byte).into()),
                0xC2..=0xDF => {
                    self.bytes_needed = 1;
                    self.code_point = u32::from(byte & 0x1F);
                }
                0xE0..=0xEF => {
                    if byte == 0xE0 {
                        self.lower_boundary = 0xA0;
                    }
                    if byte == 0xED {
                        self.upper_boundary = 0x9F;
                    }
                    self.bytes_needed = 2;
                    self.code_point = u32::from(byte & 0xF);
                }
                0xF0..=0xF4 => {
                    if byte == 0xF0 {
                        self.lower_boundary = 0x90;
                    }
                    if byte == 0xF4 {
                        self.upper_boundary = 0x8F;
                    }
                    self.bytes_needed = 3;
                    self.code_point = u32::from(byte & 0x7);
                }
                _ => return HandlerResult::Error(()),
            }
            return HandlerResult::Continue;
        }

        if !(self.lower_boundary..=self.upper_boundary).contains(&byte) {
            *self = Self::NEW;
            io_queue.restore(&[byte]);
            return HandlerResult::Error(());
        }

        self.lower_boundary = 0x80;
        self.upper_boundary = 0xBF;
        self.code_point = self.code_point << 6 | u32::from(byte & 0x3F);
        self.bytes_seen += 1;
        if self.bytes_seen != self.bytes_needed {
            return HandlerResult::Continue;
        }

        let code_point = self.code_point;
        (self.code_point, self.bytes_needed, self.bytes_seen) = (0, 0, 0);
        // The boundaries exclude surrogates and code points above U+10FFFF.
        HandlerResult::Items(char::from_u32(code_point).unwrap_or(char::REPLACEMENT_CHARACTER).into())
    }

    fn pending(&self) -> Bytes {
        if self.bytes_needed == 0 {
            return Bytes::EMPTY;
        }
        let bits = |seen: u8| self.code_point >> (6 * u32::from(self.bytes_seen - seen));
        let mark = [0x00, 0xC0, 0xE0, 0xF0][usize::from(self.bytes_needed % 4)];
        let mut bytes = Bytes::from(mark | bits(0) as u8);
        for seen in 1..=self.bytes_seen {
            bytes.push(0x80 | bits(seen) as u8 & 0x3F);
        }
        bytes
    }

    fn can_convert(&self) -> bool {
        self.bytes_needed == 0
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        match mode {
            DecodeErrorMode::Fatal => utf16::from_utf8(source, destination),
            DecodeErrorMode::Replacement => utf16::from_utf8_replacing(source, destination),
        }
    }

    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        match mode {
            DecodeErrorMode::Fatal => destination.utf8(source),
            DecodeErrorMode::Replacement => destination.utf8_replacing(source),
        }
    }

    fn pack(self) -> u64 {
        if self.bytes_needed == 0 {
            return 0;
        }
        u64::from(self.code_point)
            | u64::from(self.bytes_seen) << 24
            | u64::from(self.bytes_needed) << 32
            | u64::from(self.lower_boundary) << 40
            | u64::from(self.upper_boundary) << 48
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        if word == 0 {
            return Self::NEW;
        }
        Utf8Decoder {
            code_point: word as u32 & 0xFF_FFFF,
            bytes_seen: (word >> 24) as u8 & 3,
            bytes_needed: (word >> 32) as u8,
            lower_boundary: (word >> 40) as u8,
            upper_boundary: (word >> 48) as u8,
        }
    }
}

impl Utf8Decoder {
    /// The initial state.
    const NEW: Self =
        Utf8Decoder { code_point: 0, bytes_seen: 0, bytes_needed: 0, lower_boundary: 0x80, upper_boundary: 0xBF };
}

/// [UTF-8's encoder](https://encoding.spec.whatwg.org/#utf-8-encoder).
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct Utf8Encoder;

#[cfg(feature = "encode")]
impl EncoderHandler for Utf8Encoder {
    const CONVERTS_UTF_8: bool = true;
    const MAX_BYTES_HTML: MaxBytes = Self::MAX_BYTES_FATAL;
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 1, per_code_unit: 3, at_end: 0 };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        let code_point = u32::from(code_point);
        let (count, offset) = match code_point {
            0x0000..=0x007F => return HandlerResult::Items(Bytes::from(code_point as u8)),
            0x0080..=0x07FF => (1, 0xC0),
            0x0800..=0xFFFF => (2, 0xE0),
            _ => (3, 0xF0),
        };
        let mut bytes = Bytes::from((code_point >> (6 * count)) as u8 + offset);
        for count in (0..count).rev() {
            let temp = code_point >> (6 * count);
            bytes.push(0x80 | (temp & 0x3F) as u8);
        }
        HandlerResult::Items(bytes)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        utf8::from_utf16(source, destination)
    }

    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        let mut length = source.len().min(destination.len());
        while !source.is_char_boundary(length) {
            length -= 1;
        }
        let (Some(to), Some(from)) = (destination.get_mut(..length), source.as_bytes().get(..length)) else {
            return (0, 0);
        };
        to.copy_from_slice(from);
        (length, length)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        Utf8Encoder
    }
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::{battery, takes_everything};

    use super::*;

    #[test]
    fn utf_8_passes_the_battery() {
        let text = "a\u{7F}\u{80}é\u{7FF}\u{800}あ\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}";
        battery(&UTF_8, b"a\x80\xBF\xC2\xE0\xA0\xED\xF0\x90\xF4", text);
    }

    #[cfg(feature = "encode")]
    #[test]
    fn bulk_conversion_leaves_no_character_to_the_handler() {
        let text = "aé€💩\0";
        takes_everything(&UTF_8, &text.repeat(200));
        let half = UTF_8.codec().encoder().expect("UTF-8 has an encoder");
        for space in 0..=text.len() + 1 {
            // Whole characters are copied, as many as fit.
            let length = (0..=space).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            let mut bytes = vec![0; space];
            assert_eq!(half.convert_from_utf8(&mut 0, text, &mut bytes), (length, length), "{space} bytes of space");
            assert_eq!(bytes[..length], text.as_bytes()[..length]);
        }
    }
}
