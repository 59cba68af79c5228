//! The two directions, decode and encode, as one interface from bytes to bytes. Each direction remembers whether there
//! were errors and how many bytes it has taken.

#[cfg(feature = "encode")]
use alloc::vec::Vec;
#[cfg(feature = "encode")]
use core::{fmt, str};
use std::io;

use crate::{DecodeErrorMode, DecodeResult, DecodeStatus, Decoder, Encoding, Malformed};
#[cfg(feature = "encode")]
use crate::{EncodeErrorMode, EncodeResult, EncodeStatus, Encoder, Unmappable};
#[cfg(feature = "encode")]
use textcodec_core::handler::Bytes;

/// A direction of conversion: [`Decode`], [`Encode`], and with the feature `sniff` `Sniff`. The trait cannot be
/// implemented outside this crate.
pub trait Direction: Convert {}

impl<C: Convert> Direction for C {}

/// A conversion of a stream of bytes that arrives in pieces.
pub trait Convert {
    /// Whether the output is UTF-8.
    const TO_TEXT: bool;

    /// Converts `source`, `None` for end-of-queue, into the front of `destination`.
    fn convert(&mut self, source: Option<&[u8]>, destination: &mut [u8]) -> Converted;

    /// Whether there was an error so far.
    fn had_errors(&self) -> bool;

    /// The number of bytes that were taken from the sources so far.
    fn position(&self) -> u64;
}

/// The result of [`Convert::convert`].
#[derive(Debug)]
pub struct Converted {
    pub(super) status: Status,
    /// The number of bytes that were taken from the source.
    pub(super) read: usize,
    /// The number of bytes that were written to the destination.
    pub(super) written: usize,
}

/// The reason why a call stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// All of the source is taken; after end-of-queue the stream has ended.
    InputEmpty,
    /// The rest of the output does not fit into the destination. Four bytes are always enough to go on.
    OutputFull,
    /// The bytes of the error are taken; another call goes on after them.
    Error(Problem),
}

/// The error at which a conversion stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    Malformed(Malformed),
    #[cfg(feature = "encode")]
    Unmappable(Unmappable),
    /// Sniffing found an encoding that is not enabled.
    #[cfg(feature = "sniff")]
    Label(crate::LabelError),
}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Malformed(malformed) => io::Error::new(io::ErrorKind::InvalidData, malformed),
            #[cfg(feature = "encode")]
            Problem::Unmappable(unmappable) => io::Error::new(io::ErrorKind::InvalidData, unmappable),
            #[cfg(feature = "sniff")]
            Problem::Label(error) => io::Error::new(io::ErrorKind::Unsupported, error),
        }
    }
}

/// The direction from bytes of an encoding to UTF-8.
#[derive(Clone, Debug)]
pub struct Decode {
    decoder: Decoder,
    mode: DecodeErrorMode,
    had_errors: bool,
}

impl Decode {
    pub(super) fn new(decoder: Decoder, mode: DecodeErrorMode) -> Self {
        Decode { decoder, mode, had_errors: false }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.decoder.encoding()
    }

    /// Appends the text of `source`, `None` for end-of-queue, to `text`; in the error mode fatal, up to the first
    /// error. Returns the number of bytes that were taken, and the error.
    #[cfg(any(feature = "futures-0_3", feature = "tokio-util-0_7"))]
    pub(super) fn append(
        &mut self,
        source: Option<&[u8]>,
        text: &mut alloc::string::String,
    ) -> (usize, Option<Malformed>) {
        let result = self.run(source, |decoder, source, last, mode| decoder.decode_to_string(source, text, last, mode));
        match result.status {
            DecodeStatus::Malformed(malformed) => (result.read, Some(malformed)),
            DecodeStatus::InputEmpty | DecodeStatus::OutputFull => (result.read, None),
        }
    }

    fn run(
        &mut self,
        source: Option<&[u8]>,
        decode: impl FnOnce(&mut Decoder, &[u8], bool, DecodeErrorMode) -> DecodeResult,
    ) -> DecodeResult {
        let result = decode(&mut self.decoder, source.unwrap_or_default(), source.is_none(), self.mode);
        self.had_errors |= result.had_errors;
        result
    }
}

