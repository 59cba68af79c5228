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

use textcodec_kernels::blocks::after;

use super::{
    DecodeResult, DecodeStatus, Decoder, DecoderErrorMode, Stage, Stream,
    bom::skip_bom,
    destination::{Destination, Writer},
};
use crate::{
    Encoding, Handle, Malformed,
    handler::{HandlerResult, Item, Restored},
};

impl<E: Handle> Decoder<E> {
    /// Decodes `source` into `destination`, and puts the proof of what was written into `proof`.
    ///
    /// Most calls finish in the first `convert`. That fast path is inlined into the caller so that the result stays in
    /// registers. The proof is not a part of the result: a result with a proof is returned through memory and copied,
    /// and the copy waits for the stores. For 8 bytes, the copy took 4.5 ns of 14.5 ns (Zen 5).
    ///
    /// Each function of an encoding is called in one place only, and none gets a reference to this decoder. So the
    /// compiler sees which functions a program with one encoding never calls, and removes them.
    #[inline]
    pub(super) fn run<D: Destination>(
        &mut self,
        source: &[u8],
        destination: D,
        proof: &mut <D::Writer as Writer>::Proof,
        last: bool,
        mode: DecoderErrorMode,
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
        let source = after(source, skipped);
        let (encoding, stream) = (self.encoding().as_static(), &mut self.stream);
        let functions = encoding.decoder();
        let mut writer = destination.writer();
        let (mut read, mut had_errors, mut state) = (0, false, stream.handler);
        let status = loop {
            if stream.restored.is_empty() && functions.unchanged.lets_convert(state) {
                // Before the first error `convert` stops at errors, so that the handler reports it.
                let mode = if had_errors { mode } else { DecoderErrorMode::Fatal };
                let from = after(source, read);
                if !from.is_empty() {
                    read += writer.convert(functions, encoding, &mut state, from, mode);
                }
                // A new decoder has the state 0, and nothing to write at the end.
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
        DecodeResult { status, read: skipped + read, written, had_errors }
    }
}

/// Passes one byte to the handler, and more bytes while a sequence is incomplete or bytes of earlier sources are
/// restored. Returns the number of bytes read and whether there was an error, the status if the call is over, the
/// handler's new state, and the writer.
#[expect(
    clippy::too_many_arguments,
    reason = "with references the compiler does not see which functions a program with one encoding never calls: 27 KB more"
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
                io_queue = Restored::<u8>::EMPTY;
                taken = source.len() - read;
            }
        }

        read += taken;
        // If the restored bytes are the last bytes before `read` in this source, `read` moves back before them. The
        // empty queue is a constant: `clear` would store one of its four bytes, and the next load of all four would
        // wait for the store.
        restored = if io_queue.len() <= read {
            read -= io_queue.len();
            Restored::<u8>::EMPTY
        } else {
            io_queue
        };
        if let Some(malformed) = malformed {
            break Some(DecodeStatus::Malformed(malformed));
        }
        // The handler goes on until the sequence that it has begun is over.
        if restored.is_empty() && !is_amid {
            break None;
        }
    };
    stream.restored = restored;
    (read, had_errors, status, state, writer)
}
