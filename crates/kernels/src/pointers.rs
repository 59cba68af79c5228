//! Code units to pairs of bytes, for all levels but the scalar one: lookups one by one, but without a branch that text decides.
//!
//! There are two passes over a chunk. The first looks pointers up. The second makes bytes of them, which is arithmetic on many
//! at once. Between them, in the rare chunk where a pointer is missing, it is looked for elsewhere.

use crate::{
    blocks::{block, block_mut},
    double_byte::{Part, ToDoubleByte},
    scalar::double_byte as scalar,
};

/// Code units in a chunk.
pub(crate) const CHUNK: usize = 128;
/// Fewer code units than this are done one by one.
const FEW: usize = 8;

/// What a level adds.
pub(crate) struct Vectors<L, N, W> {
    /// Which of 64 code units are less than a limit.
    pub(crate) less: L,
    /// Narrows a run of ASCII, and returns its length.
    pub(crate) narrow: N,
    /// Writes the bytes of each of 64 code units, as they stand in memory, but of those in the mask only the first. Returns
    /// how many bytes that is.
    pub(crate) write: W,
}

/// [`Vectors::write`] without vectors.
#[inline(always)]
pub(crate) fn write(bytes: &[u16; 64], singles: u64, room: &mut [u8; 128]) -> usize {
    let mut written = 0;
    for (at, bytes) in bytes.iter().enumerate() {
        // What comes next overwrites the second byte of a single one.
        if let Some(to) = block_mut(room, written) {
            *to = bytes.to_le_bytes();
        }
        written += 2 - (singles >> at & 1) as usize;
    }
    written
}

/// Converts by chunks; see [`crate::double_byte::from_utf16`].
#[inline(always)]
pub(crate) fn from_utf16(
    encoding: &ToDoubleByte<'_>,
    source: &[u16],
    destination: &mut [u8],
    vectors: Vectors<
        impl Fn(&[u16; 64], u16) -> u64,
        impl Fn(&[u16], &mut [u8]) -> usize,
        impl Fn(&[u16; 64], u64, &mut [u8; 128]) -> usize,
    >,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(room)) = (block(source, read), block_mut(destination, written)) {
        let chunk = Chunk::new(encoding, from, CHUNK, &vectors.less);
        if chunk.singles == [!0; 2] {
            let run = (vectors.narrow)(&source[read..], &mut destination[written..]);
            read += run;
            written += run;
            continue;
        }
        written += chunk.write(room, &vectors.write);
        read += chunk.length;
        if chunk.length < CHUNK {
            return (read, written);
        }
    }
    // The rest by way of arrays that are long enough.
    let rest = &source[read..];
    if (FEW..CHUNK).contains(&rest.len()) {
        let (mut from, mut bytes) = ([0; CHUNK], [0; 2 * CHUNK]);
        from[..rest.len()].copy_from_slice(rest);
        let chunk = Chunk::new(encoding, &from, rest.len(), &vectors.less);
        let length = chunk.write(&mut bytes, &vectors.write);
        if let Some(room) = destination.get_mut(written..written + length) {
            room.copy_from_slice(&bytes[..length]);
            return (read + chunk.length, written + length);
        }
    }
    let (more_read, more_written) = scalar::from_utf16(encoding, rest, &mut destination[written..]);
    (read + more_read, written + more_written)
}

/// Some code units and what becomes of them.
struct Chunk {
    /// The bytes of each code unit, as they stand in memory.
    bytes: [u16; CHUNK],
    /// A bit per code unit: whether it is one byte.
    singles: [u64; CHUNK / 64],
    /// How many code units can be written.
    length: usize,
}