impl Convert for Decode {
    const TO_TEXT: bool = true;

    fn convert(&mut self, source: Option<&[u8]>, destination: &mut [u8]) -> Converted {
        let result =
            self.run(source, |decoder, source, last, mode| decoder.decode_to_utf8(source, destination, last, mode));
        let status = match result.status {
            DecodeStatus::InputEmpty => Status::InputEmpty,
            DecodeStatus::OutputFull => Status::OutputFull,
            DecodeStatus::Malformed(malformed) => Status::Error(Problem::Malformed(malformed)),
        };
        Converted { status, read: result.read, written: result.written }
    }

    fn had_errors(&self) -> bool {
        self.had_errors
    }

    fn position(&self) -> u64 {
        self.decoder.position()
    }
}

/// An encoder of text.
#[cfg(feature = "encode")]
pub trait EncodeText {
    /// The state of the encoder between two calls.
    type State;

    /// As [`Encoder::encode_str`]. The offset of an unmappable character counts `skipped` bytes more than the
    /// encoder does.
    fn encode_str(
        &mut self,
        text: &str,
        space: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
        skipped: u64,
    ) -> EncodeResult;

    /// The state, for [`set_state`](Self::set_state).
    fn state(&self) -> Self::State;

    /// Goes back to a state in which all output had been written.
    fn set_state(&mut self, state: Self::State);
}

#[cfg(feature = "encode")]
impl EncodeText for Encoder {
    type State = Self;

    fn encode_str(
        &mut self,
        text: &str,
        space: &mut [u8],
        last: bool,
        mode: EncodeErrorMode,
        skipped: u64,
    ) -> EncodeResult {
        let mut result = Encoder::encode_str(self, text, space, last, mode);
        if let EncodeStatus::Unmappable(unmappable) = &mut result.status {
            unmappable.offset += skipped;
        }
        result
    }

    fn state(&self) -> Self {
        *self
    }

    fn set_state(&mut self, state: Self) {
        *self = state;
    }
}

/// An encoder that encodes a text of the caller's in place of each unmappable character: the text that the function `F`
/// returns for the character. It is made by the functions `replacing` of [`EncodingReader`](super::EncodingReader),
/// [`EncodingWriter`](super::EncodingWriter) and `TextCodec`.
#[cfg(feature = "encode")]
#[derive(Clone)]
pub struct Replacing<F> {
    encoder: Encoder,
    on_error: F,
    /// The bytes of the last text that `on_error` returned, and the number of them that are written.
    replacement: (Vec<u8>, usize),
    /// The number of bytes of UTF-8 that the encoder has counted and that are not of the caller's stream.
    counted: u64,
}

#[cfg(feature = "encode")]
impl<F> Replacing<F> {
    pub(super) fn new(encoder: Encoder, on_error: F) -> Self {
        Replacing { encoder, on_error, replacement: (Vec::new(), 0), counted: 0 }
    }

    /// Writes the rest of the replacement, as far as it fits. Returns the number of bytes that were written, and
    /// whether that is all.
    fn write_replacement(&mut self, space: &mut [u8]) -> (usize, bool) {
        let (bytes, start) = &mut self.replacement;
        let rest = &bytes[*start..];
        let fits = rest.len().min(space.len());
        space[..fits].copy_from_slice(&rest[..fits]);
        *start += fits;
        let is_all = *start == bytes.len();
        if is_all {
            bytes.clear();
            *start = 0;
        }
        (fits, is_all)
    }
}

#[cfg(feature = "encode")]
impl<F: FnMut(Unmappable) -> T, T: AsRef<str>> EncodeText for Replacing<F> {
    type State = (Encoder, u64);

