//! UTF-16: validation, byte order, and surrogate pairs in UTF-8. [`utf16_to_utf8`](super::utf16_to_utf8) converts all
//! other units.
//!
//! # Surrogate pairs in UTF-8
//!
//! Units are converted in lanes of 32 bits, in which a unit becomes up to three bytes and half of a surrogate pair
//! becomes two of the pair's four bytes. The last byte of a character always stands in the lane's third byte. Shuffles
//! drop the bytes that a unit does not have:
//!
//! ```text
//! unit      0061          0414          20AC          D83D          DCA9
//! lane      .  .  61 .    .  D0 94 .    E2 82 AC .    .  F0 9F .    .  92 A9 .
//! ```

use super::{
    ascii::in_order,
    compress::compress_halves,
    memory::{load_pairs, load_units, load_up_to, store_sixteen_units, store_units},
};
use crate::{
    blocks::{Each, block, block_mut, nowhere, skip, skip_mut},
    scalar::utf16 as scalar,
    x86_64::clear_upper_halves,
};
use core::arch::x86_64::*;

pub(crate) use super::utf16_to_utf8::{be_bytes_to_utf8, more_to_utf8, to_utf8};

/// The body of [`crate::utf16::valid_up_to`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    let done = validate(source, &mut nowhere(), |from, _| load_units(from));
    done + scalar::valid_up_to(skip(source, done))
}

/// The body of `from_bytes` in [`crate::utf16`]: copies UTF-16 up to an unpaired surrogate, and rotates each unit by
/// `rotation` bits: by 0 bits for UTF-16LE, by 8 bits for UTF-16BE.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    few_from_bytes(source, destination, rotation).unwrap_or_else(|| more_from_bytes(source, destination, rotation))
}

/// As [`from_bytes`], for 2 to 15 units without surrogates and space for 16 units; otherwise `None`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::x86_64) fn few_from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> Option<usize> {
    let pairs = source.as_chunks::<2>().0;
    let (0..16, Some(units), Some(to)) = (pairs.len(), load_up_to(pairs.as_flattened()), destination.first_chunk_mut())
    else {
        return None;
    };
    let units = rotated(units, rotation);
    let surrogates = _mm256_cmpeq_epi16(and(units, 0xF800), set16(0xD800));
    if _mm256_testz_si256(surrogates, surrogates) == 0 {
        clear_upper_halves();
        return None;
    }
    store_sixteen_units(units, to);
    Some(pairs.len())
}

/// As [`from_bytes`], for all but a few units without surrogates.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let done = validate(pairs, destination, |from, to| {
        let units = load_pairs(from).each(|units| rotated(units, rotation));
        store_units(units, to);
        units
    });
    done + scalar::from_bytes(skip(source, 2 * done), skip_mut(destination, done), rotation)
}

/// Rotates each unit by `bits`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rotated(units: __m256i, bits: u16) -> __m256i {
    let [left, right] = [bits, 16 - bits].each(|bits| _mm_set_epi64x(0, bits.into()));
    _mm256_or_si256(_mm256_sll_epi16(units, left), _mm256_srl_epi16(units, right))
}

/// Returns the length of a prefix of `source` that has no unpaired surrogate and fits in `destination`. After the
/// prefix, fewer than 32 units are left, or the next block has an unpaired surrogate, or the next unit is a leading
/// surrogate that the last block cuts off from its pair. `step` loads 32 code units and may store them.
///
/// Invariant of the loop: the first `done` units are valid, but the last one may be a leading surrogate; `trailing_due`
/// is 1 if it is, and 0 otherwise.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn validate<S, D>(source: &[S], destination: &mut [D], step: impl Fn(&[S; 32], &mut [D; 32]) -> [__m256i; 2]) -> usize {
    let mut done = 0;
    let mut trailing_due = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let units = step(from, to);
        let surrogates = equal(units.each(|units| and(units, 0xF800)), 0xD800);
        if surrogates | trailing_due != 0 {
            let leading = equal(units.each(|units| and(units, 0xFC00)), 0xD800);
            let trailing = surrogates & !leading;
            // A trailing surrogate must stand exactly after each leading one.
            if (leading << 1 | trailing_due) != trailing {
                break;
            }
            trailing_due = leading >> 31;
        }
        done += 32;
    }
    done - trailing_due as usize
}

