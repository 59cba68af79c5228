//! Encoders over slices: the public interface. The loop is in [`run`](self::run).

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use textcodec_kernels::string;

#[cfg(feature = "alloc")]
use crate::handler::Bytes;
use crate::{
    EncoderHalf, Encoding, Handle, Unmappable,
    handler::{HandlerResult, Item, MaxBytes, Restored},
};
use run::Text;

pub use run::CharacterReference;
pub(crate) use run::encode_reference;
pub use state::EncoderState;

mod run;
mod state;

/// An encoder's reaction to an error; the [error modes](https://encoding.spec.whatwg.org/#error-mode) of encoders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EncodeErrorMode {
    /// Write a decimal character reference, such as `&#9731;`, in place of the unmappable character. The characters of
    /// the reference have the bytes of the encoding: ASCII in all of the Standard's encodings, and others in EBCDIC. An
    /// encoder stops as in [`Fatal`](Self::Fatal) if the encoding has no bytes for one of them.
    Html,
    /// Stop at the unmappable character.
    Fatal,
}

/// The reason why a call stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EncodeStatus {
    /// The whole source is read. If it was the last source, the stream has ended.
    InputEmpty,
    /// The next bytes do not fit into the rest of the destination. Call again with the rest of the source and another
    /// destination. What a handler writes at once always suffices for progress.
    OutputFull,
    /// Only in [`EncodeErrorMode::Fatal`], and in encodings without the characters of a reference. The unmappable
    /// character is read: another call with the rest of the source continues after it.
    Unmappable(Unmappable),
}

/// The result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[must_use = "the status says whether everything was encoded"]
#[non_exhaustive]
pub struct EncodeResult {
    /// The reason why the call stopped.
    pub status: EncodeStatus,
    /// The number of units of the source that were read: bytes of a `str`, code units of UTF-16.
    pub read: usize,
    /// The number of bytes that were written to the destination. Bytes after them may have been overwritten, too.
    pub written: usize,
    /// Whether there was an unmappable character.
    pub had_errors: bool,
}

impl EncodeResult {
    /// Nothing is encoded yet.
    #[cfg(feature = "alloc")]
    const NOTHING: Self = EncodeResult { status: EncodeStatus::OutputFull, read: 0, written: 0, had_errors: false };

    /// Adds the result of the next call.
    #[cfg(feature = "alloc")]
    fn add(&mut self, next: Self) {
        self.status = next.status;
        self.read += next.read;
        self.written += next.written;
        self.had_errors |= next.had_errors;
    }

    /// The result of a call of another encoder than [`Encoder`], for example for an encoding that is not in the
    /// Standard.
    pub const fn new(status: EncodeStatus, read: usize, written: usize, had_errors: bool) -> Self {
        EncodeResult { status, read, written, had_errors }
    }
}

/// An encoder for a stream of text that arrives in slices of UTF-8 or UTF-16, into slices of bytes.
///
/// An encoder is small and `Copy`: a copy is a snapshot of the stream. It does not allocate. Any lengths of sources and
/// destinations work, and the output does not depend on them.
///
/// After the last call of a stream, [`position`](Self::position) still describes that stream. The next call starts
/// another stream.
///
/// `E` is the program's type for encodings.
#[derive(Clone, Copy, Debug)]
pub struct Encoder<E = &'static Encoding> {
    encoding: E,
    /// The half of `encoding` that encoders use. Here no call has to look it up.
    half: &'static EncoderHalf,
    stream: Stream,
}

/// The state of an encoder's stream, in 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// The number of units that were read from all sources.
    position: u64,
    /// A code point that is read and not yet written, plus 1; 0 if there is none. It is a leading surrogate at the end
    /// of the last source, or a character whose character reference did not fit into the last destination.
    held: u32,
    /// The handler's state, packed.
    handler: u16,
    /// The number of characters of the character reference that are written; [`Self::ENDED`] if the stream has ended,
    /// so that the next call starts another one. After the end, all other fields except `position` are as in a new
    /// stream.
    reference_written: u8,
}

impl Stream {
    /// The value of `reference_written` after the end. A character reference has at most ten characters.
    const ENDED: u8 = u8::MAX;

    const NEW: Self = Stream { position: 0, held: 0, handler: 0, reference_written: 0 };

