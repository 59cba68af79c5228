//! The signs of UTF-8 that was decoded in a single-byte charset.

use alloc::vec::Vec;

use crate::mixed::is_rare;

/// The number of letters in a row that are a word, whatever characters stand for them. No text is right in which so
/// many pairs of characters have the bytes of letters.
const A_WORD: usize = 4;

/// How clearly the characters of a line show that one character was decoded as several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Evidence {
    /// People write these characters in this order, too.
    Weak,
    Strong,
}

/// The strongest evidence in `line`, whose characters are the bytes of `text`. `None` if the bytes are ASCII.
pub(super) fn strongest(line: &str, text: &str) -> Option<Evidence> {
    let characters: Vec<char> = line.chars().collect();
    let mut at = 0;
    let mut strongest = None;
    let mut letters_in_a_row = 0;
    // One Hebrew or Arabic letter alone is no word, but "×" is a sign for multiplication.
    let is_right_to_left = |character: &char| matches!(character, '\u{590}'..='\u{6FF}');
    let has_words = text.chars().filter(is_right_to_left).count() > 1;
    for character in text.chars() {
        let length = character.len_utf8();
        if length > 1 {
            if is_implausible(character) {
                return Some(Evidence::Weak);
            }
            letters_in_a_row = if character.is_alphabetic() { letters_in_a_row + 1 } else { 0 };
            let evidence = match is_right_to_left(&character) {
                _ if letters_in_a_row >= A_WORD => Evidence::Strong,
                true if has_words => Evidence::Strong,
                true => Evidence::Weak,
                false => evidence(&characters, at, length, character),
            };
            strongest = strongest.max(Some(evidence));
        }
        if length == 1 {
            letters_in_a_row = 0;
        }
        at += length;
    }
    strongest
}

/// Whether no text has this character.
pub(super) fn is_implausible(character: char) -> bool {
    // Planes 4 to 13 have no characters.
    let is_unused = matches!(character, '\u{40000}'..='\u{DFFFF}' | '\u{F0000}'..);
    is_unused
        || matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}')
        || u32::from(character) & 0xFFFE == 0xFFFE
}

/// The evidence that the `length` characters of `line` from `at` were one character, `was`.
pub(super) fn evidence(line: &[char], at: usize, length: usize, was: char) -> Evidence {
    let (lead, rest) = (line[at], &line[at + 1..at + length]);
    let before = at.checked_sub(1).map(|before| line[before]);
    let after = line.get(at + length).copied();
    let is = |character: Option<char>, test: fn(char) -> bool| character.is_some_and(test);
    if matches!(was, '\u{80}'..='\u{9F}') {
        return Evidence::Weak;
    }
    // A control character that nobody writes; the byte order mark of a file that was decoded wrongly; U+FFFD; and a
    // character that four others stand for.
    let has_control = rest.iter().any(|character| matches!(character, '\u{80}'..='\u{9F}'));
    if has_control || was == '\u{FEFF}' && at == 0 || was == '\u{FFFD}' || length == 4 {
        return Evidence::Strong;
    }
    if matches!(was, '\u{300}'..='\u{36F}') {
        return Evidence::Weak;
    }
    // An upper-case letter in the middle of a word in lower case.
    let is_broken = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
    if is(before, char::is_lowercase) && lead.is_uppercase() || line[at..at + length].windows(2).any(is_broken) {
        return Evidence::Strong;
    }
    if is_rare(was) {
        return Evidence::Weak;
    }
    let last = rest[rest.len() - 1];
    // "Â" and "Ã" start no word, and no quotation mark stands between them and a letter. People do write "Ã’s" about
    // such text.
    if matches!(lead, 'Â' | 'Ã') && !matches!(last, '’' | '…' | '–' | '—' | '\u{A0}') && is(after, char::is_alphabetic)
    {
        return Evidence::Strong;
    }
    if matches!(lead, 'Â' | 'Ã') && !is(before, char::is_alphabetic) && last != '’' {
        return Evidence::Strong;
    }
    // "œ" and the like in the middle of punctuation.
    if length == 3 && lead == 'â' && rest.iter().any(|character| character.is_alphabetic()) {
        return Evidence::Strong;
    }
    // A symbol or a quotation mark in the middle of a word, or a letter in lower case in the middle of upper case.
    let joins = !last.is_alphabetic() && !can_stand_between_words(last);
    if lead.is_alphabetic() && joins && is(after, char::is_lowercase)
        || last.is_lowercase() && is(after, char::is_uppercase)
    {
        return Evidence::Strong;
    }
    // A symbol such as "√" or "├" in a word. Lines and boxes are drawn with several of the characters that are used for
    // this.
    if !lead.is_alphabetic() {
        let is_drawing = |character: &char| matches!(character, '\u{2500}'..='\u{259F}');
        let is_drawn = is_drawing(&lead) && rest.iter().all(is_drawing);
        let is_in_word = is(before, char::is_alphabetic) || is(after, char::is_alphabetic);
        let is_word = is_in_word && !is_drawn && !can_follow_a_word(lead);
        return if is_word { Evidence::Strong } else { Evidence::Weak };
    }
    let is_odd = rest.iter().any(|&character| !character.is_alphabetic() && !can_follow_a_word(character));
    if is_odd { Evidence::Strong } else { Evidence::Weak }
}

/// Punctuation and symbols that stand directly after a word in text that is right.
fn can_follow_a_word(character: char) -> bool {
    can_stand_between_words(character)
        || matches!(
            character,
            '“' | '”'
                | '«'
                | '»'
                | '‹'
                | '›'
                | '™'
                | '®'
                | '°'
                | '²'
                | '³'
                | '¹'
                | '¿'
                | '¡'
                | '§'
                | '†'
                | '´'
                | '¨'
        )
}

