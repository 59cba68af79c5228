//! UTF-8: validation, copying, and conversion to UTF-16.
//!
//! # Into UTF-16
//!
//! One step converts 64 bytes. Three vectors are loaded: the bytes of the block, the bytes one position further on, and
//! the bytes two positions further on. At the position where a code unit starts, the three vectors together hold every
//! byte that the unit is made of. So the three vectors are compressed by the mask of these starts, and each unit is
//! assembled in a lane of 16 bits:
//!
//! ```text
//! bytes            a    D0 94  E2 82 AC  F0 9F 92 A9        starts of units marked ^
//!                  ^    ^      ^         ^     ^
//! first            a    D0     E2        F0    92
//! second           D0   94     82        9F    A9
//! third            94   E2     AC        92    …
//! unit             0061 0414   20AC      D83D  DCA9
//! ```
//!
//! A character of four bytes starts two units: the leading surrogate starts at its first byte and the trailing
//! surrogate at its third byte. The ten bits of the trailing surrogate all come from the third and the fourth byte.
//!
//! [`to_utf16_in_bulk`] takes blocks at fixed distances of 64 bytes, even where that cuts a character. A character is
//! converted in the block that holds its first byte; [`Pending`] says which continuation bytes the next block must
//! begin with. So the address of the next block does not depend on the contents of this one, and the processor can work
//! on several blocks at a time.
//!
//! A block that is malformed, or that is too close to the end of either slice, is left to [`Sequences`]. For
//! [`Sequences`], every block begins with a character, and masks say which sequences are malformed.

use super::{
    ascii::{self, widened},
    compress::compress,
    memory::{
        Constants, load, load_quarter, load_up_to, lowest, numbered, store, store_units, store_units_up_to,
        store_up_to, table,
    },
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut, up_to},
    scalar, utf8_pairs as pairs,
};
use core::arch::x86_64::*;

/// The body of [`crate::utf8::valid_up_to`]. Short text is mostly well-formed, and 64 to 128 bytes are often ASCII;
/// both are tried before the general body, which loads many constants first.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    let is_well_formed = match source.len() {
        ..64 => is_well_formed(source),
        64..=128 => begins_with_ascii(source),
        _ => false,
    };
    if is_well_formed {
        return source.len();
    }
    let is_run = source.len() > 128 && begins_with_ascii(source);
    let run = if is_run { ascii::prefix_length(source) } else { 0 };
    if run == source.len() { run } else { run + validate(after(source, run), &mut [], true) }
}

/// The body of [`crate::utf8::copy`].
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    if length < 64 && is_well_formed(source) {
        store_up_to(load_up_to(source), destination);
        return length;
    }
    copy_beyond(source, destination, true)
}

/// As [`validate`], after a run of ASCII, for a `destination` that is not empty. Whether 64 bytes are ASCII is hard to
/// predict, so [`validate`] takes up to 64 bytes in one step whatever they are.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn copy_beyond(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let is_ascii = source.len() > 64 && begins_with_ascii(source);
    let run = if is_ascii { ascii::copy(source, destination) } else { 0 };
    if run == source.len() { run } else { run + validate(after(source, run), after_mut(destination, run), exact) }
}

/// Whether `source`, at most 64 bytes, is well-formed. If it has exactly 64 bytes, the caller makes sure that its end
/// does not cut off a character.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn is_well_formed(source: &[u8]) -> bool {
    // The load puts 0 in the lanes after fewer than 64 bytes. A character that the end cuts off is followed by such a
    // 0, so the check finds it.
    !has_errors(_mm512_setzero_si512(), load_up_to(source))
}

/// Returns the length of the longest well-formed prefix of `source`. If not `exact`, the prefix may be shorter: it then
/// ends with a whole block.
///
/// `destination` is empty, or at least as long as `source`. If it is not empty, the prefix is copied to it, and bytes
/// after the prefix may be overwritten too. One body serves validation and copying, because it is long. The callers
/// take a run of ASCII off first, because the functions for such runs differ, and a program has only those that it
/// needs.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn validate(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let is_short = source.len() <= 64;
    let source = scalar::utf8::whole(source);
    if is_short && is_well_formed(source) {
        store_unless_empty(load_up_to(source), destination);
        return source.len();
    }
    validate_beyond(source, destination, exact)
}

