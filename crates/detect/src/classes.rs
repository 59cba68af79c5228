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
/// The symbol of the first letter of a script.
pub(crate) const FIRST_LETTER: u8 = 16;
/// This bit of a symbol marks a capital letter.
const CAPITAL: u8 = 0x80;

/// A letter without its case, or a kind of signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Symbol {
    /// The letter in its script, or the kind of sign.
    pub(crate) value: u8,
    pub(crate) case: Case,
    /// The script of a letter.
    pub(crate) script: Option<Script>,
}

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

/// The symbol of a code unit beyond ASCII; U+FFFD stands for no character.
pub(crate) fn symbol(unit: u16) -> Symbol {
    const NO_LETTER: Symbol = Symbol { value: RARE, case: Case::None, script: None };
    let block = match model::BLOCKS.get(usize::from(unit / 64)) {
        None if unit == 0xFFFD => return Symbol { value: UNDEFINED, ..NO_LETTER },
        None | Some(0xFF) => return NO_LETTER,
        Some(&block) => block,
    };
    let value = model::SYMBOLS[usize::from(block) * 64 + usize::from(unit % 64)];
    if value < FIRST_LETTER {
        return Symbol { value, ..NO_LETTER };
    }
    let script = match unit {
        0x0370..=0x03FF => Script::Greek,
        0x0400..=0x04FF => Script::Cyrillic,
        0x0590..=0x05FF => Script::Hebrew,
        0x0600..=0x06FF | 0x200C => Script::Arabic,
        0x0E00..=0x0E7F => Script::Thai,
        _ => Script::Latin,
    };
    let case = match script {
        Script::Hebrew | Script::Arabic | Script::Thai => Case::Unicase,
        _ if value & CAPITAL != 0 => Case::Capital,
        _ => Case::Small,
    };
    Symbol { value: value & !CAPITAL, case, script: Some(script) }
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
