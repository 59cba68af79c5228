//! Bulk decoding of the encodings of ASCII, single bytes and pairs of bytes:
//! [Big5](https://encoding.spec.whatwg.org/#big5), [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp),
//! [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr),
//! [gb18030](https://encoding.spec.whatwg.org/#gb18030), GBK and
//! [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis).
//!
//! For each form of text there are three functions, each of which ends with a jump to the next one. The first chooses
//! by the length of the source. The second decodes a few bytes of ASCII, pairs of the table and sequences of four bytes
//! in one range in one loop, and needs nothing else. The third decodes everything.

use core::mem::MaybeUninit;

use textcodec_kernels::{
    ascii,
    blocks::{skip, skip_mut, up_to},
    double_byte::{self, ALONE, DoubleByte, FEW_BYTES, NULL, is_surrogate},
    four_bytes::Range,
    string::{self, Utf8Space, Utf8Written},
};

use crate::{Codec, DecodeErrorMode};

/// Code units in the block for a run of sequences that are not in the kernel's table. Most runs are words; runs of
/// gb18030's sequences of four bytes may be long.
const RUN_BLOCK: usize = 320;

/// The number of bytes from which on text that begins with a sequence of four bytes is not short.
const FEW_BYTES_OF_FOUR: usize = 128;

/// What these functions know of an encoding.
///
/// In its decoder, the lowest byte of the packed state is the leading byte of a sequence that has begun, or 0x00. The
/// next two bytes are those that follow in gb18030's sequences of four. All other bytes are 0 where
/// [`lets_convert`](crate::Codec::lets_convert) allows bulk conversion.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// The tables for the kernel.
    pub table: DoubleByte<'static>,
    /// The conversion of the sequences that are not in the tables.
    pub beyond: Beyond,
    /// The most frequent range of sequences of four bytes, whose second byte is an ASCII digit. [`Range::NONE`] if
    /// `beyond` converts no such sequences.
    pub four_bytes: Range,
}

/// Converts sequences that are not in the kernel's tables to UTF-16: a prefix of the slice. It may also convert
/// sequences of the tables that follow them, where it is as fast as the kernel. Returns `(read, written)`.
pub type Beyond = fn(&mut Kept, &[u8], &mut [u16], DecodeErrorMode) -> (usize, usize);

/// Numbers that a [`Beyond`] keeps for its next call in the same conversion. In the first call all are 0.
pub type Kept = [u32; 3];

/// The [`Beyond`] of an encoding whose sequences are all in the kernel's tables.
pub fn nothing_beyond(_: &mut Kept, _: &[u8], _: &mut [u16], _: DecodeErrorMode) -> (usize, usize) {
    (0, 0)
}

/// [`DecoderHandler::convert`](crate::handler::DecoderHandler::convert) for an encoding with [`Pairs`]. `state` is the
/// packed state.
///
/// The function begins with the end of a pair that has begun, and puts a leading byte at the end of `source` into the
/// state. So a piece of a stream that cuts characters takes a single call.
pub(crate) fn to_utf16(
    codec: &'static Codec,
    state: &mut u64,
    source: &[u8],
    destination: &mut [u16],
    mode: DecodeErrorMode,
) -> (usize, usize) {
    if is_short(*state, source) {
        return few_to_utf16(codec, state, source, destination, mode);
    }
    more_to_utf16(codec, state, source, destination, mode)
}

/// As [`to_utf16`], for a few bytes.
#[inline(never)]
fn few_to_utf16(
    codec: &'static Codec,
    state: &mut u64,
    source: &[u8],
    destination: &mut [u16],
    mode: DecodeErrorMode,
) -> (usize, usize) {
    if let Some(Pairs { table, four_bytes, .. }) = codec.decoder().pairs {
        if let Some(written) = double_byte::few_to_utf16(table, four_bytes, state, source, destination) {
            return (source.len(), written);
        }
    }
    more_to_utf16(codec, state, source, destination, mode)
}

/// As [`to_utf16`], for any source.
#[inline(never)]
fn more_to_utf16(
    codec: &'static Codec,
    state: &mut u64,
    source: &[u8],
    destination: &mut [u16],
    mode: DecodeErrorMode,
) -> (usize, usize) {
    let Some(Pairs { table, beyond, .. }) = codec.decoder().pairs else { return (0, 0) };
    let (mut read, mut written) = (0, 0);
    if *state != 0 {
        let ([trailing, ..], [to, ..], 0..=0xFF) = (source, &mut *destination, *state) else { return (0, 0) };
        let unit = table.pair(*state as u8, *trailing);
        if unit == NULL || is_surrogate(unit) {
            return (0, 0);
        }
        *to = unit;
        *state = 0;
        (read, written) = (1, 1);
    }
    let kernel = match mode {
        DecodeErrorMode::Fatal => double_byte::to_utf16,
        DecodeErrorMode::Replacement => double_byte::to_utf16_replacing,
    };
    let mut kept = [0; 3];
    let mut begins_beyond = begins_with_four_bytes(skip(source, read));
    loop {
        if !begins_beyond {
            let (bytes, units) = kernel(table, skip(source, read), skip_mut(destination, written));
            read += bytes;
            written += units;
        }
        // The kernel has stopped for good if nothing is left, if one byte is left, which is an incomplete sequence, or
        // if the next byte is ASCII, which means that the destination is full.
        if let [] | [_] | [0x00..=0x7F, ..] = skip(source, read) {
            break;
        }
        let before = read;
        loop {
            let (bytes, units) = beyond(&mut kept, skip(source, read), skip_mut(destination, written), mode);
            (read, written) = (read + bytes, written + units);
            if bytes == 0 || !source.get(read).is_some_and(u8::is_ascii) {
                break;
            }
            // After ASCII, more sequences for `beyond` often follow.
            let run = ascii::widen(skip(source, read), skip_mut(destination, written));
            (read, written) = (read + run, written + run);
            if run == 0 {
                break;
            }
        }
        if read == source.len() || read == before && !begins_beyond {
            break;
        }
        begins_beyond = false;
    }
    // A pair becomes one code unit.
    if written < destination.len() {
        read += take_leading(table, state, skip(source, read));
    }
    (read, written)
}

