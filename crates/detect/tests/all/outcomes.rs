//! Every field of the answers for inputs of all kinds, with each option, pinned in `tests/outcomes.tsv`, so that a
//! change of any rule shows, also one that other tests do not look at. A row has an input, the options with the same
//! answer, and the answer; the answer of "new" is that of all options that no other row names.
//!
//! `TEXTCODEC_PINNED=write cargo test -p textcodec-detect outcomes` writes the file after an intended change.

use std::{fmt::Write as _, fs};

use textcodec_charsets::{dos, ebcdic, mac, regional};
use textcodec_detect::{Detection, Detector, Name, Options, Platform, Tier, detect_with};

use crate::{encode, sentences::SENTENCES};

const PINNED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/outcomes.tsv");

/// The number of candidates and of pieces of evidence that a row shows.
const SHOWN: usize = 3;

/// The options by name. A name starts with the method that it calls.
fn options() -> Vec<(&'static str, Options)> {
    let new = Options::new;
    let tiers = [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese];
    let johab = textcodec_charsets::east_asian::JOHAB;
    vec![
        ("new", new()),
        ("among three", new().among([Name::Windows1252, Name::Koi8R, Name::ShiftJis])),
        ("among Unicode", new().among([Name::Utf8, Name::Utf16Le, Name::Utf16Be])),
        ("among without a model", new().among([Name::XUserDefined, Name::Iso8859_10, Name::Replacement])),
        (
            "among_charsets",
            new()
                .among_charsets([dos::IBM852, mac::MACGREEK, regional::VISCII])
                .among_charsets([johab, ebcdic::IBM037]),
        ),
        ("among_charsets and among", new().among([Name::Windows1250]).among_charsets([dos::IBM850])),
        ("exclude UTF-8", new().exclude([Name::Utf8])),
        ("exclude four", new().exclude([Name::Windows1252, Name::Windows1251]).exclude([Name::Gbk, Name::Utf16Le])),
        ("language cs", new().language("cs")),
        ("language it and zh-Hant", new().language("it").language("zh-Hant")),
        ("top_level_domain ua", new().top_level_domain("ua")),
        ("top_level_domain kr and ru", new().top_level_domain("kr").top_level_domain("ru")),
        ("platform Windows", new().platform(Platform::Windows)),
        ("platform Mac", new().platform(Platform::Mac)),
        ("platform Unix", new().platform(Platform::Unix)),
        ("platform Dos", new().platform(Platform::Dos)),
        ("declared koi8-u", new().declared("koi8-u")),
        ("declared latin2 and sjis", new().declared("latin2").declared("sjis")),
        ("starts_mid_stream", new().starts_mid_stream(true)),
        ("ends_mid_stream", new().ends_mid_stream(true)),
        ("tier Dos", new().tier(Tier::Dos)),
        ("tier Mac", new().tier(Tier::Mac)),
        ("tier Ebcdic", new().tier(Tier::Ebcdic)),
        ("tier Johab", new().tier(Tier::Johab)),
        ("tier Vietnamese", new().tier(Tier::Vietnamese)),
        ("tier all", tiers.into_iter().fold(new(), Options::tier)),
    ]
}

