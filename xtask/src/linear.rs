//! Counts the instructions of the libraries' functions and of the program's commands on adversarial inputs of four
//! lengths, with valgrind's callgrind, and fails if they grow faster than the input. Unlike times, the counts are the
//! same in nearly each run. `benches/benches/linear.rs` has the cases of the libraries.
//!
//! Counting takes fifty times as long as running. So `--times` measures times instead, of inputs of 1 to 8 MiB, and
//! fails only at a factor that no other program on the machine explains. `--faces` does the same with the functions of
//! the C library, the Python package and the Node package, whose cases are in `benches/faces`.

use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::Value;

/// The folder of the counts, relative to the project's root. It can be removed at any time.
const FOLDER: &str = "target/linear";

/// The greatest factor by which twice the input may increase the instructions. A function that is linear has at most 2;
/// the rest is for vectors that grow. A quadratic part that is noticeable at all gives more.
const GREATEST_RATIO: f64 = 2.15;

/// So many instructions more do not count: an allocator takes another path for a longer vector.
const SLACK: f64 = 30_000.0;

/// The greatest factor by which eight times the input may increase the time. A function that is linear has about 8, and
/// more where its data outgrow a cache; one that is quadratic has 64.
const GREATEST_RATIO_OF_TIMES: f64 = 20.0;

/// So many nanoseconds more do not count.
const SLACK_OF_TIMES: f64 = 20_000_000.0;

/// How many cases the table of the slowest has.
const SLOWEST: usize = 12;

/// The cases of the program: its arguments, a pattern that fills a file, and the end of the file. Each has lines
/// without an end, or very many lines, or something that the command would have to look at again for each place.
const COMMANDS: [(&str, &[u8], &[u8]); 24] = [
    ("convert -f windows-1252", b"\xE9", b""),
    ("convert -f utf-8 -e replacement", b"\xFF", b""),
    ("convert -f utf-8", b"a", b"\xFF"),
    ("convert -f utf-8 -t shift_jis -e html", "☃".as_bytes(), b""),
    ("convert -f utf-8 -t windows-1252 --transliterate -e replacement", "\u{300}ﬁ".as_bytes(), b""),
    ("convert -f utf-8 --normalize nfc", "a\u{300}".as_bytes(), b""),
    ("convert -f utf-8 --normalize nfc", "\u{301}\u{323}".as_bytes(), b""),
    ("convert -f utf-8 --normalize nfd", "\u{323}\u{301}\u{5B0}".as_bytes(), b""),
    ("convert -f utf-8 --newlines lf", b"\r", b""),
    ("convert -f auto --guess", b"\xE9", b""),
    ("convert -f auto --guess", b"\x1B$B", b""),
    ("convert -f utf-8 -t utf-16le --declarations update", b"<meta charset=x>", b""),
    ("convert -f utf-8 -t koi8-r --declarations update -e html", b"<!--", b""),
    ("check", b"a\xFF", b""),
    ("check", b"\r", b""),
    ("check", "Ã©".as_bytes(), b""),
    ("check", "\u{202E}a".as_bytes(), b""),
    ("check --json", b"a\0\xC3\n", b""),
    ("repair", "Ã©".as_bytes(), b""),
    ("repair --ambiguous", "aÃ".as_bytes(), b"\n"),
    ("repair --ambiguous", "Ã©a☃".as_bytes(), b""),
    ("repair --guess", "Ð¿Ñ€".as_bytes(), b""),
    ("sniff", b"<a ", b""),
    ("sniff --guess", b"\xE4\xF6 ", b""),
];

#[derive(Args)]
pub(crate) struct Options {
    /// Only the cases whose names contain this text, such as `decode Big5`.
    #[arg(default_value = "")]
    part: String,
    /// The length of the shortest input in KiB: 64, or 1024 with --times. The others have two, four and eight times
    /// this length. With --faces it is 64.
    #[arg(long)]
    kib: Option<usize>,
    /// Measures times instead of counting instructions, without valgrind.
    #[arg(long)]
    times: bool,
    /// Measures times of the C library, and of the Python and the Node package if they are built.
    #[arg(long, conflicts_with = "times")]
    faces: bool,
    /// With the feature `zeroed`, by which memory is filled with zeros.
    #[arg(long)]
    zeroed: bool,
}

