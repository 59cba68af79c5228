//! A temporary directory for each test, in which the program runs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;
use tempfile::TempDir;

/// A directory that is removed at the end of the test.
pub(crate) struct Room(TempDir);

impl Room {
    /// An empty directory.
    pub(crate) fn new() -> Self {
        Room(TempDir::new().unwrap())
    }

    /// A directory with these files.
    pub(crate) fn with<const N: usize>(files: [(&str, &[u8]); N]) -> Self {
        let room = Self::new();
        files.into_iter().for_each(|(name, bytes)| room.write(name, bytes));
        room
    }

    /// Writes the file `name`, and creates the directories above it.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The paths of all files below the directory, hidden ones too, in the order of their names.
    pub(crate) fn tree(&self) -> Vec<String> {
        fn add(directory: &Path, root: &Path, paths: &mut Vec<String>) {
            for entry in fs::read_dir(directory).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    add(&entry.path(), root, paths);
                } else {
                    paths.push(entry.path().strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        let mut paths = Vec::new();
        add(self.0.path(), self.0.path(), &mut paths);
        paths.sort();
        paths
    }

    /// The path of the file `name`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The content of the file `name`.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with these arguments, which are separated by spaces, in this directory.
    pub(crate) fn textcodec(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_textcodec"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }
}
