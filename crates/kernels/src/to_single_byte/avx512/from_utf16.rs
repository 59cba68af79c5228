//! UTF-16 to single bytes, 64 code units a step.
//!
//! `vpermi2b` looks 64 bytes up in a window of 128 bytes at once. A step splits its code units into two vectors of
//! bytes: the lower seven bits are the place in a window, and the upper nine bits, saturated to 0xFF, are the number of
//! the window. Each of the four windows is looked up for all lanes, and keeps its result where the number is its own.
//! ASCII needs no lookup, because the low byte is the result. Lanes that no window has filled are looked up one by one.
//!
//! ```text
//! unit           0063  0414  20AC
//! low            63    14    AC          bit 7 is ignored: the places are 63, 14 and 2C
//! number         00    08    41
//! byte           63    C4    88          low; window 08; window 41
//! ```
//!
//! The last code units are loaded and stored under a mask.

use super::LONG_ITEMS;
use crate::ascii::avx2::narrow_few;
use crate::ascii::avx512::{self as ascii, low_bytes, saturated};
use crate::to_single_byte::scalar;
use crate::to_single_byte::tables::{ByCodePoint, ByteTable, WINDOWS, Window};
use crate::{base::*, vector::avx512::*};

/// Length of a source, in code units, below which the scalar body encodes it: preparing the windows would take longer.
/// See `docs/experiments.md#short-input`.
const SCALAR_BELOW_UNITS: usize = 8;

/// The body of [`crate::to_single_byte::from_utf16`]. Short text is often ASCII, as in decoding. A few code units
/// are encoded one by one without a branch, because nobody can predict whether all of them are ASCII.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    if source.len() < SCALAR_BELOW_UNITS {
        scalar::few_from_utf16(table.by_code_point(), source, destination)
    } else if narrow_few(as_pairs(source), destination, false) {
        source.len()
    } else if source.len() <= 64 {
        few_from_utf16(table, up_to(source, destination.len()), destination)
    } else {
        more_from_utf16(table, source, destination)
    }
}

/// The rest of [`from_utf16`], for at most 64 code units, which `destination` has space for. So few characters are
/// mostly of one window, so the windows are prepared one by one, as they are needed. Vectors are used as in
/// [`more_from_utf16`].
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn few_from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    let by_code_point = table.by_code_point();
    let units = load_units_up_to(source);
    let numbers = saturated(units.each(|units| _mm512_srli_epi16::<7>(units)));
    let low = low_bytes(units);
    let beyond_ascii = _mm512_test_epi8_mask(numbers, numbers);
    let mut bytes = _mm512_mask_mov_epi8(low, beyond_ascii, _mm512_setzero_si512());
    let mut missing = beyond_ascii;
    // `opaque` hides from the compiler that there are four windows. Unrolled, the body would stand in the program four
    // times and save no time.
    for window in opaque(by_code_point.windows().as_slice()) {
        if missing == 0 {
            break;
        }
        bytes = Loaded::of(&by_code_point, window).look_up(bytes, low, numbers);
        missing = _mm512_mask_testn_epi8_mask(beyond_ascii, bytes, bytes);
    }
    if missing != 0 {
        // Characters that are in no window are rare.
        return scalar::more_from_utf16(by_code_point, source, destination);
    }
    store_up_to(bytes, up_to_mut(destination, source.len()));
    source.len()
}

/// The number of code units that [`more_from_utf16`] looks up in windows at first, and after a run of ASCII.
const LOOK_UP_AT_FIRST_UNITS: usize = 256;

/// The rest of [`from_utf16`], for text of more than 64 code units. Converts 64 code units a step. Each window is
/// looked up for all 64, under a mask of the code units that lie in it. Code units outside of all windows are looked up
/// one by one.
///
/// There is no branch for each block of ASCII: in most text the processor cannot predict it, and a wrong prediction
/// takes 5 ns where converting a block takes 2.5 ns. Without that branch, HTML converts 2.8 to 3.3 times as fast,
/// German 3.4 times, English 0.92 times (Zen 5). On Intel's processors lookups take longer, and English would take
/// twice the time of a run. So a run is tried now and then, after an ASCII block: the number of code units between two
/// trials doubles until a run is found. See `docs/experiments.md#single-byte-encodings`.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_from_utf16(table: &ByteTable, source: &[u16], destination: &mut [u8]) -> usize {
    let by_code_point = table.by_code_point();
    let length = source.len().min(destination.len());
    let source = up_to(source, length);
    // A source does not need the windows if it is all ASCII, or ASCII up to a code unit that has no byte. In a long
    // text with many such units the caller comes back after each of them.
    let is_long = length >= LONG_ITEMS;
    let is_ascii = |units: &[u16; 64]| at_least(Constants::new(), load_units(units), 0x80) == 0;
    let is_run = is_long || source.first_chunk().is_some_and(is_ascii);
    let mut done = if is_run { ascii::narrow(source, destination) } else { 0 };
    let next = if is_long { source.get(done) } else { None };
    if done == length || next.is_some_and(|&next| by_code_point.byte(next).is_none()) {
        return done;
    }
    let windows = by_code_point.windows().each_ref().each(|window| Loaded::of(&by_code_point, window));
    let mut in_a_row = LOOK_UP_AT_FIRST_UNITS;
    while done < length {
        let next = up_to(after(source, done), in_a_row);
        if let Err(count) = by_windows(&windows, &by_code_point, next, after_mut(destination, done)) {
            return done + count;
        }
        done += next.len();
        in_a_row *= 2;
        if up_to(destination, done).last_chunk().is_some_and(|last| _mm512_movepi8_mask(load(last)) == 0) {
            let run = ascii::narrow_256s(after(source, done), after_mut(destination, done));
            done += run;
            if run > 0 {
                in_a_row = LOOK_UP_AT_FIRST_UNITS;
            }
        }
    }
    length
}

