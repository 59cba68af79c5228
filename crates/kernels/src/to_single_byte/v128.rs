//! UTF-8 to single bytes, in vectors of 16 bytes, 32 bytes of UTF-8 a step.
//!
//! A step computes, in the lane of the first byte of each character, the place in a window (its lower seven bits, which
//! are in its last two bytes) and the number of the window (its upper bits). The drawing is in
//! `docs/kernels.md#single-byte-encodings`. The lanes of all other bytes are dropped after the lookup. A window is
//! looked up only if the step has characters that are in no window before it. If few bytes of the step are not ASCII,
//! the step is copied and its other characters are *patched*: each is put in its place, and the text after it is copied
//! to its new position.

pub(crate) mod from_utf16;
#[cfg(not(target_arch = "aarch64"))]
mod letters;
mod near_latin1;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use self::from_utf16::from_private_use;
pub(crate) use self::from_utf16::from_utf16;

use super::scalar;
use super::tables::{ByCodePoint, ByteTable, WINDOWS, Window, WindowBytes};
use crate::ascii::v128::{self as ascii, halves};
use crate::{base::*, single_byte::v128::Table, vector::v128::*};

/// The number of bytes of a step.
const STEP_BYTES: usize = 32;
/// The number of bytes that a step reads, and of space that it needs: the step, the rest of the last character, and 32
/// bytes that are copied after this character.
const STEP_READS_BYTES: usize = STEP_BYTES + 3 + STEP_BYTES;
/// Characters beyond ASCII up to which a step is patched. A lookup takes as many instructions as patching four or five
/// characters.
const PATCH_UP_TO_CHARACTERS: u32 = 4;

/// The body of [`crate::to_single_byte::from_utf8`]. A character outside of all windows is left to the scalar body, as
/// is the end of either slice.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf8(table: &ByteTable, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let by_code_point = table.by_code_point();
    if source.len() < STEP_READS_BYTES {
        return scalar::more_from_utf8(by_code_point, source, destination);
    }
    // Text that is all ASCII needs no tables.
    let run = if cfg!(target_arch = "x86_64") { ascii::copy(source, destination) } else { 0 };
    and_rest((run, run), source, destination, |from, to| long_from_utf8(by_code_point, from, to))
}

/// As [`from_utf8`]. Never inlined, so that short sources do not pay for the memory of the tables.
///
/// A step begins with a character, and copies its 32 bytes before it asks for their kind. ASCII is then done. In a code
/// page near Latin-1, characters up to U+00FF are narrowed ([`narrow`]). Otherwise few characters beyond ASCII are
/// patched ([`patch`]), and many are looked up ([`look_up`]). The step also takes the rest of its last character, so
/// that the next step begins with one. At a character that the step does not encode, the scalar body takes up to eight
/// bytes, and the loop goes on after them.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn long_from_utf8(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= STEP_READS_BYTES {
        let windows = by_code_point.windows().each_ref().each(|window| (window, by_code_point.window_bytes(window)));
        let is_near_latin1 = near_latin1::is_near(by_code_point);
        let mut steps_of_ascii = 0;
        while let (Some(from), Some(room)) = (block(source, read), block_mut(destination, written)) {
            let [first, second] = copy_32(from, 0, room, 0);
            let greatest = vmaxq_u8(first, second);
            if all_below(greatest, 0x80) {
                (read, written) = (read + STEP_BYTES, written + STEP_BYTES);
                // After two steps of ASCII, more often follow.
                steps_of_ascii += 1;
                if steps_of_ascii == 2 {
                    let more = ascii::copy_64s(after(source, read), after_mut(destination, written));
                    (read, written) = (read + more, written + more);
                    steps_of_ascii = 0;
                }
                continue;
            }
            steps_of_ascii = 0;
            let is_leading = [first, second].each(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0xC0)));
            // The byte 0xC3 leads the last characters up to U+00FF.
            if is_near_latin1
                && all_below(greatest, 0xC4)
                && let Some((bytes, characters)) = narrow(from, is_leading, room)
            {
                (read, written) = (read + bytes, written + characters);
                continue;
            }
            let (leading, ends) = bits_and_ends(is_leading);
            let (bytes, characters, is_end) = if ends >> 24 <= PATCH_UP_TO_CHARACTERS {
                patch(&by_code_point, from, leading, room)
            } else {
                look_up(&windows, from, room)
            };
            (read, written) = (read + bytes, written + characters);
            if is_end {
                let few =
                    scalar::up_to_eight_bytes(by_code_point, after(source, read), after_mut(destination, written));
                if few.0 == 0 {
                    return (read, written);
                }
                (read, written) = (read + few.0, written + few.1);
            }
        }
    }
    and_rest((read, written), source, destination, |from, to| scalar::more_from_utf8(by_code_point, from, to))
}

