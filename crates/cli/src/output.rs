//! The file that is written: under its own name only once it is complete.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, ErrorKind, IsTerminal, Write},
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile};

/// How many symbolic links in a row are followed, as in Linux.
const LINKS: usize = 40;

/// A place that bytes are written to.
pub(crate) enum Output {
    Standard(io::StdoutLock<'static>),
    /// Something that is no regular file, such as a device or a named pipe.
    Direct(File),
    /// A regular file that is there, or a new one.
    Beside(Box<Beside>),
}

/// A temporary file that will take the place of another, or of none, in the same directory.
pub(crate) struct Beside {
    temporary: NamedTempFile,
    target: PathBuf,
    /// The file that is there already.
    existing: Option<Metadata>,
}

impl Output {
    /// Standard output for `None` and "-".
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        match path {
            None => Ok(Self::standard()),
            Some(path) if path.as_os_str() == "-" || names_standard_output(path) => Ok(Self::standard()),
            Some(path) => match fs::metadata(path) {
                Ok(metadata) if metadata.is_file() => Self::beside(fs::canonicalize(path)?, Some(metadata)),
                Ok(_) => Ok(Output::Direct(OpenOptions::new().write(true).open(path)?)),
                Err(error) if error.kind() == ErrorKind::NotFound => Self::beside(follow_links(path)?, None),
                Err(error) => Err(error),
            },
        }
    }

    fn standard() -> Self {
        Output::Standard(io::stdout().lock())
    }

    fn beside(target: PathBuf, existing: Option<Metadata>) -> io::Result<Self> {
        if existing.is_some() {
            // Replacing a file needs no permission to write it, but whoever took that away meant it.
            OpenOptions::new().write(true).open(&target)?;
        }
        let directory = match target.parent() {
            Some(directory) if !directory.as_os_str().is_empty() => directory,
            _ => Path::new("."),
        };
        // The error of making a file there would name the temporary one.
        fs::metadata(directory)?;
        let mut builder = Builder::new();
        builder.prefix(".textcodec-");
        if existing.is_none() {
            as_a_new_file(&mut builder);
        }
        let interruption = Interruption::listen()?;
        let temporary = builder.tempfile_in(directory)?;
        interruption.removes(temporary.path())?;
        Ok(Output::Beside(Box::new(Beside { temporary, target, existing })))
    }

    /// Whether the bytes go to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        matches!(self, Output::Standard(_))
    }

    /// Whether what is written is seen by someone at once.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Output::Standard(stdout) => stdout.is_terminal(),
            Output::Direct(file) => file.is_terminal(),
            Output::Beside(_) => false,
        }
    }

    /// Gives the file its name. Without this call it is as if nothing had been written.
    pub(crate) fn complete(self) -> io::Result<()> {
        let Output::Beside(beside) = self else { return Ok(()) };
        let Beside { temporary, target, existing } = *beside;
        if let Some(existing) = existing {
            become_like(temporary.as_file(), &existing)?;
        }
        // Some errors of writing come late, and the new name must not reach the disk before the bytes.
        temporary.as_file().sync_all()?;
        temporary.persist(target)?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(stdout) => stdout.write(bytes),
            Output::Direct(file) => file.write(bytes),
            Output::Beside(beside) => beside.temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(stdout) => stdout.flush(),
            Output::Direct(_) | Output::Beside(_) => Ok(()),
        }
    }
}

/// Whether `path` is another name of standard output: `/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`, or a symbolic link to one
/// of these.
fn names_standard_output(path: &Path) -> bool {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let is_descriptor = |directory| matches!((path.parent().map(fs::canonicalize), fs::canonicalize(directory)), (Some(Ok(a)), Ok(b)) if a == b);
        if path.file_name().is_some_and(|name| name == "1")
            && ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"].into_iter().any(is_descriptor)
        {
            return true;
        }
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path.as_os_str() == "/dev/stdout"
}

/// The path that would be made by writing to `path`, at which there is nothing or a link to nothing.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Asks for the permissions that any new file gets, from which the umask is taken.
#[cfg(unix)]
fn as_a_new_file(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;

    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn as_a_new_file(_: &mut Builder<'_, '_>) {}

/// Gives `file` the permissions of `existing`, and its owner and group as far as that is allowed.
#[cfg(unix)]
fn become_like(file: &File, existing: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let owned = fchown(file, Some(existing.uid()), Some(existing.gid()));
    // A program must not run as somebody it does not belong to.
    let mode = existing.mode() & if owned.is_ok() { 0o7777 } else { 0o777 };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn become_like(file: &File, existing: &Metadata) -> io::Result<()> {
    file.set_permissions(existing.permissions())
}

/// What asks the program to end early: the temporary file is removed then.
#[cfg(unix)]
struct Interruption(signal_hook::iterator::Signals);

#[cfg(unix)]
impl Interruption {
    /// From here on a signal waits for `removes`.
    fn listen() -> io::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};

        signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).map(Interruption)
    }

    /// Removes `temporary` when a signal comes, and then ends the program as the signal would have.
    fn removes(mut self, temporary: &Path) -> io::Result<()> {
        let temporary = temporary.to_owned();
        let wait = move || {
            for signal in self.0.forever() {
                let _ = fs::remove_file(&temporary);
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        };
        std::thread::Builder::new().spawn(wait).map(drop)
    }
}

#[cfg(not(unix))]
struct Interruption;

#[cfg(not(unix))]
impl Interruption {
    fn listen() -> io::Result<Self> {
        Ok(Interruption)
    }

    fn removes(self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}
