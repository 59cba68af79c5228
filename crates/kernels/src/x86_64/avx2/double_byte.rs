//! Decoding of encodings with one and two bytes for each character.
//!
//! A step decides for 64 bytes at once which bytes lead, which trail and which stand alone. The drawing in
//! `docs/kernels.md#lead-and-trail-bytes` shows how one subtraction finds the trailing bytes; [`trails`] does it.
//!
//! Two loops take turns, each for another kind of text:
//!
//! * Where pairs are few, as in markup, [`Tables::convert_few`] copies 64 bytes as ASCII, looks the pairs up one by
//!   one, and [patches](super::patches) the text with them.
//! * Where pairs are many, [`Slices::places`] computes for each of 64 bytes the place in the table that it would have
//!   as a leading byte, in a lane of 16 bits. The lanes of bytes that start a character are moved together, and
//!   [places] looks these places up in a second pass.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    ascii,
    compress::compress_units,
    memory::{load, load_half, store, store_half, store_half_units, store_sixteen_units, store_units},
    patches::{BLOCK_READS_ITEMS, patch},
    places::{self, Masks, by_chunks, is_missing, other, trails},
    utf16,
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut, up_to},
    scalar::double_byte as scalar,
    string::initialised,
    tables::double_byte::{ALONE, DoubleByte, NO_ROW, Trailing},
};

/// Length of a source, in bytes, below which the scalar body decodes it: a block reads this many.
const SCALAR_BELOW_BYTES: usize = 32 + BLOCK_READS_ITEMS;
/// The number of pairs above which a block of 64 bytes is left to the loop for many pairs. A block has at most 32
/// pairs. Values from 20 to 26 give nearly the same speed. See `docs/experiments.md#pairs-with-avx2-and-neon`.
const MANY_ABOVE_PAIRS: u32 = 24;
/// Blocks of ASCII in a row after which ASCII is moved in a loop of its own. Fewer blocks would make HTML slower.
/// See `docs/experiments.md#pairs-with-avx2-and-neon`.
const LONG_RUN_BLOCKS: u32 = 15;
/// Items of space that a block needs: 32 of ASCII, then 64 characters of three, and the items that are copied after the
/// last one.
const BLOCK_SPACE_ITEMS: usize = 264;

/// The body of [`crate::double_byte::to_utf16`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let few = |tables: &Tables<'_>, from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| store_units(ascii::widened(load(from)), to);
        let copy_half = |from: &_, to: &mut _| store_sixteen_units(_mm256_cvtepu8_epi16(load_half(from)), to);
        let put = |unit, to: &mut [u16; 4]| {
            to[0] = unit;
            1
        };
        tables.convert_few(from, to, copy, copy_half, |from, to| ascii::widen_64s_of_ascii(from, to), put)
    };
    let many = |slices: &Slices<'_>, from: &_, to: &mut _| slices.to_utf16(from, to);
    decode(encoding, source, destination, few, many, |from, to| scalar::to_utf16(encoding, from, to))
}

/// The body of [`crate::double_byte::to_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return scalar::to_utf8(encoding, source, destination);
    }
    long_to_utf8(encoding, source, destination)
}

/// The rest of [`to_utf8`], for sources that are long enough to make up for clearing a block of code units. Never
/// inlined, so that short sources do not pay for the block.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn long_to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let few = |tables: &Tables<'_>, from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| store(load(from), to);
        let copy_half = |from: &_, to: &mut _| store_half(load_half(from), to);
        tables.convert_few(from, to, copy, copy_half, |from, to| ascii::copy_64s(from, to), utf16::store_unit)
    };
    /// Zeros after the code units of a block. The conversion to UTF-8 then ends in these zeros, and not with its slow
    /// body for the last units of a slice.
    const PADDING_UNITS: usize = 16;
    let mut memory = [MaybeUninit::uninit(); 640];
    let units = initialised(&mut memory);
    let many = |slices: &Slices<'_>, from: &_, to: &mut [u8]| {
        // A code unit becomes three bytes at most. The `PADDING_UNITS` zeros become one byte each, but the conversion
        // needs the space of a whole vector for them.
        let room = (units.len() - PADDING_UNITS).min(to.len().saturating_sub(4 * PADDING_UNITS) / 3);
        let (read, count) = slices.to_utf16(from, units.get_mut(..room).unwrap_or_default());
        if let Some(more) = block_mut::<_, PADDING_UNITS>(units, count) {
            more.fill(0);
        }
        (read, utf16::more_to_utf8(up_to(units, count + PADDING_UNITS), to).1 - PADDING_UNITS)
    };
    decode(encoding, source, destination, few, many, |from, to| scalar::to_utf8(encoding, from, to))
}

