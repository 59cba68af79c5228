//! Latin-1: code points up to U+00FF, as bytes, in UTF-16 and in UTF-8, 32 items a step.
//!
//! To and from UTF-16, a byte is the lower half of a code unit, and [`run`] has the loop. To UTF-8, a block with few
//! characters beyond ASCII is patched; otherwise 16 bytes become lanes of one or two bytes, of which a shuffle drops
//! the byte that ASCII does not have.
//!
//! From UTF-8, U+00C0 to U+00FF are C3 80 to C3 BF: the byte is the continuation byte plus 0x40. U+0080 to U+00BF are
//! C2 80 to C2 BF, where the continuation byte is the byte. So the byte stands in the lane of the last byte of a
//! character, and the lanes of leading bytes are dropped:
//!
//! ```text
//! bytes      63  C3  A9  C2  A0
//! plus       0   0   40  0   0                   0x40 after C3
//! result     63  –   E9  –   A0
//! ```
//!
//! A character that the end of a block cuts ends in the next block, in whose lanes its byte is, so blocks stand at
//! fixed distances. The end of either slice is left to the scalar body.

use super::scalar;
use crate::ascii::avx2::{self as ascii, beyond_ascii, in_order, run, widened};
use crate::{base::*, utf8::from_utf16::avx2::up_to_two_bytes, vector::avx2::*};

/// The body of [`crate::latin1::to_utf16`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        store_units(widened(load(from)), to);
        _mm256_setzero_si256()
    };
    run(source, destination, step, |_| 0, scalar::to_utf16)
}

/// The body of [`crate::latin1::from_utf16`]: the low bytes are the result, and a unit whose upper byte is not 0 ends
/// the run.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let units = load_units(from);
        store(lower_bytes(units), to);
        upper_bytes(units)
    };
    run(source, destination, step, |upper| other_than_0(upper), scalar::from_utf16)
}

/// The body of [`crate::latin1::prefix_length_utf16`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    let step = |from: &_, _: &mut _| upper_bytes(load_units(from));
    run(source, &mut nowhere(), step, |upper| other_than_0(upper), |from, _| scalar::prefix_length_utf16(from))
}

/// The lower bytes of 32 code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lower_bytes(units: [__m256i; 2]) -> __m256i {
    let [first, second] = units.each(|units| _mm256_and_si256(units, _mm256_set1_epi16(0xFF)));
    in_order(_mm256_packus_epi16(first, second))
}

/// The upper bytes of 32 code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn upper_bytes(units: [__m256i; 2]) -> __m256i {
    let [first, second] = units.each(|units| _mm256_srli_epi16::<8>(units));
    in_order(_mm256_packus_epi16(first, second))
}

/// A mask of the bytes that are not 0.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn other_than_0(bytes: __m256i) -> u32 {
    !_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}

/// The number of bytes beyond ASCII up to which a block of 32 bytes is patched. If a block has more, all its characters
/// are computed in vectors.
const PATCH_UP_TO_BYTES: u32 = 6;

/// The body of [`crate::latin1::to_utf8`]. A long run of ASCII is copied; other blocks are converted by
/// [`blocks_to_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let run = ascii::copy_blocks(after(source, read), after_mut(destination, written));
        let (bytes, items) = blocks_to_utf8(after(source, read + run), after_mut(destination, written + run));
        (read, written) = (read + run + bytes, written + run + items);
        if bytes == 0 {
            break;
        }
    }
    while let (Some(from), Some(to)) = (block(source, read), block_mut(destination, written)) {
        (read, written) = (read + 16, written + write_sixteen(from, to));
    }
    and_rest((read, written), source, destination, scalar::to_utf8)
}

