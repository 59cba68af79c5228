//! Derives the indexes from the behaviour of another implementation of the Standard, the crate `encoding_rs`: the code
//! point that a byte sequence decodes to is the code point of its pointer. The Identifiers prove the result.

use std::{ops::Range, path::Path};

use anyhow::{Context, Result, bail, ensure};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS};

use crate::{
    files,
    index_file::{self, Index, RANGES},
};

/// Derives every index that has a fingerprint, and writes its file. If any index differs from its fingerprint, nothing
/// is written.
pub(crate) fn derive_indexes(root: &Path) -> Result<()> {
    let fingerprints = index_file::read_fingerprints(root)?;
    let mut texts = Vec::new();
    for fingerprint in &fingerprints {
        let name = &fingerprint.index;
        let index = Index { name: name.clone(), pointers: fingerprint.pointers, entries: entries(name)? };
        index.verify(fingerprint).with_context(|| format!("index {name} as derived"))?;
        texts.push((index_file::path(name), index_file::format(&index, fingerprint)));
    }
    for (path, text) in &texts {
        if !files::ensure_file_contents(&root.join(path), text, false)? {
            println!("updated {path}");
        }
    }
    println!("{0} of {0} indexes have their Identifier", texts.len());
    Ok(())
}

/// The pointers and code points of the index called `name`, by ascending pointer.
fn entries(name: &str) -> Result<Vec<(u32, u32)>> {
    match name {
        "jis0208" => jis0208(),
        "jis0212" => Ok(decode_all(EUC_JP, 0..94 * 94, |pointer| [&[0x8F][..], &euc_bytes(pointer)].concat())),
        "iso-2022-jp-katakana" => iso_2022_jp_katakana(),
        "big5" => big5(),
        "euc-kr" => Ok(decode_all(EUC_KR, 0..126 * 190, euc_kr_bytes)),
        "gb18030" => Ok(decode_all(GB18030, 0..126 * 190, |pointer| row_bytes(pointer, 190, 0x41))),
        RANGES => gb18030_ranges(),
        _ => single_byte(name),
    }
}

fn single_byte(name: &str) -> Result<Vec<(u32, u32)>> {
    let encoding = Encoding::for_label(name.as_bytes()).with_context(|| format!("there is no index {name}"))?;
    ensure!(encoding.is_single_byte(), "{name} is not a single-byte encoding");
    Ok(decode_all(encoding, 0..128, |pointer| vec![0x80 + pointer as u8]))
}

/// Index jis0208 consists of the characters that Shift_JIS decodes, without the end-user-defined characters, which the
/// decoder computes. Its first 94 rows are the rows of EUC-JP.
fn jis0208() -> Result<Vec<(u32, u32)>> {
    let end_user_defined = 8836..=10715;
    let mut entries = decode_all(SHIFT_JIS, 0..60 * 188, shift_jis_bytes);
    entries.retain(|(pointer, _)| !end_user_defined.contains(pointer));

    let euc_jp = decode_all(EUC_JP, 0..94 * 94, euc_bytes);
    ensure!(entries.starts_with(&euc_jp), "Shift_JIS and EUC-JP do not agree on index jis0208");
    Ok(entries)
}

/// Index ISO-2022-JP katakana consists of the characters that the encoder of ISO-2022-JP writes for half-width
/// katakana.
fn iso_2022_jp_katakana() -> Result<Vec<(u32, u32)>> {
    let mut entries = Vec::new();
    for (pointer, half_width) in (0..).zip('\u{FF61}'..='\u{FF9F}') {
        let text = half_width.to_string();
        let (bytes, _, _) = ISO_2022_JP.encode(&text);
        let [0x1B, b'$', b'B', leading, trailing, 0x1B, b'(', b'B'] = bytes[..] else {
            bail!("ISO-2022-JP does not encode {} as one character of jis0208", half_width.escape_unicode());
        };
        // The same row and cell in EUC-JP, where both bytes are 0x80 higher.
        let full_width = decode_one(EUC_JP, &[leading + 0x80, trailing + 0x80]);
        entries.push((pointer, full_width.context("not in index jis0208")?));
    }
    Ok(entries)
}