    /// The character whose character reference did not fit into the last destination.
    fn reference(&self) -> Option<char> {
        char::from_u32(self.held.wrapping_sub(1))
    }

    /// The leading surrogate at the end of the last source.
    fn leading_surrogate(&self) -> Option<u16> {
        matches!(self.held, 0xD801..=0xDC00).then(|| (self.held - 1) as u16)
    }
}

impl<E: Handle> Encoder<E> {
    /// [Get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder) from `encoding`. `None` for an encoding
    /// without an encoder: in the Standard, UTF-16BE, UTF-16LE and replacement.
    #[doc(hidden)]
    pub fn new(encoding: E) -> Option<Self> {
        encoding.encoder().map(|half| Encoder { encoding, half, stream: Stream::NEW })
    }

    /// The encoding of the output.
    #[must_use]
    pub const fn encoding(&self) -> E {
        self.encoding
    }

    /// The number of units of the stream that were read so far.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.stream.position
    }

    /// Whether the end of the stream would write bytes: ISO-2022-JP's return to ASCII, the rest of a character
    /// reference, or U+FFFD for a leading surrogate. If not, the bytes so far are all bytes of the text so far.
    #[must_use]
    pub fn has_pending_state(&self) -> bool {
        self.stream.held != 0 || self.stream.handler != 0 && self.writes_end()
    }

    /// Whether the handler would write bytes at the end of the stream. Not every state has some: a byte order mark that
    /// is written leaves nothing to write.
    #[cold]
    fn writes_end(&self) -> bool {
        let (mut state, mut io_queue) =
            (self.stream.handler ^ u16::from(self.encoding.selector()), Restored::<char>::EMPTY);
        let result = (self.half.functions().handler)(self.half, &mut state, &mut io_queue, Item::EndOfQueue);
        !matches!(result, HandlerResult::Finished)
    }

    /// Drops the stream, so that the next call starts another one.
    pub fn reset(&mut self) {
        self.stream = Stream::NEW;
    }

    /// Encodes `source` into the front of `destination`. [`EncodeResult`] says how much of it was read.
    /// `last` says that the stream ends with this source.
    #[doc(alias = "encode_from_utf8_without_replacement")]
    #[inline]
    pub fn encode_str(
        &mut self,
        source: &str,
        destination: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        self.run(source, destination, last, mode)
    }

    /// Encodes `source`, which is UTF-16, into the front of `destination`. [`EncodeResult`] says how much of it was
    /// read. `last` says that the stream ends with this source.
    ///
    /// A surrogate pair may be split between two sources, also with empty sources of either kind between them. An
    /// unpaired surrogate is U+FFFD; so is a leading surrogate when the next source that is not empty is UTF-8.
    #[doc(alias = "encode_from_utf16_without_replacement")]
    #[inline]
    pub fn encode_utf16(
        &mut self,
        source: &[u16],
        destination: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        self.run(source, destination, last, mode)
    }

    /// Encodes all of `source` and appends the bytes to `destination`, which grows as needed. The status is never
    /// [`EncodeStatus::OutputFull`].
    #[doc(alias("encode_from_utf8_to_vec", "encode_from_utf8_to_vec_without_replacement"))]
    #[cfg(feature = "alloc")]
    pub fn encode_str_to_vec(
        &mut self,
        source: &str,
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        self.append(source, destination, last, mode)
    }

    /// Encodes all of `source`, which is UTF-16, and appends the bytes to `destination`, which grows as needed. The
    /// status is never [`EncodeStatus::OutputFull`].
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn encode_utf16_to_vec(
        &mut self,
        source: &[u16],
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        self.append(source, destination, last, mode)
    }

    /// Encodes `source` and appends the bytes to `destination` as far as its spare capacity goes. Never allocates. The
    /// status can be [`EncodeStatus::OutputFull`].
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn encode_str_to_vec_within_capacity(
        &mut self,
        source: &str,
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        self.append_within_capacity(source, destination, last, mode)
    }

    /// Encodes `source`, which is UTF-16, and appends the bytes to `destination` as far as its spare capacity goes.
    /// Never allocates. The status can be [`EncodeStatus::OutputFull`].
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn encode_utf16_to_vec_within_capacity(
        &mut self,
        source: &[u16],
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        self.append_within_capacity(source, destination, last, mode)
    }

    /// Encodes `source` into memory that need not be initialised. Returns the bytes as well, which are the first
    /// [`written`](EncodeResult::written) ones of `destination`. Apart from this, the method works like
    /// [`encode_str`](Self::encode_str).
    #[doc(hidden)]
    pub fn encode_str_uninit<'d>(
        &mut self,
        source: &str,
        destination: &'d mut [MaybeUninit<u8>],
        last: bool,
        mode: EncodeErrorMode,
    ) -> (EncodeResult, &'d mut [u8]) {
        self.run_uninit(source, destination, last, mode)
    }

    /// Encodes `source`, which is UTF-16, into memory that need not be initialised. Returns the bytes as well, which
    /// are the first [`written`](EncodeResult::written) ones of `destination`. Apart from this, the method works like
    /// [`encode_utf16`](Self::encode_utf16).
    #[doc(hidden)]
    pub fn encode_utf16_uninit<'d>(
        &mut self,
        source: &[u16],
        destination: &'d mut [MaybeUninit<u8>],
        last: bool,
        mode: EncodeErrorMode,
    ) -> (EncodeResult, &'d mut [u8]) {
        self.run_uninit(source, destination, last, mode)
    }

    fn run_uninit<'d, T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &'d mut [MaybeUninit<u8>],
        last: bool,
        mode: EncodeErrorMode,
    ) -> (EncodeResult, &'d mut [u8]) {
        let bytes = string::initialised(destination);
        let result = self.run(source, bytes, last, mode);
        (result, &mut bytes[..result.written])
    }

    /// Encodes all of `source` and appends the bytes to `destination`. For every unmappable character it encodes the
    /// text that `on_error` returns. This encoder encodes that text, too, so that it is correct in every state of
    /// ISO-2022-JP. Returns whether there was an unmappable character.
    ///
    /// # Errors
    /// If the text that `on_error` returned has an unmappable character. The error has that character, and the offset
    /// of the character that `on_error` was called for.
    #[cfg(feature = "alloc")]
    pub fn encode_str_to_vec_with<T: AsRef<str>>(
        &mut self,
        source: &str,
        destination: &mut Vec<u8>,
        last: bool,
        on_error: impl FnMut(Unmappable) -> T,
    ) -> Result<bool, Unmappable> {
        self.append_with(source, destination, last, on_error)
    }

    /// The same as [`encode_str_to_vec_with`](Self::encode_str_to_vec_with), from UTF-16.
    ///
    /// # Errors
    /// If the text that `on_error` returned has an unmappable character.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    pub fn encode_utf16_to_vec_with<T: AsRef<str>>(
        &mut self,
        source: &[u16],
        destination: &mut Vec<u8>,
        last: bool,
        on_error: impl FnMut(Unmappable) -> T,
    ) -> Result<bool, Unmappable> {
        self.append_with(source, destination, last, on_error)
    }

    /// The greatest number of bytes that the next `source_length` bytes of UTF-8 can become, the end of the stream
    /// included. A destination of this length is never too short. `None` if the number does not fit into `usize`.
    #[doc(alias("max_buffer_length_from_utf8_if_no_unmappables", "max_buffer_length_from_utf8_without_replacement"))]
    #[must_use]
    pub fn max_length_from_str(&self, source_length: usize, mode: EncodeErrorMode) -> Option<usize> {
        self.max_length(source_length, self.max_bytes(mode).per_utf8_byte, mode)
    }

    /// The greatest number of bytes that the next `source_length` code units of UTF-16 can become, the end of the
    /// stream included. A destination of this length is never too short. `None` if the number does not fit into
    /// `usize`.
    #[doc(alias("max_buffer_length_from_utf16_if_no_unmappables", "max_buffer_length_from_utf16_without_replacement"))]
    #[must_use]
    pub fn max_length_from_utf16(&self, source_length: usize, mode: EncodeErrorMode) -> Option<usize> {
        self.max_length(source_length, self.max_bytes(mode).per_code_unit, mode)
    }

    fn max_bytes(&self, mode: EncodeErrorMode) -> MaxBytes {
        let functions = self.half.functions();
        match mode {
            EncodeErrorMode::Html => functions.max_bytes_html,
            EncodeErrorMode::Fatal => functions.max_bytes_fatal,
        }
    }

    /// `factor` bytes for every unit of the source, and the bytes that earlier sources can still cause: for a pending
    /// leading surrogate, for the rest of a character reference, for the end of the stream.
    fn max_length(&self, source_length: usize, factor: u8, mode: EncodeErrorMode) -> Option<usize> {
        let max_bytes = self.max_bytes(mode);
        let earlier = if self.stream.leading_surrogate().is_some() { max_bytes.per_code_unit.into() } else { 0 }
            + match (self.stream.reference(), self.half.functions().encode_reference) {
                (None, _) => 0,
                (Some(_), None) => 10,
                // No encoding has more than two bytes for a character of a reference.
                (Some(_), Some(_)) => 20,
            }
            + usize::from(max_bytes.at_end);
        source_length.checked_mul(factor.into())?.checked_add(earlier)
    }

    #[inline]
    fn run<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        run::run(self.half, self.encoding.selector(), &mut self.stream, source, destination, last, mode)
    }

    #[cfg(feature = "alloc")]
    fn append<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        let mut total = EncodeResult::NOTHING;
        // Most text has at least a byte for each unit of the source. What a handler writes at once always suffices for
        // progress.
        let may_fit = destination.capacity() - destination.len() >= source.length();
        let mut needed = if may_fit { 0 } else { source.length() + Bytes::CAPACITY };
        loop {
            destination.reserve(needed);
            total.add(self.append_within_capacity(source.after(total.read), destination, last, mode));
            if total.status != EncodeStatus::OutputFull {
                return total;
            }
            needed = source.length() - total.read + Bytes::CAPACITY;
        }
    }

    #[cfg(feature = "alloc")]
    fn append_within_capacity<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut Vec<u8>,
        last: bool,
        mode: EncodeErrorMode,
    ) -> EncodeResult {
        let (mut total, mut limit) = (EncodeResult::NOTHING, string::FIRST_PIECE);
        loop {
            let (rest, spare) = (source.after(total.read), destination.capacity() - destination.len());
            let write = |bytes: &mut [u8]| {
                let result = self.run(rest, bytes, last, mode);
                (result, result.written)
            };
            total.add(string::append_units(destination, limit, write).0);
            if total.status != EncodeStatus::OutputFull || spare <= limit {
                return total;
            }
            limit = limit.saturating_mul(string::PIECE_GROWTH);
        }
    }

    /// Takes back the end of what a call that stopped at an unmappable character has `written`: the return to ASCII,
    /// with which [ISO-2022-JP's encoder](https://encoding.spec.whatwg.org/#iso-2022-jp-encoder) prepares for a
    /// character reference. Returns the number of bytes to remove, which is 0 for other encoders. The encoder is in its
    /// state before these bytes.
    ///
    /// If no ASCII character follows, these bytes can be followed by another escape sequence, and a decoder takes
    /// escape sequences without a character between them for malformed.
    #[doc(hidden)]
    #[must_use]
    pub fn take_back(&mut self, written: &[u8]) -> usize {
        match self.half.functions().before_error {
            Some((bytes, state)) if written.ends_with(bytes) => {
                self.stream.handler = state;
                bytes.len()
            }
            _ => 0,
        }
    }

    #[cfg(feature = "alloc")]
    fn append_with<S: Text + ?Sized, T: AsRef<str>>(
        &mut self,
        source: &S,
        destination: &mut Vec<u8>,
        last: bool,
        mut on_error: impl FnMut(Unmappable) -> T,
    ) -> Result<bool, Unmappable> {
        let (mut rest, mut had_errors) = (source, false);
        loop {
            let start = destination.len();
            let result = self.append(rest, destination, last, EncodeErrorMode::Fatal);
            let EncodeStatus::Unmappable(unmappable) = result.status else { return Ok(had_errors) };
            destination.truncate(destination.len() - self.take_back(&destination[start..]));
            rest = rest.after(result.read);
            had_errors = true;
            // The text of `on_error` is not part of the stream, so it does not count in `position`.
            let position = self.stream.position;
            let instead = self.append(on_error(unmappable).as_ref(), destination, false, EncodeErrorMode::Fatal);
            self.stream.position = position;
            if let EncodeStatus::Unmappable(Unmappable { code_point, .. }) = instead.status {
                return Err(Unmappable { code_point, ..unmappable });
            }
        }
    }
}
