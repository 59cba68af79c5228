//! Characters as symbols and as classes of a language.

use crate::{languages::Script, model};

/// No character.
pub(crate) const UNDEFINED: u8 = 0;
/// A control character.
pub(crate) const CONTROL: u8 = 1;
/// A character that texts hardly ever have.
pub(crate) const RARE: u8 = 2;
/// A piece of a box, or a shade.
pub(crate) const BOX: u8 = 3;
/// The first kind of signs that the tables of languages have.
pub(crate) const FIRST_SIGN: u8 = 4;
/// The number of these kinds.
pub(crate) const SIGNS: u8 = 7;
/// Letters of another script than that of the encoding's languages: a small one, a capital one, and one of a script
/// without capitals. These are the first symbols that are letters.
pub(crate) const FOREIGN_SMALL: u8 = 11;
pub(crate) const FOREIGN_CAPITAL: u8 = 12;
pub(crate) const FOREIGN_UNICASE: u8 = 13;
/// The symbol of the first letter of a script.
const FIRST_OWN_LETTER: u8 = 16;
/// This bit of a symbol marks a capital letter.
const CAPITAL: u8 = 0x80;
/// The greatest symbol without that bit.
const LAST: u8 = 0x7F;

/// A letter of a script, or a kind of signs, with a bit for capital letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Symbol(u8);

/// Whether a character is a capital letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    /// The character is no letter.
    None,
    Small,
    Capital,
    /// A letter of a script without capitals.
    Unicase,
}

impl Symbol {
    /// The symbol of a code unit beyond ASCII in an encoding whose languages have this script. U+FFFD and U+FFFF stand
    /// for no character.
    pub(crate) const fn of(unit: u16, script: Script) -> Self {
        let block = unit as usize / 64;
        if block >= model::BLOCKS.len() || model::BLOCKS[block] == 0xFF {
            return Symbol(if unit >= 0xFFFD { UNDEFINED } else { RARE });
        }
        let symbol = model::SYMBOLS[model::BLOCKS[block] as usize * 64 + unit as usize % 64];
        let own = match unit {
            0x0370..=0x03FF => Script::Greek,
            0x0400..=0x04FF => Script::Cyrillic,
            0x0590..=0x05FF => Script::Hebrew,
            0x0600..=0x06FF | 0x200C => Script::Arabic,
            0x0E00..=0x0E7F => Script::Thai,
            _ => Script::Latin,
        };
        Symbol(match own {
            _ if symbol < FIRST_OWN_LETTER || own as u8 == script as u8 => symbol,
            _ if own.is_unicase() => FOREIGN_UNICASE,
            _ if symbol & CAPITAL != 0 => FOREIGN_CAPITAL,
            _ => FOREIGN_SMALL,
        })
    }

    /// The letter without its case, or the kind of signs.
    #[inline(always)]
    pub(crate) const fn value(self) -> u8 {
        self.0 & LAST
    }

    /// The letter as a capital or as a small one.
    #[cfg(feature = "charsets")]
    pub(crate) const fn with_case(self, is_capital: bool) -> Self {
        Symbol(self.value() | if is_capital { CAPITAL } else { 0 })
    }

    #[inline(always)]
    pub(crate) const fn is_letter(self) -> bool {
        self.value() >= FOREIGN_SMALL
    }

    /// The case. `is_unicase` says whether the script of the encoding's languages has no capitals.
    #[inline(always)]
    pub(crate) fn case(self, is_unicase: bool) -> Case {
        /// The cases of all symbols in scripts with and without capitals.
        static CASES: [[Case; 256]; 2] = [cases(false), cases(true)];
        CASES[usize::from(is_unicase)][usize::from(self.0)]
    }
}

const fn cases(is_unicase: bool) -> [Case; 256] {
    let mut cases = [Case::Small; 256];
    let mut symbol = 0;
    while symbol < cases.len() {
        cases[symbol] = match symbol as u8 {
            symbol if symbol < FOREIGN_SMALL => Case::None,
            FOREIGN_UNICASE => Case::Unicase,
            FOREIGN_SMALL => Case::Small,
            FOREIGN_CAPITAL => Case::Capital,
            _ if is_unicase => Case::Unicase,
            CAPITAL.. => Case::Capital,
            _ => Case::Small,
        };
        symbol += 1;
    }
    cases
}

/// The case of an ASCII character.
pub(crate) const fn ascii_case(byte: u8) -> Case {
    match byte {
        b'a'..=b'z' => Case::Small,
        b'A'..=b'Z' => Case::Capital,
        _ => Case::None,
    }
}

/// The number of classes of ASCII that are no letters.
pub(crate) const ASCII_SIGNS: u8 = 6;

/// The class of an ASCII character: white space, digits, stops, quotation marks, hyphens, all others, and the letters,
/// which are one class beside other scripts. `None` for control characters, which no text has.
pub(crate) const fn ascii_class(byte: u8, is_latin: bool) -> Option<u8> {
    Some(match byte {
        b'\t' | b'\n' | 0x0B | 0x0C | b'\r' | b' ' => 0,
        // Markup stands where a reader sees white space or nothing.
        b'<' | b'>' => 0,
        b'0'..=b'9' => 1,
        b'.' | b',' | b';' | b':' | b'!' | b'?' => 2,
        b'"' | b'\'' => 3,
        b'-' => 4,
        b'A'..=b'Z' | b'a'..=b'z' if is_latin => ASCII_SIGNS + (byte | 0x20) - b'a',
        b'A'..=b'Z' | b'a'..=b'z' => ASCII_SIGNS,
        b'!'..=b'~' => 5,
        _ => return None,
    })
}

/// The number of classes of ASCII.
pub(crate) const fn ascii_classes(is_latin: bool) -> u8 {
    ASCII_SIGNS + if is_latin { 26 } else { 1 }
}
