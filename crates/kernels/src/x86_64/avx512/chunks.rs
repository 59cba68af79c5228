//! Pairs of bytes among others, in passes over chunks of some steps of 64 bytes, where all pairs have a code unit each and bytes that
//! stand alone are ASCII.
//!
//! Nobody can predict how many pairs a step has. So that there is a branch on it once in a chunk only, and that lookups do not wait for
//! anything, each pass does one thing for the whole chunk:
//!
//! 1. The places of pairs in the table are put together.
//! 2. What is there is looked up.
//! 3. The characters of pairs are put between those of ASCII.

use core::{arch::x86_64::*, hint::black_box};

use super::{
    ascii,
    compress::{came_from, compress},
    double_byte::{Block, Tables},
    memory::{
        halves, load, load_sixteen, load_thirty_two, lowest, quarters, store, store_sixteen, store_thirty_two,
        store_units,
    },
    utf16,
};
use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    double_byte::{DoubleByte, NULL, is_surrogate},
    level,
    x86_64::avx2::places::at_places,
};

/// Steps in a chunk.
const STEPS: usize = 8;
/// More pairs of sixteen that are not in the table are left to those who look for several at once.
const FEW: u32 = 3;
/// As many pairs as a step has at most.
const PAIRS: usize = 32;

/// Converts to UTF-16 up to a step with something unusual, with less than 65 bytes, or without room for 64 code units. Returns
/// `(read, written)`.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let run = |from: &_, to: &mut _| ascii::widen(from, to);
    by_chunks(encoding, source, destination, run, |chunk, from, to| chunk.put_utf16(from, to))
}

/// The same to UTF-8, where there has to be room for [`ROOM`] bytes.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let mut utf8 = [0; UTF8];
    let run = |from: &_, to: &mut _| ascii::copy(from, to);
    by_chunks(encoding, source, destination, run, |chunk, from, to| {
        utf16::to_utf8(up_to(&chunk.pairs, chunk.count), &mut utf8);
        chunk.put_utf8(&utf8, from, to)
    })
}

/// Converts chunk by chunk. `run` converts a run of ASCII, and `put` is the last pass.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn by_chunks<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    run: impl Fn(&[u8], &mut [D]) -> usize,
    mut put: impl FnMut(&Chunk, &[u8], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    let tables = Tables::of(encoding);
    let mut chunk = Chunk::EMPTY;
    let (mut read, mut written) = (0, 0);
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if rest.first_chunk().is_some_and(|bytes| is_ascii(bytes)) {
            let run = run(rest, room);
            (read, written) = (read + run, written + run);
            if run < 64 {
                break;
            }
            continue;
        }
        chunk.fill(&tables, rest);
        chunk.look_up(&tables, rest);
        let (bytes, items) = put(&chunk, rest, room);
        (read, written) = (read + bytes, written + items);
        if bytes == 0 {
            break;
        }
    }
    (read, written)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn is_ascii(bytes: &[u8; 64]) -> bool {
    _mm512_movepi8_mask(load(bytes)) == 0
}

/// What is written for half a step at most, and as much as is stored at once.
const ROOM: usize = 32 + PAIRS / 2 + 64;

/// Room for the UTF-8 of a chunk's pairs and what is loaded behind them; a little more, so that it is not cleared by a page of stores.
const UTF8: usize = 1200;
const _: () = assert!(UTF8 >= 3 * PAIRS * STEPS + 64);

/// What is known of some steps.
#[repr(align(64))]
struct Chunk {
    /// The places of pairs in the table, then their code units; and what is stored behind them.
    pairs: [u16; PAIRS * (STEPS + 1)],
    /// How many there are.
    count: usize,
    /// Which bytes lead in each step. A pair that begins with a step's last byte is of that step.
    leads: [u64; STEPS],
    /// How many steps there are.
    length: usize,
}

impl Chunk {
    const EMPTY: Self = Chunk { pairs: [0; PAIRS * (STEPS + 1)], count: 0, leads: [0; STEPS], length: 0 };

