//! `cargo xtask release VERSION`: everything in the repository that a release changes, in one step: versions, exact
//! requirements, links to the tag, and the head of the changelog. Building and publishing are scripts in `packaging`,
//! which `--rehearse` runs, except for publishing.

use std::{collections::BTreeSet, path::Path, process::Command, time::Instant};

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
const EXTENSIONS: [&str; 11] = ["md", "rs", "toml", "lock", "json", "cjs", "rb", "nix", "c", "py", "html"];
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

/// The folder of the site's pages.
const TEMPLATES: &str = "site/templates/";
/// The words of the sentences that are true until the first release.
const NOT_YET: &str = "is not in the registries yet";
/// The mark in a comment of README before the command that installs from a registry.
const LATER: &str = "; later: ";
/// The crates that promise no stability: a change of their items breaks no program that keeps the rules.
const WITHOUT_PROMISE: [&str; 2] = ["textcodec-core.txt", "textcodec-kernels.txt"];
/// Checks and packages of a release, in their order: all but publishing.
const STEPS: [&str; 17] = [
    ".ci/run",
    ".ci/deny",
    ".ci/vet",
    ".ci/reproducible",
    "rm -rf target/dist",
    "packaging/crates target/dist && packaging/try-crates target/dist",
    "packaging/program x86_64-unknown-linux-gnu target/dist",
    "packaging/try-program target/dist/textcodec-*-x86_64-unknown-linux-gnu.tar.gz",
    "packaging/deb target/dist/textcodec-*-x86_64-unknown-linux-gnu.tar.gz amd64 target/dist",
    "packaging/try-program target/dist/textcodec_*_amd64.deb",
    "packaging/deb-libraries amd64 x86_64-linux-gnu target/dist/libraries && packaging/try-libraries target/dist/libraries",
    "packaging/wheel target/dist x86_64-unknown-linux-gnu manylinux_2_28 && packaging/try-wheel target/dist",
    "packaging/sdist target/dist/source && packaging/try-wheel target/dist/source",
    "packaging/npm target/dist && packaging/try-npm target/dist",
    "cargo xtask sbom target/dist",
    "packaging/oldest target/dist target/dist/libraries target/dist/source",
    "TEXTCODEC_DRY_RUN=1 packaging/publish crates && TEXTCODEC_DRY_RUN=1 packaging/publish npm target/dist",
];
/// The commands that the steps need, and where each comes from. `.ci/deny` and `.ci/vet` leave their checks out without
/// their tools, which a release should not.
const TOOLS: [(&str, &str); 10] = [
    ("cargo-deny", "cargo install --locked cargo-deny"),
    ("cargo-vet", "cargo install --locked cargo-vet"),
    ("cargo-cinstall", "cargo install --locked cargo-c"),
    ("node", "https://nodejs.org"),
    ("npm", "https://nodejs.org"),
    ("python3", "apt-get install python3-venv"),
    ("objdump", "apt-get install binutils"),
    ("dpkg-deb", "apt-get install dpkg"),
    ("lintian", "apt-get install lintian"),
    ("mmdebstrap", "apt-get install mmdebstrap"),
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
    /// Runs the checks, builds all packages of this system, and installs each in a clean place. Nothing is published.
    /// With a number, begins at that step, for example where an earlier rehearsal stopped: --rehearse=6.
    #[arg(long, value_name = "STEP", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    rehearse: Option<usize>,
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
            // The other pages are data of tests, not all in UTF-8.
            if extension == "html" && !path.contains(TEMPLATES) {
                continue;
            }
            let Ok(old) = files::read(root, &path) else { bail!("{path} is not UTF-8") };
            let mut new = in_the_registries(&path, &with_version(&path, &old, PRESENT, &options.version));
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
    ensure_compatible(root, &options.version)?;
    let state = if options.write { "written" } else { "not written; --write does it" };
    println!("\n{changed} files, {state}. Next:");
    println!("  cargo xtask bench-report, on a machine that does nothing else");
    for (number, step) in (1..).zip(STEPS) {
        println!("  {number:2}. {step}");
    }
    println!("  git tag v{} && git push origin v{}", options.version, options.version);
    options.rehearse.map_or(Ok(()), |first| rehearse(root, first))
}

