//! UTF-16.
//!
//! # Into UTF-8
//!
//! Eight code units are converted at once, each in a lane of 32 bits. A unit makes up to three bytes, as half of a surrogate
//! pair makes two of four; they stand in the lane such that the third is always the last byte of a character, and shuffles leave
//! out what a unit does not have:
//!
//! ```text
//! unit      a             Д             €             D83D          DCA9
//! lane      .  .  61 .    .  D0 94 .    E2 82 AC .    .  F0 9F .    .  92 A9 .
//! ```
//!
//! 16 at once, in lanes of 16 bits, if none of them makes more than two bytes. Where nearly all is ASCII the others are put between
//! it one by one.

use super::{
    ascii::{beyond_ascii, in_order, narrow},
    compress::compress_halves,
    memory::{load_half, load_half_units, load_pairs, load_units, store, store_half, store_units},
};
use crate::{
    blocks::{after, after_mut, block, block_mut, nowhere},
    scalar::utf16 as scalar,
};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    let done = validate(source, &mut nowhere(), |from, _| load_units(from));
    done + scalar::valid_up_to(after(source, done))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], turn: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let [left, right] = [turn, 16 - turn].map(|bits| _mm_set_epi64x(0, bits.into()));
    let turned = |units: __m256i| _mm256_or_si256(_mm256_sll_epi16(units, left), _mm256_srl_epi16(units, right));
    let done = validate(pairs, destination, |from, to| {
        let units = load_pairs(from).map(&turned);
        store_units(units, to);
        units
    });
    done + scalar::from_bytes(after(source, 2 * done), after_mut(destination, done), turn)
}

/// The length of a prefix of `source` without an unpaired surrogate, as far as there is room; what is behind it is short or
/// starts with a block that has one. `step` loads 32 code units and may put them down.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn validate<S, D>(source: &[S], destination: &mut [D], step: impl Fn(&[S; 32], &mut [D; 32]) -> [__m256i; 2]) -> usize {
    let mut done = 0;
    let mut trailing_due = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let units = step(from, to);
        let surrogates = equal(units.map(|units| and(units, 0xF800)), 0xD800);
        if surrogates | trailing_due != 0 {
            let leading = equal(units.map(|units| and(units, 0xFC00)), 0xD800);
            let trailing = surrogates & !leading;
            if (leading << 1 | trailing_due) != trailing {
                break;
            }
            trailing_due = leading >> 31;
        }
        done += 32;
    }
    done - trailing_due as usize
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    let (blocks, rest) = source.as_chunks();
    let mut length = scalar::utf8_length(rest) + 32 * blocks.len();
    for units in blocks.iter().flat_map(|block| load_units(block)) {
        let at_least = |least| _mm256_cmpeq_epi16(units, _mm256_max_epu16(units, set16(least)));
        let surrogates = _mm256_cmpeq_epi16(and(units, 0xF800), set16(0xD800));
        // All have one byte; but surrogates, which are half of four, those from 0x800 on have three. A unit has two bits.
        let two = _mm256_movemask_epi8(at_least(0x80));
        let three = _mm256_movemask_epi8(_mm256_andnot_si256(surrogates, at_least(0x800)));
        length += (two.count_ones() + three.count_ones()) as usize / 2;
    }
    length
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while source.len() - read >= FEW {
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

/// Fewer units than this are done one by one.
const FEW: usize = 16;

/// Of 64 units, so many that are not ASCII are converted one by one between it.
const SOME: u32 = 6;
/// What a step of that reads: 64 units, one behind them, and what is copied with it.
const AHEAD: usize = 64 + 1 + 64;

/// Converts while nearly all is ASCII and the rest makes two bytes, 64 units a step.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sparse_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block::<_, AHEAD>(source, read), block_mut::<_, 144>(destination, written)) {
        let ([first, second, ..], _) = from.as_chunks() else { break };
        let [[a, b], [c, d]] = [first, second].map(|units| load_units(units));
        // Three bytes are rarely between ASCII; mostly they are in texts that are full of them.
        let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        let has_long = _mm256_testz_si256(all, set16(0xF800)) == 0;
        let beyond = narrow_64(from.first_chunk().expect("more than 64"), to.first_chunk_mut().expect("more than 64"));
        if has_long || beyond.count_ones() > SOME {
            break;
        }
        if beyond != 0 {
            written += put_between(from, beyond, to);
        }
        written += 64;
        read += 64;
    }
    (read, written)
}

/// Narrows 64 units less than 0x8000, and returns which of them are not ASCII.
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

