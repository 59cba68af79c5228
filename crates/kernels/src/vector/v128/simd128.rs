//! The instructions of NEON that this level uses, for WebAssembly with the feature simd128. Its vectors have 16 bytes,
//! too, and nearly every function here is one of its instructions. Vectors of 8 bytes are vectors of 16 whose second
//! half has any value.
//!
//! The functions have the names and the meaning of
//! [Arm's](https://developer.arm.com/architectures/instruction-sets/intrinsics/). The arguments that Arm's have as
//! types do not exist here: all vectors are `v128`. The second argument of `vtstq_u8` may have one bit in each byte
//! only: "is equal" takes one instruction of x86-64, and "is not zero" takes three.
#![allow(non_camel_case_types, reason = "the names are Arm's")]

use core::arch::wasm32::*;

pub(crate) type uint8x16_t = v128;
pub(crate) type uint16x8_t = v128;
pub(crate) type int16x8_t = v128;
pub(crate) type uint8x8_t = v128;

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

/// Declares functions that are instructions of WebAssembly with other names.
macro_rules! instructions {
    ($($name:ident($($argument:ident),+) = $body:expr;)+) => {
        $(
            #[inline(always)]
            pub(crate) fn $name($($argument: v128),+) -> v128 {
                $body
            }
        )+
    };
}

instructions! {
    vorrq_u8(a, b) = v128_or(a, b);
    vorrq_u16(a, b) = v128_or(a, b);
    vandq_u8(a, b) = v128_and(a, b);
    vandq_u16(a, b) = v128_and(a, b);
    veorq_u8(a, b) = v128_xor(a, b);
    veorq_u16(a, b) = v128_xor(a, b);
    vbicq_u8(a, b) = v128_andnot(a, b);
    vbicq_u16(a, b) = v128_andnot(a, b);
    vmvnq_u8(a) = v128_not(a);
    vbslq_u8(mask, a, b) = v128_bitselect(a, b, mask);
    vbslq_u16(mask, a, b) = v128_bitselect(a, b, mask);
    vceqq_u8(a, b) = u8x16_eq(a, b);
    vceqq_u16(a, b) = u16x8_eq(a, b);
    vceqzq_u8(a) = u8x16_eq(a, u8x16_splat(0));
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
    vmlsq_u16(sum, a, b) = u16x8_sub(sum, u16x8_mul(a, b));
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
    vget_low_u8(a) = a;
    vget_low_u16(a) = a;
    vget_high_u8(a) = i64x2_shuffle::<1, 1>(a, a);
    vcombine_u8(low, high) = i64x2_shuffle::<0, 2>(low, high);
    vmovl_u8(a) = u16x8_extend_low_u8x16(a);
    vmovl_high_u8(a) = u16x8_extend_high_u8x16(a);
    vmovl_s8(a) = i16x8_extend_low_i8x16(a);
    vmovl_high_s8(a) = i16x8_extend_high_i8x16(a);
    vget_low_s8(a) = a;
    vmovn_u16(a) = u8x16_narrow_i16x8(v128_and(a, u16x8_splat(0xFF)), a);
    vmovn_u32(a) = i16x8_shuffle::<0, 2, 4, 6, 0, 2, 4, 6>(a, a);
    vqmovn_u16(a) = u8x16_narrow_i16x8(u16x8_min(a, u16x8_splat(0xFF)), a);
    vqmovn_high_u16(low, a) = vcombine_u8(low, vqmovn_u16(a));
    vzip1q_u8(a, b) = i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b);
    vzip2q_u8(a, b) = i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b);
    vzip1q_u16(a, b) = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b);
    vzip2q_u16(a, b) = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b);
    vuzp1q_u8(a, b) = i8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a, b);
    vuzp2q_u8(a, b) = i8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a, b);
    vuzp2q_u16(a, b) = i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b);
    vpaddq_u16(a, b) = u16x8_add(i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(a, b), i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b));
    vrev16q_u8(a) = i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(a, a);
    vreinterpretq_u8_u16(a) = a;
    vreinterpretq_u16_u8(a) = a;
    vreinterpretq_u16_u32(a) = a;
    vreinterpretq_s8_u8(a) = a;
    vreinterpretq_s16_u16(a) = a;
    vreinterpretq_u16_s16(a) = a;
    vreinterpretq_u32_u16(a) = a;
    vreinterpret_u64_u16(a) = a;
    vreinterpret_u32_u8(a) = a;
    vreinterpret_u64_u8(a) = a;
}

#[inline(always)]
pub(crate) fn vdupq_n_u8(value: u8) -> v128 {
    u8x16_splat(value)
}

#[inline(always)]
pub(crate) fn vdup_n_u8(value: u8) -> v128 {
    u8x16_splat(value)
}

#[inline(always)]
pub(crate) fn vdupq_n_s8(value: i8) -> v128 {
    i8x16_splat(value)
}

#[inline(always)]
pub(crate) fn vdupq_n_u16(value: u16) -> v128 {
    u16x8_splat(value)
}

#[inline(always)]
pub(crate) fn vdupq_n_s16(value: i16) -> v128 {
    i16x8_splat(value)
}

