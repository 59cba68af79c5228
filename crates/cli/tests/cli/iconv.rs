//! `textcodec iconv`, and a link with the name iconv.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

#[test]
fn takes_the_arguments_of_iconv() {
    let room = Room::with([("in", b"caf\xE9\x80"), ("utf-8", "café…☃\n".as_bytes())]);
    for arguments in [
        "iconv -f ISO-8859-1 -t UTF-8 in",
        "iconv -f LATIN1 -tUTF8 in",
        "iconv --from-code=8859_1 --to-code=utf-8// in",
        "iconv -t UTF-8 in -f ISO8859-1",
    ] {
        room.textcodec(arguments).assert().success().stdout("café\u{80}").stderr("");
    }
    room.textcodec("iconv -f UTF-8 -t ASCII//TRANSLIT utf-8").assert().success().stdout("cafe...?\n").stderr("");
    room.textcodec("iconv -c -f UTF-8 -t ASCII utf-8").assert().success().stdout("caf\n").stderr("");
    room.textcodec("iconv -f UTF-8 -t ASCII//IGNORE utf-8")
        .assert()
        .code(1)
        .stdout("caf\n")
        .stderr(contains("//IGNORE has"));
    room.textcodec("iconv -f UTF-8 -t UTF-16 utf-8")
        .assert()
        .success()
        .stdout(&b"\xFF\xFEc\0a\0f\0\xE9\0\x26\x20\x03\x26\n\0"[..]);
    room.textcodec("iconv -f UTF-8 -t ISO-8859-15 -o out utf-8").assert().code(1).stderr(contains("U+2026"));
    room.textcodec("iconv -f latin1 -t utf-8 -o out in").assert().success().stdout("");
    assert_eq!(room.read("out"), "café\u{80}".as_bytes());
    room.textcodec("iconv -i -f latin1 -t utf-8 in out").assert().success();
    assert_eq!(room.read("in"), "café\u{80}".as_bytes());
}

#[test]
fn the_status_is_that_of_iconv() {
    let room = Room::with([("bad", b"a\xFFb"), ("good", b"abc")]);
    room.textcodec("iconv -f utf-8 -t latin1 bad").assert().code(1).stdout("a").stderr(contains("byte offset 1"));
    let hint = "name it with -f. With -c, malformed bytes are left out.";
    room.textcodec("iconv -f utf-8 -t latin1 bad").assert().stderr(contains(hint).and(contains("--from").not()));
    room.textcodec("iconv -f utf-8 -t ascii").write_stdin("é").assert().code(1).stderr(contains("With //TRANSLIT"));
    room.textcodec("iconv -f utf-8 -t latin1 missing good").assert().code(1).stdout("abc").stderr(contains("missing"));
    room.textcodec("iconv -f nonsense -t utf-8 good")
        .assert()
        .code(1)
        .stderr(contains("conversion from `NONSENSE' is not supported: no encoding has this label"));
    room.textcodec("iconv -f utf-8 -t utf-7 good").assert().code(1).stderr(contains("it can only be read"));
    room.textcodec("iconv -f UCS-2 -t utf-8").write_stdin("a\0").assert().success().stdout("a");
    room.textcodec("iconv -t utf-8//NOPE good").assert().code(1).stderr(contains("//NOPE is not known"));
    room.textcodec("iconv --nonsense").assert().code(64).stdout("").stderr(contains("--nonsense"));
    room.textcodec("iconv --help").assert().success().stdout(contains("//TRANSLIT"));
    room.textcodec("iconv -c -f utf-8 -t utf-8 bad").assert().success().stdout("ab");
    // With -c, incomplete bytes at the end are an error.
    let mut command = room.textcodec("iconv -c -f utf-8 -t utf-8");
    command.write_stdin(&b"a\xC3"[..]).assert().code(1).stdout("a").stderr(contains("incomplete bytes"));
    // With //TRANSLIT, no character is left out.
    for arguments in ["-t ascii//TRANSLIT//IGNORE", "-c -t ascii//TRANSLIT"] {
        let mut command = room.textcodec(&format!("iconv -f utf-8 {arguments}"));
        command.write_stdin("a☃").assert().success().stdout("a?").stderr("");
    }
    room.textcodec("iconv -f utf-8//IGNORE -t utf-8 bad").assert().code(1).stdout("a");
    // In place, each of the files can be the one with the problem.
    for files in ["cut good", "good cut"] {
        for (arguments, message) in
            [("-c -f utf-8 -t utf-8", "incomplete bytes"), ("-f latin1 -t ascii//IGNORE", "//IGNORE has left out")]
        {
            room.write("cut", b"a\xC3");
            let mut command = room.textcodec(&format!("iconv -i {arguments} {files}"));
            command.assert().code(1).stderr(contains(message));
        }
    }
    for arguments in ["--version", "-V", "--usage", "-?"] {
        room.textcodec(&format!("iconv {arguments}")).assert().success().stdout(contains("iconv")).stderr("");
    }
    room.textcodec("iconv --from=latin1 --to=utf-8 good").assert().success().stdout("abc");
}

