//! Encodings of one byte per character, with NEON, 16 characters a step.
//!
//! The instruction `tbl` looks up 16 bytes in a table of 64 bytes, and `tbx` continues in the next 64 bytes for those
//! that are beyond the first. A table of 128 code units is kept as two tables of bytes: the lower and the upper byte of
//! each code unit. The results of both are the planes of the code units, which are zipped.

use super::instructions::*;

#[cfg(target_arch = "wasm32")]
use super::single_byte_simd128::bulk_to_utf16;
#[cfg(target_arch = "aarch64")]
use super::{any::all_below, near_latin1::NearLatin1};
use super::{
    any::{all_ascii_units, any, any_units},
    ascii,
    memory::{load, load_four, load_units, store, store_units},
    near_latin1,
    utf16_to_utf8::{ROOM, sixteen},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut},
    scalar::single_byte as scalar,
    tables::single_byte::ByCodePoint,
};

#[cfg(target_arch = "aarch64")]
pub(crate) use super::utf8_to_single_byte::from_utf8;
#[cfg(target_arch = "wasm32")]
pub(crate) use scalar::from_utf8;

/// The length of a source, in characters, below which the scalar body converts it: loading the tables into registers
/// would take longer. See `docs/experiments.md#single-byte-encodings`.
const SCALAR_BELOW_CHARACTERS: usize = 64;

/// The number of characters between two tests for ASCII, and the number that a test looks at. In text beyond ASCII the tests
/// take one instruction for every sixth character. See `docs/experiments.md#single-byte-encodings`.
const CHARACTERS_BETWEEN_TESTS: usize = 64;

/// The body of [`crate::single_byte::to_private_use`]: no byte ends the run.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn to_private_use(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        let beyond_ascii = |units| vandq_u16(vcgeq_u16(units, vdupq_n_u16(0x80)), vdupq_n_u16(0xF700));
        store_units(ascii::widened(load(from)).each(|units| vorrq_u16(units, beyond_ascii(units))), to);
        vdupq_n_u8(0)
    };
    ascii::run(source, destination, step, 1, scalar::to_private_use)
}

/// Decodes 16 bytes a step to the planes of their code units, zips these, and makes UTF-8 of them.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= SCALAR_BELOW_CHARACTERS {
        let [low, high] = [0, 8].each(|shift| Table::of(&code_points.map(|unit| (unit >> shift) as u8)));
        while let (Some(from), Some(to)) = (block(source, read), block_mut::<_, ROOM>(destination, written)) {
            // The test is for 32 bytes, although a step has 16: whether only 16 bytes are ASCII would be hard to
            // predict.
            if block(source, read).is_some_and(|next| ascii::are_ascii(next)) {
                let run = ascii::copy(after(source, read), after_mut(destination, written));
                read += run;
                written += run;
                continue;
            }
            let bytes = load(from);
            // ASCII becomes a place of 128 or more, for which the lookup gives 0. The ASCII byte is then put in as the
            // lower byte.
            let place = veorq_u8(bytes, vdupq_n_u8(0x80));
            let lower = vbslq_u8(vcltq_u8(bytes, vdupq_n_u8(0x80)), bytes, low.look_up(place));
            let upper = high.look_up(place);
            let units = [vzip1q_u8(lower, upper), vzip2q_u8(lower, upper)].each(|units| vreinterpretq_u16_u8(units));
            let [first, second] = units.each(|units| vceqq_u16(units, vdupq_n_u16(end)));
            if any_units(vorrq_u16(first, second)) {
                break;
            }
            written += sixteen(units, to);
            read += 16;
        }
    }
    let (more_read, more_written) =
        scalar::to_utf8(code_points, end, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Decodes what vectors can decode, and the rest without them.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let done = match source.len() {
        ..SCALAR_BELOW_CHARACTERS => 0,
        _ => bulk_to_utf16(code_points, end, source, destination),
    };
    done + scalar::to_utf16(code_points, end, after(source, done), after_mut(destination, done))
}

