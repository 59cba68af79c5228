//! The two layers of a decoder, without the loop in which [`Decoder`](crate::Decoder) joins them.
//!
//! These methods are for a crate whose interface has other rules than [`Decoder`](crate::Decoder) for full destinations and for
//! restored bytes, and which therefore has a loop of its own. The state of a handler is a word, which is 0 for a new handler.

use textcodec_kernels::string::{Utf8Space, Utf8Written};

use crate::{
    DecoderErrorMode, Encoding,
    handler::{Bytes, CodePoints, HandlerResult, Item, Restored},
};

impl Encoding {
    /// The decoder's [handler](crate::handler::DecoderHandler::handler).
    #[inline]
    pub fn decoder_handler(
        &'static self,
        state: &mut u64,
        io_queue: &mut Restored<u8>,
        byte: Item<u8>,
    ) -> HandlerResult<CodePoints, ()> {
        (self.decoder().handler)(self, state, io_queue, byte)
    }

    /// The bytes of the [incomplete sequence](crate::handler::DecoderHandler::pending) that a decoder in this state has read.
    #[inline]
    #[must_use]
    pub fn decoder_pending(&'static self, state: u64) -> Bytes {
        (self.decoder().pending)(self, state)
    }

    /// The decoder's [bulk conversion](crate::handler::DecoderHandler::convert) into UTF-16. Converts nothing if a sequence has begun.
    #[inline]
    pub fn decoder_convert(
        &'static self,
        state: &mut u64,
        source: &[u8],
        destination: &mut [u16],
        mode: DecoderErrorMode,
    ) -> (usize, usize) {
        (self.decoder().convert)(self, state, source, destination, mode)
    }

    /// The decoder's [bulk conversion](crate::handler::DecoderHandler::convert_to_utf8) into UTF-8. Converts nothing if a sequence
    /// has begun.
    #[inline]
    pub fn decoder_convert_to_utf8<'id>(
        &'static self,
        state: &mut u64,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecoderErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        (self.decoder().convert_to_utf8)(self, state, source, destination, mode)
    }
}
