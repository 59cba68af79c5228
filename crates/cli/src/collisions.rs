//! The paths of a run: a file that is read, or written by another part of the run, must not be written over.

use std::{
    collections::HashMap,
    error::Error,
    ffi::OsString,
    fmt,
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use anyhow::bail;

use crate::{input::Input, message, output};

/// The error for paths of the command line that would make a run destroy a file. Nothing was written.
#[derive(Debug)]
pub(crate) struct Collision(String);

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; nothing was written", self.0)
    }
}

impl Error for Collision {}

/// A regular file, or a place for one. Devices, pipes and terminals have no identity, because nothing is lost in them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Identity {
    /// The device and the inode of a file.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The path of a file without symbolic links; of a file that does not exist, the path of the directory without
    /// symbolic links, and the name.
    Path(PathBuf),
}

/// The paths that a run reads and writes.
#[derive(Default)]
pub(crate) struct Paths {
    /// The files that are read, each with its name in messages.
    read: HashMap<Identity, String>,
    /// The files that are written, each with the words that name its part in the run.
    written: HashMap<Identity, String>,
    /// Directories, and their paths without symbolic links.
    directories: HashMap<PathBuf, PathBuf>,
}

impl Paths {
    /// Adds a file that is read.
    pub(crate) fn read(&mut self, input: &Input) {
        let identities = match input.path() {
            Some(path) => self.identities(path),
            None => stream::input().into_iter().collect(),
        };
        self.read.extend(identities.into_iter().map(|identity| (identity, input.name.clone())));
    }

    /// Adds standard output, if it is a regular file.
    pub(crate) fn write_standard_output(&mut self) {
        self.written.extend(stream::output().map(|identity| (identity, "standard output".to_owned())));
    }

    /// Adds standard error, if it is a regular file.
    pub(crate) fn write_standard_error(&mut self) {
        self.written.extend(stream::error().map(|identity| (identity, "standard error".to_owned())));
    }

    /// Adds the file at `path`, which `option` names. Fails if it is a file that is read, or written by another part of
    /// the run.
    pub(crate) fn write(&mut self, option: &str, path: &Path) -> anyhow::Result<()> {
        for identity in self.identities(path) {
            if let Some(input) = self.read.get(&identity) {
                bail!(Collision(format!("{option} {} would overwrite the input file {input}", message::display(path))));
            }
        }
        self.write_over_inputs(option, path)
    }

    /// As [`write`](Self::write), but the file may be one of those that are read.
    pub(crate) fn write_over_inputs(&mut self, option: &str, path: &Path) -> anyhow::Result<()> {
        let part = format!("{option} {}", message::display(path));
        for identity in self.identities(path) {
            if let Some(other) = self.written.insert(identity, part.clone()).filter(|other| *other != part) {
                bail!(Collision(format!("{part} and {other} would be written to the same file")));
            }
        }
        Ok(())
    }

    /// Adds the path under which the former content of the file `name` stays.
    pub(crate) fn keep_old(&mut self, backup: &Path, name: &str) {
        let part = format!("the copy of {name} under --suffix");
        let identities = self.identities(backup);
        self.written.extend(identities.into_iter().map(|identity| (identity, part.clone())));
    }

    /// Adds the path `target` in the output directory to which the text of the file `name` is written. Fails if it is
    /// another file that is read, or to which the text of another file is written.
    ///
    /// The new file takes the name from the old one. So the old one stays if it has other names (hard links).
    pub(crate) fn write_copy(&mut self, target: &Path, name: &str) -> anyhow::Result<()> {
        let Some(identity) = self.identity_of_name(target) else { return Ok(()) };
        if let Some(input) = self.read.get(&identity).filter(|input| *input != name) {
            bail!(Collision(format!(
                "the text of {name} would overwrite the input file {input} at {}",
                message::display(target)
            )));
        }
        let part = format!("the text of {name}");
        if let Some(other) = self.written.insert(identity, part.clone()) {
            bail!(Collision(format!("{part} and {other} would both be written to {}", message::display(target))));
        }
        Ok(())
    }

    /// The identity of the file at `path`, and that of its name if it has several names.
    fn identities(&mut self, path: &Path) -> Vec<Identity> {
        if output::names_standard_output(path) {
            return stream::output().into_iter().collect();
        }
        let of_file = fs::metadata(path).ok().and_then(|metadata| of_file(path, &metadata));
        let of_name = self.identity_of_name(path).filter(|identity| of_file.as_ref() != Some(identity));
        of_file.into_iter().chain(of_name).collect()
    }

    /// The identity that `path` shares with all paths that lead to the same name: with paths through symbolic links,
    /// and on some file systems with the name in upper case.
    fn identity_of_name(&mut self, path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(metadata) if number_of_names(&metadata) == 1 => of_file(path, &metadata),
            Ok(metadata) if metadata.is_file() => fs::canonicalize(path).ok().map(Identity::Path),
            Ok(_) => None,
            Err(_) => {
                let path = output::follow_links(path).ok()?;
                let directory = self.directory(path.parent()?);
                Some(Identity::Path(directory.join(folded(path.file_name()?.to_owned()))))
            }
        }
    }

    /// The path of a directory without symbolic links, also of one that does not exist yet.
    fn directory(&mut self, path: &Path) -> PathBuf {
        if let Some(found) = self.directories.get(path) {
            return found.clone();
        }
        let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let found = fs::canonicalize(here).unwrap_or_else(|_| match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => self.directory(parent).join(folded(name.to_owned())),
            _ => path.to_owned(),
        });
        self.directories.insert(path.to_owned(), found.clone());
        found
    }
}

