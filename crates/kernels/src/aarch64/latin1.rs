//! Code points up to U+00FF.

use super::{
    ascii::{run, widened},
    memory::{load, load_units, store, store_units},
};
use crate::{blocks::nowhere, scalar::latin1 as scalar};
use core::arch::aarch64::*;

pub(crate) use scalar::{from_utf8, prefix_length_utf8, to_utf8};

#[target_feature(enable = "neon")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        store_units(widened(load(from)), to);
        vdupq_n_u8(0)
    };
    run(source, destination, step, 1, scalar::to_utf16)
}

#[target_feature(enable = "neon")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let units = load_units(from);
        store(lower_bytes(units), to);
        upper_bytes(units)
    };
    run(source, destination, step, 1, scalar::from_utf16)
}

#[target_feature(enable = "neon")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let step = |from: &_, _: &mut _| upper_bytes(load_units(from));
    run(source, &mut nowhere(), step, 1, |from, _| scalar::prefix_length_utf16(from))
}

#[inline]
#[target_feature(enable = "neon")]
fn lower_bytes([first, second]: [uint16x8_t; 2]) -> uint8x16_t {
    vuzp1q_u8(vreinterpretq_u8_u16(first), vreinterpretq_u8_u16(second))
}

#[inline]
#[target_feature(enable = "neon")]
fn upper_bytes([first, second]: [uint16x8_t; 2]) -> uint8x16_t {
    vuzp2q_u8(vreinterpretq_u8_u16(first), vreinterpretq_u8_u16(second))
}
