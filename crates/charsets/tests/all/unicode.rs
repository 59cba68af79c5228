//! The forms of Unicode.

use textcodec_charsets::{Charset, unicode::*};
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
