//! Decoding of one byte per character to UTF-16, for WebAssembly.
//!
//! WebAssembly looks up 16 bytes of a table at once, so that a table of 128 code units would take 16 instructions for
//! the lower bytes and as many for the upper ones. So most bytes are not looked up in vectors: [`NearLatin1`] and
//! [`Shifted`] compute their code units, and [`units_of`] loads the other ones, one by one.

use super::{
    any::{any, any_units},
    ascii,
    compress::bits_and_count,
    double_byte::within,
    instructions::*,
    memory::{load, load_eight_units, store_units, units_of},
    near_latin1::NearLatin1,
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

/// The bytes whose code units are all greater than the byte by the same number. In most alphabets these are the
/// letters, because a code page and Unicode have them in the same order.
struct Shifted {
    /// One bit for each byte from 0x80 on: whether it is such a byte.
    set: uint8x16_t,
    /// The difference between a code unit and its byte.
    difference: uint16x8_t,
}

impl Shifted {
    /// The bytes that have the difference of the byte 0xE0, which is a letter in most code pages.
    ///
    /// Never inlined: next to the loop that uses the set, the compiler's code took up to three times as long.
    #[inline(never)]
    fn of(code_points: &[u16; 128]) -> Self {
        let difference = vdupq_n_u16(code_points[0x60].wrapping_sub(0xE0));
        let mut bytes = load_eight_units(&[0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87]);
        let mut set = [0; 16];
        let (eights, _) = code_points.as_chunks::<8>();
        for (bits, units) in set.iter_mut().zip(eights) {
            let units = load_eight_units(units);
            // U+FFFD can mean that a byte has no character.
            let is_character = vcltq_u16(units, vdupq_n_u16(NULL));
            (*bits, _) = bits_and_count(vandq_u16(is_character, vceqq_u16(units, vaddq_u16(bytes, difference))));
            bytes = vaddq_u16(bytes, vdupq_n_u16(8));
        }
        Shifted { set: load(&set), difference }
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
