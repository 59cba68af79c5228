//! UTF-16BE and UTF-16LE.
//!
//! The Standard only decodes UTF-16, and encodes into UTF-8 instead. For other uses, this crate also has functions that
//! write UTF-16.
//!
//! [textcodec](https://docs.rs/textcodec) re-exports these encodings, and most programs use it. A program that needs no
//! other family can use this crate with `textcodec-core`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#[cfg(all(feature = "alloc", feature = "encode"))]
extern crate alloc;

#[cfg(feature = "encode")]
mod encode;
mod utf_16;

#[cfg(all(feature = "alloc", feature = "encode"))]
pub use encode::{encode_be, encode_be_with_bom, encode_le, encode_le_with_bom};
#[cfg(feature = "encode")]
pub use encode::{encode_be_into, encode_le_into};
pub use utf_16::{UTF_16BE, UTF_16LE};
