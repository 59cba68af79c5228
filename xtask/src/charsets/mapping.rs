//! The mapping files: what each byte of a charset means.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context, Result, ensure};

use super::FOLDER;
use crate::{
    files,
    index_file::{self, Index},
};

/// The number of bytes, and of the entries of a mapping.
pub(super) const BYTES: usize = 256;

/// The code point of each byte; `None` for a byte without one.
pub(super) type Table = [Option<u32>; BYTES];

/// The sources, in the order of the columns of `charsets.tsv`.
pub(super) const SOURCES: [&str; 7] = ["glibc", "charmap", "python", "perl", "java", "icu", "libiconv"];
/// The columns of `charsets.tsv`.
const HEAD: [&str; 10] =
    ["charset", "family", "decides", "glibc", "charmap", "python", "perl", "java", "icu", "libiconv"];
/// The families, which are modules and features of `crates/charsets`.
pub(super) const FAMILIES: [&str; 12] = [
    "dos",
    "ebcdic",
    "windows",
    "iso",
    "mac",
    "unicode",
    "east-asian",
    "ebcdic-east-asian",
    "regional",
    "libraries",
    "telematic",
    "others",
];
/// The columns of `codecs.tsv`.
const CODECS: [&str; 7] = ["charset", "family", "codec", "glibc", "python", "java", "icu"];

/// The line of a charset in `charsets.tsv`.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The name of the charset in this project: that of glibc if glibc has it.
    pub(super) name: String,
    pub(super) family: String,
    /// The number of the source that decides.
    pub(super) decides: usize,
    /// The name of the charset in each source.
    pub(super) names: [Option<String>; SOURCES.len()],
}

impl Row {
    /// The path of the mapping file.
    fn path(&self) -> String {
        format!("{FOLDER}/index-{}.txt", self.name.to_lowercase())
    }

    /// Each source that has the charset, with its name there.
    pub(super) fn witnesses(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names.iter().enumerate().filter_map(|(source, name)| Some((source, name.as_deref()?)))
    }
}

/// A charset and what its bytes mean.
#[derive(Clone, Debug)]
pub(super) struct Mapping {
    pub(super) row: Row,
    pub(super) table: Table,
    /// Bytes to which no character is encoded, because another byte has the same character.
    pub(super) decode_only: Vec<u8>,
}

impl Mapping {
    fn index(&self) -> Index {
        let entries = (0..).zip(&self.table).filter_map(|(byte, code_point)| Some((byte, (*code_point)?))).collect();
        Index { name: self.row.name.clone(), pointers: BYTES, entries }
    }

    pub(super) fn identifier(&self) -> String {
        self.index().identifier()
    }

    /// The number of bytes that have a code point.
    pub(super) fn len(&self) -> usize {
        self.table.iter().flatten().count()
    }

    /// The text of the mapping file.
    fn text(&self) -> String {
        let witnesses: Vec<String> =
            self.row.witnesses().map(|(source, name)| format!("{} {name}", SOURCES[source])).collect();
        let mut text = format!(
            "# Charset {}: bytes and their code points, as \"cargo xtask derive-charsets\" found them.\n\
             #\n\
             # Identifier: {}\n\
             # Witnesses: {}\n",
            self.row.name,
            self.identifier(),
            witnesses.join(", "),
        );
        if !self.decode_only.is_empty() {
            let bytes: Vec<String> = self.decode_only.iter().map(|byte| format!("{byte:02X}")).collect();
            writeln!(text, "# Decode only: {}", bytes.join(" ")).expect("a String takes everything");
        }
        text.push('\n');
        for (byte, code_point) in self.index().entries {
            writeln!(text, "{byte}\t0x{code_point:04X}").expect("a String takes everything");
        }
        text
    }
}

/// The lines of `charsets.tsv`.
pub(super) fn read_rows(root: &Path) -> Result<Vec<Row>> {
    let path = format!("{FOLDER}/charsets.tsv");
    let mut rows: Vec<Row> = Vec::new();
    for [name, family, decides, names @ ..] in files::rows(root, &path, &HEAD)? {
        ensure!(FAMILIES.contains(&family.as_str()), "{path}: {name}: {family} is not a family");
        ensure!(rows.iter().all(|row| !row.name.eq_ignore_ascii_case(&name)), "{path} has {name} twice");
        let names: [String; SOURCES.len()] = names;
        let names = names.map(|name| (name != "-").then_some(name));
        let decides = SOURCES.iter().position(|source| *source == decides);
        let decides = decides.with_context(|| format!("{path}: {name}: another source than {SOURCES:?} decides"))?;
        ensure!(names[decides].is_some(), "{path}: {name} has no name in the source that decides");
        rows.push(Row { name, family, decides, names });
    }
    Ok(rows)
}

