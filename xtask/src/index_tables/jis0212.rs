//! The table of code points of index jis0212, whose kanji are nearly in Unicode's order.

use anyhow::{Result, ensure};

use super::{
    ascending::ascending,
    code_points::{NULL, pieces, units},
};
use crate::{index_file::Index, rust};

/// The first pointer of a kanji; each pointer from there on has one.
const FIRST_KANJI: usize = 15 * 94;

/// The table of code points. The last rows are empty and left out.
pub(super) fn jis0212_code_points(index: &Index) -> Result<String> {
    let mut units = units(index, &mut |_| None)?;
    units.truncate(units.iter().rposition(|&unit| unit != NULL).map_or(0, |last| last + 1));
    let kanji = nearly_ascending(FIRST_KANJI, &units.split_off(FIRST_KANJI.min(units.len())))?;
    let doc = "Code points by pointer, in pieces; 0xFFFD for a pointer of a piece that has none.";
    let pieces = rust::static_item(doc, "PIECES", "Pieces", &pieces(&units));
    Ok(format!(
        "{pieces}\n{}",
        rust::static_item("Kanji, by radicals and strokes.", "KANJI", "NearlyAscending", &kanji)
    ))
}

/// The table of `units` from the pointer `first` on; all of them must have a code point. As few code points as possible
/// are listed with their pointers, so that the others ascend.
fn nearly_ascending(first: usize, units: &[u16]) -> Result<String> {
    ensure!(!units.contains(&NULL), "a pointer from {first} on has no code point");
    let ascends = longest_ascending(units);
    let (places, other_places): (Vec<usize>, Vec<usize>) = (0..units.len()).partition(|&place| ascends[place]);
    let ascending_units: Vec<u32> = places.iter().map(|&place| units[place].into()).collect();
    let other = |place: usize| format!("({}, 0x{:04X})", first + place, units[place]);
    let others: Vec<String> = other_places.into_iter().map(other).collect();
    Ok(format!(
        "NearlyAscending {{
    first: {first},
    ascending: {},
    others: &[
{}    ],
}}",
        ascending(&ascending_units)?,
        rust::lines(2, 8, &others),
    ))
}

/// Whether each of `units` belongs to the longest subsequence that ascends.
fn longest_ascending(units: &[u16]) -> Vec<bool> {
    // For each length, the place of the least unit that ends a subsequence of that length.
    let mut ends: Vec<usize> = Vec::new();
    // For each place, the place before it in the longest subsequence that it ends.
    let mut before = Vec::new();
    for (place, unit) in units.iter().enumerate() {
        let length = ends.partition_point(|&end| units[end] < *unit);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut is_in = vec![false; units.len()];
    let mut next = ends.last().copied();
    while let Some(place) = next {
        is_in[place] = true;
        next = before[place];
    }
    is_in
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ascending_subsequence_leaves_out_as_few_as_possible() {
        assert_eq!(longest_ascending(&[]), [false; 0]);
        assert_eq!(longest_ascending(&[9, 1, 2, 3]), [false, true, true, true]);
        assert_eq!(longest_ascending(&[1, 5, 2, 3, 9, 4]), [true, false, true, true, false, true]);
    }
}
