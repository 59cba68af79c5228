//! Corrections that are certain.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{Levels, Rule};
use crate::{
    repair::{Certainty, Repair, Step},
    text::{LineEndings, Newlines},
};

/// A text without violations of the denied rules for which a correction is certain: a byte order mark at the start or
/// inside, U+001A at the end and what follows it, lines that were decoded wrongly, control characters that stand for
/// characters of windows-1252, and lines that end in different ways, which get the ending of most lines. Returns the
/// rules with the text; `None` if nothing changes.
///
/// `text` has the byte order mark of the file, if the file has one.
///
/// ```
/// use textcodec_convert::{Levels, Rule, fix};
///
/// let mut levels = Levels::default();
/// levels.deny(&Rule::ALL);
/// let (text, rules) = fix("\u{FEFF}cafÃ©\r\nIt\u{92}s\r\n.\n\u{1A}", &levels).unwrap();
/// assert_eq!(text, "café\r\nIt’s\r\n.\r\n");
/// assert_eq!(rules, [Rule::TrailingBytes, Rule::Bom, Rule::DoubleEncoding, Rule::Control, Rule::MixedNewlines]);
/// ```
#[must_use]
pub fn fix(text: &str, levels: &Levels) -> Option<(String, Vec<Rule>)> {
    let mut fixed = Cow::from(text);
    let mut rules = Vec::new();
    let mut change = |rule: Rule, fixed: &mut Cow<'_, str>, changed: String| {
        if levels.is_denied(rule) && changed != **fixed {
            rules.push(rule);
            *fixed = changed.into();
        }
    };
    let text = fixed.trim_end_matches(['\0', '\u{1A}']);
    let end = text.len() + fixed[text.len()..].find('\u{1A}').unwrap_or(fixed.len() - text.len());
    let end = fixed[..end].into();
    change(Rule::TrailingBytes, &mut fixed, end);
    // A program that adds a byte order mark does not look for one that is there.
    let start = fixed.trim_start_matches('\u{FEFF}').into();
    change(Rule::Bom, &mut fixed, start);
    let mark = if fixed.starts_with('\u{FEFF}') { "\u{FEFF}" } else { "" };
    let inner = [mark, &fixed.replace('\u{FEFF}', "")].concat();
    change(Rule::InnerBom, &mut fixed, inner);
    for rule in [Rule::DoubleEncoding, Rule::Control] {
        let repaired = repair(&fixed, rule);
        change(rule, &mut fixed, repaired);
    }
    let lines = same_endings(&fixed);
    change(Rule::MixedNewlines, &mut fixed, lines);
    (!rules.is_empty()).then(|| (fixed.into_owned(), rules))
}

/// The text with the lines repaired whose repair is certain and is about `rule`.
fn repair(text: &str, rule: Rule) -> String {
    let repair = Repair::default();
    let mut repaired = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let is_about = |step: &Step| match step {
            Step::Controls => true,
            Step::Decoding { .. } | Step::Part { .. } => rule == Rule::DoubleEncoding,
        };
        let explained = repair.explain(content).filter(|explained| explained.certainty == Certainty::Certain);
        let explained = explained.filter(|explained| {
            explained.steps.iter().all(is_about)
                && (rule == Rule::Control || explained.steps.iter().any(|step| *step != Step::Controls))
                // A character that is lost cannot be fixed.
                && !explained.text.contains('\u{FFFD}')
        });
        match explained {
            Some(explained) => {
                repaired += &explained.text;
                repaired += &line[content.len()..];
            }
            None => repaired += line,
        }
    }
    repaired
}

