//! Decoding of encodings with one and two bytes for each character.
//!
//! A step decides for 64 bytes at once which bytes lead, which trail and which stand alone. The drawing in
//! `docs/kernels.md#lead-and-trail-bytes` shows how one subtraction finds the trailing bytes; [`trails`] does it.
//!
//! Two loops take turns, each for another kind of text:
//!
//! * Where pairs are few, as in markup, [`convert_few`] copies 64 bytes as ASCII, looks the pairs up one by one, and
//!   [patches] the text with them.
//! * Where pairs are many, [`Tables::places`] computes for each of 64 bytes the place in the table that it would have
//!   as a leading byte, in a lane of 16 bits. The lanes of bytes that start a character are moved together, and
//!   [`by_chunks`] looks these places up in a second pass. Short text, and the end of a long one, is copied for this
//!   loop, with zeros after it.
//!
//! ```text
//! bytes       88    9F    61    88    A0         Shift_JIS
//! starts      ^           ^     ^
//! lanes       8-P   –     61    8-Q   –          P, Q: places, with the highest bit; 61: the byte itself
//! together    8-P   61    8-Q
//! looked up   4E9C  0061  5516
//! ```
//!
//! A lane is computed for every byte, also for trailing bytes, whose lanes are dropped. So no branch depends on where
//! pairs begin, and the masks wait for no lookup. A step reads 65 bytes, because its last byte may lead a pair; whether
//! the first byte of the next step trails is the one bit that goes from step to step.
//!
//! A pair that the table does not have gets `NULL` from the lookup. The encoding is asked for such pairs after the
//! lookup, and a character without a single code unit ends the conversion. What the copy does not convert at the end of
//! a slice goes to the scalar body.

pub(crate) mod ascending;
pub(crate) mod places;

use core::mem::MaybeUninit;

use self::places::{FEW_UP_TO_PAIRS, Masks, by_chunks, rare_character, trails};
use super::scalar;
use super::tables::{DoubleByte, LeadGroups, NO_ROW};
use crate::{ascii::avx2 as ascii, base::*, utf8::from_utf16::avx2::more_to_utf8, vector::avx2::*};

/// The number of bytes that the loop for few pairs reads at a time: 32 of ASCII, and the block that begins in them.
const FEW_READS_BYTES: usize = 32 + BLOCK_READS_ITEMS;
/// The number of bytes that a step with many pairs reads: 64, and one more that the last of them may lead.
const STEP_READS_BYTES: usize = 65;
/// The number of bytes from which on [`convert_copy`] takes less time than the scalar body.
const COPY_FROM_BYTES: usize = 32;
/// The most code units that a step writes.
const STEP_SPACE_UNITS: usize = 64;
/// The number of pairs above which a block of 64 bytes is left to the loop for many pairs. A block has at most 32
/// pairs. Values from 20 to 26 give nearly the same speed. See `docs/experiments.md#pairs-with-avx2-and-neon`.
const MANY_ABOVE_PAIRS: u32 = 24;
/// Blocks of ASCII in a row after which ASCII is moved in a loop of its own. Fewer blocks would make HTML slower.
/// See `docs/experiments.md#pairs-with-avx2-and-neon`.
const LONG_RUN_BLOCKS: u32 = 15;
/// Items of space that a block needs: 32 of ASCII, then 64 characters of three, and the items that are copied after the
/// last one.
const BLOCK_SPACE_ITEMS: usize = 264;

