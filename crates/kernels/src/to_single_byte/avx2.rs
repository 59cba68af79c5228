//! UTF-8 to single bytes, 64 bytes of UTF-8 a step.
//!
//! If few characters of a step are not ASCII, the 64 bytes are copied as they are. Then each of these characters is
//! looked up alone, its byte is written to its place, and the text after it is copied once more, to its new place:
//!
//! ```text
//! bytes       c   a   f   C3  A9  20  n          windows-1252
//! copied      c   a   f   C3  A9  20  n
//! patched     c   a   f   E9  20  n
//! ```
//!
//! The place of a character is the number of characters that start before it, which is a count of bits. So no patch
//! waits for the one before it, and the next step begins 64 bytes further on, plus the rest of the last character.
//!
//! If many characters are not ASCII, the text goes through a block of UTF-16: AVX2 would look up a lane for each byte
//! of UTF-8, of which only a half or a third start a character. Near the end of a slice, a step encodes a copy of the
//! text with zeros after it, and the scalar body takes fewer than 32 bytes.

pub(crate) mod from_utf16;
mod windows;

pub(crate) use self::from_utf16::from_utf16;

use core::mem::MaybeUninit;

use self::from_utf16::more_from_utf16;
use super::scalar;
use super::tables::{ByCodePoint, ByteTable};
use crate::utf16::from_utf8::avx2::{DENSE_SPACE_UNITS, dense_to_utf16};
use crate::utf16::scalar as utf16;
use crate::{ascii::avx2 as ascii, base::*, utf8::scalar::whole, vector::avx2::*};

/// The number of bytes that a step reads, and of space that it needs: 64 bytes, one character after them, and 64 bytes
/// that are copied after this character.
const STEP_READS_BYTES: usize = 64 + 3 + 64;

/// Characters beyond ASCII up to which a step of 64 bytes is patched with one after the other.
const PATCH_UP_TO_CHARACTERS: u32 = 10;

/// Length of a source, in bytes, below which the scalar body encodes it.
const STEP_FROM_BYTES: usize = 32;
/// The length in bytes of the copy that a step encodes near the end of a slice: 64 bytes of the source, and zeros. With
/// one byte more, there would be a second step.
const COPY_BYTES: usize = 64 + STEP_READS_BYTES - 1;

/// The body of [`crate::to_single_byte::from_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(table: &ByteTable, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if ascii::copy_few(source, destination) {
        (source.len(), source.len())
    } else {
        more_from_utf8(table.by_code_point(), source, destination)
    }
}

/// As [`from_utf8`], for all but a few bytes of ASCII. [`steps`] encodes as long as both slices have the
/// [`STEP_READS_BYTES`] of a step. After that, a step encodes a copy of up to 64 bytes, with zeros after them, to a
/// buffer. Each zero becomes one byte, which is not counted; the other bytes are copied to `destination` if they fit.
/// The scalar body encodes the last bytes, fewer than 32.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_from_utf8(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < STEP_FROM_BYTES {
        return scalar::more_from_utf8(by_code_point, source, destination);
    }
    let lengths = (source.len(), destination.len());
    let (read, written, mut stopped) = steps(by_code_point, source, destination);
    let (mut source, mut destination) = (skip(source, read), skip_mut(destination, written));
    let run = ascii::copy_blocks(source, destination);
    (source, destination) = (skip(source, run), skip_mut(destination, run));
    while !stopped {
        let few = whole(up_to(source, 64));
        if few.len() < STEP_FROM_BYTES {
            break;
        }
        let (mut copy, mut memory) = ([0; COPY_BYTES], [MaybeUninit::uninit(); COPY_BYTES]);
        copy_32_to_64(few, &mut copy);
        let bytes = initialised(&mut memory);
        let (length, count, _) = steps(by_code_point, &copy, bytes);
        // Each zero that was encoded has become one byte.
        let zeros = length.saturating_sub(few.len());
        let bytes = up_to(bytes, count - zeros);
        let Some(room) = destination.get_mut(..bytes.len()) else { break };
        room.copy_from_slice(bytes);
        stopped = length < few.len();
        (source, destination) = (after(source, length - zeros), after_mut(destination, bytes.len()));
    }
    let (read, written) = scalar::more_from_utf8(by_code_point, source, destination);
    (lengths.0 - source.len() + read, lengths.1 - destination.len() + written)
}

