//! UTF-16.
//!
//! # Into UTF-8
//!
//! 64 code units are converted at once. Each of them makes up to three bytes, as half of a surrogate pair makes two of four.
//! They are computed for all units, a vector for the first bytes, one for the second and one for the third, where the last byte
//! of a character always stands in the third. The three vectors are interleaved, and what units do not have is left out:
//!
//! ```text
//! unit           a           Д           €           D83D        DCA9
//! first          .           .           E2          .           .
//! second         .           D0          82          F0          92
//! third          61          94          AC          9F          A9
//! interleaved    . . 61      . D0 94     E2 82 AC    . F0 9F     . 92 A9
//! ```

use super::{
    ascii::narrow,
    compress::compress,
    memory::{
        load, load_pairs, load_pairs_up_to, load_units, load_units_up_to, lowest, store, store_units,
        store_units_up_to, store_up_to,
    },
};
use crate::{
    blocks::{block, block_mut, nowhere},
    scalar,
};
use core::arch::x86_64::*;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn valid_up_to(source: &[u16]) -> usize {
    validate(source, &mut nowhere(), |from, _| load_units(from), |from, _| load_units_up_to(from))
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_le_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    let (pairs, _) = source.as_chunks();
    validate(
        pairs,
        destination,
        |from, to| {
            let units = load_pairs(from);
            store_units(units, to);
            units
        },
        |from, to| {
            let units = load_pairs_up_to(from);
            store_units_up_to(units, to);
            units
        },
    )
}

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_be_bytes(source: &[u8], destination: &mut [u16]) -> usize {
    let (pairs, _) = source.as_chunks();
    validate(
        pairs,
        destination,
        |from, to| {
            let units = swapped(load_pairs(from));
            store_units(units, to);
            units
        },
        |from, to| {
            let units = swapped(load_pairs_up_to(from));
            store_units_up_to(units, to);
            units
        },
    )
}

/// Every code unit with its bytes in the other order.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn swapped(units: [__m512i; 2]) -> [__m512i; 2] {
    let other = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    units.map(|units| _mm512_shuffle_epi8(units, other))
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
    match pair_up(last(&source[done..], &mut destination[done..]), trailing_due) {
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

/// No more bytes than that come from 64 code units.
const ROOM: usize = 3 * 64;

#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < source.len() {
        let rest = &source[read..];
        let room = &mut destination[written..];
        let units = block(rest, 0).map_or_else(|| load_units_up_to(rest), |from| load_units(from));
        let beyond_ascii = at_least(units, 0x80);
        if beyond_ascii == 0 {
            let run = narrow(rest, room);
            read += run;
            written += run;
            if run < 64 {
                break;
            }
            continue;
        }
        let three = at_least(units, 0x800);
        let whole = if three == 0 { !0 } else { paired(units) };
        let live = whole & lowest(rest.len());
        let masks = Masks { live, beyond_ascii: beyond_ascii & live, three: three & live };
        if room.len() < ROOM && room.len() < masks.length(units) {
            break;
        }
        written += if three == 0 { encode_two(units, &masks, room) } else { encode_three(units, &masks, room) };
        read += live.count_ones() as usize;
        // The last unit may be the first half of a pair; before that, a surrogate is alone, and another call would find it.
        if whole | 1 << 63 != !0 || live == 0 {
            return (read, written);
        }
    }
    let (more_read, more_written) = scalar::utf16::to_utf8(&source[read..], &mut destination[written..]);
    (read + more_read, written + more_written)
}

/// The units before the first surrogate that lacks its other half. That half may just be cut off.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn paired(units: [__m512i; 2]) -> u64 {
    let surrogates = equal(units.map(|units| and(units, 0xF800)), 0xD800);
    if surrogates == 0 {
        return !0;
    }
    let leading = equal(units.map(|units| and(units, 0xFC00)), 0xD800);
    let trailing = surrogates & !leading;
    let alone = leading & !(trailing >> 1) | trailing & !(leading << 1);
    lowest(alone.trailing_zeros() as usize)
}

