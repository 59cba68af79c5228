//! Decoding of text with pairs of bytes, in three passes over a chunk of eight steps of 64 bytes.
//!
//! A chunk holds text in which every pair has one code unit and every byte that stands alone is ASCII; anything else
//! ends the chunk, and the single step of [`double_byte`](crate::double_byte::avx512) converts it.
//!
//! The number of pairs in a step is unpredictable, and a mispredicted branch takes longer than the lookup of several
//! pairs. So branches depend on the number of pairs in a chunk, and not in a step. Each pass does one thing for the
//! whole chunk, so that no lookup waits for the masks of the next step:
//!
//! 1. [`Chunk::fill`] computes the places of pairs in the table and compresses them into one list.
//! 2. [`Chunk::look_up`] replaces each place by the code unit that the table has there.
//! 3. [`Chunk::write_utf16`] or [`Chunk::write_utf8`] inserts these characters between those of ASCII.
//!
//! ```text
//! bytes       a  L  t  b  L  t  │  L  t  c  …     two steps
//! leads       .  1  .  .  1  .  │  1  .  .        kept for the third pass
//! places      P  Q  R                             one list: the second pass does not see where a step ends
//! units       P  Q  R                             their code units, 16 at a time
//! ```
//!
//! A step whose last byte leads a pair takes the first byte of the next step with it; `taken` says so. A chunk needs no
//! test for its end: the lanes of the list after the last pair hold old places, which are limited to the table, and
//! what is found for them is not used. The end of the source, of fewer than 65 bytes, is left to the single step.

use core::mem::MaybeUninit;

use super::tables::{Block, Tables};
use crate::double_byte::avx2::places::at_places;
use crate::double_byte::tables::{DoubleByte, NULL};
use crate::{ascii::avx512 as ascii, base::*, level, utf8::from_utf16::avx512::more_to_utf8, vector::avx512::*};

/// Steps in a chunk. With sixteen, no text was converted faster. See `docs/experiments.md#pairs-with-avx-512`.
const STEPS_IN_CHUNK: usize = 8;
/// The greatest number of pairs among sixteen that may be missing in the table. The encoding is asked for each of these
/// pairs. A chunk ends before sixteen pairs with more missing ones, because the single step takes 16 pairs by their
/// rules at a time: traditional Chinese in GBK, most of which follows from rules, converts 1.85 times as fast (Zen 5).
/// See `docs/experiments.md#pairs-with-avx-512`.
const ASK_UP_TO_PAIRS: u32 = 3;
/// Pairs in a step of 64 bytes, at most.
const PAIRS_IN_STEP: usize = 32;

/// Converts to UTF-16. Stops before a step that has a malformed pair, a pair without a single code unit or a byte
/// beyond ASCII that stands alone; before the last 64 bytes; and where `destination` has no space for 64 code units.
/// Returns `(read, written)`.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let run = |from: &_, to: &mut _| ascii::widen(from, to);
    by_chunks(encoding, source, destination, run, |chunk, from, to| chunk.write_utf16(from, to))
}

/// Converts to UTF-8. Stops where [`to_utf16`] stops, and where `destination` has no space for [`STEP_SPACE_BYTES`]
/// bytes. Returns `(read, written)`. The code units of a chunk's pairs become UTF-8 all at once, before the last pass.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let mut memory = [MaybeUninit::uninit(); CHUNK_UTF8_BYTES];
    let utf8 = initialised(&mut memory);
    let run = |from: &_, to: &mut _| ascii::copy(from, to);
    by_chunks(encoding, source, destination, run, |chunk, from, to| {
        more_to_utf8(up_to(&chunk.pairs, chunk.count), utf8);
        chunk.write_utf8(utf8, from, to)
    })
}

