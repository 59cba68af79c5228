//! [Indexes](https://encoding.spec.whatwg.org/#indexes): the shapes of the generated tables and the two operations
//! on them. The tables themselves belong to the encodings' crates.

mod value;

use textcodec_kernels::{
    double_byte::{self, NO_ROW},
    single_byte::ByCodePoint,
};
pub use textcodec_kernels::{
    double_byte::{Rules, Unlisted},
    single_byte::Characters,
    to_double_byte::{Block, Listed},
};

pub use value::{Entries, Index};

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

/// The [index of a single-byte encoding](https://encoding.spec.whatwg.org/#index-single-byte), in both directions. `T` is an array of
/// bytes, whose length is forgotten: a reference to it would cost a program 40 bytes for every encoding.
#[derive(Debug)]
pub struct SingleByteIndex<T: ?Sized = [u8]> {
    /// The code points for the bytes 0x80 to 0xFF; [`NULL`] where there is none.
    pub code_points: Characters,
    /// The numbers of the blocks that texts need most, in that order: what a vector kernel looks code points up in.
    pub windows: [u16; textcodec_kernels::single_byte::WINDOWS],
    /// How many blocks there are: the length of the first part of `by_code_point`.
    pub blocks: u16,
    /// The way back, in two parts. For each block of [`SingleByteIndex::BLOCK`] code points from U+0000 on, where it starts in the
    /// other part, divided by [`SingleByteIndex::ALIGN`]; [`SingleByteIndex::NO_BLOCK`] if it has no entries, like all past the last
    /// block. The first block, ASCII's, is any. Then bytes by code point within a block; 0 where there is none.
    pub by_code_point: T,
}

impl SingleByteIndex {
    /// The way back from code points to bytes, for the kernels.
    #[must_use]
    pub const fn by_code_point(&self) -> ByCodePoint<'_> {
        let (blocks, bytes) = match self.by_code_point.split_at_checked(self.blocks as usize) {
            Some(parts) => parts,
            None => (&self.by_code_point, [].as_slice()),
        };
        ByCodePoint { blocks, bytes, windows: &self.windows }
    }

    /// Code points in a block.
    pub const BLOCK: usize = textcodec_kernels::single_byte::BLOCK;
    /// Blocks start at multiples of this.
    pub const ALIGN: usize = textcodec_kernels::single_byte::ALIGN;
    /// In place of where a block starts.
    pub const NO_BLOCK: u8 = textcodec_kernels::single_byte::NO_BLOCK;

    /// The byte whose [index pointer](https://encoding.spec.whatwg.org/#index-pointer) is that of `code_point`,
    /// 0x80 to 0xFF; `None` if the index does not contain it.
    #[must_use]
    pub fn byte(&self, code_point: char) -> Option<u8> {
        if code_point.is_ascii() { None } else { self.by_code_point().byte(code_point) }
    }
}

/// An index in rows of 190 columns. Most rows of its lower right part, a square of 94 rows and columns, are listed; most of the
/// rest follows from rules.
#[derive(Debug)]
pub struct SquareIndex {
    /// For each row of the square its place among those that are listed; [`NO_ROW`] if it is not.
    pub rows: [u8; 94],
    /// The code points of the listed rows of the square, and [`NULL`] where there is none, and twice at the end.
    pub square: &'static [u16],
    /// Outside the square: the code points without a rule.
    pub pieces: &'static [Piece],
    /// Outside the square: the rule of the left and the right half of each row, which is what column 0 has, or would have. Less
    /// than [`Rules::CODE_POINT`] it is a number in `unlisted`, otherwise a code point; [`NULL`] if there is no rule. Another column
    /// has as much more as there are columns between them that are not in `gaps`.
    pub rules: [[u16; 2]; 126],
    /// Columns without a rule: the first one and how many there are, for each of two gaps.
    pub gaps: [(u16, u16); 2],
    /// The code points that have numbers.
    pub unlisted: Unlisted<'static>,
    /// The way back.
    pub pointers: &'static PointerTable,
}