/// Puts the bytes of the units of the bits in `beyond`, behind each once more what comes after it, to where it belongs. Returns how
/// many bytes there are more than units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_between(from: &[u16; AHEAD], mut beyond: u64, to: &mut [u8; 144]) -> usize {
    let (mut round, mut more) = (0, 0);
    // Two without a branch, even if there are none: what they overwrite is behind the text.
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

/// Writes the bytes of a unit that is not ASCII and not a surrogate, and returns how many. One or two behind them are overwritten.
#[inline(always)]
pub(super) fn put(unit: u16, to: &mut [u8; 4]) -> usize {
    let unit = u32::from(unit);
    let (bytes, length) = if unit < 0x800 {
        (unit << 8 & 0x3F00 | unit >> 6 | 0x80C0, 2)
    } else {
        (unit << 16 & 0x3F_0000 | unit << 2 & 0x3F00 | unit >> 12 | 0x80_80E0, 3)
    };
    *to = bytes.to_le_bytes();
    length
}

/// Converts up to what a run of ASCII and two bytes per unit follow, or to a surrogate without the other half of its pair.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn dense_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block::<_, 16>(source, read), block_mut::<_, 64>(destination, written)) {
        let ([first, second], _) = from.as_chunks() else { break };
        let (first, second) = (load_half_units(first), load_half_units(second));
        if _mm_testz_si128(_mm_or_si128(first, second), _mm_set1_epi16(0xF800_u16 as i16)) == 1 {
            // Short runs of ASCII are not worth a branch that is hard to predict.
            if block(source, read).is_some_and(|next| starts_with_ascii(next)) {
                let run = narrow(after(source, read), after_mut(destination, written));
                read += run;
                written += run;
                if run < 16 || source.get(read).is_some_and(|&unit| unit < 0x800) {
                    break;
                }
                continue;
            }
            written +=
                store_bytes(&short(_mm256_set_m128i(second, first)), to.first_chunk_mut().expect("more than 32"));
            read += 16;
            continue;
        }
        if are_short_or_long(_mm256_set_m128i(second, first)) {
            let count = store_short_or_long(first, to.first_chunk_mut().expect("more than 32"));
            let to = block_mut(to, count).expect("eight units are 24 bytes at most");
            written += count + store_short_or_long(second, to);
            read += 16;
            continue;
        }
        let to = to.first_chunk_mut().expect("more than 32");
        let units = _mm256_cvtepu16_epi32(first);
        let surrogates = lanes(_mm256_cmpeq_epi32(and32(units, 0xF800), set32(0xD800)));
        let leading = lanes(_mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xD800)));
        let trailing = surrogates & !leading;
        if leading << 1 != trailing {
            break;
        }
        // A pair that the end of the block cuts is for the next block.
        let count = 8 - usize::from(leading >> 7);
        let mut bytes = simple(units);
        if surrogates != 0 {
            bytes = with_pairs(units, bytes);
        }
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

/// The bytes of some units, and which of them there are, a bit each.
pub(super) struct Bytes {
    pub(super) lanes: __m256i,
    pub(super) kept: u32,
}

/// The bytes of 16 units below 0x800, of which the second is always the last of a character.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn short(units: __m256i) -> Bytes {
    let two = _mm256_cmpgt_epi16(units, _mm256_set1_epi16(0x7F));
    let first = _mm256_or_si256(_mm256_srli_epi16::<6>(units), _mm256_set1_epi16(0x80C0_u16 as i16));
    let second = _mm256_slli_epi16::<8>(_mm256_blendv_epi8(units, and(units, 0x3F), two));
    let bytes = _mm256_or_si256(_mm256_and_si256(first, two), second);
    Bytes { lanes: bytes, kept: _mm256_movemask_epi8(_mm256_or_si256(two, _mm256_set1_epi16(-0x100))) as u32 }
}

/// Whether each of 16 units makes one byte or three, as in most texts of characters that make three.
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

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_units(units: __m128i) -> __m128i {
    _mm_cmpeq_epi16(_mm_and_si128(units, _mm_set1_epi16(!0x7F)), _mm_setzero_si128())
}

/// Writes the bytes of eight units that make one or three each, and returns how many. Some behind them are overwritten.
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
    store_half(together(_mm_unpacklo_epi16(first_two, third), lower), to.first_chunk_mut().expect("less than 32"));
    let written = 4 + 2 * lower.count_ones() as usize;
    let room = block_mut(to, written).expect("four units are twelve bytes at most");
    store_half(together(_mm_unpackhi_epi16(first_two, third), upper), room);
    written + 4 + 2 * upper.count_ones() as usize
}

