//! The [legacy multi-byte Japanese encodings](https://encoding.spec.whatwg.org/#legacy-multi-byte-japanese-encodings): EUC-JP,
//! ISO-2022-JP and Shift_JIS.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod euc_jp;
mod generated;
mod iso_2022_jp;
mod shift_jis;

use textcodec_core::index::PointerTable;

use generated::jis0208;

pub use euc_jp::EUC_JP;
pub use iso_2022_jp::ISO_2022_JP;
pub use shift_jis::SHIFT_JIS;

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of `code_point` in index jis0208, the lowest one. The
/// generated table has what Shift_JIS wants: where that is in the last rows, another table has the lowest.
fn index_jis0208_pointer(code_point: char) -> Option<u16> {
    match jis0208::POINTERS.index_pointer(code_point)? {
        pointer @ 10716.. => Some(jis0208::LOWEST_POINTERS[usize::from(pointer) - 10716]),
        pointer => Some(pointer),
    }
}

/// The same for the kernel, which asks for the code units whose pointers of Shift_JIS it cannot use.
fn lower_pointer(unit: u16) -> u16 {
    char::from_u32(unit.into()).and_then(index_jis0208_pointer).unwrap_or(PointerTable::NULL)
}
