//! Each invariant of a table: a constructor accepts a right table, and panics at a table that differs in one point.

use super::{
    ALONE, Columns, DoubleByte, LeadGroups, NO_ROW, Trailing, ascending::Ascending, no_others, rows, rules::Rules,
};
use crate::{base::units::NULL, level::at_every_level, single_byte::tables::Characters, testing::refuses};

/// The parts of a [`DoubleByte`] with two rows of 130 columns.
struct Pairs {
    table: Vec<u16>,
    columns: u16,
    rows: [u8; 128],
    trailing: Columns,
}

impl Pairs {
    fn new() -> Self {
        let mut table = vec![0x4E00; 260];
        table.extend([NULL; 2]);
        let rows = rows(&[(0x81..=0x82, 0), (0xE0..=0xE0, NO_ROW)]);
        let trailing = Columns::new([Trailing { first: 0x40, last: 0xBF, column: 0 }; 2]);
        Pairs { table, columns: 130, rows, trailing }
    }

    fn make(&self) {
        let _ = DoubleByte::new(&self.table, self.columns, self.rows, &Characters::NONE, &self.trailing, no_others);
    }

    /// Checks that the constructor refuses the parts after a change.
    fn refuses(message: &str, change: impl FnOnce(&mut Self)) {
        let mut pairs = Pairs::new();
        pairs.make();
        change(&mut pairs);
        refuses(message, || pairs.make());
    }
}

#[test]
fn double_byte_refuses_wrong_tables() {
    Pairs::refuses("a column is not a byte", |pairs| pairs.columns = 256);
    Pairs::refuses("a column is not a byte", |pairs| pairs.columns = 0);
    Pairs::refuses("a byte is not a place in the table", |pairs| drop(pairs.table.drain(..10)));
    Pairs::refuses("a pair without a row has a place in the table", |pairs| pairs.table.resize(130 * 126 + 1, NULL));
    Pairs::refuses("the table does not end with NULL twice", |pairs| pairs.table[261] = 0x4E00);
    Pairs::refuses("the table does not end with NULL twice", |pairs| pairs.table[260] = 0x4E00);
    for place in 0..260 {
        Pairs::refuses("a pair has a code unit of ASCII or above NULL", |pairs| pairs.table[place] = 0x7F);
        Pairs::refuses("a pair has a code unit of ASCII or above NULL", |pairs| pairs.table[place] = 0xFFFE);
    }
    Pairs::refuses("a row is not in the table", |pairs| pairs.rows[1] = 2);
    Pairs::refuses("a row is not in the table", |pairs| pairs.rows[1] = NO_ROW + 1);
    Pairs::refuses("a trailing byte has a column of the next row", |pairs| pairs.columns = 127);
}

#[test]
fn columns_refuse_wrong_ranges() {
    let range = |first, last, column| move || Columns::new([Trailing { first, last, column }; 2]);
    refuses("a range of trailing bytes ends before it begins", range(0x41, 0x40, 0));
    refuses("a range of trailing bytes ends before it begins", range(0x41, 0xFF, 0));
    refuses("a column is not a byte", range(0x40, 0xFE, 0x42));
}

#[test]
fn rows_of_several_ranges() {
    let rows = rows(&[(0x81..=0x83, 5), (0xE0..=0xE1, NO_ROW)]);
    assert_eq!(rows[..5], [ALONE, 5, 6, 7, ALONE]);
    assert_eq!(rows[0x60..0x63], [NO_ROW, NO_ROW, ALONE]);
}

#[test]
fn groups_of_leading_bytes_have_the_rows_of_all_bytes_but_a_few() {
    let rows = rows(&[(0x81..=0x9F, 0), (0xE0..=0xEA, 31), (0xEB..=0xEC, NO_ROW), (0xED..=0xFC, 42)]);
    let LeadGroups { leading, differences, with_rows } = LeadGroups::new(&rows);
    for (at, row) in rows.into_iter().enumerate() {
        let byte = 0x80 + at as u8;
        let bit = |bits: [u8; 16]| bits[at / 8] >> (at % 8) & 1 == 1;
        assert_eq!(bit(leading), row != ALONE, "{byte:X}");
        // The group of 0xE8 has rows on both sides of two bytes without a row, and the difference is that of the first.
        assert_eq!(bit(with_rows), row < NO_ROW && !(0xED..=0xEF).contains(&byte), "{byte:X}");
        if bit(with_rows) {
            assert_eq!(byte - differences[at / 8], row, "{byte:X}");
        }
    }
}

