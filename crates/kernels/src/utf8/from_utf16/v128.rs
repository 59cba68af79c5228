//! UTF-16 to UTF-8, in vectors of 16 bytes.
//!
//! A step reads 16 code units and writes 16 to 48 bytes. Each vector is asked for the greatest of its code units, and
//! takes the cheapest of four ways: narrowing, lanes of two bytes, lanes of four bytes, and lanes of four bytes with
//! pairs of surrogates. A run of one kind has a loop of its own.
//!
//! # Lanes
//!
//! A code unit becomes one to three bytes; half of a surrogate pair becomes two of four bytes. The bytes of each code
//! unit are computed in one lane, of which a shuffle from a table keeps the bytes that the code unit has. The index
//! into the table says how long each character is, so that no branch depends on the lengths of characters within a
//! step.
//!
//! ```text
//! units     a        Д        €        D83D     DCA9
//! lanes     .. .. 61 .. D0 94 E2 82 AC .. F0 9F .. 92 A9
//! kept            61    D0 94 E2 82 AC    F0 9F    92 A9
//! ```
//!
//! Code units below 0x800 have lanes of two bytes, of which ASCII keeps the first byte. All others have lanes of four
//! bytes, whose fourth byte is never kept.
//!
//! The index and the length come from one sum over the lanes of a shuffle, with a weight for each lane. So one move
//! from a vector to a general register gives both for several shuffles, and no store waits for the one before it.

use super::scalar;
use crate::utf8::shuffles::{ROW_BYTES, UP_TO_THREE, both_or_first};
use crate::{ascii::v128::four_bits, base::*, vector::v128::*};

/// The number of bytes that a conversion of 16 code units may overwrite. Each store writes 16 bytes, and the last one
/// starts after at most 45, which is what the compiler knows of three lengths of four bits.
pub(crate) const VECTOR_SPACE_BYTES: usize = 64;

/// Code units of ASCII in a row after which [`convert`] narrows 64 of them at a time. See
/// `docs/experiments.md#utf-8-and-utf-16`.
const ASCII_UNITS_IN_A_ROW: usize = 128;
/// The lengths of the UTF-8 of four vectors in a row, one in each byte, if all characters have three bytes.
const FOUR_OF_THREES: u32 = 0x3030_3030;

/// Converts until fewer than 16 units of the source or fewer than [`VECTOR_SPACE_BYTES`] bytes of the destination are
/// left, or an unpaired surrogate is near. `load` makes code units of items of the source.
///
/// One loop takes vectors of every kind, because in HTML the kinds alternate, and each change to another loop takes as
/// long as a few vectors. Only long runs of ASCII and of characters of three bytes have loops of their own.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn convert<S>(
    source: &[S],
    destination: &mut [u8],
    load: impl Fn(&[S; 16]) -> [uint16x8_t; 2],
) -> (usize, usize) {
    let (mut rest, mut space) = (source, &mut *destination);
    let room = space.len();
    // The lengths of the last four vectors with characters of three bytes, one in each byte.
    let mut lengths = 0;
    'all: loop {
        narrow_64s(&mut rest, &mut space, &load);
        loop {
            // Code units of ASCII in a row. The slices are cut after all of them.
            let mut ascii = 0;
            let (units, greatest, next) = loop {
                let (Some((from, next)), Some(to)) = (
                    rest.get(ascii..).and_then(<[S]>::split_first_chunk),
                    block_mut::<_, VECTOR_SPACE_BYTES>(space, ascii),
                ) else {
                    rest = after(rest, ascii);
                    advance(&mut space, ascii);
                    break 'all;
                };
                let units = load(from);
                let greatest = Greatest::of_units(vorrq_u16(units[0], units[1]));
                if !greatest.is_below(0x80) {
                    break (units, greatest, next);
                }
                store(lower_bytes(units), to.first_chunk_mut().expect("64 is more than 16"));
                ascii += 16;
                if ascii == ASCII_UNITS_IN_A_ROW {
                    rest = after(rest, ascii);
                    advance(&mut space, ascii);
                    continue 'all;
                }
            };
            // `advance` would do the same, but the compiler would not see that there is space for another vector.
            space = core::mem::take(&mut space).get_mut(ascii..).expect("there is space after the ASCII");
            let to = space.first_chunk_mut().expect("there is space after the ASCII");
            if greatest.is_below(0x800) {
                let length = two_bytes_or_one(units, to);
                rest = next;
                advance(&mut space, length & 0x3F);
            } else if !has_surrogates(upper_bytes(units)) {
                let length = up_to_three(units.each(|units| Lanes::of(units)), to);
                rest = next;
                advance(&mut space, length & 0x3F);
                // Whether all characters of one vector have three bytes cannot be predicted in Chinese text.
                lengths = lengths << 8 | length as u32;
                if lengths == FOUR_OF_THREES {
                    convert_threes(&mut rest, &mut space, &load);
                }
            } else {
                let (read, written) = with_pairs(units, to);
                rest = after(rest, ascii + read);
                advance(&mut space, written);
                if read == 0 {
                    break 'all;
                }
            }
        }
    }
    (source.len() - rest.len(), room - space.len())
}

