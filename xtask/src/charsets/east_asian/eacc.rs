//! EACC, the East Asian set of MARC-8: 94 × 94 × 94 sequences of three bytes, most of which have no character. Its
//! mapping file, and the tables of `crates/charsets/src/eacc.rs`.
//!
//! | file in `indexes/charsets/east-asian` | contents | written by |
//! | --- | --- | --- |
//! | `mapping-eacc.txt` | sequences of bytes and their code points | `derive-charsets` |
//! | `eacc-disagreements.tsv` | each sequence at which a source differs, with the reason for the choice | hand |
//!
//! The sources are MARC::Charset (the package libmarc-charset-perl of Debian 12), YAZ (the package yaz), and pymarc
//! 5.4, which Python must find.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use anyhow::{Context, Result, ensure};

use super::{
    FOLDER,
    mapping::{self, Mapping},
};
use crate::{
    charsets::COMMAND,
    files::{self, GeneratedFile},
    rust,
};

/// The program that asks the sources.
const PYTHON: &str = include_str!("eacc.py");
/// The sources. The first one decides.
const SOURCES: [&str; 3] = ["perl", "yaz", "pymarc"];
/// The columns of `eacc-disagreements.tsv`. A sequence is bytes and their code point, or ">", a code point, and the
/// bytes to which it is encoded.
const DISAGREEMENTS: [&str; 5] = ["sequence", "here", "source", "there", "reason"];
/// The space of the Standard that the Library of Congress lists with the third byte 20: the decoder knows it.
const OTHER_SPACE: [u8; 3] = [0x21, 0x23, 0x20];
/// The first byte of a row or a column.
const FIRST: u8 = 0x21;
/// A character above plane 0 is stored without the upper bits of its code point. EACC has no other code points below
/// this one.
const FIRST_CODE_POINT: u32 = 0x3000;
/// The number of blocks of literals that an encoder searches: the number of a block is four bits.
const BLOCKS: usize = 16;
/// The bytes that a row takes in a plane of rows: a bit for each column, and the number of its first literal.
const ROW: usize = 3 * 4 + 2;
/// The bytes that the key of a character takes in a plane of keys.
const KEY: usize = 2;

fn path() -> String {
    format!("{FOLDER}/mapping-eacc.txt")
}

fn disagreements_path() -> String {
    format!("{FOLDER}/eacc-disagreements.tsv")
}

/// What a source differs at: a sequence, this and that, and the source.
type Disagreement = [String; 4];

/// Asks the sources and writes the mapping file. Fails if the sources differ at other sequences than those that
/// `eacc-disagreements.tsv` lists.
pub(crate) fn derive(root: &Path) -> Result<()> {
    let sources = SOURCES.iter().map(|source| ask(source)).collect::<Result<Vec<_>>>()?;
    let mut mapping = sources[0].clone();
    let listed: Vec<[String; 5]> = files::rows(root, &disagreements_path(), &DISAGREEMENTS)?;
    for [sequence, here, source, ..] in &listed {
        if let Some(code_point) = sequence.strip_prefix('>').filter(|_| source == SOURCES[0]) {
            mapping.encoded.insert(u32::from_str_radix(code_point, 16)?, mapping::bytes(here)?);
        }
    }
    let mut found: BTreeSet<Disagreement> = BTreeSet::new();
    for (source, other) in SOURCES.iter().zip(&sources) {
        differences(&mapping, other, source, &mut found);
    }
    let listed: BTreeSet<Disagreement> =
        listed.into_iter().map(|[sequence, here, source, there, _]| [sequence, here, source, there]).collect();
    ensure!(found == listed, "{}: the sources differ at {:?}", disagreements_path(), &found ^ &listed);
    let witnesses = SOURCES.map(str::to_owned);
    files::ensure_file_contents(&root.join(path()), &mapping.text("EACC", &witnesses), false)?;
    Ok(())
}

