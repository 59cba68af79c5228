//! UTF-8 to UTF-16, in vectors of 16 bytes.
//!
//! Each kind of text has a loop of its own, which goes on as long as its text does. Text that is mostly ASCII is
//! widened, and the few characters beyond ASCII are patched. The loops for characters below U+0800 and for characters
//! below U+10000 have steps of 32 bytes, which differ in how much they have to check and to compute.
//!
//! A step of these two loops starts with a character. For each of the bytes it computes the code unit that would start
//! there, from the byte and the two bytes after it. The code units are computed as planes: one vector has the lower
//! bytes and one the upper bytes of 16 code units. Zipped, they are code units, and the lanes of the bytes where a code
//! unit does start are moved together.
//!
//! ```text
//! bytes     a    D0   94   E2   82   AC   F0   9F   92   A9
//! starts    ^    ^         ^              ^         ^
//! units     0061 0414 –    20AC –    –    D83D –    DCA9 –
//! together  0061 0414 20AC D83D DCA9
//! ```
//!
//! A character of four bytes starts two code units: a leading surrogate at its first byte, and a trailing surrogate at
//! its third byte, whose ten bits are all in the third and the fourth byte. A character that the end of the step cuts
//! off is left for the next step.
//!
//! If all characters of 32 bytes have three bytes, steps of 48 bytes follow. They are loaded such that the first bytes
//! of 16 characters are in one vector, the second bytes in another, and the third bytes in a third.
//!
//! Each loop returns at its first step of another kind, and [`long_to_utf16`] goes on with the next loop. All loops
//! need a few bytes and units beyond their step, so the last bytes of the source go to the scalar body. So does the
//! text from the first error on, which the scalar body finds and stops at.

use super::scalar;
use crate::{ascii::v128 as ascii, base::*, utf8::v128::errors, vector::v128::*};

/// The number of bytes that a step reads: 32, and the two that would follow if the last of them led three.
const STEP_READS_BYTES: usize = 34;

/// The number of code units that a step may overwrite. Each store writes eight units, and a mask limits the place of
/// the first to 31, so 39 suffice; 40 is a multiple of eight.
const STEP_SPACE_UNITS: usize = 40;

/// The number of bytes that a block of [`mostly_ascii`] may read, and of code units that it may overwrite: the 64 of
/// the block, two more bytes of its last character, and the 64 after them.
const BLOCK_READS_ITEMS: usize = 130;

/// The most bytes beyond ASCII that a block of [`mostly_ascii`] has. See `docs/experiments.md#utf-8-and-utf-16`.
const FEW_UP_TO_BYTES: u32 = 6;

/// Blocks of ASCII in a row after which ASCII is widened in a loop of its own.
const BLOCKS_OF_ASCII: u32 = 4;

/// The starts of characters if all have three bytes, one bit for each of 32 bytes.
const STARTS_OF_THREES: u32 = 0x4924_9249;

/// Takes three loops by turns: for text that is mostly ASCII, for characters below U+0800, and for characters below
/// U+10000. Characters above take another path, 32 bytes at a time. See [the module](self).
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn from_utf8(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    if source.len() < STEP_READS_BYTES {
        return scalar::from_utf8(source, destination);
    }
    let run = if cfg!(target_arch = "x86_64") { ascii::widen(source, destination) } else { 0 };
    if run == source.len() {
        return (run, run);
    }
    and_rest((run, run), source, destination, |from, to| long_to_utf16(from, to))
}

/// As [`from_utf8`]. Never inlined, so that short sources do not pay for saving its registers.
///
/// The loops take turns. [`below_800`] comes first; after 64 bytes of ASCII, [`mostly_ascii`] goes on, and otherwise
/// [`below_10000`]. Where that one reads nothing, a single step of [`of_any_length`] follows; if this reads nothing
/// either, the text is malformed or near its end, and the scalar body goes on.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn long_to_utf16(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (bytes, units, ascii) = below_800(after(source, read), after_mut(destination, written));
        (read, written) = (read + bytes, written + units);
        if ascii {
            let (bytes, units) = mostly_ascii(after(source, read), after_mut(destination, written));
            (read, written) = (read + bytes, written + units);
            continue;
        }
        let (bytes, units) = below_10000(after(source, read), after_mut(destination, written));
        (read, written) = (read + bytes, written + units);
        if bytes == 0 {
            let (bytes, units) = of_any_length(after(source, read), after_mut(destination, written));
            (read, written) = (read + bytes, written + units);
            if bytes == 0 {
                break;
            }
        }
    }
    and_rest((read, written), source, destination, scalar::from_utf8)
}

