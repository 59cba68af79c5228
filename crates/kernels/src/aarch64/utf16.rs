//! UTF-16.

use super::memory::{load_pairs, load_units, store_units};
use crate::{
    blocks::{block, block_mut, nowhere},
    scalar::utf16 as scalar,
};
use core::arch::aarch64::*;

pub(crate) use scalar::{to_utf8, utf8_length};

#[target_feature(enable = "neon")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    validate(source, &mut nowhere(), |from, _| load_units(from), |from, _| scalar::valid_up_to(from))
}

#[target_feature(enable = "neon")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], turn: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    // Shifts to the left; less than 0 is to the right.
    let [left, right] = [turn as i16, turn as i16 - 16].map(|bits| vdupq_n_s16(bits));
    let step = |from: &_, to: &mut _| {
        let units = load_pairs(from).map(|units| vorrq_u16(vshlq_u16(units, left), vshlq_u16(units, right)));
        store_units(units, to);
        units
    };
    validate(pairs, destination, step, |from, to| scalar::from_bytes(from.as_flattened(), to, turn))
}

/// The length of the prefix of `source` without an unpaired surrogate, as far as there is room. `step` loads 16 code units and
/// may put them down; `some` does the same without vectors for blocks that have surrogates, and for the end.
#[inline]
#[target_feature(enable = "neon")]
fn validate<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 16], &mut [D; 16]) -> [uint16x8_t; 2],
    some: impl Fn(&[S], &mut [D]) -> usize,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let [first, second] =
            step(from, to).map(|units| vceqq_u16(vandq_u16(units, vdupq_n_u16(0xF800)), vdupq_n_u16(0xD800)));
        if vmaxvq_u16(vorrq_u16(first, second)) == 0 {
            done += 16;
            continue;
        }
        // A pair that the end of the block cuts is left for the next.
        let valid = some(&source[done..done + 16], &mut destination[done..done + 16]);
        done += valid;
        if valid < 15 {
            break;
        }
    }
    done + some(&source[done..], &mut destination[done..])
}
