//! The tables of code points of index Big5, which has code points in plane 2.

use anyhow::{Result, ensure};

use super::code_points::{NULL, units};
use crate::{index_file::Index, rust};

/// The first pointer that has a code point: the six rows before it are empty.
const FIRST: usize = 6 * 157;

/// The two tables of index Big5. A surrogate in the table of code points is the number of an entry in the second table,
/// which has the code points of plane 2.
pub(super) fn big5_code_points(index: &Index) -> Result<String> {
    let mut plane_2 = Vec::new();
    let mut units = units(index, &mut |code_point| {
        let number = 0xD800 + u16::try_from(plane_2.len()).ok()?;
        plane_2.push(u16::try_from(code_point.checked_sub(0x2_0000)?).ok()?);
        (0xD800..0xDFFF).contains(&number).then_some(number)
    })?;
    // These pointers stand for two code points each.
    for pointer in [1133, 1135, 1164, 1166] {
        if let Some(unit) = units.get_mut(pointer) {
            ensure!(*unit == NULL, "pointer {pointer} is one of two code points, and has one");
            *unit = 0xDFFF;
        }
    }
    let omitted = units.drain(..FIRST);
    ensure!(omitted.eq([NULL; FIRST]), "a pointer less than {FIRST} has a code point");
    units.extend([NULL; 2]);
    let doc = "Code points by pointer less 942, for six rows are empty; 0xFFFD where there is none, and twice at the end,\n\
               0xD800 + n where it is U+20000 + `PLANE_2[n]`, 0xDFFF for the four pointers of two code points each.";
    let plane_2_doc = "The code points of plane 2, by ascending pointer, less U+20000.";
    let tables = [rust::array(doc, "CODE_POINTS", "u16", &units), rust::array(plane_2_doc, "PLANE_2", "u16", &plane_2)];
    Ok(tables.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big5(pointers: usize, entries: &[(u32, u32)]) -> Result<String> {
        big5_code_points(&Index { name: "big5".to_owned(), pointers, entries: entries.to_vec() })
    }

    #[test]
    fn a_code_point_that_no_table_can_hold_is_an_error() {
        for code_point in [0xFFFD, 0x1_0000, 0x3_0000] {
            assert!(big5(943, &[(942, code_point)]).is_err());
        }
    }

    #[test]
    fn surrogates_number_the_code_points_of_plane_2() {
        let text = big5(946, &[(942, 0x4E00), (943, 0x2_FFFD), (945, 0x2_0001)]).unwrap();
        assert!(text.contains("[u16; 6] = [\n    0x4E00, 0xD800, 0xFFFD, 0xD801, 0xFFFD, 0xFFFD,\n];\n"), "{text}");
        assert!(text.ends_with("[u16; 2] = [\n    0xFFFD, 0x0001,\n];\n"), "{text}");
    }

    #[test]
    fn a_code_point_in_rows_that_are_omitted_is_an_error() {
        assert!(big5(943, &[(941, 0x4E00)]).is_err());
    }
}
