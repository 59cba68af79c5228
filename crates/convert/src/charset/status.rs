//! The results of one call of a decoder or an encoder, and the loop that calls a decoder until a piece is read.

use alloc::{string::String, vec::Vec};
use core::ops::ControlFlow;

/// The result of one call of a decoder.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// The reason why the call has ended.
    pub status: Status,
    /// The number of bytes that were read.
    pub read: usize,
}

impl Decoded {
    pub(crate) const fn new(status: Status, read: usize) -> Self {
        Decoded { status, read }
    }
}

/// The reason why a call of a decoder has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// All bytes were read.
    InputEmpty,
    /// The text has no capacity for another character.
    OutputFull,
    /// The bytes at this offset in the stream are malformed. Decoding can go on after them.
    Malformed(Malformed),
}

/// A malformed sequence of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Malformed {
    /// The offset of the sequence in the stream, in bytes.
    pub offset: u64,
    /// The bytes of the sequence.
    pub bytes: Vec<u8>,
}

impl Malformed {
    pub(crate) const fn new(offset: u64, bytes: Vec<u8>) -> Self {
        Malformed { offset, bytes }
    }
}

/// The result of one call of an encoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Encoded {
    /// The reason why the call has ended.
    pub status: EncodeStatus,
    /// The number of bytes of the text that were read.
    pub read: usize,
    /// The number of bytes that were written.
    pub written: usize,
}

impl Encoded {
    pub(crate) const fn new(status: EncodeStatus, read: usize, written: usize) -> Self {
        Encoded { status, read, written }
    }
}

/// The reason why a call of an encoder has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EncodeStatus {
    /// All of the text was read.
    InputEmpty,
    /// The destination has no space for another character.
    OutputFull,
    /// The charset has no such character. The character was read. Of some characters the encoder of ISO-2022-JP reports
    /// U+FFFD in their place.
    Unmappable(char),
}

/// A decoder of a stream.
pub(crate) trait Decode {
    /// A reason to end decoding for good.
    type Stop;

    /// Decodes `source`, the next bytes of the stream, into the capacity of `text`. `last` says that the stream ends
    /// with `source`.
    fn decode(&mut self, source: &[u8], text: &mut String, last: bool) -> Result<Decoded, Self::Stop>;
}

/// Decodes all of `source`, the next bytes of a stream, unless `each` breaks. `each` is called after every call of the
/// decoder. It can clear `text`, and must do so (or give it more capacity) after [`Status::OutputFull`]. The last call
/// of `each` has the status [`Status::InputEmpty`].
///
/// This is the only loop of this crate around a decoder.
pub(crate) fn decode_all<D: Decode, B>(
    decoder: &mut D,
    source: &[u8],
    text: &mut String,
    last: bool,
    mut each: impl FnMut(&mut D, &mut String, Decoded) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, D::Stop> {
    let mut read = 0;
    loop {
        let decoded = decoder.decode(&source[read..], text, last)?;
        read += decoded.read;
        let is_done = decoded.status == Status::InputEmpty;
        let flow = each(decoder, text, decoded);
        if is_done || flow.is_break() {
            return Ok(flow);
        }
    }
}
