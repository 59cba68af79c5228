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
