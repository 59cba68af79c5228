//! Eight code units into UTF-8: a few, the last ones of a text, and those with surrogates.
//!
//! No branch depends on a single unit. The UTF-8 of a unit takes up to three bytes of a lane of 32 bits, and half of a
//! surrogate pair becomes two of the pair's four bytes. Two lanes become one of 64 bits, in which the second unit's
//! bytes follow those of the first. The highest byte of it is the length of both:
//!
//! ```text
//! units               0416          0061          D83D          DCA9
//! lanes of 32 bits    D0 96 __ __   61 __ __ __   F0 9F __ __   92 A9 __ __
//! lanes of 64 bits    D0 96 61 __   __ __ __ 03   F0 9F 92 A9   __ __ __ 04
//! ```

use core::arch::x86_64::*;

/// The number of bytes of the longest UTF-8 for eight units.
pub(crate) const LONGEST_BYTES: usize = 24;

/// Writes the UTF-8 of the first `count` of eight code units, as far as it fits. Lanes after them are 0. Returns the
/// number of units and the number of bytes. Bytes after the UTF-8 may be overwritten.
///
/// It reads nothing if a surrogate is unpaired, or if there are surrogates and no space for 24 bytes. A leading
/// surrogate in the last lane is left to the next eight units, which have its pair.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(mut units: __m128i, mut count: usize, to: &mut [u8]) -> (usize, usize) {
    let surrogates = equal(and(units, 0xF800), 0xD800);
    if _mm_testz_si128(surrogates, surrogates) == 1 {
        return without_surrogates(units, count, to);
    }
    if _mm_extract_epi16::<7>(units) & 0xFC00 == 0xD800 {
        units = _mm_insert_epi16::<7>(units, 0);
        count = 7;
    }
    let (leading, trailing) = (equal(and(units, 0xFC00), 0xD800), equal(and(units, 0xFC00), 0xDC00));
    let unpaired = _mm_xor_si128(one_later(leading), trailing);
    if to.len() < LONGEST_BYTES || _mm_testz_si128(unpaired, unpaired) == 0 {
        return (0, 0);
    }
    write(units, halves_of_pairs(units, trailing), _mm_or_si128(leading, trailing), count, to)
}

/// As [`to_utf8`], if no unit is a surrogate.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn without_surrogates(units: __m128i, count: usize, to: &mut [u8]) -> (usize, usize) {
    let none = _mm_setzero_si128();
    write(units, none, none, count, to)
}

/// The body of [`to_utf8`]: the lanes of `surrogates` are all ones for surrogates, whose bytes are in `halves`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write(units: __m128i, halves: __m128i, surrogates: __m128i, count: usize, to: &mut [u8]) -> (usize, usize) {
    let (text, lengths) = text_and_lengths(units);
    let (halves, surrogates) = (_mm256_cvtepu16_epi32(halves), _mm256_cvtepi16_epi32(surrogates));
    // A comparison that holds gives -1: half of a pair has two bytes, and another unit from U+0800 on has three.
    let lengths = _mm256_add_epi32(lengths, surrogates);
    let text = _mm256_blendv_epi8(text, halves, surrogates);

    let lower = _mm256_set1_epi64x(0xFFFF_FFFF);
    let [first, second] = [_mm256_and_si256(text, lower), _mm256_srli_epi64::<32>(text)];
    let bits = _mm256_slli_epi64::<3>(_mm256_and_si256(lengths, lower));
    let text = _mm256_or_si256(first, _mm256_sllv_epi64(second, bits));
    let lengths = _mm256_add_epi32(lengths, _mm256_srli_epi64::<32>(lengths));
    let text = _mm256_or_si256(text, _mm256_slli_epi64::<56>(lengths));
    let twos = [
        _mm256_extract_epi64::<0>(text),
        _mm256_extract_epi64::<1>(text),
        _mm256_extract_epi64::<2>(text),
        _mm256_extract_epi64::<3>(text),
    ];
    let (mut done, mut written) = (0, 0);
    for two in twos {
        let [bytes @ .., _, length] = two.to_le_bytes();
        let Some(space) = to.get_mut(written..written + bytes.len()) else { return (done, written) };
        space.copy_from_slice(&bytes);
        (done, written) = (done + 2, written + usize::from(length));
        if done >= count {
            break;
        }
    }
    // If `count` is odd, the 0 after the last unit has become one byte.
    (count, written - (done - count))
}

