//! Encoding of UTF-16 into encodings with one and two bytes for each character, in two passes over chunks of 64 code
//! units.
//!
//! The first pass looks up the pointers of code units: all of them together where most become pairs, and otherwise one
//! after the other, without a branch that depends on whether a code unit is ASCII. The second pass turns pointers into
//! bytes, which is arithmetic on 16 of them at a time, and moves the bytes together by shuffles. In the rare chunk with
//! a pointer that the list does not have, the encoding is asked between the passes.
//!
//! ```text
//! units       61    65E5  672C  62                Shift_JIS: a, 日, 本, b
//! pointers    0     P     Q     0                 ASCII gets 0, which is not used
//! bytes       61 –  93 FA 96 7B 62 –              16 bits for each: row and column make the two bytes of a pair
//! together    61 93 FA 96 7B 62                   a shuffle for eight lanes drops the byte that ASCII does not have
//! ```
//!
//! The last chunk is padded with zeros to 64 code units, and their bytes are not counted. Where the destination is too
//! short for a whole vector, the bytes go through a buffer. A code unit without a pointer ends the conversion: the
//! second pass has written the chunk before it is known where, and only the bytes before that place count.

pub(crate) mod from_utf8;

pub(crate) use self::from_utf8::markup_from_utf8;

use super::scalar;
use super::tables::listed::{Block, Listed, Run};
use super::tables::{Part, ToDoubleByte};
use crate::level::{self, Level};
use crate::{ascii::avx2 as ascii, base::*, utf8::shuffles::both_or_first, vector::avx2::*};

/// Code units in a chunk.
const UNITS_IN_CHUNK: usize = 64;
/// The greatest number of code units of ASCII in a chunk where all code units are looked up together. See
/// `docs/experiments.md#encoding-to-pairs`.
const TOGETHER_UP_TO_SINGLES: u32 = 36;
/// Length of a source, in code units, below which [`few_from_utf16`] encodes it: a chunk takes about as long for one
/// unit as for all 64. From this length on, a chunk took no longer than the scalar body if all units became pairs.
/// Measured on Sapphire Rapids: 15 to 17 code units in Shift_JIS, EUC-JP and GBK; 20 where half of the units are ASCII.
/// See `docs/experiments.md#short-input`.
const SCALAR_BELOW_UNITS: usize = 16;
/// The greatest length of a text, in bytes of UTF-8, that is encoded directly, where chunks are encoded by AVX2. See
/// `docs/experiments.md#short-input`.
const FEW_BYTES: usize = 48;
/// The same where chunks are encoded by AVX-512.
const FEW_BYTES_IN_AVX512: usize = 32;

