//! The search for the charsets of a wrong decoding: the charset that the text was in, and the one it was read as.

use alloc::{string::String, vec::Vec};

use textcodec::{
    BIG5, EUC_KR, GBK, IBM866, ISO_8859_2, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
};

use super::{
    Verdict,
    wrong::{CLEARLY, Wrong},
};
use crate::{
    charset::Charset,
    guess::{Guesser, Hints},
    oddness::oddness,
};

/// A wrong decoding that a search has found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Pair {
    /// The charset of the text.
    pub was: Charset,
    /// The charset in which the text was decoded.
    pub read_as: Charset,
    /// The probability that the text was in the charset `was`, if the statistics of languages tell it.
    pub probability: Option<f32>,
}

/// The number of bytes of text that a search looks at.
pub const SEARCHED: usize = 64 * 1024;

/// The least oddness of text that was decoded wrongly. A name such as "NESTLÉ®" has less.
const ODD: u32 = 4;

/// The least probability of the charset that the text was in, for text with half of this oddness.
const PROBABLE: f32 = 0.95;

/// The number of guesses about the bytes of one wrong decoding that are tried.
const GUESSES: usize = 4;

/// Charsets in which programs decode text without being told to: those of Windows and DOS in Western Europe first.
fn usual() -> impl Iterator<Item = Charset> {
    let standard =
        [WINDOWS_1252, WINDOWS_1251, WINDOWS_1250, GBK, SHIFT_JIS, BIG5, EUC_KR, MACINTOSH, KOI8_R, IBM866, ISO_8859_2];
    let others = ["cp437", "cp850", "cp852"].into_iter().filter_map(|label| Charset::for_label(label).ok());
    let mut all: Vec<Charset> = standard.into_iter().map(Charset::from).collect();
    all.splice(1..1, others);
    all.into_iter()
}

