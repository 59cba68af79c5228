//! Encodings of one and two bytes per character.
//!
//! Which byte leads and which trails is decided for all bytes of a step at once. A byte of the lead range takes the next one with
//! it, whatever that is; so in a run of such bytes every other one trails. The first one leads, for a step starts with a
//! character:
//!
//! ```text
//! bytes          a  L  t  L  L  L  L  t  b        (t: not in the lead range)
//! in lead range  .  1  .  1  1  1  1  .  .
//! leads          .  1  .  1  .  1  .  .  .
//! trails         .  .  1  .  1  .  1  .  .        here the last L trails, and the t after it stands alone
//! ```
//!
//! Where pairs are few they are looked up one by one, and [put between](super::patches) what is ASCII, 64 bytes a step.
//!
//! Where they are many, 64 bytes a step, for every byte the place in the table is computed that it would have as a leading one,
//! in a lane of 16 bits; then the lanes of the bytes that start a character are moved together. What is at these
//! [places] is looked up in a second pass.

use core::arch::x86_64::*;

use super::{
    ascii,
    compress::compress_units,
    memory::{load, load_half, store, store_half, store_half_units, store_sixteen_units, store_units},
    patches::{AHEAD, patch},
    places::{self, Masks, by_chunks, is_missing, other, trails},
    utf16,
};
use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    double_byte::{ALONE, DoubleByte, NO_ROW, NULL, Trailing},
    scalar::double_byte as scalar,
};

pub(crate) use super::to_double_byte::from_utf16;

/// Fewer bytes than this are done one by one.
const FEW: usize = 32 + AHEAD;
/// More pairs than this in 64 bytes are many.
const MANY: u32 = 24;
/// Room for 32 bytes of ASCII, then 64 characters of three bytes, and what is overwritten behind them.
const ROOM: usize = 264;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let few = |tables: &Tables<'_>, from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| store_units(ascii::widened(load(from)), to);
        let copy_half = |from: &_, to: &mut _| store_sixteen_units(_mm256_cvtepu8_epi16(load_half(from)), to);
        let put = |unit, to: &mut [u16; 4]| {
            to[0] = unit;
            1
        };
        tables.convert_few(from, to, copy, copy_half, put)
    };
    let many = |slices: &Slices<'_>, from: &_, to: &mut _| slices.to_utf16(from, to);
    convert(encoding, source, destination, few, many, |from, to| scalar::to_utf16(encoding, from, to))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < FEW {
        return scalar::to_utf8(encoding, source, destination);
    }
    more_to_utf8(encoding, source, destination)
}

/// The same where it pays to clear a block of units.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let few = |tables: &Tables<'_>, from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| store(load(from), to);
        let copy_half = |from: &_, to: &mut _| store_half(load_half(from), to);
        tables.convert_few(from, to, copy, copy_half, utf16::put)
    };
    const MORE: usize = 16;
    let mut units = [0; 640];
    let many = |slices: &Slices<'_>, from: &_, to: &mut [u8]| {
        // A code unit makes three bytes at most. What is behind those that are wanted spares a slow end.
        let room = (units.len() - MORE).min(to.len().saturating_sub(4 * MORE) / 3);
        let (read, count) = slices.to_utf16(from, units.get_mut(..room).unwrap_or_default());
        if let Some(more) = block_mut::<_, MORE>(&mut units, count) {
            more.fill(0);
        }
        (read, utf16::to_utf8(up_to(&units, count + MORE), to).1 - MORE)
    };
    convert(encoding, source, destination, few, many, |from, to| scalar::to_utf8(encoding, from, to))
}

