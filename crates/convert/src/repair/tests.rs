//! Repairs: lines of one and several wrong decodings, and the pinned table.

use super::*;
use textcodec::{Encoding, GBK, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251};

fn judge(encoding: Encoding, line: &str) -> Verdict {
    Repair::new([encoding.into()]).unwrap().judge(line)
}

#[test]
fn lines_one_by_one_give_what_the_whole_text_gives() {
    let text = "fine\ncafÃ©\r\nSÓ…\n\ndon\u{92}t\nété Ã©tÃ©\ncafÃ\u{FFFD} Ã©\nÃ©tÃ©";
    for ambiguous in [false, true] {
        let repair = Repair::default();
        let whole = repair.repair(text, ambiguous);
        let mut counts = Counts::default();
        let mut repaired = String::new();
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            repaired += repair.repair_line(content, ambiguous, &mut counts).as_deref().unwrap_or(content);
            repaired += &line[content.len()..];
        }
        assert_eq!((&repaired, counts), (&whole.text, whole.counts), "{ambiguous}");
        let made = whole.changes.iter().filter(|change| change.is_made).count() as u64;
        assert_eq!((counts.lines, counts.repaired.number), (8, made));
        assert_eq!(counts.ambiguous.first.is_none(), ambiguous);
    }
}

#[test]
fn the_step_of_a_repair_names_the_charset_that_leads_to_its_text() {
    let charsets = ["windows-1252", "iso-8859-15", "windows-1250", "windows-1254", "macintosh", "cp850", "cp437"];
    let charsets = charsets.map(|label| Charset::for_label(label).unwrap());
    let mut later = 0;
    for text in ["VOILÀ", "Größe", "façade – naïve", "œuvre", "Žižek", "50 €", "„Gruß“", "Ünïcödé…", "ŠKODA", "ğüş"]
    {
        for [first, second] in charsets.iter().flat_map(|&first| charsets.map(|second| [first, second])) {
            for garbled_in in [first, second] {
                let line: String = garbled_in.new_decoder(true).decode_start(text.as_bytes(), true);
                let Some(explained) = Repair::new([first, second]).unwrap().explain(&line) else { continue };
                let [Step::Decoding { read_as, .. }] = explained.steps[..] else { continue };
                let alone = Repair::new([read_as]).unwrap().explain(&line).map(|alone| alone.text);
                assert_eq!(alone.as_ref(), Some(&explained.text), "{line}: {first}, {second}");
                let by_first = Repair::new([first]).unwrap().explain(&line).map(|alone| alone.text);
                later += usize::from(read_as == second && by_first.is_some() && by_first != alone);
            }
        }
    }
    assert!(later > 0, "in no line, the second charset leads to another text that is taken");
}

/// `text` as a program shows it that reads its UTF-8 in `encoding`, `times` times. Bytes without a character become
/// control characters.
fn garble(encoding: Encoding, text: &str, times: usize) -> String {
    let mut text = text.to_owned();
    for _ in 0..times {
        text = text
            .bytes()
            .map(|byte| match encoding.decode_without_bom_handling(&[byte]).0.chars().next() {
                Some('\u{FFFD}') | None => char::from(byte),
                Some(character) => character,
            })
            .collect();
    }
    text
}

const SENTENCES: [&str; 16] = [
    "Le café de l’hôtel est fermé à midi.",
    "“Über die Brücke”, sagte sie – und ging …",
    "¿Dónde está el niño? ¡Mañana!",
    "Não há pão na cozinha, só maçãs.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "Zażółć gęślą jaźń",
    "Съешь же ещё этих мягких французских булок",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "שלום עולם",
    "مرحبا بالعالم",
    "こんにちは、世界。",
    "你好，世界",
    "안녕하세요 세계",
    "20 °C, 5 € and 10 £, © 2020",
    "I love it 😍 so much",
    "Fuß, Maß, Straße",
];

