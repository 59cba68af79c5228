//! Encodings of one and two bytes per character, 64 bytes a step.
//!
//! Which byte leads and which trails is decided for 64 bytes at once. A byte of the lead range takes the next one with it,
//! whatever that is; so in a run of such bytes every other one trails, and only the first of a run depends on what was
//! before it. Adding a run's first bit to the run carries through it, which tells its end's parity:
//!
//! ```text
//! bytes          a  L  t  L  L  L  L  t  b        (t: not in the lead range)
//! in lead range  .  1  .  1  1  1  1  .  .
//! leads          .  1  .  1  .  1  .  .  .
//! trails         .  .  1  .  1  .  1  .  .        here the last L trails, and the t after it stands alone
//! ```
//!
//! Two passes over a chunk: the first writes places in the table into the destination, the second turns them into
//! characters. With both in one pass the loads of the second wait for the stores of the first.

use core::arch::x86_64::*;

use super::{
    ascii::{self, low_bytes, widened},
    compress::compress,
    memory::{load, load_units, store, store_units},
};
use crate::{
    blocks::block_mut,
    double_byte::{ALONE, DoubleByte, Listed, NO_ROW, NULL, ToDoubleByte, is_surrogate},
    pointers::{self, Vectors},
    scalar::double_byte as scalar,
};

/// Steps in a chunk: what the second pass reads is still in the first-level cache.
const STEPS: usize = 16;

/// What the first pass knows of the 64 bytes of a step.
#[derive(Clone, Copy)]
struct Step {
    /// Where characters start.
    starts: u64,
    /// Which characters of the step, in order, are pairs.
    pairs: u64,
    /// Where its first character is written.
    written: usize,
}

/// Fewer bytes than this are done one by one.
const FEW: usize = 16;

/// Converts by chunks.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    // So that a place without a character is one past all rows, and two units can be loaded from any place.
    assert!(encoding.table.ends_with(&[NULL; 2]), "the table ends in NULL, twice");
    assert!(encoding.table.len() <= usize::from(NO_ROW) * usize::from(encoding.columns), "too many rows");
    assert!(encoding.columns <= 0xFF, "columns are bytes");
    if source.len() < FEW {
        return scalar::to_utf16(encoding, source, destination);
    }
    let tables = Tables::of(encoding);
    let (mut read, mut written) = (0, 0);
    // Few at first: where the next error is near, little is done in vain.
    let mut limit = 2;
    loop {
        let chunk = tables.places(&source[read..], &mut destination[written..], limit);
        let text = &mut destination[written..][..chunk.written];
        if let Some((bytes, units)) = characters(encoding, &chunk, &source[read..], text) {
            return (read + bytes, written + units);
        }
        read += chunk.read;
        written += chunk.written;
        if chunk.is_last {
            break;
        }
        // Without a pair it is likely to be ASCII, and more to follow.
        if chunk.read == chunk.written {
            let run = ascii::widen(&source[read..], &mut destination[written..]);
            (read, written) = (read + run, written + run);
        }
        limit = STEPS.min(2 * limit);
    }
    let rest = &source[read..];
    if (FEW..=64).contains(&rest.len()) {
        let (units, bytes, length) = tables.rest(encoding, rest);
        if let Some(room) = destination.get_mut(written..written + length) {
            room.copy_from_slice(&units[..length]);
            return (read + bytes, written + length);
        }
    }
    let (more_read, more_written) = scalar::to_utf16(encoding, rest, &mut destination[written..]);
    (read + more_read, written + more_written)
}

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
    let most = encoding.listed.groups.iter().max().expect("256 groups");
    assert!(encoding.listed.blocks.len() >= 16 * (usize::from(*most) + 1), "every group has 16 blocks");
    assert!(encoding.listed.pointers.len() >= 2, "numbers can be one past all that are listed");
    let pointers = |listed: &Listed<'_>, units: &[u16; 64], pairs: u64, to: &mut [u16; 64]| {
        // SAFETY: see the assertions above.
        unsafe { pointers_of(listed, units, pairs, to) }
    };
    pointers::from_utf16(encoding, source, destination, Vectors { less, pointers, narrow, write })
}

