//! UTF-16 into UTF-8.
//!
//! One step converts 64 code units. A unit that is no surrogate becomes at most three bytes. The last two of these
//! bytes are computed in the unit's own lane of 16 bits, and the first byte of three in a separate vector. Three
//! shuffles bring the bytes of all units in order, and compression drops the bytes that a unit does not have:
//!
//! ```text
//! unit           0061        0414        20AC
//! first          .           .           E2
//! second         .           D0          82
//! third          61          94          AC
//! interleaved    . . 61      . D0 94     E2 82 AC
//! compressed     61 D0 94 E2 82 AC
//! ```
//!
//! Blocks with surrogates, and the last units of a text, are converted 16 units at a time, each in a lane of 32 bits
//! that has space for four bytes.

use super::scalar;
use crate::ascii::avx2::narrow_few;
use crate::ascii::avx512::{low_bytes, saturated};
use crate::base::*;
use crate::vector::{avx2::clear_upper_halves, avx512::*};

/// Length of a source, in code units, below which the scalar body converts it. So few code units have often just been
/// stored one by one; a vector that loads them would wait until all these stores have reached the cache (8 ns of 52 for
/// 8 bytes of Korean in gb18030). See `docs/experiments.md#short-input`.
const SCALAR_BELOW_UNITS: usize = 5;

/// Bytes of space that a step needs in the destination: three for each of 64 code units.
const STEP_SPACE_BYTES: usize = 3 * 64;

/// The body of [`crate::utf8::from_utf16()`]. The first code unit mostly tells whether a short text is ASCII.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if matches!(source, [0..0x80, ..]) && narrow_few(as_pairs(source), destination, false) {
        return (source.len(), source.len());
    }
    more_to_utf8(source, destination)
}

/// The rest of [`from_utf16`].
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn more_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < SCALAR_BELOW_UNITS {
        return scalar::from_utf16(source, destination);
    }
    encode(as_pairs(source), destination, 0)
}

/// The body of `bytes_to_utf8` in [`crate::utf16`]. Short ASCII is converted in a function that saves no registers.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn bytes_to_utf8(source: &[u8], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let (source, _) = source.as_chunks();
    if source.len() <= 64 {
        if let Some(length) = few_of_ascii_to_utf8(source, destination, rotation) {
            return (2 * length, length);
        }
        clear_upper_halves();
    }
    more_bytes_to_utf8(source, destination, rotation)
}

/// The rest of [`bytes_to_utf8`].
#[inline(never)]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn more_bytes_to_utf8(source: &[[u8; 2]], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let (read, written) = encode(source, destination, rotation);
    (2 * read, written)
}

/// Narrows 1 to 64 units if all are ASCII and fit, and returns their number.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn few_of_ascii_to_utf8(source: &[[u8; 2]], destination: &mut [u8], rotation: u16) -> Option<usize> {
    // One byte predicts well whether the units are ASCII: the upper byte of the first unit.
    if source.first()?[usize::from(rotation == 0)] != 0 {
        return None;
    }
    let to = destination.get_mut(..source.len())?;
    let rotations = _mm512_set1_epi16(rotation as i16);
    let units = load_pairs_up_to(source).each(|units| _mm512_shldv_epi16(units, units, rotations));
    if at_least(Constants::new(), units, 0x80) != 0 {
        return None;
    }
    store_up_to(saturated(units), to);
    Some(to.len())
}

/// Converts the valid prefix of at most 64 units to UTF-8, 16 units at a time: a block of 64 takes as long for one unit
/// as for all. Each unit is rotated by `rotation` bits first, 0 or 8. Returns `(read, written)`.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn encode_few(source: &[[u8; 2]], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if let Some(length) = few_of_ascii_to_utf8(source, destination, rotation) {
        return (length, length);
    }
    while read < source.len() {
        let (units, count) = load_sixteen_pairs_up_to(skip(source, read));
        let units = _mm256_shldv_epi16(units, units, _mm256_set1_epi16(rotation as i16));
        let (lanes, live) = characters(_mm512_cvtepu16_epi32(units), lowest(count) as u16);
        let read_here = live.count as usize;
        let (bytes, length) = sixteen_to_utf8::<4>(Constants::KNOWN, lanes, live.characters);
        let Some(to) = destination.get_mut(written..written + length) else {
            // The scalar body finds how many of the characters fit.
            let mut last = [0_u16; 16];
            store_sixteen(units, &mut last);
            let (more_read, more_written) = scalar::from_utf16(&last[..count], skip_mut(destination, written));
            return (read + more_read, written + more_written);
        };
        store_up_to(bytes, to);
        (read, written) = (read + read_here, written + length);
        // A leading surrogate in the last of 16 lanes is left to the next round, which has its pair. Any other unit
        // that is left is an unpaired surrogate, or follows one: the conversion stops.
        if read_here < count.min(15) {
            break;
        }
    }
    (read, written)
}

