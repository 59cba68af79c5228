//! Encoding of UTF-8 into encodings with one byte for each character, 64 bytes of UTF-8 a step.
//!
//! `avx512/utf8_to_single_byte.rs` has a drawing of the lookup in windows. With AVX2, a window is looked up only if
//! characters of it occur, in slices of 16 bytes. If few characters are not ASCII, they are converted one by one
//! instead, and the text after each of them is copied to its new position.

use super::{
    ascii,
    compress::compress_halves,
    memory::{load, store, store_eight},
    windows::look_up,
};
use crate::{
    blocks::{Each, after, after_mut, block, block_mut},
    opaque::opaque,
    scalar::utf8_to_single_byte as scalar,
    tables::single_byte::{ByCodePoint, Window},
};
use core::arch::x86_64::*;

/// The number of bytes that a step reads, and of space that it needs: 64 bytes, one character after them, and 64 bytes
/// that are copied after this character.
const STEP_READS_BYTES: usize = 64 + 3 + 64;

/// Characters beyond ASCII up to which a step of 64 bytes is patched with one after the other. If a step has more, 32
/// of its bytes are looked up in windows.
const PATCH_UP_TO_CHARACTERS: u32 = 10;

/// The body of [`crate::single_byte::from_utf8`]. Converts 64 bytes a step; 32 where more than
/// [`PATCH_UP_TO_CHARACTERS`] characters are not ASCII. A character outside of all windows is left to the scalar body,
/// as is the end of either slice.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if source.len() >= STEP_READS_BYTES {
        let windows = by_code_point.windows();
        // `opaque` hides from the compiler that there are four windows. The compiler would otherwise unroll the loop
        // over them.
        let windows = opaque(&windows[..]);
        while let (Some(from), Some(room)) = (block(source, read), block_mut(destination, written)) {
            let (beyond, starts) = classes(from);
            if beyond == 0 {
                copy_64(from, 0, room, 0);
                read += 64;
                written += 64;
                continue;
            }
            let beyond = beyond & starts;
            let (length, end) = if beyond.count_ones() <= PATCH_UP_TO_CHARACTERS {
                (64, patch(&by_code_point, from, starts, beyond, room))
            } else {
                (32, look_up_32(windows, from, starts as u32, room))
            };
            if end == length {
                // The last character may continue after the block, by one or two bytes.
                let continues = |at: usize| usize::from(from[at] & 0xC0 == 0x80);
                read += length + continues(length) + (continues(length) & continues(length + 1));
                written += _bzhi_u64(starts, length as u32).count_ones() as usize;
                continue;
            }
            read += end;
            written += _bzhi_u64(starts, end as u32).count_ones() as usize;
            let few = scalar::few(by_code_point, after(source, read), after_mut(destination, written));
            if few.0 == 0 {
                return (read, written);
            }
            read += few.0;
            written += few.1;
        }
    }
    let (more_read, more_written) =
        scalar::from_utf8(by_code_point, after(source, read), after_mut(destination, written));
    (read + more_read, written + more_written)
}

/// Masks of the bytes that are not ASCII and of the bytes that start a character, among the first 64.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn classes(from: &[u8; STEP_READS_BYTES]) -> (u64, u64) {
    let both = |halves: [__m256i; 2]| {
        let [lower, upper] = halves.each(|half| u64::from(ascii::beyond_ascii(half)));
        lower | upper << 32
    };
    let bytes = [0, 32].each(|at| load(block(from, at).expect("`from` is longer than 64 bytes")));
    (both(bytes), both(bytes.each(|bytes| _mm256_cmpgt_epi8(bytes, set(0xBF)))))
}

/// Repeats `byte` in each lane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn set(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte as i8)
}

