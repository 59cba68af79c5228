//! `textcodec convert`: changes to the text, the treatment of errors, and encodings that the Standard does not have.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

#[test]
fn errors_are_left_out_or_escaped() {
    let room = Room::with([("in", "a☃é".as_bytes()), ("bad", b"a\xFFb\xE2\x98c")]);
    room.textcodec("convert --errors ignore --to windows-1252 in")
        .assert()
        .success()
        .stdout(&b"a\xE9"[..])
        .stderr("textcodec: left out 1 character that windows-1252 cannot encode (U+2603 (☃), in, line 1, column 2)\n");
    room.textcodec("convert --errors escape --to windows-1252 in")
        .assert()
        .success()
        .stdout(&b"a\\u{2603}\xE9"[..])
        .stderr(contains("escaped 1 character that windows-1252 cannot encode"));
    room.textcodec("convert --errors ignore bad")
        .assert()
        .success()
        .stdout("abc")
        .stderr(contains("left out 2 malformed sequences (the first: bad, byte offset 1, line 1, column 2)"));
    room.textcodec("convert --errors escape bad").assert().success().stdout("a\\xFFb\\xE2\\x98c");
}

#[test]
fn a_replacement_of_ones_choice_takes_the_place_of_every_error() {
    let room = Room::with([("in", "a☃é\n".as_bytes()), ("bad", b"a\xFFb")]);
    room.textcodec("convert --replacement [?] --to us-ascii -t latin1 in bad")
        .assert()
        .code(2)
        .stderr(contains("cannot be used multiple times"));
    room.textcodec("convert --replacement [?] --to latin1 in bad")
        .assert()
        .success()
        .stdout(&b"a[?]\xE9\na[?]b"[..])
        .stderr(contains("replaced 1 malformed sequence by [?] (bad,").and(contains("cannot encode by [?] (U+2603")));
    room.textcodec("convert --replacement é --to koi8-r in")
        .assert()
        .code(2)
        .stderr(contains("cannot be encoded in the encoding of --to"));
    room.textcodec("convert --replacement x --errors html in").assert().code(2).stderr(contains("needs --errors repl"));
}

#[test]
fn the_report_has_a_line_for_everything_that_is_replaced() {
    let room = Room::with([("in", "a☃–\nb☃\n".as_bytes()), ("bad", b"x\n\xFFy\xE2\x98\n")]);
    let report = "in:1:2: exact-us-ascii cannot encode U+2603 (☃); written: ?\n\
                  in:1:3: exact-us-ascii cannot encode U+2013 (–); written: -\n\
                  in:2:2: exact-us-ascii cannot encode U+2603 (☃); written: ?\n\
                  bad:2:1: byte offset 2: not UTF-8: FF; written: \u{FFFD}\n\
                  bad:2:1: exact-us-ascii cannot encode U+FFFD (\u{FFFD}); written: ?\n\
                  bad:2:3: byte offset 4: not UTF-8: E2 98; written: \u{FFFD}\n\
                  bad:2:3: exact-us-ascii cannot encode U+FFFD (\u{FFFD}); written: ?\n";
    room.textcodec("convert --transliterate -e replacement --report list -t exact-us-ascii in bad")
        .assert()
        .success()
        .stdout("a?-\nb?\nx\n?y?\n");
    assert_eq!(String::from_utf8(room.read("list")).unwrap(), report);
    room.textcodec("convert --report list in").assert().success();
    assert_eq!(room.read("list"), b"");
    room.textcodec("convert --report missing/list in").assert().code(1).stderr(contains("cannot write missing/list"));
    assert_eq!(room.names(), ["bad", "in", "list"]);
}

