//! UTF-16.
//!
//! # Into UTF-8
//!
//! 64 code units are converted at once. Each of them makes up to three bytes. They are computed for all units: the first bytes
//! in a vector of their own, the second and the third in the lane of their unit. The last byte of a character always stands in
//! the third. Then the bytes are brought in order, and what units do not have is left out:
//!
//! ```text
//! unit           a           Д           €
//! first          .           .           E2
//! second         .           D0          82
//! third          61          94          AC
//! interleaved    . . 61      . D0 94     E2 82 AC
//! ```
//!
//! Blocks with surrogates, and what is no block, are converted 16 units at a time, each in a lane that has room for four bytes.

use super::{
    ascii::saturated,
    compress::compress,
    memory::{
        as_pairs, load, load_pairs, load_pairs_up_to, load_sixteen_pairs_up_to, load_units, load_units_up_to, lowest,
        store, store_sixteen, store_units, store_units_up_to, store_up_to,
    },
};
use crate::{
    blocks::{after, after_mut, block, block_mut, nowhere, up_to},
    scalar,
};
use core::arch::x86_64::*;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    validate(source, &mut nowhere(), |from, _| load_units(from), |from, _| load_units_up_to(from))
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(source: &[u8], destination: &mut [u16], turn: u16) -> usize {
    let (pairs, _) = source.as_chunks();
    let turn = set(turn);
    let turned = |units: [__m512i; 2]| units.map(|units| _mm512_shldv_epi16(units, units, turn));
    validate(
        pairs,
        destination,
        |from, to| {
            let units = turned(load_pairs(from));
            store_units(units, to);
            units
        },
        |from, to| {
            let units = turned(load_pairs_up_to(from));
            store_units_up_to(units, to);
            units
        },
    )
}

/// The length of the prefix of `source` without an unpaired surrogate, as far as there is room. `step` loads 64 code units and
/// may put them down, `last` at most 63.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn validate<S, D>(
    source: &[S],
    destination: &mut [D],
    step: impl Fn(&[S; 64], &mut [D; 64]) -> [__m512i; 2],
    last: impl Fn(&[S], &mut [D]) -> [__m512i; 2],
) -> usize {
    let length = source.len().min(destination.len());
    let (source, destination) = (&source[..length], &mut destination[..length]);
    let mut done = 0;
    let mut trailing_due = 0;
    while let (Some(from), Some(to)) = (block(source, done), block_mut(destination, done)) {
        let units = step(from, to);
        match pair_up(units, trailing_due) {
            Ok(due) => trailing_due = due,
            Err(valid) => return done.wrapping_add_signed(valid),
        }
        done += 64;
    }
    // Behind the end stands 0, which is no trailing surrogate.
    match pair_up(last(after(source, done), after_mut(destination, done)), trailing_due) {
        Ok(_) => length,
        Err(valid) => done.wrapping_add_signed(valid),
    }
}

/// Whether surrogates stand in pairs in 64 units, of which the first bits in `trailing_due` have to be trailing ones: then
/// what is due of the next units, otherwise where the first unpaired one is, which may be the unit before.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn pair_up(units: [__m512i; 2], trailing_due: u64) -> Result<u64, isize> {
    let surrogates = equal(units.map(|units| and(units, 0xF800)), 0xD800);
    if surrogates | trailing_due == 0 {
        return Ok(0);
    }
    let leading = equal(units.map(|units| and(units, 0xFC00)), 0xD800);
    let trailing = surrogates & !leading;
    let wrong = (leading << 1 | trailing_due) ^ trailing;
    if wrong == 0 {
        return Ok(leading >> 63);
    }
    let at = wrong.trailing_zeros();
    let is_trailing = trailing >> at & 1;
    Err(at as isize - (1 - is_trailing as isize))
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn utf8_length(source: &[u16]) -> usize {
    let (blocks, rest) = source.as_chunks();
    let mut length = source.len();
    for block in blocks {
        length += further_bytes(load_units(block));
    }
    length + further_bytes(load_units_up_to(rest))
}

/// How many bytes 64 units make, but for the first one of each: two for most of those from 0x800 on, but one for surrogates.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn further_bytes(units: [__m512i; 2]) -> usize {
    let surrogates = equal(units.map(|units| and(units, 0xF800)), 0xD800);
    (at_least(units, 0x80).count_ones() + (at_least(units, 0x800) & !surrogates).count_ones()) as usize
}

