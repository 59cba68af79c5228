//! The tables of the languages.

use crate::{
    classes::{FIRST_SIGN, SIGNS, Symbol, ascii_classes},
    model,
};

/// A group of letters that words do not mix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
}

/// A language whose letters are single bytes in its encodings.
#[derive(Debug)]
pub(crate) struct Language {
    /// The code of BCP 47.
    pub(crate) code: &'static str,
    pub(crate) script: Script,
    /// The first cell of its table.
    pub(crate) start: usize,
    /// The symbols of its letters beyond ASCII, in the order of their classes.
    pub(crate) letters: &'static [u8],
}

/// The class of a letter that the table of a language does not have, and of a sign that no table has.
pub(crate) const OTHER: u8 = 0xFF;
/// The class of a letter of another script than that of the language.
pub(crate) const OTHER_SCRIPT: u8 = 0xFE;
/// The classes from this one on are in no table.
pub(crate) const FIRST_OTHER: u8 = OTHER_SCRIPT;

/// The number of languages.
const LANGUAGES: usize = model::LANGUAGES.len();

/// The classes of the symbols of its script in each language.
static CLASSES: [[u8; 128]; LANGUAGES] = {
    let mut classes = [[OTHER; 128]; LANGUAGES];
    let mut number = 0;
    while number < LANGUAGES {
        let language = &model::LANGUAGES[number];
        let mut sign = 0;
        while sign < SIGNS {
            classes[number][(FIRST_SIGN + sign) as usize] = language.ascii() + sign;
            sign += 1;
        }
        let mut place = 0;
        while place < language.letters.len() {
            classes[number][language.letters[place] as usize] = language.ascii() + SIGNS + place as u8;
            place += 1;
        }
        number += 1;
    }
    classes
};

impl Language {
    /// The number of classes.
    pub(crate) const fn classes(&self) -> usize {
        (self.ascii() + SIGNS) as usize + self.letters.len()
    }

    /// The number of classes of ASCII.
    pub(crate) const fn ascii(&self) -> u8 {
        ascii_classes(matches!(self.script, Script::Latin))
    }

    /// The class of a symbol in the language with this number.
    #[inline(always)]
    pub(crate) fn class(&self, number: usize, symbol: Symbol) -> u8 {
        match symbol.script {
            Some(script) if script != self.script => OTHER_SCRIPT,
            _ => CLASSES[number][usize::from(symbol.value & 0x7F)],
        }
    }

    /// The price of a pair of classes, at least one of which is not ASCII, in 32nds of a nat.
    #[inline(always)]
    pub(crate) fn price(&self, first: u8, second: u8) -> i64 {
        let (ascii, number) = (usize::from(self.ascii()), self.classes());
        let (first, second) = (usize::from(first), usize::from(second));
        let place = if first < ascii {
            first * (number - ascii) + second - ascii
        } else {
            ascii * (number - ascii) + (first - ascii) * number + second
        };
        i64::from(model::PRICES[usize::from(model::cell(model::PAIRS, self.start + place))])
    }
}
