//! The examples of `--help` (which are those of the man pages) and of the documents: each one runs.

use std::{collections::BTreeSet, fs, os::unix::fs::symlink, path::PathBuf, process::Command};

use crate::{
    names_zip::{archive, entry},
    room::Room,
};

/// What happens when the examples with this first line run, one after the other, in a directory with these files.
struct Example {
    /// The first line, as it is written.
    first: &'static str,
    /// The files: their names, and their bytes. A byte above 7F is written as the character of this code point.
    files: &'static [(&'static str, &'static str)],
    /// The exit status of the last command.
    status: i32,
    /// A part of what is printed on both streams.
    printed: &'static str,
    /// A file that is there afterwards, with its bytes.
    result: Option<(&'static str, &'static str)>,
}

const fn example(
    first: &'static str,
    files: &'static [(&'static str, &'static str)],
    status: i32,
    printed: &'static str,
) -> Example {
    Example { first, files, status, printed, result: None }
}

impl Example {
    const fn writes(mut self, name: &'static str, bytes: &'static str) -> Self {
        self.result = Some((name, bytes));
        self
    }
}

/// Texts in Shift_JIS, GBK, UTF-8, windows-1252, UTF-8 that was decoded wrongly, and windows-1251.
const SHIFT_JIS: &str = "\u{93}\u{FA}\u{96}\u{7B}\n";
const GBK: &str = "\u{C8}\u{D5}\u{B1}\u{BE}\n";
const UTF_8: &str = "caf\u{C3}\u{A9}\n";
const FRENCH: &str = "La rivi\u{E8}re \u{E9}tait gel\u{E9}e, et les enfants glissaient d\u{E9}j\u{E0}.\n";
const GARBLED: &str = "caf\u{C3}\u{83}\u{C2}\u{A9}\n";
const RUSSIAN: &str =
    "\u{CF}\u{F0}\u{E8}\u{E2}\u{E5}\u{F2}, \u{EA}\u{E0}\u{EA} \u{E4}\u{E5}\u{EB}\u{E0}, \u{EC}\u{E8}\u{F0}?\n";

