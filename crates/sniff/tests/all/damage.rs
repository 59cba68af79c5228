//! Damaged texts: UTF-8 with a few malformed sequences, and texts of which a part is UTF-16.

use quickcheck::QuickCheck;
use textcodec_sniff::structure::{Damage, Examination, Findings};

const LINE: &str = "Déjà vu, où ? L’été.\n";

/// The findings in `bytes` as a whole, which are those in its pieces of any length.
fn examine(bytes: &[u8]) -> Findings {
    let whole = in_pieces(bytes, bytes.len().max(1));
    for length in [1, 2, 3, 7, 64, 255] {
        assert_eq!(in_pieces(bytes, length), whole, "pieces of {length} bytes: {bytes:02X?}");
    }
    whole
}

fn in_pieces(bytes: &[u8], length: usize) -> Findings {
    let mut examination = Examination::new();
    for piece in bytes.chunks(length) {
        examination.feed(piece);
        let _ = examination.findings(false);
    }
    examination.feed(b"");
    examination.findings(true)
}

fn damage(bytes: &[u8]) -> Option<Damage> {
    examine(bytes).damage
}

fn little(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn big(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// `text` in windows-1252 or another encoding in which these characters have the bytes of ISO-8859-1.
fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
}

#[test]
fn sequences_are_counted_as_utf_8_decode_counts_its_errors() {
    let long = format!("{}é\u{10FFFF}€", "a".repeat(1000));
    for bytes in [
        &b""[..],
        b"ASCII",
        "é€𝄞é".as_bytes(),
        long.as_bytes(),
        b"\xC3\xA9\x80\xFF\xE2\x82a\xF0\x9F\x98\xE9b\xC3",
        b"\xED\xA0\x80\xC0\xAF\xF5\xE2\x82\xAC\xE2",
        b"\xA9\x80a\xF0\x90\x80",
    ] {
        let (mut malformed, mut first, mut sequences, mut offset) = (0, None, 0, 0);
        for chunk in bytes.utf8_chunks() {
            sequences += chunk.valid().chars().filter(|character| !character.is_ascii()).count() as u64;
            offset += chunk.valid().len() as u64;
            if !chunk.invalid().is_empty() {
                first.get_or_insert(offset);
                malformed += 1;
            }
            offset += chunk.invalid().len() as u64;
        }
        let findings = examine(bytes);
        let found = (findings.length, findings.sequences, findings.malformed, findings.first_malformed);
        assert_eq!(found, (bytes.len() as u64, sequences, malformed, first), "{bytes:02X?}");
        assert_eq!(findings.is_utf_8(), sequences > 0 && malformed == 0);
    }
}

#[test]
fn utf_8_with_few_malformed_sequences_is_damaged() {
    let text = LINE.repeat(20);
    let stray = [text.as_bytes(), b"don\x92t\n", text.as_bytes()].concat();
    assert_eq!(damage(&stray), Some(Damage::Utf8));
    let findings = examine(&stray);
    assert_eq!((findings.malformed, findings.first_malformed), (1, Some(text.len() as u64 + 3)));
    assert_eq!(damage(&text.as_bytes()[2..]), Some(Damage::Utf8), "starts in the middle of a character");
    let start = text.rfind('’').unwrap();
    assert_eq!(damage(&text.as_bytes()[..start + 1]), Some(Damage::Utf8), "ends in the middle of a character");
    for text in ["Съешь же ещё этих мягких булок", "這是一個用繁體中文寫成的句子", "“It’s”, he said"]
    {
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let bytes = [&text.as_bytes()[..at], b"\xFF", &text.as_bytes()[at..]].concat();
            assert_eq!(damage(&bytes), Some(Damage::Utf8), "{text} {at}");
        }
    }
}