/// The pointers of those of 64 code units that are in the mask, 16 at a time. Returns the greatest.
///
/// Gathers: what is gathered depends on what was gathered before, but one unit does not depend on another.
///
/// # Safety
/// There are 16 blocks for every group, and two pointers at least.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn pointers_of(listed: &Listed<'_>, units: &[u16; 64], pairs: u64, to: &mut [u16; 64]) -> u16 {
    let (tables, _) = listed.groups.as_chunks();
    let [a, b, c, d] = [&tables[0], &tables[1], &tables[2], &tables[3]].map(|table| load(table));
    let halves = load_units(units).map(|units| _mm512_srli_epi16::<8>(units));
    let high = low_bytes(halves[0], halves[1]);
    let (lower, upper) = (_mm512_permutex2var_epi8(a, high, b), _mm512_permutex2var_epi8(c, high, d));
    let groups = _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(high), upper);
    // One less than the last, for two pointers are loaded at a time.
    let last = _mm512_set1_epi32(listed.pointers.len() as i32 - 2);
    let (units, _) = units.as_chunks();
    let (to, _) = to.as_chunks_mut();
    let quarters = [
        _mm512_castsi512_si128(groups),
        _mm512_extracti32x4_epi32::<1>(groups),
        _mm512_extracti32x4_epi32::<2>(groups),
        _mm512_extracti32x4_epi32::<3>(groups),
    ];
    let mut greatest = _mm512_setzero_si512();
    for (quarter, groups) in quarters.into_iter().enumerate() {
        let pairs = (pairs >> (16 * quarter)) as u16;
        let units = _mm512_cvtepu16_epi32(load_sixteen(&units[quarter]));
        let fifteen = _mm512_set1_epi32(15);
        let place = _mm512_add_epi32(
            _mm512_slli_epi32::<4>(_mm512_cvtepu8_epi32(groups)),
            _mm512_and_si512(_mm512_srli_epi32::<4>(units), fifteen),
        );
        // SAFETY: a place is that of a group's block, and a block has four bytes.
        let blocks = unsafe {
            _mm512_mask_i32gather_epi32::<4>(_mm512_setzero_si512(), pairs, place, listed.blocks.as_ptr().cast())
        };
        let bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(units, fifteen));
        let before = _mm512_and_si512(blocks, _mm512_sub_epi32(bit, _mm512_set1_epi32(1)));
        let number = _mm512_add_epi32(_mm512_srli_epi32::<16>(blocks), _mm512_popcnt_epi32(before));
        let is_listed = _mm512_mask_test_epi32_mask(pairs, blocks, bit);
        let number = _mm512_min_epu32(number, last);
        // SAFETY: a number is less than that of the last pointer, and the four bytes from there on are two pointers.
        let pointers = unsafe {
            _mm512_mask_i32gather_epi32::<2>(_mm512_set1_epi32(-1), is_listed, number, listed.pointers.as_ptr().cast())
        };
        let pointers = _mm512_and_si512(pointers, _mm512_set1_epi32(0xFFFF));
        greatest = _mm512_mask_max_epu32(greatest, pairs, greatest, pointers);
        store_sixteen(_mm512_cvtepi32_epi16(pointers), &mut to[quarter]);
    }
    _mm512_reduce_max_epu32(greatest) as u16
}

/// What the first pass did.
struct Chunk {
    steps: [Step; STEPS],
    length: usize,
    read: usize,
    written: usize,
    /// Whether the first pass cannot go on.
    is_last: bool,
}

impl Chunk {
    /// The steps that were taken.
    fn steps(&self) -> &[Step] {
        &self.steps[..self.length]
    }
}

/// The tables of an encoding in registers.
struct Tables {
    rows: (__m512i, __m512i),
    singles_low: (__m512i, __m512i),
    singles_high: (__m512i, __m512i),
    columns: __m512i,
    trailing: [[__m512i; 3]; 2],
}

impl Tables {
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn of(encoding: &DoubleByte<'_>) -> Self {
        let (rows, _) = encoding.rows.as_chunks();
        let (singles, _) = encoding.singles.as_chunks();
        let (lower, upper) = (load_units(&singles[0]), load_units(&singles[1]));
        let low = |[first, second]: [__m512i; 2]| low_bytes(first, second);
        let high =
            |[first, second]: [__m512i; 2]| low_bytes(_mm512_srli_epi16::<8>(first), _mm512_srli_epi16::<8>(second));
        Tables {
            rows: (load(&rows[0]), load(&rows[1])),
            singles_low: (low(lower), low(upper)),
            singles_high: (high(lower), high(upper)),
            columns: _mm512_set1_epi16(encoding.columns as i16),
            trailing: encoding.trailing.map(|range| {
                [range.first, range.last - range.first, range.first.wrapping_sub(range.column)]
                    .map(|byte| _mm512_set1_epi8(byte as i8))
            }),
        }
    }

