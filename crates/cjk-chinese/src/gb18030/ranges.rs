//! Bulk conversion of gb18030's sequences of four bytes, by the ranges of
//! [index gb18030 ranges](https://encoding.spec.whatwg.org/#index-gb18030-ranges).
//!
//! The handlers do not use this arithmetic, only the search in the table of ranges.
//!
//! Since the edition of 2022 some characters of ranges are also in index gb18030: U+1E3F, U+9FB4 to U+9FBB, and U+FE10
//! to U+FE19. The encoder writes these with two bytes. So a range that is kept from one sequence to the next ends
//! before such characters.

#[cfg(feature = "encode")]
use textcodec_core::convert;
use textcodec_core::{DecodeErrorMode, convert::Kept, index::NULL};
#[cfg(feature = "encode")]
use textcodec_kernels::ascii;
use textcodec_kernels::{
    blocks::{skip, skip_mut, up_to},
    double_byte, four_bytes,
    utf16::surrogates,
};

use super::PAIRS;
#[cfg(feature = "encode")]
use super::side_table;
#[cfg(feature = "encode")]
use crate::generated::gb18030;
use crate::generated::gb18030_ranges::RANGES;

/// A range of index gb18030 ranges, or a part of one. Consecutive sequences of four bytes mostly are in the same range,
/// so the range of the last search is kept.
#[derive(Clone, Copy)]
pub(super) struct Range {
    /// The first pointer.
    pointer: u32,
    /// The first code point.
    code_point: u32,
    /// The number of pointers, which is also the number of code points.
    length: u32,
}

/// Decodes a run of sequences that are not in the kernel's table; see [`Range::decode`]. `kept` has the range of the
/// last search.
pub(super) fn decode(kept: &mut Kept, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
    let [pointer, code_point, length] = *kept;
    let mut range = if length == 0 { Range::HANGUL } else { Range { pointer, code_point, length } };
    let done = range.decode(source, destination, mode);
    *kept = [range.pointer, range.code_point, range.length];
    done
}

/// The range with Hangul, the most frequent characters of four bytes, for kernels.
pub(super) const HANGUL: four_bytes::Range =
    four_bytes::Range { pointer: 19_065, unit: 0x9FBC, length: 0xD800 - 0x9FBC };

impl Range {
    /// An empty range.
    pub(super) const NONE: Self = Range { pointer: 0, code_point: 0, length: 0 };

    /// The range with Hangul, the most frequent characters of four bytes. A conversion that begins with it mostly needs
    /// no search.
    pub(super) const HANGUL: Self =
        Range { pointer: HANGUL.pointer, code_point: HANGUL.unit as u32, length: HANGUL.length };

    /// The range of the planes 1 to 16.
    const OTHER_PLANES: Self = Range { pointer: 189_000, code_point: 0x1_0000, length: 0x10_0000 };

    /// Decodes a run of sequences that are not in the kernel's table: sequences of four bytes, and between them single
    /// ASCII bytes and a few pairs of bytes. Returns the number of bytes read and of code units written.
    fn decode(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        /// Pairs of bytes in a row that are decoded here. More pairs in a row are decoded faster by the kernel.
        const PAIRS_IN_A_ROW: u32 = 2;
        let (mut read, mut written, mut pairs) = (0, 0, 0);
        loop {
            if let Some(range) = self.plane_0() {
                let (bytes, units) = four_bytes::to_utf16(&range, skip(source, read), skip_mut(destination, written));
                if bytes > units {
                    pairs = 0;
                }
                (read, written) = (read + bytes, written + units);
            }
            let (Some(&first), Some(room)) = (source.get(read), destination.get_mut(written)) else { break };
            let rest = skip(source, read);
            if first.is_ascii() {
                // The caller decodes runs of ASCII.
                let [_, 0x80..=0xFF, ..] = *rest else { break };
                *room = first.into();
                (read, written) = (read + 1, written + 1);
                continue;
            }
            let Some(pointer) = four_bytes::pointer(rest) else {
                let &[0x81..=0xFE, second, ..] = rest else { break };
                let is_malformed = second.is_ascii_digit() && PAIRS.table.other(rest) == NULL;
                if is_malformed && mode == DecodeErrorMode::Replacement {
                    // The bytes after the first one are read again.
                    *room = NULL;
                    (read, written) = (read + 1, written + 1);
                    continue;
                }
                if pairs == PAIRS_IN_A_ROW {
                    break;
                }
                let unit = PAIRS.table.pair(first, second);
                if unit == NULL || double_byte::is_surrogate(unit) {
                    break;
                }
                *room = unit;
                (read, written, pairs) = (read + 2, written + 1, pairs + 1);
                continue;
            };
            let place = pointer.wrapping_sub(self.pointer);
            let code_point = if place < self.length {
                self.code_point + place
            } else {
                match self.search_pointer(pointer) {
                    Some(code_point) => code_point.into(),
                    None if mode == DecodeErrorMode::Replacement => NULL.into(),
                    None => break,
                }
            };
            match u16::try_from(code_point) {
                Ok(unit) => *room = unit,
                Err(_) => {
                    let Some(room) = skip_mut(destination, written).first_chunk_mut() else { break };
                    *room = surrogates(code_point);
                    written += 1;
                }
            }
            (read, written, pairs) = (read + 4, written + 1, 0);
        }
        (read, written)
    }

