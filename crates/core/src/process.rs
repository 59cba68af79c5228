//! [*Process a queue* and *process an item*](https://encoding.spec.whatwg.org/#concept-encoding-run): the Standard's
//! algorithms that run a decoder or an encoder over I/O queues, one item at a time.

#[cfg(feature = "encode")]
use alloc::vec::Vec;

use crate::{
    Codec, DecodeErrorMode, Handle,
    handler::{HandlerResult, Item, Restored},
    io_queue::{IoQueue, ItemSource},
};
#[cfg(feature = "encode")]
use crate::{EncodeErrorMode, EncoderHalf, encoder::CharacterReference};

/// The result of *process an item* and *process a queue*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ItemResult<E> {
    /// The decoder or encoder has finished, and end-of-queue is in the output.
    Finished,
    /// The decoder or encoder takes more items. *Process a queue* never returns this.
    Continue,
    /// An error, in the error mode fatal.
    Error(E),
}

/// An instance of an encoding's [decoder](https://encoding.spec.whatwg.org/#decoder).
#[derive(Clone, Copy, Debug)]
pub struct DecoderInstance {
    codec: &'static Codec,
    state: u64,
}

impl DecoderInstance {
    /// A new instance.
    #[must_use]
    pub fn new(encoding: impl Handle) -> Self {
        DecoderInstance { codec: encoding.codec(), state: encoding.selector().into() }
    }

    /// The packed state of the handler.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn state(&self) -> u64 {
        self.state
    }

    /// [Process a queue](https://encoding.spec.whatwg.org/#concept-encoding-run): decodes `input` into `output` until
    /// the decoder has finished or, in the error mode fatal, until an error.
    pub fn process_queue<S: ItemSource<u8>>(
        &mut self,
        input: &mut IoQueue<u8, S>,
        output: &mut IoQueue<char>,
        mode: DecodeErrorMode,
    ) -> ItemResult<()> {
        loop {
            let item = input.read();
            let result = self.process_item(item, input, output, mode);
            if result != ItemResult::Continue {
                return result;
            }
        }
    }

    /// [Process an item](https://encoding.spec.whatwg.org/#concept-encoding-process) that was read from `input`.
    pub fn process_item<S: ItemSource<u8>>(
        &mut self,
        item: Item<u8>,
        input: &mut IoQueue<u8, S>,
        output: &mut IoQueue<char>,
        mode: DecodeErrorMode,
    ) -> ItemResult<()> {
        let mut restored = Restored::<u8>::EMPTY;
        let result = (self.codec.decoder().handler)(self.codec, &mut self.state, &mut restored, item);
        input.restore(restored.as_slice());
        match result {
            HandlerResult::Finished => {
                output.push(Item::EndOfQueue);
                return ItemResult::Finished;
            }
            HandlerResult::Items(code_points) => output.push_several(code_points),
            HandlerResult::Error(()) => match mode {
                DecodeErrorMode::Replacement => output.push(Item::Value(char::REPLACEMENT_CHARACTER)),
                DecodeErrorMode::Fatal => return ItemResult::Error(()),
            },
            HandlerResult::Continue => {}
        }
        ItemResult::Continue
    }
}

/// An instance of an encoding's [encoder](https://encoding.spec.whatwg.org/#encoder).
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub struct EncoderInstance {
    half: &'static EncoderHalf,
    state: u16,
}

#[cfg(feature = "encode")]
impl EncoderInstance {
    /// [Get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder): a new instance. `None` for an encoding
    /// without an encoder: in the Standard, UTF-16BE, UTF-16LE and replacement.
    pub fn new(encoding: impl Handle) -> Option<Self> {
        encoding.encoder().map(|half| EncoderInstance { half, state: encoding.selector().into() })
    }

    /// The packed state of the handler.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn state(&self) -> u16 {
        self.state
    }

    /// [Process a queue](https://encoding.spec.whatwg.org/#concept-encoding-run): encodes `input` into `output` until
    /// the encoder has finished or, in the error mode fatal, until an error, which has the code point.
    pub fn process_queue<S: ItemSource<char>>(
        &mut self,
        input: &mut IoQueue<char, S>,
        output: &mut IoQueue<u8>,
        mode: EncodeErrorMode,
    ) -> ItemResult<char> {
        loop {
            let item = input.read();
            let result = self.process_item(item, input, output, mode);
            if result != ItemResult::Continue {
                return result;
            }
        }
    }

    /// Encodes the characters of a character reference. Returns whether the encoder has bytes for all of them; if not,
    /// nothing changes.
    fn encode_reference(&mut self, characters: impl Iterator<Item = char>, output: &mut IoQueue<u8>) -> bool {
        let (mut encoder, mut input, mut bytes) = (*self, IoQueue::from_iter(characters), IoQueue::new());
        loop {
            let item = input.read();
            if item == Item::EndOfQueue {
                break;
            }
            if encoder.process_item(item, &mut input, &mut bytes, EncodeErrorMode::Fatal) != ItemResult::Continue {
                return false;
            }
        }
        bytes.push(Item::EndOfQueue);
        *self = encoder;
        output.push_several(bytes.read_all::<Vec<u8>>());
        true
    }

    /// [Process an item](https://encoding.spec.whatwg.org/#concept-encoding-process) that was read from `input`.
    ///
    /// In the error mode html the ASCII bytes of the character reference are pushed to `output` directly. Only an
    /// encoder for which ASCII characters can be other bytes encodes the reference. If it cannot, the result is an
    /// error.
    pub fn process_item<S: ItemSource<char>>(
        &mut self,
        item: Item<char>,
        input: &mut IoQueue<char, S>,
        output: &mut IoQueue<u8>,
        mode: EncodeErrorMode,
    ) -> ItemResult<char> {
        let mut restored = Restored::<char>::EMPTY;
        let result = (self.half.functions().handler)(self.half, &mut self.state, &mut restored, item);
        input.restore(restored.as_slice());
        match result {
            HandlerResult::Finished => {
                output.push(Item::EndOfQueue);
                return ItemResult::Finished;
            }
            HandlerResult::Items(bytes) => output.push_several(bytes.iter().copied()),
            HandlerResult::Error(code_point) => match mode {
                EncodeErrorMode::Html => {
                    let reference = CharacterReference::new(code_point);
                    let ascii = reference.bytes().into_iter().take(reference.length());
                    if self.half.functions().encode_reference.is_none() {
                        output.push_several(ascii);
                    } else if !self.encode_reference(ascii.map(char::from), output) {
                        return ItemResult::Error(code_point);
                    }
                }
                EncodeErrorMode::Fatal => return ItemResult::Error(code_point),
            },
            HandlerResult::Continue => {}
        }
        ItemResult::Continue
    }
}
