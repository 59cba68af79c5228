//! The forms of Unicode.

use textcodec_charsets::{Charset, DecodeErrorMode, DecodeStatus, unicode::*};
use textcodec_core::testing::{Subject, battery, check_bytes, check_texts};

/// A step of an encoder writes at most this many bytes.
const LEAST_CAPACITY: usize = 8;

fn subject(charset: Charset) -> Subject {
    Subject::new(charset.name(), charset.codec(), LEAST_CAPACITY)
}

/// Bytes and characters for the battery.
const UNITS: (&[u8], &str) = (b"\0a\xD8\xDC\xDF\xFE\xFF", "aé");
const SEQUENCES: (&[u8], &str) = (b"\0\xC0\x80\xED\xA0\xB0\xE0\xFF", "a\0é€");
/// The last digits are all there are, so that the encoder comes to each of its states.
const BASE64: (&[u8], &str) = (b"+&-aA/,2\xFF", "a+&-~ àáâãäåæçèéêëìíîï");

#[test]
fn codecs_of_three_kinds_pass_the_battery() {
    for (charset, (significant, text)) in [(UTF_16, UNITS), (UTF_32, UNITS), (CESU_8, SEQUENCES)] {
        battery(subject(charset), significant, text);
    }
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes seconds for each codec")]
fn the_other_codecs_pass_the_battery() {
    let units = [UTF_16BE, UTF_16LE, UNICODE, UCS_2BE, UCS_2LE, UTF_32BE, UTF_32LE];
    let others = [(UTF_7, BASE64), (UTF_7_IMAP, BASE64), (MODIFIED_UTF_8, SEQUENCES)];
    for (charset, (significant, text)) in units.map(|charset| (charset, UNITS)).into_iter().chain(others) {
        battery(subject(charset), significant, text);
    }
}

#[test]
fn a_mark_says_the_order_and_without_one_the_order_is_little_endian() {
    check_texts(
        subject(UTF_16),
        &[
            (b"\xFE\xFF\0a\xD8\x3D\xDC\xA9", "a💩"),
            (b"\xFF\xFEa\0\x3D\xD8\xA9\xDC", "a💩"),
            (b"a\0\xFF\xFE", "a\u{FEFF}"),
            (b"\xFF\xFE\xFF\xFE", "\u{FEFF}"),
            (b"", ""),
            (b"\xFF", "\u{FFFD}"),
            // A lone surrogate, and the code unit after it.
            (b"\x3D\xD8a\0", "\u{FFFD}a"),
            (b"\xFE\xFF\xD8\x3D\0", "\u{FFFD}"),
        ],
    );
    check_texts(
        subject(UTF_32),
        &[
            (b"\0\0\xFE\xFF\0\0\0a\0\x01\xF4\xA9", "a💩"),
            (b"\xFF\xFE\0\0a\0\0\0\xA9\xF4\x01\0", "a💩"),
            (b"a\0\0\0", "a"),
            (b"\0\xD8\0\0a\0\0\0", "\u{FFFD}a"),
            (b"a\0\0", "\u{FFFD}"),
        ],
    );
    check_texts(subject(UCS_2BE), &[(b"\0a\xD8\x3D\xDC\xA9\xFE\xFF", "a\u{FFFD}\u{FFFD}\u{FEFF}")]);
}

#[test]
fn a_mark_is_written_once_and_only_before_text() {
    check_bytes(subject(UTF_16), &[("a💩", b"\xFF\xFEa\0\x3D\xD8\xA9\xDC"), ("", b"")]);
    check_bytes(subject(UTF_32), &[("a💩", b"\xFF\xFE\0\0a\0\0\0\xA9\xF4\x01\0"), ("", b"")]);
    check_bytes(subject(UTF_32BE), &[("a💩", b"\0\0\0a\0\x01\xF4\xA9")]);
    check_bytes(subject(UTF_16BE), &[("a💩", b"\0a\xD8\x3D\xDC\xA9")]);
    assert_eq!(UCS_2LE.encode_or_fail("é💩").unwrap_err().offset, 2);
}

#[test]
fn utf_7_shifts_to_base64_and_back() {
    // The first two examples are those of RFC 2152.
    let texts: [(&[u8], &str); 12] = [
        (b"Hi Mom -+Jjo--+ACE-", "Hi Mom -\u{263A}-!"),
        (b"A+ImIDkQ.", "A\u{2262}\u{391}."),
        (b"1 +- 1", "1 + 1"),
        (b"+2D3cqQ-", "💩"),
        // Base64 ends at the end of the text.
        (b"+AOk", "é"),
        (b"+AO", "\u{FFFD}"),
        // Bits are left, and they are not zero: the byte that ends base64 is malformed.
        (b"+AOl-x", "é\u{FFFD}x"),
        (b"+AOl x", "é\u{FFFD}x"),
        (b"+AOlAAB-x", "é\u{4000}\u{FFFD}x"),
        (b"+AOl", "é"),
        (b"+2D0-a", "\u{FFFD}a"),
        (b"\x80~", "\u{FFFD}\u{FFFD}"),
    ];
    check_texts(subject(UTF_7), &texts);
    check_bytes(
        subject(UTF_7),
        &[
            ("A\u{2262}\u{391}.", b"A+ImIDkQ."),
            ("1 + 1", b"1 +- 1"),
            ("é-é", b"+AOk--+AOk-"),
            ("éaé", b"+AOk-a+AOk-"),
            ("💩", b"+2D3cqQ-"),
        ],
    );
}

#[test]
fn imap_writes_folder_names() {
    // The example of RFC 3501.
    let name = "~peter/mail/台北/日本語";
    let bytes = b"~peter/mail/&U,BTFw-/&ZeVnLIqe-";
    check_texts(subject(UTF_7_IMAP), &[(bytes, name), (b"a&-b+", "a&b+")]);
    // Only a hyphen ends base64. Another byte is malformed, with the start of a character before it.
    check_texts(
        subject(UTF_7_IMAP),
        &[
            (b"a&*b", "a\u{FFFD}b"),
            (b"&AOk*b", "é\u{FFFD}b"),
            (b"&AOkA b", "é\u{FFFD}b"),
            (b"&AOk&AOk-", "é\u{FFFD}AOk-"),
            (b"&AOk/-", "é\u{FFFD}-"),
        ],
    );
    check_bytes(subject(UTF_7_IMAP), &[(name, bytes), ("a&b+", b"a&-b+"), ("é&é", b"&AOk-&-&AOk-")]);
}

#[test]
fn a_character_of_plane_1_is_two_sequences() {
    check_texts(
        subject(CESU_8),
        &[
            (b"a\0\xC3\xA9\xED\xA0\xBD\xED\xB2\xA9", "a\0é💩"),
            // Four bytes are no sequence.
            (b"\xF0\x9F\x92\xA9", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            (b"\xED\xA0\xBDa", "\u{FFFD}a"),
            (b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB2\xA9", "\u{FFFD}💩"),
            (b"\xED\xB2\xA9", "\u{FFFD}"),
            // Sequences that are too long.
            (b"\xC0\x80", "\u{FFFD}\u{FFFD}"),
            (b"\xC1\xBF", "\u{FFFD}\u{FFFD}"),
            (b"\xE0\x9F\xBF\xE0\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}\u{800}"),
            (b"\xED\xA0\xBD\xED", "\u{FFFD}"),
        ],
    );
    check_texts(subject(MODIFIED_UTF_8), &[(b"a\xC0\x80\xED\xA0\xBD\xED\xB2\xA9", "a\0💩"), (b"\0", "\u{FFFD}")]);
    check_bytes(subject(CESU_8), &[("a\0é💩", b"a\0\xC3\xA9\xED\xA0\xBD\xED\xB2\xA9")]);
    check_bytes(subject(MODIFIED_UTF_8), &[("a\0é💩", b"a\xC0\x80\xC3\xA9\xED\xA0\xBD\xED\xB2\xA9")]);
}

/// The sequence of a code unit with a number of bytes, which may be more than it needs.
fn sequence(unit: u16, length: usize) -> Vec<u8> {
    let last = |shift: u32| 0x80 | (unit >> shift & 0x3F) as u8;
    match length {
        1 => vec![unit as u8],
        2 => vec![0xC0 | (unit >> 6) as u8, last(0)],
        _ => vec![0xE0 | (unit >> 12) as u8, last(6), last(0)],
    }
}

/// The text of bytes, by the definition of both charsets: each code unit of UTF-16 is the shortest sequence of one to
/// three bytes, but U+0000 has two bytes in Java. `None` for malformed bytes.
fn text_of_sequences(bytes: &[u8], is_java: bool) -> Option<String> {
    let (mut units, mut rest) = (Vec::new(), bytes);
    while let Some(first) = rest.first() {
        let ones = first.leading_ones();
        let length = [1, 0, 2, 3].get(ones as usize).copied().filter(|length| *length > 0)?;
        let (sequence, after) = rest.split_at_checked(length)?;
        let bits = u16::from(first & 0x7F >> ones);
        let unit = sequence[1..].iter().fold(bits, |unit, byte| unit << 6 | u16::from(byte & 0x3F));
        let shortest = match unit {
            0 if is_java => 2,
            0..=0x7F => 1,
            0x80..=0x7FF => 2,
            _ => 3,
        };
        if length != shortest || sequence[1..].iter().any(|byte| byte >> 6 != 2) {
            return None;
        }
        units.push(unit);
        rest = after;
    }
    String::from_utf16(&units).ok()
}

/// The text of bytes that come in two calls, `None` for malformed bytes.
fn decode_in_two_calls(charset: Charset, bytes: &[u8], at: usize) -> Option<String> {
    let (mut decoder, mut text) = (charset.new_decoder(), String::new());
    for (part, is_last) in [(&bytes[..at], false), (&bytes[at..], true)] {
        let result = decoder.decode_to_string(part, &mut text, is_last, DecodeErrorMode::Fatal);
        if result.status != DecodeStatus::InputEmpty {
            return None;
        }
    }
    Some(text)
}

/// Within one call, other code decodes most sequences than where a call cuts them.
#[test]
fn sequences_at_all_boundaries_are_text_or_malformed_as_a_model_says_wherever_a_call_cuts_them() {
    const BYTES: [u8; 18] =
        [0x00, 0x7F, 0x80, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xFF];
    const UNITS: [u16; 12] = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
    let lengths = |unit: u16| match unit {
        0..=0x7F => 1..=3,
        0x80..=0x7FF => 2..=3,
        _ => 3..=3,
    };
    let sequences: Vec<Vec<u8>> =
        UNITS.iter().flat_map(|unit| lengths(*unit).map(|length| sequence(*unit, length))).collect();
    let bytes: Vec<Vec<u8>> = BYTES.iter().map(|byte| vec![*byte]).collect();
    for (charset, is_java) in [(CESU_8, false), (MODIFIED_UTF_8, true)] {
        let mut known = 0;
        for parts in [&bytes, &sequences] {
            for number in 0..parts.len().pow(3) {
                let places = [0, 1, 2].map(|place| number / parts.len().pow(place) % parts.len());
                let source = places.map(|place| &*parts[place]).concat();
                let expected = text_of_sequences(&source, is_java);
                known += usize::from(expected.is_some());
                assert_eq!(charset.decode_or_fail(&source).ok(), expected, "{charset}: {source:02X?}");
                let cut = 1 + number % (source.len() - 1);
                assert_eq!(decode_in_two_calls(charset, &source, cut), expected, "{charset}: {source:02X?} at {cut}");
            }
        }
        assert!(known > 300, "{charset}: {known}");
    }
}
