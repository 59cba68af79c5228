//! The parts of the two text files: tables with names, lists of words, and lines in which each word is put in turn.

use std::ops::RangeInclusive;

/// A table of one encoding: its name, and its lines as words.
pub(super) struct Table<'t> {
    pub(super) name: &'t str,
    /// The name of the index that the lines call `own`.
    pub(super) own_index: &'t str,
    pub(super) lines: Vec<Vec<String>>,
}

/// Reads all tables of `text`, which begin with lines `kind NAME` or `kind NAME as OTHER`.
pub(super) fn read<'t>(text: &'t str, kind: &str) -> Vec<Table<'t>> {
    let mut lists: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut tables: Vec<Table<'t>> = Vec::new();
    // The tables that get the next lines, and the list that the line before has begun or continued.
    let (mut open, mut last_list) = (0..0, "");
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&'t str> = line.split_ascii_whitespace().collect();
        let continued = std::mem::take(&mut last_list);
        match words[..] {
            ["let", list, "=", ref members @ ..] => {
                last_list = list;
                match lists.iter_mut().find(|(name, _)| *name == list) {
                    Some((_, known)) if list == continued => known.extend(members),
                    Some((_, known)) => *known = members.to_vec(),
                    None => lists.push((list, members.to_vec())),
                }
            }
            [first, name, "as", other] if first == kind => {
                let like = tables.iter().find(|table| table.name == other).expect("the other table stands before");
                let lines = like.lines.clone();
                tables.push(Table { name, own_index: other, lines });
            }
            [first, name] if first == kind => {
                let start = tables.len();
                let list = name.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
                let names = list.map_or(vec![name], |list| members(&lists, list).to_vec());
                tables.extend(names.into_iter().map(|name| Table { name, own_index: name, lines: Vec::new() }));
                open = start..tables.len();
            }
            _ => {
                for line in expanded(&lists, line) {
                    let words: Vec<String> = line.split_ascii_whitespace().map(String::from).collect();
                    tables[open.clone()].iter_mut().for_each(|table| table.lines.push(words.clone()));
                }
            }
        }
    }
    tables
}

fn members<'a, 't>(lists: &'a [(&str, Vec<&'t str>)], name: &str) -> &'a [&'t str] {
    let list = lists.iter().find(|list| list.0 == name);
    &list.unwrap_or_else(|| panic!("there is no list {name}")).1
}

/// The lines in which `<list>` is replaced by each member of the list in turn.
fn expanded(lists: &[(&str, Vec<&str>)], line: &str) -> Vec<String> {
    let Some((_, rest)) = line.split_once('<') else { return vec![line.to_owned()] };
    let (list, _) = rest.split_once('>').expect("the name of a list ends with >");
    let each = members(lists, list).iter().map(|member| line.replace(&format!("<{list}>"), member));
    each.flat_map(|line| expanded(lists, &line)).collect()
}

pub(super) fn hex(word: &str) -> u32 {
    u32::from_str_radix(word, 16).unwrap_or_else(|_| panic!("{word} is no hexadecimal number"))
}

pub(super) fn decimal(word: &str) -> u32 {
    word.parse().unwrap_or_else(|_| panic!("{word} is no decimal number"))
}

/// `A` or `A..B`.
pub(super) fn range(word: &str, number: fn(&str) -> u32) -> RangeInclusive<u32> {
    match word.split_once("..") {
        Some((first, last)) => number(first)..=number(last),
        None => number(word)..=number(word),
    }
}

/// The number of the state `name`, which gets one if it is new.
pub(super) fn state_number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
