//! Messages on standard error, and the names of files and other foreign text in them.
//!
//! Every message goes through [`escape_controls`], and foreign text in it through [`display`] or [`excerpt`]: names,
//! options and declarations can have terminal sequences, characters that nobody sees, or millions of characters.

#[path = "generated/invisible.rs"]
mod invisible;

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    path::Path,
    sync::OnceLock,
};

use clap::error::{ContextKind, ContextValue};

use crate::standard_streams;

/// The name of the program in messages, if it is not textcodec.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Sets the name of the program in messages.
pub(crate) fn set_program(name: &'static str) {
    let _ = PROGRAM.set(name);
}

/// Whether the user has given options of iconv.
static HAS_ICONV_OPTIONS: OnceLock<()> = OnceLock::new();

/// Makes messages name options of iconv.
pub(crate) fn set_iconv_options() {
    let _ = HAS_ICONV_OPTIONS.set(());
}

/// Whether messages name options of iconv.
pub(crate) fn has_iconv_options() -> bool {
    HAS_ICONV_OPTIONS.get().is_some()
}

/// Writes a line to standard error. On a terminal, the line does not continue the text on standard output. If writing
/// fails there is nowhere left to say so.
pub(crate) fn say(line: &str) {
    let mut output = io::stderr();
    if standard_streams::take_open_line() && output.is_terminal() {
        let _ = writeln!(output);
    }
    let _ = writeln!(output, "{}", with_program(line));
}

/// A message with the name of the program.
fn with_program(line: &str) -> String {
    format!("{}: {}", PROGRAM.get().unwrap_or(&"textcodec"), escape_controls(line))
}

/// Writes lines that help with an error to standard error.
pub(crate) fn say_hint(lines: &str) {
    let _ = writeln!(io::stderr(), "{}", escape_controls(lines));
}

/// Prints an error of the command line, with colors on a terminal unless it quotes characters that are not visible.
pub(crate) fn say_usage(mut error: clap::Error) {
    shorten(&mut error);
    // Nobody is left to hear that standard error is closed.
    let _ = match escaped_usage(&error) {
        Some(escaped) => write!(io::stderr(), "{escaped}"),
        None => error.print(),
    };
}

/// The text of an error of the command line that has characters that are not visible. The terminal sequences of styles
/// do not count: after [`shorten`], they are those of clap.
fn escaped_usage(error: &clap::Error) -> Option<String> {
    let text = error.render().to_string();
    Some(escape_controls(&text)).filter(|escaped| *escaped != text)
}

/// Makes an error of the command line quote only excerpts of arguments.
fn shorten(error: &mut clap::Error) {
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let shortened = match value {
            ContextValue::String(text) => Some(ContextValue::String(excerpt(&text))),
            // The styles of a proposal that quotes an argument are lost.
            ContextValue::StyledStrs(texts) if kind == ContextKind::Suggested => {
                let texts = texts.into_iter().map(|text| match text.to_string() {
                    plain if excerpt(&plain) == plain => text,
                    plain => excerpt(&plain).into(),
                });
                Some(ContextValue::StyledStrs(texts.collect()))
            }
            _ => None,
        };
        shortened.map(|value| error.insert(kind, value));
    }
}

/// The failures of a run, which continues with the other files.
#[derive(Default, Debug)]
pub(crate) struct Failures {
    number: usize,
}

impl Failures {
    /// Prints the failure.
    pub(crate) fn add(&mut self, error: &anyhow::Error) {
        say(&format!("{error:#}"));
        self.number += 1;
    }

    /// Counts failures that are printed already.
    pub(crate) fn count(&mut self, number: usize) {
        self.number += number;
    }

    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The value, or `None` after the failure is printed.
    pub(crate) fn check<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.inspect_err(|error| self.add(error)).ok()
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.number > 0
    }

    /// 0, or 1 after a failure.
    pub(crate) fn status(&self) -> u8 {
        u8::from(self.has_failed())
    }
}

/// The greatest length in bytes of a path that messages show as a whole. No system opens a file with a longer path.
const LONGEST: usize = 4096;

/// The number of characters at the start and at the end of a longer path that messages show.
const SHOWN: usize = 100;

/// A path for a message, without its middle if it is longer than any path that a system takes.
pub(crate) fn display(path: &Path) -> String {
    let shown = display_all(path);
    if path.as_os_str().len() <= LONGEST {
        return shown;
    }
    without_middle(&shown)
}

/// A path for a message: unchanged, or in quotes and with escapes if it has characters that are not visible or bytes
/// that are not UTF-8.
fn display_all(path: &Path) -> String {
    let is_plain = path.to_str().is_some_and(|path| !path.starts_with('"') && characters(path).all(|(_, seen)| seen));
    if is_plain { path.display().to_string() } else { quote(path) }
}

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
pub(crate) fn excerpt(text: &str) -> String {
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
pub(crate) fn escape_controls(text: &str) -> String {
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
pub(crate) fn is_visible(character: char) -> bool {
    matches!(character, ' '..='~') || !is_in(&invisible::INVISIBLE, character)
}

/// Whether one of the ranges, which ascend, has the character.
fn is_in(ranges: &[(char, char)], character: char) -> bool {
    let at = ranges.partition_point(|&(_, last)| last < character);
    ranges.get(at).is_some_and(|&(first, _)| first <= character)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn text_that_is_no_excerpt_is_escaped_at_the_end() {
        assert_eq!(with_program("a\u{1B}\u{202E}\nb"), "textcodec: a\\u{1b}\\u{202e}\nb");
        let error = |message: &str| clap::Command::new("a").error(clap::error::ErrorKind::ValueValidation, message);
        assert_eq!(escaped_usage(&error("plain")), None);
        let escaped = escaped_usage(&error("a\u{202E}b")).unwrap();
        assert!(escaped.contains("a\\u{202e}b") && !escaped.contains('\u{202E}'), "{escaped}");
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
}
