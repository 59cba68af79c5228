//! Conversions between UTF-8 and UTF-16.

use textcodec_kernels::{
    ascii,
    blocks::{skip, skip_mut, up_to},
    short, utf16,
};

use textcodec_utf8::memory;

use super::{
    assert_length,
    classify::utf16_valid_up_to,
    partial::{LONGEST_BY_CHARACTERS, UNITS_IN_PIECE, in_pieces},
};

/// Converts UTF-8 to UTF-16, with U+FFFD for each malformed sequence, and returns the number of code units written.
///
/// # Panics
/// If `dst` is shorter than the length of `src` plus one.
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    assert!(
        dst.len() > src.len(),
        "the destination has {} code units; it needs one more than the source has bytes, which are {}",
        dst.len(),
        src.len()
    );
    match short::widen_ascii(src, dst) {
        Some(length) => length,
        None => utf8_to_utf16(src, dst),
    }
}

/// Not inlined, so that a call for short ASCII saves no registers; the same holds for similar functions below.
#[inline(never)]
fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    let (read, written) = short_to_utf16(src, dst);
    if read == src.len() {
        return written;
    }
    written + memory::utf8_to_utf16(skip(src, read), skip_mut(dst, written)).1
}

/// Converts a string to UTF-16 and returns the number of code units written.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    match short::widen_ascii(src.as_bytes(), dst) {
        Some(length) => length,
        None => str_to_utf16(src, dst),
    }
}

#[inline(never)]
fn str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    if short::has_few_characters(src.as_bytes()) {
        return short::str_to_utf16(src, dst);
    }
    utf16::from_utf8(src.as_bytes(), dst).1
}

/// Converts UTF-8 to UTF-16 and returns the number of code units written, or `None` if `src` is malformed; part of it
/// may have been written then.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    assert_length(dst.len(), src.len(), 1);
    if let Some(length) = short::widen_ascii(src, dst) {
        return Some(length);
    }
    utf8_to_utf16_without_replacement(src, dst)
}

#[inline(never)]
fn utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    let (read, written) = short_to_utf16(src, dst);
    if read == src.len() {
        return Some(written);
    }
    let (more_read, more_written) = utf16::from_utf8(skip(src, read), skip_mut(dst, written));
    (read + more_read == src.len()).then_some(written + more_written)
}

/// Converts UTF-8 to UTF-16 if it is short, up to a malformed sequence or a character of four bytes. Returns the number
/// of bytes read and the number of code units written.
#[inline(always)]
fn short_to_utf16(src: &[u8], dst: &mut [u16]) -> (usize, usize) {
    if short::has_few_characters(src) { short::utf8_to_utf16(src, dst) } else { (0, 0) }
}

/// Converts as much UTF-16 to UTF-8 as fits, with U+FFFD for each unpaired surrogate. Returns the number of code units
/// read and the number of bytes written. The other bytes of `dst` stay as they were.
///
/// A surrogate at the end of `src` is unpaired, so this function is not for streams. It is `encodeInto` of the Encoding
/// Standard's [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder).
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    match short::narrow_ascii(src, dst) {
        Some(length) => (length, length),
        None => utf16_to_utf8_partial(src, dst),
    }
}

#[inline(never)]
fn utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    if src.len() <= LONGEST_BY_CHARACTERS {
        return short::utf16_to_utf8(src, dst);
    }
    long_utf16_to_utf8_partial(src, dst)
}

#[inline(never)]
fn long_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let mut ascii = 0;
    if dst.len() / 3 >= src.len() {
        // The whole text fits and has at least one byte for each code unit. `narrow` may write to bytes after the ASCII
        // prefix, but only to bytes that the rest of the text overwrites.
        ascii = ascii::narrow(src, &mut dst[..src.len()]);
    }
    let (rest, space) = (skip(src, ascii), skip_mut(dst, ascii));
    let (read, written) = if rest.len() <= LONGEST_BY_CHARACTERS {
        short::utf16_to_utf8(rest, space)
    } else {
        in_pieces(rest, space, first_piece, memory::utf16_to_utf8)
    };
    (ascii + read, ascii + written)
}

/// The first code units of `text`, at most [`UNITS_IN_PIECE`] of them. The end does not part a surrogate pair.
fn first_piece(text: &[u16]) -> &[u16] {
    let piece = up_to(text, UNITS_IN_PIECE);
    match piece {
        [before @ .., 0xD800..=0xDBFF] if piece.len() < text.len() => before,
        _ => piece,
    }
}

/// Converts UTF-16 to UTF-8, with U+FFFD for each unpaired surrogate, and returns the number of bytes written.
///
/// # Panics
/// If `dst` is shorter than three times the length of `src`.
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 3);
    match short::narrow_ascii(src, dst) {
        Some(length) => length,
        None => utf16_to_utf8(src, dst),
    }
}

#[inline(never)]
fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    if short::has_few_units(src) {
        return short::utf16_to_utf8(src, dst).1;
    }
    memory::utf16_to_utf8(src, dst).1
}

/// Converts as much UTF-16 into the front of a string as fits, with U+FFFD for each unpaired surrogate. Returns the
/// number of code units read and the number of bytes written. Some bytes after them become 0.
///
/// A surrogate at the end of `src` is unpaired, so this function is not for streams.
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    memory::utf16_to_str(src, dst)
}

/// Converts UTF-16 into the front of a string, with U+FFFD for each unpaired surrogate, and returns the number of bytes
/// written. Some bytes after them become 0.
///
/// # Panics
/// If `dst` is shorter than three times the length of `src`.
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    assert_length(dst.len(), src.len(), 3);
    memory::utf16_to_str(src, dst).1
}

/// Replaces each unpaired surrogate by U+FFFD.
pub fn ensure_utf16_validity(buffer: &mut [u16]) {
    // Most text is well-formed, and a search writes nothing.
    let valid = utf16_valid_up_to(buffer);
    if valid < buffer.len() {
        utf16::ensure_validity(skip_mut(buffer, valid));
    }
}
