//! Letters that are encoded by a subtraction, for WebAssembly and x86-64, whose shuffles look up only 16 bytes at once.
//!
//! It is the opposite of `single_byte::v128::letters`. In the window that texts use most, the byte of a letter is its
//! place in the window plus a common difference. One bit for each of the 128 places says which code points have this
//! difference; a step in which all 16 code units are ASCII or such letters needs no table. All other steps are left to
//! the windows.

use crate::{
    ascii::v128::saturated, base::*, single_byte::v128::near_latin1::LANE_NUMBERS, to_single_byte::tables::ByCodePoint,
    vector::v128::*,
};

/// The number of code points of a window.
const WINDOW_CODE_POINTS: u16 = crate::to_single_byte::tables::WINDOW as u16;

/// The code points of a window whose bytes are all greater than the place in the window by the same number. In most
/// alphabets these are the letters. `LettersFromBytes` is the opposite.
pub(crate) struct LettersToBytes {
    /// The first code point of the window.
    start: uint16x8_t,
    /// One bit for each place of the window: whether it is such a code point.
    set: uint8x16_t,
    /// The difference between a byte and its place.
    difference: uint8x16_t,
}

impl LettersToBytes {
    /// The code points that have the difference of the byte 0xE0, which is a letter in most code pages. `None` if the
    /// most frequent window does not have this byte, or if most of its bytes have another difference.
    ///
    /// The window has 128 bytes in eight vectors. The place of 0xE0 among them gives the difference. With it,
    /// `bytes_of_places` has the bytes that 16 places would have; where the window has the same, a bit is set.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn of(by_code_point: ByCodePoint<'_>) -> Option<Self> {
        let window = by_code_point.windows().first()?;
        let [lower, upper] = by_code_point.window_bytes(window).each(|half| load_four(half));
        let sixteens = [lower.0, lower.1, lower.2, lower.3, upper.0, upper.1, upper.2, upper.3];
        let places = sixteens.each(|bytes| byte_bits(vceqq_u8(bytes, vdupq_n_u8(0xE0))));
        let sixteen = places.iter().position(|&bits| bits != 0)?;
        let difference = 0xE0 - (16 * sixteen as u8 + places[sixteen].trailing_zeros() as u8);
        let mut bytes_of_places = vaddq_u8(load(&LANE_NUMBERS), vdupq_n_u8(difference));
        let (mut set, mut in_set, mut in_window) = ([[0; 2]; 8], 0, 0);
        for (bits, bytes) in set.iter_mut().zip(sixteens) {
            // The byte of a code point has the highest bit; 0 means that a code point has none.
            let have_difference = byte_bits(vandq_u8(bytes, vceqq_u8(bytes, bytes_of_places)));
            *bits = have_difference.to_le_bytes();
            in_set += have_difference.count_ones();
            in_window += byte_bits(bytes).count_ones();
            bytes_of_places = vaddq_u8(bytes_of_places, vdupq_n_u8(16));
        }
        let set = set.as_flattened().first_chunk()?;
        (2 * in_set >= in_window).then(|| LettersToBytes {
            start: vdupq_n_u16(u16::from(window.number) * WINDOW_CODE_POINTS),
            set: load(set),
            difference: vdupq_n_u8(difference),
        })
    }

    /// The bytes of 16 code units; `None` if one of them is neither ASCII nor such a code point.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    pub(crate) fn bytes(&self, units: [uint16x8_t; 2]) -> Option<uint8x16_t> {
        let places = saturated(units.each(|units| vandq_u16(units, vdupq_n_u16(WINDOW_CODE_POINTS - 1))));
        let starts = units.each(|units| vandq_u16(units, vdupq_n_u16(!(WINDOW_CODE_POINTS - 1))));
        let is_ascii = narrow_lanes(starts.each(|starts| vceqq_u16(starts, vdupq_n_u16(0))));
        let is_inside = narrow_lanes(starts.each(|starts| vceqq_u16(starts, self.start)));
        let is_in_set = within(self.set, vorrq_u8(places, vdupq_n_u8(0x80)));
        let is_known = vorrq_u8(is_ascii, vandq_u8(is_inside, is_in_set));
        (byte_bits(is_known) == 0xFFFF).then(|| vaddq_u8(places, vbicq_u8(self.difference, is_ascii)))
    }
}
