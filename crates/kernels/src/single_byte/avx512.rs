//! Decoding of single bytes, 64 characters a step.
//!
//! `vpermi2b` looks 64 bytes up in a table of 128 bytes at once. A table of 128 code units is two such tables, one of
//! low bytes and one of high bytes ([`Planes`]), in four registers. So a step takes two lookups, whatever its bytes
//! are: the result is 64 code units as a vector of low bytes and a vector of high bytes.
//!
//! ```text
//! bytes      61    E4    A4                  windows-1251
//! low        61    34    90
//! high       00    04    04
//! ```
//!
//! *To UTF-16*, the two vectors are interleaved. The instruction for it works in each 16 bytes of a vector, so
//! eight-byte parts are put into another order first; it costs one instruction before the lookup, because only one
//! vector is reordered.
//!
//! *To UTF-8*, a character has up to three bytes, which are bits of the code unit: three vectors have the first bytes,
//! those before the last, and the last ones. They are interleaved to 192 bytes, and those that a character does not
//! have are dropped by compression ([`store_three`]):
//!
//! ```text
//! first          –     –     E2              of characters of three bytes
//! middle         –     D0    82              of characters of two and three
//! last           61    B4    AC
//! interleaved    –  –  61    –  D0 B4    E2 82 AC
//! kept           61 D0 B4 E2 82 AC
//! ```
//!
//! Of its characters, a step asks only whether any has three bytes. The code unit to stop at is looked for after the
//! lookup, in the high bytes first. The last bytes of a text are loaded and stored under a mask, so that nothing is
//! left to the scalar body but a destination that is full.

use super::scalar;
use crate::ascii::avx2::{copy_few, widen_few};
use crate::ascii::avx512::{self as ascii, Run, low_bytes};
use crate::utf8::from_utf16::avx512::{PARTS_IN_ORDER, sixteen_to_utf8, store_three};
use crate::{base::*, vector::avx512::*};

/// Bytes of space that a step needs in the destination: three for each of 64 characters. The last vector of a step also
/// stores bytes that do not count.
const STEP_SPACE_BYTES: usize = 3 * 64;

/// Length of a source, in bytes, up to which its code units are looked up in the whole table. For longer sources, the
/// table is first split into low and high bytes. See `docs/experiments.md#short-input`.
const WHOLE_TABLE_UP_TO_BYTES: usize = 32;
/// Bytes that [`to_utf8`] converts at once at the end of a text, each in a lane of 32 bits.
const LAST_BYTES_AT_ONCE: usize = 16;

/// The body of [`crate::single_byte::to_utf16`]. Converts blocks of 64 bytes, and the rest under a mask.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len().min(destination.len());
    if length <= WHOLE_TABLE_UP_TO_BYTES {
        let units = look_up_whole_table(code_points, &source[..length]);
        store_units_up_to([units; 2], &mut destination[..length]);
        return length.min(equal([units; 2], _mm512_set1_epi16(end as i16)).trailing_zeros() as usize);
    }
    if widen_few(source, destination) {
        return length;
    }
    more_to_utf16(code_points, end, &source[..length], &mut destination[..length])
}

/// The number of blocks that [`more_to_utf16`] converts before it tests for a run of ASCII again.
const BLOCKS_BETWEEN_TESTS: u32 = 8;

