//! Encodings of one byte per character: bytes below 0x80 are ASCII, and a table gives the characters of the other 128
//! bytes. These are the [legacy single-byte encodings](https://encoding.spec.whatwg.org/#legacy-single-byte-encodings)
//! and [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined).
//!
//! All code points are below U+10000 and none is a surrogate, so that each character is one code unit.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
pub(crate) mod tables;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use crate::level::{at_level, by_level, dispatch};
pub use crate::single_byte::tables::{Characters, NEVER, NULL};

/// Decodes to UTF-16, as much as fits, and returns the number of code units. Stops before a byte whose code unit in the
/// table is `end`: [`NULL`] stops before bytes without a character; [`NEVER`] stops before no byte, and writes the
/// table's U+FFFD for these bytes.
pub fn to_utf16(code_points: &Characters, end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize)
}

/// Decodes to UTF-8, as many whole characters as fit. Stops as [`to_utf16`] does. Returns `(read, written)`.
pub fn to_utf8(code_points: &Characters, end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(to_utf8(
        code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// Length of a source, in bytes, from which on [`dense_to_utf8`] has a way of its own.
const DENSE_FROM_BYTES: usize = 64;

/// As [`to_utf8`], and faster with AVX2 where most characters are two bytes of UTF-8, as in Cyrillic or Hebrew text.
pub fn dense_to_utf8(code_points: &Characters, end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() >= DENSE_FROM_BYTES {
        if let Some(counts) = at_level!(avx2: dense_to_utf8(code_points, end, source, destination)) {
            return counts;
        }
    }
    to_utf8(code_points, end, source, destination)
}

/// Copies bytes to code units, as many as fit, and returns their number: ASCII to the code units of equal value, and
/// the bytes from 0x80 to 0xFF to U+F780 to U+F7FF, which are for private use.
pub fn to_private_use(source: &[u8], destination: &mut [u16]) -> usize {
    by_level!(to_private_use(source, destination))
}
