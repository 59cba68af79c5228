//! Checks that the rooms of a crate, which are the folders and files of its source, know only rooms before them.
//!
//! The crate's `lib.rs` draws the order: `base ← level ← …`. So there is no circle, and a reader of one room has to
//! know nothing that comes after it. Tests may use any room.

use std::path::Path;

use anyhow::{Result, bail, ensure};

use crate::{files, links::KERNELS};

/// A folder whose entries are rooms.
struct House {
    folder: &'static str,
    /// The file that draws the order.
    order: &'static str,
    /// The path that stands before the name of a room in the rooms' files.
    prefix: &'static str,
    /// Files that are no rooms.
    outside: &'static [&'static str],
}

const HOUSES: [House; 4] = [
    House { folder: KERNELS, order: "crates/kernels/src/lib.rs", prefix: "crate::", outside: &["lib", "testing"] },
    House { folder: "crates/convert/src", order: "crates/convert/src/lib.rs", prefix: "crate::", outside: &["lib"] },
    House {
        folder: "crates/convert/src/files",
        order: "crates/convert/src/files.rs",
        prefix: "super::",
        // A test.
        outside: &["messages"],
    },
    House { folder: "crates/cli/src", order: "crates/cli/src/lib.rs", prefix: "crate::", outside: &["lib", "main"] },
];

/// Fails if a file names a room that is not before its own, and names every such pair.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut violations = Vec::new();
    for house in &HOUSES {
        let order = order(&files::read(root, house.order)?, house.order)?;
        let rooms = rooms(&files::names_in(&root.join(house.folder))?, house.outside);
        let missing: Vec<_> = rooms.iter().filter(|room| !order.contains(room)).cloned().collect();
        ensure!(missing.is_empty(), "the order in {} lacks {}", house.order, missing.join(", "));
        let empty: Vec<_> = order.iter().filter(|room| !rooms.contains(room)).cloned().collect();
        ensure!(empty.is_empty(), "the order in {} has {}, which do not exist", house.order, empty.join(", "));
        for path in files::with_extension(root, "rs")? {
            let Some(file) = path.strip_prefix(house.folder).and_then(|file| file.strip_prefix('/')) else { continue };
            let room = room_of(file);
            if house.outside.contains(&room) || file.ends_with("tests.rs") {
                continue;
            }
            let text = files::read(root, &path)?;
            violations.extend(violations_in(&path, room, &text, house.prefix, &order));
        }
    }
    if !violations.is_empty() {
        bail!("rooms that know a room after them, or none:\n  {}", violations.join("\n  "));
    }
    Ok(())
}

/// The room to which the file at `path` in a house belongs.
fn room_of(path: &str) -> &str {
    let first = path.split('/').next().unwrap_or(path);
    first.strip_suffix(".rs").unwrap_or(first)
}

/// The rooms that these names of files and folders make, without those that are outside.
fn rooms(names: &[String], outside: &[&str]) -> Vec<String> {
    let mut rooms: Vec<String> = names.iter().map(|name| room_of(name).to_owned()).collect();
    rooms.retain(|room| !outside.contains(&&**room));
    rooms.dedup();
    rooms
}

/// The rooms in the order in which `text` draws them, on the lines of its documentation that have arrows. A last room
/// can stand on a line of its own.
fn order(text: &str, path: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut is_open = false;
    for line in text.lines().filter_map(|line| line.strip_prefix("//!")) {
        if line.contains('←') || is_open {
            names.extend(line.split('←').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
            is_open = line.trim_end().ends_with('←');
        }
    }
    ensure!(!names.is_empty(), "{path} draws no order");
    Ok(names)
}

/// A sentence for each room that `text`, a file of `room`, names and may not know.
fn violations_in(file: &str, room: &str, text: &str, prefix: &str, order: &[String]) -> Vec<String> {
    let place = |name: &str| order.iter().position(|room| room == name);
    let mut violations: Vec<String> = rooms_in(text, prefix)
        .into_iter()
        .filter(|name| name != room && place(name).is_none_or(|other| place(room).is_none_or(|own| other > own)))
        .map(|name| format!("{file}: {room} -> {name}"))
        .collect();
    violations.sort();
    violations.dedup();
    violations
}

/// The first names after `prefix` in `text`, outside of comments and tests.
fn rooms_in(text: &str, prefix: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("mod tests {"))
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    code.split(prefix).skip(1).flat_map(first_names).collect()
}

/// The name that `path` begins with; of a list in braces, the names that its entries begin with.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String { text.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect() };
    let Some(list) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut depth) = (Vec::new(), 0);
    let mut is_first = true;
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            _ if is_first && !character.is_whitespace() => {
                names.push(name(&list[at..]));
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str =
        "//! ```text\n//! base ← level ←\n//! ascii ← utf8 ←\n//! last\n//! ```\n//! No arrow.\npub mod ascii;\n";

    fn violations(room: &str, text: &str) -> Vec<String> {
        violations_in(&format!("{room}/v128.rs"), room, text, "crate::", &order(LIB, "lib.rs").unwrap())
    }

    #[test]
    fn the_order_is_drawn_over_several_lines() {
        assert_eq!(order(LIB, "lib.rs").unwrap(), ["base", "level", "ascii", "utf8", "last"]);
        assert!(order("//! base\n", "lib.rs").is_err());
    }

    #[test]
    fn a_room_is_a_folder_a_file_or_both() {
        let names = ["charset", "charset.rs", "kind.rs", "lib.rs", "text"].map(str::to_owned);
        assert_eq!(rooms(&names, &["lib"]), ["charset", "kind", "text"]);
        assert_eq!(["charset/extra/utf7.rs", "kind.rs"].map(room_of), ["charset", "kind"]);
    }

    #[test]
    fn a_room_knows_those_before_it() {
        let text = "use super::scalar;\nuse crate::{\n    ascii::{v128, scalar},\n    base::blocks::block,\n};\n";
        assert!(violations("utf8", text).is_empty());
        assert_eq!(violations("level", text), ["level/v128.rs: level -> ascii"]);
        assert_eq!(violations("base", "fn f() { crate::level::level() }"), ["base/v128.rs: base -> level"]);
        assert_eq!(violations("ascii", "$crate::utf8::f()"), ["ascii/v128.rs: ascii -> utf8"]);
        let order = order(LIB, "lib.rs").unwrap();
        assert_eq!(
            violations_in("a.rs", "base", "use super::{level::f, base};", "super::", &order),
            ["a.rs: base -> level"]
        );
    }

    #[test]
    fn a_name_without_a_place_in_the_order_is_found() {
        assert_eq!(violations("utf8", "use crate::tables;"), ["utf8/v128.rs: utf8 -> tables"]);
    }

    #[test]
    fn comments_and_tests_may_name_every_room() {
        let text = "/// See [`crate::utf8::copy`].\nfn f() {} // crate::utf8\n#[cfg(test)]\nmod tests {\n    use crate::utf8;\n}\n";
        assert!(violations("ascii", text).is_empty());
    }
}