/// Every example, by its first line. Examples that follow each other without an explanation are one script.
const EXAMPLES: &[Example] = &[
    example("textcodec sniff *.html", &[("a.html", "<meta charset=gbk>")], 0, "a.html: GBK, "),
    example("curl https://example.com | textcodec sniff --as html --http-charset gbk", &[], 0, "GBK, "),
    example(
        "textcodec sniff --guess --among windows-1251,koi8-r,ibm866 *.txt",
        &[("a.txt", RUSSIAN)],
        0,
        "a.txt: windows-1251, guessed: Russian",
    ),
    example(
        "textcodec sniff --guess --candidates letter.txt",
        &[("letter.txt", RUSSIAN)],
        0,
        "\n  windows-1251: Russian",
    ),
    example(
        "textcodec sniff --json legacy.txt",
        &[("legacy.txt", UTF_8)],
        0,
        r#"{"file":"legacy.txt","kind":"text","encoding":"UTF-8","confidence":"tentative","#,
    ),
    example("textcodec convert --from shift_jis in.txt -o out.txt", &[("in.txt", SHIFT_JIS)], 0, "")
        .writes("out.txt", "\u{E6}\u{97}\u{A5}\u{E6}\u{9C}\u{AC}\n"),
    example(
        "textcodec convert --from auto --declarations update page.html -o page.html",
        &[("page.html", "<meta charset=gbk>\u{C8}\u{D5}")],
        0,
        "",
    )
    .writes("page.html", "<meta charset=UTF-8>\u{E6}\u{97}\u{A5}"),
    example(
        "textcodec convert --to windows-1252 --errors html --declarations update page.html -o page.html",
        &[("page.html", "<meta charset=utf-8>\u{C3}\u{A9}\u{E6}\u{97}\u{A5}")],
        0,
        "",
    )
    .writes("page.html", "<meta charset=windows-1252>\u{E9}&#26085;"),
    example("textcodec convert --to utf-16le --bom in.txt -o out.txt", &[("in.txt", "a")], 0, "")
        .writes("out.txt", "\u{FF}\u{FE}a\0"),
    example("curl https://example.com | textcodec convert --from gbk | less", &[], 0, "日本"),
    example(
        "textcodec convert --from auto --fallback windows-1252 notes.txt",
        &[("notes.txt", "caf\u{E9}\n")],
        0,
        "café\n",
    ),
    example(
        "textcodec convert --from auto --guess --languages ru,uk letter.txt",
        &[("letter.txt", RUSSIAN)],
        0,
        "Привет, как дела",
    ),
    example(
        "textcodec convert --from cp850 --newlines lf --to utf-8 old.txt -o new.txt",
        &[("old.txt", "caf\u{82}\r\n")],
        0,
        "",
    )
    .writes("new.txt", UTF_8),
    example(
        "textcodec convert --to exact-us-ascii --transliterate --errors escape --report list.txt notes.txt",
        &[("notes.txt", "caf\u{C3}\u{A9} \u{E6}\u{97}\u{A5}\n")],
        0,
        "cafe \\u{65E5}\n",
    ),
    example(
        "textcodec convert --from auto --in-place --recursive --dry-run src",
        &[("src/a.html", "<meta charset=gbk>"), ("src/b.txt", "\u{FF}\u{FE}a\0")],
        1,
        "src/b.txt",
    ),
    example(
        "textcodec convert --from auto --guess --recursive --dry-run --json src",
        &[("src/a.txt", RUSSIAN)],
        0,
        r#""evidence":"guess","language":"ru","probability":0.9"#,
    ),
    example(
        "textcodec convert --from gbk --output-dir new --recursive --diff src",
        &[("src/a.txt", GBK)],
        0,
        "+日本\n",
    ),
    example(
        "textcodec convert --from gbk --in-place --recursive --include '*.txt' --suffix .orig docs",
        &[("docs/a.txt", GBK), ("docs/b.c", GBK)],
        0,
        "",
    )
    .writes("docs/a.txt.orig", GBK),
    example(
        "textcodec convert --from euc-jp --recursive old --output-dir new",
        &[("old/a/b", "\u{C6}\u{FC}\n")],
        0,
        "",
    )
    .writes("new/a/b", "\u{E6}\u{97}\u{A5}\n"),
    example("textcodec show notes.txt", &[("notes.txt", UTF_8)], 0, "63 61 66 C3 A9"),
    example("textcodec show --errors --from utf-8 notes.txt", &[("notes.txt", "caf\u{E9}\n")], 0, "not UTF-8: E9"),
    example("textcodec show --names notes.txt", &[("notes.txt", "\u{C2}\u{A0}\n")], 0, "U+00A0 NO-BREAK SPACE"),
    example("textcodec show --from gbk --offset 0x1000 --length 64 notes.txt", &[], 0, "日(U+65E5)本(U+672C)"),
    example(
        "textcodec check --recursive --include '*.txt' .",
        &[("a.txt", "\u{E9}\n"), ("b", "\u{E9}")],
        1,
        "a.txt:1:1: ",
    ),
    example(
        "textcodec check --encoding windows-1251 --to koi8-r letter.txt",
        &[("letter.txt", LETTER)],
        1,
        "letter.txt:3:17: error: byte offset 142: KOI8-R has no U+2116 (№) [unmappable]\n",
    ),
    example(
        "textcodec check --recursive --deny all --allow mixed-newlines src/",
        &[("src/a", "a\r\nb\n"), ("src/b", "\u{EF}\u{BB}\u{BF}a\n")],
        1,
        "[bom]\n",
    ),
    example(
        "textcodec check --deny bom,trailing-bytes --fix notes.txt",
        &[("notes.txt", "\u{EF}\u{BB}\u{BF}a\n\u{1A}")],
        0,
        "fixed: trailing-bytes, bom",
    )
    .writes("notes.txt", "a\n"),
    example(
        "textcodec check --encoding auto --json --limit 10 *.html",
        &[("a.html", "<meta charset=utf-8>\u{FF}")],
        1,
        r#""kind":"malformed""#,
    ),
    example("textcodec repair --dry-run notes.txt", &[("notes.txt", GARBLED)], 0, "- cafÃ©\n+ café\n"),
    example("textcodec repair --in-place notes.txt", &[("notes.txt", GARBLED)], 0, "repaired 1 line")
        .writes("notes.txt", UTF_8),
    example(
        "textcodec repair --encoding windows-1251,koi8-r letters.txt -o repaired.txt",
        &[("letters.txt", "\u{D0}\u{A0}\u{D1}\u{9F}\u{D0}\u{A1}\u{D0}\u{82}\u{D0}\u{A0}\u{D1}\u{91}\n")],
        0,
        "repaired 1 line",
    )
    .writes("repaired.txt", "\u{D0}\u{9F}\u{D1}\u{80}\u{D0}\u{B8}\n"),
    example(
        "textcodec repair --was shift_jis --read-as cp437 names.txt",
        &[(
            "names.txt",
            "\u{C3}\u{B4}\u{C2}\u{B7}\u{C3}\u{BB}{\u{C3}\u{AE}\u{CE}\u{A9}\u{C3}\u{A9}\u{E2}\u{95}\u{A0}\u{C3}\u{A2}e\u{C3}\u{A2}L\n",
        )],
        0,
        "日本語のテキ",
    ),
    example(
        "textcodec repair --mixed utf-8,windows-1251 server.log",
        &[("server.log", "\u{D0}\u{9F} \n\u{CF}\u{F0}\u{E8}\n")],
        0,
        "П \nПри\n",
    ),
    example("textcodec names --from cp932 music/", &[], 0, "\" -> 日本"),
    example("textcodec names --from cp932 --apply music/", &[], 0, "1 renamed").writes("music/日本", SHIFT_JIS),
    example("textcodec names --undo textcodec-names-1.undo", &[], 0, "1 has its old name again"),
    example(
        "textcodec names --from utf-8 --normalize nfc --apply from-a-mac/",
        &[("from-a-mac/e\u{301}", "x")],
        0,
        "1 renamed",
    )
    .writes("from-a-mac/é", "x"),
    example("textcodec names --zip photos.zip", &[], 0, "Фото.jpg"),
    example("textcodec names --zip photos.zip --from cp866 --output photos-utf8.zip", &[], 0, ""),
    example(
        "git config filter.sjis.clean 'textcodec git-filter clean --encoding shift_jis %f'",
        &[("a.txt", SHIFT_JIS)],
        0,
        "",
    ),
    example("git add --renormalize .", &[], 0, ""),
    example("git config diff.text.textconv 'textcodec git-filter textconv'", &[], 0, ""),
    // Documents.
    example(
        "options=\"--from auto --guess --in-place --recursive --declarations update --suffix .orig\"",
        &[("notes/a.txt", FRENCH), ("letters.txt", GARBLED), ("page.html", "<meta charset=gbk>")],
        0,
        "1 to convert",
    )
    .writes("notes/a.txt.orig", FRENCH),
    example("textcodec check --recursive src/", &[("src/names.c", "ok\nn\u{E9}\n")], 0, "src/names.c:2:2: error: "),
    example(
        "textcodec repair --dry-run letters.txt && textcodec repair --in-place letters.txt",
        &[("letters.txt", GARBLED)],
        0,
        "+ café\n",
    )
    .writes("letters.txt", UTF_8),
    example("textcodec convert --from cp850 --newlines lf old.txt -o new.txt", &[("old.txt", "\u{82}\r\n")], 0, "")
        .writes("plain.txt", "e\n"),
    example(
        "ln -s \"$(command -v textcodec)\" ~/bin/iconv && iconv -f LATIN1 -t UTF-8 old.txt",
        &[("bin/x", ""), ("old.txt", "\u{E9}")],
        0,
        "é",
    ),
    example(
        "textcodec check --recursive --gitignore --deny all --allow bom,mixed-newlines .",
        &[("src/a", "\u{EF}\u{BB}\u{BF}a\n\u{1A}")],
        0,
        "[trailing-bytes]\n",
    )
    .writes("src/a", "a\n"),
];

