//! What the documents of glibc and POSIX say about iconv, as sentences. Both libraries must behave so.

use crate::glibc::{Call, Library, OURS, glibc};

const E2BIG: i32 = 7;
const EINVAL: i32 = 22;
const EILSEQ: i32 = 84;

/// A call with a source; without one, the text ends.
type Step<'a> = (Option<&'a [u8]>, usize, Result<usize, i32>, usize, &'a [u8]);

/// Checks the calls of one descriptor after the other in both libraries. Where nothing is unmappable or malformed, also
/// with the suffixes, which have no effect then.
fn check(from: &str, to: &str, steps: &[Step<'_>]) {
    let has_errors = steps.iter().any(|(_, _, result, ..)| matches!(result, Err(EILSEQ) | Ok(1..)));
    let suffixes = ["", "//IGNORE", "//TRANSLIT", "//TRANSLIT//IGNORE"];
    for suffix in &suffixes[..if has_errors || to.contains("//") { 1 } else { suffixes.len() }] {
        let to = format!("{to}{suffix}");
        for (library, name) in [(OURS, "ours"), (glibc(), "glibc")] {
            check_in(library, name, from, &to, steps);
        }
    }
}

/// Checks the calls of one descriptor in a library.
fn check_in(library: Library, name: &str, from: &str, to: &str, steps: &[Step<'_>]) {
    let mut opened = library.open(from, to).unwrap_or_else(|_| panic!("{name}: {from} to {to}"));
    for (number, (source, space, result, read, bytes)) in steps.iter().enumerate() {
        let expected = Call { result: *result, read: *read, bytes: bytes.to_vec() };
        assert_eq!(opened.call(*source, *space), expected, "{name}: {from} to {to}, call {number}");
    }
}

fn opens(library: Library, from: &str, to: &str) -> bool {
    library.open(from, to).is_ok()
}

#[test]
fn names_are_known_in_any_case_with_slashes_and_spaces_around_them() {
    for name in ["UTF-8", "utf8", "Utf-8//", "utf-8/", " UTF-8", "UTF-8 ", "", "//", "ISO88591", "ISO-10646/UTF8"] {
        assert!(opens(OURS, "latin1", name) && opens(glibc(), "latin1", name), "{name:?}");
        assert!(opens(OURS, name, "latin1") && opens(glibc(), name, "latin1"), "{name:?}");
    }
    for name in ["UTF_8", "UTF-8:", "UTF-8.x", "latin1/TRANSLIT", "latin1,TRANSLIT", "NONSENSE", "INTERNAL"] {
        assert!(!opens(OURS, "UTF-8", name) && !opens(glibc(), "UTF-8", name), "{name:?}");
    }
    // libiconv's names.
    for name in ["char", "CHAR", "Char//TRANSLIT", "UCS-4-INTERNAL", "ucs-2-Internal", "ucs-4-internal//IGNORE"] {
        assert!(opens(OURS, name, "UTF-8") && opens(OURS, "UTF-8", name), "{name}");
    }
    for (name, bytes) in
        [("UCS-4-INTERNAL", &u32::from('a').to_ne_bytes()[..]), ("UCS-2-INTERNAL", &97_u16.to_ne_bytes())]
    {
        for name in [name, &name.to_lowercase()] {
            assert_eq!(OURS.open("ASCII", name).unwrap().call(Some(b"a"), 9).bytes, bytes, "{name}");
            assert_eq!(OURS.open(name, "ASCII").unwrap().call(Some(bytes), 9).bytes, b"a", "{name}");
        }
    }
    // The charset of the locale C is ASCII.
    for name in ["char", ""] {
        assert_eq!(OURS.open("UTF-8", name).unwrap().call(Some("aé".as_bytes()), 9).result, Err(EILSEQ), "{name}");
    }
}

#[test]
fn an_unknown_name_is_einval() {
    for library in [OURS, glibc()] {
        assert_eq!(library.open("UTF-8", "NONSENSE").err(), Some(EINVAL));
    }
}

#[test]
fn only_suffixes_of_the_target_have_an_effect_and_unknown_ones_have_none() {
    check("UTF-8//IGNORE", "ASCII", &[(Some(b"a\xFFb"), 9, Err(EILSEQ), 1, b"a")]);
    check("UTF-8", "ASCII//NONSENSE", &[(Some(b"a\xC3\xA9"), 9, Err(EILSEQ), 1, b"a")]);
    check("UTF-8", "ASCII//ignore/", &[(Some(b"a\xC3\xA9b"), 9, Err(EILSEQ), 4, b"ab")]);
}

#[test]
fn an_incomplete_sequence_is_not_read() {
    check(
        "EUC-KR",
        "UTF-8",
        &[
            (Some(b"\xB0"), 9, Err(EINVAL), 0, b""),
            (Some(b"\xB0\xA1\xB0"), 9, Err(EINVAL), 2, "가".as_bytes()),
            (Some(b"\xB0\xA1"), 9, Ok(0), 2, "가".as_bytes()),
        ],
    );
    check("UTF-8", "UTF-16LE", &[(Some(b"a\xE2\x98"), 9, Err(EINVAL), 1, b"a\0")]);
    check(
        "UTF-16",
        "UTF-8",
        &[(Some(b"\xFF"), 9, Err(EINVAL), 0, b""), (Some(b"\xFE\xFF\0a\0"), 9, Err(EINVAL), 4, b"a")],
    );
    check(
        "UTF-7",
        "UTF-8",
        &[
            (Some(b"a+"), 9, Err(EINVAL), 1, b"a"),
            (Some(b"+-+"), 9, Err(EINVAL), 2, b"+"),
            (Some(b"+JgM-"), 9, Ok(0), 5, "☃".as_bytes()),
        ],
    );
}

#[test]
fn bytes_of_base64_that_are_read_stay_after_an_error() {
    for (charset, start) in [("UTF-7", &b"+AG"[..]), ("UTF-7-IMAP", b"&AG")] {
        check(
            charset,
            "UTF-8",
            &[
                (Some(start), 9, Ok(0), 3, b""),
                (Some(b"\xFF"), 9, Err(EILSEQ), 0, b""),
                (Some(b"E-"), 9, Ok(0), 2, b"a"),
            ],
        );
    }
}

#[test]
fn an_escape_that_is_none_is_text_whose_characters_are_read_one_by_one() {
    for charset in ["ISO-2022-KR", "ISO-2022-CN", "ISO-2022-JP-2"] {
        check(
            charset,
            "UTF-8",
            &[
                (Some(b"\x1B$Va"), 1, Err(E2BIG), 1, b"\x1B"),
                (Some(b"$Va"), 2, Err(E2BIG), 2, b"$V"),
                (Some(b"a"), 9, Ok(0), 1, b"a"),
                (Some(b"a\x1B$Va\x1B$Vb"), 9, Ok(0), 9, b"a\x1B$Va\x1B$Vb"),
                (Some(b"\x1B$\xFF"), 9, Err(EILSEQ), 2, b"\x1B$"),
                (Some(b"b"), 9, Ok(0), 1, b"b"),
                (Some(b"\x1B\x1B$\xFF"), 9, Err(EILSEQ), 3, b"\x1B\x1B$"),
                (Some(b"Vb"), 9, Ok(0), 2, b"Vb"),
            ],
        );
    }
    check(
        "ISO-2022-JP-2",
        "UTF-16LE",
        &[
            (Some(b"\x1B$B\x1B$(B%F"), 4, Err(E2BIG), 6, b"\x1B\0\x48\x30"),
            (Some(b"%F%9"), 4, Ok(0), 4, b"\xC6\x30\xB9\x30"),
        ],
    );
}

#[test]
fn no_escape_is_written_before_an_unmappable_character() {
    for (character, bytes) in [("ｱ", &b"\x1B(I1"[..]), ("\u{20089}", b"\x1B$(P!!")] {
        let text = format!("{character}\u{10380}");
        let read = character.len();
        let steps = [(Some(text.as_bytes()), 20, Err(EILSEQ), read, bytes), (None, 20, Ok(0), 0, b"\x1B(B")];
        check("UTF-8", "ISO-2022-JP-3", &steps);
    }
    let unmappable = "\u{10380}".as_bytes();
    for (charset, character, bytes) in [
        ("ISO-2022-CN", "中", b"\x1B$)A\x0EVP"),
        ("ISO-2022-CN", "內", b"\x1B$)G\x0EDy"),
        ("ISO-2022-KR", "가", b"\x1B$)C\x0E0!"),
    ] {
        let text = format!("{character}\u{10380}");
        check(
            "UTF-8",
            charset,
            &[
                (Some(text.as_bytes()), 20, Err(EILSEQ), 3, bytes),
                (Some(character.as_bytes()), 20, Ok(0), 3, &bytes[5..]),
                (Some(unmappable), 20, Err(EILSEQ), 0, b""),
                (Some(unmappable), 1, Err(EILSEQ), 0, b""),
                (Some(unmappable), 0, Err(E2BIG), 0, b""),
                (None, 20, Ok(0), 0, b"\x0F"),
            ],
        );
    }
    for charset in ["ISO-2022-JP", "ISO-2022-JP-2", "ISO-2022-JP-3"] {
        // There is no space for the escape.
        check("UTF-8", charset, &[(Some("テ\u{10380}".as_bytes()), 7, Err(EILSEQ), 3, b"\x1B$B%F")]);
        check(
            "UTF-8",
            charset,
            &[
                (Some("テ\u{10380}".as_bytes()), 20, Err(EILSEQ), 3, b"\x1B$B%F"),
                (Some("テ".as_bytes()), 20, Ok(0), 3, b"%F"),
                (Some("\u{10380}".as_bytes()), 20, Err(EILSEQ), 0, b""),
                (Some("\u{10380}".as_bytes()), 2, Err(EILSEQ), 0, b""),
                (None, 20, Ok(0), 0, b"\x1B(B"),
            ],
        );
    }
}

#[test]
fn a_character_that_does_not_fit_is_not_read() {
    check(
        "EUC-KR",
        "UTF-8",
        &[
            (Some(b"\xB0\xA1\xB0\xA1"), 5, Err(E2BIG), 2, "가".as_bytes()),
            (Some(b"\xB0\xA1"), 0, Err(E2BIG), 0, b""),
            (Some(b"\xB0\xA1"), 3, Ok(0), 2, "가".as_bytes()),
        ],
    );
    check("SJIS", "EUC-JP", &[(Some(b"a\x83\x65\x83\x65"), 4, Err(E2BIG), 3, b"a\xA5\xC6")]);
    check("UTF-8", "UTF-16LE", &[(Some("😀".as_bytes()), 3, Err(E2BIG), 0, b"")]);
}

#[test]
fn malformed_input_is_an_error_before_a_lack_of_space_is_and_an_unmappable_character_after_it() {
    check(
        "UTF-8",
        "LATIN1",
        &[
            (Some(b"\xFF"), 0, Err(EILSEQ), 0, b""),
            (Some(b"a\xFF"), 1, Err(EILSEQ), 1, b"a"),
            (Some(b"ab\xFF"), 1, Err(E2BIG), 1, b"a"),
            (Some("☃".as_bytes()), 0, Err(E2BIG), 0, b""),
            (Some("☃".as_bytes()), 1, Err(EILSEQ), 0, b""),
            (Some("ab☃".as_bytes()), 9, Err(EILSEQ), 2, b"ab"),
        ],
    );
}

/// glibc looks at a character only if there is space for a code unit.
#[test]
fn an_unmappable_character_of_ucs_2_is_an_error_if_the_output_has_two_bytes() {
    for (to, first) in [("UCS-2", &b"a\0"[..]), ("UCS-2LE", b"a\0"), ("UCS-2BE", b"\0a"), ("UNICODE", b"\xFF\xFEa\0")] {
        let source = "😀a".as_bytes();
        check(
            "UTF-8",
            to,
            &[
                (Some(b"a"), 9, Ok(0), 1, first),
                (Some(source), 0, Err(E2BIG), 0, b""),
                (Some(source), 1, Err(E2BIG), 0, b""),
                (Some(source), 2, Err(EILSEQ), 0, b""),
            ],
        );
    }
}

#[test]
fn utf_16_is_written_with_one_byte_order_mark_until_the_text_ends() {
    check(
        "UTF-8",
        "UTF-16",
        &[
            (Some(b""), 9, Ok(0), 0, b""),
            (Some(b"a"), 1, Err(E2BIG), 0, b""),
            (Some(b"a"), 2, Err(E2BIG), 0, b"\xFF\xFE"),
            (Some(b"a"), 2, Ok(0), 1, b"a\0"),
            (None, 9, Ok(0), 0, b""),
            (Some(b"a"), 9, Ok(0), 1, b"\xFF\xFEa\0"),
        ],
    );
}

#[test]
fn a_byte_order_mark_is_read_at_the_start_of_a_text_only() {
    check(
        "UTF-16",
        "UTF-8",
        &[
            (Some(b"\xFF\xFE"), 9, Ok(0), 2, b""),
            (Some(b"\xFF\xFE"), 9, Ok(0), 2, "\u{FEFF}".as_bytes()),
            (None, 9, Ok(0), 0, b""),
            (Some(b"\xFE\xFF\0a"), 0, Err(E2BIG), 2, b""),
            (Some(b"\0a"), 9, Ok(0), 2, b"a"),
        ],
    );
}

#[test]
fn a_byte_order_mark_after_an_error_at_the_start_of_a_text_is_a_character() {
    let marked = "\u{FEFF}a";
    let text = |from: &str, first: u32| -> Vec<u8> {
        let units = [first, 0xFEFF, 0x61].map(u32::to_le_bytes);
        let width = if from == "UTF-32" { 4 } else { 2 };
        units.iter().flat_map(|unit| &unit[..width]).copied().collect()
    };
    for (from, malformed) in [("UTF-16", 0xDC00), ("UTF-32", 0xD800), ("UTF-32", 0x110000), ("UNICODE", 0xD800)] {
        let (source, width) = (text(from, malformed), if from == "UTF-32" { 4 } else { 2 });
        let as_utf_16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (to, expected) in [("UTF-8", marked.as_bytes()), ("UTF-16LE", &as_utf_16)] {
            let steps: [Step<'_>; 2] =
                [(Some(&source), 9, Err(84), 0, b""), (Some(&source[width..]), 9, Ok(0), 2 * width, expected)];
            check(from, to, &steps);
        }
    }
    // The same after an unmappable character, but in glibc not for UTF-16.
    for from in ["UTF-32", "UNICODE"] {
        let (source, width) = (text(from, 0x442), if from == "UTF-32" { 4 } else { 2 });
        let steps: [Step<'_>; 2] = [(Some(&source), 9, Err(84), 0, b""), (Some(&source[width..]), 9, Err(84), 0, b"")];
        check(from, "LATIN1", &steps);
    }
}

#[test]
fn the_end_of_a_text_leads_back_from_a_shift() {
    check(
        "UTF-8",
        "IBM939",
        &[
            (Some("あ".as_bytes()), 9, Ok(0), 3, b"\x0E\x44\x81"),
            (None, 0, Err(E2BIG), 0, b""),
            (None, 9, Ok(0), 0, b"\x0F"),
            (None, 9, Ok(0), 0, b""),
        ],
    );
}

#[test]
fn a_letter_waits_for_its_mark_until_the_text_ends() {
    check(
        "CP1258",
        "UTF-8",
        &[
            (Some(b"ae"), 9, Ok(0), 2, b"a"),
            (Some(b"\xEC"), 9, Ok(0), 1, "é".as_bytes()),
            (Some(b"abc"), 1, Err(E2BIG), 2, b"a"),
            (None, 0, Err(E2BIG), 0, b""),
            (None, 9, Ok(0), 0, b"b"),
        ],
    );
}

/// The end of an empty text is the header of ISO-2022-KR.
#[test]
fn the_end_of_an_empty_text_writes_the_header() {
    let steps: &[Step<'_>] = &[(None, 3, Err(E2BIG), 0, b""), (None, 9, Ok(0), 0, b"\x1B$)C")];
    check("UTF-8", "ISO-2022-KR", steps);
}

/// A piece of text with composing letters is converted at once, unless it has such a character.
#[test]
fn an_unmappable_character_in_a_long_text_with_composing_letters_is_not_read() {
    check("CP1258", "ASCII", &[(Some(b"some letters\xD0 and letters"), 64, Err(EILSEQ), 13, b"some letters")]);
}

#[test]
fn malformed_bytes_among_composing_letters_are_an_error_or_left_out() {
    check("CP1255", "UTF-8", &[(Some(b"ab\xD9c"), 9, Err(EILSEQ), 2, b"ab")]);
    check("CP1255", "UTF-8//IGNORE", &[(Some(b"ab\xD9c"), 9, Err(EILSEQ), 4, b"abc")]);
}

/// Every sequence of base64 in UTF-7 with four bytes of these, and its starts. Calls after an error differ, so each
/// sequence has a descriptor of its own.
#[test]
fn malformed_base64_of_utf_7_is_an_error_before_the_same_byte() {
    for (charset, bytes) in [("UTF-7", b"A/,-*+\xC3"), ("UTF-7-IMAP", b"A/,-*&\xC3")] {
        for number in 0..bytes.len().pow(4) {
            let digit = |place| bytes[number / bytes.len().pow(place) % bytes.len()];
            let source = [b'a', bytes[5], digit(0), digit(1), digit(2), digit(3)];
            for length in 2..=source.len() {
                let source = &source[..length];
                let [ours, theirs] = [OURS, glibc()].map(|of| of.open(charset, "UTF-8").unwrap().call(Some(source), 9));
                assert_eq!(ours, theirs, "{charset} {}", source.escape_ascii());
            }
        }
    }
}

#[test]
fn two_characters_of_one_sequence_can_go_into_two_outputs() {
    check(
        "SHIFT_JISX0213",
        "UTF-8",
        &[
            (Some(b"\x82\xF5"), 9, Ok(0), 2, "か゚".as_bytes()),
            (Some(b"\x82\xF5"), 3, Err(E2BIG), 2, "か".as_bytes()),
            (None, 9, Ok(0), 0, "\u{309A}".as_bytes()),
        ],
    );
    check(
        "UTF-8",
        "SHIFT_JISX0213",
        &[
            (Some("か".as_bytes()), 9, Ok(0), 3, b""),
            (Some(b"a"), 9, Ok(0), 1, b"\x82\xA9a"),
            (Some("か゚".as_bytes()), 1, Err(E2BIG), 3, b""),
        ],
    );
}

/// The rest of a sequence is written by the next calls: one character, or in TSCII up to five.
#[test]
fn the_characters_of_one_sequence_can_go_into_several_outputs() {
    let cases: [(&str, &[u8], &[&str]); 5] = [
        ("BIG5-HKSCS", b"\x88\x62", &["Ê", "\u{304}"]),
        ("EUC-JISX0213", b"\xA4\xF7", &["か", "\u{309A}"]),
        ("TSCII", b"\x8C", &["\u{B95}", "\u{BCD}", "\u{BB7}", "\u{BCD}"]),
        // A sign, its consonant, and a byte that shows that no other sign follows.
        ("TSCII", b"\xA6\xB8a", &["\u{B95}", "\u{BC6}", "a"]),
        ("TSCII", b"\xA6\xB8\x8C", &["\u{B95}", "\u{BC6}", "\u{B95}", "\u{BCD}", "\u{BB7}", "\u{BCD}"]),
    ];
    for (from, source, characters) in cases {
        for count in 1..characters.len() {
            let utf_16 = |text: &[&str]| text.concat().encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
            let (first, rest) = characters.split_at(count);
            let mut opened = OURS.open(from, "UTF-16LE").unwrap();
            let call = opened.call(Some(source), 2 * count);
            assert_eq!((&call.result, call.bytes), (&Err(E2BIG), utf_16(first)), "{source:02X?}, {count}");
            let next = opened.call(Some(&source[call.read..]), 64);
            assert_eq!((next.result, next.bytes), (Ok(0), utf_16(rest)), "{source:02X?}, {count}");
        }
    }
}

#[test]
fn ignore_leaves_out_and_returns_an_error_after_all_input() {
    check(
        "UTF-8",
        "ASCII//IGNORE",
        &[
            (Some(b"a\xC3\xA9b\xFFc"), 9, Err(EILSEQ), 6, b"abc"),
            (Some(b"abc"), 9, Ok(0), 3, b"abc"),
            (Some(b"a\xC3\xA9b"), 1, Err(E2BIG), 1, b"a"),
            // Malformed bytes in front of a character that does not fit are not read.
            (Some(b"a\xFF\xFEb"), 1, Err(E2BIG), 1, b"a"),
            (Some(b"\xFFab\xC3"), 9, Err(EINVAL), 3, b"ab"),
            (Some("é\u{C3}".as_bytes().get(..3).unwrap()), 9, Err(EILSEQ), 2, b""),
        ],
    );
}

#[test]
fn translit_counts_characters_for_which_others_stand() {
    check(
        "UTF-8",
        "ASCII//TRANSLIT",
        &[
            (Some("a“æé☃".as_bytes()), 9, Ok(4), 11, b"a\"ae??"),
            (Some("æ".as_bytes()), 1, Err(E2BIG), 0, b""),
            (Some(b"a\xFF"), 9, Err(EILSEQ), 1, b"a"),
        ],
    );
}

/// glibc takes the texts from the locale; the tests run in the locale C, which every program starts in.
#[test]
fn translit_writes_the_texts_of_the_locale_c() {
    let (mut ours, mut theirs) =
        (OURS.open("UTF-8", "ASCII//TRANSLIT").unwrap(), glibc().open("UTF-8", "ASCII//TRANSLIT").unwrap());
    for character in ('\u{80}'..='\u{2FFFF}').chain('\u{E0000}'..='\u{E0FFF}') {
        let source = &mut [0; 4];
        let source = Some(character.encode_utf8(source).as_bytes());
        assert_eq!(ours.call(source, 16), theirs.call(source, 16), "{character:?}");
    }
}

#[test]
fn tags_are_left_out() {
    check("UTF-8", "LATIN1", &[(Some("a\u{E0020}b".as_bytes()), 9, Ok(0), 6, b"ab")]);
}

#[test]
#[cfg(feature = "next")]
fn names_of_other_charsets_go_on_to_the_next_library() {
    // This library only reads text in the charset.
    check(
        "UTF-8",
        "ISO-2022-CN-EXT",
        &[
            (Some("a啊".as_bytes()), 9, Ok(0), 4, b"a\x1B$)A\x0E\x30\x21"),
            (Some("啊".as_bytes()), 1, Err(E2BIG), 0, b""),
            // This converter of glibc counts the shift.
            (None, 9, Ok(1), 0, b"\x0F"),
        ],
    );
}

#[test]
fn no_table_for_short_texts_takes_malformed_utf_8() {
    let sources: [&[u8]; 6] =
        [b"a\xE0\x81\x81", b"a\xC1\x81", b"a\xED\xA0\x80", b"a\xF0\x80\x81\x81", b"a\x81b", b"a\xC3b"];
    for source in sources {
        for to in ["LATIN1", "CP437", "IBM037"] {
            let letter: &[u8] = if to == "IBM037" { b"\x81" } else { b"a" };
            check("UTF-8", to, &[(Some(source), 9, Err(EILSEQ), 1, letter)]);
        }
    }
}

/// Every byte from 80 on, with up to six bytes after it that continue sequences. glibc waits for all bytes of sequences
/// as they were before 2003, of up to six bytes.
#[test]
fn glibc_waits_for_the_same_bytes_of_utf_8() {
    for first in 0x80..=0xFF {
        for (continuation, count) in [0x80, 0x88, 0xBF].into_iter().flat_map(|byte| (0..=6).map(move |n| (byte, n))) {
            for (end, to) in
                [&b""[..], b"a"].into_iter().flat_map(|end| ["LATIN1", "UTF-16LE//IGNORE"].map(|to| (end, to)))
            {
                let source = [&[first][..], &vec![continuation; count], end].concat();
                let [ours, theirs] = [OURS, glibc()].map(|of| of.open("UTF-8", to).unwrap().call(Some(&source), 64));
                assert_eq!(ours, theirs, "{source:02X?} to {to}");
            }
        }
    }
}

/// The calls for a text, each with the same space, and with more if that is too little for a character.
fn calls_into(library: Library, from: &str, to: &str, source: &[u8], mut space: usize) -> Vec<Call> {
    let (mut opened, mut rest, mut calls) = (library.open(from, to).unwrap(), source, Vec::new());
    while !rest.is_empty() && calls.len() < 99 {
        let call = opened.call(Some(rest), space);
        rest = &rest[call.read..];
        space += usize::from(call.read == 0 && call.bytes.is_empty());
        calls.push(call);
    }
    calls.push(opened.call(None, 64));
    calls
}

/// Characters after shifts and escapes, escapes that are none, and letters that wait for their marks.
#[test]
fn texts_with_states_go_into_outputs_of_every_size_in_the_same_calls() {
    let texts: [(&str, &[u8]); 13] = [
        ("ISO-2022-JP-2", b"a\x1B.A\x1BNi\x1BNj\n\x1B.F\x1BNa\x1B$B%F%9\x1BNb\x1B(Bc"),
        ("ISO-2022-JP-2", b"\x1B$Va\x1Bb\x1B$B%F\x1B$Vx"),
        ("ISO-2022-JP-3", b"a\x1B$(O$w%F\x1B(Bb\x1B$Vc"),
        ("ISO-2022-KR", b"\x1B$)Ca\x0E0!0\"\x0Fb\x1B$Vc\x0E0!\x0F"),
        ("ISO-2022-CN", b"a\x1B$)A\x0E0!0\"\x0Fb\x0E0!\x0F\x1B$*H\x1BN0!c\x1B$V"),
        ("IBM933", b"\x81\x0E\x88\x61\x88\x61\x0F\x82\x0E\x0F\x0E\x88\x61\x0F"),
        ("UTF-7", b"a+AGEAYgBj-b+2D3eAA-c+-d+AGE.e"),
        ("UTF-16", b"\xFE\xFF\0a\xD8\x3D\xDE\0\0b"),
        ("CP1258", b"123a5ae\xECbe\xEC1e2o\xEC9"),
        ("CP1258", b"ab1c2d3eeeeeeeeee\xEC1"),
        ("CP1258", b"12345a"),
        ("TCVN-5712", b"12a3a\xB3e1234aeo"),
        ("CP1255", b"123\xE0\xC85\xF9a\xE112"),
    ];
    for (from, source) in texts {
        for to in ["UTF-8", "UTF-16LE", "UTF-16", "UTF-32"] {
            for space in 0..40 {
                let [ours, theirs] = [OURS, glibc()].map(|library| calls_into(library, from, to, source, space));
                assert_eq!(ours, theirs, "{} from {from} to {to}, {space} bytes", source.escape_ascii());
            }
        }
    }
}

/// A shift is also written if there is no space for the character after it, in both directions.
#[test]
fn shifts_and_escapes_go_into_outputs_of_every_size_in_the_same_calls() {
    let pairs = [
        ("가", "IBM933 IBM1364 ISO-2022-KR ISO-2022-JP-2"),
        ("中", "IBM935 IBM937 IBM1371 IBM1388 ISO-2022-JP"),
        ("あ", "IBM930 IBM939 IBM1390 IBM1399 ISO-2022-JP-3"),
    ];
    for (character, to) in pairs.iter().flat_map(|(character, names)| names.split(' ').map(move |to| (character, to))) {
        for text in ["xax", "ax", "x1xx\nx"] {
            let text = text.replace('x', character);
            for space in 0..20 {
                let calls = |library| calls_into(library, "UTF-8", to, text.as_bytes(), space);
                assert_eq!(calls(OURS), calls(glibc()), "{text:?} to {to}, {space} bytes");
            }
        }
    }
}

/// An encoder that waits for a combining mark writes its character when it finds the next one unmappable. So a program
/// that writes something in the place of the unmappable character writes it after that character.
#[test]
fn a_character_before_an_unmappable_one_is_written() {
    let cases: [(&str, &str, &[u8], &[u8]); 6] = [
        ("SHIFT_JISX0213", "か", b"\x82\xA9", b""),
        ("EUC-JISX0213", "か", b"\xA4\xAB", b""),
        ("BIG5-HKSCS", "Ê", b"\x88\x66", b""),
        ("ISO-2022-JP-3", "か", b"\x1B$B$+", b"\x1B(B"),
        ("IBM1390", "か", b"\x0E\x44\x86", b"\x0F"),
        ("IBM1399", "か", b"\x0E\x44\x86", b"\x0F"),
    ];
    for (to, waiting, bytes, end) in cases {
        let (length, shift) = (waiting.len(), bytes.len() - 2);
        let (text, pair) = (format!("{waiting}\u{B95}"), &bytes[shift..]);
        check("UTF-8", to, &[(Some(text.as_bytes()), 20, Err(EILSEQ), length, bytes), (None, 9, Ok(0), 0, end)]);
        // In glibc, characters of two of these charsets wait in no other call, and one needs space for the escape.
        let (waiting, next) = (Some(waiting.as_bytes()), Some("\u{B95}".as_bytes()));
        let end = (None, 9, Ok(0), 0, end);
        for space in [bytes.len() + 1, bytes.len() + 2, 20] {
            let steps = [(Some(text.as_bytes()), space, Err(EILSEQ), length, bytes), end];
            check_in(OURS, "ours", "UTF-8", to, &steps);
        }
        let steps: [Step<'_>; 7] = [
            (waiting, 20, Ok(0), length, b""),
            (next, 20, Err(EILSEQ), 0, bytes),
            (waiting, 20, Ok(0), length, b""),
            (next, 1, Err(E2BIG), 0, b""),
            (next, 3, Err(EILSEQ), 0, pair),
            (next, 3, Err(EILSEQ), 0, b""),
            end,
        ];
        check_in(OURS, "ours", "UTF-8", to, &steps);
    }
}

/// Each error in each place, before each other one: sources of up to three pieces, with space for few bytes or enough,
/// and the calls that go on after it.
#[test]
fn calls_go_on_after_every_error_as_in_glibc() {
    let of_utf_8: &[&[u8]] =
        &[b"a", "é".as_bytes(), "☃".as_bytes(), b"\xFF", b"\xF8\x88", b"\xFC\x84\x80\x80\x80", b"\xC3", b"\xE2\x98"];
    let of_japan: &[&[u8]] = &[b"a", b"\x83\x65", b"\x82", b"\xFF"];
    // The last character is none of UCS-2, for which glibc asks for two bytes of space.
    let of_ucs_2: &[&[u8]] = &[b"a", "☃".as_bytes(), b"\xFF", "😀".as_bytes()];
    let pairs = [
        ("UTF-8", "ASCII", of_utf_8),
        ("UTF-8", "LATIN1//IGNORE", of_utf_8),
        ("UTF-8", "EUC-KR//IGNORE", of_utf_8),
        ("UTF-8", "UTF-16LE//IGNORE", of_utf_8),
        ("UTF-8", "ASCII//TRANSLIT", of_utf_8),
        ("UTF-8", "UCS-2", of_ucs_2),
        ("UTF-8", "UCS-2BE//IGNORE", of_ucs_2),
        ("UTF-8", "UCS-2LE//TRANSLIT", of_ucs_2),
        ("SHIFT_JISX0213", "UTF-8//IGNORE", of_japan),
        ("SHIFT_JISX0213", "SJIS", of_japan),
        ("SHIFT_JISX0213", "SJIS//IGNORE", of_japan),
    ];
    for (from, to, pieces) in pairs {
        let one = || pieces.iter().map(|piece| piece.to_vec());
        let two = || one().flat_map(|start| pieces.iter().map(move |piece| [&start, *piece].concat()));
        let three = two().flat_map(|start| pieces.iter().map(move |piece| [&start, *piece].concat()));
        for source in one().chain(two()).chain(three) {
            for space in [0, 1, 2, 3, 4, 64] {
                let calls = |library: Library| {
                    let mut opened = library.open(from, to).unwrap();
                    let first = opened.call(Some(&source), space);
                    let rest = &source[first.read..];
                    [first, opened.call(Some(rest), 64), opened.call(Some(b"a"), 64), opened.call(None, 64)]
                };
                assert_eq!(calls(OURS), calls(glibc()), "{from} to {to}: {source:02X?} into {space} bytes");
            }
        }
    }
}

#[test]
fn a_second_character_that_cannot_be_encoded_is_an_error_once() {
    let mut opened = OURS.open("SHIFT_JISX0213", "SJIS").unwrap();
    for (source, space, result, read, bytes) in [
        (&b"\x82\xF5"[..], 2, Err(E2BIG), 2, &b"\x82\xA9"[..]),
        (b"a", 9, Err(EILSEQ), 0, b""),
        (b"a", 9, Ok(0), 1, b"a"),
    ] {
        assert_eq!(opened.call(Some(source), space), Call { result, read, bytes: bytes.to_vec() });
    }
}

/// Whatever is still to be written, or to be read, is lost, and the next text begins in the first state.
#[test]
fn a_reset_forgets_what_a_text_has_left_behind() {
    let cases: [(&str, &str, &[u8], usize); 9] = [
        // A letter waits for its mark, in the decoder or because it does not fit.
        ("CP1258", "UTF-8", b"ae", 9),
        ("CP1258", "UTF-8", b"abc", 1),
        ("CP1258", "UTF-16LE", b"a\xEC", 1),
        // The second character of a sequence does not fit.
        ("SHIFT_JISX0213", "UTF-8", b"\x82\xF5", 3),
        ("UTF-8", "SHIFT_JISX0213", "か".as_bytes(), 9),
        // A byte order mark was read or written.
        ("UTF-16", "UTF-8", b"\xFE\xFF\0a", 9),
        ("UTF-8", "UTF-16", b"a", 9),
        // A shift or an escape is in effect.
        ("ISO-2022-JP", "UTF-8", b"\x1B$B%F", 9),
        ("UTF-8", "ISO-2022-KR", "가".as_bytes(), 20),
    ];
    let suffixes = ["", "//IGNORE", "//TRANSLIT", "//TRANSLIT//IGNORE"];
    for (from, to, source, space) in cases {
        for suffix in suffixes {
            let to = &*format!("{to}{suffix}");
            let calls = |library: Library, resets: bool| {
                let mut opened = library.open(from, to).unwrap();
                if resets {
                    opened.call(Some(source), space);
                    opened.reset();
                }
                [opened.call(Some(source), 64), opened.call(None, 64)]
            };
            assert_eq!(calls(OURS, true), calls(OURS, false), "{from} to {to}");
            // glibc keeps a letter of CP1258 that waits.
            if from != "CP1258" {
                assert_eq!(calls(OURS, true), calls(glibc(), true), "{from} to {to}");
            }
        }
    }
}

/// Short texts have tables of their own, and long ones are converted in pieces.
#[test]
fn texts_of_every_length_are_converted_to_their_last_character() {
    let pairs = [
        ("LATIN1", "IBM037", "Grüße, naïve "),
        ("IBM037", "LATIN1", "Grüße, naïve "),
        ("KOI8-R", "CP1251", "Привет, мир! "),
        ("UTF-8", "KOI8-R", "Привет, мир! "),
        ("KOI8-R", "UTF-8", "Привет, мир! "),
        ("IBM037", "UTF-8", "Grüße, naïve "),
        ("UTF-8", "CP874", "สวัสดี abc "),
        ("EUC-JP", "SJIS", "日本語 text ｶﾅ "),
        ("SJIS", "UTF-8", "日本語 text ｶﾅ "),
        ("UTF-8", "UTF-16LE", "aé☃😀 "),
        ("CP1258", "UTF-8", "a e o "),
    ];
    for (from, to, sample) in pairs {
        let (mut ours, mut theirs) = (OURS.open(from, to).unwrap(), glibc().open(from, to).unwrap());
        let mut encode = glibc().open("UTF-8", from).unwrap();
        let all = encode.call(Some(sample.repeat(90).as_bytes()), 5000).bytes;
        let lengths =
            (0..=40).chain([94, 95, 96, 97, 98]).chain((1..=9).flat_map(|n| [128 * n - 1, 128 * n, 128 * n + 1]));
        for length in lengths.filter(|length| *length <= all.len()) {
            for space in [5000, length] {
                let expected = [theirs.call(Some(&all[..length]), space), theirs.call(None, 64)];
                assert_eq!(
                    [ours.call(Some(&all[..length]), space), ours.call(None, 64)],
                    expected,
                    "{from} to {to}: {length}"
                );
            }
        }
    }
}

#[test]
fn an_unknown_name_on_either_side_is_einval() {
    for library in [OURS, glibc()] {
        for (from, to) in
            [("NONSENSE", "UTF-8"), ("UTF-8", "NONSENSE"), ("NONSENSE", "NONSENSE"), ("NONE//IGNORE", "X//TRANSLIT")]
        {
            assert_eq!(library.open(from, to).err(), Some(EINVAL), "{from} to {to}");
        }
    }
}

#[test]
fn suffixes_act_together_in_any_order() {
    for to in ["ASCII//TRANSLIT//IGNORE", "ASCII//IGNORE//TRANSLIT", "ASCII//translit//ignore/"] {
        check(
            "UTF-8",
            to,
            &[
                (Some("aé“☃".as_bytes()), 9, Ok(3), 9, b"a?\"?"),
                (Some(b"a\xFFb"), 9, Err(EILSEQ), 3, b"ab"),
                (Some("é".as_bytes()), 0, Err(E2BIG), 0, b""),
            ],
        );
        // glibc does not tell of malformed bytes if a character was transliterated in the same call.
        for source in [&b"\xC3\xA9\xFF"[..], b"\xFF\xC3\xA9"] {
            let of_ours = OURS.open("UTF-8", to).unwrap().call(Some(source), 9);
            assert_eq!(of_ours, Call { result: Err(EILSEQ), read: 3, bytes: b"?".to_vec() });
            let of_glibc = glibc().open("UTF-8", to).unwrap().call(Some(source), 9);
            assert_eq!((of_glibc.read, of_glibc.bytes), (3, b"?".to_vec()));
        }
    }
}

#[test]
fn suffixes_act_until_the_descriptor_is_closed() {
    for (to, source, result, bytes) in [
        ("ASCII//TRANSLIT", "a☃“b".as_bytes(), Ok(2), &b"a?\"b"[..]),
        ("ASCII//IGNORE", b"a\xE2\x98\x83b\xFFc", Err(EILSEQ), b"abc"),
    ] {
        for library in [OURS, glibc()] {
            let mut opened = library.open("UTF-8", to).unwrap();
            for round in 0..4 {
                let expected = Call { result, read: source.len(), bytes: bytes.to_vec() };
                assert_eq!(opened.call(Some(source), 9), expected, "{to}, {round}");
                // The end of a text, or its end without an output.
                if round % 2 == 0 { opened.reset() } else { assert_eq!(opened.call(None, 9).result, Ok(0)) }
            }
        }
    }
}
