//! Code points near Latin-1, for code pages such as windows-1252, whose bytes from 0xA0 on are the code points of equal
//! value.
//!
//! Narrowing 16 code units takes two instructions, and a lookup in windows takes some fifty. So a run of code units
//! below U+0100 is narrowed, except that U+0080 to U+009F end it: in these code pages their bytes belong to other
//! characters.

use crate::{
    ascii::v128 as ascii, single_byte::v128::near_latin1::LANE_NUMBERS, to_single_byte::tables::ByCodePoint,
    vector::v128::*,
};

/// Whether the code points U+00A0 to U+00FF have the bytes of equal value.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn is_near(by_code_point: ByCodePoint<'_>) -> bool {
    let Some(latin1) = by_code_point.windows().iter().find(|window| window.number == 1) else { return false };
    let sixteens = by_code_point.window_bytes(latin1).into_iter().flat_map(|block| block.as_chunks().0);
    let mut difference = vdupq_n_u8(0);
    for (bytes, start) in sixteens.skip(2).zip((0xA0..).step_by(16)) {
        let equal = vaddq_u8(load(&LANE_NUMBERS), vdupq_n_u8(start));
        difference = vorrq_u8(difference, veorq_u8(load(bytes), equal));
    }
    !any(difference)
}

/// Narrows a run of code units below U+0100 that are not in U+0080 to U+009F, which are the bytes of a code page near
/// Latin-1. Returns their number. A step stores the bytes of 16 code units before it asks which of them end the run:
/// bytes after the end are not counted. Fewer than 16 code units are left.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let units = load_units(from);
        // Otherwise the compiler would load the lower and the upper bytes with one instruction, which takes longer than
        // two loads and two shuffles.
        #[cfg(target_arch = "aarch64")]
        let units = [vreinterpretq_u16_u8(hidden(vreinterpretq_u8_u16(units[0]))), units[1]];
        // Code units above U+00FF end a run. x86-64 makes 0xFF of each of them, because that takes fewer instructions
        // than separating the upper bytes. So U+00FF ends a run, too; the caller encodes it by the table.
        #[cfg(target_arch = "x86_64")]
        let (bytes, others) = {
            let bytes = ascii::saturated(units);
            (bytes, vceqq_u8(bytes, vdupq_n_u8(0xFF)))
        };
        #[cfg(not(target_arch = "x86_64"))]
        let (bytes, others) = (lower_bytes(units), upper_bytes(units));
        store(bytes, to);
        // As signed numbers, the bytes 0x80 to 0x9F are the least ones.
        vorrq_u8(others, vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xA0_u8 as i8)))
    };
    ascii::run(source, destination, step, 1, |_, _| 0)
}
