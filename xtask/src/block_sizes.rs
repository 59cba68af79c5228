//! How many bytes the tables that lead back from code points take, by the length of their blocks: what the lengths in
//! `tables.rs` were chosen by.

use std::path::Path;

use anyhow::Result;

use crate::{
    index_file::{self, Index},
    tables::{BYTE_ALIGN, BYTE_BLOCK, POINTER_BLOCK, pack_bytes, pack_pointers},
};

/// Prints a line for each index, a column for each length of blocks, and the sums.
pub(crate) fn print(root: &Path) -> Result<()> {
    let indexes = index_file::read_indexes(root)?;

    let multi_byte =
        indexes.iter().filter(|index| ["big5", "euc-kr", "gb18030", "jis0208"].contains(&index.name.as_str()));
    println!("Pointers by code point, in blocks of (now {POINTER_BLOCK})");
    print_table(multi_byte, &[16, 32, 64, 128, 256], |index, block| {
        let packed = pack_pointers(index, block)?;
        Ok(2 * (packed.starts.len() + packed.values.len()))
    })?;

    let single_byte = indexes.iter().filter(|index| index.pointers == 128);
    println!("\nBytes by code point, starting at multiples of {BYTE_ALIGN}, in blocks of (now {BYTE_BLOCK})");
    print_table(single_byte, &[8, 16, 32, 64, 128], |index, block| {
        let packed = pack_bytes(index, block, BYTE_ALIGN);
        Ok(packed.starts.len() + packed.values.len())
    })
}

/// Prints what `size` says for each of `indexes` and each of `blocks`.
fn print_table<'a>(
    indexes: impl Iterator<Item = &'a Index>,
    blocks: &[usize],
    size: impl Fn(&Index, usize) -> Result<usize>,
) -> Result<()> {
    print_line("", blocks);
    let mut sums = vec![0; blocks.len()];
    for index in indexes {
        let sizes = blocks.iter().map(|&block| size(index, block)).collect::<Result<Vec<_>>>()?;
        print_line(&index.name, &sizes);
        for (sum, size) in sums.iter_mut().zip(&sizes) {
            *sum += size;
        }
    }
    print_line("sum", &sums);
    Ok(())
}

fn print_line(title: &str, numbers: &[usize]) {
    let numbers: String = numbers.iter().map(|number| format!("{number:>8}")).collect();
    println!("{title:<16}{numbers}");
}
