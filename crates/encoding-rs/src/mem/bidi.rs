//! Whether text has right-to-left characters.
//!
//! The functions know whole blocks of Unicode and the four controls that begin right-to-left text; [`textcodec_kernels::bidi`] lists
//! them. Without such characters, a program can lay text out without the Unicode Bidirectional Algorithm.

use textcodec_kernels::{
    ascii, bidi,
    blocks::{after, up_to},
    utf8,
};

use super::{short, str_latin1_up_to, utf8_latin1_up_to};

/// The greatest length, in bytes or code units, of text that no kernel looks at as a whole: 16 bytes of Chinese take 7 ns, and 17 ns in the
/// kernel (Zen 5).
const SHORT: usize = 32;

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
/// The blocks of right-to-left scripts count whole, without regard to which of their code points are assigned. The Hebrew part of
/// Alphabetic Presentation Forms is a block in this sense. The controls U+200F, U+202B, U+202E and U+2067 count. Other controls of the
/// Bidirectional Algorithm do not, because alone they change nothing, and neither does U+FEFF, the byte order mark.
pub fn is_utf8_bidi(buffer: &[u8]) -> bool {
    if utf8_begins_right_to_left(buffer) {
        return true;
    }
    if buffer.len() <= SHORT {
        return greatest(buffer) > 0x7F && is_in_short_utf8(buffer);
    }
    // Most text is ASCII at its beginning, or as a whole.
    match after(buffer, ascii::prefix_length(buffer)) {
        [] => false,
        rest => is_in_long_utf8(rest),
    }
}

/// Whether the first two bytes are one of U+05C0 to U+07FF, as in most right-to-left text, or malformed.
#[inline(always)]
fn utf8_begins_right_to_left(buffer: &[u8]) -> bool {
    matches!(buffer, [0xD7..=0xDF, ..])
}

/// The greatest byte. It tells which sequences there can be.
fn greatest(buffer: &[u8]) -> u8 {
    buffer.iter().fold(0, |greatest, &byte| greatest.max(byte))
}

/// Whether `buffer`, of up to [`SHORT`] bytes, has a right-to-left code point or is not well-formed UTF-8.
#[inline]
fn is_in_short_utf8(buffer: &[u8]) -> bool {
    if utf8_may_be_right_to_left(buffer) == Some(false) {
        return utf8::valid_up_to(buffer) < buffer.len();
    }
    is_in_utf8_by_sequences(buffer)
}

/// Whether `buffer`, which is well-formed UTF-8 of up to [`SHORT`] bytes, has a right-to-left code point.
#[inline]
fn is_in_short_str(buffer: &[u8]) -> bool {
    utf8_may_be_right_to_left(buffer) != Some(false) && is_in_str_by_sequences(buffer)
}

/// False if no two bytes of `buffer` are the beginning of a right-to-left sequence. `None` if the buffer is so short or so long that other
/// code is faster.
#[inline]
fn utf8_may_be_right_to_left(buffer: &[u8]) -> Option<bool> {
    // The operators evaluate both sides, because a vector has no branches.
    short::any_pair(buffer, |first, second| {
        // Two bytes, from U+0580 on.
        (0xD6..=0xDF).contains(&first)
            | (first == 0xE0) & (second < 0xA4)
            // U+2000 to U+207F, which have the controls.
            | (first == 0xE2) & (second & 0xFE == 0x80)
            | (first == 0xEF) & (0xAC..=0xBB).contains(&second)
            | (first == 0xF0) & (second & 0xF1 == 0x90)
    })
}

/// Whether `buffer` has a right-to-left code point or is not well-formed UTF-8, one sequence after the other.
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

/// Whether `buffer`, which is well-formed UTF-8, has a right-to-left code point, one code point after the other.
fn is_in_str_by_sequences(buffer: &[u8]) -> bool {
    let mut rest = buffer;
    while let Some(&first) = rest.first() {
        let length = match (first, rest.get(1).copied().unwrap_or_default()) {
            (0x00..=0x7F, _) => 1,
            // Most letters of East Asia.
            (0xE3..=0xEC, _) => 3,
            (0xD6, 0x90..) | (0xD7..=0xDF, _) | (0xE0, ..=0xA3) => return true,
            (0x80..=0xDF, _) => 2,
            (0xE2, 0x80 | 0x81) | (0xEF, 0xAC..=0xBB) if is_in_utf8_by_sequences(up_to(rest, 3)) => return true,
            (0xE0..=0xEF, _) => 3,
            (0xF0, 0x90 | 0x9E) if is_in_utf8_by_sequences(up_to(rest, 4)) => return true,
            (0xF0.., _) => 4,
        };
        rest = after(rest, length);
    }
    false
}

