//! The shapes of charsets: which bytes are leading and trailing bytes, and the places of pairs.

use anyhow::{Context, Result};

/// A range of bytes.
pub(super) type Range = (u8, u8);

/// No bytes.
pub(super) const NONE: Range = (0xFF, 0x00);

/// The bytes of pairs.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) leads: [Range; 2],
    pub(super) trails: [Range; 2],
    /// What the sources are asked for: "pairs", "shifts" or "four".
    pub(super) kind: &'static str,
}

const SHAPES: [Shape; 8] = [
    Shape {
        name: "shift-jis",
        leads: [(0x81, 0x9F), (0xE0, 0xFC)],
        trails: [(0x40, 0x7E), (0x80, 0xFC)],
        kind: "pairs",
    },
    Shape { name: "euc", leads: [(0x8E, 0x8E), (0xA1, 0xFE)], trails: [(0xA1, 0xFE), NONE], kind: "pairs" },
    Shape { name: "euc-planes", leads: [(0xA1, 0xFE), NONE], trails: [(0xA1, 0xFE), NONE], kind: "pairs" },
    Shape { name: "big5", leads: [(0x81, 0xFE), NONE], trails: [(0x40, 0x7E), (0xA1, 0xFE)], kind: "pairs" },
    Shape { name: "uhc", leads: [(0x81, 0xFE), NONE], trails: [(0x41, 0xFE), NONE], kind: "pairs" },
    Shape { name: "gbk", leads: [(0x81, 0xFE), NONE], trails: [(0x40, 0x7E), (0x80, 0xFE)], kind: "pairs" },
    Shape { name: "gb18030", leads: [(0x81, 0xFE), NONE], trails: [(0x40, 0x7E), (0x80, 0xFE)], kind: "four" },
    Shape { name: "ebcdic", leads: [(0x40, 0xFE), NONE], trails: [(0x40, 0xFE), NONE], kind: "shifts" },
];
/// Johab has more columns than the others.
const JOHAB: Shape = Shape { name: "johab", leads: [(0x84, 0xF9), NONE], trails: [(0x31, 0xFE), NONE], kind: "pairs" };

impl Shape {
    pub(super) fn called(name: &str) -> Result<&'static Shape> {
        static ALL: [Shape; 8] = SHAPES;
        static LAST: Shape = JOHAB;
        ALL.iter().chain([&LAST]).find(|shape| shape.name == name).with_context(|| format!("no shape is called {name}"))
    }

    fn count(ranges: [Range; 2]) -> u32 {
        ranges.iter().filter(|(first, last)| first <= last).map(|(first, last)| u32::from(last - first) + 1).sum()
    }

    pub(super) fn columns(&self) -> u32 {
        Self::count(self.trails)
    }

    pub(super) fn rows(&self) -> u32 {
        Self::count(self.leads)
    }

    fn place_in(ranges: [Range; 2], byte: u8) -> Option<u32> {
        let [(first, last), (second, end)] = ranges;
        if (first..=last).contains(&byte) {
            Some((byte - first).into())
        } else if (second..=end).contains(&byte) {
            Some(u32::from(byte - second) + u32::from(last - first) + 1)
        } else {
            None
        }
    }

    /// The row of a leading byte, and the column of a trailing byte.
    pub(super) fn place(&self, lead: u8, trail: u8) -> Result<u32> {
        let row = Self::place_in(self.leads, lead);
        let column = Self::place_in(self.trails, trail);
        let (row, column) =
            row.zip(column).with_context(|| format!("{lead:02X}{trail:02X} is not in the shape {}", self.name))?;
        Ok(row * self.columns() + column)
    }
}
