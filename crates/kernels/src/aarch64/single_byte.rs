//! Encodings of one byte per character, with NEON, 16 characters a step.
//!
//! The instruction `tbl` looks up 16 bytes in a table of 64 bytes, and `tbx` continues in the next 64 bytes for those
//! that are beyond the first. A table of 128 code units is kept as two tables of bytes: the lower and the upper byte of
//! each code unit. The results of both are the planes of the code units, which are zipped for UTF-16 and used as they
//! are for UTF-8.

use super::instructions::*;

use super::{
    any::{all_ascii_units, all_below, any, any_units},
    ascii,
    double_byte::within,
    memory::{load, load_four, load_units, store, store_units},
    planes::{Planes, ROOM},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut},
    scalar::single_byte as scalar,
    tables::single_byte::{ByCodePoint, NULL},
};

pub(crate) use scalar::from_utf8;

/// The length of a source, in characters, below which the scalar body converts it: loading the tables into registers
/// would take longer. See `docs/experiments.md#single-byte-encodings`.
const SCALAR_BELOW_CHARACTERS: usize = 64;

/// The number of characters between two tests for ASCII, and the number that a test looks at. In text beyond ASCII the tests
/// take one instruction for every sixth character. See `docs/experiments.md#single-byte-encodings`.
const CHARACTERS_BETWEEN_TESTS: usize = 64;

/// Decodes 16 bytes a step to the planes of their code units, from which [`Planes`] makes UTF-8.
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
            let units = Planes { lower, upper: high.look_up(place) };
            let [is_lower, is_upper] = [(units.lower, end), (units.upper, end >> 8)]
                .each(|(plane, byte)| vceqq_u8(plane, vdupq_n_u8(byte as u8)));
            if any(vandq_u8(is_lower, is_upper)) {
                break;
            }
            written += units.store(to);
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
    let done = if source.len() < SCALAR_BELOW_CHARACTERS {
        0
    } else if let Some(table) = cfg!(target_arch = "wasm32").then(|| NearLatin1::of(code_points)).flatten() {
        table.to_utf16(source, destination)
    } else {
        look_up_to_utf16(code_points, end, source, destination)
    };
    done + scalar::to_utf16(code_points, end, after(source, done), after_mut(destination, done))
}

/// Decodes 16 bytes a step to the planes of their code units, and zips these.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn look_up_to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let (mut done, mut next_test) = (0, 0);
    let [low, high] = [0, 8].each(|shift| Table::of(&code_points.map(|unit| (unit >> shift) as u8)));
    let shifted = Shifted::of(code_points);
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let bytes = load(from);
        if cfg!(target_arch = "wasm32") {
            if block(source, done).is_some_and(|next| ascii::are_ascii(next)) {
                done += ascii::widen(after(source, done), after_mut(destination, done));
                continue;
            }
            if let Some(units) = shifted.code_units(bytes) {
                store_units(units, to);
                done += 16;
                continue;
            }
        } else if done >= next_test {
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
        while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
            if done >= next_test {
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
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
struct Table([uint8x16x4_t; 2]);

impl Table {
    /// Loads the table.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn of(bytes: &[u8; 128]) -> Self {
        let (halves, _) = bytes.as_chunks();
        Table([load_four(&halves[0]), load_four(&halves[1])])
    }

    /// The bytes at these places; 0 for a place of 128 or more.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn look_up(&self, places: uint8x16_t) -> uint8x16_t {
        let first = vqtbl4q_u8(self.0[0], places);
        vqtbx4q_u8(first, self.0[1], vsubq_u8(places, vdupq_n_u8(64)))
    }
}

/// The bytes whose code units are all greater than the byte by the same number. In most alphabets these are the letters, because a code
/// page and Unicode have them in the same order. WebAssembly looks up 16 bytes of a table at once, so that the whole table takes 16
/// instructions for the lower bytes and as many for the upper ones; an addition takes one.
struct Shifted {
    /// One bit for each byte from 0x80 on: whether it is such a byte.
    set: uint8x16_t,
    /// The difference between a code unit and its byte.
    difference: uint16x8_t,
}

impl Shifted {
    /// The bytes that have the difference of the byte 0xE0, which is a letter in most code pages.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
