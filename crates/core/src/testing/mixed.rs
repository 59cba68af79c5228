//! Streams of text that arrive partly as UTF-8 and partly as UTF-16, cut anywhere, also inside surrogate pairs.

use std::{string::String, vec::Vec};

use super::{Encoder, Random, Subject, least_capacity};
use crate::{
    EncodeErrorMode, EncodeResult, EncodeStatus, Unmappable,
    handler::Item,
    io_queue::IoQueue,
    process::{EncoderInstance, ItemResult},
};

/// One source of an encoder: the argument of one or more calls.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Utf8(String),
    Utf16(Vec<u16>),
}

impl Piece {
    /// The length in bytes of UTF-8 or in code units of UTF-16.
    fn len(&self) -> usize {
        match self {
            Piece::Utf8(text) => text.len(),
            Piece::Utf16(units) => units.len(),
        }
    }
}

/// Up to six pieces made of `characters`, of unpaired surrogates, and of nothing.
pub(super) fn random_pieces(characters: &[char], random: &mut Random) -> Vec<Piece> {
    let piece = |random: &mut Random| {
        let mut text = String::new();
        let mut units = Vec::new();
        for _ in 0..random.below(4) {
            let character = characters[random.below(characters.len())];
            text.push(character);
            match random.below(3) {
                0 => units.push(0xD83D),
                1 => units.push(0xDCA9),
                _ => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
            }
        }
        if random.below(2) == 0 { Piece::Utf8(text) } else { Piece::Utf16(units) }
    };
    (0..random.below(7)).map(|_| piece(random)).collect()
}

/// Fails unless an encoder returns the same bytes and errors for `pieces` as the handler returns for their scalar
/// values. This is checked with destinations of every size, in both error modes, and again in a second stream of the
/// same encoder.
pub(super) fn check_pieces(encoding: Subject, pieces: &[Piece]) {
    let expected = Expected::new(encoding, pieces);
    let mut encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    for capacity in [1, 2, 3, 4, 7, 1024] {
        let capacity = capacity.max(least_capacity(encoding));
        for stream in 1..=2 {
            let context = || std::format!("{encoding}: {pieces:04X?} into {capacity} bytes, stream {stream}");
            let (bytes, _) = encode(&mut encoder, pieces, EncodeErrorMode::Html, |_, _, _| capacity);
            assert_eq!(bytes, expected.html, "{}", context());
            let (bytes, errors) = encode(&mut encoder, pieces, EncodeErrorMode::Fatal, |_, _, _| capacity);
            assert_eq!((&bytes, &errors), (&expected.fatal, &expected.errors), "{}", context());
        }
    }
    // `reset` in the middle of a stream, perhaps after a part of a character reference.
    for capacity in [4, 7, 20].map(|capacity| least_capacity(encoding).max(capacity)) {
        for piece in pieces {
            let mut destination = std::vec![0; capacity];
            let _ = match piece {
                Piece::Utf8(text) => encoder.encode_str(text, &mut destination, false, EncodeErrorMode::Html),
                Piece::Utf16(units) => encoder.encode_utf16(units, &mut destination, false, EncodeErrorMode::Html),
            };
        }
        encoder.reset();
        let (bytes, errors) = encode(&mut encoder, pieces, EncodeErrorMode::Fatal, |_, _, _| 1024);
        assert_eq!((&bytes, &errors), (&expected.fatal, &expected.errors), "{encoding}: {pieces:04X?} after a reset");
    }
    check_greatest_lengths(encoding, pieces);
    check_vectors(encoding, pieces, &expected);
}

/// The output of the handler.
struct Expected {
    /// The bytes in the error mode html.
    html: Vec<u8>,
    /// The bytes in the error mode fatal, when the caller continues after each error.
    fatal: Vec<u8>,
    /// The errors in the error mode fatal.
    errors: Vec<Unmappable>,
    /// The bytes when a question mark replaces each unmappable character.
    question_marks: Vec<u8>,
}

impl Expected {
    fn new(encoding: Subject, pieces: &[Piece]) -> Self {
        let scalar_values = scalar_values(pieces);
        let mut expected =
            Expected { html: Vec::new(), fatal: Vec::new(), errors: Vec::new(), question_marks: Vec::new() };
        let mut text = String::new();
        (expected.html, _) = process(encoding, &scalar_values, EncodeErrorMode::Html);
        (expected.fatal, expected.errors) = process(encoding, &scalar_values, EncodeErrorMode::Fatal);
        for &(offset, code_point) in &scalar_values {
            let is_error = expected.errors.iter().any(|error| error.offset == offset);
            text.push(if is_error { '?' } else { code_point });
        }
        expected.question_marks = super::process_encode(encoding, &text);
        expected
    }
}

/// The scalar values of `pieces` with their offsets, in units of the pieces. The code units of neighbouring pieces form
/// one sequence, in which an unpaired surrogate is U+FFFD.
fn scalar_values(pieces: &[Piece]) -> Vec<(u64, char)> {
    let (mut units, mut offsets, mut offset) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        match piece {
            Piece::Utf8(text) => text.char_indices().for_each(|(at, character)| {
                units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                offsets.resize(units.len(), offset + at as u64);
            }),
            Piece::Utf16(piece) => {
                units.extend_from_slice(piece);
                offsets.extend(offset..offset + piece.len() as u64);
            }
        }
        offset += piece.len() as u64;
    }
    let mut at = 0;
    char::decode_utf16(units)
        .map(|item| {
            let scalar_value = item.unwrap_or(char::REPLACEMENT_CHARACTER);
            let offset = offsets[at];
            at += scalar_value.len_utf16();
            (offset, scalar_value)
        })
        .collect()
}

