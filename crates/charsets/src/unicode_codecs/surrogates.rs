//! [CESU-8](https://www.unicode.org/reports/tr26/) and Java's modified UTF-8: each code unit of UTF-16 is a sequence of
//! one to three bytes, so that a character of plane 1 or higher is six bytes.

use textcodec_core::{
    Bom, Codec, CutRule, DecodeErrorMode, DecoderFunctions,
    handler::{
        Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged, scalar_value_from_surrogates,
    },
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};
use textcodec_kernels::ascii;

/// CESU-8.
pub(crate) static CESU_8: Codec = codec_of(
    {
        static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder<false>>();
        &DECODER
    },
    #[cfg(feature = "encode")]
    {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder<false>>();
        &ENCODER
    },
);

/// Java's modified UTF-8, in which U+0000 is the bytes C0 80, and the byte 00 never occurs.
pub(crate) static MODIFIED_UTF_8: Codec = codec_of(
    {
        static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder<true>>();
        &DECODER
    },
    #[cfg(feature = "encode")]
    {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder<true>>();
        &ENCODER
    },
);

const fn codec_of(
    decoder: &'static DecoderFunctions,
    #[cfg(feature = "encode")] encoder: &'static EncoderHalf,
) -> Codec {
    let codec =
        Codec::new(decoder).that_encodes_everything().with_bom(Bom::Utf8).with_cut_rule(CutRule::AfterByteBelow(0x80));
    #[cfg(feature = "encode")]
    let codec = codec.with_encoder(encoder);
    codec
}

/// The lengths of sequences of two bytes, three bytes and two sequences.
const LONGEST: usize = 6;

/// The decoder. `IS_JAVA` says whether U+0000 has two bytes.
#[derive(Clone, Copy, Debug)]
struct Decoder<const IS_JAVA: bool> {
    /// The bytes of the character so far.
    bytes: [u8; LONGEST - 1],
    length: u8,
}

/// The number of bytes of the sequence that begins with `byte`; 0 if none does.
fn sequence_length<const IS_JAVA: bool>(byte: u8) -> usize {
    match byte {
        0x00 => usize::from(!IS_JAVA),
        0x01..=0x7F => 1,
        0xC0 => 2 * usize::from(IS_JAVA),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 0,
    }
}

/// Whether `byte` can follow `before`, which is the start of a sequence.
fn can_follow(before: &[u8], byte: u8) -> bool {
    let lowest = match before {
        [0xE0] => 0xA0,
        _ => 0x80,
    };
    let highest = if let [0xC0] = before { 0x80 } else { 0xBF };
    lowest <= byte && byte <= highest
}

/// The code unit of a whole sequence.
fn unit(sequence: &[u8]) -> u16 {
    match *sequence {
        [first] => first.into(),
        [first, second] => u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F),
        [first, second, third] => {
            u16::from(first & 0x0F) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
        }
        _ => 0,
    }
}