/// Stores as many of the bytes as `destination` has space for. An empty `destination` is skipped: a masked store of no
/// lanes is slow (see [`address_of`](super::memory)).
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn store_unless_empty(bytes: __m512i, destination: &mut [u8]) {
    if !destination.is_empty() {
        store_up_to(bytes, destination);
    }
}

/// Whether `source` begins with 128 bytes of ASCII, or has 64 to 128 bytes that are all ASCII. Text mostly begins with
/// many ASCII bytes or with few. Fewer than 128 bytes would be a bad sample: the first 64 bytes of German text are
/// ASCII every other time, the first 128 rarely.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn begins_with_ascii(source: &[u8]) -> bool {
    let (Some(first), Some(last)) = (source.first_chunk(), source.last_chunk()) else { return false };
    let second = block(source, 64).unwrap_or(last);
    _mm512_movepi8_mask(_mm512_or_si512(load(first), load(second))) == 0
}

/// The rest of [`validate`], for text that is not all ASCII.
///
/// The first 64 bytes are checked alone and then 256 bytes for each branch: in malformed text the next error is often
/// close to the last one, and 256 bytes would be checked in vain. Invariant of the loop: `done` is a multiple of 64,
/// the first `done` bytes are well-formed but for a character that their end may cut, and `before` holds the last 64 of
/// them (0 at first). When the loop meets an error, [`Sequences`] find its exact position.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn validate_beyond(source: &[u8], destination: &mut [u8], exact: bool) -> usize {
    let constants = Constants::new();
    let mut done = 0;
    let mut before = _mm512_setzero_si512();
    loop {
        let whole = block(source, done);
        // A shorter block is padded with 0, so a character that the end of `source` cuts off counts as an error.
        let is_last = whole.is_none();
        let bytes = whole.map_or_else(|| load_up_to(after(source, done)), |from| load(from));
        store_unless_empty(bytes, after_mut(destination, done));
        if has_errors(before, bytes) {
            break;
        }
        if is_last {
            return source.len();
        }
        before = bytes;
        done += 64;
        while let (64, Some(from)) = (done % 256, block::<_, 256>(source, done)) {
            let ([a, b, c, d], _) = from.as_chunks() else { break };
            let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
            if let Some(to) = block_mut::<_, 256>(destination, done)
                && let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut()
            {
                [(a, to_a), (b, to_b), (c, to_c), (d, to_d)].each(|(bytes, to)| store(bytes, to));
            }
            // If the block before ends with a complete character, 256 bytes of ASCII after it need no check.
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(all) != 0 || ends_inside(before) {
                let errors = |before, bytes| errors(constants, before, bytes);
                let malformed = _mm512_or_si512(
                    _mm512_or_si512(errors(before, a), errors(a, b)),
                    _mm512_or_si512(errors(b, c), errors(c, d)),
                );
                if _mm512_test_epi8_mask(malformed, malformed) != 0 {
                    break;
                }
            }
            before = d;
            done += 256;
        }
    }
    // The first `done` bytes have been copied. A character that their end cuts is taken back, so that the remaining
    // text begins with a character.
    done -= scalar::utf8::begun(up_to(source, done));
    while exact && done < source.len() {
        let rest = after(source, done);
        let sequences = Sequences::first_of(rest);
        let length = sequences.well_formed();
        done += length;
        if length < sequences.length || length == 0 {
            break;
        }
    }
    done
}

/// Whether [`errors`] finds an error in `bytes`, or at the border to the 64 bytes `before` them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn has_errors(before: __m512i, bytes: __m512i) -> bool {
    let malformed = errors(Constants::new(), before, bytes);
    _mm512_test_epi8_mask(malformed, malformed) != 0
}

/// Whether the end of these 64 bytes cuts a character. The last four bytes decide that.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn ends_inside(bytes: __m512i) -> bool {
    let last_four = _mm_extract_epi32::<3>(_mm512_extracti32x4_epi32::<3>(bytes)) as u32;
    scalar::utf8::begun(&last_four.to_le_bytes()) != 0
}

