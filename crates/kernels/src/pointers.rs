//! Code units to pairs of bytes, for the levels of x86-64: lookups one by one, but without a branch that text decides.
//!
//! There are two passes over a chunk. The first looks pointers up. The second makes bytes of them, which is arithmetic on many
//! at once. Between them, in the rare chunk where a pointer is missing, it is looked for elsewhere.

use crate::{
    blocks::{after, after_mut, block_mut, up_to},
    double_byte::{Listed, Part, ToDoubleByte},
    scalar::double_byte as scalar,
};

/// Code units in a chunk.
pub(crate) const CHUNK: usize = 64;
/// What a level adds.
pub(crate) struct Vectors<L, P, N, W> {
    /// Fewer code units than this are done one by one, for a chunk takes about as long however few there are. It is the number from
    /// which on a chunk is no slower where all are pairs. Measured on Sapphire Rapids, in Shift_JIS, EUC-JP and GBK: 12 to 15 with
    /// AVX-512, 15 to 17 with AVX2, which looks pointers up one by one in either way; where half are ASCII, 20 with both.
    pub(crate) few: usize,
    /// Which of 64 code units are less than a limit.
    pub(crate) less: L,
    /// Puts the pointers of those of 64 code units that are in the mask, and returns the greatest of them, which is
    /// [`NO_POINTER`](crate::double_byte::NO_POINTER) if one has none.
    pub(crate) pointers: P,
    /// Narrows a run of ASCII, and returns its length.
    pub(crate) narrow: N,
    /// Writes the bytes of each of 64 code units, as they stand in memory, but of those in the mask only the first. Returns
    /// how many bytes that is.
    pub(crate) write: W,
}

/// [`Vectors::pointers`] without vectors.
#[inline(always)]
pub(crate) fn pointers(listed: &Listed<'_>, units: &[u16; 64], mut pairs: u64, pointers: &mut [u16; 64]) -> u16 {
    let mut greatest = 0;
    while pairs != 0 {
        let at = pairs.trailing_zeros() as usize;
        pointers[at] = listed.pointer(units[at]);
        greatest = greatest.max(pointers[at]);
        pairs &= pairs - 1;
    }
    greatest
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
        impl Fn(&Listed<'_>, &[u16; 64], u64, &mut [u16; 64]) -> u16,
        impl Fn(&[u16], &mut [u8]) -> usize,
        impl Fn(&[u16; 64], u64, &mut [u8; 128]) -> usize,
    >,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // For the end of either slice.
    let (mut padded, mut bytes) = ([0; CHUNK], [0; 2 * CHUNK]);
    loop {
        let rest = after(source, read);
        let length = rest.len().min(CHUNK);
        if length < vectors.few {
            break;
        }
        if length < CHUNK {
            padded[..length].copy_from_slice(rest);
        }
        let from = rest.first_chunk().unwrap_or(&padded);
        let singles = (vectors.less)(from, encoding.ascii);
        if singles == !0 && length == CHUNK {
            let run = (vectors.narrow)(rest, after_mut(destination, written));
            read += run;
            written += run;
            if run < CHUNK {
                return (read, written);
            }
            continue;
        }
        // One place for both passes, which are long.
        let chunk = Chunk::new(encoding, from, singles, length, &vectors);
        let (room, is_short) = match block_mut(destination, written) {
            Some(room) => (room, false),
            None => (&mut bytes, true),
        };
        let all = chunk.write(room, &vectors.write);
        if is_short {
            let (Some(room), Some(bytes)) = (destination.get_mut(written..written + all), bytes.get(..all)) else {
                break;
            };
            room.copy_from_slice(bytes);
        }
        read += chunk.length;
        written += all;
        if chunk.length < CHUNK {
            return (read, written);
        }
    }
    let (more_read, more_written) = scalar::from_utf16(encoding, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Some code units and what becomes of them.
struct Chunk {
    /// The bytes of each code unit, as they stand in memory.
    bytes: [u16; CHUNK],
    /// A bit per code unit: whether it is one byte.
    singles: u64,
    /// How many code units can be written.
    length: usize,
}

impl Chunk {
    /// Both passes over the first `length` of `source`.
    #[inline(always)]
    fn new<L, P, N, W>(
        encoding: &ToDoubleByte<'_>,
        source: &[u16; CHUNK],
        singles: u64,
        length: usize,
        vectors: &Vectors<L, P, N, W>,
    ) -> Self
    where
        P: Fn(&Listed<'_>, &[u16; 64], u64, &mut [u16; 64]) -> u16,
    {
        let mut chunk = Chunk { bytes: [0; CHUNK], singles, length };
        let missing = (vectors.pointers)(encoding.listed, source, !singles, &mut chunk.bytes) >= encoding.end;
        if missing {
            chunk.look_elsewhere(encoding, source);
        }

        let ToDoubleByte { columns, ascii, leading, trailing, .. } = *encoding;
        for unit in &mut chunk.bytes {
            let (row, column) = columns.divide(*unit);
            *unit = leading.byte(row).wrapping_add(trailing.byte(column) << 8);
        }
        // A loop of its own: together they are not done with vectors.
        for (bytes, &unit) in chunk.bytes.iter_mut().zip(source) {
            *bytes = if unit < ascii { unit } else { *bytes };
        }
        chunk
    }

    /// Asks the encoding for the pointers that are missing, and ends the chunk where it has none.
    #[cold]
    #[inline(never)]
    fn look_elsewhere(&mut self, encoding: &ToDoubleByte<'_>, source: &[u16; CHUNK]) {
        for (at, (pointer, &unit)) in self.bytes.iter_mut().zip(up_to(source, self.length)).enumerate() {
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
        let all = write(&self.bytes, self.singles, room);
        match self.length {
            CHUNK => all,
            length => 2 * length - (self.singles & !(!0 << length)).count_ones() as usize,
        }
    }
}

impl Part {
    /// The byte of this row or column.
    #[inline(always)]
    fn byte(self, number: u16) -> u16 {
        let more = u16::from(self.upper - self.lower);
        let byte = number.wrapping_add(self.lower.into());
        if number < self.split.into() { byte } else { byte.wrapping_add(more) }
    }
}