/// The body of [`crate::double_byte::to_utf16`]. It hands [`decode`] two loops. `few` is [`convert_few`], whose copies
/// widen ASCII. `many` is [`convert_many`] where both slices have a whole step, and otherwise [`convert_copy`]. Near
/// the end of `destination`, where there is no space for the 64 code units of a step, the code units go to a block
/// first, and are copied from there if they fit. [`convert_copy`] makes at most 3/4 code unit of each byte, so 4/3 of
/// the space limit what it reads.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let few = |from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| store_units(ascii::widened(load(from)), to);
        let copy_half = |from: &_, to: &mut _| store_sixteen_units(_mm256_cvtepu8_epi16(load_half(from)), to);
        let put = |unit, to: &mut [u16; 4]| {
            to[0] = unit;
            1
        };
        convert_few(encoding, from, to, copy, copy_half, |from, to| ascii::widen_64s_of_ascii(from, to), put)
    };
    let many = |from: &[u8], to: &mut [u16]| {
        match (from.len(), to.len()) {
            (STEP_READS_BYTES.., STEP_SPACE_UNITS..) => {
                return convert_many(encoding, FEW_UP_TO_PAIRS, (from, from.len()), to);
            }
            (_, STEP_SPACE_UNITS..) => return convert_copy(encoding, from, to),
            _ => {}
        }
        let mut memory = [MaybeUninit::uninit(); STEP_SPACE_UNITS];
        let units = initialised(&mut memory);
        let (read, count) = convert_copy(encoding, up_to(from, to.len() * 4 / 3), units);
        if copy_if_fits(up_to(units, count), to) { (read, count) } else { (0, 0) }
    };
    decode(source, destination, few, many, |from, to| scalar::to_utf16(encoding, from, to))
}

/// The body of [`crate::double_byte::to_utf8`]. As in [`to_utf16`], `few` is [`convert_few`], which writes the UTF-8 of
/// each pair to its place. `many` decodes to a block of code units, and then converts the block to UTF-8. The block
/// takes at most a third as many units as `destination` has bytes, because a code unit becomes three bytes at most. If
/// the UTF-8 of the block does not fit after all, nothing is read, and the scalar body takes over.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(encoding: &DoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let few = |from: &_, to: &mut _| {
        let copy = |from: &_, to: &mut _| store(load(from), to);
        let copy_half = |from: &_, to: &mut _| store_half(load_half(from), to);
        convert_few(encoding, from, to, copy, copy_half, |from, to| ascii::copy_64s(from, to), scalar::put_utf8)
    };
    /// The bytes of space after the text that the conversion to UTF-8 needs to use vectors to the end.
    const SPACE_AFTER_TEXT_BYTES: usize = 32;
    let many = |from: &[u8], to: &mut [u8]| {
        let mut memory = [MaybeUninit::uninit(); 640];
        let units = initialised(&mut memory);
        // A code unit becomes three bytes at most.
        let room = units.len().min(to.len().saturating_sub(SPACE_AFTER_TEXT_BYTES) / 3);
        let is_near_end = from.len() < STEP_READS_BYTES || room < STEP_SPACE_UNITS;
        let (read, count) = if is_near_end {
            convert_copy(encoding, up_to(from, to.len() * 2 / 3), units)
        } else {
            convert_many(encoding, FEW_UP_TO_PAIRS, (from, from.len()), up_to_mut(units, room))
        };
        let (done, length) = more_to_utf8(up_to(units, count), to);
        if done == count { (read, length) } else { (0, 0) }
    };
    decode(source, destination, few, many, |from, to| scalar::to_utf8(encoding, from, to))
}

/// Converts by turns with the loop for few pairs and the loop for many. `few` is [`convert_few`], and `many` is
/// [`convert_many`] or, near the end of either slice, [`convert_copy`]; or these are their forms for UTF-8. Each loop
/// goes on as long as the text is of its kind, and the other one takes over where it stops. The turns end where `many`
/// reads nothing; `short`, the scalar body, decodes the rest.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn decode<D>(
    source: &[u8],
    destination: &mut [D],
    few: impl Fn(&[u8], &mut [D]) -> (usize, usize, bool),
    many: impl Fn(&[u8], &mut [D]) -> (usize, usize),
    short: impl FnOnce(&[u8], &mut [D]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while source.len() - read >= COPY_FROM_BYTES {
        if source.len() - read >= FEW_READS_BYTES {
            let (bytes, items, stopped) = few(skip(source, read), skip_mut(destination, written));
            (read, written) = (read + bytes, written + items);
            if stopped {
                return (read, written);
            }
        }
        let (bytes, items) = many(skip(source, read), skip_mut(destination, written));
        (read, written) = (read + bytes, written + items);
        if bytes == 0 {
            break;
        }
    }
    and_rest((read, written), source, destination, short)
}

/// Copies `items` to the front of `to`, if they fit.
#[inline]
fn copy_if_fits<D: Copy>(items: &[D], to: &mut [D]) -> bool {
    let to = to.get_mut(..items.len());
    to.map(|to| to.copy_from_slice(items)).is_some()
}