#[test]
fn the_rule_has_sharp_limits() {
    for (text, expected) in [
        // Six well-formed sequences in one run for each malformed one.
        (&b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xFF"[..], true),
        (b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xFF", false),
        // More lone sequences than malformed ones.
        (b"\xC3\xA9 \xC3\xA9 \xFF", true),
        (b"\xC3\xA9 \xFF", false),
        (b"\xC3\xA9 \xC3\xA9 \xFF\xFF", false),
        (b"\xC3\xA9\xC3\xA9 \xFF", false),
        (b"\xC3\xA9 \xC3\xA9\xFF", false),
        (b"\xFF\xC3\xA9 \xC3\xA9", false),
        // A lone sequence of three or four bytes counts twice.
        (b"\xE2\x82\xAC \xFF", true),
        (b"\xF0\x9D\x84\x9E \xFF", true),
        (b"\xE2\x82\xAC \xFF\xFF", false),
        (b"\xFF", false),
        (b"", false),
    ] {
        assert_eq!(damage(text), expected.then_some(Damage::Utf8), "{text:02X?}");
    }
}

#[test]
fn text_in_a_legacy_encoding_is_not_damaged() {
    for bytes in [
        &latin("Le café est fermé à midi, «à l'hôtel» aussi. ÉTÉ» Ü»")[..],
        // Russian in ibm866, whose pairs of letters have the bytes of UTF-8.
        b"\xE1\xA0\xA4 \xE0\xA0\xA1\xAE\xE2\xA0\xA5\xE2 \xAD\xA0 \xE1\xA5\xA2\xA5\xE0\xA5",
        // A table of DOS.
        b"\xDA\xC4\xC4\xC2\xC4\xC4\xBF\r\n\xB3ab\xB3cd\xB3\r\n\xC3\xC4\xC4\xC5\xC4\xC4\xB4\r\n\xC0\xC4\xC4\xC1\xC4\xC4\xD9",
        // Chinese in GBK, Japanese in Shift_JIS, Korean in EUC-KR.
        b"\xD5\xE2\xCA\xC7\xD2\xBB\xB8\xF6\xBE\xE4\xD7\xD3\xA1\xA3",
        b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\x82\xC5\x82\xB7\x81\x42",
        b"\xC7\xD1\xB1\xB9\xBE\xEE\xB7\xCE \xBE\xB4 \xB9\xAE\xC0\xE5",
    ] {
        let findings = examine(bytes);
        assert_eq!(findings.damage, None, "{findings:?}");
        assert!(findings.malformed > 0);
    }
}

#[test]
fn a_text_of_which_a_part_is_utf_16_is_mixed() {
    let mixed = |offset: usize, is_utf_16_first| Some(Damage::Mixed { offset: offset as u64, is_utf_16_first });
    for first in [
        "line one\r\n",
        "line 12\r\n",
        "one\nline\n",
        "été à midi\r\n",
        "строка\n",
        "{\"a\": [1, 2]}\r\n",
        // Half of the bytes are letters.
        "abcd=(e);\n",
    ] {
        for appended in ["line two\r\n", "line two\n", "été\r\n", "日本\r\n"] {
            let bytes = [first.as_bytes(), &little(appended)].concat();
            assert_eq!(damage(&bytes), mixed(first.len(), false), "{first:?} {appended:?}");
            let bytes = [&latin("été\r\n")[..], &little("line two\r\n")].concat();
            assert_eq!(damage(&bytes), mixed(5, false));
            for (mark, encode) in [("\u{FEFF}", little as fn(&str) -> Vec<u8>), ("\u{FEFF}", big), ("", little)] {
                let start = encode(&format!("{mark}{appended}"));
                let bytes = [&start, first.as_bytes()].concat();
                assert_eq!(damage(&bytes), mixed(start.len(), true), "{appended:?} {first:?} {bytes:02X?}");
            }
        }
    }
    let start = little("\u{FEFF}line one\n");
    assert_eq!(damage(&[&start, &b"line"[..]].concat()), mixed(start.len(), true));
    let many = [little(&format!("\u{FEFF}{}", "Zeile\r\n".repeat(500))), LINE.repeat(3).into()].concat();
    assert_eq!(damage(&many), mixed(2 + 14 * 500, true));
    let long = [LINE.repeat(5000).into_bytes(), little("line two\r\n")].concat();
    assert_eq!(damage(&long), mixed(LINE.len() * 5000, false));
    let lines = [little("\u{FEFF}火星は太陽系の惑星\n"), b"a line of text in ASCII\n".to_vec()].concat();
    assert_eq!(damage(&lines), mixed(22, true));
    // The first of several parts counts, also if a weaker one comes before another strong one.
    for between in
        [&b"a line of text without an end, of letters and spaces alone, which is long enough"[..], b"(text) 1\n"]
    {
        let start = [&b"\xFF\xFE"[..], &little("some text\n")].concat();
        let part = b"another line of text without an end, of letters and spaces, which is long enough";
        let text = [&start, &part[..], &little("\nmore\n"), between, &little("\nmore\n"), part, &little("\nmore\n")];
        assert_eq!(damage(&text.concat()), mixed(start.len(), true));
    }
}

#[test]
fn utf_16_and_binary_data_are_not_mixed() {
    let rule = "═".repeat(200);
    for text in [
        "line one\r\nline two\r\n",
        "あなたの名前は? abc\r\nかな\r\n",
        "水手4号飞掠火星\n楬敮 and more\n",
        "English text and 楬敮 in it\r\nof several lines\r\n",
        "English text that ends in 楬敮",
        &format!("title\r\n{rule}\r\ntext\r\n"),
        "……………………………………………………………………………………………………………………………………………………\ntext\n",
        "ഊണ് കഴിഞ്ഞു\r\n",
    ] {
        for mark in ["", "\u{FEFF}"] {
            let text = format!("{mark}{text}");
            for bytes in [little(&text), big(&text)] {
                let findings = examine(&bytes);
                assert_eq!((findings.damage, findings.is_binary), (None, false), "{text}");
            }
        }
    }
    let archive = b"PK\x03\x04\x14\0\0\0\x08\0a line of text\r\nl\0i\0n\0e\0\r\0\n\0\xC3\xA9 \xC3\xA9 \xFF";
    assert_eq!((damage(archive), examine(archive).is_binary), (None, true));
    let wide: Vec<u8> = LINE.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect();
    assert_eq!(damage(&wide), None, "UTF-32");
    assert_eq!(damage(b"one entry\0another entry\0"), None);
    let signs = [little("\u{FEFF}line one\n"), b"a=(;)[;]\n".to_vec()].concat();
    assert_eq!(damage(&signs), None, "signs are no line of text");
    assert_eq!(damage(b"a text\r\nwith a stray \0 in it\r\n"), None);
    let padded = [LINE.as_bytes(), &[0; 100]].concat();
    assert_eq!((damage(&padded), examine(&padded).is_binary), (None, true));
}

#[test]
fn a_text_that_goes_on_may_end_in_the_middle_of_a_character() {
    let mut examination = Examination::new();
    examination.feed("é à ".as_bytes());
    examination.feed(b"\xE2\x82");
    assert_eq!(examination.findings(false).malformed, 0);
    let findings = examination.findings(true);
    assert_eq!((findings.malformed, findings.first_malformed, findings.damage), (1, Some(6), Some(Damage::Utf8)));
    examination.feed(b"\xAC");
    let findings = examination.findings(true);
    assert_eq!((findings.sequences, findings.malformed), (3, 0));
}

#[test]
fn findings_do_not_depend_on_the_pieces() {
    fn holds(choices: Vec<u8>) {
        const PARTS: [&[u8]; 16] = [
            b"a",
            b" ",
            b"\n",
            b"\r\n",
            b"\0",
            b"\xC3\xA9",
            b"\xE2\x82",
            b"\xAC",
            b"\xFF",
            b"\xFF\xFE",
            b"l\0",
            b"\r\0\n\0",
            b"line of text",
            b"\xF0\x9D\x84\x9E",
            b"\0l",
            b"\xD0",
        ];
        let bytes: Vec<u8> = choices.iter().flat_map(|choice| PARTS[usize::from(*choice % 16)].to_vec()).collect();
        examine(&bytes);
    }
    QuickCheck::new().tests(3000).quickcheck(holds as fn(Vec<u8>));
}

#[test]
fn three_ascii_characters_in_a_row_or_the_end_of_a_line_are_a_part_in_utf_16() {
    let after_a_line = |rest: &[u8]| damage(&[b"line one\r\n", rest].concat());
    let mixed = Some(Damage::Mixed { offset: 10, is_utf_16_first: false });
    for (rest, expected) in [
        (&b"a\0b\0"[..], None),
        (b"a\0b\0c\0", mixed),
        (b"a\0b\0xc\0d\0", None),
        (b"a\0b\0xc\0d\0e\0", mixed),
        (b"\0a\0b", None),
        (b"\0a\0b\0c", mixed),
        (b"\r\0\n\0", mixed),
        (b"\n\0\r\0", None),
    ] {
        assert_eq!(after_a_line(rest), expected, "{}", rest.escape_ascii());
    }
    for byte in 1..=0xFF {
        let is_character = matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        let expected = mixed.filter(|_| is_character);
        assert_eq!(after_a_line(&[b'a', 0, b'b', 0, byte, 0]), expected, "{byte:02X} as the third one");
        // Before a zero, a line feed is the end of the line before it.
        let offset = if byte == b'\n' { 11 } else { 10 };
        let expected = expected.map(|_| Damage::Mixed { offset, is_utf_16_first: false });
        assert_eq!(after_a_line(&[byte, 0, b'a', 0, b'b', 0]), expected, "{byte:02X} as the first one");
    }
    // The same at the start of a text.
    let before_a_line = |start: &[u8]| damage(&[start, b"line two\r\n"].concat());
    assert_eq!(before_a_line(b"a\0b\0"), None);
    assert_eq!(before_a_line(b"a\0b\0c\0"), Some(Damage::Mixed { offset: 6, is_utf_16_first: true }));
    assert_eq!(before_a_line(b"\xFF\xFE"), Some(Damage::Mixed { offset: 2, is_utf_16_first: true }));
}

#[test]
fn the_last_line_before_a_zero_is_no_utf_16_if_it_is_ascii_or_the_only_one() {
    let mixed = |offset: usize| Some(Damage::Mixed { offset: offset as u64, is_utf_16_first: false });
    let utf_16 = little("line two\r\n");
    let damage = |start: &str| damage(&[start.as_bytes(), &utf_16].concat());
    assert_eq!(damage("\ncaf\u{E9} au lait "), None, "a line that is not ASCII is UTF-16, as all after it");
    assert_eq!(damage("one\ncaf\u{E9} au lait "), mixed(4));
    let only_line = LINE.trim_end().repeat(4);
    assert_eq!(damage(&only_line), mixed(only_line.len()));
}

#[test]
fn three_zeros_in_a_row_are_binary_wherever_they_are() {
    let is_binary = |bytes: &[u8]| examine(bytes).is_binary;
    for text in [&b""[..], b"a", b"\xFF\xFEa", b"ab\0c"] {
        for (zeros, expected) in [(1, false), (2, false), (3, true), (4, true)] {
            let bytes = [text, &vec![0; zeros], b"d"].concat();
            assert_eq!(is_binary(&bytes), expected, "{}", bytes.escape_ascii());
        }
    }
    assert!(!is_binary(b"\0\0a\0\0b\0\0"));
}

#[test]
fn a_short_line_beside_utf_16_counts_if_one_byte_in_eight_is_zero() {
    let with = |ideographs: usize| damage(&[b"=a 5\n", &little("abc")[..], &little(&"龍".repeat(ideographs))].concat());
    // 24 or 26 bytes of UTF-16 with three zeros, and 32 or 34 with four.
    assert_eq!(with(9), Some(Damage::Mixed { offset: 5, is_utf_16_first: false }));
    assert_eq!(with(10), None);
    let line_after = |ideographs: usize| {
        damage(&[&little("abc")[..], &little(&"龍".repeat(ideographs)), &big("\n"), b"=a 5\n"].concat())
    };
    assert_eq!(line_after(12), Some(Damage::Mixed { offset: 32, is_utf_16_first: true }));
    assert_eq!(line_after(13), None);
}

#[test]
fn the_first_256_bytes_of_a_text_without_lines_show_whether_it_is_utf_16() {
    for (letters, signs, more_letters, expected) in
        [(86, 170, 0, true), (85, 171, 0, false), (85, 170, 1, true), (85, 171, 500, false), (200, 1000, 0, true)]
    {
        let start = ["a".repeat(letters), "=".repeat(signs), "b".repeat(more_letters), "=".repeat(9)].concat();
        let found = damage(&[start.as_bytes(), &little("line\r\n")].concat());
        let mixed = Damage::Mixed { offset: start.len() as u64, is_utf_16_first: false };
        assert_eq!(found, Some(mixed).filter(|_| expected), "{letters} {signs} {more_letters}");
    }
}
