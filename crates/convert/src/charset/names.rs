//! The names of charsets that the [Standard](https://encoding.spec.whatwg.org/) does not have, and what they mean.
//!
//! The names of a registry, for example glibc's, mean nothing before the labels of the Standard and the labels of this
//! crate. A prefix asks one registry: `glibc:KOI8-U`.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use textcodec::{
    Encoding,
    charsets::{self, Names, dos, ebcdic, iso, unicode},
};

use super::{Charset, Kind, marked::Marked};

/// The charsets with labels of this crate. The first label is the name. Labels that start with "exact-" name charsets
/// whose usual labels the Standard gives to larger encodings.
static OWN_LABELS: [(charsets::Charset, &[&str]); 17] = [
    (iso::US_ASCII, &["exact-us-ascii", "exact-ascii"]),
    (iso::ISO_8859_1, &["exact-iso-8859-1", "exact-latin1"]),
    (iso::ISO_8859_9, &["exact-iso-8859-9", "exact-latin5"]),
    (dos::IBM437, &["cp437", "ibm437", "437", "cspc8codepage437"]),
    (dos::IBM850, &["cp850", "ibm850", "850", "cspc850multilingual"]),
    (dos::IBM852, &["cp852", "ibm852", "852", "cspcp852"]),
    (dos::IBM858, &["cp858", "ibm858", "858", "ibm00858", "cp00858"]),
    (dos::IBM866NAV, &["cp866nav", "ibm866nav", "866nav"]),
    (dos::CP1125, &["cp1125", "ibm1125", "1125", "cp866u", "ruscii", "cp848", "ibm848"]),
    (ebcdic::IBM037, &["cp037", "ibm037", "ebcdic-cp-us", "csibm037"]),
    (ebcdic::IBM500, &["cp500", "ibm500", "ebcdic-cp-be", "csibm500"]),
    (ebcdic::IBM1047, &["cp1047", "ibm1047", "ibm-1047", "1047"]),
    (ebcdic::IBM1140, &["cp1140", "ibm01140", "ibm1140"]),
    (ebcdic::IBM1148, &["cp1148", "ibm01148", "ibm1148"]),
    (unicode::UTF_32LE, &["utf-32le", "utf32le", "ucs-4le"]),
    (unicode::UTF_32BE, &["utf-32be", "utf32be", "ucs-4be", "ucs-4", "ucs4"]),
    (unicode::UTF_7, &["utf-7", "utf7"]),
];

/// The names of charsets whose name without a prefix means an encoding of the Standard or another charset, or has two
/// meanings.
const PREFIXED_NAMES: [&str; 57] = [
    "glibc:BIG5",
    "glibc:BIG5-HKSCS",
    "glibc:CP10007",
    "glibc:CP1250",
    "glibc:CP1251",
    "glibc:CP1252",
    "glibc:CP1253",
    "glibc:CP1254",
    "glibc:CP1256",
    "glibc:CP1257",
    "glibc:CP932",
    "glibc:EUC-JP",
    "glibc:EUC-KR",
    "glibc:GB18030",
    "glibc:GBK",
    "glibc:IBM1026",
    "glibc:IBM278",
    "glibc:IBM285",
    "glibc:IBM290",
    "glibc:IBM424",
    "glibc:IBM868",
    "glibc:IBM870",
    "glibc:IBM871",
    "glibc:IBM875",
    "glibc:IBM918",
    "glibc:IBM932",
    "glibc:ISO-2022-CN",
    "glibc:ISO-2022-CN-EXT",
    "glibc:ISO-2022-JP",
    "glibc:ISO-2022-KR",
    "glibc:ISO-8859-11",
    "glibc:KOI8-RU",
    "glibc:KOI8-U",
    "glibc:MACINTOSH",
    "glibc:SJIS",
    "glibc:TIS-620",
    "glibc:UCS-2",
    "glibc:UNICODE",
    "glibc:UTF-16",
    "glibc:UTF-32",
    "iana:CP1026",
    "iana:CP285",
    "iana:CP290",
    "iana:CP424",
    "iana:CP868",
    "iana:CP870",
    "iana:CP871",
    "iana:CP918",
    "java:CP278",
    "java:MACCYRILLIC",
    "python:CP1255",
    "python:CP1258",
    "python:CP875",
    "textcodec:TCVN5712-1",
    "textcodec:WINDOWS-932",
    "textcodec:WINDOWS-936",
    "textcodec:WINDOWS-949",
];

