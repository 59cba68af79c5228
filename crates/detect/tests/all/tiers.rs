//! The encodings beyond the Standard, which compete only if they are asked for.

use textcodec_charsets::{Charset, dos, east_asian::JOHAB, ebcdic, mac, regional};
use textcodec_detect::{Detector, Name, Options, Tier, detect, detect_with};

use crate::sentences::SENTENCES;

/// The charsets in which the sentences of a language are written.
const CHARSETS: &[(&str, &[Charset], &[Charset])] = &[
    ("ar", &[dos::CP720], &[mac::MACARABIC]),
    ("bg", &[dos::IBM855, dos::MIK], &[]),
    ("cs", &[dos::IBM852], &[mac::MAC_CENTRALEUROPE]),
    ("da", &[dos::IBM850, dos::IBM865], &[]),
    ("de", &[dos::IBM437, dos::IBM850], &[]),
    ("el", &[dos::CP737, dos::IBM869], &[mac::MACGREEK]),
    ("es", &[dos::IBM437, dos::IBM850], &[]),
    ("fr", &[dos::IBM850, dos::IBM863], &[]),
    ("he", &[dos::IBM862], &[mac::MACHEBREW]),
    ("hr", &[dos::IBM852], &[mac::MACCROATIAN]),
    ("hu", &[dos::IBM852], &[mac::MAC_CENTRALEUROPE]),
    ("is", &[dos::IBM850, dos::IBM861], &[mac::MACICELAND]),
    ("lt", &[dos::CP775], &[mac::MAC_CENTRALEUROPE]),
    ("pl", &[dos::IBM852], &[mac::MAC_CENTRALEUROPE]),
    ("pt", &[dos::IBM850, dos::IBM860], &[]),
    ("ro", &[dos::IBM852], &[]),
    ("ru", &[dos::IBM855], &[]),
    ("th", &[], &[mac::MACTHAI]),
    ("tr", &[dos::IBM857], &[mac::MACTURKISH]),
    ("uk", &[dos::CP1125], &[]),
];

const ALL: [Tier; 5] = [Tier::Dos, Tier::Mac, Tier::Ebcdic, Tier::Johab, Tier::Vietnamese];

/// A sentence in a charset, without the characters that the charset does not have.
fn encode(language: &str, charset: Charset) -> Vec<u8> {
    let (_, _, text) = SENTENCES.iter().find(|(code, _, _)| *code == language).unwrap();
    text.chars()
        .filter_map(|character| charset.encode_or_fail(character.encode_utf8(&mut [0; 4])).ok())
        .flatten()
        .collect()
}

/// The text that a candidate gives.
fn decode(bytes: &[u8], name: &str) -> String {
    let charset = Charset::all().find(|charset| charset.name() == name);
    charset.map_or_else(|| crate::decode(bytes, name), |charset| charset.decode(bytes).0)
}

#[test]
fn a_sentence_in_an_encoding_of_a_tier_is_found_if_the_tier_competes() {
    for (language, dos, mac) in CHARSETS {
        for (tier, charsets) in [(Tier::Dos, dos), (Tier::Mac, mac)] {
            for &charset in *charsets {
                let bytes = encode(language, charset);
                let detection = detect_with(&bytes, &Options::new().tier(tier));
                let best = detection.best().unwrap();
                let expected = charset.decode(&bytes).0;
                assert_eq!(decode(&bytes, best.name()), expected, "{language} in {}: {best:?}", charset.name());
            }
        }
    }
}

#[test]
fn texts_in_encodings_of_the_standard_stay_what_they_are_beside_all_tiers() {
    let options = ALL.into_iter().fold(Options::new(), Options::tier);
    for (language, labels, text) in SENTENCES {
        for label in *labels {
            let bytes = crate::encode(text, label);
            let best = detect_with(&bytes, &options).best().cloned().unwrap();
            assert_eq!(decode(&bytes, best.name()), crate::decode(&bytes, label), "{language} in {label}: {best:?}");
        }
    }
}

#[test]
fn without_a_tier_its_encodings_are_no_candidates() {
    let bytes = encode("cs", dos::IBM852);
    assert!(detect(&bytes).candidates().iter().all(|candidate| candidate.encoding().is_some()));
    let with_mac = detect_with(&bytes, &Options::new().tier(Tier::Mac));
    assert!(with_mac.candidates().iter().all(|candidate| candidate.name() != "IBM852"));
}

#[test]
fn charsets_of_tiers_compete_if_they_are_named_and_nothing_else_does() {
    let bytes = encode("cs", dos::IBM852);
    let options = Options::new().among_charsets([dos::IBM437, dos::IBM850, dos::IBM852]);
    let detection = detect_with(&bytes, &options);
    assert_eq!(detection.best().unwrap().name(), "IBM852");
    assert!(detection.candidates().iter().all(|candidate| candidate.encoding().is_none()));
    // In either order, with encodings of the Standard.
    for options in [
        options.clone().among([Name::Windows1250]),
        Options::new().among([Name::Windows1250]).among_charsets([dos::IBM852]),
    ] {
        assert_eq!(detect_with(&bytes, &options).best().unwrap().name(), "IBM852");
        let windows = crate::encode(SENTENCES.iter().find(|(code, _, _)| *code == "cs").unwrap().2, "windows-1250");
        assert_eq!(detect_with(&windows, &options).encoding(), Some(Name::Windows1250));
    }
}

