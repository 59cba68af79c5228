//! UTF-16 into UTF-8, from code units and from bytes in either order.
//!
//! [`convert`] takes three loops by turns, each for another kind of text:
//!
//! * Runs of ASCII are narrowed, 64 units at a time.
//! * Text below U+0800 is converted in lanes of 16 bits ([`up_to_two_bytes`]), 32 units at a time. ASCII among this
//!   text takes the same steps, so no branch depends on where it stands. After a fixed number of steps, the text is
//!   examined for ASCII again.
//! * All other text is converted in lanes of 32 bits ([`up_to_three_bytes`]), 32 units at a time, whatever its
//!   characters are. Only surrogates take another path, eight units at a time. This loop also narrows 32 units of
//!   ASCII, because in HTML each few words are followed by a tag, and converts 32 units below U+0800 as the second loop
//!   does. It ends after the second such step, or after a long run of ASCII.
//!
//! Where the loops end, and for a short text, [`eight_units`] takes eight units at a time.
//!
//! A branch on the kind of the next 16 units would be guessed wrong too often in HTML and in text with quotation marks.
//!
//! # Shuffles
//!
//! A step computes the bytes that each unit has in UTF-8, with the last byte always at the same place of the lane. A
//! shuffle from a table drops the other bytes and moves the rest together. Its index says how long each character is:
//!
//! ```text
//! units     0061    0414    20AC                        (a, Д, €)
//! lanes     . . 61  . D0 94  E2 82 AC                   (in lanes of 32 bits, whose fourth byte is unused)
//! index     2       1        0                          (how many bytes the lane drops, in two bits)
//! result    61 D0 94 E2 82 AC
//! ```

use super::{eight_units, scalar};
use crate::ascii::avx2::{in_order, narrow_few};
use crate::utf8::shuffles::{ROW_BYTES, UP_TO_THREE, both_or_first};
use crate::{base::*, vector::avx2::*};

/// Length of a source, in code units, below which the scalar body converts it. So few code units have often just been
/// stored one by one, and a vector that loads them would wait until all these stores have reached the cache.
const SCALAR_BELOW_UNITS: usize = 4;

/// The body of [`crate::utf8::from_utf16()`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_UNITS {
        return scalar::from_utf16(source, destination);
    }
    pairs_to_utf8(as_pairs(source), destination, false)
}

/// As [`from_utf16`], for all but a few units of ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn more_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    more_pairs_to_utf8(as_pairs(source), destination, false)
}

/// The body of `bytes_to_utf8` in [`crate::utf16`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let (read, written) = pairs_to_utf8(source.as_chunks().0, destination, rotation != 0);
    (2 * read, written)
}

/// Converts UTF-16BE if the bytes are `swapped`, and otherwise UTF-16LE. The first code unit mostly tells whether a
/// short text is ASCII. Returns the number of units that were read, and of bytes that were written.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn pairs_to_utf8(source: &[[u8; 2]], destination: &mut [u8], swapped: bool) -> (usize, usize) {
    if source.first().is_some_and(|pair| pair[usize::from(!swapped)] == 0) && narrow_few(source, destination, swapped) {
        (source.len(), source.len())
    } else {
        more_pairs_to_utf8(source, destination, swapped)
    }
}

/// As [`pairs_to_utf8`], for all but a few units of ASCII. Where [`convert`] ends, vectors take eight units at a time.
/// The scalar body takes what [`eight_units`] leaves, of which fewer than 24 units are convertible: there is space for
/// fewer than 24 bytes, or one of the next eight units is an unpaired surrogate.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_pairs_to_utf8(source: &[[u8; 2]], destination: &mut [u8], swapped: bool) -> (usize, usize) {
    let (mut read, mut written) = if source.len() < 8 { (0, 0) } else { convert(source, destination, swapped) };
    let order = byte_order(swapped);
    loop {
        let rest = up_to(skip(source, read), eight_units::LONGEST_BYTES);
        if rest.is_empty() {
            return (read, written);
        }
        let units = match load_up_to(rest.as_flattened()) {
            Some(units) => _mm256_castsi256_si128(units),
            None => _mm_cvtsi32_si128(u16::from_le_bytes(rest[0]).into()),
        };
        let room = skip_mut(destination, written);
        let (more_read, more_written) = eight_units::to_utf8(_mm_shuffle_epi8(units, order), rest.len().min(8), room);
        (read, written) = (read + more_read, written + more_written);
        if more_read == 0 {
            let mut units = [0; eight_units::LONGEST_BYTES];
            let count = read_units(rest.as_flattened(), &mut units, if swapped { 8 } else { 0 });
            let (more_read, more_written) = scalar::from_utf16(up_to(&units, count), room);
            return (read + more_read, written + more_written);
        }
    }
}

