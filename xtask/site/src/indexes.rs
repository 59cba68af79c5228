//! The indexes as the pages need them: their characters, and counts by plane and Unicode block.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use textcodec::index::{self, Index};
use unicode_blocks::find_unicode_block;

use crate::encodings::{NONE, slug};

/// An index of the Standard.
#[derive(Debug, Serialize)]
pub(crate) struct IndexData {
    /// The name in the Standard.
    pub(crate) name: &'static str,
    /// The name of its page, without extension.
    pub(crate) slug: String,
    /// The anchor of the index in the Standard.
    pub(crate) anchor: String,
    /// How many pointers have a character; of gb18030-ranges, how many ranges there are.
    pub(crate) entries: usize,
    /// How many different characters there are.
    pub(crate) characters: usize,
    /// How many characters are in each plane: the number of the plane and the count.
    pub(crate) planes: Vec<(u32, usize)>,
    /// How many characters are in each block.
    pub(crate) blocks: Vec<BlockCount>,
    /// The characters by pointer, or [`NONE`].
    #[serde(skip)]
    pub(crate) text: String,
    /// The ranges of gb18030-ranges: first pointer, first code point and length.
    pub(crate) ranges: Vec<(usize, u32, usize)>,
}

/// How much of a Unicode block an index has.
#[derive(Debug, Serialize)]
pub(crate) struct BlockCount {
    pub(crate) name: String,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) characters: usize,
}

/// The name of the index of ranges.
const RANGES: &str = "gb18030-ranges";

/// All indexes, in the order of the Standard.
pub(crate) fn all() -> Vec<IndexData> {
    index::ALL.iter().map(|&index| data(index)).collect()
}

fn data(index: Index) -> IndexData {
    let entries: Vec<(usize, char)> = index.iter().collect();
    let ranges = if index.name() == RANGES { ranges(index) } else { Vec::new() };
    let characters: BTreeSet<u32> = if ranges.is_empty() {
        entries.iter().map(|&(_, character)| character as u32).collect()
    } else {
        ranges.iter().flat_map(|&(_, first, length)| first..first + length as u32).collect()
    };
    let mut text = String::new();
    if ranges.is_empty() {
        let last = entries.last().map_or(0, |&(pointer, _)| pointer);
        text.extend((0..=last).map(|pointer| index.code_point(pointer).unwrap_or(NONE)));
    }
    let mut planes = BTreeMap::new();
    let mut blocks: BTreeMap<u32, BlockCount> = BTreeMap::new();
    for &code_point in &characters {
        *planes.entry(code_point >> 16).or_insert(0) += 1;
        if let Some(block) = char::from_u32(code_point).and_then(find_unicode_block) {
            let new =
                || BlockCount { name: block.name().to_owned(), first: block.start(), last: block.end(), characters: 0 };
            blocks.entry(block.start()).or_insert_with(new).characters += 1;
        }
    }
    IndexData {
        name: index.name(),
        slug: slug(index.name()),
        anchor: anchor(index.name()),
        entries: if ranges.is_empty() { entries.len() } else { ranges.len() },
        characters: characters.len(),
        planes: planes.into_iter().collect(),
        blocks: blocks.into_values().collect(),
        text,
        ranges,
    }
}

/// The ranges of the index gb18030-ranges: first pointer, first code point, and length. A range ends where the next one
/// starts.
fn ranges(index: Index) -> Vec<(usize, u32, usize)> {
    let starts: Vec<(usize, char)> = index.iter().collect();
    let end = |i: usize| match starts.get(i + 1) {
        // The last pointer of the Basic Multilingual Plane is 39419.
        Some(&(next, _)) => next.min(39_420),
        None => starts[i].0 + 0x10_0000,
    };
    starts
        .iter()
        .enumerate()
        .map(|(i, &(pointer, first))| (pointer, first as u32, end(i).saturating_sub(pointer)))
        .collect()
}

fn anchor(name: &str) -> String {
    let multi_byte = [RANGES, "gb18030", "big5", "jis0208", "jis0212", "iso-2022-jp-katakana", "euc-kr"];
    let fragment = if multi_byte.contains(&name) { name } else { "single-byte" };
    format!("https://encoding.spec.whatwg.org/#index-{fragment}")
}
