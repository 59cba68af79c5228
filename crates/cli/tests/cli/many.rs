//! `textcodec convert --in-place` and `--output-dir`: many files, each on its own.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

/// The word "тест" in windows-1251.
const WINDOWS_1251: &[u8] = b"\xF2\xE5\xF1\xF2";
const TEXT: &str = "тест";

/// A tree with texts in windows-1251, UTF-8 and ASCII, and with files that are skipped.
fn tree() -> Room {
    Room::with([
        ("tree/a.txt", WINDOWS_1251),
        ("tree/sub/b.txt", WINDOWS_1251),
        ("tree/sub/page.text", WINDOWS_1251),
        ("tree/utf-8.txt", TEXT.as_bytes()),
        ("tree/ascii.txt", b"test"),
        ("tree/data.bin", b"\xF2\0\x01\x02"),
        ("tree/.hidden", WINDOWS_1251),
        ("tree/.git/config", WINDOWS_1251),
        ("tree/empty", b""),
    ])
}

#[test]
fn a_tree_is_converted_in_place() {
    let room = tree();
    let before = room.tree();
    room.textcodec("convert -f windows-1251 --in-place --recursive tree")
        .assert()
        .success()
        .stdout("")
        .stderr("textcodec: 3 converted, 3 already UTF-8, 3 skipped (2 hidden, 1 binary), 0 failed\n");
    for name in ["tree/a.txt", "tree/sub/b.txt", "tree/sub/page.text", "tree/utf-8.txt"] {
        assert_eq!(room.read(name), TEXT.as_bytes(), "{name}");
    }
    for (name, bytes) in [("tree/.hidden", WINDOWS_1251), ("tree/.git/config", WINDOWS_1251), ("tree/empty", b"")] {
        assert_eq!(room.read(name), bytes, "{name}");
    }
    assert_eq!(room.read("tree/data.bin"), b"\xF2\0\x01\x02");
    assert_eq!(room.tree(), before);
}

#[test]
fn a_second_run_changes_nothing() {
    let room = tree();
    for summary in ["3 converted, 3 already UTF-8", "0 converted, 6 already UTF-8"] {
        let mut command = room.textcodec("convert -f windows-1251 -i -r tree");
        command.assert().success().stderr(contains(summary));
    }
    assert_eq!(room.read("tree/a.txt"), TEXT.as_bytes());
    // With --force, the files are decoded as --from says, and binary files are files like others.
    let mut command = room.textcodec("convert -f windows-1251 -i --force tree/a.txt tree/data.bin");
    command.assert().success().stderr("textcodec: 2 converted, 0 already UTF-8, 0 skipped, 0 failed\n");
    assert_eq!(room.read("tree/a.txt"), "С‚РµСЃС‚".as_bytes());
}

#[test]
fn a_dry_run_prints_what_would_happen_and_changes_nothing() {
    let room = tree();
    let mut command = room.textcodec("convert -f windows-1251 --in-place --recursive --dry-run --jobs 3 tree");
    let change = "would be converted from windows-1251\n  before: \\xf2\\xe5\\xf1\\xf2\n  after:  тест";
    let lines = format!(
        "tree/a.txt: {change}\ntree/ascii.txt: already UTF-8\ntree/data.bin: skipped: binary\n\
         tree/empty: already UTF-8\ntree/sub/b.txt: {change}\ntree/sub/page.text: {change}\n\
         tree/utf-8.txt: already UTF-8\n"
    );
    let summary =
        "textcodec: nothing is written; 3 to convert, 3 already UTF-8, 3 skipped (2 hidden, 1 binary), 0 failed\n";
    command.assert().success().stdout(lines.replace('/', std::path::MAIN_SEPARATOR_STR)).stderr(summary);
    assert_eq!(room.read("tree/a.txt"), WINDOWS_1251);
    let mut command = room.textcodec("convert -f windows-1251 -r --output-dir out -n tree");
    command.assert().success().stderr(contains("nothing is written; 3 to convert"));
    assert_eq!(room.names(), ["tree"]);
}

#[test]
fn a_dry_run_needs_no_option_that_says_where_to_write() {
    let room = tree();
    let would =
        contains("tree/a.txt: would be converted from windows-1251\n".replace('/', std::path::MAIN_SEPARATOR_STR));
    room.textcodec("convert -f windows-1251 -r --dry-run tree").assert().success().stdout(would.clone());
    let diff = would.and(contains("-\\xf2\\xe5\\xf1\\xf2\n+тест\n"));
    room.textcodec("convert -f windows-1251 -r --diff tree").assert().success().stdout(diff);
    assert_eq!(room.read("tree/a.txt"), WINDOWS_1251);
    for option in ["--dry-run", "--diff"] {
        let both = format!("convert -f windows-1251 {option} tree/a.txt -o out");
        room.textcodec(&both).assert().code(2).stderr(contains("cannot be used with '--output <OUT>'"));
    }
    for arguments in ["--dry-run", "--diff", "--in-place", "--output-dir out"] {
        let message = contains("--in-place, --output-dir, --dry-run and --diff need a FILE");
        room.textcodec(&format!("convert -f latin1 {arguments}")).assert().code(2).stderr(message);
    }
}