#[test]
fn a_byte_order_mark_is_a_character_except_in_utf_16() {
    let room =
        Room::with([("utf-8", b"\xEF\xBB\xBFa"), ("be", b"\xFE\xFF\0a"), ("le", b"\xFF\xFEa\0"), ("none", b"a\0")]);
    room.textcodec("iconv -f UTF-8 -t UTF-8 utf-8").assert().success().stdout("\u{FEFF}a");
    room.textcodec("iconv -f UTF-16LE -t UTF-8 le").assert().success().stdout("\u{FEFF}a");
    for file in ["be", "le", "none"] {
        room.textcodec(&format!("iconv -f UTF-16 -t UTF-8 {file}")).assert().success().stdout("a");
    }
}

#[test]
fn differences_from_glibc_are_noted_unless_it_is_silent() {
    let room = Room::with([("in", b"a")]);
    room.textcodec("iconv -f x-sjis -t utf-8 in").assert().success().stdout("a").stderr(contains(
        "X-SJIS is Shift_JIS as the Encoding Standard defines it, which differs from glibc in some characters",
    ));
    room.textcodec("iconv -s -f x-sjis -t utf-8 in").assert().success().stdout("a").stderr("");
}

#[test]
fn lists_the_names_that_it_takes() {
    let room = Room::with([("in", b"")]);
    let output = room.textcodec("iconv -l").assert().success().stderr("").get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    assert!(
        output.contains("ISO-8859-1// ") && output.contains("CP437// ") && output.contains("UTF-16// "),
        "{output}"
    );
    assert!(!output.contains("EXACT-"), "{output}");
    for line in output.lines() {
        let name = line.split("//").next().unwrap();
        room.textcodec(&format!("iconv -s -f {name} -t UTF-8 in")).assert().success();
    }
}

#[test]
fn the_locale_names_the_encoding_that_is_missing() {
    let room = Room::with([("in", "é".as_bytes())]);
    let mut command = room.textcodec("iconv -t latin1 in");
    command.env_remove("LC_ALL").env("LC_CTYPE", "de_DE.UTF-8").assert().success().stdout(&b"\xE9"[..]);
    let mut command = room.textcodec("iconv -t latin1 in");
    command.env("LC_ALL", "C").assert().code(1).stderr(contains("not exact-us-ascii"));
    // The first of the three that is set and not empty decides.
    for (all, ctype, lang, decides) in [
        ("C", "de_DE.UTF-8", "de_DE.UTF-8", "not exact-us-ascii"),
        ("", "C", "de_DE.UTF-8", "not exact-us-ascii"),
        ("de_DE.UTF-8", "C", "C", ""),
        ("", "de_DE.UTF-8", "C", ""),
        ("", "", "de_DE.UTF-8@euro", ""),
    ] {
        let mut command = room.textcodec("iconv -t latin1 in");
        let result = command.env("LC_ALL", all).env("LC_CTYPE", ctype).env("LANG", lang).assert();
        match decides {
            "" => result.success().stdout(&b"\xE9"[..]).stderr(""),
            error => result.code(1).stderr(contains(error)),
        };
    }
}

#[cfg(unix)]
#[test]
fn a_link_with_the_name_iconv_is_iconv() {
    use predicates::prelude::PredicateBooleanExt;

    let room = Room::with([("in", b"caf\xE9")]);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_textcodec"), room.path("iconv")).unwrap();
    let mut command = assert_cmd::Command::new(room.path("iconv"));
    command.args(["-f", "latin1", "-t", "utf-8"]).arg(room.path("in"));
    command.assert().success().stdout("café");
    let mut command = assert_cmd::Command::new(room.path("iconv"));
    command.args(["-f", "utf-8", "-t", "latin1"]).arg(room.path("in"));
    command.assert().code(1).stderr(contains("iconv: ").and(contains("textcodec: ").not()));
    let mut command = assert_cmd::Command::new(room.path("iconv"));
    command.arg("--nonsense").assert().code(64);
}

/// glibc has these names with punctuation only.
#[test]
fn names_without_punctuation_mean_the_same_as_with_it() {
    let room = Room::with([("in", b"\x80")]);
    for name in ["88591", "88599", "isoir148", "iso885911987"] {
        room.textcodec(&format!("iconv -f {name} -t UTF-8 in")).assert().success().stdout("\u{80}");
    }
    for name in ["usascii", "isoir6", "us"] {
        room.textcodec(&format!("iconv -f {name} -t UTF-8 in")).assert().code(1);
    }
    let room = Room::with([("in", b"a")]);
    for (name, bytes) in
        [("ucs4", b"\0\0\0a"), ("ucs4be", b"\0\0\0a"), ("ucs4le", b"a\0\0\0"), ("iso10646ucs4", b"\0\0\0a")]
    {
        room.textcodec(&format!("iconv -f UTF-8 -t {name} in")).assert().success().stdout(&bytes[..]);
    }
    room.textcodec("iconv -f UTF-8 -t ucs2 in").assert().success().stdout(&b"a\0"[..]);
}