/// Converts by turns with the loop for few pairs and the loop for many. `few` is [`Tables::convert_few`] and `many` is
/// [`Slices::to_utf16`], or their forms for UTF-8. `ascii` moves a run of ASCII. `short` is the scalar body, for short
/// sources and for the end.
///
/// The [`Slices`] are prepared only when many pairs occur for the first time.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn decode<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    few: impl Fn(&Tables<'_>, &[u8], &mut [D]) -> (usize, usize, Next),
    mut many: impl FnMut(&Slices<'_>, &[u8], &mut [D]) -> (usize, usize),
    short: impl Fn(&[u8], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return short(source, destination);
    }
    let tables = Tables::of(encoding);
    let mut slices = None;
    let (mut read, mut written) = (0, 0);
    loop {
        let (bytes, items, next) = few(&tables, after(source, read), after_mut(destination, written));
        read += bytes;
        written += items;
        match next {
            Next::Many => {}
            Next::End => break,
            Next::Stop => return (read, written),
        }
        let slices = slices.get_or_insert_with(|| Slices::of(&tables));
        let (bytes, items) = many(slices, after(source, read), after_mut(destination, written));
        read += bytes;
        written += items;
        if bytes == 0 {
            break;
        }
    }
    let (more_read, more_written) = short(after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// The reason why the loop for few pairs ends.
enum Next {
    /// The loop for few pairs ends because many pairs come next.
    Many,
    /// The loop ends because the end of either slice is near.
    End,
    /// The loop ends before a malformed sequence, or before a character without a single code unit.
    Stop,
}

/// An encoding, and its lead range in a vector.
struct Tables<'a> {
    encoding: &'a DoubleByte<'a>,
    /// For the bytes from 0x80 on, one bit each: whether they are in the lead range. The 128 bits are repeated in both
    /// halves of the vector.
    lead_range: __m256i,
}

impl<'a> Tables<'a> {
    /// Prepares the lead range. [`DoubleByte::new`] has checked the facts that the loops rely on: a row and a column
    /// each fit in a byte; the last entry of the table is [`NULL`](crate::double_byte::NULL), and a place after the
    /// table is replaced by its place; the table has more than 0xFF entries, because the bytes of other characters are
    /// looked up like places, and the result is ignored.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(encoding: &'a DoubleByte<'a>) -> Self {
        Tables { encoding, lead_range: lead_range(encoding.rows()) }
    }

    /// The loop for few pairs. Returns `(read, written)`, and the reason why it ends. `copy` and `copy_half` convert 32
    /// and 16 bytes of ASCII. `put` writes a code unit that is not ASCII, and returns the number of items.
    ///
    /// 32 bytes of ASCII are copied at a time. The first byte beyond ASCII starts a block of 64 bytes, in which pairs
    /// are patched. If a block ended where a run of pairs ends, the processor would mispredict two branches for each
    /// run, one at its start and one at its end. In HTML this took a quarter of the time.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert_few<D>(
        &self,
        source: &[u8],
        destination: &mut [D],
        copy: impl Fn(&[u8; 32], &mut [D; 32]),
        copy_half: impl Fn(&[u8; 16], &mut [D; 16]),
        ascii: impl Fn(&[u8], &mut [D]) -> usize,
        put: impl Fn(u16, &mut [D; 4]) -> usize,
    ) -> (usize, usize, Next) {
        let (length, room) = (source.len(), destination.len());
        let (mut source, mut destination) = (source, destination);
        let mut ascii_blocks = 0;
        let next = loop {
            let (Some(from), Some(to)) =
                (block::<_, { 32 + BLOCK_READS_ITEMS }>(source, 0), block_mut::<_, BLOCK_SPACE_ITEMS>(destination, 0))
            else {
                break Next::End;
            };
            let bytes = load(from.first_chunk().expect("the array is longer than 32"));
            copy(
                from.first_chunk().expect("the array is longer than 32"),
                to.first_chunk_mut().expect("the array is longer than 32"),
            );
            let beyond = ascii::beyond_ascii(bytes);
            if beyond == 0 {
                (source, destination) = (after(source, 32), after_mut(destination, 32));
                ascii_blocks += 1;
                if ascii_blocks > LONG_RUN_BLOCKS {
                    let run = ascii(source, destination);
                    (source, destination) = (after(source, run), after_mut(destination, run));
                }
                continue;
            }
            ascii_blocks = 0;
            // The block starts with the first byte that is not ASCII.
            let run = beyond.trailing_zeros() as usize;
            let (Some(from), Some(to)) = (block(from, run), block_mut::<_, { BLOCK_SPACE_ITEMS - 32 }>(to, run)) else {
                break Next::End;
            };
            let (leads, alone) = self.beyond_ascii(from);
            if leads.count_ones() > MANY_ABOVE_PAIRS {
                (source, destination) = (after(source, run), after_mut(destination, run));
                break Next::Many;
            }
            let (bytes, items, stopped) = patch(from, leads | alone, to, &copy_half, |pair, to| {
                let (unit, length) = self.character(pair[0], pair[1])?;
                Some((length.into(), put(unit, to)))
            });
            (source, destination) = (after(source, run + bytes), after_mut(destination, run + items));
            if stopped {
                break Next::Stop;
            }
        };
        (length - source.len(), room - destination.len(), next)
    }

    /// Masks of the leading bytes, and of the bytes beyond ASCII that stand alone, among the first 64 bytes. The first
    /// byte starts a character.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn beyond_ascii(&self, from: &[u8; BLOCK_READS_ITEMS]) -> (u64, u64) {
        let bytes = [0, 32].each(|at| load(block(from, at).expect("`from` is longer than 64 bytes")));
        let in_lead_range = ascii::mask(bytes.each(|bytes| within(self.lead_range, bytes)));
        let trails = trails(in_lead_range, 0);
        (in_lead_range & !trails, ascii::mask(bytes) & !in_lead_range & !trails)
    }

    /// The code unit of the character that starts with these bytes, and the number of its bytes; `None` if it has no
    /// single code unit. `first` is not ASCII.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn character(&self, first: u8, second: u8) -> Option<(u16, u8)> {
        match self.encoding.listed(first, second) {
            unit if !is_missing(unit) => Some((unit, 2)),
            _ => other(self.encoding, first, second),
        }
    }
}

