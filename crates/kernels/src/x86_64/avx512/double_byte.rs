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
//! it, which together are a place in the table. What is there is gathered. Where that is slow and pairs are many, places are written
//! down instead, and looked up in a [second pass](places).

use core::{arch::x86_64::*, hint::black_box};

use super::{
    ascii,
    by_rule::code_units,
    compress::compress,
    memory::{
        both_halves, halves, load, load_up_to, lowest, numbered, store, store_units, store_units_up_to, store_up_to,
    },
    single_byte::Planes,
    utf16::{self, and, equal, sixteen_to_utf8},
};
use crate::{
    blocks::{after, after_mut, block_mut, up_to},
    double_byte::{ALONE, DoubleByte, FIRST_TRAILING, NO_ROW, NULL, Trailing, is_surrogate},
    level,
    scalar::double_byte as scalar,
    x86_64::avx2::places::{self, Masks, PAIR, by_chunks, trails},
};

pub(crate) use super::to_double_byte::from_utf16;

/// Fewer bytes than this are done one by one.
const FEW: usize = 18;
/// After so many steps with many pairs the next ones are likely to have many, too.
const IN_A_ROW: usize = 4;
/// As many bytes it takes to make up for the beginning of two passes.
const IT_PAYS: usize = 256;

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
        ascii: |bytes, room: &mut _| store_units(ascii::widened(bytes), room),
        few: |few: &Few, room: &mut _| few.put_utf16(room),
        step: |step: &Step, room: &mut _| step.put_utf16(room),
        many: |from: &_, to: &mut _| many_to_utf16(encoding, from, to),
    };
    let run = |from: &_, to: &mut _| ascii::widen(from, to);
    convert(encoding, replaced, source, destination, put, run, scalar::to_utf16)
}

/// One body for both, because it is long: errors are stopped at, or `replaced`.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8_with(encoding: &DoubleByte<'_>, replaced: bool, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let put = Put {
        ascii: |bytes, room: &mut _| store(bytes, room),
        few: |few: &Few, room: &mut _| few.put_utf8(room),
        step: |step: &Step, room: &mut _| step.put_utf8(room),
        many: |from: &_, to: &mut _| many_to_utf8(encoding, from, to),
    };
    convert(encoding, replaced, source, destination, put, crate::ascii::copy, scalar::to_utf8)
}

/// How 64 bytes are written.
struct Put<A, F, S, M> {
    /// ASCII.
    ascii: A,
    /// ASCII but for a few pairs, where there is room for all that is stored at once. Returns how long it is.
    few: F,
    /// Any characters, where there is room for them. Returns how long they are.
    step: S,
    /// All that follows as long as pairs are many. Returns how much was read and written.
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
    put: Put<
        impl Fn(__m512i, &mut [U; 64]),
        impl Fn(&Few, &mut [U]) -> Option<usize>,
        impl Fn(&Step, &mut [U]) -> Option<usize>,
        impl Fn(&[u8], &mut [U]) -> (usize, usize),
    >,
    run: impl Fn(&[u8], &mut [U]) -> usize,
    scalar: impl Fn(&DoubleByte<'_>, &[u8], &mut [U]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let tables = Tables::of(encoding);
    let mut was_ascii = false;
    // How many steps had many pairs.
    let mut in_a_row = 0;
    while read < source.len() {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        let block = Block::of(rest);
        if block.is_ascii() {
            // Mostly one that stands alone, for which a call would take longer than all else.
            if let (false, 64.., Some(room)) = (was_ascii, rest.len(), room.first_chunk_mut()) {
                (put.ascii)(block.bytes, room);
                was_ascii = true;
                in_a_row = 0;
                read += 64;
                written += 64;
                continue;
            }
            let run = run(rest, room);
            read += run;
            written += run;
            if run < rest.len().min(64) {
                break;
            }
            continue;
        }
        was_ascii = false;
        let mut split = tables.split(&block, 0);
        if rest.len() >= 64
            && let Some(few) = tables.few(&block, &split)
            && let Some(length) = (put.few)(&few, room)
        {
            read += few.length;
            written += length;
            in_a_row = 0;
            continue;
        }
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
        in_a_row += 1;
        if in_a_row == IN_A_ROW && !level::gathers() {
            let (bytes, items) = (put.many)(after(source, read), after_mut(destination, written));
            read += bytes;
            written += items;
            in_a_row = 0;
        }
    }
    (read, written)
}

/// 64 bytes and the 64 from the second of them on, with zeros behind the source, which make no pair with its last byte.
#[derive(Clone, Copy)]
struct Block {
    bytes: __m512i,
    behind: __m512i,
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
struct Split {
    /// The column of each leading byte, and every other byte as it is.
    low: __m512i,
    /// The row of each leading byte.
    high: __m512i,
    /// Which bytes stand alone and are not ASCII.
    alone: u64,
    /// Where characters start.
    starts: u64,
    /// Which bytes lead.
    leads: u64,
}

/// Bytes that are ASCII but for a few pairs, none of which is cut off.
struct Few {
    bytes: __m512i,
    /// How many of the bytes.
    length: usize,
    /// Which bytes lead.
    leads: u64,
    /// The code units of the pairs, in wider lanes.
    units: __m512i,
}

impl Few {
    /// As many pairs as are looked up at once.
    const MOST: u32 = 16;

    /// Writes the characters as UTF-16 if there is room, and returns how many code units that is.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn put_utf16(&self, room: &mut [u16]) -> Option<usize> {
        let starts = lowest(self.length) & !(self.leads << 1);
        let text = halves(compress(self.bytes, starts)).map(|bytes| _mm512_cvtepu8_epi16(bytes));
        let units = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(self.units));
        store_units(expand(text, _pext_u64(self.leads, starts), [units, units]), room.first_chunk_mut()?);
        Some(starts.count_ones() as usize)
    }

