//! Files that are put into their places together.
//!
//! Before a new file takes the place of an old one, its bytes must be on the disk: otherwise a loss of power can leave
//! the name with an empty file. To wait for each small file takes longer than to convert it. So up to 256 files wait
//! for each other, and one call of the system writes all of them.

use std::{
    fmt, io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{remote, rewrite::Ready};

/// The greatest number of files in a group. With 256 files instead of one, 10,000 small files took 1.0 second instead
/// of 4 (ext4 without a journal).
#[cfg(target_os = "linux")]
const NUMBER: usize = 256;

/// The group is complete when its files have more bytes than this. Until then the disk holds the new files and the old
/// ones.
const BYTES: u64 = 4 << 20;

/// The length in bytes from which a file is no part of a group: writing it takes longer than waiting for it.
const LONG: u64 = 1 << 20;

/// The number of files up to which each is waited for on its own. One call for all writes what other programs have
/// written, too.
#[cfg(target_os = "linux")]
const FEW: usize = 4;

/// New files, each with a value that `placed` gets together with the result.
pub struct Group<T, F> {
    waiting: Mutex<Waiting<T>>,
    /// Is held while files are synchronized, so that few groups have open files at a time.
    turn: Mutex<()>,
    greatest_number: usize,
    placed: F,
}

struct Waiting<T> {
    files: Vec<(Box<Ready>, T)>,
    bytes: u64,
}

impl<T, F> fmt::Debug for Group<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").finish_non_exhaustive()
    }
}

impl<T, F: Fn(T, io::Result<Vec<String>>)> Group<T, F> {
    /// `placed` is called for each file after it is put into its place, or could not be.
    pub fn new(placed: F) -> Self {
        let waiting = Mutex::new(Waiting { files: Vec::new(), bytes: 0 });
        Group { waiting, turn: Mutex::new(()), greatest_number: greatest_number(), placed }
    }

    /// Puts a file into its place, now or later.
    pub fn add(&self, file: Box<Ready>, value: T) {
        let length = file.new.length();
        // On a remote file system, one call for all files may neither wait for their bytes nor tell their errors.
        if length >= LONG || self.greatest_number == 1 || remote::is_remote(file.new.file()) {
            let result = file.new.sync().and_then(|()| file.place());
            return (self.placed)(value, result);
        }
        let is_complete = {
            let mut waiting = lock(&self.waiting);
            waiting.files.push((file, value));
            waiting.bytes += length;
            waiting.files.len() >= self.greatest_number || waiting.bytes >= BYTES
        };
        if is_complete {
            self.place();
        }
    }