/// The charsets that have the same table as the Standard's encoding of the same name.
const SAME_AS_STANDARD: [&str; 17] = [
    "IBM866",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "UTF-16BE",
    "UTF-16LE",
    "UTF-8",
];

/// A registry of names, and the prefix that asks it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Registry {
    Of(Names),
    /// The names of the library itself.
    Library,
}

impl Registry {
    /// All registries, in the order in which messages name them.
    const ALL: [(Registry, &str); 5] = [
        (Registry::Of(Names::Iana), "iana"),
        (Registry::Of(Names::Glibc), "glibc"),
        (Registry::Of(Names::Python), "python"),
        (Registry::Of(Names::Java), "java"),
        (Registry::Library, "textcodec"),
    ];

    fn of_prefix(prefix: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| known.eq_ignore_ascii_case(prefix)).map(|(registry, _)| registry)
    }

    /// The charset that the registry calls `name`.
    fn look_up(self, name: &str) -> Option<charsets::Charset> {
        match self {
            Registry::Of(names) => charsets::Charset::for_name(name, names),
            Registry::Library => charsets::Charset::all().find(|charset| charset.name().eq_ignore_ascii_case(name)),
        }
    }

    /// The charset that the registry calls `name`. Python's names must have the same punctuation: Python ignores it, so
    /// that `latin-1` would not be `latin1`, which is a label of the Standard.
    fn look_up_as_spelled(self, name: &str) -> Option<charsets::Charset> {
        let is_spelled = |charset: &charsets::Charset| {
            self != Registry::Of(Names::Python)
                || charset.names(Names::Python).any(|known| known.eq_ignore_ascii_case(name))
        };
        self.look_up(name).filter(is_spelled)
    }
}

/// The charset with a label of this crate.
pub(super) fn of_own_label(label: &str) -> Option<Charset> {
    let is = |labels: &[&str]| labels.iter().any(|known| known.eq_ignore_ascii_case(label));
    let marked =
        || Marked::ALL.into_iter().find(|marked| is(marked.labels())).map(|marked| Charset(Kind::Marked(marked)));
    let own = OWN_LABELS.iter().find(|(_, labels)| is(labels)).map(|&(charset, _)| Charset(Kind::Codec(charset)));
    own.or_else(marked)
}

/// The charsets that are no encodings of the Standard: first those with labels of this crate, then the others.
pub(super) fn all() -> impl Iterator<Item = Charset> {
    let own = OWN_LABELS.iter().map(|&(charset, _)| Charset(Kind::Codec(charset)));
    let marked = Marked::ALL.into_iter().map(|marked| Charset(Kind::Marked(marked)));
    let others = charsets::Charset::all()
        .filter(|&charset| Charset::from(charset).0 == Kind::Codec(charset) && own_labels(charset).is_empty());
    own.chain(marked).chain(others.map(|charset| Charset(Kind::Codec(charset))))
}

/// The encoding of the Standard, or the charset with labels of this crate, with the same table. Another charset is
/// returned as it is.
impl From<charsets::Charset> for Charset {
    fn from(charset: charsets::Charset) -> Self {
        if SAME_AS_STANDARD.contains(&charset.name())
            && let Ok(encoding) = Encoding::for_label(charset.name())
        {
            return encoding.into();
        }
        // Single-byte charsets share a codec.
        let has_codec =
            |own: charsets::Charset| !own.codec().is_single_byte() && core::ptr::eq(own.codec(), charset.codec());
        let same = OWN_LABELS.iter().find(|(own, _)| *own == charset || has_codec(*own));
        Charset(Kind::Codec(same.map_or(charset, |&(own, _)| own)))
    }
}

/// The labels that this crate has for a charset.
fn own_labels(charset: charsets::Charset) -> &'static [&'static str] {
    OWN_LABELS.iter().find(|(own, _)| *own == charset).map_or(&[], |(_, labels)| labels)
}

/// The name of a charset, which is a label of it, too.
pub(super) fn name(charset: charsets::Charset) -> &'static str {
    if let Some(label) = own_labels(charset).first() {
        return label;
    }
    let is = |name: &&&str| name.split_once(':').is_some_and(|(_, name)| name == charset.name());
    PREFIXED_NAMES.iter().find(is).copied().unwrap_or(charset.name())
}

