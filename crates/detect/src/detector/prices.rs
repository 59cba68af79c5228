//! The exact prices of texts, pinned in `tests/prices.tsv`, so that a change of any price, table, rule or bound of the
//! detector shows, also one that changes no answer. After an intended change,
//! `TEXTCODEC_PINNED=write cargo test -p textcodec-detect pinned` writes the file.
//!
//! A row has the first three texts with their prices in 32nds of a nat, and a checksum of all texts and of the answer.

use std::{env, fmt::Write as _, fs, string::String};

use textcodec::Encoding;
use textcodec_charsets::{Charset, dos, east_asian::JOHAB, ebcdic, mac, regional};

use super::*;
use crate::{Platform, Tier, candidates, languages::TABLES, model};

#[path = "../../tests/all/sentences.rs"]
mod sentences;

const PINNED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/prices.tsv");

const EAST_ASIAN: [Name; 5] = [Name::ShiftJis, Name::EucJp, Name::Gbk, Name::Big5, Name::EucKr];

/// FNV-1a with 64 bits.
fn checksum(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// Adds the row of a text.
fn add(table: &mut String, name: &str, bytes: &[u8], kind: &str, options: &Options) {
    let mut detector = Detector::with_options(options.clone());
    detector.feed(bytes);
    let findings = detector.examination.findings(false);
    let answer = detector.clone().finish();
    let mut all = std::format!("{:?} {:?}\n", answer.verdict(), answer.margin());
    for candidate in answer.candidates() {
        let Candidate { name, language, probability, group, evidence, .. } = candidate;
        writeln!(all, "{name} {language:?} {probability} {group} {evidence:?}").unwrap();
    }
    let scores = detector.scores(true, &findings);
    writeln!(all, "{} {}", scores.high, scores.plain).unwrap();
    for (number, text) in scores.texts.iter().enumerate() {
        for Scored { name, language, price, .. } in &text.members {
            writeln!(all, "{number} {name} {language:?} {price}").unwrap();
        }
    }
    let first = scores.texts.iter().take(3).filter_map(|text| text.members.first());
    let first: Vec<_> = first
        .map(|Scored { name, language, price, .. }| std::format!("{name} {} {price}", language.unwrap_or("-")))
        .collect();
    let sum = checksum(all.bytes());
    writeln!(table, "{name}\t{kind}\t{}\t{}\t{sum:016X}", bytes.len(), first.join(", ")).unwrap();
}

/// `text` in the encoding with this label, without the characters that the encoding does not have.
fn encode(text: &str, label: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label).unwrap();
    let bytes = |character: char| {
        encoding.encode_or_fail(character.encode_utf8(&mut [0; 4])).map(|bytes| bytes.into_owned()).unwrap_or_default()
    };
    text.chars().flat_map(bytes).collect()
}

fn sentence(language: &str) -> &'static str {
    sentences::SENTENCES.iter().find(|(code, _, _)| *code == language).unwrap().2
}

/// Texts that no person writes, which reach prices that sentences seldom have.
fn constructed() -> Vec<(&'static str, Vec<u8>)> {
    let high = || 0x80..=0xFF_u8;
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    vec![
        ("small letters around", high().flat_map(|byte| [b'e', byte, b'n']).collect()),
        ("capitals around", high().flat_map(|byte| [b'E', byte, b'N']).collect()),
        ("spaces around", high().flat_map(|byte| [b' ', byte]).collect()),
        ("digits and signs around", high().flat_map(|byte| [b'7', byte, b'.', byte, b'-']).collect()),
        ("control characters around", high().flat_map(|byte| [1, byte, 0x1F]).collect()),
        ("each byte three times", high().flat_map(|byte| [byte, byte, byte, b'\n']).collect()),
        ("each byte before the next", high().collect()),
        ("noise", (0..600).map(|_| next()).collect()),
        ("noise beyond ASCII", (0..1500).map(|_| next() | 0x80).collect()),
        ("noise after a zero", std::iter::once(0).chain((0..300).map(|_| next())).collect()),
    ]
}

