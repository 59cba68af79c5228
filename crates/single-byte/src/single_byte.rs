//! [Legacy single-byte encodings](https://encoding.spec.whatwg.org/#legacy-single-byte-encodings): one decoder and one
//! encoder for 28 encodings, which differ in their indexes.

use textcodec_core::{
    Codec, DecodeErrorMode,
    handler::{Bytes, CodePoints, DecoderHandler, HandlerResult, Item, Restore, Utf8Space, Utf8Written},
    index::{Characters, index_code_point},
};
#[cfg(feature = "encode")]
use textcodec_core::{EncoderHalf, handler::EncoderHandler, index::ByteTable};
use textcodec_kernels::single_byte;
#[cfg(feature = "encode")]
use textcodec_kernels::to_single_byte;

/// The [single-byte decoder](https://encoding.spec.whatwg.org/#single-byte-decoder). It has no state. `IS_DENSE`
/// chooses between two kernels to UTF-8, which have the same result.
#[derive(Clone, Copy, Debug)]
pub struct SingleByteDecoder<const IS_DENSE: bool> {
    /// Each encoding has an index. If one had none, its decoder would find an error in every byte beyond ASCII.
    index: Option<&'static Characters>,
}

impl<const IS_DENSE: bool> DecoderHandler for SingleByteDecoder<IS_DENSE> {
    const IS_SINGLE_BYTE: bool = true;
    const KEEPS_STATE: bool = true;

    fn handler<Q: Restore<u8>>(&mut self, _: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()> {
        let Item::Value(byte) = byte else {
            return HandlerResult::Finished;
        };
        if byte.is_ascii() {
            return HandlerResult::Items(char::from(byte).into());
        }
        match self.index.and_then(|index| index_code_point(usize::from(byte - 0x80), index.as_slice())) {
            None => HandlerResult::Error(()),
            Some(code_point) => HandlerResult::Items(code_point.into()),
        }
    }

    fn pending(&self) -> Bytes {
        Bytes::EMPTY
    }

    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let Some(index) = self.index else { return (0, 0) };
        let length = single_byte::to_utf16(index, end(mode), source, destination);
        (length, length)
    }

    /// Converts to UTF-8 with a kernel of its own. Only AVX2 goes by way of UTF-16, in that kernel and for dense text;
    /// elsewhere that would take twice the time.
    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        match self.index {
            Some(index) if IS_DENSE => destination.dense_single_byte(index, end(mode), source),
            Some(index) => destination.single_byte(index, end(mode), source),
            None => (0, destination.nothing()),
        }
    }

    fn pack(self) -> u64 {
        0
    }

    fn unpack(codec: &'static Codec, _: u64) -> Self {
        SingleByteDecoder { index: codec.index() }
    }
}

/// The code unit at which the kernel stops: U+FFFD, which the table has for bytes without a code point, or a value that
/// is never in the table.
fn end(mode: DecodeErrorMode) -> u16 {
    match mode {
        DecodeErrorMode::Fatal => single_byte::NULL,
        DecodeErrorMode::Replacement => single_byte::NEVER,
    }
}

/// The [single-byte encoder](https://encoding.spec.whatwg.org/#single-byte-encoder). It has no state.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, Debug)]
pub struct SingleByteEncoder {
    /// As in [`SingleByteDecoder`].
    index: Option<&'static ByteTable>,
}

#[cfg(feature = "encode")]
impl EncoderHandler for SingleByteEncoder {
    const CONVERTS_UTF_8: bool = true;

    fn handler<Q: Restore<char>>(&mut self, _: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if code_point.is_ascii() {
            return HandlerResult::Items(Bytes::from(code_point as u8));
        }
        match self.index.and_then(|index| index.byte(code_point)) {
            None => HandlerResult::Error(code_point),
            Some(byte) => HandlerResult::Items(byte.into()),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let Some(index) = self.index else { return (0, 0) };
        let length = to_single_byte::from_utf16(index, source, destination);
        (length, length)
    }

    /// Converts from UTF-8. Only AVX2 goes by way of UTF-16, in its kernel; elsewhere that would take longer.
    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        let Some(index) = self.index else { return (0, 0) };
        to_single_byte::from_utf8(index, source.as_bytes(), destination)
    }

    fn pack(self) -> u16 {
        0
    }

    fn unpack(half: &'static EncoderHalf, _: u16) -> Self {
        SingleByteEncoder { index: half.index() }
    }
}
