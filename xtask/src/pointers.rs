//! The tables that lead from code points to pointers, in the shape of `textcodec_core::index::PointerTable`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use anyhow::{Context, Result, ensure};

use crate::rust;

/// Code points in a block.
const BLOCK: u32 = 16;
/// Blocks in a group.
const GROUP: u32 = 16;
/// The distance of a row to the next in the indexes that have stretches.
const ROW: u16 = 190;

/// Code points in a row, all of which are in the index; those whose pointers are not in `others` are listed.
#[derive(Debug)]
pub(crate) struct Stretch {
    first: u32,
    last: u32,
    /// Where the pointers of the listed code points are, if they ascend.
    listed: &'static [Area],
    /// Where the pointers of the other code points are, which ascend.
    others: &'static [Area],
}

/// The same columns of some rows of an index.
#[derive(Debug)]
struct Area {
    rows: u16,
    first: u16,
    columns: u16,
    gaps: [(u16, u16); 2],
}

impl Area {
    /// From the pair `leading`, `column` on, without gaps.
    const fn new(leading: u16, column: u16, rows: u16, columns: u16) -> Self {
        Area { rows, first: (leading - 0x81) * ROW + column, columns, gaps: [(0, 0); 2] }
    }

    const fn count(&self) -> u16 {
        self.rows * self.columns
    }

    /// The pointer of this `number`, row by row.
    fn pointer(&self, number: u16) -> u16 {
        let (row, place) = (number / self.columns, number % self.columns);
        let gaps = self.gaps.iter().filter(|gap| place >= gap.0).map(|gap| gap.1);
        self.first + row * ROW + place + gaps.sum::<u16>()
    }
}

/// The hanzi of Unicode 1.1 that GB 2312 does not have are in Unicode's order in GBK/3 (leading bytes 0x81 to 0xA0) and GBK/4
/// (0xAA to 0xFE, trailing bytes up to 0xA0), and the code points for private use are in three areas. U+E5E5 of
/// the last of them is not in the index: its place is another space.
static GB18030: [Stretch; 3] = [
    Stretch {
        first: 0x4E00,
        last: 0x9FA5,
        listed: &[],
        others: &[Area::new(0x81, 0, 32, 190), Area::new(0xAA, 0, 85, 96)],
    },
    Stretch {
        first: 0xE000,
        last: 0xE5E4,
        listed: &[],
        others: &[Area::new(0xAA, 96, 6, 94), Area::new(0xF8, 96, 7, 94), Area::new(0xA1, 0, 3, 96)],
    },
    Stretch { first: 0xE5E6, last: 0xE765, listed: &[], others: &[Area::new(0xA4, 0, 4, 96)] },
];

/// The syllables of KS X 1001 are in Unicode's order (leading bytes 0xB0 to 0xC8), and so are the others, which windows-949
/// has from the trailing bytes 0x41, 0x61 and 0x81 on.
static EUC_KR: [Stretch; 1] = [Stretch {
    first: 0xAC00,
    last: 0xD7A3,
    listed: &[Area::new(0xB0, 96, 25, 94)],
    others: &[
        Area { gaps: [(26, 6), (52, 6)], ..Area::new(0x81, 0, 32, 178) },
        Area { gaps: [(26, 6), (52, 6)], ..Area::new(0xA1, 0, 38, 84) },
    ],
}];

/// The stretches of an index.
pub(crate) fn stretches(index: &str) -> &'static [Stretch] {
    match index {
        "gb18030" => &GB18030,
        "euc-kr" => &EUC_KR,
        _ => &[],
    }
}

/// What the tables assume, in Rust.
pub(crate) fn assumptions() -> String {
    format!("Block::LENGTH == {BLOCK} && PointerTable::GROUP == {GROUP} && Area::ROW == {ROW}")
}

