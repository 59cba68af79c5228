//! Codecs that the Standard does not have, one of each kind that needs more of the interface than the Standard's own
//! encodings: they pass the same battery.
//!
//! The codecs are small imitations. Their tables have a few characters each.

use std::hash::{DefaultHasher, Hash, Hasher};

use textcodec_core::{
    Bom, Codec, CutRule, DecodeErrorMode, DecoderFunctions, EncodeErrorMode, EncodeStatus, Encoder, EncoderHalf,
    Encoding, Handle, Name,
    handler::{Bytes, CodePoints, DecoderHandler, EncoderHandler, HandlerResult, Item, MaxBytes, Restore, Unchanged},
    testing::{Subject, battery, check_bytes, check_encoder, check_texts},
};

/// Marks before their base, as in ANSEL and MARC-8: a byte from 0xE1 to 0xE4 is a mark for the ASCII letter that
/// follows. A letter has at most two marks.
mod marks_before_their_base {
    use super::*;

    pub(super) static CODEC: Codec = {
        static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder>();
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder>();
        Codec::new(&DECODER).with_encoder(&ENCODER)
    };

    const MARKS: [char; 4] = ['\u{300}', '\u{301}', '\u{302}', '\u{303}'];
    /// The letters that can have marks: a, b and c.
    const LETTERS: u16 = 3;
    /// No mark, one mark, two marks.
    const COMBINATIONS: u16 = 1 + 4 + 4 * 4;

    fn mark(byte: u8) -> Option<char> {
        MARKS.get(usize::from(byte.checked_sub(0xE1)?)).copied()
    }

    #[derive(Clone, Copy)]
    struct Decoder {
        /// The marks that were read; 0 for none.
        marks: [u8; 2],
        /// The mark that is still to be returned for the letter, which was restored; 0 for none.
        rest: u8,
    }

    impl DecoderHandler for Decoder {
        const UNCHANGED: Unchanged = Unchanged::Ascii;
        const STATES_BETWEEN: u8 = 5;
        const MAX_UNITS_PER_BYTE: u8 = 3;

        fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
            let Decoder { marks, rest } = std::mem::replace(self, Decoder { marks: [0; 2], rest: 0 });
            if let Some(mark) = mark(rest) {
                if let Item::Value(byte) = byte {
                    if !matches!(byte, b'a'..=b'c') {
                        io_queue.restore(&[byte]);
                    }
                }
                return HandlerResult::Items(mark.into());
            }
            match byte {
                Item::EndOfQueue if marks == [0; 2] => HandlerResult::Finished,
                Item::EndOfQueue => HandlerResult::Error(()),
                Item::Value(byte) if mark(byte).is_some() && marks[1] == 0 => {
                    self.marks = if marks[0] == 0 { [byte, 0] } else { [marks[0], byte] };
                    HandlerResult::Continue
                }
                Item::Value(byte @ b'a'..=b'c') => {
                    if marks[1] != 0 {
                        self.rest = marks[1];
                        io_queue.restore(&[byte]);
                    }
                    HandlerResult::Items(CodePoints { first: byte.into(), second: mark(marks[0]) })
                }
                Item::Value(byte) if marks != [0; 2] => {
                    io_queue.restore(&[byte]);
                    HandlerResult::Error(())
                }
                Item::Value(byte) if byte.is_ascii() => HandlerResult::Items(char::from(byte).into()),
                Item::Value(_) => HandlerResult::Error(()),
            }
        }

        fn pending(&self) -> Bytes {
            self.marks.iter().copied().filter(|&mark| mark != 0).collect::<Vec<_>>()[..].into()
        }

        fn can_convert(&self) -> bool {
            self.marks == [0; 2] && self.rest == 0
        }

        fn pack(self) -> u64 {
            u64::from(self.rest.saturating_sub(0xE0)) | u64::from(u16::from_le_bytes(self.marks)) << 8
        }

