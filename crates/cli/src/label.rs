//! [Labels](https://encoding.spec.whatwg.org/#label) on the command line, and what could have been meant by a wrong one.

use textcodec::{Encoding, LabelError, REPLACEMENT};

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
        LabelError::Unknown => format!("no encoding has this label{} (`textcodec list` prints all)", suggest(label)),
        error => error.to_string(),
    })
}

/// The encoding to convert to: one that has an encoder, or UTF-16, which the Standard decodes only.
pub(crate) fn target(label: &str) -> Result<Encoding, String> {
    let encoding = source(label)?;
    if encoding == REPLACEMENT {
        return Err(format!("the Encoding Standard has a decoder for {encoding} but no encoder; use utf-8"));
    }
    Ok(encoding)
}

/// The question that names the nearest labels, if there are any.
fn suggest(label: &str) -> String {
    match &*nearest(label) {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// The labels that differ least from `label`, the nearest first; none that differ in half of their characters.
fn nearest(label: &str) -> Vec<&'static str> {
    let wanted = label.trim().to_ascii_lowercase();
    // No label is nearly so long, and the distance takes quadratic time.
    if wanted.len() > 64 {
        return Vec::new();
    }
    let mut candidates: Vec<_> = Encoding::all()
        .flat_map(Encoding::labels)
        .map(|candidate| (distance(&wanted, candidate), candidate))
        .filter(|&((letters, _), candidate)| letters * 2 < candidate.len())
        .collect();
    candidates.sort_unstable();
    candidates.into_iter().take(SUGGESTIONS).map(|(_, candidate)| candidate).collect()
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
}
