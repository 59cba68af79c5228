//! Moving lanes of a vector together.

#[cfg(target_arch = "aarch64")]
use super::memory::hidden;
use super::{instructions::*, memory::load};
use crate::{base::blocks::Each, vector::kept::KEPT};

/// The bytes at these places, which must be less than 16. Where places can be greater, x86-64 needs one more
/// instruction, which its [`vqtbl1q_u8`] has.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn bytes_at(bytes: uint8x16_t, places: uint8x16_t) -> uint8x16_t {
    #[cfg(not(target_arch = "aarch64"))]
    return shuffle(bytes, places);
    #[cfg(target_arch = "aarch64")]
    vqtbl1q_u8(bytes, places)
}

/// Moves the code units whose bits are set in `kept` to the front of the vector. The lanes after them have unspecified
/// values.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn compress_units(units: uint16x8_t, kept: u8) -> uint16x8_t {
    let shuffle = load(&KEPT_UNITS[usize::from(kept & 0x7F)]);
    vreinterpretq_u16_u8(bytes_at(vreinterpretq_u8_u16(units), shuffle))
}

/// The shuffles of [`KEPT`], which number lanes, for the two bytes of each lane. For example, code unit 3 has the bytes
/// 6 and 7. A table of 2 KB saves four of ten instructions.
static KEPT_UNITS: [[u8; 16]; 128] = {
    let mut table = [[0; 16]; 128];
    let mut at = 0;
    while at < 16 * 128 {
        let lane = KEPT[at / 16].to_le_bytes()[at % 16 / 2];
        table[at / 16][at % 16] = 2 * lane + at as u8 % 2;
        at += 1;
    }
    table
};

/// Moves the bytes whose bits are set in `kept` to the front of the vector. The bytes after them have unspecified
/// values.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn compress_bytes(bytes: uint8x8_t, kept: u8) -> uint8x8_t {
    let shuffle = vcreate_u8(KEPT[usize::from(kept & 0x7F)]);
    #[cfg(target_arch = "aarch64")]
    return vtbl1_u8(bytes, shuffle);
    #[cfg(not(target_arch = "aarch64"))]
    bytes_at(bytes, shuffle)
}

/// One bit for each byte of two vectors whose bytes are all ones or all zeros, from the lowest on; and, in four bytes
/// of the second result, how many bits are set up to and including each eight.
///
/// Each byte keeps the one bit of its place. Adding neighbours three times makes a byte of every eight.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) fn bits_and_ends([first, second]: [uint8x16_t; 2]) -> (u32, u32) {
    // If the compiler knew the bits, it would see that no two bytes share one, and would replace each sum of neighbours
    // by three instructions: two shuffles and a disjunction.
    let own = hidden(load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]));
    let twos = vpaddq_u8(vandq_u8(first, own), vandq_u8(second, own));
    // The second half of these sums is not used. With twice the same vector, the compiler would replace the last sum by
    // three instructions.
    let fours = vpaddq_u8(twos, own);
    let eights = vget_low_u8(vpaddq_u8(fours, own));
    let first_four = |bytes| vget_lane_u32::<0>(vreinterpret_u32_u8(bytes));
    // The multiplication adds up the four counts from the lowest on. Each count is at most 8, so that no sum exceeds a
    // byte.
    (first_four(eights), first_four(vcnt_u8(eights)).wrapping_mul(0x0101_0101))
}

/// One bit for each byte of two vectors, and how many are set up to and including each eight. WebAssembly and x86-64
/// have an instruction for the bits.
#[cfg(not(target_arch = "aarch64"))]
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn bits_and_ends([first, second]: [uint8x16_t; 2]) -> (u32, u32) {
    let bits = u32::from(byte_bits(first)) | u32::from(byte_bits(second)) << 16;
    (bits, ends(bits))
}

/// One bit for each byte of four vectors whose bytes are all ones or all zeros, from the lowest on.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) fn bits_of_64(vectors: [uint8x16_t; 4]) -> u64 {
    // See `bits_and_ends`.
    let own = hidden(load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]));
    let [a, b, c, d] = vectors.each(|bytes| vandq_u8(bytes, own));
    let fours = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    // Only half of the last sum is used. If the compiler saw that, it would compute this half with three instructions.
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(hidden(vpaddq_u8(fours, own))))
}

/// One bit for each byte of four vectors whose bytes are all ones or all zeros, from the lowest on.
#[cfg(not(target_arch = "aarch64"))]
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn bits_of_64(vectors: [uint8x16_t; 4]) -> u64 {
    let [a, b, c, d] = vectors.each(|bytes| u64::from(byte_bits(bytes)));
    a | b << 16 | c << 32 | d << 48
}

/// One bit for each lane of a vector whose lanes are all ones or all zeros, from the lowest on, and how many are set.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn bits_and_count(lanes: uint16x8_t) -> (u8, usize) {
    #[cfg(target_arch = "aarch64")]
    {
        // The lower byte of the sum has the bits, and the upper byte counts them.
        let own = super::memory::load_eight_units(&[0x101, 0x102, 0x104, 0x108, 0x110, 0x120, 0x140, 0x180]);
        let sum = vaddvq_u16(vandq_u16(lanes, own));
        (sum as u8, usize::from(sum >> 8 & 0xF))
    }
    #[cfg(not(target_arch = "aarch64"))]
    {
        let bits = unit_bits(lanes);
        (bits, bits.count_ones() as usize)
    }
}

/// How many bits are set up to and including each eight, in four bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn ends(bits: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return {
        let [a, b, c, d] = [0xFF, 0xFFFF, 0xFF_FFFF, !0].map(|mask: u32| (bits & mask).count_ones());
        a | b << 8 | c << 16 | d << 24
    };
    #[cfg(not(target_arch = "x86_64"))]
    vget_lane_u32::<0>(vreinterpret_u32_u8(vcnt_u8(vcreate_u8(bits.into())))).wrapping_mul(0x0101_0101)
}
