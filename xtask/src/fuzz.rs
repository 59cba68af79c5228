//! Runs the fuzz targets of `fuzz/` in turn, and records what they did.
//!
//! The targets are compiled with the flags of SanitizerCoverage and AddressSanitizer, which `cargo fuzz` sets, too. So
//! `cargo fuzz run decode` works where cargo-fuzz is installed, and this command does not need it.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::files;

/// The targets of libFuzzer.
const TARGETS: [&str; 13] = [
    "decode",
    "encode",
    "resume",
    "mem",
    "io",
    "sniff",
    "sniff_model",
    "detect",
    "charsets",
    "iconv",
    "capi",
    "convert",
    "arrow",
];

/// The targets that CPython drives, by `fuzz/python.py`: they need the module that `.ci/python` installs.
const PYTHON_TARGETS: [&str; 2] = ["setstate", "capsules"];

/// The targets whose inputs look like markup. The others have escapes, shifts and sequences of several bytes.
const MARKUP: [&str; 3] = ["sniff", "sniff_model", "convert"];

/// Everything that the command writes, relative to the project's root, except seeds and records.
const FOLDER: &str = "target/fuzz";

/// The folder of the seed corpora: in each subfolder, the inputs of one target.
const SEEDS: &str = "fuzz/seeds";

/// The most bytes of all seeds of a target.
const MOST_SEEDS: usize = 15 * 1024;

/// The longest seed in bytes: longer ones reach nothing else.
const LONGEST_SEED: usize = 600;

/// The record of all runs: minutes, executions and findings are sums from the first run to the last one.
const RECORD: &str = "fuzz/record.tsv";

/// The name of the record's last row.
const SUM: &str = "all targets";

const COLUMNS: [&str; 9] = [
    "target",
    "first run",
    "last run",
    "processor minutes",
    "executions",
    "edges of the seeds",
    "edges reached",
    "edges",
    "findings",
];

#[derive(Args)]
pub(crate) struct Options {
    /// The targets; all of them if there is none.
    targets: Vec<String>,
    /// The time of each target, in minutes of a processor.
    #[arg(long, default_value_t = 0.5)]
    minutes: f64,
    /// Compiles without AddressSanitizer: twice as many executions, and errors of memory stay unseen.
    #[arg(long)]
    without_sanitizer: bool,
    /// Adds the figures of this run to fuzz/record.tsv.
    #[arg(long)]
    record: bool,
    /// Fuzzes nothing; writes the dictionaries, and the seed corpora: those inputs of the program `seeds` that reach
    /// something that smaller inputs do not reach, as far as 15 KiB for each target go.
    #[arg(long)]
    seeds: bool,
}

/// What a run of a target did.
#[derive(Default)]
struct Figures {
    seconds: f64,
    executions: u64,
    /// Edges of the control flow: reached by the seeds, reached, and all. CPython counts none.
    edges: Option<[u64; 3]>,
    /// The input or the seed of each finding.
    findings: Vec<String>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let known = TARGETS.iter().chain(&PYTHON_TARGETS).copied();
    if let Some(unknown) = options.targets.iter().find(|target| !known.clone().any(|name| name == *target)) {
        bail!("there is no target {unknown}; the targets are {}", known.collect::<Vec<_>>().join(", "));
    }
    let is_chosen = |name: &&str| options.targets.is_empty() || options.targets.iter().any(|target| target == name);
    let chosen: Vec<&str> = TARGETS.into_iter().filter(|name| is_chosen(name)).collect();
    let programs = if chosen.is_empty() { PathBuf::new() } else { compile(root, options, &chosen)? };
    if options.seeds {
        return write_seeds(root, &programs, &chosen);
    }
    let mut findings = Vec::new();
    let mut done = |target, figures: Figures| {
        if options.record {
            record(root, target, &figures)?;
        }
        findings.extend(figures.findings);
        anyhow::Ok(())
    };
    println!("target        processor s    executions  edges: seeds  reached      all  findings");
    for target in chosen {
        done(target, fuzz(root, &programs, target, options)?)?;
    }
    let python = root.join("target/python/venv/bin/python");
    for target in PYTHON_TARGETS.into_iter().filter(|name| is_chosen(name)) {
        if python.exists() {
            done(target, drive_python(root, &python, target, options)?)?;
        } else {
            println!("{target:<12}  not run: it needs the Python package that `.ci/python` builds");
        }
    }
    ensure!(findings.is_empty(), "inputs that break a property:\n{}", findings.join("\n"));
    Ok(())
}

