//! Runs of ASCII: measuring and copying a prefix of bytes or code units below 0x80.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
pub mod unshifted;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use crate::level::dispatch;

/// The length in bytes of the longest prefix of `source` that is ASCII.
#[inline]
#[must_use]
pub fn prefix_length(source: &[u8]) -> usize {
    dispatch!(prefix_length(source: &[u8]) -> usize)
}

/// The length in code units of the longest prefix of `source` that is ASCII.
#[inline]
#[must_use]
pub fn prefix_length_utf16(source: &[u16]) -> usize {
    dispatch!(prefix_length_utf16(source: &[u16]) -> usize)
}

/// Copies the ASCII prefix of `source`, or as much of it as fits, and returns the number of bytes.
#[inline]
pub fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    dispatch!(copy(source: &[u8], destination: &mut [u8]) -> usize)
}

/// Copies the ASCII prefix of `source`, or as much of it as fits, to code units, and returns their number.
#[inline]
pub fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    dispatch!(widen(source: &[u8], destination: &mut [u16]) -> usize)
}

/// Copies the ASCII prefix of the code units `source`, or as much of it as fits, to bytes, and returns their number.
#[inline]
pub fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    dispatch!(narrow(source: &[u16], destination: &mut [u8]) -> usize)
}
