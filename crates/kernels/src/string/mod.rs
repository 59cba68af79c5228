//! UTF-8 without validation where a proof exists: prefixes of bytes as a `str`, and destinations into which only UTF-8
//! is written.
//!
//! | destination | function |
//! | --- | --- |
//! | a slice of bytes, for callers that need no proof | [`write_bytes`] |
//! | a `str` | [`write_str`] |
//! | memory that need not be initialised | [`write_uninit`]; for code units without a proof, [`initialised`] |
//! | the spare capacity of a `String` | `append` |
//! | the spare capacity of a `Vec`, for code units without a proof | `append_units` |

pub mod short;
#[cfg(all(test, feature = "alloc"))]
mod tests;
mod writer;

#[cfg(feature = "alloc")]
use crate::base::up_to_mut;
use crate::{ascii, utf8};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

pub use crate::base::uninit::{CodeUnit, FIRST_PIECE, PIECE_GROWTH, initialised};
#[cfg(feature = "alloc")]
pub use writer::append;
pub use writer::{
    Utf8Space, Utf8Writer, Utf8Written, write_bytes, write_short_latin1, write_short_utf16, write_str, write_uninit,
};

/// `bytes` as a string if they are well-formed UTF-8.
#[inline]
#[must_use]
pub fn as_utf8(bytes: &[u8]) -> Option<&str> {
    let is_utf8 = is_short_ascii(bytes) == Some(true) || utf8::valid_up_to(bytes) == bytes.len();
    // SAFETY: `is_short_ascii` or `utf8::valid_up_to` has found all bytes to be UTF-8, of which ASCII is a part.
    is_utf8.then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// `bytes` as a string if they are ASCII.
#[inline]
#[must_use]
pub fn as_ascii(bytes: &[u8]) -> Option<&str> {
    let is_ascii = is_short_ascii(bytes).unwrap_or_else(|| ascii::prefix_length(bytes) == bytes.len());
    // SAFETY: `is_short_ascii` or `ascii::prefix_length` has found all bytes to be ASCII, which is UTF-8.
    is_ascii.then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Whether 4 to 32 bytes are ASCII; `None` for fewer or more. For such a slice, the choice of a kernel by the
/// processor's level takes longer than this check.
#[inline]
fn is_short_ascii(bytes: &[u8]) -> Option<bool> {
    // The first and the last bytes overlap unless there are twice as many.
    let all = match bytes.len() {
        4..=7 => (u32::from_ne_bytes(*bytes.first_chunk()?) | u32::from_ne_bytes(*bytes.last_chunk()?)).into(),
        8..=16 => u64::from_ne_bytes(*bytes.first_chunk()?) | u64::from_ne_bytes(*bytes.last_chunk()?),
        17..=32 => {
            let all = u128::from_ne_bytes(*bytes.first_chunk()?) | u128::from_ne_bytes(*bytes.last_chunk()?);
            all as u64 | (all >> 64) as u64
        }
        _ => return None,
    };
    Some(all & 0x8080_8080_8080_8080 == 0)
}

/// The UTF-8 of Latin-1.
#[cfg(feature = "alloc")]
#[must_use]
pub fn from_latin1(latin1: &[u8]) -> String {
    // A byte becomes at most two bytes.
    let mut string = String::with_capacity(2 * latin1.len());
    append(&mut string, usize::MAX, |space, written| {
        *written = if short::has_few_bytes(latin1) { space.short_latin1(latin1) } else { space.latin1(latin1) }.1;
    });
    string
}

/// Calls `write` with at most `limit` units of the spare capacity of `vector`, whose content is arbitrary, and appends
/// the units written. `write` returns a result and the number of units that it wrote to the front; so does this
/// function. Never allocates.
///
/// # Panics
/// If `write` returns a number greater than the length of the slice that it got; `vector` is then as before.
#[cfg(feature = "alloc")]
#[inline]
pub fn append_units<T: CodeUnit, R>(
    vector: &mut Vec<T>,
    limit: usize,
    write: impl FnOnce(&mut [T]) -> (R, usize),
) -> (R, usize) {
    let length = vector.len();
    let units = initialised(up_to_mut(vector.spare_capacity_mut(), limit));
    let capacity = units.len();
    let (result, written) = write(units);
    assert!(written <= capacity, "more units were written than the capacity has");
    // SAFETY: by the assertion the units are in the spare capacity, all of which is initialised.
    unsafe { vector.set_len(length + written) };
    (result, written)
}
