//! The files of a run: those that the user names, and those in the directories that the user names.

use std::{
    collections::HashSet,
    error::Error,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ignore::{DirEntry, WalkBuilder, overrides::OverrideBuilder};

use super::{
    collisions::{self, Streams},
    error::FileError,
    gitignore::Rules,
    input::{Input, OpenStandardInput},
    new_file,
};
use crate::visible;

/// Directories of version control, which are skipped even with --hidden: a conversion of their files would destroy a
/// repository.
const VERSION_CONTROL: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];

/// A regular file of the run, or a stream that the user names.
#[derive(Debug)]
#[non_exhaustive]
pub struct Selected {
    /// The file or stream.
    pub input: Input,
    /// The path below the directory in which the file was found; of a file that the user names, the last
    /// component.
    pub relative: PathBuf,
    /// Whether the user names the file itself.
    pub is_named: bool,
}

/// The reason why a file in a directory is no file of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Skipped {
    /// Its name starts with a full stop.
    Hidden,
    /// It is a symbolic link.
    SymbolicLink,
    /// A named pipe, a socket or a device.
    Special,
    /// The former content of another file.
    Backup,
    /// Standard output or standard error writes to this file.
    Written,
    /// It looks binary.
    Binary,
}

impl Skipped {
    /// The words for `number` files.
    #[must_use]
    pub fn describe(self, number: usize) -> &'static str {
        match self {
            Skipped::Hidden => "hidden",
            Skipped::SymbolicLink if number == 1 => "symbolic link",
            Skipped::SymbolicLink => "symbolic links",
            Skipped::Special => "not regular",
            Skipped::Backup if number == 1 => "backup",
            Skipped::Backup => "backups",
            Skipped::Written => "written by this run",
            Skipped::Binary => "binary",
        }
    }
}

/// The files of a run.
#[derive(Default, Debug)]
#[non_exhaustive]
pub struct Files {
    /// The files, in their order.
    pub selected: Vec<Selected>,
    /// Files in directories that are no files of the run, with the reasons.
    pub skipped: Vec<(PathBuf, Skipped)>,
    /// Temporary files of runs that may have been killed.
    pub leftovers: Vec<PathBuf>,
    /// The reasons why files that were named, or that are in directories, are no files of the run.
    pub failures: Vec<FileError>,
}

/// The parameters of a search for files.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Walk<'a> {
    /// Whether the files in directories are taken.
    pub recursive: bool,
    /// Only files in directories whose names match one of these patterns are taken, if there are any.
    pub include: &'a [String],
    /// Files and directories in directories whose names match one of these patterns are left out.
    pub exclude: &'a [String],
    /// Whether files are left out that `.gitignore` files name.
    pub gitignore: bool,
    /// Whether files are taken whose names start with a full stop.
    pub hidden: bool,
    /// A directory that is left out because the run writes to it.
    pub output: Option<&'a Path>,
    /// The end of the names of backups, which are left out.
    pub suffix: Option<&'a str>,
    /// How standard input is opened, if the user can name files that are read only once: "-" for standard input, named
    /// pipes, and the pipes that a shell makes for `<(command)`.
    pub streams: Option<OpenStandardInput>,
    /// Whether somebody wants to know the lengths of the files.
    pub lengths: bool,
}

/// Finds the files of a run, each only once: first in the order in which the user names them, and in a directory in the
/// order of their names. A file that is missing or cannot be read is a failure, and the search goes on.
#[must_use]
pub fn select(files: &[PathBuf], walk: &Walk<'_>) -> Files {
    let output = walk.output.and_then(|output| fs::canonicalize(output).ok());
    let mut found = Files::default();
    for path in files {
        let result = match walk.streams {
            Some(open) if path.as_os_str() == "-" => found.add_named(Input::standard(open), PathBuf::new()),
            _ => found.add_path(path, walk, output.as_deref()),
        };
        found.failures.extend(result.err());
    }
    if files.len() > 1 {
        let mut seen = HashSet::new();
        found.selected.retain(|selected| match selected.input.path() {
            Some(path) => seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())),
            None => true,
        });
    }
    found
}

impl Files {
    /// Adds an input that the user names.
    fn add_named(&mut self, input: Input, relative: PathBuf) -> Result<(), FileError> {
        collisions::check_streams(&input)?;
        self.selected.push(Selected { input, relative, is_named: true });
        Ok(())
    }

