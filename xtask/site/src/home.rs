//! The first page: the line in ten encodings, the pictures of other pages, and the figures of the report.

use std::{collections::BTreeMap, fmt::Write as _};

use anyhow::{Context, Result, ensure};
use minijinja::{Value, context};
use textcodec::{Encoding, Name, index};
use unicode_blocks::find_unicode_block;

use crate::{Site, data_files, diagrams, encodings::slug, figures};

/// The text that the page shows before anybody types.
const SAMPLE: &str = "Café я 世界 €";
/// The encodings of the line: the two of Unicode that differ most, two alphabets, and the larger ones of East Asia.
const ENCODINGS: [&str; 10] = [
    "UTF-8",
    "UTF-16LE",
    "windows-1252",
    "windows-1251",
    "Shift_JIS",
    "EUC-JP",
    "ISO-2022-JP",
    "GBK",
    "Big5",
    "EUC-KR",
];
/// The commands that install the packages, each with the page that must have the same command.
const INSTALL: [(&str, &str, &str); 5] = [
    ("Rust", "cargo add textcodec", "README.md"),
    ("Program", "cargo install textcodec-cli", "README.md"),
    ("Python", "pip install textcodec", "README.md"),
    ("Node.js", "npm install @textcodec/node", "README.md"),
    ("Browsers", "npm install @textcodec/wasm", "crates/wasm/README.md"),
];

/// The values of the template.
pub(crate) fn values(site: &Site<'_>) -> Result<Value> {
    for (_, command, page) in INSTALL {
        let [tool, .., package] = command.split(' ').collect::<Vec<_>>()[..] else { continue };
        let text = site.read(page)?;
        ensure!(text.contains(package), "{page} does not name {package}, which the first page installs with {tool}");
    }
    let rows = ENCODINGS.map(|name| {
        let encoding = encoding(name);
        let (cells, tail) = bytes_of(encoding, SAMPLE);
        let bytes = |text: &str| text.split(' ').filter(|byte| !byte.is_empty()).count();
        let count: usize = cells.iter().flatten().map(|cell| bytes(cell)).sum::<usize>() + bytes(&tail);
        let missing = cells.iter().filter(|cell| cell.is_none()).count();
        context! { name, slug => slug(name), cells, tail, count, missing }
    });
    let characters: Vec<String> = SAMPLE.chars().map(String::from).collect();
    let install = INSTALL.map(|(title, command, _)| context! { title, command });
    let [summary, families] = speed(site)?;
    Ok(context! {
        sample => SAMPLE,
        version => concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR")),
        characters,
        rows => rows.to_vec(),
        install => install.to_vec(),
        summary,
        families,
        labels => Encoding::all().map(|encoding| encoding.labels().count()).sum::<usize>(),
        chart => Value::from_safe_string(chart()),
        coverage => Value::from_safe_string(coverage()?),
        overlay => Value::from_safe_string(overlay()),
        diagram => diagrams::thumbnail(Name::ShiftJis).map(Value::from_safe_string),
    })
}

fn encoding(name: &str) -> Encoding {
    Encoding::for_label(name).expect("the name of an encoding is one of its labels")
}

/// The bytes of each character of `text`, in hex digits, or `None` where the encoding does not have the character; and
/// the escape sequence at the end, if there is one.
fn bytes_of(encoding: Encoding, text: &str) -> (Vec<Option<String>>, String) {
    let utf16 = |character: char, bytes: fn(u16) -> [u8; 2]| {
        Some(hex(&character.encode_utf16(&mut [0; 2]).iter().flat_map(|&unit| bytes(unit)).collect::<Vec<u8>>()))
    };
    let each = |bytes: &dyn Fn(char) -> Option<String>| (text.chars().map(bytes).collect(), String::new());
    match encoding.id() {
        Name::Utf16Le => each(&|character| utf16(character, u16::to_le_bytes)),
        Name::Utf16Be => each(&|character| utf16(character, u16::to_be_bytes)),
        Name::Iso2022Jp => with_escapes(encoding, text),
        _ => {
            each(&|character| encoding.encode_or_fail(character.encode_utf8(&mut [0; 4])).ok().map(|bytes| hex(&bytes)))
        }
    }
}

