//! The encodings as the scripts of the pages need them: sections, their characters, and which of them encode back.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use serde::Serialize;
use textcodec::{Encoding, Name, index};

use crate::section::{Section, hex_of_bytes, sections};

/// Stands for "no character" in the strings of sections and indexes. No index contains U+FFFD.
pub(crate) const NONE: char = '\u{FFFD}';

/// Everything about one encoding that its bytes and characters show.
#[derive(Debug, Serialize)]
pub(crate) struct EncodingData {
    /// The name in the Standard.
    pub(crate) name: &'static str,
    /// The name of its page, without extension.
    pub(crate) slug: String,
    /// The labels, the name's own among them.
    pub(crate) labels: Vec<&'static str>,
    /// The arithmetic that converts what is in no section.
    pub(crate) algorithm: Option<&'static str>,
    /// The rectangles of byte sequences.
    pub(crate) sections: Vec<SectionData>,
    /// Characters that are encoded to a sequence which is decoded to another character, or which the decoder rejects:
    /// the code point and the sequence in hex digits.
    #[serde(rename = "encodeOnly")]
    pub(crate) encode_only: Vec<(u32, String)>,
}

/// One section.
#[derive(Debug, Serialize)]
pub(crate) struct SectionData {
    pub(crate) title: &'static str,
    pub(crate) index: Option<&'static str>,
    pub(crate) rows: Vec<String>,
    pub(crate) columns: Vec<String>,
    /// The escape sequence in hex digits.
    pub(crate) escape: String,
    /// The characters by pointer, if they are not those of the index; [`NONE`] where there is none.
    pub(crate) text: Option<String>,
    /// Characters that the decoder knows by a rule, beside the index: first pointer, how many pointers, and the text of
    /// the first. If there are more than one, their code points ascend with the pointers.
    #[serde(rename = "byRule")]
    pub(crate) by_rule: Vec<(usize, usize, String)>,
    /// Lengths of runs of pointers, the first of pointers that the encoder does not produce, the second of pointers
    /// that it produces, and so on by turns.
    pub(crate) encodes: Vec<usize>,
    /// How many sequences decode.
    pub(crate) decoded: usize,
    /// How many sequences decode to a text that encodes to the same sequence.
    pub(crate) both: usize,
}

/// The data of all encodings, in the Standard's order.
pub(crate) fn all() -> Result<Vec<EncodingData>> {
    Encoding::all().map(data).collect()
}

/// The file name of a page or a data file about `name`.
pub(crate) fn slug(name: &str) -> String {
    name.to_ascii_lowercase().replace([':', '_'], "-")
}

fn data(encoding: Encoding) -> Result<EncodingData> {
    let mut canonical = HashMap::new();
    let sections = sections(encoding)
        .iter()
        .map(|section| section_data(encoding, section, &mut canonical))
        .collect::<Result<_>>()?;
    let algorithm = match encoding.id() {
        Name::Utf8 => Some("utf-8"),
        Name::Utf16Be => Some("utf-16be"),
        Name::Utf16Le => Some("utf-16le"),
        Name::Gb18030 => Some("gb18030"),
        // The decoder of gb18030, and an encoder without four-byte sequences.
        Name::Gbk => Some("gbk"),
        _ => None,
    };
    let mut encode_only = Vec::new();
    if !matches!(encoding.id(), Name::Utf8 | Name::Utf16Be | Name::Utf16Le | Name::Replacement) {
        for character in '\0'..=char::MAX {
            let Some(hex) = encode(encoding, character.encode_utf8(&mut [0; 4])) else { continue };
            if canonical.get(&character) == Some(&hex) || algorithm.is_some() && hex.len() == 8 {
                continue;
            }
            encode_only.push((character as u32, hex));
        }
    }
    let labels = encoding.labels().collect();
    Ok(EncodingData { name: encoding.name(), slug: slug(encoding.name()), labels, algorithm, sections, encode_only })
}

fn section_data(encoding: Encoding, section: &Section, canonical: &mut HashMap<char, String>) -> Result<SectionData> {
    let index = section.index.and_then(|name| index::ALL.iter().find(|index| index.name() == name));
    let mut text = String::new();
    let mut by_rule: Vec<(usize, usize, String)> = Vec::new();
    let mut encodes = vec![0];
    let (mut decoded, mut both) = (0, 0);
    for pointer in 0..section.len() {
        let decoding = section.decode(encoding, pointer);
        let character = decoding.as_deref().and_then(only);
        decoded += usize::from(decoding.is_some());
        match index.and_then(|index| index.code_point(pointer)) {
            Some(in_index) => ensure!(
                character == Some(in_index),
                "{encoding}: {} is not decoded to U+{:04X}, as the index has it",
                section.hex(pointer),
                in_index as u32
            ),
            None if index.is_some() => {
                if let Some(decoding) = &decoding {
                    extend_rule(&mut by_rule, pointer, decoding);
                }
            }
            None => text.push(character.unwrap_or(NONE)),
        }
        let hex = section.hex(pointer);
        let is_canonical =
            decoding.as_deref().is_some_and(|text| encode_in(encoding, text, section).as_ref() == Some(&hex));
        if let (true, Some(character)) = (is_canonical, character) {
            canonical.entry(character).or_insert(hex);
        }
        both += usize::from(is_canonical);
        if (encodes.len() % 2 == 0) != is_canonical {
            encodes.push(0);
        }
        *encodes.last_mut().expect("there is a first run") += 1;
    }
    Ok(SectionData {
        title: section.title,
        index: section.index,
        rows: section.rows.clone(),
        columns: section.columns.clone(),
        escape: hex_of_bytes(section.escape),
        text: index.is_none().then_some(text),
        by_rule,
        encodes,
        decoded,
        both,
    })
}

/// Appends the text of `pointer` to the last rule if it continues it.
fn extend_rule(rules: &mut Vec<(usize, usize, String)>, pointer: usize, text: &str) {
    if let (Some((first, length, start)), Some(character)) = (rules.last_mut(), only(text))
        && *first + *length == pointer
        && only(start).is_some_and(|start| start as usize + *length == character as usize)
    {
        *length += 1;
    } else {
        rules.push((pointer, 1, text.to_owned()));
    }
}

/// The only character of `text`; `None` if there are more.
fn only(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// The bytes of `text` in hex digits, without the escape sequences of ISO-2022-JP; `None` if the encoding cannot encode
/// it.
fn encode(encoding: Encoding, text: &str) -> Option<String> {
    let bytes = encoding.encode_or_fail(text).ok()?;
    Some(if encoding.id() == Name::Iso2022Jp { hex_of_bytes(without_escapes(&bytes).1) } else { hex_of_bytes(&bytes) })
}

/// As [`encode`]; `None` also if the encoder writes the text with another escape sequence than the section's.
fn encode_in(encoding: Encoding, text: &str, section: &Section) -> Option<String> {
    if encoding.id() != Name::Iso2022Jp {
        return encode(encoding, text);
    }
    let bytes = encoding.encode_or_fail(text).ok()?;
    let (escape, bytes) = without_escapes(&bytes);
    (escape == section.escape).then(|| hex_of_bytes(bytes))
}

/// The escape sequence in front of a character of ISO-2022-JP, and the bytes of the character.
fn without_escapes(bytes: &[u8]) -> (&[u8], &[u8]) {
    if bytes.first() != Some(&0x1B) {
        return (b"", bytes);
    }
    let (escape, rest) = bytes.split_at(3);
    (escape, rest.strip_suffix(b"\x1B(B").unwrap_or(rest))
}