impl Chunk {
    /// Both passes over the first `length` of `source`.
    #[inline(always)]
    fn new(
        encoding: &ToDoubleByte<'_>,
        source: &[u16; CHUNK],
        length: usize,
        less: impl Fn(&[u16; 64], u16) -> u64,
    ) -> Self {
        let mut chunk = Chunk { bytes: [0; CHUNK], singles: [0; 2], length };
        let (words, _) = source.as_chunks();
        for (singles, word) in chunk.singles.iter_mut().zip(words) {
            *singles = less(word, encoding.ascii);
        }

        let mut missing = false;
        for (word, singles) in chunk.singles.into_iter().enumerate() {
            let mut pairs = !singles;
            while pairs != 0 {
                let at = 64 * word + pairs.trailing_zeros() as usize;
                let pointer = encoding.pointer(source[at]);
                chunk.bytes[at] = pointer;
                missing |= pointer >= encoding.end;
                pairs &= pairs - 1;
            }
        }
        if missing {
            chunk.look_elsewhere(encoding, source);
        }

        let rows = Quotient::by(encoding.columns);
        for (unit, &from) in chunk.bytes.iter_mut().zip(source) {
            let row = rows.of(*unit);
            let column = unit.wrapping_sub(row.wrapping_mul(encoding.columns));
            let pair = encoding.leading.byte(row) | encoding.trailing.byte(column) << 8;
            *unit = if from < encoding.ascii { from } else { pair };
        }
        chunk
    }

    /// Asks the encoding for the pointers that are missing, and ends the chunk where it has none.
    #[cold]
    #[inline(never)]
    fn look_elsewhere(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16; CHUNK]) {
        for (at, (pointer, &unit)) in self.bytes[..self.length].iter_mut().zip(source).enumerate() {
            if *pointer >= encoding.end && unit >= encoding.ascii {
                *pointer = (encoding.others)(unit);
                if *pointer >= encoding.end {
                    self.length = at;
                    return;
                }
            }
        }
    }

    /// Writes the bytes, and returns how many there are.
    #[inline(always)]
    fn write(&self, room: &mut [u8; 2 * CHUNK], write: impl Fn(&[u16; 64], u64, &mut [u8; 128]) -> usize) -> usize {
        let (words, _) = self.bytes.as_chunks();
        let mut written = 0;
        for ((word, bytes), singles) in words.iter().enumerate().zip(self.singles) {
            let Some(room) = block_mut(room, written) else { break };
            let all = write(bytes, singles, room);
            let length = self.length.saturating_sub(64 * word);
            written += if length >= 64 { all } else { 2 * length - (singles & !(!0 << length)).count_ones() as usize };
        }
        written
    }
}

/// Division by a number known before, as a product.
#[derive(Clone, Copy)]
struct Quotient {
    factor: u16,
    shift: u32,
}

impl Quotient {
    /// For a divisor from 65 to 255. Exact for what is divided up to 59917, and thus for all pointers.
    #[inline(always)]
    fn by(divisor: u16) -> Self {
        let shift = if divisor <= 128 { 6 } else { 7 };
        Quotient { factor: (0x1_0000_u32 << shift).div_ceil(divisor.into()) as u16, shift }
    }

    #[inline(always)]
    fn of(self, number: u16) -> u16 {
        (u32::from(number) * u32::from(self.factor) >> 16) as u16 >> self.shift
    }
}

impl Part {
    /// The byte of this row or column.
    #[inline(always)]
    fn byte(self, number: u16) -> u16 {
        number + u16::from(if number < self.split.into() { self.lower } else { self.upper })
    }
}

impl ToDoubleByte<'_> {
    /// The pointer of a listed `unit`, otherwise [`NO_POINTER`](crate::double_byte::NO_POINTER).
    #[inline(always)]
    fn pointer(&self, unit: u16) -> u16 {
        let listed = self.listed;
        let group = &listed.table[usize::from(listed.groups[usize::from(unit >> 8)])];
        let word = usize::from(unit >> 6 & 3);
        let bits = group.listed[word];
        let before = bits & !(!0 << (unit & 63));
        let pointer = listed.pointers[usize::from(group.first[word]) + before.count_ones() as usize];
        let missing = (bits >> (unit & 63) & 1).wrapping_sub(1) as u16;
        // All ones, if it is missing.
        pointer | missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_exact_for_all_pointers() {
        for divisor in 65..=255 {
            let quotient = Quotient::by(divisor);
            for number in 0..=59917 {
                assert_eq!(quotient.of(number), number / divisor, "{number} / {divisor}");
            }
        }
    }
}
