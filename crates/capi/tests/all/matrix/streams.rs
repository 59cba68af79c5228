//! Decoders and encoders, for whole texts and for streams.

use std::ptr::null_mut;

use textcodec::{
    DecodeErrorMode, DecodeResult, DecodeStatus, DecoderState, EncodeErrorMode, EncodeResult, EncodeStatus,
};
use textcodec_capi as capi;
use textcodec_core::{Decoder, Encoder};

use super::{Coded, NO_ENCODINGS, parts};

/// Sequences of several encodings, whole, cut off and malformed, with byte order marks, escapes and shifts.
const SOURCES: [&[u8]; 14] = [
    b"",
    b"a",
    b"ab\xFFc",
    b"\xE2\x82",
    b"\xEF\xBB\xBFa\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xFF\xFEa\0\x3D\xD8",
    b"\xFE\xFF\0a\xD8\x3D\xDE\0",
    b"\x83\x65!\x88\x62\xA4\xA4\x82\xF5",
    b"\x1B$B%F\x1B(B\x80\x1B$",
    b"\x81\x30\x81\x30\x84\x31\xA5\x30a",
    b"\xF0\x9F\x98\x80\xF0\x9F",
    b"\x0E\x44\x81\x0F\xC1\x15",
    b"+AGE-\0\0\0a\0\x11\0\0",
];

/// Bits that decoders ignore. Encoders also know 4.
const NOISE: u32 = !(capi::TEXTCODEC_LAST | capi::TEXTCODEC_FATAL | capi::TEXTCODEC_UNCOUNTED);

/// Flags for the greatest lengths, of which only `TEXTCODEC_FATAL` has a meaning.
const FLAGS_OF_LENGTHS: [u32; 6] = [
    0,
    capi::TEXTCODEC_FATAL,
    capi::TEXTCODEC_LAST | capi::TEXTCODEC_UNCOUNTED,
    NOISE,
    !capi::TEXTCODEC_FATAL,
    u32::MAX,
];

/// The result without an error.
fn result(status: u32, read: usize, written: usize, had_errors: bool) -> capi::textcodec_result {
    capi::textcodec_result {
        read,
        written,
        error_offset: 0,
        error_length: 0,
        error_bytes: [0; 7],
        code_point: 0,
        status: status as u8,
        had_errors,
        reserved: [0; 2],
    }
}

/// A decoder of C beside that of Rust. Text of both forms is compared as code units of 32 bits.
#[derive(Clone)]
struct DecoderPair {
    own: [u64; 8],
    model: Decoder<Coded>,
    number: u32,
}

impl DecoderPair {
    fn new(number: u32, coded: Coded, handling: u32) -> Self {
        Self::at([0; 8], number, coded, handling)
    }

    /// Makes a decoder in a struct that can have another one.
    fn at(mut own: [u64; 8], number: u32, coded: Coded, handling: u32) -> Self {
        // SAFETY: the struct has eight words.
        let status = unsafe { capi::textcodec_decoder_init(own.as_mut_ptr().cast(), number, handling) };
        assert_eq!(status, capi::TEXTCODEC_OK);
        let model = match handling {
            capi::TEXTCODEC_BOM_SNIFF => Decoder::sniffing(coded),
            capi::TEXTCODEC_BOM_REMOVE => Decoder::removing_bom(coded),
            _ => Decoder::new(coded),
        };
        DecoderPair { own, model, number }
    }

    /// Decodes with both, compares everything, and returns the result.
    fn decode(&mut self, bytes: &[u8], capacity: usize, flags: u32, wide: bool) -> capi::textcodec_result {
        let mode =
            if flags & capi::TEXTCODEC_FATAL == 0 { DecodeErrorMode::Replacement } else { DecodeErrorMode::Fatal };
        let last = flags & capi::TEXTCODEC_LAST != 0;
        let ((pointer, length), decoder) = (parts(bytes), self.own.as_mut_ptr().cast());
        let (found, expected);
        if wide {
            let (mut own, mut text) = (vec![0x5555; capacity + 1], vec![0; capacity]);
            let destination = if capacity == 0 { null_mut() } else { own.as_mut_ptr() };
            // SAFETY: the pointers and the lengths are those of the bytes and of the text.
            found = unsafe {
                capi::textcodec_decoder_utf16(decoder, pointer.cast(), length, destination, capacity.max(1), flags)
            };
            expected = self.model.decode_to_utf16(bytes, &mut text, last, mode);
            assert_eq!((&own[..expected.written], own[capacity]), (&text[..expected.written], 0x5555));
        } else {
            let (mut own, mut text) = (vec![0x55_u8; capacity + 1], vec![0; capacity]);
            let destination = if capacity == 0 { null_mut() } else { own.as_mut_ptr() };
            // SAFETY: as above.
            found = unsafe {
                let capacity = capacity.max(1);
                capi::textcodec_decoder_utf8(decoder, pointer.cast(), length, destination.cast(), capacity, flags)
            };
            expected = self.model.decode_to_utf8(bytes, &mut text, last, mode);
            assert_eq!((&own[..expected.written], own[capacity]), (&text[..expected.written], 0x55));
        }
        assert_eq!(found, of_decoder(expected), "{bytes:02X?} into {capacity}, {flags:X}, {wide}: {:?}", self.model);
        self.compare();
        found
    }

