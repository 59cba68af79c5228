//! `docs/charsets.md`: every charset, its names, and how far the sources agree about it.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use anyhow::{Result, ensure};

use super::{
    COMMAND, FOLDER,
    derive::DISAGREEMENTS,
    east_asian,
    mapping::{Codec, FAMILIES, Mapping, SOURCES},
    names::Names,
};
use crate::files;

/// The document.
const PATH: &str = "docs/charsets.md";

/// Writes the document, or with `check` fails if it is out of date.
pub(super) fn generate(root: &Path, mappings: &[Mapping], codecs: &[Codec], names: &Names, check: bool) -> Result<()> {
    let text = text(root, mappings, codecs, names)?;
    let is_same = files::ensure_file_contents(&root.join(PATH), &text, check)?;
    ensure!(is_same || !check, "{PATH} is out of date; run `{COMMAND}`");
    Ok(())
}

/// The number of names of a charset.
fn count(names: &Names, charset: usize) -> usize {
    names.names.iter().filter(|name| name.charset == charset).count()
}

fn text(root: &Path, mappings: &[Mapping], codecs: &[Codec], names: &Names) -> Result<String> {
    let mut disagreements: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for [charset, byte, _, source, _] in files::rows(root, &format!("{FOLDER}/disagreements.tsv"), &DISAGREEMENTS)? {
        disagreements.entry((charset, source)).or_default().push(byte);
    }
    let pairs = east_asian::witnesses(root)?;
    let mut text = format!(
        "<!-- Written by `{COMMAND}`. -->\n\n\
         # The charsets of textcodec-charsets\n\n\
         This page is for readers who want to know where the table of a charset comes from.\n\n\
         * The source in bold decides. [decisions.tsv](../{FOLDER}/decisions.tsv) has the bytes at which another\n  \
         source wins, with the reason.\n\
         * [disagreements.tsv](../{FOLDER}/disagreements.tsv) has each byte at which a source differs.\n\
         * Charsets of pairs of bytes have files of their own in [east-asian](../{FOLDER}/east-asian).\n\
         * [names.tsv](../{FOLDER}/names.tsv) has the names that sources list, and\n  \
         [more-names.tsv](../{FOLDER}/more-names.tsv) has others.\n"
    );
    for family in FAMILIES {
        let members = mappings.iter().enumerate().filter(|(_, mapping)| mapping.row.family == family);
        write!(
            text,
            "\n## {family}\n\n| charset | names | sources, with the number of bytes that differ |\n| --- | ---: | --- |\n"
        )?;
        for (number, mapping) in members {
            let row = &mapping.row;
            let counts = count(names, number);
            let sources: Vec<String> = row
                .witnesses()
                .map(|(source, _)| {
                    let title = if source == row.decides {
                        format!("**{}**", SOURCES[source])
                    } else {
                        SOURCES[source].to_owned()
                    };
                    let bytes = disagreements.get(&(row.name.clone(), SOURCES[source].to_owned()));
                    bytes.map_or(title.clone(), |bytes| format!("{title} ({})", bytes.len()))
                })
                .collect();
            writeln!(text, "| {} | {counts} | {} |", row.name, sources.join(", "))?;
        }
        for (place, codec) in codecs.iter().enumerate().filter(|(_, codec)| codec.row.family == family) {
            let sources = match pairs.get(&codec.row.name) {
                Some(sources) => sources.join(", "),
                None if codec.row.name == "MARC-8" => {
                    format!("an algorithm; EACC: {}", east_asian::eacc_witnesses(root)?)
                }
                None => "an algorithm".to_owned(),
            };
            writeln!(text, "| {} | {} | {sources} |", codec.row.name, count(names, mappings.len() + place))?;
        }
    }
    Ok(text)
}