/// Compiles the targets, and returns the folder of the programs.
fn compile(root: &Path, options: &Options, targets: &[&str]) -> Result<PathBuf> {
    if Command::new("c++").arg("--version").output().is_err() {
        bail!("libFuzzer needs a C++ compiler named `c++`, for example from the package `g++` of Debian");
    }
    let version = Command::new("rustc").arg("-vV").output().context("cannot run rustc")?;
    let version = String::from_utf8(version.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names its host")?;
    let mut flags = vec!["--cfg", "fuzzing"];
    if !options.without_sanitizer {
        flags.push("-Zsanitizer=address");
    }
    flags.extend([
        "-Cpasses=sancov-module",
        "-Cllvm-args=-sanitizer-coverage-level=4",
        "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
        "-Cllvm-args=-sanitizer-coverage-pc-table",
        "-Cllvm-args=-sanitizer-coverage-trace-compares",
    ]);
    let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    command
        .current_dir(root)
        .args(["build", "--quiet", "--release", "--manifest-path", "fuzz/Cargo.toml"])
        .args(["--target-dir", FOLDER, "--target", host])
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1F"))
        // Rust's stable compilers have AddressSanitizer, but accept its flag only with this variable.
        .env("RUSTC_BOOTSTRAP", "1");
    for target in targets.iter().chain(options.seeds.then_some(&"seeds")) {
        command.args(["--bin", target]);
    }
    if targets.contains(&"arrow") {
        command.args(["--features", "arrow"]);
    }
    let status = command.status()?;
    ensure!(
        status.success(),
        "the fuzz targets do not compile; where Rust has no AddressSanitizer, use --without-sanitizer"
    );
    Ok(root.join(FOLDER).join(host).join("release"))
}

/// The dictionary of a target, relative to the project's root.
fn dictionary(target: &str) -> &'static str {
    if MARKUP.contains(&target) { "fuzz/markup.dict" } else { "fuzz/escapes.dict" }
}

/// The greatest length of an input in bytes. The battery converts its input at every split and at each level of vector
/// code, so that its time is the square of the length.
fn longest(target: &str) -> usize {
    match target {
        "decode" | "charsets" => 160,
        "detect" => 2048,
        _ => 1024,
    }
}

/// Runs a target of libFuzzer for its time.
fn fuzz(root: &Path, programs: &Path, target: &str, options: &Options) -> Result<Figures> {
    let folder = root.join(FOLDER);
    let (corpus, seeds) = (folder.join("corpus").join(target), root.join(SEEDS).join(target));
    let (logs, artifacts) = (folder.join("logs"), folder.join("artifacts"));
    for path in [&corpus, &logs, &artifacts, &seeds] {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
    }
    let command = || {
        let mut command = Command::new(programs.join(target));
        command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::null());
        command
    };
    let of_seeds = command().args([OsStr::new("-runs=0"), seeds.as_os_str()]).output()?;
    let of_seeds = last_number(&String::from_utf8_lossy(&of_seeds.stderr), "cov: ");

    let log = logs.join(target);
    let child = command()
        .args([&corpus, &seeds])
        .arg(format!("-artifact_prefix={}/{target}-", artifacts.display()))
        .arg(format!("-dict={}", root.join(dictionary(target)).display()))
        .args(["-print_final_stats=1", "-timeout=60", "-rss_limit_mb=2048"])
        .arg(format!("-max_len={}", longest(target)))
        // The time of a processor is measured below; this is for systems that do not tell it.
        .arg(format!("-max_total_time={}", (options.minutes * 60.0 * 30.0).ceil()))
        .stderr(fs::File::create(&log)?)
        .spawn()
        .with_context(|| format!("cannot run {target}"))?;
    let (status, seconds) = wait(child, options.minutes * 60.0)?;

    let text = fs::read(&log)?;
    let text = String::from_utf8_lossy(&text);
    let mut figures = Figures { seconds, ..Figures::default() };
    figures.executions = last_number(&text, "stat::number_of_executed_units:").or(last_number(&text, "#")).unwrap_or(0);
    // "INFO: Loaded 1 PC tables (61344 PCs): …"
    let all = text.lines().find(|line| line.contains("PC tables")).and_then(|line| last_number(line, "("));
    figures.edges = Some([of_seeds, last_number(&text, "cov: "), all].map(|number| number.unwrap_or(0)));
    if !status.success() {
        let written = text.lines().rev().find_map(|line| line.split("Test unit written to ").nth(1));
        figures.findings.push(written.map_or(format!("{target}: see {}", log.display()), str::to_owned));
    }
    print(target, &figures);
    Ok(figures)
}

