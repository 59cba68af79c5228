//! `textcodec convert`: its error messages, and the files that it leaves unchanged after an error.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

#[test]
fn malformed_input_is_an_error_that_says_where_and_what() {
    let room = Room::with([("in.txt", b"ab\nc\x82\xFFdef")]);
    let message = "textcodec: in.txt: not Shift_JIS at byte offset 4 (line 2, column 2): 82 FF\n  \
                   If the file is in another encoding, name it with --from. With --errors replacement, U+FFFD is written instead.\n";
    let mut command = room.textcodec("convert --from shift_jis in.txt -o out.txt");
    command.assert().code(1).stdout("").stderr(message);
    assert_eq!(room.names(), ["in.txt"]);
}

#[test]
fn what_is_not_utf_8_may_be_in_two_encodings() {
    let room = Room::with([("japanese", b"\x82\xFF"), ("a", b"caf\xE9 noir\n")]);
    let hint =
        "name it with --from; if only parts of it are, see `textcodec repair --mixed`. With --errors replacement";
    room.textcodec("convert a").assert().code(1).stderr(contains(hint));
    room.textcodec("convert --from shift_jis japanese").assert().code(1).stderr(contains("--mixed").not());
}

#[test]
fn an_existing_output_stays_as_it_was() {
    let room = Room::with([("in", b"a\xFF"), ("out", b"before")]);
    room.textcodec("convert in -o out").assert().code(1);
    room.textcodec("convert in -o in").assert().code(1);
    room.textcodec("convert missing -o out").assert().code(1);
    assert_eq!(room.read("in"), b"a\xFF");
    assert_eq!(room.read("out"), b"before");
    assert_eq!(room.names(), ["in", "out"]);
}

#[test]
fn offsets_count_from_the_start_of_the_file_that_is_named() {
    let long = [&b"\xEF\xBB\xBF"[..], "é\n".repeat(100_000).as_bytes(), b"x\xC3"].concat();
    let room = Room::with([("good", b"abc\n\n"), ("bad", &long)]);
    let mut command = room.textcodec("convert good bad");
    command.assert().code(1).stderr(contains("bad: not UTF-8 at byte offset 300004 (line 100001, column 2): C3\n"));
}

#[test]
fn the_text_before_an_error_is_on_standard_output() {
    Room::new()
        .textcodec("convert")
        .write_stdin(&b"before\xFFafter"[..])
        .assert()
        .code(1)
        .stdout("before")
        .stderr(contains("standard input: not UTF-8 at byte offset 6 (line 1, column 7): FF"));
}

#[test]
fn the_byte_order_mark_decides_what_is_malformed() {
    Room::new()
        .textcodec("convert --from windows-1252")
        .write_stdin(&b"\xFF\xFEa\0\0\xDC"[..])
        .assert()
        .code(1)
        .stderr(contains("not UTF-16LE at byte offset 4 (line 1, column 2): 00 DC\n  The byte order mark says"));
}

#[test]
fn the_byte_order_mark_is_named_even_if_from_agrees() {
    let room = Room::with([("in", b"\xEF\xBB\xBF\xFF")]);
    let by_mark = "in: not UTF-8 at byte offset 3 (line 1, column 1): FF\n  The byte order mark says UTF-8. \
                   With --ignore-bom, --from decides. With --errors";
    for arguments in ["", "--from utf-8", "--from koi8-r", "--from auto"] {
        room.textcodec(&format!("convert {arguments} in")).assert().code(1).stderr(contains(by_mark));
    }
    let by_from = "not UTF-8 at byte offset 3 (line 1, column 2): FF\n  If the file is in another encoding, name it";
    room.textcodec("convert --ignore-bom in").assert().code(1).stdout("\u{FEFF}").stderr(contains(by_from));
}

#[test]
fn nothing_is_read_in_the_encoding_replacement() {
    let message = "textcodec: in: the Encoding Standard knows the label of this encoding, but decodes nothing in it\n";
    let room = Room::with([("in", b"abc"), ("empty", b"")]);
    room.textcodec("convert --from iso-2022-kr in").assert().code(1).stdout("").stderr(message);
    room.textcodec("convert --from iso-2022-kr empty").assert().success();
    room.textcodec("convert --from iso-2022-kr -e replacement in").assert().success().stdout("\u{FFFD}");
}