/// Which of 64 code units are to be converted, and which of these are not ASCII, and at least 0x800.
pub(super) struct Masks {
    pub(super) live: u64,
    pub(super) beyond_ascii: u64,
    pub(super) three: u64,
}

impl Masks {
    /// How many bytes that makes: three for most of those from 0x800 on, but two for surrogates.
    #[inline]
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn length(&self, units: [__m512i; 2]) -> usize {
        let surrogates = equal(units.map(|units| and(units, 0xF800)), 0xD800);
        [self.live, self.beyond_ascii, self.three & !surrogates].map(u64::count_ones).iter().sum::<u32>() as usize
    }
}

/// Writes the UTF-8 of units below 0x800, and returns its length. The two bytes of each unit stand in its own lane.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode_two(units: [__m512i; 2], masks: &Masks, to: &mut [u8]) -> usize {
    const FIRST_BYTES: u64 = 0x5555_5555_5555_5555;
    let mut written = 0;
    for (units, at) in units.into_iter().zip([0, 32]) {
        let [live, beyond_ascii] = [masks.live, masks.beyond_ascii].map(|mask| mask >> at & 0xFFFF_FFFF);
        // In the lower byte 110 and bits 6 to 10, in the upper one 10 and bits 0 to 5.
        let bits = or(_mm512_srli_epi16::<6>(units), _mm512_slli_epi16::<8>(units));
        let two = or(and(bits, 0x3F1F), set(0x80C0));
        let bytes = _mm512_mask_mov_epi16(units, beyond_ascii as u32, two);
        let kept = _pdep_u64(live, FIRST_BYTES) | _pdep_u64(beyond_ascii, !FIRST_BYTES);
        written += store_compressed(bytes, kept, to, written);
    }
    written
}

/// Writes the UTF-8 of all units, and returns its length.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn encode_three(units: [__m512i; 2], masks: &Masks, to: &mut [u8]) -> usize {
    let low = truncated(units);
    let middle = truncated(units.map(|units| _mm512_srli_epi16::<6>(units)));
    let high = truncated(units.map(|units| _mm512_srli_epi16::<12>(units)));

    let first = or(high, bytes(0xE0));
    let second = _mm512_mask_mov_epi8(or(middle, bytes(0xC0)), masks.three, continuation(middle));
    let third = _mm512_mask_mov_epi8(low, masks.beyond_ascii, continuation(low));

    let surrogates = equal(units.map(|units| and(units, 0xF800)), 0xD800);
    let [second, third] = if surrogates == 0 { [second, third] } else { with_pairs(units, surrogates, second, third) };
    interleave([first, second, third], [masks.three & !surrogates, masks.beyond_ascii, masks.live], to)
}

/// The second and third bytes, with those of surrogates.
///
/// The leading surrogate of U+10000 is 0xD800. So adding 0x40 brings the eleven highest bits of the code point together, of
/// which the leading surrogate's bytes take nine; the other two belong to the first byte of the trailing surrogate:
///
/// ```text
/// leading + 0x40   110110wwwwwxxxxx yy      trailing   110111yyyyzzzzzz
/// ```
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn with_pairs(units: [__m512i; 2], surrogates: u64, second: __m512i, third: __m512i) -> [__m512i; 2] {
    let leading_units = units.map(|units| _mm512_add_epi16(units, set(0x40)));
    let leading = equal(units.map(|units| and(units, 0xFC00)), 0xD800);
    let trailing = surrogates & !leading;

    let highest_three = and(truncated(leading_units.map(|units| _mm512_srli_epi16::<8>(units))), 0x0707);
    let next_six = truncated(leading_units.map(|units| _mm512_srli_epi16::<2>(units)));
    let second = _mm512_mask_mov_epi8(second, leading, or(highest_three, bytes(0xF0)));
    let third = _mm512_mask_mov_epi8(third, leading, continuation(next_six));

    // What the unit before leaves over, above four bits of its own.
    let left_over = one_lane_up(truncated(leading_units.map(|units| _mm512_slli_epi16::<4>(units))));
    let own_four = truncated(units.map(|units| and(_mm512_srli_epi16::<6>(units), 0xF)));
    let six = or(and(left_over, 0x3030), own_four);
    [_mm512_mask_mov_epi8(second, trailing, or(six, bytes(0x80))), third]
}

