//! [Labels](https://encoding.spec.whatwg.org/#names-and-labels): from `indexes/labels.tsv` to the tables that *get an
//! encoding* reads.

use std::{cmp::Reverse, collections::BTreeMap, iter, path::Path};

use anyhow::{Context, Result, ensure};

use crate::{
    files::{self, GeneratedFile},
    label_hash::{self, BUCKETS, Hash, PLACES},
    names::{self, Encoding, NAMES},
    rust,
};

/// The file with the labels.
const LABELS: &str = "indexes/labels.tsv";
/// The folder of the generated files of the core.
const FOLDER: &str = "crates/core/src/generated";
/// The command that writes the generated files.
pub(crate) const COMMAND: &str = "cargo xtask labels";

/// The labels, each with the position of its encoding in the list of encodings.
type Labels = BTreeMap<String, usize>;

/// Writes the tables of names and labels, or with `check` fails if they are out of date.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let encodings = names::parse(&files::read(root, NAMES)?).context(NAMES)?;
    let labels = parse(&files::read(root, LABELS)?, &encodings).context(LABELS)?;
    let mut generated = vec![
        GeneratedFile { path: format!("{FOLDER}/mod.rs"), text: module() },
        GeneratedFile { path: format!("{FOLDER}/labels.rs"), text: tables(&labels, &encodings)? },
        GeneratedFile { path: format!("{FOLDER}/names.rs"), text: names::core(&encodings) },
    ];
    generated.extend(names::umbrella(&encodings));
    files::ensure_generated(root, &generated, COMMAND, check)
}

/// Parses lines of label, tab and name; empty lines and lines that begin with `#` are skipped. Labels must ascend and
/// be lower-case ASCII, and the name of each encoding must in lower case be one of its labels.
fn parse(text: &str, encodings: &[Encoding]) -> Result<Labels> {
    let mut labels = Labels::new();
    for (number, line) in text.lines().enumerate() {
        if !line.is_empty() && !line.starts_with('#') {
            let (label, place) = parse_line(line, encodings).with_context(|| format!("line {}", number + 1))?;
            let ascending = labels.last_key_value().is_none_or(|(last, _)| *last < label);
            ensure!(ascending, "line {}: labels do not ascend", number + 1);
            labels.insert(label, place);
        }
    }
    for (place, Encoding { name, .. }) in encodings.iter().enumerate() {
        let found = labels.get(&name.to_ascii_lowercase());
        ensure!(found == Some(&place), "{name} in lower case is not among the labels of {name}");
    }
    Ok(labels)
}

fn parse_line(line: &str, encodings: &[Encoding]) -> Result<(String, usize)> {
    let (label, name) = line.split_once('\t').context("not a label, a tab and a name")?;
    let is_lower_case = label.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase());
    ensure!(!label.is_empty() && is_lower_case, "{label:?} is not a label in lower-case ASCII");
    let place = encodings.iter().position(|encoding| encoding.name == name);
    Ok((label.to_owned(), place.with_context(|| format!("{name:?} is not the name of an encoding"))?))
}

fn module() -> String {
    format!(
        "{}{LABELS} and {NAMES}.\n\
         //! The tables of names and labels.\n\
         \n\
         pub(crate) mod labels;\n\
         pub(crate) mod names;\n",
        files::generated_by(COMMAND)
    )
}

/// The text of `labels.rs`.
fn tables(labels: &Labels, encodings: &[Encoding]) -> Result<String> {
    let header = files::generated_by(COMMAND);
    let by_name = by_name(labels);
    let table = PerfectHash::of(&by_name)?;

    let text: String = by_name.iter().map(|(label, _)| *label).collect();
    let mut starts = vec![0];
    starts.extend(by_name.iter().scan(0, |end, (label, _)| {
        *end += label.len() as u16;
        Some(*end)
    }));
    let firsts: Vec<u8> =
        (0..=encodings.len()).map(|place| by_name.partition_point(|(_, of)| *of < place) as u8).collect();
    let starts =
        rust::array("The start of each label in [`TEXT`], and the end of the last label.", "STARTS", "u16", &starts);
    let doc = "For each encoding, in the order of [`Name`], the number of its first label; at the end, the number of all labels.";
    let firsts = rust::array(doc, "FIRSTS", "u8", &firsts);
    let doc = "The displacement of each bucket.";
    let displacements = rust::array(doc, "DISPLACEMENTS", "u8", &table.displacements);
    let doc = "The labels and their names, at the places that their hashes give. A place without a label repeats the first label.";
    let variant = |number: usize| encodings[by_name[number].1].variant();
    let items: Vec<String> =
        table.places.iter().map(|&number| format!("(Label({number}), Name::{})", variant(number))).collect();
    let shape = format!("[(Label, Name); {PLACES}]");
    let places = rust::static_item(doc, "PLACES", &shape, &format!("[\n{}]", rust::lines(1, 4, &items)));
    let seed = table.seed;
    Ok(format!(
        "{header}{LABELS}.
//! The [labels](https://encoding.spec.whatwg.org/#label) of the encodings, for
//! [getting an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) and for listing. They are numbered by
//! encoding, and in ascending order within an encoding.

use crate::{{Name, label::Label}};

/// The labels, one after the other.
#[rustfmt::skip]
pub(crate) static TEXT: &str = \
    {text:?};

{starts}
{firsts}
/// The seed for [`Hash::new`](crate::label_hash::Hash::new) that gives each label a place of its own.
pub(crate) const SEED: u64 = 0x{seed:016X};

{displacements}
{places}",
    ))
}

/// The labels, sorted by encoding and then by label, each with the position of its encoding.
fn by_name(labels: &Labels) -> Vec<(&str, usize)> {
    let mut by_name: Vec<(&str, usize)> = labels.iter().map(|(label, &place)| (label.as_str(), place)).collect();
    by_name.sort_by_key(|(_, place)| *place);
    by_name
}

/// A perfect hash table (hash and displace): every bucket has a displacement that gives each of its labels a place of
/// its own.
struct PerfectHash {
    seed: u64,
    displacements: [u8; BUCKETS],
    /// For each place the number of its label; 0 where there is none.
    places: [usize; PLACES],
}

impl PerfectHash {
    /// Tries some thousand seeds and takes the first one for which all buckets find displacements.
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
        // Buckets with many labels come first, while most places are free.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn encodings() -> Vec<Encoding> {
        names::parse("windows-1252\tsingle-byte\nGBK\tcjk-chinese\nShift_JIS\tcjk-japanese\n").unwrap()
    }

    /// A line for each encoding: its name as its only label.
    fn minimal() -> BTreeMap<String, &'static str> {
        [("windows-1252", "windows-1252"), ("gbk", "GBK"), ("shift_jis", "Shift_JIS")]
            .map(|(label, name)| (label.to_owned(), name))
            .into()
    }

    fn parse_map(lines: &BTreeMap<String, &str>) -> Result<Labels, String> {
        let lines: String = lines.iter().map(|(label, name)| format!("{label}\t{name}\n")).collect();
        parse(&format!("# A comment\n\n{lines}"), &encodings()).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn parses_labels_after_a_comment() {
        let mut lines = minimal();
        lines.insert("latin1".to_owned(), "windows-1252");
        let labels = parse_map(&lines).unwrap();
        assert_eq!(labels.len(), 4);
        assert_eq!(labels["latin1"], 0);
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
        let error = parse("b\tGBK\na\tGBK\n", &encodings()).unwrap_err();
        assert_eq!(error.to_string(), "line 2: labels do not ascend");
    }
}
