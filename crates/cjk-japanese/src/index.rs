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

#[cfg(test)]
mod tests {
    use textcodec_core::testing::check_digests;

    use super::JIS0208;
    use crate::generated::{iso_2022_jp_katakana, jis0208, jis0212};

    /// The table has the pointers of Shift_JIS, which excludes some rows.
    #[test]
    fn the_pointer_of_each_character_of_index_jis0208_is_its_first_one() {
        let code_points: [Option<char>; 60 * 188] = core::array::from_fn(|pointer| JIS0208.code_point(pointer));
        // Other pointers of characters.
        let mut copies = 0;
        for (pointer, code_point) in code_points.iter().enumerate() {
            let Some(code_point) = *code_point else { continue };
            let first = JIS0208.pointer(code_point);
            assert_eq!(first, code_points.iter().position(|other| *other == Some(code_point)), "{pointer}");
            copies += usize::from(first != Some(pointer));
        }
        assert_eq!(copies, 398);
    }

    /// No conversion reads some entries. A new version of an index changes the digests.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        check_digests(&[
            (&iso_2022_jp_katakana::CODE_POINTS, 0xD86D10264AC125B5),
            (&jis0208::ROWS, 0xF54866A174F5E014),
            (&jis0208::CODE_POINTS, 0xA30538F83A5F6BB3),
            (&jis0208::GROUPS, 0x419A56D0072DD1E7),
            (&jis0208::BLOCKS, 0x300239515097A04C),
            (&jis0208::POINTERS, 0xA24AFEB7A75A0C6F),
            (&jis0212::PIECES, 0xA66A91E0C8BD5F34),
            (&jis0212::KANJI, 0xD15B889EC404B161),
        ]);
    }
}
