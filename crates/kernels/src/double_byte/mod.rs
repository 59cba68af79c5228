//! Decoding of encodings of one and two bytes per character: [Big5](https://encoding.spec.whatwg.org/#big5),
//! [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp), [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr),
//! [gb18030](https://encoding.spec.whatwg.org/#gb18030), GBK and
//! [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis).
//!
//! A byte of the lead range belongs together with the next byte, whatever that byte is. The drawing in
//! `docs/kernels.md#lead-and-trail-bytes` shows how vectors separate leading bytes from trailing bytes. The leading
//! byte of a pair gives a row, the trailing byte gives a column, and both give a place in a table:
//!
//! ```text
//! 88 9F ─► row = rows[0x88 - 0x80], column = trailing[0x9F] ─► table[row × columns + column]
//! ```

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
mod malformed;
pub(crate) mod scalar;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

pub use crate::base::units::is_surrogate;
pub use crate::double_byte::scalar::{few_to_utf8, few_to_utf16};
pub use crate::double_byte::tables::{
    ALONE, CALLERS, Columns, DoubleByte, EUC, FIRST_TRAILING, NO_ROW, NULL, Trailing, ascending::Ascending, no_others,
    rows, rules::Rules,
};
use crate::level::{at_level, dispatch};
use crate::{base::malformed::alternately, utf8};

/// The number of bytes from which on [`to_utf16`] and [`to_utf8`] are faster than [`few_to_utf16`] and [`few_to_utf8`].
pub const FEW_BYTES: usize = 18;

/// Decodes to UTF-16. Stops before bytes that have no single code unit, before a leading byte at the end of `source`,
/// and when `destination` is full. Returns `(read, written)`.
pub fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    dispatch!(to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize))
}

/// Decodes to UTF-8. Stops as [`to_utf16`] does. Returns `(read, written)`.
pub fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize))
}

/// How often at most [`alternately`] calls the function without vectors where errors are near each other. Each call
/// reads at least 16 bytes.
const MOST_ROUNDS: usize = 16;

/// Decodes to UTF-16, with U+FFFD for each error, which is the [`NULL`] of the tables. Stops before a pair that the
/// caller decodes. Leaves up to a few bytes unread at the end of `source`, where a pair may be incomplete, and when
/// `destination` is nearly full. How many bytes it leaves differs between levels. Returns `(read, written)`.
pub fn to_utf16_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if let Some(counts) = at_level!(avx512: to_utf16_replacing(encoding, source, destination)) {
        return counts;
    }
    alternately(
        source,
        destination,
        MOST_ROUNDS,
        &|source, destination| to_utf16(encoding, source, destination),
        &|source, destination| malformed::to_utf16(encoding, source, destination),
    )
}

/// As [`to_utf16_replacing`], to UTF-8.
pub fn to_utf8_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if let Some(counts) = at_level!(avx512: to_utf8_replacing(encoding, source, destination)) {
        return counts;
    }
    alternately(
        source,
        destination,
        MOST_ROUNDS,
        &|source, destination| to_utf8(encoding, source, destination),
        &|source, destination| {
            utf8::by_way_of(source, destination, &|source, units| malformed::to_utf16(encoding, source, units))
        },
    )
}