/// Converts chunk by chunk until one of them reads nothing. The three passes go over each chunk one after the other;
/// the next chunk begins where the last pass, `write`, has stopped. Where 64 bytes of ASCII come first, there is
/// nothing to look up: `run` moves them, and all ASCII after them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn by_chunks<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    run: impl Fn(&[u8], &mut [D]) -> usize,
    mut write: impl FnMut(&Chunk, &[u8], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    let tables = Tables::of(encoding);
    let mut chunk = Chunk::EMPTY;
    let (mut read, mut written) = (0, 0);
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if rest.first_chunk().is_some_and(|bytes| _mm512_movepi8_mask(load(bytes)) == 0) {
            let run = run(rest, room);
            (read, written) = (read + run, written + run);
            if run < 64 {
                break;
            }
            continue;
        }
        chunk.fill(&tables, rest);
        chunk.look_up(&tables, rest);
        let (bytes, items) = write(&chunk, rest, room);
        (read, written) = (read + bytes, written + items);
        if bytes == 0 {
            break;
        }
    }
    (read, written)
}

/// Bytes of space that a step needs in the destination. Half a step writes at most 32 bytes and one more byte for each
/// of its [`PAIRS_IN_STEP`] / 2 pairs; a vector of 64 bytes is stored from there on.
const STEP_SPACE_BYTES: usize = 32 + PAIRS_IN_STEP / 2 + 64;

/// Bytes for the UTF-8 of a chunk's pairs, three for each, and for the vector that the last pass loads after them.
const CHUNK_UTF8_BYTES: usize = 3 * PAIRS_IN_STEP * STEPS_IN_CHUNK + 64;

/// The steps of a chunk, and the results of the passes over them.
#[repr(align(64))]
struct Chunk {
    /// The places of pairs in the table; after the second pass, their code units. The entries of one more step give
    /// space to the lanes that a vector stores after the last pair.
    pairs: [u16; PAIRS_IN_STEP * (STEPS_IN_CHUNK + 1)],
    /// The number of pairs.
    count: usize,
    /// The leading bytes of each step, one bit each. A pair whose leading byte is the last byte of a step belongs to
    /// that step.
    leads: [u64; STEPS_IN_CHUNK],
    /// The number of steps.
    length: usize,
}

impl Chunk {
    /// A chunk without steps.
    const EMPTY: Self =
        Chunk { pairs: [0; PAIRS_IN_STEP * (STEPS_IN_CHUNK + 1)], count: 0, leads: [0; STEPS_IN_CHUNK], length: 0 };

