//! The mapping files: what sequences of bytes mean, and to which bytes characters are encoded.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::files;

/// The greatest number of code points in a line of a mapping file.
const LINE: usize = 16;

/// Code points by bytes, and bytes by code point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) decoded: BTreeMap<Vec<u8>, Vec<u32>>,
    /// The bytes of every code point that can be encoded alone.
    pub(super) encoded: BTreeMap<u32, Vec<u8>>,
}

impl Mapping {
    /// The bytes of each code point if nothing says otherwise: the shortest sequence, and of these the first one.
    fn usual(&self) -> BTreeMap<u32, Vec<u8>> {
        let mut order: Vec<_> = self.decoded.iter().filter(|(_, code_points)| code_points.len() == 1).collect();
        order.sort_by_key(|(bytes, _)| (bytes.len(), (*bytes).clone()));
        let mut usual = BTreeMap::new();
        for (bytes, code_points) in order {
            usual.entry(code_points[0]).or_insert_with(|| bytes.clone());
        }
        usual
    }

    /// Forgets bytes that are decoded to another character than the one that a source encodes to them.
    pub(super) fn forget_best_fits(&mut self) {
        let usual = self.usual();
        let decoded = &self.decoded;
        let is_same = |code_point: u32, bytes: &Vec<u8>| decoded.get(bytes).is_some_and(|of| of[..] == [code_point]);
        self.encoded.retain(|code_point, bytes| is_same(*code_point, bytes) || usual.contains_key(code_point));
        for (code_point, bytes) in &mut self.encoded {
            if !is_same(*code_point, bytes) {
                bytes.clone_from(&usual[code_point]);
            }
        }
    }

    /// The lines with entries.
    fn lines(&self) -> String {
        let mut text = String::new();
        let mut next: Option<Vec<u8>> = None;
        let mut in_line = 0;
        for (bytes, code_points) in &self.decoded {
            if next.as_ref() == Some(bytes) && in_line < LINE {
                text.push(' ');
                in_line += 1;
            } else {
                if next.is_some() {
                    text.push('\n');
                }
                write!(text, "{}\t", hex(bytes)).expect("a String takes everything");
                in_line = 1;
            }
            let code_points: Vec<String> = code_points.iter().map(|code_point| format!("{code_point:04X}")).collect();
            text.push_str(&code_points.join("+"));
            let mut after = bytes.clone();
            let last = after.last_mut().expect("a sequence has a byte");
            *last = last.wrapping_add(1);
            next = Some(after);
        }
        text.push('\n');
        let usual = self.usual();
        let all: BTreeSet<u32> = usual.keys().chain(self.encoded.keys()).copied().collect();
        for code_point in all {
            let bytes = self.encoded.get(&code_point);
            if bytes != usual.get(&code_point) {
                let bytes = bytes.map_or("-".to_owned(), |bytes| hex(bytes));
                writeln!(text, ">{code_point:04X}\t{bytes}").expect("a String takes everything");
            }
        }
        text
    }

    fn identifier(&self) -> String {
        let digest = Sha256::digest(self.lines());
        digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }

    /// The text of the mapping file.
    pub(super) fn text(&self, name: &str, witnesses: &[String]) -> String {
        format!(
            "# Charset {}: bytes and the code points of them and of the next bytes; after \">\", code points and their\n\
             # bytes where several bytes or none have the code point. Written by \"cargo xtask derive-charsets\".\n\
             #\n\
             # Identifier: {}\n\
             # Witnesses: {}\n\n{}",
            name,
            self.identifier(),
            witnesses.join(", "),
            self.lines()
        )
    }

    /// Parses the lines that sources and mapping files have.
    pub(super) fn parse(text: &str) -> Result<Mapping> {
        let mut mapping = Mapping::default();
        let mut encoded = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (first, rest) = line.split_once(['\t', ' ']).with_context(|| format!("{line:?} has one field"))?;
            if let Some(code_point) = first.strip_prefix('>') {
                let bytes = if rest == "-" { None } else { Some(bytes(rest)?) };
                encoded.insert(u32::from_str_radix(code_point, 16)?, bytes);
                continue;
            }
            let mut sequence = bytes(first)?;
            for code_points in rest.split(' ') {
                let code_points = code_points.split('+').map(|hex| u32::from_str_radix(hex, 16));
                mapping.decoded.insert(sequence.clone(), code_points.collect::<Result<_, _>>()?);
                let last = sequence.last_mut().context("no bytes")?;
                *last = last.wrapping_add(1);
            }
        }
        mapping.encoded = mapping.usual();
        for (code_point, bytes) in encoded {
            match bytes {
                Some(bytes) => mapping.encoded.insert(code_point, bytes),
                None => mapping.encoded.remove(&code_point),
            };
        }
        Ok(mapping)
    }
}

/// Reads a mapping file.
pub(super) fn read(root: &Path, path: &str) -> Result<Mapping> {
    let text = files::read(root, path)?;
    let mapping = Mapping::parse(&text).with_context(|| path.to_owned())?;
    let identifier = text.lines().find_map(|line| line.strip_prefix("# Identifier: "));
    ensure!(
        identifier == Some(mapping.identifier().as_str()),
        "{path}: the entries have the Identifier {}, but the header says {identifier:?}",
        mapping.identifier()
    );
    Ok(mapping)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02X}"))
}

pub(super) fn bytes(hex: &str) -> Result<Vec<u8>> {
    ensure!(hex.len().is_multiple_of(2) && hex.is_ascii(), "{hex} is no sequence of bytes");
    (0..hex.len() / 2).map(|at| Ok(u8::from_str_radix(&hex[2 * at..2 * at + 2], 16)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_of_pairs_is_read_as_it_was_written() {
        let decoded =
            [(vec![0x41], vec![0x41]), (vec![0x81, 0x40], vec![0x3000]), (vec![0x81, 0x41], vec![0x304B, 0x309A])];
        let mut mapping = Mapping { decoded: decoded.into_iter().collect(), encoded: BTreeMap::new() };
        mapping.encoded.insert(0x3000, vec![0x81, 0x40]);
        mapping.encoded.insert(0xA5, vec![0x5C]);
        assert_eq!(mapping.lines(), "41\t0041\n8140\t3000 304B+309A\n>0041\t-\n>00A5\t5C\n");
        assert_eq!(Mapping::parse(&mapping.lines()).unwrap(), mapping);
    }
}
