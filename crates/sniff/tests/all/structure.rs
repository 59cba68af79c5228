//! Guesses from the structure of the bytes alone.

use textcodec_sniff::{
    Context, Hints, Name, Rung, html,
    structure::{Candidate, Reason, candidates, guess},
};

fn only(bytes: &[u8], last: bool) -> Option<(Name, Reason)> {
    let mut candidates = candidates(bytes, last).map(|Candidate { encoding, reason, .. }| (encoding, reason));
    let first = candidates.next();
    assert_eq!(candidates.next(), None);
    first
}

#[test]
fn utf_8_is_recognized_by_sequences_of_more_than_one_byte() {
    assert_eq!(only("naïve €𝄞".as_bytes(), true), Some((Name::Utf8, Reason::Utf8Sequences(3))));
    assert_eq!(only(b"ASCII only", true), None);
    assert_eq!(only(b"", true), None);
    assert_eq!(only(b"na\xEFve", true), None);
    assert_eq!(only(b"\xED\xA0\x80", true), None, "a surrogate");
    assert_eq!(only(b"\xC3\xA9\xE2\x82", true), None, "cut off");
    assert_eq!(only(b"\xC3\xA9\xE2\x82", false), Some((Name::Utf8, Reason::Utf8Sequences(1))));
    assert_eq!(only(b"\xE2\x82", false), None, "nothing whole");
}

#[test]
fn iso_2022_jp_is_recognized_by_its_escape_sequences() {
    let text = b"abc\x1B$B%F\x1B(Jx\x1B(I1\x1B$@%F\x1B(B\n";
    assert_eq!(only(text, true), Some((Name::Iso2022Jp, Reason::Escapes(5))));
    for end in 6..text.len() {
        assert_eq!(only(&text[..end], false).map(|(encoding, _)| encoding), Some(Name::Iso2022Jp), "{end}");
    }
    for wrong in [
        &b"\x1B[1mbold\x1B[0m"[..],
        b"\x1B$B%",
        b"\x1B$B%F\x1B",
        b"\x1B$B%\n\x1B(B",
        b"\x1B(I\x60",
        b"\x1B(Ba\x0E",
        b"\x1B(B\x80",
        b"\x1B(X",
    ] {
        assert_eq!(only(wrong, true), None, "{wrong:02X?}");
    }
}

#[test]
fn utf_16_is_recognized_by_the_places_of_its_zeros() {
    let bytes = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let swapped = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    for text in ["a", "plain text\r\n", "日本語\n", "é𝄞", "\u{FEFF}a"] {
        let zeros = text.encode_utf16().filter(|unit| *unit < 0x100).count();
        assert_eq!(only(&bytes(text), true), Some((Name::Utf16Le, Reason::Zeros(zeros))), "{text}");
        assert_eq!(only(&swapped(text), true), Some((Name::Utf16Be, Reason::Zeros(zeros))), "{text}");
    }
    assert_eq!(only(&bytes("日本語"), true), None, "no zeros");
    assert_eq!(only(b"a\0b", true), None, "half a unit");
    assert_eq!(only(b"a\0b", false), Some((Name::Utf16Le, Reason::Zeros(1))));
    assert_eq!(only(b"a\0\0\xD8", true), None, "a surrogate without its other half");
    assert_eq!(only(b"a\0\0\xDC", true), None);
    assert_eq!(only(b"a\0\0\0", true), None, "U+0000 is in no text");
    assert_eq!(only(b"a\0\x01\0", true), None, "nor is U+0001");
    assert_eq!(only(b"a\0\xFF\xFF", true), None, "nor is U+FFFF");
    assert_eq!(only(b"PK\x03\x04\x14\0\0\0\x08\0", true), None, "an archive");
}

#[test]
fn a_single_zero_in_much_text_is_damage() {
    let mut bytes = vec![b'a'; 10_000];
    bytes[5000] = 0;
    assert_eq!(only(&bytes, true), None);
}

#[test]
fn a_zero_in_a_short_text_is_damage_and_text_without_spaces_is_utf_16() {
    for text in [
        &b"Gr\xFC\xDFe aus M\xFCnchen, wo es regnet."[..],
        b"\xF7\xF2\xEE \xE5\xF1\xF2\xFC, \xF2\xEE\xE3\xEE \xE4\xEE\xF1\xF2\xE0",
    ] {
        for zero in 0..=text.len() {
            assert_eq!(only(&[&text[..zero], b"\0", &text[zero..]].concat(), true), None, "{zero} {text:?}");
        }
    }
    for text in
        ["雨停了以后，我们走到河边去。\n", "昨日の夜、古い駅の前で友達に会いました。\n", "ไม่มีใครรู้ว่าใครเขียนจดหมายนี้\n"]
    {
        let bytes: Vec<u8> = text.repeat(3).encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(only(&bytes, true), Some((Name::Utf16Le, Reason::Zeros(3))), "{text}");
    }
}