/// Encodes 64 bytes a step; where more than [`PATCH_UP_TO_CHARACTERS`] characters are not ASCII, [`by_way_of_utf16`]
/// takes over for a while. Ends where either slice is too short for a step. Returns `(read, written)`, and whether it
/// stopped before a character that has no byte.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn steps(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize, bool) {
    let lengths = (source.len(), destination.len());
    let (mut source, mut destination) = (source, destination);
    while let (Some(from), Some(room)) = (block(source, 0), block_mut(destination, 0)) {
        let (beyond, starts) = classes(from);
        copy_64(from, 0, room, 0);
        if beyond == 0 {
            (source, destination) = (after(source, 64), after_mut(destination, 64));
            let run = ascii::copy_64s(source, destination);
            (source, destination) = (after(source, run), after_mut(destination, run));
            continue;
        }
        let beyond = beyond & starts;
        if beyond.count_ones() > PATCH_UP_TO_CHARACTERS {
            let first = beyond.trailing_zeros() as usize;
            let (read, written, stopped) = by_way_of_utf16(by_code_point, first, source, destination);
            (source, destination) = (after(source, read), after_mut(destination, written));
            if stopped {
                return (lengths.0 - source.len(), lengths.1 - destination.len(), true);
            }
            if read == 0 {
                break;
            }
            continue;
        }
        let end = patch(&by_code_point, from, starts, beyond, room);
        let written = _bzhi_u64(starts, end as u32).count_ones() as usize;
        // The last character may continue after the block, by one or two bytes.
        let continues = |at: usize| usize::from(from[at] & 0xC0 == 0x80);
        let read = if end < 64 { end } else { 64 + continues(64) + (continues(64) & continues(65)) };
        (source, destination) = (after(source, read), after_mut(destination, written));
        if end < 64 {
            return (lengths.0 - source.len(), lengths.1 - destination.len(), true);
        }
    }
    (lengths.0 - source.len(), lengths.1 - destination.len(), false)
}

/// Converts text in which many characters are not ASCII, up to where few are, or to the end of either slice. Returns
/// `(read, written)`, and whether it stopped before a character that has no byte.
///
/// Converts nothing if the first character beyond ASCII, at `first`, has no byte. Thai in windows-1252 has none: the
/// kernel is called again after each space, and would make a block of UTF-16 each time.
///
/// A step over bytes of UTF-8 could look up only the half or the third of its lanes where characters start.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn by_way_of_utf16(
    by_code_point: ByCodePoint<'_>,
    first: usize,
    source: &[u8],
    destination: &mut [u8],
) -> (usize, usize, bool) {
    if block(source, first).is_some_and(|next| scalar::beyond_ascii(&by_code_point, next).0 == 0) {
        return (0, 0, true);
    }
    let mut memory = [MaybeUninit::uninit(); 512];
    let units = initialised(&mut memory);
    let (mut read, mut written) = (0, 0);
    loop {
        let room = units.len().min(destination.len() - written);
        let (length, count) = dense_to_utf16(after(source, read), up_to_mut(units, room));
        let encoded = more_from_utf16(by_code_point, up_to(units, count), after_mut(destination, written));
        written += encoded;
        if encoded < count {
            return (read + utf16::utf8_length(up_to(units, encoded)), written, true);
        }
        read += length;
        if count + DENSE_SPACE_UNITS <= units.len() {
            return (read, written, false);
        }
    }
}

/// Masks of the bytes that are not ASCII and of the bytes that start a character, among the first 64.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn classes(from: &[u8; STEP_READS_BYTES]) -> (u64, u64) {
    let bytes = [0, 32].each(|at| load(block(from, at).expect("`from` is longer than 64 bytes")));
    (ascii::mask(bytes), ascii::mask(bytes.each(|bytes| _mm256_cmpgt_epi8(bytes, set8(0xBF)))))
}

/// Writes the bytes that the characters of 64 bytes are encoded to. Few characters are not ASCII: they start at the
/// bits of `beyond`. Returns the position of the first character that has no byte; 64 if every character has one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn patch(
    by_code_point: &ByCodePoint<'_>,
    from: &[u8; STEP_READS_BYTES],
    starts: u64,
    mut beyond: u64,
    room: &mut [u8; STEP_READS_BYTES],
) -> usize {
    while beyond != 0 {
        let at = beyond.trailing_zeros() as usize;
        let place = _bzhi_u64(starts, at as u32).count_ones() as usize;
        let (byte, length) = scalar::beyond_ascii(by_code_point, block(from, at).expect("`at` is at most 63 here"));
        if byte == 0 {
            return at;
        }
        room[place] = byte;
        copy_64(from, at + length, room, place + 1);
        beyond &= beyond - 1;
    }
    64
}

/// Copies the 64 bytes of `from` from `at` on to `room` from `place` on.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_64(from: &[u8; STEP_READS_BYTES], at: usize, room: &mut [u8; STEP_READS_BYTES], place: usize) {
    if let (Some(from), Some(room)) = (block::<_, 64>(from, at), block_mut::<_, 64>(room, place)) {
        for (from, room) in from.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
            store(load(from), room);
        }
    }
}