impl<const IS_JAVA: bool> DecoderHandler for Decoder<IS_JAVA> {
    const UNCHANGED: Unchanged = if IS_JAVA { Unchanged::Nothing } else { Unchanged::Ascii };

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let (length, bytes) = (usize::from(self.length), self.bytes);
        self.length = 0;
        let Item::Value(byte) = byte else {
            return if length > 0 { HandlerResult::Error(()) } else { HandlerResult::Finished };
        };
        let before = &bytes[..length];
        // A leading surrogate is three bytes, after which only a trailing surrogate can come.
        let (leading, sequence) = if length >= 3 { before.split_at(3) } else { before.split_at(0) };
        let is_trailing = match sequence {
            [] => byte == 0xED,
            [_] => (0xB0..=0xBF).contains(&byte),
            _ => (0x80..=0xBF).contains(&byte),
        };
        let is_allowed = if !leading.is_empty() {
            is_trailing
        } else if sequence.is_empty() {
            sequence_length::<IS_JAVA>(byte) > 0
        } else {
            can_follow(sequence, byte)
        };
        if !is_allowed {
            match *sequence {
                [first, second] if !leading.is_empty() => io_queue.restore(&[first, second, byte]),
                [first] if !leading.is_empty() => io_queue.restore(&[first, byte]),
                [] if leading.is_empty() => {}
                _ => io_queue.restore(&[byte]),
            }
            return HandlerResult::Error(());
        }
        let first = sequence.first().copied().unwrap_or(byte);
        let mut whole = Bytes::from(sequence);
        whole.push(byte);
        let code_unit = unit(&whole);
        let is_whole = whole.len() == sequence_length::<IS_JAVA>(first);
        if !is_whole || (leading.is_empty() && (0xD800..=0xDBFF).contains(&code_unit)) {
            self.bytes = bytes;
            self.bytes[length] = byte;
            self.length = length as u8 + 1;
            return HandlerResult::Continue;
        }
        if !leading.is_empty() {
            return HandlerResult::Items(scalar_value_from_surrogates(unit(leading), code_unit).into());
        }
        let code_point = char::from_u32(code_unit.into());
        code_point.map_or(HandlerResult::Error(()), |code_point| HandlerResult::Items(code_point.into()))
    }

    fn pending(&self) -> Bytes {
        self.bytes[..usize::from(self.length).min(LONGEST - 1)].into()
    }

    /// Stops before every error, whatever the mode is: the handler replaces it.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // Code units up to here are whole characters.
        let (mut read_whole, mut written_whole) = (0, 0);
        let mut leading = false;
        while let Some(&first) = source.get(read) {
            if !IS_JAVA && first.is_ascii() && !leading {
                let run = ascii::widen(&source[read..], &mut destination[written..]);
                (read, written) = (read + run, written + run);
                (read_whole, written_whole) = (read, written);
                if run == 0 {
                    break;
                }
                continue;
            }
            let length = match first {
                0x00..=0x7F => 1,
                0xC0..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => break,
            };
            let sequence = source.get(read..read + length);
            let (Some([_, rest @ ..]), Some(to)) = (sequence, destination.get_mut(written)) else { break };
            // The bits of the first byte after its ones and a zero, and six bits of each other byte.
            let bits = u16::from(first) & [0, 0x7F, 0x1F, 0x0F][length];
            let unit = rest.iter().fold(bits, |unit, byte| unit << 6 | u16::from(byte & 0x3F));
            let is_shortest = match unit {
                0x00 => length == if IS_JAVA { 2 } else { 1 },
                0x01..=0x7F => length == 1,
                0x80..=0x7FF => length == 2,
                _ => true,
            };
            let follows = is_shortest && rest.iter().all(|byte| byte >> 6 == 2);
            let is_trailing = (0xDC00..=0xDFFF).contains(&unit);
            if !follows || is_trailing != leading {
                break;
            }
            *to = unit;
            leading = (0xD800..=0xDBFF).contains(&unit);
            (read, written) = (read + length, written + 1);
            if !leading {
                (read_whole, written_whole) = (read, written);
            }
        }
        (read_whole, written_whole)
    }

    /// Bits 0 to 2: the number of bytes. The bytes follow.
    fn pack(self) -> u64 {
        let length = usize::from(self.length).min(LONGEST - 1);
        let bytes = self.bytes[..length].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        bytes << 8 | length as u64
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let bytes = core::array::from_fn(|place| (word >> (8 + 8 * place)) as u8);
        Decoder { bytes, length: (word & 7) as u8 }
    }
}

/// The encoder. `IS_JAVA` says whether U+0000 has two bytes.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct Encoder<const IS_JAVA: bool>;

/// The sequence of a code unit.
#[cfg(feature = "encode")]
fn sequence<const IS_JAVA: bool>(unit: u16) -> Bytes {
    let last = 0x80 | (unit & 0x3F) as u8;
    match unit {
        0x01..=0x7F => (unit as u8).into(),
        0x00 if !IS_JAVA => 0.into(),
        0x00..=0x7FF => [0xC0 | (unit >> 6) as u8, last].into(),
        _ => [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, last].into(),
    }
}

#[cfg(feature = "encode")]
impl<const IS_JAVA: bool> EncoderHandler for Encoder<IS_JAVA> {
    const HAS_ASCII: bool = !IS_JAVA;
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 2, per_code_unit: 3, at_end: 0 };

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        let mut bytes = Bytes::EMPTY;
        for unit in code_point.encode_utf16(&mut [0; 2]) {
            sequence::<IS_JAVA>(*unit).iter().for_each(|byte| bytes.push(*byte));
        }
        HandlerResult::Items(bytes)
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        for code_point in char::decode_utf16(source.iter().copied()) {
            let Ok(code_point) = code_point else { break };
            let (mut units, before) = ([0; 2], written);
            for unit in code_point.encode_utf16(&mut units) {
                let sequence = sequence::<IS_JAVA>(*unit);
                let Some(to) = destination.get_mut(written..written + sequence.len()) else {
                    return (read, before);
                };
                to.copy_from_slice(&sequence);
                written += sequence.len();
            }
            read += code_point.len_utf16();
        }
        (read, written)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(_: &'static EncoderHalf, _: u16) -> Self {
        Encoder
    }
}
