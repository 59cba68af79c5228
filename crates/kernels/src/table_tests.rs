//! Each invariant of a table: a constructor accepts a right table, and panics at a table that differs in one point.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    base::units::NULL,
    double_byte::tables::{
        ALONE, Columns, DoubleByte, LeadGroups, NO_ROW, Trailing, ascending::Ascending, no_others, rows, rules::Rules,
    },
    single_byte::tables::{ALIGN, BLOCK, ByteTable, Characters, NO_BLOCK, RARE},
    to_double_byte::tables::{
        Divisor, Part, ToDoubleByte,
        listed::{Block, Listed, NO_POINTER, Run, are_below},
        no_other_pointers,
    },
};

/// Checks that `make` panics with `message`.
fn refuses<T>(message: &str, make: impl FnOnce() -> T) {
    let Err(panic) = catch_unwind(AssertUnwindSafe(make)) else { panic!("no panic: {message}") };
    let found = panic.downcast_ref::<&str>().copied().unwrap_or("a panic that has arguments");
    assert_eq!(found, message);
}

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
fn characters_refuse_code_units_that_are_no_characters() {
    for unit in [0, 0x7F, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF] {
        let mut units = [NULL; 128];
        units[77] = unit;
        refuses("a byte has ASCII, a surrogate, U+FFFE or U+FFFF", || Characters::new(units));
    }
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

/// The parts of a [`Listed`] that lists the even code units of the groups 0x4E and 0x4F.
struct Lists {
    groups: [u8; 256],
    blocks: Vec<Block>,
    pointers: Vec<u16>,
    run: Run,
}

impl Lists {
    fn new() -> Self {
        let mut groups = [0; 256];
        (groups[0x4E], groups[0x4F]) = (1, 2);
        let mut blocks = vec![Block::new(0, 0); 8];
        blocks.extend((0..16).map(|block| Block::new(0x5555_5555, 16 * block)));
        blocks.push(Block::new(0, 0));
        let mut pointers: Vec<u16> = (0..256).collect();
        pointers.push(NO_POINTER);
        Lists { groups, blocks, pointers, run: Run::NONE }
    }

    fn make(&self) -> Listed<'_> {
        Listed::new(&self.groups, &self.blocks, &self.pointers, self.run)
    }

    /// Checks that the constructor refuses the parts after a change.
    fn refuses(message: &str, change: impl FnOnce(&mut Self)) {
        let mut lists = Lists::new();
        assert_eq!((lists.make().pointer(0x4E02), lists.make().pointer(0x4E03)), (1, NO_POINTER));
        change(&mut lists);
        refuses(message, || _ = lists.make());
    }
}

#[test]
fn listed_refuses_wrong_tables() {
    Lists::refuses("groups are not numbered in ascending order", |lists| lists.groups.swap(0x4E, 0x4F));
    Lists::refuses("groups are not numbered in ascending order", |lists| lists.groups[0x80] = 2);
    Lists::refuses("each group has eight blocks, and one block follows them", |lists| lists.groups[0x80] = 3);
    Lists::refuses("each group has eight blocks, and one block follows them", |lists| _ = lists.blocks.pop());
    Lists::refuses("the blocks of group 0 and the last block list nothing", |lists| lists.blocks[0] = Block::new(1, 0));
    Lists::refuses("the blocks of group 0 and the last block list nothing", |lists| {
        lists.blocks[24] = Block::new(1, 0);
    });
    Lists::refuses("the numbers of blocks are not consecutive", |lists| lists.blocks[9] = Block::new(0x5555_5555, 17));
    Lists::refuses("the code unit 0xFFFF is listed", |lists| {
        lists.groups[0xFF] = 3;
        lists.blocks.splice(24.., [Block::new(0, 256); 7]);
        lists.blocks.extend([Block::new(1 << 31, 256), Block::new(0, 257)]);
        lists.pointers.insert(0, 0);
    });
    Lists::refuses("there is not one pointer for each listed code unit", |lists| _ = lists.pointers.pop());
    Lists::refuses("the last pointer is not NO_POINTER", |lists| lists.pointers[256] = 256);
    for place in 0..256 {
        Lists::refuses("a pointer is too great for the division by the number of columns", |lists| {
            lists.pointers[place] = 0x8000;
        });
    }
}

/// As [`Lists::new`], with a run: the code units of the group 0x4E have the numbers from 1000 on. In each row of 190
/// columns are 94 pointers of the run.
fn lists_with_run() -> Lists {
    let mut lists = Lists::new();
    lists.run = Run::new(1000, 500, Divisor::new(94), 96);
    for block in 0..8 {
        lists.blocks[8 + block] = Block::new(0x5555_5555, 1000 + 16 * block as u16);
        lists.blocks[16 + block] = Block::new(0x5555_5555, 16 * block as u16);
    }
    lists.pointers.drain(..128);
    lists
}

