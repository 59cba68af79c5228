//! Loads of several blocks of [`Listed`](crate::to_double_byte::Listed), with NEON.

use core::arch::aarch64::vld1_u32;

use crate::{base::*, to_double_byte::tables::listed::Block, vector::v128::*};

/// The blocks at these places: the bits that say what they list, and the numbers that they begin with. A place of the
/// last block or after it stands for the block before the last.
///
/// # Panics
/// If there are fewer than two blocks.
#[inline(always)]
pub(crate) fn blocks_at(blocks: &[Block], places: uint16x8_t) -> ([uint32x4_t; 2], uint16x8_t) {
    const BLOCK_BYTES: u16 = size_of::<Block>() as u16;
    let last_but_one =
        blocks.len().checked_sub(2).expect("there are two blocks").min((0xFFFF / BLOCK_BYTES).into()) as u16;
    let mut offsets = [0; 8];
    store_eight_units(vmulq_n_u16(vminq_u16(places, vdupq_n_u16(last_but_one)), BLOCK_BYTES), &mut offsets);
    let [a, b, c, d, e, f, g, h] = offsets.each(|offset| {
        // SAFETY: the place of the block is at most that of the last block but one, by the minimum above. So the eight
        // bytes from its start on are in this block, which has six bytes, and in the next one.
        unsafe { vld1_u32(blocks.as_ptr().byte_add(offset.into()).cast()) }
    });
    let [ab, cd, ef, gh] = [[a, b], [c, d], [e, f], [g, h]].each(|[first, second]| vcombine_u32(first, second));
    let first = [vuzp2q_u32(ab, cd), vuzp2q_u32(ef, gh)].each(|first| vreinterpretq_u16_u32(first));
    ([vuzp1q_u32(ab, cd), vuzp1q_u32(ef, gh)], vuzp1q_u16(first[0], first[1]))
}
