//! Checks that documents name files and identifiers that exist, and that their lines are not longer than lines of code,
//! apart from the addresses of links.

use std::{collections::HashSet, path::Path};

use anyhow::{Result, bail};

use crate::{
    files,
    links::{KERNELS, prose, resolve},
};

/// The longest line of prose, in characters, as in rustfmt.toml. Tables may be wider.
const MAX_WIDTH: usize = 120;
/// The extensions of the files whose identifiers documents may name.
const SOURCES: [&str; 6] = ["rs", "toml", "cjs", "mjs", "js", "py"];

/// Fails if a line is too long or a name in a document does not exist, and names each such line and name.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut identifiers = HashSet::new();
    for extension in SOURCES {
        for path in files::with_extension(root, extension)? {
            identifiers.extend(files::read(root, &path)?.split(|at| !is_inside_identifier(at)).map(str::to_owned));
        }
    }
    let mut wrong = Vec::new();
    for path in files::with_extension(root, "md")? {
        // A path is relative to the root, to the folder of the document, or to that of the kernels.
        let exists = |name: &str| {
            let places = [name.to_owned(), resolve(&path, name), format!("{KERNELS}/{name}")];
            places.iter().any(|place| root.join(place).exists())
        };
        for line in prose(&files::read(root, &path)?) {
            let width = visible_width(line);
            if width > MAX_WIDTH && !line.starts_with('|') {
                wrong.push(format!("{path}: {width} characters instead of {MAX_WIDTH}: {line}"));
            }
            for name in line.split('`').skip(1).step_by(2) {
                let missing_file = is_source(name) && !exists(name);
                if missing_file || identifier(name).is_some_and(|name| !identifiers.contains(name)) {
                    wrong.push(format!("{path}: {name} does not exist"));
                }
            }
        }
    }
    if !wrong.is_empty() {
        bail!("documents:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// The characters of a line that a reader sees: without the addresses of its links.
fn visible_width(line: &str) -> usize {
    let mut parts = line.split("](https://");
    let first = parts.next().unwrap_or("").chars().count();
    // What remains of a link after its text is `]`.
    let rest = |part: &str| 1 + part.split_once(')').map_or(0, |(_, rest)| rest.chars().count());
    first + parts.map(rest).sum::<usize>()
}

fn is_inside_identifier(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Whether `name` is the path of a source file, with a folder.
fn is_source(name: &str) -> bool {
    let is_inside = |character: char| is_inside_identifier(character) || ['/', '.', '-'].contains(&character);
    name.contains('/') && name.chars().all(is_inside) && SOURCES.iter().any(|end| name.ends_with(&format!(".{end}")))
}

/// The last part of a name such as `Decoder::max_utf8_length` or `FIRST_BLOCK`, if it has the form of the names of this
/// project's functions or constants and several words. A single word can have other origins, such as instructions.
fn identifier(name: &str) -> Option<&str> {
    let part = name.rsplit("::").next()?;
    let is_one_case = part.to_lowercase() == part || part.to_uppercase() == part;
    let has_words = part.chars().all(is_inside_identifier) && part.trim_matches('_').contains('_');
    (is_one_case && has_words && !part.starts_with('_')).then_some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_names_of_several_words_are_looked_up() {
        assert_eq!(
            ["a/b.rs", "lib/c.mjs", "b.rs", "a/b.txt", "a b/c.rs"].map(is_source),
            [true, true, false, false, false]
        );
        assert_eq!(identifier("Decoder::decode_to_str"), Some("decode_to_str"));
        assert_eq!(identifier("FIRST_BLOCK"), Some("FIRST_BLOCK"));
        for other in ["vpcompressb", "PyUnicode_New", "_replacing", "a_b(c)", "--in_place"] {
            assert_eq!(identifier(other), None, "{other}");
        }
    }

    #[test]
    fn addresses_of_links_do_not_make_a_line_longer() {
        assert_eq!(visible_width("[ab](https://c.example/d) e [f](https://g.example)."), "[ab] e [f].".len());
        assert_eq!(visible_width("[ab](a.md)"), "[ab](a.md)".len());
    }

    #[test]
    fn a_stale_name_and_a_long_line_are_errors() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("crates/kernels/src/scalar/x.rs", "const FIRST_BLOCK: u8 = 1;");
        write("README.md", &format!("`scalar/x.rs`, `FIRST_BLOCK`\n| {} |\n", "x".repeat(130)));
        check(root.path()).unwrap();

        write("README.md", &format!("`scalar/y.rs`, `LAST_BLOCK`\n{}\n", "x".repeat(121)));
        let error = check(root.path()).unwrap_err().to_string();
        for wrong in ["scalar/y.rs does not exist", "LAST_BLOCK does not exist", "121 characters instead of 120"] {
            assert!(error.contains(wrong), "{error}");
        }
    }
}
