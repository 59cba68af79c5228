//! Destinations other than slices of bytes: a `str`, memory that is not initialised, the spare capacity of a `String`
//! or `Vec`. Each receives the same text as a slice, and no byte changes outside of the part that a call may change.

use core::mem::MaybeUninit;
use textcodec::{
    DecodeErrorMode, DecodeResult, DecodeStatus, Decoder, EncodeErrorMode, EncodeResult, EncodeStatus, Encoder,
    Encoding, UTF_8, WINDOWS_1252, mem,
};
use textcodec_tests::encoders;

const MODES: [DecodeErrorMode; 2] = [DecodeErrorMode::Replacement, DecodeErrorMode::Fatal];

/// Bytes that are text in some encodings, malformed in others, and cut off at the end.
const SOURCE: &[u8] =
    b"a\xE9b\x82\xA0\xA4\xA2 \x1B$B$\"\x1B(B\xF0\x9F\x92\xA9\x81\x30\x81\x30\xFFz\xD8\x3D\xDC\xA9 \x88\xA0\xE3\x81";

/// Each way to cut [`SOURCE`] in two.
fn pieces() -> impl Iterator<Item = [&'static [u8]; 2]> {
    (0..=SOURCE.len()).map(|at| [&SOURCE[..at], &SOURCE[at..]])
}

/// Decodes two pieces in calls with destinations of `capacity` bytes or units. `call` decodes, and returns the output
/// that it wrote.
fn decode<T: Clone>(
    mut decoder: Decoder,
    pieces: [&[u8]; 2],
    mut call: impl FnMut(&mut Decoder, &[u8], bool) -> (DecodeResult, Vec<T>),
) -> (Vec<DecodeResult>, Vec<T>) {
    let (mut results, mut text) = (Vec::new(), Vec::new());
    for (piece, last) in pieces.into_iter().zip([false, true]) {
        let mut read = 0;
        loop {
            let (result, written) = call(&mut decoder, &piece[read..], last);
            results.push(result);
            assert_eq!(written.len(), result.written);
            text.extend(written);
            read += result.read;
            if result.status == DecodeStatus::InputEmpty {
                break;
            }
        }
    }
    (results, text)
}

#[test]
fn every_kind_of_destination_gets_the_same_text_at_every_capacity() {
    for encoding in Encoding::all() {
        for mode in MODES {
            for pieces in pieces() {
                // Four bytes are always enough to go on.
                for capacity in [4, 5, 7, 16, 200] {
                    let decoder = encoding.new_decoder();
                    let expected = decode(decoder, pieces, |decoder, source, last| {
                        let mut bytes = vec![0; capacity];
                        let result = decoder.decode_to_utf8(source, &mut bytes, last, mode);
                        bytes.truncate(result.written);
                        (result, bytes)
                    });
                    let uninit = decode(decoder, pieces, |decoder, source, last| {
                        let mut memory = vec![MaybeUninit::uninit(); capacity];
                        let (result, text) = decoder.decode_to_utf8_uninit(source, &mut memory, last, mode);
                        (result, text.as_bytes().to_vec())
                    });
                    assert_eq!(uninit, expected, "{encoding}");
                    let spare = decode(decoder, pieces, |decoder, source, last| {
                        let mut text = String::with_capacity(3 + capacity);
                        text.push('€');
                        let before = text.as_ptr();
                        // An allocator may give more than was asked for.
                        while text.capacity() - text.len() > capacity {
                            text.push('a');
                        }
                        let length = text.len();
                        let result = decoder.decode_to_string_within_capacity(source, &mut text, last, mode);
                        assert_eq!(text.as_ptr(), before);
                        (result, text.as_bytes()[length..].to_vec())
                    });
                    assert_eq!(spare, expected, "{encoding}");
                }
            }
        }
    }
}

