//! Writes `docs/UNSAFE.md`: every block of unsafe code that ships, with the invariant from its comment, and the number
//! of them in each crate, which has a ceiling.

use std::{fmt::Write as _, path::Path};

use anyhow::{Result, bail};

use crate::files;

/// The page.
const PAGE: &str = "docs/UNSAFE.md";
/// The command that writes the page.
const COMMAND: &str = "cargo xtask unsafe";

/// For some blocks, the test that failed when the check was removed that makes the block sound.
const PROOFS: &str = "xtask/src/unsafe_proofs.tsv";
const PROOF_COLUMNS: [&str; 5] = ["file", "function", "part of the invariant", "removed check", "test that fails"];
type Proof = [String; PROOF_COLUMNS.len()];

/// The greatest number of unsafe blocks, implementations and declarations in each crate. Every other crate has none.
///
/// A new block needs a reason in its commit, where the ceiling is raised, too.
const CEILINGS: [(&str, usize); 7] =
    [("capi", 150), ("capi-iconv", 40), ("kernels", 83), ("node", 35), ("python", 60), ("wasm", 2), ("wasm-parts", 2)];

/// The unsafe code of a file: blocks and implementations, and declarations.
#[derive(Default, PartialEq, Debug)]
struct Unsafe {
    entries: Vec<Entry>,
    /// How many functions and traits are unsafe, and how many blocks declare foreign functions.
    declarations: usize,
    /// The numbers of the lines with blocks that have no comment.
    undocumented: Vec<usize>,
}

/// Blocks of one invariant, in one or more functions.
#[derive(Clone, PartialEq, Debug)]
struct Entry {
    /// The names of the functions or macros.
    functions: Vec<String>,
    blocks: usize,
    invariant: String,
}

impl Unsafe {
    fn blocks(&self) -> usize {
        self.undocumented.len() + self.entries.iter().map(|entry| entry.blocks).sum::<usize>()
    }
}

/// Writes the page. With `check` it writes nothing, and fails if the page is out of date. Fails if a crate has more
/// unsafe code than its ceiling, or a block has no comment.
pub(crate) fn generate(root: &Path, check: bool) -> Result<()> {
    let (mut crates, mut wrong) = (Vec::<(String, Vec<(String, Unsafe)>)>::new(), Vec::new());
    let mut paths = files::with_extension(root, "rs")?;
    paths.sort();
    for path in paths {
        let Some((name, file)) = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/")) else {
            continue;
        };
        // A package inside of another one is not shipped.
        if name.contains('/') {
            continue;
        }
        let found = scan(&files::read(root, &path)?);
        if found == Unsafe::default() {
            continue;
        }
        let no_comment = |line: &usize| format!("{path}:{line}: the unsafe block has no comment with SAFETY");
        wrong.extend(found.undocumented.iter().map(no_comment));
        match crates.last_mut().filter(|(last, _)| last == name) {
            Some((_, of_crate)) => of_crate.push((file.to_owned(), found)),
            None => crates.push((name.to_owned(), vec![(file.to_owned(), found)])),
        }
    }
    for (name, of_crate) in &crates {
        let number: usize = of_crate.iter().map(|(_, found)| found.blocks() + found.declarations).sum();
        let ceiling = CEILINGS.iter().find(|(of, _)| of == name).map_or(0, |(_, ceiling)| *ceiling);
        if number > ceiling {
            wrong.push(format!(
                "crates/{name} has {number} unsafe blocks and declarations, at most {ceiling} are allowed: \
                 xtask/src/unsafe_code.rs has the ceilings"
            ));
        }
    }
    let proofs = match root.join(PROOFS).exists() {
        true => files::rows(root, PROOFS, &PROOF_COLUMNS)?,
        false => Vec::new(),
    };
    for proof in &proofs {
        let entries = crates.iter().flat_map(|(name, of_crate)| {
            of_crate.iter().flat_map(move |(file, found)| {
                found.entries.iter().filter(move |entry| is_proof(proof, name, file, entry))
            })
        });
        if entries.count() != 1 {
            wrong.push(format!("{PROOFS} has a row that belongs to no invariant or to several: {}", proof.join(", ")));
        }
    }
    if !wrong.is_empty() {
        bail!("unsafe code:\n  {}", wrong.join("\n  "));
    }
    if !files::ensure_file_contents(&root.join(PAGE), &page(&crates, &proofs), check)? && check {
        bail!("{PAGE} is out of date; run `{COMMAND}`");
    }
    Ok(())
}