        fn unpack(_: &'static Codec, word: u64) -> Self {
            let rest = if word as u8 == 0 { 0 } else { (word as u8).wrapping_add(0xE0) };
            Decoder { marks: ((word >> 8) as u16).to_le_bytes(), rest }
        }
    }

    /// The encoder holds a letter until it knows all of its marks.
    #[derive(Clone, Copy)]
    struct Encoder {
        letter: Option<u8>,
        /// The numbers of the marks, from 1 on.
        marks: [u8; 2],
    }

    impl EncoderHandler for Encoder {
        const STATES: u16 = 1 + LETTERS * COMBINATIONS;
        const HAS_ASCII: bool = false;
        const KEEPS_STATE: bool = false;
        const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 3 };
        const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 2, per_code_unit: 4, at_end: 3 };

        fn handler<Q: Restore<char>>(
            &mut self,
            io_queue: &mut Q,
            code_point: Item<char>,
        ) -> HandlerResult<Bytes, char> {
            let number = |code_point| MARKS.iter().position(|&mark| mark == code_point).map(|at| at as u8 + 1);
            match (self.letter, code_point) {
                (Some(_), Item::Value(code_point)) if self.marks[1] == 0 && number(code_point).is_some() => {
                    let at = usize::from(self.marks[0] != 0);
                    self.marks[at] = number(code_point).unwrap_or(0);
                    HandlerResult::Continue
                }
                (Some(letter), code_point) => {
                    let mut bytes = Bytes::EMPTY;
                    self.marks.iter().filter(|&&mark| mark != 0).for_each(|mark| bytes.push(0xE0 + mark));
                    bytes.push(letter);
                    *self = Encoder { letter: None, marks: [0; 2] };
                    if let Item::Value(code_point) = code_point {
                        io_queue.restore(&[code_point]);
                    }
                    HandlerResult::Items(bytes)
                }
                (None, Item::Value(letter @ 'a'..='c')) => {
                    self.letter = Some(letter as u8);
                    HandlerResult::Continue
                }
                (None, Item::Value(code_point)) if code_point.is_ascii() => {
                    HandlerResult::Items((code_point as u8).into())
                }
                (None, Item::Value(code_point)) => HandlerResult::Error(code_point),
                (None, Item::EndOfQueue) => HandlerResult::Finished,
            }
        }

        fn pack(self) -> u16 {
            let Some(letter) = self.letter else { return 0 };
            let combination = match self.marks.map(u16::from) {
                [0, _] => 0,
                [first, 0] => first,
                [first, second] => 4 + 4 * (first - 1) + second,
            };
            1 + u16::from(letter - b'a') * COMBINATIONS + combination
        }

        fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
            let Some(word) = word.checked_sub(1) else { return Encoder { letter: None, marks: [0; 2] } };
            let marks = match (word % COMBINATIONS) as u8 {
                one @ 0..=4 => [one, 0],
                two => [(two - 5) / 4 + 1, (two - 5) % 4 + 1],
            };
            Encoder { letter: Some(b'a' + (word / COMBINATIONS) as u8), marks }
        }
    }
}

/// Three characters for a byte, as in TSCII, and an encoder that looks two characters ahead, where those of Big5-HKSCS
/// and JIS X 0213 look one ahead.
mod three_characters_for_a_byte {
    use super::*;

    pub(super) static CODEC: Codec = {
        static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder>();
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder>();
        Codec::new(&DECODER).with_encoder(&ENCODER).with_cut_rule(CutRule::Anywhere)
    };

    const KA: char = 'க';
    const VIRAMA: char = '\u{BCD}';
    const SSA: char = 'ஷ';

    /// How many of the characters of 0xA4 are returned. Until the last one, the byte is restored.
    #[derive(Clone, Copy)]
    struct Decoder(u8);

    impl DecoderHandler for Decoder {
        const STATES_BETWEEN: u8 = 3;
        const MAX_UNITS_PER_BYTE: u8 = 3;

        fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
            let returned = std::mem::take(&mut self.0);
            match (returned, byte) {
                (0..=1, Item::Value(0xA4)) => {
                    self.0 = returned + 1;
                    io_queue.restore(&[0xA4]);
                    HandlerResult::Items([KA, VIRAMA][usize::from(returned)].into())
                }
                (2, Item::Value(0xA4)) => HandlerResult::Items(SSA.into()),
                // Only a forged state leads here.
                (1 | 2, byte) => {
                    if let Item::Value(byte) = byte {
                        io_queue.restore(&[byte]);
                    }
                    HandlerResult::Items(SSA.into())
                }
                (_, Item::EndOfQueue) => HandlerResult::Finished,
                (_, Item::Value(byte @ 0..=0x7F)) => HandlerResult::Items(char::from(byte).into()),
                (_, Item::Value(0xA1)) => HandlerResult::Items(KA.into()),
                (_, Item::Value(0xA2)) => HandlerResult::Items(VIRAMA.into()),
                (_, Item::Value(0xA3)) => HandlerResult::Items(SSA.into()),
                (_, Item::Value(_)) => HandlerResult::Error(()),
            }
        }

        fn pending(&self) -> Bytes {
            Bytes::EMPTY
        }

        fn can_convert(&self) -> bool {
            self.0 == 0
        }

        fn pack(self) -> u64 {
            self.0.into()
        }

        fn unpack(_: &'static Codec, word: u64) -> Self {
            Decoder(word as u8)
        }
    }

    /// How many of the three characters are held.
    #[derive(Clone, Copy)]
    struct Encoder(u16);

    impl EncoderHandler for Encoder {
        const STATES: u16 = 3;
        const HAS_ASCII: bool = false;
        const KEEPS_STATE: bool = false;
        const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 2 };
        const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 2, per_code_unit: 4, at_end: 2 };

        fn handler<Q: Restore<char>>(
            &mut self,
            io_queue: &mut Q,
            code_point: Item<char>,
        ) -> HandlerResult<Bytes, char> {
            let held = std::mem::take(&mut self.0);
            match (held, code_point) {
                (0, Item::Value(KA)) | (1, Item::Value(VIRAMA)) => {
                    self.0 = held + 1;
                    HandlerResult::Continue
                }
                (2, Item::Value(SSA)) => HandlerResult::Items(0xA4.into()),
                (1..=2, code_point) => {
                    if let Item::Value(code_point) = code_point {
                        io_queue.restore(&[code_point]);
                    }
                    HandlerResult::Items([0xA1, 0xA2][..usize::from(held)].into())
                }
                (_, Item::Value(VIRAMA)) => HandlerResult::Items(0xA2.into()),
                (_, Item::Value(SSA)) => HandlerResult::Items(0xA3.into()),
                (_, Item::Value(code_point)) if code_point.is_ascii() => {
                    HandlerResult::Items((code_point as u8).into())
                }
                (_, Item::Value(code_point)) => HandlerResult::Error(code_point),
                (_, Item::EndOfQueue) => HandlerResult::Finished,
            }
        }

        fn pack(self) -> u16 {
            self.0
        }

        fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
            Encoder(word)
        }
    }
}

/// Sequences of up to seven bytes, as in UTF-7: `+`, then the code units of UTF-16 in base64, then `-` or another byte.
/// Bits that are left at the end of base64 are ignored.
mod sequences_of_seven_bytes {
    use super::*;

    pub(super) static CODEC: Codec = {
        static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder>();
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder>();
        Codec::new(&DECODER).with_encoder(&ENCODER).that_encodes_everything()
    };

    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789,/";