    /// Compares what the functions say about the stream.
    fn compare(&self) {
        let decoder = self.own.as_ptr().cast();
        let number = match self.model.encoding() {
            Coded::Standard(encoding) => Coded::number(encoding),
            Coded::Charset(_) => self.number,
        };
        // SAFETY: the decoder is made.
        let found = unsafe {
            let places = [capi::textcodec_decoder_position(decoder), capi::textcodec_decoder_sequence_start(decoder)];
            (capi::textcodec_decoder_encoding(decoder), places)
        };
        assert_eq!(found, (number, [self.model.position(), self.model.sequence_start()]), "{:?}", self.model);
        for length in [0, 1, 7, usize::MAX / 4, usize::MAX] {
            // SAFETY: the decoder is made.
            let found = unsafe {
                [
                    capi::textcodec_decoder_max_utf8_length(decoder, length),
                    capi::textcodec_decoder_max_utf16_length(decoder, length),
                ]
            };
            let expected = [self.model.max_utf8_length(length), self.model.max_utf16_length(length)];
            assert_eq!(found, expected.map(|length| length.unwrap_or(usize::MAX)), "{:?}", self.model);
        }
    }

    /// The state that C writes, which is that of Rust.
    fn save(&self) -> capi::textcodec_state {
        let mut state = capi::textcodec_state { words: [7; 4] };
        // SAFETY: the decoder is made.
        let status = unsafe { capi::textcodec_decoder_save(self.own.as_ptr().cast(), &raw mut state) };
        let [first, second, third] = self.model.stream_state().into();
        assert_eq!((status, state.words), (capi::TEXTCODEC_OK, [first, second, third, 0]));
        state
    }

    /// Continues the stream of a state, which decoders made in the same way can have or not.
    fn restore(&mut self, state: &capi::textcodec_state) -> u32 {
        let before = self.own;
        // SAFETY: the decoder is made.
        let status = unsafe { capi::textcodec_decoder_restore(self.own.as_mut_ptr().cast(), state) };
        let [words @ .., extra] = state.words;
        let is_possible = extra == 0 && self.model.resume(DecoderState::from(words)).is_ok();
        assert_eq!(status, if is_possible { capi::TEXTCODEC_OK } else { capi::TEXTCODEC_INVALID });
        assert!(is_possible || self.own == before, "a refused state changes nothing");
        self.compare();
        status
    }

    fn reset(&mut self) {
        // SAFETY: the decoder is made.
        unsafe { capi::textcodec_decoder_reset(self.own.as_mut_ptr().cast()) };
        self.model.reset();
        self.compare();
    }
}

fn of_decoder(expected: DecodeResult) -> capi::textcodec_result {
    let with = |status| result(status, expected.read, expected.written, expected.had_errors);
    match expected.status {
        DecodeStatus::InputEmpty => with(capi::TEXTCODEC_OK),
        DecodeStatus::OutputFull => with(capi::TEXTCODEC_OUTPUT_FULL),
        DecodeStatus::Malformed(error) => {
            let mut error_bytes = [0; 7];
            error_bytes[..error.bytes().len()].copy_from_slice(error.bytes());
            let (error_offset, error_length) = (error.offset, error.bytes().len() as u8);
            capi::textcodec_result { error_offset, error_length, error_bytes, ..with(capi::TEXTCODEC_MALFORMED) }
        }
    }
}

#[test]
fn a_stream_is_decoded_as_in_rust_whatever_happens_between_two_calls() {
    let mut own = [0; 8];
    for (number, coded) in Coded::all() {
        for (round, handling) in (0..3).flat_map(|handling| [(handling, handling), (handling + 1, handling)]) {
            let mut pair = DecoderPair::at(own, number, coded, handling);
            pair.compare();
            let mut place = round as usize;
            for source in SOURCES {
                let mut rest = source;
                loop {
                    place += 1;
                    // The stream ends after some of the sources, and goes on after others.
                    let piece = rest.len().min([1, 3, 0, 2, 9][place % 5]);
                    let is_end = piece == rest.len() && source.len() % 3 != 2;
                    let flags =
                        [0, capi::TEXTCODEC_FATAL][place / 3 % 2] | if is_end { capi::TEXTCODEC_LAST } else { 0 };
                    let flags = flags | if place.is_multiple_of(4) { NOISE | capi::TEXTCODEC_UNCOUNTED } else { 0 };
                    let capacity = [0, 16, 1, 2, 3, 64, 4][place % 7];
                    let result = pair.decode(&rest[..piece], capacity, flags, place.is_multiple_of(2));
                    rest = &rest[result.read..];
                    match place % 6 {
                        0 => pair = pair.clone(),
                        1 => {
                            let state = pair.save();
                            let mut other = DecoderPair::new(number, coded, handling);
                            assert_eq!(other.restore(&state), capi::TEXTCODEC_OK);
                            pair = other;
                        }
                        2 if place.is_multiple_of(5) => pair.reset(),
                        3 if place.is_multiple_of(5) => pair = DecoderPair::at(pair.own, number, coded, handling),
                        _ => {}
                    }
                    if rest.is_empty() && result.status == capi::TEXTCODEC_OK as u8 {
                        break;
                    }
                }
            }
            for words in [[u64::MAX; 4], [0, 1, 2, 3], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 3 << 24, 0], [0, 99, 0, 0]] {
                pair.restore(&capi::textcodec_state { words });
            }
            own = pair.own;
        }
    }
}

