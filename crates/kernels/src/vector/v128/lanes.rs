//! Halves of lanes, and sets of bytes.

use super::{compress::bytes_at, instructions::*, memory::load};

/// The lower bytes of 16 code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn lower_bytes([first, second]: [uint16x8_t; 2]) -> uint8x16_t {
    vuzp1q_u8(vreinterpretq_u8_u16(first), vreinterpretq_u8_u16(second))
}

/// The upper bytes of 16 code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn upper_bytes([first, second]: [uint16x8_t; 2]) -> uint8x16_t {
    vuzp2q_u8(vreinterpretq_u8_u16(first), vreinterpretq_u8_u16(second))
}

/// Which bytes are in a set of bytes from 0x80 on. A byte of `range` holds one bit for each of eight bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn within(range: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let bits = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let own = bytes_at(bits, vandq_u8(bytes, vdupq_n_u8(0xF)));
    vtstq_u8(vqtbl1q_u8(range, eighths(bytes)), own)
}

/// The number of the group of eight bytes, counted from 0x80, that a byte belongs to: 0 to 15. For ASCII the number is
/// 16 or more, for which a shuffle gives 0.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn eighths(bytes: uint8x16_t) -> uint8x16_t {
    veorq_u8(vshrq_n_u8::<3>(bytes), vdupq_n_u8(0x10))
}
