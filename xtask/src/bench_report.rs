//! Runs the benchmark of textcodec and its peers, and writes a report and a picture.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, ensure};

use crate::files;
use data::Data;
use figures::Figures;

mod data;
mod figures;
mod markdown;
mod neon;
pub(crate) mod svg;

/// The report, the picture, and the page about NEON, relative to the project's root.
const REPORT: &str = "benches/REPORT.md";
const PICTURE: &str = "benches/report.svg";
const NEON: &str = "benches/NEON.md";

/// The command that writes them from the tables of figures.
const FROM_DATA: &str = "cargo xtask bench-report --from-data";

/// The peers that are compiled into the benchmark.
const CRATES: [&str; 3] = ["encoding_rs", "simdutf", "simdutf8"];

/// The encodings that encoding_rs encodes faster with its feature `fast-legacy-encode`, as arguments of the benchmark.
const FAST_LEGACY: [&str; 7] = ["GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR"];

/// The environment variable by which simdutf is told which of its implementations to use, and the implementation that
/// uses the same instructions as each level of textcodec.
const SIMDUTF_VARIABLE: &str = "SIMDUTF_FORCE_IMPLEMENTATION";
const SIMDUTF_AT_LEVEL: [(&str, &str); 5] =
    [("Avx512", "icelake"), ("Avx2", "haswell"), ("Sse41", "westmere"), ("Neon", "arm64"), ("Scalar", "fallback")];

/// The tables that are measured at every level.
const AT_EVERY_LEVEL: [&str; 2] = ["--table=encodings", "--table=ascii"];

/// The arguments of the command.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The length of each text, in KiB.
    #[arg(long, default_value_t = 1024)]
    kib: u32,
    /// The highest level of the kernels to measure: scalar, sse41, avx2, avx512 or neon. By default the best level of
    /// this processor.
    #[arg(long)]
    level: Option<String>,
    /// Measures nothing, and writes the pages and the picture from the tables in `benches/report` and `benches/neon`.
    #[arg(long, conflicts_with_all = ["kib", "level"])]
    from_data: bool,
}

/// Measures, and writes the tables of figures; then writes the pages and the picture from the tables.
pub(crate) fn write(root: &Path, options: &Options) -> Result<()> {
    if !options.from_data {
        let levels = Figures::parse_levels(&measure(root, options)?)?;
        files::ensure_generated(root, &Data::of(&levels).files(), FROM_DATA, false)?;
    }
    for (path, text) in pages(root)? {
        files::ensure_file_contents(&root.join(path), &text, false)?;
        eprintln!("wrote {path}");
    }
    Ok(())
}

/// Fails if a page or the picture differs from what the tables of figures say.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut stale = Vec::new();
    for (path, text) in pages(root)? {
        if !files::ensure_file_contents(&root.join(path), &text, true)? {
            stale.push(path);
        }
    }
    ensure!(stale.is_empty(), "out of date; run `{FROM_DATA}`: {}", stale.join(", "));
    Ok(())
}

/// The pages and the picture, drawn from the tables of figures.
fn pages(root: &Path) -> Result<[(&'static str, String); 3]> {
    let data = Data::read(root)?;
    Ok([(REPORT, markdown::report(&data)), (PICTURE, svg::picture(&data)), (NEON, neon::page(root)?)])
}

/// The facts and the figures of each level, the highest level first, in the lines that the benchmark prints. A line
/// before each lower level names it.
fn measure(root: &Path, options: &Options) -> Result<String> {
    let mut lines = String::new();
    let mut fact = |name: &str, value: &str| lines.push_str(&format!("fact\t{name}\t{value}\n"));
    fact("date", &today()?);
    fact("processor", &processor());
    let toolchain = toolchain()?;
    fact("toolchain", &toolchain);
    let lock = files::read(root, "Cargo.lock")?;
    for name in CRATES {
        fact(name, version_in(&lock, name).with_context(|| format!("Cargo.lock has no package {name}"))?);
    }

    let bench = Bench { root, kib: options.kib, has_nightly_features: has_nightly_features(&toolchain) };
    let best = bench.at_level(options.level.as_deref(), &[])?;
    lines.push_str(&best);
    for level in lower_levels(&best) {
        lines.push_str(&format!("level\t{level}\n"));
        lines.push_str(&bench.at_level(Some(level), &AT_EVERY_LEVEL)?);
    }
    Ok(lines)
}

/// The levels that the lines of the best level name as lower levels, in their order: the highest first.
fn lower_levels(lines: &str) -> Vec<&str> {
    let line = lines.lines().find_map(|line| line.strip_prefix("fact\tlower levels\t"));
    line.into_iter().flat_map(|names| names.split(", ")).filter(|name| !name.is_empty()).collect()
}

/// Runs the benchmark in processes of their own.
struct Bench<'a> {
    root: &'a Path,
    kib: u32,
    /// Whether the compiler takes unstable features, which the vector code of encoding_rs needs.
    has_nightly_features: bool,
}