/// As [`bytes_of`], for ISO-2022-JP. An escape sequence belongs to the character after it.
fn with_escapes(encoding: Encoding, text: &str) -> (Vec<Option<String>>, String) {
    let has = |character: &char| encoding.encode_or_fail(character.encode_utf8(&mut [0; 4])).is_ok();
    let mappable: String = text.chars().filter(has).collect();
    let bytes = encoding.encode_or_fail(&mappable).unwrap_or_default();
    let (mut cells, mut start, mut at, mut length) = (Vec::new(), 0, 0, 1);
    while at < bytes.len() {
        if bytes[at] == 0x1B {
            length = if bytes[at + 1] == b'$' { 2 } else { 1 };
            at += 3;
        } else {
            at += length;
            cells.push(hex(&bytes[start..at]));
            start = at;
        }
    }
    let mut cells = cells.into_iter();
    (text.chars().map(|character| has(&character).then(|| cells.next()).flatten()).collect(), hex(&bytes[start..]))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// The means of the report, and how many times as fast as the best peer textcodec is in each family of encodings, with
/// AVX-512 and with AVX2.
fn speed(site: &Site<'_>) -> Result<[Value; 2]> {
    const LEVELS: [&str; 2] = ["Avx512", "Avx2"];
    const FAMILIES: [(&str, &[&str]); 5] = [
        ("UTF-8, UTF-16", &["UTF-"]),
        ("Single-byte", &["windows-", "ISO-8859-", "KOI8-", "IBM866", "macintosh", "x-"]),
        ("Chinese", &["GBK", "gb18030", "Big5"]),
        ("Japanese", &["Shift_JIS", "EUC-JP", "ISO-2022-JP"]),
        ("Korean", &["EUC-KR"]),
    ];
    let means = figures::rows(site, "benches/report/means.tsv")?;
    let mean = |level: &str| -> Result<(String, String)> {
        let is_whole = |row: &&Vec<String>| row[0] == "encodings" && row[1] == level && row[2..4].concat().is_empty();
        let row = means.iter().find(is_whole).with_context(|| format!("means.tsv has no row for {level}"))?;
        Ok((row[5].clone(), row[4].clone()))
    };
    let cells = figures::rows(site, "benches/report/encodings.tsv")?;
    let mut drawn = Vec::new();
    for (title, names) in FAMILIES {
        let of_level = |level: &str| {
            let is_member = |row: &&Vec<String>| row[0] == level && names.iter().any(|name| row[1].starts_with(name));
            let ratios: Vec<f64> = cells.iter().filter(is_member).filter_map(|row| row[6].parse().ok()).collect();
            (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
        };
        drawn.push((title, LEVELS.map(of_level)));
    }
    let greatest = drawn.iter().flat_map(|(_, means)| means).fold(1.0, |a: f64, &b| a.max(b));
    let families: Vec<Value> = drawn
        .iter()
        .map(|(title, means)| {
            let bars: Vec<Value> = means
                .iter()
                .map(|mean| context! { mean => two_digits(*mean), width => format!("{:.1}", mean / greatest * 100.0) })
                .collect();
            context! { title, bars }
        })
        .collect();
    let ((with_avx512, cells), (with_avx2, _)) = (mean("Avx512")?, mean("Avx2")?);
    // The place of the fastest peer, as a part of the longest bar.
    let one = format!("{:.4}", 1.0 / greatest);
    Ok([context! { with_avx512, with_avx2, cells, one }, Value::from(families)])
}

fn two_digits(number: f64) -> String {
    if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") }
}

/// The number in a list of all blocks of the block of a character gives the colour that the charts have.
fn hue(character: char, numbers: &BTreeMap<u32, usize>) -> u32 {
    let number = find_unicode_block(character).and_then(|block| numbers.get(&block.start()));
    number.map_or(0, |&number| (number as f64 * 137.508 + 200.0).round() as u32 % 360)
}

fn numbers_of_blocks() -> BTreeMap<u32, usize> {
    data_files::blocks().iter().enumerate().map(|(number, &(first, ..))| (first, number)).collect()
}

/// A part of the chart of EUC-JP: full-width digits, two syllabaries, two alphabets, and lines.
fn chart() -> String {
    const LEADS: std::ops::RangeInclusive<u8> = 0xA3..=0xA8;
    const TRAILS: std::ops::RangeInclusive<u8> = 0xB0..=0xBA;
    let (numbers, encoding) = (numbers_of_blocks(), encoding("EUC-JP"));
    let mut svg = String::from(
        "<svg class=\"picture\" viewBox=\"0 0 300 175\" preserveAspectRatio=\"xMidYMin slice\" aria-hidden=\"true\">\n",
    );
    for (column, trail) in TRAILS.enumerate() {
        let _ = writeln!(svg, "<text class=\"head\" x=\"{}\" y=\"17\">{trail:02X}</text>", 25 * column + 37);
    }
    for (row, lead) in LEADS.enumerate() {
        let y = 25 * row + 25;
        let _ = writeln!(svg, "<text class=\"head\" x=\"12\" y=\"{}\">{lead:02X}</text>", y + 17);
        for (column, trail) in TRAILS.enumerate() {
            let x = 25 * column + 25;
            let sequence = [lead, trail];
            let text = encoding.decode_or_fail(&sequence).map(|decoded| decoded.text.into_owned());
            let (class, style, text) = match text.as_deref().map(|text| (text.chars().next(), text)) {
                Ok((Some(character), text)) => {
                    ("cell", format!(" style=\"--hue:{}\"", hue(character, &numbers)), text.to_owned())
                }
                _ => ("none", String::new(), String::new()),
            };
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\"{style} x=\"{x}\" y=\"{y}\" width=\"24\" height=\"24\"/>\
                 <text x=\"{}\" y=\"{}\">{text}</text>",
                x + 12,
                y + 17
            );
        }
    }
    svg + "</svg>"
}

/// How many code points the side of a square of a small map has, and how many squares a side of the map has.
const SQUARE: u32 = 2;
const SIDE: u32 = 256 / SQUARE;

/// A small map of the Basic Multilingual Plane. `value` gives what a code point has; a square shows the greatest one of
/// its code points, and `style` gives the attributes of each value.
fn map<T: Ord + Copy>(value: impl Fn(char) -> Option<T>, style: impl Fn(T) -> String) -> String {
    let mut paths: BTreeMap<T, String> = BTreeMap::new();
    let square = |row: u32, column: u32| {
        let code_points = (0..SQUARE * SQUARE)
            .map(|i| (row * SQUARE + i / SQUARE) * 256 + column * SQUARE + i % SQUARE)
            .filter_map(char::from_u32);
        code_points.filter_map(&value).max()
    };
    for row in 0..SIDE {
        let mut column = 0;
        while column < SIDE {
            let found = square(row, column);
            let length = (1..SIDE - column).take_while(|&i| square(row, column + i) == found).count() as u32 + 1;
            if let Some(value) = found {
                let _ = write!(paths.entry(value).or_default(), "M{column} {row}h{length}v1h-{length}z");
            }
            column += length;
        }
    }
    let mut svg = format!(
        "<svg class=\"picture plane\" viewBox=\"0 0 {SIDE} {SIDE}\" preserveAspectRatio=\"xMidYMin slice\" aria-hidden=\"true\">\n"
    );
    for (value, path) in paths {
        let _ = writeln!(svg, "<path {} d=\"{path}\"/>", style(value));
    }
    svg + "</svg>"
}

/// The characters of index jis0208, by block.
fn coverage() -> Result<String> {
    let index = index::ALL.iter().find(|index| index.name() == "jis0208").context("there is an index jis0208")?;
    let characters: std::collections::BTreeSet<char> = index.iter().map(|(_, character)| character).collect();
    let numbers = numbers_of_blocks();
    let value = |character: char| characters.contains(&character).then(|| hue(character, &numbers));
    Ok(map(value, |hue| format!("class=\"point\" style=\"--hue:{hue}\"")))
}

/// GBK and Big5 over each other.
fn overlay() -> String {
    let bytes = ["GBK", "Big5"].map(|name| {
        let encoding = encoding(name);
        move |character: char| encoding.encode_or_fail(character.encode_utf8(&mut [0; 4])).ok().map(|b| b.into_owned())
    });
    let value = |character: char| match (bytes[0](character), bytes[1](character)) {
        (None, None) => None,
        (Some(_), None) => Some("kind-a"),
        (None, Some(_)) => Some("kind-b"),
        (Some(a), Some(b)) => Some(if a == b { "kind-same" } else { "kind-different" }),
    };
    map(value, |kind| format!("class=\"{kind}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, text: &str) -> String {
        let (cells, tail) = bytes_of(encoding(name), text);
        let cells: Vec<String> = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".to_owned())).collect();
        format!("{} | {tail}", cells.join(" | "))
    }

    #[test]
    fn each_character_has_its_bytes_and_an_escape_sequence_belongs_to_the_next_one() {
        assert_eq!(shown("UTF-8", "é世"), "C3 A9 | E4 B8 96 | ");
        assert_eq!(shown("UTF-16LE", "é😀"), "E9 00 | 3D D8 00 DE | ");
        assert_eq!(shown("windows-1252", "é世"), "E9 | – | ");
        assert_eq!(shown("ISO-2022-JP", "aé世界b"), "61 | – | 1B 24 42 40 24 | 33 26 | 1B 28 42 62 | ");
        assert_eq!(shown("ISO-2022-JP", "世"), "1B 24 42 40 24 | 1B 28 42");
    }

    #[test]
    fn a_small_map_joins_equal_squares_of_a_row() {
        let svg = map(|character| (character < '\u{4}').then_some(1), |_| "id=\"a\"".to_owned());
        assert!(svg.contains("<path id=\"a\" d=\"M0 0h2v1h-2z\"/>"), "{svg}");
    }
}
