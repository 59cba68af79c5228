//! Decoding of encodings with one and two bytes for each character, 64 bytes a step.
//!
//! A step first decides for 64 bytes at once which bytes lead, which trail and which stand alone. A byte of the lead
//! range takes the next byte, of any value, as its trailing byte. So in a run of such bytes every other one trails, and only
//! the first byte of a run depends on the byte before the run. The drawing in `docs/kernels.md#lead-and-trail-bytes`
//! shows how one subtraction finds the parity of every run; [`trails`] does it.
//!
//! Then each leading byte gets its row, and the column of the byte after it. Trailing bytes are dropped by compression,
//! so that the remaining lanes are characters. Row times columns plus column is the place of a pair in the table, and
//! the code unit at this place is gathered from there.
//!
//! Text whose pairs are all in the table is converted in [chunks] of eight steps, which takes half of the time. The
//! single step of this file serves the beginning of a text, short texts, and everything that a chunk leaves: pairs that
//! are not in the table, bytes beyond ASCII that stand alone, malformed pairs, and the end of either slice.

use core::arch::x86_64::*;

use super::{
    ascii,
    by_rule::code_units,
    chunks,
    compress::compress,
    memory::{
        both_halves, halves, load, load_up_to, lowest, numbered, store, store_units, store_units_up_to, store_up_to,
    },
    single_byte::Planes,
    utf16::{and, equal, sixteen_to_utf8},
};
use crate::{
    blocks::{after, after_mut, block_mut, up_to},
    double_byte::{ALONE, DoubleByte, FIRST_TRAILING, NO_ROW, NULL, Trailing, is_surrogate},
    opaque::opaque,
    scalar::double_byte as scalar,
    x86_64::avx2::places::trails,
};

pub(crate) use super::to_double_byte::from_utf16;

/// Sources of fewer bytes are decoded by the scalar body: loading the tables into registers would take longer. See
/// `docs/experiments.md#short-input`.
const SCALAR_BELOW_BYTES: usize = 18;
/// Bytes of source from which on [chunks] are tried. A chunk that converts fewer bytes does not make up for its start.
/// See `docs/experiments.md#pairs-with-avx-512`.
const CHUNK_FROM_BYTES: usize = 256;
/// Single steps before chunks are tried again, after a chunk that converted fewer than [`CHUNK_FROM_BYTES`] bytes: the
/// text there is of a kind that chunks leave.
const STEPS_AFTER_SHORT_CHUNK: usize = 16;

/// The body of [`crate::double_byte::to_utf16`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return scalar::to_utf16(encoding, source, destination);
    }
    to_utf16_with(encoding, false, source, destination)
}

/// The body of [`crate::double_byte::to_utf16_replacing`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    to_utf16_with(encoding, true, source, destination)
}

/// The body of [`crate::double_byte::to_utf8`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_BYTES {
        return scalar::to_utf8(encoding, source, destination);
    }
    to_utf8_with(encoding, false, source, destination)
}

/// The body of [`crate::double_byte::to_utf8_replacing`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    to_utf8_with(encoding, true, source, destination)
}

/// Converts to UTF-16. If `replaced`, each error becomes U+FFFD; otherwise the conversion stops before the first error.
/// One body serves both, because it is long.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_with(encoding: &DoubleByte<'_>, replaced: bool, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let put = Put {
        step: |step: &Step, room: &mut _| step.put_utf16(room),
        many: |from: &_, to: &mut _| chunks::to_utf16(encoding, from, to),
    };
    let run = |from: &_, to: &mut _| ascii::widen(from, to);
    convert(encoding, replaced, source, destination, put, run, scalar::to_utf16)
}

/// Converts to UTF-8. If `replaced`, each error becomes U+FFFD; otherwise the conversion stops before the first error.
/// One body serves both, because it is long.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8_with(encoding: &DoubleByte<'_>, replaced: bool, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let put = Put {
        step: |step: &Step, room: &mut _| step.put_utf8(room),
        many: |from: &_, to: &mut _| chunks::to_utf8(encoding, from, to),
    };
    let run = |from: &_, to: &mut _| ascii::copy(from, to);
    convert(encoding, replaced, source, destination, put, run, scalar::to_utf8)
}

