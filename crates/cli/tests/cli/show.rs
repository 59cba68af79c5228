//! `textcodec show`.

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

#[test]
fn bytes_stand_beside_their_characters() {
    let room = Room::with([("in", "Grüße, ☃!\n\u{200B}\ttab".as_bytes())]);
    let shown = "\
00000000  47 72 C3 BC C3 9F 65 2C 20 E2 98 83 21 0A        Grü(U+00FC)ß(U+00DF)e, ☃(U+2603)!␊
0000000e  E2 80 8B 09 74 61 62                             (U+200B)␉tab
";
    room.textcodec("show in").assert().success().stdout(shown).stderr("");
    room.textcodec("show --offset 0x9 --length 3 in")
        .assert()
        .success()
        .stdout("00000009  E2 98 83                                         ☃(U+2603)\n");
}

#[test]
fn malformed_bytes_are_named_with_their_place() {
    let room = Room::with([("in", b"abc\ncaf\xE9 \xE2\x98x\xC3")]);
    let shown = "\
00000000  61 62 63 0A 63 61 66 E9 20 E2 98 78 C3           abc␊caf[E9] [E2 98]x[C3]
          ^ byte offset 7 (0x7), line 2, column 4: not UTF-8: E9; in windows-1252: é (LATIN SMALL LETTER E WITH ACUTE)
          ^ byte offset 9 (0x9), line 2, column 5: not UTF-8: E2 98; in windows-1252: â˜ (LATIN SMALL LETTER A WITH CIRCUMFLEX, SMALL TILDE)
          ^ byte offset 12 (0xC), line 2, column 6: not UTF-8: C3; in windows-1252: Ã (LATIN CAPITAL LETTER A WITH TILDE)
";
    room.textcodec("show --from utf-8 in").assert().success().stdout(shown);
    room.textcodec("show in").assert().success().stderr(contains("it is shown as UTF-8"));
}

#[test]
fn characters_are_named_on_request() {
    let room = Room::with([("in", "é\u{A0}é\n漢\u{E000}".as_bytes())]);
    let shown = "\
00000000  C3 A9 C2 A0 C3 A9 0A E6 BC A2 EE 80 80           é(U+00E9)\u{A0}(U+00A0)é(U+00E9)␊漢(U+6F22)\u{E000}(U+E000)
          U+00E9 LATIN SMALL LETTER E WITH ACUTE
          U+00A0 NO-BREAK SPACE
          U+6F22 CJK UNIFIED IDEOGRAPH-6F22
          U+E000 no name
";
    room.textcodec("show --names in").assert().success().stdout(shown);
}

#[test]
fn malformed_bytes_are_red_on_request() {
    let room = Room::with([("in", b"a\xE9")]);
    room.textcodec("show -f utf-8 --color always in")
        .assert()
        .success()
        .stdout(contains("61 \x1B[31mE9\x1B[m ").and(contains("\x1B[31m^ byte offset 1")));
    room.textcodec("show -f utf-8 in").assert().success().stdout(contains("\x1B").not());
}

#[test]
fn only_the_surroundings_of_errors_are_shown_on_request() {
    let bytes = [&[b'a'; 160][..], b"\xFF", &[b'b'; 159], b"\xFF", &[b'c'; 16]].concat();
    let room = Room::with([("in", &bytes)]);
    let output = room.textcodec("show --errors=1 --from utf-8 in").assert().success().get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    let offsets: Vec<_> = output.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(offsets, ["00000090", "000000a0", "", "000000b0", "…", "00000130", "00000140", "", "00000150"]);
    room.textcodec("show --errors in").write_stdin("").assert().success();
}

#[test]
fn rows_as_near_to_an_error_as_asked_for_are_shown_once_and_others_are_left_out() {
    for (context, between) in (0..=3).flat_map(|context| (0..=7).map(move |between| (context, between))) {
        let bytes = [&[b'a'; 64][..], b"\xFF", &vec![b'b'; 15 + 16 * between], b"\xFF", &[b'c'; 95]].concat();
        let room = Room::with([("in", &bytes)]);
        let errors = format!("--errors={context}");
        let output =
            room.textcodec(&format!("show {errors} --from utf-8 in")).assert().success().get_output().stdout.clone();
        let output = String::from_utf8(output).unwrap();
        let starts: Vec<_> =
            output.lines().filter_map(|line| line.split(' ').next()).filter(|it| !it.is_empty()).collect();
        let wrong_rows: [usize; 2] = [4, 5 + between];
        let is_near = |row: &usize| wrong_rows.iter().any(|wrong| wrong.abs_diff(*row) <= context);
        let mut expected: Vec<String> = Vec::new();
        let mut last = None;
        for row in (0..bytes.len() / 16).filter(is_near) {
            if last.is_some_and(|last| last + 1 < row) {
                expected.push("…".to_owned());
            }
            expected.push(format!("{:08x}", 16 * row));
            last = Some(row);
        }
        assert_eq!(starts, expected, "{context} rows around errors, {between} rows between them");
    }
}

