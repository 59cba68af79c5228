//! Every field of the outcomes for some texts, pinned in `tests/outcomes.tsv`, so that a change of any rule or number
//! of this crate shows, also one that other tests do not look at. After an intended change,
//! `TEXTCODEC_PINNED=write cargo test -p textcodec-convert outcomes` writes the file.
//!
//! A row has the start of an outcome in its debug format, and a checksum of the whole.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt::Debug;
use std::{env, fs};

use crate::{
    binary,
    charset::Charset,
    check::check,
    converter::convert,
    damage::Damaged,
    declarations::contradictions,
    detection::{self, SourceEncoding, detect},
    kind::Kind,
    mixed::{self, decode_cesu_8, decode_mixed},
    oddness::{Class, oddness},
    options::{BomAction, Errors, Options},
    repair::Repair,
    stored,
    text::{Newlines, Normalization, transliterate_character, twin},
    visible,
};

const PINNED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/outcomes.tsv");

const KINDS: [Option<Kind>; 6] =
    [None, Some(Kind::Html), Some(Kind::Xml), Some(Kind::Css), Some(Kind::Properties), Some(Kind::Text)];

/// The number of characters of an outcome that a row shows.
const SHOWN: usize = 50;

/// The rows, each with its whole outcome.
struct Table(Vec<(String, String)>);

impl Table {
    fn add(&mut self, of: &str, name: &str, outcome: impl Debug) {
        let outcome = format!("{outcome:?}");
        // FNV-1a with 64 bits.
        let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        let sum = outcome.bytes().fold(0xCBF2_9CE4_8422_2325, step);
        let start: String = outcome.chars().take(SHOWN).collect();
        self.0.push((format!("{of}\t{name}\t{sum:016X}\t{}", visible::escape_controls(&start)), outcome));
    }
}

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

