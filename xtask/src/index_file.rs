//! [Indexes](https://encoding.spec.whatwg.org/#indexes) as files: the Standard's resource format, and the Identifier
//! by which an edition of an index is known.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use crate::files;

/// The one index whose entries are the first pointers and code points of ranges.
pub(crate) const RANGES: &str = "gb18030-ranges";

/// The facts about one index: a line of `indexes/fingerprints.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    /// The name of the index, for example `jis0208`.
    pub(crate) index: String,
    /// SHA-256 of the index in lower-case hex; see [`Index::identifier`].
    pub(crate) identifier: String,
    /// The date of this edition of the index.
    pub(crate) date: String,
    /// How many pointers have a code point.
    pub(crate) entries: usize,
    /// How many pointers there are, those without a code point included; for ranges, how many ranges.
    pub(crate) pointers: usize,
}

/// An index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    /// Its name, for example `jis0208`.
    pub(crate) name: String,
    /// How many pointers there are, those without a code point included; for ranges, how many ranges.
    pub(crate) pointers: usize,
    /// Pointers and their code points, by ascending pointer.
    pub(crate) entries: Vec<(u32, u32)>,
}

impl Index {
    /// The code points by pointer; `None` where the index has no entry. This function is not for the index of ranges.
    pub(crate) fn code_points(&self) -> Vec<Option<u32>> {
        let mut code_points = vec![None; self.pointers];
        for &(pointer, code_point) in &self.entries {
            code_points[pointer as usize] = Some(code_point);
        }
        code_points
    }

    /// The Identifier: the SHA-256, in lower-case hex, of the list of code points as Python prints it, `None` where
    /// there is no entry up to the last pointer; of ranges, the list of their pairs.
    pub(crate) fn identifier(&self) -> String {
        let items: Vec<String> = if self.name == RANGES {
            self.entries.iter().map(|(pointer, code_point)| format!("[{pointer}, {code_point}]")).collect()
        } else {
            let text = |code_point: Option<u32>| code_point.map_or("None".to_owned(), |number| number.to_string());
            self.code_points().into_iter().map(text).collect()
        };
        let digest = Sha256::digest(format!("[{}]", items.join(", ")));
        digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }

    /// Fails unless this is the edition of the index that `fingerprint` describes.
    pub(crate) fn verify(&self, fingerprint: &Fingerprint) -> Result<()> {
        let identifier = self.identifier();
        ensure!(
            identifier == fingerprint.identifier,
            "the entries have the Identifier {identifier}, but {FINGERPRINTS} says {}",
            fingerprint.identifier
        );
        ensure!(
            self.entries.len() == fingerprint.entries,
            "there are {} entries, but {FINGERPRINTS} says {}",
            self.entries.len(),
            fingerprint.entries
        );
        Ok(())
    }
}

/// An index file as it was parsed, before it is verified.
#[derive(Debug)]
pub(crate) struct IndexFile {
    pub(crate) identifier: Option<String>,
    date: Option<String>,
    pub(crate) entries: Vec<(u32, u32)>,
}

/// The file with the facts about all indexes.
pub(crate) const FINGERPRINTS: &str = "indexes/fingerprints.csv";

/// The path of the file of the index called `name`, relative to the project's root.
pub(crate) fn path(name: &str) -> String {
    format!("indexes/index-{name}.txt")
}

/// The anchor of the index called `name` in the Standard.
pub(crate) fn anchor(name: &str) -> String {
    let multi_byte = [RANGES, "gb18030", "big5", "jis0208", "jis0212", "iso-2022-jp-katakana", "euc-kr"];
    let fragment = if multi_byte.contains(&name) { name } else { "single-byte" };
    format!("https://encoding.spec.whatwg.org/#index-{fragment}")
}