/// What a source has. A source without an encoder says nothing about encoding.
fn ask(source: &str) -> Result<Mapping> {
    let output = Command::new("python3").args(["-c", PYTHON, source]).output()?;
    ensure!(output.status.success(), "{source} has no EACC: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let mut mapping = Mapping::parse(&text)?;
    if !text.contains('>') {
        mapping.encoded.clear();
    }
    Ok(mapping)
}

fn differences(mapping: &Mapping, other: &Mapping, source: &str, found: &mut BTreeSet<Disagreement>) {
    let mut add = |sequence, here: Option<String>, there: Option<String>| {
        if here != there {
            let none = || "-".to_owned();
            found.insert([sequence, here.unwrap_or_else(none), source.to_owned(), there.unwrap_or_else(none)]);
        }
    };
    let all: BTreeSet<&Vec<u8>> = mapping.decoded.keys().chain(other.decoded.keys()).collect();
    let code_point = |of: &Mapping, bytes| of.decoded.get(bytes).map(|code_points| format!("{:04X}", code_points[0]));
    for bytes in all {
        add(mapping::hex(bytes), code_point(mapping, bytes), code_point(other, bytes));
    }
    for (code_point, bytes) in &other.encoded {
        let here = mapping.encoded.get(code_point).map(|bytes| mapping::hex(bytes));
        add(format!(">{code_point:04X}"), here, Some(mapping::hex(bytes)));
    }
}

/// The sources, each with the number of sequences of bytes at which it differs.
pub(crate) fn witnesses(root: &Path) -> Result<String> {
    let mut counts = [0; SOURCES.len()];
    for [sequence, _, source, ..] in files::rows(root, &disagreements_path(), &DISAGREEMENTS)? {
        let place = SOURCES.iter().position(|known| *known == source);
        counts[place.with_context(|| format!("{source} is no source of EACC"))?] +=
            usize::from(!sequence.starts_with('>'));
    }
    let title = |(place, (source, count)): (usize, (&&str, usize))| match (place, count) {
        (0, _) => format!("**{source}**"),
        (_, 0) => (*source).to_owned(),
        _ => format!("{source} ({count})"),
    };
    Ok(SOURCES.iter().zip(counts).enumerate().map(title).collect::<Vec<_>>().join(", "))
}

/// A code point as a literal: the lower 16 bits.
fn literal(code_point: u32) -> Result<u16> {
    let is_distinct = match code_point {
        FIRST_CODE_POINT..0x1_0000 => true,
        0x2_0000..0x3_0000 => code_point - 0x2_0000 < FIRST_CODE_POINT,
        _ => false,
    };
    ensure!(is_distinct, "{code_point:X} has no literal");
    Ok(code_point as u16)
}

/// The tables of a decoder.
#[derive(Default)]
struct Tables {
    /// The code points, in the order of their bytes: first those of planes of rows, then those of planes of keys.
    literals: Vec<u16>,
    /// The first byte of each plane of rows, its first row, and the number of that row among all.
    row_planes: Vec<(u8, u8, usize)>,
    /// The columns of each row that have characters, as bits.
    columns: Vec<[u32; 3]>,
    /// The number of the first literal of each row.
    starts: Vec<u16>,
    /// The first byte of each plane of keys, and the number of its first key.
    key_planes: Vec<(u8, usize)>,
    keys: Vec<u16>,
}

impl Tables {
    fn new(mapping: &Mapping) -> Result<Tables> {
        let mut planes: BTreeMap<u8, BTreeMap<(u8, u8), u16>> = BTreeMap::new();
        for (bytes, code_points) in &mapping.decoded {
            let [first, second, third] = bytes[..].try_into().context("a sequence has not three bytes")?;
            ensure!(code_points.len() == 1, "a sequence has two code points");
            if bytes[..] != OTHER_SPACE {
                planes.entry(first).or_default().insert((second, third), literal(code_points[0])?);
            }
        }
        let mut tables = Tables::default();
        let rows = |plane: &BTreeMap<(u8, u8), u16>| {
            let row = |entry: Option<(&(u8, u8), _)>| entry.map_or(0, |(&(row, _), _)| row);
            row(plane.first_key_value())..=row(plane.last_key_value())
        };
        let (of_rows, of_keys): (Vec<_>, Vec<_>) =
            planes.iter().partition(|(_, plane)| rows(plane).len() * ROW < plane.len() * KEY);
        for (&first, plane) in of_rows {
            tables.row_planes.push((first, *rows(plane).start(), tables.starts.len()));
            for row in rows(plane) {
                tables.starts.push(u16::try_from(tables.literals.len())?);
                let mut columns = [0; 3];
                for (&(_, third), &literal) in plane.range((row, 0)..=(row, u8::MAX)) {
                    let column = third.checked_sub(FIRST).context("a third byte is not in a column")?;
                    columns[usize::from(column / 32)] |= 1 << (column % 32);
                    tables.literals.push(literal);
                }
                tables.columns.push(columns);
            }
        }
        for (&first, plane) in of_keys {
            tables.key_planes.push((first, tables.keys.len()));
            tables.keys.extend(plane.keys().map(|&(second, third)| u16::from_be_bytes([second, third])));
            tables.literals.extend(plane.values());
        }
        Ok(tables)
    }

    /// The bytes of each literal, in their order.
    fn sequences(&self) -> Vec<[u8; 3]> {
        let mut sequences = Vec::new();
        for (number, columns) in self.columns.iter().enumerate() {
            let &(first, row, of_plane) =
                self.row_planes.iter().rfind(|plane| plane.2 <= number).expect("a row has a plane");
            let has = |column: &u8| columns[usize::from(column / 32)] >> (column % 32) & 1 != 0;
            let second = row + (number - of_plane) as u8;
            sequences.extend((0..94).filter(has).map(|column| [first, second, FIRST + column]));
        }
        for (number, key) in self.keys.iter().enumerate() {
            let &(first, _) = self.key_planes.iter().rfind(|plane| plane.1 <= number).expect("a key has a plane");
            let [second, third] = key.to_be_bytes();
            sequences.push([first, second, third]);
        }
        sequences
    }
}

/// The tables of an encoder: the characters as bits, and the block of literals in which each character is.
struct Inverse {
    /// The number of the page for each value of the upper eight bits of a literal, from 1 on; 0 for none.
    pages: [u8; 256],
    /// A bit for each literal of a page.
    bits: Vec<[u64; 4]>,
    /// The number of characters in the pages before.
    ranks: Vec<u16>,
    /// The blocks of two characters in a byte, that of the first one lowest.
    blocks: Vec<u8>,
    /// The number of literals in a block.
    block: usize,
}

impl Inverse {
    fn new(tables: &Tables, mapping: &Mapping) -> Result<Inverse> {
        let block = tables.literals.len().div_ceil(BLOCKS);
        let mut inverse = Inverse { pages: [0; 256], bits: Vec::new(), ranks: Vec::new(), blocks: Vec::new(), block };
        let sequences = tables.sequences();
        let places: BTreeMap<&[u8; 3], usize> = sequences.iter().zip(0..).collect();
        let characters = mapping.encoded.iter().map(|(code_point, bytes)| Ok((literal(*code_point)?, bytes)));
        let characters: BTreeMap<u16, &Vec<u8>> = characters.collect::<Result<_>>()?;
        ensure!(characters.len() == mapping.encoded.len(), "two characters have the same literal");
        for (number, (&literal, bytes)) in characters.iter().enumerate() {
            let bytes: [u8; 3] = bytes[..].try_into().context("a character has not three bytes")?;
            let place = *places.get(&bytes).with_context(|| format!("{bytes:X?} has no literal"))?;
            let number_in_block = place / block;
            let found = tables.literals[number_in_block * block..].iter().position(|other| *other == literal);
            ensure!(found == Some(place % block), "{literal:X} is twice in a block");
            let [page, low] = literal.to_be_bytes();
            let page = &mut inverse.pages[usize::from(page)];
            if *page == 0 {
                inverse.bits.push([0; 4]);
                inverse.ranks.push(number as u16);
                *page = u8::try_from(inverse.bits.len())?;
            }
            inverse.bits[usize::from(*page) - 1][usize::from(low / 64)] |= 1 << (low % 64);
            match number % 2 {
                0 => inverse.blocks.push(number_in_block as u8),
                _ => *inverse.blocks.last_mut().context("a byte has two blocks")? |= (number_in_block as u8) << 4,
            }
        }
        Ok(inverse)
    }
}

/// The file with the tables.
pub(crate) fn generated_file(root: &Path, file: &str) -> Result<GeneratedFile> {
    let mapping = mapping::read(root, &path())?;
    let tables = Tables::new(&mapping)?;
    let inverse = Inverse::new(&tables, &mapping)?;
    let words = |columns: &[u32; 3]| format!("[{}]", rust::hex(columns).join(", "));
    let pages = |bits: &[u64; 4]| format!("[{}]", rust::hex(bits).join(", "));
    let row_plane = |&(first, row, number): &(u8, u8, usize)| format!("(0x{first:02X}, 0x{row:02X}, {number})");
    let key_plane = |&(first, number): &(u8, usize)| format!("(0x{first:02X}, {number})");
    let list = |per_line, items: Vec<String>| format!("&[\n{}    ]", rust::lines(2, per_line, &items));
    let decode = format!(
        "Tables {{\n    literals: {},\n    row_planes: {},\n    columns: {},\n    starts: {},\n    key_planes: {},\n    \
         keys: {},\n}}",
        list(16, rust::hex(&tables.literals)),
        list(6, tables.row_planes.iter().map(row_plane).collect()),
        list(3, tables.columns.iter().map(words).collect()),
        list(16, rust::hex(&tables.starts)),
        list(8, tables.key_planes.iter().map(key_plane).collect()),
        list(16, rust::hex(&tables.keys)),
    );
    let encode = format!(
        "Inverse {{\n    pages: {},\n    bits: {},\n    ranks: {},\n    blocks: {},\n    block: {},\n}}",
        list(16, rust::hex(&inverse.pages)),
        list(1, inverse.bits.iter().map(pages).collect()),
        list(16, rust::hex(&inverse.ranks)),
        list(16, rust::hex(&inverse.blocks)),
        inverse.block,
    );
    let text = format!(
        "{}{}.\n//! The tables of EACC.\n\n#[cfg(feature = \"encode\")]\nuse crate::eacc::Inverse;\nuse \
         crate::eacc::Tables;\n\n{}\n#[cfg(feature = \"encode\")]\n{}",
        files::generated_by(COMMAND),
        path(),
        rust::static_item("The tables of the decoder.", "TABLES", "Tables", &decode),
        rust::static_item("The tables of the encoder.", "INVERSE", "Inverse", &encode),
    );
    Ok(GeneratedFile { path: file.to_owned(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_eacc_have_each_sequence_of_the_mapping_and_take_less_than_60_kb() {
        let mapping = mapping::read(files::root(), &path()).unwrap();
        let tables = Tables::new(&mapping).unwrap();
        let sequences = tables.sequences();
        // All but the second space.
        assert_eq!((sequences.len(), mapping.decoded.len()), (15_738, 15_739));
        for (bytes, &literal) in sequences.iter().zip(&tables.literals) {
            assert_eq!(mapping.decoded[&bytes.to_vec()][0] as u16, literal, "{bytes:X?}");
        }
        let inverse = Inverse::new(&tables, &mapping).unwrap();
        let size = 2 * (tables.literals.len() + tables.starts.len() + tables.keys.len() + inverse.ranks.len())
            + 12 * tables.columns.len()
            + 32 * inverse.bits.len()
            + inverse.pages.len()
            + inverse.blocks.len();
        assert!(size < 60_000, "{size}");
    }
}
