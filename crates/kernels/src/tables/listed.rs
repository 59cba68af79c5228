//! The pointers of code units, for encoding to pairs of bytes.

/// The entry of a list of pointers that stands for no pointer.
pub const NO_POINTER: u16 = 0xFFFF;

/// The pointers of code units. A code unit that has a pointer in this table is *listed*. All listed code units have a
/// number in ascending order, and the pointer of a listed code unit is at that number in a list.
///
/// ```text
/// unit 0x4E8C ─► groups[0x4E] = g ─► blocks[8 × g + (0x8C >> 5)] = { listed: 32 bits, first: n }
///                                      bit 0x8C & 31 is set: the unit is listed
///                                      k bits below it are set: its number is n + k ─► pointers[n + k]
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    groups: &'a [u8; 256],
    blocks: &'a [Block],
    pointers: &'a [u16],
}

/// Which of 32 consecutive code units are listed, in six bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Block {
    /// One bit for each code unit, from the lowest on: whether it is listed.
    listed: [u16; 2],
    /// The number of the first listed code unit in this block or, if the block lists none, in a later block.
    first: u16,
}

impl Block {
    /// A block that lists the code units whose bits are set in `listed`, with numbers from `first` on.
    #[must_use]
    pub const fn new(listed: u32, first: u16) -> Self {
        Block { listed: [listed as u16, (listed >> 16) as u16], first }
    }

    /// One bit for each code unit, from the lowest on: whether it is listed.
    #[inline(always)]
    #[must_use]
    pub const fn listed(self) -> u32 {
        self.listed[0] as u32 | (self.listed[1] as u32) << 16
    }

    /// The number of the first listed code unit in this block or, if the block lists none, in a later block.
    #[inline(always)]
    #[must_use]
    pub const fn first(self) -> u16 {
        self.first
    }

    /// The number of the code unit at place `at` of the block. If this code unit is not listed, the number of the next listed code
    /// unit.
    #[inline(always)]
    const fn number(self, at: u16) -> u16 {
        self.first + (self.listed() & !(!0 << at)).count_ones() as u16
    }
}

impl<'a> Listed<'a> {
    /// The table with these parts:
    ///
    /// * `groups` has an entry for each group of 256 code units: the place of its first block in `blocks`, divided by 8. Groups
    ///   without a listed code unit have the entry 0.
    /// * `blocks` has eight blocks for each group, and one more at the end that lists nothing.
    /// * `pointers` has the pointers of listed code units by their number, and [`NO_POINTER`] at the end.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * The entries of `groups` other than 0 must be 1, 2, 3 and so on.
    /// * `blocks` must have eight blocks for each of these numbers and for 0, and one more. The blocks of group 0 and the last block
    ///   must list nothing. The numbers of each block must continue the numbers of the block before.
    /// * `pointers` must have one entry for each listed code unit, below 0x8000, and [`NO_POINTER`] after them.
    #[must_use]
    pub const fn new(groups: &'a [u8; 256], blocks: &'a [Block], pointers: &'a [u16]) -> Self {
        let number = check_blocks(groups, blocks);
        assert!(pointers.len() == number + 1, "there is not one pointer for each listed code unit");
        assert!(pointers[pointers.len() - 1] == NO_POINTER, "the last pointer is not NO_POINTER");
        // Eight pointers in each round, for the same reason as in `DoubleByte::new`. NO_POINTER ends the rounds.
        let mut rest = pointers;
        while let [
            0..=0x7FFF,
            0..=0x7FFF,
            0..=0x7FFF,
            0..=0x7FFF,
            0..=0x7FFF,
            0..=0x7FFF,
            0..=0x7FFF,
            0..=0x7FFF,
            after @ ..,
        ] = rest
        {
            rest = after;
        }
        let mut at = 0;
        while at < rest.len() - 1 {
            assert!(rest[at] < 0x8000, "a pointer is too great for the division by the number of columns");
            at += 1;
        }
        Listed { groups, blocks, pointers }
    }

    /// For each group of 256 code units, the place of its first block in [`Self::blocks`], divided by 8.
    #[inline(always)]
    #[cfg_attr(not(vectors = "x86_64"), allow(dead_code, reason = "only the vector bodies of x86-64 look groups up"))]
    pub(crate) const fn groups(&self) -> &'a [u8; 256] {
        self.groups
    }

    /// The blocks of all groups, and one more. There are at least nine.
    #[inline(always)]
    #[cfg_attr(not(vectors = "x86_64"), allow(dead_code, reason = "only the vector bodies of x86-64 look blocks up"))]
    pub(crate) const fn blocks(&self) -> &'a [Block] {
        self.blocks
    }

    /// The pointers of listed code units by their number, and [`NO_POINTER`] at the end.
    #[inline(always)]
    pub(crate) const fn pointers(&self) -> &'a [u16] {
        self.pointers
    }

    /// The place in [`Self::blocks`] of the block that `unit` belongs to.
    #[inline(always)]
    fn place(&self, unit: u16) -> usize {
        8 * usize::from(self.groups[usize::from(unit >> 8)]) + usize::from(unit >> 5 & 7)
    }

    /// The block that `unit` belongs to, and the place of `unit` in the block.
    #[inline(always)]
    fn block(&self, unit: u16) -> (Block, u16) {
        (self.blocks[self.place(unit)], unit & 31)
    }

    /// The number of listed code units before `unit`. The result has a meaning only if the group of `unit`, or the group before it,
    /// lists a code unit.
    #[must_use]
    pub fn number(&self, unit: u16) -> u16 {
        let (block, at) = self.block(unit);
        block.number(at)
    }

    /// The pointer of `unit`, or [`NO_POINTER`] if it is not listed.
    #[inline(always)]
    #[must_use]
    pub fn pointer(&self, unit: u16) -> u16 {
        let (block, at) = self.block(unit);
        // 0 if the unit is listed, and otherwise all ones, which turn the pointer into `NO_POINTER`.
        let missing = (block.listed() >> at & 1).wrapping_sub(1) as u16;
        self.pointers.get(usize::from(block.number(at))).copied().unwrap_or(NO_POINTER) | missing
    }
}

/// Checks that `groups` and `blocks` are as [`Listed::new`] says. Returns the number of listed code units.
const fn check_blocks(groups: &[u8; 256], blocks: &[Block]) -> usize {
    let (mut at, mut greatest) = (0, 0);
    while at < 256 {
        if groups[at] != 0 {
            greatest += 1;
            assert!(groups[at] == greatest, "groups are not numbered in ascending order");
        }
        at += 1;
    }
    assert!(blocks.len() == 8 * (greatest as usize + 1) + 1, "each group has eight blocks, and one block follows them");
    let (mut at, mut number) = (0, 0);
    while at < blocks.len() {
        let is_empty = at < 8 || at == blocks.len() - 1;
        assert!(!is_empty || blocks[at].listed() == 0, "the blocks of group 0 and the last block list nothing");
        assert!(
            at == blocks.len() - 1 || blocks[at].first as u32 == number,
            "the numbers of blocks are not consecutive"
        );
        number += blocks[at].listed().count_ones();
        at += 1;
    }
    number as usize
}
