//! The [legacy multi-byte Korean encoding](https://encoding.spec.whatwg.org/#legacy-multi-byte-korean-encodings):
//! EUC-KR.
//!
//! [textcodec](https://docs.rs/textcodec) re-exports these encodings, and most programs use it. A program that needs no
//! other family can use this crate with `textcodec-core`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod euc_kr;
#[doc(hidden)]
pub mod for_charsets;
#[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders use some tables"))]
mod generated;
#[cfg(feature = "encode")]
pub mod index;

pub use euc_kr::EUC_KR;