/// The characters to convert among 16 lanes.
struct Live {
    /// The lanes that hold a character.
    characters: u16,
    /// The number of code units that these characters are made of.
    count: u32,
}

/// Replaces each surrogate pair by its code point, in the lane of the leading surrogate. `live` are the lanes that hold
/// units. The lanes from the first unpaired surrogate on do not count.
///
/// ```text
/// unit      0061    D83D    DCA9    20AC
/// lane      61      1F4A9   .       20AC
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn characters(units: __m512i, live: u16) -> (__m512i, Live) {
    let masked = |bits: i32, value: i32| {
        _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, _mm512_set1_epi32(bits)), _mm512_set1_epi32(value))
    };
    let surrogates = masked(0xF800, 0xD800);
    if surrogates == 0 {
        return (units, Live { characters: live, count: live.count_ones() });
    }
    let leading = masked(0xFC00, 0xD800);
    let trailing = surrogates & !leading;
    let (paired_leading, paired_trailing) = (leading & trailing >> 1, trailing & leading << 1);
    // The mask of `counted` has all bits below the first unpaired surrogate.
    let alone = surrogates & !paired_leading & !paired_trailing;
    let counted = live & alone.wrapping_sub(1) & !alone;
    let next = _mm512_alignr_epi32::<1>(_mm512_setzero_si512(), units);
    // A pair's code point is (leading − D800) × 400 + (trailing − DC00) + 10000, all hexadecimal. The constants are
    // combined.
    let code_points = _mm512_add_epi32(_mm512_slli_epi32::<10>(units), next);
    let code_points = _mm512_sub_epi32(code_points, _mm512_set1_epi32((0xD800 << 10) + 0xDC00 - 0x1_0000));
    let lanes = _mm512_mask_mov_epi32(units, paired_leading, code_points);
    (lanes, Live { characters: counted & !paired_trailing, count: counted.count_ones() })
}

/// Converts 16 code points to UTF-8. Returns the bytes and their number. No code point has more than `BYTES` bytes or
/// is a surrogate. `live` are the lanes that count.
///
/// Each lane holds the bytes of its character, from the first byte on. Compression drops the bytes that a character
/// does not have:
///
/// ```text
/// unit    0061        0414        20AC
/// lane    61 . . .    D0 94 . .   E2 82 AC .
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn sixteen_to_utf8<const BYTES: usize>(
    constants: Constants,
    code_points: __m512i,
    live: u16,
) -> (__m512i, usize) {
    // `vpmultishiftqb` fills each byte with eight bits of the 64-bit lane, from a given bit on. Such a lane holds two
    // code points, so the second four bytes start 32 bits (0x20) further on.
    let from = |bits: u64| constants.eight_bytes(bits | (bits + 0x2020_2020) << 32);
    let encoded = |places: u64, bits: i32, marks: i32| {
        let bytes = _mm512_multishift_epi64_epi8(from(places), code_points);
        _mm512_or_si512(_mm512_and_si512(bytes, _mm512_set1_epi32(bits)), _mm512_set1_epi32(marks))
    };
    let at_least = |least: i32| _mm512_mask_cmpge_epu32_mask(live, code_points, _mm512_set1_epi32(least));
    // Characters with a second, third or fourth byte. A character takes the bytes of the last of these conditions that
    // it meets.
    let (has_second, has_third) = (at_least(0x80), at_least(0x800));
    let two = encoded(0x0006, 0x3F1F, 0x80C0);
    let three = encoded(0x00_060C, 0x3F_3F0F, 0x80_80E0);
    let mut bytes = _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(code_points, has_second, two), has_third, three);
    let mut kept = _pdep_u64(live.into(), 0x1111_1111_1111_1111)
        | _pdep_u64(has_second.into(), 0x2222_2222_2222_2222)
        | _pdep_u64(has_third.into(), 0x4444_4444_4444_4444);
    if BYTES == 4 {
        let has_fourth = at_least(0x1_0000);
        let four = encoded(0x0006_0C12, 0x3F3F_3F07, 0x8080_80F0_u32 as i32);
        bytes = _mm512_mask_mov_epi32(bytes, has_fourth, four);
        kept |= _pdep_u64(has_fourth.into(), 0x8888_8888_8888_8888);
    }
    (compress(bytes, kept), kept.count_ones() as usize)
}