#[test]
fn every_kind_of_destination_gets_the_same_code_units_at_every_capacity() {
    for encoding in Encoding::all() {
        for mode in MODES {
            for pieces in pieces() {
                for capacity in [2, 3, 8, 200] {
                    let decoder = encoding.new_decoder();
                    let expected = decode(decoder, pieces, |decoder, source, last| {
                        let mut units = vec![0; capacity];
                        let result = decoder.decode_to_utf16(source, &mut units, last, mode);
                        units.truncate(result.written);
                        (result, units)
                    });
                    let uninit = decode(decoder, pieces, |decoder, source, last| {
                        let mut memory = vec![MaybeUninit::uninit(); capacity];
                        let (result, text) = decoder.decode_to_utf16_uninit(source, &mut memory, last, mode);
                        (result, text.to_vec())
                    });
                    assert_eq!(uninit, expected, "{encoding}");
                    let spare = decode(decoder, pieces, |decoder, source, last| {
                        let mut units = vec![7; 3];
                        units.reserve_exact(capacity);
                        units.resize(units.capacity() - capacity, 7);
                        let (length, before) = (units.len(), units.as_ptr());
                        let result = decoder.decode_to_utf16_vec_within_capacity(source, &mut units, last, mode);
                        assert_eq!(units.as_ptr(), before);
                        (result, units.split_off(length))
                    });
                    assert_eq!(spare, expected, "{encoding}");
                }
            }
        }
    }
}

/// Old texts whose characters have one to four bytes, so that every end of the text written cuts some of them.
fn old_texts() -> impl Iterator<Item = String> {
    ["a", "ä", "€", "\u{1F4A9}", "a€\u{1F4A9}ä"].into_iter().map(|character| character.repeat(80))
}

#[test]
fn a_str_is_utf_8_after_every_call_at_every_length() {
    for encoding in Encoding::all() {
        for old in old_texts() {
            for length in (0..80).filter(|&length| old.is_char_boundary(length)) {
                for mode in MODES {
                    let mut decoder = encoding.new_decoder();
                    let mut text = old[..length].to_owned();
                    for (source, last) in [(&SOURCE[..17], false), (&SOURCE[17..], true)] {
                        let mut bytes = vec![0; length];
                        let expected = { decoder }.decode_to_utf8(source, &mut bytes, last, mode);
                        let result = decoder.decode_to_str(source, &mut text, last, mode);
                        assert_eq!(result, expected, "{encoding}");
                        let checked = core::str::from_utf8(text.as_bytes()).expect("a str is UTF-8");
                        assert_eq!(checked.len(), length);
                        assert_eq!(checked.as_bytes()[..result.written], bytes[..result.written]);
                    }
                }
            }
        }
    }
}

#[test]
fn one_byte_into_a_long_str_leaves_the_far_bytes_as_they_are() {
    const FAR: usize = 100;
    let old = "€".repeat(333_333);
    let mut text = old.clone();
    for encoding in Encoding::all() {
        for (source, last) in [(&b"\xE9"[..], false), (b"a", true), (b"", true)] {
            for mode in MODES {
                let _ = encoding.new_decoder().decode_to_str(source, &mut text, last, mode);
                assert!(text.as_bytes()[FAR..] == old.as_bytes()[FAR..], "{encoding}");
            }
        }
    }
    assert_eq!(mem::utf16_to_str(&[0xD800], &mut text), (1, 3));
    assert_eq!(mem::latin1_to_str(b"\xE9", &mut text), (1, 2));
    assert!(text.as_bytes()[FAR..] == old.as_bytes()[FAR..]);
}

#[test]
fn an_error_every_few_bytes_of_a_long_source_does_not_clear_a_long_str_each_time() {
    let mut decoder = UTF_8.new_decoder();
    let mut text = "a".repeat(1_000_000);
    let source = b"bc\xFF".repeat(100_000);
    let result = decoder.decode_to_str(&source, &mut text, true, DecodeErrorMode::Fatal);
    assert!(matches!(result.status, DecodeStatus::Malformed(_)));
    assert_eq!((result.read, &text[..3]), (3, "bc\0"));
    assert!(text[10_000..].bytes().all(|byte| byte == b'a'));
}

#[test]
fn a_long_source_fills_a_str_piece_by_piece() {
    // Two bytes of UTF-8 for each byte of the source.
    let source = b"\xE9".repeat(100_000);
    for length in [199_998, 199_999, 200_000, 200_001, 250_000] {
        for mode in MODES {
            let mut text = "x".repeat(length);
            let result = WINDOWS_1252.new_decoder().decode_to_str(&source, &mut text, true, mode);
            let fits = (length / 2).min(source.len());
            assert_eq!((result.read, result.written), (fits, 2 * fits));
            assert_eq!(result.status == DecodeStatus::InputEmpty, fits == source.len());
            assert!(text[..result.written].chars().all(|character| character == 'é'));
        }
    }
}