/// The shuffle that brings the two bytes of each unit into the order of UTF-16LE.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn byte_order(swapped: bool) -> __m128i {
    load_half(if swapped { &BIG_ENDIAN } else { &LITTLE_ENDIAN })
}

/// Steps of the loop for text below U+0800, of 32 units each, until the text is examined for ASCII again. See
/// `docs/experiments.md#utf-8-and-utf-16`.
const STEPS_BELOW_800: usize = 4;
/// Steps of ASCII in a row, of 32 units each, after which the loop for all other text ends. Two steps below U+0800
/// without one from U+0800 on between them end it as well: each counts for half of this. See
/// `docs/experiments.md#utf-8-and-utf-16`.
const ASCII_STEPS_IN_A_ROW: usize = 16;

/// Converts until fewer than eight units of the source or too few bytes of the destination are left, or an unpaired
/// surrogate is near. The bytes of each unit are in the order of UTF-16BE if `swapped`, and otherwise in that
/// of UTF-16LE. One body serves both orders, because it is long. Returns the number of units that were read, and of
/// bytes that were written.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn convert(source: &[[u8; 2]], destination: &mut [u8], swapped: bool) -> (usize, usize) {
    let order = _mm256_broadcastsi128_si256(byte_order(swapped));
    let in_byte_order = |units| _mm256_shuffle_epi8(units, order);
    let (beyond_ascii, beyond_two) = (in_byte_order(set16(!0x7F)), in_byte_order(set16(0xF800)));
    let (mut rest, mut space) = (source, &mut *destination);
    let room = space.len();
    'all: loop {
        while let (Some((from, next)), Some(to)) = (rest.split_first_chunk::<64>(), space.first_chunk_mut::<64>()) {
            let ([first, second], _) = from.as_chunks() else { break };
            let ([a, b], [c, d]) = (load_pairs(first), load_pairs(second));
            let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            if _mm256_testz_si256(all, beyond_ascii) == 0 {
                break;
            }
            narrow([a, b, c, d].each(in_byte_order), to);
            rest = next;
            advance(&mut space, 64);
        }

        let mut steps = STEPS_BELOW_800;
        while steps > 0 {
            let Some((from, next)) = rest.split_first_chunk::<32>() else { break };
            let Some(to) = space.first_chunk_mut::<64>() else { break };
            let [first, second] = load_pairs(from);
            if _mm256_testz_si256(_mm256_or_si256(first, second), beyond_two) == 0 {
                break;
            }
            let written = two_of_up_to_two_bytes([first, second].each(in_byte_order), to);
            rest = next;
            advance(&mut space, written);
            steps -= 1;
        }
        if steps == 0 {
            continue;
        }

        let mut in_a_row = 0;
        loop {
            while let (Some((from, next)), Some(to)) =
                (rest.split_first_chunk::<32>(), space.first_chunk_mut::<THREES_SPACE_BYTES>())
            {
                let mut units = load_pairs(from);
                let all = _mm256_or_si256(units[0], units[1]);
                if _mm256_testz_si256(all, beyond_ascii) == 1 {
                    let [first, second] = units.each(in_byte_order);
                    let bytes = in_order(_mm256_packus_epi16(first, second));
                    store(bytes, to.first_chunk_mut().expect("143 bytes are at least 32"));
                    rest = next;
                    advance(&mut space, 32);
                    in_a_row += 1;
                    if in_a_row >= ASCII_STEPS_IN_A_ROW {
                        continue 'all;
                    }
                    continue;
                }
                if _mm256_testz_si256(all, beyond_two) == 1 {
                    if in_a_row >= ASCII_STEPS_IN_A_ROW / 2 {
                        continue 'all;
                    }
                    in_a_row += ASCII_STEPS_IN_A_ROW / 2;
                    let to = to.first_chunk_mut().expect("143 bytes are at least 64");
                    let written = two_of_up_to_two_bytes(units.each(in_byte_order), to);
                    rest = next;
                    advance(&mut space, written);
                    continue;
                }
                in_a_row = 0;
                // This branch is always predicted, and the shuffles would take a tenth of the time of this step (Zen
                // 5).
                if swapped {
                    units = units.each(in_byte_order);
                }
                let [first, second] = units.each(|units| _mm256_cmpeq_epi16(and(units, 0xF800), set16(0xD800)));
                let surrogates = _mm256_or_si256(first, second);
                if _mm256_testz_si256(surrogates, surrogates) == 0 {
                    break;
                }
                let written = up_to_three_bytes(units, to);
                rest = next;
                advance(&mut space, written);
            }
            // Surrogates are near, or one of the ends.
            let Some(from) = rest.first_chunk::<8>() else { break 'all };
            let units = load_half(from.as_flattened().first_chunk().expect("8 pairs are 16 bytes"));
            let units = _mm_shuffle_epi8(units, _mm256_castsi256_si128(order));
            let (read, written) = eight_units::to_utf8(units, 8, space);
            if read == 0 {
                break 'all;
            }
            rest = after(rest, read);
            advance(&mut space, written);
        }
    }
    (source.len() - rest.len(), room - space.len())
}

