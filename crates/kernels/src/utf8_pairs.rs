//! What any two bytes of UTF-8 that follow one another can be wrong about: tables for vectors.
//!
//! Each table has an entry per half byte, a bit per error; a pair has an error if the entries of the upper half of its first
//! byte, of the lower half of it, and of the upper half of the second byte all have its bit.

/// A leading byte, and no continuation byte behind it.
const CUT_OFF: u8 = 1 << 0;
/// ASCII, and a continuation byte behind it.
const STRAY: u8 = 1 << 1;
/// 0xE0, and less than 0xA0: fewer bytes would do.
const OVERLONG_THREE: u8 = 1 << 2;
/// 0xED, and 0xA0 or more.
const SURROGATE: u8 = 1 << 3;
/// 0xC0 or 0xC1: one byte would do.
const OVERLONG_TWO: u8 = 1 << 4;
/// 0xF4, and 0x90 or more; or 0xF5 and more.
const TOO_GREAT: u8 = 1 << 5;
/// 0xF0, and less than 0x90: fewer bytes would do. It shares its bit with what is 0xF5 and more, and less than 0x90.
const OVERLONG_FOUR: u8 = 1 << 6;
/// Two continuation bytes, which is right behind a byte from 0xE0 on.
const TWO_CONTINUATIONS: u8 = 1 << 7;

/// Whatever the lower half of the first byte is.
const ANY_LOWER: u8 = CUT_OFF | STRAY | TWO_CONTINUATIONS;

pub(crate) static BY_FIRST_UPPER: [u8; 16] = {
    let mut table = [0; 16];
    let mut upper = 0;
    while upper < 16 {
        table[upper] = match upper {
            0x0..=0x7 => STRAY,
            0x8..=0xB => TWO_CONTINUATIONS,
            0xC => CUT_OFF | OVERLONG_TWO,
            0xD => CUT_OFF,
            0xE => CUT_OFF | OVERLONG_THREE | SURROGATE,
            _ => CUT_OFF | TOO_GREAT | OVERLONG_FOUR,
        };
        upper += 1;
    }
    table
};

pub(crate) static BY_FIRST_LOWER: [u8; 16] = {
    let mut table = [0; 16];
    let mut lower = 0;
    while lower < 16 {
        table[lower] = ANY_LOWER
            | match lower {
                0x0 => OVERLONG_TWO | OVERLONG_THREE | OVERLONG_FOUR,
                0x1 => OVERLONG_TWO,
                0x2..=0x3 => 0,
                0x4 => TOO_GREAT,
                0xD => SURROGATE | TOO_GREAT | OVERLONG_FOUR,
                _ => TOO_GREAT | OVERLONG_FOUR,
            };
        lower += 1;
    }
    table
};

pub(crate) static BY_SECOND_UPPER: [u8; 16] = {
    let mut table = [CUT_OFF; 16];
    let continuation = STRAY | OVERLONG_TWO | TWO_CONTINUATIONS;
    table[0x8] = continuation | OVERLONG_THREE | OVERLONG_FOUR;
    table[0x9] = continuation | OVERLONG_THREE | TOO_GREAT;
    table[0xA] = continuation | SURROGATE | TOO_GREAT;
    table[0xB] = continuation | SURROGATE | TOO_GREAT;
    table
};