/// Converts while pairs are few, while they are many, and so on. `few` is [`Tables::convert_few`] and `many`
/// [`Slices::to_utf16`], or the same to UTF-8.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn convert<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    few: impl Fn(&Tables<'_>, &[u8], &mut [D]) -> (usize, usize, Next),
    mut many: impl FnMut(&Slices<'_>, &[u8], &mut [D]) -> (usize, usize),
    short: impl Fn(&[u8], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    if source.len() < FEW {
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

/// What is behind what has been converted.
enum Next {
    /// Many pairs.
    Many,
    /// The end of either slice.
    End,
    /// No character.
    Stop,
}

/// An encoding and tables that are made of it.
struct Tables<'a> {
    encoding: &'a DoubleByte<'a>,
    /// Which bytes from 0x80 on are in the lead range: a bit each, in each half.
    lead_range: __m256i,
}

impl<'a> Tables<'a> {
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(encoding: &'a DoubleByte<'a>) -> Self {
        let &DoubleByte { table, columns, .. } = encoding;
        // Rows and columns are bytes, and there is something to look up for whatever is a byte or a place.
        let fits = table.len() <= usize::from(NO_ROW) * usize::from(columns) && columns <= 0xFF;
        assert!(fits && table.len() > 0xFF && table.ends_with(&[NULL]), "another table");
        Tables { encoding, lead_range: lead_range(encoding.rows) }
    }

    /// Converts while pairs are few. `copy` and `copy_half` write ASCII, `put` a code unit that is not, and returns how many items
    /// that is.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert_few<D>(
        &self,
        source: &[u8],
        destination: &mut [D],
        copy: impl Fn(&[u8; 32], &mut [D; 32]),
        copy_half: impl Fn(&[u8; 16], &mut [D; 16]),
        put: impl Fn(u16, &mut [D; 4]) -> usize,
    ) -> (usize, usize, Next) {
        let (length, room) = (source.len(), destination.len());
        let (mut source, mut destination) = (source, destination);
        let next = loop {
            let (Some(from), Some(to)) = (block::<_, { 32 + AHEAD }>(source, 0), block_mut::<_, ROOM>(destination, 0))
            else {
                break Next::End;
            };
            let bytes = load(from.first_chunk().expect("more than 32"));
            copy(from.first_chunk().expect("more than 32"), to.first_chunk_mut().expect("more than 32"));
            let beyond = ascii::beyond_ascii(bytes);
            if beyond == 0 {
                (source, destination) = (after(source, 32), after_mut(destination, 32));
                continue;
            }
            // From the first that is not ASCII on.
            let run = beyond.trailing_zeros() as usize;
            let (Some(from), Some(to)) = (block(from, run), block_mut::<_, { ROOM - 32 }>(to, run)) else {
                break Next::End;
            };
            let (leads, alone) = self.beyond_ascii(from);
            if leads.count_ones() > MANY {
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

    /// The bytes that lead, and those beyond ASCII that stand alone, of 64: a bit each.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn beyond_ascii(&self, from: &[u8; AHEAD]) -> (u64, u64) {
        let bytes = [0, 32].map(|at| load(block(from, at).expect("less than 64")));
        let in_lead_range = ascii::mask(bytes.map(|bytes| within(self.lead_range, bytes)));
        let trails = trails(in_lead_range, 0);
        (in_lead_range & !trails, ascii::mask(bytes) & !in_lead_range & !trails)
    }

    /// The code unit of the character that starts with these bytes, of which the first is not ASCII, and how many of them it
    /// has; `None` if it is no single code unit.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn character(&self, first: u8, second: u8) -> Option<(u16, u8)> {
        match self.encoding.listed(first, second) {
            unit if !is_missing(unit) => Some((unit, 2)),
            _ => other(self.encoding, first, second),
        }
    }
}

/// The bytes from 0x80 on that lead: a bit each, in each half.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lead_range(rows: &[u8; 128]) -> __m256i {
    let (rows, _) = rows.as_chunks();
    let alone = _mm256_set1_epi8(ALONE as i8);
    let leads = |rows| !_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(rows), alone));
    let bits = _mm_setr_epi32(leads(&rows[0]), leads(&rows[1]), leads(&rows[2]), leads(&rows[3]));
    _mm256_broadcastsi128_si256(bits)
}

/// Bytes less what is in `more` for their eight.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rows_of(more: __m256i, bytes: __m256i) -> __m256i {
    _mm256_sub_epi8(bytes, _mm256_shuffle_epi8(more, eighths(bytes)))
}

/// Which of the sixteen eights from 0x80 on a byte belongs to.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn eighths(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<3>(bytes), _mm256_set1_epi8(0xF))
}

/// The highest bit of the bytes in a range.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn within(range: __m256i, bytes: __m256i) -> __m256i {
    // Eight bytes share one of the range, of which each has a bit.
    let eight = _mm256_shuffle_epi8(range, eighths(bytes));
    let bits = _mm256_broadcastsi128_si256(load_half(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]));
    let own = _mm256_shuffle_epi8(bits, _mm256_and_si256(bytes, _mm256_set1_epi8(0xF)));
    _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(eight, own), own), bytes)
}

/// [`Tables`] in vectors, for steps with many pairs.
struct Slices<'a> {
    tables: &'a Tables<'a>,
    /// What the first leading byte of each eight from 0x80 on is more than its row, in each half.
    more: __m256i,
    /// Which bytes have the row that this gives, as [`Tables::lead_range`]; the others, which are rare, are done one by one.
    with_rows: __m256i,
    columns: __m256i,
    trailing: [[__m256i; 3]; 2],
}

