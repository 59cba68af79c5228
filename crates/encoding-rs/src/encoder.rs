//! [`Encoder`], over the engine's encoder.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::{fmt, iter::once};

use textcodec_core::{EncodeResult, EncodeStatus, EncoderErrorMode, Unmappable};
use textcodec_kernels::blocks::{after, after_mut, up_to};
#[cfg(feature = "alloc")]
use textcodec_kernels::string;

use crate::{
    CoderResult, EncoderResult, Encoding,
    shape::{Previous, Shape},
};

/// The length of the longest character reference, `&#1114111;`. An encoder that replaces unmappable characters leaves this number of
/// bytes free.
const REFERENCE: usize = 10;

/// An encoder for a stream of text that arrives in slices of UTF-8 or UTF-16, into slices of bytes.
///
/// Every method encodes a source into a destination, and returns why it stopped, how many units of the source it has read and how many
/// bytes of the destination it has written. Bytes after those may have been overwritten, too. `last` says that the stream ends with the
/// source; only ISO-2022-JP makes a difference. The methods without `_without_replacement` in their names write a decimal character
/// reference such as `&#9731;` for each unmappable character, and return also whether there was one.
///
/// An unpaired surrogate is U+FFFD. So is a surrogate pair that is cut into two sources: each half is unpaired in its source.
///
/// # Destinations
///
/// An encoder reads a character only if the longest bytes of a character fit: one byte to four bytes, three in ISO-2022-JP. A method that
/// writes character references also keeps ten bytes free, unless the encoding is UTF-8; so a shorter destination is always full.
pub struct Encoder {
    encoding: &'static Encoding,
    encoder: textcodec_core::Encoder,
}