/// A letter whose third line has "№" in its seventeenth column, at byte 142.
const LETTER: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\
                      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\naaaaaaaaaaaaaaaa\u{B9}\n";

/// The bytes that a string of this table stands for.
fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).unwrap()).collect()
}

/// The scripts of a help text: lines without the explanations between them.
fn of_help(help: &str) -> Vec<String> {
    let Some((_, examples)) = help.split_once("Examples:\n") else { return Vec::new() };
    let (examples, _) = examples.split_once("Exit status:").unwrap_or((examples, ""));
    let (mut scripts, mut is_open) = (Vec::<String>::new(), false);
    for line in examples.lines().filter(|line| !line.is_empty()) {
        let command = line.strip_prefix("  ").filter(|line| !line.starts_with(' '));
        match (command, scripts.last_mut().filter(|_| is_open)) {
            (Some(command), Some(script)) => *script += &format!("\n{command}"),
            (Some(command), None) => scripts.push(command.to_owned()),
            (None, _) => {}
        }
        is_open = command.is_some();
    }
    scripts
}

/// The scripts of a document that call the program.
fn of_document(text: &str) -> Vec<String> {
    let scripts = text.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("\n```").map(|(script, _)| script));
    scripts.filter(|script| script.contains("textcodec") && !script.contains("cargo ")).map(str::to_owned).collect()
}