#[test]
fn whole_texts_are_decoded_as_in_rust_into_destinations_of_every_size() {
    for (number, coded) in Coded::all() {
        for (source, handling) in SOURCES.iter().flat_map(|source| (0..3).map(move |handling| (source, handling))) {
            for flags in [0, capi::TEXTCODEC_FATAL, capi::TEXTCODEC_LAST, capi::TEXTCODEC_FATAL | NOISE] {
                let is_charset = matches!(coded, Coded::Charset(_));
                for &capacity in if is_charset { &[0, 4, 64][..] } else { &[0, 1, 2, 3, 5, 8, 64] } {
                    let mut pair = DecoderPair::new(number, coded, handling);
                    let expected = pair.decode(source, capacity, flags | capi::TEXTCODEC_LAST, false);
                    let (pointer, length) = parts(source);
                    let mut text = [0_u8; 64];
                    // SAFETY: the pointers and the lengths are those of the bytes and of the text.
                    let found = unsafe {
                        let text = text.as_mut_ptr().cast();
                        capi::textcodec_decode_utf8(number, handling, pointer.cast(), length, text, capacity, flags)
                    };
                    assert_eq!(found, expected, "{source:02X?} in {}", coded.name());
                    let mut pair = DecoderPair::new(number, coded, handling);
                    let expected = pair.decode(source, capacity, flags | capi::TEXTCODEC_LAST, true);
                    let mut text = [0_u16; 64];
                    // SAFETY: as above.
                    let found = unsafe {
                        let text = text.as_mut_ptr();
                        capi::textcodec_decode_utf16(number, handling, pointer.cast(), length, text, capacity, flags)
                    };
                    assert_eq!(found, expected, "{source:02X?} in {}", coded.name());
                }
            }
        }
        let sniffing = Decoder::sniffing(coded);
        for length in [0, 1, 10, usize::MAX / 3, usize::MAX] {
            let found =
                [capi::textcodec_max_utf8_length(number, length), capi::textcodec_max_utf16_length(number, length)];
            let expected = [sniffing.max_utf8_length(length), sniffing.max_utf16_length(length)];
            assert_eq!(found, expected.map(|length| length.unwrap_or(usize::MAX)), "{}", coded.name());
        }
    }
}

/// An encoder of C beside that of Rust.
#[derive(Clone)]
struct EncoderPair {
    own: [u64; 8],
    model: Encoder<Coded>,
    position: u64,
    has_ended: bool,
}

impl EncoderPair {
    fn new(number: u32, coded: Coded) -> Option<Self> {
        Self::at([0; 8], number, coded)
    }

    /// Makes an encoder in a struct that can have another one.
    fn at(mut own: [u64; 8], number: u32, coded: Coded) -> Option<Self> {
        let before = own;
        // SAFETY: the struct has eight words.
        let status = unsafe { capi::textcodec_encoder_init(own.as_mut_ptr().cast(), number) };
        let model = Encoder::new(coded).filter(|_| coded.has_encoder());
        assert_eq!(status, if model.is_some() { capi::TEXTCODEC_OK } else { capi::TEXTCODEC_INVALID });
        assert!(model.is_some() || own == before);
        Some(EncoderPair { own, model: model?, position: 0, has_ended: false })
    }

    /// Encodes whole characters with both, compares everything, and returns the result.
    fn encode(&mut self, source: Text<'_>, capacity: usize, flags: u32) -> capi::textcodec_result {
        let mode = if flags & capi::TEXTCODEC_FATAL == 0 { EncodeErrorMode::Html } else { EncodeErrorMode::Fatal };
        let last = flags & capi::TEXTCODEC_LAST != 0;
        let (mut own, mut bytes) = (vec![0x55_u8; capacity + 1], vec![0; capacity]);
        let (destination, encoder) =
            (if capacity == 0 { null_mut() } else { own.as_mut_ptr() }, self.own.as_mut_ptr().cast());
        let space = capacity.max(1);
        let before = self.model.position();
        let (found, expected) = match source {
            Text::Utf8(text) => {
                let (pointer, length) = parts(text.as_bytes());
                let pointer = pointer.cast();
                // SAFETY: the pointers and the lengths are those of the text and of the bytes.
                let found =
                    unsafe { capi::textcodec_encoder_utf8(encoder, pointer, length, destination.cast(), space, flags) };
                (found, self.model.encode_str(text, &mut bytes, last, mode))
            }
            Text::Utf16(text) => {
                let (pointer, length) = parts(text);
                // SAFETY: as above.
                let found = unsafe {
                    capi::textcodec_encoder_utf16(encoder, pointer, length, destination.cast(), space, flags)
                };
                (found, self.model.encode_utf16(text, &mut bytes, last, mode))
            }
        };
        assert_eq!((&own[..expected.written], own[capacity]), (&bytes[..expected.written], 0x55));
        if std::mem::take(&mut self.has_ended) {
            self.position = 0;
        }
        let counts = flags & capi::TEXTCODEC_UNCOUNTED == 0;
        self.position += if counts { expected.read as u64 } else { 0 };
        self.has_ended = last && expected.status == EncodeStatus::InputEmpty;
        assert_eq!(found, self.expected(expected, counts), "{source:?} after {before}, {flags:X}: {:?}", self.model);
        self.compare();
        found
    }

