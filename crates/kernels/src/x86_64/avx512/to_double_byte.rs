//! The way back to encodings of one and two bytes per character, 64 code units a step.

use core::arch::x86_64::*;

use super::{
    ascii::{self, low_bytes},
    compress::compress,
    memory::{both_halves, halves, load, load_units, lowest, store, store_units},
};
use crate::{
    blocks::block_mut,
    level,
    pointers::{self, Vectors},
    to_double_byte::{Listed, ToDoubleByte},
};

/// So many pointers, or less, are looked up one by one where gathers are slow.
const FEW: u32 = 24;

/// Converts from UTF-16 by chunks.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let less = |units: &[u16; 64], limit: u16| {
        let limit = _mm512_set1_epi16(limit as i16);
        let [first, second] = load_units(units).map(|units| u64::from(_mm512_cmplt_epu16_mask(units, limit)));
        first | second << 32
    };
    let write = |bytes: &[u16; 64], singles: u64, room: &mut [u8; 128]| {
        let vectors = load_units(bytes);
        let mut written = 0;
        for (bytes, singles) in vectors.into_iter().zip([singles as u32, (singles >> 32) as u32]) {
            // Every other byte is a second one.
            let kept = !_pdep_u64(singles.into(), 0xAAAA_AAAA_AAAA_AAAA);
            if let Some(room) = block_mut(room, written) {
                store(compress(bytes, kept), room);
            }
            written += 64 - singles.count_ones() as usize;
        }
        written
    };
    let narrow = |from: &[u16], to: &mut [u8]| ascii::narrow(from, to);
    assert!(encoding.listed.blocks.len() >= 2 && encoding.listed.pointers.len() >= 2, "each with one more");
    let few = if level::gathers() { 0 } else { FEW };
    let pointers = |listed: &Listed<'_>, units: &[u16; 64], pairs: u64, to: &mut [u16; 64]| {
        if pairs.count_ones() <= few {
            return pointers::pointers(listed, units, pairs, to);
        }
        // SAFETY: see the assertion above.
        unsafe { pointers_of(listed, units, pairs, to) }
    };
    pointers::from_utf16(encoding, source, destination, Vectors { few: 12, less, pointers, narrow, write })
}

/// The pointers of those of 64 code units that are in the mask. Returns the greatest.
///
/// What is looked for is moved together, in each half for itself, and taken 16 at a time: among ASCII that is a part only.
///
/// # Safety
/// There are two blocks and two pointers.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn pointers_of(listed: &Listed<'_>, units: &[u16; 64], pairs: u64, to: &mut [u16; 64]) -> u16 {
    let (tables, _) = listed.groups.as_chunks();
    let [a, b, c, d] = [&tables[0], &tables[1], &tables[2], &tables[3]].map(|table| load(table));
    let pairs = [pairs as u32, (pairs >> 32) as u32];
    let [first, second] = load_units(units);
    let units = [_mm512_maskz_compress_epi16(pairs[0], first), _mm512_maskz_compress_epi16(pairs[1], second)];
    let high = low_bytes(units.map(|units| _mm512_srli_epi16::<8>(units)));
    let (lower, upper) = (_mm512_permutex2var_epi8(a, high, b), _mm512_permutex2var_epi8(c, high, d));
    let groups = _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(high), upper);
    let groups = halves(groups);
    let mut greatest = _mm512_setzero_si512();
    let looked_up = |half: usize, greatest: &mut _| {
        let (units, groups, pairs) = (units[half], groups[half], pairs[half]);
        let count = pairs.count_ones() as usize;
        // SAFETY: as for this function.
        let first = unsafe {
            sixteen(listed, _mm512_castsi512_si256(units), _mm256_castsi256_si128(groups), lowest(count), greatest)
        };
        let mut second = _mm256_setzero_si256();
        if count > 16 {
            let (units, groups) = (_mm512_extracti64x4_epi64::<1>(units), _mm256_extracti128_si256::<1>(groups));
            // SAFETY: as for this function.
            second = unsafe { sixteen(listed, units, groups, lowest(count - 16), greatest) };
        }
        // Back to where they came from.
        _mm512_maskz_expand_epi16(pairs, both_halves(first, second))
    };
    store_units([looked_up(0, &mut greatest), looked_up(1, &mut greatest)], to);
    _mm512_reduce_max_epu32(greatest) as u16
}

/// The pointers of up to 16 code units, given their groups: as many as bits are `live`. Raises what is less in `greatest`.
///
/// Gathers: what is gathered depends on what was gathered before, but one unit does not depend on another.
///
/// # Safety
/// There are two blocks and two pointers.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn sixteen(listed: &Listed<'_>, units: __m256i, groups: __m128i, live: u64, greatest: &mut __m512i) -> __m256i {
    // One less than the last of either, for more than one is loaded at a time.
    let last_block = _mm512_set1_epi32(listed.blocks.len() as i32 - 2);
    let last = _mm512_set1_epi32(listed.pointers.len() as i32 - 2);
    let units = _mm512_cvtepu16_epi32(units);
    let place = _mm512_add_epi32(
        _mm512_slli_epi32::<3>(_mm512_cvtepu8_epi32(groups)),
        _mm512_and_si512(_mm512_srli_epi32::<5>(units), _mm512_set1_epi32(7)),
    );
    let place = _mm512_min_epu32(place, last_block);
    // A block is three times two bytes.
    let place = _mm512_add_epi32(_mm512_add_epi32(place, place), place);
    let bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(units, _mm512_set1_epi32(31)));
    let zero = _mm512_setzero_si512();
    // SAFETY: a place is that of the last block but one at most, and the eight bytes from there on are in two blocks.
    let [lower, upper] = unsafe {
        let blocks = listed.blocks.as_ptr().cast();
        let [lower, upper] = halves(place);
        [
            _mm512_mask_i32gather_epi64::<2>(zero, live as u8, lower, blocks),
            _mm512_mask_i32gather_epi64::<2>(zero, (live >> 8) as u8, upper, blocks),
        ]
    };
    // Their first four bytes side by side, and their other four.
    let bits = both_halves(_mm512_cvtepi64_epi32(lower), _mm512_cvtepi64_epi32(upper));
    let first = both_halves(
        _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(lower)),
        _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(upper)),
    );
    let before = _mm512_and_si512(bits, _mm512_sub_epi32(bit, _mm512_set1_epi32(1)));
    let first = _mm512_and_si512(first, _mm512_set1_epi32(0xFFFF));
    let number = _mm512_add_epi32(first, _mm512_popcnt_epi32(before));
    let is_listed = _mm512_mask_test_epi32_mask(live as u16, bits, bit);
    let number = _mm512_min_epu32(number, last);
    // SAFETY: a number is less than that of the last pointer, and the four bytes from there on are two pointers.
    let pointers = unsafe {
        _mm512_mask_i32gather_epi32::<2>(_mm512_set1_epi32(-1), is_listed, number, listed.pointers.as_ptr().cast())
    };
    let pointers = _mm512_and_si512(pointers, _mm512_set1_epi32(0xFFFF));
    *greatest = _mm512_mask_max_epu32(*greatest, live as u16, *greatest, pointers);
    _mm512_cvtepi32_epi16(pointers)
}
