//! UTF-8 to UTF-16, without vector instructions.

use crate::{ascii::scalar as ascii, base::*, utf16::surrogates};

/// Converts the well-formed prefix of `source` to UTF-16. Returns `(read, written)`.
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&byte) = source.get(read) {
        if byte.is_ascii() {
            if block(source, read).is_some_and(ascii::is_ascii) {
                let run = ascii::widen(after(source, read), after_mut(destination, written));
                (read, written) = (read + run, written + run);
                if run < ascii::BLOCK_UNITS {
                    break;
                }
                continue;
            }
            let Some(room) = destination.get_mut(written) else { break };
            *room = byte.into();
            (read, written) = (read + 1, written + 1);
            continue;
        }
        let Some((code_point, length)) = first_beyond_ascii(after(source, read)) else { break };
        let room = after_mut(destination, written);
        match u16::try_from(code_point) {
            Ok(unit) if !room.is_empty() => {
                room[0] = unit;
                written += 1;
            }
            Err(_) if room.len() >= 2 => {
                [room[0], room[1]] = surrogates(code_point);
                written += 2;
            }
            _ => break,
        }
        read += length;
    }
    (read, written)
}

/// The code point of the well-formed sequence of two to four bytes that `source` starts with, and its length. `None` if
/// `source` starts with ASCII, a malformed sequence, or a sequence that its end cuts off.
#[inline]
pub(crate) fn first_beyond_ascii(source: &[u8]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match *source {
        [first @ 0xC2..=0xDF, second @ 0x80..=0xBF, ..] => Some((u32::from(first & 0x1F) << 6 | bits(second), 2)),
        [first @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..] => {
            let code_point = u32::from(first & 0xF) << 12 | bits(second) << 6 | bits(third);
            (code_point >= 0x800 && code_point & 0xF800 != 0xD800).then_some((code_point, 3))
        }
        [first @ 0xF0..=0xF4, second @ 0x80..=0xBF, third @ 0x80..=0xBF, fourth @ 0x80..=0xBF, ..] => {
            let code_point = u32::from(first & 0x7) << 18 | bits(second) << 12 | bits(third) << 6 | bits(fourth);
            (0x10000..=0x10FFFF).contains(&code_point).then_some((code_point, 4))
        }
        _ => None,
    }
}
