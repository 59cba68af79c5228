//! Reads the sources, and writes the mapping files.

use std::{collections::BTreeMap, path::Path, process::Command};

use anyhow::{Context, Result, ensure};

use super::{
    FOLDER, Row, SOURCES,
    mapping::{self, Mapping},
    rows,
};
use crate::files;

/// The program that asks glibc, Python and ICU.
const PYTHON: &str = include_str!("sources.py");
/// The program that asks Java.
const JAVA: &str = include_str!("Pairs.java");
/// The columns of `witnesses.tsv`.
pub(super) const WITNESSES: [&str; 6] = ["table", "source", "same", "other", "missing", "more"];
/// The columns of `disagreements.tsv`.
const DISAGREEMENTS: [&str; 5] = ["table", "bytes", "code points", "source", "the source's code points"];
/// A source that differs at more sequences than this has another table, and is only counted.
const FEW: usize = 60;

/// Writes the mapping files of all tables.
pub(crate) fn derive(root: &Path) -> Result<()> {
    let (mut witnesses, mut disagreements) = (Vec::new(), Vec::new());
    for row in rows(root)? {
        println!("{}", row.name);
        let mapping = of_row(&row)?;
        files::ensure_file_contents(&root.join(row.path()), &mapping.text(&row.name, &row.witnesses()), false)?;
        for (number, source) in SOURCES.iter().enumerate() {
            if row.names[number].is_none() {
                continue;
            }
            let other = ask(&row, number)?;
            let text = |code_points: Option<&Vec<u32>>| {
                code_points.map_or("-".to_owned(), |code_points| {
                    code_points.iter().map(|code_point| format!("{code_point:04X}")).collect::<Vec<_>>().join("+")
                })
            };
            let (mut same, mut differs, mut missing) = (0, Vec::new(), 0);
            for (bytes, code_points) in &mapping.decoded {
                match other.decoded.get(bytes) {
                    Some(others) if others == code_points => same += 1,
                    None if bytes.len() > 1 => missing += 1,
                    others => differs.push([
                        row.name.clone(),
                        mapping::hex(bytes),
                        text(Some(code_points)),
                        (*source).to_owned(),
                        text(others),
                    ]),
                }
            }
            let more = other.decoded.keys().filter(|bytes| !mapping.decoded.contains_key(*bytes)).count();
            let counts = [same, differs.len(), missing, more].map(|count| count.to_string());
            witnesses.push([&[row.name.clone(), (*source).to_owned()], &counts[..]].concat());
            if differs.len() <= FEW {
                disagreements.extend(differs);
            }
        }
    }
    let lines = witnesses.iter().map(|fields| fields.iter().map(String::as_str).collect());
    let text = files::tab_separated(&WITNESSES, lines);
    files::ensure_file_contents(&root.join(format!("{FOLDER}/witnesses.tsv")), &text, false)?;
    let lines = disagreements.iter().map(|fields| fields.iter().map(String::as_str).collect());
    let text = files::tab_separated(&DISAGREEMENTS, lines);
    files::ensure_file_contents(&root.join(format!("{FOLDER}/disagreements.tsv")), &text, false)?;
    Ok(())
}

/// The mapping by the source that decides, with bytes by the one that encodes.
fn of_row(row: &Row) -> Result<Mapping> {
    let mut mapping = ask(row, row.decides)?;
    if row.encodes != row.decides {
        let other = ask(row, row.encodes)?;
        let chosen: BTreeMap<u32, Vec<u8>> = other
            .encoded
            .into_iter()
            .filter(|(code_point, bytes)| mapping.decoded.get(bytes) == Some(&vec![*code_point]))
            .collect();
        mapping.encoded.extend(chosen);
    }
    mapping.forget_best_fits();
    Ok(mapping)
}

/// What a source has.
fn ask(row: &Row, source: usize) -> Result<Mapping> {
    let name = row.names[source].as_deref().context("the source does not have the table")?;
    let kind = row.shape.kind;
    let output = if SOURCES[source] == "java" {
        let folder = std::env::temp_dir().join(format!("textcodec-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let path = folder.join("Pairs.java");
        std::fs::write(&path, JAVA)?;
        let output = Command::new("java").arg(&path).args([name, kind]).output();
        std::fs::remove_dir_all(&folder)?;
        output
    } else {
        Command::new("python3").args(["-c", PYTHON, SOURCES[source], name, kind]).output()
    };
    let output = output.with_context(|| format!("cannot ask {}", SOURCES[source]))?;
    ensure!(output.status.success(), "{} has no {name}: {}", SOURCES[source], String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let mut mapping = Mapping::parse(&text)?;
    if text.contains("\n>") {
        // A source that encodes says all of it.
        mapping.encoded = text
            .lines()
            .filter_map(|line| line.strip_prefix('>')?.split_once(' '))
            .map(|(code_point, bytes)| Ok((u32::from_str_radix(code_point, 16)?, bytes_of(bytes)?)))
            .collect::<Result<_>>()?;
    }
    if kind == "four" {
        // Sequences of four bytes follow from ranges.
        mapping.encoded.retain(|_, bytes| bytes.len() < 4);
    }
    Ok(mapping)
}

fn bytes_of(hex: &str) -> Result<Vec<u8>> {
    (0..hex.len() / 2).map(|at| Ok(u8::from_str_radix(&hex[2 * at..2 * at + 2], 16)?)).collect()
}
