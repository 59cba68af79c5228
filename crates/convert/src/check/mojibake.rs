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
