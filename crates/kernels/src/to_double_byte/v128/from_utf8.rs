//! UTF-8 with few characters beyond ASCII, as in markup, to one and two bytes per character. Of the levels with vectors
//! of 16 bytes, only NEON has it: the others lack loads of several items from places in a vector.
//!
//! Markup is mostly ASCII, which takes no more than a copy here. By way of UTF-16 it would be widened and narrowed. The
//! passes over a chunk of the text are:
//!
//! 1. [`Chunk::collect`] copies the ASCII of the chunk and leaves space for the pairs between it. It notes the bytes of
//!    each character beyond ASCII, and the place of its pair.
//! 2. [`Chunk::encode`] makes code units of these bytes, and [`Found::encode`] makes pairs of the code units.
//! 3. [`Chunk::write`] writes the pairs to their places.
//!
//! ```text
//! source      <  b  >  E6  97  A5  <  /  ..
//! collect     <  b  >  ..  ..  <  /  ..         E6 97 A5, place 3
//! write       <  b  >  93  FA  <  /  ..
//! ```
//!
//! Where characters begin is known for a block of 64 bytes, in a mask. A character removes its bit from the mask, and
//! the lowest bit that is left is the next character.

use super::pointers::{FOUND_UNITS, Found, SPARE_ITEMS};
use crate::double_byte::v128::few_pairs::{BLOCK_READS_BYTES, COPY_BYTES, LONG_RUN_STEPS, Left, STEP_BYTES, copy_step};
use crate::{ascii::v128 as ascii, base::*, to_double_byte::tables::ToDoubleByte, vector::v128::*};

/// The number of bytes that a block may overwrite. A character is not written after its place in the source.
const BLOCK_SPACE_BYTES: usize = 65 + COPY_BYTES;
/// The greatest number of characters beyond ASCII in a block of well-formed text.
const CHARACTERS_OF_BLOCK: usize = 32;
/// The number of characters beyond ASCII in a block above which the text has many of them. See
/// `docs/experiments.md#encoding-to-pairs`, also for the next two numbers.
const MANY_CHARACTERS: u32 = 13;
/// The number of blocks in a row with many characters before the last of which the conversion ends.
const BLOCKS_WITH_MANY: u32 = 16;
/// The same at the beginning of a conversion, which often goes on where one by way of UTF-16 has stopped.
const BLOCKS_AT_FIRST: u32 = 3;
/// The greatest number of characters beyond ASCII in a chunk of well-formed text. Those after one without a pointer are
/// looked up in vain.
const CHUNK_CHARACTERS: usize = 224;
/// The greatest number of bytes of a chunk, so that a place has 16 bits.
const CHUNK_BYTES: usize = 1 << 15;

/// The body of [`crate::to_double_byte::markup_from_utf8`]. Each chunk goes through the three passes: the first copies
/// ASCII and notes up to `limit` characters, the second makes pairs of these, and the last writes the pairs into their
/// gaps. A character without a pointer ends the conversion at its place, and so does a chunk that reads nothing: near
/// the end of a slice, and where many characters follow.
pub(crate) fn markup_from_utf8(encoding: &ToDoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut chunk = Chunk {
        characters: [0; FOUND_UNITS + SPARE_ITEMS],
        places: [0; FOUND_UNITS],
        found: Found::NONE,
        blocks_with_many: BLOCKS_WITH_MANY - BLOCKS_AT_FIRST,
    };
    // The first chunk has few characters and each later one twice as many, so that little work is lost if the first one
    // without a pointer is near.
    let mut limit = CHARACTERS_OF_BLOCK;
    loop {
        let from = up_to(after(source, read), CHUNK_BYTES);
        let to = after_mut(destination, written);
        let (bytes_read, bytes_written, many_follow) = chunk.collect(limit, from, to);
        let without_pointer = chunk.encode(encoding, up_to(from, bytes_read));
        chunk.write(to);
        if let Some((at, place)) = without_pointer {
            return (read + at, written + place);
        }
        (read, written) = (read + bytes_read, written + bytes_written);
        if bytes_read == 0 || many_follow {
            return (read, written);
        }
        limit = CHUNK_CHARACTERS.min(2 * limit);
    }
}

/// A chunk of text, and the results of the passes over it.
struct Chunk {
    /// Four bytes from the beginning of each character beyond ASCII on, as a number whose lowest byte is the first one.
    characters: [u32; FOUND_UNITS + SPARE_ITEMS],
    /// The places of the pairs in the destination.
    places: [u16; FOUND_UNITS],
    /// The pairs.
    found: Found,
    /// The number of blocks in a row with many characters.
    blocks_with_many: u32,
}

