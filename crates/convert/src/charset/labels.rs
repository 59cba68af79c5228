//! [Labels](https://encoding.spec.whatwg.org/#label) that no charset has, and suggestions for them.

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt};

use textcodec::Encoding;

use super::{
    Charset,
    foreign::{self, Meaning},
    names,
};

/// The number of labels that are suggested at most.
const SUGGESTIONS: usize = 3;

/// The reason why no charset has a label.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnknownLabel {
    /// Other systems use the label for a charset that has this label here.
    OtherName(&'static str),
    /// The label names an encoding that the registry does not have: a noun phrase.
    Foreign(&'static str),
    /// Registries give the name to charsets with different tables: a name with a prefix for each of them.
    Ambiguous(Vec<String>),
    /// Nothing is known about the label. These labels differ least from it, the nearest first.
    Unknown(Vec<&'static str>),
}

impl UnknownLabel {
    pub(super) fn new(label: &str) -> Self {
        match foreign::meaning(label) {
            Some(Meaning::Foreign(what)) => match of_number(label) {
                Some(charset) => UnknownLabel::Unknown([charset.name()].into()),
                None => UnknownLabel::Foreign(what),
            },
            Some(Meaning::Label(label)) => UnknownLabel::OtherName(label),
            None => UnknownLabel::Unknown(nearest(label)),
        }
    }
}

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nearest = match self {
            UnknownLabel::Foreign(what) => {
                return write!(f, "textcodec does not have this encoding: it is {what}");
            }
            UnknownLabel::Ambiguous(names) => {
                let number = if names.len() == 2 { "two" } else { "several" };
                let (last, others) = names.split_last().ok_or(fmt::Error)?;
                return write!(f, "{number} encodings have this name: {} and {last}", others.join(", "));
            }
            UnknownLabel::OtherName(label) => core::slice::from_ref(label),
            UnknownLabel::Unknown(nearest) => nearest,
        };
        f.write_str("no encoding has this label")?;
        match nearest {
            [] => Ok(()),
            [one] => write!(f, "; did you mean {one}?"),
            [others @ .., last] => write!(f, "; did you mean {} or {last}?", others.join(", ")),
        }
    }
}

impl Error for UnknownLabel {}

/// The charset of the code page with the number in `label`, which has another prefix, for example "dos437".
fn of_number(label: &str) -> Option<Charset> {
    let name = alloc::format!("cp{}", digits(label));
    if label.eq_ignore_ascii_case(&name) { None } else { Charset::for_label(&name).ok() }
}

/// The labels that differ least from `label`, the nearest first. Two kinds of labels are left out: labels with other
/// digits, because they name other encodings, and labels of which half of the characters or more differ.
fn nearest(label: &str) -> Vec<&'static str> {
    let wanted = label.to_ascii_lowercase();
    // No label is longer than 32 characters, and the time for the distance is quadratic.
    if wanted.len() > 64 {
        return Vec::new();
    }
    // Of the charsets with many names, only the name without a prefix is a candidate.
    let labels = Encoding::all().flat_map(|encoding| encoding.labels());
    let names = names::all().map(Charset::name).filter(|name| !name.contains(':'));
    let mut candidates: Vec<_> = labels
        .chain(names)
        .filter(|candidate| digits(candidate) == digits(&wanted))
        .map(|candidate| (distance(&wanted, &candidate.to_ascii_lowercase()), candidate))
        .filter(|&((letters, _), candidate)| letters * 2 < candidate.len())
        .collect();
    candidates.sort_unstable();
    candidates.into_iter().take(SUGGESTIONS).map(|(_, candidate)| candidate).collect()
}

fn digits(label: &str) -> String {
    label.chars().filter(char::is_ascii_digit).collect()
}

/// Two edit distances between `wanted` and `candidate`. The first ignores punctuation, which people vary most; the
/// second counts every character.
fn distance(wanted: &str, candidate: &str) -> (usize, usize) {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<Vec<_>>();
    let all = |text: &str| text.chars().collect::<Vec<_>>();
    (edits(&letters(wanted), &letters(candidate)), edits(&all(wanted), &all(candidate)))
}

/// The number of characters to insert, to delete, to replace, or to swap with the next one, so that `from` becomes `to`
/// (the optimal string alignment distance).
fn edits(from: &[char], to: &[char]) -> usize {
    // The distances between the starts of `from`, in three of the rows of a table, and all starts of `to`.
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, &character) in from.iter().enumerate() {
        let mut here = Vec::with_capacity(to.len() + 1);
        here.push(row + 1);
        for (column, &other) in to.iter().enumerate() {
            let replaced = above[column] + usize::from(character != other);
            let mut least = replaced.min(above[column + 1] + 1).min(here[column] + 1);
            let is_swapped = row > 0 && column > 0 && from[row - 1] == other && to[column - 1] == character;
            if is_swapped {
                least = least.min(before[column - 1] + 1);
            }
            here.push(least);
        }
        before = core::mem::replace(&mut above, here);
    }
    above.pop().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_labels() {
        for (label, first) in [
            ("shift-jiss", "shift-jis"),
            ("ShiftJIS", "shift-jis"),
            ("latin-1", "latin1"),
            ("utf_8", "utf-8"),
            ("windows1251", "windows-1251"),
            ("ecu-jp", "euc-jp"),
            ("iso_8859_15", "iso_8859-15"),
            ("koi8t", "KOI8-T"),
            ("cs-euc-pkd-fmt-japanes", "cseucpkdfmtjapanese"),
        ] {
            assert_eq!(nearest(label).first(), Some(&first), "{label}: {:?}", nearest(label));
        }
    }

    #[test]
    fn suggests_the_code_page_with_the_same_number() {
        for (label, name) in [("dos437", "cp437"), ("dos-862", "IBM862"), ("oem850", "cp850")] {
            assert_eq!(Charset::for_label(label), Err(UnknownLabel::Unknown([name].into())), "{label}");
        }
        for label in ["dos", "ebcdic", "dos-895", "cp895"] {
            assert!(matches!(Charset::for_label(label), Err(UnknownLabel::Foreign(_))), "{label}");
        }
    }

    #[test]
    fn suggests_nothing_if_no_label_is_similar() {
        assert!(nearest("").is_empty());
        // Half of "l1" is another letter.
        assert_eq!((nearest("x1").contains(&"l1"), nearest("l-1").first()), (false, Some(&"l1")));
        assert!(nearest("quetzalcoatl").is_empty(), "{:?}", nearest("quetzalcoatl"));
        assert!(nearest(&"utf-8".repeat(1000)).is_empty());
    }

    #[test]
    fn an_edit_is_one_character_or_a_swap_of_two() {
        let edits = |from: &str, to: &str| edits(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>());
        for (from, to, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("euc", "ecu", 1), ("gbk", "gbkk", 1), ("sjis", "sjs", 1)]
        {
            assert_eq!(edits(from, to), expected, "{from} {to}");
        }
        assert_eq!(edits("shift-jis", "sihft_jis"), 2);
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn suggests_no_other_encoding() {
        for label in ["cp1259", "utf-9", "iso-8859-17", "windows-1249"] {
            assert!(nearest(label).is_empty(), "{label}: {:?}", nearest(label));
        }
    }
}
