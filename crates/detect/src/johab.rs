//! Johab: a syllable is three letters of five bits each, and the other characters are those of KS X 1001 by their rows.
//!
//! The model has the syllables of KS X 1001, in the order of their code points.

mod syllables;

use syllables::SYLLABLES;

/// The first row of KS X 1001 with syllables, from 0, and the number of characters in a row.
const FIRST_ROW: u16 = 15;
const COLUMNS: u16 = 94;

/// The number of syllables of the set before each word of [`SYLLABLES`].
static BEFORE: [u16; SYLLABLES.len()] = {
    let mut before = [0; SYLLABLES.len()];
    let mut word = 1;
    while word < before.len() {
        before[word] = before[word - 1] + SYLLABLES[word - 1].count_ones() as u16;
        word += 1;
    }
    before
};

/// What two bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pair {
    /// The character in a row and a column of KS X 1001, both from 0.
    Place(u8, u8),
    /// A syllable that KS X 1001 does not have, or a single letter.
    Other,
}

/// Whether a byte begins a pair.
pub(crate) const fn is_leading(byte: u8) -> bool {
    matches!(byte, 0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9)
}

/// The pair of a leading byte and a trailing byte; `None` if there is none.
pub(crate) fn pair(leading: u8, trailing: u8) -> Option<Pair> {
    let first_row = match leading {
        0xD9..=0xDE => 2 * (leading - 0xD9),
        0xE0..=0xF9 => 2 * (leading - 0xE0) + 41,
        _ => return syllable(leading, trailing),
    };
    // Each leading byte has two rows.
    let column = match trailing {
        0x31..=0x7E => trailing - 0x31,
        0x91..=0xFE => trailing - 0x43,
        _ => return None,
    };
    Some(Pair::Place(first_row + column / 94, column % 94))
}

fn syllable(leading: u8, trailing: u8) -> Option<Pair> {
    let bits = u16::from_be_bytes([leading, trailing]);
    let (initial, vowel, last) = (bits >> 10 & 0x1F, bits >> 5 & 0x1F, bits & 0x1F);
    // The numbers that are left out would make trailing bytes below 0x41.
    let vowel = match vowel {
        2 => None,
        3..=7 => Some(vowel - 3),
        10..=15 => Some(vowel - 5),
        18..=23 => Some(vowel - 7),
        26..=29 => Some(vowel - 9),
        _ => return None,
    };
    let last = match last {
        1..=17 => last - 1,
        19..=29 => last - 2,
        _ => return None,
    };
    match (initial, vowel) {
        (2..=20, Some(vowel)) => Some(place((initial - 2) * 588 + vowel * 28 + last)),
        (1..=20, _) => Some(Pair::Other),
        _ => None,
    }
}

/// The place of the syllable U+AC00 + `number`.
fn place(number: u16) -> Pair {
    let (word, bit) = (usize::from(number / 64), number % 64);
    let (Some(bits), Some(before)) = (SYLLABLES.get(word), BEFORE.get(word)) else { return Pair::Other };
    if bits >> bit & 1 == 0 {
        return Pair::Other;
    }
    let rank = before + (bits & ((1 << bit) - 1)).count_ones() as u16;
    Pair::Place((FIRST_ROW + rank / COLUMNS) as u8, (rank % COLUMNS) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    use textcodec_charsets::east_asian::{EUC_KR, JOHAB};

    #[test]
    fn pairs_are_those_of_the_charset() {
        let (mut places, mut others) = (0, 0);
        for bytes in (0x8000..=0xFFFF_u16).map(u16::to_be_bytes) {
            let text = JOHAB.decode_or_fail(&bytes).ok().filter(|text| text.chars().count() == 1);
            match (text, pair(bytes[0], bytes[1]).filter(|_| is_leading(bytes[0]))) {
                (Some(text), Some(Pair::Place(row, column))) => {
                    let same = EUC_KR.decode_or_fail(&[0xA1 + row, 0xA1 + column]);
                    assert_eq!(Ok(text), same, "{bytes:02X?}");
                    places += 1;
                }
                (Some(text), Some(Pair::Other)) => {
                    let character = text.chars().next().unwrap();
                    assert!(matches!(character, '\u{3131}'..='\u{3163}' | '가'..='힣'), "{bytes:02X?} {character}");
                    assert!(character < '가' || EUC_KR.encode_or_fail(&text).is_err(), "{character}");
                    others += 1;
                }
                (Some(text), None) => panic!("{bytes:02X?} is {text}"),
                // The rows have places without characters.
                (None, Some(Pair::Place(..)) | None) => {}
                // Combinations of a letter that are no syllable.
                (None, Some(Pair::Other)) => {}
            }
        }
        assert_eq!((places, others), (8_176, 8_873));
    }
}
