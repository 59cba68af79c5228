//! `cargo xtask release VERSION`: everything in the repository that a release changes, in one step: versions, exact
//! requirements, links to the tag, and the head of the changelog. Building and publishing are scripts in `packaging`.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::{
    files,
    links::{REPOSITORY, SOURCES},
};

/// The present version.
const PRESENT: &str = env!("CARGO_PKG_VERSION");
const CHANGELOG: &str = "CHANGELOG.md";
/// The head of the changes that no release has.
const UNRELEASED: &str = "## Unreleased\n";
/// The extensions of the files that can name the version or the tag. `Cargo.lock` is among them.
const EXTENSIONS: [&str; 10] = ["md", "rs", "toml", "lock", "json", "cjs", "rb", "nix", "c", "py"];
/// The texts around the version where it is the version of this project, without links to its tag.
const PLACES: [(&str, &str, &str); 9] = [
    // The end of the file's name, what stands before the version, and what stands after it.
    ("Cargo.toml", "\nversion = \"", "\""),
    ("Cargo.toml", "version = \"=", "\""),
    ("package.json", "\n  \"version\": \"", "\""),
    ("modules.cjs", "const VERSION = '", "'"),
    ("default.nix", "version = \"", "\""),
    ("textcodec.rb", "/tags/v", ".tar.gz"),
    ("test.c", "textcodec_version(), \"", "\""),
    (".md", "https://docs.rs/textcodec/", "/"),
    ("DESIGN.md", "(`=", "`)"),
];

#[derive(Args)]
pub(crate) struct Options {
    /// The version to release, for example 0.2.0.
    version: String,
    /// The date of the release, for example 2026-11-30, for the changelog.
    #[arg(long)]
    date: String,
    /// Writes the files. Without this option the command only names them.
    #[arg(long)]
    write: bool,
}

/// Names the files that a release changes, or writes them, and prints what to do next.
pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    ensure!(is_version(&options.version), "{} is no version such as 0.2.0", options.version);
    ensure!(
        options.version == PRESENT || numbers(&options.version) > numbers(PRESENT),
        "{} is not later than the present version {PRESENT}",
        options.version
    );
    let mut changed = 0;
    for extension in EXTENSIONS {
        for path in files::with_extension(root, extension)? {
            let Ok(old) = files::read(root, &path) else { bail!("{path} is not UTF-8") };
            let mut new = with_version(&path, &old, PRESENT, &options.version);
            if path == CHANGELOG {
                new = dated(&new, &options.version, &options.date)?;
            }
            if new != old {
                changed += 1;
                println!("{path}");
                if options.write {
                    files::ensure_file_contents(&root.join(&path), &new, false)?;
                }
            }
        }
    }
    ensure!(changed > 0, "nothing names the version {PRESENT}");
    let state = if options.write { "written" } else { "not written; --write does it" };
    println!("\n{changed} files, {state}. Next:");
    for step in [
        "cargo xtask check && cargo xtask api --check && cargo xtask sizes --check",
        "cargo xtask bench-report, on a machine that does nothing else",
        ".ci/run",
        "packaging/crates dist && packaging/try-crates dist",
        "packaging/program x86_64-unknown-linux-gnu dist && packaging/try-program dist/*.tar.gz",
        "packaging/wheel dist x86_64-unknown-linux-gnu manylinux_2_28 && packaging/try-wheel dist",
        "packaging/npm dist && packaging/try-npm dist",
    ] {
        println!("  {step}");
    }
    println!("  git tag v{} && git push origin v{}", options.version, options.version);
    Ok(())
}

