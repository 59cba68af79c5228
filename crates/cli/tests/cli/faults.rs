//! Faults around the program: each of its system calls fails, moves half of its bytes, is interrupted, is the last one
//! before SIGKILL, or comes after the same run has been made by another process. `faults/injector.c` makes the faults.
//!
//! Whatever happens, each file has its old content or its new content, nothing else is left, and the exit status is 0
//! only if all work is done. The next run completes the work.
//!
//! With `--features exhaustive`, each fault happens to each call in turn; otherwise to few of them. The variable
//! `TEXTCODEC_FAULTS=2/8` takes the second of eight parts of the jobs.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::Write as _,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use crate::room::Room;

/// A run of the program.
struct Job {
    /// The names and the contents of the files.
    files: Vec<(&'static str, Vec<u8>)>,
    arguments: &'static str,
    /// The text of standard input, which is a pipe.
    input: Vec<u8>,
    /// What the next run does after a fault.
    next: Next,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The same command completes the work.
    Completes,
    /// As `Completes`, and the old content of each file is somewhere at any time.
    KeepsOld,
    /// `names --undo` gives all files their old names, and each content is there once at any time.
    Undo,
    /// The command prints, or cannot be repeated.
    Nothing,
}

/// The contents of all files by their paths. Bytes that are not ASCII are escaped.
type Tree = BTreeMap<String, Vec<u8>>;

/// The result of a run.
struct Ran {
    status: i32,
    output: Vec<u8>,
    message: String,
    /// What the injector has written.
    report: String,
    tree: Tree,
}

/// A fault as the injector calls it, and the text of its error in messages.
type Fault = (&'static str, &'static str);

/// The errors of system calls. With "+", all later calls fail, too.
const ERRORS: [Fault; 7] = [
    ("ENOSPC", "No space left on device"),
    ("EIO", "Input/output error"),
    ("EACCES", "Permission denied"),
    ("EAGAIN", "Resource temporarily unavailable"),
    ("ENOSPC+", "No space left on device"),
    ("EIO+", "Input/output error"),
    ("EACCES+", "Permission denied"),
];

/// What a system may do at any time without an error.
const HARMLESS: [Fault; 2] = [("EINTR", ""), ("short", "")];

const KILL: [Fault; 1] = [("kill", "")];
const OTHER: [Fault; 1] = [("other", "")];

/// "тест" in windows-1251.
const WORD: &[u8] = b"\xF2\xE5\xF1\xF2\n";

/// An archive with one file of one byte, whose name is "é" in cp437.
const ARCHIVE: &[u8] = b"PK\x03\x04\x0A\0\0\0\0\0\0\0\0\0\xB7\xEF\xDC\x83\x01\0\0\0\x01\0\0\0\x01\0\0\0\x821\
    PK\x01\x02\x0A\0\x0A\0\0\0\0\0\0\0\0\0\xB7\xEF\xDC\x83\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x82\
    PK\x05\x06\0\0\0\0\x01\0\x01\0\x2F\0\0\0\x20\0\0\0\0\0";

/// A list for `names --undo` that has "e" as the new name of "é". The directory is that of the room.
const UNDO_LIST: &[u8] = b"# textcodec names, list for --undo: directory, old name and new name\n\
    /the/room\t\\xc3\\xa9\te\n/the/room\t\\xc3\\xa8\tf\n";

/// What stands for the path of the room in the content of files.
const ROOM: &str = "/the/room";

fn jobs() -> Vec<Job> {
    use Next::{Completes, KeepsOld, Nothing, Undo};

    let job = |files: &[(&'static str, &[u8])], arguments, input: &[u8], next| Job {
        files: files.iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect(),
        arguments,
        input: input.to_vec(),
        next,
    };
    // The new file starts with a copy of what does not change.
    let long = [b"plain\n".repeat(15_000), WORD.repeat(20_000)].concat();
    let files: &[(&str, &[u8])] = &[("in/a", WORD), ("in/b", b"plain\n"), ("in/c/d", WORD)];
    let many = ["in/1", "in/2", "in/3", "in/4", "in/5", "in/6"].map(|name| (name, WORD));
    let page: &[u8] = b"<meta charset=windows-1251>\xF2\xE5\xF1\xF2\n";
    let garbled: &[u8] = "plain\ncafÃ© donâ€™t\n".as_bytes();
    let names: &[(&str, &[u8])] = &[("d/\u{E9}", b"1"), ("\u{E8}/\u{E9}", b"2")];
    let mut jobs = vec![
        job(&[("a", &long)], "convert -f windows-1251 -i -j 1 --keep-time a", b"", Completes),
        job(files, "convert -f windows-1251 -i -r -j 1 --suffix .orig in", b"", KeepsOld),
        job(&[("a", &long), ("out", b"old")], "convert -f windows-1251 -j 1 a -o out", b"", Completes),
        job(files, "convert -f windows-1251 -r -j 1 --output-dir out in", b"", KeepsOld),
        job(names, "names -f utf-8 -t latin1 --apply d \u{E8}", b"", Undo),
        job(&[("a", garbled)], "repair -i a", b"", Completes),
        job(&[("a", b"\xEF\xBB\xBFa \r\nb\n"), ("b", b"a\n")], "check --fix --deny all -j 1 a b", b"", Completes),
        job(&many, "convert -f windows-1251 -i -r -j 1 in", b"", Completes),
        job(files, "convert -f windows-1251 -i -r -v -j 2 in", b"", Completes),
        job(&[("a", &long)], "convert -f windows-1251 -j 1 a", b"", Nothing),
        job(&[("a", WORD)], "convert -f windows-1251 -j 1 a -o new --report list", b"", KeepsOld),
        job(&[("a.zip", ARCHIVE)], "names -f cp437 --zip a.zip --output out.zip", b"", KeepsOld),
        job(files, "convert -f windows-1251 -t koi8-r -i -r -j 1 --suffix .orig in", b"", Nothing),
        job(files, "convert -f windows-1251 -r -j 2 --output-dir out/deep in", b"", KeepsOld),
        job(&[("a", page)], "convert -f auto -i -j 1 --declarations update a", b"", Completes),
        job(
            &[("a", "é\u{4E00}".as_bytes())],
            "convert -t windows-1252 --errors html -j 1 a -i --report list",
            b"",
            Nothing,
        ),
        job(&[], "convert -f windows-1251 -j 1", WORD, Nothing),
        job(&[], "convert -f auto --fallback windows-1251", WORD, Nothing),
        job(&[], "convert -f windows-1251 -j 1 -o out", WORD, Nothing),
        job(&[("a", WORD)], "convert -f windows-1251 -j 1 -o a a", b"", Nothing),
        job(&[("a", garbled)], "repair --guess a -o out", b"", KeepsOld),
        job(&[], "repair", garbled, Nothing),
        job(&[("a", b"a\r\nb\n\xFF")], "check --sarif -j 1 a", b"", Nothing),
        job(&[("a", WORD)], "iconv -f CP1251 -t UTF-8 a -o a", b"", Nothing),
        job(&[("a", WORD)], "iconv -f CP1251 -t UTF-8 a", b"", Nothing),
        job(&[], "iconv -f CP1251 -t UTF-8", WORD, Nothing),
        job(&[], "git-filter clean --encoding windows-1251", WORD, Nothing),
        job(&[], "git-filter smudge --encoding windows-1251", "тест\n".as_bytes(), Nothing),
        job(&[("a", WORD)], "git-filter textconv --encoding windows-1251 a", b"", Nothing),
        job(&[], "git-filter textconv -", WORD, Nothing),
        job(names, "names -f utf-8 -t latin1 --apply --undo-list list d/\u{E9}", b"", Undo),
        job(&[("e", b"1"), ("f", b"2"), ("list", UNDO_LIST)], "names --undo list", b"", KeepsOld),
        job(&[("a", WORD)], "sniff a", b"", Nothing),
        job(&[("a", WORD)], "show -f windows-1251 a", b"", Nothing),
    ];
    if cfg!(feature = "exhaustive") {
        // Is written by a thread of its own, and by several threads.
        let long = WORD.repeat(1 << 20);
        jobs.push(job(&[("a", &long)], "convert -f windows-1251 a -j 2 -o out", b"", KeepsOld));
        jobs.push(job(&[("a", &long)], "convert -f windows-1251 -i a -j 1", b"", Completes));
    }
    jobs
}

/// The injector, which is compiled once; `None` if this machine cannot run it.
fn injector() -> Option<&'static Path> {
    static INJECTOR: OnceLock<Option<PathBuf>> = OnceLock::new();
    let make = || {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/faults/injector.c");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("injector-{}", std::process::id()));
        if !Command::new("cc").args([source, "-o"]).arg(&program).status().ok()?.success() {
            return None;
        }
        let traced = Command::new(&program).args(["none", "0", "/dev/null", "/bin/sh", "-c", "exit 7"]).status();
        (traced.ok()?.code() == Some(7)).then_some(program)
    };
    let injector = INJECTOR.get_or_init(make).as_deref();
    if injector.is_none() {
        eprintln!("Not checked: faults of system calls. They need x86-64, a C compiler, and leave to trace a process.");
    }
    injector
}

fn tree(room: &Room) -> Tree {
    fn add(directory: &Path, path: &str, tree: &mut Tree) {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{path}{}", entry.file_name().as_bytes().escape_ascii());
            if entry.file_type().unwrap().is_dir() {
                add(&entry.path(), &(path + "/"), tree);
            } else {
                tree.insert(path, fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut tree = Tree::new();
    add(&room.path(""), "", &mut tree);
    let place = place(room);
    for content in tree.values_mut().filter(|content| content.starts_with(b"# textcodec names")) {
        *content = String::from_utf8(content.clone()).unwrap().replace(&place, ROOM).into_bytes();
    }
    tree
}

/// The path of the room, as lists for --undo have it.
fn place(room: &Room) -> String {
    fs::canonicalize(room.path("")).unwrap().into_os_string().into_string().unwrap()
}

fn is_list(path: &str) -> bool {
    path == "list" || path.ends_with(".undo")
}

fn is_leftover(path: &str) -> bool {
    path.contains(".textcodec-") && path.ends_with(".tmp")
}

impl Job {
    fn room(&self) -> Room {
        let room = Room::new();
        for (name, bytes) in &self.files {
            match *bytes == UNDO_LIST {
                true => {
                    let list = str::from_utf8(UNDO_LIST).unwrap().replace(ROOM, &place(&room));
                    room.write(name, list.as_bytes());
                }
                false => room.write(name, bytes),
            }
        }
        room
    }

    /// Runs the job in `room`, with these arguments of the injector.
    fn run(&self, room: &Room, fault: &str, number: &str) -> Ran {
        let report = Room::new();
        let mut command = Command::new(injector().unwrap());
        command.args([fault, number]).arg(report.path("report")).arg(env!("CARGO_BIN_EXE_textcodec"));
        command.current_dir(room.path("")).args(self.arguments.split_whitespace());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program may have ended already. A pipe holds more bytes than any input here has.
        let _ = child.stdin.take().unwrap().write_all(&self.input);
        let output = child.wait_with_output().unwrap();
        Ran {
            status: output.status.code().unwrap(),
            output: output.stdout,
            message: String::from_utf8_lossy(&output.stderr).into_owned(),
            // A path need not be UTF-8.
            report: String::from_utf8_lossy(&fs::read(report.path("report")).unwrap_or_default()).into_owned(),
            tree: tree(room),
        }
    }

    /// Whether a message tells the name of a file, a directory or a stream of the job.
    fn tells_place(&self, before: &Tree, clean: &Tree, message: &str) -> bool {
        let files = before.keys().chain(clean.keys()).map(String::as_str);
        // The directory of a file is a place, too.
        let arguments = self.arguments.split([' ', '/']).skip(1).filter(|argument| !argument.starts_with('-'));
        files.chain(arguments).chain(["standard ", ".undo", ".textcodec-check"]).any(|name| message.contains(name))
    }

    /// What is wrong after a fault. `clean` is the run without a fault.
    fn faults(&self, before: &Tree, clean: &Ran, ran: &Ran, (fault, error): Fault, persists: bool) -> Vec<String> {
        let mut wrong = Vec::new();
        let (is_killed, is_other) = (fault == "kill", fault == "other");
        let has_failed = ran.status != clean.status;
        // A temporary file may stay only after a kill, or if it cannot be removed and a message names it.
        let cannot_remove = persists || ran.report.starts_with("unlink");
        let may_stay =
            |path: &String| is_leftover(path) && (is_killed || cannot_remove && ran.message.contains(path.as_str()));
        let tree: Tree = ran.tree.clone().into_iter().filter(|(path, _)| !may_stay(path)).collect();
        if !has_failed && (tree != clean.tree || ran.output != clean.output && !is_other) {
            wrong.push("the exit status says that the work is done".to_owned());
        }
        if is_killed != (ran.status == 137) || ran.status > 2 && !is_killed || ran.message.contains("panicked") {
            wrong.push(format!("the exit status is {}", ran.status));
        }
        if is_other && self.next != Next::Undo && ran.tree != clean.tree {
            wrong.push("two runs have not done the work of one".to_owned());
        }
        if has_failed && HARMLESS.contains(&(fault, error)) {
            wrong.push("the program gives up".to_owned());
        }
        if !has_failed && !error.is_empty() && ran.report.starts_with("fsync") {
            wrong.push("an error that comes late is not told".to_owned());
        }
        // Nothing is left to tell that messages cannot be written.
        if has_failed && !is_killed && ran.report != "write 2\n" {
            if !ran.message.contains(error) {
                wrong.push(format!("no message says \"{error}\""));
            }
            if !self.tells_place(before, &clean.tree, &ran.message) {
                wrong.push("no message names a place".to_owned());
            }
        }
        if self.next == Next::Nothing && !clean.output.starts_with(&ran.output) && clean.status == 0 {
            wrong.push("standard output has other text".to_owned());
        }
        for (path, content) in &tree {
            let is_known = [before.get(path), clean.tree.get(path)].contains(&Some(content));
            // A report, or a list of names, about a part of the files.
            let is_part = is_list(path) && clean.tree.contains_key(path) && !is_killed;
            if !is_known && !is_part && self.next != Next::Undo {
                wrong.push(format!("{path} has {} bytes, which are neither the old nor the new ones", content.len()));
            }
        }
        if let Some(path) = before.keys().find(|path| clean.tree.contains_key(*path) && !ran.tree.contains_key(*path)) {
            wrong.push(format!("{path} is lost"));
        }
        for (path, content) in before.iter().filter(|_| matches!(self.next, Next::KeepsOld | Next::Undo)) {
            let number = ran.tree.values().filter(|other| *other == content).count();
            if number == 0 || number > 1 && self.next == Next::Undo {
                wrong.push(format!("the content of {path} is there {number} times"));
            }
        }
        wrong
    }

    /// What is wrong after the next run, which happens in `room` after `ran`.
    fn faults_of_next(&self, room: &Room, before: &Tree, clean: &Ran, ran: &Ran, is_named: bool) -> Vec<String> {
        let mut wrong = Vec::new();
        match self.next {
            Next::Completes | Next::KeepsOld if ran.tree != clean.tree => {
                let mut next = self.run(room, if is_named { "named" } else { "none" }, "0");
                // Without unnamed files, only runs in place remove what runs before them have left.
                next.tree.retain(|path, _| !(is_named && is_leftover(path)));
                if next.tree != clean.tree || next.status != 0 {
                    wrong.push(format!("the next run does not complete the work: {:?}", next.message));
                }
            }
            Next::Undo => {
                let lists = ran.tree.keys().filter(|path| is_list(path));
                for list in lists.rev() {
                    let output = room.textcodec(&format!("names --undo {list}")).output().unwrap();
                    if !output.status.success() {
                        wrong.push(format!("--undo {list} fails: {}", String::from_utf8_lossy(&output.stderr)));
                    }
                    fs::remove_file(room.path(list)).unwrap();
                }
                if tree(room).keys().filter(|path| !is_leftover(path)).ne(before.keys()) {
                    wrong.push(format!("the names after --undo: {:?}", tree(room).keys()));
                }
            }
            _ => {}
        }
        wrong
    }
}

/// The number of jobs that the tests run without `--features exhaustive`. They write files in each of the ways that the
/// program has.
const FEW: usize = 12;

/// The number of the part of the jobs that the tests run, from 1 on, and the number of parts.
fn part() -> (usize, usize) {
    let Ok(text) = std::env::var("TEXTCODEC_FAULTS") else { return (1, 1) };
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    numbers.filter(|&(part, of)| (1..=of).contains(&part)).expect("TEXTCODEC_FAULTS is a part and a number, as in 2/8")
}

/// A job, its files before the run, and the run without a fault.
struct Case {
    job: Job,
    before: Tree,
    clean: Ran,
}

/// What is wrong after faults, and the number of faults.
#[derive(Default)]
struct Findings {
    text: String,
    injected: usize,
}

impl Case {
    fn new(job: Job) -> Self {
        let (before, clean) = (tree(&job.room()), job.run(&job.room(), "none", "0"));
        assert!(clean.status <= 1, "{}: {}", job.arguments, clean.message);
        assert!(job.next == Next::Nothing || clean.tree != before, "{}: no file changes", job.arguments);
        Case { job, before, clean }
    }

    /// The cases of this run of the tests.
    fn all() -> &'static [Self] {
        static CASES: OnceLock<Vec<Case>> = OnceLock::new();
        let number = if cfg!(feature = "exhaustive") { usize::MAX } else { FEW };
        let (part, of) = part();
        CASES.get_or_init(|| jobs().into_iter().take(number).skip(part - 1).step_by(of).map(Case::new).collect())
    }

    /// The number of calls to which a fault can happen.
    fn count(&self, fault: &str) -> usize {
        let mut lines = self.clean.report.lines();
        let count = lines.find_map(|line| line.strip_prefix(fault)?.trim().strip_suffix(" calls")?.parse().ok());
        count.expect("the injector counts all faults")
    }

    /// Lets the fault happen to the call with this number. `false` if there are fewer calls. `only` is the name of the
    /// calls that count, after ",=", or nothing.
    fn inject(
        &self,
        (words, error): Fault,
        only: &str,
        number: usize,
        is_named: bool,
        findings: &mut Findings,
    ) -> bool {
        let Case { job, before, clean } = self;
        let fault = words.trim_end_matches('+');
        let plus = &words[fault.len()..];
        let room = job.room();
        let named = if is_named { ",named" } else { "" };
        let ran = job.run(&room, &format!("{fault}{only}{named}"), &format!("{number}{plus}"));
        if ran.report.contains(" calls\n") {
            return false;
        }
        let Ran { status, message, .. } = &ran;
        assert_ne!(ran.report, "", "the injector has failed: {} {words} {number} {status} {message}", job.arguments);
        findings.injected += 1;
        let mut found = job.faults(before, clean, &ran, (fault, error), plus == "+");
        found.extend(job.faults_of_next(&room, before, clean, &ran, is_named));
        for found in found {
            let (place, message, job) = (ran.report.trim_end(), &ran.message, job.arguments);
            let text = format!("{job}: {words}{named} at call {number} ({place}): {found}; {message:?}");
            // With --nocapture, long runs tell what they find at once.
            eprintln!("{text}");
            let _ = writeln!(findings.text, "{text}");
        }
        true
    }
}

impl Findings {
    fn assert_none(&self, least: usize) {
        assert!(self.text.is_empty(), "{} findings:\n{}", self.text.lines().count(), self.text);
        assert!(self.injected >= least, "only {} faults have happened", self.injected);
    }
}

/// Lets each of `faults` happen to each job: to each call in turn, or to few calls that are spread over the run.
fn inject(faults: &[Fault]) {
    if injector().is_none() {
        return;
    }
    let mut findings = Findings::default();
    for (index, case) in Case::all().iter().enumerate() {
        // A second run of some commands does other things, and would read the end of standard input.
        let is_repeatable = case.job.next != Next::Nothing && case.job.input.is_empty();
        // The sample has one of the faults for each job in turn.
        let faults = if cfg!(feature = "exhaustive") { faults } else { &faults[index % faults.len()..][..1] };
        for &fault in faults.iter().filter(|(fault, _)| *fault != "other" || is_repeatable) {
            if cfg!(feature = "exhaustive") {
                // A run over megabytes has hundreds of calls that are alike.
                let step = if case.job.files.iter().any(|(_, content)| content.len() > 1 << 20) { 37 } else { 1 };
                for is_named in [false, true] {
                    (1..)
                        .step_by(step)
                        .take_while(|&number| case.inject(fault, "", number, is_named, &mut findings))
                        .for_each(drop);
                }
                continue;
            }
            let count = case.count(fault.0);
            let each = if index < 4 { 2 } else { 1 };
            for part in 0..each.min(count) {
                // Most jobs write near their end.
                let number = count - (part * count / each + index % 3).min(count - 1);
                case.inject(fault, "", number, (index + part) % 3 == 0, &mut findings);
            }
        }
    }
    findings.assert_none(Case::all().len() / 2);
}

#[test]
fn a_system_call_that_fails_leaves_every_file_old_or_new() {
    let faults = if cfg!(feature = "exhaustive") { &ERRORS[..] } else { &ERRORS[..2] };
    inject(faults);
}

#[test]
fn calls_that_are_interrupted_or_move_fewer_bytes_change_no_result() {
    inject(if cfg!(feature = "exhaustive") { &HARMLESS } else { &HARMLESS[1..] });
}

#[test]
fn the_next_run_completes_what_a_killed_run_has_begun() {
    inject(&KILL);
}

#[test]
fn a_run_within_the_same_run_loses_nothing_and_converts_nothing_twice() {
    inject(&OTHER);
}

/// Calls that were handled wrongly once, or that the sample of the other tests need not reach.
#[test]
fn calls_that_are_known_for_faults_are_handled() {
    if injector().is_none() {
        return;
    }
    let mut findings = Findings::default();
    for (arguments, fault, only) in [
        // A panic: no other thread could be made.
        ("convert -f windows-1251 -i -r -v -j 2 in", ERRORS[3], ",=clone3"),
        // Standard output was closed.
        ("iconv -f CP1251 -t UTF-8", ERRORS[1], ",=statx"),
        // The start of a new file is a copy.
        ("convert -f windows-1251 -i -j 1 --keep-time a", ERRORS[0], ",=write"),
        // Reading is taken up again.
        ("convert -f windows-1251 -j 1", HARMLESS[0], ",=read"),
        // The unreadable text was printed as it was.
        ("git-filter textconv --encoding windows-1251 a", ERRORS[1], ",=read"),
        // Half of the list was left, which made the next run fail.
        ("names -f utf-8 -t latin1 --apply --undo-list list d/\u{E9}", KILL[0], ",=write"),
        // The message named no directory.
        ("names -f utf-8 -t latin1 --apply --undo-list list d/\u{E9}", ERRORS[1], ",=getdents64"),
        // No message named the temporary file.
        ("convert -f windows-1251 -j 1 a -o out", ERRORS[5], ",=rename"),
        // The next run left the temporary file.
        ("convert -f windows-1251 -j 1 a -o out", KILL[0], ",=rename"),
    ] {
        let made;
        let case = match Case::all().iter().find(|case| case.job.arguments == arguments) {
            Some(case) => case,
            None => {
                made = Case::new(jobs().into_iter().find(|job| job.arguments == arguments).unwrap());
                &made
            }
        };
        let before = findings.injected;
        (1..).take_while(|&number| case.inject(fault, only, number, false, &mut findings)).for_each(drop);
        assert!(findings.injected > before, "{arguments}: no call is {only}");
    }
    findings.assert_none(9);
}

/// What another program writes while the new file is made must not be lost.
#[test]
fn a_file_that_another_program_changes_in_the_meantime_keeps_the_change() {
    let Some(injector) = injector() else { return };
    for (content, arguments) in [
        (WORD, "convert -f windows-1251 -i a"),
        (WORD, "convert -f windows-1251 a -o a"),
        (WORD, "iconv -f CP1251 -t UTF-8 a -o a"),
        ("donâ€™t\n".as_bytes(), "repair -i a"),
        ("donâ€™t\n".as_bytes(), "repair a -o a"),
        (b"a \r\nb\n", "check --fix --deny all a"),
        (ARCHIVE, "names --zip a --from cp437 -o a"),
    ] {
        let room = Room::with([("a", content)]);
        let report = Room::new();
        let mut command = Command::new(injector);
        command.args(["other,=fsync", "1"]).arg(report.path("report")).arg(env!("CARGO_BIN_EXE_textcodec"));
        command.current_dir(room.path("")).env("OTHER", "echo more >> a").args(arguments.split_whitespace());
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("another program has changed the file in the meantime"), "{arguments}: {message}");
        assert_ne!(output.status.code(), Some(0), "{arguments}");
        assert_eq!(room.read("a"), [content, b"more\n"].concat(), "{arguments}");
        assert_eq!(room.names(), ["a"], "{arguments}");
    }
}

/// The first link of the run is the second name of the old file, and the next one gives the new file its name.
#[test]
fn the_old_file_is_copied_where_it_can_get_no_second_name() {
    let Some(injector) = injector() else { return };
    let (room, report) = (Room::with([("a", WORD)]), Room::new());
    let mut command = Command::new(injector);
    command.args(["EACCES,=linkat", "1"]).arg(report.path("report")).arg(env!("CARGO_BIN_EXE_textcodec"));
    command.args(["convert", "-f", "windows-1251", "-i", "--suffix", ".orig", "a"]);
    let output = command.current_dir(room.path("")).output().unwrap();
    assert!(output.status.success() && report.read("report").starts_with(b"linkat "), "{output:?}");
    assert_eq!(room.names(), ["a", "a.orig"]);
    assert_eq!((room.read("a"), room.read("a.orig")), ("тест\n".as_bytes().to_vec(), WORD.to_vec()));
}
