//! [Names and labels](https://encoding.spec.whatwg.org/#names-and-labels): from `indexes/labels.tsv` to the tables in
//! which *get an encoding* looks.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    hash::Hasher,
    path::Path,
};

use anyhow::{Context, Result, ensure};
use phf_shared::{FmtConst, PhfHash};

use crate::{
    files::{self, GeneratedFile},
    rust,
};

/// Where the labels are.
const LABELS: &str = "indexes/labels.tsv";
/// Where the tables go.
const FOLDER: &str = "crates/core/src/generated";
/// What makes the tables.
const COMMAND: &str = "cargo xtask labels";

/// The names of the encodings and the variants of the enum `Name` that stand for them, in its order, which is that of
/// the Standard's table.
const NAMES: [(&str, &str); 40] = [
    ("UTF-8", "Utf8"),
    ("IBM866", "Ibm866"),
    ("ISO-8859-2", "Iso8859_2"),
    ("ISO-8859-3", "Iso8859_3"),
    ("ISO-8859-4", "Iso8859_4"),
    ("ISO-8859-5", "Iso8859_5"),
    ("ISO-8859-6", "Iso8859_6"),
    ("ISO-8859-7", "Iso8859_7"),
    ("ISO-8859-8", "Iso8859_8"),
    ("ISO-8859-8-I", "Iso8859_8I"),
    ("ISO-8859-10", "Iso8859_10"),
    ("ISO-8859-13", "Iso8859_13"),
    ("ISO-8859-14", "Iso8859_14"),
    ("ISO-8859-15", "Iso8859_15"),
    ("ISO-8859-16", "Iso8859_16"),
    ("KOI8-R", "Koi8R"),
    ("KOI8-U", "Koi8U"),
    ("macintosh", "Macintosh"),
    ("windows-874", "Windows874"),
    ("windows-1250", "Windows1250"),
    ("windows-1251", "Windows1251"),
    ("windows-1252", "Windows1252"),
    ("windows-1253", "Windows1253"),
    ("windows-1254", "Windows1254"),
    ("windows-1255", "Windows1255"),
    ("windows-1256", "Windows1256"),
    ("windows-1257", "Windows1257"),
    ("windows-1258", "Windows1258"),
    ("x-mac-cyrillic", "XMacCyrillic"),
    ("GBK", "Gbk"),
    ("gb18030", "Gb18030"),
    ("Big5", "Big5"),
    ("EUC-JP", "EucJp"),
    ("ISO-2022-JP", "Iso2022Jp"),
    ("Shift_JIS", "ShiftJis"),
    ("EUC-KR", "EucKr"),
    ("replacement", "Replacement"),
    ("UTF-16BE", "Utf16Be"),
    ("UTF-16LE", "Utf16Le"),
    ("x-user-defined", "XUserDefined"),
];

/// The labels and, for each, the place of its encoding in [`NAMES`].
type Labels = BTreeMap<String, usize>;

/// Writes the tables of labels, or with `check` fails if they are out of date.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let labels = parse(&files::read(root, LABELS)?).context(LABELS)?;
    let generated = [
        GeneratedFile { path: format!("{FOLDER}/mod.rs"), text: module() },
        GeneratedFile { path: format!("{FOLDER}/labels.rs"), text: tables(&labels) },
    ];
    files::ensure_generated(root, &generated, COMMAND, check)
}

/// Parses lines of label, tab and name; empty lines and those that begin with `#` do not count. Labels must ascend and
/// be lower-case ASCII, and the name of each of the 40 encodings must in lower case be one of its labels.
fn parse(text: &str) -> Result<Labels> {
    let mut labels = Labels::new();
    for (number, line) in text.lines().enumerate() {
        if !line.is_empty() && !line.starts_with('#') {
            let (label, name) = parse_line(line).with_context(|| format!("line {}", number + 1))?;
            let ascending = labels.last_key_value().is_none_or(|(last, _)| *last < label);
            ensure!(ascending, "line {}: labels do not ascend", number + 1);
            labels.insert(label, name);
        }
    }
    for (place, (name, _)) in NAMES.iter().enumerate() {
        let found = labels.get(&name.to_ascii_lowercase());
        ensure!(found == Some(&place), "{name} in lower case is not among the labels of {name}");
    }
    Ok(labels)
}

fn parse_line(line: &str) -> Result<(String, usize)> {
    let (label, name) = line.split_once('\t').context("not a label, a tab and a name")?;
    let is_lower_case = label.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase());
    ensure!(!label.is_empty() && is_lower_case, "{label:?} is not a label in lower-case ASCII");
    let place = NAMES.iter().position(|(known, _)| *known == name);
    Ok((label.to_owned(), place.with_context(|| format!("{name:?} is not the name of an encoding"))?))
}

fn module() -> String {
    format!(
        "{}{LABELS}.\n\
         //! The tables of labels.\n\
         \n\
         pub(crate) mod labels;\n",
        files::generated_by(COMMAND)
    )
}

