//! Checks that the links between the documents, and from code to documents, lead to files and headings.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use anyhow::{Result, bail};

use crate::files;

/// The address of the public repository.
pub(crate) const REPOSITORY: &str = "https://github.com/textcodec/textcodec";
/// The tag of this release, whose files absolute links name.
const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"), "/");
/// The starts of addresses of files in the repository. A tag and a path follow.
pub(crate) const SOURCES: [&str; 3] = [
    "https://github.com/textcodec/textcodec/blob/",
    "https://github.com/textcodec/textcodec/tree/",
    "https://raw.githubusercontent.com/textcodec/textcodec/",
];
/// The extensions of the files whose absolute links are checked.
const LINKING: [&str; 6] = ["md", "rs", "toml", "json", "rb", "nix"];

/// The folder that paths in documents can be relative to.
pub(crate) const KERNELS: &str = "crates/kernels/src";

/// Fails if a link leads nowhere, and names each such link.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut documents = BTreeMap::new();
    for path in files::with_extension(root, "md")? {
        let text = files::read(root, &path)?;
        documents.insert(path, text);
    }
    let anchors: BTreeMap<&str, BTreeSet<String>> =
        documents.iter().map(|(path, text)| (path.as_str(), anchors(text))).collect();
    let leads_somewhere = |path: &str, target: &str| {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = if file.is_empty() { path.to_owned() } else { resolve(path, file) };
        let has_anchor = anchors.get(file.as_str()).is_none_or(|anchors| anchor.is_empty() || anchors.contains(anchor));
        root.join(&file).exists() && has_anchor
    };

    let mut wrong = Vec::new();
    for (path, text) in &documents {
        for target in links(text).filter(|target| !leads_somewhere(path, target)) {
            wrong.push(format!("{path}: {target}"));
        }
    }
    // The tests of this file have links that lead nowhere.
    for path in files::with_extension(root, "rs")?.into_iter().filter(|path| !path.ends_with("xtask/src/links.rs")) {
        let text = files::read(root, &path)?;
        for target in mentions(&text) {
            // A path in a comment is relative to the root, and a path in a macro is relative to the file.
            if !leads_somewhere("README.md", target) && !leads_somewhere(&path, target) {
                wrong.push(format!("{path}: {target}"));
            }
        }
    }
    for extension in LINKING {
        let paths = files::with_extension(root, extension)?;
        for path in paths.into_iter().filter(|path| !path.ends_with("xtask/src/links.rs")) {
            let text = files::read(root, &path)?;
            for target in absolute(&text) {
                if !target.strip_prefix(TAG).is_some_and(|target| leads_somewhere("README.md", target)) {
                    wrong.push(format!("{path}: {target} is no file of the tag {TAG}"));
                }
            }
        }
    }
    if !wrong.is_empty() {
        bail!("links that lead nowhere:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// The lines of a document outside of blocks of code.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors of the headings of a document, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|character| character.is_alphanumeric() || [' ', '-', '_'].contains(character));
    kept.flat_map(char::to_lowercase).map(|character| if character == ' ' { '-' } else { character }).collect()
}

/// The targets of the links of a document that lead to files or headings, but not the links of rustdoc to items.
pub(crate) fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = prose(text).flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    targets
        .filter(|target| !target.contains("://") && !target.contains("::"))
        .filter(|target| target.starts_with('#') || target.contains(['/', '.']))
}

/// The tags and paths of the addresses of this repository's files in `text`.
fn absolute(text: &str) -> impl Iterator<Item = &str> {
    let is_inside = |character: char| character.is_ascii_alphanumeric() || "./_-#".contains(character);
    let addresses = SOURCES.iter().flat_map(|source| text.split(source).skip(1));
    addresses
        .map(move |rest| rest.split(|character| !is_inside(character)).next().unwrap_or("").trim_end_matches('.'))
        // Code can put an address together from parts.
        .filter(|target| target.contains('/'))
}

/// The documents that a Rust file mentions, with anchors.
fn mentions(text: &str) -> impl Iterator<Item = &str> {
    let is_inside = |character: char| character.is_ascii_alphanumeric() || "./_-#:".contains(character);
    let words = text.split(move |character| !is_inside(character)).map(|word| word.trim_end_matches(['.', ':']));
    words.filter(|word| (word.contains(".md#") || word.ends_with(".md")) && !word.contains(':') && word.contains('/'))
}

/// The path of `target`, which is relative to the folder of the file `path`.
pub(crate) fn resolve(path: &str, target: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_the_heading_in_lower_case_without_punctuation() {
        assert_eq!(anchor("Pairs with AVX-512"), "pairs-with-avx-512");
        assert_eq!(anchor("`a_b`, and c!"), "a_b-and-c");
        assert_eq!(anchors("# A b\n```\n# c\n```\n## D\n"), BTreeSet::from(["a-b".into(), "d".into()]));
    }

    #[test]
    fn links_to_files_and_headings_are_checked_and_others_are_not() {
        let text =
            "[a](b.md#c) and [d](#e) [f](https://g.h/i.md)\n```\n[x](y.md)\n```\n[item](crate::Item) [name](Name)";
        assert_eq!(links(text).collect::<Vec<_>>(), ["b.md#c", "#e"]);
        let comment = "/// See docs/kernels.md#glossary, and `../README.md`. <https://a.b/c/d.md>";
        assert_eq!(mentions(comment).collect::<Vec<_>>(), ["docs/kernels.md#glossary", "../README.md"]);
    }

    #[test]
    fn absolute_links_to_the_repository_are_found_in_every_language() {
        let text = "[a](https://github.com/textcodec/textcodec/blob/v1/a.md#b), \"https://github.com/textcodec/textcodec\", \
                    <https://raw.githubusercontent.com/textcodec/textcodec/v1/c.svg>. https://github.com/a/b/blob/x";
        assert_eq!(absolute(text).collect::<Vec<_>>(), ["v1/a.md#b", "v1/c.svg"]);
    }

    #[test]
    fn a_target_is_relative_to_the_folder_of_its_file() {
        assert_eq!(resolve("docs/kernels.md", "../DESIGN.md"), "DESIGN.md");
        assert_eq!(resolve("docs/kernels.md", "experiments.md"), "docs/experiments.md");
    }

    #[test]
    fn a_link_that_leads_nowhere_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("README.md", "# A\n[b](docs/experiments.md#c)");
        write("docs/experiments.md", "# C\n");
        write("crates/kernels/src/x.rs", "/// docs/experiments.md#c");
        check(root.path()).unwrap();

        write("README.md", "# A\n[b](docs/experiments.md#d)");
        write("crates/kernels/src/x.rs", "/// docs/experiments.md#e");
        let error = check(root.path()).unwrap_err().to_string();
        for wrong in ["README.md: docs/experiments.md#d", "x.rs: docs/experiments.md#e"] {
            assert!(error.contains(wrong), "{error}");
        }

        let source = SOURCES[0];
        write("crates/kernels/src/x.rs", "");
        write("README.md", &format!("# A\n[b]({source}{TAG}docs/experiments.md#c)"));
        check(root.path()).unwrap();
        for target in [format!("{TAG}docs/experiments.md#d"), format!("{TAG}none.md"), "main/README.md".to_owned()] {
            write("README.md", &format!("# A\n[b]({source}{target})"));
            let error = check(root.path()).unwrap_err().to_string();
            assert!(error.contains(&target), "{error}");
        }
    }
}
