//! UTF-8: validating and copying it, and converting UTF-16 to it.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod from_utf16;
pub(crate) mod malformed;
pub(crate) mod scalar;
#[cfg(vectors)]
pub(crate) mod shuffles;
#[cfg(vectors)]
pub(crate) mod tables;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;
mod validation;

pub(crate) use from_utf16::by_way_of;
pub use from_utf16::from_utf16;
use malformed::utf8_with_few_errors;

use crate::base::malformed::alternately;
use crate::level::{at_level, dispatch};

/// The length in bytes of the longest prefix of `source` that is well-formed UTF-8.
#[inline]
#[must_use]
pub fn valid_up_to(source: &[u8]) -> usize {
    dispatch!(valid_up_to(source: &[u8]) -> usize)
}

/// Copies the well-formed prefix of `source`, or as many whole characters of it as fit, and returns the number of
/// bytes.
#[inline]
pub fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    dispatch!(copy(source: &[u8], destination: &mut [u8]) -> usize)
}

/// Copies UTF-8, with U+FFFD for each error as the Standard's decoder counts errors. Leaves up to a few bytes unread at
/// the end of `source`, where a sequence may be incomplete, and when `destination` is nearly full. How many bytes it
/// leaves differs between levels. Returns `(read, written)`.
pub fn copy_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if let Some(counts) = at_level!(avx512: copy_replacing(source, destination)) {
        return counts;
    }
    let copy = |source: &[u8], destination: &mut [u8]| {
        let length = copy(source, destination);
        (length, length)
    };
    let kernel =
        |source: &[u8], destination: &mut [u8]| utf8_with_few_errors(source, destination, "\u{FFFD}".as_bytes(), &copy);
    alternately(source, destination, 1, &kernel, &malformed::utf8_to_utf8)
}
