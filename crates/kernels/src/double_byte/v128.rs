//! Decoding of one and two bytes per character, in vectors of 16 bytes, 32 bytes a step.
//!
//! Two loops take turns. [`few_pairs`] serves text in which pairs are few, such as markup; this file has the loop for
//! many pairs. All bytes of a step are separated into leading, trailing and single bytes at once; the drawing in
//! `docs/kernels.md#lead-and-trail-bytes` shows how. The text goes through two passes over a chunk of a few steps:
//!
//! 1. For every byte a lane of 16 bits gets the place in the table that the byte would have as the leading byte of a
//!    pair. A lane of ASCII gets the code unit itself, with the highest bit set. A lane whose pair is not in the table
//!    gets the last place of the table, where [`NULL`] stands. Then the lanes of bytes that start a character are moved
//!    together.
//! 2. The lanes are looked up one by one, without a branch on whether a lane is a place or a code unit.
//!
//! If a code unit of the chunk is [`NULL`] or a surrogate, the encoding is asked for its character.
//!
//! ```text
//! bytes        88    9F    61    88    A0    20
//! starts       ^           ^     ^           ^
//! lanes        place –     8061  place –     8020
//! together     place 8061  place 8020
//! looked up    4E9C  0061  5516  0020
//! ```
//!
//! A step reads one byte more than its 32, for a pair that begins with the last of them; `taken` tells the next step
//! that its first byte is that pair's trailing byte. Lanes of all other bytes hold something as well, which is dropped
//! when the lanes are moved together, so that no branch depends on where pairs begin.
//!
//! For UTF-8 the code units go to a block in the cache and are converted from there. Runs of ASCII are copied without a
//! lookup. Short sources, and the end of either slice, are left to the scalar body.

pub(crate) mod few_pairs;

use core::mem::MaybeUninit;

use self::few_pairs::CHARACTER_SPACE_ITEMS;
use super::scalar;
use super::tables::{ALONE, DoubleByte, LeadGroups, NULL};
use crate::{ascii::v128 as ascii, base::*, utf8::from_utf16::v128 as utf16_to_utf8, vector::v128::*};

/// The length of a source, in bytes, below which the scalar body decodes it: preparing the tables would take longer.
/// See `docs/experiments.md#pairs-with-avx2-and-neon`.
const SCALAR_BELOW_BYTES: usize = 96;
/// The number of bytes that a step reads: 32, and one more that the last of them may lead.
const STEP_READS_BYTES: usize = 33;
/// The number of lanes that a step may overwrite. Each store writes eight lanes, and a mask limits the first of them to
/// lane 31.
const STEP_SPACE_LANES: usize = 40;
/// The number of steps of a chunk. All places of a chunk are written before the first is looked up: a load of one place
/// right after the store of eight would have to wait for the store to finish.
const STEPS_IN_CHUNK: usize = 4;
/// The capacity for the places of a chunk: at most 32 for each step, and the lanes that the last store overwrites.
const CHUNK_SPACE_LANES: usize = 32 * STEPS_IN_CHUNK + 16;
/// The highest bit of a lane: the lane is not a place, but a code unit.
const UNIT_BIT: u16 = 0x8000;

/// See [`crate::double_byte::to_utf16`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let few = |from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| ascii::widen_sixteen(from, to);
        let put = |unit, to: &mut [u16; CHARACTER_SPACE_ITEMS]| {
            to[0] = unit;
            1
        };
        let put_pair = |unit, to: &mut [u16; CHARACTER_SPACE_ITEMS]| (!is_missing(unit)).then(|| put(unit, to));
        few_pairs::convert(encoding, from, to, copy, |from, to| ascii::widen_64s(from, to), put_pair, put)
    };
    let many = |tables: &Tables<'_>, from: &_, to: &mut _, chunk: &mut _| tables.convert(from, to, chunk);
    let short = |from: &_, to: &mut _| scalar::to_utf16(encoding, from, to);
    decode(encoding, source, destination, few, many, |from, to| ascii::widen(from, to), short)
}

