//! Letters and marks that glibc composes while it decodes: Vietnamese and Hebrew have marks as characters of their own.

use std::{collections::BTreeSet, fmt::Write as _, path::Path};

use anyhow::{Context, Result, ensure};

use super::{
    FOLDER,
    families::{header, identifier},
    mapping::Mapping,
    sources,
};
use crate::{files, rust};

/// The charsets with letters and marks.
const CHARSETS: [&str; 3] = ["CP1255", "CP1258", "TCVN5712-1"];
/// The columns of `compositions.tsv`.
const HEAD: [&str; 4] = ["charset", "letter", "mark", "composed"];

fn path() -> String {
    format!("{FOLDER}/compositions.tsv")
}

/// Whether a code point is a mark of Vietnamese or Hebrew.
fn is_mark(code_point: u32) -> bool {
    matches!(code_point, 0x300..=0x36F | 0x5B0..=0x5C7)
}

/// Writes `compositions.tsv`: glibc decodes each letter with one mark, and with two.
pub(super) fn derive(root: &Path, mappings: &[Mapping]) -> Result<()> {
    let mut lines = Vec::new();
    for charset in CHARSETS {
        let mapping = mappings.iter().find(|mapping| mapping.row.name == charset).context("no charset to compose")?;
        let name = mapping.row.names[0].as_deref().context("glibc does not have the charset")?;
        let bytes = |marks: bool| {
            (0..=u8::MAX).zip(mapping.table).filter_map(move |(byte, code_point)| {
                code_point.filter(|&code_point| is_mark(code_point) == marks && code_point >= 0x41).map(|_| byte)
            })
        };
        // A line for each sequence, which no mark can continue.
        let mut sequences = Vec::new();
        for letter in bytes(false) {
            for mark in bytes(true) {
                sequences.push(vec![letter, mark]);
                sequences.extend(bytes(true).map(|second| vec![letter, mark, second]));
            }
        }
        let text = sequences.join(&b'\n');
        let (output, messages) = sources::filter("iconv".as_ref(), &["-f", name, "-t", "UCS-4BE"], &text)?;
        ensure!(messages.is_empty(), "{charset}: {messages}");
        let code_points = sources::utf_32(&output);
        let mut found = BTreeSet::new();
        for (sequence, decoded) in sequences.iter().zip(code_points.split(|code_point| *code_point == 0x0A)) {
            let code_point = |byte: u8| mapping.table[usize::from(byte)];
            match (&sequence[..], decoded) {
                (&[letter, mark], &[composed]) => {
                    found.insert((code_point(letter), code_point(mark), composed));
                }
                (&[_, _, second], &[composed]) => {
                    let first = found.iter().filter(|(letter, mark, _)| {
                        (*letter, *mark) == (code_point(sequence[0]), code_point(sequence[1]))
                    });
                    let first = first.map(|(_, _, composed)| *composed).next();
                    found.insert((
                        Some(first.context("two marks compose, and one does not")?),
                        code_point(second),
                        composed,
                    ));
                }
                _ => {}
            }
        }
        for (letter, mark, composed) in found {
            let hex = |code_point: u32| format!("{code_point:04X}");
            let (letter, mark) = letter.zip(mark).context("a letter or a mark is no character")?;
            lines.push([charset.to_owned(), hex(letter), hex(mark), hex(composed)]);
        }
    }
    let rows = lines.iter().map(|line| line.iter().map(String::as_str).collect());
    files::ensure_file_contents(&root.join(path()), &files::tab_separated(&HEAD, rows), false)?;
    Ok(())
}

/// The module with the compositions of each charset, sorted by mark and letter, and with its table.
pub(super) fn module(root: &Path, mappings: &[Mapping]) -> Result<String> {
    let mut text =
        format!("{}//! Letters, marks, and what they compose.\n\nuse crate::composing::Composition;\n", header());
    for charset in CHARSETS {
        let mapping = mappings.iter().find(|mapping| mapping.row.name == charset).context("no charset to compose")?;
        let units: Vec<u16> = mapping
            .table
            .iter()
            .map(|code_point| u16::try_from(code_point.unwrap_or(0xFFFD)))
            .collect::<Result<_, _>>()?;
        text.push('\n');
        text.push_str(&rust::array(
            &format!("The code unit of each byte of {charset}."),
            &format!("{}_UNITS", identifier(charset)),
            "u16",
            &units,
        ));
    }
    let rows = files::rows(root, &path(), &HEAD)?;
    for charset in CHARSETS {
        let mut entries = Vec::new();
        for [_, letter, mark, composed] in rows.iter().filter(|row| row[0] == charset) {
            entries.push((
                u16::from_str_radix(letter, 16)?,
                u16::from_str_radix(mark, 16)?,
                u16::from_str_radix(composed, 16)?,
            ));
        }
        entries.sort_unstable();
        writeln!(
            text,
            "\n/// The compositions of {charset}, by letter and mark.\npub(crate) static {}: [Composition; {}] = [",
            identifier(charset),
            entries.len()
        )?;
        for line in entries.chunks(4) {
            let items: Vec<String> = line
                .iter()
                .map(|(letter, mark, composed)| format!("(0x{letter:04X}, 0x{mark:04X}, 0x{composed:04X})"))
                .collect();
            writeln!(text, "    {},", items.join(", "))?;
        }
        text.push_str("];\n");
        let mut places = (0..entries.len()).map(u8::try_from).collect::<Result<Vec<_>, _>>()?;
        places.sort_by_key(|place| (entries[usize::from(*place)].2, *place));
        text.push('\n');
        text.push_str(&rust::array(
            &format!("The places of the compositions of {charset}, by the composed character."),
            &format!("{}_BY_COMPOSED", identifier(charset)),
            "u8",
            &places,
        ));
    }
    Ok(text)
}