#[cfg(unix)]
#[test]
fn names_of_glibc_mean_what_they_mean_in_glibc() {
    use std::process::Command;

    let version = Command::new("iconv").arg("--version").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("Free Software Foundation")) {
        eprintln!("skipped: glibc's iconv is not installed");
        return;
    }
    let bytes: Vec<u8> = (0x20..=0x7E).chain(0x80..=0xFF).collect();
    for name in [
        "ASCII",
        "ISO-8859-1",
        "ISO-8859-2",
        "ISO-8859-3",
        "ISO-8859-4",
        "ISO-8859-5",
        "ISO-8859-6",
        "ISO-8859-7",
        "ISO-8859-8",
        "ISO-8859-9",
        "ISO-8859-10",
        "ISO-8859-13",
        "ISO-8859-14",
        "ISO-8859-15",
        "ISO-8859-16",
        "KOI8-R",
        "IBM866",
        "CP437",
        "CP850",
        "CP852",
        "CP858",
        "CP1125",
        "IBM037",
        "IBM500",
        "IBM1047",
        "CP737",
        "CP775",
        "CP857",
        "CP862",
        "CP865",
        "CP874",
        "CP278",
        "IBM273",
        "IBM285",
        "EBCDIC-AT-DE",
        "GEORGIAN-PS",
        "KOI8-T",
        "KOI-8",
        "MAC-CENTRALEUROPE",
        "VISCII",
        "ISO646-US",
        "CP367",
        "LATIN1",
        "CP819",
        "ISO88599",
        "LATIN5",
        "L5",
    ] {
        let room = Room::with([("in", &bytes)]);
        // With -c, both leave out the bytes without a character.
        let expected =
            Command::new("iconv").args(["-c", "-f", name, "-t", "UTF-8"]).arg(room.path("in")).output().unwrap();
        if expected.stdout.is_empty() {
            eprintln!("skipped: glibc's iconv does not have {name}");
            continue;
        }
        let mut command = room.textcodec(&format!("iconv -c -f {name} -t UTF-8 in"));
        let text = String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
        assert_eq!(text, String::from_utf8(expected.stdout).unwrap(), "{name}");
    }
}

#[test]
fn each_name_of_utf_16_has_a_byte_order_mark() {
    let room = Room::with([("be", b"\xFE\xFF\0a"), ("in", b"a")]);
    for name in ["UTF-16", "UTF16", "utf16", "csUTF16", "utf-16//"] {
        room.textcodec(&format!("iconv -f {name} -t UTF-8 be")).assert().success().stdout("a");
        let mut command = room.textcodec(&format!("iconv -f UTF-8 -t {name} in"));
        command.assert().success().stdout(&b"\xFF\xFEa\0"[..]);
    }
    for (name, bytes) in [("UTF-16LE", &b"a\0"[..]), ("UTF-16BE", b"\0a")] {
        room.textcodec(&format!("iconv -f UTF-8 -t {name} in")).assert().success().stdout(bytes);
    }
}

#[test]
fn in_place_each_file_is_converted_on_its_own() {
    let room = Room::with([("a", "é".as_bytes()), ("bad", b"\xFF"), ("b", "è".as_bytes())]);
    let messages = contains("bad: not UTF-8 at byte offset 0").and(contains("cannot read missing: "));
    room.textcodec("iconv -i -f utf-8 -t latin1 a bad missing b").assert().code(1).stdout("").stderr(messages);
    let texts = ["a", "bad", "b"].map(|name| room.read(name));
    assert_eq!(texts, [b"\xE9", b"\xFF", b"\xE8"]);
    assert_eq!(room.names(), ["a", "b", "bad"]);
}

#[cfg(unix)]
#[test]
fn in_place_a_file_that_is_named_twice_is_converted_once_and_each_hard_link_is() {
    let room = Room::with([("a", b"\xE9"), ("b", b"\xE8")]);
    std::os::unix::fs::symlink("a", room.path("link")).unwrap();
    std::fs::hard_link(room.path("b"), room.path("other")).unwrap();
    let told = "textcodec: b: its other name (a hard link) keeps the old content\n";
    let mut command = room.textcodec("iconv -i -f latin1 -t utf-8 a ./a link b other b");
    command.assert().success().stdout("").stderr(told);
    let texts = ["a", "link", "b", "other"].map(|name| String::from_utf8(room.read(name)).unwrap());
    assert_eq!(texts, ["é", "é", "è", "è"]);
}

#[test]
fn declarations_and_binary_data_are_text_like_others() {
    let page = "<meta charset=utf-8>é\0".as_bytes();
    let room = Room::with([("page.html", page)]);
    let expected = b"<meta charset=utf-8>\xE9\0";
    room.textcodec("iconv -f UTF-8 -t LATIN1 page.html -o out").assert().success().stdout("").stderr("");
    assert_eq!(room.read("out"), expected);
    room.textcodec("iconv -f UTF-8 -t LATIN1 page.html").assert().success().stdout(&expected[..]).stderr("");
    room.textcodec("iconv -f UTF-8 -t LATIN1 -i page.html").assert().success().stderr("");
    assert_eq!(room.read("page.html"), expected);
}
