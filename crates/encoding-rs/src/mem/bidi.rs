//! Whether text has right-to-left characters.
//!
//! The functions know whole blocks of Unicode and the four controls that begin right-to-left text;
//! [`textcodec_kernels::bidi`] lists them. Without such characters, a program can lay text out without the Unicode
//! Bidirectional Algorithm.

use textcodec_kernels::{
    ascii, bidi,
    blocks::{skip, up_to},
    short, utf8,
};

use super::{automaton, str_latin1_up_to, utf8_latin1_up_to};

/// The greatest length, in bytes, of UTF-8 that the automaton looks at: 48 bytes take 15 ns, and the same of Thai 28 ns
/// in the kernels (Zen 5).
const SHORT: usize = 48;

/// The greatest number of code units in which no kernel looks for right-to-left code units.
const SHORT_UTF16: usize = 32;

/// The greatest number of units that are looked at one after the other, without a check of all units for ASCII.
const FEW: usize = 4;

/// Whether text is Latin-1, and whether it has right-to-left characters.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Latin1Bidi {
    /// All code points are at most U+00FF.
    Latin1 = 0,
    /// A code point is above U+00FF, and none is right-to-left.
    LeftToRight = 1,
    /// A code point is right-to-left.
    Bidi = 2,
}

impl Latin1Bidi {
    /// The class of text that is not Latin-1.
    fn of_other_text(is_bidi: bool) -> Self {
        if is_bidi { Self::Bidi } else { Self::LeftToRight }
    }
}

/// Whether `buffer` has a right-to-left code point or is not well-formed UTF-8.
///
/// The blocks of right-to-left scripts count whole, without regard to which of their code points are assigned. The
/// Hebrew part of Alphabetic Presentation Forms is a block in this sense. The controls U+200F, U+202B, U+202E and
/// U+2067 count. Other controls of the Bidirectional Algorithm do not, because alone they change nothing, and neither
/// does U+FEFF, the byte order mark.
#[inline]
pub fn is_utf8_bidi(buffer: &[u8]) -> bool {
    if utf8_begins_right_to_left(buffer) {
        return true;
    }
    if buffer.len() <= FEW {
        return is_in_short_utf8(buffer);
    }
    match short::any(buffer, |byte| byte >= 0x80) {
        Some(false) => false,
        _ => is_in_utf8(buffer),
    }
}

/// As [`is_utf8_bidi`]. Not inlined, so that a call for short ASCII saves no registers; the same holds for similar
/// functions below.
#[inline(never)]
fn is_in_utf8(buffer: &[u8]) -> bool {
    if buffer.len() <= SHORT {
        return is_in_short_utf8(buffer);
    }
    // Most text is ASCII at its beginning, or as a whole.
    match skip(buffer, ascii::prefix_length(buffer)) {
        [] => false,
        rest => is_in_long_utf8(rest),
    }
}

/// Whether the first two bytes are one of U+05C0 to U+07FF, as in most right-to-left text, or malformed.
#[inline(always)]
fn utf8_begins_right_to_left(buffer: &[u8]) -> bool {
    matches!(buffer, [0xD7..=0xDF, ..])
}

/// Whether `buffer`, which is short, has a right-to-left code point or is not well-formed UTF-8.
#[inline(always)]
fn is_in_short_utf8(buffer: &[u8]) -> bool {
    !automaton::accepts(buffer) && is_in_utf8_by_sequences(buffer)
}

/// Whether `buffer` has a right-to-left code point or is not well-formed UTF-8, one sequence after the other.
#[inline(never)]
fn is_in_utf8_by_sequences(buffer: &[u8]) -> bool {
    let mut rest = buffer;
    loop {
        rest = match rest {
            [] => return false,
            [0x00..=0x7F, rest @ ..] => rest,
            // From U+0590 on, two bytes are right-to-left.
            [0xC2..=0xD5, 0x80..=0xBF, rest @ ..] | [0xD6, 0x80..=0x8F, rest @ ..] => rest,
            // The controls U+200F, U+202B and U+202E, and U+2067.
            [0xE2, 0x80, 0x8F | 0xAB | 0xAE, ..] | [0xE2, 0x81, 0xA7, ..] => return true,
            [0xE1..=0xEC | 0xEE, 0x80..=0xBF, 0x80..=0xBF, rest @ ..] => rest,
            // Up to U+08FF, three bytes are right-to-left.
            [0xE0, 0xA4..=0xBF, 0x80..=0xBF, rest @ ..] | [0xED, 0x80..=0x9F, 0x80..=0xBF, rest @ ..] => rest,
            // Not U+FB1D to U+FDFF, and not U+FE70 to U+FEFE.
            [0xEF, 0x80..=0xAB | 0xB8 | 0xBC..=0xBF, 0x80..=0xBF, rest @ ..]
            | [0xEF, 0xAC, 0x80..=0x9C, rest @ ..]
            | [0xEF, 0xB9, 0x80..=0xAF, rest @ ..]
            | [0xEF, 0xBB, 0xBF, rest @ ..] => rest,
            // U+10800 to U+10FFF, and U+1E800 to U+1EFFF.
            [0xF0, 0x90 | 0x9E, 0xA0..=0xBF, ..] => return true,
            [0xF0, 0x90..=0xBF, 0x80..=0xBF, 0x80..=0xBF, rest @ ..]
            | [0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF, rest @ ..]
            | [0xF4, 0x80..=0x8F, 0x80..=0xBF, 0x80..=0xBF, rest @ ..] => rest,
            _ => return true,
        };
    }
}

