//! `textcodec check`: the problems of files, in lines and in JSON.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

#[test]
fn all_malformed_bytes_are_listed_with_their_places() {
    let room = Room::with([("a.txt", b"ab\xFFc\nd\xC3\n\xE2\x98".as_slice()), ("good", "é☃".as_bytes())]);
    let lines = "a.txt:1:3: error: byte offset 2: not UTF-8: FF [malformed]\na.txt:2:2: error: byte offset 6: not UTF-8: C3 [malformed]\n\
                 a.txt:3:1: error: byte offset 8: not UTF-8: E2 98 [malformed]\n";
    room.textcodec("check good a.txt").assert().code(1).stdout(lines).stderr("");
    room.textcodec("check --quiet good a.txt").assert().code(1).stdout("").stderr("");
    room.textcodec("check good").assert().code(0).stdout("").stderr("");
    room.textcodec("check --encoding windows-1252 a.txt").assert().code(0).stdout("");
    room.textcodec("check").write_stdin(&b"\xFF"[..]).assert().code(1).stdout(contains("standard input:1:1: error: "));
    // A note before an error decides nothing.
    let room = Room::with([("both", b"\xEF\xBB\xBF\xFF".as_slice()), ("note", b"\xEF\xBB\xBFa")]);
    room.textcodec("check --quiet both").assert().code(1).stdout("").stderr("");
    room.textcodec("check --quiet note").assert().code(0).stdout("").stderr("");
}

#[test]
fn the_limit_holds_for_each_file() {
    let room = Room::with([("a", b"\xFF\xFF\xFF".as_slice()), ("b", b"\xFF\xFF")]);
    let more = "1:1: note: this file can have more problems (see --limit) [limit]";
    let lines = format!(
        "a:1:1: error: byte offset 0: not UTF-8: FF [malformed]\na:1:2: error: byte offset 1: not UTF-8: FF [malformed]\na:{more}\n\
         b:1:1: error: byte offset 0: not UTF-8: FF [malformed]\nb:1:2: error: byte offset 1: not UTF-8: FF [malformed]\n"
    );
    room.textcodec("check --limit 2 a b").assert().code(1).stdout(lines);
}

#[test]
fn characters_that_the_target_does_not_have_are_errors_at_their_bytes() {
    // "я☆𝄞" in gb18030, and a line before it that is longer than a buffer.
    let long = [&b"\xA7\xF1".repeat(50_000)[..], b"\n\xA7\xF1\xA1\xEE\x94\x32\xBE\x34"].concat();
    let room = Room::with([("a", &long)]);
    let lines = "a:2:2: error: byte offset 100003: KOI8-R has no U+2606 (☆) [unmappable]\n\
                 a:2:3: error: byte offset 100005: KOI8-R has no U+1D11E (𝄞) [unmappable]\n";
    room.textcodec("check -f gb18030 --to koi8-r a").assert().code(1).stdout(lines);
    room.textcodec("check -f gb18030 --to utf-16le a").assert().code(0).stdout("");
    // A sequence that the end of a buffer cuts: 65535 bytes, then "é" and "☃" in UTF-8.
    let cut = [&b"a".repeat(65_535)[..], "é☃".as_bytes()].concat();
    let room = Room::with([("a", &cut)]);
    let lines = "a:1:65536: error: byte offset 65535: KOI8-R has no U+00E9 (é) [unmappable]\n\
                 a:1:65537: error: byte offset 65537: KOI8-R has no U+2603 (☃) [unmappable]\n";
    room.textcodec("check --to koi8-r a").assert().code(1).stdout(lines);
    // Big5 has pairs of bytes for two characters.
    let room = Room::with([("a", b"a\x88\x62\x88\x62")]);
    let output = room.textcodec("check -f big5 --to koi8-r a").assert().code(1).get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    let offsets: Vec<_> =
        output.lines().map(|line| line.split("offset ").nth(1).unwrap().chars().next().unwrap()).collect();
    assert_eq!(offsets, ['1', '1', '3', '3'], "{output}");
}

