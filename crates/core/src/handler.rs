//! [Decoders, encoders and their handlers](https://encoding.spec.whatwg.org/#encodings): the two traits that an
//! encoding implements.
//!
//! Each has two layers. `handler` is the Standard's algorithm, transcribed: it is the specification and takes one item
//! at a time. `convert` is a shortcut over slices, and leaving everything to the handler is a correct `convert`.

use textcodec_kernels::blocks::up_to;
pub use textcodec_kernels::string::{Utf8Space, Utf8Writer, Utf8Written};

use crate::{DecoderErrorMode, Encoding};

/// An item of an [I/O queue](https://encoding.spec.whatwg.org/#concept-stream).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item<T> {
    /// A byte or a scalar value.
    Value(T),
    /// [End-of-queue](https://encoding.spec.whatwg.org/#end-of-stream): no items will follow.
    EndOfQueue,
}

/// What a [handler](https://encoding.spec.whatwg.org/#handler) returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandlerResult<T, E> {
    /// The coder is done.
    Finished,
    /// One or more items.
    Items(T),
    /// The item cannot be handled; an encoder says which code point.
    Error(E),
    /// More input is needed.
    Continue,
}

/// What a handler does to the queue that its items come from.
pub trait Restore<T> {
    /// [Restores](https://encoding.spec.whatwg.org/#concept-stream-prepend) `items`: puts them at the front of the queue,
    /// in their order, so that they are read again.
    fn restore(&mut self, items: &[T]);
}

/// The one or two scalar values that a decoder's handler returns; two only from Big5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePoints {
    /// The first scalar value.
    pub first: char,
    /// The second, a combining mark.
    pub second: Option<char>,
}

impl From<char> for CodePoints {
    fn from(first: char) -> Self {
        CodePoints { first, second: None }
    }
}

impl IntoIterator for CodePoints {
    type Item = char;
    type IntoIter = core::iter::Chain<core::iter::Once<char>, core::option::IntoIter<char>>;

    fn into_iter(self) -> Self::IntoIter {
        core::iter::once(self.first).chain(self.second)
    }
}

/// Up to four bytes: what an encoder's handler returns, or a sequence that a decoder is reading.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Bytes {
    bytes: [u8; 4],
    length: u8,
}

impl Bytes {
    /// No bytes.
    pub const EMPTY: Self = Bytes { bytes: [0; 4], length: 0 };

    /// Appends `byte`.
    ///
    /// # Panics
    /// If there are four already.
    pub fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.length)] = byte;
        self.length += 1;
    }

    /// Keeps the first `length` bytes.
    pub(crate) fn truncate(&mut self, length: usize) {
        *self = Bytes::from(&self[..length]);
    }
}

impl core::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        up_to(&self.bytes, usize::from(self.length))
    }
}

impl From<&[u8]> for Bytes {
    /// # Panics
    /// If there are more than four bytes.
    fn from(slice: &[u8]) -> Self {
        let mut bytes = Bytes::EMPTY;
        slice.iter().for_each(|&byte| bytes.push(byte));
        bytes
    }
}

impl From<u8> for Bytes {
    fn from(byte: u8) -> Self {
        Bytes { bytes: [byte, 0, 0, 0], length: 1 }
    }
}

impl<const N: usize> From<[u8; N]> for Bytes {
    fn from(array: [u8; N]) -> Self {
        const { assert!(N <= 4) };
        let mut bytes = [0; 4];
        bytes[..N].copy_from_slice(&array);
        Bytes { bytes, length: N as u8 }
    }
}

impl core::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:02X?}", &self[..])
    }
}

/// An instance of a [decoder](https://encoding.spec.whatwg.org/#decoder): its state, and what it does with a byte.
pub trait DecoderHandler: Copy {
    /// The [handler](https://encoding.spec.whatwg.org/#handler): takes `byte`, which was read from `io_queue`.
    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()>;

    /// The bytes that were read and belong to a sequence which is not complete, in their order: at most three.
    fn pending(&self) -> Bytes;

    /// Whether no sequence has begun, so that [`convert`](Self::convert) may be called. This is not the same as the
    /// initial state: ISO-2022-JP is between sequences also after an escape sequence.
    fn between_sequences(&self) -> bool {
        self.pending().is_empty()
    }