/// Fewer code units than this are done one by one, for often they have just been stored one by one, and a vector would wait for all of
/// them.
const FEW: usize = 5;
/// No more bytes than that come from 64 code units.
const ROOM: usize = 3 * 64;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() < FEW {
        return scalar::utf16::to_utf8(source, destination);
    }
    encode(as_pairs(source), destination, 0)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn le_bytes_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (read, written) = encode(source.as_chunks().0, destination, 0);
    (2 * read, written)
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn be_bytes_to_utf8(source: &[u8], destination: &mut [u8]) -> (usize, usize) {
    let (read, written) = encode(source.as_chunks().0, destination, 8);
    (2 * read, written)
}

/// Converts the valid prefix of up to 64 units, 16 at a time, which are first turned by `turn` bits: a block of 64 takes as long for
/// one unit as for all. Returns `(read, written)`.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn encode_few(source: &[[u8; 2]], destination: &mut [u8], turn: u16) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The upper byte of the first unit tells most texts from ASCII.
    if source.first().is_some_and(|unit| unit[usize::from(turn == 0)] == 0)
        && let Some(to) = destination.get_mut(..source.len())
    {
        let units = load_pairs_up_to(source).map(|units| _mm512_shldv_epi16(units, units, set(turn)));
        if at_least(units, 0x80) == 0 {
            store_up_to(saturated(units), to);
            return (to.len(), to.len());
        }
    }
    while read < source.len() {
        let (units, count) = load_sixteen_pairs_up_to(after(source, read));
        let units = _mm256_shldv_epi16(units, units, _mm256_set1_epi16(turn as i16));
        let (lanes, live) = characters(_mm512_cvtepu16_epi32(units), lowest(count) as u16);
        let read_here = live.count as usize;
        let (bytes, length) = sixteen_to_utf8::<4>(lanes, live.characters);
        let Some(to) = destination.get_mut(written..written + length) else {
            // What fits is found one by one.
            let mut last = [0_u16; 16];
            store_sixteen(units, &mut last);
            let (more_read, more_written) = scalar::utf16::to_utf8(&last[..count], after_mut(destination, written));
            return (read + more_read, written + more_written);
        };
        store_up_to(bytes, to);
        (read, written) = (read + read_here, written + length);
        // A leading surrogate in the last of 16 lanes is for the next 16.
        if read_here < count.min(15) {
            break;
        }
    }
    (read, written)
}

/// Which lanes of 16 have a character of those to be converted, and how many units these are.
struct Live {
    characters: u16,
    count: u32,
}

/// Puts the code points of surrogate pairs into the lanes of their leading halves. `live` are the lanes with units; what counts ends
/// before the first unpaired surrogate.
///
/// ```text
/// unit      a       D83D    DCA9    €
/// lane      61      1F4A9   .       20AC
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
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
    let alone = surrogates & !paired_leading & !paired_trailing;
    let counted = live & alone.wrapping_sub(1) & !alone;
    let behind = _mm512_alignr_epi32::<1>(_mm512_setzero_si512(), units);
    // The halves are D800 and DC00 more than what they bring, and the first code point is 10000.
    let code_points = _mm512_add_epi32(_mm512_slli_epi32::<10>(units), behind);
    let code_points = _mm512_sub_epi32(code_points, _mm512_set1_epi32((0xD800 << 10) + 0xDC00 - 0x1_0000));
    let lanes = _mm512_mask_mov_epi32(units, paired_leading, code_points);
    (lanes, Live { characters: counted & !paired_trailing, count: counted.count_ones() })
}

