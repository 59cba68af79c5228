//! Encoding of UTF-16 into encodings with one and two bytes for each character, in four passes over a chunk of eight
//! steps of 32 code units.
//!
//! To encode a code unit, each lookup says where the next lookup has to look. In all this takes about 200 cycles, in
//! most of which the processor waits. So that the processor has other work meanwhile, each pass does one thing for the
//! whole chunk:
//!
//! 1. [`Chunk::fill`] compresses the code units that become pairs into one list, and finds their groups.
//! 2. [`Chunk::number`] replaces each code unit of the list by its number among the listed code units.
//! 3. [`Chunk::look_up`] replaces each number by its pointer.
//! 4. [`Chunk::write`] turns pointers into bytes, which it inserts between those of ASCII.
//!
//! ```text
//! units       61    65E5  672C  62
//! fill              65E5  672C                    and the mask of the pairs in the step:  .  1  1  .
//! number            2210  2301                    block's first number, plus the listed bits before (made-up numbers)
//! look_up           P     Q                       the list's pointer at each number
//! write       61    93 FA 96 7B 62                expanded to the lanes of the mask, then compressed to bytes
//! ```
//!
//! A list of pairs has no ends of steps, so 16 pairs are looked up at a time whatever the text is. Lanes after the last
//! pair hold old places, which are limited to the table as all others are; what they find is not written. A chunk ends
//! before a step of ASCII, for which there is a faster loop, and at the first code unit without a pointer. Fewer code
//! units than [`SCALAR_BELOW_UNITS`] are encoded one by one.

use super::avx2::few_from_utf16;
use super::tables::listed::{Listed, NO_POINTER, Run};
use super::tables::{Part, ToDoubleByte};
use crate::{ascii::avx512 as ascii, base::*, double_byte::avx2::places::at_places, level, vector::avx512::*};

/// Length of a source, in code units, below which [`few_from_utf16`] encodes it: a chunk takes longer to begin. See
/// `docs/experiments.md#short-input`.
const SCALAR_BELOW_UNITS: usize = 12;
/// Steps in a chunk. With four, text was converted at 0.95 of the speed; with sixteen, no faster (Zen 5). See
/// `docs/experiments.md#encoding-to-pairs`.
const STEPS_IN_CHUNK: usize = 8;
/// Code units in a step. Steps of 64 are more code and no faster (Zen 5). See `docs/experiments.md#encoding-to-pairs`.
const UNITS_IN_STEP: usize = 32;
/// The odd lanes: the upper bytes of 32 code units, or the second bytes of 32 pairs.
const ODD_BYTES: u64 = 0xAAAA_AAAA_AAAA_AAAA;

/// The body of [`crate::to_double_byte::from_utf16`]. Each of the four passes goes over the whole chunk, and then the
/// next chunk begins. A chunk without code units means that ASCII comes next, which is narrowed as a run. If the third
/// pass finds a code unit without a pointer, the last pass writes only those before it, and the conversion ends; it
/// also ends where the destination is full.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_UNITS {
        return few_from_utf16(encoding, source, destination);
    }
    let (mut read, mut written) = (0, 0);
    let mut chunk = Chunk::EMPTY;
    let gathers = level::gathers();
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if rest.len() < SCALAR_BELOW_UNITS {
            break;
        }
        let length = chunk.fill(encoding, rest);
        if length == 0 {
            let run = ascii::narrow(rest, room);
            (read, written) = (read + run, written + run);
            if run < UNITS_IN_STEP {
                return (read, written);
            }
            continue;
        }
        chunk.number(encoding.listed(), gathers);
        let found = chunk.look_up(encoding, rest, gathers).unwrap_or(length);
        let (units, bytes) = chunk.write(encoding, up_to(rest, found), room);
        (read, written) = (read + units, written + bytes);
        // A code unit without a pointer ends the conversion, and so does a full destination.
        if units < length {
            return (read, written);
        }
    }
    and_rest((read, written), source, destination, |from, to| few_from_utf16(encoding, from, to))
}

