//! The files of a run: those that the command line names, and those in the directories that it names.

use std::{
    collections::HashSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context, anyhow};
use ignore::{DirEntry, WalkBuilder, overrides::OverrideBuilder};

use crate::{
    arguments::Selection,
    collisions::{self, Streams},
    gitignore::Rules,
    input::Input,
    message::{self, Failures},
    new_file,
};

/// Directories of version control, which are skipped even with --hidden: a conversion of their files would destroy a
/// repository.
const VERSION_CONTROL: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", ".sl"];

/// A regular file of the run, or a stream that the command line names.
pub(crate) struct Selected {
    pub(crate) input: Input,
    /// The path below the directory in which the file was found; of a file that the command line names, the last
    /// component.
    pub(crate) relative: PathBuf,
    /// Whether the command line names the file itself.
    pub(crate) is_named: bool,
}

/// The reason why a file in a directory is no file of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Skipped {
    Hidden,
    SymbolicLink,
    /// A named pipe, a socket or a device.
    Special,
    /// The former content of another file.
    Backup,
    /// Standard output or standard error writes to this file.
    Written,
    Binary,
}

impl Skipped {
    /// The words for `number` files.
    pub(crate) fn describe(self, number: usize) -> &'static str {
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
#[derive(Default)]
pub(crate) struct Files {
    pub(crate) selected: Vec<Selected>,
    pub(crate) skipped: Vec<(PathBuf, Skipped)>,
    /// Temporary files of runs that may have been killed.
    pub(crate) leftovers: Vec<PathBuf>,
}

/// The parameters of a walk beside the options of the user.
#[derive(Clone, Copy, Default)]
pub(crate) struct Walk<'a> {
    /// A directory that is left out because the run writes to it.
    pub(crate) output: Option<&'a Path>,
    /// The end of the names of backups, which are left out.
    pub(crate) suffix: Option<&'a str>,
    /// Whether the command line can name files that are read only once: "-" for standard input, named pipes, and the
    /// pipes that a shell makes for `<(command)`.
    pub(crate) streams: bool,
    /// Whether somebody wants to know the lengths of the files.
    pub(crate) lengths: bool,
}

/// Finds the files of a run, each only once, in the order of the command line and then of their names. A file that is
/// missing or cannot be read is a failure, and the search goes on.
pub(crate) fn select(files: &[PathBuf], options: &Selection, walk: Walk<'_>, failures: &mut Failures) -> Files {
    let output = walk.output.and_then(|output| fs::canonicalize(output).ok());
    let mut found = Files::default();
    for path in files {
        let result = if path.as_os_str() == "-" && walk.streams {
            Input::check(path).and_then(|input| {
                collisions::check_streams(&input)?;
                found.selected.push(Selected { input, relative: PathBuf::new(), is_named: true });
                Ok(())
            })
        } else {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => match options.recursive {
                    true => found.add_directory(path, options, walk, output.as_deref(), failures),
                    false => Err(anyhow!(
                        "{}: this is a directory\n  With --recursive, the files in it are taken.",
                        message::display(path)
                    )),
                },
                Ok(metadata) if metadata.is_file() || walk.streams => Input::check_file(path).and_then(|input| {
                    collisions::check_streams(&input)?;
                    let relative = path.file_name().map(PathBuf::from).unwrap_or_default();
                    found.selected.push(Selected { input, relative, is_named: true });
                    Ok(())
                }),
                Ok(_) => Err(anyhow!("{}: this is not a regular file", message::display(path))),
                Err(error) => Err(error).with_context(|| format!("cannot read {}", message::display(path))),
            }
        };
        failures.check(result);
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
    fn add_directory(
        &mut self,
        root: &Path,
        options: &Selection,
        walk: Walk<'_>,
        output: Option<&Path>,
        failures: &mut Failures,
    ) -> anyhow::Result<()> {
        let mut globs = OverrideBuilder::new(root);
        for glob in &options.include {
            globs.add(glob)?;
        }
        for glob in &options.exclude {
            globs.add(&format!("!{glob}"))?;
        }
        let cannot_read = || format!("cannot read {}", message::display(root));
        let rules = options.gitignore.then(|| Rules::new(root)).transpose().with_context(cannot_read)?;
        let rules = Arc::new(Mutex::new(rules));
        let left_out = Arc::new(Mutex::new((Vec::new(), Vec::new())));
        let globs = globs.build()?;
        let mut builder = WalkBuilder::new(root);
        builder.standard_filters(false).overrides(globs.clone());
        builder.sort_by_file_name(Ord::cmp);
        builder.filter_entry({
            let (left_out, output, hidden) = (Arc::clone(&left_out), output.map(Path::to_owned), options.hidden);
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
                Ok(entry) => self.add(root, &entry, walk, &streams, failures),
                Err(error) => failures.add(&cannot_search(root, error)),
            }
        }
        let mut rules = rules.lock().unwrap_or_else(PoisonError::into_inner);
        rules.iter_mut().flat_map(|rules| rules.failures.drain(..)).for_each(|error| failures.add(&error));
        let mut left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
        self.skipped.append(&mut left_out.0);
        self.leftovers.append(&mut left_out.1);
        Ok(())
    }

    fn add(&mut self, root: &Path, entry: &DirEntry, walk: Walk<'_>, streams: &Streams, failures: &mut Failures) {
        // A directory that the command line names can be a symbolic link.
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
                Err(error) => return failures.add(&cannot_search(path, error)),
            };
            self.selected.push(Selected {
                input: Input::found(path.to_owned(), length),
                relative: path.strip_prefix(root).unwrap_or(path).to_owned(),
                is_named: false,
            });
        }
    }

    /// Adds the temporary files in the directories of the files that the command line names.
    pub(crate) fn look_for_leftovers(&mut self) {
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
fn cannot_search(path: &Path, error: ignore::Error) -> anyhow::Error {
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
                return anyhow!("cannot read {}: it has disappeared", message::display(&path));
            }
            ignore::Error::Io(error) => {
                // The error of the system. The errors around it repeat the path and the message.
                let error = anyhow::Error::new(error);
                return anyhow!("cannot read {}: {}", message::display(&path), error.root_cause());
            }
            error => return anyhow!("cannot read {}: {error}", message::display(&path)),
        }
    }
}