/// Inputs that are not the sentences.
fn inputs() -> Vec<(String, Vec<u8>)> {
    let wide = |text: &str, is_big_endian: bool| -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    let wider = |text: &str, is_big_endian: bool| -> Vec<u8> {
        let bytes = |character| {
            if is_big_endian { u32::from(character).to_be_bytes() } else { u32::from(character).to_le_bytes() }
        };
        text.chars().flat_map(bytes).collect()
    };
    let german = "Größe und Maße, über Öl für Füße.\n";
    let mut inputs: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, bytes: &[u8]| inputs.push((name.to_owned(), bytes.to_vec()));
    add("nothing", b"");
    add("ASCII", b"plain text, and more of it\r\n");
    add("UTF-8", german.as_bytes());
    add("UTF-8 with a mark", &[b"\xEF\xBB\xBF", german.as_bytes()].concat());
    add("UTF-8 cut at both ends", &german.as_bytes()[3..german.len() - 9]);
    add("UTF-8 with a mark and damage", &[b"\xEF\xBB\xBF", german.as_bytes(), b"\xFF"].concat());
    add("damaged UTF-8", &[german.as_bytes(), b"caf\xE9 ", german.as_bytes(), b"\xFF\n"].concat());
    add("damaged UTF-8 after a cut", &[&german.as_bytes()[3..], b"caf\xE9 ", german.as_bytes()].concat());
    add("one bad byte beside one sequence", b"na\xC3\xAFve caf\xFF");
    for is_big_endian in [false, true] {
        let order = if is_big_endian { "BE" } else { "LE" };
        add(&format!("UTF-16{order}"), &wide("Größe und noch mehr Text\r\nzwei\n", is_big_endian));
        add(&format!("UTF-16{order} with a mark"), &wide("\u{FEFF}Größe\r\nzwei", is_big_endian));
        add(&format!("UTF-16{order}, Cyrillic"), &wide("Привет, как дела? Хорошо.", is_big_endian));
        add(&format!("UTF-16{order}, Japanese"), &wide("日本語の文章をここに書く。", is_big_endian));
        add(&format!("UTF-16{order}, cut"), &wide("Größe und noch mehr", is_big_endian)[..33]);
        add(&format!("UTF-32{order}"), &wider("Größe 日本", is_big_endian));
        add(&format!("UTF-32{order} of two characters"), &wider("ab", is_big_endian));
        add(&format!("UTF-32{order} with a mark"), &wider("\u{FEFF}Größe", is_big_endian));
    }
    add(
        "a mixture",
        &[&b"one line\nand another\n".repeat(20)[..], &wide("und noch eine Zeile\n", false).repeat(20)].concat(),
    );
    add(
        "a mixture after a cut",
        &[&b"\xA4 one line\nand another\n".repeat(20)[..], &wide("noch eine Zeile\n", false).repeat(20)].concat(),
    );
    for is_big_endian in [false, true] {
        let order = if is_big_endian { "BE" } else { "LE" };
        let zeile = wide("\u{FEFF}Zeile\n", is_big_endian);
        let lines = b"and ASCII text\r\n".repeat(30);
        add(&format!("a mark of UTF-16{order} and a mixture"), &[&zeile.repeat(9)[..], &lines, &zeile].concat());
    }
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"] {
        add(&format!("the mark {mark:02X?} alone"), mark);
    }
    add("UTF-8 with a zero", &[german.as_bytes(), b"\0\n"].concat());
    add("damaged UTF-8 with a zero", &[german.as_bytes(), b"caf\xE9 \0 ", german.as_bytes()].concat());
    add("much ASCII with zeros", &b"text\0and text\n".repeat(100));
    for (language, label) in [("ja", "euc-jp"), ("zh-Hant", "big5"), ("zh-Hans", "gbk")] {
        let text = SENTENCES.iter().find(|(code, ..)| *code == language).unwrap().2;
        add(&format!("{label} after much UTF-8"), &[german.repeat(20).as_bytes(), &encode(text, label)[1..]].concat());
    }
    let designators: [&[u8]; 12] =
        [b"(B", b"(J", b"(I", b"$@", b"$B", b"$(D", b"$)C", b"$)A", b"$)G", b"$)E", b"$*H", b".A"];
    for designator in designators {
        let name = format!("ESC {}", String::from_utf8_lossy(designator));
        add(&name, &[b"a\x1B", designator, b"0!0!\x1B(Bz"].concat());
        add(&format!("{name} SO"), &[b"a\x1B", designator, b"\n\x0E0!0!\x0Fz"].concat());
    }
    add("HZ", b"This is ~{<:Ky2;J)~}.");
    add("HZ with mistakes", b"a ~{ b c d e ~} ~ ~~");
    add("UTF-7", b"Gr+APYA3w-e, caf+AOk-, and +- alone");
    add("no UTF-7", b"a+b = c; d+e-f");
    let magics: [&[u8]; 38] = [
        b"\xFF\xD8\xFF",
        b"\x89PNG\r\n\x1A\n",
        b"GIF87a",
        b"GIF89a",
        b"RIFF0000WEBPVP8",
        b"II*\0",
        b"MM\0*",
        b"\0\0\x01\0",
        b"%PDF-",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\x1F\x8B\x08",
        b"BZh",
        b"\xFD7zXZ\0",
        b"\x28\xB5\x2F\xFD",
        b"7z\xBC\xAF\x27\x1C",
        b"Rar!\x1A\x07",
        b"\x7FELF",
        b"\xCF\xFA\xED\xFE",
        b"\xFE\xED\xFA\xCF",
        b"\xCA\xFE\xBA\xBE",
        b"\0asm",
        b"SQLite format 3\0",
        b"wOFF",
        b"wOF2",
        b"\0\x01\0\0\0",
        b"OTTO\0",
        b"ID3\x02",
        b"ID3\x03",
        b"ID3\x04",
        b"\0\0\0\x18ftyp",
        b"OggS\0",
        b"fLaC\0",
        b"RIFF0000WAVEfmt ",
        b"RIFF0000AVI LIST",
        b"\x1A\x45\xDF\xA3",
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xFF\xFF\0\0",
    ];
    for magic in magics {
        // Nothing but the magic tells that this is no text.
        add(&format!("magic {}", magic.escape_ascii()), &[magic, b" and text in ASCII"].concat());
    }
    add("control characters", b"a\x01b\x02c\x03d\x04e\x05f\x06g");
    add("zeros", b"text\0and\0zeros");
    add("no text", b"\xE9\x01\x80\x02\xFF\x03\xFE\x04");
    for (name, bytes) in [
        ("one letter", &b"\xC8. "[..]),
        ("an apostrophe", b"don\xD5t"),
        ("a short word", b"pro\xE8\n"),
        ("two letters", b"\xE8\xE9"),
        ("Cyrillic letters", b"\xF2\xE5\xF1\xF2"),
        ("KOI8", b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1"),
        ("DOS", b"\xA7lu\x9Cou\x9Fk\xEC k\x85\xE5 \xA3p\xD8l \xD4\xA0belsk\x82 \xA2dy\n"),
        ("Mac", b"\xEClu\xE9ou\x8Bk\xF9 k\xF3\xCB \x9Cp\x9El \x93\x8Ebelsk\x8E \x97dy\n"),
        (
            "Johab",
            b"\xC7\xA1\xAFa\xB7\x81 \x89\xA1\xB7A\xB9\xA1\x88\xE5\xB7e \xB7\xB3\xAE\x89\x8F\xA1\x9F\xA1 \xA0e\x90a\n",
        ),
        ("VISCII", b"Ti\xAAng Vi\xAEt c\xFCa ch\xFAng t\xF4i r\xA4t \xF0\xA9p v\xE0 gi\xE0u\n"),
        (
            "EBCDIC",
            b"\xE3\x88\x85\x40\x98\xA4\x89\x83\x92\x40\x82\x99\x96\xA6\x95\x40\x86\x96\xA7\x40\x91\xA4\x94\x97\xA2\x25",
        ),
        ("boxes", b"\xC9\xCD\xCD\xCD\xBB\r\n\xBA abc\xBA\r\n\xC8\xCD\xCD\xCD\xBC\r\n"),
        ("katakana of one byte", b"\xB1\xB2\xB3\xB4\xB5 \xC0\xC1\xC2\xC3"),
    ] {
        add(name, bytes);
    }
    for (language, label) in
        [("ja", "shift_jis"), ("ja", "euc-jp"), ("zh-Hans", "gbk"), ("zh-Hant", "big5"), ("ko", "euc-kr")]
    {
        let text = SENTENCES.iter().find(|(code, ..)| *code == language).unwrap().2;
        add(&format!("{label} after a cut"), &encode(text, label)[1..]);
    }
    for (language, labels, text) in SENTENCES {
        add(&format!("{language} in {}", labels[0]), &encode(text, labels[0]));
    }
    inputs
}

