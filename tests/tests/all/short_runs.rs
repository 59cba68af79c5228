//! Texts in which ASCII, pairs of bytes and longer sequences follow each other in runs of any length, in the encodings
//! that have bulk conversions of their own for runs.

use textcodec::{
    DecodeErrorMode, DecodeStatus, Decoder, EncodeErrorMode, EncodeStatus, Encoder, Encoding, GB18030, ISO_2022_JP,
};
use textcodec_core::testing::Random;
use textcodec_kernels::level::at_every_level;
use textcodec_tests::{process_decode, process_encode};

/// Runs a test on every kernel level for each encoding, with words that the encoding can represent.
fn with_each(test: impl Fn(Encoding, &[&str])) {
    at_every_level(|_| {
        test(ISO_2022_JP, &["a", " the", "\n", "亜", "日本", "ひらがなとカタカナ", "。"]);
        test(GB18030, &["a", " the", "\n", "다", "우리말", "한국어위키백과", "中文", "€", "é", "\u{1F4A9}"]);
    });
}

/// A text of at least `length` bytes in UTF-8.
fn text(length: usize, words: &[&str], random: &mut Random) -> String {
    let mut text = String::new();
    while text.len() < length {
        // One run of twelve is long.
        let times = if random.below(12) == 0 { random.below(80) } else { 1 };
        text.push_str(&words[random.below(words.len())].repeat(times));
    }
    text
}

/// A call of a decoder. Returns the number of bytes read.
type Decode<'a> = dyn FnMut(&mut Decoder, &[u8]) -> (usize, DecodeStatus) + 'a;
/// A call of an encoder. Returns the number of bytes written.
type Encode<'a> = dyn FnMut(&mut Encoder, &mut [u8]) -> (usize, EncodeStatus) + 'a;

/// Decodes into `capacity` bytes and code units at a time, in both error modes.
fn check_decoding(encoding: Encoding, source: &[u8], capacity: usize) {
    let expected = process_decode(encoding, source);
    for mode in [DecodeErrorMode::Fatal, DecodeErrorMode::Replacement] {
        let decode = |decode: &mut Decode<'_>| {
            let (mut decoder, mut read) = (encoding.new_decoder_without_bom_handling(), 0);
            loop {
                let (bytes, status) = decode(&mut decoder, &source[read..]);
                read += bytes;
                if status == DecodeStatus::InputEmpty {
                    break;
                }
            }
        };
        let (mut utf8, mut destination) = (Vec::new(), vec![0; capacity]);
        decode(&mut |decoder, source| {
            let result = decoder.decode_to_utf8(source, &mut destination, true, mode);
            utf8.extend_from_slice(&destination[..result.written]);
            if let DecodeStatus::Malformed(_) = result.status {
                utf8.extend_from_slice("\u{FFFD}".as_bytes());
            }
            (result.read, result.status)
        });
        assert_eq!(
            String::from_utf8(utf8).unwrap(),
            expected,
            "{encoding}: {source:02X?} into {capacity} bytes, {mode:?}"
        );

        let (mut utf16, mut destination) = (Vec::new(), vec![0; capacity]);
        decode(&mut |decoder, source| {
            let result = decoder.decode_to_utf16(source, &mut destination, true, mode);
            utf16.extend_from_slice(&destination[..result.written]);
            if let DecodeStatus::Malformed(_) = result.status {
                utf16.push(0xFFFD);
            }
            (result.read, result.status)
        });
        assert_eq!(
            String::from_utf16(&utf16).unwrap(),
            expected,
            "{encoding}: {source:02X?} into {capacity} units, {mode:?}"
        );
    }
}

