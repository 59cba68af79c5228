//! The places of characters that do not follow from the index.

use std::collections::BTreeMap;

/// Entries by code point; see `Inverse` in `crates/charsets/src/pair_codecs/table.rs`.
#[derive(Default)]
pub(super) struct Inverse {
    pub(super) groups: Vec<u8>,
    pub(super) blocks: Vec<[u16; 16]>,
    pub(super) bits: Vec<u64>,
    pub(super) starts: Vec<u16>,
    pub(super) entries: Vec<u16>,
}

impl Inverse {
    pub(super) fn new(entries: &BTreeMap<u32, u16>) -> Inverse {
        let mut inverse = Inverse::default();
        for (&code_point, &entry) in entries {
            let group = (code_point >> 10) as usize;
            if inverse.groups.len() <= group {
                inverse.groups.resize(group + 1, 0xFF);
            }
            if inverse.groups[group] == 0xFF {
                inverse.groups[group] = inverse.blocks.len() as u8;
                inverse.blocks.push([0xFFFF; 16]);
            }
            let blocks = &mut inverse.blocks[usize::from(inverse.groups[group])];
            let block = &mut blocks[(code_point >> 6 & 0xF) as usize];
            if *block == 0xFFFF {
                *block = inverse.bits.len() as u16;
                inverse.bits.push(0);
                inverse.starts.push(inverse.entries.len() as u16);
            }
            inverse.bits[usize::from(*block)] |= 1 << (code_point & 0x3F);
            inverse.entries.push(entry);
        }
        inverse
    }
}
