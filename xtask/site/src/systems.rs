//! How the decoders of other systems differ from the Standard's under the same name, from the tables in `xtask/site/facts`.

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::{Site, text::grouped};

/// The systems: the name of the file, and the name for people.
const SYSTEMS: [(&str, &str); 3] = [("glibc", "glibc"), ("icu", "ICU"), ("windows", "Windows")];

/// How one system's decoder differs from the Standard's.
#[derive(Debug, Serialize)]
pub(crate) struct SystemData {
    /// The name of the system, for people.
    system: &'static str,
    /// The first line of the file: its origin.
    source: String,
    /// The name that the system gives to the encoding.
    their_name: String,
    /// How many sequences differ, in groups of three digits.
    different: String,
    /// The same as a number.
    count: usize,
    rows: Vec<Row>,
}

/// A run of sequences that differ in the same way.
#[derive(Debug, Serialize)]
struct Row {
    /// The first and, if there are more than one, the last sequence in hex digits.
    bytes: String,
    count: usize,
    /// What the Standard has for the first sequence, such as "U+00A5", or "–" for nothing.
    standard: String,
    /// What the system has for it.
    theirs: String,
}

/// The tables of all systems, for each encoding.
pub(crate) struct Systems(Vec<(String, SystemData)>);

impl Systems {
    /// Reads the tables.
    pub(crate) fn read(site: &Site<'_>) -> Result<Self> {
        let mut all = Vec::new();
        for (file, system) in SYSTEMS {
            let path = format!("xtask/site/facts/{file}.tsv");
            read_one(&site.read(&path)?, system, &mut all).context(path)?;
        }
        Ok(Systems(all))
    }

    /// The differences of the systems that have `encoding`.
    pub(crate) fn of(&self, encoding: &str) -> Vec<&SystemData> {
        self.0.iter().filter(|(name, _)| name == encoding).map(|(_, data)| data).collect()
    }
}

/// Reads lines of the form `encoding NAME their-name`, each followed by lines `first last count standard theirs`.
fn read_one(text: &str, system: &'static str, all: &mut Vec<(String, SystemData)>) -> Result<()> {
    let mut lines = text.lines();
    let source = lines.next().context("the file is empty")?.trim_start_matches("# ").to_owned();
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["encoding", name, their_name] => {
                let data = SystemData {
                    system,
                    source: source.clone(),
                    their_name: their_name.to_owned(),
                    different: String::new(),
                    count: 0,
                    rows: Vec::new(),
                };
                all.push((name.to_owned(), data));
            }
            [first, last, count, standard, theirs] => {
                let data = &mut all.last_mut().context("the first line names no encoding")?.1;
                let bytes = if first == last { first.to_owned() } else { format!("{first} – {last}") };
                let count: usize = count.parse().context("the count is not a number")?;
                data.count += count;
                data.different = grouped(data.count);
                data.rows.push(Row { bytes, count, standard: standard.to_owned(), theirs: theirs.to_owned() });
            }
            _ => ensure!(false, "the line {line:?} has neither three nor five columns"),
        }
    }
    for (_, data) in all {
        if data.different.is_empty() {
            "0".clone_into(&mut data.different);
        }
    }
    Ok(())
}
