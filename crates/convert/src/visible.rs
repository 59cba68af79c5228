//! Text from elsewhere in a message or a report: the names of files, labels and lines can have terminal sequences,
//! characters that nobody sees, or millions of characters.

#[path = "visible/generated/invisible.rs"]
mod invisible;

use alloc::{borrow::ToOwned, format, string::String};
use core::fmt;
#[cfg(feature = "std")]
use {core::fmt::Write as _, std::path::Path};

/// The greatest length in bytes of a path that messages show as a whole. No system opens a file with a longer path.
#[cfg(feature = "std")]
const LONGEST: usize = 4096;

/// The number of characters at the start and at the end of a longer path that messages show.
const SHOWN: usize = 100;

/// A path for a message, without its middle if it is longer than any path that a system takes.
#[cfg(feature = "std")]
#[must_use]
pub fn display(path: &Path) -> String {
    let shown = display_all(path);
    if path.as_os_str().len() <= LONGEST {
        return shown;
    }
    without_middle(&shown)
}

/// A path for a message: unchanged, or in quotes and with escapes if it has characters that are not visible or bytes
/// that are not UTF-8.
#[cfg(feature = "std")]
fn display_all(path: &Path) -> String {
    let is_plain = path.to_str().is_some_and(|path| !path.starts_with('"') && characters(path).all(|(_, seen)| seen));
    if is_plain { path.display().to_string() } else { quote(path) }
}

#[cfg(feature = "std")]
fn quote(path: &Path) -> String {
    let mut quoted = String::from('"');
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for (character, is_seen) in characters(chunk.valid()) {
            match character {
                '"' | '\\' => quoted.extend(['\\', character]),
                _ if is_seen => quoted.push(character),
                _ => quoted.extend(character.escape_default()),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(quoted, "\\x{byte:02x}");
        }
    }
    quoted + "\""
}

/// The greatest length in bytes of foreign text, other than a path, that messages show as a whole.
const LONGEST_EXCERPT: usize = 300;

/// Foreign text for a line of a message: without its middle if it is long, and with escapes for all characters that are
/// not visible, also for line feeds.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let text = if text.len() > LONGEST_EXCERPT { &*without_middle(text) } else { text };
    escape(text, |_| false)
}

/// The first and the last [`SHOWN`] characters of a text that has more.
fn without_middle(text: &str) -> String {
    let start = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    if start < end { format!("{}…{}", &text[..start], &text[end..]) } else { text.to_owned() }
}

/// Text with escapes for all characters that are not visible, except line feeds.
#[must_use]
pub fn escape_controls(text: &str) -> String {
    escape(text, |character| character == '\n')
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (character, is_seen) in characters(text) {
        match is_seen || stays(character) {
            true => escaped.push(character),
            false => escaped.extend(character.escape_default()),
        }
    }
    escaped
}

/// The characters of a text, and whether each is visible in its place: in itself, or by its effect on the characters
/// around it. A joiner has one inside a word, and a variation selector after a character.
fn characters(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut before = None;
    text.char_indices().map(move |(at, character)| {
        let is_seen = is_visible(character)
            || before.is_some_and(|before| match character {
                '\u{200C}' | '\u{200D}' => {
                    let after = text[at + character.len_utf8()..].chars().next();
                    after.is_some_and(|after| is_joined(before, after))
                }
                _ => is_in(&invisible::VARIATION_SELECTORS, character) && takes_selector(before),
            });
        before = is_seen.then_some(character);
        (character, is_seen)
    })
}

/// Whether a joiner between two visible characters is inside a word. No letter of ASCII joins another.
fn is_joined(before: char, after: char) -> bool {
    let is_in_word = |character: char| match character.is_ascii() {
        true => character.is_ascii_alphanumeric(),
        false => !character.is_whitespace(),
    };
    is_in_word(before) && is_in_word(after) && is_visible(after) && !(before.is_ascii() && after.is_ascii())
}

/// Whether a variation selector can follow a visible character. Further selectors after the first do nothing.
fn takes_selector(before: char) -> bool {
    is_visible(before) && !before.is_whitespace()
}

/// Whether the character only adds itself to a line on a terminal. Control characters, and characters that change the
/// direction of the text, break the line or have no width, are not visible.
#[must_use]
pub fn is_visible(character: char) -> bool {
    matches!(character, ' '..='~') || !is_in(&invisible::INVISIBLE, character)
}

/// Whether one of the ranges, which ascend, has the character.
fn is_in(ranges: &[(char, char)], character: char) -> bool {
    let at = ranges.partition_point(|&(_, last)| last < character);
    ranges.get(at).is_some_and(|&(first, _)| first <= character)
}

/// The text as a [JSON string](https://www.rfc-editor.org/rfc/rfc8259#section-7), with escapes for all characters that
/// are not [visible](is_visible).
#[must_use]
pub fn json_string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            _ if is_visible(character) => json.push(character),
            _ => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| json += &format!("\\u{unit:04x}")),
        }
    }
    json + "\""
}

