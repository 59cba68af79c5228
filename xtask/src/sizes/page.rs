//! The page "Use what you need" of the guide: each of its examples is a program, which is built with the lines of
//! `Cargo.toml` that stand above it.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};

use super::build::{Source, project};

/// The page.
pub(super) const PAGE: &str = "crates/textcodec/guide/use-what-you-need.md";

/// The text before and after each size on the page.
const MARKERS: (&str, &str) = ("<!-- size -->", "<!-- /size -->");

/// A choice of the page.
pub(super) struct Choice {
    /// The heading.
    pub(super) title: &'static str,
    /// The expression that gives the program's output. `text` is the function of the example.
    call: &'static str,
    /// The output for [`INPUT`](super::build::INPUT).
    pub(super) output: &'static str,
    /// The greatest number of KB that the program adds, see [`Row::ceiling`](super::Row::ceiling).
    pub(super) ceiling: u64,
}

const BY_LABEL: &str = "text(&argument(1).unwrap_or_default(), &source).into_bytes()";

/// The choices, in the order of the page.
pub(super) const CHOICES: [Choice; 5] = [
    Choice { title: "Web pages in any encoding", call: BY_LABEL, output: "café", ceiling: 247 },
    Choice { title: "Mail in any encoding, in a smaller program", call: BY_LABEL, output: "café", ceiling: 175 },
    Choice { title: "Tables from European spreadsheets", call: BY_LABEL, output: "café", ceiling: 95 },
    Choice { title: "Files in one encoding", call: "text(&source).into_bytes()", output: "caf\u{FFFD}", ceiling: 95 },
    Choice {
        title: "Messages on a small device",
        call: "text(&source, &mut [MaybeUninit::uninit(); 64]).as_bytes().to_vec()",
        output: "café",
        ceiling: 6,
    },
];

/// The programs of `page`, in the order of [`CHOICES`].
pub(super) fn programs(page: &str) -> Result<Vec<Source>> {
    let sections: Vec<&str> = page.split("\n\n# ").skip(1).collect();
    ensure!(sections.len() == CHOICES.len(), "{PAGE} has {} sections", sections.len());
    CHOICES.iter().zip(sections).map(|(choice, section)| program(choice, section).context(choice.title)).collect()
}

/// The program of a section of the page: its heading, the lines of `Cargo.toml`, and the example.
fn program(choice: &Choice, section: &str) -> Result<Source> {
    ensure!(section.starts_with(&format!("{}\n", choice.title)), "another heading is in its place");
    // The text before the first block, the block, the text between the blocks, the block, and the text after it.
    let parts: Vec<&str> = section.split("\n```").collect();
    let [_, manifest, _, example, _] = parts[..] else { bail!("{} blocks instead of two", parts.len() / 2) };
    let manifest = manifest.strip_prefix("toml\n[dependencies]\n").context("no lines of Cargo.toml")?;
    // The assertions of the example would add the formatting of their messages.
    let functions = example.split("\nassert").next().unwrap_or_default();
    ensure!(functions.contains("fn text"), "the example has no function `text`");
    let mut code = String::from(functions);
    write!(code, "\nfn convert(source: Vec<u8>) -> Vec<u8> {{\n    {}\n}}\n", choice.call)
        .expect("a String takes everything");
    let umbrella = project("crates/textcodec");
    let dependencies = format!("{manifest}\n\n[patch.crates-io]\ntextcodec = {{ path = {umbrella:?} }}\n");
    Ok(Source { dependencies, code })
}

/// `page` with the sizes in bytes, one for each program.
pub(super) fn put(page: &str, sizes: &[u64]) -> Result<String> {
    let parts: Vec<&str> = page.split(MARKERS.0).collect();
    ensure!(parts.len() == 1 + sizes.len(), "{PAGE} does not have {} sizes", sizes.len());
    let mut written = parts[0].to_owned();
    for (part, size) in parts[1..].iter().zip(sizes) {
        let (_, rest) = part.split_once(MARKERS.1).with_context(|| format!("{PAGE} lacks {}", MARKERS.1))?;
        let kilobytes = *size as f64 / 1000.0;
        write!(written, "{}{kilobytes:.1} KB{}{rest}", MARKERS.0, MARKERS.1).expect("a String takes everything");
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;

    #[test]
    fn each_section_of_the_page_is_a_program() {
        let programs = programs(&files::read(files::root(), PAGE).unwrap()).unwrap();
        assert!(programs[0].dependencies.starts_with("textcodec = \"0.1\"\n"), "{}", programs[0].dependencies);
        assert!(programs.iter().all(|program| program.code.contains("fn convert") && !program.code.contains("assert")));
    }

    #[test]
    fn a_section_with_another_heading_is_an_error() {
        let page = files::read(files::root(), PAGE).unwrap().replace("# Mail in", "# Letters in");
        assert!(programs(&page).is_err());
    }

    #[test]
    fn sizes_go_between_the_markers_and_replace_the_last_ones() {
        let page = "a <!-- size --><!-- /size -->.\nb <!-- size -->1 KB<!-- /size -->.\n";
        let written = put(page, &[11_740, 262_000]).unwrap();
        assert_eq!(written, "a <!-- size -->11.7 KB<!-- /size -->.\nb <!-- size -->262.0 KB<!-- /size -->.\n");
        assert!(put(page, &[1]).is_err() && put(page, &[1, 2, 3]).is_err());
    }
}
