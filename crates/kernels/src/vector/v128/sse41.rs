//! The instructions of NEON that this level uses, for x86-64 with SSSE3 and SSE4.1, whose vectors have 16 bytes, too.
//! Vectors of 8 bytes are vectors of 16 whose second half has any value.
//!
//! The functions have the names and the meaning of
//! [Arm's](https://developer.arm.com/architectures/instruction-sets/intrinsics/). The arguments that Arm's have as
//! types do not exist here: all vectors are `__m128i`. The second argument of `vtstq_u8` may have one bit in each byte
//! only. The functions without Arm's `v` at the start of their names have no counterpart there.
#![allow(non_camel_case_types, reason = "the names are Arm's")]

use core::arch::x86_64::*;

pub(crate) type uint8x16_t = __m128i;
pub(crate) type uint16x8_t = __m128i;
pub(crate) type int16x8_t = __m128i;
pub(crate) type uint8x8_t = __m128i;

/// Four vectors.
#[derive(Clone, Copy)]
pub(crate) struct uint8x16x4_t(
    pub(crate) uint8x16_t,
    pub(crate) uint8x16_t,
    pub(crate) uint8x16_t,
    pub(crate) uint8x16_t,
);

/// Two vectors.
#[derive(Clone, Copy)]
pub(crate) struct uint8x16x2_t(pub(crate) uint8x16_t, pub(crate) uint8x16_t);

/// Declares functions of vectors, with the features of this level. A number in angle brackets is a constant.
macro_rules! instructions {
    ($($name:ident$(<$number:ident>)?($($argument:ident),+) = $body:expr;)+) => {
        $(
            #[inline]
            #[target_feature(enable = "ssse3,sse4.1,popcnt")]
            pub(crate) fn $name$(<const $number: i32>)?($($argument: __m128i),+) -> __m128i {
                $body
            }
        )+
    };
}

