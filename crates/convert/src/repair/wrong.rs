//! One wrong decoding, and the way back from it.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use textcodec::{Name, charsets::Family};

use super::{
    Verdict,
    evidence::{Evidence, evidence, is_implausible, strongest},
};
use crate::{
    charset::{Charset, EncodeStatus},
    mixed::{decode, decode_cesu_8},
    oddness::oddness,
};

/// Text in one charset that was decoded in another one.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    pub(super) was: Charset,
    pub(super) read_as: Charset,
    /// The byte of each character, for a single-byte charset. The control characters U+0080 to U+009F are there in any
    /// case, because many programs decode bytes without a character to them.
    bytes: Option<BTreeMap<char, u8>>,
}

/// The number of times by which the right text is less odd than the wrong one, if nothing else tells which is right.
pub(super) const CLEARLY: u32 = 3;

/// A byte that is in no text in UTF-8. It stands for a byte that was lost.
const LOST: u8 = 0xFF;

impl Wrong {
    /// `None` if text that was decoded in `read_as` cannot be repaired.
    pub(super) fn new(was: Charset, read_as: Charset) -> Option<Self> {
        let bytes = if read_as.is_single_byte() {
            let mut table: BTreeMap<char, u8> = (0x80..=0x9F_u8).map(|byte| (char::from(byte), byte)).collect();
            // A malformed byte gives no text.
            table.extend((0..=255_u8).filter_map(|byte| Some((decode(&[byte], read_as)?.chars().next()?, byte))));
            Some(table)
        } else {
            let is_all = match read_as.standard() {
                Some(encoding) => read_as.is_wide() || matches!(encoding.id(), Name::Utf8 | Name::Replacement),
                None => read_as.family() == Some(Family::Unicode) || !read_as.is_writable(),
            };
            if is_all {
                return None;
            }
            None
        };
        (was != read_as).then_some(Wrong { was, read_as, bytes })
    }

    /// The character for a byte, of a single-byte charset.
    #[cfg(test)]
    pub(super) fn character_of(&self, byte: u8) -> char {
        let all = self.bytes.iter().flatten().filter(|(_, other)| **other == byte).map(|(character, _)| *character);
        // A control character is there beside the character of the charset.
        all.max_by_key(|character| !matches!(character, '\u{80}'..='\u{9F}')).unwrap_or_default()
    }

    /// The bytes that were decoded wrongly to `line`.
    pub(super) fn bytes_of(&self, line: &str) -> Option<Vec<u8>> {
        match &self.bytes {
            Some(table) => line.chars().map(|character| table.get(&character).copied()).collect(),
            None => encode(self.read_as, line),
        }
    }

    /// The text that was decoded wrongly to `line`, whatever it looks like.
    pub(super) fn undo(&self, line: &str) -> Option<String> {
        let bytes = self.bytes_of(line)?;
        if self.was == Charset::UTF_8 { decode_cesu_8(&bytes) } else { decode(&bytes, self.was) }
    }

    /// As [`undo`](Self::undo); a character of UTF-8 that has lost a byte is U+FFFD, if the line clearly has such ones.
    pub(super) fn undo_with_losses(&self, line: &str) -> Option<String> {
        self.undo(line).or_else(|| match self.judge_lost(line) {
            Verdict::Repaired(text) => Some(text),
            Verdict::Fine | Verdict::Ambiguous(_) => None,
        })
    }

    pub(super) fn judge(&self, line: &str) -> Verdict {
        let Some(text) = self.undo(line) else {
            return self.judge_lost(line);
        };
        match (&self.bytes, self.was) {
            (_, was) if was != Charset::UTF_8 => judge_by_oddness(line, text),
            (Some(_), _) => match strongest(line, &text) {
                None => Verdict::Fine,
                Some(Evidence::Weak) => Verdict::Ambiguous(text),
                Some(Evidence::Strong) => Verdict::Repaired(text),
            },
            (None, _) => {
                let number = text.chars().filter(|character| !character.is_ascii()).count();
                let is_lost = text.chars().all(|character| character.is_ascii() || character == '\u{FFFD}');
                let (before, after) = (oddness(line), oddness(&text));
                match number {
                    0 => Verdict::Fine,
                    _ if text.contains(is_implausible) => Verdict::Ambiguous(text),
                    _ if is_lost => Verdict::Repaired(text),
                    // Ideographs that texts have can have the bytes of rare letters by chance: the bytes of the word
                    // "忙碌" in GBK are the UTF-8 of "æµ".
                    _ if after > before && after as usize * 4 > number => Verdict::Fine,
                    4.. if after as usize * 4 <= number && has_variety(&text) => Verdict::Repaired(text),
                    2.. if before >= CLEARLY && after * CLEARLY <= before => Verdict::Repaired(text),
                    _ => Verdict::Ambiguous(text),
                }
            }
        }
    }

