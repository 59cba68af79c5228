//! Tables for charsets that are like EUC-KR. Not a part of the public interface.

use textcodec_core::convert::Pairs;
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::ToDoubleByte;

use crate::generated::euc_kr;

/// The tables of EUC-KR for the kernel.
pub static EUC_KR: &Pairs = &crate::euc_kr::PAIRS;
/// The characters of EUC-KR's encoder for the kernel.
#[cfg(feature = "encode")]
pub static TO_EUC_KR: &ToDoubleByte<'static> = &crate::euc_kr::CHARACTERS;

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index EUC-KR.
#[must_use]
pub fn code_point(pointer: u16) -> Option<char> {
    euc_kr::INDEX.index_code_point(pointer.into())
}

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) for `code_point` in index EUC-KR.
#[cfg(feature = "encode")]
#[must_use]
pub fn pointer(code_point: char) -> Option<u16> {
    euc_kr::POINTERS.index_pointer(code_point)
}
