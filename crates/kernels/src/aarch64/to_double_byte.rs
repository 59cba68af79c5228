//! Encoding of UTF-16 into encodings with one and two bytes for each character, with NEON, in passes over chunks of
//! eight steps of 32 code units.
//!
//! The code units beyond ASCII are moved together, so that the time of the lookups depends on their number only. The
//! drawing in `docs/kernels.md#encoding-to-pairs` shows how a code unit is looked up. The passes are:
//!
//! 1. [`Chunk::collect`] moves the code units beyond ASCII together.
//! 2. [`Chunk::find_places`] finds the block of each of them.
//! 3. [`Chunk::find_numbers`] loads the blocks, and counts the bits that give the numbers.
//! 4. [`Chunk::find_pointers`] loads the pointers.
//! 5. [`Chunk::make_pairs`] computes the two bytes of each pointer.
//! 6. [`Chunk::write`] puts the pairs between the bytes of ASCII.
//!
//! WebAssembly cannot shift each lane by another number of bits, so it takes the passes 2 to 4 one code unit at a time.

use super::instructions::*;

#[cfg(target_arch = "aarch64")]
use super::memory::{blocks_at, items_at, load_four, load_units};
use super::{
    any::all_below,
    ascii::{self, saturated},
    compress::{bits_and_ends, compress_units},
    memory::{load, load_eight, load_eight_units, store, store_eight_units, store_units},
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut, up_to},
    scalar::to_double_byte as scalar,
    tables::{
        listed::{Listed, Run},
        to_double_byte::{Divisor, Part, ToDoubleByte},
    },
};

/// Code units in a step of the first and the last pass.
const UNITS_IN_STEP: usize = 32;
/// The greatest number of steps of a chunk.
const STEPS: usize = 8;
/// The number of items that a step of the last pass may read.
const ITEMS_OF_STEP: usize = UNITS_IN_STEP + 8;
/// The capacity for what the passes find: one item for each code unit of a chunk, and those that a step may read or
/// overwrite after them.
const ITEMS: usize = UNITS_IN_STEP * STEPS + ITEMS_OF_STEP;
/// The number of bytes that a step of the last pass may overwrite. Each store writes 16 bytes, and a mask limits the
/// place of the first to 63.
const ROOM: usize = 2 * UNITS_IN_STEP + 16;
/// Length of a source, in code units, below which the scalar body encodes it. An estimate from counts of instructions:
/// the scalar body takes 60 to 70 for a pair, and the shortest chunk some 430.
const SCALAR_BELOW_UNITS: usize = 8;

