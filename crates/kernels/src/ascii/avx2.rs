//! Runs of ASCII, and the loop in which runs of Latin-1 are moved, too.
//!
//! Each function that moves or measures a whole run, but for [`widen`], is one instance of [`run`]: it says how 32
//! units are loaded, converted and stored, and by which bytes the end of the run is recognized. The other functions of
//! this file move blocks or a few units of ASCII for bodies that convert other text as well.
//!
//! A step stores before it asks, because that needs no test: units after the end of the run are not counted. A short
//! run is asked 32 units at a time, a longer one in larger blocks with one branch each. The last units of a slice are a
//! step that overlaps the one before. Up to 64 bytes have functions of their own ([`copy_few`]), which load them under
//! a mask for lanes of four bytes, or as two vectors that overlap.

use super::scalar;
use crate::{base::*, vector::avx2::*};

/// The body of [`crate::ascii::prefix_length`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix_length(source: &[u8]) -> usize {
    if let (32..=64, Some(first), Some(last)) = (source.len(), source.first_chunk(), source.last_chunk()) {
        let [first, last] = [first, last].each(|bytes| u64::from(beyond_ascii(load(bytes))));
        return source.len().min((first | last << (source.len() - 32)).trailing_zeros() as usize);
    }
    run(
        source,
        &mut nowhere(),
        |from, _| load(from),
        |bytes| beyond_ascii(bytes),
        |from, _| scalar::prefix_length(from),
    )
}

/// The body of [`crate::ascii::prefix_length_utf16`]. The units are saturated to bytes, so that the highest bit of a
/// byte says that its unit is not ASCII.
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

/// The body of [`crate::ascii::copy`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    run(source, destination, |from, to| copy_32(from, to), |bytes| beyond_ascii(bytes), scalar::copy)
}

/// Copies the ASCII at the start of `source` if it is at least 32 bytes long, and returns its length; otherwise 0. A
/// shorter run is not worth a call.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_blocks(source: &[u8], destination: &mut [u8]) -> usize {
    if begins_with_block(source) { copy(source, destination) } else { 0 }
}

/// Copies the blocks of 64 bytes of ASCII at the start of `source`, and returns the number of bytes. A loop over mixed
/// text can contain this function, because it calls no function and does not look for the end of the run within a
/// block. See `docs/experiments.md#utf-8-and-utf-16`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_64s(source: &[u8], destination: &mut [u8]) -> usize {
    let mut done = 0;
    for (from, to) in source.as_chunks::<64>().0.iter().zip(destination.as_chunks_mut::<64>().0) {
        let (([first, second], _), ([to_first, to_second], _)) = (from.as_chunks(), to.as_chunks_mut()) else { break };
        let (first, second) = (load(first), load(second));
        if beyond_ascii(_mm256_or_si256(first, second)) != 0 {
            break;
        }
        store(first, to_first);
        store(second, to_second);
        done += 64;
    }
    done
}

/// As [`copy_64s`], to code units. Each half of a vector is loaded by itself, because that takes fewer instructions
/// than taking vectors apart: see `docs/experiments.md#memory-and-stores`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen_64s_of_ascii(source: &[u8], destination: &mut [u16]) -> usize {
    let ends = |from: &[u8; 64]| {
        let ([first, second], _) = from.as_chunks() else { return true };
        beyond_ascii(_mm256_or_si256(load(first), load(second))) != 0
    };
    widen_64s(source, destination, ends, |half| _mm256_cvtepu8_epi16(load_half(half)))
}

/// Whether `source` begins with 32 bytes of ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn begins_with_block(source: &[u8]) -> bool {
    source.first_chunk().is_some_and(|block| beyond_ascii(load(block)) == 0)
}

/// The body of [`crate::ascii::widen`]: 64 bytes for each branch, by [`widen_64s_of_ascii`]. After that, either fewer
/// than 64 bytes are left, or the next 64 contain the end of the run; so at most two steps of 32 bytes follow. Such a
/// step stores its code units before it asks where the run ends, and those after the end are not counted. A step at the
/// end of the slices overlaps with the one before, and moves some bytes a second time.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen(source: &[u8], destination: &mut [u16]) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let Some(last) = length.checked_sub(32) else { return scalar::widen(source, destination) };
    let mut done = widen_64s_of_ascii(source, destination);
    // At most two steps are left. A step at the end of the slices overlaps with the one before.
    loop {
        let start = done.min(last);
        let (Some(from), Some(to)) = (block(source, start), block_mut(destination, start)) else { return start };
        let bytes = load(from);
        store_units(widened(bytes), to);
        let beyond = beyond_ascii(bytes);
        if beyond != 0 {
            return start + beyond.trailing_zeros() as usize;
        }
        if start == last {
            return length;
        }
        done += 32;
    }
}

