//! The characters that a charset and an encoder of the Standard encode to different bytes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use anyhow::Result;

use super::mapping::Mapping;
use crate::rust;

/// A bit for each code point of plane 0; see `Differences` in `crates/charsets/src/pair_codecs/table.rs`.
pub(super) struct Differences {
    groups: Vec<u8>,
    blocks: Vec<[u16; 16]>,
    bits: Vec<u64>,
}

/// The name of the encoder of the Standard that is most like a charset of this shape, and the characters that the two
/// encode to different bytes. `None` if the pairs are others. `pointers` are those of the Standard's encoder.
pub(super) fn differences(
    shape: &str,
    index: &str,
    mapping: &Mapping,
    pointers: &BTreeMap<u32, u32>,
) -> Option<(&'static str, Differences)> {
    let encoder = match (shape, index) {
        ("shift-jis", "jis0208") => "TO_SHIFT_JIS",
        ("euc", "jis0208") => "TO_EUC_JP",
        ("euc" | "uhc", "euc-kr") => "TO_EUC_KR",
        ("euc" | "gbk" | "gb18030", "gb18030") => "TO_GB18030",
        ("big5", "big5") => "TO_BIG5",
        _ => return None,
    };
    let mut bytes: BTreeMap<u32, Vec<u8>> = (0..0x80).map(|code_point| (code_point, vec![code_point as u8])).collect();
    for (&code_point, &pointer) in pointers {
        if encoder == "TO_EUC_JP" && pointer >= 94 * 94 {
            // The pair is none of EUC-JP.
            bytes.insert(code_point, Vec::new());
        } else {
            bytes.insert(code_point, pair(encoder, pointer as u16).to_vec());
        }
    }
    match encoder {
        "TO_EUC_JP" => drop(bytes.insert(0x2212, bytes[&0xFF0D].clone())),
        "TO_GB18030" => drop(bytes.remove(&0x20AC)),
        _ => {}
    }
    let different = bytes.iter().filter(|(code_point, bytes)| mapping.encoded.get(code_point) != Some(bytes));
    let different: BTreeSet<u32> = different.map(|(code_point, _)| *code_point).collect();
    Some((encoder, Differences::new(&different)))
}

/// The bytes of a pointer.
fn pair(encoder: &str, pointer: u16) -> [u8; 2] {
    let columns = match encoder {
        "TO_SHIFT_JIS" => 188,
        "TO_EUC_JP" => 94,
        "TO_BIG5" => 157,
        _ => 190,
    };
    let (row, column) = ((pointer / columns) as u8, (pointer % columns) as u8);
    let skip = |number: u8, split: u8, more: u8| if number < split { number } else { number + more };
    match encoder {
        "TO_SHIFT_JIS" => [0x81 + skip(row, 0x1F, 0x40), 0x40 + skip(column, 0x3F, 1)],
        "TO_EUC_JP" => [0xA1 + row, 0xA1 + column],
        "TO_BIG5" => [0x81 + row, 0x40 + skip(column, 0x3F, 0x22)],
        "TO_EUC_KR" => [0x81 + row, 0x41 + column],
        _ => [0x81 + row, 0x40 + skip(column, 0x3F, 1)],
    }
}

impl Differences {
    fn new(code_points: &BTreeSet<u32>) -> Differences {
        let mut differences = Differences { groups: Vec::new(), blocks: Vec::new(), bits: Vec::new() };
        for group in 0..64 {
            let mut blocks = [0; 16];
            for (block, number) in (group * 16..).zip(&mut blocks) {
                let range = block * 64..(block + 1) * 64;
                let bits = code_points.range(range).fold(0, |bits, code_point| bits | 1_u64 << (code_point & 0x3F));
                *number = place(&mut differences.bits, bits) as u16;
            }
            let group = place(&mut differences.blocks, blocks) as u8;
            differences.groups.push(group);
        }
        differences
    }

    /// The static of the charset whose statics begin with `name`.
    pub(super) fn text(&self, name: &str, charset: &str) -> Result<String> {
        let blocks: Vec<String> = self
            .blocks
            .iter()
            .map(|blocks| format!("[{}]", blocks.map(|block| block.to_string()).join(", ")))
            .collect();
        let groups: Vec<String> = self.groups.iter().map(u8::to_string).collect();
        let mut text = String::new();
        write!(
            text,
            "#[cfg(feature = \"encode\")]\n/// The characters that {charset} and the Standard's encoder encode \
             differently.\n#[rustfmt::skip]\npub(crate) static {name}_DIFFERENCES: Differences = Differences {{\n    \
             groups: &[\n{}    ],\n    blocks: &[\n{}    ],\n    bits: &[\n{}    ],\n}};\n",
            rust::lines(2, 16, &groups),
            rust::lines(2, 1, &blocks),
            rust::lines(2, 6, &rust::hex(&self.bits)),
        )?;
        Ok(text)
    }
}

/// The place of `item` in `items`, where it is put if it is not there.
fn place<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    items.iter().position(|other| *other == item).unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}
