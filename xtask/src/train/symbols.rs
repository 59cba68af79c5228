//! Characters as symbols: the letters of a script without their case, and a few kinds of signs.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use crate::index_file::Index;

/// No character: the index has no entry.
pub(super) const UNDEFINED: u8 = 0;
/// A control character.
pub(super) const CONTROL: u8 = 1;
/// A character that texts hardly ever have.
pub(super) const RARE: u8 = 2;
/// A piece of a box or a shade, which texts of DOS repeat.
pub(super) const BOX: u8 = 3;
/// The first of the kinds of signs that the tables of languages have: apostrophe, opening quotation mark, closing
/// quotation mark, dash, dots, no-break space, and other signs.
pub(super) const FIRST_SIGN: u8 = 4;
/// The number of these kinds.
pub(super) const SIGNS: usize = 7;
/// The symbol of the first letter of a script.
pub(super) const FIRST_LETTER: u8 = 16;
/// This bit of a symbol marks a capital letter.
pub(super) const CAPITAL: u8 = 0x80;

/// A group of letters that words do not mix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
}

impl Script {
    pub(super) const ALL: [Script; 6] =
        [Script::Latin, Script::Greek, Script::Cyrillic, Script::Hebrew, Script::Arabic, Script::Thai];

    /// The script of a letter or mark beyond ASCII; `None` for any other character.
    fn of(letter: char) -> Option<Script> {
        let is_letter = letter.is_alphabetic();
        match letter {
            'ª' | 'º' | 'µ' | 'ﬁ' | 'ﬂ' | 'ƒ' | 'Ω' => None,
            '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}' => Some(Script::Latin),
            '\u{80}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' if is_letter => Some(Script::Latin),
            '\u{370}'..='\u{3FF}' if is_letter => Some(Script::Greek),
            '\u{400}'..='\u{4FF}' if is_letter => Some(Script::Cyrillic),
            '\u{5B0}'..='\u{5EA}' if letter != '\u{5BE}' && letter != '\u{5C0}' => Some(Script::Hebrew),
            '\u{64B}'..='\u{652}' | '\u{200C}' => Some(Script::Arabic),
            '\u{600}'..='\u{6FF}' if is_letter => Some(Script::Arabic),
            '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}' => Some(Script::Thai),
            _ => None,
        }
    }
}

/// The symbols of all characters of the single-byte indexes.
pub(super) struct Symbols {
    /// The small letters of each script, ascending; their positions give their symbols.
    letters: BTreeMap<Script, Vec<char>>,
    /// All characters of the indexes, ascending.
    pub(super) characters: Vec<char>,
}

/// A symbol that is a letter has a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol {
    pub(super) value: u8,
    pub(super) script: Option<Script>,
}

/// The small letter of `letter`, if that is a single character. A comma below is a cedilla: windows-1250 has only
/// cedillas, and Romanian is written with them there.
pub(super) fn fold(letter: char) -> char {
    let mut small = letter.to_lowercase();
    let folded = match (small.next(), small.next()) {
        (Some(small), None) => small,
        _ => letter,
    };
    match folded {
        'ș' => 'ş',
        'ț' => 'ţ',
        // The final form stands at the end of words only, and some keyboards have no key for it.
        'ی' => 'ي',
        folded => folded,
    }
}

impl Symbols {
    /// Collects the characters of the indexes.
    pub(super) fn new(indexes: &[Index]) -> Result<Self> {
        let mut characters = Vec::new();
        for index in indexes.iter().filter(|index| index.pointers == 128) {
            characters.extend(index.entries.iter().filter_map(|&(_, code_point)| char::from_u32(code_point)));
        }
        characters.sort_unstable();
        characters.dedup();
        let mut letters: BTreeMap<Script, Vec<char>> = BTreeMap::new();
        for &character in &characters {
            if let Some(script) = Script::of(character) {
                letters.entry(script).or_default().push(fold(character));
            }
        }
        for list in letters.values_mut() {
            list.sort_unstable();
            list.dedup();
            ensure!(list.len() <= usize::from(CAPITAL - FIRST_LETTER), "a script has too many letters for a byte");
        }
        Ok(Symbols { letters, characters })
    }

    /// The small letters of a script; the first one has the symbol [`FIRST_LETTER`].
    pub(super) fn letters(&self, script: Script) -> &[char] {
        &self.letters[&script]
    }

    /// The symbol of a character beyond ASCII.
    pub(super) fn of(&self, character: char) -> Symbol {
        let folded = fold(character);
        if let Some(script) = Script::of(character)
            && let Ok(place) = self.letters(script).binary_search(&folded)
        {
            let capital = if character.is_uppercase() { CAPITAL } else { 0 };
            return Symbol { value: (FIRST_LETTER + place as u8) | capital, script: Some(script) };
        }
        Symbol { value: sign(character), script: None }
    }
}

/// The symbol of a character that is no letter.
fn sign(character: char) -> u8 {
    match character {
        '’' => FIRST_SIGN,
        '“' | '„' | '‘' | '‚' | '«' | '‹' => FIRST_SIGN + 1,
        '”' | '»' | '›' => FIRST_SIGN + 2,
        '–' | '—' => FIRST_SIGN + 3,
        '…' | '•' | '·' => FIRST_SIGN + 4,
        '\u{A0}' => FIRST_SIGN + 5,
        '´' | '©' | '®' | '°' | '§' | '€' | '£' | '™' | '±' | '×' | '²' | '³' | '½' | '¼' | '№' | 'µ' | 'ª' | 'º'
        | '¿' | '¡' | '،' | '؛' | '؟' | '฿' | '₪' | '\u{AD}' | '\u{200E}' | '\u{200F}' => FIRST_SIGN + 6,
        '\u{80}'..='\u{9F}' => CONTROL,
        '\u{E50}'..='\u{E59}' => FIRST_SIGN + 6,
        '\u{2500}'..='\u{25FF}' => BOX,
        _ => RARE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_folded_and_a_comma_below_is_a_cedilla() {
        assert_eq!(['Č', 'ș', 'Ț', 'İ', 'Я'].map(fold), ['č', 'ş', 'ţ', 'İ', 'я']);
    }

    #[test]
    fn a_capital_has_the_symbol_of_its_small_letter_and_a_bit() {
        let index = |code_points: &[char]| Index {
            name: "a".to_owned(),
            pointers: 128,
            entries: code_points.iter().enumerate().map(|(n, &c)| (n as u32, u32::from(c))).collect(),
        };
        let symbols = Symbols::new(&[index(&['é', 'É', 'ж', 'Ж', '’', '½', '▒', '\u{81}', 'ƒ'])]).unwrap();
        let value = |character| symbols.of(character).value;
        assert_eq!((value('é'), value('É')), (FIRST_LETTER, FIRST_LETTER | CAPITAL));
        assert_eq!((value('ж'), symbols.of('Ж').script), (FIRST_LETTER, Some(Script::Cyrillic)));
        assert_eq!(['’', '½', '▒', '\u{81}', 'ƒ'].map(value), [FIRST_SIGN, FIRST_SIGN + 6, BOX, CONTROL, RARE]);
    }
}
