//! The pointers of code units, for encoding to pairs of bytes.

use super::Divisor;
use crate::base::getters;

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
    run: Run,
}

/// Listed code units that have no entry in the list of pointers, because their pointers follow from their numbers: the
/// pointers ascend through the same columns of consecutive rows, as those of the syllables in KS X 1001 do.
///
/// The numbers of a run are greater than all pointers. So a kernel can take them for pointers until it computes bytes.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    first: u16,
    first_pointer: u16,
    columns: Divisor,
    skipped: u16,
}

impl Run {
    /// No code units.
    pub const NONE: Self = Run { first: NO_POINTER, first_pointer: 0, columns: Divisor::new(94), skipped: 0 };

    /// The numbers from `first` on. The first number has the pointer `first_pointer`. `columns` numbers have
    /// consecutive pointers, and then `skipped` pointers belong to no number of the run.
    #[must_use]
    pub const fn new(first: u16, first_pointer: u16, columns: Divisor, skipped: u16) -> Self {
        Run { first, first_pointer, columns, skipped }
    }

    /// Whether there are no code units.
    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.first == NO_POINTER
    }

    getters! {
        /// The first number.
        pub(crate) first: u16;

        /// The pointer of the first number.
        pub(crate) first_pointer: u16;

        /// How many numbers have consecutive pointers.
        pub(crate) columns: Divisor;

        /// How many pointers are skipped after each row.
        pub(crate) skipped: u16;
    }

    /// The pointer of `number`; any lesser number is a pointer itself, and so is [`NO_POINTER`].
    #[inline(always)]
    const fn pointer(&self, number: u16) -> u16 {
        if number < self.first || number == NO_POINTER {
            return number;
        }
        let distance = number - self.first;
        self.first_pointer + distance + self.columns.divide(distance).0 * self.skipped
    }
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
    /// A block that lists nothing.
    const NONE: Self = Block::new(0, 0);

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

    /// The number of the code unit at place `at` of the block. If this code unit is not listed, the number of the next
    /// listed code unit.
    #[inline(always)]
    const fn number(self, at: u16) -> u16 {
        self.first + (self.listed() & !(!0 << at)).count_ones() as u16
    }
}

impl<'a> Listed<'a> {
    /// The table with these parts:
    ///
    /// * `groups` has an entry for each group of 256 code units: the place of its first block in `blocks`, divided by
    ///   8. Groups without a listed code unit have the entry 0.
    /// * `blocks` has eight blocks for each group, and one more at the end that lists nothing.
    /// * `pointers` has the pointers of listed code units by their number, and [`NO_POINTER`] at the end.
    /// * `run` has the listed code units whose pointers are not in `pointers`.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * The entries of `groups` other than 0 must be 1, 2, 3 and so on.
    /// * `blocks` must have eight blocks for each of these numbers and for 0, and one more. The blocks of group 0 and
    ///   the last block must list nothing. The numbers of each block must continue the numbers of the blocks before:
    ///   those from the first number of `run` on continue the run, and all others continue the list.
    /// * The code unit 0xFFFF, which is no character, must not be listed.
    /// * `pointers` must have one entry for each listed code unit that is not in `run`, below 0x8000 and below the
    ///   first number of `run`, and [`NO_POINTER`] after them.
    /// * The numbers and the pointers of `run` must be below 0x8000, and its numbers must be greater than the number of
    ///   entries in `pointers`.
    #[must_use]
    pub const fn new(groups: &'a [u8; 256], blocks: &'a [Block], pointers: &'a [u16], run: Run) -> Self {
        let (number, end_of_run) = check_blocks(groups, blocks, run.first);
        assert!(blocks[8 * groups[255] as usize + 7].listed() >> 31 == 0, "the code unit 0xFFFF is listed");
        assert!(pointers.len() == number + 1, "there is not one pointer for each listed code unit");
        assert!(pointers[pointers.len() - 1] == NO_POINTER, "the last pointer is not NO_POINTER");
        let (list, _) = pointers.split_at(pointers.len() - 1);
        assert!(are_below(list, 0x8000), "a pointer is too great for the division by the number of columns");
        assert!(are_below(list, run.first as u32), "a pointer is a number of the run");
        if !run.is_empty() {
            assert!(pointers.len() <= run.first as usize, "a number of the run is a place in the list");
            assert!(
                run.first < end_of_run && end_of_run <= 0x8000,
                "a run has no numbers, or numbers that are too great for the division by the number of columns"
            );
            let distance = end_of_run - 1 - run.first;
            let last =
                run.first_pointer as u32 + distance as u32 + run.columns.divide(distance).0 as u32 * run.skipped as u32;
            assert!(last < run.first as u32, "a pointer of the run is a number of the run");
        }
        Listed { groups, blocks, pointers, run }
    }

    getters! {
        /// For each group of 256 code units, the place of its first block in [`Self::blocks`], divided by 8.
        pub(crate) groups: &'a [u8; 256];

        /// The blocks of all groups, and one more. There are at least nine.
        pub(crate) blocks: &'a [Block];

        /// The pointers of listed code units by their number, and [`NO_POINTER`] at the end.
        pub(crate) pointers: &'a [u16];
    }

    /// The listed code units whose pointers are not in the list.
    #[inline(always)]
    pub(crate) const fn run(&self) -> &Run {
        &self.run
    }

