//! The functions that find out an encoding by what is known, by bytes or by languages, and the repair.

use std::ptr::null;

use textcodec::{
    Name,
    detect::{Detection, Detector, Options, Platform, Verdict, detect_with},
    sniff::{Confidence, Context, Hints, Label, Resource, Rung, Sniffer},
};
use textcodec_capi as capi;
use textcodec_convert::{Charset, Repair};

use super::{Coded, parts, text};

const CONFIDENCES: [Confidence; 3] = [Confidence::Certain, Confidence::Tentative, Confidence::Irrelevant];
const RESOURCES: [Resource; 6] =
    [Resource::Html, Resource::Xml, Resource::Css, Resource::Script, Resource::Json, Resource::Text];

/// No knowledge: zeros.
pub(super) fn no_hints() -> capi::textcodec_hints {
    capi::textcodec_hints {
        definite: 0,
        override_charset: 0,
        transport: 0,
        charset_attribute: 0,
        environment: 0,
        container: 0,
        history: 0,
        fallback: 0,
        resource: 0,
        locale_length: 0,
        locale: null(),
    }
}

/// Sets the hint number `place` to `value`, in C and in Rust.
fn set(place: usize, value: u32, own: &mut capi::textcodec_hints, model: &mut Hints<'_>) {
    let name = Name::ALL.get((value as usize).wrapping_sub(1)).copied();
    let label = if value == u32::MAX { Some(Label::Unknown) } else { name.map(Label::Encoding) };
    match place {
        0 => (own.definite, model.definite) = (value, name),
        1 => (own.override_charset, model.override_charset) = (value, label),
        2 => (own.transport, model.transport) = (value, label),
        3 => (own.charset_attribute, model.charset_attribute) = (value, label),
        4 => (own.environment, model.environment) = (value, name),
        5 => (own.container, model.container) = (value, name),
        6 => (own.history, model.history) = (value, name),
        7 => (own.fallback, model.default) = (value, name),
        8 => {
            own.resource = value;
            model.resource = RESOURCES.get((value as usize).wrapping_sub(1)).copied();
        }
        _ => {
            let locale = ["", "ru", "zh-cmn-Hant-TW", "ja\u{E9}"][value as usize % 4];
            (own.locale, own.locale_length) = (locale.as_ptr().cast(), locale.len() as u32);
            model.locale = Some(locale).filter(|locale| locale.is_ascii() && !locale.is_empty());
        }
    }
}

const PAGES: [&[u8]; 7] = [
    b"",
    b"a",
    b"\xEF\xBB\xBFa",
    b"<meta charset=koi8-r><title>x",
    b"<?xml version='1.0' encoding='koi8-r'?><a/>",
    b"@charset \"koi8-r\"; a {}",
    b"<?xml version='1.0' enc",
];

/// Sniffs with the Rust library and with C, also with bits among the flags that mean nothing.
fn compare_sniffing(context: u32, own: Option<&capi::textcodec_hints>, model: Hints<'_>, page: &[u8]) {
    let of_rust = Context::ALL.get((context as usize).wrapping_sub(1));
    let (bytes, length) = parts(page);
    for (flags, last) in [(0, false), (capi::TEXTCODEC_LAST, true), (!capi::TEXTCODEC_LAST, false), (u32::MAX, true)] {
        let hints = own.map_or(null(), |own| own);
        // SAFETY: the pointers and the length are those of the hints and of the bytes.
        let found = unsafe { capi::textcodec_sniff(context, hints, bytes.cast(), length, flags) };
        let expected = of_rust.and_then(|&context| Sniffer::new(context, model).sniff(page, last));
        let expected = expected.map_or((0, 0, 0), |sniffed| {
            let confidence = CONFIDENCES.iter().position(|other| *other == sniffed.confidence).unwrap() as u32 + 1;
            let rung = Rung::ALL.iter().position(|other| *other == sniffed.rung).unwrap() as u32 + 1;
            (sniffed.encoding as u32 + 1, confidence, rung)
        });
        assert_eq!((found.encoding, found.confidence, found.rung), expected, "{context}, {own:?}, {flags:X}, {page:?}");
    }
}

