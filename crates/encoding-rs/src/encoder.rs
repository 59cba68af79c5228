//! [`Encoder`]: the public interface. The loop is in [`run`](self::run).

mod run;
mod text;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use textcodec_core::EncoderHalf;
#[cfg(feature = "alloc")]
use textcodec_kernels::string;

use crate::{CoderResult, EncoderResult, Encoding, shape::Shape};

/// An encoder for a stream of text that arrives in slices of UTF-8 or UTF-16, into slices of bytes.
///
/// Every method encodes a source into a destination, and returns why it stopped, how many units of the source it has
/// read and how many bytes of the destination it has written. Bytes after those may have been overwritten, too. `last`
/// says that the stream ends with the source; only ISO-2022-JP makes a difference. The methods without
/// `_without_replacement` in their names write a decimal character reference such as `&#9731;` for each unmappable
/// character, and return also whether there was one.
///
/// An unpaired surrogate is U+FFFD. So is a surrogate pair that is cut into two sources: each half is unpaired in its
/// source.
///
/// # Destinations
///
/// An encoder reads a character only if the longest bytes of a character fit: one byte to four bytes, three in
/// ISO-2022-JP. A method that writes character references also keeps ten bytes free, unless the encoding is UTF-8; so a
/// shorter destination is always full.
pub struct Encoder {
    encoding: &'static Encoding,
    half: &'static EncoderHalf,
    /// The state of the handler, packed.
    state: u16,
}

impl Encoder {
    /// An encoder of `encoding`, which is an output encoding.
    #[inline]
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        Encoder { encoding, half: encoding.for_encoding().expect("every output encoding has an encoder"), state: 0 }
    }

    /// The encoding of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Whether this is an encoder of ISO-2022-JP that is not in its ASCII state, so that the end of the stream writes
    /// an escape sequence.
    pub fn has_pending_state(&self) -> bool {
        self.state != 0
    }

    /// The greatest number of bytes that the next `byte_length` bytes of UTF-8 and the end of the stream can need with
    /// replacement, if all characters can be encoded. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf8_if_no_unmappables(&self, byte_length: usize) -> Option<usize> {
        self.with_reference(self.max_buffer_length_from_utf8_without_replacement(byte_length)?)
    }

    /// The greatest number of bytes that the next `byte_length` bytes of UTF-8 and the end of the stream can need
    /// without replacement. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf8_without_replacement(&self, byte_length: usize) -> Option<usize> {
        match self.encoding.shape {
            Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Big5 => byte_length.checked_add(1),
            Shape::Gbk => byte_length.checked_add(3),
            Shape::Gb18030 => byte_length.checked_mul(2)?.checked_add(2),
            Shape::Iso2022Jp => byte_length.checked_mul(3)?.checked_add(3),
            _ => Some(byte_length),
        }
    }

    /// The greatest number of bytes that the next `u16_length` code units of UTF-16 and the end of the stream can need
    /// with replacement, if all characters can be encoded. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf16_if_no_unmappables(&self, u16_length: usize) -> Option<usize> {
        self.with_reference(self.max_buffer_length_from_utf16_without_replacement(u16_length)?)
    }

    /// The greatest number of bytes that the next `u16_length` code units of UTF-16 and the end of the stream can need
    /// without replacement. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf16_without_replacement(&self, u16_length: usize) -> Option<usize> {
        match self.encoding.shape {
            Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Big5 => u16_length.checked_mul(2),
            Shape::Gbk => u16_length.checked_mul(2)?.checked_add(2),
            Shape::Gb18030 => u16_length.checked_mul(4),
            Shape::Utf8 => u16_length.checked_mul(3),
            // An escape sequence and two bytes for every other code unit, if half-width katakana take turns with ASCII.
            Shape::Iso2022Jp => u16_length.checked_mul(4)?.checked_add(u16_length.div_ceil(2))?.checked_add(3),
            _ => Some(u16_length),
        }
    }

    /// Adds the space for a character reference, which the methods with replacement keep free.
    fn with_reference(&self, length: usize) -> Option<usize> {
        length.checked_add(self.encoding.reference.into())
    }

    /// Encodes `src` into the front of `dst`. Unmappable characters become character references.
    #[inline]
    pub fn encode_from_utf8(&mut self, src: &str, dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.encode(src, dst, last)
    }

    /// Encodes `src` and appends the bytes to `dst`, as far as the spare capacity goes: `dst` never grows. Unmappable
    /// characters become character references. Returns no number of bytes written, because the length of `dst` tells
    /// it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode_from_utf8_to_vec(&mut self, src: &str, dst: &mut Vec<u8>, last: bool) -> (CoderResult, usize, bool) {
        let (mut read, mut had_errors, mut limit) = (0, false, string::FIRST_PIECE);
        loop {
            let spare = dst.capacity() - dst.len();
            let write = |bytes: &mut [u8]| {
                let done = self.encode(&src[read..], bytes, last);
                let written = done.2;
                (done, written)
            };
            let ((result, more, _, errors), _) = string::append_units(dst, limit, write);
            read += more;
            had_errors |= errors;
            if result != CoderResult::OutputFull || spare <= limit {
                return (result, read, had_errors);
            }
            limit = limit.saturating_mul(string::PIECE_GROWTH);
        }
    }

    /// Encodes `src` into the front of `dst`, and stops after an unmappable character.
    #[inline]
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        self.encode_without_replacement(src, dst, last)
    }

    /// Encodes `src` and appends the bytes to `dst`, as far as the spare capacity goes: `dst` never grows. Stops after
    /// an unmappable character. Returns no number of bytes written, because the length of `dst` tells it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode_from_utf8_to_vec_without_replacement(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (EncoderResult, usize) {
        let (mut read, mut limit) = (0, string::FIRST_PIECE);
        loop {
            let spare = dst.capacity() - dst.len();
            let write = |bytes: &mut [u8]| {
                let done = self.encode_without_replacement(&src[read..], bytes, last);
                let written = done.2;
                (done, written)
            };
            let ((result, more, _), _) = string::append_units(dst, limit, write);
            read += more;
            if result != EncoderResult::OutputFull || spare <= limit {
                return (result, read);
            }
            limit = limit.saturating_mul(string::PIECE_GROWTH);
        }
    }

    /// Encodes `src`, which is UTF-16, into the front of `dst`. Unmappable characters become character references.
    #[inline]
    pub fn encode_from_utf16(&mut self, src: &[u16], dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.encode(src, dst, last)
    }

    /// Encodes `src`, which is UTF-16, into the front of `dst`, and stops after an unmappable character.
    #[inline]
    pub fn encode_from_utf16_without_replacement(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        self.encode_without_replacement(src, dst, last)
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}
