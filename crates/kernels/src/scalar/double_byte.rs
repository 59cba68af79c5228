//! Decoding of encodings with one and two bytes for each character, without vector instructions.

use super::ascii;
use crate::{
    blocks::{Each, after, after_mut, block_mut},
    tables::{
        double_byte::{ALONE, DoubleByte, NULL},
        is_surrogate,
    },
};

/// Decodes one character after the other; see [`crate::double_byte::to_utf16`].
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        // A single ASCII byte between two pairs, mostly a space, is not worth a call.
        if let ([byte @ 0x00..=0x7F, 0x80..=0xFF, ..], [room, ..]) =
            (after(source, read), after_mut(destination, written))
        {
            *room = (*byte).into();
            (read, written) = (read + 1, written + 1);
        } else if source.get(read).is_some_and(u8::is_ascii) {
            let run = ascii::widen(after(source, read), after_mut(destination, written));
            (read, written) = (read + run, written + run);
        }
        // Characters that are not ASCII, until the next ASCII byte.
        while let (Some(&byte @ 0x80..), Some(room)) = (source.get(read), destination.get_mut(written)) {
            let Some((unit, length)) = beyond_ascii(encoding, byte, source.get(read + 1)) else {
                return (read, written);
            };
            *room = unit;
            read += length;
            written += 1;
        }
        if written == destination.len() || read == source.len() {
            return (read, written);
        }
    }
}

/// The code unit of the character that starts with `byte`, and its length in bytes. `None` if the character has no
/// single code unit, or only the caller can decode it.
#[inline]
fn beyond_ascii(encoding: &DoubleByte<'_>, byte: u8, trailing: Option<&u8>) -> Option<(u16, usize)> {
    let unit = trailing.map_or(NULL, |&trailing| encoding.listed(byte, trailing));
    if unit == NULL || is_surrogate(unit) { elsewhere(encoding, byte, trailing) } else { Some((unit, 2)) }
}

/// As [`beyond_ascii`], for a character that is no pair of the table: a single byte, or a pair that
/// [`DoubleByte::pair`] knows.
#[cold]
#[inline(never)]
fn elsewhere(encoding: &DoubleByte<'_>, byte: u8, trailing: Option<&u8>) -> Option<(u16, usize)> {
    let (unit, length) = if encoding.rows()[usize::from(byte & 0x7F)] == ALONE {
        (encoding.singles()[usize::from(byte & 0x7F)], 1)
    } else {
        (trailing.map_or(NULL, |&trailing| encoding.pair(byte, trailing)), 2)
    };
    (unit != NULL && !is_surrogate(unit)).then_some((unit, length))
}

#[inline(never)]
/// Decodes one character after the other; see [`crate::double_byte::to_utf8`].
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(&byte), Some(room)) = (source.get(read), destination.get_mut(written)) {
        if byte.is_ascii() {
            *room = byte;
            (read, written) = (read + 1, written + 1);
            // A single ASCII byte between two pairs, mostly a space, is not worth a call.
            if source.get(read).is_some_and(u8::is_ascii) {
                let run = ascii::copy(after(source, read), after_mut(destination, written));
                (read, written) = (read + run, written + run);
            }
            continue;
        }
        let Some((unit, length)) = beyond_ascii(encoding, byte, source.get(read + 1)) else { break };
        let [second, last] = [unit >> 6, unit].each(|bits| 0x80 | (bits & 0x3F) as u8);
        if let (0x800.., Some(room)) = (unit, block_mut(destination, written)) {
            *room = [0xE0 | (unit >> 12) as u8, second, last];
            written += 3;
        } else if let (..0x800, Some(room)) = (unit, block_mut(destination, written)) {
            *room = [0xC0 | (unit >> 6) as u8, last];
            written += 2;
        } else {
            break;
        }
        read += length;
    }
    (read, written)
}
