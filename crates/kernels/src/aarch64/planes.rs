//! UTF-8 from 16 code units, whose lower bytes are in one vector and whose upper bytes are in another: the *planes* of
//! the code units.
//!
//! A code unit becomes one to three bytes. These are computed in three planes, of which the third has the last byte of
//! every character. Half of a surrogate pair becomes two of four bytes.
//!
//! ```text
//! unit      a    Д    €    D83D DCA9
//! first     .    .    E2   .    .
//! second    .    D0   82   F0   92
//! third     61   94   AC   9F   A9
//! ```
//!
//! The planes are zipped, so that the bytes of one code unit stand in one lane of two or four bytes. A shuffle from a
//! small table drops the bytes that a code unit does not have, for several lanes at once, and the result is stored.
//! Where each store goes follows from counts of bits and is computed for all stores beforehand, so that no store waits
//! for the one before. No branch depends on the lengths of characters.

use super::instructions::*;
use super::{
    any::{all_below, none_below},
    memory::{load_eight, store_eight, store_threes},
};
use crate::blocks::block_mut;

/// The number of bytes that a conversion of 16 code units may overwrite. Each store writes eight bytes, and a mask limits the place
/// of the first to 63.
pub(super) const ROOM: usize = 72;

/// 16 code units, as planes.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    /// The lower byte of each code unit.
    pub(super) lower: uint8x16_t,
    /// The upper byte of each code unit.
    pub(super) upper: uint8x16_t,
}

