//! UTF-16: validation, byte order, and conversion to UTF-8.
//!
//! # Into UTF-8
//!
//! Two loops take turns, each for another kind of text:
//!
//! * [`sparse_to_utf8`] takes text that is mostly ASCII, with a few characters of two bytes. The loop narrows 64 units
//!   as ASCII and then writes these characters one by one.
//! * [`dense_to_utf8`] takes all other text. The loop converts 16 units in lanes of 16 bits if no unit becomes more
//!   than two bytes, and otherwise eight units at a time in lanes of 32 bits.
//!
//! In a lane of 32 bits, a unit becomes up to three bytes; half of a surrogate pair becomes two of the pair's four
//! bytes. The last byte of a character always stands in the lane's third byte. Shuffles drop the bytes that a unit does
//! not have:
//!
//! ```text
//! unit      0061          0414          20AC          D83D          DCA9
//! lane      .  .  61 .    .  D0 94 .    E2 82 AC .    .  F0 9F .    .  92 A9 .
//! ```

use super::{
    ascii::{beyond_ascii, in_order, narrow},
    compress::compress_halves,
    memory::{load_half, load_half_units, load_pairs, load_units, store, store_half, store_units},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut, nowhere},
    scalar::utf16 as scalar,
};
use core::arch::x86_64::*;

/// The body of [`crate::utf16::valid_up_to`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    let done = validate(source, &mut nowhere(), |from, _| load_units(from));
    done + scalar::valid_up_to(after(source, done))
}

/// The body of `from_bytes` in [`crate::utf16`]: copies UTF-16 up to an unpaired surrogate, and rotates each unit by
/// `turn` bits: by 0 bits for UTF-16LE, by 8 bits for UTF-16BE.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], turn: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let [left, right] = [turn, 16 - turn].each(|bits| _mm_set_epi64x(0, bits.into()));
    let turned = |units: __m256i| _mm256_or_si256(_mm256_sll_epi16(units, left), _mm256_srl_epi16(units, right));
    let done = validate(pairs, destination, |from, to| {
        let units = load_pairs(from).each(&turned);
        store_units(units, to);
        units
    });
    done + scalar::from_bytes(after(source, 2 * done), after_mut(destination, done), turn)
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

/// The body of [`crate::utf16::to_utf8`]. Runs the loops for sparse and for dense text by turns, until neither reads
/// anything. The scalar body takes the rest.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while source.len() - read >= SCALAR_BELOW_UNITS {
        let (sparse_read, sparse_written) = sparse_to_utf8(after(source, read), after_mut(destination, written));
        (read, written) = (read + sparse_read, written + sparse_written);
        let (dense_read, dense_written) = dense_to_utf8(after(source, read), after_mut(destination, written));
        (read, written) = (read + dense_read, written + dense_written);
        if sparse_read + dense_read == 0 {
            break;
        }
    }
    let (more_read, more_written) = scalar::to_utf8(after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// When fewer code units than this are left, the scalar body converts them: each round of both loops reads at least
/// this many units.
const SCALAR_BELOW_UNITS: usize = 16;

/// Units beyond ASCII up to which a step of 64 units belongs to the loop for sparse text, which writes them one by one
/// between the ASCII. See `docs/experiments.md#utf-8-and-utf-16`.
const PATCH_UP_TO_UNITS: u32 = 6;
/// Units that a step of the loop for sparse text reads: 64, the last character, and 64 units that are narrowed after
/// it.
const STEP_READS_UNITS: usize = 64 + 1 + 64;

/// The loop for sparse text: converts blocks of 64 units that are ASCII but for at most [`PATCH_UP_TO_UNITS`] units
/// below U+0800. Stops before any other block, and near the end of either slice. Returns `(read, written)`.
///
/// The step is always 64 units, so the next block does not wait for the characters of this one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sparse_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) =
        (block::<_, STEP_READS_UNITS>(source, read), block_mut::<_, 144>(destination, written))
    {
        let ([first, second, ..], _) = from.as_chunks() else { break };
        let [[a, b], [c, d]] = [first, second].each(|units| load_units(units));
        // Characters of three bytes rarely occur among ASCII. A text with such characters mostly has many of them, and
        // is for the loop for dense text.
        let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        let has_long = _mm256_testz_si256(all, set16(0xF800)) == 0;
        let beyond = narrow_64(
            from.first_chunk().expect("the array is longer than 64"),
            to.first_chunk_mut().expect("the array is longer than 64"),
        );
        if has_long || beyond.count_ones() > PATCH_UP_TO_UNITS {
            break;
        }
        if beyond != 0 {
            written += patch(from, beyond, to);
        }
        written += 64;
        read += 64;
    }
    (read, written)
}

