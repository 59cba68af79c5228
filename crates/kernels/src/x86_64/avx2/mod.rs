//! The bodies for AVX2, with BMI2 and POPCNT.
//!
//! A vector is 32 bytes, or 16 code units. What a block leaves out is dropped 8 lanes at once, by shuffles from a small table.

pub(crate) mod ascii;
mod compress;
pub(crate) mod double_byte;
pub(crate) mod four_bytes;
pub(crate) mod latin1;
mod memory;
mod patches;
pub(super) mod places;
pub(crate) mod single_byte;
mod to_double_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod utf8_to_single_byte;
