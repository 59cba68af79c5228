//! Code pages near Latin-1, such as windows-1252: their bytes from 0xA0 on are the code points of equal value. Runs
//! without the bytes 0x80 to 0x9F are widened and narrowed.

use super::{
    ascii,
    instructions::*,
    memory::{load, load_units, store, store_units},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut},
    tables::single_byte::{ByCodePoint, NULL},
};

/// The table of a code page whose bytes from 0xA0 on are the code points of equal value, as in windows-1252. Only the
/// bytes 0x80 to 0x9F are looked up.
pub(super) struct NearLatin1 {
    /// The lower bytes of the code units of the bytes 0x80 to 0x9F.
    lower: [uint8x16_t; 2],
    /// Their upper bytes.
    upper: [uint8x16_t; 2],
}

impl NearLatin1 {
    /// `None` for another code page, or if a byte has no character.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn of(code_points: &[u16; 128]) -> Option<Self> {
        let (own, rest) = code_points.split_first_chunk::<32>()?;
        let is_near = rest.iter().zip(0xA0..).all(|(&unit, byte)| unit == byte) && own.iter().all(|&unit| unit < NULL);
        let halves = |shift: u32| {
            let bytes = own.map(|unit| (unit >> shift) as u8);
            ascii::halves(&bytes)
        };
        is_near.then(|| NearLatin1 { lower: halves(0), upper: halves(8) })
    }

    /// Widens runs without the bytes 0x80 to 0x9F, and looks up the 16 bytes after a run. Bytes from 0xA0 on do not end
    /// a run: in German prose every second step has one, so that a branch on them would be guessed wrongly all the
    /// time.
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn to_utf16(&self, source: &[u8], destination: &mut [u16]) -> usize {
        let step = |from: &_, to: &mut _| {
            let bytes = load(from);
            store_units(ascii::widened(bytes), to);
            // As signed numbers, the bytes 0x80 to 0x9F are the least ones.
            vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xA0_u8 as i8))
        };
        let mut done = 0;
        loop {
            done += ascii::run(after(source, done), after_mut(destination, done), step, 1, |_, _| 0);
            let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) else { break done };
            store_units(self.code_units(load(from)), to);
            done += 16;
        }
    }

    /// The code units of 16 bytes.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn code_units(&self, bytes: uint8x16_t) -> [uint16x8_t; 2] {
        // Other bytes than 0x80 to 0x9F become places of 32 or more, for which the lookup gives 0.
        let place = veorq_u8(bytes, vdupq_n_u8(0x80));
        let next = vsubq_u8(place, vdupq_n_u8(16));
        let [lower, upper] =
            [self.lower, self.upper].each(|[a, b]| vorrq_u8(vqtbl1q_u8(a, place), vqtbl1q_u8(b, next)));
        let lower = vbslq_u8(vcltq_u8(place, vdupq_n_u8(32)), lower, bytes);
        [vzip1q_u8(lower, upper), vzip2q_u8(lower, upper)].each(|units| vreinterpretq_u16_u8(units))
    }
}

/// Whether the code points U+00A0 to U+00FF have the bytes of equal value.
pub(super) fn is_near(by_code_point: ByCodePoint<'_>) -> bool {
    by_code_point.block(1).is_some_and(|bytes| bytes.iter().zip(0x80..=0xFF).skip(0x20).all(|(&byte, own)| byte == own))
}

/// Narrows a run of code units below U+0100 that are not in U+0080 to U+009F, which are the bytes of a code page near
/// Latin-1. Returns their number.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let [first, second] = load_units(from).each(|units| vreinterpretq_u8_u16(units));
        let [lower, upper] = [vuzp1q_u8(first, second), vuzp2q_u8(first, second)];
        store(lower, to);
        // As signed numbers, the bytes 0x80 to 0x9F are the least ones.
        vorrq_u8(upper, vcltq_s8(vreinterpretq_s8_u8(lower), vdupq_n_s8(0xA0_u8 as i8)))
    };
    ascii::run(source, destination, step, 1, |_, _| 0)
}
