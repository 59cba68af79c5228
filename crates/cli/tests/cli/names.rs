//! `textcodec names` in directories.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::PathBuf,
};

use crate::room::Room;
use predicates::{prelude::PredicateBooleanExt, str::contains};

/// A path below the room whose parts have these bytes.
fn path(room: &Room, bytes: &[u8]) -> PathBuf {
    room.path("").join(OsStr::from_bytes(bytes))
}

/// The bytes of all paths below "tree", with the contents of files.
fn listing(room: &Room) -> Vec<(Vec<u8>, Vec<u8>)> {
    fn add(directory: PathBuf, root: &std::path::Path, found: &mut Vec<(Vec<u8>, Vec<u8>)>) {
        for entry in fs::read_dir(directory).unwrap() {
            let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type().unwrap())).unwrap();
            let name = path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec();
            let content = if kind.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            found.push((name, content));
            if kind.is_dir() {
                add(path, root, found);
            }
        }
    }
    let mut found = Vec::new();
    add(room.path("tree"), &room.path(""), &mut found);
    found.sort();
    found
}

fn japanese() -> Room {
    let room = Room::new();
    fs::create_dir_all(path(&room, b"tree/\x93\xFA\x96\x7B/.git")).unwrap();
    let files: [&[u8]; 5] =
        [b"\x93\xFA\x96\x7B/\x8C\xEA.txt", b"a.txt", "語.txt".as_bytes(), b"\xFF", b"\x93\xFA\x96\x7B/.git/\x93\xFA"];
    for name in files {
        fs::write(path(&room, &[b"tree/", name].concat()), name).unwrap();
    }
    room
}

#[test]
fn names_are_listed_then_changed_and_then_changed_back() {
    let room = japanese();
    let before = listing(&room);
    let lines = "\"tree/\\x93\\xfa\\x96{/\\x8c\\xea.txt\" -> 語.txt\n\"tree/\\x93\\xfa\\x96{\" -> 日本\n";
    room.textcodec("names --from cp932 tree").assert().code(1).stdout(lines).stderr(
        contains("\"tree/\\xff\": the name is not Shift_JIS; the name stays")
            .and(contains("nothing is renamed without --apply; 2 to rename, 1 already UTF-8, 1 left as they are")),
    );
    assert_eq!(listing(&room), before);
    room.textcodec("names --from cp932 --to utf-8 --apply tree tree/")
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("2 renamed, 1 already UTF-8").and(contains("names --undo textcodec-names-1.undo")));
    let after = listing(&room);
    let names: Vec<_> = after.iter().map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect();
    let there = ["tree/日本", "tree/日本/語.txt", "tree/日本/.git", "tree/語.txt", "tree/a.txt"];
    assert!(there.iter().all(|name| names.iter().any(|other| other == name)), "{names:?}");
    let in_git = ["tree/日本/.git/".as_bytes(), b"\x93\xFA"].concat();
    assert!(after.iter().any(|(name, _)| *name == in_git), "{names:?}");
    // Nothing is left to do, and the list replaces no other.
    room.textcodec("names --from cp932 --apply tree").assert().code(1).stderr(contains("0 renamed, 3 already UTF-8"));
    assert!(!room.path("textcodec-names-2.undo").exists());
    room.textcodec("names --undo textcodec-names-1.undo").assert().success().stderr(contains("2 have their old names"));
    assert_eq!(listing(&room), before);
    room.textcodec("names --undo textcodec-names-1.undo").assert().success().stderr(contains("2 had them already"));
}

#[test]
fn nothing_is_renamed_if_a_new_name_is_taken() {
    let room = japanese();
    fs::write(path(&room, b"tree/\x8C\xEA.txt"), "other").unwrap();
    let before = listing(&room);
    for arguments in ["names --from cp932 tree", "names --from cp932 --apply tree"] {
        let taken = "\"tree/\\x8c\\xea.txt\" -> 語.txt: the new name is taken";
        let says = if arguments.contains("--apply") { "nothing is renamed, because new names are taken\n" } else { "" };
        room.textcodec(arguments).assert().code(1).stderr(contains(taken).and(contains(says)));
        assert_eq!(listing(&room), before);
    }
    assert_eq!(room.names(), ["tree"]);
    // Two old names can have one new name.
    let room = Room::new();
    fs::create_dir(room.path("tree")).unwrap();
    for name in [b"tree/\xFA\x4A", b"tree/\x87\x54"] {
        fs::write(path(&room, name), name).unwrap();
    }
    room.textcodec("names --from shift_jis --apply tree").assert().code(1).stderr(contains("the new name is taken"));
    assert_eq!(listing(&room).len(), 2);
}