#[test]
fn a_byte_order_mark_is_a_note_or_an_error() {
    let room = Room::with([("utf-8", b"\xEF\xBB\xBFa".as_slice()), ("utf-16", b"\xFF\xFEa\0")]);
    let note = "utf-8:1:1: note: byte offset 0: the file starts with the byte order mark of UTF-8 [bom]\n";
    room.textcodec("check utf-8").assert().code(0).stdout(note);
    let error = "utf-16:1:1: error: byte offset 0: the byte order mark is that of UTF-16LE, not of UTF-8 [other-bom]\n";
    room.textcodec("check utf-16").assert().code(1).stdout(error);
    room.textcodec("check -f auto utf-16").assert().code(0).stdout(contains("note: ").and(contains("of UTF-16LE")));
}

#[test]
fn warnings_do_not_change_the_status() {
    let room = Room::with([
        ("mixed", b"a\nb\r\nc\n\rd".as_slice()),
        ("crlf", b"a\r\nb\r\n"),
        ("null", b"a\n\0b\0"),
        ("double", "fine\nschÃ¶n\nÃ¼ber\n".as_bytes()),
    ]);
    for (name, line) in [
        ("mixed", "mixed:2:2: warning: the lines end in different ways: 2 LF, 1 CRLF, 1 CR [mixed-newlines]\n"),
        ("crlf", ""),
        ("null", "null:2:1: warning: the text contains U+0000 (2 in all) [nul]\n"),
        (
            "double",
            "double:2:1: warning: 2 lines look doubly encoded; the first may mean \"schön\" (see `textcodec repair`) [double-encoding]\n",
        ),
    ] {
        room.textcodec(&format!("check {name}")).assert().code(0).stdout(line).stderr("");
    }
    // The two characters of a line ending can be in two buffers.
    let cut = [&b"a\r\n".repeat(40_000)[..], b"b"].concat();
    Room::with([("a", &cut)]).textcodec("check a").assert().code(0).stdout("");
}

#[test]
fn the_json_of_a_problem_has_all_members() {
    let room = Room::with([("a", "é\n\u{0}☃".as_bytes()), ("b", b"\xE2\x82"), ("c", b"\xE9")]);
    let line = r#"{"file":"a","severity":"error","kind":"unmappable","line":2,"column":2,"offset":4,"encoding":"windows-1252","bytes":null,"code_point":9731,"count":null,"message":"windows-1252 has no U+2603 (☃)"}
{"file":"a","severity":"warning","kind":"nul","line":2,"column":1,"offset":null,"encoding":null,"bytes":null,"code_point":null,"count":1,"message":"the text contains U+0000 (1 in all)"}
{"file":"b","severity":"error","kind":"malformed","line":1,"column":1,"offset":0,"encoding":"UTF-8","bytes":"E2 82","code_point":null,"count":null,"message":"not UTF-8: E2 82"}
"#;
    room.textcodec("check --json --to latin1 a b").assert().code(1).stdout(line).stderr("");
    room.textcodec("check --json -f auto c").assert().code(1).stdout(contains("\"kind\":\"unknown-encoding\""));
    room.textcodec("check --json --limit 1 --to latin1 a").assert().code(1).stdout(contains("\"kind\":\"limit\""));
}

#[test]
fn a_tree_is_checked_in_the_order_of_its_names() {
    let room = Room::new();
    let mut lines = String::new();
    for number in 0..100 {
        room.write(&format!("tree/{number:03}"), &b"\xFF".repeat(200));
        for column in 1..=200 {
            let (slash, offset) = (std::path::MAIN_SEPARATOR, column - 1);
            lines +=
                &format!("tree{slash}{number:03}:1:{column}: error: byte offset {offset}: not UTF-8: FF [malformed]\n");
        }
    }
    room.write("tree/binary", b"\xFF\0\0\0\0\0");
    room.write("tree/.hidden", b"\xFF");
    let summary = "textcodec: 100 checked, 100 of them with errors, 2 skipped (1 hidden, 1 binary), 0 not read\n";
    room.textcodec("check --recursive --jobs 4 tree").assert().code(1).stdout(lines).stderr(summary);
}

#[test]
fn the_last_line_counts_the_files_that_the_configuration_leaves_out() {
    let room = Room::with([(".textcodec-check", b"[*.min.js]\nskip\n"), ("a.min.js", b"\xFF"), ("b.js", b"b\n")]);
    let summary =
        "textcodec: 1 checked, 0 of them with errors, 2 skipped (1 hidden, 1 by the configuration file), 0 not read\n";
    room.textcodec("check -r .").assert().success().stdout("").stderr(summary);
}

