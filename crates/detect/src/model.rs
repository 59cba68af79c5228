//! The model that `cargo xtask train` makes: prices of pairs, evidence of ASCII, and frequencies of characters.

mod tables;

pub(crate) use tables::*;

/// The prices of pairs of classes in each language, two in a byte.
pub(crate) static PAIRS: [u8; include_bytes!("model/pairs.bin").len()] = *include_bytes!("model/pairs.bin");
/// The evidence of each pair of ASCII for each language of Latin script, two languages in a byte.
pub(crate) static ASCII: [u8; include_bytes!("model/ascii.bin").len()] = *include_bytes!("model/ascii.bin");

/// A square of characters of an East Asian character set, in the order of its bytes.
pub(crate) struct Square {
    /// The number of its first cell in [`EAST_ASIAN`].
    start: usize,
    rows: usize,
    columns: usize,
}

/// The characters of GB 2312; those of the first levels of Big5 and JIS X 0208; and those of KS X 1001 without Chinese
/// characters. Nearly all characters of the other rows are too rare for a price of their own: these rows take 8 KB and
/// decide nothing.
pub(crate) const GB_2312: Square = Square { start: 0, rows: 87, columns: 94 };
pub(crate) const BIG5: Square = GB_2312.next(40, 157);
pub(crate) const JIS_X_0208: Square = BIG5.next(47, 94);
pub(crate) const KS_X_1001: Square = JIS_X_0208.next(40, 94);

/// The prices of the characters of these squares, two in a byte.
pub(crate) static EAST_ASIAN: [u8; KS_X_1001.end().div_ceil(2)] = {
    const CELLS: &[u8] = include_bytes!("model/east_asian.bin");
    let mut packed = [0; KS_X_1001.end().div_ceil(2)];
    let squares = [(ZH_HANS, GB_2312), (ZH_HANT, BIG5), (JA, JIS_X_0208), (KO, KS_X_1001)];
    let mut number = 0;
    while number < squares.len() {
        let (from, to) = &squares[number];
        let mut cell = 0;
        while cell < to.rows * to.columns {
            let place = to.start + cell;
            packed[place / 2] |= self::cell(CELLS, *from + cell) << (place % 2 * 4);
            cell += 1;
        }
        number += 1;
    }
    packed
};

impl Square {
    /// The first cell after the square.
    const fn end(&self) -> usize {
        self.start + self.rows * self.columns
    }

    /// The square after this one.
    const fn next(&self, rows: usize, columns: usize) -> Self {
        Square { start: self.end(), rows, columns }
    }

    /// The value of the cell in this row and column, both from 0; `None` in the rows that are left out.
    #[inline(always)]
    pub(crate) fn cell(&self, row: u8, column: u8) -> Option<u8> {
        let row = usize::from(row);
        (row < self.rows).then(|| cell(&EAST_ASIAN, self.start + row * self.columns + usize::from(column)))
    }
}

/// The cell `place` of a part of the model.
#[inline(always)]
pub(crate) const fn cell(cells: &[u8], place: usize) -> u8 {
    cells[place / 2] >> (place % 2 * 4) & 0xF
}