/// Converts whole vectors of 16 code units without surrogates, as long as there is [`VECTOR_SPACE_BYTES`]. Returns the
/// number of vectors, and the length of their UTF-8.
///
/// It is made for code units that were pairs: it does not look for long runs of other characters, and does not ask
/// whether all characters of a vector have three bytes, which cannot be predicted.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn convert_vectors(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let room = destination.len();
    let (mut space, mut done) = (destination, 0);
    for from in source.as_chunks().0 {
        let Some(to) = space.first_chunk_mut() else { break };
        let units = load_units(from);
        let length = if all_units_below(vorrq_u16(units[0], units[1]), 0x80) {
            store(lower_bytes(units), to.first_chunk_mut().expect("64 is more than 16"));
            16
        } else {
            up_to_three(units.each(|units| Lanes::of(units)), to)
        };
        advance(&mut space, length & 0x3F);
        done += 1;
    }
    (done, room - space.len())
}

/// Narrows 64 code units a round, as long as all of them are ASCII. The eight vectors are joined by bitwise or, so that
/// a round has one question and one branch. The bytes are stored only after the answer.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn narrow_64s<S>(rest: &mut &[S], space: &mut &mut [u8], load: impl Fn(&[S; 16]) -> [uint16x8_t; 2]) {
    let mut done = 0;
    for (from, to) in rest.as_chunks::<64>().0.iter().zip(space.as_chunks_mut::<64>().0) {
        let ([a, b, c, d], _) = from.as_chunks() else { break };
        let units = [a, b, c, d].each(&load);
        let [a, b, c, d] = units.each(|[first, second]| vorrq_u16(first, second));
        if !all_units_below(vorrq_u16(vorrq_u16(a, b), vorrq_u16(c, d)), 0x80) {
            break;
        }
        let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else { break };
        store(lower_bytes(units[0]), to_a);
        store(lower_bytes(units[1]), to_b);
        store(lower_bytes(units[2]), to_c);
        store(lower_bytes(units[3]), to_d);
        done += 64;
    }
    *rest = after(rest, done);
    advance(space, done);
}

/// Writes the UTF-8 of 16 code units, and returns its length; 0 if there are surrogates. This and all functions after
/// it overwrite bytes after those that they count.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn write_sixteen(units: [uint16x8_t; 2], to: &mut [u8; VECTOR_SPACE_BYTES]) -> usize {
    let joined = vorrq_u16(units[0], units[1]);
    if Greatest::of_units(joined).is_below(0x800) {
        return up_to_two(units, joined, to);
    }
    let upper = upper_bytes(units);
    if has_surrogates(upper) {
        return 0;
    }
    if none_below(upper, 0x08) {
        three_bytes(units, upper, to)
    } else {
        up_to_three(units.each(|units| Lanes::of(units)), to)
    }
}

/// Whether one of 16 code units with these upper bytes is a surrogate.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn has_surrogates(upper: uint8x16_t) -> bool {
    // The upper byte of a surrogate, and of nothing else, becomes less than 8.
    !none_below(vsubq_u8(upper, vdupq_n_u8(0xD8)), 8)
}