#[test]
fn every_example_of_the_help_and_of_the_documents_does_what_it_says() {
    let mut scripts = Vec::new();
    for command in ["check", "convert", "git-filter", "names", "repair", "show", "sniff"] {
        let help = Room::new().textcodec(&format!("{command} --help")).output().unwrap();
        let of_command = of_help(&String::from_utf8(help.stdout).unwrap());
        assert!(!of_command.is_empty(), "{command}");
        scripts.extend(of_command);
    }
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect();
    for document in ["README.md", "docs/program.md", "docs/check.md", "docs/names.md"] {
        scripts.extend(of_document(&fs::read_to_string(root.join(document)).unwrap()));
    }
    let (mut used, mut wrong) = (BTreeSet::new(), Vec::new());
    for script in scripts {
        let first = script.lines().next().unwrap();
        let Some(example) = EXAMPLES.iter().find(|example| example.first == first) else {
            wrong.push(format!("the table has no entry for the example {first}"));
            continue;
        };
        used.insert(example.first);
        wrong.extend(run(&script, example));
    }
    wrong.extend(
        EXAMPLES.iter().filter(|example| !used.contains(example.first)).map(|e| format!("nobody writes {}", e.first)),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a script. Returns what is wrong.
fn run(script: &str, example: &Example) -> Option<String> {
    let (room, tools) = (Room::new(), Room::new());
    symlink(env!("CARGO_BIN_EXE_textcodec"), tools.path("textcodec")).unwrap();
    for (name, text) in [("curl", "printf '\\310\\325\\261\\276\\n'"), ("less", "cat")] {
        tools.write(name, format!("#!/bin/sh\n{text}\n").as_bytes());
        fs::set_permissions(tools.path(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    for (name, text) in example.files {
        room.write(name, &bytes(text));
    }
    prepare(script, &room);
    let mut command = Command::new("sh");
    let path = std::env::var("PATH").unwrap();
    command.args(["-c", script]).current_dir(room.path("")).env("HOME", room.path(""));
    command.env("PATH", format!("{}:{}:{path}", tools.path("").display(), room.path("bin").display()));
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("LC_ALL", "C.UTF-8");
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let is_written =
        example.result.is_none_or(|(name, text)| fs::read(room.path(name)).is_ok_and(|found| found == bytes(text)));
    let is_as_told = output.status.code() == Some(example.status) && printed.contains(example.printed) && is_written;
    (!is_as_told).then(|| format!("{script}\n{}, files as told: {is_written}\n{printed}", output.status))
}

/// Makes what cannot be written as text in the table.
fn prepare(script: &str, room: &Room) {
    use std::os::unix::ffi::OsStrExt;

    if script.contains("names") && script.contains("music/") || script.contains("--undo") {
        fs::create_dir_all(room.path("music")).unwrap();
        let old = std::ffi::OsStr::from_bytes(b"\x93\xFA\x96\x7B");
        fs::write(room.path("music").join(old), bytes(SHIFT_JIS)).unwrap();
    }
    if script.starts_with("textcodec names --undo") {
        room.textcodec("names --from cp932 --apply music/").assert().success();
    }
    if script.contains("photos.zip") {
        room.write("photos.zip", &archive(&[entry(b"\x94\xAE\xE2\xAE.jpg")], b"", false));
    }
    if script.contains("0x1000") {
        room.write("notes.txt", &[&[b'a'; 0x1000], &*bytes(GBK)].concat());
    }
    if script.contains("git ") {
        let git = Command::new("git").args(["init", "-q"]).current_dir(room.path("")).status();
        assert!(git.is_ok_and(|status| status.success()), "the examples need git");
    }
}
