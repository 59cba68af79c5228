//! The [legacy multi-byte Japanese encodings](https://encoding.spec.whatwg.org/#legacy-multi-byte-japanese-encodings):
//! EUC-JP, ISO-2022-JP and Shift_JIS.
//!
//! [textcodec](https://docs.rs/textcodec) re-exports these encodings, and most programs use it. A program that needs no
//! other family can use this crate with `textcodec-core`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod euc_jp;
#[doc(hidden)]
pub mod for_charsets;
#[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders use some tables"))]
mod generated;
#[cfg(feature = "encode")]
pub mod index;
mod iso_2022_jp;
mod shift_jis;

#[cfg(feature = "encode")]
use textcodec_core::index::PointerTable;
use textcodec_core::index::index_code_point;
use textcodec_kernels::double_byte::NO_ROW;

use generated::jis0208;

pub use euc_jp::EUC_JP;
pub use iso_2022_jp::ISO_2022_JP;
pub use shift_jis::SHIFT_JIS;

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of `code_point` in index jis0208, the first
/// pointer. The generated table has the pointers of *index Shift_JIS pointer*. If such a pointer is in the last rows,
/// the first pointer is among the pointers that Shift_JIS excludes.
#[cfg(feature = "encode")]
fn index_jis0208_pointer(code_point: char) -> Option<u16> {
    // The two pointers of the ten small numerals, of three signs and of all kanji have these distances. All characters
    // from the first of these pointers on have two.
    let distance = |pointer: u16| match pointer {
        ..10716 => 0,
        10716..=10725 => 2082,
        10737..=10739 => 2092,
        _ => 2472,
    };
    jis0208::POINTERS.index_pointer(code_point).map(|pointer| pointer - distance(pointer))
}

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index jis0208.
fn index_jis0208_code_point(pointer: usize) -> Option<char> {
    match *jis0208::ROWS.get(pointer / 188)? {
        NO_ROW => None,
        row => index_code_point(usize::from(row) * 188 + pointer % 188, &jis0208::CODE_POINTS),
    }
}

/// The pointer in EUC-JP's rows for the kernel, which calls this for code units whose Shift_JIS pointers are outside
/// these rows, and for code units without a pointer. U+2212 has the pointer of U+FF0D.
#[cfg(feature = "encode")]
fn lower_pointer(unit: u16) -> u16 {
    let unit = if unit == 0x2212 { 0xFF0D } else { unit };
    char::from_u32(unit.into()).and_then(index_jis0208_pointer).unwrap_or(PointerTable::NULL)
}
