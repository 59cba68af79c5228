//! Bulk operations on bytes and code units: slices in, counts out. This crate knows no encodings.
//!
//! | module | is about |
//! | --- | --- |
//! | [`ascii`] | runs of ASCII: their length, copying, widening, narrowing |
//! | [`latin1`] | code points up to U+00FF, one byte each |
//! | [`utf8`] | validation, and UTF-8 into UTF-16 |
//! | [`utf16`] | validation, byte order, and UTF-16 into UTF-8 |
//! | [`single_byte`], [`double_byte`] | tables of 128 characters, and of many |
//! | [`four_bytes`] | sequences that count up |
//! | [`level`] | what the processor has |
//! | [`string`] | writing into a `str` or `String` in place |
//!
//! A function that returns `(read, written)` converts a prefix: it stops before what is malformed, before what `source` cuts
//! off, and before the end of `destination` if the next character does not fit. What lies in `destination` behind what was
//! written may have been overwritten.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64;
pub mod ascii;
pub mod blocks;
pub mod double_byte;
pub mod four_bytes;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
mod kept;
pub mod latin1;
pub mod level;
mod scalar;
pub mod single_byte;
pub mod string;
#[cfg(test)]
mod tests;
pub mod to_double_byte;
pub mod utf16;
pub mod utf8;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
mod utf8_pairs;
#[cfg(target_arch = "x86_64")]
mod x86_64;
