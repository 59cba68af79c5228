//! UTF-16: validating code units, reading them from bytes and writing them to bytes in both byte orders, and converting
//! UTF-8 to it.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod from_utf8;
mod malformed;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use core::mem::MaybeUninit;

use crate::base::{malformed::alternately, *};
use crate::level::{by_level, dispatch};
use crate::utf8;

pub use from_utf8::{from_utf8, from_utf8_replacing, from_utf8_to_be_bytes, from_utf8_to_le_bytes};

/// The length in code units of the longest prefix of `source` without an unpaired surrogate.
#[inline]
#[must_use]
pub fn valid_up_to(source: &[u16]) -> usize {
    dispatch!(valid_up_to(source: &[u16]) -> usize)
}

/// Replaces every unpaired surrogate of `text` with U+FFFD.
pub fn ensure_validity(text: &mut [u16]) {
    let mut start = 0;
    loop {
        start += valid_up_to(skip(text, start));
        match text.get_mut(start) {
            Some(unit) => *unit = 0xFFFD,
            None => return,
        }
    }
}

/// Byte-swaps each of `units`.
#[inline]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    dispatch!(swap_bytes(units: &mut [u16]) -> ());
}

/// The number of bytes of the UTF-8 for `source`, which is well-formed. For malformed UTF-16 the number is unspecified.
#[inline]
#[must_use]
pub fn utf8_length(source: &[u16]) -> usize {
    by_level!(utf8_length(source))
}

/// Reads the well-formed prefix of UTF-16BE, as much as fits, and returns the number of code units.
#[inline]
pub fn from_be_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 8)
}

/// Reads the well-formed prefix of UTF-16LE, as much as fits, and returns the number of code units.
#[inline]
pub fn from_le_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 0)
}

/// Reads UTF-16LE if `rotation` is 0, and UTF-16BE if `rotation` is 8: each 16-bit value is rotated by `rotation` bits.
/// Both byte orders share one body.
#[inline]
fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    dispatch!(from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize)
}

/// Converts the well-formed prefix of UTF-16BE to UTF-8. Returns `(read, written)`, both in bytes.
#[inline]
pub fn be_bytes_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    bytes_to_utf8(source, destination, 8)
}

/// Converts the well-formed prefix of UTF-16LE to UTF-8. Returns `(read, written)`, both in bytes.
#[inline]
pub fn le_bytes_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    bytes_to_utf8(source, destination, 0)
}

/// Converts UTF-16LE if `rotation` is 0, and UTF-16BE if `rotation` is 8, as [`from_bytes`] reads them.
#[inline]
fn bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    dispatch!(bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize))
}

/// As [`bytes_to_utf8`], for levels whose `to_utf8` takes nothing but code units: in place if they are aligned, and
/// otherwise by way of a block.
pub(crate) fn bytes_to_utf8_by_units(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    match as_units(source) {
        Some(units) if rotation == 0 => {
            let (read, written) = utf8::from_utf16(units, destination);
            (2 * read, written)
        }
        _ => by_blocks(read_units, source, destination, rotation),
    }
}

/// The bytes as code units without a copy. `None` if this machine has the other byte order, or the address is odd.
fn as_units(source: &[u8]) -> Option<&[u16]> {
    let from = source.as_ptr().cast::<u16>();
    // SAFETY: `from` is aligned by the check before. The slice has at least `2 * (source.len() / 2)` bytes, and every
    // two bytes are a `u16`.
    (cfg!(target_endian = "little") && from.is_aligned())
        .then(|| unsafe { core::slice::from_raw_parts(from, source.len() / 2) })
}

/// The bytes as code units of this machine, if the first byte is aligned for a code unit. A last odd byte is left out.
pub(crate) fn as_units_mut(bytes: &mut [u8]) -> Option<&mut [u16]> {
    let start = bytes.as_mut_ptr().cast::<u16>();
    // SAFETY: `is_aligned` has checked the alignment. `len / 2` code units of two bytes each lie inside the slice,
    // which is borrowed exclusively for as long as the result; any two initialized bytes are a `u16`, and any `u16` is
    // two bytes.
    start.is_aligned().then(|| unsafe { core::slice::from_raw_parts_mut(start, bytes.len() / 2) })
}

/// Reads UTF-16BE, with U+FFFD in place of each unpaired surrogate, as much as fits. A leading surrogate at the very
/// end is left unread, because the next bytes may complete it. Returns the number of code units.
pub fn from_be_bytes_replacing(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes_replacing(source, destination, 8)
}

/// As [`from_be_bytes_replacing`], for UTF-16LE.
pub fn from_le_bytes_replacing(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes_replacing(source, destination, 0)
}

/// The number of bytes that are converted without a kernel after an error.
const BYTES_AFTER_ERROR: usize = 256;

/// Reads well-formed UTF-16 with the kernel, and [`BYTES_AFTER_ERROR`] bytes at each error without it.
fn from_bytes_replacing(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let mut done = 0;
    loop {
        done += from_bytes(skip(source, 2 * done), skip_mut(destination, done), rotation);
        let piece = up_to(skip(source, 2 * done), BYTES_AFTER_ERROR);
        let count = malformed::from_bytes(piece, skip_mut(destination, done), rotation.into());
        if count == 0 {
            return done;
        }
        done += count;
    }
}

/// Converts UTF-16BE to UTF-8, with U+FFFD in place of each unpaired surrogate. Returns `(read, written)`, both in
/// bytes.
pub fn be_bytes_to_utf8_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    alternately(source, destination, 1, &be_bytes_to_utf8, &|source, destination| {
        by_blocks(from_bytes_replacing, up_to(source, BYTES_AFTER_ERROR), destination, 8)
    })
}

/// As [`be_bytes_to_utf8_replacing`], for UTF-16LE.
pub fn le_bytes_to_utf8_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    alternately(source, destination, 1, &le_bytes_to_utf8, &|source, destination| {
        by_blocks(from_bytes_replacing, up_to(source, BYTES_AFTER_ERROR), destination, 0)
    })
}

/// A function that reads UTF-16 from bytes, as much as fits, and returns the number of code units. Each 16-bit value is
/// rotated by the last argument.
type FromBytes = fn(&[u8], &mut [u16], u16) -> usize;

/// Converts UTF-16 from bytes to UTF-8, up to the first unpaired surrogate. The code units go through a block that
/// stays in the first-level cache.
#[inline(never)]
fn by_blocks(from_bytes: FromBytes, source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let mut memory = [MaybeUninit::uninit(); 1024];
    let length = memory.len().min(source.len() / 2);
    let block = initialised(&mut memory[..length]);
    let (mut read, mut written) = (0, 0);
    // The first round is short, because the next error may be near. Each round is twice as long as the one before.
    let mut limit = length.min(64);
    while read < source.len() {
        let units = from_bytes(skip(source, read), block.get_mut(..limit).unwrap_or_default(), rotation);
        let (more_read, more_written) = utf8::from_utf16(up_to(block, units), skip_mut(destination, written));
        (read, written) = (read + 2 * more_read, written + more_written);
        if more_read == 0 {
            break;
        }
        limit = block.len().min(2 * limit);
    }
    (read, written)
}

/// The leading and the trailing surrogate of a code point from U+10000 to U+10FFFF, the inverse of
/// [`scalar_value_from_surrogates`](https://encoding.spec.whatwg.org/#scalar-value-from-surrogates).
#[inline(always)]
#[must_use]
pub const fn surrogates(code_point: u32) -> [u16; 2] {
    [0xD7C0 + (code_point >> 10) as u16, 0xDC00 | (code_point & 0x3FF) as u16]
}
