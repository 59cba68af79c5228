//! Repairs text that was decoded in a wrong charset: "Ã©" for "é", "â€™" for "’".
//!
//! The text of a line is encoded back in the wrong charset. If the bytes are well-formed UTF-8 with a character other
//! than ASCII, the line was probably encoded twice. It can also be right as it is: the bytes of "SÓ…" in windows-1252
//! are the UTF-8 of "SӅ". So each character that comes out is judged by the characters that stand for it now. A line
//! without any [strong](evidence::Evidence) sign of a wrong decoding is ambiguous.
//!
//! If the text was in another charset than UTF-8, the line and what comes out are compared: the one that is less
//! [odd](crate::oddness::oddness) is right.

mod certainty;
mod controls;
mod evidence;
mod repaired;
mod search;
mod wrong;

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::{error::Error, fmt};

use textcodec::WINDOWS_1252;

pub use self::{
    certainty::{Certainty, Explained, Step},
    repaired::{Change, Counts, Lines, Repaired},
    search::{Pair, SEARCHED},
};
use self::{
    controls::controls,
    wrong::{CLEARLY, Wrong},
};
use crate::{charset::Charset, guess::Hints, oddness::oddness};

/// The greatest number of wrong decodings, one after the other, that are undone.
const ROUNDS: usize = 8;

/// What is known about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing shows a wrong decoding.
    Fine,
    /// The text before it was decoded wrongly.
    Repaired(String),
    /// The line may be right as it is; if it is not, this was the text.
    Ambiguous(String),
}

/// Undoes wrong decodings in certain charsets.
///
/// ```
/// use textcodec_convert::{Certainty, Repair, Verdict};
///
/// let repair = Repair::default();
/// assert_eq!(repair.judge("cafÃ©"), Verdict::Repaired("café".into()));
/// assert_eq!(repair.judge("café"), Verdict::Fine);
/// assert!(matches!(repair.judge("SÓ…"), Verdict::Ambiguous(_)));
///
/// let text = repair.repair("cafÃ©\r\nSÓ…\n", false);
/// assert_eq!(text.text, "café\r\nSÓ…\n");
/// assert_eq!((text.counts.repaired.number, text.counts.ambiguous.first), (1, Some(2)));
/// let changes: Vec<_> = text.changes.iter().map(|change| (change.line, &*change.before, change.is_made)).collect();
/// assert_eq!(changes, [(1, "cafÃ©", true), (2, "SÓ…", false)]);
///
/// let explained = repair.explain("Itâ€™s").unwrap();
/// assert_eq!((&*explained.text, explained.certainty), ("It’s", Certainty::Certain));
/// assert_eq!(explained.describe(), "certain: UTF-8 that was read as windows-1252");
/// ```
#[derive(Clone, Debug)]
pub struct Repair {
    wrongs: Vec<Wrong>,
}

/// Text that was decoded in this charset cannot be repaired: it has no encoder, or text in UTF-8 is text in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CannotRepair {
    /// The charset.
    pub charset: Charset,
}

impl fmt::Display for CannotRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: text that is decoded in this encoding cannot be repaired", self.charset)
    }
}

impl Error for CannotRepair {}

impl Default for Repair {
    /// For text that was decoded in windows-1252, or in ISO-8859-1.
    fn default() -> Self {
        Repair { wrongs: Wrong::new(Charset::UTF_8, WINDOWS_1252.into()).into_iter().collect() }
    }
}

impl Repair {
    /// For UTF-8 that was decoded in one of these charsets.
    ///
    /// # Errors
    /// Text that was decoded in one of them cannot be repaired.
    pub fn new(charsets: impl IntoIterator<Item = Charset>) -> Result<Self, CannotRepair> {
        let wrong = |charset: Charset| Wrong::new(Charset::UTF_8, charset).ok_or(CannotRepair { charset });
        charsets.into_iter().map(wrong).collect::<Result<_, _>>().map(|wrongs| Repair { wrongs })
    }

    /// For text in the charset `was` that was decoded in the charset `read_as`.
    ///
    /// ```
    /// use textcodec_convert::{Charset, Repair};
    ///
    /// let charset = |label| Charset::for_label(label).unwrap();
    /// let repair = Repair::of_pair(charset("shift_jis"), charset("cp437")).unwrap();
    /// assert_eq!(repair.repair("ô·û{îΩé╠âeâLâXâg", false).text, "日本語のテキスト");
    /// ```
    ///
    /// # Errors
    /// Text that was decoded in `read_as` cannot be repaired, or the two charsets are the same.
    pub fn of_pair(was: Charset, read_as: Charset) -> Result<Self, CannotRepair> {
        let wrong = Wrong::new(was, read_as).ok_or(CannotRepair { charset: read_as })?;
        Ok(Repair { wrongs: Vec::from([wrong]) })
    }

