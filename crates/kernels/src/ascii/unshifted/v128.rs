//! Runs of ASCII without shifts, in blocks of 64 units.

use crate::ascii::v128::{copied, narrow_sixteen, run_of_64s, widen_sixteen};
use crate::{base::*, vector::v128::*};

/// Copies ASCII without shifts, in whole blocks, and returns the number of bytes.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn copy_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    run_of_64s(source, destination, |from, to| marked(copied(from, to)), 0x80)
}

/// Copies ASCII without shifts to code units, in whole blocks, and returns their number.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn widen_blocks(source: &[u8], destination: &mut [u16]) -> usize {
    run_of_64s(source, destination, |from, to| marked(widen_sixteen(from, to)), 0x80)
}

/// Copies code units that are ASCII without shifts to bytes, in whole blocks, and returns their number.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn narrow_blocks(source: &[u16], destination: &mut [u8]) -> usize {
    run_of_64s(source, destination, |from, to| marked(narrow_sixteen(from, to)), 0x80)
}

/// The body of [`crate::ascii::unshifted::masks`]: four vectors of 16 bytes, of which [`mask`] makes one bit for each
/// byte. [`marked`] sets the bits of both kinds, so those of bytes beyond ASCII are taken away again.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn masks(block: &[u8; 64]) -> (u64, u64) {
    let ([a, b, c, d], _) = block.as_chunks() else { unreachable!("64 is four times 16") };
    let bytes = [load(a), load(b), load(c), load(d)];
    let beyond_ascii = mask(bytes);
    (beyond_ascii, mask(bytes.each(|bytes| marked(bytes))) & !beyond_ascii)
}

/// One bit for each byte of four vectors: whether it is at least 0x80.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn mask(bytes: [uint8x16_t; 4]) -> u64 {
    let [a, b, c, d] = bytes.each(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0x80)));
    u64::from(bits_and_ends([a, b]).0) | u64::from(bits_and_ends([c, d]).0) << 32
}

/// A vector in which the highest bit is set in the bytes that are not ASCII and in the shifts. The lookup finds 0 for
/// the bytes that are not from 0x0C to 0x1B.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn marked(bytes: uint8x16_t) -> uint8x16_t {
    const FROM_0C: [u8; 16] = [0, 0, 0x80, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80];
    vorrq_u8(bytes, vqtbl1q_u8(load(&FROM_0C), vsubq_u8(bytes, vdupq_n_u8(0x0C))))
}