/// The body of [`crate::utf8::to_utf16`]. Up to 64 bytes mostly take one vector; a character that the end of `source`
/// cuts off is left out first.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() <= 64 {
        let whole = scalar::utf8::whole(source);
        if let Some(written) = few_to_utf16(whole, destination) {
            return (whole.len(), written);
        }
    }
    more_to_utf16(source, destination)
}

/// Converts up to 64 bytes if they are well-formed, have no character of four bytes, and the result fits. Returns the
/// number of code units. Returns `None`, and writes nothing, if one of these conditions does not hold.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn few_to_utf16(source: &[u8], destination: &mut [u16]) -> Option<usize> {
    let constants = Constants::new();
    let bytes = load_up_to(source);
    let classes = Classes::of::<4>(constants, bytes, &Pending::default());
    let starts = classes.starts() & lowest(source.len());
    let to = destination.get_mut(..starts.count_ones() as usize)?;
    let units = if _mm512_movepi8_mask(bytes) == 0 {
        widened(bytes)
    } else if classes.four != 0 || !is_well_formed(source) {
        return None;
    } else {
        assemble::<3, true>(constants, [bytes, shifted::<1>(bytes), shifted::<2>(bytes)], starts)?
    };
    store_units_up_to(units, to);
    Some(to.len())
}

/// Converts text of any length: blocks by vectors, and the rest by the scalar body.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (read, written) = convert_to_utf16(false, source, destination);
    let (source, destination) = (after(source, read), after_mut(destination, written));
    let (more_read, more_written) = scalar::utf8::to_utf16(source, destination);
    (read + more_read, written + more_written)
}

/// The body of [`crate::utf8::to_utf16_replacing`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16_replacing(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    convert_to_utf16(true, source, destination)
}

/// Converts to UTF-16. If `replaced`, each error becomes U+FFFD; otherwise the conversion stops before the first error.
/// One function serves both modes, because its code is long.
///
/// Blocks are converted in bulk as far as possible. [`Sequences`] then convert the block at which the bulk conversion
/// stopped, because the block has an error, is cut off, or does not fit; after that block the bulk conversion is tried
/// again.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn convert_to_utf16(replaced: bool, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let constants = Constants::KNOWN;
    // If the first 256 bytes are ASCII, the whole text often is.
    let run = if block(source, 0).is_some_and(|ahead| ascii::is_ascii(ahead)) {
        ascii::widen(source, destination)
    } else {
        0
    };
    let (mut read, mut written) = (run, run);
    loop {
        let (bytes, units) = to_utf16_in_bulk(constants, after(source, read), after_mut(destination, written));
        (read, written) = (read + bytes, written + units);
        let rest = after(source, read);
        if rest.is_empty() {
            break;
        }
        let bytes = load_up_to(rest);
        if _mm512_movepi8_mask(bytes) == 0
            && let Some(to) = destination.get_mut(written..written + rest.len().min(64))
        {
            store_units_up_to(widened(bytes), to);
            (read, written) = (read + to.len(), written + to.len());
            continue;
        }
        let sequences = Sequences::first_of(rest);
        // The sequences to convert, and the starts of their code units: one at the first byte of each sequence, and
        // another one at the third byte of four.
        let length = if replaced { sequences.length } else { sequences.well_formed() };
        let live = lowest(length);
        let of_four = sequences.of_four & live;
        let starts = sequences.characters & live | of_four << 2;
        let Some(to) = destination.get_mut(written..written + starts.count_ones() as usize) else { break };
        let bytes = [bytes, shifted::<1>(bytes), shifted::<2>(bytes)];
        let Some([lower, upper]) = assemble::<4, true>(constants, bytes, starts) else { break };
        // One bit for each code unit: whether it comes from a malformed sequence, in whose place U+FFFD stands.
        let malformed = _pext_u64(sequences.malformed & live, starts);
        let units = [(lower, malformed as u32), (upper, (malformed >> 32) as u32)]
            .each(|(units, malformed)| _mm512_mask_mov_epi16(units, malformed, constants.units(0xFFFD)));
        store_units_up_to(units, to);
        (read, written) = (read + length, written + to.len());
        if length < sequences.length || length == 0 {
            break;
        }
    }
    (read, written)
}

