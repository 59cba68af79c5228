//! UTF-16 to UTF-8.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
#[cfg(vectors = "x86_64")]
pub(crate) mod avx512;
#[cfg(vectors = "x86_64")]
pub(crate) mod eight_units;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use core::mem::MaybeUninit;

use crate::base::{malformed::Convert, *};
use crate::level::dispatch;

/// Converts the well-formed prefix of `source` to UTF-8. Returns `(read, written)`.
#[inline]
pub fn from_utf16(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(from_utf16(source: &[u16], destination: &mut [u8]) -> (usize, usize))
}

/// Decodes to UTF-8 with a function that decodes to UTF-16. The code units go through a block that stays in the
/// first-level cache. Ends when `to_utf16` fills at most half of the block. Returns `(read, written)`.
#[inline(never)]
pub(crate) fn by_way_of(source: &[u8], destination: &mut [u8], to_utf16: &Convert<'_, u16>) -> (usize, usize) {
    let mut memory = [MaybeUninit::uninit(); 128];
    let block = initialised(&mut memory);
    let (mut read, mut written) = (0, 0);
    loop {
        // A code unit becomes at most three bytes.
        let room = block.len().min((destination.len() - written) / 3);
        let (bytes, units) = to_utf16(skip(source, read), &mut block[..room]);
        (read, written) = (read + bytes, written + from_utf16(up_to(block, units), skip_mut(destination, written)).1);
        if units <= block.len() / 2 {
            return (read, written);
        }
    }
}
