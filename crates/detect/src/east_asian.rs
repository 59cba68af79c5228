//! Chinese, Japanese and Korean: reads the bytes in each encoding, and adds up the prices of the characters.
//!
//! The cells of the model are in the order of the national character sets, which the bytes of the encodings name
//! directly. So no table of code points is needed.

use alloc::vec::Vec;

use textcodec_core::Name;

#[cfg(feature = "charsets")]
use crate::johab;
use crate::{
    Options,
    model::{self, Square},
};

/// 32nds of a nat.
const NAT: i32 = 32;
/// The least price of a cell, and the difference between two values.
const FIRST_PRICE: i32 = 5 * NAT / 2;
const STEP: i32 = 4 * NAT / 5;
/// The price of a character that has none of its own. No cell has this price.
const RARE: i32 = 27 * NAT / 2;
/// The price of a malformed sequence, and of a pair without a character.
const ERROR: i32 = 14 * NAT;
/// The price of a character that the encoding has outside of its national character set.
const EXTENSION: i32 = 12 * NAT;
/// The price of a half-width katakana, and of one after ASCII. These katakana make up whole words.
const HALF_WIDTH: i32 = 7 * NAT;
const FIRST_HALF_WIDTH: i32 = 11 * NAT;
/// The greatest price of a character that is the same as the one before.
const REPEATED: i32 = 4 * NAT;
/// The price of a character of which a part is missing at the start or at the end of the text.
const CUT: i32 = 10 * NAT;
const CUT_WHERE_EXPECTED: i32 = NAT;

/// A reading ends where it has had more errors than these and one for each 16 characters.
const MOST_ERRORS: u32 = 16;

/// The number of bytes after which it is decided whether the first byte begins a character.
const LONGEST_DOUBT: usize = 64;

/// An encoding with two bytes for most characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Standard(Name),
    #[cfg(feature = "charsets")]
    Johab,
}

/// The encodings of the Standard.
pub(crate) static STANDARD: [Name; 5] = [Name::ShiftJis, Name::EucJp, Name::Gbk, Name::Big5, Name::EucKr];

/// All encodings. Johab, the last one, is read only if it competes.
static ENCODINGS: &[Encoding] = &[
    Encoding::Standard(Name::ShiftJis),
    Encoding::Standard(Name::EucJp),
    Encoding::Standard(Name::Gbk),
    Encoding::Standard(Name::Big5),
    Encoding::Standard(Name::EucKr),
    #[cfg(feature = "charsets")]
    Encoding::Johab,
];

/// The position in [`candidates::EAST_ASIAN`](crate::candidates::EAST_ASIAN) of the language of an encoding.
pub(crate) const fn language(encoding: Encoding) -> usize {
    match encoding {
        Encoding::Standard(Name::ShiftJis | Name::EucJp) => 0,
        Encoding::Standard(Name::EucKr) => 1,
        #[cfg(feature = "charsets")]
        Encoding::Johab => 1,
        Encoding::Standard(Name::Big5) => 3,
        Encoding::Standard(_) => 2,
    }
}

/// The text in all encodings.
#[derive(Clone, Debug)]
pub(crate) struct EastAsian {
    /// The encodings that are read.
    encodings: &'static [Encoding],
    readings: Vec<Reading>,
    /// The number of bytes that were read, up to [`LONGEST_DOUBT`].
    read: usize,
    starts_mid_stream: bool,
    /// Whether the price of every encoding is asked for.
    reads_all: bool,
}

impl EastAsian {
    /// `position` is the offset in the stream of the first byte that is read.
    pub(crate) fn new(options: &Options, position: u64) -> Self {
        let encodings = ENCODINGS;
        #[cfg(feature = "charsets")]
        let encodings = if crate::tiers::has_johab(options) { encodings } else { &encodings[..STANDARD.len()] };
        EastAsian {
            encodings,
            readings: encodings.iter().copied().map(Reading::new).collect(),
            read: 0,
            starts_mid_stream: options.starts_mid_stream && position == 0,
            reads_all: options.among.is_some(),
        }
    }

