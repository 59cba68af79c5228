//! The indexes of the Japanese encodings as values, and *index Shift_JIS pointer*.

use textcodec_core::index::{Index, index_code_point};

use crate::{euc_jp, generated::iso_2022_jp_katakana, index_jis0208_code_point, index_jis0208_pointer, shift_jis};

/// [Index jis0208](https://encoding.spec.whatwg.org/#index-jis0208), which EUC-JP, ISO-2022-JP and Shift_JIS use.
pub const JIS0208: Index = Index::new("jis0208", 60 * 188, index_jis0208_code_point, |code_point| {
    index_jis0208_pointer(code_point).map(usize::from)
});

/// [Index jis0212](https://encoding.spec.whatwg.org/#index-jis0212), which only EUC-JP's decoder uses. No encoder needs
/// its pointers, so there is no table of them: [`Index::pointer`] looks at all entries.
pub const JIS0212: Index = Index::new("jis0212", JIS0212_END, jis0212_code_point, |code_point| {
    (0..JIS0212_END).find(|&pointer| jis0212_code_point(pointer) == Some(code_point))
});

const JIS0212_END: usize = 94 * 94;

fn jis0212_code_point(pointer: usize) -> Option<char> {
    if pointer < JIS0212_END { euc_jp::index_jis0212_code_point(pointer) } else { None }
}

/// [Index ISO-2022-JP katakana](https://encoding.spec.whatwg.org/#index-iso-2022-jp-katakana): the full-width katakana
/// that ISO-2022-JP's encoder writes in place of half-width katakana.
pub const ISO_2022_JP_KATAKANA: Index = Index::new("iso-2022-jp-katakana", 63, katakana_code_point, |code_point| {
    (0..63).find(|&pointer| katakana_code_point(pointer) == Some(code_point))
});

fn katakana_code_point(pointer: usize) -> Option<char> {
    index_code_point(pointer, &iso_2022_jp_katakana::CODE_POINTS)
}

/// [Index Shift_JIS pointer](https://encoding.spec.whatwg.org/#index-shift_jis-pointer) for `code_point`: its first
/// pointer in index jis0208 without the pointers 8272 to 8835; `None` if there is none.
#[must_use]
pub fn index_shift_jis_pointer(code_point: char) -> Option<usize> {
    shift_jis::index_shift_jis_pointer(code_point).map(usize::from)
}