#[test]
fn directories_of_version_control_are_never_taken() {
    let directories = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];
    let room = Room::with([("tree/.other/x", WINDOWS_1251), ("tree/x", WINDOWS_1251)]);
    directories.iter().for_each(|directory| room.write(&format!("tree/{directory}/x"), WINDOWS_1251));
    for options in ["-i -r --hidden", "--output-dir out -r --hidden --force"] {
        room.textcodec(&format!("convert -f windows-1251 {options} tree"))
            .assert()
            .success()
            .stderr(contains("6 hidden"));
    }
    let mut command = room.textcodec("check -r --hidden tree");
    command
        .assert()
        .success()
        .stderr("textcodec: 2 checked, 0 of them with errors, 6 skipped (6 hidden), 0 not read\n");
    for directory in directories {
        assert_eq!(room.read(&format!("tree/{directory}/x")), WINDOWS_1251, "{directory}");
    }
    assert_eq!(room.read("tree/.other/x"), TEXT.as_bytes());
    assert_eq!(room.tree().iter().filter(|path| path.starts_with("out")).count(), 2);
}

#[test]
fn one_file_that_is_utf_8_already_is_not_passed_over_in_silence() {
    let room = Room::with([("a", b"caf\xE9\n")]);
    room.textcodec("convert -f latin1 -i a").assert().success().stderr("");
    room.textcodec("convert -f latin1 -i a")
        .assert()
        .success()
        .stderr("textcodec: 0 converted, 1 already UTF-8, 0 skipped, 0 failed\n");
    room.textcodec("convert -f latin1 -i -q a").assert().success().stderr("");
}

#[test]
fn patterns_choose_the_files_in_directories() {
    for (patterns, converted) in [
        ("--include *.txt", &["a.txt", "sub/b.txt"][..]),
        ("--include *.txt --include *.text", &["a.txt", "sub/b.txt", "sub/page.text"]),
        ("--include *.txt --exclude b.*", &["a.txt"]),
        ("--exclude sub", &["a.txt"]),
        ("--exclude sub/*.txt", &["a.txt", "sub/page.text"]),
        ("--include sub/**", &["sub/b.txt", "sub/page.text"]),
        ("--hidden --include .*", &[".hidden"]),
    ] {
        let room = tree();
        room.textcodec(&format!("convert -f windows-1251 -i -r {patterns} tree")).assert().success();
        let changed: Vec<_> = room
            .tree()
            .into_iter()
            .filter(|name| !name.ends_with("utf-8.txt") && room.read(name) == TEXT.as_bytes())
            .collect();
        let expected: Vec<_> = converted.iter().map(|name| format!("tree/{name}")).collect();
        assert_eq!(changed, expected, "{patterns}");
    }
    // Patterns do not concern files that the command line names.
    let room = tree();
    room.textcodec("convert -f windows-1251 -i -r --include *.text tree/a.txt tree/.hidden").assert().success();
    assert_eq!((room.read("tree/a.txt"), room.read("tree/.hidden")), (TEXT.into(), TEXT.into()));
}

#[test]
fn gitignore_is_honoured_on_request() {
    for (option, text) in [("", TEXT.as_bytes()), ("--gitignore", WINDOWS_1251)] {
        let room = tree();
        room.write("tree/.gitignore", b"sub/*.txt\n");
        room.textcodec(&format!("convert -f windows-1251 -i -r {option} tree")).assert().success();
        assert_eq!(room.read("tree/sub/b.txt"), text);
        assert_eq!(room.read("tree/sub/page.text"), TEXT.as_bytes());
    }
}

#[test]
fn the_nearest_gitignore_decides() {
    let room = Room::new();
    let paths =
        ["a.log", "b.txt", "keep.log", "out/x", "sub/a.log", "sub/c.tmp", "sub/deep/a.log", "sub/deep/d.txt", "top"];
    for path in paths {
        room.write(&format!("tree/{path}"), WINDOWS_1251);
    }
    room.write(".gitignore", b"/tree/top\n*.tmp\n");
    room.write("tree/.gitignore", b"\xEF\xBB\xBF*.log\n!keep.log\nout/\n# comment\n");
    // The rules of a repository come before the private ones.
    room.write("tree/.git/info/exclude", b"b.txt\nkeep.log\n!a.log\n");
    room.write("tree/sub/.gitignore", b"!a.log\n/deep/a.log\n!*.tmp\n");
    for (tree, option, left_out) in [
        ("tree", "", &["a.log", "b.txt", "out/x", "sub/deep/a.log", "top"][..]),
        ("./tree/", "", &["a.log", "b.txt", "out/x", "sub/deep/a.log", "top"]),
        ("tree", "--include *.log", &["b.txt", "out/x", "sub/c.tmp", "sub/deep/d.txt", "top"]),
        ("tree/sub", "", &["a.log", "b.txt", "keep.log", "out/x", "sub/deep/a.log", "top"]),
    ] {
        let mut command = room.textcodec(&format!("convert -f windows-1251 -n -v -r -i --gitignore {option} {tree}"));
        let lines = String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
        let is_taken = |path: &&str| lines.lines().any(|line| line.contains(&format!("tree/{path}: ")));
        let found: Vec<_> = paths.into_iter().filter(is_taken).collect();
        let expected: Vec<_> = paths.into_iter().filter(|path| !left_out.contains(path)).collect();
        assert_eq!(found, expected, "{tree} {option}: {lines}");
    }
}

