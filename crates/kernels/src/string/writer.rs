//! Destinations into which only UTF-8 is written, and the proof of that.

use core::{marker::PhantomData, mem::MaybeUninit};

use super::short;
use crate::ascii::{self, unshifted};
use crate::double_byte::{self, DoubleByte};
use crate::single_byte::{self, Characters};
use crate::{base::*, four_bytes::Range, latin1, utf8, utf16};
#[cfg(feature = "alloc")]
use alloc::string::String;

/// Memory into which only well-formed UTF-8 is written.
///
/// Each operation consumes the space, writes UTF-8 in whole characters to the front of the memory, and returns a
/// [`Utf8Written`]. That is the number of bytes written, and the proof that they are UTF-8. [`Self::writer`] is for
/// more than one operation.
///
/// `'id` stands for the memory. Every function that makes a space chooses a new `'id`. So a function that is generic
/// over `'id` gets one space with this `'id` and cannot make another, and the `Utf8Written<'id>` that it returns comes
/// from its own space. This is why no code outside of this module can claim that bytes are UTF-8 when they are not.
///
/// A space is a slice and a `Utf8Written` is a number. Both are passed in registers, so that a call through a function
/// pointer is as fast as with a slice and a number.
#[derive(Debug)]
pub struct Utf8Space<'id> {
    bytes: &'id mut [u8],
    id: Id<'id>,
}

/// The number of bytes at the front of the [`Utf8Space`] with the same `'id` that are UTF-8.
#[derive(Debug)]
#[must_use = "the number of bytes written is lost without it"]
pub struct Utf8Written<'id> {
    bytes: usize,
    id: Id<'id>,
}

/// Makes a type invariant in `'id`, so that the compiler accepts no other lifetime in its place.
type Id<'id> = PhantomData<fn(&'id ()) -> &'id ()>;

impl<'id> Utf8Space<'id> {
    /// The length of the memory in bytes.
    #[inline(always)]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// The first `limit` bytes of this space, or all of it if it is not longer.
    #[inline(always)]
    #[must_use]
    pub fn up_to(self, limit: usize) -> Self {
        Utf8Space { bytes: up_to_mut(self.bytes, limit), id: PhantomData }
    }

