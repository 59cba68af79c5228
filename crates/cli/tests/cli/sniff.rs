//! `textcodec sniff`, and `convert --from auto`.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

/// « Привет » in windows-1251.
const TEXT: &str = "Привет";
const WINDOWS_1251: &[u8] = b"\xCF\xF0\xE8\xE2\xE5\xF2";

fn says(arguments: &str, input: &[u8], line: &str) {
    let room = Room::new();
    let mut command = room.textcodec(&format!("sniff {arguments}"));
    command.write_stdin(input).assert().success().stdout(format!("standard input: {line}\n")).stderr("");
}

#[test]
fn prints_encoding_confidence_and_reason_of_each_file() {
    let room = Room::with([
        ("a.html", b"<!doctype html><meta charset=sjis>"),
        ("b.txt", b"\xFF\xFEa\0"),
        ("c.css", b"@charset \"koi8-r\";"),
        ("d.svg", b"<?xml version='1.0' encoding='big5'?><svg/>"),
        ("e", b"plain"),
    ]);
    let lines = "a.html: Shift_JIS, tentative: a meta element declares it\n\
                 b.txt: UTF-16LE, certain: a byte order mark\n\
                 c.css: KOI8-R, certain: @charset declares it\n\
                 d.svg: Big5, certain: an XML declaration\n\
                 e: UTF-8, tentative: all bytes are ASCII, which is the same in nearly every encoding\n";
    room.textcodec("sniff a.html b.txt c.css d.svg e").assert().success().stdout(lines).stderr("");
}

#[test]
fn the_kind_can_be_given() {
    let both = b"<?xml version='1.0' encoding='big5'?><meta charset=sjis>";
    says("", both, "Big5, certain: an XML declaration");
    says("--as html", both, "Shift_JIS, tentative: a meta element declares it");
    says("--as xml -", both, "Big5, certain: an XML declaration");
    says(
        "--as css",
        both,
        "UTF-8, certain: the default, as nothing says otherwise; all bytes are ASCII, which is the same in nearly every encoding",
    );
    says("--as text", WINDOWS_1251, "windows-1252, tentative: the default, as nothing says otherwise");
}

#[test]
fn the_charset_of_http_wins_if_its_label_is_known() {
    let page = b"<meta charset=sjis>";
    says("--http-charset euc-jp", page, "EUC-JP, certain: --http-charset says so");
    let room = Room::with([("page", page)]);
    room.textcodec("sniff --http-charset bogus page")
        .assert()
        .success()
        .stdout("page: Shift_JIS, tentative: a meta element declares it\n")
        .stderr("textcodec: no encoding has the label \"bogus\" of --http-charset, so it counts as none\n");
}

#[test]
fn the_structure_of_the_bytes_precedes_the_default() {
    let line = "UTF-8, tentative: well-formed, with 1 sequence of more than one byte";
    says("", format!("{}é", "a".repeat(5000)).as_bytes(), line);
    says("", b"\x1B$B%F\x1B(B", "ISO-2022-JP, tentative: 2 escape sequences");
    says("", b"\0a\0b", "UTF-16BE, tentative: 2 code units with a higher byte of zero");
}

#[test]
#[cfg_attr(windows, ignore = "Windows forbids quotation marks in file names")]
fn json_prints_one_object_per_line() {
    let room = Room::with([("a \"b\".html", b"<meta charset=sjis>"), ("c", b""), ("d.xml", b"<a>\xE9</a>")]);
    let mut command = room.textcodec("sniff --json c d.xml");
    let objects = "{\"file\":\"c\",\"kind\":\"text\",\"encoding\":\"UTF-8\",\"confidence\":\"tentative\",\
                   \"rung\":\"ascii\",\"reason\":\"the file is empty\",\"malformed_at\":null}\n\
                   {\"file\":\"d.xml\",\"kind\":\"xml\",\"encoding\":null,\"confidence\":null,\"rung\":\"default\",\
                   \"reason\":\"nothing in the file tells its encoding, and it is not UTF-8\",\"malformed_at\":3}\n\
                   {\"file\":\"a \\\"b\\\".html\",\"kind\":\"html\",\"encoding\":\"Shift_JIS\",\"confidence\":\"tentative\",\
                   \"rung\":\"meta\",\"reason\":\"a meta element declares it\",\"malformed_at\":null}\n";
    command.arg("a \"b\".html").assert().success().stdout(objects).stderr("");
}

