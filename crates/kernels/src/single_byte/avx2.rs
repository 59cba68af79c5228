//! Encodings with one byte for each character, 32 characters a step.
//!
//! # Into UTF-16
//!
//! Most tables consist of [rows]. For a table that does not, and for a text of medium length,
//! `vpshufb` looks bytes up in slices of 16 entries. So a table of 128 code units becomes eight [`Slices`], each with
//! 16 low bytes and 16 high bytes, and all of them are looked up for all characters. A slice holds the differences
//! between its entries and those of the slice before, as exclusive or. A character's result is the sum of the
//! differences up to its own slice; the slices after it give 0, because the character's place in them is negative:
//!
//! ```text
//! byte B2            slice 80   slice 90   slice A0   slice B0   slice C0 …
//! place              32         22         12         02         negative
//! difference         8_         9_ ^ 8_    A_ ^ 9_    B_ ^ A_    0            (at place 2 of each slice)
//! sum                8_         9_         A_         B_         B_
//! ```
//!
//! # Into UTF-8
//!
//! Text that is mostly beyond ASCII becomes UTF-16 first ([`dense_to_utf8`]). For other text, the UTF-8 of every byte
//! is prepared in a table ([`Texts`]), and characters are looked up one by one. No branch depends on the characters:
//! four bytes are stored for each character, and the next character overwrites the bytes that do not count. Blocks of
//! 64 bytes with few characters beyond ASCII are [patched](crate::vector::avx2::patches) instead.

pub(crate) mod eights;
pub(crate) mod rows;

use core::mem::MaybeUninit;

use self::rows::Rows;
use super::scalar::{self, Texts};
use crate::{ascii::avx2 as ascii, base::*, utf8::from_utf16::avx2 as utf16_to_utf8, vector::avx2::*};

/// Length of a source, in bytes, from which on [`Slices`] decode it. For a shorter source, splitting the table into
/// vectors takes longer than decoding by [`eights`].
const SLICES_FROM_BYTES: usize = 64;

/// Length of a source, in bytes, from which on [`Rows`] decode it. With fewer bytes, finding the numbers of the rows
/// takes longer than they save.
const ROWS_FROM_BYTES: usize = 192;

/// Length of a source, in bytes, from which on the UTF-8 of every byte is prepared. For a shorter source, that takes
/// longer than decoding by [`eights`].
const TABLE_FROM_BYTES: usize = 128;

/// The body of [`crate::single_byte::to_private_use`]. Sign extension of 0x80 gives 0xFF80, and clearing a bit gives
/// 0xF780.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_private_use(source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let Some(last) = length.checked_sub(32) else { return scalar::to_private_use(source, destination) };
    let private =
        |half: &[u8; 16]| _mm256_and_si256(_mm256_cvtepi8_epi16(load_half(half)), _mm256_set1_epi16(0xF7FF_u16 as i16));
    let done = ascii::widen_64s(source, destination, |_| false, private);
    // Fewer than 64 bytes are left. They take two steps, of which the second overlaps with what comes before.
    for start in [done.min(last), last] {
        let (Some(from), Some(to)) = (block::<_, 32>(source, start), block_mut(destination, start)) else { break };
        let ([first, second], _) = from.as_chunks() else { break };
        store_units([first, second].each(private), to);
    }
    length
}

/// The body of [`crate::single_byte::to_utf16`]. It only calls a function for the length of the source, so that a short
/// source does not save the registers that the loops for a longer one use.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len();
    if ascii::widen_few(source, destination) {
        return length;
    }
    match length {
        ..SLICES_FROM_BYTES => eights::to_utf16(code_points, end, source, destination),
        SLICES_FROM_BYTES..ROWS_FROM_BYTES => by_slices(code_points, end, source, destination),
        _ => more_to_utf16(code_points, end, source, destination),
    }
}

/// Converts by rows. If a block does not consist of rows, it and all that follows are converted by slices.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let done = Rows::of(code_points, end).to_utf16(code_points, end, source, destination);
    let rest = skip(source, done);
    if rest.is_empty() { done } else { done + by_slices(code_points, end, rest, skip_mut(destination, done)) }
}

/// Converts whole vectors by slices, and the rest by the scalar body. Stops at `end`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn by_slices(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let done = Slices::of(code_points).to_utf16(end, source, destination);
    done + scalar::to_utf16(code_points, end, skip(source, done), skip_mut(destination, done))
}

