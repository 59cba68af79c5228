//! Decoding of pairs whose code units follow from a rule, 16 pairs at a time: see [`Rules`].
//!
//! Ordinary text has few such pairs, and malformed text has many. One after the other, each pair takes about 200
//! cycles, because each of its steps needs the result of the step before. Side by side, 16 pairs take little longer
//! than one.

use crate::double_byte::tables::{ascending::Ascending, rules::Rules};
use crate::{base::*, vector::avx512::*};

/// The code units of the first `count` pairs, which are given as their leading and their trailing bytes, one pair in
/// each lane. [`NULL`] stands for pairs that no rule covers; lanes from `count` on have no meaning.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn code_units(rules: &Rules<'_>, mut leading: __m512i, mut trailing: __m512i, count: usize) -> [__m512i; 2] {
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
/// point, or a rank among the unlisted code points.
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
        let is_after = _mm512_cmpge_epu32_mask(trailing, first);
        pairs &= _mm512_cmpge_epu32_mask(_mm512_sub_epi32(trailing, first), width);
        place = _mm512_mask_sub_epi32(place, is_after, place, width);
    }
    // The value of a pair is its code point or the rank of its code point among the unlisted ones; `rule` says which.
    let value = _mm512_add_epi32(place, rule);
    let is_rank = _mm512_cmplt_epu32_mask(rule, number(Rules::CODE_POINT));
    let is_null =
        _mm512_cmpeq_epu32_mask(rule, number(NULL)) | _mm512_cmpeq_epu32_mask(value, number(rules.excluded()));
    let given = _mm512_mask_mov_epi32(number(NULL), pairs & !is_rank & !is_null, value);
    let has_rank = _mm512_mask_cmplt_epu32_mask(pairs & is_rank, value, number(rules.unlisted().count()));
    _mm512_cvtepi32_epi16(unlisted(rules.unlisted(), value, has_rank, given))
}

/// The code units of 16 `ranks` among the unlisted code points, in the lanes that are `live`; their ranks must be less
/// than the count of code points. Other lanes keep the code units that are `given`.
///
/// Each code point has a bit, and a sample gives the bit of every 32nd rank. The bit of any other rank is mostly one or
/// two words after the bit of its sample, so the bits from the sample on are counted word by word.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn unlisted(unlisted: &Ascending<'_>, ranks: __m512i, live: u16, given: __m512i) -> __m512i {
    let number = |number: i32| _mm512_set1_epi32(number);
    let zero = _mm512_setzero_si512();
    // SAFETY: the rank of a live lane is less than the count, by the caller's `has_rank`, so its sample is one of the
    // first `count.div_ceil(32)`. `Ascending::new` has checked that another sample follows, so the four bytes from
    // there on are two samples.
    let samples = unsafe {
        let places = _mm512_srli_epi32::<5>(ranks);
        _mm512_mask_i32gather_epi32::<2>(zero, live, places, unlisted.samples().as_ptr().cast())
    };
    let samples = _mm512_and_si512(samples, number(0xFFFF));
    // `Ascending::new` has checked that there is a word.
    let last = number(unlisted.bits().len() as i32 - 1);
    let word = |mask: u16, at: __m512i| {
        let at = _mm512_min_epu32(at, last);
        // SAFETY: `at` is at most `last`, the place of the last word, by the `min` above.
        unsafe { _mm512_mask_i32gather_epi32::<4>(zero, mask, at, unlisted.bits().as_ptr().cast()) }
    };
    let below = |bits, number| _mm512_mask_cmple_epu32_mask(live, _mm512_popcnt_epi32(bits), number);
    let mut at = _mm512_srli_epi32::<5>(samples);
    let mut rest = _mm512_and_si512(ranks, number(31));
    // The bit of the sample, and the bits after it in its word.
    let from_sample = _mm512_sllv_epi32(number(-1), _mm512_and_si512(samples, number(31)));
    let mut bits = _mm512_and_si512(word(live, at), from_sample);
    // Mostly the rank is at most two words after its sample, so three words are tried without a branch. More words are
    // tried only where few code points have a rank. The loop ends, because every live lane has its rank in a word.
    for step in 1.. {
        let further = below(bits, rest);
        if step >= 4 && further == 0 {
            break;
        }
        rest = _mm512_mask_sub_epi32(rest, further, rest, _mm512_popcnt_epi32(bits));
        at = _mm512_mask_add_epi32(at, further, at, number(1));
        bits = _mm512_mask_mov_epi32(bits, further, word(further, at));
    }
    let first = _mm512_add_epi32(number(unlisted.first().into()), _mm512_slli_epi32::<5>(at));
    _mm512_mask_add_epi32(given, live, first, nth_one(bits, rest))
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