/// The body of [`crate::to_double_byte::from_utf16`].
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(crate) fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut chunk = Chunk { steps: [Step::EMPTY; STEPS], found: [0; ITEMS], count: 0 };
    // The first chunk has two steps and each later one twice as many, so that little work is lost if the first code
    // unit without a pointer is near.
    let mut limit = 2;
    loop {
        let rest = after(source, read);
        if rest.len() < SCALAR_BELOW_UNITS {
            break;
        }
        let length = chunk.collect(up_to(rest, limit * UNITS_IN_STEP));
        if chunk.count == 0 {
            let run = ascii::narrow(rest, after_mut(destination, written));
            read += run;
            written += run;
            if run < length {
                return (read, written);
            }
            continue;
        }
        limit = STEPS.min(2 * limit);
        let mut end = length;
        if chunk.look_up(encoding.listed()) >= encoding.end() {
            end = chunk.ask_encoding(encoding, up_to(rest, length));
        }
        chunk.make_pairs(encoding);
        let (units, bytes) = chunk.write(end, after_mut(destination, written));
        read += units;
        written += bytes;
        // A code unit without a pointer ends the conversion.
        if units == end && end < length {
            return (read, written);
        }
        // `destination` has no space for the bytes of the next step.
        if units < end {
            break;
        }
    }
    let (more_read, more_written) = scalar::from_utf16(encoding, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
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
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn write(&self, found: &[u16; ITEMS_OF_STEP], room: &mut [u8; ROOM]) -> usize {
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
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn write_some(
        &self,
        found: &[u16; ITEMS_OF_STEP],
        length: usize,
        destination: &mut [u8],
    ) -> Option<(usize, usize)> {
        let mut room = [0; ROOM];
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
    steps: [Step; STEPS],
    /// What a pass has found for each code unit beyond ASCII: first the code unit itself, then its place among the
    /// blocks, its number, its pointer, and its two bytes.
    found: [u16; ITEMS],
    /// The number of code units beyond ASCII.
    count: usize,
}

impl Chunk {
    /// The first pass: moves the code units beyond ASCII together. The items after them repeat the first one, so that
    /// they need no question to the encoding if the first one needs none. Returns the number of code units in the
    /// chunk.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
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
                let room = block_mut(&mut self.found, place).expect("255 and 8 are at most 296");
                store_eight_units(compress_units(units, (beyond_ascii >> (8 * eight)) as u8), room);
                start = ends >> (8 * eight);
            }
            count += ends >> 24;
        }
        self.count = count as usize;
        let first = vdupq_n_u16(self.found[0]);
        if let Some(more) = block_mut(&mut self.found, self.count) {
            store_units([first, first], more);
        }
        source.len().min(UNITS_IN_STEP * STEPS)
    }

    /// The lookups: from code units to their pointers, or to their numbers in the run of `listed`. Returns the greatest
    /// result. Never inlined: the compiler would move constants before the loop over chunks, and then keep them in
    /// memory.
    #[cfg(target_arch = "aarch64")]
    #[inline(never)]
    #[target_feature(enable = "neon")]
    fn look_up(&mut self, listed: &Listed<'_>) -> u16 {
        self.find_places(listed);
        self.find_numbers(listed);
        self.find_pointers(listed)
    }

    /// The lookups: from code units to their pointers, or to their numbers in the run of `listed`. Returns the greatest
    /// result.
    #[cfg(target_arch = "wasm32")]
    #[inline]
    fn look_up(&mut self, listed: &Listed<'_>) -> u16 {
        let mut greatest = 0;
        for found in crate::blocks::up_to_mut(&mut self.found, self.count) {
            *found = listed.pointer_or_number(*found);
            greatest = greatest.max(*found);
        }
        greatest
    }

    /// The second pass: replaces the upper byte of a code unit, which is the number of its group of 256, by the place
    /// of this group. Then the upper eleven bits are the place of the block, and the lower five bits are the place of
    /// the code unit in its block.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    #[target_feature(enable = "neon")]
    fn find_places(&mut self, listed: &Listed<'_>) {
        let (quarters, _) = listed.groups().as_chunks();
        let [first, second, third, fourth] = [0, 1, 2, 3].each(|quarter| load_four(&quarters[quarter]));
        for found in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(16)) {
            let [a, b] = load_units(found).each(|units| vreinterpretq_u8_u16(units));
            let (lower, upper) = (vuzp1q_u8(a, b), vuzp2q_u8(a, b));
            // `tbl` gives 0 for a place beyond its 64 bytes, and `tbx` leaves a byte as it is.
            let groups = vqtbl4q_u8(first, upper);
            let groups = vqtbx4q_u8(groups, second, vsubq_u8(upper, vdupq_n_u8(64)));
            let groups = vqtbx4q_u8(groups, third, vsubq_u8(upper, vdupq_n_u8(128)));
            let groups = vqtbx4q_u8(groups, fourth, vsubq_u8(upper, vdupq_n_u8(192)));
            store_units(
                [vzip1q_u8(lower, groups), vzip2q_u8(lower, groups)].each(|places| vreinterpretq_u16_u8(places)),
                found,
            );
        }
    }

    /// The third pass: from places to numbers. The number of a code unit is the number of the first listed one in its
    /// block, plus the count of listed ones before it in the block. A code unit that is not listed gets
    /// [`NO_POINTER`](crate::to_double_byte::NO_POINTER).
    #[cfg(target_arch = "aarch64")]
    #[inline]
    #[target_feature(enable = "neon")]
    fn find_numbers(&mut self, listed: &Listed<'_>) {
        for found in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(8)) {
            let places = load_eight_units(found);
            let (listed, first) = blocks_at(listed.blocks(), vshrq_n_u16::<5>(places));
            // The bit of the code unit becomes the highest bit, and the bits of the code units after it are dropped.
            let shift = vreinterpretq_s16_u16(vbicq_u16(vdupq_n_u16(31), places));
            let shifts = [vmovl_s16(vget_low_s16(shift)), vmovl_high_s16(shift)];
            let up_to_unit = [0, 1].each(|half| vreinterpretq_u8_u32(vshlq_u32(listed[half], shifts[half])));
            let [counts, more_counts] = up_to_unit.each(|bits| vcntq_u8(bits));
            let count = vpaddlq_u8(vpaddq_u8(counts, more_counts));
            let [highest, more_highest] = up_to_unit.each(|bits| vreinterpretq_s16_u8(bits));
            let is_listed = vcltzq_s16(vuzp2q_s16(highest, more_highest));
            // The count includes the code unit itself, if it is listed. Then `is_listed` is -1.
            let number = vaddq_u16(vaddq_u16(first, count), is_listed);
            store_eight_units(vornq_u16(number, is_listed), found);
        }
    }

    /// The fourth pass: from numbers to pointers. Numbers of the run stay as they are. Returns the greatest result.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    #[target_feature(enable = "neon")]
    fn find_pointers(&mut self, listed: &Listed<'_>) -> u16 {
        let first_of_run = vdupq_n_u16(listed.run().first());
        let mut greatest = vdupq_n_u16(0);
        for found in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(8)) {
            let numbers = load_eight_units(found);
            let pointers = items_at(listed.pointers(), numbers);
            let pointers = vbslq_u16(vcgeq_u16(numbers, first_of_run), numbers, pointers);
            greatest = vmaxq_u16(greatest, pointers);
            store_eight_units(pointers, found);
        }
        vmaxvq_u16(greatest)
    }

    /// Asks the encoding for the pointers that the list does not have. Returns the number of code units before the
    /// first one that has no pointer.
    #[cold]
    #[inline(never)]
    fn ask_encoding(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16]) -> usize {
        let beyond_ascii = source.iter().enumerate().filter(|&(_, &unit)| unit >= 0x80);
        for (pointer, (at, &unit)) in self.found.iter_mut().zip(beyond_ascii) {
            if *pointer >= encoding.end() {
                *pointer = encoding.other(unit);
                if *pointer >= encoding.end() {
                    return at;
                }
            }
        }
        source.len()
    }

    /// The fifth pass: from pointers to the leading and the trailing byte of each.
    ///
    /// The row is the quotient of the pointer and the number of columns, computed as a product with the reciprocal; the
    /// column is the remainder. Never inlined, for the same reason as [`Self::look_up`].
    #[inline(never)]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn make_pairs(&mut self, encoding: &ToDoubleByte<'_>) {
        let (columns, run) = (encoding.columns(), encoding.listed().run());
        for found in self.found.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(8)) {
            let mut pointers = load_eight_units(found);
            if !run.is_empty() {
                pointers = with_run(run, pointers);
            }
            let row = quotient(pointers, columns);
            let column = vmlsq_u16(pointers, row, vdupq_n_u16(columns.number()));
            let [leading, trailing] = [byte(encoding.leading(), row), byte(encoding.trailing(), column)];
            store_eight_units(vsliq_n_u16::<8>(leading, trailing), found);
        }
    }

    /// The last pass: writes the bytes of the pairs, and the bytes of ASCII between them, of the first `length` code
    /// units. Returns how many code units it has converted and how many bytes they have. These are fewer code units if
    /// `destination` has no space for more steps.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn write(&self, length: usize, destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written, mut pairs) = (0, 0, 0);
        for step in &self.steps {
            let Some(units) = length.checked_sub(read).filter(|&units| units != 0) else { break };
            // The mask tells the compiler that the access is in bounds.
            let found = block(&self.found, pairs & 0xFF).expect("255 and 40 are at most 296");
            let (units, bytes) = match block_mut(destination, written) {
                Some(room) if units >= UNITS_IN_STEP => (UNITS_IN_STEP, step.write(found, room)),
                _ => match step.write_some(found, units, after_mut(destination, written)) {
                    Some(both) => both,
                    None => break,
                },
            };
            read += units;
            written += bytes;
            pairs += bytes - units;
        }
        (read, written)
    }
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