/// A table of pointers by code point.
#[derive(Debug)]
pub(crate) struct Pointers {
    groups: Vec<u8>,
    /// The listed code points of each block as bits, and the number of the first of them.
    blocks: Vec<(u16, u16)>,
    list: Vec<u16>,
    stretches: &'static [Stretch],
    /// For each of the stretches, the number of its first listed code point.
    first_listed: Vec<u16>,
}

impl Pointers {
    /// Packs `pointers`, by code point. It is an error if they are not as `stretches` say.
    pub(crate) fn new(pointers: &BTreeMap<u32, u16>, stretches: &'static [Stretch]) -> Result<Self> {
        // The listed code points in the order of their numbers: first those that are in the list.
        let mut listed: BTreeSet<u32> = pointers.keys().copied().collect();
        let mut by_rule = Vec::new();
        for stretch in stretches {
            let of_listed = stretch.split(pointers).with_context(|| format!("the stretch U+{:04X}", stretch.first))?;
            listed.retain(|code_point| !(stretch.first..=stretch.last).contains(code_point));
            if stretch.listed.is_empty() {
                listed.extend(of_listed);
            } else {
                by_rule.extend(of_listed);
            }
        }
        let list = listed.iter().map(|code_point| pointers[code_point]).collect();
        let numbers: BTreeMap<u32, u16> = listed.into_iter().chain(by_rule).zip(0..).collect();
        // The number of the first listed code point of a block; if it has none, the one after the last before.
        let number_from = |first| match numbers.range(first..first + BLOCK).next() {
            Some((_, &number)) => number,
            None => numbers.range(..first).next_back().map_or(0, |(_, &number)| number + 1),
        };

        let mut table = Pointers {
            groups: Vec::new(),
            blocks: vec![(0, 0); GROUP as usize],
            list,
            stretches,
            first_listed: stretches.iter().map(|stretch| number_from(stretch.first)).collect(),
        };
        let last = pointers.last_key_value().context("an index without entries")?.0;
        for group in (0..=*last).step_by((GROUP * BLOCK) as usize) {
            let block = |first: u32| {
                let bits = (0..BLOCK).filter(|bit| numbers.contains_key(&(first + bit)));
                (bits.fold(0, |listed, bit| listed | 1 << bit), number_from(first))
            };
            let blocks = (0..GROUP).map(|number| block(group + number * BLOCK));
            // The first group of all is for those of which nothing is listed, nor in a stretch.
            let is_empty = pointers.range(group..group + GROUP * BLOCK).next().is_none();
            let place = if is_empty { 0 } else { table.blocks.len() / GROUP as usize };
            if !is_empty {
                table.blocks.extend(blocks);
            }
            table.groups.push(u8::try_from(place).context("too many groups of blocks")?);
        }
        for code_point in 0..=0x10_FFFF {
            let (found, pointer) = (table.look_up(code_point), pointers.get(&code_point).copied());
            ensure!(found == pointer, "U+{code_point:04X} has the pointer {pointer:?}, the table finds {found:?}");
        }
        Ok(table)
    }

    /// As `PointerTable::index_pointer` does it.
    pub(crate) fn look_up(&self, code_point: u32) -> Option<u16> {
        let block = code_point / BLOCK;
        let group = u32::from(*self.groups.get((block / GROUP) as usize)?);
        let (listed, first) = self.blocks[(group * GROUP + block % GROUP) as usize];
        let bit = 1 << (code_point % BLOCK);
        let number = first + (listed & (bit - 1)).count_ones() as u16;
        let is_listed = listed & bit != 0;

        for (stretch, first_listed) in self.stretches.iter().zip(&self.first_listed) {
            if (stretch.first..=stretch.last).contains(&code_point) {
                let before = number.checked_sub(*first_listed)?;
                let (areas, number) = match is_listed {
                    true => (stretch.listed, before),
                    false => (stretch.others, (code_point - stretch.first) as u16 - before),
                };
                if !areas.is_empty() {
                    return pointer(areas, number);
                }
            }
        }
        if is_listed { self.list.get(usize::from(number)).copied() } else { None }
    }
}