#[test]
fn each_context_follows_each_pair_of_hints_as_in_rust() {
    let values = |place| match place {
        8 => [1, 2, 3, 6],
        9 => [0, 1, 2, 3],
        // KOI8-U, UTF-16LE, no encoding, and a label that names none.
        _ => [17, 39, 41, u32::MAX],
    };
    for context in 0..=Context::ALL.len() as u32 + 1 {
        for page in PAGES {
            compare_sniffing(context, None, Hints::default(), page);
        }
        for first in 0..10 {
            for second in 0..=first {
                for (round, (one, other)) in values(first).into_iter().zip(values(second).into_iter().rev()).enumerate()
                {
                    let (mut own, mut model) = (no_hints(), Hints::default());
                    set(first, one, &mut own, &mut model);
                    set(second, other, &mut own, &mut model);
                    compare_sniffing(context, Some(&own), model, PAGES[(first + second + round) % PAGES.len()]);
                }
            }
        }
    }
    compare_sniffing(u32::MAX, None, Hints::default(), b"a");
}

#[test]
fn a_content_type_sets_two_hints_as_in_rust() {
    for value in [
        "",
        "text/html",
        "TEXT/HTML;CHARSET=sjis",
        "application/xhtml+xml; charset=utf-9",
        "text/css ;charset=gbk",
        "image/svg+xml",
        "application/json;charset=",
        "text/javascript; x=y; charset=\"utf-8\"",
        "text/plain; charset=gbk; charset=big5",
        "nonsense",
        "a/b",
    ] {
        for before in [0, 9] {
            let mut own = capi::textcodec_hints {
                definite: 3,
                transport: before,
                resource: before,
                locale_length: 5,
                ..no_hints()
            };
            let (value, length) = parts(value.as_bytes());
            // SAFETY: the pointers and the length are those of the hints and of the value.
            unsafe { capi::textcodec_hints_from_content_type(&raw mut own, value.cast(), length) };
            // SAFETY: as above.
            unsafe { capi::textcodec_hints_from_content_type(std::ptr::null_mut(), value.cast(), length) };
            // SAFETY: null has no bytes.
            let value = if value.is_null() { &[][..] } else { unsafe { std::slice::from_raw_parts(value, length) } };
            let model = Hints::from_content_type(value);
            let transport = match model.transport {
                None => 0,
                Some(Label::Encoding(name)) => name as u32 + 1,
                Some(Label::Unknown) => u32::MAX,
            };
            let resource =
                RESOURCES.iter().position(|other| Some(*other) == model.resource).map_or(0, |at| at as u32 + 1);
            assert_eq!((own.transport, own.resource), (transport, resource), "{value:?}");
            assert_eq!((own.definite, own.locale_length, own.locale), (3, 5, null()));
        }
    }
}

#[test]
fn every_number_has_the_name_that_it_has_in_rust() {
    for number in (0..=60).chain([255, 256, 1 << 31, u32::MAX]) {
        let place = (number as usize).wrapping_sub(1);
        let names = [
            capi::textcodec_context_name(number),
            capi::textcodec_confidence_name(number),
            capi::textcodec_rung_name(number),
            capi::textcodec_verdict_name(number),
        ];
        let verdicts =
            "empty ascii utf-8 damaged-utf-8 utf-16 utf-32 iso-2022 hz utf-7 legacy mixed binary unknown other";
        let expected = [
            Context::ALL.get(place).map(|context| context.name()),
            CONFIDENCES.get(place).map(|confidence| confidence.as_str()),
            Rung::ALL.get(place).map(|rung| rung.as_str()),
            if place > 99 { None } else { verdicts.split(' ').nth(place) },
        ];
        assert_eq!(names.map(text), expected.map(|name| name.unwrap_or_default()), "{number}");
    }
}

/// Texts of each kind, and short ones for which what is known decides.
const TEXTS: [&[u8]; 18] = [
    b"",
    b"plain",
    b"na\xC3\xAFve",
    b"\xEF\xBB\xBFa",
    b"\xC3\xA9 \xC3\xA9 \xC3\xA9 \xFF \xFE",
    b"p\0l\0a\0i\0n\0\n\0",
    b"\xFF\xFEa\0",
    b"\xFF\xFE\0\0a\0\0\0",
    b"a\x1B$B%F%9%H\x1B(B",
    b"This is ~{<:Ky2;NpJ)~}.\n",
    b"Hi Mom +Jjo-! Gr+APwA3w-e aus M+APw-nchen\n",
    b"line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0",
    b"PK\x03\x04\x14\0\0\0\x08\0",
    b"\xF0\xD2\xC9\xD7\xC5\xD4",
    b"\xC8. ",
    b"\xA4\xA4\xA4\xE5",
    b"\xFA\x96\x7B\x8C\xEA",
    b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83",
];

