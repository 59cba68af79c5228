//! Decoding of pairs whose code units follow from a rule, 16 pairs at a time. Users are GBK and EUC-KR; see
//! [`Rules`].
//!
//! Ordinary text has few such pairs, and malformed text has many. One after the other, each pair takes about 200
//! cycles, because each of its steps needs the result of the step before. Side by side, 16 pairs take little longer
//! than one.

use core::arch::x86_64::*;

use super::memory::{join_halves, lowest};
use crate::tables::{NULL, rules::Rules};

/// The code units of the first `count` pairs, which are given as their leading and their trailing bytes, one pair in
/// each lane. [`NULL`] stands for pairs that no rule covers; lanes from `count` on have no meaning.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn code_units(rules: &Rules<'_>, mut leading: __m512i, mut trailing: __m512i, count: usize) -> [__m512i; 2] {
    let (mut live, mut units) = (lowest(count), [_mm256_setzero_si256(); 4]);
    for units in &mut units {
        *units =
            sixteen_code_units(rules, _mm512_castsi512_si128(leading), _mm512_castsi512_si128(trailing), live as u16);
        live >>= 16;
        if live == 0 {
            break;
        }
        // The next 16 leading bytes and the next 16 trailing bytes move to the lowest lanes.
        leading = _mm512_alignr_epi32::<4>(leading, leading);
        trailing = _mm512_alignr_epi32::<4>(trailing, trailing);
    }
    let [first, second, third, fourth] = units;
    [join_halves(first, second), join_halves(third, fourth)]
}

/// The code units of 16 pairs; only lanes of the mask `live` hold a pair. [`NULL`] stands for pairs that no rule
/// covers.
///
/// A rule belongs to half a row: to the pairs of one leading byte whose trailing bytes are below 0xA1, or to those
/// whose trailing bytes are 0xA1 or more. A rule gives the value of the first pair of its half row. The value of any
/// other pair of the half row is greater by the number of trailing bytes between the two pairs. A value is a code
/// point, or a number among the unlisted code points.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn sixteen_code_units(rules: &Rules<'_>, leading: __m128i, trailing: __m128i, live: u16) -> __m256i {
    let number = |number: u16| _mm512_set1_epi32(number.into());
    let (leading, trailing) = (_mm512_cvtepu8_epi32(leading), _mm512_cvtepu8_epi32(trailing));
    let row = _mm512_min_epu32(_mm512_sub_epi32(leading, number(0x81)), number(125));
    // SAFETY: each `row` is at most 125 by the `min` above; `halves` has 126 entries of four bytes, two rules each.
    let halves = unsafe { _mm512_mask_i32gather_epi32::<4>(number(0), live, row, rules.halves().as_ptr().cast()) };
    let in_upper_half = _mm512_cmpgt_epu32_mask(trailing, number(0xA0));
    let rule = _mm512_and_si512(_mm512_mask_srli_epi32::<16>(halves, in_upper_half, halves), number(0xFFFF));

    // `place` counts the trailing bytes before this one: the distance from the first trailing byte, less the widths of
    // the gaps between. A byte in a gap is no trailing byte.
    let first = rules.first().into();
    let mut place = _mm512_sub_epi32(trailing, number(first));
    let mut pairs = _mm512_mask_cmple_epu32_mask(live, place, number(0xFE - first));
    for (first, width) in rules.gaps() {
        let (first, width) = (number(first.into()), number(width.into()));
        let behind = _mm512_cmpge_epu32_mask(trailing, first);
        pairs &= _mm512_cmpge_epu32_mask(_mm512_sub_epi32(trailing, first), width);
        place = _mm512_mask_sub_epi32(place, behind, place, width);
    }
    // The value of a pair is its code point or the rank of its code point among the unlisted ones; `rule` says which.
    let value = _mm512_add_epi32(place, rule);
    let is_number = _mm512_cmplt_epu32_mask(rule, number(Rules::CODE_POINT));
    let is_null = _mm512_cmpeq_epu32_mask(rule, number(NULL)) | _mm512_cmpeq_epu32_mask(value, number(rules.but()));
    let given = _mm512_mask_mov_epi32(number(NULL), pairs & !is_number & !is_null, value);
    let has_number = _mm512_mask_cmplt_epu32_mask(pairs & is_number, value, number(rules.unlisted().count()));
    _mm512_cvtepi32_epi16(unlisted(rules, value, has_number, given))
}