/// The two functions that write converted text in the destination's encoding form.
struct Put<S, M> {
    /// Writes the characters of one step and returns their length in items of the destination; `None` if they do not
    /// fit.
    step: S,
    /// Converts [chunks] up to a step with something that chunks leave. Returns `(read, written)`.
    many: M,
}

/// Converts 64 bytes a step, and chunks of steps where they are worth it. `put` writes characters, `run` converts a run
/// of ASCII, and `scalar` converts the rest when `destination` has no space for the characters of a step.
///
/// Invariant of the loop: `read` bytes have been converted to `written` items, and the next byte starts a character.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn convert<U>(
    encoding: &DoubleByte<'_>,
    replaced: bool,
    source: &[u8],
    destination: &mut [U],
    put: Put<impl Fn(&Step, &mut [U]) -> Option<usize>, impl Fn(&[u8], &mut [U]) -> (usize, usize)>,
    run: impl Fn(&[u8], &mut [U]) -> usize,
    scalar: impl Fn(&DoubleByte<'_>, &[u8], &mut [U]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let tables = Tables::of(encoding);
    // The number of single steps before chunks are tried. One step at first: text often begins with ASCII or with an
    // error.
    let mut wait = 1;
    while read < source.len() {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if wait == 0 && rest.len() >= CHUNK_FROM_BYTES {
            let (bytes, items) = (put.many)(rest, room);
            read += bytes;
            written += items;
            wait = if bytes < CHUNK_FROM_BYTES { STEPS_AFTER_SHORT_CHUNK } else { 1 };
            continue;
        }
        wait = wait.max(1) - 1;
        let block = Block::of(rest);
        if block.is_ascii() {
            let run = run(rest, room);
            read += run;
            written += run;
            if run < rest.len().min(64) {
                break;
            }
            continue;
        }
        // The step begins with a character, so no byte before it takes its first byte.
        let mut split = tables.split(&block, 0);
        let wrong = if split.alone == 0 { 0 } else { put_singles(encoding, &mut split) };
        // The table of single bytes has U+FFFD for bytes without a character, which is the replacement.
        let wrong = if replaced { 0 } else { wrong };
        // A leading byte at the very end of `source` may be continued by the next call, so the step stops before it.
        // The mask is empty if `source` is longer than the step.
        let wrong = wrong | split.leads & 1_u64.checked_shl(rest.len() as u32 - 1).unwrap_or(0);
        // The starts of the characters before the lowest bit of `wrong`; all starts if no bit is set.
        let starts = split.starts & wrong.wrapping_sub(1) & !wrong;
        // If the last byte leads a pair, the step takes the trailing byte from the next 64 bytes.
        let mut step_read = match wrong {
            0 => 64 + (split.leads >> 63) as usize,
            _ => wrong.trailing_zeros() as usize,
        };
        // From here on, lanes stand for characters: bit *n* of `pairs` says that character *n* is a pair.
        let pairs = _pext_u64(split.leads, starts);
        let length = starts.count_ones() as usize;
        let (low, high) = (compress(split.low, starts), compress(split.high, starts));
        let (units, missing) = tables.characters(low, high, pairs, length);
        let mut step = Step { units, length };
        let mut is_stopped = wrong != 0;
        if missing != 0 {
            let found = find(encoding, replaced, &step, (rest, block), starts, missing);
            step = found.step;
            (step_read, is_stopped) = found.end.unwrap_or((step_read, is_stopped));
        }

        // A step at the end of `source` is padded with zeros. Each zero became a character, which does not count.
        let bytes = step_read.min(rest.len());
        step.length -= step_read - bytes;
        let Some(length) = (put.step)(&step, room) else {
            let (more_read, more_written) = scalar(encoding, rest, room);
            return (read + more_read, written + more_written);
        };
        read += bytes;
        written += length;
        if is_stopped {
            break;
        }
    }
    (read, written)
}

/// The 64 bytes of a step, and in `behind` the byte after each of them. After the end of the source there are zeros; a
/// zero makes no pair with the last byte.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) bytes: __m512i,
    pub(super) behind: __m512i,
}

