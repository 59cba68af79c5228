//! [Labels](https://encoding.spec.whatwg.org/#label) on the command line, and what could have been meant by a wrong one.

use textcodec::{Encoding, LabelError, REPLACEMENT};

use crate::foreign::{self, Meaning};

/// How many labels are suggested.
const SUGGESTIONS: usize = 3;

/// The encoding to convert from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SourceEncoding {
    /// Each file tells its own.
    Auto,
    /// The encoding that a label names.
    Label(Encoding),
}

/// The encoding to convert from, or that it is to be found out.
pub(crate) fn source_or_auto(label: &str) -> Result<SourceEncoding, String> {
    if label.eq_ignore_ascii_case("auto") { Ok(SourceEncoding::Auto) } else { source(label).map(SourceEncoding::Label) }
}

/// The encoding to convert from.
pub(crate) fn source(label: &str) -> Result<Encoding, String> {
    Encoding::for_label(label).map_err(|error| match error {
        LabelError::Unknown => match foreign::meaning(label) {
            Some(Meaning::Foreign(what)) => format!("the Encoding Standard does not have this encoding: it is {what}"),
            Some(Meaning::Label(label)) => format!("no encoding has this label; did you mean {label}?"),
            None => format!("no encoding has this label{} (`textcodec list` prints all)", suggest(label)),
        },
        error => error.to_string(),
    })
}

/// The encoding to convert to, and the label that names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TargetEncoding {
    pub(crate) encoding: Encoding,
    label: String,
}

impl TargetEncoding {
    /// A sentence for a label that means a smaller encoding to people than to the Standard.
    pub(crate) fn note(&self) -> Option<String> {
        let TargetEncoding { encoding, label } = self;
        let smaller = foreign::smaller_encoding(label, encoding.name())?;
        Some(format!(
            "--to {label} writes {encoding}, because the Encoding Standard gives it this label; {smaller} has fewer characters"
        ))
    }
}

/// The encoding to convert to: one that has an encoder, or UTF-16, for which the Standard has only a decoder.
pub(crate) fn target(label: &str) -> Result<TargetEncoding, String> {
    let encoding = source(label)?;
    if encoding == REPLACEMENT {
        return Err(format!("the Encoding Standard has a decoder for {encoding} but no encoder; use utf-8"));
    }
    Ok(TargetEncoding { encoding, label: label.trim().to_ascii_lowercase() })
}

/// The question that names the nearest labels, if there are any.
fn suggest(label: &str) -> String {
    match &*nearest(label) {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// The labels that differ least from `label`, the nearest first. A label with other digits names another encoding, and is none of
/// these; nor is a label that differs in half of its characters.
fn nearest(label: &str) -> Vec<&'static str> {
    let wanted = label.trim().to_ascii_lowercase();
    // No label is nearly so long, and the distance takes quadratic time.
    if wanted.len() > 64 {
        return Vec::new();
    }
    let mut candidates: Vec<_> = Encoding::all()
        .flat_map(Encoding::labels)
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

/// How many edits lead from `wanted` to `candidate`, first punctuation apart, which is what people vary, then with it.
fn distance(wanted: &str, candidate: &str) -> (usize, usize) {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let edits = strsim::damerau_levenshtein;
    (edits(&letters(wanted), &letters(candidate)), edits(wanted, candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_what_was_meant() {
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
    fn suggests_nothing_for_what_resembles_no_label() {
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
