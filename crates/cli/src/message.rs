//! Messages on standard error, and the names of files in them.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    path::Path,
    sync::OnceLock,
};

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
    let _ = writeln!(output, "{}: {line}", PROGRAM.get().unwrap_or(&"textcodec"));
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
    let start: String = shown.chars().take(SHOWN).collect();
    let end = shown.char_indices().rev().nth(SHOWN - 1).map_or(&*shown, |(at, _)| &shown[at..]);
    format!("{start}…{end}")
}

/// A path for a message: unchanged, or in quotes and with escapes if it has characters that are not
/// [visible](is_visible) or bytes that are not UTF-8.
fn display_all(path: &Path) -> String {
    let is_plain = path.to_str().is_some_and(|path| !path.starts_with('"') && path.chars().all(is_visible));
    if is_plain { path.display().to_string() } else { quote(path) }
}

fn quote(path: &Path) -> String {
    let mut quoted = String::from('"');
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\\' => quoted.extend(['\\', character]),
                _ if is_visible(character) => quoted.push(character),
                _ => quoted.extend(character.escape_default()),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(quoted, "\\x{byte:02x}");
        }
    }
    quoted + "\""
}

/// Text with escapes for all characters that are not [visible](is_visible), except line feeds.
pub(crate) fn escape_controls(text: &str) -> String {
    let escape = |character: char| match character {
        '\n' => String::from(character),
        _ if is_visible(character) => String::from(character),
        _ => character.escape_default().to_string(),
    };
    text.chars().map(escape).collect()
}

/// Whether the character only adds itself to a line on a terminal. Control characters, and characters that change the
/// direction of the text, break the line or have no width, are not visible.
pub(crate) fn is_visible(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
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

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_are_shown_in_hexadecimal() {
        use std::os::unix::ffi::OsStrExt;

        let name = std::ffi::OsStr::from_bytes(b"caf\xE9 \xFF.txt");
        assert_eq!(display(Path::new(name)), "\"caf\\xe9 \\xff.txt\"");
    }
}
