//! Packs a table from code points to values. The table is cut into blocks; equal blocks are stored once, empty blocks
//! are not stored, and a block may begin inside the end of another block.

use std::{cmp::Reverse, collections::BTreeMap};

/// A table in blocks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packed<T> {
    /// For each block of code points from U+0000 on, its start in `values`; `None` if the block is empty. The list ends
    /// with the block of the last code point that has a value.
    pub(super) starts: Vec<Option<usize>>,
    /// The values by code point within a block.
    pub(super) values: Vec<T>,
}

/// Packs `values`, by code point, in blocks of `block` code points that start at multiples of `align`. A code point
/// without a value gets `none`. The result depends on the arguments only, so it is the same on every machine.
pub(super) fn pack<T: Copy + Ord>(values: &BTreeMap<u32, T>, none: T, block: usize, align: usize) -> Packed<T> {
    assert!(block.is_multiple_of(align), "blocks of {block} cannot overlap in steps of {align}");
    let blocks = cut(values, none, block);
    let is_empty = |block: &[T]| block.iter().all(|&value| value == none);
    let mut distinct = blocks.clone();
    distinct.retain(|block| !is_empty(block));
    distinct.sort_unstable();
    distinct.dedup();

    let mut packed = Packed { starts: Vec::new(), values: Vec::new() };
    let mut start_of = vec![0; distinct.len()];
    for (number, overlap) in chain(&distinct, align) {
        start_of[number] = packed.values.len() - overlap;
        packed.values.extend_from_slice(&distinct[number][overlap..]);
    }
    for block in &blocks {
        packed.starts.push(distinct.binary_search(block).ok().map(|number| start_of[number]));
    }
    packed
}

/// The whole table in blocks, up to the block of the last code point that has a value.
fn cut<T: Copy>(values: &BTreeMap<u32, T>, none: T, block: usize) -> Vec<Vec<T>> {
    let count = values.last_key_value().map_or(0, |(&last, _)| last as usize / block + 1);
    let mut blocks = vec![vec![none; block]; count];
    for (&code_point, &value) in values {
        blocks[code_point as usize / block][code_point as usize % block] = value;
    }
    blocks
}

/// An order of `blocks` in which neighbours overlap much: the number of each block, and how many of its first values
/// equal the last values of the block before it.
///
/// The algorithm is greedy: pairs with the longest overlap become neighbours first, if both blocks still have that side
/// free.
fn chain<T: PartialEq>(blocks: &[Vec<T>], align: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (first, before) in blocks.iter().enumerate() {
        for (second, after) in blocks.iter().enumerate() {
            let overlap = longest_overlap(before, after, align);
            if first != second && overlap > 0 {
                pairs.push((Reverse(overlap), first, second));
            }
        }
    }
    pairs.sort_unstable();

    let mut next = vec![None; blocks.len()];
    let mut has_previous = vec![false; blocks.len()];
    // For the last block of a chain of neighbours: the first block of the chain.
    let mut first_of: Vec<usize> = (0..blocks.len()).collect();
    // For the first block of a chain of neighbours: the last block of the chain.
    let mut last_of: Vec<usize> = (0..blocks.len()).collect();
    for (Reverse(overlap), first, second) in pairs {
        let closes_a_circle = first_of[first] == second;
        if next[first].is_some() || has_previous[second] || closes_a_circle {
            continue;
        }
        next[first] = Some((second, overlap));
        has_previous[second] = true;
        let (start, end) = (first_of[first], last_of[second]);
        last_of[start] = end;
        first_of[end] = start;
    }

    let mut order = Vec::new();
    for start in (0..blocks.len()).filter(|&number| !has_previous[number]) {
        let mut place = Some((start, 0));
        while let Some((number, overlap)) = place {
            order.push((number, overlap));
            place = next[number];
        }
    }
    order
}

/// The greatest number `n` for which the last `n` values of `before` equal the first `n` values of `after`. `n` is a
/// multiple of `align` and less than the length of `before`.
fn longest_overlap<T: PartialEq>(before: &[T], after: &[T], align: usize) -> usize {
    let lengths = (0..before.len()).step_by(align).rev();
    lengths.into_iter().find(|&length| before.ends_with(&after[..length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of `code_point` in the packed table.
    fn look_up(packed: &Packed<u16>, code_point: u32, none: u16, block: usize) -> Option<u16> {
        let start = (*packed.starts.get(code_point as usize / block)?)?;
        Some(packed.values[start + code_point as usize % block]).filter(|&value| value != none)
    }

    fn assert_round_trip(values: &BTreeMap<u32, u16>, block: usize, align: usize) {
        let packed = pack(values, 0xFFFF, block, align);
        assert!(packed.starts.iter().flatten().all(|start| start.is_multiple_of(align)));
        for code_point in 0..=0x11_0000 {
            let found = look_up(&packed, code_point, 0xFFFF, block);
            assert_eq!(found, values.get(&code_point).copied(), "U+{code_point:04X} in blocks of {block}");
        }
    }

    /// A table with dense, sparse and repetitive parts, up to the last code point.
    fn example() -> BTreeMap<u32, u16> {
        let dense = (0x80..0x1234).map(|code_point| (code_point, (code_point * 7 % 1000) as u16));
        let sparse = (0x4E00..0x9FFF).step_by(37).map(|code_point| (code_point, (code_point % 11) as u16));
        let repetitive = (0xAC00..0xD7A4).map(|code_point| (code_point, (code_point % 32 / 5) as u16));
        dense.chain(sparse).chain(repetitive).chain([(0x10_FFFF, 1)]).collect()
    }

    #[test]
    fn every_code_point_finds_its_value() {
        for (block, align) in [(8, 1), (16, 1), (32, 8), (64, 1), (64, 64)] {
            assert_round_trip(&example(), block, align);
        }
        assert_round_trip(&BTreeMap::new(), 32, 1);
    }

    #[test]
    fn equal_blocks_are_kept_once_and_ends_overlap() {
        let values: BTreeMap<u32, u16> = [(3, 1), (4, 2), (11, 1), (16, 3)].into();
        let packed = pack(&values, 0, 4, 1);
        // Blocks 0 and 2 are the same, block 3 is empty, and the end of block 1 begins block 0.
        assert_eq!((packed.starts[0], packed.starts[3]), (packed.starts[2], None));
        assert_eq!(packed.values.len(), 9);
    }

    #[test]
    fn blocks_past_the_last_value_are_cut() {
        assert_eq!(pack(&[(40, 1)].into(), 0, 16, 1).starts.len(), 3);
    }
}
