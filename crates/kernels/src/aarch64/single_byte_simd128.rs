//! Decoding of one byte per character to UTF-16, for WebAssembly.
//!
//! WebAssembly looks up 16 bytes of a table at once, so that a table of 128 code units would take 16 instructions for the lower
//! bytes and as many for the upper ones. So most bytes are not looked up in vectors: [`NearLatin1`] and [`Shifted`] compute
//! their code units, and [`units_of`] loads the other ones, one by one.

use super::{
    any::{any, any_units},
    ascii,
    double_byte::within,
    instructions::*,
    memory::{load, store_units, units_of},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut},
    tables::single_byte::NULL,
};

/// Decodes 16 bytes a step. Stops before a step with a byte whose code unit is `end`.
pub(super) fn bulk_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    if let Some(near_latin1) = NearLatin1::of(code_points) {
        return near_latin1.to_utf16(source, destination);
    }
    // Text that is all ASCII needs no tables.
    let mut done = ascii::widen(source, destination);
    if done == source.len() {
        return done;
    }
    let shifted = Shifted::of(code_points);
    let mut units = [0; 256];
    let (of_ascii, beyond_ascii) = units.split_at_mut(128);
    for (unit, byte) in of_ascii.iter_mut().zip(0..) {
        *unit = byte;
    }
    beyond_ascii.copy_from_slice(code_points);
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        // The test is for 32 bytes, although a step has 16: whether only 16 bytes are ASCII would be hard to predict.
        if block(source, done).is_some_and(ascii::are_ascii) {
            done += ascii::widen(after(source, done), after_mut(destination, done));
            continue;
        }
        let units = match shifted.code_units(load(from)) {
            Some(units) => units,
            None => {
                let units = units_of(&units, from);
                let [first, second] = units.each(|units| vceqq_u16(units, vdupq_n_u16(end)));
                if any_units(vorrq_u16(first, second)) {
                    break;
                }
                units
            }
        };
        store_units(units, to);
        done += 16;
    }
    done
}

/// The bytes whose code units are all greater than the byte by the same number. In most alphabets these are the letters, because a code
/// page and Unicode have them in the same order.
struct Shifted {
    /// One bit for each byte from 0x80 on: whether it is such a byte.
    set: uint8x16_t,
    /// The difference between a code unit and its byte.
    difference: uint16x8_t,
}

impl Shifted {
    /// The bytes that have the difference of the byte 0xE0, which is a letter in most code pages.
    #[inline]
    fn of(code_points: &[u16; 128]) -> Self {
        let difference = code_points[0x60].wrapping_sub(0xE0);
        let mut set = [0; 16];
        let (eights, _) = code_points.as_chunks::<8>();
        for (eight, (bits, units)) in set.iter_mut().zip(eights).enumerate() {
            for (bit, &unit) in units.iter().enumerate() {
                let byte = 0x80 + 8 * eight as u16 + bit as u16;
                // U+FFFD can mean that a byte has no character.
                *bits |= u8::from(unit == byte.wrapping_add(difference) && unit < NULL) << bit;
            }
        }
        Shifted { set: load(&set), difference: vdupq_n_u16(difference) }
    }

    /// The code units of 16 bytes; `None` if one of the bytes is neither ASCII nor in the set.
    #[inline]
    fn code_units(&self, bytes: uint8x16_t) -> Option<[uint16x8_t; 2]> {
        let beyond_ascii = vcgeq_u8(bytes, vdupq_n_u8(0x80));
        if any(vbicq_u8(beyond_ascii, within(self.set, bytes))) {
            return None;
        }
        let [first, second] = [vzip1q_u8(beyond_ascii, beyond_ascii), vzip2q_u8(beyond_ascii, beyond_ascii)]
            .each(|lanes| vandq_u16(vreinterpretq_u16_u8(lanes), self.difference));
        let [lower, upper] = ascii::widened(bytes);
        Some([vaddq_u16(lower, first), vaddq_u16(upper, second)])
    }
}

/// The table of a code page whose bytes from 0xA0 on are the code points of equal value, as in windows-1252. Only the bytes 0x80 to 0x9F
/// are looked up.
struct NearLatin1 {
    /// The lower bytes of the code units of the bytes 0x80 to 0x9F.
    lower: [uint8x16_t; 2],
    /// Their upper bytes.
    upper: [uint8x16_t; 2],
}

impl NearLatin1 {
    /// `None` for another code page, or if a byte has no character.
    #[inline]
    fn of(code_points: &[u16; 128]) -> Option<Self> {
        let (own, rest) = code_points.split_first_chunk::<32>()?;
        let is_near = rest.iter().zip(0xA0..).all(|(&unit, byte)| unit == byte) && own.iter().all(|&unit| unit < NULL);
        let halves = |shift: u32| {
            let bytes = own.map(|unit| (unit >> shift) as u8);
            ascii::halves(&bytes)
        };
        is_near.then(|| NearLatin1 { lower: halves(0), upper: halves(8) })
    }

    /// Widens runs without the bytes 0x80 to 0x9F, and looks up the 16 bytes after a run. Bytes from 0xA0 on do not end a run: in German
    /// prose every second step has one, so that a branch on them would be guessed wrongly all the time.
    fn to_utf16(&self, source: &[u8], destination: &mut [u16]) -> usize {
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
