//! Whether text has right-to-left characters.
//!
//! The functions know whole blocks of Unicode and the four controls that begin right-to-left text; [`textcodec_kernels::bidi`] lists
//! them. Without such characters, a program can lay text out without the Unicode Bidirectional Algorithm.

use textcodec_kernels::{
    bidi,
    blocks::{after, up_to},
    utf8,
};

use super::{str_latin1_up_to, utf8_latin1_up_to};

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
    bidi::is_in_utf8(buffer.as_bytes())
}

/// Whether `buffer` has a right-to-left code point, or an unpaired leading surrogate that could begin one; see [`is_utf8_bidi`].
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    bidi::is_in_utf16(buffer)
}

/// Whether `c` is right-to-left; see [`is_utf8_bidi`].
pub fn is_char_bidi(c: char) -> bool {
    let mut units = [0; 2];
    // The leading surrogate decides.
    is_utf16_code_unit_bidi(c.encode_utf16(&mut units)[0])
}

/// Whether a code unit is right-to-left, or is a leading surrogate all of whose pairs are; see [`is_utf8_bidi`].
///
/// Every right-to-left block above U+FFFF has leading surrogates of its own. So this function serves for each code unit of a text,
/// without joining surrogate pairs.
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    bidi::is_unit(u)
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_utf8_bidi`] is true of it.
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    match after(buffer, utf8_latin1_up_to(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(is_utf8_bidi(rest)),
    }
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_str_bidi`] is true of it.
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    match after(buffer.as_bytes(), str_latin1_up_to(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(bidi::is_in_utf8(rest)),
    }
}

/// Whether `buffer` is Latin-1, and otherwise whether [`is_utf16_bidi`] is true of it.
pub fn check_utf16_for_latin1_and_bidi(buffer: &[u16]) -> Latin1Bidi {
    match after(buffer, textcodec_kernels::latin1::prefix_length_utf16(buffer)) {
        [] => Latin1Bidi::Latin1,
        rest => Latin1Bidi::of_other_text(is_utf16_bidi(rest)),
    }
}