/// Converts the valid prefix of `source` to UTF-8. Each unit is rotated by `rotation` bits first, 0 or 8. Returns the
/// number of units read and of bytes written.
///
/// [`encode_in_bulk`] converts blocks without surrogates. The block at which this function stops, and the end of the
/// text, are left to [`encode_few`].
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn encode(source: &[[u8; 2]], destination: &mut [u8], rotation: u16) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let constants = Constants::KNOWN;
    let rotations = _mm512_set1_epi16(rotation as i16);
    let rotated = |units: [__m512i; 2]| units.each(|units| _mm512_shldv_epi16(units, units, rotations));
    // The number of blocks to convert before 256 units are tried as ASCII. After the first round, the text is known to
    // be other than ASCII.
    let mut wait = 0;
    while read < source.len() {
        if source.len() - read >= 64 {
            let (more_read, more_written) =
                encode_in_bulk(constants, after(source, read), after_mut(destination, written), rotated, wait);
            wait = 4;
            (read, written) = (read + more_read, written + more_written);
        }
        let few = up_to(skip(source, read), 64);
        let (more_read, more_written) = encode_few(few, skip_mut(destination, written), rotation);
        if more_read == 0 {
            break;
        }
        (read, written) = (read + more_read, written + more_written);
    }
    (read, written)
}

/// Converts blocks of 64 units, as long as they have no surrogates and `destination` has space for three bytes for each
/// unit. Returns `(read, written)`.
///
/// Runs of ASCII are found 256 units at a time. A branch for each block of 64 would mostly be mispredicted in mixed
/// text. `wait` is the number of blocks to convert before the next 256 units are tried.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn encode_in_bulk(
    constants: Constants,
    source: &[[u8; 2]],
    destination: &mut [u8],
    rotated: impl Fn([__m512i; 2]) -> [__m512i; 2],
    mut wait: u32,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = block(source, read) {
        if wait == 0
            && let (Some(ahead), Some(to)) = (block::<_, 256>(source, read), block_mut::<_, 256>(destination, written))
        {
            let ([a, b, c, d], _) = ahead.as_chunks() else { break };
            let all = [a, b, c, d].each(|units| {
                let [first, second] = load_pairs(units);
                or(first, second)
            });
            let all = [or(all[0], all[1]), or(all[2], all[3])];
            if at_least(constants, rotated(all), 0x80) == 0 {
                let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
                [(a, to_a), (b, to_b), (c, to_c), (d, to_d)]
                    .each(|(from, to)| store(low_bytes(rotated(load_pairs(from))), to));
                (read, written) = (read + 256, written + 256);
                continue;
            }
            wait = 4;
        }
        wait = wait.saturating_sub(1);
        let Some(to) = block_mut::<_, STEP_SPACE_BYTES>(destination, written) else { break };
        let units = rotated(load_pairs(from));
        let beyond_ascii = at_least(constants, units, 0x80);
        let three = at_least(constants, units, 0x800);
        written += if three == 0 {
            encode_two(constants, units, !0, beyond_ascii, to)
        } else if surrogates(constants, units) == 0 {
            encode_three(constants, units, beyond_ascii, three, to)
        } else {
            break;
        };
        read += 64;
    }
    (read, written)
}

/// Writes the UTF-8 of the `live` units, all of them below 0x800, and returns its length in bytes. Both bytes of a
/// character are computed in the unit's own lane of 16 bits; an ASCII unit already is its byte, followed by 0.
/// Compression keeps both bytes of a lane beyond ASCII, the first byte of a lane of ASCII, and none of a lane that is
/// not live. The second vector of 32 units is stored after what the first one kept.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn encode_two(
    constants: Constants,
    units: [__m512i; 2],
    live: u64,
    beyond_ascii: u64,
    to: &mut [u8],
) -> usize {
    // The lower bytes of 32 lanes.
    const FIRST_BYTES: u64 = 0x5555_5555_5555_5555;
    let mut written = 0;
    for (units, at) in units.into_iter().zip([0, 32]) {
        let [live, beyond_ascii] = [live, beyond_ascii].each(|mask| mask >> at & 0xFFFF_FFFF);
        let bytes =
            _mm512_mask_mov_epi16(units, beyond_ascii as u32, or(last_two(constants, units), constants.units(0x80C0)));
        let kept = _pdep_u64(live, FIRST_BYTES) | _pdep_u64(beyond_ascii, !FIRST_BYTES);
        written += store_compressed(bytes, kept, to, written);
    }
    written
}

/// Bits 6 to 11 of each unit in the lower byte of its lane, and bits 0 to 5 in the upper byte: the order in memory.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn last_two(constants: Constants, units: __m512i) -> __m512i {
    let (lower, upper) = (_mm512_srli_epi16::<6>(units), _mm512_slli_epi16::<8>(units));
    let bytes = _mm512_ternarylogic_epi32::<{ CHOOSE }>(constants.units(0xFF), lower, upper);
    _mm512_and_si512(bytes, constants.bytes(0x3F))
}

