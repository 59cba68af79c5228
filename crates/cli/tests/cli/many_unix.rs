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
    time::{Duration, SystemTime},
};

use crate::room::Room;
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
    let script = "cp a b disk/; \"$textcodec\" convert -f windows-1251 -i -r -j 1 disk; wc -c disk/*'";
    let output = shell(&room, &format!("{SMALL_DISK} {script}"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("2 converted, 0 already UTF-8, 0 skipped, 0 failed"), "{message}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("100000 disk/").count(), 2, "{message}");
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
    for arguments in ["-i a", "-i -r ."] {
        room.write(".textcodec-abc123.tmp", b"left");
        let writer = fs::File::open(room.path(".textcodec-abc123.tmp")).unwrap();
        writer.lock().unwrap();
        let mut command = room.textcodec(&format!("convert -f windows-1251 {arguments}"));
        command.assert().success().stderr(contains(".textcodec-abc123.tmp: another run is writing this file\n"));
        drop(writer);
        let mut command = room.textcodec(&format!("convert -f windows-1251 -n {arguments}"));
        command.assert().success().stderr(contains("the next run will remove it"));
        let mut command = room.textcodec(&format!("convert -f windows-1251 {arguments}"));
        command.assert().success().stderr(contains(message));
        assert_eq!(room.names(), [".textcodec-notes", "a"]);
    }
}

/// Kills runs over 200 files at moments that are spread over the time of a whole run.
#[test]
fn after_kill_every_file_is_old_or_new() {
    let text = [WINDOWS_1251, &b" test\n".repeat(500)].concat();
    let new = [TEXT.as_bytes(), &b" test\n".repeat(500)].concat();
    let names: Vec<_> = (0..200).map(|number| format!("{}/{number}", number % 3)).collect();
    let (mut cut, mut leftovers) = (0, 0);
    for moment in 0..40_u64 {
        let room = Room::new();
        names.iter().for_each(|name| room.write(name, &text));
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
            command.current_dir(room.path("")).args(["convert", "-f", "windows-1251", "-i", "-r", ".", "--jobs", "2"]);
            command.stderr(Stdio::piped()).spawn().unwrap()
        };
        let mut child = run();
        // Numbers without a pattern, up to 80 milliseconds.
        sleep(Duration::from_micros(moment.wrapping_mul(2_654_435_761) % 80_000));
        let _ = child.kill();
        child.wait().unwrap();
        let converted = names.iter().filter(|name| match room.read(name) {
            content if content == new => true,
            content => {
                assert!(content == text, "{name} is neither old nor new");
                false
            }
        });
        cut += usize::from((1..200).contains(&converted.count()));
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
        "{cut} of 40 runs were killed between the first and the last file; they left {leftovers} temporary files"
    );
    assert!(cut > 0, "no run was killed in the middle");
}
