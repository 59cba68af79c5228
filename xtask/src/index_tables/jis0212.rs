//! The table of code points of index jis0212, whose kanji are nearly in Unicode's order.

use std::cmp::Reverse;

use anyhow::{Result, ensure};

use super::code_points::{NULL, pieces, units};
use crate::{index_file::Index, rust};

/// The first pointer of a kanji; each pointer from there on has one.
const FIRST_KANJI: usize = 15 * 94;
/// The difference that stands for a code point that is far from the code points around it.
const FAR: u8 = 0xFF;

/// The table of code points. The last rows are empty and left out.
pub(super) fn jis0212_code_points(index: &Index) -> Result<String> {
    let mut units = units(index, &mut |_| None)?;
    units.truncate(units.iter().rposition(|&unit| unit != NULL).map_or(0, |last| last + 1));
    let kanji = nearly_ascending(FIRST_KANJI, &units.split_off(FIRST_KANJI.min(units.len())))?;
    let doc = "Code points from pointers on, without most of those that have none; 0xFFFD for the others.";
    let pieces = rust::static_item(doc, "PIECES", "&[Piece]", &format!("&[{}]", pieces(&units)));
    Ok(format!(
        "{pieces}\n{}",
        rust::static_item("Kanji, by radicals and strokes.", "KANJI", "NearlyAscending", &kanji)
    ))
}

/// The table of `units` from the pointer `first` on; all of them must have a code point.
fn nearly_ascending(first: usize, units: &[u16]) -> Result<String> {
    ensure!(!units.contains(&NULL), "a pointer from {first} on has no code point");
    let least: Vec<u16> = units.chunks(16).map(least_of).collect();
    let (mut more, mut far) = (Vec::new(), Vec::new());
    for (place, unit) in units.iter().enumerate() {
        let byte =
            unit.checked_sub(least[place / 16]).and_then(|more| u8::try_from(more).ok()).filter(|&byte| byte != FAR);
        more.push(byte.unwrap_or(FAR));
        if byte.is_none() {
            far.push(format!("({}, 0x{unit:04X})", first + place));
        }
    }
    Ok(format!(
        "NearlyAscending {{
    first: {first},
    least: &[
{}    ],
    more: &[
{}    ],
    far: &[
{}    ],
}}",
        rust::field(&least),
        rust::field(&more),
        rust::lines(2, 8, &far),
    ))
}

/// The code point `least` for which the greatest number of `units` are in the range from `least` up
/// to, but not including, `least` + [`FAR`].
fn least_of(units: &[u16]) -> u16 {
    let near = |least: u16| units.iter().filter(|&&unit| unit >= least && unit - least < FAR.into()).count();
    units.iter().copied().max_by_key(|&least| (near(least), Reverse(least))).unwrap_or(NULL)
}