/// [*Process an item*](https://encoding.spec.whatwg.org/#concept-encoding-process) for each of `scalar_values` and for
/// end-of-queue.
fn process(encoding: Subject, scalar_values: &[(u64, char)], mode: EncodeErrorMode) -> (Vec<u8>, Vec<Unmappable>) {
    let mut encoder = EncoderInstance::new(encoding).expect("the encoding has an encoder");
    let (mut output, mut errors) = (IoQueue::new(), Vec::new());
    for &(offset, scalar_value) in scalar_values {
        let mut input = IoQueue::from_iter([scalar_value]);
        // A handler can restore the scalar value; then the queue has it again.
        while let item @ Item::Value(_) = input.read() {
            if let ItemResult::Error(code_point) = encoder.process_item(item, &mut input, &mut output, mode) {
                errors.push(Unmappable::new(offset, code_point));
            }
        }
    }
    while encoder.process_item(Item::EndOfQueue, &mut IoQueue::new(), &mut output, mode) == ItemResult::Continue {}
    (output.read_all(), errors)
}

/// Encodes `pieces` as one stream, continuing after every error. `capacity` returns the length of the next destination.
/// Its arguments are the encoder, the piece, and the part of the piece that has been read.
fn encode(
    encoder: &mut Encoder,
    pieces: &[Piece],
    mode: EncodeErrorMode,
    mut capacity: impl FnMut(&Encoder, &Piece, usize) -> usize,
) -> (Vec<u8>, Vec<Unmappable>) {
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    // The last call of the stream has an empty source.
    let end = Piece::Utf8(String::new());
    for (piece, last) in pieces.iter().map(|piece| (piece, false)).chain([(&end, true)]) {
        let mut read = 0;
        loop {
            let mut destination = std::vec![0; capacity(encoder, piece, read)];
            let result = match piece {
                Piece::Utf8(text) => encoder.encode_str(&text[read..], &mut destination, last, mode),
                Piece::Utf16(units) => encoder.encode_utf16(&units[read..], &mut destination, last, mode),
            };
            bytes.extend_from_slice(&destination[..result.written]);
            read += result.read;
            match result.status {
                EncodeStatus::InputEmpty => break,
                EncodeStatus::OutputFull => assert!(result.written > 0 || result.read > 0, "no progress"),
                EncodeStatus::Unmappable(unmappable) => errors.push(unmappable),
            }
        }
        assert_eq!(read, piece.len());
    }
    (bytes, errors)
}

/// Fails if a destination of the greatest length is too small for a piece.
fn check_greatest_lengths(encoding: Subject, pieces: &[Piece]) {
    for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
        let mut encoder = Encoder::new(encoding).expect("the encoding has an encoder");
        for (at, piece) in pieces.iter().enumerate() {
            let last = at + 1 == pieces.len();
            let mut read = 0;
            loop {
                let result: EncodeResult = match piece {
                    Piece::Utf8(text) => {
                        let length = encoder.max_length_from_str(text.len() - read, mode).expect("no overflow");
                        encoder.encode_str(&text[read..], &mut std::vec![0; length], last, mode)
                    }
                    Piece::Utf16(units) => {
                        let length = encoder.max_length_from_utf16(units.len() - read, mode).expect("no overflow");
                        encoder.encode_utf16(&units[read..], &mut std::vec![0; length], last, mode)
                    }
                };
                assert_ne!(result.status, EncodeStatus::OutputFull, "{encoding}, {mode:?}: {pieces:04X?}, piece {at}");
                read += result.read;
                if result.status == EncodeStatus::InputEmpty {
                    break;
                }
            }
        }
    }
}

/// Fails unless the forms that append to a vector give the same bytes and errors. The last piece ends the stream.
fn check_vectors(encoding: Subject, pieces: &[Piece], expected: &Expected) {
    let mut encoder = Encoder::new(encoding).expect("the encoding has an encoder");
    let (mut html, mut question_marks, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (at, piece) in pieces.iter().enumerate() {
        let last = at + 1 == pieces.len();
        let result = match piece {
            Piece::Utf8(text) => encoder.encode_str_to_vec(text, &mut html, last, EncodeErrorMode::Html),
            Piece::Utf16(units) => encoder.encode_utf16_to_vec(units, &mut html, last, EncodeErrorMode::Html),
        };
        assert_eq!((result.status, result.read), (EncodeStatus::InputEmpty, piece.len()));
    }
    for (at, piece) in pieces.iter().enumerate() {
        let last = at + 1 == pieces.len();
        let on_error = |unmappable| {
            errors.push(unmappable);
            "?"
        };
        let result = match piece {
            Piece::Utf8(text) => encoder.encode_str_to_vec_with(text, &mut question_marks, last, on_error),
            Piece::Utf16(units) => encoder.encode_utf16_to_vec_with(units, &mut question_marks, last, on_error),
        };
        assert!(result.is_ok(), "{encoding}: {pieces:04X?}");
    }
    assert_eq!((html, question_marks), (expected.html.clone(), expected.question_marks.clone()), "{pieces:04X?}");
    assert_eq!(errors, expected.errors, "{encoding}: {pieces:04X?}");
}
