//! The way back to encodings of one and two bytes per character, in passes over chunks of some steps of 32 code units.
//!
//! What is looked up tells where to look next, which takes its time. So that the processor finds enough to do that does not wait for it,
//! each pass does one thing for the whole chunk:
//!
//! 1. The code units that have pointers are moved together, and the places of their blocks are computed.
//! 2. The blocks tell their numbers.
//! 3. At their numbers are their pointers.
//! 4. Pointers become bytes, which are put back between the bytes of ASCII.

use core::{arch::x86_64::*, hint::black_box};

use super::{
    ascii,
    compress::{came_from, compress},
    memory::{
        both_halves, load, load_sixteen, load_thirty_two, load_thirty_two_up_to, lowest, quarters, store,
        store_sixteen, store_thirty_two, store_up_to,
    },
};
use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    level,
    scalar::double_byte as scalar,
    to_double_byte::{Listed, NO_POINTER, Part, ToDoubleByte},
    x86_64::avx2::places::at_places,
};

/// Fewer code units than this are done one by one.
const FEW: usize = 12;
/// Steps in a chunk.
const STEPS: usize = 8;
/// Code units in a step.
const STEP: usize = 32;
/// Every other byte, from the second on.
const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut chunk = Chunk::EMPTY;
    let gathers = level::gathers();
    // As every table does.
    let has_more = encoding.listed.blocks.len() >= 2 && !encoding.listed.pointers.is_empty();
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if rest.len() < FEW || !has_more {
            break;
        }
        let length = chunk.fill(encoding, rest);
        if length == 0 {
            let run = ascii::narrow(rest, room);
            read += run;
            written += run;
            if run < STEP {
                return (read, written);
            }
            continue;
        }
        // SAFETY: `has_more` says so.
        let found = unsafe {
            chunk.number(encoding.listed, gathers);
            chunk.look_up(encoding, rest, gathers).unwrap_or(length)
        };
        let (units, bytes) = chunk.write(encoding, up_to(rest, found), room);
        read += units;
        written += bytes;
        if found < length && units == found {
            return (read, written);
        }
        if units < found {
            break;
        }
    }
    let (more_read, more_written) = scalar::from_utf16(encoding, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// What is known of some steps.
#[repr(align(64))]
struct Chunk {
    /// For each code unit that is no byte of its own: which it is of those in its group, with the place of the group as upper byte; then
    /// its number, then its pointer.
    found: [u16; STEP * (STEPS + 1)],
    /// How many these are.
    count: usize,
    /// Which these are of the code units of each step.
    pairs: [u64; STEPS],
}

impl Chunk {
    const EMPTY: Self = Chunk { found: [0; STEP * (STEPS + 1)], count: 0, pairs: [0; STEPS] };

    /// The first pass, up to a step of ASCII. Returns how many code units it took.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn fill(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16]) -> usize {
        let (tables, _) = encoding.listed.groups.as_chunks();
        let [a, b, c, d] = [&tables[0], &tables[1], &tables[2], &tables[3]].map(|table| load(table));
        let ascii = _mm512_set1_epi16(encoding.ascii as i16);
        self.count = 0;
        let mut rest = source;
        for step in &mut self.pairs {
            if rest.is_empty() {
                break;
            }
            let units = load_step(rest);
            let pairs = _mm512_cmpge_epu16_mask(units, ascii) & lowest(rest.len()) as u32;
            *step = pairs.into();
            if pairs == 0 && rest.len() >= STEP {
                break;
            }
            rest = after(rest, STEP);
            let units = _mm512_maskz_compress_epi16(pairs, units);
            let high = _mm512_castsi256_si512(_mm512_cvtepi16_epi8(_mm512_srli_epi16::<8>(units)));
            let (lower, upper) = (_mm512_permutex2var_epi8(a, high, b), _mm512_permutex2var_epi8(c, high, d));
            let groups = _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(high), upper);
            let groups = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(groups));
            let in_groups = _mm512_mask_mov_epi8(units, ODD, _mm512_slli_epi16::<8>(groups));
            if let Some(to) = block_mut(&mut self.found, self.count) {
                store_thirty_two(in_groups, to);
            }
            self.count += pairs.count_ones() as usize;
        }
        source.len() - rest.len()
    }

    /// The second pass.
    ///
    /// # Safety
    /// There are two blocks.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn number(&mut self, listed: &Listed<'_>, gathers: bool) {
        let blocks = listed.blocks.as_ptr().cast::<u16>();
        let last_block = _mm256_set1_epi16(listed.blocks.len() as i16 - 2);
        let last = _mm256_set1_epi16(listed.pointers.len() as i16 - 1);
        for found in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)) {
            let units = load_sixteen(found);
            let place = _mm256_min_epu16(_mm256_srli_epi16::<5>(units), last_block);
            // A block is three times two bytes.
            let places = quarters(_mm256_add_epi16(_mm256_add_epi16(place, place), place));
            let [lower, upper] = if black_box(gathers) {
                places.map(|places| {
                    let places = _mm256_cvtepu16_epi32(places);
                    // SAFETY: the last place is that of the last block but one, and the eight bytes from there on are in two blocks.
                    unsafe { _mm512_i32gather_epi64::<2>(places, blocks.cast()) }
                })
            } else {
                places.map(|places| {
                    let fours = [_mm_cvtsi128_si64(places) as u64, _mm_extract_epi64::<1>(places) as u64];
                    let at = |at: usize| {
                        let place = (fours[at / 4] >> (at % 4 * 16)) as u16;
                        // SAFETY: as above.
                        unsafe { blocks.add(place.into()).cast::<i64>().read_unaligned() }
                    };
                    _mm512_setr_epi64(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))
                })
            };
            // Their first four bytes side by side, and their other four.
            let bits = both_halves(_mm512_cvtepi64_epi32(lower), _mm512_cvtepi64_epi32(upper));
            let first = both_halves(
                _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(lower)),
                _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(upper)),
            );
            let bit = _mm512_and_si512(_mm512_cvtepu16_epi32(units), _mm512_set1_epi32(31));
            let bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), bit);
            let before = _mm512_and_si512(bits, _mm512_sub_epi32(bit, _mm512_set1_epi32(1)));
            let number = _mm512_cvtepi32_epi16(_mm512_add_epi32(first, _mm512_popcnt_epi32(before)));
            // The last pointer is none.
            store_sixteen(_mm256_mask_mov_epi16(last, _mm512_test_epi32_mask(bits, bit), number), found);
        }
    }

    /// The third pass. Returns how many code units are before one that has no pointer.
    ///
    /// # Safety
    /// There is a pointer.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn look_up(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16], gathers: bool) -> Option<usize> {
        let pointers = encoding.listed.pointers;
        let last = _mm256_set1_epi16((pointers.len() - 1) as i16);
        for (step, found) in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)).enumerate() {
            let numbers = _mm256_min_epu16(load_sixteen(found), last);
            let found_here = if black_box(gathers) {
                // Two are loaded at a time, so that the last one is left out, which is none.
                let is_listed = _mm256_cmplt_epu16_mask(numbers, last);
                let (numbers, none) = (_mm512_cvtepu16_epi32(numbers), _mm512_set1_epi32(-1));
                // SAFETY: what is gathered are pointers before the last, and the one behind each.
                let both =
                    unsafe { _mm512_mask_i32gather_epi32::<2>(none, is_listed, numbers, pointers.as_ptr().cast()) };
                _mm512_cvtepi32_epi16(both)
            } else {
                // SAFETY: none is behind the last one.
                let [lower, upper] = quarters(numbers).map(|numbers| unsafe { at_places(pointers, numbers) });
                _mm256_set_m128i(upper, lower)
            };
            store_sixteen(found_here, found);
            let missing = _mm256_cmpge_epu16_mask(found_here, _mm256_set1_epi16(encoding.end as i16));
            let missing = missing & lowest(self.count - 16 * step) as u16;
            if missing != 0 {
                let stop = look_elsewhere(encoding, source, &self.pairs, (16 * step, missing), found);
                if stop.is_some() {
                    return stop;
                }
            }
        }
        None
    }

    /// The last pass, for `source`, up to where there is no room for the bytes of a step. Returns `(read, written)`.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn write(&self, encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written, mut taken) = (0, 0, 0);
        for &pairs in &self.pairs {
            let (rest, room) = (after(source, read), after_mut(destination, written));
            let (false, Some(pointers)) = (rest.is_empty(), block(&self.found, taken)) else { break };
            let pointers = _mm512_maskz_expand_epi16(pairs as u32, load_thirty_two(pointers));
            let bytes = _mm512_mask_mov_epi16(load_step(rest), pairs as u32, bytes_of(encoding, pointers));
            // The first byte of all, and the second one of pairs.
            let all = lowest(rest.len());
            let kept = _pdep_u64(all, !ODD) | _pdep_u64(all & pairs, ODD);
            let length = kept.count_ones() as usize;
            let bytes = compress(bytes, kept);
            match room.first_chunk_mut() {
                Some(room) => store(bytes, room),
                None => match room.get_mut(..length) {
                    Some(room) => store_up_to(bytes, room),
                    None => break,
                },
            }
            taken += pairs.count_ones() as usize;
            read += rest.len().min(STEP);
            written += length;
        }
        (read, written)
    }
}