/// Converts 16 code units a round, as long as all of them have three bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn convert_threes<S>(rest: &mut &[S], space: &mut &mut [u8], load: impl Fn(&[S; 16]) -> [uint16x8_t; 2]) {
    while let (Some((from, next)), Some(to)) = (rest.split_first_chunk(), space.first_chunk_mut()) {
        let units = load(from);
        let upper = upper_bytes(units);
        if has_surrogates(upper) || !none_below(upper, 0x08) {
            break;
        }
        three_bytes(units, upper, to);
        *rest = next;
        advance(space, 48);
    }
}

/// Writes the UTF-8 of 16 code units below 0x800, whose disjunction is `joined`, and returns its length.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn up_to_two(units: [uint16x8_t; 2], joined: uint16x8_t, to: &mut [u8; VECTOR_SPACE_BYTES]) -> usize {
    if all_units_below(joined, 0x80) {
        store(lower_bytes(units), to.first_chunk_mut().expect("64 is more than 16"));
        return 16;
    }
    two_bytes_or_one(units, to)
}

/// Writes the UTF-8 of 16 code units below 0x800 without asking whether all of them are ASCII, and returns its length.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn two_bytes_or_one(units: [uint16x8_t; 2], to: &mut [u8; VECTOR_SPACE_BYTES]) -> usize {
    let long = units.each(|units| vcgtq_u16(units, vdupq_n_u16(0x7F)));
    let lanes = |half: usize| {
        let (units, long) = (units[half], long[half]);
        let both = vsliq_n_u16::<8>(vshrq_n_u16::<6>(units), units);
        let both = vbslq_u16(vdupq_n_u16(0x3F1F), both, vdupq_n_u16(0x80C0));
        vreinterpretq_u8_u16(vbslq_u16(long, both, units))
    };
    let [(bits, count), (second_bits, second_count)] = long.each(|long| bits_and_count(long));
    store(bytes_at(lanes(0), load(both_or_first(bits))), to.first_chunk_mut().expect("64 is more than 16"));
    let start = 8 + count;
    let second_to = block_mut(to, start).expect("23 and 16 are at most 64");
    store(bytes_at(lanes(1), load(both_or_first(second_bits))), second_to);
    start + 8 + second_count
}

/// Writes the UTF-8 of code units that have three bytes each, with one store that interleaves three vectors.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn three_bytes(units: [uint16x8_t; 2], upper: uint8x16_t, to: &mut [u8; VECTOR_SPACE_BYTES]) -> usize {
    let lower = lower_bytes(units);
    let first = vorrq_u8(vshrq_n_u8::<4>(upper), vdupq_n_u8(0xE0));
    let middle = vsriq_n_u8::<6>(vshlq_n_u8::<2>(upper), lower);
    let [second, third] = [middle, lower].each(|bits| vbslq_u8(vdupq_n_u8(0x3F), bits, vdupq_n_u8(0x80)));
    store_threes([first, second, third], to.first_chunk_mut().expect("64 is more than 48"));
    48
}

/// The UTF-8 of eight code units, of up to three bytes each.
#[derive(Clone, Copy)]
struct Lanes {
    /// In each lane the first byte, and then the second byte.
    first_two: uint16x8_t,
    /// In each lane the third byte, and then 0.
    last: uint16x8_t,
    /// Minus the number of bytes that the code unit has less than three.
    dropped: uint16x8_t,
}