    /// The state between two characters: 0 is ASCII; then come the states in base64, by the bits that are left.
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
            1 => (0, 0),
            2..=5 => (2, state - 2),
            _ => (4, state - 6),
        }
    }

    const STATES: u8 = 22;

    #[derive(Clone, Copy)]
    struct Decoder {
        /// The state before the character.
        state: u64,
        /// The bytes of the character so far: `+` and digits.
        pending: Bytes,
    }

    impl Decoder {
        /// The bits of the character so far.
        fn bits(&self) -> (u32, u64) {
            let start = if self.state == 0 { (0, 0) } else { left(self.state) };
            self.pending
                .iter()
                .filter_map(|&byte| DIGITS.iter().position(|&digit| digit == byte))
                .fold(start, |(count, bits), digit| (count + 6, bits << 6 | digit as u64))
        }
    }

    impl DecoderHandler for Decoder {
        const UNCHANGED: Unchanged = Unchanged::Nothing;
        const STATES_BETWEEN: u8 = STATES;
        const STATE_BITS: u8 = 63;

        fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
            let is_amid = !self.pending.is_empty();
            let new = Decoder { state: 0, pending: Bytes::EMPTY };
            let Item::Value(byte) = byte else {
                *self = new;
                return if is_amid { HandlerResult::Error(()) } else { HandlerResult::Finished };
            };
            if self.state == 0 && !is_amid {
                return match byte {
                    b'+' => {
                        self.pending.push(byte);
                        HandlerResult::Continue
                    }
                    0..=0x7F => HandlerResult::Items(char::from(byte).into()),
                    _ => HandlerResult::Error(()),
                };
            }
            if !DIGITS.contains(&byte) {
                let is_plus = self.pending[..] == *b"+";
                *self = new;
                return match byte {
                    b'-' if is_plus => HandlerResult::Items('+'.into()),
                    b'-' if !is_amid => HandlerResult::Continue,
                    _ => {
                        io_queue.restore(&[byte]);
                        if is_amid { HandlerResult::Error(()) } else { HandlerResult::Continue }
                    }
                };
            }
            self.pending.push(byte);
            let (count, bits) = self.bits();
            let unit = |above: u32| (bits >> (count - above)) as u16;
            let (first, used) = match count {
                16.. if !matches!(unit(16), 0xD800..=0xDFFF) => (char::from_u32(unit(16).into()), 16),
                32.. => (char::decode_utf16([unit(16), unit(32)]).next().and_then(Result::ok), 32),
                16.. if matches!(unit(16), 0xDC00..=0xDFFF) => (None, 16),
                _ => return HandlerResult::Continue,
            };
            let rest = count - used;
            *self = Decoder { state: between(rest, bits & ((1 << rest) - 1)), pending: Bytes::EMPTY };
            first.map_or(HandlerResult::Error(()), |first| HandlerResult::Items(first.into()))
        }

        fn pending(&self) -> Bytes {
            self.pending
        }

        fn can_convert(&self) -> bool {
            self.state == 0 && self.pending.is_empty()
        }

        fn pack(self) -> u64 {
            // A byte for each pending byte: 1 for `+`, and a digit plus 2. The eighth byte is the state.
            let pending = self.pending.iter().rev().fold(0, |word, &byte| {
                let digit = DIGITS.iter().position(|&digit| digit == byte).map_or(1, |digit| digit as u64 + 2);
                word << 7 | digit
            });
            pending << 5 | self.state
        }

        fn unpack(_: &'static Codec, word: u64) -> Self {
            let (mut pending, mut rest) = (Bytes::EMPTY, word >> 5);
            while rest != 0 && pending.len() < Bytes::CAPACITY {
                pending.push(match rest & 0x7F {
                    1 => b'+',
                    digit => *DIGITS.get((digit as usize).wrapping_sub(2)).unwrap_or(&0),
                });
                rest >>= 7;
            }
            Decoder { state: word & 0x1F, pending }
        }
    }

    #[derive(Clone, Copy)]
    struct Encoder {
        state: u64,
    }

    impl EncoderHandler for Encoder {
        const STATES: u16 = STATES as u16;
        const HAS_ASCII: bool = false;
        const KEEPS_STATE: bool = false;
        const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 3 };
        const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 3, per_code_unit: 5, at_end: 3 };

        fn handler<Q: Restore<char>>(
            &mut self,
            io_queue: &mut Q,
            code_point: Item<char>,
        ) -> HandlerResult<Bytes, char> {
            let mut bytes = Bytes::EMPTY;
            let is_direct = |code_point: char| code_point.is_ascii() && code_point != '+';
            match code_point {
                Item::EndOfQueue if self.state == 0 => return HandlerResult::Finished,
                Item::Value('+') if self.state == 0 => return HandlerResult::Items([b'+', b'-'].into()),
                Item::Value(code_point) if self.state == 0 && is_direct(code_point) => {
                    return HandlerResult::Items((code_point as u8).into());
                }
                Item::Value(code_point) if !is_direct(code_point) => {
                    if self.state == 0 {
                        bytes.push(b'+');
                        self.state = 1;
                    }
                    let (mut count, mut bits) = left(self.state);
                    for unit in code_point.encode_utf16(&mut [0; 2]) {
                        (count, bits) = (count + 16, bits << 16 | u64::from(*unit));
                    }
                    while count >= 6 {
                        count -= 6;
                        bytes.push(DIGITS[(bits >> count & 0x3F) as usize]);
                    }
                    self.state = between(count, bits & ((1 << count) - 1));
                    return HandlerResult::Items(bytes);
                }
                Item::Value(code_point) => io_queue.restore(&[code_point]),
                Item::EndOfQueue => {}
            }
            let (count, bits) = left(self.state);
            if count > 0 {
                bytes.push(DIGITS[(bits << (6 - count) & 0x3F) as usize]);
            }
            bytes.push(b'-');
            self.state = 0;
            HandlerResult::Items(bytes)
        }

        fn pack(self) -> u16 {
            self.state as u16
        }

        fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
            Encoder { state: word.into() }
        }
    }
}

