//! UTF-16 to one and two bytes per character, in vectors of 16 bytes, in passes over chunks of eight steps of 32 code
//! units.
//!
//! The code units beyond ASCII are moved together, so that the time of the lookups depends on their number only. The
//! passes are:
//!
//! 1. [`Chunk::collect`] moves the code units beyond ASCII together.
//! 2. [`Found::encode`] replaces each of them by its two bytes.
//! 3. [`Chunk::write`] puts the pairs between the bytes of ASCII.
//!
//! ```text
//! units      a     日    本    b
//! collect          日    本                 and a mask of where they were:  .  1  1  .
//! encode           93FA  967B
//! write      61    93 FA 96 7B 62
//! ```
//!
//! A pass touches each item once and has no branch on the text, so its steps do not wait for each other.

#[cfg(target_arch = "aarch64")]
mod blocks;
#[cfg(target_arch = "aarch64")]
pub(crate) mod from_utf8;
mod pointers;

#[cfg(target_arch = "aarch64")]
pub(crate) use self::from_utf8::markup_from_utf8;

use self::pointers::{FOUND_UNITS, Found, SPARE_ITEMS};
use super::{scalar, tables::ToDoubleByte};
use crate::ascii::v128::{self as ascii, saturated};
use crate::{base::*, vector::v128::*};

/// Code units in a step of the first and the last pass.
const UNITS_IN_STEP: usize = 32;
/// The greatest number of steps of a chunk.
const STEPS_IN_CHUNK: usize = FOUND_UNITS / UNITS_IN_STEP;
/// The number of items that a step of the last pass may read.
const STEP_READS_ITEMS: usize = UNITS_IN_STEP + 8;
/// The number of bytes that a step of the last pass may overwrite. Each store writes 16 bytes, and a mask limits the
/// place of the first to 63.
const STEP_SPACE_BYTES: usize = 2 * UNITS_IN_STEP + 16;
/// Length of a source, in code units, below which the scalar body encodes it. For NEON, an estimate from counts of
/// instructions: the scalar body takes 60 to 70 for a pair, and the shortest chunk some 430. With SSE4.1, 16 bytes of
/// text took 1.2 times as long in the shortest chunk (Zen 5).
const SCALAR_BELOW_UNITS: usize = if cfg!(target_arch = "x86_64") { 24 } else { 8 };

/// The body of [`crate::to_double_byte::from_utf16`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_UNITS {
        return scalar::from_utf16(encoding, source, destination);
    }
    long_from_utf16(encoding, source, destination)
}

/// As [`from_utf16`]. Never inlined, so that short sources do not pay for the memory of a chunk.
///
/// A chunk takes up to 256 code units through the three passes. A chunk without code units beyond ASCII begins a run,
/// which is narrowed by a loop of its own. If a code unit has no pointer, its number among those beyond ASCII gives its
/// place, and only what comes before is written. The scalar body takes fewer than [`SCALAR_BELOW_UNITS`], and what has
/// no space.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn long_from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut chunk =
        Chunk { steps: [Step::EMPTY; STEPS_IN_CHUNK], units: [0; FOUND_UNITS + SPARE_ITEMS], found: Found::NONE };
    // The first chunk has two steps and each later one twice as many, so that little work is lost if the first code
    // unit without a pointer is near.
    let mut limit = 2;
    loop {
        let rest = after(source, read);
        if rest.len() < SCALAR_BELOW_UNITS {
            break;
        }
        let length = chunk.collect(up_to(rest, limit * UNITS_IN_STEP));
        if chunk.found.count == 0 {
            let run = ascii::narrow(rest, after_mut(destination, written));
            (read, written) = (read + run, written + run);
            if run < length {
                return (read, written);
            }
            continue;
        }
        limit = STEPS_IN_CHUNK.min(2 * limit);
        let end = match chunk.encode(encoding) {
            Some(number) => nth_beyond_ascii(rest, number),
            None => length,
        };
        let (units, bytes) = chunk.write(end, after_mut(destination, written));
        (read, written) = (read + units, written + bytes);
        // A code unit without a pointer ends the conversion.
        if units == end && end < length {
            return (read, written);
        }
        // `destination` has no space for the bytes of the next step.
        if units < end {
            break;
        }
    }
    and_rest((read, written), source, destination, |from, to| scalar::from_utf16(encoding, from, to))
}

