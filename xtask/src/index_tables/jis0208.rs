//! The table of code points of index jis0208, without the rows for which only Shift_JIS has a meaning.

use anyhow::Result;

use super::code_points::{NO_ROW, NULL, units};
use crate::{index_file::Index, rust};

/// The table of code points, without the rows that only Shift_JIS has a meaning for, and a table of the places of the
/// remaining rows.
pub(super) fn jis0208_code_points(index: &Index) -> Result<String> {
    // The pointers in a row of Shift_JIS.
    const ROW: usize = 2 * 94;
    let mut units = units(index, &mut |_| None)?;
    units.resize(units.len().next_multiple_of(ROW), NULL);
    let mut rows = Vec::new();
    let mut code_points: Vec<u16> = Vec::new();
    for row in units.chunks(ROW) {
        let is_listed = row.iter().any(|&unit| unit != NULL);
        rows.push(if is_listed { u8::try_from(code_points.len() / ROW)? } else { NO_ROW });
        code_points.extend(row.iter().filter(|_| is_listed));
    }
    code_points.extend([NULL; 2]);
    let doc = "For each 188 pointers, their place among those of which any has a code point; 0x7E for the others.";
    let rows = rust::array(doc, "ROWS", "u8", &rows);
    let doc = "Code points by place and pointer; 0xFFFD where there is none, and twice at the end.";
    Ok(format!("{rows}\n{}", rust::array(doc, "CODE_POINTS", "u16", &code_points)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_rows_are_left_out() {
        let index =
            Index { name: "jis0208".to_owned(), pointers: 11280, entries: vec![(187, 0x4E00), (10716, 0x4E01)] };
        let text = jis0208_code_points(&index).unwrap();
        assert!(text.contains("[u8; 60] = [\n    0x00, 0x7E, ") && text.contains("[u16; 378]"), "{text}");
        assert!(text.contains("0x4E00,") && text.contains("0x4E01, 0xFFFD"), "{text}");
    }
}