    /// Writes the characters as UTF-8 if there is room, and returns how many bytes that is.
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
    fn put_utf8(&self, room: &mut [u8]) -> Option<usize> {
        /// What is written for the first half at most, and as much as is stored at once.
        const ROOM: usize = 32 + Few::MOST as usize + 64;
        /// Of two bits each the place of a byte, and of a gap behind it.
        const BYTES: u64 = 0x5555_5555_5555_5555;
        const GAPS: u64 = !BYTES;
        let room = room.first_chunk_mut::<ROOM>()?;
        let (pairs, _) = sixteen_to_utf8::<3>(self.units, lowest(self.leads.count_ones() as usize) as u16);
        let have_third = _mm512_cmpge_epu32_mask(self.units, _mm512_set1_epi32(0x800));
        let gaps = _pdep_u64(have_third.into(), self.leads);
        let of_pairs = self.leads | self.leads << 1;

        let (mut written, mut taken) = (0, 0);
        for (half, bytes) in halves(self.bytes).into_iter().enumerate() {
            let gaps = _pdep_u64(gaps >> (32 * half), GAPS);
            let all = gaps | BYTES;
            let of_pairs = _pext_u64(gaps | _pdep_u64(of_pairs >> (32 * half), BYTES), all);
            let opened = _mm512_maskz_expand_epi8(!_pext_u64(gaps, all), _mm512_castsi256_si512(bytes));
            let next = _mm512_permutexvar_epi8(_mm512_add_epi8(numbered(), _mm512_set1_epi8(taken)), pairs);
            if let Some(room) = block_mut(room, written) {
                store(_mm512_mask_expand_epi8(opened, of_pairs, next), room);
            }
            written += all.count_ones() as usize;
            taken = of_pairs.count_ones() as i8;
        }
        // A last byte that is the next step's was written, too.
        Some(written - (64 - self.length))
    }
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
struct Tables<'a> {
    encoding: &'a DoubleByte<'a>,
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
    fn of(encoding: &'a DoubleByte<'a>) -> Self {
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
    fn split(&self, &Block { bytes, behind }: &Block, taken: u64) -> Split {
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

    /// The bytes if there are few pairs, all in the table, and otherwise ASCII.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn few(&self, block: &Block, split: &Split) -> Option<Few> {
        // A pair that begins with the last byte is the next step's.
        let leads = split.leads & lowest(63);
        let count = leads.count_ones();
        if split.alone != 0 || count > Few::MOST {
            return None;
        }
        let (low, high) = (compress(split.low, leads), compress(split.high, leads));
        let pairs = lowest(count as usize) as u16;
        let (units, missing) = self.sixteen(_mm512_castsi512_si128(low), _mm512_castsi512_si128(high), pairs);
        let length = 64 - (split.leads >> 63) as usize;
        (missing == 0).then_some(Few { bytes: block.bytes, length, leads, units })
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

    /// See [`by_chunks`].
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn many_to_utf16(&self, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
        by_chunks(self.encoding, source, destination, &|from, taken, room| self.places(from, taken, room))
    }

    /// The first pass of [`by_chunks`].
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn places(&self, from: &[u8; 65], taken: u64, room: &mut [u16; 64]) -> Option<Masks> {
        let (bytes, behind) = (from.first_chunk().expect("65 bytes"), from.last_chunk().expect("65 bytes"));
        let block = Block { bytes: load(bytes), behind: load(behind) };
        let Split { low, high, starts, leads, .. } = self.split(&block, taken);
        if leads.count_ones() <= places::FEW {
            return None;
        }
        let columns = _mm512_set1_epi16(self.encoding.columns as i16);
        let pairs = _pext_u64(leads, starts);
        // Row times columns plus column. What is no pair has row 0.
        let place = |low, high, pairs| {
            let place = _mm512_mullo_epi16(_mm512_cvtepu8_epi16(high), columns);
            let place = _mm512_add_epi16(place, _mm512_cvtepu8_epi16(low));
            _mm512_mask_add_epi16(place, pairs, place, _mm512_set1_epi16(PAIR as i16))
        };
        let ([first, second], [first_rows, second_rows]) =
            (halves(compress(low, starts)), halves(compress(high, starts)));
        store_units([place(first, first_rows, pairs as u32), place(second, second_rows, (pairs >> 32) as u32)], room);
        Some(Masks { high: _mm512_movepi8_mask(block.bytes), leads, trails: !starts })
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
    /// Gathers. Where that is slow, as on AMD's processors, single loads are not faster until there is more to look up than this; see
    /// [`many_to_utf16`].
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

/// Converts while pairs are many, with single loads: [`Tables::characters`] gathers. Nothing where it does not pay. Returns how many bytes
/// were read and units written.
///
/// With tables of its own: a loop that lends it its tables has to put them into memory first.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn many_to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() < IT_PAYS {
        return (0, 0);
    }
    Tables::of(encoding).many_to_utf16(source, destination)
}

/// The same to UTF-8.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn many_to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < IT_PAYS {
        return (0, 0);
    }
    let tables = Tables::of(encoding);
    let mut units = [0; 640];
    let (mut read, mut written) = (0, 0);
    loop {
        let room = after_mut(destination, written);
        // A code unit makes three bytes at most.
        let fitting = units.len().min(room.len() / 3);
        let units = units.get_mut(..fitting).unwrap_or_default();
        let (bytes, count) = tables.many_to_utf16(after(source, read), units);
        if bytes == 0 {
            return (read, written);
        }
        read += bytes;
        written += utf16::to_utf8(up_to(units, count), room).1;
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