#[test]
fn characters_of_other_encodings_keep_their_bytes() {
    let room = Room::with([
        ("jis", b"\x1B$B%F\x1B(Ba"),
        ("gb", b"a\x81\x30\x81\x31b"),
        ("utf16", b"\xFF\xFEa\0\x3D\xD8\0\xDE\0\xDC"),
        ("dos", b"caf\x82"),
    ]);
    room.textcodec("show jis").assert().success().stdout(contains("1B 24 42 25 46").and(contains("テ(U+30C6)a")));
    room.textcodec("show -f gb18030 gb").assert().success().stdout(contains("61 81 30 81 31 62").and(contains("b\n")));
    room.textcodec("show utf16").assert().success().stdout(contains("😀(U+1F600)").and(contains("[00 DC]")));
    room.textcodec("show -f cp437 dos")
        .assert()
        .success()
        .stdout(contains("63 61 66 82").and(contains("café(U+00E9)")));
}

#[test]
fn a_long_file_is_shown_to_its_end_with_the_places_of_its_errors() {
    // The lines have 16 bytes, and the pieces that are read end within a character of some of them.
    let line = "0123456789abé☃\n".as_bytes();
    let number = 9000;
    let bytes = [b"\n".to_vec(), line.repeat(number), b"\xFF".to_vec()].concat();
    let room = Room::with([("in", &bytes)]);
    let output = room.textcodec("show --from utf-8 in").assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let (mut offset, mut count) = (0, 0);
    for row in text.lines().filter(|row| !row.starts_with(' ')) {
        let hexadecimal: Vec<_> = row[10..57].split_whitespace().collect();
        assert!(row.starts_with(&format!("{offset:08x}  ")) && hexadecimal.len() <= 16, "{row}");
        let shown: Vec<_> =
            bytes[offset..offset + hexadecimal.len()].iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!(hexadecimal, shown, "{row}");
        offset += hexadecimal.len();
        count += row.matches('☃').count();
    }
    assert_eq!((offset, count), (bytes.len(), number));
    let place = format!("^ byte offset {0} (0x{0:X}), line {1}, column 1: not UTF-8: FF", bytes.len() - 1, number + 2);
    assert!(text.contains(&place), "{place}");
}

#[test]
fn only_bytes_that_windows_1252_shows_are_told_in_windows_1252() {
    let room = Room::with([("in", b"a\x80b\x81")]);
    let shown = "\
00000000  61 80 62 81                                      a[80]b[81]
          ^ byte offset 1 (0x1), line 1, column 2: not UTF-8: 80; in windows-1252: € (EURO SIGN)
          ^ byte offset 3 (0x3), line 1, column 3: not UTF-8: 81
";
    room.textcodec("show --from utf-8 in").assert().success().stdout(shown);
}

#[test]
fn characters_that_nobody_sees_are_shown_by_their_code_points() {
    let room = Room::with([("in", "a\u{85}b\u{AD}\u{200F}\r\n\u{1B}\u{1}\u{7F}".as_bytes())]);
    let shown = "\
00000000  61 C2 85 62 C2 AD E2 80 8F 0D 0A 1B 01 7F        a(U+0085)b(U+00AD)(U+200F)␍␊(U+001B)(U+0001)(U+007F)
          U+0085 no name
          U+00AD SOFT HYPHEN
          U+200F RIGHT-TO-LEFT MARK
          U+001B no name
          U+0001 no name
          U+007F no name
";
    room.textcodec("show --names in").assert().success().stdout(shown).stderr("");
}

#[test]
fn a_row_has_as_many_characters_as_sixteen_bytes_hold() {
    let room = Room::new();
    let characters = ["a", "é", "☃", "😀", "b", "c", "漢"];
    for start in 0..40 {
        let text: Vec<&str> = (start..start + 19).map(|at| characters[at * at % 7]).collect();
        room.write("in", text.concat().as_bytes());
        let mut expected: Vec<Vec<u8>> = vec![Vec::new()];
        for character in text {
            if expected.last().unwrap().len() + character.len() > 16 {
                expected.push(Vec::new());
            }
            expected.last_mut().unwrap().extend(character.as_bytes());
        }
        assert_eq!(rows(&room, "show -f utf-8 in"), expected, "{start}");
    }
}

#[test]
fn every_byte_is_shown_also_if_it_gives_no_text() {
    let texts: [(&str, &[u8]); 6] = [
        ("iso-2022-jp", b"a\x1B$B$\"\x1B(B"),
        ("iso-2022-jp", b"\x1B(J"),
        ("utf-8", b"\xEF\xBB\xBF"),
        ("utf-16le", b"\xFF\xFE"),
        ("utf-7", b"+-+AOk-"),
        ("hz", b"~{VP~}~\n"),
    ];
    let room = Room::new();
    for (charset, bytes) in texts {
        for length in 0..=bytes.len() {
            room.write("in", &bytes[..length]);
            assert_eq!(rows(&room, &format!("show -f {charset} in")).concat(), bytes[..length], "{charset}");
        }
    }
}

#[test]
fn no_more_is_read_than_what_is_shown() {
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
        time::{Duration, Instant},
    };

    let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
    command.args(["show", "-f", "utf-8", "--length", "3"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The pipe stays open.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"abc").unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("the program waits for bytes that it does not show");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["00000000", "61", "62", "63", "abc"]);
}

/// The bytes of each row that the command prints.
fn rows(room: &Room, command: &str) -> Vec<Vec<u8>> {
    let output = room.textcodec(command).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with(' '));
    let bytes = |row: &str| row[10..57].split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    rows.map(bytes).collect()
}
