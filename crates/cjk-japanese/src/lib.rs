//! The [legacy multi-byte Japanese encodings](https://encoding.spec.whatwg.org/#legacy-multi-byte-japanese-encodings): EUC-JP,
//! ISO-2022-JP and Shift_JIS.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod euc_jp;
mod generated;
mod iso_2022_jp;
mod shift_jis;

pub use euc_jp::EUC_JP;
pub use iso_2022_jp::ISO_2022_JP;
pub use shift_jis::SHIFT_JIS;