/// Encodes into `capacity` bytes at a time, with character references.
fn check_encoding(encoding: Encoding, text: &str, capacity: usize) {
    let expected = process_encode(encoding, text);
    let encode = |encode: &mut Encode<'_>| {
        let (mut encoder, mut bytes) = (encoding.new_encoder(), Vec::new());
        let mut destination = vec![0; capacity];
        loop {
            let (written, status) = encode(&mut encoder, &mut destination);
            bytes.extend_from_slice(&destination[..written]);
            if status == EncodeStatus::InputEmpty {
                return bytes;
            }
        }
    };
    let mut read = 0;
    let bytes = encode(&mut |encoder, destination| {
        let result = encoder.encode_str(&text[read..], destination, true, EncodeErrorMode::Html);
        read += result.read;
        (result.written, result.status)
    });
    assert_eq!(bytes, expected, "{encoding}: {text:?} into {capacity} bytes");
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut read = 0;
    let bytes = encode(&mut |encoder, destination| {
        let result = encoder.encode_utf16(&units[read..], destination, true, EncodeErrorMode::Html);
        read += result.read;
        (result.written, result.status)
    });
    assert_eq!(bytes, expected, "{encoding}: {units:04X?} into {capacity} bytes");
}

#[test]
fn a_destination_of_any_size() {
    with_each(|encoding, words| {
        let mut random = Random(1);
        for capacity in (4..300).chain([1000, 1023, 1024, 1025, 5000]) {
            let text = text(3000, words, &mut random);
            check_encoding(encoding, &text, capacity);
            check_decoding(encoding, &encoding.encode(&text).bytes, capacity);
        }
    });
}

#[test]
fn a_run_of_any_length_at_the_start() {
    with_each(|encoding, words| {
        let mut random = Random(2);
        for length in 0..1200 {
            let text = "x".repeat(length) + &text(100, words, &mut random);
            let capacity = 3 * text.len() + 10;
            check_encoding(encoding, &text, capacity);
            check_decoding(encoding, &encoding.encode(&text).bytes, capacity);
            let text = words[3].repeat(length) + &text;
            check_encoding(encoding, &text, 2 * capacity);
            check_decoding(encoding, &encoding.encode(&text).bytes, 2 * capacity);
            let text = "x".repeat(2 * length) + &text;
            check_decoding(encoding, &encoding.encode(&text).bytes, 4 + random.below(text.len()));
        }
    });
}

#[test]
fn malformed_bytes_anywhere() {
    let malformed: [&[u8]; 16] = [
        b"\x1B",
        b"\x1B\x1B",
        b"\x1B$",
        b"\x1B(I",
        b"\x1B(J",
        b"\x1B(B",
        b"\x1B$@",
        b"\x0E",
        b"\x0F",
        b"\n",
        b" ",
        b"\x7F",
        b"\x7E",
        b"\x22\x7E",
        b"\x80",
        b"\xFF0",
    ];
    with_each(|encoding, words| {
        let mut random = Random(3);
        let source = encoding.encode(&text(700, words, &mut random)).bytes.into_owned();
        for at in 0..source.len() {
            for malformed in [malformed[at % 16], malformed[random.below(16)]] {
                // The malformed bytes first replace as many bytes of the source, and are then inserted between two
                // bytes.
                let end = source.len().min(at + malformed.len());
                for rest in [&source[end..], &source[at..]] {
                    let source = [&source[..at], malformed, rest].concat();
                    check_decoding(encoding, &source, 4 + random.below(900));
                }
            }
            check_decoding(encoding, &source[..at], 5000);
        }
    });
}

#[test]
fn single_characters_of_other_kinds_anywhere() {
    let apart =
        ["\u{E}", "\u{F}", "\u{1B}", "¥", "‾", "−", "ｱ", "ﾞ", "☃", "é", "€", "\u{E7C7}", "\u{E5E5}", "\u{1F4A9}"];
    with_each(|encoding, words| {
        let mut random = Random(4);
        let text = text(1200, words, &mut random);
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let (before, rest) = text.split_at(at);
            let text = [before, apart[random.below(apart.len())], rest].concat();
            check_encoding(encoding, &text, 12 + random.below(3000));
        }
    });
}
