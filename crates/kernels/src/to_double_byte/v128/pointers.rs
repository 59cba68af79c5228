//! Pairs of bytes for code units that were moved together, in passes over a chunk of them.
//!
//! The drawing in `docs/kernels.md#encoding-to-pairs` shows how a code unit is looked up. The passes are:
//!
//! 1. `Found::find_places` finds the block of each code unit.
//! 2. `Found::find_numbers` loads the blocks, and counts the bits that give the numbers.
//! 3. `Found::find_pointers` loads the pointers.
//! 4. [`Found::make_pairs`] computes the two bytes of each pointer.
//!
//! Each pass replaces the items in place. Only NEON shifts each lane by another number of bits; WebAssembly and SSE4.1
//! take the first three passes one code unit at a time.

use crate::to_double_byte::tables::listed::{Listed, Run};
use crate::to_double_byte::tables::{Divisor, Part, ToDoubleByte};
use crate::{base::*, vector::v128::*};

#[cfg(target_arch = "aarch64")]
use super::blocks::blocks_at;

/// The greatest number of code units of a chunk.
pub(crate) const FOUND_UNITS: usize = 256;
/// The number of items that may be read or overwritten from a place below [`FOUND_UNITS`] on.
pub(crate) const SPARE_ITEMS: usize = 40;

/// The results of the passes over the code units beyond ASCII of a chunk of text.
pub(crate) struct Found {
    /// First the places of code units among the blocks, then their numbers, their pointers, and their two bytes.
    pub(crate) items: [u16; FOUND_UNITS + SPARE_ITEMS],
    /// The number of code units, at most [`FOUND_UNITS`].
    pub(crate) count: usize,
}

impl Found {
    /// No code units.
    pub(crate) const NONE: Self = Found { items: [0; FOUND_UNITS + SPARE_ITEMS], count: 0 };

