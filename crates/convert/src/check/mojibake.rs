//! Lines that look as if they were decoded in a wrong charset.

use alloc::{format, string::String, vec::Vec};

use textcodec::{GBK, MACINTOSH, WINDOWS_1251};

use super::{Occurrences, Problem, Rule};
use crate::{
    buffers,
    charset::Charset,
    position::Position,
    repair::{Certainty, Explained, Repair, Step},
    visible::json_string,
};

/// The greatest number of characters of a repaired line in a message.
const SAMPLE: usize = 60;

/// The length in bytes of the longest part of a line that is judged as a whole: longer lines are judged in parts of
/// this length, so that memory is constant.
const LONGEST: usize = buffers::LENGTH;

/// What was found so far.
#[derive(Default)]
pub(super) struct Mojibake {
    /// UTF-8 that was read as windows-1252, and the repair of it.
    double: Lines,
    /// UTF-8 that was read as another charset.
    other: Lines,
    /// The line that has begun, without its end.
    begun: String,
    /// The place of the line that has begun.
    place: Position,
}

#[derive(Default)]
struct Lines {
    /// Made when it is needed.
    repair: Option<Repair>,
    found: Occurrences,
    /// The first line, as it was meant.
    sample: String,
    /// How the first line was decoded.
    step: Option<Step>,
}

impl Mojibake {
    /// Looks at `text`, which starts at `position`.
    pub(super) fn observe(&mut self, text: &str, position: Position) {
        let mut start = 0;
        while !self.begun.is_empty() && start < text.len() {
            let (part, has_ended) = part_of_line(&text[start..], self.begun.len());
            self.begun.push_str(part);
            start += part.len();
            if has_ended {
                self.end_line();
            }
        }
        let lines = text[start..].rfind(LINE_ENDS).map_or(start, |end| start + end + 1);
        // Most texts have nothing to judge, and their lines need not be found.
        if !text[start..lines].is_ascii() && may_be_wrong(&text[start..lines]) != (false, false) {
            while start < lines {
                let (part, _) = part_of_line(&text[start..lines], 0);
                self.judge(part, || position.after(&text[..start]));
                start += part.len();
            }
        }
        // The rest has no line end. The next text may go on with it.
        start = lines;
        while start < text.len() {
            let (part, has_ended) = part_of_line(&text[start..], 0);
            self.begun.push_str(part);
            self.place = position.after(&text[..start]);
            start += part.len();
            if has_ended {
                self.end_line();
            }
        }
    }

    /// Judges the line that has begun: the text ends, or something stands after it that is no text.
    pub(super) fn end_line(&mut self) {
        let (line, place) = (core::mem::take(&mut self.begun), self.place);
        self.judge(&line, || place);
        self.begun = line;
        self.begun.clear();
    }

    /// Judges `line`, which may have its line end.
    fn judge(&mut self, line: &str, place: impl Fn() -> Position) {
        let content = line.trim_end_matches(LINE_ENDS);
        let (may_be_double, may_be_other) = may_be_wrong(content);
        let is_double = may_be_double && self.double.judge(content, Repair::default, &place);
        if may_be_other && !is_double {
            self.other.judge(content, others, place);
        }
    }

    /// The problems, after the text has ended.
    pub(super) fn problems(&self) -> impl Iterator<Item = Problem> {
        let lines = |number: u64| if number == 1 { "1 line looks".into() } else { format!("{number} lines look") };
        let double = self.double.found.first.map(|position| {
            let Lines { found, sample, .. } = &self.double;
            let message = format!("{} doubly encoded; the first may mean {}", lines(found.count), json_string(sample));
            Problem::new(Rule::DoubleEncoding, position, message).times(found.count)
        });
        let other = self.other.found.first.map(|position| {
            let Lines { found, sample, step, .. } = &self.other;
            let how = step.as_ref().map(|step| format!("{step}")).unwrap_or_default();
            let message = format!("{} like {how}; the first may mean {}", lines(found.count), json_string(sample));
            Problem::new(Rule::Mojibake, position, message).times(found.count)
        });
        double.into_iter().chain(other)
    }
}