    /// The encodings that are read.
    pub(crate) const fn encodings(&self) -> &'static [Encoding] {
        self.encodings
    }

    /// Reads the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        // Only a stream that begins inside of a character has more readings than encodings. These are joined after each
        // byte, so that the result does not depend on where the stream is cut.
        while let (true, Some((&byte, after))) =
            (self.read == 0 || self.readings.len() > self.encodings.len(), rest.split_first())
        {
            self.readings.iter_mut().for_each(|reading| reading.feed(&[byte], self.reads_all));
            // A text can begin with the second byte of a character. ASCII is read as ASCII, which hardly changes the
            // price.
            if self.read == 0 && !byte.is_ascii() {
                let price = if self.starts_mid_stream { CUT_WHERE_EXPECTED } else { CUT };
                let new = |&encoding| Reading { price, ..Reading::new(encoding) };
                self.readings.extend(self.encodings.iter().map(new));
            }
            self.read += 1;
            self.join();
            rest = after;
        }
        self.readings.iter_mut().for_each(|reading| reading.feed(rest, self.reads_all));
    }

    /// Forgets the dearer of two readings in one encoding that are both between characters, or that have been different
    /// for long.
    fn join(&mut self) {
        for number in (self.encodings.len()..self.readings.len()).rev() {
            let encoding = self.readings[number].encoding;
            let first = self.encodings.iter().position(|&other| other == encoding).unwrap_or(0);
            let are_between = self.readings[number].length == 0 && self.readings[first].length == 0;
            if are_between || self.read == LONGEST_DOUBT {
                let other = self.readings.swap_remove(number);
                if other.price < self.readings[first].price {
                    self.readings[first] = other;
                }
            }
        }
    }

    /// The encodings in which the text has few errors, or every encoding if that is asked for, each with the price of
    /// the text.
    /// `ends_mid_stream` says that the end of the text is missing.
    pub(crate) fn results(&self, ends_mid_stream: bool) -> impl Iterator<Item = (Encoding, i64)> + '_ {
        let readings = self.readings.iter().filter(|reading| self.reads_all || !reading.is_hopeless());
        readings.map(move |reading| {
            let cut = match reading.length {
                0 => 0,
                _ if ends_mid_stream => CUT_WHERE_EXPECTED,
                _ => CUT,
            };
            (reading.encoding, i64::from(reading.price + cut))
        })
    }
}

/// What stands before a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    EastAsian,
    Letter,
    Other,
}

/// The text in one encoding.
#[derive(Clone, Debug)]
struct Reading {
    encoding: Encoding,
    /// The start of a character.
    bytes: [u8; 3],
    length: u8,
    before: Before,
    /// The last two bytes of the character before.
    last: [u8; 2],
    price: i32,
    errors: u32,
    characters: u32,
    /// Whether there have been so many errors that the other bytes are not read.
    has_ended: bool,
}

/// What a byte does to a character that has begun.
enum Step {
    /// The character needs more bytes.
    More,
    /// The character is complete, and has a price.
    Character(i32),
    /// The character is a half-width katakana.
    HalfWidth,
    /// The byte is ASCII.
    Ascii,
    /// The bytes are malformed.
    Error,
}

impl Reading {
    const fn new(encoding: Encoding) -> Self {
        Reading {
            encoding,
            bytes: [0; 3],
            length: 0,
            before: Before::Other,
            last: [0; 2],
            price: 0,
            errors: 0,
            characters: 0,
            has_ended: false,
        }
    }

    /// Whether there are too many errors for a text with a little damage.
    const fn is_hopeless(&self) -> bool {
        self.has_ended || self.errors > 2 + self.characters / 16
    }