    /// Judges a line of which the wrong decoding has lost a byte: U+FFFD or "?" stands where the charset has no
    /// character for the last byte of a sequence.
    fn judge_lost(&self, line: &str) -> Verdict {
        if self.was != Charset::UTF_8 || !line.contains(['\u{FFFD}', '?']) {
            return Verdict::Fine;
        }
        if let Some(table) = &self.bytes {
            let byte = |character| if character == '\u{FFFD}' { Some(LOST) } else { table.get(&character).copied() };
            let bytes: Option<Vec<u8>> = line.chars().map(byte).collect();
            return match bytes.and_then(|bytes| decode_lost(&bytes, 2)) {
                // The losses alone are no clear sign.
                Some(text) if self.repair_parts(line).is_some() => Verdict::Repaired(text),
                Some(text) if text.chars().any(|character| !character.is_ascii() && character != '\u{FFFD}') => {
                    Verdict::Ambiguous(text)
                }
                _ => Verdict::Fine,
            };
        }
        let mut bytes = Vec::with_capacity(line.len());
        for (number, part) in line.split('\u{FFFD}').enumerate() {
            if number > 0 {
                bytes.push(LOST);
            }
            let Some(part) = encode(self.read_as, part) else { return Verdict::Fine };
            bytes.extend(part);
        }
        let Some(text) = decode_lost(&bytes, 0) else { return Verdict::Fine };
        let number = text.chars().filter(|&character| character.len_utf8() > 2 && character != '\u{FFFD}').count();
        let rest: String = line.chars().filter(|&character| character != '\u{FFFD}').collect();
        match number {
            0 => Verdict::Fine,
            2.. if !text.contains(is_implausible) && oddness(&rest) >= CLEARLY => Verdict::Repaired(text),
            _ => Verdict::Ambiguous(text),
        }
    }

    /// Repairs the parts of the line that have strong signs; only for UTF-8 in a single-byte charset.
    pub(super) fn repair_parts(&self, line: &str) -> Option<String> {
        let table = self.bytes.as_ref().filter(|_| self.was == Charset::UTF_8)?;
        let characters: Vec<char> = line.chars().collect();
        let byte = |at: usize| characters.get(at).and_then(|character| table.get(character)).copied();
        let (mut repaired, mut at, mut is_changed) = (String::new(), 0, false);
        while at < characters.len() {
            let length = byte(at).map_or(1, sequence_length);
            let bytes: Vec<u8> = (at..at + length).map_while(byte).collect();
            let found = core::str::from_utf8(&bytes).ok().filter(|_| length > 1 && bytes.len() == length);
            if let Some(character) = found.and_then(|text| text.chars().next())
                && evidence(&characters, at, length, character) == Evidence::Strong
            {
                repaired.push(character);
                is_changed = true;
                at += length;
                continue;
            }
            // A program or a person has turned the no-break space of "Ã " into a space.
            if characters[at] == 'Ã'
                && characters.get(at + 1) == Some(&' ')
                && at > 0
                && characters[at - 1].is_lowercase()
                && byte(at) == Some(0xC3)
            {
                let is_doubled = characters.get(at + 2) == Some(&' ');
                repaired.push('à');
                is_changed = true;
                at += if is_doubled { 2 } else { 1 };
                continue;
            }
            repaired.push(characters[at]);
            at += 1;
        }
        is_changed.then_some(repaired)
    }
}

