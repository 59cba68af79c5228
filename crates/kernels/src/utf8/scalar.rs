//! UTF-8, without vector instructions.

use crate::{
    ascii::scalar as ascii,
    base::blocks::{after, after_mut, block, up_to},
    utf16::surrogates,
};

pub(crate) use super::validation::valid_up_to;

/// Copies the well-formed prefix of `source`, or as many whole characters of it as fit, and returns the number of
/// bytes.
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let length = valid_up_to(up_to(source, destination.len()));
    for (to, from) in destination.iter_mut().zip(up_to(source, length)) {
        *to = *from;
    }
    length
}

/// Converts the well-formed prefix of `source` to UTF-16. Returns `(read, written)`.
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&byte) = source.get(read) {
        if byte.is_ascii() {
            if block(source, read).is_some_and(ascii::is_ascii) {
                let run = ascii::widen(after(source, read), after_mut(destination, written));
                read += run;
                written += run;
                if run < ascii::BLOCK {
                    break;
                }
                continue;
            }
            let Some(room) = destination.get_mut(written) else { break };
            *room = byte.into();
            read += 1;
            written += 1;
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

/// `source` without the incomplete sequence at its end, if there is one.
#[inline]
#[cfg_attr(
    not(vectors = "x86_64"),
    allow(dead_code, reason = "only x86-64 has bodies that convert a short source in one step")
)]
pub(crate) fn whole(source: &[u8]) -> &[u8] {
    up_to(source, source.len() - begun(source))
}

/// The number of bytes of an incomplete sequence at the end of `done`. All of `done` before that sequence is
/// well-formed.
#[inline]
#[cfg_attr(not(vectors = "x86_64"), allow(dead_code, reason = "only vector bodies end a step within a sequence"))]
pub(crate) fn begun(done: &[u8]) -> usize {
    match *done {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, _] => 2,
        [.., 0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}
