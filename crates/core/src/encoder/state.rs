//! The state of a stream as a value, for programs that keep it where no [`Encoder`] can be.

use super::{CharacterReference, Encoder, Stream, run};
use crate::{
    EncoderHalf, Handle, StateError,
    decoder::LAST_POSITION,
    handler::{HandlerResult, Item, Restored},
};

/// The state of an encoder's stream, from [`Encoder::stream_state`], for programs that keep it where no value of Rust
/// can be, such as in the memory of a scripting language or in a file.
///
/// The state converts to three words and back. The first word is the state of the handler, the second is the
/// [`position`](Encoder::position), which decides no bytes of the output. Nothing else about the words is fixed:
/// another version of this library may use them in another way. Any three words can become a value of this type,
/// because [`Encoder::resume`] checks them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EncoderState([u64; 3]);

impl From<[u64; 3]> for EncoderState {
    fn from(words: [u64; 3]) -> Self {
        EncoderState(words)
    }
}

impl From<EncoderState> for [u64; 3] {
    fn from(EncoderState(words): EncoderState) -> Self {
        words
    }
}

impl<E: Handle> Encoder<E> {
    /// The state of the stream. An encoder for the same encoding continues the stream after [`resume`](Self::resume). A
    /// new encoder has three zeros.
    #[must_use]
    pub fn stream_state(&self) -> EncoderState {
        let Stream { position, held, handler, reference_written } = self.stream;
        // From the lowest bit up: a code point plus 1, the number of characters or the end.
        EncoderState([handler.into(), position, u64::from(held) | u64::from(reference_written) << 32])
    }

    /// Continues the stream that [`stream_state`](Self::stream_state) returned `state` for, from an encoder for the
    /// same encoding.
    ///
    /// Whatever the words of `state` are, no later call panics, and each call makes the progress that is promised for
    /// it.
    ///
    /// # Errors
    /// [`StateError`] for a state that no such encoder can be in. Then this encoder is unchanged.
    pub fn resume(&mut self, state: EncoderState) -> Result<(), StateError> {
        match stream(self.half, self.encoding.selector(), state) {
            Some(stream) => {
                self.stream = stream;
                Ok(())
            }
            None => Err(StateError),
        }
    }
}

/// The stream in the state `state` of the encoder `half`. `None` if there is none.
#[inline(never)]
fn stream(
    half: &'static EncoderHalf,
    selector: u8,
    EncoderState([handler, position, rest]): EncoderState,
) -> Option<Stream> {
    let handler = u16::try_from(handler).ok().filter(|&state| state < half.functions().states)?;
    let (held, reference_written) = (rest as u32, u8::try_from(rest >> 32).ok()?);
    let stream = Stream { position, held, handler, reference_written };
    let is_possible = match (stream.reference(), stream.leading_surrogate(), reference_written) {
        (None, None, 0) => held == 0,
        (None, None, Stream::ENDED) => held == 0 && handler == 0,
        (None, Some(_), 0) => position > 0,
        (Some(code_point), None, written) => {
            position > 0
                && usize::from(written) < CharacterReference::new(code_point).length()
                // A part of the reference can have changed the state: a mark is mappable after a digit.
                && [handler ^ u16::from(selector), u16::from(selector)]
                    .into_iter()
                    .find_map(|state| unmappable(half, state, code_point))
                    .is_some_and(|state| run::has_reference(half, state, code_point))
        }
        _ => false,
    };
    (is_possible && position <= LAST_POSITION).then_some(stream)
}

/// The state after the encoder has reported that `code_point` is unmappable, from `state` on. `None` if it is mappable.
fn unmappable(half: &'static EncoderHalf, mut state: u16, code_point: char) -> Option<u16> {
    // The first call can write a character that was held, and restore the code point.
    for _ in 0..2 {
        let mut io_queue = Restored::<char>::EMPTY;
        match (half.functions().handler)(half, &mut state, &mut io_queue, Item::Value(code_point)) {
            HandlerResult::Error(error) => return (error == code_point).then_some(state),
            _ if io_queue.is_empty() => return None,
            _ => {}
        }
    }
    None
}
