//! The tables of a single-byte encoding, in the shapes of `textcodec_core::index::{Characters, ByteTable}`.

use std::{cmp::Reverse, collections::BTreeMap};

use anyhow::{Context, Result, ensure};

use super::{
    code_points::units,
    pack::{Packed, pack},
};
use crate::{index_file::Index, rust};

/// Code points in a block.
const BLOCK: usize = 64;
/// Code points in a window.
const WINDOW: usize = 2 * BLOCK;
/// Blocks start at multiples of this.
const ALIGN: usize = 4;
/// A table has less than this many blocks: their number is a byte.
const BLOCKS: u32 = 0xFF;
/// The start of a block that has no bytes.
const NO_BLOCK: u8 = 0xFF;
/// The characters of a block are rare, and are listed one by one, if there are at most this many, each with the least
/// weight in texts. A block takes about 30 bytes, and an entry of the list three.
const RARE: usize = 8;

/// The facts that the tables assume, as a condition in Rust.
pub(super) fn assumptions() -> String {
    format!(
        "ByteTable::BLOCK == {BLOCK} && ByteTable::WINDOW == {WINDOW} && ByteTable::ALIGN == {ALIGN} && ByteTable::NO_BLOCK == {NO_BLOCK}"
    )
}

/// The windows of a single-byte `index`: the numbers of the four windows of code points that texts use most, in that
/// order. A window whose characters may all be [`RARE`] is none of them.
pub(crate) fn windows(index: &Index) -> [u32; 4] {
    let mut weights: BTreeMap<u32, usize> = BTreeMap::new();
    for &(_, code_point) in &index.entries {
        *weights.entry(code_point / WINDOW as u32).or_default() += weight(code_point);
    }
    weights.retain(|number, _| {
        let blocks = [2 * number, 2 * number + 1];
        blocks[1] < BLOCKS && !blocks.iter().all(|&block| may_be_rare(index, block))
    });
    let mut numbers: Vec<u32> = weights.keys().copied().collect();
    numbers.sort_by_key(|number| Reverse(weights[number]));
    // An index with fewer than four windows has the first window twice. The first window is any if there is none.
    let first = numbers.first().copied().unwrap_or(1);
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(first))
}

/// Whether the characters of the block with this `number` are few, and all of weight 1.
fn may_be_rare(index: &Index, number: u32) -> bool {
    let code_points =
        index.entries.iter().map(|entry| entry.1).filter(|code_point| code_point / BLOCK as u32 == number);
    code_points.clone().count() <= RARE && code_points.map(weight).all(|weight| weight == 1)
}

/// Whether the characters of the block with this `number` are rare. All characters after the last block are, for
/// example the presentation forms of Arabic.
fn is_rare(index: &Index, windows: [u32; 4], number: u32) -> bool {
    number >= BLOCKS || !windows.contains(&(number * BLOCK as u32 / WINDOW as u32)) && may_be_rare(index, number)
}

/// A rough weight of a character in texts. The weights are chosen so that Vietnamese gets the four blocks that it
/// needs, of which two have few letters and tone marks each; that French and Romanian get their quotation marks; and
/// that windows-1252 and similar encodings get the euro sign before the florin sign. Characters of weight 1 may be
/// [`RARE`], which no-break spaces, the marks for the direction of text in Hebrew and, in Russian texts, numero signs
/// are not.
fn weight(code_point: u32) -> usize {
    match code_point {
        // Unicode classifies the florin sign, these accents and ligatures as letters. U+2015 is a bar, and no dash.
        0x0192 | 0x02B0..=0x02FF | 0x037A | 0xFB01 | 0xFB02 | 0x2015 => 1,
        0x0300..=0x036F => 10,
        // Dashes and quotation marks.
        0x2013..=0x201E => 4,
        0x20AC => 6,
        0x00A0 | 0x200E | 0x200F | 0x2116 => 2,
        _ if char::from_u32(code_point).is_some_and(char::is_alphabetic) => 10,
        _ => 1,
    }
}

/// The table for decoding a single-byte encoding.
pub(super) fn code_points(index: &Index) -> Result<String> {
    code_points_called("CODE_POINTS", index)
}