/// As [`is_utf8_bidi`], with vector code.
fn is_in_long_utf8(buffer: &[u8]) -> bool {
    /// The lengths in bytes of the first piece and of the longest piece. They grow, so that a right-to-left or
    /// malformed character near the beginning is found soon. In a long text, both steps read a piece from the
    /// first-level cache.
    const FIRST_PIECE: usize = 256;
    const LONGEST_PIECE: usize = 8192;

    let (mut rest, mut length) = (buffer, FIRST_PIECE);
    while !rest.is_empty() {
        // A piece ends where the next character begins, because the first two bytes of U+FEFF alone look like the
        // beginning of a right-to-left character. If no character begins there, the piece is malformed.
        let is_continued = |end: &usize| rest.get(*end).is_some_and(|byte| byte & 0xC0 == 0x80);
        let end = (length - 3..=length).rev().find(|end| !is_continued(end)).unwrap_or(length);
        let piece = up_to(rest, end);
        // The search comes first, although it wants well-formed text: if it finds something in malformed text, the
        // result is right, too.
        if bidi::is_in_utf8(piece) || utf8::valid_up_to(piece) < piece.len() {
            return true;
        }
        rest = skip(rest, end);
        length = LONGEST_PIECE.min(2 * length);
    }
    false
}

/// Whether `buffer` has a right-to-left code point; see [`is_utf8_bidi`].
#[inline]
pub fn is_str_bidi(buffer: &str) -> bool {
    let buffer = buffer.as_bytes();
    if utf8_begins_right_to_left(buffer) {
        return true;
    }
    if buffer.len() <= FEW {
        return is_in_short_utf8(buffer);
    }
    // Latin, Greek and Cyrillic letters begin with lesser bytes.
    match short::any(buffer, |byte| byte >= 0xD6) {
        Some(false) => false,
        _ => is_in_str(buffer),
    }
}

/// As [`is_str_bidi`].
#[inline(never)]
fn is_in_str(buffer: &[u8]) -> bool {
    if buffer.len() <= SHORT { is_in_short_utf8(buffer) } else { bidi::is_in_utf8(buffer) }
}

/// Whether `buffer` has a right-to-left code point, or an unpaired leading surrogate that could begin one; see
/// [`is_utf8_bidi`].
#[inline]
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    if buffer.len() <= FEW {
        return is_in_few(buffer);
    }
    if begins_right_to_left(buffer) {
        return true;
    }
    match short::any(buffer, |unit| unit >= 0x0590) {
        Some(false) => false,
        _ => is_in_utf16(buffer),
    }
}

/// Whether `buffer` has a right-to-left code unit, one code unit after the other.
#[inline(always)]
fn is_in_few(buffer: &[u16]) -> bool {
    buffer.iter().any(|&unit| is_utf16_code_unit_bidi(unit))
}

/// Whether `buffer` has a right-to-left code unit.
#[inline(never)]
fn is_in_utf16(buffer: &[u16]) -> bool {
    // Often a space or a quotation mark comes before the first letter.
    if let [_, 0x0590..=0x08FF, ..] = buffer {
        return true;
    }
    if buffer.len() <= SHORT_UTF16 && short::any(buffer, may_be_right_to_left) == Some(false) {
        return false;
    }
    bidi::is_in_utf16(buffer)
}

/// False for code units that are not right-to-left, except a few. The operators evaluate both sides, because a vector
/// has no branches.
#[inline(always)]
fn may_be_right_to_left(unit: u16) -> bool {
    (0x0590..=0x08FF).contains(&unit) | (0x200F..=0x2067).contains(&unit) | (0xD802..=0xFEFE).contains(&unit)
}

