//! Decoders, for whole texts and for streams.

use std::ptr::null_mut;

use textcodec::{DecodeErrorMode, DecodeResult, DecodeStatus, DecoderState};
use textcodec_capi as capi;
use textcodec_core::Decoder;

use super::{Coded, NO_ENCODINGS, NOISE, parts, result};

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

#[test]
fn numbers_that_are_no_encoding_and_no_handling_of_marks_make_no_decoder() {
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
        let lengths = [capi::textcodec_max_utf8_length(number, 1), capi::textcodec_max_utf16_length(number, 1)];
        assert_eq!(lengths, [usize::MAX; 2]);
    }
}

/// Null, and structs that are zeros or have another value.
#[test]
fn no_decoder_is_where_none_was_made() {
    let (mut zeros, mut encoder) = ([0_u64; 8], [0_u64; 8]);
    // SAFETY: the struct has eight words.
    let status = unsafe { capi::textcodec_encoder_init(encoder.as_mut_ptr().cast(), 1) };
    assert_eq!(status, capi::TEXTCODEC_OK);
    let invalid = result(capi::TEXTCODEC_INVALID, 0, 0, false);
    for decoder in [null_mut(), zeros.as_mut_ptr().cast(), encoder.as_mut_ptr().cast()] {
        let (mut text, mut units) = ([0x55_u8; 4], [0x55_u16; 4]);
        let mut state = capi::textcodec_state { words: [0; 4] };
        let (bytes, destination) = (b"a".as_ptr().cast(), text.as_mut_ptr().cast());
        // SAFETY: the pointer is null or leads to a struct, and the others are those of the bytes and of the texts.
        unsafe {
            assert_eq!(capi::textcodec_decoder_utf8(decoder, bytes, 1, destination, 4, 0), invalid);
            assert_eq!(capi::textcodec_decoder_utf16(decoder, bytes, 1, units.as_mut_ptr(), 4, 0), invalid);
            assert_eq!(capi::textcodec_decoder_max_utf8_length(decoder, 1), usize::MAX);
            assert_eq!(capi::textcodec_decoder_max_utf16_length(decoder, 1), usize::MAX);
            assert_eq!(capi::textcodec_decoder_encoding(decoder), capi::TEXTCODEC_NONE);
            assert_eq!(capi::textcodec_decoder_position(decoder), 0);
            assert_eq!(capi::textcodec_decoder_sequence_start(decoder), 0);
            assert_eq!(capi::textcodec_decoder_save(decoder, &raw mut state), capi::TEXTCODEC_INVALID);
            assert_eq!(capi::textcodec_decoder_restore(decoder, &raw const state), capi::TEXTCODEC_INVALID);
            capi::textcodec_decoder_reset(decoder);
        }
        assert_eq!((text, units, state.words), ([0x55; 4], [0x55; 4], [0; 4]));
    }
    assert_eq!(zeros, [0; 8]);
    // SAFETY: null is no struct.
    assert_eq!(unsafe { capi::textcodec_decoder_init(null_mut(), 1, 0) }, capi::TEXTCODEC_INVALID);
}
