//! Runs of ASCII, without vector instructions.

use crate::base::*;

/// The number of units in a block. A loop tests a whole block and then copies it, which the compiler turns into vector
/// instructions that every processor has.
pub(crate) const BLOCK_UNITS: usize = 16;

/// The length in bytes of the longest prefix of `source` that is ASCII.
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    let mut length = 0;
    while let Some(block) = block::<_, BLOCK_UNITS>(source, length) {
        if !is_ascii(block) {
            break;
        }
        length += BLOCK_UNITS;
    }
    length + skip(source, length).iter().take_while(|byte| byte.is_ascii()).count()
}

/// The length in code units of the longest prefix of `source` that is ASCII.
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let mut length = 0;
    while let Some(block) = block::<_, BLOCK_UNITS>(source, length) {
        if !is_ascii_utf16(block) {
            break;
        }
        length += BLOCK_UNITS;
    }
    length + skip(source, length).iter().take_while(|&&unit| unit < 0x80).count()
}

/// Copies the ASCII prefix of `source`, or as much of it as fits, and returns the number of bytes.
#[inline(never)]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    run(source, destination, is_ascii, ascii_in_block, u8::is_ascii, |byte| byte)
}

/// Copies the ASCII prefix of `source`, or as much of it as fits, to code units, and returns their number.
#[inline(never)]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    run(source, destination, is_ascii, ascii_in_block, u8::is_ascii, u16::from)
}

/// Copies the ASCII prefix of the code units `source`, or as much of it as fits, to bytes, and returns their number.
#[inline(never)]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    run(source, destination, is_ascii_utf16, |_| None, |&unit| unit < 0x80, |unit| unit as u8)
}

/// Converts the longest prefix of `source` whose units all pass a test, first whole blocks and then single units, and
/// returns its length. Stops when `destination` is full.
///
/// `units_that_hold` counts the units at the front of a block that pass the test. With `None` they are tested one by
/// one.
#[inline(always)]
pub(crate) fn run<S: Copy, D: Copy>(
    source: &[S],
    destination: &mut [D],
    block_holds: impl Fn(&[S; BLOCK_UNITS]) -> bool,
    units_that_hold: impl Fn(&[S; BLOCK_UNITS]) -> Option<usize>,
    unit_holds: impl Fn(&S) -> bool,
    convert: impl Fn(S) -> D,
) -> usize {
    let mut length = 0;
    while let (Some(from), Some(to)) =
        (block::<_, BLOCK_UNITS>(source, length), block_mut::<_, BLOCK_UNITS>(destination, length))
    {
        // The block is converted before it is tested. In the other order the compiler extracts single bytes from the
        // vector that it loaded for the test.
        // A loop: with `opt-level = "s"` the closure of `map` would be called for each unit.
        for at in 0..BLOCK_UNITS {
            to[at] = convert(from[at]);
        }
        if !block_holds(from) {
            match units_that_hold(from) {
                Some(count) => return length + count,
                None => break,
            }
        }
        length += BLOCK_UNITS;
    }
    for (to, from) in after_mut(destination, length).iter_mut().zip(after(source, length)) {
        if !unit_holds(from) {
            break;
        }
        *to = convert(*from);
        length += 1;
    }
    length
}

/// The number of ASCII bytes at the front of a block; never `None`.
#[inline(always)]
fn ascii_in_block(block: &[u8; BLOCK_UNITS]) -> Option<usize> {
    let beyond_ascii = u128::from_le_bytes(*block) & u128::from_le_bytes([0x80; BLOCK_UNITS]);
    Some(beyond_ascii.trailing_zeros() as usize / 8)
}

/// Whether all bytes of a block are ASCII.
pub(crate) fn is_ascii(block: &[u8; BLOCK_UNITS]) -> bool {
    u128::from_ne_bytes(*block) & u128::from_ne_bytes([0x80; BLOCK_UNITS]) == 0
}

/// Whether all code units of a block are ASCII.
pub(crate) fn is_ascii_utf16(block: &[u16; BLOCK_UNITS]) -> bool {
    block.iter().fold(0, |all, unit| all | unit) < 0x80
}
