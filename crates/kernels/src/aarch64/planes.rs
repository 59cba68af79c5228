//! Code units as planes of bytes, and their UTF-8.
//!
//! Of 16 code units the lower bytes stand in one vector and the upper bytes in another. So do the bytes that they make, of which
//! there are up to three; the third is always the last of a character:
//!
//! ```text
//! unit      a    Д    €    D83D DCA9
//! first     .    .    E2   .    .
//! second    .    D0   82   F0   92         half of a surrogate pair makes two of four bytes
//! third     61   94   AC   9F   A9
//! ```
//!
//! The planes are put together to lanes of two or three bytes. Some lanes at once go through a shuffle from a small table that
//! leaves out what a unit does not have; how many bytes come before them is known for all from the counts of bits. Nothing waits
//! for the store before it, and no branch depends on the mixture.

use super::memory::{load_eight, store_eight, store_threes};
use crate::blocks::block_mut;
use core::arch::aarch64::*;

/// What 16 code units may overwrite.
pub(super) const ROOM: usize = 72;

/// 16 code units.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub(super) lower: uint8x16_t,
    pub(super) upper: uint8x16_t,
}

impl Planes {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn of([first, second]: [uint16x8_t; 2]) -> Self {
        let (first, second) = (vreinterpretq_u8_u16(first), vreinterpretq_u8_u16(second));
        Planes { lower: vuzp1q_u8(first, second), upper: vuzp2q_u8(first, second) }
    }

    /// Which units are surrogates.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn surrogates(self) -> uint8x16_t {
        vceqq_u8(vandq_u8(self.upper, vdupq_n_u8(0xF8)), vdupq_n_u8(0xD8))
    }

    /// The lowest 14 bits without the lowest 6: of a unit below 0x800 the bits of its first byte.
    #[inline]
    #[target_feature(enable = "neon")]
    fn middle(self) -> uint8x16_t {
        vsriq_n_u8::<6>(vshlq_n_u8::<2>(self.upper), self.lower)
    }

    /// The last byte of each unit.
    #[inline]
    #[target_feature(enable = "neon")]
    fn last(self, beyond_ascii: uint8x16_t) -> uint8x16_t {
        vbslq_u8(vandq_u8(beyond_ascii, vdupq_n_u8(0xC0)), vdupq_n_u8(0x80), self.lower)
    }

    /// Writes the UTF-8 of units without surrogates, and returns its length. Some bytes behind it are overwritten, as in all that
    /// follow.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn store(self, to: &mut [u8; ROOM]) -> usize {
        if vmaxvq_u8(self.upper) < 0x08 {
            self.store_short(to)
        } else if vminvq_u8(self.upper) >= 0x08 {
            self.store_long(to)
        } else {
            self.store_mixed(to)
        }
    }

    /// Writes the UTF-8 of units below 0x800, and returns its length.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn store_short(self, to: &mut [u8; ROOM]) -> usize {
        let middle = self.middle();
        let of_two = vcgtq_u8(middle, vdupq_n_u8(1));
        let second = vorrq_u8(middle, vdupq_n_u8(0xC0));
        let last = self.last(of_two);
        let halves = [vzip1q_u8(second, last), vzip2q_u8(second, last)];

        // A nibble for four units.
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

    /// Writes the UTF-8 of units that make three bytes each.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn store_long(self, to: &mut [u8; ROOM]) -> usize {
        let first = vorrq_u8(vshrq_n_u8::<4>(self.upper), vdupq_n_u8(0xE0));
        let continuation = |bits| vbslq_u8(vdupq_n_u8(0x3F), bits, vdupq_n_u8(0x80));
        let to = to.first_chunk_mut().expect("more than 48");
        store_threes([first, continuation(self.middle()), continuation(self.lower)], to);
        48
    }

    /// Writes the UTF-8 of units without surrogates.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn store_mixed(self, to: &mut [u8; ROOM]) -> usize {
        let middle = self.middle();
        let of_three = vcgtq_u8(self.upper, vdupq_n_u8(7));
        let beyond_ascii = vorrq_u8(of_three, vcgtq_u8(middle, vdupq_n_u8(1)));
        let first = vorrq_u8(vshrq_n_u8::<4>(self.upper), vdupq_n_u8(0xE0));
        // 0x80 and six bits, or 0xC0 and five.
        let second = vbslq_u8(vdupq_n_u8(0x3F), middle, vbslq_u8(of_three, vdupq_n_u8(0x80), vdupq_n_u8(0xC0)));
        store_bytes([first, second, self.last(beyond_ascii)], beyond_ascii, of_three, to)
    }

    /// Writes the UTF-8 of units of which some are surrogates, in pairs. Of a pair that the end cuts it writes two bytes.
    ///
    /// The leading surrogate of U+10000 is 0xD800. So adding 0x40 brings the eleven highest bits of the code point together, of
    /// which the leading surrogate's bytes take nine; the other two belong to the first byte of the trailing surrogate:
    ///
    /// ```text
    /// leading + 0x40   110110wwwwwxxxxx yy      trailing   110111yyyyzzzzzz
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn store_with_pairs(self, to: &mut [u8; ROOM]) -> usize {
        let surrogates = self.surrogates();
        let leading = vandq_u8(surrogates, vcltq_u8(self.upper, vdupq_n_u8(0xDC)));
        let middle = self.middle();
        let of_three = vbicq_u8(vcgtq_u8(self.upper, vdupq_n_u8(7)), surrogates);
        let beyond_ascii = vorrq_u8(vcgtq_u8(self.upper, vdupq_n_u8(7)), vcgtq_u8(middle, vdupq_n_u8(1)));
        let first = vorrq_u8(vshrq_n_u8::<4>(self.upper), vdupq_n_u8(0xE0));
        let second = vbslq_u8(vdupq_n_u8(0x3F), middle, vbslq_u8(of_three, vdupq_n_u8(0x80), vdupq_n_u8(0xC0)));

        // With 0x40 more; what is carried is 1 where the lower byte is 0xC0 or more.
        let lower = vaddq_u8(self.lower, vdupq_n_u8(0x40));
        let upper = vsubq_u8(self.upper, vcgeq_u8(self.lower, vdupq_n_u8(0xC0)));
        let highest_three = vorrq_u8(vandq_u8(upper, vdupq_n_u8(0x7)), vdupq_n_u8(0xF0));
        let next_six = vorrq_u8(vshrq_n_u8::<2>(lower), vdupq_n_u8(0x80));
        // What the unit before leaves over, above four bits of its own.
        let left_over = vextq_u8::<15>(lower, lower);
        let six = vbslq_u8(vdupq_n_u8(0xF), middle, vshlq_n_u8::<4>(left_over));
        let six = vbslq_u8(vdupq_n_u8(0x3F), six, vdupq_n_u8(0x80));

        let second = vbslq_u8(leading, highest_three, vbslq_u8(surrogates, six, second));
        let third = vbslq_u8(leading, next_six, self.last(beyond_ascii));
        store_bytes([first, second, third], beyond_ascii, of_three, to)
    }
}

