//! UTF-8 and replacement, the two encodings that a program always has.
//!
//! replacement is here because it protects: a label such as `iso-2022-kr` that found no encoding and fell through to a
//! fallback would let an attacker's bytes be read as ASCII.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod replacement;
mod utf_8;

pub use replacement::REPLACEMENT;
pub use utf_8::UTF_8;
