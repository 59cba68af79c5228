//! The loop in which the two layers of a decoder meet, for all encodings.
//!
//! Each round first calls `convert`, which decodes as much of the source as it can in bulk. `convert` stops before an
//! error, before the destination is full, and in some encodings before a sequence that the source cuts off. Then single
//! bytes go to the handler until the decoder is between sequences again. So the handler reports every error, and
//! decodes everything that `convert` leaves.
//!
//! A call of the handler works on a copy of its state. The copy becomes the state when the handler's output fits into
//! the destination. So any size of destination works and is filled as far as possible.
//!
//! Two things are carried from call to call besides the handler's state: the number of bytes read, and bytes that the
//! handler restored and that are not in the next source. The loop for encoders has the same shape.

use textcodec_kernels::blocks::skip;

use super::{
    DecodeErrorMode, DecodeResult, DecodeStatus, Decoder, Stage, Stream,
    bom::skip_bom,
    destination::{Destination, Writer},
};
use crate::{
    Codec, Handle, Malformed,
    handler::{Bytes, HandlerResult, Item, Restored},
};

impl<E: Handle> Decoder<E> {
    /// Decodes `source` into `destination`, and puts the proof of what was written into `proof`.
    ///
    /// Most calls finish in the first `convert`. This function has no loop, so that the compiler keeps the state and
    /// the result in registers: a call on 8 bytes takes 6.6 ns, and took 7.4 ns with the loop in this function (Zen 5,
    /// English in windows-1252). The proof is not a part of the result: a result with a proof is returned through
    /// memory and copied, and the copy waits for the stores.
    ///
    /// [`run_rest`] gets copies, and no reference to a part of this decoder. So the compiler sees which functions a
    /// program with one encoding never calls, and removes them.
    #[inline]
    pub(super) fn run<D: Destination>(
        &mut self,
        source: &[u8],
        destination: D,
        proof: &mut <D::Writer as Writer>::Proof,
        last: bool,
        mode: DecodeErrorMode,
    ) -> DecodeResult {
        let mut skipped = 0;
        if self.stream.stage != Stage::Text && self.may_begin_with_bom(source) {
            let (stream, length) = skip_bom(self.encoding, self.stream, source, last);
            // The compiler sees here that the treatment of byte order marks stays the same.
            self.stream = Stream { bom_handling: self.stream.bom_handling, ..stream };
            match length {
                Some(length) => skipped = length,
                None => {
                    let status = DecodeStatus::InputEmpty;
                    return DecodeResult { status, read: source.len(), written: 0, had_errors: false };
                }
            }
        }
        let source = skip(source, skipped);
        let encoding = self.encoding();
        let (codec, selector, stream) = (encoding.codec(), u64::from(encoding.selector()), &mut self.stream);
        let mut writer = destination.writer();
        let (mut read, mut state) = (0, stream.handler ^ selector);
        let (mut status, mut had_errors) = (DecodeStatus::InputEmpty, false);
        let is_over = can_convert(codec, state, stream.restored)
            && convert(codec, &mut state, &mut writer, source, last, DecodeErrorMode::Fatal, &mut read);
        if !is_over {
            let mut malformed = Malformed::new(0, Bytes::EMPTY);
            let (position, restored) = (stream.position, stream.restored);
            let (end, done) =
                run_rest(codec, source, read, state, restored, position, last, mode, &mut writer, &mut malformed);
            Progress { state, read, restored: stream.restored, had_errors } = done;
            status = match end {
                End::InputEmpty => DecodeStatus::InputEmpty,
                End::OutputFull => DecodeStatus::OutputFull,
                End::Malformed => DecodeStatus::Malformed(malformed),
            };
        }
        stream.handler = state ^ selector;
        stream.position += read as u64;
        if last && status == DecodeStatus::InputEmpty {
            stream.stage = Stage::Ended;
        }
        let written = writer.written();
        *proof = writer.finish();
        DecodeResult { status, read: skipped + read, written, had_errors }
    }
}

/// Whether nothing is left of earlier bytes that has to be decoded first.
#[inline(always)]
fn can_convert(codec: &'static Codec, state: u64, restored: Restored<u8>) -> bool {
    restored.is_empty() && codec.lets_convert(state)
}

/// Decodes in bulk from `read` on. Returns whether the whole source has been read and nothing is left to write.
#[inline(always)]
fn convert<W: Writer>(
    codec: &'static Codec,
    state: &mut u64,
    writer: &mut W,
    source: &[u8],
    last: bool,
    mode: DecodeErrorMode,
    read: &mut usize,
) -> bool {
    let from = skip(source, *read);
    if !from.is_empty() {
        *read += writer.convert(codec.decoder(), codec, state, from, mode);
    }
    *read == source.len() && (!last || codec.may_end(*state))
}

