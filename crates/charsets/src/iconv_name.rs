//! Names as programs give them to iconv.

use crate::{Charset, Names, names};

/// A name as programs give it to `iconv_open` of glibc, such as `"ISO-8859-1//TRANSLIT//IGNORE"`, without its suffixes.
///
/// glibc drops whitespace around the name, and slashes and commas at its end. A name with at least two slashes ends
/// with suffixes; a suffix begins after a slash or a comma.
///
/// ```
/// use textcodec_charsets::{IconvName, iso::ISO_8859_1};
///
/// let name = IconvName::parse("latin1//TRANSLIT,ignore");
/// assert!(name.transliterates && name.ignores);
/// assert_eq!(name.charset(), Some(ISO_8859_1));
/// ```
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IconvName<'a> {
    /// The name. It is empty if the locale decides.
    pub name: &'a str,
    /// Whether there is the suffix TRANSLIT.
    pub transliterates: bool,
    /// Whether there is the suffix IGNORE.
    pub ignores: bool,
    /// The first one of the other suffixes, which glibc ignores.
    pub unknown: Option<&'a str>,
}

impl<'a> IconvName<'a> {
    /// Parses a name.
    #[must_use]
    pub fn parse(code: &'a str) -> Self {
        let is_end = |character: char| is_space(character) || matches!(character, ',' | '/');
        let mut parsed =
            IconvName { name: code.trim_start_matches(is_space), transliterates: false, ignores: false, unknown: None };
        loop {
            parsed.name = parsed.name.trim_end_matches(is_end);
            if parsed.name.bytes().filter(|byte| *byte == b'/').count() < 2 {
                return parsed;
            }
            let Some((name, suffix)) = parsed.name.rsplit_once(['/', ',']) else { return parsed };
            parsed.name = name;
            match suffix {
                _ if suffix.eq_ignore_ascii_case("TRANSLIT") => parsed.transliterates = true,
                _ if suffix.eq_ignore_ascii_case("IGNORE") => parsed.ignores = true,
                "" => {}
                _ => parsed.unknown = Some(suffix),
            }
        }
    }

    /// The charset that glibc has under this name, in an enabled family. `None` if it has none, or if this crate does
    /// not have the charset.
    #[must_use]
    pub fn charset(self) -> Option<Charset> {
        // Some names of glibc end with a slash, which is no part of the name here.
        ["", "/"].into_iter().find_map(|end| names::look_up(self.name, end, Names::Glibc))
    }
}

/// Whether the function `isspace` of C counts it in.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_begin_after_two_slashes() {
        for (code, name, transliterates, ignores, unknown) in [
            ("UTF-8", "UTF-8", false, false, None),
            (" utf8/", "utf8", false, false, None),
            (" \t\n\u{B}\u{C}\rutf8 \t\n\u{B}\u{C}\r", "utf8", false, false, None),
            ("\u{B}UTF-8//IGNORE\u{B}", "UTF-8", false, true, None),
            ("UTF-8//", "UTF-8", false, false, None),
            ("UTF-8//TRANSLIT", "UTF-8", true, false, None),
            ("UTF-8//translit//Ignore \t", "UTF-8", true, true, None),
            ("UTF-8//IGNORE,TRANSLIT,", "UTF-8", true, true, None),
            ("UTF-8//TRANSLIT/IGNORE//", "UTF-8", true, true, None),
            ("UTF-8//NONSENSE//IGNORE", "UTF-8", false, true, Some("NONSENSE")),
            ("UTF-8//NONSENSE//TRANSLIT//OTHER", "UTF-8", true, false, Some("NONSENSE")),
            ("ISO-10646/UCS4/", "ISO-10646/UCS4", false, false, None),
            ("ISO-10646/UCS4//IGNORE", "ISO-10646/UCS4", false, true, None),
            ("latin1/TRANSLIT", "latin1/TRANSLIT", false, false, None),
            ("latin1,TRANSLIT", "latin1,TRANSLIT", false, false, None),
            ("", "", false, false, None),
            ("//TRANSLIT", "", true, false, None),
            ("//", "", false, false, None),
        ] {
            let expected = IconvName { name, transliterates, ignores, unknown };
            assert_eq!(IconvName::parse(code), expected, "{code}");
        }
    }
}