/// The bits of [`Tables::lead_range`].
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lead_range(rows: &[u8; 128]) -> __m256i {
    let (rows, _) = rows.as_chunks();
    let alone = _mm256_set1_epi8(ALONE as i8);
    let leads = |rows| !_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(rows), alone));
    let bits = _mm_setr_epi32(leads(&rows[0]), leads(&rows[1]), leads(&rows[2]), leads(&rows[3]));
    _mm256_broadcastsi128_si256(bits)
}

/// Computes the rows of leading bytes: subtracts from each byte the entry of `more` for its group of eight. Consecutive
/// leading bytes mostly have consecutive rows, so one difference holds for all eight bytes of a group.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rows_of(more: __m256i, bytes: __m256i) -> __m256i {
    _mm256_sub_epi8(bytes, _mm256_shuffle_epi8(more, eighths(bytes)))
}

/// Bits 3 to 6 of each byte. The bytes from 0x80 on form sixteen groups of eight; for them these bits are the number of
/// the group.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn eighths(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<3>(bytes), _mm256_set1_epi8(0xF))
}

/// Sets the highest bit of the bytes that are in a range, and clears the highest bit of all other bytes. The lower bits
/// of the result have no meaning. `range` has one bit for each byte from 0x80 on, as [`Tables::lead_range`].
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn within(range: __m256i, bytes: __m256i) -> __m256i {
    // Bits 3 to 6 of a byte select a byte of `range`, and bits 0 to 2 select a bit of this byte. The table of bits is
    // repeated, because `vpshufb` takes four bits. For an ASCII byte the lookup also yields a bit, but the highest bit
    // of the result is 0, because the highest bit of an ASCII byte is 0.
    let eight = _mm256_shuffle_epi8(range, eighths(bytes));
    let bits = _mm256_broadcastsi128_si256(load_half(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]));
    let own = _mm256_shuffle_epi8(bits, _mm256_and_si256(bytes, _mm256_set1_epi8(0xF)));
    _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(eight, own), own), bytes)
}

