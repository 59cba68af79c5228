//! [`Decoder`]: the public interface. The loop is in [`run`](self::run), the byte order mark in [`bom`](self::bom).

mod bom;
mod iso_2022_jp;
mod max_length;
mod run;
mod writer;

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

use textcodec_core::{DecodeErrorMode, handler::Restored};
use textcodec_kernels::{blocks::skip, string};

use crate::{CoderResult, DecoderResult, Encoding};
use bom::Stage;
use iso_2022_jp::History;
use writer::Destination;

/// A decoder for a stream of bytes that arrives in slices, into slices of UTF-8 or UTF-16.
///
/// Every method decodes a source into a destination, and returns why it stopped, how many bytes of the source it has
/// read and how many units of the destination it has written. Units after those may have been overwritten, too. `last`
/// says that the stream ends with the source. The methods without `_without_replacement` in their names write U+FFFD
/// for each malformed sequence, and return also whether there was one.
///
/// # Destinations
///
/// A decoder reads the first byte of a sequence only if the longest output of such a sequence fits: three or four bytes
/// of UTF-8, or one or two code units of UTF-16. So a destination needs at least four bytes or two code units, and its
/// last units can stay unused. If a destination is as long as [`max_utf8_buffer_length`](Self::max_utf8_buffer_length)
/// and its siblings tell, the result is never [`CoderResult::OutputFull`].
///
/// # Panics
///
/// After the end of the stream, that is after a call with `last` that has returned `InputEmpty`, every call panics,
/// except for [`encoding`](Self::encoding).
pub struct Decoder {
    encoding: &'static Encoding,
    /// The state of the handler, packed.
    state: u64,
    /// Bytes that count as read and that the handler has to read again.
    restored: Restored<u8>,
    /// The beginning of a possible byte order mark, which no handler has read.
    held: Restored<u8>,
    stage: Stage,
    /// What greatest lengths of ISO-2022-JP depend on besides the state.
    history: History,
}

impl Decoder {
    fn new(encoding: &'static Encoding, stage: Stage) -> Self {
        let (restored, held) = (Restored::<u8>::EMPTY, Restored::<u8>::EMPTY);
        Decoder { encoding, state: 0, restored, held, stage, history: History::USUAL }
    }

    pub(crate) fn sniffing(encoding: &'static Encoding) -> Self {
        Decoder::new(encoding, Stage::Sniff)
    }

    pub(crate) fn removing_bom(encoding: &'static Encoding) -> Self {
        Decoder::new(encoding, if encoding.bom().is_some() { Stage::Remove } else { Stage::Text })
    }

    pub(crate) fn without_bom_handling(encoding: &'static Encoding) -> Self {
        Decoder::new(encoding, Stage::Text)
    }