/// The bytes of rows or columns.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn byte(part: Part, numbers: uint16x8_t) -> uint16x8_t {
    let is_upper = vcgeq_u16(numbers, vdupq_n_u16(part.split().into()));
    let [lower, upper] = [part.lower(), part.upper()].each(|offset| vdupq_n_u16(offset.into()));
    vaddq_u16(numbers, vbslq_u16(is_upper, upper, lower))
}

/// The quotients of numbers up to 0x7FFF. For greater numbers, they have no meaning.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn quotient(numbers: uint16x8_t, divisor: Divisor) -> uint16x8_t {
    let factor = vdupq_n_u16(divisor.factor());
    let products = [vmull_u16(vget_low_u16(numbers), vget_low_u16(factor)), vmull_high_u16(numbers, factor)];
    let [low, high] = products.each(|products| vreinterpretq_u16_u32(products));
    vshlq_u16(vuzp2q_u16(low, high), vdupq_n_s16(-(divisor.shift() as i16)))
}

/// Replaces the numbers of `run` by their pointers. All other lanes are less than the first number, or have no meaning.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn with_run(run: &Run, pointers: uint16x8_t) -> uint16x8_t {
    let first = vdupq_n_u16(run.first());
    let distance = vsubq_u16(pointers, first);
    let skipped = vmulq_u16(quotient(distance, run.columns()), vdupq_n_u16(run.skipped()));
    let in_run = vaddq_u16(vaddq_u16(distance, skipped), vdupq_n_u16(run.first_pointer()));
    vbslq_u16(vcgeq_u16(pointers, first), in_run, pointers)
}
