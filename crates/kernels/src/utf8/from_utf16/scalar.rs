//! UTF-16 to UTF-8, without vector instructions.

use crate::{ascii::scalar as ascii, base::*};

/// Converts the well-formed prefix of `source` to UTF-8. Returns `(read, written)`.
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(&unit), Some(room)) = (source.get(read), destination.get_mut(written)) {
        let last = continuation(unit.into());
        if unit < 0x80 {
            *room = unit as u8;
            (read, written) = (read + 1, written + 1);
            if source.get(read).is_some_and(|&unit| unit < 0x80) {
                let run = ascii::narrow(after(source, read), after_mut(destination, written));
                (read, written) = (read + run, written + run);
            }
        } else if let (..0x800, Some(room)) = (unit, block_mut(destination, written)) {
            *room = [0xC0 | (unit >> 6) as u8, last];
            (read, written) = (read + 1, written + 2);
        } else if is_surrogate(unit) {
            let [0xD800..=0xDBFF, trailing @ 0xDC00..=0xDFFF, ..] = *after(source, read) else { break };
            let Some(room) = block_mut(destination, written) else { break };
            let code_point = ((u32::from(unit) - 0xD7C0) << 10) + (u32::from(trailing) & 0x3FF);
            *room = [
                0xF0 | (code_point >> 18) as u8,
                continuation(code_point >> 12),
                continuation(code_point >> 6),
                continuation(code_point),
            ];
            (read, written) = (read + 2, written + 4);
        } else if let (0x800.., Some(room)) = (unit, block_mut(destination, written)) {
            *room = [0xE0 | (unit >> 12) as u8, continuation(u32::from(unit) >> 6), last];
            (read, written) = (read + 1, written + 3);
        } else {
            break;
        }
    }
    (read, written)
}

/// The UTF-8 continuation byte of the six lowest bits.
fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3F) as u8
}
