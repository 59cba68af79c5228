//! Encoding of UTF-8 with few characters beyond ASCII, as in markup, into encodings with one and two bytes for each
//! character.
//!
//! Markup is mostly ASCII, which takes no more than a copy here. By way of UTF-16 it would be widened and narrowed. The
//! passes over a chunk of the text are:
//!
//! 1. [`Chunk::collect`] [patches] blocks: it copies the ASCII of the chunk and leaves
//!    space for the pairs between it. It notes the code unit of each character beyond ASCII, and the place of its pair.
//! 2. [`Chunk::encode`] calls [`from_utf16`] to make pairs of the code units. No unit is ASCII, so that function looks
//!    up all of them together.
//! 3. [`Chunk::encode`] writes the pairs to their places.
//!
//! ```text
//! source      <  b  >  E6  97  A5  <  /  ..
//! collect     <  b  >  ..  ..  <  /  ..         65E5, place 3
//! encode      <  b  >  93  FA  <  /  ..
//! ```

use super::{from_utf16, utf8_unit};
use crate::{ascii::avx2 as ascii, base::*, to_double_byte::tables::ToDoubleByte, vector::avx2::*};

/// The number of bytes that a block may overwrite. A character is not written after its place in the source.
const BLOCK_SPACE_BYTES: usize = 100;
/// The greatest number of characters beyond ASCII in a chunk: four times as many as [`from_utf16`] looks up together.
const CHUNK_CHARACTERS: usize = 256;
/// The number of characters beyond ASCII in a block of 64 bytes above which the text has many of them. See
/// `docs/experiments.md#encoding-to-pairs`, also for the next three numbers.
const MANY_CHARACTERS: u32 = 16;
/// The number of blocks in a row with many characters before the last of which the conversion ends. At the beginning of
/// a conversion it ends before the first such block.
const BLOCKS_WITH_MANY: u32 = 16;
/// The length in bytes of the run of ASCII at the beginning below which a text is not taken for markup. Clearing the
/// memory for a chunk takes some 45 ns, which each block of text that begins with a space would pay.
const RUN_FROM_BYTES: usize = 16;
/// The length in bytes of the text after that run below which it is not taken for markup, for the same reason.
const REST_FROM_BYTES: usize = 1024;

/// The body of [`crate::to_double_byte::markup_from_utf8`]. A text that begins with little ASCII, or is short after it,
/// is left to the caller after that ASCII. Otherwise chunk follows chunk: [`Chunk::collect`] copies ASCII and leaves
/// gaps, until the chunk is full or the text is no markup any more, and [`Chunk::encode`] fills the gaps.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn markup_from_utf8(encoding: &ToDoubleByte<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    // Places have 32 bits.
    let source = up_to(source, u32::MAX as usize);
    let run = ascii::copy(source, destination);
    if run < RUN_FROM_BYTES || source.len() < run + REST_FROM_BYTES {
        return (run, run);
    }
    // The arrays are in one value, so that the compiler clears all of them by one call.
    let mut chunk = Chunk {
        units: [0; CHUNK_CHARACTERS],
        pairs: [0; 2 * CHUNK_CHARACTERS],
        places: [(0, 0); CHUNK_CHARACTERS],
        count: 0,
        blocks_with_many: BLOCKS_WITH_MANY - 1,
    };
    let (mut read, mut written) = (run, run);
    loop {
        let is_over;
        (read, written, is_over) = chunk.collect(source, read, destination, written);
        if let Some((at, place)) = chunk.encode(encoding, destination) {
            return (at, place);
        }
        if is_over {
            return (read, written);
        }
    }
}

/// The characters beyond ASCII of a chunk of text.
struct Chunk {
    units: [u16; CHUNK_CHARACTERS],
    pairs: [u8; 2 * CHUNK_CHARACTERS],
    /// The place of each character in the source, and that of its pair in the destination.
    places: [(u32, u32); CHUNK_CHARACTERS],
    /// The number of characters.
    count: usize,
    /// The number of blocks in a row with many characters.
    blocks_with_many: u32,
}

impl Chunk {
    /// The first pass, from the places `read` and `written` on. A round copies 32 bytes, and is done if they are ASCII.
    /// Otherwise the mask of the bytes that begin characters is made for 64 bytes, and [`patch`] copies the ASCII
    /// between the characters. For each character it calls the closure, which notes the code unit and both places, and
    /// leaves two bytes of space. The pass ends where the chunk has no space for the characters of the next block, and
    /// near the ends of the slices. Returns the places where it ends, and whether the conversion ends there too.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn collect(
        &mut self,
        source: &[u8],
        mut read: usize,
        destination: &mut [u8],
        mut written: usize,
    ) -> (usize, usize, bool) {
        let mut count = 0;
        let is_over = loop {
            let from: Option<&[u8; BLOCK_READS_ITEMS]> = block(source, read);
            let to: Option<&mut [u8; BLOCK_SPACE_BYTES]> = block_mut(destination, written);
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
            if count + number as usize > CHUNK_CHARACTERS {
                break false;
            }
            self.blocks_with_many = if number > MANY_CHARACTERS { self.blocks_with_many + 1 } else { 0 };
            if self.blocks_with_many == BLOCKS_WITH_MANY {
                break true;
            }
            let copy = |from: &[u8; 16], to: &mut _| store_half(load_half(from), to);
            let (bytes, items, is_stop) = patch(from, characters, to, copy, |character, _, at, place| {
                let (unit, length) = utf8_unit(character)?;
                // The remainder tells the compiler that the accesses are in bounds.
                let number = count % CHUNK_CHARACTERS;
                self.units[number] = unit;
                self.places[number] = ((read + at) as u32, (written + place) as u32);
                count += 1;
                Some((length, 2))
            });
            (read, written) = (read + bytes, written + items);
            if is_stop {
                break true;
            }
        };
        self.count = count;
        (read, written, is_over)
    }

    /// The second and the last pass. If a character has no pointer, returns its place in the source and that of its
    /// pair.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn encode(&mut self, encoding: &ToDoubleByte<'_>, destination: &mut [u8]) -> Option<(usize, usize)> {
        let (encoded, _) = from_utf16(encoding, up_to(&self.units, self.count), &mut self.pairs);
        for (pair, &(_, place)) in self.pairs.as_chunks::<2>().0.iter().zip(up_to(&self.places, encoded)) {
            *block_mut(destination, place as usize)? = *pair;
        }
        let &(at, place) = up_to(&self.places, self.count).get(encoded)?;
        Some((at as usize, place as usize))
    }
}

/// A mask of the bytes that begin characters beyond ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn beginnings(bytes: __m256i) -> u32 {
    let least = _mm256_set1_epi8(0xC0_u8 as i8);
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(bytes, least), bytes)) as u32
}
