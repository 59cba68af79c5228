//! A few bytes of a single-byte encoding, eight at a time.
//!
//! In most languages a processor cannot predict which bytes are ASCII, and a wrong guess takes as long as eight bytes.
//! So no branch depends on a single byte: every byte is looked up in the table, and the lanes with ASCII bytes are
//! replaced. Only eight bytes of ASCII in a row take a branch, on the way to UTF-8.

use crate::{base::*, single_byte::scalar, utf8::from_utf16::eight_units::without_surrogates, vector::avx2::*};

/// As [`to_utf16`](super::to_utf16). A round loads the entries of eight bytes into the lanes of a vector, and stores
/// them if none is `end`. The last eight bytes overlap with those before, so that a source of eight bytes or more has
/// no rest. A shorter source, and the eight bytes that contain `end`, are left to the scalar body.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    if let Some(last) = source.len().checked_sub(8) {
        loop {
            let at = done.min(last);
            let (Some(&bytes), Some(to)) = (block(source, at), block_mut(destination, at)) else { break };
            let units = code_units(code_points, bytes);
            if contains(units, end) {
                break;
            }
            store_half_units(units, to);
            done = at + 8;
            if done == source.len() {
                return done;
            }
        }
    }
    done + scalar::to_utf16(code_points, end, skip(source, done), skip_mut(destination, done))
}

/// As [`to_utf8`](super::to_utf8). A round takes eight bytes: ASCII is copied, and other text becomes eight code units,
/// of which [`put_up_to_two`] or [`without_surrogates`] makes UTF-8. If fewer than eight bytes are left, the last eight
/// of the source are shifted until zeros follow those that are left; each zero becomes one byte, and does not count. A
/// round needs space for 24 bytes, the longest UTF-8 of eight code units. The scalar body takes what is near the end of
/// the destination, and the eight bytes that contain `end`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(code_points: &[u16; 128], end: u16, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if let Some(last) = source.last_chunk() {
        while let Some(room) = block_mut(destination, written) {
            let (bytes, zeros) = match block(source, read) {
                Some(&bytes) => (bytes, 0),
                None => {
                    let zeros = read + 8 - source.len();
                    ((u64::from_le_bytes(*last) >> (8 * zeros)).to_le_bytes(), zeros)
                }
            };
            let length = if scalar::is_ascii(&bytes) {
                room[..8].copy_from_slice(&bytes);
                8
            } else {
                let units = code_units(code_points, bytes);
                if contains(units, end) {
                    break;
                }
                if is_below_800(units) { put_up_to_two(units, room) } else { without_surrogates(units, 8, room).1 }
            };
            (read, written) = (read + 8 - zeros, written + length - zeros);
            if read == source.len() {
                return (read, written);
            }
        }
    }
    and_rest((read, written), source, destination, |from, to| scalar::to_utf8(code_points, end, from, to))
}

/// The code units of eight bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn code_units(code_points: &[u16; 128], bytes: [u8; 8]) -> __m128i {
    let [a, b, c, d, e, f, g, h] = bytes.map(|byte| code_points[usize::from(byte & 0x7F)] as i16);
    let looked_up = _mm_setr_epi16(a, b, c, d, e, f, g, h);
    let bytes = _mm_cvtsi64_si128(i64::from_le_bytes(bytes));
    // Sign extension sets the highest bits of the lanes of bytes that are not ASCII.
    _mm_blendv_epi8(_mm_cvtepu8_epi16(bytes), looked_up, _mm_cvtepi8_epi16(bytes))
}

/// Whether one of eight code units is `end`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn contains(units: __m128i, end: u16) -> bool {
    _mm_movemask_epi8(_mm_cmpeq_epi16(units, _mm_set1_epi16(end as i16))) != 0
}

/// Whether all code units are below U+0800.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_below_800(units: __m128i) -> bool {
    _mm_testz_si128(units, _mm_set1_epi16(0xF800_u16 as i16)) == 1
}

/// As [`without_surrogates`], for code units below U+0800, with fewer instructions.
///
/// The UTF-8 of a unit takes one or two bytes of its lane. Two lanes become one of 32 bits, and two of these one of 64
/// bits, in which each character follows the one before:
///
/// ```text
/// lanes of 16 bits    D0 96   61 __   D0 97   D0 98
/// lanes of 32 bits    D0 96 61 __     D0 97 D0 98
/// lane of 64 bits     D0 96 61 D0 97 D0 98 __ __
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_up_to_two(units: __m128i, room: &mut [u8; 24]) -> usize {
    let is_long = _mm_cmpgt_epi16(units, _mm_set1_epi16(0x7F));
    let last = _mm_and_si128(_mm_slli_epi16::<8>(units), _mm_set1_epi16(0x3F00));
    let both = _mm_or_si128(_mm_or_si128(_mm_srli_epi16::<6>(units), last), _mm_set1_epi16(0x80C0_u16 as i16));
    let text = _mm_blendv_epi8(units, both, is_long);

    let lower = _mm_set1_epi32(0xFFFF);
    let bits = _mm_add_epi32(_mm_and_si128(is_long, _mm_set1_epi32(8)), _mm_set1_epi32(8));
    let second = _mm_sllv_epi32(_mm_srli_epi32::<16>(text), bits);
    let pairs = _mm_or_si128(_mm_and_si128(text, lower), second);

    // Eight bits for each character of two bytes, of which a comparison gives -1: the sum of both products.
    let long_bits = _mm_madd_epi16(is_long, _mm_set1_epi16(-8));
    let lower = _mm_set1_epi64x(0xFFFF_FFFF);
    let bits = _mm_add_epi64(_mm_and_si128(long_bits, lower), _mm_set1_epi64x(16));
    let second = _mm_sllv_epi64(_mm_srli_epi64::<32>(pairs), bits);
    let fours = _mm_or_si128(_mm_and_si128(pairs, lower), second);

    let long = _mm_movemask_epi8(is_long) as u32;
    let length = 4 + (long & 0xFF).count_ones() as usize / 2;
    for (four, at) in [(_mm_cvtsi128_si64(fours), 0), (_mm_extract_epi64::<1>(fours), length)] {
        if let Some(to) = block_mut(room, at) {
            *to = four.to_le_bytes();
        }
    }
    8 + long.count_ones() as usize / 2
}