instructions! {
    vorrq_u8(a, b) = _mm_or_si128(a, b);
    vorrq_u16(a, b) = _mm_or_si128(a, b);
    vandq_u8(a, b) = _mm_and_si128(a, b);
    vandq_u16(a, b) = _mm_and_si128(a, b);
    veorq_u8(a, b) = _mm_xor_si128(a, b);
    veorq_u16(a, b) = _mm_xor_si128(a, b);
    vbicq_u8(a, b) = _mm_andnot_si128(b, a);
    vbicq_u16(a, b) = _mm_andnot_si128(b, a);
    vmvnq_u8(a) = _mm_xor_si128(a, _mm_set1_epi8(-1));
    vbslq_u8(mask, a, b) = _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
    vbslq_u16(mask, a, b) = vbslq_u8(mask, a, b);
    vceqq_u8(a, b) = _mm_cmpeq_epi8(a, b);
    vceqq_u16(a, b) = _mm_cmpeq_epi16(a, b);
    vceqzq_u8(a) = _mm_cmpeq_epi8(a, _mm_setzero_si128());
    vcgeq_u8(a, b) = _mm_cmpeq_epi8(_mm_max_epu8(a, b), a);
    vcgeq_u16(a, b) = _mm_cmpeq_epi16(_mm_max_epu16(a, b), a);
    vcleq_u8(a, b) = vcgeq_u8(b, a);
    vcltq_u8(a, b) = vmvnq_u8(vcgeq_u8(a, b));
    vcltq_u16(a, b) = vmvnq_u8(vcgeq_u16(a, b));
    vcgtq_u8(a, b) = vcltq_u8(b, a);
    vcgtq_u16(a, b) = vcltq_u16(b, a);
    vcgtq_s8(a, b) = _mm_cmpgt_epi8(a, b);
    vcltq_s8(a, b) = _mm_cmpgt_epi8(b, a);
    vcltzq_s16(a) = _mm_srai_epi16::<15>(a);
    vtstq_u8(a, one_bit) = _mm_cmpeq_epi8(_mm_and_si128(a, one_bit), one_bit);
    vaddq_u8(a, b) = _mm_add_epi8(a, b);
    vaddq_u16(a, b) = _mm_add_epi16(a, b);
    vsubq_u8(a, b) = _mm_sub_epi8(a, b);
    vqsubq_u8(a, b) = _mm_subs_epu8(a, b);
    vsubq_u16(a, b) = _mm_sub_epi16(a, b);
    vmulq_u16(a, b) = _mm_mullo_epi16(a, b);
    vmlsq_u16(sum, a, b) = _mm_sub_epi16(sum, _mm_mullo_epi16(a, b));
    vmlal_u8(sum, a, b) = _mm_add_epi16(sum, _mm_mullo_epi16(vmovl_u8(a), vmovl_u8(b)));
    vpaddq_u16(a, b) = _mm_hadd_epi16(a, b);
    vminq_u8(a, b) = _mm_min_epu8(a, b);
    vmaxq_u8(a, b) = _mm_max_epu8(a, b);
    vmaxq_s8(a, b) = _mm_max_epi8(a, b);
    vminq_s16(a, b) = _mm_min_epi16(a, b);
    vminq_u16(a, b) = _mm_min_epu16(a, b);
    vmaxq_u16(a, b) = _mm_max_epu16(a, b);
    vshrq_n_u8<N>(a) = _mm_and_si128(_mm_srli_epi16::<N>(a), vdupq_n_u8(0xFF >> N));
    vshlq_n_u8<N>(a) = _mm_and_si128(_mm_slli_epi16::<N>(a), vdupq_n_u8(0xFF << N));
    vshrq_n_u16<N>(a) = _mm_srli_epi16::<N>(a);
    vshlq_n_u16<N>(a) = _mm_slli_epi16::<N>(a);
    vsliq_n_u8<N>(a, b) = vbslq_u8(vdupq_n_u8(0xFF << N), _mm_slli_epi16::<N>(b), a);
    vsriq_n_u8<N>(a, b) = vbslq_u8(vdupq_n_u8(0xFF >> N), _mm_srli_epi16::<N>(b), a);
    vsliq_n_u16<N>(a, b) = _mm_or_si128(_mm_slli_epi16::<N>(b), _mm_and_si128(a, vdupq_n_u16(!(0xFFFF << N))));
    vsriq_n_u16<N>(a, b) = _mm_or_si128(_mm_srli_epi16::<N>(b), _mm_and_si128(a, vdupq_n_u16(!(0xFFFF >> N))));
    vshrn_n_u16<N>(a) = vmovn_u16(_mm_srli_epi16::<N>(a));
    vsraq_n_u32<N>(a, b) = _mm_add_epi32(a, _mm_srli_epi32::<N>(b));
    vextq_u8<N>(a, b) = _mm_alignr_epi8::<N>(b, a);
    vrev16q_u8(a) = _mm_or_si128(_mm_slli_epi16::<8>(a), _mm_srli_epi16::<8>(a));
    vget_low_u8(a) = a;
    vget_low_s8(a) = a;
    vget_high_u8(a) = _mm_unpackhi_epi64(a, a);
    vcombine_u8(low, high) = _mm_unpacklo_epi64(low, high);
    vmovl_u8(a) = _mm_unpacklo_epi8(a, _mm_setzero_si128());
    vmovl_high_u8(a) = _mm_unpackhi_epi8(a, _mm_setzero_si128());
    vmovl_s8(a) = _mm_cvtepi8_epi16(a);
    vmovl_high_s8(a) = _mm_cvtepi8_epi16(vget_high_u8(a));
    vmovn_u16(a) = vuzp1q_u8(a, a);
    vmovn_u32(a) = _mm_shuffle_epi8(a, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1));
    vzip1q_u8(a, b) = _mm_unpacklo_epi8(a, b);
    vzip2q_u8(a, b) = _mm_unpackhi_epi8(a, b);
    vzip1q_u16(a, b) = _mm_unpacklo_epi16(a, b);
    vzip2q_u16(a, b) = _mm_unpackhi_epi16(a, b);
    vuzp1q_u8(a, b) = _mm_packus_epi16(_mm_and_si128(a, vdupq_n_u16(0xFF)), _mm_and_si128(b, vdupq_n_u16(0xFF)));
    vuzp2q_u8(a, b) = _mm_packus_epi16(_mm_srli_epi16::<8>(a), _mm_srli_epi16::<8>(b));
    vqtbl1q_u8(table, places) = _mm_shuffle_epi8(table, _mm_adds_epu8(places, vdupq_n_u8(0x70)));
    vreinterpretq_u8_u16(a) = a;
    vreinterpretq_u16_u8(a) = a;
    vreinterpretq_s8_u8(a) = a;
    vreinterpretq_s16_u16(a) = a;
    vreinterpretq_u16_s16(a) = a;
    vreinterpretq_u32_u16(a) = a;
    vreinterpret_u64_u16(a) = a;
    vreinterpret_u64_u8(a) = a;
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vdupq_n_u8(value: u8) -> __m128i {
    _mm_set1_epi8(value as i8)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vdup_n_u8(value: u8) -> __m128i {
    _mm_set1_epi8(value as i8)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vdupq_n_s8(value: i8) -> __m128i {
    _mm_set1_epi8(value)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vdupq_n_u16(value: u16) -> __m128i {
    _mm_set1_epi16(value as i16)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vdupq_n_s16(value: i16) -> __m128i {
    _mm_set1_epi16(value)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vcreate_u8(value: u64) -> __m128i {
    _mm_cvtsi64_si128(value as i64)
}

/// The upper halves of the products of all code units.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn upper_products(a: __m128i, b: __m128i) -> __m128i {
    _mm_mulhi_epu16(a, b)
}

/// The bytes at these places, which are less than 16, or at least 0x80 for a zero.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn shuffle(table: __m128i, places: __m128i) -> __m128i {
    _mm_shuffle_epi8(table, places)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vget_lane_u64<const LANE: i32>(a: __m128i) -> u64 {
    _mm_extract_epi64::<LANE>(a) as u64
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vgetq_lane_u8<const LANE: i32>(a: __m128i) -> u8 {
    _mm_extract_epi8::<LANE>(a) as u8
}

/// Whether a bit of the vector is set.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn any_bit(a: __m128i) -> bool {
    _mm_testz_si128(a, a) == 0
}

/// Whether no code unit is 0.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn no_zero_units(a: __m128i) -> bool {
    _mm_movemask_epi8(_mm_cmpeq_epi16(a, _mm_setzero_si128())) == 0
}

/// Lanes of bytes from lanes of code units, which are all ones or all zeros.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn narrow_lanes([first, second]: [__m128i; 2]) -> __m128i {
    _mm_packs_epi16(first, second)
}

/// The highest bit of each byte, from the lowest byte on.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn byte_bits(a: __m128i) -> u16 {
    _mm_movemask_epi8(a) as u16
}

/// The highest bit of each code unit, from the lowest lane on.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn unit_bits(a: __m128i) -> u8 {
    _mm_movemask_epi8(_mm_packs_epi16(a, a)) as u8
}

