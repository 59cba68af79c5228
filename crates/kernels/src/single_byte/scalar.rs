//! Encodings of one byte per character, without vector instructions.
//!
//! In most languages a processor cannot predict which bytes of a text are ASCII, and a mispredicted branch takes as
//! long as several characters. So every byte is looked up in the table, also if it is ASCII, and the result is selected
//! without a branch. Long sources are decoded with a table of the UTF-8 of every byte.

use crate::{ascii::scalar as ascii, base::*};

/// The number of bytes of a block. A block is first tested for being all ASCII; otherwise all its bytes are looked up
/// before any result is compared with `end`.
const BLOCK_BYTES: usize = 8;

/// The number of blocks beyond ASCII that [`to_utf8`] decodes before it makes the table [`Texts`]. A source that is
/// mostly ASCII needs no table. See `docs/experiments.md#single-byte-encodings`.
const TEXTS_AFTER_BLOCKS: usize = 16;
/// The number of bytes that must be left then: making the table takes as long as decoding 40 to 100 bytes without it.
const TEXTS_FROM_BYTES: usize = 256;

/// Decodes one byte after the other; see [`crate::single_byte::to_utf16`].
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        if is_ascii(from) {
            done += ascii::widen(after(source, done), after_mut(destination, done));
            continue;
        }
        *to = from.each(|byte| unit(code_points, byte));
        if to.contains(&end) {
            break;
        }
        done += BLOCK_BYTES;
    }
    for (to, &byte) in after_mut(destination, done).iter_mut().zip(after(source, done)) {
        *to = unit(code_points, byte);
        if *to == end {
            break;
        }
        done += 1;
    }
    done
}

/// The body of [`crate::single_byte::to_private_use`]. Sign extension of 0x80 gives 0xFF80, and clearing a bit gives
/// 0xF780. The compiler makes vectors of this loop, because it needs no table.
#[inline(never)]
pub(crate) fn to_private_use(source: &[u8], destination: &mut [u16]) -> usize {
    for (to, &byte) in destination.iter_mut().zip(source) {
        *to = (byte as i8 as u16) & 0xF7FF;
    }
    source.len().min(destination.len())
}

/// Whether all bytes of a block are ASCII.
pub(crate) fn is_ascii(block: &[u8; BLOCK_BYTES]) -> bool {
    u64::from_ne_bytes(*block) & u64::from_ne_bytes([0x80; BLOCK_BYTES]) == 0
}

/// The code unit of `byte`.
#[inline]
fn unit(code_points: &[u16; 128], byte: u8) -> u16 {
    let looked_up = code_points[usize::from(byte & 0x7F)];
    select(byte >= 0x80, looked_up, byte.into())
}

/// Decodes one byte after the other; see [`crate::single_byte::to_utf8`].
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written, mut blocks) = (0, 0, 0);
    while read < source.len() {
        blocks += 1;
        if blocks == TEXTS_AFTER_BLOCKS && source.len() - read >= TEXTS_FROM_BYTES {
            let texts = Texts::of(code_points, end);
            let (more_read, more_written) = texts.decode(skip(source, read), skip_mut(destination, written));
            (read, written) = (read + more_read, written + more_written);
        }
        if block(source, read).is_some_and(is_ascii) {
            let run = ascii::copy(skip(source, read), skip_mut(destination, written));
            (read, written) = (read + run, written + run);
        }
        // A whole block is decoded between two tests for ASCII, so that the tests take little of the total time.
        for &byte in up_to(after(source, read), BLOCK_BYTES) {
            let unit = unit(code_points, byte);
            let [second, last] = [unit >> 6, unit].each(|bits| 0x80 | (bits & 0x3F) as u8);
            if let (..0x800, Some(room)) = (unit, block_mut(destination, written)) {
                let two = u16::from_le_bytes([0xC0 | (unit >> 6) as u8, last]);
                *room = select(unit >= 0x80, two, unit).to_le_bytes();
                written += 1 + usize::from(unit >= 0x80);
            } else if unit == end {
                return (read, written);
            } else if let (0x800.., Some(room)) = (unit, block_mut(destination, written)) {
                *room = [0xE0 | (unit >> 12) as u8, second, last];
                written += 3;
            } else if let (..0x80, Some(room)) = (unit, destination.get_mut(written)) {
                *room = byte;
                written += 1;
            } else {
                return (read, written);
            }
            read += 1;
        }
    }
    (read, written)
}

/// The UTF-8 of every byte, for long sources. From its lowest byte on, an entry has up to three bytes of UTF-8. Its two
/// highest bits are their number.
pub(crate) struct Texts([u32; 256]);

impl Texts {
    /// The number of bytes that are decoded between two tests for ASCII.
    const BLOCK_BYTES: usize = 32;
    /// The number of bytes that are decoded in one step.
    const STEP_BYTES: usize = 8;
    /// Bytes that a step may overwrite: three for each character, and the fourth byte that is stored for the last one.
    const STEP_SPACE_BYTES: usize = 3 * Self::STEP_BYTES + 1;
    /// A mask for the place at which a step begins: the last step of a block begins at 72 at most.
    const LAST_PLACE: usize = 0x7F;
    /// A bit of an entry that is set if the code unit is the one to stop at.
    const END_BIT: u32 = 1 << 29;

