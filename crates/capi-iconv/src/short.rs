//! Short texts in single-byte charsets.
//!
//! The kernels of `textcodec` make a table for each call, which takes 40 ns for a decoder and 300 ns for an encoder.
//! Programs call iconv for single words, so this library keeps tables: one for each charset that a process uses.

use std::sync::OnceLock;

use textcodec::{DecodeErrorMode, DecodeStatus, EncodeErrorMode};

use crate::table::{Decoder, Encoder, Table};

/// The tables of a charset, made when they are needed for the first time. `None` inside if the charset has none.
pub(crate) type Cell = OnceLock<Option<Box<SingleByte>>>;

/// The greatest length in bytes of a short text. For longer ones the kernels are faster (Zen 5).
pub(crate) const LONGEST: usize = 768;

/// The greatest length in bytes of a text that is decoded from a charset that has ASCII letters at their places:
/// kernels copy ASCII.
const DECODED_WITH_ASCII: usize = 96;

/// The tables of a single-byte charset.
pub(crate) struct SingleByte {
    /// The code unit of each byte, or [`SingleByte::NONE`].
    units: [u16; 256],
    /// For the upper byte of a code unit, the place of its block.
    places: [u8; 256],
    /// For the lower byte of a code unit, its byte; 0 for none, and for the character of byte 00. The first block is
    /// empty.
    blocks: Vec<[u8; 256]>,
}

impl SingleByte {
    /// No character is U+FFFF.
    const NONE: u16 = 0xFFFF;

    /// The tables of `table`; `None` if it is not a single-byte charset.
    pub(crate) fn new(table: Table) -> Option<Self> {
        if !table.is_single_byte() {
            return None;
        }
        let mut tables = SingleByte { units: [Self::NONE; 256], places: [0; 256], blocks: vec![[0; 256]] };
        let (mut decoder, mut encoder) = (Decoder::new(table), Encoder::new(table)?);
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let mut text = String::with_capacity(1024);
        let mut start = 0;
        while start < bytes.len() {
            text.clear();
            let result = decoder.decode_to_string(&bytes[start..], &mut text, false, DecodeErrorMode::Fatal);
            for (unit, character) in tables.units[start..].iter_mut().zip(text.chars()) {
                *unit = u16::try_from(u32::from(character)).ok()?;
            }
            tables.add_bytes(&mut encoder, &text)?;
            if result.status == DecodeStatus::InputEmpty {
                return Some(tables);
            }
            start += result.read;
        }
        Some(tables)
    }

    /// Adds the bytes of the characters of `text`.
    fn add_bytes(&mut self, encoder: &mut Encoder, text: &str) -> Option<()> {
        let mut read = 0;
        while read < text.len() {
            let mut bytes = [0; 256];
            let result = encoder.encode_str(&text[read..], &mut bytes, false, EncodeErrorMode::Fatal);
            for (character, byte) in text[read..].chars().zip(&bytes[..result.written]) {
                let [upper, lower] = u16::try_from(u32::from(character)).ok()?.to_be_bytes();
                if self.places[usize::from(upper)] == 0 {
                    self.places[usize::from(upper)] = u8::try_from(self.blocks.len()).ok()?;
                    self.blocks.push([0; 256]);
                }
                self.blocks[usize::from(self.places[usize::from(upper)])][usize::from(lower)] = *byte;
            }
            // An unmappable character is read, too.
            read += result.read;
        }
        Some(())
    }

    fn byte(&self, unit: u16) -> Option<u8> {
        let [upper, lower] = unit.to_be_bytes();
        let block = self.blocks.get(usize::from(self.places[usize::from(upper)]))?;
        Some(block[usize::from(lower)]).filter(|byte| *byte != 0)
    }

    /// Whether the kernels are slower for a text of this length.
    pub(crate) fn is_short(&self, length: usize) -> bool {
        length <= DECODED_WITH_ASCII || self.units[usize::from(b'e')] != u16::from(b'e')
    }

    /// Decodes to UTF-8 up to the first byte without a character, or one that does not fit. Returns the numbers of
    /// bytes that were read and written.
    pub(crate) fn decode(&self, source: &[u8], out: &mut [u8]) -> (usize, usize) {
        let mut written = 0;
        for (read, byte) in source.iter().enumerate() {
            let unit = self.units[usize::from(*byte)];
            match (unit, &mut out[written..]) {
                (..0x80, [to, ..]) => {
                    *to = unit as u8;
                    written += 1;
                }
                (0x80..0x800, [first, second, ..]) => {
                    (*first, *second) = (0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8);
                    written += 2;
                }
                (0x800..=0xFFFE, [first, second, third, ..]) => {
                    let (upper, lower) = (0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8);
                    (*first, *second, *third) = (0xE0 | (unit >> 12) as u8, upper, lower);
                    written += 3;
                }
                _ => return (read, written),
            }
        }
        (source.len(), written)
    }

