//! The tables of a decoder for one and two bytes per character.

pub(crate) mod ascending;
pub(crate) mod rules;
// These tests catch panics, which end a program for wasm32.
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use self::rules::Rules;
pub use crate::base::units::NULL;
use crate::{base::getters, single_byte::tables::Characters};

/// The tables of a decoder for ASCII, single bytes and pairs of bytes.
///
/// A value of this type is a proof: [`to_utf8`](crate::double_byte::to_utf8) writes well-formed UTF-8 with every such
/// value.
#[derive(Clone, Copy, Debug)]
pub struct DoubleByte<'a> {
    table: &'a [u16],
    columns: u16,
    /// In this value, not behind a reference, so that the row of a byte takes one load less.
    rows: [u8; 128],
    groups: LeadGroups,
    singles: &'a Characters,
    trailing: &'a Columns,
    rules: Option<&'a Rules<'a>>,
    others: fn(&[u8]) -> u16,
}

/// The least byte that can follow a leading byte. [`DoubleByte::other`] returns [`NULL`] for a pair with a lesser
/// trailing byte.
pub const FIRST_TRAILING: u8 = 0x30;

/// The surrogate that [`DoubleByte::other`] returns for bytes that the caller decodes.
pub const CALLERS: u16 = 0xDFFF;

/// The row of a leading byte without a row in the table. Tables have at most this many rows, and with 255 columns they
/// have fewer than 0x8000 places. See [`DoubleByte::new`].
pub const NO_ROW: u8 = 0x7E;
/// The row of a byte that is no leading byte. See [`DoubleByte::new`].
pub const ALONE: u8 = 0xFF;
/// The column of a byte that is no trailing byte. It is beyond the end of every table.
pub(crate) const NO_COLUMN: u16 = 0xFFFF;

impl<'a> DoubleByte<'a> {
    /// The tables with these parts:
    ///
    /// * `table` has the code units by row and column, and [`NULL`] twice at the end. A surrogate in the table stands
    ///   for a pair whose character is not a single code unit; the caller decodes such a pair.
    /// * `columns` is the number of columns of a row.
    /// * `rows` has, for each byte from 0x80 on, the row of a leading byte, [`NO_ROW`] for a leading byte without a row
    ///   in the table, and [`ALONE`] for any other byte.
    /// * `singles` has, for each byte from 0x80 on that is no leading byte, its code unit, or [`NULL`] if it has none.
    /// * `trailing` has the columns of trailing bytes.
    /// * `others` returns the code unit of a pair for which the table has [`NULL`]. The function gets the two bytes,
    ///   and up to two of the bytes after them if they are already known. It returns [`NULL`] for a malformed pair, and
    ///   [`CALLERS`] for bytes that may start a longer sequence.
    ///
    /// # Panics
    /// If a part violates one of these rules:
    ///
    /// * `columns` must be at most 255.
    /// * `table` must have at least 256 entries, at most `columns` × [`NO_ROW`] entries, and [`NULL`] twice at the end.
    ///   No entry may be ASCII or above [`NULL`].
    /// * Each row in `rows` must lie in `table`, with two entries after it.
    /// * Each column of `trailing` must be less than `columns`.
    #[must_use]
    pub const fn new(
        table: &'a [u16],
        columns: u16,
        rows: [u8; 128],
        singles: &'a Characters,
        trailing: &'a Columns,
        others: fn(&[u8]) -> u16,
    ) -> Self {
        assert!(0 < columns && columns <= 0xFF, "a column is not a byte");
        assert!(0x100 <= table.len(), "a byte is not a place in the table");
        assert!(table.len() <= NO_ROW as usize * columns as usize, "a pair without a row has a place in the table");
        let end = table.len() - 2;
        assert!(table[end] == NULL && table[end + 1] == NULL, "the table does not end with NULL twice");
        // Eight entries in each round, because the compiler evaluates this check whenever it compiles a crate with a
        // table. One entry in each round took 5 times as long.
        let mut rest = table;
        while let [
            0x80..=NULL,
            0x80..=NULL,
            0x80..=NULL,
            0x80..=NULL,
            0x80..=NULL,
            0x80..=NULL,
            0x80..=NULL,
            0x80..=NULL,
            after @ ..,
        ] = rest
        {
            rest = after;
        }
        let mut at = 0;
        while at < rest.len() {
            assert!(0x80 <= rest[at] && rest[at] <= NULL, "a pair has a code unit of ASCII or above NULL");
            at += 1;
        }
        let mut at = 0;
        while at < 128 {
            let row = rows[at] as usize;
            let is_in_table = row < NO_ROW as usize && (row + 1) * columns as usize <= end;
            assert!(is_in_table || rows[at] == NO_ROW || rows[at] == ALONE, "a row is not in the table");
            at += 1;
        }
        let mut at = 0;
        while at < 256 {
            let column = trailing.of[at];
            assert!(column < columns || column == NO_COLUMN, "a trailing byte has a column of the next row");
            at += 1;
        }
        DoubleByte { table, columns, rows, groups: LeadGroups::new(&rows), singles, trailing, rules: None, others }
    }

