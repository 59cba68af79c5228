//! Encoding to one and two bytes per character: [Big5](https://encoding.spec.whatwg.org/#big5),
//! [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp), [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr),
//! [gb18030](https://encoding.spec.whatwg.org/#gb18030), GBK and
//! [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis), and the pairs of
//! [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp).
//!
//! A code unit has a pointer, as the Standard calls it: the place of its character in a table of rows and columns. The
//! row makes the leading byte, and the column makes the trailing byte.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use crate::ascii;
use crate::level::{at_level, dispatch};
pub use crate::to_double_byte::tables::listed::{Block, Listed, NO_POINTER, Run};
pub use crate::to_double_byte::tables::{Divisor, Part, ToDoubleByte, no_other_pointers};

/// Encodes UTF-16. Stops before the first code unit without a pointer, and before the first pair that does not fit into
/// `destination`. Returns `(read, written)`.
pub fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize))
}

/// Encodes UTF-8 directly, one character after the other, if it is so short that a conversion by way of UTF-16 takes
/// longer; otherwise encodes nothing. The greatest length differs between levels, and is 0 without the vectors of
/// x86-64. Stops where [`from_utf16`] stops, and before a character beyond U+FFFF. Returns `(read, written)`.
#[cfg_attr(not(vectors = "x86_64"), allow(unused_variables, reason = "only the levels of x86-64 have a body"))]
#[inline]
pub fn few_from_utf8(encoding: &ToDoubleByte<'_>, source: &str, destination: &mut [u8]) -> (usize, usize) {
    at_level!(from avx2: few_from_utf8(encoding, source, destination)).unwrap_or_default()
}

/// Encodes the beginning of UTF-8 as long as it is mostly ASCII, as markup is, or only the ASCII that it begins with.
/// Returns `(read, written)`. If `source` is malformed, both counts and the bytes are unspecified.
///
/// NEON and AVX2 stop where many characters beyond ASCII follow, where [`from_utf16`] stops, before a character beyond
/// U+FFFF, and near the end of a slice. AVX2 encodes only the ASCII of a source that is short or begins with little of
/// it. The other levels, also AVX-512, stop before the first character beyond ASCII.
#[cfg_attr(
    not(any(vectors = "aarch64", vectors = "x86_64")),
    allow(unused_variables, reason = "no body looks characters up")
)]
#[inline]
pub fn markup_from_utf8(encoding: &ToDoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if let Some(counts) = at_level!(neon: markup_from_utf8(encoding, source, destination)) {
        return counts;
    }
    if let Some(counts) = at_level!(avx2: markup_from_utf8(encoding, source, destination)) {
        return counts;
    }
    let run = ascii::copy(source, destination);
    (run, run)
}
