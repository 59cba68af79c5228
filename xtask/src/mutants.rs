//! Judges the tests by faults: cargo-mutants lists them, this command adds numbers that are one greater and statements
//! that are left out, and a seeded sample of each crate is compiled at once. Each mutant is a branch that an
//! environment variable chooses, so that one build serves thousands of mutants. First, every test runs alone and
//! records which mutants it reaches. Then every mutant runs with the tests that reach it, the fastest first, until one
//! fails.
//!
//! With `--planted`, the faults are those that somebody has put into the code by hand, as branches of this kind.
//!
//! What the compiler evaluates cannot be chosen at run time: constants, and constant functions. `cargo mutants` judges
//! those, with the same configuration: `.cargo/mutants.toml`.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use self::source::{Genre, Site};

mod source;
mod tables;

/// The folder of the copy and of the results, relative to the project's root. It can be removed at any time.
const FOLDER: &str = "target/mutants";

/// Packages whose tests are not run: they compile other packages, or are no product.
const WITHOUT_TESTS: [&str; 4] = ["xtask", "textcodec-benches", "textcodec-site", "textcodec-no-std"];

#[derive(Args)]
pub(crate) struct Options {
    /// The packages to mutate, such as `textcodec-core`.
    #[arg(required_unless_present = "tables")]
    packages: Vec<String>,
    /// How many mutants of each package are judged.
    #[arg(long, default_value_t = 300)]
    sample: usize,
    /// Another number chooses other mutants.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The part of the sample that is judged, such as `2/4`.
    #[arg(long)]
    shard: Option<String>,
    /// Only mutants with one of these texts in their names.
    #[arg(long)]
    only: Vec<String>,
    /// Changes this number of bytes of generated tables in compiled tests, one at a time, instead of code.
    #[arg(long, conflicts_with = "packages")]
    tables: Option<usize>,
    /// Judges the faults that stand in the code of all crates instead, numbered from 1:
    /// `if crate::mutants_switch::on(1) { fault } else { code }`.
    #[arg(long)]
    planted: bool,
    /// How many tests run at the same time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The packages whose tests run: by default the packages, and all that depend on them.
    #[arg(long, value_delimiter = ',')]
    tests: Vec<String>,
    /// The results are in the file of this name in target/mutants, with the ending `tsv`.
    #[arg(long, default_value = "mutants")]
    name: String,
    /// Tests that take more seconds of a processor do not run.
    #[arg(long, default_value_t = 60)]
    longest: u64,
    /// How many seconds of tests a mutant must survive.
    #[arg(long, default_value_t = 60.0)]
    budget: f64,
}

/// A mutant of the sample. Its number is its place in the sample, from 1.
struct Mutant {
    package: String,
    file: String,
    name: String,
    genre: Genre,
    line: usize,
    column: usize,
    replacement: String,
}

