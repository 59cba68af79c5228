//! Loads and stores of vectors, with NEON. With `neon.rs`, `accesses.rs` and the loads of blocks in
//! `to_double_byte`, this file has all `unsafe` code of the level.
//!
//! Each function takes a reference to an array that is exactly as long as the vectors. So the type of the argument
//! proves that the access stays in bounds, and no function has a precondition. NEON loads and stores need no alignment
//! beyond that of the item.

use core::arch::aarch64::{
    vld1_u8, vld1q_u8, vld1q_u8_x4, vld1q_u16, vld2q_u8, vld3q_u8, vld4q_u8, vst1_u8, vst1q_u8, vst1q_u16, vst2q_u8,
    vst3q_u8,
};
use core::arch::asm;

use super::instructions::*;
use crate::base::blocks::Each;
use crate::vector::accesses::{loads, stores};

loads! {
    [inline(always)]

    /// Loads 16 bytes.
    load: [u8; 16] => uint8x16_t = vld1q_u8;

    /// Loads eight bytes, which are half a vector.
    load_eight: [u8; 8] => uint8x8_t = vld1_u8;

    /// Loads eight code units.
    load_eight_units: [u16; 8] => uint16x8_t = vld1q_u16;
}

stores! {
    [inline(always)]

    /// Stores 16 bytes.
    store: uint8x16_t => [u8; 16] = vst1q_u8;

    /// Stores eight bytes, which are half a vector.
    store_eight: uint8x8_t => [u8; 8] = vst1_u8;

    /// Stores eight code units.
    store_eight_units: uint16x8_t => [u16; 8] = vst1q_u16;
}

/// Loads 64 bytes into four vectors, in order.
#[inline(always)]
pub(crate) fn load_four(from: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: the load reads four times 16 bytes, which is the length of the array.
    unsafe { vld1q_u8_x4(from.as_ptr()) }
}

/// The same vector, about whose values the compiler knows nothing. It can still keep the vector in a register over a
/// loop.
#[inline(always)]
pub(crate) fn hidden(mut vector: uint8x16_t) -> uint8x16_t {
    // SAFETY: there is no instruction; the compiler only has to assume that one changes the register.
    unsafe { asm!("/* {0:v} */", inout(vreg) vector, options(pure, nomem, nostack, preserves_flags)) };
    vector
}

/// As [`hidden`], for a number.
#[inline(always)]
pub(crate) fn hidden_number(mut number: u32) -> u32 {
    // SAFETY: there is no instruction; the compiler only has to assume that one changes the register.
    unsafe { asm!("/* {0:w} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags)) };
    number
}

/// Loads 16 groups of three bytes: the first byte of each group into the first vector, the second into the second, the
/// third into the third.
#[inline(always)]
pub(crate) fn load_threes(from: &[u8; 48]) -> [uint8x16_t; 3] {
    // SAFETY: the load reads three times 16 bytes, which is the length of the array.
    let uint8x16x3_t(first, second, third) = unsafe { vld3q_u8(from.as_ptr()) };
    [first, second, third]
}

/// Loads the lower three bytes of 16 numbers: the lowest bytes into the first vector, the next into the second, and the
/// third into the third.
#[inline(always)]
pub(crate) fn load_lower_three(from: &[u32; 16]) -> [uint8x16_t; 3] {
    // SAFETY: the load reads four times 16 bytes, which is the length of the array. On this little-endian target the
    // lowest byte of a number comes first.
    let uint8x16x4_t(first, second, third, _) = unsafe { vld4q_u8(from.as_ptr().cast()) };
    [first, second, third]
}

/// Stores 16 groups of three bytes, whose first, second and third bytes are in one vector each.
#[inline(always)]
pub(crate) fn store_threes([first, second, third]: [uint8x16_t; 3], to: &mut [u8; 48]) {
    // SAFETY: the store writes three times 16 bytes, which is the length of the array.
    unsafe { vst3q_u8(to.as_mut_ptr(), uint8x16x3_t(first, second, third)) }
}

/// Loads the lower bytes of 16 code units into the first vector, and the upper bytes into the second.
#[inline(always)]
pub(crate) fn load_twos(from: &[u16; 16]) -> [uint8x16_t; 2] {
    // SAFETY: the load reads twice 16 bytes, which is the length of the array. On this little-endian target the lower
    // byte of a code unit comes first.
    let uint8x16x2_t(lower, upper) = unsafe { vld2q_u8(from.as_ptr().cast()) };
    [lower, upper]
}

/// Stores 16 code units, whose lower and upper bytes are in one vector each.
#[inline(always)]
pub(crate) fn store_twos([lower, upper]: [uint8x16_t; 2], to: &mut [u16; 16]) {
    // SAFETY: the store writes twice 16 bytes, which is the length of the array. On this little-endian target the lower
    // byte of a code unit comes first.
    unsafe { vst2q_u8(to.as_mut_ptr().cast(), uint8x16x2_t(lower, upper)) }
}

/// The items of a list at these places; the last item for a place after it.
///
/// # Panics
/// If the list is empty.
#[inline(always)]
pub(crate) fn items_at(list: &[u16], places: uint16x8_t) -> uint16x8_t {
    let last = list.len().checked_sub(1).expect("the list has an item").min(0xFFFF) as u16;
    let mut lanes = [0; 8];
    store_eight_units(vminq_u16(places, vdupq_n_u16(last)), &mut lanes);
    // SAFETY: each lane is at most `last`, by the minimum above, and that is the place of an item.
    let [a, b, c, d, e, f, g, h] = lanes.each(|lane| unsafe { *list.get_unchecked(usize::from(lane)) });
    // Each lane waits for the one before it, so half of them go to a vector of their own. If the compiler saw this, it
    // would make one vector of the two again.
    let [lower, upper] = [[a, b, c, d], [e, f, g, h]].each(|[a, b, c, d]| {
        let two = vsetq_lane_u16::<1>(b, vsetq_lane_u16::<0>(a, vdupq_n_u16(0)));
        vreinterpretq_u8_u16(vsetq_lane_u16::<3>(d, vsetq_lane_u16::<2>(c, two)))
    });
    vreinterpretq_u16_u64(vzip1q_u64(vreinterpretq_u64_u8(lower), vreinterpretq_u64_u8(hidden(upper))))
}
