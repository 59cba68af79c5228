//! The loop of a decoder, with the rules of encoding_rs for full destinations and for errors.
//!
//! The engine's [`textcodec_core::Decoder`] has a loop of the same shape: a bulk conversion of whole slices, and one
//! byte after the other to the handler where the bulk conversion stops. This loop differs from it in two ways.
//!
//! * It reads a byte only if the space is free that [`Shape::needed`](crate::shape::Shape::needed) tells. The bulk
//!   conversion gets a destination that is shorter by [`Shape::slack`](crate::shape::Shape::slack).
//! * Of the bytes that a handler restores, only the last one is given back to the caller. The others count as read, and
//!   are the second number of [`DecoderResult::Malformed`].

use textcodec_core::{
    DecodeErrorMode,
    handler::{HandlerResult, Item, Restore, Restored},
};
use textcodec_kernels::blocks::{skip, up_to};

use super::{Decoder, iso_2022_jp::History, writer::Writer};
use crate::{
    DecoderResult,
    shape::{Previous, Shape, astral, bmp},
};

/// The result of a call.
pub(super) struct Done {
    pub(super) result: DecoderResult,
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) had_errors: bool,
}

impl Done {
    pub(super) const NOTHING: Self = Done { result: DecoderResult::InputEmpty, read: 0, written: 0, had_errors: false };
}

/// The progress of a call in its source.
#[derive(Clone, Copy)]
struct Progress {
    read: usize,
    /// The number of units that were written up to the last sequence that began in an earlier source, and up to the
    /// last error. What the call has decoded after them was in the source as whole characters.
    fresh_written: usize,
    had_errors: bool,
}

impl Decoder {
    /// Decodes `source` into `writer`. Most calls finish in the first bulk conversion. This function has no loop, so
    /// that the compiler inlines it into the caller.
    #[inline]
    pub(super) fn run<W: Writer>(&mut self, source: &[u8], writer: &mut W, last: bool, mode: DecodeErrorMode) -> Done {
        let (mut read, before) = (0, writer.written());
        let began_earlier = self.state != 0;
        if self.restored.is_empty() && self.encoding.for_decoding().lets_convert(self.state) {
            let is_over = self.convert(source, writer, last, DecodeErrorMode::Fatal, &mut read);
            if is_over {
                return Done { read, written: writer.written(), ..Done::NOTHING };
            }
        }
        self.run_rest(source, writer, last, mode, read, before, began_earlier)
    }

