//! The files that are read.

use std::{
    fs::{self, File, Metadata},
    io::{self, IsTerminal, Read, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use same_file::Handle;

use super::{error::FileError, regular};
use crate::visible;

/// Opens standard input. The program decides how, and when it is an error.
pub type OpenStandardInput = fn() -> io::Result<Box<dyn Read>>;

/// A file, or standard input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input {
    place: Place,
    /// The name in messages.
    pub name: String,
    /// Whether it is a regular file, which can be read more than once.
    pub is_file: bool,
    /// Whether the user names the file. If a search has found it, it was no symbolic link.
    is_named: bool,
    /// The number of bytes to read, if it is known.
    pub length: Option<u64>,
    /// All bytes of a file that were read already.
    content: Option<Arc<[u8]>>,
}

/// Where an input comes from.
#[derive(Clone, Debug)]
enum Place {
    Standard(OpenStandardInput),
    Path(PathBuf),
}

impl Input {
    /// Standard input.
    #[must_use]
    pub fn standard(open: OpenStandardInput) -> Self {
        let (place, name) = (Place::Standard(open), "standard input".to_owned());
        Input { place, name, is_file: false, is_named: true, length: None, content: None }
    }

    /// Makes sure that `path` is there and can be read.
    ///
    /// # Errors
    /// It is missing, or a directory, or cannot be read.
    pub fn check_file(path: &Path) -> Result<Self, FileError> {
        let name = visible::display(path);
        let metadata = look_at(path).map_err(FileError::read(&*name))?;
        let is_file = metadata.is_file();
        let length = is_file.then_some(metadata.len());
        Ok(Input { place: Place::Path(path.to_owned()), name, is_file, is_named: true, length, content: None })
    }

    /// A regular file that was found in a directory.
    pub fn found(path: PathBuf, length: Option<u64>) -> Self {
        let name = visible::display(&path);
        Input { place: Place::Path(path), name, is_file: true, is_named: false, length, content: None }
    }

    /// The same input, whose bytes are `content`.
    #[must_use]
    pub fn with_content(&self, content: Arc<[u8]>) -> Self {
        Input { content: Some(content), ..self.clone() }
    }

    /// `None` for standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Standard(_) => None,
            Place::Path(path) => Some(path),
        }
    }

    /// Opens the input, from its first byte on if it is a regular file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read>> {
        if let Some(content) = &self.content {
            return Ok(Box::new(io::Cursor::new(Arc::clone(content))));
        }
        Ok(match &self.place {
            Place::Standard(open) => open()?,
            Place::Path(path) if self.is_file => {
                let file = if self.is_named { regular::open(path) } else { regular::open_itself(path) };
                Box::new(file?)
            }
            Place::Path(path) => Box::new(File::open(path)?),
        })
    }

    /// As [`open`](Self::open). The second value tells whether reading waits for another program.
    pub(super) fn open_and_watch(&self) -> io::Result<(Box<dyn Read>, Readiness)> {
        if self.is_file || self.content.is_some() {
            return Ok((self.open()?, Readiness::Always));
        }
        match &self.place {
            Place::Standard(open) => Ok((open()?, Readiness::of_standard_input())),
            Place::Path(path) => {
                let file = File::open(path)?;
                let readiness = Readiness::of(&file);
                Ok((Box::new(file), readiness))
            }
        }
    }

    /// Fails if the input and standard output, to which its text is to be written, are one regular file.
    ///
    /// # Errors
    /// They are one file.
    pub fn check_standard_output(&self) -> Result<(), FileError> {
        if self.is_standard_output() { Err(FileError::IsOutput(self.name.clone())) } else { Ok(()) }
    }

    /// Whether the input and standard output are one regular file, of which bytes are left to read.
    pub fn is_standard_output(&self) -> bool {
        match self.path() {
            None => is_standard_output_ahead(),
            Some(_) => standard_output().is_ok_and(|output| is_file(output.as_file()) && self.is(&output)),
        }
    }

    /// Whether the input and `file` are the same regular file.
    pub fn is(&self, file: &Handle) -> bool {
        match self.path() {
            None => standard_input().is_ok_and(|input| input == *file),
            // Opening a pipe would wait for its other end.
            Some(_) if !self.is_file => false,
            Some(path) => Handle::from_path(path).is_ok_and(|input| input == *file),
        }
    }

    /// Whether the input is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.path().is_none() && io::stdin().is_terminal()
    }
}

/// Whether the next bytes of an input come without waiting.
#[derive(Debug)]
pub(super) enum Readiness {
    /// They are there.
    Always,
    /// Nothing is known.
    #[cfg_attr(unix, expect(dead_code, reason = "only for other systems"))]
    Unknown,
    /// The system tells it.
    #[cfg(unix)]
    Descriptor(io::Result<std::os::fd::OwnedFd>),
}

