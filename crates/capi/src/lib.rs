//! The C library libtextcodec: `include/textcodec.h` describes every function, and this crate implements them over the
//! crate `textcodec`. Rust programs use that crate.
//!
//! # Unsafe code
//!
//! Every function that has pointers is unsafe, because its caller makes the promises of the chapter POINTERS of
//! `textcodec.h`. The functions only convert arguments and results. Raw pointers become slices and references in
//! the module `pointers`, and nowhere else; the comments `SAFETY` of the functions refer to these promises.
//!
//! No function panics. If one did, the process would abort, because Rust lets no panic leave a function of C.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![allow(non_camel_case_types, reason = "the names of types in C")]
#![allow(clippy::missing_safety_doc, reason = "the promises of a caller stand in textcodec.h")]

mod bom;
mod decoder;
#[cfg(feature = "detect")]
mod detect;
#[cfg(feature = "encode")]
mod encoder;
mod encodings;
#[cfg(not(any(test, feature = "std")))]
mod freestanding;
mod mem;
mod pointers;
#[cfg(feature = "repair")]
mod repair;
#[cfg(feature = "sniff")]
mod sniff;
mod types;

pub use bom::*;
pub use decoder::*;
#[cfg(feature = "detect")]
pub use detect::*;
#[cfg(feature = "encode")]
pub use encoder::*;
pub use encodings::*;
pub use mem::*;
#[cfg(feature = "repair")]
pub use repair::*;
#[cfg(feature = "sniff")]
pub use sniff::*;
pub use types::*;
