//! Encoding to one and two bytes for each character, without vector instructions.

use super::tables::{ToDoubleByte, listed::NO_POINTER};
use crate::{ascii::scalar as ascii, base::*};

/// Encodes one character after the other; see [`crate::to_double_byte::from_utf16`].
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::narrow(after(source, read), after_mut(destination, written));
        (read, written) = (read + run, written + run);
        // Characters that are not ASCII, until the next ASCII code unit.
        while let (Some(&unit), Some(room)) = (source.get(read), block_mut(destination, written)) {
            if unit < 0x80 {
                break;
            }
            let Some(pair) = pair(encoding, unit) else { return (read, written) };
            *room = pair;
            (read, written) = (read + 1, written + 2);
        }
        if source.get(read).is_none_or(|&unit| unit >= 0x80) || written == destination.len() {
            return (read, written);
        }
    }
}

/// The bytes of a code unit that is not ASCII; `None` if it has no pointer. Always inlined, so that a caller counts
/// bits with `popcnt`.
#[inline(always)]
pub(crate) fn pair(encoding: &ToDoubleByte<'_>, unit: u16) -> Option<[u8; 2]> {
    let mut pointer = encoding.listed().pointer(unit);
    if pointer >= encoding.end() {
        pointer = encoding.other(unit);
    }
    if pointer == NO_POINTER {
        return None;
    }
    let (row, column) = encoding.columns().divide(pointer);
    Some([encoding.leading().byte(row), encoding.trailing().byte(column)])
}