impl Block {
    /// Loads the first 65 bytes of `source`; zeros after its end.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(source: &[u8]) -> Self {
        match (source.first_chunk(), after(source, 1).first_chunk()) {
            (Some(bytes), Some(behind)) => Block { bytes: load(bytes), behind: load(behind) },
            _ => Block { bytes: load_up_to(source), behind: load_up_to(after(source, 1)) },
        }
    }

    /// Whether all 64 bytes are ASCII.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn is_ascii(&self) -> bool {
        _mm512_movepi8_mask(self.bytes) == 0
    }
}

/// The 64 bytes of a step, divided into characters. In each mask, bit *n* stands for byte *n*.
pub(super) struct Split {
    /// At leading bytes the column of the byte that follows; at every other byte the byte itself.
    pub(super) low: __m512i,
    /// At leading bytes their row, or [`NO_ROW`] if the pair has no place in the table; 0 at every other byte.
    pub(super) high: __m512i,
    /// Bytes that are not ASCII and belong to no pair.
    pub(super) alone: u64,
    /// The first bytes of characters: every byte that does not trail.
    pub(super) starts: u64,
    /// Leading bytes.
    pub(super) leads: u64,
}

/// Up to 64 characters: 16 code units in each vector, widened to lanes of 32 bits. Lanes from `length` on have no
/// meaning.
struct Step {
    units: [__m512i; 4],
    length: usize,
}

impl Step {
    /// Writes the characters as UTF-16 and returns the number of code units; `None` if they do not fit.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn put_utf16(&self, room: &mut [u16]) -> Option<usize> {
        let [first, second, third, fourth] = self.units.map(|units| _mm512_cvtepi32_epi16(units));
        let units = [both_halves(first, second), both_halves(third, fourth)];
        match room.first_chunk_mut() {
            Some(room) => store_units(units, room),
            None => store_units_up_to(units, room.get_mut(..self.length)?),
        }
        Some(self.length)
    }

    /// Writes the characters as UTF-8 and returns the number of bytes; `None` if they do not fit.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn put_utf8(&self, room: &mut [u8]) -> Option<usize> {
        let (mut written, mut live) = (0, lowest(self.length));
        // `opaque` hides from the compiler that there are four vectors. Unrolled, the body would stand in the
        // program four times and save no time.
        for &units in opaque(up_to(&self.units, self.length.div_ceil(16))) {
            let (bytes, length) = sixteen_to_utf8::<3>(units, live as u16);
            match block_mut(room, written) {
                Some(room) => store(bytes, room),
                None => store_up_to(bytes, room.get_mut(written..written + length)?),
            }
            written += length;
            live >>= 16;
        }
        Some(written)
    }
}

/// The tables of an encoding, prepared in vectors.
pub(super) struct Tables<'a> {
    pub(super) encoding: &'a DoubleByte<'a>,
    /// The rows of the bytes from 0x80 on, as the table of 128 entries that `vpermt2b` takes.
    rows: (__m512i, __m512i),
    /// In each lane of 32 bits the number of columns in the upper half and 1 in the lower half, for `vpmaddwd`.
    columns: __m512i,
    /// The greatest place to look at: the last but one of the table, because a gather loads two units from each place.
    last: __m512i,
    /// The two ranges of trailing bytes, as [`range_of`] prepares them.
    trailing: [[__m512i; 3]; 2],
}