/// The UTF-8 of 16 code points, and how many bytes that is. None of them has more than `BYTES`, or is a surrogate.
///
/// Each lane has the bytes of its character, from the first on, and what a character does not have is left out:
///
/// ```text
/// unit    a           Д           €
/// lane    61 . . .    D0 94 . .   E2 82 AC .
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn sixteen_to_utf8<const BYTES: usize>(code_points: __m512i, live: u16) -> (__m512i, usize) {
    // The eight bits from each of these on, in a lane of 64 bits, which is two of ours.
    let from = |bits: i64| _mm512_set1_epi64(bits | (bits + 0x2020_2020) << 32);
    let encoded = |places: i64, bits: i32, marks: i32| {
        let bytes = _mm512_multishift_epi64_epi8(from(places), code_points);
        _mm512_or_si512(_mm512_and_si512(bytes, _mm512_set1_epi32(bits)), _mm512_set1_epi32(marks))
    };
    let at_least = |least: i32| _mm512_mask_cmpge_epu32_mask(live, code_points, _mm512_set1_epi32(least));
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

/// Converts the valid prefix of `source`, whose units are first turned by `turn` bits. Returns how many units were read, and
/// how many bytes written.
///
/// Blocks without surrogates are converted one after the other as long as there is room for any; what is between them and at the end,
/// a few at a time.
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn encode(source: &[[u8; 2]], destination: &mut [u8], turn: u16) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let turns = set(turn);
    let turned = |units: [__m512i; 2]| units.map(|units| _mm512_shldv_epi16(units, units, turns));
    // How many of the next blocks are not worth a look whether they and others are ASCII.
    let mut known = 0;
    while read < source.len() {
        if source.len() - read >= 64 {
            let (more_read, more_written) =
                encode_in_bulk(after(source, read), after_mut(destination, written), turned, known);
            known = 4;
            (read, written) = (read + more_read, written + more_written);
        }
        let few = up_to(after(source, read), 64);
        let (more_read, more_written) = encode_few(few, after_mut(destination, written), turn);
        if more_read == 0 {
            break;
        }
        (read, written) = (read + more_read, written + more_written);
    }
    (read, written)
}

/// Converts blocks of 64 units as long as there are no surrogates in them, and room for whatever they make.
///
/// ASCII is told from other text by 256 units. A block of it is not worth a branch, which mixed text would mostly get wrong.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn encode_in_bulk(
    source: &[[u8; 2]],
    destination: &mut [u8],
    turned: impl Fn([__m512i; 2]) -> [__m512i; 2],
    mut known: u32,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = block(source, read) {
        if known == 0
            && let (Some(ahead), Some(to)) = (block::<_, 256>(source, read), block_mut::<_, 256>(destination, written))
        {
            let ([a, b, c, d], _) = ahead.as_chunks() else { break };
            let all = [a, b, c, d].map(|units| {
                let [first, second] = load_pairs(units);
                or(first, second)
            });
            let all = [or(all[0], all[1]), or(all[2], all[3])];
            if at_least(turned(all), 0x80) == 0 {
                for (from, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
                    store(saturated(turned(load_pairs(from))), to);
                }
                (read, written) = (read + 256, written + 256);
                continue;
            }
            known = 4;
        }
        known = known.saturating_sub(1);
        let Some(to) = block_mut::<_, ROOM>(destination, written) else { break };
        let units = turned(load_pairs(from));
        let beyond_ascii = at_least(units, 0x80);
        let three = at_least(units, 0x800);
        written += if three == 0 {
            encode_two(units, !0, beyond_ascii, to)
        } else if equal(units.map(|units| and(units, 0xF800)), 0xD800) == 0 {
            encode_three(units, beyond_ascii, three, to)
        } else {
            break;
        };
        read += 64;
    }
    (read, written)
}

/// Writes the UTF-8 of the `live` units, all below 0x800, and returns its length. The two bytes of each unit stand in its own lane.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode_two(units: [__m512i; 2], live: u64, beyond_ascii: u64, to: &mut [u8]) -> usize {
    const FIRST_BYTES: u64 = 0x5555_5555_5555_5555;
    let mut written = 0;
    for (units, at) in units.into_iter().zip([0, 32]) {
        let [live, beyond_ascii] = [live, beyond_ascii].map(|mask| mask >> at & 0xFFFF_FFFF);
        let bytes = _mm512_mask_mov_epi16(units, beyond_ascii as u32, or(last_two(units), set(0x80C0)));
        let kept = _pdep_u64(live, FIRST_BYTES) | _pdep_u64(beyond_ascii, !FIRST_BYTES);
        written += store_compressed(bytes, kept, to, written);
    }
    written
}

/// Bits 6 to 11 of each unit in its lower byte, bits 0 to 5 in its upper one.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn last_two(units: __m512i) -> __m512i {
    let (lower, upper) = (_mm512_srli_epi16::<6>(units), _mm512_slli_epi16::<8>(units));
    and(_mm512_ternarylogic_epi32::<{ CHOOSE }>(set(0xFF), lower, upper), 0x3F3F)
}

