//! States of streams that go through other hands: `resume` takes every state that a stream has, and no other state of a
//! handler; whatever it takes, later calls end.

use std::{collections::BTreeSet, string::String, vec::Vec};

use textcodec_kernels::string;

use super::{Decoder, Encoder, Random, Subject};
use crate::{
    DecodeErrorMode, DecodeStatus, DecoderState, EncodeErrorMode, EncodeStatus, EncoderState,
    handler::{Bytes, Item, Restored},
};

/// The constructors of decoders, which treat byte order marks differently.
const CONSTRUCTORS: [fn(Subject) -> Decoder; 3] = [Decoder::new, Decoder::removing_bom, Decoder::sniffing];

const DECODER_MODES: [DecodeErrorMode; 2] = [DecodeErrorMode::Replacement, DecodeErrorMode::Fatal];

const ENCODER_MODES: [EncodeErrorMode; 2] = [EncodeErrorMode::Html, EncodeErrorMode::Fatal];

/// The stages, numbers of restored bytes, and byte order marks of a third word, and numbers that none of them has.
const SMALL: [u8; 5] = [0, 1, 2, 3, 4];

/// Runs the tests of states. `significant` and `text` are those of the battery.
pub(super) fn check_states(encoding: Subject, significant: &[u8], text: &str) {
    let mut random = Random(encoding.seed());
    let reachable = reachable(encoding);
    check_words(encoding, &reachable, &mut random);
    check_forged(encoding, &reachable, significant, &mut random);
    check_continued(encoding, significant, &mut random);
    if encoding.has_encoder() {
        let characters: Vec<char> = text.chars().chain("a\\\u{E}\u{A5}☃\u{1F4A9}\u{FFFD}".chars()).collect();
        check_encoder_words(encoding, &characters, &mut random);
        check_encoder_continued(encoding, &characters, &mut random);
    }
}

/// The packed states of the handler: all of them, unless there are very many. Then it is all states to which one byte
/// leads from any other state that was found before there were very many.
fn reachable(encoding: Subject) -> BTreeSet<u64> {
    const MANY: usize = 20_000;
    let mut found = BTreeSet::from([0]);
    let mut open = Vec::from([0]);
    while let Some(state) = open.pop() {
        for byte in (0..=u8::MAX).map(Item::Value).chain([Item::EndOfQueue]) {
            let (mut after, mut io_queue) = (state, Restored::<u8>::EMPTY);
            (encoding.decoder().handler)(encoding.codec, &mut after, &mut io_queue, byte);
            if found.insert(after) && found.len() < MANY {
                open.push(after);
            }
        }
    }
    found
}

/// A state without restored bytes, after the start of a stream.
fn after_start(handler: u64) -> DecoderState {
    [handler, Bytes::CAPACITY as u64, 0].into()
}

/// Fails unless a decoder takes exactly the words of `reachable` as states of its handler.
fn check_words(encoding: Subject, reachable: &BTreeSet<u64>, random: &mut Random) {
    let is_taken = |word: u64| Decoder::new(encoding).resume(after_start(word)).is_ok();
    for &word in reachable {
        assert!(is_taken(word), "{encoding}: {word:X}");
        let (bytes, other) = ((encoding.decoder().pending)(encoding.codec, word), word ^ 1 << random.below(64));
        assert!(bytes.len() < Bytes::CAPACITY, "{encoding}: {word:X}");
        // The bytes of a sequence that has begun have been read.
        let is_taken_at = |position: usize| Decoder::new(encoding).resume([word, position as u64, 0].into()).is_ok();
        assert!(is_taken_at(bytes.len()), "{encoding}: {word:X}");
        assert!(bytes.is_empty() || !is_taken_at(bytes.len() - 1), "{encoding}: {word:X}");
        check_begun(encoding, word);
        assert_eq!(is_taken(other), is_state(encoding, reachable, other), "{encoding}: {other:X}");
    }
    for word in 0..1 << 17 {
        assert_eq!(is_taken(word), is_state(encoding, reachable, word), "{encoding}: {word:X}");
    }
    for _ in 0..100_000 {
        let word = random_word(random);
        assert_eq!(is_taken(word), is_state(encoding, reachable, word), "{encoding}: {word:X}");
    }
}

/// Fails if bulk conversion converts something from a state in which only the handler can go on.
fn check_begun(encoding: Subject, state: u64) {
    if encoding.lets_convert(state) {
        return;
    }
    let (source, mut text) = (b"aa!!\xA1\xA1\xA1\x80\x80", "0".repeat(64));
    for mode in DECODER_MODES {
        let (mut after, mut units) = (state, [0; 16]);
        let to_utf16 = encoding.codec.decoder_convert(&mut after, source, &mut units, mode);
        let to_utf8 = string::write_str(&mut text, 64, |space, proof| {
            let read;
            (read, *proof) = encoding.codec.decoder_convert_to_utf8(&mut after, source, space, mode);
            read
        });
        assert_eq!((to_utf16, to_utf8, after), ((0, 0), (0, 0), state), "{encoding}: {state:X}");
    }
}