    /// Puts all files that wait into their places. Returns whether there were any.
    pub fn place(&self) -> bool {
        let turn = lock(&self.turn);
        let files = {
            let mut waiting = lock(&self.waiting);
            waiting.bytes = 0;
            std::mem::take(&mut waiting.files)
        };
        let are_synchronized = synchronize(&files);
        drop(turn);
        let found = !files.is_empty();
        for (file, value) in files {
            let synchronized = if are_synchronized { Ok(()) } else { file.new.sync() };
            (self.placed)(value, synchronized.and_then(|()| file.place()));
        }
        found
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The greatest number of files in a group on this system. Each of them is open.
#[cfg(target_os = "linux")]
fn greatest_number() -> usize {
    use rustix::process::{Resource, getrlimit};

    let open_files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if reports_errors() { NUMBER.min((open_files / 4) as usize).max(1) } else { 1 }
}

/// Other systems have no call for many files.
#[cfg(not(target_os = "linux"))]
fn greatest_number() -> usize {
    1
}

/// Whether `syncfs` reports errors of writing, which it does since Linux 5.8.
#[cfg(target_os = "linux")]
fn reports_errors() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers =
        release.split(|character: char| !character.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    version >= (5, 8)
}

/// Waits until all bytes of the files are on the disk. Returns false if each file must be waited for on its own, which
/// also tells the file that has an error.
#[cfg(target_os = "linux")]
fn synchronize<T>(files: &[(Box<Ready>, T)]) -> bool {
    if files.len() <= FEW {
        return false;
    }
    let mut systems = std::collections::HashSet::new();
    files.iter().all(|(file, _)| !systems.insert(file.file_system()) || rustix::fs::syncfs(file.new.file()).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn synchronize<T>(_: &[(Box<Ready>, T)]) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{fs, io::Write, path::PathBuf};

    use super::*;
    use crate::files::{Manner, Old, Rewrite, Rewritten};

    const MANNER: Manner = Manner { dry: false, suffix: None, keep_time: false };

    /// A new file of so many bytes that can take the place of an old one.
    fn ready(target: PathBuf, length: usize) -> Box<Ready> {
        fs::write(&target, "old").unwrap();
        let mut rewrite = Rewrite::new(target.clone(), Old::open(&target).unwrap(), &MANNER);
        rewrite.write_all(&vec![b'n'; length]).unwrap();
        match rewrite.finish().unwrap() {
            Rewritten::Ready(ready) => ready,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_wait_until_they_are_many_or_long_or_somebody_asks_for_them() {
        let room = tempfile::tempdir().unwrap();
        if greatest_number() < NUMBER || remote::is_remote(&tempfile::tempfile_in(room.path()).unwrap()) {
            return;
        }
        let placed = Mutex::new(Vec::new());
        let group = Group::new(|number: usize, result: io::Result<Vec<String>>| {
            assert!(result.is_ok_and(|lost| lost.is_empty()));
            lock(&placed).push(number);
        });
        let path = |number: usize| room.path().join(number.to_string());
        let add = |number: usize, length: usize| group.add(ready(path(number), length), number);
        let take = || std::mem::take(&mut *lock(&placed));
        assert!(!group.place());
        // Few files, each on its own, and more, together.
        for number in [1, FEW, FEW + 1] {
            (0..number).for_each(|number| add(number, 10));
            assert_eq!((take(), fs::read(path(0)).unwrap()), (vec![], b"old".to_vec()));
            assert!(group.place() && !group.place());
            assert_eq!((take(), fs::read(path(0)).unwrap()), ((0..number).collect(), b"nnnnnnnnnn".to_vec()));
        }
        // A long file waits for none.
        add(0, 10);
        add(1, 1 << 20);
        assert_eq!((take(), fs::metadata(path(1)).unwrap().len()), (vec![1], 1 << 20));
        assert!(group.place() && take() == [0]);
        // Two groups that are complete by their bytes.
        for _ in 0..2 {
            (0..4).for_each(|number| add(number, 1_000_000));
            assert_eq!(take(), []);
            add(4, 1_000_000);
            assert_eq!(take(), [0, 1, 2, 3, 4]);
        }
        (0..255).for_each(|number| add(number, 1));
        assert_eq!(take(), []);
        add(255, 1);
        assert_eq!(take(), (0..256).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_that_cannot_be_placed_does_not_stop_the_others() {
        let room = tempfile::tempdir().unwrap();
        let placed = Mutex::new(Vec::new());
        let group = Group::new(|number: usize, result: io::Result<_>| lock(&placed).push((number, result.is_ok())));
        for number in 0..6 {
            let target = room.path().join(number.to_string());
            let new = ready(target.clone(), 10);
            if number == 2 {
                fs::write(&target, "of another program").unwrap();
            }
            group.add(new, number);
        }
        group.place();
        let placed = std::mem::take(&mut *lock(&placed));
        assert_eq!(placed, (0..6).map(|number| (number, number != 2)).collect::<Vec<_>>());
        assert_eq!(fs::read(room.path().join("2")).unwrap(), b"of another program");
        assert_eq!(fs::read(room.path().join("3")).unwrap(), b"nnnnnnnnnn");
    }
}
