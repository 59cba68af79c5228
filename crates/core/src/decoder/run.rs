//! The loop in which the two layers of a decoder meet, written once for all encodings.
//!
//! [`run`] repeats two steps. First, the bulk conversion ([`DecoderHandler::convert`](crate::handler::DecoderHandler::convert)) takes
//! as much of the source as it can. It stops before everything unusual: an error, a sequence that the source cuts off, the end of the
//! destination. Then [`handle`] takes single bytes through the Standard's algorithm
//! ([`handler`](crate::handler::DecoderHandler::handler)) until the decoder is between sequences again. Most calls finish in the first
//! bulk conversion. That fast path is inlined into the caller so that its results stay in registers.
//!
//! Each step of the handler runs on a copy of the state. The copy becomes the state only if the result fits into the destination, so
//! that destinations of every size work and are filled as far as possible. Bytes that the handler restores are read again from the
//! source, or are kept in the [`Stream`] if they come from an earlier source.
//!
//! The loop calls each of an encoding's functions at one place and never passes a reference to the decoder. So the compiler sees which
//! functions a program with one encoding does not need.

use textcodec_kernels::{
    blocks::{after, after_mut},
    string::{Utf8Space, Utf8Writer, Utf8Written},
};

use super::{DecodeResult, DecodeStatus, DecoderErrorMode, Stage, Stream};
use crate::{
    Encoding, Malformed,
    encoding::DecoderFunctions,
    handler::{CodePoints, HandlerResult, Item},
};

/// Where decoded text goes: a slice, so that it is passed in registers.
pub(super) trait Destination {
    type Writer: Writer;

    fn writer(self) -> Self::Writer;
}

impl<'id> Destination for Utf8Space<'id> {
    type Writer = Utf8Writer<'id>;

    #[inline(always)]
    fn writer(self) -> Utf8Writer<'id> {
        Utf8Space::writer(self)
    }
}

impl<'a> Destination for &'a mut [u16] {
    type Writer = Utf16Writer<'a>;

    #[inline(always)]
    fn writer(self) -> Utf16Writer<'a> {
        Utf16Writer { units: self, written: 0 }
    }
}

/// A destination, and how much of it has been written.
pub(super) trait Writer {
    /// A proof of what has been written.
    type Proof;

    /// How many code units have been written.
    fn written(&self) -> usize;

    /// Writes all of `code_points` if they fit. Returns whether they did.
    fn push(&mut self, code_points: CodePoints) -> bool;

    /// Calls the bulk conversion into this unit. Returns how many bytes were read.
    fn convert(
        &mut self,
        functions: &DecoderFunctions,
        encoding: &'static Encoding,
        state: &mut u64,
        source: &[u8],
        mode: DecoderErrorMode,
    ) -> usize;

    /// Ends the writing.
    fn finish(self) -> Self::Proof;
}

impl<'id> Writer for Utf8Writer<'id> {
    type Proof = Utf8Written<'id>;

    #[inline(always)]
    fn written(&self) -> usize {
        Utf8Writer::written(self)
    }

    #[inline]
    fn push(&mut self, CodePoints { first, second }: CodePoints) -> bool {
        let length = first.len_utf8() + second.map_or(0, char::len_utf8);
        length <= self.remaining()
            && Utf8Writer::push(self, first)
            && second.is_none_or(|second| Utf8Writer::push(self, second))
    }

    #[inline(always)]
    fn convert(
        &mut self,
        functions: &DecoderFunctions,
        encoding: &'static Encoding,
        state: &mut u64,
        source: &[u8],
        mode: DecoderErrorMode,
    ) -> usize {
        self.write(|space| (functions.convert_to_utf8)(encoding, state, source, space, mode))
    }

    #[inline(always)]
    fn finish(self) -> Utf8Written<'id> {
        Utf8Writer::finish(self)
    }
}

/// Writes UTF-16. It needs no proof: every slice of code units is UTF-16.
pub(super) struct Utf16Writer<'a> {
    units: &'a mut [u16],
    written: usize,
}

impl Writer for Utf16Writer<'_> {
    type Proof = ();

    #[inline(always)]
    fn written(&self) -> usize {
        self.written
    }

    #[inline]
    fn push(&mut self, CodePoints { first, second }: CodePoints) -> bool {
        let length = first.len_utf16() + second.map_or(0, char::len_utf16);
        let Some(to) = self.units.get_mut(self.written..self.written + length) else { return false };
        let (to_first, to_second) = to.split_at_mut(first.len_utf16());
        first.encode_utf16(to_first);
        if let Some(second) = second {
            second.encode_utf16(to_second);
        }
        self.written += length;
        true
    }

    #[inline(always)]
    fn convert(
        &mut self,
        functions: &DecoderFunctions,
        encoding: &'static Encoding,
        state: &mut u64,
        source: &[u8],
        mode: DecoderErrorMode,
    ) -> usize {
        let to = after_mut(self.units, self.written);
        let (read, written) = (functions.convert)(encoding, state, source, to, mode);
        self.written += written;
        read
    }

    #[inline(always)]
    fn finish(self) {}
}