/// Texts of several kinds.
fn written() -> Vec<(&'static str, Vec<u8>)> {
    let russian = encode(sentence("ru"), "windows-1251");
    let mut spread = b"<p class=\"a\">&eacute;t&#233; x < y</p>".to_vec();
    for gap in [1, 63, 64, 65, 127, 128, 129, 600] {
        spread.push(0xE9);
        spread.extend(b"tre <b>ou</b> ne pas ".iter().cycle().take(gap));
    }
    let references = (7..13).map(|length| std::format!("&{} \u{E9} ", "eacuteabcdefg".split_at(length).0));
    let references: String = references.collect();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    vec![
        ("gaps and markup", spread),
        ("long references", encode(&references, "windows-1252")),
        ("twice 40 KB", b"na\xEFve caf\xE9 ".repeat(8000)),
        ("UTF-16", wide(sentence("ru"))),
        ("UTF-16 of 8 KB", wide(&sentence("ja").repeat(60))),
        ("UTF-8 cut at its end", "naiv\u{E9}".as_bytes()[..5].to_vec()),
        ("UTF-8 cut at its start", "\u{2026}und dann".as_bytes()[1..].to_vec()),
        (
            "UTF-8 with much damage",
            ["gr\u{FC}n ".as_bytes(), b"gr\xFCn bl\xE4ulich \xF6de \xFCber \xE4hnlich"].concat(),
        ),
        ("Russian after UTF-8", ["x\u{E9} ".repeat(200).as_bytes(), &russian].concat()),
        ("boxes", b"\xC9\xCD\xCD\xCD\xBB\r\n\xBA \x82\xA0 \xBA\r\n\xC8\xCD\xCD\xCD\xBC\r\n\xB0\xB1\xB2\xDB".to_vec()),
        ("half-width katakana", encode("ｶﾀｶﾅ abc ﾊﾝｶｸ 漢字ｱ 1ｲ", "shift_jis")),
        ("rules", encode("────────────\n＝＝＝＝＝＝\n龠龠龠龠", "gbk")),
        ("extensions", encode("A㐀B丂丄 7𠀀 x€y ①②Ⅷ㈱", "gb18030")),
    ]
}

/// Texts whose first and last characters are cut.
fn cut() -> Vec<(&'static str, Vec<u8>)> {
    let without_ascii = |language: &str, label: &str| -> Vec<u8> {
        let text: String = sentence(language).chars().filter(|character| !character.is_ascii()).collect();
        encode(&text.repeat(3), label)
    };
    let mut texts = vec![
        ("an ASCII trailing byte of Shift_JIS", encode("ソ表示する", "shift_jis")),
        ("an ASCII trailing byte of Big5", encode("功能和許多的資料", "big5")),
        ("a letter that ends a character of Shift_JIS", encode("アメリカから来た", "shift_jis")),
        ("a letter that ends a character of Big5", encode("乙方的資料", "big5")),
        ("an at sign", [b"\x81@".as_slice(), &encode("漢字を書く", "shift_jis")].concat()),
        ("a question mark", [b"\x81?".as_slice(), &encode("漢字を書く", "shift_jis")].concat()),
        ("GBK without ASCII", without_ascii("zh-Hans", "gbk")),
        ("EUC-JP without ASCII", without_ascii("ja", "euc-jp")),
        ("EUC-KR", encode(sentence("ko"), "euc-kr")),
        ("Johab", JOHAB.encode_or_fail(sentence("ko")).unwrap()),
    ];
    for (_, text) in &mut texts {
        text.remove(0);
        text.pop();
    }
    texts
}

/// Sentences in charsets beyond the Standard.
fn in_charsets() -> Vec<(String, Vec<u8>)> {
    let charsets = [
        ("en", ebcdic::IBM037),
        ("de", ebcdic::IBM273),
        ("de", ebcdic::IBM500),
        ("pl", ebcdic::IBM870),
        ("ru", ebcdic::IBM1025),
        ("tr", dos::IBM857),
        ("cs", mac::MAC_CENTRALEUROPE),
        ("vi", regional::VISCII),
        ("vi", regional::TCVN5712_1),
        ("ko", JOHAB),
    ];
    let encode = |(language, charset): (&str, Charset)| {
        let bytes = |character: char| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).unwrap_or_default();
        let bytes = sentence(language).chars().flat_map(bytes).collect();
        (std::format!("{language} in {}", charset.name()), bytes)
    };
    charsets.into_iter().map(encode).collect()
}