#[test]
fn an_old_name_that_is_taken_again_is_not_given_back() {
    let room = Room::new();
    fs::create_dir(room.path("tree")).unwrap();
    let [old, other] = [&b"tree/\xE9"[..], b"tree/\xE8"].map(|bytes| path(&room, bytes));
    fs::write(&old, "old").unwrap();
    fs::write(&other, "other").unwrap();
    room.textcodec("names --from latin1 --apply --undo-list list tree").assert().success();
    fs::write(&old, "new").unwrap();
    let summary = contains("1 has its old name again, 0 had them already");
    room.textcodec("names --undo list").assert().code(1).stderr(contains("tree/é -> \"\\xe9\"").and(summary));
    let kept = [&old, &room.path("tree/é"), &other].map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(kept, ["new", "old", "other"]);
}

#[test]
fn names_in_directories_of_version_control_stay() {
    let room = Room::new();
    for directory in [".git", ".hg", ".svn", ".bzr", "CVS"] {
        fs::create_dir_all(room.path(&format!("tree/{directory}/x"))).unwrap();
        fs::write(path(&room, format!("tree/{directory}/").as_bytes()).join(OsStr::from_bytes(b"\xE9")), "").unwrap();
    }
    // Other directories with a dot are directories like others.
    fs::create_dir_all(room.path("tree/.other")).unwrap();
    fs::write(path(&room, b"tree/.other/\xE9"), "").unwrap();
    room.textcodec("names --from latin1 tree").assert().success().stdout("\"tree/.other/\\xe9\" -> é\n");
}

#[test]
fn symbolic_links_are_renamed_and_not_followed() {
    let room = Room::new();
    fs::create_dir_all(room.path("tree")).unwrap();
    fs::create_dir_all(room.path("other")).unwrap();
    fs::write(path(&room, b"other/caf\xE9"), "").unwrap();
    symlink("../other", path(&room, b"tree/l\xE9")).unwrap();
    symlink(OsStr::from_bytes(b"../other/caf\xE9"), room.path("tree/link")).unwrap();
    room.textcodec("names --from latin1 --apply tree --undo-list list")
        .assert()
        .success()
        .stderr(contains("1 renamed").and(contains("1 symbolic link has a target that is not ASCII")));
    assert!(fs::symlink_metadata(room.path("tree/lé")).unwrap().is_symlink());
    assert!(path(&room, b"other/caf\xE9").exists());
    room.textcodec("names --from latin1 --apply tree --undo-list list").assert().success();
    fs::write(path(&room, b"tree/\xE9"), "").unwrap();
    room.textcodec("names --from latin1 --apply tree --undo-list list").assert().code(1).stderr(contains("list"));
    assert!(path(&room, b"tree/\xE9").exists());
    room.write("wrong", b"a\tb\n");
    room.textcodec("names --undo wrong").assert().code(1).stderr(contains("line 1 is not"));
}

#[test]
fn names_are_normalized_repaired_and_written_in_old_encodings() {
    let room = Room::with([("tree/e\u{301}", b""), ("tree/ô", b""), ("tree/ô\u{301}", b"")]);
    room.textcodec("names --from utf-8 --normalize nfc --apply tree/e\u{301}").assert().success();
    assert!(room.path("tree/é").exists());
    room.textcodec("names --from utf-8 --normalize nfd tree/ô")
        .assert()
        .success()
        .stdout(contains("tree/ô -> o\u{302}"));
    room.textcodec("names --from utf-8 --to windows-1252 --apply tree")
        .assert()
        .code(1)
        .stderr(contains("does not have").and(contains("already").not()));
    assert!(path(&room, b"tree/\xF4").exists());
    let room = Room::with([("tree/ô·û{", b""), ("tree/日", b"")]);
    room.textcodec("names --from shift_jis --read-as cp437 tree")
        .assert()
        .code(1)
        .stdout("tree/ô·û{ -> 日本\n")
        .stderr(contains("cp437 does not have all characters of the name"));
}

