//! What the caller knows.

use textcodec_detect::{
    Detector, MODEL_VERSION, Name, Options, Platform, Verdict, detect, detect_with, has_letter, has_statistics,
};

use crate::{encode, sentences::SENTENCES};

fn sentence(language: &str) -> &'static str {
    SENTENCES.iter().find(|(code, _, _)| *code == language).unwrap().2
}

#[test]
fn only_the_encodings_named_by_among_compete() {
    let bytes = encode(sentence("ru"), "koi8-r");
    let names = [Name::Windows1251, Name::Koi8R, Name::Ibm866];
    let detection = detect_with(&bytes, &Options::new().among(names));
    assert_eq!(detection.encoding(), Some(Name::Koi8R));
    assert!(detection.candidates().iter().all(|candidate| names.contains(&candidate.encoding().unwrap())));
    for name in names {
        let asked = detect_with(&bytes, &Options::new().among([name]));
        assert_eq!(asked.encoding(), Some(name), "{asked:?}");
    }
}

#[test]
fn an_encoding_without_a_model_competes_by_its_errors() {
    // The bytes 0x80 to 0x9F are control characters in ISO-8859-10, and all of them are letters here.
    let bytes = encode("БОЛЬШОЙ ПРИВЕТ", "ibm866");
    let detection =
        detect_with(&bytes, &Options::new().among([Name::Iso8859_10, Name::Windows1252, Name::XUserDefined]));
    assert_ne!(detection.encoding(), Some(Name::Iso8859_10), "{detection:?}");
    assert_eq!(detect_with(&bytes, &Options::new().among([Name::XUserDefined])).encoding(), Some(Name::XUserDefined));
}

#[test]
fn an_excluded_encoding_is_not_the_answer() {
    let bytes = encode(sentence("de"), "windows-1252");
    let detection = detect_with(&bytes, &Options::new().exclude([Name::Windows1252]));
    assert!(detection.candidates().iter().all(|candidate| candidate.encoding() != Some(Name::Windows1252)));
    assert_eq!(detect(&bytes).encoding(), Some(Name::Windows1252));
}

#[test]
fn utf_8_that_does_not_compete_is_not_the_answer() {
    let detection = detect_with("Größe".as_bytes(), &Options::new().among([Name::Windows1252, Name::Windows1250]));
    assert_eq!(detection.verdict(), Verdict::Legacy);
    let detection = detect_with("Größe".as_bytes(), &Options::new().exclude([Name::Utf8]));
    assert_ne!(detection.encoding(), Some(Name::Utf8));
}

#[test]
fn a_language_a_domain_a_platform_and_a_label_decide_where_the_text_does_not() {
    // "Č." and "È." are both possible.
    let bytes = b"\xC8. ";
    let with = |options: Options| detect_with(bytes, &options).encoding();
    assert_eq!(with(Options::new().language("cs").declared("windows-1250")), Some(Name::Windows1250));
    assert_eq!(with(Options::new().language("it").declared("latin1")), Some(Name::Windows1252));
    assert_eq!(with(Options::new().top_level_domain("ru").declared("koi8-r")), Some(Name::Koi8R));
    let quote = b"don\xD5t";
    let mac = detect_with(quote, &Options::new().platform(Platform::Mac).language("en"));
    assert_eq!(mac.encoding(), Some(Name::Macintosh));
}

#[test]
fn codes_and_domains_mean_the_same_in_any_case_and_with_more_subtags() {
    let language = |code: &str| Options::new().language(code);
    for (code, others) in [
        ("de", &["DE", "de-AT", "De-1996"][..]),
        ("nb", &["NB", "no", "NO", "no-NO", "nn", "nn-NO"]),
        ("hr", &["bs", "bs-BA", "HR-hr"]),
        ("he", &["iw", "IW-IL"]),
        ("ja", &["JA-jp"]),
        ("zh-Hans", &["zh", "ZH", "zh-cn", "zh-SG", "zh-hans-HK"]),
        ("zh-Hant", &["zh-TW", "zh-tw", "ZH-HK", "zh-mo", "zh-HANT-CN"]),
    ] {
        assert_ne!(language(code), Options::new(), "{code}");
        for other in others {
            assert_eq!(language(other), language(code), "{other}");
        }
    }
    assert_eq!(Options::new().top_level_domain("RU"), language("ru"));
}

