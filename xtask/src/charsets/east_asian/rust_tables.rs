//! Rust text of the tables.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use anyhow::{Context, Result, ensure};

use super::{
    Base, Row,
    inverse::Inverse,
    mapping::Mapping,
    segments::{Cells, Kind, Segment, Segments},
    shape::{NONE, Range, Shape},
    standard,
};
use crate::{
    charsets::families::{header, identifier},
    rust,
};

/// The entry for a character that the charset does not have, although the index has it.
const NO_PLACE: u16 = 0xFEFF;
/// The entries from here on are bytes.
const BYTES: u16 = 0xFF00;
/// The prefix of pairs in the second table of a charset.
const AFTER_8F: u8 = 0x8F;

pub(super) fn head() -> String {
    format!(
        "{}//! Tables of pairs, as differences from the Standard's indexes.\n\n\
         #[cfg(feature = \"encode\")]\n#[allow(unused_imports, reason = \"families use these items\")]\n\
         use crate::pair_codecs::pairs::{{SchemeBytes, low}};\n\
         #[cfg(feature = \"encode\")]\nuse crate::pair_codecs::table::{{Differences, Inverse, Order, Parts, Places}};\n\
         #[allow(unused_imports, reason = \"families use these items\")]\n\
         use crate::pair_codecs::{{\n    bases,\n    pairs::{{ASCII, NO_PLANE, Scheme, Singles, with_range}},\n    \
         table::{{Base, NONE, Segments, Table}},\n}};\n\n",
        header()
    )
}

/// One of the tables of a charset.
struct Part<'a> {
    /// The name of its statics.
    name: String,
    shape: &'a Shape,
    /// The leading bytes.
    leads: [Range; 2],
    rows: u32,
    cells: Cells,
    /// The place of each character in this table, or its byte, if it is encoded.
    encoded: BTreeMap<u32, u16>,
    /// The name of its index, or of the table whose places are its pointers.
    index: &'a str,
}