#[test]
fn a_fix_of_nothing_is_told() {
    let room = Room::with([("a", b"\xEF\xBB\xBFa\n"), ("c", b"[*]\ndeny = bom\n")]);
    let message =
        "textcodec: --fix corrects only what --deny or the configuration file denies, and nothing is denied\n";
    room.textcodec("check --fix a").assert().success().stderr(message);
    assert_eq!(room.read("a"), b"\xEF\xBB\xBFa\n");
    room.textcodec("check --fix --config c a").assert().success().stderr("textcodec: a: fixed: bom\n");
    room.textcodec("check --fix --deny bom a").assert().success().stderr("");
}

#[test]
fn the_hooks_fail_for_what_their_descriptions_say() {
    let hooks = include_str!("../../../../.pre-commit-hooks.yaml");
    let entries: Vec<_> = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: textcodec ")).collect();
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let room = Room::new();
        for (name, bytes) in [
            ("declared", &b"# coding: latin-1\ncaf\xE9\n"[..]),
            ("utf-16", b"\xFF\xFEa\0\n\0"),
            ("lost", "a\u{FFFD}\n".as_bytes()),
        ] {
            room.write(name, bytes);
            room.textcodec(&format!("{entry} {name}")).assert().code(1);
        }
        let is_fix = entry.contains("--fix");
        for (name, text) in [("mojibake", "cafÃ©\n"), ("control", "It\u{92}s\n"), ("inner", "a\u{FEFF}b\n")] {
            room.write(name, text.as_bytes());
            room.textcodec(&format!("{entry} {name}")).assert().code(i32::from(!is_fix));
            room.textcodec(&format!("{entry} {name}")).assert().code(i32::from(!is_fix));
        }
        room.write("good", "café\n".as_bytes());
        room.textcodec(&format!("{entry} good")).assert().success().stdout("");
        // The configuration of the project decides about files in other encodings.
        room.write(".textcodec-check", b"[declared]\nencoding = windows-1252\n");
        room.textcodec(&format!("{entry} declared")).assert().success();
    }
}

#[test]
fn trouble_is_another_status_than_errors() {
    let room = Room::with([("bad", b"\xFF")]);
    room.textcodec("check bad missing").assert().code(2).stdout(contains("not UTF-8")).stderr(contains("missing: "));
    room.textcodec("check .").assert().code(2).stderr(contains("this is a directory"));
    for option in ["--limit", "--jobs"] {
        let message = contains("a whole number from 1 on is expected");
        room.textcodec(&format!("check {option} 0 bad")).assert().code(2).stderr(message);
    }
    room.textcodec("check --quiet --json bad").assert().code(2);
}

#[test]
fn one_line_is_enough_for_a_binary_file() {
    let room = Room::with([("image", b"\x89PNG\0\0\x89\xFF\xFE\0\0\0".as_slice()), ("good", b"a\0b")]);
    let line = "image:1:1: error: byte offset 0: not UTF-8: 89; the file looks binary, so it is not checked further (see --force) [binary]\n";
    room.textcodec("check image").assert().code(1).stdout(line).stderr("");
    room.textcodec("check --json image")
        .assert()
        .code(1)
        .stdout(contains("\"kind\":\"binary\"").and(contains("\n").count(1)));
    room.textcodec("check --force image")
        .assert()
        .code(1)
        .stdout(contains("error: ").count(4).and(contains("warning").count(1)));
    room.textcodec("check good").assert().code(0).stdout(contains("U+0000"));
    room.textcodec("check -r .").assert().code(0).stdout(contains("U+0000")).stderr(contains("1 skipped (1 binary)"));
    room.textcodec("check -r --force .").assert().code(1).stdout(contains("error: ").count(4));
}