/// The rest of [`to_utf16`], for a source that is as long as `destination`. A step looks 64 bytes up: one vector gets
/// the lower bytes of their code units, and one the upper bytes; interleaved, they are the 64 code units. They are
/// stored before it is asked whether one of them is `end`, because those from `end` on are not counted. The last bytes
/// are loaded and stored under a mask; the lanes after them hold ASCII.
///
/// The function is apart so that the function for short text saves no registers: a call on 8 bytes takes 1.5 ns less
/// (Zen 5).
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let table = Planes::of(code_points);
    let end_high = _mm512_set1_epi8((end >> 8) as i8);
    // `done` bytes have been converted. `wait` is the number of blocks to convert before the next 256 bytes are tested
    // for ASCII: in most text the test is in vain. 256 bytes or fewer are not tested.
    let (mut done, mut wait) = (0, if source.len() <= 256 { BLOCKS_BETWEEN_TESTS } else { 0 });
    while let (Some(from), Some(room)) = (block(source, done), block_mut(destination, done)) {
        if wait == 0 && block(source, done).is_some_and(|ahead| ascii::is_ascii(ahead)) {
            done += ascii::widen(after(source, done), after_mut(destination, done));
            continue;
        }
        wait = if wait == 0 { BLOCKS_BETWEEN_TESTS } else { wait - 1 };
        // [`interleave`] would reorder the low bytes and the high bytes after the lookup. Reordered before the lookup,
        // it is one vector and not two.
        let (low, high) = table.look_up(in_order(load(from)));
        let (first, second) = unpack(low, high);
        store_units([first, second], room);
        // A cheap test first: hardly any other code unit has the upper byte of `end`.
        if _mm512_cmpeq_epi8_mask(high, end_high) != 0 {
            let ends = equal([first, second], _mm512_set1_epi16(end as i16));
            if ends != 0 {
                return done + ends.trailing_zeros() as usize;
            }
        }
        done += 64;
    }
    let rest = after(source, done);
    if rest.is_empty() {
        return done;
    }
    let (low, high) = table.look_up(load_up_to(rest));
    let (first, second) = interleave(low, high);
    store_units_up_to([first, second], after_mut(destination, done));
    done + (equal([first, second], _mm512_set1_epi16(end as i16)).trailing_zeros() as usize).min(rest.len())
}

/// The body of [`crate::single_byte::to_utf8`]. Short text is often ASCII. It is copied in a function that saves no
/// registers: a call on 8 bytes takes 1.3 ns less than with the rest in the same function (Zen 5).
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if copy_few(source, destination) {
        return (source.len(), source.len());
    }
    beyond_ascii_to_utf8(code_points, end, source, destination)
}

/// The rest of [`to_utf8`], for text that is not short or not ASCII. Converts blocks of 64 characters as long as
/// `destination` has space for three bytes for each and no character is `end`. The characters after these blocks are
/// converted up to 16 at a time.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn beyond_ascii_to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= 64 {
        // A source that is all ASCII does not need the tables. Most others begin with few bytes of ASCII, so they have
        // to show 256 before the end of a run is looked for.
        let is_run = block(source, 0).is_some_and(|ahead| ascii::is_ascii(ahead));
        let run = if is_run { ascii::copy(source, destination) } else { 0 };
        let (characters, bytes) = blocks_to_utf8(code_points, end, after(source, run), after_mut(destination, run));
        (read, written) = (run + characters, run + bytes);
        let rest = up_to(skip(source, read), 64);
        if copy_few(rest, skip_mut(destination, written)) {
            (read, written) = (read + rest.len(), written + rest.len());
        }
    }
    while read < source.len() {
        let few = up_to(skip(source, read), LAST_BYTES_AT_ONCE);
        let room = skip_mut(destination, written);
        if room.len() < 3 * few.len() {
            let (more_read, more_written) = scalar::to_utf8(code_points, end, skip(source, read), room);
            return (read + more_read, written + more_written);
        }
        let units = look_up_whole_table(code_points, few);
        let count = few.len().min(equal([units; 2], _mm512_set1_epi16(end as i16)).trailing_zeros() as usize);
        let units = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
        let (bytes, length) = sixteen_to_utf8::<3>(Constants::new(), units, lowest(count) as u16);
        if let Some(to) = room.get_mut(..length) {
            store_up_to(bytes, to);
        }
        (read, written) = (read + count, written + length);
        if count < few.len() {
            break;
        }
    }
    (read, written)
}