impl Options {
    /// The length of the shortest input in bytes.
    fn length(&self) -> usize {
        self.kib.unwrap_or(if self.times { 1024 } else { 64 }) << 10
    }
}

/// The instructions, or nanoseconds, and the lengths of a case, from the shortest input to the longest.
type Counts = BTreeMap<String, Vec<(u64, u64)>>;

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    if options.times {
        let output = Command::new(compile(root, options.zeroed)?)
            .args([&options.length().to_string(), &options.part, "--times"])
            .current_dir(root)
            // glibc's allocator takes long blocks from the system and gives them back, which takes longer than to fill
            // them; so a run with a longer input would take more than its share.
            .envs([("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TRIM_THRESHOLD_", "4000000000")])
            .output()?;
        ensure!(output.status.success(), "the cases failed:\n{}", String::from_utf8_lossy(&output.stderr));
        return judge(&String::from_utf8(output.stdout)?, options);
    }
    if options.faces {
        return judge(&measure_faces(root, options)?, options);
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        bail!("valgrind is needed, for example from the package `valgrind` of Debian");
    }
    let program = compile(root, options.zeroed)?;
    let folder = root.join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let counts_file = folder.join("counts");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=linear::done*", "--dump-line=no", "--quiet"])
        .arg(format!("--callgrind-out-file={}", counts_file.display()))
        .args([&program, &options.length().to_string(), &options.part])
        .current_dir(root)
        .output()?;
    ensure!(output.status.success(), "the cases failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout)?;
    let mut counts = Counts::new();
    for (number, line) in lines.lines().enumerate() {
        let (name, length) = line.split_once('\t').context("each line is a name and a length")?;
        // The first of two dumps ends the making of the input, and the second one ends the case. Dumps begin with 1.
        let dump = format!("{}.{}", counts_file.display(), 2 * number + 2);
        let text = fs::read_to_string(&dump).with_context(|| format!("cannot read {dump}"))?;
        let total = total(&text).with_context(|| format!("{dump} has no total"))?;
        counts.entry(name.to_owned()).or_default().push((total, length.parse()?));
    }
    count_commands(root, options, &mut counts)?;
    ensure!(!counts.is_empty(), "no case has `{}` in its name", options.part);
    print!("{}", report(&counts));
    fs::remove_dir_all(&folder)?;
    let wrong = superlinear(&counts);
    ensure!(wrong.is_empty(), "these cases take more than linear time:\n  {}", wrong.join("\n  "));
    Ok(())
}

/// The output of the cases of the C library, the Python package and the Node package.
fn measure_faces(root: &Path, options: &Options) -> Result<String> {
    let faces = root.join("benches/faces");
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |folder| root.join(folder));
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(root)
        .args(["build", "--quiet", "--release", "--package", "textcodec-capi", "--target-dir"])
        .arg(&target)
        .status()?;
    ensure!(status.success(), "the C library does not compile");
    let program = target.join("release/linear-of-c");
    let libraries = target.join("release");
    let status = Command::new("cc")
        .args(["-O2", "-I", "crates/capi/include", "benches/faces/linear.c", "-ltextcodec_capi", "-o"])
        .args([&program, Path::new("-L"), &libraries])
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .current_dir(root)
        .status()
        .context("cannot run the C compiler `cc`")?;
    ensure!(status.success(), "benches/faces/linear.c does not compile");
    let python = root.join("target/python/venv/bin/python");
    let mut lines = String::new();
    for (face, program, script, is_built) in [
        ("C", program, None, true),
        ("Python", python.clone(), Some("linear.py"), python.exists()),
        ("Node", "node".into(), Some("linear.mjs"), root.join("crates/node/textcodec.node").exists()),
    ] {
        if !is_built {
            println!("Not checked: the functions of the {face} package, which `.ci/run` builds");
            continue;
        }
        let output = Command::new(&program)
            .args(script.map(|script| faces.join(script)))
            .arg(options.length().to_string())
            .current_dir(&faces)
            .output()
            .with_context(|| format!("cannot run {}", program.display()))?;
        ensure!(output.status.success(), "the cases of {face} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        lines += &String::from_utf8(output.stdout)?;
    }
    Ok(lines)
}