/// Reads the facts about the indexes, in the order of the file.
pub(crate) fn read_fingerprints(root: &Path) -> Result<Vec<Fingerprint>> {
    let text = files::read(root, FINGERPRINTS)?;
    let mut lines = text.lines().enumerate();
    let header = lines.next().map(|(_, line)| line);
    ensure!(
        header == Some("index,identifier,date,entries,pointers"),
        "{FINGERPRINTS} line 1: not the expected columns"
    );
    lines
        .map(|(number, line)| parse_fingerprint(line).with_context(|| format!("{FINGERPRINTS} line {}", number + 1)))
        .collect()
}

fn parse_fingerprint(line: &str) -> Result<Fingerprint> {
    let [index, identifier, date, entries, pointers] = line.split(',').collect::<Vec<_>>()[..] else {
        bail!("not five columns");
    };
    Ok(Fingerprint {
        index: index.to_owned(),
        identifier: identifier.to_owned(),
        date: date.to_owned(),
        entries: entries.parse().context("entries is not a number")?,
        pointers: pointers.parse().context("pointers is not a number")?,
    })
}

/// Reads all indexes and verifies each one: the hash of its entries, its header and its fingerprint must agree. An
/// error names the file.
pub(crate) fn read_indexes(root: &Path) -> Result<Vec<Index>> {
    let fingerprints = read_fingerprints(root)?;
    for name in files::names_in(&root.join("indexes"))? {
        let known = |fingerprint: &Fingerprint| path(&fingerprint.index) == format!("indexes/{name}");
        let unknown = name.starts_with("index-") && !fingerprints.iter().any(known);
        ensure!(!unknown, "indexes/{name} is not in {FINGERPRINTS}");
    }
    fingerprints
        .iter()
        .map(|fingerprint| {
            let path = path(&fingerprint.index);
            parse(&files::read(root, &path)?, fingerprint).context(path)
        })
        .collect()
}

/// Parses the index in `text`. It is an error if it differs from `fingerprint`, or if its header does.
fn parse(text: &str, fingerprint: &Fingerprint) -> Result<Index> {
    let file = parse_file(text)?;
    if fingerprint.index != RANGES
        && let Some((pointer, _)) = file.entries.last()
    {
        ensure!((*pointer as usize) < fingerprint.pointers, "pointer {pointer} is out of range");
    }
    let index = Index { name: fingerprint.index.clone(), pointers: fingerprint.pointers, entries: file.entries };

    let computed = index.identifier();
    let identifier = file.identifier.context("there is no \"# Identifier:\" line")?;
    ensure!(computed == identifier, "the entries have the Identifier {computed}, but the header says {identifier}");
    index.verify(fingerprint)?;

    let date = file.date.context("there is no \"# Date:\" line")?;
    ensure!(date == fingerprint.date, "the header says Date {date}, but {FINGERPRINTS} says {}", fingerprint.date);
    Ok(index)
}

/// Parses the resource format: lines of pointer, tab, code point and perhaps further columns of commentary; lines that
/// begin with `#`; and empty lines. An error names the line.
pub(crate) fn parse_file(text: &str) -> Result<IndexFile> {
    let mut file = IndexFile { identifier: None, date: None, entries: Vec::new() };
    for (number, line) in text.lines().enumerate() {
        if let Some(comment) = line.strip_prefix('#') {
            if let Some((key, value)) = comment.split_once(':') {
                match key.trim() {
                    "Identifier" => file.identifier = Some(value.trim().to_owned()),
                    "Date" => file.date = Some(value.trim().to_owned()),
                    _ => {}
                }
            }
        } else if !line.trim().is_empty() {
            let entry = parse_entry(line).with_context(|| format!("line {}", number + 1))?;
            let ascending = file.entries.last().is_none_or(|&(pointer, _)| pointer < entry.0);
            ensure!(ascending, "line {}: pointers do not ascend", number + 1);
            file.entries.push(entry);
        }
    }
    Ok(file)
}

