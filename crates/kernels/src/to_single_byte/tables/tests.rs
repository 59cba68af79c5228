//! Each invariant of a table: a constructor accepts a right table, and panics at a table that differs in one point.

use super::{ALIGN, BLOCK, ByteTable, NO_BLOCK, RARE};
use crate::{base::units::NULL, single_byte::tables::Characters, testing::refuses};

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

#[test]
fn a_table_made_at_run_time_has_the_bytes_of_its_first_blocks() {
    let mut units = [NULL; 128];
    // A character with two bytes, and one after the last block.
    (units[0], units[3], units[5], units[6], units[7]) = (0x80, 0x400, 0x4FF, 0x400, 0xFB01);
    let table = ByteTable::made_of(&Characters::new(units), [8, 9, 1, 8]);
    let table: &ByteTable = &table;
    assert_eq!(['\u{80}', '\u{400}', '\u{4FF}'].map(|character| table.byte(character)), [0x80, 0x83, 0x85].map(Some));
    for character in ['\u{81}', '\u{401}', '\u{4FE}', '\u{2000}', '\u{3FC0}', '\u{FB01}', '\u{FFFD}'] {
        assert_eq!(table.byte(character), None, "{character:?}");
    }
    let windows = table.by_code_point().windows().map(|window| window.number);
    assert_eq!(windows, [8, 9, 1, 8]);
    // Each character has a block of its own: the last blocks do not fit.
    let units: [u16; 128] = core::array::from_fn(|at| 0x80 + 0x40 * at as u16);
    let table = ByteTable::made_of(&Characters::new(units), [1; 4]);
    let table: &ByteTable = &table;
    let found = |at: u16| table.byte(char::from_u32(units[usize::from(at)].into()).unwrap());
    assert_eq!(
        (0..128).filter(|&at| found(at).is_some()).collect::<std::vec::Vec<_>>(),
        (0..15).collect::<std::vec::Vec<_>>()
    );
}
