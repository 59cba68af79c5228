//! The tables of index gb18030 and index EUC-KR: 126 rows of 190 columns.
//!
//! The lower right part, a square of 94 rows and columns, is GB 2312 or KS X 1001. Most of its rows are in a table.
//! Most code points outside the square follow from a rule, one for the left half of each row (96 columns) and one for
//! the right half (94 columns):
//!
//! ```text
//!            column 0          96         189
//! row   0    ┌─────────────────┬──────────┐
//!            │ left: a rule    │ right: a rule
//!            │                 │          │      A rule is the rank of the half's first code point among the code points
//! row  32    ├─────────────────┼──────────┤      that are not in the table, or its code point if these are for private use.
//!            │ left: a rule    │ square:  │      The next pointer has the next rank, except in gaps, which are columns
//!            │                 │ table    │      without a rule.
//! row 125    └─────────────────┴──────────┘
//! ```

use textcodec_kernels::double_byte::{self, Ascending, NO_ROW, Rules};

use super::{NULL, Pieces};

/// An index in rows of 190 columns; see the drawing in this file.
#[derive(Debug)]
pub struct SquareIndex {
    /// The position of each row of the square among the rows in the table. [`NO_ROW`] if the row is not in the table.
    pub rows: [u8; 94],
    /// The code points of the table's rows, [`NULL`] if there is none. Two more [`NULL`] are at the end, for kernels.
    pub square: &'static [u16],
    /// The code points outside the square that follow from no rule.
    pub pieces: Pieces,
    /// The rules of the left and the right half of each row. A rule is the value that column 0 has, or would have;
    /// [`NULL`] if there is no rule. A value less than [`Rules::CODE_POINT`] is a rank in `unlisted`, and any other
    /// value is a code point. The value of column `n` is the rule plus `n`, minus the number of columns before `n` that
    /// are in gaps.
    pub rules: [[u16; 2]; 126],
    /// Two gaps of columns without a rule: the first column and the number of columns.
    pub gaps: [(u16, u16); 2],
    /// The code points that have ranks.
    pub unlisted: Ascending<'static>,
}

impl SquareIndex {
    /// The rows of a kernel's table by leading byte, for an encoding whose leading bytes are 0x81 to 0xFE.
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

    /// [Index code point](https://encoding.spec.whatwg.org/#index-code-point) for `pointer`; `None` if the index has
    /// no entry. All code points of such an index are in plane 0.
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

    /// The code point of a pointer that is not in a listed row of the square. [`NULL`] if there is none.
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
        let unlisted = if rule < Rules::CODE_POINT { self.unlisted.nth(rule + place) } else { None };
        if let Some(code_point) = unlisted {
            return code_point;
        }
        match self.pieces.code_point(row * 190 + column) {
            NULL if rule != NULL && rule >= Rules::CODE_POINT => rule + place,
            code_point => code_point,
        }
    }
}