/// Whether `word` is a state of the handler. If `reachable` does not have all states, this is the case if the bytes
/// that are pending in it lead to it from a state between sequences.
fn is_state(encoding: Subject, reachable: &BTreeSet<u64>, word: u64) -> bool {
    let leads_to_it = |between: u8| {
        let mut state = between.into();
        for &byte in &*(encoding.decoder().pending)(encoding.codec, word) {
            let mut io_queue = Restored::<u8>::EMPTY;
            (encoding.decoder().handler)(encoding.codec, &mut state, &mut io_queue, Item::Value(byte));
        }
        state == word
    };
    reachable.contains(&word) || reachable.len() > 1000 && (0..encoding.decoder().states_between).any(leads_to_it)
}

/// A number of any width.
fn random_word(random: &mut Random) -> u64 {
    let bits = |random: &mut Random| (random.below(1 << 22) as u64) << random.below(64);
    (bits(random) ^ bits(random) ^ bits(random)) >> random.below(64)
}

/// Resumes states that are put together at random. Fails if a call on a state that `resume` takes panics, makes no
/// progress, or loses its position.
fn check_forged(encoding: Subject, reachable: &BTreeSet<u64>, significant: &[u8], random: &mut Random) {
    let words: Vec<u64> = reachable.iter().copied().collect();
    let mut taken = 0;
    for round in 0..30_000 {
        let handler = match round % 8 {
            0 => random_word(random),
            1..4 => 0,
            _ => words[random.below(words.len())],
        };
        let position = match random.below(8) {
            0 => random_word(random),
            1 => u64::MAX >> random.below(3),
            _ => random.below(8) as u64,
        };
        let byte = |random: &mut Random| match random.below(3) {
            0 => 0,
            1 => [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x1B][random.below(6)],
            _ => significant[random.below(significant.len())],
        };
        let small = |random: &mut Random| SMALL[random.below(SMALL.len()).min(random.below(SMALL.len()))];
        let mut rest = [byte(random), byte(random), byte(random), small(random), small(random), small(random), 0, 0];
        match random.below(4) {
            0 => rest[random.below(8)] = random.below(256) as u8,
            1 => rest[..4].fill(0),
            _ => {}
        }
        let state = DecoderState::from([handler, position, u64::from_le_bytes(rest)]);
        let new = CONSTRUCTORS[random.below(3)](encoding);
        let mut decoder = new;
        if decoder.resume(state).is_ok() {
            taken += 1;
            assert_eq!(decoder.stream_state(), state, "{encoding}");
            check_calls(decoder, significant, random);
        } else {
            assert_eq!(decoder.stream_state(), new.stream_state(), "{encoding}: a refused state changes the decoder");
        }
    }
    assert!(taken > 500, "{encoding}: only {taken} states");
}

/// Decodes some sources to the end of the stream, in small pieces. Fails if that takes too many calls.
fn check_calls(mut decoder: Decoder, significant: &[u8], random: &mut Random) {
    let start = decoder;
    assert!(decoder.sequence_start() <= decoder.position(), "{start:?}");
    let most = Bytes::CAPACITY * usize::from(decoder.encoding().decoder().max_units_per_byte);
    assert!(decoder.max_utf16_length(1).is_some_and(|length| length <= most), "{start:?}");
    let source: Vec<u8> = (0..random.below(5)).map(|_| significant[random.below(significant.len())]).collect();
    let (source, modes) = (if random.below(4) == 0 { b"\x1B\x1B".to_vec() } else { source }, DECODER_MODES);
    let (mode, cut, mut read) = (modes[random.below(2)], random.below(source.len() + 1), 0);
    for end in [cut, source.len()] {
        let last = end == source.len();
        // Each byte becomes at most one character or error, and so does each byte of the state.
        let units = usize::from(decoder.encoding().decoder().max_units_per_byte);
        let mut calls = 2 * units * (source.len() + 6) + 2;
        loop {
            assert!(calls > 0, "{start:?}: {source:02X?} in the mode {mode:?}: no end");
            calls -= 1;
            let result = if random.below(2) == 0 {
                decoder.decode_to_utf8(&source[read..end], &mut [0; 4], last, mode)
            } else {
                decoder.decode_to_utf16(&source[read..end], &mut [0; 2], last, mode)
            };
            read += result.read;
            assert!(decoder.sequence_start() <= decoder.position(), "{start:?}");
            assert!(decoder.max_utf16_length(1).is_some_and(|length| length <= most), "{start:?}");
            let _ = decoder.latin1_up_to(b"a");
            match result.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => assert!(result.written > 0 || result.read > 0, "{start:?}: no progress"),
                DecodeStatus::Malformed(malformed) => assert!(malformed.bytes().len() <= Bytes::CAPACITY, "{start:?}"),
            }
        }
        assert_eq!(read, end, "{start:?}");
    }
}

