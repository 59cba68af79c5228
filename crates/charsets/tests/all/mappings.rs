//! The mapping files, parsed by other code than that of the generator.

use std::{collections::HashMap, fs, path::PathBuf};

use textcodec_charsets::{Charset, DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus};

/// The code points of the bytes, and the bytes to which nothing is encoded.
pub(crate) struct Mapping {
    pub(crate) code_points: [Option<char>; 256],
    pub(crate) decode_only: Vec<u8>,
}

pub(crate) fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "indexes", "charsets"].iter().collect()
}

/// The mapping of a single-byte charset.
pub(crate) fn mapping(charset: Charset) -> Mapping {
    let path = folder().join(format!("index-{}.txt", charset.name().to_lowercase()));
    let mut mapping = Mapping { code_points: [None; 256], decode_only: Vec::new() };
    for line in fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).lines() {
        if let Some(bytes) = line.strip_prefix("# Decode only: ") {
            mapping.decode_only = bytes.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        } else if let Some((byte, code_point)) = line.split_once('\t') {
            let code_point = u32::from_str_radix(code_point.strip_prefix("0x").unwrap(), 16).unwrap();
            mapping.code_points[byte.parse::<usize>().unwrap()] = char::from_u32(code_point);
        }
    }
    mapping
}

/// The charsets with a mapping of single bytes.
pub(crate) fn single_byte() -> impl Iterator<Item = Charset> {
    Charset::all().filter(|charset| charset.codec().is_single_byte())
}

/// The code point and the error of a byte between others that the decoder converts in bulk.
fn decode(charset: Charset, byte: u8, others: &[u8]) -> (Option<char>, String) {
    let source = [others, &[byte], others].concat();
    let mut text = String::new();
    let result = charset.new_decoder().decode_to_string(&source, &mut text, true, DecodeErrorMode::Fatal);
    let before = charset.decode_or_fail(others).unwrap();
    match result.status {
        DecodeStatus::Malformed(malformed) => {
            assert_eq!((malformed.offset, malformed.bytes()), (others.len() as u64, &[byte][..]), "{charset}");
            assert_eq!(text, before, "{charset} {byte:02X}");
            (None, text)
        }
        _ => {
            let rest = text.strip_prefix(&before).and_then(|text| text.strip_suffix(&before)).unwrap();
            let mut characters = rest.chars();
            (characters.next().filter(|_| characters.as_str().is_empty()), text)
        }
    }
}

#[test]
fn every_byte_of_every_single_byte_charset_is_decoded_as_its_mapping_file_says() {
    let mut count = 0;
    for charset in single_byte() {
        let mapping = mapping(charset);
        let first = mapping.code_points.iter().position(Option::is_some).unwrap() as u8;
        for byte in 0..=u8::MAX {
            for length in [0, 100] {
                let (code_point, text) = decode(charset, byte, &vec![first; length]);
                assert_eq!(code_point, mapping.code_points[usize::from(byte)], "{charset} {byte:02X} {text:?}");
            }
        }
        count += 1;
    }
    assert_eq!(count, fs::read_dir(folder()).unwrap().filter(|file| is_index(file.as_ref().unwrap())).count());
}

fn is_index(file: &fs::DirEntry) -> bool {
    file.file_name().to_string_lossy().starts_with("index-")
}

#[test]
fn every_scalar_value_is_encoded_as_the_mapping_file_says() {
    for charset in single_byte() {
        let mapping = mapping(charset);
        let mut bytes = HashMap::new();
        for (byte, code_point) in (0..=u8::MAX).zip(mapping.code_points) {
            if let Some(code_point) = code_point.filter(|_| !mapping.decode_only.contains(&byte)) {
                assert_eq!(bytes.insert(code_point, byte), None, "{charset} has {code_point:?} twice");
            }
        }
        let mut encoder = charset.new_encoder().unwrap();
        let mut encoded = 0;
        // All characters after plane 0 are unmappable.
        for code_point in ('\0'..='\u{100FF}').chain(['\u{1F4A9}', '\u{20000}', char::MAX]) {
            let mut destination = [0; 4];
            encoder.reset();
            let text = code_point.encode_utf8(&mut destination).to_owned();
            let mut destination = [0; 4];
            let result = encoder.encode_str(&text, &mut destination, true, EncodeErrorMode::Fatal);
            let expected = bytes.get(&code_point);
            let is_unmappable = matches!(result.status, EncodeStatus::Unmappable(_));
            assert_eq!(is_unmappable, expected.is_none(), "{charset} {code_point:?}");
            if let Some(byte) = expected {
                assert_eq!(destination[..result.written], [*byte], "{charset} {code_point:?}");
                encoded += 1;
            }
        }
        assert_eq!(encoded, bytes.len(), "{charset}");
    }
}

