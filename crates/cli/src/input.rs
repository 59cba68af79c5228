//! The files that are read.

use std::{
    fs::{self, File, Metadata},
    io::{self, IsTerminal, Read, Seek},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use same_file::Handle;

use crate::standard_streams;

/// A file, or standard input.
pub(crate) struct Input {
    /// `None` for standard input.
    path: Option<PathBuf>,
    /// What messages call it.
    pub(crate) name: String,
    /// How many bytes there are to read, if that is known.
    pub(crate) length: Option<u64>,
}

impl Input {
    /// The files to read, or standard input, once all are known to be there.
    pub(crate) fn check_all(files: &[PathBuf]) -> anyhow::Result<Vec<Self>> {
        match files {
            [] => Ok(vec![Self::check(Path::new("-"))?]),
            files => files.iter().map(|file| Self::check(file)).collect(),
        }
    }

    /// Makes sure that `path` is there and can be read; "-" is standard input.
    pub(crate) fn check(path: &Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_owned();
            return Ok(Input { path: None, name, length: None });
        }
        let name = path.display().to_string();
        let metadata = look_at(path).with_context(|| format!("cannot read {name}"))?;
        Ok(Input { path: Some(path.to_owned()), name, length: metadata.is_file().then_some(metadata.len()) })
    }

    pub(crate) fn open(&self) -> anyhow::Result<Box<dyn Read>> {
        Ok(match &self.path {
            None => Box::new(standard_streams::input().context("cannot read standard input")?),
            Some(path) => Box::new(File::open(path).with_context(|| format!("cannot read {}", self.name))?),
        })
    }

    /// Fails if the input and standard output, to which its text is to be written, are one regular file.
    pub(crate) fn check_standard_output(&self) -> anyhow::Result<()> {
        let is_refused = match &self.path {
            None => is_standard_output_ahead(),
            // Opening a pipe would wait for its other end.
            Some(_) if self.length.is_none() => false,
            Some(path) => is_standard_output(path),
        };
        if is_refused {
            bail!(
                "{}: the input and standard output are the same file; to convert a file in place, name it and use --output",
                self.name
            );
        }
        Ok(())
    }

    /// Whether someone types it.
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
        File::open(path)?;
    }
    Ok(metadata)
}

/// Whether standard output is this regular file. A conversion would read the text that it has just written, without end, or
/// the shell has emptied the file already.
fn is_standard_output(file: &Path) -> bool {
    matches!((Handle::stdout(), Handle::from_path(file)), (Ok(output), Ok(file)) if output == file && is_file(&output))
}

/// Whether standard input is the regular file that standard output is, with bytes in it that standard input has yet to read, or
/// emptied by the shell. Like `cat`, a reader at the end of the file is let through: there is nothing to read.
fn is_standard_output_ahead() -> bool {
    let (Ok(output), Ok(input)) = (Handle::stdout(), Handle::stdin()) else { return false };
    let Ok(length) = input.as_file().metadata().map(|metadata| metadata.len()) else { return false };
    let position = input.as_file().stream_position().unwrap_or(0);
    input == output && is_file(&output) && (position < length || length == 0)
}

fn is_file(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
}
