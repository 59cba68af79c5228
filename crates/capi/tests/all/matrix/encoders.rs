//! Encoders, for whole texts and for streams.

use std::ptr::null_mut;

use textcodec::{EncodeErrorMode, EncodeResult, EncodeStatus};
use textcodec_capi as capi;
use textcodec_core::Encoder;

use super::{Coded, NO_ENCODINGS, NOISE, parts, result};

mod sources;

/// Flags for the greatest lengths, of which only `TEXTCODEC_FATAL` has a meaning.
const FLAGS_OF_LENGTHS: [u32; 6] = [
    0,
    capi::TEXTCODEC_FATAL,
    capi::TEXTCODEC_LAST | capi::TEXTCODEC_UNCOUNTED,
    NOISE,
    !capi::TEXTCODEC_FATAL,
    u32::MAX,
];

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
            let cuts = [4 << 24, 1 << 24 | 0x61, 1 << 24 | 0x80E2, 2 << 24 | 0x61E2, 254 << 24, 1 << 32, 0x61];
            // Words that no encoder has, with a position and kept bytes that it can have.
            let others = [[u64::MAX, 7, 0, 0], [0, 7, 1 << 40, 0], [1 << 16, 7, 0, 2 << 24 | 0x98E2]];
            for words in cuts.map(|cut| [0, 9, 0, cut]).into_iter().chain(others) {
                let before = pair.own;
                assert_eq!(pair.restore(&capi::textcodec_state { words }), capi::TEXTCODEC_INVALID);
                assert_eq!(pair.own, before, "a refused state changes nothing");
            }
            own = pair.own;
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
fn numbers_that_are_no_encoding_make_no_encoder() {
    let invalid = result(capi::TEXTCODEC_INVALID, 0, 0, false);
    for number in NO_ENCODINGS {
        let (mut bytes, mut words) = ([0x55_u8; 4], [7_u64; 8]);
        // SAFETY: the pointers and the lengths are those of the text and of the bytes. The struct has eight words.
        let found = unsafe {
            let bytes = bytes.as_mut_ptr().cast();
            assert_eq!(capi::textcodec_encoder_init(words.as_mut_ptr().cast(), number), capi::TEXTCODEC_INVALID);
            [
                capi::textcodec_encode_utf8(number, b"a".as_ptr().cast(), 1, bytes, 4, 0),
                capi::textcodec_encode_utf16(number, [0x61].as_ptr(), 1, bytes, 4, 0),
            ]
        };
        assert_eq!((found, bytes, words), ([invalid; 2], [0x55; 4], [7; 8]), "{number}");
        let lengths =
            [capi::textcodec_max_length_from_utf8(number, 1, 0), capi::textcodec_max_length_from_utf16(number, 1, 0)];
        assert_eq!(lengths, [usize::MAX; 2]);
    }
}

/// Null, and structs that are zeros or have another value.
#[test]
fn no_encoder_is_where_none_was_made() {
    let (mut zeros, mut decoder) = ([0_u64; 8], [0_u64; 8]);
    // SAFETY: the struct has eight words.
    let status = unsafe { capi::textcodec_decoder_init(decoder.as_mut_ptr().cast(), 1, 0) };
    assert_eq!(status, capi::TEXTCODEC_OK);
    let invalid = result(capi::TEXTCODEC_INVALID, 0, 0, false);
    for encoder in [null_mut(), zeros.as_mut_ptr().cast(), decoder.as_mut_ptr().cast()] {
        let (mut bytes, mut state) = ([0x55_u8; 4], capi::textcodec_state { words: [0; 4] });
        let (text, destination) = (b"a".as_ptr().cast(), bytes.as_mut_ptr().cast());
        // SAFETY: the pointer is null or leads to a struct, and the others are those of the text and of the bytes.
        unsafe {
            assert_eq!(capi::textcodec_encoder_utf8(encoder, text, 1, destination, 4, 0), invalid);
            assert_eq!(capi::textcodec_encoder_utf16(encoder, [0x61].as_ptr(), 1, destination, 4, 0), invalid);
            assert_eq!(capi::textcodec_encoder_max_length_from_utf8(encoder, 1, 0), usize::MAX);
            assert_eq!(capi::textcodec_encoder_max_length_from_utf16(encoder, 1, 0), usize::MAX);
            assert_eq!(capi::textcodec_encoder_encoding(encoder), capi::TEXTCODEC_NONE);
            assert_eq!(capi::textcodec_encoder_position(encoder), 0);
            assert!(!capi::textcodec_encoder_has_pending_state(encoder));
            assert_eq!(capi::textcodec_encoder_save(encoder, &raw mut state), capi::TEXTCODEC_INVALID);
            assert_eq!(capi::textcodec_encoder_restore(encoder, &raw const state), capi::TEXTCODEC_INVALID);
            capi::textcodec_encoder_reset(encoder);
        }
        assert_eq!((bytes, state.words), ([0x55; 4], [0; 4]));
    }
    assert_eq!(zeros, [0; 8]);
    // SAFETY: null is no struct.
    assert_eq!(unsafe { capi::textcodec_encoder_init(null_mut(), 1) }, capi::TEXTCODEC_INVALID);
}