    /// Writes nothing.
    #[inline(always)]
    pub fn nothing(self) -> Utf8Written<'id> {
        Utf8Written { bytes: 0, id: PhantomData }
    }

    /// A writer for several operations, one after the other.
    #[inline(always)]
    #[must_use]
    pub fn writer(self) -> Utf8Writer<'id> {
        Utf8Writer { bytes: self.bytes, written: 0, id: PhantomData }
    }

    /// Copies the ASCII prefix of `source`, as far as it fits. Returns also its length in bytes.
    #[inline(always)]
    pub fn ascii(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        let length = ascii::copy(source, self.bytes);
        Self::written((length, length))
    }

    /// Copies a prefix of `source` that is ASCII without shifts: [`unshifted::copy_blocks`]. Returns also its length in
    /// bytes.
    #[inline(always)]
    pub fn unshifted(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        let length = unshifted::copy_blocks(source, self.bytes);
        Self::written((length, length))
    }

    /// Copies the prefix of `source` that is well-formed UTF-8, as far as it fits. Returns also its length in bytes.
    #[inline(always)]
    pub fn utf8(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        let length = utf8::copy(source, self.bytes);
        Self::written((length, length))
    }

    /// Copies UTF-8, with U+FFFD in place of malformed sequences: [`utf8::copy_replacing`]. Returns also how many bytes
    /// were read.
    #[inline(always)]
    pub fn utf8_replacing(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(utf8::copy_replacing(source, self.bytes))
    }

    /// Converts the prefix of `source` without an unpaired surrogate, as far as it fits. Returns also how many code
    /// units were read.
    #[inline(always)]
    pub fn utf16(self, source: &[u16]) -> (usize, Utf8Written<'id>) {
        Self::written(utf8::from_utf16(source, self.bytes))
    }

    /// Converts the prefix of UTF-16BE without an unpaired surrogate, as far as it fits. Returns also how many bytes
    /// were read.
    #[inline(always)]
    pub fn utf16_be(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(utf16::be_bytes_to_utf8(source, self.bytes))
    }

    /// Converts the prefix of UTF-16LE without an unpaired surrogate, as far as it fits. Returns also how many bytes
    /// were read.
    #[inline(always)]
    pub fn utf16_le(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(utf16::le_bytes_to_utf8(source, self.bytes))
    }

    /// Converts UTF-16BE, with U+FFFD in place of unpaired surrogates: [`utf16::be_bytes_to_utf8_replacing`]. Returns
    /// also how many bytes were read.
    #[inline(always)]
    pub fn utf16_be_replacing(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(utf16::be_bytes_to_utf8_replacing(source, self.bytes))
    }

    /// Converts UTF-16LE, with U+FFFD in place of unpaired surrogates: [`utf16::le_bytes_to_utf8_replacing`]. Returns
    /// also how many bytes were read.
    #[inline(always)]
    pub fn utf16_le_replacing(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(utf16::le_bytes_to_utf8_replacing(source, self.bytes))
    }

    /// Converts bytes to the code points of equal value, as far as they fit. Returns also how many bytes were read.
    #[inline(always)]
    pub fn latin1(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(latin1::to_utf8(source, self.bytes))
    }

    /// Does the same as [`Self::latin1`], one byte after the other, which is faster for a few bytes.
    #[inline(always)]
    pub fn short_latin1(self, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(short::latin1_to_utf8(source, self.bytes))
    }

    /// Converts ASCII and the bytes of `characters`, and stops as [`single_byte::to_utf8`] does. Returns also how many
    /// bytes were read.
    #[inline(always)]
    pub fn single_byte(self, characters: &Characters, end: u16, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(single_byte::to_utf8(characters, end, source, self.bytes))
    }

    /// As [`single_byte`](Self::single_byte), by [`single_byte::dense_to_utf8`].
    #[inline(always)]
    pub fn dense_single_byte(self, characters: &Characters, end: u16, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(single_byte::dense_to_utf8(characters, end, source, self.bytes))
    }

    /// Converts ASCII, single bytes and pairs, and stops as [`double_byte::to_utf8`] does. Returns also how many bytes
    /// were read.
    #[inline(always)]
    pub fn double_byte(self, encoding: &DoubleByte<'_>, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(double_byte::to_utf8(encoding, source, self.bytes))
    }

    /// Converts a few bytes of ASCII, pairs and sequences of four bytes: [`double_byte::few_to_utf8`]. Gives the space
    /// back if that function does not convert all of them.
    #[inline(always)]
    pub fn few_double_byte(
        self,
        encoding: &DoubleByte<'_>,
        four_bytes: &Range,
        state: &mut u64,
        source: &[u8],
    ) -> Result<Utf8Written<'id>, Self> {
        match double_byte::few_to_utf8(encoding, four_bytes, state, source, self.bytes) {
            Some(written) => Ok(Self::written((0, written)).1),
            None => Err(self),
        }
    }

    /// Converts ASCII, single bytes and pairs, with U+FFFD in place of errors: [`double_byte::to_utf8_replacing`].
    /// Returns also how many bytes were read.
    #[inline(always)]
    pub fn double_byte_replacing(self, encoding: &DoubleByte<'_>, source: &[u8]) -> (usize, Utf8Written<'id>) {
        Self::written(double_byte::to_utf8_replacing(encoding, source, self.bytes))
    }

    /// Makes the proof from the result of a kernel: the number of units that the kernel read, and the number of bytes
    /// that it wrote to the front of its destination. Every kernel that is called above writes whole characters of
    /// UTF-8 only, at every level. No other function makes a proof from a number.
    #[inline(always)]
    fn written((read, bytes): (usize, usize)) -> (usize, Utf8Written<'id>) {
        (read, Utf8Written { bytes, id: PhantomData })
    }
}

/// Writes UTF-8 to a [`Utf8Space`], one piece after the other.
#[derive(Debug)]
pub struct Utf8Writer<'id> {
    bytes: &'id mut [u8],
    /// The number of bytes at the front that are UTF-8.
    written: usize,
    id: Id<'id>,
}