fn nothing_known() -> capi::textcodec_detect_options {
    capi::textcodec_detect_options {
        among: null(),
        among_length: 3,
        exclude: null(),
        exclude_length: 3,
        language: null(),
        language_length: 3,
        top_level_domain: null(),
        top_level_domain_length: 3,
        declared: 0,
        platform: 0,
        starts_mid_stream: false,
        ends_mid_stream: false,
    }
}

/// Sets the option number `place`, in C and in Rust.
fn tell(place: usize, own: &mut capi::textcodec_detect_options, model: Options) -> Options {
    // IBM866, KOI8-U, windows-1250 and windows-1251, and before them numbers of no encoding of the Standard.
    const AMONG: [u32; 6] = [0x1_0000, 2, 17, 0, 20, 21];
    const NONE: [u32; 2] = [0x1_0000, 0];
    let names = |numbers: &[u32]| -> Vec<Name> {
        numbers.iter().filter_map(|&number| Name::ALL.get((number as usize).wrapping_sub(1)).copied()).collect()
    };
    let [koi8_r, koi8_u] = [16_u32, 17];
    match place {
        0 => {
            (own.among, own.among_length) = (AMONG.as_ptr(), AMONG.len());
            model.among(names(&AMONG))
        }
        // Only the first ones.
        1 => {
            (own.exclude, own.exclude_length) = (AMONG.as_ptr(), 3);
            model.exclude(names(&AMONG[..3]))
        }
        2 => {
            (own.language, own.language_length) = (c"csx".as_ptr(), 2);
            model.language("cs")
        }
        3 => {
            (own.top_level_domain, own.top_level_domain_length) = (c"uax".as_ptr(), 2);
            model.top_level_domain("ua")
        }
        4 => {
            own.declared = koi8_u;
            model.declared("koi8-u")
        }
        5..=8 => {
            own.platform = place as u32 - 4;
            model.platform([Platform::Windows, Platform::Mac, Platform::Unix, Platform::Dos][place - 5])
        }
        9 => {
            own.starts_mid_stream = true;
            model.starts_mid_stream(true)
        }
        10 => {
            own.ends_mid_stream = true;
            model.ends_mid_stream(true)
        }
        11 => {
            (own.declared, own.platform) = (0x1_0000, 5);
            (own.language, own.language_length) = (c"\xFF".as_ptr(), 1);
            model
        }
        12 => {
            own.declared = koi8_r;
            model.declared("koi8-r")
        }
        // A language with a script, and another domain.
        13 => {
            (own.language, own.language_length) = (c"zh-Hant".as_ptr(), 7);
            model.language("zh-Hant")
        }
        14 => {
            (own.top_level_domain, own.top_level_domain_length) = (c"TW".as_ptr(), 2);
            model.top_level_domain("TW")
        }
        // No encoding of the Standard is among these, so that nothing competes.
        _ => {
            (own.among, own.among_length) = (NONE.as_ptr(), 2);
            model.among([])
        }
    }
}

/// Space for candidates, of which none is written yet.
fn space() -> [capi::textcodec_candidate; 64] {
    let nothing = capi::textcodec_string { data: null(), length: 7 };
    [capi::textcodec_candidate { name: nothing, language: nothing, encoding: 7, probability: 7.0, group: 7 }; 64]
}

