//! Lookups in a window: a table of the bytes for 128 consecutive code points.

use crate::{to_single_byte::tables::WindowBytes, vector::avx2::*};

/// Looks 32 places of a window up, slice by slice. Never inlined, so that the loop of the caller keeps its registers.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn look_up(window: WindowBytes<'_>, mut places: __m256i) -> __m256i {
    let mut bytes = _mm256_setzero_si256();
    for block in window {
        for slice in block.as_chunks().0 {
            // For a place in this slice the sum is 0x70 to 0x7F, and `vpshufb` looks up its lower four bits. For any
            // other place the sum is 0x80 or more, and `vpshufb` gives 0.
            let place = _mm256_adds_epu8(places, _mm256_set1_epi8(0x70));
            bytes = _mm256_or_si256(bytes, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(slice)), place));
            places = _mm256_sub_epi8(places, _mm256_set1_epi8(16));
        }
    }
    bytes
}