/// Whether the proof is about this entry of this file.
fn is_proof([path, function, part, ..]: &Proof, name: &str, file: &str, entry: &Entry) -> bool {
    *path == format!("crates/{name}/src/{file}") && entry.functions.contains(function) && entry.invariant.contains(part)
}

fn page(crates: &[(String, Vec<(String, Unsafe)>)], proofs: &[Proof]) -> String {
    let mut page = format!(
        "<!-- Written by `{COMMAND}`. -->\n\n# Unsafe code\n\n\
         This page is for auditors. It has every unsafe block that ships, by file and function, with the invariant that\n\
         the comment at the block states; the comment names the check that makes the block sound. All other crates forbid\n\
         unsafe code. `cargo xtask check` compares this page with the code, and each count with its ceiling. Declarations\n\
         are functions and traits that are unsafe, whose documentation has the contract, and foreign functions. For a\n\
         sample, the check was removed, and a test failed: its name stands at the invariant, after the check.\n\n\
         | crate | blocks | declarations | ceiling of both |\n| --- | ---: | ---: | ---: |\n"
    );
    for (name, files) in crates {
        let blocks: usize = files.iter().map(|(_, found)| found.blocks()).sum();
        let declarations: usize = files.iter().map(|(_, found)| found.declarations).sum();
        let ceiling = CEILINGS.iter().find(|(of, _)| of == name).map_or(0, |(_, ceiling)| *ceiling);
        let _ = writeln!(page, "| [{name}](#{name}) | {blocks} | {declarations} | {ceiling} |");
    }
    for (name, files) in crates {
        let _ = write!(page, "\n## {name}\n");
        for (file, found) in files.iter().filter(|(_, found)| !found.entries.is_empty()) {
            let _ = write!(
                page,
                "\n[{file}](../crates/{name}/src/{file})\n\n| function | blocks | invariant |\n| --- | ---: | --- |\n"
            );
            for entry in &found.entries {
                let invariant = entry.invariant.replace('|', "\\|");
                let _ = write!(page, "| {} | {} | {invariant}", entry.functions.join(", "), entry.blocks);
                for [.., check, test] in proofs.iter().filter(|proof| is_proof(proof, name, file, entry)) {
                    let _ = write!(page, " **Without `{check}`:** `{test}` fails.");
                }
                page.push_str(" |\n");
            }
        }
    }
    page
}

/// Finds the unsafe code of a file, without its tests.
fn scan(text: &str) -> Unsafe {
    let mut found = Unsafe::default();
    let (mut function, mut invariant) = (String::new(), None::<String>);
    let mut is_in_invariant = false;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        let next = lines.peek().map_or("", |(_, line)| line.trim());
        if line == "#[cfg(test)]" && next.starts_with("mod ") && next.ends_with('{') {
            break;
        }
        if let Some(comment) = line.strip_prefix("//") {
            let comment = comment.trim_start_matches(['/', '!']).trim();
            if let Some((_, start)) = comment.split_once("SAFETY:") {
                (invariant, is_in_invariant) = (Some(start.trim().to_owned()), true);
            } else if let (Some(text), true) = (&mut invariant, is_in_invariant) {
                *text = format!("{text} {comment}");
            }
            continue;
        }
        is_in_invariant = false;
        let code = code_of(line);
        let words: Vec<&str> = code.split(|at: char| !(at.is_alphanumeric() || at == '_')).collect();
        let name = words.windows(2).find(|pair| ["fn", "macro_rules"].contains(&pair[0]) && !pair[1].is_empty());
        let is_macro = words.first() == Some(&"macro_rules");
        if let Some(pair) = name {
            function = pair[1].to_owned();
            invariant = None;
        } else if is_macro {
            function = words.iter().skip(1).find(|word| !word.is_empty()).unwrap_or(&"").to_string();
        }
        for (at, _) in code.match_indices("unsafe") {
            let before = code[..at].chars().next_back();
            let after = &code[at + "unsafe".len()..];
            if before.is_some_and(|at| at.is_alphanumeric() || at == '_') || !after.starts_with([' ', '{']) {
                continue;
            }
            let after = after.trim_start();
            let is_type = ["fn(", "extern fn(", "extern  fn("].iter().any(|start| after.starts_with(start));
            if ["fn ", "extern ", "trait "].iter().any(|start| after.starts_with(start)) {
                found.declarations += usize::from(!is_type);
            } else if is_type {
                // The type of a pointer to a function.
            } else if let Some(invariant) = &invariant {
                add(&mut found.entries, &function, invariant);
            } else {
                found.undocumented.push(number + 1);
            }
        }
    }
    found
}

