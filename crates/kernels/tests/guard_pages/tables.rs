//! Tables for the kernels that take one. Each table that a kernel reads by places ends at an unmapped page, as the
//! slices do.

use super::memory::guarded_table;
use textcodec_kernels::{
    double_byte::{ALONE, Ascending, CALLERS, Columns, DoubleByte, NO_ROW, NULL, Rules, Trailing},
    four_bytes::Range,
    single_byte::Characters,
    to_double_byte::{Block, Divisor, Listed, NO_POINTER, Part, Run, ToDoubleByte},
    to_single_byte::{ALIGN, BLOCK, ByteTable, NO_BLOCK, RARE, WINDOW},
};

/// The tables that the functions of the test use.
pub(crate) struct Tables {
    /// Cyrillic letters, with holes.
    pub(crate) code_points: &'static Characters,
    /// The bytes of `code_points`.
    pub(crate) bytes: &'static ByteTable,
    /// Pairs without rules, as in Shift_JIS.
    pub(crate) plain: DoubleByte<'static>,
    /// Pairs with rules, as in GBK and EUC-KR.
    pub(crate) ruled: DoubleByte<'static>,
    /// Code units to pairs.
    pub(crate) pointers: ToDoubleByte<'static>,
    /// Sequences of four bytes, as in gb18030.
    pub(crate) range: Range,
}

impl Tables {
    pub(crate) fn new() -> Self {
        let listed = listed();
        let (code_points, bytes) = single_byte();
        Tables {
            code_points,
            bytes,
            plain: double_byte(None),
            ruled: double_byte(Some(rules())),
            pointers: to_double_byte(listed),
            range: Range { pointer: 0, unit: 0x80, length: 39_420 },
        }
    }
}

/// A reference to a leaked value.
fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn single_byte() -> (&'static Characters, &'static ByteTable) {
    const BLOCKS: usize = 0x257F / BLOCK + 1;
    let code_points: [u16; 128] = core::array::from_fn(|at| match at {
        0x25 => NULL,
        // A rare character.
        0x35 => 0x25FF,
        // Outside of the windows.
        _ if at % 16 == 7 => 0x2500 + at as u16,
        _ => 0x0400 + at as u16,
    });
    let mut by_code_point = [0; BLOCKS + 4 * BLOCK + RARE];
    by_code_point[1..BLOCKS].fill(NO_BLOCK);
    by_code_point[BLOCKS + 4 * BLOCK..].copy_from_slice(&[0xFF, 0x25, 0x80 + 0x35]);
    for (at, &unit) in code_points.iter().enumerate().filter(|&(_, &unit)| unit != NULL && unit != 0x25FF) {
        let start = if unit < 0x2500 { 0 } else { WINDOW } + usize::from(unit) % WINDOW / BLOCK * BLOCK;
        by_code_point[usize::from(unit) / BLOCK] = (start / ALIGN) as u8;
        by_code_point[BLOCKS + start + usize::from(unit) % BLOCK] = 0x80 + at as u8;
    }
    let code_points = leaked(Characters::new(code_points));
    (code_points, leaked(ByteTable::new(code_points, [(0x0400 / WINDOW) as u8; 4], BLOCKS as u8, 1, by_code_point)))
}

/// The first byte after a leading byte, and how many columns follow from it in the table.
const FIRST: u8 = 0x41;
const COLUMNS: u16 = 188;

fn double_byte(rules: Option<&'static Rules<'static>>) -> DoubleByte<'static> {
    // The last leading bytes have no rows, and two rows change places.
    let mut rows: [u8; 128] = core::array::from_fn(|at| match at as u8 + 0x80 {
        leading @ 0x81..=0x9F => leading - 0x81,
        leading @ 0xE0..=0xF7 => leading - 0xC1,
        0xF8..=0xFE => NO_ROW,
        _ if rules.is_some() => NO_ROW,
        _ => ALONE,
    });
    rows[0x00] = ALONE;
    rows[0x7F] = ALONE;
    rows.swap(0x05, 0x0C);
    let singles: [u16; 128] = core::array::from_fn(|at| if at < 0x40 { 0xFF40 + at as u16 } else { NULL });
    let mut table: Vec<u16> = (0..55 * COLUMNS)
        .map(|place| match place % 409 {
            0 | 10 => NULL,
            1 => 0xD800,
            2..20 => 0x400 + place % 0x100,
            _ => 0x4E00 + place,
        })
        .collect();
    table.extend([NULL; 2]);
    let trailing = [Trailing { first: 0x40, last: 0x7E, column: 0 }, Trailing { first: 0x80, last: 0xFC, column: 63 }];
    let others = |bytes: &[u8]| match *bytes {
        [_, 0x30..=0x39, ..] => CALLERS,
        [0x81..=0x90, trailing @ 0x40..=0xFF, ..] => 0xE000 + u16::from(trailing),
        _ => NULL,
    };
    let (table, columns) = (guarded_table(&table), leaked(Columns::new(trailing)));
    let encoding = DoubleByte::new(table, COLUMNS, rows, leaked(Characters::new(singles)), columns, others);
    rules.map_or(encoding, |rules| encoding.with_rules(rules))
}

/// The code units 0x4E00 to 0x4FFF: about half of them are listed.
const GROUPS: [usize; 2] = [0x4E, 0x4F];

fn listed() -> &'static Listed<'static> {
    let mut groups = [0; 256];
    let (mut blocks, mut pointers) = (vec![Block::new(0, 0); 8], vec![]);
    for group in GROUPS {
        groups[group] = (blocks.len() / 8) as u8;
        for number in 0..8 {
            let bits = 0x5A3C_F00F_u32.rotate_left(3 * number);
            blocks.push(Block::new(bits, pointers.len() as u16));
            pointers.extend((0..bits.count_ones() as u16).map(|at| (at * 997 + number as u16 * 131) % (58 * COLUMNS)));
        }
    }
    blocks.push(Block::new(0, pointers.len() as u16));
    pointers.push(NO_POINTER);
    leaked(Listed::new(leaked(groups), guarded_table(&blocks), guarded_table(&pointers), Run::NONE))
}

fn rules() -> &'static Rules<'static> {
    let bits: Vec<u32> = (0..16).map(|number| !0x5A3C_F00F_u32.rotate_left(3 * number)).collect();
    let ranked: Vec<u16> = (0..512).filter(|&at| bits[usize::from(at / 32)] >> (at % 32) & 1 != 0).collect();
    let mut samples: Vec<u16> = ranked.iter().copied().step_by(usize::from(Ascending::SAMPLE)).collect();
    samples.push(0);
    let unlisted = leaked(Ascending::new(0x4E00, guarded_table(&bits), guarded_table(&samples)));
    let count = unlisted.count();
    let halves: Vec<[u16; 2]> =
        (0..126).map(|row| [row * 7 % count, if row % 3 == 0 { NULL } else { 0xA000 + 90 * row }]).collect();
    let halves = guarded_table(&halves).first_chunk().expect("126 rows");
    leaked(Rules::new(halves, FIRST, [(0x5B, 6), (0x7B, 6)], 0xA123, unlisted))
}

fn to_double_byte(listed: &'static Listed<'static>) -> ToDoubleByte<'static> {
    let others = |unit| if unit % 16 == 3 { unit % 0x2000 } else { NO_POINTER };
    let (leading, trailing) = (Part::new(0x81, 0xC1, 31), Part::new(0x40, 0x41, 63));
    ToDoubleByte::new(listed, 57 * COLUMNS, Divisor::new(COLUMNS), leading, trailing, others)
}