/// For three bits, as a ternary function: where the first one is set the second, otherwise the third.
const CHOOSE: i32 = 0xF0 & 0xCC | !0xF0 & 0xAA;

/// Writes the UTF-8 of all units, none of them a surrogate, and returns its length. The last two bytes of each unit stand in its own
/// lane, the first ones in another vector.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn encode_three(units: [__m512i; 2], beyond_ascii: u64, three: u64, to: &mut [u8]) -> usize {
    let firsts = units.map(|units| or(_mm512_srli_epi16::<12>(units), set(0xE0)));
    let firsts = _mm512_packus_epi16(firsts[0], firsts[1]);
    let last_two = |half: usize| {
        let [ascii, two] = [!beyond_ascii, !three].map(|mask| (mask >> (32 * half)) as u32);
        let bytes = or(last_two(units[half]), set(0x8080));
        let bytes = _mm512_mask_add_epi16(bytes, two, bytes, set(0x40));
        _mm512_mask_slli_epi16::<8>(bytes, ascii, units[half])
    };
    let (first, second) = (last_two(0), last_two(1));

    let kept = [three, beyond_ascii, !0];
    // Those of the units from 0, from 16 and from 32 on: a part is made of 22.
    let windows = [first, _mm512_alignr_epi64::<4>(second, first), second];
    let mut written = 0;
    for (part, window) in PARTS.iter().zip(windows) {
        let bytes = _mm512_permutex2var_epi8(window, load(&part.places), firsts);
        let lanes = |byte: usize| _pdep_u64(kept[byte] >> part.from[byte], part.lanes[byte]);
        written += store_compressed(bytes, lanes(0) | lanes(1) | lanes(2), to, written);
    }
    written
}

/// The bytes of 64 units, three of each, a third of them at once.
#[repr(align(64))]
struct Part {
    /// Where in the window they come from, or, 64 and more, in the vector of first bytes.
    places: [u8; 64],
    /// The lanes of first, of second and of third bytes.
    lanes: [u64; 3],
    /// The first unit with a first, a second and a third byte in this part.
    from: [u32; 3],
}

static PARTS: [Part; 3] = [part(0), part(1), part(2)];

const fn part(number: usize) -> Part {
    let mut part = Part { places: [0; 64], lanes: [0; 3], from: [0; 3] };
    let mut lane = 64;
    while lane > 0 {
        lane -= 1;
        let (unit, byte) = ((64 * number + lane) / 3, (64 * number + lane) % 3);
        part.lanes[byte] |= 1 << lane;
        part.from[byte] = unit as u32;
        part.places[lane] = match byte {
            // Where packing has put it: by turns eight of the first 32 units, and eight of the last.
            0 => 64 + unit % 32 / 8 * 16 + unit / 32 * 8 + unit % 8,
            _ => 2 * (unit - 16 * number) + byte - 1,
        } as u8;
    }
    part
}

/// Writes the bytes of the lanes in `kept`, for which there is room, from `at` on, and returns how many.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn store_compressed(vector: __m512i, kept: u64, to: &mut [u8], at: usize) -> usize {
    let length = kept.count_ones() as usize;
    let compressed = compress(vector, kept);
    match block_mut(to, at) {
        Some(block) => store(compressed, block),
        None => store_up_to(compressed, &mut to[at..at + length]),
    }
    length
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn at_least([first, second]: [__m512i; 2], least: u16) -> u64 {
    let (first, second) = (_mm512_cmpge_epu16_mask(first, set(least)), _mm512_cmpge_epu16_mask(second, set(least)));
    u64::from(second) << 32 | u64::from(first)
}

/// A bit for each of 64 code units that is `value`.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn equal([first, second]: [__m512i; 2], value: u16) -> u64 {
    let (first, second) = (_mm512_cmpeq_epi16_mask(first, set(value)), _mm512_cmpeq_epi16_mask(second, set(value)));
    u64::from(second) << 32 | u64::from(first)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn set(value: u16) -> __m512i {
    _mm512_set1_epi16(value as i16)
}

/// The `bits` of each code unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn and(vector: __m512i, bits: u16) -> __m512i {
    _mm512_and_si512(vector, set(bits))
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn or(vector: __m512i, other: __m512i) -> __m512i {
    _mm512_or_si512(vector, other)
}
