//! A file that appears under its name only when it is complete.
//!
//! On Linux the file has no name until then (`O_TMPFILE`), so that no part of the file is left however the program
//! ends. On file systems without unnamed files, and on other systems, the file has a temporary name in the same
//! directory.

#[cfg(target_os = "linux")]
use std::sync::OnceLock;
use std::{
    ffi::OsStr,
    fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile};

use super::{attributes, interruption::Protected, regular};

/// The start of every temporary name.
const PREFIX: &str = ".textcodec-";

/// The number of random characters in a temporary name.
const RANDOM: usize = 6;

/// The end of every temporary name.
const SUFFIX: &str = ".tmp";

/// Whether a file of this name can be a temporary file of this program.
#[must_use]
pub fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether there is a file at `path` that this program can have made: a regular file with one name, which belongs to
/// the user of this run. The superuser gives each new file the owner of the old one, so its temporary files can belong
/// to anybody.
#[must_use]
pub fn is_leftover(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| is_own(&metadata))
}

fn is_own(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        let user = rustix::process::geteuid();
        metadata.is_file() && metadata.nlink() == 1 && (user.is_root() || metadata.uid() == user.as_raw())
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

/// Removes the temporary file at `path` and returns true, unless the program that writes the file still runs.
///
/// Only SIGKILL and a loss of power leave such a file. On Linux it holds the whole new text of a file that still has
/// its old text, because the file has a name for no longer than it takes to rename it.
///
/// Everybody who can write to the directory can put something else under this name, at any time.
///
/// # Errors
/// Something else has this name, or the file cannot be removed.
pub fn remove_leftover(path: &Path) -> io::Result<bool> {
    let file = regular::open_itself(path)?;
    match file.try_lock() {
        Ok(()) if is_own(&file.metadata()?) && is_leftover(path) => fs::remove_file(path).map(|()| true),
        Ok(()) => Err(regular::not_regular()),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A file that is being written.
#[derive(Debug)]
pub struct NewFile {
    unfinished: Unfinished,
    target: PathBuf,
    /// The file whose place it takes.
    existing: Option<File>,
    /// The metadata of `existing`, from before its content was read.
    read: Option<Metadata>,
    /// The name under which `existing` stays.
    backup: Option<PathBuf>,
    /// The number of bytes that were written.
    length: u64,
}

/// A file that has everything but its name.
///
/// The new name must not reach the disk before the bytes: after a loss of power, the name would lead to an empty file.
/// So the bytes of a file that takes the place of another are synchronized with the disk before [`place`](Self::place).
#[derive(Debug)]
pub(super) struct Ready {
    unfinished: Unfinished,
    target: PathBuf,
    /// Whether there is a file of this name, whose place the new file takes.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "a rename replaces a file or creates a name"))]
    exists: bool,
    read: Option<Metadata>,
    backup: Option<PathBuf>,
    length: u64,
    /// A sentence for each attribute of the former file that the new one cannot keep.
    lost: Vec<String>,
}

#[derive(Debug)]
enum Unfinished {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(Temporary<File>),
}

/// A file under a temporary name, which is removed when this value is dropped, or when a signal ends the program.
#[derive(Debug)]
struct Temporary<F> {
    file: NamedTempFile<F>,
    _protected: Protected,
}

impl NewFile {
    /// Creates a file that will get the name `target`. If `exists`, it will take the place of the file of this name.
    pub fn create(target: PathBuf, exists: bool) -> io::Result<Self> {
        // A rename needs no permission to write the file that it replaces, but a file without this permission must not
        // change.
        let existing = if exists { Some(regular::open_for_writing(&target)?) } else { None };
        Self::start(target, existing, 0o666)
    }

    /// Creates a file that will get the name `target`, under which there is no file, and these permissions without
    /// those that the umask takes away.
    pub fn create_with(target: PathBuf, mode: u32) -> io::Result<Self> {
        Self::start(target, None, mode)
    }

    fn start(target: PathBuf, existing: Option<File>, mode: u32) -> io::Result<Self> {
        let directory = directory_of(&target);
        let unfinished = match Unfinished::create(directory, mode, existing.is_some()) {
            // The error for a missing directory must not name a temporary file.
            Err(error) => return Err(fs::metadata(directory).err().unwrap_or(error)),
            Ok(unfinished) => unfinished,
        };
        Ok(NewFile { unfinished, target, existing, read: None, backup: None, length: 0 })
    }

    /// Says that the new content is made from the content of the old file, the one whose place the new file takes.
    /// `read` is the metadata of the old file from before it was read. If another program changes the old file in the
    /// meantime, the old file stays as that program has written it.
    pub fn expect(&mut self, read: Metadata) {
        self.read = Some(read);
    }

    /// Gives the new file the time of the last change of another file.
    pub fn set_modified(&self, other: &fs::Metadata) -> io::Result<()> {
        self.file().set_times(FileTimes::new().set_modified(other.modified()?))
    }

    /// The file whose place the new file takes will stay under the name `backup`.
    pub fn keep_old_as(&mut self, backup: PathBuf) {
        self.backup = Some(backup);
    }

    /// The file whose place the new file takes.
    pub fn existing(&self) -> Option<&File> {
        self.existing.as_ref()
    }

    fn file(&self) -> &File {
        self.unfinished.file()
    }

    /// Waits until the bytes are on the disk, and gives the file its name. Without this call it is as if nothing had
    /// been written.
    ///
    /// Returns a sentence for each attribute of the former file that the new one could not keep.
    pub fn complete(self) -> io::Result<Vec<String>> {
        let ready = self.finish()?;
        ready.sync()?;
        ready.place()
    }

    /// Waits until the bytes are on the disk, and gives the file its name. Fails if there is a file of this name.
    ///
    /// # Errors
    /// The bytes cannot be written, or the name is taken.
    pub fn complete_as_new(self) -> io::Result<()> {
        let Ready { unfinished, target, .. } = self.finish()?;
        unfinished.file().sync_all()?;
        match unfinished {
            #[cfg(target_os = "linux")]
            Unfinished::Unnamed(file) => link(&file, &target),
            Unfinished::Named(temporary) => temporary.file.persist_noclobber(target).map(drop).map_err(io::Error::from),
        }
    }

    /// Ends the writing. Without [`Ready::place`] it is as if nothing had been written.
    pub(super) fn finish(self) -> io::Result<Ready> {
        let lost = match &self.existing {
            Some(existing) => attributes::copy(existing, self.file())?,
            None => Vec::new(),
        };
        // Windows replaces no file that is open, so the existing file is closed here.
        let NewFile { unfinished, target, existing, read, backup, length } = self;
        Ok(Ready { unfinished, target, exists: existing.is_some(), read, backup, length, lost })
    }
}

impl Ready {
    /// Waits until all bytes are on the disk. Some errors of writing come as late as this.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file().sync_all()
    }

    pub(super) fn file(&self) -> &File {
        self.unfinished.file()
    }

    /// The number of bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Gives the file its name.
    ///
    /// Returns a sentence for each attribute of the former file that the new one could not keep.
    pub(super) fn place(self) -> io::Result<Vec<String>> {
        if let Some(read) = &self.read
            && !is_same(&fs::symlink_metadata(&self.target)?, read)?
        {
            return Err(io::Error::other("another program has changed the file in the meantime"));
        }
        let new_backup = match &self.backup {
            Some(backup) => keep_as(&self.target, backup)?.then_some(backup),
            None => None,
        };
        let named = match self.unfinished {
            #[cfg(target_os = "linux")]
            Unfinished::Unnamed(file) => name(&file, &self.target, self.exists),
            Unfinished::Named(temporary) => temporary.file.persist(self.target).map(drop).map_err(io::Error::from),
        };
        if let (Err(_), Some(backup)) = (&named, new_backup) {
            let _ = fs::remove_file(backup);
        }
        named.map(|()| self.lost)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file().write(bytes)?;
        self.length += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Unfinished {
    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Unfinished::Unnamed(file) => file,
            Unfinished::Named(temporary) => temporary.file.as_file(),
        }
    }

    /// `is_private` says that the file will get the permissions of another file, and that until then only its owner can
    /// open it.
    fn create(directory: &Path, mode: u32, is_private: bool) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        match unnamed(directory, mode) {
            Ok(Some(file)) => return Ok(Unfinished::Unnamed(file)),
            // Another thread may make the directory next. The file still should have no name then.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
            Ok(None) | Err(_) => {}
        }
        Self::named(directory, if is_private { 0o600 } else { mode })
    }

    fn named(directory: &Path, mode: u32) -> io::Result<Self> {
        let temporary = temporary(directory, |path| options(mode).open(path))?;
        mark_as_written(temporary.file.as_file());
        Ok(Unfinished::Named(temporary))
    }
}

/// Whether two looks at a path have found the same file with the same content.
fn is_same(now: &Metadata, before: &Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::ino(now) != std::os::unix::fs::MetadataExt::ino(before) {
        return Ok(false);
    }
    Ok(now.len() == before.len() && now.modified()? == before.modified()?)
}

/// Locks a file that has a temporary name, or will get one. The lock tells other runs that the file is not a leftover.
/// Where a file system has no locks, they cannot remove leftovers.
fn mark_as_written(file: &File) {
    let _ = file.try_lock();
}

/// Whether `backup` is a second name of the file `target`, and no symbolic link to it.
pub(super) fn is_kept_as(target: &Path, backup: &Path) -> bool {
    !backup.is_symlink() && regular::are_same(target, backup)
}

/// Gives the file `target` the second name `backup`. Returns false if the file has this name already: an earlier run
/// that was killed has given it.
fn keep_as(target: &Path, backup: &Path) -> io::Result<bool> {
    match fs::hard_link(target, backup) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if is_kept_as(target, backup) {
                Ok(false)
            } else {
                Err(error)
            }
        }
        // The file system has no hard links.
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) => {
            let mut copy = NewFile::create(backup.to_owned(), false)?;
            io::copy(&mut File::open(target)?, &mut copy)?;
            copy.complete().map(|_| true)
        }
        result => result.map(|()| true),
    }
}