/// As many code units as a step has, or zeros behind the last.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn load_step(source: &[u16]) -> __m512i {
    match source.first_chunk() {
        Some(units) => load_thirty_two(units),
        None => load_thirty_two_up_to(source),
    }
}

/// Asks the encoding for the pointers that are `missing` of 16, from the given number on. Returns the place of a code unit that has none.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn look_elsewhere(
    encoding: &ToDoubleByte<'_>,
    source: &[u16],
    pairs: &[u64; STEPS],
    (number, mut missing): (usize, u16),
    pointers: &mut [u16; 16],
) -> Option<usize> {
    while missing != 0 {
        let at = missing.trailing_zeros() as usize % 16;
        let (step, place) = came_from(pairs, number + at);
        let place = STEP * step + place;
        pointers[at] = source.get(place).map_or(NO_POINTER, |&unit| (encoding.others)(unit));
        if pointers[at] >= encoding.end {
            return Some(place);
        }
        missing &= missing - 1;
    }
    None
}

/// The two bytes of each of 32 pointers, as they stand in memory.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn bytes_of(&ToDoubleByte { columns, leading, trailing, .. }: &ToDoubleByte<'_>, pointers: __m512i) -> __m512i {
    let all = |number: u16| _mm512_set1_epi16(number as i16);
    let row = _mm512_srlv_epi16(_mm512_mulhi_epu16(pointers, all(columns.factor)), all(columns.shift));
    let column = _mm512_sub_epi16(pointers, _mm512_mullo_epi16(row, all(columns.number)));
    let byte = |part: Part, number| {
        let is_upper = _mm512_cmpge_epu16_mask(number, all(part.split.into()));
        let byte = _mm512_add_epi16(number, all(part.lower.into()));
        _mm512_mask_add_epi16(byte, is_upper, byte, all((part.upper - part.lower).into()))
    };
    _mm512_add_epi16(byte(leading, row), _mm512_slli_epi16::<8>(byte(trailing, column)))
}