    fn expected(&self, expected: EncodeResult, counts: bool) -> capi::textcodec_result {
        let with = |status| result(status, expected.read, expected.written, expected.had_errors);
        match expected.status {
            EncodeStatus::InputEmpty => with(capi::TEXTCODEC_OK),
            EncodeStatus::OutputFull => with(capi::TEXTCODEC_OUTPUT_FULL),
            EncodeStatus::Unmappable(error) => {
                let length = self.model.position() - error.offset;
                let error_offset = self.position.saturating_sub(if counts { length } else { 0 });
                let (error_length, code_point) = (length as u8, error.code_point.into());
                capi::textcodec_result { error_offset, error_length, code_point, ..with(capi::TEXTCODEC_UNMAPPABLE) }
            }
        }
    }

    /// Compares what the functions say about the stream.
    fn compare(&self) {
        let encoder = self.own.as_ptr().cast();
        // SAFETY: the encoder is made.
        let found = unsafe {
            let has_pending_state = capi::textcodec_encoder_has_pending_state(encoder);
            (capi::textcodec_encoder_position(encoder), has_pending_state)
        };
        assert_eq!(found, (self.position, self.model.has_pending_state()), "{:?}", self.model);
        for (length, flags) in [0, 1, 7, usize::MAX / 8, usize::MAX]
            .into_iter()
            .flat_map(|length| FLAGS_OF_LENGTHS.map(|flags| (length, flags)))
        {
            // SAFETY: the encoder is made.
            let found = unsafe {
                [
                    capi::textcodec_encoder_max_length_from_utf8(encoder, length, flags),
                    capi::textcodec_encoder_max_length_from_utf16(encoder, length, flags),
                ]
            };
            assert_eq!(found, greatest(&self.model, length, flags), "{length}, {flags:X}: {:?}", self.model);
        }
    }

    fn save(&self) -> capi::textcodec_state {
        let mut state = capi::textcodec_state { words: [7; 4] };
        // SAFETY: the encoder is made.
        let status = unsafe { capi::textcodec_encoder_save(self.own.as_ptr().cast(), &raw mut state) };
        let [first, _, third] = self.model.stream_state().into();
        let [found, position, other, _] = state.words;
        assert_eq!((status, found, position, other), (capi::TEXTCODEC_OK, first, self.position, third));
        state
    }

    fn restore(&mut self, state: &capi::textcodec_state) -> u32 {
        // SAFETY: the encoder is made.
        unsafe { capi::textcodec_encoder_restore(self.own.as_mut_ptr().cast(), state) }
    }
}

/// The greatest lengths from UTF-8 and UTF-16. A malformed byte of UTF-8 can become U+FFFD, which is one code unit.
fn greatest(model: &Encoder<Coded>, length: usize, flags: u32) -> [usize; 2] {
    let lengths = match flags & capi::TEXTCODEC_FATAL {
        0 => [model.max_length_from_utf16(length, EncodeErrorMode::Html); 2],
        _ => [
            model.max_length_from_str(length, EncodeErrorMode::Fatal),
            model.max_length_from_utf16(length, EncodeErrorMode::Fatal),
        ],
    };
    lengths.map(|length| length.unwrap_or(usize::MAX))
}

