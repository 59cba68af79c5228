//! Tables with which vectors find malformed UTF-8, from each pair of adjacent bytes.
//!
//! There are eight kinds of errors, one bit each. Three tables give, for half a byte, the errors that it allows: one
//! table for the upper half of the pair's first byte, one for the lower half of the first byte, and one for the upper
//! half of the second byte. The pair has the errors that all three entries allow: the bitwise AND of the entries. Each
//! table has 16 entries, so that one shuffle looks up a whole vector.
//!
//! Two bytes cannot tell whether a second continuation byte in a row is right. [`TWO_CONTINUATIONS`] reports every such
//! pair, and the caller compares the report with the bytes two and three places before.

/// A leading byte is followed by a byte that is no continuation byte.
const CUT_OFF: u8 = 1 << 0;
/// ASCII is followed by a continuation byte.
const STRAY: u8 = 1 << 1;
/// 0xE0 is followed by a byte below 0xA0: two bytes would suffice for the code point.
const OVERLONG_THREE: u8 = 1 << 2;
/// 0xED is followed by 0xA0 or more: the code point is a surrogate.
const SURROGATE: u8 = 1 << 3;
/// The first byte is 0xC0 or 0xC1: one byte would suffice for the code point.
const OVERLONG_TWO: u8 = 1 << 4;
/// 0xF4 is followed by 0x90 or more, or the first byte is 0xF5 or more: the code point is above U+10FFFF.
const TOO_GREAT: u8 = 1 << 5;
/// 0xF0 is followed by a byte below 0x90: three bytes would suffice for the code point. The same bit reports 0xF5 and
/// more, followed by a byte below 0x90.
const OVERLONG_FOUR: u8 = 1 << 6;
/// Both bytes are continuation bytes. This is no error in a character of three or four bytes, which the caller has to
/// check.
const TWO_CONTINUATIONS: u8 = 1 << 7;

/// The errors that every lower half of a first byte allows.
const ANY_LOWER: u8 = CUT_OFF | STRAY | TWO_CONTINUATIONS;

/// The possible errors for each upper half of the first byte.
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

/// The possible errors for each lower half of the first byte.
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

/// The possible errors for each upper half of the second byte.
pub(crate) static BY_SECOND_UPPER: [u8; 16] = {
    let mut table = [CUT_OFF; 16];
    let continuation = STRAY | OVERLONG_TWO | TWO_CONTINUATIONS;
    table[0x8] = continuation | OVERLONG_THREE | OVERLONG_FOUR;
    table[0x9] = continuation | OVERLONG_THREE | TOO_GREAT;
    table[0xA] = continuation | SURROGATE | TOO_GREAT;
    table[0xB] = continuation | SURROGATE | TOO_GREAT;
    table
};