/// Texts of all kinds, with and without declarations and damage.
pub(crate) fn texts() -> Vec<(&'static str, Vec<u8>)> {
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let late = [&b"<!doctype html><title>x</title>"[..], &b" ".repeat(2000), b"<meta charset=koi8-r>\xF0"].concat();
    let mixture = [&b"one line\nand another\n".repeat(20)[..], &utf_16("und noch eine Zeile\n").repeat(20)].concat();
    let texts: [(&str, &[u8]); 42] = [
        ("nothing", b""),
        ("ASCII", b"one\r\ntwo\nthree\r"),
        ("a shift of ISO-2022-JP", b"a\x1B$B$\"\x1B(B"),
        ("UTF-8", "Größe\n– naïve –\n".as_bytes()),
        ("UTF-8 with a mark", b"\xEF\xBB\xBFGr\xC3\xB6\xC3\x9Fe"),
        ("UTF-8 with damage", b"Gr\xC3\xB6\xC3\x9Fe und M\xFCll und \xC3\xA4hnliches, \xE2\x82 \xE2\x82\xAC"),
        ("windows-1252", b"Gr\xF6\xDFe \x93naive\x94 \x80"),
        ("a mark of UTF-16", &utf_16("\u{FEFF}Größe\r\nzwei")),
        ("UTF-16", &utf_16("Größe und noch mehr Text\r\nzwei")),
        ("UTF-16 that is cut", &utf_16("\u{FEFF}Größe")[..9]),
        ("a mixture", &mixture),
        ("a mark and a mixture", &[&utf_16("\u{FEFF}Zeile\n").repeat(9)[..], &b"and ASCII text\n".repeat(30)].concat()),
        ("a page", b"<!doctype html><meta charset=koi8-r><p>\xF0\xD2"),
        ("a page with http-equiv", b"<html><meta http-equiv=content-type content='text/html; charset=big5'>\xA4\xA4"),
        ("a page that declares UTF-16", b"<html><meta charset=utf-16le><p>caf\xE9"),
        ("a page with an unknown label", b"<html><meta charset=\"x-nothing\"><p>caf\xE9"),
        ("a page beyond the Standard", b"<html><meta charset=cp437><p>caf\x82"),
        ("a page that declares late", &late),
        ("a script with a declaration", b"#!/bin/sh\n# -*- coding: latin-1 -*-\necho caf\xE9\n"),
        ("a script for vim", b"# vim: set fileencoding=cp850 :\ncaf\x82\n"),
        ("XML", b"<?xml version=\"1.0\" encoding=\"iso-8859-2\"?><a>\xB3</a>"),
        ("XML beyond the Standard", b"<?xml version='1.0' encoding='IBM037'?><a>\xE9</a>"),
        ("XML in EBCDIC", b"\x4C\x6F\xA7\x94\x93\x40\xA5\x85\x99\xA2\x89\x96\x95\x7E\x7F\xF1\x4B\xF0\x7F\x6F\x6E"),
        ("XML without a declaration", b"<?xml version=\"1.0\"?><a>\xC3\xA9\xB3</a>"),
        ("CSS", b"@charset \"shift_jis\";\na{content:\"\x83\x65\"}"),
        ("CSS with a wrong declaration", b"@charset 'shift_jis';\na{content:\"\xC3\xA9\"}"),
        ("properties", b"# comment\nkey = caf\xE9\nother=\\u00e9\n"),
        ("EBCDIC", b"\xC8\x85\x93\x93\x96\x40\xA6\x96\x99\x93\x84\x25"),
        ("zeros", b"text\0and\0zeros"),
        ("controls", b"a\x01b\x02c\x03d\x04e\x05f\x06g"),
        ("few controls", &[&b"\x01\x02\x03\x04"[..], &b"text and ".repeat(20)].concat()),
        (
            "invisible characters",
            "a\u{200B}b\u{202E}c\u{FEFF}d\u{AD}e\u{E000}f\u{FFFE}\u{85}\u{2028}x\u{A0}".as_bytes(),
        ),
        ("controls of Latin-1", "don\u{92}t \u{80} \u{9D}\u{85}".as_bytes()),
        ("mojibake", "GrÃ¶ÃŸe und cafÃ©\r\nâ€œzitiertâ€\u{9D} â€“ FranÃ§ois\n".as_bytes()),
        ("mojibake in one line", "Größe\nfine\nÐŸÑ€Ð¸Ð²ÐµÑ‚\n".as_bytes()),
        ("U+FFFD", "caf\u{FFFD} and \u{FFFD}\u{FFFD}\n".as_bytes()),
        ("not normalized", "Cafe\u{301} A\u{30A} ﬁ Å\n".as_bytes()),
        ("unmappable characters", "☃ 中 “x” ½ ﬁ ł 𝒜\n".as_bytes()),
        ("Shift_JIS", b"\x93\xFA\x96{\x8C\xEA\x82\xCC\x83e\x83L\x83X\x83g\n\x81"),
        ("CESU-8", b"a\xED\xA0\xBD\xED\xB8\x80b\xED\xA0\xBD\xC0\x80"),
        ("UTF-8 and windows-1252", b"caf\xC3\xA9 caf\xE9 \xE2\x80\x9Cx\xE2\x80\x9D \x93x\x94\n\xFCber"),
        ("UTF-8 and Shift_JIS", b"\xE6\x97\xA5\xE6\x9C\xAC \x93\xFA\x96{\n"),
    ];
    texts.into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect()
}

/// Lines that were decoded wrongly, or that look as if.
const LINES: [&str; 22] = [
    "Größe",
    "GrÃ¶ÃŸe",
    "GrÃƒÂ¶ÃƒÅ¸e",
    "\u{FEFF}GrÃ¶ÃŸe und Größe",
    "Ã©tÃ© and été",
    "SÃO PAULO, AÇÃO",
    "Ã ",
    "â€œx”",
    "donâ€™t don\u{92}t",
    "\u{80} \u{9D}",
    "æ—¥æœ¬èªž",
    "日本èªž",
    "ÐŸÑ€Ð¸Ð²ÐµÑ‚",
    "РџСЂРёРІРµС‚",
    "Ð¿Ñ\u{80}Ð¸",
    "Ă©tĂ© ĹĽĂłĹ‚w",
    "├⌐t├⌐",
    "鐢ㄦ埛鍚",
    "Ðñûâåò, ìèð",
    "ï»¿text",
    "naÃ¯ve cafÃ",
    "Ãndice Ã¡",
];