    /// Encodes UTF-8 up to the first sequence without a byte. Returns the numbers of bytes that were read and written.
    pub(crate) fn encode(&self, source: &[u8], out: &mut [u8]) -> (usize, usize) {
        let mut read = 0;
        for (written, to) in out.iter_mut().enumerate() {
            let (unit, length) = match source[read..] {
                [byte @ ..0x80, ..] => (byte.into(), 1),
                [first @ 0xC2..=0xDF, second @ 0x80..=0xBF, ..] => {
                    (u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F), 2)
                }
                [first @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..] => {
                    let unit = u16::from(first) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F);
                    // Sequences that are too long have no byte, and surrogates have none.
                    (if unit < 0x800 { Self::NONE } else { unit }, 3)
                }
                _ => return (read, written),
            };
            let Some(byte) = self.byte(unit) else { return (read, written) };
            *to = byte;
            read += length;
        }
        (read, out.len())
    }

    /// Converts to another charset up to the first byte without a character there.
    pub(crate) fn recode(&self, other: &SingleByte, source: &[u8], out: &mut [u8]) -> (usize, usize) {
        let mut length = 0;
        for (from, to) in source.iter().zip(out) {
            let Some(byte) = other.byte(self.units[usize::from(*from)]) else { break };
            *to = byte;
            length += 1;
        }
        (length, length)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use textcodec::charsets::Charset;

    use super::*;

    /// The character of a byte.
    fn character(charset: Charset, byte: u8) -> Option<char> {
        let (text, had_errors) = charset.decode(&[byte]);
        text.chars().next().filter(|_| !had_errors)
    }

    /// Kernels convert what the tables leave, so no other test sees what they lack: only the character of byte 00.
    #[test]
    fn the_tables_have_every_character_of_every_single_byte_charset_and_no_other() {
        let mut earlier: Option<(SingleByte, BTreeMap<char, u8>)> = None;
        let charsets =
            Charset::all().filter_map(|charset| Some((charset, SingleByte::new(Table::of_charset(charset))?)));
        let mut count = 0;
        for (charset, tables) in charsets {
            let mut bytes = BTreeMap::new();
            for byte in 0..=u8::MAX {
                let character = character(charset, byte);
                let text = character.map(String::from).unwrap_or_default();
                let mut out = [0xAA; 4];
                let expected = (usize::from(character.is_some()), text.len());
                assert_eq!(tables.decode(&[byte], &mut out), expected, "{byte:02X} in {}", charset.name());
                assert_eq!(&out[..text.len()], text.as_bytes(), "{byte:02X} in {}", charset.name());
                for space in 0..text.len() {
                    assert_eq!(tables.decode(&[byte], &mut out[..space]), (0, 0), "{byte:02X} in {}", charset.name());
                }
                if let (Some(character), Ok(&[encoded @ 1..=u8::MAX])) =
                    (character, charset.encode_or_fail(&text).as_deref())
                {
                    bytes.insert(character, encoded);
                }
                if let Some((other, of_other)) = &earlier {
                    let expected = character.and_then(|character| of_other.get(&character));
                    let number = usize::from(expected.is_some());
                    assert_eq!(tables.recode(other, &[byte], &mut out), (number, number), "{byte:02X}");
                    assert!(expected.is_none_or(|expected| *expected == out[0]), "{byte:02X}");
                    assert_eq!(tables.recode(other, &[byte], &mut []), (0, 0));
                }
            }
            // For some charsets, also the characters that they lack.
            let is_sample = count % 16 == 0;
            let others = ('\0'..='\u{FFFF}').filter(|_| is_sample);
            for character in bytes.keys().copied().chain(others) {
                let (text, mut out) = (String::from(character), [0xAA]);
                let expected = bytes.get(&character);
                let numbers = expected.map_or((0, 0), |_| (text.len(), 1));
                assert_eq!(tables.encode(text.as_bytes(), &mut out), numbers, "{character:?} in {}", charset.name());
                assert_eq!(out[0], *expected.unwrap_or(&0xAA), "{character:?} in {}", charset.name());
                assert_eq!(tables.encode(text.as_bytes(), &mut []), (0, 0));
                for length in 0..text.len() {
                    assert_eq!(tables.encode(&text.as_bytes()[..length], &mut out), (0, 0), "{character:?}");
                }
            }
            const OTHERS: [u8; 8] = [0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xAC, 0xBF, 0xC3];
            let pairs = OTHERS.into_iter().flat_map(|second| OTHERS.map(|third| (second, third)));
            let sources =
                (0x80..=u8::MAX).flat_map(|first| pairs.clone().map(move |(second, third)| [first, second, third]));
            for source in sources.filter(|_| is_sample) {
                if str::from_utf8(&source).is_err_and(|error| error.valid_up_to() == 0) {
                    assert_eq!(tables.encode(&source, &mut [0; 4]), (0, 0), "{source:02X?} in {}", charset.name());
                }
            }
            earlier = Some((tables, bytes));
            count += 1;
        }
        assert!(count > 100, "{count}");
    }
}