/// The bytes of eight units that are not surrogates, in lanes of 32 bits, and their number for each unit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn text_and_lengths(units: __m128i) -> (__m256i, __m256i) {
    let all = |lane: i32| _mm256_set1_epi32(lane);
    let units = _mm256_cvtepu16_epi32(units);
    let six_bits = all(0x3F);
    let last = _mm256_and_si256(units, six_bits);
    let upper = _mm256_srli_epi32::<6>(units);
    let middle = _mm256_and_si256(upper, six_bits);
    let top = _mm256_srli_epi32::<12>(units);
    let two = _mm256_or_si256(_mm256_or_si256(upper, _mm256_slli_epi32::<8>(last)), all(0x80C0));
    let three = _mm256_or_si256(_mm256_or_si256(top, _mm256_slli_epi32::<8>(middle)), _mm256_slli_epi32::<16>(last));
    let three = _mm256_or_si256(three, all(0x80_80E0));
    let (is_long, is_longest) = (_mm256_cmpgt_epi32(units, all(0x7F)), _mm256_cmpgt_epi32(units, all(0x7FF)));
    let text = _mm256_blendv_epi8(_mm256_blendv_epi8(units, two, is_long), three, is_longest);
    // A comparison that holds gives -1.
    let lengths = _mm256_sub_epi32(_mm256_sub_epi32(all(1), is_long), is_longest);
    (text, lengths)
}

/// The two bytes of each surrogate, in lanes of 16 bits. `trailing` says which units are trailing surrogates.
///
/// A leading surrogate holds bits 10 to 20 of its code point, less 0x10000. After adding 0x40, its low eleven bits are
/// bits 10 to 20 of the code point itself. The first two bytes of the character hold the upper nine of these bits. The
/// lowest two bits go to the character's third byte, beside four bits of the trailing surrogate:
///
/// ```text
/// leading + 0x40     11011aaabbbbbbcc
/// trailing           110111ddddeeeeee
/// bytes              11110aaa 10bbbbbb 10ccdddd 10eeeeee
/// ```
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn halves_of_pairs(units: __m128i, trailing: __m128i) -> __m128i {
    let leading = _mm_add_epi16(units, set(0x40));
    let first_two = _mm_or_si128(and(_mm_srli_epi16::<8>(leading), 7), and(_mm_slli_epi16::<6>(leading), 0x3F00));
    let first_two = _mm_or_si128(first_two, set(0x80F0));
    let third = _mm_or_si128(and(_mm_slli_epi16::<4>(one_later(leading)), 0x30), and(_mm_srli_epi16::<6>(units), 0xF));
    let last_two = _mm_or_si128(_mm_or_si128(third, and(_mm_slli_epi16::<8>(units), 0x3F00)), set(0x8080));
    _mm_blendv_epi8(first_two, last_two, trailing)
}

/// The lanes of 16 bits, each in the place of the next one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_later(lanes: __m128i) -> __m128i {
    _mm_slli_si128::<2>(lanes)
}

/// Repeats `value` in each lane of 16 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn set(value: u16) -> __m128i {
    _mm_set1_epi16(value as i16)
}

/// The `bits` of each code unit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and(units: __m128i, bits: u16) -> __m128i {
    _mm_and_si128(units, set(bits))
}

/// Which lanes of 16 bits are equal to `value`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn equal(units: __m128i, value: u16) -> __m128i {
    _mm_cmpeq_epi16(units, set(value))
}
