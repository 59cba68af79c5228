//! The instructions of NEON that this level uses, as safe functions.
//!
//! The functions of the standard library are safe to call only in functions with the feature `neon`. The build script
//! selects this level only where the target has NEON, so the functions here are safe to call everywhere, and the bodies
//! of this level need no attribute for NEON.

pub(crate) use core::arch::aarch64::{
    int8x8_t, int8x16_t, int16x4_t, int16x8_t, int32x4_t, uint8x8_t, uint8x16_t, uint8x16x2_t, uint8x16x3_t,
    uint8x16x4_t, uint16x4_t, uint16x8_t, uint32x2_t, uint32x4_t, uint64x1_t, uint64x2_t,
};

/// Declares functions, those with the same arguments and the same result together. The functions of `N` have a
/// constant.
macro_rules! instructions {
    (N: $($arguments:tt -> $result:ty: $($name:ident)+;)+) => {
        $($(instruction! { $name (<const N: i32>) (::<N>) $arguments -> $result })+)+
    };
    ($($arguments:tt -> $result:ty: $($name:ident)+;)+) => {
        $($(instruction! { $name () () $arguments -> $result })+)+
    };
}

/// Declares one function of the list.
macro_rules! instruction {
    ($name:ident ($($declared:tt)*) ($($number:tt)*) ($($argument:ident: $type:ty),+) -> $result:ty) => {
        #[inline(always)]
        pub(crate) fn $name$($declared)*($($argument: $type),+) -> $result {
            // SAFETY: the instruction needs NEON, which the target has by the check of the build script. It accesses no
            // memory.
            unsafe { core::arch::aarch64::$name$($number)*($($argument),+) }
        }
    };
}

