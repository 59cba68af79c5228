//! Decoders over slices: the public interface. The loop is in [`run`](self::run).

mod bom;
mod destination;
mod latin1;
mod run;
mod state;

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::mem::MaybeUninit;

use textcodec_kernels::{blocks::skip, string};

use self::bom::BomHandling;
use crate::{Bom, Encoding, Handle, Malformed, handler::Restored};

pub use self::state::DecoderState;
#[cfg(feature = "encode")]
pub(crate) use self::state::LAST_POSITION;

/// The reaction of a decoder to an error: the [error modes](https://encoding.spec.whatwg.org/#error-mode) of decoders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecodeErrorMode {
    /// Write U+FFFD in place of the malformed sequence.
    Replacement,
    /// Stop after the malformed sequence.
    Fatal,
}

/// The reason why a call stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecodeStatus {
    /// The whole source has been read. If it was the last source, the stream has ended.
    InputEmpty,
    /// The next character does not fit into the rest of the destination. Call again with the rest of the source and
    /// another destination. Four bytes or two code units always suffice for progress.
    OutputFull,
    /// There is a malformed sequence; only in [`DecodeErrorMode::Fatal`]. The sequence has been read: a call with the
    /// rest of the source continues after it.
    Malformed(Malformed),
}

/// The result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[must_use = "the status says whether everything was decoded"]
#[non_exhaustive]
pub struct DecodeResult {
    /// The reason why the call stopped.
    pub status: DecodeStatus,
    /// The number of bytes of the source that were read.
    pub read: usize,
    /// The number of code units that were written to the destination: bytes of UTF-8, or units of UTF-16. Code units
    /// after them may have been overwritten, too.
    pub written: usize,
    /// Whether there was a malformed sequence.
    pub had_errors: bool,
}

impl DecodeResult {
    const NOTHING: Self = DecodeResult { status: DecodeStatus::OutputFull, read: 0, written: 0, had_errors: false };

    /// Adds the result of the next call.
    fn add(&mut self, next: DecodeResult) {
        self.status = next.status;
        self.read += next.read;
        self.written += next.written;
        self.had_errors |= next.had_errors;
    }
}

/// A decoder for a stream of bytes that arrives in slices, into slices of UTF-8 or UTF-16.
///
/// A decoder is small and `Copy`: a copy is a snapshot of the stream. It does not allocate. Any lengths of sources and
/// destinations work, and the text does not depend on them.
///
/// After the last call of a stream, [`encoding`](Self::encoding), [`position`](Self::position) and
/// `sequence_start` still describe that stream. The next call starts another stream, in the encoding that the decoder
/// was made for.
///
/// `E` is the program's type for encodings.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<E = &'static Encoding> {
    encoding: E,
    stream: Stream,
}

/// The part of the stream that a decoder has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The start, where a byte order mark may come.
    Start,
    /// The text after the byte order mark, or without one.
    Text,
    /// The end. The next call starts another stream; until then the decoder still describes this one.
    Ended,
}

/// The state of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// The handler's state, packed.
    handler: u64,
    /// The number of bytes read from the sources of all calls.
    position: u64,
    /// The last bytes before `position`, which the handler still has to read: bytes of an earlier source that it
    /// restored, or the beginning of a possible byte order mark.
    restored: Restored<u8>,
    bom_handling: BomHandling,
    stage: Stage,
    /// The byte order mark that decided the encoding.
    bom: Option<Bom>,
}

impl Stream {
    const fn new(bom_handling: BomHandling) -> Self {
        Stream {
            handler: 0,
            position: 0,
            restored: Restored::<u8>::EMPTY,
            bom_handling,
            stage: if matches!(bom_handling, BomHandling::Keep) { Stage::Text } else { Stage::Start },
            bom: None,
        }
    }
}

impl<E> Decoder<E> {
    /// A decoder that decodes a byte order mark as U+FEFF, as the Standard's decoders do.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(encoding: E) -> Self {
        Self::with_bom_handling(encoding, BomHandling::Keep)
    }

    /// A decoder that removes one byte order mark of `encoding` from the start of the stream. Only UTF-8, UTF-16BE and
    /// UTF-16LE have byte order marks.
    #[doc(hidden)]
    #[must_use]
    pub const fn removing_bom(encoding: E) -> Self {
        Self::with_bom_handling(encoding, BomHandling::Remove)
    }

    const fn with_bom_handling(encoding: E, bom_handling: BomHandling) -> Self {
        Decoder { encoding, stream: Stream::new(bom_handling) }
    }
}

