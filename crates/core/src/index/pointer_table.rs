//! Pointers by code point, for the indexes with many entries.
//!
//! Plane 0 is cut into blocks of 32 code points. A block has a bit for each code point that is *listed*, and the number
//! of the first listed code point. `Listed` has the pointers of listed code points by number, so a code point without a
//! pointer takes one bit:
//!
//! ```text
//! block          bits  0 1 1 0 1 …      first listed code point: number 40
//! pointers       … 40: 6176 | 41: 6177 | 42: 6243 …
//!
//! code point 4 of the block: bit 4 is set, two bits before it are set, so its pointer is number 42
//! ```
//!
//! In a [`Stretch`] the code points that are not listed have pointers, too, which ascend with the code points.

use textcodec_kernels::to_double_byte::{Listed, NO_POINTER};

/// The pointers of an index by code point; see the drawing in this file.
#[derive(Debug)]
pub struct PointerTable {
    /// The listed code points, also for the kernels.
    pub listed: Listed<'static>,
    /// The stretches, which do not overlap.
    pub stretches: &'static [Stretch],
    /// The code points of plane 2 minus U+20000, ascending, and their pointers.
    pub plane_2: &'static [(u16, u16)],
}

/// Consecutive code points, all of which are in the index. The code points that are not listed have their pointers in
/// an *area*: the same columns of some rows of the index. These pointers ascend with the code points, row by row.
#[derive(Debug)]
pub struct Stretch {
    /// The first code point.
    pub first: u16,
    /// The last code point.
    pub last: u16,
    /// The first pointer of the area.
    pub pointer: u16,
    /// The number of pointers in one row of the area.
    pub columns: u8,
    /// Gaps in a row, in which there are no pointers of the area: for each gap the number of pointers before it in the
    /// row, and its width.
    pub gaps: [(u8, u8); 2],
}

impl Stretch {
    /// The number of pointers from one row to the next.
    pub const ROW: u16 = 190;

    /// The pointer with `number` in the area.
    fn pointer(&self, number: u16) -> u16 {
        // `columns` is never 0. The compiler does not know that, and would divide with a check that can panic.
        let columns = u16::from(self.columns.max(1));
        let (row, place) = (number / columns, number % columns);
        let gap = |(before, width): (u8, u8)| if place < before.into() { 0 } else { u16::from(width) };
        let [first, second] = self.gaps;
        self.pointer + row * Self::ROW + place + gap(first) + gap(second)
    }

    const fn contains(&self, code_point: u16) -> bool {
        self.first <= code_point && code_point <= self.last
    }

    /// The number of code points that are not listed, from [`Self::first`] up to but not including `code_point`.
    fn number(&self, code_point: u16, listed: &Listed<'_>) -> u16 {
        code_point - self.first - (listed.number(code_point) - listed.number(self.first))
    }
}

impl PointerTable {
    /// The entry for no pointer in other tables. It is greater than the pointers of all indexes.
    pub const NULL: u16 = NO_POINTER;

    /// [Index pointer](https://encoding.spec.whatwg.org/#index-pointer) of `code_point`, the first
    /// pointer; `None` if the index does not contain the code point.
    #[must_use]
    pub fn index_pointer(&self, code_point: char) -> Option<u16> {
        let Ok(unit) = u16::try_from(u32::from(code_point)) else {
            let unit = u16::try_from(u32::from(code_point).checked_sub(0x2_0000)?).ok()?;
            let place = self.plane_2.binary_search_by_key(&unit, |&(code_point, _)| code_point).ok()?;
            return self.plane_2.get(place).map(|&(_, pointer)| pointer);
        };
        // Most code points that reach a handler are unmappable.
        if self.listed.contains(unit) { Some(self.listed.pointer(unit)) } else { self.pointer_by_rule(unit) }
    }

    /// The pointer of a code point that is not listed, by the rule of its stretch. `None` if it is in no stretch.
    ///
    /// Never inlined: two copies would take 0.4 KB.
    #[must_use]
    #[inline(never)]
    pub fn pointer_by_rule(&self, code_point: u16) -> Option<u16> {
        let stretch = self.stretches.iter().find(|stretch| stretch.contains(code_point))?;
        Some(stretch.pointer(stretch.number(code_point, &self.listed)))
    }
}
