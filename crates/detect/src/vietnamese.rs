//! Vietnamese in VISCII and TCVN 5712, which have a byte for each vowel with a tone. The model has two characters: the
//! vowel, and the tone as a combining mark, as windows-1258 has them.

use crate::{
    candidates,
    classes::{Symbol, UNDEFINED},
    languages::{FIRST_OTHER, Script, TABLES},
    score::{NAT, Slots},
};

/// The tones: grave accent, hook above, tilde, acute accent, dot below.
const MARKS: [u16; 5] = [0x300, 0x309, 0x303, 0x301, 0x323];

/// A vowel and the number of its tone in four bits.
const fn toned(vowel: char, tone: u16) -> u16 {
    vowel as u16 | tone << 12
}

/// The small letters with a tone among U+1EA0 to U+1EF9, which alternate with the capital ones.
const EXTENDED: [u16; 45] = {
    const VOWELS: [char; 45] = [
        'a', 'a', 'â', 'â', 'â', 'â', 'â', 'ă', 'ă', 'ă', 'ă', 'ă', 'e', 'e', 'e', 'ê', 'ê', 'ê', 'ê', 'ê', 'i', 'i',
        'o', 'o', 'ô', 'ô', 'ô', 'ô', 'ô', 'ơ', 'ơ', 'ơ', 'ơ', 'ơ', 'u', 'u', 'ư', 'ư', 'ư', 'ư', 'ư', 'y', 'y', 'y',
        'y',
    ];
    const TONES: &[u8; 45] = b"413012430124412301241441301243012441301240412";
    let mut letters = [0; 45];
    let mut place = 0;
    while place < letters.len() {
        letters[place] = toned(VOWELS[place], (TONES[place] - b'0') as u16);
        place += 1;
    }
    letters
};

/// The other letters with a tone that windows-1258 writes with a mark.
const OTHERS: [(char, u16); 7] = [
    ('ã', toned('a', 2)),
    ('ì', toned('i', 0)),
    ('ĩ', toned('i', 2)),
    ('ò', toned('o', 0)),
    ('õ', toned('o', 2)),
    ('ũ', toned('u', 2)),
    ('ý', toned('y', 3)),
];

/// The vowel and the mark of a letter with a tone, and whether it is a capital letter. The vowel is a small one.
const fn parts(unit: u16) -> Option<(u16, u16, bool)> {
    let small = match unit {
        0xC0..=0xDE => unit | 0x20,
        0x128 | 0x168 | 0x1EA0..=0x1EF9 => unit | 1,
        _ => unit,
    };
    let mut letter = 0;
    if small >= 0x1EA1 && small <= 0x1EF9 {
        letter = EXTENDED[(small as usize - 0x1EA1) / 2];
    }
    let mut other = 0;
    while other < OTHERS.len() {
        if OTHERS[other].0 as u16 == small {
            letter = OTHERS[other].1;
        }
        other += 1;
    }
    if letter == 0 { None } else { Some((letter & 0xFFF, MARKS[(letter >> 12) as usize], unit != small)) }
}

/// The letters with a tone of an encoding. Its symbols are those of the marks.
pub(crate) struct Toned {
    /// For each byte from 0x80 on, the place of the vowel in the classes of a language; 0 for bytes without a mark.
    first: [u8; 128],
    /// The price of the mark after the vowel.
    price: [i16; 128],
}

/// The price of a vowel of ASCII after ASCII, which the tables of languages do not have.
const PLAIN_VOWEL_PRICE: i64 = 2 * NAT;

