//! Tables for charsets that are like the Chinese encodings. Not a part of the public interface.

use textcodec_core::convert::Pairs;
#[cfg(feature = "encode")]
use textcodec_kernels::to_double_byte::ToDoubleByte;

pub use crate::gb18030::index_gb18030_ranges_code_point as ranges_code_point;
#[cfg(feature = "encode")]
pub use crate::gb18030::index_gb18030_ranges_pointer as ranges_pointer;
use crate::generated;

/// The tables of Big5 for the kernel.
pub static BIG5: &Pairs = &crate::big5::PAIRS;
/// The tables of gb18030 for the kernel.
pub static GB18030: &Pairs = &crate::gb18030::PAIRS;
/// The characters of Big5's encoder for the kernel.
#[cfg(feature = "encode")]
pub static TO_BIG5: &ToDoubleByte<'static> = &crate::big5::CHARACTERS;
/// The characters of gb18030's encoder with pairs, for the kernel.
#[cfg(feature = "encode")]
pub static TO_GB18030: &ToDoubleByte<'static> = &crate::gb18030::PAIRS_AND_ASCII;

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index Big5.
#[must_use]
pub fn big5_code_point(pointer: u16) -> Option<char> {
    crate::big5::index_big5_code_point(pointer.into())
}

/// [Index Big5 pointer](https://encoding.spec.whatwg.org/#index-big5-pointer) for `code_point`.
#[cfg(feature = "encode")]
#[must_use]
pub fn big5_pointer(code_point: char) -> Option<u16> {
    generated::big5::POINTERS.index_pointer(code_point)
}

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in index gb18030.
#[must_use]
pub fn gb18030_code_point(pointer: u16) -> Option<char> {
    generated::gb18030::INDEX.index_code_point(pointer.into())
}

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) for `code_point` in index gb18030.
#[cfg(feature = "encode")]
#[must_use]
pub fn gb18030_pointer(code_point: char) -> Option<u16> {
    generated::gb18030::POINTERS.index_pointer(code_point)
}