#[test]
fn sentences_that_were_decoded_wrongly_are_restored() {
    for encoding in [WINDOWS_1252, WINDOWS_1250, WINDOWS_1251, MACINTOSH, KOI8_R, IBM866] {
        for sentence in SENTENCES {
            let garbled = garble(encoding, sentence, 1);
            let verdict = judge(encoding, &garbled);
            assert_eq!(verdict, Verdict::Repaired(sentence.to_owned()), "{} {garbled}", encoding.name());
        }
    }
}

#[test]
fn several_wrong_decodings_are_undone() {
    for times in 1..=4 {
        for sentence in SENTENCES {
            let garbled = garble(WINDOWS_1252, sentence, times);
            assert_eq!(judge(WINDOWS_1252, &garbled), Verdict::Repaired(sentence.to_owned()), "{garbled}");
        }
    }
}

#[test]
fn known_signs_are_understood() {
    for (garbled, text) in [
        ("cafÃ©", "café"),
        ("donâ€™t", "don’t"),
        ("\u{EF}\u{BB}\u{BF}a", "\u{FEFF}a"),
        ("a ï¿½ b", "a \u{FFFD} b"),
        ("20Â°C", "20°C"),
        ("Â«\u{A0}ouiÂ\u{A0}Â»", ""),
        ("voilÃ\u{A0}tout", "voilàtout"),
        ("ã‚¢", "ア"),
        ("ðŸ˜€", "😀"),
        ("Ãœber", "Über"),
        ("FÃœR", "FÜR"),
        ("AzÉ™rbaycan", "Azərbaycan"),
        ("RÄ«ga", "Rīga"),
        ("âœ” done", "✔ done"),
        ("AÃ‘O", "AÑO"),
        ("e\u{CC}\u{81}", "e\u{301}"),
    ] {
        let expected = if text.is_empty() { Verdict::Fine } else { Verdict::Repaired(text.to_owned()) };
        assert_eq!(judge(WINDOWS_1252, garbled), expected, "{garbled}");
    }
    assert_eq!(judge(WINDOWS_1251, "пїЅпїЅ"), Verdict::Repaired("\u{FFFD}\u{FFFD}".into()));
    assert_eq!(judge(WINDOWS_1251, "РџСЂРёРІРµС‚"), Verdict::Repaired("Привет".into()));
    let dos = Repair::new([Charset::for_label("cp437").unwrap()]).unwrap();
    assert_eq!(dos.judge("caf├⌐"), Verdict::Repaired("café".into()));
    assert_eq!(judge(GBK, "锟斤拷"), Verdict::Repaired("\u{FFFD}\u{FFFD}".into()));
    assert_eq!(judge(GBK, "浣犲ソ锛屼笘鐣"), Verdict::Fine);
    assert_eq!(judge(GBK, "浣犲ソ涓栫晫"), Verdict::Repaired("你好世界".into()));
}

#[test]
fn lines_that_can_be_right_are_not_touched() {
    for line in [
        "TEM QUE SEGUIR, É SÓ…",
        "SÓ…",
        "MARQUÉ…",
        "QUE É¿",
        "NESTLÉ®",
        "CITROËN™",
        "MANHÃ…",
        "la liberté\u{A0}»",
        "dit-il à\u{A0}»",
        "Maß² und Fuß³",
        "Maß½",
        "5×£3",
        "all´´",
        "Ã’s are in wrong text",
        "QUAND?—É",
        "RAÍZ·Ñ",
        "«\u{A0}liberté\u{A0}», dit-il",
        "naïve café, résumé",
        "Größe: 5½″",
        "Crème brûlée – 5 €",
        "…",
        "Ü",
    ] {
        let verdict = judge(WINDOWS_1252, line);
        assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
    }
    for line in ["Россия", "СССР»", "ООО «Рога и копыта»", "Їжак і Ґава", "РС"] {
        let verdict = judge(WINDOWS_1251, line);
        assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
    }
    for line in ["L’épisode", "2012—∞", "`¬´", "(o¬ô)"] {
        let verdict = judge(MACINTOSH, line);
        assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
    }
    // The bytes of these words in GBK are the UTF-8 of rare letters, or of letters of several scripts.
    let by_chance = [
        "食狮.com.cn 食狮.com.cn",
        "位图 - 位图 | 位图",
        "忙忙碌碌",
        "寻枝摘叶",
        "山山水水",
        "原始凭证",
        "职业院校",
        "一片散沙",
    ];
    for line in ["联通", "你好", "中文字符", "你好，世界"].into_iter().chain(by_chance) {
        let verdict = judge(GBK, line);
        assert!(!matches!(verdict, Verdict::Repaired(_)), "{line}: {verdict:?}");
    }
}

