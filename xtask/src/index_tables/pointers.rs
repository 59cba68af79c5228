//! The tables that lead from code points to pointers, in the shape of `textcodec_core::index::PointerTable`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use anyhow::{Context, Result, ensure};

use crate::rust;

/// Code points in a group.
const GROUP: u32 = 256;
/// Code points in a block.
const BLOCK: u32 = 32;
/// The distance between rows in the indexes that have stretches, in pointers.
pub(super) const ROW: u16 = 190;
/// The entry for no pointer.
const NULL: u16 = 0xFFFF;

/// Consecutive code points, all of which are in the index. The generated table lists the code points whose pointers are
/// outside of `areas`.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) first: u16,
    pub(super) last: u16,
    /// The areas that contain the pointers of all code points that are not listed. Within the areas, the pointers
    /// ascend with their code points.
    areas: &'static [Area],
}

/// A part of an index: the same columns of some rows.
#[derive(Debug)]
struct Area {
    rows: u16,
    first: u16,
    columns: u16,
    gaps: [(u16, u16); 2],
}

/// The part of a [`Stretch`] whose pointers are in one of its areas.
#[derive(Debug)]
struct StretchOfArea {
    first: u16,
    last: u16,
    area: &'static Area,
}

impl Area {
    /// The area that begins at the leading byte `leading` and at `column`, without gaps.
    const fn new(leading: u16, column: u16, rows: u16, columns: u16) -> Self {
        Area { rows, first: (leading - 0x81) * ROW + column, columns, gaps: [(0, 0); 2] }
    }

    const fn count(&self) -> u16 {
        self.rows * self.columns
    }

    /// The pointer with `number`, if the pointers of the area are numbered row by row.
    fn pointer(&self, number: u16) -> u16 {
        let (row, place) = (number / self.columns, number % self.columns);
        let gaps = self.gaps.iter().filter(|gap| place >= gap.0).map(|gap| gap.1);
        self.first + row * ROW + place + gaps.sum::<u16>()
    }
}

/// The hanzi of Unicode 1.1 that GB 2312 does not have are in Unicode's order in GBK/3 (leading bytes 0x81 to 0xA0) and
/// GBK/4 (leading bytes 0xAA to 0xFE, trailing bytes up to 0xA0). The code points for private use are in three areas.
/// U+E5E5, in the last of these areas, is not in the index: its pointer maps to a second ideographic space. U+20AC does
/// not follow from a rule, but GBK has a single byte for it, so kernels must leave it to the encoding. The stretch with
/// the most code points is first. A stretch ends at U+E6FF, so that the groups up to there need no blocks.
static GB18030: [Stretch; 5] = [
    Stretch { first: 0x4E00, last: 0x9FA5, areas: &[Area::new(0x81, 0, 32, 190), Area::new(0xAA, 0, 85, 96)] },
    Stretch {
        first: 0xE000,
        last: 0xE5E4,
        areas: &[Area::new(0xAA, 96, 6, 94), Area::new(0xF8, 96, 7, 94), Area::new(0xA1, 0, 3, 96)],
    },
    Stretch { first: 0xE5E6, last: 0xE6FF, areas: &[Area::new(0xA4, 0, 2, 96), Area::new(0xA6, 0, 1, 90)] },
    Stretch { first: 0xE700, last: 0xE765, areas: &[Area::new(0xA6, 90, 1, 6), Area::new(0xA7, 0, 1, 96)] },
    Stretch { first: 0x20AC, last: 0x20AC, areas: &[Area::new(0xA2, 162, 1, 1)] },
];

/// The syllables that KS X 1001 does not have are in Unicode's order, in the trailing bytes from 0x41, 0x61 and 0x81
/// on.
static EUC_KR: [Stretch; 1] = [Stretch {
    first: 0xAC00,
    last: 0xD7A3,
    areas: &[
        Area { gaps: [(26, 6), (52, 6)], ..Area::new(0x81, 0, 32, 178) },
        Area { gaps: [(26, 6), (52, 6)], ..Area::new(0xA1, 0, 38, 84) },
    ],
}];