#[test]
fn sentences_in_code_pages_of_mainframes_are_found_if_this_tier_competes() {
    let pages: [(&str, &[Charset]); 13] = [
        ("en", &[ebcdic::IBM037, ebcdic::IBM1047, ebcdic::IBM500]),
        ("de", &[ebcdic::IBM037, ebcdic::IBM273, ebcdic::IBM500]),
        ("fr", &[ebcdic::IBM037, ebcdic::IBM297]),
        ("es", &[ebcdic::IBM037, ebcdic::IBM284]),
        ("it", &[ebcdic::IBM037, ebcdic::IBM280]),
        ("sv", &[ebcdic::IBM037, ebcdic::IBM278]),
        ("da", &[ebcdic::IBM037, ebcdic::IBM277]),
        ("cs", &[ebcdic::IBM870]),
        ("pl", &[ebcdic::IBM870]),
        ("tr", &[ebcdic::IBM1026]),
        ("el", &[ebcdic::IBM875]),
        ("ru", &[ebcdic::IBM1025, ebcdic::IBM880]),
        ("lt", &[ebcdic::IBM1112]),
    ];
    for (language, charsets) in pages {
        for &charset in charsets {
            let bytes = encode(language, charset);
            let detection = detect_with(&bytes, &Options::new().tier(Tier::Ebcdic));
            let best = detection.best().unwrap();
            let expected = charset.decode(&bytes).0;
            assert_eq!(decode(&bytes, best.name()), expected, "{language} in {}: {best:?}", charset.name());
        }
    }
}

#[test]
fn johab_is_found_if_its_tier_competes_or_if_it_is_named() {
    let bytes = encode("ko", JOHAB);
    assert!(detect(&bytes).candidates().iter().all(|candidate| candidate.name() != "JOHAB"));
    let all = ALL.into_iter().fold(Options::new(), Options::tier);
    let named = Options::new().among([Name::EucKr, Name::Gbk]).among_charsets([JOHAB]);
    for options in [Options::new().tier(Tier::Johab), all, named] {
        let detection = detect_with(&bytes, &options);
        let best = detection.best().unwrap();
        assert_eq!((best.name(), best.encoding(), best.language()), ("JOHAB", None, Some("ko")));
        assert!(best.probability() > 0.95, "{best:?}");
        let mut detector = Detector::with_options(options.clone());
        bytes.chunks(7).for_each(|chunk| detector.feed(chunk));
        assert_eq!(detector.finish(), detection);
        let euc_kr = crate::encode(SENTENCES.iter().find(|(code, _, _)| *code == "ko").unwrap().2, "euc-kr");
        assert_eq!(detect_with(&euc_kr, &options).encoding(), Some(Name::EucKr));
    }
    // The first byte is missing.
    let options = Options::new().tier(Tier::Johab).starts_mid_stream(true);
    assert_eq!(detect_with(&bytes[1..], &options).best().unwrap().name(), "JOHAB");
    let others = Options::new().among([Name::EucKr]).tier(Tier::Johab);
    assert!(detect_with(&bytes, &others).candidates().iter().all(|candidate| candidate.name() != "JOHAB"));
}

#[test]
fn vietnamese_in_single_bytes_is_found_if_its_tier_competes_or_if_it_is_named() {
    let text = "Tối hôm qua tôi gặp một người bạn cũ trước nhà ga.";
    for charset in [regional::VISCII, regional::TCVN5712_1] {
        let bytes = charset.encode_or_fail(text).unwrap();
        assert!(detect(&bytes).candidates().iter().all(|candidate| candidate.encoding().is_some()));
        let all = ALL.into_iter().fold(Options::new(), Options::tier);
        let named = Options::new().among([Name::Windows1252, Name::Windows1258]).among_charsets([charset]);
        for options in [Options::new().tier(Tier::Vietnamese), all, named] {
            let detection = detect_with(&bytes, &options);
            let best = detection.best().unwrap();
            assert_eq!((best.name(), best.encoding(), best.language()), (charset.name(), None, Some("vi")));
            assert!(best.probability() > 0.95, "{detection:?}");
            let marks = "Tô\u{301}i hôm qua tôi gă\u{323}p mô\u{323}t ngươ\u{300}i ba\u{323}n cu\u{303}.";
            let windows = crate::encode(marks, "windows-1258");
            assert_eq!(detect_with(&windows, &options).encoding(), Some(Name::Windows1258));
        }
    }
}