/// Whether the characters of `text` beyond ASCII are three or more, and none is a combining mark. A word that is there
/// several times, such as the name of a host, is no better sign than one.
fn has_variety(text: &str) -> bool {
    let mut letters: Vec<char> = text.chars().filter(|character| !character.is_ascii()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len() >= 3 && !letters.iter().any(|letter| matches!(letter, '\u{300}'..='\u{36F}'))
}

/// Judges `text`, which was decoded wrongly to `line` if the caller is right about the charsets.
fn judge_by_oddness(line: &str, text: String) -> Verdict {
    if text == line {
        return Verdict::Fine;
    }
    let (before, after) = (oddness(line), oddness(&text));
    // Words that are written in upper case by mistake are no oddness: KOI8-R has the letters of windows-1251 in the
    // other case.
    let upper = |text: &str| text.chars().filter(|character| character.is_uppercase()).count();
    match after.cmp(&before) {
        core::cmp::Ordering::Greater => Verdict::Fine,
        _ if after * CLEARLY <= before && before > 0 => Verdict::Repaired(text),
        core::cmp::Ordering::Equal if upper(&text) > upper(line) => Verdict::Fine,
        _ => Verdict::Ambiguous(text),
    }
}

/// The text of UTF-8 with [`LOST`] or "?" in the place of bytes that were lost. `None` if another byte is malformed.
/// "?" stands for a lost byte only after so many bytes of a sequence: people write "?" after a letter.
fn decode_lost(bytes: &[u8], before_question_mark: usize) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Err(error) = core::str::from_utf8(rest) {
        let (valid, after) = rest.split_at(error.valid_up_to());
        text += core::str::from_utf8(valid).ok()?;
        let begun = if after[0] == LOST { 0 } else { error.error_len().unwrap_or(after.len()) };
        if begun > 0 && sequence_length(after[0]) <= begun {
            return None;
        }
        let mut end = match after.get(begun) {
            Some(&LOST) => begun + 1,
            Some(b'?') if begun >= before_question_mark => begun + 1,
            _ => return None,
        };
        // The bytes after the lost one can belong to its character.
        while begun == 0 && matches!(after.get(end), Some(0x80..=0xBF)) {
            end += 1;
        }
        text.push('\u{FFFD}');
        rest = &after[end..];
    }
    text += core::str::from_utf8(rest).ok()?;
    Some(text)
}

/// The bytes of `text`, if the charset has all characters.
pub(super) fn encode(charset: Charset, text: &str) -> Option<Vec<u8>> {
    let mut encoder = charset.new_encoder()?;
    // No charset needs more for a character than a character and two escape sequences in ISO-2022-JP.
    let mut bytes = alloc::vec![0; text.len() * 4 + 16];
    let encoded = encoder.encode(text, &mut bytes, true);
    bytes.truncate(encoded.written);
    (encoded.status == EncodeStatus::InputEmpty).then_some(bytes)
}