    /// Finds the charsets of a wrong decoding: what the text was in, and what it was read as. The first [`SEARCHED`]
    /// bytes of `text` decide. `was` and `read_as` are what is known. `None` if nothing shows a wrong decoding.
    ///
    /// ```
    /// use textcodec_convert::{Repair, guess::Hints};
    ///
    /// let text = "Âñåì ïðèâåò, ìåíÿ çîâóò Àëåêñàíäð, è ÿ èç Ìîñêâû";
    /// let pair = Repair::search(text, None, None, &Hints::new()).unwrap();
    /// assert_eq!(pair.describe(), "windows-1251 that was read as windows-1252");
    /// let repair = Repair::of_pair(pair.was, pair.read_as).unwrap();
    /// assert_eq!(repair.repair(text, false).text, "Всем привет, меня зовут Александр, и я из Москвы");
    /// ```
    #[must_use]
    pub fn search(text: &str, was: Option<Charset>, read_as: Option<Charset>, hints: &Hints) -> Option<Pair> {
        search::search(search::start(text), was, read_as, hints)
    }

    /// Repairs a text, each line alone. If `ambiguous`, lines and parts of lines that can be right as they are change,
    /// too.
    #[must_use]
    pub fn repair(&self, text: &str, ambiguous: bool) -> Repaired {
        let mut repaired = Repaired { text: String::with_capacity(text.len()), ..Repaired::default() };
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            let proposed = self.explain(content);
            let explained = repaired.counts.count(proposed.clone(), ambiguous);
            if let Some(proposed) = proposed {
                let (number, is_made) = (repaired.counts.lines, explained.is_some());
                let before = content.to_owned();
                repaired.changes.push(Change { line: number, before, explained: proposed, is_made });
            }
            for step in explained.iter().flat_map(|explained| &explained.steps) {
                if !repaired.steps.contains(step) {
                    repaired.steps.push(*step);
                }
            }
            match explained {
                Some(Explained { text, .. }) => {
                    repaired.text += &text;
                    repaired.text += &line[content.len()..];
                }
                None => repaired.text += line,
            }
        }
        repaired
    }

    /// Counts `line`, which has no line ending, and returns the text in its place. `None` if it stays.
    pub fn repair_line(&self, line: &str, ambiguous: bool, counts: &mut Counts) -> Option<String> {
        counts.count(self.explain(line), ambiguous).map(|explained| explained.text)
    }

    /// The line as it was meant, and how sure that is. `None` if nothing shows a wrong decoding. An ambiguous line may
    /// be right as it is.
    #[must_use]
    pub fn explain(&self, line: &str) -> Option<Explained> {
        if line.is_ascii() {
            return None;
        }
        // A byte order mark is no part of the line.
        let content = line.trim_start_matches('\u{FEFF}');
        let mark = &line[..line.len() - content.len()];
        let (verdict, steps) = self.judge_all(content);
        let (text, steps, certainty) = match verdict {
            Verdict::Repaired(text) => {
                let is_odd = |step: &Step| matches!(step, Step::Decoding { was, .. } if *was != Charset::UTF_8);
                let certainty = if steps.iter().any(is_odd) { Certainty::Likely } else { Certainty::Certain };
                (text, steps, certainty)
            }
            Verdict::Ambiguous(_) | Verdict::Fine => {
                let (text, steps) = self.ambiguous(content)?;
                (text, steps, Certainty::Ambiguous)
            }
        };
        Some(Explained { text: [mark, &text].concat(), steps, certainty })
    }

    /// Judges `line`, which has no line ending.
    #[must_use]
    pub fn judge(&self, line: &str) -> Verdict {
        self.judge_all(line).0
    }

    /// Judges `line`, and tells the changes to it.
    fn judge_all(&self, line: &str) -> (Verdict, Vec<Step>) {
        let mut steps = Vec::new();
        let mut text = match self.judge_once(line) {
            (Verdict::Repaired(text), step) => {
                steps.extend(step);
                text
            }
            (Verdict::Ambiguous(text), step) => return (Verdict::Ambiguous(text), step.into_iter().collect()),
            (Verdict::Fine, _) => line.to_owned(),
        };
        // No second decoding is looked for in text of another charset than UTF-8, which can be odd by chance.
        while !steps.is_empty() && steps.len() < ROUNDS && self.is_for_utf_8() {
            let (Verdict::Repaired(repaired), step) = self.judge_once(&text) else { break };
            text = repaired;
            steps.extend(step);
        }
        if self.has_windows_1252() && !self.has_parts(&text) {
            match controls(&text) {
                Some((repaired, true)) => {
                    text = repaired;
                    steps.push(Step::Controls);
                }
                Some((repaired, false)) if steps.is_empty() => {
                    return (Verdict::Ambiguous(repaired), Vec::from([Step::Controls]));
                }
                _ => {}
            }
        }
        (if steps.is_empty() { Verdict::Fine } else { Verdict::Repaired(text) }, steps)
    }

    /// The text of a line of which ambiguous parts are repaired, too. `None` if there is nothing to repair.
    #[must_use]
    pub fn repair_ambiguous(&self, line: &str) -> Option<String> {
        self.ambiguous(line).map(|(text, _)| text)
    }

    fn ambiguous(&self, line: &str) -> Option<(String, Vec<Step>)> {
        let (mut text, mut steps) = (line.to_owned(), Vec::new());
        let rounds = if self.is_for_utf_8() { ROUNDS } else { 1 };
        for _ in 0..rounds {
            let (repaired, step) = match self.judge_once(&text) {
                (Verdict::Repaired(repaired) | Verdict::Ambiguous(repaired), step) => (repaired, step),
                (Verdict::Fine, _) => {
                    let part = |wrong: &Wrong| {
                        let step = Step::Part { was: wrong.was, read_as: wrong.read_as };
                        Some((wrong.repair_parts(&text)?, Some(step)))
                    };
                    match self.wrongs.iter().find_map(part) {
                        Some(part) => part,
                        None => break,
                    }
                }
            };
            text = repaired;
            steps.extend(step);
        }
        if self.has_windows_1252()
            && let Some((repaired, _)) = controls(&text)
        {
            text = repaired;
            steps.push(Step::Controls);
        }
        (text != line).then_some((text, steps))
    }

    /// One wrong decoding.
    fn judge_once(&self, line: &str) -> (Verdict, Option<Step>) {
        let mut known = (Verdict::Fine, None);
        if line.is_ascii() {
            return known;
        }
        for wrong in &self.wrongs {
            let step = Some(Step::Decoding { was: wrong.was, read_as: wrong.read_as });
            known = match (known, wrong.judge(line)) {
                ((Verdict::Fine, _), other) => (other, step),
                (known, Verdict::Fine) => known,
                ((Verdict::Ambiguous(_), _), Verdict::Repaired(text)) => (Verdict::Repaired(text), step),
                // Of two charsets that lead to different texts, the one whose text is clearly less odd; or else the
                // choice is left to the reader.
                ((Verdict::Repaired(text), first), Verdict::Repaired(other)) if text != other => {
                    let (odd, other_odd) = (oddness(&text), oddness(&other));
                    match () {
                        () if is_clearly_less(odd, other_odd) => (Verdict::Repaired(text), first),
                        () if is_clearly_less(other_odd, odd) => (Verdict::Repaired(other), step),
                        () => return (Verdict::Ambiguous(text), first),
                    }
                }
                (known, _) => known,
            };
        }
        known
    }

    /// Whether a part of `line` has a strong sign of a wrong decoding.
    #[must_use]
    pub fn has_parts(&self, line: &str) -> bool {
        !line.is_ascii() && self.wrongs.iter().any(|wrong| wrong.repair_parts(line).is_some())
    }

    fn is_for_utf_8(&self) -> bool {
        self.wrongs.iter().all(|wrong| wrong.was == Charset::UTF_8)
    }

    fn has_windows_1252(&self) -> bool {
        self.wrongs.iter().any(|wrong| wrong.was == Charset::UTF_8 && wrong.read_as == WINDOWS_1252.into())
    }
}

/// Whether a text with the oddness `one` is right rather than a text with the oddness `other`.
const fn is_clearly_less(one: u32, other: u32) -> bool {
    one * CLEARLY < other
}

#[cfg(test)]
mod tests;