/// The steps of a chunk, and the results of the passes over them.
#[repr(align(64))]
struct Chunk {
    /// One entry for each code unit that becomes a pair. After the first pass, the lower byte of an entry is the lower
    /// byte of the code unit, which is its position in its group of 256; the upper byte of an entry is the place of the
    /// group. After the second pass the entry is the unit's number, and after the third its pointer. The entries of one
    /// more step give space to the lanes that a vector stores after the last entry.
    found: [u16; UNITS_IN_STEP * (STEPS_IN_CHUNK + 1)],
    /// The number of entries.
    count: usize,
    /// The code units of each step that become pairs, one bit each.
    pairs: [u64; STEPS_IN_CHUNK],
}

impl Chunk {
    /// A chunk without steps.
    const EMPTY: Self =
        Chunk { found: [0; UNITS_IN_STEP * (STEPS_IN_CHUNK + 1)], count: 0, pairs: [0; STEPS_IN_CHUNK] };

    /// The first pass: from code units to entries of the chunk. Ends before a step that is all ASCII. Returns the
    /// number of code units in the chunk.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn fill(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16]) -> usize {
        let (tables, _) = encoding.listed().groups().as_chunks();
        let [a, b, c, d] = [&tables[0], &tables[1], &tables[2], &tables[3]].each(|table| load(table));
        let first_pair = Constants::new().units(0x80);
        self.count = 0;
        let mut rest = source;
        for step in &mut self.pairs {
            if rest.is_empty() {
                break;
            }
            let units = load_step(rest);
            let pairs = _mm512_cmpge_epu16_mask(units, first_pair) & lowest(rest.len()) as u32;
            *step = pairs.into();
            if pairs == 0 && rest.len() >= UNITS_IN_STEP {
                break;
            }
            rest = after(rest, UNITS_IN_STEP);
            // The upper byte of a code unit is the number of its group of 256. `vpermt2b` looks up in 128 bytes, so the
            // table of 256 groups takes two lookups, and the highest bit of the number chooses between them.
            let units = _mm512_maskz_compress_epi16(pairs, units);
            let high = _mm512_castsi256_si512(_mm512_cvtepi16_epi8(_mm512_srli_epi16::<8>(units)));
            let (lower, upper) = (_mm512_permutex2var_epi8(a, high, b), _mm512_permutex2var_epi8(c, high, d));
            let groups = _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(high), upper);
            let groups = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(groups));
            let in_groups = _mm512_mask_mov_epi8(units, ODD_BYTES, _mm512_slli_epi16::<8>(groups));
            if let Some(to) = block_mut(&mut self.found, self.count) {
                store_thirty_two(in_groups, to);
            }
            self.count += pairs.count_ones() as usize;
        }
        source.len() - rest.len()
    }

    /// The second pass: from code units to their numbers. The number of a code unit is the number of the first listed
    /// one in its block of 32, plus the count of listed ones before it in the block. A code unit that is not listed
    /// gets [`NO_POINTER`].
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn number(&mut self, listed: &Listed<'_>, gathers: bool) {
        let blocks = listed.blocks().as_ptr().cast::<u16>();
        let last_block = _mm256_set1_epi16(listed.blocks().len() as i16 - 2);
        let none = _mm256_set1_epi16(NO_POINTER as i16);
        for found in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)) {
            let units = load_sixteen(found);
            let place = _mm256_min_epu16(_mm256_srli_epi16::<5>(units), last_block);
            // A block has six bytes, and the gather counts in two bytes, so three times the place of a block is its
            // offset.
            let places = quarters(_mm256_add_epi16(_mm256_add_epi16(place, place), place));
            // `opaque` keeps the compiler from making two loops, one for each way to look up.
            let [lower, upper] = if opaque(gathers) {
                places.each(|places| {
                    let places = _mm256_cvtepu16_epi32(places);
                    // SAFETY: `place` is that of the last block but one at most, by the `min` above. The eight bytes
                    // from the start of that block on are in that block and the next one. `Listed::new` has checked
                    // that there are at least nine blocks.
                    unsafe { _mm512_i32gather_epi64::<2>(places, blocks.cast()) }
                })
            } else {
                places.each(|places| {
                    let fours = [_mm_cvtsi128_si64(places) as u64, _mm_extract_epi64::<1>(places) as u64];
                    let at = |at: usize| {
                        let place = (fours[at / 4] >> (at % 4 * 16)) as u16;
                        // SAFETY: as for the gather, the eight bytes are in two blocks: `place` is that of the last
                        // block but one at most.
                        unsafe { blocks.add(place.into()).cast::<i64>().read_unaligned() }
                    };
                    _mm512_setr_epi64(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))
                })
            };
            // Each lane of 64 bits begins with the bits of a block, in four bytes, and its first number, in two. The
            // bits of all 16 blocks are brought together in one vector, and their first numbers in another.
            let bits = join_halves(_mm512_cvtepi64_epi32(lower), _mm512_cvtepi64_epi32(upper));
            let first = join_halves(
                _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(lower)),
                _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(upper)),
            );
            let bit = _mm512_and_si512(_mm512_cvtepu16_epi32(units), _mm512_set1_epi32(31));
            let bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), bit);
            let before = _mm512_and_si512(bits, _mm512_sub_epi32(bit, _mm512_set1_epi32(1)));
            let number = _mm512_cvtepi32_epi16(_mm512_add_epi32(first, _mm512_popcnt_epi32(before)));
            store_sixteen(_mm256_mask_mov_epi16(none, _mm512_test_epi32_mask(bits, bit), number), found);
        }
    }

    /// The third pass: from numbers to pointers. The encoding is asked for pointers that the list does not have.
    /// Returns the index of the first code unit in `source` that has no pointer; `None` if every code unit has one.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16], gathers: bool) -> Option<usize> {
        let pointers = encoding.listed().pointers();
        let last = _mm256_set1_epi16((pointers.len() - 1) as i16);
        for (step, found) in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)).enumerate() {
            let numbers = load_sixteen(found);
            // Numbers of the run and NO_POINTER are not in the list, and stay as they are.
            let is_in_list = _mm256_cmplt_epu16_mask(numbers, last);
            // `opaque` keeps the compiler from making two loops, one for each way to look up.
            let found_here = if opaque(gathers) {
                // A gather loads two pointers at each place, so it must leave the last one out, which is NO_POINTER.
                let numbers = _mm512_cvtepu16_epi32(numbers);
                // SAFETY: a lane is gathered only if its number is less than `last`, by `is_in_list`; so the four bytes
                // from there on are this pointer and the next.
                let both =
                    unsafe { _mm512_mask_i32gather_epi32::<2>(numbers, is_in_list, numbers, pointers.as_ptr().cast()) };
                _mm512_cvtepi32_epi16(both)
            } else {
                let places = quarters(_mm256_min_epu16(numbers, last));
                // SAFETY: each place is at most `last`, the index of the last pointer, by the `min` above.
                // `Listed::new` has checked that there is one.
                let [lower, upper] = places.each(|places| unsafe { at_places(pointers, places) });
                _mm256_mask_mov_epi16(numbers, is_in_list, _mm256_set_m128i(upper, lower))
            };
            store_sixteen(found_here, found);
            let missing = _mm256_cmpge_epu16_mask(found_here, _mm256_set1_epi16(encoding.end() as i16));
            let missing = missing & lowest(self.count - 16 * step) as u16;
            if missing != 0 {
                let stop = ask_encoding(encoding, source, &self.pairs, (16 * step, missing), found);
                if stop.is_some() {
                    return stop;
                }
            }
        }
        None
    }

    /// The last pass: turns the pointers of `source` into bytes and writes them between those of ASCII. Stops where
    /// `destination` is full. Returns `(read, written)`.
    ///
    /// ```text
    /// units      0061   3042   0062
    /// pairs      .      1      .
    /// expanded   .      ptr    .             the next pointer of the list
    /// bytes      61 .   L  t   62 .          compressed to 61 L t 62
    /// ```
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn write(&self, encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written, mut taken) = (0, 0, 0);
        for &pairs in &self.pairs {
            let (rest, room) = (after(source, read), after_mut(destination, written));
            let (false, Some(pointers)) = (rest.is_empty(), block(&self.found, taken)) else { break };
            let pointers = _mm512_maskz_expand_epi16(pairs as u32, load_thirty_two(pointers));
            let bytes = _mm512_mask_mov_epi16(load_step(rest), pairs as u32, bytes_of(encoding, pointers));
            // Every code unit keeps its first byte, and a pair its second byte too.
            let all = lowest(rest.len());
            let mut kept = _pdep_u64(all, !ODD_BYTES) | _pdep_u64(all & pairs, ODD_BYTES);
            let is_full = kept.count_ones() as usize > room.len();
            if is_full {
                // The lane of the first byte that does not fit, rounded down to the first lane of its code unit.
                let without_space = _pdep_u64(1 << room.len(), kept).trailing_zeros() & !1;
                kept &= lowest(without_space as usize);
            }
            let length = kept.count_ones() as usize;
            let bytes = compress(bytes, kept);
            match room.first_chunk_mut() {
                Some(room) => store(bytes, room),
                None => store_up_to(bytes, up_to_mut(room, length)),
            }
            taken += pairs.count_ones() as usize;
            read += (kept & !ODD_BYTES).count_ones() as usize;
            written += length;
            if is_full {
                break;
            }
        }
        (read, written)
    }
}

