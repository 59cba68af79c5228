//! Opens files that were regular when they were found. In the meantime another program can have put something else in
//! their place, and opening a named pipe would wait for its other end, maybe for ever.

use std::{
    fs::{File, Metadata, OpenOptions},
    io,
    path::Path,
};

/// Opens a file for reading. A symbolic link is followed.
pub(super) fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path, flags::NO_WAITING)
}

/// As [`open`], but a symbolic link is an error.
pub(super) fn open_itself(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path, flags::NO_WAITING | flags::NO_LINK)
}

/// Opens a file for writing, and leaves its content as it is. A symbolic link is an error.
pub(super) fn open_for_writing(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().write(true), path, flags::NO_WAITING | flags::NO_LINK)
}

/// The number of names (hard links) of a file.
pub(super) fn number_of_names(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    {
        let _ = metadata;
        1
    }
}

fn open_with(options: &mut OpenOptions, path: &Path, flags: i32) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    #[cfg(not(unix))]
    let _ = flags;
    let opened = match options.open(path) {
        // Another program has a lease on the file, for example Samba, and gives it back if this program waits.
        #[cfg(unix)]
        Err(error) if error.kind() == io::ErrorKind::WouldBlock && is_regular(path) => {
            std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags & !flags::NO_WAITING);
            options.open(path)
        }
        result => result,
    };
    match opened {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound || !is_irregular(path, flags) => Err(error),
        _ => Err(io::Error::other("another program has put something in its place that is not a regular file")),
    }
}

/// The error for a name that the user did not give, under which there is a symbolic link, a pipe, or anything else that
/// must be neither opened nor replaced.
pub(super) fn not_regular() -> io::Error {
    io::Error::other("something that is not a regular file has this name")
}

/// Whether two paths lead to one file. Neither of them is opened on Unix.
#[must_use]
pub fn are_same(path: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        let identity = |path: &Path| path.metadata().map(|metadata| (metadata.dev(), metadata.ino())).ok();
        identity(path).is_some_and(|first| identity(other) == Some(first))
    }
    #[cfg(not(unix))]
    same_file::is_same_file(path, other).unwrap_or(false)
}

#[cfg(unix)]
fn is_regular(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Whether the system tells that there is something else than a regular file.
fn is_irregular(path: &Path, flags: i32) -> bool {
    let is_followed = flags & flags::NO_LINK == 0;
    let metadata = if is_followed { path.metadata() } else { path.symlink_metadata() };
    metadata.is_ok_and(|metadata| !metadata.is_file())
}

#[cfg(unix)]
mod flags {
    use rustix::fs::OFlags;

    pub(super) const NO_WAITING: i32 = OFlags::NONBLOCK.bits().cast_signed();
    pub(super) const NO_LINK: i32 = OFlags::NOFOLLOW.bits().cast_signed();
}

#[cfg(not(unix))]
mod flags {
    pub(super) const NO_WAITING: i32 = 0;
    pub(super) const NO_LINK: i32 = 0;
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink, process::Command};

    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_links_only_where_the_user_may_name_them() {
        let room = tempfile::tempdir().unwrap();
        let path = |name: &str| room.path().join(name);
        fs::write(path("file"), "text").unwrap();
        fs::create_dir(path("directory")).unwrap();
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        for (target, link) in [("file", "link"), ("pipe", "to-pipe"), ("missing", "to-nothing")] {
            symlink(target, path(link)).unwrap();
        }
        type Open = fn(&Path) -> io::Result<File>;
        for (open, follows) in [(open as Open, true), (open_itself, false), (open_for_writing, false)] {
            assert!(open(&path("file")).is_ok());
            assert_eq!(open(&path("missing")).unwrap_err().kind(), io::ErrorKind::NotFound);
            let irregular = "another program has put something in its place that is not a regular file";
            for name in ["directory", "pipe", "to-pipe"] {
                assert_eq!(open(&path(name)).unwrap_err().to_string(), irregular, "{name} {follows}");
            }
            for (name, error) in [("link", None), ("to-nothing", Some(io::ErrorKind::NotFound))] {
                match open(&path(name)) {
                    Ok(_) => assert!(follows && error.is_none(), "{name}"),
                    Err(found) if follows => assert_eq!(Some(found.kind()), error, "{name}"),
                    Err(found) => assert_eq!(found.to_string(), irregular, "{name}"),
                }
            }
        }
        assert_eq!(fs::read(path("file")).unwrap(), b"text");
        for (one, other, expected) in
            [("file", "link", true), ("file", "pipe", false), ("missing", "missing", false), ("to-pipe", "pipe", true)]
        {
            assert_eq!(are_same(&path(one), &path(other)), expected, "{one} {other}");
        }
    }
}