#[test]
fn the_encoding_of_names_is_guessed_from_all_of_them() {
    let room = Room::new();
    fs::create_dir(room.path("tree")).unwrap();
    let titles: [&[u8]; 6] = [
        b"\x8F\xE0\xAE\xE8\xAB\xEB\xA5 \xA4\xAD\xA8",
        b"\x8F\xA8\xE1\xEC\xAC\xAE \xAA \xA4\xE0\xE3\xA3\xE3",
        b"\x84\xAE\xAA\xE3\xAC\xA5\xAD\xE2\xEB \xA7\xA0 \xEF\xAD\xA2\xA0\xE0\xEC",
        b"\x91\xE2\xA0\xE0\xEB\xA5 \xE4\xAE\xE2\xAE\xA3\xE0\xA0\xE4\xA8\xA8",
        b"\x8E\xE2\xE7\xA5\xE2 \xA7\xA0 \xA3\xAE\xA4",
        b"\x91\xAF\xA8\xE1\xAE\xAA \xA3\xAE\xE1\xE2\xA5\xA9",
    ];
    for title in titles {
        fs::write(path(&room, &[b"tree/", title].concat()), "").unwrap();
    }
    room.textcodec("names tree")
        .assert()
        .success()
        .stdout(contains("-> Список гостей\n"))
        .stderr(contains("the names seem to be IBM866: Russian, probability 0.9"));
    for wrong in ["names", "names --to koi8-r tree", "names --from utf-16le tree", "names --from cp437 --guess tree"] {
        room.textcodec(wrong).assert().code(2);
    }
}

#[test]
fn the_next_list_for_undoing_has_the_next_number() {
    let room = Room::new();
    fs::create_dir(room.path("tree")).unwrap();
    fs::write(path(&room, b"tree/\xE9"), "").unwrap();
    // The name of a link to nothing is taken, too.
    symlink("nothing", room.path("textcodec-names-2.undo")).unwrap();
    for number in [1, 3] {
        let list = format!("textcodec-names-{number}.undo");
        let message = contains(format!("`textcodec names --undo {list}` gives the files their old names again"));
        room.textcodec("names --from latin1 --apply tree").assert().success().stderr(message);
        room.textcodec(&format!("names --undo {list}")).assert().success();
        assert!(path(&room, b"tree/\xE9").exists() && !room.path("nothing").exists());
    }
}

#[test]
fn a_name_that_cannot_change_is_named_and_the_others_change() {
    let room = Room::new();
    fs::create_dir(room.path("tree")).unwrap();
    for name in [b"tree/\xE8", b"tree/\xE9"] {
        fs::write(path(&room, name), "").unwrap();
    }
    room.textcodec("names --from latin1 --apply --undo-list list tree").assert().success();
    fs::remove_file(room.path("tree/é")).unwrap();
    let message = contains("cannot rename ").and(contains("tree/é -> \"\\xe9\": No such file"));
    let summary = contains("1 has its old name again, 0 had them already\n");
    room.textcodec("names --undo list").assert().code(1).stderr(message.and(summary));
    assert!(path(&room, b"tree/\xE8").exists() && !room.path("tree/è").exists());
}

#[test]
fn the_number_of_links_with_targets_of_other_letters_is_told() {
    let room = Room::new();
    fs::create_dir(room.path("tree")).unwrap();
    for number in 1..=3 {
        symlink("é", room.path(&format!("tree/{number}"))).unwrap();
        let line = match number {
            1 => "1 symbolic link has a target that is not ASCII; targets do not change\n".to_owned(),
            _ => format!("{number} symbolic links have targets that are not ASCII; targets do not change\n"),
        };
        room.textcodec("names --from latin1 tree").assert().success().stderr(contains(line));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_list_that_cannot_be_written_leaves_every_name_and_another_place_is_proposed() {
    let room = Room::new();
    fs::write(path(&room, b"\xE9"), "").unwrap();
    let mut command = room.textcodec("names --from latin1 --apply");
    let message = contains("--undo-list names another place: cannot write textcodec-names-1.undo: ");
    command.arg(path(&room, b"\xE9")).current_dir("/proc").assert().code(1).stderr(message);
    assert!(path(&room, b"\xE9").exists());
}