/// Code points of pointers in a row.
#[derive(Debug)]
pub struct Piece {
    /// The first pointer.
    pub first: u16,
    /// The code points from there on; [`NULL`] where there is none.
    pub code_points: &'static [u16],
}

impl Piece {
    /// The code point of `pointer` in one of `pieces`, which ascend; [`NULL`] where there is none.
    #[must_use]
    pub fn code_point(pieces: &[Piece], pointer: u16) -> u16 {
        let piece = &pieces[..pieces.partition_point(|piece| piece.first <= pointer)].last();
        piece.and_then(|piece| piece.code_points.get(usize::from(pointer - piece.first)).copied()).unwrap_or(NULL)
    }
}

/// Code points of pointers in a row which mostly ascend, so that 16 of them are mostly close to each other.
#[derive(Debug)]
pub struct NearlyAscending {
    /// The first pointer.
    pub first: u16,
    /// For each 16 pointers the least code point.
    pub least: &'static [u16],
    /// For each pointer how much more its code point is; [`Self::FAR`] if that is no byte.
    pub more: &'static [u8],
    /// The pointers whose code points are far from the least, ascending, and these.
    pub far: &'static [(u16, u16)],
}

impl NearlyAscending {
    /// See [`Self::more`].
    pub const FAR: u8 = 0xFF;

    /// The code point of `pointer`; [`NULL`] where there is none.
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

impl SquareIndex {
    /// The rows in the table of a kernel by leading byte, of an encoding whose leading bytes are 0x81 to 0xFE.
    #[must_use]
    pub const fn kernel_rows(&self) -> [u8; 128] {
        let mut rows = double_byte::rows(&[(0x81..=0xFE, NO_ROW)]);
        let mut row = 0;
        while row < 94 {
            rows[0x21 + row] = self.rows[row];
            row += 1;
        }
        rows
    }

    /// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer`; `None` where the index has no
    /// entry. No code point of such an index is outside plane 0.
    #[must_use]
    pub fn index_code_point(&self, pointer: usize) -> Option<char> {
        let unit = match (pointer / 190, pointer % 190) {
            (row @ 32..=125, column @ 96..=189) if self.rows[row - 32] != NO_ROW => {
                *self.square.get(usize::from(self.rows[row - 32]) * 94 + column - 96)?
            }
            (row, column) => self.outside_square(u16::try_from(row).ok()?, column as u16),
        };
        if unit == NULL { None } else { char::from_u32(unit.into()) }
    }

    /// The code point of a pointer that is not in a listed row of the square; [`NULL`] where there is none.
    #[must_use]
    #[inline(never)]
    pub fn outside_square(&self, row: u16, column: u16) -> u16 {
        let Some(&[left, right]) = self.rules.get(usize::from(row)) else { return NULL };
        let rule = if column < 96 { left } else { right };
        let mut place = column;
        for (first, width) in self.gaps {
            if column >= first + width {
                place -= width;
            } else if column >= first && rule < Rules::CODE_POINT {
                return NULL;
            }
        }
        if rule < Rules::CODE_POINT && rule + place < self.unlisted.count {
            return self.pointers.unlisted(rule + place, &self.unlisted);
        }
        match Piece::code_point(self.pieces, row * 190 + column) {
            NULL if rule != NULL && rule >= Rules::CODE_POINT => rule + place,
            code_point => code_point,
        }
    }
}

/// The way back from code points to pointers of an index with many entries.
///
/// The code points of plane 0 are in blocks. A block says which of its code points are *listed*, and the number of
/// the first of them. The pointers of listed code points are in a list, by number, so that code points without
/// a pointer take one bit. Where the pointers of code points that are not listed ascend with them, a [`Stretch`] says so.
#[derive(Debug)]
pub struct PointerTable {
    /// What is listed, for the kernels too.
    pub listed: Listed<'static>,
    /// Where there are rules. Stretches do not overlap.
    pub stretches: &'static [Stretch],
    /// Code points of plane 2 less U+20000 and their pointers, ascending.
    pub plane_2: &'static [(u16, u16)],
}

/// Code points in a row, all of which are in the index, listed or not. The pointers of those not listed ascend with them.
#[derive(Debug)]
pub struct Stretch {
    /// The first code point.
    pub first: u16,
    /// The last code point.
    pub last: u16,
    /// Where the pointers of the code points that are not listed are.
    pub areas: &'static [Area],
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

impl Area {
    /// The distance of a row to the next.
    pub const ROW: u16 = 190;

