//! Code units to pairs of bytes, for the levels of x86-64: lookups one by one, but without a branch that text decides.
//!
//! There are two passes over a chunk. The first looks pointers up. The second makes bytes of them, which is arithmetic on many
//! at once. Between them, in the rare chunk where a pointer is missing, it is looked for elsewhere.

use crate::{
    blocks::{after, after_mut, block_mut, up_to},
    scalar::double_byte as scalar,
    to_double_byte::{Listed, Part, ToDoubleByte},
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
    /// [`NO_POINTER`](crate::to_double_byte::NO_POINTER) if one has none.
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
pub(crate) fn write(pairs: &[u16; 64], singles: u64, room: &mut [u8; 128]) -> usize {
    let mut written = 0;
    for (at, bytes) in pairs.iter().enumerate() {
        // What comes next overwrites the second byte of a single one.
        if let Some(to) = block_mut(room, written) {
            *to = bytes.to_le_bytes();
        }
        written += 2 - (singles >> at & 1) as usize;
    }
    written
}

/// Converts by chunks; see [`crate::to_double_byte::from_utf16`].
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
        let (Aligned(pointers), mut found) = (&mut Aligned([0; CHUNK]), length);
        if (vectors.pointers)(encoding.listed, from, !singles, pointers) >= encoding.end {
            found = look_elsewhere(encoding, up_to(from, length), pointers);
        }
        let pairs = bytes_of(encoding, pointers, from);
        // One place for both, because what is called is long.
        let (room, is_short) = match block_mut(destination, written) {
            Some(room) => (room, false),
            None => (&mut bytes, true),
        };
        let mut all = (vectors.write)(pairs, singles, room);
        if found < CHUNK {
            all = 2 * found - (singles & !(!0 << found)).count_ones() as usize;
        }
        if is_short {
            let (Some(room), Some(bytes)) = (destination.get_mut(written..written + all), bytes.get(..all)) else {
                break;
            };
            room.copy_from_slice(bytes);
        }
        read += found;
        written += all;
        if found < CHUNK {
            return (read, written);
        }
    }
    let (more_read, more_written) = scalar::from_utf16(encoding, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Puts the bytes of code units in the place of their pointers, as they stand in memory.
#[inline(always)]
fn bytes_of<'a>(
    &ToDoubleByte { columns, ascii, leading, trailing, .. }: &ToDoubleByte<'_>,
    pointers: &'a mut [u16; CHUNK],
    units: &[u16; CHUNK],
) -> &'a [u16; CHUNK] {
    for pointer in &mut *pointers {
        let (row, column) = columns.divide(*pointer);
        *pointer = leading.byte(row).wrapping_add(trailing.byte(column) << 8);
    }
    // A loop of its own: together they are not done with vectors.
    for (bytes, &unit) in pointers.iter_mut().zip(units) {
        *bytes = if unit < ascii { unit } else { *bytes };
    }
    pointers
}

/// So that no vector of it lies in two lines of the cache: it is loaded right after it was stored.
#[repr(align(64))]
struct Aligned([u16; CHUNK]);

/// Asks the encoding for the pointers that are missing. Returns how many code units are before one that has none.
#[cold]
#[inline(never)]
fn look_elsewhere(encoding: &ToDoubleByte<'_>, source: &[u16], pointers: &mut [u16; CHUNK]) -> usize {
    for (at, (pointer, &unit)) in pointers.iter_mut().zip(source).enumerate() {
        if *pointer >= encoding.end && unit >= encoding.ascii {
            *pointer = (encoding.others)(unit);
            if *pointer >= encoding.end {
                return at;
            }
        }
    }
    source.len()
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