#[test]
fn a_failure_in_one_file_does_not_stop_the_others() {
    let room = Room::with([
        ("bad-1", b"\xFF\xFF"),
        ("bad-2", b"ab\n\xFF\xFF"),
        ("good", b"\x83\x65"),
        ("page.html", b"<meta charset=shift_jis>"),
    ]);
    let mut command = room.textcodec("convert -f shift_jis -i bad-1 missing bad-2 good page.html");
    let hint = "If the file is in another encoding, name it with --from.";
    command
        .assert()
        .code(1)
        .stderr(contains("bad-1: not Shift_JIS at byte offset 0 (line 1, column 1): FF\n  If the"))
        .stderr(contains("bad-2: not Shift_JIS at byte offset 3 (line 2, column 1): FF\ntextcodec: page.html: a meta"))
        .stderr(contains(hint).count(1))
        .stderr(contains("cannot read missing: "))
        .stderr(contains("textcodec: 1 converted, 0 already UTF-8, 0 skipped, 4 failed\n"));
    assert_eq!((room.read("bad-1"), room.read("bad-2")), (b"\xFF\xFF".to_vec(), b"ab\n\xFF\xFF".to_vec()));
    assert_eq!(room.read("good"), "テ".as_bytes());
    assert_eq!(room.names(), ["bad-1", "bad-2", "good", "page.html"]);
}

#[test]
fn the_encoding_of_each_file_is_found() {
    let room = Room::with([
        ("bom.txt", b"\xFF\xFEa\0\xE9\0"),
        ("page.html", b"<meta charset=koi8-r>\xD4"),
        ("declared.xml", b"<?xml version='1.0' encoding='big5'?><a>\xA4\x40</a>"),
        ("utf-8.txt", "é".as_bytes()),
        ("unknown.txt", b"\xE9"),
    ]);
    let mut command = room.textcodec("convert -f auto -d update -i -r . -v");
    command
        .assert()
        .code(1)
        .stdout(contains("bom.txt: converted from UTF-16LE\n").and(contains("page.html: converted from KOI8-R\n")))
        .stdout(contains("utf-8.txt: already UTF-8\n").and(contains("unknown.txt: failed\n")))
        .stderr(
            contains("unknown.txt: nothing in the file tells its encoding").and(contains("3 converted, 1 already")),
        );
    assert_eq!(room.read("page.html"), "<meta charset=UTF-8>т".as_bytes());
    assert_eq!(room.read("declared.xml"), "<?xml version='1.0' encoding='UTF-8'?><a>一</a>".as_bytes());
}

#[test]
fn the_old_file_stays_under_the_name_with_the_suffix() {
    let room =
        Room::with([("a", WINDOWS_1251), ("same", b"same"), ("b", WINDOWS_1251), ("b.orig", b"of somebody else")]);
    let mut command = room.textcodec("convert -f windows-1251 -i --suffix .orig a same b");
    let message = "b.orig, the name for the old file, is there already";
    command
        .assert()
        .code(1)
        .stderr(contains(message).and(contains("1 converted, 1 already UTF-8, 0 skipped, 1 failed")));
    assert_eq!((room.read("a"), room.read("a.orig")), (TEXT.into(), WINDOWS_1251.to_vec()));
    assert_eq!((room.read("b"), room.read("b.orig")), (WINDOWS_1251.to_vec(), b"of somebody else".to_vec()));
    assert_eq!(room.names(), ["a", "a.orig", "b", "b.orig", "same"]);
    // Backups are no files of a second run.
    let mut command = room.textcodec("convert -f windows-1251 -i -r --suffix .orig .");
    command.assert().code(1).stderr(contains("2 skipped (2 backups)"));
    assert_eq!(room.read("a.orig"), WINDOWS_1251);
}

#[test]
fn the_output_directory_gets_the_same_tree() {
    let room = tree();
    room.textcodec("convert -f windows-1251 -r tree --output-dir out/new").assert().success();
    let new: Vec<_> = room.tree().into_iter().filter(|name| name.starts_with("out")).collect();
    let names = ["a.txt", "ascii.txt", "data.bin", "empty", "sub/b.txt", "sub/page.text", "utf-8.txt"];
    assert_eq!(new, names.map(|name| format!("out/new/{name}")));
    assert_eq!(room.read("out/new/sub/b.txt"), TEXT.as_bytes());
    assert_eq!(room.read("out/new/ascii.txt"), b"test");
    assert_eq!(room.read("tree/sub/b.txt"), WINDOWS_1251);
    // The output directory is no part of the tree, and its files are replaced.
    room.write("out/new/a.txt", b"before");
    let mut command = room.textcodec("convert -f windows-1251 -r . --output-dir out");
    command.assert().success().stderr(contains("3 converted, 3 already UTF-8"));
    assert_eq!(room.read("out/tree/a.txt"), TEXT.as_bytes());
    room.textcodec("convert -f windows-1251 tree/a.txt --output-dir out/new").assert().success().stderr("");
    assert_eq!(room.read("out/new/a.txt"), TEXT.as_bytes());
}

