//! Questions about all lanes of a vector, which NEON, WebAssembly and x86-64 answer with different instructions.

use super::instructions::*;

/// Whether a bit of the vector is set.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn any(bytes: uint8x16_t) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u8(bytes) != 0;
    #[cfg(not(target_arch = "aarch64"))]
    any_bit(bytes)
}

/// As [`any`], for code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn any_units(units: uint16x8_t) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u16(units) != 0;
    #[cfg(not(target_arch = "aarch64"))]
    any_bit(units)
}

/// Whether no code unit is 0.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn all_units(units: uint16x8_t) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vminvq_u16(units) != 0;
    #[cfg(not(target_arch = "aarch64"))]
    no_zero_units(units)
}

/// Whether all bytes are less than `end`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn all_below(bytes: uint8x16_t, end: u8) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vmaxvq_u8(bytes) < end;
    #[cfg(target_arch = "x86_64")]
    return byte_bits(if end == 0x80 { bytes } else { vcgeq_u8(bytes, vdupq_n_u8(end)) }) == 0;
    #[cfg(target_arch = "wasm32")]
    !any(vcgeq_u8(bytes, vdupq_n_u8(end)))
}

/// Whether no byte is less than `start`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn none_below(bytes: uint8x16_t, start: u8) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vminvq_u8(bytes) >= start;
    #[cfg(target_arch = "x86_64")]
    return byte_bits(vcgeq_u8(bytes, vdupq_n_u8(start))) == 0xFFFF;
    #[cfg(target_arch = "wasm32")]
    !any(vcltq_u8(bytes, vdupq_n_u8(start)))
}

/// Whether no code unit is less than `start`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn none_units_below(units: uint16x8_t, start: u16) -> bool {
    #[cfg(target_arch = "aarch64")]
    return vminvq_u16(units) >= start;
    #[cfg(target_arch = "x86_64")]
    return byte_bits(vcgeq_u16(units, vdupq_n_u16(start))) == 0xFFFF;
    #[cfg(target_arch = "wasm32")]
    !any_units(vcltq_u16(units, vdupq_n_u16(start)))
}

/// Whether all code units are less than `end`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn all_units_below(units: uint16x8_t, end: u16) -> bool {
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

/// The greatest of 16 bytes, or, if not `BYTES`, of eight code units. With NEON it is a number. Elsewhere it is a
/// vector with all bits of the code units, of which the highest one is that of the greatest code unit: code units are
/// only compared with powers of two.
#[derive(Clone, Copy)]
pub(crate) struct Greatest<const BYTES: bool>(
    #[cfg(target_arch = "aarch64")] u32,
    #[cfg(not(target_arch = "aarch64"))] uint8x16_t,
);

impl Greatest<true> {
    /// The greatest of `bytes`.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn of(bytes: uint8x16_t) -> Self {
        // If the compiler could see that the number was a byte, it would clear the upper bits again before each
        // comparison.
        #[cfg(target_arch = "aarch64")]
        let bytes = super::memory::hidden_number(vmaxvq_u8(bytes).into());
        Greatest(bytes)
    }
}

impl Greatest<false> {
    /// The greatest code unit, where `units` has all the bits of the code units.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn of_units(units: uint16x8_t) -> Self {
        // As for bytes.
        #[cfg(target_arch = "aarch64")]
        let units = super::memory::hidden_number(vmaxvq_u16(units).into());
        Greatest(units)
    }
}

impl<const BYTES: bool> Greatest<BYTES> {
    /// Whether it is less than `end`.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn is_below(self, end: u16) -> bool {
        // One instruction tests a bit of a byte and branches.
        #[cfg(target_arch = "aarch64")]
        return if BYTES && end == 0x80 { self.0 & 0x80 == 0 } else { self.0 < end.into() };
        #[cfg(not(target_arch = "aarch64"))]
        if BYTES { all_below(self.0, end as u8) } else { all_units_below(self.0, end) }
    }
}
