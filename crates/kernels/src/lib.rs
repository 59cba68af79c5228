//! Conversions of whole slices of bytes and code units, with vector instructions. This crate is an internal part of
//! [textcodec](https://docs.rs/textcodec): it exists for the encoding crates of that family, and **makes no promise of
//! stability**. Any release may change or remove any item. Programs use `textcodec` instead.
//!
//! This crate knows no encodings, only shapes: runs of ASCII, the three Unicode encodings, and tables that an encoding
//! crate passes in.
//!
//! Each folder is one concern:
//!
//! | module | operations |
//! | --- | --- |
//! | [`base`] | parts of slices without a panic, and what else every concern uses |
//! | [`level`] | which vector instructions the processor has, and the choice of a function's body |
//! | `vector` | loads, stores and lanes of the vectors of each level |
//! | [`ascii`] | measuring, copying, widening and narrowing runs of ASCII; [`unshifted`] leaves out shifts |
//! | [`utf8`] | validating and copying UTF-8, and converting UTF-16 to it |
//! | [`utf16`] | validating UTF-16, its two byte orders, and converting UTF-8 to it |
//! | [`latin1`] | converting code points up to U+00FF between one byte each, UTF-8 and UTF-16 |
//! | [`bidi`] | finding right-to-left code points |
//! | [`single_byte`] | decoding one byte per character, given a table of 128 characters |
//! | [`four_bytes`] | sequences of four bytes whose pointers ascend with their code points |
//! | [`double_byte`] | decoding one and two bytes per character, given a table of rows and columns |
//! | [`to_single_byte`] | encoding to one byte per character, given a table of bytes |
//! | [`to_double_byte`] | encoding to one and two bytes per character, given a table of pointers |
//! | [`string`] | destinations into which only UTF-8 can be written; [`short`] text, without a level |
//!
//! A conversion stands with its target; what is decoded from another encoding than a Unicode one stands with that
//! encoding. UTF-16 as bytes stands in [`utf16`] in both directions, because only that module knows byte orders.
//!
//! A folder has the same files as every other: `mod.rs` says what the functions compute and chooses a body; `tables.rs`
//! has the tables that an encoding passes in; `scalar.rs` has the reference, and `v128.rs`, `avx2.rs` and `avx512.rs`
//! have the bodies of the levels; `tests.rs` compares them. A folder beside a file of that name has the parts of it
//! that are long. A concern knows those that stand before it, and none after it (`cargo xtask depcheck`):
//!
//! ```text
//! base ← level ← vector ← ascii ← utf8 ← utf16 ← latin1 ← bidi ←
//! single_byte ← four_bytes ← double_byte ← to_single_byte ← to_double_byte ← string
//! ```
//!
//! # The contract of all conversions
//!
//! A function that returns `(read, written)` converts a prefix of `source` and returns how many items it read from
//! `source` and wrote to `destination`. The function stops before the first malformed sequence, before a sequence that
//! the end of `source` cuts off, and before the first character that does not fit into `destination`. A function that
//! returns a single number reads and writes that many items. Items of `destination` after the last one written may have
//! been overwritten with any value.
//!
//! Each conversion has one body for each [level](level::Level) of vector instructions. All bodies of a conversion
//! return the same result for the same arguments, unless the documentation of the function says otherwise.
//!
//! The words that the comments of this crate use in a sense of their own (*chunk*, *level*, *listed*, *rank*,
//! *restored*, *step*, *unlisted*, *window*) are defined in the glossary of `docs/kernels.md`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(vectors, allow(clippy::incompatible_msrv, reason = "the build script asks for Rust 1.89 for vector code"))]
#![cfg_attr(
    not(vectors = "x86_64"),
    allow(dead_code, reason = "only x86-64 needs every field of tables and every helper")
)]
#[cfg(feature = "alloc")]
extern crate alloc;

pub mod ascii;
pub mod base;
pub mod bidi;
pub mod double_byte;
pub mod four_bytes;
pub mod latin1;
pub mod level;
pub mod single_byte;
pub mod string;
#[cfg(test)]
mod testing;
pub mod to_double_byte;
pub mod to_single_byte;
pub mod utf16;
pub mod utf8;
#[cfg(vectors)]
mod vector;

pub use ascii::unshifted;
pub use base::blocks;
pub use string::short;
