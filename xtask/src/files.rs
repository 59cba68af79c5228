//! Finds the project's files, and writes or checks the files that a command generates.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

/// Folders without hand-written text of this project.
const SKIPPED_FOLDERS: [&str; 5] = ["target", "node_modules", ".git", "artifacts", "dist"];

/// A file that a command generates.
#[derive(Debug)]
pub(crate) struct GeneratedFile {
    /// Relative to the project's root, with `/` between its parts.
    pub(crate) path: String,
    /// The whole contents.
    pub(crate) text: String,
}

/// The project's root: the folder that contains this package's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a folder of the project")
}

/// The text of the file at `path`, relative to `root`; an error names the file.
pub(crate) fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
}

/// Returns whether the file at `path` contains `text`. If the file does not and `check` is false, the function writes
/// the file and makes its folder.
pub(crate) fn ensure_file_contents(path: &Path, text: &str, check: bool) -> Result<bool> {
    match fs::read(path) {
        Ok(contents) if contents == text.as_bytes() => return Ok(true),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot read {}", path.display()));
        }
        _ => {}
    }
    if !check {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(false)
}

/// A table of tab-separated values: a line with the titles of the columns, and a line for each row.
pub(crate) fn tab_separated<'a>(head: &[&str], rows: impl Iterator<Item = Vec<&'a str>>) -> String {
    let lines = rows.map(|row| row.join("\t") + "\n");
    std::iter::once(head.join("\t") + "\n").chain(lines).collect()
}

/// The rows of the table of tab-separated values at `path`, which must have this head.
pub(crate) fn rows<const COLUMNS: usize>(
    root: &Path,
    path: &str,
    head: &[&str; COLUMNS],
) -> Result<Vec<[String; COLUMNS]>> {
    let text = read(root, path)?;
    let mut lines = text.lines();
    ensure!(lines.next() == Some(&head.join("\t")), "{path} has another head than {}", head.join(", "));
    let row = |line: &str| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        fields.try_into().ok().with_context(|| format!("{path} has a row without {COLUMNS} columns: {line}"))
    };
    lines.map(row).collect()
}

/// Puts `table` between the two `markers` in the file at `path`, in place of the text between them.
pub(crate) fn put(root: &Path, path: &str, markers: (&str, &str), table: &str) -> Result<()> {
    let text = replaced_between(&read(root, path)?, markers, table)
        .with_context(|| format!("{path} lacks the lines {} and {}", markers.0.trim_end(), markers.1))?;
    ensure_file_contents(&root.join(path), &text, false)?;
    Ok(())
}

/// `text` with `table` between the markers; `None` if the markers are missing.
fn replaced_between(text: &str, markers: (&str, &str), table: &str) -> Option<String> {
    let (before, rest) = text.split_once(markers.0)?;
    let (_, after) = rest.split_once(markers.1)?;
    Some([before, markers.0, table, markers.1, after].concat())
}

/// Makes the folders of `files` contain exactly these files, all of which `command` generates.
///
/// With `check` nothing is written, and every file that is out of date or does not belong to the folder is an error.
/// Without `check` files are written, and a file that does not belong to the folder is removed if `command` generated
/// it; otherwise it is an error.
pub(crate) fn ensure_generated(root: &Path, files: &[GeneratedFile], command: &str, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    for file in files {
        if !ensure_file_contents(&root.join(&file.path), &file.text, check)? {
            stale.push(file.path.clone());
            if !check {
                println!("updated {}", file.path);
            }
        }
    }
    for stray in strays(root, files)? {
        if !check {
            remove_generated(root, &stray, command)?;
            println!("removed {stray}");
        }
        stale.push(format!("{stray} (does not belong)"));
    }
    if check && !stale.is_empty() {
        bail!("out of date; run `{command}`:\n  {}", stale.join("\n  "));
    }
    Ok(())
}

/// The files in the folders of `files` that are not among `files`, as paths relative to `root`, in ascending order.
fn strays(root: &Path, files: &[GeneratedFile]) -> Result<Vec<String>> {
    let mut folders: Vec<&str> = files.iter().map(|file| folder_of(&file.path)).collect();
    folders.sort_unstable();
    folders.dedup();

    let mut strays = Vec::new();
    for folder in folders {
        for name in names_in(&root.join(folder))? {
            let path = format!("{folder}/{name}");
            if files.iter().all(|file| file.path != path) {
                strays.push(path);
            }
        }
    }
    Ok(strays)
}