/// Decodes `source`, which comes after a byte order mark if there is one, and puts a proof of what has been written into `proof`.
#[inline]
pub(super) fn run<D: Destination>(
    encoding: &'static Encoding,
    stream: &mut Stream,
    source: &[u8],
    destination: D,
    proof: &mut <D::Writer as Writer>::Proof,
    last: bool,
    mode: DecoderErrorMode,
) -> DecodeResult {
    let mut writer = destination.writer();
    let (mut read, mut had_errors, mut state) = (0, false, stream.handler);
    let status = loop {
        if stream.restored.is_empty() {
            // Until the first error the bulk conversion stops at errors, so that the error is noticed.
            let mode = if had_errors { mode } else { DecoderErrorMode::Fatal };
            let from = after(source, read);
            if !from.is_empty() {
                read += writer.convert(encoding.decoder(), encoding, &mut state, from, mode);
            }
            // A state of 0 is the state of a new decoder, which has nothing to do at the end of the stream.
            if read == source.len() && !(last && state != 0) {
                break DecodeStatus::InputEmpty;
            }
        }
        let status;
        (read, had_errors, status, state, writer) =
            handle(encoding, stream, state, source, writer, last, mode, read, had_errors);
        if let Some(status) = status {
            break status;
        }
    };
    stream.handler = state;
    stream.position += read as u64;
    if last && status == DecodeStatus::InputEmpty {
        stream.stage = Stage::Ended;
    }
    let written = writer.written();
    *proof = writer.finish();
    DecodeResult { status, read, written, had_errors }
}

/// Takes one byte through the handler, and more bytes while a sequence goes on or bytes are restored from earlier sources. Returns how
/// far that has come, why it stopped unless the bulk conversion is to go on, and the state and the writer.
#[expect(
    clippy::too_many_arguments,
    reason = "behind references the compiler does not see what a program with one encoding does not need: 27 KB more"
)]
#[inline]
fn handle<W: Writer>(
    encoding: &'static Encoding,
    stream: &mut Stream,
    mut state: u64,
    source: &[u8],
    mut writer: W,
    last: bool,
    mode: DecoderErrorMode,
    mut read: usize,
    mut had_errors: bool,
) -> (usize, bool, Option<DecodeStatus>, u64, W) {
    let functions = encoding.decoder();
    let pending = |state| (functions.pending)(encoding, state).len();
    let mut restored = stream.restored;
    let status = loop {
        let mut io_queue = restored;
        let mut taken = 0;
        let byte = match io_queue.read() {
            Some(byte) => Item::Value(byte),
            None => match source.get(read) {
                Some(&byte) => {
                    taken = 1;
                    Item::Value(byte)
                }
                None if last && state != 0 => Item::EndOfQueue,
                None => break Some(DecodeStatus::InputEmpty),
            },
        };

        let before = state;
        let (mut malformed, mut is_amid) = (None, false);
        match (functions.handler)(encoding, &mut state, &mut io_queue, byte) {
            HandlerResult::Items(code_points) => {
                if !writer.push(code_points) {
                    state = before;
                    break Some(DecodeStatus::OutputFull);
                }
            }
            HandlerResult::Error(()) if mode == DecoderErrorMode::Replacement => {
                if !writer.push('\u{FFFD}'.into()) {
                    state = before;
                    break Some(DecodeStatus::OutputFull);
                }
                had_errors = true;
            }
            HandlerResult::Error(()) => {
                let mut bytes = (functions.pending)(encoding, before);
                let start = stream.position + read as u64 - (restored.len() + bytes.len()) as u64;
                let end = stream.position + (read + taken) as u64 - (io_queue.len() + pending(state)) as u64;
                if let Item::Value(byte) = byte {
                    bytes.push(byte);
                }
                bytes.truncate((end - start) as usize);
                malformed = Some(Malformed::new(start, bytes));
                had_errors = true;
            }
            HandlerResult::Continue => is_amid = true,
            HandlerResult::Finished if byte == Item::EndOfQueue => break Some(DecodeStatus::InputEmpty),
            // The decoder of replacement: the rest of the source is dropped.
            HandlerResult::Finished => {
                io_queue.clear();
                taken = source.len() - read;
            }
        }

        read += taken;
        restored = io_queue;
        // Restored bytes that are the last ones before `read` in this source become unread.
        if restored.len() <= read {
            read -= restored.len();
            restored.clear();
        }
        if let Some(malformed) = malformed {
            break Some(DecodeStatus::Malformed(malformed));
        }
        // The bulk conversion starts between sequences only.
        if restored.is_empty() && !is_amid {
            break None;
        }
    };
    stream.restored = restored;
    (read, had_errors, status, state, writer)
}
