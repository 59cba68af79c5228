//! Code points up to U+00FF, without vector instructions.

use crate::{ascii::scalar as ascii, base::*};

/// Copies bytes to the code units of equal value, as many as fit, and returns their number.
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len().min(destination.len());
    for (to, &from) in destination[..length].iter_mut().zip(source) {
        *to = from.into();
    }
    length
}

/// Converts bytes to the UTF-8 of the code points of equal value. Returns `(read, written)`.
pub(crate) fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::copy(after(source, read), after_mut(destination, written));
        (read, written) = (read + run, written + run);
        while let (Some(&byte @ 0x80..), Some(room)) = (source.get(read), destination.get_mut(written..written + 2)) {
            room.copy_from_slice(&[0xC0 | byte >> 6, 0x80 | byte & 0x3F]);
            (read, written) = (read + 1, written + 2);
        }
        if written == destination.len() || !source.get(read).is_some_and(u8::is_ascii) {
            return (read, written);
        }
    }
}

/// Copies code units up to 0xFF to the bytes of equal value, and returns their number. Stops before the first code unit
/// above 0xFF.
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    ascii::run(source, destination, is_latin1, |_| None, |&unit| unit <= 0xFF, |unit| unit as u8)
}

/// Whether all code units of a block are at most 0xFF.
fn is_latin1(block: &[u16; ascii::BLOCK_UNITS]) -> bool {
    block.iter().fold(0, |all, unit| all | unit) <= 0xFF
}

/// Converts UTF-8 of code points up to U+00FF to the bytes of equal value. Stops before the first other code point.
/// Returns `(read, written)`.
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::copy(after(source, read), after_mut(destination, written));
        (read, written) = (read + run, written + run);
        match (source.get(read..), destination.get_mut(written)) {
            (Some([leading @ 0xC2..=0xC3, trailing @ 0x80..=0xBF, ..]), Some(room)) => {
                *room = leading << 6 | trailing & 0x3F;
                (read, written) = (read + 2, written + 1);
            }
            _ => return (read, written),
        }
    }
}

/// The length in bytes of the longest prefix of `source` that is UTF-8 of code points up to U+00FF.
pub(crate) fn prefix_length_utf8(source: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += ascii::prefix_length(after(source, length));
        match source[length..] {
            [0xC2..=0xC3, 0x80..=0xBF, ..] => length += 2,
            _ => return length,
        }
    }
}

/// The length in code units of the longest prefix of `source` without a code unit above 0xFF.
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let blocks = chunks(source).0.iter().take_while(|block| is_latin1(block)).count();
    let length = blocks * ascii::BLOCK_UNITS;
    length + skip(source, length).iter().take_while(|&&unit| unit <= 0xFF).count()
}
