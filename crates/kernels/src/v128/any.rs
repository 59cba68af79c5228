//! Questions about all lanes of a vector, which NEON, WebAssembly and x86-64 answer with different instructions.

use super::instructions::*;

/// Whether a bit of the vector is set.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn any(bytes: uint8x16_t) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u8(bytes) != 0;
    #[cfg(not(target_arch = "aarch64"))]
    any_bit(bytes)
}

/// As [`any`], for code units.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn any_units(units: uint16x8_t) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u16(units) != 0;
    #[cfg(not(target_arch = "aarch64"))]
    any_bit(units)
}

/// Whether no code unit is 0.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn all_units(units: uint16x8_t) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vminvq_u16(units) != 0;
    #[cfg(not(target_arch = "aarch64"))]
    no_zero_units(units)
}

/// Whether all bytes are less than `end`.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn all_below(bytes: uint8x16_t, end: u8) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u8(bytes) < end;
    #[cfg(target_arch = "x86_64")]
    return byte_bits(if end == 0x80 { bytes } else { vcgeq_u8(bytes, vdupq_n_u8(end)) }) == 0;
    #[cfg(target_arch = "wasm32")]
    !any(vcgeq_u8(bytes, vdupq_n_u8(end)))
}

/// Whether no byte is less than `start`.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn none_below(bytes: uint8x16_t, start: u8) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vminvq_u8(bytes) >= start;
    #[cfg(target_arch = "x86_64")]
    return byte_bits(vcgeq_u8(bytes, vdupq_n_u8(start))) == 0xFFFF;
    #[cfg(target_arch = "wasm32")]
    !any(vcltq_u8(bytes, vdupq_n_u8(start)))
}

/// Whether no code unit is less than `start`.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn none_units_below(units: uint16x8_t, start: u16) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vminvq_u16(units) >= start;
    #[cfg(target_arch = "x86_64")]
    return byte_bits(vcgeq_u16(units, vdupq_n_u16(start))) == 0xFFFF;
    #[cfg(target_arch = "wasm32")]
    !any_units(vcltq_u16(units, vdupq_n_u16(start)))
}

/// Whether all code units are ASCII.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn all_ascii_units(units: uint16x8_t) -> bool {
    all_units_below(units, 0x80)
}

/// Whether all code units are less than `end`.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn all_units_below(units: uint16x8_t, end: u16) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u16(units) < end;
    #[cfg(target_arch = "x86_64")]
    return {
        if end.is_power_of_two() {
            !any_units(vandq_u16(units, vdupq_n_u16(!(end - 1))))
        } else {
            byte_bits(vcgeq_u16(units, vdupq_n_u16(end))) == 0
        }
    };
    #[cfg(target_arch = "wasm32")]
    !any_units(vcgeq_u16(units, vdupq_n_u16(end)))
}

/// How many bytes the longest of some code units has in UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Longest {
    One,
    Two,
    Three,
}

/// How many bytes a code unit has in UTF-8 that has all the bits of these code units.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(super) fn longest(units: uint16x8_t) -> Longest {
    #[cfg(target_arch = "aarch64")]
    let greatest = u32::from(vmaxvq_u16(units));
    #[cfg(target_arch = "aarch64")]
    let is_below = |end: u16| greatest < end.into();
    #[cfg(not(target_arch = "aarch64"))]
    let is_below = |end: u16| all_units_below(units, end);
    if is_below(0x80) {
        Longest::One
    } else if is_below(0x800) {
        Longest::Two
    } else {
        Longest::Three
    }
}
