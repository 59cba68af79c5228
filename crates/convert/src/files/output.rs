//! The file that text is written to.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, IsTerminal, Write},
    path::{Path, PathBuf},
};

use super::{new_file::NewFile, regular, remote};

/// The number of symbolic links that are followed one after the other, as in Linux.
const LINKS: usize = 40;

/// Creates a directory and the directories above it, also if another thread creates them at the same time.
///
/// If the system cannot tell whether an existing path is a directory, the function of the standard library returns the
/// error that the path exists. This function returns the error of the question.
fn create_directories(path: &Path) -> io::Result<()> {
    let Err(error) = fs::create_dir_all(path) else { return Ok(()) };
    if error.kind() != ErrorKind::AlreadyExists {
        return Err(error);
    }
    for directory in path.ancestors() {
        match fs::metadata(directory) {
            Ok(metadata) if metadata.is_dir() => return fs::create_dir_all(path),
            Ok(_) => return Err(error),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Err(error)
}

/// A file that bytes are written to.
#[derive(Debug)]
pub enum Output {
    /// A device, a named pipe, or anything else that is no regular file.
    Direct(File),
    /// A regular file, new or in the place of another.
    NewFile(Box<NewFile>),
}

impl Output {
    /// Opens the file at `path`. A symbolic link is followed. A regular file appears or changes only when it is
    /// [complete](Self::complete).
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Self::new_file(fs::canonicalize(path)?, true),
            Ok(_) => Ok(Output::Direct(OpenOptions::new().write(true).open(path)?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Self::new_file(follow_links(path)?, false),
            Err(error) => Err(error),
        }
    }

    fn new_file(target: PathBuf, exists: bool) -> io::Result<Self> {
        NewFile::create(target, exists).map(|file| Output::NewFile(Box::new(file)))
    }

    /// Opens a regular file whose name the user did not give: a symbolic link is not followed, and a named pipe is not
    /// opened. A new file gets these permissions of Unix, without those that the umask takes away, and the directories
    /// above it are created. `check` is called if there is a file already.
    ///
    /// # Errors
    /// The file cannot be opened, or `check` fails.
    pub fn create(path: &Path, permissions: u32, check: impl FnOnce() -> io::Result<()>) -> io::Result<Self> {
        let new =
            |target: PathBuf| NewFile::create_with(target, permissions).map(|file| Output::NewFile(Box::new(file)));
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => check().and_then(|()| Self::new_file(path.to_owned(), true)),
            Ok(_) => Err(regular::not_regular()),
            Err(error) if error.kind() == ErrorKind::NotFound => match new(path.to_owned()) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    path.parent().map_or(Ok(()), create_directories)?;
                    new(path.to_owned())
                }
                result => result,
            },
            Err(error) => Err(error),
        }
    }

    /// As [`NewFile::expect`].
    pub fn expect(&mut self, read: fs::Metadata) {
        match self {
            Output::NewFile(file) => file.expect(read),
            Output::Direct(_) => {}
        }
    }

    /// Gives a new file the time of the last change of another file.
    pub fn set_modified(&self, other: &fs::Metadata) -> io::Result<()> {
        match self {
            Output::NewFile(file) => file.set_modified(other),
            Output::Direct(_) => Ok(()),
        }
    }

    /// Whether the output is a regular file.
    pub fn is_file(&self) -> bool {
        match self {
            Output::Direct(_) => false,
            Output::NewFile(_) => true,
        }
    }

    /// A copy of the regular file, if there is one, whose place the output takes.
    pub fn existing(&self) -> Option<File> {
        match self {
            Output::NewFile(file) => file.existing().and_then(|file| file.try_clone().ok()),
            Output::Direct(_) => None,
        }
    }

    /// Whether the output is a terminal.
    pub fn is_terminal(&self) -> bool {
        match self {
            Output::Direct(file) => file.is_terminal(),
            Output::NewFile(_) => false,
        }
    }

    /// Waits until the bytes of a new file are on the disk, and gives the file its name. Without this call it is as if
    /// nothing had been written to it.
    ///
    /// Returns a sentence for each attribute of the former file that the new one could not keep, and one if the former
    /// file has other names.
    pub fn complete(self) -> io::Result<Vec<String>> {
        self.complete_with(NewFile::complete)
    }

    /// As [`complete`](Self::complete), but the system writes the bytes to a local disk when it wants to.
    pub fn complete_without_waiting(self) -> io::Result<Vec<String>> {
        self.complete_with(|file| {
            let ready = file.finish()?;
            remote::confirm(ready.file())?;
            ready.place()
        })
    }

    fn complete_with(self, complete: impl FnOnce(NewFile) -> io::Result<Vec<String>>) -> io::Result<Vec<String>> {
        let Output::NewFile(file) = self else { return Ok(Vec::new()) };
        let names =
            file.existing().map_or(Ok(1), |file| file.metadata().map(|file| regular::number_of_names(&file)))?;
        let mut lost = complete(*file)?;
        match names {
            0 | 1 => {}
            2 => lost.push("its other name (a hard link) keeps the old content".to_owned()),
            _ => lost.push(format!("its {} other names (hard links) keep the old content", names - 1)),
        }
        Ok(lost)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Direct(file) => file.write(bytes),
            Output::NewFile(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Direct(_) | Output::NewFile(_) => Ok(()),
        }
    }
}