    /// The first pass, up to a step with bytes that stand alone and are not ASCII.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn fill(&mut self, tables: &Tables<'_>, source: &[u8]) {
        let columns = _mm512_set1_epi16(tables.encoding.columns as i16);
        // Where pairs were few, the chunk ends where they do.
        let were_few = self.count <= 2 * self.length;
        (self.count, self.length) = (0, 0);
        let mut taken = 0;
        for (number, leads) in self.leads.iter_mut().enumerate() {
            // A step also looks at the byte behind it.
            let Some(from) = block::<_, 65>(source, 64 * number) else { break };
            let (bytes, behind) = (from.first_chunk().expect("65 bytes"), from.last_chunk().expect("65 bytes"));
            let split = tables.split(&Block { bytes: load(bytes), behind: load(behind) }, taken);
            if split.alone != 0 {
                break;
            }
            let wide = |bytes| _mm512_cvtepu8_epi16(_mm512_castsi512_si256(compress(bytes, split.leads)));
            // Row times columns plus column.
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

    /// The second pass. The encoding is asked for what the table lacks; the chunk ends before a step with what is no single code unit, or
    /// with much that the table lacks.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&mut self, &Tables { encoding, .. }: &Tables<'_>, source: &[u8]) {
        let table = encoding.table;
        let gathers = level::gathers();
        // Two are loaded at a time. The last two are none, as was asserted when `Tables` were made.
        let last = _mm256_set1_epi16(table.len() as i16 - 2);
        for (number, sixteen) in self.pairs.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)).enumerate() {
            let places = _mm256_min_epu16(load_sixteen(sixteen), last);
            let units = if black_box(gathers) {
                // SAFETY: a place is that of the last unit but one at most, and the four bytes from there on are two units.
                let both = unsafe { _mm512_i32gather_epi32::<2>(_mm512_cvtepu16_epi32(places), table.as_ptr().cast()) };
                _mm512_cvtepi32_epi16(both)
            } else {
                // SAFETY: none is behind the last but one.
                let [lower, upper] = quarters(places).map(|places| unsafe { at_places(table, places) });
                _mm256_set_m128i(upper, lower)
            };
            store_sixteen(units, sixteen);
            let missing = _mm256_cmpeq_epi16_mask(units, _mm256_set1_epi16(NULL as i16))
                | _mm256_cmpeq_epi16_mask(_mm256_srli_epi16::<11>(units), _mm256_set1_epi16(0x1B));
            let missing = missing & lowest(self.count - 16 * number) as u16;
            if missing != 0
                && let Some(step) = find(encoding, source, &self.leads, (16 * number, missing), sixteen)
            {
                // As many as have been looked up; those of the steps before are among them.
                (self.length, self.count) = (step, 16 * (number + 1));
                return;
            }
        }
    }

    /// The last pass. Returns how many bytes were read and code units written.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn put_utf16(&self, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        let (mut read, mut written, mut done, mut taken) = (0, 0, 0, 0);
        // Not once for each.
        for &leads in black_box(up_to(&self.leads, self.length)) {
            let starts = !(leads << 1 | taken);
            let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) else { break };
            let text = halves(compress(load(from), starts)).map(|bytes| _mm512_cvtepu8_epi16(bytes));
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

    /// The same for bytes, with the UTF-8 of all pairs.
    ///
    /// Of most pairs three bytes are made, so that each opens a gap behind its leading byte:
    ///
    /// ```text
    /// bytes      a  L  t  b  L  t  c
    /// opened     a  L     t  b  L     t  c
    /// pairs         E3 81 82    E6 BC A2
    /// ```
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn put_utf8(&self, utf8: &[u8], source: &[u8], destination: &mut [u8]) -> (usize, usize) {
        /// Of two bits each the place of a byte, and of a gap behind it.
        const BYTES: u64 = 0x5555_5555_5555_5555;
        const GAPS: u64 = !BYTES;
        let (mut read, mut written, mut done, mut taken, mut bytes_done) = (0, 0, 0, 0, 0);
        // Not once for each.
        for &leads in black_box(up_to(&self.leads, self.length)) {
            let (Some(from), Some(room)) = (block(source, read), block_mut::<_, ROOM>(destination, written)) else {
                break;
            };
            let Some(pairs) = block(&self.pairs, done) else { break };
            let have_third = _mm512_cmpge_epu16_mask(load_thirty_two(pairs), _mm512_set1_epi16(0x800));
            let gaps = _pdep_u64(have_third.into(), leads);
            let of_pairs = leads | leads << 1 | taken;
            let mut length = 0;
            for (half, bytes) in halves(load(from)).into_iter().enumerate() {
                let gaps = _pdep_u64(gaps >> (32 * half), GAPS);
                let all = gaps | BYTES;
                let of_pairs = _pext_u64(gaps | _pdep_u64(of_pairs >> (32 * half), BYTES), all);
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
        // The last byte of a pair that begins with the last byte. There was room for more than a step makes.
        if taken != 0
            && let (Some(to), Some(last)) = (destination.get_mut(written), utf8.get(bytes_done))
        {
            *to = *last;
            written += 1;
        }
        (read + taken as usize, written)
    }
}

/// Asks the encoding for the pairs that are `missing` of sixteen, from the given number on. Returns the step of one that is no single
/// code unit, or of the first if they are many.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn find(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    leads: &[u64; STEPS],
    (first, mut missing): (usize, u16),
    units: &mut [u16; 16],
) -> Option<usize> {
    let are_many = missing.count_ones() > FEW;
    while missing != 0 {
        let at = missing.trailing_zeros() as usize % 16;
        let (step, place) = came_from(leads, first + at);
        if units[at] == NULL {
            units[at] = (encoding.others)(up_to(after(source, 64 * step + place), 4));
        }
        if units[at] == NULL || is_surrogate(units[at]) || are_many {
            return Some(step);
        }
        missing &= missing - 1;
    }
    None
}