/// See [`crate::double_byte::to_utf8`]. Where pairs are few, `put_pair` and `put` write the UTF-8 of each to its place:
/// nearly all pairs of a table take three bytes, so these have a way of their own. Where pairs are many,
/// [`Tables::convert`] writes code units to a block of 320 in the cache, of which
/// [`convert_vectors`](utf16_to_utf8::convert_vectors) makes UTF-8, 16 units at a time. Zeros fill the last vector;
/// each of them becomes one byte, and these bytes are not counted.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // Zeros after the code units of the block fill the last vector of the conversion to UTF-8. They become as many
    // bytes, which are not counted.
    const PADDING_UNITS: usize = 16;
    let few = |from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| ascii::copied(from, to);
        let put = |unit, to: &mut [u8; CHARACTER_SPACE_ITEMS]| {
            scalar::put_utf8(unit, to.first_chunk_mut().expect("it has more"))
        };
        let put_pair = |unit, to: &mut [u8; CHARACTER_SPACE_ITEMS]| {
            scalar::is_three_bytes(unit).then(|| {
                scalar::put_three_bytes(unit, to.first_chunk_mut().expect("it has more"));
                3
            })
        };
        few_pairs::convert(encoding, from, to, copy, |from, to| ascii::copy_64s(from, to), put_pair, put)
    };
    let mut memory = [MaybeUninit::uninit(); 320];
    let block = initialised(&mut memory);
    let many = |tables: &Tables<'_>, from: &_, to: &mut [u8], chunk: &mut _| {
        // A code unit becomes at most three bytes, and the last vector of them needs `VECTOR_SPACE_BYTES`.
        let room = (block.len() - PADDING_UNITS).min(to.len().saturating_sub(utf16_to_utf8::VECTOR_SPACE_BYTES) / 3);
        let text = block.get_mut(..room).unwrap_or_default();
        let (bytes, units, next) = tables.convert(from, text, chunk);
        if units == 0 {
            return (bytes, 0, next);
        }
        if let Some(more) = block_mut::<_, PADDING_UNITS>(block, units) {
            more.fill(0);
        }
        let (vectors, length) = utf16_to_utf8::convert_vectors(up_to(block, units + PADDING_UNITS - 1), to);
        (bytes, length - (16 * vectors - units), next)
    };
    let short = |from: &_, to: &mut _| scalar::to_utf8(encoding, from, to);
    decode(encoding, source, destination, few, many, |from, to| ascii::copy(from, to), short)
}