/// Decodes 16 bytes a step to the planes of their code units, and zips these.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
fn bulk_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    if let Some(near_latin1) = NearLatin1::of(code_points) {
        return near_latin1.to_utf16(source, destination);
    }
    let (mut done, mut next_test) = (0, 0);
    let [low, high] = [0, 8].each(|shift| Table::of(&code_points.map(|unit| (unit >> shift) as u8)));
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let bytes = load(from);
        if done >= next_test {
            next_test = done + CHARACTERS_BETWEEN_TESTS;
            if block(source, done).is_some_and(|next| are_ascii(next)) {
                done += ascii::widen(after(source, done), after_mut(destination, done));
                continue;
            }
        }
        // ASCII becomes a place of 128 or more, for which the lookup gives 0. The ASCII byte is then put in as the lower byte.
        let place = veorq_u8(bytes, vdupq_n_u8(0x80));
        let [found, high] = [low.look_up(place), high.look_up(place)];
        let low = vbslq_u8(vcltq_u8(bytes, vdupq_n_u8(0x80)), bytes, found);
        let units = [vzip1q_u8(low, high), vzip2q_u8(low, high)].each(|units| vreinterpretq_u16_u8(units));
        let [first, second] = units.each(|units| vceqq_u16(units, vdupq_n_u16(end)));
        if any_units(vorrq_u16(first, second)) {
            break;
        }
        store_units(units, to);
        done += 16;
    }
    done
}

/// Encodes 16 code units a step. The lowest seven bits of a code unit are its place in a window, and the upper nine
/// bits are the number of the window. Each window that a code unit belongs to is looked up for all 16. A step with a
/// code unit outside of all windows is encoded without vectors.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let (mut done, mut next_test) = (0, 0);
    if source.len() >= SCALAR_BELOW_CHARACTERS {
        let windows = by_code_point.window_numbers().each(|number| {
            let block = by_code_point.block(number).copied().unwrap_or([0; 128]);
            (number, Table::of(&block))
        });
        let is_near_latin1 = near_latin1::is_near(by_code_point);
        loop {
            if is_near_latin1 {
                done += near_latin1::narrow(after(source, done), after_mut(destination, done));
            }
            let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) else { break };
            if done >= next_test && !is_near_latin1 {
                next_test = done + CHARACTERS_BETWEEN_TESTS;
                if block(source, done).is_some_and(|next| are_ascii_units(next)) {
                    done += ascii::narrow(after(source, done), after_mut(destination, done));
                    continue;
                }
            }
            let units = load_units(from);
            // ASCII has window 0, and its place is its byte.
            let [first, second] = units.each(|units| vandq_u16(units, vdupq_n_u16(0x7F)));
            let low = vcombine_u8(vmovn_u16(first), vmovn_u16(second));
            let inside = |number: u16| {
                let [first, second] = units.each(|units| vceqq_u16(vshrq_n_u16::<7>(units), vdupq_n_u16(number)));
                vcombine_u8(vmovn_u16(first), vmovn_u16(second))
            };
            let ascii = inside(0);
            let mut bytes = vandq_u8(low, ascii);
            for (number, table) in &windows {
                let inside = inside(*number);
                if any(inside) {
                    bytes = vbslq_u8(inside, table.look_up(low), bytes);
                }
            }
            let missing = vbicq_u8(vceqzq_u8(bytes), ascii);
            if !any(missing) {
                store(bytes, to);
            } else {
                let count = scalar::from_utf16(by_code_point, from, to);
                if count < from.len() {
                    return done + count;
                }
            }
            done += 16;
        }
    }
    done + scalar::from_utf16(by_code_point, after(source, done), after_mut(destination, done))
}

/// Whether all bytes are ASCII.
#[cfg(target_arch = "aarch64")]
#[inline]
#[target_feature(enable = "neon")]
fn are_ascii(bytes: &[u8; CHARACTERS_BETWEEN_TESTS]) -> bool {
    let (sixteens, _) = bytes.as_chunks();
    all_below(sixteens.iter().fold(vdupq_n_u8(0), |all, sixteen| vorrq_u8(all, load(sixteen))), 0x80)
}

/// Whether all code units are ASCII.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn are_ascii_units(units: &[u16; CHARACTERS_BETWEEN_TESTS]) -> bool {
    let (sixteens, _) = units.as_chunks();
    let all = sixteens.iter().fold(vdupq_n_u16(0), |all, sixteen| {
        let [first, second] = load_units(sixteen);
        vorrq_u16(all, vorrq_u16(first, second))
    });
    all_ascii_units(all)
}

/// A table of 128 bytes, in eight vectors.
pub(super) struct Table([uint8x16x4_t; 2]);

impl Table {
    /// Loads the table.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn of(bytes: &[u8; 128]) -> Self {
        let (halves, _) = bytes.as_chunks();
        Table([load_four(&halves[0]), load_four(&halves[1])])
    }

    /// The bytes at these places; 0 for a place of 128 or more.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn look_up(&self, places: uint8x16_t) -> uint8x16_t {
        let first = vqtbl4q_u8(self.0[0], places);
        vqtbx4q_u8(first, self.0[1], vsubq_u8(places, vdupq_n_u8(64)))
    }
}
