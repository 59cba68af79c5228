//! Letters that need no table, for WebAssembly and x86-64.
//!
//! In most alphabets a byte and its code unit have a common difference, because a code page and Unicode have the
//! letters in the same order. A shuffle looks up 16 bytes of a table at once, so that a table of 128 code units would
//! take eight shuffles for the lower bytes and as many for the upper ones. The common difference takes two shuffles,
//! which ask whether a byte has it, and an addition:
//!
//! ```text
//! byte in windows-1251               E4        F0        97
//! has the difference 0x0350          yes       yes       no
//! code unit                          0434      0440      loaded from the table: 2014
//! ```
//!
//! [`Decoder`] computes code units by [`LettersFromBytes`], and loads the other ones one by one. `to_single_byte` has
//! the opposite.

use super::near_latin1::NearLatin1;
#[cfg(target_arch = "x86_64")]
use crate::single_byte::v128 as single_byte;
use crate::{ascii::v128 as ascii, base::*, single_byte::tables::NULL, vector::v128::*};

/// The number of code points in a row, from a multiple of it on, among which a letter has its neighbours.
const WINDOW_CODE_POINTS: u16 = 128;

/// Decodes 16 bytes a step. Where all 16 are ASCII or letters, the difference is added to the lanes of the letters. Any
/// other step loads its code units one by one from a table of all 256 bytes. Stops before a step with a byte whose code
/// unit is `end`, and leaves fewer than 16 bytes.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn bulk_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    if let Some(near_latin1) = NearLatin1::of(code_points) {
        return near_latin1.to_utf16(source, destination);
    }
    // Text that is all ASCII needs no tables.
    let mut done = ascii::widen(source, destination);
    if done == source.len() {
        return done;
    }
    let decoder = Decoder::of(code_points, end);
    #[cfg(target_arch = "x86_64")]
    if single_byte::is_latin(code_points) {
        let (source, destination) = (after(source, done), after_mut(destination, done));
        done += single_byte::patched_to_utf16(code_points, end, &decoder, source, destination);
    }
    // A copy, because the compiler would load the vectors of the original again in each step.
    let letters = decoder.letters;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        // The test is for 32 bytes, although a step has 16: whether only 16 bytes are ASCII would be hard to predict.
        if block(source, done).is_some_and(|next| ascii::are_ascii(next)) {
            done += ascii::widen(after(source, done), after_mut(destination, done));
            continue;
        }
        let computed = letters.and_then(|letters| letters.code_units(load(from)));
        let Some(units) = computed.or_else(|| decoder.look_up(from)) else { break };
        store_units(units, to);
        done += 16;
    }
    done
}

/// The code units of bytes.
pub(crate) struct Decoder {
    /// The bytes whose code units are computed.
    letters: Option<LettersFromBytes>,
    /// The code units of all bytes.
    units: [u16; 256],
    /// The code unit that is not decoded.
    end: uint16x8_t,
}

impl Decoder {
    /// The decoder of an encoding, whose bytes from 0x80 on have these code points.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn of(code_points: &[u16; 128], end: u16) -> Self {
        let mut units = [0; 256];
        let (of_ascii, beyond_ascii) = units.split_at_mut(128);
        for (unit, byte) in of_ascii.iter_mut().zip(0..) {
            *unit = byte;
        }
        beyond_ascii.copy_from_slice(code_points);
        Decoder { letters: LettersFromBytes::of(code_points), units, end: vdupq_n_u16(end) }
    }

    /// The code units of 16 bytes; `None` if one of them is `end`.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn code_units(&self, from: &[u8; 16]) -> Option<[uint16x8_t; 2]> {
        self.letters.as_ref().and_then(|letters| letters.code_units(load(from))).or_else(|| self.look_up(from))
    }

    /// As [`Self::code_units`], without asking whether they can be computed.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn look_up(&self, from: &[u8; 16]) -> Option<[uint16x8_t; 2]> {
        let units = units_of(&self.units, from);
        let [first, second] = units.each(|units| vceqq_u16(units, self.end));
        (!any_units(vorrq_u16(first, second))).then_some(units)
    }
}

/// The bytes whose code units are all greater than the byte by the same number. In most alphabets these are the
/// letters, because a code page and Unicode have them in the same order.
#[derive(Clone, Copy)]
struct LettersFromBytes {
    /// One bit for each byte from 0x80 on: whether it is such a byte.
    set: uint8x16_t,
    /// The difference between a code unit and its byte.
    difference: uint16x8_t,
}

impl LettersFromBytes {
    /// The bytes that have the difference of the byte 0xE0, which is a letter in most code pages. `None` if more bytes
    /// of its window have another difference, so that most steps would have one of these.
    ///
    /// Never inlined: next to the loop that uses the set, the compiler's code took up to three times as long.
    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn of(code_points: &[u16; 128]) -> Option<Self> {
        let letter = code_points[0x60];
        let difference = vdupq_n_u16(letter.wrapping_sub(0xE0));
        let mut bytes = load_eight_units(&[0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87]);
        let (mut set, mut in_set, mut in_window) = ([0; 16], 0, 0);
        let (eights, _) = code_points.as_chunks::<8>();
        for (bits, units) in set.iter_mut().zip(eights) {
            let units = load_eight_units(units);
            let windows = vandq_u16(units, vdupq_n_u16(!(WINDOW_CODE_POINTS - 1)));
            in_window += bits_and_count(vceqq_u16(windows, vdupq_n_u16(letter & !(WINDOW_CODE_POINTS - 1)))).1;
            // U+FFFD can mean that a byte has no character.
            let is_character = vcltq_u16(units, vdupq_n_u16(NULL));
            let has_difference = vandq_u16(is_character, vceqq_u16(units, vaddq_u16(bytes, difference)));
            let count;
            (*bits, count) = bits_and_count(has_difference);
            in_set += count;
            bytes = vaddq_u16(bytes, vdupq_n_u16(8));
        }
        (2 * in_set >= in_window).then(|| LettersFromBytes { set: load(&set), difference })
    }

    /// The code units of 16 bytes; `None` if one of the bytes is neither ASCII nor in the set.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
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
