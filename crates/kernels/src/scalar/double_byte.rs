//! Encodings of one and two bytes per character.

use crate::blocks::{after, after_mut};

use super::{ascii, utf16};
use crate::double_byte::{ALONE, DoubleByte, NO_POINTER, NULL, Part, ToDoubleByte, is_surrogate};

pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::widen(after(source, read), after_mut(destination, written));
        read += run;
        written += run;
        // Pairs, until there is ASCII again.
        while let (Some(&byte @ 0x80..), Some(room)) = (source.get(read), destination.get_mut(written)) {
            let (unit, length) = if encoding.rows[usize::from(byte - 0x80)] == ALONE {
                (encoding.singles[usize::from(byte - 0x80)], 1)
            } else {
                (source.get(read + 1).map_or(NULL, |&trailing| encoding.pair(byte, trailing)), 2)
            };
            if unit == NULL || is_surrogate(unit) {
                return (read, written);
            }
            *room = unit;
            read += length;
            written += 1;
        }
        if written == destination.len() || read == source.len() {
            return (read, written);
        }
    }
}

pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    by_utf16(source, destination, ascii::copy, |from, to| to_utf16(encoding, from, to), utf16::to_utf8)
}

/// Converts to UTF-8 by way of UTF-16, over a block that stays in the first-level cache; copies runs of ASCII straight.
#[inline(always)]
pub(crate) fn by_utf16(
    source: &[u8],
    destination: &mut [u8],
    copy: impl Fn(&[u8], &mut [u8]) -> usize,
    to_utf16: impl Fn(&[u8], &mut [u16]) -> (usize, usize),
    to_utf8: impl Fn(&[u16], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    let mut block = [0; 64];
    let (mut read, mut written) = (0, 0);
    loop {
        let run = copy(after(source, read), after_mut(destination, written));
        read += run;
        written += run;
        // A code unit makes three bytes at most; one at a time at the very end.
        let room = block.len().min((destination.len() - written) / 3).max(1);
        let (bytes, units) = to_utf16(after(source, read), &mut block[..room]);
        let (converted, length) = to_utf8(&block[..units], after_mut(destination, written));
        if converted < units || bytes == 0 {
            return (read, written);
        }
        read += bytes;
        written += length;
    }
}

pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if encoding.ascii != 0 {
            let run = ascii::narrow(after(source, read), after_mut(destination, written));
            read += run;
            written += run;
        }
        // Pairs, until there is ASCII again.
        while let (Some(&unit), Some(room)) = (source.get(read), destination.get_mut(written..written + 2)) {
            if unit < encoding.ascii {
                break;
            }
            let mut pointer = encoding.listed.pointer(unit);
            if pointer >= encoding.end {
                pointer = (encoding.others)(unit);
            }
            if pointer == NO_POINTER {
                return (read, written);
            }
            let byte = |number: u16, part: Part| {
                let number = number as u8;
                number + if number < part.split { part.lower } else { part.upper }
            };
            room[0] = byte(pointer / encoding.columns, encoding.leading);
            room[1] = byte(pointer % encoding.columns, encoding.trailing);
            read += 1;
            written += 2;
        }
        if source.get(read).is_none_or(|&unit| unit >= encoding.ascii) || written == destination.len() {
            return (read, written);
        }
    }
}
