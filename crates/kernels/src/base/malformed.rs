//! Decoding of malformed text by two functions in turn: a kernel that stops at an error, and a function without
//! branches on the text that goes through errors.
//!
//! A kernel decodes up to the first error. In text with many errors that would mean a call for every few bytes. In such
//! text a processor cannot predict the kind of the next byte, and a mispredicted branch takes as long as about ten
//! characters. So the second function decodes chunks of [`BYTES_IN_CHUNK`] bytes without a branch, until a chunk has no
//! error.

use super::blocks::{after, after_mut};

/// A function that converts a prefix of a source and returns `(read, written)`.
pub(crate) type Convert<'a, U> = dyn Fn(&[u8], &mut [U]) -> (usize, usize) + 'a;

/// Decodes with two functions in turn: `kernel` decodes up to the first error, and `replace` decodes while errors are
/// close to each other, with U+FFFD for each. The loop ends when `replace` reads nothing. Returns `(read, written)`.
///
/// `replace` stops where a chunk has no errors. If `kernel` then decodes fewer than [`NEAR_BYTES`] bytes, the next time
/// `replace` is called twice, and so on, up to `most_rounds` times: `kernel` would take longer for a few bytes.
#[inline(never)]
pub(crate) fn alternately<U>(
    source: &[u8],
    destination: &mut [U],
    most_rounds: usize,
    kernel: &Convert<'_, U>,
    replace: &Convert<'_, U>,
) -> (usize, usize) {
    let (mut read, mut written, mut rounds) = (0, 0, 1);
    loop {
        let (bytes, units) = kernel(after(source, read), after_mut(destination, written));
        (read, written) = (read + bytes, written + units);
        rounds = if bytes < NEAR_BYTES { most_rounds.min(2 * rounds) } else { 1 };
        for _ in 0..rounds {
            let (bytes, units) = replace(after(source, read), after_mut(destination, written));
            if bytes == 0 {
                return (read, written);
            }
            (read, written) = (read + bytes, written + units);
        }
    }
}

/// The distance in bytes between errors that are near each other.
const NEAR_BYTES: usize = 24;

/// The number of bytes that are decoded before the next check whether they contained an error.
pub(crate) const BYTES_IN_CHUNK: usize = 16;

/// Whether the text still has enough errors to go on after a chunk, given how many bytes were read in all and how many
/// errors the chunk had. The first chunk starts with the error that the kernel stopped before, so that one error in it
/// does not count.
pub(crate) fn is_malformed(read: usize, errors: usize) -> bool {
    errors > usize::from(read <= BYTES_IN_CHUNK)
}
