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
    double_byte::{ALONE, DoubleByte, NO_ROW, NULL, ToDoubleByte, is_surrogate},
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

/// Converts whole steps, and the end of the source one by one.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    // So that a place without a character is one past all rows, and no place is past a code unit.
    assert!(encoding.table.last() == Some(&NULL), "the table ends in NULL");
    assert!(encoding.table.len() <= usize::from(NO_ROW) * usize::from(encoding.columns), "too many rows");
    assert!(encoding.columns <= 0xFF, "columns are bytes");
    if source.len() <= 64 {
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
        limit = STEPS.min(2 * limit);
    }
    let (more_read, more_written) = scalar::to_utf16(encoding, &source[read..], &mut destination[written..]);
    (read + more_read, written + more_written)
}

/// Converts from UTF-16 by chunks.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
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
    pointers::from_utf16(encoding, source, destination, Vectors { less, narrow, write })
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
    let last = _mm_set1_epi16((encoding.table.len() - 1) as i16);
    for (number, step) in chunk.steps().iter().enumerate() {
        let mut pairs = step.pairs;
        let mut at = step.written;
        while pairs != 0 {
            // Over what stands alone to the next pair.
            let skipped = pairs.trailing_zeros();
            at += skipped as usize;
            pairs >>= skipped;
            let missing = match text[at..].first_chunk_mut::<8>() {
                Some(eight) => {
                    let before = load_eight(eight);
                    let places = _mm_min_epu16(_mm_maskz_mov_epi16(pairs as u8, before), last);
                    let after = _mm_mask_mov_epi16(before, pairs as u8, look_up(encoding.table, places));
                    store_eight(eight, after);
                    nulls(after) & pairs as u8
                }
                // At the very end of the text.
                None => (pairs & 0xFF) as u8,
            };
            if missing != 0 {
                let source = &source[64 * number..];
                if let Some((bytes, units)) = one_by_one(encoding, step, source, text, at, missing) {
                    return Some((64 * number + bytes, units));
                }
            }
            at += 8;
            pairs = pairs.checked_shr(8).unwrap_or(0);
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
    mut missing: u8,
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

/// The units of `table` at eight places, all of which must be in it.
///
/// Loads one by one: gathering is slower on AMD.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(table: &[u16], places: __m128i) -> __m128i {
    // SAFETY: `characters` bounds every place by that of the last unit, and `to_utf16` asserts that there is one.
    let unit = |place: u64| unsafe { *table.get_unchecked(usize::from(place as u16)) } as i32;
    // Two words and shifts: taking eight lanes out of a vector one by one takes twice the instructions.
    let (first, second) = (_mm_cvtsi128_si64(places) as u64, _mm_extract_epi64::<1>(places) as u64);
    let mut units = _mm_cvtsi32_si128(unit(first));
    units = _mm_insert_epi16::<1>(units, unit(first >> 16));
    units = _mm_insert_epi16::<2>(units, unit(first >> 32));
    units = _mm_insert_epi16::<3>(units, unit(first >> 48));
    units = _mm_insert_epi16::<4>(units, unit(second));
    units = _mm_insert_epi16::<5>(units, unit(second >> 16));
    units = _mm_insert_epi16::<6>(units, unit(second >> 32));
    _mm_insert_epi16::<7>(units, unit(second >> 48))
}

/// A bit for each of eight code units that is [`NULL`] or a surrogate.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn nulls(units: __m128i) -> u8 {
    let surrogates = _mm_and_si128(units, _mm_set1_epi16(0xF800u16 as i16));
    _mm_cmpeq_epi16_mask(units, _mm_set1_epi16(NULL as i16))
        | _mm_cmpeq_epi16_mask(surrogates, _mm_set1_epi16(0xD800u16 as i16))
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
fn load_eight(units: &[u16; 8]) -> __m128i {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_loadu_si128(units.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn store_eight(room: &mut [u16; 8], units: __m128i) {
    // SAFETY: the array is as long as the vector.
    unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), units) }
}