impl<E: Handle> Decoder<E> {
    /// A decoder that does what [*decode*](https://encoding.spec.whatwg.org/#decode) does: it removes a byte order mark
    /// from the start of the stream and decodes the encoding of that byte order mark. Without one it decodes
    /// `fallback`.
    #[doc(hidden)]
    #[must_use]
    pub const fn sniffing(fallback: E) -> Self {
        Self::with_bom_handling(fallback, BomHandling::Sniff)
    }

    /// The encoding that is decoded: the encoding of the byte order mark if there was one, or else the decoder's own.
    #[must_use]
    pub fn encoding(&self) -> E {
        match self.stream.bom {
            None => self.encoding,
            Some(bom) => bom::encoding_of(bom, self.encoding),
        }
    }

    /// The byte order mark at the start of the stream, which decided the encoding, even if it named the encoding that
    /// the decoder was made for. `None` if no byte order mark was read so far, and in a decoder that was not made by
    /// [`sniffing`](Self::sniffing).
    #[doc(hidden)]
    #[must_use]
    pub fn bom(&self) -> Option<Bom> {
        self.stream.bom
    }

    /// The number of bytes of the stream that were read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.position
    }

    /// The offset in the stream, in bytes, of the next sequence, or of the sequence that has begun. The text of all
    /// bytes before this offset has been written.
    #[doc(hidden)]
    #[must_use]
    pub fn sequence_start(&self) -> u64 {
        let codec = self.encoding().codec();
        let pending = (codec.decoder().pending)(codec, self.stream.handler).len();
        self.stream.position - (self.stream.restored.len() + pending) as u64
    }

    /// Forgets the stream: the next call starts another stream, in the encoding that the decoder was made for.
    pub fn reset(&mut self) {
        self.stream = Stream::new(self.stream.bom_handling);
    }

    /// Forgets the bytes of earlier sources that the handler restored and has not read again. The handler's state
    /// stays. The Standard's `TextDecoder` does this after an error.
    #[doc(hidden)]
    pub fn discard_restored(&mut self) {
        self.stream.restored.clear();
    }

    /// Decodes `source` into UTF-8 at the front of `destination`. [`DecodeResult`] says how much of it was read.
    /// `last` says that the stream ends with this source.
    #[doc(alias = "decode_to_utf8_without_replacement")]
    #[inline]
    pub fn decode_to_utf8(
        &mut self,
        source: &[u8],
        destination: &mut [u8],
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        string::write_bytes(destination, |space, proof| self.run(source, space, proof, last, mode))
    }

    /// Decodes `source` into UTF-16 at the front of `destination`. [`DecodeResult`] says how much of it was read.
    /// `last` says that the stream ends with this source.
    #[doc(alias = "decode_to_utf16_without_replacement")]
    #[inline]
    pub fn decode_to_utf16(
        &mut self,
        source: &[u8],
        destination: &mut [u16],
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        self.run(source, destination, &mut (), last, mode)
    }

    /// Decodes `source` into the front of `destination`, as [`decode_to_utf8`](Self::decode_to_utf8) does.
    ///
    /// Some bytes after the new text become 0. They end at most where the longest possible text of the source would
    /// end, or at the end of the old character at that place. All bytes after them stay as they were.
    #[doc(hidden)]
    #[doc(alias = "decode_to_str_without_replacement")]
    pub fn decode_to_str(
        &mut self,
        source: &[u8],
        destination: &mut str,
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        let mut total = DecodeResult::NOTHING;
        let mut longest = if mode == DecodeErrorMode::Fatal { LONGEST_FIRST } else { usize::MAX };
        loop {
            let (from, to) = (skip(source, total.read), destination.get_mut(total.written..).unwrap_or_default());
            let (limit, capacity) = (longest.min(enough(from.len())), to.len());
            total.add(string::write_str(to, limit, |space, proof| self.run(from, space, proof, last, mode)).0);
            if total.status != DecodeStatus::OutputFull || capacity <= limit {
                return total;
            }
            longest = longest.saturating_mul(8);
        }
    }

    /// Decodes all of `source` and appends the text to `destination`, which grows as needed. The status is never
    /// [`DecodeStatus::OutputFull`]; `written` counts bytes.
    ///
    /// The text goes straight into the spare capacity, which is neither cleared first nor validated afterwards.
    #[doc(alias = "decode_to_string_without_replacement")]
    #[cfg(feature = "alloc")]
    pub fn decode_to_string(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        let mut total = DecodeResult::NOTHING;
        // Most text has at least a byte for each byte of the source.
        let may_fit = destination.capacity() - destination.len() >= source.len();
        let mut needed = if may_fit { 0 } else { enough(source.len()) };
        loop {
            destination.reserve(needed);
            let rest = skip(source, total.read);
            total.add(self.decode_to_string_within_capacity(rest, destination, last, mode));
            if total.status != DecodeStatus::OutputFull {
                return total;
            }
            // With a flag in place of a number, the compiler makes a copy of the first round: 1.2 KB in a program with
            // all encodings, together with the loop of encoders.
            needed = enough(source.len() - total.read);
        }
    }

    /// Decodes all of `source` and appends the code units to `destination`, which grows as needed. The status is never
    /// [`DecodeStatus::OutputFull`].
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn decode_to_utf16_vec(
        &mut self,
        source: &[u8],
        destination: &mut Vec<u16>,
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        let mut total = DecodeResult::NOTHING;
        let may_fit = destination.capacity() - destination.len() >= source.len();
        let mut needed = if may_fit { 0 } else { source.len() + ENOUGH_TO_GO_ON };
        loop {
            destination.reserve(needed);
            let rest = skip(source, total.read);
            total.add(self.decode_to_utf16_vec_within_capacity(rest, destination, last, mode));
            if total.status != DecodeStatus::OutputFull {
                return total;
            }
            needed = source.len() - total.read + ENOUGH_TO_GO_ON;
        }
    }

    /// Decodes `source` and appends the text to `destination` as far as its spare capacity goes. Never allocates. The
    /// status can be [`DecodeStatus::OutputFull`]; `written` counts bytes.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_within_capacity(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        let (mut total, mut limit) = (DecodeResult::NOTHING, string::FIRST_PIECE);
        loop {
            let (rest, spare) = (skip(source, total.read), destination.capacity() - destination.len());
            total.add(string::append(destination, limit, |space, proof| self.run(rest, space, proof, last, mode)).0);
            if total.status != DecodeStatus::OutputFull || spare <= limit {
                return total;
            }
            limit = limit.saturating_mul(string::PIECE_GROWTH);
        }
    }

    /// Decodes `source` and appends the code units to `destination` as far as its spare capacity goes. Never allocates.
    /// The status can be [`DecodeStatus::OutputFull`].
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn decode_to_utf16_vec_within_capacity(
        &mut self,
        source: &[u8],
        destination: &mut Vec<u16>,
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        let (mut total, mut limit) = (DecodeResult::NOTHING, string::FIRST_PIECE);
        loop {
            let (rest, spare) = (skip(source, total.read), destination.capacity() - destination.len());
            let write = |units: &mut [u16]| {
                let result = self.decode_to_utf16(rest, units, last, mode);
                (result, result.written)
            };
            total.add(string::append_units(destination, limit, write).0);
            if total.status != DecodeStatus::OutputFull || spare <= limit {
                return total;
            }
            limit = limit.saturating_mul(string::PIECE_GROWTH);
        }
    }

    /// Decodes `source` into memory that need not be initialised. Returns the text as well, which is the first
    /// [`written`](DecodeResult::written) bytes of `destination`. Apart from this, the method works like
    /// [`decode_to_utf8`](Self::decode_to_utf8).
    ///
    /// ```
    /// use core::mem::MaybeUninit;
    /// use textcodec_core::{DecodeStatus, Decoder, DecodeErrorMode, Encoding};
    ///
    /// fn first_words(decoder: &mut Decoder, source: &[u8]) -> bool {
    ///     let mut memory = [MaybeUninit::uninit(); 256];
    ///     let (result, text) = decoder.decode_to_utf8_uninit(source, &mut memory, true, DecodeErrorMode::Replacement);
    ///     println!("{text}");
    ///     result.status == DecodeStatus::InputEmpty
    /// }
    /// ```
    pub fn decode_to_utf8_uninit<'d>(
        &mut self,
        source: &[u8],
        destination: &'d mut [MaybeUninit<u8>],
        last: bool,
        mode: DecodeErrorMode,
    ) -> (DecodeResult, &'d mut str) {
        string::write_uninit(destination, |space, proof| self.run(source, space, proof, last, mode))
    }

    /// Decodes `source` into memory that need not be initialised. Returns the code units as well, which are the first
    /// [`written`](DecodeResult::written) ones of `destination`. Apart from this, the method works like
    /// [`decode_to_utf16`](Self::decode_to_utf16).
    #[doc(hidden)]
    pub fn decode_to_utf16_uninit<'d>(
        &mut self,
        source: &[u8],
        destination: &'d mut [MaybeUninit<u16>],
        last: bool,
        mode: DecodeErrorMode,
    ) -> (DecodeResult, &'d mut [u16]) {
        let units = string::initialised(destination);
        let result = self.decode_to_utf16(source, units, last, mode);
        (result, &mut units[..result.written])
    }

    /// Decodes all of `source` and appends the text to `destination`. At every malformed sequence it calls `on_error`,
    /// which can append a replacement. Returns whether there was a malformed sequence.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_with(
        &mut self,
        source: &[u8],
        destination: &mut String,
        last: bool,
        mut on_error: impl FnMut(Malformed, &mut String),
    ) -> bool {
        let (mut rest, mut had_errors) = (source, false);
        loop {
            let result = self.decode_to_string(rest, destination, last, DecodeErrorMode::Fatal);
            let DecodeStatus::Malformed(malformed) = result.status else { return had_errors };
            rest = &rest[result.read..];
            had_errors = true;
            on_error(malformed, destination);
        }
    }

    /// The greatest number of bytes of UTF-8 that the next `source_length` bytes and the end of the stream can become.
    /// A destination of this length is never too small. `None` if the number is greater than [`usize::MAX`].
    #[doc(alias("max_utf8_buffer_length", "max_utf8_buffer_length_without_replacement"))]
    #[must_use]
    pub fn max_utf8_length(&self, source_length: usize) -> Option<usize> {
        // A code unit becomes at most three bytes.
        self.max_utf16_length(source_length)?.checked_mul(3)
    }

    /// The greatest number of code units of UTF-16 that the next `source_length` bytes and the end of the stream can
    /// become. A destination of this length is never too small. `None` if the number is greater than [`usize::MAX`].
    #[doc(alias = "max_utf16_buffer_length")]
    #[must_use]
    pub fn max_utf16_length(&self, source_length: usize) -> Option<usize> {
        // In the Standard, each scalar value or error takes at least one byte, and each surrogate pair at least two.
        let begun = self.stream.position - self.sequence_start();
        let units_per_byte = self.encoding().codec().decoder().max_units_per_byte;
        source_length.checked_add(begun as usize)?.checked_mul(units_per_byte.into())
    }
}

/// A decoder makes progress into a destination of this length, in bytes or code units.
const ENOUGH_TO_GO_ON: usize = 4;

/// The length in bytes of the first piece of a `str` that [`Decoder::decode_to_str`] decodes into in the mode fatal.
/// The rest of the piece after the text is cleared, and the call may stop at an error after a few bytes.
const LONGEST_FIRST: usize = 3 * 1024 + ENOUGH_TO_GO_ON;

/// The space in bytes for the UTF-8 of `length` bytes of source.
///
/// A destination that is too small costs time: near its end, a hundred characters or more are converted one by one. So
/// a short source gets all the space that it can need. A longer source gets one and a half times its length, which is
/// what pairs of bytes need in East Asian encodings.
fn enough(length: usize) -> usize {
    const SHORT: usize = 1024;
    // Bytes that are left over from an earlier source become text, too.
    let length = length.saturating_add(ENOUGH_TO_GO_ON);
    if length <= SHORT { 3 * length } else { length.saturating_add(length / 2) }
}
