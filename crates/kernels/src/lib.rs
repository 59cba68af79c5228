//! Bulk operations on bytes and code units: slices in, counts out. This crate knows no encodings.
//!
//! [`scalar`] is the reference: plain Rust that every other level must equal on every input.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#[cfg(feature = "alloc")]
extern crate alloc;

pub mod scalar;
#[cfg(feature = "alloc")]
pub mod string;

pub use scalar::ascii_prefix_length;