/// The length of the UTF-8 sequence that starts with this byte; 1 for bytes that start none.
fn sequence_length(byte: u8) -> usize {
    match byte {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn a_lost_byte_takes_its_character_with_it_and_another_malformed_byte_none() {
        for (bytes, before_question_mark, expected) in [
            (&b"a\xE2\x82\xFFb"[..], 2, Some("a\u{FFFD}b")),
            (b"\xFF\x82\xACb", 2, Some("\u{FFFD}b")),
            (b"\xE2\xFF\xAC", 2, None),
            (b"\xE2\x82?b", 2, Some("\u{FFFD}b")),
            (b"\xC3?b", 2, None),
            (b"\xC3?b", 1, Some("\u{FFFD}b")),
            (b"\x80\xFF", 0, None),
            (b"\xC0\xFF", 0, None),
            (b"\xE2\x82", 0, None),
            (b"\xE2\x82b", 0, None),
            (b"\xC3\xA9?", 2, Some("é?")),
            (b"\xF0\x9F\x98\xFFb", 2, Some("\u{FFFD}b")),
            (b"\xF0\x9F\x98\x80\xFF", 2, Some("😀\u{FFFD}")),
        ] {
            assert_eq!(decode_lost(bytes, before_question_mark).as_deref(), expected, "{bytes:X?}");
        }
    }

    #[test]
    fn three_different_characters_without_marks_are_a_variety() {
        for (text, expected) in [
            ("用户名", true),
            ("用户用户", false),
            ("用户 a 用", false),
            ("用户é", true),
            ("用户é\u{301}", false),
            ("用户名\u{36F}", false),
            ("用户名\u{370}", true),
            ("", false),
        ] {
            assert_eq!(has_variety(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_odder_can_be_the_right_one() {
        // "×" after a letter is odd, and "é" is not.
        for (line, text, expected) in [
            ("a×", "a×", 'F'),
            ("a×", "aé", 'R'),
            ("é", "è", 'A'),
            ("é", "a×", 'F'),
            ("a× a× a×", "a× aé", 'R'),
            ("a× a×", "a× aé", 'A'),
            ("a× a× a× a× a×", "a× a× aé", 'A'),
            ("a× a× a× a× a× a×", "a× a× aé", 'R'),
            // Words in upper case by mistake.
            ("é", "É", 'F'),
            ("É", "é", 'A'),
            ("Éa", "Èa", 'A'),
        ] {
            let verdict = match judge_by_oddness(line, text.into()) {
                Verdict::Fine => 'F',
                Verdict::Ambiguous(_) => 'A',
                Verdict::Repaired(_) => 'R',
            };
            assert_eq!(verdict, expected, "{line} {text}");
        }
    }

    #[test]
    fn a_space_after_a_letter_stands_for_a_no_break_space() {
        let wrong = Wrong::new(Charset::UTF_8, textcodec::WINDOWS_1252.into()).unwrap();
        for (line, expected) in [
            ("voilÃ  le", Some("voilà le")),
            ("voilÃ le", Some("voilà le")),
            ("voilÃ   le", Some("voilà  le")),
            ("VOILÃ  LE", None),
            (" Ã  le", None),
            ("Ã  le", None),
            ("voilÃ", None),
        ] {
            assert_eq!(wrong.repair_parts(line).as_deref(), expected, "{line:?}");
        }
        // In windows-1251, the byte C3 is another letter.
        let other = Wrong::new(Charset::UTF_8, textcodec::WINDOWS_1254.into()).unwrap();
        assert_eq!(other.repair_parts("voilÃ  le").as_deref(), Some("voilà le"));
        let other = Wrong::new(Charset::UTF_8, textcodec::MACINTOSH.into()).unwrap();
        assert_eq!(other.repair_parts("voilÃ  le"), None);
    }

    #[test]
    fn every_charset_writes_the_texts_of_which_it_has_the_characters() {
        // Each character of ISO-2022-KR and of HZ between ASCII needs two shifts.
        for charset in Charset::all() {
            let text = "aßa日a한a☃aя".repeat(20);
            let text: String = text.chars().filter(|it| charset.can_encode(it.encode_utf8(&mut [0; 4]))).collect();
            if let Some(bytes) = encode(charset, &text) {
                let mark = if charset.needs_bom() { charset.bom() } else { &[] };
                assert_eq!(decode(&[mark, &bytes].concat(), charset).as_deref(), Some(&*text), "{charset}");
            } else {
                assert!(!charset.is_writable(), "{charset}");
            }
        }
    }

    #[test]
    fn a_text_with_characters_that_no_text_has_is_never_certain() {
        let wrong = Wrong::new(Charset::UTF_8, textcodec::GBK.into()).unwrap();
        let mut number = 0;
        for start in ["", "a", "用", "用户", "用户名", "用户名字", "用户名字和"] {
            for end in ["", "a", "密", "密码"] {
                for (middle, is_expected) in [("\u{E000}", false), ("字", true)] {
                    let text = format!("{start}{middle}{end}");
                    let Some(line) = decode(text.as_bytes(), textcodec::GBK.into()) else { continue };
                    let is_long = text.chars().filter(|it| !it.is_ascii()).count() > 3;
                    let is_repaired = matches!(wrong.judge(&line), Verdict::Repaired(_));
                    assert!(!is_repaired || is_expected, "{text}: {line}");
                    number += u32::from(is_long && !is_expected) + 100 * u32::from(is_repaired);
                }
            }
        }
        // Some texts of both kinds are text in GBK, too.
        assert!(number % 100 > 3 && number > 300, "{number}");
    }
}
