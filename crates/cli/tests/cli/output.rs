//! `textcodec convert`: its outputs, which are files, links, devices and pipes.

use std::{
    fs::{self, OpenOptions, Permissions},
    io::{BufRead, BufReader, Read, Write},
    os::unix::{
        fs::{MetadataExt, PermissionsExt, symlink},
        process::ExitStatusExt,
    },
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{room::Room, signals};
use predicates::str::contains;

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_textcodec"))
}

fn mode(room: &Room, name: &str) -> u32 {
    fs::metadata(room.path(name)).unwrap().mode() & 0o7777
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let room = Room::with([("in", &b"a line\n".repeat(1_000_000))]);
    for replaced in ["utf-8", "shift_jis"] {
        let mut command = program();
        command.args(["convert", "--from", replaced]).arg(room.path("in"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "a line\n");
        // The pipe is closed now.
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

#[test]
fn a_pipe_that_is_closed_from_the_start_is_not_an_error() {
    for arguments in [&["list"][..], &["convert", "/dev/null"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program().args(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn text_is_written_as_soon_as_it_arrives() {
    let mut child = program().arg("convert").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for text in ["first", "sécond"] {
        input.write_all(text.as_bytes()).unwrap();
        let mut read = vec![0; text.len()];
        output.read_exact(&mut read).unwrap();
        assert_eq!(read, text.as_bytes());
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_output_can_be_an_input() {
    let room = Room::with([("file", "é".repeat(100_000).as_bytes())]);
    room.textcodec("convert --to latin1 file -o file").assert().success();
    assert_eq!(room.read("file"), b"\xE9".repeat(100_000));
    assert_eq!(room.names(), ["file"]);
}

#[test]
fn text_that_is_utf_8_already_is_not_decoded_again_if_the_output_takes_its_place() {
    let room =
        Room::with([("file", b"caf\xE9\n"), ("damaged", b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xFF")]);
    let mut convert = program();
    convert.current_dir(room.path("")).args("convert --from latin1 file -o file".split(' '));
    for says in ["", "textcodec: file: the file is UTF-8 already; with --force, --from decides\n"] {
        let output = convert.output().unwrap();
        assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(0), says));
        assert_eq!(room.read("file"), "café\n".as_bytes());
    }
    room.textcodec("convert --from latin1 damaged -o damaged")
        .assert()
        .code(1)
        .stderr(contains("With --force, it is decoded"));
    room.textcodec("convert --from latin1 --force file -o file").assert().success().stderr("");
    assert_eq!(room.read("file"), "cafÃ©\n".as_bytes());
    room.textcodec("iconv -f latin1 -t utf-8 file -o file").assert().success().stderr("");
    assert_eq!(room.read("file"), "cafÃ\u{83}Â©\n".as_bytes());
}

#[test]
fn a_warning_tells_that_a_file_is_utf_8_and_decoded_in_another_encoding() {
    let long = "é".repeat(100_000);
    let ends_otherwise = [long.as_bytes(), b"\xFF"].concat();
    let room = Room::with([
        ("short", "café\n".as_bytes()),
        ("long", [b"a", long.as_bytes()].concat().as_slice()),
        ("otherwise", &ends_otherwise),
        ("mark", "\u{FEFF}café\n".as_bytes()),
        ("ascii", b"abc\n"),
        ("latin1", b"caf\xE9\n"),
    ]);
    for (file, warns) in
        [("short", true), ("long", true), ("otherwise", false), ("mark", false), ("ascii", false), ("latin1", false)]
    {
        let warning = format!(
            "textcodec: {file}: the file is well-formed UTF-8, but it is decoded in windows-1252, as --from says\n"
        );
        for output in ["", "-o out"] {
            let says = if warns { warning.clone() } else { String::new() };
            room.textcodec(&format!("convert --from latin1 {file} {output}")).assert().success().stderr(says);
        }
        room.textcodec(&format!("convert --from latin1 --force {file}")).assert().success().stderr("");
        room.textcodec(&format!("iconv -f latin1 -t utf-8 {file}")).assert().success().stderr("");
    }
}

#[test]
fn standard_output_must_not_be_an_input() {
    let room = Room::with([("file", b"abc")]);
    let append = || OpenOptions::new().append(true).open(room.path("file")).unwrap();
    let mut command = program();
    command.arg("convert").arg(room.path("file")).stdout(append());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("name it and use --output"));
    assert_eq!(room.read("file"), b"abc");
}

/// Runs `script` in the shell with `$textcodec` as the program. Each process may write at most 1 MiB to a file, so that
/// an endless conversion fails the test without filling the disk.
fn shell(room: &Room, script: &str) -> Output {
    let mut command = Command::new("sh");
    command.current_dir(room.path("")).env("textcodec", env!("CARGO_BIN_EXE_textcodec"));
    command.args(["-c", &format!("ulimit -f 2048; {script}")]).output().unwrap()
}

#[test]
fn text_is_not_appended_to_the_file_that_it_is_read_from() {
    for script in [
        "$textcodec convert -f latin1 < file >> file",
        "$textcodec convert -f latin1 - < file >> file",
        "$textcodec convert -f latin1 file >> file",
        "$textcodec convert -f latin1 hard-link >> file",
        "$textcodec convert -f latin1 symbolic-link >> file",
        "$textcodec convert -f latin1 /dev/stdin < file >> file",
        "$textcodec convert -f latin1 < file >> hard-link",
        "$textcodec convert -f latin1 < file -o - >> file",
        "$textcodec convert -f latin1 < file -o /dev/stdout >> file",
        "$textcodec convert -f latin1 < file -o /dev/fd/1 >> file",
        "$textcodec convert -f latin1 < file -o /proc/self/fd/1 >> file",
        "$textcodec convert -f latin1 < file -o /proc/self/../self/fd/1 >> file",
        "$textcodec convert -f latin1 < file -o link-to-standard-output >> file",
        // Reading and writing both start at the first byte; each "é" takes two bytes in UTF-8.
        "$textcodec convert -f latin1 < file 1<> file",
        "{ head -c 1 > /dev/null; $textcodec convert -f latin1; } < file >> file",
        // Standard input is at its end until the text of the other file is appended.
        "{ cat > /dev/null; $textcodec convert -f latin1 other - ; } < at-end >> at-end",
    ] {
        let text = b"\xE9".repeat(100_000);
        let room = Room::with([("file", &text), ("other", b"abc"), ("at-end", b"")]);
        fs::write(room.path("at-end"), "x").unwrap();
        fs::hard_link(room.path("file"), room.path("hard-link")).unwrap();
        symlink("file", room.path("symbolic-link")).unwrap();
        symlink("/dev/stdout", room.path("link-to-standard-output")).unwrap();
        let output = shell(&room, script);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("are the same file"), "{script}: {message}");
        assert_eq!(output.status.code(), Some(1), "{script}");
        assert!(room.read("file") == text && room.read("at-end").len() < 10, "{script}");
    }
}

#[test]
fn text_may_be_written_to_a_file_that_has_nothing_left_to_read() {
    for (script, text) in [
        ("{ cat; $textcodec convert; } < file >> other", &b"abc"[..]),
        ("{ cat > other; $textcodec convert; } < file >> file", b"abc"),
        ("$textcodec convert file -o other >> file", b"abc"),
        ("$textcodec convert < file > other 2>> file", b"abc"),
    ] {
        let room = Room::with([("file", b"abc")]);
        let output = shell(&room, script);
        assert!(output.status.success() && output.stderr.is_empty(), "{script}: {output:?}");
        assert_eq!((&*room.read("file"), &*room.read("other")), (text, text), "{script}");
    }
}

#[test]
fn a_file_that_the_shell_has_emptied_is_reported() {
    for script in ["$textcodec convert < file > file", "$textcodec convert file > file"] {
        let room = Room::with([("file", b"abc")]);
        assert_eq!(shell(&room, script).status.code(), Some(1), "{script}");
    }
}

#[test]
fn a_contradicting_declaration_is_an_error_if_standard_output_is_a_file() {
    let room = Room::with([("page.html", b"<meta charset=koi8-r>")]);
    let output = shell(&room, "$textcodec convert page.html > out");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && message.contains("--declarations keep"), "{message}");
    assert_eq!(room.read("out"), b"");
    // Nothing is lost on a device.
    let output = shell(&room, "$textcodec convert page.html > /dev/null");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && message.contains("see --declarations"), "{message}");
}

#[test]
fn one_device_may_be_input_and_output() {
    let output = shell(&Room::new(), "$textcodec convert < /dev/null 1<> /dev/null");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let room = Room::with([("in", b"abc")]);
    room.textcodec("convert in -o out").assert().success();
    assert_eq!(mode(&room, "out"), mode(&room, "in"));
    let mut command = Command::new("sh");
    command.args(["-c", r#"umask 027 && "$0" convert "$1" -o "$2""#, env!("CARGO_BIN_EXE_textcodec")]);
    assert!(command.args([room.path("in"), room.path("strict")]).status().unwrap().success());
    assert_eq!(mode(&room, "strict"), 0o640);
}

#[test]
fn an_existing_file_keeps_its_permissions() {
    let room = Room::with([("in", b"abc"), ("out", b"before, and longer")]);
    for permissions in [0o600, 0o664, 0o755] {
        fs::set_permissions(room.path("out"), Permissions::from_mode(permissions)).unwrap();
        room.textcodec("convert in -o out").assert().success();
        assert_eq!(mode(&room, "out"), permissions);
        assert_eq!(room.read("out"), b"abc");
    }
}

#[test]
fn the_file_under_the_final_name_is_another_one_than_before() {
    let room = Room::with([("in", b"abc"), ("out", b"before")]);
    let mut before = fs::File::open(room.path("out")).unwrap();
    room.textcodec("convert in -o out").assert().success();
    let mut text = String::new();
    before.read_to_string(&mut text).unwrap();
    assert_eq!((&*text, &*room.read("out")), ("before", &b"abc"[..]));
}

#[test]
fn a_symbolic_link_stays_and_leads_to_the_output() {
    let room = Room::with([("in", b"abc"), ("target", b"before")]);
    fs::create_dir(room.path("sub")).unwrap();
    symlink("../target", room.path("sub/link")).unwrap();
    symlink("sub/link", room.path("link")).unwrap();
    symlink("sub/new", room.path("dangling")).unwrap();
    symlink("loop", room.path("loop")).unwrap();
    for (link, target) in [("link", "target"), ("dangling", "sub/new")] {
        room.textcodec(&format!("convert in -o {link}")).assert().success();
        assert!(fs::symlink_metadata(room.path(link)).unwrap().is_symlink());
        assert_eq!(room.read(target), b"abc");
    }
    room.textcodec("convert in -o loop").assert().code(1).stderr(contains("cannot write loop: "));
}

#[test]
fn devices_and_named_pipes_are_written_directly() {
    let room = Room::with([("in", b"abc")]);
    room.textcodec("convert in -o /dev/null").assert().success();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    room.textcodec("convert in -o /dev/stdout").assert().success().stdout("abc");
    room.textcodec("convert in -o -").assert().success().stdout("abc");

    assert!(Command::new("mkfifo").arg(room.path("pipe")).status().unwrap().success());
    let mut command = program();
    let mut child = command.arg("convert").arg(room.path("in")).arg("-o").arg(room.path("pipe")).spawn().unwrap();
    assert_eq!(room.read("pipe"), b"abc");
    assert!(child.wait().unwrap().success());
    assert_eq!(room.names(), ["in", "pipe"]);
}

#[test]
fn a_named_pipe_can_be_read() {
    let room = Room::new();
    assert!(Command::new("mkfifo").arg(room.path("pipe")).status().unwrap().success());
    let child = program().arg("convert").arg(room.path("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    fs::write(room.path("pipe"), "abc").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"abc");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let room = Room::with([("in", b"abc")]);
    room.textcodec("convert in -o /dev/full").assert().code(1).stderr(contains("cannot write /dev/full: "));
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in [&["list"][..], &["--help"], &["--version"], &["convert", "/etc/passwd"]] {
        let output = program().args(arguments).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write to standard output: "));
    }
}

#[test]
fn an_interruption_leaves_no_file() {
    let room = Room::with([("out", b"before")]);
    for number in [1, 2, 15, 9] {
        let Some(mut program) = signals::program() else { return };
        // After SIGKILL, the program cannot remove a temporary file that has a name.
        if number == 9 && !cfg!(target_os = "linux") {
            continue;
        }
        let mut child = program.arg("convert").arg("-o").arg(room.path("out")).stdin(Stdio::piped()).spawn().unwrap();
        // Standard input stays open until the program has ended. At the end of its input, the program could finish
        // before the signal comes, and `Child::wait` would close standard input.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"half").unwrap();
        wait_for("a temporary file", || room.names().len() == 2 || has_unnamed_file(child.id(), &room));
        let kill = format!("kill -{number} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        wait_for("the end", || child.try_wait().unwrap().is_some());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "ended by the signal");
        assert_eq!(room.names(), ["out"], "signal {number}");
        assert_eq!(room.read("out"), b"before");
    }
}

/// Whether the process has opened a file in `room` that has no name, as Linux shows it.
fn has_unnamed_file(process: u32, room: &Room) -> bool {
    let Ok(descriptors) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let mut files = descriptors.filter_map(|descriptor| fs::read_link(descriptor.ok()?.path()).ok());
    files.any(|file| {
        file.starts_with(room.path("").canonicalize().unwrap()) && file.to_string_lossy().ends_with("(deleted)")
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_the_caller_ignores_does_not_end_the_program() {
    let room = Room::with([("out", b"before")]);
    let script = "trap '' HUP; exec \"$textcodec\" convert -o \"$out\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("textcodec", env!("CARGO_BIN_EXE_textcodec")).env("out", room.path("out"));
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    wait_for("an unnamed file", || has_unnamed_file(child.id(), &room));
    assert!(Command::new("sh").args(["-c", &format!("kill -HUP {}", child.id())]).status().unwrap().success());
    child.stdin.take().unwrap().write_all(b"after").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(room.read("out"), b"after");
}

#[test]
fn a_closed_standard_stream_is_an_error() {
    let room = Room::with([("in", b"abc"), ("only-read", b"")]);
    for (script, message) in [
        ("$textcodec convert in >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec convert in -o - >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec sniff in >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec list >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec list <&- >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec --version >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec convert --help >&-", "cannot write to standard output: standard output is closed"),
        ("$textcodec convert in 1< only-read", "cannot write to standard output: "),
        ("$textcodec list 1< /dev/null", "cannot write to standard output: "),
        ("$textcodec convert <&-", "cannot read standard input: standard input is closed"),
        ("$textcodec sniff - <&-", "cannot read standard input: standard input is closed"),
    ] {
        let output = shell(&room, script);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && error.contains(message), "{script}: {error}");
    }
    // Text that nobody wants is not lost. Python and Node open /dev/null for reading and writing.
    for script in [
        "$textcodec convert in > /dev/null",
        "$textcodec convert in 1<> /dev/null",
        "$textcodec convert < /dev/null",
        "$textcodec convert <> /dev/null",
        "$textcodec convert in -o out <&- >&-",
        "$textcodec convert in 2>&-",
    ] {
        let output = shell(&room, script);
        assert!(output.status.success(), "{script}: {output:?}");
    }
    assert_eq!(room.read("out"), b"abc");
}

#[test]
fn an_existing_file_keeps_its_extended_attributes() {
    /// user::rw-, user:12345:rw-, group::r--, mask::rw-, other::---
    const LIST: [u8; 44] =
        *b"\x02\0\0\0\x01\0\x06\0\xFF\xFF\xFF\xFF\x02\0\x06\0\x39\x30\0\0\x04\0\x04\0\xFF\xFF\xFF\xFF\
        \x10\0\x06\0\xFF\xFF\xFF\xFF\x20\0\0\0\xFF\xFF\xFF\xFF";
    let room = Room::with([("in", b"abc"), ("file", b"before"), ("without-a-list", b"before")]);
    let file = room.path("file");
    let list = "system.posix_acl_access";
    if xattr::set(&file, "user.mime_type", b"text/plain").is_err() {
        // The file system of the temporary directory has no extended attributes.
        return;
    }
    let has_lists = cfg!(target_os = "linux") && xattr::set(&file, list, &LIST).is_ok();
    room.textcodec("convert in -o file").assert().success().stderr("");
    assert_eq!(room.read("file"), b"abc");
    assert_eq!(xattr::get(&file, "user.mime_type").unwrap().unwrap(), b"text/plain");
    if has_lists {
        assert_eq!(xattr::get(&file, list).unwrap().unwrap(), LIST);
        assert_eq!(mode(&room, "file"), 0o660);
        // A file without an access control list does not get the default list that the directory gives to new files.
        let default: Vec<u8> = LIST.to_vec();
        xattr::set(room.path(""), "system.posix_acl_default", &default).unwrap();
        fs::set_permissions(room.path("without-a-list"), Permissions::from_mode(0o640)).unwrap();
        room.textcodec("convert in -o without-a-list").assert().success().stderr("");
        assert_eq!(xattr::get(room.path("without-a-list"), list).unwrap(), None);
        assert_eq!(mode(&room, "without-a-list"), 0o640);
        room.textcodec("convert in -o new").assert().success().stderr("");
        assert!(xattr::get(room.path("new"), list).unwrap().is_some());
    }
}

/// Waits until `is_there` returns true. On a busy machine this may take seconds.
fn wait_for(event: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(60), "no sign of {event}");
        sleep(Duration::from_millis(1));
    }
}
