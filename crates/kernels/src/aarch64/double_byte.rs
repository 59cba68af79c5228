//! Encodings of one and two bytes per character, 32 bytes a step.
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
//! For every byte the place in the table is computed that it would have as a leading one, in a lane of 16 bits; ASCII is itself there,
//! with the highest bit set. Then the lanes of the bytes that start a character are moved together. In a second pass over some steps
//! they are looked up one by one, without a branch on what they are. All that is not in the table has the place of a [`NULL`], and is
//! looked at again if there is one.
//!
//! UTF-8 is made of a block of code units. Runs of ASCII are moved straight.

use core::arch::aarch64::*;

use super::{
    ascii,
    compress::{bits_and_ends, compress_units},
    memory::{load, load_eight_units, store_eight_units, store_units},
    utf16,
};
use crate::{
    blocks::{after, after_mut, block, block_mut, up_to},
    double_byte::{ALONE, DoubleByte, NO_ROW, NULL, is_surrogate},
    scalar::double_byte as scalar,
};

pub(crate) use scalar::from_utf16;

/// Fewer bytes than this are done one by one.
const FEW: usize = 96;
/// What a step reads: 32 bytes, and one that the last of them may lead.
const AHEAD: usize = 33;
/// What it may overwrite.
const ROOM: usize = 40;
/// Steps in a chunk, whose places are written before any of them is looked up: loads would wait for stores of other lengths right
/// before them.
const STEPS: usize = 4;
/// Room for the places of a chunk.
const PLACES: usize = 32 * STEPS + 16;
/// The highest bit of a place: it is not one, but the code unit itself.
const ITSELF: u16 = 0x8000;

