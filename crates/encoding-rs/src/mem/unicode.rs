//! Conversions between UTF-8 and UTF-16.

use core::mem::MaybeUninit;

use textcodec::mem;
use textcodec_kernels::{string, utf8};

use super::assert_length;

/// Converts UTF-8 to UTF-16, with U+FFFD for each malformed sequence, and returns the number of code units written.
///
/// # Panics
/// If `dst` is shorter than the length of `src` plus one.
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    assert!(
        dst.len() > src.len(),
        "the destination has {} code units; it needs one more than the source has bytes, which are {}",
        dst.len(),
        src.len()
    );
    mem::utf8_to_utf16(src, dst).1
}

/// Converts a string to UTF-16 and returns the number of code units written.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    assert_length(dst.len(), src.len(), 1);
    utf8::to_utf16(src.as_bytes(), dst).1
}

/// Converts UTF-8 to UTF-16 and returns the number of code units written, or `None` if `src` is malformed; part of it may have been
/// written then.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    assert_length(dst.len(), src.len(), 1);
    let (read, written) = utf8::to_utf16(src, dst);
    (read == src.len()).then_some(written)
}

/// Converts as much UTF-16 to UTF-8 as fits, with U+FFFD for each unpaired surrogate. Returns the number of code units read and the
/// number of bytes written. The other bytes of `dst` stay as they were.
///
/// A surrogate at the end of `src` is unpaired, so this function is not for streams. It is `encodeInto` of the Encoding Standard's
/// [TextEncoder](https://encoding.spec.whatwg.org/#interface-textencoder).
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    /// Fewer code units than this are converted into a block and copied.
    const UNITS_IN_BLOCK: usize = 64;

    let (mut read, mut written) = (0, 0);
    loop {
        let (rest, space) = (&src[read..], &mut dst[written..]);
        // A conversion may write to all of the destination that it gets. The text that is still to come has at least one byte for each
        // code unit and leaves at most three bytes free where it does not fit, so that it overwrites all of these bytes.
        let length = rest.len().min(space.len().saturating_sub(3));
        if length >= UNITS_IN_BLOCK {
            let (more_read, more_written) = mem::utf16_to_utf8(rest, &mut space[..length]);
            (read, written) = (read + more_read, written + more_written);
            continue;
        }
        // The rest is shorter than the block, or as many bytes as the block has do not fit.
        let mut memory = [MaybeUninit::uninit(); 3 * UNITS_IN_BLOCK];
        let length = space.len().min(memory.len());
        let block = string::initialised(&mut memory[..length]);
        let (more_read, more_written) = mem::utf16_to_utf8(rest, block);
        space[..more_written].copy_from_slice(&block[..more_written]);
        return (read + more_read, written + more_written);
    }
}

/// Converts UTF-16 to UTF-8, with U+FFFD for each unpaired surrogate, and returns the number of bytes written.
///
/// # Panics
/// If `dst` is shorter than three times the length of `src`.
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    assert_length(dst.len(), src.len(), 3);
    mem::utf16_to_utf8(src, dst).1
}

/// Converts as much UTF-16 into the front of a string as fits, with U+FFFD for each unpaired surrogate. Returns the number of code units
/// read and the number of bytes written. Some bytes after them become 0.
///
/// A surrogate at the end of `src` is unpaired, so this function is not for streams.
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    mem::utf16_to_str(src, dst)
}

/// Converts UTF-16 into the front of a string, with U+FFFD for each unpaired surrogate, and returns the number of bytes written. Some
/// bytes after them become 0.
///
/// # Panics
/// If `dst` is shorter than three times the length of `src`.
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    assert_length(dst.len(), src.len(), 3);
    mem::utf16_to_str(src, dst).1
}

/// Replaces each unpaired surrogate by U+FFFD.
pub fn ensure_utf16_validity(buffer: &mut [u16]) {
    mem::ensure_utf16_validity(buffer);
}
