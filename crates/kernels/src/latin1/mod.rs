//! Code points up to U+00FF ([isomorphic strings](https://infra.spec.whatwg.org/#isomorphic-string)), as one byte each,
//! in UTF-8 and in UTF-16.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use crate::level::dispatch;

/// Copies bytes to the code units of equal value, as many as fit, and returns their number.
#[inline]
pub fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(to_utf16(source: &[u8], destination: &mut [u16]) -> usize)
}

/// Converts bytes to the UTF-8 of the code points of equal value. Returns `(read, written)`.
#[inline]
pub fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// Copies code units up to 0xFF to the bytes of equal value, and returns their number. Stops before the first code unit
/// above 0xFF.
#[inline]
pub fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    dispatch!(from_utf16(source: &[u16], destination: &mut [u8]) -> usize)
}

/// Converts UTF-8 of code points up to U+00FF to the bytes of equal value. Stops before the first other code point.
/// Returns `(read, written)`.
#[inline]
pub fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// The length in bytes of the longest prefix of `source` that is UTF-8 of code points up to U+00FF.
#[inline]
#[must_use]
pub fn prefix_length_utf8(source: &[u8]) -> usize {
    dispatch!(prefix_length_utf8(source: &[u8]) -> usize)
}

/// The length in code units of the longest prefix of `source` without a code unit above 0xFF.
#[inline]
#[must_use]
pub fn prefix_length_utf16(source: &[u16]) -> usize {
    dispatch!(prefix_length_utf16(source: &[u16]) -> usize)
}
