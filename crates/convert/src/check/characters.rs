//! Characters that texts do not have: U+FFFD, control characters, byte order marks that are not at the start, and what
//! stands after the end of a text.

use alloc::{format, string::String};

use super::{Occurrences, Problem, Rule};
use crate::{position::Position, visible::Character};

/// What was found so far.
#[derive(Default)]
pub(super) struct Characters {
    replacements: Occurrences,
    controls: Occurrences,
    first_control: Option<char>,
    marks: Occurrences,
    nuls: Occurrences,
    /// The characters U+001A at the end of the text so far, with nothing but U+0000 among and after them.
    trailing: Occurrences,
}

/// The end of a file in DOS. U+0000 can follow it.
const END_OF_FILE: char = '\u{1A}';

impl Characters {
    /// Looks at `text`, which starts at `position`. In EBCDIC, U+0085 ends a line.
    pub(super) fn observe(&mut self, text: &str, position: Position, is_ebcdic: bool) {
        if !text.bytes().any(may_be_odd) {
            if !text.is_empty() {
                self.go_on();
            }
            return;
        }
        let (bytes, place) = (text.as_bytes(), |at: usize| position.after(&text[..at]));
        if let Some(first) = bytes.iter().position(|&byte| byte == 0) {
            self.nuls.add(bytes.iter().filter(|&&byte| byte == 0).count() as u64, || place(first));
        }
        // A search for bytes: a hole in a file can be long.
        let is_text = |&byte: &u8| byte != 0 && byte != END_OF_FILE as u8;
        let body = &text[..bytes.iter().rposition(is_text).map_or(0, |last| last + 1)];
        if !body.is_empty() {
            self.go_on();
            self.observe_body(body, position, is_ebcdic);
        }
        let tail = &bytes[body.len()..];
        if let Some(first) = tail.iter().position(|&byte| byte == END_OF_FILE as u8) {
            let number = tail.iter().filter(|&&byte| byte == END_OF_FILE as u8).count();
            self.trailing.add(number as u64, || place(body.len() + first));
        }
    }

    /// Looks at text after which neither U+0000 nor U+001A ends the text.
    fn observe_body(&mut self, text: &str, position: Position, is_ebcdic: bool) {
        let mut counted = (0, position);
        for (at, character) in text.char_indices() {
            let found = match character {
                '\t' | '\n' | '\r' | '\u{C}' | '\0' => continue,
                '\u{85}' if is_ebcdic => continue,
                '\u{FFFD}' => &mut self.replacements,
                '\u{FEFF}' => &mut self.marks,
                _ if character.is_control() => {
                    self.first_control.get_or_insert(character);
                    &mut self.controls
                }
                _ => continue,
            };
            counted = (at, counted.1.after(&text[counted.0..at]));
            found.add(1, || counted.1);
        }
    }

    /// Another character follows those that were trailing: they are control characters.
    fn go_on(&mut self) {
        let Occurrences { count, first } = core::mem::take(&mut self.trailing);
        if let Some(first) = first {
            self.first_control.get_or_insert(END_OF_FILE);
            self.controls.add(count, || first);
        }
    }

    /// The problems, after the text has ended.
    pub(super) fn problems(&self) -> impl Iterator<Item = Problem> {
        let all = |count: u64| if count == 1 { String::new() } else { format!(" ({count} in all)") };
        let control = || {
            let character = self.first_control.unwrap_or_default();
            let meant = super::windows_1252(character);
            let meant = meant.map(|meant| format!("; in windows-1252, its byte is {meant}")).unwrap_or_default();
            format!("the control character {}{meant}{}", Character(character), all(self.controls.count))
        };
        let found = [
            (&self.nuls, Rule::Nul, format!("the text contains U+0000 ({} in all)", self.nuls.count)),
            (
                &self.replacements,
                Rule::ReplacementCharacter,
                format!("U+FFFD stands for a character that was lost{}", all(self.replacements.count)),
            ),
            (&self.controls, Rule::Control, control()),
            (
                &self.marks,
                Rule::InnerBom,
                format!("a byte order mark (U+FEFF) inside the text{}", all(self.marks.count)),
            ),
            (
                &self.trailing,
                Rule::TrailingBytes,
                format!("U+001A, the end of a file in DOS, stands after the text{}", all(self.trailing.count)),
            ),
        ];
        let problems = found.map(|(occurrences, rule, message)| {
            let mut problem = Problem::new(rule, occurrences.first?, message);
            problem.count = Some(occurrences.count);
            Some(problem)
        });
        problems.into_iter().flatten()
    }
}

/// Whether a byte of UTF-8 can be part of a character that texts do not have.
const fn may_be_odd(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0xB | 0xE..=0x1F | 0x7F | 0xC2 | 0xEF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::ToString, vec::Vec};

    #[test]
    fn characters_that_texts_do_not_have_are_counted_and_the_first_has_its_place() {
        let lost = "replacement-character U+FFFD stands for a character that was lost";
        for (text, expected) in [
            ("a\tb\r\n\u{C}é", &[][..]),
            ("a\0b\0\0", &["nul the text contains U+0000 (3 in all) at 1"]),
            ("é\u{FFFD}", &[&*format!("{lost} at 2")]),
            ("\u{FFFD}a\u{FFFD}", &[&*format!("{lost} (2 in all) at 0")]),
            ("a\u{FEFF}b", &["inner-bom a byte order mark (U+FEFF) inside the text at 1"]),
            ("\u{B}", &["control the control character U+000B at 0"]),
            ("a\u{7F}\u{1}", &["control the control character U+007F (2 in all) at 1"]),
            ("a\u{85}", &["control the control character U+0085; in windows-1252, its byte is … at 1"]),
            ("a\u{1A}b", &["control the control character U+001A at 1"]),
            (
                "a\u{1A}\0b",
                &["nul the text contains U+0000 (1 in all) at 2", "control the control character U+001A at 1"],
            ),
            (
                "a\u{1A}\u{1A}",
                &["trailing-bytes U+001A, the end of a file in DOS, stands after the text (2 in all) at 1"],
            ),
            (
                "a\0\u{1A}\0",
                &[
                    "nul the text contains U+0000 (2 in all) at 1",
                    "trailing-bytes U+001A, the end of a file in DOS, stands after the text at 2",
                ],
            ),
        ] {
            for pieces in [Vec::from([text]), text.split_inclusive(|_| true).collect()] {
                let (mut characters, mut position) = (Characters::default(), Position::default());
                for piece in pieces {
                    characters.observe(piece, position, false);
                    position = position.after(piece);
                }
                let found: Vec<_> = characters
                    .problems()
                    .map(|problem| format!("{} {} at {}", problem.rule.name(), problem, problem.position.offset()))
                    .collect();
                assert_eq!(found, expected, "{text:?}");
            }
        }
        let mut characters = Characters::default();
        characters.observe("a\u{85}\u{84}", Position::default(), true);
        let found: Vec<_> = characters.problems().map(|problem| problem.to_string()).collect();
        assert_eq!(found, ["the control character U+0084; in windows-1252, its byte is „"]);
    }

    #[test]
    fn a_byte_that_may_be_odd_begins_each_such_character() {
        for character in ('\0'..='\u{9F}').chain(['\u{FEFF}', '\u{FFFD}']) {
            let is_told = character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{C}');
            let is_told = is_told || character > '\u{9F}';
            let first = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
            assert_eq!(may_be_odd(first), is_told || first == 0xC2, "{character:?}");
        }
    }
}