/// The labels of a charset, the name first: those of this crate, and the names in registries that need no prefix.
pub(super) fn labels(charset: charsets::Charset) -> Vec<&'static str> {
    let mut labels = own_labels(charset).to_vec();
    let names = Names::ALL.into_iter().flat_map(|names| charset.names(names));
    for label in [name(charset)].into_iter().chain(names) {
        let is_known = labels.iter().any(|known| known.eq_ignore_ascii_case(label));
        if !is_known && Charset::for_label(label).is_ok_and(|meant| meant == Charset(Kind::Codec(charset))) {
            labels.push(label);
        }
    }
    labels
}

/// What a name means in the registries.
pub(super) enum Found {
    One(Charset),
    /// Two meanings at least: a name with a prefix for each.
    Several(Vec<String>),
    /// The name after the prefix, or the whole name if there is no prefix.
    Nothing(String),
}

/// Asks the registries. `label` is neither a label of the Standard nor of this crate.
pub(super) fn look_up(label: &str) -> Found {
    if let Some((prefix, number)) = label.split_once(':')
        && prefix.eq_ignore_ascii_case("windows")
        && let Some(charset) = of_number(number)
    {
        return Found::One(charset.into());
    }
    if let Some((prefix, name)) = label.split_once(':')
        && let Some(registry) = Registry::of_prefix(prefix)
    {
        return registry
            .look_up(name)
            .map_or_else(|| Found::Nothing(name.to_string()), |found| Found::One(found.into()));
    }
    let mut meanings: Vec<(Charset, String)> = Vec::new();
    let mut add = |charset: charsets::Charset, name: String| {
        let charset = Charset::from(charset);
        if meanings.iter().all(|(other, _)| *other != charset) {
            meanings.push((charset, name));
        }
    };
    for (registry, prefix) in Registry::ALL.into_iter().filter(|(registry, _)| *registry != Registry::Library) {
        if let Some(charset) = registry.look_up_as_spelled(label) {
            add(charset, format!("{prefix}:{}", label.to_ascii_lowercase()));
        }
    }
    if let Some(charset) = code_page(label) {
        add(charset, name(charset).to_string());
    }
    match &*meanings {
        [] => match Registry::Library.look_up(label) {
            Some(charset) => Found::One(charset.into()),
            None => Found::Nothing(label.to_string()),
        },
        &[(charset, _)] => Found::One(charset),
        _ => Found::Several(meanings.into_iter().map(|(_, name)| name).collect()),
    }
}

/// The charset of a code page with a prefix, for example "cp737", "ibm-1047" or "windows_874".
fn code_page(label: &str) -> Option<charsets::Charset> {
    let label = label.to_ascii_lowercase();
    let number = ["cp", "ibm", "windows"].into_iter().find_map(|prefix| label.strip_prefix(prefix))?;
    of_number(number.strip_prefix(['-', '_']).unwrap_or(number))
}