/// Stores 64 units as bytes and returns a mask of the units that are not ASCII. All units are below 0x8000, because
/// packing takes them as signed numbers.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn narrow_64(from: &[u16; 64], to: &mut [u8; 64]) -> u64 {
    let mut beyond = [0; 2];
    for ((from, to), beyond) in from.as_chunks().0.iter().zip(to.as_chunks_mut().0).zip(&mut beyond) {
        let [first, second] = load_units(from);
        let bytes = in_order(_mm256_packus_epi16(first, second));
        store(bytes, to);
        *beyond = u64::from(beyond_ascii(bytes));
    }
    beyond[0] | beyond[1] << 32
}

/// Writes the two bytes of each unit at the bits of `beyond`. The block has been narrowed as ASCII. Each unit
/// overwrites its byte and the next one; the 64 units after it are narrowed again, to their new position. Returns the
/// number of bytes by which the text became longer.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn patch(from: &[u16; STEP_READS_UNITS], mut beyond: u64, to: &mut [u8; 144]) -> usize {
    let (mut round, mut more) = (0, 0);
    // The loop always runs for at least two rounds, so that no branch depends on whether the step has 0, 1 or 2 such
    // units. A round without a unit overwrites only bytes after the text.
    while round < 2 || beyond != 0 {
        let at = beyond.trailing_zeros() as usize;
        let (Some([unit, rest @ ..]), Some(to)) = (block::<_, 65>(from, at), block_mut::<_, 66>(to, at + more)) else {
            break;
        };
        let [first, second, to @ ..] = to;
        [*first, *second] = [0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8];
        narrow_64(rest, to);
        more += usize::from(beyond != 0);
        beyond &= beyond.wrapping_sub(1);
        round += 1;
    }
    more
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

/// The loop for dense text. Stops before an unpaired surrogate, after a run of at least 32 ASCII units that a unit
/// below U+0800 follows, and near the end of either slice. Returns `(read, written)`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn dense_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block::<_, 16>(source, read), block_mut::<_, 64>(destination, written)) {
        let ([first, second], _) = from.as_chunks() else { break };
        let (first, second) = (load_half_units(first), load_half_units(second));
        // The 16 units are all below U+0800.
        if _mm_testz_si128(_mm_or_si128(first, second), _mm_set1_epi16(0xF800_u16 as i16)) == 1 {
            // A branch for each block of ASCII would be mispredicted too often. A run of ASCII is handled separately
            // only if it has at least 32 units.
            if block(source, read).is_some_and(|next| starts_with_ascii(next)) {
                let run = narrow(after(source, read), after_mut(destination, written));
                read += run;
                written += run;
                if run < 16 || source.get(read).is_some_and(|&unit| unit < 0x800) {
                    break;
                }
                continue;
            }
            written += store_bytes(
                &at_most_two_bytes(_mm256_set_m128i(second, first)),
                to.first_chunk_mut().expect("the array is longer than 32"),
            );
            read += 16;
            continue;
        }
        // Texts with characters of three bytes mostly have only these and ASCII, which takes fewer instructions.
        if are_short_or_long(_mm256_set_m128i(second, first)) {
            let count = store_short_or_long(first, to.first_chunk_mut().expect("the array is longer than 32"));
            let to = block_mut(to, count).expect("eight units have written at most 24 bytes");
            written += count + store_short_or_long(second, to);
            read += 16;
            continue;
        }
        let to = to.first_chunk_mut().expect("the array is longer than 32");
        // These eight units may be of any length in UTF-8; surrogates among them must form pairs.
        let units = _mm256_cvtepu16_epi32(first);
        let surrogates = lanes(_mm256_cmpeq_epi32(and32(units, 0xF800), set32(0xD800)));
        let leading = lanes(_mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xD800)));
        let trailing = surrogates & !leading;
        if leading << 1 != trailing {
            break;
        }
        // A leading surrogate in the last lane is left to the next block, which has its pair.
        let count = 8 - usize::from(leading >> 7);
        let mut bytes = without_surrogates(units);
        if surrogates != 0 {
            bytes = with_pairs(units, bytes);
        }
        // The leading surrogate that is left to the next block has stored two bytes here, which do not count.
        written += store_bytes(&bytes, to) - 2 * (8 - count);
        read += count;
    }
    (read, written)
}