impl Planes {
    /// Separates 16 code units into planes.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn of([first, second]: [uint16x8_t; 2]) -> Self {
        let (first, second) = (vreinterpretq_u8_u16(first), vreinterpretq_u8_u16(second));
        Planes { lower: vuzp1q_u8(first, second), upper: vuzp2q_u8(first, second) }
    }

    /// Which code units are surrogates.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn surrogates(self) -> uint8x16_t {
        vceqq_u8(vandq_u8(self.upper, vdupq_n_u8(0xF8)), vdupq_n_u8(0xD8))
    }

    /// Bits 6 to 13 of each code unit. For a code unit below 0x800 these are the bits of its first byte.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn middle(self) -> uint8x16_t {
        vsriq_n_u8::<6>(vshlq_n_u8::<2>(self.upper), self.lower)
    }

    /// The last byte of each character: the code unit itself for ASCII, and a continuation byte with its lowest six
    /// bits for all others.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn last(self, beyond_ascii: uint8x16_t) -> uint8x16_t {
        vbslq_u8(vandq_u8(beyond_ascii, vdupq_n_u8(0xC0)), vdupq_n_u8(0x80), self.lower)
    }

    /// Writes the UTF-8 of code units without surrogates, and returns its length. This and all other `store` functions
    /// overwrite bytes after those that they count.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn store(self, to: &mut [u8; ROOM]) -> usize {
        if all_below(self.upper, 0x08) {
            self.store_short(to)
        } else if none_below(self.upper, 0x08) {
            self.store_long(to)
        } else {
            self.store_mixed(to)
        }
    }

    /// Writes the UTF-8 of code units below 0x800, and returns its length.
    ///
    /// The second and the third plane are zipped into lanes of two bytes. Four lanes at a time, a shuffle from
    /// [`SHORT`] drops the first byte of ASCII.
    ///
    /// ```text
    /// units      a     Д     .     И
    /// lanes      .. 61 D0 94 .. 2E D0 98
    /// kept          61 D0 94    2E D0 98
    /// ```
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn store_short(self, to: &mut [u8; ROOM]) -> usize {
        let middle = self.middle();
        let of_two = vcgtq_u8(middle, vdupq_n_u8(1));
        let second = vorrq_u8(middle, vdupq_n_u8(0xC0));
        let last = self.last(of_two);
        let halves = [vzip1q_u8(second, last), vzip2q_u8(second, last)];

        // Four bits for each four code units say which have two bytes.
        let own = vreinterpretq_u8_u32(vdupq_n_u32(0x0804_0201));
        let twos = vandq_u8(of_two, own);
        let twos = vpaddq_u8(twos, twos);
        let nibbles = vget_low_u8(vpaddq_u8(twos, twos));
        let first_four = |bytes| vget_lane_u32::<0>(vreinterpret_u32_u8(bytes));
        let lengths = first_four(vadd_u8(vcnt_u8(nibbles), vdup_n_u8(4)));
        let (nibbles, ends) = (first_four(nibbles), lengths.wrapping_mul(0x0101_0101));
        let mut start = 0;
        for four in 0..4 {
            let nibble = nibbles >> (8 * four) & 0xF;
            let shuffle = load_eight(&SHORT[four % 2][nibble as usize]);
            store_at(vqtbl1_u8(halves[four / 2], shuffle), to, start);
            start = ends >> (8 * four);
        }
        (ends >> 24) as usize
    }

    /// Writes the UTF-8 of code units that have three bytes each, with one store that interleaves three vectors.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn store_long(self, to: &mut [u8; ROOM]) -> usize {
        let first = vorrq_u8(vshrq_n_u8::<4>(self.upper), vdupq_n_u8(0xE0));
        let continuation = |bits| vbslq_u8(vdupq_n_u8(0x3F), bits, vdupq_n_u8(0x80));
        let to = to.first_chunk_mut().expect("72 is more than 48");
        store_threes([first, continuation(self.middle()), continuation(self.lower)], to);
        48
    }

    /// Writes the UTF-8 of code units of one to three bytes, without surrogates.
    #[inline]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn store_mixed(self, to: &mut [u8; ROOM]) -> usize {
        let middle = self.middle();
        let of_three = vcgtq_u8(self.upper, vdupq_n_u8(7));
        let beyond_ascii = vorrq_u8(of_three, vcgtq_u8(middle, vdupq_n_u8(1)));
        let first = vorrq_u8(vshrq_n_u8::<4>(self.upper), vdupq_n_u8(0xE0));
        // In a character of three bytes, the second byte is 0x80 and six bits; in one of two bytes it is 0xC0 and five
        // bits.
        let second = vbslq_u8(vdupq_n_u8(0x3F), middle, vbslq_u8(of_three, vdupq_n_u8(0x80), vdupq_n_u8(0xC0)));
        store_bytes([first, second, self.last(beyond_ascii)], beyond_ascii, of_three, to)
    }

    /// Writes the UTF-8 of code units of which some are surrogates, all in pairs. If the last code unit is a leading
    /// surrogate, only the first two of its four bytes are written.
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
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) fn store_with_pairs(self, to: &mut [u8; ROOM]) -> usize {
        let surrogates = self.surrogates();
        let leading = vandq_u8(surrogates, vcltq_u8(self.upper, vdupq_n_u8(0xDC)));
        let middle = self.middle();
        let of_three = vbicq_u8(vcgtq_u8(self.upper, vdupq_n_u8(7)), surrogates);
        let beyond_ascii = vorrq_u8(vcgtq_u8(self.upper, vdupq_n_u8(7)), vcgtq_u8(middle, vdupq_n_u8(1)));
        let first = vorrq_u8(vshrq_n_u8::<4>(self.upper), vdupq_n_u8(0xE0));
        let second = vbslq_u8(vdupq_n_u8(0x3F), middle, vbslq_u8(of_three, vdupq_n_u8(0x80), vdupq_n_u8(0xC0)));

        // Each leading surrogate plus 0x40. The carry into the upper byte is 1 where the lower byte is 0xC0 or more.
        let lower = vaddq_u8(self.lower, vdupq_n_u8(0x40));
        let upper = vsubq_u8(self.upper, vcgeq_u8(self.lower, vdupq_n_u8(0xC0)));
        let highest_three = vorrq_u8(vandq_u8(upper, vdupq_n_u8(0x7)), vdupq_n_u8(0xF0));
        let next_six = vorrq_u8(vshrq_n_u8::<2>(lower), vdupq_n_u8(0x80));
        // The lowest two bits of the leading surrogate, above the highest four payload bits of the trailing surrogate.
        let left_over = vextq_u8::<15>(lower, lower);
        let six = vbslq_u8(vdupq_n_u8(0xF), middle, vshlq_n_u8::<4>(left_over));
        let six = vbslq_u8(vdupq_n_u8(0x3F), six, vdupq_n_u8(0x80));

        let second = vbslq_u8(leading, highest_three, vbslq_u8(surrogates, six, second));
        let third = vbslq_u8(leading, next_six, self.last(beyond_ascii));
        store_bytes([first, second, third], beyond_ascii, of_three, to)
    }
}

