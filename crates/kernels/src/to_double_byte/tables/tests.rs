//! Each invariant of a table: a constructor accepts a right table, and panics at a table that differs in one point.

use super::{
    Divisor, Part, ToDoubleByte,
    listed::{Block, Listed, NO_POINTER, Run, are_below},
    no_other_pointers,
};
use crate::testing::refuses;

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
