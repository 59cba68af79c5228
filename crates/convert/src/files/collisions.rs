//! The paths of a run: a file that is read, or written by another part of the run, must not be written over.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{
    error::{Collision, FileError, collision},
    identity::{self, Identity, of_file},
    input::Input,
    output, regular,
};
use crate::visible;

/// The paths that a run reads and writes.
#[derive(Default, Debug)]
pub struct Paths {
    /// The files that are read, each with its name in messages.
    read: HashMap<Identity, String>,
    /// The files that are written, each with the words that name its part in the run.
    written: HashMap<Identity, String>,
    /// Directories, and their paths without symbolic links.
    directories: HashMap<PathBuf, PathBuf>,
}

impl Paths {
    /// Adds a file that is read.
    pub fn read(&mut self, input: &Input) {
        let identities = match input.path() {
            Some(path) => self.identities(path),
            None => identity::of_standard_input().into_iter().collect(),
        };
        self.read.extend(identities.into_iter().map(|identity| (identity, input.name.clone())));
    }

    /// Adds standard output, if it is a regular file.
    pub fn write_standard_output(&mut self) {
        self.written.extend(identity::of_standard_output().map(|identity| (identity, "standard output".to_owned())));
    }

    /// Adds standard error, if it is a regular file.
    pub fn write_standard_error(&mut self) {
        self.written.extend(identity::of_standard_error().map(|identity| (identity, "standard error".to_owned())));
    }

    /// Adds the file at `path`, which `option` names. Fails if it is a file that is read, or written by another part of
    /// the run.
    ///
    /// # Errors
    /// The file would be written over.
    pub fn write(&mut self, option: &str, path: &Path) -> Result<(), Collision> {
        for identity in self.identities(path) {
            if let Some(input) = self.read.get(&identity) {
                let path = visible::display(path);
                return collision(format!("{option} {path} would overwrite the input file {input}"));
            }
        }
        self.write_over_inputs(option, path)
    }

    /// As [`write`](Self::write), but the file may be one of those that are read.
    ///
    /// # Errors
    /// Another part of the run writes the file.
    pub fn write_over_inputs(&mut self, option: &str, path: &Path) -> Result<(), Collision> {
        let part = format!("{option} {}", visible::display(path));
        for identity in self.identities(path) {
            if let Some(other) = self.written.insert(identity, part.clone()).filter(|other| *other != part) {
                return collision(format!("{part} and {other} would be written to the same file"));
            }
        }
        Ok(())
    }

    /// Adds the path under which the former content of the file `name` stays, as `option` says.
    pub fn keep_old(&mut self, option: &str, backup: &Path, name: &str) {
        let part = format!("the copy of {name} under {option}");
        let identities = self.identities(backup);
        self.written.extend(identities.into_iter().map(|identity| (identity, part.clone())));
    }

    /// Adds the path `target` in the output directory to which the text of the file `name` is written. Fails if it is
    /// another file that is read, or to which the text of another file is written.
    ///
    /// The new file takes the name from the old one. So the old one stays if it has other names (hard links).
    ///
    /// # Errors
    /// A file would be written over.
    pub fn write_copy(&mut self, target: &Path, name: &str) -> Result<(), Collision> {
        let Some(identity) = self.identity_of_name(target) else { return Ok(()) };
        if let Some(input) = self.read.get(&identity).filter(|input| *input != name) {
            let target = visible::display(target);
            return collision(format!("the text of {name} would overwrite the input file {input} at {target}"));
        }
        let part = format!("the text of {name}");
        if let Some(other) = self.written.insert(identity, part.clone()) {
            return collision(format!("{part} and {other} would both be written to {}", visible::display(target)));
        }
        Ok(())
    }

    /// The identity of the file at `path`, and that of its name if it has several names.
    fn identities(&mut self, path: &Path) -> Vec<Identity> {
        if output::names_standard_output(path) {
            return identity::of_standard_output().into_iter().collect();
        }
        let of_file = fs::metadata(path).ok().and_then(|metadata| of_file(path, &metadata));
        let of_name = self.identity_of_name(path).filter(|identity| of_file.as_ref() != Some(identity));
        of_file.into_iter().chain(of_name).collect()
    }

    /// The identity that `path` shares with all paths that lead to the same name: with paths through symbolic links,
    /// and on some file systems with the name in upper case.
    fn identity_of_name(&mut self, path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(metadata) if regular::number_of_names(&metadata) == 1 => of_file(path, &metadata),
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

/// Fails if messages on standard error would be written to the output file, which `option` names.
///
/// # Errors
/// Standard error is written to this file.
pub fn check_output(option: &str, path: Option<&Path>) -> Result<(), Collision> {
    let mut paths = Paths::default();
    paths.write_standard_error();
    match path.filter(|path| !output::names_standard_output(path)) {
        Some(path) => paths.write_over_inputs(option, path),
        None => Ok(()),
    }
}

/// Fails if standard output or standard error is written to the input, which the run reads or replaces: a run that
/// reads its own messages may never end, and messages in a file that is replaced are lost.
///
/// # Errors
/// One of the two streams is written to the input.
pub fn check_streams(input: &Input) -> Result<(), FileError> {
    let stream = match input.path() {
        Some(path) => Streams::new().writes_to(path),
        None => input.is_standard_output().then_some("standard output"),
    };
    match stream {
        Some(stream) => Err(FileError::Written { name: input.name.clone(), stream }),
        None => Ok(()),
    }
}

/// The files that standard output and standard error write to.
#[derive(Debug)]
pub struct Streams(Vec<(Identity, &'static str)>);

impl Streams {
    /// The files at this time.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the streams of the process are no default")]
    pub fn new() -> Self {
        let output = identity::of_standard_output().map(|identity| (identity, "standard output"));
        let error = identity::of_standard_error().map(|identity| (identity, "standard error"));
        Streams(output.into_iter().chain(error).collect())
    }

    /// The stream that writes to the regular file at `path`.
    #[must_use]
    pub fn writes_to(&self, path: &Path) -> Option<&'static str> {
        if self.0.is_empty() {
            return None;
        }
        let identity = of_file(path, &fs::metadata(path).ok()?)?;
        self.0.iter().find(|(stream, _)| *stream == identity).map(|(_, name)| *name)
    }
}

/// The name of a file that does not exist, in lower case on systems on which most file systems ignore the case.
fn folded(name: OsString) -> OsString {
    match name.to_str() {
        Some(text) if cfg!(any(windows, target_vendor = "apple")) => text.to_lowercase().into(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error for a report at `report` in a directory with the input file "in" and the output at `output`.
    fn conflict(directory: &Path, output: &str, report: &str) -> Option<String> {
        let mut paths = Paths::default();
        paths.read(&Input::check_file(&directory.join("in")).unwrap());
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
