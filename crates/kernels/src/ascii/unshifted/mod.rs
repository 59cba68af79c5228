//! Runs of ASCII without *shifts*: the characters 0x0E, 0x0F and 0x1B, with which encodings of
//! [ISO/IEC 2022](https://en.wikipedia.org/wiki/ISO/IEC_2022) change the meaning of the bytes that follow.

#[cfg(vectors = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
#[cfg(vectors = "v128")]
pub(crate) mod v128;

use crate::{base::*, level::by_level};

/// The length in bytes of the longest prefix of `source` that is ASCII without shifts.
#[must_use]
pub fn prefix_length(source: &[u8]) -> usize {
    let (blocks, rest) = chunks(source);
    let mut last = [0x1B; 64];
    last[..rest.len()].copy_from_slice(rest);
    let mut length = 0;
    for block in blocks.iter().chain([&last]) {
        let (beyond_ascii, shifts) = masks(block);
        let before = (beyond_ascii | shifts).trailing_zeros();
        length += before as usize;
        if before < 64 {
            break;
        }
    }
    length
}

/// Copies a prefix of `source` that is ASCII without shifts, and returns the number of bytes. The prefix is as long as
/// the whole blocks of the level that fit.
pub fn copy_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    by_level!(copy_blocks(source, destination))
}

/// Copies a prefix of `source` to code units, as [`copy_blocks`] does, and returns their number.
pub fn widen_blocks(source: &[u8], destination: &mut [u16]) -> usize {
    by_level!(widen_blocks(source, destination))
}

/// Copies a prefix of the code units `source` to bytes, as [`copy_blocks`] does, and returns their number.
pub fn narrow_blocks(source: &[u16], destination: &mut [u8]) -> usize {
    by_level!(narrow_blocks(source, destination))
}

/// Two masks of 64 bytes, which have a bit for each byte, lowest first: the bytes that are not ASCII, and the shifts.
#[must_use]
pub fn masks(block: &[u8; 64]) -> (u64, u64) {
    by_level!(masks(block))
}

/// Copies a block, and sets or clears the highest bit of each byte.
///
/// The eight words are written out, because with `opt-level = "s"` the compiler makes no vectors of a loop and does not
/// unroll it.
#[inline(always)]
pub fn copy_with_highest_bits(are_set: bool, block: &[u8; 64], to: &mut [u8; 64]) {
    let highest = 0x80 * (u64::MAX / 0xFF);
    let set = if are_set { highest } else { 0 };
    let (&[a, b, c, d, e, f, g, h], _) = chunks(block) else { unreachable!("64 is eight times 8") };
    let words = [a, b, c, d, e, f, g, h].each(|word| (u64::from_ne_bytes(word) & !highest | set).to_ne_bytes());
    to.copy_from_slice(words.as_flattened());
}
