//! Encoding to one byte per character, from UTF-8 and from UTF-16, without vector instructions.

use super::tables::{ByCodePoint, ByteTable};
use crate::{ascii::scalar as ascii, base::*};

/// As [`from_utf8`], for at most the first eight bytes of `source`: vector bodies call this for a character that their
/// step does not convert.
pub(crate) fn up_to_eight_bytes(
    by_code_point: ByCodePoint<'_>,
    source: &[u8],
    destination: &mut [u8],
) -> (usize, usize) {
    more_from_utf8(by_code_point, source.first_chunk::<8>().map_or(source, |few| few), destination)
}

/// Encodes one character after the other; see [`crate::to_single_byte::from_utf8`].
pub(crate) fn from_utf8(table: &ByteTable, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    more_from_utf8(table.by_code_point(), source, destination)
}

/// As [`from_utf8`], for a body of another level.
#[inline(never)]
pub(crate) fn more_from_utf8(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < source.len() {
        while let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) {
            if !ascii::is_ascii(from) {
                break;
            }
            *to = *from;
            (read, written) = (read + ascii::BLOCK_UNITS, written + ascii::BLOCK_UNITS);
        }
        // Many characters are encoded between two tests for ASCII, so that the tests take little of the total time.
        let block_end = source.len().min(read + ascii::BLOCK_UNITS);
        while read < block_end {
            let Some(room) = destination.get_mut(written) else { return (read, written) };
            let Some((byte, length)) = first_character(&by_code_point, after(source, read)) else {
                return (read, written);
            };
            *room = byte;
            (read, written) = (read + length, written + 1);
        }
    }
    (read, written)
}

/// The byte of the first character of `source`, and the length of the character in UTF-8. `None` if the character has
/// no byte or the end of `source` cuts it off.
#[inline]
fn first_character(by_code_point: &ByCodePoint<'_>, source: &[u8]) -> Option<(u8, usize)> {
    let bytes = match *source {
        [byte @ 0x00..=0x7F, ..] => return Some((byte, 1)),
        [first, second, third, ..] => [first, second, third],
        [first @ 0x80..=0xDF, second] => [first, second, 0],
        _ => return None,
    };
    let (byte, length) = beyond_ascii(by_code_point, &bytes);
    (byte != 0).then_some((byte, length))
}

/// The byte of a character that is not ASCII, or 0 if it has none, and the length of the character in UTF-8.
#[inline]
pub(crate) fn beyond_ascii(by_code_point: &ByCodePoint<'_>, &[first, second, third]: &[u8; 3]) -> (u8, usize) {
    let is_three = first >= 0xE0;
    let two = u32::from(first & 0x1F) << 6 | u32::from(second & 0x3F);
    // The first byte of a character of four bytes makes the code point so great that it has no block, and so no byte.
    let code_point = select(is_three, two << 6 | u32::from(third & 0x3F), two);
    (by_code_point.byte(code_point).unwrap_or(0), 2 + usize::from(is_three))
}

/// The body of [`crate::to_single_byte::from_private_use`].
pub(crate) fn from_private_use(source: &[u16], destination: &mut [u8]) -> usize {
    let mut length = 0;
    for (to, &unit) in destination.iter_mut().zip(source) {
        *to = unit as u8;
        if (*to as i8 as u16) & 0xF7FF != unit {
            break;
        }
        length += 1;
    }
    length
}

/// Encodes one code unit after the other; see [`crate::to_single_byte::from_utf16`].
pub(crate) fn from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    more_from_utf16(table.by_code_point(), source, destination)
}

/// As [`from_utf16`], for a body of another level.
#[inline(never)]
pub(crate) fn more_from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = 0;
    loop {
        if block(source, done).is_some_and(ascii::is_ascii_utf16) {
            done += ascii::narrow(after(source, done), after_mut(destination, done));
        }
        // A whole block is encoded between two tests for ASCII, so that the tests take little of the total time.
        let few = up_to(after(source, done), ascii::BLOCK_UNITS);
        let count = few_from_utf16(by_code_point, few, after_mut(destination, done));
        done += count;
        if count < ascii::BLOCK_UNITS {
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