#[test]
fn a_zero_among_a_few_random_bytes_is_no_utf_16() {
    let bytes = |units: &[u16]| units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<u8>>();
    for (units, reason) in [
        ([0x963C, 0x8D9D, 0xC7E9, 0x577B, 0x13FB, 0xA38B, 0x8BAD, 0x7D8E, 0xA7C6, 0x0058], "Yi and Lisu"),
        ([0x963C, 0x8D9D, 0xC7E9, 0x577B, 0xB3FB, 0xC38B, 0x8BAD, 0x7D8E, 0xC7C6, 0x0058], "Hangul and ideographs"),
        ([0x963C, 0x0D9D, 0x57E9, 0x577B, 0x13FB, 0x058B, 0x8BAD, 0x1E8E, 0x2221, 0x0058], "six scripts"),
    ] {
        assert_eq!(only(&bytes(&units), true), None, "{reason}");
    }
    let text = bytes(&"✓ 火星: 😀\u{F8FF}".repeat(4).encode_utf16().collect::<Vec<_>>());
    assert_eq!(only(&text, true), None, "characters for private use");
    let text = bytes(&"✓ 火星: 😀".encode_utf16().collect::<Vec<_>>());
    assert_eq!(only(&text, true), Some((Name::Utf16Be, Reason::Zeros(3))));
}

#[test]
fn utf_8_before_a_part_in_utf_16_is_no_utf_16() {
    for text in
        ["昨天晚上我在舊車站前面遇見了一個朋友。 --file, --list, --sort\n", "Когда на улице 20 °C, мы идём гулять\n"]
    {
        let part = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        for part in [part(u16::to_le_bytes), part(u16::to_be_bytes)] {
            for start in [text, text.trim_end()] {
                assert_eq!(only(&[start.as_bytes(), &part].concat(), true), None);
            }
            assert!(only(&part, true).is_some());
        }
    }
}

#[test]
fn a_guess_counts_only_as_a_heuristic() {
    let page = "<title>é".as_bytes();
    assert_eq!(html(page, Hints::default()).encoding, Name::Windows1252, "a feature changes no result");
    let hints = Hints { heuristic: Some(&guess), ..Hints::default() };
    let sniffed = html(page, hints);
    assert_eq!((sniffed.encoding, sniffed.rung), (Name::Utf8, Rung::Heuristic));
    assert_eq!(Context::ClassicScript.sniff(b"\0a", hints).unwrap().encoding, Name::Utf8, "nobody guesses here");
}

#[test]
fn of_two_candidates_the_one_without_zeros_is_the_stronger() {
    let units = b"a\0b\0c\0d\0".repeat(8);
    for (bytes, expected) in [
        (
            ["é".as_bytes(), &units].concat(),
            [
                "UTF-8: well-formed, with 1 sequence of more than one byte",
                "UTF-16LE: 32 code units with a higher byte of zero",
            ],
        ),
        (
            [&b"\x1B(Ba"[..], &units].concat(),
            ["ISO-2022-JP: 1 escape sequence", "UTF-16LE: 32 code units with a higher byte of zero"],
        ),
        (
            [&b"\x1B(B"[..], &units[..63]].concat(),
            ["ISO-2022-JP: 1 escape sequence", "UTF-16BE: 31 code units with a higher byte of zero"],
        ),
    ] {
        for last in [false, true] {
            let found: Vec<String> = candidates(&bytes, last).map(|candidate| candidate.to_string()).collect();
            assert_eq!(found, expected, "{}", bytes.escape_ascii());
        }
        assert_eq!(guess(&bytes), candidates(&bytes, false).next().map(|candidate| candidate.encoding));
    }
}

#[test]
fn evidence_is_counted_in_the_singular_and_the_plural() {
    for (reason, expected) in [
        (Reason::Utf8Sequences(1), "well-formed, with 1 sequence of more than one byte"),
        (Reason::Utf8Sequences(2), "well-formed, with 2 sequences of more than one byte"),
        (Reason::Escapes(1), "1 escape sequence"),
        (Reason::Escapes(21), "21 escape sequences"),
        (Reason::Zeros(1), "1 code unit with a higher byte of zero"),
        (Reason::Zeros(11), "11 code units with a higher byte of zero"),
    ] {
        assert_eq!(reason.to_string(), expected);
    }
}