/// The body of [`crate::single_byte::to_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if ascii::copy_few(source, destination) {
        (source.len(), source.len())
    } else {
        more_to_utf8(code_points, end, source, destination)
    }
}

/// As [`to_utf8`], for all but a few bytes of ASCII. Two loops take turns: for blocks with few characters beyond ASCII,
/// and for other text. [`eights`] converts a short text and the end of a long one, and stops at `end`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let run = ascii::copy_blocks(source, destination);
    let (mut read, mut written) = (run, run);
    if source.len() - run >= TABLE_FROM_BYTES {
        let texts = Texts::of(code_points, end);
        loop {
            let before = read;
            let (bytes, items) = sparse_to_utf8(&texts, after(source, read), after_mut(destination, written));
            (read, written) = (read + bytes, written + items);
            let (bytes, items) = texts.decode(up_to(after(source, read), DENSE_BYTES), after_mut(destination, written));
            (read, written) = (read + bytes, written + items);
            if read == before {
                break;
            }
        }
    }
    and_rest((read, written), source, destination, |from, to| eights::to_utf8(code_points, end, from, to))
}

/// The number of bytes that become code units before these become UTF-8.
const DENSE_BLOCK_UNITS: usize = 4096;

/// The body of [`crate::single_byte::dense_to_utf8`]: by way of UTF-16, a block at a time. [`eights`] converts the end
/// of either slice, and stops at `end`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn dense_to_utf8(
    code_points: &[u16; 128],
    end: u16,
    source: &[u8],
    destination: &mut [u8],
) -> (usize, usize) {
    let run = ascii::copy_blocks(source, destination);
    let (mut read, mut written) = (run, run);
    let mut memory = [MaybeUninit::uninit(); DENSE_BLOCK_UNITS];
    let block = initialised(&mut memory);
    while read < source.len() {
        let room = after_mut(destination, written);
        // A code unit becomes at least one byte.
        let length = room.len().min(DENSE_BLOCK_UNITS);
        let units = more_to_utf16(code_points, end, after(source, read), up_to_mut(block, length));
        let (converted, bytes) = utf16_to_utf8::convert(as_pairs(up_to(block, units)), room, false);
        (read, written) = (read + converted, written + bytes);
        // Fewer code units end before the end of the source or before `end`.
        if units < length || converted == 0 {
            break;
        }
    }
    and_rest((read, written), source, destination, |from, to| eights::to_utf8(code_points, end, from, to))
}

/// The number of bytes beyond ASCII up to which a block of 64 bytes is patched.
const PATCH_UP_TO_BYTES: u32 = 16;
/// The number of bytes that [`Texts::decode`] decodes before patching is tried again. With 256 bytes, HTML takes
/// longer, and with 128 bytes, text takes longer. See `docs/experiments.md#single-byte-encodings`.
const DENSE_BYTES: usize = 192;
/// Bytes that the patching of a block reads: 64 bytes, and the 64 bytes after the last one, which are copied with it.
const SPARSE_READS_BYTES: usize = 64 + 64;
/// A mask for the place at which a character of a block is written: at most 63, and two more for each of the 15
/// characters before it.
const SPARSE_LAST_PLACE: usize = 0x7F;
/// Bytes that are written from the place of a character on: up to three for it, and the 64 bytes after it.
const SPARSE_PLACE_BYTES: usize = 3 + 64;

