//! Charsets whose decoders compose a letter and the mark after it.

use textcodec_charsets::{Charset, regional::TCVN5712_1_COMPOSED, windows::*};
use textcodec_core::testing::{Subject, battery, check_bytes, check_texts};

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), 3)
}

#[test]
fn a_letter_and_its_marks_become_one_character() {
    check_texts(
        subject(CP1258_COMPOSED),
        &[
            (b"e\xCC", "è"),
            (b"\xC2\xECa\xEC\xEC", "Ấá\u{301}"),
            // A mark without a letter, and a letter without a mark.
            (b"\xCC \xCCe", "\u{300} \u{300}e"),
            (b"e\xD2x", "ẻx"),
            // One mark only, although U+1E4C is a letter with both.
            (b"O\xEC\xDE", "Ó\u{303}"),
            (b"\xD3\xDE\xEC", "\u{1E4C}\u{301}"),
        ],
    );
    // Shin with a dagesh and a dot: two marks, in either number.
    check_texts(
        subject(CP1255_COMPOSED),
        &[(b"\xF9\xCC\xD1", "\u{FB2C}"), (b"\xF9\xCC", "\u{FB49}"), (b"\xF9\xCCa", "\u{FB49}a"), (b"\xF9", "ש")],
    );
    check_texts(subject(TCVN5712_1_COMPOSED), &[(b"A\xB3x", "Áx"), (b"N\xB2", "Ñ"), (b"O\xB2\xB3", "Õ\u{301}")]);
}

#[test]
fn every_composed_character_is_decoded_from_its_bytes() {
    for charset in [CP1255_COMPOSED, CP1258_COMPOSED, TCVN5712_1_COMPOSED] {
        let mut composed = 0;
        for character in '\0'..='\u{FFFF}' {
            let text = String::from(character);
            let Ok(bytes) = charset.encode_or_fail(&text) else { continue };
            composed += usize::from(bytes.len() > 1);
            assert_eq!(charset.decode_or_fail(&bytes).as_deref(), Ok(&*text), "{charset}: {bytes:02X?}");
        }
        assert!(composed > 30, "{charset}: {composed}");
    }
}

#[test]
fn a_character_without_a_byte_is_encoded_as_a_letter_and_marks() {
    check_bytes(subject(CP1258_COMPOSED), &[("Ấỵé€", b"\xC2\xECy\xF2\xE9\x80"), ("ñẽ", b"\xF1e\xDE")]);
    check_bytes(subject(CP1255_COMPOSED), &[("\u{FB2C}", b"\xF9\xCC\xD1")]);
    assert_eq!(CP1258_COMPOSED.encode_or_fail("Ж").unwrap_err().code_point, 'Ж');
}

/// Windows does not compose: the code pages of Windows are tables.
#[test]
fn a_code_page_of_windows_does_not_compose() {
    assert_eq!(CP1258.decode_or_fail(b"e\xCC").unwrap(), "e\u{300}");
    assert_eq!(Charset::for_code_page(1258), Some(CP1258));
}

#[test]
fn a_composing_charset_passes_the_battery() {
    battery(subject(CP1258_COMPOSED), b"ae\xC2\xCC\xEC\xD0\x8A\xFF", "aeẤ\u{300}é€ñ");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes a second for each charset")]
fn the_other_composing_charsets_pass_the_battery() {
    battery(subject(CP1255_COMPOSED), b"a\xF9\xCC\xD1\xE0\xC7\xD9\xFF", "aש\u{FB2C}\u{5BC}€ñ");
    battery(subject(TCVN5712_1_COMPOSED), b"aN\xB2\xB3\xA2\x01\xB0\xFF", "aÑẤ\u{300}é€ñ");
}