#[test]
fn right_sentences_are_not_touched() {
    for encoding in [WINDOWS_1252, WINDOWS_1250, WINDOWS_1251, MACINTOSH, KOI8_R, IBM866, GBK] {
        for sentence in SENTENCES {
            assert!(!matches!(judge(encoding, sentence), Verdict::Repaired(_)), "{} {sentence}", encoding.name());
        }
    }
}

#[test]
fn parts_of_a_line_are_repaired() {
    let repair = Repair::default();
    for (line, text) in [
        ("é cafÃ© ☃", "é café ☃"),
        ("voilÃ  le travail", "voilà le travail"),
        ("日本 ã‚¢ ’ â€™", "日本 ア ’ ’"),
        ("é Ã¢â‚¬â„¢", "é ’"),
    ] {
        assert_eq!(repair.judge(line), Verdict::Fine, "{line}");
        assert!(repair.has_parts(line), "{line}");
        assert_eq!(repair.repair_ambiguous(line).as_deref(), Some(text));
    }
    assert!(!repair.has_parts("SÓ… é ☃"));
    assert_eq!(repair.repair_ambiguous("SÓ… é ☃"), None);
    assert_eq!(repair.repair_ambiguous("SÓ…").as_deref(), Some("SӅ"));
}

#[test]
fn charsets_that_lose_nothing_or_write_nothing_cannot_be_undone() {
    for label in ["utf-8", "utf-16le", "utf-16-bom", "utf-32", "utf-7", "replacement"] {
        let charset = Charset::for_label(label).unwrap();
        assert_eq!(Repair::new([charset]).unwrap_err(), CannotRepair { charset });
    }
    for charset in Charset::all().filter(|charset| charset.is_single_byte()) {
        assert!(Repair::new([charset]).is_ok(), "{charset}");
    }
}

#[test]
fn a_text_is_repaired_line_by_line() {
    let repaired = Repair::default().repair("aÃ©\r\n\nSÓ…\nï¿½ x\n", false);
    assert_eq!(repaired.text, "aé\r\n\nSÓ…\n\u{FFFD} x\n");
    let Counts { lines, repaired: changed, ambiguous, lost } = repaired.counts;
    assert_eq!(repaired.steps, [Step::Decoding { was: Charset::UTF_8, read_as: WINDOWS_1252.into() }]);
    assert_eq!((lines, changed.number, changed.first, lost), (4, 2, Some(1), 1));
    assert_eq!((ambiguous.number, ambiguous.first), (1, Some(3)));
    let all = Repair::default().repair("SÓ…\n", true);
    assert_eq!((&*all.text, all.counts.ambiguous.number), ("SӅ\n", 0));
}