impl<'id> Utf8Writer<'id> {
    /// The number of bytes of space that are left.
    #[inline(always)]
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.written
    }

    /// The number of bytes written.
    #[inline(always)]
    #[must_use]
    pub fn written(&self) -> usize {
        self.written
    }

    /// The text that was written.
    #[inline]
    #[must_use]
    pub fn text(&self) -> &str {
        // SAFETY: only `write` and `push` change `written`. `write` adds a number that is a proof of UTF-8 for the
        // bytes before it, and `push` adds the length of a character.
        unsafe { core::str::from_utf8_unchecked(&self.bytes[..self.written]) }
    }

    /// Ends the writing.
    #[inline(always)]
    pub fn finish(self) -> Utf8Written<'id> {
        Utf8Written { bytes: self.written, id: PhantomData }
    }

    /// Calls `write` with the space after the last character. Returns the first part of the result of `write`.
    #[inline(always)]
    pub fn write<R>(&mut self, write: impl for<'rest> FnOnce(Utf8Space<'rest>) -> (R, Utf8Written<'rest>)) -> R {
        let (result, written) = write(Utf8Space { bytes: after_mut(self.bytes, self.written), id: PhantomData });
        self.written += written.bytes;
        result
    }

    /// Writes `character` if it fits. Returns whether it fits.
    #[inline]
    pub fn push(&mut self, character: char) -> bool {
        let length = character.len_utf8();
        let Some(to) = after_mut(self.bytes, self.written).get_mut(..length) else { return false };
        character.encode_utf8(to);
        self.written += length;
        true
    }
}

/// Calls `write` with `bytes` as the space, and returns its result. Bytes after the last one written may have been
/// overwritten.
///
/// This function is for callers that need no proof.
#[inline(always)]
pub fn write_bytes<R>(bytes: &mut [u8], write: impl for<'id> FnOnce(Utf8Space<'id>, &mut Utf8Written<'id>) -> R) -> R {
    proven(bytes, write).0
}

/// Calls `write` with `bytes` as the space. Returns its result, and the number of bytes that are proven to be UTF-8.
///
/// `write` stores the proof in its second argument, which starts as a proof of nothing. The proof is not returned,
/// because a decoder's result is returned through memory: a pair of both would be copied, and the copy would wait for
/// the stores.
#[inline(always)]
fn proven<R>(bytes: &mut [u8], write: impl for<'id> FnOnce(Utf8Space<'id>, &mut Utf8Written<'id>) -> R) -> (R, usize) {
    let mut written = Utf8Written { bytes: 0, id: PhantomData };
    let result = write(Utf8Space { bytes, id: PhantomData }, &mut written);
    (result, written.bytes)
}

/// Calls `write` with at most `limit` bytes at the front of `string` as the space. Returns its result and the number of
/// bytes written.
///
/// The bytes between the last one written and `limit` become 0, and so does the rest of an old character that `limit`
/// cuts in two. All bytes after them stay as they were, so that the time does not depend on the length of `string`. If
/// `write` panics, all bytes before `limit` become 0.
#[inline]
pub fn write_str<R>(
    string: &mut str,
    limit: usize,
    write: impl for<'id> FnOnce(Utf8Space<'id>, &mut Utf8Written<'id>) -> R,
) -> (R, usize) {
    let limit = limit.min(string.len());
    // SAFETY: only `Repair` has access to the bytes, and its `drop` makes them UTF-8 when this function ends, also by a
    // panic: the bytes before `valid` are UTF-8 by the proof that `proven` checks; zeros follow, up to a character
    // boundary of the old text.
    let bytes = unsafe { string.as_bytes_mut() };
    let mut repair = Repair { bytes, valid: 0, limit };
    let (result, written) = proven(&mut repair.bytes[..limit], write);
    repair.valid = written;
    (result, written)
}

/// The bytes of a `str`: UTF-8 before `valid`, then arbitrary bytes before `limit`, then the old text, whose first
/// character may be cut in two.
struct Repair<'a> {
    bytes: &'a mut [u8],
    valid: usize,
    limit: usize,
}