impl Encoder {
    /// An encoder of `encoding`, which is an output encoding.
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        let encoder = textcodec_core::Encoder::new(encoding.for_encoding());
        Encoder { encoding, encoder: encoder.expect("every output encoding has an encoder") }
    }

    /// The engine's encoder, for whole texts.
    #[cfg(feature = "alloc")]
    pub(crate) fn engine(&mut self) -> &mut textcodec_core::Encoder {
        &mut self.encoder
    }

    /// The encoding of the output.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Whether this is an encoder of ISO-2022-JP that is not in its ASCII state, so that the end of the stream writes an escape sequence.
    pub fn has_pending_state(&self) -> bool {
        self.encoder.has_pending_state()
    }

    /// The greatest number of bytes that the next `byte_length` bytes of UTF-8 and the end of the stream can need with replacement, if all
    /// characters can be encoded. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf8_if_no_unmappables(&self, byte_length: usize) -> Option<usize> {
        self.with_reference(self.max_buffer_length_from_utf8_without_replacement(byte_length)?)
    }

    /// The greatest number of bytes that the next `byte_length` bytes of UTF-8 and the end of the stream can need without replacement.
    /// `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf8_without_replacement(&self, byte_length: usize) -> Option<usize> {
        match self.encoding.shape {
            Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Big5 => byte_length.checked_add(1),
            Shape::Gbk => byte_length.checked_add(3),
            Shape::Gb18030 => byte_length.checked_mul(2)?.checked_add(2),
            Shape::Iso2022Jp => byte_length.checked_mul(3)?.checked_add(3),
            _ => Some(byte_length),
        }
    }

    /// The greatest number of bytes that the next `u16_length` code units of UTF-16 and the end of the stream can need with replacement, if
    /// all characters can be encoded. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf16_if_no_unmappables(&self, u16_length: usize) -> Option<usize> {
        self.with_reference(self.max_buffer_length_from_utf16_without_replacement(u16_length)?)
    }

    /// The greatest number of bytes that the next `u16_length` code units of UTF-16 and the end of the stream can need without
    /// replacement. `None` if the number is greater than [`usize::MAX`].
    pub fn max_buffer_length_from_utf16_without_replacement(&self, u16_length: usize) -> Option<usize> {
        match self.encoding.shape {
            Shape::EucJp | Shape::EucKr | Shape::ShiftJis | Shape::Big5 => u16_length.checked_mul(2),
            Shape::Gbk => u16_length.checked_mul(2)?.checked_add(2),
            Shape::Gb18030 => u16_length.checked_mul(4),
            Shape::Utf8 => u16_length.checked_mul(3),
            // An escape sequence and two bytes for every other code unit, if half-width katakana take turns with ASCII.
            Shape::Iso2022Jp => u16_length.checked_mul(4)?.checked_add(u16_length.div_ceil(2))?.checked_add(3),
            _ => Some(u16_length),
        }
    }

    /// Adds the space for a character reference, which the methods with replacement keep free.
    fn with_reference(&self, length: usize) -> Option<usize> {
        if self.encoding.shape == Shape::Utf8 { Some(length) } else { length.checked_add(REFERENCE) }
    }

    /// Encodes `src` into the front of `dst`. Unmappable characters become character references.
    #[inline]
    pub fn encode_from_utf8(&mut self, src: &str, dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.encode(src, dst, last)
    }

    /// Encodes `src` and appends the bytes to `dst`, as far as the spare capacity goes: `dst` never grows. Unmappable characters become
    /// character references. Returns no number of bytes written, because the length of `dst` tells it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode_from_utf8_to_vec(&mut self, src: &str, dst: &mut Vec<u8>, last: bool) -> (CoderResult, usize, bool) {
        let ((result, read, _, had_errors), _) = string::append_units(dst, usize::MAX, |bytes| {
            let done = self.encode(src, bytes, last);
            let written = done.2;
            (done, written)
        });
        (result, read, had_errors)
    }

    /// Encodes `src` into the front of `dst`, and stops after an unmappable character.
    #[inline]
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        self.encode_without_replacement(src, dst, last)
    }

    /// Encodes `src` and appends the bytes to `dst`, as far as the spare capacity goes: `dst` never grows. Stops after an unmappable
    /// character. Returns no number of bytes written, because the length of `dst` tells it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode_from_utf8_to_vec_without_replacement(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (EncoderResult, usize) {
        let ((result, read, _), _) = string::append_units(dst, usize::MAX, |bytes| {
            let done = self.encode_without_replacement(src, bytes, last);
            let written = done.2;
            (done, written)
        });
        (result, read)
    }

    /// Encodes `src`, which is UTF-16, into the front of `dst`. Unmappable characters become character references.
    #[inline]
    pub fn encode_from_utf16(&mut self, src: &[u16], dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.encode(src, dst, last)
    }

    /// Encodes `src`, which is UTF-16, into the front of `dst`, and stops after an unmappable character.
    #[inline]
    pub fn encode_from_utf16_without_replacement(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        self.encode_without_replacement(src, dst, last)
    }

    /// Encodes with character references. They may use the last [`REFERENCE`] bytes of the destination, and nothing else does.
    #[inline]
    fn encode<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        if self.encoding.shape == Shape::Utf8 {
            let (result, read, written) = self.encode_without_replacement(source, destination, last);
            let result =
                if result == EncoderResult::InputEmpty { CoderResult::InputEmpty } else { CoderResult::OutputFull };
            return (result, read, written, false);
        }
        let Some(end) = destination.len().checked_sub(REFERENCE) else {
            return (self.result_at(source, last), 0, 0, false);
        };
        let (mut read, mut written, mut had_errors) = (0, 0, false);
        // As long as the bulk conversion has the space for any character, it may write character references, too. The last one can go
        // on in the bytes that are kept free.
        let bulk_end = end.saturating_sub(self.encoding.shape.needed_by_encoder());
        if bulk_end > 0 {
            let whole = source.without_leading_surrogates_at_end();
            let bulk = whole.encode(&mut self.encoder, &mut destination[..bulk_end], EncoderErrorMode::Html);
            let rest = after_mut(destination, bulk.written);
            let reference = self.encoder.encode_from_utf8("", rest, false, EncoderErrorMode::Html);
            (read, written, had_errors) = (bulk.read, bulk.written + reference.written, bulk.had_errors);
        }
        let mut previous = self.previous(source, read, up_to(destination, written));
        while written < end || written == 0 {
            let result = self.finish(source, &mut destination[..end], last, &mut read, &mut written, previous);
            match result {
                EncoderResult::InputEmpty => return (CoderResult::InputEmpty, read, written, had_errors),
                EncoderResult::OutputFull => return (CoderResult::OutputFull, read, written, had_errors),
                EncoderResult::Unmappable(character) => {
                    had_errors = true;
                    let mut buffer = [0; 4];
                    let text = character.encode_utf8(&mut buffer);
                    let rest = after_mut(destination, written);
                    written += self.encoder.encode_from_utf8(text, rest, false, EncoderErrorMode::Html).written;
                    previous = Previous::Nothing;
                }
            }
        }
        (self.result_at(source.after(read), last), read, written, had_errors)
    }

    /// The result of a call that has no space left and whose source has `rest` left.
    fn result_at<T: Text + ?Sized>(&self, rest: &T, last: bool) -> CoderResult {
        if rest.length() == 0 && !(last && self.has_pending_state()) {
            CoderResult::InputEmpty
        } else {
            CoderResult::OutputFull
        }
    }

    #[inline]
    fn encode_without_replacement<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let (mut read, mut written) = (0, 0);
        let needed = self.encoding.shape.needed_by_encoder();
        // A character that needs one byte is unmappable or fills it, so the bulk conversion may fill the destination.
        let limit = if needed == 1 { destination.len() } else { destination.len().saturating_sub(needed) };
        if limit > 0 {
            let whole = source.without_leading_surrogates_at_end();
            let bulk = whole.encode(&mut self.encoder, &mut destination[..limit], EncoderErrorMode::Fatal);
            (read, written) = (bulk.read, bulk.written);
            if let EncodeStatus::Unmappable(Unmappable { code_point, .. }) = bulk.status {
                // Without space, encoding_rs does not read the unmappable character.
                if needed > destination.len() - written {
                    return (EncoderResult::OutputFull, read - T::length_of(code_point), written);
                }
                return (EncoderResult::Unmappable(code_point), read, written);
            }
        }
        if read == source.length() && !(last && self.has_pending_state()) {
            return (EncoderResult::InputEmpty, read, written);
        }
        let previous = self.previous(source, read, up_to(destination, written));
        let result = self.finish(source, destination, last, &mut read, &mut written, previous);
        (result, read, written)
    }

    /// What a call has encoded from the first `read` units of `source` into `bytes`.
    fn previous<T: Text + ?Sized>(&self, source: &T, read: usize, bytes: &[u8]) -> Previous {
        let mut bytes = bytes.iter().rev();
        let characters = source.before(read).map_while(|character| match (character.is_ascii(), bytes.next()) {
            // A character reference ends with a semicolon, and no other character that is not ASCII does.
            (false, Some(b';')) => None,
            _ => Some(character),
        });
        self.encoding.shape.previous(characters, None)
    }

    /// Encodes character by character, where the destination is nearly full, and the end of the stream.
    #[inline(never)]
    fn finish<T: Text + ?Sized>(
        &mut self,
        source: &T,
        destination: &mut [u8],
        last: bool,
        read: &mut usize,
        written: &mut usize,
        mut previous: Previous,
    ) -> EncoderResult {
        let shape = self.encoding.shape;
        loop {
            let free = destination.len() - *written;
            let Some((character, length)) = source.after(*read).first() else {
                if last && self.has_pending_state() {
                    if free < shape.needed_by_encoder() {
                        return EncoderResult::OutputFull;
                    }
                    let rest = after_mut(destination, *written);
                    *written += self.encoder.encode_from_utf8("", rest, true, EncoderErrorMode::Fatal).written;
                }
                return EncoderResult::InputEmpty;
            };
            let needed = match shape {
                Shape::Utf8 => character.len_utf8(),
                Shape::Iso2022Jp => shape.needed_by_encoder(),
                _ if character.is_ascii() && previous != Previous::Long => 1,
                _ => shape.needed_by_encoder(),
            };
            if free < needed {
                return EncoderResult::OutputFull;
            }
            // No more than the space for one step, so that ISO-2022-JP writes an escape sequence or a character.
            let to = &mut destination[*written..*written + needed];
            let mut buffer = [0; 4];
            let text = character.encode_utf8(&mut buffer);
            let done = self.encoder.encode_from_utf8(text, to, false, EncoderErrorMode::Fatal);
            *written += done.written;
            match done.status {
                EncodeStatus::InputEmpty => {
                    *read += length;
                    previous = match shape.previous(once(character), None) {
                        // The character goes on with the run.
                        Previous::Nothing => previous,
                        other => other,
                    };
                }
                EncodeStatus::OutputFull => {}
                // After the escape sequence to ASCII, a control character of ISO-2022-JP needs space of its own.
                EncodeStatus::Unmappable(_) if character.is_ascii() && done.written > 0 => {}
                EncodeStatus::Unmappable(Unmappable { code_point, .. }) => {
                    *read += length;
                    return EncoderResult::Unmappable(code_point);
                }
            }
        }
    }
}

