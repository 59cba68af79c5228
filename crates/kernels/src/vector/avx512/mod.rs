//! The vectors of AVX-512 with VBMI and VBMI2.
//!
//! A vector holds 64 bytes or 32 code units. A comparison of two vectors gives a mask in an ordinary register, with one
//! bit for each lane: bit 0 stands for lane 0, which holds the byte at the lowest address. Most decisions are
//! arithmetic on these masks. A load or store under a mask touches only the lanes whose bits are set, so the last few
//! bytes of a slice take one masked vector and no scalar loop.
//!
//! Lanes that a block does not need are dropped by [`compress`](mod@compress), which works in a register. The form of
//! the same instruction that stores to memory (`vpcompressb` with a memory operand) runs as microcode on AMD's
//! processors and is about fifty times as slow, so no body uses it.
//!
//! Every function of this level has the same list of features in its `target_feature` attribute: the features of
//! [`Level::Avx512`](crate::level::Level::Avx512) that imply all others. A function can only be inlined into another
//! one that has all of its features, so different lists would leave calls in loops.

pub(crate) mod compress;
pub(crate) mod lanes;
pub(crate) mod memory;

pub(crate) use core::arch::x86_64::*;

pub(crate) use self::{compress::*, lanes::*, memory::*};
