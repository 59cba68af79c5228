//! Runs of ASCII.

use crate::blocks::after;

/// Units in a block, which is tested at once and then moved at once: enough for the compiler to use vectors.
pub(super) const BLOCK: usize = 16;

/// The length of the longest prefix of `source` that is ASCII, in bytes.
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    let mut length = 0;
    while let Some(block) = source[length..].first_chunk::<BLOCK>() {
        if !is_ascii(block) {
            break;
        }
        length += BLOCK;
    }
    length + source[length..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// The length of the longest prefix of `source` that is ASCII, in code units.
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let mut length = 0;
    while let Some(block) = source[length..].first_chunk::<BLOCK>() {
        if !is_ascii_utf16(block) {
            break;
        }
        length += BLOCK;
    }
    length + source[length..].iter().take_while(|&&unit| unit < 0x80).count()
}

/// Copies the ASCII prefix of `source`, as far as it fits, and returns its length.
#[inline(never)]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    run(source, destination, is_ascii, u8::is_ascii, |byte| byte)
}

/// Copies the ASCII prefix of `source` to code units, as far as it fits, and returns its length.
#[inline(never)]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    run(source, destination, is_ascii, u8::is_ascii, u16::from)
}

/// Copies the ASCII prefix of `source`, which is UTF-16, to bytes, as far as it fits, and returns its length.
#[inline(never)]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    run(source, destination, is_ascii_utf16, |&unit| unit < 0x80, |unit| unit as u8)
}

/// Moves the prefix for which the test holds, by blocks and then by units.
#[inline(always)]
pub(super) fn run<S: Copy, D: Copy>(
    source: &[S],
    destination: &mut [D],
    block_holds: impl Fn(&[S; BLOCK]) -> bool,
    unit_holds: impl Fn(&S) -> bool,
    convert: impl Fn(S) -> D,
) -> usize {
    let mut length = 0;
    while let (Some(from), Some(to)) =
        (source[length..].first_chunk::<BLOCK>(), destination[length..].first_chunk_mut::<BLOCK>())
    {
        // Before the test: the other way round the compiler takes single bytes out of what it has loaded for the test.
        *to = from.map(&convert);
        if !block_holds(from) {
            break;
        }
        length += BLOCK;
    }
    for (to, from) in destination[length..].iter_mut().zip(after(source, length)) {
        if !unit_holds(from) {
            break;
        }
        *to = convert(*from);
        length += 1;
    }
    length
}

pub(super) fn is_ascii(block: &[u8; BLOCK]) -> bool {
    u128::from_ne_bytes(*block) & u128::from_ne_bytes([0x80; BLOCK]) == 0
}

pub(super) fn is_ascii_utf16(block: &[u16; BLOCK]) -> bool {
    block.iter().fold(0, |all, unit| all | unit) < 0x80
}