/// Runs the steps from the one with this number, and ends with the first that fails.
fn rehearse(root: &Path, first: usize) -> Result<()> {
    ensure!((1..=STEPS.len()).contains(&first), "there is no step {first}: the last one is {}", STEPS.len());
    let missing = missing(&TOOLS, |command| has(root, command));
    ensure!(
        missing.is_empty(),
        "the rehearsal needs commands that this machine does not have:\n{}",
        missing.join("\n")
    );
    let status =
        Command::new("git").args(["status", "--porcelain"]).current_dir(root).output().context("git status")?;
    let changed = String::from_utf8_lossy(&status.stdout);
    ensure!(changed.is_empty(), "packages have committed files only. Commit these first:\n{changed}");
    for (number, step) in (1..).zip(STEPS).skip(first - 1) {
        let start = Instant::now();
        println!("+ {number}. {step}");
        let status = Command::new("bash").args(["-ec", step]).current_dir(root).status().context("cannot run bash")?;
        ensure!(status.success(), "{step}: {status}\n--rehearse={number} goes on from here");
        println!("  {:.0} s", start.elapsed().as_secs_f64());
    }
    println!("All steps from {first} to {} have passed. Nothing was published.", STEPS.len());
    Ok(())
}

/// Whether a shell finds the command. cargo finds its subcommands there and in a folder of its own.
fn has(root: &Path, command: &str) -> bool {
    let script = "PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin; command -v \"$0\"";
    Command::new("bash")
        .args(["-c", script, command])
        .current_dir(root)
        .output()
        .is_ok_and(|found| found.status.success())
}

/// A line for each of the tools that is not there, with its source.
fn missing(tools: &[(&str, &str)], has: impl Fn(&str) -> bool) -> Vec<String> {
    let missing = tools.iter().filter(|(command, _)| !has(command));
    missing.map(|(command, source)| format!("  {command}: {source}")).collect()
}

/// Fails if the new version promises the interface of the present one, and `docs/api` has lost items since its tag.
fn ensure_compatible(root: &Path, version: &str) -> Result<()> {
    let tag = format!("v{PRESENT}");
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(root).output().context("cannot run git")?;
        Ok::<_, anyhow::Error>(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    let Some(listings) = git(&["ls-tree", "--name-only", &tag, "docs/api/"])? else {
        println!("No tag {tag}: there is no interface to compare with.");
        return Ok(());
    };
    let mut lost = Vec::new();
    for listing in listings.lines().filter(|listing| !WITHOUT_PROMISE.iter().any(|name| listing.ends_with(name))) {
        let old = git(&["show", &format!("{tag}:{listing}")])?.unwrap_or_default();
        let new = files::read(root, listing).unwrap_or_default();
        lost.extend(items_lost(&old, &new).into_iter().map(|item| format!("{listing}: {item}")));
    }
    for item in &lost {
        println!("lost since {tag}: {item}");
    }
    ensure!(
        lost.is_empty() || !promises(PRESENT, version),
        "{version} must keep the interface of {PRESENT}, and {} items are lost",
        lost.len()
    );
    Ok(())
}

/// The items of the listing `old` that `new` does not have. The first line of a listing names features.
fn items_lost<'a>(old: &'a str, new: &str) -> Vec<&'a str> {
    let new = new.lines().collect::<BTreeSet<_>>();
    old.lines().filter(|item| !item.starts_with('#') && !new.contains(item)).collect()
}

/// Whether programs for the version `old` must compile with `new`: the first number that is not 0 is the same.
fn promises(old: &str, new: &str) -> bool {
    let (old, new) = (numbers(old), numbers(new));
    let kept = old.iter().position(|&number| number != 0).map_or(old.len(), |place| place + 1);
    old.get(..kept) == new.get(..kept)
}

