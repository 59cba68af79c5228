//! The tables of the languages.

use crate::{
    classes::{FIRST_SIGN, FOREIGN_SMALL, FOREIGN_UNICASE, SIGNS, ascii_class, ascii_classes},
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

impl Script {
    /// Whether the script has no capitals.
    pub(crate) const fn is_unicase(self) -> bool {
        matches!(self, Script::Hebrew | Script::Arabic | Script::Thai)
    }
}

/// A language whose letters are single bytes in its encodings, as the model has it. Only constants read this: a program
/// has [`TABLES`], which need no relocations.
#[derive(Debug)]
pub(crate) struct Language {
    /// The code of BCP 47: two letters.
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
pub(crate) const LANGUAGES: usize = model::LANGUAGES.len();

/// The classes of the characters of a text in a language. The first half is for the bytes of ASCII, and the second half
/// for the values of symbols.
pub(crate) type Classes = [u8; 256];

/// The prices of a language.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) script: Script,
    /// The numbers of classes of ASCII, and of all classes.
    ascii: u8,
    number: u8,
    /// The first letter in [`LETTERS`].
    letters: u16,
    /// The first cell.
    start: u32,
}

/// The tables of all languages.
pub(crate) static TABLES: [Table; LANGUAGES] = {
    let mut tables = [const { Table { script: Script::Latin, ascii: 0, number: 0, letters: 0, start: 0 } }; LANGUAGES];
    let (mut number, mut letters) = (0, 0);
    while number < LANGUAGES {
        let language = &model::LANGUAGES[number];
        let ascii = ascii_classes(matches!(language.script, Script::Latin));
        tables[number] = Table {
            script: language.script,
            ascii,
            number: ascii + SIGNS + language.letters.len() as u8,
            letters: letters as u16,
            start: language.start as u32,
        };
        letters += language.letters.len();
        number += 1;
    }
    tables
};

const NUMBER_OF_LETTERS: usize = {
    let (mut number, mut letters) = (0, 0);
    while number < LANGUAGES {
        letters += model::LANGUAGES[number].letters.len();
        number += 1;
    }
    letters
};

/// The symbols of the letters of all languages, in the order of their classes.
static LETTERS: [u8; NUMBER_OF_LETTERS] = {
    let mut letters = [0; NUMBER_OF_LETTERS];
    let (mut number, mut place) = (0, 0);
    while number < LANGUAGES {
        let of = model::LANGUAGES[number].letters;
        let mut letter = 0;
        while letter < of.len() {
            letters[place] = of[letter];
            letter += 1;
            place += 1;
        }
        number += 1;
    }
    letters
};

/// The classes of ASCII in languages of Latin script, and in other languages.
static LATIN_ASCII: Classes = ascii(true);
static OTHER_ASCII: Classes = ascii(false);

const fn ascii(is_latin: bool) -> Classes {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 0x80 {
        if let Some(class) = ascii_class(byte as u8, is_latin) {
            classes[byte] = class;
        }
        byte += 1;
    }
    let mut foreign = FOREIGN_SMALL;
    while foreign <= FOREIGN_UNICASE {
        classes[0x80 + foreign as usize] = OTHER_SCRIPT;
        foreign += 1;
    }
    let mut sign = 0;
    while sign < SIGNS {
        classes[0x80 + (FIRST_SIGN + sign) as usize] = ascii_classes(is_latin) + sign;
        sign += 1;
    }
    classes
}

impl Table {
    /// The classes of the language.
    pub(crate) fn classes(&self) -> Classes {
        let mut classes = if self.script == Script::Latin { LATIN_ASCII } else { OTHER_ASCII };
        let first = self.ascii + SIGNS;
        let letters = LETTERS[usize::from(self.letters)..].iter().zip(first..self.number);
        letters.for_each(|(letter, class)| classes[0x80 + usize::from(letter & 0x7F)] = class);
        classes
    }

    /// The price of a pair of classes, at least one of which is not ASCII, in 32nds of a nat.
    #[inline(always)]
    pub(crate) fn price(&self, first: u8, second: u8) -> i32 {
        let (ascii, number) = (u32::from(self.ascii), u32::from(self.number));
        let (first, second) = (u32::from(first), u32::from(second));
        let others = number - ascii;
        let place = if first < ascii {
            first * others + second - ascii
        } else {
            ascii * others + (first - ascii) * number + second
        };
        i32::from(model::PRICES[usize::from(model::cell(&model::PAIRS, (self.start + place) as usize))])
    }
}