/// Converts whole blocks, as long as they are well-formed and `destination` has space for 64 code units. Returns
/// `(read, written)`, both up to the end of a whole character.
///
/// Invariant of the loop: the first `read` bytes are well-formed but for a character that their end may cut; the code
/// units that start in them have been written; `pending` says how the next block must begin.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_in_bulk(constants: Constants, source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut pending = Pending::default();
    // The number of ASCII blocks to see before the next 256 bytes are tested at a time. Most text has no 256 bytes of
    // ASCII, and each test would be in vain.
    let mut wait = 0_u32;
    // A block needs two bytes after its 64, the second and the third byte of a character that starts with its last
    // byte.
    while let Some(from) = block::<_, 66>(source, read) {
        if wait == 0
            && let Some(ahead) = block::<_, 256>(source, read)
        {
            let ([a, b, c, d], _) = ahead.as_chunks() else { break };
            let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            if _mm512_movepi8_mask(all) | pending.continuations == 0
                && let Some(to) = block_mut::<_, 256>(destination, written)
                && let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut()
            {
                [(a, to_a), (b, to_b), (c, to_c), (d, to_d)].each(|(bytes, to)| store_units(widened(bytes), to));
                (read, written) = (read + 256, written + 256);
                continue;
            }
            wait = 4;
        }
        let Some(to) = block_mut(destination, written) else { break };
        let [first, second, third] = [bytes_from::<0>(from), bytes_from::<1>(from), bytes_from::<2>(from)];
        if _mm512_movepi8_mask(first) | pending.continuations == 0 {
            store_units(widened(first), to);
            (read, written) = (read + 64, written + 64);
            wait = wait.saturating_sub(1);
            continue;
        }
        wait = 1;
        // The block has bytes beyond ASCII. The block is converted by the body for its longest character, which has
        // two, three or four bytes. The bodies for shorter characters have fewer instructions.
        let bytes = [first, second, third];
        let least = |least: u8| _mm512_cmpge_epu8_mask(first, constants.bytes(least));
        let converted = if least(0xE0) | pending.third_of_four == 0 {
            convert::<2>(constants, bytes, &pending)
        } else if least(0xF0) | pending.third_of_four == 0 {
            convert::<3>(constants, bytes, &pending)
        } else {
            convert::<4>(constants, bytes, &pending)
        };
        let Some(converted) = converted else { break };
        store_units(converted.units, to);
        read += 64;
        written += converted.length;
        pending = converted.pending;
    }
    // A character that the end of the last block cuts is taken back, with the code units that its bytes in this block
    // have made: one or two bytes have made one code unit, three bytes have made two.
    match scalar::utf8::begun(up_to(source, read)) {
        0 => (read, written),
        3 => (read - 3, written - 2),
        bytes => (read - bytes, written - 1),
    }
}

/// The code units that start in a block of 64 bytes, their number, and the conditions that the next block must meet.
struct Converted {
    units: [__m512i; 2],
    length: usize,
    pending: Pending,
}

/// Converts a block in which no character has more than `BYTES` bytes. `bytes` are the block and the bytes one and two
/// positions further on. Returns `None` if the block is malformed.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn convert<const BYTES: usize>(constants: Constants, bytes: [__m512i; 3], pending: &Pending) -> Option<Converted> {
    let classes = Classes::of::<BYTES>(constants, bytes[0], pending);
    // Continuation bytes must stand exactly where the leading bytes ask for them.
    if classes.expected != classes.continuation {
        return None;
    }
    let units = assemble::<BYTES, false>(constants, bytes, classes.starts())?;
    Some(Converted { units, length: classes.starts().count_ones() as usize, pending: classes.pending() })
}

