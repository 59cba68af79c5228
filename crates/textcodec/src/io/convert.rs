//! The two directions, decode and encode, as one interface from bytes to bytes. Each direction remembers whether there
//! were errors and how many bytes it has taken.

#[cfg(feature = "encode")]
use core::str;
use std::io;

use crate::{DecodeResult, DecodeStatus, Decoder, DecoderErrorMode, Encoding, Malformed};
#[cfg(feature = "encode")]
use crate::{EncodeResult, EncodeStatus, Encoder, EncoderErrorMode, Unmappable, handler::Bytes};

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
    mode: DecoderErrorMode,
    had_errors: bool,
}

impl Decode {
    pub(super) fn new(decoder: Decoder, mode: DecoderErrorMode) -> Self {
        Decode { decoder, mode, had_errors: false }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.decoder.encoding()
    }

    /// Appends the text of `source`, `None` for end-of-queue, to `text`; in the error mode fatal, up to the first
    /// error. Returns the number of bytes that were taken, and the error.
    #[cfg(any(feature = "futures", feature = "tokio-util"))]
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
        decode: impl FnOnce(&mut Decoder, &[u8], bool, DecoderErrorMode) -> DecodeResult,
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
    /// As [`Encoder::encode_from_utf8`].
    fn encode_from_utf8(&mut self, text: &str, space: &mut [u8], last: bool, mode: EncoderErrorMode) -> EncodeResult;
}

#[cfg(feature = "encode")]
impl EncodeText for Encoder {
    fn encode_from_utf8(&mut self, text: &str, space: &mut [u8], last: bool, mode: EncoderErrorMode) -> EncodeResult {
        Encoder::encode_from_utf8(self, text, space, last, mode)
    }
}

/// The direction from UTF-8 to bytes of an encoding. Bytes that are not UTF-8 are an error in both error modes.
#[cfg(feature = "encode")]
#[derive(Clone, Debug)]
pub struct Encode<E = Encoder> {
    encoder: E,
    mode: EncoderErrorMode,
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
    pub(super) fn new(encoder: Encoder, mode: EncoderErrorMode) -> Self {
        Encode { position: encoder.position(), ..Encode::with(encoder, mode) }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoder.encoding()
    }
}

#[cfg(feature = "encode")]
impl<E: EncodeText> Encode<E> {
    /// Encodes with `encoder`, which is at the start of its text.
    pub(super) fn with(encoder: E, mode: EncoderErrorMode) -> Self {
        Encode { encoder, mode, had_errors: false, position: 0, malformed: 0, split: Bytes::EMPTY }
    }

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
        let mut result = self.encoder.encode_from_utf8(text, space, last, self.mode);
        self.had_errors |= result.had_errors;
        if let EncodeStatus::Unmappable(unmappable) = &mut result.status {
            unmappable.offset += self.malformed;
        }
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
