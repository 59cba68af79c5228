//! The mapping files of charsets of pairs of bytes, parsed by other code than that of the generator.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
};

use textcodec_charsets::{Charset, DecodeErrorMode, DecodeStatus, Family};
use textcodec_core::testing::{Subject, battery, check_bytes, check_text, check_texts};

use crate::mappings::folder;

/// What sequences of bytes mean, and the bytes of characters.
pub(crate) struct Pairs {
    pub(crate) decoded: BTreeMap<Vec<u8>, String>,
    pub(crate) encoded: HashMap<char, Vec<u8>>,
}

/// The charsets with a mapping of pairs.
pub(crate) fn charsets() -> impl Iterator<Item = Charset> {
    Charset::all().filter(|charset| path(*charset).exists())
}

fn path(charset: Charset) -> std::path::PathBuf {
    folder().join("east-asian").join(format!("mapping-{}.txt", charset.name().to_lowercase()))
}

/// Whether pairs are between shifts.
pub(crate) fn has_shifts(charset: Charset) -> bool {
    charset.family() == Family::EbcdicEastAsian
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn character(text: &str) -> char {
    char::from_u32(u32::from_str_radix(text, 16).unwrap()).unwrap()
}

pub(crate) fn mapping(charset: Charset) -> Pairs {
    let mut pairs = Pairs { decoded: BTreeMap::new(), encoded: HashMap::new() };
    let mut exceptions = Vec::new();
    for line in fs::read_to_string(path(charset)).unwrap().lines() {
        let Some((first, rest)) = line.split_once('\t') else { continue };
        if let Some(code_point) = first.strip_prefix('>') {
            exceptions.push((character(code_point), (rest != "-").then(|| hex(rest))));
            continue;
        }
        let mut bytes = hex(first);
        for characters in rest.split(' ') {
            pairs.decoded.insert(bytes.clone(), characters.split('+').map(character).collect());
            *bytes.last_mut().unwrap() = bytes.last().unwrap().wrapping_add(1);
        }
    }
    // The shortest sequence comes first, and of those the first one.
    for length in [1, 2, 3, 4] {
        for (bytes, text) in pairs.decoded.iter().filter(|(bytes, _)| bytes.len() == length) {
            if let (Some(character), 1) = (text.chars().next(), text.chars().count()) {
                pairs.encoded.entry(character).or_insert_with(|| bytes.clone());
            }
        }
    }
    for (character, bytes) in exceptions {
        match bytes {
            Some(bytes) => pairs.encoded.insert(character, bytes),
            None => pairs.encoded.remove(&character),
        };
    }
    pairs
}

/// A sequence of the mapping file as it stands alone in a text.
pub(crate) fn alone(charset: Charset, bytes: &[u8]) -> Vec<u8> {
    if has_shifts(charset) && bytes.len() == 2 { [&[0x0E], bytes, &[0x0F]].concat() } else { bytes.to_vec() }
}

/// All sequences, one after the other, and their text.
pub(crate) fn all(charset: Charset, pairs: &Pairs) -> (Vec<u8>, String) {
    let (mut bytes, mut text) = (Vec::new(), String::new());
    for (number, (sequence, of)) in pairs.decoded.iter().enumerate() {
        if has_shifts(charset) && sequence.len() == 2 && number % 8 != 0 && bytes.last() == Some(&0x0F) {
            bytes.pop();
            bytes.extend_from_slice(sequence);
            bytes.push(0x0F);
        } else {
            bytes.extend(alone(charset, sequence));
        }
        text += of;
    }
    (bytes, text)
}

#[test]
fn every_sequence_of_a_mapping_is_decoded() {
    let mut count = 0;
    for charset in charsets() {
        let pairs = mapping(charset);
        let (bytes, text) = all(charset, &pairs);
        let decoded = charset.decode_or_fail(&bytes).unwrap_or_else(|error| panic!("{charset}: {error}"));
        let differs = decoded.chars().zip(text.chars()).position(|(decoded, expected)| decoded != expected);
        assert!(decoded == text, "{charset} at character {differs:?}");
        count += pairs.decoded.len();
    }
    assert!(count > 500_000, "{count}");
}

#[test]
fn every_other_pair_is_malformed() {
    for charset in charsets() {
        let pairs = mapping(charset);
        let begins: BTreeSet<&[u8]> =
            pairs.decoded.keys().filter(|bytes| bytes.len() > 2).map(|bytes| &bytes[..2]).collect();
        for lead in 0..=u8::MAX {
            if pairs.decoded.contains_key(&[lead][..]) {
                let single = charset.decode_or_fail(&[lead]).unwrap();
                assert_eq!(&single, &pairs.decoded[&[lead][..]], "{charset} {lead:02X}");
                if !has_shifts(charset) {
                    continue;
                }
            }
            for trail in 0..=u8::MAX {
                let pair = [lead, trail];
                if has_shifts(charset) && (matches!(lead, 0x0E | 0x0F) || matches!(trail, 0x0E | 0x0F)) {
                    continue;
                }
                // Sequences of four bytes in GB 18030 are another test's.
                if begins.contains(&pair[..]) || charset.name() == "GB18030" && trail.is_ascii_digit() {
                    continue;
                }
                let source = if has_shifts(charset) { [0x0E, lead, trail, 0x0F].to_vec() } else { pair.to_vec() };
                let mut text = String::new();
                let mut decoder = charset.new_decoder();
                let result = decoder.decode_to_string(&source, &mut text, true, DecodeErrorMode::Fatal);
                let is_known = matches!(result.status, DecodeStatus::InputEmpty);
                assert_eq!(is_known, pairs.decoded.contains_key(&pair[..]), "{charset} {lead:02X} {trail:02X}");
            }
        }
    }
}

/// Every character that the mapping has, and each 37th of the others.
#[test]
fn every_character_of_a_mapping_is_encoded() {
    for charset in charsets() {
        let pairs = mapping(charset);
        for code_point in '\0'..='\u{2FFFF}' {
            let expected = pairs.encoded.get(&code_point);
            if expected.is_none() && (code_point as u32 % 37 != 0 || charset.name() == "GB18030") {
                continue;
            }
            let encoded = charset.encode_or_fail(code_point.encode_utf8(&mut [0; 4])).ok();
            let expected = expected.map(|bytes| alone(charset, bytes));
            assert_eq!(encoded, expected, "{charset} U+{:04X}", code_point as u32);
        }
    }
}

#[test]
fn a_text_of_all_characters_is_encoded_at_once() {
    for charset in charsets() {
        let pairs = mapping(charset);
        let mut text = String::new();
        for (character, bytes) in &pairs.encoded {
            if pairs.decoded.get(bytes).is_some_and(|text| text.chars().eq([*character])) {
                text.push(*character);
            }
        }
        let bytes = charset.encode_or_fail(&text).unwrap_or_else(|error| panic!("{charset}: {error}"));
        assert!(charset.decode_or_fail(&bytes).unwrap() == text, "{charset}");
    }
}

pub(crate) fn subject(name: &str) -> Subject {
    let charset = Charset::all().find(|charset| charset.name() == name).unwrap();
    Subject::new(charset.name(), charset.codec(), 4)
}

/// A charset of each shape.
pub(crate) const SHAPES: [(&str, &[u8], &str); 12] = [
    ("SJIS", b"a\\~@\x7F\x80\x81\x9A\xB1\xFC", "a\\~é¥‾−ｱﾞあ亜纊\u{E000}"),
    ("WINDOWS-949", b"aA\x80\x81\xA1\xC9\xFE\xFF", "aé\u{80}가갂힣詰\u{E000}\u{F8F7}"),
    ("JOHAB", b"a1\\\x7E\x84\x91\xD3\xD9\xF9\xFF", "a\\₩가갂힣詰é"),
    ("GB18030", b"a0@\x7F\x81\xA8\xFE\xFF", "aé€가詰\u{E000}\u{1E3F}\u{10000}"),
    ("BIG5-HKSCS", b"a@\x62\x87\x88\xA3\xFE\xFF", "aé\u{CA}\u{EA}\u{304}\u{30C}中十\u{2626B}"),
    ("EUC-JP-MS", b"a\x80\x8E\x8F\xA1\xB0\xF5\xFE\xFF", "aé¥ｱあ亜丂\u{E000}"),
    ("EUC-TW", b"a\x8E\x8F\xA1\xA2\xA3\xAF\xFE", "aé中丂\u{20021}"),
    ("EUC-JISX0213", b"a\x8E\x8F\xA1\xA4\xF7\xAB\xFE", "aéかきくけこカキクケコセツトㇷæɔʌəɚ˩˥\u{309A}\u{300}亜"),
    ("SHIFT_JISX0213", b"a\\~\x81\x82\xA9\xF5\xFC", "aé¥‾かきくけこカキクケコセツトㇷæɔʌəɚ˩˥\u{309A}\u{300}亜"),
    ("HZ", b"a~{}\nVP\xFF", "a~中文\nñ"),
    ("ISO-2022-KR", b"a0\x0E\x0F\x1B$)C\xFF", "a가나é\x1B\n"),
    ("IBM1399", b"\x0E\x0F\x40\x44\xEC\xB5\xC1\xFF", "aéかきくけこカキクケコセツトㇷæɔʌəɚ˩˥\u{309A}亜\n"),
];

#[test]
fn a_charset_of_pairs_passes_the_battery() {
    let (name, significant, text) = SHAPES[1];
    battery(subject(name), significant, text);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes seconds for each charset")]
fn a_charset_of_each_shape_passes_the_battery() {
    for (name, significant, text) in SHAPES {
        println!("{name}");
        battery(subject(name), significant, text);
    }
}

#[test]
fn pieces_of_all_texts_are_decoded_as_by_the_handler() {
    for charset in charsets() {
        let (bytes, _) = all(charset, &mapping(charset));
        let subject = Subject::new(charset.name(), charset.codec(), 4);
        let start = bytes.len() / 2;
        check_text(subject, &[&bytes[start..start + 200], b"\xFF\x41\x80", &bytes[..300]], 300);
    }
}

#[test]
fn malformed_sequences_leave_ascii_alone() {
    check_texts(subject("SJIS"), &[(b"\x81!\x81\xFFa\x81", "\u{FFFD}!\u{FFFD}a\u{FFFD}"), (b"\\~\xB1", "¥‾ｱ")]);
    check_texts(subject("EUC-JP-MS"), &[(b"\x8F\xB0a\x8F\xB0\xFFa\x8Fa", "\u{FFFD}a\u{FFFD}a\u{FFFD}a")]);
    check_texts(subject("EUC-TW"), &[(b"\x8E\xA2\xA1\xA1\x8E\xA2a\x8E\xA9b", "乂\u{FFFD}a\u{FFFD}b")]);
    check_texts(
        subject("IBM939"),
        &[(b"\x81\x0E\x45\x5C\x0F\x82", "a中b"), (b"\x0E\x45\x0F\x81", "\u{FFFD}a"), (b"\x0E\x45", "\u{FFFD}")],
    );
}

/// After a sequence of three or four bytes, another function than the kernel decodes what is near it.
#[test]
fn single_bytes_and_pairs_near_longer_sequences_are_decoded_as_by_the_handler() {
    let near = b"\x8F\xB0\xA1\x80\x8F\xB0\xA2\xA1\xC1\x8F\xB0\xA3\x9F\x90a\xA4\xA2\x8E\xB1\x8F\xB0\xA4\xAD\xFE\x80 ";
    for name in ["EUC-JP", "EUC-JP-MS", "EUC-JISX0213"] {
        check_text(subject(name), &[near, &near.repeat(20), b"\x80\x90", &near.repeat(3)], 300);
    }
    let near = b"\x81\x30\x81\x31\xA1\xA4\x81\x30\x81\x32\xA8\xBC\xD6\xD0\x80\x81\x30\x81\x33\xFE\x50a";
    check_text(subject("GB18030"), &[near, &near.repeat(20), b"\x80\xFF", &near.repeat(3)], 300);
}

#[test]
fn a_mark_after_its_letter_is_one_character() {
    check_bytes(
        subject("EUC-JISX0213"),
        &[("か\u{309A}か", b"\xA4\xF7\xA4\xAB"), ("かa", b"\xA4\xABa"), ("か", b"\xA4\xAB")],
    );
    check_bytes(subject("IBM1399"), &[("か\u{309A}a", b"\x0E\xEC\xB5\x0F\x81"), ("か\n", b"\x0E\x44\x86\x0F\x25")]);
}

/// Decodes into destinations of the least lengths that a decoder makes progress with. Fails if a call makes none.
fn decode_into_least(charset: Charset, bytes: &[u8]) -> [String; 2] {
    let (mut utf8, mut utf16) = (Vec::new(), Vec::new());
    let (mut decoder, mut read) = (charset.new_decoder(), 0);
    loop {
        let mut to = [0; 4];
        let result = decoder.decode_to_utf8(&bytes[read..], &mut to, true, DecodeErrorMode::Replacement);
        read += result.read;
        utf8.extend_from_slice(&to[..result.written]);
        if result.status == DecodeStatus::InputEmpty {
            break;
        }
        assert!(result.read + result.written > 0, "{charset}: no progress into UTF-8 at byte {read}");
    }
    let (mut decoder, mut read) = (charset.new_decoder(), 0);
    loop {
        let mut to = [0; 2];
        let result = decoder.decode_to_utf16(&bytes[read..], &mut to, true, DecodeErrorMode::Replacement);
        read += result.read;
        utf16.extend_from_slice(&to[..result.written]);
        if result.status == DecodeStatus::InputEmpty {
            break;
        }
        assert!(result.read + result.written > 0, "{charset}: no progress into UTF-16 at byte {read}");
    }
    [String::from_utf8(utf8).unwrap(), String::from_utf16(&utf16).unwrap()]
}

#[test]
fn every_charset_is_decoded_into_the_least_space() {
    for charset in Charset::all() {
        let (bytes, text) = if path(charset).exists() {
            all(charset, &mapping(charset))
        } else if charset.codec().is_single_byte() {
            continue;
        } else {
            let bytes: Vec<u8> = (0..=u16::MAX).step_by(3).flat_map(u16::to_be_bytes).collect();
            let (text, _) = charset.decode(&bytes);
            (bytes, text)
        };
        let [utf8, utf16] = decode_into_least(charset, &bytes);
        assert!(utf8 == text, "{charset} as UTF-8");
        assert!(utf16 == text, "{charset} as UTF-16");
    }
}

#[test]
fn code_pages_of_windows_have_its_other_bytes() {
    let decode = |code_page: u16, bytes: &[u8]| Charset::for_code_page(code_page).unwrap().decode_or_fail(bytes).ok();
    assert_eq!(decode(932, b"\x80\xA0\xFD\xFE\xFF").unwrap(), "\u{80}\u{F8F0}\u{F8F1}\u{F8F2}\u{F8F3}");
    assert_eq!(decode(936, b"\x80\xFF").unwrap(), "€\u{F8F5}");
    assert_eq!(decode(949, b"\x80\xFF").unwrap(), "\u{80}\u{F8F7}");
    assert_eq!(decode(950, b"\x80\xFF").unwrap(), "\u{80}\u{F8F8}");
    // Characters of the end user.
    assert_eq!(decode(932, b"\xF0\x40\xF9\xFC").unwrap(), "\u{E000}\u{E757}");
    assert_eq!(decode(936, b"\xAA\xA1\xA7\xA0").unwrap(), "\u{E000}\u{E765}");
    assert_eq!(decode(949, b"\xC9\xA1\xFE\xFE").unwrap(), "\u{E000}\u{E0BB}");
    assert_eq!(decode(950, b"\xFA\x40\xC8\xFE").unwrap(), "\u{E000}\u{F848}");
    // A letter that came to GBK later.
    assert_eq!(decode(936, b"\xA8\xBF").unwrap(), "\u{E7C8}");
}