    /// Finds the two bytes of each of the [`Self::count`] code units, the leading byte in the lower half. Returns the
    /// number of the first code unit that has no pointer.
    ///
    /// `list` has the code units in some form. `unit` makes a code unit of one item, and `lower_and_upper` the lower
    /// and the upper bytes of 16 code units.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn encode<T: Copy>(
        &mut self,
        encoding: &ToDoubleByte<'_>,
        list: &mut [T; FOUND_UNITS + SPARE_ITEMS],
        unit: impl Fn(T) -> u16,
        #[cfg(target_arch = "aarch64")] lower_and_upper: impl Fn(&[T; 16]) -> [uint8x16_t; 2],
    ) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        // The vectors also have items after the last one. These repeat the first one, so that they need no question to
        // the encoding if the first one needs none.
        let first = list[0];
        if let Some(more) = block_mut(list, self.count) {
            *more = [first; 16];
        }
        let mut without_pointer = None;
        #[cfg(target_arch = "aarch64")]
        let greatest = self.look_up(encoding.listed(), list, lower_and_upper);
        #[cfg(not(target_arch = "aarch64"))]
        let greatest = self.look_up(encoding.listed(), list, &unit);
        if greatest >= encoding.end() {
            without_pointer = self.ask_encoding(encoding, list, unit);
        }
        self.make_pairs(encoding);
        without_pointer
    }

    /// The lookups: from code units to their pointers, or to their numbers in the run of `listed`. Returns the greatest
    /// result.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    fn look_up<T>(
        &mut self,
        listed: &Listed<'_>,
        list: &[T; FOUND_UNITS + SPARE_ITEMS],
        lower_and_upper: impl Fn(&[T; 16]) -> [uint8x16_t; 2],
    ) -> u16 {
        self.find_places(listed, list, lower_and_upper);
        self.find_numbers(listed);
        self.find_pointers(listed)
    }

    /// The lookups: from code units to their pointers, or to their numbers in the run of `listed`. Returns the greatest
    /// result.
    #[cfg(not(target_arch = "aarch64"))]
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn look_up<T: Copy>(
        &mut self,
        listed: &Listed<'_>,
        list: &[T; FOUND_UNITS + SPARE_ITEMS],
        unit: impl Fn(T) -> u16,
    ) -> u16 {
        let mut greatest = 0;
        for (found, &item) in self.items.iter_mut().zip(list).take(self.count) {
            *found = listed.pointer_or_number(unit(item));
            greatest = greatest.max(*found);
        }
        greatest
    }

    /// The first pass: replaces the upper byte of a code unit, which is the number of its group of 256, by the place
    /// of this group. Then the upper eleven bits are the place of the block, and the lower five bits are the place of
    /// the code unit in its block.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    fn find_places<T>(
        &mut self,
        listed: &Listed<'_>,
        list: &[T; FOUND_UNITS + SPARE_ITEMS],
        lower_and_upper: impl Fn(&[T; 16]) -> [uint8x16_t; 2],
    ) {
        let (quarters, _) = listed.groups().as_chunks();
        let [first, second, third, fourth] = [0, 1, 2, 3].each(|quarter| load_four(&quarters[quarter]));
        for (at, found) in self.items.as_chunks_mut().0.iter_mut().enumerate().take(self.count.div_ceil(16)) {
            let Some(items) = list.as_chunks().0.get(at) else { break };
            let [lower, upper] = lower_and_upper(items);
            // `tbl` gives 0 for a place beyond its 64 bytes, and `tbx` leaves a byte as it is.
            let groups = vqtbl4q_u8(first, upper);
            let groups = vqtbx4q_u8(groups, second, vsubq_u8(upper, vdupq_n_u8(64)));
            let groups = vqtbx4q_u8(groups, third, vsubq_u8(upper, vdupq_n_u8(128)));
            let groups = vqtbx4q_u8(groups, fourth, vsubq_u8(upper, vdupq_n_u8(192)));
            store_twos([lower, groups], found);
        }
    }

    /// The second pass: from places to numbers. The number of a code unit is the number of the first listed one in its
    /// block, plus the count of listed ones before it in the block. A code unit that is not listed gets
    /// [`NO_POINTER`](crate::to_double_byte::NO_POINTER).
    #[cfg(target_arch = "aarch64")]
    #[inline]
    fn find_numbers(&mut self, listed: &Listed<'_>) {
        for found in self.items.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(8)) {
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

    /// The third pass: from numbers to pointers. Numbers of the run stay as they are. Returns the greatest result.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    fn find_pointers(&mut self, listed: &Listed<'_>) -> u16 {
        let first_of_run = vdupq_n_u16(listed.run().first());
        let mut greatest = vdupq_n_u16(0);
        for found in self.items.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(8)) {
            let numbers = load_eight_units(found);
            let pointers = items_at(listed.pointers(), numbers);
            let pointers = vbslq_u16(vcgeq_u16(numbers, first_of_run), numbers, pointers);
            greatest = vmaxq_u16(greatest, pointers);
            store_eight_units(pointers, found);
        }
        vmaxvq_u16(greatest)
    }

    /// Asks the encoding for the pointers that the list does not have. Returns the number of the first code unit that
    /// has no pointer. The code units after that one are not asked for: their pointers stay what they are, and nothing
    /// made of them is written.
    #[cold]
    #[inline(never)]
    fn ask_encoding<T: Copy>(
        &mut self,
        encoding: &ToDoubleByte<'_>,
        list: &[T; FOUND_UNITS + SPARE_ITEMS],
        unit: impl Fn(T) -> u16,
    ) -> Option<usize> {
        for (number, (pointer, &item)) in self.items.iter_mut().zip(list).enumerate().take(self.count) {
            if *pointer >= encoding.end() {
                *pointer = encoding.other(unit(item));
                if *pointer >= encoding.end() {
                    return Some(number);
                }
            }
        }
        None
    }

    /// The fourth pass: from pointers to the leading and the trailing byte of each.
    ///
    /// The row is the quotient of the pointer and the number of columns, computed as a product with the reciprocal; the
    /// column is the remainder. Never inlined: the compiler would move constants before the loop over chunks, and then
    /// keep them in memory.
    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn make_pairs(&mut self, encoding: &ToDoubleByte<'_>) {
        let (columns, run) = (encoding.columns(), encoding.listed().run());
        for found in self.items.as_chunks_mut().0.iter_mut().take(self.count.div_ceil(8)) {
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
}

/// The bytes of rows or columns.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn byte(part: Part, numbers: uint16x8_t) -> uint16x8_t {
    let is_upper = vcgeq_u16(numbers, vdupq_n_u16(part.split().into()));
    let [lower, upper] = [part.lower(), part.upper()].each(|offset| vdupq_n_u16(offset.into()));
    vaddq_u16(numbers, vbslq_u16(is_upper, upper, lower))
}

/// The quotients of numbers up to 0x7FFF. For greater numbers, they have no meaning.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn quotient(numbers: uint16x8_t, divisor: Divisor) -> uint16x8_t {
    vshlq_u16(upper_products(numbers, vdupq_n_u16(divisor.factor())), vdupq_n_s16(-(divisor.shift() as i16)))
}

/// The upper halves of the products of all lanes.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn upper_products(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
    let products = [vmull_u16(vget_low_u16(a), vget_low_u16(b)), vmull_high_u16(a, b)];
    let [low, high] = products.each(|products| vreinterpretq_u16_u32(products));
    vuzp2q_u16(low, high)
}

/// Replaces the numbers of `run` by their pointers. All other lanes are less than the first number, or have no meaning.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn with_run(run: &Run, pointers: uint16x8_t) -> uint16x8_t {
    let first = vdupq_n_u16(run.first());
    let distance = vsubq_u16(pointers, first);
    let skipped = vmulq_u16(quotient(distance, run.columns()), vdupq_n_u16(run.skipped()));
    let in_run = vaddq_u16(vaddq_u16(distance, skipped), vdupq_n_u16(run.first_pointer()));
    vbslq_u16(vcgeq_u16(pointers, first), in_run, pointers)
}