/// A character in a message: its code point, and the character itself if it is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Character(pub char);

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))?;
        // A character that Rust escapes is not visible, or not without another character.
        if is_visible(self.0) && self.0.escape_debug().len() == 1 { write!(f, " ({})", self.0) } else { Ok(()) }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn json_strings_escape_what_they_must() {
        assert_eq!(json_string("a\"b\\c\n\u{1F}\u{9B}é☃𝄞"), "\"a\\\"b\\\\c\\u000a\\u001f\\u009bé☃𝄞\"");
    }

    #[test]
    fn names_are_shown_as_they_are_or_with_escapes() {
        for (name, shown) in [
            ("a b/ü☃.txt", "a b/ü☃.txt"),
            ("a\\b", "a\\b"),
            ("it's \"this\"", "it's \"this\""),
            ("\"", "\"\\\"\""),
            ("\u{1B}[31mred\n", "\"\\u{1b}[31mred\\n\""),
            ("a\\\t\u{9B}", "\"a\\\\\\t\\u{9b}\""),
            ("a\u{202E}b", "\"a\\u{202e}b\""),
        ] {
            assert_eq!(display(Path::new(name)), shown);
        }
    }

    #[test]
    fn a_path_that_is_too_long_for_a_system_is_shown_without_its_middle() {
        let long = "é/".repeat(2000);
        assert_eq!(display(Path::new(&long[..4095])), long[..4095]);
        let shown = display(Path::new(&format!("{long}end")));
        assert_eq!(shown.chars().count(), 2 * SHOWN + 1);
        assert!(shown.starts_with("é/é/") && shown.contains("/é/…/é/é") && shown.ends_with("é/end"), "{shown}");
    }

    #[test]
    fn every_character_that_nobody_sees_is_an_escape() {
        let all = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        for character in all.filter(|&character| !is_visible(character)) {
            let escaped = character.escape_default().to_string();
            assert_eq!(excerpt(&character.to_string()), escaped);
            assert_eq!(display(Path::new(&character.to_string())), format!("\"{escaped}\""));
            let kept = character == '\n';
            assert_eq!(escape_controls(&character.to_string()) == escaped, !kept, "{escaped}");
        }
        for character in
            "\u{1B}\u{9B}\u{AD}\u{61C}\u{180E}\u{200B}\u{2028}\u{202E}\u{2066}\u{3164}\u{FEFF}\u{FFF9}\u{FFFB}".chars()
        {
            assert!(!is_visible(character), "{}", character.escape_unicode());
        }
        assert!(('\u{E0000}'..='\u{E0FFF}').all(|character| !is_visible(character)));
        assert!("a é字☃🏳\u{301}\u{20E3}\u{3000}".chars().all(is_visible));
    }

    #[test]
    fn joiners_in_words_and_the_selectors_of_characters_stay() {
        for text in [
            "می\u{200C}خواهم",
            "PDF\u{200C}ها",
            "क्\u{200D}ष",
            "👩\u{200D}👩\u{200D}👧.txt",
            "❤\u{FE0F}\u{200D}🔥",
            "☃\u{FE0E} 1\u{FE0F}\u{20E3}",
            "葛\u{E0100}飾",
            "ᠠ\u{180B}",
        ] {
            assert_eq!(display(Path::new(text)), text);
            assert_eq!(escape_controls(text), text);
        }
        for (text, shown) in [
            ("a\u{200D}b", "a\\u{200d}b"),
            ("\u{200C}ها", "\\u{200c}ها"),
            ("ها\u{200C}", "ها\\u{200c}"),
            ("ها\u{200C} ها", "ها\\u{200c} ها"),
            ("ها\u{200C}\u{3000}ها", "ها\\u{200c}\u{3000}ها"),
            ("ها\u{3000}\u{200C}ها", "ها\u{3000}\\u{200c}ها"),
            ("a.\u{200C}ها", "a.\\u{200c}ها"),
            ("ها\u{200D}\u{202E}", "ها\\u{200d}\\u{202e}"),
            ("ها\u{200C}\u{200C}ها", "ها\\u{200c}\\u{200c}ها"),
            ("\u{FE0F}a", "\\u{fe0f}a"),
            ("a \u{FE0F}", "a \\u{fe0f}"),
            ("a\u{FE0F}\u{FE01}", "a\u{FE0F}\\u{fe01}"),
            ("🏴\u{E0067}\u{E007F}", "🏴\\u{e0067}\\u{e007f}"),
        ] {
            assert_eq!(excerpt(text), shown);
            assert_eq!(display(Path::new(text)), format!("\"{shown}\""));
        }
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("a\r\nb"), "a\\r\\nb");
        assert_eq!(excerpt(&"é".repeat(150)), "é".repeat(150));
        let shown = excerpt(&format!("{}☃", "é\u{9B}".repeat(5_000_000)));
        assert!(shown.len() < 2000 && shown.contains('…') && shown.ends_with("☃"), "{shown}");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_are_shown_in_hexadecimal() {
        use std::os::unix::ffi::OsStrExt;

        let name = std::ffi::OsStr::from_bytes(b"caf\xE9 \xFF.txt");
        assert_eq!(display(Path::new(name)), "\"caf\\xe9 \\xff.txt\"");
    }

    #[test]
    fn a_text_of_the_greatest_length_is_shown_whole_and_so_is_one_of_few_characters() {
        let path = |length: usize| "a".repeat(length);
        assert_eq!([4096, 4097].map(|length| display(Path::new(&path(length))).len()), [4096, 203]);
        assert_eq!([300, 301].map(|length| excerpt(&path(length)).len()), [300, 203]);
        for number in [150, 200] {
            assert_eq!(excerpt(&"☃".repeat(number)), "☃".repeat(number));
        }
        let shown = ["☃".repeat(100), "☃".repeat(100)].join("…");
        assert_eq!(excerpt(&"☃".repeat(201)), shown);
    }
}