/// Fails if the lines have times that grow faster than the input.
fn judge(lines: &str, options: &Options) -> Result<()> {
    let mut times = Counts::new();
    for line in lines.lines().filter(|line| line.contains(&options.part)) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, length, time] = fields[..] else { bail!("each line is a name, a length and a time") };
        times.entry(name.to_owned()).or_default().push((time.parse()?, length.parse()?));
    }
    ensure!(!times.is_empty(), "no case has `{}` in its name", options.part);
    let greatest = times.values().filter_map(|times| ratio_of_times(times)).fold(0.0, f64::max);
    println!("{} cases: eight times the input takes at most {greatest:.1} times as long", times.len());
    let slow = times.iter().filter(|(_, times)| takes_too_long(times));
    let slow: Vec<String> = slow.map(|(name, times)| format!("{name}: nanoseconds and bytes: {times:?}")).collect();
    ensure!(slow.is_empty(), "these cases take more than linear time:\n  {}", slow.join("\n  "));
    Ok(())
}

/// The factor by which the time grows from the shortest input to the longest. `None` if the shortest takes less time
/// than a measurement can tell.
fn ratio_of_times(times: &[(u64, u64)]) -> Option<f64> {
    let (first, last) = (times.first()?.0, times.last()?.0);
    (first > 100_000).then(|| last as f64 / first as f64)
}

fn takes_too_long(times: &[(u64, u64)]) -> bool {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return false };
    last.0 as f64 > GREATEST_RATIO_OF_TIMES * first.0 as f64 + SLACK_OF_TIMES
}

/// Compiles the cases and returns the path of the program.
fn compile(root: &Path, zeroed: bool) -> Result<String> {
    let output = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(root)
        .args(["bench", "--quiet", "--package", "textcodec-benches", "--bench", "linear", "--no-run"])
        .arg("--message-format=json")
        .args(zeroed.then_some("--features=zeroed"))
        .stderr(std::process::Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the cases do not compile");
    let messages = String::from_utf8(output.stdout)?;
    let executable = messages.lines().rev().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == "linear").then(|| message["executable"].as_str().map(str::to_owned))?
    });
    executable.context("cargo names no program")
}

/// Counts the instructions of the program's commands. Statuses other than 0 are the results of checks.
fn count_commands(root: &Path, options: &Options, counts: &mut Counts) -> Result<()> {
    let name = |(arguments, pattern, _): &(&str, &[u8], &[u8])| format!("{arguments} {}", pattern.escape_ascii());
    let mut commands = COMMANDS.iter().filter(|command| name(command).contains(&options.part)).peekable();
    if commands.peek().is_none() {
        return Ok(());
    }
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(root)
        .args(["build", "--quiet", "--release", "--package", "textcodec-cli"])
        .status()?;
    ensure!(status.success(), "the program does not compile");
    let file = root.join(FOLDER).join("input.html");
    for command in commands {
        let (arguments, pattern, tail) = *command;
        for times in [1, 2, 4, 8] {
            let mut input = pattern.repeat(options.length() * times / pattern.len());
            input.extend_from_slice(tail);
            fs::write(&file, &input)?;
            let output = Command::new("valgrind")
                .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                .arg(root.join("target/release/textcodec"))
                .args(arguments.split(' '))
                .arg(&file)
                .current_dir(root.join(FOLDER))
                .output()?;
            let messages = String::from_utf8_lossy(&output.stderr);
            // 2 is the status for wrong arguments.
            let is_usage = matches!(output.status.code(), None | Some(2));
            ensure!(!is_usage, "`textcodec {arguments}` failed:\n{messages}");
            let collected = messages.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
            let collected = collected.with_context(|| format!("valgrind has counted nothing:\n{messages}"))?;
            counts.entry(name(command)).or_default().push((collected, input.len() as u64));
        }
    }
    Ok(())
}

