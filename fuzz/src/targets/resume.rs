//! A stream whose state is saved and restored after each call has the text, the bytes and the errors of a stream in one
//! piece; and any three numbers are either refused as a state or lead to a coder that works.

use textcodec::{DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus};
use textcodec_core::{Decoder, Encoder, Handle};

use crate::{Input, Random};

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, mut random) = (input.byte(), input.random());
    let words = if kind & 8 != 0 { Some([input.word(), input.word(), input.word()]) } else { None };
    if kind & 1 == 0 {
        let encoding = input.encoding();
        if kind & 4 == 0 {
            let decoder = match kind >> 4 & 3 {
                0 => encoding.new_decoder(),
                1 => encoding.new_decoder_with_bom_removal(),
                _ => encoding.new_decoder_without_bom_handling(),
            };
            check_decoder(decoder, words, &mut random, input.rest());
        } else {
            check_encoder(encoding.new_encoder(), words, &mut random, input.text());
        }
    } else {
        let charset = input.charset();
        if kind & 4 == 0 {
            check_decoder(charset.new_decoder(), words, &mut random, input.rest());
        } else if let Some(encoder) = charset.new_encoder() {
            check_encoder(encoder, words, &mut random, input.text());
        }
    }
}

fn check_decoder<E: Handle>(fresh: Decoder<E>, words: Option<[u64; 3]>, random: &mut Random, bytes: &[u8]) {
    let mut start = fresh;
    if let Some(words) = words {
        if start.resume(words.into()).is_err() {
            return;
        }
        let saved: [u64; 3] = start.stream_state().into();
        let mut other = fresh;
        other.resume(saved.into()).expect("a decoder takes the state that it returns");
        // The position in a stream may be near the greatest number.
        if start.position().checked_add(bytes.len() as u64).is_none() {
            return;
        }
        let space = start.max_utf8_length(bytes.len()).expect("the input is short");
        let result = other.decode_to_utf8(bytes, &mut vec![0; space], true, DecodeErrorMode::Replacement);
        assert_eq!(result.status, DecodeStatus::InputEmpty, "max_utf8_length is enough");
    }
    for mode in [DecodeErrorMode::Replacement, DecodeErrorMode::Fatal] {
        let whole = decode(start, start, mode, None, bytes);
        let restored = decode(start, fresh, mode, Some(random), bytes);
        assert_eq!(whole, restored, "{mode:?}");
    }
}

/// The text, the errors, and the position at the end. With random numbers, the stream comes in pieces, and after each
/// call `fresh` continues with the state.
fn decode<E: Handle>(
    mut decoder: Decoder<E>,
    fresh: Decoder<E>,
    mode: DecodeErrorMode,
    mut random: Option<&mut Random>,
    mut rest: &[u8],
) -> (String, Vec<(u64, Vec<u8>)>, u64) {
    let (mut text, mut errors, mut position) = (Vec::new(), Vec::new(), decoder.position());
    loop {
        let mut piece = match &mut random {
            Some(random) => random.piece(&mut rest),
            None => std::mem::take(&mut rest),
        };
        let is_last = rest.is_empty();
        loop {
            let space = random.as_mut().map_or(piece.len() * 4 + 16, |random| 4 + random.below(60));
            let mut buffer = vec![0; space];
            let result = decoder.decode_to_utf8(piece, &mut buffer, is_last, mode);
            std::str::from_utf8(&buffer[..result.written]).expect("each call writes whole characters");
            text.extend_from_slice(&buffer[..result.written]);
            piece = &piece[result.read..];
            position += result.read as u64;
            let has_ended = is_last && result.status == DecodeStatus::InputEmpty;
            if random.is_some() && !has_ended {
                let words: [u64; 3] = decoder.stream_state().into();
                decoder = fresh;
                decoder.resume(words.into()).expect("a new decoder takes the state");
            }
            match result.status {
                DecodeStatus::InputEmpty if has_ended => {
                    return (String::from_utf8(text).expect("each piece is UTF-8"), errors, position);
                }
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => {}
                DecodeStatus::Malformed(malformed) => errors.push((malformed.offset, malformed.bytes().to_vec())),
            }
        }
    }
}

fn check_encoder<E: Handle>(fresh: Encoder<E>, words: Option<[u64; 3]>, random: &mut Random, text: &str) {
    let mut start = fresh;
    if let Some(words) = words {
        if start.resume(words.into()).is_err() {
            return;
        }
        let saved: [u64; 3] = start.stream_state().into();
        let mut other = fresh;
        other.resume(saved.into()).expect("an encoder takes the state that it returns");
        if start.position().checked_add(text.len() as u64).is_none() {
            return;
        }
        let space = start.max_length_from_str(text.len(), EncodeErrorMode::Html).expect("the input is short");
        let result = other.encode_str(text, &mut vec![0; space], true, EncodeErrorMode::Html);
        assert_ne!(result.status, EncodeStatus::OutputFull, "max_length_from_str is enough");
    }
    for mode in [EncodeErrorMode::Html, EncodeErrorMode::Fatal] {
        let whole = encode(start, start, mode, None, text);
        let restored = encode(start, fresh, mode, Some(random), text);
        assert_eq!(whole, restored, "{mode:?}");
    }
}

/// The bytes and the unmappable characters with their offsets. As [`decode`].
fn encode<E: Handle>(
    mut encoder: Encoder<E>,
    fresh: Encoder<E>,
    mode: EncodeErrorMode,
    mut random: Option<&mut Random>,
    mut rest: &str,
) -> (Vec<u8>, Vec<(u64, char)>) {
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    loop {
        let length = random.as_mut().map_or(rest.len(), |random| random.below(9).min(rest.len()));
        let length = (0..=length).rev().find(|&length| rest.is_char_boundary(length)).unwrap_or(0);
        let mut piece = &rest[..length];
        rest = &rest[length..];
        let is_last = rest.is_empty();
        loop {
            let space = random.as_mut().map_or(piece.len() * 16 + 64, |random| 32 + random.below(60));
            let mut buffer = vec![0; space];
            let result = encoder.encode_str(piece, &mut buffer, is_last, mode);
            bytes.extend_from_slice(&buffer[..result.written]);
            piece = &piece[result.read..];
            let has_ended = is_last && result.status == EncodeStatus::InputEmpty;
            if random.is_some() && !has_ended {
                let words: [u64; 3] = encoder.stream_state().into();
                encoder = fresh;
                encoder.resume(words.into()).expect("a new encoder takes the state");
            }
            match result.status {
                EncodeStatus::InputEmpty if has_ended => return (bytes, errors),
                EncodeStatus::InputEmpty => break,
                EncodeStatus::OutputFull => {}
                EncodeStatus::Unmappable(unmappable) => errors.push((unmappable.offset, unmappable.code_point)),
            }
        }
    }
}
