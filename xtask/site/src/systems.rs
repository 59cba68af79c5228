//! How the decoders of other systems differ from the Standard's under the same name, from the tables in
//! `xtask/site/facts`.

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use textcodec::Name;

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
    /// How many sequences were compared, in groups of three digits.
    compared: String,
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

    /// Why `encoding` was not compared with the other systems: a sentence for each of them.
    pub(crate) fn without(&self, encoding: Name) -> Vec<String> {
        if matches!(encoding, Name::Replacement | Name::XUserDefined) {
            return vec!["Only browsers have this encoding, so there is nothing to compare.".to_owned()];
        }
        let has = |system: &str| self.of(encoding.as_str()).iter().any(|data| data.system == system);
        let missing = SYSTEMS.iter().filter(|(_, system)| !has(system));
        missing
            .map(|&(file, system)| match (file, page_without_table(encoding)) {
                ("windows", Some(page)) => {
                    format!("{system} has this encoding as code page {page}, by a program without a table. It was not compared.")
                }
                ("windows", None) => format!("{system} has no code page for this encoding."),
                _ => format!("{system} has no encoding of this name."),
            })
            .collect()
    }
}

/// The code page of an encoding that Windows converts by a program. The package that was compared has tables only.
fn page_without_table(encoding: Name) -> Option<u32> {
    match encoding {
        Name::Utf8 => Some(65_001),
        Name::Utf16Le => Some(1_200),
        Name::Utf16Be => Some(1_201),
        Name::Gb18030 => Some(54_936),
        Name::Iso2022Jp => Some(50_220),
        _ => None,
    }
}

/// Reads lines of the form `encoding NAME their-name compared`, each followed by lines
/// `first last count standard theirs`.
fn read_one(text: &str, system: &'static str, all: &mut Vec<(String, SystemData)>) -> Result<()> {
    let mut lines = text.lines();
    let source = lines.next().context("the file is empty")?.trim_start_matches("# ").to_owned();
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["encoding", name, their_name, compared] => {
                let data = SystemData {
                    system,
                    source: source.clone(),
                    their_name: their_name.to_owned(),
                    compared: grouped(compared.parse().context("the number of sequences is not a number")?),
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
            _ => ensure!(false, "the line {line:?} has neither four nor five columns"),
        }
    }
    for (_, data) in all {
        if data.different.is_empty() {
            "0".clone_into(&mut data.different);
        }
    }
    Ok(())
}
