//! The way back to encodings of ASCII and pairs of bytes: a code unit has a pointer, which is a place in a table of rows and columns,
//! and these make a byte each.

use crate::{blocks::after, level::dispatch};

/// What stands for no pointer in a list of them.
pub const NO_POINTER: u16 = 0xFFFF;

/// The way back: code units to pointers, which are places in a table of rows and columns. Those that have a pointer are
/// *listed*, a bit each; a listed unit's pointer is at its number among all that are.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// For each 256 code units the place of their first block, divided by 8.
    pub groups: &'a [u8; 256],
    /// What is listed, and at the end a block that nothing is in.
    pub blocks: &'a [Block],
    /// Pointers by number, and [`NO_POINTER`] at the end.
    pub pointers: &'a [u16],
}

/// 32 code units in a row, in six bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Block {
    /// One bit per code unit, from the lowest on: whether it is listed.
    listed: [u16; 2],
    /// The number of the first that is listed, or would be.
    first: u16,
}

impl Block {
    /// A block in which the code units of the bits in `listed` have numbers from `first` on.
    #[must_use]
    pub const fn new(listed: u32, first: u16) -> Self {
        Block { listed: [listed as u16, (listed >> 16) as u16], first }
    }

    /// One bit per code unit, from the lowest on: whether it is listed.
    #[inline(always)]
    #[must_use]
    pub const fn listed(self) -> u32 {
        self.listed[0] as u32 | (self.listed[1] as u32) << 16
    }

    /// The number of the first code unit that is listed, or would be.
    #[inline(always)]
    #[must_use]
    pub const fn first(self) -> u16 {
        self.first
    }

    /// The number of its code unit `at`, or that it would have.
    #[inline(always)]
    const fn number(self, at: u16) -> u16 {
        self.first + (self.listed() & !(!0 << at)).count_ones() as u16
    }
}

impl Listed<'_> {
    /// The place of the block of `unit`.
    #[inline(always)]
    fn place(&self, unit: u16) -> usize {
        8 * usize::from(self.groups[usize::from(unit >> 8)]) + usize::from(unit >> 5 & 7)
    }

    /// The block of `unit`, and which of its code units that is.
    #[inline(always)]
    fn block(&self, unit: u16) -> (Block, u16) {
        (self.blocks[self.place(unit)], unit & 31)
    }

    /// The blocks from that of `unit` on. Until a group has nothing, each is of the next 32 code units.
    #[must_use]
    pub fn blocks_from(&self, unit: u16) -> &[Block] {
        after(self.blocks, self.place(unit))
    }

    /// How many code units before `unit` are listed. Only if its group has any, or follows one that has.
    #[must_use]
    pub fn number(&self, unit: u16) -> u16 {
        let (block, at) = self.block(unit);
        block.number(at)
    }

    /// The pointer of `unit` if it is listed, otherwise [`NO_POINTER`].
    #[inline(always)]
    #[must_use]
    pub fn pointer(&self, unit: u16) -> u16 {
        let (block, at) = self.block(unit);
        // All ones if it is missing.
        let missing = (block.listed() >> at & 1).wrapping_sub(1) as u16;
        self.pointers[usize::from(block.number(at))] | missing
    }
}

/// The way back to an encoding of ASCII and pairs of bytes.
#[derive(Clone, Copy, Debug)]
pub struct ToDoubleByte<'a> {
    /// The pointers of code units.
    pub listed: &'a Listed<'a>,
    /// Code units less than this are bytes of their own: 0x80, or 0 if there are only pairs.
    pub ascii: u16,
    /// Pointers from here on are not used; at most [`NO_POINTER`].
    pub end: u16,
    /// How many columns a row has.
    pub columns: Divisor,
    /// The leading byte of a row.
    pub leading: Part,
    /// The trailing byte of a column.
    pub trailing: Part,
    /// The pointer of a code unit that is not listed, or whose pointer is not used; [`NO_POINTER`] if it has none.
    pub others: fn(u16) -> u16,
}

/// A number to divide by, and the factor and the shift that do it.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    pub(crate) number: u16,
    pub(crate) factor: u16,
    pub(crate) shift: u16,
}

impl Divisor {
    /// From 65 to 255. Exact for all numbers up to 0x7FFF, and thus for all pointers.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        let shift = if number <= 128 { 6 } else { 7 };
        Divisor { number, factor: (0x1_0000_u32 << shift).div_ceil(number as u32) as u16, shift }
    }

    /// The quotient and the remainder.
    #[inline(always)]
    pub(crate) const fn divide(self, number: u16) -> (u16, u16) {
        let quotient = ((number as u32 * self.factor as u32) >> 16) as u16 >> self.shift;
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.number)))
    }
}

