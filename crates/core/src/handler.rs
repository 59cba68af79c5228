//! [Decoders, encoders and their handlers](https://encoding.spec.whatwg.org/#encodings): the two traits that an
//! encoding implements.
//!
//! Each trait has two layers. `handler` is a transcription of the Standard's algorithm: it is the specification, and
//! takes one item at a time. `convert` is a shortcut over slices. A `convert` that leaves all of its source to the
//! handler is correct.
//!
//! The associated constants are facts about an encoding that callers need, such as how long its bytes can get.
//! [`Codec`] keeps them in its `static`.

use textcodec_kernels::{ascii, blocks::up_to, unshifted, utf16::surrogates};

pub use textcodec_kernels::string::{Utf8Space, Utf8Writer, Utf8Written};

#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::ToDoubleByte;

#[cfg(feature = "encode")]
use crate::EncoderHalf;
use crate::{Codec, DecodeErrorMode, convert::Pairs};

/// An item of an [I/O queue](https://encoding.spec.whatwg.org/#concept-stream).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Item<T> {
    /// A byte or a scalar value.
    Value(T),
    /// [End-of-queue](https://encoding.spec.whatwg.org/#end-of-stream): no items will follow.
    EndOfQueue,
}

/// The result of a [handler](https://encoding.spec.whatwg.org/#handler).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HandlerResult<T, E> {
    /// The decoder or encoder has finished.
    Finished,
    /// One or more items of output.
    Items(T),
    /// The item cannot be handled. An encoder returns the code point for the error.
    Error(E),
    /// The handler needs more input.
    Continue,
}

/// The queue that a handler's items come from, as far as a handler writes to it.
pub trait Restore<T> {
    /// [Restores](https://encoding.spec.whatwg.org/#concept-stream-prepend) `items`: puts them at the front of the
    /// queue in their order, so that they are read again.
    fn restore(&mut self, items: &[T]);
}

/// The one or two scalar values that a decoder's handler returns. Only Big5's handler returns two, and no handler
/// returns more than four bytes of UTF-8 at once. A handler that has more for a byte restores the byte, remembers what
/// it has returned, and returns the rest when it reads the byte again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodePoints {
    /// The first scalar value.
    pub first: char,
    /// The second scalar value, a combining mark.
    pub second: Option<char>,
}

impl CodePoints {
    /// Writes all scalar values as UTF-8 if they fit. Returns whether they fit.
    #[inline]
    pub fn write_utf8(self, writer: &mut Utf8Writer<'_>) -> bool {
        let CodePoints { first, second } = self;
        let length = first.len_utf8() + second.map_or(0, char::len_utf8);
        length <= writer.remaining() && writer.push(first) && second.is_none_or(|second| writer.push(second))
    }

    /// Writes all scalar values as UTF-16 to the front of `units` if they fit. Returns the number of code units, `None`
    /// if they do not fit.
    #[inline]
    pub fn write_utf16(self, units: &mut [u16]) -> Option<usize> {
        let CodePoints { first, second } = self;
        let length = first.len_utf16() + second.map_or(0, char::len_utf16);
        let mut rest = units.get_mut(..length)?;
        // `char::encode_utf16` has code for a panic.
        for code_point in self.into_iter().map(u32::from) {
            rest = match (u16::try_from(code_point), rest) {
                (Ok(unit), [to, rest @ ..]) => {
                    *to = unit;
                    rest
                }
                (Err(_), [leading, trailing, rest @ ..]) => {
                    [*leading, *trailing] = surrogates(code_point);
                    rest
                }
                (_, rest) => rest,
            }
        }
        Some(length)
    }
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

/// At most seven bytes: the output of an encoder's handler, or an incomplete sequence that a decoder has read. In the
/// Standard there are at most four; seven bytes and the length are a word of 64 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bytes {
    bytes: [u8; Bytes::CAPACITY],
    length: u8,
}

impl Bytes {
    /// The greatest number of bytes.
    pub const CAPACITY: usize = 7;

    /// The empty buffer.
    pub const EMPTY: Self = Bytes { bytes: [0; Bytes::CAPACITY], length: 0 };