/// Converts blocks of 64 bytes of which at most [`FEW_UP_TO_BYTES`] are not ASCII. Returns the numbers of bytes and
/// code units. Stops before a block that has more such bytes, a malformed character or a character above U+FFFF, near
/// the end of a slice, and after a block whose last character ends in the next one.
///
/// All 64 bytes are widened. Then each character beyond ASCII is written to its place, and the 64 bytes after it are
/// widened to their new places:
///
/// ```text
/// bytes      c  a  f  C3 A9 20 n  o  ..
/// widened    c  a  f  C3 A9 20 n  o  ..
/// patched    c  a  f  E9 20 n  o  ..
/// ```
///
/// The next block begins 64 bytes further on, whatever is in this one, so that a processor begins it before it has
/// found the characters of this one.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn mostly_ascii(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (length, room) = (source.len(), destination.len());
    let (mut source, mut destination, mut blocks_of_ascii) = (source, destination, 0);
    'blocks: while let (Some(from), Some(to)) =
        (source.first_chunk::<BLOCK_READS_ITEMS>(), destination.first_chunk_mut::<BLOCK_READS_ITEMS>())
    {
        let vectors =
            ascii::widen_64(window::<_, 0, 64>(from), to.first_chunk_mut().expect("a block has more than 64 bytes"));
        let [a, b, c, d] = vectors;
        if all_below(vmaxq_u8(vmaxq_u8(a, b), vmaxq_u8(c, d)), 0x80) {
            (source, destination) = (after(source, 64), after_mut(destination, 64));
            blocks_of_ascii += 1;
            if blocks_of_ascii == BLOCKS_OF_ASCII {
                let run = ascii::widen_64s(source, destination);
                (source, destination) = (after(source, run), after_mut(destination, run));
            }
            continue;
        }
        blocks_of_ascii = 0;
        let mut beyond = bits_of_64(vectors.each(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0x80))));
        if beyond.count_ones() > FEW_UP_TO_BYTES {
            break;
        }
        // The bytes before `read` are converted, and `beyond` has the bits of the bytes after them.
        let (mut read, mut written) = (0, 0);
        while beyond != 0 {
            let run = beyond.trailing_zeros() as usize;
            (read, written) = (read + run, written + run);
            let Some((code_point, bytes)) = block::<_, 4>(from, read).and_then(|four| scalar::first_beyond_ascii(four))
            else {
                break 'blocks;
            };
            let (Ok(unit), Some(place)) = (u16::try_from(code_point), to.get_mut::<usize>(written)) else {
                break 'blocks;
            };
            *place = unit;
            (read, written) = (read + bytes, written + 1);
            let (Some(next), Some(room)) = (block(from, read), block_mut(to, written)) else { break 'blocks };
            ascii::widen_64(next, room);
            beyond = beyond >> run >> bytes;
        }
        if read > 64 {
            (source, destination) = (after(source, read), after_mut(destination, written));
            break;
        }
        (source, destination) = (after(source, 64), after_mut(destination, written + 64 - read));
    }
    (length - source.len(), room - destination.len())
}

