//! Loads and stores of vectors of 16 bytes, for SSE4.1. With `accesses.rs`, this file has all `unsafe` code of the
//! level.
//!
//! Each function takes a reference to an array that is exactly as long as the vectors, as in `memory.rs`. The loads and
//! stores need no alignment.

use core::arch::x86_64::*;

use super::instructions::*;
use crate::base::blocks::{Each, block};
use crate::vector::accesses::{loads, stores};

loads! {
    [cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]

    /// Loads 16 bytes.
    load: [u8; 16] => uint8x16_t = _mm_loadu_si128;

    /// Loads eight code units.
    load_eight_units: [u16; 8] => uint16x8_t = _mm_loadu_si128;
}

stores! {
    [cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "ssse3,sse4.1,popcnt"))]

    /// Stores 16 bytes.
    store: uint8x16_t => [u8; 16] = _mm_storeu_si128;

    /// Stores eight code units.
    store_eight_units: uint16x8_t => [u16; 8] = _mm_storeu_si128;
}

/// Loads eight bytes into the lower half of a vector.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn load_eight(from: &[u8; 8]) -> uint8x8_t {
    // SAFETY: the load reads eight bytes, which is the length of the array.
    unsafe { _mm_loadl_epi64(from.as_ptr().cast()) }
}

/// Stores the lower half of a vector, which is eight bytes.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn store_eight(vector: uint8x8_t, to: &mut [u8; 8]) {
    // SAFETY: the store writes eight bytes, which is the length of the array.
    unsafe { _mm_storel_epi64(to.as_mut_ptr().cast(), vector) }
}

/// Loads 4 to 15 code units, and zeros after them. The second half of the code units overlaps the first one, so that
/// both have a fixed length. If both were stored to memory and loaded as one vector, the load would have to wait for
/// the stores to finish.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn load_up_to_16_units(from: &[u16]) -> [uint16x8_t; 2] {
    if let (Some(first), Some(last)) = (from.first_chunk(), from.last_chunk()) {
        return [load_eight_units(first), without_first_units(load_eight_units(last), 16 - from.len())];
    }
    let (Some(first), Some(last)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) else {
        return [vdupq_n_u16(0); 2];
    };
    // SAFETY: each load reads four code units, which is the length of the array.
    let [first, last] = [first, last].each(|units| unsafe { _mm_loadl_epi64(units.as_ptr().cast()) });
    [vcombine_u8(first, without_first_units(last, 8 - from.len())), vdupq_n_u16(0)]
}

/// Drops the first code units of a vector, `count` of them, moves the others to the front, and puts zeros after them.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn without_first_units(units: uint16x8_t, count: usize) -> uint16x8_t {
    /// The places of a vector, and then zeros.
    static PLACES: [u8; 32] = {
        let mut places = [ZERO_PLACE; 32];
        let mut at = 0;
        while at < 16 {
            places[at] = at as u8;
            at += 1;
        }
        places
    };
    _mm_shuffle_epi8(units, load(block(&PLACES, 2 * count).unwrap_or(&[ZERO_PLACE; 16])))
}

/// The byte of a shuffle that makes a zero.
const ZERO_PLACE: u8 = 0x80;

/// Which bytes of each of three vectors in a row belong to the first, second and third bytes of groups of three:
/// `SPLIT_THREES[number][vector]`.
static SPLIT_THREES: [[[u8; 16]; 3]; 3] = {
    let mut shuffles = [[[ZERO_PLACE; 16]; 3]; 3];
    let mut at = 0;
    while at < 48 {
        shuffles[at % 3][at / 16][at / 3] = at as u8 % 16;
        at += 1;
    }
    shuffles
};

/// The opposite of [`SPLIT_THREES`]: which first, second and third bytes of 16 groups belong to each of three vectors
/// in a row: `JOIN_THREES[vector][number]`.
static JOIN_THREES: [[[u8; 16]; 3]; 3] = {
    let mut shuffles = [[[ZERO_PLACE; 16]; 3]; 3];
    let mut at = 0;
    while at < 48 {
        shuffles[at / 16][at % 3][at % 16] = at as u8 / 3;
        at += 1;
    }
    shuffles
};

/// For each of three vectors of the result, the disjunction of three vectors that were shuffled.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn shuffled(vectors: [uint8x16_t; 3], shuffles: &[[[u8; 16]; 3]; 3]) -> [uint8x16_t; 3] {
    shuffles.each_ref().each(|shuffles| {
        let [a, b, c] = [0, 1, 2].each(|vector| _mm_shuffle_epi8(vectors[vector], load(&shuffles[vector])));
        vorrq_u8(vorrq_u8(a, b), c)
    })
}

/// Loads 16 groups of three bytes: the first byte of each group into the first vector, the second into the second, the
/// third into the third.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn load_threes(from: &[u8; 48]) -> [uint8x16_t; 3] {
    let ([a, b, c], _) = from.as_chunks() else { unreachable!("48 is three times 16") };
    shuffled([load(a), load(b), load(c)], &SPLIT_THREES)
}

/// Stores 16 groups of three bytes, whose first, second and third bytes are in one vector each.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn store_threes(bytes: [uint8x16_t; 3], to: &mut [u8; 48]) {
    let [a, b, c] = shuffled(bytes, &JOIN_THREES);
    let ([to_a, to_b, to_c], _) = to.as_chunks_mut() else { unreachable!("48 is three times 16") };
    store(a, to_a);
    store(b, to_b);
    store(c, to_c);
}

/// The items of a list at these places; the last item for a place after it.
///
/// # Panics
/// If the list is empty.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn items_at(list: &[u16], places: uint16x8_t) -> uint16x8_t {
    let last = list.len().checked_sub(1).expect("the list has an item").min(0xFFFF) as u16;
    let mut lanes = [0; 8];
    store_eight_units(vminq_u16(places, vdupq_n_u16(last)), &mut lanes);
    // SAFETY: each lane is at most `last`, by the minimum above, and that is the place of an item.
    joined(lanes.each(|lane| unsafe { *list.get_unchecked(usize::from(lane)) }))
}

/// The code units of 16 bytes, from a table with one for each byte.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(crate) fn units_of(table: &[u16; 256], bytes: &[u8; 16]) -> [uint16x8_t; 2] {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("16 is twice 8") };
    [first, second].each(|eight: &[u8; 8]| joined(eight.each(|byte| table[usize::from(byte)])))
}

/// Eight code units as a vector, each put into its lane.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn joined(units: [u16; 8]) -> uint16x8_t {
    let [a, b, c, d, e, f, g, h] = units.each(i32::from);
    let vector = _mm_insert_epi16::<1>(_mm_cvtsi32_si128(a), b);
    let vector = _mm_insert_epi16::<3>(_mm_insert_epi16::<2>(vector, c), d);
    let vector = _mm_insert_epi16::<5>(_mm_insert_epi16::<4>(vector, e), f);
    _mm_insert_epi16::<7>(_mm_insert_epi16::<6>(vector, g), h)
}