/// The body of [`crate::to_double_byte::from_utf16`].
///
/// A chunk has 64 code units, or those that are left and zeros after them. A mask says which are ASCII. The first pass
/// finds the pointers of the others: where at most [`TOGETHER_UP_TO_SINGLES`] are ASCII it looks up all 64 in vectors,
/// otherwise one by one. The encoding is asked for pointers that the list does not have. The second pass, [`write`],
/// makes bytes of the whole chunk. If a code unit has no pointer, only the bytes before it count: two for each code
/// unit, less one for each that is ASCII. Fewer than [`SCALAR_BELOW_UNITS`] at the end are encoded one by one.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_UNITS {
        return few_from_utf16(encoding, source, destination);
    }
    let (mut read, mut written) = (0, 0);
    // A copy of the last code units, and space for the bytes of a chunk near the end of `destination`.
    let (mut padded, mut bytes) = ([0; UNITS_IN_CHUNK], [0; 2 * UNITS_IN_CHUNK]);
    loop {
        let rest = after(source, read);
        let length = rest.len().min(UNITS_IN_CHUNK);
        if length < SCALAR_BELOW_UNITS {
            break;
        }
        if length < UNITS_IN_CHUNK {
            padded[..length].copy_from_slice(rest);
        }
        let from = rest.first_chunk().unwrap_or(&padded);
        let (halves, _) = from.as_chunks();
        // A bit of `singles` stands for a code unit that becomes one byte.
        let [first, second] = [0, 1].each(|half| u64::from(ascii_units(load_units(&halves[half]))));
        let singles = first | second << 32;
        if singles == !0 && length == UNITS_IN_CHUNK {
            let run = ascii::narrow(rest, after_mut(destination, written));
            (read, written) = (read + run, written + run);
            if run < UNITS_IN_CHUNK {
                return (read, written);
            }
            continue;
        }
        let (Aligned(pointers), mut found) = (&mut Aligned([0; UNITS_IN_CHUNK]), length);
        if singles.count_ones() > TOGETHER_UP_TO_SINGLES {
            look_up(*encoding.listed(), from, !singles, pointers);
        } else {
            look_up_all(encoding.listed(), from, pointers);
        }
        if any_is_at_least(pointers, encoding.end()) {
            found = ask_encoding(encoding, up_to(from, length), pointers);
        }
        // The bytes go to `destination`, or through a buffer where it is too short for a vector. Both cases share one
        // call, because the code of `write` is long.
        let (room, is_short) = match block_mut(destination, written) {
            Some(room) => (room, false),
            None => (&mut bytes, true),
        };
        let mut all = write(encoding, pointers, from, singles, room);
        // Only the code units before the first one without a pointer, or before the padding, count.
        if found < UNITS_IN_CHUNK {
            all = 2 * found - (singles & !(!0 << found)).count_ones() as usize;
        }
        if is_short {
            let (Some(room), Some(bytes)) = (destination.get_mut(written..written + all), bytes.get(..all)) else {
                break;
            };
            room.copy_from_slice(bytes);
        }
        (read, written) = (read + found, written + all);
        if found < UNITS_IN_CHUNK {
            return (read, written);
        }
    }
    and_rest((read, written), source, destination, |from, to| few_from_utf16(encoding, from, to))
}

/// Encodes one code unit after the other; see [`crate::to_double_byte::from_utf16`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn few_from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    each_unit(encoding, source, utf16_unit, destination)
}

/// The body of [`crate::to_double_byte::few_from_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn few_from_utf8(encoding: &ToDoubleByte<'_>, source: &str, destination: &mut [u8]) -> (usize, usize) {
    let most = if level::level() == Level::Avx512 { FEW_BYTES_IN_AVX512 } else { FEW_BYTES };
    if source.len() > most {
        return (0, 0);
    }
    each_unit(encoding, source.as_bytes(), utf8_unit, destination)
}

/// Encodes one character after the other, also ASCII. `unit` returns the first code unit of a source and its length
/// there; `None` where the conversion stops. Always inlined, so that a caller counts bits with `popcnt`.
#[inline(always)]
fn each_unit<S>(
    encoding: &ToDoubleByte<'_>,
    source: &[S],
    unit: impl Fn(&[S]) -> Option<(u16, usize)>,
    destination: &mut [u8],
) -> (usize, usize) {
    let (mut rest, mut written) = (source, 0);
    while let Some((unit, length)) = unit(rest) {
        if unit < 0x80 {
            let Some(room) = destination.get_mut(written) else { break };
            *room = unit as u8;
            written += 1;
        } else {
            let Some(room) = block_mut(destination, written) else { break };
            let Some(pair) = scalar::pair(encoding, unit) else { break };
            *room = pair;
            written += 2;
        }
        rest = after(rest, length);
    }
    (source.len() - rest.len(), written)
}

/// The first character of UTF-8 as a code unit, and its length in bytes; `None` if it is not one code unit.
#[inline(always)]
pub(crate) fn utf8_unit(source: &[u8]) -> Option<(u16, usize)> {
    let bits = |byte: u8| u16::from(byte & 0x3F);
    match *source {
        [byte @ ..0x80, ..] => Some((byte.into(), 1)),
        [first @ 0xE0..0xF0, second, third, ..] => Some((u16::from(first) << 12 | bits(second) << 6 | bits(third), 3)),
        [first @ ..0xE0, second, ..] => Some((bits(first & 0x1F) << 6 | bits(second), 2)),
        _ => None,
    }
}

/// For [`each_unit`]: the first code unit of UTF-16.
#[inline(always)]
fn utf16_unit(source: &[u16]) -> Option<(u16, usize)> {
    Some((*source.first()?, 1))
}