/// The names of the entries of `folder`, in ascending order; none if the folder does not exist.
pub(crate) fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot list {}", folder.display()))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// The paths of all files with `extension` in the project at `root`, relative to it, in ascending order within each
/// folder. Files that are built or installed are left out.
pub(crate) fn with_extension(root: &Path, extension: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for name in names_in(&root.join(&folder))? {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let full = root.join(&path);
            if full.is_dir() && !full.is_symlink() && !SKIPPED_FOLDERS.contains(&name.as_str()) {
                folders.push(path);
            } else if full.is_file() && full.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Removes the file at `path` if its first line says that `command` generated it.
fn remove_generated(root: &Path, path: &str, command: &str) -> Result<()> {
    let full: PathBuf = root.join(path);
    let generated = fs::read_to_string(&full).is_ok_and(|text| text.starts_with(&generated_by(command)));
    ensure!(generated, "{path} is in a generated folder, but `{command}` did not make it; move it elsewhere");
    fs::remove_file(&full).with_context(|| format!("cannot remove {path}"))
}

/// The beginning of the first line of every Rust file that `command` generates.
pub(crate) fn generated_by(command: &str) -> String {
    format!("// @generated by \"{command}\" from ")
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str = "cargo xtask example";

    fn example() -> Vec<GeneratedFile> {
        let file = |name: &str| GeneratedFile {
            path: format!("generated/{name}.rs"),
            text: format!("{}{name}\n", generated_by(COMMAND)),
        };
        vec![file("a"), file("b")]
    }

    fn check(root: &Path) -> Result<(), String> {
        ensure_generated(root, &example(), COMMAND, true).map_err(|error| error.to_string())
    }

    const MARKERS: (&str, &str) = ("<!-- x -->\n", "<!-- /x -->");

    #[test]
    fn a_table_goes_between_the_markers_and_replaces_the_last_one() {
        let empty = "a\n<!-- x -->\n<!-- /x -->\nb\n";
        let written = replaced_between(empty, MARKERS, "| 1 |\n").unwrap();
        assert_eq!(written, "a\n<!-- x -->\n| 1 |\n<!-- /x -->\nb\n");
        assert_eq!(replaced_between(&written, MARKERS, "").unwrap(), empty);
    }

    #[test]
    fn without_markers_there_is_no_place_for_a_table() {
        assert_eq!(replaced_between("", MARKERS, "table"), None);
        assert_eq!(replaced_between("<!-- /x --> <!-- x -->\n", MARKERS, "table"), None);
    }

    #[test]
    fn check_accepts_what_was_written() {
        let root = tempfile::tempdir().unwrap();
        ensure_generated(root.path(), &example(), COMMAND, false).unwrap();
        assert_eq!(check(root.path()), Ok(()));
    }

    #[test]
    fn check_names_a_changed_file_and_the_command_and_writes_nothing() {
        let root = tempfile::tempdir().unwrap();
        ensure_generated(root.path(), &example(), COMMAND, false).unwrap();
        fs::write(root.path().join("generated/b.rs"), "changed").unwrap();

        let error = check(root.path()).unwrap_err();
        assert!(error.contains("generated/b.rs") && error.contains(COMMAND), "{error}");
        assert!(!error.contains("generated/a.rs"), "{error}");
        assert_eq!(read(root.path(), "generated/b.rs").unwrap(), "changed");
    }

    #[test]
    fn check_names_a_missing_file() {
        let root = tempfile::tempdir().unwrap();
        let error = check(root.path()).unwrap_err();
        assert!(error.contains("generated/a.rs") && error.contains("generated/b.rs"), "{error}");
        assert!(!root.path().join("generated").exists());
    }

    #[test]
    fn a_generated_file_that_does_not_belong_is_reported_and_removed() {
        let root = tempfile::tempdir().unwrap();
        ensure_generated(root.path(), &example(), COMMAND, false).unwrap();
        let stray = root.path().join("generated/c.rs");
        fs::write(&stray, generated_by(COMMAND)).unwrap();

        assert!(check(root.path()).unwrap_err().contains("generated/c.rs"));
        ensure_generated(root.path(), &example(), COMMAND, false).unwrap();
        assert!(!stray.exists());
    }

    #[test]
    fn a_file_by_hand_is_not_removed() {
        let root = tempfile::tempdir().unwrap();
        ensure_generated(root.path(), &example(), COMMAND, false).unwrap();
        let stray = root.path().join("generated/c.rs");
        fs::write(&stray, "//! By hand.\n").unwrap();

        assert!(ensure_generated(root.path(), &example(), COMMAND, false).is_err());
        assert!(stray.exists());
    }
}