/// Fails unless a decoder continues every stream of another decoder after each call, whatever the sizes of sources and
/// destinations are.
fn check_continued(encoding: Subject, significant: &[u8], random: &mut Random) {
    for new in CONSTRUCTORS {
        for _ in 0..500 {
            let (mut decoder, mode) = (new(encoding), DECODER_MODES[random.below(2)]);
            if random.below(3) == 0 {
                let bom = [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"][random.below(3)];
                let _ = decoder.decode_to_utf8(&bom[..random.below(4).min(bom.len())], &mut [0; 9], false, mode);
            }
            for _ in 0..12 {
                let source: Vec<u8> =
                    (0..random.below(4)).map(|_| significant[random.below(significant.len())]).collect();
                let (last, capacity) = (random.below(8) == 0, random.below(7));
                let mut other = new(encoding);
                let words: [u64; 3] = decoder.stream_state().into();
                assert_eq!(other.resume(words.into()), Ok(()), "{encoding}: {decoder:?}");
                let (start, context) = (decoder, || std::format!("{source:02X?} into {capacity} bytes"));
                let (mut bytes, mut expected) = ([0; 8], [0; 8]);
                let result = decoder.decode_to_utf8(&source, &mut expected[..capacity], last, mode);
                assert_eq!(
                    other.decode_to_utf8(&source, &mut bytes[..capacity], last, mode),
                    result,
                    "{start:?}: {}",
                    context()
                );
                assert_eq!(bytes[..result.written], expected[..result.written], "{start:?}: {}", context());
                assert_eq!(other.stream_state(), decoder.stream_state(), "{start:?}: {}", context());
                assert_eq!(
                    (other.encoding(), other.bom()),
                    (decoder.encoding(), decoder.bom()),
                    "{start:?}: {}",
                    context()
                );
                assert_eq!(other.sequence_start(), decoder.sequence_start(), "{start:?}: {}", context());
                assert_eq!(other.latin1_up_to(b"a"), decoder.latin1_up_to(b"a"), "{start:?}: {}", context());
            }
        }
    }
}

/// Fails unless an encoder takes exactly the words that its handler reaches, and gets on with everything that it takes.
fn check_encoder_words(encoding: Subject, characters: &[char], random: &mut Random) {
    let half = encoding.encoder().expect("the encoding has an encoder");
    let new: Encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    let mut reachable = BTreeSet::from([0]);
    // No encoder has more states than there are rounds.
    for _ in 0..4 {
        for state in reachable.clone() {
            for &character in characters {
                let (mut after, mut io_queue) = (state, Restored::<char>::EMPTY);
                (half.functions().handler)(half, &mut after, &mut io_queue, Item::Value(character));
                reachable.insert(after);
            }
        }
    }
    for word in (0..1 << 16).chain((0..10_000).map(|_| random_word(random))) {
        let is_reachable = u16::try_from(word).is_ok_and(|word| reachable.contains(&word));
        assert_eq!({ new }.resume([word, 1, 0].into()).is_ok(), is_reachable, "{encoding}: {word:X}");
    }
    for &character in characters {
        let (mut bytes, mut encoder) = (Vec::new(), new);
        let result = encoder.encode_str_to_vec(&String::from(character), &mut bytes, true, EncodeErrorMode::Fatal);
        // ISO-2022-KR writes a header before the first reference.
        let [handler, ..]: [u64; 3] = encoder.stream_state().into();
        let is_unmappable = matches!(result.status, EncodeStatus::Unmappable(error) if error.code_point == character)
            && has_reference(new, character);
        let length = std::format!("&#{};", u32::from(character)).len() as u64;
        for written in 0..=255 {
            let is_taken = { new }.resume([handler, 1, (u64::from(character) + 1) | (written << 32)].into()).is_ok();
            assert_eq!(is_taken, is_unmappable && written < length, "{encoding}: {written} bytes for {character:?}");
            // The character has been read.
            let is_taken = { new }.resume([handler, 0, (u64::from(character) + 1) | (written << 32)].into()).is_ok();
            assert!(!is_taken, "{encoding}: {character:?} at the start of a stream");
        }
    }
    // A leading surrogate has been read.
    for (position, is_possible) in [(0, false), (1, true)] {
        assert_eq!({ new }.resume([0, position, 0xD83D + 1].into()).is_ok(), is_possible, "{encoding}");
    }
    let states: Vec<u16> = reachable.into_iter().collect();
    for &state in &states {
        // A stream ends in the first state.
        let is_taken = { new }.resume([state.into(), 1, 0xFF << 32].into()).is_ok();
        assert_eq!(is_taken, state == 0, "{encoding}: the end in the state {state}");
    }
    let mut taken = 0;
    for round in 0..30_000 {
        let handler = if round % 8 == 0 { random_word(random) } else { states[random.below(states.len())].into() };
        let position = [0, 1, random.below(9) as u64, random_word(random), u64::MAX][random.below(5)];
        // A code point plus 1, or 0.
        let held = match random.below(5) {
            0 => random.below(1 << 22) as u64,
            1 => 0,
            2 => 0xD7FF + random.below(0x404) as u64,
            _ => u64::from(characters[random.below(characters.len())]) + 1,
        };
        let written = [0, random.below(12), 255, random.below(256)][random.below(4)] as u64;
        let rest = held | written << 32 | if round % 9 == 0 { 1 << 56 } else { 0 };
        let (state, mut encoder) = (EncoderState::from([handler, position, rest]), new);
        if encoder.resume(state).is_ok() {
            taken += 1;
            assert_eq!(encoder.stream_state(), state, "{encoding}");
            check_encoder_calls(encoder, characters, random);
        } else {
            assert_eq!(encoder.stream_state(), new.stream_state(), "{encoding}: a refused state changes the encoder");
        }
    }
    assert!(taken > 500, "{encoding}: only {taken} states");
}

/// Whether `encoder` has bytes for the character reference for an unmappable character.
fn has_reference(mut encoder: Encoder, character: char) -> bool {
    let reference = std::format!("&#{};", u32::from(character));
    let result = encoder.encode_str_to_vec(&reference, &mut Vec::new(), true, EncodeErrorMode::Fatal);
    result.status == EncodeStatus::InputEmpty
}

/// Encodes some characters to the end of the stream, into small destinations. Fails if that takes too many calls.
fn check_encoder_calls(mut encoder: Encoder, characters: &[char], random: &mut Random) {
    let start = encoder;
    let source: Vec<u16> = (0..random.below(4))
        .flat_map(|_| characters[random.below(characters.len())].encode_utf16(&mut [0; 2]).to_vec())
        .collect();
    let (mode, cut, mut read) = (ENCODER_MODES[random.below(2)], random.below(source.len() + 1), 0);
    for end in [cut, source.len()] {
        let last = end == source.len();
        // Each unit becomes at most a reference of ten characters, an escape sequence and an error.
        let mut calls = 8 * (source.len() + 2);
        loop {
            assert!(calls > 0, "{start:?}: {source:04X?} in the mode {mode:?}: no end");
            calls -= 1;
            let mut bytes = std::vec![0; 4.max(encoder.encoding().least_capacity)];
            let result = encoder.encode_utf16(&source[read..end], &mut bytes, last, mode);
            read += result.read;
            match result.status {
                EncodeStatus::InputEmpty => break,
                EncodeStatus::OutputFull => assert!(result.written > 0 || result.read > 0, "{start:?}: no progress"),
                EncodeStatus::Unmappable(_) => {}
            }
        }
        assert_eq!(read, end, "{start:?}");
    }
    assert!(!encoder.has_pending_state(), "{start:?}");
}

/// Fails unless an encoder continues every stream of another encoder after each call.
fn check_encoder_continued(encoding: Subject, characters: &[char], random: &mut Random) {
    let new: Encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    for _ in 0..500 {
        let (mut encoder, mode) = (new, ENCODER_MODES[random.below(2)]);
        for _ in 0..12 {
            let (mut other, mut units) = (new, Vec::new());
            for _ in 0..random.below(4) {
                match random.below(4) {
                    0 => units.push(0xD83D),
                    _ => units.extend_from_slice(characters[random.below(characters.len())].encode_utf16(&mut [0; 2])),
                }
            }
            let (last, capacity) = (random.below(8) == 0, random.below(14));
            let words: [u64; 3] = encoder.stream_state().into();
            assert_eq!(other.resume(words.into()), Ok(()), "{encoder:?}");
            let (start, context) = (encoder, || std::format!("{units:04X?} into {capacity} bytes"));
            let (mut bytes, mut expected) = ([0; 16], [0; 16]);
            let result = encoder.encode_utf16(&units, &mut expected[..capacity], last, mode);
            assert_eq!(
                other.encode_utf16(&units, &mut bytes[..capacity], last, mode),
                result,
                "{start:?}: {}",
                context()
            );
            assert_eq!(bytes[..result.written], expected[..result.written], "{start:?}: {}", context());
            assert_eq!(other.stream_state(), encoder.stream_state(), "{start:?}: {}", context());
            assert_eq!(other.has_pending_state(), encoder.has_pending_state(), "{start:?}: {}", context());
        }
    }
}