#[test]
fn the_pointers_of_a_run_follow_from_its_numbers() {
    let lists = lists_with_run();
    let listed = lists.make();
    for (number, unit) in (0..128).zip((0x4E00..).step_by(2)) {
        assert_eq!(listed.pointer(unit), 500 + number + number / 94 * 96, "{unit:04X}");
        assert_eq!(listed.pointer_or_number(unit), 1000 + number, "{unit:04X}");
        assert_eq!((listed.pointer(unit + 1), listed.pointer_or_number(unit + 1)), (NO_POINTER, NO_POINTER));
        assert_eq!(listed.pointer(0x100 + unit), 128 + number, "{unit:04X}");
    }
    // The last pointer of the run is 723.
    assert_eq!([256, 723, 724].map(|end| listed.are_pointers_below(end)), [false, false, true]);
}

#[test]
fn each_number_is_compared_with_the_end() {
    for length in 0..=17 {
        let mut numbers = vec![99; length];
        assert!(are_below(&numbers, 100));
        for at in 0..length {
            numbers[at] = 100;
            assert!(!are_below(&numbers, 100), "{at} of {length}");
            assert!(are_below(&numbers, 101), "{at} of {length}");
            numbers[at] = 0;
        }
    }
}

#[test]
fn listed_refuses_wrong_runs() {
    let refuses_after = |message: &str, change: fn(&mut Lists)| {
        let mut lists = lists_with_run();
        let _ = lists.make();
        change(&mut lists);
        refuses(message, || _ = lists.make());
    };
    refuses_after("the numbers of blocks are not consecutive", |lists| lists.blocks[9] = Block::new(0x5555_5555, 1017));
    refuses_after("the numbers of blocks are not consecutive", |lists| lists.blocks[17] = Block::new(0x5555_5555, 17));
    refuses_after("a pointer is a number of the run", |lists| lists.pointers[5] = 1000);
    refuses_after("a pointer of the run is a number of the run", |lists| {
        lists.run = Run::new(1000, 1000 - 127 - 96, Divisor::new(94), 96);
    });
    let long = "a run has no numbers, or numbers that are too great for the division by the number of columns";
    refuses_after(long, |lists| {
        lists.run = Run::new(0x8000 - 127, 500, Divisor::new(94), 96);
        for block in 0..8 {
            lists.blocks[8 + block] = Block::new(0x5555_5555, 0x8000 - 127 + 16 * block as u16);
        }
    });
    refuses_after(long, |lists| {
        *lists = Lists::new();
        lists.run = Run::new(1000, 500, Divisor::new(94), 96);
    });
    refuses_after("a number of the run is a place in the list", |lists| {
        lists.run = Run::new(128, 0, Divisor::new(94), 0);
        for block in 0..8 {
            lists.blocks[8 + block] = Block::new(0x5555_5555, 128 + 16 * block as u16);
        }
        lists.pointers[..128].fill(7);
    });
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
    // Every third code point from U+4E01 on.
    let has_rank = |at: usize| at % 3 == 1;
    let bits: Vec<u32> = (0..9).map(|word| (0..32).map(|at| u32::from(has_rank(32 * word + at)) << at).sum()).collect();
    let ranked: Vec<u16> = (0..9 * 32).filter(|&at| has_rank(at)).map(|at| at as u16).collect();
    let mut samples: Vec<u16> = ranked.iter().copied().step_by(32).collect();
    samples.push(0);
    let ascending = Ascending::new(0x4E00, &bits, &samples);
    assert_eq!(usize::from(ascending.count()), ranked.len());
    for (rank, &at) in (0..).zip(&ranked) {
        assert_eq!(ascending.nth(rank), Some(0x4E00 + at), "rank {rank}");
    }
    assert_eq!((ascending.nth(ascending.count()), ascending.nth(0xFFFF)), (None, None));
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

#[test]
fn to_double_byte_refuses_wrong_parts() {
    let lists = Lists::new();
    let listed = lists.make();
    let make = |end, columns, leading: Part, trailing: Part| {
        let columns = Divisor::new(columns);
        ToDoubleByte::new(&listed, end, columns, leading, trailing, no_other_pointers)
    };
    // The greatest pointer is 255, in row 2 of 94 columns.
    let _ = make(NO_POINTER, 94, Part::from(0xFD), Part::from(0xA2));
    let _ = make(2 * 94, 94, Part::from(0xFE), Part::from(0xA2));
    refuses("a column makes no byte", || make(NO_POINTER, 94, Part::from(0xA1), Part::from(0xA3)));
    refuses("a row makes no byte", || make(NO_POINTER, 94, Part::from(0xFE), Part::from(0xA1)));
    refuses("not all pointers of a table with a run are used", || {
        let lists = lists_with_run();
        let (leading, trailing) = (Part::from(0xA1), Part::from(0xA1));
        let _ = ToDoubleByte::new(&lists.make(), 94 * 94, Divisor::new(94), leading, trailing, no_other_pointers);
    });
    refuses("the upper offset is less than the lower one", || Part::new(2, 1, 5));
    for divisor in [0, 64, 256] {
        refuses("the factor is only exact for divisors from 65 to 255", || Divisor::new(divisor));
    }
}

#[test]
fn single_byte_refuses_wrong_tables() {
    // The code points U+0400 to U+047F, U+2116 in place of the last, and the rare characters U+2044 and U+FB01 in place
    // of the first.
    const BLOCKS: usize = 0x2116 / BLOCK + 1;
    // The last block of the second part is empty.
    const RARE_START: usize = BLOCKS + 4 * BLOCK;
    const LENGTH: usize = RARE_START + 2 * RARE;
    // From the start of a block to the start of the next one.
    const STEP: u8 = (BLOCK / ALIGN) as u8;
    type Parts = ([u16; 128], [u8; 4], u8, u8, [u8; LENGTH]);
    let parts = || -> Parts {
        let mut code_points: [u16; 128] = core::array::from_fn(|at| 0x400 + at as u16);
        (code_points[0], code_points[1], code_points[0x7F]) = (0x2044, 0xFB01, 0x2116);
        let mut by_code_point = [NO_BLOCK; LENGTH];
        by_code_point[BLOCKS..].fill(0);
        (by_code_point[0], by_code_point[0x2116 / BLOCK]) = (0, 2 * STEP);
        (by_code_point[0x400 / BLOCK], by_code_point[0x440 / BLOCK]) = (0, STEP);
        for at in 2..0x7F {
            by_code_point[BLOCKS + at] = 0x80 + at as u8;
        }
        by_code_point[BLOCKS + 2 * BLOCK + 0x16] = 0xFF;
        by_code_point[RARE_START..].copy_from_slice(&[0x44, 0x20, 0x80, 0x01, 0xFB, 0x81]);
        (code_points, [8, 66, 8, 8], BLOCKS as u8, 2, by_code_point)
    };
    let make = |(code_points, windows, blocks, rare, by_code_point): Parts| {
        ByteTable::new(&Characters::new(code_points), windows, blocks, rare, by_code_point)
    };
    let table = make(parts());
    let table: &ByteTable = &table;
    assert_eq!((table.byte('Ђ'), table.byte('№'), table.byte('ѿ')), (Some(0x82), Some(0xFF), None));
    assert_eq!((table.byte('⁄'), table.byte('ﬁ'), table.byte('ﬂ')), (Some(0x80), Some(0x81), None));
    // Code points of the blocks before and after the blocks that have bytes.
    for character in ['\u{3FF}', '\u{480}', '\u{20FF}', '\u{2140}', '\u{10FFFF}'] {
        assert_eq!(table.byte(character), None, "{character:?}");
    }
    // Kernels stop before rare characters.
    assert_eq!((table.by_code_point().byte('⁄'), table.by_code_point().byte('ﬁ')), (None, None));
    // The upper 16 bits of a code point count.
    assert_eq!((table.byte('\u{12044}'), table.byte('\u{1FB01}')), (None, None));

    let refuses_after = |message: &str, change: fn(&mut Parts)| {
        let mut parts = parts();
        change(&mut parts);
        refuses(message, || make(parts));
    };
    refuses_after("there are fewer bytes than blocks", |parts| (parts.2, parts.3) = (u8::MAX, 47));
    refuses_after("there are fewer bytes than blocks", |parts| parts.2 = 0);
    refuses_after("a window is ASCII's", |parts| parts.1[2] = 0);
    refuses_after("a window is too far from ASCII's", |parts| parts.1[3] = 0xFF);
    refuses_after("a block is not among the others", |parts| parts.4[0x2116 / BLOCK] = 3 * STEP + 1);
    refuses_after("a code point has a byte of ASCII", |parts| parts.4[BLOCKS + 2] = 0x7F);
    refuses_after("a code point has the byte of another one", |parts| parts.4[BLOCKS + 2] = 0x83);
    refuses_after("a byte has ASCII, a surrogate, U+FFFE or U+FFFF", |parts| {
        (parts.0[0x7F], parts.4[BLOCKS + 2 * BLOCK + 0x16]) = (0xD800, 0);
    });
    refuses_after("there are not as many bytes as code points", |parts| parts.4[BLOCKS + 2] = 0);
    refuses_after("there are fewer bytes than blocks", |parts| parts.3 = 88);
    refuses_after("a block is not among the others", |parts| {
        (parts.3, parts.4[0x2116 / BLOCK]) = (3, 3 * STEP);
    });
    refuses_after("rare characters are not in ascending order", |parts| parts.4[RARE_START..].rotate_left(RARE));
    refuses_after("rare characters are not in ascending order", |parts| {
        parts.4.copy_within(RARE_START..RARE_START + RARE, RARE_START + RARE)
    });
    refuses_after("a rare character has a block", |parts| parts.4[0x2044 / BLOCK] = 3 * STEP);
    refuses_after("a code point has a byte of ASCII", |parts| parts.4[RARE_START + 2] = 0);
    refuses_after("a code point has the byte of another one", |parts| parts.4[RARE_START + 2] = 0x81);
    refuses("a block that is nowhere is among the others", || {
        ByteTable::new(&Characters::new(parts().0), [8; 4], 1, 0, [0; 2 + 255 * ALIGN])
    });
}