fn add_conversions(table: &mut Table) {
    let errors = [Errors::Fatal, Errors::Replacement, Errors::Html, Errors::Ignore, Errors::Escape];
    for (name, bytes) in texts() {
        for (number, errors) in errors.into_iter().enumerate() {
            let pairs = [("utf-8", "windows-1252"), ("windows-1252", "shift_jis"), ("shift_jis", "iso-2022-jp")];
            let outcomes = pairs.map(|(from, to)| {
                let mut options = Options::to(charset(to));
                (options.malformed, options.unmappable) = (errors, errors);
                options.bom = [BomAction::Keep, BomAction::Add, BomAction::Strip][number % 3];
                options.newlines = [Newlines::Keep, Newlines::Lf, Newlines::Crlf][number % 3];
                options.normalization = [Normalization::Nfc, Normalization::Keep][number % 2];
                options.transliterate = number == 1;
                options.twins = number == 2;
                options.replacement = (number == 1).then(|| "<?>".to_owned());
                convert(&bytes, charset(from), options)
            });
            table.add("convert", &format!("{name}, {errors:?}"), outcomes);
        }
    }
}

fn add_repairs(table: &mut Table) {
    let labels = ["windows-1252", "windows-1251", "windows-1250", "cp437", "gbk"];
    let several = Repair::new(labels.map(charset)).unwrap();
    let pair = Repair::of_pair(charset("windows-1251"), charset("windows-1252")).unwrap();
    for line in LINES {
        let name = visible::escape_controls(line);
        for (of, repair) in [("repair", &Repair::default()), ("repair of five", &several), ("repair of a pair", &pair)]
        {
            let (judged, parts) = (repair.judge(line), repair.has_parts(line));
            table.add(of, &name, (judged, parts, repair.repair_ambiguous(line), repair.explain(line)));
        }
    }
    let text = LINES.join("\r\n");
    for ambiguous in [false, true] {
        table.add("repair", "all lines", Repair::default().repair(&text, ambiguous));
    }
}

/// What is known about each character.
fn add_characters(table: &mut Table) {
    // Code points as numbers, and no letters of newer versions of Unicode: the result is that of every compiler.
    let plane_0 = || (0..0x860).chain(0x1D00..0xA000).chain(0xAC00..0x1_0000);
    let all = |is: fn(char) -> bool| -> Vec<u32> {
        plane_0().filter(|&code_point| char::from_u32(code_point).is_some_and(is)).collect()
    };
    let planes = plane_0().chain((0x2_0000..0x11_0000).step_by(0x800));
    table.add("class", "all", planes.filter_map(char::from_u32).map(Class::of).collect::<Vec<_>>());
    table.add("rare", "plane 0", all(mixed::is_rare));
    table.add("visible", "plane 0", all(visible::is_visible));
    let of = |character| {
        let ascii = charset("us-ascii");
        (
            transliterate_character(character, ascii).map(|text| text.bytes().collect::<Vec<u8>>()),
            twin(character, ascii),
        )
    };
    table.add("transliteration", "to U+2FFF", (0..0x3000).filter_map(char::from_u32).map(of).collect::<Vec<_>>());
    // Charsets with other characters than ASCII have other forms.
    for label in ["exact-us-ascii", "windows-1252", "cp437", "shift_jis", "euc-kr", "koi8-r"] {
        let to = charset(label);
        let found = (0xA0..0x3100).chain(0xFE00..0xFFF0).filter_map(char::from_u32).filter_map(|character| {
            let text = transliterate_character(character, to).filter(|text| text.chars().ne([character]));
            let twin = twin(character, to);
            (text.is_some() || twin.is_some()).then_some((u32::from(character), text, twin))
        });
        table.add("transliteration", &format!("to {label}"), found.collect::<Vec<_>>());
    }
    let invisible = (0x1_0000..0x11_0000).filter_map(char::from_u32).filter(|&it| !visible::is_visible(it));
    table.add("visible", "after plane 0", invisible.map(u32::from).collect::<Vec<_>>());
    let selectors = ('\0'..=char::MAX).filter(|&it| !visible::is_visible(it)).filter(|&it| {
        let text = String::from_iter(['☃', it]);
        visible::excerpt(&text) == text
    });
    table.add("visible", "selectors", selectors.map(u32::from).collect::<Vec<_>>());
    // One character of each class, and a small and a capital one where that matters.
    let samples: Vec<char> = "1aAäÄñſƦγΓжЖאبก中乪かｱㄅ한ᚠ—×§─\u{E000}ế".chars().collect();
    let pairs = samples.iter().flat_map(|&first| samples.iter().map(move |&second| String::from_iter([first, second])));
    table.add("oddness", "pairs", pairs.map(|pair| oddness(&pair)).collect::<Vec<_>>());
    let ideographs = (0x4E00..0x9FFF).step_by(37).filter_map(char::from_u32);
    table.add("oddness", "ideographs", ideographs.map(|it| oddness(&String::from(it))).collect::<Vec<_>>());
}