/// Converts by turns with the loop for few pairs and the loop for many. `few` is [`few_pairs::convert`] and `many` is
/// [`Tables::convert`], or its form for UTF-8. `ascii` moves a run of ASCII. `short` is the scalar body, for short
/// sources and for the end.
///
/// The tables are prepared when many pairs occur for the first time.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn decode<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    few: impl Fn(&[u8], &mut [D]) -> (usize, usize, few_pairs::Next),
    mut many: impl FnMut(&Tables<'_>, &[u8], &mut [D], &mut Chunk) -> (usize, usize, Next),
    ascii: impl Fn(&[u8], &mut [D]) -> usize,
    short: impl Fn(&[u8], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= SCALAR_BELOW_BYTES {
        let (mut tables, mut chunk) = (None, Chunk::default());
        // The loop for few pairs ends at a greater distance from the ends of the slices than the other loop.
        let (mut is_few, mut is_few_possible) = (true, true);
        loop {
            if is_few {
                let (bytes, items, next) = few(after(source, read), after_mut(destination, written));
                (read, written) = (read + bytes, written + items);
                match next {
                    few_pairs::Next::Many => {}
                    few_pairs::Next::End => is_few_possible = false,
                    few_pairs::Next::Stop => return (read, written),
                }
            }
            let tables = tables.get_or_insert_with(|| Tables::of(encoding));
            let (from, to) = (after(source, read), after_mut(destination, written));
            let (bytes, items, next) = many(tables, from, to, &mut chunk);
            (read, written) = (read + bytes, written + items);
            is_few = matches!(next, Next::Ascii) && is_few_possible;
            match next {
                Next::Ascii if is_few => {}
                Next::Ascii => {
                    let run = ascii(after(source, read), after_mut(destination, written));
                    (read, written) = (read + run, written + run);
                }
                Next::End if bytes == 0 => break,
                Next::End => {}
                Next::Stop => return (read, written),
            }
        }
    }
    and_rest((read, written), source, destination, |from, to| short(from, to))
}

/// The reason why [`Tables::convert`] stopped.
enum Next {
    /// At least 32 bytes of ASCII follow.
    Ascii,
    /// One of the slices is nearly at its end.
    End,
    /// The next bytes have no single code unit.
    Stop,
}

/// The memory of a chunk, which all chunks of a text share.
struct Chunk {
    /// The lanes of the characters.
    places: [u16; CHUNK_SPACE_LANES],
    steps: [Step; STEPS_IN_CHUNK],
    /// The number of steps of the next chunk.
    limit: usize,
}

impl Default for Chunk {
    /// The first chunk has one step and each later one twice as many, so that little work is lost if the next error is
    /// near.
    fn default() -> Self {
        Chunk { places: [0; CHUNK_SPACE_LANES], steps: Default::default(), limit: 1 }
    }
}

/// The results of the first pass for a step, with which missing characters are found.
#[derive(Clone, Copy, Default)]
struct Step {
    /// The bytes that start a character, one bit each.
    starts: u32,
    /// The place of the step in the source of the chunk.
    read: usize,
    /// The place of the code unit of its first character.
    written: usize,
}

/// An encoding with its tables as vectors. [`LeadGroups`] explains `leading`, `differences` and `with_rows`.
struct Tables<'a> {
    encoding: &'a DoubleByte<'a>,
    leading: uint8x16_t,
    differences: uint8x16_t,
    with_rows: uint8x16_t,
    /// The last place of the table, where [`NULL`] stands.
    last: int16x8_t,
    columns: uint8x8_t,
    /// The two ranges of trailing bytes, as [`Trailing::bounds`](super::tables::Trailing::bounds) gives them.
    trailing: [[uint8x16_t; 3]; 2],
}

