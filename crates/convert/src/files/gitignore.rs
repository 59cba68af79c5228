//! The rules of `.gitignore` files. The crate `ignore` opens these files itself, and would wait for ever for a named
//! pipe of this name, so this module reads them and gives it their lines.

use std::{
    collections::HashMap,
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder, Glob},
};

use super::{error::FileError, regular};
use crate::visible;

/// The greatest length of a file with rules in bytes.
const LONGEST: u64 = 16 << 20;

/// The rules for the files below one directory.
pub(super) struct Rules {
    /// The directory as the user names it, and its path without symbolic links.
    name: PathBuf,
    root: PathBuf,
    /// The user's own rules for all directories.
    global: Gitignore,
    /// The rules of each directory; `None` if they could not be read.
    levels: HashMap<PathBuf, Option<Level>>,
    /// The files with rules that could not be read, and were not reported yet.
    pub(super) failures: Vec<FileError>,
}

/// The rules of one directory.
struct Level {
    shared: Gitignore,
    /// Rules that the repository does not contain.
    private: Gitignore,
}

impl Rules {
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        let global = Gitignore::global().0;
        Ok(Rules {
            name: root.to_owned(),
            root: root.canonicalize()?,
            global,
            levels: HashMap::new(),
            failures: Vec::new(),
        })
    }

    /// Whether the rules name the file at `relative` below the directory. Without the rules of a directory above it,
    /// the file is left out.
    pub(super) fn leave_out(&mut self, relative: &Path, is_directory: bool) -> bool {
        let path = self.root.join(relative);
        let directories: Vec<_> = path.ancestors().skip(1).collect();
        for directory in &directories {
            if !self.levels.contains_key(*directory) {
                let level =
                    Level::read(directory, &self.name_of(directory)).map_err(|error| self.failures.push(error)).ok();
                self.levels.insert((*directory).to_owned(), level);
            }
        }
        let levels: Option<Vec<_>> = directories.iter().map(|directory| self.levels[*directory].as_ref()).collect();
        let Some(levels) = levels else { return true };
        // The rules of the nearest directory come first.
        let first = |kind: fn(&Level) -> &Gitignore| -> Match<&Glob> {
            let mut matches = levels.iter().map(|level| kind(level).matched(&path, is_directory));
            matches.find(|found| !found.is_none()).unwrap_or(Match::None)
        };
        first(|level| &level.shared)
            .or(first(|level| &level.private))
            .or(self.global.matched(&path, is_directory))
            .is_ignore()
    }

    /// The name of a directory in messages.
    fn name_of(&self, directory: &Path) -> PathBuf {
        directory.strip_prefix(&self.root).map_or_else(|_| directory.to_owned(), |below| self.name.join(below))
    }
}

impl Level {
    /// `name` is the directory in messages.
    fn read(directory: &Path, name: &Path) -> Result<Self, FileError> {
        let read = |file: &str| {
            read(directory, file).map_err(|error| FileError::read(visible::display(&name.join(file)))(error))
        };
        Ok(Level { shared: read(".gitignore")?, private: read(".git/info/exclude")? })
    }
}

/// The rules of the file `name` in `directory`. A line that is no rule counts as none.
fn read(directory: &Path, name: &str) -> io::Result<Gitignore> {
    let path = directory.join(name);
    let mut bytes = Vec::new();
    match regular::open_itself(&path) {
        Ok(file) => file.take(LONGEST).read_to_end(&mut bytes).map(drop),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(()),
        Err(_) if path.symlink_metadata().is_ok_and(|found| !found.is_file()) => Err(regular::not_regular()),
        Err(error) => Err(error),
    }?;
    if bytes.is_empty() {
        return Ok(Gitignore::empty());
    }
    let mut builder = GitignoreBuilder::new(directory);
    for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{FEFF}').lines() {
        let _ = builder.add_line(Some(path.clone()), line);
    }
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}
