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
//! Then the bytes that trail are left out; in their place, each leading byte has its row and the column of the byte behind
//! it, which together are a place in the table. What is there is gathered.
//!
//! Where all is in the table this is done for [chunks] of some steps, in passes, which takes half of the time.

use core::{arch::x86_64::*, hint::black_box};

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
    scalar::double_byte as scalar,
    x86_64::avx2::places::trails,
};

pub(crate) use super::to_double_byte::from_utf16;

/// Fewer bytes than this are done one by one.
const FEW: usize = 18;
/// As many bytes it takes to make up for the beginning of a chunk.
const IT_PAYS: usize = 256;
/// So many steps are done before the next chunk is tried, where the last one was of no use.
const MANY: usize = 16;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() < FEW {
        return scalar::to_utf16(encoding, source, destination);
    }
    to_utf16_with(encoding, false, source, destination)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    to_utf16_with(encoding, true, source, destination)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < FEW {
        return scalar::to_utf8(encoding, source, destination);
    }
    to_utf8_with(encoding, false, source, destination)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8_replacing(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    to_utf8_with(encoding, true, source, destination)
}

/// One body for both, because it is long: errors are stopped at, or `replaced`.
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

/// One body for both, because it is long: errors are stopped at, or `replaced`.
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

/// How text is written.
struct Put<S, M> {
    /// 64 bytes of any characters, where there is room for them. Returns how long they are.
    step: S,
    /// All up to a step with something unusual. Returns how much was read and written.
    many: M,
}

/// Converts 64 bytes a step, of which `put` writes the characters. `run` converts a run of ASCII, and `scalar` what is left where there
/// is little room.
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
    // How many steps are done before chunks are tried.
    let mut wait = 1;
    while read < source.len() {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        if wait == 0 && rest.len() >= IT_PAYS {
            let (bytes, items) = (put.many)(rest, room);
            read += bytes;
            written += items;
            wait = if bytes < IT_PAYS { MANY } else { 1 };
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
        let mut split = tables.split(&block, 0);
        let wrong = if split.alone == 0 { 0 } else { put_singles(encoding, &mut split) };
        // Where something is wrong there is U+FFFD.
        let wrong = if replaced { 0 } else { wrong };
        // What the end of the source cuts off may go on behind it.
        let wrong = wrong | split.leads & 1_u64.checked_shl(rest.len() as u32 - 1).unwrap_or(0);
        // The characters before the first wrong one.
        let starts = split.starts & wrong.wrapping_sub(1) & !wrong;
        let mut step_read = match wrong {
            0 => 64 + (split.leads >> 63) as usize,
            _ => wrong.trailing_zeros() as usize,
        };
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

        // Each byte behind the source became a character.
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

/// 64 bytes and the 64 from the second of them on, with zeros behind the source, which make no pair with its last byte.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) bytes: __m512i,
    pub(super) behind: __m512i,
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(source: &[u8]) -> Self {
        match (source.first_chunk(), after(source, 1).first_chunk()) {
            (Some(bytes), Some(behind)) => Block { bytes: load(bytes), behind: load(behind) },
            _ => Block { bytes: load_up_to(source), behind: load_up_to(after(source, 1)) },
        }
    }

    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn is_ascii(&self) -> bool {
        _mm512_movepi8_mask(self.bytes) == 0
    }
}

/// 64 bytes, in pairs and others.
pub(super) struct Split {
    /// The column of each leading byte, and every other byte as it is.
    pub(super) low: __m512i,
    /// The row of each leading byte.
    pub(super) high: __m512i,
    /// Which bytes stand alone and are not ASCII.
    pub(super) alone: u64,
    /// Where characters start.
    pub(super) starts: u64,
    /// Which bytes lead.
    pub(super) leads: u64,
}

/// Up to 64 characters: code units, 16 in a vector of wider lanes.
struct Step {
    units: [__m512i; 4],
    length: usize,
}

impl Step {
    /// Writes the characters as UTF-16 if there is room, and returns how many code units that is.
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

    /// Writes the characters as UTF-8 if there is room, and returns how many bytes that is.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn put_utf8(&self, room: &mut [u8]) -> Option<usize> {
        let (mut written, mut live) = (0, lowest(self.length));
        // Not four times over.
        for &units in black_box(up_to(&self.units, self.length.div_ceil(16))) {
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

/// The tables of an encoding in registers.
pub(super) struct Tables<'a> {
    pub(super) encoding: &'a DoubleByte<'a>,
    rows: (__m512i, __m512i),
    /// The number of columns and 1, in halves of a lane.
    columns: __m512i,
    /// The greatest place.
    last: __m512i,
    trailing: [[__m512i; 3]; 2],
}

impl<'a> Tables<'a> {
    /// A function of its own for size: a loop has too many registers in use to keep them there.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn of(encoding: &'a DoubleByte<'a>) -> Self {
        let &DoubleByte { table, columns, .. } = encoding;
        // Rows and columns are bytes, a place without a character is one past all rows, and two units can be loaded from any place.
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

    /// Which of 64 bytes lead, trail, or stand alone, and what that makes of them, but not yet the characters of pairs. The first
    /// byte may be `taken` by the one before it (1 or 0), and the one behind all by the last.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn split(&self, &Block { bytes, behind }: &Block, taken: u64) -> Split {
        let high = _mm512_movepi8_mask(bytes);
        let rows = _mm512_permutex2var_epi8(self.rows.0, bytes, self.rows.1);
        let in_lead_range = _mm512_cmpneq_epi8_mask(rows, _mm512_set1_epi8(ALONE as i8)) & high;
        let trails = trails(in_lead_range, taken);
        let leads = in_lead_range & !trails;
        let (columns, in_trail_range) = self.columns_of(behind);
        let rows = _mm512_mask_mov_epi8(rows, !in_trail_range, _mm512_set1_epi8(NO_ROW as i8));
        // Side by side: the low byte or the column, the high byte or the row.
        let low = _mm512_mask_mov_epi8(bytes, leads, columns);
        Split { low, high: _mm512_maskz_mov_epi8(leads, rows), alone: high & !leads & !trails, starts: !trails, leads }
    }

    /// The columns of 64 trailing bytes, and which of them are trailing bytes at all.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn columns_of(&self, bytes: __m512i) -> (__m512i, u64) {
        let [lower, upper] = self.trailing.map(|[first, length, less]| {
            let inside = _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, first), length);
            (_mm512_sub_epi8(bytes, less), inside)
        });
        (_mm512_mask_mov_epi8(lower.0, upper.1, upper.0), lower.1 | upper.1)
    }

    /// The code units of 64 characters, of which those of `pairs` are in the table: at row times columns plus column. Returns
    /// also which of these are [`NULL`] or a surrogate there. One body for UTF-16 and UTF-8, because it is long.
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

    /// The same for 16.
    ///
    /// Gathers. Where that is slow, as on AMD's processors, single loads are not faster until there is more to look up than this.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn sixteen(&self, low: __m128i, high: __m128i, pairs: u16) -> (__m512i, u16) {
        let (low, high) = (_mm512_cvtepu8_epi32(low), _mm512_cvtepu8_epi32(high));
        let units = _mm512_or_si512(_mm512_slli_epi32::<8>(high), low);
        // Row times columns plus column.
        let both = _mm512_or_si512(_mm512_slli_epi32::<16>(high), low);
        let places = _mm512_min_epu32(_mm512_madd_epi16(both, self.columns), self.last);
        let table = self.encoding.table.as_ptr().cast();
        // Mostly among the last of a step.
        if pairs == 0 {
            return (units, 0);
        }
        // SAFETY: a place is at most that of the last unit but one, and the four bytes from there on are two units.
        let found = unsafe { _mm512_mask_i32gather_epi32::<2>(units, pairs, places, table) };
        let found = _mm512_and_si512(found, _mm512_set1_epi32(0xFFFF));
        let surrogates = _mm512_and_si512(found, _mm512_set1_epi32(0xF800));
        let missing = _mm512_mask_cmpeq_epi32_mask(pairs, found, _mm512_set1_epi32(NULL.into()))
            | _mm512_mask_cmpeq_epi32_mask(pairs, surrogates, _mm512_set1_epi32(0xD800));
        (found, missing)
    }
}

