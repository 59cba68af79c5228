//! The bodies for vectors of 16 bytes: for NEON, which every processor of aarch64 has; for the feature simd128 of
//! WebAssembly; and for x86-64 with SSSE3, SSE4.1 and POPCNT.
//!
//! A vector has 16 bytes or eight code units. To drop lanes of a vector, a shuffle from a small table moves the lanes
//! that are kept together, four or eight lanes at once. Finding right-to-left code points uses the scalar body. Only
//! NEON encodes markup directly from UTF-8 to pairs.
//!
//! The bodies are written with the instructions of NEON. [`instructions`] has the same functions for WebAssembly and
//! for x86-64. Bits and answers that the three get in different ways are in [`any`] and [`compress`]. NEON looks up 64
//! bytes at once and the others 16, so the others compute most characters of single-byte encodings: see `letters.rs`.
#![allow(clippy::redundant_closure, reason = "functions with features of the processor need them")]

mod any;
pub(crate) mod ascii;
mod compress;
pub(crate) mod double_byte;
mod few_pairs;
pub(crate) mod latin1;
#[cfg(not(target_arch = "aarch64"))]
mod letters;
mod near_latin1;
mod pointers;
pub(crate) mod single_byte;
pub(crate) mod to_double_byte;
pub(crate) mod unshifted;
pub(crate) mod utf16;
mod utf16_to_utf8;
pub(crate) mod utf8;
#[cfg(target_arch = "aarch64")]
pub(crate) mod utf8_to_double_byte;
mod utf8_to_single_byte;
pub(crate) use crate::scalar::bidi;

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64 as instructions;
#[cfg(target_arch = "wasm32")]
#[path = "simd128.rs"]
mod instructions;
#[cfg(target_arch = "x86_64")]
#[path = "sse41.rs"]
mod instructions;

#[cfg(target_arch = "aarch64")]
mod memory;
#[cfg(target_arch = "wasm32")]
#[path = "memory_simd128.rs"]
mod memory;
#[cfg(target_arch = "x86_64")]
#[path = "memory_sse41.rs"]
mod memory;