/// Converts blocks of 32 bytes, until several in a row are ASCII, or either slice is too short for a block. A block
/// with few bytes beyond ASCII is [patched](crate::vector::avx2::patches), 64 bytes at once; a block with many is
/// converted by [`write_sixteen`]. Returns `(read, written)`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn blocks_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(from), Some(to)) = (block::<_, 32>(source, read), block_mut::<_, 168>(destination, written)) {
        let bytes = load(from);
        let beyond = beyond_ascii(bytes);
        store(bytes, to.first_chunk_mut().expect("the array is longer than 32"));
        if beyond == 0 {
            let run = 32 + ascii::copy_64s(skip(source, read + 32), skip_mut(destination, written + 32));
            (read, written) = (read + run, written + run);
            continue;
        }
        let (length, items) = match block::<_, BLOCK_READS_ITEMS>(source, read) {
            Some(from) if beyond.count_ones() <= PATCH_UP_TO_BYTES => {
                let next = beyond_ascii(load(block(from, 32).expect("the array is longer than 64")));
                let copy = |from: &_, to: &mut _| store(load(from), to);
                let (read, written, _) =
                    patch(from, u64::from(beyond) | u64::from(next) << 32, to, copy, |from, to, _, _| {
                        [to[0], to[1]] = [0xC0 | from[0] >> 6, 0x80 | from[0] & 0x3F];
                        Some((1, 2))
                    });
                (read, written)
            }
            _ => {
                let [first, second] = [0, 16].each(|at| block(from, at).expect("`from` has 32 bytes"));
                let items = write_sixteen(first, to.first_chunk_mut().expect("the array is longer than 32"));
                // The mask shows the compiler that the access is in bounds.
                let next_to = block_mut(to, items & 63).expect("63 and 32 are at most 168");
                (32, items + write_sixteen(second, next_to))
            }
        };
        (read, written) = (read + length, written + items);
    }
    (read, written)
}

/// Writes the UTF-8 of 16 bytes and returns its length in bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write_sixteen(from: &[u8; 16], to: &mut [u8; 32]) -> usize {
    up_to_two_bytes(_mm256_cvtepu8_epi16(load_half(from)), to)
}

/// The body of [`crate::latin1::from_utf8`].
///
/// Blocks of 32 bytes are taken at fixed distances, even where that cuts a character, so no block waits for the one
/// before. A character of two bytes is written in the lane of its last byte, so a cut character belongs to the block in
/// which it ends. `cut` is 1 if the last block ends with a leading byte, otherwise 0.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let run = ascii::copy_blocks(source, destination);
    let (mut read, mut written) = (run, run);
    let (mut before, mut cut) = (_mm256_setzero_si256(), 0);
    while let (Some(from), Some(to)) = (block(source, read), block_mut::<_, 32>(destination, written)) {
        let bytes = load(from);
        if beyond_ascii(bytes) | cut == 0 {
            store(bytes, to);
            let run = 32 + ascii::copy(skip(source, read + 32), skip_mut(destination, written + 32));
            (read, written) = (read + run, written + run);
            before = _mm256_setzero_si256();
            continue;
        }
        let Some(leading) = leading(bytes, cut) else { break };
        // U+00C0 to U+00FF are C3 80 to C3 BF in UTF-8, so after C3 the Latin-1 byte is the continuation byte plus
        // 0x40; U+0080 to U+00BF are C2 80 to C2 BF.
        let one_before = _mm256_alignr_epi8::<15>(bytes, _mm256_permute2x128_si256::<0x21>(before, bytes));
        let greater = _mm256_cmpeq_epi8(one_before, _mm256_set1_epi8(0xC3_u8 as i8));
        let lanes = _mm256_add_epi8(bytes, _mm256_and_si256(greater, _mm256_set1_epi8(0x40)));
        written += store_bytes(lanes, !leading, to);
        read += 32;
        (before, cut) = (bytes, leading >> 31);
    }
    read -= cut as usize;
    and_rest((read, written), source, destination, scalar::from_utf8)
}

/// The body of [`crate::latin1::prefix_length_utf8`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf8(source: &[u8]) -> usize {
    let mut done = if ascii::begins_with_block(source) { ascii::prefix_length(source) } else { 0 };
    // 1 if the block before ends with a leading byte, otherwise 0.
    let mut cut = 0;
    while let Some(from) = block(source, done) {
        let Some(leading) = leading(load(from), cut) else { break };
        cut = leading >> 31;
        done += 32;
    }
    done -= cut as usize;
    done + scalar::prefix_length_utf8(skip(source, done))
}

/// A mask of the leading bytes C2 and C3 in a block; `None` if the block has anything but ASCII and characters up to
/// U+00FF. `cut` is 1 if the first byte must be a continuation byte, otherwise 0.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn leading(bytes: __m256i, cut: u32) -> Option<u32> {
    let leading = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, _mm256_set1_epi8(!1)), _mm256_set1_epi8(0xC2_u8 as i8));
    let leading = _mm256_movemask_epi8(leading) as u32;
    // Continuation bytes are the least signed bytes: 80 to BF are less than C0 and all others are not.
    let continuation = _mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_set1_epi8(0xC0_u8 as i8), bytes)) as u32;
    (continuation == leading << 1 | cut && beyond_ascii(bytes) == leading | continuation).then_some(leading)
}
