//! Decoding of text with many pairs, in two passes over a chunk of up to eight steps of 64 bytes.
//!
//! The first pass writes one entry for each character: for a pair, its place in the table with the highest bit set; for
//! any other character, its byte. The second pass replaces places by code units, eight entries at a time. The second
//! pass does not need to know where steps begin. In a single pass, loads of eight entries would wait for the shorter
//! stores just before them, and the masks of each step would wait for the lookups of the step before.
//!
//! [`at_places`] and [`trails`] also serve the bodies for AVX-512.

use crate::double_byte::tables::{ALONE, DoubleByte, NO_ROW, NULL};
use crate::{base::*, vector::avx2::*};

/// Steps in a chunk. The entries of a chunk are still in the first-level cache when the second pass reads them.
const STEPS_IN_CHUNK: usize = 8;
/// Pairs up to which a step of 64 bytes is left to the loop for few pairs. See
/// `docs/experiments.md#pairs-with-avx2-and-neon`.
pub(crate) const FEW_UP_TO_PAIRS: u32 = 18;
/// The highest bit of an entry says that it is the place of a pair. Places are less than this bit, and so are the bytes
/// of other characters.
pub(crate) const PAIR_BIT: u16 = 0x8000;

/// The classes of 64 bytes: masks with one bit for each byte.
pub(crate) struct Masks {
    /// Bytes that are not ASCII.
    pub(crate) high: u64,
    /// Leading bytes.
    pub(crate) leads: u64,
    /// Trailing bytes. The first byte may be the trailing byte of a pair that starts before the step.
    pub(crate) trails: u64,
}

/// The steps of a chunk, as the first pass has found them.
struct Chunk {
    /// The first bytes of characters in each step.
    starts: [u64; STEPS_IN_CHUNK],
    /// The bytes in each step that are not ASCII and belong to no pair.
    alone: [u64; STEPS_IN_CHUNK],
    /// The number of steps.
    steps: usize,
    /// The number of bytes that the first pass has read.
    read: usize,
    /// The number of entries that the first pass has written.
    written: usize,
}

impl Chunk {
    /// A chunk without steps.
    const EMPTY: Self =
        Chunk { starts: [0; STEPS_IN_CHUNK], alone: [0; STEPS_IN_CHUNK], steps: 0, read: 0, written: 0 };

