//! The [simplified](https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(simplified)-encodings) and
//! [traditional](https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(traditional)-encodings) Chinese
//! encodings: GBK, gb18030 and Big5.
//!
//! [textcodec](https://docs.rs/textcodec) re-exports these encodings, and most programs use it. A program that needs no
//! other family can use this crate with `textcodec-core`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod big5;
#[doc(hidden)]
pub mod for_charsets;
mod gb18030;
#[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders use some tables"))]
mod generated;
#[cfg(feature = "encode")]
pub mod index;

pub use big5::BIG5;
pub use gb18030::{GB18030, GBK};
