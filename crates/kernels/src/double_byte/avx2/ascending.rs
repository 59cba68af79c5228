//! Ascending code points by their rank, with an instruction that counts bits and one that finds the nth.

use core::arch::x86_64::*;

use crate::double_byte::tables::ascending::Ascending;

/// The code point whose bit has `rest` set bits between it and the bit `at`, which is set: the end of
/// [`Ascending::nth`].
///
/// A round takes 64 bits, the first one from `at` on. `pdep` puts the lowest bits of a number, in order, into the set
/// bits of a mask: here a single bit into the set bit that has `rest` others below it.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn nth(ascending: &Ascending<'_>, mut at: u16, rest: u16) -> Option<u16> {
    let mut rest = u32::from(rest);
    loop {
        let (place, shift) = (usize::from(at / 32), at % 32);
        let word = |place: usize| ascending.bits().get(place).map(|&word| u64::from(word));
        // Three words have the bits. After the last word there are zeros.
        let two = word(place)? | word(place + 1).unwrap_or(0) << 32;
        let bits = two >> shift | word(place + 2).unwrap_or(0) << 1 << (63 - shift);
        if bits.count_ones() > rest {
            return Some(ascending.first() + at + _pdep_u64(1 << rest, bits).trailing_zeros() as u16);
        }
        rest -= bits.count_ones();
        at += 64;
    }
}
