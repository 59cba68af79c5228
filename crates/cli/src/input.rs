//! The files that are read.

use std::{
    fs::{self, File, Metadata},
    io::{self, IsTerminal, Read, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, bail};
use same_file::Handle;

use crate::{message, regular, standard_streams};

/// A file, or standard input.
pub(crate) struct Input {
    /// `None` for standard input.
    path: Option<PathBuf>,
    /// The name in messages.
    pub(crate) name: String,
    /// Whether it is a regular file, which can be read more than once.
    pub(crate) is_file: bool,
    /// Whether the command line names the file. If a search has found it, it was no symbolic link.
    is_named: bool,
    /// The number of bytes to read, if it is known.
    pub(crate) length: Option<u64>,
    /// All bytes of a file that were read already.
    content: Option<Arc<[u8]>>,
}

impl Input {
    /// The files to read, or standard input if there are none. A file that is missing or cannot be read is an error.
    pub(crate) fn check_all(files: &[PathBuf]) -> impl Iterator<Item = anyhow::Result<Self>> {
        let standard_input = files.is_empty().then(|| Path::new("-"));
        standard_input.into_iter().chain(files.iter().map(PathBuf::as_path)).map(Self::check)
    }

    /// Makes sure that `path` is there and can be read; "-" is standard input.
    pub(crate) fn check(path: &Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_owned();
            return Ok(Input { path: None, name, is_file: false, is_named: true, length: None, content: None });
        }
        Self::check_file(path)
    }

    /// Makes sure that `path`, which is no name of standard input, is there and can be read.
    pub(crate) fn check_file(path: &Path) -> anyhow::Result<Self> {
        let name = message::display(path);
        let metadata = look_at(path).with_context(|| format!("cannot read {name}"))?;
        let is_file = metadata.is_file();
        let length = is_file.then_some(metadata.len());
        Ok(Input { path: Some(path.to_owned()), name, is_file, is_named: true, length, content: None })
    }

    /// A regular file that was found in a directory.
    pub(crate) fn found(path: PathBuf, length: Option<u64>) -> Self {
        let name = message::display(&path);
        Input { path: Some(path), name, is_file: true, is_named: false, length, content: None }
    }

    /// The same input, whose bytes are `content`.
    pub(crate) fn with_content(&self, content: Arc<[u8]>) -> Self {
        let (path, name) = (self.path.clone(), self.name.clone());
        Input {
            path,
            name,
            is_file: self.is_file,
            is_named: self.is_named,
            length: self.length,
            content: Some(content),
        }
    }

    /// `None` for standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        if let Some(content) = &self.content {
            return Ok(Box::new(io::Cursor::new(Arc::clone(content))));
        }
        Ok(match &self.path {
            None => Box::new(standard_streams::input()?),
            Some(path) if self.is_file => {
                let file = if self.is_named { regular::open(path) } else { regular::open_itself(path) };
                Box::new(file?)
            }
            Some(path) => Box::new(File::open(path)?),
        })
    }

    /// Fails if the input and standard output, to which its text is to be written, are one regular file.
    pub(crate) fn check_standard_output(&self) -> anyhow::Result<()> {
        if self.is_standard_output() {
            bail!(
                "{}: the input and standard output are the same file; to convert a file in place, name it and use --output",
                self.name
            );
        }
        Ok(())
    }

    /// Whether the input and standard output are one regular file, of which bytes are left to read.
    pub(crate) fn is_standard_output(&self) -> bool {
        match &self.path {
            None => is_standard_output_ahead(),
            Some(_) => Handle::stdout().is_ok_and(|output| is_file(output.as_file()) && self.is(&output)),
        }
    }

    /// Whether the input and `file` are the same regular file.
    pub(crate) fn is(&self, file: &Handle) -> bool {
        match &self.path {
            None => Handle::stdin().is_ok_and(|input| input == *file),
            // Opening a pipe would wait for its other end.
            Some(_) if !self.is_file => false,
            Some(path) => Handle::from_path(path).is_ok_and(|input| input == *file),
        }
    }

    /// Whether the input is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.path.is_none() && io::stdin().is_terminal()
    }
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
    let (Ok(output), Ok(input)) = (Handle::stdout(), Handle::stdin()) else { return false };
    let Ok(length) = input.as_file().metadata().map(|metadata| metadata.len()) else { return false };
    let position = input.as_file().stream_position().unwrap_or(0);
    input == output && is_file(output.as_file()) && (position < length || length == 0)
}

fn is_file(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}
