//! UTF-16: validation, byte order and length, in vectors of 16 bytes.
//!
//! A step reads 32 code units in four vectors. Only the upper byte of a code unit says whether it is a surrogate: 0xD8
//! to 0xDF. So the upper bytes of 16 code units are gathered into one vector, and 0xD8 is subtracted; what is then
//! below 8 is a surrogate. Text without surrogates needs no other test. A block with surrogates, and the last 31 code
//! units, go to the scalar body, which knows pairs.

use super::{bytes_to_utf8_by_units, scalar};
use crate::{base::*, utf8::from_utf16::v128::convert, vector::v128::*};

/// See [`crate::utf16::valid_up_to`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    validate(source, &mut nowhere(), |from, _| load_units(from), |from, _| scalar::valid_up_to(from))
}

/// Reads 32 code units a step, and byte-swaps them if `rotation` is 8; see [`crate::utf16::from_le_bytes`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], rotation: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let some = |from: &[[u8; 2]], to: &mut [u16]| scalar::from_bytes(from.as_flattened(), to, rotation);
    let stored = |units, to: &mut _| {
        store_units(units, to);
        units
    };
    if rotation == 0 {
        validate(pairs, destination, |from, to| stored(load_pairs(from), to), some)
    } else {
        validate(pairs, destination, |from, to| stored(swapped(load_pairs(from)), to), some)
    }
}

/// Byte-swaps code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn swapped(units: [uint16x8_t; 2]) -> [uint16x8_t; 2] {
    units.each(|units| vreinterpretq_u16_u8(vrev16q_u8(vreinterpretq_u8_u16(units))))
}

/// The length of the longest prefix of `source` without an unpaired surrogate, as far as it fits into `destination`.
/// `step` loads 16 code units and may store them. `some` does the same without vectors, for a block with surrogates and
/// for the end.
///
/// Two steps make a block, which has one question: the upper bytes of its 32 code units, less 0xD8, are below 8 exactly
/// for surrogates, and the lesser of two lanes tells about both. A block with surrogates is given to `some`, which
/// knows pairs. If it leaves more than the last code unit, which may begin a pair, a surrogate is unpaired.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn validate<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 16], &mut [D; 16]) -> [uint16x8_t; 2],
    some: impl Fn(&[S], &mut [D]) -> usize,
) -> usize {
    const BLOCK_UNITS: usize = 32;
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    while let (Some(from), Some(to)) =
        (block::<_, BLOCK_UNITS>(source, done), block_mut::<_, BLOCK_UNITS>(destination, done))
    {
        let ([from, next], _) = from.as_chunks() else { break };
        let ([to, next_to], _) = to.as_chunks_mut() else { break };
        // The upper byte of a surrogate, and of nothing else, becomes less than 8.
        let [first, second] =
            [step(from, to), step(next, next_to)].each(|units| vsubq_u8(upper_bytes(units), vdupq_n_u8(0xD8)));
        if none_below(vminq_u8(first, second), 8) {
            done += BLOCK_UNITS;
            continue;
        }
        // A surrogate pair that the end of the block cuts off is left for the next block.
        let valid = some(&source[done..done + BLOCK_UNITS], &mut destination[done..done + BLOCK_UNITS]);
        done += valid;
        if valid < BLOCK_UNITS - 1 {
            break;
        }
    }
    done + some(&source[done..], &mut destination[done..])
}

/// The body of [`crate::utf16::swap_bytes`]: the loop of the scalar level, with the vectors of this level.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn swap_bytes(units: &mut [u16]) {
    scalar::swap_bytes(units);
}

/// Adds up the lengths of 16 code units a step, in lanes of one byte. The scalar body adds those of the last code
/// units. A lane counts how many bytes its code units have in UTF-8 beyond their first: at most two each, so that after
/// 127 steps no lane exceeds 254. Then the lanes are added to the sum, and start again at 0.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    // Each step adds at most 2 to a lane, whose maximum is 255.
    const STEPS_PER_SUM: usize = 127;
    let (blocks, rest) = source.as_chunks();
    let mut length = scalar::utf8_length(rest) + 16 * blocks.len();
    for blocks in blocks.chunks(STEPS_PER_SUM) {
        let mut more = vdupq_n_u8(0);
        for block in blocks {
            let units = load_units(block);
            let upper = upper_bytes(units);
            // Each code unit has at least one byte in UTF-8. Those from 0x80 on have one more, and so have those from
            // 0x800 on except surrogates, of which a pair has four. A comparison that holds gives -1, which is
            // subtracted.
            let surrogates = vceqq_u8(vandq_u8(upper, vdupq_n_u8(0xF8)), vdupq_n_u8(0xD8));
            let three = vbicq_u8(vcgtq_u8(upper, vdupq_n_u8(7)), surrogates);
            let two = lower_bytes(units.each(|units| vcgtq_u16(units, vdupq_n_u16(0x7F))));
            more = vsubq_u8(vsubq_u8(more, two), three);
        }
        length += usize::from(vaddlvq_u8(more));
    }
    length
}

/// The body of `bytes_to_utf8` in [`crate::utf16`]: UTF-16BE is swapped when it is loaded, but for the last units.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if rotation != 0 {
        (read, written) = convert(source.as_chunks().0, destination, |from| swapped(load_pairs(from)));
        read *= 2;
    }
    if read == source.len() {
        return (read, written);
    }
    let (more_read, more_written) =
        bytes_to_utf8_by_units(skip(source, read), skip_mut(destination, written), rotation);
    (read + more_read, written + more_written)
}