/// Runs a target of CPython for its time.
fn drive_python(root: &Path, python: &Path, target: &str, options: &Options) -> Result<Figures> {
    let start = Instant::now();
    let output = Command::new(python)
        .current_dir(root)
        .args(["fuzz/python.py", target, &(options.minutes * 60.0).to_string()])
        .env("PYTHONPATH", "crates/python/tests")
        .output()?;
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut figures = Figures { seconds: start.elapsed().as_secs_f64(), ..Figures::default() };
    figures.seconds = last_number(&text, "processor seconds: ").map_or(figures.seconds, |seconds| seconds as f64);
    figures.executions = last_number(&text, "executions: ").unwrap_or(0);
    if !output.status.success() {
        let tail: Vec<&str> = errors.lines().rev().take(8).collect();
        figures.findings.push(format!("{target}: {}", tail.into_iter().rev().collect::<Vec<_>>().join("\n")));
    }
    print(target, &figures);
    Ok(figures)
}

fn print(target: &str, figures: &Figures) {
    let [of_seeds, reached, all] =
        figures.edges.map_or([const { String::new() }; 3], |edges| edges.map(|edge| edge.to_string()));
    let Figures { seconds, executions, findings, .. } = figures;
    println!(
        "{target:<12}  {seconds:>11.0}  {executions:>12}  {of_seeds:>12}  {reached:>7}  {all:>7}  {:>8}",
        findings.len()
    );
}