impl Lanes {
    /// The lanes of code units without surrogates.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn of(units: uint16x8_t) -> Self {
        let is_short = vcltq_u16(units, vdupq_n_u16(0x800));
        let is_ascii = vcltq_u16(units, vdupq_n_u16(0x80));
        let bits = vsriq_n_u16::<12>(vshlq_n_u16::<2>(units), units);
        let first_two = vbslq_u16(vdupq_n_u16(0x3F0F), bits, vdupq_n_u16(0x80E0));
        // The second byte continues a character of three bytes (80 to BF), or leads a character of two (C0 to DF).
        let first_two = vorrq_u16(first_two, vandq_u16(is_short, vdupq_n_u16(0x4000)));
        let last = vbslq_u16(vdupq_n_u16(0x3F), units, vdupq_n_u16(0x80));
        let last = vbslq_u16(is_ascii, units, last);
        Lanes { first_two, last, dropped: vaddq_u16(is_short, is_ascii) }
    }

    /// The lanes of `units`, which may have surrogates. `before` has the code unit before each.
    ///
    /// The four bytes of a character above U+FFFF are `11110uuu 10vvvvvv 10xxyyyy 10zzzzzz`. The leading surrogate of
    /// U+10000 is 0xD800; adding 0x40 to a leading surrogate turns its lower eleven bits into the highest eleven bits
    /// of the code point. Nine of them, `uuu` and `vvvvvv`, belong to the bytes of the leading surrogate. The other
    /// two, `xx`, belong to the first byte of the trailing surrogate.
    ///
    /// ```text
    /// leading + 0x40    11011uuu vvvvvvxx
    /// trailing          110111yy yyzzzzzz
    /// ```
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn with_pairs(units: uint16x8_t, before: uint16x8_t) -> Self {
        let simple = Self::of(units);
        let surrogates = vceqq_u16(vandq_u16(units, vdupq_n_u16(0xF800)), vdupq_n_u16(0xD800));
        let leading = vandq_u16(surrogates, vcltq_u16(units, vdupq_n_u16(0xDC00)));
        let highest_eleven = vaddq_u16(units, vdupq_n_u16(0x40));
        let highest_three = vorrq_u16(vandq_u16(highest_eleven, vdupq_n_u16(0x0700)), vdupq_n_u16(0xF000));
        let next_six = vandq_u16(vshrq_n_u16::<2>(highest_eleven), vdupq_n_u16(0x3F));
        // The lowest two bits of the leading surrogate, above the highest four payload bits of the trailing surrogate.
        let six = vbslq_u16(vdupq_n_u16(0x0F00), vshlq_n_u16::<2>(units), vshlq_n_u16::<12>(before));
        let six = vbslq_u16(vdupq_n_u16(0x3F00), six, vdupq_n_u16(0x8000));
        Lanes {
            first_two: vbslq_u16(leading, highest_three, vbslq_u16(surrogates, six, simple.first_two)),
            last: vbslq_u16(leading, vorrq_u16(next_six, vdupq_n_u16(0x80)), simple.last),
            dropped: vaddq_u16(simple.dropped, surrogates),
        }
    }
}

/// Writes the UTF-8 of 16 code units of which some are surrogates, or of 15 if the last one is a leading surrogate.
/// Returns how many, and the length of their UTF-8; zeros if a surrogate is unpaired. Never inlined: the call is rare,
/// and the code is long.
#[cold]
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn with_pairs([first, second]: [uint16x8_t; 2], to: &mut [u8; VECTOR_SPACE_BYTES]) -> (usize, usize) {
    let highest_six = vandq_u8(upper_bytes([first, second]), vdupq_n_u8(0xFC));
    let [leading, trailing] = [0xD8, 0xDC].each(|six| four_bits(vceqq_u8(highest_six, vdupq_n_u8(six))));
    if leading << 4 != trailing {
        return (0, 0);
    }
    let [none, bytes, more] = [vdupq_n_u16(0), first, second].each(|units| vreinterpretq_u8_u16(units));
    let [before, before_second] =
        [vextq_u8::<14>(none, bytes), vextq_u8::<14>(bytes, more)].each(|units| vreinterpretq_u16_u8(units));
    let length = up_to_three([Lanes::with_pairs(first, before), Lanes::with_pairs(second, before_second)], to);
    // Two bytes of a character were written whose other two the end cuts off.
    let cut = (leading >> 63) as usize;
    (16 - cut, length - 2 * cut)
}