/// Converts whole blocks. Stops before a block with a character whose code unit is `end`. Returns `(read, written)`.
///
/// A step looks 64 bytes up, and [`block_to_utf8`] writes their UTF-8, at most 192 bytes. The next step writes after
/// the bytes that count, and reads 64 bytes further on, whatever is in this one. ASCII after two blocks of ASCII is
/// copied without a lookup.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn blocks_to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let table = Planes::of(code_points);
    let constants = Constants::new();
    let end = end.to_le_bytes().each(|byte| _mm512_set1_epi8(byte as i8));
    let mut run = Run::default();
    // Slices that get shorter need fewer registers than places in slices.
    let (length, space) = (source.len(), destination.len());
    let (mut source, mut destination) = (source, destination);
    while let (Some((block, rest)), Some(room)) = (source.split_first_chunk(), destination.first_chunk_mut()) {
        let bytes = load(block);
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        if run.goes_on(beyond_ascii) {
            if let Some(to) = block_mut(room, 0) {
                store(bytes, to);
            }
            (source, destination) = (rest, after_mut(destination, 64));
            continue;
        }
        let (low, high) = table.look_up(bytes);
        let is_low = _mm512_mask_cmpeq_epi8_mask(beyond_ascii, low, end[0]);
        // A block that contains `end` is left to the caller. If the loop converted the part of the block before `end`,
        // the address of each block would depend on the result of the previous block, which halves the speed.
        if _mm512_mask_cmpeq_epi8_mask(is_low, high, end[1]) != 0 {
            break;
        }
        let written = block_to_utf8(constants, beyond_ascii, low, high, room);
        (source, destination) = (rest, after_mut(destination, written));
    }
    (length - source.len(), space - destination.len())
}

/// The code units of at most [`WHOLE_TABLE_UP_TO_BYTES`] bytes. The table is looked up as two halves of 64 code units:
/// bit 0x40 of a byte chooses between them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_whole_table(code_points: &[u16; 128], source: &[u8]) -> __m512i {
    let (halves, _) = code_points.as_chunks();
    let [lower, upper] = [load_units(&halves[0]), load_units(&halves[1])];
    let bytes = load_up_to(source);
    let beyond_ascii = _mm512_movepi8_mask(bytes) as u32;
    let places = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    let [lower, upper] = [lower, upper].each(|[first, second]| _mm512_permutex2var_epi16(first, places, second));
    // The lookups took the lowest six bits of a place.
    let in_upper = _mm512_test_epi16_mask(places, Constants::new().units(0x40));
    _mm512_mask_mov_epi16(places, beyond_ascii, _mm512_mask_mov_epi16(lower, in_upper, upper))
}

/// Writes the UTF-8 of 64 code units, given as low and high bytes, and returns its length in bytes.
///
/// A character has up to three bytes, which are computed in three vectors: the first bytes of characters of three, the
/// last bytes but one, and the last bytes. A mask says in which lanes such a byte exists. The vectors are interleaved,
/// and compression drops the bytes that do not exist.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn block_to_utf8(
    constants: Constants,
    beyond_ascii: u64,
    low: __m512i,
    high: __m512i,
    room: &mut [u8; STEP_SPACE_BYTES],
) -> usize {
    // The last byte holds bits 0 to 5 of the code point, the one before it bits 6 to 11. A last byte without others is
    // ASCII.
    let last = _mm512_and_si512(low, constants.bytes(0x3F));
    let last = _mm512_or_si512(last, constants.bytes(0x80));
    let last = _mm512_mask_mov_epi8(low, beyond_ascii, last);
    let middle = _mm512_or_si512(
        _mm512_and_si512(_mm512_slli_epi16::<2>(high), constants.bytes(0x3C)),
        _mm512_and_si512(_mm512_srli_epi16::<6>(low), constants.bytes(0x03)),
    );
    // Code points from U+0800 on have three bytes.
    let three = _mm512_cmpge_epu8_mask(high, constants.bytes(0x08));
    if three == 0 {
        let first = _mm512_or_si512(middle, constants.bytes(0xC0));
        return store_two(room, first, last, beyond_ascii);
    }
    // The byte before the last leads a character of two bytes (C0), and continues a character of three (80).
    let two_marks = constants.bytes(0xC0);
    let marks = _mm512_mask_mov_epi8(two_marks, three, constants.bytes(0x80));
    let first = _mm512_and_si512(_mm512_srli_epi16::<4>(high), constants.bytes(0x0F));
    let first = _mm512_or_si512(first, constants.bytes(0xE0));
    let (lower, upper) = interleave(_mm512_or_si512(middle, marks), last);
    store_three([lower, upper], first, &PARTS_IN_ORDER, [three, beyond_ascii], room)
}

