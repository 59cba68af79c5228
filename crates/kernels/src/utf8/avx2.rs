//! UTF-8: validation, and copying while validating, 64 bytes a step.
//!
//! A step loads the same 64 bytes four times: from their place on, and from one, two and three bytes before it. So each
//! byte stands in one lane with the three bytes before it, and no byte has to be moved between lanes. Whether the byte
//! may stand there is arithmetic on these four ([`errors_of_neighbours`]): the result is 0 for every lane of
//! well-formed text. One test of all lanes decides about the step; where the error is, is searched for only once
//! ([`find_error`]).
//!
//! ```text
//! bytes           61    E2    82    AC    62
//! one before      ..    61    E2    82    AC
//! two before      ..    ..    61    E2    82
//! three before    ..    ..    ..    61    E2
//! error           0     0     0     0     0
//! ```
//!
//! Steps stand at fixed distances, also where that cuts a character, because each looks back at the three bytes before
//! it. A step whose 64 bytes and the three before are ASCII is well-formed without that arithmetic. The last 32 bytes
//! overlap the step before, so that a source of at least 35 bytes has no rest.

use super::{scalar, tables as pairs};
use crate::{ascii::avx2 as ascii, base::*, vector::avx2::*};

/// The body of [`crate::utf8::valid_up_to`]. Short text is often ASCII.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u8]) -> usize {
    if let (..=64, Some(first), Some(last)) = (source.len(), source.first_chunk(), source.last_chunk())
        && ascii::beyond_ascii(_mm256_or_si256(load(first), load(last))) == 0
    {
        return source.len();
    }
    // The zeros after the last byte make an error of a character that the end cuts off. `validate` finds its place.
    if let (..32, Some(bytes)) = (source.len(), load_up_to(source))
        && is_zero(errors(_mm256_setzero_si256(), bytes))
    {
        return source.len();
    }
    clear_upper_halves();
    validate(source, &mut [])
}

/// The body of [`crate::utf8::copy`]. The first byte mostly tells whether a short text is ASCII.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy(source: &[u8], destination: &mut [u8]) -> usize {
    if matches!(source, [0..0x80, ..]) && ascii::copy_few(source, destination) {
        return source.len();
    }
    let length = source.len().min(destination.len());
    validate(&source[..length], &mut destination[..length])
}

/// Returns the length of the longest well-formed prefix of `source`.
///
/// `destination` is empty, or at least as long as `source`. If it is not empty, the prefix is copied to it, and bytes
/// after the prefix may be overwritten too. One body serves validation and copying, because it is long.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn validate(source: &[u8], destination: &mut [u8]) -> usize {
    let checked = if source.len() < WINDOW_BYTES {
        if let Some(to) = destination.get_mut(..source.len()) {
            to.copy_from_slice(source);
        }
        Err(0)
    } else {
        steps(source, destination)
    };
    match checked {
        Ok(()) => source.len(),
        Err(done) => find_error(source, done),
    }
}

/// The number of bytes that [`errors_in`] loads: 32, and the three before them.
const WINDOW_BYTES: usize = 3 + 32;

