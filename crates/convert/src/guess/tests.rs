//! Guesses: hints, doubts, objections, and the pinned table.

use super::*;
use textcodec::{
    BIG5, EUC_JP, IBM866, KOI8_R, KOI8_U, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    X_MAC_CYRILLIC,
};

const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.";

fn guess(bytes: &[u8], hints: &Hints) -> Option<Charset> {
    super::guess(bytes, hints).ok().map(|guess| guess.charset)
}

fn among(labels: &[&str]) -> Hints {
    Hints { among: labels.iter().map(|label| charset(label)).collect(), ..Hints::new() }
}

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

fn candidate(label: &str, probability: f32, group: usize) -> Candidate {
    let (language, probability) = (None, Some(probability));
    Candidate { charset: charset(label), language, probability, group, is_in_language: true }
}

fn sample_of(bytes: &[u8]) -> Sample {
    let mut sample = Sample::default();
    sample.feed(bytes);
    sample.finish();
    sample
}

#[test]
fn guesses_from_statistics_of_languages() {
    let hints = Hints::new();
    for (encoding, text) in [
        (WINDOWS_1251, RUSSIAN),
        (KOI8_R, RUSSIAN),
        (IBM866, RUSSIAN),
        (X_MAC_CYRILLIC, RUSSIAN),
        (KOI8_U, "Єдиний її сусід ґречно з'їв ще п'ять гарних груш у саду."),
        (SHIFT_JIS, "日本語の文章をシフトJISで書いたものです。"),
        (EUC_JP, "日本語の文章をイーユーシーで書いたものです。"),
        (BIG5, "這是一個用繁體中文寫成的句子。"),
        (UTF_8, "Grüße aus München"),
        (WINDOWS_1252, "Le café est fermé à midi, l’hôtel aussi."),
        (MACINTOSH, "Le café est fermé à midi, l’hôtel aussi, et le théâtre a été déplacé à l’été prochain."),
    ] {
        let bytes = encoding.encode(text).bytes;
        assert_eq!(guess(&bytes, &hints), Some(encoding.into()), "{text}");
    }
}

#[test]
fn a_guess_has_a_language_a_probability_and_other_candidates() {
    let guess = super::guess(&KOI8_R.encode(RUSSIAN).bytes, &Hints::new()).unwrap();
    let Reason::Statistics { language: Some("ru"), probability: Some(probability), doubt: None } = guess.reason else {
        panic!("{guess:?}");
    };
    assert!(probability > 0.95 && guess.reason.to_string().starts_with("Russian, probability 0.9"), "{guess:?}");
    let [first, second, ..] = &guess.candidates[..] else { panic!("{guess:?}") };
    assert_eq!((first.charset, first.probability), (KOI8_R.into(), guess.reason.probability()));
    // KOI8-U has the same characters for these bytes.
    assert_eq!((second.charset, second.group), (KOI8_U.into(), first.group));
}

#[test]
fn an_encoding_that_does_not_compete_makes_a_guess_improbable() {
    let cp857 = Charset::for_label("cp857").unwrap();
    let mut bytes = [0; 256];
    let turkish = "Dün akşam komşumuz taze balık ve ekmek getirdi.";
    let written = cp857.new_encoder().unwrap().encode(turkish, &mut bytes, true).written;
    let bytes = &bytes[..written];
    let standard = super::guess(bytes, &Hints::new()).unwrap();
    assert!(standard.reason.probability() < Some(0.1), "{standard:?}");
    assert!(standard.reason.to_string().ends_with("because IBM857 fits better (see --tiers)"), "{}", standard.reason);
    let dos = super::guess(bytes, &Hints { tiers: Vec::from([Tier::Dos]), ..Hints::new() }).unwrap();
    assert!(dos.charset == cp857 && dos.reason.probability() > Some(0.95), "{dos:?}");

    let mut objector = Objector::new(WINDOWS_1252.into());
    objector.feed(bytes, true);
    assert_eq!(objector.objection().and_then(|objection| objection.fitting), Some(cp857));
}

