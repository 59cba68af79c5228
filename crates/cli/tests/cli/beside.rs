//! Files that the user did not name, beside those that the user named.

use std::fs;

use crate::{
    collisions::{LEGACY, shell},
    room::Room,
};

#[test]
fn a_page_for_man_takes_only_the_place_of_a_regular_file() {
    let room = Room::with([("precious", b"text"), ("man/textcodec-check.1", b"old")]);
    room.textcodec("man man").assert().success().stderr("");
    assert!(room.read("man/textcodec-check.1").len() > 1000);
    let pages = room.names();
    for make in ["ln -s ../precious", "mkfifo", "mkdir"] {
        fs::remove_file(room.path("man/textcodec.1"))
            .or_else(|_| fs::remove_dir(room.path("man/textcodec.1")))
            .unwrap();
        let output = shell(&room, &format!("{make} man/textcodec.1; $textcodec man man"));
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = "cannot write man/textcodec.1: something that is not a regular file has this name";
        assert!(output.status.code() == Some(1) && message.contains(expected), "{make}: {message}");
    }
    assert_eq!((room.read("precious"), room.names()), (b"text".to_vec(), pages));
}

#[test]
fn names_that_nobody_gave_are_neither_opened_nor_followed() {
    const NAME: &str = ".textcodec-abcdef.tmp";
    let link = format!("ln -s precious tree/{NAME}");
    let socket =
        format!("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('tree/{NAME}')\" || mkdir tree/{NAME}");
    let (pipe, directory) = (format!("mkfifo tree/{NAME}"), format!("mkdir tree/{NAME}"));
    let names = format!("ln tree/precious tree/{NAME}");
    for make in [&*pipe, &socket, &directory, &link, &names] {
        for arguments in [
            "-i tree/a",
            "-i -r --break-hard-links tree",
            "-i -r --break-hard-links --hidden tree",
            "-i -n -r --break-hard-links tree",
            "-r tree --output-dir out",
        ] {
            let room = Room::with([("tree/a", LEGACY), ("tree/precious", b"text")]);
            let output = shell(&room, &format!("{make}; $textcodec convert -f latin1 {arguments}"));
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{make}: {arguments}: {message}");
            assert!(!message.contains("a run that was killed"), "{make}: {arguments}: {message}");
            assert!(room.path("tree").join(NAME).symlink_metadata().is_ok(), "{make}: {arguments}");
            assert_eq!(room.read("tree/precious"), b"text");
        }
    }
}

#[test]
fn the_output_directory_can_have_pipes_and_links() {
    for make in ["mkfifo out/a", "ln -s ../precious out/a", "ln -s new out/a", "mkdir out/a"] {
        let room = Room::with([("tree/a", LEGACY), ("tree/b", LEGACY), ("precious", b"text")]);
        fs::create_dir(room.path("out")).unwrap();
        let output = shell(&room, &format!("{make}; $textcodec convert -f latin1 -r tree --output-dir out"));
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = "cannot write out/a: something that is not a regular file has this name";
        assert!(output.status.code() == Some(1) && message.contains(expected), "{make}: {message}");
        assert_eq!((&*room.read("out/b"), &*room.read("precious")), ("café".as_bytes(), &b"text"[..]), "{make}");
        assert!(!room.path("out/new").exists());
    }
}

#[test]
fn a_pipe_in_the_place_of_gitignore_is_a_failure_of_its_directory() {
    for name in [".gitignore", ".git/info/exclude"] {
        for make in ["mkfifo", "ln -s precious"] {
            let room = Room::with([("tree/sub/a", LEGACY), ("tree/b", LEGACY), ("tree/c/d", LEGACY)]);
            fs::create_dir_all(room.path("tree/sub/.git/info")).unwrap();
            let script = format!("{make} tree/sub/{name}; $textcodec convert -f latin1 -i -r --gitignore -v tree");
            let output = shell(&room, &script);
            let (lines, message) =
                (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
            assert_eq!(lines, "tree/b: converted from windows-1252\ntree/c/d: converted from windows-1252\n", "{name}");
            let expected = format!("tree/sub/{name}: something that is not a regular file has this name");
            assert!(output.status.code() == Some(1) && message.contains(&expected), "{make} {name}: {message}");
            assert_eq!(room.read("tree/sub/a"), LEGACY);
        }
    }
}