/// Every byte one lane further up.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn one_lane_up(vector: __m512i) -> __m512i {
    const FROM: [u8; 64] = {
        let mut from = [0; 64];
        let mut lane = 1;
        while lane < 64 {
            from[lane] = lane as u8 - 1;
            lane += 1;
        }
        from
    };
    _mm512_permutexvar_epi8(load(&FROM), vector)
}

/// Writes the first bytes of three vectors, then their second ones, and so on, but only those in the masks. Returns how many.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn interleave([first, second, third]: [__m512i; 3], kept: [u64; 3], to: &mut [u8]) -> usize {
    let mut written = 0;
    let mut part = |part: &Part, kept: u64| {
        let two = _mm512_permutex2var_epi8(first, load(&part.of_first_and_second), second);
        let three = _mm512_mask_permutexvar_epi8(two, part.thirds, load(&part.of_third), third);
        written += store_compressed(three, kept, to, written);
    };
    let [a, b, c] = kept;
    part(&PARTS[0], _pdep_u64(a, EVERY_THIRD[0]) | _pdep_u64(b, EVERY_THIRD[1]) | _pdep_u64(c, EVERY_THIRD[2]));
    part(
        &PARTS[1],
        _pdep_u64(a >> 22, EVERY_THIRD[2]) | _pdep_u64(b >> 21, EVERY_THIRD[0]) | _pdep_u64(c >> 21, EVERY_THIRD[1]),
    );
    part(
        &PARTS[2],
        _pdep_u64(a >> 43, EVERY_THIRD[1]) | _pdep_u64(b >> 43, EVERY_THIRD[2]) | _pdep_u64(c >> 42, EVERY_THIRD[0]),
    );
    written
}

/// Every third bit, from the first, the second and the third on.
const EVERY_THIRD: [u64; 3] = [0x9249_2492_4924_9249, 0x2492_4924_9249_2492, 0x4924_9249_2492_4924];

/// Where the bytes of one of the three parts of an interleaved block come from.
#[repr(align(64))]
struct Part {
    /// 64 and more is the second vector.
    of_first_and_second: [u8; 64],
    of_third: [u8; 64],
    /// The lanes that come from the third.
    thirds: u64,
}

static PARTS: [Part; 3] = [part(0), part(1), part(2)];

const fn part(number: usize) -> Part {
    let mut part = Part { of_first_and_second: [0; 64], of_third: [0; 64], thirds: 0 };
    let mut lane = 0;
    while lane < 64 {
        let place = 64 * number + lane;
        let from = (place / 3) as u8;
        match place % 3 {
            0 => part.of_first_and_second[lane] = from,
            1 => part.of_first_and_second[lane] = 64 + from,
            _ => {
                part.of_third[lane] = from;
                part.thirds |= 1 << lane;
            }
        }
        lane += 1;
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

/// The lower byte of every unit.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn truncated([first, second]: [__m512i; 2]) -> __m512i {
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

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn at_least([first, second]: [__m512i; 2], least: u16) -> u64 {
    let (first, second) = (_mm512_cmpge_epu16_mask(first, set(least)), _mm512_cmpge_epu16_mask(second, set(least)));
    u64::from(second) << 32 | u64::from(first)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn equal([first, second]: [__m512i; 2], value: u16) -> u64 {
    let (first, second) = (_mm512_cmpeq_epi16_mask(first, set(value)), _mm512_cmpeq_epi16_mask(second, set(value)));
    u64::from(second) << 32 | u64::from(first)
}

/// The continuation bytes of the six lowest bits of each byte.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn continuation(vector: __m512i) -> __m512i {
    or(and(vector, 0x3F3F), bytes(0x80))
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn bytes(value: u8) -> __m512i {
    _mm512_set1_epi8(value as i8)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn set(value: u16) -> __m512i {
    _mm512_set1_epi16(value as i16)
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn and(vector: __m512i, bits: u16) -> __m512i {
    _mm512_and_si512(vector, set(bits))
}

#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn or(vector: __m512i, other: __m512i) -> __m512i {
    _mm512_or_si512(vector, other)
}
