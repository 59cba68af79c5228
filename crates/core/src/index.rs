//! [Indexes](https://encoding.spec.whatwg.org/#indexes): the shapes of the generated tables and the two operations
//! on them. The tables themselves belong to the encodings' crates.

use textcodec_kernels::single_byte::ByCodePoint;

/// What stands in a table of code points where the index has no entry. No index contains U+FFFD.
pub const NULL: u16 = textcodec_kernels::single_byte::NULL;

/// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer` in `index`, a table whose
/// position is the pointer; `None` where the index has no entry.
#[must_use]
pub const fn index_code_point(pointer: usize, index: &[u16]) -> Option<char> {
    if pointer >= index.len() || index[pointer] == NULL {
        return None;
    }
    char::from_u32(index[pointer] as u32)
}

/// The [index of a single-byte encoding](https://encoding.spec.whatwg.org/#index-single-byte), in both directions.
#[derive(Debug)]
pub struct SingleByteIndex {
    /// The code points for the bytes 0x80 to 0xFF; [`NULL`] where there is none.
    pub code_points: [u16; 128],
    /// For each block of [`Self::BLOCK`] code points from U+0000 on, where it starts in `bytes`, divided by [`Self::ALIGN`].
    /// Code points past the last block are not in the index.
    pub blocks: &'static [u8],
    /// Bytes by code point within a block; 0 where there is none. ASCII is not in the index.
    pub bytes: &'static [u8],
    /// The numbers of the four blocks that have the most entries: what a vector kernel looks code points up in.
    pub windows: [u16; 4],
}

impl SingleByteIndex {
    /// The way back from code points to bytes, for the kernels.
    #[must_use]
    pub const fn by_code_point(&self) -> ByCodePoint<'_> {
        ByCodePoint { blocks: self.blocks, bytes: self.bytes, windows: &self.windows }
    }

    /// Code points in a block.
    pub const BLOCK: usize = textcodec_kernels::single_byte::BLOCK;
    /// Blocks start at multiples of this.
    pub const ALIGN: usize = textcodec_kernels::single_byte::ALIGN;

    /// The byte whose [index pointer](https://encoding.spec.whatwg.org/#index-pointer) is that of `code_point`,
    /// 0x80 to 0xFF; `None` if the index does not contain it.
    #[must_use]
    pub const fn byte(&self, code_point: char) -> Option<u8> {
        let block = code_point as usize / Self::BLOCK;
        if block >= self.blocks.len() {
            return None;
        }
        let start = self.blocks[block] as usize * Self::ALIGN;
        match self.bytes[start + code_point as usize % Self::BLOCK] {
            0 => None,
            byte => Some(byte),
        }
    }
}

/// The way back from code points to pointers of an index with many entries.
#[derive(Debug)]
pub struct PointerTable {
    /// For each block of [`Self::BLOCK`] code points from U+0000 on, where it starts in `pointers`.
    /// Code points past the last block are not in the index.
    pub blocks: &'static [u16],
    /// Pointers by code point within a block; [`Self::NULL`] where there is none.
    pub pointers: &'static [u16],
}

impl PointerTable {
    /// Code points in a block.
    pub const BLOCK: usize = 32;
    /// What stands where the index does not contain the code point. No index has so many pointers.
    pub const NULL: u16 = 0xFFFF;

    /// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of `code_point`, the lowest one;
    /// `None` if the index does not contain it.
    #[must_use]
    pub const fn index_pointer(&self, code_point: char) -> Option<u16> {
        let block = code_point as usize / Self::BLOCK;
        if block >= self.blocks.len() {
            return None;
        }
        let start = self.blocks[block] as usize;
        match self.pointers[start + code_point as usize % Self::BLOCK] {
            Self::NULL => None,
            pointer => Some(pointer),
        }
    }
}