/// The charset of a code page with this number, which has digits only.
fn of_number(number: &str) -> Option<charsets::Charset> {
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    charsets::Charset::for_code_page(number.parse().ok().filter(|_| is_number)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs, path::PathBuf};
    use textcodec::charsets::{east_asian, ebcdic_east_asian, mac, others, regional, windows};

    /// The character of each byte; U+FFFD if there is none.
    fn decode_bytes(charset: Charset) -> Vec<String> {
        (0..=255).map(|byte| charset.new_decoder(true).decode_start(&[byte], true)).collect()
    }

    #[test]
    fn a_charset_lists_all_of_its_own_labels_its_name_first() {
        for (charset, own) in OWN_LABELS {
            assert_eq!((name(charset), labels(charset)[0]), (own[0], own[0]));
            assert!(own.iter().all(|label| labels(charset).contains(label)), "{charset}");
        }
    }

    #[test]
    fn own_labels_lead_to_the_tables_of_the_mapping_files() {
        let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "indexes", "charsets"].iter().collect();
        // The files are named here, so that an exchanged charset in the table is found.
        const FILES: [&str; 14] = [
            "us-ascii",
            "iso-8859-1",
            "iso-8859-9",
            "ibm437",
            "ibm850",
            "ibm852",
            "ibm858",
            "ibm866nav",
            "cp1125",
            "ibm037",
            "ibm500",
            "ibm1047",
            "ibm1140",
            "ibm1148",
        ];
        let mut count = 0;
        for ((_, labels), file) in OWN_LABELS.into_iter().zip(FILES) {
            let path = folder.join(format!("index-{file}.txt"));
            let mut expected = vec![String::from(char::REPLACEMENT_CHARACTER); 256];
            for line in fs::read_to_string(&path).unwrap().lines() {
                if let Some((byte, code_point)) = line.split_once("\t0x") {
                    let code_point = char::from_u32(u32::from_str_radix(code_point, 16).unwrap()).unwrap();
                    expected[byte.parse::<usize>().unwrap()] = code_point.into();
                }
            }
            for label in labels {
                let charset = Charset::for_label(label).unwrap();
                assert_eq!(decode_bytes(charset), expected, "{label}");
                let mut encoder = charset.new_encoder().unwrap();
                for (byte, text) in expected.iter().enumerate().filter(|(_, text)| *text != "\u{FFFD}") {
                    let mut bytes = [0; 8];
                    let encoded = encoder.encode(text, &mut bytes, false);
                    assert_eq!(&bytes[..encoded.written], [byte as u8], "{label} {text}");
                }
                for text in ["\u{FFFD}", "☃"] {
                    assert!(!charset.can_encode(text), "{label} {text}");
                }
                count += 1;
            }
        }
        assert_eq!(count, 51);
    }

    #[test]
    fn no_own_label_is_a_label_of_the_standard_and_none_is_there_twice() {
        let own = OWN_LABELS.iter().flat_map(|(_, labels)| labels.iter());
        let labels: Vec<&str> = own.chain(Marked::ALL.iter().flat_map(|marked| marked.labels())).copied().collect();
        assert_eq!(labels.iter().collect::<BTreeSet<_>>().len(), labels.len());
        for label in labels {
            assert!(Encoding::for_label(label).is_err(), "{label}");
            assert!(Charset::for_label(&format!(" {} ", label.to_uppercase())).is_ok(), "{label}");
        }
    }

    #[test]
    fn every_name_is_a_label_of_its_charset_and_every_label_leads_to_it() {
        let mut names = BTreeSet::new();
        for charset in Charset::all() {
            assert_eq!(Charset::for_label(charset.name()), Ok(charset), "{charset}");
            assert!(names.insert(charset.name().to_lowercase()), "{charset}");
            for label in charset.labels() {
                assert_eq!(Charset::for_label(label), Ok(charset), "{charset} {label}");
            }
        }
        assert!(names.len() > 250, "{}", names.len());
    }

    #[test]
    fn every_name_with_a_prefix_leads_to_the_table_of_its_registry() {
        for charset in charsets::Charset::all() {
            for (registry, prefix) in Registry::ALL {
                let Registry::Of(names) = registry else { continue };
                for name in charset.names(names) {
                    let found = Charset::for_label(&format!("{prefix}:{}", name.to_lowercase()));
                    assert_eq!(found, Ok(charset.into()), "{prefix}:{name}");
                }
            }
            let found = Charset::for_label(&format!("textcodec:{}", charset.name()));
            assert_eq!(found, Ok(charset.into()), "{charset}");
        }
    }

    #[test]
    fn charsets_that_count_as_encodings_of_the_standard_have_their_tables() {
        let mut count = 0;
        for charset in charsets::Charset::all() {
            let Kind::Standard(encoding) = Charset::from(charset).0 else { continue };
            count += 1;
            assert_eq!(charset.name(), encoding.name());
            if charset.codec().is_single_byte() {
                let own = decode_bytes(Charset(Kind::Codec(charset)));
                assert_eq!(own, decode_bytes(encoding.into()), "{charset}");
                for character in own.iter().filter(|text| *text != "\u{FFFD}") {
                    assert!(Charset(Kind::Codec(charset)).can_encode(character), "{charset} {character}");
                }
            }
        }
        assert_eq!(count, SAME_AS_STANDARD.len());
    }

    #[test]
    fn registries_are_asked_after_the_standard_and_the_own_labels() {
        let codec = |charset| Ok(Charset(Kind::Codec(charset)));
        for (label, charset) in [
            ("CP737", codec(dos::CP737)),
            ("ibm737", codec(dos::CP737)),
            ("x-IBM737", codec(dos::CP737)),
            ("ibm-273", codec(ebcdic::IBM273)),
            ("windows-720", codec(dos::CP720)),
            ("cp853", codec(dos::CP853)),
            ("viscii", codec(regional::VISCII)),
            ("KOI8-T", codec(regional::KOI8_T)),
            ("mac_greek", codec(mac::MACGREEK)),
            ("x-MacGreek", codec(mac::MACGREEK)),
            ("EBCDIC-US", codec(others::EBCDIC_US)),
            ("macintosh", Ok(textcodec::MACINTOSH.into())),
            ("glibc:macintosh", codec(mac::MACINTOSH)),
            ("iana:macintosh", codec(mac::MACROMAN)),
            ("Glibc:CP1252", codec(windows::CP1252)),
            ("cp1252", Ok(textcodec::WINDOWS_1252.into())),
            ("866", Ok(textcodec::IBM866.into())),
            ("glibc:866", Ok(textcodec::IBM866.into())),
            ("glibc:latin1", codec(iso::ISO_8859_1)),
            ("python:iso8859-1", codec(iso::ISO_8859_1)),
            ("python:mac-greek", codec(mac::MACGREEK)),
            ("glibc:ucs-4", codec(unicode::UTF_32BE)),
            ("textcodec:tcvn5712-1", codec(regional::TCVN5712_1)),
            ("windows:932", codec(windows::WINDOWS_932)),
            ("windows:1252", codec(windows::CP1252)),
            ("Windows:1252", codec(windows::CP1252)),
            ("windows_737", codec(dos::CP737)),
            ("IBM_737", codec(dos::CP737)),
            ("CP-737", codec(dos::CP737)),
            ("johab", codec(east_asian::JOHAB)),
            ("shift_jis", Ok(textcodec::SHIFT_JIS.into())),
            ("glibc:shift_jis", codec(east_asian::SJIS)),
            ("ibm-939", codec(ebcdic_east_asian::IBM939)),
            ("iso-2022-jp", Ok(textcodec::ISO_2022_JP.into())),
            ("glibc:iso-2022-jp", codec(east_asian::ISO_2022_JP)),
            ("iso-2022-jp-2", codec(east_asian::ISO_2022_JP_2)),
            ("iso-2022-cn", Ok(textcodec::REPLACEMENT.into())),
            ("glibc:iso-2022-cn", codec(east_asian::ISO_2022_CN)),
        ] {
            assert_eq!(Charset::for_label(label), charset, "{label}");
        }
    }

    #[test]
    fn a_name_of_two_tables_is_an_error_that_tells_the_names_with_prefixes() {
        for (label, names) in [("CP278", ["iana:cp278", "java:cp278"]), ("ibm868", ["iana:ibm868", "glibc:ibm868"])] {
            let error = Charset::for_label(label).unwrap_err().to_string();
            assert_eq!(error, format!("two encodings have this name: {} and {}", names[0], names[1]), "{label}");
            let [first, second] = names.map(|name| Charset::for_label(name).unwrap());
            assert_ne!(first, second, "{label}");
        }
        // The Standard has an encoding of this kind under another label.
        for (label, names) in [
            ("cp932", "windows-31j, glibc:cp932 and python:cp932"),
            ("maccyrillic", "x-mac-cyrillic, glibc:maccyrillic and python:maccyrillic"),
            ("cp10007", "x-mac-cyrillic, glibc:cp10007 and java:MACCYRILLIC"),
        ] {
            let error = Charset::for_label(label).unwrap_err().to_string();
            assert_eq!(error, format!("several encodings have this name: {names}"));
        }
        assert!(matches!(Charset::for_label("glibc:nonsense"), Err(crate::charset::UnknownLabel::Unknown(_))));
        for label in ["windows:9", "windows:", "windows:+932", "cp+737", "cp", "cp--737", "+1252", "-1252"] {
            assert!(Charset::for_label(label).is_err(), "{label}");
        }
    }

    #[test]
    fn no_charset_has_a_label_twice_in_any_case() {
        for charset in Charset::all() {
            let labels: Vec<String> = charset.labels().map(str::to_lowercase).collect();
            assert_eq!(labels.iter().collect::<BTreeSet<_>>().len(), labels.len(), "{charset}: {labels:?}");
        }
    }
}