/// The statics of a charset.
pub(super) fn statics(row: &Row, mapping: &Mapping, bases: &mut BTreeMap<String, Base>) -> Result<String> {
    let name = identifier(&row.name);
    let shape = row.shape;
    let (first, second) = row.index.split_once(',').unwrap_or((&row.index, "-"));
    let mut singles = [None; 256];
    let mut planes: Vec<u16> = Vec::new();
    // The places of sequences: those of the first table, and those after 8F.
    let is_planes = shape.name == "euc-planes";
    if is_planes {
        let mut row = 0;
        for plane in 0xA1..=0xFE_u8 {
            let last = mapping
                .decoded
                .keys()
                .filter(|bytes| match bytes[..] {
                    [0x8E, of, _, _] => of == plane,
                    [_, _] => plane == 0xA1,
                    _ => false,
                })
                .map(|bytes| u32::from(bytes[bytes.len() - 2] - 0xA0))
                .max();
            planes.push(if last.is_some() { row } else { 0xFFFF });
            row += last.unwrap_or_default() as u16;
        }
        while planes.last() == Some(&0xFFFF) {
            planes.pop();
        }
    }
    let place = |bytes: &[u8]| -> Result<(bool, u32)> {
        Ok(match *bytes {
            [lead, trail] => (false, shape.place(lead, trail)?),
            [AFTER_8F, lead, trail] => {
                (true, u32::from(lead - 0xA1) * 94 + u32::from(trail.checked_sub(0xA1).context("no trailing byte")?))
            }
            [0x8E, plane, lead, trail] if is_planes => {
                (false, u32::from(planes[usize::from(plane - 0xA1)]) * 94 + shape.place(lead, trail)?)
            }
            _ => anyhow::bail!("{bytes:02X?} is no sequence of this shape"),
        })
    };
    let (mut cells, mut after_8f) = (Cells::new(), Cells::new());
    for (bytes, code_points) in &mapping.decoded {
        if let [byte] = bytes[..] {
            ensure!(code_points.len() == 1, "a byte has two code points");
            singles[usize::from(byte)] = Some(u16::try_from(code_points[0])?);
            continue;
        }
        let (is_after_8f, place) = place(bytes)?;
        let cells = if is_after_8f { &mut after_8f } else { &mut cells };
        let before = cells.insert(place, code_points.clone());
        ensure!(before.is_none() || before.as_ref() == Some(code_points), "two sequences have one place");
    }
    let low = |code_point: u32| singles.iter().position(|single| single.map(u32::from) == Some(code_point));
    let (mut encoded, mut encoded_8f) = (BTreeMap::new(), BTreeMap::new());
    // ASCII characters that are not encoded to the first byte that has them.
    let mut elsewhere = Vec::new();
    for (&code_point, bytes) in &mapping.encoded {
        if code_point < 0x80 {
            match low(code_point) {
                Some(byte) if bytes[..] == [byte as u8] => continue,
                Some(_) => elsewhere.push(format!("0x{code_point:02X}")),
                None => {}
            }
        }
        if let [byte] = bytes[..] {
            encoded.insert(code_point, BYTES + u16::from(byte));
        } else {
            let (is_after_8f, place) = place(bytes)?;
            let encoded = if is_after_8f { &mut encoded_8f } else { &mut encoded };
            encoded.insert(code_point, u16::try_from(place)?);
        }
    }
    let rows = if is_planes {
        planes.iter().filter(|row| **row != 0xFFFF).max().map_or(0, |row| u32::from(*row) + 94)
    } else {
        shape.rows()
    };
    let part = Part { name: name.clone(), shape, leads: shape.leads, rows, cells, encoded, index: first };
    let differences = standard::differences(shape.name, first, mapping, &part.pointers(&bases[first]));
    let mut text = part.statics(bases)?;
    let has_8f = !after_8f.is_empty();
    if has_8f {
        let leads = [(0xA1, 0xFE), NONE];
        let name = format!("{name}_8F");
        let part = Part { name, shape, leads, rows: 94, cells: after_8f, encoded: encoded_8f, index: second };
        text.push_str(&part.statics(bases)?);
    }
    text.push_str(&format!(
        "/// The single bytes of {}.\n#[rustfmt::skip]\npub(crate) static {name}_SINGLES: Singles = {};\n",
        row.name,
        singles_text(&singles)
    ));
    write!(
        text,
        "#[cfg(feature = \"encode\")]\n/// The bytes of ASCII characters in {}.\n#[rustfmt::skip]\n\
         pub(crate) static {name}_LOW: [u8; 128] = low(&{name}_SINGLES, &[{}]);\n\n",
        row.name,
        elsewhere.join(", ")
    )?;
    if shape.kind == "shifts" {
        return Ok(text);
    }
    let mut more = String::new();
    if let Some((encoder, differences)) = differences {
        text.push_str(&differences.text(&name, &row.name)?);
        write!(more, "\n    .with_standard(bases::{encoder}, &{name}_DIFFERENCES)")?;
    }
    if shape.kind == "four" {
        more.push_str("\n    .with_four_bytes(bases::four_bytes_pointer)");
    }
    let planes: Vec<String> =
        planes.iter().map(|row| if *row == 0xFFFF { "NO_PLANE".to_owned() } else { row.to_string() }).collect();
    let (table_8f, places_8f) = if has_8f {
        (format!("Some(&{name}_8F)"), format!("Some(&{name}_8F_PLACES)"))
    } else {
        ("None".to_owned(), "None".to_owned())
    };
    let four = if shape.kind == "four" { "Some(bases::four_bytes)" } else { "None" };
    write!(
        text,
        "/// What {} is made of.\n#[rustfmt::skip]\npub(crate) static {name}_SCHEME: Scheme = Scheme {{\n    \
         singles: &{name}_SINGLES,\n    table: &{name},\n    after_8f: {table_8f},\n    planes: &[{}],\n    \
         four_bytes: {four},\n}};\n\
         #[cfg(feature = \"encode\")]\n/// What the encoder of {} is made of.\n#[rustfmt::skip]\n\
         pub(crate) static {name}_BYTES: SchemeBytes =\n    SchemeBytes::new(&{name}_SCHEME, &{name}_PLACES, {places_8f}, &{name}_LOW){more};\n\n",
        row.name,
        planes.join(", "),
        row.name,
    )?;
    Ok(text)
}