/// Converts characters below U+0800, 32 bytes a round, or 16 if either half of the 32 is ASCII. Returns the numbers of
/// bytes and code units, and true after 64 bytes of ASCII, for which the caller has a better way. Otherwise the next 32
/// bytes are malformed or have a character that is not below U+0800, or the end of a slice is near.
///
/// In a round, each byte is looked at together with the byte after it, so that a character may begin with the last
/// byte.
///
/// This loop calls no function, so that its constants stay in registers.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn below_800(source: &[u8], destination: &mut [u16]) -> (usize, usize, bool) {
    let (mut read, mut written, mut ascii_before) = (0, 0, false);
    while let (Some(from), Some(to)) =
        (block::<_, STEP_READS_BYTES>(source, read), block_mut::<_, STEP_SPACE_UNITS>(destination, written))
    {
        let first = [load(window::<_, 0, 16>(from)), load(window::<_, 16, 16>(from))];
        let greatest = vmaxq_u8(first[0], first[1]);
        if all_below(first[0], 0x80) {
            let ([to_first, to_second], _) = to[..32].as_chunks_mut() else { break };
            store_units(ascii::widened(first[0]), to_first);
            if !all_below(greatest, 0x80) {
                ascii_before = false;
                (read, written) = (read + 16, written + 16);
                continue;
            }
            store_units(ascii::widened(first[1]), to_second);
            (read, written) = (read + 32, written + 32);
            if ascii_before {
                return (read, written, true);
            }
            ascii_before = true;
            continue;
        }
        ascii_before = false;
        if !all_below(greatest, 0xE0) {
            break;
        }
        let half = Half::of(first[0], load(window::<_, 1, 16>(from)));
        let next = Half::of(first[1], load(window::<_, 17, 16>(from)));
        let (bits, ends) = bits_and_ends([half.starts, next.starts]);
        if any(vorrq_u8(half.wrong, next.wrong)) || bits & 1 == 0 {
            break;
        }
        let ([a, b], [c, d]) = (half.units, next.units);
        written += store_starts([a, b, c, d], bits, ends, to);
        read += 32 + usize::from(from[31] >= 0xC0);
    }
    (read, written, false)
}

/// 16 bytes with characters below U+0800.
struct Half {
    /// For each byte that starts a character, its code unit.
    units: [uint16x8_t; 2],
    /// Which bytes start a character.
    starts: uint8x16_t,
    /// Not 0 for a byte that is no such character with the byte after it.
    wrong: uint8x16_t,
}

impl Half {
    /// `second` has the byte after each of the bytes in `first`.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    fn of(first: uint8x16_t, second: uint8x16_t) -> Self {
        let leading = vcgeq_u8(first, vdupq_n_u8(0xC2));
        let continuation = vcltq_s8(vreinterpretq_s8_u8(second), vdupq_n_s8(0xC0_u8 as i8));
        // 0xC0 and 0xC1 lead nothing.
        let never = vceqq_u8(vandq_u8(first, vdupq_n_u8(0xFE)), vdupq_n_u8(0xC0));
        let lower = vbslq_u8(leading, vsliq_n_u8::<6>(second, first), first);
        let upper = vandq_u8(vshrq_n_u8::<2>(first), vandq_u8(leading, vdupq_n_u8(0x7)));
        Half {
            units: zipped([lower, upper]),
            starts: starts(first),
            wrong: vorrq_u8(veorq_u8(leading, continuation), never),
        }
    }
}

/// Converts runs of characters of three bytes, and otherwise 32 bytes a round, as long as some character of them has
/// three bytes and none has four. Stops before a malformed character, and near the end of a slice.
///
/// A round begins with a character. [`errors`] validates it, and [`units()`] computes a code unit in the lane of each
/// byte as if a character started there; the lanes of those that do are stored one after the other. A character that
/// the end cuts off is read again in the next round.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn below_10000(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = block::<_, STEP_READS_BYTES>(source, read) {
        let bytes = [load(window::<_, 0, 16>(from)), load(window::<_, 16, 16>(from))];
        let greatest = Greatest::of(vmaxq_u8(bytes[0], bytes[1]));
        if greatest.is_below(0xE0) || !greatest.is_below(0xF0) {
            break;
        }
        let (bits, ends) = bits_and_ends(bytes.each(|bytes| starts(bytes)));
        if bits == STARTS_OF_THREES {
            let characters = threes_to_utf16(after(source, read), after_mut(destination, written));
            if characters > 0 {
                (read, written) = (read + 3 * characters, written + characters);
                continue;
            }
        }
        let Some(to) = block_mut(destination, written) else { break };
        if any(vorrq_u8(errors(vdupq_n_u8(0), bytes[0]), errors(bytes[0], bytes[1]))) {
            break;
        }
        let ([a, b], [c, d]) = (units(window::<_, 0, 18>(from)), units(window::<_, 16, 18>(from)));
        let count = store_starts([a, b, c, d], bits, ends, to);
        // A character that the end cuts off started one code unit.
        let cut = begun(bytes[1]);
        (read, written) = (read + 32 - cut, written + count - cut.div_ceil(2));
    }
    (read, written)
}