#[test]
fn an_odd_text_contradicts_a_guess_and_a_fallback() {
    // German in HP Roman 8, of which there are no statistics.
    let bytes = b"Die gr\xCE\xDEte Schachtel enth\xCClt Schl\xCFssel, f\xCFr \xDBbrige h\xCEher.";
    let guess = super::guess(bytes, &Hints::new()).unwrap();
    assert!(guess.reason.probability() <= Some(doubt::RIGHT_IF_ODD), "{guess:?}");
    let mut objector = Objector::new(guess.charset);
    objector.feed(bytes, true);
    let objection = objector.objection().unwrap();
    assert!(objection.to_string().ends_with("odd characters would stand side by side in the text"), "{objection}");
}

#[test]
fn only_the_given_encodings_are_guessed() {
    let french = WINDOWS_1252.encode("Le café est fermé à midi.").bytes;
    assert_eq!(guess(&french, &among(&["utf-8", "windows-1250"])), Some(WINDOWS_1250.into()));
    assert_eq!(super::guess(&french, &among(&["utf-8", "exact-us-ascii"])), Err(NoGuess::Errors));
    let dos = guess(b"caf\x82", &among(&["utf-8", "cp850"])).unwrap();
    assert_eq!(dos.name(), "cp850");
    for encoding in [WINDOWS_1251, KOI8_R, IBM866] {
        let bytes = encoding.encode(RUSSIAN).bytes;
        let guess = super::guess(&bytes, &among(&["windows-1251", "koi8-r", "ibm866"])).unwrap();
        assert_eq!(guess.charset, encoding.into());
        assert!(guess.reason.probability() >= Some(0.95), "{guess:?}");
        assert_eq!(guess.candidates.len(), 3);
    }
}

#[test]
fn an_encoding_without_statistics_competes_by_errors_and_control_characters() {
    // In windows-1252, the byte 81 is a control character.
    let atari = Charset::for_label("atarist").unwrap();
    let controls = super::guess(b"f\x81r", &among(&["windows-1252", "atarist"])).unwrap();
    assert_eq!((controls.charset, controls.reason), (atari, Reason::FewestControls));
    // Nothing decides between the letter of German and the sign of Atari, so there is no probability.
    let german = WINDOWS_1252.encode("Grüße aus München").bytes;
    let guess = super::guess(&german, &among(&["atarist", "windows-1252"])).unwrap();
    assert_eq!((guess.charset, guess.reason.probability()), (WINDOWS_1252.into(), None));
    assert!(guess.reason.to_string().ends_with("probability unknown"), "{}", guess.reason);
    let last = guess.candidates.last().unwrap();
    assert_eq!((last.charset, last.probability, last.group), (atari, None, guess.candidates[0].group + 1));
}

#[test]
fn an_encoding_that_fits_but_for_an_error_makes_the_only_possible_one_improbable() {
    let mut bytes = SHIFT_JIS.encode("日本語の文章をシフトJISで書いたものです。").bytes.to_vec();
    bytes.extend(b"\xFF\n");
    let guess = super::guess(&bytes, &among(&["shift_jis", "windows-1252"])).unwrap();
    assert_eq!(guess.charset, WINDOWS_1252.into());
    assert!(guess.reason.probability() < Some(0.5), "{guess:?}");
}

#[test]
fn few_foreign_letters_a_line_of_utf_8_and_an_unknown_language_make_a_guess_improbable() {
    // Polish "kanał" in Mac Central European, in a comment; and Chinese in UTF-8 and GBK.
    let code = b"// kana\xB8\nfunction f0() { return 712; }\n// see above\nfunction f1() { return 4; }\n".to_vec();
    let mixed = ["] [输出选项]\n".as_bytes(), &textcodec::GBK.encode("捕获所需输入视频模式").bytes].concat();
    let maori = "Ko Aotearoa te whenua o te iwi Māori. Nā ngā tūpuna i kōrero ngā kōrero mō ngā rā o mua, ā, ka \
                     tuhia ēnā kōrero e ngā tāngata ki roto i ngā pukapuka hōu.";
    let maori = textcodec::WINDOWS_1257.encode(maori).bytes.to_vec();
    for (bytes, doubt) in [(code, Doubt::Foreign), (mixed, Doubt::Mixed), (maori, Doubt::Language)] {
        let guess = super::guess(&bytes, &Hints::new()).unwrap();
        let Reason::Statistics { doubt: Some(found), probability, .. } = guess.reason else { panic!("{guess:?}") };
        assert_eq!(found, doubt, "{guess:?}");
        assert!(probability <= Some(doubt.share_of_right_answers()), "{guess:?}");
    }
}