/// The text of the file at `path` with another version of this project.
fn with_version(path: &str, text: &str, old: &str, new: &str) -> String {
    let mut text = text.to_owned();
    for source in SOURCES {
        text = text.replace(&format!("{source}v{old}/"), &format!("{source}v{new}/"));
    }
    if path.ends_with(".md") {
        let [old, new] = [old, new].map(minor);
        let lines = text.split_inclusive('\n').map(|line| match line.starts_with("textcodec") {
            // A dependency in a manifest, which takes every patch of a minor version.
            true => line.replacen(&format!("= \"{old}\""), &format!("= \"{new}\""), 1),
            false => line.to_owned(),
        });
        text = lines.collect();
    }
    for (_, before, after) in PLACES.iter().filter(|(end, ..)| path.ends_with(end)) {
        text = text.replace(&format!("{before}{old}{after}"), &format!("{before}{new}{after}"));
    }
    if path.ends_with("package-lock.json") {
        // The first two versions are those of the package itself.
        text = text.replacen(&format!("\"version\": \"{old}\""), &format!("\"version\": \"{new}\""), 2);
    }
    if path.ends_with("Cargo.lock") {
        let entries = text.split("\n\n").map(|entry| {
            let is_ours = ["textcodec", "xtask"].iter().any(|name| {
                entry.contains(&format!("name = \"{name}\"\n")) || entry.contains(&format!("name = \"{name}-"))
            });
            // Packages of registries have a source.
            match is_ours && !entry.contains("\nsource = ") {
                true => entry.replace(&format!("version = \"{old}\""), &format!("version = \"{new}\"")),
                false => entry.to_owned(),
            }
        });
        text = entries.collect::<Vec<_>>().join("\n\n");
    }
    text
}

/// The changelog with the changes under the version and the date, and an empty chapter for later ones.
fn dated(changelog: &str, version: &str, date: &str) -> Result<String> {
    let (before, after) = changelog.split_once(UNRELEASED).context("CHANGELOG.md has no chapter Unreleased")?;
    let changes = after.split("\n## ").next().unwrap_or_default();
    ensure!(!changes.trim().is_empty(), "CHANGELOG.md has no changes to release");
    Ok(format!("{before}{UNRELEASED}\n## [{version}]({REPOSITORY}/releases/tag/v{version}), {date}\n{after}"))
}

/// The first two numbers of a version.
fn minor(version: &str) -> &str {
    version.rsplit_once('.').map_or(version, |(minor, _)| minor)
}

/// Whether `version` is three numbers with points.
fn is_version(version: &str) -> bool {
    version.split('.').count() == 3 && version.split('.').all(|part| part.parse::<u32>().is_ok())
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').filter_map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_changes_where_it_is_ours_and_nowhere_else() {
        let change = |path: &str, text: &str| with_version(path, text, "0.1.0", "0.2.0");
        assert_eq!(
            change(
                "crates/a/Cargo.toml",
                "\nversion = \"0.1.0\"\nb = { path = \"b\", version = \"=0.1.0\" }\nc = \"0.1.0\""
            ),
            "\nversion = \"0.2.0\"\nb = { path = \"b\", version = \"=0.2.0\" }\nc = \"0.1.0\""
        );
        let link = format!("[a]({}v0.1.0/LICENSE-MIT)", SOURCES[0]);
        assert_eq!(change("README.md", &link), link.replace("0.1.0", "0.2.0"));
        assert_eq!(change("README.md", "version 0.1.0"), "version 0.1.0");
        let manifest =
            "other = \"0.1\"\ntextcodec-core = \"0.1\"\ntextcodec = { version = \"0.1\", features = [\"std\"] }\n";
        let (ours, changed) = manifest.split_once('\n').unwrap();
        assert_eq!(change("README.md", manifest), format!("{ours}\n{}", changed.replace("0.1", "0.2")));
        let lock = "name = \"textcodec\"\nversion = \"0.1.0\"\n\nname = \"other\"\nversion = \"0.1.0\"\nsource = \"r\"";
        assert_eq!(change("Cargo.lock", lock), lock.replacen("0.1.0", "0.2.0", 1));
    }

    #[test]
    fn changes_get_a_version_and_a_date_and_no_changes_are_an_error() {
        let changelog = "# Changelog\n\n## Unreleased\n\n- a\n";
        let released = dated(changelog, "0.2.0", "2026-11-30").unwrap();
        assert!(released.starts_with("# Changelog\n\n## Unreleased\n\n## [0.2.0](https://"), "{released}");
        assert!(released.ends_with("/tag/v0.2.0), 2026-11-30\n\n- a\n"), "{released}");
        assert!(dated(&released, "0.3.0", "2026-12-30").is_err());
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("0.10.0") > numbers("0.9.1") && is_version("0.10.0"));
        assert!(!is_version("0.1") && !is_version("v0.1.0") && !is_version("0.1.0-rc1"));
    }
}