#[test]
fn rules_refuse_wrong_parts() {
    let unlisted = Ascending::new(0x4E00, &[!0], &[0, 0]);
    let make = |rule: [u16; 2], first, gaps, unlisted: &Ascending<'_>| {
        let _ = Rules::new(&[rule; 126], first, gaps, NULL, unlisted);
    };
    let gaps = [(0x5B, 6), (0x7B, 6)];
    make([7, 0xE000 - 83], 0x41, gaps, &unlisted);
    refuses("the first gap begins before the trailing bytes", || make([7, NULL], 0x5C, gaps, &unlisted));
    refuses("the gaps are not in ascending order", || make([7, NULL], 0x41, [(0x5B, 0x30), (0x7B, 6)], &unlisted));
    refuses("the second gap goes on after the trailing bytes", || {
        make([7, NULL], 0x41, [(0x5B, 6), (0xFB, 6)], &unlisted);
    });
    let left = "a rule of a left half gives a code point that is no character";
    refuses(left, || make([0xD800 - 95, NULL], 0x41, gaps, &unlisted));
    refuses(left, || make([0xDFFF, NULL], 0x41, gaps, &unlisted));
    let right = "a rule of a right half gives a code point that is no character";
    refuses(right, || make([NULL, 0xE000 - 85], 0x41, gaps, &unlisted));
    refuses(right, || make([NULL, 0xFFFC - 188], 0x41, gaps, &unlisted));
    refuses("a rank is as great as a code point", || {
        let samples: Vec<u16> = (0..0x401).map(|sample| 32 * sample).collect();
        let mut bits = vec![!0; 0x401];
        bits[0x400] = 1;
        let samples = [&samples[..], &[0]].concat();
        make([7, NULL], 0x41, gaps, &Ascending::new(0x4E00, &bits, &samples));
    });
}

#[test]
fn ascending_code_points_have_their_ranks() {
    // Code points from U+4E01 on: every third one; most; few, with ranks that are many words apart; and all.
    let kinds: [fn(usize) -> bool; 4] = [|at| at % 3 == 1, |at| at % 7 != 2, |at| at % 211 == 5, |_| true];
    for has_rank in kinds {
        let word = |word: usize| (0..32).map(|at| u32::from(has_rank(32 * word + at)) << at).sum();
        let bits: Vec<u32> = (0..300).map(word).collect();
        let ranked: Vec<u16> = (0..300 * 32).filter(|&at| has_rank(at)).map(|at| at as u16).collect();
        let mut samples: Vec<u16> = ranked.iter().copied().step_by(32).collect();
        samples.push(0);
        let ascending = Ascending::new(0x4E00, &bits, &samples);
        assert_eq!(usize::from(ascending.count()), ranked.len());
        at_every_level(|_| {
            for (rank, &at) in (0..).zip(&ranked) {
                assert_eq!(ascending.nth(rank), Some(0x4E00 + at), "rank {rank}");
            }
            assert_eq!((ascending.nth(ascending.count()), ascending.nth(0xFFFF)), (None, None));
        });
    }
}

#[test]
fn ascending_refuses_wrong_parts() {
    let make = |first, bits: &[u32], samples: &[u16]| _ = Ascending::new(first, bits, samples);
    make(0x4E00, &[0, !0, 2], &[32, 65, 0]);
    let outside = "a bit stands for ASCII or a code point after U+D7FF";
    refuses(outside, || make(0x7F, &[1], &[0, 0]));
    make(0xD7E0, &[1], &[0, 0]);
    refuses(outside, || make(0xD7E1, &[1], &[0, 0]));
    refuses("no code point has a rank", || make(0x4E00, &[0], &[0]));
    refuses("a sample is the number of another bit", || make(0x4E00, &[0, !0, 2], &[32, 64, 0]));
    refuses("a sample is the number of another bit", || make(0x4E00, &[0, !0, 2], &[32]));
    refuses("there is not one sample more than needed", || make(0x4E00, &[0, !0, 2], &[32, 65]));
    refuses("there is not one sample more than needed", || make(0x4E00, &[0, !0, 2], &[32, 65, 0, 0]));
}