#[derive(Clone, Copy, Debug)]
enum Text<'a> {
    Utf8(&'a str),
    Utf16(&'a [u16]),
}

impl<'a> Text<'a> {
    /// The first `count` units, or a few more so that no character is cut, and the rest.
    fn split(self, count: usize) -> (Self, Self) {
        match self {
            Text::Utf8(text) => {
                let cut = (count.min(text.len())..=text.len()).find(|&cut| text.is_char_boundary(cut)).unwrap();
                (Text::Utf8(&text[..cut]), Text::Utf8(&text[cut..]))
            }
            Text::Utf16(text) => {
                let (first, rest) = text.split_at(count.min(text.len()));
                (Text::Utf16(first), Text::Utf16(rest))
            }
        }
    }

    fn is_empty(self) -> bool {
        match self {
            Text::Utf8(text) => text.is_empty(),
            Text::Utf16(text) => text.is_empty(),
        }
    }

    fn after(self, read: usize) -> Self {
        match self {
            Text::Utf8(text) => Text::Utf8(&text[read..]),
            Text::Utf16(text) => Text::Utf16(&text[read..]),
        }
    }
}

const TEXTS: [&str; 7] =
    ["", "a", "aé☃テ", "テ한😀\u{E5E5}中", "\u{FFFD}~\\¥\u{E}b", "か゚ǭ\u{F7C0}Ж", "\u{FEFF}é\u{301}"];

#[test]
fn a_stream_is_encoded_as_in_rust_whatever_happens_between_two_calls() {
    let mut own = [0; 8];
    let unpaired: &[u16] = &[0xD83D, 0x61, 0xDE00, 0xD83D, 0xDE00, 0xD83D];
    for (number, coded) in Coded::all() {
        for round in 0..3 {
            let Some(mut pair) = EncoderPair::at(own, number, coded) else { break };
            pair.compare();
            // SAFETY: the encoder is made.
            assert_eq!(unsafe { capi::textcodec_encoder_encoding(pair.own.as_ptr().cast()) }, number);
            let mut place = round;
            for (source, text) in TEXTS.into_iter().enumerate() {
                let units: Vec<u16> = text.encode_utf16().collect();
                let whole = match (source + round) % 3 {
                    0 => Text::Utf16(&units),
                    1 => Text::Utf16(if source.is_multiple_of(2) { &units } else { unpaired }),
                    _ => Text::Utf8(text),
                };
                let mut rest = whole;
                loop {
                    place += 1;
                    let (piece, others) = rest.split([1, 3, 0, 2, 9][place % 5]);
                    let is_end = others.is_empty() && (source + round) % 4 != 2;
                    let flags =
                        [0, capi::TEXTCODEC_FATAL][place / 3 % 2] | if is_end { capi::TEXTCODEC_LAST } else { 0 };
                    let flags = flags | [0, capi::TEXTCODEC_UNCOUNTED, NOISE][place % 3];
                    let result = pair.encode(piece, [0, 16, 1, 2, 3, 64, 8, 4][place % 8], flags);
                    rest = rest.after(result.read);
                    match place % 6 {
                        0 => pair = pair.clone(),
                        1 => {
                            let state = pair.save();
                            let mut other = EncoderPair::new(number, coded).unwrap();
                            assert_eq!(other.restore(&state), capi::TEXTCODEC_OK);
                            pair = EncoderPair { own: other.own, ..pair };
                            pair.compare();
                        }
                        2 if place.is_multiple_of(5) => {
                            // SAFETY: the encoder is made.
                            unsafe { capi::textcodec_encoder_reset(pair.own.as_mut_ptr().cast()) };
                            pair = EncoderPair { own: pair.own, ..EncoderPair::new(number, coded).unwrap() };
                            pair.compare();
                        }
                        3 if place.is_multiple_of(5) => {
                            pair = EncoderPair::at(pair.own, number, coded).unwrap();
                            pair.compare();
                        }
                        _ => {}
                    }
                    if rest.is_empty() && result.status == capi::TEXTCODEC_OK as u8 {
                        break;
                    }
                }
            }
            // The kept bytes of a character must be the start of one, with zeros after them.
            for cut in [4 << 24, 1 << 24 | 0x61, 1 << 24 | 0x80E2, 2 << 24 | 0x61E2, 254 << 24, 1 << 32, 0x61] {
                let before = pair.own;
                assert_eq!(pair.restore(&capi::textcodec_state { words: [0, 9, 0, cut] }), capi::TEXTCODEC_INVALID);
                assert_eq!(pair.own, before, "a refused state changes nothing");
            }
            own = pair.own;
        }
    }
}

/// The model of an encoder for UTF-8 that can be malformed, and that sources can cut. Destinations have enough space.
struct Sources {
    encoder: Encoder<Coded>,
    position: u64,
    cut: Vec<u8>,
    has_ended: bool,
}

impl Sources {
    fn encode(&mut self, source: &[u8], flags: u32) -> (capi::textcodec_result, Vec<u8>) {
        let (last, counts) = (flags & capi::TEXTCODEC_LAST != 0, flags & capi::TEXTCODEC_UNCOUNTED == 0);
        let is_fatal = flags & capi::TEXTCODEC_FATAL != 0;
        let mode = if is_fatal { EncodeErrorMode::Fatal } else { EncodeErrorMode::Html };
        if std::mem::take(&mut self.has_ended) {
            self.position = 0;
        }
        let before = self.cut.len();
        let all = [&std::mem::take(&mut self.cut)[..], source].concat();
        let (mut at, mut bytes, mut had_errors) = (0, Vec::new(), false);
        let start = self.position;
        // The position after the units of `all` before `at`, and the result there.
        let stop = |position: &mut u64, status, at: usize, written, had_errors| {
            let read = at.saturating_sub(before);
            *position = start + if counts { read as u64 } else { 0 };
            result(status, read, written, had_errors)
        };
        loop {
            let rest = &all[at..];
            let (valid, malformed) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(error) => (
                    std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap(),
                    Some(error.error_len().ok_or(rest.len() - error.valid_up_to())),
                ),
            };
            let is_end = malformed.is_none() && last;
            let encoded = self.encoder.encode_str_to_vec(valid, &mut bytes, is_end, mode);
            had_errors |= encoded.had_errors;
            at += encoded.read;
            if let EncodeStatus::Unmappable(error) = encoded.status {
                let length = self.encoder.position() - error.offset;
                let stopped = stop(&mut self.position, capi::TEXTCODEC_UNMAPPABLE, at, bytes.len(), had_errors);
                let error_offset = self.position.saturating_sub(if counts { length } else { 0 });
                let (error_length, code_point) = (length as u8, error.code_point.into());
                return (capi::textcodec_result { error_offset, error_length, code_point, ..stopped }, bytes);
            }
            let length = match malformed {
                None => {
                    self.has_ended = last;
                    return (stop(&mut self.position, capi::TEXTCODEC_OK, at, bytes.len(), had_errors), bytes);
                }
                Some(Err(_)) if !last => {
                    self.cut = all[at..].to_vec();
                    return (stop(&mut self.position, capi::TEXTCODEC_OK, all.len(), bytes.len(), had_errors), bytes);
                }
                Some(Ok(length) | Err(length)) => length,
            };
            had_errors = true;
            at += length;
            if is_fatal {
                let stopped = stop(&mut self.position, capi::TEXTCODEC_MALFORMED, at, bytes.len(), had_errors);
                let mut error_bytes = [0; 7];
                error_bytes[..length].copy_from_slice(&all[at - length..at]);
                let error_offset = self.position.saturating_sub(if counts { length as u64 } else { 0 });
                return (
                    capi::textcodec_result { error_offset, error_length: length as u8, error_bytes, ..stopped },
                    bytes,
                );
            }
            let _ = self.encoder.encode_str_to_vec("\u{FFFD}", &mut bytes, false, mode);
        }
    }
}