#[inline(always)]
pub(crate) fn vcreate_u8(value: u64) -> v128 {
    u64x2(value, 0)
}

#[inline(always)]
pub(crate) fn vshrq_n_u8<const N: u32>(a: v128) -> v128 {
    u8x16_shr(a, N)
}

#[inline(always)]
pub(crate) fn vshlq_n_u8<const N: u32>(a: v128) -> v128 {
    u8x16_shl(a, N)
}

#[inline(always)]
pub(crate) fn vshrq_n_u16<const N: u32>(a: v128) -> v128 {
    u16x8_shr(a, N)
}

#[inline(always)]
pub(crate) fn vshlq_n_u16<const N: u32>(a: v128) -> v128 {
    u16x8_shl(a, N)
}

#[inline(always)]
pub(crate) fn vsraq_n_u32<const N: u32>(a: v128, b: v128) -> v128 {
    u32x4_add(a, u32x4_shr(b, N))
}

/// Shifts to the left by the number in the lanes of `bits`, which is the same in all of them; to the right by a
/// negative number.
#[inline(always)]
pub(crate) fn vshlq_u16(a: v128, bits: v128) -> v128 {
    match i16x8_extract_lane::<0>(bits) {
        bits @ 0..16 => u16x8_shl(a, bits as u32),
        bits @ -15..0 => u16x8_shr(a, bits.unsigned_abs().into()),
        _ => u16x8_splat(0),
    }
}

#[inline(always)]
pub(crate) fn vsliq_n_u8<const N: u32>(a: v128, b: v128) -> v128 {
    v128_bitselect(u8x16_shl(b, N), a, u8x16_splat(0xFF << N))
}

#[inline(always)]
pub(crate) fn vsriq_n_u8<const N: u32>(a: v128, b: v128) -> v128 {
    v128_bitselect(u8x16_shr(b, N), a, u8x16_splat(0xFF >> N))
}

#[inline(always)]
pub(crate) fn vsriq_n_u16<const N: u32>(a: v128, b: v128) -> v128 {
    v128_bitselect(u16x8_shr(b, N), a, u16x8_splat(0xFFFF >> N))
}

#[inline(always)]
pub(crate) fn vsliq_n_u16<const N: u32>(a: v128, b: v128) -> v128 {
    v128_bitselect(u16x8_shl(b, N), a, u16x8_splat(0xFFFF << N))
}

#[inline(always)]
pub(crate) fn vshrn_n_u16<const N: u32>(a: v128) -> v128 {
    vmovn_u16(u16x8_shr(a, N))
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
pub(crate) fn vqtbl2q_u8(table: uint8x16x2_t, places: v128) -> v128 {
    v128_or(u8x16_swizzle(table.0, places), u8x16_swizzle(table.1, u8x16_sub(places, u8x16_splat(16))))
}

#[inline(always)]
pub(crate) fn vqtbl4q_u8(table: uint8x16x4_t, places: v128) -> v128 {
    let part = |table, start| u8x16_swizzle(table, u8x16_sub(places, u8x16_splat(start)));
    let [low, high] = [v128_or(part(table.0, 0), part(table.1, 16)), v128_or(part(table.2, 32), part(table.3, 48))];
    v128_or(low, high)
}

/// As [`vqtbl4q_u8`], but the bytes of `others` for places of 64 or more. All callers have zeros in `others` for other
/// places.
#[inline(always)]
pub(crate) fn vqtbx4q_u8(others: v128, table: uint8x16x4_t, places: v128) -> v128 {
    v128_or(others, vqtbl4q_u8(table, places))
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

/// The greatest byte.
#[inline(always)]
pub(crate) fn vmaxvq_u8(a: v128) -> u8 {
    let a = u8x16_max(a, i64x2_shuffle::<1, 0>(a, a));
    let a = u8x16_max(a, i32x4_shuffle::<1, 0, 3, 2>(a, a));
    let a = u8x16_max(a, i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(a, a));
    u8x16_extract_lane::<0>(a).max(u8x16_extract_lane::<1>(a))
}

/// The sum of all bytes.
#[inline(always)]
pub(crate) fn vaddlvq_u8(a: v128) -> u16 {
    let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(a));
    let sums = u32x4_add(sums, i64x2_shuffle::<1, 0>(sums, sums));
    (u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)) as u16
}

/// Whether a bit of the vector is set.
#[inline(always)]
pub(crate) fn any_bit(a: v128) -> bool {
    v128_any_true(a)
}

/// Whether no code unit is 0.
#[inline(always)]
pub(crate) fn no_zero_units(a: v128) -> bool {
    u16x8_all_true(a)
}

/// Lanes of bytes from lanes of code units, which are all ones or all zeros.
#[inline(always)]
pub(crate) fn narrow_lanes([first, second]: [v128; 2]) -> v128 {
    i8x16_narrow_i16x8(first, second)
}

/// The highest bit of each byte, from the lowest byte on.
#[inline(always)]
pub(crate) fn byte_bits(a: v128) -> u16 {
    u8x16_bitmask(a)
}

/// The highest bit of each code unit, from the lowest lane on.
#[inline(always)]
pub(crate) fn unit_bits(a: v128) -> u8 {
    u16x8_bitmask(a)
}
