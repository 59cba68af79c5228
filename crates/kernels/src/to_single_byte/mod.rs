//! Encoding to one byte per character, for the encodings that [`single_byte`](crate::single_byte) decodes: a table
//! gives the bytes of the characters that are not ASCII.
//!
//! The code points of one text are near each other. So the table has *windows*, the four stretches of 128 code points
//! that texts in the encoding use most. Vectors look a code point up in windows only, and the rest one by one.

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

#[cfg(any(vectors = "aarch64", vectors = "wasm32"))]
use crate::level::by_level;
use crate::level::dispatch;
pub use tables::{ALIGN, BLOCK, ByCodePoint, ByteTable, MADE, NO_BLOCK, RARE, WINDOW, WINDOWS};

/// Copies code units to bytes, as many as fit, and returns their number. The opposite of
/// [`to_private_use`](crate::single_byte::to_private_use): stops before a code unit that is neither ASCII nor in the
/// range from U+F780 to U+F7FF.
pub fn from_private_use(source: &[u16], destination: &mut [u8]) -> usize {
    #[cfg(any(vectors = "aarch64", vectors = "wasm32"))]
    return by_level!(from_private_use(source, destination));
    #[cfg(not(any(vectors = "aarch64", vectors = "wasm32")))]
    scalar::from_private_use(source, destination)
}

/// Encodes UTF-16, as much as fits, and returns the number of bytes. Stops before a code unit that has no byte or is a
/// rare character of the table.
pub fn from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    dispatch!(from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize)
}

/// Encodes UTF-8, as many whole characters as fit. Stops before a character that has no byte or is a rare character of
/// the table. Returns `(read, written)`. If `source` is malformed, the bytes are unspecified.
pub fn from_utf8(table: &ByteTable, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(from_utf8(
        table: &ByteTable, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}