    /// The first pass, over at most `limit` steps and the first `length` bytes of `source`. `places` is the first pass
    /// for one step; it returns `None` if the step has few pairs.
    ///
    /// Steps begin at fixed distances of 64 bytes, even where that cuts a pair. So a step needs only one fact about the
    /// step before: whether a pair took its first byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn fill(
        &mut self,
        (source, length): (&[u8], usize),
        destination: &mut [u16],
        limit: usize,
        places: impl Fn(&[u8; 65], u64, &mut [u16; 64]) -> Option<Masks>,
    ) {
        (self.steps, self.read, self.written) = (0, 0, 0);
        let mut taken = 0;
        for (step, alone) in self.starts.iter_mut().zip(&mut self.alone).take(limit) {
            // A step also needs the byte after its 64 bytes, which is the trailing byte of a pair if the last byte of
            // the step leads one.
            let (Some(from), Some(room)) = (block(source, self.read), block_mut(destination, self.written)) else {
                break;
            };
            let Some(Masks { high, leads, trails }) = places(from, taken, room) else { break };
            // Bytes from `length` on do not count, nor does a leading byte just before them. At least one byte is
            // before `length`: after the last step, `source` is too short for another one.
            let end = (length - self.read).min(64);
            let is_cut = self.read + end == length && leads >> (end - 1) & 1 == 1;
            let end = end - usize::from(is_cut);
            (*step, *alone) = (_bzhi_u64(!trails, end as u32), high & !leads & !trails);
            self.steps += 1;
            self.read += end;
            self.written += step.count_ones() as usize;
            taken = leads >> 63 & u64::from(!is_cut);
        }
        // The trailing byte of a pair that begins with the chunk's last byte belongs to the chunk.
        self.read += taken as usize;
        // The second pass takes eight entries at a time. Entries after the last one are cleared, so that they are no
        // places.
        if let Some(more) = block_mut::<_, 8>(destination, self.written) {
            more.fill(0);
        }
    }

    /// The second pass: replaces places by code units, and other bytes beyond ASCII by their characters. [`look_up`]
    /// does the former for the whole chunk at once, and says whether anything may be missing. Only in a chunk where
    /// something is, or where bytes stand alone, the steps are gone through one by one, with the masks that the first
    /// pass has kept. Returns `None` if every character has a code unit; otherwise the number of bytes and code units
    /// before the first that has none.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn characters(&self, encoding: &DoubleByte<'_>, source: &[u8], text: &mut [u16]) -> Option<(usize, usize)> {
        let any_missing = look_up(encoding, text, self.written);
        if !any_missing && self.alone == [0; STEPS_IN_CHUNK] {
            return None;
        }
        let (mut read, mut written) = (0, 0);
        for (&starts, &alone) in self.starts.iter().zip(&self.alone).take(self.steps) {
            let (source, text) = (after(source, read), after_mut(text, written));
            let nulls = put_singles(encoding.singles(), (starts, alone), source, text);
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

/// Writes the characters of the bytes `alone`, which are not ASCII and belong to no pair, to their places among the
/// characters that start at the bits of `starts`. Returns whether a byte has no character.
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

/// Converts the first `length` bytes of `source` in steps, as long as each step has many pairs. A step also reads the
/// bytes of `source` after them, which are zeros. Returns `(read, written)`.
///
/// `places` is a function that does the first pass for one step. Its first argument has the 64 bytes of the step and
/// the byte after them. Its second argument is 1 if the first byte of the step is the trailing byte of a pair that
/// starts before the step, otherwise 0. It returns `None` if the step has few pairs.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn by_chunks(
    encoding: &DoubleByte<'_>,
    (source, length): (&[u8], usize),
    destination: &mut [u16],
    places: &impl Fn(&[u8; 65], u64, &mut [u16; 64]) -> Option<Masks>,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut chunk = Chunk::EMPTY;
    // The first chunk has two steps, and each further chunk has twice as many, up to eight. So little work is lost if
    // an error is near.
    let mut limit = 2;
    loop {
        let (source, destination) = (after(source, read), after_mut(destination, written));
        chunk.fill((source, length - read), destination, limit, places);
        let stop = chunk.characters(encoding, source, destination);
        let (bytes, units) = stop.unwrap_or((chunk.read, chunk.written));
        (read, written) = (read + bytes, written + units);
        if chunk.steps < limit || stop.is_some() {
            return (read, written);
        }
        limit = STEPS_IN_CHUNK.min(2 * limit);
    }
}

/// Replaces the places among the first `length` entries of `text` by the code units that the table has there. Returns
/// whether any of these entries may now be [missing](is_missing).
///
/// A maximum and a minimum answer this for all entries at once. `greatest` is [`NULL`] if any entry is [`NULL`],
/// because [`DoubleByte::new`] has checked that no entry is greater. `nearest` has zeros in its five upper bits if any
/// entry is a surrogate, because an exclusive or with the first surrogate clears these bits of a surrogate.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(encoding: &DoubleByte<'_>, text: &mut [u16], length: usize) -> bool {
    let table = encoding.table();
    // `DoubleByte::new` has checked that the table is not empty and has fewer than 0x8000 entries.
    let last = _mm_set1_epi16((table.len() - 1) as i16);
    let surrogate = _mm_set1_epi16(0xD800_u16 as i16);
    let (mut greatest, mut nearest) = (_mm_setzero_si128(), _mm_set1_epi16(-1));
    // `text` has space for 64 entries where the last step begins. A step has at least eight pairs, so at most 56
    // entries, and the last eight are inside.
    let (eights, _) = text.as_chunks_mut();
    debug_assert!(length <= 8 * eights.len());
    for eight in eights.iter_mut().take(length.div_ceil(8)) {
        let units = load_half_units(eight);
        let places = _mm_min_epu16(_mm_and_si128(units, _mm_set1_epi16(!PAIR_BIT as i16)), last);
        // SAFETY: each place is at most `last`, the index of the last entry of the table, by the `min` above. `last` is
        // exact as a number of 16 bits, because `DoubleByte::new` has checked that the table has fewer than 0x8000
        // entries.
        let found = unsafe { at_places(table, places) };
        let units = _mm_blendv_epi8(units, found, _mm_srai_epi16::<15>(units));
        store_half_units(units, eight);
        // See the function's documentation.
        greatest = _mm_max_epu16(greatest, units);
        nearest = _mm_min_epu16(nearest, _mm_xor_si128(units, surrogate));
    }
    let nulls = _mm_cmpeq_epi16(greatest, _mm_set1_epi16(NULL as i16));
    let surrogates = _mm_cmpeq_epi16(_mm_srli_epi16::<11>(nearest), _mm_setzero_si128());
    let missing = _mm_or_si128(nulls, surrogates);
    _mm_testz_si128(missing, missing) == 0
}