/// Writes a file in the place of the regular file at `path`, or a new file if there is none.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// let path = directory.path().join("page.txt");
/// std::fs::write(&path, "old")?;
/// textcodec_convert::files::replace(&path, b"new")?;
/// assert_eq!(std::fs::read(&path)?, b"new");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The file cannot be written, and there is the old one. A symbolic link or a pipe at `path` is an error, too.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let exists = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => true,
        Ok(_) => return Err(regular::not_regular()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    let mut file = NewFile::create(path.to_owned(), exists)?;
    file.write_all(bytes)?;
    file.complete().map(drop)
}

/// Creates a temporary file in `directory`. `create` is called with a random name, and with another one if a file has
/// this name.
fn temporary<F>(directory: &Path, mut create: impl FnMut(&Path) -> io::Result<F>) -> io::Result<Temporary<F>> {
    let file = Builder::new()
        .prefix(PREFIX)
        .rand_bytes(RANDOM)
        .suffix(SUFFIX)
        .make_in(directory, |path| Protected::create(path, || create(path)))?;
    let ((file, protected), path) = file.into_parts();
    Ok(Temporary { file: NamedTempFile::from_parts(file, path), _protected: protected })
}

/// Options that make a new file with these permissions, from which the umask is taken.
fn options(mode: u32) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options
}