/// By a bit for each of four lanes of 32 bits: the shuffle that moves together their third bytes, and of those with a bit the
/// first two before that.
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

/// The bytes of eight units that are not surrogates.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn simple(units: __m256i) -> Bytes {
    let two = _mm256_cmpgt_epi32(units, set32(0x7F));
    let three = _mm256_cmpgt_epi32(units, set32(0x7FF));

    let first = or32(_mm256_srli_epi32::<12>(units), set32(0xE0));
    let middle = and32(_mm256_slli_epi32::<2>(units), 0x3F00);
    let lead_of_two = or32(and32(_mm256_slli_epi32::<2>(units), 0x1F00), set32(0xC000));
    let second = _mm256_blendv_epi8(lead_of_two, or32(middle, set32(0x8000)), three);
    let continuation = or32(and32(units, 0x3F), set32(0x80));
    let third = _mm256_slli_epi32::<16>(_mm256_blendv_epi8(units, continuation, two));

    let kept = or32(or32(and32(three, 0xFF), and32(two, 0xFF00)), set32(0xFF_0000));
    Bytes { lanes: or32(or32(first, second), third), kept: _mm256_movemask_epi8(kept) as u32 }
}

/// The bytes of eight units of which some are surrogates, in pairs; `simple` are those of the others.
///
/// The leading surrogate of U+10000 is 0xD800. So adding 0x40 brings the eleven highest bits of the code point together, of
/// which the leading surrogate's bytes take nine; the other two belong to the first byte of the trailing surrogate:
///
/// ```text
/// leading + 0x40   110110wwwwwxxxxx yy      trailing   110111yyyyzzzzzz
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_pairs(units: __m256i, simple: Bytes) -> Bytes {
    let leading_units = _mm256_add_epi32(units, set32(0x40));
    let is_leading = _mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xD800));
    let is_trailing = _mm256_cmpeq_epi32(and32(units, 0xFC00), set32(0xDC00));

    let highest_three = or32(and32(leading_units, 0x700), set32(0xF000));
    let next_six = or32(and32(_mm256_slli_epi32::<14>(leading_units), 0x3F_0000), set32(0x80_0000));
    let leading = or32(highest_three, next_six);

    // What the unit before leaves over, above four bits of its own.
    let unit_before = _mm256_permutevar8x32_epi32(leading_units, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
    let six = or32(and32(_mm256_slli_epi32::<12>(unit_before), 0x3000), and32(_mm256_slli_epi32::<2>(units), 0xF00));
    let last_six = and32(_mm256_slli_epi32::<16>(units), 0x3F_0000);
    let trailing = or32(or32(six, last_six), set32(0x80_8000));

    let bytes = _mm256_blendv_epi8(_mm256_blendv_epi8(simple.lanes, leading, is_leading), trailing, is_trailing);
    // Half of a pair has two.
    let first_of_surrogates = _mm256_movemask_epi8(and32(or32(is_leading, is_trailing), 0xFF)) as u32;
    Bytes { lanes: bytes, kept: simple.kept & !first_of_surrogates }
}

/// Writes what there is of the bytes, and returns how many. Some behind them are overwritten.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store_bytes(bytes: &Bytes, to: &mut [u8; 32]) -> usize {
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
        *block_mut(to, written).expect("a quarter is eight bytes at most") = bytes.to_le_bytes();
        written += kept.count_ones() as usize;
    }
    written
}

/// A bit per unit, of lanes that are all ones or all zeros.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn unit_mask([first, second]: [__m256i; 2]) -> u32 {
    _mm256_movemask_epi8(in_order(_mm256_packs_epi16(first, second))) as u32
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn equal(units: [__m256i; 2], value: u16) -> u32 {
    unit_mask(units.map(|units| _mm256_cmpeq_epi16(units, _mm256_set1_epi16(value as i16))))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn set16(value: u16) -> __m256i {
    _mm256_set1_epi16(value as i16)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and(units: __m256i, bits: u16) -> __m256i {
    _mm256_and_si256(units, set16(bits))
}

/// The highest bit of each lane of 32.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes(lanes: __m256i) -> u8 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as u8
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn set32(value: i32) -> __m256i {
    _mm256_set1_epi32(value)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and32(lanes: __m256i, bits: i32) -> __m256i {
    _mm256_and_si256(lanes, set32(bits))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn or32(lanes: __m256i, others: __m256i) -> __m256i {
    _mm256_or_si256(lanes, others)
}
