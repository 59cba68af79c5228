//! Encoding of UTF-8 with few characters beyond ASCII, as in markup, into encodings with one and two bytes for each
//! character.
//!
//! Markup is mostly ASCII, which takes no more than a copy here. By way of UTF-16 it would be widened and narrowed. Three
//! passes over a chunk of the text share the work:
//!
//! 1. Blocks are [patched](super::patches): the ASCII is copied, with space for the pairs between it. The code units of
//!    the characters beyond ASCII and the places of their pairs are noted.
//! 2. [`from_utf16`] makes pairs of the code units. None of them is ASCII, so it looks up all of them together.
//! 3. The pairs are written to their places.
//!
//! ```text
//! source      <  b  >  E6  97  A5  <  /  ..
//! first       <  b  >  ..  ..  <  /  ..         65E5, place 3
//! last        <  b  >  93  FA  <  /  ..
//! ```

use core::arch::x86_64::*;

use super::{
    ascii,
    memory::{load, load_half, store, store_half},
    patches::{BLOCK_READS_ITEMS, patch},
    to_double_byte::from_utf16,
};
use crate::{
    blocks::{Each, block, block_mut, up_to},
    tables::to_double_byte::ToDoubleByte,
};

/// The number of bytes that a block may overwrite. A character is not written after its place in the source.
const BLOCK_SPACE: usize = 100;
/// The greatest number of characters beyond ASCII in a chunk: four times as many as [`from_utf16`] looks up together.
const CHARACTERS: usize = 256;
/// The number of characters beyond ASCII in a block of 64 bytes above which the text has many of them. See
/// `docs/experiments.md#encoding-to-pairs`, also for the next number.
const MANY_CHARACTERS: u32 = 16;
/// The number of blocks in a row with many characters before the last of which the conversion ends. At the beginning of
/// a conversion it ends before the first such block.
const BLOCKS_WITH_MANY: u32 = 16;

/// The length in bytes of the run of ASCII at the beginning below which a text is not taken for markup. Clearing the
/// memory for a chunk takes some 45 ns, which each block of text that begins with a space would pay.
const LEAST_RUN: usize = 16;
/// The length in bytes of the rest below which a conversion by way of UTF-16 takes less time.
const LEAST_REST: usize = 1024;

/// The characters beyond ASCII of a chunk.
struct Chunk {
    units: [u16; CHARACTERS],
    pairs: [u8; 2 * CHARACTERS],
    /// The place of each character in the source, and that of its pair in the destination.
    places: [(u32, u32); CHARACTERS],
}

/// The body of [`crate::to_double_byte::markup_from_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn markup_from_utf8(encoding: &ToDoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // Places have 32 bits.
    let source = up_to(source, u32::MAX as usize);
    let run = ascii::copy(source, destination);
    if run < LEAST_RUN || source.len() < run + LEAST_REST {
        return (run, run);
    }
    let (mut read, mut written, mut blocks_with_many) = (run, run, BLOCKS_WITH_MANY - 1);
    // One value, which the compiler fills with zeros at once.
    let chunk = &mut Chunk { units: [0; CHARACTERS], pairs: [0; 2 * CHARACTERS], places: [(0, 0); CHARACTERS] };
    loop {
        let mut count = 0;
        let is_last = loop {
            let from: Option<&[u8; BLOCK_READS_ITEMS]> = block(source, read);
            let to: Option<&mut [u8; BLOCK_SPACE]> = block_mut(destination, written);
            let (Some(from), Some(to)) = (from, to) else { break true };
            let ([first, second, ..], _) = from.as_chunks() else { unreachable!("a block has more than 64 bytes") };
            let halves = [load(first), load(second)];
            store(halves[0], to.first_chunk_mut().expect("it has 100 bytes"));
            if _mm256_movemask_epi8(halves[0]) == 0 {
                (read, written) = (read + 32, written + 32);
                continue;
            }
            let [first, second] = halves.each(|bytes| u64::from(beginnings(bytes)));
            let characters = first | second << 32;
            let number = characters.count_ones();
            if count + number as usize > CHARACTERS {
                break false;
            }
            blocks_with_many = if number > MANY_CHARACTERS { blocks_with_many + 1 } else { 0 };
            if blocks_with_many == BLOCKS_WITH_MANY {
                break true;
            }
            let copy = |from: &[u8; 16], to: &mut _| store_half(load_half(from), to);
            let (bytes, items, _) = patch(from, characters, to, copy, |character, _, at, place| {
                let (unit, length) = unit(*character);
                // The remainder tells the compiler that the accesses are in bounds.
                let number = count % CHARACTERS;
                chunk.units[number] = unit;
                chunk.places[number] = ((read + at) as u32, (written + place) as u32);
                count += 1;
                Some((length, 2))
            });
            (read, written) = (read + bytes, written + items);
        };
        let (encoded, _) = from_utf16(encoding, up_to(&chunk.units, count), &mut chunk.pairs);
        for (pair, &(_, place)) in chunk.pairs.as_chunks::<2>().0.iter().zip(up_to(&chunk.places, encoded)) {
            let Some(to) = block_mut(destination, place as usize) else { break };
            *to = *pair;
        }
        if let Some(&(at, place)) = up_to(&chunk.places, count).get(encoded) {
            // This character has no pointer.
            return (at as usize, place as usize);
        }
        if is_last {
            return (read, written);
        }
    }
}

/// A mask of the bytes that begin characters beyond ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn beginnings(bytes: __m256i) -> u32 {
    let least = _mm256_set1_epi8(0xC0_u8 as i8);
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(bytes, least), bytes)) as u32
}

/// The code unit of a character of two or three bytes, which `bytes` begin with, and its number of bytes. A character of
/// four bytes becomes the code unit 0xFFFF, which has no pointer.
fn unit(bytes: [u8; 4]) -> (u16, usize) {
    let [first, second, third, _] = bytes.each(u16::from);
    match first {
        0..0xE0 => ((first & 0x1F) << 6 | second & 0x3F, 2),
        0xE0..0xF0 => (first << 12 | (second & 0x3F) << 6 | third & 0x3F, 3),
        _ => (0xFFFF, 3),
    }
}
