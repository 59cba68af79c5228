//! Parts of an index: code points of consecutive pointers.
//!
//! Nearly ascending code points take about nine bits each instead of 16:
//!
//! ```text
//! code points   4E02 4E04 4E05 … 4E1F │ 4E21 4E23 … 9F01 …
//! least         4E02                  │ 4E21                     one for 16 pointers
//! more            00   02   03 …   1D │   00   02 …   FF …       one byte for each pointer
//! far                                              (pointer, 9F01)
//! ```

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

/// The code points of consecutive pointers, most of which ascend, so that 16 neighbours mostly are close to each other.
#[derive(Debug)]
pub struct NearlyAscending {
    /// The first pointer.
    pub first: u16,
    /// The least code point of each group of 16 consecutive pointers.
    pub least: &'static [u16],
    /// For each pointer the difference between its code point and the least one; [`Self::FAR`] if the difference is too large.
    pub more: &'static [u8],
    /// The pointers whose code points are too far from the least one, ascending, and their code points.
    pub far: &'static [(u16, u16)],
}

impl NearlyAscending {
    /// The entry of [`Self::more`] for a code point in [`Self::far`].
    pub const FAR: u8 = 0xFF;

    /// The code point of `pointer`. [`NULL`] if there is none.
    #[must_use]
    pub fn code_point(&self, pointer: u16) -> u16 {
        let place = usize::from(pointer.wrapping_sub(self.first));
        match self.more.get(place) {
            None => NULL,
            Some(&Self::FAR) => {
                self.far.binary_search_by_key(&pointer, |entry| entry.0).map_or(NULL, |place| self.far[place].1)
            }
            Some(&more) => self.least[place / 16] + u16::from(more),
        }
    }
}
