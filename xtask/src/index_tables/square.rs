//! The tables that lead from pointers to code points, in the shape of `textcodec_core::index::SquareIndex`.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

use anyhow::{Context, Result, ensure};

use super::{
    ascending::ascending,
    code_points::{NO_ROW, NULL, pieces, units},
    index_pointer::index_pointers,
    pointers,
};
use crate::{index_file::Index, rust};

/// The distance between rows, in pointers.
const ROW: usize = pointers::ROW as usize;
/// How many rows there are.
const ROWS: usize = 126;
/// The rows and the columns of the square.
const SQUARE: (RangeInclusive<usize>, RangeInclusive<usize>) = (32..=125, 96..=189);
/// A rule from this value on is a code point; below it is a rank.
const CODE_POINT: u16 = 0x8000;

/// The facts that the tables assume, as a condition in Rust.
pub(super) fn assumptions() -> String {
    format!("Rules::CODE_POINT == {CODE_POINT:#X}")
}

/// The table of code points of an index with rows of 190 columns: its square, the rules of half rows, and the pieces
/// outside of the square that have no rule.
pub(super) fn square(index: &Index) -> Result<String> {
    let mut units = units(index, &mut |_| None)?;
    units.resize(ROWS * ROW, NULL);
    let rules = Rules::new(index)?;
    // A row is left out if all of its code points follow from rules.
    let (mut rows, mut code_points) = (Vec::new(), Vec::new());
    for row in SQUARE.0 {
        let pointers = SQUARE.1.map(|column| row * ROW + column);
        let is_listed = pointers.clone().any(|pointer| units[pointer] != rules.code_point(pointer));
        rows.push(if is_listed { u8::try_from(code_points.len() / SQUARE.1.count())? } else { NO_ROW });
        code_points.extend(pointers.filter(|_| is_listed).map(|pointer| units[pointer]));
    }
    code_points.extend([NULL; 2]);

    let mut outside = vec![NULL; units.len()];
    for (pointer, &unit) in units.iter().enumerate() {
        let is_in_square = SQUARE.0.contains(&(pointer / ROW)) && SQUARE.1.contains(&(pointer % ROW));
        let by_rule = rules.code_point(pointer);
        if is_in_square || by_rule == unit {
            continue;
        }
        ensure!(unit != NULL, "a rule gives U+{by_rule:04X} to pointer {pointer}, which has none");
        outside[pointer] = unit;
    }
    let value = format!(
        "SquareIndex {{
    rows: [
{}    ],
    square: &[
{}    ],
    pieces: {},
    {rules},
    unlisted: {},
}}",
        rust::field(&rows),
        rust::field(&code_points),
        pieces(&outside),
        ascending(&rules.numbered)?,
    );
    Ok(rust::static_item("Code points by pointer.", "INDEX", "SquareIndex", &value))
}

/// The rules of half rows.
struct Rules {
    /// For each row, the rule of its left half and the rule of its right half.
    halves: Vec<[u16; 2]>,
    gaps: [(u16, u16); 2],
    /// The code points of the stretch that have a rank, in order.
    numbered: Vec<u32>,
}

impl Rules {
    /// The rules of `index`, from its stretches. The code points of the first stretch have ranks; the other stretches
    /// are for private use.
    fn new(index: &Index) -> Result<Self> {
        let pointers = index_pointers(index)?;
        let (unlisted, others) =
            pointers::stretches(&index.name).split_first().context("an index without a stretch")?;
        let numbered: Vec<u32> = unlisted.others(&pointers)?.into_iter().collect();
        let mut values: BTreeMap<u16, u16> = unlisted.pointers().zip(0..).collect();
        for stretch in others.iter().filter(|stretch| stretch.first >= CODE_POINT) {
            let code_points = stretch.others(&pointers)?;
            values.extend(stretch.pointers().zip(code_points.into_iter().map(|code_point| code_point as u16)));
        }

        let mut rules = Rules { halves: Vec::new(), gaps: unlisted.gaps(), numbered };
        for row in 0..ROWS {
            rules.halves.push([0..96, 96..ROW].map(|columns| {
                let first = |column| Some(values.get(&((row * ROW + column) as u16))? - rules.place(column)?);
                let mut firsts: Vec<u16> = columns.filter_map(first).collect();
                firsts.dedup();
                if let [first] = firsts[..] { first } else { NULL }
            }));
        }
        Ok(rules)
    }

    /// The number of columns before `column` that are in no gap; `None` if `column` is in a gap.
    fn place(&self, column: usize) -> Option<u16> {
        let column = column as u16;
        let is_in_gap = self.gaps.iter().any(|&(first, width)| (first..first + width).contains(&column));
        let before = self.gaps.iter().filter(|(first, _)| column >= *first).map(|(_, width)| width);
        (!is_in_gap).then(|| column - before.sum::<u16>())
    }

    /// The code point that follows from the rules; [`NULL`] if there is none.
    fn code_point(&self, pointer: usize) -> u16 {
        let (row, column) = (pointer / ROW, pointer % ROW);
        let [left, right] = self.halves[row];
        match (if column < 96 { left } else { right }, self.place(column)) {
            (NULL, _) | (_, None) => NULL,
            (rule @ CODE_POINT.., Some(place)) => rule + place,
            (rule, Some(place)) => self.numbered.get(usize::from(rule + place)).map_or(NULL, |&unit| unit as u16),
        }
    }
}

/// Writes the rules as fields in Rust.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let halves: Vec<String> =
            self.halves.iter().map(|[left, right]| format!("[0x{left:04X}, 0x{right:04X}]")).collect();
        write!(
            f,
            "rules: [
{}    ],
    gaps: {:?}",
            rust::lines(2, 8, &halves),
            self.gaps,
        )
    }
}