/// Puts the last byte of a source into the state if it is a leading byte. `rest` is what is left of the source. Returns
/// the number of bytes read.
fn take_leading(table: &DoubleByte<'_>, state: &mut u64, rest: &[u8]) -> usize {
    match *rest {
        [byte @ 0x80..=0xFF] if table.rows()[usize::from(byte & 0x7F)] != ALONE => {
            *state = byte.into();
            1
        }
        _ => 0,
    }
}

/// Whether the loop for a few bytes takes the least time. For sequences of four bytes it does so up to a greater
/// length.
#[inline(always)]
fn is_short(state: u64, source: &[u8]) -> bool {
    source.len() < FEW_BYTES || source.len() < FEW_BYTES_OF_FOUR && (state > 0xFF || begins_with_four_bytes(source))
}

/// Whether `source` seems to begin with gb18030's sequence of four bytes. Then a first call of the kernel would convert
/// nothing: it takes a quarter of the time for 8 bytes. In other encodings these bytes are malformed, or a single byte
/// and a digit.
fn begins_with_four_bytes(source: &[u8]) -> bool {
    matches!(source, [0x81..=0xFE, 0x30..=0x39, ..])
}

/// As [`to_utf16`], to UTF-8.
pub(crate) fn to_utf8<'id>(
    codec: &'static Codec,
    state: &mut u64,
    source: &[u8],
    destination: Utf8Space<'id>,
    mode: DecodeErrorMode,
) -> (usize, Utf8Written<'id>) {
    if is_short(*state, source) {
        return few_to_utf8(codec, state, source, destination, mode);
    }
    more_to_utf8(codec, state, source, destination, mode)
}

/// As [`to_utf8`], for a few bytes.
#[inline(never)]
fn few_to_utf8<'id>(
    codec: &'static Codec,
    state: &mut u64,
    source: &[u8],
    mut destination: Utf8Space<'id>,
    mode: DecodeErrorMode,
) -> (usize, Utf8Written<'id>) {
    if let Some(Pairs { table, four_bytes, .. }) = codec.decoder().pairs {
        match destination.few_double_byte(table, four_bytes, state, source) {
            Ok(written) => return (source.len(), written),
            Err(space) => destination = space,
        }
    }
    more_to_utf8(codec, state, source, destination, mode)
}

/// As [`to_utf8`], for any source.
#[inline(never)]
fn more_to_utf8<'id>(
    codec: &'static Codec,
    state: &mut u64,
    source: &[u8],
    destination: Utf8Space<'id>,
    mode: DecodeErrorMode,
) -> (usize, Utf8Written<'id>) {
    let Some(Pairs { table, beyond, .. }) = codec.decoder().pairs else { return (0, destination.nothing()) };
    let (mut read, mut writer) = (0, destination.writer());
    if *state != 0 {
        let ([trailing, ..], 0..=0xFF) = (source, *state) else { return (0, writer.finish()) };
        if writer.write(|space| space.double_byte(table, &[*state as u8, *trailing])) == 0 {
            return (0, writer.finish());
        }
        *state = 0;
        read = 1;
    }
    let mut kept = [0; 3];
    let mut begins_beyond = begins_with_four_bytes(skip(source, read));
    loop {
        if !begins_beyond {
            let rest = skip(source, read);
            read += writer.write(|space| match mode {
                DecodeErrorMode::Fatal => space.double_byte(table, rest),
                DecodeErrorMode::Replacement => space.double_byte_replacing(table, rest),
            });
        }
        // The kernel has stopped for good if nothing is left, if one byte is left, which is an incomplete sequence, or
        // if the next byte is ASCII, which means that the destination is full.
        if let [] | [_] | [0x00..=0x7F, ..] = skip(source, read) {
            break;
        }
        let before = read;
        let mut memory = [MaybeUninit::uninit(); RUN_BLOCK];
        let block = string::initialised(&mut memory);
        loop {
            // A code unit becomes at most three bytes.
            let capacity = block.len().min(writer.remaining() / 3);
            let (bytes, units) = beyond(&mut kept, skip(source, read), &mut block[..capacity], mode);
            if bytes == 0 {
                break;
            }
            read += bytes;
            writer.write(|space| space.utf16(up_to(block, units)));
            // After ASCII, more sequences for `beyond` often follow.
            let mut run = 0;
            if source.get(read).is_some_and(u8::is_ascii) {
                run = writer.write(|space| space.ascii(skip(source, read)));
                read += run;
            }
            // The block is full, or has space for one more code unit, but not for a surrogate pair.
            let is_full = units != 0 && units + 1 >= capacity;
            if run == 0 && !is_full {
                break;
            }
        }
        if read == source.len() || read == before && !begins_beyond {
            break;
        }
        begins_beyond = false;
    }
    if writer.remaining() != 0 {
        read += take_leading(table, state, skip(source, read));
    }
    (read, writer.finish())
}
