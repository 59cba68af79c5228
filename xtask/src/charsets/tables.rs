//! Which tables a charset becomes.
//!
//! A charset with ASCII at its usual bytes gets the two tables that the Standard's single-byte encodings have, or
//! shares them with one of those encodings. Any other charset is a *page*: 256 bytes say which byte of an ASCII-based
//! table has the same character. Many pages share one such table, a *repertoire*: twelve EBCDIC pages are permutations
//! of Latin-1. Characters for which a repertoire has no place are exceptions of the page.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use super::mapping::{BYTES, Mapping, Table};
use crate::index_file::Index;

/// The number of bytes after ASCII.
const UPPER: usize = 128;
/// A page extends the repertoire of another page if it adds at most this many characters.
const EXTENSION: usize = 64;

/// A table of characters that are not ASCII.
pub(super) struct Repertoire {
    /// The Standard's index, or the charset, from which the repertoire comes.
    pub(super) name: String,
    /// Whether the table is that of one of the Standard's encodings.
    pub(super) is_standard: bool,
    /// The code points of the bytes 0x80 to 0xFF.
    pub(super) code_points: Vec<Option<u32>>,
    /// Whether pages can still add characters.
    is_open: bool,
    /// The families that use the table.
    pub(super) families: BTreeSet<String>,
}

/// A charset as a page.
pub(super) struct Page {
    /// The byte of the repertoire for each byte.
    pub(super) bytes: [u8; BYTES],
    /// Bytes whose characters are not in the repertoire, with these characters.
    pub(super) exceptions: Vec<(u8, u16)>,
    /// Whether ASCII is at its usual bytes.
    pub(super) has_ascii: bool,
}

/// The tables of a charset.
pub(super) struct Tables {
    /// The number of the repertoire.
    pub(super) repertoire: usize,
    /// `None` if the charset is the repertoire itself.
    pub(super) page: Option<Page>,
}

/// The repertoires, and the tables of each of `mappings`.
pub(super) fn tables(standard: &[Index], mappings: &[Mapping]) -> Result<(Vec<Repertoire>, Vec<Tables>)> {
    let mut repertoires: Vec<Repertoire> = standard
        .iter()
        .filter(|index| index.pointers == UPPER)
        .map(|index| Repertoire {
            name: index.name.clone(),
            is_standard: true,
            code_points: index.code_points(),
            is_open: false,
            families: BTreeSet::new(),
        })
        .collect();
    let mut all: Vec<Option<Tables>> = mappings.iter().map(|_| None).collect();
    for (mapping, tables) in mappings.iter().zip(&mut all).filter(|(mapping, _)| is_ascii_based(&mapping.table)) {
        let upper = &mapping.table[UPPER..];
        let known = repertoires.iter().position(|repertoire| repertoire.code_points == upper);
        let repertoire = known.unwrap_or_else(|| {
            repertoires.push(Repertoire {
                name: mapping.row.name.clone(),
                is_standard: false,
                code_points: upper.to_vec(),
                is_open: false,
                families: BTreeSet::new(),
            });
            repertoires.len() - 1
        });
        repertoires[repertoire].families.insert(mapping.row.family.clone());
        *tables = Some(Tables { repertoire, page: None });
    }
    // Pages with many characters come first, so that others fit into their repertoires.
    let mut order: Vec<usize> = (0..mappings.len()).filter(|&number| all[number].is_none()).collect();
    order.sort_by_key(|&number| (usize::MAX - characters(&mappings[number].table).len(), number));
    let mut of_pages = Vec::new();
    for number in order {
        let mapping = &mappings[number];
        let repertoire = repertoire(&mut repertoires, mapping);
        repertoires[repertoire].families.insert(mapping.row.family.clone());
        of_pages.push((number, repertoire));
    }
    // Only now no repertoire is extended any more.
    for (number, repertoire) in of_pages {
        let mapping = &mappings[number];
        let page = page(&repertoires[repertoire], mapping).with_context(|| mapping.row.name.clone())?;
        all[number] = Some(Tables { repertoire, page: Some(page) });
    }
    let all = all.into_iter().collect::<Option<_>>().context("a charset has no tables")?;
    Ok((repertoires, all))
}

/// Whether ASCII, and only ASCII, is at the lower bytes, and no character has two bytes.
fn is_ascii_based(table: &Table) -> bool {
    let is_ascii = (0..).zip(&table[..UPPER]).all(|(byte, code_point)| *code_point == Some(byte));
    let upper: Vec<u32> = table[UPPER..].iter().flatten().copied().collect();
    is_ascii && upper.iter().all(|code_point| *code_point >= 0x80) && upper.len() == characters(table).len()
}

/// The characters that are not ASCII.
fn characters(table: &Table) -> BTreeSet<u32> {
    table.iter().flatten().copied().filter(|code_point| *code_point >= 0x80).collect()
}

