//! Runs of ASCII, and the loop in which runs of Latin-1 are moved, too.
//!
//! Each function that moves or measures a whole run is one instance of [`run`]: it says how 64 units are loaded,
//! converted and stored, and by which bytes the end of the run is recognized. The other functions of this file move
//! blocks of ASCII for bodies that convert other text as well.
//!
//! A mask of 64 bits has a bit for each unit that ends the run, and the number of zeros below its lowest bit is the
//! length. The first 64 units are asked alone, and a longer run 256 units for each branch. The last units are loaded
//! and stored under a mask, so that no unit is left to another body.

// With vectors of 64 bytes these functions are hardly faster on Zen 5, and slower on Intel's processors: see
// `docs/experiments.md#memory-and-stores`.
pub(crate) use super::avx2::{narrow, prefix_length_utf16, widen};

use crate::{base::*, vector::avx512::*};

/// The body of [`crate::ascii::prefix_length`].
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    if source.len() <= 64 {
        return source.len().min(_mm512_movepi8_mask(load_up_to(source)).trailing_zeros() as usize);
    }
    run(source, &mut nowhere(), |from, _| load(from), |from, _| load_up_to(from), |bytes| _mm512_movepi8_mask(bytes))
}

/// The body of [`crate::ascii::copy`].
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
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

/// Moves the prefix of `source` that forms a run, as much of it as `destination` has space for, and returns its length
/// in units.
///
/// `step` loads, converts and stores 64 units, of any kind; `last` does the same for at most 63 units at the end.
/// `step` and `last` return a vector of bytes, and `stop` makes a mask of that vector: a set bit says that the unit in
/// this lane ends the run. `stop` must also be right for several steps at once, if the vectors of these steps are
/// combined by bitwise or. Units after the first one that ends the run may have been written to `destination`, but are
/// not counted.
///
/// Many runs are short. So the first 64 units are tried alone; only a run of more units is tried with 256 units for
/// each branch. The units at the end of a slice take one step under a mask, not one step for each unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn run<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 64], &mut [D; 64]) -> __m512i,
    last: impl Fn(&[S], &mut [D]) -> __m512i,
    stop: impl Fn(__m512i) -> u64,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    // Invariant: the first `done` units belong to the run and have been moved.
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let beyond = stop(step(from, to));
        if beyond != 0 {
            return done + beyond.trailing_zeros() as usize;
        }
        done += 64;
        // `opaque` hides the value of `done` from the compiler. A compiler that knows in which round `done` is 64
        // makes three loops of this one, and the program grows without being faster.
        if opaque(done) == 64 {
            done += run_of_256s(after(source, done), after_mut(destination, done), &step, &stop);
        }
    }
    let beyond = stop(last(skip(source, done), skip_mut(destination, done)));
    length.min(done + beyond.trailing_zeros() as usize)
}

/// Moves 256 units for each branch, as long as none of them ends the run, and returns the number of units that were
/// moved. Four steps of 64 units give four vectors; one test of the bitwise or of these vectors covers all 256 units.
/// At the first 256 units that contain the end of the run the function returns, and the caller finds the end 64 units
/// at a time.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
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
            // After the first 256 units the run is known to be long, and aligned stores of 64 bytes become worth their
            // price. The loop goes back to the last position at which `destination` is aligned, which moves up to 63
            // units a second time.
            done -= (64 - destination.as_ptr().align_offset(64).min(64)) % 64;
        }
    }
    done
}

/// Whether 256 bytes are ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_ascii(bytes: &[u8; 256]) -> bool {
    let (blocks, _) = bytes.as_chunks();
    let all = blocks.iter().fold(_mm512_setzero_si512(), |all, block| _mm512_or_si512(all, load(block)));
    _mm512_movepi8_mask(all) == 0
}

/// A prediction whether the next block of 64 bytes is ASCII: two bits that remember whether the last two blocks were.
///
/// In most languages the processor cannot predict which blocks are ASCII, and a mispredicted branch takes longer than
/// converting an ASCII block like any other. Text with long ASCII passages, such as English, is an exception. So a
/// kernel takes the short cut for ASCII only after two ASCII blocks: German converts 1.4 times as fast, HTML 1.1 to 1.3
/// times, English 0.87 to 0.94 times, compared with a branch for each block (Zen 5).
#[derive(Default)]
pub(crate) struct Run(u8);

impl Run {
    /// The bits of the last two blocks.
    const LAST_TWO_BLOCKS: u8 = 0b11;

    /// Takes the mask `beyond_ascii` of the next block, in which a set bit is a byte that is not ASCII. Returns true if
    /// this block is ASCII and the two blocks before it were.
    #[inline(always)]
    pub(crate) fn goes_on(&mut self, beyond_ascii: u64) -> bool {
        if self.0 == Self::LAST_TWO_BLOCKS && beyond_ascii == 0 {
            return true;
        }
        self.0 = (self.0 << 1 | u8::from(beyond_ascii == 0)) & Self::LAST_TWO_BLOCKS;
        false
    }
}

/// Copies ASCII, 256 bytes at a time, and stops before the first 256 bytes that are not all ASCII. Returns the number
/// of bytes that were copied.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_256s(source: &[u8], destination: &mut [u8]) -> usize {
    run_of_256s(source, destination, |from, to| copy_64(from, to), |bytes| _mm512_movepi8_mask(bytes))
}

/// As [`copy_256s`], from code units to bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow_256s(source: &[u16], destination: &mut [u8]) -> usize {
    run_of_256s(source, destination, |from, to| narrow_64(from, to), |bytes| _mm512_movepi8_mask(bytes))
}

/// Copies 64 bytes, and returns them as a vector.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn copy_64(from: &[u8; 64], to: &mut [u8; 64]) -> __m512i {
    let bytes = load(from);
    store(bytes, to);
    bytes
}

/// Stores 64 code units as bytes and returns the bytes. Code units that are not ASCII become bytes of at least 0x80.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn narrow_64(from: &[u16; 64], to: &mut [u8; 64]) -> __m512i {
    let bytes = saturated(load_units(from));
    store(bytes, to);
    bytes
}

/// Zero-extends 64 bytes to code units in two vectors of 32.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widened(bytes: __m512i) -> [__m512i; 2] {
    let (first, second) = (_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes));
    [_mm512_cvtepu8_epi16(first), _mm512_cvtepu8_epi16(second)]
}

/// The low bytes of 64 code units: `vpermt2b` picks bytes 0, 2, 4, …, 126 of the two vectors.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn low_bytes([first, second]: [__m512i; 2]) -> __m512i {
    static EVEN_BYTES: [u8; 64] = {
        let mut even = [0; 64];
        let mut lane = 0;
        while lane < 64 {
            even[lane] = 2 * lane as u8;
            lane += 1;
        }
        even
    };
    _mm512_permutex2var_epi8(first, load(hidden(&EVEN_BYTES)), second)
}

/// Narrows 64 code units to bytes. Units above 0xFF become 0xFF, so a byte of at least 0x80 means a unit that is not
/// ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn saturated(units: [__m512i; 2]) -> __m512i {
    let [first, second] = units.each(|units| _mm512_min_epu16(units, Constants::new().units(0xFF)));
    in_order(_mm512_packus_epi16(first, second))
}

/// Restores the order after `vpackuswb`. Packing two vectors works in each 128-bit lane and so alternates eight bytes
/// of the first vector with eight of the second:
///
/// ```text
/// packed    a0 b0 a1 b1 a2 b2 a3 b3      (a0: the first eight bytes of the first vector)
/// result    a0 a1 a2 a3 b0 b1 b2 b3
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn in_order(packed: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}
