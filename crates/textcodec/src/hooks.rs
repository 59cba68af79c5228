//! [Hooks for standards](https://encoding.spec.whatwg.org/#specification-hooks): the operations by which other
//! standards decode and encode, including the [legacy hooks](https://encoding.spec.whatwg.org/#legacy-hooks).
//!
//! Each function takes an output queue, which is optional in the Standard; its default is [`IoQueue::new`].
//!
//! ```
//! use textcodec::{hooks::{self, IoQueue}};
//!
//! let mut output = IoQueue::new();
//! hooks::utf8_decode(&mut IoQueue::from_iter(*b"\xEF\xBB\xBFtext"), &mut output);
//! assert_eq!(output.read_all::<String>(), "text");
//! ```

#[cfg(feature = "std")]
pub use textcodec_core::io_queue::{Producer, Streaming, streaming};
#[cfg(feature = "encode")]
pub use textcodec_core::process::EncoderInstance;
pub use textcodec_core::{
    handler::Item,
    io_queue::{Immediate, IoQueue, ItemSource},
    process::{DecoderInstance, ItemResult},
};

use textcodec_core::{Bom, DecodeErrorMode};
#[cfg(feature = "encode")]
use textcodec_core::{EncodeErrorMode, NoEncoder};

#[cfg(any(feature = "utf16", feature = "encode"))]
use crate::Encoding;
use crate::UTF_8;

/// Failure of [`utf8_decode_without_bom_or_fail`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Failure;

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("malformed UTF-8")
    }
}

impl core::error::Error for Failure {}

/// [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode), which removes one byte order mark of UTF-8.
pub fn utf8_decode<S: ItemSource<u8>>(io_queue: &mut IoQueue<u8, S>, output: &mut IoQueue<char>) {
    if io_queue.peek(3) == Bom::Utf8.bytes() {
        io_queue.read_several(3);
    }
    utf8_decode_without_bom(io_queue, output);
}

/// [UTF-8 decode without BOM](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom): a byte order mark becomes
/// U+FEFF.
pub fn utf8_decode_without_bom<S: ItemSource<u8>>(io_queue: &mut IoQueue<u8, S>, output: &mut IoQueue<char>) {
    DecoderInstance::new(UTF_8).process_queue(io_queue, output, DecodeErrorMode::Replacement);
}

/// [UTF-8 decode without BOM or fail](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail).
///
/// # Errors
/// [`Failure`] at the first malformed sequence; the output is then left without end-of-queue.
pub fn utf8_decode_without_bom_or_fail<S: ItemSource<u8>>(
    io_queue: &mut IoQueue<u8, S>,
    output: &mut IoQueue<char>,
) -> Result<(), Failure> {
    match DecoderInstance::new(UTF_8).process_queue(io_queue, output, DecodeErrorMode::Fatal) {
        ItemResult::Error(()) => Err(Failure),
        ItemResult::Finished | ItemResult::Continue => Ok(()),
    }
}

/// [UTF-8 encode](https://encoding.spec.whatwg.org/#utf-8-encode). Never fails, since there are no surrogates in the
/// queue.
#[cfg(feature = "encode")]
pub fn utf8_encode<S: ItemSource<char>>(io_queue: &mut IoQueue<char, S>, output: &mut IoQueue<u8>) {
    match encode(io_queue, UTF_8, output) {
        Ok(()) => {}
        Err(NoEncoder(_)) => unreachable!("UTF-8 has an encoder"),
    }
}

/// [Decode](https://encoding.spec.whatwg.org/#decode): decodes the encoding of the byte order mark, which is removed;
/// without a byte order mark, decodes `encoding`.
#[cfg(feature = "utf16")]
pub fn decode<S: ItemSource<u8>>(io_queue: &mut IoQueue<u8, S>, mut encoding: Encoding, output: &mut IoQueue<char>) {
    if let Some(bom_encoding) = bom_sniff(io_queue) {
        encoding = bom_encoding;
        io_queue.read_several(if bom_encoding == UTF_8 { 3 } else { 2 });
    }
    DecoderInstance::new(encoding).process_queue(io_queue, output, DecodeErrorMode::Replacement);
}

/// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff): the encoding of the byte order mark at the front of the
/// queue. Removes no byte from the queue.
#[cfg(feature = "utf16")]
#[must_use]
pub fn bom_sniff<S: ItemSource<u8>>(io_queue: &mut IoQueue<u8, S>) -> Option<Encoding> {
    Some(match Bom::sniff(&io_queue.peek(3))? {
        Bom::Utf8 => UTF_8,
        Bom::Utf16Be => crate::UTF_16BE,
        Bom::Utf16Le => crate::UTF_16LE,
    })
}

/// [Encode](https://encoding.spec.whatwg.org/#encode), in the error mode html.
///
/// # Errors
/// [`NoEncoder`] for UTF-16BE, UTF-16LE and replacement, which the Standard forbids here. Call *get an output encoding*
/// first ([`Name::output`](crate::Name::output)).
#[cfg(feature = "encode")]
pub fn encode<S: ItemSource<char>>(
    io_queue: &mut IoQueue<char, S>,
    encoding: Encoding,
    output: &mut IoQueue<u8>,
) -> Result<(), NoEncoder> {
    get_an_encoder(encoding)?.process_queue(io_queue, output, EncodeErrorMode::Html);
    Ok(())
}

/// [Get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder): a new instance, for [`encode_or_fail`].
///
/// # Errors
/// [`NoEncoder`] for UTF-16BE, UTF-16LE and replacement.
#[cfg(feature = "encode")]
pub fn get_an_encoder(encoding: Encoding) -> Result<EncoderInstance, NoEncoder> {
    EncoderInstance::new(encoding).ok_or(NoEncoder(encoding.id()))
}

/// [Encode or fail](https://encoding.spec.whatwg.org/#encode-or-fail): encodes up to the end or the first error, and
/// returns the code point of the error.
///
/// To go on after an error, call again with the same `encoder` and queue. Before that, you may push a replacement of
/// the error to the output. It must be ASCII without 0x0E, 0x0F, 0x1B, 0x5C and 0x7E, because ISO-2022-JP can be in its
/// Roman state.
///
/// ```
/// use textcodec::{SHIFT_JIS, hooks::{self, IoQueue}};
///
/// let mut input = IoQueue::from_iter("a☃b".chars());
/// let mut encoder = hooks::get_an_encoder(SHIFT_JIS)?;
/// let mut output = IoQueue::new();
/// assert_eq!(hooks::encode_or_fail(&mut input, &mut encoder, &mut output), Some('☃'));
/// output.push_several(*b"?");
/// assert_eq!(hooks::encode_or_fail(&mut input, &mut encoder, &mut output), None);
/// assert_eq!(output.read_all::<Vec<u8>>(), b"a?b");
/// # Ok::<(), textcodec::NoEncoder>(())
/// ```
#[cfg(feature = "encode")]
#[must_use]
pub fn encode_or_fail<S: ItemSource<char>>(
    io_queue: &mut IoQueue<char, S>,
    encoder: &mut EncoderInstance,
    output: &mut IoQueue<u8>,
) -> Option<char> {
    let potential_error = encoder.process_queue(io_queue, output, EncodeErrorMode::Fatal);
    output.push(Item::EndOfQueue);
    match potential_error {
        ItemResult::Error(code_point) => Some(code_point),
        ItemResult::Finished | ItemResult::Continue => None,
    }
}