/// As [`is_utf8_bidi`], with vector code.
fn is_in_long_utf8(buffer: &[u8]) -> bool {
    /// The lengths in bytes of the first piece and of the longest piece. They grow, so that a right-to-left or malformed character near
    /// the beginning is found soon. In a long text, both steps read a piece from the first-level cache.
    const FIRST_PIECE: usize = 256;
    const LONGEST_PIECE: usize = 8192;

    let (mut rest, mut length) = (buffer, FIRST_PIECE);
    while !rest.is_empty() {
        let piece = up_to(rest, length);
        // The search comes first, although it wants well-formed text: if it finds something in malformed text, the result is right, too.
        if bidi::is_in_utf8(piece) {
            return true;
        }
        // A sequence that the end of the piece cuts off is at the beginning of the next piece. So a piece without a valid sequence at
        // its beginning is malformed.
        let valid = utf8::valid_up_to(piece);
        if valid == 0 {
            return true;
        }
        rest = after(rest, valid);
        length = LONGEST_PIECE.min(2 * length);
    }
    false
}

/// Whether `buffer` has a right-to-left code point; see [`is_utf8_bidi`].
pub fn is_str_bidi(buffer: &str) -> bool {
    let buffer = buffer.as_bytes();
    if utf8_begins_right_to_left(buffer) {
        return true;
    }
    if buffer.len() <= SHORT {
        match greatest(buffer) {
            0..=0xD5 => return false,
            0xE0.. => return is_in_short_str(buffer),
            _ => {}
        }
    }
    bidi::is_in_utf8(buffer)
}

/// Whether `buffer` has a right-to-left code point, or an unpaired leading surrogate that could begin one; see [`is_utf8_bidi`].
#[inline]
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    begins_right_to_left(buffer) || is_in_utf16(buffer)
}

/// Whether `buffer` has a right-to-left code unit. Not inlined, so that text that begins with one is answered without a call.
#[inline(never)]
fn is_in_utf16(buffer: &[u16]) -> bool {
    match short::any(buffer, |unit| unit >= 0x0590) {
        Some(any) => any && is_in_short_utf16(buffer),
        None => !(buffer.len() <= SHORT && joined(buffer) < 0x0590) && bidi::is_in_utf16(buffer),
    }
}

/// Whether `buffer`, which is short, has a right-to-left code unit. Eight code units fill a vector.
#[inline]
fn is_in_short_utf16(buffer: &[u16]) -> bool {
    if buffer.len() < 8 { buffer.iter().any(|&unit| is_utf16_code_unit_bidi(unit)) } else { bidi::is_in_utf16(buffer) }
}

/// Whether the first code unit is one of U+0590 to U+08FF, as in most right-to-left text.
#[inline(always)]
fn begins_right_to_left(buffer: &[u16]) -> bool {
    matches!(buffer, [0x0590..=0x08FF, ..])
}

/// The bits of all code units. If the value is less than 0x100 or 0x590, all code units are.
#[inline]
fn joined(buffer: &[u16]) -> u16 {
    buffer.iter().fold(0, |joined, unit| joined | unit)
}

/// Whether `c` is right-to-left; see [`is_utf8_bidi`].
#[inline]
pub fn is_char_bidi(c: char) -> bool {
    match u16::try_from(u32::from(c)) {
        Ok(unit) => is_utf16_code_unit_bidi(unit),
        Err(_) => matches!(c, '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}'),
    }
}

/// Whether a code unit is right-to-left, or is a leading surrogate all of whose pairs are; see [`is_utf8_bidi`].
///
/// Every right-to-left block above U+FFFF has leading surrogates of its own. So this function serves for each code unit of a text,
/// without joining surrogate pairs.
#[inline]
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    // Most code units are in one of three ranges without right-to-left ones. The comparisons with all ranges are not inlined: a loop over
    // text would make all of them for every code unit, 1.6 ns instead of 0.3 ns (Zen 5).
    !matches!(u, 0..0x0590 | 0x0900..0x200F | 0x2068..0xD802) && is_unit(u)
}

#[inline(never)]
fn is_unit(unit: u16) -> bool {
    bidi::is_unit(unit)
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_utf8_bidi`] is true of it.
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    if utf8_begins_right_to_left(buffer) {
        return Latin1Bidi::Bidi;
    }
    if buffer.len() <= SHORT {
        match greatest(buffer) {
            0..=0x7F => return Latin1Bidi::Latin1,
            0xC4.. => return Latin1Bidi::of_other_text(is_in_short_utf8(buffer)),
            _ => {}
        }
    }
    match after(buffer, utf8_latin1_up_to(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(is_utf8_bidi(rest)),
    }
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_str_bidi`] is true of it.
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    if utf8_begins_right_to_left(buffer.as_bytes()) {
        return Latin1Bidi::Bidi;
    }
    if buffer.len() <= SHORT {
        match greatest(buffer.as_bytes()) {
            0..=0xC3 => return Latin1Bidi::Latin1,
            0xC4..=0xD5 => return Latin1Bidi::LeftToRight,
            0xE0.. => return Latin1Bidi::of_other_text(is_in_short_str(buffer.as_bytes())),
            _ => {}
        }
    }
    match after(buffer.as_bytes(), str_latin1_up_to(buffer)) {
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
    if buffer.len() <= SHORT {
        return match joined(buffer) {
            0..=0xFF => Latin1Bidi::Latin1,
            0x100..0x590 => Latin1Bidi::LeftToRight,
            _ => Latin1Bidi::of_other_text(is_in_short_utf16(buffer)),
        };
    }
    match after(buffer, textcodec_kernels::latin1::prefix_length_utf16(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(is_utf16_bidi(rest)),
    }
}