/// A slice of text, in UTF-8 or UTF-16.
trait Text {
    /// The number of units.
    fn length(&self) -> usize;

    /// The units from `at` on.
    fn after(&self, at: usize) -> &Self;

    /// The number of units of a character.
    fn length_of(character: char) -> usize;

    /// The first character, U+FFFD for an unpaired surrogate, and its number of units.
    fn first(&self) -> Option<(char, usize)>;

    /// The characters before `at`, last one first. Each half of a surrogate pair may be one that is not ASCII.
    fn before(&self, at: usize) -> impl Iterator<Item = char>;

    /// This text without leading surrogates at its end. The engine's encoder would keep the last one for the next source.
    fn without_leading_surrogates_at_end(&self) -> &Self;

    /// Calls the engine's encoder.
    fn encode(
        &self,
        encoder: &mut textcodec_core::Encoder,
        destination: &mut [u8],
        mode: EncoderErrorMode,
    ) -> EncodeResult;
}

impl Text for str {
    #[inline(always)]
    fn length(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn after(&self, at: usize) -> &Self {
        self.get(at..).unwrap_or_default()
    }

    fn length_of(character: char) -> usize {
        character.len_utf8()
    }

    fn first(&self) -> Option<(char, usize)> {
        let character = self.chars().next()?;
        Some((character, character.len_utf8()))
    }

    fn before(&self, at: usize) -> impl Iterator<Item = char> {
        self.get(..at).unwrap_or_default().chars().rev()
    }

    #[inline(always)]
    fn without_leading_surrogates_at_end(&self) -> &Self {
        self
    }

    #[inline(always)]
    fn encode(
        &self,
        encoder: &mut textcodec_core::Encoder,
        destination: &mut [u8],
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        encoder.encode_from_utf8(self, destination, false, mode)
    }
}

impl Text for [u16] {
    #[inline(always)]
    fn length(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn after(&self, at: usize) -> &Self {
        after(self, at)
    }

    fn length_of(character: char) -> usize {
        character.len_utf16()
    }

    fn first(&self) -> Option<(char, usize)> {
        let character = char::decode_utf16(self.iter().copied()).next()?;
        Some(character.map_or((char::REPLACEMENT_CHARACTER, 1), |character| (character, character.len_utf16())))
    }

    fn before(&self, at: usize) -> impl Iterator<Item = char> {
        up_to(self, at).iter().rev().map(|&unit| char::from_u32(unit.into()).unwrap_or('\u{FFFE}'))
    }

    #[inline(always)]
    fn without_leading_surrogates_at_end(&self) -> &Self {
        let mut text = self;
        while let [before @ .., 0xD800..=0xDBFF] = text {
            text = before;
        }
        text
    }

    #[inline(always)]
    fn encode(
        &self,
        encoder: &mut textcodec_core::Encoder,
        destination: &mut [u8],
        mode: EncoderErrorMode,
    ) -> EncodeResult {
        encoder.encode_from_utf16(self, destination, false, mode)
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}
