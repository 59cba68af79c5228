//! The tables of the encodings' crates, from the indexes: what is in them, and in which files they are.

use std::{cmp::Reverse, collections::BTreeMap, ops::RangeInclusive, path::Path};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    files::{self, GeneratedFile},
    index_file::{self, FINGERPRINTS, Index, RANGES},
    pack::{Packed, pack},
    pointers::{self, Pointers},
    rust, square,
};

/// What makes the tables.
const COMMAND: &str = "cargo xtask index";
/// Where the tables of the single-byte encodings go.
const SINGLE_BYTE: &str = "crates/single-byte/src/generated";

/// What stands in a table of code points where the index has no entry.
pub(crate) const NULL: u16 = 0xFFFD;
/// What stands in a table of pointers where the index does not contain the code point.
const NULL_POINTER: u16 = 0xFFFF;
/// The first pointer of index jis0212 that has a kanji; from there on each has one.
const FIRST_KANJI: usize = 15 * 94;
/// What stands for a code point that is far from those around it.
const FAR: u8 = 0xFF;
/// What stands for a row that is not listed.
pub(crate) const NO_ROW: u8 = 0x7E;
/// Code points in a block of a table of bytes.
const BYTE_BLOCK: usize = 128;
/// In a table of bytes, blocks start at multiples of this.
const BYTE_ALIGN: usize = 8;
/// Where a block of those starts that is nowhere.
const NO_BLOCK: u8 = 0xFF;

/// The pointers that [index Shift_JIS pointer](https://encoding.spec.whatwg.org/#index-shift_jis-pointer) excludes.
const NOT_IN_SHIFT_JIS: RangeInclusive<u32> = 8272..=8835;
/// The first of the pointers that [index Big5 pointer](https://encoding.spec.whatwg.org/#index-big5-pointer) does not
/// exclude.
const FIRST_IN_BIG5: u32 = (0xA1 - 0x81) * 157;
/// The code points for which index Big5 pointer takes the last pointer, not the first.
const LAST_IN_BIG5: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];

/// The first pointer of index Big5 that has a code point: before it, six rows are empty.
const FIRST_OF_BIG5: usize = 6 * 157;

/// Writes the tables of all indexes, or with `check` fails if they are out of date.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let indexes = index_file::read_indexes(root)?;
    files::ensure_generated(root, &generated_files(&indexes)?, COMMAND, check)
}

/// The tables of `indexes`, a file each, and in each folder the file that lists them.
fn generated_files(indexes: &[Index]) -> Result<Vec<GeneratedFile>> {
    let mut generated = Vec::new();
    let mut modules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for index in indexes {
        let (folder, module) = (folder(index), index.name.replace('-', "_"));
        let text = file(index).with_context(|| index_file::path(&index.name))?;
        generated.push(GeneratedFile { path: format!("{folder}/{module}.rs"), text });
        modules.entry(folder).or_default().push(module);
    }
    for (folder, mut modules) in modules {
        // rustfmt's order.
        modules.sort_unstable();
        generated.push(GeneratedFile { path: format!("{folder}/mod.rs"), text: module_list(folder, &modules) });
    }
    Ok(generated)
}

/// Where the tables of `index` go.
fn folder(index: &Index) -> &'static str {
    match index.name.as_str() {
        "big5" | "gb18030" | RANGES => "crates/cjk-chinese/src/generated",
        "jis0208" | "jis0212" | "iso-2022-jp-katakana" => "crates/cjk-japanese/src/generated",
        "euc-kr" => "crates/cjk-korean/src/generated",
        _ => SINGLE_BYTE,
    }
}

