//! The identities of regular files, by which a run knows that two paths lead to one file.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

/// A regular file, or a place for one. Devices, pipes and terminals have no identity, because nothing is lost in them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Identity {
    /// The device and the inode of a file.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The path of a file without symbolic links; of a file that does not exist, the path of the directory without
    /// symbolic links, and the name.
    Path(PathBuf),
}

/// The identity of a regular file.
pub(super) fn of_file(path: &Path, metadata: &Metadata) -> Option<Identity> {
    if !metadata.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        let _ = path;
        Some(of_inode(metadata))
    }
    #[cfg(not(unix))]
    fs::canonicalize(path).ok().map(Identity::Path)
}

#[cfg(unix)]
fn of_inode(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;

    Identity::Inode(metadata.dev(), metadata.ino())
}

/// The identity of the regular file that standard input leads to.
pub(super) fn of_standard_input() -> Option<Identity> {
    #[cfg(unix)]
    return of_stream(rustix::stdio::stdin());
    // Elsewhere a shell lets no other program replace the file of a stream.
    #[cfg(not(unix))]
    None
}

/// The identity of the regular file that standard output leads to.
pub(super) fn of_standard_output() -> Option<Identity> {
    #[cfg(unix)]
    return of_stream(rustix::stdio::stdout());
    #[cfg(not(unix))]
    None
}

/// The identity of the regular file that standard error leads to.
pub(super) fn of_standard_error() -> Option<Identity> {
    #[cfg(unix)]
    return of_stream(rustix::stdio::stderr());
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn of_stream(stream: std::os::fd::BorrowedFd<'_>) -> Option<Identity> {
    let file = fs::File::from(stream.try_clone_to_owned().ok()?);
    file.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| of_inode(&metadata))
}