/// Which bytes start a character. As signed numbers, ASCII and leading bytes are greater than 0xBF.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn starts(bytes: uint8x16_t) -> uint8x16_t {
    vcgtq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xBF_u8 as i8))
}

/// The number of bytes of an incomplete character at the end of a vector.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn begun(bytes: uint8x16_t) -> usize {
    let least = load(&[!0, !0, !0, !0, !0, !0, !0, !0, !0, !0, !0, !0, !0, 0xF0, 0xE0, 0xC0]);
    let from_there_on = load(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1]);
    vmaxvq_u8(vandq_u8(vcgeq_u8(bytes, least), from_there_on)).into()
}

/// Of the code units in some vectors, at most four, stores those whose bits are set in `bits`, one after the other, and
/// returns their number. For each vector, `ends` has the number of set bits up to its end.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn store_starts<const N: usize>(
    units: [uint16x8_t; N],
    bits: u32,
    ends: u32,
    to: &mut [u16; STEP_SPACE_UNITS],
) -> usize {
    let mut start = 0;
    for (eight, units) in units.into_iter().enumerate() {
        // The mask tells the compiler that the access is in bounds.
        let to = block_mut(to, (start & 0x1F) as usize).expect("31 and 8 are at most 40");
        store_eight_units(compress_units(units, (bits >> (8 * eight)) as u8), to);
        start = ends >> (8 * eight);
    }
    (start & 0xFF) as usize
}

/// The code unit that would start with each of 16 bytes, if no character has four bytes.
///
/// ```text
/// one byte      0xxxxxxx                        00000000 0xxxxxxx
/// two bytes     110aaabb 10xxxxxx               00000aaa bbxxxxxx
/// three bytes   1110aaaa 10bbbbcc 10xxxxxx      aaaabbbb ccxxxxxx
/// ```
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn units(bytes: &[u8; 18]) -> [uint16x8_t; 2] {
    let (first, second, third) =
        (load(window::<_, 0, 16>(bytes)), load(window::<_, 1, 16>(bytes)), load(window::<_, 2, 16>(bytes)));
    let of_two = vcgeq_u8(first, vdupq_n_u8(0xC0));
    let of_three = vcgeq_u8(first, vdupq_n_u8(0xE0));
    let [lower_of_three, upper_of_three] = planes_of_three([first, second, third]);
    let lower_of_two = vsliq_n_u8::<6>(second, first);
    let lower = vbslq_u8(of_three, lower_of_three, vbslq_u8(of_two, lower_of_two, first));
    let upper_of_two = vandq_u8(vandq_u8(vshrq_n_u8::<2>(first), vdupq_n_u8(0x7)), of_two);
    zipped([lower, vbslq_u8(of_three, upper_of_three, upper_of_two)])
}

/// The lower and the upper bytes of the code units of characters of three bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn planes_of_three([first, second, third]: [uint8x16_t; 3]) -> [uint8x16_t; 2] {
    let lower = vsliq_n_u8::<6>(third, second);
    let upper = vsriq_n_u8::<4>(vshlq_n_u8::<4>(first), vshlq_n_u8::<2>(second));
    [lower, upper]
}

/// The code units of 16 lower and 16 upper bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn zipped([lower, upper]: [uint8x16_t; 2]) -> [uint16x8_t; 2] {
    [vreinterpretq_u16_u8(vzip1q_u8(lower, upper)), vreinterpretq_u16_u8(vzip2q_u8(lower, upper))]
}

/// Converts characters of three bytes, 16 a step, up to the first other or malformed one. Returns how many.
///
/// The 48 bytes of a step are loaded such that one vector has the first bytes of the 16 characters, one the second
/// bytes, and one the third bytes. Three such bytes make the lower and the upper byte of a code unit, in two vectors. A
/// lane is wrong if its first byte does not lead three bytes, if another byte does not continue them, or if the code
/// unit is below U+0800 or a surrogate; one question to all lanes decides before anything is stored.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn threes_to_utf16(source: &[u8], destination: &mut [u16]) -> usize {
    let mut done = 0;
    while let (Some(from), Some(to)) = (block(source, 3 * done), block_mut(destination, done)) {
        let bytes = load_threes(from);
        let [first, second, third] = bytes;
        let [lower, upper] = planes_of_three(bytes);
        let not_leading = vcgeq_u8(veorq_u8(first, vdupq_n_u8(0xE0)), vdupq_n_u8(0x10));
        let later = vmaxq_s8(vreinterpretq_s8_u8(second), vreinterpretq_s8_u8(third));
        let not_continuation = vcgtq_s8(later, vdupq_n_s8(0xBF_u8 as i8));
        let overlong = vcltq_u8(upper, vdupq_n_u8(0x08));
        let surrogate = vceqq_u8(vandq_u8(upper, vdupq_n_u8(0xF8)), vdupq_n_u8(0xD8));
        let wrong = vorrq_u8(vorrq_u8(not_leading, not_continuation), vorrq_u8(overlong, surrogate));
        if any(wrong) {
            break;
        }
        store_twos([lower, upper], to);
        done += 16;
    }
    done
}