    /// Decodes a prefix of `source` into UTF-16 at the front of `destination`; returns how many bytes were read and how
    /// many code units were written.
    ///
    /// Called and returns between sequences. Stops before an error, before a sequence that `source` cuts off, and before
    /// `destination` is full; may stop anywhere between two sequences, at once too: the handler goes on from there.
    /// Code units of `destination` after those written may be overwritten.
    ///
    /// In [`DecoderErrorMode::Replacement`], which is not asked for before there was an error, it may also write U+FFFD in place
    /// of errors and go on behind them.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecoderErrorMode) -> (usize, usize) {
        let _ = (source, destination, mode);
        (0, 0)
    }

    /// As [`convert`](Self::convert), into UTF-8. Returns how many bytes were read, and the proof of how many were written.
    ///
    /// The space takes only well-formed UTF-8, and the proof comes only from the space. So no handler, whoever wrote it, can make a
    /// `str` that is not UTF-8. A proof from other memory does not compile:
    ///
    /// ```compile_fail,E0521
    /// use textcodec_core::handler::{Utf8Space, Utf8Written};
    ///
    /// fn convert_to_utf8<'id>(source: &[u8], space: Utf8Space<'id>) -> (usize, Utf8Written<'id>) {
    ///     let mut of_other = None;
    ///     textcodec_kernels::string::write_bytes(&mut [0; 9], |other, _| of_other = Some(other.ascii(source)));
    ///     of_other.unwrap()
    /// }
    /// ```
    fn convert_to_utf8<'id>(
        &mut self,
        source: &[u8],
        destination: Utf8Space<'id>,
        mode: DecoderErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        crate::convert::decode_to_utf8(self, source, destination, mode)
    }

    /// Whether an ASCII byte that comes next is that ASCII character and leaves the state as it is.
    fn ascii_is_ascii(&self) -> bool {
        true
    }

    /// The state in one word: 0 for that of a new instance, which the Standard's initial values describe. In that state
    /// end-of-queue is finished.
    fn pack(self) -> u64;

    /// The instance of `encoding`'s decoder with the state `word`; 0 makes a new one.
    fn unpack(encoding: &'static Encoding, word: u64) -> Self;
}

/// An instance of an [encoder](https://encoding.spec.whatwg.org/#encoder): its state, and what it does with a scalar value.
pub trait EncoderHandler: Copy {
    /// The [handler](https://encoding.spec.whatwg.org/#handler): takes `code_point`, which was read from `io_queue`.
    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char>;

    /// Encodes a prefix of `source`, which is UTF-16, into the front of `destination`; returns how many code units were
    /// read and how many bytes were written.
    ///
    /// Stops before an error, before a surrogate that has no partner in `source`, and before `destination` is full; may
    /// stop anywhere between two scalar values, at once too: the handler goes on from there.
    /// Bytes of `destination` after those written may be overwritten.
    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let _ = (source, destination);
        (0, 0)
    }

    /// As [`convert`](Self::convert), from UTF-8.
    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        crate::convert::encode_from_utf8(self, source, destination)
    }

    /// Whether an ASCII character that comes next is that ASCII byte and leaves the state as it is.
    fn ascii_is_ascii(&self) -> bool {
        true
    }

    /// The state in one word: 0 for that of a new instance. In that state end-of-queue is finished.
    fn pack(self) -> u64;

    /// The instance of `encoding`'s encoder with the state `word`; 0 makes a new one.
    fn unpack(encoding: &'static Encoding, word: u64) -> Self;
}

/// Items that a handler restored, oldest first. No handler restores more than three: gb18030's « second, third, byte ».
#[derive(Clone, Copy, Debug)]
pub struct Restored<T> {
    items: [T; 3],
    length: u8,
}

impl Restored<u8> {
    /// No bytes.
    pub const EMPTY: Self = Restored { items: [0; 3], length: 0 };
}

impl Restored<char> {
    /// No scalar values.
    pub const EMPTY: Self = Restored { items: ['\0'; 3], length: 0 };
}

impl<T: Copy> Restored<T> {
    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.length)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The items.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        up_to(&self.items, self.len())
    }

    /// Takes the first item.
    pub fn read(&mut self) -> Option<T> {
        let first = *self.as_slice().first()?;
        self.items.copy_within(1.., 0);
        self.length -= 1;
        Some(first)
    }

    /// Puts `item` behind the others.
    pub(crate) fn push(&mut self, item: T) {
        self.items[self.len()] = item;
        self.length += 1;
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl<T: Copy> Restore<T> for Restored<T> {
    fn restore(&mut self, items: &[T]) {
        debug_assert!(self.len() + items.len() <= self.items.len());
        // One by one, without a panic: nearly every encoding has this, for each of its ways to call it.
        for &item in items.iter().rev() {
            self.items.rotate_right(1);
            self.items[0] = item;
            self.length += 1;
        }
    }
}

/// [Scalar value from surrogates](https://encoding.spec.whatwg.org/#scalar-value-from-surrogates).
///
/// # Panics
/// If `leading` is not in 0xD800 to 0xDBFF or `trailing` not in 0xDC00 to 0xDFFF.
#[must_use]
pub fn scalar_value_from_surrogates(leading: u16, trailing: u16) -> char {
    let value = 0x10000 + ((u32::from(leading) - 0xD800) << 10) + (u32::from(trailing) - 0xDC00);
    char::from_u32(value).expect("two surrogates make a scalar value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogates_make_a_scalar_value() {
        assert_eq!(scalar_value_from_surrogates(0xD83D, 0xDCA9), '\u{1F4A9}');
        assert_eq!(scalar_value_from_surrogates(0xD800, 0xDC00), '\u{10000}');
        assert_eq!(scalar_value_from_surrogates(0xDBFF, 0xDFFF), char::MAX);
    }
}
