//! The sections of an encoding: rectangles of byte sequences, most of which are the pointers of an index.

use textcodec::{Encoding, Name, index};

/// A rectangle of byte sequences: one sequence for each row and column, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// The name of the index of which the cells are the pointers, counted row by row; `None` if a rule gives the
    /// characters.
    pub(crate) index: Option<&'static str>,
    /// What the cells are, for people.
    pub(crate) title: &'static str,
    /// The first hex digits of the byte sequences of each row.
    pub(crate) rows: Vec<String>,
    /// The last hex digits of the byte sequences of each column.
    pub(crate) columns: Vec<String>,
    /// The escape sequence that a decoder must have read before.
    pub(crate) escape: &'static [u8],
}

impl Section {
    /// How many byte sequences there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len() * self.columns.len()
    }

    /// The hex digits of the byte sequence at `pointer`.
    pub(crate) fn hex(&self, pointer: usize) -> String {
        let (row, column) = (pointer / self.columns.len(), pointer % self.columns.len());
        format!("{}{}", self.rows[row], self.columns[column])
    }

    /// The bytes of the sequence at `pointer`, without the escape sequence.
    pub(crate) fn bytes(&self, pointer: usize) -> Vec<u8> {
        bytes_of_hex(&self.hex(pointer))
    }

    /// What the decoder of `encoding` makes of the sequence at `pointer`; `None` if the sequence is malformed.
    pub(crate) fn decode(&self, encoding: Encoding, pointer: usize) -> Option<String> {
        let mut bytes = self.escape.to_vec();
        bytes.extend(self.bytes(pointer));
        encoding
            .decode_without_bom_handling_or_fail(&bytes)
            .ok()
            .map(|text| text.into_owned())
            .filter(|text| !text.is_empty())
    }
}