/// The body of [`crate::utf16::swap_bytes`]: rotates each unit by 8 bits.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    let rotated = |units| _mm256_or_si256(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units));
    let (blocks, rest) = units.as_chunks_mut();
    for block in blocks {
        store_units(load_units(block).each(rotated), block);
    }
    scalar::swap_bytes(rest);
}

/// The body of [`crate::utf16::utf8_length`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    let (blocks, rest) = source.as_chunks();
    let mut length = scalar::utf8_length(rest) + 32 * blocks.len();
    for units in blocks.iter().flat_map(|block| load_units(block)) {
        let at_least = |least| _mm256_cmpeq_epi16(units, _mm256_max_epu16(units, set16(least)));
        let surrogates = _mm256_cmpeq_epi16(and(units, 0xF800), set16(0xD800));
        // Every unit has a first byte; units from U+0080 on have a second, and units from U+0800 on a third. Half of a
        // surrogate pair counts as two bytes of the pair's four. The masks have two bits for each unit.
        let two = _mm256_movemask_epi8(at_least(0x80));
        let three = _mm256_movemask_epi8(_mm256_andnot_si256(surrogates, at_least(0x800)));
        length += (two.count_ones() + three.count_ones()) as usize / 2;
    }
    length
}

/// Converts eight units to UTF-8 of which at least one may be a surrogate. Returns `(read, written)`: `read` is 7 if
/// the last unit is a leading surrogate, whose pair comes later, and 0 if a surrogate is unpaired. The stores also
/// overwrite some bytes after the UTF-8.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn eight_with_surrogates(units: __m128i, to: &mut [u8; 32]) -> (usize, usize) {
    let units = _mm256_cvtepu16_epi32(units);
    let surrogates = lanes(_mm256_cmpeq_epi32(and32(units, 0xF800), set32(0xD800)));
    let leading = lanes(_mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xD800)));
    let trailing = surrogates & !leading;
    if leading << 1 != trailing {
        return (0, 0);
    }
    // A leading surrogate in the last lane is left to the next block, which has its pair.
    let count = 8 - usize::from(leading >> 7);
    let bytes = with_pairs(units, without_surrogates(units));
    // The leading surrogate that is left to the next block has stored two bytes here, which do not count.
    (count, store_bytes(&bytes, to) - 2 * (8 - count))
}

/// Writes the UTF-8 of a unit that is neither ASCII nor a surrogate, and returns its length, two or three. Always
/// stores four bytes.
#[inline(always)]
pub(super) fn store_unit(unit: u16, to: &mut [u8; 4]) -> usize {
    let unit = u32::from(unit);
    let (bytes, length) = if unit < 0x800 {
        (unit << 8 & 0x3F00 | unit >> 6 | 0x80C0, 2)
    } else {
        (unit << 16 & 0x3F_0000 | unit << 2 & 0x3F00 | unit >> 12 | 0x80_80E0, 3)
    };
    *to = bytes.to_le_bytes();
    length
}

/// The bytes of some units, and a mask of the bytes that count.
pub(super) struct KeptBytes {
    /// The bytes, in lanes of 16 or 32 bits.
    pub(super) lanes: __m256i,
    /// One bit for each byte: whether it counts.
    pub(super) kept: u32,
}

/// The bytes of eight units that are not surrogates, in lanes of 32 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn without_surrogates(units: __m256i) -> KeptBytes {
    let two = _mm256_cmpgt_epi32(units, set32(0x7F));
    let three = _mm256_cmpgt_epi32(units, set32(0x7FF));

    // The first of three bytes.
    let first = or32(_mm256_srli_epi32::<12>(units), set32(0xE0));
    // The second byte continues a character of three bytes, or leads a character of two.
    let middle = and32(_mm256_slli_epi32::<2>(units), 0x3F00);
    let lead_of_two = or32(and32(_mm256_slli_epi32::<2>(units), 0x1F00), set32(0xC000));
    let second = _mm256_blendv_epi8(lead_of_two, or32(middle, set32(0x8000)), three);
    // The third byte continues a character, or is ASCII.
    let continuation = or32(and32(units, 0x3F), set32(0x80));
    let third = _mm256_slli_epi32::<16>(_mm256_blendv_epi8(units, continuation, two));

    let kept = or32(or32(and32(three, 0xFF), and32(two, 0xFF00)), set32(0xFF_0000));
    KeptBytes { lanes: or32(or32(first, second), third), kept: _mm256_movemask_epi8(kept) as u32 }
}

