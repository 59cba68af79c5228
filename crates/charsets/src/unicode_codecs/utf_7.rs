//! [UTF-7](https://www.rfc-editor.org/rfc/rfc2152), and the form of it in the names of
//! [IMAP](https://www.rfc-editor.org/rfc/rfc3501#section-5.1.3) folders.
//!
//! A shift, `+` or `&`, begins base64 of UTF-16BE. UTF-7 is a risk on the web, because markup hides in it.

use textcodec_core::{
    Codec, DecoderFunctions,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Unchanged},
};
#[cfg(feature = "encode")]
use textcodec_core::{
    EncoderHalf,
    handler::{EncoderHandler, MaxBytes},
};

/// UTF-7.
pub(crate) static UTF_7: Codec = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder<false>>();
    let codec = Codec::new(&DECODER).that_encodes_everything();
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder<false>>();
        codec.with_encoder(&ENCODER)
    };
    codec
};

/// Modified UTF-7: the names of folders of IMAP.
pub(crate) static UTF_7_IMAP: Codec = {
    static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder<true>>();
    let codec = Codec::new(&DECODER).that_encodes_everything();
    #[cfg(feature = "encode")]
    let codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder<true>>();
        codec.with_encoder(&ENCODER)
    };
    codec
};

/// The byte that begins base64.
const fn shift(is_imap: bool) -> u8 {
    if is_imap { b'&' } else { b'+' }
}

/// The value of a digit of base64.
#[inline]
fn value(is_imap: bool, byte: u8) -> Option<u8> {
    /// The values of the digits of both forms but the last one; 64 for other bytes.
    static VALUES: [u8; 256] = {
        let mut values = [64; 256];
        let mut byte = 0;
        while byte < 256 {
            if let Some(value) = value_by_rule(byte as u8) {
                values[byte] = value;
            }
            byte += 1;
        }
        values
    };
    match VALUES[usize::from(byte)] {
        64 if byte == (if is_imap { b',' } else { b'/' }) => Some(63),
        64 => None,
        value => Some(value),
    }
}

/// The value of a digit of base64 but the last one.
const fn value_by_rule(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        _ => None,
    }
}

/// The digit of base64 with this value, of which six bits count.
#[inline]
fn digit(is_imap: bool, value: u64) -> u8 {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    match DIGITS[(value & 0x3F) as usize] {
        b'/' if is_imap => b',',
        digit => digit,
    }
}

/// Whether a byte outside of base64 means the ASCII character, as in glibc.
fn is_direct(is_imap: bool, byte: u8) -> bool {
    match byte {
        b'&' => !is_imap,
        b'+' | b'\\' | b'~' => is_imap,
        b'\t' | b'\n' | b'\r' => !is_imap,
        b' '..=b'}' => true,
        _ => false,
    }
}

/// The states between two characters: 0 outside of base64; 1 in base64 with no bits left; 2 to 5 with two bits, and 6
/// to 21 with four bits, which are the first bits of the next character.
const STATES: u8 = 22;

/// The state in base64 with the `count` bits `bits` left.
fn between(count: u32, bits: u64) -> u64 {
    match count {
        0 => 1,
        2 => 2 + bits,
        _ => 6 + bits,
    }
}

/// The number of bits that are left in a state in base64, and these bits.
fn left(state: u64) -> (u32, u64) {
    match state {
        0 | 1 => (0, 0),
        2..=5 => (2, state - 2),
        _ => (4, (state - 6) & 0xF),
    }
}

/// The decoder. If bits that are left at the end of base64 are not zero, the byte that ends base64 is malformed: so it
/// is in RFC 2152 and in glibc. At the end of the stream, such bits are ignored, as in glibc.
#[derive(Clone, Copy, Debug)]
struct Decoder<const IS_IMAP: bool> {
    /// The state before the character.
    state: u64,
    /// The bytes of the character so far: the shift and digits.
    pending: Bytes,
}

impl<const IS_IMAP: bool> Decoder<IS_IMAP> {
    const NEW: Self = Decoder { state: 0, pending: Bytes::EMPTY };

    /// The number of bits of the character so far, and these bits.
    fn bits(&self) -> (u32, u64) {
        let digits = match self.pending.split_first() {
            // In IMAP a shift is no digit.
            Some((first, digits)) if self.state == 0 && *first == shift(IS_IMAP) => digits,
            _ => &self.pending,
        };
        let values = digits.iter().filter_map(|&byte| value(IS_IMAP, byte));
        values.fold(left(self.state), |(count, bits), value| (count + 6, bits << 6 | u64::from(value)))
    }
}

