//! Names, namespaces and code pages.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    hash::{BuildHasher, RandomState},
};

use textcodec_charsets::{Charset, Family, Names, Unmappable};
use textcodec_core::Name;

use crate::mappings::folder;

/// The rows of a table of tab-separated values.
fn rows(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder().join(name)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn namespace(name: &str) -> Names {
    match name {
        "glibc" => Names::Glibc,
        "iana" => Names::Iana,
        "python" => Names::Python,
        "java" => Names::Java,
        _ => panic!("{name} is no namespace"),
    }
}

#[test]
fn every_name_leads_to_its_charset_in_any_case() {
    for row in [rows("names.tsv"), rows("more-names.tsv")].concat() {
        let [charset, names, name] = &row[..] else { panic!("{row:?}") };
        for name in [name.clone(), name.to_lowercase(), name.to_uppercase()] {
            let found = Charset::for_name(&name, namespace(names)).map(Charset::name);
            assert_eq!(found, Some(charset.as_str()), "{names} {name}");
        }
    }
}

#[test]
fn a_charset_lists_its_names_and_the_first_one_of_the_file_comes_first() {
    let rows = [rows("names.tsv"), rows("more-names.tsv")].concat();
    for charset in Charset::all() {
        for (title, names) in ["glibc", "iana", "python", "java"].into_iter().zip(Names::ALL) {
            let listed: Vec<&str> = charset.names(names).collect();
            let expected: Vec<String> = rows
                .iter()
                .filter(|row| row[0] == charset.name() && row[1] == title)
                .map(|row| row[2].clone())
                .collect();
            assert_eq!(listed.first().copied(), expected.first().map(String::as_str), "{charset}, {title}");
            let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
            assert_eq!(listed.len(), expected.len(), "{charset}, {title}");
            assert_eq!(BTreeSet::from_iter(listed), expected, "{charset}, {title}");
        }
    }
}

#[test]
fn a_python_name_has_hyphens_spaces_or_underscores() {
    for name in ["mac_greek", "MAC-GREEK", "mac greek"] {
        assert_eq!(Charset::for_name(name, Names::Python).map(Charset::name), Some("MACGREEK"), "{name}");
    }
    assert_eq!(Charset::for_name("mac_greek", Names::Iana), None);
}

#[test]
fn every_code_page_leads_to_its_charset_and_back() {
    let rows: BTreeMap<u16, String> =
        rows("code-pages.tsv").into_iter().map(|row| (row[0].parse().unwrap(), row[1].clone())).collect();
    for number in 0..=u16::MAX {
        let found = Charset::for_code_page(number).map(Charset::name);
        assert_eq!(found, rows.get(&number).map(String::as_str), "{number}");
    }
    for charset in Charset::all() {
        let expected: Vec<u16> = rows.iter().filter(|row| row.1 == charset.name()).map(|row| *row.0).collect();
        assert_eq!(charset.code_pages().collect::<Vec<_>>(), expected, "{charset}");
    }
}

#[test]
fn a_name_that_nobody_has_leads_nowhere() {
    for names in Names::ALL {
        for name in ["", "a", "zzzz", "IBM437x", "IBM43", "é", "x-user-defined"] {
            assert_eq!(Charset::for_name(name, names), None, "{name:?} {names:?}");
        }
    }
}

#[test]
fn the_charsets_and_their_families_are_those_of_the_tables() {
    let rows = [rows("charsets.tsv"), rows("codecs.tsv")].concat();
    let expected: BTreeSet<(&str, &str)> = rows.iter().map(|row| (&*row[0], &*row[1])).collect();
    let found: BTreeSet<(&str, &str)> =
        Charset::all().map(|charset| (charset.name(), charset.family().name())).collect();
    assert_eq!(found, expected);
}

#[test]
fn charsets_have_distinct_names_and_are_equal_to_themselves_only() {
    let all: Vec<Charset> = Charset::all().collect();
    let hasher = RandomState::new();
    let names: BTreeSet<String> = all.iter().map(|charset| charset.name().to_ascii_lowercase()).collect();
    assert_eq!(names.len(), all.len());
    for (number, charset) in all.iter().enumerate() {
        assert_eq!(all.iter().position(|other| other == charset), Some(number));
        let hash = hasher.hash_one(charset);
        assert!(all.iter().enumerate().all(|(place, other)| (hasher.hash_one(other) == hash) == (place == number)));
        // A code page of EBCDIC with its line feed elsewhere has the same name, and is another charset.
        let Some(other) = charset.with_line_feed_at_15() else { continue };
        assert!(other != *charset && other.name() == charset.name() && !all.contains(&other), "{charset}");
        assert_eq!((other, other.with_line_feed_at_15()), (charset.with_line_feed_at_15().unwrap(), None));
        assert_ne!(hasher.hash_one(other), hash, "{charset}");
    }
    assert!(all.iter().any(|charset| charset.family() == Family::Ebcdic && charset.family().name() == "ebcdic"));
}

#[test]
fn a_charset_is_shown_by_its_name_which_fills_a_width() {
    for charset in Charset::all() {
        let name = charset.name();
        assert_eq!(format!("{charset}|{charset:>32}|{charset:<32}|"), format!("{name}|{name:>32}|{name:<32}|"));
        assert_eq!(format!("{charset:?}"), format!("Charset({name})"));
    }
}

#[test]
fn a_charset_without_an_encoder_has_bytes_for_no_character() {
    let mut count = 0;
    for charset in Charset::all().filter(|charset| charset.new_encoder().is_none()) {
        assert!(!charset.codec().has_encoder(), "{charset}");
        assert_eq!(charset.encode_or_fail(""), Ok(Vec::new()), "{charset}");
        assert_eq!(charset.encode_or_fail("éa"), Err(Unmappable::new(0, 'é')), "{charset}");
        count += 1;
    }
    assert!(count > 0);
}

/// The labels of the Standard are those of `labels.tsv` and no others, whatever charsets are linked.
#[test]
fn a_name_of_a_charset_is_a_label_of_the_standard_only_if_the_standard_has_it() {
    let labels = fs::read_to_string(folder().join("../labels.tsv")).unwrap();
    let labels: BTreeSet<&str> =
        labels.lines().filter_map(|line| line.split_once('\t')).map(|(label, _)| label).collect();
    assert_eq!(labels.len(), 228);
    let (mut shared, mut others) = (0, 0);
    for charset in Charset::all() {
        for name in Names::ALL.into_iter().flat_map(|names| charset.names(names)).chain([charset.name()]) {
            let is_label = labels.contains(name.to_ascii_lowercase().as_str());
            assert_eq!(Name::for_label(name.as_bytes()).is_ok(), is_label, "{name}");
            if is_label { shared += 1 } else { others += 1 }
        }
    }
    assert!(shared > 100 && others > 1000, "{shared}, {others}");
    // What the label means is not what the name means.
    assert_eq!(Name::for_label(b"iso-8859-1").unwrap(), Name::Windows1252);
    let charset = Charset::for_name("iso-8859-1", Names::Iana).unwrap();
    assert_eq!(charset.decode_or_fail(b"\x80").unwrap(), "\u{80}");
}