/// What is added to the number of a row or column to make it a byte.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// To numbers less than `split`.
    pub lower: u8,
    /// To the other numbers.
    pub upper: u8,
    /// The first number that `upper` is added to.
    pub split: u8,
}

impl Part {
    /// Adds `first` to every number.
    #[must_use]
    pub const fn from(first: u8) -> Self {
        Part { lower: first, upper: first, split: 0 }
    }
}

/// [`ToDoubleByte::others`] of an encoding that has all in its list.
#[must_use]
pub fn no_other_pointers(_: u16) -> u16 {
    NO_POINTER
}

/// Converts a prefix from UTF-16. Stops before what has no pointer, and when `destination` has no room for the next pair.
/// Returns `(read, written)`.
pub fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(double_byte::from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::at_every_level, scalar::double_byte as scalar, tests::Random};

    /// The upper bytes of the code units of which most are listed.
    const GROUPS: [u16; 6] = [0x01, 0x02, 0x4E, 0x4F, 0xAC, 0xFF];

    /// Most of the code units of some groups are listed, with pointers in any order; some of the others have pointers as well.
    fn with_way_back(ascii: u16, test: impl Fn(&ToDoubleByte<'_>)) {
        let mut random = Random(3);
        let mut groups = [0; 256];
        let (mut blocks, mut pointers) = (vec![Block::new(0, 0); 8], vec![]);
        for group in GROUPS {
            groups[usize::from(group)] = (blocks.len() / 8) as u8;
            for _ in 0..8 {
                let bits = ((random.below(1 << 31) | random.below(1 << 31)) as u32) << 1 | random.below(2) as u32;
                let block = Block::new(bits, pointers.len() as u16);
                pointers.extend((0..bits.count_ones()).map(|_| random.below(60 * 188) as u16));
                blocks.push(block);
            }
        }
        blocks.push(Block::new(0, 0));
        pointers.push(NO_POINTER);
        let encoding = ToDoubleByte {
            listed: &Listed { groups: &groups, blocks: &blocks, pointers: &pointers },
            ascii,
            end: 58 * 188,
            columns: Divisor::new(188),
            leading: Part { lower: 0x81, upper: 0xC1, split: 31 },
            trailing: Part { lower: 0x40, upper: 0x41, split: 63 },
            others: |unit| if unit % 16 == 3 { unit % 0x2000 } else { NO_POINTER },
        };
        at_every_level(|_| {
            test(&encoding);
        });
    }

    #[test]
    fn division_is_exact_for_all_pointers() {
        for divisor in 65..=255 {
            let by = Divisor::new(divisor);
            for number in 0..=0x7FFF {
                assert_eq!(by.divide(number), (number / divisor, number % divisor), "{number} / {divisor}");
            }
        }
    }

    #[test]
    fn every_level_does_as_the_scalar_one_on_the_way_back() {
        for ascii in [0x80, 0] {
            with_way_back(ascii, |encoding| {
                let mut random = Random(4);
                for round in 0..6000 {
                    // Of the units in the list, those that have a pointer: an error is rare, and often near the end.
                    let length = random.below(400);
                    let mut source = Vec::new();
                    while source.len() < length {
                        match random.below(6) {
                            0 if ascii != 0 => source.extend(core::iter::repeat_n(u16::from(b'a'), random.below(90))),
                            _ => {
                                let units = (0..random.below(100))
                                    .map(|_| GROUPS[random.below(6)] << 8 | random.below(0x100) as u16);
                                source.extend(units.filter(|&unit| encoding.listed.pointer(unit) < encoding.end));
                            }
                        }
                    }
                    source.truncate(length);
                    for _ in 0..if length == 0 { 0 } else { round % 3 } {
                        let at = random.below(length);
                        source[at] = random.below(0x1_0000) as u16;
                    }
                    for room in [2 * length, length, random.below(2 * length + 1)] {
                        let (mut expected, mut bytes) = (vec![0; room], vec![0; room]);
                        let (read, written) = scalar::from_utf16(encoding, &source, &mut expected);
                        assert_eq!(
                            from_utf16(encoding, &source, &mut bytes),
                            (read, written),
                            "{source:04X?} into {room}"
                        );
                        assert_eq!(bytes[..written], expected[..written], "{source:04X?} into {room}");
                    }
                }
            });
        }
    }
}