impl Chunk {
    /// The first pass. It ends where the next block could exceed `limit` characters. Returns how many bytes were read,
    /// how many were written or left for pairs, and whether many characters beyond ASCII follow.
    #[inline(never)]
    fn collect(&mut self, limit: usize, source: &[u8], destination: &mut [u8]) -> (usize, usize, bool) {
        let (mut read, mut written, mut steps_of_ascii) = (0, 0, 0);
        self.found.count = 0;
        let many_follow = loop {
            let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) else {
                break false;
            };
            if copy_step(from, to, |from, to| ascii::copied(from, to)) {
                (read, written) = (read + STEP_BYTES, written + STEP_BYTES);
                steps_of_ascii += 1;
                if steps_of_ascii == LONG_RUN_STEPS {
                    let run = ascii::copy(after(source, read), after_mut(destination, written));
                    (read, written) = (read + run, written + run);
                    steps_of_ascii = 0;
                }
                continue;
            }
            steps_of_ascii = 0;
            if self.found.count + CHARACTERS_OF_BLOCK > limit {
                break false;
            }
            let Some((bytes, place)) = self.collect_block(from, to, written) else { break true };
            (read, written) = (read + bytes, written + place);
        };
        (read, written, many_follow)
    }

    /// The first pass for a block of 64 bytes, or its beginning. [`copy_step`] has copied the first 32 bytes, which are
    /// not all ASCII. `start` is the place of `to` in the destination of the chunk. Returns how many bytes were read
    /// and how many were written. `None` if many characters beyond ASCII follow.
    #[inline]
    fn collect_block(
        &mut self,
        from: &[u8; BLOCK_READS_BYTES],
        to: &mut [u8; BLOCK_SPACE_BYTES],
        start: usize,
    ) -> Option<(usize, usize)> {
        let ([a, b, c, d, ..], _) = from.as_chunks() else { unreachable!("a block has more than 64 bytes") };
        let first_bytes = bits_of_64([a, b, c, d].each(|bytes| vcgeq_u8(load(bytes), vdupq_n_u8(0xC0))));
        if first_bytes.count_ones() > MANY_CHARACTERS {
            self.blocks_with_many += 1;
            if self.blocks_with_many == BLOCKS_WITH_MANY {
                return None;
            }
        } else {
            self.blocks_with_many = 0;
        }
        // `left` has the bits of the bytes from `next` on. Bytes before `end` are done, and the 16 bytes after `end`
        // are copied to their places. The next byte is written `dropped` places before the one where it is read.
        let mut left = Left::of(first_bytes);
        let (mut next, mut run, mut dropped) = (0, left.run(), 0);
        let mut number = self.found.count;
        let end = loop {
            // The masks, and the remainders below, tell the compiler that the accesses are in bounds.
            let at = (next + run) & 0x3F;
            let place = at.wrapping_sub(dropped) & 0x3F;
            let character = u32::from_le_bytes(*block(from, at)?);
            // How many bytes more than two. Characters of four bytes have no pointers, so their number does not matter.
            let more = (character >> 5 & 1) as usize;
            self.characters[number % FOUND_UNITS] = character;
            self.places[number % FOUND_UNITS] = (start + place) as u16;
            number += 1;
            let end = at + more + 2;
            ascii::copied(block(from, end)?, block_mut(to, place + 2)?);
            dropped += more;
            left.skip(run, 1);
            run = left.run();
            next = at + 1;
            // At least one of the zeros belongs to this character, and the copy reaches 16 more.
            if run > COPY_BYTES + 1 {
                break end;
            }
        };
        // Only malformed text can have more.
        self.found.count = number.min(FOUND_UNITS);
        let read = end.max(64.min(end + COPY_BYTES));
        Some((read, read - dropped))
    }

    /// The second pass. If a character has no pointer, returns its places in `source` and in the destination.
    #[inline]
    fn encode(&mut self, encoding: &ToDoubleByte<'_>, source: &[u8]) -> Option<(usize, usize)> {
        let number = self
            .found
            .encode(encoding, &mut self.characters, unit, |characters| units(load_lower_three(characters)))?;
        let mut starts = source.iter().enumerate().filter(|(_, byte)| **byte >= 0xC0);
        let at = starts.nth(number).map_or(0, |(at, _)| at);
        Some((at, self.places[number].into()))
    }

    /// The last pass: writes the pairs.
    #[inline]
    fn write(&self, destination: &mut [u8]) {
        for (pair, &place) in self.found.items.iter().zip(up_to(&self.places, self.found.count)) {
            if let Some(to) = block_mut(destination, place.into()) {
                *to = pair.to_le_bytes();
            }
        }
    }
}

/// The code unit of a character of two or three bytes, which are the lower bytes of `character`. A character of four
/// bytes becomes the code unit 0xFFFF, which has no pointer.
fn unit(character: u32) -> u16 {
    let [first, second, third, _] = character.to_le_bytes().each(u16::from);
    match first {
        0..0xE0 => (first & 0x1F) << 6 | second & 0x3F,
        0xE0..0xF0 => first << 12 | (second & 0x3F) << 6 | third & 0x3F,
        _ => 0xFFFF,
    }
}

/// As [`unit`], for 16 characters: from their first, second and third bytes to the lower and the upper bytes of their
/// code units.
#[inline]
fn units([first, second, third]: [uint8x16_t; 3]) -> [uint8x16_t; 2] {
    let is_long = vcgeq_u8(first, vdupq_n_u8(0xF0));
    let is_three = vcgeq_u8(first, vdupq_n_u8(0xE0));
    let lower = vbslq_u8(is_three, vsliq_n_u8::<6>(third, second), vsliq_n_u8::<6>(second, first));
    let upper_of_two = vandq_u8(vshrq_n_u8::<2>(first), vdupq_n_u8(7));
    let upper = vbslq_u8(is_three, vsliq_n_u8::<4>(vshrq_n_u8::<2>(second), first), upper_of_two);
    [lower, upper].each(|bytes| vorrq_u8(bytes, is_long))
}
