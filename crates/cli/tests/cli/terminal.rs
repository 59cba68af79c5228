//! Behavior on a terminal.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::room::Room;

/// A pseudo-terminal: the end of the person who looks at it, and the end of the program.
fn terminal() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (master.into(), slave)
}

/// All that a program has written to the terminal. The end of the program must be closed.
fn written(mut terminal: File) -> String {
    let mut bytes = Vec::new();
    // On Linux, reading fails when no program has the terminal open any more.
    let _ = terminal.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

fn textcodec(room: &Room, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
    command.current_dir(room.path("")).env("TERM", "xterm").env_remove("NO_COLOR").args(arguments.split(' '));
    command
}

/// The status and the text on a terminal that is standard output and standard error.
fn run(room: &Room, arguments: &str, variable: Option<&str>) -> (Option<i32>, String) {
    let (person, program) = terminal();
    let mut command = textcodec(room, arguments);
    command.stdin(Stdio::null()).stdout(program.try_clone().unwrap()).stderr(program);
    variable.map(|name| command.env(name, "1"));
    let status = command.status().unwrap();
    drop(command);
    (status.code(), written(person))
}

#[test]
fn a_guess_in_place_must_be_confirmed_on_a_terminal() {
    let russian = b"\xD1\xFA\xE5\xF8\xFC \xE6\xE5 \xE5\xF9\xB8 \xFD\xF2\xE8\xF5 \xEC\xFF\xE3\xEA\xE8\xF5";
    let room = Room::with([("file", russian)]);
    let (status, text) = run(&room, "convert --from auto --guess --in-place file", None);
    assert!(
        status == Some(2) && text.contains("add --suffix, which keeps the old files, or --yes"),
        "{status:?} {text}"
    );
    assert_eq!(room.read("file"), russian);
    room.write("kept", russian);
    let (status, text) = run(&room, "convert --from auto --guess --in-place --suffix .orig kept", None);
    assert!(status == Some(0) && room.read("kept.orig") == russian, "{status:?} {text}");
    let (status, text) = run(&room, "convert --from auto --guess --in-place --dry-run file", None);
    assert!(status == Some(0) && text.contains("would be converted from windows-1251"), "{status:?} {text}");
    let (status, text) = run(&room, "convert --from auto --guess --in-place --yes file", None);
    assert!(status == Some(0) && text.contains("windows-1251 is a guess"), "{status:?} {text}");
    assert_eq!(room.read("file"), "Съешь же ещё этих мягких".as_bytes());
}

#[test]
fn a_message_does_not_continue_a_line_of_the_text() {
    let room = Room::with([("cut", b"caf\xE9"), ("ended", b"caf\n\xE9")]);
    for file in ["cut", "ended"] {
        let (status, text) = run(&room, &format!("convert --from utf-8 {file}"), None);
        let expected = format!("caf\r\ntextcodec: {file}: not UTF-8");
        assert!(status == Some(1) && text.starts_with(&expected), "{status:?} {text:?}");
    }
}

#[test]
fn colors_are_on_terminals_unless_they_are_turned_off() {
    let room = Room::with([("bad", b"\xFF")]);
    for (arguments, variable, has_color) in [
        ("check bad", None, true),
        ("check bad", Some("NO_COLOR"), false),
        ("check --color never bad", None, false),
        ("show -f utf-8 bad", None, true),
        ("show -f utf-8 bad", Some("NO_COLOR"), false),
        ("convert --nonsense", None, true),
        ("convert --nonsense", Some("NO_COLOR"), false),
        ("convert --nonsense --color never", None, false),
    ] {
        let (_, text) = run(&room, arguments, variable);
        assert!(!text.is_empty() && text.contains('\x1B') == has_color, "{arguments} {variable:?}: {text:?}");
    }
}

/// The text on a terminal that is standard error, while a command reads three pieces with a pause after the first. Also
/// the time that the program took at most.
fn slowly(room: &Room, arguments: &str, pause: Duration) -> (String, Duration) {
    // A pipe does not hold a piece, so the first one is written only when the program has begun to read, also on a
    // machine where it takes long to start. The program reads the others in several parts.
    let piece = [b'a'; 256 << 10];
    let (person, program) = terminal();
    let mut command = textcodec(room, arguments);
    command.stdin(Stdio::piped()).stdout(File::create(room.path("out")).unwrap()).stderr(program);
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut input = child.stdin.take().unwrap();
    input.write_all(&piece).unwrap();
    sleep(pause);
    input.write_all(&piece).unwrap();
    input.write_all(&piece).unwrap();
    drop(input);
    let status = child.wait().unwrap();
    assert!(status.success(), "{status:?}");
    (written(person), start.elapsed())
}

#[test]
fn a_long_conversion_shows_its_progress_and_removes_it() {
    let room = Room::new();
    let convert = "convert -f windows-1252";
    let (text, time) = slowly(&room, convert, Duration::ZERO);
    assert!(text.is_empty() || time > Duration::from_secs(1), "{text:?} after {time:?}");
    assert!(room.read("out") == [b'a'; 3 << 18]);
    let (text, _) = slowly(&room, convert, Duration::from_millis(1100));
    assert!(room.read("out") == [b'a'; 3 << 18]);
    assert!(text.contains("KiB") && text.contains("/s"), "{text:?}");
    // The last thing is that the line is cleared.
    assert!(text.ends_with("\x1B[2K") || text.ends_with("\x1B[2K\r") || text.ends_with("\r\x1B[2K"), "{text:?}");
}

#[test]
fn a_long_check_shows_its_progress_and_removes_it_before_the_last_line() {
    let room = Room::new();
    let (text, _) = slowly(&room, "check -r -f windows-1252 -", Duration::from_millis(1100));
    let (bar, last) = text.split_once("textcodec: ").unwrap();
    assert!(bar.contains("KiB") && bar.contains("/s"), "{text:?}");
    assert_eq!(last, "1 checked, 0 of them with errors, 0 skipped, 0 not read\r\n");
    assert_eq!(room.read("out"), b"");
}

#[test]
fn a_terminal_without_colors_gets_none_and_an_empty_variable_says_nothing() {
    let room = Room::with([("bad", b"\xFF")]);
    for (name, value, has_color) in
        [("TERM", "dumb", false), ("TERM", "xterm-256color", true), ("NO_COLOR", "", true), ("NO_COLOR", "0", false)]
    {
        for arguments in ["check bad", "show -f utf-8 bad"] {
            let (person, program) = terminal();
            let mut command = textcodec(&room, arguments);
            command.env(name, value).stdin(Stdio::null()).stdout(program.try_clone().unwrap()).stderr(program);
            command.status().unwrap();
            drop(command);
            let text = written(person);
            assert!(!text.is_empty() && text.contains('\x1B') == has_color, "{arguments} {name}={value}: {text:?}");
        }
    }
    // A terminal without a name has colors.
    let (person, program) = terminal();
    let mut command = textcodec(&room, "check bad");
    command.env_remove("TERM").stdin(Stdio::null()).stdout(program.try_clone().unwrap()).stderr(program);
    command.status().unwrap();
    drop(command);
    assert!(written(person).contains('\x1B'));
}

#[test]
fn only_the_first_message_ends_an_open_line_and_only_on_the_terminal() {
    // Two declarations contradict the output, and the text does not end its line.
    let room = Room::with([("a.py", b"# coding: latin-1\n# vim: fenc=latin-1\ns = '\xE9'")]);
    let (status, text) = run(&room, "convert -f auto a.py", None);
    assert!(status == Some(0) && text.contains("s = 'é'\r\ntextcodec: a.py: "), "{text:?}");
    assert_eq!((text.matches("textcodec: a.py: ").count(), text.matches("\r\n\r\n").count()), (2, 0), "{text:?}");
    let (person, program) = terminal();
    let mut command = textcodec(&room, "convert -f auto a.py");
    command.stdin(Stdio::null()).stdout(program).stderr(File::create(room.path("messages")).unwrap());
    assert!(command.status().unwrap().success());
    drop(command);
    assert!(written(person).ends_with("s = 'é'"));
    let messages = String::from_utf8(room.read("messages")).unwrap();
    assert!(
        messages.lines().count() == 2 && messages.lines().all(|line| line.starts_with("textcodec: ")),
        "{messages}"
    );
}
