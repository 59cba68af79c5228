//! The encodings that compete, their languages, and how frequent they are.

use textcodec_core::{Encoding, Name, index::Characters};
use textcodec_single_byte as single_byte;

use crate::{
    classes::Symbol,
    east_asian::{self, Encoding as EastAsianEncoding},
    languages::{FIRST_OTHER, LANGUAGES, Script, TABLES},
    model,
    options::{Options, Platform},
    score::NAT,
};

/// A single-byte encoding.
pub(crate) struct SingleByte {
    pub(crate) name: Name,
    /// The code points of the bytes from 0x80 on.
    pub(crate) index: &'static Characters,
    /// The script of its languages.
    pub(crate) script: Script,
    /// The price of choosing the encoding, in quarters of a nat: the rarer it is, the dearer.
    pub(crate) price: u8,
    /// The languages that are written in it.
    pub(crate) languages: LanguageSet,
}

impl SingleByte {
    /// The index is read when this is compiled, so that no program contains an encoder because of the detector.
    const fn new(encoding: &'static Encoding, price: u8, codes: &str) -> Self {
        let index = encoding.codec().index().expect("single-byte encodings have indexes");
        let languages = set(codes);
        let script = model::LANGUAGES[languages.trailing_zeros() as usize].script;
        SingleByte { name: encoding.id(), index, script, price, languages }
    }
}

/// The symbols of the bytes from 0x80 on in each of the encodings. They are made when this is compiled, so that no
/// program contains the symbols of all code points.
static SYMBOLS: [[Symbol; 128]; SINGLE_BYTE.len()] = {
    let mut symbols = [[Symbol::of(0xFFFD, Script::Latin); 128]; SINGLE_BYTE.len()];
    let mut number = 0;
    while number < symbols.len() {
        symbols[number] = symbols_of(SINGLE_BYTE[number].index.units(), SINGLE_BYTE[number].script);
        number += 1;
    }
    symbols
};

/// An encoding that competes.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) name: &'static str,
    /// The encoding in the Standard.
    pub(crate) encoding: Option<Name>,
    /// The code units and the symbols of the bytes from 0x80 on.
    pub(crate) units: &'a [u16; 128],
    pub(crate) symbols: &'a [Symbol; 128],
    pub(crate) script: Script,
    pub(crate) price: u8,
    pub(crate) languages: LanguageSet,
    /// The letters with a tone, which are two characters of the model.
    #[cfg(feature = "charsets")]
    pub(crate) toned: Option<&'a crate::vietnamese::Toned>,
}

/// The encodings whose bytes are characters: those of the Standard, and then those of tiers that compete.
pub(crate) struct Members {
    #[cfg(feature = "charsets")]
    extras: crate::tiers::Extras,
}

impl Members {
    #[cfg_attr(not(feature = "charsets"), allow(unused_variables, reason = "no option adds an encoding"))]
    pub(crate) fn new(options: &Options) -> Self {
        Members {
            #[cfg(feature = "charsets")]
            extras: crate::tiers::Extras::new(options),
        }
    }

    /// The number of encodings, also of those that do not compete.
    pub(crate) fn len(&self) -> usize {
        #[cfg(feature = "charsets")]
        return SINGLE_BYTE.len() + self.extras.len();
        #[cfg(not(feature = "charsets"))]
        SINGLE_BYTE.len()
    }

    /// The encoding with a number below [`Members::len`].
    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> Member<'_> {
        #[cfg(feature = "charsets")]
        if number >= SINGLE_BYTE.len() {
            return self.extras.get(number - SINGLE_BYTE.len());
        }
        let SingleByte { name, index, script, price, languages } = SINGLE_BYTE[number];
        Member {
            name: name.as_str(),
            encoding: Some(name),
            units: index.units(),
            symbols: &SYMBOLS[number],
            script,
            price,
            languages,
            #[cfg(feature = "charsets")]
            toned: None,
        }
    }
}