/// Index Big5 consists of the characters that Big5 decodes, without the four pointers that decode to two code points
/// each.
fn big5() -> Result<Vec<(u32, u32)>> {
    let bytes = |pointer| row_bytes(pointer, 157, 0x62);
    let with_two_code_points: Vec<u32> =
        (0..126 * 157).filter(|&pointer| decode(BIG5, &bytes(pointer)).is_some_and(|text| text.len() > 1)).collect();
    ensure!(with_two_code_points == [1133, 1135, 1164, 1166], "two code points each: {with_two_code_points:?}");
    Ok(decode_all(BIG5, 0..126 * 157, bytes))
}

/// The ranges are the runs in which code points ascend with their pointers. U+E7C7, to which
/// [index gb18030 ranges code point](https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point) maps
/// pointer 7457 whatever the range says, does not interrupt its run.
fn gb18030_ranges() -> Result<Vec<(u32, u32)>> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (pointer, code_point) in decode_all(GB18030, 0..126 * 12600, four_bytes) {
        let (first_pointer, first_code_point) = ranges.last().copied().unwrap_or_default();
        let expected = first_code_point + (pointer - first_pointer);
        if pointer == 7457 {
            ensure!(code_point == 0xE7C7, "pointer 7457 is not U+E7C7");
        } else if ranges.is_empty() || code_point != expected {
            ranges.push((pointer, code_point));
        }
    }
    Ok(ranges)
}

/// The pointers whose bytes decode to one code point, with that code point.
fn decode_all(encoding: &'static Encoding, pointers: Range<u32>, bytes: impl Fn(u32) -> Vec<u8>) -> Vec<(u32, u32)> {
    pointers.filter_map(|pointer| Some((pointer, decode_one(encoding, &bytes(pointer))?))).collect()
}

/// The code point that all of `bytes` decode to; `None` if there is an error or more than one code point.
fn decode_one(encoding: &'static Encoding, bytes: &[u8]) -> Option<u32> {
    match decode(encoding, bytes)?[..] {
        [code_point] => Some(code_point),
        _ => None,
    }
}

/// The code points that `bytes` decode to; `None` if any of them is in error, so that an ASCII byte that is restored
/// after an error is never taken for a mapping.
fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Option<Vec<u32>> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.chars().map(u32::from).collect())
}

fn euc_bytes(pointer: u32) -> Vec<u8> {
    vec![(pointer / 94 + 0xA1) as u8, (pointer % 94 + 0xA1) as u8]
}

fn euc_kr_bytes(pointer: u32) -> Vec<u8> {
    vec![(pointer / 190 + 0x81) as u8, (pointer % 190 + 0x41) as u8]
}

fn shift_jis_bytes(pointer: u32) -> Vec<u8> {
    let mut bytes = row_bytes(pointer, 188, 0x41);
    if pointer / 188 >= 0x1F {
        bytes[0] += 0xC1 - 0x81;
    }
    bytes
}

/// The bytes of `pointer` among rows of `row` pointers. Leading bytes start at 0x81. The trailing bytes of the first 63
/// places in a row are 0x40 to 0x7E; any other trailing byte is its place in the row plus `offset`.
fn row_bytes(pointer: u32, row: u32, offset: u32) -> Vec<u8> {
    let place = pointer % row;
    let trailing = place + if place < 0x3F { 0x40 } else { offset };
    vec![(pointer / row + 0x81) as u8, trailing as u8]
}

fn four_bytes(pointer: u32) -> Vec<u8> {
    let first = pointer / 12600 + 0x81;
    let second = pointer / 1260 % 10 + 0x30;
    let third = pointer / 10 % 126 + 0x81;
    let fourth = pointer % 10 + 0x30;
    [first, second, third, fourth].map(|byte| byte as u8).to_vec()
}
