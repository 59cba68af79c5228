//! Conversions of whole slices of bytes and code units, with vector instructions. This crate is an internal part of
//! [textcodec](https://docs.rs/textcodec): it exists for the encoding crates of that family, and **makes no promise of
//! stability**. Any release may change or remove any item. Programs use `textcodec` instead.
//!
//! This crate knows no encodings, only shapes: runs of ASCII, the three Unicode encodings, and tables that an encoding
//! crate passes in.
//!
//! | module | operations |
//! | --- | --- |
//! | [`ascii`] | measuring, copying, widening and narrowing runs of ASCII |
//! | [`unshifted`] | the same for runs without the control characters that change the character set |
//! | [`latin1`] | converting code points up to U+00FF between one byte each, UTF-8 and UTF-16 |
//! | [`bidi`] | finding right-to-left code points |
//! | [`utf8`] | validating UTF-8, copying it, converting it to UTF-16 |
//! | [`utf16`] | validating UTF-16, byte-swapping it, converting it to UTF-8 |
//! | [`single_byte`] | encodings of one byte per character, given a table of 128 characters |
//! | [`double_byte`] | decoding encodings of one and two bytes per character, given a table of rows and columns |
//! | [`to_double_byte`] | encoding to one and two bytes per character, given a table of pointers |
//! | [`four_bytes`] | the four-byte sequences of gb18030 |
//! | [`level`] | which vector instructions the processor has |
//! | [`short`] | text of a few units, without vectors of a level |
//! | [`string`] | prefixes of bytes as a `str`; destinations into which only UTF-8 can be written |
//! | [`blocks`] | parts of slices, without a panic |
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
#[cfg(all(test, not(target_arch = "wasm32")))]
mod table_tests;
#[cfg(test)]
mod testing;
pub mod to_double_byte;
mod to_single_byte;
pub mod utf16;
pub mod utf8;
#[cfg(vectors)]
mod vector;

pub use ascii::unshifted;
pub use base::blocks;
pub use string::short;