    /// The table of an encoding. Always inlined, because a function that returned the table would copy it.
    #[inline(always)]
    pub(crate) fn of(code_points: &[u16; 128], end: u16) -> Self {
        let mut texts = [0; 256];
        let (ascii, beyond_ascii) = texts.split_at_mut(128);
        // One loop for both halves: the optimizer would unroll a loop for ASCII alone, all of it.
        for (((of_ascii, of_unit), byte), &unit) in ascii.iter_mut().zip(beyond_ascii).zip(0..).zip(code_points) {
            *of_ascii = 1 << 30 | byte;
            let wide = u32::from(unit);
            let [second, last] = [wide >> 6, wide].each(|bits| 0x80 | bits & 0x3F);
            let two = 2 << 30 | last << 8 | 0xC0 | wide >> 6;
            let three = 3 << 30 | last << 16 | second << 8 | 0xE0 | wide >> 12;
            *of_unit = select(wide < 0x800, two, three) | select(unit == end, Self::END_BIT, 0);
        }
        Texts(texts)
    }

    /// Stores the four bytes of an entry, and returns how many of them are the UTF-8 of `byte`. `all` collects the bits
    /// of all entries, so that [`has_end`](Self::has_end) is asked once for many bytes.
    #[inline(always)]
    pub(crate) fn store(&self, byte: u8, room: &mut [u8; 4], all: &mut u32) -> usize {
        let text = self.0[usize::from(byte)];
        *room = text.to_le_bytes();
        *all |= text;
        (text >> 30) as usize
    }

    /// Whether one of the bytes whose entries are in `all` has the code unit to stop at.
    #[inline(always)]
    pub(crate) fn has_end(all: u32) -> bool {
        all & Self::END_BIT != 0
    }

    /// Decodes blocks, without a branch on a byte: it stores four bytes for each byte, and goes on by as many as count.
    /// Stops before a block with a byte to stop at, and before the last bytes of `source` or `destination`. Returns
    /// `(read, written)`.
    #[inline(never)]
    pub(crate) fn decode(&self, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let (Some(from), Some(room)) = (
            block::<_, { Self::BLOCK_BYTES }>(source, read),
            block_mut::<_, { Self::LAST_PLACE + Self::STEP_SPACE_BYTES }>(destination, written),
        ) {
            if from.first_chunk().is_some_and(ascii::is_ascii) {
                let run = ascii::copy(skip(source, read), skip_mut(destination, written));
                (read, written) = (read + run, written + run);
                continue;
            }
            let (mut length, mut all) = (0, 0);
            // `opaque` hides from the optimizer that there are four steps, which it would unroll.
            for bytes in chunks::<_, { Self::STEP_BYTES }>(opaque(&from[..])).0 {
                // The mask shows the compiler that a step has its space, so that the only branch is that of the loop.
                let to = block_mut::<_, { Self::STEP_SPACE_BYTES }>(room, length & Self::LAST_PLACE)
                    .expect("`room` is as long as the last place and a step");
                let mut more = 0;
                bytes.each(|byte| {
                    let to = block_mut(to, more).expect("a step has three bytes for each character, and one more");
                    more += self.store(byte, to, &mut all);
                });
                length += more;
            }
            if Self::has_end(all) {
                break;
            }
            (read, written) = (read + Self::BLOCK_BYTES, written + length);
        }
        (read, written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        single_byte::tables::{NEVER, NULL},
        testing::Random,
    };

    /// Long sources are decoded with [`Texts`], and must give what their code units give.
    #[test]
    fn long_sources_have_the_utf_8_of_their_code_units() {
        let mut random = Random(6);
        // Code units of one, two and three bytes in UTF-8, and bytes without a character.
        let code_points: [u16; 128] = core::array::from_fn(|at| match at % 5 {
            0 => NULL,
            1 => 0x410 + at as u16,
            2 => 0x3042 + at as u16,
            3 => [0x80, 0x7FF, 0x800, 0xFFFC][at / 5 % 4],
            _ => 0x100 + at as u16,
        });
        for round in 0..2000 {
            let length = TEXTS_FROM_BYTES + random.below(1000);
            let beyond = random.below(5);
            let byte = |number: usize| match (number / 128, (number % 128) as u8) {
                (quarter, _) if quarter >= beyond => b'a',
                // Only characters of three bytes.
                (_, other) if round % 4 == 0 => 0x82 + other / 5 * 5,
                (_, hole) if hole % 5 == 0 => 0x81 + hole,
                (_, other) => 0x80 + other,
            };
            let mut source: Vec<u8> = (0..length).map(|_| byte(random.below(512))).collect();
            if round % 2 == 0 {
                // A run of ASCII, which is copied.
                source[100..200].fill(b'b');
            }
            if round % 3 == 0 {
                source[random.below(length)] = 0x80;
            }
            for (end, room) in [(NULL, 3 * length), (NEVER, 3 * length + 9), (NULL, random.below(3 * length))] {
                let (mut units, mut text) = (vec![0; length], vec![0; room]);
                let done = to_utf16(&code_points, end, &source, &mut units);
                let (read, written) = to_utf8(&code_points, end, &source, &mut text);
                let expected = String::from_utf16(&units[..read]).unwrap();
                assert_eq!(&text[..written], expected.as_bytes(), "{source:02X?} into {room}");
                assert!(read == done || room - written < 3, "{read} of {done} into {room}");
            }
        }
    }
}