impl Sources {
    /// Text in UTF-16, or the end of the stream, makes the start of a character in UTF-8 malformed.
    fn encode_utf16(&mut self, source: &[u16], flags: u32) -> (capi::textcodec_result, Vec<u8>) {
        let (last, counts) = (flags & capi::TEXTCODEC_LAST != 0, flags & capi::TEXTCODEC_UNCOUNTED == 0);
        if std::mem::take(&mut self.has_ended) {
            self.position = 0;
        }
        let (mut bytes, mut had_errors) = (Vec::new(), false);
        if !self.cut.is_empty() && (!source.is_empty() || last) {
            let cut = std::mem::take(&mut self.cut);
            had_errors = true;
            if flags & capi::TEXTCODEC_FATAL != 0 {
                let mut error_bytes = [0; 7];
                error_bytes[..cut.len()].copy_from_slice(&cut);
                let error_offset = self.position.saturating_sub(if counts { cut.len() as u64 } else { 0 });
                let stopped = result(capi::TEXTCODEC_MALFORMED, 0, 0, true);
                let error_length = cut.len() as u8;
                return (capi::textcodec_result { error_offset, error_length, error_bytes, ..stopped }, bytes);
            }
            let _ = self.encoder.encode_str_to_vec("\u{FFFD}", &mut bytes, false, EncodeErrorMode::Html);
        }
        // All of these characters are mappable.
        let encoded = self.encoder.encode_utf16_to_vec(source, &mut bytes, last, EncodeErrorMode::Html);
        assert!(!encoded.had_errors);
        self.position += if counts { encoded.read as u64 } else { 0 };
        self.has_ended = last;
        (result(capi::TEXTCODEC_OK, encoded.read, bytes.len(), had_errors), bytes)
    }
}