    fn add_path(&mut self, path: &Path, walk: &Walk<'_>, output: Option<&Path>) -> Result<(), FileError> {
        let name = || visible::display(path);
        let metadata = fs::metadata(path).map_err(|error| FileError::Read { name: name(), error })?;
        match () {
            () if metadata.is_dir() && walk.recursive => self.add_directory(path, walk, output),
            () if metadata.is_dir() => Err(FileError::Directory(name())),
            () if metadata.is_file() || walk.streams.is_some() => {
                let relative = path.file_name().map(PathBuf::from).unwrap_or_default();
                self.add_named(Input::check_file(path)?, relative)
            }
            () => Err(FileError::NotRegular(name())),
        }
    }

    fn add_directory(&mut self, root: &Path, walk: &Walk<'_>, output: Option<&Path>) -> Result<(), FileError> {
        let pattern = |error: ignore::Error| FileError::Pattern(error.to_string());
        let mut globs = OverrideBuilder::new(root);
        for glob in walk.include {
            globs.add(glob).map_err(pattern)?;
        }
        for glob in walk.exclude {
            globs.add(&format!("!{glob}")).map_err(pattern)?;
        }
        let cannot_read = |error| FileError::Read { name: visible::display(root), error };
        let rules = walk.gitignore.then(|| Rules::new(root)).transpose().map_err(cannot_read)?;
        let rules = Arc::new(Mutex::new(rules));
        let left_out = Arc::new(Mutex::new((Vec::new(), Vec::new())));
        let globs = globs.build().map_err(pattern)?;
        let mut builder = WalkBuilder::new(root);
        builder.standard_filters(false).overrides(globs.clone());
        builder.sort_by_file_name(Ord::cmp);
        builder.filter_entry({
            let (left_out, output, hidden) = (Arc::clone(&left_out), output.map(Path::to_owned), walk.hidden);
            let (rules, root) = (Arc::clone(&rules), root.to_owned());
            move |entry| {
                if entry.depth() == 0 {
                    return true;
                }
                let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
                if let Some(rules) = &mut *rules.lock().unwrap_or_else(PoisonError::into_inner)
                    // --include has the last word.
                    && !globs.matched(entry.path(), is_directory).is_whitelist()
                    && rules.leave_out(entry.path().strip_prefix(&root).unwrap_or(entry.path()), is_directory)
                {
                    return false;
                }
                let mut left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
                let (skipped, leftovers): &mut (Vec<(PathBuf, Skipped)>, Vec<PathBuf>) = &mut left_out;
                if new_file::is_temporary(entry.file_name()) && new_file::is_leftover(entry.path()) {
                    leftovers.push(entry.path().to_owned());
                    return false;
                }
                if is_hidden(entry, hidden) {
                    skipped.push((entry.path().to_owned(), Skipped::Hidden));
                    return false;
                }
                !(is_directory && output.is_some() && fs::canonicalize(entry.path()).ok() == output)
            }
        });
        let streams = Streams::new();
        for entry in builder.build() {
            match entry {
                Ok(entry) => self.add(root, &entry, walk, &streams),
                Err(error) => self.failures.push(cannot_search(root, error)),
            }
        }
        let mut rules = rules.lock().unwrap_or_else(PoisonError::into_inner);
        self.failures.extend(rules.iter_mut().flat_map(|rules| rules.failures.drain(..)));
        let mut left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
        self.skipped.append(&mut left_out.0);
        self.leftovers.append(&mut left_out.1);
        Ok(())
    }

    fn add(&mut self, root: &Path, entry: &DirEntry, walk: &Walk<'_>, streams: &Streams) {
        // A directory that the user names can be a symbolic link.
        let Some(kind) = entry.file_type().filter(|_| entry.depth() > 0) else { return };
        let path = entry.path();
        let mut skip = |reason| self.skipped.push((path.to_owned(), reason));
        if kind.is_dir() {
        } else if kind.is_symlink() {
            skip(Skipped::SymbolicLink);
        } else if !kind.is_file() {
            skip(Skipped::Special);
        } else if walk.suffix.is_some_and(|suffix| has_end(path, suffix)) {
            skip(Skipped::Backup);
        } else if streams.writes_to(path).is_some() {
            skip(Skipped::Written);
        } else {
            let length = match walk.lengths.then(|| entry.metadata()).transpose() {
                Ok(metadata) => metadata.map(|metadata| metadata.len()),
                Err(error) => return self.failures.push(cannot_search(path, error)),
            };
            self.selected.push(Selected {
                input: Input::found(path.to_owned(), length),
                relative: path.strip_prefix(root).unwrap_or(path).to_owned(),
                is_named: false,
            });
        }
    }