/// Writes the third byte of each code unit, before it the second byte of the code units in `two`, and before that the
/// first byte of the code units in `three`. Returns how many bytes that makes.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn store_bytes(
    [first, second, third]: [uint8x16_t; 3],
    two: uint8x16_t,
    three: uint8x16_t,
    to: &mut [u8; ROOM],
) -> usize {
    // Four bits for each two code units: the lower two say which are in `two`, the upper two say which are in `three`.
    let own_two = vreinterpretq_u8_u16(vdupq_n_u16(0x0201));
    let own_three = vreinterpretq_u8_u16(vdupq_n_u16(0x0804));
    let bits = vorrq_u8(vandq_u8(two, own_two), vandq_u8(three, own_three));
    let nibbles = vget_low_u8(vpaddq_u8(bits, bits));
    let all_eight = |bytes| vget_lane_u64::<0>(vreinterpret_u64_u8(bytes));
    let lengths = all_eight(vadd_u8(vcnt_u8(nibbles), vdup_n_u8(2)));
    // The multiplication adds up the lengths from the lowest on. The last sum is at most 48.
    let (nibbles, ends) = (all_eight(nibbles), lengths.wrapping_mul(0x0101_0101_0101_0101));

    // Lanes of four bytes: the three bytes of a code unit, and one that is always dropped.
    let words = |bytes: uint8x16_t| vreinterpretq_u16_u8(bytes);
    let bytes = |words: uint16x8_t| vreinterpretq_u8_u16(words);
    let first_two = [words(vzip1q_u8(first, second)), words(vzip2q_u8(first, second))];
    let last = [words(vzip1q_u8(third, third)), words(vzip2q_u8(third, third))];
    let quarters = [
        bytes(vzip1q_u16(first_two[0], last[0])),
        bytes(vzip2q_u16(first_two[0], last[0])),
        bytes(vzip1q_u16(first_two[1], last[1])),
        bytes(vzip2q_u16(first_two[1], last[1])),
    ];
    let mut start = 0;
    for pair in 0..8 {
        let nibble = nibbles >> (8 * pair) & 0xF;
        let shuffle = load_eight(&MIXED[pair % 2][nibble as usize]);
        store_at(vqtbl1_u8(quarters[pair / 2], shuffle), to, start as u32);
        start = ends >> (8 * pair);
    }
    (ends >> 56) as usize
}

/// Stores eight bytes at the place in the lowest byte of `place`, which is at most 63.
#[inline]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn store_at(bytes: uint8x8_t, to: &mut [u8; ROOM], place: u32) {
    // The mask tells the compiler that the access is in bounds.
    store_eight(bytes, block_mut(to, (place & 0x3F) as usize).expect("63 and 8 are at most 72"));
}

/// For the lower and the upper half of a vector, by one bit for each of four lanes of two bytes: the shuffle that keeps
/// the second byte of each lane, and the first byte of the lanes whose bit is set.
static SHORT: [[[u8; 8]; 16]; 2] = {
    let mut tables = [[[0; 8]; 16]; 2];
    let mut at = 0;
    while at < 32 {
        let (half, bits) = (at / 16, at % 16);
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            let mut byte = if bits >> lane & 1 == 1 { 0 } else { 1 };
            while byte < 2 {
                tables[half][bits][to] = (8 * half + 2 * lane + byte) as u8;
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        at += 1;
    }
    tables
};

/// For the lower and the upper half of a vector, by four bits for two lanes of four bytes: the shuffle that keeps the
/// third byte of each lane, the second byte of lanes with one of the lower two bits, and the first byte of lanes with
/// one of the upper two bits as well.
static MIXED: [[[u8; 8]; 16]; 2] = {
    let mut tables = [[[0; 8]; 16]; 2];
    let mut at = 0;
    while at < 32 {
        let (half, bits) = (at / 16, at % 16);
        let (mut lane, mut to) = (0, 0);
        while lane < 2 {
            let mut byte = 2 - (bits >> lane & 1) - (bits >> (2 + lane) & 1);
            while byte < 3 {
                tables[half][bits][to] = (8 * half + 4 * lane + byte) as u8;
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        at += 1;
    }
    tables
};
