//! `textcodec git-filter`, also with git itself, if there is one.

use std::{path::Path, process::Command};

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

#[test]
fn a_filter_of_git_converts_both_ways_without_a_loss() {
    let room = Room::new();
    for (label, bytes, text) in [
        ("shift_jis", &b"\x93\xFA\x96\x7B\r\n"[..], "日本\r\n"),
        ("windows-1252", b"caf\xE9 \x80\x81", "café €\u{81}"),
        ("utf-16le-bom", b"\xFF\xFEa\0\xE9\0", "aé"),
        ("utf-16be-bom", b"\xFE\xFF\0a\0\xE9", "aé"),
        ("utf-16be", b"\0a\0\xE9", "aé"),
        ("utf-8", "é".as_bytes(), "é"),
    ] {
        let clean = format!("git-filter clean --encoding {label} name");
        room.textcodec(&clean).write_stdin(bytes).assert().success().stdout(text).stderr("");
        let smudge = format!("git-filter smudge --encoding {label} name");
        room.textcodec(&smudge).write_stdin(text).assert().success().stdout(bytes).stderr("");
    }
}

#[test]
fn a_filter_of_git_refuses_what_would_not_come_back() {
    let room = Room::new();
    let refuse = |arguments: &str, bytes: &[u8], sentence: &'static str| {
        let mut command = room.textcodec(&format!("git-filter {arguments} old.txt"));
        command.write_stdin(bytes).assert().code(1).stdout("").stderr(contains("old.txt: ").and(contains(sentence)));
    };
    refuse("clean -f shift_jis", b"\x93", "Shift_JIS");
    refuse("clean -f shift_jis", b"a\xED\x40", "the first difference is at byte offset 1");
    refuse("clean -f windows-1252", "é".as_bytes(), "UTF-8 already");
    refuse("clean -f utf-16le", b"\xFF\xFEa\0", "utf-16le-bom");
    refuse("clean -f utf-16le-bom", b"\xFE\xFF\0a", "utf-16be-bom");
    refuse("clean -f utf-8", b"\xEF\xBB\xBFa", "would not come back");
    refuse("smudge -f shift_jis", "é".as_bytes(), "U+00E9");
    let as_it_is = "textcodec: old.txt: the stored file is no UTF-8, and is checked out as it is\n";
    let mut smudge = room.textcodec("git-filter smudge -f shift_jis old.txt");
    smudge.write_stdin(&b"\x93\xFA"[..]).assert().success().stdout(&b"\x93\xFA"[..]).stderr(as_it_is);
    for wrong in ["clean", "smudge", "textconv", "clean -f utf-7", "add"] {
        room.textcodec(&format!("git-filter {wrong}")).assert().code(2);
    }
}

#[test]
fn textconv_shows_every_file() {
    let room = Room::with([
        ("declared.xml", &b"<?xml version='1.0' encoding='windows-1251'?><a>\xCF</a>"[..]),
        ("old.txt", b"caf\xE9"),
        ("utf-16", b"\xFE\xFF\0a"),
    ]);
    let show = |arguments: &str, text: &'static [u8]| {
        room.textcodec(&format!("git-filter textconv {arguments}")).assert().success().stdout(text);
    };
    show("declared.xml", "<?xml version='1.0' encoding='windows-1251'?><a>П</a>".as_bytes());
    show("old.txt", b"caf\xE9");
    show("-f latin1 old.txt", "café".as_bytes());
    show("-f utf-8 old.txt", b"caf\\xE9");
    show("utf-16", b"a");
    room.textcodec("git-filter textconv missing").assert().code(1);
}

/// git with these arguments in the room; `None` if there is no git.
fn git(room: &Room, arguments: &[&str]) -> Option<(bool, String)> {
    let mut command = Command::new("git");
    command.current_dir(room.path("")).args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(arguments);
    // Nothing of the user's own settings takes part.
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("HOME", room.path(""));
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    let output = command.output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

#[test]
fn git_stores_utf_8_and_checks_out_the_old_encoding() {
    let old = b"\x93\xFA\x96\x7B\n";
    let attributes = b"*.txt filter=sjis diff=sjis\n*.rc filter=utf16 diff=any\n";
    let utf_16 = b"\xFE\xFF\0\xE9\0\n";
    let room = Room::with([("a.txt", &old[..]), (".gitattributes", attributes), ("b.rc", utf_16)]);
    if git(&room, &["init", "-q"]).is_none() {
        eprintln!("there is no git");
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_textcodec")).to_str().unwrap();
    let run = |arguments: &[&str]| {
        let (is_done, text) = git(&room, arguments).unwrap();
        assert!(is_done, "{arguments:?}: {text}");
        text
    };
    for (driver, label) in [("sjis", "shift_jis"), ("utf16", "utf-16be-bom")] {
        for action in ["clean", "smudge"] {
            let command = format!("'{program}' git-filter {action} --encoding {label} %f");
            run(&["config", &format!("filter.{driver}.{action}"), &command]);
        }
        run(&["config", &format!("filter.{driver}.required"), "true"]);
    }
    run(&["config", "diff.any.textconv", &format!("'{program}' git-filter textconv")]);
    run(&["add", "."]);
    run(&["commit", "-q", "-m", "one"]);
    assert_eq!(run(&["cat-file", "blob", "HEAD:a.txt"]), "日本\n");
    assert_eq!(run(&["cat-file", "blob", "HEAD:b.rc"]), "é\n");
    // A fresh checkout gives the same bytes, and git sees no change in them.
    for name in ["a.txt", "b.rc"] {
        std::fs::remove_file(room.path(name)).unwrap();
    }
    run(&["checkout", "-q", "."]);
    assert_eq!((room.read("a.txt"), room.read("b.rc")), (old.to_vec(), utf_16.to_vec()));
    assert_eq!(run(&["status", "--porcelain"]), "");
    room.write("a.txt", b"\x93\xFA\x97\xA7\n");
    let diff = run(&["diff", "--no-color"]);
    assert!(diff.contains("-日本\n+日立\n"), "{diff}");
    // A file that would not come back is not added.
    room.write("a.txt", b"\x93\n");
    let (is_done, text) = git(&room, &["add", "a.txt"]).unwrap();
    assert!(!is_done && text.contains("a.txt: ") && text.contains("Shift_JIS"), "{text}");
    assert_eq!(run(&["cat-file", "blob", ":a.txt"]), "日本\n");
}
