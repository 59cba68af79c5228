//! Vectors of 16 bytes: of NEON, which every processor of aarch64 has; of the feature simd128 of WebAssembly; and of
//! x86-64 with SSSE3, SSE4.1 and POPCNT. A file `v128.rs` has one body for all three, and names an instruction set only
//! where it differs.
//!
//! A vector has 16 bytes or eight code units. To drop lanes of a vector, a shuffle from a small table moves the lanes
//! that are kept together, four or eight lanes at once. Finding right-to-left code points uses the scalar body. Only
//! NEON encodes markup directly from UTF-8 to pairs.
//!
//! The bodies are written with the instructions of NEON. [`instructions`] has them as functions, for each of the three.
//! Only x86-64 needs an attribute with the features of a body, because only there a program asks for them when it runs.
//! Bits and answers that the three get in different ways are in [`any`](mod@any) and [`compress`]. NEON
//! looks up 64 bytes at once and the others 16, so the others compute most letters of single-byte encodings
//! (`single_byte/v128/letters.rs`).
#![allow(clippy::redundant_closure, reason = "functions with features of the processor need them")]

pub(crate) mod any;
pub(crate) mod compress;
pub(crate) mod lanes;
mod pairs;

#[cfg(target_arch = "aarch64")]
#[path = "neon.rs"]
pub(crate) mod instructions;
#[cfg(target_arch = "wasm32")]
#[path = "simd128.rs"]
pub(crate) mod instructions;
#[cfg(target_arch = "x86_64")]
#[path = "sse41.rs"]
pub(crate) mod instructions;
#[cfg(not(target_arch = "aarch64"))]
mod one_type;

#[cfg(target_arch = "aarch64")]
pub(crate) mod memory;
#[cfg(target_arch = "wasm32")]
#[path = "memory_simd128.rs"]
pub(crate) mod memory;
#[cfg(target_arch = "x86_64")]
#[path = "memory_sse41.rs"]
pub(crate) mod memory;

pub(crate) use self::{any::*, compress::*, instructions::*, lanes::*, memory::*, pairs::*};
