//! [Names and labels](https://encoding.spec.whatwg.org/#names-and-labels): from `indexes/labels.tsv` to the tables in
//! which *get an encoding* looks.

use std::{cmp::Reverse, collections::BTreeMap, fmt::Write as _, iter, path::Path};

use anyhow::{Context, Result, ensure};

use crate::{
    files::{self, GeneratedFile},
    label_hash::{self, BUCKETS, Hash, PLACES},
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
        GeneratedFile { path: format!("{FOLDER}/labels.rs"), text: tables(&labels)? },
        GeneratedFile { path: format!("{FOLDER}/names.rs"), text: names() },
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
         pub(crate) mod labels;\n\
         pub(crate) mod names;\n",
        files::generated_by(COMMAND)
    )
}

/// The text of `names.rs`.
fn names() -> String {
    let mut map = phf_codegen::Map::new();
    for (name, variant) in NAMES {
        map.entry(name, format!("Name::{variant}"));
    }
    let doc = "The encodings by their exact names.";
    let table = rust::static_item(doc, "NAMES", "phf::Map<&str, Name>", &map.build().to_string());
    let source = "https://encoding.spec.whatwg.org/#names-and-labels";
    format!(
        "{}the names.\n//! The [names]({source}) of the encodings.\n\nuse crate::Name;\n\n{table}",
        files::generated_by(COMMAND)
    )
}

/// The text of `labels.rs`.
fn tables(labels: &Labels) -> Result<String> {
    let header = files::generated_by(COMMAND);
    let by_name = by_name(labels);
    let order = order();
    let table = PerfectHash::of(&by_name)?;

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
    let doc = "For each bucket what its places are displaced by.";
    let displacements = rust::array(doc, "DISPLACEMENTS", "u8", &table.displacements);
    let doc = "The labels and the names that they stand for, where their hashes lead. What no label leads to is the first label's.";
    let items: Vec<String> =
        table.places.iter().map(|&number| format!("(Label({number}), Name::{})", NAMES[by_name[number].1].1)).collect();
    let shape = format!("[(Label, Name); {PLACES}]");
    let places = rust::static_item(doc, "PLACES", &shape, &format!("[\n{}]", rust::lines(1, 4, &items)));
    let seed = table.seed;
    Ok(format!(
        "{header}{LABELS}.
//! The [labels](https://encoding.spec.whatwg.org/#label) of the encodings, for
//! [getting an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) and for listing. Their numbers are by encoding,
//! then ascending.

use crate::{{Name, label::Label}};

/// The labels, one after the other.
#[rustfmt::skip]
pub(crate) static TEXT: &str = \
    {text:?};

{starts}
{firsts}
/// What [`Hash::new`](crate::label_hash::Hash::new) takes so that no two labels have the same place.
pub(crate) const SEED: u64 = 0x{seed:016X};

{displacements}
{places}
// The places above are those of the names.
#[rustfmt::skip]
const _: () = {{
{order}}};
",
    ))
}

/// The labels by encoding, then ascending, and the place of the encoding.
fn by_name(labels: &Labels) -> Vec<(&str, usize)> {
    let mut by_name: Vec<(&str, usize)> = labels.iter().map(|(label, &place)| (label.as_str(), place)).collect();
    by_name.sort_by_key(|(_, place)| *place);
    by_name
}

/// A perfect hash table by hash and displace: every bucket has a displacement by which none of its labels gets a place that
/// another label has.
struct PerfectHash {
    seed: u64,
    displacements: [u8; BUCKETS],
    /// For each place the number of its label; 0 where there is none.
    places: [usize; PLACES],
}

impl PerfectHash {
    /// The first of some thousand seeds for which all buckets find displacements.
    fn of(by_name: &[(&str, usize)]) -> Result<Self> {
        let seeds = iter::successors(Some(0x9E37_79B9_7F4A_7C15_u64), |seed| {
            Some(seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        });
        let table = seeds.take(10_000).find_map(|seed| Self::with_seed(by_name, seed | 1));
        table.context("no seed of the hash keeps all labels apart")
    }

    fn with_seed(by_name: &[(&str, usize)], seed: u64) -> Option<Self> {
        let mut buckets: Vec<Vec<(usize, Hash)>> = iter::repeat_with(Vec::new).take(BUCKETS).collect();
        for (number, (label, _)) in by_name.iter().enumerate() {
            let hash = Hash::new(label_hash::words(label.as_bytes())?, seed);
            buckets[hash.bucket].push((number, hash));
        }
        let mut table = PerfectHash { seed, displacements: [0; BUCKETS], places: [0; PLACES] };
        let mut taken = [false; PLACES];
        // The fullest first, while most places are free.
        buckets.sort_by_key(|bucket| Reverse(bucket.len()));
        for bucket in buckets.iter().take_while(|bucket| !bucket.is_empty()) {
            let displacement = (0..=u8::MAX).find(|&displacement| {
                let mut taken = taken;
                let mut take = |place: usize| !std::mem::replace(&mut taken[place], true);
                bucket.iter().all(|(_, hash)| take(hash.place(displacement)))
            })?;
            for (number, hash) in bucket {
                table.displacements[hash.bucket] = displacement;
                table.places[hash.place(displacement)] = *number;
                taken[hash.place(displacement)] = true;
            }
        }
        Some(table)
    }
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
