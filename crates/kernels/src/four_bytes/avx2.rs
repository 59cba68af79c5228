//! Sequences of four bytes, to and from UTF-16.
//!
//! The first and the third byte of a sequence are beyond ASCII, the second and the fourth are ASCII digits. So in a run
//! of sequences every fourth byte, from the first one on, starts a sequence. That is true for well-formed text, and for
//! any text up to the first malformed sequence:
//!
//! ```text
//! bytes         a  H  1  H  2  H  3  H  4  b        (H: beyond ASCII)
//! beyond        .  1  .  1  .  1  .  1  .  .
//! runs          .  1  1  1  1  1  1  1  1  .
//! starts        .  1  .  .  .  1  .  .  .  .
//! ```
//!
//! A code unit is computed for every byte, as if a sequence started there, 16 at a time. Then the lanes of ASCII and of
//! starts are moved together. So the next block does not wait for the code units of this one: it only needs the number
//! of bytes that the last sequence takes from it.

use super::Range;
use crate::{ascii::avx2::mask, base::*, vector::avx2::*};

/// Bytes beyond ASCII below which a block of 64 bytes is left to the loop that converts sequences one by one. See
/// `docs/experiments.md#sequences-of-four-bytes`.
const SPARSE_BELOW_BYTES: u32 = 12;
/// Bytes that a step reads: 64, and the rest of a sequence that starts with the last one.
const STEP_READS_BYTES: usize = 67;
/// Code units of space that a step needs: 64, and a vector that is stored after them.
const STEP_SPACE_UNITS: usize = 72;

/// Converts a prefix of sequences of the range, and of ASCII between them, to UTF-16. Stops before anything else,
/// before a block with few sequences, and near the end of either slice. Returns `(read, written)`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(range: &Range, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The first bytes of the block that belong to a sequence before it, one bit each.
    let mut before = 0;
    while let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) {
        let beyond = mask([0, 32].each(|at| load(block(from, at).expect("`from` is longer than 64 bytes")))) & !before;
        if beyond.count_ones() < SPARSE_BELOW_BYTES {
            break;
        }
        let starts = starts(beyond);
        // A mask of the lanes that hold a code unit: all but the second, third and fourth bytes of sequences.
        let kept = !(starts << 1 | starts << 2 | starts << 3 | before);
        // The step converts 16 bytes at a time, up to the 16 that hold the last start; after these there is only ASCII.
        // So a block that begins with sequences and ends with ASCII ends early, and the caller converts the ASCII.
        let end = 64 - (starts.leading_zeros() & 0x30);
        let (in_range, count) = step(range, from, kept, end, to);
        let malformed = starts & !in_range;
        if malformed == 0 && end == 64 {
            (read, written) = (read + 64, written + count);
            before = starts >> 63 | starts >> 62 | starts >> 61;
            continue;
        }
        // Only the characters before `end` and before the first start of a malformed sequence count.
        let done = _bzhi_u64(kept, end.min(malformed.trailing_zeros()));
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

/// Converts the bytes of `kept` before `end`, a multiple of 16. Returns a mask of the bytes at which a sequence of the
/// range starts, if `kept` has a start there, and the number of code units.
///
/// A round takes 16 bytes: [`sixteen_units`] computes a code unit for each of them as if it were ASCII or started a
/// sequence, in two vectors of eight lanes. The lanes of `kept` are moved together and stored after the code units
/// before. A store writes all eight lanes, and the next one overwrites those that do not count.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn step(
    range: &Range,
    from: &[u8; STEP_READS_BYTES],
    kept: u64,
    end: u32,
    to: &mut [u16; STEP_SPACE_UNITS],
) -> (u64, usize) {
    let (mut in_range, mut count) = (0, 0);
    for at in (0..end).step_by(16) {
        let from = block(from, (at & 0x30) as usize).expect("`at` is at most 48 here, and `from` has 67 bytes");
        let (units, are_in_range) = sixteen_units(range, from);
        in_range |= u64::from(are_in_range) << at;
        for (units, kept) in units.into_iter().zip(((kept >> at) as u16).to_le_bytes()) {
            let room = block_mut(to, count & 63).expect("`count` is at most 63 here, and `to` has 72 units");
            store_half_units(compress_units(units, kept), room);
            count += kept.count_ones() as usize;
        }
    }
    (in_range, count)
}

/// A mask of the bytes that start sequences, from the mask of bytes beyond ASCII.
fn starts(beyond: u64) -> u64 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    let runs = beyond | beyond << 1;
    let first = runs & !(runs << 1);
    // Adding the first bit of a run to the run carries through all its bits and clears them. `places` has every fourth
    // bit. A sequence starts at each bit of `places` that is so cleared, because it lies in a run that begins at
    // another bit of `places`.
    let starts = |places: u64| runs & !runs.wrapping_add(first & places) & places;
    starts(EVERY_FOURTH) | starts(EVERY_FOURTH << 1) | starts(EVERY_FOURTH << 2) | starts(EVERY_FOURTH << 3)
}