#[test]
fn long_texts_are_encoded_as_their_characters() {
    for charset in single_byte() {
        let mapping = mapping(charset);
        let known: Vec<(u8, char)> = (0..=u8::MAX)
            .filter(|byte| !mapping.decode_only.contains(byte))
            .filter_map(|byte| Some((byte, mapping.code_points[usize::from(byte)]?)))
            .collect();
        let bytes: Vec<u8> = (0..3000).map(|at| known[(at * at + at / 7) % known.len()].0).collect();
        let text: String = bytes.iter().map(|byte| mapping.code_points[usize::from(*byte)].unwrap()).collect();
        assert_eq!(charset.encode_or_fail(&text).unwrap(), bytes, "{charset}");
        assert_eq!(charset.decode_or_fail(&bytes).unwrap(), text, "{charset}");
        let unmappable = format!("{text}\u{10FFFF}{text}");
        let error = charset.encode_or_fail(&unmappable).unwrap_err();
        assert_eq!((error.offset, error.code_point), (text.len() as u64, '\u{10FFFF}'), "{charset}");
    }
}

#[test]
fn with_a_line_feed_at_15_only_two_bytes_differ() {
    let mut count = 0;
    for charset in single_byte() {
        let Some(other) = charset.with_line_feed_at_15() else { continue };
        assert_ne!(charset, other);
        for byte in 0..=u8::MAX {
            // A short text and a long one.
            for length in [1, 700] {
                let (source, text) = (vec![byte; length], charset.decode_or_fail(&vec![byte; length]).ok());
                let expected = match byte {
                    0x15 => Some("\n".repeat(length)),
                    0x25 => Some("\u{85}".repeat(length)),
                    _ => text,
                };
                assert_eq!(other.decode_or_fail(&source).ok(), expected, "{other} {byte:02X}");
                if let Some(text) = expected.filter(|_| !mapping(charset).decode_only.contains(&byte)) {
                    assert_eq!(other.encode_or_fail(&text).unwrap(), source, "{other} {byte:02X}");
                }
            }
        }
        count += 1;
    }
    assert!(count > 60, "{count}");
}

#[test]
fn a_character_reference_has_the_bytes_of_the_charset() {
    let (mut references, mut lacking) = (0, Vec::new());
    for charset in Charset::all().filter(|charset| charset.encode_or_fail("\u{10FFFF}").is_err()) {
        let Some(mut encoder) = charset.new_encoder() else { continue };
        let (source, mut bytes) = ("0\u{10FFFF}\u{10FFFF}0", Vec::new());
        let status = encoder.encode_str_to_vec(source, &mut bytes, true, EncodeErrorMode::Html).status;
        let Ok(expected) = charset.encode_or_fail("0&#1114111;&#1114111;0") else {
            let Ok(before) = charset.encode_or_fail("0") else { continue };
            assert!(
                matches!(status, EncodeStatus::Unmappable(unmappable)
                if (unmappable.offset, unmappable.code_point) == (1, char::MAX)),
                "{charset} {status:?}"
            );
            assert_eq!(bytes, before, "{charset}");
            lacking.push(charset.name());
            continue;
        };
        assert_eq!((&bytes, status), (&expected, EncodeStatus::InputEmpty), "{charset}");
        // Destinations that end within a reference, and a stream that another encoder continues there.
        for capacity in 8..14 {
            let (mut encoder, mut rest, mut bytes) = (charset.new_encoder().unwrap(), source, Vec::new());
            loop {
                let (mut other, state) = (charset.new_encoder().unwrap(), encoder.stream_state());
                other.resume(state).unwrap_or_else(|error| panic!("{charset}: {error}"));
                let longest = other.max_length_from_str(rest.len(), EncodeErrorMode::Html).unwrap();
                let left = { other }.encode_str(rest, &mut vec![0; longest], true, EncodeErrorMode::Html);
                assert_eq!(left.status, EncodeStatus::InputEmpty, "{charset} needs more than {longest} bytes");
                let mut destination = vec![0; capacity];
                let result = other.encode_str(rest, &mut destination, true, EncodeErrorMode::Html);
                bytes.extend_from_slice(&destination[..result.written]);
                (encoder, rest) = (other, &rest[result.read..]);
                if result.status == EncodeStatus::InputEmpty {
                    break;
                }
            }
            assert_eq!(bytes, expected, "{charset}, {capacity} bytes");
        }
        references += 1;
    }
    assert!(references > 250, "{references}");
    // Variants of ISO 646 and EBCDIC without a number sign, and sets without some of the ASCII characters.
    assert_eq!(lacking.len(), 28, "{lacking:?}");
    assert!(lacking.contains(&"BS_4730") && lacking.contains(&"EBCDIC-FI-SE"));
    let html = |charset: Charset, text: &str| {
        let mut bytes = Vec::new();
        let _ = charset.new_encoder().unwrap().encode_str_to_vec(text, &mut bytes, true, EncodeErrorMode::Html);
        bytes
    };
    assert_eq!(html(textcodec_charsets::ebcdic::IBM037, "a€"), b"\x81\x50\x7B\xF8\xF3\xF6\xF4\x5E");
    let ucs_2: Vec<u8> = b"a&#128169;".iter().flat_map(|&byte| [0, byte]).collect();
    assert_eq!(html(textcodec_charsets::unicode::UCS_2BE, "a💩"), ucs_2);
    // Pairs end before the reference.
    let ibm930 = html(textcodec_charsets::ebcdic_east_asian::IBM930, "日💩");
    assert_eq!(ibm930, b"\x0E\x45\x62\x0F\x50\x7B\xF1\xF2\xF8\xF1\xF6\xF9\x5E");
}
