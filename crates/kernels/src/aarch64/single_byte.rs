//! Encodings of one byte per character, 16 characters a step.
//!
//! `tbl` looks 16 bytes up in a table of 64, and `tbx` does so in the next 64 for the bytes that are not in the first. A table of
//! code units is two tables of 128 bytes, the low ones and the high ones; what comes out of them is zipped.

use core::arch::aarch64::*;

use super::{
    ascii,
    memory::{load, load_four, load_units, store, store_units},
    planes::{Planes, ROOM},
};
use crate::{
    blocks::{after, after_mut, block, block_mut},
    scalar::single_byte as scalar,
    single_byte::ByCodePoint,
};

/// Fewer characters than this are done before the tables are in registers.
const FEW: usize = 64;

/// The code units are looked up in planes, and never put together.
#[target_feature(enable = "neon")]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= FEW {
        let [low, high] = [0, 8].map(|shift| Table::of(&code_points.map(|unit| (unit >> shift) as u8)));
        while let (Some(from), Some(to)) = (block(source, read), block_mut::<_, ROOM>(destination, written)) {
            // Short runs of ASCII are not worth a branch that is hard to predict.
            if block(source, read).is_some_and(|next| ascii::are_ascii(next)) {
                let run = ascii::copy(after(source, read), after_mut(destination, written));
                read += run;
                written += run;
                continue;
            }
            let bytes = load(from);
            // ASCII is beyond the tables, which have 0 for it.
            let place = veorq_u8(bytes, vdupq_n_u8(0x80));
            let lower = vbslq_u8(vcltq_u8(bytes, vdupq_n_u8(0x80)), bytes, low.look_up(place));
            let units = Planes { lower, upper: high.look_up(place) };
            let [is_lower, is_upper] = [(units.lower, end), (units.upper, end >> 8)]
                .map(|(plane, byte)| vceqq_u8(plane, vdupq_n_u8(byte as u8)));
            if vmaxvq_u8(vandq_u8(is_lower, is_upper)) != 0 {
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

#[target_feature(enable = "neon")]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    if source.len() >= FEW {
        let [low, high] = [0, 8].map(|shift| Table::of(&code_points.map(|unit| (unit >> shift) as u8)));
        while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
            let bytes = load(from);
            // ASCII is beyond the tables, which have 0 for it.
            let place = veorq_u8(bytes, vdupq_n_u8(0x80));
            let low = vbslq_u8(vcltq_u8(bytes, vdupq_n_u8(0x80)), bytes, low.look_up(place));
            let high = high.look_up(place);
            let units = [vzip1q_u8(low, high), vzip2q_u8(low, high)].map(|units| vreinterpretq_u16_u8(units));
            let [first, second] = units.map(|units| vceqq_u16(units, vdupq_n_u16(end)));
            if vmaxvq_u16(vorrq_u16(first, second)) != 0 {
                break;
            }
            store_units(units, to);
            done += 16;
        }
    }
    done + scalar::to_utf16(code_points, end, after(source, done), after_mut(destination, done))
}

/// Each unit is looked up in the windows that there are units in. Where one lies outside of all of them, the step is done one by
/// one.
#[target_feature(enable = "neon")]
pub(crate) fn from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let mut done = 0;
    if source.len() >= FEW {
        let windows = by_code_point.windows.map(|number| {
            let block = by_code_point.block(number).copied().unwrap_or([0; 128]);
            (number, Table::of(&block))
        });
        while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
            let units = load_units(from);
            // The seven low bits select within a window, the nine others select the window; that of ASCII is itself.
            let [first, second] = units.map(|units| vandq_u16(units, vdupq_n_u16(0x7F)));
            let low = vcombine_u8(vmovn_u16(first), vmovn_u16(second));
            let inside = |number: u16| {
                let [first, second] = units.map(|units| vceqq_u16(vshrq_n_u16::<7>(units), vdupq_n_u16(number)));
                vcombine_u8(vmovn_u16(first), vmovn_u16(second))
            };
            let ascii = inside(0);
            let mut bytes = vandq_u8(low, ascii);
            for (number, table) in &windows {
                let inside = inside(*number);
                if vmaxvq_u8(inside) != 0 {
                    bytes = vbslq_u8(inside, table.look_up(low), bytes);
                }
            }
            let missing = vbicq_u8(vceqzq_u8(bytes), ascii);
            if vmaxvq_u8(missing) == 0 {
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

/// A table of 128 bytes.
struct Table([uint8x16x4_t; 2]);

impl Table {
    #[inline]
    #[target_feature(enable = "neon")]
    fn of(bytes: &[u8; 128]) -> Self {
        let (halves, _) = bytes.as_chunks();
        Table([load_four(&halves[0]), load_four(&halves[1])])
    }

    /// The bytes at these places, 0 from place 128 on.
    #[inline]
    #[target_feature(enable = "neon")]
    fn look_up(&self, places: uint8x16_t) -> uint8x16_t {
        let first = vqtbl4q_u8(self.0[0], places);
        vqtbx4q_u8(first, self.0[1], vsubq_u8(places, vdupq_n_u8(64)))
    }
}