/// The code units that start at each of 16 bytes, be it ASCII or a sequence; and a mask of the bytes at which a
/// sequence of the range starts.
///
/// A lane of 32 bits holds a sequence. Arithmetic turns the sequence into its pointer, the pointer into its distance
/// from the first pointer of the range, and the distance into a code unit, in the lower half of the lane:
///
/// ```text
/// parts     a b c d                      (the four bytes, less the bytes of the first sequence: 81 30 81 30)
/// pairs     10 a + b    10 c + d         (16 bits each)
/// pointer   1260 (10 a + b) + 10 c + d
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sixteen_units(range: &Range, from: &[u8; 19]) -> ([__m128i; 2], u16) {
    let load_from = |at| load_half(block(from, at).expect("`at` is at most 3, and `from` has 19 bytes"));
    // The first vector holds the sequences from bytes 0, 4, 8 and 12 on in its lower half, and from bytes 1, 5, 9 and
    // 13 on in its upper half. The second vector is the same two bytes further on.
    let vectors = [0, 2].each(|at| _mm256_set_m128i(load_from(at + 1), load_from(at)));
    let [(first, first_in_range), (second, second_in_range)] = vectors.each(|bytes| {
        let parts = _mm256_sub_epi8(bytes, _mm256_set1_epi32(0x3081_3081));
        // `over` is not 0 if a part is greater than the parts of the last sequence, 7D 09 7D 09. The part of a byte
        // that is too low has wrapped, and so is too great.
        let over = _mm256_subs_epu8(parts, _mm256_set1_epi32(0x097D_097D));
        let pairs = _mm256_maddubs_epi16(parts, _mm256_set1_epi16(0x010A));
        let pointers = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 1260));
        // The comparison is signed. So distances start at the least integer, and the distance of a pointer before the
        // range wraps to a value after the range.
        let places = _mm256_add_epi32(pointers, _mm256_set1_epi32(i32::MIN.wrapping_sub(range.pointer as i32)));
        let outside = _mm256_cmpgt_epi32(places, _mm256_set1_epi32(i32::MIN + (range.length as i32 - 1)));
        let in_range = _mm256_cmpeq_epi32(_mm256_or_si256(outside, over), _mm256_setzero_si256());
        (_mm256_add_epi32(places, _mm256_set1_epi32(range.unit.into())), in_range)
    });
    // The units of the second vector belong two bytes after the units of the first: into the upper halves of the same
    // lanes.
    let units = in_order(_mm256_blend_epi16::<0xAA>(first, _mm256_slli_epi32::<16>(second)));
    let [lower, upper] = in_order(_mm256_blend_epi16::<0xAA>(first_in_range, second_in_range));
    let in_range = _mm_movemask_epi8(_mm_packs_epi16(lower, upper)) as u16;

    let bytes = _mm256_cvtepu8_epi16(load_from(0));
    let [lower, upper] = halves(bytes);
    let or_ascii = |byte, unit| _mm_blendv_epi8(byte, unit, _mm_cmpgt_epi16(byte, _mm_set1_epi16(0x7F)));
    ([or_ascii(lower, units[0]), or_ascii(upper, units[1])], in_range)
}

/// Interleaves the 16-bit lanes of both halves: the lower half holds even positions and the upper half odd ones.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn in_order(units: __m256i) -> [__m128i; 2] {
    let [even, odd] = halves(units);
    [_mm_unpacklo_epi16(even, odd), _mm_unpackhi_epi16(even, odd)]
}

/// Converts a prefix of UTF-16 that has code units of the range and ASCII to sequences of four bytes, eight code units
/// at a time. Each unit takes a lane of four bytes; an ASCII unit keeps the first byte of its lane. Stops before
/// anything else, before eight units of ASCII, and near the end of either slice. Returns `(read, written)`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(range: &Range, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let set = |value: u16| _mm_set1_epi16(value as i16);
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) {
        let units = load_half_units(from);
        let ascii = _mm_cmpeq_epi16(_mm_min_epu16(units, set(0x7F)), units);
        let places = _mm_sub_epi16(units, set(range.unit));
        let in_range = _mm_cmpeq_epi16(_mm_min_epu16(places, set((range.length - 1) as u16)), places);
        let convertible = _mm_movemask_epi8(_mm_or_si128(ascii, in_range));
        // The number of units before the first that is neither ASCII nor in the range. Each has two bits in the mask of
        // bytes.
        let count = (!convertible).trailing_zeros() / 2;
        if count == 0 || _mm_movemask_epi8(ascii) == 0xFFFF {
            return (read, written);
        }

        let pointers = _mm_add_epi16(places, set(range.pointer as u16));
        // A pointer is divided by 1260 to give its upper pair of bytes. 1260 is 4 × 315, and 53262 is the reciprocal of
        // 315 in 24 bits. Each half is divided by 10, whose reciprocal in 16 bits is 6554.
        let upper = _mm_srli_epi16::<8>(_mm_mulhi_epu16(_mm_srli_epi16::<2>(pointers), set(53262)));
        let lower = _mm_sub_epi16(pointers, _mm_mullo_epi16(upper, set(1260)));
        let [first, second] = [upper, lower].each(|pair| {
            let tens = _mm_mulhi_epu16(pair, set(6554));
            // The quotient by 10 goes to the lower byte and the remainder to the upper byte: `256 * pair - (256 * 10 -
            // 1) * tens` equals `256 * (pair - 10 * tens) + tens`.
            let both = _mm_sub_epi16(_mm_slli_epi16::<8>(pair), _mm_mullo_epi16(tens, set((10 << 8) - 1)));
            _mm_add_epi16(both, set(0x3081))
        });
        let first = _mm_blendv_epi8(first, units, ascii);
        let lanes = _mm256_set_m128i(_mm_unpackhi_epi16(first, second), _mm_unpacklo_epi16(first, second));
        let kept = _mm256_andnot_si256(_mm256_cvtepi16_epi32(ascii), _mm256_set1_epi32(!0xFF));
        let kept = _mm256_movemask_epi8(kept) as u32 | 0x1111_1111;
        written += store_bytes(lanes, _bzhi_u32(kept, 4 * count), to);
        read += count as usize;
    }
    (read, written)
}