/// The body of [`crate::utf8::copy_replacing`].
///
/// Well-formed text is copied by [`copy_beyond`]. The block at which it stops is written again by [`write_replacing`],
/// with U+FFFD for each malformed sequence.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_replacing(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // While there is space for a whole block, `copy_beyond` need not find the exact position of an error:
    // `write_replacing` writes the block with the error completely. If the block with its replacements does not fit,
    // `exact` becomes true and `copy_beyond` finds the last character before the error.
    let mut exact = false;
    loop {
        let (rest, room) = (after(source, read), after_mut(destination, written));
        let fitting = rest.len().min(room.len());
        let length = copy_beyond(up_to(rest, fitting), room.get_mut(..fitting).unwrap_or_default(), exact);
        (read, written) = (read + length, written + length);
        let rest = after(source, read);
        if rest.is_empty() {
            return (read, written);
        }
        let bytes = load_up_to(rest);
        let Sequences { length, characters, malformed, .. } = Sequences::first_of(rest);
        // Only the first byte of each malformed sequence keeps its lane, and the lane becomes the three bytes of
        // U+FFFD.
        let kept = lowest(length) & !rest_of_malformed(characters, malformed);
        let count = (kept.count_ones() + 2 * malformed.count_ones()) as usize;
        let Some(to) = destination.get_mut(written..written + count).filter(|_| length != 0) else {
            if exact || length == 0 {
                return (read, written);
            }
            exact = true;
            continue;
        };
        write_replacing(bytes, kept, malformed, to);
        (read, written) = (read + length, written + count);
    }
}

/// The bytes of malformed sequences, without their first bytes. `starts` are the first bytes of all sequences,
/// `malformed` those of malformed sequences.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn rest_of_malformed(starts: u64, malformed: u64) -> u64 {
    // A malformed sequence has at most three bytes, so at most two after the first.
    let second = malformed << 1 & !starts;
    second | second << 1 & !starts
}

/// Writes the bytes of `kept`, but U+FFFD in place of the bytes of `malformed`. Each of 16 bytes is widened to a lane
/// of 32 bits. A lane of `malformed` is replaced by EF BF BD; of the other lanes only the first byte is kept.
/// Compression then drops the bytes that the lanes do not use.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn write_replacing(bytes: __m512i, kept: u64, malformed: u64, destination: &mut [u8]) {
    let mut all = [0; 64];
    store(bytes, &mut all);
    let mut written = 0;
    for (quarter, bytes) in all.as_chunks().0.iter().enumerate() {
        let [kept, malformed] = [kept, malformed].each(|mask| u64::from((mask >> (16 * quarter)) as u16));
        let replacement = _mm512_set1_epi32(0x00BD_BFEF);
        let lanes = _mm512_mask_mov_epi32(_mm512_cvtepu8_epi32(load_quarter(bytes)), malformed as u16, replacement);
        let live = _pdep_u64(kept, 0x1111_1111_1111_1111) | (_pdep_u64(malformed, 0x1111_1111_1111_1111) * 0b110);
        let count = live.count_ones() as usize;
        if let Some(to) = destination.get_mut(written..written + count) {
            store_up_to(compress(lanes, live), to);
        }
        written += count;
    }
}

/// Up to 64 bytes, divided into sequences. A sequence is a character, or a part of the text that one U+FFFD replaces. A
/// sequence at the end is left out if more bytes could continue it.
struct Sequences {
    /// The number of bytes in the sequences.
    length: usize,
    /// The first byte of each sequence. All bits after the last sequence are set too.
    characters: u64,
    /// The first byte of each malformed sequence.
    malformed: u64,
    /// The first byte of each well-formed character of four bytes.
    of_four: u64,
}