/// The reason why a call stopped: a [`DecodeStatus`] without the error. With it, each result of [`run_rest`] would be
/// copied, also if there is no error, and the copy would wait for the stores.
enum End {
    InputEmpty,
    OutputFull,
    Malformed,
}

/// The progress of a call after the first `convert`.
struct Progress {
    state: u64,
    read: usize,
    restored: Restored<u8>,
    had_errors: bool,
}

/// Decodes the rest of `source`, from the place on at which `convert` has stopped, or where it cannot begin.
#[expect(
    clippy::too_many_arguments,
    reason = "by value, the compiler sees in a program with one codec that no byte is ever restored: 0.8 KB less"
)]
#[inline(never)]
fn run_rest<W: Writer>(
    codec: &'static Codec,
    source: &[u8],
    read: usize,
    state: u64,
    restored: Restored<u8>,
    position: u64,
    last: bool,
    mode: DecodeErrorMode,
    writer: &mut W,
    malformed: &mut Malformed,
) -> (End, Progress) {
    let mut progress = Progress { state, read, restored, had_errors: false };
    let end = loop {
        if let Some(end) = handle(codec, source, position, last, mode, writer, &mut progress, malformed) {
            break end;
        }
        if can_convert(codec, progress.state, progress.restored) {
            // Before the first error `convert` stops at errors, so that the handler reports it.
            let mode = if progress.had_errors { mode } else { DecodeErrorMode::Fatal };
            // A copy: if `convert` got the field itself, the compiler would not know the other fields either, and a
            // program with one encoding could be 0.7 KB larger.
            let mut state = progress.state;
            let is_over = convert(codec, &mut state, writer, source, last, mode, &mut progress.read);
            progress.state = state;
            if is_over {
                break End::InputEmpty;
            }
        }
    };
    (end, progress)
}

/// Passes one byte to the handler, and more bytes while a sequence is incomplete or bytes of earlier sources are
/// restored. Returns the reason if the call is over; an error is stored in `malformed`.
#[expect(clippy::too_many_arguments, reason = "the arguments of `run_rest`, which is the only caller")]
#[inline]
fn handle<W: Writer>(
    codec: &'static Codec,
    source: &[u8],
    position: u64,
    last: bool,
    mode: DecodeErrorMode,
    writer: &mut W,
    progress: &mut Progress,
    malformed: &mut Malformed,
) -> Option<End> {
    let functions = codec.decoder();
    let pending = |state| (functions.pending)(codec, state).len();
    loop {
        let (mut io_queue, restored) = (progress.restored, progress.restored.len());
        let mut taken = 0;
        let byte = match io_queue.read() {
            Some(byte) => Item::Value(byte),
            None => match source.get(progress.read) {
                Some(&byte) => {
                    taken = 1;
                    Item::Value(byte)
                }
                None if last && !codec.may_end(progress.state) => Item::EndOfQueue,
                None => return Some(End::InputEmpty),
            },
        };

        let mut state = progress.state;
        let (mut is_malformed, mut is_amid) = (false, false);
        match (functions.handler)(codec, &mut state, &mut io_queue, byte) {
            HandlerResult::Items(code_points) => {
                if !writer.push(code_points) {
                    return Some(End::OutputFull);
                }
            }
            HandlerResult::Error(()) if mode == DecodeErrorMode::Replacement => {
                if !writer.push('\u{FFFD}'.into()) {
                    return Some(End::OutputFull);
                }
                progress.had_errors = true;
            }
            HandlerResult::Error(()) => {
                let mut bytes = (functions.pending)(codec, progress.state);
                let start = position + progress.read as u64 - (restored + bytes.len()) as u64;
                let end = position + (progress.read + taken) as u64 - (io_queue.len() + pending(state)) as u64;
                if let Item::Value(byte) = byte {
                    bytes.push(byte);
                }
                bytes.truncate((end - start) as usize);
                *malformed = Malformed::new(start, bytes);
                is_malformed = true;
                progress.had_errors = true;
            }
            HandlerResult::Continue => is_amid = true,
            HandlerResult::Finished if byte == Item::EndOfQueue => {
                progress.state = state;
                return Some(End::InputEmpty);
            }
            // The decoder of replacement: the rest of the source is dropped.
            HandlerResult::Finished => {
                io_queue = Restored::<u8>::EMPTY;
                taken = source.len() - progress.read;
            }
        }

        progress.state = state;
        progress.read += taken;
        // If the restored bytes are the last bytes before `read` in this source, `read` moves back before them. The
        // empty queue is a constant: `clear` would store one of its four bytes, and the next load of all four would
        // wait for the store.
        progress.restored = if io_queue.len() <= progress.read {
            progress.read -= io_queue.len();
            Restored::<u8>::EMPTY
        } else {
            io_queue
        };
        if is_malformed {
            return Some(End::Malformed);
        }
        // The handler goes on until the sequence that it has begun is over.
        if progress.restored.is_empty() && !is_amid {
            return None;
        }
    }
}
