//! The two layers of a decoder and of an encoder, without the loops in which [`Decoder`](crate::Decoder) and
//! [`Encoder`](crate::Encoder) join them.
//!
//! These methods are for a crate whose interface has other rules than [`Decoder`](crate::Decoder) and
//! [`Encoder`](crate::Encoder) for full destinations and for restored items, and which therefore has loops of its own.
//! The state of a decoder's handler has 64 bits and that of an encoder's handler 16. Both are 0 for a new handler.

use textcodec_kernels::string::{Utf8Space, Utf8Written};

#[cfg(feature = "encode")]
use crate::EncoderHalf;
use crate::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, HandlerResult, Item, Restored},
};

impl Codec {
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

    /// The bytes of the [incomplete sequence](crate::handler::DecoderHandler::pending) that a decoder in this state has
    /// read.
    #[inline]
    #[must_use]
    pub fn decoder_pending(&'static self, state: u64) -> Bytes {
        (self.decoder().pending)(self, state)
    }

    /// The decoder's [bulk conversion](crate::handler::DecoderHandler::convert) into UTF-16. Converts nothing if a
    /// sequence has begun.
    #[inline]
    pub fn decoder_convert(
        &'static self,
        state: &mut u64,
        source: &[u8],
        destination: &mut [u16],
        mode: DecodeErrorMode,
    ) -> (usize, usize) {
        (self.decoder().convert)(self, state, source, destination, mode)
    }

    /// The decoder's [bulk conversion](crate::handler::DecoderHandler::convert_to_utf8) into UTF-8. Converts nothing if
    /// a sequence has begun.
    #[inline]
    pub fn decoder_convert_to_utf8<'id>(
        &'static self,
        state: &mut u64,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        (self.decoder().convert_to_utf8)(self, state, source, destination, mode)
    }
}

#[cfg(feature = "encode")]
impl EncoderHalf {
    /// The encoder's [handler](crate::handler::EncoderHandler::handler).
    #[inline]
    pub fn handler(
        &'static self,
        state: &mut u16,
        io_queue: &mut Restored<char>,
        code_point: Item<char>,
    ) -> HandlerResult<Bytes, char> {
        (self.functions().handler)(self, state, io_queue, code_point)
    }

    /// The encoder's [bulk conversion](crate::handler::EncoderHandler::convert) from UTF-16.
    #[inline]
    pub fn convert(&'static self, state: &mut u16, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        (self.functions().convert)(self, state, source, destination)
    }

    /// The encoder's [bulk conversion](crate::handler::EncoderHandler::convert_from_utf8) from UTF-8.
    #[inline]
    pub fn convert_from_utf8(&'static self, state: &mut u16, source: &str, destination: &mut [u8]) -> (usize, usize) {
        (self.functions().convert_from_utf8)(self, state, source, destination)
    }
}