/// Writes the UTF-8 of 64 units, none of them a surrogate, and returns its length in bytes. The last two bytes of each
/// unit are computed in its own lane, and the first bytes of characters of three bytes in a separate vector.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn encode_three(constants: Constants, units: [__m512i; 2], beyond_ascii: u64, three: u64, to: &mut [u8]) -> usize {
    let firsts = units.each(|units| or(_mm512_srli_epi16::<12>(units), constants.units(0xE0)));
    let firsts = _mm512_packus_epi16(firsts[0], firsts[1]);
    let last_two = |half: usize| {
        let [ascii, two] = [!beyond_ascii, !three].each(|mask| (mask >> (32 * half)) as u32);
        // A last byte but one leads a character of two bytes (C0), and continues a character of three (80). ASCII
        // becomes the last byte.
        let bytes = or(last_two(constants, units[half]), constants.bytes(0x80));
        let bytes = _mm512_mask_add_epi16(bytes, two, bytes, constants.units(0x40));
        _mm512_mask_slli_epi16::<8>(bytes, ascii, units[half])
    };
    let (first, second) = (last_two(0), last_two(1));

    store_three([first, second], firsts, &PARTS, [three, beyond_ascii], to)
}

/// Writes 64 characters of up to three bytes, and returns the number of bytes. `last_two` has the last two bytes of 32
/// characters in each vector, and `firsts` the first bytes, in the order that `parts` are made for. `kept` says which
/// characters have a first byte, and which have a last byte but one; every character has a last byte.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_three(
    [first, second]: [__m512i; 2],
    firsts: __m512i,
    parts: &'static [Part; 3],
    [three, beyond_ascii]: [u64; 2],
    to: &mut [u8],
) -> usize {
    let kept = [three, beyond_ascii, !0];
    // Each part of the result takes bytes of 22 units at most, so a vector of 32 units is enough for it: the vectors
    // begin with units 0, 16 and 32.
    let sources = [first, _mm512_alignr_epi64::<4>(second, first), second];
    let mut written = 0;
    for (part, source) in parts.iter().zip(sources) {
        let bytes = _mm512_permutex2var_epi8(source, load(&part.places), firsts);
        let lanes = |byte: usize| _pdep_u64(kept[byte] >> part.from[byte], part.lanes[byte]);
        written += store_compressed(bytes, lanes(0) | lanes(1) | lanes(2), to, written);
    }
    written
}

/// The shuffle that makes one of three parts of the result: 64 of the 192 bytes that 64 units have, at three for each.
#[repr(align(64))]
pub(crate) struct Part {
    /// For each byte of the part, its index in the vector of last two bytes; from 64 on, its index in the vector of
    /// first bytes.
    places: [u8; 64],
    /// The lanes of this part that hold first, second and third bytes of units.
    lanes: [u64; 3],
    /// The first unit that has its first, second or third byte in this part.
    from: [u32; 3],
}

/// The three parts of the result, for first bytes that `vpackuswb` has packed.
static PARTS: [Part; 3] = [part(0, true), part(1, true), part(2, true)];

/// The same for first bytes in the order of the units.
pub(crate) static PARTS_IN_ORDER: [Part; 3] = [part(0, false), part(1, false), part(2, false)];

/// Computes part `number`. Its lane *n* is byte 64 × `number` + *n* of the 192, so it belongs to the unit that is a
/// third of this number; the remainder says which of the unit's three bytes it is. All first bytes are in one vector,
/// after the 64 places of the other one.
const fn part(number: usize, are_packed: bool) -> Part {
    let mut part = Part { places: [0; 64], lanes: [0; 3], from: [0; 3] };
    let mut lane = 64;
    while lane > 0 {
        lane -= 1;
        let (unit, byte) = ((64 * number + lane) / 3, (64 * number + lane) % 3);
        part.lanes[byte] |= 1 << lane;
        part.from[byte] = unit as u32;
        part.places[lane] = match byte {
            // `vpackuswb` alternates eight of the first 32 units with eight of the last 32.
            0 if are_packed => 64 + unit % 32 / 8 * 16 + unit / 32 * 8 + unit % 8,
            0 => 64 + unit,
            _ => 2 * (unit - 16 * number) + byte - 1,
        } as u8;
    }
    part
}

/// Compresses the lanes of `kept` and writes them to `to` from `at` on. Returns their number. The caller makes sure
/// that they fit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
fn store_compressed(vector: __m512i, kept: u64, to: &mut [u8], at: usize) -> usize {
    let length = kept.count_ones() as usize;
    let compressed = compress(vector, kept);
    match block_mut(to, at) {
        Some(block) => store(compressed, block),
        None => store_up_to(compressed, &mut to[at..at + length]),
    }
    length
}
