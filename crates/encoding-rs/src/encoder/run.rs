//! The loop of an encoder, with the rules of encoding_rs for full destinations.
//!
//! The engine's [`textcodec_core::Encoder`] has a loop of the same shape: a bulk conversion of whole slices, and one
//! character after the other to the handler where the bulk conversion stops. This loop differs from it in three ways.
//!
//! * It reads a character only if the space is free that [`needed`](Encoder::needed) tells. The bulk conversion gets a
//!   destination that is shorter by the space for the longest character.
//! * Character references may use the last [`reference`](crate::Encoding::reference) bytes of a destination, and
//!   nothing else does. So they are never written in parts.
//! * A leading surrogate at the end of a source is unpaired.

use textcodec_core::{
    CharacterReference, EncodeErrorMode,
    handler::{HandlerResult, Item, Restored},
};
use textcodec_kernels::blocks::{skip_mut, up_to};

use super::{Encoder, text::Text};
use crate::{
    CoderResult, EncoderResult,
    shape::{Previous, Shape},
};

/// The greatest number of bytes that [`needed`](Encoder::needed) returns.
const LONGEST_CHARACTER: usize = 4;

/// The progress of a call.
#[derive(Clone, Copy)]
struct Progress {
    read: usize,
    written: usize,
    had_errors: bool,
}

impl Encoder {
    /// Encodes with character references.
    #[inline]
    pub(super) fn encode<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let end = destination.len().saturating_sub(self.encoding.reference.into());
        let (result, done) = self.run(source, destination, end, last, EncodeErrorMode::Html);
        let result = match result {
            EncoderResult::InputEmpty => CoderResult::InputEmpty,
            // Unmappable characters are replaced.
            EncoderResult::OutputFull | EncoderResult::Unmappable(_) => CoderResult::OutputFull,
        };
        (result, done.read, done.written, done.had_errors)
    }

    /// Encodes up to an unmappable character.
    #[inline]
    pub(super) fn encode_without_replacement<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let end = destination.len();
        let (result, done) = self.run(source, destination, end, last, EncodeErrorMode::Fatal);
        (result, done.read, done.written)
    }

    /// Encodes `source` into the first `end` bytes of `destination`; the last character reference may be longer. Most
    /// calls finish in the first bulk conversion, which is inlined into the caller.
    #[inline]
    fn run<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        end: usize,
        last: bool,
        mode: EncodeErrorMode,
    ) -> (EncoderResult, Progress) {
        let mut done = Progress { read: 0, written: 0, had_errors: false };
        let bulk_end = self.bulk_end(end);
        if source.length() > 0 {
            (done.read, done.written) = source.convert(self.half, &mut self.state, &mut destination[..bulk_end]);
        }
        // A new encoder has the state 0, and nothing to write at the end.
        if done.read == source.length() && !(last && self.state != 0) {
            return (EncoderResult::InputEmpty, done);
        }
        let result = self.run_rest(source, destination, end, last, mode, &mut done);
        (result, done)
    }

    /// The number of bytes that the bulk conversion may fill, if characters may fill `end` bytes.
    #[inline]
    fn bulk_end(&self, end: usize) -> usize {
        end.saturating_sub(self.encoding.slack_of_encoder.into())
    }

    /// Encodes the rest of `source`, from the character on at which the bulk conversion has stopped.
    #[inline(never)]
    fn run_rest<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        end: usize,
        last: bool,
        mode: EncodeErrorMode,
        done: &mut Progress,
    ) -> EncoderResult {
        let bulk_end = self.bulk_end(end);
        // Whether the handler has written an escape sequence for a character that is not ASCII, and restored the
        // character.
        let mut is_restored = false;
        loop {
            let (character, length) = match source.after(done.read).first() {
                Some((character, length)) => (Item::Value(character), length),
                None if last && self.state != 0 => (Item::EndOfQueue, 0),
                None => return EncoderResult::InputEmpty,
            };
            let free = end.saturating_sub(done.written);
            let has_space = free >= LONGEST_CHARACTER
                || free >= self.needed(source, character, free, up_to(destination, done.written), done.read);
            // An unmappable character needs no more space than the escape sequence before it.
            if !has_space && !is_restored {
                return EncoderResult::OutputFull;
            }
            let (mut state, mut io_queue) = (self.state, Restored::<char>::EMPTY);
            let result = self.half.handler(&mut state, &mut io_queue, character);
            match result {
                HandlerResult::Items(bytes) => {
                    if !has_space {
                        return EncoderResult::OutputFull;
                    }
                    let Some(to) = destination.get_mut(done.written..done.written + bytes.len()) else {
                        return EncoderResult::OutputFull;
                    };
                    to.copy_from_slice(&bytes);
                    done.written += bytes.len();
                    self.state = state;
                    is_restored = !io_queue.is_empty() && matches!(character, Item::Value('\u{80}'..));
                    if io_queue.is_empty() {
                        done.read += length;
                    }
                }
                HandlerResult::Error(code_point) => {
                    self.state = state;
                    done.read += length;
                    is_restored = false;
                    if mode == EncodeErrorMode::Fatal {
                        return EncoderResult::Unmappable(code_point);
                    }
                    done.had_errors = true;
                    let room = skip_mut(destination, done.written);
                    // The bytes that were kept free are enough.
                    done.written += CharacterReference::new(code_point).copy_to(room).unwrap_or_default();
                    // Unmappable characters mostly follow each other, and the bulk conversion would stop at each.
                    let next = source.after(done.read).first();
                    if !next.is_some_and(|(character, _)| character.is_ascii()) {
                        continue;
                    }
                }
                HandlerResult::Continue | HandlerResult::Finished => self.state = state,
            }
            if done.written < bulk_end && done.read < source.length() {
                let to = &mut destination[done.written..bulk_end];
                let (read, written) = source.after(done.read).convert(self.half, &mut self.state, to);
                done.read += read;
                done.written += written;
            }
        }
    }

    /// The bytes that must be free for `character` to be read. `free` bytes are free; the call has encoded the first
    /// `read` units of `source` into `bytes`.
    #[inline]
    fn needed<T: Text + ?Sized>(
        &self,
        source: &T,
        character: Item<char>,
        free: usize,
        bytes: &[u8],
        read: usize,
    ) -> usize {
        let shape = self.encoding.shape;
        let needed = shape.needed_by_encoder().into();
        match (shape, character) {
            (Shape::Utf8, Item::Value(character)) => character.len_utf8(),
            (Shape::Iso2022Jp, _) | (_, Item::EndOfQueue) => needed,
            (_, Item::Value(character)) if free < needed && character.is_ascii() => {
                if self.previous(source, read, bytes) == Previous::Long { needed } else { 1 }
            }
            _ => needed,
        }
    }

    /// The kind of the last character that a call has encoded, after the first `read` units of `source` became `bytes`.
    #[inline(never)]
    fn previous<T: Text + ?Sized>(&self, source: &T, read: usize, bytes: &[u8]) -> Previous {
        let mut bytes = bytes.iter().rev();
        let characters = source.before(read).map_while(|character| match (character.is_ascii(), bytes.next()) {
            // A character reference ends with a semicolon, and no other character that is not ASCII does.
            (false, Some(b';')) => None,
            _ => Some(character),
        });
        self.encoding.shape.previous(characters, None)
    }
}