/// The page with the commands that install from registries in the place of those for a checkout.
fn in_the_registries(path: &str, text: &str) -> String {
    if path != "README.md" && !path.contains(TEMPLATES) {
        return text.to_owned();
    }
    let mut lines = Vec::new();
    for line in text.split('\n') {
        if line.contains(NOT_YET) {
            continue;
        }
        match line.split_once(LATER).and_then(|(before, later)| Some((before.split_once("  # ")?.1, later))) {
            Some((what, later)) => lines.push(format!("{later:33}# {what}")),
            // The sentence leaves one of the two empty lines around it.
            None if line.is_empty() && lines.last().is_some_and(|last| last.is_empty()) => {}
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
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
    let head = format!("## [{version}]({REPOSITORY}/releases/tag/v{version}), {date}");
    Ok(format!("{before}{UNRELEASED}\n{head}\n\n{}\n{after}", promise(version)))
}

/// What the changelog says about the interface of the version.
fn promise(version: &str) -> String {
    let (series, change) = match version.split_once('.') {
        Some((major, _)) if major != "0" => (major, "major"),
        _ => (minor(version), "minor"),
    };
    format!(
        "Programs for any version {series}.x compile with every later {series}.x. A new {change} version may change the interface."
    )
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
        let promise = "Programs for any version 0.2.x compile with every later 0.2.x. A new minor version may change the interface.";
        assert!(released.ends_with(&format!("/tag/v0.2.0), 2026-11-30\n\n{promise}\n\n- a\n")), "{released}");
        assert!(super::promise("1.2.0").starts_with("Programs for any version 1.x compile"));
        assert!(dated(&released, "0.3.0", "2026-12-30").is_err());
    }

    #[test]
    fn the_first_release_turns_readme_to_the_registries() {
        let page = "## Install\n\nVersion 0.1 is not in the registries yet. Until then:\n\n```sh\n\
            cargo install --path a  # the program; later: cargo install b\n```\n";
        let released = "## Install\n\n```sh\ncargo install b                  # the program\n```\n";
        assert_eq!(in_the_registries("README.md", page), released);
        assert_eq!(in_the_registries("README.md", released), released);
        assert_eq!(in_the_registries("docs/program.md", page), page);
        let root = files::root();
        for page in ["README.md", "xtask/site/templates/index.html"] {
            let text = files::read(root, page).unwrap();
            let released = in_the_registries(page, &text);
            assert!(!released.contains(NOT_YET) && !released.contains(LATER), "{page}");
            assert!(text.lines().count() - released.lines().count() <= 2, "{page} loses nothing else");
        }
    }

    #[test]
    fn a_release_that_promises_an_interface_must_keep_its_items() {
        assert_eq!(
            items_lost("# features: a\npub fn a\npub fn b\n", "# features: a, b\npub fn b\npub fn c\n"),
            ["pub fn a"]
        );
        assert!(promises("0.1.0", "0.1.1") && promises("1.2.0", "1.3.0") && !promises("0.1.0", "0.2.0"));
        assert!(!promises("1.2.0", "2.0.0") && promises("0.0.1", "0.0.1") && !promises("0.0.1", "0.0.2"));
    }

    #[test]
    fn a_rehearsal_names_each_command_that_it_lacks_and_begins_at_a_step_that_is_there() {
        let tools = [("there", "a"), ("not-there", "apt-get install b")];
        assert_eq!(missing(&tools, |command| command == "there"), ["  not-there: apt-get install b"]);
        let root = files::root();
        assert!(has(root, "sh") && !has(root, "a-command-that-nobody-has"));
        for step in [0, STEPS.len() + 1] {
            assert!(rehearse(root, step).unwrap_err().to_string().contains("there is no step"));
        }
        for step in STEPS {
            for script in step.split(' ').filter(|word| word.starts_with("packaging/") || word.starts_with(".ci/")) {
                assert!(root.join(script).is_file(), "{script}");
            }
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("0.10.0") > numbers("0.9.1") && is_version("0.10.0"));
        assert!(!is_version("0.1") && !is_version("v0.1.0") && !is_version("0.1.0-rc1"));
    }
}