/// The tables for steps with many pairs, in vectors.
struct Slices<'a> {
    tables: &'a Tables<'a>,
    /// For each group of eight bytes from 0x80 on, the difference between its first leading byte and the row of that
    /// byte; the sixteen differences are repeated in both halves of the vector.
    more: __m256i,
    /// For each byte from 0x80 on, one bit as in [`Tables::lead_range`]: whether `more` gives its row. The pairs of
    /// other leading bytes, which are rare, are looked up one by one.
    with_rows: __m256i,
    /// The number of columns, in each lane of 16 bits.
    columns: __m256i,
    /// The two ranges of trailing bytes, as [`range_of`] prepares them.
    trailing: [[__m256i; 3]; 2],
}

impl<'a> Slices<'a> {
    /// Prepares the tables.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(tables: &'a Tables<'a>) -> Self {
        let encoding = tables.encoding;
        let mut more = [0; 16];
        let (eights, _) = encoding.rows().as_chunks::<8>();
        for (number, (more, rows)) in more.iter_mut().zip(eights).enumerate() {
            if let Some(at) = rows.iter().position(|&row| row < NO_ROW) {
                *more = ((0x80 + 8 * number + at) as u8).wrapping_sub(rows[at]);
            }
        }
        let more = _mm256_broadcastsi128_si256(load_half(&more));
        let mut bytes = [0; 32];
        let mut with_rows = [0; 4];
        let (rows, _) = encoding.rows().as_chunks();
        for (quarter, bits) in with_rows.iter_mut().enumerate() {
            for (at, byte) in bytes.iter_mut().enumerate() {
                *byte = (0x80 + 32 * quarter + at) as u8;
            }
            // `more` is right for a byte if it gives the same row as the encoding's table.
            *bits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(rows_of(more, load(&bytes)), load(&rows[quarter])));
        }
        Slices {
            tables,
            with_rows: _mm256_broadcastsi128_si256(_mm_setr_epi32(
                with_rows[0],
                with_rows[1],
                with_rows[2],
                with_rows[3],
            )),
            more,
            columns: _mm256_set1_epi16(encoding.columns() as i16),
            trailing: [range_of(&encoding.trailing().ranges()[0]), range_of(&encoding.trailing().ranges()[1])],
        }
    }

    /// Converts steps as long as pairs are many; see [`by_chunks`].
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn to_utf16(&self, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        by_chunks(self.tables.encoding, source, destination, &|from, taken, room| self.places(from, taken, room))
    }

    /// The first pass over 64 bytes and the byte after them: writes an entry for each character to `room` (see
    /// [places]). Returns `None` if the 64 bytes have few pairs. `taken` is 1 if the first byte is the trailing byte of
    /// a pair that starts before it, otherwise 0.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn places(&self, from: &[u8; 65], taken: u64, room: &mut [u16; 64]) -> Option<Masks> {
        let bytes = [load(slice_from::<0>(from)), load(slice_from::<32>(from))];
        let high = ascii::mask(bytes);
        let in_lead_range = ascii::mask(bytes.each(|bytes| within(self.tables.lead_range, bytes)));
        let trails = trails(in_lead_range, taken);
        let leads = in_lead_range & !trails;
        if leads.count_ones() <= places::FEW_UP_TO_PAIRS {
            return None;
        }
        let next = [load(slice_from::<1>(from)), load(slice_from::<33>(from))];

        let mut count = 0;
        // Eight entries at a time: the entries at starts of characters are moved together, and stored after the entries
        // before.
        for half in 0..2 {
            let starts = !trails >> (32 * half);
            let [first, second] = self.lanes(bytes[half], next[half]);
            let eighths = [
                _mm256_castsi256_si128(first),
                _mm256_extracti128_si256::<1>(first),
                _mm256_castsi256_si128(second),
                _mm256_extracti128_si256::<1>(second),
            ];
            for (units, starts) in eighths.into_iter().zip((starts as u32).to_le_bytes()) {
                // At most seven times eight entries come before, so eight more always fit.
                if let Some(room) = block_mut(room, count) {
                    store_half_units(compress_units(units, starts), room);
                }
                count += starts.count_ones() as usize;
            }
        }
        Some(Masks { high, leads, trails })
    }

    /// The entries that start at each of 32 bytes, if they start a character. `next` are the bytes one position
    /// further on. For a byte of the lead range the entry is the place of the pair with the highest bit set, otherwise
    /// the byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn lanes(&self, bytes: __m256i, next: __m256i) -> [__m256i; 2] {
        let in_lead_range = _mm256_cmpgt_epi8(_mm256_setzero_si256(), within(self.tables.lead_range, bytes));
        let rows = rows_of(self.more, bytes);

        let [(lower, in_lower), (upper, in_upper)] = self.trailing.each(|[first, length, less]| {
            let distance = _mm256_sub_epi8(next, first);
            let inside = _mm256_cmpeq_epi8(_mm256_min_epu8(distance, length), distance);
            (_mm256_sub_epi8(next, less), inside)
        });
        let columns = _mm256_blendv_epi8(lower, upper, in_upper);
        // A pair has a place if its second byte is a trailing byte of the table and its row is known. Other pairs get
        // [`NO_ROW`], whose places are after the table.
        let no_row = _mm256_set1_epi8(NO_ROW as i8);
        let in_table = _mm256_and_si256(_mm256_or_si256(in_lower, in_upper), within(self.with_rows, bytes));
        let rows = _mm256_blendv_epi8(no_row, rows, in_table);

        // Row times columns plus column. A byte outside of the lead range has row 0, and itself as column.
        let rows = ascii::widened(_mm256_and_si256(in_lead_range, rows));
        let columns = ascii::widened(_mm256_blendv_epi8(bytes, columns, in_lead_range));
        let are_pairs = ascii::widened(in_lead_range);
        let place = |half: usize| {
            let place = _mm256_add_epi16(_mm256_mullo_epi16(rows[half], self.columns), columns[half]);
            _mm256_add_epi16(place, _mm256_slli_epi16::<15>(are_pairs[half]))
        };
        [place(0), place(1)]
    }
}

/// Prepares a range of trailing bytes, each value repeated in all lanes: the first byte, the distance from there to the
/// last byte, and the difference between a byte and its column.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn range_of(&Trailing { first, last, column }: &Trailing) -> [__m256i; 3] {
    let all = |byte: u8| _mm256_set1_epi8(byte as i8);
    [all(first), all(last - first), all(first.wrapping_sub(column))]
}

/// The 32 bytes from `AT` on.
fn slice_from<const AT: usize>(block: &[u8; 65]) -> &[u8; 32] {
    block[AT..].first_chunk().expect("`AT` is at most 33")
}