/// The symbols of code units in an encoding whose languages have this script.
pub(crate) const fn symbols_of(units: &[u16; 128], script: Script) -> [Symbol; 128] {
    let mut symbols = [Symbol::of(0xFFFD, script); 128];
    let mut place = 0;
    while place < symbols.len() {
        symbols[place] = Symbol::of(units[place], script);
        place += 1;
    }
    symbols
}

pub(crate) const WESTERN: &str = "en de fr es pt it nl sv da nb fi is ca id ga gl eu et sq";
pub(crate) const CENTRAL: &str = "cs pl hu sk sl hr ro de sq";
pub(crate) const BALTIC: &str = "lt lv et";
const NORDIC: &str = "lt lv et is sv da nb fi";
pub(crate) const CYRILLIC: &str = "ru uk be bg mk sr";

/// The single-byte encodings that have models. If two give the same text, the first one is the answer.
pub(crate) static SINGLE_BYTE: [SingleByte; 28] = [
    SingleByte::new(&single_byte::WINDOWS_1252, 0, WESTERN),
    SingleByte::new(&single_byte::WINDOWS_1250, 2, CENTRAL),
    SingleByte::new(&single_byte::WINDOWS_1251, 1, CYRILLIC),
    SingleByte::new(&single_byte::WINDOWS_1253, 2, "el"),
    SingleByte::new(&single_byte::WINDOWS_1254, 2, "tr"),
    SingleByte::new(&single_byte::WINDOWS_1255, 2, "he"),
    SingleByte::new(&single_byte::WINDOWS_1256, 2, "ar fa"),
    SingleByte::new(&single_byte::WINDOWS_1257, 3, BALTIC),
    SingleByte::new(&single_byte::WINDOWS_1258, 6, "vi"),
    SingleByte::new(&single_byte::WINDOWS_874, 2, "th"),
    SingleByte::new(&single_byte::ISO_8859_2, 6, CENTRAL),
    SingleByte::new(&single_byte::KOI8_R, 4, "ru bg"),
    SingleByte::new(&single_byte::KOI8_U, 6, "uk ru be"),
    SingleByte::new(&single_byte::ISO_8859_5, 8, CYRILLIC),
    SingleByte::new(&single_byte::IBM866, 8, "ru bg uk be"),
    SingleByte::new(&single_byte::ISO_8859_7, 5, "el"),
    SingleByte::new(&single_byte::ISO_8859_8_I, 6, "he"),
    SingleByte::new(&single_byte::ISO_8859_8, 7, "he"),
    SingleByte::new(&single_byte::ISO_8859_6, 6, "ar"),
    SingleByte::new(&single_byte::ISO_8859_15, 10, WESTERN),
    SingleByte::new(&single_byte::MACINTOSH, 12, WESTERN),
    SingleByte::new(&single_byte::X_MAC_CYRILLIC, 14, CYRILLIC),
    SingleByte::new(&single_byte::ISO_8859_13, 10, "lt lv et pl"),
    SingleByte::new(&single_byte::ISO_8859_4, 14, BALTIC),
    SingleByte::new(&single_byte::ISO_8859_16, 16, "ro"),
    SingleByte::new(&single_byte::ISO_8859_3, 16, "eo"),
    SingleByte::new(&single_byte::ISO_8859_14, 18, "cy ga"),
    SingleByte::new(&single_byte::ISO_8859_10, 20, NORDIC),
];

/// Whether texts in an encoding compete by the frequencies of their characters. An encoding without this, such as UTF-8
/// and UTF-16, is recognised by its structure, or competes by its errors if [`Options::among`] names it.
///
/// ```
/// use textcodec_detect::{Name, has_statistics};
///
/// assert!(has_statistics(Name::Koi8R) && has_statistics(Name::Gb18030));
/// assert!(!has_statistics(Name::Utf8) && !has_statistics(Name::XUserDefined));
/// ```
#[must_use]
pub fn has_statistics(name: Name) -> bool {
    let is_east_asian = name == Name::Gb18030 || east_asian::STANDARD.contains(&name);
    is_east_asian || SINGLE_BYTE.iter().any(|encoding| encoding.name == name)
}

