//! Encodings of one and two bytes per character.

use super::ascii;
use crate::double_byte::{ALONE, DoubleByte, NO_POINTER, NULL, Part, ToDoubleByte, is_surrogate};

pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::widen(&source[read..], &mut destination[written..]);
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

pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if encoding.ascii != 0 {
            let run = ascii::narrow(&source[read..], &mut destination[written..]);
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