/// A test of a program of tests.
struct Test {
    program: PathBuf,
    folder: PathBuf,
    package: String,
    name: String,
    seconds: f64,
    reached: HashSet<u32>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    /// A test failed.
    Caught,
    /// A test did not end.
    Timeout,
    /// All tests that reach the mutant passed.
    Missed,
    /// No test reaches the mutant.
    Unreached,
    /// The mutant does not compile.
    Unviable,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    if let Some(changes) = options.tables {
        return tables::run(root, &root.join(FOLDER), changes, options.seed);
    }
    let mutants = if options.planted { planted(root)? } else { sample(root, options)? };
    println!("{} mutants", mutants.len());
    let folder = root.join(FOLDER);
    let mut packages = dependents(root, &options.packages)?;
    if !options.tests.is_empty() {
        packages = options.tests.iter().cloned().collect();
    }
    // Every round finds only the errors of crates whose dependencies compile. So the next run knows them.
    let unviable_path = folder.join("unviable.txt");
    let known = fs::read_to_string(&unviable_path).unwrap_or_default();
    let mut known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    let numbers = (1..).zip(&mutants).filter(|(_, mutant)| known.contains(&mutant.name));
    let mut unviable: HashSet<u32> = numbers.map(|(number, _)| number).collect();
    let programs = loop {
        copy(root, &folder.join("tree"), if options.planted { &[] } else { &mutants }, &unviable)?;
        // Checking finds the errors in a fraction of the time of building.
        if compile(&folder, "check", &packages, &mut unviable)?.is_some()
            && let Some(programs) = compile(&folder, "build", &packages, &mut unviable)?
        {
            break programs;
        }
        println!("{} mutants do not compile; building without them", unviable.len());
        // The names of other samples stay.
        known.extend(unviable.iter().map(|number| mutants[*number as usize - 1].name.clone()));
        fs::write(&unviable_path, known.iter().map(|name| format!("{name}\n")).collect::<String>())?;
    };
    let tests = record(&folder, &programs, options)?;
    let results = Mutex::new(fs::File::create(folder.join(format!("{}.tsv", options.name)))?);
    writeln!(results.lock().expect("no thread panicked"), "package\toutcome\tgenre\tmutant\tby")?;
    let outcomes = in_parallel(options.jobs, &mutants, |index, mutant| {
        let number = index as u32 + 1;
        let (outcome, by) = if unviable.contains(&number) {
            (Outcome::Unviable, String::new())
        } else {
            judge(&folder, number, mutant, &tests, options.budget)?
        };
        let line = format!("{}\t{outcome:?}\t{:?}\t{}\t{by}\n", mutant.package, mutant.genre, mutant.name);
        results.lock().expect("no thread panicked").write_all(line.as_bytes())?;
        Ok(outcome)
    })?;
    print!("{}", summary(&mutants, &outcomes));
    Ok(())
}

/// Calls a function for each item, in several threads, and returns its results in the order of the items.
fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    call: impl Fn(usize, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = call(index, item);
                    results.lock().expect("no thread panicked").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The sample of each package, of all mutants that can be chosen at run time.
fn sample(root: &Path, options: &Options) -> Result<Vec<Mutant>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json"]).current_dir(root);
    for package in &options.packages {
        command.args(["--package", package]);
    }
    let output = command.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "cargo-mutants is needed: cargo install --locked cargo-mutants");
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut files: BTreeMap<String, (String, HashMap<source::Place, Site>)> = BTreeMap::new();
    let mut all: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    let mut fixed = 0;
    for value in &listed {
        let (package, file) = (text(&value["package"]), text(&value["file"]));
        let sites = match files.get(&file) {
            Some((_, sites)) => sites,
            None => {
                let sites = source::sites(&fs::read_to_string(root.join(&file))?)?;
                &files.entry(file.clone()).or_insert((package.clone(), sites)).1
            }
        };
        let number = |name| value["span"]["start"][name].as_u64().unwrap_or_default() as usize;
        let (line, column) = (number("line"), number("column"));
        let genre = Genre::of(value["genre"].as_str().unwrap_or_default());
        let Some(genre) = genre.filter(|genre| sites.contains_key(&(*genre, line, column))) else {
            fixed += 1;
            continue;
        };
        let replacement = text(&value["replacement"]);
        let mutant = Mutant { package, file, name: text(&value["name"]), genre, line, column, replacement };
        all.entry(mutant.package.clone()).or_default().push(mutant);
    }
    println!("{} of {} mutants of cargo-mutants are constants, which this command leaves out", fixed, listed.len());
    // The list's configuration excludes files, which have no mutant here either.
    for (file, (package, sites)) in files {
        let mut own: Vec<_> = sites.into_iter().filter(|(place, _)| place.0 >= Genre::Literal).collect();
        own.sort_by_key(|(place, _)| *place);
        for ((genre, line, column), site) in own {
            let change = match genre {
                Genre::Literal => format!("replace a number with {}", site.replacement),
                _ => "leave out a statement".to_owned(),
            };
            let name = format!("{file}:{line}:{column}: {change} in {}", site.function);
            let replacement = site.replacement;
            let file = file.clone();
            let mutant = Mutant { package: package.clone(), file, name, genre, line, column, replacement };
            all.entry(package.clone()).or_default().push(mutant);
        }
    }
    let mut chosen = Vec::new();
    for (package, mut mutants) in all {
        mutants.retain(|mutant| options.only.is_empty() || options.only.iter().any(|part| mutant.name.contains(part)));
        println!("{package}: {} mutants", mutants.len());
        Random(options.seed).shuffle(&mut mutants);
        mutants.truncate(options.sample);
        chosen.extend(mutants);
    }
    if let Some(shard) = &options.shard {
        let (part, of) = shard.split_once('/').context("a shard is written as 1/4")?;
        let (part, of): (usize, usize) = (part.parse()?, of.parse()?);
        ensure!((1..=of).contains(&part), "there is no shard {shard}");
        chosen = chosen.into_iter().skip(part - 1).step_by(of).collect();
    }
    ensure!(chosen.len() < 1 << 16, "a sample has at most 65,535 mutants");
    Ok(chosen)
}

