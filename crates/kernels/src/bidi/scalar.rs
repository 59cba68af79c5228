//! Right-to-left code points. The compiler turns the loops over blocks into vector instructions: of every processor
//! here, and of the level in the functions of the other levels, which inline these functions.

use crate::base::*;

/// The number of code units in a block of a long text.
const BLOCK_UNITS: usize = 32;

/// The number of bytes in a block of a long text, and the bytes after them that decide, with the last ones, whether a
/// right-to-left code point begins there.
const BLOCK_BYTES: usize = 64;
const LOOK_AHEAD_BYTES: usize = 2;
const BLOCK_READS_BYTES: usize = BLOCK_BYTES + LOOK_AHEAD_BYTES;

/// Whether a code unit of `source` is right-to-left.
#[inline(always)]
pub(crate) fn is_in_utf16(source: &[u16]) -> bool {
    if source.len() < BLOCK_UNITS {
        return is_in_short_utf16(source);
    }
    let mut done = 0;
    while let Some(block) = after(source, done).first_chunk::<BLOCK_UNITS>() {
        if may_contain(block) && contains(block) {
            return true;
        }
        done += BLOCK_UNITS;
    }
    // The last block overlaps the one before it.
    source.last_chunk::<BLOCK_UNITS>().is_some_and(|block| may_contain(block) && contains(block))
}

/// Whether a code unit of `source`, which is shorter than [`BLOCK_UNITS`], is right-to-left. Two blocks that may
/// overlap are all of it.
#[inline(always)]
fn is_in_short_utf16(source: &[u16]) -> bool {
    if let (Some(first), Some(last)) = (source.first_chunk::<16>(), source.last_chunk::<16>()) {
        either_contains(first, last)
    } else if let (Some(first), Some(last)) = (source.first_chunk::<8>(), source.last_chunk::<8>()) {
        either_contains(first, last)
    } else {
        source.iter().any(|&unit| unit >= 0x0590 && is_unit(unit))
    }
}

/// Whether a code unit of either block is right-to-left.
#[inline(always)]
fn either_contains<const N: usize>(first: &[u16; N], last: &[u16; N]) -> bool {
    let all = |block: &[u16; N]| block.iter().fold(0, |all, unit| all | unit);
    // Latin and Greek have no bit above these.
    all(first) | all(last) > 0x03FF && contains(first) | contains(last)
}

/// Whether a block contains a code unit between the first and the last right-to-left one, other than the ideographs and
/// syllables of East Asia. Texts in many languages have no such code unit.
#[inline(always)]
fn may_contain<const N: usize>(block: &[u16; N]) -> bool {
    any(block, |unit| is_between(unit, 0x0590, 0x2067) | is_between(unit, 0xD802, 0xFEFE))
}

#[inline(always)]
fn contains<const N: usize>(block: &[u16; N]) -> bool {
    any(block, is_unit)
}

/// Whether `test` holds of any unit. All units are tested, without a branch.
#[inline(always)]
fn any<T: Copy, const N: usize>(block: &[T; N], test: impl Fn(T) -> bool) -> bool {
    block.iter().fold(false, |any, &unit| any | test(unit))
}

/// Whether a code unit is right-to-left. The operators evaluate both sides, because a vector has no branches.
#[inline(always)]
pub(crate) const fn is_unit(unit: u16) -> bool {
    is_between(unit, 0x0590, 0x08FF)
        | (unit == 0x200F)
        | (unit == 0x202B)
        | (unit == 0x202E)
        | (unit == 0x2067)
        | (unit & 0xFFFE == 0xD802)
        | (unit & 0xFFFE == 0xD83A)
        | is_between(unit, 0xFB1D, 0xFDFF)
        | is_between(unit, 0xFE70, 0xFEFE)
}

/// Whether `first <= unit <= last`, with one comparison.
#[inline(always)]
const fn is_between(unit: u16, first: u16, last: u16) -> bool {
    unit.wrapping_sub(first) <= last - first
}

