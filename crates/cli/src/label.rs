//! [Labels](https://encoding.spec.whatwg.org/#label) on the command line, and suggestions for unknown labels.

use textcodec::{Encoding, LabelError};

use crate::{
    charset::Charset,
    extra::Extra,
    foreign::{self, Meaning},
};

/// The number of labels that are suggested at most.
const SUGGESTIONS: usize = 3;

/// The encoding to convert from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SourceEncoding {
    /// The encoding that each file tells.
    Auto,
    /// The encoding that a label names.
    Label(Charset),
}

/// Parses the argument of --from: "auto" or a label.
pub(crate) fn source_or_auto(label: &str) -> Result<SourceEncoding, String> {
    if label.eq_ignore_ascii_case("auto") { Ok(SourceEncoding::Auto) } else { source(label).map(SourceEncoding::Label) }
}

/// Parses the label of an encoding to convert from.
pub(crate) fn source(label: &str) -> Result<Charset, String> {
    match (Encoding::for_label(label), Extra::for_label(label)) {
        (Ok(encoding), _) => Ok(Charset::Standard(encoding)),
        (Err(_), Some(extra)) => Ok(Charset::Extra(extra)),
        (Err(error), None) => Err(explain(label, error)),
    }
}

/// The reason why no encoding has this label.
fn explain(label: &str, error: LabelError) -> String {
    match error {
        LabelError::Unknown => match foreign::meaning(label) {
            Some(Meaning::Foreign(what)) => format!("textcodec does not have this encoding: it is {what}"),
            Some(Meaning::Label(label)) => format!("no encoding has this label; did you mean {label}?"),
            None => format!("no encoding has this label{} (`textcodec list` prints all)", suggest(label)),
        },
        error => error.to_string(),
    }
}

/// The encoding to convert to, and the label that names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TargetEncoding {
    pub(crate) encoding: Charset,
    label: String,
}

impl TargetEncoding {
    /// A sentence about a label by which people mean a smaller encoding than the Standard means.
    pub(crate) fn note(&self) -> Option<String> {
        let TargetEncoding { encoding, label } = self;
        let smaller = foreign::smaller_encoding(label, encoding.name())?;
        let exact =
            Extra::for_label(&format!("exact-{smaller}")).or_else(|| Extra::for_label(&format!("exact-us-{smaller}")));
        let exact = exact.map(|exact| format!(" (--to {})", exact.name())).unwrap_or_default();
        Some(format!(
            "--to {label} writes {encoding}, because the Encoding Standard gives it this label; {smaller}{exact} has fewer characters"
        ))
    }
}

/// Parses the label of an encoding to convert to. Text can be written in the encoding.
pub(crate) fn target(label: &str) -> Result<TargetEncoding, String> {
    let encoding = source(label)?;
    if encoding.new_encoder().is_none() {
        return Err(match encoding {
            Charset::Standard(_) => {
                format!(
                    "this label means the encoding \"{encoding}\", which the Encoding Standard does not write; use utf-8"
                )
            }
            Charset::Extra(_) => format!("textcodec reads {encoding} and does not write it; use utf-8"),
        });
    }
    Ok(TargetEncoding { encoding, label: label.trim().to_ascii_lowercase() })
}

/// The question that names the nearest labels; empty if there are none.
fn suggest(label: &str) -> String {
    match &*nearest(label) {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// The labels that differ least from `label`, the nearest first. Two kinds of labels are left out: labels with other
/// digits, because they name other encodings, and labels of which half of the characters or more differ.
fn nearest(label: &str) -> Vec<&'static str> {
    let wanted = label.trim().to_ascii_lowercase();
    // No label is longer than 20 characters, and the time for the distance is quadratic.
    if wanted.len() > 64 {
        return Vec::new();
    }
    let extra = Extra::all().flat_map(|extra| extra.labels().iter().copied());
    let mut candidates: Vec<_> = Encoding::all()
        .flat_map(Encoding::labels)
        .chain(extra)
        .filter(|candidate| digits(candidate) == digits(&wanted))
        .map(|candidate| (distance(&wanted, candidate), candidate))
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
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let edits = strsim::damerau_levenshtein;
    (edits(&letters(wanted), &letters(candidate)), edits(wanted, candidate))
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
        ] {
            assert_eq!(nearest(label).first(), Some(&first), "{label}: {:?}", nearest(label));
        }
    }

    #[test]
    fn suggests_nothing_if_no_label_is_similar() {
        assert!(nearest("").is_empty());
        assert!(nearest("quetzalcoatl").is_empty(), "{:?}", nearest("quetzalcoatl"));
        assert!(nearest(&"utf-8".repeat(1000)).is_empty());
    }

    #[test]
    fn suggests_no_other_encoding() {
        for label in ["cp1259", "utf-9", "iso-8859-17", "windows-1249"] {
            assert!(nearest(label).is_empty(), "{label}: {:?}", nearest(label));
        }
    }
}