/// The first byte of a range, how far the last is from it, and how much more a byte is than its column.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn range_of(&Trailing { first, last, column }: &Trailing) -> [__m512i; 3] {
    let all = |byte: u8| _mm512_set1_epi8(byte as i8);
    [all(first), all(last - first), all(first.wrapping_sub(column))]
}

/// Puts what `singles` say in the place of bytes that stand alone. Returns which of them are wrong.
///
/// Not among the tables in registers, for it is rare.
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

/// What a step becomes after a look at the pairs that vectors did not find.
struct Found {
    step: Step,
    /// How many bytes it reads, if not as many as before, and whether that is because it stops at something.
    end: Option<(usize, bool)>,
}

/// Looks for the pairs of `missing` outside the table, by their bytes, of which there are `length` and zeros behind them. Stops
/// before one that is no single code unit, and before a malformed one unless it is to be `replaced`.
///
/// Nobody can predict which pairs are malformed, so hardly a branch depends on it.
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
    let mut nulls = missing & equal(text, NULL);
    let trailing_from = |first: u8| _pext_u64(_mm512_cmpge_epu8_mask(behind, _mm512_set1_epi8(first as i8)), starts);
    // For a single one it is faster to ask the encoding.
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
        // As many as can matter, but nothing behind the source.
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
    // A byte of ASCII that ends a malformed pair is a character of its own.
    let mut before_ascii = malformed & _pext_u64(!_mm512_movepi8_mask(behind), starts);
    let mut found = Found { step: Step { units: step.units, length: step.length }, end: None };
    if stops != 0 {
        let at = stops.trailing_zeros() as usize;
        found.step.length = at;
        found.end = Some((_pdep_u64(1 << at, starts).trailing_zeros() as usize, true));
        before_ascii &= lowest(at);
    } else if before_ascii & _pext_u64(1 << 63, starts) != 0 {
        // It is the next block's.
        found.end = Some((64, false));
    }
    if before_ascii != 0 {
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

/// Puts bytes of `ascii` among characters, in the order of where both stand in the source.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn put_behind(text: [__m512i; 2], characters: u64, bytes: __m512i, ascii: u64) -> [__m512i; 2] {
    let both = characters | ascii;
    let bytes = _mm512_maskz_expand_epi8(_pext_u64(ascii, both), bytes);
    expand(halves(bytes).map(|bytes| _mm512_cvtepu8_epi16(bytes)), _pext_u64(characters, both), text)
}

/// Puts `units` one after the other into the places of 64 that are in the mask.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn expand(text: [__m512i; 2], places: u64, units: [__m512i; 2]) -> [__m512i; 2] {
    let (lower, upper) = (places as u32, (places >> 32) as u32);
    // Behind those for the lower half.
    let numbers = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(numbered()));
    let from = _mm512_add_epi16(numbers, _mm512_set1_epi16(lower.count_ones() as i16));
    let rest = _mm512_permutex2var_epi16(units[0], from, units[1]);
    [_mm512_mask_expand_epi16(text[0], lower, units[0]), _mm512_mask_expand_epi16(text[1], upper, rest)]
}
