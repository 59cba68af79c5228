//! Loads and stores of several vectors.

use super::{instructions::*, memory::*};

/// Loads 64 bytes into four vectors, in order.
#[cfg(not(target_arch = "aarch64"))]
#[cfg_attr(target_arch = "wasm32", inline(always))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn load_four(from: &[u8; 64]) -> uint8x16x4_t {
    let ([a, b, c, d], _) = from.as_chunks() else { unreachable!("64 is four times 16") };
    uint8x16x4_t(load(a), load(b), load(c), load(d))
}

/// Loads 16 code units into two vectors, in order.
#[cfg_attr(not(target_arch = "x86_64"), inline(always))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn load_units(from: &[u16; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = from.as_chunks() else { unreachable!("16 is twice 8") };
    [load_eight_units(first), load_eight_units(second)]
}

/// Stores 16 code units from two vectors, in order.
#[cfg_attr(not(target_arch = "x86_64"), inline(always))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn store_units([first, second]: [uint16x8_t; 2], to: &mut [u16; 16]) {
    let ([to_first, to_second], _) = to.as_chunks_mut() else { unreachable!("16 is twice 8") };
    store_eight_units(first, to_first);
    store_eight_units(second, to_second);
}

/// Loads 16 pairs of bytes into two vectors. Each pair becomes a lane with the pair's first byte as its lower half.
#[cfg_attr(not(target_arch = "x86_64"), inline(always))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn load_pairs(from: &[[u8; 2]; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = from.as_flattened().as_chunks() else { unreachable!("32 is twice 16") };
    [vreinterpretq_u16_u8(load(first)), vreinterpretq_u16_u8(load(second))]
}

/// Stores 16 code units, whose lower and upper bytes are in one vector each.
#[cfg(not(target_arch = "aarch64"))]
#[cfg_attr(target_arch = "wasm32", inline(always))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn store_twos([lower, upper]: [uint8x16_t; 2], to: &mut [u16; 16]) {
    store_units([vzip1q_u8(lower, upper), vzip2q_u8(lower, upper)], to);
}
