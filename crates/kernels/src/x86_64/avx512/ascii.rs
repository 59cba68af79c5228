//! Runs of ASCII.

use super::memory::{
    load, load_units, load_units_up_to, load_up_to, store, store_units, store_units_up_to, store_up_to,
};
use crate::blocks::{after, after_mut, block, block_mut, nowhere};
use core::{arch::x86_64::*, hint::black_box};

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    run(source, &mut nowhere(), |from, _| load(from), |from, _| load_up_to(from), |bytes| _mm512_movepi8_mask(bytes))
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length_utf16(source: &[u16]) -> usize {
    run(
        source,
        &mut nowhere(),
        |from, _| saturated(load_units(from)),
        |from, _| saturated(load_units_up_to(from)),
        |bytes| _mm512_movepi8_mask(bytes),
    )
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    run(
        source,
        destination,
        |from, to| copy_64(from, to),
        |from, to| {
            let bytes = load_up_to(from);
            store_up_to(bytes, to);
            bytes
        },
        |bytes| _mm512_movepi8_mask(bytes),
    )
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    run(
        source,
        destination,
        |from, to| widen_64(from, to),
        |from, to| {
            let bytes = load_up_to(from);
            store_units_up_to(widened(bytes), to);
            bytes
        },
        |bytes| _mm512_movepi8_mask(bytes),
    )
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    run(
        source,
        destination,
        |from, to| narrow_64(from, to),
        |from, to| {
            let bytes = saturated(load_units_up_to(from));
            store_up_to(bytes, to);
            bytes
        },
        |bytes| _mm512_movepi8_mask(bytes),
    )
}

/// Moves the prefix of `source` that belongs to a run, as far as it fits, and returns its length.
///
/// `step` moves 64 units whatever they are, `last` at most 63. Both return bytes by which `stop` tells which units end the run,
/// also of several steps at once, by the union of their bytes. What was moved behind the first of those is not counted.
///
/// Many runs are short: 64 units are looked at before 256 a branch, and nothing is done unit by unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 64], &mut [D; 64]) -> __m512i,
    last: impl Fn(&[S], &mut [D]) -> __m512i,
    stop: impl Fn(__m512i) -> u64,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let beyond = stop(step(from, to));
        if beyond != 0 {
            return done + beyond.trailing_zeros() as usize;
        }
        done += 64;
        // Whatever the compiler knew of this would be a reason to have the loop three times over.
        if black_box(done) == 64 {
            done += run_of_256s(after(source, done), after_mut(destination, done), &step, &stop);
        }
    }
    let beyond = stop(last(after(source, done), after_mut(destination, done)));
    length.min(done + beyond.trailing_zeros() as usize)
}

/// Moves 256 units at once, as long as none of them ends the run, and returns their number.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn run_of_256s<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 64], &mut [D; 64]) -> __m512i,
    stop: impl Fn(__m512i) -> u64,
) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) = (block::<_, 256>(source, done), block_mut::<_, 256>(destination, done)) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        let (first, second) =
            (_mm512_or_si512(step(a, to_a), step(b, to_b)), _mm512_or_si512(step(c, to_c), step(d, to_d)));
        if stop(_mm512_or_si512(first, second)) != 0 {
            break;
        }
        done += 256;
        if done == 256 {
            // On from where stores are aligned, which takes up to 63 units twice.
            done -= (64 - destination.as_ptr().align_offset(64).min(64)) % 64;
        }
    }
    done
}

/// Whether all bytes are ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn is_ascii(bytes: &[u8; 256]) -> bool {
    let (blocks, _) = bytes.as_chunks();
    let all = blocks.iter().fold(_mm512_setzero_si512(), |all, block| _mm512_or_si512(all, load(block)));
    _mm512_movepi8_mask(all) == 0
}

/// Whether the last blocks were ASCII, a bit each.
///
/// In most text nobody can predict which blocks of 64 bytes are, and a wrong guess takes longer than to convert one as if it were not.
/// But English mostly is.
#[derive(Default)]
pub(super) struct Run(u8);

impl Run {
    const BLOCKS: u8 = 0b11;

    /// Whether the next block, with these bytes `beyond_ascii`, is ASCII as the two before it were.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, beyond_ascii: u64) -> bool {
        if self.0 == Self::BLOCKS && beyond_ascii == 0 {
            return true;
        }
        self.0 = (self.0 << 1 | u8::from(beyond_ascii == 0)) & Self::BLOCKS;
        false
    }
}

/// Copies ASCII by 256 bytes, as long as there is only such, and returns their number.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn copy_256s(source: &[u8], destination: &mut [u8]) -> usize {
    run_of_256s(source, destination, |from, to| copy_64(from, to), |bytes| _mm512_movepi8_mask(bytes))
}

/// Copies 64 bytes and returns them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn copy_64(from: &[u8; 64], to: &mut [u8; 64]) -> __m512i {
    let bytes = load(from);
    store(bytes, to);
    bytes
}

/// Widens 64 bytes and returns them.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn widen_64(from: &[u8; 64], to: &mut [u16; 64]) -> __m512i {
    let bytes = load(from);
    store_units(widened(bytes), to);
    bytes
}

/// Narrows 64 code units, and returns the bytes: at least 0x80 for what is not ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn narrow_64(from: &[u16; 64], to: &mut [u8; 64]) -> __m512i {
    let bytes = saturated(load_units(from));
    store(bytes, to);
    bytes
}

/// The code units of equal value.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn widened(bytes: __m512i) -> [__m512i; 2] {
    let (first, second) = (_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes));
    [_mm512_cvtepu8_epi16(first), _mm512_cvtepu8_epi16(second)]
}

/// The low bytes of 64 code units.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn low_bytes([first, second]: [__m512i; 2]) -> __m512i {
    const EVEN: [u8; 64] = {
        let mut even = [0; 64];
        let mut lane = 0;
        while lane < 64 {
            even[lane] = 2 * lane as u8;
            lane += 1;
        }
        even
    };
    _mm512_permutex2var_epi8(first, load(&EVEN), second)
}

/// The bytes of equal value, 0xFF for code units that are greater.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn saturated(units: [__m512i; 2]) -> __m512i {
    let [first, second] = units.map(|units| _mm512_min_epu16(units, _mm512_set1_epi16(0xFF)));
    in_order(_mm512_packus_epi16(first, second))
}

/// The bytes of two vectors that were packed, which puts eight of the one and eight of the other by turns.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn in_order(packed: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}