/// The bytes of eight units of which some are surrogates, in pairs. `simple` are the bytes of the other units.
///
/// A leading surrogate holds bits 10 to 20 of its code point, less 0x10000. After adding 0x40, its low eleven bits are
/// bits 10 to 20 of the code point itself. The first two bytes of the character hold the upper nine of these bits. The
/// lowest two bits go to the character's third byte, which stands in the lane of the trailing surrogate:
///
/// ```text
/// leading + 0x40     11011aaabbbbbbcc
/// trailing           110111ddddeeeeee
/// bytes              11110aaa 10bbbbbb 10ccdddd 10eeeeee
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_pairs(units: __m256i, simple: KeptBytes) -> KeptBytes {
    let leading_units = _mm256_add_epi32(units, set32(0x40));
    let is_leading = _mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xD800));
    let is_trailing = _mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xDC00));

    let highest_three = or32(and32(leading_units, 0x700), set32(0xF000));
    let next_six = or32(and32(_mm256_slli_epi32::<14>(leading_units), 0x3F_0000), set32(0x80_0000));
    let leading = or32(highest_three, next_six);

    // The six payload bits of the character's third byte are the lowest two bits of the leading surrogate (the unit
    // before this one) and the highest four of the ten payload bits of the trailing surrogate (this unit).
    let unit_before = _mm256_permutevar8x32_epi32(leading_units, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
    let six = or32(and32(_mm256_slli_epi32::<12>(unit_before), 0x3000), and32(_mm256_slli_epi32::<2>(units), 0xF00));
    let last_six = and32(_mm256_slli_epi32::<16>(units), 0x3F_0000);
    let trailing = or32(or32(six, last_six), set32(0x80_8000));

    let bytes = _mm256_blendv_epi8(_mm256_blendv_epi8(simple.lanes, leading, is_leading), trailing, is_trailing);
    // A surrogate has only the second and the third byte of its lane.
    let first_of_surrogates = _mm256_movemask_epi8(and32(or32(is_leading, is_trailing), 0xFF)) as u32;
    KeptBytes { lanes: bytes, kept: simple.kept & !first_of_surrogates }
}

/// Writes the bytes that count, and returns their number. The stores also overwrite some bytes after them.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_bytes(bytes: &KeptBytes, to: &mut [u8; 32]) -> usize {
    let halves = [_mm256_castsi256_si128(bytes.lanes), _mm256_extracti128_si256::<1>(bytes.lanes)];
    let [a, b, c, d] = bytes.kept.to_le_bytes();
    let (lower, upper) = (compress_halves(halves[0], [a, b]), compress_halves(halves[1], [c, d]));
    let quarters = [
        (_mm_cvtsi128_si64(lower), a),
        (_mm_extract_epi64::<1>(lower), b),
        (_mm_cvtsi128_si64(upper), c),
        (_mm_extract_epi64::<1>(upper), d),
    ];
    let mut written = 0;
    for (bytes, kept) in quarters {
        *block_mut(to, written).expect("each quarter before has written at most eight bytes") = bytes.to_le_bytes();
        written += kept.count_ones() as usize;
    }
    written
}

/// A mask with one bit for each of 32 units, from lanes that are all ones or all zeros.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn unit_mask([first, second]: [__m256i; 2]) -> u32 {
    _mm256_movemask_epi8(in_order(_mm256_packs_epi16(first, second))) as u32
}

/// A mask of the units that are equal to `value`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn equal(units: [__m256i; 2], value: u16) -> u32 {
    unit_mask(units.each(|units| _mm256_cmpeq_epi16(units, _mm256_set1_epi16(value as i16))))
}

/// Repeats `value` in each lane of 16 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn set16(value: u16) -> __m256i {
    _mm256_set1_epi16(value as i16)
}

/// The `bits` of each code unit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn and(units: __m256i, bits: u16) -> __m256i {
    _mm256_and_si256(units, set16(bits))
}

/// A mask of the highest bits of eight lanes of 32 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes(lanes: __m256i) -> u8 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as u8
}

/// Repeats `value` in each lane of 32 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn set32(value: i32) -> __m256i {
    _mm256_set1_epi32(value)
}

/// The `bits` of each lane of 32 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and32(lanes: __m256i, bits: i32) -> __m256i {
    _mm256_and_si256(lanes, set32(bits))
}

/// The bitwise or of two vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn or32(lanes: __m256i, others: __m256i) -> __m256i {
    _mm256_or_si256(lanes, others)
}