/// The faults that stand in the code.
fn planted(root: &Path) -> Result<Vec<Mutant>> {
    let mut found = BTreeMap::new();
    for file in git_files(root)?.split_terminator('\0').filter(|file| file.ends_with(".rs") && is_of_a_crate(file)) {
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        let package = format!("textcodec-{}", file.split('/').nth(1).unwrap_or_default());
        for (line, number) in (1..).zip(text.lines()).flat_map(|(at, line)| calls(line).map(move |n| (at, n))) {
            let (package, file, name) = (package.clone(), file.to_owned(), format!("{file}:{line}: planted {number}"));
            let (genre, column, replacement) = (Genre::Statement, 0, String::new());
            let mutant = Mutant { package, file, name, genre, line, column, replacement };
            ensure!(found.insert(number, mutant).is_none(), "two faults have the number {number}");
        }
    }
    let missing = (1..).zip(found.keys()).find(|(expected, number)| expected != *number);
    ensure!(missing.is_none(), "no fault has the number {}", missing.map_or(0, |(expected, _)| expected));
    Ok(found.into_values().collect())
}

/// SplitMix64.
struct Random(u64);

impl Random {
    /// A number less than `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (number ^ (number >> 31)) % end
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// The packages and all that depend on them.
fn dependents(root: &Path, packages: &[String]) -> Result<BTreeSet<String>> {
    let metadata = crate::depcheck::metadata(root)?;
    let mut found: BTreeSet<String> = packages.iter().cloned().collect();
    let members = metadata["packages"].as_array().context("cargo metadata lists packages")?;
    loop {
        let before = found.len();
        for member in members {
            let name = member["name"].as_str().unwrap_or_default();
            let dependencies = member["dependencies"].as_array().into_iter().flatten();
            let depends = dependencies.filter_map(|dependency| dependency["name"].as_str()).any(|n| found.contains(n));
            if depends && !WITHOUT_TESTS.contains(&name) {
                found.insert(name.to_owned());
            }
        }
        if found.len() == before {
            return Ok(found);
        }
    }
}

/// Brings the copy of the project up to date, with the mutants that compile. Files that stay the same are not written.
fn copy(root: &Path, tree: &Path, mutants: &[Mutant], unviable: &HashSet<u32>) -> Result<()> {
    type Numbered<'a> = Vec<(u32, &'a str)>;
    let mut by_file: HashMap<&str, BTreeMap<source::Place, Numbered>> = HashMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let number = index as u32 + 1;
        if !unviable.contains(&number) {
            let place = (mutant.genre, mutant.line, mutant.column);
            let places = by_file.entry(&mutant.file).or_default();
            places.entry(place).or_default().push((number, &mutant.replacement));
        }
    }
    for path in git_files(root)?.split_terminator('\0') {
        let (from, to) = (root.join(path), tree.join(path));
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        if from.is_symlink() {
            if !to.is_symlink() {
                Command::new("cp").arg("-P").args([&from, &to]).status()?;
            }
            continue;
        }
        // A file may have been removed from the folder only.
        let Ok(mut contents) = fs::read(&from) else { continue };
        if let Some(places) = by_file.get(path) {
            let text = String::from_utf8(contents)?;
            let sites = source::sites(&text)?;
            let edits = places.iter().map(|(place, mutants)| source::edit(&text, place.0, &sites[place], mutants));
            contents = source::render(&text, edits.collect()).into_bytes();
        }
        if is_crate_root(path) {
            contents.extend(include_bytes!("mutants/switch.rs"));
        }
        if fs::read(&to).ok().as_ref() != Some(&contents) {
            fs::write(&to, contents)?;
            fs::set_permissions(&to, fs::metadata(&from)?.permissions())?;
        }
    }
    Ok(())
}

