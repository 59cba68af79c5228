//! The bodies for AVX-512 with VBMI and VBMI2.
//!
//! A vector is 64 bytes, or 32 code units. Questions about its lanes are answered by masks in ordinary registers, a bit per
//! lane, and most of the thinking is done there. Loads and stores under a mask make the ends of slices as cheap as the middle.
//!
//! What a block leaves out is dropped by [`compress`], in a register: as a store, the same instruction is microcode on AMD's
//! processors and some fifty times as slow.

pub(crate) mod ascii;
mod by_rule;
mod chunks;
mod compress;
pub(crate) mod double_byte;
pub(crate) mod latin1;
mod memory;
pub(crate) mod single_byte;
mod to_double_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod utf8_to_single_byte;
