//! Runs the benchmark of textcodec and its peers, and writes a report and a picture.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, ensure};

use crate::files;
use figures::Figures;

mod figures;
mod markdown;
mod svg;

/// The report and the picture, relative to the project's root.
const REPORT: &str = "benches/REPORT.md";
const PICTURE: &str = "benches/report.svg";

/// The figures of the last run, relative to the project's root.
const FIGURES: &str = "target/bench-report.tsv";

/// The peers that are compiled into the benchmark.
const CRATES: [&str; 3] = ["encoding_rs", "simdutf", "simdutf8"];

/// The encodings that encoding_rs encodes faster with its feature `fast-legacy-encode`, as arguments of the benchmark.
const FAST_LEGACY: [&str; 7] = ["GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR"];

/// The arguments of the command.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The length of each text, in KiB.
    #[arg(long, default_value_t = 1024)]
    kib: u32,
    /// The level of the kernels: scalar, avx2, avx512 or neon. By default the best level of this processor.
    #[arg(long)]
    level: Option<String>,
    /// Writes the report of the last run again, without measuring.
    #[arg(long)]
    again: bool,
}

/// Writes the report and the picture.
pub(crate) fn write(root: &Path, options: &Options) -> Result<()> {
    let kept = root.join(FIGURES);
    let lines = if options.again {
        fs::read_to_string(&kept).context("there are no figures of an earlier run")?
    } else {
        let lines = measure(root, options)?;
        files::ensure_file_contents(&kept, &lines, false)?;
        lines
    };
    let figures = Figures::parse(&lines)?;
    for (path, text) in [(REPORT, markdown::report(&figures)), (PICTURE, svg::picture(&figures))] {
        files::ensure_file_contents(&root.join(path), &text, false)?;
        eprintln!("wrote {path}");
    }
    Ok(())
}

/// The facts and then the figures, in the lines that the benchmark prints.
fn measure(root: &Path, options: &Options) -> Result<String> {
    let mut lines = String::new();
    let mut fact = |name: &str, value: &str| lines.push_str(&format!("fact\t{name}\t{value}\n"));
    fact("date", &date(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs()));
    fact("processor", &processor());
    fact("toolchain", &toolchain()?);
    let lock = files::read(root, "Cargo.lock")?;
    for name in CRATES {
        fact(name, version_in(&lock, name).with_context(|| format!("Cargo.lock has no package {name}"))?);
    }

    let mut common = vec!["--tsv".to_owned(), format!("--kib={}", options.kib)];
    common.extend(options.level.iter().map(|level| format!("--level={level}")));
    eprintln!("all peers");
    lines.push_str(&bench(root, "simdutf", &common, &["--all-levels"])?);
    eprintln!("encoding_rs with its larger tables for encoding");
    let mut arguments = vec!["--table=encodings", "--operation=e8", "--operation=e16", "--peer=encoding_rs"];
    arguments.extend(FAST_LEGACY);
    lines.push_str(&bench(root, "fast-legacy-encode", &common, &arguments)?);
    Ok(lines)
}

/// The output of the benchmark, built with `feature`.
fn bench(root: &Path, feature: &str, common: &[String], arguments: &[&str]) -> Result<String> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["bench", "--locked", "-p", "textcodec-benches", "--bench", "matrix", "--features", feature, "--"])
        .args(common)
        .args(arguments)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo bench")?;
    ensure!(output.status.success(), "the benchmark failed");
    String::from_utf8(output.stdout).context("the benchmark printed bytes that are not UTF-8")
}

/// The model of the processor.
fn processor() -> String {
    let from_linux = || {
        let text = fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let from_macos = || {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    };
    from_linux().or_else(from_macos).unwrap_or_else(|| format!("unknown, {}", env::consts::ARCH))
}

/// The output of `rustc --version`.
fn toolchain() -> Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("cannot run rustc")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The version of the package `name` in a Cargo.lock.
fn version_in<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let package = lock.split("[[package]]").find(|package| package.contains(&format!("\nname = \"{name}\"\n")))?;
    package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
}

/// The date that is `seconds` after the beginning of 1970.
fn date(seconds: u64) -> String {
    let (mut day, mut year) = (seconds / 86_400, 1970);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_counts_leap_days() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_399), "2000-02-28");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_735_603_200), "2024-12-31");
        assert_eq!(date(1_767_225_600), "2026-01-01");
    }

    #[test]
    fn a_version_is_that_of_the_whole_name() {
        let lock = "\n[[package]]\nname = \"simdutf8\"\nversion = \"0.1.5\"\n\n[[package]]\nname = \"simdutf\"\nversion = \"0.7.0\"\n";
        assert_eq!(version_in(lock, "simdutf"), Some("0.7.0"));
        assert_eq!(version_in(lock, "simd"), None);
    }
}
