//! Sequences of four bytes.
//!
//! The first and the third byte of a sequence are not ASCII, the others look like digits; so in a run of sequences every fourth byte
//! starts one, from its first on. That is so wherever all is right, and up to the first sequence that is not:
//!
//! ```text
//! bytes         a  H  1  H  2  H  3  H  4  b        (H: beyond ASCII)
//! beyond        .  1  .  1  .  1  .  1  .  .
//! runs          .  1  1  1  1  1  1  1  1  .
//! starts        .  1  .  .  .  1  .  .  .  .
//! ```
//!
//! A code unit is computed for every byte, as if a sequence started there, 16 at once; then those of starts and of ASCII are moved
//! together. So the next block never waits for what is found in this one, but for the few bytes that it takes over.

use core::arch::x86_64::*;

use super::{
    ascii::mask,
    compress::compress_units,
    memory::{load, load_half, load_half_units, store_half_units},
    utf16::{Bytes, store_bytes},
};
use crate::{
    blocks::{block, block_mut},
    four_bytes::Range,
};

/// Fewer bytes beyond ASCII than this among 64 are left to be done one by one.
const FEW: u32 = 12;
/// What a step reads: 64 bytes, and what a sequence that starts with the last one has.
const AHEAD: usize = 67;
/// What a step writes: 64 code units, and what is overwritten behind them.
const ROOM: usize = 72;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(range: &Range, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The first bytes that belong to what was before them.
    let mut before = 0;
    while let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) {
        let beyond = mask([0, 32].map(|at| load(block(from, at).expect("less than 64")))) & !before;
        if beyond.count_ones() < FEW {
            break;
        }
        let starts = starts(beyond);
        let kept = !(starts << 1 | starts << 2 | starts << 3 | before);
        // What follows the last start of the block, and its 16 bytes, is ASCII.
        let end = 64 - (starts.leading_zeros() & 0x30);
        let (right, count) = step(range, from, kept, end, to);
        let wrong = starts & !right;
        if wrong == 0 && end == 64 {
            (read, written) = (read + 64, written + count);
            before = starts >> 63 | starts >> 62 | starts >> 61;
            continue;
        }
        // Up to the first that is wrong.
        let done = _bzhi_u64(kept, end.min(wrong.trailing_zeros()));
        if done != 0 {
            let last = 63 - done.leading_zeros();
            read += last as usize + if starts >> last & 1 == 1 { 4 } else { 1 };
            written += done.count_ones() as usize;
            before = 0;
        }
        break;
    }
    (read + before.count_ones() as usize, written)
}

/// Converts the bytes in `kept` before `end`. Returns which bytes start a sequence of the range, if they start one, and how many
/// units that is.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn step(range: &Range, from: &[u8; AHEAD], kept: u64, end: u32, to: &mut [u16; ROOM]) -> (u64, usize) {
    let (mut right, mut count) = (0, 0);
    for at in (0..end).step_by(16) {
        let (units, is_right) = sixteen(range, block(from, (at & 0x30) as usize).expect("48 + 19 at most"));
        right |= u64::from(is_right) << at;
        for (units, kept) in units.into_iter().zip(((kept >> at) as u16).to_le_bytes()) {
            let room = block_mut(to, count & 63).expect("63 + 8 at most");
            store_half_units(compress_units(units, kept), room);
            count += kept.count_ones() as usize;
        }
    }
    (right, count)
}

/// Which of 64 bytes start a sequence.
fn starts(beyond: u64) -> u64 {
    const FOURTH: u64 = 0x1111_1111_1111_1111;
    let runs = beyond | beyond << 1;
    let first = runs & !(runs << 1);
    // Addition clears the runs that begin at such places.
    let starts = |places: u64| runs & !runs.wrapping_add(first & places) & places;
    starts(FOURTH) | starts(FOURTH << 1) | starts(FOURTH << 2) | starts(FOURTH << 3)
}