/// The text of the file that lists `modules`. It does not compile if the shapes differ from what the tables assume.
fn module_list(folder: &str, modules: &[String]) -> String {
    let modules: String = modules.iter().map(|module| format!("pub(crate) mod {module};\n")).collect();
    let (imports, assumptions) = if folder == SINGLE_BYTE {
        let shape = format!(
            "SingleByteIndex::BLOCK == {BYTE_BLOCK} && SingleByteIndex::ALIGN == {BYTE_ALIGN} && SingleByteIndex::NO_BLOCK == {NO_BLOCK}"
        );
        ("{NULL, SingleByteIndex}", shape)
    } else {
        let assumptions = [pointers::assumptions(), square::assumptions()].join(" && ");
        ("{Area, NULL, PointerTable, Rules, Unlisted}", assumptions)
    };
    let assumptions: String =
        assumptions.split(" && ").map(|assumption| format!("const _: () = assert!({assumption});\n")).collect();
    format!(
        "{}{FINGERPRINTS}.
//! The tables of the indexes, and what they assume.

use textcodec_core::index::{imports};

{modules}
const _: () = assert!(NULL == {NULL:#X});
{assumptions}",
        files::generated_by(COMMAND),
    )
}

/// The text of the file with the tables of `index`.
fn file(index: &Index) -> Result<String> {
    const POINTERS: &str = "{Block, Listed, PointerTable}";
    const SQUARE: &str = "{Area, Block, Listed, PointerTable, SquareIndex, Stretch, Unlisted}";
    const WITH_PIECES: &str = "{Area, Block, Listed, Piece, PointerTable, SquareIndex, Stretch, Unlisted}";
    let (imports, tables) = match index.name.as_str() {
        "jis0208" => {
            check_lowest_pointers(index)?;
            (POINTERS, vec![jis0208_code_points(index)?, pointers(index)?])
        }
        "big5" => (POINTERS, vec![big5_code_points(index)?, pointers(index)?]),
        "gb18030" => (WITH_PIECES, vec![square::square(index)?, pointers(index)?]),
        "euc-kr" => (SQUARE, vec![square::square(index)?, pointers(index)?]),
        "jis0212" => ("{NearlyAscending, Piece}", vec![jis0212_code_points(index)?]),
        "iso-2022-jp-katakana" => ("", vec![code_points(index)?]),
        RANGES => ("", vec![ranges(index)?]),
        _ => ("{Characters, SingleByteIndex}", vec![single_byte(index)?]),
    };
    let imports = if imports.is_empty() { String::new() } else { format!("use textcodec_core::index::{imports};\n\n") };
    Ok(format!(
        "{}{}, Identifier {}.\n//! [Index {}]({}).\n\n{imports}{}",
        files::generated_by(COMMAND),
        index_file::path(&index.name),
        index.identifier(),
        index.name,
        index_file::anchor(&index.name),
        tables.join("\n"),
    ))
}

/// The numbers of the four blocks of code points of a single-byte `index` that texts need most, in that order.
fn windows(index: &Index) -> [u32; 4] {
    let mut weights: BTreeMap<u32, usize> = BTreeMap::new();
    for &(_, code_point) in &index.entries {
        *weights.entry(code_point / BYTE_BLOCK as u32).or_default() += weight(code_point);
    }
    let mut numbers: Vec<u32> = weights.keys().copied().collect();
    numbers.sort_by_key(|number| std::cmp::Reverse(weights[number]));
    // An index with fewer blocks has the first one twice.
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(numbers[0]))
}

/// How often texts have a character, very roughly: so that Vietnamese has its four blocks, of which two hold few letters and tone marks
/// each, French and Romanian their quotation marks, and windows-1252 and its like the euro sign before the florin.
fn weight(code_point: u32) -> usize {
    match code_point {
        // Letters to Unicode: florin, accents that stand alone.
        0x0192 | 0x02B0..=0x02FF | 0x037A => 1,
        0x0300..=0x036F => 10,
        // Dashes and quotation marks.
        0x2013..=0x201E => 4,
        0x20AC => 6,
        _ if char::from_u32(code_point).is_some_and(char::is_alphabetic) => 10,
        _ => 1,
    }
}

/// The table of a single-byte encoding, in both directions.
fn single_byte(index: &Index) -> Result<String> {
    ensure!(index.pointers == 128, "an index of {} pointers is not single-byte", index.pointers);
    let packed = pack_bytes(index);
    let mut by_code_point: Vec<u8> = packed
        .starts
        .iter()
        .map(|start| start.map_or(Ok(NO_BLOCK), |start| u8::try_from(start / BYTE_ALIGN)))
        .collect::<Result<_, _>>()
        .context("a block starts too late")?;
    // ASCII's.
    by_code_point[0] = 0;
    let blocks = by_code_point.len();
    ensure!(packed.values.len() <= usize::from(NO_BLOCK) * BYTE_ALIGN, "a block that is nowhere is among the others");
    by_code_point.extend(packed.values);
    let value = format!(
        "SingleByteIndex {{
    code_points: Characters::new([
{}    ]),
    windows: {:?},
    blocks: {blocks},
    by_code_point: [
{}    ],
}}",
        rust::field(&units(index, &mut |_| None)?),
        windows(index),
        rust::field(&by_code_point),
    );
    let shape = format!("SingleByteIndex<[u8; {}]>", by_code_point.len());
    let doc = "Code points by byte, and bytes by code point.";
    Ok(rust::static_item(doc, "INDEX", &shape, &value))
}