/// Compares an answer of C, and the candidates for which there was space, with that of Rust.
fn compare_answer(
    found: capi::textcodec_detection,
    candidates: &[capi::textcodec_candidate; 64],
    capacity: usize,
    expected: &Detection,
) {
    let (verdict, offset, malformed, has_bom) = match expected.verdict() {
        Verdict::Empty => (1, 0, 0, false),
        Verdict::Ascii => (2, 0, 0, false),
        Verdict::Utf8 { has_bom } => (3, 0, 0, has_bom),
        Verdict::DamagedUtf8 { malformed, first } => (4, first, malformed, false),
        Verdict::Utf16 { has_bom } => (5, 0, 0, has_bom),
        Verdict::Utf32 { has_bom } => (6, 0, 0, has_bom),
        Verdict::Iso2022 => (7, 0, 0, false),
        Verdict::Hz => (8, 0, 0, false),
        Verdict::Utf7 => (9, 0, 0, false),
        Verdict::Legacy => (10, 0, 0, false),
        Verdict::Mixed { offset } => (11, offset, 0, false),
        Verdict::Binary(_) => (12, 0, 0, false),
        Verdict::Unknown => (13, 0, 0, false),
        _ => (14, 0, 0, false),
    };
    assert_eq!((found.verdict, found.offset, found.malformed, found.has_bom), (verdict, offset, malformed, has_bom));
    let number = |name: Option<Name>| name.map_or(0, |name| name as u32 + 1);
    assert_eq!((found.encoding, found.candidates), (number(expected.encoding()), expected.candidates().len()));
    let probability = expected.best().map_or(0.0, |best| best.probability());
    assert_eq!((found.probability, found.margin), (probability, expected.margin().unwrap_or(-1.0)));
    let written = expected.candidates().len().min(capacity);
    for (own, model) in candidates[..written].iter().zip(expected.candidates()) {
        assert!(!own.name.data.is_null() && !own.language.data.is_null(), "{capacity}");
        assert_eq!((text(own.name), text(own.language)), (model.name(), model.language().unwrap_or_default()));
        let facts = (own.encoding, own.probability, own.group);
        assert_eq!(facts, (number(model.encoding()), model.probability(), model.group()));
    }
    assert!(candidates[written..].iter().all(|other| other.name.data.is_null() && other.encoding == 7), "{capacity}");
}

#[test]
fn each_pair_of_options_of_the_detector_gives_the_answer_of_rust() {
    // Options of one member of the struct, of which the last one counts in C.
    let member = |option: usize| match option {
        5..=8 => 5,
        12 => 4,
        13 => 2,
        14 => 3,
        15 => 0,
        option => option,
    };
    for first in 0..16 {
        for second in 0..=first {
            if first != second && (member(first) == member(second) || first == 11 || second == 11) {
                continue;
            }
            let mut own = nothing_known();
            let model = tell(first, &mut own, Options::new());
            let model = if second == first { model } else { tell(second, &mut own, model) };
            for (place, bytes) in TEXTS
                .into_iter()
                .enumerate()
                .filter(|(place, _)| *place > 12 || (place + first + second).is_multiple_of(5))
            {
                let capacity = [64, 0, 1, 2, 3][(first + second + place) % 5];
                let expected = detect_with(bytes, &model);
                let mut candidates = space();
                let (pointer, length) = parts(bytes);
                // SAFETY: the pointers and the lengths are those of the options, of the bytes and of the candidates.
                let found = unsafe {
                    capi::textcodec_detect(&raw const own, pointer.cast(), length, candidates.as_mut_ptr(), capacity)
                };
                compare_answer(found, &candidates, capacity, &expected);
                let mut detector = Detector::with_options(model.clone());
                // SAFETY: as above. The detector is freed once.
                unsafe {
                    let of_c = capi::textcodec_detector_new(&raw const own);
                    let cut = place.min(bytes.len());
                    for piece in [&bytes[..cut], &bytes[cut..]] {
                        let (pointer, length) = parts(piece);
                        capi::textcodec_detector_feed(of_c, pointer.cast(), length);
                        detector.feed(piece);
                        for flags in [0, !capi::TEXTCODEC_LAST, capi::TEXTCODEC_LAST, u32::MAX] {
                            let mut candidates = space();
                            let found = capi::textcodec_detector_answer(of_c, candidates.as_mut_ptr(), capacity, flags);
                            let is_last = flags & capi::TEXTCODEC_LAST != 0;
                            let expected = if is_last { detector.clone().finish() } else { detector.best_so_far() };
                            compare_answer(found, &candidates, capacity, &expected);
                        }
                    }
                    capi::textcodec_detector_free(of_c);
                }
            }
        }
    }
    let nothing = nothing_known();
    for bytes in TEXTS {
        let expected = detect_with(bytes, &Options::new());
        for known in [null(), &raw const nothing] {
            for capacity in (0..=expected.candidates().len() + 1).chain([64]) {
                let mut candidates = space();
                let (pointer, length) = parts(bytes);
                // SAFETY: the pointers and the lengths are those of the options, of the bytes and of the candidates.
                let found =
                    unsafe { capi::textcodec_detect(known, pointer.cast(), length, candidates.as_mut_ptr(), capacity) };
                compare_answer(found, &candidates, capacity, &expected);
            }
        }
    }
    // SAFETY: null is no detector.
    let found = unsafe {
        capi::textcodec_detector_feed(std::ptr::null_mut(), b"a".as_ptr().cast(), 1);
        capi::textcodec_detector_free(std::ptr::null_mut());
        capi::textcodec_detector_answer(null(), std::ptr::null_mut(), 9, capi::TEXTCODEC_LAST)
    };
    compare_answer(found, &space(), 9, &detect_with(b"", &Options::new()));
}