/// Whether a code point of `source`, which is well-formed UTF-8, is right-to-left.
#[inline(always)]
pub(crate) fn is_in_utf8(source: &[u8]) -> bool {
    // The blocks end before the last two bytes, where only a sequence of two bytes can begin.
    if let Some(&[first, second]) = source.last_chunk() {
        if begins(first, second, 0) {
            return true;
        }
    }
    if source.len() < BLOCK_READS_BYTES {
        return is_in_short_utf8(source);
    }
    let mut done = 0;
    while let Some(block) = after(source, done).first_chunk::<BLOCK_READS_BYTES>() {
        if may_begin(block) && begins_in(block) {
            return true;
        }
        done += BLOCK_BYTES;
    }
    // The last block overlaps the one before it.
    source.last_chunk::<BLOCK_READS_BYTES>().is_some_and(|block| may_begin(block) && begins_in(block))
}

/// Whether a right-to-left code point begins before the last two bytes of `source`, which is shorter than
/// [`BLOCK_READS_BYTES`].
#[inline(always)]
fn is_in_short_utf8(source: &[u8]) -> bool {
    // Most short texts have no byte that can begin such a code point.
    let words = source.chunks_exact(8).filter_map(<[u8]>::first_chunk).chain(source.last_chunk());
    let may_begin = match source.len() {
        ..8 => source.iter().any(|&byte| byte >= 0xD6),
        _ => words.fold(0, |any, &word| any | at_least_d6(u64::from_ne_bytes(word))) != 0,
    };
    // The text stands at the end of the block, because the last two bytes of a block are not tested.
    may_begin && {
        let mut block = [0; BLOCK_READS_BYTES];
        block[BLOCK_READS_BYTES - source.len()..].copy_from_slice(source);
        begins_in(&block)
    }
}

/// The highest bit of each byte that is at least 0xD6, of eight bytes.
#[inline(always)]
fn at_least_d6(bytes: u64) -> u64 {
    const fn all(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    // The sum of the lower seven bits reaches the highest bit from 0x56 on, and never the next byte.
    ((bytes & all(0x7F)) + all(0x80 - 0x56)) & bytes & all(0x80)
}

/// Whether a block contains a byte that begins a right-to-left code point or one that shares its first byte.
#[inline(always)]
fn may_begin(block: &[u8; BLOCK_READS_BYTES]) -> bool {
    let test = |byte: u8| (byte.wrapping_sub(0xD6) <= 0xE0 - 0xD6) | (byte == 0xE2) | (byte >= 0xEF);
    block[..BLOCK_BYTES].iter().fold(false, |any, &byte| any | test(byte))
}

/// Whether a right-to-left code point begins in the block, before the bytes that are looked ahead to.
#[inline(always)]
fn begins_in<const N: usize>(block: &[u8; N]) -> bool {
    let bytes = block.iter().zip(&block[1..]).zip(&block[2..]);
    bytes.fold(false, |any, ((&first, &second), &third)| any | begins(first, second, third))
}

/// Whether the three bytes, which begin a sequence of well-formed UTF-8 or stand inside one, begin a right-to-left code
/// point. A third byte that is not there is 0.
#[inline(always)]
fn begins(first: u8, second: u8, third: u8) -> bool {
    // U+05C0 to U+07FF, and U+0590 to U+05BF
    (first.wrapping_sub(0xD7) <= 0xDF - 0xD7) | ((first == 0xD6) & (second >= 0x90))
        // U+0800 to U+08FF
        | ((first == 0xE0) & (second <= 0xA3))
        // U+200F, U+202B, U+202E and U+2067
        | ((first == 0xE2)
            & (((second == 0x80) & ((third == 0x8F) | (third == 0xAB) | (third == 0xAE)))
                | ((second == 0x81) & (third == 0xA7))))
        // U+FB1D to U+FDFF, and U+FE70 to U+FEFE
        | ((first == 0xEF)
            & (((second == 0xAC) & (third >= 0x9D))
                | (second.wrapping_sub(0xAD) <= 0xB7 - 0xAD)
                | ((second == 0xB9) & (third >= 0xB0))
                | (second == 0xBA)
                | ((second == 0xBB) & (third <= 0xBE))))
        // U+10800 to U+10FFF, and U+1E800 to U+1EFFF
        | ((first == 0xF0) & ((second == 0x90) | (second == 0x9E)) & (third >= 0xA0))
}