/// The syllables of KS X 1001, which are listed. They ascend with their pointers, so the list of pointers leaves them
/// out.
static KS_X_1001: Stretch = Stretch { first: 0xAC00, last: 0xD7A3, areas: &[Area::new(0xB0, 96, 25, 94)] };
/// The number of the first of these syllables, which is greater than all pointers.
const RUN: u16 = 0x6000;

/// The run of an index: the listed code points whose pointers follow from their numbers.
pub(super) fn run(index: &str) -> Option<&'static Stretch> {
    (index == "euc-kr").then_some(&KS_X_1001)
}

/// The stretches of an index.
pub(super) fn stretches(index: &str) -> &'static [Stretch] {
    match index {
        "gb18030" => &GB18030,
        "euc-kr" => &EUC_KR,
        _ => &[],
    }
}

/// The facts that the tables assume, as a condition in Rust.
pub(super) fn assumptions() -> String {
    format!("Stretch::ROW == {ROW} && PointerTable::NULL == {NULL:#X}")
}

/// A table of pointers by code point.
#[derive(Debug)]
pub(super) struct Pointers {
    /// For each 256 code points of plane 0, the place of their first block divided by 8. The first eight blocks are for
    /// code points that have no pointer.
    groups: Vec<u8>,
    /// For each block, its listed code points as bits, and the number of the first of them.
    blocks: Vec<(u32, u16)>,
    /// The pointers of the listed code points that are not in the run.
    list: Vec<u16>,
    /// The area with the pointers of the run, whose numbers begin with [`RUN`].
    run: Option<&'static Area>,
    stretches: Vec<StretchOfArea>,
    plane_2: Vec<(u16, u16)>,
}

impl Pointers {
    /// Packs `pointers`, by code point. It is an error if they contradict `stretches` or `run`.
    pub(super) fn new(
        pointers: &BTreeMap<u32, u16>,
        stretches: &'static [Stretch],
        run: Option<&'static Stretch>,
    ) -> Result<Self> {
        let mut listed: BTreeSet<u32> = pointers.range(..0x1_0000).map(|(&code_point, _)| code_point).collect();
        let mut of_areas = Vec::new();
        for stretch in stretches {
            let others = stretch.others(pointers).with_context(|| format!("the stretch U+{:04X}", stretch.first))?;
            listed.retain(|code_point| !others.contains(code_point));
            of_areas.extend(stretch.of_areas(&others));
        }
        // A block of 32 code points is in the run, or in the list.
        let is_in_run = |code_point: u32| {
            run.is_some_and(|run| (run.first.into()..u32::from(run.last).next_multiple_of(BLOCK)).contains(&code_point))
        };
        let list: Vec<u16> = listed
            .iter()
            .filter(|&&code_point| !is_in_run(code_point))
            .map(|code_point| pointers[code_point])
            .collect();
        let number_from = |first: u32| {
            let before = listed.range(..first).filter(|&&code_point| is_in_run(code_point) == is_in_run(first));
            before.count() as u16 + if is_in_run(first) { RUN } else { 0 }
        };

        let mut blocks = vec![(0, 0); 8];
        let mut groups = Vec::new();
        for first in (0..0x1_0000).step_by(GROUP as usize) {
            let group = first..first + GROUP;
            let lists_none = |code_points| listed.range::<u32, _>(code_points).next().is_none();
            // Blocks count the listed code points between two code points of a stretch. A stretch that lists none needs
            // no blocks.
            let mut of_group = stretches.iter().map(|stretch| u32::from(stretch.first)..u32::from(stretch.last) + 1);
            if lists_none(group.clone())
                && of_group
                    .all(|stretch| stretch.end <= group.start || group.end <= stretch.start || lists_none(stretch))
            {
                groups.push(0);
                continue;
            }
            groups.push(u8::try_from(blocks.len() / 8).context("too many groups")?);
            blocks.extend((first..first + GROUP).step_by(BLOCK as usize).map(|first| {
                let bits =
                    listed.range(first..first + BLOCK).fold(0, |bits, code_point| bits | 1 << (code_point - first));
                (bits, number_from(first))
            }));
        }
        // One more block, because kernels load two blocks at once.
        blocks.push((0, 0));
        let plane_2 = pointers
            .range(0x1_0000..)
            .map(|(&code_point, &pointer)| {
                Ok((u16::try_from(code_point.checked_sub(0x2_0000).context("plane 1")?)?, pointer))
            })
            .collect::<Result<_>>()?;
        // One more entry, for a number greater than all others.
        let list = list.into_iter().chain([NULL]).collect();

        let table = Pointers { groups, blocks, list, run: run.map(|run| &run.areas[0]), stretches: of_areas, plane_2 };
        for code_point in 0..=0x10_FFFF {
            let (found, pointer) = (table.look_up(code_point), pointers.get(&code_point).copied());
            ensure!(found == pointer, "U+{code_point:04X} has the pointer {pointer:?}, the table finds {found:?}");
        }
        Ok(table)
    }