/// Whether the first code unit is one of U+0590 to U+08FF, as in most right-to-left text.
#[inline(always)]
fn begins_right_to_left(buffer: &[u16]) -> bool {
    matches!(buffer, [0x0590..=0x08FF, ..])
}

/// Whether `c` is right-to-left; see [`is_utf8_bidi`].
#[inline]
pub fn is_char_bidi(c: char) -> bool {
    // As in `is_utf16_code_unit_bidi`.
    if c < '\u{590}' {
        return false;
    }
    if c < '\u{900}' {
        return true;
    }
    if c < '\u{FB1D}' {
        return ('\u{200F}'..='\u{2067}').contains(&c)
            && matches!(c, '\u{200F}' | '\u{202B}' | '\u{202E}' | '\u{2067}');
    }
    if c >= '\u{1F000}' {
        return false;
    }
    matches!(c, '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..)
}

/// Whether a code unit is right-to-left, or is a leading surrogate all of whose pairs are; see [`is_utf8_bidi`].
///
/// Every right-to-left block above U+FFFF has leading surrogates of its own. So this function serves for each code unit
/// of a text, without joining surrogate pairs.
#[inline]
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    // Most code units are below U+0590, or between U+0900 and the surrogates. A branch for each range is faster than
    // all comparisons.
    if u < 0x0590 {
        return false;
    }
    if u < 0x0900 {
        return true;
    }
    if u < 0xD802 {
        return (0x200F..=0x2067).contains(&u) && matches!(u, 0x200F | 0x202B | 0x202E | 0x2067);
    }
    if (0xD83C..0xFB1D).contains(&u) {
        return false;
    }
    matches!(u, 0xD802..=0xD803 | 0xD83A..=0xFDFF | 0xFE70..=0xFEFE)
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_utf8_bidi`] is true of it.
#[inline]
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    if utf8_begins_right_to_left(buffer) {
        return Latin1Bidi::Bidi;
    }
    match short::any(buffer, |byte| byte >= 0x80) {
        Some(false) => Latin1Bidi::Latin1,
        _ => class_of_utf8(buffer),
    }
}

/// As [`check_utf8_for_latin1_and_bidi`].
#[inline(never)]
fn class_of_utf8(buffer: &[u8]) -> Latin1Bidi {
    if buffer.len() <= SHORT {
        let is_latin1 = short::any(buffer, |byte| byte >= 0xC4) == Some(false);
        return match is_in_short_utf8(buffer) {
            false if is_latin1 => Latin1Bidi::Latin1,
            is_bidi => Latin1Bidi::of_other_text(is_bidi),
        };
    }
    match skip(buffer, utf8_latin1_up_to(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(is_utf8_bidi(rest)),
    }
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_str_bidi`] is true of it.
#[inline]
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    if utf8_begins_right_to_left(buffer.as_bytes()) {
        return Latin1Bidi::Bidi;
    }
    match short::any(buffer.as_bytes(), |byte| byte >= 0xC4) {
        Some(false) => Latin1Bidi::Latin1,
        _ => class_of_str(buffer),
    }
}

/// As [`check_str_for_latin1_and_bidi`].
#[inline(never)]
fn class_of_str(buffer: &str) -> Latin1Bidi {
    if buffer.len() <= SHORT {
        return Latin1Bidi::of_other_text(is_in_short_utf8(buffer.as_bytes()));
    }
    match skip(buffer.as_bytes(), str_latin1_up_to(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(bidi::is_in_utf8(rest)),
    }
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_utf16_bidi`] is true of it.
#[inline]
pub fn check_utf16_for_latin1_and_bidi(buffer: &[u16]) -> Latin1Bidi {
    if begins_right_to_left(buffer) {
        return Latin1Bidi::Bidi;
    }
    match short::any(buffer, |unit| unit >= 0x0100) {
        Some(false) => Latin1Bidi::Latin1,
        _ => class_of_utf16(buffer),
    }
}

/// As [`check_utf16_for_latin1_and_bidi`].
#[inline(never)]
fn class_of_utf16(buffer: &[u16]) -> Latin1Bidi {
    if buffer.len() <= FEW {
        return Latin1Bidi::of_other_text(is_in_few(buffer));
    }
    if let Some(any) = short::any(buffer, |unit| unit >= 0x0590) {
        return Latin1Bidi::of_other_text(any && is_in_utf16(buffer));
    }
    match skip(buffer, textcodec_kernels::latin1::prefix_length_utf16(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(is_utf16_bidi(rest)),
    }
}