/// Writes the last byte of each unit, before it the second one of those in `two`, and before that the first one of those in
/// `three`. Returns how many bytes that is.
#[inline]
#[target_feature(enable = "neon")]
fn store_bytes(
    [first, second, third]: [uint8x16_t; 3],
    two: uint8x16_t,
    three: uint8x16_t,
    to: &mut [u8; ROOM],
) -> usize {
    // Two units a nibble: the lower bits are of `two`.
    let own_two = vreinterpretq_u8_u16(vdupq_n_u16(0x0201));
    let own_three = vreinterpretq_u8_u16(vdupq_n_u16(0x0804));
    let bits = vorrq_u8(vandq_u8(two, own_two), vandq_u8(three, own_three));
    let nibbles = vget_low_u8(vpaddq_u8(bits, bits));
    let all_eight = |bytes| vget_lane_u64::<0>(vreinterpret_u64_u8(bytes));
    let lengths = all_eight(vadd_u8(vcnt_u8(nibbles), vdup_n_u8(2)));
    // The sums are 48 at most.
    let (nibbles, ends) = (all_eight(nibbles), lengths.wrapping_mul(0x0101_0101_0101_0101));

    // Lanes of four bytes, of which the fourth is anything.
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

/// Stores at the place in the lowest byte, which is 63 at most.
#[inline]
#[target_feature(enable = "neon")]
fn store_at(bytes: uint8x8_t, to: &mut [u8; ROOM], place: u32) {
    // The compiler sees that it is inside.
    store_eight(bytes, block_mut(to, (place & 0x3F) as usize).expect("64 and 8 are no more than there is room for"));
}

/// For the lower and the upper half of a vector, by a bit for each of four lanes of two bytes: the shuffle that moves together
/// their second bytes, and of those with a bit the first one before that.
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

/// The same for two lanes of four bytes: the third ones, of those with one of the lower two bits the second one before that, and
/// of those that have one of the higher two as well the first one before that.
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
