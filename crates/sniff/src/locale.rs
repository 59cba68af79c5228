//! [Defaults by locale](https://html.spec.whatwg.org/#determining-the-character-encoding), the last step of HTML's
//! encoding sniffing algorithm.

use textcodec_core::Name;

/// The default encodings of languages, or of a language in a region or script.
const LANGUAGES: [(&str, Name); 39] = [
    ("ar", Name::Windows1256),
    ("az", Name::Windows1254),
    ("ba", Name::Windows1251),
    ("be", Name::Windows1251),
    ("bg", Name::Windows1251),
    ("cs", Name::Windows1250),
    ("el", Name::Iso8859_7),
    ("et", Name::Windows1257),
    ("fa", Name::Windows1256),
    ("he", Name::Windows1255),
    ("hr", Name::Windows1250),
    ("hu", Name::Iso8859_2),
    ("ja", Name::ShiftJis),
    ("kk", Name::Windows1251),
    ("ko", Name::EucKr),
    ("ku", Name::Windows1254),
    ("ky", Name::Windows1251),
    ("lt", Name::Windows1257),
    ("lv", Name::Windows1257),
    ("mk", Name::Windows1251),
    ("pl", Name::Iso8859_2),
    ("ru", Name::Windows1251),
    ("sah", Name::Windows1251),
    ("sk", Name::Windows1250),
    ("sl", Name::Iso8859_2),
    ("sr", Name::Windows1251),
    ("tg", Name::Windows1251),
    ("th", Name::Windows874),
    ("tr", Name::Windows1254),
    ("tt", Name::Windows1251),
    ("uk", Name::Windows1251),
    ("vi", Name::Windows1258),
    ("zh-hans", Name::Gbk),
    ("zh-cn", Name::Gbk),
    ("zh-sg", Name::Gbk),
    ("zh-hant", Name::Big5),
    ("zh-hk", Name::Big5),
    ("zh-mo", Name::Big5),
    ("zh-tw", Name::Big5),
];

/// The default encoding of pages that declare none, for users whose locale is `tag`: a language tag such as `ja`,
/// `zh-Hant-TW` or `sr-Latn`, in any case. The form of POSIX, `ja_JP.UTF-8`, is accepted as well; its encoding is
/// ignored, because it is the encoding of the user's files, not of the web.
///
/// ```
/// use textcodec_sniff::{Name, locale_default};
///
/// assert_eq!(locale_default("ru-RU"), Name::Windows1251);
/// assert_eq!(locale_default("pt"), Name::Windows1252);
/// ```
#[must_use]
pub fn locale_default(tag: &str) -> Name {
    let tag = tag.split(['.', '@']).next().unwrap_or_default();
    let mut subtags = tag.split(['-', '_']);
    let language = subtags.next().unwrap_or_default();
    let matches = |wanted: &str| match wanted.split_once('-') {
        None => language.eq_ignore_ascii_case(wanted),
        // A script comes before a region and is more specific.
        Some((wanted, part)) => {
            language.eq_ignore_ascii_case(wanted)
                && subtags
                    .clone()
                    .find(|subtag| is_script_or_region(subtag))
                    .is_some_and(|s| s.eq_ignore_ascii_case(part))
        }
    };
    LANGUAGES.into_iter().find(|(wanted, _)| matches(wanted)).map_or(Name::Windows1252, |(_, encoding)| encoding)
}

/// Whether a subtag after the language is a script (four letters) or a region (two letters or three digits).
fn is_script_or_region(subtag: &str) -> bool {
    match subtag.len() {
        2 | 4 => subtag.bytes().all(|byte| byte.is_ascii_alphabetic()),
        3 => subtag.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}