    /// Looks a code point up as `PointerTable::index_pointer` does.
    pub(super) fn look_up(&self, code_point: u32) -> Option<u16> {
        let Ok(unit) = u16::try_from(code_point) else {
            return self.plane_2.iter().find(|entry| u32::from(entry.0) + 0x2_0000 == code_point).map(|entry| entry.1);
        };
        // Whether a code point is listed, and how many listed code points come before it.
        let listed = |unit: u16| {
            let group = usize::from(self.groups[usize::from(unit / 256)]);
            let (bits, first) = self.blocks[8 * group + usize::from(unit / 32 % 8)];
            let before = bits & ((1 << (unit % 32)) - 1);
            (bits >> (unit % 32) & 1 != 0, first + before.count_ones() as u16)
        };
        let (is_listed, number) = listed(unit);
        if is_listed {
            return match self.run {
                Some(area) if number >= RUN => Some(area.pointer(number - RUN)),
                _ => self.list.get(usize::from(number)).copied(),
            };
        }
        let stretch = self.stretches.iter().find(|stretch| (stretch.first..=stretch.last).contains(&unit))?;
        Some(stretch.area.pointer(unit - stretch.first - (number - listed(stretch.first).1)))
    }
}

impl Stretch {
    /// The gaps of the first area, by column: the first column and the width of each.
    pub(super) fn gaps(&self) -> [(u16, u16); 2] {
        let [first, second] = self.areas[0].gaps;
        [first, (second.0 + first.1, second.1)]
    }

    /// The pointers of its areas, one after the other.
    pub(super) fn pointers(&self) -> impl Iterator<Item = u16> {
        self.areas.iter().flat_map(|area| (0..area.count()).map(|number| area.pointer(number)))
    }

    /// The code points whose pointers are in the areas.
    pub(super) fn others(&self, pointers: &BTreeMap<u32, u16>) -> Result<BTreeSet<u32>> {
        let in_areas: BTreeSet<u16> = self.pointers().collect();
        let mut others = BTreeSet::new();
        for code_point in u32::from(self.first)..=u32::from(self.last) {
            let pointer = pointers.get(&code_point).with_context(|| format!("U+{code_point:04X} has no pointer"))?;
            if in_areas.contains(pointer) {
                others.insert(code_point);
            }
        }
        Ok(others)
    }

    /// The parts of the stretch, one for each area. `others` are the code points whose pointers are in the areas.
    fn of_areas(&self, others: &BTreeSet<u32>) -> Vec<StretchOfArea> {
        let (mut parts, mut first, mut number) = (Vec::new(), self.first, 0);
        for area in self.areas {
            number += usize::from(area.count());
            let next = others.iter().nth(number).map(|&next| next as u16);
            let last = next.map_or(self.last, |next| next - 1);
            parts.push(StretchOfArea { first, last, area });
            first = last + 1;
        }
        parts
    }
}

impl Pointers {
    /// The parts of the table that say which code points are listed, as statics of their own.
    pub(super) fn statics(&self) -> String {
        let blocks: Vec<String> =
            self.blocks.iter().map(|(bits, first)| format!("Block::new(0x{bits:08X}, 0x{first:04X})")).collect();
        let shape = format!("[Block; {}]", blocks.len());
        let value = format!("[\n{}]", rust::lines(1, 4, &blocks));
        let groups = rust::array("The groups of listed code points.", "GROUPS", "u8", &self.groups);
        format!("{groups}\n{}", rust::static_item("The blocks of listed code points.", "BLOCKS", &shape, &value))
    }
}

