//! Encoding to one and two bytes per character: [Big5](https://encoding.spec.whatwg.org/#big5),
//! [EUC-JP](https://encoding.spec.whatwg.org/#euc-jp), [EUC-KR](https://encoding.spec.whatwg.org/#euc-kr),
//! [gb18030](https://encoding.spec.whatwg.org/#gb18030), GBK and
//! [Shift_JIS](https://encoding.spec.whatwg.org/#shift_jis), and the pairs of
//! [ISO-2022-JP](https://encoding.spec.whatwg.org/#iso-2022-jp).
//!
//! A code unit has a pointer, as the Standard calls it: the place of its character in a table of rows and columns. The
//! row makes the leading byte, and the column makes the trailing byte.

use crate::{blocks::after, level::dispatch};

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
    /// For each group of 256 code units, the place of its first block in `blocks`, divided by 8. Groups without a
    /// listed code unit may share the blocks of another such group.
    pub groups: &'a [u8; 256],
    /// The blocks of all groups, eight for each, and one more at the end that lists nothing.
    pub blocks: &'a [Block],
    /// The pointers of listed code units by their number, and [`NO_POINTER`] at the end.
    pub pointers: &'a [u16],
}

/// Which of 32 consecutive code units are listed, in six bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Block {
    /// One bit for each code unit, from the lowest on: whether it is listed.
    listed: [u16; 2],
    /// The number of the first listed code unit of this block and all later ones.
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

    /// The number of the first listed code unit of this block and all later ones.
    #[inline(always)]
    #[must_use]
    pub const fn first(self) -> u16 {
        self.first
    }

    /// The number of the code unit at place `at` of the block, or of the next listed one if it is not listed.
    #[inline(always)]
    const fn number(self, at: u16) -> u16 {
        self.first + (self.listed() & !(!0 << at)).count_ones() as u16
    }
}

impl Listed<'_> {
    /// The place in `blocks` of the block that `unit` belongs to.
    #[inline(always)]
    fn place(&self, unit: u16) -> usize {
        8 * usize::from(self.groups[usize::from(unit >> 8)]) + usize::from(unit >> 5 & 7)
    }

    /// The block that `unit` belongs to, and the place of `unit` in the block.
    #[inline(always)]
    fn block(&self, unit: u16) -> (Block, u16) {
        (self.blocks[self.place(unit)], unit & 31)
    }

    /// The blocks from the one of `unit` on. Each is of the next 32 code units, up to the first group that has no
    /// blocks of its own.
    #[must_use]
    pub fn blocks_from(&self, unit: u16) -> &[Block] {
        after(self.blocks, self.place(unit))
    }

    /// The number of listed code units before `unit`. The result is only meaningful if the group of `unit` has blocks
    /// of its own, or is the next one after a group that has.
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
        self.pointers[usize::from(block.number(at))] | missing
    }
}

/// The tables of an encoder to ASCII and pairs of bytes.
#[derive(Clone, Copy, Debug)]
pub struct ToDoubleByte<'a> {
    /// The pointers of code units.
    pub listed: &'a Listed<'a>,
    /// Code units below this are encoded as the byte of equal value: 0x80, or 0 for an encoder that only makes pairs.
    pub ascii: u16,
    /// Listed pointers from this one on are not used, and `others` is asked instead; at most [`NO_POINTER`].
    pub end: u16,
    /// The number of columns of a row.
    pub columns: Divisor,
    /// The leading byte that a row becomes.
    pub leading: Part,
    /// The trailing byte that a column becomes.
    pub trailing: Part,
    /// The pointer of a code unit that is not listed or whose listed pointer is not used; [`NO_POINTER`] if it cannot
    /// be encoded.
    pub others: fn(u16) -> u16,
}

/// A divisor, with the factor and the shift that replace the division by a multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    pub(crate) number: u16,
    pub(crate) factor: u16,
    pub(crate) shift: u16,
}

impl Divisor {
    /// A divisor from 65 to 255. Division is exact for numbers up to 0x7FFF, and so for all pointers.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        let shift = if number <= 128 { 6 } else { 7 };
        Divisor { number, factor: (0x1_0000_u32 << shift).div_ceil(number as u32) as u16, shift }
    }

    /// The quotient and the remainder of `number`, which is at most 0x7FFF.
    #[inline(always)]
    pub(crate) const fn divide(self, number: u16) -> (u16, u16) {
        let quotient = ((number as u32 * self.factor as u32) >> 16) as u16 >> self.shift;
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.number)))
    }
}

/// The offset that turns the number of a row or column into a byte. Two ranges of numbers can have different offsets.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The offset of numbers below `split`.
    pub lower: u8,
    /// The offset of all other numbers.
    pub upper: u8,
    /// The first number that has the offset `upper`.
    pub split: u8,
}

impl Part {
    /// The offset `first` for every number.
    #[must_use]
    pub const fn from(first: u8) -> Self {
        Part { lower: first, upper: first, split: 0 }
    }
}

/// [`ToDoubleByte::others`] of an encoding whose pointers are all listed.
#[must_use]
pub fn no_other_pointers(_: u16) -> u16 {
    NO_POINTER
}

/// Encodes UTF-16. Stops before the first code unit without a pointer, and before the first pair that does not fit into
/// `destination`. Returns `(read, written)`.
pub fn from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
    dispatch!(double_byte::from_utf16(encoding: &ToDoubleByte<'_>, source: &[u16], destination: &mut [u8]) -> (usize, usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::at_every_level, scalar::double_byte as scalar, tests::Random};

    /// The upper bytes of the code units of which most are listed.
    const GROUPS: [u16; 6] = [0x01, 0x02, 0x4E, 0x4F, 0xAC, 0xFF];

    /// Runs `test` with an encoding at every level. Most code units of [`GROUPS`] are listed, with random pointers;
    /// every sixteenth code unit that is not listed has a pointer as well.
    fn with_encoding(ascii: u16, test: impl Fn(&ToDoubleByte<'_>)) {
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
    fn division_is_exact_for_all_numbers_up_to_7fff() {
        for divisor in 65..=255 {
            let by = Divisor::new(divisor);
            for number in 0..=0x7FFF {
                assert_eq!(by.divide(number), (number / divisor, number % divisor), "{number} / {divisor}");
            }
        }
    }

    #[test]
    fn every_level_equals_the_scalar_one() {
        for ascii in [0x80, 0] {
            with_encoding(ascii, |encoding| {
                let mut random = Random(4);
                for round in 0..6000 {
                    // Most units of a text have a pointer, so that errors are rare and one is often near the end.
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