    /// Adds the temporary files in the directories of the files that the user names.
    pub fn look_for_leftovers(&mut self) {
        let named = self.selected.iter().filter(|selected| selected.is_named);
        let parents = named.filter_map(|selected| selected.input.path()?.parent());
        let directories: HashSet<_> = parents.map(Path::to_owned).collect();
        for directory in directories {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory };
            let entries = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
            let temporary = entries.filter(|entry| new_file::is_temporary(&entry.file_name()));
            self.leftovers.extend(temporary.map(|entry| entry.path()).filter(|path| new_file::is_leftover(path)));
        }
        self.leftovers.sort();
        self.leftovers.dedup();
    }
}

/// Whether an entry is left out because of its name. `wanted` says whether hidden files belong to the run.
fn is_hidden(entry: &DirEntry, wanted: bool) -> bool {
    let name = entry.file_name();
    name.as_encoded_bytes().starts_with(b".") && (!wanted || VERSION_CONTROL.iter().any(|other| name == *other))
}

fn has_end(path: &Path, suffix: &str) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(suffix.as_bytes())
}

/// A message with the path first, as in all other messages.
fn cannot_search(path: &Path, error: ignore::Error) -> FileError {
    let mut path = path.to_owned();
    let mut error = error;
    loop {
        error = match error {
            ignore::Error::WithPath { path: inner, err } => {
                path = inner;
                *err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => *err,
            ignore::Error::Io(error) if error.kind() == ErrorKind::NotFound => {
                return FileError::Disappeared(visible::display(&path));
            }
            ignore::Error::Io(error) => {
                // The error of the system. The errors around it repeat the path and the message.
                let mut cause: &dyn Error = &error;
                while let Some(inner) = cause.source() {
                    cause = inner;
                }
                return FileError::Search { name: visible::display(&path), reason: cause.to_string() };
            }
            error => return FileError::Search { name: visible::display(&path), reason: error.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_pattern_is_a_failure_of_its_directory() {
        let room = tempfile::tempdir().unwrap();
        fs::write(room.path().join("a"), "").unwrap();
        let (right, wrong) = (["*".to_owned()], ["{a".to_owned()]);
        for (include, exclude, number) in
            [(&right[..], &[][..], 1), (&[], &[], 1), (&[], &right, 0), (&wrong, &[], 0), (&right, &wrong, 0)]
        {
            let walk = Walk { recursive: true, include, exclude, ..Walk::default() };
            let Files { selected, failures, .. } = select(&[room.path().to_owned()], &walk);
            assert_eq!(selected.len(), number, "{include:?} {exclude:?}");
            let is_wrong = include == wrong || exclude == wrong;
            assert_eq!(matches!(&failures[..], [FileError::Pattern(_)]), is_wrong, "{failures:?}");
        }
    }

    #[test]
    fn each_file_is_selected_once_with_its_path_below_the_directory() {
        let room = tempfile::tempdir().unwrap();
        let path = |name: &str| room.path().join(name);
        for name in ["d/b/x", "d/a", "d/b.old", "e"] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "text").unwrap();
        }
        let found = |files: &[&str], walk: Walk<'_>| {
            let files: Vec<_> = files.iter().map(|name| path(name)).collect();
            let Files { selected, skipped, failures, .. } = select(&files, &walk);
            assert!(failures.is_empty(), "{failures:?}");
            let name = |path: &Path| path.to_str().unwrap().replace('\\', "/");
            let selected: Vec<_> =
                selected.iter().map(|one| (name(&one.relative), one.is_named, one.input.length)).collect();
            (selected, skipped.into_iter().map(|(_, reason)| reason).collect::<Vec<_>>())
        };
        let one = |name: &str, is_named, length| (name.to_owned(), is_named, length);
        let walk = Walk { recursive: true, lengths: true, suffix: Some(".old"), ..Walk::default() };
        let (selected, skipped) = found(&["e", "d", "d/b/../a", "d/b"], walk.clone());
        let expected = [one("e", true, Some(4)), one("a", false, Some(4)), one("b/x", false, Some(4))];
        assert_eq!((&selected[..], &skipped[..]), (&expected[..], &[Skipped::Backup,][..]));
        let output = path("d/b");
        let walk = Walk { lengths: false, suffix: None, output: Some(&output), ..walk };
        let (selected, skipped) = found(&["d"], walk);
        assert_eq!((selected, skipped), (vec![one("a", false, None), one("b.old", false, None)], vec![]));
    }
}
