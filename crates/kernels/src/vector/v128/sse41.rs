//! The instructions of NEON that this level uses, for x86-64 with SSSE3 and SSE4.1, whose vectors have 16 bytes, too.
//! Vectors of 8 bytes are vectors of 16 whose second half has any value.
//!
//! The functions have the names and the meaning of
//! [Arm's](https://developer.arm.com/architectures/instruction-sets/intrinsics/). The arguments that Arm's have as
//! types do not exist here: all vectors are `__m128i`, so that [`one_type`](super::one_type) has a part of the
//! functions. The second argument of `vtstq_u8` may have one bit in each byte only. The functions without Arm's `v` at
//! the start of their names have no counterpart there.

use core::arch::x86_64::*;

pub(crate) use super::one_type::*;

/// A vector of 16 bytes.
pub(crate) type Vector = __m128i;

/// Declares functions with the features of this level. An argument or a result without a type is a vector. A name in
/// angle brackets is a constant.
macro_rules! instructions {
    ($($(#[$attribute:meta])* $name:ident$(<$number:ident>)?($($argument:ident$(: $type:ty)?),+)
        $(-> $result:ty)? = $body:expr;)+) => {
        $(
            $(#[$attribute])*
            #[inline]
            #[target_feature(enable = "ssse3,sse4.1,popcnt")]
            pub(crate) fn $name$(<const $number: i32>)?($($argument: vector_or!($($type)?)),+) -> vector_or!($($result)?) {
                $body
            }
        )+
    };
}
pub(crate) use instructions;

/// A type; that of a vector, where none is given.
macro_rules! vector_or {
    () => {
        Vector
    };
    ($type:ty) => {
        $type
    };
}
pub(crate) use vector_or;

instructions! {
    vorrq_u8(a, b) = _mm_or_si128(a, b);
    vandq_u8(a, b) = _mm_and_si128(a, b);
    veorq_u8(a, b) = _mm_xor_si128(a, b);
    vbicq_u8(a, b) = _mm_andnot_si128(b, a);
    vmvnq_u8(a) = _mm_xor_si128(a, _mm_set1_epi8(-1));
    vbslq_u8(mask, a, b) = _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
    vceqq_u8(a, b) = _mm_cmpeq_epi8(a, b);
    vceqq_u16(a, b) = _mm_cmpeq_epi16(a, b);
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
    vsraq_n_u32<N>(a, b) = _mm_add_epi32(a, _mm_srli_epi32::<N>(b));
    vextq_u8<N>(a, b) = _mm_alignr_epi8::<N>(b, a);
    vrev16q_u8(a) = _mm_or_si128(_mm_slli_epi16::<8>(a), _mm_srli_epi16::<8>(a));
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
    vdupq_n_u8(value: u8) = _mm_set1_epi8(value as i8);
    vdupq_n_s8(value: i8) = _mm_set1_epi8(value);
    vdupq_n_u16(value: u16) = _mm_set1_epi16(value as i16);
    vdupq_n_s16(value: i16) = _mm_set1_epi16(value);
    vcreate_u8(value: u64) = _mm_cvtsi64_si128(value as i64);
    vget_lane_u64<LANE>(a) -> u64 = _mm_extract_epi64::<LANE>(a) as u64;
    vgetq_lane_u8<LANE>(a) -> u8 = _mm_extract_epi8::<LANE>(a) as u8;

    /// The upper halves of the products of all code units.
    upper_products(a, b) = _mm_mulhi_epu16(a, b);

    /// The bytes at these places, which are less than 16, or at least 0x80 for a zero.
    shuffle(table, places) = _mm_shuffle_epi8(table, places);

    /// Whether a bit of the vector is set.
    any_bit(a) -> bool = _mm_testz_si128(a, a) == 0;

    /// Whether no code unit is 0.
    no_zero_units(a) -> bool = _mm_movemask_epi8(_mm_cmpeq_epi16(a, _mm_setzero_si128())) == 0;

    /// Lanes of bytes from lanes of code units, which are all ones or all zeros.
    narrow_lanes(halves: [Vector; 2]) = _mm_packs_epi16(halves[0], halves[1]);

    /// The highest bit of each byte, from the lowest byte on.
    byte_bits(a) -> u16 = _mm_movemask_epi8(a) as u16;

    /// The highest bit of each code unit, from the lowest lane on.
    unit_bits(a) -> u8 = _mm_movemask_epi8(_mm_packs_epi16(a, a)) as u8;

    /// Shifts to the left by the number in the lanes of `bits`, which is the same in all of them; to the right by a
    /// negative number.
    vshlq_u16(a, bits) = {
        let bits = _mm_extract_epi16::<0>(bits) as i16;
        let count = _mm_cvtsi32_si128(bits.unsigned_abs().into());
        if bits >= 0 { _mm_sll_epi16(a, count) } else { _mm_srl_epi16(a, count) }
    };

    /// Narrows eight code units. Numbers beyond 0xFF become 0xFF.
    vqmovn_u16(a) = {
        let a = _mm_min_epu16(a, vdupq_n_u16(0xFF));
        _mm_packus_epi16(a, a)
    };

    /// The greatest byte.
    vmaxvq_u8(a) -> u8 = {
        let a = _mm_max_epu8(a, _mm_srli_si128::<8>(a));
        let a = _mm_max_epu8(a, _mm_srli_si128::<4>(a));
        let a = _mm_max_epu8(a, _mm_srli_si128::<2>(a));
        vgetq_lane_u8::<0>(a).max(vgetq_lane_u8::<1>(a))
    };

    /// The sum of all bytes.
    vaddlvq_u8(a) -> u16 = {
        let sums = _mm_sad_epu8(a, _mm_setzero_si128());
        (_mm_extract_epi16::<0>(sums) + _mm_extract_epi16::<4>(sums)) as u16
    };
}