/// Writes the bytes of 16 lanes that are not dropped, and returns how many there are.
///
/// Zipped with the third bytes, the first two bytes of four code units make a quarter: four lanes of 32 bits. For each
/// quarter, a sum of 16 bits says where its shuffle is in the table and how many bytes it keeps. One multiplication by
/// weights and two sums of neighbours give the sums of all four quarters, which are taken from the vector at once. A
/// store writes 16 bytes, of which at most 12 count, and the next one begins after these.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn up_to_three(lanes: [Lanes; 2], to: &mut [u8; VECTOR_SPACE_BYTES]) -> usize {
    // For four lanes, the lower twelve bits of the sum are the place of the row in the table, and the upper four bits
    // are the number of bytes: 12 without those that are dropped.
    const fn weight(lane: u32) -> u16 {
        0x1000 - ROW_BYTES as u16 * 4_u16.pow(lane)
    }
    const WEIGHTS: [u16; 4] = [weight(0), weight(1), weight(2), weight(3)];
    let weights = load_eight_units(&[
        WEIGHTS[0], WEIGHTS[1], WEIGHTS[2], WEIGHTS[3], WEIGHTS[0], WEIGHTS[1], WEIGHTS[2], WEIGHTS[3],
    ]);
    let [first, second] = lanes.each(|lanes| vmulq_u16(lanes.dropped, weights));
    let pairs = vaddq_u16(vpaddq_u16(first, second), vdupq_n_u16(0x6000));
    let sums = vmovn_u32(vsraq_n_u32::<16>(vreinterpretq_u32_u16(pairs), vreinterpretq_u32_u16(pairs)));
    let sums = vget_lane_u64::<0>(vreinterpret_u64_u16(sums));

    let quarters = |half: usize| {
        let Lanes { first_two, last, .. } = lanes[half];
        [vzip1q_u16(first_two, last), vzip2q_u16(first_two, last)].each(|lanes| vreinterpretq_u8_u16(lanes))
    };
    let ([a, b], [c, d]) = (quarters(0), quarters(1));
    let mut start = 0;
    for (number, quarter) in [a, b, c, d].into_iter().enumerate() {
        let sum = (sums >> (16 * number)) as usize;
        // The masks tell the compiler that the accesses are in bounds.
        let shuffle = block(&UP_TO_THREE, sum & 0x7FF).expect("the table has 16 bytes at each place");
        let to = block_mut(to, start).expect("45 and 16 are at most 64");
        store(bytes_at(quarter, load(shuffle)), to);
        start += sum >> 12 & 0xF;
    }
    start
}

/// Length of a source, in code units, from which [`few_to_utf8`] converts it. The scalar body takes some 20
/// instructions for a code unit, and a vector takes some 90.
const FEW_FROM_UNITS: usize = 4;

/// The body of [`crate::utf8::from_utf16()`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf16(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    if source.len() >= 16 {
        return long_to_utf8(source, destination);
    }
    few_to_utf8(source, destination).unwrap_or_else(|| scalar::from_utf16(source, destination))
}

/// As [`from_utf16`], for a source with a vector. Never inlined, so that short sources do not pay for saving its
/// registers.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn long_to_utf8(source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    let (read, written) = convert(source, destination, |from| load_units(from));
    let (source, destination) = (after(source, read), after_mut(destination, written));
    let (more_read, more_written) =
        few_to_utf8(source, destination).unwrap_or_else(|| scalar::from_utf16(source, destination));
    (read + more_read, written + more_written)
}

/// Converts up to 15 code units as a vector of 16 that ends with zeros. These become as many bytes, which are not
/// counted. Converts all of them, or returns `None`: if there are surrogates or other numbers of code units, or if the
/// end of the destination is near. Never inlined, so that both callers share one copy.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn few_to_utf8(source: &[u16], destination: &mut [u8]) -> Option<(usize, usize)> {
    let count = source.len();
    let (FEW_FROM_UNITS..16, Some(to)) = (count, destination.first_chunk_mut()) else { return None };
    match write_sixteen(load_up_to_16_units(source), to) {
        0 => None,
        length => Some((count, length - (16 - count))),
    }
}

/// Loads 4 to 15 code units, and zeros after them. The second half of the code units overlaps the first one, so that
/// both have a fixed length.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn load_up_to_16_units(source: &[u16]) -> [uint16x8_t; 2] {
    let (mut units, count) = ([0; 16], source.len());
    if let (Some(first), Some(last)) = (source.first_chunk::<8>(), source.last_chunk::<8>()) {
        units[..8].copy_from_slice(first);
        units[count - 8..count].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (source.first_chunk::<4>(), source.last_chunk::<4>()) {
        units[..4].copy_from_slice(first);
        units[count - 4..count].copy_from_slice(last);
    }
    load_units(&units)
}
