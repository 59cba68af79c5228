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
//! with the highest bit set. Then the lanes of the bytes that start a character are moved together, and looked up one by one, without
//! a branch on what they are. All that is not in the table gives the place of a [`NULL`], and is looked at again if there is one in
//! the step.
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
        let table = self.encoding.table;
        let (mut read, mut written) = (0, 0);
        let mut places = [0; 72];
        while let (Some(from), Some(to)) = (block::<_, AHEAD>(source, read), block_mut(destination, written)) {
            let bytes = [load(window::<0>(from)), load(window::<16>(from))];
            if vmaxvq_u8(vorrq_u8(bytes[0], bytes[1])) < 0x80 {
                return (read, written, Next::Ascii);
            }
            if vmaxvq_u8(bytes[0]) < 0x80 {
                let ([to, ..], _) = to.as_chunks_mut() else { break };
                store_units(ascii::widened(bytes[0]), to);
                read += 16;
                written += 16;
                continue;
            }
            let (in_lead_range, _) = bits_and_ends(bytes.map(|bytes| within(self.lead_range, bytes)));
            let trails = trails(in_lead_range);
            let starts = !trails;
            let counts = vcnt_u8(vcreate_u8(starts.into()));
            let ends = vget_lane_u32::<0>(vreinterpret_u32_u8(counts)).wrapping_mul(0x0101_0101);

            let lanes =
                [self.places(bytes[0], load(window::<1>(from))), self.places(bytes[1], load(window::<17>(from)))];
            let mut start = 0;
            for eight in 0..4 {
                // The compiler sees that it is inside.
                let room = block_mut(&mut places, (start & 0x3F) as usize).expect("63 and 8 are less than there are");
                let kept = (starts >> (8 * eight)) as u8;
                store_eight_units(compress_units(lanes[eight / 2][eight % 2], kept), room);
                start = ends >> (8 * eight);
            }
            let count = (ends >> 24 & 0x3F) as usize;
            // What is looked up behind them.
            store_eight_units(
                vdupq_n_u16(ITSELF),
                block_mut(&mut places, count).expect("63 and 8 are less than there are"),
            );

            let mut missing = vdupq_n_u16(0);
            for (places, to) in places[..ROOM].as_chunks().0.iter().zip(to.as_chunks_mut().0).take(count.div_ceil(8)) {
                let units = look_up(table, places);
                missing = vorrq_u16(missing, missing_units(units));
                store_eight_units(units, to);
            }
            if vmaxvq_u16(missing) != 0
                && let Some((bytes, units)) = one_by_one(self.encoding, from, starts, to)
            {
                return (read + bytes, written + units, Next::Stop);
            }
            // A pair that begins with the last byte is taken whole.
            read += 32 + ((in_lead_range & starts) >> 31) as usize;
            written += count;
        }
        (read, written, Next::End)
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

/// Looks at the missing units of a step again. Returns how many bytes and how many units are before the first that is no single
/// code unit.
#[cold]
#[inline(never)]
fn one_by_one(
    encoding: &DoubleByte<'_>,
    from: &[u8; AHEAD],
    mut starts: u32,
    to: &mut [u16; ROOM],
) -> Option<(usize, usize)> {
    let mut number = 0;
    while let (1.., Some(unit)) = (starts, to.get_mut(number)) {
        let at = starts.trailing_zeros() as usize;
        if is_missing(*unit) {
            let (first, second) = (from[at], from[at + 1]);
            *unit = match encoding.rows[usize::from(first & 0x7F)] {
                ALONE => encoding.singles[usize::from(first & 0x7F)],
                _ => encoding.pair(first, second),
            };
            if is_missing(*unit) {
                return Some((at, number));
            }
        }
        starts &= starts - 1;
        number += 1;
    }
    None
}