/// The pointer of this `number` in the first of `areas` that has so many.
fn pointer(areas: &[Area], mut number: u16) -> Option<u16> {
    for area in areas {
        if number < area.count() {
            return Some(area.pointer(number));
        }
        number -= area.count();
    }
    None
}

impl Stretch {
    /// The code points that are listed: those whose pointers are not in the areas of the others.
    fn split(&self, pointers: &BTreeMap<u32, u16>) -> Result<Vec<u32>> {
        let others: BTreeSet<u16> = (0..).map_while(|number| pointer(self.others, number)).collect();
        let mut listed = Vec::new();
        for code_point in self.first..=self.last {
            let pointer = pointers.get(&code_point).with_context(|| format!("U+{code_point:04X} has no pointer"))?;
            if !others.contains(pointer) {
                listed.push(code_point);
            }
        }
        Ok(listed)
    }
}

/// As an expression.
impl fmt::Display for Pointers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks: Vec<String> =
            self.blocks.iter().map(|(listed, first)| format!("Block::new(0x{listed:04X}, 0x{first:04X})")).collect();
        let stretches: String =
            self.stretches.iter().zip(&self.first_listed).map(|(stretch, first)| stretch.expression(*first)).collect();
        write!(
            f,
            "PointerTable {{
    groups: &[
{}    ],
    blocks: &[
{}    ],
    pointers: &[
{}    ],
    stretches: &[{stretches}],
}}",
            rust::field(&self.groups),
            rust::lines(2, 4, &blocks),
            rust::field(&self.list),
        )
    }
}

impl Stretch {
    fn expression(&self, first_listed: u16) -> String {
        let areas = |areas: &[Area]| areas.iter().map(Area::expression).collect::<Vec<_>>().join(", ");
        format!(
            "Stretch {{
        first: 0x{:04X},
        last: 0x{:04X},
        first_listed: {first_listed},
        listed: &[{}],
        others: &[{}],
    }}, ",
            self.first,
            self.last,
            areas(self.listed),
            areas(self.others),
        )
    }
}

impl Area {
    fn expression(&self) -> String {
        let count = self.count();
        format!("Area {{ count: {count}, first: {}, columns: {}, gaps: {:?} }}", self.first, self.columns, self.gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_leaves_gaps_out() {
        let area = Area { gaps: [(2, 6), (3, 1)], ..Area::new(0x82, 1, 2, 4) };
        assert_eq!(
            (0..8).map(|number| area.pointer(number)).collect::<Vec<_>>(),
            [191, 192, 199, 201, 381, 382, 389, 391]
        );
    }

    #[test]
    fn code_points_have_their_pointers_in_all_planes() {
        let pointers = [(0x80, 7), (0xBF, 3), (0xC0, 9), (0x4E00, 0), (0x2_0000, 1), (0x10_FFFF, 2)].into();
        let table = Pointers::new(&pointers, &[]).unwrap();
        assert_eq!(table.list, [7, 3, 9, 0, 1, 2]);
        // One for what is empty, and one for each of four.
        assert_eq!(table.blocks.len(), 5 * GROUP as usize);
        assert_eq!(table.look_up(0x81), None);
        assert_eq!(table.look_up(0x2_0000), Some(1));
    }

    #[test]
    fn pointers_that_are_not_as_the_stretch_says_are_an_error() {
        static STRETCHES: [Stretch; 1] =
            [Stretch { first: 0x4E00, last: 0x4E03, listed: &[], others: &[Area::new(0x81, 0, 1, 2)] }];
        let new = |pointers: [u16; 4]| Pointers::new(&(0x4E00..).zip(pointers).collect(), &STRETCHES);
        assert_eq!(new([0, 9, 8, 1]).unwrap().list, [9, 8]);
        assert!(new([1, 9, 8, 0]).is_err());
        assert!(Pointers::new(&[(0x4E00, 0)].into(), &STRETCHES).is_err());
    }
}
