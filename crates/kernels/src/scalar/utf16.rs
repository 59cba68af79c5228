//! UTF-16.

use super::ascii;
use crate::blocks::{after, after_mut};

/// The length in code units of the longest prefix of `source` without an unpaired surrogate.
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    let mut length = 0;
    loop {
        length += source[length..].iter().take_while(|&&unit| !is_surrogate(unit)).count();
        match source[length..] {
            [0xD800..=0xDBFF, 0xDC00..=0xDFFF, ..] => length += 2,
            _ => return length,
        }
    }
}

/// Converts the valid prefix of `source` to UTF-8. Returns `(read, written)`.
pub(crate) fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&unit) = source.get(read) {
        let room = after_mut(destination, written);
        let length = match unit {
            0x0000..=0x007F => {
                let run = ascii::narrow(after(source, read), room);
                if run == 0 {
                    break;
                }
                read += run;
                written += run;
                continue;
            }
            0x0080..=0x07FF if room.len() >= 2 => {
                room[..2].copy_from_slice(&[0xC0 | (unit >> 6) as u8, continuation(unit.into())]);
                2
            }
            0xD800..=0xDFFF => {
                let [0xD800..=0xDBFF, trailing @ 0xDC00..=0xDFFF, ..] = source[read..] else { break };
                let Some(room) = room.first_chunk_mut::<4>() else { break };
                let code_point = ((u32::from(unit) - 0xD7C0) << 10) + (u32::from(trailing) & 0x3FF);
                *room = [
                    0xF0 | (code_point >> 18) as u8,
                    continuation(code_point >> 12),
                    continuation(code_point >> 6),
                    continuation(code_point),
                ];
                read += 1;
                4
            }
            0x0800.. if room.len() >= 3 => {
                let unit = u32::from(unit);
                room[..3].copy_from_slice(&[0xE0 | (unit >> 12) as u8, continuation(unit >> 6), continuation(unit)]);
                3
            }
            _ => break,
        };
        read += 1;
        written += length;
    }
    (read, written)
}

/// How many bytes of UTF-8 the valid text `source` makes.
#[inline(never)]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    source
        .iter()
        .map(|&unit| match unit {
            0x0000..=0x007F => 1,
            // A surrogate is half of four bytes.
            0x0080..=0x07FF | 0xD800..=0xDFFF => 2,
            _ => 3,
        })
        .sum()
}

/// Reads the valid prefix of UTF-16LE whose units are turned by `turn` bits, as much as fits, and returns its length in code
/// units.
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], turn: u16) -> usize {
    let unit = |pair| u16::from_le_bytes(pair).rotate_left(turn.into());
    let (pairs, _) = source.as_chunks();
    let length = pairs.len().min(destination.len());
    // By blocks, so that what is validated is still near; small ones at first, as an error may be near, too.
    let (mut done, mut size) = (0, 32);
    while done < length {
        let end = length.min(done + size);
        size = 2048.min(2 * size);
        for (to, &pair) in destination[done..end].iter_mut().zip(&pairs[done..end]) {
            *to = unit(pair);
        }
        let valid = done + valid_up_to(&destination[done..end]);
        if valid + 1 < end || (valid < end && (end == length || valid == done)) {
            return valid;
        }
        done = valid;
    }
    done
}

/// The reference for UTF-16LE.
#[cfg(test)]
pub(crate) fn from_le_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 0)
}

/// The reference for UTF-16BE.
#[cfg(test)]
pub(crate) fn from_be_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    from_bytes(source, destination, 8)
}

fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// The continuation byte of the six lowest bits.
fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3F) as u8
}
