//! The table of index gb18030 ranges.

use anyhow::{Context, Result, ensure};

use crate::{index_file::Index, rust};

/// The table of ranges. Both their pointers and their code points must ascend, so that both directions can be searched.
pub(super) fn ranges(index: &Index) -> Result<String> {
    let ascending = index.entries.is_sorted_by(|before, after| before.0 < after.0 && before.1 < after.1);
    ensure!(ascending, "the ranges do not ascend");
    let (last, others) = index.entries.split_last().context("there are no ranges")?;
    ensure!(*last == (189_000, 0x1_0000), "the last range is not that of the planes beyond 0");
    ensure!(others.last().is_none_or(|&(pointer, code_point)| pointer.max(code_point) <= 0xFFFF), "too many ranges");
    let pairs: Vec<String> =
        others.iter().map(|(pointer, code_point)| format!("({pointer}, 0x{code_point:04X})")).collect();
    let shape = format!("[(u16, u16); {}]", pairs.len());
    let doc = "The first pointer and the first code point of each range of plane 0, ascending by either. The last range of the index\n\
               begins with 189000 and U+10000.";
    Ok(rust::static_item(doc, "RANGES", &shape, &format!("[\n{}]", rust::lines(1, 8, &pairs))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index_file::RANGES;

    fn is_error(entries: &[(u32, u32)]) -> bool {
        ranges(&Index { name: RANGES.to_owned(), pointers: 2, entries: entries.to_vec() }).is_err()
    }

    #[test]
    fn ranges_that_do_not_ascend_are_an_error() {
        assert!(is_error(&[(0, 0x80), (36, 0x80), (189_000, 0x1_0000)]));
    }

    #[test]
    fn another_last_range_is_an_error() {
        assert!(is_error(&[(0, 0x80), (36, 0xA5)]));
    }
}
