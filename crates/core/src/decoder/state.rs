//! The state of a stream as a value, for programs that keep it where no [`Decoder`] can be.

use super::{BomHandling, Decoder, Stage, Stream, bom::skip_bom};
use crate::{
    Bom, Codec, Handle, StateError,
    handler::{HandlerResult, Item, Restored},
};

/// The state of a decoder's stream, from [`Decoder::stream_state`], for programs that keep it where no value of Rust
/// can be, such as in the memory of a scripting language or in a file.
///
/// The state converts to three words and back. The first word is the state of the handler, the second is the
/// [`position`](Decoder::position), and the two highest bytes of the third word are 0. Nothing else about the words is
/// fixed: another version of this library may use them in another way. Any three words can become a value of this type,
/// because [`Decoder::resume`] checks them.
///
/// ```
/// use textcodec_core::{Decoder, DecodeErrorMode, DecoderState, Encoding, StateError};
///
/// fn next_text(encoding: &'static Encoding, words: &mut [u64; 3], source: &[u8]) -> Result<String, StateError> {
///     let mut decoder: Decoder = Decoder::new(encoding);
///     decoder.resume(DecoderState::from(*words))?;
///     let mut text = String::new();
///     let _ = decoder.decode_to_string(source, &mut text, false, DecodeErrorMode::Replacement);
///     *words = decoder.stream_state().into();
///     Ok(text)
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DecoderState([u64; 3]);

impl From<[u64; 3]> for DecoderState {
    fn from(words: [u64; 3]) -> Self {
        DecoderState(words)
    }
}

impl From<DecoderState> for [u64; 3] {
    fn from(DecoderState(words): DecoderState) -> Self {
        words
    }
}

/// The greatest position in a stream, in bytes. With a greater one, a later call could overflow the position.
pub(crate) const LAST_POSITION: u64 = u64::MAX / 2;

/// The greatest number of bytes that a handler restores.
const MOST_RESTORED: usize = 3;

impl<E: Handle> Decoder<E> {
    /// The state of the stream. A decoder that was made for the same encoding in the same way continues the stream
    /// after [`resume`](Self::resume). A new decoder that does not look for byte order marks has three zeros.
    #[must_use]
    pub fn stream_state(&self) -> DecoderState {
        let Stream { handler, position, ref restored, stage, bom, .. } = self.stream;
        let stage = match stage {
            Stage::Text => 0,
            Stage::Start => 1,
            Stage::Ended => 2,
        };
        let bom = match bom {
            None => 0,
            Some(Bom::Utf8) => 1,
            Some(Bom::Utf16Be) => 2,
            Some(Bom::Utf16Le) => 3,
        };
        // From the lowest byte up: three restored bytes, their number, the stage, the byte order mark.
        let mut bytes = [0, 0, 0, restored.len() as u8, stage, bom, 0, 0];
        bytes[..restored.len()].copy_from_slice(restored.as_slice());
        DecoderState([handler, position, u64::from_le_bytes(bytes)])
    }

    /// Continues the stream that [`stream_state`](Self::stream_state) returned `state` for, from a decoder that was
    /// made for the same encoding in the same way.
    ///
    /// Whatever the words of `state` are, no later call panics, and each call makes the progress that is promised for
    /// it.
    ///
    /// # Errors
    /// [`StateError`] for a state that no such decoder can be in. Then this decoder is unchanged.
    pub fn resume(&mut self, state: DecoderState) -> Result<(), StateError> {
        match stream(self.encoding, self.stream.bom_handling, state) {
            Some(stream) => {
                self.stream = stream;
                Ok(())
            }
            None => Err(StateError),
        }
    }
}

/// The stream in the state `state` of a decoder for `encoding`. `None` if there is none.
#[inline(never)]
fn stream<E: Handle>(
    encoding: E,
    bom_handling: BomHandling,
    DecoderState([handler, position, rest]): DecoderState,
) -> Option<Stream> {
    let [first, second, third, length, stage, bom, 0, 0] = rest.to_le_bytes() else { return None };
    let bytes = [first, second, third];
    let (held, unused) = bytes.split_at_checked(length.into())?;
    let mut restored = Restored::<u8>::EMPTY;
    held.iter().for_each(|&byte| restored.push(byte));
    let stage = match stage {
        0 => Stage::Text,
        1 => Stage::Start,
        2 => Stage::Ended,
        _ => return None,
    };
    let (bom, encoding_of_bom) = match bom {
        0 => (None, encoding),
        1..=3 if bom_handling == BomHandling::Sniff => {
            let bom = [Bom::Utf8, Bom::Utf16Be, Bom::Utf16Le][usize::from(bom - 1)];
            (Some(bom), E::of_bom(bom)?)
        }
        _ => return None,
    };
    let is_possible = match stage {
        // The held bytes are the beginning of a byte order mark, so looking for one again keeps all of them.
        Stage::Start => {
            let is_kept = || skip_bom(encoding, Stream::new(bom_handling), held, false).1.is_none();
            bom_handling != BomHandling::Keep
                && (handler, position, bom) == (0, held.len() as u64, None)
                && (held.is_empty() || is_kept())
        }
        // A handler restores bytes of the sequence that it gives up, so they are no more than it had pending. Each
        // restored byte that is read becomes pending, or text, or an error. So they are never more than at first.
        Stage::Text => {
            let begun = pending_length(encoding_of_bom.codec(), handler)? + held.len();
            (held.is_empty() || begun <= MOST_RESTORED) && begun as u64 <= position
        }
        Stage::Ended => held.is_empty() && pending_length(encoding_of_bom.codec(), handler)? == 0,
    };
    let is_possible = is_possible && position <= LAST_POSITION && unused.iter().all(|&byte| byte == 0);
    is_possible.then_some(Stream { handler, position, restored, bom_handling, stage, bom })
}

/// The number of bytes of the sequence that has begun in the handler's packed state `state`. `None` if the handler
/// cannot be in this state: it is in this state if the bytes of the sequence lead to it from a state between sequences.
#[inline(never)]
fn pending_length(codec: &'static Codec, state: u64) -> Option<usize> {
    let functions = codec.decoder();
    let pending = (functions.pending)(codec, state);
    let leads_here = |between: u8| {
        let mut reached = between.into();
        let continues = pending.iter().all(|&byte| {
            let mut io_queue = Restored::<u8>::EMPTY;
            (functions.handler)(codec, &mut reached, &mut io_queue, Item::Value(byte)) == HandlerResult::Continue
        });
        continues && reached == state
    };
    (0..functions.states_between).any(leads_here).then_some(pending.len())
}
