//! `textcodec convert --in-place` on Unix: links, permissions, times, names, signals and full disks.

use std::{
    ffi::OsStr,
    fs::{self, Permissions},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant, SystemTime},
};

use crate::{room::Room, signals};
use predicates::{prelude::PredicateBooleanExt, str::contains};

/// The word "тест" in windows-1251.
const WINDOWS_1251: &[u8] = b"\xF2\xE5\xF1\xF2";
const TEXT: &str = "тест";

fn shell(room: &Room, script: &str) -> std::process::Output {
    let mut command = Command::new("sh");
    command.current_dir(room.path("")).env("textcodec", env!("CARGO_BIN_EXE_textcodec"));
    command.args(["-c", script]).output().unwrap()
}

#[test]
fn a_symbolic_link_is_followed_only_if_it_is_named() {
    let room = Room::with([("tree/file", WINDOWS_1251), ("target", WINDOWS_1251), ("other/file", WINDOWS_1251)]);
    symlink("../target", room.path("tree/link")).unwrap();
    symlink("../other", room.path("tree/directory")).unwrap();
    let mut command = room.textcodec("convert -f windows-1251 -i -r tree");
    command.assert().success().stderr(contains("1 converted, 0 already UTF-8, 2 skipped (2 symbolic links), 0 failed"));
    assert_eq!((room.read("target"), room.read("other/file")), (WINDOWS_1251.to_vec(), WINDOWS_1251.to_vec()));
    room.textcodec("convert -f windows-1251 -i tree/link target").assert().success().stderr("");
    assert!(room.path("tree/link").is_symlink());
    assert_eq!(room.read("target"), TEXT.as_bytes());
}

#[test]
fn hard_links_are_broken_only_on_request() {
    let room = Room::with([("file", WINDOWS_1251)]);
    fs::hard_link(room.path("file"), room.path("link")).unwrap();
    let mut command = room.textcodec("convert -f windows-1251 -i file");
    command.assert().code(1).stderr(contains("file: the file has 2 names (hard links)\n  With --break-hard-links"));
    assert_eq!(room.read("file"), WINDOWS_1251);
    room.textcodec("convert -f windows-1251 -i --break-hard-links file").assert().success();
    assert_eq!((room.read("file"), room.read("link")), (TEXT.into(), WINDOWS_1251.to_vec()));
}

#[test]
fn permissions_stay_and_the_time_on_request() {
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (option, is_kept) in [("", false), ("--keep-time", true)] {
        for place in ["-i file", "--output-dir out file"] {
            let room = Room::with([("file", WINDOWS_1251)]);
            fs::set_permissions(room.path("file"), Permissions::from_mode(0o750)).unwrap();
            fs::File::options().write(true).open(room.path("file")).unwrap().set_modified(long_ago).unwrap();
            let output = shell(&room, &format!("umask 022; $textcodec convert -f windows-1251 {option} {place}"));
            assert!(output.status.success(), "{output:?}");
            let new = if place.starts_with("-i") { "file" } else { "out/file" };
            let metadata = fs::metadata(room.path(new)).unwrap();
            assert_eq!(room.read(new), TEXT.as_bytes());
            assert_eq!(metadata.mode() & 0o7777, 0o750, "{place}");
            assert_eq!(metadata.modified().unwrap() == long_ago, is_kept, "{place} {option}");
        }
    }
}

#[test]
fn a_file_that_does_not_change_is_not_written() {
    let room = Room::with([("file", TEXT.as_bytes())]);
    let before = fs::metadata(room.path("file")).unwrap();
    room.textcodec("convert -f auto -i file").assert().success();
    let after = fs::metadata(room.path("file")).unwrap();
    assert_eq!((after.ino(), after.modified().unwrap()), (before.ino(), before.modified().unwrap()));
}

#[test]
fn names_need_not_be_utf_8() {
    let room = Room::new();
    let name = OsStr::from_bytes(b"caf\xE9\n");
    if fs::write(room.path("").join(name), WINDOWS_1251).is_err() {
        // The file system has only names in UTF-8.
        return;
    }
    let mut command = room.textcodec("convert -f windows-1251 -i -r -v .");
    command.assert().success().stdout("\"./caf\\xe9\\n\": converted from windows-1251\n");
    assert_eq!(fs::read(room.path("").join(name)).unwrap(), TEXT.as_bytes());
    let mut command = room.textcodec("convert -f windows-1251 -i --force");
    command.arg(name).assert().success();
    let mut command = room.textcodec("convert -r . --output-dir out");
    command.assert().success();
    assert!(room.path("out").join(name).is_file());
}

