//! The tables of code points of index Big5, which has code points in plane 2.

use anyhow::{Context, Result, ensure};

use super::code_points::{NULL, units};
use crate::{index_file::Index, rust};

/// The first pointer that has a code point: the six rows before it are empty.
const FIRST: usize = 6 * 157;

/// The tables of index Big5. A surrogate in the table of code points is the number of a code point of plane 2. These
/// code points are numbered in ascending order, so that two tables have their lower bytes and their upper bytes.
pub(super) fn big5_code_points(index: &Index) -> Result<String> {
    let mut plane_2: Vec<u16> = Vec::new();
    for &(_, code_point) in index.entries.iter().filter(|(_, code_point)| *code_point > 0xFFFF) {
        let place = code_point.checked_sub(0x2_0000).and_then(|place| u16::try_from(place).ok());
        plane_2.push(place.with_context(|| format!("U+{code_point:04X} is not in plane 2"))?);
    }
    plane_2.sort_unstable();
    ensure!(plane_2.len() <= 0x7FF, "there are not as many surrogates as code points of plane 2");
    let mut units = units(index, &mut |code_point| {
        let place = u16::try_from(code_point.checked_sub(0x2_0000)?).ok()?;
        Some(0xD800 + plane_2.binary_search(&place).ok()? as u16)
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

    let lower: Vec<u8> = plane_2.iter().map(|&place| place as u8).collect();
    let upper_of = |place: &u16| usize::from(place >> 8);
    let groups = plane_2.last().map_or(0, |place| upper_of(place) + 1);
    let firsts: Vec<u16> =
        (0..groups).map(|group| plane_2.partition_point(|place| upper_of(place) < group) as u16).collect();
    let tables = [
        rust::array(
            "Code points by pointer less 942, for six rows are empty; 0xFFFD where there is none, and twice at the end,\n\
             0xD800 + n for the code point of plane 2 with the number n, 0xDFFF for the four pointers of two code points each.",
            "CODE_POINTS",
            "u16",
            &units,
        ),
        rust::array("The lowest bytes of the code points of plane 2, ascending.", "PLANE_2", "u8", &lower),
        rust::array(
            "For each 256 code points from U+20000 on, the number of the first in `PLANE_2`.",
            "PLANE_2_FIRSTS",
            "u16",
            &firsts,
        ),
    ];
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
    fn surrogates_number_the_code_points_of_plane_2_in_ascending_order() {
        let text = big5(946, &[(942, 0x4E00), (943, 0x2_02FD), (945, 0x2_0001)]).unwrap();
        assert!(text.contains("[u16; 6] = [\n    0x4E00, 0xD801, 0xFFFD, 0xD800, 0xFFFD, 0xFFFD,\n];\n"), "{text}");
        assert!(text.contains("[u8; 2] = [\n    0x01, 0xFD,\n];\n"), "{text}");
        assert!(text.ends_with("[u16; 3] = [\n    0x0000, 0x0001, 0x0001,\n];\n"), "{text}");
    }

    #[test]
    fn a_code_point_in_rows_that_are_omitted_is_an_error() {
        assert!(big5(943, &[(941, 0x4E00)]).is_err());
    }
}