/// Shifts between single bytes and pairs, as in ISO-2022-KR and in EBCDIC with pairs: after 0x0E two bytes are a letter
/// of Hangul, until 0x0F.
mod shifts {
    use super::*;

    pub(super) static CODEC: Codec = {
        static DECODER: DecoderFunctions = DecoderFunctions::of::<Decoder>();
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder>();
        Codec::new(&DECODER).with_encoder(&ENCODER)
    };

    #[derive(Clone, Copy)]
    struct Decoder {
        is_shifted: bool,
        leading: u8,
    }

    impl DecoderHandler for Decoder {
        const UNCHANGED: Unchanged = Unchanged::UnshiftedAscii;
        const STATES_BETWEEN: u8 = 2;
        const STATE_BITS: u8 = 63;

        fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
            let leading = std::mem::take(&mut self.leading);
            match byte {
                Item::EndOfQueue if leading != 0 => HandlerResult::Error(()),
                Item::EndOfQueue => {
                    self.is_shifted = false;
                    HandlerResult::Finished
                }
                Item::Value(byte @ 0x21..=0x7E) if leading != 0 => {
                    let code_point = 0xAC00 + (u32::from(leading) - 0x21) * 94 + u32::from(byte) - 0x21;
                    HandlerResult::Items(char::from_u32(code_point).unwrap_or('\u{FFFD}').into())
                }
                Item::Value(byte) if leading != 0 => {
                    io_queue.restore(&[byte]);
                    HandlerResult::Error(())
                }
                Item::Value(byte @ 0x0E..=0x0F) => {
                    self.is_shifted = byte == 0x0E;
                    HandlerResult::Continue
                }
                Item::Value(byte @ 0x21..=0x7E) if self.is_shifted => {
                    self.leading = byte;
                    HandlerResult::Continue
                }
                Item::Value(byte) if byte.is_ascii() && byte != 0x1B => HandlerResult::Items(char::from(byte).into()),
                Item::Value(_) => HandlerResult::Error(()),
            }
        }