/// A file in `directory` that has no name. `None` if such a file could not get a name later because `/proc` is missing.
/// It is an error if the file system has no such files.
#[cfg(target_os = "linux")]
fn unnamed(directory: &Path, mode: u32) -> io::Result<Option<File>> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    static HAS_PROC: OnceLock<bool> = OnceLock::new();
    let file = File::from(openat(CWD, directory, flags, Mode::from_raw_mode(mode))?);
    Ok(HAS_PROC.get_or_init(|| path_of(&file).symlink_metadata().is_ok()).then_some(file))
}

/// Gives an unnamed file a name that no file has.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    linkat(CWD, path_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

/// Gives an unnamed file its name.
#[cfg(target_os = "linux")]
fn name(file: &File, target: &Path, exists: bool) -> io::Result<()> {
    if !exists {
        match link(file, target) {
            // Somebody has made a file of this name in the meantime.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result,
        }
    }
    mark_as_written(file);
    // A hard link cannot replace a file, but a rename can. A run that was killed in between has left the file under the
    // name that the target always gets first, so that the next run finds it there.
    let mut temporary = directory_of(target).join(usual_name(target));
    loop {
        match Protected::create(&temporary, || link(file, &temporary)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !remove_leftover(&temporary).unwrap_or(false) {
                    temporary = directory_of(target).join(random_name());
                }
            }
            Err(error) => return Err(error),
            Ok(((), _protected)) => {
                return fs::rename(&temporary, target).inspect_err(|_| drop(fs::remove_file(&temporary)));
            }
        }
    }
}

