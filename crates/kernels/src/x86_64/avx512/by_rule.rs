//! Pairs whose code units follow from a rule, 16 at a time.
//!
//! In ordinary text they are few, in malformed text most. One after the other they would take 200 cycles each, for each step needs
//! what the one before found; 16 side by side take little longer than one.

use core::arch::x86_64::*;

use super::memory::{both_halves, lowest};
use crate::double_byte::{NULL, Rules};

/// The code units of the first `count` pairs, [`NULL`] where no rule gives one; anything behind them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn code_units(rules: &Rules<'_>, mut leading: __m512i, mut trailing: __m512i, count: usize) -> [__m512i; 2] {
    let (mut live, mut units) = (lowest(count), [_mm256_setzero_si256(); 4]);
    for units in &mut units {
        *units = sixteen(rules, _mm512_castsi512_si128(leading), _mm512_castsi512_si128(trailing), live as u16);
        live >>= 16;
        if live == 0 {
            break;
        }
        // The next 16 of each.
        leading = _mm512_alignr_epi32::<4>(leading, leading);
        trailing = _mm512_alignr_epi32::<4>(trailing, trailing);
    }
    let [first, second, third, fourth] = units;
    [both_halves(first, second), both_halves(third, fourth)]
}

/// The code units of 16 pairs, those of the lanes that are `live`; [`NULL`] where no rule gives one.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn sixteen(rules: &Rules<'_>, leading: __m128i, trailing: __m128i, live: u16) -> __m256i {
    let number = |number: u16| _mm512_set1_epi32(number.into());
    let (leading, trailing) = (_mm512_cvtepu8_epi32(leading), _mm512_cvtepu8_epi32(trailing));
    let row = _mm512_min_epu32(_mm512_sub_epi32(leading, number(0x81)), number(125));
    // SAFETY: there are 126 rows of four bytes.
    let halves = unsafe { _mm512_mask_i32gather_epi32::<4>(number(0), live, row, rules.halves.as_ptr().cast()) };
    let is_right = _mm512_cmpgt_epu32_mask(trailing, number(0xA0));
    let rule = _mm512_and_si512(_mm512_mask_srli_epi32::<16>(halves, is_right, halves), number(0xFFFF));

    let first = rules.first.into();
    let mut place = _mm512_sub_epi32(trailing, number(first));
    let mut pairs = _mm512_mask_cmple_epu32_mask(live, place, number(0xFE - first));
    for (first, width) in rules.gaps {
        let (first, width) = (number(first.into()), number(width.into()));
        let behind = _mm512_cmpge_epu32_mask(trailing, first);
        pairs &= _mm512_cmpge_epu32_mask(_mm512_sub_epi32(trailing, first), width);
        place = _mm512_mask_sub_epi32(place, behind, place, width);
    }
    // A code point, or the number of one.
    let value = _mm512_add_epi32(place, rule);
    let is_number = _mm512_cmplt_epu32_mask(rule, number(Rules::CODE_POINT));
    let is_null = _mm512_cmpeq_epu32_mask(rule, number(NULL)) | _mm512_cmpeq_epu32_mask(value, number(rules.but));
    let given = _mm512_mask_mov_epi32(number(NULL), pairs & !is_number & !is_null, value);
    let has_number = _mm512_mask_cmplt_epu32_mask(pairs & is_number, value, number(rules.unlisted.count));
    _mm512_cvtepi32_epi16(unlisted(rules, value, has_number, given))
}

/// The code units that have these `numbers`, in the `live` lanes; in others those that are `given`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn unlisted(rules: &Rules<'_>, numbers: __m512i, live: u16, given: __m512i) -> __m512i {
    let (unlisted, blocks) = (&rules.unlisted, rules.listed.blocks_from(rules.unlisted.first));
    // More than one is loaded at a time. Without rules the encoding is asked.
    let has_one_more = unlisted.samples.len() > usize::from(unlisted.count.div_ceil(32)) && blocks.len() >= 2;
    let (Some(first), true) = (blocks.first(), has_one_more) else { return given };
    let (zero, low) = (_mm512_setzero_si512(), _mm512_set1_epi32(0xFFFF));
    // SAFETY: a number is less than the count, and the four bytes from its sample on are in two.
    let samples = unsafe {
        _mm512_mask_i32gather_epi32::<2>(zero, live, _mm512_srli_epi32::<5>(numbers), unlisted.samples.as_ptr().cast())
    };
    // A block is three times two bytes: two of bits, and the number of the first that is listed.
    let last = _mm512_set1_epi32(blocks.len() as i32 - 2);
    let place = |at: __m512i| {
        let at = _mm512_min_epu32(at, last);
        _mm512_add_epi32(_mm512_add_epi32(at, at), at)
    };
    let before_all = _mm512_set1_epi32(first.first().into());
    // How many that are not listed come before a block.
    let before = |at: __m512i| {
        let place = _mm512_add_epi32(place(at), _mm512_set1_epi32(2));
        // SAFETY: a place is that of the last block but one at most, and the four bytes from there on are in two blocks.
        let first = unsafe { _mm512_mask_i32gather_epi32::<2>(zero, live, place, blocks.as_ptr().cast()) };
        let code_units = _mm512_add_epi32(_mm512_slli_epi32::<5>(at), before_all);
        _mm512_sub_epi32(code_units, _mm512_and_si512(first, low))
    };
    let sample = _mm512_and_si512(samples, low);
    let mut at = sample;
    // Mostly one or two blocks further, so that these are looked at in any case; more where almost all are listed.
    for step in 1.. {
        let next = _mm512_add_epi32(sample, _mm512_set1_epi32(step));
        let further = _mm512_mask_cmple_epu32_mask(live, before(next), numbers);
        at = _mm512_mask_mov_epi32(at, further, next);
        if step >= 4 && further == 0 {
            break;
        }
    }
    // SAFETY: as above.
    let listed = unsafe { _mm512_mask_i32gather_epi32::<2>(zero, live, place(at), blocks.as_ptr().cast()) };
    let code_unit = _mm512_add_epi32(_mm512_set1_epi32(unlisted.first.into()), _mm512_slli_epi32::<5>(at));
    let others = _mm512_andnot_si512(listed, _mm512_set1_epi32(-1));
    let place = nth_one(others, _mm512_sub_epi32(numbers, before(at)));
    _mm512_mask_add_epi32(given, live, code_unit, place)
}

/// In each lane the position of a bit that is 1 and has `number` such bits below it.
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