        fn pending(&self) -> Bytes {
            if self.leading == 0 { Bytes::EMPTY } else { self.leading.into() }
        }

        fn pack(self) -> u64 {
            u64::from(self.is_shifted) | u64::from(self.leading) << 8
        }

        fn unpack(_: &'static Codec, word: u64) -> Self {
            Decoder { is_shifted: word & 1 != 0, leading: (word >> 8) as u8 }
        }
    }

    #[derive(Clone, Copy)]
    struct Encoder {
        is_shifted: bool,
    }

    impl EncoderHandler for Encoder {
        const STATES: u16 = 2;
        const HAS_ASCII: bool = false;
        const KEEPS_STATE: bool = false;
        const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 5, per_code_unit: 9, at_end: 1 };
        const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 3, per_code_unit: 5, at_end: 1 };

        fn handler<Q: Restore<char>>(
            &mut self,
            io_queue: &mut Q,
            code_point: Item<char>,
        ) -> HandlerResult<Bytes, char> {
            let shift = |encoder: &mut Self, io_queue: &mut Q| {
                encoder.is_shifted = !encoder.is_shifted;
                if let Item::Value(code_point) = code_point {
                    io_queue.restore(&[code_point]);
                }
                HandlerResult::Items(if encoder.is_shifted { 0x0E } else { 0x0F }.into())
            };
            match code_point {
                Item::EndOfQueue if self.is_shifted => shift(self, io_queue),
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(code_point @ ('\u{E}' | '\u{F}' | '\u{1B}')) => HandlerResult::Error(code_point),
                Item::Value(code_point) if code_point.is_ascii() && self.is_shifted => shift(self, io_queue),
                Item::Value(code_point) if code_point.is_ascii() => HandlerResult::Items((code_point as u8).into()),
                Item::Value('\u{AC00}'..'\u{CE84}') if !self.is_shifted => shift(self, io_queue),
                Item::Value(code_point @ '\u{AC00}'..'\u{CE84}') => {
                    let number = code_point as u32 - 0xAC00;
                    HandlerResult::Items([0x21 + (number / 94) as u8, 0x21 + (number % 94) as u8].into())
                }
                // A character reference is ASCII.
                Item::Value(_) if self.is_shifted => shift(self, io_queue),
                Item::Value(code_point) => HandlerResult::Error(code_point),
            }
        }

        fn pack(self) -> u16 {
            self.is_shifted.into()
        }

        fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
            Encoder { is_shifted: word != 0 }
        }
    }
}

/// ASCII without one character, as in EBCDIC, ISO 646 and the alphabet of GSM. The selector is the missing character.
mod ascii_without_a_character {
    use super::*;

    pub(super) static CODEC: Codec = {
        static ENCODER: EncoderHalf = EncoderHalf::new::<Encoder>();
        // Only the encoder is tested.
        shifts::CODEC.decoding_half().with_encoder(&ENCODER)
    };

    #[derive(Clone, Copy)]
    struct Encoder {
        missing: u8,
    }

    impl Encoder {
        fn byte(self, code_point: char) -> Option<u8> {
            let byte = u8::try_from(code_point).ok()?;
            (byte.is_ascii() && byte != self.missing).then_some(byte)
        }
    }

    impl EncoderHandler for Encoder {
        const STATES: u16 = 128;
        const HAS_ASCII: bool = false;
        const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 6, per_code_unit: 8, at_end: 0 };

        fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
            match code_point {
                Item::EndOfQueue => HandlerResult::Finished,
                Item::Value(code_point) => match self.byte(code_point) {
                    Some(byte) => HandlerResult::Items(byte.into()),
                    None => HandlerResult::Error(code_point),
                },
            }
        }

        fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
            let byte = |unit: &u16| self.byte(char::from_u32((*unit).into())?);
            let count = source.iter().map_while(byte).zip(destination).map(|(byte, to)| *to = byte).count();
            (count, count)
        }

        fn pack(self) -> u16 {
            self.missing.into()
        }

        fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
            Encoder { missing: word as u8 }
        }
    }
}

