//! Measures how long a clean build of the umbrella package takes, beside encoding_rs.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::files;

/// The file with the table, and the lines before and after the table.
const PAGE: &str = "docs/sizes.md";
const MARKERS: (&str, &str) = ("<!-- compile time -->\n", "<!-- /compile time -->");

/// The folder of the packages and their builds, relative to the project's root. It can be removed at any time.
const FOLDER: &str = "target/compile-time";

/// The title and the line of `Cargo.toml` of each package that is measured. `$root` stands for the project's root.
const PACKAGES: [(&str, &str); 4] = [
    ("textcodec", r#"textcodec = { path = "$root/crates/textcodec" }"#),
    (
        "textcodec without `vectors`",
        r#"textcodec = { path = "$root/crates/textcodec", default-features = false, features = ["std", "single-byte", "cjk-chinese", "cjk-japanese", "cjk-korean", "sniff"] }"#,
    ),
    (
        "textcodec, UTF-8 and single bytes",
        r#"textcodec = { path = "$root/crates/textcodec", default-features = false, features = ["std", "vectors", "single-byte"] }"#,
    ),
    ("encoding_rs", r#"encoding_rs = "*""#),
];

/// The profiles of Cargo. The builds have their default settings, as in a user's program.
const PROFILES: [&str; 2] = ["dev", "release"];

#[derive(Args)]
pub(crate) struct Options {
    /// The number of builds of each package in each profile. The table has the medians.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Puts the table into docs/sizes.md, too.
    #[arg(long)]
    write: bool,
}

/// Builds the packages by turns, so that other work on the machine falls on all of them, and prints the table.
pub(crate) fn measure(root: &Path, options: &Options) -> Result<()> {
    ensure!(options.runs != 0, "no build means no time: --runs must be at least 1");
    let mut times = vec![[const { Vec::new() }; 2]; PACKAGES.len()];
    for run in 0..options.runs {
        for (place, (_, line)) in PACKAGES.iter().enumerate() {
            let package = package(root, place, line)?;
            for (profile, times) in PROFILES.iter().zip(&mut times[place]) {
                times.push(build(root, &package, profile)?);
            }
        }
        eprintln!("run {} of {}", run + 1, options.runs);
    }
    let rows = PACKAGES.iter().zip(times).map(|((title, _), times)| (*title, times.map(median))).collect::<Vec<_>>();
    let table = render(&rows);
    print!("{table}");
    if options.write {
        files::put(root, PAGE, MARKERS, &table)?;
    }
    Ok(())
}

/// Writes an empty package that depends on `line`, and returns its folder.
fn package(root: &Path, place: usize, line: &str) -> Result<PathBuf> {
    let folder = root.join(FOLDER).join(format!("package-{place}"));
    let write = |path: &str, text: &str| files::ensure_file_contents(&folder.join(path), text, false);
    let line = line.replace("$root", &root.display().to_string());
    let manifest =
        format!("[package]\nname = \"package-{place}\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{line}\n");
    write("Cargo.toml", &manifest)?;
    // The lock file of the project pins the versions. Cargo removes the packages that are not needed.
    write("Cargo.lock", &files::read(root, "Cargo.lock")?)?;
    write("src/lib.rs", "")?;
    Ok(folder)
}

/// The time of a clean build of the package in `folder`.
fn build(root: &Path, folder: &Path, profile: &str) -> Result<Duration> {
    let target = root.join(FOLDER).join("target");
    if target.exists() {
        fs::remove_dir_all(&target).with_context(|| format!("cannot remove {}", target.display()))?;
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let start = Instant::now();
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--profile", profile, "--target-dir"])
        .arg(&target)
        // A package from the registry is never compiled incrementally, and a user gets textcodec from there.
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTFLAGS")
        .current_dir(folder)
        .stdin(Stdio::null())
        .status()
        .context("cannot run cargo build")?;
    let time = start.elapsed();
    ensure!(
        status.success(),
        "cannot build {}; if a package could not be downloaded, run `cargo fetch` and try again",
        folder.display()
    );
    Ok(time)
}

/// The median of at least one time.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The table in Markdown.
fn render(rows: &[(&str, [Duration; 2])]) -> String {
    let mut table = String::from("| seconds for a clean build of | debug | release |\n| --- | ---: | ---: |\n");
    for (title, [debug, release]) in rows {
        table += &format!("| {title} | {:.1} | {:.1} |\n", debug.as_secs_f64(), release.as_secs_f64());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_time_in_the_middle() {
        let times = [5, 1, 3].map(Duration::from_secs);
        assert_eq!(median(times.to_vec()), Duration::from_secs(3));
    }

    #[test]
    fn a_row_has_both_profiles_in_seconds() {
        let table = render(&[("one", [Duration::from_millis(1949), Duration::from_secs(4)])]);
        assert!(table.ends_with("| one | 1.9 | 4.0 |\n"), "{table}");
    }
}