    /// Decodes the rest of `source`, of which the bulk conversion has decoded the first `read` bytes. `before` units
    /// were written before them. `began_earlier` says whether the first sequence may have begun in an earlier source.
    #[expect(
        clippy::too_many_arguments,
        reason = "all but the first one are numbers and slices, which `run` has in registers"
    )]
    #[inline(never)]
    fn run_rest<W: Writer>(
        &mut self,
        source: &[u8],
        writer: &mut W,
        last: bool,
        mode: DecodeErrorMode,
        read: usize,
        before: usize,
        began_earlier: bool,
    ) -> Done {
        let fresh_written = if began_earlier && read != 0 { writer.end_of_first(before) } else { before };
        let mut progress = Progress { read, fresh_written, had_errors: false };
        let result = loop {
            if let Some(result) = self.step(source, writer, last, mode, &mut progress) {
                break result;
            }
            if self.restored.is_empty() {
                // Before the first error the bulk conversion stops at errors, so that the handler reports the error.
                let mode = if progress.had_errors { mode } else { DecodeErrorMode::Fatal };
                if self.convert(source, writer, last, mode, &mut progress.read) {
                    break DecoderResult::InputEmpty;
                }
            }
        };
        Done { result, read: progress.read, written: writer.written(), had_errors: progress.had_errors }
    }

    /// Decodes in bulk from `read` on. Returns whether the whole source has been read and nothing is left to write.
    #[inline]
    fn convert<W: Writer>(
        &mut self,
        source: &[u8],
        writer: &mut W,
        last: bool,
        mode: DecodeErrorMode,
        read: &mut usize,
    ) -> bool {
        let codec = self.encoding.for_decoding();
        let from = skip(source, *read);
        if !from.is_empty() {
            if let Some(limit) = writer.remaining().checked_sub(self.encoding.slack(W::IS_UTF16, mode)) {
                let before = self.state;
                let converted = writer.convert(codec, &mut self.state, from, limit, mode);
                // In the state 0, greatest lengths do not depend on earlier bytes.
                if self.state != 0 && self.encoding.shape == Shape::Iso2022Jp {
                    self.history = self.history_after_all(before, up_to(from, converted), mode);
                }
                *read += converted;
            }
        }
        *read == source.len() && (!last || codec.may_end(self.state))
    }

    /// Passes one byte to the handler, and more bytes while a sequence is incomplete or bytes are restored. Returns the
    /// result if the call is over.
    #[inline]
    fn step<W: Writer>(
        &mut self,
        source: &[u8],
        writer: &mut W,
        last: bool,
        mode: DecodeErrorMode,
        progress: &mut Progress,
    ) -> Option<DecoderResult> {
        let (codec, shape) = (self.encoding.for_decoding(), self.encoding.shape);
        // Whether the space has been checked for the sequence that has begun.
        let mut is_checked = false;
        let start = progress.read;
        // The state in which the sequence has begun; not 0 if it may have begun in an earlier source. In ISO-2022-JP
        // other states are not 0 either, but there no sequence's space depends on the sequences before it.
        let mut first_state = self.state;
        // Whether the sequence began in restored bytes.
        let mut is_restored = false;
        loop {
            let before = self.state;
            let mut io_queue = self.restored;
            let (byte, was_restored, taken) = match (io_queue.read(), source.get(progress.read)) {
                // A restored byte can be a leading byte, which writes nothing but needs as much space as a character.
                (Some(_), _) if shape == Shape::Iso2022Jp && writer.remaining() < bmp(W::IS_UTF16) => {
                    return Some(DecoderResult::OutputFull);
                }
                (Some(byte), _) => (Item::Value(byte), true, 0),
                (None, Some(&byte)) => {
                    if !is_checked || shape == Shape::Iso2022Jp {
                        if writer.remaining() < astral(W::IS_UTF16) {
                            let needed = if self.pending() == 0 {
                                let rest = skip(source, progress.read);
                                shape.needed(W::IS_UTF16, rest, self.previous(source, writer, progress))
                            } else {
                                shape.needed_amid(W::IS_UTF16)
                            };
                            // Only the first byte of replacement's stream writes something.
                            let is_silent = shape == Shape::Replacement && before != 0;
                            if writer.remaining() < needed && !is_silent {
                                return Some(DecoderResult::OutputFull);
                            }
                        }
                        is_checked = true;
                    }
                    (Item::Value(byte), false, 1)
                }
                (None, None) if last && !codec.may_end(before) => (Item::EndOfQueue, false, 0),
                (None, None) => return Some(DecoderResult::InputEmpty),
            };

            let mut state = before;
            let result = codec.decoder_handler(&mut state, &mut io_queue, byte);
            let mut is_amid = false;
            match result {
                HandlerResult::Items(code_points) => {
                    if was_restored && writer.remaining() < bmp(W::IS_UTF16) || !writer.push(code_points) {
                        return Some(DecoderResult::OutputFull);
                    }
                    self.history = History::USUAL;
                    if was_restored || is_restored || first_state != 0 {
                        progress.fresh_written = writer.written();
                    }
                    (is_checked, is_restored, first_state) = (false, false, 0);
                }
                HandlerResult::Error(()) => {
                    if byte == Item::EndOfQueue && writer.remaining() < shape.needed_at_end(W::IS_UTF16) {
                        return Some(DecoderResult::OutputFull);
                    }
                    if mode == DecodeErrorMode::Replacement && !writer.push('\u{FFFD}'.into()) {
                        return Some(DecoderResult::OutputFull);
                    }
                    progress.had_errors = true;
                    let pending = self.pending();
                    if shape == Shape::Iso2022Jp {
                        self.history = self.history_after_error(byte);
                    }
                    let later = self.pending_in(state);
                    let length = self.restored.len() + pending + taken - io_queue.len() - later;
                    // The source gets back the byte that the handler was called with, and in UTF-16 also the byte
                    // before it, if the whole sequence is in the source.
                    let back = match byte {
                        Item::Value(byte) if taken == 1 && io_queue.as_slice().last() == Some(&byte) => {
                            if shape.is_utf16() {
                                if progress.read - start >= pending { io_queue.len() } else { 0 }
                            } else {
                                1
                            }
                        }
                        _ => 0,
                    };
                    io_queue = without_back(io_queue, back);
                    self.state = state;
                    self.restored = io_queue;
                    progress.read = progress.read + taken - back;
                    progress.fresh_written = writer.written();
                    if mode == DecodeErrorMode::Replacement {
                        return None;
                    }
                    let later = io_queue.len() + later;
                    return Some(match (shape, length, later) {
                        // Of two escape sequences in a row, encoding_rs reports the first one, the Standard the second
                        // one.
                        (Shape::Iso2022Jp, 3, 0) => DecoderResult::Malformed(3, 3),
                        _ => DecoderResult::Malformed(length as u8, later as u8),
                    });
                }
                HandlerResult::Continue => {
                    is_amid = true;
                    is_restored |= was_restored;
                }
                HandlerResult::Finished if byte == Item::EndOfQueue => {
                    self.state = state;
                    return Some(DecoderResult::InputEmpty);
                }
                // The decoder of replacement: the rest of the source is dropped.
                HandlerResult::Finished => {
                    progress.read = source.len();
                    return Some(DecoderResult::InputEmpty);
                }
            }
            self.state = state;
            self.restored = io_queue;
            progress.read += taken;
            // The handler goes on until the sequence that it has begun is over.
            if self.restored.is_empty() && !is_amid {
                return None;
            }
        }
    }

    /// The number of bytes of the sequence that has begun.
    pub(super) fn pending(&self) -> usize {
        self.pending_in(self.state)
    }

    /// The number of bytes of the sequence that has begun in `state`. Never inlined, because it has three callers.
    #[inline(never)]
    fn pending_in(&self, state: u64) -> usize {
        if state == 0 { 0 } else { self.encoding.for_decoding().decoder_pending(state).len() }
    }

    /// What the call has decoded before `progress.read`. Never inlined, like [`Shape::needed`]: both are needed only
    /// near the end of a destination, and a program is 300 bytes smaller.
    #[inline(never)]
    fn previous<W: Writer>(&self, source: &[u8], writer: &W, progress: &Progress) -> Previous {
        let byte = up_to(source, progress.read).last().copied();
        self.encoding.shape.previous(writer.after(progress.fresh_written), byte)
    }
}

/// `bytes` without the last `count`.
fn without_back(bytes: Restored<u8>, count: usize) -> Restored<u8> {
    let mut rest = Restored::<u8>::EMPTY;
    rest.restore(up_to(bytes.as_slice(), bytes.len() - count));
    rest
}