/// Encodes a step whose characters are below U+0100, for a code page near Latin-1. `is_leading` says which bytes lead a
/// character of two bytes. Returns how many bytes were read, and how many characters they have; `None` if there are
/// characters from U+0080 to U+009F.
///
/// For each byte, the step computes the byte of the character that would start there, as
/// [`from_utf8`](crate::latin1::v128::from_utf8) of Latin-1 does. No branch depends on the number of characters beyond
/// ASCII.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn narrow(
    from: &[u8; STEP_READS_BYTES],
    is_leading: [uint8x16_t; 2],
    room: &mut [u8; STEP_READS_BYTES],
) -> Option<(usize, usize)> {
    let [first, second] = [0, 1].each(|at| halves(block(from, at).expect("1 and 32 are at most 67")));
    let bytes = [0, 1].each(|half| vbslq_u8(is_leading[half], vsliq_n_u8::<6>(second[half], first[half]), first[half]));
    let others = [0, 1].each(|half| {
        // As signed numbers, the bytes 0x80 to 0x9F are the least ones.
        let is_low = vcltq_s8(vreinterpretq_s8_u8(bytes[half]), vdupq_n_s8(0xA0_u8 as i8));
        vandq_u8(is_leading[half], is_low)
    });
    if any(vorrq_u8(others[0], others[1])) {
        return None;
    }
    let (_, characters) = compress(bytes, starts(first), room);
    Some((STEP_BYTES + continued(from), characters))
}

/// Moves the results at starts of characters together, eight at a time. Returns one bit for each start, and their
/// number. Not inlined for WebAssembly, where two copies would make the package for browsers larger than its ceiling.
#[cfg_attr(not(target_arch = "wasm32"), inline)]
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn compress(results: [uint8x16_t; 2], starts: [uint8x16_t; 2], room: &mut [u8; STEP_READS_BYTES]) -> (u32, usize) {
    let (starts, ends) = bits_and_ends(starts);
    let mut place = 0;
    for eight in 0..4 {
        let half = results[eight / 2];
        let half = if eight % 2 == 0 { vget_low_u8(half) } else { vget_high_u8(half) };
        // The mask tells the compiler that the access is in bounds.
        let to = block_mut(room, (place & 0x1F) as usize).expect("31 and 8 are at most 67");
        store_eight(compress_bytes(half, (starts >> (8 * eight)) as u8), to);
        place = ends >> (8 * eight);
    }
    (starts, (ends >> 24) as usize)
}

/// Which bytes start a character: all but continuation bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn starts(bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
    // A continuation byte is less than -64 as a signed number.
    bytes.each(|bytes| vcgtq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(-65)))
}

/// Copies the 32 bytes of `from` from `at` on to `room` from `place` on, and returns them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn copy_32(
    from: &[u8; STEP_READS_BYTES],
    at: usize,
    room: &mut [u8; STEP_READS_BYTES],
    place: usize,
) -> [uint8x16_t; 2] {
    let from: &[u8; STEP_BYTES] = block(from, at).expect("the caller's place is at most 35");
    let room: &mut [u8; STEP_BYTES] = block_mut(room, place).expect("the caller's place is at most 35");
    let bytes = halves(from);
    let ([first, second], _) = room.as_chunks_mut() else { unreachable!("32 is twice 16") };
    store(bytes[0], first);
    store(bytes[1], second);
    bytes
}

/// Puts the characters beyond ASCII between those of ASCII, which `room` has already. `leading` has one bit for each
/// byte that leads such a character. Returns how many bytes were read, how many characters they have, and whether the
/// next character has no byte.
///
/// Where the next step begins does not depend on the lookups, so that the next step does not wait for them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn patch(
    by_code_point: &ByCodePoint<'_>,
    from: &[u8; STEP_READS_BYTES],
    leading: u32,
    room: &mut [u8; STEP_READS_BYTES],
) -> (usize, usize, bool) {
    let (mut leading, mut dropped) = (leading, 0);
    while leading != 0 {
        let at = leading.trailing_zeros() as usize & 0x1F;
        let (byte, length) = scalar::beyond_ascii(by_code_point, block(from, at).expect("31 and 3 are at most 67"));
        let place = at - dropped;
        if byte == 0 {
            return (at, place, true);
        }
        room[place & 0x1F] = byte;
        copy_32(from, at + length, room, (place & 0x1F) + 1);
        dropped += length - 1;
        leading &= leading - 1;
    }
    let end = STEP_BYTES + continued(from);
    (end, end - dropped, false)
}