/// Fails if messages on standard error would be written to the file that `--output` names.
pub(crate) fn check_output(path: Option<&Path>) -> anyhow::Result<()> {
    let mut paths = Paths::default();
    paths.write_standard_error();
    match path.filter(|path| !output::names_standard_output(path)) {
        Some(path) => paths.write_over_inputs("--output", path),
        None => Ok(()),
    }
}

/// Fails if standard output or standard error is written to the input, which the run reads or replaces: a run that
/// reads its own messages may never end, and messages in a file that is replaced are lost.
pub(crate) fn check_streams(input: &Input) -> anyhow::Result<()> {
    let stream = match input.path() {
        Some(path) => Streams::new().writes_to(path),
        None => input.is_standard_output().then_some("standard output"),
    };
    match stream {
        Some(stream) => bail!("{}: {stream} is written to this file, so it cannot be an input", input.name),
        None => Ok(()),
    }
}

/// The files that standard output and standard error write to.
pub(crate) struct Streams(Vec<(Identity, &'static str)>);

impl Streams {
    pub(crate) fn new() -> Self {
        let output = stream::output().map(|identity| (identity, "standard output"));
        let error = stream::error().map(|identity| (identity, "standard error"));
        Streams(output.into_iter().chain(error).collect())
    }

    /// The stream that writes to the regular file at `path`.
    pub(crate) fn writes_to(&self, path: &Path) -> Option<&'static str> {
        if self.0.is_empty() {
            return None;
        }
        let identity = of_file(path, &fs::metadata(path).ok()?)?;
        self.0.iter().find(|(stream, _)| *stream == identity).map(|(_, name)| *name)
    }
}

/// The identity of a regular file.
fn of_file(path: &Path, metadata: &Metadata) -> Option<Identity> {
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

/// The number of names (hard links) of a file.
fn number_of_names(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    {
        let _ = metadata;
        1
    }
}

/// The name of a file that does not exist, in lower case on systems on which most file systems ignore the case.
fn folded(name: OsString) -> OsString {
    match name.to_str() {
        Some(text) if cfg!(any(windows, target_vendor = "apple")) => text.to_lowercase().into(),
        _ => name,
    }
}

/// The regular files that the standard streams lead to.
#[cfg(unix)]
mod stream {
    use std::{fs::File, os::fd::BorrowedFd};

    use super::Identity;

    pub(super) fn input() -> Option<Identity> {
        of(rustix::stdio::stdin())
    }

    pub(super) fn output() -> Option<Identity> {
        of(rustix::stdio::stdout())
    }

    pub(super) fn error() -> Option<Identity> {
        of(rustix::stdio::stderr())
    }

    fn of(stream: BorrowedFd<'_>) -> Option<Identity> {
        let file = File::from(stream.try_clone_to_owned().ok()?);
        file.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| super::of_inode(&metadata))
    }
}

/// Elsewhere a shell lets no other program replace the file of a stream.
#[cfg(not(unix))]
mod stream {
    use super::Identity;

    pub(super) fn input() -> Option<Identity> {
        None
    }

    pub(super) fn output() -> Option<Identity> {
        None
    }

    pub(super) fn error() -> Option<Identity> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error for a report at `report` in a directory with the input file "in" and the output at `output`.
    fn conflict(directory: &Path, output: &str, report: &str) -> Option<String> {
        let mut paths = Paths::default();
        paths.read(&Input::check(&directory.join("in")).unwrap());
        paths.write_over_inputs("--output", &directory.join(output)).unwrap();
        paths.write("--report", &directory.join(report)).err().map(|error| error.to_string())
    }

    #[test]
    fn spellings_of_a_path_are_one_path() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::write(root.join("in"), "").unwrap();
        fs::create_dir(root.join("sub")).unwrap();
        for (output, report, is_conflict) in [
            ("out", "out", true),
            ("out", "./out", true),
            ("out", "sub/../out", true),
            ("new/out", "new/out", true),
            ("new/out", "new/./out", true),
            ("out", "in", true),
            ("in", "sub/../in", true),
            ("in", "out", false),
            ("out", "sub/out", false),
            ("new/out", "out", false),
        ] {
            assert_eq!(conflict(root, output, report).is_some(), is_conflict, "{output} {report}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_the_files_that_they_lead_to() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::write(root.join("in"), "").unwrap();
        fs::hard_link(root.join("in"), root.join("hard")).unwrap();
        for (link, target) in [("link", "in"), ("dangling", "out"), ("here", "."), ("null", "/dev/null")] {
            std::os::unix::fs::symlink(target, root.join(link)).unwrap();
        }
        for (output, report, is_conflict) in [
            ("out", "link", true),
            ("out", "hard", true),
            ("out", "here/in", true),
            ("out", "dangling", true),
            ("here/out", "dangling", true),
            ("null", "null", false),
            ("out", "/dev/null", false),
        ] {
            assert_eq!(conflict(root, output, report).is_some(), is_conflict, "{output} {report}");
        }
    }
}