#[test]
fn binary_data_is_not_guessed() {
    let jpeg = super::guess(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0", &Hints::new());
    assert_eq!(jpeg, Err(NoGuess::Binary));
}

#[test]
fn charsets_whose_labels_are_those_of_replacement_are_guessed() {
    for (bytes, name) in [
        (&b"\x1B$)C\x0E0!\x0F"[..], "glibc:ISO-2022-KR"),
        (b"\x1B$)A\x0E0!\x0F", "glibc:ISO-2022-CN"),
        (b"This is ~{<:Ky2;J)~}.", "HZ"),
    ] {
        assert_eq!(super::guess(bytes, &Hints::new()).unwrap().charset, Charset::for_label(name).unwrap());
    }
}

#[test]
fn the_pieces_do_not_matter() {
    let hints = Hints::new();
    let signs = b"3\x1F1#[latin1]{inp\xA5@\xAC\xC9\xA1I\xC6\xE2&#13312;&#13107#13312;&#131072;\x81";
    let mixed = [b"\xB2\xB6\xBB\xF1\n", "] [输出选项]\n".as_bytes()].concat();
    for bytes in [&KOI8_R.encode(RUSSIAN).bytes[..], signs, &mixed] {
        let mut guesser = Guesser::new(&hints);
        bytes.iter().for_each(|&byte| guesser.feed(&[byte], false));
        guesser.feed(&[], true);
        assert_eq!(guesser.guess(), super::guess(bytes, &hints), "{bytes:X?}");
    }
}

#[test]
fn probabilities_are_not_rounded_up() {
    for (probability, text) in
        [(0.9499, "0.94"), (0.95, "0.95"), (0.98, "0.98"), (0.9999, "0.99"), (1.0, "1.00"), (0.0, "0.00")]
    {
        assert_eq!(Probability(Some(probability)).to_string(), format!("probability {text}"));
    }
}

#[test]
fn tags_name_languages() {
    for (tag, expected) in [
        ("ja", "ja"),
        ("zh", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("ZH_hant_CN", "zh-Hant"),
        ("zh_Hans", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh-hk", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh-SG", "zh-Hans"),
        ("de-AT", "de"),
        ("no", "no"),
    ] {
        assert_eq!(language(tag).as_deref(), Some(expected), "{tag}");
    }
    assert!(language("tlh").is_none() && language("").is_none() && language("kk").is_none());
    assert_eq!(domain(".JP").as_deref(), Some("jp"));
    assert_eq!(domain("xn--P1ai").as_deref(), Some("xn--p1ai"));
    assert_eq!(domain("1").as_deref(), Some("1"));
    assert!(["a.b", "a_b", "a b", "..", ".", "-é"].into_iter().all(|text| domain(text).is_none()));
    assert!(domain("ö").is_none() && domain("").is_none());
    assert!(domain(&"a".repeat(63)).is_some() && domain(&"a".repeat(64)).is_none());
}

#[test]
fn every_language_of_the_detector_has_a_name() {
    // The codes of all languages with two letters, and those of Chinese.
    let letters = || 'a'..='z';
    let codes = letters().flat_map(|first| letters().map(move |second| format!("{first}{second}")));
    let known: Vec<_> = codes.filter(|code| Statistics::know(code)).collect();
    let nameless: Vec<_> = known.iter().filter(|code| language_name(code) == **code).collect();
    // Other codes for languages that have another one.
    assert_eq!(nameless, ["bs", "iw", "nn", "no", "zh"]);
    assert_eq!(known.len() - nameless.len() + 2, 47);
}

#[test]
fn domains_have_the_form_of_labels() {
    let long = "a".repeat(63);
    for (text, expected) in [
        ("de", Some("de")),
        (".DE", Some("de")),
        ("xn--p1ai", Some("xn--p1ai")),
        (&long, Some(&*long)),
        (&"a".repeat(64), None),
        ("", None),
        (".", None),
        ("..de", None),
        ("co.uk", None),
        ("d e", None),
        ("dé", None),
    ] {
        assert_eq!(domain(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_competitor_counts_control_characters_up_to_its_first_error() {
    for (label, bytes, expected) in [
        ("windows-1252", &b"a\t\n\x0B\x0C\r"[..], (true, 0)),
        ("windows-1252", b"\x00\x08\x0E\x1F\x7F", (true, 5)),
        ("windows-1252", b"\x81\x8D \x80\xA0\xFF", (true, 2)),
        ("iso-8859-5", b"\x80\x9F\xA0", (true, 2)),
        ("utf-8", b"a\xC2\x85", (true, 1)),
        ("utf-8", b"a\xFF", (false, 0)),
        ("shift_jis", b"\x1F\x83", (false, 1)),
    ] {
        for length in [1, 100] {
            let charset = Charset::for_label(label).unwrap();
            let mut competitor = Competitor { charset, decoder: charset.new_decoder(false), controls: 0 };
            let mut text = buffers::Text::new();
            let pieces: Vec<_> = bytes.chunks(length).collect();
            let goes_on = pieces
                .iter()
                .enumerate()
                .all(|(number, piece)| competitor.feed(piece, number + 1 == pieces.len(), &mut text));
            assert_eq!((goes_on, competitor.controls), expected, "{label} {bytes:?}");
        }
    }
}

#[test]
fn the_rank_of_a_charset_counts_texts_that_do_not_differ_in_signs_at_wrong_places() {
    let sample = sample_of(b"5 \xB5m");
    let (western, central, cyrillic) = ("windows-1252", "iso-8859-2", "iso-8859-5");
    // In ISO-8859-2, the text is "5 ľm".
    for (own, order, expected) in [
        (western, [(western, 0), (central, 1), (cyrillic, 2)], (0.75, Some(western), None)),
        (western, [(central, 0), (western, 1), (cyrillic, 2)], (0.75, Some(western), None)),
        (western, [(western, 0), ("iso-8859-1", 0), (central, 1)], (0.75, Some(western), None)),
        (central, [(western, 0), (central, 1), (cyrillic, 2)], (0.25, Some(western), Some(western))),
        (central, [(central, 0), (western, 1), (cyrillic, 2)], (0.5, Some(central), Some(western))),
        ("koi8-r", [(central, 0), (cyrillic, 1), (western, 2)], (0.0, Some(central), Some(western))),
    ] {
        let candidates: Vec<_> =
            order.iter().zip([0.5, 0.25, 0.25]).map(|(&(label, group), p)| candidate(label, p, group)).collect();
        let standing = Standing::of(Charset::for_label(own).unwrap(), &candidates, &sample);
        let of = |label: Option<&str>| label.map(|label| Charset::for_label(label).unwrap());
        let found = (standing.probability, standing.first, standing.better);
        assert_eq!(found, (expected.0, of(expected.1), of(expected.2)), "{own} {order:?}");
    }
}

#[test]
fn all_tiers_compete_beside_a_guess_unless_they_do_already_or_are_impossible() {
    for are_names in [false, true] {
        for tier in Tier::ALL {
            let tiers = Tier::ALL.into_iter().filter(|other| *other != tier).collect();
            let hints = Hints { tiers, are_names, ..Hints::new() };
            let is_possible = !are_names || tier != Tier::Ebcdic;
            assert_eq!(Statistics::of_all_tiers(&hints).is_some(), is_possible, "{tier:?} {are_names}");
        }
        let hints = Hints { tiers: Tier::ALL.to_vec(), are_names, ..Hints::new() };
        assert!(Statistics::of_all_tiers(&hints).is_none());
    }
}

#[test]
fn a_charset_with_another_text_contradicts_from_a_probability_of_0_95() {
    let (russian, ukrainian, other) = ("koi8-r", "koi8-u", "windows-1251");
    for (chosen, candidates, expected) in [
        (other, &[(russian, 0.95, 0)][..], Some(95)),
        (other, &[(russian, 0.9499, 0)], None),
        (other, &[(russian, 0.9699, 0)], Some(96)),
        (other, &[(russian, 0.98, 0)], Some(98)),
        // The chosen charset is a candidate with another text, or with the same one.
        (other, &[(russian, 0.97, 0), (ukrainian, 0.97, 0), (other, 0.03, 1)], Some(97)),
        (ukrainian, &[(russian, 0.97, 0), (ukrainian, 0.97, 0), (other, 0.03, 1)], None),
        (russian, &[(russian, 0.97, 0), (other, 0.03, 1)], None),
        (other, &[(russian, 0.5, 0), (ukrainian, 0.97, 1)], None),
        (other, &[], None),
    ] {
        let candidates: Vec<_> = candidates.iter().map(|&(label, p, group)| candidate(label, p, group)).collect();
        let found = contradiction(charset(chosen), &candidates);
        let fitting = expected.map(|percent| (charset(chosen), Some(charset(russian)), None, percent));
        let found = found.map(|found| (found.chosen, found.fitting, found.language, found.percent));
        assert_eq!(found, fitting, "{chosen} {candidates:?}");
    }
    let of_language = Candidate { language: Some("ru"), ..candidate(russian, 1.0, 0) };
    assert_eq!(contradiction(charset(other), &[of_language]).unwrap().language, Some("ru"));
    let unknown = Candidate { probability: None, ..candidate(russian, 1.0, 0) };
    assert_eq!(contradiction(charset(other), &[unknown]), None);
}

#[test]
fn ascii_contradicts_no_charset_and_one_other_piece_is_enough() {
    let ascii = "The quick brown fox jumps over the lazy dog, and then it does the same once more.";
    for chosen in Charset::all() {
        let mut objector = Objector::new(chosen);
        objector.feed(ascii.as_bytes(), true);
        assert_eq!(objector.objection(), None, "{chosen}");
    }
    for pieces in [["", RUSSIAN, ascii], [ascii, RUSSIAN, ""], [ascii, RUSSIAN, ascii]] {
        let mut objector = Objector::new(charset("windows-1251"));
        for (number, piece) in pieces.into_iter().enumerate() {
            objector.feed(&KOI8_R.encode(piece).bytes, number == 2);
        }
        assert_eq!(objector.objection().and_then(|objection| objection.fitting), Some(KOI8_R.into()));
    }
}

/// The doubt about the first of some candidates, and the probabilities after it.
fn doubt_about(
    first: Candidate,
    others: &[(&str, f32, usize)],
    rivals: &[(&str, f32, usize)],
    bytes: &[u8],
) -> (Option<Doubt>, Vec<f32>) {
    let of = |&(label, probability, group): &(&str, f32, usize)| candidate(label, probability, group);
    let mut candidates = vec![first];
    candidates.extend(others.iter().map(of));
    let rivals: Vec<_> = rivals.iter().map(of).collect();
    let doubt = doubt(&mut candidates, &rivals, &sample_of(bytes));
    (doubt, candidates.into_iter().map(|candidate| candidate.probability.unwrap()).collect())
}

#[test]
fn of_several_reasons_to_doubt_the_strongest_is_told() {
    // In ISO-8859-2, "µ" is "ľ". Both charsets have "äÄ", which is odd.
    let (utf_8, odd, signs) = ("] [输出选项]\n".as_bytes(), &b"\xE4\xC4\xE4\xC4 "[..], &b"5 \xB5m "[..]);
    let (own, western, cyrillic) = ("iso-8859-2", "windows-1252", "koi8-r");
    let other = Some(Doubt::Rival(charset(cyrillic)));
    let better = Some(Doubt::Signs(charset(western)));
    for (parts, rival, expected) in [
        (&[utf_8, odd, signs][..], cyrillic, Some(Doubt::Mixed)),
        (&[utf_8], own, Some(Doubt::Mixed)),
        (&[odd, signs], cyrillic, other),
        (&[odd], cyrillic, other),
        (&[odd, signs], own, Some(Doubt::Odd)),
        (&[odd], own, Some(Doubt::Odd)),
        (&[signs], own, better),
        (&[b"\xE9t\xE9 "], own, None),
    ] {
        let others = [(western, 0.2, 1)];
        let (found, _) = doubt_about(candidate(own, 0.8, 0), &others, &[(rival, 0.9, 0)], &parts.concat());
        assert_eq!(found, expected, "{parts:X?} {rival}");
    }
    // Another charset whose signs are better is among the candidates, or among the rivals alone.
    let rivals = [(own, 0.6, 0), (western, 0.4, 1)];
    assert_eq!(doubt_about(candidate(own, 0.8, 0), &[], &rivals, signs).0, better);
    assert_eq!(doubt_about(candidate(own, 0.8, 0), &[(western, 0.2, 1)], &[], signs).0, better);
    // The language is asked last.
    for (bytes, language, is_in_language, expected) in [
        (signs, Some("en"), false, better),
        (b"// \xB5a \xB5e", Some("en"), false, Some(Doubt::Foreign)),
        (b"// \xB5a \xB5e", Some("en"), true, Some(Doubt::Foreign)),
        (b"// \xB5a \xB5e", None, true, None),
        (b"// \xB5a \xB5e", None, false, Some(Doubt::Language)),
        (b"caf\xE9 caf\xE9", Some("en"), false, Some(Doubt::Language)),
        (b"caf\xE9 caf\xE9", Some("en"), true, None),
    ] {
        let first = Candidate { language, is_in_language, ..candidate(own, 0.8, 0) };
        let others = if bytes == signs { &[(western, 0.2, 1)][..] } else { &[] };
        assert_eq!(doubt_about(first, others, &[], bytes).0, expected, "{bytes:X?} {language:?} {is_in_language}");
    }
    let unicode = candidate("utf-8", 0.8, 0);
    assert_eq!(doubt_about(unicode, &[], &[(cyrillic, 0.9, 0)], utf_8), (None, vec![0.8]));
}

#[test]
fn a_doubt_and_the_rivals_bound_the_probability_of_the_first_group() {
    let (own, same, western, cyrillic) = ("iso-8859-2", "windows-1250", "windows-1252", "koi8-r");
    for (bytes, rivals, expected) in [
        // Nothing changes.
        (&b"\xE9t\xE9"[..], &[][..], [0.5, 0.5, 0.25, 0.25]),
        (b"\xE9t\xE9", &[(own, 0.75, 0), (western, 0.25, 1)], [0.5, 0.5, 0.25, 0.25]),
        // Beside the rivals, the charset has less.
        (b"\xE9t\xE9", &[(own, 0.375, 0), (western, 0.25, 1), (cyrillic, 0.375, 2)], [0.375, 0.375, 0.25, 0.25]),
        // The text is odd.
        (b"\xE4\xC4\xE4\xC4", &[], [0.07, 0.07, 0.25, 0.25]),
    ] {
        let others = [(same, 0.5, 0), (western, 0.25, 1), (cyrillic, 0.25, 2)];
        let (_, found) = doubt_about(candidate(own, 0.5, 0), &others, rivals, bytes);
        assert_eq!(found, expected, "{bytes:X?} {rivals:?}");
    }
    // A charset whose text has signs at worse places does not count against the first one.
    let first = || candidate(western, 0.5, 0);
    let found = |rivals: &[(&str, f32, usize)]| doubt_about(first(), &[(own, 0.375, 1)], rivals, b"5 \xB5m").1;
    assert_eq!(found(&[]), [0.875, 0.375]);
    assert_eq!(found(&[(western, 0.25, 0), (own, 0.5, 1)]), [0.75, 0.375]);
    assert_eq!(found(&[(western, 0.25, 0), ("gbk", 0.75, 1)]), [0.25, 0.375]);
}

#[test]
fn a_charset_is_compared_with_four_other_texts() {
    let sample = sample_of(b"5 \xB5m");
    // In these, "µm" is one character, and the text is not compared. ISO-8859-2 is the fourth or fifth other one.
    let others = ["gbk", "big5", "euc-kr", "gb18030"];
    let western = "windows-1252";
    for (before, expected) in [(3, 0.75), (4, 0.5)] {
        let mut candidates = vec![candidate(western, 0.5, 0)];
        let labels = others[..before].iter().chain(["iso-8859-2"].iter());
        candidates.extend(labels.zip(1..).map(|(label, group)| candidate(label, 0.25, group)));
        let standing = Standing::of(charset(western), &candidates, &sample);
        assert_eq!(standing.probability, expected, "{before}");
    }
    // The first of two charsets with better signs is told.
    let labels = ["iso-8859-2", western, "iso-8859-9"];
    let candidates: Vec<_> = labels.iter().zip(0..).map(|(label, group)| candidate(label, 0.3, group)).collect();
    let standing = Standing::of(charset("iso-8859-2"), &candidates, &sample);
    assert_eq!(standing.better, Some(charset(western)));
}

#[test]
fn encodings_to_choose_from_without_statistics_stand_after_the_others() {
    for (labels, bytes, charset_name, probability, groups) in [
        (&["atarist", "hp-roman8"][..], &b"f\xFCr"[..], "atarist", None, &[0, 1][..]),
        (&["atarist"], b"f\xFCr", "atarist", Some(1.0), &[0]),
        (&["atarist", "utf-8"], b"f\xFCr", "atarist", Some(1.0), &[0]),
        (&["hp-roman8", "atarist", "cp1047"], b"\xC6\xD8\xCC", "hp-roman8", None, &[0, 1, 2]),
    ] {
        let guess = super::guess(bytes, &among(labels)).unwrap();
        let found: Vec<_> = guess.candidates.iter().map(|candidate| candidate.group).collect();
        assert_eq!((guess.charset, guess.reason.probability()), (charset(charset_name), probability), "{labels:?}");
        assert_eq!(found, groups, "{labels:?}");
    }
    // In windows-1252, the byte 81 is a control character, as in Latin-1; in Atari ST it is a letter.
    let latin = ["windows-1252", "exact-iso-8859-1", "atarist"];
    for labels in [[latin[0], latin[1], latin[2]], [latin[0], latin[2], latin[1]]] {
        let guess = super::guess(b"f\x81r M\x81ller", &among(&labels)).unwrap();
        assert_eq!((guess.charset, guess.reason), (charset("atarist"), Reason::FewestControls), "{labels:?}");
    }
    let german = WINDOWS_1252.encode("Grüße aus München, und viele Wünsche").bytes;
    let guess = super::guess(&german, &among(&["atarist", "windows-1252"])).unwrap();
    let Reason::Statistics { language, probability: None, doubt: None } = guess.reason else { panic!("{guess:?}") };
    assert_eq!(language, Some("de"));
}

/// Texts and the charsets in which they are guessed.
const TEXTS: [(&[&str], &str); 18] = [
    (&["windows-1252", "macintosh", "cp850"], "Le café est fermé à midi, l’hôtel aussi, et le théâtre"),
    (&["windows-1252", "cp850", "cp273", "cp037"], "Die Straße war sehr schön, die Häuser größer."),
    (&["windows-1250", "iso-8859-2", "cp852"], "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    (&["windows-1250", "iso-8859-2", "x-mac-ce"], "Zażółć gęślą jaźń, powiedział stary człowiek."),
    (&["windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic", "cp855"], RUSSIAN),
    (&["koi8-u", "windows-1251"], "Єдиний її сусід ґречно з'їв ще п'ять гарних груш у саду."),
    (&["windows-1253", "cp737"], "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"),
    (&["windows-1254", "cp857"], "Dün akşam komşumuz taze balık ve ekmek getirdi."),
    (&["windows-1255", "cp862"], "שלום עולם, מה שלומך היום"),
    (&["windows-1256"], "مرحبا بالعالم، كيف حالك اليوم"),
    (&["windows-1257", "cp775"], "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą"),
    (&["viscii"], "Một hôm, mẹ tôi đi chợ về rất muộn."),
    (&["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"], "日本語の文章をエンコードして書いたものです。"),
    (&["gbk", "gb18030", "hz-gb-2312"], "我们在这里看到了很多有趣的书"),
    (&["big5"], "這是一個用繁體中文寫成的句子。"),
    (&["euc-kr", "johab"], "우리 집은 언덕 위에 있는 작은 집이다."),
    (&["windows-874"], "ภาษาไทยเป็นภาษาที่มีระดับเสียง"),
    (&["windows-1252", "iso-8859-15"], "between 1–2 of 5 µm, at 20 °C"),
];

/// Guesses with each kind of hints, and objections. `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned`
/// writes the file after an intended change.
#[test]
fn the_guesses_for_texts_are_the_pinned_ones() {
    let new = Hints::new;
    let tiers = || Tier::ALL.to_vec();
    let hints = [
        ("nothing", new()),
        ("tiers", Hints { tiers: tiers(), ..new() }),
        ("names", Hints { tiers: tiers(), are_names: true, ..new() }),
        ("languages", Hints { languages: ["cs", "uk", "vi"].map(str::to_owned).to_vec(), ..new() }),
        ("domains", Hints { domains: ["tr", "bg", "tw"].map(str::to_owned).to_vec(), ..new() }),
        ("some", among(&["utf-8", "windows-1252", "windows-1251", "shift_jis", "cp850", "cp273", "atarist"])),
        ("two", among(&["exact-iso-8859-1", "koi8-r"])),
    ];
    let mut texts: Vec<(String, Vec<u8>)> = vec![
        ("nothing".to_owned(), Vec::new()),
        ("ASCII".to_owned(), b"one line of text\n".to_vec()),
        ("ASCII with a shift".to_owned(), b"one\x0E line of\x0F text\n".to_vec()),
        ("UTF-16".to_owned(), "Großbritannien".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("a picture".to_owned(), b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec()),
        ("code".to_owned(), b"// kana\xB8\nfunction f0() { return 712; }\n// see above\n".to_vec()),
    ];
    for (labels, text) in TEXTS {
        let number = text.chars().take(12).collect::<String>();
        texts.extend(labels.iter().filter_map(|label| {
            let mut encoder = Charset::for_label(label).unwrap_or(charset("HZ")).new_encoder()?;
            let mut bytes = vec![0; text.len() * 4];
            let written = encoder.encode(text, &mut bytes, true).written;
            bytes.truncate(written);
            Some((format!("{number} in {label}"), bytes))
        }));
    }
    let mut table = String::new();
    for (name, bytes) in texts {
        for (of, hints) in &hints {
            let found = super::guess(&bytes, hints).map_or_else(
                |error| error.to_string(),
                |guess| {
                    let candidates = guess.candidates.iter().take(3).map(|candidate| {
                        let Candidate { charset, language, probability, group, .. } = candidate;
                        let probability = Probability(*probability).to_string().replace("probability ", "");
                        format!("{charset} {} {probability} {group}", language.unwrap_or("-"))
                    });
                    let (charset, reason) = (guess.charset, guess.reason);
                    format!("{charset}: {reason}\t{}", candidates.collect::<Vec<_>>().join(", "))
                },
            );
            table += &format!("{name}\t{of}\t{found}\n");
        }
        let objections = ["windows-1252", "windows-1251", "iso-8859-2", "shift_jis", "cp850"].map(|chosen| {
            let mut objector = Objector::new(charset(chosen));
            objector.feed(&bytes, true);
            let found = objector.objection();
            found.map_or("none".to_owned(), |found| match found.fitting {
                Some(fitting) => format!("{fitting} {} {}", found.language.unwrap_or("-"), found.percent),
                None => "odd".to_owned(),
            })
        });
        table += &format!("{name}\tobjections\t{}\n", objections.join(", "));
    }
    crate::pinned::compare("guesses.tsv", &table);
}
