//! Encodings of one byte per character.

use super::ascii;
use crate::single_byte::{ByCodePoint, NULL};

pub(crate) fn to_utf16(code_points: &[u16; 128], source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    for (to, &byte) in destination.iter_mut().zip(source) {
        // Looked up in any case: a selection is cheaper than a branch that text makes hard to predict.
        let looked_up = code_points[usize::from(byte & 0x7F)];
        let unit = if byte < 0x80 { byte.into() } else { looked_up };
        if unit == NULL {
            break;
        }
        *to = unit;
        done += 1;
    }
    done
}

pub(crate) fn to_utf8(code_points: &[u16; 128], source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::copy(&source[read..], &mut destination[written..]);
        read += run;
        written += run;
        let Some(&byte @ 0x80..) = source.get(read) else { return (read, written) };
        let unit = code_points[usize::from(byte - 0x80)];
        let [high, low] = [(unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8];
        match (unit, &mut destination[written..]) {
            (NULL, _) => return (read, written),
            (..0x800, [first, second, ..]) => {
                (*first, *second) = (0xC0 | high, low);
                written += 2;
            }
            (0x800.., [first, second, third, ..]) => {
                (*first, *second, *third) = (0xE0 | (unit >> 12) as u8, 0x80 | high & 0x3F, low);
                written += 3;
            }
            _ => return (read, written),
        }
        read += 1;
    }
}

pub(crate) fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = 0;
    for (to, &unit) in destination.iter_mut().zip(source) {
        let byte = match unit {
            0x0000..=0x007F => Some(unit as u8),
            0x0080.. => by_code_point.byte(unit),
        };
        let Some(byte) = byte else { break };
        *to = byte;
        done += 1;
    }
    done
}