/// What the last pass needs of 32 code units.
#[derive(Clone, Copy)]
struct Step {
    /// The code units, as bytes. A code unit beyond ASCII has a byte beyond ASCII.
    bytes: [u8; UNITS_IN_STEP],
    /// Which code units are not ASCII, one bit each.
    beyond_ascii: u32,
    /// How many of these bits are set up to and including each eight, in four bytes.
    ends: u32,
}

impl Step {
    /// A step of zeros.
    const EMPTY: Self = Step { bytes: [0; UNITS_IN_STEP], beyond_ascii: 0, ends: 0 };

    /// Writes the bytes of the step and returns how many there are. `found` has the bytes of its pairs.
    ///
    /// Eight code units at a time: one vector has the next eight pairs, of which the step may need fewer, and one has
    /// the eight code units as bytes. A shuffle takes, for each code unit in order, the two bytes of the next pair or
    /// the one byte of ASCII; a table has the shuffle for each of the 256 masks. A store writes 16 bytes, and the next
    /// one overwrites those that do not count.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn write(&self, found: &[u16; STEP_READS_ITEMS], room: &mut [u8; STEP_SPACE_BYTES]) -> usize {
        if self.beyond_ascii == 0 {
            room[..UNITS_IN_STEP].copy_from_slice(&self.bytes);
            return UNITS_IN_STEP;
        }
        let mut start = 0;
        for (eight, ascii) in self.bytes.as_chunks().0.iter().enumerate() {
            // The mask tells the compiler that both accesses are in bounds.
            let place = (start & 0x1F) as usize;
            let pairs = load_eight_units(block(found, place).expect("31 and 8 are at most 40"));
            let bytes = uint8x16x2_t(vreinterpretq_u8_u16(pairs), vcombine_u8(load_eight(ascii), vdup_n_u8(0)));
            let shuffle = load(&BETWEEN_ASCII[usize::from((self.beyond_ascii >> (8 * eight)) as u8)]);
            let to = block_mut(room, 8 * eight + place).expect("24, 31 and 16 are at most 80");
            store(vqtbl2q_u8(bytes, shuffle), to);
            start = self.ends >> (8 * eight);
        }
        UNITS_IN_STEP + (self.ends >> 24) as usize
    }

    /// Writes the bytes of the first `length` code units, or of all if the step has fewer. Returns how many code units
    /// and how many bytes these are; `None` if `destination` has no space for them.
    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn write_some(
        &self,
        found: &[u16; STEP_READS_ITEMS],
        length: usize,
        destination: &mut [u8],
    ) -> Option<(usize, usize)> {
        let mut room = [0; STEP_SPACE_BYTES];
        self.write(found, &mut room);
        let units = length.min(UNITS_IN_STEP);
        let pairs = u64::from(self.beyond_ascii) & !(!0 << units);
        let bytes = units + pairs.count_ones() as usize;
        destination.get_mut(..bytes)?.copy_from_slice(room.get(..bytes)?);
        Some((units, bytes))
    }
}

/// A chunk of several steps, and the results of the passes over it.
struct Chunk {
    steps: [Step; STEPS_IN_CHUNK],
    /// The code units beyond ASCII.
    units: [u16; FOUND_UNITS + SPARE_ITEMS],
    /// What the second pass makes of them.
    found: Found,
}

