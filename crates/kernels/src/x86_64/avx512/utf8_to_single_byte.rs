//! UTF-8 into encodings of one byte per character, 64 bytes of UTF-8 a step.
//!
//! A character is looked up where its first byte stands. Its seven low bits, which select within a window of 128 code points,
//! are in its last two bytes; the others, which select the window, are in all but the last. So what is looked at are always two
//! bytes, those that come last, and the first:
//!
//! ```text
//! bytes         c   D0  94  E2  82  AC        starts marked ^
//!               ^   ^       ^
//! last but one  63  D0      82
//! last          D0  94      AC
//! place             14      2C                one bit of the last but one, six of the last
//! byte          63  C4      88                in the windows 0x08 and 0x41
//! result        63  C4  88                    what starts, moved together
//! ```
//!
//! What stands where no character starts is looked up as well and left out. Blocks are taken wherever they cut characters: those
//! that start in a block are converted with it, and for the last of them two more bytes are loaded.

use super::{
    ascii::Run,
    compress::compress,
    memory::{load, load_up_to, lowest, store, store_up_to},
};
use crate::{
    ascii,
    blocks::{after, after_mut, block, block_mut},
    scalar::{utf8::begun, utf8_to_single_byte as scalar},
    single_byte::{ByCodePoint, WINDOWS, Window},
};
use core::{arch::x86_64::*, borrow::Borrow};

/// Fewer bytes than this are converted before the windows are looked for.
const FEW: usize = 24;
/// From as many bytes or code units on it does not count to look at a character twice.
pub(super) const LONG: usize = 256;

/// Converts 64 bytes a step, the last of them under a mask. What lies outside of all windows is looked up one by one.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn convert(by_code_point: ByCodePoint<'_>, source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < FEW {
        return scalar::convert(by_code_point, source, destination);
    }
    let source = source.get(..source.len() - begun(source)).unwrap_or_default();
    // Without the windows if it is all ASCII.
    let run = ascii::copy(source, destination);
    let (mut read, mut written) = (run, run);
    if read == source.len() {
        return (read, written);
    }
    // And if it is all ASCII before a character without a byte: long text with many of them comes here behind each.
    if source.len() >= LONG {
        let room = destination.get_mut(written..=written).unwrap_or_default();
        let (bytes, count) = scalar::few(by_code_point, after(source, read), room);
        if count == 0 {
            return (read, written);
        }
        (read, written) = (read + bytes, written + count);
    }
    // What is short seldom needs all of them.
    let windows = (source.len() - read > 64).then(|| by_code_point.windows());
    while read < source.len() {
        if let Some(windows) = &windows {
            let (bytes, count) = blocks(windows, after(source, read), after_mut(destination, written));
            (read, written) = (read + bytes, written + count);
            if read == source.len() {
                break;
            }
        }
        let (from, to) = (after(source, read), after_mut(destination, written));
        let count = from.len().min(64);
        let text = [0, 1, 2].map(|by| load_up_to(after(from, by)));
        let Looked { bytes, starts, missing } = match &windows {
            Some(windows) => look_up::<_, true>(windows.iter(), text),
            None => look_up::<_, false>(by_code_point.windows.iter().map(|&number| by_code_point.window(number)), text),
        };
        let starts = starts & lowest(count);
        let length = starts.count_ones() as usize;
        let Some(to) = to.get_mut(..length) else {
            // The rest of a character that was cut is done.
            read += starts.trailing_zeros() as usize;
            let (more_read, more_written) = scalar::convert(by_code_point, after(source, read), to);
            return (read + more_read, written + more_written);
        };
        store_up_to(compress(bytes, starts), to);
        // What is missing one by one.
        let mut missing = missing & starts;
        while missing != 0 {
            let at = missing.trailing_zeros() as usize;
            let lane = (starts & lowest(at)).count_ones() as usize;
            let room = to.get_mut(lane..=lane).unwrap_or_default();
            if scalar::few(by_code_point, after(from, at), room).1 == 0 {
                return (read + at, written + lane);
            }
            missing &= missing - 1;
        }
        (read, written) = (read + count, written + length);
    }
    (read, written)
}