/// Aligned to the lines of the cache, so that none of the array's vectors lies in two lines: the vectors are loaded
/// right after they were stored.
#[repr(align(64))]
struct Aligned([u16; UNITS_IN_CHUNK]);

/// A mask of the code units, among 32, that are ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_units(units: [__m256i; 2]) -> u32 {
    // A saturating subtraction of 0x7F leaves 0 exactly for units below 0x80.
    let most = _mm256_set1_epi16(0x7F);
    let less = |units| _mm256_cmpeq_epi16(_mm256_subs_epu16(units, most), _mm256_setzero_si256());
    // Packing alternates eight bytes of one vector with eight of the other; the permutation restores their order.
    let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(less(units[0]), less(units[1])));
    _mm256_movemask_epi8(packed) as u32
}

/// The first pass where few code units become pairs: looks up the pointers of those in the mask `pairs`; those of the
/// run get their numbers instead. The result is [`NO_POINTER`] for a code unit for which the list has no
/// pointer.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(listed: Listed<'_>, units: &[u16; UNITS_IN_CHUNK], mut pairs: u64, pointers: &mut [u16; UNITS_IN_CHUNK]) {
    while pairs != 0 {
        let at = pairs.trailing_zeros() as usize;
        if let (Some(pointer), Some(&unit)) = (pointers.get_mut(at), units.get(at)) {
            *pointer = listed.pointer_or_number(unit);
        }
        pairs &= pairs - 1;
    }
}

/// The first pass where most code units become pairs: looks all of them up, eight at a time. ASCII gets 0.
///
/// Three loops follow the drawing at [`Listed`]. Each of the first two stores vectors with the places of the next
/// lookup, and the next loop loads these places one by one. In a single loop, each place would have to be taken out of
/// a vector, which is one more instruction.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_all(listed: &Listed<'_>, units: &[u16; UNITS_IN_CHUNK], pointers: &mut [u16; UNITS_IN_CHUNK]) {
    let all = |number: usize| _mm_set1_epi16(number as i16);
    let mut places = [[0; 8]; UNITS_IN_CHUNK / 8];
    // `opaque` hides the length of the loops from the compiler, as in `write`.
    let (chunk, eights, places) = opaque((units.as_chunks().0, pointers.as_chunks_mut().0, &mut places[..]));

    // From units to offsets of their blocks, in units of two bytes: a block has six bytes. `Listed::new` has checked
    // that there are at least nine blocks, and at most 2049.
    let last_but_one = all(listed.blocks().len() - 2);
    for (offsets, units) in eights.iter_mut().zip(chunk) {
        let group = |at: usize| listed.groups()[usize::from(units[at] >> 8)].into();
        let groups = _mm_setr_epi16(group(0), group(1), group(2), group(3), group(4), group(5), group(6), group(7));
        let in_group = _mm_and_si128(_mm_srli_epi16::<5>(load_half_units(units)), all(7));
        let place = _mm_min_epu16(_mm_or_si128(_mm_slli_epi16::<3>(groups), in_group), last_but_one);
        store_half_units(_mm_add_epi16(place, _mm_add_epi16(place, place)), offsets);
    }

    // From blocks to numbers, as in `Listed::pointer_or_number`; and from these to places in the list.
    let last = all(listed.pointers().len() - 1);
    for ((numbers, units), places) in eights.iter_mut().zip(chunk).zip(places.iter_mut()) {
        // SAFETY: each offset is that of the last block but one at most, by the `min` in the loop above.
        let (bits, first) = unsafe { blocks_at(listed.blocks(), numbers) };
        let distance = _mm_andnot_si128(load_half_units(units), all(31));
        let up_to_unit = _mm256_sllv_epi32(bits, _mm256_cvtepu16_epi32(distance));
        let number = _mm256_add_epi32(first, _mm256_add_epi32(count_ones(up_to_unit), _mm256_set1_epi32(-1)));
        // All ones where the unit is not listed.
        let missing = _mm256_cmpgt_epi32(_mm256_setzero_si256(), up_to_unit);
        let missing = _mm256_xor_si256(missing, _mm256_set1_epi32(-1));
        let number = _mm256_and_si256(_mm256_or_si256(number, missing), _mm256_set1_epi32(0xFFFF));
        let number = _mm_packus_epi32(_mm256_castsi256_si128(number), _mm256_extracti128_si256::<1>(number));
        store_half_units(number, numbers);
        store_half_units(_mm_min_epu16(number, last), places);
    }

    // From places in the list to pointers.
    for ((pointers, units), places) in eights.iter_mut().zip(chunk).zip(places.iter()) {
        // SAFETY: each place is at most that of the last pointer, by the `min` in the loop above. `Listed::new` has
        // checked that there is one.
        let pointers_here = places.each(|place| unsafe { *listed.pointers().get_unchecked(usize::from(place)) } as i16);
        let [a, b, c, d, e, f, g, h] = pointers_here;
        let found = _mm_setr_epi16(a, b, c, d, e, f, g, h);
        // Numbers of the run and NO_POINTER are not in the list, and stay as they are.
        let (numbers, units) = (load_half_units(pointers), load_half_units(units));
        let is_in_list = _mm_cmpeq_epi16(numbers, load_half_units(places));
        let is_pair = _mm_cmpeq_epi16(_mm_max_epu16(units, all(0x80)), units);
        store_half_units(_mm_and_si128(_mm_blendv_epi8(numbers, found, is_in_list), is_pair), pointers);
    }
}