/// The shuffle that leaves the bytes of each unit as they are.
static LITTLE_ENDIAN: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// The shuffle that swaps the bytes of each unit.
static BIG_ENDIAN: [u8; 16] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];

/// Stores 64 units of ASCII as bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn narrow([a, b, c, d]: [__m256i; 4], to: &mut [u8; 64]) {
    let ([first, second], _) = to.as_chunks_mut() else { return };
    store(in_order(_mm256_packus_epi16(a, b)), first);
    store(in_order(_mm256_packus_epi16(c, d)), second);
}

/// Writes the UTF-8 of 16 units below U+0800, and returns its length in bytes. The stores also overwrite some bytes
/// after the UTF-8.
///
/// A lane of ASCII keeps its first byte, and every other lane keeps both bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn up_to_two_bytes(units: __m256i, to: &mut [u8; 32]) -> usize {
    let long = _mm256_cmpgt_epi16(units, set16(0x7F));
    let first = _mm256_srli_epi16::<6>(units);
    let second = and(_mm256_slli_epi16::<8>(units), 0x3F00);
    let both = _mm256_or_si256(_mm256_or_si256(first, second), set16(0x80C0));
    let lanes = _mm256_blendv_epi8(units, both, long);

    // Bits 0 to 7 are of the lower eight units, bits 16 to 23 of the upper eight. The other bits are 0 already; masking
    // them shows the compiler that the length is at most 32, so that it omits checks: 1.2 times as fast (Zen 5,
    // Russian).
    let long = _mm256_movemask_epi8(_mm256_packs_epi16(long, _mm256_setzero_si256())) as u32 & 0xFF_00FF;
    let [lower, _, upper, _] = long.to_le_bytes();
    let [shuffle, upper_shuffle] = [lower, upper].each(|long| load_half(both_or_first(long)));
    let bytes = _mm256_shuffle_epi8(lanes, _mm256_set_m128i(upper_shuffle, shuffle));
    store_half(_mm256_castsi256_si128(bytes), to.first_chunk_mut().expect("32 bytes are at least 16"));
    let rest = block_mut(to, 8 + lower.count_ones() as usize).expect("eight units have at most 16 bytes");
    store_half(_mm256_extracti128_si256::<1>(bytes), rest);
    16 + long.count_ones() as usize
}

/// As [`up_to_two_bytes`], for 32 units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn two_of_up_to_two_bytes([first, second]: [__m256i; 2], to: &mut [u8; 64]) -> usize {
    let written = up_to_two_bytes(first, to.first_chunk_mut().expect("64 bytes are at least 32"));
    written + up_to_two_bytes(second, block_mut(to, written).expect("16 units have at most 32 bytes"))
}

/// The bytes that [`up_to_three_bytes`] may overwrite: a store of 16 bytes begins after at most 127, which is as much
/// as the compiler knows.
const THREES_SPACE_BYTES: usize = 127 + 16;