#[test]
fn sources_that_are_malformed_or_cut_characters_are_encoded_as_the_flags_say() {
    let texts: [&[u8]; 9] = [
        b"a\xE3\x83\x86\xFFb",
        b"\xC3\xA9\xE2\x98\x83\xF0\x9F\x98\x80",
        b"\xE2\x98(\x80\x80",
        b"\xF0\x9F\x98",
        b"\xED\xA0\x80z",
        b"\xC3",
        b"\xF4\x90\x80\x80",
        b"",
        b"\xE3\x83\x86\xE3\x83",
    ];
    for (number, coded) in Coded::all().into_iter().take(40).filter(|(_, coded)| coded.has_encoder()) {
        for (size, first) in (1..=6).flat_map(|size| (0..8).map(move |flags| (size, flags))) {
            let mut own = EncoderPair::new(number, coded).unwrap().own;
            let encoder = Encoder::new(coded).unwrap();
            let mut model = Sources { encoder, position: 0, cut: Vec::new(), has_ended: false };
            for (place, text) in texts.into_iter().enumerate() {
                let mut rest = text;
                loop {
                    let piece = &rest[..rest.len().min(size)];
                    // The flags are those of the first call and, in the other texts, all others.
                    let flags = ((first + place as u32) % 8) & !capi::TEXTCODEC_LAST;
                    let is_end = piece.len() == rest.len() && first & capi::TEXTCODEC_LAST != 0;
                    let flags = flags | if is_end { capi::TEXTCODEC_LAST } else { 0 };
                    let mut bytes = [0_u8; 128];
                    let (pointer, length) = parts(piece);
                    let destination = bytes.as_mut_ptr().cast();
                    let pointers = own.as_mut_ptr().cast();
                    // SAFETY: the encoder is made, and the pointers and the lengths are theirs.
                    let found = unsafe {
                        capi::textcodec_encoder_utf8(pointers, pointer.cast(), length, destination, 128, flags)
                    };
                    let (expected, written) = model.encode(piece, flags);
                    let name = coded.name();
                    assert_eq!(
                        (found, &bytes[..found.written]),
                        (expected, &written[..]),
                        "{piece:02X?}, {flags}, {name}"
                    );
                    // SAFETY: the encoder is made.
                    let (position, has_pending_state) = unsafe {
                        (
                            capi::textcodec_encoder_position(pointers),
                            capi::textcodec_encoder_has_pending_state(pointers),
                        )
                    };
                    let is_pending = model.encoder.has_pending_state() || !model.cut.is_empty();
                    assert_eq!(
                        (position, has_pending_state),
                        (model.position, is_pending),
                        "{piece:02X?}, {flags}, {name}"
                    );
                    for flags in FLAGS_OF_LENGTHS {
                        // SAFETY: the encoder is made.
                        let found = unsafe {
                            [
                                capi::textcodec_encoder_max_length_from_utf8(pointers, 5, flags),
                                capi::textcodec_encoder_max_length_from_utf16(pointers, 5, flags),
                            ]
                        };
                        assert_eq!(found, greatest(&model.encoder, 5 + model.cut.len(), flags), "{flags:X}, {name}");
                    }
                    // A saved state goes on in another encoder, and an encoder that is reset is as a new one.
                    let mut state = capi::textcodec_state { words: [7; 4] };
                    let (mut other, mut reset) = (EncoderPair::new(number, coded).unwrap().own, own);
                    // SAFETY: the encoder is made.
                    unsafe { capi::textcodec_encoder_reset(reset.as_mut_ptr().cast()) };
                    let new = EncoderPair::new(number, coded).unwrap();
                    EncoderPair { own: reset, ..new.clone() }.compare();
                    assert_eq!(
                        EncoderPair { own: reset, ..new.clone() }.save(),
                        new.save(),
                        "{piece:02X?}, {flags}, {name}"
                    );
                    // SAFETY: both encoders are made.
                    let statuses = unsafe {
                        let saved = capi::textcodec_encoder_save(pointers, &raw mut state);
                        [saved, capi::textcodec_encoder_restore(other.as_mut_ptr().cast(), &raw const state)]
                    };
                    assert_eq!(statuses, [capi::TEXTCODEC_OK; 2], "{piece:02X?}, {flags}, {name}");
                    own = other;
                    if (place + size + first as usize).is_multiple_of(3) && (is_end || rest.len() % 2 == 0) {
                        let units: &[u16] = if rest.len().is_multiple_of(4) { &[] } else { &[0x61, 0x62] };
                        let mut bytes = [0_u8; 128];
                        let (pointer, length) = parts(units);
                        let (destination, pointers) = (bytes.as_mut_ptr().cast(), own.as_mut_ptr().cast());
                        let flags = first;
                        // SAFETY: the encoder is made, and the pointers and the lengths are theirs.
                        let found = unsafe {
                            capi::textcodec_encoder_utf16(pointers, pointer, length, destination, 128, flags)
                        };
                        let (expected, written) = model.encode_utf16(units, flags);
                        assert_eq!((found, &bytes[..found.written]), (expected, &written[..]), "{flags}, {name}");
                        // SAFETY: the encoder is made.
                        assert_eq!(unsafe { capi::textcodec_encoder_position(pointers) }, model.position);
                    }
                    rest = &rest[found.read..];
                    if rest.is_empty() && found.status == capi::TEXTCODEC_OK as u8 {
                        break;
                    }
                }
            }
        }
    }
}

/// The library checks and encodes long texts in pieces.
#[test]
fn a_long_text_is_encoded_to_its_last_character() {
    for (number, coded) in Coded::all().into_iter().take(40).filter(|(_, coded)| coded.has_encoder()) {
        for (text, length) in
            ["a", "aé☃テ", "한😀"].into_iter().flat_map(|text| [16_383, 16_385, 32_769].map(|length| (text, length)))
        {
            let text = format!("{}z", text.repeat(length / text.len()));
            for flags in [capi::TEXTCODEC_LAST, 0] {
                for capacity in [300_000, 20_000, 16_383] {
                    let mut pair = EncoderPair::new(number, coded).unwrap();
                    let mut rest = Text::Utf8(&text);
                    let (mut own, mut model) = (Vec::new(), pair.model);
                    let mut expected = Vec::new();
                    let encoded = model.encode_str_to_vec(&text, &mut expected, flags != 0, EncodeErrorMode::Html);
                    loop {
                        let mut bytes = vec![0_u8; capacity];
                        let Text::Utf8(piece) = rest else { unreachable!() };
                        let (pointer, length) = parts(piece.as_bytes());
                        // SAFETY: the encoder is made, and the pointers and the lengths are theirs.
                        let found = unsafe {
                            let encoder = pair.own.as_mut_ptr().cast();
                            let destination = bytes.as_mut_ptr().cast();
                            capi::textcodec_encoder_utf8(encoder, pointer.cast(), length, destination, capacity, flags)
                        };
                        own.extend_from_slice(&bytes[..found.written]);
                        rest = rest.after(found.read);
                        if found.status == capi::TEXTCODEC_OK as u8 {
                            break;
                        }
                        assert_eq!(found.status, capi::TEXTCODEC_OUTPUT_FULL as u8);
                    }
                    assert!(own == expected && rest.is_empty() && encoded.read == text.len(), "{}", coded.name());
                }
            }
        }
    }
}

