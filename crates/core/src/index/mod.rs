//! [Indexes](https://encoding.spec.whatwg.org/#indexes): the shapes of the generated tables, and the Standard's two
//! operations on them. The tables belong to the crates of the encodings.
//!
//! | shape | indexes |
//! | --- | --- |
//! | [`Characters`], [`ByteTable`] | the indexes of single-byte encodings: code points by byte, bytes by code point |
//! | [`Pages`] | single-byte charsets that the Standard does not have |
//! | an array of code points | index Big5, index jis0208, index ISO-2022-JP katakana |
//! | [`SquareIndex`] | index gb18030, index EUC-KR |
//! | [`Pieces`], [`NearlyAscending`] | index jis0212 |
//! | [`PointerTable`] | pointers by code point, for all indexes of pairs that an encoder uses |

mod page;
mod pieces;
mod pointer_table;
mod square;
#[cfg(feature = "encode")]
mod value;

pub use page::{PageFacts, PageUnits, Pages, Patch, Root};
pub use pieces::{NearlyAscending, Pieces};
pub use pointer_table::{PointerTable, Stretch};
pub use square::SquareIndex;
pub use textcodec_kernels::{
    double_byte::{Ascending, Rules},
    single_byte::Characters,
    to_double_byte::{Block, Divisor, Listed, Run},
    to_single_byte::ByteTable,
};
#[cfg(feature = "encode")]
pub use value::{Entries, Index};

/// The entry in a table of code points where the index has none. No index contains U+FFFD.
pub const NULL: u16 = textcodec_kernels::single_byte::NULL;

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in `index`, an array with the
/// code point of each pointer. `None` if the index has no entry.
#[must_use]
pub const fn index_code_point(pointer: usize, index: &[u16]) -> Option<char> {
    if pointer >= index.len() || index[pointer] == NULL {
        return None;
    }
    char::from_u32(index[pointer] as u32)
}