/// The paths of all files that git knows, each with U+0000 after it.
fn git_files(root: &Path) -> Result<String> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    ensure!(output.status.success(), "git ls-files failed");
    Ok(String::from_utf8(output.stdout)?)
}

fn is_of_a_crate(path: &str) -> bool {
    path.starts_with("crates/")
}

fn is_crate_root(path: &str) -> bool {
    is_of_a_crate(path) && (path.ends_with("src/lib.rs") || path.ends_with("src/main.rs"))
}

/// Checks the packages, or builds their programs of tests. `None` if some mutants do not compile; they are put into
/// `unviable`.
fn compile(
    folder: &Path,
    subcommand: &str,
    packages: &BTreeSet<String>,
    unviable: &mut HashSet<u32>,
) -> Result<Option<Vec<(PathBuf, PathBuf, String)>>> {
    let tree = folder.join("tree");
    let mut command = Command::new("cargo");
    command
        .args([subcommand, "--profile=test", "--locked", "--keep-going", "--message-format=json"])
        .args((subcommand == "build").then_some("--tests"))
        .current_dir(&tree);
    for package in packages {
        command.args(["--package", package]);
    }
    command.env("CARGO_TARGET_DIR", folder.join("build")).env("CARGO_INCREMENTAL", "0");
    let output = command.output()?;
    let mut programs = Vec::new();
    let before = unviable.len();
    let mut messages = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines().filter(|line| line.starts_with('{')) {
        let value: Value = serde_json::from_str(line)?;
        if value["reason"] == "compiler-artifact"
            && value["profile"]["test"] == true
            && let (Some(program), Some(manifest)) = (value["executable"].as_str(), value["manifest_path"].as_str())
        {
            let folder = Path::new(manifest).parent().context("a manifest is in a folder")?;
            let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            programs.push((PathBuf::from(program), folder.to_owned(), package));
        }
        let message = &value["message"];
        if value["reason"] == "compiler-message" && message["level"] == "error" {
            messages.push(message["rendered"].as_str().unwrap_or_default().to_owned());
            for span in message["spans"].as_array().into_iter().flatten().filter(|span| span["is_primary"] == true) {
                let text = fs::read_to_string(tree.join(span["file_name"].as_str().unwrap_or_default()))?;
                let line = |name| span[name].as_u64().unwrap_or_default() as usize;
                let arms = if message["code"]["code"] == "E0004" { last_line(&text, line("line_end")) } else { 0 };
                unviable.extend(numbers_at(&text, line("line_start"), line("line_end").max(arms)));
            }
        }
    }
    if output.status.success() {
        return Ok(Some(programs));
    }
    ensure!(
        unviable.len() > before,
        "the copy does not compile:\n{}",
        messages.join("\n") + &String::from_utf8_lossy(&output.stderr)
    );
    Ok(None)
}