#[test]
fn each_choice_of_encodings_repairs_as_in_rust() {
    let texts = [
        "",
        "plain\n",
        "cafÃ©\r\nSÓ…\n",
        "a\nï»¿x\nÃ¼ber\n\nSÓ…",
        "ï¿½ ï¿½\nÃ© ï¿½\n",
        "ÐŸÑ€Ð¸Ð²ÐµÑ‚",
        "РџСЂРёРІРµС‚\nSÓ…\n",
        "é\u{FFFD}\n",
    ];
    // windows-1252, windows-1251, UTF-16LE, a charset, and numbers of none.
    let cp437 = (0x1_0000..)
        .zip(textcodec::charsets::Charset::all())
        .find(|(_, charset)| charset.name() == "IBM437")
        .unwrap()
        .0;
    let choices: [&[u32]; 10] = [&[], &[0], &[22], &[21], &[22, 21], &[cp437], &[39], &[22, 0], &[u32::MAX], &[22, 22]];
    for (choice, line) in choices.into_iter().flat_map(|choice| texts.map(|line| (choice, line))) {
        let charset = |&number: &u32| {
            Coded::all().into_iter().find(|(other, _)| *other == number).map(|(_, coded)| match coded {
                Coded::Standard(encoding) => Charset::from(encoding),
                Coded::Charset(charset) => Charset::from(charset),
            })
        };
        let charsets = choice.iter().map(charset).collect::<Option<Vec<_>>>();
        let repair = if choice.is_empty() {
            Some(Repair::default())
        } else {
            charsets.and_then(|charsets| Repair::new(charsets).ok())
        };
        for (flags, ambiguous) in
            [(0, false), (capi::TEXTCODEC_AMBIGUOUS, true), (!capi::TEXTCODEC_AMBIGUOUS, false), (u32::MAX, true)]
        {
            let expected = repair.as_ref().map(|repair| repair.repair(line, ambiguous));
            let length = expected.as_ref().map_or(0, |repaired| repaired.text.len());
            for capacity in [0, 1, length.saturating_sub(1), length, length + 1, 99] {
                let mut own = [0x55_u8; 100];
                let ((encodings, count), (pointer, bytes)) = (parts(choice), parts(line.as_bytes()));
                // SAFETY: the pointers and the lengths are those of the encodings and of the texts.
                let found = unsafe {
                    let to = own.as_mut_ptr().cast();
                    capi::textcodec_repair(encodings, count, pointer.cast(), bytes, to, capacity, flags)
                };
                let counts = expected.as_ref().map(|repaired| repaired.counts).unwrap_or_default();
                let (status, written) = match &expected {
                    None => (capi::TEXTCODEC_INVALID, ""),
                    Some(_) if capacity < length => (capi::TEXTCODEC_OUTPUT_FULL, ""),
                    Some(repaired) => (capi::TEXTCODEC_OK, &*repaired.text),
                };
                let expected = capi::textcodec_repaired {
                    length,
                    lines: counts.lines,
                    repaired: counts.repaired.number,
                    first_repaired: counts.repaired.first.unwrap_or(0),
                    ambiguous: counts.ambiguous.number,
                    first_ambiguous: counts.ambiguous.first.unwrap_or(0),
                    lost: counts.lost,
                    status,
                };
                assert_eq!(found, expected, "{line:?}, {choice:?}, {flags:X}, {capacity}");
                assert!(own.starts_with(written.as_bytes()) && own[written.len().max(capacity)] == 0x55);
            }
        }
    }
    // Malformed text is the error also if the encodings have one.
    let malformed = b"a\xC3";
    for choice in choices {
        let (encodings, count) = parts(choice);
        // SAFETY: the pointers and the lengths are those of the encodings and of the text; null has no units.
        let found = unsafe {
            capi::textcodec_repair(encodings, count, malformed.as_ptr().cast(), 2, std::ptr::null_mut(), 9, 0)
        };
        assert_eq!((found.status, found.length, found.lines), (capi::TEXTCODEC_MALFORMED, 0, 0), "{choice:?}");
    }
}