#[test]
fn marks_before_their_base_pass_the_battery() {
    let subject = Subject::new("marks before their base", &marks_before_their_base::CODEC, 4);
    battery(subject, b"ab!\xE1\xE3\xE4\xFF", "abcz!é\u{300}\u{301}\u{302}\u{303}あ");
    check_texts(subject, &[(b"\xE2b\xE1\xE2a\xE1!\xE1", "b\u{301}a\u{300}\u{301}\u{FFFD}!\u{FFFD}")]);
    check_bytes(subject, &[("b\u{301}a\u{300}\u{301}é", b"\xE2b\xE1\xE2a&#233;"), ("b\u{301}", b"\xE2b")]);
}

#[test]
fn three_characters_for_a_byte_pass_the_battery() {
    let subject = Subject::new("three characters for a byte", &three_characters_for_a_byte::CODEC, 4);
    battery(subject, b"a\xA1\xA2\xA3\xA4\xFF", "aக\u{BCD}ஷé");
    check_texts(subject, &[(b"\xA4\xA1\xFF", "க\u{BCD}ஷக\u{FFFD}")]);
    check_bytes(subject, &[("க\u{BCD}ஷக\u{BCD}aக", b"\xA4\xA1\xA2a\xA1")]);
}

#[test]
fn sequences_of_seven_bytes_pass_the_battery() {
    let subject = Subject::new("sequences of seven bytes", &sequences_of_seven_bytes::CODEC, 7);
    battery(subject, b"a+-2PD,\xFF", "aéêëìíîïðñòóôõö÷ø+あ-\u{10FFFF}");
    check_texts(subject, &[(b"+AOk-+2D3cqQ-+-", "é\u{1F4A9}+"), (b"+2D3c!", "\u{FFFD}!")]);
    check_bytes(subject, &[("é\u{1F4A9}+a", b"+AOnYPdypACs-a"), ("é", b"+AOk-")]);
}

#[test]
fn shifts_pass_the_battery() {
    let subject = Subject::new("shifts", &shifts::CODEC, 4);
    battery(subject, b"a\x0E\x0F\x21\x7E\xFF\n", "a\n가힣각é\u{E}");
    check_texts(subject, &[(b"\x0E!!!\"\x0Fa", "가각a"), (b"\x0E!", "\u{FFFD}")]);
    check_bytes(subject, &[("가각a", b"\x0E!!!\"\x0Fa"), ("가é", b"\x0E!!\x0F&#233;")]);
}

#[test]
fn decoders_and_encoders_run_a_codec_without_a_name() {
    let codec = &shifts::CODEC;
    let mut text = String::new();
    let mut decoder = textcodec_core::Decoder::new(codec);
    let _ = decoder.decode_to_string(b"\x0E!!\xFF", &mut text, true, DecodeErrorMode::Replacement);
    assert_eq!(text, "가\u{FFFD}");
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(codec).expect("the codec has an encoder");
    let _ = encoder.encode_str_to_vec("가a", &mut bytes, true, EncodeErrorMode::Fatal);
    assert_eq!(bytes, b"\x0E!!\x0Fa");
    // A codec is no encoding: only a name of the Standard makes one of it.
    assert_eq!(Name::for_label(b"iso-2022-kr"), Ok(Name::Replacement));
}