    /// Encodes a run of characters of four bytes, and ASCII between them. Returns the number of code units read and of
    /// bytes written.
    #[cfg(feature = "encode")]
    #[inline(never)]
    pub(super) fn encode(&mut self, source: &[u16], destination: &mut [u8], is_gbk: bool) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            if let Some(range) = self.plane_0() {
                let (units, bytes) = four_bytes::from_utf16(&range, skip(source, read), skip_mut(destination, written));
                (read, written) = (read + units, written + bytes);
            }
            if let Some(0x00..=0x7F) = source.get(read) {
                // After ASCII, more characters of four bytes often follow.
                let run = ascii::narrow(skip(source, read), skip_mut(destination, written));
                if run == 0 {
                    break;
                }
                (read, written) = (read + run, written + run);
                continue;
            }
            let Some((code_point, length)) = convert::first_scalar_value(skip(source, read)) else { break };
            let place = u32::from(code_point).wrapping_sub(self.code_point);
            let pointer = if place < self.length {
                self.pointer + place
            } else {
                // After a character of four bytes, this can also be a character that the kernel encodes, or an
                // unmappable one.
                let is_another = code_point == '\u{E5E5}' || side_table(code_point).is_some();
                if is_gbk || is_another || gb18030::POINTERS.index_pointer(code_point).is_some() {
                    break;
                }
                self.search_code_point(code_point)
            };
            let Some(room) = skip_mut(destination, written).first_chunk_mut() else { break };
            *room = four_bytes::bytes(pointer);
            (read, written) = (read + length, written + 4);
        }
        (read, written)
    }

    /// This range for the kernel, unless it is empty or outside plane 0.
    fn plane_0(&self) -> Option<four_bytes::Range> {
        let unit = u16::try_from(self.code_point).ok()?;
        (self.length != 0).then_some(four_bytes::Range { pointer: self.pointer, unit, length: self.length })
    }

    /// Replaces this range by the range of `code_point`, which is in a range; see [`Self::take`]. Returns the pointer
    /// of `code_point`.
    #[cfg(feature = "encode")]
    fn search_code_point(&mut self, code_point: char) -> u32 {
        let Ok(unit) = u16::try_from(u32::from(code_point)) else {
            *self = Self::OTHER_PLANES;
            return Self::OTHER_PLANES.pointer + (u32::from(code_point) - Self::OTHER_PLANES.code_point);
        };
        if unit == 0xE7C7 {
            *self = Self::NONE;
            return 7457;
        }
        let number = ranges_to_code_point(unit);
        let (pointer, first) = range(number);
        self.take(number, unit);
        u32::from(pointer) + u32::from(unit - first)
    }

    /// Replaces this range by the range of `pointer`; see [`Self::take`]. Returns the code point of `pointer`.
    fn search_pointer(&mut self, pointer: u32) -> Option<char> {
        let code_point = match u16::try_from(pointer) {
            Ok(7457) => {
                *self = Self::NONE;
                0xE7C7
            }
            Ok(pointer @ ..39_420) => {
                let number = ranges_to_pointer(pointer);
                let (first, code_point) = range(number);
                let code_point = code_point + (pointer - first);
                self.take(number, code_point);
                code_point.into()
            }
            _ => {
                let place = pointer.checked_sub(Self::OTHER_PLANES.pointer)?;
                *self = Self::OTHER_PLANES;
                Self::OTHER_PLANES.code_point + place
            }
        };
        char::from_u32(code_point)
    }

    /// Replaces this range by the range of the given number, which begins with 1, or the part of that range around
    /// `unit` without exceptions. Ranges of private-use code points are short, so for these it becomes the empty range.
    #[inline(never)]
    fn take(&mut self, number: usize, unit: u16) {
        /// Code points of ranges that are also in the index since the edition of 2022. The pointer
        /// that the ranges give for U+1E3F belongs to U+E7C7.
        const EXCEPTIONS: [(u32, u32); 3] = [(0x1E3F, 0x1E3F), (0x9FB4, 0x9FBB), (0xFE10, 0xFE19)];
        *self = Self::NONE;
        if let 0xE000..=0xF8FF = unit {
            return;
        }
        let code_point = u32::from(unit);
        let [(pointer, first), next @ ..] = skip(&RANGES, number - 1) else { return };
        let (pointer, first) = (u32::from(*pointer), u32::from(*first));
        // The last range of plane 0 ends with the plane.
        let end = next.first().map_or(39_420, |&(pointer, _)| pointer.into());
        let (mut from, mut to) = (first, first + end - pointer);
        for (exception, last) in EXCEPTIONS {
            if code_point < exception {
                to = to.min(exception);
            } else if code_point > last {
                from = from.max(last + 1);
            } else {
                return;
            }
        }
        *self = Range { pointer: pointer + from - first, code_point: from, length: to - from };
    }
}

