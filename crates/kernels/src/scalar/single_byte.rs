//! Encodings of one byte per character, without vector instructions.
//!
//! In most languages a processor cannot predict which bytes of a text are ASCII, and a mispredicted branch takes as
//! long as several characters. So every byte is looked up in the table, also if it is ASCII, and the result is selected
//! without a branch.

use super::ascii;
pub(crate) use super::utf8_to_single_byte::from_utf8;
use crate::{
    backports::select,
    blocks::{Each, after, after_mut, block, block_mut, up_to},
    tables::single_byte::ByCodePoint,
};

/// The number of bytes of a block. A block is first tested for being all ASCII; otherwise all its bytes are looked up
/// before any result is compared with `end`.
const BLOCK: usize = 8;

/// Decodes one byte after the other; see [`crate::single_byte::to_utf16`].
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        if is_ascii(from) {
            done += ascii::widen(after(source, done), after_mut(destination, done));
            continue;
        }
        *to = from.each(|byte| unit(code_points, byte));
        if to.contains(&end) {
            break;
        }
        done += BLOCK;
    }
    for (to, &byte) in after_mut(destination, done).iter_mut().zip(after(source, done)) {
        *to = unit(code_points, byte);
        if *to == end {
            break;
        }
        done += 1;
    }
    done
}

/// Whether all bytes of a block are ASCII.
fn is_ascii(block: &[u8; BLOCK]) -> bool {
    u64::from_ne_bytes(*block) & u64::from_ne_bytes([0x80; BLOCK]) == 0
}

/// The code unit of `byte`.
#[inline]
fn unit(code_points: &[u16; 128], byte: u8) -> u16 {
    let looked_up = code_points[usize::from(byte & 0x7F)];
    select(byte >= 0x80, looked_up, byte.into())
}

/// Decodes one byte after the other; see [`crate::single_byte::to_utf8`].
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < source.len() {
        if block(source, read).is_some_and(is_ascii) {
            let run = ascii::copy(after(source, read), after_mut(destination, written));
            (read, written) = (read + run, written + run);
        }
        // A whole block is decoded between two tests for ASCII, so that the tests take little of the total time.
        for &byte in up_to(after(source, read), BLOCK) {
            let unit = unit(code_points, byte);
            let [second, last] = [unit >> 6, unit].each(|bits| 0x80 | (bits & 0x3F) as u8);
            if let (..0x800, Some(room)) = (unit, block_mut(destination, written)) {
                let two = u16::from_le_bytes([0xC0 | (unit >> 6) as u8, last]);
                *room = select(unit >= 0x80, two, unit).to_le_bytes();
                written += 1 + usize::from(unit >= 0x80);
            } else if unit == end {
                return (read, written);
            } else if let (0x800.., Some(room)) = (unit, block_mut(destination, written)) {
                *room = [0xE0 | (unit >> 12) as u8, second, last];
                written += 3;
            } else if let (..0x80, Some(room)) = (unit, destination.get_mut(written)) {
                *room = byte;
                written += 1;
            } else {
                return (read, written);
            }
            read += 1;
        }
    }
    (read, written)
}

/// Encodes one code unit after the other; see [`crate::single_byte::from_utf16`].
pub(crate) fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = 0;
    loop {
        if block(source, done).is_some_and(ascii::is_ascii_utf16) {
            done += ascii::narrow(after(source, done), after_mut(destination, done));
        }
        // A whole block is encoded between two tests for ASCII, so that the tests take little of the total time.
        let few = up_to(after(source, done), ascii::BLOCK);
        let count = few_from_utf16(by_code_point, few, after_mut(destination, done));
        done += count;
        if count < ascii::BLOCK {
            return done;
        }
    }
}

/// As [`from_utf16`], without a test for runs of ASCII.
#[inline]
pub(crate) fn few_from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = 0;
    for (to, &unit) in destination.iter_mut().zip(source) {
        // The lookup finds no byte for an ASCII code unit; the code unit itself is selected as the byte.
        let looked_up = by_code_point.byte(unit).unwrap_or(0);
        *to = select(unit < 0x80, unit as u8, looked_up);
        if *to == 0 && unit != 0 {
            break;
        }
        done += 1;
    }
    done
}
