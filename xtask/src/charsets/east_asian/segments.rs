//! Cuts the places of a table into segments; see `crates/charsets/src/pair_codecs/table.rs`.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use super::Base;

/// A run of fewer places is cheaper as literals: a segment takes six bytes, and a literal takes two.
const FEW: u32 = 4;
/// A gap of so many places is cheaper as literals without a code point.
const GAP: u32 = 3;
/// The literal for no code point.
const NULL: u16 = 0xFFFD;

/// What the places of a segment have, in the order of the numbers in the generated tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Nothing,
    Base,
    CodePoint,
    Literal,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) first: u32,
    pub(super) kind: Kind,
    pub(super) number: u32,
}

/// The characters of places.
pub(super) type Cells = BTreeMap<u32, Vec<u32>>;

/// A table as segments.
#[derive(Debug, Default)]
pub(super) struct Segments {
    pub(super) segments: Vec<Segment>,
    pub(super) literals: Vec<u16>,
    pub(super) is_plane_2: Vec<bool>,
    pub(super) doubles: Vec<[u16; 2]>,
}

impl Segments {
    /// The segments of a table with `total` places.
    pub(super) fn new(cells: &Cells, base: &Base, total: u32) -> Result<Segments> {
        let mut pointers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (pointer, code_point) in base {
            pointers.entry(*code_point).or_default().push(*pointer);
        }
        let cell = |place: u32| cells.get(&place);
        let one = |place: u32| match cells.get(&place).map(Vec::as_slice) {
            Some(&[code_point]) => Some(code_point),
            _ => None,
        };
        // The number of code points from `place` on that are the same as from `pointer` on.
        let like_base = |place: u32, pointer: u32| {
            let is_same = |at: &u32| match (cell(place + at), base.get(&(pointer + at))) {
                (None, None) => place + at < total,
                (Some(code_points), Some(code_point)) => code_points[..] == [*code_point],
                _ => false,
            };
            (0..).take_while(is_same).filter(|at| cell(place + at).is_some()).count() as u32
        };
        let consecutive = |place: u32, code_point: u32| {
            (0..).take_while(|at| one(place + at) == Some(code_point + at)).count() as u32
        };
        let long_run = |place: u32| -> Option<(Kind, u32)> {
            let code_point = one(place)?;
            let of_base =
                pointers.get(&code_point).into_iter().flatten().map(|&pointer| (like_base(place, pointer), pointer));
            let best = of_base.max_by_key(|(length, pointer)| (*length, u32::MAX - pointer));
            let run = if code_point < 0x1_0000 { consecutive(place, code_point) } else { 0 };
            match best {
                Some((length, pointer)) if length >= FEW && length >= run => Some((Kind::Base, pointer)),
                _ if run >= FEW => Some((Kind::CodePoint, code_point)),
                _ => None,
            }
        };

        let mut table = Segments::default();
        for place in 0..total {
            let last = table.segments.last().copied();
            let goes_on = last.is_some_and(|Segment { first, kind, number }| {
                let number = number + (place - first);
                match kind {
                    Kind::Nothing => cell(place).is_none(),
                    Kind::Base => cell(place).map(Vec::as_slice) == base.get(&number).map(std::slice::from_ref),
                    Kind::CodePoint => one(place) == Some(number),
                    Kind::Literal => false,
                }
            });
            if goes_on {
                continue;
            }
            let in_literals = last.is_some_and(|segment| segment.kind == Kind::Literal);
            if cell(place).is_none() {
                let next = (place..=place + GAP).find(|place| cell(*place).is_some());
                if in_literals && next.is_some_and(|next| next < total && long_run(next).is_none()) {
                    table.push(NULL, false);
                } else {
                    table.segments.push(Segment { first: place, kind: Kind::Nothing, number: 0 });
                }
            } else if let Some((kind, number)) = long_run(place) {
                table.segments.push(Segment { first: place, kind, number });
            } else {
                if !in_literals {
                    let number = table.literals.len() as u32;
                    table.segments.push(Segment { first: place, kind: Kind::Literal, number });
                }
                table.push_literal(&cells[&place])?;
            }
        }
        table.segments.push(Segment { first: total, kind: Kind::Nothing, number: 0 });
        ensure!(table.literals.len() < 0x1_0000 && total < 0xFE00, "the table is too large");
        Ok(table)
    }

    fn push(&mut self, unit: u16, is_plane_2: bool) {
        self.literals.push(unit);
        self.is_plane_2.push(is_plane_2);
    }

    fn push_literal(&mut self, code_points: &[u32]) -> Result<()> {
        match *code_points {
            [first, second] => {
                self.push(0xD800 + self.doubles.len() as u16, false);
                self.doubles.push([u16::try_from(first)?, u16::try_from(second)?]);
            }
            [code_point @ 0x2_0000..=0x2_FFFF] => self.push(code_point as u16, true),
            [code_point @ 0..0x1_0000] => self.push(code_point as u16, false),
            _ => anyhow::bail!("{code_points:X?} has no literal"),
        }
        Ok(())
    }

    /// The numbers of the segments of this kind, by ascending number.
    pub(super) fn by_number(&self, kind: Kind) -> Vec<u16> {
        let mut numbers: Vec<usize> = (0..self.segments.len()).filter(|&at| self.segments[at].kind == kind).collect();
        numbers.sort_by_key(|&at| (self.segments[at].number, at));
        numbers.into_iter().map(|at| at as u16).collect()
    }

    /// The place of `number` in the last segment of `order` that begins with it or before it.
    pub(super) fn find(&self, order: &[u16], number: u32) -> Option<u32> {
        let before = order.partition_point(|&at| self.segments[usize::from(at)].number <= number);
        let at = usize::from(*order.get(before.checked_sub(1)?)?);
        let segment = self.segments[at];
        let place = segment.first + (number - segment.number);
        (place < self.segments[at + 1].first).then_some(place)
    }
}