/// The first pointer and the first code point of the last range that begins with `pointer` or before it.
pub(crate) fn last_to_pointer(pointer: u32) -> (u32, u32) {
    start(u16::try_from(pointer).ok().map(ranges_to_pointer))
}

/// The first pointer and the first code point of the last range that begins with `code_point` or before it.
#[cfg(feature = "encode")]
pub(super) fn last_to_code_point(code_point: u32) -> (u32, u32) {
    start(u16::try_from(code_point).ok().map(ranges_to_code_point))
}

/// As [`range`], in 32 bits. `None` stands for the range of the planes 1 to 16.
fn start(number: Option<usize>) -> (u32, u32) {
    let Some(number) = number else { return (Range::OTHER_PLANES.pointer, Range::OTHER_PLANES.code_point) };
    let (pointer, code_point) = range(number);
    (pointer.into(), code_point.into())
}

/// The number of ranges that begin with `pointer` or before it. Not inlined, because it has several callers.
#[inline(never)]
fn ranges_to_pointer(pointer: u16) -> usize {
    RANGES.partition_point(|&(first, _)| first <= pointer)
}

/// The number of ranges that begin with `code_point` or before it.
#[cfg(feature = "encode")]
#[inline(never)]
fn ranges_to_code_point(code_point: u16) -> usize {
    RANGES.partition_point(|&(_, first)| first <= code_point)
}

/// The first pointer and the first code point of the range of the given number, which begins with 1. The last range,
/// which has the planes 1 to 16, is not among them.
fn range(number: usize) -> (u16, u16) {
    up_to(&RANGES, number).last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{string::String, vec::Vec};

    use textcodec_core::testing::{check_encoder_at, check_text};

    use super::*;
    use crate::GB18030;

    /// U+0080 brings the first range into use. After it, the first character of a pair brings its own one.
    #[test]
    fn characters_near_the_ends_of_ranges_are_encoded_after_each_other_as_by_the_handler() {
        let exceptions = [0x1E3F, 0x1E40, 0x9FB4, 0x9FBC, 0xE7C7, 0xFE10, 0xFE1A, 0x1_0000];
        for end in RANGES.iter().map(|range| range.1.into()).chain(exceptions) {
            let near: Vec<char> = (end - 2..end + 2).filter_map(char::from_u32).collect();
            let pairs = near.iter().flat_map(|first| near.iter().map(move |second| ['\u{80}', *first, *second]));
            check_encoder_at(&GB18030, &pairs.flatten().collect::<String>(), 0, 256);
        }
    }

    #[test]
    fn sequences_near_the_ends_of_ranges_are_decoded_after_each_other_as_by_the_handler() {
        // Of U+1E3F, U+9FB4, U+9FBC, U+FE10, U+FE1A, no character, and planes 1 to 16.
        let exceptions = [7457, 7458, 19_057, 19_065, 39_076, 39_086, 39_420, 189_000, 1_237_576];
        for end in RANGES.iter().map(|range| range.0.into()).chain(exceptions) {
            let near = end.max(2) - 2..end + 2;
            let pairs = near.clone().flat_map(|first| near.clone().map(move |second| [0, first, second]));
            let source: Vec<u8> = pairs.flatten().flat_map(four_bytes::bytes).collect();
            check_text(&GB18030, &[&source], 256);
        }
    }
}
