//! Conversions that leave the bytes after the text as they were. The kernels may overwrite such bytes, so the text goes
//! through a block of its own.

use core::mem::MaybeUninit;

use textcodec_kernels::string;

/// The number of units that are converted at once. The block for their bytes stays in the first-level cache.
pub(super) const UNITS_IN_PIECE: usize = 1024;

/// The greatest length, in units, of text that is converted one character after the other. 16 letters take as long as
/// in the kernel with the copy from the block, 23 ns; where half are ASCII, they take 15 ns (Zen 5, Latin-1).
pub(super) const LONGEST_BY_CHARACTERS: usize = 16;

/// The greatest number of bytes that a unit of the text becomes: a code unit of UTF-16.
const BYTES_OF_UNIT: usize = 3;

/// Converts as much of `text` as fits into `bytes`, and leaves the bytes after it as they were. `first_piece` returns
/// the first units of a text, at most [`UNITS_IN_PIECE`] of them and at least one. `convert` returns `(read, written)`;
/// so does this function.
pub(super) fn in_pieces<T>(
    text: &[T],
    bytes: &mut [u8],
    first_piece: impl Fn(&[T]) -> &[T],
    convert: impl Fn(&[T], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut memory = [MaybeUninit::uninit(); BYTES_OF_UNIT * UNITS_IN_PIECE];
    while read < text.len() {
        let (piece, space) = (first_piece(&text[read..]), &mut bytes[written..]);
        let length = space.len().min(BYTES_OF_UNIT * piece.len());
        let block = string::initialised(&mut memory[..length]);
        let (more_read, more_written) = convert(piece, block);
        space[..more_written].copy_from_slice(&block[..more_written]);
        (read, written) = (read + more_read, written + more_written);
        if more_read < piece.len() {
            break;
        }
    }
    (read, written)
}