/// ASCII and ranges, as an expression.
fn singles_text(singles: &[Option<u16>; 256]) -> String {
    let mut text = "ASCII".to_owned();
    let mut byte = 0;
    while byte < 256 {
        let first = byte;
        let Some(unit) = singles[first] else {
            if first < 0x80 {
                text = format!("with_range({text}, 0x{first:02X}, 0x{first:02X}, 0xFFFD)");
            }
            byte += 1;
            continue;
        };
        while byte < 256 && singles[byte] == Some(unit + (byte - first) as u16) {
            byte += 1;
        }
        let is_ascii = byte <= 0x80 && usize::from(unit) == first;
        if !is_ascii {
            text = format!("with_range({text}, 0x{first:02X}, 0x{:02X}, 0x{unit:04X})", byte - 1);
        }
    }
    text
}

/// A table with more literals has parts in place of entries.
const MANY_LITERALS: usize = 0x4000;

/// The parts of literals in which code points are, as an expression; see `Parts` in
/// `crates/charsets/src/pair_codecs/table.rs`.
fn parts_text(table: &Segments, entries: &BTreeMap<u32, u16>) -> String {
    const LENGTH: usize = 256;
    const NONE: u8 = 0xFF;
    let (mut numbers, mut others) = (Vec::new(), Vec::new());
    for (&code_point, &entry) in entries {
        let place = u32::from(entry);
        let at = table.segments.partition_point(|segment| segment.first <= place) - 1;
        let segment = table.segments[at];
        let literal = (segment.number + (place - segment.first)) as usize;
        let part = literal / LENGTH;
        let is_code_point = |at: &usize| {
            let is_same_plane = table.is_plane_2[*at] == (code_point > 0xFFFF);
            is_same_plane && table.literals[*at] == code_point as u16
        };
        let end = table.literals.len().min((part + 1) * LENGTH);
        let is_found = segment.kind == Kind::Literal
            && entry < NO_PLACE
            && part < usize::from(NONE)
            && (part * LENGTH..end).find(is_code_point) == Some(literal);
        if is_found {
            numbers.push(part as u8);
        } else {
            numbers.push(NONE);
            others.push(format!("(0x{code_point:04X}, 0x{entry:04X})"));
        }
    }
    format!(
        "Some(&Parts {{\n            numbers: &[\n{}            ],\n            others: &[\n{}            ],\n        }})",
        rust::lines(4, 16, &rust::hex(&numbers)),
        rust::lines(4, 6, &others),
    )
}

/// An order of segments, as an expression.
fn order_text(table: &Segments, order: &[u16]) -> String {
    /// The number of numbers that have an entry together.
    const STEP: u32 = 64;
    /// A search of fewer segments needs no entries.
    const FEW: usize = 8;
    let number = |at: u16| table.segments[usize::from(at)].number;
    let (mut starts, mut first) = (Vec::new(), 0);
    if let (true, Some(&start), Some(&end)) = (order.len() > FEW, order.first(), order.last()) {
        first = number(start) / STEP;
        let end = &table.segments[usize::from(end)..];
        let end = end[0].number + (end[1].first - end[0].first);
        for block in first..end.div_ceil(STEP) {
            starts.push(order.partition_point(|&at| number(at) <= block * STEP) as u16);
        }
    }
    format!(
        "Order {{\n        starts: &[\n{}        ],\n        first: {first},\n        segments: &[\n{}        ],\n    }}",
        rust::lines(3, 16, &numbers(&starts)),
        rust::lines(3, 16, &numbers(order)),
    )
}

fn numbers(numbers: &[u16]) -> Vec<String> {
    numbers.iter().map(u16::to_string).collect()
}