/// Loads the code units of a step; zeros after the end of `source`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn load_step(source: &[u16]) -> __m512i {
    match source.first_chunk() {
        Some(units) => load_thirty_two(units),
        None => load_thirty_two_up_to(source),
    }
}

/// Asks the encoding for the `missing` pointers of 16, of which the first is entry `number` of the chunk. Returns the
/// index of the first code unit in `source` that has no pointer. The list of pairs does not say which code unit an
/// entry belongs to; [`origin_of`] finds it by the masks of the steps.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn ask_encoding(
    encoding: &ToDoubleByte<'_>,
    source: &[u16],
    pairs: &[u64; STEPS_IN_CHUNK],
    (number, mut missing): (usize, u16),
    pointers: &mut [u16; 16],
) -> Option<usize> {
    while missing != 0 {
        let at = missing.trailing_zeros() as usize % 16;
        let (step, place) = origin_of(pairs, number + at);
        let place = UNITS_IN_STEP * step + place;
        pointers[at] = source.get(place).map_or(NO_POINTER, |&unit| encoding.other(unit));
        if pointers[at] >= encoding.end() {
            return Some(place);
        }
        missing &= missing - 1;
    }
    None
}

/// The leading and the trailing byte of each of 32 pointers, in the order in which they stand in memory.
///
/// The row is the quotient of the pointer and the number of columns, computed as a product with the reciprocal; the
/// column is the remainder. A [`Part`] gives the number to add to a row or a column to make it a byte.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn bytes_of(encoding: &ToDoubleByte<'_>, pointers: __m512i) -> __m512i {
    let (columns, leading, trailing) = (encoding.columns(), encoding.leading(), encoding.trailing());
    let all = |number: u16| _mm512_set1_epi16(number as i16);
    let run = encoding.listed().run();
    let pointers = if run.is_empty() { pointers } else { with_run(run, pointers) };
    let row = _mm512_srlv_epi16(_mm512_mulhi_epu16(pointers, all(columns.factor())), all(columns.shift()));
    let column = _mm512_sub_epi16(pointers, _mm512_mullo_epi16(row, all(columns.number())));
    let byte = |part: Part, number| {
        let is_upper = _mm512_cmpge_epu16_mask(number, all(part.split().into()));
        let byte = _mm512_add_epi16(number, all(part.lower().into()));
        _mm512_mask_add_epi16(byte, is_upper, byte, all((part.upper() - part.lower()).into()))
    };
    _mm512_add_epi16(byte(leading, row), _mm512_slli_epi16::<8>(byte(trailing, column)))
}

/// Replaces the numbers of `run` by their pointers. All other lanes are less than the first number.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn with_run(run: &Run, pointers: __m512i) -> __m512i {
    let all = |number: u16| _mm512_set1_epi16(number as i16);
    let (first, columns) = (all(run.first()), run.columns());
    let in_run = _mm512_cmpge_epu16_mask(pointers, first);
    let distance = _mm512_sub_epi16(pointers, first);
    let row = _mm512_srlv_epi16(_mm512_mulhi_epu16(distance, all(columns.factor())), all(columns.shift()));
    let more = _mm512_add_epi16(distance, _mm512_mullo_epi16(row, all(run.skipped())));
    _mm512_mask_add_epi16(pointers, in_run, more, all(run.first_pointer()))
}