    fn feed(&mut self, bytes: &[u8], reads_all: bool) {
        if self.has_ended {
            return;
        }
        // A copy stays in registers.
        let mut copy = self.clone();
        match self.encoding {
            Encoding::Standard(Name::ShiftJis) => copy.feed_with(bytes, reads_all, shift_jis),
            Encoding::Standard(Name::EucJp) => copy.feed_with(bytes, reads_all, euc_jp),
            Encoding::Standard(Name::Big5) => copy.feed_with(bytes, reads_all, big5),
            Encoding::Standard(Name::EucKr) => copy.feed_with(bytes, reads_all, euc_kr),
            Encoding::Standard(_) => copy.feed_with(bytes, reads_all, gbk),
            #[cfg(feature = "charsets")]
            Encoding::Johab => copy.feed_with(bytes, reads_all, johab),
        }
        *self = copy;
    }

    #[inline(always)]
    fn feed_with(&mut self, bytes: &[u8], reads_all: bool, step: impl Fn([u8; 3], u8, u8) -> Step) {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if self.length == 0 {
                if byte.is_ascii() {
                    // Of ASCII in a row, only the first and the last byte count.
                    let (run, others) = rest.split_at(ascii_length(rest));
                    self.add_ascii(byte);
                    self.before = Before::after_ascii(run[run.len() - 1]);
                    rest = others;
                    continue;
                }
                if let (Step::More, Some((&second, others))) = (step([0; 3], 0, byte), after.split_first()) {
                    if let Step::Character(price) = step([byte, 0, 0], 1, second) {
                        self.add_character([byte, second], price);
                        rest = others;
                        continue;
                    }
                }
            }
            rest = after;
            match step(self.bytes, self.length, byte) {
                Step::More => {
                    self.bytes[usize::from(self.length)] = byte;
                    self.length += 1;
                }
                Step::Character(price) => {
                    let first = if self.length == 0 { 0 } else { self.bytes[usize::from(self.length - 1)] };
                    self.length = 0;
                    self.add_character([first, byte], price);
                }
                Step::HalfWidth => {
                    self.length = 0;
                    let is_first = self.before != Before::EastAsian;
                    self.add(if is_first { FIRST_HALF_WIDTH } else { HALF_WIDTH });
                }
                Step::Ascii => self.add_ascii(byte),
                Step::Error => {
                    let was_begun = self.length > 0;
                    self.length = 0;
                    self.errors += 1;
                    self.add(ERROR);
                    // An ASCII byte is no part of a malformed sequence.
                    if was_begun && byte.is_ascii() {
                        self.add_ascii(byte);
                    }
                    if !reads_all && self.errors > MOST_ERRORS + self.characters / 16 {
                        self.has_ended = true;
                        return;
                    }
                }
            }
        }
    }

    /// Adds a character that ends with these two bytes.
    #[inline(always)]
    fn add_character(&mut self, bytes: [u8; 2], price: i32) {
        // Lines and frames repeat one character, which may be rare.
        let price = if bytes == self.last { price.min(REPEATED) } else { price };
        self.last = bytes;
        self.add(price);
    }

    #[inline(always)]
    fn add(&mut self, price: i32) {
        self.characters += 1;
        self.price += price
            + match self.before {
                Before::EastAsian => NAT / 5,
                Before::Letter => 4 * NAT,
                Before::Other => NAT,
            };
        self.before = Before::EastAsian;
    }

    #[inline(always)]
    fn add_ascii(&mut self, byte: u8) {
        if self.before == Before::EastAsian {
            self.price += match byte {
                b'A'..=b'Z' | b'a'..=b'z' => 5 * NAT,
                b'0'..=b'9' => 7 * NAT / 2,
                0x00..=0x08 | 0x0E..=0x1F => ERROR,
                _ => 11 * NAT / 5,
            };
        }
        self.before = Before::after_ascii(byte);
    }
}

impl Before {
    #[inline(always)]
    const fn after_ascii(byte: u8) -> Self {
        if byte.is_ascii_alphabetic() { Before::Letter } else { Before::Other }
    }
}