    /// Appends `byte`. A full buffer stays as it is.
    ///
    /// # Panics
    /// With debug assertions, if the buffer is full. Other programs are smaller without a panic.
    pub fn push(&mut self, byte: u8) {
        debug_assert!(usize::from(self.length) < self.bytes.len());
        if let Some(to) = self.bytes.get_mut(usize::from(self.length)) {
            *to = byte;
            self.length += 1;
        }
    }

    /// Keeps the first `length` bytes.
    pub(crate) fn truncate(&mut self, length: usize) {
        *self = Bytes::from(up_to(self, length));
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
    /// With debug assertions, if there are more than [`CAPACITY`](Bytes::CAPACITY) bytes.
    fn from(slice: &[u8]) -> Self {
        debug_assert!(slice.len() <= Bytes::CAPACITY);
        let mut bytes = Bytes::EMPTY;
        for (to, &byte) in bytes.bytes.iter_mut().zip(slice) {
            *to = byte;
            bytes.length += 1;
        }
        bytes
    }
}

impl From<u8> for Bytes {
    fn from(byte: u8) -> Self {
        Bytes::from([byte])
    }
}

impl<const N: usize> From<[u8; N]> for Bytes {
    fn from(array: [u8; N]) -> Self {
        const { assert!(N <= Bytes::CAPACITY) };
        let mut bytes = [0; Bytes::CAPACITY];
        bytes[..N].copy_from_slice(&array);
        Bytes { bytes, length: N as u8 }
    }
}

impl core::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:02X?}", &self[..])
    }
}

/// The bytes that a new decoder leaves as they are: those that mean the same text in the encoding and in UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unchanged {
    /// All well-formed UTF-8.
    Utf8,
    /// All ASCII bytes. They also mean ASCII later in the stream, wherever no sequence has begun.
    Ascii,
    /// All ASCII bytes except [shifts](unshifted), until the first shift changes the decoder's state or is an error.
    UnshiftedAscii,
    /// No byte.
    Nothing,
}

impl Unchanged {
    /// Whether an ASCII byte between two sequences always is that ASCII character and leaves the state as it is.
    #[must_use]
    pub const fn has_ascii(self) -> bool {
        matches!(self, Unchanged::Utf8 | Unchanged::Ascii)
    }

    /// The length in bytes of the ASCII prefix of `bytes` that a new decoder leaves as it is. `None` if it leaves no
    /// bytes as they are.
    #[must_use]
    pub fn ascii_up_to(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Unchanged::Utf8 | Unchanged::Ascii => Some(ascii::prefix_length(bytes)),
            // A text in ISO-2022-JP often begins with an escape sequence.
            Unchanged::UnshiftedAscii if bytes.first() == Some(&0x1B) => Some(0),
            Unchanged::UnshiftedAscii => Some(unshifted::prefix_length(bytes)),
            Unchanged::Nothing => None,
        }
    }
}

/// An instance of a [decoder](https://encoding.spec.whatwg.org/#decoder): its state, and its reaction to a byte.
pub trait DecoderHandler: Copy {
    /// The bytes that a new decoder leaves as they are.
    const UNCHANGED: Unchanged = Unchanged::Ascii;

    /// Whether each byte is a scalar value or an error, whatever bytes come before it.
    const IS_SINGLE_BYTE: bool = false;

    /// `convert` may convert something only if the packed state fits into so many bits; 63 admits every state. With a
    /// greater state, a sequence has begun which only the handler can finish.
    const STATE_BITS: u8 = 8;

    /// The bits of the packed state of which at least one is set while a sequence has begun. If all are 0, the handler
    /// answers end-of-queue with finished.
    const BEGUN: u64 = u64::MAX;

    /// The number of packed states between sequences. They are the numbers from 0 on: only 0, unless the encoding has
    /// shifts. From these states, the bytes of [`pending`](Self::pending) lead to all other states.
    const STATES_BETWEEN: u8 = 1;

    /// The greatest number of code units of UTF-16 that a byte becomes, in the mean over any text.
    const MAX_UNITS_PER_BYTE: u8 = 1;

    /// Whether the bulk conversions leave the state as it is. The state is then not stored after them.
    const KEEPS_STATE: bool = false;

    /// The tables of an encoding of pairs. Functions that all encodings of pairs share then convert in bulk, in place
    /// of [`convert`](Self::convert) and [`convert_to_utf8`](Self::convert_to_utf8).
    const PAIRS: Option<&'static Pairs> = None;