/// The pointer and the code point of a line.
fn parse_entry(line: &str) -> Result<(u32, u32)> {
    let mut fields = line.split('\t').map(str::trim);
    let pointer = fields.next().context("no pointer")?;
    let pointer = pointer.parse().with_context(|| format!("{pointer:?} is not a pointer"))?;
    let code_point = fields.next().context("no code point")?;
    let scalar_value = code_point
        .strip_prefix("0x")
        .and_then(|hex| u32::from_str_radix(hex, 16).ok())
        .filter(|&number| char::from_u32(number).is_some())
        .with_context(|| format!("{code_point:?} is not a code point"))?;
    Ok((pointer, scalar_value))
}

/// The text of the file of `index`, with the Identifier and the date of `fingerprint` in its header.
pub(crate) fn format(index: &Index, fingerprint: &Fingerprint) -> String {
    let Fingerprint { identifier, date, .. } = fingerprint;
    let mut text = format!(
        "# Index {}: pointers and their code points, as \"cargo xtask derive-indexes\" found them.\n\
         # {}\n\
         #\n\
         # Identifier: {identifier}\n\
         # Date: {date}\n\
         \n",
        index.name,
        anchor(&index.name),
    );
    for (pointer, code_point) in &index.entries {
        writeln!(text, "{pointer}\t0x{code_point:04X}").expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of `[1, None, 3, None]`.
    const EXAMPLE: &str = "4c344a1d9fad01aa9c324329a6a716087a9db1b532de4a11c53c904c12ca278d";

    fn index(name: &str, pointers: usize, entries: &[(u32, u32)]) -> Index {
        Index { name: name.to_owned(), pointers, entries: entries.to_vec() }
    }

    fn example() -> Fingerprint {
        Fingerprint {
            index: "example".to_owned(),
            identifier: EXAMPLE.to_owned(),
            date: "2001-02-03".to_owned(),
            entries: 2,
            pointers: 4,
        }
    }

    fn error_of(text: &str) -> String {
        format!("{:#}", parse(text, &example()).unwrap_err())
    }

    #[test]
    fn the_identifier_counts_null_up_to_the_last_pointer() {
        assert_eq!(index("example", 4, &[(0, 1), (2, 3)]).identifier(), EXAMPLE);
    }

    #[test]
    fn the_identifier_of_ranges_is_that_of_pairs() {
        let ranges = index(RANGES, 2, &[(0, 128), (36, 165)]);
        assert_eq!(ranges.identifier(), "c602cbf6e315a88493e99e65bdba795c85c95b47b0adee95ef8a3322e2e58479");
    }

    #[test]
    fn parses_aligned_pointers_and_commentary() {
        let text = format!(
            "# For details see elsewhere\n#\n# Identifier: {EXAMPLE}\n# Date: 2001-02-03\n\n  \
             0\t0x0001\t\u{1} (<control>)\n  2\t0x0003\t# (<control>)\tmore\n"
        );
        assert_eq!(parse(&text, &example()).unwrap(), index("example", 4, &[(0, 1), (2, 3)]));
    }

    #[test]
    fn parses_what_it_formats() {
        let index = index("example", 4, &[(0, 1), (2, 3)]);
        assert_eq!(parse(&format(&index, &example()), &example()).unwrap(), index);
    }

    #[test]
    fn a_changed_entry_is_an_error() {
        let text = format(&index("example", 4, &[(0, 1), (2, 4)]), &example());
        assert!(error_of(&text).contains("but the header says"));
    }

    #[test]
    fn another_edition_is_an_error() {
        let other = index("example", 4, &[(0, 1), (2, 4)]);
        let text = format(&other, &Fingerprint { identifier: other.identifier(), ..example() });
        assert!(error_of(&text).contains(FINGERPRINTS));
    }

    #[test]
    fn an_error_names_the_line() {
        assert_eq!(error_of("# \n0\t0x41\n0\t0x42\n"), "line 3: pointers do not ascend");
        assert_eq!(error_of("0\t0x41\n1\t42\n"), "line 2: \"42\" is not a code point");
        assert_eq!(error_of("\n0\t0xD800\n"), "line 2: \"0xD800\" is not a code point");
        assert_eq!(error_of("4\t0x41\n"), "pointer 4 is out of range");
    }
}