#[test]
fn an_encoder_stops_if_any_character_of_a_reference_is_missing() {
    for missing in 0x00..=0x7F {
        let subject = Subject::new("ASCII without a character", &ascii_without_a_character::CODEC, 1);
        let subject = subject.with_selector(missing);
        check_encoder(subject, &format!("a{}bé", char::from(missing)));
        for character in ['é', 'ࠀ', '☃', '\u{FFFD}', char::MAX] {
            let (mut encoder, mut bytes) = (Encoder::new(subject).expect("the codec has an encoder"), Vec::new());
            let result = encoder.encode_str_to_vec(&String::from(character), &mut bytes, false, EncodeErrorMode::Html);
            let reference = format!("&#{};", u32::from(character));
            let expected = if reference.contains(char::from(missing)) { "" } else { &reference };
            let is_unmappable = matches!(result.status, EncodeStatus::Unmappable(_));
            assert_eq!(is_unmappable, expected.is_empty(), "{missing:02X}: {character:?}");
            assert_eq!(bytes, expected.as_bytes(), "{missing:02X}: {character:?}");
        }
    }
}

#[test]
fn only_sniffing_decoders_have_states_with_a_byte_order_mark() {
    #[derive(Clone, Copy)]
    struct Sniffed;

    impl Handle for Sniffed {
        fn codec(self) -> &'static Codec {
            &shifts::CODEC
        }

        fn selector(self) -> u8 {
            0
        }

        fn of_bom(_: Bom) -> Option<Self> {
            Some(Sniffed)
        }
    }

    type Decoder = textcodec_core::Decoder<Sniffed>;
    for (bom, stage) in (0..=4).flat_map(|bom| [(bom, 0), (bom, 2)]) {
        let state = [0, 3, u64::from_le_bytes([0, 0, 0, 0, stage, bom, 0, 0])];
        let is_taken = |mut decoder: Decoder| decoder.resume(state.into()).is_ok();
        let found = [Decoder::new(Sniffed), Decoder::removing_bom(Sniffed), Decoder::sniffing(Sniffed)].map(is_taken);
        assert_eq!(found, [bom == 0, bom == 0, bom <= 3], "{state:X?}");
    }
}

#[test]
fn an_encoding_is_shown_by_its_name_which_fills_a_width() {
    static ENCODING: Encoding = shifts::CODEC.decoding_half().named(Name::Iso2022Jp);
    for name in Name::ALL {
        let text = name.as_str();
        assert_eq!(format!("{name}|{name:>16}|{name:<16}|"), format!("{text}|{text:>16}|{text:<16}|"));
    }
    for bom in Bom::ALL {
        let text = bom.name().as_str();
        assert_eq!(format!("{bom}|{bom:>16}|{bom:<16}|"), format!("{text}|{text:>16}|{text:<16}|"));
    }
    assert_eq!(format!("{ENCODING}|{ENCODING:>13}|{ENCODING:<13}|"), "ISO-2022-JP|  ISO-2022-JP|ISO-2022-JP  |");
    assert_eq!(format!("{ENCODING:?}"), "Encoding(ISO-2022-JP)");
    let (codec, half) = (&shifts::CODEC, shifts::CODEC.encoder().expect("the codec has an encoder"));
    assert_eq!(format!("{codec:?}, {half:?}"), "Codec { .. }, EncoderHalf { .. }");
    assert_eq!(format!("{:?}, {:?}", Bytes::from([0x0F, 0xA0]), Bytes::EMPTY), "[0F, A0], []");
}

#[test]
fn encodings_are_equal_and_have_equal_hashes_if_their_names_are_equal() {
    static ENCODINGS: [Encoding; 4] = [
        shifts::CODEC.decoding_half().named(Name::EucKr),
        three_characters_for_a_byte::CODEC.decoding_half().named(Name::EucKr),
        shifts::CODEC.decoding_half().named(Name::Big5),
        shifts::CODEC.decoding_half().named(Name::Utf8),
    ];
    let hash = |encoding: &Encoding| {
        let mut hasher = DefaultHasher::new();
        encoding.hash(&mut hasher);
        hasher.finish()
    };
    for one in &ENCODINGS {
        for other in &ENCODINGS {
            let has_same_name = one.name() == other.name();
            assert_eq!((one == other, hash(one) == hash(other)), (has_same_name, has_same_name), "{one} and {other}");
        }
    }
}
