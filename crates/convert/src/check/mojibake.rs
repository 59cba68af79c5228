//! Lines that look as if they were decoded in a wrong charset.

use alloc::{format, string::String, vec::Vec};

use textcodec::{GBK, MACINTOSH, WINDOWS_1251};

use super::{Occurrences, Problem, Rule};
use crate::{
    charset::Charset,
    position::Position,
    repair::{Certainty, Explained, Repair, Step},
    visible::json_string,
};

/// The greatest number of characters of a repaired line in a message.
const SAMPLE: usize = 60;

/// What was found so far.
#[derive(Default)]
pub(super) struct Mojibake {
    /// UTF-8 that was read as windows-1252, and the repair of it.
    double: Lines,
    /// UTF-8 that was read as another charset.
    other: Lines,
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
        if text.is_ascii() {
            return;
        }
        let may_be = |bytes: &[u8]| (may_be_doubly_encoded(bytes), may_be_read_otherwise(bytes));
        let (may_be_double, may_be_other) = may_be(text.as_bytes());
        if !may_be_double && !may_be_other {
            return;
        }
        let mut start = 0;
        for line in text.split_inclusive(['\n', '\r']) {
            let content = line.trim_end_matches(['\n', '\r']);
            let (may_be_double, may_be_other) = may_be(content.as_bytes());
            let place = || position.after(&text[..start]);
            let is_double = may_be_double && self.double.judge(content, Repair::default, place);
            if may_be_other && !is_double {
                self.other.judge(content, others, place);
            }
            start += line.len();
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
