//! Functions that the `convert` of several encodings share. The Standard has no counterpart to these functions.
//!
//! Each encoding converts in bulk between its bytes and UTF-16. The functions here convert between that UTF-16 and
//! UTF-8, in a block of code units that stays in the first-level cache.

use core::mem::MaybeUninit;

use textcodec_kernels::{
    ascii,
    blocks::{skip, skip_mut, up_to, up_to_mut},
    double_byte::{ALONE, DoubleByte, NULL, is_surrogate},
    string::{self, Utf8Space, Utf8Writer, Utf8Written},
};
#[cfg(feature = "encode")]
use textcodec_kernels::{
    to_double_byte::{self, ToDoubleByte},
    utf16,
};

use crate::{DecodeErrorMode, handler::DecoderHandler};
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
/// The distance in bytes between two sequences that are not in the kernel's table, below which [`decode`] decodes the
/// characters between such sequences itself. A call of the kernel for so few characters takes longer. With 64 bytes,
/// random bytes in Big5 took 1.6 times as long, because the kernel converts them without branches (Zen 4).
const NEAR: u32 = 24;
/// The number of pairs of the table in a row after which [`decode`] stops, so that the kernel goes on.
const PAIRS_IN_A_ROW: u32 = 16;
/// Decodes the first sequence of a slice, which may be empty: returns its one or two code units and its length in
/// bytes. The upper 16 bits are the second code unit, or 0. A length of 0 stops before the sequence, as before ASCII:
/// an `Option` of both numbers would be returned through memory.
pub type NextSequence = fn(&[u8], DecodeErrorMode) -> (u32, usize);
/// Encodes a scalar value: returns its bytes, or `None` to stop before it.
#[cfg(feature = "encode")]
pub type NextBytes<'a> = dyn FnMut(char) -> Option<Bytes> + 'a;
/// Converts a prefix of the first slice into the second one, between bytes and UTF-16. Returns `(read, written)`.
pub type Convert<'a, S, D> = dyn FnMut(&[S], &mut [D]) -> (usize, usize) + 'a;

/// A [`Beyond`] for an encoding of ASCII and pairs, without single bytes: widens runs of ASCII, and calls `next` for
/// each sequence that the kernel leaves to its caller. If the sequence before was near, it also decodes the pairs
/// between them, and replaces errors as `mode` says. `kept` has the length of the source after the call before.
///
/// The function is not generic, because each encoding would have a copy of this long body.
#[inline(never)]
pub fn decode(
    table: &DoubleByte<'_>,
    kept: &mut Kept,
    source: &[u8],
    destination: &mut [u16],
    mode: DecodeErrorMode,
    next: NextSequence,
) -> (usize, usize) {
    let is_near = kept[0].wrapping_sub(source.len() as u32) < NEAR;
    let (mut read, mut written, mut pairs) = (0, 0, if is_near { 0 } else { PAIRS_IN_A_ROW });
    loop {
        let before = read;
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
        // Pairs of the table.
        while pairs < PAIRS_IN_A_ROW {
            let (&[leading @ 0x80..=0xFF, trailing, ..], [to, ..]) =
                (skip(source, read), skip_mut(destination, written))
            else {
                break;
            };
            let unit = table.listed(leading, trailing);
            if unit == NULL || is_surrogate(unit) {
                break;
            }
            *to = unit;
            (read, written, pairs) = (read + 2, written + 1, pairs + 1);
        }
        // Sequences for `next`.
        while let [to, after @ ..] = skip_mut(destination, written) {
            let (units, length) = next(skip(source, read), mode);
            if length == 0 {
                break;
            }
            if units > 0xFFFF {
                let [to, ..] = after else { break };
                *to = (units >> 16) as u16;
                written += 1;
            }
            *to = units as u16;
            (read, written) = (read + length, written + 1);
            if is_near {
                pairs = 0;
            }
        }
        if read != before {
            continue;
        }
        // Here comes a pair of which only the encoding knows the code unit, a malformed pair, or the end of a slice.
        let (&[leading, trailing, ..], [to, ..]) = (skip(source, read), skip_mut(destination, written)) else { break };
        if pairs == PAIRS_IN_A_ROW {
            break;
        }
        let unit = table.pair(leading, trailing);
        if is_surrogate(unit) || unit == NULL && mode == DecodeErrorMode::Fatal {
            break;
        }
        *to = unit;
        // The second byte of a malformed pair is read again if it is ASCII.
        let is_alone = table.rows()[usize::from(leading & 0x7F)] == ALONE;
        read += if unit == NULL && (is_alone || trailing.is_ascii()) { 1 } else { 2 };
        written += 1;
        // After an error, only a sequence for `next` keeps the loop going: the kernel replaces errors without branches.
        pairs = if unit == NULL { PAIRS_IN_A_ROW } else { pairs + 1 };
    }
    kept[0] = (source.len() - read) as u32;
    (read, written)
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
    mode: DecodeErrorMode,
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
