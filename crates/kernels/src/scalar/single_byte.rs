//! Encodings of one byte per character.
//!
//! In text of most languages nobody can predict which bytes are ASCII, and a wrong guess takes as long as several characters. So
//! every byte is looked up, and what to take is selected without a branch.

use core::hint::select_unpredictable;

use super::ascii;
use crate::{
    blocks::{after, after_mut},
    single_byte::ByCodePoint,
};

/// Bytes that are looked up before one of them is compared.
const BLOCK: usize = 8;

pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) =
        (source[done..].first_chunk::<BLOCK>(), destination[done..].first_chunk_mut::<BLOCK>())
    {
        *to = from.map(|byte| unit(code_points, byte));
        if to.contains(&end) {
            break;
        }
        done += BLOCK;
    }
    for (to, &byte) in destination[done..].iter_mut().zip(after(source, done)) {
        *to = unit(code_points, byte);
        if *to == end {
            break;
        }
        done += 1;
    }
    done
}

/// The code unit of `byte`.
#[inline]
fn unit(code_points: &[u16; 128], byte: u8) -> u16 {
    let looked_up = code_points[usize::from(byte & 0x7F)];
    select_unpredictable(byte >= 0x80, looked_up, byte.into())
}

pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if source[read..].first_chunk().is_some_and(ascii::is_ascii) {
            let run = ascii::copy(after(source, read), after_mut(destination, written));
            read += run;
            written += run;
        }
        // So many that asking for a run of ASCII does not count.
        let block_end = source.len().min(read + ascii::BLOCK);
        for &byte in &source[read..block_end] {
            let unit = unit(code_points, byte);
            let [high, low] = [(unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8];
            match (unit, after_mut(destination, written)) {
                (..0x800, [first, second, ..]) => {
                    let is_two = unit >= 0x80;
                    let bytes = select_unpredictable(is_two, u16::from_le_bytes([0xC0 | high, low]), unit);
                    [*first, *second] = bytes.to_le_bytes();
                    written += 1 + usize::from(is_two);
                }
                (..0x80, [only]) => {
                    *only = byte;
                    written += 1;
                }
                (unit, _) if unit == end => return (read, written),
                (0x800.., [first, second, third, ..]) => {
                    [*first, *second, *third] = [0xE0 | (unit >> 12) as u8, 0x80 | high & 0x3F, low];
                    written += 3;
                }
                _ => return (read, written),
            }
            read += 1;
        }
        if read == source.len() {
            return (read, written);
        }
    }
}

pub(crate) fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = 0;
    for (to, &unit) in destination.iter_mut().zip(source) {
        // For ASCII it is 0.
        let looked_up = by_code_point.byte(unit).unwrap_or(0);
        *to = select_unpredictable(unit < 0x80, unit as u8, looked_up);
        if *to == 0 && unit != 0 {
            break;
        }
        done += 1;
    }
    done
}