    /// The place in [`Self::blocks`] of the block that `unit` belongs to.
    #[inline(always)]
    fn place(&self, unit: u16) -> usize {
        8 * usize::from(self.groups[usize::from(unit >> 8)]) + usize::from(unit >> 5 & 7)
    }

    /// The block that `unit` belongs to, and the place of `unit` in the block.
    #[inline(always)]
    fn block(&self, unit: u16) -> (Block, u16) {
        (self.block_of(unit), unit & 31)
    }

    /// The number that `unit` has, or would have if it was listed. The difference between the numbers of two code units
    /// is the number of listed code units from the first one on up to the second one. The result has a meaning only if
    /// the group of `unit`, or the group before it, lists a code unit; and the difference only if both code units are
    /// in blocks of the run, or neither is. In groups that have no blocks of their own the difference is 0.
    #[must_use]
    pub fn number(&self, unit: u16) -> u16 {
        let (block, at) = self.block(unit);
        block.number(at)
    }

    /// Whether `unit` is listed. Where most code units are not, this takes less time than [`Self::pointer`], which
    /// counts bits.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, unit: u16) -> bool {
        let (block, at) = self.block(unit);
        block.listed() >> at & 1 != 0
    }

    /// The block of `unit`. [`Self::new`] has checked that all groups have their blocks. The compiler does not know
    /// that, and indexing would need code for a panic.
    #[inline(always)]
    fn block_of(&self, unit: u16) -> Block {
        self.blocks.get(self.place(unit)).copied().unwrap_or(Block::NONE)
    }

    /// The pointer of `unit`, or [`NO_POINTER`] if it is not listed.
    #[inline(always)]
    #[must_use]
    pub fn pointer(&self, unit: u16) -> u16 {
        self.run.pointer(self.pointer_or_number(unit))
    }

    /// The pointer of `unit`, or its number if it is in [`Self::run`], or [`NO_POINTER`] if it is not listed.
    #[inline(always)]
    pub(crate) fn pointer_or_number(&self, unit: u16) -> u16 {
        let block = self.block_of(unit);
        // The bit of the unit becomes the highest bit, and the bits of the units after it are dropped. The processor
        // takes the distance modulo 32 anyway.
        let up_to_unit = block.listed() << (!u32::from(unit) & 31);
        let number = block.first().wrapping_add(up_to_unit.count_ones() as u16).wrapping_sub(1);
        // 0 if the unit is listed, and otherwise all ones, which turn the pointer into `NO_POINTER`.
        let missing = !(up_to_unit as i32 >> 31) as u16;
        self.pointers.get(usize::from(number)).copied().unwrap_or(number) | missing
    }

    /// Whether all pointers are below `end`.
    pub(crate) const fn are_pointers_below(&self, end: u32) -> bool {
        if !self.run.is_empty() {
            let (_, end_of_run) = check_blocks(self.groups, self.blocks, self.run.first);
            if self.run.pointer(end_of_run - 1) as u32 >= end {
                return false;
            }
        }
        let (list, _) = self.pointers.split_at(self.pointers.len() - 1);
        are_below(list, end)
    }
}

/// Whether all `numbers` are below `end`. It takes eight numbers in each round, because the compiler evaluates this
/// function whenever it compiles a crate with a table, and a round for each number made that twice as slow.
pub(crate) const fn are_below(numbers: &[u16], end: u32) -> bool {
    let last = end as i32 - 1;
    let mut rest = numbers;
    while let &[a, b, c, d, e, f, g, h, ref after @ ..] = rest {
        // A difference is negative if a number is not below `end`. A disjunction is negative if one of its parts is.
        let differences = (last - a as i32)
            | (last - b as i32)
            | (last - c as i32)
            | (last - d as i32)
            | (last - e as i32)
            | (last - f as i32)
            | (last - g as i32)
            | (last - h as i32);
        if differences < 0 {
            return false;
        }
        rest = after;
    }
    while let &[number, ref after @ ..] = rest {
        if number as u32 >= end {
            return false;
        }
        rest = after;
    }
    true
}

/// Checks that `groups` and `blocks` are as [`Listed::new`] says, for a run whose first number is `run`. Returns how
/// many listed code units are in the list, and one more than the last number of the run.
const fn check_blocks(groups: &[u8; 256], blocks: &[Block], run: u16) -> (usize, u16) {
    let (mut at, mut greatest) = (0, 0);
    while at < 256 {
        if groups[at] != 0 {
            greatest += 1;
            assert!(groups[at] == greatest, "groups are not numbered in ascending order");
        }
        at += 1;
    }
    assert!(blocks.len() == 8 * (greatest as usize + 1) + 1, "each group has eight blocks, and one block follows them");
    let (mut at, mut number, mut in_run) = (0, 0, run as u32);
    while at < blocks.len() {
        let Block { first, .. } = blocks[at];
        let (listed, is_last) = (blocks[at].listed(), at == blocks.len() - 1);
        assert!(at >= 8 && !is_last || listed == 0, "the blocks of group 0 and the last block list nothing");
        let continued = if first >= run { in_run } else { number };
        assert!(is_last || first as u32 == continued, "the numbers of blocks are not consecutive");
        if first >= run {
            in_run += listed.count_ones();
        } else {
            number += listed.count_ones();
        }
        at += 1;
    }
    assert!(in_run <= 0xFFFF, "a run is too long");
    (number as usize, in_run as u16)
}