/// The code units of what starts with each of 16 bytes, ASCII or a sequence; and where a sequence of the range starts, a bit each.
///
/// A lane of 32 bits is a sequence, and the least bits of what becomes of it are its code unit:
///
/// ```text
/// parts     a b c d                      (four bytes, less those of the first sequence)
/// pairs     10 a + b    10 c + d         (16 bits each)
/// pointer   1260 (10 a + b) + 10 c + d
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sixteen(range: &Range, from: &[u8; 19]) -> ([__m128i; 2], u16) {
    let window = |at| load_half(block(from, at).expect("3 + 16 at most"));
    // Those that start with bytes 0, 4, 8 and 12, and in the upper half one byte later; then those from 2 and 3 on.
    let windows = [0, 2].map(|at| _mm256_set_m128i(window(at + 1), window(at)));
    let [(first, first_right), (second, second_right)] = windows.map(|bytes| {
        let parts = _mm256_sub_epi8(bytes, _mm256_set1_epi32(0x3081_3081));
        let over = _mm256_subs_epu8(parts, _mm256_set1_epi32(0x097D_097D));
        let pairs = _mm256_maddubs_epi16(parts, _mm256_set1_epi16(0x010A));
        let pointers = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 1260));
        // From the least integer on, so that what is before the range is beyond it.
        let places = _mm256_add_epi32(pointers, _mm256_set1_epi32(i32::MIN.wrapping_sub(range.pointer as i32)));
        let outside = _mm256_cmpgt_epi32(places, _mm256_set1_epi32(i32::MIN + (range.length as i32 - 1)));
        let right = _mm256_cmpeq_epi32(_mm256_or_si256(outside, over), _mm256_setzero_si256());
        (_mm256_add_epi32(places, _mm256_set1_epi32(range.unit.into())), right)
    });
    // The second ones are two bytes behind the first.
    let units = in_order(_mm256_blend_epi16::<0xAA>(first, _mm256_slli_epi32::<16>(second)));
    let [lower, upper] = in_order(_mm256_blend_epi16::<0xAA>(first_right, second_right));
    let right = _mm_movemask_epi8(_mm_packs_epi16(lower, upper)) as u16;

    let bytes = _mm256_cvtepu8_epi16(window(0));
    let [lower, upper] = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
    let or_ascii = |byte, unit| _mm_blendv_epi8(byte, unit, _mm_cmpgt_epi16(byte, _mm_set1_epi16(0x7F)));
    ([or_ascii(lower, units[0]), or_ascii(upper, units[1])], right)
}

/// What is at even places, in the lower half, and what is at odd ones, put between each other.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn in_order(units: __m256i) -> [__m128i; 2] {
    let [even, odd] = [_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units)];
    [_mm_unpacklo_epi16(even, odd), _mm_unpackhi_epi16(even, odd)]
}

/// The way back, eight code units at once: each makes four bytes, of which ASCII has one.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(range: &Range, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let set = |value: u16| _mm_set1_epi16(value as i16);
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) {
        let units = load_half_units(from);
        let ascii = _mm_cmpeq_epi16(_mm_min_epu16(units, set(0x7F)), units);
        let places = _mm_sub_epi16(units, set(range.unit));
        let in_range = _mm_cmpeq_epi16(_mm_min_epu16(places, set((range.length - 1) as u16)), places);
        let right = _mm_movemask_epi8(_mm_or_si128(ascii, in_range));
        let count = (!right).trailing_zeros() / 2;
        if count == 0 || _mm_movemask_epi8(ascii) == 0xFFFF {
            return (read, written);
        }

        let pointers = _mm_add_epi16(places, set(range.pointer as u16));
        // 1260 is four times 315, of which 53262 is the reciprocal in 24 bits; and 6554 is that of ten in 16.
        let upper = _mm_srli_epi16::<8>(_mm_mulhi_epu16(_mm_srli_epi16::<2>(pointers), set(53262)));
        let lower = _mm_sub_epi16(pointers, _mm_mullo_epi16(upper, set(1260)));
        let [first, second] = [upper, lower].map(|pair| {
            let tens = _mm_mulhi_epu16(pair, set(6554));
            // Tens in the first byte, what is left in the second one.
            let both = _mm_sub_epi16(_mm_slli_epi16::<8>(pair), _mm_mullo_epi16(tens, set((10 << 8) - 1)));
            _mm_add_epi16(both, set(0x3081))
        });
        let first = _mm_blendv_epi8(first, units, ascii);
        let lanes = _mm256_set_m128i(_mm_unpackhi_epi16(first, second), _mm_unpacklo_epi16(first, second));
        let kept = _mm256_andnot_si256(_mm256_cvtepi16_epi32(ascii), _mm256_set1_epi32(!0xFF));
        let kept = _mm256_movemask_epi8(kept) as u32 | 0x1111_1111;
        written += store_bytes(&Bytes { lanes, kept: _bzhi_u32(kept, 4 * count) }, to);
        read += count as usize;
    }
    (read, written)
}
