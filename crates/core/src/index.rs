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
///
/// The code points are in blocks, the blocks in groups. A block says which of its code points are *listed*, and the
/// number of the first of them. The pointers of listed code points are in a list, by number, so that code points without
/// a pointer take one bit. Where pointers ascend with their code points, a [`Stretch`] has a rule instead of the list.
#[derive(Debug)]
pub struct PointerTable {
    /// For each group of [`Self::GROUP`] blocks from U+0000 on, where it starts in `blocks`, in groups.
    /// Code points past the last group are not in the index.
    pub groups: &'static [u8],
    /// The blocks, group by group.
    pub blocks: &'static [Block],
    /// Pointers by the number of the code point among those listed. Numbers from the length of this list on are of
    /// stretches that have rules for their listed code points.
    pub pointers: &'static [u16],
    /// Where there are rules. Stretches do not overlap.
    pub stretches: &'static [Stretch],
}

/// Some code points of a [`PointerTable`] in a row, 16 of them.
#[derive(Debug)]
pub struct Block {
    /// One bit per code point, from the lowest on: whether it is listed.
    listed: u16,
    /// The number of the first listed code point.
    first: u16,
}

/// Code points in a row, all of which are in the index, listed or not. The pointers of those not listed ascend with them.
#[derive(Debug)]
pub struct Stretch {
    /// The first code point.
    pub first: u32,
    /// The last code point.
    pub last: u32,
    /// The number of its first listed code point.
    pub first_listed: u16,
    /// Where the pointers of its listed code points are, if they ascend as well, too; otherwise empty.
    pub listed: &'static [Area],
    /// Where the pointers of the other code points are.
    pub others: &'static [Area],
}

/// A part of a table in rows and columns: the same columns of some rows.
#[derive(Debug)]
pub struct Area {
    /// How many pointers there are at most.
    pub count: u16,
    /// The first pointer.
    pub first: u16,
    /// How many pointers one row has.
    pub columns: u16,
    /// Where in a row pointers are left out: for each gap the number of columns before it, gaps apart, and its width.
    pub gaps: [(u16, u16); 2],
}

impl Block {
    /// Code points in a block.
    pub const LENGTH: usize = 16;

    /// A block in which the code points of the bits in `listed` have numbers from `first` on.
    #[must_use]
    pub const fn new(listed: u16, first: u16) -> Self {
        Block { listed, first }
    }
}

impl Area {
    /// The distance of a row to the next.
    pub const ROW: u16 = 190;

    /// The pointer of this `number` in the first of `areas` that has so many; `None` if none has.
    #[inline]
    const fn pointer(areas: &[Self], mut number: u16) -> Option<u16> {
        let mut at = 0;
        while at < areas.len() {
            let area = &areas[at];
            if number < area.count {
                let (row, place) = (number / area.columns, number % area.columns);
                let [first, second] = area.gaps;
                let gaps = (if place < first.0 { 0 } else { first.1 }) + (if place < second.0 { 0 } else { second.1 });
                return Some(area.first + row * Self::ROW + place + gaps);
            }
            number -= area.count;
            at += 1;
        }
        None
    }
}

impl PointerTable {
    /// Blocks in a group.
    pub const GROUP: usize = 16;
    /// What stands for no pointer in other tables. No index has so many pointers.
    pub const NULL: u16 = 0xFFFF;

    /// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of `code_point`, the lowest one;
    /// `None` if the index does not contain it.
    #[inline]
    #[must_use]
    pub const fn index_pointer(&self, code_point: char) -> Option<u16> {
        let block = code_point as usize / Block::LENGTH;
        if block / Self::GROUP >= self.groups.len() {
            return None;
        }
        let block = &self.blocks[self.groups[block / Self::GROUP] as usize * Self::GROUP + block % Self::GROUP];
        let bit = 1 << (code_point as usize % Block::LENGTH);
        let is_listed = block.listed & bit != 0;
        // If it is not listed: the number that the next one has.
        let number = block.first + count_ones(block.listed & (bit - 1));

        let mut at = 0;
        while at < self.stretches.len() {
            let stretch = &self.stretches[at];
            if stretch.first <= code_point as u32 && code_point as u32 <= stretch.last {
                let before = number - stretch.first_listed;
                if !is_listed {
                    return Area::pointer(stretch.others, (code_point as u32 - stretch.first) as u16 - before);
                }
                if !stretch.listed.is_empty() {
                    return Area::pointer(stretch.listed, before);
                }
            }
            at += 1;
        }
        if is_listed { Some(self.pointers[number as usize]) } else { None }
    }
}

/// How many ones `bits` has, whose highest must be zero. Few processors that the program may run on have no instruction for
/// it, but it must do for all of them, and for so few bits this is faster than the general way.
const fn count_ones(bits: u16) -> u16 {
    // Four copies, one after the other, of which every fourth bit remains: each bit once, alone in four. Then their sum.
    let spread = (bits as u64).wrapping_mul(0x2000_4000_8001) & 0x1111_1111_1111_1111;
    (spread.wrapping_mul(0x1111_1111_1111_1111) >> 60) as u16
}