#[target_feature(enable = "neon")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= FEW && fits(encoding) {
        let tables = Tables::of(encoding);
        loop {
            let (bytes, units, next) = tables.convert(after(source, read), after_mut(destination, written));
            read += bytes;
            written += units;
            match next {
                Next::Ascii => {
                    let run = ascii::widen(after(source, read), after_mut(destination, written));
                    read += run;
                    written += run;
                }
                Next::End => break,
                Next::Stop => return (read, written),
            }
        }
    }
    let (more_read, more_written) = scalar::to_utf16(encoding, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

#[target_feature(enable = "neon")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // What is behind the units that are wanted spares a slow end.
    const MORE: usize = 16;
    let (mut read, mut written) = (0, 0);
    if source.len() >= FEW && fits(encoding) {
        let tables = Tables::of(encoding);
        let mut block = [0; 320];
        loop {
            let to = after_mut(destination, written);
            // A code unit makes three bytes at most.
            let room = (block.len() - MORE).min(to.len().saturating_sub(MORE) / 3);
            let (bytes, units, next) = tables.convert(after(source, read), block.get_mut(..room).unwrap_or_default());
            if units > 0 {
                if let Some(more) = block_mut::<_, MORE>(&mut block, units) {
                    more.fill(0);
                }
                read += bytes;
                written += utf16::to_utf8(up_to(&block, units + MORE), to).1 - MORE;
            }
            match next {
                Next::Ascii => {
                    let run = ascii::copy(after(source, read), after_mut(destination, written));
                    read += run;
                    written += run;
                }
                Next::End if bytes == 0 => break,
                Next::End => {}
                Next::Stop => return (read, written),
            }
        }
    }
    let (more_read, more_written) = scalar::to_utf8(encoding, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Whether columns are bytes, places are less than what stands for what has none, and there is something to look up for whatever is
/// a byte or a place.
fn fits(encoding: &DoubleByte<'_>) -> bool {
    let &DoubleByte { table, columns, .. } = encoding;
    columns <= 0xFF && (0x100..0x7F00).contains(&table.len()) && table.ends_with(&[NULL])
}

/// What is behind what has been converted.
enum Next {
    /// 32 bytes of ASCII at least.
    Ascii,
    /// The end of either slice.
    End,
    /// No character.
    Stop,
}

/// What the first pass knows of a step.
#[derive(Clone, Copy, Default)]
struct Step {
    /// Where characters start.
    starts: u32,
    /// Where it begins.
    read: usize,
    /// Where its first character is written.
    written: usize,
}

/// An encoding and vectors that are made of it.
struct Tables<'a> {
    encoding: &'a DoubleByte<'a>,
    /// Which bytes from 0x80 on are in the lead range: a bit each.
    lead_range: uint8x16_t,
    /// What the leading bytes of each eight from 0x80 on are more than their rows.
    more: uint8x16_t,
    /// Which bytes have the row that this gives; the others, which are rare, are done one by one.
    with_rows: uint8x16_t,
    /// The last place.
    last: int16x8_t,
    columns: uint8x8_t,
    /// The first byte of a range, how many there are behind it, and what the bytes are more than their columns.
    trailing: [[uint8x16_t; 3]; 2],
}

impl<'a> Tables<'a> {
    /// A function of its own, for size.
    #[inline(never)]
    #[target_feature(enable = "neon")]
    fn of(encoding: &'a DoubleByte<'a>) -> Self {
        let &DoubleByte { table, columns, .. } = encoding;
        let (rows, _) = encoding.rows.as_chunks::<16>();
        let numbers = load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        let bytes = |part: usize| vaddq_u8(numbers, vdupq_n_u8((0x80 + 16 * part) as u8));
        let rows: [_; 8] = core::array::from_fn(|part| load(&rows[part]));
        let listed = |part: usize| vcltq_u8(rows[part], vdupq_n_u8(NO_ROW));

        // The greatest of each eight: mostly they are all the same.
        let more = |part: usize| vandq_u8(vsubq_u8(bytes(part), rows[part]), listed(part));
        let of_two = |part: usize| vpmaxq_u8(more(part), more(part + 1));
        let of_four = |part: usize| vpmaxq_u8(of_two(part), of_two(part + 2));
        let more = vpmaxq_u8(of_four(0), of_four(4));

        let bits = |is_in: &dyn Fn(usize) -> uint8x16_t| {
            let half = |part: usize| {
                let [lower, upper] = [part, part + 2].map(|part| bits_and_ends([is_in(part), is_in(part + 1)]).0);
                vcreate_u8(u64::from(lower) | u64::from(upper) << 32)
            };
            vcombine_u8(half(0), half(4))
        };
        Tables {
            encoding,
            lead_range: bits(&|part| vmvnq_u8(vceqq_u8(rows[part], vdupq_n_u8(ALONE)))),
            more,
            with_rows: bits(&|part| {
                let row = vsubq_u8(bytes(part), vqtbl1q_u8(more, eighths(bytes(part))));
                vandq_u8(vceqq_u8(row, rows[part]), listed(part))
            }),
            last: vdupq_n_s16((table.len() - 1) as i16),
            columns: vdup_n_u8(columns as u8),
            trailing: encoding.trailing.ranges.map(|range| {
                [range.first, range.last - range.first, range.first.wrapping_sub(range.column)]
                    .map(|byte| vdupq_n_u8(byte))
            }),
        }
    }

    /// Converts up to a run of ASCII or an end. Returns how many bytes were read and units written, and what follows.
    #[inline(never)]
    #[target_feature(enable = "neon")]
    fn convert(&self, source: &[u8], destination: &mut [u16]) -> (usize, usize, Next) {
        let (mut read, mut written) = (0, 0);
        let mut places = [0; PLACES];
        // Few at first: where the next error is near, little is done in vain.
        let mut limit = 1;
        loop {
            let (rest, text) = (after(source, read), after_mut(destination, written));
            let (mut steps, mut length) = ([Step::default(); STEPS], 0);
            let (mut bytes, mut units) = (0, 0);
            let next = loop {
                let (Some(step), true) = (steps.get_mut(length), length < limit) else { break None };
                let (Some(from), true) = (block(rest, bytes), units + ROOM <= text.len()) else {
                    break Some(Next::End);
                };
                let Some((starts, more_bytes, more_units)) = self.step(from, &mut places, units) else {
                    break Some(Next::Ascii);
                };
                *step = Step { starts, read: bytes, written: units };
                length += 1;
                bytes += more_bytes;
                units += more_units;
            };
            // What is looked up behind them.
            if let Some(behind) = block_mut(&mut places, units) {
                store_eight_units(vdupq_n_u16(ITSELF), behind);
            }
            let mut missing = vdupq_n_u16(0);
            for (places, to) in places.as_chunks().0.iter().zip(text.as_chunks_mut().0).take(units.div_ceil(8)) {
                let units = look_up(self.encoding.table, places);
                missing = vorrq_u16(missing, missing_units(units));
                store_eight_units(units, to);
            }
            if vmaxvq_u16(missing) != 0
                && let Some((bytes, units)) = one_by_one(self.encoding, up_to(&steps, length), rest, text)
            {
                return (read + bytes, written + units, Next::Stop);
            }
            read += bytes;
            written += units;
            match next {
                Some(next) => return (read, written, next),
                None => limit = STEPS.min(2 * limit),
            }
        }
    }

    /// The first pass: writes a place for each character of 32 bytes, from `end` on. Returns where characters start, how many bytes
    /// these have and how many there are; `None` if all is ASCII.
    ///
    /// 16 bytes only if these are ASCII. They have no starts, for they are never missing.
    #[inline]
    #[target_feature(enable = "neon")]
    fn step(&self, from: &[u8; AHEAD], places: &mut [u16; PLACES], end: usize) -> Option<(u32, usize, usize)> {
        let bytes = [load(window::<0>(from)), load(window::<16>(from))];
        if vmaxvq_u8(vorrq_u8(bytes[0], bytes[1])) < 0x80 {
            return None;
        }
        if vmaxvq_u8(bytes[0]) < 0x80 {
            let units = ascii::widened(bytes[0]).map(|units| vorrq_u16(units, vdupq_n_u16(ITSELF)));
            store_units(units, block_mut(places, end)?);
            return Some((0, 16, 16));
        }
        let (in_lead_range, _) = bits_and_ends(bytes.map(|bytes| within(self.lead_range, bytes)));
        let starts = !trails(in_lead_range);
        let counts = vcnt_u8(vcreate_u8(starts.into()));
        let ends = vget_lane_u32::<0>(vreinterpret_u32_u8(counts)).wrapping_mul(0x0101_0101);

        let lanes = [self.places(bytes[0], load(window::<1>(from))), self.places(bytes[1], load(window::<17>(from)))];
        let places: &mut [u16; ROOM] = block_mut(places, end)?;
        let mut start = 0;
        for eight in 0..4 {
            // The compiler sees that it is inside.
            let room = block_mut(places, (start & 0x1F) as usize).expect("31 and 8 are less than there is room for");
            let kept = (starts >> (8 * eight)) as u8;
            store_eight_units(compress_units(lanes[eight / 2][eight % 2], kept), room);
            start = ends >> (8 * eight);
        }
        // A pair that begins with the last byte is taken whole.
        let length = 32 + ((in_lead_range & starts) >> 31) as usize;
        Some((starts, length, (ends >> 24) as usize))
    }

    /// The places of the characters that start with each of 16 bytes. `behind` are the bytes behind them.
    #[inline]
    #[target_feature(enable = "neon")]
    fn places(&self, bytes: uint8x16_t, behind: uint8x16_t) -> [uint16x8_t; 2] {
        let rows = vsubq_u8(bytes, vqtbl1q_u8(self.more, eighths(bytes)));
        let [(lower, in_lower), (upper, in_upper)] = self.trailing.map(|[first, length, less]| {
            let inside = vcleq_u8(vsubq_u8(behind, first), length);
            (vsubq_u8(behind, less), inside)
        });
        let columns = vbslq_u8(in_upper, upper, lower);
        let in_table = vandq_u8(vorrq_u8(in_lower, in_upper), within(self.with_rows, bytes));
        let rows = vandq_u8(rows, in_table);
        let columns = vbslq_u8(in_table, columns, bytes);
        // The upper bytes of what is no place: 0x80 for ASCII, and for others what is greater than any.
        let ascii = vcltq_u8(bytes, vdupq_n_u8(0x80));
        let upper = vbicq_u8(vsubq_u8(vdupq_n_u8(0x7F), ascii), in_table);
        let [lower_half, upper_half] =
            [vzip1q_u8(columns, upper), vzip2q_u8(columns, upper)].map(|units| vreinterpretq_u16_u8(units));
        let places = [
            vmlal_u8(lower_half, vget_low_u8(rows), self.columns),
            vmlal_u8(upper_half, vget_high_u8(rows), self.columns),
        ];
        // As signed numbers, so that ASCII is the least.
        places.map(|places| vreinterpretq_u16_s16(vminq_s16(vreinterpretq_s16_u16(places), self.last)))
    }
}

/// 16 bytes from `AT` on.
fn window<const AT: usize>(block: &[u8; AHEAD]) -> &[u8; 16] {
    block[AT..].first_chunk().expect("AT is 17 at most")
}

/// Which of the sixteen eights from 0x80 on a byte belongs to; for ASCII more than that.
#[inline]
#[target_feature(enable = "neon")]
fn eighths(bytes: uint8x16_t) -> uint8x16_t {
    veorq_u8(vshrq_n_u8::<3>(bytes), vdupq_n_u8(0x10))
}

/// Which bytes are in a range. Eight bytes share one of the range, of which each has a bit.
#[inline]
#[target_feature(enable = "neon")]
fn within(range: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let bits = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let own = vqtbl1q_u8(bits, vandq_u8(bytes, vdupq_n_u8(0xF)));
    vtstq_u8(vqtbl1q_u8(range, eighths(bytes)), own)
}

/// Which of 32 bytes trail, from which are in the lead range. The first one does not.
fn trails(in_lead_range: u32) -> u32 {
    const ODD: u32 = 0xAAAA_AAAA;
    // A run's first bit is subtracted from a word of odd bits: the parity of the end of each run comes out.
    let ends = ((in_lead_range << 1) | ODD).wrapping_sub(in_lead_range);
    (ends ^ ODD) ^ in_lead_range
}

/// The units at eight places.
#[inline]
#[target_feature(enable = "neon")]
fn look_up(table: &[u16], places: &[u16; 8]) -> uint16x8_t {
    let all = load_eight_units(places);
    let themselves = vbicq_u16(all, vdupq_n_u16(ITSELF));
    let is_itself = vcltzq_s16(vreinterpretq_s16_u16(all));
    // In HTML ASCII has many places between pairs.
    if vminvq_u16(is_itself) != 0 {
        return themselves;
    }
    let [a, b, c, d, e, f, g, h] = places.map(|place| table[usize::from(place & !ITSELF)]);
    let units = vsetq_lane_u16::<1>(b, vsetq_lane_u16::<0>(a, vdupq_n_u16(0)));
    let units = vsetq_lane_u16::<3>(d, vsetq_lane_u16::<2>(c, units));
    let units = vsetq_lane_u16::<5>(f, vsetq_lane_u16::<4>(e, units));
    let units = vsetq_lane_u16::<7>(h, vsetq_lane_u16::<6>(g, units));
    vbslq_u16(is_itself, themselves, units)
}

/// Which units [are missing](is_missing).
#[inline]
#[target_feature(enable = "neon")]
fn missing_units(units: uint16x8_t) -> uint16x8_t {
    let surrogates = vceqq_u16(vandq_u16(units, vdupq_n_u16(0xF800)), vdupq_n_u16(0xD800));
    vorrq_u16(surrogates, vceqq_u16(units, vdupq_n_u16(NULL)))
}

/// Whether a code unit stands for none.
fn is_missing(unit: u16) -> bool {
    unit == NULL || is_surrogate(unit)
}

/// Looks at the missing units again. Returns how many bytes and how many units are before the first that is no single code unit.
#[cold]
#[inline(never)]
fn one_by_one(encoding: &DoubleByte<'_>, steps: &[Step], source: &[u8], text: &mut [u16]) -> Option<(usize, usize)> {
    for &Step { mut starts, read, mut written } in steps {
        while starts != 0 {
            let at = read + starts.trailing_zeros() as usize;
            let (unit, first) = (text.get_mut(written)?, source[at]);
            if is_missing(*unit) {
                *unit = match encoding.rows[usize::from(first & 0x7F)] {
                    ALONE => encoding.singles[usize::from(first & 0x7F)],
                    _ => encoding.pair(first, source[at + 1]),
                };
                if is_missing(*unit) {
                    return Some((at, written));
                }
            }
            starts &= starts - 1;
            written += 1;
        }
    }
    None
}
