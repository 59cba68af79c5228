//! Helpers for all tables that lead from pointers to code points.

use anyhow::{Context, Result};

use crate::{index_file::Index, rust};

/// The entry of a table of code points where the index has none.
pub(super) const NULL: u16 = 0xFFFD;
/// The entry of a table of rows for a row that is not in the table of code points.
pub(super) const NO_ROW: u8 = 0x7E;

/// The code points by pointer; [`NULL`] where the index has none. `beyond` maps code points above U+FFFF. It is an
/// error if `beyond` does not know one, or if a code point equals [`NULL`].
pub(super) fn units(index: &Index, beyond: &mut dyn FnMut(u32) -> Option<u16>) -> Result<Vec<u16>> {
    let mut units = vec![NULL; index.pointers];
    for &(pointer, code_point) in &index.entries {
        let unit = u16::try_from(code_point).ok().or_else(|| beyond(code_point)).filter(|&unit| unit != NULL);
        units[pointer as usize] =
            unit.with_context(|| format!("the table cannot hold U+{code_point:04X} of pointer {pointer}"))?;
    }
    Ok(units)
}

/// The table of code points by pointer, for an index without code points above U+FFFF.
pub(super) fn code_points(index: &Index) -> Result<String> {
    let doc = "Code points by pointer; 0xFFFD where there is none.";
    Ok(rust::array(doc, "CODE_POINTS", "u16", &units(index, &mut |_| None)?))
}

/// The value of a static `Pieces`: `units` by pointer, cut into pieces where many entries in a row are [`NULL`].
pub(super) fn pieces(units: &[u16]) -> String {
    // A piece has two more entries, and looking one up takes longer if there are many pieces.
    const MANY: usize = 4;
    let mut pieces: Vec<(usize, Vec<u16>)> = Vec::new();
    for (pointer, &unit) in units.iter().enumerate().filter(|(_, unit)| **unit != NULL) {
        match pieces.last_mut() {
            Some((first, piece)) if pointer - *first - piece.len() < MANY => {
                piece.resize(pointer - *first, NULL);
                piece.push(unit);
            }
            _ => pieces.push((pointer, vec![unit])),
        }
    }
    let text =
        |(first, piece): &(usize, Vec<u16>)| format!("        {first}, {},\n{}", piece.len(), rust::field(piece));
    format!("Pieces(&[\n{}    ])", pieces.iter().map(text).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_point_beyond_plane_0_is_an_error() {
        let index = Index { name: "jis0212".to_owned(), pointers: 1, entries: vec![(0, 0x2_0000)] };
        assert!(code_points(&index).is_err());
    }
}