impl Lines {
    /// Whether the line was decoded wrongly.
    fn judge(&mut self, line: &str, repair: impl Fn() -> Repair, place: impl FnOnce() -> Position) -> bool {
        let repair = self.repair.get_or_insert_with(repair);
        // A part with a clear sign in a word is a problem, although the rest of the line is right. Alone, "Â»" can also
        // be a letter that a text quotes.
        let is_part = |step: &Step| matches!(step, Step::Part { .. });
        let is_clear = |explained: &Explained| match explained.certainty {
            Certainty::Ambiguous => explained.steps.iter().any(is_part) && begins_in_word(line, &explained.text),
            _ => true,
        };
        let explained = repair.explain(line).filter(is_clear);
        // Control characters are another problem.
        let explained = explained.filter(|explained| explained.steps.iter().any(|step| *step != Step::Controls));
        let Some(explained) = explained else { return false };
        if self.found.count == 0 {
            self.sample = explained.text.trim().chars().take(SAMPLE).collect();
            self.step = explained.steps.first().copied();
        }
        self.found.add(1, place);
        true
    }
}

/// What ends a line.
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The start of `text` that belongs to a part of a line of which there are `begun` bytes before it, and whether the
/// part ends there.
fn part_of_line(text: &str, begun: usize) -> (&str, bool) {
    let longest = (0..=LONGEST.saturating_sub(begun).min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    let part = &text[..longest.unwrap_or(0)];
    match part.find(LINE_ENDS) {
        Some(end) => (&part[..=end], true),
        None => (part, part.len() < text.len()),
    }
}

/// Whether `text` may be UTF-8 that was read as windows-1252, and whether it may be UTF-8 that was read otherwise.
fn may_be_wrong(text: &str) -> (bool, bool) {
    (may_be_doubly_encoded(text.as_bytes()), may_be_read_otherwise(text.as_bytes()))
}

/// Whether the first characters of `line` that stand for another one in `repaired` are in a word, or are three.
fn begins_in_word(line: &str, repaired: &str) -> bool {
    let same = line.chars().zip(repaired.chars()).take_while(|(one, other)| one == other).count();
    let before = same.checked_sub(1).and_then(|before| line.chars().nth(before));
    let mut rest = line.chars().skip(same);
    let (lead, second, third) = (rest.next(), rest.next(), rest.next());
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphabetic);
    is_letter(before) || is_letter(third) || (lead, second) == (Some('â'), Some('€'))
}

/// UTF-8 that was read in other charsets in which programs often read it.
fn others() -> Repair {
    let dos = ["cp437", "cp850"].into_iter().filter_map(|label| Charset::for_label(label).ok());
    let charsets: Vec<Charset> = dos.chain([GBK, WINDOWS_1251, MACINTOSH].map(Charset::from)).collect();
    Repair::new(charsets).expect("each of these charsets has an encoder")
}

/// Whether there is one of the characters "Â" to "ô", for which windows-1252 has the leading bytes of UTF-8, before
/// another character that is not ASCII.
fn may_be_doubly_encoded(bytes: &[u8]) -> bool {
    bytes.contains(&0xC3) && bytes.windows(3).any(|window| matches!(window, [0xC3, 0x82..=0xB4, 0xC2..=0xFF]))
}

