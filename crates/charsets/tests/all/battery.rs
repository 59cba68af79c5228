//! The battery of the Standard's encodings, for a page of each shape, and short texts for all.

use textcodec_charsets::{Charset, ebcdic, iso, regional};
use textcodec_core::{
    Handle as _,
    testing::{Subject, battery, check_text},
};
use textcodec_kernels::level::at_every_level;

use crate::mappings::{mapping, single_byte};

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), 1).with_selector(charset.selector())
}

/// Charsets with ASCII at its usual bytes have the decoder and the encoder of the Standard's encodings.
#[test]
fn a_permutation_of_latin_1_passes_the_battery() {
    battery(subject(ebcdic::IBM037), b"a\x81\x40\x25\xFF", "aéÿ\u{85}€");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes a second for each charset")]
fn a_page_of_each_other_shape_passes_the_battery() {
    let charsets: [(Charset, &[u8], &str); 4] = [
        (ebcdic::IBM037.with_line_feed_at_15().unwrap(), b"a\x81\x15\x25\xFF", "aé\n\u{85}€"),
        // ASCII characters are missing.
        (iso::DIN_66003, b"a[\x80{\xFF", "aä[ßé"),
        // ASCII, and bytes that have the characters of others.
        (regional::ARMSCII_8, b"a\xA1\xA4\xB2\xFF", "a(\u{589}Աé"),
        // More characters than the table of an exchange has places for.
        (regional::VISCII, b"a\x02\x06\x80\xD5\xFF", "aẲ\u{2}ạỠ€"),
    ];
    for (charset, significant, text) in charsets {
        battery(subject(charset), significant, text);
    }
}

#[test]
fn short_texts_of_all_charsets_are_decoded_as_by_the_handler() {
    for charset in single_byte() {
        let mapping = mapping(charset);
        let known: Vec<u8> = (0..=u8::MAX).filter(|byte| mapping.code_points[usize::from(*byte)].is_some()).collect();
        let all: Vec<u8> = (0..=u8::MAX).collect();
        at_every_level(|_| {
            check_text(subject(charset), &[&known, &all, &known], 300);
            check_text(subject(charset), &[&all[..100], &known.repeat(4)], 4000);
        });
    }
}

/// Short texts, the ends of blocks, and characters without a place in the tables of kernels are converted by functions
/// of their own.
#[test]
fn a_text_of_any_length_has_the_bytes_of_its_characters() {
    for charset in [ebcdic::IBM037, iso::DIN_66003, regional::KOI8_T, regional::VISCII] {
        let mapping = mapping(charset);
        let bytes = (0..=u8::MAX).filter(|byte| !mapping.decode_only.contains(byte));
        let pairs: Vec<(u8, char)> = bytes
            .filter_map(|byte| mapping.code_points[usize::from(byte)].map(|code_point| (byte, code_point)))
            .collect();
        for step in [1, 37] {
            let all: Vec<(u8, char)> = (0..700).map(|at| pairs[(at * step + 201) % pairs.len()]).collect();
            for length in (0..150).chain([511, 512, 513, 700]) {
                let (bytes, text): (Vec<u8>, String) = all[..length].iter().copied().unzip();
                assert_eq!(charset.encode_or_fail(&text).unwrap(), bytes, "{charset}, {length} characters");
                assert_eq!(charset.decode_or_fail(&bytes).unwrap(), text, "{charset}, {length} bytes");
                let utf16: Vec<u16> = text.encode_utf16().collect();
                let mut to = vec![0; 4 * length + 16];
                let mode = textcodec_charsets::EncodeErrorMode::Fatal;
                let result = charset.new_encoder().unwrap().encode_utf16(&utf16, &mut to, true, mode);
                assert_eq!(&to[..result.written], bytes, "{charset}, {length} code units");
            }
        }
    }
}

#[test]
fn a_character_reference_between_any_characters_is_read_back() {
    const TEXT: &str = "aé€ĄЖΩ☃אبกいアｱ漢国國한①ｆａ〜¥‾ắÊ\u{304}க்ノ×─\u{20A9}ʻ日";
    let mut count = 0;
    for charset in Charset::all() {
        let Some(mut encoder) = charset.new_encoder() else { continue };
        let is_stored = |text: &str| {
            charset.encode_or_fail(text).is_ok_and(|b| charset.decode_or_fail(&b).is_ok_and(|t| t == text))
        };
        let Some(strange) = ["😀", "☃", "漢", "é"].into_iter().find(|text| charset.encode_or_fail(text).is_err())
        else {
            continue;
        };
        if !is_stored("&#1234567890;") {
            continue;
        }
        let reference = format!("&#{};", u32::from(strange.chars().next().unwrap()));
        let mut buffer = [0; 4];
        for character in TEXT.chars() {
            let character = &*character.encode_utf8(&mut buffer);
            if !is_stored(character) {
                continue;
            }
            let mut bytes = Vec::new();
            encoder.reset();
            let text = [character, strange, character].concat();
            let _ = encoder.encode_str_to_vec(&text, &mut bytes, true, textcodec_charsets::EncodeErrorMode::Html);
            let expected = [character, &reference, character].concat();
            assert_eq!(charset.decode_or_fail(&bytes), Ok(expected), "{charset}: {bytes:02X?}");
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}