impl Drop for Repair<'_> {
    fn drop(&mut self) {
        let is_continuation = |byte: &&u8| **byte & 0xC0 == 0x80;
        let cut_off = self.bytes[self.limit..].iter().take_while(is_continuation).count();
        self.bytes[self.valid..self.limit + cut_off].fill(0);
    }
}

/// Converts short text into the front of `string` as [`short::utf16_to_utf8`] does, and returns its result; `None`,
/// without a change, if other functions are faster. Only the rest of an old character that the text cuts in two becomes
/// 0.
#[inline]
pub fn write_short_utf16(string: &mut str, text: &[u16]) -> Option<(usize, usize)> {
    write_exactly(string, |bytes| {
        if let Some(length) = short::narrow_ascii(text, bytes) {
            return Some((length, length));
        }
        short::has_few_units(text).then(|| short::utf16_to_utf8(text, bytes))
    })
}

/// Converts short Latin-1 into the front of `string`; see [`write_short_utf16`].
#[inline]
pub fn write_short_latin1(string: &mut str, latin1: &[u8]) -> Option<(usize, usize)> {
    write_exactly(string, |bytes| {
        if let Some(length) = short::copy_ascii(latin1, bytes) {
            return Some((length, length));
        }
        short::has_few_bytes(latin1).then(|| short::latin1_to_utf8(latin1, bytes))
    })
}

/// Calls `write` with the bytes of `string`, and returns its result. `write` must write whole characters to the front
/// of the bytes and change no byte after them; it returns `(read, written)`, or `None` if it has written nothing.
#[inline(always)]
fn write_exactly(string: &mut str, write: impl FnOnce(&mut [u8]) -> Option<(usize, usize)>) -> Option<(usize, usize)> {
    /// Makes all bytes 0 when it is dropped, which only a panic causes.
    struct Cleared<'a>(&'a mut [u8]);

    impl Drop for Cleared<'_> {
        fn drop(&mut self) {
            self.0.fill(0);
        }
    }

    // SAFETY: the two functions above call this one, and what they write is UTF-8: ASCII, or the whole characters of
    // the other functions of `short`, which change nothing after them. The loop below clears the rest of an old
    // character that the new text cuts in two, and `Cleared` clears everything after a panic. So the bytes are UTF-8
    // when this function ends.
    let bytes = unsafe { string.as_bytes_mut() };
    let guard = Cleared(bytes);
    let result = write(guard.0);
    let mut end = result.map_or(0, |(_, written)| written);
    while let Some(byte @ 0x80..=0xBF) = guard.0.get_mut(end) {
        *byte = 0;
        end += 1;
    }
    core::mem::forget(guard);
    result
}

/// Calls `write` with `memory` as the space. Returns its result and the text written.
#[inline]
pub fn write_uninit<R>(
    memory: &mut [MaybeUninit<u8>],
    write: impl for<'id> FnOnce(Utf8Space<'id>, &mut Utf8Written<'id>) -> R,
) -> (R, &mut str) {
    let bytes = initialised(memory);
    let (result, written) = proven(bytes, write);
    // SAFETY: `proven` returns the number of bytes that are UTF-8 by the proof.
    (result, unsafe { core::str::from_utf8_unchecked_mut(&mut bytes[..written]) })
}

/// Calls `write` with at most `limit` bytes of the spare capacity of `string` as the space, and appends the text
/// written. Returns the result of `write` and the number of bytes written. Never allocates. If `write` panics, `string`
/// is as before.
#[cfg(feature = "alloc")]
#[inline]
pub fn append<R>(
    string: &mut String,
    limit: usize,
    write: impl for<'id> FnOnce(Utf8Space<'id>, &mut Utf8Written<'id>) -> R,
) -> (R, usize) {
    // SAFETY: `write` writes to the spare capacity only, and the vector grows only by the `text` that `write_uninit`
    // returns.
    let vector = unsafe { string.as_mut_vec() };
    let length = vector.len();
    let (result, text) = write_uninit(up_to_mut(vector.spare_capacity_mut(), limit), write);
    let written = text.len();
    // SAFETY: `text` is the first `written` bytes of the spare capacity, and a `str` is initialised.
    unsafe { vector.set_len(length + written) };
    (result, written)
}