impl<'a> Tables<'a> {
    /// Prepares the tables. Never inlined: a loop has too many other values in registers to keep the tables there, so a
    /// second copy of this code would bring nothing.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn of(encoding: &'a DoubleByte<'a>) -> Self {
        let &DoubleByte { table, columns, .. } = encoding;
        // The steps rely on three facts. A row and a column each fit in a byte. [`NO_ROW`] times columns is after all
        // rows, so a pair without a place reads the NULL at the end. The last two entries are NULL, so two units can be
        // loaded from any place but the last.
        let fits = table.len() <= usize::from(NO_ROW) * usize::from(columns) && columns <= 0xFF;
        assert!(fits && table.ends_with(&[NULL; 2]), "another table");
        let (rows, _) = encoding.rows.as_chunks();
        Tables {
            encoding,
            rows: (load(&rows[0]), load(&rows[1])),
            columns: _mm512_set1_epi32(i32::from(encoding.columns) << 16 | 1),
            last: _mm512_set1_epi32(encoding.table.len() as i32 - 2),
            trailing: [range_of(&encoding.trailing.ranges[0]), range_of(&encoding.trailing.ranges[1])],
        }
    }

    /// Divides 64 bytes into pairs, ASCII and bytes that stand alone, and finds the rows and columns of pairs; their
    /// code units are not looked up yet. `taken` is 1 if the byte before the step takes the first byte as its trailing
    /// byte, otherwise 0. The last byte may take the byte after the step.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn split(&self, &Block { bytes, behind }: &Block, taken: u64) -> Split {
        let high = _mm512_movepi8_mask(bytes);
        // The lookup takes the lower seven bits of a byte, so it finds a row for ASCII bytes too; the mask `high`
        // excludes ASCII.
        let rows = _mm512_permutex2var_epi8(self.rows.0, bytes, self.rows.1);
        let in_lead_range = _mm512_cmpneq_epi8_mask(rows, _mm512_set1_epi8(ALONE as i8)) & high;
        let trails = trails(in_lead_range, taken);
        let leads = in_lead_range & !trails;
        let (columns, in_trail_range) = self.columns_of(behind);
        // A pair whose second byte is no trailing byte of the table has no place there.
        let rows = _mm512_mask_mov_epi8(rows, !in_trail_range, _mm512_set1_epi8(NO_ROW as i8));
        // `low` is the column or the byte itself, `high` the row or 0. For a character that is not a pair, the two are
        // the low and the high byte of its code unit.
        let low = _mm512_mask_mov_epi8(bytes, leads, columns);
        Split { low, high: _mm512_maskz_mov_epi8(leads, rows), alone: high & !leads & !trails, starts: !trails, leads }
    }

    /// The columns of 64 bytes, taken as trailing bytes, and a mask of those bytes that are trailing bytes. The
    /// distance from the first byte of a range, as an unsigned byte, is at most the range's length exactly for the
    /// bytes in the range.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn columns_of(&self, bytes: __m512i) -> (__m512i, u64) {
        let [lower, upper] = self.trailing.map(|[first, length, less]| {
            let inside = _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, first), length);
            (_mm512_sub_epi8(bytes, less), inside)
        });
        (_mm512_mask_mov_epi8(lower.0, upper.1, upper.0), lower.1 | upper.1)
    }

    /// Looks up to 64 characters up. The mask `pairs` says which characters are pairs; the code unit of a pair is in
    /// the table at row times columns plus column. Returns the code units, and a mask of the pairs for which the table
    /// has [`NULL`] or a surrogate. One body serves UTF-16 and UTF-8, because it is long. Characters from 32 on are
    /// skipped if `length` is at most 32.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn characters(&self, low: __m512i, high: __m512i, pairs: u64, length: usize) -> ([__m512i; 4], u64) {
        let (first, first_missing) =
            self.sixteen(_mm512_castsi512_si128(low), _mm512_castsi512_si128(high), pairs as u16);
        let (low_2, high_2) = (_mm512_extracti32x4_epi32::<1>(low), _mm512_extracti32x4_epi32::<1>(high));
        let (second, second_missing) = self.sixteen(low_2, high_2, (pairs >> 16) as u16);
        let missing = u64::from(first_missing) | u64::from(second_missing) << 16;
        if length <= 32 {
            return ([first, second, first, second], missing);
        }
        let (low_3, high_3) = (_mm512_extracti32x4_epi32::<2>(low), _mm512_extracti32x4_epi32::<2>(high));
        let (third, third_missing) = self.sixteen(low_3, high_3, (pairs >> 32) as u16);
        let (low_4, high_4) = (_mm512_extracti32x4_epi32::<3>(low), _mm512_extracti32x4_epi32::<3>(high));
        let (fourth, fourth_missing) = self.sixteen(low_4, high_4, (pairs >> 48) as u16);
        let missing = missing | u64::from(third_missing) << 32 | u64::from(fourth_missing) << 48;
        ([first, second, third, fourth], missing)
    }

    /// Looks 16 characters up: [`characters`](Self::characters) for a quarter of a step.
    ///
    /// This always gathers, also on processors where gathers are slow, such as AMD's: single loads are faster only
    /// where more places than these can be looked up at a time, as in [chunks].
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn sixteen(&self, low: __m128i, high: __m128i, pairs: u16) -> (__m512i, u16) {
        let (low, high) = (_mm512_cvtepu8_epi32(low), _mm512_cvtepu8_epi32(high));
        let units = _mm512_or_si512(_mm512_slli_epi32::<8>(high), low);
        // `vpmaddwd` multiplies the halves of each lane and adds the products: row times columns, plus column times 1.
        let both = _mm512_or_si512(_mm512_slli_epi32::<16>(high), low);
        let places = _mm512_min_epu32(_mm512_madd_epi16(both, self.columns), self.last);
        let table = self.encoding.table.as_ptr().cast();
        // The last lanes of a step often have no pair.
        if pairs == 0 {
            return (units, 0);
        }
        // SAFETY: the lanes of `places` are unsigned and at most `last`, by the `min` above. `last` is the table's
        // length less 2 (`Tables::of` asserts that the table ends with two entries), so the four bytes from there on
        // are two entries of the table.
        let found = unsafe { _mm512_mask_i32gather_epi32::<2>(units, pairs, places, table) };
        let found = _mm512_and_si512(found, _mm512_set1_epi32(0xFFFF));
        let surrogates = _mm512_and_si512(found, _mm512_set1_epi32(0xF800));
        let missing = _mm512_mask_cmpeq_epi32_mask(pairs, found, _mm512_set1_epi32(NULL.into()))
            | _mm512_mask_cmpeq_epi32_mask(pairs, surrogates, _mm512_set1_epi32(0xD800));
        (found, missing)
    }
}