/// The temporary name that a file for `target` gets if no other file has it.
///
/// Only a complete file that is locked gets this name. A file that is still written has a name that nobody can guess:
/// two runs that took each other's file for a leftover would mix their texts.
#[cfg(target_os = "linux")]
fn usual_name(target: &Path) -> String {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    temporary_name(BuildHasherDefault::<DefaultHasher>::default().hash_one(target.file_name()))
}

/// A temporary name that no other file has.
#[cfg(target_os = "linux")]
fn random_name() -> String {
    use std::hash::{BuildHasher, RandomState};

    // The standard library makes the keys of each hasher from random numbers of the system.
    temporary_name(RandomState::new().hash_one(PREFIX))
}

/// The temporary name with this number.
#[cfg(target_os = "linux")]
fn temporary_name(mut number: u64) -> String {
    const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut name = PREFIX.to_owned();
    for _ in 0..RANDOM {
        name.push(LETTERS[(number % 36) as usize].into());
        number /= 36;
    }
    name + SUFFIX
}

/// A path that leads to an open file.
#[cfg(target_os = "linux")]
fn path_of(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;

    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::time::{Duration, SystemTime};

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The file that [`NewFile::create`] creates if the file system has no unnamed files.
    fn with_temporary_name(target: PathBuf, exists: bool) -> NewFile {
        let existing = exists.then(|| File::open(&target).unwrap());
        let unfinished = Unfinished::named(directory_of(&target), 0o666).unwrap();
        NewFile { unfinished, target, existing, read: None, backup: None, length: 0 }
    }

    #[test]
    fn the_name_changes_only_when_the_file_is_complete() {
        for create in [|target, exists| NewFile::create(target, exists).unwrap(), with_temporary_name] {
            let directory = tempfile::tempdir().unwrap();
            let target = directory.path().join("target");
            for (before, text) in [(None, "first"), (Some("first"), "second")] {
                let mut file = create(target.clone(), before.is_some());
                file.write_all(text.as_bytes()).unwrap();
                assert_eq!(fs::read_to_string(&target).ok().as_deref(), before);
                assert_eq!(file.complete().unwrap(), [""; 0]);
                assert_eq!(fs::read_to_string(&target).unwrap(), text);
                assert_eq!(names(directory.path()), ["target"]);
            }
        }
    }

    #[test]
    fn nothing_is_left_of_a_file_that_is_dropped() {
        for create in [|target, exists| NewFile::create(target, exists).unwrap(), with_temporary_name] {
            let directory = tempfile::tempdir().unwrap();
            let mut file = create(directory.path().join("target"), false);
            file.write_all(b"text").unwrap();
            drop(file);
            assert_eq!(names(directory.path()), [""; 0]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_another_program_changes_in_the_meantime_is_not_replaced() {
        type Change = fn(&Path, SystemTime);
        fn set_time(path: &Path, time: SystemTime) {
            File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        }
        let changes: [(&str, Change); 4] = [
            ("nothing", |_, _| ()),
            ("the time", |path, time| set_time(path, time + Duration::from_secs(1))),
            ("the length", |path, time| {
                fs::write(path, "longer").unwrap();
                set_time(path, time);
            }),
            ("the file", |path, time| {
                fs::remove_file(path).unwrap();
                fs::write(path, "new").unwrap();
                set_time(path, time);
            }),
        ];
        for (what, change) in changes {
            let directory = tempfile::tempdir().unwrap();
            let [target, backup] = ["target", "backup"].map(|name| directory.path().join(name));
            fs::write(&target, "old").unwrap();
            let read = fs::metadata(&target).unwrap();
            let time = read.modified().unwrap();
            let mut file = NewFile::create(target.clone(), true).unwrap();
            file.expect(read);
            file.keep_old_as(backup);
            file.write_all(b"text").unwrap();
            change(&target, time);
            let other = fs::read_to_string(&target).unwrap();
            let result = file.complete();
            let (text, number) = if what == "nothing" { ("text".to_owned(), 2) } else { (other, 1) };
            assert_eq!(result.is_ok(), what == "nothing", "{what}");
            assert_eq!(fs::read_to_string(&target).unwrap(), text, "{what}");
            assert_eq!(names(directory.path()).len(), number, "{what}");
        }
    }

    #[test]
    fn only_a_backup_that_was_there_before_stays_if_the_file_gets_no_name() {
        for was_there in [false, true] {
            let directory = tempfile::tempdir().unwrap();
            let [target, backup] = ["target", "backup"].map(|name| directory.path().join(name));
            fs::write(&target, "old").unwrap();
            if was_there {
                fs::hard_link(&target, &backup).unwrap();
            }
            let mut file = with_temporary_name(target.clone(), true);
            file.keep_old_as(backup.clone());
            let temporary = names(directory.path()).into_iter().find(|name| is_temporary(OsStr::new(name))).unwrap();
            fs::remove_file(directory.path().join(temporary)).unwrap();
            file.complete().unwrap_err();
            assert_eq!(backup.exists(), was_there);
            assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        }
    }

    #[test]
    fn only_names_of_this_form_are_temporary() {
        for (name, is) in [
            (".textcodec-a1b2c3.tmp", true),
            (".textcodec-ABCDEF.tmp", true),
            (".textcodec-.tmp", false),
            (".textcodec-notes.tmp", false),
            (".textcodec-a1b2c3d.tmp", false),
            (".textcodec-a1-2c3.tmp", false),
            (".textcodec-a1b2c3.tmp~", false),
            ("textcodec-a1b2c3.tmp", false),
        ] {
            assert_eq!(is_temporary(OsStr::new(name)), is, "{name}");
        }
    }

    /// Another user can put a pipe in the place of a file after the search for leftovers has found the file.
    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_leftover_is_neither_opened_nor_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (sender, result) = std::sync::mpsc::channel();
        std::thread::spawn({
            let path = path.clone();
            move || sender.send(remove_leftover(&path).is_err())
        });
        // Opening the pipe would wait for a writer.
        assert_eq!(result.recv_timeout(std::time::Duration::from_secs(60)), Ok(true));
        assert!(path.exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_appears_in_the_meantime_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("target");
        let mut file = NewFile::create(target.clone(), false).unwrap();
        file.write_all(b"text").unwrap();
        fs::write(&target, "of somebody else").unwrap();
        file.complete().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "text");
        assert_eq!(names(directory.path()), ["target"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn temporary_names_are_recognized_and_the_usual_one_is_that_of_the_target() {
        let [one, two] = ["one", "two"].map(|name| usual_name(&Path::new("directory").join(name)));
        assert_ne!(one, two);
        assert_eq!(one, usual_name(Path::new("one")));
        assert_ne!(random_name(), random_name());
        for name in [one, two, random_name(), temporary_name(0), temporary_name(35), temporary_name(u64::MAX)] {
            assert!(is_temporary(OsStr::new(&name)), "{name}");
        }
        assert_eq!(
            [0, 1, 36, 35].map(temporary_name),
            ["aaaaaa", "baaaaa", "abaaaa", "9aaaaa"].map(|random| { format!(".textcodec-{random}.tmp") })
        );
    }
}
