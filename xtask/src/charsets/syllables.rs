//! The syllables of KS X 1001 for the detector, which reads Johab by the model of that set.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context, Result};

use super::COMMAND;
use crate::{
    files::{self, GeneratedFile},
    index_file,
};

/// The first syllable of Unicode, and the number of syllables.
const FIRST: u32 = 0xAC00;
const COUNT: usize = 11_172;
/// The rows of index euc-kr have 190 pointers. KS X 1001 has the last 94 of them, from the leading byte A1 on.
const ROW: u32 = 190;
const COLUMNS: u32 = 94;
const FIRST_ROW: u32 = 0xA1 - 0x81;

/// The file with the syllables as bits.
pub(super) fn generated_file(root: &Path) -> Result<GeneratedFile> {
    let indexes = index_file::read_indexes(root)?;
    let index = indexes.into_iter().find(|index| index.name == "euc-kr").context("there is no index euc-kr")?;
    let mut words = vec![0_u64; COUNT.div_ceil(64)];
    for (pointer, code_point) in index.entries {
        let number = code_point.wrapping_sub(FIRST) as usize;
        if number < COUNT && pointer % ROW >= ROW - COLUMNS && pointer / ROW >= FIRST_ROW {
            words[number / 64] |= 1 << (number % 64);
        }
    }
    let mut text = format!("{}indexes/index-euc-kr.txt.\n", files::generated_by(COMMAND));
    text.push_str("//! The syllables that KS X 1001 has, as bits: the lowest bit of the first word is U+AC00.\n\n");
    writeln!(text, "#[rustfmt::skip]\npub(super) static SYLLABLES: [u64; {}] = [", words.len())?;
    for line in words.chunks(4) {
        let words: Vec<String> = line.iter().map(|word| format!("0x{word:016X},")).collect();
        writeln!(text, "    {}", words.join(" "))?;
    }
    text.push_str("];\n");
    Ok(GeneratedFile { path: "crates/detect/src/johab/syllables.rs".to_owned(), text })
}
