//! Functions that the `convert` of several encodings share. The Standard has no counterpart to these functions.
//!
//! Each encoding converts in bulk between its bytes and UTF-16. The functions here convert between that UTF-16 and
//! UTF-8, in a block of code units that stays in the first-level cache.

use core::mem::MaybeUninit;

use textcodec_kernels::{
    ascii,
    blocks::{skip, skip_mut, up_to, up_to_mut},
    string::{self, Utf8Space, Utf8Writer, Utf8Written},
    utf16::surrogates,
};
#[cfg(feature = "encode")]
use textcodec_kernels::{
    to_double_byte::{self, ToDoubleByte},
    utf16,
};

use crate::{DecoderErrorMode, handler::DecoderHandler};
#[cfg(feature = "encode")]
use crate::{
    EncoderHalf,
    handler::{Bytes, scalar_value_from_surrogates},
};

pub(crate) mod double_byte;

pub use double_byte::{Beyond, Kept, Pairs, nothing_beyond};

/// Code units in the block between UTF-16 and UTF-8.
const BLOCK: usize = 1024;
/// The number of code units of the block that the first part of a longer source may use; the parts after it use the
/// whole block. If an error is near, the rest of a part has been converted in vain.
const FIRST_BLOCK: usize = 160;
/// Code units by which the block may be longer than the source: with less space than its vectors, a kernel converts
/// unit by unit. A block is no longer than that because some processors have to clear it first.
const MORE: usize = 64;
/// Decodes the first sequence of a slice: returns its scalar value and length in bytes, or `None` to stop before it.
pub type NextSequence<'a> = dyn FnMut(&[u8]) -> Option<(u32, usize)> + 'a;
/// Encodes a scalar value: returns its bytes, or `None` to stop before it.
#[cfg(feature = "encode")]
pub type NextBytes<'a> = dyn FnMut(char) -> Option<Bytes> + 'a;
/// Converts a prefix of the first slice into the second one, between bytes and UTF-16. Returns `(read, written)`.
pub type Convert<'a, S, D> = dyn FnMut(&[S], &mut [D]) -> (usize, usize) + 'a;

/// [`DecoderHandler::convert`] for an encoding whose ASCII bytes are ASCII: widens runs of ASCII, and calls `next` for
/// each other sequence.
///
/// The function is not generic, because each encoding would have a copy of this long body.
#[inline(never)]
pub fn decode(source: &[u8], destination: &mut [u16], next: &mut NextSequence<'_>) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        // A single ASCII byte, most often a space.
        if let ([byte @ 0x00..=0x7F, 0x80..=0xFF, ..], [to, ..]) = (skip(source, read), skip_mut(destination, written))
        {
            *to = (*byte).into();
            read += 1;
            written += 1;
        } else if source.get(read).is_some_and(u8::is_ascii) {
            let run = ascii::widen(skip(source, read), skip_mut(destination, written));
            read += run;
            written += run;
        }
        // The next byte is not ASCII, so `next` never gets ASCII.
        if read == source.len() || written == destination.len() {
            return (read, written);
        }
        let Some((code_point, length)) = next(skip(source, read)) else { return (read, written) };
        match (u16::try_from(code_point), skip_mut(destination, written)) {
            (Ok(unit), [first, ..]) => {
                *first = unit;
                written += 1;
            }
            (Err(_), [first, second, ..]) => {
                [*first, *second] = surrogates(code_point);
                written += 2;
            }
            _ => return (read, written),
        }
        read += length;
    }
}