/// Whether texts in the language with this code of BCP 47 have the letter so often that the model knows it. Letters of
/// ASCII are no letters here. `None` if the language has no such letters in the model: East Asian languages are known
/// by whole characters.
///
/// ```
/// use textcodec_detect::has_letter;
///
/// assert_eq!([has_letter("de", 'Ü'), has_letter("de", 'ñ')], [Some(true), Some(false)]);
/// assert_eq!([has_letter("en", 'é'), has_letter("ja", 'か')], [Some(false), None]);
/// ```
#[must_use]
pub fn has_letter(language: &str, letter: char) -> Option<bool> {
    let number = self::language(language).trailing_zeros() as usize;
    let table = TABLES.get(number)?;
    let symbol = u16::try_from(letter as u32).ok().filter(|_| !letter.is_ascii());
    let symbol = symbol.map(|unit| Symbol::of(unit, table.script)).filter(|symbol| symbol.is_letter());
    Some(symbol.is_some_and(|symbol| table.classes()[usize::from(0x80 | symbol.value())] < FIRST_OTHER))
}

/// The price of choosing an East Asian encoding, in quarters of a nat.
pub(crate) const fn east_asian_price(encoding: EastAsianEncoding) -> u8 {
    match encoding {
        EastAsianEncoding::Standard(Name::EucJp) => 4,
        EastAsianEncoding::Standard(Name::Big5 | Name::EucKr) => 3,
        #[cfg(feature = "charsets")]
        EastAsianEncoding::Johab => 8,
        EastAsianEncoding::Standard(_) => 2,
    }
}

/// The most evidence that the options are for an encoding, in 32nds of a nat.
pub(crate) const MOST_EVIDENCE: i64 = 8 * NAT;

/// How much evidence the options are for an encoding, in 32nds of a nat.
pub(crate) fn evidence(options: &Options, name: Name) -> i64 {
    let is_of = |platform: Platform| match platform {
        Platform::Windows => {
            name.as_str().starts_with("windows")
                || matches!(name, Name::Gbk | Name::Big5 | Name::EucKr | Name::ShiftJis)
        }
        Platform::Mac => matches!(name, Name::Macintosh | Name::XMacCyrillic | Name::ShiftJis),
        Platform::Unix => name.as_str().starts_with("ISO") || matches!(name, Name::Koi8R | Name::Koi8U | Name::EucJp),
        Platform::Dos => matches!(name, Name::Ibm866),
    };
    let platform = if options.platform.is_some_and(is_of) { 3 * NAT } else { 0 };
    platform + if options.declared.contains(name) { 5 * NAT } else { 0 }
}

/// How much evidence the options are for a language, in 32nds of a nat.
pub(crate) const fn language_evidence(options: &Options, number: usize) -> i64 {
    if options.languages >> number & 1 == 1 { 3 * NAT } else { 0 }
}

/// A set of languages, as bits by their numbers: those of the model, and then those of [`EAST_ASIAN`].
pub(crate) type LanguageSet = u64;

/// The languages that are not written in single bytes.
pub(crate) const EAST_ASIAN: [&str; 4] = ["ja", "ko", "zh-Hans", "zh-Hant"];

/// The codes of the languages of the model, one after another.
const CODES: &str = {
    const BYTES: [u8; 2 * LANGUAGES] = {
        let mut codes = [0; 2 * LANGUAGES];
        let mut place = 0;
        while place < codes.len() {
            codes[place] = model::LANGUAGES[place / 2].code.as_bytes()[place % 2];
            place += 1;
        }
        codes
    };
    match core::str::from_utf8(&BYTES) {
        Ok(codes) => codes,
        Err(_) => panic!("codes are ASCII"),
    }
};

/// The code of the language with this number.
pub(crate) fn code(number: usize) -> &'static str {
    match number.checked_sub(LANGUAGES) {
        None => CODES.get(2 * number..2 * number + 2).unwrap_or_default(),
        Some(east_asian) => EAST_ASIAN[east_asian],
    }
}

