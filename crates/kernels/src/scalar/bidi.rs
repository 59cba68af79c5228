//! Right-to-left code points. The compiler turns the loops over blocks into vector instructions: of every processor
//! here, and of the level in the functions of the other levels, which inline these functions.

use crate::blocks::after;

/// The number of code units in a block.
const UNITS: usize = 32;

/// The number of bytes in a block.
const BYTES: usize = 32;

/// The number of bytes after a byte that decide, with that byte, whether it begins a right-to-left code point.
const LOOK_AHEAD: usize = 2;

/// Whether a code unit of `source` is right-to-left.
#[inline(always)]
pub(crate) fn is_in_utf16(source: &[u16]) -> bool {
    let mut done = 0;
    while let Some(block) = after(source, done).first_chunk::<UNITS>() {
        if may_contain(block) && contains(block) {
            return true;
        }
        done += UNITS;
    }
    // The last block overlaps the one before it.
    match source.last_chunk::<UNITS>() {
        Some(block) => done < source.len() && may_contain(block) && contains(block),
        None => source.iter().any(|&unit| is_unit(unit)),
    }
}

/// Whether a block contains a code unit between the first and the last right-to-left one, other than the ideographs and
/// syllables of East Asia. Texts in many languages have no such code unit.
#[inline(always)]
fn may_contain(block: &[u16; UNITS]) -> bool {
    any(block, |unit| is_between(unit, 0x0590, 0x2067) | is_between(unit, 0xD802, 0xFEFE))
}

#[inline(always)]
fn contains(block: &[u16; UNITS]) -> bool {
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
    let mut done = 0;
    while let Some(block) = after(source, done).first_chunk::<{ BYTES + LOOK_AHEAD }>() {
        if may_contain_leading(block) && contains_leading(block) {
            return true;
        }
        done += BYTES;
    }
    // The last block overlaps the one before it. After it, the last two bytes are left.
    if let Some(block) = source.last_chunk::<{ BYTES + LOOK_AHEAD }>() {
        if may_contain_leading(block) && contains_leading(block) {
            return true;
        }
        done = source.len() - LOOK_AHEAD;
    }
    let at = |at| source.get(at).copied().unwrap_or_default();
    (done..source.len()).any(|start| at(start) >= 0xD6 && begins(at(start), at(start + 1), at(start + 2)))
}

/// Whether a block contains a byte that begins a right-to-left code point or one that shares its first byte.
#[inline(always)]
fn may_contain_leading(block: &[u8; BYTES + LOOK_AHEAD]) -> bool {
    block[..BYTES]
        .iter()
        .fold(false, |any, &byte| any | (byte.wrapping_sub(0xD6) <= 0xE0 - 0xD6) | (byte == 0xE2) | (byte >= 0xEF))
}

/// Whether a right-to-left code point begins in the block, before the bytes that are looked ahead to.
#[inline(always)]
fn contains_leading(block: &[u8; BYTES + LOOK_AHEAD]) -> bool {
    let bytes = block.iter().zip(&block[1..]).zip(&block[2..]);
    bytes.fold(false, |any, ((&first, &second), &third)| any | begins(first, second, third))
}

/// Whether the three bytes, which begin a sequence of well-formed UTF-8 or stand inside one, begin a right-to-left code point. A third
/// byte that is not there is 0.
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
