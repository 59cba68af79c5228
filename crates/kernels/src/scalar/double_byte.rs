//! Encodings of one and two bytes per character.

use super::ascii;
use crate::double_byte::{ALONE, DoubleByte, NULL, is_surrogate};

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