impl Sequences {
    /// [`of`](Self::of) for the first bytes of `source`, out of line: most text has few blocks that need it.
    #[inline(never)]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn first_of(source: &[u8]) -> Self {
        Self::of(load_up_to(source), source)
    }

    /// Divides `bytes`, the first bytes of `source`, into sequences.
    ///
    /// In each mask, bit *n* stands for byte *n*. Shifting a mask of leading bytes to the left by 1, 2 or 3 gives the
    /// positions at which their second, third or fourth bytes must stand.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(bytes: __m512i, source: &[u8]) -> Self {
        let high = _mm512_movepi8_mask(bytes);
        let source = source.first_chunk::<64>().map_or(source, |block| block);
        let length = source.len() - scalar::utf8::begun(source);
        let constants = Constants::new();
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, constants.bytes(least));
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, constants.bytes(byte));
        let (from_90, from_a0, never) = (from(0x90), from(0xA0), from(0xF5));
        let continuation = high & !from(0xC0);
        let [two, three, four] = [from(0xC2), from(0xE0), from(0xF0)].each(|leading| leading & !never);

        // Second bytes that are continuation bytes, but out of the range that their leading byte allows: E0 needs A0 to
        // BF, F0 needs 90 to BF, ED needs 80 to 9F and F4 needs 80 to 8F.
        let too_low = is(0xE0) << 1 & !from_a0 | is(0xF0) << 1 & !from_90;
        let too_high = is(0xED) << 1 & from_a0 | is(0xF4) << 1 & from_90;
        let second = continuation & two << 1 & !too_low & !too_high;
        let third = continuation & (second & three << 1) << 1;
        let fourth = continuation & (third & four << 2) << 1;
        let of_four = four & fourth >> 3;
        // The first bytes of well-formed sequences: ASCII, and leading bytes whose last continuation byte is there.
        let well_formed = !high | two & !three & second >> 1 | three & !four & third >> 2 | of_four;

        // A byte that does not continue a sequence starts one.
        let characters = !(second | third | fourth);
        Sequences { length, characters, malformed: characters & !well_formed & lowest(length), of_four }
    }

    /// The number of bytes before the first malformed sequence.
    #[inline]
    fn well_formed(&self) -> usize {
        self.length.min(self.malformed.trailing_zeros() as usize)
    }
}

/// The classes of 64 bytes: masks with one bit for each byte.
struct Classes {
    /// Leading bytes of characters of at least two bytes.
    two: u64,
    /// Leading bytes of characters of at least three bytes.
    three: u64,
    /// Leading bytes of characters of four bytes.
    four: u64,
    /// Continuation bytes.
    continuation: u64,
    /// The positions at which continuation bytes must stand, because of leading bytes in this block or at the end of
    /// the block before.
    expected: u64,
    /// The positions of third bytes of characters of four, where the trailing surrogates start.
    third_of_four: u64,
}

impl Classes {
    /// Classifies a block in which no character has more than `BYTES` bytes. C0, C1 and F5 to FF count as leading bytes
    /// here; [`assemble`] finds them.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of<const BYTES: usize>(constants: Constants, bytes: __m512i, pending: &Pending) -> Self {
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, constants.bytes(least));
        let two = from(0xC0);
        let three = if BYTES >= 3 { from(0xE0) } else { 0 };
        let four = if BYTES >= 4 { from(0xF0) } else { 0 };
        Self {
            two,
            three,
            four,
            continuation: _mm512_movepi8_mask(bytes) & !two,
            expected: two << 1 | three << 2 | four << 3 | pending.continuations,
            third_of_four: if BYTES >= 4 { four << 2 | pending.third_of_four } else { 0 },
        }
    }

    /// The bytes at which code units start.
    fn starts(&self) -> u64 {
        !self.continuation | self.third_of_four
    }

    /// The conditions that the next block must meet. Shifting by 63, 62 and 61 leaves the leading bytes among the last
    /// one, two and three bytes, at the positions in the next block where their continuation bytes must stand.
    fn pending(&self) -> Pending {
        Pending { continuations: self.two >> 63 | self.three >> 62 | self.four >> 61, third_of_four: self.four >> 62 }
    }
}

/// The conditions that a block must meet because the end of the block before cuts a character. The masks only use the
/// lowest three bits, because a character has at most three bytes in the next block.
#[derive(Default)]
struct Pending {
    /// The positions at which continuation bytes must stand.
    continuations: u64,
    /// The position of the third byte of a character of four, if it is in this block.
    third_of_four: u64,
}