instructions! {
    (a: uint8x16_t, b: uint8x16_t) -> uint8x16_t:
        vaddq_u8 vandq_u8 vbicq_u8 vceqq_u8 vcgeq_u8 vcgtq_u8 vcleq_u8 vcltq_u8 veorq_u8 vmaxq_u8 vminq_u8 vorrq_u8
        vpaddq_u8 vqtbl1q_u8 vsubq_u8 vtstq_u8 vuzp1q_u8 vuzp2q_u8 vzip1q_u8 vzip2q_u8;
    (a: uint16x8_t, b: uint16x8_t) -> uint16x8_t:
        vaddq_u16 vandq_u16 vbicq_u16 vceqq_u16 vcgeq_u16 vcgtq_u16 vcltq_u16 veorq_u16 vmaxq_u16 vminq_u16 vmulq_u16
        vornq_u16 vorrq_u16 vpaddq_u16 vsubq_u16 vuzp1q_u16 vzip1q_u16 vzip2q_u16 vuzp2q_u16;
    (a: int8x16_t, b: int8x16_t) -> uint8x16_t: vcgtq_s8 vcltq_s8;
    (a: int8x16_t, b: int8x16_t) -> int8x16_t: vmaxq_s8;
    (a: int16x8_t, b: int16x8_t) -> int16x8_t: vminq_s16 vuzp2q_s16;
    (a: uint32x4_t, b: uint32x4_t) -> uint32x4_t: vuzp1q_u32 vuzp2q_u32;
    (a: uint64x2_t, b: uint64x2_t) -> uint64x2_t: vzip1q_u64;
    (mask: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t: vbslq_u8;
    (mask: uint16x8_t, a: uint16x8_t, b: uint16x8_t) -> uint16x8_t: vbslq_u16;
    (sum: uint16x8_t, a: uint16x8_t, b: uint16x8_t) -> uint16x8_t: vmlsq_u16;
    (sum: uint16x8_t, a: uint8x8_t, b: uint8x8_t) -> uint16x8_t: vmlal_u8;
    (a: uint16x4_t, b: uint16x4_t) -> uint32x4_t: vmull_u16;
    (a: uint16x8_t, b: uint16x8_t) -> uint32x4_t: vmull_high_u16;
    (a: uint16x8_t, number: u16) -> uint16x8_t: vmulq_n_u16;
    (a: uint8x16_t) -> uint8x16_t: vceqzq_u8 vcntq_u8 vmvnq_u8 vrev16q_u8;
    (a: int16x8_t) -> uint16x8_t: vcltzq_s16 vreinterpretq_u16_s16;
    (a: uint8x8_t) -> uint8x8_t: vcnt_u8;
    (a: uint8x8_t, places: uint8x8_t) -> uint8x8_t: vtbl1_u8;
    (a: uint8x16x2_t, places: uint8x16_t) -> uint8x16_t: vqtbl2q_u8;
    (a: uint8x16x4_t, places: uint8x16_t) -> uint8x16_t: vqtbl4q_u8;
    (others: uint8x16_t, a: uint8x16x4_t, places: uint8x16_t) -> uint8x16_t: vqtbx4q_u8;
    (a: uint16x8_t, bits: int16x8_t) -> uint16x8_t: vshlq_u16;
    (a: uint32x4_t, bits: int32x4_t) -> uint32x4_t: vshlq_u32;
    (a: uint16x8_t) -> uint8x8_t: vmovn_u16 vqmovn_u16;
    (a: uint32x4_t) -> uint16x4_t: vmovn_u32;
    (low: uint8x8_t, a: uint16x8_t) -> uint8x16_t: vqmovn_high_u16;
    (a: uint8x8_t) -> uint16x8_t: vmovl_u8;
    (a: uint8x16_t) -> uint16x8_t: vmovl_high_u8 vpaddlq_u8 vreinterpretq_u16_u8;
    (a: int8x8_t) -> int16x8_t: vmovl_s8;
    (a: int8x16_t) -> int16x8_t: vmovl_high_s8;
    (a: int16x4_t) -> int32x4_t: vmovl_s16;
    (a: int16x8_t) -> int32x4_t: vmovl_high_s16;
    (a: uint8x16_t) -> uint8x8_t: vget_high_u8 vget_low_u8;
    (a: int8x16_t) -> int8x8_t: vget_low_s8;
    (a: uint16x8_t) -> uint16x4_t: vget_low_u16;
    (a: int16x8_t) -> int16x4_t: vget_low_s16;
    (low: uint8x8_t, high: uint8x8_t) -> uint8x16_t: vcombine_u8;
    (low: uint32x2_t, high: uint32x2_t) -> uint32x4_t: vcombine_u32;
    (a: uint16x8_t) -> uint8x16_t: vreinterpretq_u8_u16;
    (a: uint16x8_t) -> int16x8_t: vreinterpretq_s16_u16;
    (a: uint16x8_t) -> uint32x4_t: vreinterpretq_u32_u16;
    (a: uint8x16_t) -> int8x16_t: vreinterpretq_s8_u8;
    (a: uint8x16_t) -> int16x8_t: vreinterpretq_s16_u8;
    (a: uint8x16_t) -> uint64x2_t: vreinterpretq_u64_u8;
    (a: uint32x4_t) -> uint8x16_t: vreinterpretq_u8_u32;
    (a: uint32x4_t) -> uint16x8_t: vreinterpretq_u16_u32;
    (a: uint64x2_t) -> uint16x8_t: vreinterpretq_u16_u64;
    (a: uint8x8_t) -> uint32x2_t: vreinterpret_u32_u8;
    (a: uint8x8_t) -> uint64x1_t: vreinterpret_u64_u8;
    (a: uint16x4_t) -> uint64x1_t: vreinterpret_u64_u16;
    (value: u8) -> uint8x16_t: vdupq_n_u8;
    (value: u8) -> uint8x8_t: vdup_n_u8;
    (value: i8) -> int8x16_t: vdupq_n_s8;
    (value: u16) -> uint16x8_t: vdupq_n_u16;
    (value: i16) -> int16x8_t: vdupq_n_s16;
    (value: u64) -> uint8x8_t: vcreate_u8;
    (a: uint8x16_t) -> u8: vmaxvq_u8 vminvq_u8;
    (a: uint8x16_t) -> u16: vaddlvq_u8;
    (a: uint16x8_t) -> u16: vaddvq_u16 vmaxvq_u16 vminvq_u16;
}

instructions! {
    N:
    (a: uint8x16_t) -> uint8x16_t: vshlq_n_u8 vshrq_n_u8;
    (a: uint16x8_t) -> uint16x8_t: vshlq_n_u16 vshrq_n_u16;
    (a: uint8x16_t, b: uint8x16_t) -> uint8x16_t: vextq_u8 vsliq_n_u8 vsriq_n_u8;
    (a: uint16x8_t, b: uint16x8_t) -> uint16x8_t: vsliq_n_u16 vsriq_n_u16;
    (a: uint32x4_t, b: uint32x4_t) -> uint32x4_t: vsraq_n_u32;
    (a: uint16x8_t) -> uint8x8_t: vshrn_n_u16;
    (value: u16, a: uint16x8_t) -> uint16x8_t: vsetq_lane_u16;
    (a: uint32x2_t) -> u32: vget_lane_u32;
    (a: uint64x1_t) -> u64: vget_lane_u64;
    (a: uint64x2_t) -> u64: vgetq_lane_u64;
    (a: uint8x16_t) -> u8: vgetq_lane_u8;
}