impl<const IS_IMAP: bool> DecoderHandler for Decoder<IS_IMAP> {
    const UNCHANGED: Unchanged = Unchanged::Nothing;
    const STATES_BETWEEN: u8 = STATES;
    const STATE_BITS: u8 = 63;
    const BEGUN: u64 = !0x1F;

    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let is_amid = !self.pending.is_empty();
        let Item::Value(byte) = byte else {
            *self = Self::NEW;
            return if is_amid { HandlerResult::Error(()) } else { HandlerResult::Finished };
        };
        if self.state == 0 && !is_amid {
            if byte == shift(IS_IMAP) {
                self.pending.push(byte);
                return HandlerResult::Continue;
            }
            let is_direct = is_direct(IS_IMAP, byte);
            return if is_direct { HandlerResult::Items(char::from(byte).into()) } else { HandlerResult::Error(()) };
        }
        if value(IS_IMAP, byte).is_none() {
            // The end of base64, which is always `-` in IMAP. In UTF-7 a shift alone, before another byte, means
            // nothing, as in glibc.
            let is_only_shift = self.state == 0 && self.pending.len() == 1;
            let has_bits = !is_amid && left(self.state).1 != 0;
            *self = Self::NEW;
            if has_bits {
                return HandlerResult::Error(());
            }
            return match byte {
                b'-' if is_only_shift => HandlerResult::Items(char::from(shift(IS_IMAP)).into()),
                b'-' if !is_amid => HandlerResult::Continue,
                b'-' => HandlerResult::Error(()),
                _ if IS_IMAP => HandlerResult::Error(()),
                _ => {
                    io_queue.restore(&[byte]);
                    if is_amid && !is_only_shift { HandlerResult::Error(()) } else { HandlerResult::Continue }
                }
            };
        }
        self.pending.push(byte);
        let (count, bits) = self.bits();
        let unit = |above: u32| (bits >> (count - above)) as u16;
        let (code_point, used) = match count {
            16.. if !matches!(unit(16), 0xD800..=0xDFFF) => (char::from_u32(unit(16).into()), 16),
            16.. if matches!(unit(16), 0xDC00..=0xDFFF) => (None, 16),
            32.. => (char::decode_utf16([unit(16), unit(32)]).next().and_then(Result::ok), 32),
            _ => return HandlerResult::Continue,
        };
        let rest = count - used;
        *self = Decoder { state: between(rest, bits & ((1 << rest) - 1)), pending: Bytes::EMPTY };
        code_point.map_or(HandlerResult::Error(()), |code_point| HandlerResult::Items(code_point.into()))
    }

    fn pending(&self) -> Bytes {
        self.pending
    }

    /// Copies bytes outside of base64, and decodes characters in base64. It stops between two characters.
    fn convert(
        &mut self,
        source: &[u8],
        destination: &mut [u16],
        _: textcodec_core::DecodeErrorMode,
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let mut at = read;
            if self.state == 0 {
                let rest = destination[written..].iter_mut().zip(&source[read..]);
                let mut length = 0;
                for (to, &byte) in rest.take_while(|(_, byte)| is_direct(IS_IMAP, **byte)) {
                    *to = byte.into();
                    length += 1;
                }
                (read, written) = (read + length, written + length);
                match source.get(read..) {
                    Some([first, second, ..]) if *first == shift(IS_IMAP) && value(IS_IMAP, *second).is_some() => {
                        at = read + 1;
                    }
                    _ => return (read, written),
                }
            }
            // A character, or the end of base64.
            let (mut count, mut bits) = left(self.state);
            loop {
                let Some(&byte) = source.get(at) else { return (read, written) };
                let Some(value) = value(IS_IMAP, byte) else {
                    if at > read || bits != 0 || IS_IMAP && byte != b'-' {
                        // An error: the character is not complete, bits are left, or this byte cannot end base64.
                        return (read, written);
                    }
                    self.state = 0;
                    read += usize::from(byte == b'-');
                    break;
                };
                at += 1;
                (count, bits) = (count + 6, bits << 6 | u64::from(value));
                let unit = |above: u32| (bits >> (count - above)) as u16;
                let code_point = match count {
                    16.. if !matches!(unit(16), 0xD800..=0xDFFF) => char::from_u32(unit(16).into()),
                    32.. => char::decode_utf16([unit(16), unit(32)]).next().and_then(Result::ok),
                    _ => continue,
                };
                let Some(code_point) = code_point else { return (read, written) };
                let Some(length) = CodePoints::from(code_point).write_utf16(&mut destination[written..]) else {
                    return (read, written);
                };
                let rest = count - 16 * length as u32;
                self.state = between(rest, bits & ((1 << rest) - 1));
                (read, written) = (at, written + length);
                break;
            }
        }
    }

    /// Bits 0 to 4: the state. Seven bits follow for each pending byte: 1 for a shift at the start, or a digit's value
    /// plus 2.
    fn pack(self) -> u64 {
        let mut word = 0;
        for (place, &byte) in self.pending.iter().enumerate().rev() {
            let is_shift = place == 0 && self.state == 0 && byte == shift(IS_IMAP);
            let value = if is_shift { 1 } else { value(IS_IMAP, byte).map_or(0, |value| u64::from(value) + 2) };
            word = word << 7 | value;
        }
        word << 5 | self.state
    }

    fn unpack(_: &'static Codec, word: u64) -> Self {
        let (mut pending, mut rest) = (Bytes::EMPTY, word >> 5);
        while rest != 0 && pending.len() < Bytes::CAPACITY {
            pending.push(match rest & 0x7F {
                1 => shift(IS_IMAP),
                value => digit(IS_IMAP, value.wrapping_sub(2)),
            });
            rest >>= 7;
        }
        Decoder { state: word & 0x1F, pending }
    }
}

