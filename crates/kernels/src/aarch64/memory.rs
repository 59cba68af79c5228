//! Loads and stores of arrays: all `unsafe` there is.

use core::arch::aarch64::*;

#[inline(always)]
pub(super) fn load(from: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the array is as long as the vector.
    unsafe { vld1q_u8(from.as_ptr()) }
}

#[inline(always)]
pub(super) fn store(vector: uint8x16_t, to: &mut [u8; 16]) {
    // SAFETY: the array is as long as the vector.
    unsafe { vst1q_u8(to.as_mut_ptr(), vector) }
}

#[inline(always)]
pub(super) fn load_four(from: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: the array is as long as the four vectors.
    unsafe { vld1q_u8_x4(from.as_ptr()) }
}

/// 16 code units, in two vectors.
#[inline(always)]
pub(super) fn load_units(from: &[u16; 16]) -> [uint16x8_t; 2] {
    let from = from.as_ptr();
    // SAFETY: the array is as long as two vectors of 8.
    unsafe { [vld1q_u16(from), vld1q_u16(from.add(8))] }
}

#[inline(always)]
pub(super) fn store_units([first, second]: [uint16x8_t; 2], to: &mut [u16; 16]) {
    let to = to.as_mut_ptr();
    // SAFETY: the array is as long as two vectors of 8.
    unsafe {
        vst1q_u16(to, first);
        vst1q_u16(to.add(8), second);
    }
}

/// 16 pairs of bytes, as code units, in two vectors.
#[inline(always)]
pub(super) fn load_pairs(from: &[[u8; 2]; 16]) -> [uint16x8_t; 2] {
    let from = from.as_ptr();
    // SAFETY: the array is as long as two vectors of 8; bytes need no alignment, in the order of this machine.
    unsafe { [vreinterpretq_u16_u8(vld1q_u8(from.cast())), vreinterpretq_u16_u8(vld1q_u8(from.add(8).cast()))] }
}

/// Half a vector.
#[inline(always)]
pub(super) fn load_eight(from: &[u8; 8]) -> uint8x8_t {
    // SAFETY: the array is as long as half a vector.
    unsafe { vld1_u8(from.as_ptr()) }
}

#[inline(always)]
pub(super) fn store_eight(vector: uint8x8_t, to: &mut [u8; 8]) {
    // SAFETY: the array is as long as half a vector.
    unsafe { vst1_u8(to.as_mut_ptr(), vector) }
}

#[inline(always)]
pub(super) fn store_eight_units(vector: uint16x8_t, to: &mut [u16; 8]) {
    // SAFETY: the array is as long as the vector.
    unsafe { vst1q_u16(to.as_mut_ptr(), vector) }
}

/// 16 times three bytes: the first ones in the first vector, and so on.
#[inline(always)]
pub(super) fn load_threes(from: &[u8; 48]) -> [uint8x16_t; 3] {
    // SAFETY: the array is as long as the three vectors.
    let uint8x16x3_t(first, second, third) = unsafe { vld3q_u8(from.as_ptr()) };
    [first, second, third]
}

/// 16 times three bytes, from vectors of the first, second and third ones.
#[inline(always)]
pub(super) fn store_threes([first, second, third]: [uint8x16_t; 3], to: &mut [u8; 48]) {
    // SAFETY: the array is as long as the three vectors.
    unsafe { vst3q_u8(to.as_mut_ptr(), uint8x16x3_t(first, second, third)) }
}

/// 16 code units, from vectors of their lower and upper bytes.
#[inline(always)]
pub(super) fn store_twos([lower, upper]: [uint8x16_t; 2], to: &mut [u16; 16]) {
    // SAFETY: the array is as long as the two vectors; it needs no alignment, and this machine has the lower byte first.
    unsafe { vst2q_u8(to.as_mut_ptr().cast(), uint8x16x2_t(lower, upper)) }
}

#[inline(always)]
pub(super) fn load_eight_units(from: &[u16; 8]) -> uint16x8_t {
    // SAFETY: the array is as long as the vector.
    unsafe { vld1q_u16(from.as_ptr()) }
}