#[test]
fn the_output_directory_gets_binary_files_unchanged_and_the_last_line_tells_what_it_lacks() {
    let room = tree();
    // The texts in windows-1251 are failures.
    let run = |options: &str| room.textcodec(&format!("convert -r tree --output-dir out {options}"));
    let line = |converted: &str, copied: &str| {
        contains(format!(
            "textcodec: {converted}, 3 already UTF-8, {copied} unchanged (binary), 2 skipped (2 hidden), 3 failed and \
             not in out\n"
        ))
    };
    let dry = contains("data.bin: would be copied unchanged: binary\n");
    run("--dry-run").assert().code(1).stdout(dry).stderr(line("nothing is written; 0 to convert", "1 to copy"));
    assert_eq!(room.names(), ["tree"]);
    let copied = contains("data.bin: copied unchanged: binary\n");
    run("--verbose").assert().code(1).stdout(copied).stderr(line("0 converted", "1 copied"));
    assert_eq!(room.read("out/data.bin"), room.read("tree/data.bin"));
    let new: Vec<_> = room.tree().into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(new, ["out/ascii.txt", "out/data.bin", "out/empty", "out/utf-8.txt"]);
    // One file that is named is copied, too, and the last line tells that it was not converted.
    let mut command = room.textcodec("convert tree/data.bin --output-dir one");
    command.assert().success().stderr(contains("0 converted, 0 already UTF-8, 1 copied unchanged (binary)"));
    assert_eq!(room.read("one/data.bin"), room.read("tree/data.bin"));
}