/// Converts all of `source`, which `destination` has space for. If a code unit has no byte, returns the number of code
/// units before it as an error.
///
/// A step makes two vectors of 64 code units: their lower bytes, and the numbers of their windows. All windows are
/// looked up for all lanes, and the result is stored, whether or not every lane has a byte. Lanes of code units in no
/// window are then looked up one by one, and overwrite what was stored. The last code units are loaded and stored under
/// a mask; the lanes after them hold 0, which is ASCII.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn by_windows(
    windows: &[Loaded; WINDOWS],
    by_code_point: &ByCodePoint<'_>,
    source: &[u16],
    destination: &mut [u8],
) -> Result<(), usize> {
    let length = source.len();
    // Slices that get shorter need fewer registers than places in slices.
    let (mut source, mut destination) = (source, destination);
    while !source.is_empty() {
        let units = source.first_chunk().map_or_else(|| load_units_up_to(source), |block| load_units(block));
        let low = low_bytes(units);
        let numbers = saturated(units.each(|units| _mm512_srli_epi16::<7>(units)));
        // The high nine bits of a code unit are the number of its window. Numbers above 0xFF saturate to 0xFF.
        let (bytes, mut missing) = look_up_code_points(windows, low, numbers);
        let count = source.len().min(64);
        if let (Some(room), 0, 64) = (destination.first_chunk_mut(), missing, count) {
            store(bytes, room);
            (source, destination) = (after(source, 64), after_mut(destination, 64));
            continue;
        }
        store_up_to(bytes, up_to_mut(destination, count));
        while missing != 0 {
            let at = missing.trailing_zeros() as usize;
            // Always true: both slices have `count` items, and `at` is less.
            if let (Some(&unit), Some(room)) = (source.get(at), destination.get_mut(at)) {
                let Some(byte) = by_code_point.byte(unit) else { return Err(length - source.len() + at) };
                *room = byte;
            }
            missing &= missing - 1;
        }
        (source, destination) = (after(source, count), after_mut(destination, count));
    }
    Ok(())
}

/// Looks 64 code units up in all windows. `low` are their low bytes, whose seven low bits are a place in a window.
/// `numbers` are the numbers of the windows of these code units; 0xFF stands for all greater numbers. Returns the
/// bytes, and a mask of the code units that are not ASCII and have no byte in a window.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_code_points(windows: &[Loaded; WINDOWS], low: __m512i, numbers: __m512i) -> (__m512i, u64) {
    let beyond_ascii = _mm512_test_epi8_mask(numbers, numbers);
    let mut bytes = _mm512_mask_mov_epi8(low, beyond_ascii, _mm512_setzero_si512());
    let [a, b, c, d] = windows;
    // No loop: with `opt-level = "s"` the compiler keeps it, and loads the windows from memory for each block.
    [a, b, c, d].each(|window| bytes = window.look_up(bytes, low, numbers));
    (bytes, _mm512_mask_testn_epi8_mask(beyond_ascii, bytes, bytes))
}

/// The bytes of a window, and its number in all lanes.
struct Loaded {
    number: __m512i,
    bytes: (__m512i, __m512i),
}

impl Loaded {
    /// Loads a window. Its number is less than 0xFF, where the numbers of code units saturate.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn of(by_code_point: &ByCodePoint<'_>, window: &Window) -> Self {
        let [lower, upper] = by_code_point.window_bytes(window);
        Loaded { number: _mm512_set1_epi8(window.number as i8), bytes: (load(lower), load(upper)) }
    }

    /// Returns `bytes` after filling in the bytes of the code units that lie in this window. `low` are the low bytes of
    /// the code units, `numbers` the numbers of their windows.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
    fn look_up(&self, bytes: __m512i, low: __m512i, numbers: __m512i) -> __m512i {
        let inside = _mm512_cmpeq_epi8_mask(numbers, self.number);
        let found = _mm512_permutex2var_epi8(self.bytes.0, low, self.bytes.1);
        _mm512_mask_mov_epi8(bytes, inside, found)
    }
}