/// Starts a run that stops between the search for files and the first of them: the report is a named pipe, which is
/// opened in between. `change` is called then. Returns the output after the end of the run.
#[cfg(target_os = "linux")]
fn run_with_a_change(room: &Room, arguments: &str, change: impl FnOnce()) -> std::process::Output {
    assert!(Command::new("mkfifo").arg(room.path("report")).status().unwrap().success());
    let mut command = Command::new("timeout");
    command
        .arg("60")
        .arg(env!("CARGO_BIN_EXE_textcodec"))
        .current_dir(room.path(""))
        .args(arguments.split_whitespace());
    let child = command.args(["--report", "report"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The search takes milliseconds. Nothing tells its end.
    sleep(Duration::from_millis(500));
    change();
    // Opening the pipe for reading and writing does not wait for the program.
    let report = fs::File::options().read(true).write(true).open(room.path("report")).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(report);
    fs::remove_file(room.path("report")).unwrap();
    output
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_another_program_replaces_are_failures() {
    // The sizes are below and above that from which a file is not read at once.
    for size in [4, 400_000] {
        for arguments in ["-i -r tree", "-i tree/0 tree/1 tree/2 tree/3 tree/4 tree/5", "-r tree --output-dir out"] {
            let room = Room::with([("secret", WINDOWS_1251)]);
            let text = WINDOWS_1251.repeat(size / 4);
            (0..7).for_each(|number| room.write(&format!("tree/{number}"), &text));
            let path = |number: usize| room.path(&format!("tree/{number}"));
            let arguments = format!("convert -f windows-1251 -j 1 {arguments}");
            let output = run_with_a_change(&room, &arguments, || {
                (1..5).for_each(|number| fs::remove_file(path(number)).unwrap());
                symlink("../secret", path(1)).unwrap();
                assert!(Command::new("mkfifo").arg(path(2)).status().unwrap().success());
                fs::create_dir(path(3)).unwrap();
                // 4 has disappeared. 5 is shorter than before, which is no failure.
                fs::File::options().write(true).open(path(5)).unwrap().set_len(2).unwrap();
            });
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{message}");
            assert!(message.contains("cannot read tree/4: No such file or directory"), "{message}");
            for number in [2, 3] {
                let line = format!("cannot read tree/{number}: another program has put something in its place");
                assert!(message.contains(&line), "{message}");
            }
            // The command line can name a link. The search through a directory finds none.
            let is_followed = arguments.contains("tree/1");
            assert_eq!(room.read("secret"), if is_followed { TEXT.into() } else { WINDOWS_1251.to_vec() });
            let root = if arguments.contains("out") { "out" } else { "tree" };
            assert_eq!(room.read(&format!("{root}/0")), TEXT.repeat(size / 4).as_bytes());
            assert_eq!(room.read(&format!("{root}/5")), "те".as_bytes());
            assert!(path(1).is_symlink());
            assert_eq!(message.contains("cannot read tree/1: another program"), !is_followed, "{message}");
        }
    }
}

/// Runs a command that reports on "c" last, appends "more" to "a" while the program waits for the reader of its report,
/// and returns the status and the messages. The byte D2 is malformed in windows-1253, and the report on "c" is longer
/// than a pipe holds.
#[cfg(target_os = "linux")]
fn change_in_the_meantime(arguments: &str) -> (Room, std::process::ExitStatus, String) {
    let room = Room::with([("a", WINDOWS_1251), ("b", WINDOWS_1251), ("c", &b"\xD2".repeat(20_000))]);
    assert!(Command::new("mkfifo").arg(room.path("report")).status().unwrap().success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
    command.current_dir(room.path("")).args(["convert", "-f", "windows-1253", "--errors", "replacement"]);
    command.args(arguments.split_whitespace()).args(["--report", "report"]);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut report = fs::File::open(room.path("report")).unwrap();
    std::io::Read::read_exact(&mut report, &mut [0]).unwrap();
    let mut file = fs::File::options().append(true).open(room.path("a")).unwrap();
    std::io::Write::write_all(&mut file, b"more").unwrap();
    std::io::copy(&mut report, &mut std::io::sink()).unwrap();
    let output = child.wait_with_output().unwrap();
    (room, output.status, String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_another_program_writes_in_the_meantime_keeps_its_text() {
    // When the first line of the report comes, the program waits in the last file, and the first two wait for it.
    let (room, status, message) = change_in_the_meantime("-i -j 1 a b c");
    let line = "cannot write a: another program has changed the file in the meantime";
    assert!(status.code() == Some(1) && message.contains(line), "{message}");
    assert!(message.contains("2 converted, 0 already UTF-8, 0 skipped, 1 failed"), "{message}");
    assert_eq!(room.read("a"), [WINDOWS_1251, b"more"].concat());
}

#[test]
fn a_named_pipe_is_opened_once_whatever_the_output_is() {
    for output in ["old", "new"] {
        let room = Room::with([("old", b"old")]);
        assert!(Command::new("mkfifo").arg(room.path("pipe")).status().unwrap().success());
        let path = room.path("pipe");
        // Opening the pipe waits for its reader, and what nobody reads is lost.
        let writer = std::thread::spawn(move || fs::write(path, TEXT));
        let mut command = room.textcodec(&format!("convert -f utf-8 pipe -o {output}"));
        command.timeout(Duration::from_secs(60)).assert().success();
        writer.join().unwrap().unwrap();
        assert_eq!(room.read(output), TEXT.as_bytes(), "{output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_one_of_several_inputs_keeps_the_text_of_another_program() {
    for (inputs, is_kept) in [("a c", true), ("c a", true), ("c b a", true), ("c b", false)] {
        let (room, status, message) = change_in_the_meantime(&format!("{inputs} -o a"));
        let has_changed = message.contains("cannot write a: another program has changed the file in the meantime");
        assert_eq!((status.success(), has_changed), (!is_kept, is_kept), "{inputs}: {message}");
        assert_eq!(room.read("a") == [WINDOWS_1251, b"more"].concat(), is_kept, "{inputs}");
    }
}

#[test]
fn loops_of_links_and_files_that_are_named_twice_are_converted_once() {
    let room = Room::with([("tree/file", WINDOWS_1251), ("a", WINDOWS_1251), ("b", WINDOWS_1251)]);
    symlink(".", room.path("tree/self")).unwrap();
    symlink("../tree", room.path("tree/up")).unwrap();
    symlink("loop", room.path("tree/loop")).unwrap();
    symlink("a", room.path("link")).unwrap();
    fs::hard_link(room.path("b"), room.path("c")).unwrap();
    let mut command = room.textcodec("convert -f windows-1251 -i -r tree tree/up");
    command.assert().success().stderr(contains("1 converted, 0 already UTF-8, 6 skipped (6 symbolic links), 0 failed"));
    room.textcodec("check -r tree/loop").assert().code(2).stderr(contains("cannot read tree/loop: "));
    let absolute = room.path("a").to_str().unwrap().to_owned();
    let mut command =
        room.textcodec(&format!("convert -f windows-1251 -i -v --jobs 16 a ./a link tree/../a {absolute}"));
    command.assert().success().stdout("a: converted from windows-1251\n");
    let mut command = room.textcodec("convert -f windows-1251 -i --break-hard-links --jobs 16 b c");
    command.assert().success().stderr(contains("2 converted"));
    assert_eq!((room.read("b"), room.read("c")), (TEXT.into(), TEXT.into()));
}

#[test]
fn an_output_directory_can_be_above_or_below_the_files() {
    let room = Room::with([("tree/file", WINDOWS_1251)]);
    for _ in 0..2 {
        room.textcodec("convert -f windows-1251 -r tree --output-dir tree/out").assert().success();
        room.textcodec("convert -f windows-1251 -r tree/out --output-dir .").assert().success();
        assert_eq!(room.tree(), ["file", "tree/file", "tree/out/file"]);
    }
    let mut command = room.textcodec("convert -f windows-1251 -r tree --output-dir tree");
    command.assert().code(1).stderr(contains("cannot write tree/file: this is the file that is read"));
    // A name that is a file in one tree and a directory in the other.
    let room = Room::with([("a/x", WINDOWS_1251), ("b/x/y", WINDOWS_1251)]);
    let mut command = room.textcodec("convert -f windows-1251 -r -j 1 a b --output-dir out");
    command.assert().code(1).stderr(contains("1 converted").and(contains("cannot write out/x/y: Not a directory")));
}

#[test]
fn names_that_look_like_options_or_have_control_characters_are_names() {
    let names = ["-", "--", "-f", "--in-place", "new\nline", "\u{1B}[31m", "*", " ", "\"q\"", "a\\b"];
    let room = Room::new();
    for arguments in ["-r .", "--"] {
        names.iter().for_each(|name| room.write(name, WINDOWS_1251));
        let mut command = room.textcodec(&format!("convert -f windows-1251 -i -v {arguments}"));
        if arguments == "--" {
            command.args(names);
        }
        let output = command.write_stdin("").assert().success().get_output().clone();
        let lines = String::from_utf8(output.stdout).unwrap();
        assert!(lines.lines().count() == names.len() && !lines.contains('\x1B'), "{lines}");
        assert!(names.iter().all(|name| room.read(name) == TEXT.as_bytes()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_with_holes_takes_constant_memory() {
    let room = Room::new();
    // Twice as long as the memory that the program may have.
    let length = 1 << 28;
    fs::File::create(room.path("holes")).unwrap().set_len(length).unwrap();
    let mut command = room.textcodec("convert -f windows-1251 -i -v holes");
    command.assert().success().stdout("holes: skipped: binary\n");
    let output = shell(&room, "ulimit -v 130000; timeout 600 $textcodec check -f windows-1251 --force holes");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines, format!("holes:1:1: warning: the text contains U+0000 ({length} in all) [nul]\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_binary_file_is_not_read_to_its_end() {
    // Reading terabytes takes minutes.
    let length = 8 << 40;
    let russian = b"\xD1\xFA\xE5\xF8\xFC \xE6\xE5 \xE5\xF9\xB8 \xFD\xF2\xE8\xF5 \xEC\xFF\xE3\xEA\xE8\xF5";
    let ascii = b"abc\n".repeat(20_000);
    for start in [&b""[..], TEXT.as_bytes(), russian, &ascii, &[&*ascii, TEXT.as_bytes()].concat()] {
        let room = Room::with([("holes", start)]);
        let file = fs::File::options().write(true).open(room.path("holes")).unwrap();
        if file.set_len(length).is_err() {
            eprintln!("Not checked: the file system has no files of this length.");
            return;
        }
        for arguments in [
            "-f windows-1251",
            "-f utf-16le -e replacement",
            "-f auto --fallback windows-1251",
            "-f auto --guess",
            "-f auto --guess --among windows-1251,koi8-r",
        ] {
            let output = shell(&room, &format!("timeout 60 $textcodec convert {arguments} -i -v holes"));
            let line = String::from_utf8(output.stdout.clone()).unwrap();
            assert_eq!(line, "holes: skipped: binary\n", "{arguments}: {output:?}");
        }
    }
}

#[test]
fn zero_bytes_in_wide_text_are_no_end_of_it() {
    let text = "naïve\n".repeat(20_000);
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for arguments in ["-f utf-16le", "-f auto --guess --among utf-16le,windows-1251", "-f auto --fallback utf-16le"] {
        let room = Room::with([("file", &bytes)]);
        room.textcodec(&format!("convert {arguments} -i file")).assert().success();
        assert!(room.read("file") == text.as_bytes(), "{arguments}");
    }
    // The bytes before the first zero byte are "éa" in UTF-8.
    let room = Room::with([("file", b"\xC3\xA9a\0\xEF\0")]);
    room.textcodec("convert -f utf-16le -i file").assert().success();
    assert_eq!(room.read("file"), "\u{A9C3}aï".as_bytes());
    // Nothing in the file tells its encoding.
    let text = format!("日本語a{}", "日本語のテキスト、".repeat(5000));
    room.write("file", &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    room.textcodec("convert -f auto --guess --among utf-16le,utf-8 -i file").assert().success();
    assert!(room.read("file") == text.as_bytes());
}

#[test]
fn a_failure_leaves_no_backup_behind() {
    let room = Room::with([("tree/file", WINDOWS_1251)]);
    let set = |attribute: &str| Command::new("chattr").arg(attribute).arg(room.path("tree/file")).output();
    if !set("+i").is_ok_and(|output| output.status.success()) {
        eprintln!("Not checked: files cannot be made immutable.");
        return;
    }
    for arguments in ["-i", "-i --suffix .orig"] {
        let output = room.textcodec(&format!("convert -f windows-1251 {arguments} tree/file")).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && message.contains("Operation not permitted"), "{message}");
        assert_eq!(room.tree(), ["tree/file"]);
    }
    set("-i").unwrap();
    assert_eq!(room.read("tree/file"), WINDOWS_1251);
}

#[test]
fn the_owner_stays() {
    let room = Room::with([("file", WINDOWS_1251)]);
    if std::os::unix::fs::chown(room.path("file"), Some(12_345), Some(23_456)).is_err() {
        eprintln!("Not checked: this user cannot give files away.");
        return;
    }
    room.textcodec("convert -f windows-1251 -i file").assert().success().stderr("");
    let metadata = fs::metadata(room.path("file")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (12_345, 23_456));
}

#[test]
fn a_program_that_runs_as_its_owner_stays_one() {
    let room = Room::with([("file", WINDOWS_1251)]);
    fs::set_permissions(room.path("file"), Permissions::from_mode(0o6755)).unwrap();
    room.textcodec("convert -f windows-1251 -i file").assert().success().stderr("");
    assert_eq!(fs::metadata(room.path("file")).unwrap().mode() & 0o7777, 0o6755);
    room.textcodec("convert --to utf-16le --output-dir out file").assert().success();
    assert_eq!(fs::metadata(room.path("out/file")).unwrap().mode() & 0o7000, 0, "the copy belongs to another user");
}

#[test]
fn files_and_directories_that_cannot_be_read_are_named_and_not_counted_as_checked() {
    let room = Room::with([("tree/closed/file", b"a"), ("tree/good", b"a"), ("tree/secret", b"a")]);
    for name in ["tree/closed", "tree/secret"] {
        fs::set_permissions(room.path(name), Permissions::from_mode(0o000)).unwrap();
    }
    let drop = without_permissions_of_root(fs::read_dir(room.path("tree/closed")).is_ok());
    let output =
        shell(&room, &format!("{drop} ls tree/closed 2> /dev/null || {drop} $textcodec check --recursive tree"));
    fs::set_permissions(room.path("tree/closed"), Permissions::from_mode(0o700)).unwrap();
    if output.stdout == b"file\n" {
        eprintln!("Not checked: this user may read everywhere.");
        return;
    }
    let message = "\
textcodec: cannot read tree/closed: Permission denied (os error 13)
textcodec: cannot read tree/secret: Permission denied (os error 13)
textcodec: 1 checked, 0 of them with errors, 0 skipped, 2 not read
";
    assert_eq!((String::from_utf8(output.stderr).unwrap(), output.status.code()), (message.to_owned(), Some(2)));
}

/// The beginning of a command that runs without the permissions of root, if this process has them.
fn without_permissions_of_root(is_root: bool) -> &'static str {
    if is_root { "setpriv --bounding-set=-dac_override,-dac_read_search" } else { "" }
}

#[test]
fn a_file_without_permission_to_write_does_not_change() {
    let room = Room::with([("file", WINDOWS_1251)]);
    fs::set_permissions(room.path("file"), Permissions::from_mode(0o444)).unwrap();
    let drop = without_permissions_of_root(fs::File::options().write(true).open(room.path("file")).is_ok());
    if !shell(&room, &format!("! {drop} sh -c ': >> file' 2> /dev/null")).status.success() {
        eprintln!("Not checked: this user may write everywhere.");
        return;
    }
    // A dry run says the same.
    for options in ["-i", "-n"] {
        let output = shell(&room, &format!("{drop} $textcodec convert -f windows-1251 {options} file"));
        let message = String::from_utf8(output.stderr).unwrap();
        let is_told = message.contains("cannot write file: Permission denied");
        assert!(output.status.code() == Some(1) && is_told, "{options}: {message}");
    }
    assert_eq!(room.read("file"), WINDOWS_1251);
}

/// Makes the program take every file system for NFS, and every synchronization fail.
#[cfg(target_os = "linux")]
#[test]
fn late_errors_of_remote_file_systems_are_failures() {
    let room = Room::with([("file", WINDOWS_1251)]);
    let strace = "strace -f -o trace -e trace=fstatfs,fsync -e inject=fstatfs:poke_exit=@arg2=6969000000000000";
    if !shell(&room, &format!("{strace} true")).status.success() {
        eprintln!("Not checked: strace is not installed, or may not be used.");
        return;
    }
    for arguments in ["--output-dir out file", "-i file", "file > new"] {
        let script = format!("{strace} -e inject=fsync:error=EIO $textcodec convert -f windows-1251 {arguments}");
        let output = shell(&room, &script);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && message.contains("Input/output error"), "{arguments}: {message}");
        assert_eq!(room.read("file"), WINDOWS_1251);
        assert!(!room.path("out/file").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_rename_that_fails_leaves_the_file_and_no_other() {
    let room = Room::with([("tree/file", WINDOWS_1251)]);
    let strace = "strace -f -o trace -e trace=rename";
    if !shell(&room, &format!("{strace} true")).status.success() {
        eprintln!("Not checked: strace is not installed, or may not be used.");
        return;
    }
    for suffix in ["", "--suffix .orig"] {
        let script =
            format!("{strace} -e inject=rename:error=EPERM $textcodec convert -f windows-1251 -i {suffix} tree/file");
        let output = shell(&room, &script);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && message.contains("Operation not permitted"), "{message}");
        assert_eq!(
            (room.tree(), room.read("tree/file")),
            (vec!["trace".into(), "tree/file".into()], WINDOWS_1251.into())
        );
    }
}

#[test]
fn a_link_to_a_file_is_no_backup_of_it() {
    let room = Room::with([("file", WINDOWS_1251)]);
    symlink("file", room.path("file.orig")).unwrap();
    let mut command = room.textcodec("convert -f windows-1251 -i --suffix .orig file");
    command.assert().code(1).stderr(contains("file.orig, the name for the old file, is there already"));
    assert_eq!(room.read("file"), WINDOWS_1251);
    fs::remove_file(room.path("file.orig")).unwrap();
    assert!(Command::new("mkfifo").arg(room.path("file.orig")).status().unwrap().success());
    let mut command = room.textcodec("convert -f windows-1251 -i --suffix .orig file");
    command.timeout(Duration::from_secs(60)).assert().code(1).stderr(contains("is there already"));
}

/// Without /proc, the program gives temporary names to new files.
#[cfg(target_os = "linux")]
#[test]
fn a_file_with_a_temporary_name_is_removed_when_the_program_is_interrupted() {
    let Some(reset) = signals::reset().map(|words| words.join(" ")) else { return };
    let room = Room::new();
    let namespace = "unshare --mount --map-root-user sh -ec 'mount -t tmpfs none /proc; ";
    if !shell(&room, &format!("{namespace} true'")).status.success() {
        eprintln!("Not checked: mounting is not allowed.");
        return;
    }
    for signal in ["TERM", "HUP"] {
        let script = format!(
            "mkfifo in; {reset} \"$textcodec\" convert in -o out & exec 3> in; \
             until ls -A | grep -q ^.textcodec-; do sleep 0.01; done; \
             kill -{signal} $!; wait $! || true; ls -A; rm in'"
        );
        let output = shell(&room, &format!("timeout 60 {namespace} {script}"));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "in\n", "{signal}: {:?}", output.stderr);
    }
}

/// Interrupts runs at moments that are spread over the time of a whole run.
#[test]
fn an_interrupted_run_leaves_no_temporary_file() {
    let mut cut = 0;
    for moment in 0..12_u64 {
        let room = Room::new();
        (0..300).for_each(|number| room.write(&format!("{number}"), &WINDOWS_1251.repeat(500)));
        let Some(mut command) = signals::program() else { return };
        command.current_dir(room.path("")).args(["convert", "-f", "windows-1251", "-i", "-r", ".", "--jobs", "2"]);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(moment * 3));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).output().is_ok());
        child.wait().unwrap();
        let lengths: Vec<_> = (0..300).map(|number| room.read(&number.to_string()).len()).collect();
        assert!(lengths.iter().all(|length| [2000, 4000].contains(length)), "{lengths:?}");
        assert_eq!(room.names().len(), 300);
        cut += usize::from(lengths.contains(&2000));
    }
    assert!(cut > 0, "no run was interrupted");
}

#[test]
fn special_files_are_no_files_of_the_run() {
    let room = Room::with([("tree/file", WINDOWS_1251)]);
    assert!(Command::new("mkfifo").arg(room.path("tree/pipe")).status().unwrap().success());
    let mut command = room.textcodec("convert -f windows-1251 -i -r tree");
    command.assert().success().stderr(contains("1 skipped (1 not regular)"));
    let mut command = room.textcodec("convert -f windows-1251 -i tree/pipe /dev/null");
    command.assert().code(1).stderr(contains("tree/pipe: this is not a regular file").and(contains("2 failed")));
}

#[test]
fn a_directory_without_permission_to_write_is_a_failure_of_its_files() {
    let room = Room::with([("locked/file", WINDOWS_1251), ("open", WINDOWS_1251)]);
    let set = |mode| fs::set_permissions(room.path("locked"), Permissions::from_mode(mode)).unwrap();
    set(0o555);
    // The superuser may write everywhere, unless this capability is taken away.
    let may_write =
        fs::write(room.path("locked/file"), WINDOWS_1251).is_ok() && fs::create_dir(room.path("locked/x")).is_ok();
    let _ = fs::remove_dir(room.path("locked/x"));
    let drop = if may_write { "setpriv --bounding-set=-dac_override,-dac_read_search" } else { "" };
    let is_locked = shell(&room, &format!("{drop} touch locked/test 2>&1 | grep -q denied")).status.success();
    let output = shell(&room, &format!("{drop} $textcodec convert -f windows-1251 -i -r locked open"));
    set(0o755);
    if !is_locked {
        eprintln!("Not checked: this user may write everywhere.");
        return;
    }
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && message.contains("cannot write locked/file: "), "{message}");
    assert!(message.contains("1 converted, 0 already UTF-8, 0 skipped, 1 failed"), "{message}");
    assert_eq!((room.read("locked/file"), room.read("open")), (WINDOWS_1251.to_vec(), TEXT.into()));
}

/// The script that mounts a file system of 256 KiB, in a namespace of its own.
#[cfg(target_os = "linux")]
const SMALL_DISK: &str =
    "unshare --mount --map-root-user sh -ec 'mkdir -p disk; mount -t tmpfs -o size=256k none disk; ";

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_every_file_as_it_was() {
    let room = Room::new();
    let test = shell(&room, &format!("{SMALL_DISK} true'"));
    if !test.status.success() {
        eprintln!("Not checked: mounting is not allowed: {}", String::from_utf8_lossy(&test.stderr));
        return;
    }
    room.write("small", WINDOWS_1251);
    room.write("large", &b"\xF2".repeat(150_000));
    let script = "cp small large disk/; \
                  \"$textcodec\" convert -f windows-1251 -i -r -j 1 disk && exit 10; cmp large disk/large; ls -A disk; cat disk/small'";
    let output = shell(&room, &format!("{SMALL_DISK} {script}"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cannot write disk/large: No space left on device"), "{message}");
    assert!(message.contains("1 converted, 0 already UTF-8, 0 skipped, 1 failed"), "{message}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("large\nsmall\n{TEXT}"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_wait_for_others_give_way_if_the_disk_is_full() {
    let room = Room::new();
    if !shell(&room, &format!("{SMALL_DISK} true'")).status.success() {
        eprintln!("Not checked: mounting is not allowed.");
        return;
    }
    // The disk holds one old file and two new ones, but not two old and two new ones.
    for name in ["a", "b"] {
        room.write(name, &b"\xF2".repeat(50_000));
    }
    // A second attempt would add to a report again what the first one has added.
    for (options, converted) in [("", 2), ("--report /dev/null", 1)] {
        let script = format!(
            "cp a b disk/; \"$textcodec\" convert -f windows-1251 -i -r -j 1 disk {options} || true; wc -c disk/*'"
        );
        let output = shell(&room, &format!("{SMALL_DISK} {script}"));
        let message = String::from_utf8(output.stderr).unwrap();
        let summary = format!("{converted} converted, 0 already UTF-8, 0 skipped, {} failed", 2 - converted);
        assert!(message.contains(&summary), "{options}: {message}");
        let lengths = String::from_utf8(output.stdout).unwrap();
        assert_eq!(lengths.matches("100000 disk/").count(), converted, "{options}: {message}");
    }
}

#[test]
fn more_files_than_the_system_lets_a_program_open_are_converted() {
    let room = Room::new();
    let names: Vec<_> = (0..700).map(|number| format!("tree/{number:03}")).collect();
    for (number, name) in names.iter().enumerate() {
        room.write(name, if number == 300 { b"\xF2\xD2" } else { WINDOWS_1251 });
    }
    for jobs in [3, 1] {
        let script = format!("ulimit -n 64; $textcodec convert -f windows-1253 -i -r -v --jobs {jobs} tree");
        let output = shell(&room, &script);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.matches("tree/300: not windows-1253 at byte offset 1").count(), 1, "{message}");
        let (converted, already) = if jobs == 3 { (699, 0) } else { (0, 699) };
        let summary = format!("{converted} converted, {already} already UTF-8, 0 skipped, 1 failed");
        assert!(output.status.code() == Some(1) && message.contains(&summary), "{message}");
        // The lines stand in the order of the files, although files wait for each other.
        let lines = String::from_utf8(output.stdout).unwrap();
        let printed: Vec<_> = lines.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(printed, names);
    }
}

#[test]
fn lines_that_cannot_be_printed_do_not_stop_the_conversion() {
    for (to, code) in [("> /dev/full", 1), (">&-", 1), ("| true", 0)] {
        let room = Room::with([("a", WINDOWS_1251), ("b", WINDOWS_1251)]);
        let script = format!("set -o pipefail; $textcodec convert -f windows-1251 -i -v a b {to}");
        let mut command = Command::new("bash");
        command.current_dir(room.path("")).env("textcodec", env!("CARGO_BIN_EXE_textcodec"));
        let Ok(output) = command.args(["-c", &script]).output() else { return };
        assert_eq!(output.status.code(), Some(code), "{to}: {output:?}");
        let text = if to == ">&-" { WINDOWS_1251 } else { TEXT.as_bytes() };
        assert_eq!((&*room.read("a"), &*room.read("b")), (text, text), "{to}");
    }
}

#[test]
fn standard_input_may_be_closed() {
    let room = Room::with([("a", WINDOWS_1251)]);
    assert!(shell(&room, "$textcodec convert -f windows-1251 -i a <&- >&-").status.success());
    assert_eq!(room.read("a"), TEXT.as_bytes());
}

#[test]
fn a_leftover_is_removed_and_named_unless_it_is_being_written() {
    let room =
        Room::with([("a", WINDOWS_1251), (".textcodec-abc123.tmp", b"left"), (".textcodec-notes", b"no leftover")]);
    let message = ".textcodec-abc123.tmp: removed; a run that was killed had left this file";
    // A directory is searched once, also if it is named and has a file that is named.
    for arguments in ["-i a", "-i -r .", "-i -r . a", "-i -r a ."] {
        room.write(".textcodec-abc123.tmp", b"left");
        let writer = fs::File::open(room.path(".textcodec-abc123.tmp")).unwrap();
        writer.lock().unwrap();
        let mut command = room.textcodec(&format!("convert -f windows-1251 {arguments}"));
        command.assert().success().stderr(contains(".textcodec-abc123.tmp: another run is writing this file\n"));
        drop(writer);
        let mut command = room.textcodec(&format!("convert -f windows-1251 -n {arguments}"));
        command.assert().success().stderr(contains("the next run will remove it").count(1));
        let mut command = room.textcodec(&format!("convert -f windows-1251 {arguments}"));
        command.assert().success().stderr(contains(message));
        assert_eq!(room.names(), [".textcodec-notes", "a"]);
    }
}

#[test]
fn leftovers_are_looked_for_beside_each_file_that_is_named() {
    let room = Room::with([("a", WINDOWS_1251), ("b/a", WINDOWS_1251), ("c/a", WINDOWS_1251), ("d/a", WINDOWS_1251)]);
    let leftovers = ["", "b/", "c/", "d/"].map(|directory| format!("{directory}.textcodec-abc123.tmp"));
    leftovers.iter().for_each(|name| room.write(name, b"left"));
    let mut command = room.textcodec("convert -f windows-1251 -i a b/a c/a -r d");
    let assert = command.assert().success();
    let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    for name in leftovers {
        assert!(errors.contains(&format!("{name}: removed; a run that was killed had left this file\n")), "{errors}");
        assert!(!room.path(&name).exists(), "{name}");
    }
}

/// Kills runs over 100 files at moments that are spread over the time of a whole run.
#[test]
fn after_kill_every_file_is_old_or_new() {
    let text = [WINDOWS_1251, &b" test\n".repeat(500)].concat();
    let new = [TEXT.as_bytes(), &b" test\n".repeat(500)].concat();
    let names: Vec<_> = (0..100).map(|number| format!("{}/{number}", number % 3)).collect();
    let (mut cut, mut leftovers) = (0, 0);
    for moment in 0..16_u64 {
        let room = Room::new();
        names.iter().for_each(|name| room.write(name, &text));
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
            command.current_dir(room.path("")).args(["convert", "-f", "windows-1251", "-i", "-r", ".", "--jobs", "2"]);
            command.stderr(Stdio::piped()).spawn().unwrap()
        };
        let mut child = run();
        // Every second run is killed after a time without a pattern, up to 40 milliseconds. On a busy machine a run may
        // not have begun by then, or may have ended, so the others are killed as soon as one of the files is new.
        if moment % 2 == 0 {
            sleep(Duration::from_micros(moment.wrapping_mul(2_654_435_761) % 40_000));
        } else {
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(60) && names.iter().all(|name| room.read(name) == text) {}
        }
        let _ = child.kill();
        child.wait().unwrap();
        let converted = names.iter().filter(|name| match room.read(name) {
            content if content == new => true,
            content => {
                assert!(content == text, "{name} is neither old nor new");
                false
            }
        });
        cut += usize::from((1..100).contains(&converted.count()));
        let left = room.tree().len() - names.len();
        leftovers += left;
        let output = run().wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{message}");
        assert_eq!(message.matches("removed; a run that was killed").count(), left, "{message}");
        assert!(names.iter().all(|name| room.read(name) == new));
        assert_eq!(room.tree().len(), names.len());
    }
    eprintln!(
        "{cut} of 16 runs were killed between the first and the last file; they left {leftovers} temporary files"
    );
    assert!(cut > 0, "no run was killed in the middle");
}

#[test]
fn other_names_of_a_file_are_told_by_each_command_that_writes_in_its_place() {
    for command in [
        "convert -f windows-1251 file -o file",
        "check --fix --deny bom --no-config file",
        "repair -i file",
        "repair file -o file",
    ] {
        let text = if command.contains("1251") { WINDOWS_1251 } else { "\u{FEFF}cafÃ©\n".as_bytes() };
        let room = Room::with([("file", text)]);
        fs::hard_link(room.path("file"), room.path("other")).unwrap();
        let output = room.textcodec(command).assert().success().get_output().stderr.clone();
        let told = "textcodec: file: its other name (a hard link) keeps the old content\n";
        assert!(String::from_utf8(output).unwrap().contains(told), "{command}");
        assert_ne!(room.read("file"), text, "{command}");
        assert_eq!(room.read("other"), text, "{command}");
    }
    // Text is converted into the output directory, and other files are copied.
    for (text, written) in [(WINDOWS_1251, TEXT.as_bytes()), (b"\x01\0\x02\0\x03\0", b"\x01\0\x02\0\x03\0")] {
        let room = Room::with([("file", text), ("out/file", b"old")]);
        fs::hard_link(room.path("out/file"), room.path("other")).unwrap();
        let told = "textcodec: file: its other name (a hard link) keeps the old content\n";
        let mut command = room.textcodec("convert -f windows-1251 --output-dir out file");
        command.assert().success().stderr(contains(told));
        assert_eq!((room.read("out/file"), room.read("other")), (written.to_vec(), b"old".to_vec()));
    }
}

/// The superuser without the capability to do so cannot give files away, or set capabilities.
#[test]
fn attributes_that_cannot_be_kept_are_told_and_no_program_runs_as_another_user() {
    let room = Room::new();
    let (file, root) = (room.path("file"), fs::metadata(room.path("")).unwrap());
    // The owner can always give the file the groups that it is in, so these are no groups of root.
    for (user, group, lost, mode) in [
        (12_345, 23_456, "its owner and group could not be kept", 0o755),
        (12_345, root.gid(), "its owner could not be kept", 0o755),
        (root.uid(), 23_456, "its group could not be kept", 0o755),
        (root.uid(), root.gid(), "", 0o6755),
    ] {
        for command in [
            "convert -f windows-1251 -i file",
            "convert -f windows-1251 file -o file",
            "iconv -f CP1251 -t UTF-8 -i file",
            "check --fix --deny bom --no-config file",
            "repair -i file",
            "repair file -o file",
        ] {
            let _ = fs::remove_file(&file);
            let text = if command.contains("1251") { WINDOWS_1251 } else { "\u{FEFF}cafÃ©\n".as_bytes() };
            room.write("file", text);
            if std::os::unix::fs::chown(&file, Some(user), Some(group)).is_err() {
                eprintln!("Not checked: this user cannot give files away.");
                return;
            }
            fs::set_permissions(&file, Permissions::from_mode(0o6755)).unwrap();
            let output = shell(&room, &format!("setpriv --bounding-set=-chown $textcodec {command}"));
            let message = String::from_utf8(output.stderr).unwrap();
            let told = message.lines().find_map(|line| line.strip_suffix(" could not be kept"));
            let expected = lost.strip_suffix(" could not be kept").map(|lost| format!("textcodec: file: {lost}"));
            assert_eq!((told.map(str::to_owned), output.status.success()), (expected, true), "{command}: {message}");
            assert_ne!(room.read("file"), text, "{command}");
            assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, mode, "{lost}");
        }
    }
    // Version 2 of the attribute, with the capability to open ports below 1024.
    let capability = b"\x01\0\0\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    if xattr::set(&file, "security.capability", capability).is_err() {
        eprintln!("Not checked: the file system has no capabilities.");
        return;
    }
    let script = "setpriv --bounding-set=-setfcap $textcodec convert --to utf-16le -i file";
    let output = shell(&room, script);
    let message = String::from_utf8(output.stderr).unwrap();
    let lost = "textcodec: file: its extended attribute security.capability could not be kept: Operation not permitted";
    assert!(output.status.success() && message.starts_with(lost), "{message}");
}

#[test]
fn a_leftover_that_cannot_be_removed_is_a_failure() {
    let room = Room::with([("locked/file", b"plain"), ("locked/.textcodec-abc123.tmp", b"left")]);
    let set = |mode| fs::set_permissions(room.path("locked"), Permissions::from_mode(mode)).unwrap();
    set(0o555);
    let drop = without_permissions_of_root(fs::File::create(room.path("locked/test")).is_ok());
    let _ = fs::remove_file(room.path("locked/test"));
    let output = shell(&room, &format!("{drop} $textcodec convert -i locked/file"));
    set(0o755);
    let message = String::from_utf8(output.stderr).unwrap();
    let expected = "\
textcodec: locked/.textcodec-abc123.tmp: a run that was killed has left this file, and it cannot be removed: Permission denied (os error 13)
textcodec: 0 converted, 1 already UTF-8, 0 skipped, 1 failed
";
    assert_eq!((&*message, output.status.code()), (expected, Some(1)));
    assert_eq!(room.read("locked/.textcodec-abc123.tmp"), b"left");
    let dry =
        ".textcodec-abc123.tmp: a run that was killed seems to have left this file; the next run will remove it\n";
    room.textcodec("convert -n locked/file").assert().success().stderr(contains(dry));
}

#[test]
fn a_file_in_the_output_directory_keeps_its_permissions_and_a_new_one_gets_those_of_the_old_file() {
    let room = Room::with([("file", WINDOWS_1251), ("out/file", b"before")]);
    let set = |name: &str, mode| fs::set_permissions(room.path(name), Permissions::from_mode(mode)).unwrap();
    set("file", 0o750);
    set("out/file", 0o604);
    for (name, mode) in [("out", 0o604), ("new", 0o750)] {
        let output = shell(&room, &format!("umask 022; $textcodec convert -f windows-1251 file --output-dir {name}"));
        assert!(output.status.success(), "{output:?}");
        assert_eq!(fs::metadata(room.path(name).join("file")).unwrap().mode() & 0o7777, mode, "{name}");
    }
}

#[test]
fn a_leftover_of_another_user_is_removed_by_the_superuser_only() {
    let room = Room::with([("a", WINDOWS_1251)]);
    let leftover = room.path(".textcodec-abc123.tmp");
    let give = |path: &std::path::Path, user| std::os::unix::fs::chown(path, Some(user), Some(user));
    fs::write(&leftover, "left").unwrap();
    if give(&leftover, 12_345).is_err() {
        eprintln!("Not checked: this user cannot give files away.");
        return;
    }
    let message = ".textcodec-abc123.tmp: removed; a run that was killed had left this file";
    room.textcodec("convert -f windows-1251 -i a").assert().success().stderr(contains(message));
    assert_eq!(room.names(), ["a"]);
    // Another user finds the leftovers of two users.
    let own = room.path(".textcodec-def456.tmp");
    for (path, user) in [(&leftover, 23_456), (&own, 12_345), (&room.path(""), 12_345), (&room.path("a"), 12_345)] {
        if !path.exists() {
            fs::write(path, "left").unwrap();
        }
        give(path, user).unwrap();
    }
    let user = "setpriv --reuid 12345 --regid 12345 --clear-groups";
    if !shell(&room, &format!("{user} $textcodec --version")).status.success() {
        eprintln!("Not checked: another user cannot run the program.");
        return;
    }
    let output = shell(&room, &format!("{user} $textcodec convert --to utf-16le -i a"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && message.starts_with("textcodec: ./.textcodec-def456.tmp: removed; "),
        "{message}"
    );
    assert_eq!(room.names(), [".textcodec-abc123.tmp", "a"]);
}
