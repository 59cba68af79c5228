//! Leaving lanes out.

use super::memory::load;
use crate::kept::KEPT;
use core::arch::aarch64::*;

/// The units of the lanes in `kept`, moved together; others behind them.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn compress_units(units: uint16x8_t, kept: u8) -> uint16x8_t {
    let lanes = numbers(kept);
    // The two bytes of lane 3 are 6 and 7.
    let first = vcombine_u8(vadd_u8(lanes, lanes), vdup_n_u8(0));
    let both = vorrq_u16(vreinterpretq_u16_u8(vzip1q_u8(first, first)), vdupq_n_u16(0x0100));
    vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(units), vreinterpretq_u8_u16(both)))
}

/// The bytes of the lanes in `kept`, moved together; others behind them.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn compress_bytes(bytes: uint8x8_t, kept: u8) -> uint8x8_t {
    vtbl1_u8(bytes, numbers(kept))
}

#[inline]
#[target_feature(enable = "neon")]
fn numbers(kept: u8) -> uint8x8_t {
    vcreate_u8(KEPT[usize::from(kept & 0x7F)])
}

/// A bit per byte of two vectors whose bytes are all ones or all zeros, eight bytes a byte; and how many bits are set in
/// each of these bytes and those before it.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn bits_and_ends([first, second]: [uint8x16_t; 2]) -> (u32, u32) {
    let own = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let twos = vpaddq_u8(vandq_u8(first, own), vandq_u8(second, own));
    let fours = vpaddq_u8(twos, twos);
    let eights = vget_low_u8(vpaddq_u8(fours, fours));
    let first_four = |bytes| vget_lane_u32::<0>(vreinterpret_u32_u8(bytes));
    // Four counts of 8 at most, so that the sums are bytes, too.
    (first_four(eights), first_four(vcnt_u8(eights)).wrapping_mul(0x0101_0101))
}