/// Compares each byte with the three bytes before it. A lane of the result is 0 if the byte may stand there, and has a
/// bit set if there is an error. `before` are the 64 bytes before `bytes`.
///
/// Two neighbouring bytes can show most errors. Three tables of 16 entries classify a pair of neighbours: by the upper
/// half of the first byte, by its lower half, and by the upper half of the second byte. Each bit stands for one error,
/// and a pair has an error if all three entries have its bit (see [`utf8_pairs`](crate::utf8_pairs)). Two neighbours
/// cannot show whether the second of two continuation bytes belongs to a character of three or four bytes. The highest
/// bit of the tables says "two continuation bytes"; it must be set exactly where the byte two positions before is at
/// least E0 or the byte three positions before is at least F0. An exclusive or compares the two conditions.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn errors(constants: Constants, before: __m512i, bytes: __m512i) -> __m512i {
    // The bytes shifted by one, two and three lanes, so that each lane holds the byte 1, 2 or 3 positions before its
    // own. `valignd` builds the vector that lags 16 bytes, and `vpalignr` then shifts within 128-bit lanes.
    let lagging = _mm512_alignr_epi32::<12>(bytes, before);
    let first = _mm512_alignr_epi8::<15>(bytes, lagging);
    let by_two = _mm512_alignr_epi8::<14>(bytes, lagging);
    let by_three = _mm512_alignr_epi8::<13>(bytes, lagging);

    let lower_half = constants.bytes(0x0F);
    let upper_half = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), lower_half);
    let of_pair = _mm512_ternarylogic_epi32::<{ AND }>(
        _mm512_shuffle_epi8(table(&pairs::BY_FIRST_UPPER), upper_half(first)),
        _mm512_shuffle_epi8(table(&pairs::BY_FIRST_LOWER), _mm512_and_si512(first, lower_half)),
        _mm512_shuffle_epi8(table(&pairs::BY_SECOND_UPPER), upper_half(bytes)),
    );
    // A saturating subtraction leaves the highest bit set only for bytes of at least E0 (or F0).
    let third = _mm512_subs_epu8(by_two, constants.bytes(0xE0 - 0x80));
    let fourth = _mm512_subs_epu8(by_three, constants.bytes(0xF0 - 0x80));
    // The result is of_pair ^ ((third | fourth) & 0x80).
    let expected = _mm512_ternarylogic_epi32::<{ OR_THEN_AND }>(third, fourth, _mm512_set1_epi8(i8::MIN));
    _mm512_xor_si512(of_pair, expected)
}

/// The truth table of `a & b & c` for `vpternlog`: 0xF0, 0xCC and 0xAA are the columns of a, b and c.
const AND: i32 = 0xF0 & 0xCC & 0xAA;
/// The truth table of `(a | b) & c` for `vpternlog`.
const OR_THEN_AND: i32 = (0xF0 | 0xCC) & 0xAA;

/// Loads 64 of the 66 bytes, from byte `BY` on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn bytes_from<const BY: usize>(bytes: &[u8; 66]) -> __m512i {
    load(bytes[BY..].first_chunk().expect("`BY` is at most 2"))
}

/// Moves each byte down by `BY` lanes, and fills the last lanes with 0.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn shifted<const BY: i8>(bytes: __m512i) -> __m512i {
    _mm512_maskz_permutexvar_epi8(!0 >> BY, _mm512_add_epi8(numbered(), Constants::KNOWN.bytes(BY as u8)), bytes)
}

/// Assembles the code units that start at the bits of `starts`, in order. `bytes` are the bytes of a block and the
/// bytes one and two positions further on. No character has more than `BYTES` bytes. Returns `None` if a character is
/// overlong, a surrogate, or above U+10FFFF. If `TRUSTED`, the caller has checked that there is no such character, and
/// the result is not `None`.
///
/// The result holds 32 code units in each vector. If `BYTES` is 3 and there are at most 32 units, the second vector
/// repeats the first, and its units do not count.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn assemble<const BYTES: usize, const TRUSTED: bool>(
    constants: Constants,
    [first, second, third]: [__m512i; 3],
    starts: u64,
) -> Option<[__m512i; 2]> {
    let [first, second, third] = [compress(first, starts), compress(second, starts), compress(third, starts)];
    let lower = |bytes| _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    let (lower, malformed) = assemble_half::<BYTES>(constants, [lower(first), lower(second), lower(third)]);
    if BYTES == 3 && starts.count_ones() <= 32 {
        return (TRUSTED || malformed == 0).then_some([lower, lower]);
    }
    // `vpermb` moves the bytes of the upper half to even lanes in one step. Moving the half down and widening it would
    // take two.
    let upper = |bytes| _mm512_maskz_permutexvar_epi8(EVEN, load(&UPPER), bytes);
    let (upper, malformed_too) = assemble_half::<BYTES>(constants, [upper(first), upper(second), upper(third)]);
    (TRUSTED || malformed | malformed_too == 0).then_some([lower, upper])
}

