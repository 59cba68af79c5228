//! Loads and stores of vectors of WebAssembly. With `accesses.rs`, this file has all `unsafe` code for its vectors.
//!
//! Each function takes a reference to an array that is exactly as long as the vectors, as in `memory.rs`. Loads and
//! stores of WebAssembly need no alignment.

use core::arch::wasm32::*;

use super::instructions::*;
use crate::base::blocks::Each;
use crate::vector::accesses::{loads, stores};

loads! {
    [inline(always)]

    /// Loads 16 bytes.
    load: [u8; 16] => uint8x16_t = v128_load;

    /// Loads eight code units.
    load_eight_units: [u16; 8] => uint16x8_t = v128_load;
}

stores! {
    [inline(always)]

    /// Stores 16 bytes.
    store: uint8x16_t => [u8; 16] = v128_store;

    /// Stores eight code units.
    store_eight_units: uint16x8_t => [u16; 8] = v128_store;
}

/// Loads eight bytes into the lower half of a vector.
#[inline(always)]
pub(crate) fn load_eight(from: &[u8; 8]) -> uint8x8_t {
    // SAFETY: the load reads eight bytes, which is the length of the array.
    unsafe { v128_load64_zero(from.as_ptr().cast()) }
}

/// Stores the lower half of a vector, which is eight bytes.
#[inline(always)]
pub(crate) fn store_eight(vector: uint8x8_t, to: &mut [u8; 8]) {
    // SAFETY: the store writes eight bytes, which is the length of the array.
    unsafe { v128_store64_lane::<0>(vector, to.as_mut_ptr().cast()) }
}

/// Loads 16 groups of three bytes: the first byte of each group into the first vector, the second into the second, the
/// third into the third. Each vector takes its bytes from the first two vectors of memory, and then from the third.
#[inline(always)]
pub(crate) fn load_threes(from: &[u8; 48]) -> [uint8x16_t; 3] {
    let ([a, b, c], _) = from.as_chunks() else { unreachable!("48 is three times 16") };
    let [a, b, c] = [load(a), load(b), load(c)];
    let first = i8x16_shuffle::<0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0>(a, b);
    let second = i8x16_shuffle::<1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0>(a, b);
    let third = i8x16_shuffle::<2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0>(a, b);
    [
        i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29>(first, c),
        i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30>(second, c),
        i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31>(third, c),
    ]
}

/// Stores 16 groups of three bytes, whose first, second and third bytes are in one vector each.
#[inline(always)]
pub(crate) fn store_threes([first, second, third]: [uint8x16_t; 3], to: &mut [u8; 48]) {
    // Pairs of a first and a second byte. A third byte is then put after each of them.
    let [low, high] = [vzip1q_u8(first, second), vzip2q_u8(first, second)];
    let a = i8x16_shuffle::<0, 1, 16, 2, 3, 17, 4, 5, 18, 6, 7, 19, 8, 9, 20, 10>(low, third);
    let middle = i8x16_shuffle::<11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 0, 0, 0, 0, 0>(low, high);
    let b = i8x16_shuffle::<0, 21, 1, 2, 22, 3, 4, 23, 5, 6, 24, 7, 8, 25, 9, 10>(middle, third);
    let c = i8x16_shuffle::<26, 6, 7, 27, 8, 9, 28, 10, 11, 29, 12, 13, 30, 14, 15, 31>(high, third);
    let ([to_a, to_b, to_c], _) = to.as_chunks_mut() else { unreachable!("48 is three times 16") };
    store(a, to_a);
    store(b, to_b);
    store(c, to_c);
}

/// The items of a list at these places; the last item for a place after it.
///
/// # Panics
/// If the list is empty.
#[inline(always)]
pub(crate) fn items_at(list: &[u16], places: uint16x8_t) -> uint16x8_t {
    let last = list.len().checked_sub(1).expect("the list has an item").min(0xFFFF) as u16;
    let lanes = u16x8_min(places, u16x8_splat(last));
    let lanes = [
        u16x8_extract_lane::<0>(lanes),
        u16x8_extract_lane::<1>(lanes),
        u16x8_extract_lane::<2>(lanes),
        u16x8_extract_lane::<3>(lanes),
        u16x8_extract_lane::<4>(lanes),
        u16x8_extract_lane::<5>(lanes),
        u16x8_extract_lane::<6>(lanes),
        u16x8_extract_lane::<7>(lanes),
    ];
    // SAFETY: each lane is at most `last`, by the minimum above, and that is the place of an item.
    joined(lanes.each(|lane| unsafe { list.get_unchecked(usize::from(lane)) }))
}

/// The code units of 16 bytes, from a table with one for each byte.
#[inline(always)]
pub(crate) fn units_of(table: &[u16; 256], bytes: &[u8; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("16 is twice 8") };
    [first, second].each(|eight: &[u8; 8]| joined(eight.each(|byte| &table[usize::from(byte)])))
}

/// Eight code units as a vector, each loaded into its lane.
#[inline(always)]
fn joined(units: [&u16; 8]) -> uint16x8_t {
    let [a, b, c, d, e, f, g, h] = units.each(|unit| (&raw const *unit).cast());
    // SAFETY: each load reads the two bytes of a code unit.
    unsafe {
        let units = v128_load16_lane::<1>(v128_load16_lane::<0>(u16x8_splat(0), a), b);
        let units = v128_load16_lane::<3>(v128_load16_lane::<2>(units, c), d);
        let units = v128_load16_lane::<5>(v128_load16_lane::<4>(units, e), f);
        v128_load16_lane::<7>(v128_load16_lane::<6>(units, g), h)
    }
}