    /// Converts at most 64 bytes. Returns the text, how many bytes were read and how long it is.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn rest(&self, encoding: &DoubleByte<'_>, source: &[u8]) -> ([u16; 64], usize, usize) {
        // In an array that is long enough. What follows the source there makes no pair with its last byte.
        let (mut from, mut text) = ([0; 65], [0; 64]);
        from[..source.len()].copy_from_slice(source);
        let chunk = self.places(&from, &mut text, 1);
        let stop = characters(encoding, &chunk, &from, &mut text[..chunk.written]);
        let (bytes, units) = stop.unwrap_or((chunk.read, chunk.written));
        // Each byte behind it became a code unit.
        let read = bytes.min(source.len());
        (text, read, units - (bytes - read))
    }

    /// The first pass: writes a code unit for each character, which for a pair is its place in the table.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn places(&self, source: &[u8], destination: &mut [u16], limit: usize) -> Chunk {
        let step = Step { starts: 0, pairs: 0, written: 0 };
        let mut chunk = Chunk { steps: [step; STEPS], length: 0, read: 0, written: 0, is_last: false };
        // Whether the first byte of the next step trails.
        let mut carry = 0;
        while chunk.length < limit {
            let at = 64 * chunk.length;
            // A step also looks at the byte behind it.
            let (Some(next), Some(room)) =
                (source[at.min(source.len())..].first_chunk::<65>(), destination[chunk.written..].first_chunk_mut())
            else {
                chunk.is_last = true;
                break;
            };
            let [bytes, behind] = [next.first_chunk(), next.last_chunk()].map(|block| load(block.expect("65 bytes")));
            let high = _mm512_movepi8_mask(bytes);
            let step = &mut chunk.steps[chunk.length];
            step.written = chunk.written;
            chunk.length += 1;
            if high | carry == 0 {
                (step.starts, step.pairs) = (!0, 0);
                store_units(widened(bytes), room);
                chunk.written += 64;
                continue;
            }

            let rows = _mm512_permutex2var_epi8(self.rows.0, bytes, self.rows.1);
            let in_lead_range = _mm512_cmpneq_epi8_mask(rows, _mm512_set1_epi8(ALONE as i8)) & high;
            let trails = trails(in_lead_range, carry);
            let leads = in_lead_range & !trails;
            let (columns, in_trail_range) = self.columns_of(behind);
            let rows = _mm512_mask_mov_epi8(rows, !in_trail_range, _mm512_set1_epi8(NO_ROW as i8));

            // A byte that stands alone is itself or what `singles` say.
            let alone = high & !leads & !trails;
            let (mut low, mut upper) = (bytes, _mm512_setzero_si512());
            let mut wrong = 0;
            if alone != 0 {
                let single = _mm512_permutex2var_epi8(self.singles_low.0, bytes, self.singles_low.1);
                low = _mm512_mask_mov_epi8(low, alone, single);
                upper = _mm512_maskz_permutex2var_epi8(alone, self.singles_high.0, bytes, self.singles_high.1);
                wrong = alone
                    & _mm512_cmpeq_epi8_mask(low, _mm512_set1_epi8(NULL as i8))
                    & _mm512_cmpeq_epi8_mask(upper, _mm512_set1_epi8((NULL >> 8) as i8));
            }

            // The characters before the first wrong one.
            let starts = !trails & wrong.wrapping_sub(1) & !wrong;
            step.starts = starts;
            step.pairs = _pext_u64(leads, starts);
            // Side by side: the low byte or the column, the high byte or the row.
            let low = compress(_mm512_mask_mov_epi8(low, leads, columns), starts);
            let upper = compress(_mm512_mask_mov_epi8(upper, leads, rows), starts);
            self.put_places(room, low, upper, step.pairs);
            chunk.written += starts.count_ones() as usize;

            if wrong != 0 {
                chunk.read = at + wrong.trailing_zeros() as usize;
                chunk.is_last = true;
                return chunk;
            }
            carry = leads >> 63;
        }
        // A chunk ends between characters: a pair that begins with the last byte is taken whole.
        chunk.read = 64 * chunk.length + carry as usize;
        chunk
    }

    /// The columns of 64 trailing bytes, and which of them are trailing bytes at all.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn columns_of(&self, bytes: __m512i) -> (__m512i, u64) {
        let [lower, upper] = self.trailing.map(|[first, length, less]| {
            let inside = _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, first), length);
            (_mm512_sub_epi8(bytes, less), inside)
        });
        (_mm512_mask_mov_epi8(lower.0, upper.1, upper.0), lower.1 | upper.1)
    }

    /// Writes 64 code units: of the characters that are pairs, row times columns plus column.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn put_places(&self, room: &mut [u16; 64], low: __m512i, high: __m512i, pairs: u64) {
        let halves = [
            (_mm512_castsi512_si256(low), _mm512_castsi512_si256(high), pairs as u32),
            (_mm512_extracti64x4_epi64::<1>(low), _mm512_extracti64x4_epi64::<1>(high), (pairs >> 32) as u32),
        ];
        let units = halves.map(|(low, high, pairs)| {
            let (low, high) = (_mm512_cvtepu8_epi16(low), _mm512_cvtepu8_epi16(high));
            let unit = _mm512_or_si512(_mm512_slli_epi16::<8>(high), low);
            let place = _mm512_add_epi16(_mm512_mullo_epi16(high, self.columns), low);
            _mm512_mask_mov_epi16(unit, pairs, place)
        });
        store_units(units, room);
    }
}

