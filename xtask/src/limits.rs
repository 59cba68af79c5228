//! Checks that documents do not grow without limit: words in a document, in all documents, and in an entry of
//! `docs/experiments.md`. Words are counted as by `wc -w`.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Result, bail};

use crate::{files, links::prose};

/// The greatest number of words in all documents that people write.
const TOTAL: usize = 55_000;
/// The greatest number of words in a document that [`CEILINGS`] does not name.
const OTHERS: usize = 3_000;
/// The greatest number of words in some documents.
const CEILINGS: [(&str, usize); 6] = [
    ("README.md", 900),
    (EXPERIMENTS, 12_000),
    ("docs/kernels.md", 5_500),
    ("docs/charsets.md", 4_000),
    // Each character in its tables is a word.
    ("docs/missing.md", 20_000),
    ("docs/UNSAFE.md", 6_500),
];

/// The start of a document that a command writes.
const WRITTEN_BY_A_COMMAND: &str = "<!-- Written by `cargo ";
/// The document with one entry for each experiment.
const EXPERIMENTS: &str = "docs/experiments.md";
/// The greatest number of words in an entry, without its id.
const ENTRY: usize = 40;

/// Fails if a document or an entry is too long, or if an entry has no id of its own.
pub(crate) fn check(root: &Path) -> Result<()> {
    let (mut wrong, mut total) = (Vec::new(), 0);
    for path in files::with_extension(root, "md")? {
        let text = files::read(root, &path)?;
        let words = text.split_whitespace().count();
        if !text.starts_with(WRITTEN_BY_A_COMMAND) {
            total += words;
        }
        let ceiling = CEILINGS.iter().find(|(document, _)| *document == path).map_or(OTHERS, |(_, ceiling)| *ceiling);
        if words > ceiling {
            wrong.push(format!("{path} has {words} words, at most {ceiling} are allowed"));
        }
        if path == EXPERIMENTS {
            wrong.extend(wrong_entries(&text));
        }
    }
    if total > TOTAL {
        wrong.push(format!("all documents that people write have {total} words, at most {TOTAL} are allowed"));
    }
    if !wrong.is_empty() {
        bail!("documents are too long, or entries are wrong:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// A sentence for each entry that is too long, or whose id is missing or not its own. An entry begins with `- ` and an
/// id such as `SHORT-3:`, and its other lines are indented.
fn wrong_entries(text: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in prose(text) {
        if let Some(start) = line.strip_prefix("- ") {
            entries.push(start.to_owned());
        } else if let (Some(entry), true) = (entries.last_mut(), line.starts_with("  ")) {
            entry.push_str(line);
        }
    }
    let (mut wrong, mut ids) = (Vec::new(), BTreeSet::new());
    for entry in &entries {
        let Some((id, rest)) = entry.split_once(": ").filter(|(id, _)| is_id(id)) else {
            wrong.push(format!("{EXPERIMENTS}: this entry has no id: {entry}"));
            continue;
        };
        let words = rest.split_whitespace().count();
        if words > ENTRY {
            wrong.push(format!("{EXPERIMENTS}: {id} has {words} words, at most {ENTRY} are allowed"));
        }
        if !ids.insert(id) {
            wrong.push(format!("{EXPERIMENTS}: two entries have the id {id}"));
        }
    }
    wrong
}

/// Whether `id` has the form of an id: capital letters and digits, a hyphen, and a number.
fn is_id(id: &str) -> bool {
    id.split_once('-').is_some_and(|(chapter, number)| {
        let is_inside = |character: char| character.is_ascii_uppercase() || character.is_ascii_digit();
        !chapter.is_empty() && chapter.chars().all(is_inside) && number.parse::<u32>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_an_id_of_its_own_and_at_most_forty_words() {
        let (fits, too_long) = ("word ".repeat(40), "word ".repeat(41));
        let text =
            format!("# A\n* no entry\n\n- P512-1: {fits}\n- P512-2: one\n  two {too_long}\n- P512-1: a\n- idea: b\n");
        assert_eq!(
            wrong_entries(&text),
            [
                "docs/experiments.md: P512-2 has 43 words, at most 40 are allowed",
                "docs/experiments.md: two entries have the id P512-1",
                "docs/experiments.md: this entry has no id: idea: b",
            ]
        );
    }

    #[test]
    fn documents_that_are_too_long_alone_or_together_are_errors() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, words: usize| {
            files::ensure_file_contents(&root.path().join(path), &"word\n".repeat(words), false).unwrap();
        };
        write("README.md", 900);
        write("a.md", OTHERS);
        let generated = format!("{WRITTEN_BY_A_COMMAND}xtask site`. -->\n{}", "word\n".repeat(OTHERS - 7));
        for number in 0..18 {
            files::ensure_file_contents(&root.path().join(format!("generated{number}.md")), &generated, false).unwrap();
        }
        check(root.path()).unwrap();

        write("README.md", 901);
        write("a.md", OTHERS + 1);
        (0..18).for_each(|number| write(&format!("b{number}.md"), OTHERS));
        let error = check(root.path()).unwrap_err().to_string();
        for wrong in [
            "README.md has 901 words, at most 900 are allowed",
            "a.md has 3001 words, at most 3000 are allowed",
            "all documents that people write have 57902 words",
        ] {
            assert!(error.contains(wrong), "{error}");
        }
    }
}