/// The number of the repertoire for a page: one that has its characters, one that is extended, or a new one. A page
/// with bytes that mean nothing needs a place that means nothing.
fn repertoire(repertoires: &mut Vec<Repertoire>, mapping: &Mapping) -> usize {
    let mut characters = characters(&mapping.table);
    let mut needs_gap = mapping.table.contains(&None);
    if characters.len() + usize::from(needs_gap) > UPPER {
        // The last characters are exceptions.
        needs_gap = true;
        characters = characters.into_iter().take(UPPER - 1).collect();
    }
    let has = |repertoire: &Repertoire, code_point: u32| repertoire.code_points.contains(&Some(code_point));
    let fits = |repertoire: &Repertoire| {
        characters.iter().all(|&code_point| has(repertoire, code_point))
            && (!needs_gap || repertoire.code_points.contains(&None))
    };
    // Tables of the Standard are in most programs anyway, and tables of the same family are enabled with the page.
    let cost = |repertoire: &Repertoire| match repertoire {
        Repertoire { is_standard: true, .. } => 0,
        Repertoire { families, .. } if families.contains(&mapping.row.family) => 1,
        _ => 2,
    };
    let candidates = (0..repertoires.len()).filter(|&number| fits(&repertoires[number]));
    if let Some(number) = candidates.min_by_key(|&number| (cost(&repertoires[number]), number)) {
        return number;
    }
    let added = |repertoire: &Repertoire| characters.iter().filter(|code_point| !has(repertoire, **code_point)).count();
    let gaps =
        |repertoire: &Repertoire| repertoire.code_points.iter().filter(|code_point| code_point.is_none()).count();
    let extensible = (0..repertoires.len()).filter(|&number| {
        let repertoire = &repertoires[number];
        // One gap stays.
        repertoire.is_open && added(repertoire) <= EXTENSION && added(repertoire) < gaps(repertoire)
    });
    let number = extensible.min_by_key(|&number| (cost(&repertoires[number]), added(&repertoires[number]), number));
    let number = number.unwrap_or_else(|| {
        repertoires.push(Repertoire {
            name: mapping.row.name.clone(),
            is_standard: false,
            code_points: vec![None; UPPER],
            is_open: true,
            families: BTreeSet::new(),
        });
        repertoires.len() - 1
    });
    let repertoire = &mut repertoires[number];
    for code_point in characters {
        if !has(repertoire, code_point) {
            let gap = repertoire.code_points.iter_mut().find(|place| place.is_none());
            *gap.expect("the repertoire has enough gaps") = Some(code_point);
        }
    }
    number
}

fn page(repertoire: &Repertoire, mapping: &Mapping) -> Result<Page> {
    let gap = repertoire.code_points.iter().position(Option::is_none);
    let gap = || gap.map(|place| (UPPER + place) as u8).context("a byte means nothing, and the repertoire has no gap");
    let mut page = Page { bytes: [0; BYTES], exceptions: Vec::new(), has_ascii: false };
    for (byte, code_point) in (0..=u8::MAX).zip(&mapping.table) {
        let place = |code_point| repertoire.code_points.iter().position(|place| *place == Some(code_point));
        page.bytes[usize::from(byte)] = match *code_point {
            Some(code_point @ 0..0x80) => code_point as u8,
            Some(code_point) => match place(code_point) {
                Some(place) => (UPPER + place) as u8,
                None => {
                    page.exceptions.push((byte, u16::try_from(code_point)?));
                    gap()?
                }
            },
            None => gap()?,
        };
    }
    page.has_ascii = (0..).zip(&mapping.table[..UPPER]).all(|(byte, code_point)| *code_point == Some(byte));
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{charsets::mapping, files, index_file};

    /// The character of `byte`, by the tables.
    fn look_up(tables: &Tables, repertoires: &[Repertoire], byte: u8) -> Option<u32> {
        let mut inner = byte;
        if let Some(page) = &tables.page {
            if let Some((_, unit)) = page.exceptions.iter().find(|exception| exception.0 == byte) {
                return Some((*unit).into());
            }
            inner = page.bytes[usize::from(byte)];
        }
        let upper = inner.checked_sub(0x80);
        upper.map_or(Some(inner.into()), |at| repertoires[tables.repertoire].code_points[usize::from(at)])
    }

    #[test]
    fn every_byte_of_every_charset_finds_its_character() {
        let mappings = mapping::read_all(files::root()).unwrap();
        let standard = index_file::read_indexes(files::root()).unwrap();
        let (repertoires, all) = tables(&standard, &mappings).unwrap();
        for (mapping, tables) in mappings.iter().zip(&all) {
            for byte in 0..=u8::MAX {
                let expected = mapping.table[usize::from(byte)];
                assert_eq!(look_up(tables, &repertoires, byte), expected, "{} {byte:02X}", mapping.row.name);
            }
        }
    }

    #[test]
    fn latin_1_is_the_repertoire_of_the_first_ebcdic_pages() {
        let mappings = mapping::read_all(files::root()).unwrap();
        let (repertoires, all) = tables(&[], &mappings).unwrap();
        let repertoire = |name: &str| {
            let number = mappings.iter().position(|mapping| mapping.row.name == name).unwrap();
            &repertoires[all[number].repertoire].name
        };
        for name in ["IBM037", "IBM273", "IBM500", "IBM1047"] {
            assert_eq!(repertoire(name), "ISO-8859-1", "{name}");
        }
    }
}