impl Readiness {
    /// A program that writes to a pipe without a pause gets its turn in this time.
    #[cfg(unix)]
    const PATIENCE: rustix::event::Timespec = rustix::event::Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

    #[cfg(unix)]
    fn of(file: &impl std::os::fd::AsFd) -> Self {
        Readiness::Descriptor(file.as_fd().try_clone_to_owned())
    }

    #[cfg(unix)]
    fn of_standard_input() -> Self {
        Self::of(&io::stdin())
    }

    #[cfg(not(unix))]
    fn of(_: &File) -> Self {
        Readiness::Unknown
    }

    #[cfg(not(unix))]
    fn of_standard_input() -> Self {
        Readiness::Unknown
    }

    /// Whether bytes, or the end, are there now or in a moment.
    pub(super) fn is_near(&self) -> bool {
        match self {
            Readiness::Always => true,
            Readiness::Unknown => false,
            #[cfg(unix)]
            Readiness::Descriptor(descriptor) => descriptor.as_ref().is_ok_and(|descriptor| {
                use rustix::event::{PollFd, PollFlags, poll};

                let mut descriptors = [PollFd::new(descriptor, PollFlags::IN)];
                poll(&mut descriptors, Some(&Self::PATIENCE)).is_ok_and(|ready| ready > 0)
            }),
        }
    }
}

/// The file of standard input. [`Handle::stdin`] and [`Handle::stdout`] close the stream if the system tells nothing
/// about it.
fn standard_input() -> io::Result<Handle> {
    #[cfg(unix)]
    return handle(io::stdin());
    #[cfg(not(unix))]
    Handle::stdin()
}

/// The file of standard output.
fn standard_output() -> io::Result<Handle> {
    #[cfg(unix)]
    return handle(io::stdout());
    #[cfg(not(unix))]
    Handle::stdout()
}

#[cfg(unix)]
fn handle(stream: impl std::os::fd::AsFd) -> io::Result<Handle> {
    Handle::from_file(stream.as_fd().try_clone_to_owned()?.into())
}

/// Opens only regular files: a pipe would wait for its other end, and lose it again.
fn look_at(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() {
        regular::open(path)?;
    }
    Ok(metadata)
}

/// Whether standard input and standard output are one regular file that has bytes left to read, or that the shell has
/// emptied. A reader at the end of the file is allowed, as in `cat`, because nothing is left to read.
fn is_standard_output_ahead() -> bool {
    let (Ok(output), Ok(input)) = (standard_output(), standard_input()) else { return false };
    let Ok(length) = input.as_file().metadata().map(|metadata| metadata.len()) else { return false };
    let position = input.as_file().stream_position().unwrap_or(0);
    input == output && is_file(output.as_file()) && (position < length || length == 0)
}

fn is_file(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_followed_if_it_is_named_and_not_if_it_stands_in_the_place_of_a_file_that_was_found() {
        let room = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| room.path().join(name));
        fs::write(&file, "text").unwrap();
        symlink("file", &link).unwrap();
        let read = |input: &Input| input.open().and_then(|mut bytes| io::read_to_string(&mut bytes)).ok();
        let text = Some("text".to_owned());
        assert_eq!([&file, &link].map(|path| read(&Input::check_file(path).unwrap())), [text.clone(), text.clone()]);
        assert_eq!([&file, &link].map(|path| read(&Input::found(path.clone(), None))), [text, None]);
        let loaded = Input::found(link, None).with_content(Arc::from(&b"loaded"[..]));
        assert_eq!(read(&loaded).as_deref(), Some("loaded"));
    }

    #[test]
    fn what_is_known_of_an_input_is_its_name_its_kind_and_its_length() {
        fn closed() -> io::Result<Box<dyn Read>> {
            Err(io::ErrorKind::NotConnected.into())
        }

        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("é\n");
        fs::write(&path, "text").unwrap();
        let input = Input::check_file(&path).unwrap();
        assert_eq!((input.path(), input.is_file, input.length), (Some(&*path), true, Some(4)));
        assert!(input.name.ends_with("é\\n\""), "{}", input.name);
        let device = Input::check_file(Path::new("/dev/null")).unwrap();
        assert_eq!((&*device.name, device.is_file, device.length), ("/dev/null", false, None));
        let found = Input::found(path.clone(), Some(7));
        assert_eq!((found.name, found.is_file, found.length), (input.name, true, Some(7)));
        let standard = Input::standard(closed);
        assert_eq!((standard.path(), &*standard.name, standard.is_file), (None, "standard input", false));
        assert_eq!(standard.open().err().map(|error| error.kind()), Some(io::ErrorKind::NotConnected));
        for wrong in [room.path(), &room.path().join("missing")] {
            assert!(matches!(Input::check_file(wrong), Err(FileError::Read { .. })));
        }
    }
}