/// The last line of the block that starts on this line, by the indentation: without an arm, a `match` does not compile,
/// and the compiler names its first line.
fn last_line(text: &str, start: usize) -> usize {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let own = text.lines().nth(start - 1).map_or(0, indentation);
    let is_end = |line: &str| !line.trim().is_empty() && indentation(line) <= own;
    start + text.lines().skip(start).position(is_end).unwrap_or_default()
}

/// The numbers of the mutants on a line.
fn calls(line: &str) -> impl Iterator<Item = u32> {
    line.split("mutants_switch::on(").skip(1).filter_map(|rest| rest.split(')').next()?.parse().ok())
}

/// The numbers of the mutants on these lines, or of those on the nearest line before.
fn numbers_at(text: &str, start: usize, end: usize) -> Vec<u32> {
    let lines: Vec<&str> = text.lines().collect();
    let numbers = |lines: &[&str]| -> Vec<u32> { lines.iter().flat_map(|line| calls(line)).collect() };
    let here = numbers(&lines[start - 1..end.min(lines.len())]);
    if !here.is_empty() {
        return here;
    }
    (0..start)
        .rev()
        .map(|line| numbers(&lines[line..=line.min(lines.len() - 1)]))
        .find(|n| !n.is_empty())
        .unwrap_or_default()
}

/// Runs each test alone. Tests that fail without a mutant are left out, and named.
fn record(folder: &Path, programs: &[(PathBuf, PathBuf, String)], options: &Options) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for (program, package_folder, package) in programs {
        let output = Command::new(program)
            .args(["--list", "--format", "terse"])
            .current_dir(package_folder)
            .env("LD_LIBRARY_PATH", libraries(folder))
            .output()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        for name in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
            tests.push(Test {
                program: program.clone(),
                folder: package_folder.clone(),
                package: package.clone(),
                name: name.to_owned(),
                seconds: 0.0,
                reached: HashSet::new(),
            });
        }
    }
    println!("{} tests", tests.len());
    let records = folder.join(format!("{}-records", options.name));
    if records.exists() {
        fs::remove_dir_all(&records)?;
    }
    fs::create_dir_all(&records)?;
    let recorded = in_parallel(options.jobs, &tests, |index, test| {
        let path = records.join(index.to_string());
        let begun = Instant::now();
        let ended = call(folder, test, ("TEXTCODEC_MUTANTS_RECORD", path.as_os_str().as_ref()), options.longest)?;
        let seconds = begun.elapsed().as_secs_f64();
        let reached = fs::read_to_string(&path).unwrap_or_default();
        Ok((ended, seconds, reached.lines().filter_map(|line| line.parse().ok()).collect::<HashSet<u32>>()))
    })?;
    let mut usable = Vec::new();
    for (mut test, (ended, seconds, reached)) in tests.into_iter().zip(recorded) {
        if ended == Ended::Passed {
            (test.seconds, test.reached) = (seconds, reached);
            usable.push(test);
        } else {
            println!("left out, because it fails or takes too long: {} {}", test.package, test.name);
        }
    }
    usable.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    println!("they take {:.0} s", usable.iter().map(|test| test.seconds).sum::<f64>());
    Ok(usable)
}