/// The bits and the first numbers of the blocks at eight offsets, in lanes of 32 bits. The upper half of a lane with a
/// first number has no meaning.
///
/// # Safety
/// Each offset, times two bytes, must be that of a block with another block after it.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn blocks_at(blocks: &[Block], offsets: &[u16; 8]) -> (__m256i, __m256i) {
    let block = |at: usize| {
        let start = blocks.as_ptr().cast::<u16>();
        // SAFETY: the caller guarantees two blocks from this offset on, which are twelve bytes. Eight are read.
        unsafe { start.add(offsets[at].into()).cast::<i64>().read_unaligned() }
    };
    // A block is four bytes of bits and two of its first number. The shuffles work in each half of a vector.
    let two = |at: usize| _mm_set_epi64x(block(at + 1), block(at));
    let [a, b] = [0, 2].each(|at| _mm256_castsi256_ps(_mm256_set_m128i(two(at + 4), two(at))));
    let (bits, first) = (_mm256_shuffle_ps::<0b10_00_10_00>(a, b), _mm256_shuffle_ps::<0b11_01_11_01>(a, b));
    (_mm256_castps_si256(bits), _mm256_castps_si256(first))
}

/// The number of ones in each lane of 32 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_ones(lanes: __m256i) -> __m256i {
    let of_four_bits = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let four_bits = _mm256_set1_epi8(0x0F);
    let [lower, upper] = [lanes, _mm256_srli_epi16::<4>(lanes)]
        .each(|bits| _mm256_shuffle_epi8(of_four_bits, _mm256_and_si256(bits, four_bits)));
    let of_two_bytes = _mm256_maddubs_epi16(_mm256_add_epi8(lower, upper), _mm256_set1_epi8(1));
    _mm256_madd_epi16(of_two_bytes, _mm256_set1_epi16(1))
}

/// Whether one of the entries is `end` or greater.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn any_is_at_least(pointers: &[u16; UNITS_IN_CHUNK], end: u16) -> bool {
    let greater = |a, b| _mm256_max_epu16(a, b);
    let [a, b, c, d] = [0, 1, 2, 3].each(|at| load_sixteen_units(&pointers.as_chunks().0[at]));
    let greatest = greater(greater(a, b), greater(c, d));
    let end = _mm256_set1_epi16(end as i16);
    let reached = _mm256_cmpeq_epi16(greater(greatest, end), greatest);
    _mm256_testz_si256(reached, reached) == 0
}

/// Asks the encoding for the pointers that the list does not have. Returns the number of code units before the first
/// one that has no pointer.
#[cold]
#[inline(never)]
fn ask_encoding(encoding: &ToDoubleByte<'_>, source: &[u16], pointers: &mut [u16; UNITS_IN_CHUNK]) -> usize {
    for (at, (pointer, &unit)) in pointers.iter_mut().zip(source).enumerate() {
        if *pointer >= encoding.end() && unit >= 0x80 {
            *pointer = encoding.other(unit);
            if *pointer >= encoding.end() {
                return at;
            }
        }
    }
    source.len()
}