impl Toned {
    /// The letters with a tone among `units`, whose symbols become those of the marks.
    pub(crate) fn new(units: &[u16; 128], symbols: &mut [Symbol; 128]) -> Self {
        const VIETNAMESE: usize = candidates::set("vi").trailing_zeros() as usize;
        let table = &TABLES[VIETNAMESE];
        let classes = table.classes();
        let mut letters = Toned { first: [0; 128], price: [0; 128] };
        for (place, (&unit, symbol)) in units.iter().zip(symbols).enumerate() {
            let Some((vowel, mark, is_capital)) = parts(unit) else { continue };
            let first = u8::try_from(vowel).ok().filter(u8::is_ascii);
            let first = first.unwrap_or_else(|| 0x80 | Symbol::of(vowel, Script::Latin).value());
            *symbol = Symbol::of(mark, Script::Latin).with_case(is_capital);
            letters.first[place] = first;
            let [vowel, mark] = [first, 0x80 | symbol.value()].map(|place| classes[usize::from(place)]);
            if vowel < FIRST_OTHER && mark < FIRST_OTHER {
                letters.price[place] = table.price(vowel, mark) as i16;
            }
        }
        letters
    }

    /// Adds the price of the second letter's own mark to the price of a pair. What follows the first letter is its
    /// vowel.
    pub(crate) fn split(&self, slots: &mut Slots, [_, second]: [u8; 2]) {
        let place = usize::from(second & 0x7F);
        if second.is_ascii() || self.first[place] == 0 {
            return;
        }
        slots.second = self.first[place];
        slots.case += self.price[place];
        if slots.first.is_ascii() && slots.second.is_ascii() {
            (slots.second, slots.other) = (0x80 | UNDEFINED, PLAIN_VOWEL_PRICE as i16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_with_a_tone_is_a_vowel_and_a_mark() {
        for (letter, small, mark) in [
            ('ạ', 'a', '\u{323}'),
            ('Ả', 'a', '\u{309}'),
            ('ấ', 'â', '\u{301}'),
            ('Ặ', 'ă', '\u{323}'),
            ('ề', 'ê', '\u{300}'),
            ('Ỗ', 'ô', '\u{303}'),
            ('ợ', 'ơ', '\u{323}'),
            ('Ự', 'ư', '\u{323}'),
            ('ỳ', 'y', '\u{300}'),
            ('ỵ', 'y', '\u{323}'),
            ('ỹ', 'y', '\u{303}'),
            ('Ĩ', 'i', '\u{303}'),
            ('Ý', 'y', '\u{301}'),
        ] {
            let is_capital = letter.is_uppercase();
            assert_eq!(parts(letter as u16), Some((small as u16, mark as u16, is_capital)), "{letter}");
        }
        for letter in ['à', 'ê', 'đ', 'Ơ', 'ß', '\u{323}'] {
            assert_eq!(parts(letter as u16), None, "{letter}");
        }
    }

    #[test]
    fn every_letter_with_a_tone_has_its_vowel_and_its_mark() {
        // The letters with the tones of MARKS, or "-" where windows-1258 has the letter as one byte.
        let rows = [
            "a-ảã-ạ",
            "âầẩẫấậ",
            "ăằẳẵắặ",
            "e-ẻẽ-ẹ",
            "êềểễếệ",
            "iìỉĩ-ị",
            "oòỏõ-ọ",
            "ôồổỗốộ",
            "ơờởỡớợ",
            "u-ủũ-ụ",
            "ưừửữứự",
            "yỳỷỹýỵ",
        ];
        let mut known = vec![];
        for row in rows {
            let letters: Vec<char> = row.chars().collect();
            for (&letter, mark) in letters[1..].iter().zip(MARKS).filter(|(letter, _)| **letter != '-') {
                let capital = letter.to_uppercase().next().unwrap();
                assert_eq!(parts(letter as u16), Some((letters[0] as u16, mark, false)), "{letter}");
                assert_eq!(parts(capital as u16), Some((letters[0] as u16, mark, true)), "{capital}");
                known.extend([letter as u16, capital as u16]);
            }
        }
        let others = (0..=0xFFFF).filter(|unit| parts(*unit).is_some() && !known.contains(unit));
        assert_eq!(others.collect::<Vec<u16>>(), []);
    }
}
