//! Labels of other systems that no encoding of the [Encoding
//! Standard](https://encoding.spec.whatwg.org/#names-and-labels) has.

use alloc::string::String;

/// The meaning of a label in another system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An encoding that has this label in the Standard.
    Label(&'static str),
    /// An encoding that the [registry](crate::charset) does not have: a noun phrase. Ask the registry before.
    Foreign(&'static str),
}

const DOS: &str = "a code page of DOS";
const EBCDIC: &str = "a kind of EBCDIC";
const JOHAB: &str = "Johab, an encoding of Korean";
const MAC: &str = "an encoding of the classic Mac OS, of which the Standard has only macintosh and x-mac-cyrillic";

/// The meaning of `label` in another system, without regard to case and punctuation; `None` if it is not known.
#[must_use]
pub fn meaning(label: &str) -> Option<Meaning> {
    let plain: String = label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    code_page(&plain).or_else(|| named(&plain))
}

/// As [`meaning`], for callers that have the encodings of the Standard and no others.
#[must_use]
pub fn meaning_in_standard(label: &str) -> Option<Meaning> {
    meaning(label).map(|meaning| match meaning {
        Meaning::Foreign(DOS) => Meaning::Foreign("a code page of DOS, of which the Standard has only ibm866"),
        other => other,
    })
}

/// The meaning of a label that is the number of a code page, with or without a prefix such as "cp".
fn code_page(plain: &str) -> Option<Meaning> {
    const PREFIXES: [&str; 9] = ["codepage", "windows", "xibm", "ibm", "dos", "oem", "win", "cp", "ms"];
    let number = PREFIXES.into_iter().find_map(|prefix| plain.strip_prefix(prefix)).unwrap_or(plain);
    let meaning = match number.parse::<u32>().ok()? {
        437
        | 708
        | 720
        | 737
        | 770..=778
        | 850..=853
        | 855..=858
        | 860..=865
        | 867..=869
        | 895
        | 1098
        | 1118
        | 1125
        | 1131 => Meaning::Foreign(DOS),
        37
        | 256
        | 273..=298
        | 420
        | 423
        | 424
        | 500
        | 833..=838
        | 870
        | 871
        | 875
        | 880
        | 905
        | 918
        | 924
        | 930..=931
        | 933
        | 935
        | 937
        | 939
        | 1025
        | 1026
        | 1047
        | 1112
        | 1122
        | 1123
        | 1130
        | 1132
        | 1140..=1149
        | 1153..=1158
        | 1160
        | 1164
        | 1364
        | 1371
        | 1388
        | 1390
        | 1399
        | 20273..=20424
        | 20833
        | 20838
        | 20871
        | 20880
        | 20905
        | 20924
        | 21025 => Meaning::Foreign(EBCDIC),
        932 | 943 => Meaning::Label("windows-31j"),
        936 | 1386 => Meaning::Label("gbk"),
        949 => Meaning::Label("windows-949"),
        950 => Meaning::Label("big5"),
        1361 => Meaning::Foreign(JOHAB),
        1200 => Meaning::Label("utf-16le"),
        1201 => Meaning::Label("utf-16be"),
        12000 | 12001 => Meaning::Foreign("UTF-32"),
        65000 => Meaning::Foreign("UTF-7"),
        65001 => Meaning::Label("utf-8"),
        1250..=1258 => windows(number)?,
        10000 => Meaning::Label("macintosh"),
        10007 | 10017 => Meaning::Label("x-mac-cyrillic"),
        10001..=10082 => Meaning::Foreign(MAC),
        20127 => Meaning::Label("us-ascii"),
        20866 => Meaning::Label("koi8-r"),
        21866 => Meaning::Label("koi8-u"),
        28591 => Meaning::Label("iso-8859-1"),
        28592 => Meaning::Label("iso-8859-2"),
        28593 => Meaning::Label("iso-8859-3"),
        28594 => Meaning::Label("iso-8859-4"),
        28595 => Meaning::Label("iso-8859-5"),
        28596 => Meaning::Label("iso-8859-6"),
        28597 => Meaning::Label("iso-8859-7"),
        28598 => Meaning::Label("iso-8859-8"),
        28599 => Meaning::Label("iso-8859-9"),
        28603 => Meaning::Label("iso-8859-13"),
        28605 => Meaning::Label("iso-8859-15"),
        50220..=50222 => Meaning::Label("iso-2022-jp"),
        51932 => Meaning::Label("euc-jp"),
        51949 => Meaning::Label("euc-kr"),
        54936 => Meaning::Label("gb18030"),
        _ => return None,
    };
    Some(meaning)
}

/// The label of a code page of Windows.
fn windows(number: &str) -> Option<Meaning> {
    const LABELS: [&str; 9] = [
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
    ];
    LABELS.into_iter().find(|label| label.ends_with(number)).map(Meaning::Label)
}

/// The meaning of a label that is not the number of a code page.
fn named(plain: &str) -> Option<Meaning> {
    const ISO_2022: [&str; 7] =
        ["iso2022cn", "iso2022cnext", "iso2022jp1", "iso2022jp2", "iso2022jp2004", "iso2022jp3", "iso2022jpext"];
    const MAC_SCRIPTS: [&str; 20] = [
        "arabic",
        "ce",
        "celtic",
        "centraleurope",
        "centraleuro",
        "chinese",
        "croatian",
        "farsi",
        "gaelic",
        "greek",
        "hebrew",
        "iceland",
        "icelandic",
        "japanese",
        "korean",
        "latin2",
        "romania",
        "romanian",
        "thai",
        "turkish",
    ];
    let mac = plain.strip_prefix("xmac").or_else(|| plain.strip_prefix("mac"));
    if mac.is_some_and(|script| MAC_SCRIPTS.contains(&script)) {
        return Some(Meaning::Foreign(MAC));
    }
    if ISO_2022.contains(&plain) {
        return Some(Meaning::Foreign("an encoding with escape sequences, of which the Standard has only iso-2022-jp"));
    }
    let of_family = [
        ("utf32", "UTF-32"),
        ("ucs4", "UTF-32"),
        ("utf7", "UTF-7"),
        ("ebcdic", EBCDIC),
        ("utfebcdic", EBCDIC),
        ("iso646", "a national variant of ASCII"),
        ("eucjis", "an encoding of JIS X 0213"),
        ("shiftjis2004", "an encoding of JIS X 0213"),
        ("shiftjisx0213", "an encoding of JIS X 0213"),
    ];
    if let Some((_, what)) = of_family.into_iter().find(|(prefix, _)| plain.starts_with(prefix) && plain != "ebcdic") {
        return Some(Meaning::Foreign(what));
    }
    Some(match plain {
        "utf8mb3" | "utf8mb4" | "utf8sig" | "utf8bom" | "utf8mac" => Meaning::Label("utf-8"),
        "macroman" | "applestandardroman" => Meaning::Label("macintosh"),
        "maccyrillic" | "macukraine" | "macukrainian" => Meaning::Label("x-mac-cyrillic"),
        "sjiswin" | "sjisms" | "sjisopen" => Meaning::Label("windows-31j"),
        "eucjpms" | "eucjpwin" | "eucjpopen" => Meaning::Label("euc-jp"),
        "uhc" => Meaning::Label("windows-949"),
        "euccn" => Meaning::Label("gb2312"),
        "utf1" | "cesu8" | "scsu" | "bocu1" | "wtf8" => {
            Meaning::Foreign("an encoding of Unicode that is not used on the web")
        }
        "ansi" | "acp" | "mbcs" => Meaning::Foreign(
            "the code page of Windows, which depends on its language: windows-1252 in Western Europe, windows-1250 in \
             Central Europe, windows-1251 in Russia, shift_jis in Japan, gbk in China",
        ),
        "oem" | "oemcp" | "dos" | "msdos" => Meaning::Foreign(
            "the code page of DOS, which depends on its language: cp437 in the USA, cp850 in Western Europe, cp852 in \
             Central Europe, ibm866 in Russia",
        ),
        "ebcdic" => Meaning::Foreign(
            "a family of code pages, for example cp037 in the USA, cp273 in Germany, cp500 in several countries, and \
             cp1047 under Unix",
        ),
        "iso885912" => Meaning::Foreign("a part of ISO 8859 that was never published"),
        "iso6937" => Meaning::Foreign("an encoding of ISO that is older than ISO 8859"),
        "euctw" | "cns11643" => Meaning::Foreign("an encoding of Chinese"),
        "johab" => Meaning::Foreign(JOHAB),
        "viscii" | "tcvn" | "tcvn3" | "tcvn5712" | "tcvn57121" | "vps" | "vni" => {
            Meaning::Foreign("an encoding of Vietnamese")
        }
        "armscii8" | "armscii" => Meaning::Foreign("an encoding of Armenian"),
        "georgianps" | "georgianacademy" => Meaning::Foreign("an encoding of Georgian"),
        "koi7" | "koi8t" | "koi8f" | "koi8c" | "ptcp154" | "pt154" | "rk1048" | "kz1048" | "mik" => {
            Meaning::Foreign("an encoding of Cyrillic letters")
        }
        "mazovia" | "kamenicky" | "keybcs2" | "cwi2" => Meaning::Foreign(DOS),
        "hproman8" | "roman8" | "nextstep" | "atarist" | "atascii" | "petscii" | "riscoslatin1" | "decmcs" => {
            Meaning::Foreign("an encoding of the computers of one maker")
        }
        "gsm0338" | "gsm7" => Meaning::Foreign("the encoding of short messages"),
        _ => return None,
    })
}

/// Whether other systems write UTF-8 with a byte order mark under this label.
#[must_use]
pub fn is_utf_8_with_mark(label: &str) -> bool {
    let plain: String = label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    matches!(&*plain, "utf8sig" | "utf8bom" | "utf8withbom")
}

/// The encoding that `label` names in other systems, if the Standard takes the label for the encoding `name`, which has
/// more characters.
#[must_use]
pub fn smaller_encoding(label: &str, name: &str) -> Option<&'static str> {
    const ASCII: [&str; 5] = ["ascii", "us-ascii", "ansi_x3.4-1968", "iso-ir-6", "iso646-us"];
    let label = label.trim().to_ascii_lowercase();
    match name {
        "windows-1252" if ASCII.contains(&&*label) => Some("ASCII"),
        "windows-1252" if !label.ends_with("1252") => Some("ISO-8859-1"),
        "windows-1254" if !label.ends_with("1254") => Some("ISO-8859-9"),
        "windows-874" if label.starts_with("iso") => Some("ISO-8859-11"),
        "windows-874" if label.starts_with("tis") => Some("TIS-620"),
        "GBK" if label.contains("2312") || label == "iso-ir-58" => Some("GB 2312"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::Encoding;

    #[test]
    fn knows_labels_of_other_systems() {
        for label in [
            "cp437",
            "IBM437",
            "CP850",
            "cp-858",
            "dos-862",
            "437",
            "UTF-32",
            "utf32le",
            "UCS-4",
            "UTF-7",
            "cp037",
            "IBM1047",
            "EBCDIC-CP-US",
            "cp500",
            "ISO-8859-12",
            "MacGreek",
            "x-mac-ce",
            "ISO-2022-JP-2",
            "euc-jis-2004",
            "VISCII",
            "johab",
            "koi8-t",
            "hp-roman8",
            "mbcs",
            "DOS",
            "cp1361",
            "cp12000",
            "12001",
        ] {
            assert!(matches!(meaning(label), Some(Meaning::Foreign(_))), "{label}: {:?}", meaning(label));
            assert!(Encoding::for_label(label).is_err(), "{label}");
        }
        for (label, meant) in [
            ("cp932", "windows-31j"),
            ("CP936", "gbk"),
            ("cp65001", "utf-8"),
            ("utf8mb4", "utf-8"),
            ("UTF-8-SIG", "utf-8"),
            ("MacRoman", "macintosh"),
            ("win1251", "windows-1251"),
            ("28592", "iso-8859-2"),
            ("cp950", "big5"),
            ("cp10000", "macintosh"),
            ("cp1201", "utf-16be"),
        ] {
            assert_eq!(meaning(label), Some(Meaning::Label(meant)), "{label}");
            assert!(Encoding::for_label(meant).is_ok() && Encoding::for_label(label).is_err(), "{label}");
        }
        for label in
            ["shift-jiss", "latin-1", "utf_8", "quetzalcoatl", "", "99999", "macintoch", "iso-2022-jpp", "iso-8859-17"]
        {
            assert_eq!(meaning(label), None, "{label}");
        }
    }

    #[test]
    fn callers_without_the_registry_are_told_of_none_of_its_charsets() {
        for label in ["cp437", "mazovia", "cp037", "utf-ebcdic"] {
            let Some(Meaning::Foreign(what)) = meaning_in_standard(label) else { panic!("{label}") };
            assert!(!what.contains("textcodec"), "{label}: {what}");
        }
        for label in ["cp932", "johab", "quetzalcoatl"] {
            assert_eq!(meaning_in_standard(label), meaning(label), "{label}");
        }
    }

    #[test]
    fn labels_of_smaller_encodings_are_known() {
        for encoding in Encoding::all() {
            for label in encoding.labels() {
                let smaller = smaller_encoding(label, encoding.name());
                let is_other = match encoding.name() {
                    "windows-1252" => !["cp1252", "x-cp1252", "windows-1252"].contains(&label),
                    "windows-1254" => !["cp1254", "x-cp1254", "windows-1254"].contains(&label),
                    "windows-874" => !["dos-874", "windows-874"].contains(&label),
                    "GBK" => !["gbk", "x-gbk", "chinese"].contains(&label),
                    _ => false,
                };
                assert_eq!(smaller.is_some(), is_other, "{label}");
            }
        }
    }
}