/// A charset that is more than a table: its codec is written by hand.
pub(super) struct Codec {
    /// No source decides. The names lead to the names of the sources.
    pub(super) row: Row,
    /// The name of the static in the family's hand-written module.
    pub(super) codec: String,
}

/// The lines of `codecs.tsv`.
pub(super) fn read_codecs(root: &Path) -> Result<Vec<Codec>> {
    let path = format!("{FOLDER}/codecs.tsv");
    let codec = |[name, family, codec, glibc, python, java, icu]: [String; CODECS.len()]| {
        ensure!(FAMILIES.contains(&family.as_str()), "{path}: {name}: {family} is not a family");
        let mut names = [const { None }; SOURCES.len()];
        for (source, name) in [("glibc", glibc), ("python", python), ("java", java), ("icu", icu)] {
            let place = SOURCES.iter().position(|known| *known == source).expect("it is a source");
            names[place] = (name != "-").then_some(name);
        }
        Ok(Codec { row: Row { name, family, decides: 0, names }, codec })
    };
    files::rows(root, &path, &CODECS)?.into_iter().map(codec).collect()
}

/// Reads all mapping files, in the order of `charsets.tsv`, and verifies the Identifier of each.
pub(super) fn read_all(root: &Path) -> Result<Vec<Mapping>> {
    let mappings = read_rows(root)?.into_iter().map(|row| read(root, row)).collect::<Result<Vec<_>>>()?;
    let known: Vec<String> = mappings.iter().map(|mapping| mapping.row.path()).collect();
    for name in files::names_in(&root.join(FOLDER))? {
        let path = format!("{FOLDER}/{name}");
        ensure!(!name.starts_with("index-") || known.contains(&path), "{path} belongs to no charset");
    }
    let fingerprints = files::read(root, &fingerprints_path())?;
    ensure!(
        fingerprints == fingerprints_text(&mappings),
        "{} differs from the mapping files; run `cargo xtask derive-charsets`",
        fingerprints_path()
    );
    Ok(mappings)
}

fn read(root: &Path, row: Row) -> Result<Mapping> {
    let path = row.path();
    parse(&files::read(root, &path)?, row).context(path)
}

fn parse(text: &str, row: Row) -> Result<Mapping> {
    let file = index_file::parse_file(text)?;
    let mut table = [None; BYTES];
    for (byte, code_point) in file.entries {
        *table.get_mut(byte as usize).context("a pointer is not a byte")? = Some(code_point);
    }
    let decode_only = text.lines().find_map(|line| line.strip_prefix("# Decode only: ")).unwrap_or_default();
    let decode_only = decode_only
        .split_ascii_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).with_context(|| format!("{byte} is not a byte in hex")))
        .collect::<Result<_>>()?;
    let mapping = Mapping { row, table, decode_only };
    let (computed, identifier) = (mapping.identifier(), file.identifier.context("there is no Identifier")?);
    ensure!(computed == identifier, "the entries have the Identifier {computed}, but the header says {identifier}");
    Ok(mapping)
}

fn fingerprints_path() -> String {
    format!("{FOLDER}/fingerprints.csv")
}

fn fingerprints_text(mappings: &[Mapping]) -> String {
    let mut text = "charset,identifier,entries\n".to_owned();
    for mapping in mappings {
        writeln!(text, "{},{},{}", mapping.row.name, mapping.identifier(), mapping.len())
            .expect("a String takes everything");
    }
    text
}

/// Writes the mapping files and the file with their Identifiers.
pub(super) fn write_all(root: &Path, mappings: &[Mapping]) -> Result<()> {
    for mapping in mappings {
        files::ensure_file_contents(&root.join(mapping.row.path()), &mapping.text(), false)?;
    }
    files::ensure_file_contents(&root.join(fingerprints_path()), &fingerprints_text(mappings), false)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Mapping {
        let names = std::array::from_fn(|source| (source == 0).then(|| "X".to_owned()));
        let row = Row { name: "X".to_owned(), family: "dos".to_owned(), decides: 0, names };
        let mut table = [None; BYTES];
        (table[0x41], table[0x80], table[0x81]) = (Some(0x41), Some(0xE9), Some(0x41));
        Mapping { row, table, decode_only: vec![0x81] }
    }

    #[test]
    fn a_mapping_is_read_as_it_was_written() {
        let (example, text) = (example(), example().text());
        let read = parse(&text, example.row.clone()).unwrap();
        assert_eq!((read.table, read.decode_only), (example.table, example.decode_only));
    }

    #[test]
    fn a_changed_entry_of_a_mapping_is_an_error() {
        let text = example().text().replace("0x00E9", "0x00E8");
        assert!(parse(&text, example().row).unwrap_err().to_string().contains("but the header says"));
    }
}