/// Adds a block. Blocks of one invariant are one entry.
fn add(entries: &mut Vec<Entry>, function: &str, invariant: &str) {
    match entries.iter_mut().find(|entry| entry.invariant == invariant) {
        Some(entry) => {
            entry.blocks += 1;
            if !entry.functions.iter().any(|known| known == function) {
                entry.functions.push(function.to_owned());
            }
        }
        None => {
            entries.push(Entry { functions: vec![function.to_owned()], blocks: 1, invariant: invariant.to_owned() })
        }
    }
}

/// The line without a comment at its end and without the contents of strings.
fn code_of(line: &str) -> String {
    let (mut code, mut is_in_string) = (String::new(), false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => is_in_string = !is_in_string,
            '\\' if is_in_string => {
                characters.next();
            }
            '/' if !is_in_string && characters.peek() == Some(&'/') => break,
            _ if !is_in_string => code.push(character),
            _ => {}
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_comment_before_it_in_the_same_function() {
        let text = "/// Reads.\nfn first() {\n    // An idea. SAFETY: `len` has checked\n    // the length.\n    \
                    let a = unsafe { read() };\n    let b = unsafe { read() };\n}\n\n\
                    // SAFETY: of nobody.\nfn second() {\n    unsafe { read() }\n}\n\n\
                    type F = unsafe extern \"C\" fn(u8);\npub unsafe extern \"C\" fn third() {} // unsafe { }\nfn fourth() { \"unsafe { }\" }\n\
                    #[cfg(test)]\nmod tests {\n    unsafe { }\n}\n";
        let entry =
            Entry { functions: vec!["first".into()], blocks: 2, invariant: "`len` has checked the length.".into() };
        assert_eq!(scan(text), Unsafe { entries: vec![entry], declarations: 1, undocumented: vec![11] });
    }

    #[test]
    fn a_proof_stands_at_its_invariant_and_one_that_belongs_to_none_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            files::ensure_file_contents(&root.path().join(path), text, false).unwrap();
        };
        write("crates/wasm/src/lib.rs", "fn first() {\n    // SAFETY: `at` is in it.\n    unsafe { }\n}\n");
        let row = |function: &str| {
            let head = PROOF_COLUMNS.join("\t");
            format!("{head}\ncrates/wasm/src/lib.rs\t{function}\tis in\tat < 8\tstays_inside\n")
        };
        write(PROOFS, &row("first"));
        generate(root.path(), false).unwrap();
        let page = files::read(root.path(), PAGE).unwrap();
        assert!(
            page.contains("| first | 1 | `at` is in it. **Without `at < 8`:** `stays_inside` fails. |\n"),
            "{page}"
        );
        write(PROOFS, &row("second"));
        assert!(generate(root.path(), false).unwrap_err().to_string().contains("belongs to no invariant"));
    }

    #[test]
    fn a_crate_over_its_ceiling_and_a_block_without_a_comment_are_errors() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            files::ensure_file_contents(&root.path().join(path), text, false).unwrap();
        };
        write("crates/wasm/src/lib.rs", "// SAFETY: of one.\nunsafe { }\nunsafe { }\n");
        write("crates/wasm/bench/peer/src/lib.rs", "unsafe { }\n");
        generate(root.path(), false).unwrap();
        generate(root.path(), true).unwrap();
        write("crates/wasm/src/lib.rs", "// SAFETY: of two.\nunsafe { }\nunsafe { }\n");
        assert!(generate(root.path(), true).unwrap_err().to_string().contains("run `cargo xtask unsafe`"));
        write("crates/wasm/src/lib.rs", "// SAFETY: of one.\nunsafe { }\nunsafe { }\nunsafe { }\n");
        write("crates/core/src/lib.rs", "unsafe { }\n");
        let error = generate(root.path(), false).unwrap_err().to_string();
        for part in ["crates/wasm has 3 unsafe", "at most 2", "crates/core has 1 unsafe", "core/src/lib.rs:1: "] {
            assert!(error.contains(part), "{error}");
        }
    }
}