#[test]
fn a_character_that_cannot_be_encoded_is_an_error() {
    let room = Room::with([("good", b"abc\n"), ("in.txt", "é\nsnow☃man".as_bytes())]);
    let message = "textcodec: in.txt: windows-1252 cannot encode U+2603 (☃), at line 2, column 5, byte offset 7 of the text in UTF-8\n  \
                   With --errors html, &#9731; is written instead; with --errors replacement, a question mark. \
                   UTF-8 can encode every character.\n";
    let mut command = room.textcodec("convert --to windows-1252 good in.txt -o out.txt");
    command.assert().code(1).stdout("").stderr(message);
    assert_eq!(room.names(), ["good", "in.txt"]);
}

#[test]
fn a_control_character_is_not_printed() {
    let room = Room::new();
    let mut command = room.textcodec("convert --to iso-2022-jp");
    command
        .write_stdin("\u{1B}")
        .assert()
        .code(1)
        .stderr(contains("ISO-2022-JP cannot encode U+001B, at line 1, column 1,"));
}

#[test]
fn the_first_error_in_the_text_is_reported() {
    let room = Room::new();
    let mut command = room.textcodec("convert --to windows-1252");
    command.write_stdin("☃".as_bytes().iter().copied().chain([0xFF]).collect::<Vec<_>>());
    command.assert().code(1).stderr(contains("cannot encode U+2603"));
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_and_the_others_are_converted() {
    let room = Room::with([("a", b"abc"), ("b", b"def"), ("unknown.txt", b"\xFF")]);
    let missing = contains("cannot read missing: ").and(contains("cannot read .: is a directory"));
    let missing = missing.and(contains("--recursive with --in-place or --output-dir"));
    room.textcodec("convert a missing . b").assert().code(1).stdout("abcdef").stderr(missing);
    let unknown = contains("unknown.txt: nothing in the file tells its encoding");
    room.textcodec("convert --from auto a unknown.txt b").assert().code(1).stdout("abcdef").stderr(unknown);
    room.textcodec("convert --bom missing").assert().code(1).stdout("");
}

#[test]
fn an_output_file_has_the_text_of_all_files_or_is_not_written() {
    let room = Room::with([("a", b"abc"), ("b", b"def"), ("unknown.txt", b"\xFF")]);
    let missing = contains("cannot read missing: ").and(contains("cannot read .: is a directory"));
    room.textcodec("convert a missing . b -o out").assert().code(1).stdout("").stderr(missing);
    room.textcodec("convert --from auto a unknown.txt b -o out").assert().code(1).stdout("");
    assert_eq!(room.names(), ["a", "b", "unknown.txt"]);
}

/// The start of a photograph: a header of JFIF, which no text has.
const JPEG: &[u8] = b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xFF\xDB\0\x43";

#[test]
fn a_file_that_looks_binary_is_refused_where_it_could_be_destroyed() {
    let late = [&b"abc\n".repeat(100_000)[..], b"\0"].concat();
    let room = Room::with([("photo.jpg", JPEG), ("late", &late), ("controls", b"\x01\x02\x03abc"), ("text", b"abc")]);
    let message = "textcodec: photo.jpg: the file looks binary: it has control characters, the first at line 1, column 5\n  \
                   With --force, it is converted as if it were text.\n";
    for arguments in [
        "--from auto --fallback koi8-r photo.jpg -o photo.jpg",
        "--from auto --fallback koi8-r photo.jpg",
        "--from koi8-r photo.jpg -o photo.jpg",
        "--from x-user-defined photo.jpg -o photo.jpg --errors html",
    ] {
        room.textcodec(&format!("convert {arguments}")).assert().code(1).stdout("").stderr(message);
    }
    let late_message = contains("late: the file looks binary").and(contains("line 100001, column 1"));
    room.textcodec("convert late -o late").assert().code(1).stderr(late_message);
    room.textcodec("convert controls -o controls").assert().code(1).stderr(contains("looks binary"));
    let others = "convert --from auto --fallback koi8-r text photo.jpg text";
    room.textcodec(others).assert().code(1).stdout("abcabc").stderr(message);
    assert!(room.read("photo.jpg") == JPEG && room.read("late") == late);
    room.textcodec("convert --from koi8-r --force photo.jpg -o photo.jpg").assert().success();
    assert_eq!(room.read("photo.jpg"), textcodec::KOI8_R.decode(JPEG).text.as_bytes());
}

#[test]
fn text_is_not_taken_for_binary() {
    // UTF-16 has zero bytes but no U+0000; old texts have backspaces and end in U+001A.
    let utf_16: Vec<u8> = "naïve\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let room = Room::with([("utf-16", &*utf_16), ("old", b"_\x08a_\x08b\r\n\x0C\x1B[1m\x1A"), ("zero", b"a\0b\0")]);
    for from in ["auto", "utf-16le"] {
        room.textcodec(&format!("convert --from {from} utf-16 -o out")).assert().success();
        assert_eq!(room.read("out"), "naïve\n".as_bytes());
    }
    room.textcodec("convert --from utf-16le utf-16 -o utf-16").assert().success();
    room.textcodec("convert --from auto --fallback koi8-r old -o old").assert().success();
    // The encoding is named, and no file is lost.
    room.textcodec("convert zero").assert().success().stdout("a\0b\0");
    room.textcodec("convert zero -o copy").assert().success();
}

#[test]
fn an_output_that_cannot_be_created_is_an_error() {
    let room = Room::with([("in", b"abc")]);
    room.textcodec("convert in -o no/such/place").assert().code(1).stderr(contains("cannot write no/such/place: "));
    room.textcodec("convert in -o .").assert().code(1).stderr(contains("cannot write .: "));
    assert_eq!(room.names(), ["in"]);
}

#[test]
fn an_unknown_label_is_answered_with_similar_labels() {
    let room = Room::new();
    let message = contains("'shift-jiss' for '--from <LABEL>'").and(contains("did you mean shift-jis, "));
    room.textcodec("convert --from shift-jiss").assert().code(2).stdout("").stderr(message);
    let message = contains("'latin-1' for '--to <LABEL>'").and(contains("did you mean latin1"));
    room.textcodec("convert --to latin-1").assert().code(2).stdout("").stderr(message);
    for (label, message) in [
        ("--to utf-8-sig", "no encoding has this label; --to utf-8 --bom writes UTF-8 with a byte order mark"),
        ("--from UTF8-BOM", "no encoding has this label; did you mean utf-8?"),
        ("--from dos437", "no encoding has this label; did you mean cp437?"),
        ("--from mbcs", "it is the code page of Windows, which depends on its language: windows-1252 in Western"),
        ("--from ebcdic", "it is a family of code pages, for example cp037 in the USA"),
    ] {
        room.textcodec(&format!("convert {label}")).assert().code(2).stdout("").stderr(contains(message));
    }
    let message = contains("no encoding has this label (`textcodec list` prints all)");
    room.textcodec("convert --to quetzalcoatl").assert().code(2).stdout("").stderr(message);
    let message = contains("has this label; --transliterate stands for //TRANSLIT, and --errors ignore for //IGNORE\n");
    room.textcodec("convert --to windows-1252//TRANSLIT").assert().code(2).stdout("").stderr(message);
    let message = contains("no encoding has this label (the option -l prints all)");
    room.textcodec("iconv -t quetzalcoatl").assert().code(1).stdout("").stderr(message);
}

#[test]
fn an_unmappable_character_with_a_likeness_is_answered_with_this_likeness() {
    let room = Room::with([("a", "Tiếng Việt\n".as_bytes()), ("b", "1 – 2\n".as_bytes()), ("c", "日\n".as_bytes())]);
    for (arguments, hint) in [
        ("--to windows-1258 a", "question mark; with --transliterate, ê\u{301}. UTF-8"),
        ("--to exact-us-ascii b", "question mark; with --transliterate, -. UTF-8"),
        ("--to exact-us-ascii c", "question mark. UTF-8"),
        ("--to exact-us-ascii --transliterate c", "question mark. UTF-8"),
    ] {
        room.textcodec(&format!("convert {arguments}")).assert().code(1).stderr(contains(hint));
    }
}

#[test]
fn arguments_that_contradict_each_other_are_answered_with_the_usage_of_their_command() {
    let room = Room::new();
    for (command, arguments) in
        [("convert", "-r ."), ("repair", "-e utf-16le a"), ("names", ""), ("git-filter", "clean")]
    {
        let usage = contains(format!("\n\nUsage: textcodec {command} "));
        room.textcodec(&format!("{command} {arguments}")).assert().code(2).stdout("").stderr(usage);
    }
}

#[test]
fn a_label_of_another_system_is_named_as_such() {
    let room = Room::new();
    for (label, message) in [
        ("cp895", "textcodec does not have this encoding: it is a code page of DOS"),
        ("UTF-1", "does not have this encoding: it is an encoding of Unicode that is not used on the web"),
        ("utf-ebcdic", "does not have this encoding: it is a kind of EBCDIC"),
        ("iso-8859-12", "does not have this encoding: it is a part of ISO 8859 that was never published"),
        (
            "cp932",
            "several encodings have this name: windows-31j, glibc:cp932 and python:cp932; take windows-31j for files from Windows",
        ),
        ("cp285", "two encodings have this name: iana:cp285 and glibc:cp285"),
    ] {
        for option in ["--from", "--to", "--from auto --fallback"] {
            let mut command = room.textcodec(&format!("convert {option} {label}"));
            command.assert().code(2).stdout("").stderr(contains(message).and(contains("did you mean cp").not()));
        }
    }
}

#[test]
fn a_label_of_a_smaller_encoding_is_noted_once() {
    let room = Room::with([("a", "€".as_bytes()), ("b", b"b")]);
    let note = |label, name, smaller| {
        format!(
            "textcodec: --to {label} writes {name}, because the Encoding Standard gives it this label; {smaller} has fewer characters\n"
        )
    };
    for (label, name, smaller) in [
        ("ascii", "windows-1252", "ASCII (--to exact-us-ascii)"),
        ("ISO-8859-1", "windows-1252", "ISO-8859-1 (--to exact-iso-8859-1)"),
        ("latin1", "windows-1252", "ISO-8859-1 (--to exact-iso-8859-1)"),
        ("iso-8859-9", "windows-1254", "ISO-8859-9 (--to exact-iso-8859-9)"),
        ("gb2312", "GBK", "GB 2312"),
    ] {
        let message = note(label.to_lowercase(), name, smaller);
        room.textcodec(&format!("convert --to {label} a b"))
            .assert()
            .success()
            .stdout(b"\x80b".to_vec())
            .stderr(message);
    }
    for label in ["windows-1252", "cp1252", "windows-1254", "gbk"] {
        room.textcodec(&format!("convert --to {label} a b")).assert().success().stdout(b"\x80b".to_vec()).stderr("");
    }
    room.textcodec("convert --from ascii b").assert().success().stderr("");
}

#[test]
fn nothing_is_converted_to_an_encoding_without_encoder() {
    let room = Room::with([("in", b"abc"), ("out", b"before")]);
    for label in ["replacement", "iso-2022-kr"] {
        let mut command = room.textcodec(&format!("convert --to {label} in -o out"));
        command.assert().code(2).stdout("").stderr(contains(
            "means the encoding \"replacement\", which the Encoding Standard does not write; use utf-8",
        ));
    }
    assert_eq!(room.read("out"), b"before");
}

#[test]
fn wrong_arguments_exit_with_2() {
    let room = Room::new();
    room.textcodec("").assert().code(2).stdout("");
    room.textcodec("convert --errors drop")
        .assert()
        .code(2)
        .stderr(contains("fatal, replacement, html, ignore, escape"));
    room.textcodec("convert --from auto --ignore-bom").assert().code(2).stderr(contains("--ignore-bom forbids"));
    let message = contains("--bom needs --to utf-8, utf-16le or utf-16be");
    room.textcodec("convert --to gb18030 --bom").assert().code(2).stdout("").stderr(message);
    room.textcodec("transcode").assert().code(2);
}

#[test]
fn help_and_version_are_there() {
    let room = Room::new();
    room.textcodec("-V").assert().success().stdout(concat!("textcodec ", env!("CARGO_PKG_VERSION"), "\n"));
    let modes = contains("U+FFFD")
        .and(contains("&#9731;"))
        .and(contains("Exit status:"))
        .and(contains("--bom"))
        .and(contains("--ignore-bom"));
    room.textcodec("convert --help").assert().success().stdout(modes);
}

/// Characters that a terminal obeys or that nobody sees: Cc, Cf, and others that are ignored by default.
const HIDDEN: &str =
    "\u{1B}[31m\u{9B}\u{7F}\u{AD}\u{61C}\u{180E}\u{200B}\u{202E}\u{2066}\u{3164}\u{FEFF}\u{FFF9}\u{FFFB}\u{E0041}";

#[test]
fn no_message_has_characters_that_a_terminal_obeys_or_that_nobody_sees() {
    let room = Room::with([("in", b"\xFF"), ("ok", b"abc"), ("tree/x", b"abc")]);
    let forged = format!("u{HIDDEN}\ntextcodec: forged");
    room.write(&format!("tree/{HIDDEN}"), b"\xFF");
    let value = &*forged;
    for (arguments, code) in [
        (&["convert", "--from", value][..], 2),
        (&["convert", "--from", "auto", "--fallback", value], 2),
        (&["convert", "--errors", value], 2),
        (&["convert", "--newlines", value], 2),
        (&["convert", "--from", "auto", "--among", value, "--guess"], 2),
        (&["convert", "--from", "auto", "--languages", value, "--guess"], 2),
        (&["convert", "-r", "-i", "--include", &format!("[{value}-a"), "tree"], 2),
        (&["convert", "-i", "--suffix", &format!("/{value}"), "ok"], 2),
        (&["convert", "--jobs", value, "-i", "ok"], 2),
        (&["convert", &format!("--{value}")], 2),
        (&["convert", &format!("-{value}")], 2),
        (&[value], 2),
        (&["convert", value], 1),
        (&["convert", "ok", "-o", &format!("no/{value}")], 1),
        (&["convert", "ok", "--report", &format!("no/{value}")], 1),
        (&["convert", "-r", "tree", "--output-dir", "ok/x"], 1),
        (&["convert", "--errors", "replacement", "--replacement", value, "in"], 0),
        (&["convert", "-i", "-r", "-v", "tree"], 1),
        (&["check", "-r", "tree"], 1),
        (&["check", "--encoding", value], 2),
        (&["sniff", "--http-charset", value, "ok"], 0),
        (&["sniff", "--as", value], 2),
        (&["show", value], 1),
        (&["show", "--from", value], 2),
        (&["repair", "--mixed", value], 2),
        (&["repair", value], 1),
        (&["list", value], 2),
        (&["completions", value], 2),
        (&["man", value], 1),
        (&["iconv", "-f", value], 1),
        (&["iconv", "-t", value], 1),
        (&["iconv", "-t", "utf-8", "-f", "\n\u{1B}\u{202E}sjis"], 0),
        (&["iconv", "-t", &format!("utf-8//{value}")], 1),
        (&["iconv", &format!("--{value}")], 64),
        (&["--color", value], 2),
    ] {
        let output = room.textcodec("").args(arguments).write_stdin("").output().unwrap();
        let message = String::from_utf8(output.stderr.clone()).unwrap();
        let shown = if arguments.contains(&"--replacement") {
            message.clone()
        } else {
            message.clone() + &String::from_utf8(output.stdout).unwrap()
        };
        let hidden: Vec<_> =
            shown.chars().filter(|&character| HIDDEN.chars().any(|other| other == character)).collect();
        assert!(hidden.iter().all(|character| "[31m".contains(*character)), "{arguments:?}: {hidden:?}");
        assert!(!message.lines().any(|line| line.starts_with("textcodec: forged")), "{arguments:?}: {message}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    }
}

#[test]
fn no_message_repeats_a_long_argument() {
    let long = "é".repeat(60_000);
    let room = Room::with([("in", b"\xFF"), ("ok", b"abc")]);
    for arguments in [
        &["convert", "--from", &*long][..],
        &["convert", "--from", "auto", "--fallback", &long],
        &["convert", "--errors", &long],
        &["convert", &format!("--{long}")],
        &["convert", "--from", "auto", "--guess", "--languages", &"a".repeat(60_000), "in"],
        &["convert", "--errors", "replacement", "--replacement", &long, "in"],
        &["convert", &long],
        &["convert", "-i", &long],
        &["convert", "ok", "-o", &long],
        &[&long],
        &["sniff", "--http-charset", &long, "ok"],
        &["check", "--encoding", &long],
        &["iconv", "-f", &long],
        &["iconv", "-t", &format!("utf-8//{long}")],
        &["iconv", &format!("--{long}")],
    ] {
        let output = room.textcodec("").args(arguments).write_stdin("").output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        let length = message.chars().count();
        assert!((20..2500).contains(&length), "{:?}: {length} characters", &arguments[..arguments.len() - 1]);
    }
}

#[test]
fn joiners_in_words_and_the_selectors_of_emoji_stay_in_messages() {
    let room = Room::new();
    for name in ["می\u{200C}خواهم.txt", "👩\u{200D}👧", "❤\u{FE0F}"] {
        let mut command = room.textcodec("convert");
        command.arg(name).assert().code(1).stderr(contains(format!("cannot read {name}: ")));
    }
}

#[test]
fn arguments_that_contradict_each_other_are_wrong_and_the_message_says_why() {
    let room = Room::with([("in", b"abc")]);
    for (arguments, message) in [
        ("convert -i -o out in", "--in-place and --output name different outputs"),
        ("convert -r in", "--recursive needs --in-place or --output-dir"),
        ("convert --errors html --replacement x in", "--replacement needs --errors replacement"),
        ("convert --to windows-1252 --replacement ш in", "some characters of --replacement cannot be encoded"),
        ("convert --record-length 80 in", "--record-length needs an encoding of EBCDIC"),
        (
            "convert --from auto --ignore-bom in",
            "--from auto looks for byte order marks, and --ignore-bom forbids this",
        ),
        ("convert --from sjis --fallback sjis in", "--fallback needs --from auto"),
        ("convert --from auto --trust-fallback in", "--trust-fallback needs --fallback"),
        ("convert --from sjis --guess in", "--guess needs --from auto"),
        ("convert --from auto --min-probability 0.5 in", "--min-probability needs --guess"),
        ("convert --to sjis --bom in", "--bom needs --to utf-8, utf-16le or utf-16be"),
        ("names", "names needs a PATH, --zip or --undo"),
        ("names --from sjis --to utf-16le in", "--to names an encoding in which no file has its name"),
        ("names --from utf-16le in", "--from names an encoding in which no file has its name"),
        ("names --from ibm037 in", "--from names an encoding in which no file has its name"),
        ("names --to sjis in", "--to with another encoding than UTF-8 needs --from"),
        ("names --from sjis --to euc-jp --zip in", "the new names must be in UTF-8 here"),
        ("names --from sjis --guess in", "--from and --guess contradict each other"),
        ("git-filter textconv", "textconv needs a FILE"),
        ("git-filter clean", "clean and smudge need --encoding"),
        ("git-filter smudge", "clean and smudge need --encoding"),
    ] {
        room.textcodec(arguments).write_stdin("").assert().code(2).stderr(contains(message));
    }
    // The same without the contradiction.
    for arguments in ["convert --record-length 3 --to ibm037 in", "names --from utf-16le --read-as cp437 in"] {
        room.textcodec(arguments).assert().code(0);
    }
    assert_eq!(room.read("in"), b"abc");
}

#[test]
fn values_that_an_option_does_not_take_are_answered_with_those_that_it_takes() {
    let room = Room::with([("in", b"abc")]);
    let probability = "a probability is a number from 0 to 1, for example 0.9";
    let pattern = "a pattern does not start with \"!\"; there are --include and --exclude";
    for (arguments, message) in [
        ("convert --guess --min-probability=1.01 in", probability),
        ("convert --guess --min-probability=-0.01 in", probability),
        ("convert --guess --min-probability=nan in", probability),
        ("convert --guess --min-probability=x in", probability),
        ("convert --record-length 0 --to cp037 in", "invalid value '0' for '--record-length <BYTES>'"),
        ("convert -i -r --exclude !x .", pattern),
        ("check -r --include !x .", pattern),
        ("check -r --exclude !x .", pattern),
        ("check -r --exclude {a .", "invalid value '{a' for '--exclude <GLOB>'"),
        (
            "repair --mixed utf-8,cp037 in",
            "lines of a file cannot be in cp037, because its line feed is not the byte 0A",
        ),
        (
            "repair --mixed utf-16le in",
            "lines of a file cannot be in UTF-16LE, because its line feed is not the byte 0A",
        ),
        ("names --from sjis --to cp037 in", "--to names an encoding in which no file has its name"),
        ("show --offset 0x in", "invalid value '0x' for '--offset <OFFSET>'"),
        ("show --length=-1 in", "invalid value '-1' for '--length <NUMBER>'"),
        ("show --errors=-1 in", "invalid value '-1' for '--errors[=<LINES>]'"),
    ] {
        room.textcodec(arguments).write_stdin("").assert().code(2).stdout("").stderr(contains(message));
    }
    for number in ["0", "1", "0.5", "1e-3"] {
        let mut command = room.textcodec(&format!("convert --guess --min-probability {number} in"));
        command.assert().success().stdout("abc");
    }
    assert_eq!(room.read("in"), b"abc");
}
