//! Charsets of seven bits, whose pairs are those of an EUC charset: HZ and ISO-2022-KR.

use textcodec_charsets::{
    Charset,
    east_asian::{EUC_CN, EUC_KR, HZ, ISO_2022_KR},
};
use textcodec_core::testing::{check_bytes, check_texts};

use crate::pairs::{mapping, subject};

/// The charsets, those with their pairs in eight bits, and the bytes that begin and end pairs.
const CHARSETS: [(Charset, Charset, [&[u8]; 2]); 2] =
    [(HZ, EUC_CN, [b"~{", b"~}"]), (ISO_2022_KR, EUC_KR, [b"\x0E", b"\x0F"])];

#[test]
fn pairs_between_escapes_are_those_of_the_charset_of_eight_bits() {
    for (charset, of_eight_bits, [begin, end]) in CHARSETS {
        let pairs = mapping(of_eight_bits);
        let mut count = 0;
        for lead in 0x21..0x7F {
            for trail in 0..=u8::MAX {
                let source = [begin, &[lead, trail], end].concat();
                let decoded = charset.decode_or_fail(&source).ok();
                let expected = pairs.decoded.get(&vec![lead | 0x80, trail | 0x80]).filter(|_| trail < 0x80);
                assert_eq!(decoded.as_ref(), expected, "{charset} {lead:02X} {trail:02X}");
                let Some(text) = decoded else { continue };
                count += 1;
                let encoded = charset.encode_or_fail(&text).unwrap();
                assert!(encoded.ends_with(&source), "{charset} {text}: {encoded:02X?}");
            }
        }
        assert_eq!(count, pairs.decoded.keys().filter(|bytes| bytes.len() == 2).count(), "{charset}");
        for code_point in ('\u{80}'..='\u{2FFFF}').filter(|code_point| !pairs.encoded.contains_key(code_point)) {
            assert!(charset.encode_or_fail(code_point.encode_utf8(&mut [0; 4])).is_err(), "{charset} {code_point:?}");
        }
    }
}

#[test]
fn a_text_of_all_pairs_is_converted_at_once() {
    for (charset, of_eight_bits, _) in CHARSETS {
        let mut text = String::new();
        for (number, character) in mapping(of_eight_bits).decoded.values().enumerate() {
            text += character;
            text.push_str(["", "", "", "\n", "a"][number % 5]);
        }
        text.retain(|character| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_ok());
        let bytes = charset.encode_or_fail(&text).unwrap();
        assert!(bytes.is_ascii() && charset.decode_or_fail(&bytes).unwrap() == text, "{charset}");
    }
}

#[test]
fn the_byte_after_the_lead_of_no_pair_is_read_again_below_21_and_if_it_is_7e() {
    for (charset, _, [begin, _]) in CHARSETS {
        for trail in 0..=u8::MAX {
            // Row 2E has no pair in either charset.
            let source = [begin, &[0x2E, trail]].concat();
            let again = if trail < 0x21 || trail == 0x7E { &[trail][..] } else { b"" };
            let (text, _) = charset.decode(&[begin, again].concat());
            check_texts(subject(charset.name()), &[(&source, &format!("\u{FFFD}{text}"))]);
        }
    }
}

#[test]
fn escapes_of_hz_change_the_state_or_are_errors() {
    check_texts(
        subject("HZ"),
        &[
            (b"a~~b~{VPND~}c", "a~b中文c"),
            (b"one ~\nline", "one line"),
            // Pairs end with the line, as in browsers that had HZ.
            (b"~{VP\nVP~~", "中\nVP~"),
            (b"~{VP~", "中\u{FFFD}"),
            (b"~}a~x", "\u{FFFD}}a\u{FFFD}x"),
            (b"~{V~)~}a~{V\nb", "筑\u{FFFD}a\u{FFFD}\nb"),
            (b"\x80~{\xD6\xD0VP\x7F~}", "\u{FFFD}\u{FFFD}\u{FFFD}中\u{FFFD}"),
        ],
    );
    check_bytes(subject("HZ"), &[("a~中文~\n中", b"a~~~{VPND~}~~\n~{VP~}"), ("中ñ", b"~{VP~}&#241;"), ("", b"")]);
}

#[test]
fn escapes_of_iso_2022_kr_are_those_of_glibc() {
    check_texts(
        subject("ISO-2022-KR"),
        &[
            (b"\x1B$)Ca\x0E0!\x0Fb", "a가b"),
            // A decoder needs no header, and takes it anywhere.
            (b"\x0E0!\x1B$)C0!\x0E0!\x0F\x0Fb", "가가가b"),
            // Another escape is a character, but not between pairs.
            (b"a\x1B[0m\x1B$)D", "a\u{1B}[0m\u{1B}$)D"),
            (b"\x0E\x1B[0!\x0F\x1B$", "\u{FFFD}方\u{FFFD}\u{FFFD}"),
        ],
    );
    check_bytes(
        subject("ISO-2022-KR"),
        &[
            ("a가\n나", b"\x1B$)Ca\x0E0!\x0F\n\x0E3*\x0F"),
            ("a", b"\x1B$)Ca"),
            ("가é\u{E}", b"\x1B$)C\x0E0!\x0F&#233;&#14;"),
            ("", b""),
        ],
    );
}