/// The number of instructions of a dump.
fn total(dump: &str) -> Option<u64> {
    dump.lines().rev().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}

/// The cases with the greatest ratio, and those with the most instructions for each byte.
fn report(counts: &Counts) -> String {
    let mut slowest: Vec<(f64, &str)> = Vec::new();
    for (name, counts) in counts {
        if let Some((instructions, length)) = counts.last() {
            slowest.push((*instructions as f64 / *length as f64, name));
        }
    }
    slowest.sort_by(|first, second| second.0.total_cmp(&first.0));
    let greatest = counts.values().flat_map(|counts| ratios(counts)).fold(0.0, f64::max);
    let mut text = format!(
        "{} cases: twice the input takes at most {greatest:.2} times the instructions. The most instructions per byte:\n",
        counts.len()
    );
    for (per_byte, name) in slowest.iter().take(SLOWEST) {
        text.push_str(&format!("{per_byte:9.1}  {name}\n"));
    }
    text
}

/// The factors by which the instructions grow from each length to the next.
fn ratios(counts: &[(u64, u64)]) -> Vec<f64> {
    counts.windows(2).map(|pair| pair[1].0 as f64 / pair[0].0.max(1) as f64).collect()
}

/// A line for each case whose instructions grow too fast.
fn superlinear(counts: &Counts) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, counts) in counts {
        // A vector that grows takes more at one length than at others. So a length takes too much only if it takes more
        // than its share of the instructions of each shorter length.
        let share =
            |(number, length): (u64, u64), of: u64| GREATEST_RATIO / 2.0 * number as f64 / length as f64 * of as f64;
        let is_too_much = |at: usize| {
            let (number, length) = counts[at];
            counts[..at].iter().all(|&shorter| number as f64 > share(shorter, length) + SLACK)
        };
        if (1..counts.len()).any(is_too_much) {
            let counts: Vec<String> = counts.iter().map(|(number, length)| format!("{number} for {length}")).collect();
            wrong.push(format!("{name}: instructions for bytes: {}", counts.join(", ")));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_cases_are_found_and_linear_ones_pass() {
        let of =
            |cost: fn(u64) -> u64| [1 << 16, 1 << 17, 1 << 18, 1 << 19].map(|length| (cost(length), length)).to_vec();
        let counts = Counts::from([
            ("linear".into(), of(|length| 3 * length + 100_000)),
            ("constant".into(), of(|_| 9)),
            ("one cheap length".into(), of(|length| if length == 1 << 18 { 9 * length } else { 10 * length })),
            ("quadratic".into(), of(|length| 40 * length + length * length / 40_000)),
            ("quadratic at the end".into(), of(|length| 40 * length + if length < 1 << 19 { 0 } else { 4_000_000 })),
        ]);
        let wrong = superlinear(&counts);
        assert!(wrong.len() == 2 && wrong.iter().all(|line| line.starts_with("quadratic")), "{wrong:?}");
        assert!(report(&counts).starts_with("5 cases: twice the input takes at most 2."));
    }

    #[test]
    fn quadratic_times_are_found_and_linear_ones_pass() {
        let of = |cost: fn(u64) -> u64| [1 << 20, 2 << 20, 4 << 20, 8 << 20].map(|length| (cost(length), length));
        assert!(!takes_too_long(&of(|length| length * 3)));
        assert!(takes_too_long(&of(|length| length * length / 100_000)));
        assert_eq!(ratio_of_times(&of(|length| length)), Some(8.0));
        assert_eq!(ratio_of_times(&of(|_| 9)), None);
    }

    #[test]
    fn the_total_of_a_dump_is_its_last_line() {
        assert_eq!(total("events: Ir\nfn=(1)\n0 12\n\ntotals: 4711\n"), Some(4711));
        assert_eq!(total("summary: 1"), None);
    }
}