/// The longest source, in bytes, of [`copy_few`] and [`widen_few`].
const FEW_BYTES: usize = 64;

/// Copies at most [`FEW_BYTES`] if all of them are ASCII, and returns whether it has copied them. It also leaves a
/// source to the caller that is longer, that has fewer than four bytes, that does not fit, or that has fewer than 32
/// bytes and a destination without space for 32.
///
/// The bodies of functions for whole texts call this first, also those of AVX-512. Most short texts are ASCII, and the
/// test takes less than what those bodies prepare. They call a function that is never inlined for everything else, so
/// that a short text saves no registers: see `docs/experiments.md#short-input`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_few(source: &[u8], destination: &mut [u8]) -> bool {
    source.len() <= FEW_BYTES && few_bytes(source, destination, |bytes, to| store(bytes, to))
}

/// As [`copy_few`], to code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen_few(source: &[u8], destination: &mut [u16]) -> bool {
    source.len() <= FEW_BYTES && few_bytes(source, destination, |bytes, to| store_units(widened(bytes), to))
}

/// [`few`] for bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn few_bytes<D>(source: &[u8], destination: &mut [D], store: impl Fn(__m256i, &mut [D; 32])) -> bool {
    let loads = (|few: &[u8]| load_up_to(few), |bytes: &_| load(bytes));
    few(source, destination, loads, |bytes| beyond_ascii(bytes) == 0, store)
}

/// The longest source, in code units, of [`narrow_few`].
const FEW_UNITS: usize = 32;

/// As [`copy_few`], from at most [`FEW_UNITS`] to bytes: from UTF-16BE if the bytes are `swapped`, and otherwise from
/// UTF-16LE. It leaves a single unit to the caller, and fewer than 16 units if the destination has no space for 16
/// bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow_few(source: &[[u8; 2]], destination: &mut [u8], swapped: bool) -> bool {
    let beyond = _mm256_set1_epi16(if swapped { 0x80FF_u16 as i16 } else { !0x7F });
    let shift = _mm_cvtsi32_si128(if swapped { 8 } else { 0 });
    let store = |units, to: &mut _| {
        let [lower, upper] = halves(_mm256_srl_epi16(units, shift));
        store_half(_mm_packus_epi16(lower, upper), to);
    };
    let loads = (|few: &[[u8; 2]]| load_up_to(few.as_flattened()), |units: &_| load_sixteen_pairs(units));
    source.len() <= FEW_UNITS && few(source, destination, loads, |units| _mm256_testz_si256(units, beyond) == 1, store)
}

/// The body of the functions for a few units. One vector holds `N` of them: one of `loads` loads up to `N`, and the
/// other one all of an array. `is_ascii` asks whether all units of a vector are ASCII, and `store` converts them.
///
/// Fewer than `N` units take one vector, with zeros after them. From `N` units on, one vector holds the first `N`
/// units and another one the last `N`, which may overlap. Nothing is stored unless all units are ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn few<S, D, const N: usize>(
    source: &[S],
    destination: &mut [D],
    (load_up_to, load): (impl Fn(&[S]) -> Option<__m256i>, impl Fn(&[S; N]) -> __m256i),
    is_ascii: impl Fn(__m256i) -> bool,
    store: impl Fn(__m256i, &mut [D; N]),
) -> bool {
    let Some(last) = source.len().checked_sub(N) else {
        let (Some(units), Some(to)) = (load_up_to(source), destination.first_chunk_mut()) else { return false };
        let is_ascii = is_ascii(units);
        if is_ascii {
            store(units, to);
        } else {
            clear_upper_halves();
        }
        return is_ascii;
    };
    let (Some(first), Some(second)) = (block(source, 0), block(source, last)) else { return false };
    let [first, second] = [first, second].each(&load);
    if source.len() > destination.len() || !is_ascii(_mm256_or_si256(first, second)) {
        clear_upper_halves();
        return false;
    }
    for (at, units) in [(0, first), (last, second)] {
        if let Some(to) = block_mut(destination, at) {
            store(units, to);
        }
    }
    true
}

/// Turns bytes into code units, 64 for each branch, up to the first 64 that `ends` accepts or that do not fit, and
/// returns their number. `units` loads 16 bytes and converts them.
///
/// A block is stored only after it has been tested. The other order takes longer: see
/// `docs/experiments.md#memory-and-stores`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen_64s(
    source: &[u8],
    destination: &mut [u16],
    ends: impl Fn(&[u8; 64]) -> bool,
    units: impl Fn(&[u8; 16]) -> __m256i,
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    while let (Some(from), Some(to)) = (block::<_, 64>(source, done), block_mut::<_, 64>(destination, done)) {
        if ends(from) {
            break;
        }
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        store_sixteen_units(units(a), to_a);
        store_sixteen_units(units(b), to_b);
        store_sixteen_units(units(c), to_c);
        store_sixteen_units(units(d), to_d);
        done += 64;
        if done == 64 {
            // From here on, the stores are aligned.
            done -= units_past_alignment(destination);
        }
    }
    done
}

