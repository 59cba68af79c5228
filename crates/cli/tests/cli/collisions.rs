//! No file that is read, or that another part of a run writes, is written over.

use std::{
    fs,
    os::unix::fs::symlink,
    process::{Command, Output},
};

use crate::{
    names_zip::{archive, entry},
    room::Room,
};
use predicates::str::contains;

/// "café" in windows-1252, which is malformed in UTF-8.
pub(crate) const LEGACY: &[u8] = b"caf\xE9";

/// Runs `script` in the shell with `$textcodec` as the program. Each process may write at most 1 MiB to a file and run
/// for a minute, so that an endless run fails the test.
pub(crate) fn shell(room: &Room, script: &str) -> Output {
    let mut command = Command::new("sh");
    let program = format!("timeout 60 {}", env!("CARGO_BIN_EXE_textcodec"));
    command.current_dir(room.path("")).env("textcodec", program);
    command.args(["-c", &format!("ulimit -f 2048; {script}")]).output().unwrap()
}

#[test]
fn a_report_overwrites_neither_an_input_nor_the_output() {
    for (script, message) in [
        ("-i -r --report tree/a tree", "--report tree/a would overwrite the input file tree/a; nothing was written"),
        ("-i --report tree/../tree/a tree/a", "would overwrite the input file tree/a"),
        ("-i --report link tree/a", "would overwrite the input file tree/a"),
        ("-i --break-hard-links --report hard tree/a", "--report hard would overwrite the input file tree/a"),
        ("-i tree/link --report tree/a", "--report tree/a would overwrite the input file tree/link"),
        ("-i -n -r --report tree/a tree", "would overwrite the input file tree/a"),
        ("-i --suffix .orig --report tree/a.orig tree/a", "the copy of tree/a under --suffix would be written"),
        ("-i --suffix .orig --report tree/a.orig link", "the copy of link under --suffix would be written"),
        (
            "-r --output-dir new --report new/sub/b tree",
            "--report new/sub/b and the text of tree/sub/b would be written",
        ),
        ("-r --output-dir out --report out/./sub/b tree", "and the text of tree/sub/b would be written"),
        ("-r --output-dir out --report tree/sub/b tree", "would overwrite the input file tree/sub/b"),
        ("--report tree/a tree/a", "would overwrite the input file tree/a"),
        ("--report hard tree/a tree/sub/b -o new", "would overwrite the input file tree/a"),
        ("--report ./new -o new tree/a", "--report ./new and --output new would be written to the same file"),
        ("--report old -o tree/../old tree/a", "--report old and --output tree/../old would be written"),
        ("--report dangling -o new tree/a", "--report dangling and --output new would be written"),
        ("--report tree/a < tree/a", "--report tree/a would overwrite the input file standard input"),
        ("--report ./new tree/a > new", "--report ./new and standard output would be written to the same file"),
        ("--report - tree/a > new", "--report - and standard output would be written to the same file"),
        ("--report /dev/stdout tree/a > new", "--report /dev/stdout and standard output would be written"),
        ("-i -v --report new tree/a > new", "--report new and standard output would be written"),
    ] {
        let room = Room::with([("tree/a", LEGACY), ("tree/sub/b", LEGACY), ("old", b"old")]);
        fs::hard_link(room.path("tree/a"), room.path("hard")).unwrap();
        fs::create_dir_all(room.path("out/sub")).unwrap();
        for (target, link) in [("tree/a", "link"), ("a", "tree/link"), ("new", "dangling")] {
            symlink(target, room.path(link)).unwrap();
        }
        let before = room.tree();
        let output = shell(&room, &format!("$textcodec convert --from utf-8 --errors replacement {script}"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(message), "{script}: {error}");
        assert!(error.ends_with("nothing was written\n"), "{script}: {error}");
        let left: Vec<_> = room.tree().into_iter().filter(|name| name != "new").collect();
        assert_eq!(left, before, "{script}");
        assert!(fs::read(room.path("new")).is_ok_and(|text| text.is_empty()) || !room.path("new").exists(), "{script}");
        for (name, text) in [("tree/a", LEGACY), ("tree/sub/b", LEGACY), ("hard", LEGACY), ("old", b"old")] {
            assert_eq!(room.read(name), text, "{script}");
        }
    }
}

#[test]
fn messages_are_not_written_to_a_file_that_is_replaced() {
    for (script, option) in [
        ("convert -f latin1 a -o log", "--output log"),
        ("convert -f latin1 a --report ./log", "--report ./log"),
        ("convert -f latin1 -i a --report log", "--report log"),
        ("convert -f latin1 -i a --report /dev/stderr", "--report /dev/stderr"),
        ("iconv -f latin1 -t utf-8 a -o log", "--output log"),
        ("repair a -o log", "--output log"),
    ] {
        let room = Room::with([("a", LEGACY)]);
        let output = shell(&room, &format!("$textcodec {script} 2> log > /dev/null"));
        let error = String::from_utf8(room.read("log")).unwrap();
        let message = format!("{option} and standard error would be written to the same file");
        let status = if script.starts_with("iconv") { 1 } else { 2 };
        assert!(output.status.code() == Some(status) && error.contains(&message), "{script}: {error}");
        assert_eq!(room.read("a"), LEGACY);
    }
    let room = Room::with([("a", &archive(&[entry(b"caf\x82")], b"", false)[..])]);
    let output = shell(&room, "$textcodec names --zip a --from cp850 -o log 2> log");
    let error = String::from_utf8(room.read("log")).unwrap();
    let message = "--output log and standard error would be written to the same file";
    assert!(output.status.code() == Some(2) && error.contains(message), "{error}");
}

#[test]
fn a_report_goes_to_devices_and_other_files() {
    for arguments in [
        "-i -r tree --report /dev/null",
        "-i -r tree --report tree/list",
        "-i -r tree --report /dev/stdout -v > lines",
        "-i -r tree --report /dev/stderr 2> /dev/null",
        "-r tree --output-dir out --report out/list",
        "-r tree --output-dir out --report list > list.txt",
        "tree/a -o tree/a --report list",
        "tree/a -o /dev/null --report /dev/null",
        "tree/a --report - | cat > text",
        "tree/a --report - > /dev/null",
        "tree/a -o text --report - > list",
    ] {
        let room = Room::with([("tree/a", LEGACY), ("out/old", b"")]);
        let output = shell(&room, &format!("$textcodec convert --errors replacement {arguments}"));
        assert!(output.status.success(), "{arguments}: {output:?}");
        // The status of a pipeline is that of its last program.
        assert!(!String::from_utf8_lossy(&output.stderr).contains("the same file"), "{arguments}: {output:?}");
    }
    // The list of an earlier run is not one of the files that are found now.
    let room = Room::with([("tree/a", LEGACY)]);
    let run = || room.textcodec("convert --errors replacement -i -r tree --report tree/list");
    run().assert().success();
    run().assert().code(2).stderr(contains("--report tree/list would overwrite the input file tree/list"));
    assert!(String::from_utf8(room.read("tree/list")).unwrap().starts_with("tree/a:1:4: "));
}

#[test]
fn an_output_directory_overwrites_no_other_input() {
    let room = Room::with([("out/sub/x", LEGACY), ("tree/sub/x", b"other")]);
    let mut command = room.textcodec("convert -f latin1 -r out/sub tree --output-dir out");
    let message = "the text of tree/sub/x would overwrite the input file out/sub/x at out/sub/x; nothing was written";
    command.assert().code(2).stderr(contains(message));
    assert_eq!(room.read("out/sub/x"), LEGACY);
    assert_eq!(room.tree(), ["out/sub/x", "tree/sub/x"]);
    // Two paths in the output directory lead to one.
    let room = Room::with([("tree/a/x", LEGACY), ("tree/b/x", b"other"), ("out/a/x", b"old")]);
    symlink("a", room.path("out/b")).unwrap();
    let mut command = room.textcodec("convert -f latin1 -r tree --output-dir out");
    let message = "the text of tree/b/x and the text of tree/a/x would both be written to out/b/x; nothing was written";
    command.assert().code(2).stderr(contains(message));
    assert_eq!(room.read("out/a/x"), b"old");
    // Hard links are names of their own.
    let room = Room::with([("tree/a", b"1"), ("tree/b", b"2"), ("out/a", b"old")]);
    fs::hard_link(room.path("out/a"), room.path("out/b")).unwrap();
    room.textcodec("convert -r tree --output-dir out").assert().success();
    assert_eq!((room.read("out/a"), room.read("out/b")), (b"1".to_vec(), b"2".to_vec()));
}

#[test]
fn a_run_does_not_read_what_it_writes() {
    // Each line about the file "list" would be one more line to read.
    for script in ["check -r . > list", "check -r . > list 2>&1", "check -r ../tree > list"] {
        let room = Room::new();
        fs::create_dir(room.path("tree")).unwrap();
        (0..100).for_each(|number| room.write(&format!("tree/é{number}"), LEGACY));
        let output = shell(&room, &format!("cd tree; $textcodec {script}"));
        assert_eq!(output.status.code(), Some(1), "{script}: {output:?}");
        let list = String::from_utf8(room.read("tree/list")).unwrap();
        assert!(list.lines().filter(|line| line.contains("error: ")).count() == 100, "{script}: {list}");
    }
    let room = Room::with([("tree/a", LEGACY), ("tree/log", LEGACY)]);
    let output = shell(&room, "$textcodec convert -f latin1 -i -r -v tree >> tree/log; cat tree/log >&2");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("1 skipped (1 written by this run)"), "{message}");
    assert!(room.read("tree/log").starts_with(LEGACY) && message.contains("tree/a: converted"), "{message}");
    for (script, stream) in [
        ("check log >> log", "standard output"),
        ("check - < log >> log", "standard output"),
        ("show log >> log", "standard output"),
        ("show < log >> log", "standard output"),
        ("repair -i -n log >> log", "standard output"),
        ("convert -f latin1 -i log 2>> log", "standard error"),
        ("iconv -f latin1 -t utf-8 -i log 2>> log", "standard error"),
        ("convert -f latin1 log --output-dir out 2>> log", "standard error"),
    ] {
        let room = Room::with([("log", LEGACY)]);
        let output = shell(&room, &format!("$textcodec {script}"));
        let text = room.read("log");
        let message = String::from_utf8_lossy(&[&*text, &output.stderr].concat()).into_owned();
        assert!(message.contains(&format!("{stream} is written to this file")), "{script}: {message}");
        assert!(!output.status.success() && text.starts_with(LEGACY), "{script}: {message}");
    }
}

#[test]
fn text_and_messages_may_be_written_to_one_file_through_both_streams() {
    for script in ["convert -f latin1 a -o -", "iconv -f latin1 -t utf-8 a -o -", "repair b -o /dev/stdout"] {
        let room = Room::with([("a", LEGACY), ("b", "cafÃ©".as_bytes())]);
        let output = shell(&room, &format!("$textcodec {script} > log 2>&1"));
        let log = String::from_utf8(room.read("log")).unwrap();
        assert!(output.status.success() && log.starts_with("café"), "{script}: {log}");
    }
}