impl<'a> Tables<'a> {
    /// Loads the tables of an encoding.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn of(encoding: &'a DoubleByte<'a>) -> Self {
        let LeadGroups { leading, differences, with_rows } = encoding.groups();
        Tables {
            encoding,
            leading: load(leading),
            differences: load(differences),
            with_rows: load(with_rows),
            last: vdupq_n_s16((encoding.table().len() - 1) as i16),
            columns: vdup_n_u8(encoding.columns() as u8),
            trailing: encoding.trailing().ranges().each(|range| range.bounds().each(|byte| vdupq_n_u8(byte))),
        }
    }

    /// Decodes up to a run of ASCII, a missing character, or the end of a slice. Returns how many bytes were read, how
    /// many code units were written, and the reason to stop.
    ///
    /// A chunk has up to four steps. The first pass, [`Self::step`], writes a lane for each character of a step, after
    /// those of the steps before. The second pass, [`look_up`], replaces the lanes of the chunk by code units, eight at
    /// a time, and says whether one may be missing; only then [`one_by_one`] goes through the steps again. The lanes
    /// after the last character are filled with code units, so that the last vector needs no test.
    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn convert(&self, source: &[u8], destination: &mut [u16], chunk: &mut Chunk) -> (usize, usize, Next) {
        let table = self.encoding.table();
        let Chunk { places, steps, limit } = chunk;
        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, text) = (after(source, read), after_mut(destination, written));
            let (mut length, mut bytes, mut units, mut taken) = (0, 0, 0, 0);
            let next = loop {
                let (Some(step), true) = (steps.get_mut(length), length < *limit) else { break None };
                let (Some(from), true) = (block(rest, bytes), units + STEP_SPACE_LANES <= text.len()) else {
                    break Some(Next::End);
                };
                let Some((starts, more_bytes, more_units, next_taken)) = self.step(from, taken, places, units) else {
                    break Some(Next::Ascii);
                };
                *step = Step { starts, read: bytes, written: units };
                length += 1;
                (bytes, units) = (bytes + more_bytes, units + more_units);
                taken = next_taken;
            };
            // The trailing byte of the last pair.
            bytes += taken as usize;
            // The last lookup takes eight lanes, of which some may lie after the last character. These become harmless
            // code units.
            if let Some(after_last) = block_mut(places, units) {
                store_eight_units(vdupq_n_u16(UNIT_BIT), after_last);
            }
            let places = places.as_chunks().0.iter().take(units.div_ceil(8));
            if look_up(table, places.zip(text.as_chunks_mut().0))
                && let Some((bytes, units)) = one_by_one(self.encoding, up_to(steps, length), rest, text)
            {
                return (read + bytes, written + units, Next::Stop);
            }
            (read, written) = (read + bytes, written + units);
            match next {
                Some(next) => return (read, written, next),
                None => *limit = STEPS_IN_CHUNK.min(2 * *limit),
            }
        }
    }

    /// The first pass: writes a lane for each character that starts in 32 bytes, to `places` from `end` on. `taken` is
    /// 1 if the first byte is the trailing byte of a pair that the step before began, otherwise 0. Returns where
    /// characters start, how many bytes the step has, how many characters start in them, and `taken` for the next step.
    /// `None` if all bytes are ASCII.
    ///
    /// If only the first 16 bytes are ASCII, the step consists of them. It returns no starts, because ASCII is never
    /// missing. Every other step has 32 bytes, so that a processor begins the next one before it knows the masks of
    /// this one.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn step(
        &self,
        from: &[u8; STEP_READS_BYTES],
        taken: u32,
        places: &mut [u16; CHUNK_SPACE_LANES],
        end: usize,
    ) -> Option<(u32, usize, usize, u32)> {
        let bytes = [load(window::<_, 0, 16>(from)), load(window::<_, 16, 16>(from))];
        if all_below(vorrq_u8(bytes[0], bytes[1]), 0x80) {
            return None;
        }
        if all_below(bytes[0], 0x80) {
            // The byte after the 16 may become one lane too many, which the next step overwrites. A branch on `taken`
            // would be guessed wrongly half of the time.
            let taken = taken as usize;
            let units = ascii::widened(load(block(from, taken)?)).each(|units| vorrq_u16(units, vdupq_n_u16(UNIT_BIT)));
            store_units(units, block_mut(places, end)?);
            return Some((0, 16, 16 - taken, 0));
        }
        let (in_lead_range, _) = bits_and_ends(bytes.each(|bytes| within(self.leading, bytes)));
        let starts = !trails(in_lead_range, taken);
        let ends = ends(starts);

        let lanes = [
            self.places(bytes[0], load(window::<_, 1, 16>(from))),
            self.places(bytes[1], load(window::<_, 17, 16>(from))),
        ];
        let places: &mut [u16; STEP_SPACE_LANES] = block_mut(places, end)?;
        let mut start = 0;
        for eight in 0..4 {
            // The mask tells the compiler that the access is in bounds.
            let room = block_mut(places, (start & 0x1F) as usize).expect("31 and 8 are at most 40");
            let kept = (starts >> (8 * eight)) as u8;
            store_eight_units(compress_units(lanes[eight / 2][eight % 2], kept), room);
            start = ends >> (8 * eight);
        }
        Some((starts, 32, (ends >> 24) as usize, (in_lead_range & starts) >> 31))
    }

    /// The lanes of the characters that start with each of 16 bytes. `next` holds the byte after each.
    ///
    /// ```text
    /// lane of a pair in the table    row × columns + column
    /// lane of ASCII                  0x80 in the upper byte, and the byte
    /// lane of any other byte         0x7F in the upper byte: beyond the last place
    /// ```
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn places(&self, bytes: uint8x16_t, next: uint8x16_t) -> [uint16x8_t; 2] {
        let rows = vsubq_u8(bytes, vqtbl1q_u8(self.differences, eighths(bytes)));
        let [(lower, in_lower), (upper, in_upper)] = self.trailing.each(|[first, length, less]| {
            let inside = vcleq_u8(vsubq_u8(next, first), length);
            (vsubq_u8(next, less), inside)
        });
        let columns = vbslq_u8(in_upper, upper, lower);
        let in_table = vandq_u8(vorrq_u8(in_lower, in_upper), within(self.with_rows, bytes));
        let rows = vandq_u8(rows, in_table);
        let columns = vbslq_u8(in_table, columns, bytes);
        // The upper byte of lanes that are no places: 0x80 for ASCII, and 0x7F for all others.
        let ascii = vcltq_u8(bytes, vdupq_n_u8(0x80));
        let upper = vbicq_u8(vsubq_u8(vdupq_n_u8(0x7F), ascii), in_table);
        let [lower_half, upper_half] =
            [vzip1q_u8(columns, upper), vzip2q_u8(columns, upper)].each(|units| vreinterpretq_u16_u8(units));
        let places = [
            vmlal_u8(lower_half, vget_low_u8(rows), self.columns),
            vmlal_u8(upper_half, vget_high_u8(rows), self.columns),
        ];
        // Lanes are compared as signed numbers: ASCII is negative and stays, and lanes beyond the last place become the
        // last place.
        places.each(|places| vreinterpretq_u16_s16(vminq_s16(vreinterpretq_s16_u16(places), self.last)))
    }
}