/// The number of code units at the start of `destination` after the last place that a vector of 32 bytes can be aligned
/// to, if a multiple of 16 units has been written; 0 if such a vector cannot be aligned. A loop that goes back by this
/// number writes up to 15 units a second time.
#[inline(always)]
fn units_past_alignment(destination: &[u16]) -> usize {
    (16 - destination.as_ptr().align_offset(32).min(16)) % 16
}

/// The body of [`crate::ascii::narrow`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow(source: &[u16], destination: &mut [u8]) -> usize {
    run(source, destination, |from, to| narrow_32(from, to), |bytes| beyond_ascii(bytes), scalar::narrow)
}

/// Narrows 32 code units, and returns their bytes, as [`saturated`] makes them.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow_32(from: &[u16; 32], to: &mut [u8; 32]) -> __m256i {
    let bytes = saturated(load_units(from));
    store(bytes, to);
    bytes
}

/// A mask of the highest bits of 64 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn mask(bytes: [__m256i; 2]) -> u64 {
    let [first, second] = bytes.each(|bytes| u64::from(beyond_ascii(bytes)));
    first | second << 32
}

/// A mask of the bytes that are not ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn beyond_ascii(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes) as u32
}

/// Moves the prefix of `source` that forms a run, as much of it as `destination` has space for, and returns its length
/// in units.
///
/// `step` loads, converts and stores 32 units, of any kind, and returns a vector of bytes. `stop` makes a mask of that
/// vector: a set bit says that the unit in this lane ends the run. `stop` must also be right for several steps at once,
/// if the vectors of these steps are combined by bitwise or. Units after the first one that ends the run may have been
/// written to `destination`, but are not counted.
///
/// The last units take a step that overlaps with the one before. `short` serves slices of fewer than 32 units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn run<S, D>(
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
    // Invariant: the first `done` units belong to the run and have been moved.
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let beyond = stop(step(from, to));
        if beyond != 0 {
            return done + beyond.trailing_zeros() as usize;
        }
        done += 32;
        // `opaque` hides the value of `done` from the compiler. A compiler that knows in which round `done` is 64
        // makes several loops of this one, and the program grows without being faster.
        if opaque(done) == 64 {
            done += run_of_64s(after(source, done), after_mut(destination, done), &step, &stop);
        }
    }
    let (Some(from), Some(to)) = (block(source, last), block_mut(destination, last)) else { return done };
    length.min(last + stop(step(from, to)).trailing_zeros() as usize)
}

/// Moves 64 units for each branch, as long as none of them ends the run, and returns the number of units that were
/// moved. Two steps give two vectors of 32 bytes; joined by bitwise or, they need one mask and one branch. At the first
/// 64 units that contain the end of the run the function returns, and the caller finds the end 32 units at a time.
/// These 64 units are stored already, which does no harm: the caller stores them again, and does not count those after
/// the end.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn run_of_64s<S, D>(
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
        if size_of::<D>() > size_of::<S>() && done == 128 {
            // After the first 128 units the run is known to be long, and aligned stores become worth their price where
            // there are two stores for each load. The loop goes back to the last position at which `destination` is
            // aligned, which moves up to 31 units a second time.
            done -= (32 - destination.as_ptr().align_offset(32).min(32)) % 32;
        }
    }
    done
}

/// Copies 32 bytes, and returns them as a vector.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_32(from: &[u8; 32], to: &mut [u8; 32]) -> __m256i {
    let bytes = load(from);
    store(bytes, to);
    bytes
}

/// Zero-extends 32 bytes to code units in two vectors of 16.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widened(bytes: __m256i) -> [__m256i; 2] {
    halves(bytes).each(|half| _mm256_cvtepu8_epi16(half))
}

/// Narrows 32 code units to bytes. Units above 0xFF become 0xFF, so a byte of at least 0x80 means a unit that is not
/// ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn saturated(units: [__m256i; 2]) -> __m256i {
    let saturated = |units| _mm256_min_epu16(units, _mm256_set1_epi16(0xFF));
    in_order(_mm256_packus_epi16(saturated(units[0]), saturated(units[1])))
}

/// Restores the order after two vectors have been packed into one. Packing works in each 128-bit lane, so it alternates
/// eight bytes of the first vector with eight of the second:
///
/// ```text
/// packed    a0 b0 a1 b1      (a0: the first eight bytes of the first vector)
/// result    a0 a1 b0 b1
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn in_order(packed: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}