/// Writes the table as an expression in Rust. It refers to the [statics](Pointers::statics).
impl fmt::Display for Pointers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stretches: Vec<String> = self.stretches.iter().map(StretchOfArea::expression).collect();
        let plane_2: Vec<String> =
            self.plane_2.iter().map(|(code_point, pointer)| format!("(0x{code_point:04X}, {pointer})")).collect();
        let run = match self.run {
            None => "Run::NONE".to_owned(),
            Some(Area { first, columns, .. }) => {
                format!("Run::new({RUN}, {first}, Divisor::new({columns}), {})", ROW - columns)
            }
        };
        write!(
            f,
            "PointerTable {{
    listed: Listed::new(&GROUPS, &BLOCKS, &[
{}    ], {run}),
    stretches: &[
{}    ],
    plane_2: &[
{}    ],
}}",
            rust::field(&self.list),
            rust::lines(2, 1, &stretches),
            rust::lines(2, 8, &plane_2),
        )
    }
}

impl StretchOfArea {
    fn expression(&self) -> String {
        let Area { first: pointer, columns, gaps, .. } = self.area;
        format!(
            "Stretch {{ first: 0x{:04X}, last: 0x{:04X}, pointer: {pointer}, columns: {columns}, gaps: {gaps:?} }}",
            self.first, self.last,
        )
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
    fn code_points_have_their_pointers() {
        let pointers = [(0x80, 7), (0xBF, 3), (0xC0, 9), (0x4E00, 0), (0x2_0000, 1), (0x2_FFFF, 2)].into();
        let table = Pointers::new(&pointers, &[], None).unwrap();
        assert_eq!(table.list, [7, 3, 9, 0, NULL]);
        // Eight blocks for empty groups, and eight for each of two groups.
        assert_eq!(table.blocks.len(), 3 * 8 + 1);
        assert_eq!(table.plane_2, [(0, 1), (0xFFFF, 2)]);
        assert_eq!(table.look_up(0x81), None);
        assert_eq!(table.look_up(0x2_0000), Some(1));
        assert!(Pointers::new(&[(0x1_0000, 0)].into(), &[], None).is_err());
    }

    #[test]
    fn pointers_that_are_not_as_the_stretch_says_are_an_error() {
        static STRETCHES: [Stretch; 1] = [Stretch { first: 0x4E03, last: 0x4E06, areas: &[Area::new(0x81, 0, 1, 2)] }];
        let new = |pointers: [u16; 4]| Pointers::new(&(0x4E03..).zip(pointers).collect(), &STRETCHES, None);
        let table = new([0, 9, 8, 1]).unwrap();
        assert_eq!(table.list, [9, 8, NULL]);
        assert!(new([1, 9, 8, 0]).is_err());
        assert!(Pointers::new(&[(0x4E03, 0)].into(), &STRETCHES, None).is_err());
    }
    #[test]
    fn the_pointers_of_a_run_are_not_in_the_list() {
        static RUN: Stretch = Stretch { first: 0x4E20, last: 0x4E3F, areas: &[Area::new(0x81, 4, 2, 2)] };
        let new = |pointers: [u16; 5]| {
            Pointers::new(
                &[0x4E02, 0x4E21, 0x4E30, 0x4E31, 0x4E40].into_iter().zip(pointers).collect(),
                &[],
                Some(&RUN),
            )
        };
        let table = new([9, 4, 5, 194, 8]).unwrap();
        assert_eq!(table.list, [9, 8, NULL]);
        assert_eq!(table.blocks[8..12], [(4, 0), (0x3_0002, 0x6000), (1, 1), (0, 2)]);
        assert!(table.to_string().contains("], Run::new(24576, 4, Divisor::new(2), 188))"), "{table}");
        assert!(new([9, 4, 5, 195, 8]).is_err());
    }
}