    /// The pointer of this `number`, which must be less than [`Self::count`].
    const fn pointer(&self, number: u16) -> u16 {
        // It is no 0, which the compiler does not know.
        let columns = if self.columns == 0 { 1 } else { self.columns };
        let (row, place) = (number / columns, number % columns);
        let [first, second] = self.gaps;
        let gaps = (if place < first.0 { 0 } else { first.1 }) + (if place < second.0 { 0 } else { second.1 });
        self.first + row * Self::ROW + place + gaps
    }
}

impl Stretch {
    const fn contains(&self, code_point: u16) -> bool {
        self.first <= code_point && code_point <= self.last
    }

    /// How many code points from [`Self::first`] on and before `code_point` are not listed.
    fn number(&self, code_point: u16, listed: &Listed<'_>) -> u16 {
        code_point - self.first - (listed.number(code_point) - listed.number(self.first))
    }
}

impl PointerTable {
    /// What stands for no pointer in other tables. No index has so many pointers.
    pub const NULL: u16 = textcodec_kernels::to_double_byte::NO_POINTER;

    /// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of `code_point`, the lowest one;
    /// `None` if the index does not contain it.
    #[must_use]
    pub fn index_pointer(&self, code_point: char) -> Option<u16> {
        let Ok(unit) = u16::try_from(u32::from(code_point)) else {
            let unit = u16::try_from(u32::from(code_point).checked_sub(0x2_0000)?).ok()?;
            let place = self.plane_2.binary_search_by_key(&unit, |&(code_point, _)| code_point).ok()?;
            return self.plane_2.get(place).map(|&(_, pointer)| pointer);
        };
        match self.listed.pointer(unit) {
            Self::NULL => self.pointer_by_rule(unit),
            pointer => Some(pointer),
        }
    }

    /// The pointer of a code point that is not listed, by the rule of its stretch; `None` if it is in none.
    #[must_use]
    pub fn pointer_by_rule(&self, code_point: u16) -> Option<u16> {
        let stretch = self.stretches.iter().find(|stretch| stretch.contains(code_point))?;
        let mut number = stretch.number(code_point, &self.listed);
        for area in stretch.areas {
            if number < area.count {
                return Some(area.pointer(number));
            }
            number -= area.count;
        }
        None
    }

    /// The code point of `unlisted` that has this `number`, which must be less than their count.
    fn unlisted(&self, number: u16, unlisted: &Unlisted<'_>) -> u16 {
        let blocks = self.listed.blocks_from(unlisted.first);
        let block = |at: u16| blocks.get(usize::from(at)).copied().unwrap_or(Block::new(0, 0));
        // How many that are not listed come before a block.
        let before = |at: u16| 32 * at + block(0).first() - block(at).first();
        let mut at = unlisted.samples.get(usize::from(number / Unlisted::SAMPLE)).copied().unwrap_or_default();
        while before(at + 1) <= number {
            at += 1;
        }
        let mut others = !block(at).listed();
        for _ in before(at)..number {
            others &= others - 1;
        }
        unlisted.first + 32 * at + others.trailing_zeros() as u16
    }
}
