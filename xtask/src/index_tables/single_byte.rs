//! The tables of a single-byte encoding, in the shapes of `textcodec_core::index::{Characters, ByteTable}`.

use std::{cmp::Reverse, collections::BTreeMap};

use anyhow::{Context, Result, ensure};

use super::{
    code_points::units,
    pack::{Packed, pack},
};
use crate::{index_file::Index, rust};

/// Code points in a block.
const BLOCK: usize = 128;
/// Blocks start at multiples of this.
const ALIGN: usize = 8;
/// The start of a block that has no bytes.
const NO_BLOCK: u8 = 0xFF;

/// The facts that the tables assume, as a condition in Rust.
pub(super) fn assumptions() -> String {
    format!("ByteTable::BLOCK == {BLOCK} && ByteTable::ALIGN == {ALIGN} && ByteTable::NO_BLOCK == {NO_BLOCK}")
}

/// The windows of a single-byte `index`: the numbers of the four blocks of code points that texts use most, in that
/// order.
fn windows(index: &Index) -> [u32; 4] {
    let mut weights: BTreeMap<u32, usize> = BTreeMap::new();
    for &(_, code_point) in &index.entries {
        *weights.entry(code_point / BLOCK as u32).or_default() += weight(code_point);
    }
    let mut numbers: Vec<u32> = weights.keys().copied().collect();
    numbers.sort_by_key(|number| Reverse(weights[number]));
    // An index with fewer than four blocks has the first block twice.
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(numbers[0]))
}

/// A rough weight of a character in texts. The weights are chosen so that Vietnamese gets the four blocks that it
/// needs, of which two have few letters and tone marks each; that French and Romanian get their quotation marks; and
/// that windows-1252 and similar encodings get the euro sign before the florin sign.
fn weight(code_point: u32) -> usize {
    match code_point {
        // Unicode classifies the florin sign and these accents as letters.
        0x0192 | 0x02B0..=0x02FF | 0x037A => 1,
        0x0300..=0x036F => 10,
        // Dashes and quotation marks.
        0x2013..=0x201E => 4,
        0x20AC => 6,
        _ if char::from_u32(code_point).is_some_and(char::is_alphabetic) => 10,
        _ => 1,
    }
}

/// The table for decoding a single-byte encoding.
pub(super) fn code_points(index: &Index) -> Result<String> {
    ensure!(index.pointers == 128, "an index of {} pointers is not single-byte", index.pointers);
    let value = format!("Characters::new(\n    [\n{}    ],\n)", rust::field(&units(index, &mut |_| None)?));
    Ok(rust::static_item("Code points by byte.", "CODE_POINTS", "Characters", &value))
}

/// The table for encoding a single-byte encoding.
pub(super) fn bytes(index: &Index) -> Result<String> {
    let packed = pack_bytes(index);
    let mut by_code_point: Vec<u8> = packed
        .starts
        .iter()
        .map(|start| start.map_or(Ok(NO_BLOCK), |start| u8::try_from(start / ALIGN)))
        .collect::<Result<_, _>>()
        .context("a block starts too late")?;
    // The block of ASCII. It may have any number, because ASCII is never looked up.
    by_code_point[0] = 0;
    let blocks = by_code_point.len();
    ensure!(packed.values.len() <= usize::from(NO_BLOCK) * ALIGN, "a block that is nowhere is among the others");
    by_code_point.extend(packed.values);
    let value = format!(
        "ByteTable::new(
    &CODE_POINTS,
    {:?},
    {blocks},
    [
{}    ],
)",
        windows(index),
        rust::field(&by_code_point),
    );
    let shape = format!("ByteTable<[u8; {}]>", by_code_point.len());
    Ok(rust::static_item("Bytes by code point.", "BYTES", &shape, &value))
}

/// Bytes by code point, in blocks.
fn pack_bytes(index: &Index) -> Packed<u8> {
    let mut bytes = BTreeMap::new();
    for &(pointer, code_point) in &index.entries {
        bytes.entry(code_point).or_insert(0x80 + pointer as u8);
    }
    pack(&bytes, 0, BLOCK, ALIGN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{files, index_file};

    /// The byte of `code_point` in a packed table.
    fn look_up(packed: &Packed<u8>, code_point: u32) -> Option<u8> {
        let start = (*packed.starts.get(code_point as usize / BLOCK)?)?;
        Some(packed.values[start + code_point as usize % BLOCK]).filter(|&byte| byte != 0)
    }

    #[test]
    fn every_code_point_finds_its_byte() {
        let mut indexes = index_file::read_indexes(files::root()).unwrap();
        indexes.retain(|index| index.pointers == 128);
        for index in indexes {
            let packed = pack_bytes(&index);
            for code_point in 0..=0x10_FFFF {
                let first = index.entries.iter().find(|entry| entry.1 == code_point);
                let expected = first.map(|entry| 0x80 + entry.0 as u8);
                assert_eq!(look_up(&packed, code_point), expected, "{} U+{code_point:04X}", index.name);
            }
        }
    }
}
