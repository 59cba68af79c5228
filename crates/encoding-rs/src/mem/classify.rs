//! Whether text is ASCII, Latin-1 or well-formed, and up to where.

use textcodec_kernels::{ascii, latin1, utf16};

/// Whether all bytes are ASCII.
pub fn is_ascii(buffer: &[u8]) -> bool {
    ascii::prefix_length(buffer) == buffer.len()
}

/// Whether all code units are ASCII, which Unicode calls the block Basic Latin.
pub fn is_basic_latin(buffer: &[u16]) -> bool {
    ascii::prefix_length_utf16(buffer) == buffer.len()
}

/// Whether the bytes are well-formed UTF-8 of code points up to U+00FF.
pub fn is_utf8_latin1(buffer: &[u8]) -> bool {
    utf8_latin1_up_to(buffer) == buffer.len()
}

/// Whether all code points are at most U+00FF.
pub fn is_str_latin1(buffer: &str) -> bool {
    str_latin1_up_to(buffer) == buffer.len()
}

/// Whether all code units are at most 0xFF.
pub fn is_utf16_latin1(buffer: &[u16]) -> bool {
    latin1::prefix_length_utf16(buffer) == buffer.len()
}

/// The index of the first code unit that is an unpaired surrogate, or the length of `buffer` if there is none.
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    utf16::valid_up_to(buffer)
}

/// The index of the first byte that begins a malformed sequence or a code point above U+00FF, or the length of `buffer` if there is
/// none.
pub fn utf8_latin1_up_to(buffer: &[u8]) -> usize {
    latin1::prefix_length_utf8(buffer)
}

/// The index of the first byte that begins a code point above U+00FF, or the length of `buffer` if there is none.
pub fn str_latin1_up_to(buffer: &str) -> usize {
    utf8_latin1_up_to(buffer.as_bytes())
}
