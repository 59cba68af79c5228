//! Pairs of bytes where they are many, in two passes over a chunk of some steps.
//!
//! The first pass writes a code unit for each character: for a pair, its place in the table, with the highest bit set. The second
//! turns places into characters, eight at a time, and does not have to know where steps begin. In one pass loads would wait for
//! stores of other lengths right before them, and the places of a step for all lookups of the one before.

use core::arch::x86_64::*;

use super::memory::{load_half_units, store_half_units};
use crate::{
    blocks::{after, after_mut, block, block_mut},
    double_byte::{ALONE, DoubleByte, NULL},
};

/// Steps in a chunk: what a pass reads is still in the first-level cache.
const STEPS: usize = 8;
/// As many pairs as this in 64 bytes, or less, are few.
pub(super) const FEW: u32 = 18;
/// The highest bit of a unit that is the place of a pair. Places are less, and so are the units of single bytes before the second pass.
pub(super) const PAIR: u16 = 0x8000;

/// What 64 bytes are: a bit each.
pub(super) struct Masks {
    /// Not ASCII.
    pub(super) high: u64,
    /// Leading bytes.
    pub(super) leads: u64,
    /// Trailing bytes, of which the first may belong to what is before.
    pub(super) trails: u64,
}

/// What the first pass did.
struct Chunk {
    /// Where characters start among the 64 bytes of each step.
    starts: [u64; STEPS],
    /// Where bytes are characters that are not ASCII.
    alone: [u64; STEPS],
    /// How many steps there are.
    steps: usize,
    read: usize,
    written: usize,
}

impl Chunk {
    const EMPTY: Self = Chunk { starts: [0; STEPS], alone: [0; STEPS], steps: 0, read: 0, written: 0 };

    /// The first pass, over `limit` steps at most. Steps begin at fixed distances, so that the next one needs to know nothing of this one
    /// but whether a pair took its first byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn fill(
        &mut self,
        source: &[u8],
        destination: &mut [u16],
        limit: usize,
        places: impl Fn(&[u8; 65], u64, &mut [u16; 64]) -> Option<Masks>,
    ) {
        (self.steps, self.read, self.written) = (0, 0, 0);
        let mut taken = 0;
        for (step, alone) in self.starts.iter_mut().zip(&mut self.alone).take(limit) {
            // A step also looks at the byte behind it.
            let (Some(from), Some(room)) = (block(source, self.read), block_mut(destination, self.written)) else {
                break;
            };
            let Some(Masks { high, leads, trails }) = places(from, taken, room) else { break };
            (*step, *alone) = (!trails, high & !leads & !trails);
            self.steps += 1;
            self.read += 64;
            self.written += step.count_ones() as usize;
            taken = leads >> 63;
        }
        // A pair that begins with the last byte is taken whole.
        self.read += taken as usize;
        // What is looked up together with the last ones is no pair.
        if let Some(more) = block_mut::<_, 8>(destination, self.written) {
            more.fill(0);
        }
    }

    /// The second pass: turns places into characters, and puts the single bytes between them. Returns how many bytes and code units
    /// are before the first that is none.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn characters(&self, encoding: &DoubleByte<'_>, source: &[u8], text: &mut [u16]) -> Option<(usize, usize)> {
        let any_missing = look_up(encoding.table, text, self.written);
        if !any_missing && self.alone == [0; STEPS] {
            return None;
        }
        let (mut read, mut written) = (0, 0);
        for (&starts, &alone) in self.starts.iter().zip(&self.alone).take(self.steps) {
            let (source, text) = (after(source, read), after_mut(text, written));
            let nulls = put_singles(encoding.singles, (starts, alone), source, text);
            if (any_missing || nulls)
                && let Some((bytes, units)) = one_by_one(encoding, starts, source, text)
            {
                return Some((read + bytes, written + units));
            }
            read += 64;
            written += starts.count_ones() as usize;
        }
        None
    }
}

/// Puts the characters of single bytes, which are `alone`, among those that start. Returns whether one is none.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_singles(singles: &[u16; 128], (starts, mut alone): (u64, u64), source: &[u8], text: &mut [u16]) -> bool {
    let mut nulls = false;
    while alone != 0 {
        let lowest = _blsi_u64(alone);
        let before = (starts & (lowest - 1)).count_ones() as usize;
        if let (Some(byte), Some(unit)) = (source.get(alone.trailing_zeros() as usize), text.get_mut(before)) {
            *unit = singles[usize::from(byte & 0x7F)];
            nulls |= *unit == NULL;
        }
        alone ^= lowest;
    }
    nulls
}

/// Converts while pairs are many. `places` is the first pass over 64 bytes, and nothing where pairs are few; it also gets whether the
/// first byte trails a pair before it (1 or 0). Returns how many bytes were read and units written.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn by_chunks(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [u16],
    places: &impl Fn(&[u8; 65], u64, &mut [u16; 64]) -> Option<Masks>,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut chunk = Chunk::EMPTY;
    // Few at first: where the next error is near, little is done in vain.
    let mut limit = 2;
    loop {
        let (source, destination) = (after(source, read), after_mut(destination, written));
        chunk.fill(source, destination, limit, places);
        let stop = chunk.characters(encoding, source, destination);
        let (bytes, units) = stop.unwrap_or((chunk.read, chunk.written));
        read += bytes;
        written += units;
        if chunk.read == 0 || stop.is_some() {
            return (read, written);
        }
        limit = STEPS.min(2 * limit);
    }
}