/// The number of bytes after a step that belong to its last character: at most two, because no character of four bytes
/// was converted.
#[inline]
fn continued(from: &[u8; STEP_READS_BYTES]) -> usize {
    let continues = |at: usize| usize::from(from[at] & 0xC0 == 0x80);
    continues(STEP_BYTES) + (continues(STEP_BYTES) & continues(STEP_BYTES + 1))
}

/// Looks the characters of a step up in the windows. Returns how many bytes were read, how many characters they have,
/// and whether the next character is in no window.
///
/// The bytes, and those one and two places further on, are loaded as three pairs of vectors, so that the lane of a
/// character's first byte has all of its bytes. Its last two bytes give the place in a window, and all but the last
/// give the key of the window. Each window that a character belongs to is looked up for all lanes, and a lane takes the
/// result if the key is its own. The other lanes hold something as well, and are dropped when the characters are moved
/// together.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn look_up(
    windows: &[(&Window, WindowBytes<'_>); WINDOWS],
    from: &[u8; STEP_READS_BYTES],
    room: &mut [u8; STEP_READS_BYTES],
) -> (usize, usize, bool) {
    let [first, second, third] = [0, 1, 2].each(|at| halves(block(from, at).expect("2 and 32 are at most 67")));
    let set = |byte: u8| vdupq_n_u8(byte);
    let three = first.each(|first| vcgeq_u8(first, set(0xE0)));
    let both = |a: [uint8x16_t; 2], b: [uint8x16_t; 2]| [0, 1].each(|half| vbslq_u8(three[half], a[half], b[half]));
    let (last_but_one, last) = (both(second, first), both(third, second));
    // The lowest six bits of the last byte, and above them the lowest bit of the last but one.
    let places = [0, 1].each(|half| {
        let both = vbslq_u8(set(0x3F), last[half], vshlq_n_u8::<6>(last_but_one[half]));
        vandq_u8(both, set(0x7F))
    });
    // A window is known by the first byte, if the character has three, and by the last byte but one without its lowest
    // bit, which is part of the place.
    let first_of_three = [0, 1].each(|half| vandq_u8(three[half], first[half]));
    let last_but_one = last_but_one.each(|bytes| vorrq_u8(bytes, set(1)));
    let is_ascii = first.each(|first| vcltq_u8(first, set(0x80)));
    let is_start = starts(first);
    let mut missing = [0, 1].each(|half| vbicq_u8(is_start[half], is_ascii[half]));
    let mut bytes = first;
    for (window, window_bytes) in windows {
        let inside = [0, 1].each(|half| {
            let of_three = vceqq_u8(first_of_three[half], set(window.first_of_three));
            let is_key = vceqq_u8(last_but_one[half], set(window.last_but_one));
            vandq_u8(vandq_u8(of_three, is_key), missing[half])
        });
        if !any(vorrq_u8(inside[0], inside[1])) {
            continue;
        }
        let table = Table::of_halves(*window_bytes);
        for half in 0..2 {
            bytes[half] = vbslq_u8(inside[half], table.look_up(places[half]), bytes[half]);
            missing[half] = vbicq_u8(missing[half], inside[half]);
        }
        if !any(vorrq_u8(missing[0], missing[1])) {
            break;
        }
    }
    let none = [0, 1].each(|half| vorrq_u8(missing[half], vandq_u8(vceqzq_u8(bytes[half]), vmvnq_u8(is_ascii[half]))));
    let (starts, characters) = compress(bytes, is_start, room);
    if any(vorrq_u8(none[0], none[1])) {
        let (none, _) = bits_and_ends(none);
        let end = (none & starts).trailing_zeros();
        if end < 32 {
            return (end as usize, (ends(starts & !(!0 << end)) >> 24) as usize, true);
        }
    }
    (STEP_BYTES + continued(from), characters, false)
}