/// Whether `path` is a name of standard output: "-", `/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`, or a symbolic link
/// to one of the last three.
pub fn names_standard_output(path: &Path) -> bool {
    if path.as_os_str() == "-" {
        return true;
    }
    linked(path).any(|path| {
        path.as_os_str() == "/dev/stdout"
            || path.file_name().is_some_and(|name| name == "1") && is_in_descriptors(&path)
    })
}

/// Whether `path` is in a directory of the descriptors of this process.
fn is_in_descriptors(path: &Path) -> bool {
    let Some(Ok(directory)) = path.parent().map(fs::canonicalize) else { return false };
    let descriptors = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];
    descriptors.into_iter().any(|descriptors| fs::canonicalize(descriptors).is_ok_and(|other| other == directory))
}

/// The path of the file that writing to `path` would make. There is nothing at `path`, or a symbolic link to nothing.
pub(super) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    linked(path).find(|path| !path.is_symlink()).ok_or_else(|| io::Error::other("too many symbolic links"))
}

/// `path`, and the paths that the symbolic links lead to, one after the other.
fn linked(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |path: &PathBuf| Some(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path).ok()?));
    std::iter::successors(Some(path.to_owned()), next).take(LINKS + 1)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn other_names_of_a_file_keep_its_content_and_are_told() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("file");
        for (others, expected) in [
            (0, None),
            (1, Some("its other name (a hard link) keeps the old content")),
            (2, Some("its 2 other names (hard links) keep the old content")),
        ] {
            for completes in [Output::complete, Output::complete_without_waiting] {
                let _ = fs::remove_file(&path);
                fs::write(&path, "old").unwrap();
                let links: Vec<_> = (0..others).map(|number| room.path().join(number.to_string())).collect();
                links.iter().for_each(|link| fs::hard_link(&path, link).unwrap());
                let mut output = Output::open(&path).unwrap();
                output.write_all(b"new").unwrap();
                assert_eq!(completes(output).unwrap(), expected.into_iter().collect::<Vec<_>>());
                assert_eq!(fs::read(&path).unwrap(), b"new");
                for link in links {
                    assert_eq!(fs::read(&link).unwrap(), b"old");
                    fs::remove_file(link).unwrap();
                }
            }
        }
    }

    /// A link to itself exists, and the system cannot tell whether it is a directory.
    #[test]
    fn an_existing_path_of_which_the_system_cannot_tell_the_kind_is_not_called_an_existing_file() {
        let room = tempfile::tempdir().unwrap();
        let (link, file) = (room.path().join("link"), room.path().join("file"));
        symlink(&link, &link).unwrap();
        fs::write(&file, "").unwrap();
        let expected = fs::metadata(&link).unwrap_err().kind();
        assert_ne!(expected, ErrorKind::AlreadyExists);
        assert_eq!(create_directories(&link).unwrap_err().kind(), expected);
        assert_eq!(create_directories(&file).unwrap_err().kind(), ErrorKind::AlreadyExists);
        create_directories(&room.path().join("a/b")).unwrap();
        create_directories(&room.path().join("a/b")).unwrap();
    }

    #[test]
    fn as_many_links_are_followed_as_linux_follows() {
        let room = tempfile::tempdir().unwrap();
        let path = |number: usize| room.path().join(format!("{number}"));
        for number in 1..=LINKS + 1 {
            symlink(format!("{}", number - 1), path(number)).unwrap();
        }
        for number in [0, 1, LINKS] {
            assert_eq!(follow_links(&path(number)).unwrap(), path(0), "{number}");
        }
        assert_eq!(follow_links(&path(LINKS + 1)).unwrap_err().to_string(), "too many symbolic links");
        assert_eq!(LINKS, 40);
        // With a file at the end, the system itself follows as many.
        fs::write(path(0), "").unwrap();
        assert!(fs::metadata(path(LINKS)).is_ok() && fs::metadata(path(LINKS + 1)).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn standard_output_has_its_names_and_no_others() {
        let room = tempfile::tempdir().unwrap();
        let link = |target: &str, name: &str| symlink(target, room.path().join(name)).unwrap();
        for (name, target) in [("a", "/dev/stdout"), ("b", "a"), ("c", "/proc/self/fd/1"), ("d", "/dev/stderr")] {
            link(target, name);
        }
        link("/dev/fd", "fd");
        link("2", "1");
        for (path, expected) in [
            ("-", true),
            ("/dev/stdout", true),
            ("/dev/fd/1", true),
            ("/dev/fd/../fd/1", true),
            ("/proc/self/fd/1", true),
            ("/proc/thread-self/fd/1", true),
            ("a", true),
            ("b", true),
            ("c", true),
            ("fd/1", true),
            ("d", false),
            ("1", false),
            ("./-", false),
            ("/dev/fd/2", false),
            ("/dev/fd/10", false),
            ("/dev/1", false),
            ("/dev/stdin", false),
            ("fd/2", false),
        ] {
            let absolute = if path == "-" { PathBuf::from(path) } else { room.path().join(path) };
            assert_eq!(names_standard_output(&absolute), expected, "{path}");
        }
    }
}