/// The number of the language whose code is `text[start..end]`, which the model has.
const fn number(text: &[u8], start: usize, end: usize) -> usize {
    let mut number = 0;
    loop {
        let code = match number < LANGUAGES {
            true => model::LANGUAGES[number].code.as_bytes(),
            false => EAST_ASIAN[number - LANGUAGES].as_bytes(),
        };
        let mut at = 0;
        while at < code.len() && start + at < end && code[at] == text[start + at] {
            at += 1;
        }
        if at == code.len() && start + at == end {
            return number;
        }
        number += 1;
    }
}

/// The set of the languages whose codes stand in `codes`, with spaces between them. It is made when this is compiled.
pub(crate) const fn set(codes: &str) -> LanguageSet {
    let text = codes.as_bytes();
    let (mut set, mut start, mut end) = (0, 0, 0);
    while end <= text.len() {
        if end == text.len() || text[end] == b' ' {
            set |= 1 << number(text, start, end);
            start = end + 1;
        }
        end += 1;
    }
    set
}

/// The language with a code of BCP 47, as a set; the empty set if the model does not have the language.
pub(crate) fn language(code: &str) -> LanguageSet {
    let code = code.to_ascii_lowercase();
    let (primary, rest) = code.split_once('-').unwrap_or((&code, ""));
    let has = |names: &[&str]| rest.split('-').any(|subtag| names.contains(&subtag));
    let known = match primary {
        "zh" if has(&["hans"]) || !has(&["hant", "tw", "hk", "mo"]) => "zh-Hans",
        "zh" => "zh-Hant",
        "no" | "nn" => "nb",
        "bs" => "hr",
        "iw" => "he",
        primary => primary,
    };
    (0..LANGUAGES + EAST_ASIAN.len()).find(|&number| self::code(number) == known).map_or(0, |number| 1 << number)
}

/// The languages of countries by their top-level domains.
static DOMAINS: [(&str, LanguageSet); 51] = [
    ("at", set("de")),
    ("ba", set("hr sr")),
    ("be", set("nl fr")),
    ("bg", set("bg")),
    ("br", set("pt")),
    ("by", set("be ru")),
    ("ch", set("de fr it")),
    ("cn", set("zh-Hans")),
    ("cz", set("cs")),
    ("de", set("de")),
    ("dk", set("da")),
    ("ee", set("et")),
    ("eg", set("ar")),
    ("es", set("es")),
    ("fi", set("fi")),
    ("fr", set("fr")),
    ("gr", set("el")),
    ("hk", set("zh-Hant")),
    ("hr", set("hr")),
    ("hu", set("hu")),
    ("id", set("id")),
    ("ie", set("en ga")),
    ("il", set("he")),
    ("ir", set("fa")),
    ("is", set("is")),
    ("it", set("it")),
    ("jp", set("ja")),
    ("kr", set("ko")),
    ("lt", set("lt")),
    ("lv", set("lv")),
    ("mk", set("mk")),
    ("mx", set("es")),
    ("nl", set("nl")),
    ("no", set("nb")),
    ("pl", set("pl")),
    ("pt", set("pt")),
    ("ro", set("ro")),
    ("rs", set("sr")),
    ("ru", set("ru")),
    ("sa", set("ar")),
    ("se", set("sv")),
    ("si", set("sl")),
    ("sk", set("sk")),
    ("su", set("ru")),
    ("th", set("th")),
    ("tr", set("tr")),
    ("tw", set("zh-Hant")),
    ("ua", set("uk ru")),
    ("uk", set("en")),
    ("us", set("en")),
    ("vn", set("vi")),
];