/// Finds the wrong decoding of `text`, of which a start is enough. `was` and `read_as` are what is known; `hints` are
/// about the text as it was. `None` if nothing shows a wrong decoding, or none of the usual ones.
pub(super) fn search(text: &str, was: Option<Charset>, read_as: Option<Charset>, hints: &Hints) -> Option<Pair> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_ascii()).collect();
    let (mut best, is_told): (Option<(u32, Pair)>, bool) = (None, was.is_some());
    let told: Option<Vec<Charset>> = read_as.map(|charset| Vec::from([charset]));
    for read_as in told.unwrap_or_else(|| usual().collect()) {
        for (was, probability) in charsets_of(&lines, was, read_as, hints) {
            let Some(wrong) = Wrong::new(was, read_as) else { continue };
            let (mut before, mut after, mut undone, mut certain) = (0, 0, 0, 0);
            for line in &lines {
                if let Some(text) = wrong.undo_with_losses(line) {
                    undone += 1;
                    certain += usize::from(was == Charset::UTF_8 && matches!(wrong.judge(line), Verdict::Repaired(_)));
                    // A character that was lost is odd before and after.
                    before += oddness(&line.replace('\u{FFFD}', ""));
                    after += oddness(&text.replace('\u{FFFD}', ""));
                }
            }
            let is_less_odd = after * CLEARLY <= before && before >= least_oddness(was, read_as, probability);
            if is_few(undone, lines.len()) || !is_less_odd && certain * 2 < undone.max(1) {
                continue;
            }
            // Of two wrong decodings, the one whose text is less odd; then the more probable one.
            let is_better = best.as_ref().is_none_or(|(least, pair)| {
                after < *least || after == *least && probability.unwrap_or(0.0) > pair.probability.unwrap_or(0.0)
            });
            if is_better {
                best = Some((after, Pair { was, read_as, probability: probability.filter(|_| !is_told) }));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// The least oddness of text in `was` that was decoded in `read_as`. A word in Cyrillic that starts in lower case and
/// goes on in upper case is enough if statistics agree.
fn least_oddness(was: Charset, read_as: Charset, probability: Option<f32>) -> u32 {
    let is_of_words = was.is_single_byte() && read_as.is_single_byte() && probability >= Some(PROBABLE);
    if is_of_words { ODD / 2 } else { ODD }
}

/// Whether more than a tenth of the lines is missing. A few lines can be right.
const fn is_few(number: usize, lines: usize) -> bool {
    number * 10 < lines * 9
}

/// The charsets that the text of these lines can have been in, with their probabilities, if it was decoded in
/// `read_as`. `was` is the charset, if that is known.
fn charsets_of(lines: &[&str], was: Option<Charset>, read_as: Charset, hints: &Hints) -> Vec<(Charset, Option<f32>)> {
    if let Some(was) = was {
        return Vec::from([(was, Some(1.0))]);
    }
    if let Some(wrong) = Wrong::new(Charset::UTF_8, read_as) {
        let number = lines.iter().filter(|line| wrong.undo_with_losses(line).is_some()).count();
        if number > 0 && !is_few(number, lines.len()) {
            return Vec::from([(Charset::UTF_8, Some(1.0))]);
        }
    }
    let bytes: Vec<Vec<u8>> = lines.iter().filter_map(|line| encode_back(read_as, line)).collect();
    if bytes.is_empty() || is_few(bytes.len(), lines.len()) {
        return Vec::new();
    }
    let mut guesser = Guesser::new(hints);
    guesser.feed(&bytes.join(&b'\n'), true);
    let Ok(guess) = guesser.guess() else { return Vec::new() };
    let candidates = guess.candidates.into_iter().take(GUESSES);
    candidates.map(|candidate| (candidate.charset, candidate.probability)).collect()
}

/// The bytes that were decoded to `line` in the charset.
fn encode_back(read_as: Charset, line: &str) -> Option<Vec<u8>> {
    // The way back to bytes does not depend on the charset that the text was in.
    let was = if read_as == Charset::from(GBK) { BIG5 } else { GBK };
    Wrong::new(was.into(), read_as)?.bytes_of(line)
}

/// The start of `text` that a search looks at.
pub(super) fn start(text: &str) -> &str {
    let end = text.len().min(SEARCHED);
    let end = (0..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

impl Pair {
    /// The pair in words: "Shift_JIS that was read as cp437".
    #[must_use]
    pub fn describe(&self) -> String {
        alloc::format!("{} that was read as {}", self.was, self.read_as)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_tenth_of_the_lines_is_few() {
        for (number, lines, expected) in [
            (0, 0, false),
            (0, 1, true),
            (1, 1, false),
            (8, 9, true),
            (9, 10, false),
            (8, 10, true),
            (18, 20, false),
            (17, 19, true),
            (90, 100, false),
            (89, 100, true),
        ] {
            assert_eq!(is_few(number, lines), expected, "{number} of {lines}");
        }
    }

    #[test]
    fn the_start_of_a_text_ends_between_characters() {
        assert_eq!(SEARCHED, 65_536);
        for (character, before) in [("a", 0), ("é", 0), ("é", 1), ("☃", 0), ("☃", 1), ("😀", 3)] {
            let length = character.len();
            let text = "a".repeat(before) + &character.repeat(SEARCHED);
            assert_eq!(start(&text).len(), before + (SEARCHED - before) / length * length, "{character} {before}");
        }
        assert_eq!([start(""), start("é")], ["", "é"]);
    }

    #[test]
    fn the_way_back_from_a_charset_is_there_for_each_usual_one() {
        for charset in usual() {
            let text = "aé日я한".chars().filter(|it| charset.can_encode(it.encode_utf8(&mut [0; 4])));
            let text: String = text.collect();
            let bytes = encode_back(charset, &text).unwrap();
            assert_eq!(charset.new_decoder(true).decode_start(&bytes, true), text, "{charset}");
        }
    }

    #[test]
    fn a_probable_text_in_single_bytes_needs_half_of_the_oddness() {
        for (was, read_as, probability, expected) in [
            ("koi8-r", "windows-1251", Some(0.95), 2),
            ("koi8-r", "windows-1251", Some(0.9499), 4),
            ("koi8-r", "windows-1251", None, 4),
            ("shift_jis", "windows-1252", Some(1.0), 4),
            ("windows-1252", "gbk", Some(1.0), 4),
        ] {
            let [was, read] = [was, read_as].map(|label| Charset::for_label(label).unwrap());
            assert_eq!(least_oddness(was, read, probability), expected, "{was} {read} {probability:?}");
        }
    }

    #[test]
    fn half_of_the_lines_have_to_be_certain_if_no_text_is_odd() {
        let western = Some(Charset::from(WINDOWS_1252));
        for (certain, others, expected) in [(1, 0, true), (1, 1, true), (1, 2, false), (2, 2, true), (2, 3, false)] {
            let text = ["Ã©\n".repeat(certain), "SÓ…\n".repeat(others)].concat();
            let found = search(&text, Some(Charset::UTF_8), western, &Hints::new());
            assert_eq!(found.is_some(), expected, "{certain} certain lines, {others} others");
        }
    }

    #[test]
    fn the_charsets_of_western_europe_are_tried_first() {
        let names: Vec<&str> = usual().map(Charset::name).collect();
        let expected = [
            "windows-1252",
            "cp437",
            "cp850",
            "cp852",
            "windows-1251",
            "windows-1250",
            "GBK",
            "Shift_JIS",
            "Big5",
            "EUC-KR",
            "macintosh",
            "KOI8-R",
            "IBM866",
            "ISO-8859-2",
        ];
        assert_eq!(names, expected);
    }
}
