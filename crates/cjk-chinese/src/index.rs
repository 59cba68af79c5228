//! The indexes of the Chinese encodings as values, and the operations on them that have names of their own.

use textcodec_core::index::Index;

use crate::{
    big5,
    gb18030::{self, last_to_pointer},
    generated,
};

/// [Index Big5](https://encoding.spec.whatwg.org/#index-big5). Big5's encoder uses [`index_big5_pointer`], not *index
/// pointer*.
pub const BIG5: Index = Index::new("big5", 126 * 157, big5::index_big5_code_point, |code_point| {
    let entry_is_same = |&pointer: &usize| big5::index_big5_code_point(pointer) == Some(code_point);
    // The table of pointers begins with the rows that the encoder uses, and for some code points has the last pointer
    // there.
    let before = (0..FIRST_ENCODED).find(entry_is_same);
    before.or_else(|| {
        let pointer = index_big5_pointer(code_point)?;
        if has_last_pointer(code_point) { (FIRST_ENCODED..=pointer).find(entry_is_same) } else { Some(pointer) }
    })
});

/// The first pointer that Big5's encoder uses.
const FIRST_ENCODED: usize = (0xA1 - 0x81) * 157;

/// Whether *index Big5 pointer* is the last pointer of `code_point` instead of the first one.
const fn has_last_pointer(code_point: char) -> bool {
    matches!(code_point, '\u{2550}' | '\u{255E}' | '\u{2561}' | '\u{256A}' | '\u{5341}' | '\u{5345}')
}

/// [Index gb18030](https://encoding.spec.whatwg.org/#index-gb18030), which gb18030 and GBK use.
pub const GB18030: Index = Index::new(
    "gb18030",
    126 * 190,
    |pointer| generated::gb18030::INDEX.index_code_point(pointer),
    |code_point| generated::gb18030::POINTERS.index_pointer(code_point).map(usize::from),
);

/// [Index gb18030 ranges](https://encoding.spec.whatwg.org/#index-gb18030-ranges), whose entries are the first pointer
/// and the first code point of each range. [`index_gb18030_ranges_code_point`] and [`index_gb18030_ranges_pointer`]
/// look inside the ranges.
pub const GB18030_RANGES: Index = Index::new(
    "gb18030-ranges",
    189_001,
    |pointer| {
        let pointer = u32::try_from(pointer).ok()?;
        let (first, code_point) = last_to_pointer(pointer);
        if first == pointer { char::from_u32(code_point) } else { None }
    },
    |code_point| {
        let pointer = index_gb18030_ranges_pointer(code_point)?;
        (GB18030_RANGES.code_point(pointer) == Some(code_point)).then_some(pointer)
    },
);

/// [Index Big5 pointer](https://encoding.spec.whatwg.org/#index-big5-pointer) for `code_point`: a pointer in index Big5
/// without the pointers less than 5024. The result is the last pointer for U+2550, U+255E, U+2561, U+256A, U+5341 and
/// U+5345, and the first one for all others; `None` if there is none.
#[must_use]
pub fn index_big5_pointer(code_point: char) -> Option<usize> {
    generated::big5::POINTERS.index_pointer(code_point).map(usize::from)
}

/// [Index gb18030 ranges code point](https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point) for `pointer`;
/// `None` if no range contains the pointer.
#[must_use]
pub fn index_gb18030_ranges_code_point(pointer: usize) -> Option<char> {
    gb18030::index_gb18030_ranges_code_point(u32::try_from(pointer).ok()?)
}

/// [Index gb18030 ranges pointer](https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer) for `code_point`;
/// `None` below U+0080, the first code point of the index.
///
/// The Standard asks only about code points that index gb18030 does not contain. For any other code point, the result
/// is computed from the range before it and has no meaning.
#[must_use]
pub fn index_gb18030_ranges_pointer(code_point: char) -> Option<usize> {
    (!code_point.is_ascii()).then(|| gb18030::index_gb18030_ranges_pointer(code_point) as usize)
}

#[cfg(test)]
mod tests {
    use textcodec_core::testing::check_digests;

    use crate::generated::{big5, gb18030, gb18030_ranges};

    /// No conversion reads some entries. A new version of an index changes the digests.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        check_digests(&[
            (&big5::CODE_POINTS, 0xADA6DB8629706750),
            (&big5::PLANE_2, 0x0B45A4CA86F34606),
            (&big5::PLANE_2_FIRSTS, 0xB6F095943C6804EF),
            (&big5::GROUPS, 0x8F7EF3BD1A0F7625),
            (&big5::BLOCKS, 0xA0BC9407E59F0954),
            (&big5::POINTERS, 0xCA58436374A33522),
            (&gb18030::INDEX, 0xDFDACC5143B7C0E7),
            (&gb18030::GROUPS, 0x36931BBDBBF87EC9),
            (&gb18030::BLOCKS, 0x37B60D994F0D1FF4),
            (&gb18030::POINTERS, 0x625CF462F4314B62),
            (&gb18030_ranges::RANGES, 0x8299202645F39F12),
        ]);
    }
}
