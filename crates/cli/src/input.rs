//! The files that are read.

use std::{
    fs::{self, File, Metadata},
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};

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
    /// Makes sure that `path` is there and can be read; "-" is standard input.
    pub(crate) fn check(path: &Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_owned();
            return Ok(Input { path: None, name, length: None });
        }
        let name = path.display().to_string();
        let metadata = look_at(path).with_context(|| format!("cannot read {name}"))?;
        if is_standard_output(&metadata) {
            bail!("{name}: both read and, as standard output, written; use --output to convert a file in place");
        }
        Ok(Input { path: Some(path.to_owned()), name, length: metadata.is_file().then_some(metadata.len()) })
    }

    pub(crate) fn open(&self) -> anyhow::Result<Box<dyn Read>> {
        Ok(match &self.path {
            None => Box::new(io::stdin().lock()),
            Some(path) => Box::new(File::open(path).with_context(|| format!("cannot read {}", self.name))?),
        })
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

/// Whether standard output is this regular file, which would then never end, or is emptied already.
#[cfg(unix)]
fn is_standard_output(file: &Metadata) -> bool {
    use std::os::{fd::AsFd, unix::fs::MetadataExt};

    let output = io::stdout().as_fd().try_clone_to_owned().and_then(|output| File::from(output).metadata());
    output.is_ok_and(|output| output.is_file() && (output.dev(), output.ino()) == (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn is_standard_output(_: &Metadata) -> bool {
    false
}