#[cfg(unix)]
#[test]
fn names_cannot_hide_in_the_output() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let room = Room::new();
    let name = OsStr::from_bytes(b"\x1B[31m\n\xFF.css");
    std::fs::write(room.path("").join(name), "@charset \"big5\";").unwrap();
    let line = "\"\\u{1b}[31m\\n\\xff.css\": Big5, certain: @charset declares it\n";
    room.textcodec("sniff").arg(name).assert().success().stdout(line);
    let object = "{\"file\":\"\\u001b[31m\\u000a\u{FFFD}.css\",\"file_bytes\":[27,91,51,49,109,10,255,46,99,115,115],\"kind\":\"css\",";
    room.textcodec("sniff --json").arg(name).assert().success().stdout(predicates::str::starts_with(object));
    let no_controls = || predicates::str::contains("\u{1B}").not();
    let missing = OsStr::from_bytes(b"\x1B]0;title\x07");
    for command in ["sniff", "convert", "convert -o"] {
        room.textcodec(command).arg(missing).write_stdin("\u{FF}").assert().stderr(no_controls()).stdout(no_controls());
    }
    room.textcodec("convert -o sub/x").arg(name).assert().code(1).stderr(no_controls());
    room.textcodec("convert -o x").arg(name).assert().code(1).stderr(no_controls());
    // The message of the command line leaves escape sequences out, and shows other control characters as escapes.
    room.textcodec("convert").arg("-\u{1B}[31m").assert().code(2).stderr(no_controls());
    room.textcodec("convert").arg("--a\r").assert().code(2).stderr(contains("--a\\r"));
    room.textcodec("convert --from").arg("\u{1B}[31m").assert().code(2).stderr(no_controls());
    room.textcodec("sniff --http-charset").arg("\u{1B}[31m").assert().stderr(no_controls());
}

#[test]
fn an_encoding_in_which_the_bytes_are_malformed_is_not_certain() {
    let reason = "nothing in the file tells its encoding, and it is not UTF-8 (byte offset 3)";
    says("--as xml", b"<a>\xE9</a>", &format!("unknown: {reason}"));
    says("--as css", b"a {\xE9}", &format!("unknown: {reason}"));
    let declared = b"<?xml version='1.0' encoding='UTF-8'?><a>\xE9</a>";
    says("", declared, "UTF-8, certain: an XML declaration; but malformed at byte offset 41");
    says(
        "--as html",
        b"<meta charset=utf-8>\xE9",
        "UTF-8, tentative: a meta element declares it; but malformed at byte offset 20",
    );
}

#[test]
fn text_that_declares_its_encoding_in_a_comment_is_not_called_a_page() {
    says("--as text", b"# coding: latin-1\n# caf\xE9\n", "windows-1252, tentative: a declaration in the text names it");
    says(
        "--as text",
        b"# coding: utf-8\n# caf\xE9\n",
        "UTF-8, tentative: a declaration in the text names it; but malformed at byte offset 21",
    );
    let room = Room::with([("a.py", b"# coding: latin-1\n# caf\xE9\n")]);
    room.textcodec("sniff --json a.py").assert().success().stdout(contains("\"rung\":\"declaration\""));
}