/// The second pass: writes the leading and the trailing byte of each pointer, and the first byte of each code unit in
/// the mask `singles`. Returns the number of bytes. The stores also overwrite some bytes after those that count.
///
/// The row is the quotient of the pointer and the number of columns, computed as a product with the reciprocal; the
/// column is the remainder. A shuffle moves the bytes of eight code units together.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write(
    encoding: &ToDoubleByte<'_>,
    pointers: &[u16; UNITS_IN_CHUNK],
    units: &[u16; UNITS_IN_CHUNK],
    mut singles: u64,
    room: &mut [u8; 2 * UNITS_IN_CHUNK],
) -> usize {
    let (columns, leading, trailing) = (encoding.columns(), encoding.leading(), encoding.trailing());
    let all = |number: u16| _mm256_set1_epi16(number as i16);
    let shift = _mm_cvtsi32_si128(columns.shift().into());
    let run = encoding.listed().run();
    let byte = |part: Part, number| {
        // Rows and columns are small, so a signed comparison is right.
        let is_lower = _mm256_cmpgt_epi16(all(part.split().into()), number);
        let more = _mm256_andnot_si256(is_lower, all((part.upper() - part.lower()).into()));
        _mm256_add_epi16(_mm256_add_epi16(number, all(part.lower().into())), more)
    };
    let mut written = 0;
    // `opaque` hides the length of the loop from the compiler. Four copies of its body would be 1 KB, and no faster.
    for (pointers, units) in opaque(pointers.as_chunks().0).iter().zip(units.as_chunks().0) {
        let (mut numbers, units) = (load_sixteen_units(pointers), load_sixteen_units(units));
        if !run.is_empty() {
            numbers = with_run(run, numbers);
        }
        // Without `opaque`, the compiler widens the factor to 32 bits before the loop, and no longer sees that one
        // instruction multiplies in 16 bits.
        let row = _mm256_srl_epi16(_mm256_mulhi_epu16(numbers, all(opaque(columns.factor()))), shift);
        let column = _mm256_sub_epi16(numbers, _mm256_mullo_epi16(row, all(columns.number())));
        let pair = _mm256_or_si256(byte(leading, row), _mm256_slli_epi16::<8>(byte(trailing, column)));
        let is_pair = _mm256_cmpeq_epi16(_mm256_max_epu16(units, all(0x80)), units);
        let lanes = _mm256_blendv_epi8(units, pair, is_pair);

        let [lower, upper, ..] = singles.to_le_bytes();
        let [shuffle, upper_shuffle] = [lower, upper].each(|singles| load_half(both_or_first(!singles)));
        let bytes = _mm256_shuffle_epi8(lanes, _mm256_set_m128i(upper_shuffle, shuffle));
        for (bytes, singles) in halves(bytes).into_iter().zip([lower, upper]) {
            if let Some(to) = block_mut(room, written) {
                store_half(bytes, to);
            }
            written += 16 - singles.count_ones() as usize;
        }
        singles >>= 16;
    }
    written
}

/// Replaces the numbers of `run` by their pointers. All other lanes are less than the first number, or have no meaning.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_run(run: &Run, pointers: __m256i) -> __m256i {
    let all = |number: u16| _mm256_set1_epi16(number as i16);
    let (first, columns) = (all(run.first()), run.columns());
    let in_run = _mm256_cmpeq_epi16(_mm256_max_epu16(pointers, first), pointers);
    let distance = _mm256_sub_epi16(pointers, first);
    let shift = _mm_cvtsi32_si128(columns.shift().into());
    let row = _mm256_srl_epi16(_mm256_mulhi_epu16(distance, all(columns.factor())), shift);
    let more = _mm256_add_epi16(distance, _mm256_mullo_epi16(row, all(run.skipped())));
    _mm256_blendv_epi8(pointers, _mm256_add_epi16(more, all(run.first_pointer())), in_run)
}
