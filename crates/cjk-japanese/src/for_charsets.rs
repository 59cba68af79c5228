//! Tables for charsets that are like the Japanese encodings. Not a part of the public interface.

use textcodec_core::convert::Pairs;
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::ToDoubleByte;

/// The tables of EUC-JP for the kernel.
pub static EUC_JP: &Pairs = &crate::euc_jp::PAIRS;
/// The tables of Shift_JIS for the kernel.
pub static SHIFT_JIS: &Pairs = &crate::shift_jis::PAIRS;
/// The characters of EUC-JP's encoder for the kernel.
#[cfg(feature = "encode")]
pub static TO_EUC_JP: &ToDoubleByte<'static> = &crate::euc_jp::CHARACTERS;
/// The characters of Shift_JIS's encoder for the kernel.
#[cfg(feature = "encode")]
pub static TO_SHIFT_JIS: &ToDoubleByte<'static> = &crate::shift_jis::CHARACTERS;

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index jis0208.
#[must_use]
pub fn jis0208_code_point(pointer: u16) -> Option<char> {
    crate::index_jis0208_code_point(pointer.into())
}

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index jis0212.
#[must_use]
pub fn jis0212_code_point(pointer: u16) -> Option<char> {
    if pointer < 94 * 94 { crate::euc_jp::index_jis0212_code_point(pointer.into()) } else { None }
}

/// [Index Shift_JIS pointer](https://encoding.spec.whatwg.org/#index-shift_jis-pointer) for `code_point`.
#[cfg(feature = "encode")]
#[must_use]
pub fn shift_jis_pointer(code_point: char) -> Option<u16> {
    crate::shift_jis::index_shift_jis_pointer(code_point)
}

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) for `code_point` in index jis0208.
#[cfg(feature = "encode")]
#[must_use]
pub fn jis0208_pointer(code_point: char) -> Option<u16> {
    crate::index_jis0208_pointer(code_point)
}