/// Runs a mutant with the tests that reach it. Also returns the test that caught it, or how many did not.
fn judge(folder: &Path, number: u32, mutant: &Mutant, tests: &[Test], budget: f64) -> Result<(Outcome, String)> {
    let mut reaching: Vec<&Test> = tests.iter().filter(|test| test.reached.contains(&number)).collect();
    if reaching.is_empty() {
        return Ok((Outcome::Unreached, String::new()));
    }
    // The tests of the crate itself come first.
    reaching.sort_by_key(|test| !mutant.file.starts_with(&format!("crates/{}/", test.package)));
    let mut spent = 0.0;
    for (ran, test) in reaching.iter().enumerate() {
        let processor = (4.0 * test.seconds).ceil() as u64 + 4;
        let ended = call(folder, test, ("TEXTCODEC_MUTANT", number.to_string().as_ref()), processor)?;
        match ended {
            Ended::Failed => return Ok((Outcome::Caught, test.name.clone())),
            Ended::Late => return Ok((Outcome::Timeout, test.name.clone())),
            Ended::Passed => spent += test.seconds,
        }
        if spent > budget {
            return Ok((Outcome::Missed, format!("{} of {} tests", ran + 1, reaching.len())));
        }
    }
    Ok((Outcome::Missed, format!("{} tests", reaching.len())))
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Ended {
    Passed,
    Failed,
    Late,
}

/// Runs a test with a variable of the environment, and with limits, because a mutant may do anything.
fn call(folder: &Path, test: &Test, (name, value): (&str, &Path), processor: u64) -> Result<Ended> {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let scratch = tempfile::tempdir_in(folder)?;
    let script = format!("ulimit -t {processor}; ulimit -v 8000000; ulimit -f 16000000; ulimit -c 0; exec \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(&test.program)
        .args(["--exact", &test.name, "--test-threads=1"])
        .current_dir(&test.folder)
        .env(name, value)
        .env("LD_LIBRARY_PATH", libraries(folder))
        .env("CARGO_MANIFEST_DIR", &test.folder)
        .env("TMPDIR", scratch.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let begun = Instant::now();
    let patience = Duration::from_secs(10 * processor + 30);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > patience {
            Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status()?;
            child.wait()?;
            return Ok(Ended::Late);
        }
        thread::sleep((begun.elapsed() / 20).clamp(Duration::from_millis(1), Duration::from_millis(100)));
    };
    Ok(match (status.success(), status.signal()) {
        (true, _) => Ended::Passed,
        // SIGXCPU, or SIGKILL if the process goes on.
        (_, Some(24 | 9)) => Ended::Late,
        _ => Ended::Failed,
    })
}

fn libraries(folder: &Path) -> PathBuf {
    folder.join("build/debug/deps")
}

/// A table of the outcomes by package, with the share of mutants that were caught and its interval of 95 %.
fn summary(mutants: &[Mutant], outcomes: &[Outcome]) -> String {
    let mut table = "package\tcaught\ttimeout\tmissed\tunreached\tunviable\tcaught %\tinterval\n".to_owned();
    let packages: BTreeSet<&str> = mutants.iter().map(|mutant| &*mutant.package).collect();
    for package in packages.into_iter().map(Some).chain([None]) {
        let count = |outcome| {
            let pairs = mutants.iter().zip(outcomes);
            pairs.filter(|(mutant, o)| **o == outcome && package.is_none_or(|p| p == mutant.package)).count()
        };
        let (caught, timeout) = (count(Outcome::Caught), count(Outcome::Timeout));
        let (missed, unreached) = (count(Outcome::Missed), count(Outcome::Unreached));
        let all = caught + timeout + missed + unreached;
        let (low, high) = wilson(caught + timeout, all);
        table += &format!(
            "{}\t{caught}\t{timeout}\t{missed}\t{unreached}\t{}\t{:.1}\t{:.1} to {:.1}\n",
            package.unwrap_or("all"),
            count(Outcome::Unviable),
            100.0 * (caught + timeout) as f64 / all.max(1) as f64,
            100.0 * low,
            100.0 * high,
        );
    }
    table
}

/// Wilson's interval of 95 % for a share.
fn wilson(part: usize, all: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (share, all) = (part as f64 / all.max(1) as f64, all.max(1) as f64);
    let middle = share + Z * Z / (2.0 * all);
    let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let divisor = 1.0 + Z * Z / all;
    ((middle - half) / divisor, (middle + half) / divisor)
}