/// A table of 128 code units as a table of their low bytes and a table of their high bytes, for `vpermi2b`.
pub(crate) struct Planes {
    /// The low bytes of the first 64 and of the last 64 code units.
    pub(crate) low: (__m512i, __m512i),
    /// The high bytes of the first 64 and of the last 64 code units.
    pub(crate) high: (__m512i, __m512i),
}

impl Planes {
    /// Splits a table of code units into low and high bytes.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn of(code_points: &[u16; 128]) -> Self {
        let (halves, _) = code_points.as_chunks::<64>();
        let plane = |half: &[u16; 64]| {
            let units = load_units(half);
            (low_bytes(units), low_bytes(units.each(|units| _mm512_srli_epi16::<8>(units))))
        };
        let (lower, upper) = (plane(&halves[0]), plane(&halves[1]));
        Planes { low: (lower.0, upper.0), high: (lower.1, upper.1) }
    }

    /// Looks 64 characters up. Returns the low and the high bytes of their code units. The code unit of an ASCII byte
    /// is the byte itself.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&self, bytes: __m512i) -> (__m512i, __m512i) {
        let beyond_ascii = _mm512_movepi8_mask(bytes);
        let low = _mm512_permutex2var_epi8(self.low.0, bytes, self.low.1);
        let high = _mm512_maskz_permutex2var_epi8(beyond_ascii, self.high.0, bytes, self.high.1);
        (_mm512_mask_mov_epi8(bytes, beyond_ascii, low), high)
    }
}

/// Interleaves the low and the high bytes of 64 code units.
///
/// The instructions that interleave work in each 128-bit lane. So the eight-byte parts of each vector are first put in
/// an order in which the results come out right:
///
/// ```text
/// parts of a vector   0 1 2 3 4 5 6 7
/// reordered           0 4 1 5 2 6 3 7     the first result takes 0 1 2 3, the second 4 5 6 7
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn interleave(low: __m512i, high: __m512i) -> (__m512i, __m512i) {
    unpack(in_order(low), in_order(high))
}

/// The eight-byte parts of a vector, in the order that [`unpack`] needs.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn in_order(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// Interleaves reordered vectors: the second half of [`interleave`].
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn unpack(low: __m512i, high: __m512i) -> (__m512i, __m512i) {
    (_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high))
}

/// Writes 64 characters of one or two bytes each and returns the number of bytes. Where `two` has a bit, the character
/// is the byte of `first` followed by the byte of `last`; elsewhere it is the byte of `last`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn store_two(room: &mut [u8; STEP_SPACE_BYTES], first: __m512i, last: __m512i, two: u64) -> usize {
    const EVEN_BYTES: u64 = 0x5555_5555_5555_5555;
    let (lower, upper) = interleave(first, last);
    let mut written = 0;
    for (half, shift) in [(lower, 0), (upper, 32)] {
        let keep = _pdep_u64(two >> shift, EVEN_BYTES) | !EVEN_BYTES;
        if let Some(to) = block_mut(room, written) {
            store(compress(half, keep), to);
        }
        written += keep.count_ones() as usize;
    }
    written
}