/// The languages of a top-level domain; the empty set if it is not the domain of a country of these languages.
pub(crate) fn languages_of_domain(domain: &str) -> LanguageSet {
    let found = DOMAINS.iter().find(|(known, _)| known.eq_ignore_ascii_case(domain));
    found.map_or(0, |&(_, languages)| languages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_the_caller_knows_counts_together() {
        for (platform, name) in [
            (Platform::Windows, Name::Windows1252),
            (Platform::Windows, Name::Gbk),
            (Platform::Mac, Name::Macintosh),
            (Platform::Mac, Name::ShiftJis),
            (Platform::Unix, Name::Iso8859_2),
            (Platform::Unix, Name::Koi8R),
            (Platform::Unix, Name::EucJp),
            (Platform::Dos, Name::Ibm866),
        ] {
            let options = |platform: Platform| Options::new().platform(platform);
            let other = if platform == Platform::Dos { Platform::Unix } else { Platform::Dos };
            let label = name.as_str();
            assert_eq!(evidence(&Options::new(), name), 0);
            assert_eq!(evidence(&options(platform), name), 3 * NAT, "{label}");
            assert_eq!(evidence(&options(other).declared(label), name), 5 * NAT, "{label}");
            assert_eq!(
                evidence(&options(platform).declared("gb18030").declared(label), name),
                MOST_EVIDENCE,
                "{label}"
            );
            assert_eq!(evidence(&options(other).declared("gb18030"), name), 0, "{label}");
        }
        let several = Options::new().language("de").top_level_domain("ru").language("fr");
        for (number, is_known) in (0..LANGUAGES).map(|number| (number, ["de", "ru", "fr"].contains(&code(number)))) {
            assert_eq!(language_evidence(&several, number), if is_known { 3 * NAT } else { 0 }, "{}", code(number));
        }
    }

    #[test]
    fn a_platform_favours_its_encodings_and_no_others() {
        for (platform, expected) in [
            (
                Platform::Windows,
                "windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 \
                 windows-1257 windows-1258 GBK Big5 Shift_JIS EUC-KR",
            ),
            (Platform::Mac, "macintosh x-mac-cyrillic Shift_JIS"),
            (
                Platform::Unix,
                "ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-8-I ISO-8859-10 \
                 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U EUC-JP ISO-2022-JP",
            ),
            (Platform::Dos, "IBM866"),
        ] {
            let options = Options::new().platform(platform);
            let favoured = Name::ALL.into_iter().filter(|&name| evidence(&options, name) > 0);
            let favoured: alloc::vec::Vec<_> = favoured.map(Name::as_str).collect();
            assert_eq!(favoured.join(" "), expected, "{platform:?}");
        }
    }

    #[test]
    fn a_domain_has_the_languages_of_its_country() {
        let rows = "at de|ba hr sr|be nl fr|bg bg|br pt|by be ru|ch de fr it|cn zh-Hans|cz cs|de de|dk da|ee et|eg ar|es es|fi fi|\
                    fr fr|gr el|hk zh-Hant|hr hr|hu hu|id id|ie en ga|il he|ir fa|is is|it it|jp ja|kr ko|lt lt|lv lv|mk mk|mx es|\
                    nl nl|no nb|pl pl|pt pt|ro ro|rs sr|ru ru|sa ar|se sv|si sl|sk sk|su ru|th th|tr tr|tw zh-Hant|ua uk ru|uk en|\
                    us en|vn vi";
        for row in rows.split('|') {
            let (domain, languages) = row.split_once(' ').unwrap();
            assert_eq!(languages_of_domain(domain), set(languages), "{domain}");
            assert_eq!(languages_of_domain(&domain.to_ascii_uppercase()), set(languages), "{domain}");
        }
        assert_eq!(
            (rows.split('|').count(), languages_of_domain("com"), languages_of_domain("")),
            (DOMAINS.len(), 0, 0)
        );
    }

    #[test]
    fn codes_of_languages_are_understood_with_their_regions_and_other_codes() {
        for number in 0..LANGUAGES + EAST_ASIAN.len() {
            assert_eq!(language(code(number)), 1 << number, "{}", code(number));
            assert_eq!(language(&code(number).to_ascii_uppercase()), 1 << number, "{}", code(number));
        }
        for (tag, expected) in [
            ("de-AT", "de"),
            ("zh", "zh-Hans"),
            ("zh-TW", "zh-Hant"),
            ("zh-hk", "zh-Hant"),
            ("zh-MO", "zh-Hant"),
            ("zh-Hant-CN", "zh-Hant"),
            ("zh-Hans-TW", "zh-Hans"),
            ("zh-cmn-Hant", "zh-Hant"),
            ("zh-yue-Hans-HK", "zh-Hans"),
            ("zh-yue-HK", "zh-Hant"),
            ("zh-Latn-CN-x-y", "zh-Hans"),
            ("zh-CN", "zh-Hans"),
            ("no", "nb"),
            ("nn-NO", "nb"),
            ("bs", "hr"),
            ("iw", "he"),
        ] {
            assert_eq!(language(tag), set(expected), "{tag}");
        }
        assert_eq!(["", "tlh", "d", "deu", "de_AT"].map(language), [0; 5]);
    }

    #[test]
    fn each_encoding_with_statistics_is_known() {
        let without: Vec<_> = Name::ALL.into_iter().filter(|&name| !has_statistics(name)).map(Name::as_str).collect();
        let expected = ["UTF-8", "ISO-2022-JP", "replacement", "UTF-16BE", "UTF-16LE", "x-user-defined"];
        assert_eq!(without, expected);
        use EastAsianEncoding::Standard;
        let prices = [Name::Gbk, Name::Gb18030, Name::Big5, Name::EucJp, Name::ShiftJis, Name::EucKr];
        assert_eq!(prices.map(|name| east_asian_price(Standard(name))), [2, 2, 3, 4, 2, 3]);
    }

    #[test]
    fn each_encoding_has_its_languages() {
        let rows = [
            ("windows-1252", "en de fr es pt it nl sv da nb fi is ca id ga gl eu et sq"),
            ("windows-1250", "cs pl hu sk sl hr ro de sq"),
            ("windows-1251", "ru uk be bg mk sr"),
            ("windows-1253", "el"),
            ("windows-1254", "tr"),
            ("windows-1255", "he"),
            ("windows-1256", "ar fa"),
            ("windows-1257", "lt lv et"),
            ("windows-1258", "vi"),
            ("windows-874", "th"),
            ("ISO-8859-2", "cs pl hu sk sl hr ro de sq"),
            ("KOI8-R", "ru bg"),
            ("KOI8-U", "uk ru be"),
            ("ISO-8859-5", "ru uk be bg mk sr"),
            ("IBM866", "ru bg uk be"),
            ("ISO-8859-7", "el"),
            ("ISO-8859-8-I", "he"),
            ("ISO-8859-8", "he"),
            ("ISO-8859-6", "ar"),
            ("ISO-8859-15", "en de fr es pt it nl sv da nb fi is ca id ga gl eu et sq"),
            ("macintosh", "en de fr es pt it nl sv da nb fi is ca id ga gl eu et sq"),
            ("x-mac-cyrillic", "ru uk be bg mk sr"),
            ("ISO-8859-13", "lt lv et pl"),
            ("ISO-8859-4", "lt lv et"),
            ("ISO-8859-16", "ro"),
            ("ISO-8859-3", "eo"),
            ("ISO-8859-14", "cy ga"),
            ("ISO-8859-10", "lt lv et is sv da nb fi"),
        ];
        assert_eq!(rows.len(), SINGLE_BYTE.len());
        for (encoding, (name, codes)) in SINGLE_BYTE.iter().zip(rows) {
            assert_eq!((encoding.name.as_str(), encoding.languages), (name, set(codes)));
            // All languages of an encoding have one script.
            let languages = (0..LANGUAGES).filter(|number| encoding.languages >> number & 1 == 1);
            assert!(languages.into_iter().all(|number| TABLES[number].script == encoding.script), "{name}");
        }
    }

    #[test]
    fn a_set_of_languages_is_read_from_any_list_of_codes() {
        for (codes, expected) in
            [("en", &["en"][..]), ("zh-Hans ja", &["ja", "zh-Hans"]), ("vi sq eo", &["eo", "sq", "vi"])]
        {
            let numbers = (0..LANGUAGES + EAST_ASIAN.len()).filter(|number| set(codes) >> number & 1 == 1);
            let mut found: alloc::vec::Vec<_> = numbers.map(code).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{codes}");
        }
    }
}