    /// The [handler](https://encoding.spec.whatwg.org/#handler): takes `byte`, which was read from `io_queue`.
    fn handler<Q: Restore<u8>>(&mut self, io_queue: &mut Q, byte: Item<u8>) -> HandlerResult<CodePoints, ()>;

    /// The bytes of the incomplete sequence that was read, in their order: at most six, in the Standard three. An
    /// instance that [`unpack`](Self::unpack) made of a word that is no state returns any bytes, and does not panic.
    fn pending(&self) -> Bytes;

    /// Whether [`convert`](Self::convert) may be called: no sequence has begun, or one that `convert` finishes. This is
    /// not the same as the initial state: ISO-2022-JP is also between sequences after an escape sequence.
    fn can_convert(&self) -> bool {
        self.pending().is_empty()
    }

    /// Decodes a prefix of `source` into UTF-16 at the front of `destination`. Returns how many bytes were read and how
    /// many code units were written.
    ///
    /// The caller calls it between sequences, or inside of a sequence if [`can_convert`](Self::can_convert) allows
    /// that. It stops before an error, before a sequence that the end of `source` cuts off, and before a character that
    /// does not fit into `destination`. It may stop earlier, between any two sequences and also at once: the handler
    /// continues there. It may overwrite code units of `destination` after those that it has written. The content of
    /// `destination` is arbitrary before the call.
    ///
    /// Instead of stopping before a sequence that the end of `source` cuts off, it may read the sequence into the
    /// state, as the handler would. It does so only if `destination` has space for another character: a caller that
    /// keeps some space free reads the first byte of a sequence only if that space and a character's are there.
    ///
    /// In [`DecodeErrorMode::Replacement`] it may also write U+FFFD in place of errors and continue after them. The
    /// caller uses this mode only after a first error.
    fn convert(&mut self, source: &[u8], destination: &mut [u16], mode: DecodeErrorMode) -> (usize, usize) {
        let _ = (source, destination, mode);
        (0, 0)
    }

    /// The same as [`convert`](Self::convert), into UTF-8. Returns how many bytes were read, and the proof of how many
    /// were written.
    ///
    /// The space takes only well-formed UTF-8, and the proof comes only from the space. So no handler, whoever wrote
    /// it, can make a `str` that is not UTF-8. A proof from other memory does not compile:
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
        mode: DecodeErrorMode,
    ) -> (usize, Utf8Written<'id>) {
        crate::convert::decode_to_utf8(self, source, destination, mode)
    }

    /// The state in one word. A new instance, with the Standard's initial values, is 0; its handler answers
    /// end-of-queue with finished. In an encoding without shifts, the word is at most 0xFF where
    /// [`can_convert`](Self::can_convert) is true.
    fn pack(self) -> u64;

    /// The instance of `codec`'s decoder with the state `word`. 0 makes a new instance. For a word that is no state,
    /// the instance is arbitrary: only [`pending`](Self::pending) is called on it.
    fn unpack(codec: &'static Codec, word: u64) -> Self;
}

/// The greatest number of bytes that an encoder writes for one unit of its source.
#[cfg(feature = "encode")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MaxBytes {
    /// The greatest number of bytes for one byte of UTF-8.
    pub per_utf8_byte: u8,
    /// The greatest number of bytes for one code unit of UTF-16.
    pub per_code_unit: u8,
    /// The greatest number of bytes at the end of the stream.
    pub at_end: u8,
}

/// An instance of an [encoder](https://encoding.spec.whatwg.org/#encoder): its state, and its reaction to a scalar
/// value.
#[cfg(feature = "encode")]
pub trait EncoderHandler: Copy {
    /// The number of states. The packed states are the numbers from 0 on.
    const STATES: u16 = 1;

    /// Whether an ASCII character always is that ASCII byte and leaves the state as it is.
    const HAS_ASCII: bool = true;

    /// Whether the characters of a character reference are those ASCII bytes in each state that an unmappable character
    /// leads to.
    const HAS_ASCII_REFERENCES: bool = Self::HAS_ASCII;