/// Writes the bytes that the characters of 64 bytes are encoded to. Few characters are not ASCII: they start at the
/// bits of `beyond`. Returns the position of the first character that has no byte; 64 if every character has one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn patch(
    by_code_point: &ByCodePoint<'_>,
    from: &[u8; STEP_READS_BYTES],
    starts: u64,
    mut beyond: u64,
    room: &mut [u8; STEP_READS_BYTES],
) -> usize {
    copy_64(from, 0, room, 0);
    let (mut round, mut at) = (0, 0);
    // The loop always runs for at least three rounds, so that no branch depends on a smaller number of such characters.
    // A round without one converts the last character again, and stores after the text.
    while round < 3 || beyond != 0 {
        let next = beyond.trailing_zeros();
        let place = _bzhi_u64(starts, next).count_ones() as usize;
        at = if beyond == 0 { at } else { next as usize };
        beyond &= beyond.wrapping_sub(1);
        let (byte, length) = scalar::beyond_ascii(by_code_point, block(from, at).expect("`at` is at most 63 here"));
        if byte == 0 {
            return at;
        }
        room[place] = byte;
        copy_64(from, at + length, room, place + 1);
        round += 1;
    }
    64
}

/// Copies the 64 bytes of `from` from `at` on to `room` from `place` on.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_64(from: &[u8; STEP_READS_BYTES], at: usize, room: &mut [u8; STEP_READS_BYTES], place: usize) {
    if let (Some(from), Some(room)) = (block::<_, 64>(from, at), block_mut::<_, 64>(room, place)) {
        for (from, room) in from.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
            store(load(from), room);
        }
    }
}

/// Writes the bytes that the characters of 32 bytes are encoded to. Returns the position of the first character that is
/// in no window; 32 if every character is in one. Never inlined, to keep the loop that calls it short.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_32(
    windows: &[Window<'_>],
    from: &[u8; STEP_READS_BYTES],
    starts: u32,
    room: &mut [u8; STEP_READS_BYTES],
) -> usize {
    let [first, second, third] = [0, 1, 2].each(|by| load(block(from, by).expect("`from` is longer than 34 bytes")));
    let three = _mm256_cmpeq_epi8(_mm256_max_epu8(first, set(0xE0)), first);
    let last_but_one = _mm256_blendv_epi8(first, second, three);
    let last = _mm256_blendv_epi8(second, third, three);
    let place = _mm256_or_si256(
        _mm256_and_si256(_mm256_slli_epi16::<6>(last_but_one), set(0x40)),
        _mm256_and_si256(last, set(0x3F)),
    );
    // A window is known by the first byte, if the character has three, and by the last byte but one without its lowest
    // bit, which is part of the place.
    let (first_of_three, last_but_one) = (_mm256_and_si256(three, first), _mm256_or_si256(last_but_one, set(1)));
    let ascii = _mm256_cmpgt_epi8(first, set(0xFF));
    let mut bytes = _mm256_and_si256(ascii, first);
    let mut missing = !(_mm256_movemask_epi8(ascii) as u32) & starts;
    for window in windows {
        if missing == 0 {
            break;
        }
        let key = |bytes: u32| _mm256_set1_epi32(bytes as i32);
        let inside = _mm256_and_si256(
            _mm256_cmpeq_epi8(last_but_one, key(window.last_but_one)),
            _mm256_cmpeq_epi8(first_of_three, key(window.first_of_three)),
        );
        let found = _mm256_movemask_epi8(inside) as u32 & missing;
        if found != 0 {
            bytes = _mm256_or_si256(bytes, _mm256_and_si256(look_up(window.bytes, place), inside));
            missing ^= found;
        }
    }
    // The results are compressed eight at a time. Only the results at starts of characters count.
    let halves = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
    let [a, b, c, d] = starts.to_le_bytes();
    let mut written = 0;
    for (half, kept) in halves.into_iter().zip([[a, b], [c, d]]) {
        let moved = compress_halves(half, kept);
        for (moved, kept) in [moved, _mm_unpackhi_epi64(moved, moved)].into_iter().zip(kept) {
            store_eight(moved, block_mut(room, written).expect("`written` is at most 24 here"));
            written += kept.count_ones() as usize;
        }
    }
    let none = _mm256_andnot_si256(ascii, _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
    (_mm256_movemask_epi8(none) as u32 & starts).trailing_zeros() as usize
}