impl Part<'_> {
    fn statics(&self, bases: &mut BTreeMap<String, Base>) -> Result<String> {
        let base = bases.get(self.index).with_context(|| format!("there is no index {}", self.index))?;
        let columns = self.shape.columns();
        let total = self.rows * columns;
        // Tables with all Hangul by their letters have a rule for them.
        let hangul = self.hangul();
        let has_hangul = hangul.iter().all(|(code_point, place)| self.encoded.get(code_point) == Some(place));
        let is_by_rule = |code_point: &u32| has_hangul && hangul.contains_key(code_point);
        let mut cells = self.cells.clone();
        cells.retain(|_, code_points| !is_by_rule(&code_points[0]));
        let table = Segments::new(&cells, base, total)?;
        let by_pointer = table.by_number(Kind::Base);
        let by_code_point = table.by_number(Kind::CodePoint);
        let of_table = bases.get(&format!("{} by code point", self.index));
        let pointers = of_table.cloned().unwrap_or_else(|| self.pointers(base));
        // What the encoder finds without exceptions.
        let found = |code_point: u32| {
            let of_base = pointers.get(&code_point).and_then(|&pointer| table.find(&by_pointer, pointer));
            of_base.or_else(|| if code_point < 0x1_0000 { table.find(&by_code_point, code_point) } else { None })
        };
        let mut entries = BTreeMap::new();
        let runs = (0..table.segments.len() - 1).filter(|&at| table.segments[at].kind == Kind::CodePoint);
        let consecutive = runs.flat_map(|at| {
            let [segment, after] = [table.segments[at], table.segments[at + 1]];
            segment.number..segment.number + (after.first - segment.first)
        });
        let all: BTreeSet<u32> = self.encoded.keys().chain(pointers.keys()).copied().chain(consecutive).collect();
        for code_point in all.into_iter().filter(|code_point| !is_by_rule(code_point)) {
            let expected = self.encoded.get(&code_point).copied();
            match (expected, found(code_point)) {
                (None, None) => {}
                (Some(expected), Some(found)) if u32::from(expected) == found => {}
                (Some(expected), _) => drop(entries.insert(code_point, expected)),
                (None, Some(_)) => drop(entries.insert(code_point, NO_PLACE)),
            }
        }
        ensure!(self.encoded.keys().all(|code_point| *code_point < 0x3_0000), "a character is in a high plane");
        let mut inverse = Inverse::new(&entries);
        let parts = if table.literals.len() > MANY_LITERALS {
            inverse.entries.clear();
            parts_text(&table, &entries)
        } else {
            "None".to_owned()
        };

        let name = &self.name;
        let mut starts = Vec::new();
        for row in 0..=self.rows {
            let place = row * columns;
            starts.push(table.segments.partition_point(|segment| segment.first <= place) as u16 - 1);
        }
        // The end of a row is the segment with its last place.
        let rows: Vec<u16> = starts;
        let segments = |of: fn(&Segment) -> u32| {
            let texts: Vec<String> = table.segments.iter().map(|segment| of(segment).to_string()).collect();
            rust::lines(3, 16, &texts)
        };
        let kinds: Vec<u8> = table
            .segments
            .chunks(4)
            .map(|four| four.iter().rev().fold(0, |kinds, segment| kinds << 2 | segment.kind as u8))
            .collect();
        let range = |(first, last): Range| {
            if (first, last) == NONE { "NONE".to_owned() } else { format!("(0x{first:02X}, 0x{last:02X})") }
        };
        let ranges = |ranges: [Range; 2]| format!("[{}]", ranges.map(range).join(", "));
        let planes: Vec<u8> = if table.is_plane_2.contains(&true) {
            table
                .is_plane_2
                .chunks(8)
                .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit)))
                .collect()
        } else {
            Vec::new()
        };
        let doubles: Vec<String> =
            table.doubles.iter().map(|[first, second]| format!("[0x{first:04X}, 0x{second:04X}]")).collect();
        let index = identifier(self.index);
        let firsts: BTreeSet<u16> = table.doubles.iter().map(|double| double[0]).collect();
        let firsts: Vec<u16> = firsts.into_iter().collect();
        let mut text = format!(
            "/// The pairs of {name}.\n#[rustfmt::skip]\npub(crate) static {name}: Table = Table {{\n    \
             leads: {},\n    trails: {},\n    base: {},\n    has_hangul: {has_hangul},\n    segments: Segments {{\n        starts: &[\n{}        ],\n        \
             numbers: &[\n{}        ],\n        kinds: &[\n{}        ],\n    }},\n    rows: &[\n{}    ],\n    \
             literals: &[\n{}    ],\n    planes: &[\n{}    ],\n    doubles: &[\n{}    ],\n    firsts: &[{}],\n}};\n",
            ranges(self.leads),
            ranges(self.shape.trails),
            if bases.contains_key(&format!("{} by code point", self.index)) {
                format!("Base::Table(&{index})")
            } else {
                format!("Base::Index(bases::{}_code_point)", index.to_ascii_lowercase())
            },
            segments(|segment| segment.first),
            segments(|segment| segment.number),
            rust::lines(3, 16, &rust::hex(&kinds)),
            rust::field(&rows),
            rust::field(&table.literals),
            rust::field(&planes),
            rust::lines(2, 6, &doubles),
            rust::hex(&firsts).join(", "),
        );
        let blocks: Vec<String> =
            inverse.blocks.iter().map(|blocks| format!("[{}]", rust::hex(blocks).join(", "))).collect();
        let places: Vec<String> = (0..table.doubles.len())
            .map(|number| {
                let double = table.doubles[number].map(u32::from);
                let place = self.cells.iter().find(|(_, code_points)| code_points[..] == double);
                place.map_or("0".to_owned(), |(place, _)| place.to_string())
            })
            .collect();
        write!(
            text,
            "#[cfg(feature = \"encode\")]\n/// The places of the characters of {name}.\n#[rustfmt::skip]\n\
             pub(crate) static {name}_PLACES: Places = Places {{\n    table: &{name},\n    inverse: Inverse {{\n        \
             groups: &[\n{}        ],\n        blocks: &[\n{}        ],\n        bits: &[\n{}        ],\n        \
             starts: &[\n{}        ],\n        entries: &[\n{}        ],\n        parts: {parts},\n    }},\n    pointer: bases::{}_pointer,\n    \
             by_pointer: {},\n    by_code_point: {},\n    doubles: &[{}],\n}};\n",
            rust::lines(3, 16, &rust::hex(&inverse.groups)),
            rust::lines(3, 1, &blocks),
            rust::lines(3, 6, &rust::hex(&inverse.bits)),
            rust::lines(3, 16, &rust::hex(&inverse.starts)),
            rust::lines(3, 16, &rust::hex(&inverse.entries)),
            self.pointer_function(),
            order_text(&table, &by_pointer),
            order_text(&table, &by_code_point),
            places.join(", "),
        )?;
        // Other tables can refer to the places of this one.
        let cells = self.cells.iter().filter(|(_, code_points)| code_points.len() == 1);
        let own: Base = cells.map(|(place, code_points)| (*place, code_points[0])).collect();
        bases.insert(self.name.clone(), own);
        let by_place: Base = self
            .encoded
            .iter()
            .filter(|(_, entry)| **entry < NO_PLACE)
            .map(|(code_point, entry)| (*code_point, u32::from(*entry)))
            .collect();
        bases.insert(format!("{} by code point", self.name), by_place);
        Ok(text)
    }

    /// The places that Hangul would have by the bits of their letters: after the highest bit, five bits a letter.
    fn hangul(&self) -> BTreeMap<u32, u16> {
        let vowels: Vec<u32> = [3..8, 10..16, 18..24, 26..30].into_iter().flatten().collect();
        let last: Vec<u32> = [1..18, 19..30].into_iter().flatten().collect();
        let letters = (2..21).flat_map(|first| vowels.iter().map(move |vowel| (first, vowel)));
        let pairs =
            letters.flat_map(|(first, vowel)| last.iter().map(move |last| 0x8000 | first << 10 | vowel << 5 | last));
        let place = |pair: u32| self.shape.place((pair >> 8) as u8, pair as u8).map_or(NO_PLACE, |place| place as u16);
        (0xAC00..).zip(pairs.map(place)).collect()
    }

    /// The name of the function for pointers. Shift_JIS does not use all pointers of its index.
    fn pointer_function(&self) -> String {
        let index = identifier(self.index).to_ascii_lowercase();
        if index == "jis0208" && self.shape.name == "shift-jis" { "shift_jis".to_owned() } else { index }
    }

    /// What the function for pointers returns.
    fn pointers(&self, base: &Base) -> BTreeMap<u32, u32> {
        let mut pointers = BTreeMap::new();
        if self.index == "jis0212" {
            // No encoder of the Standard needs its pointers.
            return pointers;
        }
        let is_used = |pointer: u32| match (self.index, self.shape.name) {
            ("jis0208", "shift-jis") => !(8272..8836).contains(&pointer),
            ("big5", _) => pointer >= 5024,
            _ => true,
        };
        for (&pointer, &code_point) in base.iter().filter(|(pointer, _)| is_used(**pointer)) {
            let is_last =
                self.index == "big5" && matches!(code_point, 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345);
            if is_last {
                pointers.insert(code_point, pointer);
            } else {
                pointers.entry(code_point).or_insert(pointer);
            }
        }
        pointers
    }
}