/// Prepares a range of trailing bytes, each value repeated in all lanes: the first byte, the distance from there to the
/// last byte, and the difference between a byte and its column.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn range_of(&Trailing { first, last, column }: &Trailing) -> [__m512i; 3] {
    let all = |byte: u8| _mm512_set1_epi8(byte as i8);
    [all(first), all(last - first), all(first.wrapping_sub(column))]
}

/// Replaces the bytes that stand alone by their code units, whose low and high bytes go to `low` and `high`. Returns
/// the bytes that have no code unit.
///
/// The table of single bytes is prepared at each call: bytes that stand alone are rare, and to prepare it with the
/// other tables would cost every call a tenth of its time.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn put_singles(encoding: &DoubleByte<'_>, split: &mut Split) -> u64 {
    let Split { low, high, alone, .. } = split;
    let Planes { low: low_bytes, high: high_bytes } = Planes::of(encoding.singles);
    let single = _mm512_permutex2var_epi8(high_bytes.0, *low, high_bytes.1);
    *high = _mm512_mask_mov_epi8(*high, *alone, single);
    let single = _mm512_permutex2var_epi8(low_bytes.0, *low, low_bytes.1);
    *low = _mm512_mask_mov_epi8(*low, *alone, single);
    *alone
        & _mm512_cmpeq_epi8_mask(*low, _mm512_set1_epi8(NULL as i8))
        & _mm512_cmpeq_epi8_mask(*high, _mm512_set1_epi8((NULL >> 8) as i8))
}

/// The result of [`find`].
struct Found {
    /// The step with the code units that were found.
    step: Step,
    /// The number of bytes that the step reads, and whether the conversion stops there; `None` if both are as before.
    end: Option<(usize, bool)>,
}