/// [Bulk conversion](crate::handler::EncoderHandler::convert) from UTF-16 to an encoding of ASCII, single bytes and
/// pairs of bytes. The kernel converts the characters that have pointers, and `beyond` converts the others. The first
/// characters go to `beyond` if `begins_beyond`: a first call of the kernel would convert nothing.
#[cfg(feature = "encode")]
#[inline(never)]
pub fn encode_double_byte(
    encoding: &ToDoubleByte<'_>,
    begins_beyond: bool,
    source: &[u16],
    destination: &mut [u8],
    beyond: &mut Convert<'_, u16, u8>,
) -> (usize, usize) {
    let (mut read, mut written) = if begins_beyond { beyond(source, destination) } else { (0, 0) };
    while read < source.len() {
        let (units, bytes) = to_double_byte::from_utf16(encoding, skip(source, read), skip_mut(destination, written));
        read += units;
        written += bytes;
        if source.get(read).is_none_or(|&unit| unit < 0x80) {
            break;
        }
        let (units, bytes) = beyond(skip(source, read), skip_mut(destination, written));
        read += units;
        written += bytes;
        if units == 0 {
            break;
        }
    }
    (read, written)
}

/// [Bulk conversion](crate::handler::EncoderHandler::convert) from UTF-16 to an encoding whose ASCII bytes are ASCII:
/// narrows runs of ASCII, and calls `next` for each other scalar value.
#[cfg(feature = "encode")]
#[inline(never)]
pub fn encode(source: &[u16], destination: &mut [u8], next: &mut NextBytes<'_>) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if source.get(read).is_some_and(|&unit| unit < 0x80) {
            let run = ascii::narrow(skip(source, read), skip_mut(destination, written));
            read += run;
            written += run;
        }
        if written == destination.len() {
            return (read, written);
        }
        let Some((code_point, length)) = first_scalar_value(skip(source, read)) else { return (read, written) };
        let Some(bytes) = next(code_point) else { return (read, written) };
        let Some(room) = destination.get_mut(written..written + bytes.len()) else { return (read, written) };
        room.copy_from_slice(&bytes);
        written += room.len();
        read += length;
    }
}

/// The first scalar value of `source` and its number of code units. `None` at the end of `source` and before a
/// surrogate that is unpaired in it. Not inlined, because it has many callers.
#[cfg(feature = "encode")]
#[inline(never)]
#[must_use]
pub fn first_scalar_value(source: &[u16]) -> Option<(char, usize)> {
    match *source {
        [leading @ 0xD800..=0xDBFF, trailing @ 0xDC00..=0xDFFF, ..] => {
            Some((scalar_value_from_surrogates(leading, trailing), 2))
        }
        [unit, ..] => Some((char::from_u32(unit.into())?, 1)),
        [] => None,
    }
}

/// [`DecoderHandler::convert_to_utf8`] by way of UTF-16.
pub fn decode_to_utf8<'id, D: DecoderHandler>(
    decoder: &mut D,
    source: &[u8],
    destination: Utf8Space<'id>,
    mode: DecoderErrorMode,
) -> (usize, Utf8Written<'id>) {
    decode_by_blocks(
        D::UNCHANGED.has_ascii(),
        &mut |source, block| decoder.convert(source, block, mode),
        source,
        destination,
    )
}

/// The number of code units that the first part of `source` may use of a block: all for a short source, otherwise
/// [`FIRST_BLOCK`].
fn first_length(source: &[u8]) -> usize {
    if source.len() <= 2 * FIRST_BLOCK { BLOCK } else { FIRST_BLOCK }
}

/// [`decode_to_utf8`] without the type of the decoder, so that a program has one copy. The call by pointer costs
/// little, because it is made once for a block.
#[inline(never)]
fn decode_by_blocks<'id>(
    has_ascii: bool,
    convert: &mut Convert<'_, u8, u16>,
    source: &[u8],
    destination: Utf8Space<'id>,
) -> (usize, Utf8Written<'id>) {
    let (mut read, mut writer) = (0, destination.writer());
    let mut memory = [MaybeUninit::uninit(); BLOCK];
    let block = string::initialised(&mut memory[..BLOCK.min(source.len() + MORE)]);
    if decode_block(has_ascii, convert, source, &mut writer, up_to_mut(block, first_length(source)), &mut read) {
        while decode_block(has_ascii, convert, source, &mut writer, block, &mut read) {}
    }
    (read, writer.finish())
}