/// The text with the line ending that most of its lines have.
fn same_endings(text: &str) -> String {
    let crlf = text.matches("\r\n").count();
    let (lf, cr) = (text.matches('\n').count() - crlf, text.matches('\r').count() - crlf);
    let is_mixed = [lf, crlf, cr].into_iter().filter(|&number| number > 0).count() > 1;
    let newlines = if crlf > lf { Newlines::Crlf } else { Newlines::Lf };
    // Most lines of a text that end with CR alone are of the classic Mac OS, which only a person can tell.
    match LineEndings::new(newlines, false).filter(|_| is_mixed && cr <= lf + crlf) {
        Some(mut endings) => {
            let mut same = String::with_capacity(text.len());
            endings.apply(text, true, &mut same);
            same
        }
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_denied_rules_are_fixed_and_nothing_is_left_to_fix() {
        let text = "\u{FEFF}cafÃ©\r\nIt\u{92}s a\u{FEFF}b\n\n\u{1A}\0";
        for (names, expected) in [
            ("bom", "cafÃ©\r\nIt\u{92}s a\u{FEFF}b\n\n\u{1A}\0"),
            ("inner-bom", "\u{FEFF}cafÃ©\r\nIt\u{92}s ab\n\n\u{1A}\0"),
            ("trailing-bytes", "\u{FEFF}cafÃ©\r\nIt\u{92}s a\u{FEFF}b\n\n"),
            ("mojibake", "\u{FEFF}café\r\nIt\u{92}s a\u{FEFF}b\n\n\u{1A}\0"),
            ("control", "\u{FEFF}cafÃ©\r\nIt’s a\u{FEFF}b\n\n\u{1A}\0"),
            ("mixed-newlines", "\u{FEFF}cafÃ©\nIt\u{92}s a\u{FEFF}b\n\n\u{1A}\0"),
            ("all", "café\nIt’s ab\n\n"),
        ] {
            let mut levels = Levels::default();
            assert_eq!(fix(text, &levels), None);
            levels.deny(Rule::for_name(names).unwrap());
            let (fixed, _) = fix(text, &levels).unwrap();
            assert_eq!(fixed, expected, "{names}");
            assert_eq!(fix(&fixed, &levels), None, "{names}");
        }
    }

    #[test]
    fn what_is_not_certain_stays() {
        let mut levels = Levels::default();
        levels.deny(&Rule::ALL);
        for text in ["SÓ…\n", "é cafÃ©\n", "a\rb\rc\n", "ï¿½\n", "plain\n", "a\u{85}b\n", "a\0\0"] {
            assert_eq!(fix(text, &levels), None, "{text}");
        }
    }

    #[test]
    fn line_endings_become_those_of_most_lines() {
        let mut levels = Levels::default();
        levels.deny(Rule::for_name("mixed-newlines").unwrap());
        for (text, expected) in [
            ("a\rb\nc\n", "a\nb\nc\n"),
            ("a\rb\n", "a\nb\n"),
            ("a\rb\rc\n\r\n", "a\nb\nc\n\n"),
            ("a\rb\r\nc\r\n", "a\r\nb\r\nc\r\n"),
            ("a\nb\r\nc\r\n", "a\r\nb\r\nc\r\n"),
            ("a\nb\r\n", "a\nb\n"),
            ("a\rb\nc\r\n", "a\nb\nc\n"),
        ] {
            assert_eq!(fix(text, &levels).map(|(fixed, _)| fixed).as_deref(), Some(expected), "{text:?}");
        }
        for text in ["a\rb\rc\n", "a\rb\r", "a\r\n\r\n", "\n\n"] {
            assert_eq!(fix(text, &levels), None, "{text:?}");
        }
    }

    #[test]
    fn one_fix_removes_all_byte_order_marks_at_the_start() {
        for (rules, expected) in [("bom", "a\u{FEFF}b"), ("inner-bom", "\u{FEFF}ab"), ("all", "ab")] {
            let mut levels = Levels::default();
            levels.deny(Rule::for_name(rules).unwrap());
            let (fixed, _) = fix("\u{FEFF}\u{FEFF}\u{FEFF}a\u{FEFF}b", &levels).unwrap();
            assert_eq!(fixed, expected, "{rules}");
            assert_eq!(fix(&fixed, &levels), None, "{rules}");
        }
    }
}
