//! UTF-16 to single bytes, in vectors of 16 bytes, 16 code units a step.

#[cfg(not(target_arch = "aarch64"))]
use super::letters::LettersToBytes;
use super::near_latin1;
use crate::single_byte::v128::{CHARACTERS_BETWEEN_TESTS, SCALAR_BELOW_CHARACTERS, Table};
use crate::to_single_byte::scalar;
use crate::to_single_byte::tables::{ByCodePoint, ByteTable};
use crate::{ascii::v128 as ascii, base::*, vector::v128::*};

/// The length of a run of code points near Latin-1, in characters, after which one character is encoded without
/// vectors.
const LONG_RUN_CHARACTERS: usize = 16;

/// The body of [`crate::to_single_byte::from_private_use`]. The upper byte of a code unit follows from its lower byte:
/// 0 or 0xF7. Any other upper byte ends the run.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn from_private_use(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let units = load_units(from);
        let lower = lower_bytes(units);
        store(lower, to);
        let expected = vandq_u8(vcgeq_u8(lower, vdupq_n_u8(0x80)), vdupq_n_u8(0xF7));
        veorq_u8(upper_bytes(units), expected)
    };
    ascii::run(source, destination, step, 1, scalar::from_private_use)
}

/// Encodes 16 code units a step. The lowest seven bits of a code unit are its place in a window, and the upper nine
/// bits are the number of the window. Each window that a code unit belongs to is looked up for all 16. A step with a
/// code unit outside of all windows is encoded without vectors.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    let by_code_point = table.by_code_point();
    if source.len() < SCALAR_BELOW_CHARACTERS {
        return scalar::more_from_utf16(by_code_point, source, destination);
    }
    // Text that is all ASCII needs no tables.
    let run = if cfg!(target_arch = "x86_64") { ascii::narrow(source, destination) } else { 0 };
    run + long_from_utf16(by_code_point, skip(source, run), skip_mut(destination, run))
}

/// As [`from_utf16`]. Never inlined, so that short sources do not pay for the memory of the tables.
///
/// A step has 16 code units. In a code page near Latin-1, runs of code points up to U+00FF are narrowed first; in the
/// others, the next 64 code units are asked now and then whether all are ASCII. Where a shuffle looks up only 16 bytes,
/// a step of ASCII and letters takes an addition. Any other step compares the numbers of the windows in all lanes with
/// that of each window, and looks a window up if it has a lane. A step with a code unit outside of all windows goes to
/// the scalar body as a whole; a code unit without a byte ends the conversion.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn long_from_utf16(by_code_point: ByCodePoint<'_>, source: &[u16], destination: &mut [u8]) -> usize {
    let (mut done, mut next_test) = (0, 0);
    if source.len() >= SCALAR_BELOW_CHARACTERS {
        let windows = by_code_point
            .windows()
            .each_ref()
            .each(|window| (u16::from(window.number), Table::of_halves(by_code_point.window_bytes(window))));
        let is_near_latin1 = near_latin1::is_near(by_code_point);
        #[cfg(not(target_arch = "aarch64"))]
        let letters = LettersToBytes::of(by_code_point);
        loop {
            if is_near_latin1 {
                let run = near_latin1::narrow(after(source, done), after_mut(destination, done));
                done += run;
                // After a run, the next character is mostly the only one of its kind.
                if run >= LONG_RUN_CHARACTERS
                    && let (Some(&unit), Some(to)) = (source.get(done), destination.get_mut(done))
                    && let Some(byte) = by_code_point.byte(unit)
                {
                    *to = byte;
                    done += 1;
                    continue;
                }
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
            #[cfg(not(target_arch = "aarch64"))]
            if let Some(bytes) = letters.as_ref().and_then(|letters| letters.bytes(units)) {
                store(bytes, to);
                done += 16;
                continue;
            }
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
                let count = scalar::more_from_utf16(by_code_point, from, to);
                if count < from.len() {
                    return done + count;
                }
            }
            done += 16;
        }
    }
    done + scalar::more_from_utf16(by_code_point, after(source, done), after_mut(destination, done))
}

/// Whether all code units are ASCII.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn are_ascii_units(units: &[u16; CHARACTERS_BETWEEN_TESTS]) -> bool {
    let (sixteens, _) = units.as_chunks();
    let all = sixteens.iter().fold(vdupq_n_u16(0), |all, sixteen| {
        let [first, second] = load_units(sixteen);
        vorrq_u16(all, vorrq_u16(first, second))
    });
    all_units_below(all, 0x80)
}