#[test]
fn sniff_and_auto_agree() {
    let late = format!("<!doctype html>{}<meta charset=koi8-r>", " ".repeat(2_000));
    says("", late.as_bytes(), "KOI8-R, tentative: a meta element declares it, after the first 1024 bytes");
    says("", b"plain", "UTF-8, tentative: all bytes are ASCII, which is the same in nearly every encoding");
    for kind in ["html", "text", "properties"] {
        let line = "UTF-8, tentative: all bytes are ASCII, which is the same in nearly every encoding";
        says(&format!("--as {kind}"), b"plain", line);
    }
    let long = vec![b'a'; 2_000_000];
    says("", &long, "UTF-8, tentative: the first MiB is ASCII, which is the same in nearly every encoding");
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_and_the_others_are_printed() {
    let room = Room::with([("a.css", b""), ("b.css", b"")]);
    std::fs::create_dir(room.path("directory")).unwrap();
    let line = |name| format!("{name}: UTF-8, certain: the default, as nothing says otherwise; the file is empty\n");
    room.textcodec("sniff a.css missing directory b.css")
        .assert()
        .code(1)
        .stdout(line("a.css") + &line("b.css"))
        .stderr(contains("cannot read missing: ").and(contains("cannot read directory: is a directory")));
    room.textcodec("sniff missing").assert().code(1).stdout("");
}

#[test]
fn a_kind_that_is_unknown_is_an_error() {
    let room = Room::with([("a", b"")]);
    room.textcodec("sniff --as word a").assert().code(2).stdout("").stderr(contains("html, xml, css, text"));
}

#[test]
fn auto_finds_the_encoding_of_each_file() {
    let page = [&b"<!doctype html><meta charset=windows-1251>"[..], WINDOWS_1251].concat();
    let (start, _) = page.split_at(page.len() - WINDOWS_1251.len());
    let room = Room::with([
        ("a.html", &page),
        ("b.txt", "\u{FEFF}é".as_bytes()),
        ("c.txt", b"\x1B$B%F\x1B(B"),
        ("d", b"\xE9\0\n\0"),
        ("e.css", b"@charset \"windows-1251\"; /* \xCF */"),
        ("f.txt", "ascii, é".as_bytes()),
        ("g.xml", b"<?xml version='1.0' encoding='windows-1251'?><a>\xCF</a>"),
        ("h", b""),
    ]);
    let text = format!(
        "{}{TEXT}éテé\n@charset \"windows-1251\"; /* П */ascii, é<?xml version='1.0' encoding='windows-1251'?><a>П</a>",
        String::from_utf8_lossy(start)
    );
    let mut command =
        room.textcodec("convert --from auto --declarations keep a.html b.txt c.txt d e.css f.txt g.xml h");
    command.assert().success().stdout(text).stderr("");
}

#[test]
fn auto_loses_nothing_of_a_long_stream() {
    let text = format!("<!doctype html><meta charset=windows-1251>{}", TEXT.repeat(200_000));
    let bytes = textcodec::WINDOWS_1251.encode(&text).bytes;
    let room = Room::new();
    let mut command = room.textcodec("convert --from AUTO -d keep");
    command.write_stdin(bytes.into_owned()).assert().success().stdout(text).stderr("");

    let text = "é".repeat(200_001);
    let utf_16: Vec<u8> = format!(" {text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    room.textcodec("convert -f auto").write_stdin(utf_16).assert().success().stdout(format!(" {text}"));
}

#[test]
fn auto_does_not_guess_and_says_how_to_go_on() {
    let room = Room::with([("in.txt", WINDOWS_1251)]);
    let message = "textcodec: in.txt: nothing in the file tells its encoding: it has no byte order mark and no declaration, and it is not UTF-8\n  \
                   Name the encoding with --from, or with --fallback the encoding of all such files.\n";
    room.textcodec("convert --from auto in.txt -o out").assert().code(1).stdout("").stderr(message);
    assert_eq!(room.names(), ["in.txt"]);
    let note =
        "textcodec: in.txt: nothing in the file tells its encoding; it is read in windows-1251, as --fallback says\n";
    room.textcodec("convert --from auto --fallback cp1251 in.txt").assert().success().stdout(TEXT).stderr(note);
}

#[test]
fn the_message_about_ascii_with_escape_characters_does_not_deny_that_it_is_utf_8() {
    let room = Room::with([("log.txt", b"\x1B[1mbold\x1B[0m\n")]);
    let mut command = room.textcodec("convert --from auto log.txt");
    command.assert().code(1).stdout("").stderr(contains("log.txt: nothing in the file tells its encoding").and(
        contains("and its ASCII bytes have control characters that can change the meaning of the bytes after them\n"),
    ));
    room.textcodec("convert log.txt").assert().success().stdout("\x1B[1mbold\x1B[0m\n");
}

#[test]
fn auto_takes_ascii_for_utf_8_and_says_where_it_is_not() {
    let bytes = [&vec![b'a'; 100_000][..], b"\xE9"].concat();
    let room = Room::with([("in.txt", &bytes), ("ascii", b"abc\n")]);
    room.textcodec("convert --from auto --fallback koi8-r ascii").assert().success().stdout("abc\n");
    let mut command = room.textcodec("convert --from auto in.txt -o out");
    command.assert().code(1).stderr(contains("in.txt: not UTF-8 at byte offset 100000").and(contains("--from")));
}

#[test]
fn a_fallback_with_another_encoding_than_auto_is_an_error() {
    let room = Room::with([("in", b"")]);
    room.textcodec("convert --from utf-8 --fallback koi8-r in").assert().code(2).stderr(contains("--from auto"));
    room.textcodec("convert --from koi8-r --fallback koi8-r in").assert().code(2).stderr(contains("--from auto"));
}

#[test]
fn a_byte_order_mark_of_utf_8_decides_although_the_text_is_damaged() {
    let text = "naïve café, déjà vu. ".repeat(20);
    let damaged = [text.as_bytes(), b"\xFF", text.as_bytes()].concat();
    let room = Room::with([("marked", &[b"\xEF\xBB\xBF", &damaged[..]].concat()[..]), ("plain", &damaged)]);
    let marked = "marked: UTF-8, certain: a byte order mark; but malformed at byte offset 503\n";
    room.textcodec("sniff marked").assert().stdout(marked);
    room.textcodec("sniff plain").assert().stdout(contains("damaged UTF-8: 1 malformed sequence"));
}

/// A text of more than 1 MiB in UTF-8, in which a character lies across the end of the first MiB.
fn long() -> Vec<u8> {
    let text = ["a", &"é".repeat((1 << 19) + 1000)].concat().into_bytes();
    assert!(text[..1 << 20].utf8_chunks().any(|chunk| !chunk.invalid().is_empty()));
    text
}

#[test]
fn a_character_at_the_end_of_the_first_mib_is_not_malformed() {
    let bytes = [b"<?xml version='1.0' encoding='utf-8'?>".to_vec(), long()].concat();
    says("--as xml", &bytes, "UTF-8, certain: an XML declaration");
    let line = "UTF-8, tentative: well-formed, with ";
    let room = Room::with([("file", &long())]);
    room.textcodec("sniff file").assert().success().stdout(contains(line).and(contains("malformed").not()));
    room.textcodec("sniff").write_stdin(long()).assert().success().stdout(contains(line).and(contains("damag").not()));
    // A file that ends there is cut off.
    let cut = &bytes[..1 << 20];
    assert_eq!(cut.last(), Some(&0xC3));
    says("--as xml", &cut[..cut.len() - 1], "UTF-8, certain: an XML declaration");
    let end = "UTF-8, certain: an XML declaration; but malformed at byte offset 1048573";
    says("--as xml", &[&cut[..cut.len() - 3], b"\xC3"].concat(), end);
}

#[test]
fn damage_is_looked_for_in_a_whole_file_and_in_the_first_mib_of_a_pipe() {
    let mut early = long();
    early[1001] = 0xFF;
    early.splice(1002..1003, *b"b");
    let late = [long(), b"\xFF".to_vec(), "é".repeat(100).into_bytes()].concat();
    let damaged = "UTF-8, tentative: damaged UTF-8: ";
    for (bytes, in_pipe) in [(&early, true), (&late, false)] {
        let room = Room::with([("file", bytes)]);
        room.textcodec("sniff file").assert().success().stdout(contains(damaged));
        let output = room.textcodec("sniff").write_stdin(bytes.clone()).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().contains(damaged), in_pipe);
    }
}

#[test]
fn a_guess_is_not_refused_for_a_character_at_the_end_of_the_first_mib() {
    let bytes = [&b"a"[..], &b"\x93\xFA\x96\x7B".repeat(1 << 18), b"\n"].concat();
    assert_eq!(bytes[(1 << 20) - 2..1 << 20], *b"\xFA\x96");
    let room = Room::with([("file", &bytes)]);
    let mut sniff = room.textcodec("sniff --among shift_jis file");
    sniff.assert().success().stdout(contains("file: Shift_JIS, guessed: "));
    room.write("file", &bytes[..(1 << 20) - 1]);
    let mut sniff = room.textcodec("sniff --among shift_jis file");
    sniff.assert().success().stdout(contains("file: Shift_JIS, guessed: "));
}