    /// The encoding that is decoded. A byte order mark can change it.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// The greatest number of bytes of UTF-8 that the next `byte_length` bytes and the end of the stream can need, with
    /// U+FFFD for malformed sequences. `None` if the number is greater than [`usize::MAX`].
    pub fn max_utf8_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, max_length::utf8)
    }

    /// The greatest number of bytes of UTF-8 that the next `byte_length` bytes and the end of the stream can need, if
    /// no malformed sequence is replaced. `None` if the number is greater than [`usize::MAX`].
    pub fn max_utf8_buffer_length_without_replacement(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, max_length::utf8_without_replacement)
    }

    /// The greatest number of code units of UTF-16 that the next `byte_length` bytes and the end of the stream can
    /// need. `None` if the number is greater than [`usize::MAX`].
    pub fn max_utf16_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.max_length(byte_length, max_length::utf16)
    }

    /// Decodes `src` into UTF-8 at the front of `dst`. Malformed sequences become U+FFFD.
    #[inline]
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        string::write_bytes(dst, |space, proof| self.decode(src, space, proof, last))
    }

    /// Decodes `src` into the front of `dst`. Malformed sequences become U+FFFD. Some bytes after the text become 0, so
    /// that `dst` stays UTF-8.
    pub fn decode_to_str(&mut self, src: &[u8], dst: &mut str, last: bool) -> (CoderResult, usize, usize, bool) {
        // The method clears the bytes between the text and the limit.
        let limit = self.max_utf8_buffer_length(src.len()).unwrap_or(usize::MAX);
        string::write_str(dst, limit, |space, proof| self.decode(src, space, proof, last)).0
    }

    /// Decodes `src` and appends the text to `dst`, as far as the spare capacity goes: `dst` never grows. Malformed
    /// sequences become U+FFFD. Returns no number of bytes written, because the length of `dst` tells it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_to_string(&mut self, src: &[u8], dst: &mut String, last: bool) -> (CoderResult, usize, bool) {
        let ((result, read, _, had_errors), _) =
            string::append(dst, usize::MAX, |space, proof| self.decode(src, space, proof, last));
        (result, read, had_errors)
    }

    /// Decodes `src` into UTF-8 at the front of `dst`, and stops after a malformed sequence.
    #[inline]
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        string::write_bytes(dst, |space, proof| self.decode_without_replacement(src, space, proof, last))
    }

    /// Decodes `src` into the front of `dst`, and stops after a malformed sequence. Some bytes after the text become 0,
    /// so that `dst` stays UTF-8.
    pub fn decode_to_str_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        // The bytes between the text and the limit are cleared. A short limit comes first, because the call can stop at
        // an error after a few bytes.
        let longest = self.max_utf8_buffer_length_without_replacement(src.len()).unwrap_or(usize::MAX);
        let (mut limit, mut read, mut written) = (FIRST_LIMIT, 0, 0);
        loop {
            let (from, to) = (skip(src, read), dst.get_mut(written..).unwrap_or_default());
            // A limit shortly before the end would move the place where the destination is full.
            if limit >= longest || to.len() < limit + FIRST_LIMIT {
                limit = longest;
            }
            let is_all = limit >= longest.min(to.len());
            let ((result, more_read, more_written), _) =
                string::write_str(to, limit, |space, proof| self.decode_without_replacement(from, space, proof, last));
            (read, written) = (read + more_read, written + more_written);
            if result != DecoderResult::OutputFull || is_all {
                return (result, read, written);
            }
            limit *= 8;
        }
    }

    /// Decodes `src` and appends the text to `dst`, as far as the spare capacity goes: `dst` never grows. Stops after a
    /// malformed sequence. Returns no number of bytes written, because the length of `dst` tells it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_to_string_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (DecoderResult, usize) {
        let ((result, read, _), _) =
            string::append(dst, usize::MAX, |space, proof| self.decode_without_replacement(src, space, proof, last));
        (result, read)
    }

    /// Decodes `src` into UTF-16 at the front of `dst`. Malformed sequences become U+FFFD.
    #[inline]
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> (CoderResult, usize, usize, bool) {
        self.decode(src, dst, &mut (), last)
    }

    /// Decodes `src` into UTF-16 at the front of `dst`, and stops after a malformed sequence.
    #[inline]
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode_without_replacement(src, dst, &mut (), last)
    }

    /// The length of the prefix of `bytes` in which each byte decodes to the code point of equal value. `bytes` come
    /// next in the stream.
    ///
    /// `None` if the decoder can copy no byte in its state: in UTF-16 and replacement, before the decoder knows whether
    /// a byte order mark comes, inside of a sequence, and outside of the initial state of ISO-2022-JP.
    pub fn latin1_byte_compatible_up_to(&self, bytes: &[u8]) -> Option<usize> {
        match self.stage {
            Stage::Finished => panic!("{}", bom::FINISHED),
            Stage::Text
                if self.state == 0
                    && self.restored.is_empty()
                    && self.held.is_empty()
                    && !self.history.escape_counts_at_end =>
            {
                textcodec_core::Decoder::new(self.encoding.for_decoding()).latin1_up_to(bytes)
            }
            _ => None,
        }
    }

    #[inline]
    fn decode<D: Destination>(
        &mut self,
        source: &[u8],
        destination: D,
        proof: &mut D::Proof,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let done = self.pass_bom(source, destination, proof, last, DecodeErrorMode::Replacement);
        let result = match done.result {
            DecoderResult::InputEmpty => CoderResult::InputEmpty,
            // Errors are replaced.
            DecoderResult::OutputFull | DecoderResult::Malformed(..) => CoderResult::OutputFull,
        };
        (result, done.read, done.written, done.had_errors)
    }

    #[inline]
    fn decode_without_replacement<D: Destination>(
        &mut self,
        source: &[u8],
        destination: D,
        proof: &mut D::Proof,
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        let done = self.pass_bom(source, destination, proof, last, DecodeErrorMode::Fatal);
        (done.result, done.read, done.written)
    }
}

/// The length in bytes of the first piece of a `str` that [`Decoder::decode_to_str_without_replacement`] decodes into.
const FIRST_LIMIT: usize = 4096;

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}
