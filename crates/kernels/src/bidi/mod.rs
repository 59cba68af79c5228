//! Whether text contains right-to-left code points: code points that make text need the [Unicode Bidirectional
//! Algorithm](https://www.unicode.org/reports/tr9/).
//!
//! The test knows whole blocks of Unicode, without regard to which of their code points are assigned:
//!
//! | code points | contents |
//! | --- | --- |
//! | U+0590 to U+08FF | Hebrew, Arabic, Syriac, Thaana, NKo and others |
//! | U+200F, U+202B, U+202E, U+2067 | the controls RLM, RLE, RLO and RLI |
//! | U+FB1D to U+FDFF | Hebrew presentation forms, Arabic Presentation Forms-A |
//! | U+FE70 to U+FEFE | Arabic Presentation Forms-B without the byte order mark |
//! | U+10800 to U+10FFF, U+1E800 to U+1EFFF | the right-to-left scripts of plane 1 |

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;

use crate::level::dispatch;
#[cfg(vectors = "v128")]
use scalar as v128;

/// Whether a code unit of `source` is right-to-left. A leading surrogate is if it begins pairs of the right-to-left
/// scripts of plane 1, whatever follows it.
#[inline]
#[must_use]
pub fn is_in_utf16(source: &[u16]) -> bool {
    // Right-to-left text mostly begins with such a code unit.
    matches!(source, [0x0590..=0x08FF, ..]) || dispatch!(is_in_utf16(source: &[u16]) -> bool)
}

/// Whether a code point of `source`, which is well-formed UTF-8, is right-to-left. For malformed UTF-8 the result is
/// unspecified.
#[inline]
#[must_use]
pub fn is_in_utf8(source: &[u8]) -> bool {
    // Right-to-left text mostly begins with such a code point.
    matches!(source, [0xD7..=0xDF, ..]) || dispatch!(is_in_utf8(source: &[u8]) -> bool)
}

/// Whether a code unit is right-to-left; see [`is_in_utf16`].
#[inline]
#[must_use]
pub const fn is_unit(unit: u16) -> bool {
    crate::bidi::scalar::is_unit(unit)
}
