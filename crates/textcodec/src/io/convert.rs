//! The two directions behind one interface, bytes to bytes, with what is remembered of a stream when it is over.

use core::str;
use std::io;

use crate::{
    DecodeResult, DecodeStatus, Decoder, DecoderErrorMode, EncodeResult, EncodeStatus, Encoder, EncoderErrorMode,
    Encoding, Malformed, Unmappable, handler::Bytes,
};

/// A conversion of a stream of bytes that arrives in pieces.
pub(super) trait Convert {
    /// Converts `source`, `None` for end-of-queue, into the front of `destination`.
    fn convert(&mut self, source: Option<&[u8]>, destination: &mut [u8]) -> Converted;
}

/// What a call of [`Convert::convert`] did.
pub(super) struct Converted {
    pub(super) status: Status,
    /// How many bytes of the source were taken.
    pub(super) read: usize,
    /// How many bytes of the destination were written.
    pub(super) written: usize,
}

/// Why a call stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// All of the source is taken; after end-of-queue the stream has ended.
    InputEmpty,
    /// There is more to write than there was room for. Four bytes are always enough to go on.
    OutputFull,
    /// What is wrong is taken; another call goes on after it.
    Error(Problem),
}

/// What a fatal conversion stopped at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    Malformed(Malformed),
    Unmappable(Unmappable),
}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Malformed(malformed) => io::Error::new(io::ErrorKind::InvalidData, malformed),
            Problem::Unmappable(unmappable) => io::Error::new(io::ErrorKind::InvalidData, unmappable),
        }
    }
}

/// Bytes of an encoding to UTF-8.
#[derive(Clone, Debug)]
pub(super) struct Decode {
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

    pub(super) fn position(&self) -> u64 {
        self.decoder.position()
    }

    pub(super) fn had_errors(&self) -> bool {
        self.had_errors
    }

    /// Appends the text of `source`, `None` for end-of-queue, to `text`, up to the first error in the error mode fatal.
    /// Returns how many bytes were taken, and that error.
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
}

/// Text to bytes.
pub(super) trait EncodeText {
    /// As [`Encoder::encode_from_utf8`].
    fn encode_from_utf8(&mut self, text: &str, room: &mut [u8], last: bool, mode: EncoderErrorMode) -> EncodeResult;
}

impl EncodeText for Encoder {
    fn encode_from_utf8(&mut self, text: &str, room: &mut [u8], last: bool, mode: EncoderErrorMode) -> EncodeResult {
        Encoder::encode_from_utf8(self, text, room, last, mode)
    }
}

/// UTF-8 to bytes of an encoding. Bytes that are not UTF-8 are an error in both error modes.
#[derive(Clone, Debug)]
pub(super) struct Encode<E = Encoder> {
    encoder: E,
    mode: EncoderErrorMode,
    had_errors: bool,
    /// How many bytes were taken.
    position: u64,
    /// How many of them were not UTF-8: the encoder does not count them.
    malformed: u64,
    /// The last of them, if they are the beginning of a code point, or a whole one for which there was no room.
    split: Bytes,
}

impl Encode {
    pub(super) fn new(encoder: Encoder, mode: EncoderErrorMode) -> Self {
        Encode { position: encoder.position(), ..Encode::with(encoder, mode) }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoder.encoding()
    }
}

impl<E: EncodeText> Encode<E> {
    /// `encoder` is a new one.
    pub(super) fn with(encoder: E, mode: EncoderErrorMode) -> Self {
        Encode { encoder, mode, had_errors: false, position: 0, malformed: 0, split: Bytes::EMPTY }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn had_errors(&self) -> bool {
        self.had_errors
    }

    /// One code point that was split between sources, or a piece of this source; `status` is `None` if that is not all.
    fn step(&mut self, source: Option<&[u8]>, room: &mut [u8]) -> Step {
        if self.split.is_empty() { self.step_in_source(source, room) } else { self.step_in_split(source, room) }
    }

    fn step_in_split(&mut self, source: Option<&[u8]>, room: &mut [u8]) -> Step {
        let split = self.split;
        if let Ok(text) = str::from_utf8(&split) {
            let result = self.encode(text, room, false);
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

    fn step_in_source(&mut self, source: Option<&[u8]>, room: &mut [u8]) -> Step {
        let bytes = source.unwrap_or_default();
        // Not much more than what there is room for: what does not fit is looked through again with the next room.
        let window = window(bytes, room.len() + 4);
        let (text, error) = match str::from_utf8(window) {
            Ok(text) => (text, None),
            Err(error) => (str::from_utf8(&window[..error.valid_up_to()]).unwrap_or_default(), Some(error)),
        };
        let result = self.encode(text, room, source.is_none());
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

    /// Takes `byte` behind the beginning of a code point. False, and nothing is taken, if it does not belong there.
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

    /// The error for `bytes`, the last that were taken.
    fn malformed(&mut self, bytes: &[u8]) -> Status {
        let length = bytes.len() as u64;
        self.malformed += length;
        self.had_errors = true;
        Status::Error(Problem::Malformed(Malformed::new(self.position - length, bytes.into())))
    }

    fn encode(&mut self, text: &str, room: &mut [u8], last: bool) -> EncodeResult {
        let mut result = self.encoder.encode_from_utf8(text, room, last, self.mode);
        self.had_errors |= result.had_errors;
        if let EncodeStatus::Unmappable(unmappable) = &mut result.status {
            unmappable.offset += self.malformed;
        }
        result
    }
}

impl<E: EncodeText> Convert for Encode<E> {
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
}

/// A part of [`Encode`]'s [`Converted`].
struct Step {
    read: usize,
    written: usize,
    status: Option<Status>,
}

/// Why encoding cannot go on, if it cannot.
fn stop(status: EncodeStatus) -> Option<Status> {
    match status {
        EncodeStatus::InputEmpty => None,
        EncodeStatus::OutputFull => Some(Status::OutputFull),
        EncodeStatus::Unmappable(unmappable) => Some(Status::Error(Problem::Unmappable(unmappable))),
    }
}

/// A prefix of `bytes` of at most `length` bytes, at least 4, that ends between code points if `bytes` is UTF-8: it is then
/// looked through only once, and nothing is split.
fn window(bytes: &[u8], length: usize) -> &[u8] {
    let ends = (length.saturating_sub(3)..=length).rev();
    let is_continuation = |&end: &usize| bytes.get(end).is_some_and(|byte| byte & 0xC0 == 0x80);
    &bytes[..ends.into_iter().find(|end| !is_continuation(end)).unwrap_or(length).min(bytes.len())]
}
