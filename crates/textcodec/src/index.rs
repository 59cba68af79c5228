//! [Indexes](https://encoding.spec.whatwg.org/#indexes): the Standard's lists of code points by pointer, and the
//! operations on them under the Standard's names.
//!
//! An [`Index`] is a value: it can be looked up in both directions and iterated. The values and functions of an index
//! are there if the feature of its family is enabled, and a program contains the tables that it uses.
//!
//! ```
//! # #[cfg(all(feature = "cjk-japanese", feature = "single-byte"))] {
//! use textcodec::index::{self, index_code_point, index_pointer, index_shift_jis_pointer};
//!
//! assert_eq!(index_code_point(283, index::JIS0208), Some('あ'));
//! assert_eq!(index_pointer('あ', index::JIS0208), Some(283));
//! // JIS X 0208's extensions contain some characters twice.
//! assert_eq!(index_pointer('纊', index::JIS0208), Some(8272));
//! assert_eq!(index_shift_jis_pointer('纊'), Some(10744));
//!
//! let entries: Vec<(usize, char)> = index::KOI8_R.iter().take(2).collect();
//! assert_eq!(entries, [(0, '─'), (1, '│')]);
//! # }
//! ```

pub use textcodec_core::index::{Entries, Index};

#[cfg(feature = "cjk-chinese")]
pub use textcodec_cjk_chinese::index::*;
#[cfg(feature = "cjk-japanese")]
pub use textcodec_cjk_japanese::index::*;
#[cfg(feature = "cjk-korean")]
pub use textcodec_cjk_korean::index::*;
#[cfg(feature = "single-byte")]
pub use textcodec_single_byte::index::*;

/// The indexes that are enabled: all 34, by default. Naming this list links all of their tables.
pub const ALL: &[Index] = &[
    #[cfg(feature = "cjk-chinese")]
    BIG5,
    #[cfg(feature = "cjk-korean")]
    EUC_KR,
    #[cfg(feature = "cjk-chinese")]
    GB18030,
    #[cfg(feature = "cjk-chinese")]
    GB18030_RANGES,
    #[cfg(feature = "cjk-japanese")]
    JIS0208,
    #[cfg(feature = "cjk-japanese")]
    JIS0212,
    #[cfg(feature = "cjk-japanese")]
    ISO_2022_JP_KATAKANA,
    #[cfg(feature = "single-byte")]
    IBM866,
    #[cfg(feature = "single-byte")]
    ISO_8859_2,
    #[cfg(feature = "single-byte")]
    ISO_8859_3,
    #[cfg(feature = "single-byte")]
    ISO_8859_4,
    #[cfg(feature = "single-byte")]
    ISO_8859_5,
    #[cfg(feature = "single-byte")]
    ISO_8859_6,
    #[cfg(feature = "single-byte")]
    ISO_8859_7,
    #[cfg(feature = "single-byte")]
    ISO_8859_8,
    #[cfg(feature = "single-byte")]
    ISO_8859_10,
    #[cfg(feature = "single-byte")]
    ISO_8859_13,
    #[cfg(feature = "single-byte")]
    ISO_8859_14,
    #[cfg(feature = "single-byte")]
    ISO_8859_15,
    #[cfg(feature = "single-byte")]
    ISO_8859_16,
    #[cfg(feature = "single-byte")]
    KOI8_R,
    #[cfg(feature = "single-byte")]
    KOI8_U,
    #[cfg(feature = "single-byte")]
    MACINTOSH,
    #[cfg(feature = "single-byte")]
    WINDOWS_874,
    #[cfg(feature = "single-byte")]
    WINDOWS_1250,
    #[cfg(feature = "single-byte")]
    WINDOWS_1251,
    #[cfg(feature = "single-byte")]
    WINDOWS_1252,
    #[cfg(feature = "single-byte")]
    WINDOWS_1253,
    #[cfg(feature = "single-byte")]
    WINDOWS_1254,
    #[cfg(feature = "single-byte")]
    WINDOWS_1255,
    #[cfg(feature = "single-byte")]
    WINDOWS_1256,
    #[cfg(feature = "single-byte")]
    WINDOWS_1257,
    #[cfg(feature = "single-byte")]
    WINDOWS_1258,
    #[cfg(feature = "single-byte")]
    X_MAC_CYRILLIC,
];

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point): the code point for `pointer` in `index`;
/// `None` if the index does not contain the pointer.
#[must_use]
pub fn index_code_point(pointer: usize, index: Index) -> Option<char> {
    index.code_point(pointer)
}

/// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer): the first pointer for `code_point` in `index`;
/// `None` if the index does not contain the code point.
#[must_use]
pub fn index_pointer(code_point: char, index: Index) -> Option<usize> {
    index.pointer(code_point)
}