/// All fields of an answer, of which long lists are cut.
fn describe(detection: &Detection) -> String {
    let mut text = format!("{:?}", detection.verdict());
    let best = detection.best().map(|best| (best.name(), best.encoding()));
    assert_eq!(detection.encoding(), best.and_then(|(_, encoding)| encoding));
    for candidate in detection.candidates().iter().take(SHOWN) {
        let (name, language, group) = (candidate.name(), candidate.language().unwrap_or("-"), candidate.group());
        let standard = if candidate.encoding().is_some() { "" } else { "*" };
        write!(text, "; {name}{standard} {language} {:.3} {group}", candidate.probability()).unwrap();
        let evidence = candidate.evidence();
        if !evidence.is_empty() {
            write!(text, " {:?} of {}", &evidence[..evidence.len().min(SHOWN)], evidence.len()).unwrap();
        }
    }
    write!(text, "; {} in all", detection.candidates().len()).unwrap();
    if let Some(margin) = detection.margin() {
        write!(text, ", margin {margin:.1}").unwrap();
    }
    text + if detection.knows_language() { "" } else { ", unknown language" }
}

#[test]
fn the_answers_for_inputs_of_all_kinds_with_each_option_are_the_pinned_ones() {
    let mut table = "input\toptions\tanswer\n".to_owned();
    for (name, bytes) in inputs() {
        let mut answers: Vec<(Vec<&str>, String)> = Vec::new();
        let mut add =
            |option: &'static str, answer: String| match answers.iter_mut().find(|(_, other)| *other == answer) {
                Some((options, _)) => options.push(option),
                None => answers.push((vec![option], answer)),
            };
        for (option, options) in options() {
            add(option, describe(&detect_with(&bytes, &options)));
        }
        let mut detector = Detector::new();
        bytes.chunks(7).for_each(|piece| detector.feed(piece));
        add("best_so_far", describe(&detector.best_so_far()));
        for (mut options, answer) in answers {
            // The answer without options is that of all options which no other row names.
            options.truncate(if options[0] == "new" { 1 } else { options.len() });
            writeln!(table, "{name}\t{}\t{answer}", options.join(", ")).unwrap();
        }
    }
    crate::compare_pinned(PINNED, &table);
}

#[test]
fn every_method_of_options_changes_an_answer() {
    let source = include_str!("../../src/options.rs");
    let methods = source.split("pub fn ").skip(1).filter(|method| method.contains("(mut self"));
    let methods: Vec<_> = methods.filter_map(|method| method.split_once("(mut self").map(|(name, _)| name)).collect();
    assert!(methods.len() >= 10, "{methods:?}");
    let pinned = fs::read_to_string(PINNED).unwrap();
    for method in methods {
        let is_other = |row: &str| {
            let options = row.split('\t').nth(1).unwrap_or_default();
            options.split(", ").all(|option| option != "new")
                && options.split(", ").any(|option| option.starts_with(method))
        };
        assert!(pinned.lines().any(is_other), "{method}");
    }
}