    /// The bytes that the handler returns before it reports an unmappable character in one state, and the packed form
    /// of this state. A caller that writes other text than a character reference takes these bytes back. `None` for
    /// handlers that return nothing before an error.
    const BEFORE_ERROR: Option<(&'static [u8], u16)> = None;

    /// Whether the bulk conversions leave the state as it is, as all encoders without a state do. The state is then
    /// not stored after them.
    const KEEPS_STATE: bool = true;

    /// Whether the encoder has a [`convert_from_utf8`](Self::convert_from_utf8) of its own. Other encoders convert
    /// UTF-8 by way of UTF-16, in a function that all of them share.
    const CONVERTS_UTF_8: bool = false;

    /// The table for an encoder without a state that encodes each character of the table as the table says. A few bytes
    /// of UTF-8 are then encoded without a block of UTF-16. `None` for other encoders.
    const PAIRS: Option<&'static ToDoubleByte<'static>> = None;

    /// Whether [`PAIRS`](Self::PAIRS) has characters from U+A000 to U+DFFF, most of which are Hangul. If not, a source
    /// that begins with such a character goes through a block of UTF-16 at once.
    const PAIRS_HAVE_HANGUL: bool = true;

    /// The greatest lengths in the error mode html. The longest character reference for two bytes of UTF-8 is
    /// `&#2047;`, and for a code unit `&#65535;`.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 0 };

    /// The greatest lengths in the error mode fatal. gb18030 writes four bytes for a character of two bytes in UTF-8.
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 2, per_code_unit: 4, at_end: 0 };

    /// The [handler](https://encoding.spec.whatwg.org/#handler): takes `code_point`, which was read from `io_queue`.
    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char>;

    /// Encodes a prefix of `source`, which is UTF-16, into the front of `destination`. Returns how many code units were
    /// read and how many bytes were written.
    ///
    /// It stops before an error, before a surrogate that is unpaired in `source`, and before a character whose bytes do
    /// not fit into `destination`. It may stop earlier, between any two scalar values and also at once: the handler
    /// continues there. It may overwrite bytes of `destination` after those that it has written. The content of
    /// `destination` is arbitrary before the call.
    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let _ = (source, destination);
        (0, 0)
    }

    /// The same as [`convert`](Self::convert), from UTF-8. Only called if [`CONVERTS_UTF_8`](Self::CONVERTS_UTF_8) says
    /// so.
    fn convert_from_utf8(&mut self, source: &str, destination: &mut [u8]) -> (usize, usize) {
        let _ = (source, destination);
        (0, 0)
    }

    /// The state in one word. A new instance is 0; its handler answers end-of-queue with finished.
    fn pack(self) -> u16;

    /// The instance of a codec's encoder with the state `word`. 0 makes a new instance. `half` has the facts of the
    /// codec.
    fn unpack(half: &'static EncoderHalf, word: u16) -> Self;
}

/// Items that a handler restored, in the order in which they are read again. No handler may restore more than three
/// items: gb18030 restores « second, third, byte ».
#[derive(Clone, Copy, Debug)]
pub struct Restored<T> {
    items: [T; 3],
    length: u8,
}

impl Restored<u8> {
    /// No bytes.
    pub const EMPTY: Self = Restored { items: [0; 3], length: 0 };
}

#[cfg(feature = "encode")]
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

    /// Whether there are no items.
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

    /// Appends `item`.
    pub(crate) fn push(&mut self, item: T) {
        if let Some(to) = self.items.get_mut(usize::from(self.length)) {
            *to = item;
            self.length += 1;
        }
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl<T: Copy> Restore<T> for Restored<T> {
    fn restore(&mut self, items: &[T]) {
        debug_assert!(self.len() + items.len() <= self.items.len());
        // The items are restored one by one, because this loop is small and cannot panic. The compiler copies it into
        // nearly every handler.
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
/// With debug assertions, if `leading` is not in 0xD800 to 0xDBFF or `trailing` not in 0xDC00 to 0xDFFF. Other programs
/// are smaller without a panic; the result then has no meaning.
#[must_use]
pub fn scalar_value_from_surrogates(leading: u16, trailing: u16) -> char {
    debug_assert!(matches!((leading, trailing), (0xD800..=0xDBFF, 0xDC00..=0xDFFF)));
    let value = 0x10000 + ((u32::from(leading) - 0xD800) << 10) + (u32::from(trailing) - 0xDC00);
    // Two surrogates always make a scalar value.
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
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