/// Bytes by code point, in blocks.
fn pack_bytes(index: &Index) -> Packed<u8> {
    let mut bytes = BTreeMap::new();
    for &(pointer, code_point) in &index.entries {
        bytes.entry(code_point).or_insert(0x80 + pointer as u8);
    }
    pack(&bytes, 0, BYTE_BLOCK, BYTE_ALIGN)
}

/// The table of code points by pointer, of an index that has none outside the Basic Multilingual Plane.
fn code_points(index: &Index) -> Result<String> {
    let doc = "Code points by pointer; 0xFFFD where there is none.";
    Ok(rust::array(doc, "CODE_POINTS", "u16", &units(index, &mut |_| None)?))
}

/// The same of index jis0208, without the rows that only Shift_JIS has a meaning for.
fn jis0208_code_points(index: &Index) -> Result<String> {
    // As many pointers as a row of Shift_JIS has.
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

/// The same of index jis0212, whose last rows are empty.
fn jis0212_code_points(index: &Index) -> Result<String> {
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

/// `units` from the pointer `first` on, all of which have a code point.
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

/// The code point that most of `units` are less than [`FAR`] above.
fn least_of(units: &[u16]) -> u16 {
    let near = |least: u16| units.iter().filter(|&&unit| unit >= least && unit - least < FAR.into()).count();
    units.iter().copied().max_by_key(|&least| (near(least), Reverse(least))).unwrap_or(NULL)
}

/// `units` by pointer, in pieces between which many are [`NULL`].
pub(crate) fn pieces(units: &[u16]) -> String {
    // As many as the bytes of a piece's own.
    const MANY: usize = 24;
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
    let text = |(first, piece): &(usize, Vec<u16>)| {
        format!("Piece {{ first: {first}, code_points: &[\n{}    ] }}, ", rust::field(piece))
    };
    pieces.iter().map(text).collect()
}

/// The tables of index Big5, which has code points in plane 2: a surrogate in the table of code points is the number of an
/// entry of the other.
fn big5_code_points(index: &Index) -> Result<String> {
    let mut plane_2 = Vec::new();
    let mut units = units(index, &mut |code_point| {
        let number = 0xD800 + u16::try_from(plane_2.len()).ok()?;
        plane_2.push(u16::try_from(code_point.checked_sub(0x2_0000)?).ok()?);
        (0xD800..0xDFFF).contains(&number).then_some(number)
    })?;
    // Two code points each.
    for pointer in [1133, 1135, 1164, 1166] {
        if let Some(unit) = units.get_mut(pointer) {
            ensure!(*unit == NULL, "pointer {pointer} is one of two code points, and has one");
            *unit = 0xDFFF;
        }
    }
    let omitted = units.drain(..FIRST_OF_BIG5);
    ensure!(omitted.eq([NULL; FIRST_OF_BIG5]), "a pointer less than {FIRST_OF_BIG5} has a code point");
    units.extend([NULL; 2]);
    let doc = "Code points by pointer less 942, for six rows are empty; 0xFFFD where there is none, and twice at the end,\n\
               0xD800 + n where it is U+20000 + `PLANE_2[n]`, 0xDFFF for the four pointers of two code points each.";
    let plane_2_doc = "The code points of plane 2, by ascending pointer, less U+20000.";
    let tables = [rust::array(doc, "CODE_POINTS", "u16", &units), rust::array(plane_2_doc, "PLANE_2", "u16", &plane_2)];
    Ok(tables.join("\n"))
}

/// The code points by pointer, [`NULL`] where there is none; those above U+FFFF by way of `beyond`. It is an error if that
/// does not know one, or if a code point could be taken for [`NULL`].
pub(crate) fn units(index: &Index, beyond: &mut dyn FnMut(u32) -> Option<u16>) -> Result<Vec<u16>> {
    let mut units = vec![NULL; index.pointers];
    for &(pointer, code_point) in &index.entries {
        let unit = u16::try_from(code_point).ok().or_else(|| beyond(code_point)).filter(|&unit| unit != NULL);
        units[pointer as usize] =
            unit.with_context(|| format!("the table cannot hold U+{code_point:04X} of pointer {pointer}"))?;
    }
    Ok(units)
}

/// The table of pointers by code point.
fn pointers(index: &Index) -> Result<String> {
    let table = pack_pointers(index)?;
    let anchor = if index.name == "big5" { "index-big5-pointer" } else { "index-pointer" };
    let doc = format!("[Pointers](https://encoding.spec.whatwg.org/#{anchor}) by code point.");
    Ok(rust::static_item(&doc, "POINTERS", "PointerTable", &table.to_string()))
}

/// Pointers by code point, with the rules that the index has.
fn pack_pointers(index: &Index) -> Result<Pointers> {
    let pointers = match index.name.as_str() {
        "big5" => index_big5_pointers(index)?,
        "jis0208" => index_shift_jis_pointers(index)?,
        _ => index_pointers(index)?,
    };
    Pointers::new(&pointers, pointers::stretches(&index.name))
}

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of every code point: its lowest pointer.
pub(crate) fn index_pointers(index: &Index) -> Result<BTreeMap<u32, u16>> {
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

/// It is an error if index Shift_JIS pointer lacks a code point, or is another than the lowest and that is none of those it
/// excludes, or itself not in the last rows.
fn check_lowest_pointers(index: &Index) -> Result<()> {
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

/// The table of ranges. They must ascend by either of their fields, so that both directions can be searched.
fn ranges(index: &Index) -> Result<String> {
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

    fn index(name: &str, pointers: usize, entries: &[(u32, u32)]) -> Index {
        Index { name: name.to_owned(), pointers, entries: entries.to_vec() }
    }

    /// The committed indexes that `wanted` accepts.
    fn committed(wanted: impl Fn(&Index) -> bool) -> Vec<Index> {
        let mut indexes = index_file::read_indexes(files::root()).unwrap();
        indexes.retain(wanted);
        indexes
    }

    /// The first pointer that has `code_point`, by going through the index.
    fn first_pointer(index: &Index, code_point: u32) -> Option<u32> {
        index.entries.iter().find(|entry| entry.1 == code_point).map(|entry| entry.0)
    }

    /// What `packed` has for `code_point`.
    fn look_up<T: Copy>(packed: &Packed<T>, block: usize, code_point: u32) -> Option<T> {
        let start = (*packed.starts.get(code_point as usize / block)?)?;
        Some(packed.values[start + code_point as usize % block])
    }

    #[test]
    fn every_code_point_finds_its_byte() {
        for index in committed(|index| index.pointers == 128) {
            let packed = pack_bytes(&index);
            for code_point in 0..=0x10_FFFF {
                let byte = look_up(&packed, BYTE_BLOCK, code_point).filter(|&byte| byte != 0);
                let expected = first_pointer(&index, code_point).map(|pointer| 0x80 + pointer as u8);
                assert_eq!(byte, expected, "{} U+{code_point:04X}", index.name);
            }
        }
    }

    #[test]
    fn every_code_point_finds_its_pointer() {
        for index in committed(|index| ["big5", "jis0208", "gb18030", "euc-kr"].contains(&index.name.as_str())) {
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

    #[test]
    fn a_code_point_that_no_table_can_hold_is_an_error() {
        for code_point in [0xFFFD, 0x1_0000, 0x3_0000] {
            assert!(big5_code_points(&index("big5", 943, &[(942, code_point)])).is_err());
        }
        assert!(code_points(&index("jis0212", 1, &[(0, 0x2_0000)])).is_err());
    }

    #[test]
    fn surrogates_number_the_code_points_of_plane_2() {
        let text = big5_code_points(&index("big5", 946, &[(942, 0x4E00), (943, 0x2_FFFD), (945, 0x2_0001)])).unwrap();
        assert!(text.contains("[u16; 6] = [\n    0x4E00, 0xD800, 0xFFFD, 0xD801, 0xFFFD, 0xFFFD,\n];\n"), "{text}");
        assert!(text.ends_with("[u16; 2] = [\n    0xFFFD, 0x0001,\n];\n"), "{text}");
    }

    #[test]
    fn a_code_point_in_rows_that_are_omitted_is_an_error() {
        assert!(big5_code_points(&index("big5", 943, &[(941, 0x4E00)])).is_err());
        let text = jis0208_code_points(&index("jis0208", 11280, &[(187, 0x4E00), (10716, 0x4E01)])).unwrap();
        assert!(text.contains("[u8; 60] = [\n    0x00, 0x7E, ") && text.contains("[u16; 378]"), "{text}");
        assert!(text.contains("0x4E00,") && text.contains("0x4E01, 0xFFFD"), "{text}");
    }

    #[test]
    fn ranges_that_do_not_ascend_are_an_error() {
        assert!(ranges(&index(RANGES, 2, &[(0, 0x80), (36, 0x80), (189_000, 0x1_0000)])).is_err());
        assert!(ranges(&index(RANGES, 2, &[(0, 0x80), (36, 0xA5)])).is_err(), "the last one is another");
    }
}