/// Whether 32 units are ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn starts_with_ascii(units: &[u16; 32]) -> bool {
    let [first, second] = load_units(units);
    _mm256_testz_si256(_mm256_or_si256(first, second), set16(!0x7F)) == 1
}

/// The bytes of some units, and a mask of the bytes that count.
pub(super) struct KeptBytes {
    /// The bytes, in lanes of 16 or 32 bits.
    pub(super) lanes: __m256i,
    /// One bit for each byte: whether it counts.
    pub(super) kept: u32,
}

/// The bytes of 16 units below U+0800. The last byte of each character stands in the second byte of its lane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn at_most_two_bytes(units: __m256i) -> KeptBytes {
    let two = _mm256_cmpgt_epi16(units, _mm256_set1_epi16(0x7F));
    let first = _mm256_or_si256(_mm256_srli_epi16::<6>(units), _mm256_set1_epi16(0x80C0_u16 as i16));
    let second = _mm256_slli_epi16::<8>(_mm256_blendv_epi8(units, and(units, 0x3F), two));
    let bytes = _mm256_or_si256(_mm256_and_si256(first, two), second);
    KeptBytes { lanes: bytes, kept: _mm256_movemask_epi8(_mm256_or_si256(two, _mm256_set1_epi16(-0x100))) as u32 }
}

/// Whether each of 16 units becomes one byte or three, as in most text in scripts whose characters become three.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn are_short_or_long(units: __m256i) -> bool {
    let highest = and(units, 0xF800);
    let zero = _mm256_setzero_si256();
    let below_three = _mm256_cmpeq_epi16(highest, zero);
    let surrogates = _mm256_cmpeq_epi16(highest, _mm256_set1_epi16(0xD800_u16 as i16));
    let ascii = _mm256_cmpeq_epi16(and(units, !0x7F), zero);
    let others = _mm256_or_si256(_mm256_andnot_si256(ascii, below_three), surrogates);
    _mm256_testz_si256(others, others) == 1
}

/// All ones in the lanes of ASCII units, zeros in the others.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_units(units: __m128i) -> __m128i {
    _mm_cmpeq_epi16(_mm_and_si128(units, _mm_set1_epi16(!0x7F)), _mm_setzero_si128())
}

/// Writes the UTF-8 of eight units that become one or three bytes each, and returns its length. The stores also
/// overwrite some bytes after the UTF-8.
///
/// Four units at a time are spread to lanes of 32 bits, in which the third byte is the last byte of the character. The
/// shuffle is looked up by the units that become three bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn store_short_or_long(units: __m128i, to: &mut [u8; 32]) -> usize {
    let set = |value: u16| _mm_set1_epi16(value as i16);
    let ascii = ascii_units(units);
    let first = _mm_srli_epi16::<12>(units);
    let second = _mm_and_si128(_mm_slli_epi16::<2>(units), set(0x3F00));
    let first_two = _mm_or_si128(_mm_or_si128(first, second), set(0x80E0));
    let third = _mm_or_si128(_mm_and_si128(units, set(0x3F)), set(0x80));
    let third = _mm_blendv_epi8(third, units, ascii);
    let long = !_mm_movemask_epi8(_mm_packs_epi16(ascii, ascii)) as u8;

    let (lower, upper) = (usize::from(long & 0xF), usize::from(long >> 4));
    let together = |lanes: __m128i, long: usize| _mm_shuffle_epi8(lanes, load_half(&SHORT_OR_LONG[long]));
    store_half(together(_mm_unpacklo_epi16(first_two, third), lower), to.first_chunk_mut().expect("`to` has 32 bytes"));
    let written = 4 + 2 * lower.count_ones() as usize;
    let room = block_mut(to, written).expect("four units have written at most 12 bytes");
    store_half(together(_mm_unpackhi_epi16(first_two, third), upper), room);
    written + 4 + 2 * upper.count_ones() as usize
}

/// Shuffles for four lanes of 32 bits. The index has a bit for each lane whose character has three bytes. The shuffle
/// takes bytes 0 to 2 of such a lane and byte 2 of every other lane, and moves them together.
static SHORT_OR_LONG: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            let mut byte = if bits >> lane & 1 == 1 { 0 } else { 2 };
            while byte < 3 {
                table[bits][to] = 4 * lane + byte;
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

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
fn set16(value: u16) -> __m256i {
    _mm256_set1_epi16(value as i16)
}

/// The `bits` of each code unit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and(units: __m256i, bits: u16) -> __m256i {
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