/// The even lanes: the lower bytes of 32 code units.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The shuffle that puts bytes 32 to 63 in the even lanes.
static UPPER: [u8; 64] = {
    let mut places = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        places[2 * lane] = 32 + lane as u8;
        lane += 1;
    }
    places
};

/// Assembles 32 code units from the bytes of 32 lanes, each widened to 16 bits. Returns the units and a mask of those
/// that come from a malformed sequence. No character has more than `BYTES` bytes.
///
/// ```text
/// first      second     third           unit
/// 0xxxxxxx                              00000000 0xxxxxxx
/// 110aaabb   10xxxxxx                   00000aaa bbxxxxxx
/// 1110aaaa   10bbbbcc   10xxxxxx        aaaabbbb ccxxxxxx
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn assemble_half<const BYTES: usize>(constants: Constants, [first, second, third]: [__m512i; 3]) -> (__m512i, u32) {
    let set = |value: u16| constants.units(value);
    let and = |units: __m512i, bits: u16| _mm512_and_si512(units, set(bits));
    let from = |least: u16| _mm512_cmpge_epu16_mask(first, set(least));
    let (two, three) = (from(0xC0), from(0xE0));
    let (second, third) = (and(second, 0x3F), and(third, 0x3F));

    let of_two = or(and(_mm512_slli_epi16::<6>(first), 0x7C0), second);
    let mut units = _mm512_mask_mov_epi16(first, two, of_two);
    if BYTES == 2 {
        return (units, _mm512_mask_cmplt_epu16_mask(two, units, set(0x80)));
    }
    let of_three = or(or(_mm512_slli_epi16::<12>(first), _mm512_slli_epi16::<6>(second)), third);
    units = _mm512_mask_mov_epi16(units, three, of_three);
    // The exclusive or with D800 maps surrogates, and only them, below 0x800 among the units from 0x800 on. So the
    // minimum of the unit and this exclusive or is below `least` if the unit is overlong or a surrogate.
    let least = _mm512_mask_mov_epi16(set(0x80), three, set(0x800));
    let flipped = _mm512_xor_si512(units, set(0xD800));
    let mut malformed = _mm512_mask_cmplt_epu16_mask(two, _mm512_min_epu16(units, flipped), least);
    if BYTES == 3 {
        return (units, malformed);
    }
    // A lane of a character of four bytes holds bits 10 to 20 of the code point, from which the leading surrogate is
    // made by adding D7C0. A lane that starts with a continuation byte is the third byte of four: its unit is the
    // trailing surrogate, with bits 0 to 9 of the code point.
    let highest = or(
        or(and(_mm512_slli_epi16::<8>(first), 0x700), _mm512_slli_epi16::<2>(second)),
        _mm512_srli_epi16::<4>(third),
    );
    let leading = _mm512_add_epi16(highest, set(0xD7C0));
    let (four, trailing) = (from(0xF0), from(0x80) & !two);
    units = _mm512_mask_mov_epi16(units, four, leading);
    units = _mm512_mask_mov_epi16(units, trailing, or(and(of_two, 0x3FF), set(0xDC00)));
    // The checks above do not apply to characters of four bytes. Their leading surrogate is out of its range if the
    // code point is less than U+10000 or greater than U+10FFFF.
    malformed &= !four;
    malformed |= _mm512_mask_cmpneq_epi16_mask(four, and(leading, 0xFC00), set(0xD800));
    malformed |= _mm512_mask_cmpge_epu16_mask(four, first, set(0xF5));
    (units, malformed)
}

/// The bitwise or of two vectors.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn or(units: __m512i, others: __m512i) -> __m512i {
    _mm512_or_si512(units, others)
}