    /// The same tables with rules for most pairs that have no place in the table. Only vector bodies use the rules; the
    /// function `others` returns the same code units.
    #[must_use]
    pub const fn with_rules(self, rules: &'a Rules<'a>) -> Self {
        DoubleByte { rules: Some(rules), ..self }
    }

    /// The same table for another encoding that has the same pairs in some rows, without rules. `rows`, `singles` and
    /// `others` are those of [`new`](Self::new) for the other encoding.
    ///
    /// # Panics
    /// If a leading byte has a row in `rows` that it does not have in this table.
    #[must_use]
    pub const fn with_rows(self, rows: [u8; 128], singles: &'a Characters, others: fn(&[u8]) -> u16) -> Self {
        let mut at = 0;
        while at < 128 {
            let is_same = rows[at] == self.rows[at];
            assert!(is_same || rows[at] == NO_ROW || rows[at] == ALONE, "a leading byte has another row");
            at += 1;
        }
        DoubleByte { rows, groups: LeadGroups::new(&rows), singles, rules: None, others, ..self }
    }

    getters! {
        /// The code units by row and column, and [`NULL`] twice at the end.
        pub(crate) table: &'a [u16];

        /// The number of columns of a row, which is a byte.
        pub(crate) columns: u16;
    }

    /// For each byte from 0x80 on: its row, [`NO_ROW`] or [`ALONE`].
    #[inline(always)]
    #[must_use]
    pub const fn rows(&self) -> &[u8; 128] {
        &self.rows
    }

    /// The leading bytes and their rows, as vector bodies load them.
    #[inline(always)]
    pub(crate) const fn groups(&self) -> &LeadGroups {
        &self.groups
    }

    getters! {
        /// For each byte from 0x80 on that is no leading byte: its code unit, or [`NULL`] if it has none.
        pub(crate) singles: &'a Characters;

        /// The columns of trailing bytes.
        pub(crate) trailing: &'a Columns;

        /// Rules for most pairs that have no place in the table, if the encoding has any.
        pub(crate) rules: Option<&'a Rules<'a>>;
    }

    /// Asks the encoding for the code unit of the pair that `bytes` start with, for which the table has [`NULL`].
    /// Returns [`NULL`] for a malformed pair, and a surrogate for bytes that the caller decodes.
    ///
    /// If the encoding returns ASCII, the result is [`NULL`], because the kernels rely on the fact that a pair becomes
    /// at least two bytes of UTF-8.
    #[inline(always)]
    #[must_use]
    pub fn other(&self, bytes: &[u8]) -> u16 {
        let unit = (self.others)(bytes);
        if unit < 0x80 { NULL } else { unit }
    }

    /// The code unit of a pair whose first byte is a leading byte; [`NULL`] or a surrogate if it has none.
    #[must_use]
    pub fn pair(&self, leading: u8, trailing: u8) -> u16 {
        let unit = self.listed(leading, trailing);
        if unit == NULL { self.other(&[leading, trailing]) } else { unit }
    }

    /// The entry of the table for a pair; [`NULL`] if `leading` is no leading byte or the pair is not in the table.
    #[inline(always)]
    #[must_use]
    pub const fn listed(&self, leading: u8, trailing: u8) -> u16 {
        let row = self.rows[(leading & 0x7F) as usize];
        let column = self.trailing.of[trailing as usize];
        // Without a row or a column, the place is beyond the end of the table.
        let place = row as usize * self.columns as usize + column as usize;
        if place < self.table.len() { self.table[place] } else { NULL }
    }
}