/// Punctuation that stands between two words without a space.
fn can_stand_between_words(character: char) -> bool {
    matches!(character, '…' | '–' | '—' | '‘' | '’' | '·' | '\u{A0}' | '№')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{charset::Charset, repair::wrong::Wrong};
    use alloc::string::String;

    #[test]
    fn four_letters_in_a_row_are_a_word_and_so_are_two_from_right_to_left() {
        let windows_1252 = Wrong::new(Charset::UTF_8, textcodec::WINDOWS_1252.into()).unwrap();
        for (text, expected) in [
            ("ascii", None),
            // In windows-1252, the bytes of "ą" are those of "Ä…", which text can have.
            ("ą", Some(Evidence::Weak)),
            ("ąąą", Some(Evidence::Weak)),
            ("ąąąą", Some(Evidence::Strong)),
            ("ąąą ą", Some(Evidence::Weak)),
            ("ąąą\u{327}ą", Some(Evidence::Weak)),
            ("ą ąąąą", Some(Evidence::Strong)),
            ("ת", Some(Evidence::Weak)),
            ("ת ת", Some(Evidence::Strong)),
            ("ąąąą\u{E000}", Some(Evidence::Weak)),
        ] {
            let bytes = text.as_bytes().iter();
            let line: String = bytes.map(|&byte| windows_1252.character_of(byte)).collect();
            assert_eq!(strongest(&line, text), expected, "{text}: {line}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_strong_evidence_at_the_start_and_a_lost_character_everywhere() {
        for (line, at, was, expected) in [
            ("ï»¿a", 0, '\u{FEFF}', Evidence::Strong),
            (" ï»¿ ", 1, '\u{FEFF}', Evidence::Weak),
            ("ï¿½", 0, '\u{FFFD}', Evidence::Strong),
            (" ï¿½ ", 1, '\u{FFFD}', Evidence::Strong),
            ("Â…", 0, '\u{85}', Evidence::Weak),
            ("ÂŸ", 0, '\u{9F}', Evidence::Weak),
            ("Â\u{A0}", 0, '\u{A0}', Evidence::Strong),
        ] {
            let characters: Vec<char> = line.chars().collect();
            assert_eq!(evidence(&characters, at, was.len_utf8(), was), expected, "{line}");
        }
    }

    #[test]
    fn characters_that_no_text_has_are_implausible() {
        let ranges = [
            ('\u{E000}', '\u{F8FF}'),
            ('\u{FDD0}', '\u{FDEF}'),
            ('\u{FFFE}', '\u{FFFF}'),
            ('\u{1FFFE}', '\u{1FFFF}'),
            ('\u{2FFFE}', '\u{2FFFF}'),
            ('\u{3FFFE}', '\u{DFFFF}'),
            ('\u{EFFFE}', '\u{10FFFF}'),
        ];
        let mut found: Vec<(char, char)> = Vec::new();
        for character in ('\0'..=char::MAX).filter(|&character| is_implausible(character)) {
            match found.last_mut().filter(|(_, last)| u32::from(*last) + 1 == u32::from(character)) {
                Some((_, last)) => *last = character,
                None => found.push((character, character)),
            }
        }
        assert_eq!(found, ranges);
    }

    /// For each leading byte of UTF-8 and each neighbourhood, the number of sequences that are strong evidence.
    /// `TEXTCODEC_PINNED=write cargo test -p textcodec-convert pinned` writes the file after an intended change.
    #[test]
    fn the_evidence_of_sequences_is_the_pinned_one() {
        let neighbours = [None, Some('a'), Some('A')];
        let mut table = String::new();
        for label in ["windows-1252", "cp437", "macintosh"] {
            let wrong = Wrong::new(Charset::UTF_8, Charset::for_label(label).unwrap()).unwrap();
            for lead in 0xC2..=0xF4_u8 {
                let others: &[usize] = match lead {
                    0..0xE0 => &[1],
                    0xE0..0xF0 => &[7, 9],
                    _ => &[21, 13, 17],
                };
                let mut sequences: Vec<Vec<u8>> = Vec::from([Vec::from([lead])]);
                for &step in others {
                    let longer = |start: &Vec<u8>| {
                        let start = start.clone();
                        (0x80..=0xBF_u8)
                            .step_by(step)
                            .map(move |byte| [&start[..], &[byte]].concat())
                            .collect::<Vec<_>>()
                    };
                    sequences = sequences.iter().flat_map(longer).collect();
                }
                let (mut counts, mut sum) = ([0; 9], 0_u64);
                for sequence in sequences {
                    let Some(was) = core::str::from_utf8(&sequence).ok().and_then(|text| text.chars().next()) else {
                        continue;
                    };
                    let characters = sequence.iter().map(|&byte| wrong.character_of(byte));
                    for (place, count) in counts.iter_mut().enumerate() {
                        let (before, after) = (neighbours[place / 3], neighbours[place % 3]);
                        let line: Vec<char> = before.into_iter().chain(characters.clone()).chain(after).collect();
                        let at = usize::from(before.is_some());
                        let is_strong = evidence(&line, at, sequence.len(), was) == Evidence::Strong;
                        *count += u32::from(is_strong);
                        sum = (sum ^ u64::from(is_strong)).wrapping_mul(0x0100_0000_01B3);
                    }
                }
                table += &alloc::format!("{label}\t{lead:02X}\t{counts:?}\t{sum:016X}\n");
            }
        }
        crate::pinned::compare("evidence.tsv", &table);
    }
}
