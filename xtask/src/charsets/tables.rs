//! Which tables the single-byte charsets of a family become: those of `textcodec_core::index::Pages`.
//!
//! A *root* is a page that is stored as numbers of blocks of sixteen code units, and equal blocks are stored once. Any
//! other page is stored as its differences from a root. A page becomes a root if that is smaller.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::mapping::{BYTES, Mapping, Table};
use crate::{index_file::Index, index_tables::single_byte};

/// The number of bytes of a block.
pub(super) const BLOCK: usize = 16;
/// The entry for a byte without a character.
const NULL: u16 = 0xFFFD;
/// A page has at most this many patches, because a table for kernels is made with them at each call.
const MOST_PATCHES: usize = 100;
/// The number of bytes that a patch takes.
const PATCH: usize = 3;
/// The number of a page is less than this: a selector has one bit more.
const PAGES: usize = 128;

/// The code units of sixteen bytes.
pub(super) type Block = [u16; BLOCK];

/// The tables of a family.
pub(super) struct Tables {
    pub(super) blocks: Vec<Block>,
    /// The numbers of blocks.
    pub(super) roots: Vec<[u8; BYTES / BLOCK]>,
    pub(super) pages: Vec<Page>,
    /// Numbers of pages and bytes to which no character is encoded, because a higher byte has the character.
    pub(super) decode_only: Vec<[u8; 2]>,
}

/// A charset as a page.
pub(super) struct Page {
    /// The number of the root.
    pub(super) root: u8,
    /// The bytes at which the page differs from the root, with their code units.
    pub(super) patches: Vec<(u8, u16)>,
    /// The name of the kind in `single_byte::kind` of `crates/charsets`.
    pub(super) kind: &'static str,
    pub(super) windows: [u32; 4],
    /// Whether byte 15 is U+0085 and 25 a line feed, in a page without ASCII.
    pub(super) has_line_ends: bool,
}

/// The code units of the bytes.
fn units(table: &Table) -> Result<[u16; BYTES]> {
    let mut units = [NULL; BYTES];
    for (unit, code_point) in units.iter_mut().zip(table) {
        if let Some(code_point) = *code_point {
            *unit = u16::try_from(code_point).context("a character is not in plane 0")?;
        }
    }
    Ok(units)
}

fn blocks(units: &[u16; BYTES]) -> impl Iterator<Item = Block> + '_ {
    units.chunks_exact(BLOCK).map(|block| block.try_into().expect("a chunk has the length of a block"))
}

fn patches(units: &[u16; BYTES], root: &[u16; BYTES]) -> Vec<(u8, u16)> {
    (0..=u8::MAX)
        .zip(units.iter().zip(root))
        .filter(|(_, (unit, of))| unit != of)
        .map(|(at, (&unit, _))| (at, unit))
        .collect()
}

/// The place of the root of each page.
fn choose_roots(pages: &[[u16; BYTES]]) -> Vec<usize> {
    let mut counts: BTreeMap<Block, usize> = BTreeMap::new();
    pages.iter().flat_map(blocks).for_each(|block| *counts.entry(block).or_default() += 1);
    let mut roots: Vec<usize> = (0..pages.len()).collect();
    let distances: Vec<Vec<usize>> =
        pages.iter().map(|page| pages.iter().map(|root| patches(page, root).len()).collect()).collect();
    loop {
        // How much smaller the tables become if a root without other pages becomes a page of another root.
        let is_root = |page: usize| roots[page] == page;
        let is_alone = |page: usize| is_root(page) && roots.iter().filter(|&&root| root == page).count() == 1;
        let gains = (0..pages.len()).filter(|&page| is_alone(page)).filter_map(|page| {
            let others = (0..pages.len()).filter(|&root| root != page && is_root(root));
            let (patches, root) = others.map(|root| (distances[page][root], root)).min()?;
            let freed = blocks(&pages[page]).filter(|block| counts[block] == 1).count() * 2 * BLOCK + BYTES / BLOCK;
            let gain = freed.checked_sub(PATCH * patches).filter(|&gain| gain > 0 && patches <= MOST_PATCHES)?;
            Some((gain, usize::MAX - page, root))
        });
        let Some((_, page, root)) = gains.max() else { return roots };
        let page = usize::MAX - page;
        roots[page] = root;
        for block in blocks(&pages[page]) {
            *counts.entry(block).or_default() -= 1;
        }
    }
}