/// As [`convert_many`], near the end of either slice, where a step would read or write too much: decodes a copy of up
/// to 64 bytes, with zeros after it. `units` must have space for [`STEP_SPACE_UNITS`].
///
/// More than a quarter of the bytes must lead. So the text has at most 3/4 code unit for each byte, or, without single
/// bytes beyond ASCII, 3/2 bytes of UTF-8.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn convert_copy(encoding: &DoubleByte<'_>, source: &[u8], units: &mut [u16]) -> (usize, usize) {
    let few = up_to(source, 64);
    let Some(first) = few.first_chunk() else { return (0, 0) };
    // Bytes that are mostly ASCII are not worth the copy, nor are sequences of four bytes, whose second byte is a
    // digit.
    let bytes = load(first);
    let distance = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
    let digits = _mm256_cmpeq_epi8(_mm256_min_epu8(distance, _mm256_set1_epi8(9)), distance);
    let beyond = ascii::beyond_ascii(bytes);
    if beyond.count_ones() < 8 || beyond << 1 & _mm256_movemask_epi8(digits) as u32 != 0 {
        return (0, 0);
    }
    let mut copy = [0; STEP_READS_BYTES];
    copy_32_to_64(few, &mut copy);
    convert_many(encoding, few.len() as u32 / 4, (&copy, few.len()), units)
}

/// The loop for few pairs. Ends where many pairs come next, and where the end of either slice is near. Returns
/// `(read, written)`, and whether it stopped before a character without a single code unit. `copy` and `copy_half`
/// convert 32 and 16 bytes of ASCII. `put` writes a code unit that is not ASCII, and returns the number of items.
///
/// 32 bytes of ASCII are copied at a time. The first byte beyond ASCII starts a block of 64 bytes, in which pairs are
/// patched. If a block ended where a run of pairs ends, the processor would mispredict two branches for each run, one
/// at its start and one at its end. In HTML this took a quarter of the time.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn convert_few<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    copy: impl Fn(&[u8; 32], &mut [D; 32]),
    copy_half: impl Fn(&[u8; 16], &mut [D; 16]),
    ascii: impl Fn(&[u8], &mut [D]) -> usize,
    put: impl Fn(u16, &mut [D; 4]) -> usize,
) -> (usize, usize, bool) {
    let (length, room) = (source.len(), destination.len());
    let leading = twice(&encoding.groups().leading);
    let (mut source, mut destination) = (source, destination);
    let mut ascii_blocks = 0;
    let stopped = loop {
        let (Some(from), Some(to)) =
            (block::<_, FEW_READS_BYTES>(source, 0), block_mut::<_, BLOCK_SPACE_ITEMS>(destination, 0))
        else {
            break false;
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
            break false;
        };
        let (leads, alone) = beyond_ascii(leading, from);
        if leads.count_ones() > MANY_ABOVE_PAIRS {
            (source, destination) = (after(source, run), after_mut(destination, run));
            break false;
        }
        let (bytes, items, is_stop) = patch(from, leads | alone, to, &copy_half, |pair, to, _, _| {
            let (unit, length) = character(encoding, pair[0], pair[1])?;
            Some((length.into(), put(unit, to)))
        });
        (source, destination) = (after(source, run + bytes), after_mut(destination, run + items));
        if is_stop {
            break true;
        }
    };
    (length - source.len(), room - destination.len(), stopped)
}

/// Masks of the leading bytes, and of the bytes beyond ASCII that stand alone, among the first 64 bytes. The first
/// byte starts a character.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn beyond_ascii(leading: __m256i, from: &[u8; BLOCK_READS_ITEMS]) -> (u64, u64) {
    let bytes = [0, 32].each(|at| load(block(from, at).expect("`from` is longer than 64 bytes")));
    let in_lead_range = ascii::mask(bytes.each(|bytes| within(leading, bytes)));
    let trails = trails(in_lead_range, 0);
    (in_lead_range & !trails, ascii::mask(bytes) & !in_lead_range & !trails)
}

/// The code unit of the character that starts with these bytes, and the number of its bytes; `None` if it has no
/// single code unit. `first` is not ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn character(encoding: &DoubleByte<'_>, first: u8, second: u8) -> Option<(u16, u8)> {
    match encoding.listed(first, second) {
        unit if !is_missing(unit) => Some((unit, 2)),
        _ => rare_character(encoding, first, second),
    }
}

