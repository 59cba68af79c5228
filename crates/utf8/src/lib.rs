//! UTF-8 and replacement, the two encodings that are part of every program.
//!
//! replacement protects from an attack: if a label such as `iso-2022-kr` were unknown, a program would use its fallback
//! encoding, and read an attacker's bytes as ASCII.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod memory;
mod replacement;
mod utf_8;

pub use replacement::REPLACEMENT;
pub use utf_8::UTF_8;