/// The code units of 16 `numbers` among the unlisted code points, in the lanes that are `live`. Other lanes keep the
/// code units that are `given`.
///
/// Code points are listed or unlisted in blocks of 32, one bit each. For every 32nd number, a sample gives the block
/// that holds it. The block of any other number is mostly one or two blocks after the block of its sample. In this
/// block, the bits of unlisted code points are counted up to the number.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn unlisted(rules: &Rules<'_>, numbers: __m512i, live: u16, given: __m512i) -> __m512i {
    let (unlisted, blocks) = (rules.unlisted(), rules.listed().blocks_from(rules.unlisted().first()));
    // The gathers below load four bytes at a time. A sample has two bytes and a block has six, so a gather also loads
    // the start of the next sample or block. `Unlisted::new` has checked that there is one more sample than ranks need.
    // `Rules::new` has checked that the first group of `unlisted` lists something, so it has eight blocks of its own
    // and one more after them.
    let Some(first) = blocks.first() else { return given };
    let (zero, low) = (_mm512_setzero_si512(), _mm512_set1_epi32(0xFFFF));
    // SAFETY: the number of a live lane is less than `count`, because the caller made `live` of `has_number`, which
    // compares with `count`. Its sample is one of the first `count.div_ceil(32)`. `Unlisted::new` has checked that
    // another sample follows, so the four bytes from there on are two samples.
    let samples = unsafe {
        _mm512_mask_i32gather_epi32::<2>(
            zero,
            live,
            _mm512_srli_epi32::<5>(numbers),
            unlisted.samples().as_ptr().cast(),
        )
    };
    // A block has three parts of two bytes each: two parts of bits, and the number of its first listed code point.
    // `place` gives the index of a block's first part, for at most the last block but one.
    let last = _mm512_set1_epi32(blocks.len() as i32 - 2);
    let place = |at: __m512i| {
        let at = _mm512_min_epu32(at, last);
        _mm512_add_epi32(_mm512_add_epi32(at, at), at)
    };
    let before_all = _mm512_set1_epi32(first.first().into());
    // The number of unlisted code points before block `at`: all code points from the first block on, less the listed
    // ones among them.
    let before = |at: __m512i| {
        let place = _mm512_add_epi32(place(at), _mm512_set1_epi32(2));
        // SAFETY: `blocks` has nine blocks or more, which `Rules::new` and `Listed::new` have checked, and `place` is
        // that of the last but one at most, by its `min`. A block has three parts of two bytes. The four bytes that
        // start two parts after `place` are the last part of the block and the first part of the next block.
        let first = unsafe { _mm512_mask_i32gather_epi32::<2>(zero, live, place, blocks.as_ptr().cast()) };
        let code_units = _mm512_add_epi32(_mm512_slli_epi32::<5>(at), before_all);
        _mm512_sub_epi32(code_units, _mm512_and_si512(first, low))
    };
    let sample = _mm512_and_si512(samples, low);
    let mut at = sample;
    // Mostly the number is one or two blocks after its sample, so four blocks are tried without a branch. More blocks
    // are tried only where nearly all code points are listed. The loop ends, because after the last block `before`
    // grows by 32 each round.
    for step in 1.. {
        let next = _mm512_add_epi32(sample, _mm512_set1_epi32(step));
        let further = _mm512_mask_cmple_epu32_mask(live, before(next), numbers);
        at = _mm512_mask_mov_epi32(at, further, next);
        if step >= 4 && further == 0 {
            break;
        }
    }
    // SAFETY: as for `before`: `place` is that of the last block but one at most, and its first four bytes are in the
    // block.
    let listed = unsafe { _mm512_mask_i32gather_epi32::<2>(zero, live, place(at), blocks.as_ptr().cast()) };
    let code_unit = _mm512_add_epi32(_mm512_set1_epi32(unlisted.first().into()), _mm512_slli_epi32::<5>(at));
    let others = _mm512_andnot_si512(listed, _mm512_set1_epi32(-1));
    let place = nth_one(others, _mm512_sub_epi32(numbers, before(at)));
    _mm512_mask_add_epi32(given, live, code_unit, place)
}

/// In each lane of 32 bits, the position of the set bit of `bits` that has `number` set bits below it.
///
/// This is a binary search. Each round counts the set bits in the lower half of the remaining width; if `number` is not
/// among them, the lower half is shifted out.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn nth_one(mut bits: __m512i, mut number: __m512i) -> __m512i {
    let mut position = _mm512_setzero_si512();
    for width in [16, 8, 4, 2, 1] {
        let below = _mm512_popcnt_epi32(_mm512_and_si512(bits, _mm512_set1_epi32((1 << width) - 1)));
        let is_above = _mm512_cmpge_epu32_mask(number, below);
        number = _mm512_mask_sub_epi32(number, is_above, number, below);
        let width = _mm512_set1_epi32(width);
        bits = _mm512_mask_srlv_epi32(bits, is_above, bits, width);
        position = _mm512_mask_add_epi32(position, is_above, position, width);
    }
    position
}
