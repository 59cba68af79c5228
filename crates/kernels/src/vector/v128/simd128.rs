//! The instructions of NEON that this level uses, for WebAssembly with the feature simd128. Its vectors have 16 bytes,
//! too, and nearly every function here is one of its instructions. Vectors of 8 bytes are vectors of 16 whose second
//! half has any value.
//!
//! The functions have the names and the meaning of
//! [Arm's](https://developer.arm.com/architectures/instruction-sets/intrinsics/). The arguments that Arm's have as
//! types do not exist here: all vectors are `v128`, so that [`one_type`](super::one_type) has a part of the functions.
//! The second argument of `vtstq_u8` may have one bit in each byte only: "is equal" takes one instruction of x86-64,
//! and "is not zero" takes three. The functions without Arm's `v` at the start of their names have no counterpart
//! there.

use core::arch::wasm32::*;

pub(crate) use super::one_type::*;

/// A vector of 16 bytes.
pub(crate) type Vector = v128;

/// Declares functions that are always inlined. An argument or a result without a type is a vector. A name in angle
/// brackets is a constant.
macro_rules! instructions {
    ($($(#[$attribute:meta])* $name:ident$(<$number:ident>)?($($argument:ident$(: $type:ty)?),+)
        $(-> $result:ty)? = $body:expr;)+) => {
        $(
            $(#[$attribute])*
            #[inline(always)]
            pub(crate) fn $name$(<const $number: u32>)?($($argument: vector_or!($($type)?)),+) -> vector_or!($($result)?) {
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
    vorrq_u8(a, b) = v128_or(a, b);
    vandq_u8(a, b) = v128_and(a, b);
    veorq_u8(a, b) = v128_xor(a, b);
    vbicq_u8(a, b) = v128_andnot(a, b);
    vmvnq_u8(a) = v128_not(a);
    vbslq_u8(mask, a, b) = v128_bitselect(a, b, mask);
    vceqq_u8(a, b) = u8x16_eq(a, b);
    vceqq_u16(a, b) = u16x8_eq(a, b);
    vcgeq_u8(a, b) = u8x16_ge(a, b);
    vcgeq_u16(a, b) = u16x8_ge(a, b);
    vcgtq_u8(a, b) = u8x16_gt(a, b);
    vcgtq_u16(a, b) = u16x8_gt(a, b);
    vcgtq_s8(a, b) = i8x16_gt(a, b);
    vcleq_u8(a, b) = u8x16_le(a, b);
    vcltq_u8(a, b) = u8x16_lt(a, b);
    vcltq_s8(a, b) = i8x16_lt(a, b);
    vcltq_u16(a, b) = u16x8_lt(a, b);
    vcltzq_s16(a) = i16x8_shr(a, 15);
    vtstq_u8(a, one_bit) = u8x16_eq(v128_and(a, one_bit), one_bit);
    vaddq_u8(a, b) = u8x16_add(a, b);
    vaddq_u16(a, b) = u16x8_add(a, b);
    vsubq_u8(a, b) = u8x16_sub(a, b);
    vmulq_u16(a, b) = u16x8_mul(a, b);
    vminq_u8(a, b) = u8x16_min(a, b);
    vsubq_u16(a, b) = u16x8_sub(a, b);
    vmull_u16(a, b) = u32x4_extmul_low_u16x8(a, b);
    vmull_high_u16(a, b) = u32x4_extmul_high_u16x8(a, b);
    vmaxq_u8(a, b) = u8x16_max(a, b);
    vmaxq_s8(a, b) = i8x16_max(a, b);
    vminq_s16(a, b) = i16x8_min(a, b);
    vminq_u16(a, b) = u16x8_min(a, b);
    vmaxq_u16(a, b) = u16x8_max(a, b);
    vcnt_u8(a) = u8x16_popcnt(a);
    vmlal_u8(sum, a, b) = u16x8_add(sum, u16x8_extmul_low_u8x16(a, b));
    vqtbl1q_u8(table, places) = u8x16_swizzle(table, places);
    vget_low_u16(a) = a;
    vget_high_u8(a) = i64x2_shuffle::<1, 1>(a, a);
    vcombine_u8(low, high) = i64x2_shuffle::<0, 2>(low, high);
    vmovl_u8(a) = u16x8_extend_low_u8x16(a);
    vmovl_high_u8(a) = u16x8_extend_high_u8x16(a);
    vmovl_s8(a) = i16x8_extend_low_i8x16(a);
    vmovl_high_s8(a) = i16x8_extend_high_i8x16(a);
    vmovn_u16(a) = u8x16_narrow_i16x8(v128_and(a, u16x8_splat(0xFF)), a);
    vmovn_u32(a) = i16x8_shuffle::<0, 2, 4, 6, 0, 2, 4, 6>(a, a);
    vqmovn_u16(a) = u8x16_narrow_i16x8(u16x8_min(a, u16x8_splat(0xFF)), a);
    vzip1q_u8(a, b) = i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b);
    vzip2q_u8(a, b) = i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b);
    vzip1q_u16(a, b) = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b);
    vzip2q_u16(a, b) = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b);
    vuzp1q_u8(a, b) = i8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a, b);
    vuzp2q_u8(a, b) = i8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a, b);
    vuzp2q_u16(a, b) = i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b);
    vpaddq_u16(a, b) = u16x8_add(i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(a, b), i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b));
    vrev16q_u8(a) = i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(a, a);
    vreinterpretq_u16_u32(a) = a;
    vreinterpret_u32_u8(a) = a;
    vdupq_n_u8(value: u8) = u8x16_splat(value);
    vdupq_n_s8(value: i8) = i8x16_splat(value);
    vdupq_n_u16(value: u16) = u16x8_splat(value);
    vdupq_n_s16(value: i16) = i16x8_splat(value);
    vcreate_u8(value: u64) = u64x2(value, 0);
    vshrq_n_u8<N>(a) = u8x16_shr(a, N);
    vshlq_n_u8<N>(a) = u8x16_shl(a, N);
    vshrq_n_u16<N>(a) = u16x8_shr(a, N);
    vshlq_n_u16<N>(a) = u16x8_shl(a, N);
    vsraq_n_u32<N>(a, b) = u32x4_add(a, u32x4_shr(b, N));
    vsliq_n_u8<N>(a, b) = v128_bitselect(u8x16_shl(b, N), a, u8x16_splat(0xFF << N));
    vsriq_n_u8<N>(a, b) = v128_bitselect(u8x16_shr(b, N), a, u8x16_splat(0xFF >> N));
    vsriq_n_u16<N>(a, b) = v128_bitselect(u16x8_shr(b, N), a, u16x8_splat(0xFFFF >> N));
    vsliq_n_u16<N>(a, b) = v128_bitselect(u16x8_shl(b, N), a, u16x8_splat(0xFFFF << N));

    /// Shifts to the left by the number in the lanes of `bits`, which is the same in all of them; to the right by a
    /// negative number.
    vshlq_u16(a, bits) = match i16x8_extract_lane::<0>(bits) {
        bits @ 0..16 => u16x8_shl(a, bits as u32),
        bits @ -15..0 => u16x8_shr(a, bits.unsigned_abs().into()),
        _ => u16x8_splat(0),
    };

    /// The bytes at these places; 0 for a place of 16 or more.
    shuffle(table, places) = u8x16_swizzle(table, places);

    /// The greatest byte.
    vmaxvq_u8(a) -> u8 = {
        let a = u8x16_max(a, i64x2_shuffle::<1, 0>(a, a));
        let a = u8x16_max(a, i32x4_shuffle::<1, 0, 3, 2>(a, a));
        let a = u8x16_max(a, i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(a, a));
        u8x16_extract_lane::<0>(a).max(u8x16_extract_lane::<1>(a))
    };

    /// The sum of all bytes.
    vaddlvq_u8(a) -> u16 = {
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(a));
        let sums = u32x4_add(sums, i64x2_shuffle::<1, 0>(sums, sums));
        (u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)) as u16
    };

    /// Whether a bit of the vector is set.
    any_bit(a) -> bool = v128_any_true(a);

    /// Whether no code unit is 0.
    no_zero_units(a) -> bool = u16x8_all_true(a);

    /// Lanes of bytes from lanes of code units, which are all ones or all zeros.
    narrow_lanes(halves: [Vector; 2]) = i8x16_narrow_i16x8(halves[0], halves[1]);

    /// The highest bit of each byte, from the lowest byte on.
    byte_bits(a) -> u16 = u8x16_bitmask(a);

    /// The highest bit of each code unit, from the lowest lane on.
    unit_bits(a) -> u8 = u16x8_bitmask(a);
}

/// The bytes from `N` on of two vectors in a row.
#[inline(always)]
pub(crate) fn vextq_u8<const N: usize>(a: v128, b: v128) -> v128 {
    match N {
        1 => i8x16_shuffle::<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(a, b),
        13 => i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(a, b),
        14 => i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(a, b),
        15 => i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(a, b),
        _ => unreachable!("no function of this level needs other places"),
    }
}

#[inline(always)]
pub(crate) fn vget_lane_u32<const LANE: usize>(a: v128) -> u32 {
    u32x4_extract_lane::<LANE>(a)
}

#[inline(always)]
pub(crate) fn vget_lane_u64<const LANE: usize>(a: v128) -> u64 {
    u64x2_extract_lane::<LANE>(a)
}

#[inline(always)]
pub(crate) fn vgetq_lane_u8<const LANE: usize>(a: v128) -> u8 {
    u8x16_extract_lane::<LANE>(a)
}