/// The leading bytes and their rows, as vectors need them: an entry for each group of eight bytes from 0x80 on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeadGroups {
    /// One bit for each byte of the group: whether it is a leading byte.
    pub(crate) leading: [u8; 16],
    /// The least difference between a byte of the group and its row. Mostly all bytes of a group have this difference.
    /// In tables that omit a row within a group, the characters before the omitted row are the frequent ones.
    pub(crate) differences: [u8; 16],
    /// One bit for each byte of the group: whether it has the row that `differences` gives. Pairs with other leading
    /// bytes, which are rare, are looked up one by one.
    pub(crate) with_rows: [u8; 16],
}

impl LeadGroups {
    /// `rows` as in [`DoubleByte::new`].
    pub(crate) const fn new(rows: &[u8; 128]) -> Self {
        /// The byte whose row is at this place.
        const fn byte_of(at: usize) -> u8 {
            0x80 + at as u8
        }
        let mut groups = LeadGroups { leading: [0; 16], differences: [0xFF; 16], with_rows: [0; 16] };
        let mut at = 0;
        while at < 128 {
            let group = at / 8;
            groups.leading[group] |= ((rows[at] != ALONE) as u8) << (at % 8);
            // A row is less than each of these bytes.
            if rows[at] < NO_ROW && byte_of(at) - rows[at] < groups.differences[group] {
                groups.differences[group] = byte_of(at) - rows[at];
            }
            at += 1;
        }
        at = 0;
        while at < 128 {
            let has_row = rows[at] < NO_ROW && byte_of(at) - rows[at] == groups.differences[at / 8];
            groups.with_rows[at / 8] |= (has_row as u8) << (at % 8);
            at += 1;
        }
        groups
    }
}

/// The columns of trailing bytes.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    ranges: [Trailing; 2],
    of: [u16; 256],
}

/// The columns of the 94 bytes 0xA1 to 0xFE, which are the trailing bytes of the encodings that extend an EUC code.
pub static EUC: Columns = Columns::new([Trailing { first: 0xA1, last: 0xFE, column: 0 }; 2]);

impl Columns {
    /// The columns of two ranges. An encoding with a single range passes it twice.
    ///
    /// # Panics
    /// If a range ends before it begins, or if one of its columns is not a byte.
    #[must_use]
    pub const fn new(ranges: [Trailing; 2]) -> Self {
        let mut of = [NO_COLUMN; 256];
        let mut at = 0;
        while at < ranges.len() {
            let Trailing { first, last, column } = ranges[at];
            assert!(first <= last && last < 0xFF, "a range of trailing bytes ends before it begins");
            assert!(column as u16 + (last - first) as u16 <= 0xFF, "a column is not a byte");
            let mut byte = first;
            while byte <= last {
                of[byte as usize] = (column + (byte - first)) as u16;
                byte += 1;
            }
            at += 1;
        }
        Columns { ranges, of }
    }

    /// The trailing bytes as two ranges, which vector bodies compute columns from.
    #[inline(always)]
    pub(crate) const fn ranges(&self) -> &[Trailing; 2] {
        &self.ranges
    }

    /// The column of each byte; [`NO_COLUMN`] if it has none.
    #[inline(always)]
    pub(crate) const fn of(&self) -> &[u16; 256] {
        &self.of
    }
}

/// A range of trailing bytes, which has consecutive columns.
#[derive(Clone, Copy, Debug)]
pub struct Trailing {
    /// The first byte of the range.
    pub first: u8,
    /// The last byte of the range.
    pub last: u8,
    /// The column of the first byte.
    pub column: u8,
}

impl Trailing {
    /// What vectors compare bytes with: the first byte, the distance from there to the last byte, and the difference
    /// between a byte and its column.
    pub(crate) fn bounds(self) -> [u8; 3] {
        [self.first, self.last - self.first, self.first.wrapping_sub(self.column)]
    }
}

/// The rows of [`DoubleByte::new`] for ranges of leading bytes, each with the row of its first byte, or with [`NO_ROW`]
/// for all of its bytes.
#[must_use]
pub const fn rows(ranges: &[(core::ops::RangeInclusive<u8>, u8)]) -> [u8; 128] {
    let mut rows = [ALONE; 128];
    let mut at = 0;
    while at < ranges.len() {
        let (range, row) = &ranges[at];
        let mut leading = *range.start();
        while leading <= *range.end() {
            rows[leading as usize - 0x80] = if *row == NO_ROW { NO_ROW } else { *row + (leading - *range.start()) };
            leading += 1;
        }
        at += 1;
    }
    rows
}

/// The `others` of an encoding whose pairs are all in the table.
#[must_use]
pub fn no_others(_: &[u8]) -> u16 {
    NULL
}