/// Converts blocks of 64 bytes, which are [patched](crate::vector::avx2::patches). Stops before a block that has many
/// characters beyond ASCII or one that ends the conversion. Returns `(read, written)`.
///
/// Each patch copies the 64 bytes after it, so that the next block starts 64 bytes further on and does not wait for
/// this one.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sparse_to_utf8(texts: &Texts, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut source, mut destination) = (source, destination);
    let lengths = (source.len(), destination.len());
    while let (Some(from), Some(to)) = (
        block::<_, SPARSE_READS_BYTES>(source, 0),
        block_mut::<_, { SPARSE_LAST_PLACE + SPARSE_PLACE_BYTES }>(destination, 0),
    ) {
        let bytes = [0, 32].each(|at| load(block(from, at).expect("`from` has 128 bytes")));
        for (bytes, to) in bytes.into_iter().zip(to.as_chunks_mut().0) {
            store(bytes, to);
        }
        let mut beyond = ascii::mask(bytes);
        if beyond == 0 {
            (source, destination) = (after(source, 64), after_mut(destination, 64));
            continue;
        }
        if beyond.count_ones() > PATCH_UP_TO_BYTES {
            break;
        }
        let (mut all, mut more) = (0, 0);
        while beyond != 0 {
            let at = beyond.trailing_zeros() as usize;
            // The mask shows the compiler that `to` is long enough, so that the loop has no other branch.
            let to = block_mut::<_, SPARSE_PLACE_BYTES>(to, (at + more) & SPARSE_LAST_PLACE)
                .expect("`to` is as long as the last place and a character with what comes after it");
            let length = texts.store(from[at], to.first_chunk_mut().expect("`to` has 67 bytes"), &mut all);
            for half in [0, 32] {
                let next = load(block(from, at + 1 + half).expect("`at` is at most 63, and `from` has 128 bytes"));
                store(next, block_mut(to, length + half).expect("`length` is at most 3, and `to` has 67 bytes"));
            }
            more += length - 1;
            beyond &= beyond - 1;
        }
        if Texts::has_end(all) {
            break;
        }
        (source, destination) = (after(source, 64), after_mut(destination, 64 + more));
    }
    (lengths.0 - source.len(), lengths.1 - destination.len())
}

/// A table of 128 code units in slices of 16, each repeated in both halves of a vector, and combined with the slice
/// before by exclusive or.
struct Slices {
    /// The low bytes of the code units of each slice.
    low: [__m256i; 8],
    /// The high bytes of the code units of each slice.
    high: [__m256i; 8],
}

impl Slices {
    /// Cuts a table into slices.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(code_points: &[u16; 128]) -> Self {
        let plane = |shift: u32| {
            let mut before = _mm256_setzero_si256();
            core::array::from_fn(|slice| {
                let bytes = core::array::from_fn(|at| (code_points[16 * slice + at] >> shift) as u8);
                let these = _mm256_broadcastsi128_si256(load_half(&bytes));
                let difference = _mm256_xor_si256(before, these);
                before = these;
                difference
            })
        };
        Slices { low: plane(0), high: plane(8) }
    }

    /// Converts blocks of 32 bytes; at most 31 bytes are left at the end. A step has 16 code units in each of two
    /// vectors and compares all of them with `end`. It stores them if none is equal; otherwise it stops before the
    /// block, and the scalar body finds the place. Returns the number of bytes.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn to_utf16(&self, end: u16, source: &[u8], destination: &mut [u16]) -> usize {
        let end = _mm256_set1_epi16(end as i16);
        let mut done = 0;
        while let (Some(block), Some(room)) =
            (source[done..].first_chunk::<32>(), destination[done..].first_chunk_mut::<32>())
        {
            let bytes = load(block);
            let units = if _mm256_movemask_epi8(bytes) == 0 { ascii::widened(bytes) } else { self.look_up(bytes) };
            let nulls = _mm256_or_si256(_mm256_cmpeq_epi16(units[0], end), _mm256_cmpeq_epi16(units[1], end));
            if _mm256_testz_si256(nulls, nulls) == 0 {
                break;
            }
            store_units(units, room);
            done += 32;
        }
        done
    }

    /// Looks 32 characters up. The code unit of an ASCII byte is the byte itself.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&self, bytes: __m256i) -> [__m256i; 2] {
        let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        // The place of a byte in its slice is 0 to 15. In the slices before, it is 16 or more, of which `vpshufb` uses
        // the lowest four bits. In the slices after, it is negative, and `vpshufb` gives 0, as for ASCII, whose places
        // stay negative because the subtraction saturates.
        let mut place = _mm256_xor_si256(bytes, _mm256_set1_epi8(i8::MIN));
        for slice in 0..8 {
            low = _mm256_xor_si256(low, _mm256_shuffle_epi8(self.low[slice], place));
            high = _mm256_xor_si256(high, _mm256_shuffle_epi8(self.high[slice], place));
            place = _mm256_subs_epi8(place, _mm256_set1_epi8(16));
        }
        let low = _mm256_blendv_epi8(bytes, low, bytes);
        // Interleaving works in each 128-bit lane. The permutation puts the eight-byte parts in the order in which the
        // results come out right.
        let (low, high) =
            (_mm256_permute4x64_epi64::<0b11_01_10_00>(low), _mm256_permute4x64_epi64::<0b11_01_10_00>(high));
        [_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)]
    }
}
