//! `.properties` files of Java.
//!
//! `Properties.load` of all versions, and `ResourceBundle` before Java 9, read them as ISO-8859-1. Other characters are
//! written as `\u20AC`, with one escape for each UTF-16 code unit.

use alloc::{borrow::Cow, format, string::String};

use textcodec::Name;

use super::{Contradiction, Form};
use crate::charset::Charset;

/// The contradiction between the rule of Java and the output: `text` has a character that Java would misread in `to`.
pub(super) fn contradiction(text: &str, to: Charset) -> Option<Contradiction> {
    let is_wrong = text.chars().any(|character| !is_read(character, to));
    is_wrong.then(|| Contradiction { form: Form::Properties, label: "ISO-8859-1".into(), range: 0..0 })
}

/// Whether Java reads a file in `to` rightly if other characters are escaped: `to` contains ASCII.
#[must_use]
pub fn can_be_escaped(to: Charset) -> bool {
    !to.is_wide() && !to.is_ebcdic()
}

/// Whether Java reads the character rightly in a file in `to`.
fn is_read(character: char, to: Charset) -> bool {
    let is_latin = to == Charset::iso_8859_1() || to.read_as() == Some(Name::Windows1252);
    can_be_escaped(to) && (character.is_ascii() || is_latin && matches!(character, '\u{A0}'..='\u{FF}'))
}

/// `text` with escapes for the characters that Java would misread in a file in `to`.
pub(crate) fn escape(text: &str, to: Charset) -> Cow<'_, str> {
    if text.chars().all(|character| is_read(character, to)) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        if is_read(character, to) {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped += &format!("\\u{unit:04X}");
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use textcodec::{GBK, UTF_8, UTF_16LE, WINDOWS_1252};

    #[test]
    fn characters_that_java_would_misread_are_escaped() {
        let latin = Charset::iso_8859_1();
        for (to, text, escaped) in [
            (UTF_8.into(), "a=é € 😀 \\u20AC", "a=\\u00E9 \\u20AC \\uD83D\\uDE00 \\u20AC"),
            (GBK.into(), "é中", "\\u00E9\\u4E2D"),
            (latin, "é €", "é \\u20AC"),
            // Java reads the byte 80 of "€" in windows-1252 as U+0080.
            (WINDOWS_1252.into(), "é € \u{80}", "é \\u20AC \\u0080"),
            (latin, "é ÿ", "é ÿ"),
            (UTF_8.into(), "ascii=\\u00e9", "ascii=\\u00e9"),
        ] {
            assert_eq!(escape(text, to), escaped, "{to} {text}");
            assert_eq!(contradiction(text, to).is_some(), text != escaped, "{to} {text}");
        }
        assert!(contradiction("a=b", UTF_16LE.into()).is_some() && !can_be_escaped(UTF_16LE.into()));
    }

    #[test]
    fn only_a_charset_that_contains_ascii_can_have_escapes() {
        for (label, expected) in [
            ("utf-8", true),
            ("gbk", true),
            ("cp437", true),
            ("utf-16be", false),
            ("utf-32le", false),
            ("cp037", false),
        ] {
            let to = Charset::for_label(label).unwrap();
            assert_eq!((can_be_escaped(to), is_read('a', to)), (expected, expected), "{label}");
        }
        // Beyond ASCII, Java reads the characters of ISO-8859-1 alone, and no control characters of windows-1252.
        let latin = Charset::for_label("latin1").unwrap();
        let read: String = ('\u{7F}'..='\u{101}').filter(|&character| is_read(character, latin)).collect();
        assert_eq!(read, ['\u{7F}'].into_iter().chain('\u{A0}'..='\u{FF}').collect::<String>());
    }
}