/// Whether there is a character for which another charset has a leading byte of UTF-8, before another character that is
/// not ASCII: "┬", "├", "Γ" or "╨" of cp437, "Ô" of cp850, "Р" or "С" of windows-1251, "√" or "‚" of macintosh, or an
/// ideograph.
fn may_be_read_otherwise(bytes: &[u8]) -> bool {
    let is_lead = |window: &[u8]| {
        matches!(
            window,
            [0xE2, 0x94, 0xAC | 0x9C, 0xC2..=0xFF]
                | [0xE2, 0x95, 0xA8 | 0xA4, 0xC2..=0xFF]
                | [0xE2, 0x88, 0x9A, 0xC2..=0xFF]
                | [0xE2, 0x80, 0x9A, 0xC2..=0xFF]
                | [0xCE, 0x93, 0xC2..=0xFF, _]
                | [0xC3, 0x94, 0xC2..=0xFF, _]
                | [0xD0, 0xA0 | 0xA1, 0xC2..=0xFF, _]
                | [0xE4..=0xE9, _, _, 0xE2..=0xEF]
        )
    };
    bytes.windows(4).any(is_lead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn read(label: &str, text: &str) -> String {
        Charset::for_label(label).unwrap().new_decoder(true).decode_start(text.as_bytes(), true)
    }

    /// The problems of `text`, each with its offset and its number.
    fn problems(text: &str) -> Vec<(u64, Option<u64>, String)> {
        let mut mojibake = Mojibake::default();
        mojibake.observe(text, Position::default());
        mojibake.end_line();
        mojibake.problems().map(|it| (it.position.offset(), it.count, it.to_string())).collect()
    }

    #[test]
    fn the_message_names_the_last_wrong_decoding_of_the_first_line() {
        for (labels, text) in [
            (&["cp437"][..], "Größe und Länge"),
            (&["cp850"], "naïve “quotes”"),
            (&["windows-1251"], "Привет, мир"),
            (&["macintosh"], "l’été à là"),
            // Two wrong decodings, the last first.
            (&["cp437", "macintosh"], "l’été à là"),
            (&["macintosh", "windows-1251"], "Привет, мир"),
        ] {
            let wrong = labels.iter().rev().fold(text.to_owned(), |text, label| read(label, &text));
            let charset = Charset::for_label(labels[0]).unwrap();
            let expected =
                |lines: &str| format!("{lines} like UTF-8 that was read as {charset}; the first may mean \"{text}\"");
            for (before, after, count, lines) in
                [("", "", 1, "1 line looks"), ("fine\n", "\nfine\n", 1, "1 line looks"), ("", "\n", 2, "2 lines look")]
            {
                let whole = format!("{before}{wrong}{after}").repeat(count);
                let found = (before.len() as u64, Some(count as u64), expected(lines));
                assert_eq!(problems(&whole), std::slice::from_ref(&found), "{whole}");
                // Another line does not change what is told about the first one.
                let other = read("macintosh", "à propos d’un café");
                let found = (found.0, Some(count as u64 + 1), expected(&format!("{} lines look", count + 1)));
                if labels != ["macintosh"] {
                    assert_eq!(problems(&format!("{whole}\n{other}\n")), [found], "{whole}");
                }
            }
        }
    }

    #[test]
    fn a_message_shows_sixty_characters_without_blanks_around_them() {
        let line = |number: usize| format!("  {}{}  ", "Ã©".repeat(number), "a".repeat(10));
        for (number, expected) in [(49, 59), (50, 60), (51, 60), (100, 60)] {
            let shown = "é".repeat(number) + &"a".repeat(10);
            let shown: String = shown.chars().take(expected).collect();
            let [(0, Some(1), message)] = &*problems(&line(number)) else { panic!("{number}") };
            assert!(message.ends_with(&format!("the first may mean \"{shown}\"")), "{message}");
        }
        assert_eq!(SAMPLE, 60);
    }

    #[test]
    fn a_part_begins_in_a_word_or_with_three_characters() {
        for (line, repaired, expected) in [
            ("aÃ©", "aé", true),
            ("Ã©a", "éa", true),
            ("Ã© a", "é a", false),
            (" Ã© ", " é ", false),
            ("- â€™ -", "- ’ -", true),
            ("- â‚¬ -", "- € -", false),
            ("- Â» -", "- » -", false),
            ("xÂ» -", "x» -", true),
            ("Â»x", "»x", true),
            ("Ã©", "é", false),
        ] {
            assert_eq!(begins_in_word(line, repaired), expected, "{line}");
        }
    }

    #[test]
    fn every_line_that_a_repair_explains_may_be_wrong() {
        // The filters look at bytes. Each may let more lines pass than are wrong, and none less.
        let texts = ["é", "Ø", "ñ", "’", "€", "日", "😀", "Ж", "я", "א", "ก", "ẞ", "ﬁ", "û"];
        for text in texts {
            let line = format!("a{text}b{text}");
            let wrong = read("windows-1252", &line);
            if Repair::default().explain(&wrong).is_some_and(|it| it.certainty == Certainty::Certain) {
                assert!(may_be_doubly_encoded(wrong.as_bytes()), "{wrong}");
            }
        }
        for (line, expected) in [
            ("Â\u{80}", true),
            ("Ã©", true),
            ("ô\u{80}", true),
            ("õ\u{80}", false),
            ("Á\u{80}", false),
            ("Ãa", false),
            ("aÃ", false),
            ("", false),
        ] {
            assert_eq!(may_be_doubly_encoded(line.as_bytes()), expected, "{line}");
        }
        for lead in "┬├╨╤√‚ΓÔРС䀀龜鿿".chars() {
            for (after, is_found) in [("é", true), ("—", true), ("a", false), ("", false)] {
                let line = format!("x{lead}{after}y");
                let is_found = is_found && (lead < '\u{4000}' || after != "é");
                assert_eq!(may_be_read_otherwise(line.as_bytes()), is_found, "{line}");
            }
        }
        for line in ["㿿—", "┐é", "Σé", "Òé", "Тé", "≈é", "„é", "あ—", "한—"] {
            assert!(!may_be_read_otherwise(line.as_bytes()), "{line}");
        }
    }
}