#[test]
fn two_encodings_that_disagree_leave_the_line() {
    let garbled = garble(WINDOWS_1252, "café", 1);
    let both = Repair::new([WINDOWS_1252.into(), WINDOWS_1250.into()]).unwrap();
    assert_eq!(both.judge(&garbled), Verdict::Repaired("café".into()));
    assert_eq!(both.judge("Â° ą"), Verdict::Fine);
    // The bytes of "Ã¡" in cp850 are the UTF-8 of "ǭ", which few languages have.
    let charsets = [WINDOWS_1252.into(), Charset::for_label("cp850").unwrap()];
    for charsets in [charsets, [charsets[1], charsets[0]]] {
        assert_eq!(Repair::new(charsets).unwrap().judge("NicolÃ¡s"), Verdict::Repaired("Nicolás".into()));
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let repaired = Repair::default().repair("\u{FEFF}cafÃ©\n", false);
    assert_eq!((&*repaired.text, repaired.counts.ambiguous.number), ("\u{FEFF}café\n", 0));
}

#[test]
fn control_characters_become_characters_of_windows_1252() {
    let repair = Repair::default();
    let explained = |line: &str| repair.explain(line).map(|explained| (explained.text, explained.certainty));
    let certain = |text: &str| Some((text.to_owned(), Certainty::Certain));
    assert_eq!(explained("It\u{92}s \u{93}fine\u{94}\u{85}"), certain("It’s “fine”…"));
    assert_eq!(explained("Ã© it\u{92}s"), Some(("é it’s".to_owned(), Certainty::Ambiguous)));
    // A line from EBCDIC, and bytes of another charset.
    assert_eq!(explained("one\u{85}two").unwrap().1, Certainty::Ambiguous);
    assert_eq!(explained("a\u{92}\u{81}").unwrap().1, Certainty::Ambiguous);
    let other = Repair::new([WINDOWS_1251.into()]).unwrap();
    assert_eq!(other.explain("It\u{92}s"), None);
}

#[test]
fn surrogate_pairs_that_were_decoded_wrongly_are_one_character() {
    assert_eq!(Repair::default().judge("í\u{A0}½í¸€"), Verdict::Repaired("😀".into()));
}

#[test]
fn text_that_lost_a_byte_in_gbk_is_repaired_up_to_the_loss() {
    for (line, text) in [
        ("鐢ㄦ埛鍚\u{FFFD}", "用户\u{FFFD}"),
        ("鐢ㄦ埛鍚?", "用户\u{FFFD}"),
        ("鐢ㄦ埛鍚\u{FFFD}=1", "用户\u{FFFD}=1"),
        ("鐢ㄦ埛", "用户"),
    ] {
        assert_eq!(judge(GBK, line), Verdict::Repaired(text.into()), "{line}");
    }
    for line in ["你好?", "中文\u{FFFD}字符", "是吗?", "用户\u{FFFD}", "什么?!"] {
        assert!(!matches!(judge(GBK, line), Verdict::Repaired(_)), "{line}");
    }
}

#[test]
fn text_that_lost_a_byte_in_a_single_byte_charset_is_repaired_up_to_the_loss() {
    for (line, text) in [
        ("â€œlossyâ€\u{FFFD}", "“lossy\u{FFFD}"),
        ("â€œbb+â€? from â€œbbâ€?", "“bb+\u{FFFD} from “bb\u{FFFD}"),
        ("CÑ€Ð¿Ñ\u{FFFD}ÐºÐ¸", "Cрп\u{FFFD}ки"),
        ("à¤¹à¤¿à¤¨à¥\u{FFFD}à¤¦à¥€", "हिन\u{FFFD}दी"),
    ] {
        assert_eq!(judge(WINDOWS_1252, line), Verdict::Repaired(text.into()), "{line}");
    }
    // Without another sign, the loss can be of another kind.
    for line in ["caf\u{FFFD}", "é\u{FFFD}", "SlovenÄ\u{FFFD}ina", "À? Â?", "é? cafÃ©", "TÃO? NÃO?"] {
        assert!(!matches!(judge(WINDOWS_1252, line), Verdict::Repaired(_)), "{line}");
    }
}

const PAIRS: [(Encoding, &str, &str); 9] = [
    (SHIFT_JIS, "cp437", "日本語のテキストです。これはテストです"),
    (SHIFT_JIS, "windows-1252", "新しいフォルダーの中に曲のファイルがあります"),
    (GBK, "windows-1252", "中文字幕和歌曲的名字都在这里，用户可以看到"),
    (WINDOWS_1251, "windows-1252", "Всем привет, меня зовут Александр"),
    (KOI8_R, "windows-1251", "Вопрос о кодировках текста задают часто"),
    (IBM866, "windows-1251", "Русский текст в старой кодировке"),
    (textcodec::EUC_KR, "windows-1252", "안녕하세요 세계, 오늘 날씨가 좋습니다"),
    (textcodec::BIG5, "windows-1252", "中文字幕的檔案名稱，請選擇一個資料夾"),
    (textcodec::WINDOWS_1253, "windows-1252", "Καλημέρα κόσμε, πώς είσαι σήμερα"),
];

/// `text` in `was`, as a program shows it that reads it in `read_as`.
fn misread(was: Encoding, read_as: Charset, text: &str) -> String {
    let bytes = was.encode(text).bytes;
    read_as.new_decoder(true).decode_start(&bytes, true)
}

#[test]
fn text_that_was_in_one_charset_and_read_as_another_is_repaired() {
    for (was, read_as, text) in PAIRS {
        let read_as = Charset::for_label(read_as).unwrap();
        let wrong = misread(was, read_as, text);
        let repair = Repair::of_pair(was.into(), read_as).unwrap();
        let explained = repair.explain(&wrong).unwrap();
        assert_eq!((&*explained.text, explained.certainty), (text, Certainty::Likely), "{wrong}");
        // The right text stays.
        assert!(!matches!(repair.judge(text), Verdict::Repaired(_)), "{text}");
        for sentence in SENTENCES {
            assert!(!matches!(repair.judge(sentence), Verdict::Repaired(_)), "{} {sentence}", was.name());
        }
    }
    let same = Charset::UTF_8;
    assert!(Repair::of_pair(same, same).is_err() && Repair::of_pair(GBK.into(), GBK.into()).is_err());
}

#[test]
fn the_charsets_of_a_wrong_decoding_are_found() {
    let hints = Hints::new();
    for (was, read_as, text) in PAIRS {
        let read_as = Charset::for_label(read_as).unwrap();
        let wrong = misread(was, read_as, text);
        let found = |was, read_as| {
            let pair = Repair::search(&wrong, was, read_as, &hints)?;
            let repair = Repair::of_pair(pair.was, pair.read_as).ok()?;
            Some(repair.repair(&wrong, false).text)
        };
        assert_eq!(found(None, None).as_deref(), Some(text), "{wrong}");
        assert_eq!(found(Some(was.into()), None).as_deref(), Some(text), "{wrong}");
        assert_eq!(found(None, Some(read_as)).as_deref(), Some(text), "{wrong}");
    }
    let found = Repair::search("cafÃ© donâ€™t", None, None, &hints).unwrap();
    assert_eq!(found.describe(), "UTF-8 that was read as windows-1252");
    for sentence in SENTENCES {
        assert_eq!(Repair::search(sentence, None, None, &hints), None, "{sentence}");
    }
}

#[test]
fn a_text_that_is_three_times_less_odd_is_right() {
    for (one, other, expected) in
        [(0, 0, false), (0, 1, true), (1, 2, false), (1, 3, false), (1, 4, true), (2, 6, false), (2, 7, true)]
    {
        assert_eq!(is_clearly_less(one, other), expected, "{one} {other}");
    }
    // Charsets that lead to the same text agree.
    for charsets in [["windows-1252", "iso-8859-15"], ["iso-8859-15", "windows-1252"]] {
        let charsets = charsets.map(|label| Charset::for_label(label).unwrap());
        let explained = Repair::new(charsets).unwrap().explain("cafÃ©").unwrap();
        let step = Step::Decoding { was: Charset::UTF_8, read_as: charsets[0] };
        assert_eq!((&*explained.text, explained.steps, explained.certainty), ("café", vec![step], Certainty::Certain));
    }
}

#[test]
fn at_most_eight_wrong_decodings_are_undone() {
    let repair = Repair::default();
    for (times, expected) in [(7, "é"), (8, "é"), (9, "Ã©"), (10, "ÃƒÂ©")] {
        let garbled = garble(WINDOWS_1252, "é", times);
        let explained = repair.explain(&garbled).unwrap();
        assert_eq!((&*explained.text, explained.steps.len()), (expected, times.min(8)), "{times}");
        assert_eq!(repair.repair_ambiguous(&garbled).as_deref(), Some(expected), "{times}");
    }
}

#[test]
fn what_a_repair_leaves_of_control_characters_depends_on_their_meaning() {
    let repair = Repair::default();
    let decoding = Step::Decoding { was: Charset::UTF_8, read_as: WINDOWS_1252.into() };
    for (line, text, steps, certainty) in [
        // U+0085 may end a line, U+0092 stands for "’", and U+0081 for nothing.
        ("Ã© Â…", "é \u{85}", &[decoding][..], Certainty::Certain),
        ("Ã© Â’", "é ’", &[decoding, Step::Controls], Certainty::Certain),
        ("Ã© Â’Â\u{81}", "é \u{92}\u{81}", &[decoding], Certainty::Certain),
        ("\u{FEFF}\u{FEFF}cafÃ©", "\u{FEFF}\u{FEFF}café", &[decoding], Certainty::Certain),
        ("it\u{92}s", "it’s", &[Step::Controls], Certainty::Certain),
        ("it\u{92}s \u{81}", "it’s \u{81}", &[Step::Controls], Certainty::Ambiguous),
    ] {
        let explained = repair.explain(line).unwrap();
        assert_eq!((&*explained.text, &*explained.steps, explained.certainty), (text, steps, certainty), "{line}");
    }
}

#[test]
fn each_kind_of_change_is_told_once_in_the_order_of_the_text() {
    let repaired = Repair::default().repair("it\u{92}s\ncafÃ©\ndon\u{92}t\ncafÃ©\r\n\r\n", true);
    let decoding = Step::Decoding { was: Charset::UTF_8, read_as: WINDOWS_1252.into() };
    assert_eq!(repaired.steps, [Step::Controls, decoding]);
    assert_eq!(repaired.text, "it’s\ncafé\ndon’t\ncafé\r\n\r\n");
    let lines: Vec<_> = repaired.changes.iter().map(|change| (change.line, &*change.before)).collect();
    assert_eq!(lines, [(1, "it\u{92}s"), (2, "cafÃ©"), (3, "don\u{92}t"), (4, "cafÃ©")]);
    assert_eq!((repaired.counts.lines, repaired.counts.repaired.number), (5, 4));
}

/// Lines of which the repairs are pinned, beside the sentences.
const LINES: [&str; 24] = [
    "é",
    "à propos d’un âge",
    "Ñandú y año",
    "École",
    "ÉCOLE",
    "“x”",
    "ą",
    "ąęłó",
    "İstanbul ığdır",
    "ſƒ",
    "e\u{301}a\u{308}",
    "×5 א",
    "זה טוב",
    "20 °C ± 5 µm",
    "🏳",
    "a\u{FFFD}b",
    "\u{E000}\u{E001}",
    "\u{FEFF}a",
    "用户",
    "用户名和密码不能为空",
    "忙碌",
    "ソースコード",
    "ｱｲｳ",
    "x=“用户” // 名",
];

/// The verdict as a letter.
fn letter(verdict: &Verdict) -> char {
    match verdict {
        Verdict::Fine => 'F',
        Verdict::Repaired(_) => 'R',
        Verdict::Ambiguous(_) => 'A',
    }
}

/// Verdicts about lines that were decoded wrongly in each usual charset, with a checksum of all outcomes.
/// `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the file after an intended change.
#[test]
fn the_repairs_of_lines_are_the_pinned_ones() {
    type Wrongly = fn(&str, &dyn Fn(&str) -> String) -> String;
    let kinds: [(&str, Wrongly); 9] = [
        ("right", |line, _| line.to_owned()),
        ("once", |line, read| read(line)),
        ("twice", |line, read| read(&read(line))),
        ("lost", |line, read| read(line).replace('\u{FFFD}', "?")),
        ("cut", |line, read| {
            let mut text = read(line);
            text.pop();
            text + "\u{FFFD}"
        }),
        ("cut?", |line, read| {
            let mut text = read(line);
            text.pop();
            text + "? "
        }),
        ("part", |line, read| format!("é☃ {} ў", read(line))),
        ("space", |line, read| read(line).replace('\u{A0}', " ")),
        ("double space", |line, read| read(&format!("{line}à x")).replace('\u{A0}', "  ")),
    ];
    let sum = |outcome: &str| {
        let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        outcome.bytes().fold(0xCBF2_9CE4_8422_2325, step)
    };
    let mut table = String::new();
    let mut add = |name: &str, repair: &Repair, read: &dyn Fn(&str) -> String| {
        for (kind, wrongly) in kinds {
            let (mut letters, mut outcomes) = (String::new(), String::new());
            for line in SENTENCES.iter().chain(&LINES) {
                let line = wrongly(line, read);
                letters.push(letter(&repair.judge(&line)));
                let (explained, all) = (repair.explain(&line), repair.repair_ambiguous(&line));
                outcomes += &format!("{explained:?} {all:?} {}", repair.has_parts(&line));
            }
            table += &format!("{name}\t{kind}\t{letters}\t{:016X}\n", sum(&outcomes));
        }
    };
    let charset = |label: &str| Charset::for_label(label).unwrap();
    let several_read = ["cp437", "cp850", "gbk", "windows-1251", "macintosh"];
    let several = Repair::new(several_read.map(charset)).unwrap();
    for label in [
        "windows-1252",
        "windows-1251",
        "windows-1250",
        "macintosh",
        "koi8-r",
        "ibm866",
        "iso-8859-2",
        "cp437",
        "cp850",
        "gbk",
        "shift_jis",
        "big5",
        "euc-kr",
    ] {
        let read = |line: &str| charset(label).new_decoder(true).decode_start(line.as_bytes(), true);
        add(label, &Repair::new([charset(label)]).unwrap(), &read);
        if several_read.contains(&label) {
            add(&format!("{label} of several"), &several, &read);
        }
    }
    for (was, read_as) in [
        ("koi8-r", "windows-1251"),
        ("windows-1251", "windows-1252"),
        ("shift_jis", "cp437"),
        ("gbk", "windows-1252"),
        ("windows-1250", "windows-1252"),
        ("windows-1252", "gbk"),
        ("euc-kr", "big5"),
    ] {
        let read = |line: &str| {
            let mut bytes = vec![0; line.len() * 4];
            let mut encoder = charset(was).new_encoder().unwrap();
            let written = encoder.encode(line, &mut bytes, true).written;
            charset(read_as).new_decoder(true).decode_start(&bytes[..written], true)
        };
        add(&format!("{was} as {read_as}"), &Repair::of_pair(charset(was), charset(read_as)).unwrap(), &read);
    }
    crate::pinned::compare("repairs.tsv", &table);
}

/// The charsets that are found for texts that were decoded wrongly.
/// `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the file after an intended change.
#[test]
fn the_charsets_that_a_search_finds_are_the_pinned_ones() {
    let charset = |label: &str| Charset::for_label(label).unwrap();
    let hints = Hints::new();
    let mut table = String::new();
    let mut add = |name: &str, text: &str, was: Option<Charset>, read_as: Option<Charset>| {
        let found = Repair::search(text, was, read_as, &hints).map_or_else(
            || "nothing".to_owned(),
            |pair| {
                let probability = pair.probability.map(|it| (it * 100.0 + 0.001) as u8);
                format!("{}\t{probability:?}", pair.describe())
            },
        );
        table += &format!("{name}\t{found}\n");
    };
    let texts = [
        ("utf-8", "Le café de l’hôtel est fermé à midi."),
        ("utf-8", "Съешь же ещё этих мягких булок"),
        ("utf-8", "用户名和密码不能为空，请重新输入"),
        ("shift_jis", "日本語のテキストです。これはテストです"),
        ("gbk", "中文字幕和歌曲的名字都在这里，用户可以看到"),
        ("big5", "中文字幕的檔案名稱，請選擇一個資料夾"),
        ("euc-kr", "안녕하세요 세계, 오늘 날씨가 좋습니다"),
        ("windows-1251", "Всем привет, меня зовут Александр"),
        ("koi8-r", "Вопрос о кодировках текста задают часто"),
        ("ibm866", "Русский текст в старой кодировке"),
        ("windows-1253", "Καλημέρα κόσμε, πώς είσαι σήμερα"),
        ("windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
        ("cp850", "Die Straße war sehr schön und größer."),
        ("windows-1251", "Мир"),
        ("koi8-r", "Да"),
    ];
    let read_as = ["windows-1252", "cp437", "windows-1251", "gbk", "shift_jis", "big5", "macintosh", "koi8-r"];
    for (was, text) in texts {
        let mut bytes = vec![0; text.len() * 4];
        let written = charset(was).new_encoder().unwrap().encode(text, &mut bytes, true).written;
        for read_as in read_as.into_iter().filter(|read_as| *read_as != was) {
            let wrong = charset(read_as).new_decoder(true).decode_start(&bytes[..written], true);
            let start: String = text.chars().take(3).collect();
            let name = format!("{start} in {was} as {read_as}");
            add(&name, &wrong, None, None);
            add(&format!("{name}, which is known"), &wrong, None, Some(charset(read_as)));
            add(&format!("{name}, was known"), &wrong, Some(charset(was)), None);
        }
    }
    // Some lines are right.
    let (wrong, right) = ("ÀëåêñàíäÐ èç Ìîñêâû\n", "плюс a\n");
    for (lines, number) in [(9, 1), (8, 1), (10, 1), (19, 1), (18, 2), (17, 2), (3, 1), (0, 1)] {
        let text = [wrong.repeat(lines), right.repeat(number), "ascii\n".repeat(30)].concat();
        add(&format!("{lines} wrong lines, {number} right ones"), &text, None, None);
        let utf_8 = [garble(WINDOWS_1252, "café – là\n", 1).repeat(lines), right.repeat(number)].concat();
        add(&format!("{lines} lines of UTF-8, {number} right ones"), &utf_8, None, None);
        add(&format!("{lines} lines, {number} others, was UTF-8"), &utf_8, Some(Charset::UTF_8), None);
        let lost = [garble(WINDOWS_1252, "à\n", 1).replace('\u{A0}', "\u{FFFD}").repeat(number), "Ã©\n".repeat(lines)];
        add(&format!("{lines} lines, {number} with losses"), &lost.concat(), None, None);
    }
    for text in [
        "NESTLÉ®",
        "Ã",
        "SÓ…",
        "SÓ…\nSÓ…\nSÓ…\nSÓ…",
        "é",
        "",
        "ascii",
        "Ð°",
        "â€™",
        "пРИВЕТ",
        "оПХБЕР",
        "\u{FFFD}\u{FFFD}",
    ] {
        add(text, text, None, None);
    }
    crate::pinned::compare("searches.tsv", &table);
}

#[test]
fn each_lost_character_of_a_repaired_line_is_counted() {
    for (text, ambiguous, lost) in [
        ("ï¿½ï¿½ x ï¿½\nfine \u{FFFD}\nï¿½", false, 4),
        ("cafÃ©\n", false, 0),
        ("SÓ… \u{FFFD}", true, 1),
        ("SÓ… \u{FFFD}", false, 0),
    ] {
        assert_eq!(Repair::default().repair(text, ambiguous).counts.lost, lost, "{text}");
    }
    let decoding = Step::Decoding { was: Charset::UTF_8, read_as: WINDOWS_1252.into() };
    for (steps, expected) in [
        (&[decoding][..], "certain: UTF-8 that was read as windows-1252"),
        (&[decoding; 3], "certain: UTF-8 that was read as windows-1252, 3 times"),
        (
            &[decoding, decoding, Step::Controls],
            "certain: UTF-8 that was read as windows-1252, 2 times, control characters for characters of windows-1252",
        ),
    ] {
        let explained = Explained { text: String::new(), steps: steps.to_vec(), certainty: Certainty::Certain };
        assert_eq!(explained.describe(), expected);
    }
}