#[test]
fn a_plan_in_json_tells_the_encoding_of_each_file_and_why_it_is_not_converted() {
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0? \xC2\xF1\xE5 \xF5\xEE\xF0\xEE\xF8\xEE.";
    let room = Room::with([
        ("a.txt", &russian[..]),
        ("b.png", b"\x89PNG\0\0\x01"),
        ("c.py", b"# coding: latin-1\n'\xE9'\n"),
        ("d.txt", b"\xFE\xFF\0\xE9"),
        ("e.txt", b"plain"),
        ("f.txt", b"caf\xE9"),
        ("g.txt", "das \u{E9} und \u{E4}, \u{F6} und \u{FC}".as_bytes()),
    ]);
    let lines = |options: &str| {
        let command = format!("convert --from auto --json {options} a.txt b.png c.py d.txt e.txt f.txt");
        String::from_utf8(room.textcodec(&command).output().unwrap().stdout).unwrap()
    };
    let expected = [
        r#""outcome":"converted","encoding":"windows-1251","evidence":"guess","language":"ru","probability":0.99"#,
        r#""outcome":"skipped","encoding":null,"evidence":null,"language":null,"probability":null,"to":"UTF-8","kind":"binary""#,
        r#""outcome":"failed","encoding":null,"evidence":null,"language":null,"probability":null,"to":"UTF-8","kind":"declaration","message":"a coding comment names latin-1, but the output is UTF-8","before":null,"after":null}"#,
        r#""outcome":"converted","encoding":"UTF-16BE","evidence":"bom","language":null,"probability":null,"to":"UTF-8","kind":null,"message":null,"before":"\\xfe\\xff\\u{0}\\xe9","after":"é"}"#,
        r#""outcome":"same","encoding":"UTF-8","evidence":"structure""#,
        r#""outcome":"uncertain","encoding":"windows-1252","evidence":"guess""#,
    ];
    let plan = lines("--guess --dry-run");
    assert_eq!(plan.lines().count(), expected.len(), "{plan}");
    for (line, expected) in plan.lines().zip(expected) {
        assert!(line.starts_with(r#"{"file":""#) && line.ends_with('}') && line.contains(expected), "{line}");
    }
    let unknown = r#""kind":"unknown-encoding","message":"nothing in the file tells its encoding: "#;
    assert!(lines("--dry-run").contains(unknown));
    // A conversion prints the same objects, except for the line that changes.
    let done = lines("--guess --output-dir out");
    assert!(done.contains(r#"{"file":"b.png","outcome":"copied","#), "{done}");
    let stable = |text: &str| text.lines().next().unwrap().split(r#","before""#).next().unwrap().to_owned();
    assert_eq!(stable(&done), stable(&plan));
    let mut named = room.textcodec("convert --from latin1 --to koi8-r --dry-run --json g.txt");
    named
        .assert()
        .code(1)
        .stdout(contains(r#""kind":"utf-8","message":"the file is well-formed UTF-8, but --from says"#));
    for wrong in ["--json a.txt", "--dry-run --json --verbose a.txt", "--json --diff a.txt"] {
        room.textcodec(&format!("convert {wrong}")).assert().code(2);
    }
}

#[test]
fn a_file_that_is_in_the_output_encoding_already_is_not_converted_twice() {
    let text = "Привет, как дела? Все хорошо, спасибо. А у тебя?";
    let room = Room::with([("utf-8", text.as_bytes())]);
    for (from, to) in [("windows-1251", "koi8-r"), ("koi8-r", "cp866"), ("cp866", "utf-16-bom")] {
        room.textcodec(&format!("convert --to {from} utf-8 --output a")).assert().success();
        for place in ["--in-place a", "a --output a"] {
            room.textcodec(&format!("convert --to {from} utf-8 --output a")).assert().success();
            let convert = format!("convert --from {from} --to {to} {place}");
            room.textcodec(&convert).assert().success();
            let once = room.read("a");
            room.textcodec(&convert).assert().code(if to == "utf-16-bom" { 0 } else { 1 });
            assert_eq!(room.read("a"), once, "{convert}");
        }
    }
    let koi8 = "convert --from windows-1251 --to koi8-r --in-place a";
    room.textcodec("convert --to koi8-r utf-8 --output a").assert().success();
    let message =
        contains("a: the file seems to be in KOI8-R already (probability 0.9").and(contains("With --force, "));
    room.textcodec(koi8).assert().code(1).stderr(message);
    // Errors that are ignored would hide that the file was converted before.
    room.textcodec("convert --from utf-8 --to shift_jis utf-8 --output a").assert().success();
    let sjis = "convert --from euc-jp --to shift_jis --errors ignore --in-place a";
    room.textcodec(sjis).assert().code(1).stderr(contains("the file seems to be in Shift_JIS already"));
    room.textcodec(&format!("{sjis} --force")).assert().success();
}

#[test]
fn a_character_at_the_end_of_the_first_64_kib_hides_no_earlier_conversion() {
    let text = "日本語のテキストです。\n".repeat(4000);
    let sjis = textcodec::SHIFT_JIS.encode(&text).bytes;
    assert!(textcodec::SHIFT_JIS.decode(&sjis[..64 << 10]).had_errors);
    let room = Room::with([("a", &*sjis)]);
    let message = contains("a: the file seems to be in Shift_JIS already");
    let command = "convert --from euc-jp --to shift_jis --errors ignore --in-place a";
    room.textcodec(command).assert().code(1).stderr(message);
    assert_eq!(room.read("a"), &*sjis);
}

#[test]
fn a_file_in_utf_8_is_not_converted_from_another_encoding_in_its_place() {
    let room = Room::with([("a", "caf\u{E9}".as_bytes()), ("mark", "\u{FEFF}caf\u{E9}".as_bytes())]);
    for place in ["--in-place a", "a --output a", "a --output-dir out"] {
        let convert = format!("convert --from latin1 --to utf-16-bom {place}");
        let message = contains("a: the file is well-formed UTF-8, but --from says windows-1252\n").and(contains(
            "\n  With --from utf-8 it is converted from UTF-8. With --force, it is decoded as --from says.\n",
        ));
        room.textcodec(&convert).assert().code(1).stderr(message);
        assert_eq!(room.read("a"), "caf\u{E9}".as_bytes(), "{convert}");
    }
    // Without the byte order mark, which --ignore-bom takes for text, it is such a file, too.
    let command = "convert --ignore-bom --from latin1 --to utf-16-bom --in-place mark";
    room.textcodec(command).assert().code(1).stderr(contains("mark: the file is well-formed UTF-8"));
    assert_eq!(room.read("mark"), "\u{FEFF}caf\u{E9}".as_bytes());
    // A byte order mark decides, and the same encoding changes nothing.
    room.textcodec("convert --from cp437 --to latin1 --in-place mark").assert().success();
    assert_eq!(room.read("mark"), b"caf\xE9");
    room.textcodec("convert --from latin1 --to latin1 --newlines lf --in-place a").assert().success();
    room.textcodec("convert --from latin1 --to cp850 --force --in-place a").assert().success();
}

#[test]
fn a_style_sheet_that_is_not_utf_8_is_guessed_or_takes_the_fallback() {
    let japanese =
        b"/* \x94w\x8Ci\x90F */ body { color: red } /* \x8Ao\x82\xA6\x82\xC4\x82\xA8\x82\xAD\x82\xB1\x82\xC6\x81B */\n";
    let room = Room::with([
        ("a.css", &japanese[..]),
        ("b.xml", b"<a>caf\xE9</a>"),
        ("c.css", "/* é */".as_bytes()),
        ("d.css", "/* é è à ç */ /* ê */ /* \u{E4}\u{F6} */ /* \u{20AC} */".as_bytes()),
    ]);
    let damaged = [&*room.read("d.css"), b"/* \xE9 */"].concat();
    room.write("d.css", &damaged);
    let plan = |options: &str, file: &str| {
        let command = format!("convert --from auto {options} --dry-run --json {file}");
        String::from_utf8(room.textcodec(&command).output().unwrap().stdout).unwrap()
    };
    for (options, file, expected) in [
        ("--guess", "a.css", r#""outcome":"converted","encoding":"Shift_JIS","evidence":"guess","language":"ja""#),
        ("--fallback latin1", "b.xml", r#""outcome":"converted","encoding":"windows-1252","evidence":"fallback""#),
        ("", "b.xml", r#""kind":"malformed""#),
        ("--guess", "c.css", r#""outcome":"same","encoding":"UTF-8","evidence":"default""#),
        ("--guess", "d.css", r#""kind":"damaged""#),
        ("--fallback latin1", "d.css", r#""kind":"damaged""#),
    ] {
        let line = plan(options, file);
        assert!(line.contains(expected), "{options} {file}: {line}");
    }
}

#[test]
fn malformed_bytes_in_a_guessed_encoding_are_an_error_that_names_the_guess() {
    // A log in UTF-8, of which one line is in windows-1252.
    let log = [&b"Datei nicht gefunden: \xDCbersicht.txt\n"[..], "Größe geändert\n".as_bytes()].concat();
    let room = Room::with([("log", &*log)]);
    let message = "log: not UTF-8 at byte offset 22 (line 1, column 23): DC; this encoding is a guess: probability 0.9";
    room.textcodec("convert --guess --dry-run log").assert().code(1).stderr(contains(message));
    room.textcodec("repair --mixed utf-8,windows-1252 log")
        .assert()
        .success()
        .stdout(contains(" Übersicht.txt\nGröße"));
}

#[test]
fn a_picture_is_binary_and_no_malformed_text() {
    let room = Room::with([
        ("tree/a.txt", b"\xC8\xD5\xB1\xBE"),
        ("tree/a.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01"),
        ("tree/a.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("tree/a.dat", b"\xFF\x01\x02\x03\x04\x05\x06"),
    ]);
    for from in ["gbk", "utf-8", "auto", "exact-us-ascii", "auto --fallback gbk"] {
        let status = usize::from(!from.contains("gbk"));
        let summary = contains(format!(" 3 skipped (3 binary), {status} failed"));
        let mut command = room.textcodec(&format!("convert --from {from} --dry-run --recursive tree"));
        command.assert().code(status as i32).stderr(summary);
    }
    // An option turns the treatment of such files off, and UTF-16 has zero bytes.
    let message = contains("tree/a.jpg: not GBK at byte offset 0 ");
    room.textcodec("convert --from gbk --dry-run --force tree/a.jpg").assert().code(1).stderr(message);
    room.write("wide", b"a\0\0\xDCb\0");
    let message = contains("wide: not UTF-16LE at byte offset 2 ");
    room.textcodec("convert --from utf-16le --dry-run wide").assert().code(1).stderr(message);
    // Elsewhere, the first malformed bytes are the error.
    let message = contains("tree/a.png: not UTF-8 at byte offset 0 ");
    room.textcodec("convert tree/a.png").assert().code(1).stderr(message);
    let message =
        contains("tree/a.png: the file looks binary: it has control characters, the first at line 3, column 1\n");
    room.textcodec("convert --from auto tree/a.png").assert().code(1).stderr(message);
}

#[test]
fn two_files_are_never_written_to_one_name() {
    let room = Room::with([("a/x", WINDOWS_1251), ("b/x", WINDOWS_1251)]);
    let mut command = room.textcodec("convert -f windows-1251 a/x b/x --output-dir out");
    command.assert().code(1).stderr(contains("would both be written to "));
    assert_eq!(room.names(), ["a", "b"]);
    let mut command = room.textcodec("convert -f windows-1251 -r a --output-dir a");
    command.assert().code(1).stderr(contains("this is the file that is read; --in-place converts it"));
    assert_eq!(room.read("a/x"), WINDOWS_1251);
    // A file that is named twice is one file.
    room.textcodec("convert -f windows-1251 -i -r a a/x ./a/../a/x").assert().success().stderr("");
    assert_eq!(room.read("a/x"), TEXT.as_bytes());
}

#[test]
fn a_directory_needs_recursive() {
    let room = tree();
    for arguments in ["-i tree", "--output-dir out tree"] {
        let mut command = room.textcodec(&format!("convert {arguments}"));
        command.assert().code(1).stderr(contains("tree: this is a directory\n  With --recursive"));
    }
    assert_eq!(room.names(), ["tree"]);
}

#[test]
fn options_for_many_files_need_a_place_for_them() {
    let room = tree();
    for arguments in [
        "-r tree",
        "-i",
        "-i -o out tree/a.txt",
        "-i --output-dir out tree/a.txt",
        "--suffix .orig tree/a.txt",
        "-i --suffix a/b tree/a.txt",
        "-n -o out tree/a.txt",
        "--keep-time tree/a.txt",
        "--include *.txt -i tree/a.txt",
        "-i -r --include !a tree",
        "-i -r --include a[ tree",
        "-i -j 0 tree/a.txt",
    ] {
        room.textcodec(&format!("convert -f windows-1251 {arguments}")).assert().code(2);
    }
    assert_eq!((room.names(), room.read("tree/a.txt")), (vec!["tree".to_owned()], WINDOWS_1251.to_vec()));
}

#[test]
fn standard_input_has_no_place() {
    Room::new()
        .textcodec("convert -i -")
        .assert()
        .code(1)
        .stderr(contains("cannot read -: ").and(contains("textcodec: \"-\" is the name of a file here")));
    let room = Room::with([("-", WINDOWS_1251)]);
    room.textcodec("convert -f windows-1251 --output-dir out -").write_stdin("").assert().success();
    room.textcodec("convert -f windows-1251 -i -v -")
        .write_stdin("")
        .assert()
        .success()
        .stdout(contains("-: converted"));
    assert_eq!((room.read("-"), room.read("out/-")), (TEXT.into(), TEXT.into()));
}

#[test]
fn a_path_that_no_system_opens_is_not_printed_as_a_whole() {
    let path = "directory/".repeat(600) + "file";
    for command in ["convert -i", "convert", "check", "show", "sniff"] {
        let output = Room::new().textcodec(&format!("{command} {path}")).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.len() < 600 && message.contains("y/…ctory/") && message.contains("/file: "), "{message}");
    }
}

#[test]
fn empty_files_are_files() {
    let room = Room::with([("tree/empty", b"".as_slice()), ("tree/empty.html", b"")]);
    let summary = "0 converted, 2 already UTF-8, 0 skipped, 0 failed";
    for from in ["gbk", "auto", "utf-16-bom", "cp037", "utf-7", "auto --guess", "auto --fallback koi8-r"] {
        room.textcodec(&format!("convert -f {from} -i -r tree")).assert().success().stderr(contains(summary));
    }
    room.textcodec("convert -f gbk --bom -i -r tree").assert().success().stderr(contains("2 converted"));
    assert_eq!(room.read("tree/empty"), b"\xEF\xBB\xBF");
    room.textcodec("check -r tree").assert().success().stdout(contains("note: ").count(2));
}

#[test]
fn a_dry_run_tells_the_evidence_for_each_encoding() {
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0? \xC2\xF1\xE5 \xF5\xEE\xF0\xEE\xF8\xEE.";
    let room = Room::with([
        ("a.xml", &b"<?xml version='1.0' encoding='windows-1251'?><a>\xCF</a>"[..]),
        ("b.txt", b"\xFE\xFF\0\xE9"),
        ("c.txt", b"\x1B$B\x46\x7C\x1B(B\n"),
        ("d.txt", russian),
    ]);
    let options = "convert --from auto --guess --declarations update --in-place --dry-run";
    let output = room.textcodec(&format!("{options} a.xml b.txt c.txt d.txt")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let evidence: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("  evidence: ")).collect();
    let [declared, marked, structure, guess] = *evidence else { panic!("{text}") };
    let known = ["the declaration in the file", "the byte order mark", "the structure of the bytes"];
    assert_eq!([declared, marked, structure], known, "{text}");
    assert!(guess.starts_with("a guess: Russian, probability 0.9"), "{guess}");
}

#[test]
fn a_difference_shows_every_line_that_changes() {
    let old = b"plain\ncaf\xE9\r\nplain\n\xA0x\n";
    let room = Room::with([("a", &old[..]), ("b", b"plain\n"), ("wide", b"\xFF\xFEa\0\r\0b\0")]);
    let diff =
        "--- a (windows-1252)\n+++ a (UTF-8)\n@@ -2 +2 @@\n-caf\\xe9\\r\n+café\n@@ -4 +4 @@\n-\\xa0x\n+\u{A0}x\n";
    let options = "convert --from latin1 --newlines lf --in-place --diff";
    room.textcodec(&format!("{options} a b")).assert().success().stdout(contains(diff));
    let red = contains("\u{1B}[1;31m-caf\\xe9\\r\u{1B}[0m\n\u{1B}[1;32m+café\u{1B}[0m\n");
    room.textcodec(&format!("{options} --color always a")).assert().success().stdout(red);
    room.textcodec("convert --from utf-16le --newlines lf --in-place --diff wide")
        .assert()
        .success()
        .stdout(contains("@@ -1 +1 @@\n-\\u{feff}a\\r\n+a\n").and(contains("-4").not()));
    assert_eq!(room.read("a"), old);
    let long = [&b"a".repeat(100_000)[..], b"\xE9", &b"b".repeat(100_000)].concat();
    room.write("long", &long);
    let output = room.textcodec("convert --from latin1 --diff long").output().unwrap().stdout;
    assert!(output.len() < 2000, "{}", output.len());
    assert!(String::from_utf8(output).unwrap().contains("\n+[99960 characters]aaaa"));
    room.textcodec("convert --diff a").assert().code(1).stderr(contains("a: not UTF-8"));
    room.textcodec("repair --diff a").assert().code(1);
}

#[test]
fn a_report_has_no_lines_of_files_that_are_skipped() {
    // The first zero byte comes after the pieces that are read at once.
    let late = [&"☃\n".repeat(9)[..], &"a".repeat(200_000), "\0"].concat();
    let room = Room::with([("a", "☃".as_bytes()), ("late", late.as_bytes()), ("z", "é☃".as_bytes())]);
    for places in ["-i -n", "--output-dir out", "-i"] {
        let arguments = format!("convert -t latin1 -e html {places} -r a late z --report list --jobs 1");
        room.textcodec(&arguments).assert().success();
        let list = String::from_utf8(room.read("list")).unwrap();
        let lines: Vec<_> = list.lines().map(|line| line.split(": ").next().unwrap()).collect();
        assert_eq!(lines, ["a:1:1", "z:1:2"], "{places}");
    }
    assert_eq!((room.read("late"), room.read("out/late")), (late.clone().into_bytes(), late.into_bytes()));
}

#[test]
fn the_kind_of_each_failure_is_told_in_json() {
    let koi8 = textcodec::KOI8_R.encode("Привет, как дела? Все хорошо, спасибо. А у тебя?").bytes;
    for (arguments, content, kind) in [
        ("--from cp037 --record-length 3 --dry-run a", &b"\x81\x82\x83\x84"[..], "record"),
        ("--to cp037 --record-length 3 --dry-run a", b"abcd", "record"),
        ("--from windows-1251 --to koi8-r --dry-run a", &koi8, "in-target-encoding"),
        ("--from latin1 --output-dir out a", b"\xE9", "io"),
        ("--to latin1 --dry-run a", "☃".as_bytes(), "unmappable"),
        ("--to BS_4730 --errors html --dry-run a", "☃".as_bytes(), "unmappable"),
        ("--dry-run a", b"a\xFF", "malformed"),
        ("--from auto --dry-run a", b"<?xml version='1.0' encoding='utf-8'?>\xFF", "malformed"),
        ("--from auto --dry-run a", b"<!doctype html><meta charset=koi8-r>a", "declaration"),
        (
            "--from auto --to x-user-defined --declarations update --dry-run a",
            b"<!doctype html><meta charset=koi8-r>a",
            "declaration",
        ),
        ("--from auto --dry-run a", b"caf\xE9 noir", "unknown-encoding"),
        ("--from auto --dry-run a", b"<!doctype html><meta charset=cp278>Gr\x80", "unknown-encoding"),
        ("--from auto --dry-run a", b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xFF", "damaged"),
        ("--from latin1 --dry-run a", b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xFF", "damaged"),
    ] {
        let room = Room::with([("a", content), ("out/a/b", b"")]);
        let output =
            room.textcodec(&format!("convert --json {arguments}")).assert().code(1).get_output().stdout.clone();
        let line = String::from_utf8(output).unwrap();
        let message = r#""outcome":"failed","encoding":null,"evidence":null,"language":null"#;
        assert!(line.contains(&format!(r#""kind":"{kind}","message":""#)) && line.contains(message), "{line}");
    }
}

#[test]
fn a_line_of_a_style_sheet_that_is_not_utf_8_tells_the_default() {
    let room = Room::with([("a.css", b"/* caf\xE9 */\n")]);
    let lines = "a.css: would be converted from UTF-8\n  before: /* caf\\xe9 */\n  after:  /* caf\u{FFFD} */\n  \
                 evidence: the default of XML and CSS\n";
    room.textcodec("convert --from auto --errors replacement --dry-run a.css").assert().success().stdout(lines);
}

#[test]
fn gitignore_files_may_have_odd_lines_and_stand_beside_a_file_with_the_name_git() {
    let room = Room::new();
    let paths = ["a.log", "b.tmp", "c", "d.txt", "sub/a.log", "sub/e"];
    for path in paths {
        room.write(&format!("tree/{path}"), WINDOWS_1251);
    }
    // A work tree of git has a file of this name.
    room.write("tree/.git", b"gitdir: ../repository\n");
    room.write("tree/.gitignore", b"[z-a]\r\n*.tmp\r\n\xFF\r\nsub/e");
    room.write("home/git/ignore", b"*.log\n");
    room.write("tree/sub/.gitignore", b"!a.log\n");
    for (global, left_out) in [("home", &["a.log", "b.tmp", "sub/e"][..]), ("none", &["b.tmp", "sub/e"])] {
        let mut command = room.textcodec("convert -f windows-1251 -n -r --gitignore tree");
        let output = command.env("XDG_CONFIG_HOME", room.path(global)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let lines = String::from_utf8(output.stdout).unwrap().replace('\\', "/");
        let is_taken = |path: &&str| lines.lines().any(|line| line.contains(&format!("tree/{path}: ")));
        let found: Vec<_> = paths.into_iter().filter(is_taken).collect();
        let expected: Vec<_> = paths.into_iter().filter(|path| !left_out.contains(path)).collect();
        assert_eq!(found, expected, "{global}: {lines}");
    }
}

#[test]
fn a_byte_order_mark_that_is_text_is_no_evidence() {
    let room = Room::with([("a", "\u{FEFF}é".as_bytes())]);
    for (option, evidence) in [("", "bom"), ("--ignore-bom", "option")] {
        let json = contains(format!(r#""outcome":"converted","encoding":"UTF-8","evidence":"{evidence}","#));
        let line = contains(if option.is_empty() { r#""after":"é"}"# } else { r#""before":null,"after":null}"# });
        let command = format!("convert --from utf-8 --to utf-16le {option} --dry-run --json a");
        room.textcodec(&command).assert().success().stdout(json.and(line));
    }
    let mut command = room.textcodec("convert --from latin1 --ignore-bom --force --dry-run a");
    command.assert().success().stdout(contains("  before: \\u{feff}é\n  after:  ï»¿Ã©\n"));
}

#[test]
fn the_same_text_in_two_encodings_may_be_converted_from_one_to_the_other() {
    let text = "Привет, как дела? Все хорошо, спасибо. А у тебя?";
    let koi8 = textcodec::KOI8_R.encode(text).bytes;
    let room = Room::with([("a", &*koi8)]);
    let same = "textcodec: 0 converted, 1 already KOI8-R, 0 skipped, 0 failed\n";
    room.textcodec("convert --from koi8-u --to koi8-r --in-place a").assert().success().stderr(same);
    assert_eq!(room.read("a"), &*koi8);
}
