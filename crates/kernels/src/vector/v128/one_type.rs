//! Where WebAssembly and x86-64 agree: all of NEON's vectors of 16 bytes have one type there, and so have its vectors
//! of 8 bytes, which are the first half of such a vector. So many of NEON's instructions are the same function, or no
//! instruction at all, and some follow from others in the same way.
#![allow(non_camel_case_types, reason = "the names are Arm's")]

use super::instructions::*;

pub(crate) type uint8x16_t = Vector;
pub(crate) type uint16x8_t = Vector;
pub(crate) type int16x8_t = Vector;
pub(crate) type uint8x8_t = Vector;

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

// Instructions that work on bits, whatever lanes these belong to.
pub(crate) use super::instructions::{
    vandq_u8 as vandq_u16, vbicq_u8 as vbicq_u16, vbslq_u8 as vbslq_u16, vdupq_n_u8 as vdup_n_u8,
    veorq_u8 as veorq_u16, vorrq_u8 as vorrq_u16,
};

// Instructions that only change the type.
pub(crate) use self::{
    vget_low_u8 as vget_low_s8, vget_low_u8 as vreinterpret_u64_u8, vget_low_u8 as vreinterpret_u64_u16,
    vget_low_u8 as vreinterpretq_s8_u8, vget_low_u8 as vreinterpretq_s16_u16, vget_low_u8 as vreinterpretq_u8_u16,
    vget_low_u8 as vreinterpretq_u16_s16, vget_low_u8 as vreinterpretq_u16_u8, vget_low_u8 as vreinterpretq_u32_u16,
};

instructions! {
    vget_low_u8(a) = a;
    vceqzq_u8(a) = vceqq_u8(a, vdupq_n_u8(0));
    vmlsq_u16(sum, a, b) = vsubq_u16(sum, vmulq_u16(a, b));
    vshrn_n_u16<N>(a) = vmovn_u16(vshrq_n_u16::<N>(a));
    vqmovn_high_u16(low, a) = vcombine_u8(low, vqmovn_u16(a));

    /// The bytes of two vectors in a row at these places, which are less than 32.
    vqtbl2q_u8(table: uint8x16x2_t, places) = {
        vorrq_u8(vqtbl1q_u8(table.0, places), shuffle(table.1, vsubq_u8(places, vdupq_n_u8(16))))
    };

    /// The bytes of four vectors in a row at these places; 0 for a place of 64 or more.
    vqtbl4q_u8(table: uint8x16x4_t, places) = {
        let part = |table, start| vqtbl1q_u8(table, vsubq_u8(places, vdupq_n_u8(start)));
        let [low, high] =
            [vorrq_u8(part(table.0, 0), part(table.1, 16)), vorrq_u8(part(table.2, 32), part(table.3, 48))];
        vorrq_u8(low, high)
    };

    /// As [`vqtbl4q_u8`], but the bytes of `others` for places of 64 or more. All callers have zeros in `others` for
    /// other places.
    vqtbx4q_u8(others, table: uint8x16x4_t, places) = vorrq_u8(others, vqtbl4q_u8(table, places));
}