#[test]
fn the_prices_of_texts_are_the_pinned_ones() {
    let mut table = "text\toptions\tbytes\tfirst three texts\tchecksum\n".to_owned();
    let standard = Options::new();
    let tiers = [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese];
    let tiers = tiers.into_iter().fold(Options::new(), Options::tier);
    let every = Options::new().among(Name::ALL).among_charsets(Charset::all());
    let cut_off = Options::new().starts_mid_stream(true).ends_mid_stream(true);
    let hints = Options::new().top_level_domain("ch").language("ja").platform(Platform::Unix).declared("koi8-r");
    for (language, labels, text) in sentences::SENTENCES {
        for label in *labels {
            let name = std::format!("{language} in {label}");
            add(&mut table, &name, &encode(text, label), "none", &standard);
        }
        let short: Vec<u8> = encode(text, labels[0]).into_iter().take(40).collect();
        add(&mut table, language, &short, "tiers", &tiers);
        add(&mut table, language, &short, "hints", &hints);
        add(&mut table, language, &short, "every", &every);
    }
    for (name, bytes) in constructed().into_iter().chain(written()) {
        add(&mut table, name, &bytes, "none", &standard);
        add(&mut table, name, &bytes, "tiers", &tiers);
        add(&mut table, name, &bytes, "every", &every);
    }
    for (name, bytes) in cut() {
        add(&mut table, name, &bytes, "none", &standard);
        add(&mut table, name, &bytes, "cut", &cut_off);
        add(&mut table, name, &bytes, "tiers and cut", &tiers.clone().starts_mid_stream(true));
    }
    for (name, bytes) in in_charsets() {
        add(&mut table, &name, &bytes, "tiers", &tiers);
        add(&mut table, &name, &bytes, "every", &every);
    }
    // All pairs of bytes, which are all cells of the East Asian tables.
    let east_asian = Options::new().among(EAST_ASIAN).among_charsets([JOHAB]);
    let leads: Vec<u8> = (0x80..=0xFF).collect();
    for leads in leads.chunks(8) {
        let pairs = leads.iter().flat_map(|&lead| (0x30..=0xFF).flat_map(move |trail| [lead, trail]));
        let name = std::format!("pairs from {:X}", leads[0]);
        add(&mut table, &name, &pairs.collect::<Vec<u8>>(), "East Asian", &east_asian);
    }
    // The tables of the languages, and the evidence of ASCII.
    for (of, language) in TABLES.iter().zip(&model::LANGUAGES) {
        let classes = of.classes();
        let known = |start: usize| classes[start..].iter().copied().filter(|class| *class < 0xF0);
        let prices = known(0).flat_map(|first| known(0x80).map(move |second| (first, second)));
        let prices = prices.flat_map(|(first, second)| of.price(first, second).to_le_bytes());
        let sum = checksum(classes.into_iter().chain(prices));
        writeln!(table, "table of {}\t-\t-\t-\t{sum:016X}", language.code).unwrap();
    }
    let letters = || b'a'..=b'z';
    let codes = letters().flat_map(|first| letters().map(move |second| [first, second]));
    let codes: Vec<String> = codes.map(|code| String::from_utf8(code.to_vec()).unwrap()).collect();
    let of_codes = codes.iter().map(|code| [candidates::language(code), candidates::languages_of_domain(code)]);
    let of_codes = checksum(of_codes.flatten().flat_map(|set| std::format!("{set:X} ").into_bytes()));
    writeln!(table, "languages and domains\t-\t-\t-\t{of_codes:016X}").unwrap();
    writeln!(table, "ASCII\t-\t-\t-\t{:016X}", checksum(model::ASCII)).unwrap();
    if env::var("TEXTCODEC_PINNED").is_ok_and(|value| value == "write") {
        fs::write(PINNED, &table).unwrap();
    }
    let pinned = fs::read_to_string(PINNED).unwrap();
    for (line, pinned) in table.lines().zip(pinned.lines()) {
        assert_eq!(line, pinned, "TEXTCODEC_PINNED=write writes the file, after an intended change");
    }
    assert_eq!(table.lines().count(), pinned.lines().count());
}