/// Waits for the program, and ends it after this time of a processor. Returns that time.
fn wait(mut child: Child, limit: f64) -> Result<(ExitStatus, f64)> {
    let (start, mut used, mut is_asked) = (Instant::now(), None, false);
    loop {
        used = processor_seconds(child.id()).or(used);
        if let Some(status) = child.try_wait()? {
            return Ok((status, used.unwrap_or(start.elapsed().as_secs_f64())));
        }
        if used.unwrap_or(start.elapsed().as_secs_f64()) >= limit && !is_asked {
            // libFuzzer then prints its figures and ends without an error.
            let _ = Command::new("kill").args(["-USR1", &child.id().to_string()]).status();
            is_asked = true;
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// The time that a process has used, from Linux's list of processes.
fn processor_seconds(id: u32) -> Option<f64> {
    /// Linux counts in hundredths of a second, whatever its own clock is.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, can have spaces.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    let (user, system) = (ticks()?, ticks()?);
    (user + system > 0.0).then_some((user + system) / TICKS)
}

/// The number after the last `before`, which digits follow.
fn last_number(text: &str, before: &str) -> Option<u64> {
    text.rmatch_indices(before).find_map(|(place, _)| {
        let rest = text[place + before.len()..].trim_start();
        let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok()
    })
}

/// Adds the figures of a target to the record.
fn record(root: &Path, of: &str, new: &Figures) -> Result<()> {
    let old = files::rows::<9>(root, RECORD, &COLUMNS)?;
    let date = Command::new("date").arg("+%F").output().context("cannot run date")?;
    let date = String::from_utf8(date.stdout)?.trim().to_owned();
    let mut rows = Vec::new();
    for target in TARGETS.iter().chain(&PYTHON_TARGETS) {
        let before = old.iter().find(|row| row[0] == *target);
        if *target != of {
            rows.extend(before.map(|row| row.to_vec()));
            continue;
        }
        let earlier = |column: usize| before.and_then(|row| row[column].parse::<f64>().ok()).unwrap_or(0.0);
        let edges = new.edges.map_or([const { String::new() }; 3], |edges| edges.map(|edge| edge.to_string()));
        let [of_seeds, reached, all] = edges;
        rows.push(vec![
            (*target).to_owned(),
            before.map_or_else(|| date.clone(), |row| row[1].clone()),
            date.clone(),
            format!("{:.1}", earlier(3) + new.seconds / 60.0),
            (earlier(4) as u64 + new.executions).to_string(),
            of_seeds,
            reached,
            all,
            (earlier(8) as usize + new.findings.len()).to_string(),
        ]);
    }
    rows.extend(sum(&rows));
    let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect());
    fs::write(root.join(RECORD), files::tab_separated(&COLUMNS, rows))?;
    Ok(())
}

/// The last row of the record: all targets. `None` if there are no targets.
fn sum(rows: &[Vec<String>]) -> Option<Vec<String>> {
    let all = |column: usize| rows.iter().filter_map(move |row| row[column].parse::<f64>().ok()).sum::<f64>();
    Some(vec![
        SUM.to_owned(),
        rows.iter().map(|row| &row[1]).min()?.clone(),
        rows.iter().map(|row| &row[2]).max()?.clone(),
        format!("{:.1}", all(3)),
        all(4).to_string(),
        String::new(),
        String::new(),
        String::new(),
        all(8).to_string(),
    ])
}

/// Writes the seed corpora and the dictionaries.
fn write_seeds(root: &Path, programs: &Path, targets: &[&str]) -> Result<()> {
    let generated = root.join(FOLDER).join("seeds");
    let status = Command::new(programs.join("seeds")).arg(&generated).arg(root.join("fuzz")).status()?;
    ensure!(status.success(), "the program `seeds` failed");
    for target in targets {
        let merged = root.join(FOLDER).join("merged").join(target);
        if merged.exists() {
            fs::remove_dir_all(&merged)?;
        }
        fs::create_dir_all(&merged)?;
        let output = Command::new(programs.join(target))
            .args(["-merge=1", &format!("-max_len={LONGEST_SEED}")])
            .args([&merged, &generated.join(target)])
            .output()?;
        ensure!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
        let mut inputs = fs::read_dir(&merged)?.map(|entry| fs::read(entry?.path())).collect::<Result<Vec<_>, _>>()?;
        inputs.sort();
        // Where there are too many, one of so many stays, from all kinds of inputs.
        let length: usize = inputs.iter().map(Vec::len).sum();
        let step = length.div_ceil(MOST_SEEDS).max(1);
        let inputs: Vec<Vec<u8>> = inputs.into_iter().step_by(step).collect();
        let folder = root.join(SEEDS).join(target);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        for (number, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("{number:03}.bin")), input)?;
        }
        println!("{target}: {} inputs, {} bytes", inputs.len(), inputs.iter().map(Vec::len).sum::<usize>());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_row_of_the_record_sums_up_minutes_executions_and_findings_between_the_first_and_the_last_day() {
        let row = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        let rows =
            [row("decode|2026-11-28|2026-11-28|0.5|20|7|8|9|1"), row("capsules|2026-11-29|2026-11-30|1.2|3||||2")];
        assert_eq!(sum(&rows), Some(row("all targets|2026-11-28|2026-11-30|1.7|23||||3")));
        assert_eq!(sum(&[]), None);
    }
}