/// The entries of the table at eight places.
///
/// # Safety
/// Each place must be less than the table's length.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) unsafe fn at_places(table: &[u16], places: __m128i) -> __m128i {
    let fours = [_mm_cvtsi128_si64(places) as u64, _mm_extract_epi64::<1>(places) as u64];
    // SAFETY: the index is one of the eight places, all of which the caller guarantees to be in the table.
    let unit = |at: usize| unsafe { *table.get_unchecked(usize::from((fours[at / 4] >> (at % 4 * 16)) as u16)) } as i16;
    _mm_setr_epi16(unit(0), unit(1), unit(2), unit(3), unit(4), unit(5), unit(6), unit(7))
}

/// Asks the encoding for the pairs of a step that are not in the table. Returns the number of bytes and of code units
/// before the first character that has no single code unit; `None` if every character has one.
///
/// Eight entries are compared at once, which gives a mask of the missing ones. `rest` has a bit for each byte that
/// starts a character of this round or a later one. `pdep` moves bit *n* of a number to the *n*th of these bits, and so
/// finds the byte at which the *n*th entry starts.
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
            // `rest` has no bit for entries after the last character of the step.
            let read = start.trailing_zeros() as usize;
            let (false, [first, second, ..]) = (start == 0, after(source, read)) else { return None };
            match rare_character(encoding, *first, *second) {
                Some((unit, _)) => eight[at] = unit,
                None => return Some((read, 8 * number + at)),
            }
            missing &= missing - 1;
        }
        // The lowest eight bits of `rest` are the characters of this round. They are cleared.
        rest = _pdep_u64(!0xFF, rest);
        if rest == 0 {
            break;
        }
    }
    None
}

/// All ones in the lanes whose units [are missing](is_missing), zeros in the others.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn missing_units(units: __m128i) -> __m128i {
    let null = _mm_cmpeq_epi16(units, _mm_set1_epi16(NULL as i16));
    let highest = _mm_and_si128(units, _mm_set1_epi16(0xF800_u16 as i16));
    _mm_or_si128(null, _mm_cmpeq_epi16(highest, _mm_set1_epi16(0xD800_u16 as i16)))
}

/// The code unit of a character that is not in the table, and the number of its bytes; `None` if it has no single code
/// unit. `first` is not ASCII.
#[inline(never)]
pub(crate) fn rare_character(encoding: &DoubleByte<'_>, first: u8, second: u8) -> Option<(u16, u8)> {
    let (unit, length) = match encoding.rows()[usize::from(first & 0x7F)] {
        ALONE => (encoding.singles()[usize::from(first & 0x7F)], 1),
        NO_ROW => (encoding.other(&[first, second]), 2),
        _ => (encoding.pair(first, second), 2),
    };
    (!is_missing(unit)).then_some((unit, length))
}

/// The trailing bytes among 64 bytes. `in_lead_range` are the bytes in the lead range. `taken` is 1 if the first byte
/// is the trailing byte of a pair that starts before the 64 bytes, otherwise 0. The drawing in
/// `docs/kernels.md#lead-and-trail-bytes` shows an example.
///
/// In a run of bytes in the lead range, the first byte leads, the second trails, and so on by turns; after a run of odd
/// length, the next byte trails, which is not in the lead range.
#[inline(always)]
pub(crate) fn trails(in_lead_range: u64, taken: u64) -> u64 {
    /// The odd positions.
    const ODD_BITS: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let free = in_lead_range & !taken;
    // The subtraction works on each run alone, because no borrow goes further than the position after a run. A run that
    // starts at an even position keeps its bits, and the position after it becomes 0. A run that starts at an odd
    // position loses its bits, and the position after it becomes 1. In both cases, the exclusive or with the odd
    // positions gives the leading bytes of the run, and the byte after the run if it is a trailing byte.
    let ends = ((free << 1) | ODD_BITS).wrapping_sub(free);
    // This exclusive or removes the leading bytes from the runs, so that the trailing bytes remain.
    (ends ^ ODD_BITS) ^ (in_lead_range | taken)
}