/// Converts 32 bytes with characters of any length. Returns zeros if a character is malformed, and near the end of a
/// slice. Never inlined: the call is rare, and the code is long.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn of_any_length(source: &[u8], destination: &mut [u16]) -> (usize, usize) {
    let (Some(from), Some(to)) = (block::<_, STEP_READS_BYTES>(source, 0), block_mut(destination, 0)) else {
        return (0, 0);
    };
    let none = vdupq_n_u8(0);
    let [first, second] = [load(window::<_, 0, 16>(from)), load(window::<_, 16, 16>(from))];
    if any(vorrq_u8(errors(none, first), errors(first, second))) {
        return (0, 0);
    }
    let thirds = [vextq_u8::<14>(none, first), vextq_u8::<14>(first, second)]
        .each(|two_before| vcgeq_u8(two_before, vdupq_n_u8(0xF0)));
    let (bits, ends) = bits_and_ends([vorrq_u8(starts(first), thirds[0]), vorrq_u8(starts(second), thirds[1])]);
    let ([a, b], [c, d]) = (units_of_four(window::<_, 0, 18>(from)), units_of_four(window::<_, 16, 18>(from)));
    let count = store_starts([a, b, c, d], bits, ends, to);
    // One or two bytes of a character that the end cuts off started one code unit, and three bytes of a character of
    // four started two.
    let cut = begun(second);
    (32 - cut, count - cut.div_ceil(2))
}

/// As [`units()`], for characters of all lengths, including four bytes. In lanes of 16 bits: the lane of a first byte
/// of four gets the leading surrogate, which the bytes one and two places further on complete. The lane of a third byte
/// of four gets the trailing surrogate, from itself and the next byte. All other lanes keep what [`units()`] gives
/// them. The caller has validated the bytes, so that no lane needs a test.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn units_of_four(bytes: &[u8; 18]) -> [uint16x8_t; 2] {
    let (first, second, third) =
        (load(window::<_, 0, 16>(bytes)), load(window::<_, 1, 16>(bytes)), load(window::<_, 2, 16>(bytes)));
    let [firsts, seconds, thirds] = [first, second, third].each(|bytes| ascii::widened(bytes));
    let simple = units(bytes);
    core::array::from_fn(|half| {
        let (first, second, third) = (firsts[half], seconds[half], thirds[half]);
        // The leading surrogate has the highest eleven of 21 bits. The trailing surrogate has the lowest ten, which are
        // in the third and the fourth byte.
        let leading = vsliq_n_u16::<8>(vandq_u16(vshlq_n_u16::<2>(second), vdupq_n_u16(0xFC)), first);
        let leading = vorrq_u16(leading, vandq_u16(vshrq_n_u16::<4>(third), vdupq_n_u16(0x3)));
        let leading = vaddq_u16(vandq_u16(leading, vdupq_n_u16(0x7FF)), vdupq_n_u16(0xD7C0));
        let trailing = vsliq_n_u16::<6>(vandq_u16(second, vdupq_n_u16(0x3F)), first);
        let trailing = vorrq_u16(vandq_u16(trailing, vdupq_n_u16(0x3FF)), vdupq_n_u16(0xDC00));
        // A continuation byte that starts a code unit is the third byte of four.
        let continuation = vceqq_u16(vandq_u16(first, vdupq_n_u16(0xC0)), vdupq_n_u16(0x80));
        let units = vbslq_u16(vcgeq_u16(first, vdupq_n_u16(0xF0)), leading, simple[half]);
        vbslq_u16(continuation, trailing, units)
    })
}
