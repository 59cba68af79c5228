//! Checks that the concerns of the kernels, which are the folders of its source, know only concerns before them.
//!
//! `lib.rs` draws the order: `base ← level ← …`. So there is no circle, and a reader of one folder has to know nothing
//! that comes after it. Tests may use any concern.

use std::path::Path;

use anyhow::{Result, bail, ensure};

use crate::{files, links::KERNELS};

/// Fails if a file names a concern that is not before its own, and names every such pair.
pub(crate) fn check(root: &Path) -> Result<()> {
    let order = order(&files::read(root, &format!("{KERNELS}/lib.rs"))?)?;
    let folders = folders(&root.join(KERNELS))?;
    let missing: Vec<_> = folders.iter().filter(|folder| !order.contains(folder)).cloned().collect();
    ensure!(missing.is_empty(), "the order in {KERNELS}/lib.rs lacks the folders {}", missing.join(", "));

    let mut violations = Vec::new();
    for path in files::with_extension(root, "rs")? {
        let Some(file) = path.strip_prefix(KERNELS).and_then(|file| file.strip_prefix('/')) else { continue };
        let Some((folder, _)) = file.split_once('/').filter(|_| !file.ends_with("tests.rs")) else { continue };
        violations.extend(violations_in(file, folder, &files::read(root, &path)?, &order));
    }
    if !violations.is_empty() {
        bail!("concerns of {KERNELS} that know a concern after them, or none:\n  {}", violations.join("\n  "));
    }
    Ok(())
}

/// The names of the folders in `source`, in ascending order.
fn folders(source: &Path) -> Result<Vec<String>> {
    Ok(files::names_in(source)?.into_iter().filter(|name| source.join(name).is_dir()).collect())
}

/// The concerns in the order in which `lib` draws them, on the lines of its documentation that have arrows.
fn order(lib: &str) -> Result<Vec<String>> {
    let drawn = lib.lines().filter_map(|line| line.strip_prefix("//!")).filter(|line| line.contains('←'));
    let names: Vec<String> = drawn
        .flat_map(|line| line.split('←'))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    ensure!(!names.is_empty(), "{KERNELS}/lib.rs draws no order of the concerns");
    Ok(names)
}

/// A sentence for each concern that `text`, a file of the concern `folder`, names and may not know.
fn violations_in(file: &str, folder: &str, text: &str, order: &[String]) -> Vec<String> {
    let place = |name: &str| order.iter().position(|concern| concern == name);
    let mut violations: Vec<String> = concerns_in(text)
        .into_iter()
        .filter(|name| name != folder && place(name).is_none_or(|other| place(folder).is_none_or(|own| other > own)))
        .map(|name| format!("{file}: {folder} -> {name}"))
        .collect();
    violations.sort();
    violations.dedup();
    violations
}

/// The first names after `crate::` in `text`, which is a file of the kernels, outside of comments and tests.
fn concerns_in(text: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("mod tests {"))
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    code.split("crate::").skip(1).flat_map(first_names).collect()
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

    const LIB: &str = "//! ```text\n//! base ← level ←\n//! ascii ← utf8\n//! ```\n//! No arrow.\npub mod ascii;\n";

    fn violations(folder: &str, text: &str) -> Vec<String> {
        violations_in(&format!("{folder}/v128.rs"), folder, text, &order(LIB).unwrap())
    }

    #[test]
    fn the_order_is_drawn_over_several_lines() {
        assert_eq!(order(LIB).unwrap(), ["base", "level", "ascii", "utf8"]);
        assert!(order("//! base\n").is_err());
    }

    #[test]
    fn a_concern_knows_those_before_it() {
        let text = "use super::scalar;\nuse crate::{\n    ascii::{v128, scalar},\n    base::blocks::block,\n};\n";
        assert!(violations("utf8", text).is_empty());
        assert_eq!(violations("level", text), ["level/v128.rs: level -> ascii"]);
        assert_eq!(violations("base", "fn f() { crate::level::level() }"), ["base/v128.rs: base -> level"]);
        assert_eq!(violations("ascii", "$crate::utf8::f()"), ["ascii/v128.rs: ascii -> utf8"]);
    }

    #[test]
    fn a_name_without_a_place_in_the_order_is_found() {
        assert_eq!(violations("utf8", "use crate::tables;"), ["utf8/v128.rs: utf8 -> tables"]);
    }

    #[test]
    fn comments_and_tests_may_name_every_concern() {
        let text = "/// See [`crate::utf8::copy`].\nfn f() {} // crate::utf8\n#[cfg(test)]\nmod tests {\n    use crate::utf8;\n}\n";
        assert!(violations("ascii", text).is_empty());
    }
}
