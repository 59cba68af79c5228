//! Parts of an index: code points of consecutive pointers.

use textcodec_kernels::double_byte::Ascending;

use super::NULL;

/// The code points of consecutive pointers.
#[derive(Debug)]
pub struct Piece {
    /// The first pointer.
    pub first: u16,
    /// The code points of the first pointer and the pointers after it. [`NULL`] if there is none.
    pub code_points: &'static [u16],
}

impl Piece {
    /// The code point of `pointer` in `pieces`, whose first pointers ascend. [`NULL`] if there is none.
    #[must_use]
    pub fn code_point(pieces: &[Piece], pointer: u16) -> u16 {
        let piece = &pieces[..pieces.partition_point(|piece| piece.first <= pointer)].last();
        piece.and_then(|piece| piece.code_points.get(usize::from(pointer - piece.first)).copied()).unwrap_or(NULL)
    }
}

/// The code points of consecutive pointers. Most of the code points ascend with their pointers, and take three or four
/// bits each instead of 16. The others are listed with their pointers:
///
/// ```text
/// pointers      1410 1411 1412 1413 …
/// code points   4E02 4E04 9F01 4E05 …
/// ascending     4E02 4E04      4E05 …     ranks 0, 1, 2 …
/// others                  9F01
/// ```
#[derive(Debug)]
pub struct NearlyAscending {
    /// The first pointer.
    pub first: u16,
    /// The code points that ascend.
    pub ascending: Ascending<'static>,
    /// The other pointers, ascending, and their code points.
    pub others: &'static [(u16, u16)],
}

impl NearlyAscending {
    /// The code point of `pointer`. [`NULL`] if there is none.
    #[must_use]
    pub fn code_point(&self, pointer: u16) -> u16 {
        match self.others.binary_search_by_key(&pointer, |entry| entry.0) {
            Ok(place) => self.others[place].1,
            // `before` other pointers come before this one, and have no rank.
            Err(before) => self.ascending.nth(pointer.wrapping_sub(self.first + before as u16)).unwrap_or(NULL),
        }
    }
}