/// The second pass: turns the places of pairs into characters. Returns how many bytes and code units are before the first
/// that does not exist or is no single code unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn characters(encoding: &DoubleByte<'_>, chunk: &Chunk, source: &[u8], text: &mut [u16]) -> Option<(usize, usize)> {
    let last = _mm256_set1_epi16((encoding.table.len() - 2) as i16);
    for (number, step) in chunk.steps().iter().enumerate() {
        let mut pairs = step.pairs;
        let mut at = step.written;
        while pairs != 0 {
            // Over what stands alone to the next pair.
            let skipped = pairs.trailing_zeros();
            at += skipped as usize;
            pairs >>= skipped;
            let pairs_here = pairs as u16;
            let missing = match text[at..].first_chunk_mut::<16>() {
                Some(sixteen) => {
                    let before = load_sixteen(sixteen);
                    let places = _mm256_min_epu16(before, last);
                    let after = _mm256_mask_mov_epi16(before, pairs_here, look_up(encoding.table, places, pairs_here));
                    store_sixteen(after, sixteen);
                    nulls(after) & pairs_here
                }
                // At the very end of the text.
                None => pairs_here,
            };
            if missing != 0 {
                let source = &source[64 * number..];
                if let Some((bytes, units)) = one_by_one(encoding, step, source, text, at, missing) {
                    return Some((64 * number + bytes, units));
                }
            }
            at += 16;
            pairs = pairs.checked_shr(16).unwrap_or(0);
        }
    }
    None
}

/// Turns the pairs of `missing` at `at` into characters from their bytes. `source` starts with those of `step`. Returns how
/// many bytes of it and how many code units are before the first that is no single code unit.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn one_by_one(
    encoding: &DoubleByte<'_>,
    step: &Step,
    source: &[u8],
    text: &mut [u16],
    at: usize,
    mut missing: u16,
) -> Option<(usize, usize)> {
    while missing != 0 {
        let at = at + missing.trailing_zeros() as usize;
        let read = _pdep_u64(1 << (at - step.written), step.starts).trailing_zeros() as usize;
        let unit = encoding.pair(source[read], source[read + 1]);
        if unit == NULL || is_surrogate(unit) {
            return Some((read, at));
        }
        text[at] = unit;
        missing &= missing - 1;
    }
    None
}

/// The units of `table` at those of 16 places that are in the mask. Each must be less than that of the last unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(table: &[u16], places: __m256i, pairs: u16) -> __m256i {
    let places = _mm512_cvtepu16_epi32(places);
    // SAFETY: `characters` bounds every place, and the four bytes from there on are two units.
    let units =
        unsafe { _mm512_mask_i32gather_epi32::<2>(_mm512_setzero_si512(), pairs, places, table.as_ptr().cast()) };
    _mm512_cvtepi32_epi16(units)
}

/// A bit for each of 16 code units that is [`NULL`] or a surrogate.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn nulls(units: __m256i) -> u16 {
    let surrogates = _mm256_and_si256(units, _mm256_set1_epi16(0xF800u16 as i16));
    _mm256_cmpeq_epi16_mask(units, _mm256_set1_epi16(NULL as i16))
        | _mm256_cmpeq_epi16_mask(surrogates, _mm256_set1_epi16(0xD800u16 as i16))
}

/// Which of 64 bytes trail, from which are in the lead range and whether the first one trails.
#[inline]
fn trails(in_lead_range: u64, first_trails: u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    // A byte that trails leads nothing.
    let can_lead = in_lead_range & !first_trails;
    // The run's first bit is subtracted from a word of odd bits: the parity of the end of each run comes out.
    let ends = ((can_lead << 1) | ODD).wrapping_sub(can_lead);
    (ends ^ ODD) ^ (in_lead_range | first_trails)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn load_sixteen(units: &[u16; 16]) -> __m256i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn store_sixteen(units: __m256i, room: &mut [u16; 16]) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), units) }
}