/// A line for each sequence of each encoding: encoding, sequence, and code points or "-", in columns. The escape
/// sequences of ISO-2022-JP are parts of its sequences.
pub(crate) fn write_table(out: &mut impl std::io::Write) -> std::io::Result<()> {
    for encoding in Encoding::all() {
        for section in sections(encoding).iter().chain(&by_arithmetic(encoding)) {
            let escape = hex_of_bytes(section.escape);
            for pointer in 0..section.len() {
                write!(out, "{encoding}\t{escape}{}\t", section.hex(pointer))?;
                match section.decode(encoding, pointer) {
                    None => writeln!(out, "-")?,
                    Some(text) => {
                        let code_points: Vec<String> = text.chars().map(|c| format!("{:04X}", c as u32)).collect();
                        writeln!(out, "{}", code_points.join(" "))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The sequences that follow from arithmetic, with the malformed ones among them: those of UTF-8 and UTF-16, and the
/// four-byte sequences of gb18030. They are in no chart.
fn by_arithmetic(encoding: Encoding) -> Vec<Section> {
    let sequences = |parts: &[std::ops::RangeInclusive<u8>]| {
        let (last, first) = parts.split_last().expect("a sequence has bytes");
        let mut rows = vec![String::new()];
        for range in first {
            rows = rows.iter().flat_map(|row| prefixed(row, bytes(std::slice::from_ref(range)))).collect();
        }
        Section { index: None, title: "", rows, columns: bytes(std::slice::from_ref(last)), escape: b"" }
    };
    match encoding.id() {
        Name::Utf8 => vec![
            sequences(&[0..=0xFF]),
            sequences(&[0xC0..=0xDF, 0x80..=0xBF]),
            sequences(&[0xE0..=0xEF, 0x80..=0xBF, 0x80..=0xBF]),
            sequences(&[0xF0..=0xF7, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF]),
        ],
        Name::Utf16Be => {
            vec![sequences(&[0..=0xFF, 0..=0xFF]), sequences(&[0xD8..=0xDB, 0..=0xFF, 0xDC..=0xDF, 0..=0xFF])]
        }
        Name::Utf16Le => {
            vec![sequences(&[0..=0xFF, 0..=0xFF]), sequences(&[0..=0xFF, 0xD8..=0xDB, 0..=0xFF, 0xDC..=0xDF])]
        }
        Name::Gbk | Name::Gb18030 => vec![sequences(&[0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39])],
        _ => Vec::new(),
    }
}

/// The bytes written as `hex`, two digits each.
pub(crate) fn bytes_of_hex(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("two hex digits")).collect()
}

/// `bytes` in hex digits.
pub(crate) fn hex_of_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn digits(range: std::ops::RangeInclusive<u8>) -> Vec<String> {
    range.map(|digit| format!("{digit:X}")).collect()
}

fn bytes(ranges: &[std::ops::RangeInclusive<u8>]) -> Vec<String> {
    ranges.iter().cloned().flatten().map(|byte| format!("{byte:02X}")).collect()
}

fn prefixed(prefix: &str, parts: Vec<String>) -> Vec<String> {
    parts.into_iter().map(|part| format!("{prefix}{part}")).collect()
}

/// Rows of 16 sequences of one byte each.
fn single(title: &'static str, index: Option<&'static str>, rows: std::ops::RangeInclusive<u8>) -> Section {
    Section { index, title, rows: digits(rows), columns: digits(0..=15), escape: b"" }
}

fn pairs(index: &'static str, leads: Vec<String>, trails: Vec<String>) -> Section {
    Section { index: Some(index), title: "two bytes", rows: leads, columns: trails, escape: b"" }
}

/// The sections of `encoding`. UTF-8, UTF-16, replacement, and the four-byte sequences of gb18030 have none, because
/// they follow from arithmetic.
pub(crate) fn sections(encoding: Encoding) -> Vec<Section> {
    let square = || bytes(&[0xA1..=0xFE]);
    match encoding.id() {
        Name::Utf8 | Name::Utf16Be | Name::Utf16Le | Name::Replacement => Vec::new(),
        Name::Big5 => vec![
            single("one byte", None, 0..=7),
            pairs("big5", bytes(&[0x81..=0xFE]), bytes(&[0x40..=0x7E, 0xA1..=0xFE])),
        ],
        Name::EucKr => {
            vec![single("one byte", None, 0..=7), pairs("euc-kr", bytes(&[0x81..=0xFE]), bytes(&[0x41..=0xFE]))]
        }
        Name::Gbk | Name::Gb18030 => vec![
            single("one byte", None, 0..=8),
            pairs("gb18030", bytes(&[0x81..=0xFE]), bytes(&[0x40..=0x7E, 0x80..=0xFE])),
        ],
        Name::ShiftJis => vec![
            single("one byte", None, 0..=15),
            pairs("jis0208", bytes(&[0x81..=0x9F, 0xE0..=0xFC]), bytes(&[0x40..=0x7E, 0x80..=0xFC])),
        ],
        Name::EucJp => vec![
            single("one byte", None, 0..=7),
            Section {
                title: "half-width katakana, after 8E",
                ..Section { rows: prefixed("8E", digits(10..=13)), ..single("", None, 0..=0) }
            },
            pairs("jis0208", square(), square()),
            Section { title: "three bytes", ..pairs("jis0212", prefixed("8F", square()), square()) },
        ],
        Name::Iso2022Jp => vec![
            Section { title: "ASCII state", ..single("", None, 0..=7) },
            Section { escape: b"\x1B(J", title: "Roman state", ..single("", None, 0..=7) },
            Section { escape: b"\x1B(I", title: "katakana state", ..single("", None, 2..=5) },
            Section {
                escape: b"\x1B$B",
                title: "lead byte and trail byte",
                ..pairs("jis0208", bytes(&[0x21..=0x7E]), bytes(&[0x21..=0x7E]))
            },
        ],
        Name::XUserDefined => {
            vec![single("one byte", None, 0..=7), single("one byte, private use", None, 8..=15)]
        }
        _ => {
            let index = index::ALL.iter().find(|index| index_of_single_byte(encoding) == index.name());
            vec![single("one byte", None, 0..=7), single("one byte", index.map(|index| index.name()), 8..=15)]
        }
    }
}

/// The name of the index of a single-byte encoding. ISO-8859-8-I has the index of ISO-8859-8.
fn index_of_single_byte(encoding: Encoding) -> String {
    let name = encoding.name().to_ascii_lowercase();
    name.strip_suffix("-i").map(str::to_owned).unwrap_or(name)
}