/// Checks whether all of `source` is well-formed, and copies as [`validate`] does. `source` has at least
/// [`WINDOW_BYTES`].
///
/// ```text
/// source     32 bytes | 64 | 64 | ASCII: 128 | 128 | 64 | 32 |
/// the last 32 bytes overlap the ones before:          | 32     |
/// ```
///
/// # Errors
/// If not all is well-formed, the result is a place in bytes, at most that of the first error. What comes before the
/// place is well-formed but for a character that the place may cut. What follows has been copied up to the first error.
///
/// Invariant of the loops: the first `done` bytes are well-formed but for a character that their end may cut. In the
/// last loop that is true of the first `at` bytes if `errors` is 0. Each window begins three bytes before.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn steps(source: &[u8], destination: &mut [u8]) -> Result<(), usize> {
    let (first, last) = (source.first_chunk().ok_or(0_usize)?, source.last_chunk().ok_or(0_usize)?);
    let first = load(first);
    store_at::<_, 32>(0, [first], destination);
    if !is_zero(errors(_mm256_setzero_si256(), first)) {
        return Err(0);
    }
    let mut done = 32;
    while let Some(window) = block_in_loop::<_, { 3 + 64 }>(source, done - 3) {
        let [before, a, b] = [0, 3, 3 + 32].map(|at| load_at(at, window));
        store_at::<_, 64>(done, [a, b], destination);
        let is_ascii = ascii::beyond_ascii(_mm256_or_si256(before, _mm256_or_si256(a, b))) == 0;
        if !is_ascii && !is_zero(_mm256_or_si256(errors_in(0, window), errors_in(32, window))) {
            return Err(done);
        }
        done += 64;
        // ASCII after ASCII needs no closer look.
        while let (true, Some(run)) = (is_ascii, block_in_loop::<_, 128>(source, done)) {
            let [a, b, c, d] = [0, 32, 64, 96].map(|at| load_at(at, run));
            if ascii::beyond_ascii(_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))) != 0 {
                break;
            }
            store_at::<_, 128>(done, [a, b, c, d], destination);
            done += 128;
        }
    }
    let (mut errors, mut at) = (begun(load(last)), done);
    while at < source.len() {
        // The last 32 bytes may overlap the ones before.
        at = at.min(source.len() - 32);
        let window = block_in_loop::<_, WINDOW_BYTES>(source, at - 3).ok_or(done)?;
        store_at::<_, 32>(at, [load_at(3, window)], destination);
        errors = _mm256_or_si256(errors, errors_in(0, window));
        at += 32;
    }
    if is_zero(errors) { Ok(()) } else { Err(done) }
}

/// Returns the length of the longest well-formed prefix of `source`. The first error comes after the first `done`
/// bytes: see [`steps`]. 32 bytes are checked at a time. After the last byte, lanes are 0, so that they are no part of
/// a character: a character that the end cuts off is found like one that ASCII cuts off.
///
/// Invariant of the loop: the first `done` bytes are well-formed but for a character that their end may cut, and
/// `before` holds the last 32 of them (0 at first).
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_error(source: &[u8], mut done: usize) -> usize {
    let mut before = up_to(source, done).last_chunk().map_or(_mm256_setzero_si256(), |bytes| load(bytes));
    while let rest @ [_, ..] = after(source, done) {
        let bytes = match rest.first_chunk() {
            Some(block) => load(block),
            // `load_up_to` does not load fewer than four bytes.
            None => load_up_to(rest).unwrap_or_else(|| {
                let [a, b, c] = [0, 1, 2].map(|at| rest.get(at).copied().unwrap_or(0));
                _mm256_zextsi128_si256(_mm_cvtsi32_si128(i32::from_le_bytes([a, b, c, 0])))
            }),
        };
        let (length, valid) = (rest.len().min(32), count_before_error(before, bytes));
        // The next block does not wait for `valid`, because a branch tells that it is `length`.
        if valid < length {
            done += valid;
            break;
        }
        done += length;
        before = bytes;
    }
    done - scalar::begun(up_to(source, done))
}

/// Stores vectors of `BYTES` bytes together at a place of `destination`, if they fit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn store_at<const N: usize, const BYTES: usize>(at: usize, vectors: [__m256i; N], destination: &mut [u8]) {
    if let Some(to) = block_in_loop_mut::<_, BYTES>(destination, at) {
        for (bytes, to) in vectors.into_iter().zip(to.as_chunks_mut().0) {
            store(bytes, to);
        }
    }
}

/// Loads 32 bytes of a window.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load_at<const N: usize>(at: usize, window: &[u8; N]) -> __m256i {
    load(block(window, at).expect("the window has 32 bytes from `at` on"))
}

/// Whether all lanes are 0.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_zero(lanes: __m256i) -> bool {
    _mm256_testz_si256(lanes, lanes) == 1
}