/// Which of 32 bytes are trailing bytes, given which are in the lead range. `taken` is 1 if the first byte is the
/// trailing byte of a pair that starts before the 32 bytes, otherwise 0.
fn trails(in_lead_range: u32, taken: u32) -> u32 {
    const ODD_BITS: u32 = 0xAAAA_AAAA;
    let free = in_lead_range & !taken;
    // `docs/kernels.md#lead-and-trail-bytes` explains this subtraction: it finds the parity of all runs at once.
    let ends = ((free << 1) | ODD_BITS).wrapping_sub(free);
    (ends ^ ODD_BITS) ^ (in_lead_range | taken)
}

/// The second pass: writes the code units of lanes, of which some are places and some are code units already. Returns
/// whether a code unit may be missing.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn look_up<'a>(table: &[u16], eights: impl Iterator<Item = (&'a [u16; 8], &'a mut [u16; 8])>) -> bool {
    let (mut greatest, mut nearest) = (vdupq_n_u16(0), vdupq_n_u16(0xFFFF));
    for (places, to) in eights {
        let all = load_eight_units(places);
        let is_itself = vcltzq_s16(vreinterpretq_s16_u16(all));
        let mut units = vbicq_u16(all, vdupq_n_u16(UNIT_BIT));
        // In HTML, many groups of eight lanes between pairs are all ASCII.
        if !all_units(is_itself) {
            units = vbslq_u16(is_itself, units, items_at(table, units));
            greatest = vmaxq_u16(greatest, units);
            nearest = vminq_u16(nearest, vsubq_u16(units, vdupq_n_u16(0xD800)));
        }
        store_eight_units(units, to);
    }
    // The difference between a surrogate and the first surrogate, and no other difference, is below 0x800.
    !(all_units_below(greatest, NULL) && none_units_below(nearest, 0x800))
}

/// Asks the encoding for the missing code units of a chunk. Returns how many bytes and code units come before the first
/// character that has no single code unit. The first pass has kept, for each step, one bit for each byte that starts a
/// character: the byte of the character with a number is the place of the bit with that number.
#[cold]
#[inline(never)]
fn one_by_one(encoding: &DoubleByte<'_>, steps: &[Step], source: &[u8], text: &mut [u16]) -> Option<(usize, usize)> {
    for &Step { starts, read, written } in steps {
        let units = text.get_mut(written..written + starts.count_ones() as usize)?;
        for (number, unit) in units.iter_mut().enumerate() {
            if !is_missing(*unit) {
                continue;
            }
            let left = (0..number).fold(starts, |left, _| left & left.wrapping_sub(1));
            let at = read + left.trailing_zeros() as usize;
            let first = source[at];
            *unit = match encoding.rows()[usize::from(first & 0x7F)] {
                ALONE => encoding.singles()[usize::from(first & 0x7F)],
                _ => encoding.pair(first, source[at + 1]),
            };
            if is_missing(*unit) {
                return Some((at, written + number));
            }
        }
    }
    None
}