/// Converts whole blocks as long as there is room for 64 characters, and all are in the windows. A function of its own, so that these
/// stay in registers.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn blocks(windows: &[Window<'_>; WINDOWS], source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written, mut run) = (0, 0, Run::default());
    while let (Some(from), Some(room)) = (block(source, read), block_mut(destination, written)) {
        let first = further::<0>(from);
        if run.goes_on(_mm512_movepi8_mask(first)) {
            store(first, room);
            (read, written) = (read + 64, written + 64);
            continue;
        }
        let Looked { bytes, starts, missing } =
            look_up::<_, true>(windows.iter(), [first, further::<1>(from), further::<2>(from)]);
        if missing & starts != 0 {
            break;
        }
        store(compress(bytes, starts), room);
        read += 64;
        written += starts.count_ones() as usize;
    }
    (read, written)
}

/// What 64 bytes of UTF-8 become.
struct Looked {
    /// Where a character starts, its byte.
    bytes: __m512i,
    /// Where a character starts.
    starts: u64,
    /// What is not ASCII, and has a byte of 0 because it is in none of the windows.
    missing: u64,
}

/// The bytes for the characters that start in 64 bytes, as far as these lie in the windows. `first` are the bytes of the block,
/// the others those one and two bytes further on. `ALL` windows are asked, without a branch, or no more than it takes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn look_up<'w, W: Borrow<Window<'w>>, const ALL: bool>(
    windows: impl Iterator<Item = W>,
    [first, second, third]: [__m512i; 3],
) -> Looked {
    let set = |byte: u8| _mm512_set1_epi8(byte as i8);
    let beyond = _mm512_movepi8_mask(first);
    let starts = _mm512_cmpge_epi8_mask(first, set(0xC0));
    let three = _mm512_cmpge_epu8_mask(first, set(0xE0));
    let last_but_one = _mm512_mask_mov_epi8(first, three, second);
    let last = _mm512_mask_mov_epi8(second, three, third);
    // Seven bits select within a window; the eighth does not matter.
    let place = _mm512_ternarylogic_epi32::<CHOOSE>(set(0x3F), last, _mm512_slli_epi16::<6>(last_but_one));
    let (first_of_three, last_but_one) = (_mm512_maskz_mov_epi8(three, first), _mm512_or_si512(last_but_one, set(1)));
    let mut bytes = _mm512_maskz_mov_epi8(!beyond, first);
    for window in windows {
        if !ALL && _mm512_testn_epi8_mask(bytes, bytes) & beyond & starts == 0 {
            break;
        }
        let window = window.borrow();
        let key = |bytes: u32| _mm512_set1_epi32(bytes as i32);
        let inside = _mm512_cmpeq_epi8_mask(last_but_one, key(window.last_but_one));
        let inside = _mm512_mask_cmpeq_epi8_mask(inside, first_of_three, key(window.first_of_three));
        let (halves, _) = window.bytes.as_chunks();
        let found = _mm512_permutex2var_epi8(load(&halves[0]), place, load(&halves[1]));
        bytes = _mm512_mask_mov_epi8(bytes, inside, found);
    }
    Looked { bytes, starts, missing: _mm512_testn_epi8_mask(bytes, bytes) & beyond }
}

/// For three bits, as a ternary function: the second where the first is 1, else the third.
const CHOOSE: i32 = (0xF0 & 0xCC) | (!0xF0 & 0xAA) & 0xFF;

/// 64 bytes of 66, `BY` bytes further on.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn further<const BY: usize>(bytes: &[u8; 66]) -> __m512i {
    load(bytes[BY..].first_chunk().expect("BY is two at most"))
}