/// The tables of a family with these `mappings`, whose numbers are their places.
pub(super) fn tables(mappings: &[&Mapping]) -> Result<Tables> {
    ensure!(mappings.len() < PAGES, "there are more pages than numbers for them");
    let pages = mappings.iter().map(|mapping| units(&mapping.table)).collect::<Result<Vec<_>>>()?;
    let roots = choose_roots(&pages);
    let mut tables = Tables { blocks: Vec::new(), roots: Vec::new(), pages: Vec::new(), decode_only: Vec::new() };
    let mut places = BTreeMap::new();
    for place in (0..pages.len()).filter(|&page| roots[page] == page) {
        let mut numbers = [0; BYTES / BLOCK];
        for (number, block) in numbers.iter_mut().zip(blocks(&pages[place])) {
            let known = tables.blocks.iter().position(|known| *known == block);
            let at = known.unwrap_or_else(|| {
                tables.blocks.push(block);
                tables.blocks.len() - 1
            });
            *number = u8::try_from(at).context("there are more blocks than numbers for them")?;
        }
        places.insert(place, u8::try_from(tables.roots.len())?);
        tables.roots.push(numbers);
    }
    for (number, mapping) in mappings.iter().enumerate() {
        let table = &mapping.table;
        let has_ascii = (0..).zip(&table[..0x80]).all(|(byte, code_point)| *code_point == Some(byte));
        tables.pages.push(Page {
            root: places[&roots[number]],
            patches: patches(&pages[number], &pages[roots[number]]),
            kind: match (has_ascii, table[0x80..].iter().flatten().all(|code_point| *code_point >= 0x80)) {
                (true, true) if is_dense(table) => "DENSE",
                (true, true) => "ASCII",
                (true, false) => "ASCII_TWICE",
                (false, _) => "OTHER",
            },
            windows: windows(table),
            has_line_ends: !has_ascii && table[0x15] == Some(0x85) && table[0x25] == Some(0x0A),
        });
        let kept = |code_point| {
            let has = |byte: &u8| table[usize::from(*byte)] == code_point && !mapping.decode_only.contains(byte);
            (0..=u8::MAX).find(has).context("a character has no byte")
        };
        for &byte in &mapping.decode_only {
            if byte < kept(table[usize::from(byte)])? {
                tables.decode_only.push([number as u8, byte]);
            }
        }
    }
    Ok(tables)
}

/// Most characters of a text are two bytes of UTF-8 if the table has many letters of Greek, Cyrillic, Hebrew or Arabic.
fn is_dense(table: &Table) -> bool {
    const MANY: usize = 24;
    let is_letter = |code_point: &&u32| {
        (0x370..0x700).contains(*code_point) && char::from_u32(**code_point).is_some_and(char::is_alphabetic)
    };
    table[0x80..].iter().flatten().filter(is_letter).count() >= MANY
}

/// The windows of the table with which a page encodes.
fn windows(table: &Table) -> [u32; 4] {
    let characters = (0..).zip(table).filter_map(|(byte, code_point)| Some((byte, (*code_point)?)));
    let entries: Vec<_> = characters.filter(|(_, code_point)| *code_point >= 0x80).collect();
    single_byte::windows(&Index { name: String::new(), pointers: BYTES, entries })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        charsets::mapping::{self, FAMILIES},
        files,
    };

    /// The character of `byte`, by the tables.
    fn look_up(tables: &Tables, number: usize, byte: u8) -> Option<u32> {
        let page = &tables.pages[number];
        let patch = page.patches.iter().find(|patch| patch.0 == byte).map(|patch| patch.1);
        let block = tables.roots[usize::from(page.root)][usize::from(byte) / BLOCK];
        let unit = patch.unwrap_or(tables.blocks[usize::from(block)][usize::from(byte) % BLOCK]);
        (unit != NULL).then_some(unit.into())
    }

    #[test]
    fn every_byte_of_every_charset_finds_its_character_and_every_character_its_byte() {
        let mappings = mapping::read_all(files::root()).unwrap();
        for family in FAMILIES {
            let of_family: Vec<&Mapping> = mappings.iter().filter(|mapping| mapping.row.family == family).collect();
            let tables = tables(&of_family).unwrap();
            for (number, mapping) in of_family.iter().enumerate() {
                for byte in 0..=u8::MAX {
                    let expected = mapping.table[usize::from(byte)];
                    let name = &mapping.row.name;
                    assert_eq!(look_up(&tables, number, byte), expected, "{name} {byte:02X}");
                    let is_lowest = !(0..byte).any(|lower| {
                        look_up(&tables, number, lower) == expected
                            && !tables.decode_only.contains(&[number as u8, lower])
                    });
                    let is_encoded = is_lowest && !tables.decode_only.contains(&[number as u8, byte]);
                    assert!(
                        expected.is_none() || is_encoded != mapping.decode_only.contains(&byte),
                        "{name} {byte:02X}"
                    );
                }
            }
        }
    }

    #[test]
    fn variants_of_a_code_page_are_its_patches() {
        let mappings = mapping::read_all(files::root()).unwrap();
        let of_family: Vec<&Mapping> = mappings.iter().filter(|mapping| mapping.row.family == "ebcdic").collect();
        let tables = tables(&of_family).unwrap();
        let page = |name: &str| {
            let number = of_family.iter().position(|mapping| mapping.row.name == name).unwrap();
            &tables.pages[number]
        };
        // They differ in the euro sign.
        assert_eq!(page("IBM037").root, page("IBM1140").root);
        assert!(page("IBM037").patches.len().abs_diff(page("IBM1140").patches.len()) <= 1);
        assert!(tables.roots.len() < of_family.len() / 2, "{}", tables.roots.len());
    }
}
