//! Parts of an index: code points of consecutive pointers.

use textcodec_kernels::double_byte::Ascending;

use super::NULL;

/// The code points of some pointers, in pieces with the code points of consecutive pointers. A piece begins with its
/// first pointer and its number of code points:
///
/// ```text
/// 534  3  0386 0388 0389  597  2  0402 0403
/// └─ pointers 534 to 536  └─ pointers 597 and 598
/// ```
#[derive(Debug)]
pub struct Pieces(pub &'static [u16]);

impl Pieces {
    /// The code point of `pointer`. [`NULL`] if there is none.
    #[must_use]
    pub fn code_point(&self, pointer: u16) -> u16 {
        let mut rest = self.0;
        while let [first, count, code_points @ ..] = rest {
            let Some((piece, next)) = code_points.split_at_checked((*count).into()) else { break };
            if let Some(&code_point) = piece.get(usize::from(pointer.wrapping_sub(*first))) {
                return code_point;
            }
            rest = next;
        }
        NULL
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
