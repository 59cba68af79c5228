//! Runs of ASCII without shifts, without vector instructions.

use crate::{ascii::scalar as ascii, base::*};

/// The number of code units that are narrowed before the bytes are tested. A longer run is mostly followed by more.
const CHUNK_UNITS: usize = 1024;

/// The length of the prefix of `source` that is ASCII without shifts, in whole blocks. No comparison ends the loop over
/// a block, so that the compiler makes vectors of it.
#[inline(never)]
fn blocks(source: &[u8]) -> usize {
    let (blocks, _) = chunks::<_, 64>(source);
    let is_unshifted = |byte: u8| byte.is_ascii() & (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B);
    let holds = |block: &&[u8; 64]| block.iter().fold(true, |all, &byte| all & is_unshifted(byte));
    64 * blocks.iter().take_while(holds).count()
}

/// Copies ASCII without shifts, in whole blocks, and returns the number of bytes.
pub(crate) fn copy_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    let length = blocks(up_to(source, destination.len()));
    ascii::copy(up_to(source, length), destination)
}

/// Copies ASCII without shifts to code units, in whole blocks, and returns their number.
pub(crate) fn widen_blocks(source: &[u8], destination: &mut [u16]) -> usize {
    let length = blocks(up_to(source, destination.len()));
    ascii::widen(up_to(source, length), destination)
}

/// Copies code units that are ASCII without shifts to bytes, in whole blocks, and returns their number.
pub(crate) fn narrow_blocks(source: &[u16], destination: &mut [u8]) -> usize {
    let mut length = 0;
    loop {
        let room = after_mut(destination, length);
        let narrowed = ascii::narrow(up_to(after(source, length), CHUNK_UNITS), room);
        let run = blocks(up_to(room, narrowed));
        length += run;
        if run < CHUNK_UNITS {
            return length;
        }
    }
}

/// Two masks of 64 bytes, which have a bit for each byte, lowest first: the bytes that are not ASCII, and the shifts.
#[inline(never)]
pub(crate) fn masks(block: &[u8; 64]) -> (u64, u64) {
    let (words, _) = chunks(block);
    let (mut beyond_ascii, mut shifts) = (0, 0);
    // The compiler must not know the number of words, because it would write the loop out: 0.9 KB.
    for &word in opaque(words) {
        let word = u64::from_le_bytes(word);
        let is_shift = equal(word, 0x0E) | equal(word, 0x0F) | equal(word, 0x1B);
        beyond_ascii = beyond_ascii >> 8 | highest_bits(word) << 56;
        shifts = shifts >> 8 | highest_bits(is_shift) << 56;
    }
    (beyond_ascii, shifts)
}

/// One in each byte.
const ONE_IN_EACH_BYTE: u64 = u64::MAX / 0xFF;

/// A word in which the highest bit of a byte is set if that byte of `word` is `ascii`, a byte of ASCII.
fn equal(word: u64, ascii: u8) -> u64 {
    const SEVEN_BITS: u64 = ONE_IN_EACH_BYTE * 0x7F;
    let difference = word ^ (ONE_IN_EACH_BYTE * u64::from(ascii));
    // The sum has the highest bit where the lower seven bits are not all 0. No byte carries into the next one.
    !(((difference & SEVEN_BITS) + SEVEN_BITS) | difference)
}

/// The highest bit of each byte, lowest byte first.
fn highest_bits(word: u64) -> u64 {
    // The highest byte of the product has the lowest bits of the eight bytes side by side.
    (word >> 7 & ONE_IN_EACH_BYTE).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
