//! Runs of ASCII.

use super::memory::{load, load_units, store, store_units};
use crate::{
    blocks::{after, after_mut, block, block_mut, nowhere},
    scalar::ascii as scalar,
};
use core::{arch::x86_64::*, hint::black_box};

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    run(
        source,
        &mut nowhere(),
        |from, _| load(from),
        |bytes| beyond_ascii(bytes),
        |from, _| scalar::prefix_length(from),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    run(
        source,
        &mut nowhere(),
        |from, _| saturated(load_units(from)),
        |bytes| beyond_ascii(bytes),
        |from, _| scalar::prefix_length_utf16(from),
    )
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = load(from);
        store(bytes, to);
        bytes
    };
    run(source, destination, step, |bytes| beyond_ascii(bytes), scalar::copy)
}

/// Copies the ASCII at the front, if that is a block at least.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn copy_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    if begins_with_block(source) { copy(source, destination) } else { 0 }
}

/// Whether the first 32 bytes are ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn begins_with_block(source: &[u8]) -> bool {
    source.first_chunk().is_some_and(|block| beyond_ascii(load(block)) == 0)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = load(from);
        store_units(widened(bytes), to);
        bytes
    };
    run(source, destination, step, |bytes| beyond_ascii(bytes), scalar::widen)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    let step = |from: &_, to: &mut _| {
        let bytes = saturated(load_units(from));
        store(bytes, to);
        bytes
    };
    run(source, destination, step, |bytes| beyond_ascii(bytes), scalar::narrow)
}

/// The highest bits of 64 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn mask(bytes: [__m256i; 2]) -> u64 {
    let [first, second] = bytes.map(|bytes| u64::from(beyond_ascii(bytes)));
    first | second << 32
}

/// The bytes that are not ASCII, a bit each.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn beyond_ascii(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes) as u32
}

/// Moves the prefix of `source` that belongs to a run, as far as it fits, and returns its length.
///
/// `step` moves 32 units whatever they are, and returns bytes by which `stop` tells which units end the run, also of several
/// steps at once, by the union of their bytes. What was moved behind the first of those is not counted. The last units are
/// moved in a block that overlaps the one before, and by `short` if there are fewer than 32 in all.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 32], &mut [D; 32]) -> __m256i,
    stop: impl Fn(__m256i) -> u32,
    short: impl Fn(&[S], &mut [D]) -> usize,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let Some(last) = length.checked_sub(32) else { return short(source, destination) };
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let beyond = stop(step(from, to));
        if beyond != 0 {
            return done + beyond.trailing_zeros() as usize;
        }
        done += 32;
        // Whatever the compiler knew of this would be a reason to have the loop several times over.
        if black_box(done) == 64 {
            done += run_of_64s(after(source, done), after_mut(destination, done), &step, &stop);
        }
    }
    let (Some(from), Some(to)) = (block(source, last), block_mut(destination, last)) else { return done };
    length.min(last + stop(step(from, to)).trailing_zeros() as usize)
}

/// Moves 64 units at once, as long as none of them ends the run, and returns their number.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_of_64s<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 32], &mut [D; 32]) -> __m256i,
    stop: impl Fn(__m256i) -> u32,
) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) = (block::<_, 64>(source, done), block_mut::<_, 64>(destination, done)) {
        let ([a, b], _) = from.as_chunks() else { break };
        let ([to_a, to_b], _) = to.as_chunks_mut() else { break };
        if stop(_mm256_or_si256(step(a, to_a), step(b, to_b))) != 0 {
            break;
        }
        done += 64;
    }
    done
}

/// The code units of equal value.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn widened(bytes: __m256i) -> [__m256i; 2] {
    let (first, second) = (_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes));
    [_mm256_cvtepu8_epi16(first), _mm256_cvtepu8_epi16(second)]
}

/// The bytes of equal value, 0xFF for code units that are greater.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn saturated(units: [__m256i; 2]) -> __m256i {
    let saturated = |units| _mm256_min_epu16(units, _mm256_set1_epi16(0xFF));
    in_order(_mm256_packus_epi16(saturated(units[0]), saturated(units[1])))
}

/// The instructions that pack two vectors into one take half of each in turn: this puts the quarters in order.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn in_order(packed: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}
