//! Charsets of pairs of bytes: their mapping files, and the tables that `crates/charsets` has as differences from the
//! Standard's indexes.
//!
//! | file in `indexes/charsets/east-asian` | contents | written by |
//! | --- | --- | --- |
//! | `tables.tsv` | each table, its shape, its index, its name in each source, and which source decides | hand |
//! | `mapping-*.txt` | sequences of bytes and their code points | `derive-charsets` |
//! | `witnesses.tsv` | how many sequences each source has in common with the table, and how many differ | `derive-charsets` |
//! | `disagreements.tsv` | the sequences at which a source has another character, if these are few | `derive-charsets` |
//!
//! EACC, which has three bytes for a character, has files and tables of its own: see `eacc.rs`.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, ensure};

mod derive;
mod eacc;
mod inverse;
mod mapping;
mod rust_tables;
mod segments;
mod shape;
mod standard;

pub(super) use derive::derive;
pub(super) use eacc::{derive as derive_eacc, generated_file as eacc_file, witnesses as eacc_witnesses};

use self::shape::Shape;
use crate::{
    files::{self, GeneratedFile},
    index_file,
};

/// The folder of the files.
const FOLDER: &str = "indexes/charsets/east-asian";
/// The sources, in the order of the columns of `tables.tsv`.
const SOURCES: [&str; 4] = ["glibc", "python", "java", "icu"];
/// The columns of `tables.tsv`.
const HEAD: [&str; 9] = ["table", "shape", "index", "decides", "encodes", "glibc", "python", "java", "icu"];

/// A line of `tables.tsv`.
pub(super) struct Row {
    pub(super) name: String,
    shape: &'static Shape,
    /// The index of the Standard.
    index: String,
    /// The number of the source that decides what bytes mean.
    decides: usize,
    /// The number of the source that decides to which bytes a character is encoded.
    encodes: usize,
    names: [Option<String>; SOURCES.len()],
}

impl Row {
    fn path(&self) -> String {
        format!("{FOLDER}/mapping-{}.txt", self.name.to_lowercase())
    }

    /// The sources, each with its name for the table.
    fn witnesses(&self) -> Vec<String> {
        let names = SOURCES.iter().zip(&self.names);
        names.filter_map(|(source, name)| Some(format!("{source} {}", name.as_deref()?))).collect()
    }
}

/// The lines of `tables.tsv`.
pub(super) fn rows(root: &Path) -> Result<Vec<Row>> {
    let path = format!("{FOLDER}/tables.tsv");
    let source = |name: &str| SOURCES.iter().position(|source| *source == name).context("no such source");
    let row = |[name, shape, index, decides, encodes, names @ ..]: [String; HEAD.len()]| {
        let names: [String; SOURCES.len()] = names;
        let row = Row {
            shape: Shape::called(&shape)?,
            index,
            decides: source(&decides)?,
            encodes: source(&encodes)?,
            names: names.map(|name| (name != "-").then_some(name)),
            name,
        };
        ensure!(row.names[row.decides].is_some(), "{path}: {} has no name in the source that decides", row.name);
        Ok(row)
    };
    files::rows(root, &path, &HEAD)?.into_iter().map(row).collect()
}

/// An index of the Standard, by pointer.
type Base = BTreeMap<u32, u32>;

/// The indexes of the Standard that tables can differ from.
fn bases(root: &Path) -> Result<BTreeMap<String, Base>> {
    let indexes = index_file::read_indexes(root)?;
    Ok(indexes.into_iter().map(|index| (index.name.clone(), index.entries.into_iter().collect())).collect())
}

/// The file with the tables of all charsets.
pub(super) fn generated_file(root: &Path, path: &str) -> Result<GeneratedFile> {
    let mut bases = bases(root)?;
    let mut text = rust_tables::head();
    for row in rows(root)? {
        let mapping = mapping::read(root, &row.path())?;
        text.push_str(&rust_tables::statics(&row, &mapping, &mut bases).with_context(|| row.name.clone())?);
    }
    Ok(GeneratedFile { path: path.to_owned(), text })
}

/// What `witnesses.tsv` says of a table: sources, each with the number of sequences that differ.
pub(super) fn witnesses(root: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    let mut witnesses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let rows = rows(root)?;
    for [table, source, _, other, missing, more] in
        files::rows(root, &format!("{FOLDER}/witnesses.tsv"), &derive::WITNESSES)?
    {
        let row = rows.iter().find(|row| row.name == table).context("witnesses.tsv has an unknown table")?;
        let title = if SOURCES[row.decides] == source { format!("**{source}**") } else { source };
        let mut differing = 0;
        for count in [other, missing, more] {
            differing += count.parse::<usize>()?;
        }
        let text = if differing == 0 { title } else { format!("{title} ({differing})") };
        witnesses.entry(table).or_default().push(text);
    }
    Ok(witnesses)
}
