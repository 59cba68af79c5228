//! [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) and its variants for Big5 and Shift_JIS, over a
//! whole index.

use std::{collections::BTreeMap, ops::RangeInclusive};

use anyhow::{Context, Result, bail, ensure};

use super::pointers::{self, Pointers};
use crate::{index_file::Index, rust};

/// The entry of a table of pointers for a code point that the index does not contain.
const NULL_POINTER: u16 = 0xFFFF;

/// The pointers that [index Shift_JIS pointer](https://encoding.spec.whatwg.org/#index-shift_jis-pointer) excludes.
const NOT_IN_SHIFT_JIS: RangeInclusive<u32> = 8272..=8835;
/// The first of the pointers that [index Big5 pointer](https://encoding.spec.whatwg.org/#index-big5-pointer) does not
/// exclude.
const FIRST_IN_BIG5: u32 = (0xA1 - 0x81) * 157;
/// The code points for which index Big5 pointer takes the last pointer, not the first.
const LAST_IN_BIG5: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];

/// The table of pointers by code point.
pub(super) fn pointers(index: &Index) -> Result<String> {
    let table = pack_pointers(index)?;
    let anchor = if index.name == "big5" { "index-big5-pointer" } else { "index-pointer" };
    let doc = format!("[Pointers](https://encoding.spec.whatwg.org/#{anchor}) by code point.");
    let pointers = rust::static_item(&doc, "POINTERS", "PointerTable", &table.to_string());
    Ok(format!("{}\n{pointers}", table.statics()))
}

/// Pointers by code point, packed with the stretches of the index.
fn pack_pointers(index: &Index) -> Result<Pointers> {
    let pointers = match index.name.as_str() {
        "big5" => index_big5_pointers(index)?,
        "jis0208" => index_shift_jis_pointers(index)?,
        _ => index_pointers(index)?,
    };
    Pointers::new(&pointers, pointers::stretches(&index.name), pointers::run(&index.name))
}

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of every code point: its lowest pointer.
pub(super) fn index_pointers(index: &Index) -> Result<BTreeMap<u32, u16>> {
    let mut pointers = BTreeMap::new();
    for &(pointer, code_point) in &index.entries {
        pointers.entry(code_point).or_insert(narrow(pointer)?);
    }
    Ok(pointers)
}

/// [Index Big5 pointer](https://encoding.spec.whatwg.org/#index-big5-pointer) of every code point that has one.
fn index_big5_pointers(index: &Index) -> Result<BTreeMap<u32, u16>> {
    let mut included = index.clone();
    included.entries.retain(|(pointer, _)| *pointer >= FIRST_IN_BIG5);
    let mut pointers = index_pointers(&included)?;
    for &(pointer, code_point) in &included.entries {
        if LAST_IN_BIG5.contains(&code_point) {
            pointers.insert(code_point, narrow(pointer)?);
        }
    }
    Ok(pointers)
}

/// [Index Shift_JIS pointer](https://encoding.spec.whatwg.org/#index-shift_jis-pointer) of every code point.
fn index_shift_jis_pointers(index: &Index) -> Result<BTreeMap<u32, u16>> {
    let mut included = index.clone();
    included.entries.retain(|(pointer, _)| !NOT_IN_SHIFT_JIS.contains(pointer));
    index_pointers(&included)
}

/// Checks an assumption of EUC-JP's and ISO-2022-JP's encoders, which find their pointers in the table of index
/// Shift_JIS pointer: every code point has a pointer there. If it is not the lowest pointer, the lowest is among the
/// pointers that Shift_JIS excludes, and the pointer in the table is in the last rows.
pub(super) fn check_lowest_pointers(index: &Index) -> Result<()> {
    let included = index_shift_jis_pointers(index)?;
    for (code_point, pointer) in index_pointers(index)? {
        let included = *included.get(&code_point).with_context(|| format!("Shift_JIS lacks U+{code_point:04X}"))?;
        let is_excluded = NOT_IN_SHIFT_JIS.contains(&pointer.into()) && included >= 10716;
        ensure!(included == pointer || is_excluded, "U+{code_point:04X} has the pointers {pointer} and {included}");
    }
    Ok(())
}

fn narrow(pointer: u32) -> Result<u16> {
    match u16::try_from(pointer) {
        Err(_) | Ok(NULL_POINTER) => bail!("the table cannot hold pointer {pointer}"),
        Ok(pointer) => Ok(pointer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{files, index_file};

    fn index(name: &str, pointers: usize, entries: &[(u32, u32)]) -> Index {
        Index { name: name.to_owned(), pointers, entries: entries.to_vec() }
    }

    #[test]
    fn every_code_point_finds_its_pointer() {
        let mut indexes = index_file::read_indexes(files::root()).unwrap();
        indexes.retain(|index| ["big5", "jis0208", "gb18030", "euc-kr"].contains(&index.name.as_str()));
        for index in indexes {
            let mut first = vec![None; 0x11_0000];
            for &(pointer, code_point) in index.entries.iter().rev() {
                let is_last = index.name == "big5" && LAST_IN_BIG5.contains(&code_point);
                let is_excluded = match index.name.as_str() {
                    "big5" => pointer < FIRST_IN_BIG5 || is_last && first[code_point as usize].is_some(),
                    "jis0208" => NOT_IN_SHIFT_JIS.contains(&pointer),
                    _ => false,
                };
                if !is_excluded {
                    first[code_point as usize] = Some(pointer as u16);
                }
            }
            let packed = pack_pointers(&index).unwrap();
            for (code_point, expected) in (0..).zip(first) {
                assert_eq!(packed.look_up(code_point), expected, "{} U+{code_point:04X}", index.name);
            }
        }
    }

    #[test]
    fn a_code_point_whose_pointers_no_table_has_is_an_error() {
        let jis0208 = |entries: &[(u32, u32)]| check_lowest_pointers(&index("jis0208", 11280, entries));
        jis0208(&[(1, 0x3000), (8272, 0x4E00), (10717, 0x4E00)]).unwrap();
        assert!(jis0208(&[(8272, 0x4E00)]).is_err());
        assert!(jis0208(&[(8272, 0x4E00), (8836, 0x4E00)]).is_err());
    }

    #[test]
    fn index_big5_pointer_excludes_low_pointers_and_takes_six_last_ones() {
        let big5 =
            index("big5", 19782, &[(942, 0x43F0), (5024, 0x3000), (5100, 0x2550), (5200, 0x3000), (5300, 0x2550)]);
        assert_eq!(index_big5_pointers(&big5).unwrap(), BTreeMap::from([(0x3000, 5024), (0x2550, 5300)]));
    }
}
