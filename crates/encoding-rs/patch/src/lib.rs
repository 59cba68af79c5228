//! `textcodec-encoding-rs` under the name of encoding_rs, for `[patch.crates-io]`; see the README of that package.
#![no_std]

pub use textcodec_encoding_rs::*;