#[test]
fn the_report_of_a_conversion_that_fails_is_written() {
    let room = Room::with([("in", "a–b☃".as_bytes())]);
    room.textcodec("convert --transliterate --report list -t exact-us-ascii in -o out").assert().code(1);
    assert_eq!(room.read("list"), "in:1:2: exact-us-ascii cannot encode U+2013 (–); written: -\n".as_bytes());
    assert_eq!(room.names(), ["in", "list"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_on_a_full_disk_is_an_error_after_the_conversion() {
    for (arguments, name) in [("in -o out", "out"), ("--output-dir out in", "out/in")] {
        let room = Room::with([("in", "a☃".as_bytes())]);
        let command = format!("convert --errors html --to latin1 --report /dev/full {arguments}");
        room.textcodec(&command).assert().code(1).stderr(contains("cannot write /dev/full"));
        assert_eq!(room.read(name), b"a&#9731;", "{arguments}");
    }
}

#[test]
fn transliteration_says_how_many_characters_it_changed() {
    let room = Room::with([("in", "“ﬁne” … naïve €5 Łódź e\u{301}".as_bytes())]);
    room.textcodec("convert --transliterate --to exact-us-ascii in")
        .assert()
        .success()
        .stdout("\"fine\" ... naive EUR5 Lodz e")
        .stderr(contains(
            "textcodec: transliterated 10 characters that exact-us-ascii cannot encode by others like it (the first: U+201C (“), in, line 1, column 1)\n",
        ));
    room.textcodec("convert --transliterate --to windows-1252 in")
        .assert()
        .success()
        .stderr(contains("transliterated 3 "));
    let room = Room::with([("in", "…☃".as_bytes())]);
    room.textcodec("convert --transliterate --to exact-us-ascii in").assert().code(1).stderr(contains("U+2603"));
}

#[test]
fn line_endings_become_what_was_asked_for() {
    let room = Room::with([("in", b"a\r\nb\nc\rd"), ("a", b"a\r"), ("b", b"\nb")]);
    room.textcodec("convert --newlines lf in").assert().success().stdout("a\nb\nc\nd");
    room.textcodec("convert --newlines crlf in").assert().success().stdout("a\r\nb\r\nc\r\nd");
    room.textcodec("convert --newlines keep in").assert().success().stdout("a\r\nb\nc\rd");
    room.textcodec("convert --newlines lf a b").assert().success().stdout("a\n\nb");
    let long = "x\r\n".repeat(100_000);
    for length in [0, 1, 2] {
        let text = ["y".repeat(length), long.clone()].concat();
        let room = Room::with([("in", text.as_bytes())]);
        room.textcodec("convert --newlines lf in").assert().success().stdout(text.replace('\r', ""));
    }
}

#[test]
fn text_is_normalized_across_pieces() {
    let decomposed = "e\u{301}\u{323}a ".repeat(50_000);
    let room = Room::with([("in", decomposed.as_bytes()), ("cafe", "cafe\u{301}".as_bytes())]);
    room.textcodec("convert --normalize nfc in").assert().success().stdout("\u{1EB9}\u{301}a ".repeat(50_000));
    room.textcodec("convert --normalize nfd in").assert().success().stdout("e\u{323}\u{301}a ".repeat(50_000));
    room.textcodec("convert --normalize nfc -t latin1 cafe").assert().success().stdout(&b"caf\xE9"[..]);
    room.textcodec("convert -t latin1 cafe").assert().code(1);
}

#[test]
fn errors_after_a_change_of_the_text_are_found_in_the_changed_text() {
    let room = Room::with([("in", "a\rb\r\ne\u{301}☃".as_bytes())]);
    room.textcodec("convert --newlines lf --normalize nfc -t latin1 in")
        .assert()
        .code(1)
        .stderr(contains("cannot encode U+2603 (☃), at line 3, column 2, byte offset 6"));
}

#[test]
fn the_byte_order_mark_is_added_kept_or_left_out() {
    let room = Room::with([
        ("with", b"\xEF\xBB\xBFa"),
        ("without", b"a"),
        ("wide", b"\xFF\xFEa\0"),
        ("only", b"\xEF\xBB\xBF"),
    ]);
    for (arguments, output) in [
        ("--bom with", &b"\xEF\xBB\xBFa"[..]),
        ("--bom=add without", b"\xEF\xBB\xBFa"),
        ("--bom=keep with", b"\xEF\xBB\xBFa"),
        ("--bom=keep without", b"a"),
        ("--bom=keep without with", b"aa"),
        ("--bom=keep with without", b"\xEF\xBB\xBFaa"),
        ("--bom=keep wide", b"\xEF\xBB\xBFa"),
        ("--bom=keep only", b"\xEF\xBB\xBF"),
        ("--bom=keep --to utf-16be with", b"\xFE\xFF\0a"),
        ("--bom=keep --to koi8-r with", b"a"),
        ("--bom=strip with", b"a"),
        ("with", b"a"),
        ("--to utf-16-bom without", b"\xFF\xFEa\0"),
        ("--to utf-32 without", b"\xFF\xFE\0\0a\0\0\0"),
        ("--to utf-32be without", b"\0\0\0a"),
    ] {
        room.textcodec(&format!("convert {arguments}")).assert().success().stdout(output);
    }
}

#[test]
fn encodings_that_the_standard_does_not_have_have_labels_of_their_own() {
    let room = Room::with([
        ("dos", b"caf\x82\r\n"),
        ("ebcdic", b"\xC8\x85\x93\x93\x96\x15"),
        ("utf7", b"Hi Mom +Jjo--!"),
        ("c1", b"a\x80\x93"),
    ]);
    room.textcodec("convert --from cp437 --newlines lf dos").assert().success().stdout("café\n");
    room.textcodec("convert --from IBM850 --to cp1047 --newlines lf dos")
        .assert()
        .success()
        .stdout(&b"\x83\x81\x86\x51\x25"[..]);
    room.textcodec("convert --from cp037 --newlines lf ebcdic").assert().success().stdout("Hello\n");
    room.textcodec("convert --from utf-7 utf7").assert().success().stdout("Hi Mom ☺-!");
    room.textcodec("convert --from exact-iso-8859-1 c1").assert().success().stdout("a\u{80}\u{93}");
    room.textcodec("convert --from iso-8859-1 c1").assert().success().stdout("a€“");
    room.textcodec("convert --from exact-us-ascii c1")
        .assert()
        .code(1)
        .stderr(contains("c1: not exact-us-ascii at byte offset 1 (line 1, column 2): 80\n"));
    room.textcodec("convert --to exact-iso-8859-1").write_stdin("a€").assert().code(1).stderr(contains("U+20AC (€)"));
    room.textcodec("convert --to utf-7 dos").assert().code(2).stderr(contains("reads utf-7 and does not write it"));
    room.textcodec("convert --from cp895 dos")
        .assert()
        .code(2)
        .stderr(contains("does not have this encoding: it is a code page of DOS"));
    room.textcodec("convert --to latin1 utf7")
        .assert()
        .success()
        .stderr(contains("ISO-8859-1 (--to exact-iso-8859-1) has fewer"));
}

#[test]
fn charsets_of_registries_are_converted_both_ways() {
    for (label, bytes, text) in [
        ("cp737", &b"\x84\xA2\xA2\x9E\xA4\xA0\xA1\xE1\r\n"[..], "Ελληνικά\r\n"),
        ("IBM737", b"\x84\xA2\r\n", "Ελ\r\n"),
        ("cp273", b"\xC7\x99\xD0\xA1\x85\x25", "Grüße\n"),
        ("viscii", b"Vi\xAEt Nam", "Việt Nam"),
        ("koi8-t", b"\xF4\xCF\xDE\xC9\xCB\xC9\xD3\xD4\xCF\xCE \x81", "Точикистон ғ"),
        ("macgreek", b"\xA7\xB0", "ßΑ"),
        ("glibc:koi8-u", b"\xAE\xBE", "╝╬"),
        ("koi8-u", b"\xAE\xBE", "ўЎ"),
        ("java:cp278", b"\xC8\x85\x91", "Hej"),
    ] {
        let room = Room::with([("in", bytes), ("text", text.as_bytes())]);
        room.textcodec(&format!("convert --from {label} in")).assert().success().stdout(text);
        room.textcodec(&format!("convert --to {label} text")).assert().success().stdout(bytes.to_vec());
    }
}

#[test]
fn errors_steps_and_replacements_work_in_charsets_of_registries() {
    let room = Room::with([
        ("greek", b"a\nbc\xFF"),
        ("mainframe", b"\xC8\x85\x15\xC9\x15"),
        ("text", "Grüße ☃\n".as_bytes()),
        ("mojibake", "╬▒╬▓\n".as_bytes()),
    ]);
    room.textcodec("convert --from glibc:iso-8859-11 greek")
        .assert()
        .code(1)
        .stderr(contains("greek: not glibc:ISO-8859-11 at byte offset 4 (line 2, column 3): FF\n"));
    room.textcodec("convert --from cp273 --newlines lf mainframe").assert().success().stdout("He\nI\n");
    room.textcodec("convert --to cp273 text").assert().code(1).stderr(contains("U+2603 (☃)"));
    // The replacement is text, so it is EBCDIC, too.
    room.textcodec("convert --to cp273 -e replacement text")
        .assert()
        .success()
        .stdout(&b"\xC7\x99\xD0\xA1\x85\x40\x6F\x25"[..]);
    room.textcodec("convert --to cp273 -e html text")
        .assert()
        .success()
        .stdout(&b"\xC7\x99\xD0\xA1\x85\x40\x50\x7B\xF9\xF7\xF3\xF1\x5E\x25"[..]);
    room.textcodec("check --to cp737 text").assert().code(1).stdout(contains("CP737"));
    room.textcodec("repair --ambiguous -e cp737 mojibake").assert().success().stdout(contains("αβ"));
}

#[test]
fn declarations_name_the_other_encodings_where_they_can() {
    let page = b"<!doctype html><meta charset=koi8-r><p>x";
    let xml = b"<?xml version='1.0' encoding='koi8-r'?><a/>";
    let room = Room::with([("page.html", page), ("a.xml", xml)]);
    room.textcodec("convert -d update -t cp437 page.html")
        .assert()
        .code(1)
        .stderr(contains("which no meta element can declare"));
    room.textcodec("convert -d update -t exact-iso-8859-1 page.html")
        .assert()
        .success()
        .stdout("<!doctype html><meta charset=ISO-8859-1><p>x");
    room.textcodec("convert -d update -t cp858 a.xml")
        .assert()
        .success()
        .stdout("<?xml version='1.0' encoding='IBM00858'?><a/>");
}

#[cfg(unix)]
mod glibc {
    use super::*;
    use std::process::{Command, Stdio};

    /// The output of glibc's iconv, and whether it succeeded. `None` if this iconv is not installed or does not have an
    /// encoding.
    fn iconv(from: &str, to: &str, input: &[u8]) -> Option<(Vec<u8>, bool)> {
        let mut command = Command::new("iconv");
        command.args(["-f", from, "-t", to]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        std::io::Write::write_all(&mut child.stdin.take()?, input).ok();
        let output = child.wait_with_output().ok()?;
        let is_missing = String::from_utf8_lossy(&output.stderr).contains("conversion");
        (!is_missing).then_some((output.stdout, output.status.success()))
    }

    fn is_installed() -> bool {
        let version = Command::new("iconv").arg("--version").output();
        version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("Free Software Foundation"))
    }

    #[test]
    fn single_byte_tables_are_those_of_glibc() {
        if !is_installed() {
            eprintln!("skipped: glibc's iconv is not installed");
            return;
        }
        let all: Vec<u8> = (0..=255).collect();
        for (label, name) in [
            ("exact-us-ascii", "ASCII"),
            ("exact-iso-8859-1", "ISO-8859-1"),
            ("exact-iso-8859-9", "ISO-8859-9"),
            ("cp437", "CP437"),
            ("cp850", "CP850"),
            ("cp852", "CP852"),
            ("cp858", "CP858"),
            ("cp866nav", "CP866NAV"),
            ("cp1125", "CP1125"),
            ("cp037", "IBM037"),
            ("cp500", "IBM500"),
            ("cp1047", "IBM1047"),
            ("cp1140", "IBM1140"),
            ("cp1148", "IBM1148"),
            ("cp737", "CP737"),
            ("cp273", "IBM273"),
            ("glibc:cp278", "CP278"),
            ("viscii", "VISCII"),
            ("koi8-t", "KOI8-T"),
            ("glibc:macintosh", "MACINTOSH"),
        ] {
            let bytes = if label == "exact-us-ascii" { &all[..128] } else { &all[..] };
            let Some((text, true)) = iconv(name, "UTF-8", bytes) else {
                eprintln!("skipped: glibc's iconv does not have {name}");
                continue;
            };
            let room = Room::with([("in", bytes), ("text", &text)]);
            room.textcodec(&format!("convert --from {label} in")).assert().success().stdout(text.clone());
            let mut back = room.textcodec(&format!("convert --ignore-bom --to {label} text"));
            back.assert().success().stdout(bytes.to_vec());
            if label == "exact-us-ascii" {
                assert!(!iconv(name, "UTF-8", b"\x80").unwrap().1);
            }
        }
    }

    #[test]
    fn wide_encodings_and_utf_7_are_those_of_glibc() {
        if !is_installed() {
            eprintln!("skipped: glibc's iconv is not installed");
            return;
        }
        let text = "Grüße, 世界 \u{1D11E} + ~ \\ a+b\n".repeat(3000);
        for (label, name) in [
            ("utf-16-bom", "UTF-16"),
            ("utf-32", "UTF-32"),
            ("utf-32le", "UTF-32LE"),
            ("utf-32be", "UTF-32BE"),
            ("utf-7", "UTF-7"),
        ] {
            let Some((bytes, true)) = iconv("UTF-8", name, text.as_bytes()) else { continue };
            let room = Room::with([("in", &bytes), ("text", text.as_bytes())]);
            room.textcodec(&format!("convert --from {label} in")).assert().success().stdout(text.clone());
            // glibc writes the byte order of the processor.
            if label != "utf-7" && cfg!(target_endian = "little") {
                room.textcodec(&format!("convert --to {label} text")).assert().success().stdout(bytes);
            }
        }
    }
}

#[test]
fn twins_are_written_before_anything_is_lost() {
    let room = Room::with([("in", "〜‖¢£¬−\n".as_bytes())]);
    for (encoding, bytes) in [
        ("shift_jis", &b"\x81\x60\x81\x61\x81\x91\x81\x92\x81\xCA\x81\x7C\n"[..]),
        ("euc-jp", b"\xA1\xC1\xA1\xC2\xA1\xF1\xA1\xF2\xA2\xCC\xA1\xDD\n"),
        // The encoder of the Standard returns to ASCII before each of them, and a decoder would call that malformed.
        ("iso-2022-jp", b"\x1B$B!A!B!q!r\"L!]\x1B(B\n"),
    ] {
        room.textcodec(&format!("convert --to {encoding} --transliterate in"))
            .assert()
            .success()
            .stdout(bytes)
            .stderr(contains("transliterated 5 characters"));
        // Without the option, the error of the Standard stays.
        room.textcodec(&format!("convert --to {encoding} in")).assert().code(1).stderr(contains("U+301C"));
    }
    for name in ["CP932", "SHIFT_JIS", "EUC-JP", "ISO-2022-JP"] {
        room.textcodec(&format!("iconv -s -f UTF-8 -t {name} in")).assert().success();
    }
}

#[test]
fn letters_and_marks_are_written_as_the_encoding_has_them() {
    let room = Room::with([("in", "Tiếng Việt\n".as_bytes()), ("nfd", "Tie\u{302}\u{301}ng cafe\u{301}\n".as_bytes())]);
    let bytes = b"Ti\xEA\xECng Vi\xEA\xF2t\n";
    room.textcodec("convert --to windows-1258 --transliterate in").assert().success().stdout(&bytes[..]).stderr("");
    room.textcodec("convert --to windows-1258 --transliterate --normalize nfd in")
        .assert()
        .success()
        .stdout(&bytes[..])
        .stderr("");
    room.textcodec("convert --to windows-1258 in").assert().code(1).stderr(contains("U+1EBF"));
    room.textcodec("convert --to windows-1258 --normalize nfd in").assert().code(1).stderr(contains("U+0302"));
    room.textcodec("convert --to latin1 --transliterate nfd")
        .assert()
        .success()
        .stdout(&b"Ti\xEAng caf\xE9\n"[..])
        .stderr(contains("transliterated 1 character"));
}

#[test]
fn small_jobs_need_one_run() {
    let room = Room::with([("marks", b"\xEF\xBB\xBF\xEF\xBB\xBFa\n".as_slice()), ("lines", b"a\r\nb\n")]);
    room.textcodec("convert marks").assert().success().stdout("a\n");
    room.textcodec("convert --bom=add marks").assert().success().stdout("\u{FEFF}a\n");
    room.textcodec("convert --to cp1047 --newlines nel lines").assert().success().stdout(&b"\x81\x15\x82\x15"[..]);
    room.textcodec("convert --from 932 --to utf8mb4 lines").assert().success();
    room.textcodec("convert --from ansi lines").assert().code(2).stderr(contains("windows-1252 in Western Europe"));
}

#[test]
fn iso_2022_jp_has_no_two_escape_sequences_around_a_replaced_character() {
    let room = Room::new();
    for (options, text, written) in [
        ("--errors ignore", "あ☃い", "あい"),
        ("--errors ignore", "¥☃あ☃☃a☃い☃", "¥あaい"),
        ("--errors replacement --replacement 〓", "あ☃い☃", "あ〓い〓"),
        ("--errors replacement", "あ☃い", "あ?い"),
        ("--errors html", "あ☃い", "あ&#9731;い"),
        ("--transliterate", "〜‖¢£\nあ—い", "～∥￠￡\nあ―い"),
        ("--transliterate", "あ…–い", "あ…-い"),
    ] {
        // The long text does not fit into a buffer.
        for times in [1, 8_000] {
            let options = format!("convert --to iso-2022-jp {options}");
            let bytes = room.textcodec(&options).write_stdin(text.repeat(times)).output().unwrap().stdout;
            let back = room.textcodec("convert --from iso-2022-jp").write_stdin(bytes).output().unwrap();
            assert!(back.status.success(), "{options} {text} {times}: {:?}", String::from_utf8_lossy(&back.stderr));
            assert!(back.stdout == written.repeat(times).as_bytes(), "{options} {text} {times}");
        }
    }
    // The text before an error ends in ASCII.
    let output = room.textcodec("convert --to iso-2022-jp").write_stdin("あ☃い").output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b"\x1B$B$\"\x1B(B"[..]));
}

#[test]
fn a_long_report_has_each_line_once_and_in_its_order() {
    let (text, number) = ("a☃\n".repeat(20_000), 20_000);
    let lines = |name: &str| -> String {
        (1..=number)
            .map(|line| format!("{name}:{line}:2: exact-us-ascii cannot encode U+2603 (☃); written: ?\n"))
            .collect()
    };
    let options = "convert -e replacement -t exact-us-ascii --report list";
    for places in ["-o out a b", "-i -j 1 a b", "--output-dir out -j 1 a b"] {
        let room = Room::with([("a", text.as_bytes()), ("b", text.as_bytes())]);
        room.textcodec(&format!("{options} {places}")).assert().success();
        assert!(room.read("list") == [lines("a"), lines("b")].concat().as_bytes(), "{places}");
    }
}
