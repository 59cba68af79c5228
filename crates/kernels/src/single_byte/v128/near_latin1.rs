//! Code pages near Latin-1, such as windows-1252: their bytes from 0xA0 on are the code points of equal value. Runs
//! without the bytes 0x80 to 0x9F are widened, and the bytes 0x80 to 0x9F are looked up in 32 entries.

use crate::{ascii::v128 as ascii, base::*, single_byte::tables::NULL, vector::v128::*};

/// The numbers of the bytes of a vector.
pub(crate) const LANE_NUMBERS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The table of a code page whose bytes from 0xA0 on are the code points of equal value, as in windows-1252. Only the
/// bytes 0x80 to 0x9F are looked up.
pub(crate) struct NearLatin1 {
    /// The lower bytes of the code units of the bytes 0x80 to 0x9F.
    lower: [uint8x16_t; 2],
    /// Their upper bytes.
    upper: [uint8x16_t; 2],
}

impl NearLatin1 {
    /// `None` for another code page, or if a byte has no character.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn of(code_points: &[u16; 128]) -> Option<Self> {
        let ([first, second, rest @ ..], _) = code_points.as_chunks() else { return None };
        let [first, second] = [load_units(first), load_units(second)];
        let greatest = vmaxq_u16(vmaxq_u16(first[0], first[1]), vmaxq_u16(second[0], second[1]));
        // A loop that ends at the first difference would compare one code unit after the other.
        let mut difference = vdupq_n_u16(0);
        for (units, start) in rest.iter().zip((0xA0..).step_by(16)) {
            let equal = ascii::widened(vaddq_u8(load(&LANE_NUMBERS), vdupq_n_u8(start)));
            let [first, second] = load_units(units);
            difference = vorrq_u16(difference, vorrq_u16(veorq_u16(first, equal[0]), veorq_u16(second, equal[1])));
        }
        (all_units_below(greatest, NULL) && !any_units(difference)).then(|| NearLatin1 {
            lower: [first, second].each(|units| lower_bytes(units)),
            upper: [first, second].each(|units| upper_bytes(units)),
        })
    }

    /// Widens runs without the bytes 0x80 to 0x9F, and looks up the 16 bytes after a run. Bytes from 0xA0 on do not end
    /// a run: in German prose every second step has one, so that a branch on them would be guessed wrongly all the
    /// time.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn to_utf16(&self, source: &[u8], destination: &mut [u16]) -> usize {
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
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
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
