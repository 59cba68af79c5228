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
fn a_dry_run_prints_the_lines_before_and_after_and_how_sure_the_change_is() {
    let room = Room::with([("in", GARBLED.as_bytes())]);
    for arguments in ["repair -n in", "repair --in-place --dry-run in"] {
        room.textcodec(arguments).assert().success().stdout(
            "in:2: certain: UTF-8 that was read as windows-1252\n- cafÃ© donâ€™t\n+ café don’t\n\
             in:3: ambiguous: UTF-8 that was read as windows-1252 (stays without --ambiguous)\n- SÓ…\n? SӅ\n\
             in:4: certain: UTF-8 that was read as windows-1252, 2 times\n- ÃƒÂ© twice\n+ é twice\n\
             in:5: ambiguous: a part in UTF-8 that was read as windows-1252 (stays without --ambiguous)\n\
             - é cafÃ©\n? é café\n",
        );
    }
    let colored = "\u{1B}[1;31m- cafÃ© donâ€™t\u{1B}[0m\n\u{1B}[1;32m+ café don’t\u{1B}[0m\n";
    let stays = "\u{1B}[1;31m- SÓ…\u{1B}[0m\n\u{1B}[1;33m? SӅ\u{1B}[0m\n";
    let both = contains(colored).and(contains(stays));
    room.textcodec("repair -n in --color always").assert().success().stdout(both);
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
        .stderr(contains("repaired 3 lines").and(contains("1 character is U+FFFD, because it was lost before")));
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

#[test]
fn parts_of_a_line_that_are_not_utf_8_are_decoded_and_the_others_stay() {
    let gbk = b"\xC4\xE3\xBA\xC3";
    let line = ["/* 你好 ".as_bytes(), gbk, b" */\n"].concat();
    let room = Room::with([("in.c", &line)]);
    room.textcodec("repair --mixed utf-8,gbk in.c")
        .assert()
        .success()
        .stdout("/* 你好 你好 */\n")
        .stderr("textcodec: in.c: decoded 1 line (line 1)\n");
    room.textcodec("repair --mixed utf-8,gbk --dry-run in.c")
        .assert()
        .success()
        .stdout("in.c:1: decoded\n- /* 你好 \\xc4\\xe3\\xba\\xc3 */\n+ /* 你好 你好 */\n");
}

#[test]
fn a_byte_order_mark_leaves_the_first_line_as_it_is_judged() {
    let room = Room::with([("in", "\u{FEFF}cafÃ©\n".as_bytes())]);
    room.textcodec("repair in")
        .assert()
        .success()
        .stdout("\u{FEFF}café\n")
        .stderr("textcodec: in: repaired 1 line (line 1)\n");
}

#[test]
fn text_in_any_encoding_that_was_read_as_another_is_repaired() {
    // "日本語のテキスト" in Shift_JIS, as cp437 shows it.
    let garbled = "ô·û{îΩé╠âeâLâXâg\nplain\n";
    let text = "日本語のテキスト\nplain\n";
    let room = Room::with([("in", garbled.as_bytes()), ("right", "日本語\ncafé\n".as_bytes())]);
    room.textcodec("repair --was shift_jis --read-as cp437 in").assert().success().stdout(text);
    for options in ["--guess", "--was shift_jis", "--read-as cp437"] {
        room.textcodec(&format!("repair {options} in"))
            .assert()
            .success()
            .stdout(text)
            .stderr(contains("in: the text seems to be Shift_JIS that was read as cp437"));
        room.textcodec(&format!("repair {options} right")).assert().success().stdout("日本語\ncafé\n");
    }
    room.textcodec("repair --guess --in-place in").assert().success();
    assert_eq!(room.read("in"), text.as_bytes());
    room.textcodec("repair --guess --in-place in").assert().success().stderr("");
    let message = contains("in: nothing shows a wrong decoding");
    room.textcodec("repair --was shift_jis in").assert().success().stdout(text).stderr(message);
    // The text shows another pair, to which the known encoding does not belong.
    for options in ["--was koi8-r", "--read-as koi8-r"] {
        let repair = format!("repair {options}");
        room.textcodec(&repair).write_stdin("Ã¼ber cafÃ©").assert().success().stdout("Ã¼ber cafÃ©");
    }
    for (line, expected) in [("NESTLÉ®", "NESTLÉ®"), ("ESSA Ã‰ BOA", "ESSA É BOA"), ("☃ é cafÃ©", "☃ é cafÃ©")]
    {
        room.textcodec("repair --guess").write_stdin(line).assert().success().stdout(expected);
    }
    assert_eq!(room.read("in"), text.as_bytes());
    room.textcodec("repair --guess --was gbk in").assert().code(2);
    room.textcodec("repair --was gbk --read-as gbk in").assert().code(2).stderr(contains("cannot be repaired"));
}

#[test]
fn a_dry_run_says_what_would_happen() {
    let room = Room::with([("in", "cafÃ©\nMÃ¼ller Ã\u{FFFD}\nSÓ…\n".as_bytes()), ("mixed", b"caf\xE9\n")]);
    for options in ["-n", "-n -i"] {
        room.textcodec(&format!("repair {options} in")).assert().success().stderr(
            "textcodec: in: would repair 2 lines (the first: line 1); 1 character is U+FFFD, because it was lost before; \
             would leave 1 ambiguous line (line 3); see --ambiguous\n",
        );
        room.textcodec(&format!("repair {options} --mixed utf-8,windows-1252 mixed"))
            .assert()
            .success()
            .stderr("textcodec: mixed: would decode 1 line (line 1)\n");
    }
    assert_eq!(room.read("mixed"), b"caf\xE9\n");
}

#[test]
fn a_lost_byte_cesu_8_and_control_characters_are_repaired() {
    let room = Room::with([
        ("lost", "鐢ㄦ埛鍚\u{FFFD}\n".as_bytes()),
        ("cesu", b"a \xED\xA0\xBD\xED\xB8\x80\n"),
        ("controls", "It\u{92}s \u{93}so\u{94}\n".as_bytes()),
    ]);
    room.textcodec("repair --encoding gbk lost")
        .assert()
        .success()
        .stdout("用户\u{FFFD}\n")
        .stderr(contains("repaired 1 line").and(contains("1 character is U+FFFD")));
    room.textcodec("repair --guess lost").assert().success().stdout("用户\u{FFFD}\n");
    room.textcodec("repair cesu").assert().success().stdout("a 😀\n").stderr(contains("decoded 1 line"));
    room.textcodec("repair -n cesu").assert().success().stdout(contains("certain: CESU-8").and(contains("+ a 😀")));
    room.textcodec("repair controls").assert().success().stdout("It’s “so”\n");
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

#[test]
fn a_dry_run_says_that_nothing_would_change() {
    let room = Room::with([("a", "鐢ㄦ埛鍚\u{FFFD}\n".as_bytes())]);
    let message = "textcodec: a: no line needs a repair (see --encoding and --guess)\n";
    room.textcodec("repair --dry-run a").assert().success().stdout("").stderr(message);
    room.textcodec("repair --dry-run --encoding gbk a").assert().success().stdout(contains("+ 用户\u{FFFD}\n"));
    room.textcodec("repair a").assert().success().stderr("");
}

#[test]
fn a_dry_run_shows_the_changed_part_of_a_long_line() {
    let room = Room::new();
    room.write("a", format!("{}caf\u{C3}\u{A9}{}\n", "a ".repeat(50_000), " b".repeat(50_000)).as_bytes());
    let output = String::from_utf8(room.textcodec("repair --dry-run a").output().unwrap().stdout).unwrap();
    assert!(output.len() < 2000 && output.contains("a cafÃ© b") && output.contains("a café b"), "{output}");
}

#[test]
fn an_error_after_lines_that_change_has_its_place_in_the_file() {
    // A surrogate pair in CESU-8, and text that was decoded wrongly.
    let room = Room::with([("in", b"a\xED\xA0\xBD\xED\xB8\x80\nGr\xC3\x83\xC2\xB6\nb\xFF\n")]);
    room.textcodec("repair in").assert().code(1).stderr(contains("in: not UTF-8 at byte offset 16 (line 3)"));
    room.textcodec("repair --mixed utf-8,exact-us-ascii in")
        .assert()
        .code(1)
        .stderr(contains("in: line 3 (byte offset 15)"));
}

#[test]
fn nothing_is_written_to_a_file_without_one_of_the_inputs() {
    let room = Room::with([("good", "GrÃ¶ÃŸe\n".as_bytes())]);
    for inputs in ["good missing", "missing good"] {
        room.textcodec(&format!("repair {inputs} --output out")).assert().code(1).stderr(contains("missing"));
        assert!(!room.path("out").exists(), "{inputs}");
        room.textcodec(&format!("repair {inputs}")).assert().code(1).stdout("Größe\n");
    }
}

#[test]
fn a_line_that_would_fill_the_memory_is_an_error() {
    let longest = 16 << 20;
    let room = Room::with([("in", &[b"first\n".to_vec(), vec![b'a'; longest], b"\n".to_vec()].concat())]);
    let message =
        "textcodec: in: line 2 is longer than 16 MiB, the longest line that textcodec repair keeps in memory\n";
    room.textcodec("repair in -o out").assert().code(1).stdout("").stderr(message);
    assert_eq!(room.names(), ["in"]);
}

#[test]
fn a_search_sees_whole_characters_and_the_whole_file_is_repaired() {
    // "日本語の文章" in Shift_JIS, as cp437 shows it. The first 64 KiB end within "û".
    let (garbled, text) = ("ô·û{îΩé╠ò╢Å═\n", "日本語の文章\n");
    let plain = "\n".repeat(64 * 1024 - 20 * garbled.len() - "ô·".len() - 1);
    let room = Room::with([("in", [&*plain, &garbled.repeat(50)].concat().as_bytes())]);
    let output = room.textcodec("repair --guess in").assert().success().get_output().clone();
    assert!(output.stdout == [&*plain, &text.repeat(50)].concat().as_bytes());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("textcodec: in: the text seems to be Shift_JIS that was read as cp437"), "{message}");
    assert!(message.contains("repaired 50 lines"), "{message}");
}

#[test]
fn only_a_regular_file_is_repaired_in_its_place() {
    let room = Room::with([("good", "cafÃ©".as_bytes())]);
    let message = contains("standard input: only a regular file can be repaired in its place");
    room.textcodec("repair -i - good").write_stdin("cafÃ©").assert().code(1).stdout("").stderr(message);
    assert_eq!(room.read("good"), "café".as_bytes());
    room.write("lost", "MÃ¼ller Ã\u{FFFD} Ã\u{FFFD}\n".as_bytes());
    let message = "textcodec: lost: repaired 1 line (line 1); 2 characters are U+FFFD, because they were lost before\n";
    room.textcodec("repair -i lost").assert().success().stderr(message);
}

#[cfg(unix)]
#[test]
fn a_file_without_a_change_is_not_written() {
    use std::os::unix::fs::MetadataExt;

    let room = Room::with([
        ("same", "é\n".as_bytes()),
        ("cesu", b"a \xED\xA0\xBD\xED\xB8\x80\n"),
        ("ambiguous", "SÓ…\n".as_bytes()),
    ]);
    let inode = |name: &str| std::fs::metadata(room.path(name)).unwrap().ino();
    for (name, changes) in [("same", false), ("cesu", true), ("ambiguous", false)] {
        let before = inode(name);
        room.textcodec(&format!("repair -i {name}")).assert().success();
        assert_eq!(inode(name) != before, changes, "{name}");
    }
}
