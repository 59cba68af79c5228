//! The reasons why a file cannot take part in a run.

use std::{error::Error, fmt, io};

/// The reason why a file cannot be read, or takes no part in a run. Its display begins with the name of the file, or
/// names it after "cannot read".
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read. The source of this error has the reason.
    #[non_exhaustive]
    Read {
        /// The name in messages.
        name: String,
        /// The reason.
        error: io::Error,
    },
    /// The file is a directory. A recursive search takes the files in it.
    Directory(String),
    /// The file is not a regular file, and the run can only use regular files.
    NotRegular(String),
    /// The file was found and has disappeared.
    Disappeared(String),
    /// A standard stream is written to the file, so the file cannot be an input.
    #[non_exhaustive]
    Written {
        /// The name in messages.
        name: String,
        /// The stream, for example "standard output".
        stream: &'static str,
    },
    /// The input and standard output are the same file.
    IsOutput(String),
    /// A directory cannot be searched.
    #[non_exhaustive]
    Search {
        /// The name in messages.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A pattern for names is malformed.
    Pattern(String),
}

impl FileError {
    pub(super) fn read(name: impl Into<String>) -> impl FnOnce(io::Error) -> FileError {
        let name = name.into();
        move |error| FileError::Read { name, error }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Read { name, .. } => write!(f, "cannot read {name}"),
            FileError::Directory(name) => write!(f, "{name}: this is a directory"),
            FileError::NotRegular(name) => write!(f, "{name}: this is not a regular file"),
            FileError::Disappeared(name) => write!(f, "cannot read {name}: it has disappeared"),
            FileError::Written { name, stream } => {
                write!(f, "{name}: {stream} is written to this file, so it cannot be an input")
            }
            FileError::IsOutput(name) => write!(f, "{name}: the input and standard output are the same file"),
            FileError::Search { name, reason } => write!(f, "cannot read {name}: {reason}"),
            FileError::Pattern(reason) => f.write_str(reason),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FileError::Read { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Paths of a run that would make it destroy a file. Nothing was written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Collision {
    pub(super) reason: String,
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; nothing was written", self.reason)
    }
}

impl Error for Collision {}

/// The failure of a run whose paths collide.
pub(super) fn collision<T>(reason: String) -> Result<T, Collision> {
    Err(Collision { reason })
}