impl<'a> Slices<'a> {
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(tables: &'a Tables<'a>) -> Self {
        let encoding = tables.encoding;
        let mut more = [0; 16];
        let (eights, _) = encoding.rows.as_chunks::<8>();
        for (number, (more, rows)) in more.iter_mut().zip(eights).enumerate() {
            if let Some(at) = rows.iter().position(|&row| row < NO_ROW) {
                *more = ((0x80 + 8 * number + at) as u8).wrapping_sub(rows[at]);
            }
        }
        let more = _mm256_broadcastsi128_si256(load_half(&more));
        let mut bytes = [0; 32];
        let mut with_rows = [0; 4];
        let (rows, _) = encoding.rows.as_chunks();
        for (quarter, bits) in with_rows.iter_mut().enumerate() {
            for (at, byte) in bytes.iter_mut().enumerate() {
                *byte = (0x80 + 32 * quarter + at) as u8;
            }
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
            columns: _mm256_set1_epi16(encoding.columns as i16),
            trailing: [range_of(&encoding.trailing.ranges[0]), range_of(&encoding.trailing.ranges[1])],
        }
    }

    /// See [`by_chunks`].
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn to_utf16(&self, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        by_chunks(self.tables.encoding, source, destination, &|from, taken, room| self.places(from, taken, room))
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn places(&self, from: &[u8; 65], taken: u64, room: &mut [u16; 64]) -> Option<Masks> {
        let bytes = [load(window::<0>(from)), load(window::<32>(from))];
        let high = ascii::mask(bytes);
        let in_lead_range = ascii::mask(bytes.map(|bytes| within(self.tables.lead_range, bytes)));
        let trails = trails(in_lead_range, taken);
        let leads = in_lead_range & !trails;
        if leads.count_ones() <= places::FEW {
            return None;
        }
        let halves = [self.lanes(bytes[0], load(window::<1>(from))), self.lanes(bytes[1], load(window::<33>(from)))];

        let mut count = 0;
        for (half, starts) in halves.iter().zip([!trails, !trails >> 32]) {
            let [first, second] = *half;
            let eighths = [
                _mm256_castsi256_si128(first),
                _mm256_extracti128_si256::<1>(first),
                _mm256_castsi256_si128(second),
                _mm256_extracti128_si256::<1>(second),
            ];
            for (units, starts) in eighths.into_iter().zip((starts as u32).to_le_bytes()) {
                // Seven times eight units come before, at most.
                if let Some(room) = block_mut(room, count) {
                    store_half_units(compress_units(units, starts), room);
                }
                count += starts.count_ones() as usize;
            }
        }
        Some(Masks { high, leads, trails })
    }

    /// The code units or places that start with each of 32 bytes. `behind` are the bytes behind them.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn lanes(&self, bytes: __m256i, behind: __m256i) -> [__m256i; 2] {
        let in_lead_range = _mm256_cmpgt_epi8(_mm256_setzero_si256(), within(self.tables.lead_range, bytes));
        let rows = rows_of(self.more, bytes);

        let [(lower, in_lower), (upper, in_upper)] = self.trailing.map(|[first, length, less]| {
            let distance = _mm256_sub_epi8(behind, first);
            let inside = _mm256_cmpeq_epi8(_mm256_min_epu8(distance, length), distance);
            (_mm256_sub_epi8(behind, less), inside)
        });
        let columns = _mm256_blendv_epi8(lower, upper, in_upper);
        let no_row = _mm256_set1_epi8(NO_ROW as i8);
        let in_table = _mm256_and_si256(_mm256_or_si256(in_lower, in_upper), within(self.with_rows, bytes));
        let rows = _mm256_blendv_epi8(no_row, rows, in_table);

        // Row times columns plus column. What is outside has row 0, and itself as column.
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

/// The first byte of a range, how far the last is from it, and how much more a byte is than its column.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn range_of(&Trailing { first, last, column }: &Trailing) -> [__m256i; 3] {
    let all = |byte: u8| _mm256_set1_epi8(byte as i8);
    [all(first), all(last - first), all(first.wrapping_sub(column))]
}

/// 32 bytes from `AT` on.
fn window<const AT: usize>(block: &[u8; 65]) -> &[u8; 32] {
    block[AT..].first_chunk().expect("AT is 33 at most")
}