/// The number of bytes of ASCII at the start.
#[inline(always)]
fn ascii_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(block) = bytes.get(length..length + 8) {
        if !block.is_ascii() {
            break;
        }
        length += 8;
    }
    length + bytes[length..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// The character in a row and a column of a set, both from 0, or an error if there is none.
#[inline(always)]
fn character(set: &Square, row: u8, column: u8) -> Step {
    match set.cell(row, column) {
        Some(15) => Step::Error,
        Some(value) => Step::Character(FIRST_PRICE + STEP * i32::from(value)),
        None => Step::Character(RARE),
    }
}

/// [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis-decoder): pairs of rows of JIS X 0208.
#[inline(always)]
fn shift_jis(begun: [u8; 3], length: u8, byte: u8) -> Step {
    if length == 0 {
        return match byte {
            0x00..=0x7F => Step::Ascii,
            0xA1..=0xDF => Step::HalfWidth,
            0x81..=0x9F | 0xE0..=0xFC => Step::More,
            _ => Step::Error,
        };
    }
    let column = match byte {
        0x40..=0x7E => byte - 0x40,
        0x80..=0xFC => byte - 0x41,
        _ => return Step::Error,
    };
    let row = match begun[0] {
        leading @ ..=0x9F => leading - 0x81,
        leading @ 0xE0..=0xEF => leading - 0xC1,
        0xF0..=0xF9 => return Step::Character(16 * NAT),
        _ => return Step::Character(EXTENSION),
    };
    // Each row of these bytes is two rows of the set.
    jis_x_0208(2 * row + column / 94, column % 94)
}

/// The character in a row and a column of JIS X 0208, both from 0. Its last rows are empty but for those that NEC has
/// filled.
#[inline(always)]
fn jis_x_0208(row: u8, column: u8) -> Step {
    match row {
        84..=87 | 92.. => Step::Error,
        _ => character(&model::JIS_X_0208, row, column),
    }
}

/// [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp-decoder): JIS X 0208, half-width katakana, and JIS X 0212.
#[inline(always)]
fn euc_jp(begun: [u8; 3], length: u8, byte: u8) -> Step {
    match (length, begun[0], byte) {
        (0, _, 0x00..=0x7F) => Step::Ascii,
        (0, _, 0x8E | 0x8F | 0xA1..=0xFE) => Step::More,
        (1, 0x8E, 0xA1..=0xDF) => Step::HalfWidth,
        (1, 0x8F, 0xA1..=0xFE) => Step::More,
        (2, 0x8F, 0xA1..=0xFE) => Step::Character(ERROR - NAT),
        (1, 0xA1.., 0xA1..=0xFE) => jis_x_0208(begun[0] - 0xA1, byte - 0xA1),
        _ => Step::Error,
    }
}

/// [gb18030](https://encoding.spec.whatwg.org/#gb18030-decoder): GB 2312, the other pairs of GBK, and four bytes.
#[inline(always)]
fn gbk(begun: [u8; 3], length: u8, byte: u8) -> Step {
    match (length, begun[0], byte) {
        (0, _, 0x00..=0x7F) => Step::Ascii,
        (0, _, 0x80) => Step::Character(EXTENSION),
        (0, _, 0x81..=0xFE) => Step::More,
        (1, 0xA1.., 0xA1..=0xFE) => match character(&model::GB_2312, begun[0] - 0xA1, byte - 0xA1) {
            // These cells, and the rows after those of GB 2312, have characters for private use.
            Step::Error | Step::Character(RARE) => Step::Character(ERROR),
            step => step,
        },
        (1, 0xA1..=0xA9, 0x40..=0x7E | 0x80..=0xA0) => Step::Character(ERROR),
        (1, _, 0x40..=0x7E | 0x80..=0xFE) => Step::Character(EXTENSION),
        (1, _, 0x30..=0x39) | (2, _, 0x81..=0xFE) => Step::More,
        (3, _, 0x30..=0x39) => Step::Character(EXTENSION),
        _ => Step::Error,
    }
}

/// [Big5](https://encoding.spec.whatwg.org/#big5-decoder), with the characters of Hong Kong.
#[inline(always)]
fn big5(begun: [u8; 3], length: u8, byte: u8) -> Step {
    if length == 0 {
        return match byte {
            0x00..=0x7F => Step::Ascii,
            0x81..=0xFE => Step::More,
            _ => Step::Error,
        };
    }
    let column = match byte {
        0x40..=0x7E => byte - 0x40,
        0xA1..=0xFE => byte - 0x62,
        _ => return Step::Error,
    };
    match begun[0] {
        leading @ 0xA1..=0xF9 => character(&model::BIG5, leading - 0xA1, column),
        0x81..=0x86 => Step::Error,
        _ => Step::Character(EXTENSION + NAT),
    }
}

/// [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr-decoder): KS X 1001, and the other syllables of windows-949.
#[inline(always)]
fn euc_kr(begun: [u8; 3], length: u8, byte: u8) -> Step {
    match (length, begun[0], byte) {
        (0, _, 0x00..=0x7F) => Step::Ascii,
        (0, _, 0x81..=0xFE) => Step::More,
        // The rows without characters are for private use.
        (1, 0xC9 | 0xFE, 0xA1..=0xFE) => Step::Error,
        (1, 0xA1.., 0xA1..=0xFE) => character(&model::KS_X_1001, begun[0] - 0xA1, byte - 0xA1),
        (1, ..=0xC6, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE) => Step::Character(EXTENSION),
        _ => Step::Error,
    }
}

/// Johab: syllables by their letters, and the other characters of KS X 1001.
#[cfg(feature = "charsets")]
#[inline(always)]
fn johab(begun: [u8; 3], length: u8, byte: u8) -> Step {
    if length == 0 {
        return match byte {
            0x00..=0x7F => Step::Ascii,
            _ if johab::is_leading(byte) => Step::More,
            _ => Step::Error,
        };
    }
    match johab::pair(begun[0], byte) {
        Some(johab::Pair::Place(row, column)) => character(&model::KS_X_1001, row, column),
        Some(johab::Pair::Other) => Step::Character(EXTENSION),
        None => Step::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream begins with the second byte of a character of EUC-JP, so that only the second reading is right.
    #[test]
    fn of_two_readings_that_never_meet_the_cheaper_one_is_kept_after_64_bytes() {
        let text = b"\xA4\xCF\xA4\xC7\xA4\xB9\xA4\xCE".repeat(9);
        let mut east_asian = EastAsian::new(&Options::new().starts_mid_stream(true), 0);
        let readings = |of: &EastAsian| -> Vec<Reading> {
            let is_euc_jp = |reading: &&Reading| reading.encoding == Encoding::Standard(Name::EucJp);
            of.readings.iter().filter(is_euc_jp).cloned().collect()
        };
        east_asian.feed(&text[1..64]);
        assert_eq!((east_asian.read, readings(&east_asian).len()), (63, 2));
        east_asian.feed(&text[64..65]);
        let kept = readings(&east_asian);
        assert_eq!((east_asian.read, kept.len()), (64, 1));
        // The first byte of a character has been read.
        assert_eq!((kept[0].errors, kept[0].length), (0, 1));
        // No other byte is read alone.
        east_asian.feed(&text[65..]);
        assert_eq!(east_asian.read, 64);
    }

    #[test]
    fn a_first_byte_of_ascii_begins_no_second_reading_and_another_one_does() {
        for starts_mid_stream in [false, true] {
            for byte in 0..=0xFF_u8 {
                let options = Options::new().starts_mid_stream(starts_mid_stream);
                let mut east_asian = EastAsian::new(&options, 0);
                let encodings = east_asian.encodings().len();
                east_asian.feed(&[byte]);
                let second = &east_asian.readings[encodings..];
                // Where the byte alone is a character or an error, the two readings are one already.
                let begun = east_asian.readings[..encodings].iter().filter(|reading| reading.length > 0).count();
                assert_eq!((second.len(), east_asian.read), (begun, 1), "{byte:02X}");
                assert_eq!(begun > 0, !matches!(byte, 0x00..=0x80 | 0xFF), "{byte:02X}");
                let price = if starts_mid_stream { CUT_WHERE_EXPECTED } else { CUT };
                assert!(second.iter().all(|reading| (reading.price, reading.length) == (price, 0)), "{byte:02X}");
            }
        }
    }
}