/// Shifts to the left by the number in the lanes of `bits`, which is the same in all of them; to the right by a
/// negative number.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vshlq_u16(a: uint16x8_t, bits: int16x8_t) -> uint16x8_t {
    let bits = _mm_extract_epi16::<0>(bits) as i16;
    let count = _mm_cvtsi32_si128(bits.unsigned_abs().into());
    if bits >= 0 { _mm_sll_epi16(a, count) } else { _mm_srl_epi16(a, count) }
}

/// Narrows eight code units to the upper half of a vector. Numbers beyond 0xFF become 0xFF.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vqmovn_high_u16(low: uint8x8_t, a: uint16x8_t) -> uint8x16_t {
    vcombine_u8(low, vqmovn_u16(a))
}

/// Narrows eight code units. Numbers beyond 0xFF become 0xFF.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vqmovn_u16(a: uint16x8_t) -> uint8x8_t {
    let a = _mm_min_epu16(a, vdupq_n_u16(0xFF));
    _mm_packus_epi16(a, a)
}

/// The bytes of two vectors in a row at these places, which are less than 32.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vqtbl2q_u8(table: uint8x16x2_t, places: uint8x16_t) -> uint8x16_t {
    let first = vqtbl1q_u8(table.0, places);
    vorrq_u8(first, shuffle(table.1, vsubq_u8(places, vdupq_n_u8(16))))
}

/// The bytes of four vectors in a row at these places; 0 for a place of 64 or more.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vqtbl4q_u8(table: uint8x16x4_t, places: uint8x16_t) -> uint8x16_t {
    let part = |table, start| vqtbl1q_u8(table, vsubq_u8(places, vdupq_n_u8(start)));
    let [low, high] = [vorrq_u8(part(table.0, 0), part(table.1, 16)), vorrq_u8(part(table.2, 32), part(table.3, 48))];
    vorrq_u8(low, high)
}

/// As [`vqtbl4q_u8`], but the bytes of `others` for places of 64 or more. All callers have zeros in `others` for other
/// places.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vqtbx4q_u8(others: uint8x16_t, table: uint8x16x4_t, places: uint8x16_t) -> uint8x16_t {
    vorrq_u8(others, vqtbl4q_u8(table, places))
}

/// The greatest byte.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vmaxvq_u8(a: uint8x16_t) -> u8 {
    let a = _mm_max_epu8(a, _mm_srli_si128::<8>(a));
    let a = _mm_max_epu8(a, _mm_srli_si128::<4>(a));
    let a = _mm_max_epu8(a, _mm_srli_si128::<2>(a));
    (vgetq_lane_u8::<0>(a)).max(vgetq_lane_u8::<1>(a))
}

/// The sum of all bytes.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn vaddlvq_u8(a: uint8x16_t) -> u16 {
    let sums = _mm_sad_epu8(a, _mm_setzero_si128());
    (_mm_extract_epi16::<0>(sums) + _mm_extract_epi16::<4>(sums)) as u16
}
