//! `--guess` of `textcodec convert` and `textcodec sniff`, and `--fallback` for long files.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};
use textcodec::{BIG5, KOI8_U, WINDOWS_1251, WINDOWS_1252};

const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";

#[test]
fn a_guess_is_made_on_request_only_and_says_so() {
    let room = Room::with([("in.txt", &*KOI8_U.encode(RUSSIAN).bytes)]);
    room.textcodec("convert --from auto in.txt").assert().code(1).stdout("");
    room.textcodec("convert --from auto --guess in.txt")
        .assert()
        .success()
        .stdout(RUSSIAN)
        .stderr("textcodec: in.txt: the encoding KOI8-U is a guess, from the frequency of letters\n");
    room.textcodec("sniff --guess in.txt")
        .assert()
        .success()
        .stdout("in.txt: KOI8-U, tentative: a guess, from the frequency of letters\n");
    room.textcodec("sniff --guess --json in.txt")
        .assert()
        .success()
        .stdout(contains(r#""encoding":"KOI8-U","confidence":"tentative","rung":"guess","reason":"a guess, from"#));
    room.textcodec("convert --guess in.txt").assert().code(2).stderr(contains("--guess needs --from auto"));
    room.textcodec("convert --from auto --languages xx in.txt").assert().code(2).stderr(contains("no domain is known"));
}

#[test]
fn nothing_is_guessed_that_the_file_tells() {
    let page = [b"<meta charset=windows-1251>", &*WINDOWS_1251.encode(RUSSIAN).bytes].concat();
    let room = Room::with([("page.html", &page), ("utf-8.txt", RUSSIAN.as_bytes()), ("ascii.txt", b"abc")]);
    for file in ["page.html", "utf-8.txt", "ascii.txt"] {
        room.textcodec(&format!("convert -d keep --from auto --guess --among big5,gbk {file}"))
            .assert()
            .success()
            .stderr("");
        room.textcodec(&format!("sniff --guess {file}")).assert().success().stdout(contains("guess").not());
    }
}

#[test]
fn a_guess_can_be_limited() {
    let room = Room::with([
        ("ru.txt", &*WINDOWS_1251.encode(RUSSIAN).bytes),
        ("tw.txt", &*BIG5.encode("這是一個用繁體中文寫成的句子。").bytes),
        ("dos.txt", b"caf\x82"),
        ("bad.txt", b"\xFF\xFF"),
    ]);
    for (arguments, file, charset) in [
        ("--among koi8-r,windows-1251", "ru.txt", "windows-1251"),
        ("--languages ru", "ru.txt", "windows-1251"),
        ("--languages zh-TW", "tw.txt", "Big5"),
        ("--tld .tw", "tw.txt", "Big5"),
        ("--among utf-8,cp850", "dos.txt", "cp850"),
    ] {
        room.textcodec(&format!("sniff {arguments} {file}")).assert().success().stdout(contains(charset));
        room.textcodec(&format!("convert -f auto {arguments} {file}"))
            .assert()
            .success()
            .stderr(contains(format!("the encoding {charset} is a guess, ")));
    }
    room.textcodec("sniff --among utf-8,exact-us-ascii bad.txt").assert().success().stdout(contains("unknown"));
    room.textcodec("convert -f auto --among utf-8,exact-us-ascii bad.txt").assert().code(1);
    room.textcodec("convert -f auto --among utf-8,exact-us-ascii --fallback latin1 bad.txt").assert().stdout("ÿÿ");
}

#[test]
fn the_whole_file_decides_between_utf_8_and_the_fallback() {
    let ascii = "a".repeat(100_000);
    let legacy = [ascii.as_bytes(), &WINDOWS_1252.encode("café").bytes].concat();
    let utf_8 = format!("{ascii}café");
    let room = Room::with([("legacy", &legacy), ("utf-8", utf_8.as_bytes()), ("ascii", ascii.as_bytes())]);
    for (file, text) in [("legacy", &utf_8), ("utf-8", &utf_8), ("ascii", &ascii)] {
        for options in ["--fallback windows-1252", "--guess --tld fr"] {
            let arguments = format!("convert --from auto {options}");
            room.textcodec(&format!("{arguments} {file}")).assert().success().stdout(text.clone());
            let piped = room.read(file);
            room.textcodec(&arguments).write_stdin(piped).assert().success().stdout(text.clone());
        }
    }
    room.textcodec("convert --from auto legacy").assert().code(1).stderr(contains("not UTF-8 at byte offset 100003"));
    let mut guessed = room.textcodec("convert --from auto --guess --tld fr");
    guessed.write_stdin(legacy).assert().stderr("textcodec: standard input: the encoding windows-1252 is a guess\n");
}

#[test]
fn files_are_converted_in_place_by_a_guess() {
    let room = Room::with([("in.txt", &*KOI8_U.encode(RUSSIAN).bytes)]);
    room.textcodec("convert --from auto --guess --in-place in.txt")
        .assert()
        .success()
        .stderr(contains("the encoding KOI8-U is a guess"));
    assert_eq!(room.read("in.txt"), RUSSIAN.as_bytes());
    room.textcodec("convert --yes in.txt").assert().code(2);
}