#[test]
fn unknown_codes_domains_and_labels_change_nothing() {
    let options = Options::new().language("tlh").language("").top_level_domain("example").declared("no label");
    assert_eq!(options, Options::new());
}

#[test]
fn a_text_that_starts_inside_of_a_character_is_read_from_the_next_one() {
    for label in ["gbk", "big5", "shift_jis", "euc-jp", "euc-kr"] {
        let language = match label {
            "gbk" => "zh-Hans",
            "big5" => "zh-Hant",
            "euc-kr" => "ko",
            _ => "ja",
        };
        let bytes = encode(sentence(language), label);
        let detection = detect_with(&bytes[1..], &Options::new().starts_mid_stream(true));
        assert_eq!(detection.best().map(|best| best.name().to_lowercase()), Some(label.to_owned()), "{detection:?}");
    }
}

#[test]
fn statistics_and_letters_are_those_of_the_model() {
    let without: Vec<_> = Name::ALL.into_iter().filter(|&name| !has_statistics(name)).map(Name::as_str).collect();
    assert_eq!(without, ["UTF-8", "ISO-2022-JP", "replacement", "UTF-16BE", "UTF-16LE", "x-user-defined"]);
    for (language, letters, others) in
        [("de", "äöüß", "éжα"), ("ru", "жЫё", "äї"), ("el", "αώ", "жä"), ("tr", "ğışİ", "æ")]
    {
        for (text, expected) in [(letters, true), (others, false)] {
            text.chars()
                .for_each(|letter| assert_eq!(has_letter(language, letter), Some(expected), "{language} {letter}"));
        }
        // ASCII is in every language and tells nothing.
        assert_eq!(has_letter(language, 'a'), Some(false), "{language}");
    }
    assert_eq!((has_letter("ja", 'あ'), has_letter("tlh", 'ä')), (None, None));
    // A change of the model also changes the pinned files.
    assert_eq!((detect(b"a").model_version(), MODEL_VERSION), (1, 1));
    assert_eq!(Detector::default().finish(), Detector::with_options(Options::default()).best_so_far());
}

#[test]
fn of_encodings_that_give_the_same_text_the_declared_one_comes_first_and_an_excluded_one_is_missing() {
    // The prices of these encodings of a text differ by less than a declaration is worth.
    for (language, label, same) in [
        ("zh-Hans", "gbk", &["GBK", "gb18030"][..]),
        ("ru", "koi8-r", &["KOI8-R", "KOI8-U"]),
        ("he", "windows-1255", &["windows-1255", "ISO-8859-8-I", "ISO-8859-8"]),
        ("de", "windows-1252", &["windows-1252", "windows-1250", "ISO-8859-2", "ISO-8859-15"]),
    ] {
        let bytes = encode(sentence(language), label);
        let first_group = |options: Options| {
            let detection = detect_with(&bytes, &options);
            let group = detection.candidates().iter().filter(|candidate| candidate.group() == 0);
            group.map(|candidate| (candidate.name().to_owned(), candidate.probability())).collect::<Vec<_>>()
        };
        let names = |options: Options| first_group(options).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(Options::new()), same, "{language}");
        for name in same {
            let others: Vec<_> = same.iter().filter(|other| *other != name).copied().collect();
            let declared = [&[*name], &*others].concat();
            assert_eq!(names(Options::new().declared(name)), declared, "{language}, {name} is declared");
            let id = Name::for_label(name.as_bytes()).unwrap();
            assert_eq!(names(Options::new().exclude([id])), others, "{language} without {name}");
            // All of a group have the same probability.
            let group = first_group(Options::new().declared(name));
            assert!(group.iter().all(|(_, probability)| *probability == group[0].1), "{group:?}");
        }
    }
}