/// Puts characters from the table in the place of the first `length` units that are places of pairs. Returns whether any of these may
/// be missing.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(table: &[u16], text: &mut [u16], length: usize) -> bool {
    let Some(last) = table.len().checked_sub(1) else { return true };
    let last = _mm_set1_epi16(last.min(usize::from(!PAIR)) as i16);
    let surrogate = _mm_set1_epi16(0xD800_u16 as i16);
    let (mut greatest, mut nearest) = (_mm_setzero_si128(), _mm_set1_epi16(-1));
    // There is room for 64 units where the last step begins, which has 46 at most.
    let (eights, _) = text.as_chunks_mut();
    debug_assert!(length <= 8 * eights.len());
    for eight in eights.iter_mut().take(length.div_ceil(8)) {
        let units = load_half_units(eight);
        let places = _mm_min_epu16(_mm_and_si128(units, _mm_set1_epi16(!PAIR as i16)), last);
        // SAFETY: none is behind the last one.
        let found = unsafe { at_places(table, places) };
        let units = _mm_blendv_epi8(units, found, _mm_srai_epi16::<15>(units));
        store_half_units(units, eight);
        // There is none greater than NULL, and surrogates differ from the first one in their lower bits only.
        greatest = _mm_max_epu16(greatest, units);
        nearest = _mm_min_epu16(nearest, _mm_xor_si128(units, surrogate));
    }
    let nulls = _mm_cmpeq_epi16(greatest, _mm_set1_epi16(NULL as i16));
    let surrogates = _mm_cmpeq_epi16(_mm_srli_epi16::<11>(nearest), _mm_setzero_si128());
    let missing = _mm_or_si128(nulls, surrogates);
    _mm_testz_si128(missing, missing) == 0
}

/// What the table has at eight places.
///
/// # Safety
/// They are in the table.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::x86_64) unsafe fn at_places(table: &[u16], places: __m128i) -> __m128i {
    let fours = [_mm_cvtsi128_si64(places) as u64, _mm_extract_epi64::<1>(places) as u64];
    // SAFETY: as for this function.
    let unit = |at: usize| unsafe { *table.get_unchecked(usize::from((fours[at / 4] >> (at % 4 * 16)) as u16)) } as i16;
    _mm_setr_epi16(unit(0), unit(1), unit(2), unit(3), unit(4), unit(5), unit(6), unit(7))
}

/// Asks the encoding for the pairs of a step that the table lacks. Returns how many bytes and how many code units are before the first
/// character that is no single code unit.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_by_one(encoding: &DoubleByte<'_>, starts: u64, source: &[u8], text: &mut [u16]) -> Option<(usize, usize)> {
    let mut rest = starts;
    for (number, eight) in text.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut missing = _pext_u32(_mm_movemask_epi8(missing_units(load_half_units(eight))) as u32, 0x5555);
        while missing != 0 {
            let at = missing.trailing_zeros() as usize % 8;
            let start = _pdep_u64(1 << at, rest);
            // Nothing starts behind the last character.
            let read = start.trailing_zeros() as usize;
            let (false, [first, second, ..]) = (start == 0, after(source, read)) else { return None };
            match other(encoding, *first, *second) {
                Some((unit, _)) => eight[at] = unit,
                None => return Some((read, 8 * number + at)),
            }
            missing &= missing - 1;
        }
        // Those behind these eight.
        rest = _pdep_u64(!0xFF, rest);
        if rest == 0 {
            break;
        }
    }
    None
}

/// Whether a code unit stands for none.
pub(super) fn is_missing(unit: u16) -> bool {
    unit == NULL || unit >> 11 == 0xD800 >> 11
}

/// All ones in the units that [are missing](is_missing).
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn missing_units(units: __m128i) -> __m128i {
    let null = _mm_cmpeq_epi16(units, _mm_set1_epi16(NULL as i16));
    let highest = _mm_and_si128(units, _mm_set1_epi16(0xF800_u16 as i16));
    _mm_or_si128(null, _mm_cmpeq_epi16(highest, _mm_set1_epi16(0xD800_u16 as i16)))
}

/// The code unit of a character that the table lacks, and how many of its bytes, of which the first is not ASCII, it has; `None` if it
/// is no single code unit.
#[inline(never)]
pub(super) fn other(encoding: &DoubleByte<'_>, first: u8, second: u8) -> Option<(u16, u8)> {
    let (unit, length) = match encoding.rows[usize::from(first & 0x7F)] {
        ALONE => (encoding.singles[usize::from(first & 0x7F)], 1),
        _ => (encoding.pair(first, second), 2),
    };
    (!is_missing(unit)).then_some((unit, length))
}

/// Which of 64 bytes trail, from which are in the lead range, and whether the first one is `taken` by the byte before it (1 or 0).
#[inline(always)]
pub(in crate::x86_64) fn trails(in_lead_range: u64, taken: u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let free = in_lead_range & !taken;
    // A run's first bit is subtracted from a word of odd bits: the parity of the end of each run comes out.
    let ends = ((free << 1) | ODD).wrapping_sub(free);
    (ends ^ ODD) ^ (in_lead_range | taken)
}