#[test]
fn a_text_with_a_few_characters_nul_is_checked_to_its_end() {
    let text = [b"\xEF\xBB\xBFcaf\xE9\0 ".as_slice(), b"line\r\n\xFFlast\n"].concat();
    let room = Room::with([("tree/text", &text)]);
    let lines = "text:1:1: note: byte offset 0: the file starts with the byte order mark of UTF-8 [bom]\n\
                 text:1:4: error: byte offset 6: not UTF-8: E9 [malformed]\n\
                 text:2:1: error: byte offset 15: not UTF-8: FF [malformed]\n\
                 text:2:6: warning: the lines end in different ways: 1 LF, 1 CRLF [mixed-newlines]\n\
                 text:1:5: warning: the text contains U+0000 (1 in all) [nul]\n";
    room.textcodec("check text").current_dir(room.path("tree")).assert().code(1).stdout(lines);
    room.textcodec("check -r tree").assert().code(1).stdout(contains("error: ").count(2)).stderr(contains("0 skipped"));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_checked_like_a_file() {
    use std::process::Command;

    let room = Room::new();
    assert!(Command::new("mkfifo").arg(room.path("pipe")).status().unwrap().success());
    let script = "printf 'a\\377' > pipe & \"$textcodec\" check pipe <&- | cat; \
                  \"$textcodec\" check <(printf 'b\\n\\376') /dev/fd/3 3< <(printf '\\375'); echo $?; \
                  printf '\\374' | \"$textcodec\" check --json /dev/stdin";
    let mut command = Command::new("bash");
    command.current_dir(room.path("")).env("textcodec", env!("CARGO_BIN_EXE_textcodec"));
    let Ok(output) = command.args(["-c", script]).output() else { return };
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!((lines.len(), output.stderr.len()), (5, 0), "{lines:?}");
    assert_eq!(lines[0], "pipe:1:2: error: byte offset 1: not UTF-8: FF [malformed]");
    assert!(
        lines[1].starts_with("/dev/fd/") && lines[1].ends_with(":2:1: error: byte offset 2: not UTF-8: FE [malformed]")
    );
    assert_eq!(lines[2], "/dev/fd/3:1:1: error: byte offset 0: not UTF-8: FD [malformed]");
    assert_eq!(lines[3], "1");
    assert!(lines[4].starts_with("{\"file\":\"/dev/stdin\",") && lines[4].contains("\"bytes\":\"FC\""));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_check() {
    use std::process::{Command, Stdio};

    let room = Room::with([("bad", &b"\xFF".repeat(300_000))]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
    command.current_dir(room.path("")).args(["check", "bad", "bad"]).stdout(writer).stderr(Stdio::piped());
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_textcodec"))
        .current_dir(room.path(""))
        .args(["check", "bad"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn colors_are_for_terminals_or_on_request() {
    let room = Room::with([("bad", b"\xFF")]);
    for arguments in ["check bad", "check --color never bad", "check --color auto bad"] {
        room.textcodec(arguments).assert().code(1).stdout(contains("\x1B").not());
    }
    let line = "bad:1:1: \x1B[1;31merror\x1B[0m: byte offset 0: not UTF-8: FF [malformed]\n";
    room.textcodec("check --color always bad").env("NO_COLOR", "1").assert().code(1).stdout(line);
    room.write("others", "\u{FEFF}é\r\nb\nc\0\n".as_bytes());
    let severities = contains("\x1B[1;36mnote\x1B[0m: ").and(contains("\x1B[1;33mwarning\x1B[0m: "));
    room.textcodec("check --color always others").assert().stdout(severities);
    let diff = "\x1B[1;36m@@ -1 +1 @@\x1B[0m\n\x1B[1;31m-\\u{feff}é\\r\x1B[0m\n\x1B[1;32m+é";
    room.textcodec("check --color always --deny all --fix --diff others").assert().stdout(contains(diff));
    room.textcodec("convert --color=always --wrong").assert().code(2).stderr(contains("\x1B["));
    room.textcodec("convert --wrong").assert().code(2).stderr(contains("\x1B[").not());
}

/// A violation of each rule that is no error without --deny.
const ODD: [(&str, &[u8], &str); 9] = [
    ("bom", b"\xEF\xBB\xBFa\n", "1:1"),
    ("inner-bom", b"a\nb\xEF\xBB\xBF\n", "2:2"),
    ("mojibake", "a\nРџСЂРёРІРµС‚\n".as_bytes(), "2:1"),
    ("double-encoding", "cafÃ©\n".as_bytes(), "1:1"),
    ("replacement-character", "a \u{FFFD}\n".as_bytes(), "1:3"),
    ("control", "It\u{92}s\n".as_bytes(), "1:3"),
    ("nul", b"a\0b\n", "1:2"),
    ("mixed-newlines", b"a\nb\r\n", "2:2"),
    ("trailing-bytes", b"a\n\x1A", "2:1"),
];

#[test]
fn a_denied_rule_is_an_error_with_its_place_and_its_name() {
    for (rule, bytes, place) in ODD {
        let room = Room::with([("a", bytes)]);
        let line = || contains(format!("a:{place}: ")).and(contains(format!(" [{rule}]\n")));
        room.textcodec("check a").assert().code(0).stdout(line().and(contains("error").not()));
        for rules in [rule, "all", &format!("bom,{rule}")] {
            let error = line().and(contains(": error: ").count(1));
            room.textcodec(&format!("check --deny {rules} a")).assert().code(1).stdout(error);
        }
        let others = if rule == "bom" { "control" } else { "bom" };
        room.textcodec(&format!("check --deny {others} a")).assert().code(0);
        room.textcodec(&format!("check --deny all --allow {rule} a")).assert().code(0).stdout("");
        room.textcodec(&format!("check --quiet --deny {rule} a")).assert().code(1).stdout("");
        room.textcodec(&format!("check --json --deny {rule} a"))
            .assert()
            .code(1)
            .stdout(contains(format!("\"severity\":\"error\",\"kind\":\"{rule}\"")));
    }
    let room = Room::new();
    room.textcodec("check --deny moji a").assert().code(2).stderr(contains("there is no rule \"moji\""));
    let room = Room::with([("double", "cafÃ©\n".as_bytes())]);
    room.textcodec("check --deny mojibake double").assert().code(1);
}

#[test]
fn a_doubly_encoded_part_of_a_line_is_mojibake_beside_text_that_is_right() {
    for (line, meant) in [
        ("café and cafÃ©", "café and café"),
        ("naïve: donâ€™t", "naïve: don’t"),
        ("日本 cafÃ©", "日本 café"),
        ("“quoted” Ã©tÃ©", "“quoted” été"),
    ] {
        let room = Room::with([("a", [line, "\n"].concat().as_bytes())]);
        let says = format!("the first may mean \"{meant}\"");
        room.textcodec("check --deny mojibake a").assert().code(1).stdout(contains(says));
    }
    let right = "Ã is a letter of SÃO; «Â» too. Señor’s “São”… naïveté™ É… 5°C ±1 Â© é\nIRMÃS É—Ê „TÖ“\n";
    let room = Room::with([("a", right.as_bytes())]);
    room.textcodec("check --deny mojibake a").assert().code(0).stdout("");
}

#[test]
fn a_file_without_violations_passes_every_rule() {
    let room = Room::with([("a", "plain\n\tGrüße, 你好 “…” 😀\nПривет, Россия\n┌──┐ Γ = 5\n".as_bytes())]);
    room.textcodec("check --deny all a").assert().code(0).stdout("").stderr("");
}

#[test]
fn a_diff_shows_what_a_fix_would_change_and_changes_nothing() {
    let old = "\u{FEFF}\u{FEFF}cafÃ© 1\nfine\nIt\u{92}s\r\nend\n\u{1A}".as_bytes();
    let room = Room::with([("a", old), ("bad", b"\xFF\xEF\xBB\xBF".as_slice()), ("good", b"a\n")]);
    let diff = "--- a\n+++ a (fixed: trailing-bytes, bom, double-encoding, control, mixed-newlines)\n\
                @@ -1 +1 @@\n-\\u{feff}\\u{feff}cafÃ© 1\n+café 1\n@@ -3 +3 @@\n-It\\u{92}s\\r\n+It’s\n\
                @@ -5 +5 @@\n-\\u{1a}\n";
    room.textcodec("check --deny all --fix --diff a bad good").assert().code(1).stdout(diff).stderr("");
    assert_eq!(room.read("a"), old);
    // What the diff shows is what the fix does, and after it there is nothing to show.
    room.textcodec("check --deny all --fix a").assert().code(0);
    assert_eq!(room.read("a"), "café 1\nfine\nIt’s\nend\n".as_bytes());
    room.textcodec("check --deny all --fix --diff a").assert().code(0).stdout("").stderr("");
    // Nothing that is not denied would change, and a file that cannot be read is trouble.
    room.write("a", old);
    room.textcodec("check --fix --diff a").assert().code(0).stdout("");
    room.textcodec("check --deny all --fix --diff a missing").assert().code(2).stdout(diff);
    room.textcodec("check --deny all --diff a").assert().code(2).stderr(contains("--fix"));
    // A line that is empty after the fix is a line.
    room.write("a", "\u{FEFF}\nabc\n".as_bytes());
    let diff = "--- a\n+++ a (fixed: bom)\n@@ -1 +1 @@\n-\\u{feff}\n+\n";
    room.textcodec("check --deny bom --fix --diff a").assert().code(1).stdout(diff).stderr("");
}

#[test]
fn certain_violations_are_fixed_and_the_others_are_told() {
    let text = "\u{FEFF}cafÃ©\r\nIt\u{92}s\r\nSÓ… \u{FFFD}\n\u{1A}";
    let room = Room::with([("a", text.as_bytes()), ("good", b"a\n"), ("koi", b"\xC1\r\n\n"), ("bad", b"\xFF\r\n\n")]);
    room.textcodec("check --deny all --fix a good")
        .assert()
        .code(1)
        .stdout(contains("a:3:5: error: U+FFFD").and(contains("\n").count(1)))
        .stderr("textcodec: a: fixed: trailing-bytes, bom, double-encoding, control, mixed-newlines\n");
    assert_eq!(room.read("a"), "café\r\nIt’s\r\nSÓ… \u{FFFD}\r\n".as_bytes());
    room.textcodec("check --deny all --fix a").assert().code(1).stderr("");
    // Only text in UTF-8 is fixed.
    room.textcodec("check --deny all --fix -f koi8-r koi").assert().code(1).stderr("");
    room.textcodec("check --deny all --fix bad").assert().code(1).stderr("");
    assert_eq!((room.read("koi"), room.read("bad")), (b"\xC1\r\n\n".to_vec(), b"\xFF\r\n\n".to_vec()));
    // Without --deny, nothing is fixed.
    room.write("b", "cafÃ©".as_bytes());
    room.textcodec("check --fix b").assert().code(0).stderr(contains("nothing is denied"));
    assert_eq!(room.read("b"), "cafÃ©".as_bytes());
}

#[test]
fn a_configuration_file_has_rules_for_each_kind_of_file() {
    let config = "# what the project wants\n; and how\n[*]\ndeny = all\n\n[old/**]\nencoding = koi8-r\nallow = mixed-newlines\n\n\
                  [*.bin]\nskip\n";
    let room = Room::with([
        (".textcodec-check", config.as_bytes()),
        ("a.txt", b"\xEF\xBB\xBFa"),
        ("old/b.txt", b"\xC1\n\r\n"),
        ("old/c.bin", b"\xFF\0"),
    ]);
    let line = "a.txt:1:1: error: byte offset 0: the file starts with the byte order mark of UTF-8 [bom]\n";
    room.textcodec("check -r .").assert().code(1).stdout(contains(line).and(contains("\n").count(1)));
    room.textcodec("check -r --allow bom .").assert().code(0).stdout("");
    room.textcodec("check -r --no-config .").assert().code(1).stdout(contains("old").and(contains("error: ")));
    room.write("other", b"[*]\nallow = all\n");
    room.textcodec("check --config other a.txt").assert().code(0).stdout("");
    room.write("wrong", b"[*]\ndeny = everything\n");
    room.textcodec("check --config wrong a.txt").assert().code(2).stderr(contains("wrong:2: there is no rule"));
    room.textcodec("check --config missing a.txt").assert().code(2).stderr(contains("cannot read missing"));
}

#[test]
fn code_hosts_read_the_problems_in_sarif() {
    let room = Room::with([("b.txt", b"a\xFF".as_slice()), ("a b.txt", b"\xEF\xBB\xBFa"), ("good", b"a")]);
    let mut command = room.textcodec("check --sarif b.txt good");
    let output = command.arg("a b.txt").assert().code(1).get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let first = r#"{"ruleId":"malformed","level":"error","message":{"text":"not UTF-8: FF"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"b.txt"},"region":{"startLine":1,"startColumn":2}}}]}"#;
    let second = r#"{"ruleId":"bom","level":"note","message":{"text":"the file starts with the byte order mark of UTF-8"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a%20b.txt"},"region":{"startLine":1,"startColumn":1}}}]}"#;
    assert!(text.contains(&format!("\"results\":[\n{first},\n{second}]")), "{text}");
    assert!(text.contains(r#""version":"2.1.0""#) && text.contains(r#"{"id":"mojibake","shortDescription""#), "{text}");
    room.textcodec("check --sarif good").assert().code(0).stdout(contains("\"results\":[\n]"));
    room.textcodec("check --sarif --json good").assert().code(2);
}

#[test]
fn only_the_first_8_kib_tell_whether_a_file_looks_binary() {
    let text = b"text \xFF\n".repeat(8 * 1024 / 7);
    let room = Room::with([("late", &[&*text, b"a.....", &[0; 2000], b"\xFF"].concat())]);
    // The first 8 KiB end before the first zero byte, or after the fifth or later ones.
    let errors = text.len() / 7 + 1;
    for (name, cut) in [("late", 0), ("early", 600)] {
        let bytes = room.read("late").split_off(cut);
        room.write(name, &bytes);
        let output = room.textcodec(&format!("check {name}")).assert().code(1).get_output().stdout.clone();
        let lines = String::from_utf8(output).unwrap();
        let expected = if cut == 0 { errors } else { 1 };
        assert_eq!(lines.matches("error: ").count(), expected, "{name}");
        assert_eq!(lines.contains("the file looks binary"), cut > 0, "{name}");
    }
    // What ends the check of a binary file is no limit.
    room.textcodec("check --limit 1 early").assert().code(1).stdout(contains("\n").count(1));
    // A character lies across the end of the first 8 KiB.
    let (start, zeros) = ("\u{FEFF}".to_owned() + &"é".repeat(5000), [0; 2000]);
    room.write("fix", &[start.as_bytes(), &zeros].concat());
    room.textcodec("check --fix --deny bom fix").assert().success().stderr("textcodec: fix: fixed: bom\n");
    assert!(room.read("fix") == [&start.as_bytes()[3..], &zeros].concat());
    room.write("fix", &[b"\xEF\xBB\xBF", &zeros[..], b"a"].concat());
    room.textcodec("check --fix --deny bom fix").assert().code(1).stderr("");
    room.textcodec("check --fix --deny bom --force fix").assert().success().stderr("textcodec: fix: fixed: bom\n");
}

#[test]
fn documents_and_differences_have_no_last_line_about_the_run() {
    let room = Room::with([("tree/a", b"\xEF\xBB\xBFa\n")]);
    room.textcodec("check -r --deny bom tree").assert().code(1).stderr(contains("1 checked, 1 of them with errors"));
    for option in ["--sarif", "--json", "--quiet", "--fix --diff"] {
        room.textcodec(&format!("check -r --deny bom {option} tree")).assert().code(1).stderr("");
    }
}

#[test]
fn a_file_that_would_fill_the_memory_is_not_fixed() {
    let room = Room::with([("holes", b"\xEF\xBB\xBFa\n")]);
    room.textcodec("check --deny bom --force --fix --diff holes").assert().code(1);
    let file = std::fs::OpenOptions::new().write(true).open(room.path("holes")).unwrap();
    file.set_len((256 << 20) + 1).unwrap();
    for files in ["holes", "-r ."] {
        room.textcodec(&format!("check --deny bom --force --fix --diff {files}")).assert().success().stdout("");
    }
}

#[test]
fn only_files_in_utf_8_are_fixed_whatever_says_their_encoding() {
    let marked = b"\xEF\xBB\xBFa\n";
    for (config, option, is_fixed) in [
        ("", "", true),
        ("encoding = koi8-r\n", "", false),
        ("encoding = utf-8\n", "", true),
        ("encoding = auto\n", "", true),
        ("encoding = koi8-r\n", "--encoding utf-8", true),
        ("encoding = utf-8\n", "--encoding koi8-r", false),
    ] {
        let room = Room::with([("a", marked), (".textcodec-check", format!("[a]\n{config}").as_bytes())]);
        let _ = room.textcodec(&format!("check --deny bom --fix {option} a")).output().unwrap();
        assert_eq!(room.read("a"), if is_fixed { &marked[3..] } else { marked }, "{config} {option}");
    }
}
