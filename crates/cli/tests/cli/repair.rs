//! `textcodec repair`.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

const GARBLED: &str = "plain\r\ncafÃ© donâ€™t\r\nSÓ…\nÃƒÂ© twice\né cafÃ©\n";

#[test]
fn lines_with_clear_signs_are_repaired_and_the_others_stay() {
    let room = Room::with([("in", GARBLED.as_bytes())]);
    room.textcodec("repair in")
        .assert()
        .success()
        .stdout("plain\r\ncafé don’t\r\nSÓ…\né twice\né cafÃ©\n")
        .stderr("textcodec: in: repaired 2 lines (the first: line 2); left 2 ambiguous lines (the first: line 3); see --ambiguous\n");
    room.textcodec("repair --ambiguous in")
        .assert()
        .success()
        .stdout("plain\r\ncafé don’t\r\nSӅ\né twice\né café\n")
        .stderr(contains("repaired 4 lines"));
}

#[test]
fn a_dry_run_prints_the_lines_that_would_change() {
    let room = Room::with([("in", GARBLED.as_bytes())]);
    for arguments in ["repair -n in", "repair --in-place --dry-run in"] {
        room.textcodec(arguments).assert().success().stdout("in:2: café don’t\nin:4: é twice\n");
    }
    assert_eq!(room.read("in"), GARBLED.as_bytes());
}

#[test]
fn a_file_is_repaired_in_its_place() {
    let room = Room::with([("a", "cafÃ©".as_bytes()), ("b", "café".as_bytes()), ("bad", b"\xFF")]);
    let mut command = room.textcodec("repair --in-place a missing bad b");
    command
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("a: repaired 1 line (line 1)").and(contains("bad: not UTF-8 at byte offset 0 (line 1)")));
    assert_eq!(room.read("a"), "café".as_bytes());
    assert_eq!(room.read("b"), "café".as_bytes());
    assert_eq!(room.read("bad"), b"\xFF");
    assert_eq!(room.names(), ["a", "b", "bad"]);
    room.textcodec("repair -i").assert().code(2);
    room.textcodec("repair a -o a").assert().success();
    assert_eq!(room.read("a"), "café".as_bytes());
}

#[test]
fn the_encodings_can_be_named() {
    let room = Room::with([("in", "РџСЂРёРІРµС‚\nпїЅ\n├⌐ caf├⌐\n".as_bytes())]);
    room.textcodec("repair -e windows-1251,cp437 in")
        .assert()
        .success()
        .stdout("Привет\n\u{FFFD}\né café\n")
        .stderr(contains("repaired 3 lines").and(contains("1 characters are U+FFFD, because they were lost before")));
    room.textcodec("repair -e utf-16le in").assert().code(2).stderr(contains("cannot be repaired"));
    room.textcodec("repair -e nonsense in").assert().code(2);
}

#[test]
fn lines_in_several_encodings_are_decoded() {
    let mixed = b"plain\n\xD0\x9F\xD1\x80\xD0\xB8\n\xCF\xF0\xE8\xE2\xE5\xF2\n".to_vec();
    let room = Room::with([("in", &mixed), ("double", "Ã©\n\u{E9}\n".as_bytes())]);
    room.textcodec("repair --mixed utf-8,windows-1251 in")
        .assert()
        .success()
        .stdout("plain\nПри\nПривет\n")
        .stderr("textcodec: in: decoded 1 line (line 3)\n");
    room.textcodec("repair --mixed utf-8,latin1 double").assert().success().stdout("Ã©\né\n");
    room.textcodec("repair --mixed utf-8,latin1 -e latin1 double").assert().success().stdout("é\né\n");
    room.textcodec("repair --mixed utf-8,us-ascii in").assert().success();
    room.textcodec("repair --mixed utf-8,exact-us-ascii in")
        .assert()
        .code(1)
        .stderr(contains("in: line 3 (byte offset 13) is in none of: UTF-8, exact-us-ascii"));
    room.textcodec("repair --mixed utf-8,utf-16le in")
        .assert()
        .code(2)
        .stderr(contains("line feed is not the byte 0A"));
    room.textcodec("repair in").assert().code(1).stderr(contains("not UTF-8 at byte offset 13 (line 3)"));
}

#[cfg(unix)]
#[test]
fn a_reader_sees_each_line_when_it_is_there() {
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
    };

    let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
    let mut child = command.arg("repair").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    input.write_all("cafÃ©\n".as_bytes()).unwrap();
    let mut line = [0; 6];
    output.read_exact(&mut line).unwrap();
    assert_eq!(line, "café\n".as_bytes());
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The kinds of wrong decodings that the manual and the issues of ftfy tell of.
#[test]
fn each_kind_of_wrong_decoding_is_repaired() {
    let room = Room::new();
    for (encoding, garbled, text) in [
        // Bytes of windows-1252, and bytes that only ISO-8859-1 has.
        ("windows-1252", "l'humanitÃ©", "l'humanité"),
        ("windows-1252", "â€œmojibakeâ€\u{9D} can come", "“mojibake” can come"),
        ("windows-1252", "â\u{98}ºð\u{9F}\u{98}\u{8A}", "☺😊"),
        ("windows-1252", "ä½\u{A0}å¥½", "你好"),
        ("windows-1252", "×©×œ×•×\u{9D}", "שלום"),
        ("windows-1252", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
        ("windows-1252", "HÄ±rsÄ±zÄ± BÃ¼yÃ¼", "Hırsızı Büyü"),
        ("windows-1252", "zapewniÄ‡ bezpieczeÅ„stwo", "zapewnić bezpieczeństwo"),
        // Several times.
        ("windows-1252", "doesnÃƒÂ¢Ã¢â€šÂ¬Ã¢â€žÂ¢t", "doesn’t"),
        ("windows-1252", "Ã‚Â£20", "£20"),
        // Other encodings of Windows, Macintosh and DOS.
        ("windows-1250", "PĹ™Ă\u{AD}liĹˇ ĹľluĹĄouÄŤkĂ˝", "Příliš žluťoučký"),
        ("windows-1251", "Bremer/Mccoy вЂ“ DrГҐber", "Bremer/Mccoy – Dråber"),
        ("windows-1253", "Ξ‘Ξ½Ξ―Ο„ΞµΟ‚", "Ανίτες"),
        ("windows-1254", "Ã¼ÅŸ", "üş"),
        ("macintosh", "¬´Hello¬ª don‚Äôt", "«Hello» don’t"),
        ("koi8-r", "п÷я─п╦п╡п╣я┌", "Привет"),
        ("ibm866", "╨┐╤А╨╕╨▓╨╡╤В", "привет"),
        ("cp437", "ΓÇ£mojibakeΓÇ¥ caf├⌐", "“mojibake” café"),
        ("cp850", "ÔÇ£hiÔÇØ Nicol├ís", "“hi” Nicolás"),
    ] {
        let mut command = room.textcodec(&format!("repair --encoding {encoding}"));
        command.write_stdin(garbled).assert().success().stdout(text);
    }
    // Text that looks strange and is right.
    for line in [
        "Ôôô VIDA MINHA",
        "[x]\u{A0}©",
        "SENSЕ - Oleg Tsedryk",
        "selamat berpuasa sob (Ф__Ф)",
        "SELKÄ\u{A0}EDELLÄ\u{A0}MAAHAN",
        "Offering 5×£35 pin ups",
        "RETWEET SE VOCÊ…",
        "(-1/2)! = √π",
        "aí´´",
        "Ã perturber",
    ] {
        room.textcodec("repair").write_stdin(line).assert().success().stdout(line);
    }
}