    /// The first pass: computes and compresses the places of pairs. Ends before a step that has bytes beyond ASCII that
    /// stand alone.
    ///
    /// [`Tables::split`] puts the row of each leading byte into its lane of one vector, and the column into the same
    /// lane of another. Compression moves the lanes of leading bytes together, at most 32 of them, and a multiplication
    /// makes places of them. All 32 lanes are stored after the places of the steps before; the next step overwrites
    /// those that hold no place.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn fill(&mut self, tables: &Tables<'_>, source: &[u8]) {
        let columns = _mm512_set1_epi16(tables.encoding.columns() as i16);
        // If the last chunk had at most two pairs for each step, this text is mostly ASCII. Then the chunk ends at the
        // first step without pairs, which may be the start of a run of ASCII.
        let were_few = self.count <= 2 * self.length;
        (self.count, self.length) = (0, 0);
        let mut taken = 0;
        for (number, leads) in self.leads.iter_mut().enumerate() {
            // A step also needs the byte after its 64 bytes, which is the trailing byte of a pair if the last byte of
            // the step leads one.
            let Some(from) = block::<_, 65>(source, 64 * number) else { break };
            let (Some(bytes), Some(next)) = (from.first_chunk(), from.last_chunk()) else { break };
            let split = tables.split(&Block { bytes: load(bytes), next: load(next) }, taken);
            if split.alone != 0 {
                break;
            }
            let wide = |bytes| _mm512_cvtepu8_epi16(_mm512_castsi512_si256(compress(bytes, split.leads)));
            // Row times columns plus column: 32 places at most, because each pair takes two bytes.
            let places = _mm512_add_epi16(_mm512_mullo_epi16(wide(split.high), columns), wide(split.low));
            if let Some(to) = block_mut(&mut self.pairs, self.count) {
                store_thirty_two(places, to);
            }
            *leads = split.leads;
            taken = split.leads >> 63;
            self.count += split.leads.count_ones() as usize;
            self.length += 1;
            if were_few && split.leads == 0 {
                break;
            }
        }
    }

    /// The second pass: replaces the places by code units from the table. The encoding is asked for pairs that are not
    /// in the table. The chunk is cut before a step with a pair that has no single code unit, or with more than
    /// [`ASK_UP_TO_PAIRS`] missing pairs among sixteen.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&mut self, &Tables { encoding, .. }: &Tables<'_>, source: &[u8]) {
        let table = encoding.table();
        let gathers = level::gathers();
        // A gather loads two entries at each place, so no place may be greater than the last but one of the table.
        // `DoubleByte::new` has checked that the last two entries are NULL.
        let last = _mm256_set1_epi16(table.len() as i16 - 2);
        for (number, sixteen) in self.pairs.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)).enumerate() {
            let places = _mm256_min_epu16(load_sixteen(sixteen), last);
            // `opaque` keeps the compiler from making two loops, one for each way to look up.
            let units = if opaque(gathers) {
                // SAFETY: each place is at most `last`, the table's length less 2, by the `min` above.
                // `DoubleByte::new` has checked that the table has 256 entries or more. The four bytes from there on
                // are two entries.
                let both = unsafe { _mm512_i32gather_epi32::<2>(_mm512_cvtepu16_epi32(places), table.as_ptr().cast()) };
                _mm512_cvtepi32_epi16(both)
            } else {
                // SAFETY: each place is at most `last`, the table's length less 2, by the `min` above.
                // `DoubleByte::new` has checked that the table has 256 entries or more.
                let [lower, upper] = quarters(places).each(|places| unsafe { at_places(table, places) });
                _mm256_set_m128i(upper, lower)
            };
            store_sixteen(units, sixteen);
            // NULL says that the table has no code unit; surrogates, whose upper five bits are 0x1B, stand for pairs
            // without a single code unit.
            let missing = _mm256_cmpeq_epi16_mask(units, _mm256_set1_epi16(NULL as i16))
                | _mm256_cmpeq_epi16_mask(_mm256_srli_epi16::<11>(units), _mm256_set1_epi16(0x1B));
            let missing = missing & lowest(self.count - 16 * number) as u16;
            if missing != 0
                && let Some(step) = ask_encoding(encoding, source, &self.leads, (16 * number, missing), sixteen)
            {
                // The number of pairs that have been looked up. All pairs of the remaining steps are among the pairs
                // that have been looked up.
                (self.length, self.count) = (step, 16 * (number + 1));
                return;
            }
        }
    }

    /// The last pass to UTF-16: inserts the code units of pairs between the ASCII of each step. Returns `(read,
    /// written)`.
    ///
    /// Compression drops the trailing bytes of a step, and the rest is widened to code units. Expansion then overwrites
    /// the lanes of leading bytes with the code units of pairs:
    ///
    /// ```text
    /// bytes        a    L    t    b    L    t
    /// compressed   a    L    b    L
    /// widened      0061 00.. 0062 00..
    /// pairs             3042      6F22        the next code units of the list
    /// units        0061 3042 0062 6F22
    /// ```
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn write_utf16(&self, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        let (mut read, mut written, mut done, mut taken) = (0, 0, 0, 0);
        // `opaque` hides from the compiler that there are at most eight steps. Unrolled, the body would stand in the
        // program eight times and save no time.
        for &leads in opaque(up_to(&self.leads, self.length)) {
            let starts = !(leads << 1 | taken);
            let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) else { break };
            let text = halves(compress(load(from), starts)).each(|bytes| _mm512_cvtepu8_epi16(bytes));
            let pairs = _pext_u64(leads, starts);
            let lower = (pairs as u32).count_ones() as usize;
            let (Some(first), Some(second)) = (block(&self.pairs, done), block(&self.pairs, done + lower)) else {
                break;
            };
            let units = [
                _mm512_mask_expand_epi16(text[0], pairs as u32, load_thirty_two(first)),
                _mm512_mask_expand_epi16(text[1], (pairs >> 32) as u32, load_thirty_two(second)),
            ];
            store_units(units, to);
            done += leads.count_ones() as usize;
            written += starts.count_ones() as usize;
            read += 64;
            taken = leads >> 63;
        }
        (read + taken as usize, written)
    }

    /// The last pass to UTF-8: inserts the UTF-8 of pairs between the ASCII of each step. `utf8` is the UTF-8 of all
    /// pairs in a row. Returns `(read, written)`.
    ///
    /// Most pairs become three bytes. A pair of three bytes opens a gap after its leading byte, so that each pair has
    /// as many lanes as its UTF-8 has bytes; then the bytes of `utf8` are expanded to the lanes of pairs:
    ///
    /// ```text
    /// bytes      a  L  t  b  L  t  c
    /// opened     a  L     t  b  L     t  c
    /// pairs         E3 81 82    E6 BC A2
    /// ```
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn write_utf8(&self, utf8: &[u8], source: &[u8], destination: &mut [u8]) -> (usize, usize) {
        /// A mask has two bits for each byte. The lower bit stands for the byte itself.
        const BYTE_BITS: u64 = 0x5555_5555_5555_5555;
        /// In a mask with two bits for each byte, the upper bit stands for a gap after the byte.
        const GAP_BITS: u64 = !BYTE_BITS;
        let (mut read, mut written, mut done, mut taken, mut bytes_done) = (0, 0, 0, 0, 0);
        let first_of_three = Constants::new().units(0x800);
        // `opaque` hides from the compiler that there are at most eight steps, as in `write_utf16`.
        for &leads in opaque(up_to(&self.leads, self.length)) {
            let (Some(from), Some(room)) =
                (block(source, read), block_mut::<_, STEP_SPACE_BYTES>(destination, written))
            else {
                break;
            };
            let Some(pairs) = block(&self.pairs, done) else { break };
            let have_third = _mm512_cmpge_epu16_mask(load_thirty_two(pairs), first_of_three);
            let gaps = _pdep_u64(have_third.into(), leads);
            // A mask of the bytes of pairs: leading bytes, the bytes after leading bytes, and the first byte if a pair
            // of the step before takes it.
            let of_pairs = leads | leads << 1 | taken;
            let mut length = 0;
            for (half, bytes) in halves(load(from)).into_iter().enumerate() {
                // The loop takes half a step at a time, because 32 bytes and their gaps are at most 64 lanes. Spread to
                // two bits for each byte, `all` says which of the 64 positions exist; `pext` by `all` turns masks of
                // positions into masks of lanes.
                let gaps = _pdep_u64(gaps >> (32 * half), GAP_BITS);
                let all = gaps | BYTE_BITS;
                let of_pairs = _pext_u64(gaps | _pdep_u64(of_pairs >> (32 * half), BYTE_BITS), all);
                let opened = _mm512_maskz_expand_epi8(!_pext_u64(gaps, all), _mm512_castsi256_si512(bytes));
                let (Some(room), Some(next)) = (block_mut(room, length), block(utf8, bytes_done)) else { break };
                store(_mm512_mask_expand_epi8(opened, of_pairs, load(next)), room);
                length += all.count_ones() as usize;
                bytes_done += of_pairs.count_ones() as usize;
            }
            done += leads.count_ones() as usize;
            written += length;
            read += 64;
            taken = leads >> 63;
        }
        // A pair whose leading byte is the last byte of the last step has one byte of UTF-8 left. The destination has
        // space for it: the last step needed more than it has written.
        if taken != 0
            && let (Some(to), Some(last)) = (destination.get_mut(written), utf8.get(bytes_done))
        {
            *to = *last;
            written += 1;
        }
        (read + taken as usize, written)
    }
}

/// Asks the encoding for the `missing` pairs of sixteen, of which the first is pair number `first` of the chunk.
/// Returns the step before which the chunk must end: the step of a pair that has no single code unit, or the step of
/// the first missing pair if more than [`ASK_UP_TO_PAIRS`] are missing.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn ask_encoding(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    leads: &[u64; STEPS_IN_CHUNK],
    (first, mut missing): (usize, u16),
    units: &mut [u16; 16],
) -> Option<usize> {
    let are_many = missing.count_ones() > ASK_UP_TO_PAIRS;
    while missing != 0 {
        let at = missing.trailing_zeros() as usize % 16;
        let (step, place) = origin_of(leads, first + at);
        if units[at] == NULL {
            units[at] = encoding.other(up_to(after(source, 64 * step + place), 4));
        }
        if is_missing(units[at]) || are_many {
            return Some(step);
        }
        missing &= missing - 1;
    }
    None
}
