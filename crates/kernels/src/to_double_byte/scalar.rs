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
            let mut pointer = encoding.listed().pointer(unit);
            if pointer >= encoding.end() {
                pointer = encoding.other(unit);
            }
            if pointer == NO_POINTER {
                return (read, written);
            }
            let (row, column) = encoding.columns().divide(pointer);
            *room = [encoding.leading().byte(row), encoding.trailing().byte(column)];
            (read, written) = (read + 1, written + 2);
        }
        if source.get(read).is_none_or(|&unit| unit >= 0x80) || written == destination.len() {
            return (read, written);
        }
    }
}