    fn encode_str(
        &mut self,
        text: &str,
        space: &mut [u8],
        last: bool,
        _: EncodeErrorMode,
        skipped: u64,
    ) -> EncodeResult {
        let (mut read, mut written, mut had_errors) = (0, 0, false);
        let status = loop {
            let (count, is_all) = self.write_replacement(&mut space[written..]);
            written += count;
            if !is_all {
                break EncodeStatus::OutputFull;
            }
            let (rest, to) = (&text[read..], &mut space[written..]);
            let result = self.encoder.encode_str(rest, to, last, EncodeErrorMode::Fatal);
            read += result.read;
            let EncodeStatus::Unmappable(unmappable) = result.status else {
                written += result.written;
                break result.status;
            };
            written += result.written - self.encoder.take_back(&to[..result.written]);
            had_errors = true;
            let offset = unmappable.offset - self.counted + skipped;
            let instead = (self.on_error)(Unmappable::new(offset, unmappable.code_point));
            let before = self.encoder.position();
            let bytes = &mut self.replacement.0;
            let result = self.encoder.encode_str_to_vec(instead.as_ref(), bytes, false, EncodeErrorMode::Fatal);
            self.counted += self.encoder.position() - before;
            if let EncodeStatus::Unmappable(Unmappable { code_point, .. }) = result.status {
                break EncodeStatus::Unmappable(Unmappable::new(offset, code_point));
            }
        };
        if last && status == EncodeStatus::InputEmpty {
            // The next call starts another stream.
            self.counted = 0;
        }
        EncodeResult::new(status, read, written, had_errors)
    }

    fn state(&self) -> Self::State {
        (self.encoder, self.counted)
    }

    fn set_state(&mut self, state: Self::State) {
        (self.encoder, self.counted) = state;
        self.replacement = (Vec::new(), 0);
    }
}

#[cfg(feature = "encode")]
impl<F> fmt::Debug for Replacing<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replacing").field("encoder", &self.encoder).finish_non_exhaustive()
    }
}

/// The direction from UTF-8 to bytes of an encoding. Bytes that are not UTF-8 are an error in both error modes. The
/// encoder `E` can be a [`Replacing`].
#[cfg(feature = "encode")]
#[derive(Clone, Debug)]
pub struct Encode<E = Encoder> {
    encoder: E,
    mode: EncodeErrorMode,
    had_errors: bool,
    /// The number of bytes that were taken.
    position: u64,
    /// The number of taken bytes that were not UTF-8. The encoder does not count these.
    malformed: u64,
    /// The last bytes that were taken, if they are the start of a code point, or a code point that did not fit into the
    /// destination.
    split: Bytes,
}

#[cfg(feature = "encode")]
impl Encode {
    pub(super) fn new(encoder: Encoder, mode: EncodeErrorMode) -> Self {
        Encode { position: encoder.position(), ..Encode::with(encoder, mode) }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoder.encoding()
    }
}

#[cfg(feature = "encode")]
impl<F> Encode<Replacing<F>> {
    pub(super) fn replacing(encoder: Encoder, on_error: F) -> Self {
        let position = encoder.position();
        Encode { position, ..Encode::with(Replacing::new(encoder, on_error), EncodeErrorMode::Fatal) }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoder.encoder.encoding()
    }
}

#[cfg(feature = "encode")]
impl<E> Encode<E> {
    /// Encodes with `encoder`, which is at the start of its text.
    pub(super) fn with(encoder: E, mode: EncodeErrorMode) -> Self {
        Encode { encoder, mode, had_errors: false, position: 0, malformed: 0, split: Bytes::EMPTY }
    }
}

#[cfg(feature = "encode")]
impl<E: EncodeText> Encode<E> {
    /// Converts a code point that was split between sources, or else a piece of this source. The `status` of the result
    /// is `None` if another step can follow.
    fn step(&mut self, source: Option<&[u8]>, space: &mut [u8]) -> Step {
        if self.split.is_empty() { self.step_in_source(source, space) } else { self.step_in_split(source, space) }
    }

    fn step_in_split(&mut self, source: Option<&[u8]>, space: &mut [u8]) -> Step {
        let split = self.split;
        if let Ok(text) = str::from_utf8(&split) {
            let result = self.encode(text, space, false);
            if result.read > 0 {
                self.split = Bytes::EMPTY;
            }
            return Step { read: 0, written: result.written, status: stop(result.status) };
        }
        match source {
            Some([]) => Step { read: 0, written: 0, status: Some(Status::InputEmpty) },
            Some(&[byte, ..]) if self.join(byte) => Step { read: 1, written: 0, status: None },
            _ => {
                self.split = Bytes::EMPTY;
                Step { read: 0, written: 0, status: Some(self.malformed(&split)) }
            }
        }
    }

