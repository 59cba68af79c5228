//! The [legacy multi-byte Korean encoding](https://encoding.spec.whatwg.org/#legacy-multi-byte-korean-encodings): EUC-KR.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod euc_kr;
mod generated;
pub mod index;

pub use euc_kr::EUC_KR;
