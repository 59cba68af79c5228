//! Whether text is ASCII, Latin-1 or well-formed, and up to where.

use textcodec_kernels::{ascii, latin1, short, utf16};

/// Whether all bytes are ASCII.
#[inline]
pub fn is_ascii(buffer: &[u8]) -> bool {
    match short::any(buffer, |byte| byte >= 0x80) {
        Some(any) => !any,
        None => !short::any_at_first(buffer, |byte| byte >= 0x80) && ascii::prefix_length(buffer) == buffer.len(),
    }
}

/// Whether all code units are ASCII, which Unicode calls the block Basic Latin.
#[inline]
pub fn is_basic_latin(buffer: &[u16]) -> bool {
    match short::any(buffer, |unit| unit >= 0x80) {
        Some(any) => !any,
        None => !short::any_at_first(buffer, |unit| unit >= 0x80) && ascii::prefix_length_utf16(buffer) == buffer.len(),
    }
}

/// Whether the bytes are well-formed UTF-8 of code points up to U+00FF.
pub fn is_utf8_latin1(buffer: &[u8]) -> bool {
    utf8_latin1_up_to(buffer) == buffer.len()
}

/// Whether all code points are at most U+00FF.
#[inline]
pub fn is_str_latin1(buffer: &str) -> bool {
    // A continuation byte is less than C4, and so is the first byte of the code points up to U+00FF. Other first bytes
    // are not.
    match short::any(buffer.as_bytes(), |byte| byte >= 0xC4) {
        Some(any) => !any,
        None => {
            !short::any_at_first(buffer.as_bytes(), |byte| byte >= 0xC4)
                && latin1_prefix_length(buffer.as_bytes()) == buffer.len()
        }
    }
}

/// Whether all code units are at most 0xFF.
#[inline]
pub fn is_utf16_latin1(buffer: &[u16]) -> bool {
    match short::any(buffer, |unit| unit >= 0x100) {
        Some(any) => !any,
        None => {
            !short::any_at_first(buffer, |unit| unit >= 0x100) && latin1::prefix_length_utf16(buffer) == buffer.len()
        }
    }
}

/// The index of the first code unit that is an unpaired surrogate, or the length of `buffer` if there is none.
#[inline]
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    match short::any(buffer, |unit| unit & 0xF800 == 0xD800) {
        Some(false) => buffer.len(),
        _ => utf16::valid_up_to(buffer),
    }
}

/// The greatest length, in bytes, of text that [`utf8_latin1_up_to`] reads one character after the other. 16 bytes of
/// French take 12 ns, and 3 ns in the kernel; 8 bytes take 6 ns, because half of them are ASCII (Zen 5).
const LONGEST_BY_CHARACTERS: usize = 8;

/// The index of the first byte that begins a malformed sequence or a code point above U+00FF, or the length of `buffer`
/// if there is none.
#[inline]
pub fn utf8_latin1_up_to(buffer: &[u8]) -> usize {
    // No code point up to U+00FF begins with these bytes.
    if let [0x80..=0xC1 | 0xC4..=0xFF, ..] = buffer {
        return 0;
    }
    if short::any(buffer, |byte| byte >= 0x80) == Some(false) {
        return buffer.len();
    }
    if buffer.len() > LONGEST_BY_CHARACTERS {
        return latin1::prefix_length_utf8(buffer);
    }
    let mut rest = buffer;
    while let [0x00..=0x7F, after @ ..] | [0xC2..=0xC3, 0x80..=0xBF, after @ ..] = rest {
        rest = after;
    }
    buffer.len() - rest.len()
}

/// The index of the first byte that begins a code point above U+00FF, or the length of `buffer` if there is none.
#[inline]
pub fn str_latin1_up_to(buffer: &str) -> usize {
    if let [0xC4..=0xFF, ..] = buffer.as_bytes() {
        return 0;
    }
    // See `is_str_latin1`.
    match short::any(buffer.as_bytes(), |byte| byte >= 0xC4) {
        Some(false) => buffer.len(),
        _ => latin1_prefix_length(buffer.as_bytes()),
    }
}

/// As [`str_latin1_up_to`], for text that is long or not Latin-1. Not inlined, so that a call for other text is short.
#[inline(never)]
fn latin1_prefix_length(buffer: &[u8]) -> usize {
    if buffer.len() <= short::LONGEST {
        return buffer.iter().take_while(|&&byte| byte < 0xC4).count();
    }
    latin1::prefix_length_utf8(buffer)
}