    fn step_in_source(&mut self, source: Option<&[u8]>, space: &mut [u8]) -> Step {
        let bytes = source.unwrap_or_default();
        // Validate only a few bytes more than the destination can take: the rest would be validated again in the next
        // call.
        let window = window(bytes, space.len() + 4);
        let (text, error) = match str::from_utf8(window) {
            Ok(text) => (text, None),
            Err(error) => (str::from_utf8(&window[..error.valid_up_to()]).unwrap_or_default(), Some(error)),
        };
        let result = self.encode(text, space, source.is_none());
        self.position += result.read as u64;
        let mut step = Step { read: result.read, written: result.written, status: stop(result.status) };
        let rest = &window[text.len()..];
        match error {
            _ if step.status.is_some() => {}
            None if text.len() < bytes.len() => {}
            None => step.status = Some(Status::InputEmpty),
            Some(error) => {
                let taken = &rest[..error.error_len().unwrap_or(rest.len())];
                step.read += taken.len();
                self.position += taken.len() as u64;
                match error.error_len() {
                    Some(_) => step.status = Some(self.malformed(taken)),
                    None => self.split = taken.into(),
                }
            }
        }
        step
    }

    /// Takes `byte` if it continues the code point whose start is in `split`; otherwise takes nothing and returns
    /// false.
    fn join(&mut self, byte: u8) -> bool {
        let mut split = self.split;
        split.push(byte);
        let belongs = str::from_utf8(&split).map_or_else(|error| error.error_len().is_none(), |_| true);
        if belongs {
            self.split = split;
            self.position += 1;
        }
        belongs
    }

    /// The error for `bytes`, which are the last bytes that were taken.
    fn malformed(&mut self, bytes: &[u8]) -> Status {
        let length = bytes.len() as u64;
        self.malformed += length;
        self.had_errors = true;
        Status::Error(Problem::Malformed(Malformed::new(self.position - length, bytes.into())))
    }

    fn encode(&mut self, text: &str, space: &mut [u8], last: bool) -> EncodeResult {
        let result = self.encoder.encode_str(text, space, last, self.mode, self.malformed);
        self.had_errors |= result.had_errors;
        result
    }
}

#[cfg(feature = "encode")]
impl<E: EncodeText> Convert for Encode<E> {
    const TO_TEXT: bool = false;

    fn convert(&mut self, source: Option<&[u8]>, destination: &mut [u8]) -> Converted {
        let (mut read, mut written) = (0, 0);
        loop {
            let step = self.step(source.map(|source| &source[read..]), &mut destination[written..]);
            read += step.read;
            written += step.written;
            if let Some(status) = step.status {
                return Converted { status, read, written };
            }
        }
    }

    fn had_errors(&self) -> bool {
        self.had_errors
    }

    fn position(&self) -> u64 {
        self.position
    }
}

/// The result of one step of [`Encode::convert`].
#[cfg(feature = "encode")]
struct Step {
    read: usize,
    written: usize,
    status: Option<Status>,
}

/// The status with which `convert` stops; `None` if it can go on.
#[cfg(feature = "encode")]
fn stop(status: EncodeStatus) -> Option<Status> {
    match status {
        EncodeStatus::InputEmpty => None,
        EncodeStatus::OutputFull => Some(Status::OutputFull),
        EncodeStatus::Unmappable(unmappable) => Some(Status::Error(Problem::Unmappable(unmappable))),
    }
}

/// A prefix of `bytes` of at most `length` bytes, where `length` is at least 4. If `bytes` is UTF-8, the prefix ends
/// between code points, so that validation finds no code point split in two.
#[cfg(feature = "encode")]
fn window(bytes: &[u8], length: usize) -> &[u8] {
    let ends = (length.saturating_sub(3)..=length).rev();
    let is_continuation = |&end: &usize| bytes.get(end).is_some_and(|byte| byte & 0xC0 == 0x80);
    &bytes[..ends.into_iter().find(|end| !is_continuation(end)).unwrap_or(length).min(bytes.len())]
}
