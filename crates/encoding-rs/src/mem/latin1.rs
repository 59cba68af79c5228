//! Conversions from and to Latin-1: the code points U+0000 to U+00FF, one byte each.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

use textcodec_kernels::{
    ascii,
    blocks::{skip, skip_mut, up_to},
    latin1, short,
};

use textcodec_utf8::memory;

use super::{
    assert_length,
    partial::{LONGEST_BY_CHARACTERS, UNITS_IN_PIECE, in_pieces},
};

/// Stands for a code point above U+00FF in a release build; see [`convert_utf8_to_latin1_lossy`].
const UNMAPPABLE: u8 = b'?';

/// Converts Latin-1 to UTF-16, one code unit for each byte.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn convert_latin1_to_utf16(src: &[u8], dst: &mut [u16]) {
    assert_length(dst.len(), src.len(), 1);
    if !short::widen(src, dst) {
        latin1::to_utf16(src, dst);
    }
}

/// Converts as much Latin-1 to UTF-8 as fits. Returns the number of bytes read and the number of bytes written. The
/// other bytes of `dst` stay as they were.
#[inline]
pub fn convert_latin1_to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match short::copy_ascii(src, dst) {
        Some(length) => (length, length),
        None => to_utf8_partial(src, dst),
    }
}

/// Not inlined, so that a call for short ASCII saves no registers; the same holds for similar functions below.
#[inline(never)]
fn to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if src.len() <= LONGEST_BY_CHARACTERS {
        return short::latin1_to_utf8(src, dst);
    }
    long_to_utf8_partial(src, dst)
}

#[inline(never)]
fn long_to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut ascii = 0;
    if dst.len() / 2 >= src.len() {
        // The whole text fits and has at least one byte for each byte of `src`. `copy` may write to bytes after the
        // ASCII prefix, but only to bytes that the rest of the text overwrites.
        ascii = ascii::copy(src, &mut dst[..src.len()]);
    }
    let (rest, space) = (skip(src, ascii), skip_mut(dst, ascii));
    let (read, written) = if rest.len() <= LONGEST_BY_CHARACTERS {
        short::latin1_to_utf8(rest, space)
    } else {
        in_pieces(rest, space, |text| up_to(text, UNITS_IN_PIECE), latin1::to_utf8)
    };
    (ascii + read, ascii + written)
}

/// Converts Latin-1 to UTF-8 and returns the number of bytes written.
///
/// # Panics
/// If `dst` is shorter than twice the length of `src`.
#[inline]
pub fn convert_latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 2);
    match short::copy_ascii(src, dst) {
        Some(length) => length,
        None => to_utf8(src, dst),
    }
}

#[inline(never)]
fn to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    if short::has_few_bytes(src) {
        return short::latin1_to_utf8(src, dst).1;
    }
    latin1::to_utf8(src, dst).1
}

/// Converts as much Latin-1 into the front of a string as fits. Returns the number of bytes read and the number of
/// bytes written. Some bytes after them become 0.
pub fn convert_latin1_to_str_partial(src: &[u8], dst: &mut str) -> (usize, usize) {
    memory::latin1_to_str(src, dst)
}

/// Converts Latin-1 into the front of a string and returns the number of bytes written. Some bytes after them become 0.
///
/// # Panics
/// If `dst` is shorter than twice the length of `src`.
pub fn convert_latin1_to_str(src: &[u8], dst: &mut str) -> usize {
    assert_length(dst.len(), src.len(), 2);
    memory::latin1_to_str(src, dst).1
}

/// Converts UTF-8 of code points up to U+00FF to Latin-1 and returns the number of bytes written.
///
/// For other text, a build with debug assertions panics, and a build without them writes bytes on which nobody should
/// rely.
///
/// # Panics
/// If `dst` is shorter than `src`. With debug assertions also if `src` is malformed or has a code point above U+00FF.
pub fn convert_utf8_to_latin1_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    match short::copy_ascii(src, dst) {
        Some(length) => length,
        None => from_utf8_lossy(src, dst),
    }
}

#[allow(unexpected_cfgs, reason = "cargo-fuzz sets `fuzzing`, which Cargo does not know")]
#[inline(never)]
fn from_utf8_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    let (mut read, mut written) =
        if short::has_few_characters(src) { short::utf8_to_latin1(src, dst) } else { latin1::from_utf8(src, dst) };
    while read < src.len() {
        debug_assert!(cfg!(fuzzing), "the bytes from {read} on are not UTF-8 of code points up to U+00FF");
        dst[written] = UNMAPPABLE;
        // The sequence ends before the next byte that can begin one.
        let continuation = src[read + 1..].iter().take_while(|&&byte| matches!(byte, 0x80..=0xBF));
        read += 1 + continuation.count();
        written += 1;
        let (more_read, more_written) = latin1::from_utf8(skip(src, read), skip_mut(dst, written));
        (read, written) = (read + more_read, written + more_written);
    }
    written
}

/// Converts UTF-16 of code units up to 0xFF to Latin-1, one byte for each code unit. For other code units it writes
/// bytes on which nobody should rely.
///
/// # Panics
/// If `dst` is shorter than `src`.
#[inline]
pub fn convert_utf16_to_latin1_lossy(src: &[u16], dst: &mut [u8]) {
    assert_length(dst.len(), src.len(), 1);
    if short::narrow(src, dst) {
        return;
    }
    let done = latin1::from_utf16(src, dst);
    for (byte, &unit) in skip_mut(dst, done).iter_mut().zip(skip(src, done)) {
        *byte = unit as u8;
    }
}

/// Latin-1 as a string, which borrows the bytes if they are ASCII.
#[cfg(feature = "alloc")]
pub fn decode_latin1(bytes: &[u8]) -> Cow<'_, str> {
    memory::decode_latin1(bytes)
}

/// A string of code points up to U+00FF as Latin-1, which borrows the string if it is ASCII.
///
/// For other strings, a build with debug assertions panics, and a build without them returns bytes on which nobody
/// should rely.
///
/// # Panics
/// With debug assertions, if `string` has a code point above U+00FF.
#[cfg(feature = "alloc")]
pub fn encode_latin1_lossy(string: &str) -> Cow<'_, [u8]> {
    if short::any(string.as_bytes(), |byte| byte >= 0x80) == Some(false) {
        return Cow::Borrowed(string.as_bytes());
    }
    memory::encode_latin1(string).unwrap_or_else(|| {
        let mut bytes = Vec::from(string);
        let length = convert_utf8_to_latin1_lossy(string.as_bytes(), &mut bytes);
        bytes.truncate(length);
        bytes.into()
    })
}