#[test]
fn whole_texts_are_encoded_as_in_rust_into_destinations_of_every_size() {
    for (number, coded) in Coded::all() {
        for text in TEXTS {
            let units: Vec<u16> = text.encode_utf16().collect();
            for flags in [0, capi::TEXTCODEC_FATAL, capi::TEXTCODEC_LAST, !capi::TEXTCODEC_FATAL, u32::MAX] {
                // All other flags have no meaning here.
                let of_stream = flags & capi::TEXTCODEC_FATAL | capi::TEXTCODEC_LAST;
                for capacity in [0, 1, 2, 3, 5, 8, 13, 64] {
                    let mut expected = [result(capi::TEXTCODEC_INVALID, 0, 0, false); 2];
                    if let Some(pair) = EncoderPair::new(number, coded) {
                        let whole = |source| pair.clone().encode(source, capacity, of_stream);
                        expected = [Text::Utf8(text), Text::Utf16(&units)].map(whole);
                    }
                    let mut bytes = [0_u8; 64];
                    let ((text, length), (units, count)) = (parts(text.as_bytes()), parts(&units));
                    let bytes = bytes.as_mut_ptr().cast();
                    // SAFETY: the pointers and the lengths are those of the text and of the bytes.
                    let found = unsafe {
                        [
                            capi::textcodec_encode_utf8(number, text.cast(), length, bytes, capacity, flags),
                            capi::textcodec_encode_utf16(number, units, count, bytes, capacity, flags),
                        ]
                    };
                    assert_eq!(found, expected, "{}, {capacity}, {flags:X}", coded.name());
                }
            }
        }
        for length in [0, 1, 10, usize::MAX / 16, usize::MAX] {
            for flags in FLAGS_OF_LENGTHS {
                let found = [
                    capi::textcodec_max_length_from_utf8(number, length, flags),
                    capi::textcodec_max_length_from_utf16(number, length, flags),
                ];
                let model = Encoder::new(coded).filter(|_| coded.has_encoder());
                let expected = model.map_or([usize::MAX; 2], |model| greatest(&model, length, flags));
                assert_eq!(found, expected, "{}, {length}, {flags:X}", coded.name());
            }
        }
    }
}

#[test]
fn numbers_that_mean_nothing_and_structs_that_are_not_made_are_refused() {
    let invalid = result(capi::TEXTCODEC_INVALID, 0, 0, false);
    let all = Coded::all().into_iter().map(|(number, _)| number);
    for (number, handling) in all
        .flat_map(|number| [3, 4, 256, u32::MAX].map(|handling| (number, handling)))
        .chain(NO_ENCODINGS.map(|number| (number, 0)))
    {
        let (mut text, mut units, mut words) = ([0x55_u8; 4], [0x55_u16; 4], [7_u64; 8]);
        // SAFETY: the pointers and the lengths are those of the texts. The struct has eight words.
        let found = unsafe {
            assert_eq!(
                capi::textcodec_decoder_init(words.as_mut_ptr().cast(), number, handling),
                capi::TEXTCODEC_INVALID
            );
            [
                capi::textcodec_decode_utf8(number, handling, b"a".as_ptr().cast(), 1, text.as_mut_ptr().cast(), 4, 0),
                capi::textcodec_decode_utf16(number, handling, b"a".as_ptr().cast(), 1, units.as_mut_ptr(), 4, 0),
            ]
        };
        assert_eq!((found, text, units, words), ([invalid; 2], [0x55; 4], [0x55; 4], [7; 8]), "{number}, {handling}");
    }
    for number in NO_ENCODINGS {
        let (mut bytes, mut words) = ([0x55_u8; 4], [7_u64; 8]);
        // SAFETY: as above.
        let found = unsafe {
            let bytes = bytes.as_mut_ptr().cast();
            assert_eq!(capi::textcodec_encoder_init(words.as_mut_ptr().cast(), number), capi::TEXTCODEC_INVALID);
            [
                capi::textcodec_encode_utf8(number, b"a".as_ptr().cast(), 1, bytes, 4, 0),
                capi::textcodec_encode_utf16(number, [0x61].as_ptr(), 1, bytes, 4, 0),
            ]
        };
        assert_eq!((found, bytes, words), ([invalid; 2], [0x55; 4], [7; 8]), "{number}");
        let lengths = [
            capi::textcodec_max_utf8_length(number, 1),
            capi::textcodec_max_utf16_length(number, 1),
            capi::textcodec_max_length_from_utf8(number, 1, 0),
            capi::textcodec_max_length_from_utf16(number, 1, 0),
        ];
        assert_eq!(lengths, [usize::MAX; 4]);
    }
}
