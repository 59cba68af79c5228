//! The kernels' bodies for AVX2 with BMI1, BMI2, LZCNT and POPCNT.
//!
//! A vector holds 32 bytes or 16 code units. AVX2 has no masks in ordinary registers: a comparison gives lanes of all
//! ones or all zeros, and `vpmovmskb` makes a mask of their highest bits. AVX2 has no compression either: lanes that a
//! block does not need are dropped eight at a time, by shuffles from a small table. Where few characters are not ASCII,
//! a block is copied as ASCII and [patched](patches) instead.

pub(crate) mod ascii;
pub(crate) mod bidi;
mod compress;
pub(crate) mod double_byte;
mod eight_units;
mod eights;
pub(crate) mod four_bytes;
pub(crate) mod latin1;
mod memory;
mod patches;
pub(super) mod places;
mod rows;
pub(crate) mod single_byte;
pub(crate) mod to_double_byte;
pub(crate) mod unshifted;
pub(crate) mod utf16;
pub(crate) mod utf16_to_utf8;
pub(crate) mod utf8;
pub(crate) mod utf8_to_double_byte;
mod utf8_to_single_byte;
mod windows;
