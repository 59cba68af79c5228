//! The vectors of AVX2, with BMI1, BMI2, LZCNT and POPCNT.
//!
//! A vector holds 32 bytes or 16 code units. AVX2 has no masks in ordinary registers: a comparison gives lanes of all
//! ones or all zeros, and `vpmovmskb` makes a mask of their highest bits. AVX2 has no compression either: lanes that a
//! block does not need are dropped eight at a time, by shuffles from a small table. Where few characters are not ASCII,
//! a block is copied as ASCII and [patched](patches) instead.

pub(crate) mod compress;
pub(crate) mod lanes;
pub(crate) mod memory;
pub(crate) mod patches;

pub(crate) use core::arch::x86_64::*;

pub(crate) use self::{compress::*, lanes::*, memory::*, patches::*};

/// Clears the upper halves of the vector registers, all that is beyond 16 bytes.
///
/// The compiler clears them before a call or a return, but not before a conditional jump to another function. Where a
/// function ends with `if test { … } else { more(…) }`, the call of `more` becomes such a jump. If `more` leaves the
/// halves as they are, the code after it, which is compiled for SSE, runs while they are full. On Intel's processors
/// that takes about 100 ns longer: see `docs/experiments.md#short-input`. So this stands where a test of vectors has
/// failed.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn clear_upper_halves() {
    core::arch::x86_64::_mm256_zeroupper();
}