/// Lanes that are not all 0 if `bytes` end within a character: the last byte is at least C0, the one before at least
/// E0, or the one before that at least F0.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn begun(bytes: __m256i) -> __m256i {
    let mut greatest = [0xFF; 32];
    [greatest[29], greatest[30], greatest[31]] = [0xEF, 0xDF, 0xBF];
    _mm256_subs_epu8(bytes, load(&greatest))
}

/// The number of bytes of the block before the first error.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_before_error(before: __m256i, bytes: __m256i) -> usize {
    let valid = _mm256_cmpeq_epi8(errors(before, bytes), _mm256_setzero_si256());
    (_mm256_movemask_epi8(valid) as u32).trailing_ones() as usize
}

/// Compares each byte with the three bytes before it: see [`errors_of_neighbours`]. `before` are the 32 bytes before
/// `bytes`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn errors(before: __m256i, bytes: __m256i) -> __m256i {
    // `vperm2i128` builds the vector that lags 16 bytes, and `vpalignr` then shifts within 128-bit lanes.
    let lagging = _mm256_permute2x128_si256::<0x21>(before, bytes);
    let by_one = _mm256_alignr_epi8::<15>(bytes, lagging);
    let by_two = _mm256_alignr_epi8::<14>(bytes, lagging);
    let by_three = _mm256_alignr_epi8::<13>(bytes, lagging);
    errors_of_neighbours(by_three, by_two, by_one, bytes)
}

/// As [`errors`], for the 32 bytes of a window from `at + 3` on. Four loads take less time than one load and four
/// instructions that shift.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn errors_in<const N: usize>(at: usize, window: &[u8; N]) -> __m256i {
    let [by_three, by_two, by_one, bytes] = [0, 1, 2, 3].map(|place| load_at(at + place, window));
    errors_of_neighbours(by_three, by_two, by_one, bytes)
}

/// Compares each byte with the three bytes before it, which are in the same lanes of the other vectors: the byte one,
/// two and three positions before. A lane of the result is 0 if the byte may stand there, and has a bit set if there is
/// an error.
///
/// Two neighbouring bytes can show most errors. Three tables of 16 entries classify a pair of neighbours: by the upper
/// half of the first byte, by its lower half, and by the upper half of the second byte. Each bit stands for one error,
/// and a pair has an error if all three entries have its bit (see [`utf8_pairs`](crate::utf8::tables)). Two neighbours
/// cannot show whether the second of two continuation bytes belongs to a character of three or four bytes. The highest
/// bit of the tables says "two continuation bytes"; it must be set exactly where the byte two positions before is at
/// least E0 or the byte three positions before is at least F0. An exclusive or compares the two conditions.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn errors_of_neighbours(by_three: __m256i, by_two: __m256i, by_one: __m256i, bytes: __m256i) -> __m256i {
    let by_first_upper = _mm256_shuffle_epi8(table(&pairs::BY_FIRST_UPPER), upper_half(by_one));
    let by_first_lower =
        _mm256_shuffle_epi8(table(&pairs::BY_FIRST_LOWER), _mm256_and_si256(by_one, _mm256_set1_epi8(0xF)));
    let by_second_upper = _mm256_shuffle_epi8(table(&pairs::BY_SECOND_UPPER), upper_half(bytes));
    let of_pair = _mm256_and_si256(_mm256_and_si256(by_first_upper, by_first_lower), by_second_upper);

    // A saturating subtraction leaves the highest bit set only for bytes of at least E0 (or F0).
    let third = _mm256_subs_epu8(by_two, _mm256_set1_epi8((0xE0_u8 - 0x80) as i8));
    let fourth = _mm256_subs_epu8(by_three, _mm256_set1_epi8((0xF0_u8 - 0x80) as i8));
    let expected = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(i8::MIN));
    _mm256_xor_si256(of_pair, expected)
}

/// Loads 16 entries into both halves of a vector: a table for `vpshufb`, which looks up within 128-bit lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn table(entries: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(entries))
}

/// The four highest bits of every byte, as a number from 0 to 15.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn upper_half(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0xF))
}