/// Converts a run of ASCII, then as much of the source as fits into `block`. Returns whether another call may convert
/// more.
#[inline(never)]
fn decode_block(
    has_ascii: bool,
    convert: &mut Convert<'_, u8, u16>,
    source: &[u8],
    writer: &mut Utf8Writer<'_>,
    block: &mut [u16],
    read: &mut usize,
) -> bool {
    if has_ascii && source.get(*read).is_some_and(u8::is_ascii) {
        *read += writer.write(|space| space.ascii(skip(source, *read)));
    }
    // A code unit becomes at most three bytes.
    let capacity = block.len().min(writer.remaining() / 3);
    if *read == source.len() || capacity == 0 {
        return false;
    }
    let (bytes, units) = convert(skip(source, *read), &mut block[..capacity]);
    *read += bytes;
    writer.write(|space| space.utf16(up_to(block, units)));
    bytes != 0 && *read < source.len()
}

/// [Bulk conversion](crate::handler::EncoderHandler::convert_from_utf8) from UTF-8 by way of UTF-16, for all encoders
/// that have none of their own. Not generic, so that a program has one copy.
#[cfg(feature = "encode")]
#[inline(never)]
pub(crate) fn encode_from_utf8(
    half: &'static EncoderHalf,
    state: &mut u16,
    source: &str,
    destination: &mut [u8],
) -> (usize, usize) {
    let functions = half.functions();
    let mut done = match functions.pairs {
        // Characters from U+A000 to U+DFFF begin with these bytes.
        Some(_) if !functions.pairs_have_hangul && matches!(source.as_bytes(), [0xEA..=0xED, ..]) => (0, 0),
        Some(pairs) => to_double_byte::few_from_utf8(pairs, source, destination),
        None => (0, 0),
    };
    let convert = &mut |units: &[u16], room: &mut [u8]| (functions.convert)(half, state, units, room);
    let has_ascii = functions.has_ascii;
    let source = source.as_bytes();
    if done.0 == source.len() {
        return done;
    }
    let mut memory = [MaybeUninit::uninit(); BLOCK];
    let block = string::initialised(&mut memory[..BLOCK.min(source.len() + MORE)]);
    // The kernel for markup stops before each sequence of four bytes, and a page may have many of them.
    let pairs = functions.pairs.filter(|_| !half.has_four_bytes());
    if encode_block(has_ascii, pairs, convert, source, destination, up_to_mut(block, first_length(source)), &mut done) {
        while encode_block(has_ascii, pairs, convert, source, destination, block, &mut done) {}
    }
    done
}

/// Converts a run of ASCII, or with `pairs` markup that begins with ASCII, then as much of the source as fits into
/// `block`. Returns whether another call may convert more.
#[cfg(feature = "encode")]
#[inline(never)]
fn encode_block(
    has_ascii: bool,
    pairs: Option<&ToDoubleByte<'_>>,
    convert: &mut Convert<'_, u16, u8>,
    source: &[u8],
    destination: &mut [u8],
    block: &mut [u16],
    (read, written): &mut (usize, usize),
) -> bool {
    if has_ascii && source.get(*read).is_some_and(u8::is_ascii) {
        let (from, to) = (skip(source, *read), skip_mut(destination, *written));
        let (bytes, bytes_written) = match pairs {
            Some(pairs) => to_double_byte::markup_from_utf8(pairs, from, to),
            None => {
                let run = ascii::copy(from, to);
                (run, run)
            }
        };
        *read += bytes;
        *written += bytes_written;
    }
    if *read == source.len() {
        return false;
    }
    // Each call gets at most as many bytes as `block` has code units, because a kernel converts unit by unit where its
    // destination has too little space.
    let end = source.len().min(*read + block.len());
    let (bytes, units) = utf16::from_utf8(source.get(*read..end).unwrap_or_default(), block);
    let (units_read, bytes_written) = convert(up_to(block, units), skip_mut(destination, *written));
    *written += bytes_written;
    if units_read < units {
        *read += utf16::utf8_length(up_to(block, units_read));
        return false;
    }
    *read += bytes;
    *read < source.len()
}
