//! The table of a single-byte encoding.
//!
//! To decode, a byte is an array position. To encode, the code points from U+0000 on are cut into blocks of 128. The first part of
//! `by_code_point` has the start of each block in the second part, in units of eight bytes, and equal parts of blocks overlap:
//!
//! ```text
//! code point U+0159 = block 2, place 0x59
//!
//! first part    block 0 | block 1 | block 2 | …                  one byte for each block
//!                                      │ × 8
//! second part   … ┌──── 128 bytes ─────▼──── 128 bytes …         the byte for each code point, 0x00 if there is none
//!                                      └ + 0x59: 0xF8
//! ```

use textcodec_kernels::single_byte::{self, ByCodePoint, Characters};

/// The [index of a single-byte encoding](https://encoding.spec.whatwg.org/#index-single-byte), in both directions. `T` is an array of
/// bytes. A `static` of this type can be used as a `SingleByteIndex`, without the length of the array; a reference to an array
/// would take 40 bytes more for every encoding.
#[derive(Debug)]
pub struct SingleByteIndex<T: ?Sized = [u8]> {
    /// The code points for the bytes 0x80 to 0xFF. [`NULL`](super::NULL) if there is none.
    pub code_points: Characters,
    /// The numbers of the blocks that texts need most, the most frequent block first. Vector kernels look up code points in them.
    pub windows: [u16; single_byte::WINDOWS],
    /// The number of blocks, which is the length of the first part of `by_code_point`.
    pub blocks: u16,
    /// Bytes by code point, in two parts. The first part has the start of each block in the second part, divided by
    /// [`SingleByteIndex::ALIGN`]; [`SingleByteIndex::NO_BLOCK`] if the block has no bytes. Blocks after the last one have no bytes.
    /// The entry of the first block, which is ASCII's, is not used. The second part has the byte for each code point of a block; 0
    /// if there is none.
    pub by_code_point: T,
}

impl SingleByteIndex {
    /// The table of bytes by code point, for the kernels.
    #[must_use]
    pub const fn by_code_point(&self) -> ByCodePoint<'_> {
        let (blocks, bytes) = match self.by_code_point.split_at_checked(self.blocks as usize) {
            Some(parts) => parts,
            None => (&self.by_code_point, [].as_slice()),
        };
        ByCodePoint { blocks, bytes, windows: &self.windows }
    }

    /// The number of code points in a block.
    pub const BLOCK: usize = single_byte::BLOCK;
    /// The start of each block in the second part is a multiple of this number.
    pub const ALIGN: usize = single_byte::ALIGN;
    /// The entry for a block without bytes.
    pub const NO_BLOCK: u8 = single_byte::NO_BLOCK;

    /// The byte whose [index pointer](https://encoding.spec.whatwg.org/#index-pointer) is that of `code_point`,
    /// 0x80 to 0xFF; `None` if the index does not contain it.
    #[must_use]
    pub fn byte(&self, code_point: char) -> Option<u8> {
        if code_point.is_ascii() { None } else { self.by_code_point().byte(code_point) }
    }
}