/// Bits 3 to 6 of each byte. The bytes from 0x80 on form sixteen groups of eight; for them these bits are the number of
/// the group.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn eighths(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<3>(bytes), _mm256_set1_epi8(0xF))
}

/// Sets the highest bit of the bytes that are in a range, and clears the highest bit of all other bytes. The lower bits
/// of the result have no meaning. `range` has one bit for each byte from 0x80 on; its 16 bytes are repeated in both
/// halves.
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

/// The loop for many pairs, to UTF-16: converts steps as long as they have more pairs than `few_up_to`; see
/// [`by_chunks`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn convert_many(
    encoding: &DoubleByte<'_>,
    few_up_to: u32,
    source: (&[u8], usize),
    destination: &mut [u16],
) -> (usize, usize) {
    let tables = Tables::of(encoding);
    by_chunks(encoding, source, destination, &|from, taken, room| tables.places(few_up_to, from, taken, room))
}

/// 16 bytes in both halves of a vector.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn twice(half: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(half))
}

/// The tables of an encoding, in vectors. Where an entry of 16 bytes has a byte for each group of eight bytes from 0x80
/// on, as [`LeadGroups`], it stands in both halves of its vector.
struct Tables {
    /// Whether a byte is a leading byte: one bit each.
    leading: __m256i,
    /// The difference between a leading byte and its row.
    differences: __m256i,
    /// Whether a byte has the row that `differences` gives: one bit each.
    with_rows: __m256i,
    /// The number of columns, in each lane of 16 bits.
    columns: __m256i,
    /// The two ranges of trailing bytes, as [`Trailing::bounds`](super::tables::Trailing::bounds) gives them.
    trailing: [[__m256i; 3]; 2],
}

impl Tables {
    /// Loads the tables. [`DoubleByte::new`] has checked the facts that the steps rely on: a row and a column each fit
    /// in a byte; the last entry of the table is [`NULL`], and a place after the table is
    /// replaced by its place; the table has more than 0xFF entries, because the bytes of other characters are looked up
    /// like places, and the result is ignored.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of(encoding: &DoubleByte<'_>) -> Self {
        let LeadGroups { leading, differences, with_rows } = encoding.groups();
        Tables {
            leading: twice(leading),
            differences: twice(differences),
            with_rows: twice(with_rows),
            columns: _mm256_set1_epi16(encoding.columns() as i16),
            trailing: encoding
                .trailing()
                .ranges()
                .each(|range| range.bounds().each(|byte| _mm256_set1_epi8(byte as i8))),
        }
    }

    /// The first pass over 64 bytes and the byte after them: writes an entry for each character to `room` (see
    /// [`by_chunks`]). Returns `None` if the 64 bytes have at most `few_up_to` pairs. `taken` is 1 if the first byte is
    /// the trailing byte of a pair that starts before it, otherwise 0.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn places(&self, few_up_to: u32, from: &[u8; 65], taken: u64, room: &mut [u16; 64]) -> Option<Masks> {
        let bytes = [load(window::<_, 0, 32>(from)), load(window::<_, 32, 32>(from))];
        let high = ascii::mask(bytes);
        let in_lead_range = ascii::mask(bytes.each(|bytes| within(self.leading, bytes)));
        let trails = trails(in_lead_range, taken);
        let leads = in_lead_range & !trails;
        if leads.count_ones() <= few_up_to {
            return None;
        }
        let next = [load(window::<_, 1, 32>(from)), load(window::<_, 33, 32>(from))];

        let mut count = 0;
        // Eight entries at a time: the entries at starts of characters are moved together, and stored after the entries
        // before.
        for half in 0..2 {
            let starts = !trails >> (32 * half);
            let [[a, b], [c, d]] = self.lanes(bytes[half], next[half]).each(|lanes| halves(lanes));
            for (units, starts) in [a, b, c, d].into_iter().zip((starts as u32).to_le_bytes()) {
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
        let in_lead_range = _mm256_cmpgt_epi8(_mm256_setzero_si256(), within(self.leading, bytes));
        let rows = _mm256_sub_epi8(bytes, _mm256_shuffle_epi8(self.differences, eighths(bytes)));

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