/// The encoder.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
struct Encoder<const IS_IMAP: bool> {
    state: u64,
}

/// Whether the encoder writes `code_point` as itself. In UTF-7, characters that a mail system could change are written
/// in base64, as glibc does.
#[cfg(feature = "encode")]
fn is_written_directly(is_imap: bool, code_point: char) -> bool {
    match code_point {
        _ if is_imap => u8::try_from(code_point).is_ok_and(|byte| is_direct(true, byte)),
        'A'..='Z' | 'a'..='z' | '0'..='9' => true,
        '\'' | '(' | ')' | ',' | '-' | '.' | '/' | ':' | '?' | ' ' | '\t' | '\n' | '\r' => true,
        _ => false,
    }
}

#[cfg(feature = "encode")]
impl<const IS_IMAP: bool> EncoderHandler for Encoder<IS_IMAP> {
    const STATES: u16 = STATES as u16;
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 5, per_code_unit: 8, at_end: 3 };
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 5, per_code_unit: 6, at_end: 3 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let mut bytes = Bytes::EMPTY;
        let shift = shift(IS_IMAP);
        let next = match code_point {
            Item::EndOfQueue if self.state == 0 => return HandlerResult::Finished,
            Item::Value(code_point) if self.state == 0 && code_point == char::from(shift) => {
                return HandlerResult::Items([shift, b'-'].into());
            }
            // In IMAP, a shift as a character is never in base64.
            Item::Value(code_point) if is_written_directly(IS_IMAP, code_point) || (IS_IMAP && code_point == '&') => {
                if self.state == 0 {
                    return HandlerResult::Items((code_point as u8).into());
                }
                io_queue.restore(&[code_point]);
                Some(code_point as u8)
            }
            Item::Value(code_point) => {
                if self.state == 0 {
                    bytes.push(shift);
                }
                let (mut count, mut bits) = left(self.state);
                for unit in code_point.encode_utf16(&mut [0; 2]) {
                    (count, bits) = (count + 16, bits << 16 | u64::from(*unit));
                }
                while count >= 6 {
                    count -= 6;
                    bytes.push(digit(IS_IMAP, bits >> count));
                }
                self.state = between(count, bits & ((1 << count) - 1));
                return HandlerResult::Items(bytes);
            }
            Item::EndOfQueue => None,
        };
        // The end of base64.
        let (count, bits) = left(self.state);
        if count > 0 {
            bytes.push(digit(IS_IMAP, bits << (6 - count)));
        }
        let could_continue = next.is_none_or(|byte| byte == b'-' || value(IS_IMAP, byte).is_some());
        if IS_IMAP || could_continue {
            bytes.push(b'-');
        }
        self.state = 0;
        if bytes.is_empty() { HandlerResult::Continue } else { HandlerResult::Items(bytes) }
    }

    /// Copies characters outside of base64, and encodes characters in base64.
    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        for code_point in char::decode_utf16(source.iter().copied()) {
            let Ok(code_point) = code_point else { break };
            let is_direct = is_written_directly(IS_IMAP, code_point);
            if is_direct && self.state == 0 {
                let Some(to) = destination.get_mut(written) else { break };
                *to = code_point as u8;
                (read, written) = (read + 1, written + 1);
                continue;
            }
            // The longest character: a shift and six digits.
            let Some(to) = destination.get_mut(written..written + 7) else { break };
            if is_direct {
                // The end of base64, and the character after it.
                let (count, bits) = left(self.state);
                let byte = code_point as u8;
                let mut length = 0;
                let mut push = |byte: u8| {
                    to[length] = byte;
                    length += 1;
                };
                if count > 0 {
                    push(digit(IS_IMAP, bits << (6 - count)));
                }
                if IS_IMAP || byte == b'-' || value(IS_IMAP, byte).is_some() {
                    push(b'-');
                }
                push(byte);
                self.state = 0;
                (read, written) = (read + 1, written + length);
                continue;
            }
            if code_point == char::from(shift(IS_IMAP)) && (IS_IMAP || self.state == 0) {
                break;
            }
            let mut length = 0;
            if self.state == 0 {
                to[0] = shift(IS_IMAP);
                length = 1;
            }
            let (mut count, mut bits) = left(self.state);
            for unit in code_point.encode_utf16(&mut [0; 2]) {
                (count, bits) = (count + 16, bits << 16 | u64::from(*unit));
            }
            while count >= 6 {
                count -= 6;
                to[length] = digit(IS_IMAP, bits >> count);
                length += 1;
            }
            self.state = between(count, bits & ((1 << count) - 1));
            (read, written) = (read + code_point.len_utf16(), written + length);
        }
        (read, written)
    }

    fn pack(self) -> u16 {
        self.state as u16
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        Encoder { state: word.into() }
    }
}
