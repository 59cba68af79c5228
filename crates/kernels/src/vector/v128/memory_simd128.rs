//! Loads and stores of vectors of WebAssembly. All `unsafe` code for its vectors is in this file.
//!
//! Each function takes a reference to an array that is exactly as long as the vectors, as in `memory.rs`. Loads and
//! stores of WebAssembly need no alignment.

use core::arch::wasm32::*;

use super::instructions::*;
use crate::base::blocks::Each;

/// Loads 16 bytes.
#[inline(always)]
pub(crate) fn load(from: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the load reads 16 bytes, which is the length of the array.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// Stores 16 bytes.
#[inline(always)]
pub(crate) fn store(vector: uint8x16_t, to: &mut [u8; 16]) {
    // SAFETY: the store writes 16 bytes, which is the length of the array.
    unsafe { v128_store(to.as_mut_ptr().cast(), vector) }
}

/// Loads 64 bytes into four vectors, in order.
#[inline(always)]
pub(crate) fn load_four(from: &[u8; 64]) -> uint8x16x4_t {
    let ([a, b, c, d], _) = from.as_chunks() else { unreachable!("64 is four times 16") };
    uint8x16x4_t(load(a), load(b), load(c), load(d))
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

/// Loads eight code units.
#[inline(always)]
pub(crate) fn load_eight_units(from: &[u16; 8]) -> uint16x8_t {
    // SAFETY: the load reads eight code units, which is the length of the array.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// Stores eight code units.
#[inline(always)]
pub(crate) fn store_eight_units(vector: uint16x8_t, to: &mut [u16; 8]) {
    // SAFETY: the store writes eight code units, which is the length of the array.
    unsafe { v128_store(to.as_mut_ptr().cast(), vector) }
}

/// Loads 16 code units into two vectors, in order.
#[inline(always)]
pub(crate) fn load_units(from: &[u16; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = from.as_chunks() else { unreachable!("16 is twice 8") };
    [load_eight_units(first), load_eight_units(second)]
}

/// Stores 16 code units from two vectors, in order.
#[inline(always)]
pub(crate) fn store_units([first, second]: [uint16x8_t; 2], to: &mut [u16; 16]) {
    let ([to_first, to_second], _) = to.as_chunks_mut() else { unreachable!("16 is twice 8") };
    store_eight_units(first, to_first);
    store_eight_units(second, to_second);
}

/// Loads 16 pairs of bytes into two vectors. Each pair becomes a lane with the pair's first byte as its lower half.
#[inline(always)]
pub(crate) fn load_pairs(from: &[[u8; 2]; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = from.as_flattened().as_chunks() else { unreachable!("32 is twice 16") };
    [load(first), load(second)]
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

/// Stores 16 code units, whose lower and upper bytes are in one vector each.
#[inline(always)]
pub(crate) fn store_twos([lower, upper]: [uint8x16_t; 2], to: &mut [u16; 16]) {
    store_units([vzip1q_u8(lower, upper), vzip2q_u8(lower, upper)], to);
}

/// The items of a list at these places; the last item for a place after it.
///
/// # Panics
/// If the list is empty.
#[inline(always)]
pub(crate) fn items_at(list: &[u16], places: uint16x8_t) -> uint16x8_t {
    let last = list.len().checked_sub(1).expect("the list has an item").min(0xFFFF) as u16;
    let lanes = u16x8_min(places, u16x8_splat(last));
    let at = |lane: u16| {
        // SAFETY: each lane is at most `last`, by the minimum above, and that is the place of an item.
        unsafe { list.as_ptr().add(lane.into()) }
    };
    // SAFETY: each pointer is to an item of the list, by the minimum, and an item has two bytes.
    unsafe {
        let units = v128_load16_lane::<0>(u16x8_splat(0), at(u16x8_extract_lane::<0>(lanes)));
        let units = v128_load16_lane::<1>(units, at(u16x8_extract_lane::<1>(lanes)));
        let units = v128_load16_lane::<2>(units, at(u16x8_extract_lane::<2>(lanes)));
        let units = v128_load16_lane::<3>(units, at(u16x8_extract_lane::<3>(lanes)));
        let units = v128_load16_lane::<4>(units, at(u16x8_extract_lane::<4>(lanes)));
        let units = v128_load16_lane::<5>(units, at(u16x8_extract_lane::<5>(lanes)));
        let units = v128_load16_lane::<6>(units, at(u16x8_extract_lane::<6>(lanes)));
        v128_load16_lane::<7>(units, at(u16x8_extract_lane::<7>(lanes)))
    }
}

/// The code units of 16 bytes, from a table with one for each byte.
#[inline(always)]
pub(crate) fn units_of(table: &[u16; 256], bytes: &[u8; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("16 is twice 8") };
    [first, second].each(|eight: &[u8; 8]| {
        let at = |lane: usize| (&raw const table[usize::from(eight[lane])]).cast();
        // SAFETY: each pointer is to an item of the table, which has two bytes.
        unsafe {
            let units = v128_load16_lane::<0>(u16x8_splat(0), at(0));
            let units = v128_load16_lane::<1>(units, at(1));
            let units = v128_load16_lane::<2>(units, at(2));
            let units = v128_load16_lane::<3>(units, at(3));
            let units = v128_load16_lane::<4>(units, at(4));
            let units = v128_load16_lane::<5>(units, at(5));
            let units = v128_load16_lane::<6>(units, at(6));
            v128_load16_lane::<7>(units, at(7))
        }
    })
}