impl Chunk {
    /// The first pass: moves the code units beyond ASCII together. Returns the number of code units in the chunk.
    ///
    /// A step takes 32 code units in four vectors. They are saturated to bytes, which are kept for the last pass and
    /// which say, by their highest bits, what is beyond ASCII. Then each vector is compressed and stored after the code
    /// units before; the next store overwrites lanes that do not count. The last step of a source is padded with zeros,
    /// which are ASCII.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn collect(&mut self, source: &[u16]) -> usize {
        let mut count = 0;
        let mut padded = [0; UNITS_IN_STEP];
        for (at, to) in self.steps.iter_mut().enumerate() {
            let rest = after(source, at * UNITS_IN_STEP);
            if rest.is_empty() {
                break;
            }
            let step = rest.first_chunk().unwrap_or_else(|| {
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            });
            let units = [0, 1, 2, 3].each(|eight| load_eight_units(&step.as_chunks().0[eight]));
            let [a, b, c, d] = units;
            let bytes = [saturated([a, b]), saturated([c, d])];
            let ([first, second], _) = to.bytes.as_chunks_mut() else { unreachable!("32 is twice 16") };
            store(bytes[0], first);
            store(bytes[1], second);
            if all_below(vorrq_u8(bytes[0], bytes[1]), 0x80) {
                (to.beyond_ascii, to.ends) = (0, 0);
                continue;
            }
            let (beyond_ascii, ends) = bits_and_ends(bytes.each(|bytes| vcgtq_u8(bytes, vdupq_n_u8(0x7F))));
            (to.beyond_ascii, to.ends) = (beyond_ascii, ends);
            let mut start = 0;
            for (eight, units) in units.into_iter().enumerate() {
                // The mask tells the compiler that the access is in bounds.
                let place = (count + (start & 0x1F)) as usize & 0xFF;
                let room = block_mut(&mut self.units, place).expect("255 and 8 are at most 296");
                store_eight_units(compress_units(units, (beyond_ascii >> (8 * eight)) as u8), room);
                start = ends >> (8 * eight);
            }
            count += ends >> 24;
        }
        self.found.count = count as usize;
        source.len().min(UNITS_IN_STEP * STEPS_IN_CHUNK)
    }

    /// The second pass. Returns the number of the first code unit that has no pointer.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn encode(&mut self, encoding: &ToDoubleByte<'_>) -> Option<usize> {
        self.found.encode(
            encoding,
            &mut self.units,
            |unit| unit,
            #[cfg(target_arch = "aarch64")]
            load_twos,
        )
    }

    /// The last pass: writes the bytes of the pairs, and the bytes of ASCII between them, of the first `length` code
    /// units. Returns how many code units it has converted and how many bytes they have. These are fewer code units if
    /// `destination` has no space for more steps.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn write(&self, length: usize, destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written, mut pairs) = (0, 0, 0);
        for step in &self.steps {
            let Some(units) = length.checked_sub(read).filter(|&units| units != 0) else { break };
            // The mask tells the compiler that the access is in bounds.
            let found = block(&self.found.items, pairs & 0xFF).expect("255 and 40 are at most 296");
            let (units, bytes) = match block_mut(destination, written) {
                Some(room) if units >= UNITS_IN_STEP => (UNITS_IN_STEP, step.write(found, room)),
                _ => match step.write_some(found, units, after_mut(destination, written)) {
                    Some(both) => both,
                    None => break,
                },
            };
            (read, written) = (read + units, written + bytes);
            pairs += bytes - units;
        }
        (read, written)
    }
}

/// The place of a code unit beyond ASCII by its number.
#[cold]
fn nth_beyond_ascii(units: &[u16], number: usize) -> usize {
    let mut beyond_ascii = units.iter().enumerate().filter(|(_, unit)| **unit >= 0x80);
    beyond_ascii.nth(number).map_or(0, |(at, _)| at)
}

/// For eight code units, by one bit for each that is a pair: the shuffle that puts the bytes of the pairs, which are
/// the places 0 to 15, between the bytes of ASCII, which are the places 16 to 23.
static BETWEEN_ASCII: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut unit, mut pair, mut to) = (0, 0, 0);
        while unit < 8 {
            if bits >> unit & 1 == 1 {
                table[bits][to] = pair;
                table[bits][to + 1] = pair + 1;
                pair += 2;
                to += 2;
            } else {
                table[bits][to] = 16 + unit;
                to += 1;
            }
            unit += 1;
        }
        bits += 1;
    }
    table
};