/// The table for decoding, as a static with this name.
pub(crate) fn code_points_called(name: &str, index: &Index) -> Result<String> {
    ensure!(index.pointers == 128, "an index of {} pointers is not single-byte", index.pointers);
    let value = format!("Characters::new(\n    [\n{}    ],\n)", rust::field(&units(index, &mut |_| None)?));
    Ok(rust::static_item("Code points by byte.", name, "Characters", &value))
}

/// The table for encoding a single-byte encoding.
pub(super) fn bytes(index: &Index) -> Result<String> {
    bytes_called("BYTES", "CODE_POINTS", index)
}

/// The table for encoding, as a static with this name. `code_points` is the name of the table for decoding.
pub(crate) fn bytes_called(name: &str, code_points: &str, index: &Index) -> Result<String> {
    let windows = windows(index);
    let (packed, rare) = pack_bytes(index, |block| is_rare(index, windows, block));
    let mut by_code_point: Vec<u8> = packed
        .starts
        .iter()
        .map(|start| start.map_or(Ok(NO_BLOCK), |start| u8::try_from(start / ALIGN)))
        .collect::<Result<_, _>>()
        .context("a block starts too late")?;
    // The blocks of ASCII. They may start anywhere, because ASCII is never looked up.
    by_code_point.resize(by_code_point.len().max(WINDOW / BLOCK), NO_BLOCK);
    by_code_point[..WINDOW / BLOCK].fill(if packed.values.is_empty() { NO_BLOCK } else { 0 });
    let blocks = by_code_point.len();
    by_code_point.extend(packed.values);
    for (&code_point, &byte) in &rare {
        let code_point = u16::try_from(code_point).context("a character is not in plane 0")?;
        by_code_point.extend(code_point.to_le_bytes().into_iter().chain([byte]));
    }
    ensure!(
        by_code_point.len() - blocks <= usize::from(NO_BLOCK) * ALIGN,
        "a block that is nowhere is among the others"
    );
    let value = format!(
        "ByteTable::new(
    &{code_points},
    {windows:?},
    {blocks},
    {},
    [
{}    ],
)",
        rare.len(),
        rust::field(&by_code_point),
    );
    let shape = format!("ByteTable<[u8; {}]>", by_code_point.len());
    Ok(rust::static_item("Bytes by code point.", name, &shape, &value))
}

/// Bytes by code point: in blocks, and those of the blocks that are rare.
fn pack_bytes(index: &Index, is_rare: impl Fn(u32) -> bool) -> (Packed<u8>, BTreeMap<u32, u8>) {
    let mut bytes = BTreeMap::new();
    for &(pointer, code_point) in &index.entries {
        bytes.entry(code_point).or_insert(0x80 + pointer as u8);
    }
    let (rare, bytes) = bytes.into_iter().partition(|&(code_point, _)| is_rare(code_point / BLOCK as u32));
    (pack(&bytes, 0, BLOCK, ALIGN), rare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{files, index_file};

    /// The byte of `code_point` in a packed table.
    fn look_up((packed, rare): &(Packed<u8>, BTreeMap<u32, u8>), code_point: u32) -> Option<u8> {
        if let Some(&byte) = rare.get(&code_point) {
            return Some(byte);
        }
        let start = (*packed.starts.get(code_point as usize / BLOCK)?)?;
        Some(packed.values[start + code_point as usize % BLOCK]).filter(|&byte| byte != 0)
    }

    #[test]
    fn every_code_point_finds_its_byte() {
        let mut indexes = index_file::read_indexes(files::root()).unwrap();
        indexes.retain(|index| index.pointers == 128);
        for index in indexes {
            let packed = pack_bytes(&index, |block| block % 3 == 0);
            let mut bytes = vec![None; 0x11_0000];
            for &(pointer, code_point) in index.entries.iter().rev() {
                bytes[code_point as usize] = Some(0x80 + pointer as u8);
            }
            for (code_point, expected) in (0..).zip(bytes) {
                assert_eq!(look_up(&packed, code_point), expected, "{} U+{code_point:04X}", index.name);
            }
        }
    }
}