impl Bench<'_> {
    /// The lines of all peers in the tables that `arguments` name, with textcodec and simdutf at `level`. The lines of
    /// encoding_rs with all its optional features follow.
    fn at_level(&self, level: Option<&str>, arguments: &[&str]) -> Result<String> {
        let level_option: Vec<String> = level.iter().map(|level| format!("--level={level}")).collect();
        let mut common: Vec<&str> = level_option.iter().map(String::as_str).collect();
        eprintln!("{}: all peers", level.unwrap_or("the best level"));
        let mut lines = self.run(level, "simdutf", &[&common, arguments].concat())?;

        common.push("--peer=encoding_rs");
        if self.has_nightly_features {
            eprintln!("encoding_rs with its vector code and its larger tables for encoding");
            let features = "fast-legacy-encode,encoding_rs/simd-accel,encoding_rs/std";
            let more = self.run(level, features, &[&common[..], &AT_EVERY_LEVEL].concat())?;
            lines.push_str(&more.replace("\tencoding_rs fast\t", "\tencoding_rs fast SIMD\t"));
        } else {
            eprintln!("encoding_rs with its larger tables for encoding");
            common.extend(["--table=encodings", "--operation=e8", "--operation=e16"]);
            lines.push_str(&self.run(level, "fast-legacy-encode", &[&common[..], &FAST_LEGACY].concat())?);
        }
        Ok(lines)
    }

    /// The output of the benchmark, built with `features`.
    fn run(&self, level: Option<&str>, features: &str, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let is_level = |name: &str| level.is_some_and(|level| level.eq_ignore_ascii_case(name));
        if let Some((_, implementation)) = SIMDUTF_AT_LEVEL.iter().find(|(name, _)| is_level(name)) {
            command.env(SIMDUTF_VARIABLE, implementation);
        }
        let output = command
            .args(["bench", "--locked", "-p", "textcodec-benches", "--bench", "matrix", "--features", features, "--"])
            .args(["--tsv", &format!("--kib={}", self.kib)])
            .args(arguments)
            .current_dir(self.root)
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run cargo bench")?;
        ensure!(output.status.success(), "the benchmark failed");
        String::from_utf8(output.stdout).context("the benchmark printed bytes that are not UTF-8")
    }
}

/// Whether a compiler with this version takes unstable features.
fn has_nightly_features(toolchain: &str) -> bool {
    toolchain.contains("nightly") || env::var_os("RUSTC_BOOTSTRAP").is_some()
}

/// The date of today, as in 2026-11-23.
pub(crate) fn today() -> Result<String> {
    Ok(date(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs()))
}

/// The name of the processor, and its family and model, because virtual machines often shorten the name.
pub(crate) fn processor() -> String {
    let from_linux = || {
        let text = fs::read_to_string("/proc/cpuinfo").ok()?;
        let value = |wanted: &str| {
            let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
            pairs.find_map(|(name, value)| (name.trim() == wanted).then(|| value.trim()))
        };
        let name = value("model name")?;
        Some(match (value("cpu family"), value("model")) {
            (Some(family), Some(model)) => format!("{name}, family {family}, model {model}"),
            _ => name.to_owned(),
        })
    };
    let from_macos = || {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    };
    from_linux().or_else(from_macos).unwrap_or_else(|| format!("unknown, {}", env::consts::ARCH))
}

/// The output of `rustc --version`.
pub(crate) fn toolchain() -> Result<String> {
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
    fn the_best_level_names_the_lower_levels() {
        assert_eq!(lower_levels("fact\tlevel\tAvx512\nfact\tlower levels\tAvx2, Scalar\n"), ["Avx2", "Scalar"]);
        assert_eq!(lower_levels("fact\tlower levels\t\n"), [""; 0]);
    }

    #[test]
    fn a_version_is_that_of_the_whole_name() {
        let lock = "\n[[package]]\nname = \"simdutf8\"\nversion = \"0.1.5\"\n\n[[package]]\nname = \"simdutf\"\nversion = \"0.7.0\"\n";
        assert_eq!(version_in(lock, "simdutf"), Some("0.7.0"));
        assert_eq!(version_in(lock, "simd"), None);
    }
}
