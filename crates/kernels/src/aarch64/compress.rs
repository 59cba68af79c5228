//! Moving lanes of a vector together.

use super::instructions::*;
use crate::kept::KEPT;

/// Moves the code units whose bits are set in `kept` to the front of the vector. The lanes after them have unspecified
/// values.
///
/// The shuffle of [`KEPT`] numbers code units, but NEON shuffles bytes. So each number `n` becomes the pair `2n`, `2n +
/// 1`:
///
/// ```text
/// numbers        0  3  …
/// doubled        0  6  …
/// each twice     0  0  6  6  …
/// | 0x0100       0  1  6  7  …
/// ```
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn compress_units(units: uint16x8_t, kept: u8) -> uint16x8_t {
    let lanes = numbers(kept);
    // For example, code unit 3 has the bytes 6 and 7.
    let first = vcombine_u8(vadd_u8(lanes, lanes), vdup_n_u8(0));
    let both = vorrq_u16(vreinterpretq_u16_u8(vzip1q_u8(first, first)), vdupq_n_u16(0x0100));
    vreinterpretq_u16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(units), vreinterpretq_u8_u16(both)))
}

/// Moves the bytes whose bits are set in `kept` to the front of the vector. The bytes after them have unspecified
/// values.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn compress_bytes(bytes: uint8x8_t, kept: u8) -> uint8x8_t {
    vtbl1_u8(bytes, numbers(kept))
}

/// The shuffle that moves the lanes of `kept` together.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn numbers(kept: u8) -> uint8x8_t {
    vcreate_u8(KEPT[usize::from(kept & 0x7F)])
}

/// One bit for each byte of two vectors whose bytes are all ones or all zeros, from the lowest on; and, in four bytes
/// of the second result, how many bits are set up to and including each eight.
///
/// Each byte keeps the one bit of its place. Adding neighbours three times makes a byte of every eight.
#[cfg(target_arch = "aarch64")]
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn bits_and_ends([first, second]: [uint8x16_t; 2]) -> (u32, u32) {
    let own = super::memory::load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let twos = vpaddq_u8(vandq_u8(first, own), vandq_u8(second, own));
    let fours = vpaddq_u8(twos, twos);
    let eights = vget_low_u8(vpaddq_u8(fours, fours));
    let first_four = |bytes| vget_lane_u32::<0>(vreinterpret_u32_u8(bytes));
    // The multiplication adds up the four counts from the lowest on. Each count is at most 8, so that no sum exceeds a
    // byte.
    (first_four(eights), first_four(vcnt_u8(eights)).wrapping_mul(0x0101_0101))
}

/// One bit for each byte of two vectors, and how many are set up to and including each eight. WebAssembly has an instruction for the bits.
#[cfg(target_arch = "wasm32")]
#[inline]
pub(super) fn bits_and_ends([first, second]: [uint8x16_t; 2]) -> (u32, u32) {
    use core::arch::wasm32::{u8x16_bitmask, u8x16_popcnt, u32x4_extract_lane, u32x4_splat};
    let bits = u32::from(u8x16_bitmask(first)) | u32::from(u8x16_bitmask(second)) << 16;
    let counts = u32x4_extract_lane::<0>(u8x16_popcnt(u32x4_splat(bits)));
    (bits, counts.wrapping_mul(0x0101_0101))
}