/// Looks for the pairs of `missing`, for which the table has no code unit: by the encoding's rules, 16 at a time, and
/// then by asking the encoding, one by one. Stops before a pair that has no single code unit, and, unless errors are to
/// be `replaced`, before a malformed pair. `missing` has a bit for each character; `starts` has a bit for each byte
/// that starts a character.
///
/// The processor cannot predict which pairs are malformed, so hardly a branch depends on that.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn find(
    encoding: &DoubleByte<'_>,
    replaced: bool,
    step: &Step,
    (source, Block { bytes, behind }): (&[u8], Block),
    starts: u64,
    missing: u64,
) -> Found {
    let [first, second, third, fourth] = step.units;
    let both = |first, second| both_halves(_mm512_cvtepi32_epi16(first), _mm512_cvtepi32_epi16(second));
    let mut text = [both(first, second), both(third, fourth)];
    // Bits of `nulls` are pairs for which no code unit has been found so far.
    let mut nulls = missing & equal(text, NULL);
    let trailing_from = |first: u8| _pext_u64(_mm512_cmpge_epu8_mask(behind, _mm512_set1_epi8(first as i8)), starts);
    // The rules take 16 pairs in little more time than one. Asking the encoding is faster for a single pair: HTML in
    // GBK, where the dash U+2013 is such a pair, converts 1.15 times as fast (Sapphire Rapids).
    if let Some(rules) = encoding.rules
        && (nulls & trailing_from(rules.first)).count_ones() > 1
    {
        let pairs = _pdep_u64(nulls, starts);
        let (leading, trailing) = (compress(bytes, pairs), compress(behind, pairs));
        text = expand(text, nulls, code_units(rules, leading, trailing, pairs.count_ones() as usize));
        nulls &= equal(text, NULL);
    }
    let mut rest = nulls & trailing_from(FIRST_TRAILING);
    while rest != 0 {
        let lowest = _blsi_u64(rest);
        let read = _pdep_u64(lowest, starts).trailing_zeros() as usize;
        // Up to four bytes decide the encoding's answer; after the end of the source there are none.
        let unit = (encoding.others)(up_to(after(source, read), 4));
        let units = _mm512_set1_epi16(unit as i16);
        text[0] = _mm512_mask_mov_epi16(text[0], lowest as u32, units);
        text[1] = _mm512_mask_mov_epi16(text[1], (lowest >> 32) as u32, units);
        if is_surrogate(unit) {
            break;
        }
        rest ^= lowest;
    }

    let malformed = nulls & equal(text, NULL);
    let stops = missing & equal(text.map(|units| and(units, 0xF800)), 0xD800) | if replaced { 0 } else { malformed };
    // In these malformed pairs the second byte is ASCII. By the Standard it is a character of its own, after the
    // U+FFFD.
    let mut before_ascii = malformed & _pext_u64(!_mm512_movepi8_mask(behind), starts);
    let mut found = Found { step: Step { units: step.units, length: step.length }, end: None };
    if stops != 0 {
        let at = stops.trailing_zeros() as usize;
        found.step.length = at;
        found.end = Some((_pdep_u64(1 << at, starts).trailing_zeros() as usize, true));
        before_ascii &= lowest(at);
    } else if before_ascii & _pext_u64(1 << 63, starts) != 0 {
        // The step's last byte leads such a pair. The ASCII byte after it is left to the next step.
        found.end = Some((64, false));
    }
    if before_ascii != 0 {
        // Both masks go back to bits for bytes: the starts of the characters, and the ASCII bytes to insert.
        let characters = _pdep_u64(lowest(found.step.length), starts);
        let ascii = _pdep_u64(before_ascii, starts) << 1;
        text = put_behind(text, characters, compress(bytes, ascii), ascii);
        found.step.length = (characters | ascii).count_ones() as usize;
    }
    let ([first, second], [third, fourth]) = (halves(text[0]), halves(text[1]));
    let wide = |units| _mm512_cvtepu16_epi32(units);
    found.step.units = [wide(first), wide(second), wide(third), wide(fourth)];
    found
}

/// Inserts ASCII bytes between characters, in the order of the source. `characters` and `ascii` are masks of the
/// positions in the source at which the characters of `text` and the ASCII of `bytes` stand; no position is in both.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn put_behind(text: [__m512i; 2], characters: u64, bytes: __m512i, ascii: u64) -> [__m512i; 2] {
    let both = characters | ascii;
    let bytes = _mm512_maskz_expand_epi8(_pext_u64(ascii, both), bytes);
    expand(halves(bytes).map(|bytes| _mm512_cvtepu8_epi16(bytes)), _pext_u64(characters, both), text)
}

/// Expansion: moves the code units of `units`, in order, to the lanes of `text` whose bits are set in `places`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn expand(text: [__m512i; 2], places: u64, units: [__m512i; 2]) -> [__m512i; 2] {
    let (lower, upper) = (places as u32, (places >> 32) as u32);
    // The first vector of the result takes as many units as `lower` has bits. The units after these are for the second
    // vector.
    let numbers = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(numbered()));
    let from = _mm512_add_epi16(numbers, _mm512_set1_epi16(lower.count_ones() as i16));
    let rest = _mm512_permutex2var_epi16(units[0], from, units[1]);
    [_mm512_mask_expand_epi16(text[0], lower, units[0]), _mm512_mask_expand_epi16(text[1], upper, rest)]
}