/// Writes the UTF-8 of 32 units without surrogates, and returns its length in bytes. The stores also overwrite some
/// bytes after the UTF-8.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn up_to_three_bytes(units: [__m256i; 2], to: &mut [u8; THREES_SPACE_BYTES]) -> usize {
    let [(first, first_dropped), (second, second_dropped)] = units.each(|units| four_quarters(units));
    // In each two bits, how many bytes a character has less than three; then the sums of two and of four characters.
    let dropped = u64::from(first_dropped) | u64::from(second_dropped) << 32;
    let dropped = (dropped & 0x3333_3333_3333_3333) + (dropped >> 2 & 0x3333_3333_3333_3333);
    let dropped = (dropped + (dropped >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    // Each byte of the product is the sum of the lengths up to this one: the end of four characters. So no store waits
    // for the length before it.
    let ends = (0x0C0C_0C0C_0C0C_0C0C - dropped).wrapping_mul(0x0101_0101_0101_0101);
    let end = |number: usize| (ends >> (8 * number)) as usize & 0x7F;
    let ([a, b, c, d], [e, f, g, h]) = (first, second);
    let quarters = [(a, 0), (b, end(0)), (c, end(1)), (d, end(2)), (e, end(3)), (f, end(4)), (g, end(5)), (h, end(6))];
    quarters.each(|(quarter, start)| {
        store_half(quarter, block_mut(to, start).expect("the array has 16 bytes after 127"));
    });
    end(7)
}

/// The UTF-8 of 16 units without surrogates, of four units in each vector, and two bits for each unit: how many bytes
/// it has less than three.
///
/// A lane of 32 bits has the character's last byte in its third byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn four_quarters(units: __m256i) -> ([__m128i; 4], u32) {
    let zero = _mm256_setzero_si256();
    let is_short = _mm256_cmpeq_epi16(and(units, 0xF800), zero);
    let is_ascii = _mm256_cmpeq_epi16(and(units, !0x7F), zero);
    // The second byte continues a character of three bytes (80 to BF), or leads a character of two (C0 to DF).
    let first_two = _mm256_or_si256(_mm256_srli_epi16::<12>(units), and(_mm256_slli_epi16::<2>(units), 0x3F00));
    let first_two = _mm256_or_si256(_mm256_or_si256(first_two, set16(0x80E0)), and(is_short, 0x4000));
    let last = _mm256_or_si256(and(units, 0x3F), set16(0x80));
    let last = _mm256_blendv_epi8(last, units, is_ascii);

    let [is_ascii, is_short] = [is_ascii, is_short].each(|lanes| _mm256_movemask_epi8(lanes) as u32);
    let (shuffles, dropped) = shuffles_up_to_three(is_ascii, is_short);
    let [a, b, c, d] = shuffles.each(|shuffle| load_half(shuffle));
    // The instructions work on each half of a vector by itself: the lower lanes are of units 0 to 3 and 8 to 11.
    let lower = _mm256_shuffle_epi8(_mm256_unpacklo_epi16(first_two, last), _mm256_set_m128i(c, a));
    let upper = _mm256_shuffle_epi8(_mm256_unpackhi_epi16(first_two, last), _mm256_set_m128i(d, b));
    let [[a, c], [b, d]] = [lower, upper].each(|lanes| halves(lanes));
    ([a, b, c, d], dropped)
}

/// The shuffles in [`UP_TO_THREE`] for four units each, followed by four bytes without meaning; and two bits for each
/// unit: how many bytes it has less than three. A unit has two bits in each mask: whether it is ASCII, and whether it
/// is below U+0800, as ASCII is, too.
#[inline(always)]
fn shuffles_up_to_three(is_ascii: u32, is_short: u32) -> ([&'static [u8; 16]; 4], u32) {
    let dropped = (is_ascii & 0x5555_5555) + (is_short & 0x5555_5555);
    let shuffles = dropped.to_le_bytes().each(|index| {
        // A minimum instead of this hint is safe code, but Chinese takes 1.1 times as long (Zen 5). SAFETY: each two
        // bits of `dropped` are the sum of two bits, by the masks above, so they are at most 2 (0b10). The sums carry
        // nothing into their neighbours, so this also holds of the four pairs of bits in each byte.
        unsafe { core::hint::assert_unchecked(index <= 0b10_10_10_10) };
        block(&UP_TO_THREE, ROW_BYTES * usize::from(index)).expect("the table has a row for each index, and more bytes")
    });
    (shuffles, dropped)
}