#[test]
fn the_outcomes_for_texts_are_the_pinned_ones() {
    let mut table = Table(Vec::from([("of\ttext\tchecksum\toutcome".to_owned(), String::new())]));
    for (name, bytes) in texts() {
        for kind in KINDS {
            let name = format!("{name} as {kind:?}");
            let found = detect(kind, &bytes);
            let doubts = [false, true].map(|has_choice| found.is_doubtful(has_choice));
            let kind_of = kind.unwrap_or_else(|| Kind::of_content(&bytes));
            let late = detection::late_declaration(kind_of, &bytes);
            let beyond = detection::beyond_the_standard(kind_of, &bytes);
            let found_contradictions = core::str::from_utf8(&bytes).map(|text| {
                let found = contradictions(kind_of, text, Charset::UTF_8);
                let edits: Vec<_> = found.iter().map(|one| one.edit(charset("windows-1252"), true)).collect();
                (found, edits)
            });
            table.add("detect", &name, (found.encoding, doubts, late, beyond, kind_of, found, found_contradictions));
            table.add("check", &name, check(&bytes, SourceEncoding::Auto, kind, None));
        }
        let problems = ["utf-8", "windows-1252", "ibm037"]
            .map(|from| check(&bytes, SourceEncoding::Label(charset(from)), None, Some(charset("iso-8859-15"))));
        table.add("check", &format!("{name} in three charsets"), problems);
        let text = String::from_utf8_lossy(&bytes);
        let is_binary = [true, false].map(|is_start| binary::binary_data(&text, is_start));
        table.add("binary", name, (is_binary, binary::looks_binary(&text), Damaged::of(&bytes), decode_cesu_8(&bytes)));
        for others in [["windows-1252", "koi8-r"], ["shift_jis", "windows-1251"]] {
            let charsets = [Charset::UTF_8, charset(others[0]), charset(others[1])];
            table.add("mixed", &format!("{name}, {others:?}"), decode_mixed(&bytes, &charsets));
        }
        let in_charset = charset("windows-1252");
        table.add("stored", name, (stored::store(&bytes, in_charset), stored::restore(&bytes, in_charset)));
    }
    add_conversions(&mut table);
    // More bytes would come back.
    table.add("stored", "no escape at the end", stored::store(b"\x1B$B$\"", charset("iso-2022-jp")));
    // Bytes that are UTF-8, too, and UTF-16 of other characters.
    for label in ["utf-16le", "utf-16be", "utf-8", "koi8-r", "utf-16"] {
        table.add("stored", &format!("UTF-8 as {label}"), stored::store("éé".as_bytes(), charset(label)));
    }
    let gains = Charset::all().map(|charset| (charset.name(), mixed::gains(charset))).collect::<Vec<_>>();
    table.add("gains", "all charsets", gains);
    add_repairs(&mut table);
    add_characters(&mut table);
    let rows: String = table.0.iter().map(|(row, _)| format!("{row}\n")).collect();
    if env::var("TEXTCODEC_PINNED").is_ok_and(|value| value == "write") {
        fs::write(PINNED, &rows).unwrap();
    }
    let pinned = fs::read_to_string(PINNED).unwrap();
    for ((row, outcome), pinned) in table.0.iter().zip(pinned.lines()) {
        assert_eq!(row, pinned, "TEXTCODEC_PINNED=write writes the file, after an intended change; now: {outcome}");
    }
    assert_eq!(rows.lines().count(), pinned.lines().count());
}