#[test]
fn a_string_with_enough_capacity_does_not_grow() {
    for (encoding, source) in [(WINDOWS_1252, b"caf\xE9 ".repeat(2000)), (UTF_8, "café ".repeat(2000).into_bytes())] {
        let mut text = String::with_capacity(6 * 2000);
        let before = (text.as_ptr(), text.capacity());
        let result = encoding.new_decoder().decode_to_string(&source, &mut text, true, DecodeErrorMode::Replacement);
        assert_eq!((result.status, result.read), (DecodeStatus::InputEmpty, source.len()));
        assert_eq!(text, "café ".repeat(2000));
        assert_eq!((text.as_ptr(), text.capacity()), before);
    }
}

/// Encodes `text` in calls of `call`, and as UTF-16 in calls of `call_utf16`, which return the bytes.
fn encode(
    encoder: Encoder,
    text: &str,
    mut call: impl FnMut(&mut Encoder, &str) -> (EncodeResult, Vec<u8>),
    mut call_utf16: impl FnMut(&mut Encoder, &[u16]) -> (EncodeResult, Vec<u8>),
) -> [Vec<(EncodeResult, Vec<u8>)>; 2] {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut results = [vec![], vec![]];
    let (mut of_utf8, mut of_utf16) = (encoder, encoder);
    let (mut read, mut units_read) = (0, 0);
    while results[0].last().is_none_or(|(result, _): &(EncodeResult, _)| result.status != EncodeStatus::InputEmpty) {
        results[0].push(call(&mut of_utf8, &text[read..]));
        read += results[0].last().unwrap().0.read;
    }
    while results[1].last().is_none_or(|(result, _): &(EncodeResult, _)| result.status != EncodeStatus::InputEmpty) {
        results[1].push(call_utf16(&mut of_utf16, &units[units_read..]));
        units_read += results[1].last().unwrap().0.read;
    }
    results
}

#[test]
fn every_kind_of_destination_gets_the_same_bytes_at_every_capacity() {
    const MODES: [EncodeErrorMode; 2] = [EncodeErrorMode::Html, EncodeErrorMode::Fatal];
    let text = "aé€ \u{1F4A9}あア z¥中\u{E5E5}\u{10FFFF} plain text that is long enough for vectors; Русский текст";
    for encoding in encoders() {
        for mode in MODES {
            // Four bytes are always enough to go on.
            for capacity in [4, 5, 7, 16, 400] {
                let encoder = encoding.new_encoder();
                fn bytes_of(result: EncodeResult, mut bytes: Vec<u8>) -> (EncodeResult, Vec<u8>) {
                    bytes.truncate(result.written);
                    (result, bytes)
                }
                let expected = encode(
                    encoder,
                    text,
                    |encoder, text| {
                        let mut bytes = vec![0; capacity];
                        bytes_of(encoder.encode_str(text, &mut bytes, true, mode), bytes)
                    },
                    |encoder, text| {
                        let mut bytes = vec![0; capacity];
                        bytes_of(encoder.encode_utf16(text, &mut bytes, true, mode), bytes)
                    },
                );
                let uninit = encode(
                    encoder,
                    text,
                    |encoder, text| {
                        let mut memory = vec![MaybeUninit::uninit(); capacity];
                        let (result, bytes) = encoder.encode_str_uninit(text, &mut memory, true, mode);
                        (result, bytes.to_vec())
                    },
                    |encoder, text| {
                        let mut memory = vec![MaybeUninit::uninit(); capacity];
                        let (result, bytes) = encoder.encode_utf16_uninit(text, &mut memory, true, mode);
                        (result, bytes.to_vec())
                    },
                );
                assert_eq!(uninit, expected, "{encoding}");
                let with_spare = || {
                    let mut bytes: Vec<u8> = Vec::with_capacity(capacity + 3);
                    bytes.resize(bytes.capacity() - capacity, b'x');
                    bytes
                };
                let spare = encode(
                    encoder,
                    text,
                    |encoder, text| {
                        let mut bytes = with_spare();
                        let (length, before) = (bytes.len(), bytes.as_ptr());
                        let result = encoder.encode_str_to_vec_within_capacity(text, &mut bytes, true, mode);
                        assert_eq!(bytes.as_ptr(), before);
                        (result, bytes.split_off(length))
                    },
                    |encoder, text| {
                        let mut bytes = with_spare();
                        let (length, before) = (bytes.len(), bytes.as_ptr());
                        let result = encoder.encode_utf16_to_vec_within_capacity(text, &mut bytes, true, mode);
                        assert_eq!(bytes.as_ptr(), before);
                        (result, bytes.split_off(length))
                    },
                );
                assert_eq!(spare, expected, "{encoding}");
            }
        }
    }
}