/// The text of `labels.rs`.
fn tables(labels: &Labels) -> String {
    let longest = labels.keys().map(String::len).max().unwrap_or(0);
    let header = files::generated_by(COMMAND);
    let by_name = by_name(labels);
    let (map, order) = (map(&by_name), order());

    let text: String = by_name.iter().map(|(label, _)| *label).collect();
    let mut starts = vec![0];
    starts.extend(by_name.iter().scan(0, |end, (label, _)| {
        *end += label.len() as u16;
        Some(*end)
    }));
    let firsts: Vec<u8> = (0..=NAMES.len()).map(|place| by_name.partition_point(|(_, of)| *of < place) as u8).collect();
    let starts = rust::array("Where each label starts in [`TEXT`], and where the last ends.", "STARTS", "u16", &starts);
    let doc = "The number of the first label of each encoding, whose place is its [`Name`] as a number, and that of all labels.";
    let firsts = rust::array(doc, "FIRSTS", "u8", &firsts);
    format!(
        "{header}{LABELS}.
//! The [labels](https://encoding.spec.whatwg.org/#label) of the encodings, for
//! [getting an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) and for listing. Their numbers are by encoding,
//! then ascending.

use crate::{{Name, label::Label}};

/// The longest label's length in bytes.
pub(crate) const LONGEST: usize = {longest};

/// The labels, one after the other.
#[rustfmt::skip]
pub(crate) static TEXT: &str = \
    {text:?};

{starts}
{firsts}
/// The encodings by label in lower case.
#[rustfmt::skip]
pub(crate) static LABELS: phf::Map<Label, Name> = {map};

// The places above are those of the names.
#[rustfmt::skip]
const _: () = {{
{order}}};
",
    )
}

/// The labels by encoding, then ascending, and the place of the encoding.
fn by_name(labels: &Labels) -> Vec<(&str, usize)> {
    let mut by_name: Vec<(&str, usize)> = labels.iter().map(|(label, &place)| (label.as_str(), place)).collect();
    by_name.sort_by_key(|(_, place)| *place);
    by_name
}

/// A label as the key of the map: there it stands as its number.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    label: &'a str,
    number: usize,
}

impl PhfHash for Key<'_> {
    fn phf_hash<H: Hasher>(&self, state: &mut H) {
        self.label.as_bytes().phf_hash(state);
    }
}

impl FmtConst for Key<'_> {
    fn fmt_const(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Label({})", self.number)
    }
}

/// The perfect hash map, as an expression.
fn map(by_name: &[(&str, usize)]) -> String {
    let mut map = phf_codegen::Map::new();
    map.phf_path("phf");
    for (number, &(label, place)) in by_name.iter().enumerate() {
        map.entry(Key { label, number }, format!("Name::{}", NAMES[place].1));
    }
    map.build().to_string()
}

/// A line per encoding that does not compile if its variant has another place.
fn order() -> String {
    let mut text = String::new();
    for (place, (_, variant)) in NAMES.iter().enumerate() {
        writeln!(text, "    assert!(Name::{variant} as usize == {place});").expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line for each encoding: its name as its only label.
    fn minimal() -> BTreeMap<String, &'static str> {
        NAMES.iter().map(|(name, _)| (name.to_ascii_lowercase(), *name)).collect()
    }

    fn parse_map(lines: &BTreeMap<String, &str>) -> Result<Labels, String> {
        let lines: String = lines.iter().map(|(label, name)| format!("{label}\t{name}\n")).collect();
        parse(&format!("# A comment\n\n{lines}")).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn parses_labels_after_a_comment() {
        let mut lines = minimal();
        lines.insert("latin1".to_owned(), "windows-1252");
        let labels = parse_map(&lines).unwrap();
        assert_eq!(labels.len(), 41);
        assert_eq!(NAMES[labels["latin1"]].0, "windows-1252");
    }

    #[test]
    fn a_name_that_is_not_an_encoding_is_an_error() {
        let mut lines = minimal();
        lines.insert("utf-7".to_owned(), "UTF-7");
        assert!(parse_map(&lines).unwrap_err().ends_with("\"UTF-7\" is not the name of an encoding"));
    }

    #[test]
    fn a_name_that_is_no_label_is_an_error() {
        let mut lines = minimal();
        lines.remove("shift_jis");
        assert!(parse_map(&lines).unwrap_err().contains("Shift_JIS"));
    }

    #[test]
    fn a_label_in_upper_case_is_an_error() {
        let mut lines = minimal();
        lines.insert("SJIS".to_owned(), "Shift_JIS");
        assert!(parse_map(&lines).unwrap_err().contains("\"SJIS\" is not a label in lower-case ASCII"));
    }

    #[test]
    fn labels_out_of_order_are_an_error() {
        assert_eq!(parse("b\tGBK\na\tGBK\n").unwrap_err().to_string(), "line 2: labels do not ascend");
    }
}
