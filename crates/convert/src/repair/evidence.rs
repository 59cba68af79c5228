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
